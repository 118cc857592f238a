"""Clusters in feature space: kernel k-means, spectral clustering, and a codebook that covers the data."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Estimator
from ._means import Means, lowest, members
from .graph import components, graph_modes, knn_graph
from .kernels import Gaussian, feature_distance2


class Clusterer(Estimator):
    """An estimator whose fit leaves labels_ (n,), numbers from 0."""

    _estimator_type = "clusterer"

    def fit_predict(self, X, y=None):
        return self.fit(X).labels_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags


class KMeansStep(NamedTuple):
    """The state after a round: every point has gone to its nearest mean, and the means have followed."""

    labels: np.ndarray  # (n,)
    inertia: float  # (CL.2)
    moved: int  # points that have changed sides in this round; 0 in the start


class KernelKMeans(Clusterer):
    """Every image to the nearest mean of images, every mean to the middle of its images, and again.

    |φ(x_i) - m_c|² = K_ii - 2 mean_{j∈c} K_ij + mean_{j,l∈c} K_jl                            (CL.1)
    inertia = Σ_i |φ(x_i) - m_c(i)|², which never grows                                      (CL.2)

    The best of `restarts` starts, each from n_clusters points drawn with a chance that grows with their squared
    distance from those drawn before. Equal distances: the lower cluster. An empty cluster gets the farthest point.
    labels_ (n,), inertia_, n_iter_, converged_.  Pages 001/p117, 002/s29.
    B. Schölkopf, A. Smola, K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, 1998;
    D. Arthur, S. Vassilvitskii, k-means++: the advantages of careful seeding, 2007.
    """

    def __init__(self, kernel=Gaussian(), n_clusters=2, seed=0, restarts=10, max_rounds=100):
        self.kernel = kernel
        self.n_clusters = n_clusters
        self.seed = seed
        self.restarts = restarts
        self.max_rounds = max_rounds

    def fit(self, X, y=None):
        X = check.matrix(X)
        K, means = self._means(X)
        best = means.run(self.seed, check.count(self.restarts, "restarts"), check.count(self.max_rounds, "max_rounds"))
        self.inertia_, self.n_iter_ = float(means.inertia[best]), int(means.n_rounds[best])
        self.converged_ = best not in means.live
        return self._place(X, K, means.labels[:, best].copy())

    def fit_labels(self, X, labels):
        """No search: the means of given clusters, to which predict and on_grid then refer."""
        X = check.matrix(X)
        return self._place(X, check.kernel(self.kernel)(X), _as_labels(labels, len(X)).copy())

    def steps(self, X, start=None):
        """KMeansStep after KMeansStep from one start: the first that fit would draw, or labels (n,)."""
        X = check.matrix(X)
        means = self._means(X)[1]
        if start is None:
            means.draw(self.seed, 1)
        else:
            means.labels = _as_labels(start, len(X), means.k)[:, None]
        for moved in means.rounds(check.count(self.max_rounds, "max_rounds")):
            yield KMeansStep(means.labels[:, 0].copy(), float(means.inertia[0]), moved)

    def predict(self, X):
        """The nearest mean for each point; (m, d) -> (m,)."""
        return self._nearest(self.kernel(self._check_new(X), self.X_) @ self.weights_)

    def on_grid(self, xs, ys):
        """The same on a grid of 2-d points; -> (len(ys), len(xs))."""
        self._check_fitted()
        return self._nearest(self.kernel.on_grid(xs, ys, self.X_, self.weights_))

    def _place(self, X, K, labels):
        self.labels_, member = labels, members(labels, int(labels.max()) + 1)
        self.weights_ = member / member.sum(0)  # (n, k): column c averages over cluster c
        self.within_ = np.einsum("ic,ic->c", self.weights_, K @ self.weights_)  # |m_c|²
        self.X_, self.n_features_in_ = X.copy(), X.shape[1]
        return self

    def _nearest(self, sums):
        return lowest(self.within_ - 2 * sums)  # (CL.1) without k(x, x), which all clusters share

    def _means(self, X):
        K = check.kernel(self.kernel)(X)
        return K, Means(lambda rows, Z: K[rows].T @ Z, K.diagonal(), _clusters(self.n_clusters, len(X)))


class SpectralClustering(Clusterer):
    """k-means on the rows of the k smoothest functions on the neighbourhood graph.

    L φ = μ D φ, the k smallest μ; v = D^½ φ are the vectors of L_sym = I - D^-½ W D^-½       (CL.3)
    embedding_ = V with rows scaled to length one, where D^½ drops out; then k-means         (CL.4)

    W from knn_graph. eigenvalues_ (k,), embedding_ (n, k), labels_ (n,).  Page 002/s29.
    A. Ng, M. Jordan, Y. Weiss, On spectral clustering: analysis and an algorithm, NIPS 2001.
    """

    def __init__(self, n_clusters=2, n_neighbors=10, seed=0):
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.seed = seed

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=2)
        k, W = _clusters(self.n_clusters, len(X)), knn_graph(X, self.n_neighbors)
        _check_pieces(W, k)
        self.eigenvalues_, Phi = graph_modes(W, k)  # (CL.3)
        Y = Phi / np.linalg.norm(Phi, axis=1, keepdims=True)  # (CL.4)
        means = Means(lambda rows, Z: Y @ (Y[rows].T @ Z), np.ones(len(Y)), k)
        best = means.run(self.seed, restarts=10, most=100)
        self.labels_ = means.labels[:, best].copy()
        self.embedding_, self.n_features_in_ = Y, X.shape[1]
        return self


class KernelVQ(Estimator):
    """A codebook: samples, as few as a greedy choice finds, with one within `radius` of every image.

    Next comes always the sample that covers most of those not yet covered:  |φ(x) - φ(x_i)| ≤ radius    (CL.5)

    codebook_ (m,) holds the chosen samples in their order, labels_ (n,) and predict the place of the nearest of them.
    Page 002/s29.
    """

    def __init__(self, kernel=Gaussian(), radius=0.5):
        self.kernel = kernel
        self.radius = radius

    def fit(self, X, y=None):
        X = check.matrix(X)
        K = check.kernel(self.kernel)(X)
        D = feature_distance2(K)
        reach = check.non_negative(self.radius, "radius") ** 2 + 1e-12 * D.max()  # rounding must not part equal points
        covers = D <= reach
        gain, open_, chosen = covers.sum(1), np.ones(len(X), dtype=bool), []
        while open_.any():
            chosen.append(int(gain.argmax()))  # (CL.5)
            new = covers[chosen[-1]] & open_
            gain -= covers[:, new].sum(1)
            open_ &= ~new
        self.codebook_ = np.array(chosen)
        self.diag_, self.X_, self.n_features_in_ = K.diagonal()[chosen], X.copy(), X.shape[1]
        self.labels_ = lowest(D[:, chosen])
        return self

    def predict(self, X):
        """The place in the codebook of the nearest entry; (m, d) -> (m,)."""
        Kt = self.kernel(self._check_new(X), self.X_)[:, self.codebook_]
        return lowest(self.diag_ - 2 * Kt)


def cluster_distance2(K, labels):
    """|φ(x_i) - m_c|² for all points and clusters, (CL.1); K (n, n), labels (n,) from 0 -> (n, k)."""
    K, labels = check.gram(K), _as_labels(labels, len(K))
    return Means(lambda rows, Z: K[rows].T @ Z, K.diagonal(), int(labels.max()) + 1).distance2(labels[:, None])[:, 0]


def _clusters(k, n):
    if check.count(k, "n_clusters") > n:
        raise ValueError(f"n_clusters = {k} is more than the number of points, n_samples = {n}: ask for fewer.")
    return int(k)


def _as_labels(labels, n, k=None):
    """labels (n,) as whole numbers from 0; without k, every number up to the largest must occur."""
    labels = np.asarray(labels)
    if labels.shape != (n,) or labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= (k or n):
        raise ValueError(f"labels must be {n} whole numbers from 0 to {(k or n) - 1}, one for each point.")
    if k is None and (np.bincount(labels) == 0).any():
        raise ValueError("labels leave out a number, and a cluster without points has no mean: number them anew.")
    return labels


def _check_pieces(W, k):
    pieces = components(W)[0]
    if pieces > k:
        raise ValueError(
            f"The graph falls into {pieces} pieces, more than n_clusters = {k}, and none says which belong together: "
            f"raise n_neighbors, or ask for {pieces} clusters."
        )
