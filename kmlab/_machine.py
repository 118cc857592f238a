"""What support vector methods share: fitting through the dual, and sums of kernels over the support vectors."""

import sys
import time
import warnings

import numpy as np

from ._checks import count, positive
from ._estimator import Estimator
from ._rows import Rows
from .dual import Dual, smo
from .kernels import Precomputed, as_kernel


class NotConverged(UserWarning):
    """A fit ended by its step budget and not at the optimum."""


class Machine(Estimator):
    """f(x) = Σ_i b_i k(x, x_i) + offset; coef_ (n,) holds b, support_ the places where it is not zero."""

    def _dual(self, X, q, lo, hi, start=None, eps=0.0, ridge=0.0):
        return Dual(Rows(X, as_kernel(self.kernel), ridge), q, lo, hi, start, eps)

    def _solve(self, X, dual, tol=None, scale=1.0):
        """Run the solver to its end and remember where it arrived."""
        watch = _Watch(type(self).__name__) if self.progress else None
        tol = positive(self.tol, "tol") if tol is None else tol
        for step in smo(dual, tol, count(self.max_steps, "max_steps"), trace=False):
            self._look(dual)
            if watch:
                watch.show(dual.n_steps, step.gap, tol)
        self.coef_, self.n_iter_, self.converged_ = scale * dual.b, dual.n_steps, dual.converged
        self.support_ = np.flatnonzero(dual.b)
        self._weights = self.coef_[self.support_]
        self._support = None if isinstance(self.kernel, Precomputed) else X[self.support_]
        self.n_features_in_ = X.shape[1]
        if not dual.converged:
            warnings.warn(
                f"{type(self).__name__} stopped after {dual.n_steps} steps, {dual.gap:.2g} from the optimum where "
                f"{tol:.2g} is asked for: scale the data to a size of about one, lower C, or raise max_steps.",
                NotConverged, stacklevel=3,
            )
        return dual

    def _look(self, dual):
        """Called now and then while the solver runs; may raise."""

    def _sums(self, X):
        """Σ_i b_i k(x, x_i); (m, d) -> (m,)."""
        X = self._check_new(X)
        if not len(self.support_):
            return np.zeros(len(X))
        if isinstance(self.kernel, Precomputed):
            return X[:, self.support_] @ self._weights
        return self.kernel(X, self._support) @ self._weights

    def _sums_on_grid(self, xs, ys):
        """The same on a grid of 2-d points; -> (len(ys), len(xs))."""
        self._check_fitted()
        if not len(self.support_):
            return np.zeros((len(ys), len(xs)))
        return self.kernel.on_grid(xs, ys, self._support, self._weights[:, None])[..., 0]


class _Watch:
    """A line on the screen, renewed twice a second: how far the solver is."""

    def __init__(self, name):
        self.name, self.last = name, time.monotonic()

    def show(self, steps, gap, tol):
        if time.monotonic() - self.last > 0.5:
            self.last = time.monotonic()
            print(f"{self.name}: {steps} steps, violation {gap:.2g}, goal {tol:.2g}", file=sys.stderr, flush=True)
