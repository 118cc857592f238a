"""The fast form of features(X) and of AᵀA for many rows: a strip at a time, and a Dask array when it is computed."""

import sys

import numpy as np

from .tiles import strips

TILE = 2**20  # bytes of features that are made at once: they stay in the processor's cache


def by_strips(features, X, width, name=""):
    """What features(X, out) writes into out, `width` columns; with a name a bar on the screen if it takes long."""
    Z = np.empty((len(X), width))
    for rows in strips(len(X), TILE // (8 * width), name):
        features(X[rows], out=Z[rows])
    return Z


def by_blocks(transform, X, width):
    """transform(X), which has `width` columns, of a Dask array, as a Dask array: nothing is computed before it is."""
    X, nothing = X.rechunk({1: -1}), np.empty((0, width))  # rows whole
    chunks = X.chunks[0], (width,)
    return X.map_blocks(lambda B: transform(B) if len(B) else nothing, chunks=chunks, meta=nothing)


def normal_equations(Z, y, active):
    """AᵀA and Aᵀy for the active rows A of (Z, 1), strip by strip; (n, r) -> (r + 1, r + 1), (r + 1,)."""
    n, r = Z.shape
    H, g = np.zeros((r + 1, r + 1)), np.zeros(r + 1)
    for rows in strips(n, TILE // (8 * r)):
        inside = active[rows]
        A = np.column_stack([Z[rows][inside], np.ones(inside.sum())])
        H += A.T @ A
        g += y[rows][inside] @ A
    return H, g


def is_lazy(X):
    """Is X a Dask array? If it is, dask has been imported already, and not by kmlab."""
    return "dask.array" in sys.modules and isinstance(X, sys.modules["dask.array"].Array)
