"""Exercises of notebook 15, scaling up."""

import copy

import numpy as np

from ..kernels import Exponential, Gaussian, Polynomial
from ..scale import gram_times, pivoted_cholesky
from . import NotAttempted, Wrong, close, exercise, same_function


@exercise("15.1", "There are n² numbers of four bytes; a GB is 10⁹ bytes, not 2³⁰.")
def _(answer):
    return close(answer, 4 * 100_000**2 / 1e9)


@exercise("15.2", "Count the monomials of degree 0 to 2 in three variables; landmarks beyond this rank add nothing.")
def _(answer):
    X = np.random.default_rng(152).standard_normal((40, 3))
    return close(answer, len(pivoted_cholesky(Polynomial(2), X, 40).pivots), rel=1e-9)


@exercise("15.3", "The pivot is the largest entry of the diagonal; its column over its root is the column of L.")
def _(answer):
    K = np.array([[2.0, 2.0], [2.0, 4.0]])
    rest = K[0, 0] - K[0, 1] ** 2 / K[1, 1]
    return close(answer, (1, rest), rel=1e-9)


@exercise("15.4", "Solve K_mm A = K_mn for A with np.linalg.solve, and multiply by K_nm from the left.")
def _(answer):
    cases = []
    for seed, kernel in (1, Gaussian(1.0)), (2, Exponential(2.0)):
        X = np.random.default_rng(seed).standard_normal((30, 2))
        cases.append((kernel(X, X[:6]), kernel(X[:6])))
    return same_function(answer, lambda K_nm, K_mm: K_nm @ np.linalg.solve(K_mm, K_nm.T), cases, atol=1e-8)


@exercise("15.5", "The variance of a kernel value is (1 − k²)²/m, far apart means k = 0, and a root is to be taken.")
def _(answer):
    return close(answer, 10_000, rel=1e-9)


class _Watched:
    """A kernel that refuses to hand out more than so many rows at once."""

    def __init__(self, kernel, most):
        self.kernel, self.most = kernel, most

    def __call__(self, X, Z=None):
        if len(X) > self.most:
            raise Wrong(f"The kernel was asked for {len(X)} rows at once, {self.most} are allowed.")
        return self.kernel(X, X if Z is None else Z)


@exercise("15.6", "For i in range(0, len(X), rows) a strip is kernel(X[i : i + rows], X); its product is a part of Kv.")
def _(answer):
    if not callable(answer):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    for n, rows in (40, 7), (23, 23), (11, 4):
        X = np.random.default_rng(n).standard_normal((n, 3))
        v = np.cos(np.arange(n))
        got = answer(_Watched(Gaussian(2.0), rows), *copy.deepcopy((X, v)), rows)
        if got is None:
            raise NotAttempted
        got = np.asarray(got, dtype=float)
        if got.shape != (n,):
            raise Wrong(f"For {n} points your product has shape {got.shape}, {(n,)} is needed.")
        if np.abs(got - gram_times(Gaussian(2.0), X, v)).max() > 1e-9:
            raise Wrong(f"With {n} points in strips of {rows} the product is not Kv.")
    return True
