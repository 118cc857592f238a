"""The fast form of K @ V where K does not fit into memory: a tile k(X_i, X_j) at a time, which serves as K_ji too."""

import sys
import time

import numpy as np


def tiled_product(kernel, X, V, Z=None, memory=2**25, name=""):
    """(K V)_i = Σ_j k(X_i, Z_j) V_j within `memory` bytes; without Z it is the Gram matrix of X."""
    m, side = len(X if Z is None else Z), int(np.sqrt(memory / 32))  # a tile, and its making
    out = np.zeros((len(X), *V.shape[1:]))
    for i in strips(len(X), side, name):
        if Z is None:
            out[i] += kernel(X[i]) @ V[i]
        for j in strips(m, side, begin=i.stop if Z is None else 0):
            tile = kernel(X[i], X[j] if Z is None else Z[j])
            out[i] += tile @ V[j]
            if Z is None:
                out[j] += tile.T @ V[i]
    return out


def strips(n, height, name="", begin=0):
    """Slices of `height` rows from `begin` to n; with a name a bar on the screen, once two seconds have passed."""
    height, due, shown = max(1, height), time.monotonic() + 2, False
    for i in range(begin, n, height):
        yield slice(i, min(i + height, n))
        if name and time.monotonic() > due:
            done, shown, due = min(i + height, n) / n, True, time.monotonic() + 0.2
            print(f"\r{name} {'█' * int(30 * done):<30} {done:4.0%}", end="", file=sys.stderr, flush=True)
    if shown:
        print(f"\r{name} {'█' * 30} 100%", file=sys.stderr)
