"""Linear algebra with the course's conventions: order, sign, rank and exact zeros."""

from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.blas import dsymv, dsyrk
from scipy.linalg.lapack import dgeqrf, dorgqr

from .centering import centered

STRIP = 64  # rows of a matrix of some thousand columns that fit into the processor's cache
LOWER = np.tri(STRIP, k=-1, dtype=bool)
MANY = 200  # below, LAPACK is faster
CONVERGED = 1e-14  # residual of an eigenvector, relative to the largest eigenvalue
EQUAL = 1e-8  # eigenvalues that differ by less than this share of themselves may be equal
KEPT = ContextVar("KEPT", default=None)  # each thread has its own
KEEP = 2**25  # bytes of a matrix of distances that is worth keeping: 2,000 points
RANK_TOL = 1e-10  # an eigenvalue below this share of the largest counts as zero


def sqdist(X, Z=None):
    """|x - z|² = |x|² + |z|² - 2 xᵀz, never negative; (n, d), (m, d) -> (n, m)."""
    return map_sqdist(lambda D: D, X, Z)


def map_sqdist(of_sqdist, X, Z=None, far=np.inf):
    """of_sqdist(|x - z|²) entry by entry, of the matrix that sqdist gives; (n, d), (m, d) -> (n, m).

    of_sqdist works in place, on one strip of rows after another while it is in the processor's cache. Of the square
    matrix the part right of the diagonal is computed and the rest is its mirror image. Where points lie further than
    `far` from their middle, what is left of |x|² + |z|² - 2 xᵀz is rounding: there the differences are squared.
    """
    square, (n, d) = Z is None, X.shape
    A, B = _near_origin(X, X if square else Z)
    a = squares(A)
    b = a if square else squares(B)
    if max(a.max(), b.max()) > far**2:
        return of_sqdist(exact_sqdist(X, Z))
    kept = KEPT.get()
    if kept is not None and square and 8 * n**2 <= KEEP:
        return of_sqdist(_known_sqdist(kept, X).copy())
    whole = d > 100  # many features: one large product is faster than many
    if whole:
        D = dsyrk(-2.0, A.T, trans=1, lower=1).T if square else (-2 * A) @ B.T
    else:
        D, (left, right) = np.empty((n, len(B))), sqdist_factors(A, B, a, b)
    room = np.empty(STRIP * n) if square else None  # for a part of some rows, which in D is not in one piece
    for i in range(0, n, STRIP):
        j, begin = min(i + STRIP, n), i if square else 0
        S = room[: (j - i) * (n - i)].reshape(j - i, n - i) if square else D[i:j]
        if whole:
            np.add(D[i:j, begin:], a[i:j, None], out=S)
            S += b[begin:]
        else:
            np.matmul(left[i:j], right[:, begin:], out=S)
        if square:
            np.fill_diagonal(S, 0)
        if S.min() < 0:
            np.maximum(S, 0, out=S)
        of_sqdist(S)
        if square:
            corner = S[:, : j - i]
            np.copyto(corner, corner.T.copy(), where=LOWER[: j - i, : j - i])
            D[i:j, i:] = S
            D[j:, i:j] = S[:, j - i :].T
    return D


def sqdist_factors(A, B, a, b):
    """left (n, d + 2) and right (d + 2, m) whose product is |x|² + |z|² - 2 xᵀz: the squares are two more features."""
    return np.column_stack([-2 * A, a, np.ones(len(A))]), np.vstack([B.T, np.ones(len(B)), b])


def squares(A):
    """|x|² of every row."""
    return np.einsum("ij,ij->i", A, A)


@contextmanager
def keeping(kept):
    """While this holds, this thread finds in the list `kept` the distances within the last two X that it asked for.

    A slider that moves a width asks for the same ones again and again; the results are the same to the last bit.
    """
    token = KEPT.set(kept)
    try:
        yield
    finally:
        KEPT.reset(token)


def _known_sqdist(kept, X):
    for known, D in kept:
        if np.array_equal(known, X):  # by value: X may have been changed in place
            return D
    with keeping(None):
        D = sqdist(X)
    kept[:] = [(X.copy(), D), *kept[:1]]
    return D


def _near_origin(X, Z):
    """Both moved so that rounding does little harm: distances do not change with the origin, but cancellation does."""
    mean = X.mean(0)
    if len(X) * (mean @ mean) <= np.vdot(X, X) / 2:  # they lie around it already, and copies cost time
        return X, Z
    A = X - mean
    return A, A if Z is X else Z - mean


def exact_sqdist(X, Z=None):
    """|x - z|² from the differences themselves: slower than sqdist, and right where a square root is to follow.

    The rounding error of sqdist is about 1e-16, but its root is 1e-8, and equal points would be that far apart.
    """
    from scipy.spatial.distance import cdist  # here, because it costs more to load than the rest of kmlab

    return cdist(X, X if Z is None else Z, "sqeuclidean")


def settle_signs(V):
    """Columns flipped so that the entry of largest magnitude, the first of equals, is positive."""
    size = np.abs(V)
    first = (size >= (1 - 1e-6) * size.max(0)).argmax(0)  # equal up to rounding is equal, on every machine
    return V * np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)


