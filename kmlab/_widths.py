"""Widths that follow the data: Gaussian("median") takes the median distance between the points that it is fitted to."""

import dataclasses

import numpy as np

from .engine.blocks import is_lazy
from .engine.distances import exact_sqdist

ENOUGH = 1000  # points that settle a median
FOLLOW = "median"


def median_distance(X):
    """The median distance between two different points of X, of a random thousand where there are more; 0 without any.

    At random, because rows in an order, as those of a series, repeat themselves at some stride; and always the same.
    """
    n = X.shape[0]
    if n > ENOUGH:
        X = X[np.sort(np.random.default_rng(0).choice(n, ENOUGH, replace=False))]
    X = np.asarray(X, dtype=float)
    distance = np.sqrt(exact_sqdist(X)[np.triu_indices(len(X), 1)])
    return float(np.median(distance[distance > 0])) if distance.any() else 0.0


def settled(kernel, X):
    """The kernel with every width that follows the data set to that of X; itself where there is none."""
    if not dataclasses.is_dataclass(kernel) or not follows(kernel):
        return kernel
    new = {name: settled(part, X) for name, part in _parts(kernel)}
    if getattr(kernel, "width", None) == FOLLOW:
        if is_lazy(X) and np.isnan(X.shape[0]):
            raise ValueError("The Dask array does not know how many rows it has: call X.compute_chunk_sizes() first.")
        new["width"] = median_distance(X) or 1.0  # points that are all the same have no distance: any width will do
    return dataclasses.replace(kernel, **new)


def follows(kernel):
    """Does a width of this kernel, or of one that it is made of, wait for data?"""
    return getattr(kernel, "width", None) == FOLLOW or any(follows(part) for _, part in _parts(kernel))


def ready(kernel, X=None):
    """The kernel with its widths settled on X; without X, one whose width waits for data is refused."""
    if not follows(kernel):
        return kernel
    if X is None:
        raise ValueError(f"{kernel!r} takes its width from the data of a fit: give a number, such as median_width(X).")
    return settled(kernel, X)


def _parts(kernel):
    fields = dataclasses.fields(kernel) if dataclasses.is_dataclass(kernel) else ()
    return [(f.name, part) for f in fields if hasattr(part := getattr(kernel, f.name), "gram")]
