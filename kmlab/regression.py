"""Regression in feature space: ridge, logistic, relevance vectors, partial least squares."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh, solve_triangular
from scipy.special import expit

from . import _checks as check
from ._bases import TwoClasses
from ._machine import Machine, Regressor, warn_not_converged
from .centering import centered
from .engine.eigen import plus_diagonal, rounding
from .kernels import Gaussian

PRUNE = 1e6  # a basis function whose prior allows it less than a thousandth of the size of t is dropped
NOISE_FLOOR = 1e-8  # the noise is never taken to be less than this share of t², or 1/β would be a division by zero


class KernelRidge(Regressor):
    """min Σ (t_i - f(x_i))² + λ|w|²:   α = (K + λI)⁻¹ t,   f(x) = Σ α_i k(x, x_i)                 (RIDGE.1)

    intercept=True   the same with Kc and t - mean(t), which is a ridge with a constant that costs nothing  (RIDGE.2)
    t_i - (f without point i)(x_i) = α_i / G_ii,  G = (K + λI)⁻¹; no fit is repeated               (RIDGE.3)

    coef_ (n,) = α, b_, loo_residuals_ (n,).  Pages 000/s6, 002/s29.
    C. Saunders, A. Gammerman, V. Vovk, Ridge regression learning algorithm in dual variables, ICML 1998.
    """

    def __init__(self, kernel=Gaussian(), lam=1.0, intercept=False):
        self.kernel = kernel
        self.lam = lam
        self.intercept = intercept

    def fit(self, X, y):
        X, t = self._check_data(X, y)
        K = self._gram(X)
        lam, (Kc, tc, constant) = check.positive(self.lam, "lam"), self._problem(K, t)
        try:
            factor = cho_factor(plus_diagonal(Kc, lam), lower=True, check_finite=False)
        except LinAlgError:
            raise _indefinite(lam) from None
        alpha = cho_solve(factor, tc, check_finite=False)  # (RIDGE.1)
        self._factor, self._constant = factor[0], 1 / (len(t) * (lam + constant))
        self._remember(X, alpha, np.arange(len(t)))
        # Σα = 0 after centring, so of the centring of new points only a constant is left
        self.b_ = float(t.mean() - K.mean(0) @ alpha) if self.intercept else 0.0  # (RIDGE.2)
        return self

    @property
    def loo_residuals_(self):
        """By how much every point is missed when the others alone are fitted; (n,)."""
        self._check_fitted()
        root = solve_triangular(self._factor, np.eye(len(self._factor)), lower=True, check_finite=False)
        return self.coef_ / (np.einsum("ij,ij->j", root, root) - self._constant)  # (RIDGE.3)

    def loo_path(self, X, y, lams):
        """loo_residuals_ for many λ, from one eigenproblem K = U L Uᵀ; lams (m,) -> (m, n)       (RIDGE.4)"""
        X, t = self._check_data(X, y)
        lams, (Kc, tc, constant) = check.vector(lams, "lams"), self._problem(self._gram(X), t)
        if lams.min() <= 0:
            raise ValueError(f"lams must be positive numbers, got {lams.min():g}: leave it out.")
        L, U = eigh(Kc, check_finite=False)
        if L[0] + lams.min() <= 0:
            raise _indefinite(lams.min())
        shrink = 1 / (L + lams[:, None])  # (m, n)
        G = shrink @ (U**2).T - 1 / (len(t) * (lams[:, None] + constant))
        return (shrink * (tc @ U)) @ U.T / G  # (RIDGE.4)

    def _problem(self, K, t):
        """The matrix, the target, and the eigenvalue of the constant vector, which is no part of the answer."""
        if not check.one_of(self.intercept, (False, True), "intercept"):
            return K, t, np.inf
        Kc = centered(K)
        constant = 2 * max(np.trace(Kc), 1.0)  # at 0, where centring leaves it, it would drown all others in 1/λ
        return Kc + constant / len(t), t - t.mean(), constant


class LogisticStep(NamedTuple):
    """α after a step of Newton's method, the objective, and how far α is from its fixed point."""

    alpha: np.ndarray
    objective: float
    violation: float


