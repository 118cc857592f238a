"""Exercises of notebook 05, PCA, the Rayleigh quotient and its dual."""

import numpy as np

from ...measures import quotient
from ...pca import PCA, rayleigh
from ..checking import Wrong, as_array, close, exactly, same_function, value_of
from . import exercise


def _points(n, d):
    return np.random.default_rng(5).standard_normal((n, d)) * np.linspace(3, 1, d) + 2


@exercise(
    "5.1",
    "Two things bound the rank: how many columns there are, and how many rows if they must sum to zero.",
    "If all rows but one are known, so is the last one. How many can be chosen freely?",
)
def _(answer):
    few, many = (len(PCA().fit(_points(12, d)).lam_) for d in (3, 20))
    slips = {
        "The first is right. The rows of Xc have something in common.": (few, 12),
        "The first is right. A matrix of 12 rows has no larger rank than 12, and centring costs something too.": (
            few,
            20,
        ),
        "The matrix is 12 × 12, but its rank is that of Xc.": (12, 12),
        "Which of the two bounds is the smaller one for d = 3?": (many, many),
    }
    return exactly(answer, [few, many], slips)


@exercise(
    "5.2",
    "Write the squared length with u and Xc; where does Xc Xcᵀu come in?",
    "|Xcᵀu|² is uᵀ times a matrix times u. What does this matrix make of u?",
)
def _(answer):
    X = _points(12, 3)
    X = X * 3 / np.sqrt(PCA(1).fit(X).lam_[0])  # now the first eigenvalue is 9
    Xc = X - X.mean(0)
    u = Xc @ PCA(1).fit(X).components_[0] / 3
    slips = {
        "This is the square of it.": 9.0,
        "u has length 1; Xcᵀu is another vector.": 1.0,
        "λ comes once in the squared length.": 81.0,
    }
    return close(answer, np.linalg.norm(Xc.T @ u), slips)


@exercise(
    "5.3",
    "Along an axis both matrices are numbers. Which axis has the larger quotient, which the larger λ?",
    "For each of the two axes write down the quotient, and beside it the λ of the equation with the inverse.",
)
def _(answer):
    S_b, S_w = np.diag([4.0, 4.0]), np.diag([1.0, 2.0])
    (_, right), (lam, other) = rayleigh(S_b, S_w), rayleigh(S_b, np.linalg.inv(S_w))
    largest, there = (quotient(W[:, 0], S_b, S_w) for W in (right, other))
    slips = {
        "The second number is the λ of the equation with the inverse; asked is the quotient at its w.": (
            largest,
            lam[0],
        ),
        "The other equation picks another direction.": (largest, largest),
        "Can the quotient anywhere be larger than the largest?": (there, largest),
    }
    return close(answer, [largest, there], slips)


@exercise(
    "5.4",
    "An eigenvector u of Xc Xcᵀ gives the axis Xcᵀu; 5.2 says how long that is. And eigh sorts upwards.",
    "Centre; decompose; turn round; keep k; multiply by Xcᵀ; divide each axis by its length; axes are rows.",
)
def _(answer):
    def without_signs(X, k):
        V = value_of(answer, X, k, instead=[PCA])
        V = as_array(V, (k, X.shape[1]), f"for k = {k} axes in {X.shape[1]} dimensions your function returns")
        length = np.linalg.norm(V, axis=1)
        if not np.allclose(length, 1, atol=1e-3):
            raise Wrong(f"Your first axis is {length[0]:.3g} long, an axis has length 1.")
        return squares(V)

    def squares(V):
        return V[:, :, None] * V[:, None, :]

    def truth(X, k):
        return squares(PCA(k).fit(X).components_)

    slips = {
        "These are the axes of the smallest variances.": lambda X, k: squares(PCA().fit(X).components_[: -k - 1 : -1]),
        "The right axes, the last one first.": lambda X, k: truth(X, k)[::-1],
        "Is the mean of the points the origin?": lambda X, k: truth(np.vstack([X, -X]), k),
    }
    return same_function(without_signs, truth, [(_points(12, 3), 2), (_points(6, 40), 3), (_points(9, 9), 4)], slips)
