"""Exercises of notebook 15, scaling up."""

import numpy as np

from ...kernels import Exponential, Gaussian, Polynomial
from ...scale import gram_times, pivoted_cholesky
from ..checking import Wrong, agree, as_array, as_numbers, close, exactly, same_function, value_of
from . import exercise


@exercise("15.1", "How many entries has the matrix? A GB is 10⁹ bytes here, not 2³⁰.")
def _(answer):
    return close(answer, 4 * 100_000**2 / 1e9)


@exercise("15.2", "As many as the rank of K. Which monomials of three variables does this kernel know?")
def _(answer):
    X = np.random.default_rng(152).standard_normal((40, 3))
    return exactly(answer, len(pivoted_cholesky(Polynomial(2), X, 40).pivots))


@exercise("15.3", "(SCALE.3) begins with L = 0, so that rest is the diagonal of K; after one column, what is rest?")
def _(answer):
    K = np.array([[2.0, 2.0], [2.0, 4.0]])
    rest = K[0, 0] - K[0, 1] ** 2 / K[1, 1]
    pivot, missing = as_numbers(answer, 2)
    if not exactly(pivot, 1):
        raise Wrong("The pivot is not right yet.")
    return close(missing, rest)


@exercise("15.4", "The right side of (SCALE.1). np.linalg.solve does the work of an inverse, and does it better.")
def _(answer):
    cases = []
    for seed, kernel in (1, Gaussian(1.0)), (2, Exponential(2.0)):
        X = np.random.default_rng(seed).standard_normal((30, 2))
        cases.append((kernel(X, X[:6]), kernel(X[:6])))
    return same_function(answer, lambda K_nm, K_mm: K_nm @ np.linalg.solve(K_mm, K_nm.T), cases)


@exercise("15.5", "What is the variance of an approximated kernel value where k = 0? A standard deviation is its root.")
def _(answer):
    return exactly(answer, 10_000)


class _Watched:
    """A kernel that refuses to hand out more than so many rows at once."""

    def __init__(self, kernel, most):
        self.kernel, self.most = kernel, most

    def __call__(self, X, Z=None):
        if len(X) > self.most:
            raise Wrong(f"The kernel was asked for {len(X)} rows at once, {self.most} are allowed.")
        return self.kernel(X, X if Z is None else Z)


@exercise("15.6", "A strip of K, a few of its rows, times v is a part of Kv. The last strip may be a lower one.")
def _(answer):
    for n, rows in (40, 7), (23, 23), (11, 4):
        X = np.random.default_rng(n).standard_normal((n, 3))
        v = np.cos(np.arange(n))
        got = as_array(value_of(answer, _Watched(Gaussian(2.0), rows), X, v, rows), (n,))
        if not agree(got, gram_times(Gaussian(2.0), X, v)):
            raise Wrong(f"With {n} points in strips of {rows} the product is not Kv.")
    return True
