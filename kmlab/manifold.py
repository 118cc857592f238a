"""Locality-preserving embeddings: points that are neighbours stay neighbours, in two coordinates."""

import warnings

import numpy as np
from scipy.linalg import LinAlgError, eigh

from . import _checks as check
from ._bases import Transformer
from ._warnings import frames_inside
from .centering import seen_from
from .engine.eigen import RANK_TOL, TINY, settle_signs
from .engine.tiles import in_strips
from .graph import as_weights, components, degrees, directed, heat, heat_width, knn_graph, laplacian, nearest, smallest
from .kernels import Gaussian
from .npt import NPT, spanned
from .spectrum import seen_from_mean

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

    n_components: check.count = 2
    n_neighbors: check.count = 10
    symmetrize: check.choice("or", "and", "mean") = "or"
    weights: check.choice("binary", "heat") = "binary"
    width: check.optional(check.length) = None

    def fit_to(self, X):
        self.embed(knn_graph(X, self.n_neighbors, self.symmetrize, self.weights, self.width))
        self.X_ = X.copy()
        if self.weights == "heat":
            self.width_ = heat_width(nearest(X, self.n_neighbors)[0], self.width)

    def embed(self, W):
        warn_of_parts(W)
        self.mu_, self.embedding_ = smallest(laplacian(W), degrees(W), self.n_components)  # (LE.1)
        self.graph_, self.X_ = W, None

    def fit_graph(self, W):
        """The embedding of a graph that exists already; sparse or dense, (n, n)."""
        W = as_weights(W).copy()
        new = self._settled()
        new.n_features_in_ = W.shape[0]
        new.embed(W)
        return self._become(new)

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

    n_components: check.count = 2
    n_neighbors: check.count = 10
    symmetrize: check.choice("or", "and", "mean") = "or"
    weights: check.choice("binary", "heat") = "binary"
    center: check.optional(check.choice("D")) = None

    def fit_to(self, X):
        W = knn_graph(X, self.n_neighbors, self.symmetrize, self.weights)
        warn_of_parts(W)
        L, d = laplacian(W), degrees(W)
        self.mean_ = shares(d, self.center) @ X  # (LPP.3)
        U, s, V = range_of(X - self.mean_, np.abs(X).max())
        self.mu_, self.embedding_ = smallest_within(U, L, d, self.n_components)  # (LPP.1)
        self.components_ = self.embedding_.T @ U / s @ V.T  # Xb = y for X = U S Vᵀ
        self.graph_ = W

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

    kernel: check.kernel = Gaussian("median")
    n_components: check.count = 2
    n_neighbors: check.count = 10
    symmetrize: check.choice("or", "and", "mean") = "or"
    weights: check.choice("binary", "heat") = "binary"
    center: check.optional(check.choice("D")) = None
    regularizer: check.choice("range", "slide") = "range"
    eps: check.positive = 1e-3
    needs = "images"

    def fit_to(self, X):
        W = knn_graph(places(self.kernel, X), self.n_neighbors, self.symmetrize, self.weights)
        warn_of_parts(W)
        L, d = laplacian(W), degrees(W)
        self.share_ = shares(d, self.center)  # (LPP.3)
        self.graph_, self.X_ = W, X.copy()
        if self.regularizer == "slide":
            K = self.kernel(X)
            self.mean_ = self.share_ @ K
            K = self.from_mean(K)
            self.mu_, self.alphas_ = smallest_with_ridge(K, L, d, self.eps, self.n_components)  # (KLPP.3)
            self.embedding_ = K @ self.alphas_
        else:
            lam, U, self.mean_ = seen_from_mean(X, self.kernel, self.share_)
            spanned(lam)
            self.mu_, self.embedding_ = smallest_within(U, L, d, self.n_components)  # (LPP.1)
            self.alphas_ = U / lam @ (U.T @ self.embedding_)  # (KLPP.2)

    def transform(self, X):  # (m, d) -> (m, k)
        return in_strips(self._scores, self._check_new(X), 2 * len(self.X_))

    def _scores(self, X):
        return self.from_mean(self.kernel(X, self.X_)) @ self.alphas_

    def from_mean(self, Kt):
        """Inner products (m, n) after the weighted mean of the images has become the origin; without one, as it is."""
        return Kt if self.center is None else seen_from(Kt, self.share_, self.mean_)


def smallest_within(U, L, d, n_components):
    """L φ = μ D φ among φ = Uc only, smallest μ first and none constant; -> mu (k,), Phi (n, k)."""
    mu, C = eigh(U.T @ (L @ U), U.T @ (d[:, None] * U))  # (LPP.2)
    first = not_constant(mu, n_components)
    return mu[first], settle_signs(U @ C[:, first])


def not_constant(mu, n_components):
    """Where the smallest eigenvalues are whose vectors are not constant; refused where there are too few."""
    places = np.flatnonzero(mu > TRIVIAL)
    if n_components > len(places):
        raise ValueError(
            f"n_components = {n_components}, but the data spans only {len(places)} that are not constant: take fewer."
        )
    return places[:n_components]


def smallest_with_ridge(K, L, d, eps, n_components):
    """KLK α = μ (KDK + εI) α, smallest μ first, the constant one among them; -> mu (k,), alphas (n, k)     (KLPP.3)"""
    try:
        mu, alphas = eigh(K @ (L @ K), K @ (d[:, None] * K) + eps * np.eye(len(K)))
    except LinAlgError:
        raise ValueError(f"eps = {eps:g} is lost in the rounding of KDK, which stays singular: enlarge it.") from None
    return mu[:n_components], settle_signs(alphas[:, :n_components])


def range_of(X, size):
    """X = U S Vᵀ without what is rounding error of data of this size; -> U (n, r), s (r,), V (d, r)."""
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    keep = s > max(RANK_TOL * max(s[0], size), TINY)
    return U[:, keep], s[keep], Vt[keep].T


def places(kernel, X):
    """The points among which neighbours are looked for: X, or what a Gram matrix X is the inner products of."""
    return np.asarray(NPT(kernel, center=False).fit_transform(X)) if kernel.pairwise else X


def shares(d, center):
    """The share of each point in the mean that becomes the origin: d_i / Σd, or none                   (LPP.3)"""
    return np.zeros(len(d)) if center is None else d / d.sum()


def warn_of_parts(W):
    """Says where a graph falls into parts, and refuses one with a vertex that has no neighbour."""
    n_parts, part = components(W)
    if n_parts > 1:
        sizes = np.sort(np.bincount(part))[::-1]
        shown = ", ".join(map(str, sizes[:5])) + (", ..." if n_parts > 5 else "")
        warnings.warn(
            f"The graph falls into {n_parts} components that no edge joins (sizes {shown}), so the coordinates say "
            "nothing about how they lie to each other: take more neighbours, or embed each component on its own.",
            stacklevel=len(list(frames_inside())) + 1,
        )
