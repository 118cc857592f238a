"""The Gram matrix K_ij = k(x_i, x_j) as one object: whole, by rows or by tiles, as its size and use ask.

K = Gram(kernel, X)       K[i]  K @ V  K.diag  len(K)  np.asarray(K)
Kc = K.centered()         the same, with the mean of the images as origin
lam, U = largest(K, k)    the leading eigenpairs, whatever the matrix is kept as
"""

from functools import cached_property

import numpy as np

from . import _checks as check
from ._widths import ready
from .centering import Centerer, centered
from .engine.cholesky import from_few_columns
from .engine.distances import FEW, rows_before_all, squares
from .engine.eigen import MANY, RANK_TOL, by_lapack, by_products, rounding, settle_signs, symmetric_times
from .engine.room import at_most
from .engine.tiles import tiled_product
from .kernels import Precomputed

MEMORY = 2**30  # bytes of kernel values that are kept
LARGE = 500  # from here on a few columns are tried before the whole matrix, where all eigenvalues are wanted


class Gram:
    """K_ij = k(x_i, x_j) + ridge δ_ij for the rows of X, a ridge for all or one each; computed when it is asked for.

    wanted: about how many rows will be asked for one by one, if that is known; memory: bytes of values that are kept.
    """

    sums_to_zero = False  # do its eigenvectors?

    def __init__(self, kernel, X, ridge=0.0, wanted=np.inf, memory=None):
        self.kernel, self.X, self.ridge, self.wanted = ready(check.kernel(kernel), X), X, ridge, wanted
        self._has_ridge = bool(np.any(ridge))
        self.memory = at_most(MEMORY, 8 * len(X) ** 2) if memory is None else memory
        self._known, self._most = {}, max(2, self.memory // (8 * len(X)))  # rows that are there, and how many may be

    @classmethod
    def of(cls, K):
        """A symmetric matrix that is there already, unchecked."""
        self = cls(Precomputed(), K)
        self.dense = K
        return self

    def __len__(self):
        return len(self.X)

    def _ridge_of(self, index):
        return self.ridge[index] if np.ndim(self.ridge) else self.ridge

    @cached_property
    def dense(self):
        """The whole matrix; (n, n)."""
        K = self.kernel(self.X)
        if self._has_ridge:
            K = K.copy() if self.kernel.pairwise else K  # there it is the reader's own
            K.flat[:: len(K) + 1] += self.ridge
        return K

    def __array__(self, dtype=None, copy=None):
        return np.array(self.dense, dtype=dtype, copy=copy)

    @property
    def fits(self):
        """Is there room for the whole matrix, or is it there already?"""
        return self._is_there or 8 * len(self) ** 2 <= self.memory

    @property
    def _is_there(self):
        return self.kernel.pairwise or "dense" in vars(self)

    def sparingly(self):
        """The same for somebody who needs few rows, once, and wants no memory taken."""
        return self if self._is_there else Gram(self.kernel, self.X, self.ridge, wanted=0, memory=0)

    @cached_property
    def diag(self):
        """k(x_i, x_i) + ridge; (n,)."""
        whole = self._is_there or (len(self) < LARGE and self._some_rows is None)
        return self.dense.diagonal() if whole else self.kernel.diag(self.X) + self.ridge

    @cached_property
    def column_means(self):
        """The mean of every column; (n,)."""
        if self._is_there or (self.fits and len(self) < LARGE):
            return self.dense.mean(0)
        return tiled_product(self.kernel, self.X, np.full(len(self), 1 / len(self))) + self.ridge / len(self)

    @property
    def rounding(self):
        """How far an eigenvalue can be off by rounding alone: no entry of a psd K is larger than its diagonal."""
        return rounding(self.diag)

    def __matmul__(self, V):
        if self.fits:
            return self.dense @ V
        return tiled_product(self.kernel, self.X, V) + (self.ridge * V.T).T

    @property
    def times(self):
        """V -> K @ V for many products with few columns."""
        return symmetric_times(self.dense) if self.fits else self.__matmul__

    def centered(self):
        """Kc = H K H, H = I - 11ᵀ/n: the inner products of the images less their mean."""
        return Centered(self)

    # ---- rows, for whoever needs a few of them, one after the other

    @cached_property
    def _some_rows(self):
        """A function index -> rows without the ridge, or None where the whole matrix costs less."""
        if self._is_there:
            return None
        one_by_one = not self.fits or self.wanted <= FEW * len(self)  # there is no other way, or none cheaper
        some = np.inf if one_by_one else rows_before_all(self.X)
        self._before_all = 0 if some < self.wanted < np.inf else some
        cheap = self.kernel.row_maker(self.X)
        if cheap is None and one_by_one:
            return lambda index: self.kernel(np.atleast_2d(self.X[index]), self.X)
        return cheap

    def __getitem__(self, i):
        row = self._known.get(i)
        return self._new_row(i) if row is None else row

    def _new_row(self, i):
        if self._some_rows is None or len(self._known) >= self._before_all:
            self._some_rows, self._known, self._most = None, dict(enumerate(self.dense)), len(self)
            return self._known[i]
        if len(self._known) >= self._most:
            self._known = {}
        row = self._known[i] = self._some_rows(i).ravel()
        if self._has_ridge:
            row[i] += self._ridge_of(i)
        return row

    def rows(self, index):
        """A list of rows, of which the unknown ones are computed together."""
        known = self._known
        new = [i for i in index if i not in known]
        if new and (self._some_rows is None or len(known) >= self._before_all):
            self._new_row(new[0])
            known, new = self._known, ()
        if 1 < len(new) <= self._most - len(known):
            for chunk in (new[c : c + 256] for c in range(0, len(new), 256)):
                R = self._some_rows(chunk)
                if self._has_ridge:
                    R[range(len(chunk)), chunk] += self._ridge_of(chunk)
                known.update(zip(chunk, R, strict=True))
            new = ()
        return (self[i] for i in index) if new else map(known.__getitem__, index)

    def sums(self, index, Z):
        """Σ_i K_i z_iᵀ over some rows K_i; Z (len(index), p) -> (n, p)."""
        if self.fits:
            return self.dense[index].T @ Z
        total = tiled_product(self.kernel, self.X, Z, self.X[index])
        total[index] += (self._ridge_of(index) * Z.T).T
        return total

    def seen_from(self, i):
        """The inner products of φ_j - φ_i: the image of point i as origin."""
        return SeenFrom(self, i)


class SeenFrom:
    """⟨φ_j - φ_i, φ_l - φ_i⟩ = K_jl - K_ji - K_il + K_ii, row by row: centring without means."""

    def __init__(self, K, i):
        self.K, self.first, self.corner = K, K[i], K[i][i]
        self.diag = K.diag - 2 * self.first + self.corner

    def __getitem__(self, j):
        return self.K[j] - self.first - self.first[j] + self.corner


class OfFactor:
    """K = Y Yᵀ, never written out."""

    def __init__(self, Y):
        self.Y, self.diag = Y, squares(Y)

    def sums(self, rows, Z):
        return self.Y @ (self.Y[rows].T @ Z)


class Centered:
    """Kc = H K H of a Gram K: kept as K and its means, whole only if somebody asks for it."""

    sums_to_zero = True

    def __init__(self, K):
        self.K = K

    @property
    def rounding(self):
        return self.K.rounding

    @cached_property
    def centerer(self):
        return Centerer().remember(self.K.column_means)

    def sparingly(self):
        return self.K.sparingly()

    def __len__(self):
        return len(self.K)

    @cached_property
    def dense(self):
        return centered(self.K.dense)  # (C.1)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.dense, dtype=dtype, copy=copy)

    @property
    def times(self):
        return self.K.times  # of vectors that sum to zero; what is left of their mean, largest leaves out

    @property
    def trace(self):
        """The variance of the images, times n."""
        return self.K.diag.sum() - len(self) * self.centerer.mean_

    def __matmul__(self, V):
        KV = self.K @ (V - V.mean(0))
        return KV - KV.mean(0)


def largest(K, k=None, tol=RANK_TOL, floor=None):
    """K u = λ u, the k largest λ first (without k, all), only λ > tol λ₁ and above rounding; -> lam (r,), U (n, r).

    K is a Gram, a centred one, or a symmetric array; floor is what counts as rounding error, if not that of K.
    """
    K = K if isinstance(K, Gram | Centered) else Gram.of(K)
    n = len(K)
    wanted = n if k is None else min(k, n)
    if k is None and floor is None and n >= LARGE and tol >= RANK_TOL:
        few = from_few_columns(K.sparingly(), K.sums_to_zero, tol, K.rounding)
        if few is not None:
            return few[0], settle_signs(few[1])
    found = by_products(K.times, n, wanted, K.sums_to_zero) if MANY <= n >= 8 * wanted else None
    lam, U = by_lapack(K.dense, wanted) if found is None else found
    keep = lam[::-1] > max(tol * lam[-1], K.rounding if floor is None else floor)
    lam, U = lam[::-1][keep], U[:, ::-1][:, keep]
    return lam, settle_signs(U - U.mean(0) if K.sums_to_zero else U)
