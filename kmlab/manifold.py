"""Locality-preserving embeddings: points that are neighbours stay neighbours, in two coordinates."""

import warnings

import numpy as np
from scipy.linalg import LinAlgError, eigh

from . import _checks as check
from ._bases import Transformer
from .engine.eigen import RANK_TOL, settle_signs
from .graph import as_weights, components, directed, heat, heat_width, knn_graph, laplacian, nearest, nonzero_modes
from .kernels import Gaussian, Precomputed
from .npt import NPT

TRIVIAL = 1e-9  # a smaller μ belongs to a vector that is constant on every connected part


class LaplacianEigenmap(Transformer):
    """The smoothest functions on a neighbourhood graph, taken as coordinates.

    min Σ_ij W_ij |y_i - y_j|²/2 with YᵀDY = I:  L φ = μ D φ, smallest μ > 0 first           (LE.1)
    new points: φ(x) = Σ_j w(x, x_j) φ_j / ((1 - μ) Σ_j w(x, x_j)), (LE.1) read as a mean    (LE.2)

    mu_ (k,), embedding_ (n, k), graph_ sparse (n, n). The constant vector, μ = 0, is left out. A new point chooses its
    nearest training points; a training point gets its own coordinates back.
    M. Belkin, P. Niyogi, Laplacian eigenmaps for dimensionality reduction and data representation, 2003.
    Pages 001/p119-121, p127.
    """

    def __init__(self, n_components=2, n_neighbors=10, symmetrize="or", weights="binary", width=None):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.symmetrize = symmetrize
        self.weights = weights
        self.width = width

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=2)
        self._solve(knn_graph(X, self.n_neighbors, self.symmetrize, self.weights, self.width))
        if self.weights == "heat":
            self.width_ = heat_width(nearest(X, self.n_neighbors)[0], self.width)
        self.X_, self.n_features_in_ = X.copy(), X.shape[1]
        return self

    def fit_graph(self, W):
        """The embedding of a graph that exists already; sparse or dense, (n, n)."""
        W = as_weights(W).copy()
        self._solve(W)
        self.X_, self.n_features_in_ = None, W.shape[0]
        return self

    def _solve(self, W):
        k = check.count(self.n_components, "n_components")
        part = _parts(W)
        if k > (most := W.shape[0] - 1 - part.max()):
            raise ValueError(f"n_components = {k}, but this graph has only {most} that are not constant: take fewer.")
        self.mu_, self.embedding_ = nonzero_modes(W, part, k)  # (LE.1)
        self.graph_ = W

    def fit_transform(self, X, y=None):  # (n, d) -> (n, k)
        return self.fit(X).embedding_.copy()

    def transform(self, X):  # (m, d) -> (m, k)
        from scipy.spatial import KDTree  # here, because it costs more to load than the rest of kmlab

        self._check_fitted()
        if self.X_ is None:
            raise ValueError("This eigenmap was fitted to a graph, which has no place for new points: fit it to data.")
        if np.abs(1 - self.mu_).min() < 1e-6:
            raise ValueError("An eigenvalue is 1, and its coordinate is no mean of neighbours: take fewer components.")
        X = self._check_new(X)
        distance, neighbor = KDTree(self.X_).query(X, range(1, self.n_neighbors + 1), workers=-1)
        value = np.ones_like(distance)
        if self.weights == "heat":  # a common factor leaves the mean as it is, and a far point with some weight
            value = heat(np.sqrt(distance**2 - distance[:, :1] ** 2), self.width_)
        mean = directed(value / value.sum(1, keepdims=True), neighbor, len(self.X_)) @ self.embedding_
        Z = mean / (1 - self.mu_)  # (LE.2)
        known = distance[:, 0] == 0
        Z[known] = self.embedding_[neighbor[known, 0]]  # its own row of W, with which (LE.2) is (LE.1)
        return Z


class LPP(Transformer):
    """The eigenmap among linear functions: y = Bᵀx, so that new points are a matrix product.

    XᵀLX b = μ XᵀDX b, smallest μ first, BᵀXᵀDXB = I                                         (LPP.1)
    solved for the vectors Xb = Uc of the range of X, U orthonormal:  UᵀLU c = μ UᵀDU c      (LPP.2)

    The answer moves with the origin; center="D" puts it at the mean weighted by degrees (LPP.3), which also takes the
    constant out of the range. mu_ (k,), components_ (k, d), embedding_ (n, k).
    X. He, P. Niyogi, Locality preserving projections, 2003.  Page 001/p117.
    """

    def __init__(self, n_components=2, n_neighbors=10, symmetrize="or", weights="binary", center=None):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.symmetrize = symmetrize
        self.weights = weights
        self.center = center

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=2)
        W = knn_graph(X, self.n_neighbors, self.symmetrize, self.weights)
        _parts(W)
        share = _mean_weights(W, self.center)
        origin = share @ X
        U, s, Vt = np.linalg.svd(X - origin, full_matrices=False)
        keep = s > RANK_TOL * max(s[0], np.abs(X).max())
        mu, C = _modes_within(U[:, keep], W, check.count(self.n_components, "n_components"))
        B = Vt[keep].T @ (C / s[keep, None])
        self.mu_, self.components_, self.mean_ = mu, B.T, origin
        self.embedding_, self.graph_ = U[:, keep] @ C, W
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T


