"""Models that are sums over kernel functions: f(x) = Σ_i b_i k(x, x_i) + b."""

import numpy as np

from . import _checks as check
from ._bases import Estimator
from .engine.tiles import sums_over


class KernelSum(Estimator):
    """f(x) = Σ_i b_i k(x, x_i) + b; coef_ (n,) holds the b_i, support_ the places of those that count.

    A subclass has a field `kernel`, and adds its own offset b to the sum.
    """

    def _set_sum(self, X, coef, support):
        """The weights, and the points that they belong to."""
        self.coef_, self.support_ = coef, support
        self._weights, self._points = coef[support], self.kernel.points(X, support)

    def _sum(self, X):
        """Σ_i b_i k(x, x_i); (m, d) -> (m,)."""
        return sums_over(self.kernel, self._check_new(X), self._points, self._weights)

    def _sum_on_grid(self, xs, ys):
        """The same on a grid of 2-d points; -> (len(ys), len(xs))."""
        self._check_fitted()
        if not len(self.support_):
            return np.zeros((len(ys), len(xs)))
        if self._weights.ndim == 2:  # several sums at once
            return self.kernel.on_grid(xs, ys, self._points, self._weights)
        return self.kernel.on_grid(xs, ys, self._points, self._weights[:, None])[..., 0]


class Support:
    """What scikit-learn's users look for in a machine with support vectors, in scikit-learn's shapes and signs.

    support_ comes in the order of the data, and so do the columns of the others.
    """

    def _keep_support(self, X, b=None, code=None):
        """b is the constant of f; code (n,) are the classes. Of many classes all pairs count: there f > 0 means i."""
        if pairs := getattr(self, "pairs_", None):
            self.support_ = np.unique(np.concatenate([rows[machine.support_] for _, _, machine, rows in pairs]))
            self.intercept_ = np.array([-machine.b_ for _, _, machine, _ in pairs])
        elif b is not None:
            self.intercept_ = np.array([b])
        self.support_vectors_ = np.empty((0, 0)) if self.kernel.pairwise else X[self.support_]
        self._support_code = np.zeros(len(self.support_), int) if code is None else code[self.support_]
        self.n_support_ = np.bincount(self._support_code, minlength=1 if code is None else len(self.classes_))

    @property
    def dual_coef_(self):
        """The weights of the support vectors; (1, s), or for k classes (k - 1, s): each against the others."""
        self._check_fitted()
        if not (pairs := getattr(self, "pairs_", None)):
            return self.coef_[self.support_][None]
        out = np.zeros((len(self.classes_) - 1, len(self.support_)))
        for i, j, machine, rows in pairs:
            column = np.searchsorted(self.support_, rows[machine.support_])
            against = np.where(self._support_code[column] == i, j - 1, i)  # which row of its column
            out[against, column] = -machine.coef_[machine.support_]
        return out


class Regressor(KernelSum):
    """A kernel sum that, with its offset b_, is the answer; fit_to gets the target as a vector."""

    _estimator_type = "regressor"

    def accept(self, X, y=None):
        X = check.matrix(X, min_samples=self.min_samples)
        return X, check.moderate(check.vector(check.given(y, self), "y", len(X)), "The entries of y")

    def predict(self, X):
        return self._sum(X) + self.b_

    def score(self, X, y, sample_weight=None):
        """R², the share of the variance of y that is explained."""
        f = self.predict(X)
        return r_squared(f, check.targets(check.given(y, self), len(f), f.ndim), check.weights(sample_weight, len(f)))

    def on_grid(self, xs, ys):
        """f on a grid of 2-d points; -> (len(ys), len(xs))."""
        return self._sum_on_grid(xs, ys) + self.b_


def r_squared(f, t, weights):
    """1 - Σ (t - f)² / Σ (t - mean)², the mean over several targets; f and t (n,) or (n, q)."""
    if len(t) < 2:
        raise ValueError("R² compares with the spread of y, and one sample has none: give at least two.")
    w, varies = weights / weights.sum(), np.ptp(t[weights > 0], axis=0) > 0
    rest, whole = w @ (t - f) ** 2, np.where(varies, w @ (t - w @ t) ** 2, 1)
    return float(np.mean(np.where(varies, 1 - rest / whole, rest == 0)))
