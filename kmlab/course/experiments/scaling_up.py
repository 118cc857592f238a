"""Notebook 15: seconds and bytes of five ways to deal with many points."""

import os
import sys
import time
import tracemalloc

import numpy as np
from scipy.linalg import eigh
from threadpoolctl import threadpool_limits

from ... import datasets
from ...centering import center_gram
from ...graph import knn_graph
from ...kernels import Gaussian
from ...pca import PCA
from ...scale import Nystroem, RandomFourier, gram_times
from . import seconds

WAYS = {  # name: (largest n that is tried, what is done with X)
    "all of K": (2_000, lambda X: eigh(center_gram(Gaussian(1.0)(X)), subset_by_index=(len(X) - 2, len(X) - 1))),
    "K by tiles, one product": (8_000, lambda X: gram_times(Gaussian(1.0), X, np.ones(len(X)), memory=2**21)),
    "10 neighbours": (32_000, lambda X: knn_graph(X, 10)),
    "100 landmarks": (32_000, lambda X: PCA(2).fit_transform(Nystroem(Gaussian(1.0), 100).fit_transform(X))),
    "100 random waves": (32_000, lambda X: PCA(2).fit_transform(RandomFourier(Gaussian(1.0), 100).fit_transform(X))),
}
SMALLER = 2 if sys.platform == "emscripten" else 1  # the sizes in a browser, whose Python is slow with large matrices
SIZES = [n // SMALLER for n in (500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000)]
# of the processor, so that a busy machine measures the same; Windows counts these in steps of 16 ms: too few
CLOCK = time.perf_counter if os.name == "nt" else time.process_time


def measure(n):
    """Every way that can take n points: name -> (n, seconds, bytes at its peak)."""
    X, found = datasets.two_moons(n, noise=0.2)[0], {}
    with threadpool_limits(1, user_api="blas"):
        for name, (most, work) in WAYS.items():
            if n <= most // SMALLER:
                repeats = 1 if name == "all of K" and n > 1_000 else 3  # what is above the least was another's work
                taken = seconds(lambda: work(X), repeats, clock=CLOCK)  # noqa: B023
                found[name] = n, taken, min(_peak(work, X) for _ in range(repeats))
    return found


def table(rounds):
    """The rounds of measure by way: name -> list of (n, seconds, bytes)."""
    return {name: [found[name] for found in rounds if name in found] for name in WAYS}


def slope(rows, column=2):
    """The power of n by which the seconds (1) or the bytes (2) grow, over the last doublings."""
    n, *costs = np.log(np.array(rows)[-3:]).T
    return np.polyfit(n, costs[column - 1], 1)[0]


def _peak(work, X):
    tracemalloc.start()
    try:
        work(X)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
