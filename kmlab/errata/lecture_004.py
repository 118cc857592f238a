"""Lecture 004, Müller."""

import numpy as np

from ..features import poly2_map
from ..kernels import Polynomial
from ..pca import KernelPCA
from . import by_eye, register


def _points(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 2))


@register(
    "E-M15", "s22", 2, "R",
    "multiplying λV = CV by Φ(x_k) gives Nλ(Φ(x_k)·V) = (Φ(x_k)·CV)",
    "λ(Φ(x_k)·V) = (Φ(x_k)·CV): the N comes in only when C is written as a sum, in the next step",
    "left side divided by right side, N = 24",
)  # fmt: skip
def _():
    Phi = poly2_map(_points(24))
    Phi -= Phi.mean(0)
    lam, V = np.linalg.eigh(Phi.T @ Phi / 24)
    left, right = lam[-1] * (Phi @ V[:, -1]), Phi @ (Phi.T @ Phi / 24) @ V[:, -1]
    return float(np.median(24 * left / right)), float(np.median(left / right))


@register(
    "E-M16", "s25", 1, "U",
    "centring new points is 'similar'",
    "Ktc = Kt - Kt 11ᵀ/n - 11ᵀK/n + 11ᵀK11ᵀ/n²: the means are those of the training data",
    "scores of three new points off by: with their own means, with the training means",
)  # fmt: skip
def _():
    X, Xt, kernel = _points(24), _points(3, seed=1), Polynomial(2)
    model = KernelPCA(kernel, 2).fit(X)
    Phi = poly2_map(X)
    explicit = (poly2_map(Xt) - Phi.mean(0)) @ (Phi - Phi.mean(0)).T @ model.alphas_
    Kt = kernel(Xt, X)
    own_means = (Kt - Kt.mean(0) - Kt.mean(1)[:, None] + Kt.mean()) @ model.alphas_
    return tuple(float(np.abs(scores - explicit).max()) for scores in (own_means, model.transform(Xt)))


by_eye(
    "E-M17", "s24-25", 1, "N",
    "the number of points is N on one page and M on the next; an entry of K̃ stands for the whole matrix",
    "n points throughout; Kc is the matrix, its entries are (Kc)_ij",
)  # fmt: skip
