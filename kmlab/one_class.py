"""One class alone: a sphere around the data in feature space, or a plane that keeps it away from the origin."""

import numpy as np

from . import _checks as check
from ._machine import Machine
from .dual import Dual
from .kernels import Gaussian, Precomputed

ROUGH = 32  # points that are enough to guess where the data is thin


class OneClass(Machine):
    """What sphere and plane share: 0 ≤ α_i ≤ C with Σα = 1, solved for b = α / C. A score below zero is outside."""

    def predict(self, X):
        """+1 inside, -1 outside; on the border, as exactly as it was solved for, counts as inside."""
        return np.where(self.decision_function(X) >= -self._border, 1, -1)

    def _fit_simplex(self, X, K, q, C, tol):
        total, n = 1 / C, len(X)
        some = list(range(0, n, -(-n // ROUGH)))
        steep = q + total / len(some) * sum(K.rows(some))  # the gradient at equal weights, roughly: a start, no more
        order, start, ones = np.argsort(steep, kind="stable"), np.zeros(n), np.ones(n)
        start[order] = np.clip(total - np.arange(n), 0, 1)
        K.rows(order[: int(total) + ROUGH].tolist())  # these rows will be needed, and cost less together
        dual = self._solve(X, Dual(K, q, 0 * ones, ones, start), tol, scale=C)
        self.alpha_ = self.coef_
        return dual


class SVDD(OneClass):
    """min R² + C Σ ξ_i  with  |φ(x_i) - a|² ≤ R² + ξ_i, ξ_i ≥ 0                                  (OCC.1)

    max Σ α_i k(x_i, x_i) - αᵀKα,  Σα = 1,  0 ≤ α_i ≤ C;   a = Σ α_i φ(x_i)                       (OCC.2)
    R² = |φ(x_s) - a|² on the sphere, where 0 < α_s < C                                           (OCC.3)
    score(x) = R² - |φ(x) - a|² = R² - k(x, x) + 2 Σ α_i k(x, x_i) - αᵀKα                         (OCC.4)

    No one half before αᵀKα, unlike in (14) of 004/s17: with it the centre moves, unless k(x, x) is constant.
    C ≥ 1/n, or no α is feasible; C ≥ 1 lets nothing out. alpha_ (n,), radius2_ = R², value_ = the maximum, R² + C Σ ξ.
    D. Tax, R. Duin, Support vector data description, Machine Learning 54, 2004.  Page 004/s17.
    """

    def __init__(self, kernel=Gaussian(), C=1.0, tol=1e-3, max_steps=100_000, progress=False):
        self.kernel = kernel
        self.C = C
        self.tol = tol
        self.max_steps = max_steps
        self.progress = progress

    def fit(self, X, y=None):
        X = check.matrix(X)
        C = min(check.positive(self.C, "C"), 1.0)
        if C * len(X) < 1 - 1e-12:
            raise ValueError(
                f"C = {self.C:g} is too small: {len(X)} weights of at most C cannot sum to 1. "
                f"The smallest feasible value is 1/n = {1 / len(X):.6g}."
            )
        K = self._rows(X, wanted=1 / C)
        diag = K.diag
        spread = float((diag + diag[0] - 2 * K[0]).max())  # distances decide, whatever the origin and the unit
        tol = check.positive(self.tol, "tol") * max(spread, 1e-300)
        dual = self._fit_simplex(X, K, -diag / (2 * C), C, tol)
        Kb = dual.F + diag / (2 * C)
        self.center_norm2_ = float(C * C * (dual.b @ Kb))  # αᵀKα
        self.radius2_ = max(0.0, 2 * C * dual.offset + self.center_norm2_)  # (OCC.3)
        self.value_ = float(self.alpha_ @ diag - self.center_norm2_)  # (OCC.2)
        self._border = 2 * C * tol
        # with Precomputed(): images that are all equally long, as a Gaussian's are, say how long a new one is
        self._length2 = float(diag[0]) if np.ptp(diag) <= 1e-9 * np.abs(diag).max() else np.nan
        return self

    def decision_function(self, X):
        sums = self._sums(X)
        return self.radius2_ - self._new_diag(X) + 2 * sums - self.center_norm2_  # (OCC.4)

    def on_grid(self, xs, ys):
        """Scores on a grid of 2-d points; -> (len(ys), len(xs))."""
        sums, xs, ys = self._sums_on_grid(xs, ys), check.vector(xs, "xs"), check.vector(ys, "ys")
        diag = self.kernel.diag(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)).reshape(sums.shape)
        return self.radius2_ - diag + 2 * sums - self.center_norm2_

    def _new_diag(self, X):
        if not isinstance(self.kernel, Precomputed):
            return self.kernel.diag(X)
        if np.isnan(self._length2):
            raise ValueError(
                "k(x, x) of new points is not in a cross matrix, and over the training points it varies: "
                "use a kernel instead of Precomputed()."
            )
        return self._length2


class OneClassSVM(OneClass):
    """min ½ αᵀKα,  Σα = 1,  0 ≤ α_i ≤ 1/(ν n);   score(x) = Σ α_i k(x, x_i) - ρ                  (OCC.5)

    At most a share ν of the data lies outside, at least a share ν are support vectors. ρ_ from the free ones. The same
    as a sphere with C = 1/(ν n) if k(x, x) is constant; its scores are twice these.
    B. Schölkopf et al., Estimating the support of a high-dimensional distribution, Neural Computation 13, 2001.
    """

    def __init__(self, kernel=Gaussian(), nu=0.5, tol=1e-3, max_steps=100_000, progress=False):
        self.kernel = kernel
        self.nu = nu
        self.tol = tol
        self.max_steps = max_steps
        self.progress = progress

    def fit(self, X, y=None):
        X = check.matrix(X)
        if not check.positive(self.nu, "nu") <= 1:
            raise ValueError(f"nu is a share of the data: it must be at most 1, got {self.nu!r}.")
        C = 1 / (self.nu * len(X))
        K = self._rows(X, wanted=1 / C)
        tol = check.positive(self.tol, "tol") * max(float(np.abs(K.diag).max()), 1e-300)
        dual = self._fit_simplex(X, K, np.zeros(len(X)), C, tol)
        self.rho_, self._border = -C * dual.offset, C * tol
        return self

    def decision_function(self, X):
        return self._sums(X) - self.rho_  # (OCC.5)

    def on_grid(self, xs, ys):
        """Scores on a grid of 2-d points; -> (len(ys), len(xs))."""
        return self._sums_on_grid(xs, ys) - self.rho_
