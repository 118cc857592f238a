"""Correlations between two views, linear and in feature space."""

import numpy as np

from . import _checks as check
from ._bases import Transformer
from .engine.eigen import RANK_TOL, settling_signs
from .engine.tiles import sums_over
from .ica import ICAStep, KernelICA, amari_error  # noqa: F401
from .kernels import Gaussian
from .spectrum import FORMS, eigenpairs, shrink


class _TwoViews(Transformer):
    """What both CCAs share: fit(X, Y), transform(X) for one view, transform(X, Y) for both."""

    def fit(self, X, Y=None):
        return super().fit(X, Y)

    def accept(self, X, Y=None):
        X = check.matrix(X, min_samples=self.min_samples)
        X, Y = check.pair(X, check.given(Y, self))
        self.n_features_y_ = Y.shape[1]
        return X, Y

    def transform(self, X, Y=None):  # (m, d) -> (m, k); with Y (m, e) a pair of them
        x_scores = self.x_scores(self._check_new(X))
        if Y is None:
            return x_scores
        Y = check.same_features(check.matrix(check.column(Y), "Y"), self.n_features_y_, self)
        return x_scores, self.y_scores(Y)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = tags.target_tags.multi_output = True
        return tags


class CCA(_TwoViews):
    """max corr(Xa, Yb): the singular values of QxᵀQy, orthonormal bases of the centred columns  (CCA.1)

    correlations_ (k,), descending; x_weights_ (d, k) and y_weights_ (e, k) give scores of variance one  (CCA.2)
    H. Hotelling, Relations between two sets of variates, Biometrika 28, 1936.  Page 000/s6.
    """

    n_components: check.optional(check.count) = None

    def fit_to(self, X, Y):
        self.x_mean_, self.y_mean_ = X.mean(0), Y.mean(0)
        Qx, Rx = orthonormal(X, "X")
        Qy, Ry = orthonormal(Y, "Y")
        P, self.correlations_, Q = leading_pairs(Qx, Qy, self.n_components)  # (CCA.1)
        self.x_weights_ = np.sqrt(len(X)) * Rx @ P  # (CCA.2)
        self.y_weights_ = np.sqrt(len(X)) * Ry @ Q  # (CCA.2)

    def x_scores(self, X):
        return (X - self.x_mean_) @ self.x_weights_

    def y_scores(self, Y):
        return (Y - self.y_mean_) @ self.y_weights_


class KernelCCA(_TwoViews):
    """max αᵀKxKyβ / √(αᵀ(Kx² + κKx)α · βᵀ(Ky² + κKy)β), Gram matrices centred                  (CCA.3)

    = singular values of (Λx + κ)^-½ ZxᵀZy (Λy + κ)^-½ in the coordinates of NPT                (CCA.4)
    form="bach_jordan": of (Kx + κ/2)^-1 Kx Ky (Ky + κ/2)^-1, the same to first order in κ      (CCA.5)

    Without κ, functions rich enough correlate perfectly on any sample. kappa=None takes 2 % of tr(Kc) for each view.
    correlations_ (k,), alphas_x_ (n, k), alphas_y_ (n, k): scores Σ α_i kc(x, x_i), var + (κ/n)|f|² = 1.
    F. Bach, M. Jordan, Kernel independent component analysis, JMLR 3, 2002.  Page 002/s29.
    """

    kernel_x: check.kernel = Gaussian("median")
    kernel_y: check.kernel = Gaussian("median")
    kappa: check.optional(check.non_negative) = None
    n_components: check.optional(check.count) = None
    form: check.choice(*FORMS) = "norm"
    needs = "distances"

    def fit_to(self, X, Y):
        lam, U = eigenpairs(X, self.kernel_x)
        mu, V = eigenpairs(Y, self.kernel_y, name="Y")
        c, d = (shrink(values, self.kappa, self.form) for values in (lam, mu))
        P, self.correlations_, Q = leading_pairs(U * (lam * c), V * (mu * d), self.n_components)  # (CCA.4), (CCA.5)
        self.alphas_x_ = np.sqrt(len(X)) * (U * c) @ P
        self.alphas_y_ = np.sqrt(len(X)) * (V * d) @ Q
        # Σα = 0, so centring leaves only a constant
        self.offset_x_ = sums_over(self.kernel_x, X, self.kernel_x.points(X, np.arange(len(X))), self.alphas_x_).mean(0)
        self.offset_y_ = sums_over(self.kernel_y, Y, self.kernel_y.points(Y, np.arange(len(Y))), self.alphas_y_).mean(0)
        self.X_, self.Y_ = X.copy(), Y.copy()

    def x_scores(self, X):
        return sums_over(self.kernel_x, X, self.X_, self.alphas_x_) - self.offset_x_

    def y_scores(self, Y):
        return sums_over(self.kernel_y, Y, self.Y_, self.alphas_y_) - self.offset_y_


def orthonormal(X, name):
    """Q (n, r) with orthonormal columns that span those of Xc, and R (d, r) with Q = Xc R."""
    Xc = X - X.mean(0)
    unit = np.linalg.norm(Xc, axis=0)  # each feature in units of its own, so that none is lost for being small
    unit[unit <= len(X) * np.finfo(float).eps * np.abs(X).max(0)] = np.inf
    U, s, Vt = np.linalg.svd(Xc / unit, full_matrices=False)
    keep = s > RANK_TOL * s[0]
    if not keep.any():
        raise ValueError(f"The rows of {name} are all the same: nothing correlates with a constant, vary the data.")
    return U[:, keep], Vt[keep].T / s[keep] / unit[:, None]


def leading_pairs(A, B, n_components):
    """AᵀB = P S Qᵀ, largest first and none beyond 1, signs settled on the scores AP; -> P (r, k), s (k,), Q (q, k)."""
    P, s, Qt = np.linalg.svd(A.T @ B, full_matrices=False)
    k = len(s) if n_components is None else n_components
    if k > len(s):
        raise ValueError(f"n_components = {k}, but these views have only {len(s)} pairs: ask for fewer.")
    P, Q = P[:, :k], Qt.T[:, :k]
    sign = settling_signs(A @ P)
    return P * sign, np.minimum(s[:k], 1.0), Q * sign  # beyond 1 is rounding
