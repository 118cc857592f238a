"""Kernel PCA beside scikit-learn, whose fastest solver counts among those with the same components.

"fit 1000 x 64" is the fit of so many points and features, "10000 to 1000 x 64" are the scores of so many new points.
"""

import numpy as np
from sklearn.decomposition import KernelPCA as Theirs

from kmlab.datasets import rings
from kmlab.kernels import Gaussian, median_width
from kmlab.pca import KernelPCA

from .data import angle_between, curved_sheet
from .side_by_side import Case, Goal, Race, Work

GOAL, NEW = Goal(mean=2.0, least=0.9), 10_000
SOLVERS = "arpack", "randomized", "dense"


def cases(quick):
    for n in (300, 1000) if quick else (300, 1000, 3000):
        for d in 2, 64:
            for k in (2, 10) if quick else (2, 10, 50):
                size = f"fit {n} x {d}, k = {k}"
                yield Case("kernel PCA", size, GOAL, lambda n=n, d=d, k=k: fit(*points(n, d), k))
            size = f"{NEW} to {n} x {d}"
            yield Case("kernel PCA", size, GOAL, lambda n=n, d=d: transform(*points(n, d), 10))


def points(n, d):
    """n points to train with, new ones, and a width at which the leading components have a meaning."""
    if d == 2:
        X = rings(n_per_ring=(n + NEW) // 3 + 1, noise=0.15)[0]
        X = np.random.default_rng(0).permutation(X)
        return X[:n], X[n : n + NEW], 1.0
    X = curved_sheet(n + NEW, d)[0]
    return X[:n], X[n:], median_width(X[:n])


def fit(X, _, width, k):
    ours = KernelPCA(Gaussian(width), k)

    def agree(model, other):
        off = np.abs(model.lam_ - other.eigenvalues_).max() / model.lam_[0]
        angle = angle_between(model.alphas_, other.eigenvectors_)
        return f"eigenvalues {off:.0e}, angle of the spaces {angle:.0e}", bool(off < 1e-8 and angle < 1e-5)

    peers = {f"KernelPCA, {solver}": lambda solver=solver: theirs(width, k, solver).fit(X) for solver in SOLVERS}
    return Race(lambda: ours.fit(X), peers, agree, rounds=9 if len(X) < 2000 else 3)


def transform(X, new, width, k):
    ours, other = KernelPCA(Gaussian(width), k).fit(X), theirs(width, k, "arpack").fit(X)

    def agree(Z, W):
        off = np.abs(np.abs(Z) - np.abs(W)).max() / np.abs(Z).max()
        return f"largest difference {off:.0e} of the largest score", bool(off < 1e-8)

    pairs = len(X) * len(new)
    work = Work(2 * pairs * (X.shape[1] + k), pairs, 0)
    return Race(
        lambda: ours.transform(new),
        {"KernelPCA": lambda: other.transform(new)},
        agree,
        work,
        rounds=5 if len(X) < 2000 else 3,
    )


def theirs(width, k, solver):
    return Theirs(k, kernel="rbf", gamma=1 / width**2, eigen_solver=solver, random_state=0)
