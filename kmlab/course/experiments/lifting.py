"""Notebook 02: how many updates a perceptron makes, beside how many Novikoff's theorem allows."""

from functools import lru_cache

import numpy as np

from ...datasets import two_sides
from ...kernels import Linear
from ...perceptron import Perceptron, novikoff_bound
from ...svm import SVC


def updates_allowed(X, y):
    """(2R/ρ)² of separable data, with the widest margin as ρ."""
    machine = SVC(Linear(), C=np.inf, tol=1e-4).fit(X, y)
    return novikoff_bound(np.linalg.norm(X, axis=1).max(), 1 / machine.w_norm_)


@lru_cache
def thirty_walks():
    """Bounds and updates of the perceptron on thirty data sets; -> (2, 30)."""
    sets = [
        two_sides(40, gap, (away, 0.6 * away), seed)
        for seed in range(3)
        for gap in (0.05, 0.1, 0.2, 0.4, 0.8)
        for away in (0.0, 2.0)
    ]
    return np.array([(updates_allowed(X, y), Perceptron().fit(X, y).mistakes_) for X, y in sets]).T