class KernelLPP(Transformer):
    """LPP in feature space: y = Σ_i α_i k(x, x_i), from the Gram matrix and the graph alone.

    K L K α = μ K D K α, smallest μ first, αᵀKDKα = 1                                        (KLPP.1)
    solved in the range of K = UΛUᵀ, where Kα = Uc:  UᵀLU c = μ UᵀDU c, α = UΛ⁻¹c            (KLPP.2)

    regularizer="slide" solves KLKα = μ (KDK + εI) α over all α instead (KLPP.3), as 001/p118 notes: with a singular K
    its smallest solutions are the null space of K, where the embedding Kα is zero; "range" avoids that.
    With Precomputed() the neighbours are those in feature space. mu_ (k,), alphas_ (n, k), embedding_ (n, k).
    Pages 001/p118-119.
    """

    def __init__(self, kernel=Gaussian(), n_components=2, n_neighbors=10, symmetrize="or", weights="binary",
                 center=None, regularizer="range", eps=1e-3):  # fmt: skip
        self.kernel = kernel
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.symmetrize = symmetrize
        self.weights = weights
        self.center = center
        self.regularizer = regularizer
        self.eps = eps

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=2)
        k = check.count(self.n_components, "n_components")
        check.one_of(self.regularizer, ("range", "slide"), "regularizer")
        K = check.kernel(self.kernel)(X)
        places = NPT(Precomputed(), center=False).fit_transform(K) if isinstance(self.kernel, Precomputed) else X
        W = knn_graph(places, self.n_neighbors, self.symmetrize, self.weights)
        _parts(W)
        share = _mean_weights(W, self.center)
        Kc = _move_origin(K, share @ K, share)
        Kc = (Kc + Kc.T) / 2
        if self.regularizer == "slide":
            mu, alphas = _with_eps(Kc, W, check.positive(self.eps, "eps"), k)
        else:
            npt = NPT(Precomputed(), center=False).fit(Kc)
            mu, C = _modes_within(npt.U_, W, k)
            alphas = npt.U_ @ (C / npt.lam_[:, None])  # (KLPP.2)
        self.mu_, self.alphas_, self.embedding_, self.graph_ = mu, alphas, Kc @ alphas, W
        self.share_, self.mean_ = share, share @ K
        self.X_, self.n_features_in_ = X.copy(), X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        Kt = self.kernel(self._check_new(X), self.X_)
        return _move_origin(Kt, self.mean_, self.share_) @ self.alphas_


def _parts(W):
    """The connected part of each vertex, with a warning if there are several."""
    n_parts, part = components(W)
    if n_parts > 1:
        sizes = np.sort(np.bincount(part))[::-1]
        shown = ", ".join(map(str, sizes[:5])) + (", ..." if n_parts > 5 else "")
        warnings.warn(
            f"The graph falls into {n_parts} components that no edge joins (sizes {shown}), so the coordinates say "
            "nothing about how they lie to each other: take more neighbours, or embed each component on its own.",
            stacklevel=3,
        )
    return part


def _mean_weights(W, center):
    """The share of each point in the mean that becomes the origin: d_i / Σd, or none                   (LPP.3)"""
    if center is None:
        return np.zeros(W.shape[0])
    check.one_of(center, ("D",), "center")
    degree = W.sum(1)
    return degree / degree.sum()


def _move_origin(Kt, mean, share):
    """Inner products (m, n) after the weighted mean of the images has become the origin."""
    return Kt - (Kt @ share)[:, None] - mean + mean @ share if share.any() else Kt


def _modes_within(U, W, k):
    """The eigenmap among the vectors Uc only, without the constant; (n, r) -> mu (k,), C (r, k)."""
    mu, C = eigh(U.T @ (laplacian(W) @ U), U.T @ (W.sum(1)[:, None] * U))  # (LPP.2)
    mu, C = mu[mu > TRIVIAL], C[:, mu > TRIVIAL]
    if k > len(mu):
        raise ValueError(f"n_components = {k}, but the data spans only {len(mu)} that are not constant: take fewer.")
    flip = np.sign((settle_signs(U @ C[:, :k]) * (U @ C[:, :k])).sum(0))
    return mu[:k], C[:, :k] * flip


def _with_eps(K, W, eps, k):
    """The smallest solutions of KLKα = μ (KDK + εI) α, the constant one among them                   (KLPP.3)"""
    KLK, KDK = K @ (laplacian(W) @ K), K @ (W.sum(1)[:, None] * K)
    try:
        mu, alphas = eigh((KLK + KLK.T) / 2, (KDK + KDK.T) / 2 + eps * np.eye(len(K)))
    except LinAlgError:
        raise ValueError(f"eps = {eps:g} is lost in the rounding of KDK, which stays singular: enlarge it.") from None
    return mu[:k], settle_signs(alphas[:, :k])
