"""The perceptron: walk through the data, and whenever a point is on the wrong side, lean towards it."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Stepwise, TwoClasses, warn_not_converged
from .engine.distances import squares
from .engine.tiles import sums_over
from .gram import Gram
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


class _ByMistakes(Stepwise, TwoClasses):
    """What both forms share: how a walk ends."""

    min_samples = 1

    def last_update(self, X, y):
        """The walk to its end: its last update, and mistakes_, passes_ and converged_."""
        for count, update in enumerate(self.each_step(X, y), 1):
            self.mistakes_, end = count, update
        self.converged_ = end.round < self.max_passes  # a whole pass without an update is the proof
        self.n_iter_ = self.passes_ = min(end.round + 1, self.max_passes)
        if not self.converged_:
            remedy = "raise max_passes, or use SVC, as perhaps no plane separates these classes"
            warn_not_converged(self, remedy, "with points on the wrong side", "passes")
        return end


class Perceptron(_ByMistakes):
    """h(x) = sgn(wᵀx + b), learned by visiting the points in turn                                  (P.1)

    y_i (wᵀx_i + b) ≤ 0:   w += η y_i x_i,   b += η y_i R²,   R = max |x_i|                         (P.2)
    until a pass has no update. If there is a plane with margin ρ, that happens after at most (2R/ρ)² updates.

    Labels may be any two things; y_i is +1 for classes_[1]. w_ (d,), b_, w_norm_ = |w|, mistakes_ = the number of
    updates, passes_, and converged_: False if max_passes were not enough, as for data that no plane separates.
    F. Rosenblatt, The perceptron, Psychological Review 65, 1958.  Pages 003/s4-7.
    """

    eta: check.positive = 1.0
    max_passes: check.count = 1000

    def fit_to(self, X, y):
        end = self.last_update(X, y)
        self.w_, self.b_ = end.w, float(end.b)
        self.w_norm_ = float(np.linalg.norm(end.w))

    def each_step(self, X, y):
        """Every update, in order."""
        eta, R2 = self.eta, squares(X).max()
        zero = TIE * eta * R2
        w, b = np.zeros(X.shape[1]), 0.0
        for round in range(1, self.max_passes + 1):
            no_mistake = True
            for i in range(len(X)):
                if y[i] * (w @ X[i] + b) <= zero:
                    w = w + eta * y[i] * X[i]  # (P.2)
                    b = b + eta * y[i] * R2  # (P.2)
                    no_mistake = False
                    yield Update(i, round, w, b)
            if no_mistake:
                return

    def decision_function(self, X):  # (m, d) -> (m,)
        return self._check_new(X) @ self.w_ + self.b_


class KernelPerceptron(_ByMistakes):
    """h(x) = sgn(Σ_j α_j y_j k(x_j, x) + b): the same walk in feature space, by inner products alone   (P.3)

    y_i (Σ_j α_j y_j k(x_j, x_i) + b) ≤ 0:   α_i += 1,   b += y_i R²,   R² = max k(x_i, x_i)            (P.4)
    A learning rate on both of them would only stretch f, so there is none; R is measured where the images are.

    alpha_ (n,) counts the updates of each point, coef_ = α y, b_, w_norm_ = |w| in feature space; mistakes_, passes_
    and converged_ as in Perceptron.
    M. Aizerman, E. Braverman, L. Rozonoer, Theoretical foundations of the potential function method, 1964.
    Pages 003/s14-17, s24-26.
    """

    kernel: check.kernel = Gaussian("median")
    max_passes: check.count = 1000
    needs = "images"

    def fit_to(self, X, y):
        end = self.last_update(X, y)
        self.X_, self.b_ = X.copy(), float(end.b)
        self.alpha_ = end.alpha
        self.coef_ = end.alpha * y

    def each_step(self, X, y):
        """Every update, in order."""
        K = Gram(self.kernel, X)
        R2 = _largest_square(K.diag)
        zero = TIE * R2
        alpha, b = np.zeros(len(X), int), 0.0
        f = np.zeros(len(X))  # Σ_j α_j y_j k(x_j, x_i) for every i, kept up to date
        for round in range(1, self.max_passes + 1):
            no_mistake = True
            for i in range(len(X)):
                if y[i] * (f[i] + b) <= zero:
                    alpha[i] += 1  # (P.4)
                    b = b + y[i] * R2  # (P.4)
                    f = f + y[i] * K[i]
                    no_mistake = False
                    yield DualUpdate(i, round, alpha.copy(), b)
            if no_mistake:
                return

    def decision_function(self, X):  # (m, d) -> (m,)
        return sums_over(self.kernel, self._check_new(X), self.X_, self.coef_) + self.b_  # (P.3)

    def on_grid(self, xs, ys):
        """f on a grid of 2-d points; -> (len(ys), len(xs))."""
        self._check_fitted()
        return self.kernel.on_grid(xs, ys, self.X_, self.coef_[:, None])[..., 0] + self.b_

    @property
    def w_norm_(self):
        """|w|² = Σ_ij α_i y_i k(x_i, x_j) α_j y_j, the square root."""
        self._check_fitted()
        return float(np.sqrt(max(0.0, self.coef_ @ self.kernel(self.X_) @ self.coef_)))


def _largest_square(diag):
    """R² = max k(x_i, x_i), refused where it is no square."""
    if (R2 := diag.max()) < 0:
        raise ValueError("k(x, x) is negative everywhere, but it is a squared length: choose a kernel.")
    return R2


def perceptron_cost(w, b, X, y):
    """J(w, b) = -Σ y_i (wᵀx_i + b) over the points on the wrong side, y_i = ±1                        (P.5)  003/s5."""
    X, y = check.matrix(X), check.signs(y, len(check.matrix(X)))
    w, b = check.vector(w, "w", X.shape[1], "features"), check.number(b, "b")
    return float(np.maximum(-y * (X @ w + b), 0).sum())


def novikoff_bound(radius, margin, eta=1.0):
    """Updates ≤ (2R/ρ)² if both classes are there and a plane has margin ρ                             (P.6)

    With η on b alone, b += η y_i R² and α_i += 1, as on 003/s16: (1 + η)²/η (R/ρ)².
    A. Novikoff, On convergence proofs on perceptrons, 1962.  Pages 003/s7, s26.
    """
    eta, radius, margin = check.length(eta, "eta"), check.length(radius, "radius"), check.length(margin, "margin")
    with np.errstate(over="ignore"):  # what overflows is refused right after
        return float(check.no_overflow((1 + eta) ** 2 / eta * np.square(radius / margin), "The bound's terms"))
