"""Neighbourhood graphs, their Laplacian and its smoothest functions: who is close to whom, as a sparse matrix."""

import numpy as np
from scipy.sparse import csc_array, csr_array, diags_array, eye_array, issparse

from . import _checks as check
from .engine.eigen import settle_signs

SHIFT = 1e-8  # I - S has an exact zero; this much more on its diagonal and it has an inverse
ACCURACY = 1e-10  # of an eigenvector, where it is found step by step


def knn_graph(X, n_neighbors=10, symmetrize="or", weights="binary", width=None):
    """W_ij = 1 (or exp(-|x_i - x_j|²/width²)) if j is a nearest neighbour of i, or i of j   (G.1)

    "is a neighbour of" is not symmetric, so W must be made so: "or" keeps an edge that one side wants, "and" one that
    both want, "mean" gives an edge half its weight if only one side wants it. A point is not its own neighbour; of
    equally distant points the one with the lower index comes first. width=None takes the mean distance to a neighbour.
    (n, d) -> sparse (n, n).  Pages 001/p119-121.
    """
    X = check.matrix(X, min_samples=2)
    k = check.count(n_neighbors, "n_neighbors")
    if k >= len(X):
        raise ValueError(f"n_neighbors = {k} must be smaller than the number of points, {len(X)}.")
    check.one_of(symmetrize, ("or", "and", "mean"), "symmetrize")
    check.one_of(weights, ("binary", "heat"), "weights")
    distance, neighbor = nearest(X, k)
    width = heat_width(distance, width)
    value = heat(distance, width) if weights == "heat" else np.ones_like(distance)
    return symmetric(directed(value, neighbor, len(X)), symmetrize)


def heat_width(distance, width=None):
    """The width that is asked for, or the mean distance to a neighbour."""
    if width is not None:
        return check.length(width, "width")
    return distance.mean() or 1.0  # all neighbours are duplicates: every weight is one anyway


def heat(distance, width):
    with np.errstate(over="ignore"):  # far beyond the width the weight is zero
        return np.exp(-((distance / width) ** 2))


def directed(value, neighbor, n):
    """Sparse (m, n) with the values (m, k) at the neighbours (m, k) of each row."""
    m, k = neighbor.shape
    return csr_array((value.ravel(), neighbor.ravel(), np.arange(0, m * k + 1, k)), shape=(m, n))


def symmetric(W, how):
    """W made symmetric: the larger ("or"), the smaller ("and") or the mean of W_ij and W_ji."""
    return W.maximum(W.T) if how == "or" else W.minimum(W.T) if how == "and" else ((W + W.T) / 2).tocsr()


def laplacian(W):
    """L = D - W with D = diag(W1), so that gᵀLg = ½ Σ W_ij (g_i - g_j)²                    (G.2)  Page 001/p118."""
    W = as_weights(W)
    return diags_array(W.sum(1)) - W


def as_weights(W):
    """W as a sparse, symmetric, finite matrix of weights."""
    W = csr_array(W if issparse(W) else check.matrix(W, "W"))
    W.data = check.vector(W.data, "W") if W.nnz else W.data
    n = W.shape[0]
    if n == 0 or W.shape != (n, n) or abs(W - W.T).max() > 1e-12 * abs(W).max():
        raise ValueError("W must be a symmetric matrix of weights: build it with knn_graph, or use W.maximum(W.T).")
    return W


def components(W):
    """The number of connected parts of a graph, and the part of each vertex (n,); isolated vertices are refused."""
    from scipy.sparse.csgraph import connected_components  # here, because few need it

    if W.nnz and W.data.min() < 0:
        raise ValueError(f"W has a negative weight, {W.data.min():g}: a weight says how close two points are.")
    lonely = np.flatnonzero(W.sum(1) == 0)
    if len(lonely):
        others = f" (and {len(lonely) - 1} more)" if len(lonely) > 1 else ""
        raise ValueError(
            f"Vertex {lonely[0]}{others} has no neighbour, so the graph says nothing about it: "
            "remove it, take more neighbours, or symmetrise with 'or'."
        )
    if W.nnz and W.data.min() == 0:  # an entry that is stored counts as an edge, whatever its weight
        W = W.copy()
        W.eliminate_zeros()
    return connected_components(W, directed=False)


def graph_modes(W, n_modes):
    """L φ = μ D φ, the n_modes smallest μ first, ΦᵀDΦ = I                                  (G.3)

    0 ≤ μ ≤ 2. The first are exact zeros, one for each connected part, with φ constant there and zero elsewhere.
    (n, n) -> mu (k,), Phi (n, k).  Pages 001/p119-120.
    """
    W, k = as_weights(W), check.count(n_modes, "n_modes")
    if k > W.shape[0]:
        raise ValueError(f"n_modes = {k}, but a graph of {W.shape[0]} vertices has no more modes than these.")
    n_parts, part = components(W)
    zeros, size = min(k, n_parts), np.bincount(part, W.sum(1))
    mu, Phi = np.zeros(k), np.zeros((W.shape[0], k))
    for p in range(zeros):
        Phi[part == p, p] = 1 / np.sqrt(size[p])
    if k > zeros:
        mu[zeros:], Phi[:, zeros:] = nonzero_modes(W, part, k - zeros)
    return mu, Phi


