"""Regression in feature space: ridge, logistic, partial least squares; relevance vectors are next door."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, eigh
from scipy.special import expit

from . import _checks as check
from ._bases import Transformer, warn_not_converged
from ._sums import KernelSum, Regressor
from .centering import centered
from .engine.cholesky import Root
from .engine.eigen import plus_diagonal, rounding
from .engine.tiles import sums_over
from .kernels import Gaussian
from .sparse_bayes import RVM  # noqa: F401
from .voting import OneAgainstOne


class KernelRidge(Regressor):
    """min Σ (t_i - f(x_i))² + λ|w|²:   α = (K + λI)⁻¹ t,   f(x) = Σ α_i k(x, x_i)                 (RIDGE.1)

    intercept=True   the same with Kc and t - mean(t), which is a ridge with a constant that costs nothing  (RIDGE.2)
    t_i - (f without point i)(x_i) = α_i / G_ii,  G = (K + λI)⁻¹; no fit is repeated               (RIDGE.3)

    coef_ (n,) = α, b_, loo_residuals_ (n,); for q targets at once, y (n, q), all of them have a column each.
    Pages 000/s6, 002/s29.
    C. Saunders, A. Gammerman, V. Vovk, Ridge regression learning algorithm in dual variables, ICML 1998.
    """

    kernel: check.kernel = Gaussian("median")
    lam: check.positive = 1.0
    intercept: check.choice(False, True) = False
    needs = property(lambda self: "distances" if self.intercept else "images")

    def accept(self, X, y=None):
        X, y = check.matrix(X, min_samples=self.min_samples), check.given(y, self)
        return X, check.moderate(check.targets(y, len(X), 2 if check.is_table(y) else 1), "The entries of y")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit_to(self, X, t):
        K = check.moderate(self.kernel(X))
        Kc, tc, constant = self._centred(K, t)
        self._root = root(Kc, self.lam)  # K + λI = LLᵀ
        alpha = self._root.solve(tc)  # (RIDGE.1)
        self._set_sum(X, alpha, np.arange(len(t)))
        # Σα = 0 after centring, so of the centring of new points only a constant is left
        b = t.mean(0) - K.mean(0) @ alpha if self.intercept else np.zeros(t.shape[1:])  # (RIDGE.2)
        self.b_ = b if np.ndim(b) else float(b)
        self._constant = 1 / (len(t) * (self.lam + constant))

    @property
    def loo_residuals_(self):
        """By how much every point is missed when the others alone are fitted; (n,)."""
        self._check_fitted()
        return (self.coef_.T / (self._root.inverse_diagonal() - self._constant)).T  # (RIDGE.3)

    def loo_path(self, X, y, lams):
        """loo_residuals_ for many λ, from one eigenproblem K = U L Uᵀ; lams (m,) -> (m, n)       (RIDGE.4)"""
        new, (X, t) = self._prepared(X, check.vector(y))
        lams = positive_all(lams)
        Kc, tc, constant = new._centred(check.moderate(new.kernel(X)), t)
        L, U = eigh(Kc, check_finite=False)
        refuse_indefinite(L[0] + lams.min() <= 0, lams.min())
        shrink = 1 / (L + lams[:, None])  # (m, n)
        G_diag = shrink @ (U**2).T - 1 / (len(t) * (lams[:, None] + constant))
        return (shrink * (tc @ U)) @ U.T / G_diag  # (RIDGE.4)

    def _centred(self, K, t):
        """The matrix, the target, and the eigenvalue of the constant vector, which is no part of the answer."""
        if not self.intercept:
            return K, t, np.inf
        Kc = centered(K)
        constant = 2 * max(np.trace(Kc), 1.0)  # at 0, where centring leaves it, it would drown all others in 1/λ
        return Kc + constant / len(t), t - t.mean(0), constant


def root(K, lam):
    """K + λI by its root L, K + λI = LLᵀ; refused where there is none."""
    try:
        return Root(plus_diagonal(K, lam))
    except LinAlgError:
        refuse_indefinite(True, lam)


def refuse_indefinite(indefinite, lam):
    if indefinite:
        raise ValueError(
            f"K + λI is not positive definite for lam = {lam:g}: raise lam, or use a proper (psd) kernel."
        ) from None


def positive_all(lams):
    """lams as a vector of positive numbers."""
    lams = check.vector(lams, "lams")
    if lams.min() <= 0:
        raise ValueError(f"lams must be positive numbers, got {lams.min():g}: leave it out.")
    return lams


class LogisticStep(NamedTuple):
    """α after a step of Newton's method, the objective, and how far α is from its fixed point."""

    alpha: np.ndarray
    objective: float
    violation: float


