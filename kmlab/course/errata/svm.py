"""Literal variants of 004/s4-5: the primal at planes that other duals give, and solutions that are not unique."""

import numpy as np

from ...kernels import Linear
from ...svm import SVC


def plane(model, X, y):
    """w and b of a machine with the linear kernel."""
    return (y * model.alpha_) @ X, model.b_


def objective(w, b, X, y, C, weight=0.5, slack=1):
    """weight |w|² + C Σ ξ^slack at a plane; on 004/s4 the primal has weight 1 and the Lagrangian ½."""
    return float(weight * w @ w + C * (np.maximum(1 - y * (X @ w + b), 0) ** slack).sum())


def by_box(X, y, box, C, weight=1.0, slack=1):
    """The objective for C at the plane that the dual with 0 ≤ α ≤ box gives."""
    return objective(*plane(SVC(Linear(), box, tol=1e-9).fit(X, y), X, y), X, y, C, weight, slack)


def doubled(X, y, kernel, C, tilt):
    """Every point twice, and an optimal α (2, n) of that problem for each tilt in [-1, 1], with the machine.

    Twins only count by their sum, which is α of the single points with the box 2C.
    """
    single = SVC(kernel, 2 * C, tol=1e-9).fit(X, y)
    room = np.minimum(single.alpha_ / 2, C - single.alpha_ / 2)
    return np.array([single.alpha_ / 2 + tilt * room, single.alpha_ / 2 - tilt * room]), single
