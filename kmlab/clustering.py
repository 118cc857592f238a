"""Clusters in feature space: kernel k-means, spectral clustering, and a codebook that covers the data."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Clusterer, Estimator, Stepwise, warn_not_converged
from .engine.lloyd import best_of_starts, far_apart, lowest, members, without_empty
from .engine.tiles import in_strips, sums_over
from .gram import Gram, OfFactor
from .graph import components, graph_modes, knn_graph
from .kernels import Gaussian, Precomputed, feature_distance2

GAIN = 1e-10  # a change of sides that lowers the inertia by less than this share of the largest distance is none


class KMeansStep(NamedTuple):
    """The state after a round: every point has gone to its nearest mean, and the means have followed."""

    labels: np.ndarray  # (n,)
    inertia: float  # (CL.2)
    moved: int  # points that have changed sides in this round; 0 in the start


class KernelKMeans(Stepwise, Clusterer):
    """Every image to the nearest mean of images, every mean to the middle of its images, and again.

    |φ(x_i) - m_c|² = K_ii - 2 mean_{j∈c} K_ij + mean_{j,l∈c} K_jl                            (CL.1)
    inertia = Σ_i |φ(x_i) - m_c(i)|², which never grows                                      (CL.2)

    The best of `restarts` starts, each from n_clusters points drawn with a chance that grows with their squared
    distance from those drawn before. Equal distances: the lower cluster. An empty cluster gets the farthest point.
    Where the rounds rest, a single point may still gain by a change of sides, because both means follow it: fit moves
    the one that gains most, and goes on (CL.6). labels_ (n,), inertia_, n_iter_, converged_.  Pages 001/p117, 002/s29.
    B. Schölkopf, A. Smola, K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, 1998;
    D. Arthur, S. Vassilvitskii, k-means++: the advantages of careful seeding, 2007.
    """

    kernel: check.kernel = Gaussian("median")
    n_clusters: check.count = 2
    seed: check.seed = 0
    restarts: check.count = 10
    max_steps: check.count = 300
    min_samples = 1
    needs = "distances"

    def fit_to(self, X):
        K, k = Gram(self.kernel, X), no_more_than(len(X), self.n_clusters)
        best = best_of_starts(K, k, check.seeded(self.seed), self.restarts, self.max_steps, one_moved)
        self.inertia_, self.n_iter_, self.converged_ = best.inertia, best.n_rounds, best.at_rest
        if not self.converged_:
            warn_not_converged(self, "raise max_steps")
        self.keep_means(X, K, best.labels)

    def each_step(self, X, start=None):
        K, k = Gram(self.kernel, X), no_more_than(len(X), self.n_clusters)
        labels = far_apart(K, k, check.seeded(self.seed))[:, 0] if start is None else start
        labels = without_empty(K, labels, distance2_to_means(K, labels, k))
        D = distance2_to_means(K, labels, k)
        yield KMeansStep(labels, inertia(D, labels), 0)
        for _ in range(self.max_steps):
            new = without_empty(K, lowest(D), D)  # every image to the nearest mean
            moved = int((new != labels).sum())
            if moved == 0:
                return True
            labels = new
            D = distance2_to_means(K, labels, k)  # every mean to the middle of its images
            yield KMeansStep(labels, inertia(D, labels), moved)

    def steps(self, X, start=None):
        """KMeansStep after KMeansStep from one start: the first that fit would draw, or labels (n,)."""
        new, (X,) = self._prepared(X)
        return new.each_step(X, None if start is None else as_labels(start, len(X), new.n_clusters))

    def fit_labels(self, X, labels):
        """No search: the means of given clusters, to which predict and on_grid then refer."""
        new, (X,) = self._prepared(X)
        new.keep_means(X, Gram(new.kernel, X), as_labels(labels, len(X)).copy())
        return self._become(new)

    def keep_means(self, X, K, labels):
        member = members(labels, int(labels.max()) + 1)
        self.weights_ = member / member.sum(0)  # (n, k): column c averages over cluster c
        self.within_ = np.einsum("ic,ic->c", self.weights_, K @ self.weights_)  # |m_c|²
        self.labels_, self.X_ = labels, X.copy()

    def predict(self, X):
        """The nearest mean for each point; (m, d) -> (m,)."""
        return self.nearest_mean(sums_over(self.kernel, self._check_new(X), self.X_, self.weights_))

    def on_grid(self, xs, ys):
        """The same on a grid of 2-d points; -> (len(ys), len(xs))."""
        self._check_fitted()
        return self.nearest_mean(self.kernel.on_grid(xs, ys, self.X_, self.weights_))

    def nearest_mean(self, sums):
        return lowest(self.within_ - 2 * sums)  # (CL.1) without k(x, x), which all clusters share


class SpectralClustering(Clusterer):
    """k-means on the rows of the k smoothest functions on the neighbourhood graph.

    L φ = μ D φ, the k smallest μ; v = D^½ φ are the vectors of L_sym = I - D^-½ W D^-½       (CL.3)
    embedding_ = V with rows scaled to length one, where D^½ drops out; then k-means         (CL.4)

    W from knn_graph. eigenvalues_ (k,), embedding_ (n, k), labels_ (n,).  Page 002/s29.
    A. Ng, M. Jordan, Y. Weiss, On spectral clustering: analysis and an algorithm, NIPS 2001.
    """

    n_clusters: check.count = 2
    n_neighbors: check.count = 10
    seed: check.seed = 0

    def fit_to(self, X):
        k, W = no_more_than(len(X), self.n_clusters), knn_graph(X, self.n_neighbors)
        no_more_pieces(W, k)
        self.eigenvalues_, Phi = graph_modes(W, k)  # (CL.3)
        Y = Phi / np.linalg.norm(Phi, axis=1, keepdims=True)  # (CL.4)
        best = best_of_starts(OfFactor(Y), k, check.seeded(self.seed), 10, 300, one_moved)
        self.labels_, self.embedding_ = best.labels, Y


class KernelVQ(Estimator):
    """A codebook: samples, as few as a greedy choice finds, with one within `radius` of every image.

    Next comes always the sample that covers most of those not yet covered:  |φ(x) - φ(x_i)| ≤ radius    (CL.5)

    codebook_ (m,) holds the chosen samples in their order, labels_ (n,) and predict the place of the nearest of them.
    Page 002/s29.
    """

    kernel: check.kernel = Gaussian("median")
    radius: check.non_negative = 0.5
    min_samples = 1
    needs = "distances"

    def fit_to(self, X):
        K = self.kernel(X)
        D = feature_distance2(K)
        reach2 = min(self.radius, check.LARGEST) ** 2
        covers = D <= reach2 + 1e-12 * D.max()  # rounding must not part equal points
        gain, open_, chosen = covers.sum(1), np.ones(len(X), dtype=bool), []
        while open_.any():
            chosen.append(int(gain.argmax()))  # (CL.5)
            new = covers[chosen[-1]] & open_
            gain -= covers[:, new].sum(1)
            open_ &= ~new
        self.codebook_, self.labels_ = np.array(chosen), lowest(D[:, chosen])
        self.diag_, self.X_ = K.diagonal()[chosen], X.copy()

    def predict(self, X):
        """The place in the codebook of the nearest entry; (m, d) -> (m,)."""
        X, book = self._check_new(X), self.kernel.points(self.X_, self.codebook_)
        return in_strips(lambda B: lowest(self.diag_ - 2 * self.kernel(B, book)), X, len(self.diag_))


def cluster_distance2(K, labels):
    """|φ(x_i) - m_c|² for all points and clusters, (CL.1); K (n, n), labels (n,) from 0 -> (n, k)."""
    K, labels = check.gram(K), as_labels(labels, len(K))
    return distance2_to_means(Gram(Precomputed(), K), labels, int(labels.max()) + 1)


def distance2_to_means(K, labels, k):
    """|φ(x_i) - m_c|² from K_ii and the sums of K over each of k clusters, of which some may be empty; -> (n, k)."""
    member = members(labels, k)
    size, sums = np.maximum(member.sum(0), 1), K @ member
    return K.diag[:, None] - 2 * sums / size + (member * sums).sum(0) / size**2  # (CL.1)


def inertia(D, labels):
    """The sum of the squared distances to the own mean."""
    return float(D[np.arange(len(D)), labels].sum())  # (CL.2)


def one_moved(D, labels):
    """labels (n,) after the one change of sides that lowers the inertia most; the same where none does; D (n, k).

    To leave a cluster of n points, D from its mean, gains D n/(n - 1); to enter one costs D n/(n + 1)      (CL.6)
    J. Hartigan, Clustering algorithms, 1975.
    """
    rows, size = np.arange(len(D)), np.bincount(labels, minlength=D.shape[1])
    alone = size[labels] == 1
    leave = D[rows, labels] * (size / np.maximum(size - 1, 1))[labels]  # (CL.6)
    gain = np.where(alone, -np.inf, leave)[:, None] - D * (size / (size + 1))  # (CL.6)
    gain[rows, labels] = -np.inf
    tie = GAIN * np.abs(D).max()
    if (most := gain.max()) <= tie:
        return labels
    i, c = np.unravel_index((gain >= most - tie).argmax(), gain.shape)  # the first of equals
    return np.where(rows == i, c, labels)


def no_more_than(n, n_clusters):
    """n_clusters again, if there are as many points."""
    if n_clusters > n:
        raise ValueError(
            f"n_clusters = {n_clusters} is more than the number of points, n_samples = {n}: ask for fewer."
        )
    return n_clusters


def as_labels(labels, n, k=None):
    """labels (n,) as whole numbers from 0; without k, every number up to the largest must occur."""
    labels = np.asarray(labels)
    if labels.shape != (n,) or labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= (k or n):
        raise ValueError(f"labels must be {n} whole numbers from 0 to {(k or n) - 1}, one for each point.")
    if k is None and (np.bincount(labels) == 0).any():
        raise ValueError("labels leave out a number, and a cluster without points has no mean: number them anew.")
    return labels


def no_more_pieces(W, k):
    """Refuses a graph of more than k pieces."""
    pieces = components(W)[0]
    if pieces > k:
        raise ValueError(
            f"The graph falls into {pieces} pieces, more than n_clusters = {k}, and none says which belong together: "
            f"raise n_neighbors, or ask for {pieces} clusters."
        )
