"""When n is large: few landmarks, few pivots, random waves, and products with a Gram matrix that is never stored.

Z = Nystroem(Gaussian(2.0), 300).fit_transform(X)       # (60000, 300) instead of (60000, 60000)
scores = PCA(2).fit_transform(Z)                        # kernel PCA
model = PrimalSVC(C=10.0).fit(Z, y)                     # a kernel SVM

Where not even Z fits into memory, block by block; X is an array, a file (np.load(..., mmap_mode="r")) or a Dask array:

model = PrimalSVC(C=10.0, features=Nystroem(Gaussian(2.0), 300)).fit(X, y)     # or PrimalRidge, PrimalPCA
answer = model.predict(X)                               # a Dask array is answered when it is computed
"""

import itertools
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from . import _checks as check
from ._bases import Transformer
from ._widths import ready
from .engine.blocks import by_blocks, by_strips
from .engine.cholesky import pivot_steps, times_triangle, to_the_end
from .engine.eigen import RANK_TOL
from .engine.lazy import is_lazy
from .engine.tiles import tiled_product
from .engine.waves import cos_and_sin
from .features import frequencies
from .gram import Gram
from .kernels import Gaussian, Precomputed
from .primal import PrimalPCA, PrimalRidge, PrimalSVC  # noqa: F401

ROUNDING = 1e-8  # of a share of k(x, x); what is below zero by more is no rounding error
PICKS = ("uniform", "largest", "weighted")


class FeatureMap(Transformer):
    """Features of the rows of X, some rows at a time; those of a Dask array are computed when it is, block by block.

    A subclass writes in `features` those of some rows into out, and says in fit_to how many there are.
    """

    min_samples = 1

    def accept(self, X, y=None):
        return (X,) if is_lazy(X) or isinstance(X, np.memmap) else super().accept(X, y)

    def transform(self, X):  # (m, d) -> (m, n_features_out_)
        self._check_fitted()
        if is_lazy(X):
            return by_blocks(self.transform, check.same_features(X, self.n_features_in_, self), self.n_features_out_)
        name = type(self).__name__ if self.progress else ""
        return by_strips(self.features, self._check_new(X), self.n_features_out_, name)


class Nystroem(FeatureMap):
    """Z = K_nm L⁻ᵀ with K_mm = L Lᵀ for m landmarks, so that Z Zᵀ = K_nm K_mm⁻¹ K_mn ≈ K                   (SCALE.1)

    Up to a rotation these are the coordinates of the nonlinear projection trick with the landmarks for training points
    and everybody else as a new point. `pick` says which rows of X become landmarks: "uniform" any, "largest" and
    "weighted" as in pivoted_cholesky. Landmarks that the others explain are dropped.

    landmarks_ (r, d), landmark_indices_ (r,), n_features_out_ = r ≤ m.
    C. Williams, M. Seeger, Using the Nyström method to speed up kernel machines, NIPS 2000.
    """

    kernel: check.kernel = Gaussian("median")
    n_landmarks: check.count = 100
    seed: check.seed = 0
    pick: check.choice(*PICKS) = "uniform"
    progress: check.flag = False

    def fit_to(self, X):
        kernel, index = _no_matrix(self.kernel), self.chosen_rows(X)
        P = np.asarray(X[index])  # of a Dask array only the blocks that hold them are computed
        L, kept, _ = pivoted_cholesky(Precomputed(), kernel(P), len(P))  # K_mm = L Lᵀ
        self.landmarks_, self.landmark_indices_ = P[kept], index[kept]
        self.inverse_ = solve_triangular(L[kept], np.eye(len(kept)), lower=True, check_finite=False)  # L⁻¹
        self.n_features_out_ = len(kept)

    def features(self, X, out):
        out[:] = times_triangle(self.kernel(X, self.landmarks_), self.inverse_)  # (SCALE.1)

    def chosen_rows(self, X):
        """Indices of the rows that become landmarks."""
        if is_lazy(X):
            _uniform_only(X, self.pick)
        if self.pick == "uniform":
            rng = check.seeded(self.seed)
            return np.sort(rng.choice(X.shape[0], min(self.n_landmarks, X.shape[0]), replace=False))
        return pivoted_cholesky(self.kernel, X, self.n_landmarks, self.pick, self.seed).pivots


