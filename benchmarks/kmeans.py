"""Kernel k-means beside tslearn: ten starts, the same kernel; the lower inertia is the better answer."""

import numpy as np
from tslearn.clustering import KernelKMeans as Theirs

from kmlab.clustering import KernelKMeans, cluster_distance2
from kmlab.datasets import rings
from kmlab.kernels import Gaussian

from .side_by_side import Case, Goal, Race

STARTS, WIDTH, CLUSTERS = 10, 1.0, 3


def cases(quick):
    for n in (1000,) if quick else (1000, 5000):
        yield Case("kernel k-means", f"n = {n}", Goal(mean=2, least=2), lambda n=n: cluster(n))


def cluster(n):
    X, k = rings(n_per_ring=n // CLUSTERS + 1, noise=0.15)[0][:n], Gaussian(WIDTH)
    ours = KernelKMeans(k, CLUSTERS, restarts=STARTS)
    theirs = Theirs(CLUSTERS, kernel="rbf", kernel_params={"gamma": k.gamma}, n_init=STARTS, random_state=0)

    def agree(model, other):
        D = cluster_distance2(k(X), np.unique(other.labels_, return_inverse=True)[1])
        lower = 1 - model.inertia_ / D.min(1).sum()
        return f"inertia lower by {lower:.0e}", bool(lower > -1e-3)

    return Race(lambda: ours.fit(X), {"tslearn": lambda: theirs.fit(X)}, agree, rounds=3 if n < 2000 else 1)
