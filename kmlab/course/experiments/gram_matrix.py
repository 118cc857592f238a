"""Notebook 01: points from their Gram matrix, images one can see, and the price of features."""

from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from ...features import hom2_map, poly2_map
from ...kernels import Linear, Polynomial, Precomputed, feature_distance2
from ...npt import NPT
from . import seconds


def lifted(X):
    """(x₁, x₂, x₁² + x₂²): three coordinates made of those of poly2_map; (n, 2) -> (n, 3)."""
    F = poly2_map(X)
    return np.column_stack([F[:, 1:3] / np.sqrt(2), F[:, 3:5].sum(1)])


class Step(NamedTuple):
    """One step of a reconstruction: `made` was computed from `known` alone."""

    known: str
    made: str
    values: dict  # name of a stage -> array
    says: str
    roles: tuple = ("known", "made of it")


def reconstruction(X):
    """Points -> K -> distances, eigenvalues, coordinates; after the first step X is not used any more."""
    K = Linear()(X)
    D2 = feature_distance2(K)
    npt = NPT(Precomputed())
    Z = npt.fit_transform(K)
    lam = np.pad(npt.lam_, (0, len(K) - npt.rank_))
    off = np.abs(feature_distance2(Linear()(Z)) - D2).max()
    agree = "to ten digits" if off < 1e-10 * D2.max() else f"up to {off:.2g}"
    values = {"points": X, "K": K, "distances": np.sqrt(D2), "eigenvalues": lam, "coordinates": Z}
    size = f"{len(X)} × {len(X)}"
    yield Step("points", "K", values, f"{len(X)} points become {size} inner products; now the points are forgotten.")
    yield Step("K", "distances", values, f"All distances follow from K alone; the longest is {np.sqrt(D2.max()):.2f}.")
    filled = f"Centred, K has {npt.rank_} eigenvalues above zero: the points fill {npt.rank_} dimensions."
    yield Step("K", "eigenvalues", values, filled)
    scaled = "Each eigenvector of the centred K, times the root of its eigenvalue, is one coordinate of all points."
    yield Step("K", "coordinates", values, scaled)
    same = f"The same letter, turned; all distances agree with the old ones {agree}."
    yield Step("points", "coordinates", values, same, ("before", "after"))


def sphere_images(K):
    """Three unit vectors with Gram matrix K, in the symmetric position: the root of K; (3, 3) -> (3, 3)."""
    npt = NPT(Precomputed(), center=False)
    return npt.fit_transform(K) @ npt.U_.T


def expansion(centers, alpha, kernel, x):
    """f(x) = Σ α_i k(x, x_i), and |f| in the space of the kernel; -> (m,), float."""
    alpha = np.asarray(alpha, dtype=float)
    return kernel(x, centers) @ alpha, float(np.sqrt(max(alpha @ kernel(centers) @ alpha, 0)))


def time_features(dims, n=100, seed=0):
    """Seconds for the Gram matrix of (xᵀz)² on n points in d dimensions: by d² features, and by the kernel."""
    rng = np.random.default_rng(seed)
    by_features, by_kernel = (lambda X: Linear()(hom2_map(X))), Polynomial(2, 0.0)
    samples = [rng.standard_normal((n, d)) for d in dims]
    with threadpool_limits(1, "blas"):  # a second thread that has to wait for a core would be all that one sees
        return np.array([[seconds(lambda: way(X), 4) for X in samples] for way in (by_features, by_kernel)])  # noqa: B023
