"""Landmarks and random waves for 60,000 points with 64 features, beside scikit-learn's, at the same number of features.

The error is that of the kernel values among 1,000 of the points, root mean square. Both sides draw their own landmarks
and waves, so the errors are close and not equal; scikit-learn's waves have a random phase each and err a little more.
"""

import numpy as np
from sklearn.kernel_approximation import Nystroem as TheirNystroem
from sklearn.kernel_approximation import RBFSampler

from kmlab.kernels import Gaussian, median_width
from kmlab.scale import Nystroem, RandomFourier

from .data import curved_sheet
from .side_by_side import Case, Goal, Race, Work

SAME = 1.1  # an error larger than theirs by more than this factor is not the same


def cases(quick):
    n, d = 60_000, 64
    for m in (300,) if quick else (100, 300, 500):
        yield Case("Nystroem", f"n = {n}, d = {d}, m = {m}", Goal(1.2, 1.2), lambda m=m: landmarks(n, d, m))
        yield Case("random waves", f"n = {n}, d = {d}, m = {m}", Goal(1.2, 1.2), lambda m=m: waves(n, d, m))


def landmarks(n, d, m):
    X, k = data(n, d)
    ours = Nystroem(k, m)
    theirs = TheirNystroem(kernel="rbf", gamma=k.gamma, n_components=m, random_state=0)
    work = Work(2 * n * m * d + n * m * m, n * m, 8 * n * m)  # the second product is triangular
    return against(X, k, ours, theirs, work)


def waves(n, d, m):
    X, k = data(n, d)
    ours, theirs = RandomFourier(k, m), RBFSampler(gamma=k.gamma, n_components=m, random_state=0)
    return against(X, k, ours, theirs, Work(n * m * d, n * m / 2, 8 * n * m))


def data(n, d):
    X = curved_sheet(n, d)[0]
    return X, Gaussian(median_width(X))


def against(X, k, ours, theirs, work):
    some = np.random.default_rng(1).choice(len(X), 1000, replace=False)
    K = k(X[some])

    def agree(Z, other):
        errors = [np.sqrt(((F[some] @ F[some].T - K) ** 2).mean()) for F in (Z, other)]
        return "error {:.4f}, theirs {:.4f}".format(*errors), bool(errors[0] <= SAME * errors[1])

    return Race(
        lambda: ours.fit_transform(X), {type(theirs).__name__: lambda: theirs.fit_transform(X)}, agree, work, rounds=5
    )
