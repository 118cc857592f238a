"""Numbers that say how well something went."""

import numpy as np


def rank_correlation(a, b):
    """Spearman's ρ of two vectors without ties, its sign left out."""
    ranks = [np.argsort(np.argsort(v)) for v in (a, b)]
    return float(abs(np.corrcoef(*ranks)[0, 1]))


def cut_accuracy(score, y):
    """Share of points on the right side of a cut halfway between the means of the two classes; y in {0, 1}."""
    low, high = sorted((score[y == label].mean(), label) for label in (0, 1))
    return float((np.where(score > (low[0] + high[0]) / 2, high[1], low[1]) == y).mean())


def share_between(score, y):
    """Share of the variance of a score (n,) that lies between the classes."""
    means = np.array([score[y == label].mean() for label in np.unique(y)])
    weight = np.array([(y == label).mean() for label in np.unique(y)])
    return float(weight @ (means - score.mean()) ** 2 / score.var())


def quotient(w, S_b, S_w):
    """wᵀS_b w / wᵀS_w w for a direction w (d,) or for several, the rows of (m, d)."""
    return np.einsum("...i,ij,...j", w, S_b, w) / np.einsum("...i,ij,...j", w, S_w, w)


def squared_distances(K, alpha):
    """|φ(x_i) - Σ α_j φ(x_j)|² for every point; (n, n), (n,) -> (n,)."""
    return np.diag(K) - 2 * K @ alpha + alpha @ K @ alpha


def strip(X, inside, n_directions=720):
    """The widest strip without points between the marked points of the plane and all others.

    -> width, direction (2,), middle: wᵀx > middle for the marked points. A width above 0 proves that a line separates.
    """
    angle = 2 * np.pi * np.arange(n_directions) / n_directions
    W = np.column_stack([np.cos(angle), np.sin(angle)])
    low, high = (X[~inside] @ W.T).max(0), (X[inside] @ W.T).min(0)
    best = int(np.argmax(high - low))
    return float(high[best] - low[best]), W[best], float(high[best] + low[best]) / 2


def apart(one, other, answer, *places):
    """Largest difference of the answers of two fitted models, in each place (m, d); components up to their sign."""
    pairs = [[getattr(model, answer)(X) for model in (one, other)] for X in places]
    return [float(np.abs(np.abs(a) - np.abs(b) if a.ndim == 2 else a - b).max()) for a, b in pairs]