class RandomFourier(FeatureMap):
    """z(x) = √(2/m) (cos ωᵀx, sin ωᵀx) for m/2 random ω: E z(x)ᵀz(x') = E cos ωᵀ(x - x') = k(x, x')        (SCALE.2)

    The kernel must be Gaussian or Exponential, see features.frequencies. Nothing is learned from X but its width.
    frequencies_ (m/2, d).  Page 003/s13.
    A. Rahimi, B. Recht, Random features for large-scale kernel machines, NIPS 2007; D. Sutherland, J. Schneider, On the
    error of random Fourier features, UAI 2015: for a Gaussian, pairs of cos and sin err less than random phases.
    """

    kernel: check.kernel = Gaussian("median")
    n_features: check.count_from(2) = 100
    seed: check.seed = 0
    progress: check.flag = False

    def fit_to(self, X):
        if (m := self.n_features) % 2:
            raise ValueError(f"n_features must be even, a cosine and a sine for each wave, got {m}: take {m + 1}.")
        self.frequencies_ = frequencies(self.kernel, X.shape[1], m // 2, check.seeded(self.seed))
        self.n_features_out_ = m

    def features(self, X, out):
        size = np.sqrt(2 / self.n_features_out_)  # (SCALE.2)
        cos_and_sin(X @ self.frequencies_.T, size, out=out)  # (SCALE.2)


class Factor(NamedTuple):
    """K - L Lᵀ is positive semi-definite with the trace `missing`: no entry and no eigenvalue is off by more."""

    L: np.ndarray  # (n, r)
    pivots: np.ndarray  # (r,)
    missing: float


def pivoted_cholesky(kernel, X, rank, pick="largest", seed=0):
    """K ≈ L Lᵀ from `rank` rows of K: L_·r = (K_·i - L L_i·) / √rest_i,  rest = diag(K - L Lᵀ)             (SCALE.3)

    tr(K - L Lᵀ) = Σ rest bounds every error                                                              (SCALE.4)
    The next row i is where the rest is "largest", or drawn with the rest as its weight: "weighted".
    (n, d) -> Factor(L (n, r), pivots (r,), missing); r < rank if nothing is missing any more.
    S. Fine, K. Scheinberg, Efficient SVM training using low-rank kernel representations, JMLR 2, 2001; Y. Chen,
    E. Epperly, J. Tropp, R. Webber, Randomly pivoted Cholesky, Comm. Pure and Applied Mathematics, 2025.
    """
    L, pivots, rest = to_the_end(factor_steps(kernel, X, rank, pick, seed), np.zeros(len(X)))
    if len(pivots) == 0:
        raise ValueError("k(x, x) is zero for every row of X, so there is nothing to factorise: check the kernel.")
    if rest.min() < -ROUNDING * (L**2).sum(1).max():
        raise ValueError("K has a negative eigenvalue, so it is no L Lᵀ: use a positive semi-definite kernel.")
    return Factor(L, pivots, float(np.maximum(rest, 0).sum()))  # (SCALE.4)


def factor_steps(kernel, X, rank, pick="largest", seed=0):
    """The steps of pivoted_cholesky: index of the row, Lᵀ (r, n) so far, and the rest (n,)."""
    X, most = check.matrix(X), check.count(rank, "rank")
    rng = check.seeded(seed) if check.one_of(pick, PICKS[1:], "pick") == "weighted" else None
    K = Gram(kernel, X, wanted=most, memory=0)  # a row is needed once
    return pivot_steps(K, min(most, len(X)), RANK_TOL * max(K.diag.max(), 0), rng)  # (SCALE.3)


def gram_times(kernel, X, V, Z=None, memory=2**25, progress=False):
    """(K V)_i = Σ_j k(X_i, Z_j) V_j, tile by tile within `memory` bytes: K is never there                 (SCALE.5)

    Without Z it is the Gram matrix of X, and a tile k(X_i, X_j) serves as K_ji too.
    (n, d), (m,) or (m, p) [, (m, d)] -> (n,) or (n, p)
    """
    X, Z, kernel = check.matrix(X), None if Z is None else check.matrix(Z, "Z"), _no_matrix(kernel)
    m = len(X if Z is None else Z)
    V = check.vector(V, "V", m) if np.ndim(V) == 1 else check.matrix(V, "V")
    if len(V) != m:
        raise ValueError(f"V has {len(V)} rows for {m} points: give one for each.")
    name = "Gram product" if check.flag(progress, "progress") else ""
    return tiled_product(kernel, X, V, Z, check.count(memory, "memory"), name)  # (SCALE.5)


class RidgeStep(NamedTuple):
    """α after a step of conjugate gradients, and |y - (K + λI)α| / |y|."""

    alpha: np.ndarray
    residual: float


def ridge_steps(kernel, X, y, lam=1.0, rank=0, tol=1e-6, max_steps=1000, memory=2**25):
    """(K + λI) α = y by conjugate gradients: one gram_times a step, until |y - (K + λI)α| ≤ tol |y|

    rank > 0 looks at the problem through L Lᵀ + λI, L from pivoted_cholesky, which can be inverted at once:
    (L Lᵀ + λI)⁻¹ r = (r - L (LᵀL + λI)⁻¹ Lᵀr) / λ                                                        (SCALE.6)
    M. Hestenes, E. Stiefel, Methods of conjugate gradients for solving linear systems, 1952.
    """
    X, lam, tol = check.matrix(X), check.positive(lam, "lam"), check.positive(tol, "tol")
    y = check.moderate(check.vector(y, "y", len(X)), "The entries of y")
    memory, most = check.count(memory, "memory"), check.count(max_steps, "max_steps")
    invert = _preconditioner(_no_matrix(kernel), X, lam, check.count(rank, "rank", at_least=0))

    def times(p):
        return tiled_product(kernel, X, p, memory=memory)  # (SCALE.5)

    return itertools.islice(conjugate_gradients(times, y, lam, invert, tol), most)


def conjugate_gradients(times, y, lam, invert, tol):
    """(K + λI) α = y by products times(p) = K p; invert(r) is about (K + λI)⁻¹ r, and the better, the fewer steps."""
    alpha, r = np.zeros(len(y)), y.copy()
    p = s = invert(r)
    while True:
        Ap, rs = times(p) + lam * p, r @ s
        step = rs / _curvature(p @ Ap, y, lam)
        alpha = alpha + step * p
        r = r - step * Ap
        residual = float(np.linalg.norm(r) / (np.linalg.norm(y) or 1.0))
        yield RidgeStep(alpha, residual)
        if residual <= tol:
            return
        s = invert(r)
        p = s + (r @ s / rs) * p


def _curvature(bend, y, lam):
    """pᵀ(K + λI)p, refused where it is not positive; but where y = 0, α = 0 solves it, and any will do."""
    if not bend > 0 and y.any():
        raise ValueError(f"K + λI is not positive definite for lam = {lam:g}: raise it, or change the kernel.")
    return bend if bend > 0 else 1.0


def _uniform_only(X, pick):
    """Refuses a Dask array from which landmarks cannot be picked without a look at all of it."""
    if np.isnan(X.shape[0]):
        raise ValueError("The Dask array does not know how many rows it has: call X.compute_chunk_sizes() first.")
    if pick != "uniform":
        raise ValueError(
            f"pick={pick!r} has to look at all rows, which a Dask array does not have in one place: use 'uniform', or "
            "fit on a sample of its rows, X[::100].compute(), and then transform all of them."
        )


def _no_matrix(kernel):
    if check.kernel(kernel).pairwise:
        raise ValueError("With Precomputed() the matrix is there already, and this is about not having it: use NPT.")
    return ready(kernel)


def _preconditioner(kernel, X, lam, rank):
    if rank == 0:
        return lambda r: r
    L = pivoted_cholesky(kernel, X, rank).L
    small = L.T @ L
    small.flat[:: len(small) + 1] += lam
    factor = cho_factor(small, lower=True, check_finite=False)
    return lambda r: (r - L @ cho_solve(factor, L.T @ r, check_finite=False)) / lam  # (SCALE.6)
