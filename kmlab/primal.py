"""A support vector machine in the primal: for many rows with few features, such as those of Nystroem."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Stepwise, TwoClasses
from .engine.blocks import normal_equations

SHORTEST = 1e-10  # a step that is halved so often leads nowhere


class NewtonStep(NamedTuple):
    """w and b after a step, the objective, and which rows lie within the margin."""

    w: np.ndarray
    b: float
    objective: float
    active: np.ndarray


class PrimalSVC(Stepwise, TwoClasses):
    """min ½|w|² + C Σ (1 - y_i (wᵀz_i + b))₊²: SVC(Linear(), C, slack=2) for many rows and few features    (SCALE.7)

    Newton's method: on the rows A within the margin it is a ridge problem in as many unknowns as there are features,
    (½I + C Z_AᵀZ_A) w = C Z_Aᵀ(y_A - b), and b free. When A repeats, the optimum is reached               (SCALE.8)

    w_ (r,), b_, objective_, n_iter_.
    O. Chapelle, Training a support vector machine in the primal, Neural Computation 19, 2007.
    """

    C: check.positive = 1.0
    max_steps: check.count = 100

    def fit_to(self, Z, y):
        for count, step in enumerate(self.each_step(Z, y), 1):
            self.n_iter_, end = count, step
        self.w_, self.b_, self.objective_ = end.w, end.b, end.objective

    def each_step(self, Z, y):
        """The steps of Newton's method; the objective falls in each."""
        C, n, r = self.C, *Z.shape
        v, f = np.zeros(r + 1), np.zeros(n)  # w and b, and what they say of every row
        active, value = np.ones(n, dtype=bool), C * n
        for _ in range(self.max_steps):
            d = _ridge_on(active, Z, y, C) - v  # (SCALE.8)
            df = Z @ d[:-1] + d[-1]
            size, value = _downhill(v, d, f, df, y, C, value)
            v = v + size * d
            f = f + size * df
            before, active = active, y * f < 1
            yield NewtonStep(v[:-1], float(v[-1]), value, active)
            if (size == 1 and np.array_equal(active, before)) or size <= SHORTEST:
                return

    def decision_function(self, X):
        return self._check_new(X) @ self.w_ + self.b_


def _margin_cost(v, f, y, C):
    """½|w|² + C Σ (1 - y_i f_i)₊² with v = (w, b)."""
    return 0.5 * v[:-1] @ v[:-1] + C * (np.maximum(1 - y * f, 0) ** 2).sum()  # (SCALE.7)


def _ridge_on(active, Z, y, C):
    """v = (w, b) with (½I + C Z_AᵀZ_A) w = C Z_Aᵀ(y_A - b), b free, on the active rows A."""
    H, g = normal_equations(Z, y, active)
    H.flat[: -1 : len(H) + 1] += 0.5 / C  # on w, not on b
    try:
        return np.linalg.solve(H, g)
    except np.linalg.LinAlgError:
        lost = "The length of w is lost beside the squares of this data: scale it, or lower C."
        raise ValueError(lost) from None


def _downhill(v, d, f, df, y, C, value):
    """The first of the steps 1, ½, ¼, ... along d that does not lead uphill from value, and the cost there.

    The full step can jump over the minimum when many rows change sides. At the optimum rounding decides, and must not
    halve a last step.
    """
    size = 1.0
    while (new := _margin_cost(v + size * d, f + size * df, y, C)) > value * (1 + 1e-12) and size > SHORTEST:
        size /= 2
    return size, min(new, value)
