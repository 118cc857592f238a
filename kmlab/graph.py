"""Neighbourhood graphs, their Laplacian and its smoothest functions: who is close to whom, as a sparse matrix."""

import numpy as np
from scipy.sparse import csr_array, diags_array, issparse

from . import _checks as check
from .engine.eigen import settle_signs
from .engine.smoothest import smoothest


def knn_graph(X, n_neighbors=10, symmetrize="or", weights="binary", width=None):
    """W_ij = 1 (or exp(-|x_i - x_j|²/width²)) if j is a nearest neighbour of i, or i of j   (G.1)

    "is a neighbour of" is not symmetric, so W must be made so: "or" keeps an edge that one side wants, "and" one that
    both want, "mean" gives an edge half its weight if only one side wants it. A point is not its own neighbour; of
    equally distant points the one with the lower index comes first. width=None takes the mean distance to a neighbour.
    (n, d) -> sparse (n, n).  Pages 001/p119-121.
    """
    X, k = _fewer_than_points(X, n_neighbors)
    check.one_of(symmetrize, ("or", "and", "mean"), "symmetrize")
    check.one_of(weights, ("binary", "heat"), "weights")
    distance, neighbor = nearest(X, k)
    width = heat_width(distance, width)
    value = heat(distance, width) if weights == "heat" else np.ones_like(distance)
    return symmetric(directed(value, neighbor, len(X)), symmetrize)


def _fewer_than_points(X, n_neighbors):
    """X and the number of neighbours, checked."""
    X, k = check.matrix(X, min_samples=2), check.count(n_neighbors, "n_neighbors")
    if k >= len(X):
        raise ValueError(f"n_neighbors = {k} must be smaller than the number of points, {len(X)}.")
    return X, k


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


def degrees(W):
    """d_i = Σ_j W_ij, the weight of all edges at a vertex, the diagonal of D; (n, n) -> (n,)."""
    return W.sum(1)


def laplacian(W):
    """L = D - W with D = diag(W1), so that gᵀLg = ½ Σ W_ij (g_i - g_j)²                    (G.2)  Page 001/p118."""
    W = as_weights(W)
    return diags_array(degrees(W)) - W  # (G.2)


def smallest(L, d, n_components):
    """L φ = μ D φ, D = diag(d), the smallest μ > 0 of a graph first, ΦᵀDΦ = I; -> mu (k,), Phi (n, k)

    What is constant on every connected part has μ = 0 and is left out; no μ is above 2. For a connected graph it is
    eigh(L.toarray(), np.diag(d)) of SciPy from its second pair on, also where n is a million.
    """
    no_lonely_vertex(d)
    n_parts, part = parts(L)
    if n_components > (most := len(d) - n_parts):
        raise ValueError(
            f"n_components = {n_components}, but this graph has only {most} that are not constant: take fewer."
        )
    mu, Phi = smoothest(L, d, part, n_components)
    return mu, settle_signs(Phi)


def graph_modes(W, n_modes):
    """L φ = μ D φ, the n_modes smallest μ first, ΦᵀDΦ = I                                  (G.3)

    0 ≤ μ ≤ 2. The first are exact zeros, one for each connected part, with φ constant there and zero elsewhere.
    (n, n) -> mu (k,), Phi (n, k).  Pages 001/p119-120.
    """
    W, k = as_weights(W), check.count(n_modes, "n_modes")
    if k > W.shape[0]:
        raise ValueError(f"n_modes = {k}, but a graph of {W.shape[0]} vertices has no more modes than these.")
    n_parts, part = components(W)
    d, zeros = degrees(W), min(k, n_parts)
    mu, Phi = np.zeros(k), np.zeros((len(d), k))
    for p in range(zeros):
        Phi[part == p, p] = 1 / np.sqrt(d[part == p].sum())
    if k > zeros:
        mu[zeros:], Phi[:, zeros:] = smallest(laplacian(W), d, k - zeros)
    return mu, Phi


def components(W):
    """The number of connected parts of a graph, and the part of each vertex (n,); isolated vertices are refused."""
    W = W if issparse(W) else as_weights(W)
    if W.nnz and W.data.min() < 0:
        raise ValueError(f"W has a negative weight, {W.data.min():g}: a weight says how close two points are.")
    no_lonely_vertex(W.sum(1))
    if W.nnz and W.data.min() == 0:  # an entry that is stored counts as an edge, whatever its weight
        W = W.copy()
        W.eliminate_zeros()
    return parts(W)


def parts(A):
    """The connected parts of a sparse A, whose entries are edges: their number, and the part of each vertex (n,)."""
    from scipy.sparse.csgraph import connected_components  # here, because few need it

    return connected_components(A, directed=False)


def no_lonely_vertex(d):
    """Refuses a graph with a vertex of degree zero."""
    lonely = np.flatnonzero(d == 0)
    if len(lonely):
        others = f" (and {len(lonely) - 1} more)" if len(lonely) > 1 else ""
        raise ValueError(
            f"Vertex {lonely[0]}{others} has no neighbour, so the graph says nothing about it: "
            "remove it, take more neighbours, or symmetrise with 'or'."
        )


def as_weights(W):
    """W as a sparse, symmetric, finite matrix of weights."""
    if issparse(W) and W.ndim == 1:  # which scipy 1.13 does not take as a csr_array
        W = W.reshape(1, -1)
    W = csr_array(W if issparse(W) else check.matrix(W, "W"))
    W.data = check.vector(W.data, "W") if W.nnz else W.data
    n = W.shape[0]
    if n == 0 or W.shape != (n, n) or not _is_symmetric(W):
        raise ValueError("W must be a symmetric matrix of weights: build it with knn_graph, or use W.maximum(W.T).")
    return W


def _is_symmetric(W):
    T = W.T.tocsr()
    if all(np.array_equal(getattr(W, a), getattr(T, a)) for a in ("indptr", "indices", "data")):
        return True  # to the last bit, as graphs mostly are: a difference of sparse matrices costs ten times as much
    return abs(W - T).max() <= 1e-12 * abs(W).max()


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
