"""Correlations between two views, linear and in feature space, and sources found by making them vanish."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Transformer
from ._views import as_pair, column, eigenpairs, shrink
from .engine.eigen import RANK_TOL, rounding, settle_signs
from .kernels import Gaussian

GOLDEN = (np.sqrt(5) - 1) / 2
SETTLED = 1e-4  # a sweep that lowers the contrast by less has nothing left to do


class _TwoViews(Transformer):
    """What both CCAs share: fit(X, Y), transform(X) for one view, transform(X, Y) for both."""

    def fit(self, X, Y=None):
        X = check.matrix(X, min_samples=2)  # X first: its faults are told before those of Y
        X, Y = as_pair(X, check.given(Y, self))
        wanted = None if self.n_components is None else check.count(self.n_components, "n_components")
        (A, to_x), (B, to_y) = self._basis(X, "X"), self._basis(Y, "Y")
        P, s, Qt = np.linalg.svd(A.T @ B, full_matrices=False)
        if wanted is not None and wanted > len(s):
            raise ValueError(f"n_components = {wanted}, but these views have only {len(s)} pairs: ask for fewer.")
        P, Q = P[:, :wanted], Qt.T[:, :wanted]
        sign = np.sign(((scores := A @ P) * settle_signs(scores)).sum(0))
        self.correlations_ = np.minimum(s[:wanted], 1.0)  # beyond 1 is rounding
        self._remember(X, Y, *(np.sqrt(len(X)) * W * sign for W in (to_x @ P, to_y @ Q)))
        self.n_features_in_, self.n_features_y_ = X.shape[1], Y.shape[1]
        return self

    def transform(self, X, Y=None):  # (m, d) -> (m, k); with Y (m, e) a pair of them
        x_scores = self._x_scores(self._check_new(X))
        if Y is None:
            return x_scores
        return x_scores, self._y_scores(check.same_features(check.matrix(column(Y), "Y"), self.n_features_y_, self))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = tags.target_tags.multi_output = True
        return tags


class CCA(_TwoViews):
    """max corr(Xa, Yb): the singular values of QxᵀQy, orthonormal bases of the centred columns  (CCA.1)

    correlations_ (k,), descending; x_weights_ (d, k) and y_weights_ (e, k) give scores of variance one  (CCA.2)
    H. Hotelling, Relations between two sets of variates, Biometrika 28, 1936.  Page 000/s6.
    """

    def __init__(self, n_components=None):
        self.n_components = n_components

    def _basis(self, X, name):
        Xc = X - X.mean(0)
        unit = np.linalg.norm(Xc, axis=0)  # each feature in units of its own, so that none is lost for being small
        unit[unit <= len(X) * np.finfo(float).eps * np.abs(X).max(0)] = np.inf
        U, s, Vt = np.linalg.svd(Xc / unit, full_matrices=False)
        keep = s > RANK_TOL * s[0]
        if not keep.any():
            raise ValueError(f"The rows of {name} are all the same: nothing correlates with a constant, vary the data.")
        return U[:, keep], Vt[keep].T / s[keep] / unit[:, None]  # (CCA.1), (CCA.2)

    def _remember(self, X, Y, x_weights, y_weights):
        self.x_mean_, self.y_mean_ = X.mean(0), Y.mean(0)
        self.x_weights_, self.y_weights_ = x_weights, y_weights

    def _x_scores(self, X):
        return (X - self.x_mean_) @ self.x_weights_

    def _y_scores(self, Y):
        return (Y - self.y_mean_) @ self.y_weights_


class KernelCCA(_TwoViews):
    """max αᵀKxKyβ / √(αᵀ(Kx² + κKx)α · βᵀ(Ky² + κKy)β), Gram matrices centred                  (CCA.3)

    = singular values of (Λx + κ)^-½ ZxᵀZy (Λy + κ)^-½ in the coordinates of NPT                (CCA.4)
    form="bach_jordan": of (Kx + κ/2)^-1 Kx Ky (Ky + κ/2)^-1, the same to first order in κ      (CCA.5)

    Without κ, functions rich enough correlate perfectly on any sample. kappa=None takes 2 % of tr(Kc) for each view.
    correlations_ (k,), alphas_x_ (n, k), alphas_y_ (n, k): scores Σ α_i kc(x, x_i), var + (κ/n)|f|² = 1.
    F. Bach, M. Jordan, Kernel independent component analysis, JMLR 3, 2002.  Page 002/s29.
    """

    def __init__(self, kernel_x=Gaussian(), kernel_y=Gaussian(), kappa=None, n_components=None, form="norm"):
        self.kernel_x = kernel_x
        self.kernel_y = kernel_y
        self.kappa = kappa
        self.n_components = n_components
        self.form = form

    def _basis(self, X, name):
        kernel = check.kernel(self.kernel_x if name == "X" else self.kernel_y, f"kernel_{name.lower()}")
        lam, U = eigenpairs(X, kernel, name=name)
        c = shrink(lam, self.kappa, self.form)
        return U * (lam * c), U * c  # (CCA.4), (CCA.5)

    def _remember(self, X, Y, alphas_x, alphas_y):
        self.X_, self.Y_, self.alphas_x_, self.alphas_y_ = X.copy(), Y.copy(), alphas_x, alphas_y
        self.offset_x_ = (self.kernel_x(X) @ alphas_x).mean(0)  # Σα = 0, so centring leaves only a constant
        self.offset_y_ = (self.kernel_y(Y) @ alphas_y).mean(0)

    def _x_scores(self, X):
        return self.kernel_x(X, self.X_) @ self.alphas_x_ - self.offset_x_

    def _y_scores(self, Y):
        return self.kernel_y(Y, self.Y_) @ self.alphas_y_ - self.offset_y_


class ICAStep(NamedTuple):
    """One turn of two components: where they are now, and the contrast of all."""

    sweep: int
    pair: tuple
    angle: float
    contrast: float
    rotation: np.ndarray


class KernelICA(Transformer):
    """Independent sources s = W (x - mean): whiten, then turn until no kernel correlation is left.

    J = Σ_{i<j} -½ ln(1 - kcc(s_i, s_j)²)                                                       (CCA.6)
    s_i ← cos θ s_i + sin θ s_j,  s_j ← cos θ s_j - sin θ s_i, θ in [0, π/2) with the least J   (CCA.7)

    θ by a grid of n_angles, then golden section down to tol; more than two sources start where Σ kurtosis² is
    largest and then turn pair by pair, in sweeps (Jacobi).
    components_ (m, m) holds W, mixing_ its inverse; angle_ the turn for two sources; contrast(angle) draws J.
    F. Bach, M. Jordan, Kernel independent component analysis, JMLR 3, 2002.  Page 002/s29.
    """

    def __init__(self, kernel=Gaussian(), kappa=None, form="norm", n_angles=24, tol=1e-5, max_sweeps=10):
        self.kernel = kernel
        self.kappa = kappa
        self.form = form
        self.n_angles = n_angles
        self.tol = tol
        self.max_sweeps = max_sweeps

    def steps(self, X):
        """Every turn of every pair."""
        return self._turns(_whiten(check.matrix(X, min_samples=3))[0])

    def _turns(self, S):
        n_angles, tol = check.count(self.n_angles, "n_angles", at_least=4), check.positive(self.tol, "tol")
        R = np.eye(S.shape[1]) if S.shape[1] <= 2 else _by_kurtosis(S)  # many pairs need a start, or they get stuck
        F, value = [self._factor(s) for s in R @ S.T], np.inf
        for sweep in range(check.count(self.max_sweeps, "max_sweeps")):
            before = value
            for i, j in combinations(range(len(R)), 2):
                angle, R = _turn(self._of_pair(R @ S.T, F, i, j), R, i, j, n_angles, tol)
                F[i], F[j] = (self._factor(s) for s in R[[i, j]] @ S.T)
                value = sum(_information(A, B) for A, B in combinations(F, 2))  # (CCA.6)
                yield ICAStep(sweep, (i, j), angle, value, R)
            if len(R) <= 2 or before - value < SETTLED:
                return

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=3)
        S, mean, whitening = _whiten(X)
        R, self.angle_, self.contrast_ = np.eye(S.shape[1]), 0.0, 0.0
        for step in self._turns(S):
            R, self.angle_, self.contrast_ = step.rotation, step.angle, step.contrast
        self.mean_, self.white_, self.components_ = mean, S, R @ whitening
        self.mixing_ = np.linalg.inv(self.components_)
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):  # (n, m) -> (n, m)
        return (self._check_new(X) - self.mean_) @ self.components_.T

    def contrast(self, angle):
        """J of the two whitened mixtures turned by the angle (or each of several); periodic with π/2."""
        self._check_fitted()
        if self.white_.shape[1] != 2:
            raise ValueError(f"One angle turns two sources, got {self.white_.shape[1]}: look at steps(X) instead.")
        J = self._of_pair(self.white_.T, [], 0, 1)
        return np.array([J(a) for a in angle]) if np.ndim(angle) else J(float(angle))

    def _of_pair(self, S, F, i, j):
        """The part of J that moves when the rows i and j of S are turned, as a function of the angle; F has factors."""
        others = [factor for k, factor in enumerate(F) if k not in (i, j)]

        def J(angle):
            A, B = (self._factor(s) for s in _turned(S[i], S[j], angle))
            return _information(A, B) + sum(_information(A, C) + _information(B, C) for C in others)

        return J

    def _factor(self, s):
        lam, U = eigenpairs(s[:, None], check.kernel(self.kernel))
        return U * (lam * shrink(lam, self.kappa, self.form))


def amari_error(W, A):
    """How far W A is from a permutation of scaled sources: 0 if it is one, at most 1           (CCA.8)

    W (m, m) unmixes, A (m, m) has mixed.  S. Amari, A. Cichocki, H. Yang, NIPS 1996.
    """
    W, A = check.matrix(W, "W", min_samples=2), check.matrix(A, "A", min_samples=2)
    m = len(W)
    if not W.shape == A.shape == (m, m):
        raise ValueError(f"W and A must have a row and a column for each source, got shapes {W.shape} and {A.shape}.")
    P = np.abs(W @ A)
    if not (P.any(0).all() and P.any(1).all()):
        raise ValueError("W A has a row or a column of zeros, so a source is lost: give matrices that have an inverse.")
    rows, columns = P.sum(1) / P.max(1) - 1, P.sum(0) / P.max(0) - 1
    return float((rows.sum() + columns.sum()) / (2 * m * (m - 1)))  # (CCA.8)


def _information(A, B):
    kcc = min(np.linalg.svd(A.T @ B, compute_uv=False)[0], 1 - 1e-15)  # at 1 the logarithm would end
    return -0.5 * np.log1p(-(kcc**2))


def _whiten(X):
    """Rows of mean zero and covariance I: S = (X - mean) Wᵀ; -> S, mean, W (m, m)."""
    mean = X.mean(0)
    _, s, Vt = np.linalg.svd(X - mean, full_matrices=False)
    if len(X) <= X.shape[1] or s[-1] <= max(np.sqrt(RANK_TOL) * s[0], rounding(X)):
        raise ValueError(
            f"X has {X.shape[1]} features, but fewer independent directions: as many sources cannot be told apart. "
            "Leave features out, or reduce them with PCA first."
        )
    W = np.sqrt(len(X)) * settle_signs(Vt.T).T / s[:, None]
    return (X - mean) @ W.T, mean, W


def _by_kurtosis(S):
    """The rotation of largest Σ kurtosis², a contrast without kernels that is smooth and cheap to climb."""
    R = np.eye(S.shape[1])
    for i, j in 3 * list(combinations(range(len(R)), 2)):
        s, t = R[[i, j]] @ S.T
        R = _turn(lambda angle, s=s, t=t: -((_kurtosis(_turned(s, t, angle))) ** 2).sum(), R, i, j, 16, 1e-3)[1]
    return R


def _kurtosis(S):
    return (S**4).mean(1) - 3  # of rows with variance one


def _turned(s, t, angle):
    c, d = np.cos(angle), np.sin(angle)
    return np.array([c * s + d * t, c * t - d * s])  # (CCA.7)


def _turn(J, R, i, j, n_angles, tol):
    """The angle in [0, π/2) of the least J, and R with its rows i and j turned by it."""
    step = np.pi / 2 / n_angles
    grid = [J(step * k) for k in range(n_angles)]
    low, high = step * (np.argmin(grid) - 1), step * (np.argmin(grid) + 1)
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    Ja, Jb = J(a), J(b)
    while high - low > tol:  # golden section: the minimum stays between low and high
        if Ja < Jb:
            high, b, Jb = b, a, Ja
            a = high - GOLDEN * (high - low)
            Ja = J(a)
        else:
            low, a, Ja = a, b, Jb
            b = low + GOLDEN * (high - low)
            Jb = J(b)
    if not min(Ja, Jb) < grid[0]:
        return 0.0, R
    angle = float(a if Ja < Jb else b) % (np.pi / 2)
    R = R.copy()
    R[[i, j]] = _turned(R[i], R[j], angle)
    return angle, R
