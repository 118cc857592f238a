"""The fast form of the rounds of KernelKMeans.each_step: many starts side by side, and only rows of K that have moved.

Arrays have the shape (points, starts, clusters).
"""

from functools import reduce
from typing import NamedTuple

import numpy as np

FEW = 500  # points, of which every start moves one by one: so late a round still reads a row of K
TIE = 1e-13  # squared distances that differ by less than this share of the largest are equal


class Best(NamedTuple):
    """The first start among those of least inertia, at its end."""

    labels: np.ndarray  # (n,)
    inertia: float
    n_rounds: int
    at_rest: bool


def best_of_starts(K, k, rng, restarts, max_rounds, one_moved):
    """k-means from several starts, drawn as in far_apart; -> Best. one_moved(D, labels) where a start rests.

    Of many points only the best start moves them one by one.
    """
    few = len(K.diag) <= FEW
    best = _best(Starts(K, k, far_apart(K, k, rng, restarts)), max_rounds, one_moved if few else None)
    if few or not best.at_rest:
        return best
    end = _best(Starts(K, k, best.labels[:, None]), max_rounds - best.n_rounds, one_moved)
    return end._replace(n_rounds=best.n_rounds + end.n_rounds)


def _best(starts, max_rounds, one_moved):
    for _ in starts.rounds(max_rounds, one_moved):
        pass
    least = starts.inertia.min()
    best = int((starts.inertia <= least + 1e-9 * abs(least)).argmax())
    labels, inertia = starts.labels[:, best].copy(), float(starts.inertia[best])
    return Best(labels, inertia, int(starts.n_rounds[best]), best not in starts.live)


def far_apart(K, k, rng, restarts=1):
    """labels (n, restarts): every point to the nearest of k points, drawn by their squared distance from those before.

    A start is the same whatever the number of starts.
    """
    n, each = len(K.diag), []
    near = np.ones((n, restarts))
    for u in rng.random((restarts, k)).T:
        total = near.cumsum(0)
        i = np.minimum((total <= u * total[-1]).sum(0), n - 1)
        each.append(np.maximum(K.diag[:, None] + K.diag[i] - 2 * K.sums(i, np.eye(restarts)), 0))
        near = np.minimum(near, each[-1]) if len(each) > 1 else each[0]
    return lowest(np.stack(each, -1))


class Starts:
    """k-means from r starts side by side; labels (n, r), and of each start inertia, n_rounds (r,)."""

    def __init__(self, K, k, labels):
        self.K, self.k, self.labels, self.member = K, k, labels, None

    def rounds(self, max_rounds, one_moved=None):
        """Points and means move in turn until nothing moves; yields how many points have moved."""
        r = self.labels.shape[1]
        self.inertia, self.n_rounds, self.live = np.full(r, np.inf), np.zeros(r, dtype=int), np.arange(r)
        self.labels = self.filled(self.labels.copy(), self.distance2(self.labels))
        D = self.settle(self.labels.copy())
        yield 0
        for _ in range(max_rounds):
            labels, old = self.filled(lowest(D), D), self.labels[:, self.live]
            for start in np.flatnonzero((labels == old).all(0)) if one_moved else ():
                labels[:, start] = one_moved(D[:, start], old[:, start])
            change = (labels != old).sum(0)
            on = change > 0  # a start at which nothing moves is done
            self.live, self.member, self.total = self.live[on], self.member[:, on], self.total[:, on]
            if not on.any():
                return
            self.n_rounds[self.live] += 1
            D = self.settle(labels[:, on])
            yield int(change.sum())

    def settle(self, labels):
        """The means of the live starts follow their new labels; -> distances to them."""
        self.labels[:, self.live] = labels
        D = self.distance2(labels)
        self.inertia[self.live] = np.take_along_axis(D, labels[..., None], 2)[..., 0].sum(0)
        return D

    def distance2(self, labels):  # (n, r) -> (n, r, k)
        new = members(labels, self.k)
        change = new if self.member is None else new - self.member
        rows = np.flatnonzero(change.any((1, 2)))
        if 2 * len(rows) > len(new):  # most have moved: sum anew
            self.total, rows, change = 0, slice(None), new
        # late rounds move few points, and only their rows of K are read
        self.total = self.total + self.K.sums(rows, change[rows].reshape(-1, new[0].size)).reshape(new.shape)
        self.member, size = new, np.maximum(new.sum(0), 1)
        return self.K.diag[:, None, None] - 2 * self.total / size + np.einsum("nrk,nrk->rk", new, self.total) / size**2

    def filled(self, labels, D):
        for start in np.flatnonzero((members(labels, self.k).sum(0) == 0).any(1)):
            labels[:, start] = without_empty(self.K, labels[:, start], D[:, start])
        return labels


def without_empty(K, labels, D):
    """labels (n,) again, after every empty cluster has got the point that is farthest from its mean; D (n, k)."""
    labels, k = labels.copy(), D.shape[1]
    size = np.bincount(labels, minlength=k)
    for empty in np.flatnonzero(size == 0):
        far = np.where(size[labels] > 1, D[np.arange(len(D)), labels], -np.inf)  # who is alone stays
        i = int(far.argmax())
        if far[i] <= rounding_of_distances(K):
            raise ValueError(
                f"n_clusters = {k}, but the images of X are fewer different points: ask for fewer clusters."
            )
        size[labels[i]] -= 1
        size[empty] = 1
        labels[i] = empty
    return labels


def rounding_of_distances(K):
    """Below this a squared distance is rounding error."""
    size = max(np.abs(K.diag).max(), np.abs(K.sums([0], np.ones((1, 1)))).max())
    return len(K.diag) * np.finfo(float).eps * size


def members(labels, k):
    """1 where a point belongs to a cluster, else 0; (...) -> (..., k)."""
    return (labels[..., None] == np.arange(k)).astype(float)


def lowest(D):
    """Where the last axis is smallest, the first of equals."""
    least = reduce(np.minimum, np.moveaxis(D, -1, 0))  # the last axis is short: D.min(-1) takes twenty times as long
    return (D <= least[..., None] + TIE * np.abs(D).max()).argmax(-1)
