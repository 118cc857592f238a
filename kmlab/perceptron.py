"""The perceptron: walk through the data, and whenever a point is on the wrong side, lean towards it."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import TwoClasses
from .engine.distances import squares
from .kernels import Gaussian

TIE = 1e-12  # a point this close to the plane, in units of one update, lies on it: rounding must not choose the path


class Update(NamedTuple):
    """One update: the point that was on the wrong side, the pass in which it was met, and the plane from then on."""

    i: int
    round: int  # counted from 1
    w: np.ndarray  # (d,)
    b: float


class DualUpdate(NamedTuple):
    """The same in dot-product form: how often each point has been on the wrong side so far."""

    i: int
    round: int
    alpha: np.ndarray  # (n,)
    b: float


class _Walk(TwoClasses):
    """What both forms share: running the walk to its end."""

    def fit(self, X, y):
        X = check.matrix(X)
        self.classes_, sign = self._signs(X, y)
        A, most = self._material(X), check.count(self.max_passes, "max_passes")
        self.mistakes_ = 0
        for step in self._walk(A, sign, most):
            last, self.mistakes_ = step, self.mistakes_ + 1
        self.converged_ = last.round < most  # a whole pass without an update is the proof
        self.passes_ = min(last.round + 1, most)
        self._keep(last, X, A, sign)
        self.n_features_in_ = X.shape[1]
        return self

    def steps(self, X, y):
        """Every update, in order."""
        X = check.matrix(X)
        sign = self._signs(X, y)[1]
        yield from self._walk(self._material(X), sign, check.count(self.max_passes, "max_passes"))


class Perceptron(_Walk):
    """h(x) = sgn(wᵀx + b), learned by visiting the points in turn                                  (P.1)

    y_i (wᵀx_i + b) ≤ 0:   w += η y_i x_i,   b += η y_i R²,   R = max |x_i|                         (P.2)
    until a pass has no update. If there is a plane with margin ρ, that happens after at most (2R/ρ)² updates.

    Labels may be any two things; y_i is +1 for classes_[1]. w_ (d,), b_, w_norm_ = |w|, mistakes_ = the number of
    updates, passes_, and converged_: False if max_passes were not enough, as for data that no plane separates.
    F. Rosenblatt, The perceptron, Psychological Review 65, 1958.  Pages 003/s4-7.
    """

    def __init__(self, eta=1.0, max_passes=1000):
        self.eta = eta
        self.max_passes = max_passes

    def decision_function(self, X):  # (m, d) -> (m,)
        return self._check_new(X) @ self.w_ + self.b_

    def _material(self, X):
        return X

    def _walk(self, X, y, max_passes):
        eta, R2 = check.positive(self.eta, "eta"), squares(X).max()
        w, b = np.zeros(X.shape[1]), 0.0
        for round in range(1, max_passes + 1):
            wrong = False
            for i in range(len(X)):
                if y[i] * (w @ X[i] + b) <= TIE * eta * R2:
                    w, b, wrong = w + eta * y[i] * X[i], b + eta * y[i] * R2, True  # (P.2)
                    yield Update(i, round, w, b)
            if not wrong:
                return

    def _keep(self, step, X, A, sign):
        self.w_, self.b_, self.w_norm_ = step.w, float(step.b), float(np.linalg.norm(step.w))


class KernelPerceptron(_Walk):
    """h(x) = sgn(Σ_j α_j y_j k(x_j, x) + b): the same walk in feature space, by inner products alone   (P.3)

    y_i (Σ_j α_j y_j k(x_j, x_i) + b) ≤ 0:   α_i += 1,   b += y_i R²,   R² = max k(x_i, x_i)            (P.4)
    A learning rate on both of them would only stretch f, so there is none; R is measured where the images are.

    alpha_ (n,) counts the updates of each point, coef_ = α y, b_, w_norm_ = |w| in feature space; mistakes_, passes_
    and converged_ as in Perceptron.
    M. Aizerman, E. Braverman, L. Rozonoer, Theoretical foundations of the potential function method, 1964.
    Pages 003/s14-17, s24-26.
    """

    def __init__(self, kernel=Gaussian(), max_passes=1000):
        self.kernel = kernel
        self.max_passes = max_passes

    def decision_function(self, X):  # (m, d) -> (m,)
        return self.kernel(self._check_new(X), self.X_) @ self.coef_ + self.b_  # (P.3)

    def on_grid(self, xs, ys):
        """f on a grid of 2-d points; -> (len(ys), len(xs))."""
        self._check_fitted()
        return self.kernel.on_grid(xs, ys, self.X_, self.coef_[:, None])[..., 0] + self.b_

    def _material(self, X):
        K = check.kernel(self.kernel)(X)
        if K.diagonal().max() < 0:
            raise ValueError("k(x, x) is negative everywhere, but it is a squared length: choose a kernel.")
        return K

    def _walk(self, K, y, max_passes):
        R2 = K.diagonal().max()
        alpha, b, f = np.zeros(len(K), int), 0.0, np.zeros(len(K))  # f = K(αy), kept up to date
        for round in range(1, max_passes + 1):
            wrong = False
            for i in range(len(K)):
                if y[i] * (f[i] + b) <= TIE * R2:
                    alpha[i] += 1
                    b, f, wrong = b + y[i] * R2, f + y[i] * K[i], True  # (P.4)
                    yield DualUpdate(i, round, alpha.copy(), b)
            if not wrong:
                return

    def _keep(self, step, X, K, sign):
        self.X_ = X.copy()
        self.alpha_, self.coef_, self.b_ = step.alpha, sign * step.alpha, float(step.b)
        self.w_norm_ = float(np.sqrt(max(0.0, self.coef_ @ K @ self.coef_)))


def perceptron_cost(w, b, X, y):
    """J(w, b) = -Σ y_i (wᵀx_i + b) over the points on the wrong side, y_i = ±1                        (P.5)  003/s5."""
    X, w = check.matrix(X), check.vector(w, "w")
    return float(np.maximum(-check.vector(y, "y", len(X)) * (X @ w + b), 0).sum())


def novikoff_bound(radius, margin, eta=1.0):
    """Updates ≤ (2R/ρ)² if both classes are there and a plane has margin ρ                             (P.6)

    With η on b alone, b += η y_i R² and α_i += 1, as on 003/s16: (1 + η)²/η (R/ρ)².
    A. Novikoff, On convergence proofs on perceptrons, 1962.  Pages 003/s7, s26.
    """
    eta = check.positive(eta, "eta")
    return (1 + eta) ** 2 / eta * (check.positive(radius, "radius") / check.positive(margin, "margin")) ** 2
