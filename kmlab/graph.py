"""Neighbourhood graphs and their Laplacian: who is close to whom, as a sparse matrix."""

import numpy as np
from scipy.sparse import csr_array, diags_array, issparse

from ._checks import as_matrix, as_vector, count, length, one_of


def knn_graph(X, n_neighbors=10, symmetrize="or", weights="binary", width=None):
    """W_ij = 1 (or exp(-|x_i - x_j|²/width²)) if j is a nearest neighbour of i, or i of j   (G.1)

    "is a neighbour of" is not symmetric, so W must be made so: "or" keeps an edge that one side wants, "and" one that
    both want. A point is not its own neighbour; of equally distant points the one with the lower index comes first.
    width=None takes the mean distance to a neighbour. (n, d) -> sparse (n, n).  Pages 001/p119-121.
    """
    X = as_matrix(X, min_samples=2)
    n, k = len(X), count(n_neighbors, "n_neighbors")
    if k >= n:
        raise ValueError(f"n_neighbors = {k} must be smaller than the number of points, {n}.")
    one_of(symmetrize, ("or", "and"), "symmetrize")
    one_of(weights, ("binary", "heat"), "weights")
    width = None if width is None else length(width, "width")
    distance, neighbor = nearest(X, k)
    value = np.ones_like(distance)
    if weights == "heat":
        width = width or distance.mean() or 1.0  # all neighbours are duplicates: every weight is one anyway
        with np.errstate(over="ignore"):  # far beyond the width the weight is zero
            value = np.exp(-((distance / width) ** 2))
    W = csr_array((value.ravel(), neighbor.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    return W.maximum(W.T) if symmetrize == "or" else W.minimum(W.T)


def laplacian(W):
    """L = D - W with D = diag(W1), so that gᵀLg = ½ Σ W_ij (g_i - g_j)²                    (G.2)  Page 001/p118."""
    W = csr_array(W if issparse(W) else as_matrix(W, "W"))
    W.data = as_vector(W.data, "W") if W.nnz else W.data
    n = W.shape[0]
    if n == 0 or W.shape != (n, n) or abs(W - W.T).max() > 1e-12 * abs(W).max():
        raise ValueError("W must be a symmetric matrix of weights: build it with knn_graph, or use W.maximum(W.T).")
    return diags_array(W.sum(1)) - W


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
