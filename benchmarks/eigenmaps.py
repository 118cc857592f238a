"""Laplacian eigenmaps beside scikit-learn: the same points of an S-curve, the same graph.

scikit-learn counts a point among its own neighbours and gives half the weight to an edge that one side alone wants, so
it is asked for 11 neighbours and kmlab for symmetrize="mean". Its solver is ARPACK with shift-invert, the fastest of
its three that is right at every size. Both may use all cores; the clock counts the work of all. The agreement is the
sine of the largest angle between the two planes, and how well both solve L φ = μ D φ.

    python3 -m benchmarks.eigenmaps          fits a million points once, on the wall clock, with the peak of memory
"""

if not __package__:  # run as a file: the same as `python3 course.py bench eigenmaps`
    import runpy
    import sys
    from pathlib import Path

    sys.path[0], sys.argv[1:1] = str(Path(__file__).resolve().parent.parent), ["eigenmaps"]
    runpy.run_module("benchmarks", run_name="__main__")
    sys.exit()

import time

import numpy as np
from sklearn.manifold import SpectralEmbedding

from kmlab.datasets import s_curve
from kmlab.graph import laplacian
from kmlab.manifold import LaplacianEigenmap

from .data import angle_between
from .side_by_side import Case, Goal, Race


def cases(quick):
    for n in (1000, 10_000) if quick else (1000, 10_000, 100_000):
        yield Case("Laplacian eigenmap", f"n = {n}", Goal(mean=1.2, least=1.2), lambda n=n: embed(n))


def embed(n):
    X, _ = s_curve(n)
    theirs = SpectralEmbedding(2, affinity="nearest_neighbors", n_neighbors=11, eigen_solver="arpack", n_jobs=-1)

    def agree(ours, other):
        W, Y, Z = ours.graph_, ours.embedding_, other.embedding_
        angle = angle_between(Y, Z)
        return f"angle {angle:.0e}, residuals {residual(W, Y):.0e} and {residual(W, Z):.0e}", angle < 1e-6

    return Race(
        lambda: LaplacianEigenmap(2, 10, symmetrize="mean").fit(X),
        {"SpectralEmbedding": lambda: theirs.fit(X)},
        agree,
        rounds=9 if n < 5000 else 5 if n < 50000 else 3,
    )


def residual(W, Y):
    """|L y - μ D y| / |μ D y|, the worst column, μ the quotient of y itself."""
    LY, DY = laplacian(W) @ Y, W.sum(1)[:, None] * Y
    mu = (Y * LY).sum(0) / (Y * DY).sum(0)
    return (np.linalg.norm(LY - mu * DY, axis=0) / np.linalg.norm(mu * DY, axis=0)).max()


def million(n=10**6):
    import resource

    X, t = s_curve(n)
    start, work = time.perf_counter(), time.process_time()
    model = LaplacianEigenmap(2, 10).fit(X)
    seconds, work = time.perf_counter() - start, time.process_time() - work
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    arc, width = (abs(np.corrcoef(_ranks(model.embedding_[:, j]), _ranks(t[:, j]))[0, 1]) for j in range(2))
    off = residual(model.graph_, model.embedding_)
    print(
        f"{n} points: {seconds:.1f} s ({work:.1f} s of processor time), peak {peak:.1f} GB, residual {off:.0e}, "
        f"rank correlation with arc {arc:.4f}, with width {width:.4f}"
    )


def _ranks(a):
    return np.argsort(np.argsort(a))


if __name__ == "__main__":
    million()
