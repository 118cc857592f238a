"""The fast form of |x - z|² = Σ (x_j - z_j)² and exp(-|x - z|²/width²) for all pairs: a matrix product, in strips."""

import numpy as np
from scipy.linalg.blas import dsyrk

from . import room

STRIP = 64  # rows of a matrix of some thousand columns that fit into the processor's cache
LOWER = np.tri(STRIP, k=-1, dtype=bool)
FAR = 300.0  # widths around the middle of the data within which a Gaussian's values have ten right digits by products
IN_REACH = 10**6  # entries of X that stay in the processor's cache; beyond, a single row costs as much as several
FEW = 1 / 8  # share of the rows up to which they are cheaper one by one even so
ZERO = np.array(0.0)  # numpy takes it faster than 0


def sqdist(X, Z=None):
    """|x - z|² = |x|² + |z|² - 2 xᵀz, never negative; (n, d), (m, d) -> (n, m)."""
    return map_sqdist(lambda D: D, X, Z)


def exact_sqdist(X, Z=None):
    """|x - z|² from the differences themselves: slower than sqdist, and right where a square root is to follow.

    The rounding error of sqdist is about 1e-16, but its root is 1e-8, and equal points would be that far apart.
    """
    room.look_for(len(X), None if Z is None else len(Z))
    from scipy.spatial.distance import cdist  # here, because it costs more to load than the rest of kmlab

    return cdist(X, X if Z is None else Z, "sqeuclidean")


def exp_of_sqdist(X, Z, width):
    """exp(-|x - z|²/width²) for all pairs; Z = None means Z = X; (n, d), (m, d) -> (n, m)."""

    def exp_in_place(D):
        D *= -1 / width**2
        return np.exp(D, out=D)

    with np.errstate(over="ignore"):  # what is infinitely many widths away is zero
        return map_sqdist(exp_in_place, X, Z, FAR * width)


def rows_before_all(X):
    """How many single rows may be made before it is time for the whole matrix; all of them, if X is at hand.

    Features make a single row dear, but not the whole matrix, which is one product. So some come first, for whoever
    needs no more than these; whoever needs more has lost little.
    """
    return np.inf if X.size <= IN_REACH else FEW * len(X) / (1 + (X.shape[1] / 128) ** 2)


def exp_of_sqdist_rows(X, width):
    """A function index -> rows of exp_of_sqdist(X, None, width); None where differences have to be squared."""
    A = X - X.mean(0)
    if (a := squares(A)).max() > (FAR * width) ** 2:
        return None
    left, right = sqdist_factors(A, A, a, a)
    left *= -1 / width**2

    def rows(index):
        R = left[index].dot(right)
        np.minimum(R, ZERO, out=R)
        return np.exp(R, out=R)

    return rows


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


def few_smallest(D, k):
    """argsort(D, axis=1, kind="stable")[:, :k]: the k smallest of every row, the first of equals first; (m, k).

    Only these are sorted, unless more than k are no larger than the last of them.
    """
    index = np.sort(np.argpartition(D, k - 1, axis=1)[:, :k], axis=1)
    values = np.take_along_axis(D, index, 1)
    index = np.take_along_axis(index, np.argsort(values, axis=1, kind="stable"), 1)
    tied = np.flatnonzero((D <= values.max(1, keepdims=True)).sum(1) > k)
    index[tied] = np.argsort(D[tied], axis=1, kind="stable")[:, :k]
    return index


def squares(A):
    """|x|² of every row."""
    return np.einsum("ij,ij->i", A, A)


def _near_origin(X, Z):
    """Both moved so that rounding does little harm: distances do not change with the origin, but cancellation does."""
    mean = X.mean(0)
    if len(X) * (mean @ mean) <= np.vdot(X, X) / 2:  # they lie around it already, and copies cost time
        return X, Z
    A = X - mean
    return A, A if Z is X else Z - mean


def exp_on_grid(xs, ys, X, coef, width):
    """Σ_i coef_i exp(-|(x, y) - x_i|²/width²) on a grid; X (n, 2), coef (n, m) -> (len(ys), len(xs), m).

    exp(-(a² + b²)) = exp(-a²) exp(-b²): two thin matrices and one product instead of one kernel value a pixel.
    """
    ex = np.exp(-(((xs[:, None] - X[:, 0]) / width) ** 2))
    ey = np.exp(-(((ys[:, None] - X[:, 1]) / width) ** 2))
    return np.stack([(ey * c) @ ex.T for c in coef.T], -1)
