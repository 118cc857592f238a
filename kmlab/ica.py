"""Sources found by making the kernel correlations between them vanish."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Stepwise, Transformer
from .engine.eigen import RANK_TOL, TINY, rounding, settle_signs
from .kernels import Gaussian
from .spectrum import FORMS, eigenpairs, shrunk

GOLDEN = (np.sqrt(5) - 1) / 2
ROUNDING = 1e-12  # angles that are closer have the same J, up to rounding
SETTLED = 1e-4  # a sweep that lowers the contrast by less has nothing left to do


class ICAStep(NamedTuple):
    """One turn of two components: where they are now, and the contrast of all."""

    sweep: int
    pair: tuple
    angle: float
    contrast: float
    rotation: np.ndarray


class KernelICA(Stepwise, Transformer):
    """Independent sources s = W (x - mean): whiten, then turn until no kernel correlation is left.

    J = Σ_{i<j} -½ ln(1 - kcc(s_i, s_j)²)                                                       (CCA.6)
    s_i ← cos θ s_i + sin θ s_j,  s_j ← cos θ s_j - sin θ s_i, θ in [0, π/2) with the least J   (CCA.7)

    θ by a grid of n_angles, then golden section down to tol; more than two sources start where Σ kurtosis² is
    largest and then turn pair by pair, in at most max_passes sweeps over all pairs (Jacobi).
    components_ (m, m) holds W, mixing_ its inverse; angle_ the turn for two sources; contrast(angle) draws J.
    F. Bach, M. Jordan, Kernel independent component analysis, JMLR 3, 2002.  Page 002/s29.
    """

    kernel: check.kernel = Gaussian()
    kappa: check.optional(check.non_negative) = None
    form: check.choice(*FORMS) = "norm"
    n_angles: check.count_from(4) = 24
    tol: check.positive = 1e-5
    max_passes: check.count = 10
    min_samples = 3
    needs = "distances"

    def fit_to(self, X):
        self.white_, self.mean_, whitening = whitened(X)
        R, self.angle_, self.contrast_ = np.eye(X.shape[1]), 0.0, 0.0
        if len(R) > 1:
            end = self.run_steps(self.turns(self.white_), "raise max_passes, or leave out features")
            R, self.angle_, self.contrast_ = end.rotation, end.angle, end.contrast
        else:
            self.n_iter_, self.converged_ = 0, True
        self.components_ = R @ whitening
        self.mixing_ = np.linalg.inv(self.components_)

    def each_step(self, X):
        return self.turns(whitened(X)[0])

    def turns(self, S):
        """Every turn of every pair of whitened mixtures, an ICAStep each."""
        R = np.eye(S.shape[1]) if S.shape[1] <= 2 else by_kurtosis(S)  # many pairs need a start, or they get stuck
        F, value = [self.values(s) for s in R @ S.T], np.inf
        for sweep in range(self.max_passes):
            before = value
            for i, j in combinations(range(len(R)), 2):
                angle = least_angle(self.contrast_of_pair(R @ S.T, F, i, j), self.n_angles, self.tol)
                R = rotated(R, i, j, angle)  # (CCA.7)
                F[i], F[j] = (self.values(s) for s in R[[i, j]] @ S.T)
                value = sum(information(A, B) for A, B in combinations(F, 2))  # (CCA.6)
                yield ICAStep(sweep, (i, j), angle, value, R)
            if len(R) <= 2 or before - value < SETTLED:
                return True

    def _follow(self, X):
        super()._follow(whitened(X)[0][:, :1])  # the kernel sees one source at a time, of variance one

    def _look_for_images(self, X):
        super()._look_for_images(whitened(X)[0][:, :1])

    def transform(self, X):  # (n, m) -> (n, m)
        return (self._check_new(X) - self.mean_) @ self.components_.T

    def contrast(self, angle):
        """J of the two whitened mixtures turned by the angle (or each of several); periodic with π/2."""
        self._check_fitted()
        if self.white_.shape[1] != 2:
            raise ValueError(f"One angle turns two sources, got {self.white_.shape[1]}: look at steps(X) instead.")
        J = self.contrast_of_pair(self.white_.T, [], 0, 1)
        return np.array([J(a) for a in angle]) if np.ndim(angle) else J(float(angle))

    def contrast_of_pair(self, S, F, i, j):
        """The part of J that moves when the rows i and j of S are turned, as a function of the angle; F has values."""
        others = [values for k, values in enumerate(F) if k not in (i, j)]

        def J(angle):
            A, B = (self.values(s) for s in turned(S[i], S[j], angle))
            return information(A, B) + sum(information(A, C) + information(B, C) for C in others)

        return J

    def values(self, s):
        """What all functions of one source with a penalised sum of squares of one are on the sample; (n,) -> (n, r)."""
        return shrunk(*eigenpairs(s[:, None], self.kernel), self.kappa, self.form)


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


def information(A, B):
    """-½ ln(1 - kcc²), what two Gaussians with this correlation know of each other."""
    kcc = min(np.linalg.svd(A.T @ B, compute_uv=False)[0], 1 - 1e-15)  # at 1 the logarithm would end
    return -0.5 * np.log1p(-(kcc**2))


def whitened(X):
    """Rows of mean zero and covariance I: S = (X - mean) Wᵀ; -> S, mean, W (m, m)."""
    mean = X.mean(0)
    _, s, Vt = np.linalg.svd(X - mean, full_matrices=False)
    if len(X) <= X.shape[1] or s[-1] <= max(np.sqrt(RANK_TOL) * s[0], rounding(X), TINY):
        raise ValueError(
            f"X has {X.shape[1]} features, but fewer independent directions: as many sources cannot be told apart. "
            "Leave features out, or reduce them with PCA first."
        )
    W = np.sqrt(len(X)) * settle_signs(Vt.T).T / s[:, None]
    return (X - mean) @ W.T, mean, W


def by_kurtosis(S):
    """The rotation of largest Σ kurtosis², a contrast without kernels that is smooth and cheap to climb."""
    R = np.eye(S.shape[1])
    for i, j in 3 * list(combinations(range(len(R)), 2)):
        s, t = R[[i, j]] @ S.T
        R = rotated(R, i, j, least_angle(lambda angle, s=s, t=t: -_kurtosis2(turned(s, t, angle)), 16, 1e-3))
    return R


def _kurtosis2(S):
    return (((S**4).mean(1) - 3) ** 2).sum()  # of rows with variance one


def turned(s, t, angle):
    """Two rows turned in their plane."""
    c, d = np.cos(angle), np.sin(angle)
    return np.array([c * s + d * t, c * t - d * s])  # (CCA.7)


def rotated(R, i, j, angle):
    """R with its rows i and j turned."""
    R = R.copy()
    R[[i, j]] = turned(R[i], R[j], angle)
    return R


def least_angle(J, n_angles, tol):
    """The angle in [0, π/2) of the least J, by a grid and then golden section; 0 if none is better than that."""
    step = np.pi / 2 / n_angles
    grid = [J(step * k) for k in range(n_angles)]
    low, high = step * (np.argmin(grid) - 1), step * (np.argmin(grid) + 1)
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    Ja, Jb = J(a), J(b)
    while high - low > max(tol, ROUNDING):  # the minimum stays between low and high
        if Ja < Jb:
            high, b, Jb = b, a, Ja
            a = high - GOLDEN * (high - low)
            Ja = J(a)
        else:
            low, a, Ja = a, b, Jb
            b = low + GOLDEN * (high - low)
            Jb = J(b)
    return float(a if Ja < Jb else b) % (np.pi / 2) if min(Ja, Jb) < grid[0] else 0.0
