"""Data and measures for the pages about neighbourhood graphs, eigenmaps and LPP."""

import numpy as np

from ...graph import directed, nearest


def thirty_points(seed=33):
    """Thirty points in three dimensions: under the linear kernel K has rank 3, and 27 directions lead nowhere."""
    return np.random.default_rng(seed).standard_normal((30, 3))


def thirty_in_the_plane(seed=5):
    """Thirty points of the plane; with five neighbours each, 44 of 97 pairs are one-sided."""
    return np.random.default_rng(seed).standard_normal((30, 2))


def three_clouds(n_per_cloud=40, gap=12.0, spread=1.0, seed=0):
    """Clouds in a row, `gap` apart; X (n, 2), y = number of the cloud."""
    y = np.repeat(range(3), n_per_cloud)
    X = spread * np.random.default_rng(seed).standard_normal((3 * n_per_cloud, 2))
    X[:, 0] += gap * (y - 1)
    return X, y


def directed_laplacian(X, n_neighbors):
    """D - W with the one-sided relation itself, as if it were symmetric; (n, d) -> (n, n)."""
    distance, neighbor = nearest(X, n_neighbors)
    W = directed(np.ones_like(distance), neighbor, len(X)).toarray()
    return np.diag(W.sum(1)) - W


def rank_correlation(a, b):
    """Spearman's ρ of two vectors without ties, its sign left out."""
    ranks = [np.argsort(np.argsort(v)) for v in (a, b)]
    return float(abs(np.corrcoef(*ranks)[0, 1]))
