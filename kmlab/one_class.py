"""One class alone: a sphere around the data in feature space, or a plane that keeps it away from the origin."""

import numpy as np

from . import _checks as check
from .dual import Dual, DualSum, spread
from .kernels import Gaussian

ROUGH = 32  # points that are enough to guess where the data is thin
ROUNDING = 1e-14  # of Σα = 1


class OneClass(DualSum):
    """What sphere and plane share: weights 0 ≤ α_i ≤ C with Σα = 1, and a score that is below zero outside."""

    min_samples = 1

    def predict(self, X):
        """+1 inside, -1 outside; on the border, as exactly as it was solved for, counts as inside."""
        return np.where(self.decision_function(X) >= -self._border, 1, -1)

    def fit_predict(self, X, y=None):
        """The same for the points of the fit; (n, d) -> (n,)."""
        return self.fit(X).predict(X)

    def score_samples(self, X):
        """decision_function before the border is subtracted, offset_: the higher, the more usual; (m, d) -> (m,)."""
        return self.decision_function(X) + self.offset_


class SVDD(OneClass):
    """min R² + C Σ ξ_i  with  |φ(x_i) - a|² ≤ R² + ξ_i, ξ_i ≥ 0                                  (OCC.1)

    max Σ α_i k(x_i, x_i) - αᵀKα,  Σα = 1,  0 ≤ α_i ≤ C;   a = Σ α_i φ(x_i)                       (OCC.2)
    R² = |φ(x_s) - a|² on the sphere, where 0 < α_s < C                                           (OCC.3)
    score(x) = R² - |φ(x) - a|² = R² - k(x, x) + 2 Σ α_i k(x, x_i) - αᵀKα                         (OCC.4)

    No one half before αᵀKα, unlike in (14) of 004/s17: with it the centre moves, unless k(x, x) is constant.
    C ≥ 1/n, or no α is feasible; C ≥ 1 lets nothing out. alpha_ (n,), radius2_ = R², value_ = the maximum, R² + C Σ ξ.
    D. Tax, R. Duin, Support vector data description, Machine Learning 54, 2004.  Page 004/s17.
    """

    kernel: check.kernel = Gaussian("median")
    C: check.positive = 1.0
    tol: check.positive = 1e-3
    max_steps: check.count = 100_000
    progress: check.flag = False

    def fit_to(self, X):
        C = feasible(self.C, len(X))
        K = self._gram(X, wanted=1 / C)
        tol = C * self.tol * spread(K)  # distances decide, whatever the origin and the unit
        p = on_simplex(K, -K.diag / 2, C)  # (OCC.2)
        self._solve(X, p, tol)
        self.alpha_ = p.b
        self._keep_support(X)
        self.center_norm2_ = float(self.alpha_ @ (p.F + K.diag / 2))  # αᵀKα
        self.radius2_ = max(0.0, 2 * p.offset + self.center_norm2_)  # (OCC.3)
        self.offset_ = -self.radius2_
        self.value_ = float(self.alpha_ @ K.diag - self.center_norm2_)  # (OCC.2)
        self._border, self._length2 = 2 * tol, common_length2(K.diag)

    def decision_function(self, X):
        sums = self._sum(X)
        return self.radius2_ - self._lengths2(X) + 2 * sums - self.center_norm2_  # (OCC.4)

    def on_grid(self, xs, ys):
        """Scores on a grid of 2-d points; -> (len(ys), len(xs))."""
        sums, xs, ys = self._sum_on_grid(xs, ys), check.vector(xs, "xs"), check.vector(ys, "ys")
        diag = self.kernel.diag(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)).reshape(sums.shape)
        return self.radius2_ - diag + 2 * sums - self.center_norm2_

    def _lengths2(self, X):
        """k(x, x) of new points; a cross matrix does not hold it, but all training images may be equally long."""
        if not self.kernel.pairwise:
            return self.kernel.diag(X)
        if np.isnan(self._length2):
            raise ValueError(
                "k(x, x) of new points is not in a cross matrix, and over the training points it varies: "
                "use a kernel instead of Precomputed()."
            )
        return self._length2


def share_of_data(value, name):
    """value as a float above zero and at most one."""
    if not check.positive(value, name) <= 1:
        raise ValueError(f"{name} is a share of the data: it must be at most 1, got {value!r}.")
    return float(value)


class OneClassSVM(OneClass):
    """min ½ αᵀKα,  Σα = 1,  0 ≤ α_i ≤ 1/(ν n);   score(x) = Σ α_i k(x, x_i) - ρ                  (OCC.5)

    At most a share ν of the data lies outside, at least a share ν are support vectors. ρ_ from the free ones. The same
    as a sphere with C = 1/(ν n) if k(x, x) is constant; its scores are twice these.
    B. Schölkopf et al., Estimating the support of a high-dimensional distribution, Neural Computation 13, 2001.
    """

    kernel: check.kernel = Gaussian("median")
    nu: share_of_data = 0.5
    tol: check.positive = 1e-3
    max_steps: check.count = 100_000
    progress: check.flag = False
    needs = "images"

    def fit_to(self, X):
        C = 1 / (self.nu * len(X))
        K = self._gram(X, wanted=1 / C)
        tol = C * self.tol * max(float(np.abs(K.diag).max()), 1e-300)
        p = on_simplex(K, np.zeros(len(X)), C)  # (OCC.5)
        self._solve(X, p, tol)
        self.alpha_ = p.b
        self.rho_ = self.offset_ = -p.offset
        self._keep_support(X, p.offset)
        self._border = tol

    def decision_function(self, X):
        return self._sum(X) - self.rho_  # (OCC.5)

    def on_grid(self, xs, ys):
        """Scores on a grid of 2-d points; -> (len(ys), len(xs))."""
        return self._sum_on_grid(xs, ys) - self.rho_


def feasible(C, n):
    """C, which above 1 is 1, refused where n weights of at most C cannot sum to 1."""
    if min(C, 1.0) * n < 1 - 1e-12:
        raise ValueError(
            f"C = {C:g} is too small: {n} weights of at most C cannot sum to 1. "
            f"The smallest feasible value is 1/n = {1 / n:.6g}."
        )
    return min(C, 1.0)


def on_simplex(K, q, C):
    """The Dual with Σα = 1 and 0 ≤ α ≤ C; it starts with as many α = C as fit, where the data seems thin."""
    n, whole = len(K), int((1 + ROUNDING) / C)
    some = list(range(0, n, -(-n // ROUGH)))
    steep = q + sum(K.rows(some)) / len(some)  # the gradient at equal weights, roughly
    order, start = np.argsort(steep, kind="stable"), np.zeros(n)
    start[order[:whole]] = C
    if whole < n and (rest := 1 - whole * C) > ROUNDING:
        start[order[whole]] = rest
    K.rows(order[: whole + ROUGH].tolist())  # these rows will be needed, and cost less together
    return Dual(K, q, np.zeros(n), np.full(n, C), start)


def common_length2(diag):
    """k(x, x) where it is the same for all training points, as with a Gaussian; NaN where it is not."""
    return float(diag[0]) if np.ptp(diag) <= 1e-9 * np.abs(diag).max() else np.nan