def nonzero_modes(W, part, k):
    """(G.3) without the zeros, for a checked graph whose parts are known.

    With S = D^-½ W D^-½ and φ = D^-½ v it is (I - S) v = μ v. The vectors v to leave out are D^½ times a constant on
    each part; to project on the others costs nothing, so only k vectors are ever sought.
    """
    n, degree = W.shape[0], W.sum(1)
    root = np.sqrt(degree)
    S = W.copy()
    S.data = W.data / (root[W.indices] * np.repeat(root, np.diff(W.indptr)))
    constant = root / np.sqrt(np.bincount(part, degree))[part]
    C = csr_array((constant, part, np.arange(n + 1)))  # (n, parts), orthonormal columns
    mu = None
    if n > 100 + 12 * k:
        mu, V = _by_products(S, C, k) if _reach(W) > 1000 else _by_inverse(S, C, k)
    if mu is None:
        from scipy.linalg import eigh

        far = eye_array(n) - S + 3 * (C @ C.T)  # no μ is above 2, so the zeros are now at the other end
        mu, V = eigh(far.toarray())  # all of them: asked for some of many equals, LAPACK loses a few
        mu, V = mu[:k], V[:, :k]
    return np.clip(mu, 0, 2), settle_signs(V / root[:, None])


def _reach(W, steps=4, samples=5):
    """How many vertices lie within four steps of one: hundreds on a sheet, thousands in a cloud of many dimensions."""
    ball = np.zeros((W.shape[0], samples), dtype=bool)
    ball[np.linspace(0, W.shape[0] - 1, samples).astype(int), np.arange(samples)] = True
    for _ in range(steps):
        ball |= (W @ ball) > 0
    return int(np.median(ball.sum(0)))


def _by_inverse(S, C, k):
    """A sheet has tiny μ and a cheap sparse factor of I - S: the largest 1/μ stand out after a dozen solves."""
    from scipy.sparse.linalg import splu

    # symmetric and positive definite: no pivoting, and an ordering for the pattern of S itself
    M = (1 + SHIFT) * eye_array(S.shape[0], format="csc") - csc_array((S.data, S.indices, S.indptr), shape=S.shape)
    factor = splu(M, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def inverse(Y):
        Y = factor.solve(Y)
        return Y - C @ (C.T @ Y)

    lam, V = _block_lanczos(inverse, S.shape[0], k)
    return (None, None) if lam is None else (1 / lam - SHIFT, V)


def _by_products(S, C, k):
    """In many dimensions the factor fills up, but the μ are wide apart: products with S are enough."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    n = S.shape[0]
    deflated = LinearOperator((n, n), matvec=lambda x: S @ x - 2 * (C @ (C.T @ x)), dtype=float)
    start = np.random.default_rng(0).standard_normal(n)
    lam, V = eigsh(deflated, k, which="LA", v0=start, ncv=40 + 2 * k, tol=ACCURACY)
    return 1 - lam[::-1], V[:, ::-1]


def _block_lanczos(product, n, k):
    """The k largest eigenvalues of a symmetric map, and their vectors; blocks of k, so that none of k equals is missed.

    product: (n, k) -> (n, k).  -> lam (k,) descending, V (n, k); (None, None) if the space is exhausted before.
    """
    Q = np.linalg.qr(product(np.random.default_rng(0).standard_normal((n, k))))[0]
    basis, T = np.zeros((n, 0)), np.zeros((0, 0))
    while basis.shape[1] + 2 * k <= n:
        basis = np.hstack([basis, Q])
        Y = product(Q)
        H = basis.T @ Y
        T = np.block([[T, H[:-k]], [H.T]])  # the map inside the basis
        Y -= basis @ H
        Q, R = np.linalg.qr(Y)
        Q = np.linalg.qr(Q - basis @ (basis.T @ Q))[0]  # once more: rounding brings back what has been found
        lam, U = np.linalg.eigh(T)
        lam, U = lam[: -k - 1 : -1], U[:, : -k - 1 : -1]
        if (np.linalg.norm(R @ U[-k:], axis=0) <= ACCURACY * lam).all():
            return lam, basis @ U
    return None, None


def nearest(X, k):
    """Distances and indices of the k nearest other points, nearest first; (n, d) -> (n, k), (n, k).

    If more points than are wanted lie at the largest distance (up to rounding), those of lowest index are taken.
    """
    from scipy.spatial import KDTree  # here, because it costs more to load than the rest of kmlab

    n = len(X)
    tree = KDTree(X)
    distance, index = tree.query(X, min(k + 2, n), workers=-1)  # itself, the k wanted, and one to see a tie
    radius = distance[:, k]
    tied = np.flatnonzero(distance[:, k + 1] <= radius * (1 + 1e-12)) if n > k + 1 else []
    distance, index = distance[:, : k + 1], index[:, : k + 1]
    for i in tied:
        ball = np.sort(tree.query_ball_point(X[i], radius[i] * (1 + 1e-12)))
        d = np.linalg.norm(X[ball] - X[i], axis=1)
        inside = (d < radius[i] * (1 - 1e-12)) | (ball == i)
        chosen = np.concatenate([np.flatnonzero(inside), np.flatnonzero(~inside)])[: k + 1]
        chosen = chosen[np.argsort(d[chosen], kind="stable")]
        distance[i], index[i] = d[chosen], ball[chosen]
    other = index != np.arange(n)[:, None]  # exactly one entry of each row is the point itself
    return distance[other].reshape(n, k), index[other].reshape(n, k)
