"""Kernel PCA as the lectures print it, with every step that can go wrong as a switch."""

import numpy as np

from .._linalg import top_eigh
from ..centering import Centerer, centered

LECTURES = {  # the recipe of each lecture, taken at its word
    "000": {"centering": "feature", "unit_axes": True, "raw_k": False},
    "002": {"centering": "feature", "unit_axes": True, "raw_k": True},
    "003": {"centering": "input", "unit_axes": False, "raw_k": False},
    "004": {"centering": "feature", "unit_axes": True, "raw_k": False},
}


def literal_scores(kernel, X, Xt, n_components=1, centering="feature", unit_axes=True, raw_k=False):
    """Scores of Xt by a recipe that may be wrong; right are feature centring, unit axes and a centred k.

    centering "input" subtracts the mean of X before the kernel (003/s36), "none" nothing at all; without unit_axes
    the eigenvectors are used as they come (003/s37); raw_k forgets to centre the kernel of the new points (002/s27).
    """
    shift = X.mean(0) if centering == "input" else 0
    K, Kt = kernel(X - shift), kernel(Xt - shift, X - shift)
    if centering == "feature":
        Kt = Kt if raw_k else Centerer().fit(K).transform(Kt)
        K = centered(K)
    lam, U = top_eigh(K, n_components)
    return Kt @ (U / np.sqrt(lam) if unit_axes else U)
