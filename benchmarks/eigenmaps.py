"""Laplacian eigenmaps side by side with scikit-learn: the same points of an S-curve, the same graph, one process.

    .venv/bin/python benchmarks/eigenmaps.py [--quick] [--million]

Prints both times, their ratio (above 1: kmlab is faster), the sine of the largest angle between the two embedding
planes, and how well both solve L φ = μ D φ. scikit-learn counts a point among its own neighbours and gives half the
weight to an edge that one side alone wants, so it is asked for 11 neighbours and kmlab for symmetrize="mean". Its
solver is ARPACK with shift-invert, the fastest of its three that is right at every size. Both may use all cores; the
clock counts the work of all. --million fits a million points once, on the wall clock, with the peak of memory.
"""
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from sklearn.manifold import SpectralEmbedding  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from _side_by_side import geometric_mean, race  # noqa: E402

from kmlab.datasets import s_curve  # noqa: E402
from kmlab.graph import laplacian  # noqa: E402
from kmlab.manifold import LaplacianEigenmap  # noqa: E402


def angle_between(A, B):
    """Sine of the largest angle between the planes of two embeddings, columns (n, k)."""
    P, Q = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    return np.linalg.norm(P - Q @ (Q.T @ P), 2)


def residual(W, Y):
    """|L y - μ D y| / |μ D y|, the worst column, μ the quotient of y itself."""
    LY, DY = laplacian(W) @ Y, W.sum(1)[:, None] * Y
    mu = (Y * LY).sum(0) / (Y * DY).sum(0)
    return (np.linalg.norm(LY - mu * DY, axis=0) / np.linalg.norm(mu * DY, axis=0)).max()


def side_by_side(sizes):
    print(f"{'points':>8}{'kmlab s':>10}{'sklearn':>10}{'ratio':>8}{'angle':>10}{'residual':>11}{'theirs':>10}")
    ratios = []
    for n in sizes:
        X, _ = s_curve(n)
        theirs = SpectralEmbedding(2, affinity="nearest_neighbors", n_neighbors=11, eigen_solver="arpack", n_jobs=-1)
        (a, ours), (b, other) = race(
            lambda: LaplacianEigenmap(2, 10, symmetrize="mean").fit(X), lambda: theirs.fit(X),  # noqa: B023
            rounds=9 if n < 5000 else 5 if n < 50000 else 3,
        )
        ratios.append(b / a)
        W, Y, Z = ours.graph_, ours.embedding_, other.embedding_
        print(f"{n:8d}{a:10.4f}{b:10.4f}{b / a:8.2f}{angle_between(Y, Z):10.0e}{residual(W, Y):11.0e}"
              f"{residual(W, Z):10.0e}", flush=True)
    print(f"geometric mean {geometric_mean(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")


def million(n=10**6):
    X, t = s_curve(n)
    start, work = time.perf_counter(), time.process_time()
    model = LaplacianEigenmap(2, 10).fit(X)
    seconds, work = time.perf_counter() - start, time.process_time() - work
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    arc, width = (abs(np.corrcoef(_ranks(model.embedding_[:, j]), _ranks(t[:, j]))[0, 1]) for j in range(2))
    off = residual(model.graph_, model.embedding_)
    print(f"{n} points: {seconds:.1f} s ({work:.1f} s of processor time), peak {peak:.1f} GB, residual {off:.0e}, "
          f"rank correlation with arc {arc:.4f}, with width {width:.4f}")


def _ranks(a):
    return np.argsort(np.argsort(a))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave out 100,000 points")
    parser.add_argument("--million", action="store_true", help="a million points, kmlab alone")
    options = parser.parse_args()
    if options.million:
        million()
    else:
        side_by_side((1000, 10_000) if options.quick else (1000, 10_000, 100_000))


if __name__ == "__main__":
    main()
