"""The fast form of features(X) and of sums over many rows: a strip at a time, and a Dask array where its blocks are."""

import copy
import functools
import sys
import time

import numpy as np

from .. import _checks as check
from .lazy import is_lazy
from .tiles import Bar, strips

TILE = 2**20  # bytes of features that are made at once: they stay in the processor's cache
KEPT = 2**30  # bytes of features that are kept from one pass to the next
SOME, MANY = 100, 10  # rows for each feature that stand for MANY times as many
ROOM = 2**25  # bytes that these may take
TOGETHER = 8  # sums that a worker adds up before they travel on


def by_strips(features, X, width, name=""):
    """What features(X, out) writes into out, `width` columns; with a name a bar on the screen if it takes long."""
    Z = np.empty((len(X), width))
    for rows in strips(len(X), TILE // (8 * width), name):
        features(X[rows], out=Z[rows])
    return Z


def by_blocks(answer, X, width=None, dtype=float):
    """answer(X) of a Dask array, as a Dask array: nothing is computed before it is. `width` columns, None for (m,)."""
    X, nothing = X.rechunk({1: -1}), np.empty((0, width) if width else 0, dtype)  # rows whole
    shape = {"chunks": (X.chunks[0], (width,))} if width else {"chunks": (X.chunks[0],), "drop_axis": 1}
    return X.map_blocks(lambda B: answer(B) if len(B) else nothing, **shape, meta=nothing)


def _added(one, other):
    return tuple(a + b for a, b in zip(one, other, strict=True))


class Rows:
    """The rows of X and what y says of each, never all at once: of an array, a file in its place, or a Dask array.

    total(work, ...) is Σ work(Z, y, ...) over all strips of rows; work gives a tuple of small arrays, and these alone
    come here. Z are the features of X by a fitted map, or X itself. Sums are taken in an order that depends on the data
    alone, so it does not matter which worker had which block, nor how often.
    """

    def __init__(self, X, y=None):
        self.X, self.y, self.map, self.passes = X, y, None, 0
        self.shape = self.n, self.width = X.shape

    @classmethod
    def of(cls, X, y=None):
        """Rows that are looked at when their turn comes, if X is a Dask array or a file; None if it is another."""
        if isinstance(X, np.memmap):
            return cls(_of_numbers(X), None if y is None else _one_each(np.asarray(y), X))
        if not is_lazy(X):
            return None
        X = _of_numbers(X).rechunk({1: -1})
        return cls(X, None if y is None else _in_the_same_blocks(y, X))

    def through(self, features):
        """The same rows by their features, from a map that is fitted here; -> these rows, the map."""
        if features is None:
            return self, None
        self.map = copy.deepcopy(features).fit(self.X)
        self.width = self.map.n_features_out_
        if type(self.X) is np.ndarray and 8 * self.n * self.width <= KEPT:
            self.X, kept = self.map.transform(self.X), self.map
            self.map = None
            return self, kept
        return self, self.map

    def total(self, work, *args, join=_added, name=""):
        """Σ work(Z, y, *args); with a name a bar on the screen if it takes long."""
        self.passes += 1
        name = name and f"{name}, pass {self.passes}"
        if not is_lazy(self.X):
            return total_of(work, join, self.X, self.y, (self.map, *args), name)
        from dask import delayed

        shared = delayed((self.map, *args), traverse=False)  # goes to every worker once, not with every block
        parts = [delayed(total_of)(work, join, B, y, shared) for B, y in self._blocks()]
        level = parts = joined(parts, join)
        while len(level) > 1:
            level = joined(level, join)
        return _computed(level[0], parts, name)

    def _blocks(self):
        blocks = self.X.to_delayed().ravel()
        return zip(blocks, [None] * len(blocks) if self.y is None else self.y.to_delayed().ravel(), strict=True)

    def some(self):
        """Some of the rows, at random and in memory, for a first guess; None where all are few."""
        most = min(SOME * self.width, ROOM // (8 * self.X.shape[1]))
        if not self.n > MANY * most:  # nor where Dask does not know how many there are
            return None
        index = np.sort(
            np.random.default_rng(0).choice(self.n, most, replace=False)
        )  # rows in an order repeat themselves
        X, y = (None if A is None else A[index] for A in (self.X, self.y))
        if is_lazy(X):
            from dask import compute

            X, y = compute(X, y)
        few = Rows(check.matrix(X), y)
        few.map, few.width = self.map, self.width
        return few

    def near_middle(self, of_targets=True):
        """The mean of some of the first rows of (Z, y), or of Z alone."""
        X, y = self._first()
        Z = self.map.transform(check.matrix(X)) if self.map else check.matrix(X)
        return (Z if y is None or not of_targets else np.column_stack([Z, check.vector(y)])).mean(0)

    def _first(self):
        if not is_lazy(self.X):
            return _head(self.X), _head(self.y)
        from dask import compute, delayed

        for B, y in self._blocks():
            first = compute(delayed(_head)(B), delayed(_head)(y))
            if len(first[0]):
                return first
        raise ValueError("X has n_samples = 0, while a minimum of 1 is required: add data.")

    def classes(self):
        """The labels that occur in y, sorted."""
        return self.total(_classes_of, join=_united)[0]

    def share_right(self, predict):
        """How many of the answers predict(X) are y."""
        right, n = self.total(_right_of, predict)
        return float(right / n)

    def errors(self, predict):
        """Σ (y - predict(X))² and Σ (y - mean)²."""
        rest, n, s, squares = self.total(_errors_of, predict, self.near_middle()[-1])
        return rest, squares - s**2 / n


def total_of(work, join, X, y, shared, name=""):
    """What work makes of strips of rows of one block, joined; None where there are none."""
    (features, *args), total = shared, None
    width = features.n_features_out_ if features else X.shape[1]
    for rows in strips(len(X), TILE // (8 * width), name):
        Z = check.matrix(X[rows])
        part = work(features.transform(Z) if features else Z, None if y is None else y[rows], *args)
        total = part if total is None else join(total, part)
    return total


def joined(parts, join):
    """A list of delayed parts as one an eighth as long."""
    from dask import delayed

    return [delayed(_join_all)(join, parts[i : i + TOGETHER]) for i in range(0, len(parts), TOGETHER)]


def _join_all(join, parts):
    return functools.reduce(join, some) if (some := [part for part in parts if part is not None]) else None


def _head(rows, most=1000):
    return None if rows is None else rows[:most]


def _classes_of(X, y):
    return (check.labels(y, len(X), Rows)[0],)


def _united(one, other):
    return (np.union1d(one[0], other[0]),)


def _right_of(X, y, predict):
    return (predict(X) == y).sum(), len(X)


def _errors_of(X, y, predict, middle):
    y = check.vector(y)
    return ((y - predict(X)) ** 2).sum(), len(X), (y - middle).sum(), ((y - middle) ** 2).sum()


def _computed(whole, parts, name):
    """The value of a delayed `whole`; with a name, a bar shows how many of its parts are done."""
    if not name:
        return whole.compute()
    bar, client = Bar(name), _cluster()
    if client:
        end, *futures = client.compute([whole, *parts])
        while not end.done():
            time.sleep(0.05)
            bar.at(sum(future.done() for future in futures) / len(futures))
        result = end.result()
    else:
        from dask.callbacks import Callback

        done = []
        with Callback(posttask=lambda key, value, dsk, state, worker: bar.at(_share(done, state))):
            result = whole.compute()
    bar.end()
    return result


def _cluster():
    """The client of the cluster that Dask computes on, None for its threads in this process."""
    try:
        return sys.modules["distributed"].get_client()
    except (KeyError, ValueError):
        return None


def _share(done, state):
    """How much of a local computation is done, counted at the end of one of its tasks."""
    done.append(1)
    return len(done) / sum(len(state[kind]) for kind in ("ready", "waiting", "running", "finished"))


def _of_numbers(X):
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions (samples, features), got shape {X.shape}: reshape it first.")
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers, got entries of type {X.dtype}: turn text or dates into numbers.")
    return X


def _one_each(y, X):
    if y.ndim != 1 or y.shape[0] != X.shape[0] and not np.isnan(X.shape[0] + y.shape[0]):
        raise ValueError(f"y must hold one entry for each of {X.shape[0]} rows, got shape {y.shape}.")
    return y


def _in_the_same_blocks(y, X):
    """y as a Dask array whose blocks belong to those of X."""
    unknown = "Dask does not know how many rows are in the blocks of {}: call {}.compute_chunk_sizes() first."
    if not is_lazy(y):
        if np.isnan(X.shape[0]):
            raise ValueError(unknown.format("X", "X"))
        y = sys.modules["dask.array"].from_array(_one_each(np.asarray(y), X), chunks=(X.chunks[0],))
    y = _one_each(y, X)
    if y.chunks[0] == X.chunks[0]:
        return y
    if np.isnan(X.shape[0] + y.shape[0]):
        if len(y.chunks[0]) == len(X.chunks[0]) and np.isnan(X.shape[0]) and np.isnan(y.shape[0]):
            return y  # both unknown, block by block alike: as after the same selection of rows
        raise ValueError(unknown.format("X and y", "both"))
    return y.rechunk((X.chunks[0],))
