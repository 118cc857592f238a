"""Exercises of notebook 07, the nonlinear projection trick."""

import numpy as np

from ...centering import Centerer, center_gram
from ...kernels import Gaussian, Linear, Polynomial
from ...npt import NPT
from ..checking import Wrong, close, exactly, parts_of, same_function, value_of
from . import exercise


def _points(n, seed):
    return np.random.default_rng(seed).standard_normal((n, 2))


@exercise("7.1", "What is the rank of a Gaussian Gram matrix of different points, and what does centring do to it?")
def _(answer):
    return exactly(answer, NPT(Gaussian(0.5)).fit(_points(20, 71)).rank_)


@exercise("7.2", "Which part of the plane can a sample of the plane not express?")
def _(answer):
    return close(answer, np.round(NPT(Linear()).fit(_points(9, 72)).residual(_points(1, 73))[0], 6), zero=1e-3)


@exercise("7.3", "(NPT.2) and (NPT.3) in turn. Which eigenvalues are zero but for rounding, and whose means centre Kt?")
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
        if not np.abs(Z @ Z.T - center_gram(K)).max() <= 1e-3 * K.max():
            raise Wrong(f"Z Zᵀ differs from the centred K by {np.abs(Z @ Z.T - center_gram(K)).max():.2g}.")
        if not np.abs(Zt @ Z.T - Centerer().fit(K).transform(Kt)).max() <= 1e-3 * K.max():
            raise Wrong("Z is right, but the new points have other inner products with the old ones than they should.")
    return True


@exercise("7.4", "Multiply the sum by itself: which inner products appear, and which Gram matrix holds them?")
def _(answer):
    cases = ((kernel(_points(8, 76)), np.linspace(0, 1, 8)) for kernel in (Gaussian(1.0), Polynomial(3)))
    return same_function(answer, lambda K, alpha: alpha @ center_gram(K) @ alpha, cases)


@exercise("7.5", "Try it: lasso(Z, t) and lasso(Z @ V, t) with V = rotation(Z.shape[1], 1).")
def _(answer):
    if not isinstance(answer, bool | np.bool_):
        raise Wrong("True or False was expected.")
    return not answer
