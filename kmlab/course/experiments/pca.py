"""Notebook 05: dual PCA, line by line."""

import numpy as np

from ...pca import PCA
from . import Stage


def dual_recipe(X):
    """The first axis of X from the inner products of its rows, one line at a time; beside it a title and numbers."""
    n, d = X.shape
    model = PCA(route="dual").fit(X)
    Xc, lam, v = X - model.mean_, model.lam_[0], model.components_[0]
    scores = Xc @ v
    root, u = np.sqrt(lam), scores / np.sqrt(lam)
    same = np.allclose(v, PCA(1, route="primal").fit(X).components_[0], rtol=0, atol=1e-10)
    yield Stage(
        "Xc",
        Xc,
        f"{n} images of {d} pixels, minus their mean: green where there is more ink than usual.",
        ("length of each image", np.linalg.norm(Xc, axis=1)),
    )
    yield Stage(
        "Xc Xcᵀ",
        Xc @ Xc.T,
        f"{n} × {n} inner products instead of a {d} × {d} covariance; {len(model.lam_)} eigenvalues are not 0.",
        ("its eigenvalues λ", model.lam_),
    )
    yield Stage(
        "each image times its u",
        Xc * u[:, None],
        "The first eigenvector. Nobody gave labels, yet the sign of its weights knows the digit.",
        ("u, a weight for each image", u),
    )
    yield Stage(
        "Xcᵀu, their sum",
        Xc.T @ u,
        f"The axis as an image: a stroke minus a ring. It is √λ = {root:.2f} long, too long for scores.",
        ("scores on Xcᵀu", scores * root),
    )
    yield Stage(
        "v = Xcᵀu / √λ",
        v,
        f"Divided by √λ it has length 1, and is {'the same as' if same else 'not'} the axis of the primal.",
        ("scores on v", scores),
    )
