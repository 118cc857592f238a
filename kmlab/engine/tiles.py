"""The fast form of K @ V where K does not fit into memory: a tile k(X_i, X_j) at a time, which serves as K_ji too."""

import sys
import time
from contextlib import nullcontext

import numpy as np

from .threads import one_thread

AT_ONCE = 2**22  # bytes of values that are made at once for new points: some rows, which stay in the processor's cache
ALONE = 4000  # values up to which BLAS takes one thread by itself
FEW_FEATURES = 100  # with more, a strip is so much work that several threads are faster


def in_strips(answer, X, width):
    """answer(X), each row of which comes from its own row of X by way of `width` values: some rows at a time."""
    height, few = max(1, AT_ONCE // (8 * max(1, width))), len(X) * width <= ALONE
    with nullcontext() if few or X.shape[1] > FEW_FEATURES else one_thread():
        if len(X) <= height:
            return answer(X)
        return np.concatenate([answer(X[rows]) for rows in strips(len(X), height)])


def sums_over(kernel, X, Z, V):
    """(K V)_i = Σ_j k(X_i, Z_j) V_j, some rows at a time; Z are training points as kernel.points keeps them."""
    return in_strips(lambda B: kernel(B, Z) @ V if len(V) else np.zeros((len(B), *V.shape[1:])), X, len(V))


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
    height, bar = max(1, height), Bar(name)
    for i in range(begin, n, height):
        yield slice(i, min(i + height, n))
        bar.at(min(i + height, n) / n)
    bar.end()


class Bar:
    """How much is done, on the screen once two seconds have passed; without a name nothing is shown."""

    def __init__(self, name):
        self.name, self.due, self.shown = name, time.monotonic() + 2, False

    def at(self, done):
        if self.name and time.monotonic() > self.due:
            self.shown, self.due = True, time.monotonic() + 0.2
            print(f"\r{self.name} {'█' * int(30 * done):<30} {done:4.0%}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print(f"\r{self.name} {'█' * 30} 100%", file=sys.stderr)
