"""Exercises of notebook 07, the nonlinear projection trick."""

import numpy as np

from ...centering import Centerer, center_gram
from ...kernels import Gaussian, Linear, Polynomial
from ...npt import NPT
from ..checking import Slip, Wrong, agree, close, exactly, parts_of, same_function, value_of
from . import exercise


def _points(n, seed):
    return np.random.default_rng(seed).standard_normal((n, 2))


@exercise(
    "7.1",
    "What is the rank of a Gaussian Gram matrix of different points, and what does centring do to it?",
    "Twenty images of different points are independent. Once they are centred, what is their sum?",
)
def _(answer):
    slips = {
        "So many before centring.": 20,
        "Feature space has more dimensions than the plane.": 2,
        "Twenty vectors span no more than twenty dimensions, and centring takes from them.": 21,
    }
    return exactly(answer, NPT(Gaussian(0.5)).fit(_points(20, 71)).rank_, slips)


@exercise(
    "7.2",
    "Which part of the plane can a sample of the plane not express?",
    "With a linear kernel images are the points themselves. Is there a point outside of what the others span?",
)
def _(answer):
    slips = {
        "So long would it be for an image of length 1 that has nothing in common with the sample.": 1.0,
        "This is the number of dimensions. How many of them does the sample miss?": 2.0,
    }
    missed = NPT(Linear()).fit(_points(9, 72)).residual(_points(1, 73))[0]
    return close(answer, np.round(missed, 6), slips, zero=1e-3)


@exercise(
    "7.3",
    "(NPT.2) and (NPT.3) in turn. Which eigenvalues are zero but for rounding, and whose means centre Kt?",
    "For Z roots of eigenvalues are multiplied, for Zt they are below the line; exercise 6.3 centres Kt.",
)
def _(answer):
    for kernel, seed in ((Gaussian(1.5), 74), (Polynomial(2), 75)):
        X, Xt = _points(12, seed), _points(5, seed + 10)
        K, Kt = kernel(X), kernel(Xt, X)
        result = parts_of(value_of(answer, K, Kt, instead=[NPT]), ("Z", "Zt"))
        Z, Zt = (np.asarray(part, dtype=float) for part in result)
        if Z.ndim != 2 or Zt.ndim != 2 or (len(Z), len(Zt)) != (len(K), len(Kt)) or Z.shape[1] != Zt.shape[1]:
            raise Wrong(
                f"For {len(K)} old and {len(Kt)} new points your Z has shape {Z.shape} and your Zt {Zt.shape}: "
                "one row for each point is needed, and as many columns in both."
            )
        if not (np.isfinite(Z).all() and np.isfinite(Zt).all()):
            raise Wrong("Some coordinates are not numbers: an eigenvalue that should be zero was kept.")
        if agree(Z @ Z.T, K):
            raise Slip("Z Zᵀ is K as it came in. Should it be centred?")
        if agree(Z.T @ Z, np.eye(Z.shape[1])):
            raise Slip("The columns of your Z all have length 1. How long should they be?")
        if not np.abs(Z @ Z.T - center_gram(K)).max() <= 1e-3 * K.max():
            raise Wrong(f"Z Zᵀ differs from the centred K by {np.abs(Z @ Z.T - center_gram(K)).max():.2g}.")
        if agree(Zt @ Z.T, Kt @ np.linalg.pinv(Z @ Z.T) @ Z @ Z.T):
            raise Slip("Z is right. Kt should be centred as well.")
        if not np.abs(Zt @ Z.T - Centerer().fit(K).transform(Kt)).max() <= 1e-3 * K.max():
            raise Wrong("Z is right, but the new points have other inner products with the old ones than they should.")
    return True


@exercise(
    "7.4",
    "Multiply the sum by itself: which inner products appear, and which Gram matrix holds them?",
    "Centring K is (C.1), a matrix H on both sides. It may as well be let loose on alpha.",
)
def _(answer):
    cases = ((kernel(_points(8, 76)), np.linspace(0, 1, 8)) for kernel in (Gaussian(1.0), Polynomial(3)))
    slips = {
        "These are the images as they are. Are they centred?": lambda K, alpha: alpha @ K @ alpha,
        "This is the length; asked is its square.": lambda K, alpha: np.sqrt(alpha @ center_gram(K) @ alpha),
        "The squared length of alpha is not that of w.": lambda K, alpha: alpha @ alpha,
    }
    return same_function(answer, lambda K, alpha: alpha @ center_gram(K) @ alpha, cases, slips)


@exercise(
    "7.5",
    "Try it: lasso(Z, t) and lasso(Z @ V, t) with V = rotation(Z.shape[1], 1).",
    "A lasso pays for Σ|b_j|. Is this the same number when the vector b is rotated?",
)
def _(answer):
    if not isinstance(answer, bool | np.bool_):
        raise Wrong("True or False was expected.")
    if answer:
        raise Slip("Ridge regression would. What does a lasso pay for?")
    return True