def top_eigh(K, n_components=None, tol=RANK_TOL, floor=0.0, center=False):
    """K u = λ u, largest λ first, only λ > tol λ_1 and above the rounding error `floor` of K; -> lam (r,), U (n, r).

    center=True means the centred matrix Kc = HKH instead of K.
    """
    n = len(K)
    wanted = n if n_components is None else min(n_components, n)
    found = lanczos(K, wanted, center) if MANY <= n >= 8 * wanted else None
    if found is None:
        K = centered(K) if center else K
        few = 8 * wanted < n
        found = eigh(K, subset_by_index=(n - wanted, n - 1), check_finite=False) if few else _all_pairs(K)
        if len(found[0]) < wanted:  # LAPACK loses some of many equal eigenvalues, as a tiny width makes them: take all
            found = _all_pairs(K)
    lam, U = found[0][: -wanted - 1 : -1], found[1][:, : -wanted - 1 : -1]
    keep = lam > max(tol * lam[0], floor)
    return lam[keep], settle_signs(U[:, keep])


def lanczos(K, k, center=False):
    """The k largest eigenvalues of K (or HKH), ascending, and their vectors; None where LAPACK should be asked.

    They are looked for in the span of V, KV, K²V, ..., which after some dozen products holds the leading ones to the
    last digit. Q is an orthonormal basis of it, in which K is the small matrix T, and what K makes of the last columns
    outside the span, R, bounds the error. V has two columns, because one would find one of two equal eigenvalues; where
    two are found there may be three.  C. Lanczos, 1950; B. Parlett, The symmetric eigenvalue problem, 1980.
    """
    n, m, check = len(K), 0, 2 * k + 12
    most = max(n // 3, check + 2)
    symmetric = np.asfortranarray(K.T)  # the same matrix as BLAS wants it: no copy
    Q, T = np.empty((n, most + 2), order="F"), np.empty((most, most))
    new, share = np.random.default_rng(0).standard_normal((2, n)).T, np.full(n, 1 / n)
    while m + 2 <= most:
        if center:
            new -= share @ new
        reflections, tau, *_ = dgeqrf(new)  # new = Q R: np.linalg.qr, without its checks
        Q[:, m : m + 2], R = dorgqr(reflections, tau)[0], reflections[:2] * [[1, 1], [0, 1]]
        if m >= check:
            lam, S = np.linalg.eigh(T[:m, :m], UPLO="U")
            if np.linalg.norm(R @ S[-2:, -k:], axis=0).max() <= CONVERGED * lam[-1]:
                distinct = np.diff(lam[-k - 1 :]) > EQUAL * lam[-k:]
                return (lam[-k:], Q[:, :m] @ S[:, -k:]) if distinct[lam[-k:] > RANK_TOL * lam[-1]].all() else None
            check = m + max(6, m // 8)
        m += 2
        basis, new = Q[:, :m], np.stack([dsymv(1.0, symmetric, q) for q in Q[:, m - 2 : m].T]).T
        T[:m, m - 2 : m] = basis.T @ new
        new -= basis @ T[:m, m - 2 : m]
        new -= basis @ (basis.T @ new)  # a second time, against rounding
    return None


def _all_pairs(K):
    return eigh(K, driver="evd", check_finite=False)


def rounding(K):
    """How far an eigenvalue of a matrix with entries like those of K can be off by rounding alone."""
    return len(K) * np.finfo(float).eps * max(K.max(), -K.min())


def plus_diagonal(K, value):
    """K + value I."""
    K = K.copy()
    K.flat[:: len(K) + 1] += value
    return K


class Pivot(NamedTuple):
    """One step of a pivoted Cholesky factorisation: K = L Lᵀ + what is missing, whose diagonal is `rest`."""

    index: int
    L: np.ndarray  # (steps so far, n), a column of L a row
    rest: np.ndarray  # (n,)


def pivot_steps(row, diag, most, stop=0.0, rng=None):
    """A column of L a step, from the row i of K where most of the diagonal is missing; until no more than `stop` is.

    With an rng the row is drawn instead, with a probability in proportion to what is missing of it.
    """
    L, rest = np.empty((most, len(diag))), np.array(diag, dtype=float)
    for r in range(most):
        i = int(rest.argmax())
        if rest[i] <= stop:
            return
        if rng is not None:
            missing = np.where(rest > stop, rest, 0).cumsum()
            i = int(np.searchsorted(missing, missing[-1] * rng.random(), side="right"))
        L[r] = (row(i) - L[:r, i] @ L[:r]) / np.sqrt(rest[i])
        rest = rest - L[r] ** 2
        rest[i] = 0  # and from here on it only falls: no row is taken twice
        yield Pivot(i, L[: r + 1], rest)


def walk(steps, diag):
    """Pivot steps to their end: L (n, r), pivots (r,), rest (n,); without a step the whole diag is the rest."""
    step, pivots = Pivot(-1, np.empty((0, len(diag))), diag), []
    for step in steps:
        pivots.append(step.index)
    return step.L.T, np.array(pivots, dtype=int), step.rest


def pivoted_cholesky(K, tol=RANK_TOL):
    """K = L Lᵀ for a singular K too, largest remaining diagonal first; (n, n) -> L (n, r), pivots (r,)."""
    diag = np.diag(K)
    return walk(pivot_steps(K.__getitem__, diag, len(K), tol * diag.max()), diag)[:2]
