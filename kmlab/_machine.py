"""What the methods share that predict by a sum of kernels: fitting through the dual, and the sum itself."""

import sys
import time
import warnings

import numpy as np

from . import _checks as check
from ._bases import Estimator
from .dual import smo
from .gram import Gram
from .kernels import Precomputed


class NotConverged(UserWarning):
    """A fit ended by its step budget and not at the optimum."""


def warn_not_converged(model, remedy, how_far="before its end", level=3):
    """Say, where fit was called, that it ended by its step budget, and what to do."""
    said = f"{type(model).__name__} stopped after {model.n_iter_} steps, {how_far}: {remedy}."
    warnings.warn(said, NotConverged, stacklevel=level)


class Machine(Estimator):
    """f(x) = Σ_i b_i k(x, x_i) + offset; coef_ (n,) holds b, support_ the places where it is not zero."""

    def _rows(self, X, ridge=0.0, wanted=np.inf):
        rows = Gram(self.kernel, X, ridge, wanted)
        check.moderate(rows.diag)
        return rows

    def _gram(self, X):
        return check.moderate(check.kernel(self.kernel)(X))

    def _solve(self, X, dual, tol=None, scale=1.0):
        """Run the solver to its end and remember where it arrived."""
        watch = _Watch(type(self).__name__) if self.progress else None
        tol = check.positive(self.tol, "tol") if tol is None else tol
        for step in smo(dual, tol, check.count(self.max_steps, "max_steps"), trace=False):
            self._look(dual)
            if watch:
                watch.show(dual.n_steps, step.gap, tol)
        self.n_iter_, self.converged_ = dual.n_steps, dual.converged
        self._remember(X, scale * dual.b, np.flatnonzero(dual.b))
        if not dual.converged:
            remedy = "scale the data to a size of about one, lower C, or raise max_steps"
            how_far = f"{dual.gap:.2g} from the optimum where {tol:.2g} is asked for"
            warn_not_converged(self, remedy, how_far, level=4)
        return dual

    def _look(self, dual):
        """Called now and then while the solver runs; may raise."""

    def _remember(self, X, coef, support):
        """Keep the weights and the points that they belong to."""
        self.coef_, self.support_, self._weights = coef, support, coef[support]
        self._support = None if isinstance(self.kernel, Precomputed) else X[support]
        self.n_features_in_ = X.shape[1]

    def _sums(self, X):
        """Σ_i b_i k(x, x_i); (m, d) -> (m,)."""
        return self._to_support(self._check_new(X)) @ self._weights

    def _to_support(self, X):
        """k(x, x_i) for the support vectors; (m, d) -> (m, len(support_))."""
        if isinstance(self.kernel, Precomputed):
            return X[:, self.support_]
        return self.kernel(X, self._support) if len(self.support_) else np.zeros((len(X), 0))

    def _sums_on_grid(self, xs, ys):
        """The same on a grid of 2-d points; -> (len(ys), len(xs))."""
        self._check_fitted()
        if not len(self.support_):
            return np.zeros((len(ys), len(xs)))
        return self.kernel.on_grid(xs, ys, self._support, self._weights[:, None])[..., 0]


class Regressor(Machine):
    """A machine whose sum, with its offset b_, is the answer."""

    _estimator_type = "regressor"

    def _check_data(self, X, y):
        X = check.matrix(X, min_samples=2)
        return X, check.moderate(check.vector(check.given(y, self), "y", len(X)), "The entries of y")

    def predict(self, X):
        return self._sums(X) + self.b_

    def score(self, X, y):
        """R², the share of the variance of y that is explained."""
        y = check.vector(y)
        rest, whole = ((y - self.predict(X)) ** 2).sum(), ((y - y.mean()) ** 2).sum()
        return float(1 - rest / whole) if whole else float(rest == 0)

    def on_grid(self, xs, ys):
        """f on a grid of 2-d points; -> (len(ys), len(xs))."""
        return self._sums_on_grid(xs, ys) + self.b_


class _Watch:
    """A line on the screen, renewed twice a second: how far the solver is."""

    def __init__(self, name):
        self.name, self.last = name, time.monotonic()

    def show(self, steps, gap, tol):
        if time.monotonic() - self.last > 0.5:
            self.last = time.monotonic()
            print(f"{self.name}: {steps} steps, violation {gap:.2g}, goal {tol:.2g}", file=sys.stderr, flush=True)
