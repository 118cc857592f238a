"""The Gaussian Gram matrix, square and rectangular, beside scikit-learn's and SciPy's."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import rbf_kernel

from kmlab.kernels import Gaussian

from .side_by_side import Case, Goal, Race, Work


def cases(quick):
    for n in (1000,) if quick else (1000, 5000):
        for d in 2, 64, 784:
            for shape, least in ("square", 1.5), ("rectangular", 1.0):
                yield Case(
                    f"Gram matrix, {shape}",
                    f"n = {n}, d = {d}",
                    Goal(least, least),
                    lambda n=n, d=d, shape=shape: race(n, d, shape == "square"),
                )


def race(n, d, square):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    Z = None if square else rng.standard_normal((n, d))
    k = Gaussian(np.sqrt(2 * d))

    def agree(K, other):
        off = np.abs(K - other).max()
        return f"largest difference {off:.0e}", bool(off < 1e-12)

    share = 0.5 if square else 1.0  # of the entries have to be computed, all have to be written
    return Race(
        lambda: k(X, Z),
        {
            "rbf_kernel": lambda: rbf_kernel(X, Z, gamma=k.gamma),
            "cdist + exp": lambda: by_scipy(X, X if square else Z, k),
        },
        agree,
        Work(2 * share * n * n * d, share * n * n, 8 * n * n),
        rounds=15 if n < 2000 else 5,
    )


def by_scipy(X, Z, k):
    return np.exp(-k.gamma * cdist(X, Z, "sqeuclidean"))