class KernelLogistic(TwoClasses, Machine):
    """min Σ ln(1 + exp(-y_i f(x_i))) + (λ/2) αᵀKα,   f = Kα;   P(y | x) = σ(y f(x))               (LOGIT.1)

    α ← α - (WK + λI)⁻¹ (λα - y σ(-yf)),   W = σ(f) σ(-f)                                          (LOGIT.2)
    done when α_i = y_i σ(-y_i f_i) / λ: no α is zero, but one with a large margin is small        (LOGIT.3)

    alpha_ (n,), objective_, converged_.  Page 002/s29.
    J. Zhu, T. Hastie, Kernel logistic regression and the import vector machine, JCGS 14, 2005.
    """

    def __init__(self, kernel=Gaussian(), lam=1.0, tol=1e-8, max_steps=100):
        self.kernel = kernel
        self.lam = lam
        self.tol = tol
        self.max_steps = max_steps

    def fit(self, X, y):
        X = check.matrix(X, min_samples=2)
        classes, _ = self._signs(X, y)
        *before, end = self.steps(X, y)
        self.classes_, self.alpha_, self.objective_ = classes, end.alpha, end.objective
        self.n_iter_, self.converged_ = max(1, len(before)), bool(end.violation <= self.tol)
        self._remember(X, end.alpha, np.arange(len(X)))
        if not self.converged_:
            warn_not_converged(self, "raise lam or max_steps, or use a positive semi-definite kernel")
        return self

    def steps(self, X, y):
        """Newton's method from α = 0, halving every step that would go up; the first item is the start."""
        X = check.matrix(X, min_samples=2)
        y, K = self._signs(X, y)[1], self._gram(X)
        lam, tol, alpha = check.positive(self.lam, "lam"), check.positive(self.tol, "tol"), np.zeros(len(y))
        for left in range(check.count(self.max_steps, "max_steps"), -1, -1):
            f = K @ alpha
            value, g = _logistic_objective(y, f, alpha, lam), lam * alpha - y * expit(-y * f)  # (LOGIT.1)
            yield LogisticStep(alpha, value, float(np.abs(g).max()))
            if np.abs(g).max() <= tol or not left:
                return
            W = expit(f) * expit(-f)
            try:
                d = np.linalg.solve(plus_diagonal(W[:, None] * K, lam), g)  # (LOGIT.2)
            except np.linalg.LinAlgError:
                lost = f"lam = {lam:g} is lost beside this kernel's values: raise it, or scale the data."
                raise ValueError(lost) from None
            size, Kd = 1.0, K @ d
            while _logistic_objective(y, f - size * Kd, alpha - size * d, lam) > value + 1e-12 * abs(value):
                size /= 2
                if size < 1e-10:  # a kernel that is not positive semi-definite may leave no way down
                    return
            alpha = alpha - size * d

    def decision_function(self, X):
        """f(x) = ln P(classes_[1]) - ln P(classes_[0]); (m,)."""
        return self._sums(X)

    def predict_proba(self, X):
        """The probability of either class; (m, 2)."""
        f = self.decision_function(X)
        return np.column_stack([expit(-f), expit(f)])

    def on_grid(self, xs, ys):
        """f on a grid of 2-d points; -> (len(ys), len(xs))."""
        return self._sums_on_grid(xs, ys)


class RVMStep(NamedTuple):
    """kept (m,) numbers of the basis functions, 0 the constant and i + 1 the point i; what is believed about them."""

    kept: np.ndarray
    a: np.ndarray  # (m,) precisions of the weights before they see t
    beta: float  # precision of the noise
    mu: np.ndarray  # (m,) weights
    Sigma: np.ndarray  # (m, m) their covariance
    evidence: float  # ln p(t | a, β)


