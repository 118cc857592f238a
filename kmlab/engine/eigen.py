"""The fast form of np.linalg.eigh where only the largest eigenvalues are wanted; and signs, ranks and rounding."""

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.blas import dsymv
from scipy.linalg.lapack import dgeqrf, dorgqr

MANY = 200  # below, LAPACK is faster
CONVERGED = 1e-14  # residual of an eigenvector, relative to the largest eigenvalue
EQUAL = 1e-8  # eigenvalues that differ by less than this share of themselves may be equal
TINY = 1e-290  # what is divided by less may overflow
RANK_TOL = 1e-10  # an eigenvalue below this share of the largest counts as zero


def settle_signs(V):
    """Columns flipped so that the entry of largest magnitude, the first of equals, is positive."""
    return V * settling_signs(V)


def settling_signs(V):
    """The sign of that entry of each column; (n, k) -> (k,)."""
    size = np.abs(V)
    first = (size >= (1 - 1e-6) * size.max(0)).argmax(0)  # equal up to rounding is equal, on every machine
    return np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)


def rounding(K):
    """How far an eigenvalue of a matrix with entries like those of K can be off by rounding alone."""
    return len(K) * np.finfo(float).eps * max(K.max(), -K.min())


def plus_diagonal(K, value):
    """K + value I."""
    K = K.copy()
    K.flat[:: len(K) + 1] += value
    return K


def by_lapack(K, k):
    """The k largest eigenvalues of a dense K, ascending, and their vectors."""
    n = len(K)
    found = eigh(K, subset_by_index=(n - k, n - 1), check_finite=False) if 8 * k < n else _all_pairs(K)
    if len(found[0]) < k:  # LAPACK loses some of many equal eigenvalues, as a tiny width makes them: take all
        found = _all_pairs(K)
    return found[0][-k:], found[1][:, -k:]


def by_products(times, n, k, centered=False):
    """The same from products times(Q) = K Q alone; None where a dense matrix is the better way.

    centered=True looks only among vectors that sum to zero, as the eigenvectors of HKH do. Two columns a product,
    because one would find one of two equal eigenvalues; where two are found there may be three, hence None.
    """
    found = lanczos(times, n, k, width=2, most=max(n // 3, 2 * k + 14), accuracy=CONVERGED, centered=centered)
    if found is None:
        return None
    lam, U = found
    distinct = np.diff(lam[-k - 1 :]) > EQUAL * lam[-k:]
    return (lam[-k:], U) if distinct[lam[-k:] > RANK_TOL * lam[-1]].all() else None


def lanczos(times, n, k, width, most, accuracy, centered=False, start=None, each=False):
    """The k largest eigenvalues of a symmetric map (n, width) -> (n, width), from its products alone.

    They are looked for in the span of V, KV, K²V, ..., which after some dozen products holds the leading ones to the
    last digit. Q is an orthonormal basis of it, in which K is the small matrix T, and what K makes of the last columns
    outside the span, R, bounds the error: below accuracy times the largest eigenvalue, or with `each` its own.
    -> the eigenvalues of T, ascending, and the vectors of the k largest; None if `most` columns are not enough.
    C. Lanczos, 1950; B. Parlett, The symmetric eigenvalue problem, 1980.
    """
    m, look = 0, k if each else 2 * k + 12
    Q, T = np.empty((n, most + width), order="F"), np.empty((most, most))
    new = np.random.default_rng(0).standard_normal((width, n)).T if start is None else start
    mean = np.full(n, 1 / n)
    upper = np.triu(np.ones((width, width)))
    while m + width <= most:
        if centered:
            new -= mean @ new
        reflections, tau, *_ = dgeqrf(new)  # new = Q R: np.linalg.qr, without its checks
        Q[:, m : m + width], R = dorgqr(reflections, tau)[0], reflections[:width] * upper
        if each and m:  # where the span comes to an end, rounding brings back what has been found
            last = Q[:, m : m + width]
            last[:] = np.linalg.qr(last - Q[:, :m] @ (Q[:, :m].T @ last))[0]
        if m >= look:
            lam, S = np.linalg.eigh(T[:m, :m], UPLO="U")
            error = np.linalg.norm(R @ S[-width:, -k:], axis=0)
            if (error <= accuracy * (lam[-k:] if each else lam[-1])).all():
                return lam, Q[:, :m] @ S[:, -k:]
            look = m + (width if each else max(6, m // 8))
        m += width
        basis, new = Q[:, :m], times(Q[:, m - width : m])
        T[:m, m - width : m] = basis.T @ new
        new -= basis @ T[:m, m - width : m]
        if not each:
            new -= basis @ (basis.T @ new)  # a second time, against rounding
    return None


def symmetric_times(K):
    """V -> K V for a symmetric dense K of which BLAS reads one half only, fastest for a few columns."""
    half = np.asfortranarray(K.T)  # the same matrix as BLAS wants it: no copy
    return lambda V: np.stack([dsymv(1.0, half, v) for v in V.T]).T


def _all_pairs(K):
    driver = "evd" if len(K) > 1 else None  # which scipy before 1.14 cannot take for a single number
    return eigh(K, driver=driver, check_finite=False)
