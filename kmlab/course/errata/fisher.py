"""Data on which the pages about Fisher discriminants are measured."""

import numpy as np


def three_uneven_classes():
    """Thirty points in four dimensions, in classes of 8, 12 and 10 whose means differ a little."""
    y = np.repeat([0, 1, 2], [8, 12, 10])
    return np.random.default_rng(14).standard_normal((30, 4)) + 1.5 * np.eye(4)[y], y
