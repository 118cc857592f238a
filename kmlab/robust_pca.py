"""Principal components by a small error instead of a large dispersion: |x - WWᵀx| itself, or the sum of its entries."""

import numpy as np

from . import _checks as check
from ._bases import Stepwise, Transformer
from .engine.eigen import rounding, settle_signs
from .gram import largest

TIE = 1e-9  # two values closer than this are one: rounding must not choose between them
MAX_ROUNDS = 1000  # of a climb: a few dozen are many
SMOOTH = 1e-8  # |r| is replaced by √(r² + SMOOTH), for points of size one


class Axes(Transformer):
    """Orthonormal axes through the mean: components_ (k, d), mean_ (d,)."""

    def set_axes(self, X, W):
        self.components_ = settle_signs(W).T
        self.mean_ = X.mean(0)

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T


class R1PCA(Stepwise, Axes):
    """min_W Σ_i |x_i - WWᵀx_i| with WᵀW = I: the error made small, by its length, not its square   (L1.10)

    Repeated: weight_i = 1/√(r_i² + ε), then W = leading eigenvectors of Σ weight_i x_i x_iᵀ; ε goes down to SMOOTH,
    for with a small ε from the start a line through one of the points would stay there. error_ is the sum.
    C. Ding et al., R1-PCA: rotational invariant L1-norm principal component analysis, ICML 2006.  Page 000/s27.
    """

    n_components: check.count = 1
    max_steps: check.count = 1000

    def fit_to(self, X):
        W, self.error_ = self.run_steps(self.each_step(X), "raise max_steps, or ask for fewer components")
        self.set_axes(X, W)

    def each_step(self, X):
        """(W, objective) of every round; the objective Σ √(r² + ε) never grows."""
        X, unit = _unit_size(X)
        weight = 1 / np.sqrt((X**2).sum(1, keepdims=True) + 1)  # the error of no component: |x_i| itself
        W = _leading(X.T @ (weight * X), self.n_components)
        V, old = X @ W, np.inf
        for t in range(self.max_steps):
            error = np.sqrt(self.squared_errors(X - V @ W.T) + max(0.5**t, SMOOTH))
            yield np.linalg.qr(W)[0], unit * error.sum()
            if error.sum() >= (1 - TIE) * old:
                return True
            old = error.sum()
            W, V = self.weighted_fit(X, W, 1 / error)

    def squared_errors(self, R):  # one for each row
        return (R**2).sum(1, keepdims=True)  # (L1.10)

    def weighted_fit(self, X, W, weight):
        """W and V = XW where the weighted squares of the errors are smallest."""
        W = _leading(X.T @ (weight * X), W.shape[1])
        return W, X @ W


class L1PCA(R1PCA):
    """min_{W,V} Σ_i |x_i - W v_i|₁: absolute errors, entry by entry, so it depends on the axes   (L1.11)

    Repeated: weights 1/√(e_ij² + ε), then V and W in turn by weighted least squares.  Page 000/s27.
    """

    def squared_errors(self, R):  # one for each entry
        return R**2  # (L1.11)

    def weighted_fit(self, X, W, weight):
        """First V for this W, then W for that V."""
        V = _least_squares(W, X, weight)
        return _least_squares(V, X.T, weight.T), V


def _unit_size(X):
    """X centred, in units of its median norm, which no outlier moves; -> X, that norm."""
    norms = np.linalg.norm(X - X.mean(0), axis=1)
    alive = norms > rounding(X)
    unit = np.median(norms[alive]) if alive.any() else 1.0
    return (X - X.mean(0)) * alive[:, None] / unit, unit


def _leading(S, k):
    lam, V = largest(S, k)
    if len(lam) < k:
        raise ValueError(f"n_components = {k}, but the data has only {len(lam)} directions of variance: ask for fewer.")
    return V


def _least_squares(A, B, weight):
    """Row by row, the least-squares coefficients of B on the columns of A with these weights; -> (len(B), k)."""
    normal = np.einsum("ij,jk,jl->ikl", weight, A, A)
    return np.linalg.solve(normal, np.einsum("ij,ij,jk->ik", weight, B, A)[..., None])[..., 0]
