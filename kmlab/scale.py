"""When n is large: few landmarks, few pivots, random waves, and products with a Gram matrix that is never stored.

Z = Nystroem(Gaussian(2.0), 300).fit_transform(X)       # (60000, 300) instead of (60000, 60000)
scores = PCA(2).fit_transform(Z)                        # kernel PCA
model = PrimalSVC(C=10.0).fit(Z, y)                     # a kernel SVM
"""

import sys
import time
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.linalg.blas import dtrmm

from . import _checks as check
from ._bases import Transformer, TwoClasses
from .engine.cholesky import pivot_steps, to_the_end
from .engine.eigen import RANK_TOL
from .features import frequencies
from .gram import Gram
from .kernels import Gaussian, Precomputed

TILE = 2**20  # bytes of features that are made at once: they stay in the processor's cache
ROUNDING = 1e-8  # of a share of k(x, x); what is below zero by more is no rounding error
PICKS = ("uniform", "largest", "weighted")


class FeatureMap(Transformer):
    """Features of the rows of X, some rows at a time; those of a Dask array are computed when it is, block by block.

    A subclass says in `_features` what to do with checked rows, and in fit how many features there are.
    """

    def transform(self, X):  # (m, d) -> (m, n_features_out_)
        if _is_lazy(X):
            return self._transform_later(X)
        X = self._check_new(X)
        Z = np.empty((len(X), self.n_features_out_))
        for rows in strips(len(X), TILE // (8 * self.n_features_out_), type(self).__name__ * bool(self.progress)):
            self._features(X[rows], Z[rows])
        return Z

    def _transform_later(self, X):
        self._check_fitted()
        X = check.same_features(X, self.n_features_in_, self).rechunk({1: -1})  # rows whole
        chunks, nothing = (X.chunks[0], (self.n_features_out_,)), np.empty((0, self.n_features_out_))
        return X.map_blocks(lambda B: self.transform(B) if len(B) else nothing, chunks=chunks, meta=nothing)


class Nystroem(FeatureMap):
    """Z = K_nm L⁻ᵀ with K_mm = L Lᵀ for m landmarks, so that Z Zᵀ = K_nm K_mm⁻¹ K_mn ≈ K                   (SCALE.1)

    Up to a rotation these are the coordinates of the nonlinear projection trick with the landmarks for training points
    and everybody else as a new point. `pick` says which rows of X become landmarks: "uniform" any, "largest" and
    "weighted" as in pivoted_cholesky. Landmarks that the others explain are dropped.

    landmarks_ (r, d), landmark_indices_ (r,), n_features_out_ = r ≤ m.
    C. Williams, M. Seeger, Using the Nyström method to speed up kernel machines, NIPS 2000.
    """

    def __init__(self, kernel=Gaussian(), n_landmarks=100, seed=0, pick="uniform", progress=False):
        self.kernel = kernel
        self.n_landmarks = n_landmarks
        self.seed = seed
        self.pick = pick
        self.progress = progress

    def fit(self, X, y=None):
        kernel, m, rng = _no_matrix(self.kernel), check.count(self.n_landmarks, "n_landmarks"), check.seeded(self.seed)
        pick = check.one_of(self.pick, PICKS, "pick")
        X = _spread(X, pick) if _is_lazy(X) else check.matrix(X)
        if pick == "uniform":
            index = np.sort(rng.choice(X.shape[0], min(m, X.shape[0]), replace=False))
        else:
            index = pivoted_cholesky(kernel, X, m, pick, self.seed).pivots
        rows = np.asarray(X[index])  # of a Dask array only the blocks that hold them are computed
        L, pivots, _ = pivoted_cholesky(Precomputed(), kernel(rows), m)
        self.landmarks_, self.landmark_indices_ = rows[pivots], index[pivots]
        self.inverse_ = solve_triangular(L[pivots], np.eye(len(pivots)), lower=True, check_finite=False)
        self.n_features_in_, self.n_features_out_ = X.shape[1], len(pivots)
        return self

    def _features(self, X, Z):
        K = self.kernel(X, self.landmarks_)
        # a triangular product takes half the time of a square one; BLAS reads columns, hence the transposes
        Z[:] = dtrmm(1.0, self.inverse_, K.T, lower=1).T  # (SCALE.1)


class RandomFourier(FeatureMap):
    """z(x) = √(2/m) (cos ωᵀx, sin ωᵀx) for m/2 random ω: E z(x)ᵀz(x') = E cos ωᵀ(x - x') = k(x, x')        (SCALE.2)

    The kernel must be Gaussian or Exponential, see features.frequencies. Nothing is learned from X but its width.
    frequencies_ (m/2, d).  Page 003/s13.
    A. Rahimi, B. Recht, Random features for large-scale kernel machines, NIPS 2007; D. Sutherland, J. Schneider, On the
    error of random Fourier features, UAI 2015: for a Gaussian, pairs of cos and sin err less than random phases.
    """

    def __init__(self, kernel=Gaussian(), n_features=100, seed=0, progress=False):
        self.kernel = kernel
        self.n_features = n_features
        self.seed = seed
        self.progress = progress

    def fit(self, X, y=None):
        X = X if _is_lazy(X) else check.matrix(X)
        m = check.count(self.n_features, "n_features", at_least=2)
        if m % 2:
            raise ValueError(f"n_features must be even, a cosine and a sine for each wave, got {m}: take {m + 1}.")
        self.frequencies_ = frequencies(self.kernel, X.shape[1], m // 2, check.seeded(self.seed))
        self.n_features_in_, self.n_features_out_ = X.shape[1], m
        return self

    def _features(self, X, Z):
        half, size = Z.shape[1] // 2, np.sqrt(2 / Z.shape[1])
        # one tangent t of half the angle gives both: cos = 2 / (1 + t²) - 1 and sin = t · 2 / (1 + t²)
        t = np.tan(X @ (self.frequencies_ / 2).T)
        q = 2 * size / (1 + t * t)
        np.subtract(q, size, out=Z[:, :half])  # (SCALE.2)
        np.multiply(t, q, out=Z[:, half:])


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
    K = Gram(kernel, X, wanted=most)
    return pivot_steps(K, min(most, len(X)), RANK_TOL * max(K.diag.max(), 0), rng)  # (SCALE.3)


def gram_times(kernel, X, V, Z=None, memory=2**25, progress=False):
    """(K V)_i = Σ_j k(X_i, Z_j) V_j, tile by tile within `memory` bytes: K is never there                 (SCALE.5)

    Without Z it is the Gram matrix of X, and a tile k(X_i, X_j) serves as K_ji too.
    (n, d), (m,) or (m, p) [, (m, d)] -> (n,) or (n, p)
    """
    X, other, kernel = check.matrix(X), None if Z is None else check.matrix(Z, "Z"), _no_matrix(kernel)
    m, side = (
        len(X if other is None else other),
        int(np.sqrt(check.count(memory, "memory") / 32)),
    )  # a tile, and its making
    V = check.vector(V, "V", m) if np.ndim(V) == 1 else check.matrix(V, "V")
    if len(V) != m:
        raise ValueError(f"V has {len(V)} rows for {m} points: give one for each.")
    out = np.zeros((len(X), *V.shape[1:]))
    for i in strips(len(X), side, "Gram product" * bool(progress)):
        if other is None:
            out[i] += kernel(X[i]) @ V[i]
        for j in strips(m, side, begin=i.stop if other is None else 0):
            tile = kernel(X[i], X[j] if other is None else other[j])  # (SCALE.5)
            out[i] += tile @ V[j]
            if other is None:
                out[j] += tile.T @ V[i]
    return out


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
    X = check.matrix(X)
    y, lam = check.moderate(check.vector(y, "y", len(X)), "The entries of y"), check.positive(lam, "lam")
    tol, invert = check.positive(tol, "tol"), _preconditioner(kernel, X, lam, check.count(rank, "rank", at_least=0))
    alpha, r = np.zeros(len(y)), y.copy()
    p = s = invert(r)
    for _ in range(check.count(max_steps, "max_steps")):
        Ap = gram_times(kernel, X, p, memory=memory) + lam * p
        if not (bend := p @ Ap) > 0:
            if y.any():
                raise ValueError(f"K + λI is not positive definite for lam = {lam:g}: raise it, or change the kernel.")
            bend = 1.0  # α = 0 solves it
        step = (r @ s) / bend
        alpha, rs = alpha + step * p, r @ s
        r = r - step * Ap
        yield RidgeStep(alpha, residual := float(np.linalg.norm(r) / (np.linalg.norm(y) or 1.0)))
        if residual <= tol:
            return
        s = invert(r)
        p = s + (r @ s / rs) * p


class NewtonStep(NamedTuple):
    """w and b after a step, the objective, and which rows lie within the margin."""

    w: np.ndarray
    b: float
    objective: float
    active: np.ndarray


class PrimalSVC(TwoClasses):
    """min ½|w|² + C Σ (1 - y_i (wᵀz_i + b))₊²: SVC(Linear(), C, slack=2) for many rows and few features    (SCALE.7)

    Newton's method: on the rows A within the margin it is a ridge problem in as many unknowns as there are features,
    (½I + C Z_AᵀZ_A) w = C Z_Aᵀ(y_A - b), and b free. When A repeats, the optimum is reached               (SCALE.8)

    w_ (r,), b_, objective_, n_iter_.
    O. Chapelle, Training a support vector machine in the primal, Neural Computation 19, 2007.
    """

    def __init__(self, C=1.0, max_steps=100):
        self.C = C
        self.max_steps = max_steps

    def fit(self, X, y):
        X = check.matrix(X, min_samples=2)
        self.classes_, sign = self._signs(X, y)
        for n, last in enumerate(self._newton(X, sign), 1):
            self.w_, self.b_, self.objective_, self.n_iter_ = last.w, last.b, last.objective, n
        self.n_features_in_ = X.shape[1]
        return self

    def steps(self, X, y):
        """The steps of Newton's method; the objective falls in each."""
        X = check.matrix(X, min_samples=2)
        yield from self._newton(X, self._signs(X, y)[1])

    def decision_function(self, X):
        return self._check_new(X) @ self.w_ + self.b_

    def _newton(self, Z, y):
        C, n, r = check.positive(self.C, "C"), *Z.shape
        ridge = np.append(np.full(r, 0.5 / C), 0)
        v, f, value, active = np.zeros(r + 1), np.zeros(n), C * n, np.ones(n, dtype=bool)
        for _ in range(check.count(self.max_steps, "max_steps")):
            H, g = np.diag(ridge), np.zeros(r + 1)
            for rows in strips(n, TILE // (8 * r)):  # or the rows within the margin would be a second Z
                inside = active[rows]
                A = np.column_stack([Z[rows][inside], np.ones(inside.sum())])
                H += A.T @ A
                g += y[rows][inside] @ A
            try:
                d = np.linalg.solve(H, g) - v  # (SCALE.8)
            except np.linalg.LinAlgError:
                lost = "The length of w is lost beside the squares of this data: scale it, or lower C."
                raise ValueError(lost) from None
            df, step = Z @ d[:-1] + d[-1], 1.0
            most = value * (1 + 1e-12)  # at the optimum rounding decides, and must not halve a last step
            while (new := _margin_cost(v + step * d, f + step * df, y, C)) > most and step > 1e-10:
                step /= 2  # the full step can jump over the minimum when many rows change sides
            v, f, value, before = v + step * d, f + step * df, min(new, value), active
            active = y * f < 1
            yield NewtonStep(v[:-1], float(v[-1]), value, active)
            if (step == 1 and np.array_equal(active, before)) or step <= 1e-10:
                return


def strips(n, height, name="", begin=0):
    """Slices of `height` rows from `begin` to n; with a name a bar on the screen, once two seconds have passed."""
    height, due, shown = max(1, height), time.monotonic() + 2, False
    for i in range(begin, n, height):
        yield slice(i, min(i + height, n))
        if name and time.monotonic() > due:
            done, shown, due = min(i + height, n) / n, True, time.monotonic() + 0.2
            print(f"\r{name} {'█' * int(30 * done):<30} {done:4.0%}", end="", file=sys.stderr, flush=True)
    if shown:
        print(f"\r{name} {'█' * 30} 100%", file=sys.stderr)


def _is_lazy(X):
    """Is X a Dask array? If it is, dask has been imported already, and not by kmlab."""
    return "dask.array" in sys.modules and isinstance(X, sys.modules["dask.array"].Array)


def _spread(X, pick):
    """A Dask array again, if landmarks can be picked from it without a look at all of it."""
    if np.isnan(X.shape[0]):
        raise ValueError("The Dask array does not know how many rows it has: call X.compute_chunk_sizes() first.")
    if pick != "uniform":
        raise ValueError(
            f"pick={pick!r} has to look at all rows, which a Dask array does not have in one place: use 'uniform', or "
            "fit on a sample of its rows, X[::100].compute(), and then transform all of them."
        )
    return X


def _no_matrix(kernel):
    if isinstance(check.kernel(kernel), Precomputed):
        raise ValueError("With Precomputed() the matrix is there already, and this is about not having it: use NPT.")
    return kernel


def _margin_cost(v, f, y, C):
    return 0.5 * v[:-1] @ v[:-1] + C * (np.maximum(1 - y * f, 0) ** 2).sum()  # (SCALE.7)


def _preconditioner(kernel, X, lam, rank):
    if rank == 0:
        return lambda r: r
    L = pivoted_cholesky(kernel, X, rank).L
    small = L.T @ L
    small.flat[:: len(small) + 1] += lam
    factor = cho_factor(small, lower=True, check_finite=False)
    return lambda r: (r - L @ cho_solve(factor, L.T @ r, check_finite=False)) / lam  # (SCALE.6)
