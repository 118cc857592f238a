"""Lecture 004, s17-19, taken literally: the sphere with its one half, the tube with its signs the other way round."""

import numpy as np

from ..dual import Dual, smo
from ..svm import SVR


def sphere(K, C=1.0, half=False, tol=1e-9):
    """α of max Σ α_i k_ii - αᵀKα with Σα = 1, 0 ≤ α ≤ C; half=True puts the printed ½ before αᵀKα."""
    n, diag = len(K), np.diag(K)
    start = np.clip(1 - C * np.arange(n), 0, C)
    p = Dual(K, -diag if half else -diag / 2, np.zeros(n), np.full(n, float(C)), start)
    for _ in smo(p, tol * max(1.0, diag.max()), trace=False):
        pass
    return p.b


def squared_distances(K, alpha):
    """|φ(x_i) - Σ α_j φ(x_j)|² for every point; (n, n), (n,) -> (n,)."""
    return np.diag(K) - 2 * K @ alpha + alpha @ K @ alpha


def multipliers(model):
    """α of the condition f - t ≤ ε + ξ and α* of t - f ≤ ε + ξ*, as 004/s19 numbers them; (n,), (n,)."""
    return np.maximum(-model.coef_, 0), np.maximum(model.coef_, 0)


def tube(X, t, kernel, C=10.0, epsilon=0.1, swapped=False):
    """The values at X of w = Σ (α* - α) φ(x_i), or with the two multipliers swapped."""
    model = SVR(kernel, C, epsilon, tol=1e-6).fit(X, t)
    below, above = multipliers(model)
    return kernel(X) @ (below - above if swapped else above - below) + model.b_
