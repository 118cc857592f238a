"""Pre-images: points of input space whose images come closest to a vector of feature space.

The vectors are those that kernel PCA makes: scores Z (m, k) stand for f = mean image + Σ_j z_j v_j. Whoever forgets the
mean looks for the pre-image of another vector.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from . import _checks as check
from .engine.eigen import plus_diagonal
from .engine.fixed_points import VANISHED, fixed_point_rounds, nearest_to_all
from .engine.threads import threads_for
from .engine.tiles import in_strips
from .kernels import Gaussian, median_width

METHODS = "fixed_point", "distance", "ridge", "kernel_ridge", "gradient"
SEARCHING = METHODS[:2]  # for every point among all training points


def preimage(kpca, Z, method="fixed_point", start=None, *, n_neighbors=10, lam=0.1, seed=0):
    """A point for each row of scores Z; kpca is a fitted KernelPCA; (m, k) -> (m, d).  Pages 001/p114-116.

    fixed_point   S. Mika et al., Kernel PCA and de-noising in feature spaces, NIPS 11, 1999; Gaussian kernels
    distance      J. Kwok, I. Tsang, The pre-image problem in kernel methods, IEEE TNN 15(6), 2004; Gaussian kernels
    ridge         linear ridge regression from scores to points, λ = lam; any kernel
    kernel_ridge  G. Bakır, J. Weston, B. Schölkopf, Learning to find pre-images, NIPS 16, 2004; any kernel
    gradient      least squares by L-BFGS from several starts; kernels that know their gradient
    start (m, d) is where the first and the last begin; without it, the training point whose image is nearest. These two
    search and may end in a local minimum; the others compute.
    """
    Z, method = _scores(kpca, Z), check.one_of(method, METHODS, "method")
    start = None if start is None else _points(kpca, Z, start)
    both = Z if start is None else np.column_stack([Z, start])  # row by row, each with its start

    def found(rows):
        own = None if start is None else rows[:, Z.shape[1] :]
        return _found(kpca, rows[:, : Z.shape[1]], method, own, n_neighbors, lam, seed)

    with threads_for(kpca.X_):
        return in_strips(found, both, 4 * len(kpca.X_)) if method in SEARCHING else found(both)


def _found(kpca, Z, method, start, n_neighbors, lam, seed):
    if method == "fixed_point":
        return fixed_point(kpca, Z, start)
    if method == "distance":
        return from_distances(kpca, Z, n_neighbors)
    if method == "ridge":
        return ridge_map(kpca, Z, lam)
    if method == "kernel_ridge":
        return kernel_ridge_map(kpca, Z, lam)
    return least_squares(kpca, Z, start, seed)


def denoise(kpca, X, method="fixed_point", **options):
    """The pre-image of what the kept components see of a point, looked for from the point itself; (m, d) -> (m, d).

    Pages 004/s27-28.
    """
    return preimage(kpca, _fitted(kpca).transform(X), method, **({"start": X} | options))


def projection_coefficients(kpca, Z):
    """γ = Σ_j z_j α_j + 1/n: the vector as Σ_i γ_i φ(x_i) with Σγ = 1, as Σα = 0; (m, k) -> (m, n)    (PI.1)"""
    return _scores(kpca, Z) @ kpca.alphas_.T + 1 / len(kpca.X_)  # (PI.1)


def image_distance2(kpca, Z, points):
    """|φ(z) - f|² = k(z, z) - 2 Σ_i γ_i k(z, x_i) + |f|² for a point z to each row of Z; -> (m,)     (PI.2)"""
    Z = _scores(kpca, Z)
    points = _points(kpca, Z, points)
    match = (projection_coefficients(kpca, Z) * kpca.kernel_(points, kpca.X_)).sum(1)
    distance2 = kpca.kernel_.diag(points) - 2 * match + squared_norm(kpca, Z)  # (PI.2)
    return np.maximum(distance2, 0)  # below is rounding


def squared_norm(kpca, Z):
    """|f|² = γᵀKγ without K: |mean|² + 2 Σ_j z_j ⟨mean, v_j⟩ + |z|²; (m, k) -> (m,)."""
    Z = _scores(kpca, Z)
    return kpca.centerer_.mean_ + 2 * Z @ _mean_on_axes(kpca) + (Z**2).sum(1)


def next_point(z, gamma, X, kernel):
    """z ← Σ_i γ_i k(z, x_i) x_i / Σ_i γ_i k(z, x_i), one step for one point; (d,) -> (d,)             (PI.3)"""
    weight = gamma * kernel.pull(z[None], X)[0]
    return weight @ X / weight.sum()  # (PI.3)


class FixedPointStep(NamedTuple):
    """One round for all points at once: where they are, and how far their images are from what is looked for."""

    points: np.ndarray  # (m, d)
    distance2: np.ndarray  # (m,)


def fixed_point_steps(kpca, Z, start=None, max_steps=200):
    """Rounds of next_point for all points, until none moves; the denominator is ⟨φ(z), f⟩ and tells the distance.

    Where it vanishes or is negative, the next point would lie anywhere: there the search starts again, at the training
    point of nearest image.
    """
    Z, X, most = _scores(kpca, Z), kpca.X_, check.count(max_steps, "max_steps")
    gamma, whole = projection_coefficients(kpca, Z), 1 + squared_norm(kpca, Z)  # k(z, z) = 1
    nearest = X[feature_distances2(kpca, Z).argmin(1)]
    start = nearest if start is None else _points(kpca, Z, start)
    for points, match in fixed_point_rounds(kpca.kernel_, X, gamma, start, nearest, most):  # (PI.3)
        yield FixedPointStep(points, np.maximum(whole - 2 * match, 0))  # (PI.2)


def fixed_point(kpca, Z, start=None):
    """The best of all rounds: where some γ_i are negative, a round may lead uphill; (m, k) -> (m, d)."""
    rounds = fixed_point_steps(kpca, Z, start)
    best, distance2 = next(rounds)
    for points, now in rounds:
        better = now < distance2
        best[better], distance2[better] = points[better], now[better]
    return best


def feature_distances2(kpca, Z):
    """|φ(x_i) - f|² to every training point, from Kα = λα + 1⟨mean, v⟩ instead of K; (m, k) -> (m, n)."""
    Z = _scores(kpca, Z)
    far2 = (-2 * kpca.lam_ * Z) @ kpca.alphas_.T
    far2 += kpca.kernel_.diag(kpca.X_) - 2 * kpca.centerer_.column_means_
    far2 += (squared_norm(kpca, Z) - 2 * Z @ _mean_on_axes(kpca))[:, None]
    return np.maximum(far2, 0, out=far2)


def input_distance2(kernel, distance2):
    """|x - z|² = -width² ln(1 - |φ(x) - φ(z)|²/2): the Gaussian kernel read backwards                (PI.4)"""
    # two images are at most √2 apart; a vector between them can be a little further from one of them
    return check.kernel(kernel).distance2_at(np.maximum(1 - np.asarray(distance2) / 2, VANISHED))  # (PI.4)


def from_distances(kpca, Z, n_neighbors=10):
    """The point whose distances to the nearest training points are right, by least squares; (m, k) -> (m, d)

    2 (x_i - c)ᵀ(z - c) = |x_i - c|² - d_i² + |z - c|²                                                (PI.5)
    c is the mean of the neighbours, so a term that is the same for all of them, |z - c|², has no effect.
    """
    Z = _scores(kpca, Z)
    k = min(check.count(n_neighbors, "n_neighbors"), len(kpca.X_) - 1)
    far2 = feature_distances2(kpca, Z)
    near = np.argpartition(far2, k, axis=1)[:, :k]
    d2 = input_distance2(kpca.kernel_, np.take_along_axis(far2, near, 1))
    N = kpca.X_[near]  # (m, k, d)
    center = N.mean(1, keepdims=True)
    N = N - center
    size = (N**2).sum(2)
    right = (size - d2) / 2  # (PI.5)
    return center[:, 0] + nearest_to_all(N, right, size.mean(1))


def ridge_map(kpca, Z, lam=0.1):
    """Linear ridge from scores to inputs: mean + z (ZᵀZ + λI)⁻¹ Zᵀ(X - mean); (m, k) -> (m, d)        (PI.6)"""
    Z, X = _scores(kpca, Z), kpca.X_
    # the scores of the training points are Z = αλ, and ZᵀZ is diagonal with λ on it: nothing to invert
    B = (kpca.alphas_ * (kpca.lam_ / (kpca.lam_ + check.positive(lam, "lam")))).T @ (X - X.mean(0))
    return X.mean(0) + Z @ B  # (PI.6)


def kernel_ridge_map(kpca, Z, lam=0.1, kernel=None):
    """Kernel ridge from scores to inputs: mean + κ(z, S) (κ(S, S) + λI)⁻¹ (X - mean); (m, k) -> (m, d)  (PI.7)

    S are the scores of the training points, κ a second kernel, on scores; without one, a Gaussian of their median
    distance. Then κ(s, s) = 1 and λ has no unit: 1 halves what a lone point says, 0.1 takes about a tenth of it.
    """
    Z, X = _scores(kpca, Z), kpca.X_
    S = kpca.alphas_ * kpca.lam_
    kappa = Gaussian(median_width(S)) if kernel is None else check.kernel(kernel)
    try:
        factor = cho_factor(plus_diagonal(kappa(S), check.positive(lam, "lam")), check_finite=False)
    except LinAlgError:
        raise ValueError(f"lam = {lam:g} leaves κ(S, S) + λI without an inverse, up to rounding: enlarge it.") from None
    B = cho_solve(factor, X - X.mean(0), check_finite=False)
    return X.mean(0) + kappa(Z, S) @ B  # (PI.7)


def least_squares(kpca, Z, start=None, seed=0):
    """min_z |φ(z) - f|² by L-BFGS, from the start, the two nearest and two random training points; (m, k) -> (m, d)."""
    from scipy.optimize import minimize  # here, because it takes longer to load than the rest

    Z, rng = _scores(kpca, Z), check.seeded(seed)
    gamma, near = projection_coefficients(kpca, Z), feature_distances2(kpca, Z).argsort(1)[:, :2]
    how = {"method": "L-BFGS-B", "jac": True, "tol": 1e-14}
    own = None if start is None else _points(kpca, Z, start)
    best = np.empty((len(Z), kpca.X_.shape[1]))
    for i, row in enumerate(gamma):
        others = kpca.X_[[*near[i], *rng.integers(len(kpca.X_), size=2)]]
        starts = others if own is None else [own[i], *others]
        found = [minimize(kpca.kernel_.gap, z, (kpca.X_, row), **how) for z in starts]
        best[i] = min(found, key=lambda result: result.fun).x
    return best


def _mean_on_axes(kpca):
    """⟨mean, v_j⟩ for every axis, (k,)."""
    return kpca.centerer_.column_means_ @ kpca.alphas_


def _fitted(kpca):
    if not hasattr(kpca, "_check_fitted") or not hasattr(kpca, "kernel"):
        raise TypeError(f"kpca must be a KernelPCA of kmlab.pca, got {type(kpca).__name__}.")
    kpca._check_fitted()
    return kpca


def _scores(kpca, Z):
    if _fitted(kpca).kernel_.pairwise:
        raise ValueError("A Gram matrix does not know its points, so none can be found: fit KernelPCA with a kernel.")
    check.moderate(kpca.X_, "The training points")
    Z = check.matrix(Z, "Z")
    if Z.shape[1] != len(kpca.lam_):
        raise ValueError(f"Z has {Z.shape[1]} columns for {len(kpca.lam_)} components: give one score for each.")
    return Z


def _points(kpca, Z, points):
    points = check.matrix(points, "start")
    if points.shape != (len(Z), kpca.n_features_in_):
        expected = len(Z), kpca.n_features_in_
        raise ValueError(f"start has shape {points.shape}, but {expected} is needed: one point for each row of Z.")
    return points
