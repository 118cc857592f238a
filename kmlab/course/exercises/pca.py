"""Exercises of notebook 05, PCA, the Rayleigh quotient and its dual."""

import numpy as np

from ...measures import quotient
from ...pca import PCA, rayleigh
from ..checking import Wrong, as_array, as_numbers, close, exactly, near, same_function, value_of
from . import exercise


def _points(n, d):
    return np.random.default_rng(5).standard_normal((n, d)) * np.linspace(3, 1, d) + 2


@exercise("5.1", "Two things bound the rank: how many columns there are, and how many rows if they must sum to zero.")
def _(answer):
    return exactly(answer, [len(PCA().fit(_points(12, d)).lam_) for d in (3, 20)])


@exercise("5.2", "Write the squared length with u and Xc; where does Xc Xcᵀu come in?")
def _(answer):
    X = _points(12, 3)
    X = X * 3 / np.sqrt(PCA(1).fit(X).lam_[0])  # now the first eigenvalue is 9
    Xc = X - X.mean(0)
    u = Xc @ PCA(1).fit(X).components_[0] / 3
    return close(answer, np.linalg.norm(Xc.T @ u))


@exercise("5.3", "Along an axis both matrices are numbers. Which axis has the larger quotient, which the larger λ?")
def _(answer):
    S_b, S_w = np.diag([4.0, 4.0]), np.diag([1.0, 2.0])
    (_, right), (lam, other) = rayleigh(S_b, S_w), rayleigh(S_b, np.linalg.inv(S_w))
    if near(as_numbers(answer, 2)[1], lam[0]):
        raise Wrong("The second number is the λ of the equation with the inverse; asked is the quotient at its w.")
    return close(answer, [quotient(W[:, 0], S_b, S_w) for W in (right, other)])


@exercise("5.4", "An eigenvector u of Xc Xcᵀ gives the axis Xcᵀu; 5.2 says how long that is. And eigh sorts upwards.")
def _(answer):
    def without_signs(X, k):
        V = value_of(answer, X, k, instead=[PCA])
        V = as_array(V, (k, X.shape[1]), f"for k = {k} axes in {X.shape[1]} dimensions your function returns")
        length = np.linalg.norm(V, axis=1)
        if not np.allclose(length, 1, atol=1e-3):
            raise Wrong(f"Your first axis is {length[0]:.3g} long, an axis has length 1.")
        return V[:, :, None] * V[:, None, :]  # v vᵀ is the same for v and -v

    def truth(X, k):
        V = PCA(k).fit(X).components_
        return V[:, :, None] * V[:, None, :]

    return same_function(without_signs, truth, [(_points(6, 40), 3), (_points(12, 3), 2), (_points(9, 9), 4)])