class RVM(Regressor):
    """f(x) = w_0 + Σ w_i k(x, x_i) with w_i ~ N(0, 1/a_i) and noise N(0, 1/β); the a_i are learnt      (RVM.1)

    Σ = (βΦᵀΦ + A)⁻¹,   μ = βΣΦᵀt,   Φ = [1, K]                                                    (RVM.2)
    ln p(t) = ln N(t | 0, I/β + ΦA⁻¹Φᵀ), the evidence                                              (RVM.3)
    updates="mackay"  a_i = γ_i / μ_i²,  β = (n - Σγ) / |t - Φμ|²,  γ_i = 1 - a_i Σ_ii             (RVM.4)
    updates="em"      a_i = 1 / (μ_i² + Σ_ii),  1/β = (|t - Φμ|² + Σγ/β) / n: slow, and never down  (RVM.5)
    predict(X, return_std=True): variance 1/β + φ(x)ᵀΣφ(x)                                         (RVM.6)

    Most a_i go to infinity, and their functions are dropped. relevance_ holds the points that stay, mu_, Sigma_,
    beta_, evidence_ (one value a step), converged_.  Page 002/s29.
    M. Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001.
    """

    def __init__(self, kernel=Gaussian(), updates="mackay", tol=1e-6, max_steps=2000):
        self.kernel = kernel
        self.updates = updates
        self.tol = tol
        self.max_steps = max_steps

    def fit(self, X, y):
        trace = list(self.steps(X, y))
        X, last = check.matrix(X), trace[-1]
        self.mu_, self.Sigma_, self.beta_ = last.mu, last.Sigma, last.beta
        weights = np.zeros(len(X) + 1)
        weights[last.kept] = last.mu
        self.b_, self._constant, self.relevance_ = float(weights[0]), 0 in last.kept, last.kept[last.kept > 0] - 1
        self._remember(X, weights[1:], self.relevance_)
        self.evidence_, self.n_iter_ = np.array([step.evidence for step in trace]), len(trace)
        self.converged_ = len(trace) > 1 and _rests(trace[-2], last, self.tol)
        if not self.converged_:
            warn_not_converged(self, "raise max_steps or tol, or choose another width of the kernel")
        return self

    def steps(self, X, y):
        """What is believed after each update, until a step drops no function and gains less than tol of evidence."""
        X, t = self._check_data(X, y)
        em = check.one_of(self.updates, ("mackay", "em"), "updates") == "em"
        tol, most, n = check.positive(self.tol, "tol"), check.count(self.max_steps, "max_steps"), len(t)
        Phi, size = np.column_stack([np.ones(n), self._gram(X)]), (t @ t / n) or 1.0
        kept = np.flatnonzero((Phi**2).any(0))
        unit = (Phi**2).mean(0) / size  # the precision that lets a function alone be as large as t
        a, beta, old = unit[kept], 10 / size, None
        for _ in range(most):
            P = Phi[:, kept]
            now = RVMStep(kept, a, beta, *_posterior(P, t, a, beta))
            yield now
            if old is not None and _rests(old, now, tol):
                return
            gamma, rest = np.maximum(1 - a * now.Sigma.diagonal(), 1e-16), ((t - P @ now.mu) ** 2).sum()
            if em:
                a, noise = 1 / (now.mu**2 + now.Sigma.diagonal()), (rest + gamma.sum() / beta) / n  # (RVM.5)
            else:
                with np.errstate(divide="ignore"):
                    a, noise = gamma / now.mu**2, rest / (n - gamma.sum())  # (RVM.4)
            beta, old = 1 / max(noise, NOISE_FLOOR * size), now
            a = np.minimum(a, PRUNE * unit[kept])
            stay = a < PRUNE * unit[kept]
            stay[0] |= not stay.any()
            kept, a = kept[stay], a[stay]

    def predict(self, X, return_std=False):
        """f(x), and with return_std=True how far t may be from it; (m, d) -> (m,), (m,)."""
        f = super().predict(X)
        if not return_std:
            return f
        P = self._to_support(check.matrix(X))
        P = np.column_stack([np.ones(len(P)), P]) if self._constant else P
        return f, np.sqrt(1 / self.beta_ + np.einsum("ij,ij->i", P @ self.Sigma_, P))  # (RVM.6)


