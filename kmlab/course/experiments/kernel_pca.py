"""Notebook 06: kernel PCA, stage by stage."""

import numpy as np

from ...centering import centered
from ...pca import KernelPCA
from . import Stage


def recipe(kernel, X):
    """Kernel PCA from the data to the scores, one stage at a time."""
    K, Kc = kernel(X), centered(kernel(X))
    model = KernelPCA(kernel, 3).fit(X)
    U = model.alphas_ * np.sqrt(model.lam_)
    scores = model.fit_transform(X)
    yield Stage("X", X, f"{len(X)} points, one a row, sorted by ring.")
    yield Stage("K", K, "Who is close to whom: three blocks, because points of a ring have their neighbours there.")
    yield Stage("Kc", Kc, f"Centred: every row sums to zero; the mean image had squared length {K.mean():.2f}.")
    yield Stage("u", U, "Eigenvectors of length one: as good as the answer, but each has the same size.")
    yield Stage("α", model.alphas_, "Divided by √λ: now the axes in feature space have length one.")
    yield Stage("scores", scores, "Kc α: each component has the variance λ/n, so they shrink from left to right.")
