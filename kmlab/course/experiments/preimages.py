"""Notebook 12: the table of 1999 again, and a ridge that forgets the mean."""

import numpy as np

from ...kernels import Gaussian
from ...pca import KernelPCA
from ...preimage import denoise
from ..samples import eleven_gaussians

MIKA = 1.23, 1.39, 1.54, 1.70, 1.80, 1.96, 2.10, 2.25, 2.39  # their table 1, σ = 0.8, components 1 to 9


def mika_ratios(sigma=0.8, seed=0, most=9):
    """Squared error of PCA over that of kernel PCA for 1 to `most` components; their width is √(2σ² · 10); -> (2, most)

    The first row is for PCA around the mean, the second for PCA around the origin.
    """
    X, T, true = eleven_gaussians(sigma, seed)
    kpca = KernelPCA(Gaussian(np.sqrt(20) * sigma), most).fit(X)
    bent = [((denoise(_first_components(kpca, q), T) - true) ** 2).sum() for q in range(1, most + 1)]
    flat = []
    for mean in X.mean(0), np.zeros(10):
        axes = np.linalg.eigh((X - mean).T @ (X - mean))[1][:, ::-1]
        projectors = [axes[:, :q] @ axes[:, :q].T for q in range(1, most + 1)]
        flat.append([((mean + (T - mean) @ P - true) ** 2).sum() for P in projectors])
    return np.array(flat) / bent


def without_mean(kpca, Z, alpha=1.0):
    """Kernel ridge from scores to points with no mean taken off or put back, as scikit-learn's inverse_transform."""
    scores = kpca.alphas_ * kpca.lam_
    return kpca.kernel(Z, scores) @ np.linalg.solve(kpca.kernel(scores) + alpha * np.eye(len(scores)), kpca.X_)


def _first_components(kpca, q):
    """The same fitted model with its first q components only."""
    few = KernelPCA(kpca.kernel, q)
    vars(few).update(vars(kpca) | {"n_components": q, "lam_": kpca.lam_[:q], "alphas_": kpca.alphas_[:, :q]})
    return few