class KernelPLS(Regressor):
    """Directions in feature space along which the images vary together with the target, one after the other.

    s = Kc r / |Kc r|,   r what is left of the target                                              (PLS.1)
    Kc ← (I - ssᵀ) Kc (I - ssᵀ),   r ← r - s(sᵀr)                                                  (PLS.2)
    S_t = Ktc R (SᵀKcR)⁻¹ for new points, R the columns r;   f = mean(t) + S_t Sᵀt                 (PLS.3)

    transform gives the scores, uncorrelated and each of length one over the training data. Page 002/s29.
    R. Rosipal, L. Trejo, Kernel partial least squares regression in reproducing kernel Hilbert space, JMLR 2, 2001.
    """

    def __init__(self, kernel=Gaussian(), n_components=2):
        self.kernel = kernel
        self.n_components = n_components

    def fit(self, X, y):
        X, t = self._check_data(X, y)
        wanted, K = check.count(self.n_components, "n_components"), self._gram(X)
        Kc, left, S, R = centered(K), t - t.mean(), np.zeros((len(t), 0)), np.zeros((len(t), 0))
        floor, smallest = rounding(K), 1e-10 * np.abs(left).max()
        for done in range(wanted):
            s = Kc @ left
            s = s - S @ (S.T @ s)  # (PLS.2), of which only this is left, because r has no part along the scores
            if np.abs(left).max() <= smallest or np.linalg.norm(s) <= floor * np.linalg.norm(left):
                raise ValueError(
                    f"n_components = {wanted}, but after {done} the kernel has no more to say about y: ask for fewer."
                )
            s = s / np.linalg.norm(s)  # (PLS.1)
            S, R = np.column_stack([S, s]), np.column_stack([R, left])
            left = left - s * (s @ left)
        self.rotation_ = R @ np.linalg.inv(S.T @ Kc @ R)  # (PLS.3)
        self.scores_, self._offset = S, K.mean(0) @ self.rotation_
        coef = self.rotation_ @ (S.T @ (t - t.mean()))
        self._remember(X, coef, np.arange(len(t)))
        self.b_ = float(t.mean() - K.mean(0) @ coef)
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return self._to_support(self._check_new(X)) @ self.rotation_ - self._offset

    def fit_transform(self, X, y):  # (n, d) -> (n, k)
        return self.fit(X, y).scores_


def _posterior(P, t, a, beta):
    """μ, Σ and the evidence, through B = I + A^-½ βPᵀP A^-½, whose eigenvalues are never below one."""
    root = 1 / np.sqrt(a)
    B = plus_diagonal(beta * (root[:, None] * (P.T @ P) * root), 1.0)
    L = np.linalg.cholesky(B)
    half = solve_triangular(L, np.diag(root), lower=True, check_finite=False)
    Sigma = half.T @ half
    mu = beta * (Sigma @ (P.T @ t))  # (RVM.2)
    fit, volume = beta * (t @ (t - P @ mu)), 2 * np.log(L.diagonal()).sum()
    return mu, Sigma, float(-0.5 * (len(t) * np.log(2 * np.pi / beta) + volume + fit))  # (RVM.3)


def _rests(old, new, tol):
    return len(old.kept) == len(new.kept) and abs(new.evidence - old.evidence) < tol


def _logistic_objective(y, f, alpha, lam):
    return float(np.logaddexp(0, -y * f).sum() + 0.5 * lam * alpha @ f)


def _indefinite(lam):
    return ValueError(f"K + λI is not positive definite for lam = {lam:g}: raise lam, or use a proper (psd) kernel.")
