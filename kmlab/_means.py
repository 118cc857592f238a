"""The rounds of k-means, from many starts at once, for whoever can multiply by a Gram matrix."""

import numpy as np

from . import _checks as check

TIE = 1e-13  # squared distances that differ by less than this share of the largest are equal


class Means:
    """k-means from r starts side by side: what it asks of K is its diagonal and sums (rows, Z) -> Σ_i∈rows K_i Z_iᵀ."""

    def __init__(self, sums, diag, k):
        self.sums, self.diag, self.k, self.member = sums, diag, k, None
        size = max(np.abs(diag).max(), np.abs(sums([0], np.ones((1, 1)))).max())
        self.zero = len(diag) * np.finfo(float).eps * size  # below this a squared distance is rounding error

    def draw(self, seed, restarts):
        """labels (n, r) from k points a start; a start is the same whatever the number of starts."""
        n, each = len(self.diag), []
        near = np.ones((n, restarts))
        for u in check.seeded(seed).random((restarts, self.k)).T:
            total = near.cumsum(0)
            i = np.minimum((total <= u * total[-1]).sum(0), n - 1)
            each.append(np.maximum(self.diag[:, None] + self.diag[i] - 2 * self.sums(i, np.eye(restarts)), 0))
            near = np.minimum(near, each[-1]) if len(each) > 1 else each[0]
        self.labels = lowest(np.stack(each, -1))

    def rounds(self, most):
        """Points and means move in turn until nothing moves; yields how many points have moved."""
        r = self.labels.shape[1]
        self.inertia, self.n_rounds, self.live = np.full(r, np.inf), np.zeros(r, dtype=int), np.arange(r)
        self.labels = self.fill(self.labels.copy(), self.distance2(self.labels))
        D = self.settle(self.labels.copy())
        yield 0
        for _ in range(most):
            labels = self.fill(lowest(D), D)
            change = (labels != self.labels[:, self.live]).sum(0)
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
        self.inertia[self.live] = np.take_along_axis(D, labels[..., None], 2)[..., 0].sum(0)  # (CL.2)
        return D

    def distance2(self, labels):  # (n, r) -> (n, r, k)
        new = members(labels, self.k)
        change = new if self.member is None else new - self.member
        rows = np.flatnonzero(change.any((1, 2)))
        if 2 * len(rows) > len(new):  # most have moved: sum anew
            self.total, rows, change = 0, slice(None), new
        # late rounds move few points, and only their rows of K are read
        self.total = self.total + self.sums(rows, change[rows].reshape(-1, new[0].size)).reshape(new.shape)
        self.member, size = new, np.maximum(new.sum(0), 1)
        return self.diag[:, None, None] - 2 * self.total / size + (new * self.total).sum(0) / size**2  # (CL.1)

    def fill(self, labels, D):
        """labels again, after every empty cluster has got the point that is farthest from its mean."""
        size = members(labels, self.k).sum(0)  # (r, k)
        for start, empty in np.argwhere(size == 0):
            mine = labels[:, start]
            far = np.take_along_axis(D[:, start], mine[:, None], 1)[:, 0]
            far = np.where(size[start, mine] > 1, far, -np.inf)  # who is alone stays
            i = int(far.argmax())
            if far[i] <= self.zero:
                raise ValueError(
                    f"n_clusters = {self.k}, but the images of X are fewer different points: ask for fewer clusters."
                )
            size[start, mine[i]] -= 1
            size[start, empty] = 1
            labels[i, start] = empty
        return labels

    def run(self, seed, restarts, most):
        """Draw starts and go on until all are at rest; -> the first start among those of least inertia."""
        self.draw(seed, restarts)
        for _ in self.rounds(most):
            pass
        return int((self.inertia <= self.inertia.min() + 1e-9 * abs(self.inertia.min())).argmax())


def members(labels, k):
    """1 where a point belongs to a cluster, else 0; (...) -> (..., k)."""
    return (labels[..., None] == np.arange(k)).astype(float)


def lowest(D):
    """Where the last axis is smallest, the first of equals."""
    return (D <= D.min(-1, keepdims=True) + TIE * np.abs(D).max()).argmax(-1)
