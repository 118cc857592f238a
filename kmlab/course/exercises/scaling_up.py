"""Exercises of notebook 15, scaling up."""

import numpy as np

from ...kernels import Exponential, Gaussian, Polynomial
from ...scale import gram_times, pivoted_cholesky
from ..checking import Slip, Wrong, agree, as_array, as_numbers, close, exactly, same_function, value_of
from . import exercise


@exercise(
    "15.1",
    "How many entries has the matrix? A GB is 10⁹ bytes here, not 2³⁰.",
    "10⁵ rows and 10⁵ columns, four bytes each, divided by 10⁹.",
)
def _(answer):
    size = 4 * 100_000**2
    slips = {
        "So many in double precision.": 2 * size / 1e9,
        "A GB is 10⁹ bytes here.": size / 2**30,
        "So many entries; how many bytes has each?": size / 4 / 1e9,
        "These are bytes.": size,
        "The whole matrix, not its half.": size / 2e9,
    }
    return close(answer, size / 1e9, slips)


@exercise(
    "15.2",
    "As many as the rank of K. Which monomials of three variables does this kernel know?",
    "The 1, the three variables, their squares, and the products of two different ones.",
)
def _(answer):
    X = np.random.default_rng(152).standard_normal((40, 3))
    truth = len(pivoted_cholesky(Polynomial(2), X, 40).pivots)
    slips = {
        "One is missing, which needs no variable.": truth - 1,
        "So many of degree 2. The 1 in the kernel brings in lower degrees.": 6,
        "So many up to degree 1.": 4,
        "Are the products of two different variables in it?": 7,
        "A million points, but the rank of K is far lower.": 1_000_000,
        "As monomials xy and yx are the same.": 13,
    }
    return exactly(answer, truth, slips)


@exercise(
    "15.3",
    "(SCALE.3) begins with L = 0, so that rest is the diagonal of K; after one column, what is rest?",
    "The pivot has the largest rest. Its column of K, divided by the root of its entry there, is L; subtract L².",
)
def _(answer):
    K = np.array([[2.0, 2.0], [2.0, 4.0]])
    rest = K[0, 0] - K[0, 1] ** 2 / K[1, 1]
    pivot, missing = as_numbers(answer, 2)
    if exactly(pivot, 2):
        raise Slip("Points are counted from 0.")
    if not exactly(pivot, 1):
        raise Wrong("The pivot is not right yet.")
    slips = {
        "The pivot is right. The other point has lost something too.": K[0, 0],
        "The pivot is right. The column is divided by a root.": K[0, 0] - (K[0, 1] / K[1, 1]) ** 2,
        "The pivot is right. Something is left: one column is not all of K.": 0.0,
    }
    return close(missing, rest, slips)


@exercise(
    "15.4",
    "The right side of (SCALE.1). np.linalg.solve does the work of an inverse, and does it better.",
    "Three matrices: n × m, the inverse of m × m, and m × n, which is the first one turned.",
)
def _(answer):
    cases = []
    for seed, kernel in (1, Gaussian(1.0)), (2, Exponential(2.0)):
        X = np.random.default_rng(seed).standard_normal((30, 2))
        cases.append((kernel(X, X[:6]), kernel(X[:6])))
    slips = {
        "In the middle stands an inverse.": lambda K_nm, K_mm: K_nm @ K_mm @ K_nm.T,
        "What stands in the middle?": lambda K_nm, K_mm: K_nm @ K_nm.T,
        "The inverse is in it twice.": lambda K_nm, K_mm: K_nm @ np.linalg.solve(K_mm @ K_mm, K_nm.T),
    }
    return same_function(answer, lambda K_nm, K_mm: K_nm @ np.linalg.solve(K_mm, K_nm.T), cases, slips)


@exercise(
    "15.5",
    "What is the variance of an approximated kernel value where k = 0? A standard deviation is its root.",
    "A mean of m independent numbers has one m-th of the variance of one of them, and here that is 1.",
)
def _(answer):
    slips = {
        "With so many the variance is 0.01. Asked is the standard deviation.": 100,
        "How large is the variance of a single term where k = 0?": 5_000,
        "A single term has a variance of 1, not of 2.": 20_000,
    }
    return exactly(answer, 10_000, slips)


class _Watched:
    """A kernel that refuses to hand out more than so many rows at once."""

    def __init__(self, kernel, most):
        self.kernel, self.most = kernel, most

    def __call__(self, X, Z=None):
        if len(X) > self.most:
            raise Wrong(f"The kernel was asked for {len(X)} rows at once, {self.most} are allowed.")
        return self.kernel(X, X if Z is None else Z)


@exercise(
    "15.6",
    "A strip of K, a few of its rows, times v is a part of Kv. The last strip may be a lower one.",
    "Rows 0 to rows − 1 of X against all of X, times v, are the first numbers; go on from there, and join them.",
)
def _(answer):
    for n, rows in (40, 7), (23, 23), (11, 4):
        X = np.random.default_rng(n).standard_normal((n, 3))
        v = np.cos(np.arange(n))
        value = value_of(answer, _Watched(Gaussian(2.0), rows), X, v, rows)
        if getattr(value, "shape", None) == (n // rows * rows,) != (n,):
            raise Slip(f"{n} points in strips of {rows}: what becomes of those that are left over?")
        got = as_array(value, (n,))
        if not agree(got, gram_times(Gaussian(2.0), X, v)):
            raise Wrong(f"With {n} points in strips of {rows} the product is not Kv.")
    return True
