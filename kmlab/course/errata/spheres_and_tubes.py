"""Literal variants of 004/s17-19: the sphere with and without its one half; a tube's primal and its multipliers."""

import numpy as np

from ...dual import Dual, solved
from ...svm import SVR, tube_loss


def sphere(K, C=1.0, half=False, tol=1e-9):
    """α of max Σ α_i k_ii - αᵀKα with Σα = 1, 0 ≤ α ≤ C; half=True puts ½ before αᵀKα, as (14) does."""
    n, diag = len(K), np.diag(K)
    start = np.clip(1 - C * np.arange(n), 0, C)
    p = Dual(K, -diag if half else -diag / 2, np.zeros(n), np.full(n, float(C)), start)
    return solved(p, tol * max(1.0, diag.max())).b


def tube_objective(w, b, x, t, C, epsilon):
    """½w² + C Σ (ξ + ξ*), the primal of 004/s19, at the line w x + b with the least slack that it needs."""
    return float(0.5 * w * w + C * tube_loss(w * x + b - t, epsilon).sum())


def best_offset(w, x, t, epsilon):
    """The b with the least slack for the slope w: the loss is piecewise linear in b and bends only where tubes end."""
    ends = np.concatenate([t - w * x - epsilon, t - w * x + epsilon])
    return float(ends[tube_loss(w * x + ends[:, None] - t, epsilon).sum(1).argmin()])


def multipliers(model):
    """α of the condition f - t ≤ ε + ξ and α* of t - f ≤ ε + ξ*, in the order of 004/s19; (n,), (n,)."""
    return np.maximum(-model.coef_, 0), np.maximum(model.coef_, 0)


def tube(X, t, kernel, C=10.0, epsilon=0.1, swapped=False):
    """The values at X of w = Σ (α* - α) φ(x_i), or with the two multipliers swapped."""
    model = SVR(kernel, C, epsilon, tol=1e-6).fit(X, t)
    below, above = multipliers(model)
    return kernel(X) @ (below - above if swapped else above - below) + model.b_
