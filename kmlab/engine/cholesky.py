"""The fast form of K = L Lᵀ where few columns are enough: a row of K a step, always where most is missing."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.blas import dtrmm
from scipy.linalg.lapack import dpotrf

from .. import _checks as check
from .eigen import RANK_TOL

COMPLETE = 1e-12  # a factor that misses less of the largest k(x, x) than this share is complete


class Pivot(NamedTuple):
    """One step of a pivoted Cholesky factorisation: K = L Lᵀ + what is missing, whose diagonal is `rest`."""

    index: int
    L: np.ndarray  # (steps so far, n), a column of L a row
    rest: np.ndarray  # (n,)


def pivot_steps(K, most, stop=0.0, rng=None):
    """A column of L a step, from the row K[i] where most of K.diag is missing; until no more than `stop` is.

    With an rng the row is drawn instead, with a probability in proportion to what is missing of it.
    """
    L, rest = np.empty((most, len(K.diag))), np.array(K.diag, dtype=float)
    for r in range(most):
        i = int(rest.argmax())
        if rest[i] <= stop:
            return
        if rng is not None:
            missing = np.where(rest > stop, rest, 0).cumsum()
            i = int(np.searchsorted(missing, missing[-1] * rng.random(), side="right"))
        L[r] = (K[i] - L[:r, i] @ L[:r]) / np.sqrt(rest[i])
        rest = rest - L[r] ** 2
        rest[i] = 0  # and from here on it only falls: no row is taken twice
        yield Pivot(i, L[: r + 1], rest)


def to_the_end(steps, diag):
    """Pivot steps to their end: L (n, r), pivots (r,), rest (n,); without a step the whole diag is the rest."""
    step, pivots = Pivot(-1, np.empty((0, len(diag))), diag), []
    for step in steps:
        pivots.append(step.index)
    return step.L.T, np.array(pivots, dtype=int), step.rest


class Root:
    """The root L of a positive definite A = L Lᵀ, which takes the place of A; LinAlgError where there is none.

    What is stored of it, in a pickle or a copy, is the diagonal of A⁻¹ alone: n numbers instead of n².
    """

    def __init__(self, A):
        L, failed = dpotrf(A.T, lower=1, overwrite_a=1)  # A is symmetric and, transposed, as LAPACK wants it: no copy
        if failed:
            raise np.linalg.LinAlgError("not positive definite")
        self.L, self.diagonal = L, None

    def solve(self, t):
        """A⁻¹ t."""
        return cho_solve((self.L, True), t, check_finite=False)

    def inverse_diagonal(self):
        """(A⁻¹)_ii; (n,)."""
        if self.diagonal is None:
            L_inverse = solve_triangular(self.L, np.eye(len(self.L)), lower=True, check_finite=False)
            self.diagonal = np.einsum("ij,ij->j", L_inverse, L_inverse)
        return self.diagonal

    def __getstate__(self):
        return {"diagonal": self.inverse_diagonal()}


def times_triangle(K, T):
    """K Tᵀ for a lower triangular T: half the time of a square product. BLAS reads columns, hence the transposes."""
    return dtrmm(1.0, T, K.T, lower=1).T


def from_few_columns(K, center, tol, floor=0.0):
    """Kc = U Λ Uᵀ for λ > tol λ₁ from a short factor, as exact as from the whole matrix; None where there is none."""
    L, least = short_factor(K, center, complete=0.0)
    return None if L is None else pairs_of(L, tol, max(least, floor))


def pairs_of(L, tol=RANK_TOL, floor=0.0):
    """L Lᵀ = U Λ Uᵀ for λ > tol λ₁ and above the floor; (n, p) -> lam (r,), U (n, r)."""
    U, s, _ = np.linalg.svd(L, full_matrices=False)
    keep = s**2 > max(tol * (s**2).max(initial=0), floor)
    return s[keep] ** 2, U[:, keep]


def short_factor(K, center=True, complete=COMPLETE):
    """L (n, r) with L Lᵀ = K, or HKH with `center`, and r ≤ 4√n; and the size of what rounding alone makes of nothing.

    A smooth kernel on few features needs few columns of its Gram matrix; None in place of L if this one needs more, or
    is not positive semi-definite. `complete` is the share of the largest diagonal entry that may be missing.
    Centring is done twice: seen from point 0 first, so that nothing large has to cancel when the mean is subtracted.
    """
    n = len(K)
    size = float(np.abs([check.moderate(K.diag), check.moderate(K[0])]).max())
    K = K.seen_from(0) if center else K
    floor = n * np.finfo(float).eps * size
    most, stop = min(n, int(4 * np.sqrt(n))), max(complete * K.diag.max(), floor)
    L, _, rest = to_the_end(pivot_steps(K, most, stop), K.diag)
    if rest.max() > stop or rest.min() < -max(RANK_TOL * K.diag.max(), floor):
        return None, floor
    return (L - L.mean(0) if center else L), floor
