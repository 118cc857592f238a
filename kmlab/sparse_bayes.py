"""Sparse Bayesian regression: every weight has a prior of its own, and most of them turn out to be nothing."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from . import _checks as check
from ._bases import Stepwise, warn_not_converged
from ._sums import Regressor
from .engine.eigen import plus_diagonal
from .engine.tiles import in_strips
from .kernels import Gaussian

STARTS = 1.0, 1e-3  # precisions of the first priors, in units of those that let a function alone be as large as t
MATTERS = 0.1  # of ln p: less is no reason to leave the first start
PRUNE = 1e6  # a basis function whose prior allows it less than a thousandth of the size of t is dropped
NOISE_FLOOR = 1e-8  # the noise is never taken to be less than this share of t², or 1/β would be a division by zero


class RVMStep(NamedTuple):
    """kept (m,) numbers of the basis functions, 0 the constant and i + 1 the point i; what is believed about them."""

    kept: np.ndarray
    a: np.ndarray  # (m,) precisions of the weights before they see t
    beta: float  # precision of the noise
    mu: np.ndarray  # (m,) weights
    Sigma: np.ndarray  # (m, m) their covariance
    evidence: float  # ln p(t | a, β)


class RVM(Stepwise, Regressor):
    """f(x) = w_0 + Σ w_i k(x, x_i) with w_i ~ N(0, 1/a_i) and noise N(0, 1/β); the a_i are learnt      (RVM.1)

    Σ = (βΦᵀΦ + A)⁻¹,   μ = βΣΦᵀt,   Φ = [1, K]                                                    (RVM.2)
    ln p(t) = ln N(t | 0, I/β + ΦA⁻¹Φᵀ), the evidence                                              (RVM.3)
    updates="mackay"  a_i = γ_i / μ_i²,  β = (n - Σγ) / |t - Φμ|²,  γ_i = 1 - a_i Σ_ii             (RVM.4)
    updates="em"      a_i = 1 / (μ_i² + Σ_ii),  1/β = (|t - Φμ|² + Σγ/β) / n: slow, and never down  (RVM.5)
    predict(X, return_std=True): variance 1/β + φ(x)ᵀΣφ(x)                                         (RVM.6)

    Most a_i go to infinity, and their functions are dropped. The evidence has many maxima: fit climbs from priors as
    wide as t and from much wider ones and keeps the higher end; steps shows the first. relevance_ holds the points
    that stay, mu_, Sigma_, beta_, evidence_ (one value a step), converged_.  Page 002/s29.
    M. Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001.
    """

    kernel: check.kernel = Gaussian("median")
    updates: check.choice("mackay", "em") = "mackay"
    tol: check.positive = 1e-6
    max_steps: check.count = 2000

    def fit_to(self, X, t):
        end, other = (climbed(self.each_step(X, t, start), self.tol) for start in STARTS)
        last, self.evidence_, self.converged_ = other if other[0].evidence > end[0].evidence + MATTERS else end
        weights = np.zeros(len(X) + 1)
        weights[last.kept] = last.mu
        self.mu_, self.Sigma_, self.beta_ = last.mu, last.Sigma, last.beta
        self.b_, self._constant = float(weights[0]), 0 in last.kept
        self.relevance_ = last.kept[last.kept > 0] - 1
        self._set_sum(X, weights[1:], self.relevance_)
        self.n_iter_ = len(self.evidence_)
        if not self.converged_:
            warn_not_converged(self, "raise max_steps or tol, or choose another width of the kernel")

    def each_step(self, X, t, start=STARTS[0]):
        """What is believed after each update, until a step drops no function and gains less than tol of evidence."""
        n, size, update = len(t), (t @ t / len(t)) or 1.0, {"mackay": mackay, "em": em}[self.updates]
        Phi = np.column_stack([np.ones(n), check.moderate(self.kernel(X))])  # (RVM.1)
        unit = (Phi**2).mean(0) / size  # the precision that lets a function alone be as large as t
        kept = np.flatnonzero((Phi**2).any(0))
        a, beta, old = start * unit[kept], 10 / size, None
        for _ in range(self.max_steps):
            P = Phi[:, kept]
            now = RVMStep(kept, a, beta, *posterior(P, t, a, beta))
            yield now
            if old is not None and at_rest(old, now, self.tol):
                return
            a, noise = update(now, ((t - P @ now.mu) ** 2).sum(), n)
            beta, old = 1 / max(noise, NOISE_FLOOR * size), now
            stay = a < PRUNE * unit[kept]
            stay[0] |= not stay.any()
            kept, a = kept[stay], np.minimum(a, PRUNE * unit[kept])[stay]

    def predict(self, X, return_std=False):
        """f(x), and with return_std=True how far t may be from it; (m, d) -> (m,), (m,)."""
        f = super().predict(X)
        if not return_std:
            return f
        return f, np.sqrt(1 / self.beta_ + in_strips(self._doubt, check.matrix(X), 3 * len(self.Sigma_)))  # (RVM.6)

    def _doubt(self, X):
        P = self.kernel(X, self._points) if len(self.support_) else np.zeros((len(X), 0))
        P = np.column_stack([np.ones(len(P)), P]) if self._constant else P
        return np.einsum("ij,ij->i", P @ self.Sigma_, P)


def posterior(P, t, a, beta):
    """μ, Σ and the evidence, through B = I + A^-½ βPᵀP A^-½, whose eigenvalues are never below one."""
    root = 1 / np.sqrt(a)
    B = plus_diagonal(beta * (root[:, None] * (P.T @ P) * root), 1.0)
    L = np.linalg.cholesky(B)
    half = solve_triangular(L, np.diag(root), lower=True, check_finite=False)
    Sigma = half.T @ half
    mu = beta * (Sigma @ (P.T @ t))  # (RVM.2)
    fit, volume = beta * (t @ (t - P @ mu)), 2 * np.log(L.diagonal()).sum()
    evidence = -0.5 * (len(t) * np.log(2 * np.pi / beta) + volume + fit)  # (RVM.3)
    return mu, Sigma, float(evidence)


@np.errstate(divide="ignore")
def mackay(step, rest, n):
    """a and 1/β from what is believed, rest = |t - Φμ|²."""
    gamma = determined(step)
    a = gamma / step.mu**2  # (RVM.4)
    return a, rest / (n - gamma.sum())  # (RVM.4)


def em(step, rest, n):
    """The same by expectation and maximisation."""
    a = 1 / (step.mu**2 + step.Sigma.diagonal())  # (RVM.5)
    return a, (rest + determined(step).sum() / step.beta) / n  # (RVM.5)


def determined(step):
    """γ_i = 1 - a_i Σ_ii: by what share the data, and not its prior, determines a weight."""
    return np.maximum(1 - step.a * step.Sigma.diagonal(), 1e-16)


def climbed(steps, tol):
    """The last step, the evidence of each, and has it come to rest? No other step is kept: each has an n x n matrix."""
    evidence, old, rest = [], None, False
    for step in steps:
        evidence.append(step.evidence)
        old, rest = step, old is not None and at_rest(old, step, tol)
    return old, np.array(evidence), rest


def at_rest(old, new, tol):
    return len(old.kept) == len(new.kept) and abs(new.evidence - old.evidence) < tol
