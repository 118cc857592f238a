"""Exercises of notebook 05, PCA, the Rayleigh quotient and its dual."""

import numpy as np

from ..errata.pca import best_direction, quotient
from ..pca import PCA, rayleigh
from . import Wrong, as_numbers, close, exercise, same_function


def _points(n, d):
    return np.random.default_rng(5).standard_normal((n, d)) * np.linspace(3, 1, d) + 2


@exercise("5.1", "The rank is at most d, and centring takes one away from n: the rows of Xc sum to zero.")
def _(answer):
    return close(answer, [len(PCA().fit(_points(12, d)).lam_) for d in (3, 20)])


@exercise("5.2", "The squared length is uᵀXc Xcᵀu; use that u is an eigenvector of length 1.")
def _(answer):
    X = _points(12, 3)
    X = X * 3 / np.sqrt(PCA(1).fit(X).lam_[0])  # now the first eigenvalue is 9
    Xc = X - X.mean(0)
    u = Xc @ PCA(1).fit(X).components_[0] / 3
    return close(answer, np.linalg.norm(Xc.T @ u))


@exercise("5.3", "With S_B = 4 I the small entry of S_W makes the quotient large; with its inverse, the large one.")
def _(answer):
    S_b, S_w = np.diag([4.0, 4.0]), np.diag([1.0, 2.0])
    if close(as_numbers(answer, 2)[1], rayleigh(S_b, np.linalg.inv(S_w))[0][0]):
        raise Wrong("That is the λ of the printed equation; asked is the quotient at its w.")
    return close(answer, [quotient(best_direction(S_b, S_w, printed), S_b, S_w) for printed in (False, True)])


@exercise("5.4", "Centre X, take the last k eigenvectors of Xc Xcᵀ in reverse, map them back with Xcᵀ, divide by √λ.")
def _(answer):
    if not callable(answer):
        raise Wrong("A function was expected: hand over its name, without calling it.")

    def without_signs(X, k):
        V = answer(X, k)
        if V is None:
            return None
        V = np.asarray(V, dtype=float)
        if V.shape != (k, X.shape[1]):
            raise Wrong(f"For k = {k} axes in {X.shape[1]} dimensions return shape {(k, X.shape[1])}, not {V.shape}.")
        length = np.linalg.norm(V, axis=1)
        if not np.allclose(length, 1, atol=1e-6):
            raise Wrong(f"Your first axis is {length[0]:.3g} long, an axis has length 1.")
        return V[:, :, None] * V[:, None, :]  # v vᵀ is the same for v and -v

    def truth(X, k):
        V = PCA(k).fit(X).components_
        return V[:, :, None] * V[:, None, :]

    return same_function(without_signs, truth, [(_points(6, 40), 3), (_points(12, 3), 2), (_points(9, 9), 4)])
