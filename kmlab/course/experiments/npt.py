"""Notebook 07: the nonlinear projection trick, stage by stage, and images that can be seen."""

import numpy as np

from ...centering import center_gram
from ...features import hom2_map
from ...npt import NPT
from . import Stage


def squares(X):
    """(x₁², √2 x₁x₂, x₂²): hom2_map with its two equal coordinates in one; (n, 2) -> (n, 3)."""
    F = hom2_map(X)
    return np.column_stack([F[:, 0], np.sqrt(2) * F[:, 1], F[:, 3]])


def algorithm(X, x, kernel):
    """The two phases of 000/s19-20, one matrix at a time; x (1, d) is a new point."""
    model = NPT(kernel).fit(X)
    K, Kc, Z = kernel(X), center_gram(kernel(X)), model.fit_transform(X)
    yield Stage("K", K, f"uncentred kernel values of {len(X)} points.")
    yield Stage("Kc", Kc, "centred: rows and columns sum to zero.")
    yield Stage("U", model.U_, f"its eigenvectors; rank {model.rank_}, one less than there are points.")
    yield Stage("Z", Z, "each column times √λ: coordinates of the images, the important ones first.")
    yield Stage("Z Zᵀ", Z @ Z.T, "the Gram matrix again, so nothing was lost.")
    left_over = model.residual(x)[0]
    yield Stage("z", model.transform(x), f"a new point has coordinates too, and {left_over:.2f} out of reach.")
