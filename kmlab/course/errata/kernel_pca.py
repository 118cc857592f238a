"""Literal variants of kernel PCA: the recipes of the lectures, with every step of them as a switch."""

import numpy as np

from ...centering import Centerer, centered
from ...gram import largest

LECTURES = {  # where a page leaves the length of an axis open (003/s37), it is one here: that is a scale, no more
    "000": {},
    "002": {"raw_k": True},  # one of two readings of s27; with the entries of the centred K it is that of 004
    "003": {"centering": "input"},
    "004": {},
}


def literal_scores(kernel, X, Xt, n_components=1, centering="feature", unit_axes=True, raw_k=False):
    """Scores of Xt; kernel PCA is centring of the images ("feature"), axes of length one and a centred k.

    centering "input" subtracts the mean of X before the kernel (003/s36), "none" nothing at all; without unit_axes
    the eigenvectors are used as they come, so each component has its own scale; raw_k leaves the kernel in the scores
    uncentred (one reading of 002/s27).
    """
    shift = X.mean(0) if centering == "input" else 0
    K, Kt = kernel(X - shift), kernel(Xt - shift, X - shift)
    if centering == "feature":
        Kt = Kt if raw_k else Centerer().fit(K).transform(Kt)
        K = centered(K)
    lam, U = largest(K, n_components)
    return Kt @ (U / np.sqrt(lam) if unit_axes else U)