class KernelLogistic(OneAgainstOne, KernelSum):
    """min Σ ln(1 + exp(-y_i f(x_i))) + (λ/2) αᵀKα,   f = Kα;   P(y | x) = σ(y f(x))               (LOGIT.1)

    α ← α - (WK + λI)⁻¹ (λα - y σ(-yf)),   W = σ(f) σ(-f)                                          (LOGIT.2)
    done when α_i = y_i σ(-y_i f_i) / λ: no α is zero, but one with a large margin is small        (LOGIT.3)

    alpha_ (n,), objective_, converged_. More than two classes: one of these for each pair in pairs_, and the
    probabilities that agree with all of them best.  Page 002/s29.
    J. Zhu, T. Hastie, Kernel logistic regression and the import vector machine, JCGS 14, 2005.
    """

    kernel: check.kernel = Gaussian("median")
    lam: check.positive = 1.0
    tol: check.positive = 1e-8
    max_steps: check.count = 100
    needs = "images"

    def fit_two(self, X, y):
        *before, end = self.each_step(X, y)
        self.alpha_, self.objective_ = end.alpha, end.objective
        self.n_iter_, self.converged_ = max(1, len(before)), end.violation <= self.tol
        self._set_sum(X, end.alpha, np.arange(len(X)))
        if not self.converged_:
            warn_not_converged(self, "raise lam or max_steps, or use a positive semi-definite kernel")

    def steps(self, X, y):
        """Every step of fit for two classes, one by one."""
        new, X, y = self._two_classes(X, y)
        return new.each_step(X, y)

    def each_step(self, X, y):
        """Newton's method from α = 0, halving every step that would go up; the first item is the start."""
        K, lam, alpha = check.moderate(self.kernel(X)), self.lam, np.zeros(len(y))
        for left in range(self.max_steps, -1, -1):
            f = K @ alpha
            value = logistic_objective(y, f, alpha, lam)  # (LOGIT.1)
            g = lam * alpha - y * expit(-y * f)  # zero at (LOGIT.3)
            violation = float(np.abs(g).max())
            yield LogisticStep(alpha, value, violation)
            if violation <= self.tol or not left:
                return
            W = expit(f) * expit(-f)
            d = newton_direction(W, K, lam, g)  # (LOGIT.2)
            Kd, size = K @ d, 1.0
            while logistic_objective(y, f - size * Kd, alpha - size * d, lam) > value + 1e-12 * abs(value):
                size /= 2
                if size < 1e-10:  # a kernel that is not positive semi-definite may leave no way down
                    return
            alpha = alpha - size * d

    def f(self, X):
        return self._sum(X)

    def decision_function(self, X):
        """f(x) = ln P(classes_[1]) - ln P(classes_[0]), (m,); ln P(c) of every class for more, (m, k)."""
        self._check_fitted()
        return self.f(X) if len(self.classes_) == 2 else np.log(np.maximum(self.predict_proba(X), 1e-300))

    def predict_proba(self, X):
        """The probability of each class; (m, k)."""
        return self._probabilities(X)

    def upper(self, X):
        """The probability of classes_[1], for two classes; (m, d) -> (m,)."""
        return expit(self.f(X))

    def on_grid(self, xs, ys):
        """f on a grid of 2-d points, two classes; -> (len(ys), len(xs))."""
        return self._on_grid(xs, ys)


def logistic_objective(y, f, alpha, lam):
    """Σ ln(1 + exp(-y_i f_i)) + (λ/2) αᵀf, with f = Kα."""
    return float(np.logaddexp(0, -y * f).sum() + 0.5 * lam * alpha @ f)


def newton_direction(W, K, lam, g):
    """(WK + λI)⁻¹ g."""
    try:
        return np.linalg.solve(plus_diagonal(W[:, None] * K, lam), g)
    except LinAlgError:
        raise ValueError(f"lam = {lam:g} is lost beside this kernel's values: raise it, or scale the data.") from None


class KernelPLS(Transformer, Regressor):
    """Directions in feature space along which the images vary together with the target, one after the other.

    s = Kc r / |Kc r|,   r what is left of the target                                              (PLS.1)
    Kc ← (I - ssᵀ) Kc (I - ssᵀ),   r ← r - s(sᵀr)                                                  (PLS.2)
    S_t = Ktc R (SᵀKcR)⁻¹ for new points, R the columns r;   f = mean(t) + S_t Sᵀt                 (PLS.3)

    transform gives the scores, uncorrelated and each of length one over the training data. Page 002/s29.
    R. Rosipal, L. Trejo, Kernel partial least squares regression in reproducing kernel Hilbert space, JMLR 2, 2001.
    """

    kernel: check.kernel = Gaussian("median")
    n_components: check.count = 2
    needs = "distances"

    def fit_to(self, X, t):
        K = check.moderate(self.kernel(X))
        Kc, r = centered(K), t - t.mean()
        S, R, smallest = np.zeros((len(t), 0)), np.zeros((len(t), 0)), 1e-10 * np.abs(r).max()
        for done in range(self.n_components):
            s = Kc @ r
            s = s - S @ (S.T @ s)  # (PLS.2), of which only this is left, because r has no part along the scores
            if np.abs(r).max() <= smallest or np.linalg.norm(s) <= rounding(K) * np.linalg.norm(r):
                raise ValueError(
                    f"n_components = {self.n_components}, but after {done} the kernel has no more to say about y: "
                    "ask for fewer."
                )
            s = s / np.linalg.norm(s)  # (PLS.1)
            S, R = np.column_stack([S, s]), np.column_stack([R, r])
            r = r - s * (s @ r)
        self.rotation_ = R @ np.linalg.inv(S.T @ Kc @ R)  # (PLS.3)
        coef = self.rotation_ @ (S.T @ (t - t.mean()))
        self._set_sum(X, coef, np.arange(len(t)))
        self.b_ = float(t.mean() - K.mean(0) @ coef)
        self.scores_ = S
        self._offset = K.mean(0) @ self.rotation_

    def transform(self, X):  # (m, d) -> (m, k)
        return sums_over(self.kernel, self._check_new(X), self._points, self.rotation_) - self._offset

    def fit_transform(self, X, y):  # (n, d) -> (n, k)
        return self.fit(X, y).scores_
