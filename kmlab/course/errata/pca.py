"""Data and measures for the pages on linear PCA and the Rayleigh quotient."""

import numpy as np

from ...pca import rayleigh

# a pair of scatter matrices for which it matters on which side S_W stands: 6.430 is possible, S_W⁻¹ there finds 0.368
S_B = np.array([[2.3, 0.7], [0.7, 1.6]])
S_W = np.array([[0.4, -0.3], [-0.3, 4.2]])


def quotient(w, S_b, S_w):
    """wᵀS_b w / wᵀS_w w for a direction w (d,) or for several, the rows of (m, d)."""
    return np.einsum("...i,ij,...j", w, S_b, w) / np.einsum("...i,ij,...j", w, S_w, w)


def best_direction(S_b, S_w, printed=False):
    """The direction of the largest quotient; printed=True puts S_w⁻¹ in its place, the glyphs of 003/s34."""
    w = rayleigh(S_b, np.linalg.inv(S_w) if printed else S_w)[1][:, 0]
    return w / np.linalg.norm(w)


def parallel_classes(gap=1.0, n_per_class=100, seed=6):
    """Two long clouds side by side at 45 degrees, `gap` apart, each 2 long and 0.12 wide; X (n, 2), y in {0, 1}."""
    m = n_per_class
    y = np.repeat([0, 1], m)
    along, across = np.random.default_rng(seed).standard_normal((2, 2 * m)) * [[2.0], [0.12]]
    return (np.column_stack([along, across + gap * (y - 0.5)]) @ [[1, 1], [-1, 1]]) / np.sqrt(2), y


def cut_accuracy(score, y):
    """Share of points on the right side of a cut halfway between the two class means."""
    low, high = sorted((score[y == label].mean(), label) for label in (0, 1))
    return float((np.where(score > (low[0] + high[0]) / 2, high[1], low[1]) == y).mean())


def clusters_on_a_circle(n_clusters=8, first_radius=1.0, n_per_cluster=25, spread=0.04, seed=0):
    """Clusters at equal angles on the unit circle, the first at a radius of its own; X (n, 2), y = number."""
    y = np.repeat(np.arange(n_clusters), n_per_cluster)
    angle, radius = 2 * np.pi * y / n_clusters + np.pi / 2, np.where(y == 0, first_radius, 1.0)
    centers = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    return centers + spread * np.random.default_rng(seed).standard_normal(centers.shape), y


def strip(X, inside, n_directions=720):
    """The widest strip without points between the marked points of the plane and all others.

    -> width, direction (2,), middle: wᵀx > middle for the marked points. A width above 0 proves that a line separates.
    """
    angle = 2 * np.pi * np.arange(n_directions) / n_directions
    W = np.column_stack([np.cos(angle), np.sin(angle)])
    low, high = (X[~inside] @ W.T).max(0), (X[inside] @ W.T).min(0)
    best = int(np.argmax(high - low))
    return float(high[best] - low[best]), W[best], float(high[best] + low[best]) / 2
