"""Lecture 001, Sugiyama, read from a scan of pages 109 to 128; two of them are missing."""

import numpy as np

from ...datasets import dependence_shapes, thirty_points, three_clouds
from ...dependence import coco, witnesses
from ...graph import directed, graph_modes, knn_graph, nearest
from ...kernels import Gaussian, Linear, NegativePower
from ...manifold import KernelLPP, LaplacianEigenmap
from . import statement


@statement(
    "E-S2", "p109", "B",
    "an implicit map exists if K, introduced as the matrix of the sample, is symmetric and positive semi-definite",
    "one such matrix gives vectors for its own points; for a map on all of input space it takes every finite sample",
    "smallest eigenvalue of the function 1 − d²/2 on the points 0 and 1: {}, on 0 and 3: {}",
)  # fmt: skip
def _one_sample_is_not_enough():
    return tuple(float(np.linalg.eigvalsh(1 + NegativePower()([[0.0], [far]]) / 2)[0]) for far in (1.0, 3.0))


@statement(
    "E-S3", "p119", "B",
    "the embedding of the training points comes directly from Lφ = γDφ",
    "if K is nonsingular, and then it is the same for every kernel; a singular K leaves fewer functions to choose from",
    "smallest γ > 0 of thirty points in three dimensions: {} from Lφ = γDφ, {} by kernel LPP with the linear kernel",
)  # fmt: skip
def _singular_kernels_have_less_to_choose():
    X = thirty_points()
    return LaplacianEigenmap(1, 5).fit(X).mu_[0], KernelLPP(Linear(), 1, 5).fit(X).mu_[0]


@statement(
    "E-S4", "p118", "A",
    "if KDK is not of full rank, replace it by KDK + εI; the embedding takes the last, smallest solutions",
    "with a singular K the smallest solutions are then the null space of K, which embeds every point, old or new, at "
    "0: solve in the range of K, or put ε on the left side, which sends the null space to the large end",
    "largest coordinate of thirty points, linear kernel: {} with ε = 0.001 as advised, {} in the range of K",
)  # fmt: skip
def _the_regulariser_collapses():
    return tuple(
        float(np.abs(KernelLPP(Linear(), 2, 5, regularizer=kind).fit(thirty_points()).embedding_).max())
        for kind in ("slide", "range")
    )


@statement(
    "E-S6", "p120", "B",
    "L1 = 0, so the last eigenvector is the constant one, and it is removed",
    "this is all if the graph is connected; with c components there are c eigenvalues 0 and none of their vectors "
    "needs to be the constant",
    "eigenvalues 0 of the graph of three separate clouds: {}",
)  # fmt: skip
def _one_zero_for_each_component():
    return (int((graph_modes(knn_graph(three_clouds()[0], 5), 9)[0] < 1e-9).sum()),)


@statement(
    "E-S9", "p125-126", "B",
    "ρ is the largest covariance of f(x) and g(y) over f and g in H; on the pages that we have, no bound on them is "
    "visible",
    "f and g must be bounded, ‖f‖, ‖g‖ ≤ 1 (COCO), or the covariance divided by penalised deviations (KCC): without a "
    "bound the largest covariance is 0 or infinite",
    "covariance in units of COCO: {} for the best f and g of norm 10, {} for those of norm 1",
)  # fmt: skip
def _no_bound_no_maximum():
    X, Y = dependence_shapes("circle", 100)
    return tuple(witnesses(X, Y, radius=radius)[2] / coco(X, Y) for radius in (10.0, 1.0))


@statement(
    "E-S11", "p125", "A",
    "x and y have mean zero, and the covariance of f(x) and g(y) is written as the mean of their product",
    "that x and y have mean zero does not make f(x) and g(y) so: subtract the product of their means, that is, centre "
    "both Gram matrices",
    "its largest value on 400 independent pairs, Gaussians of width 1: {} as written, {} centred",
)  # fmt: skip
def _means_left_in():
    X, Y = np.random.default_rng(0).standard_normal((2, 400, 1))
    return tuple(coco(X, Y, Gaussian(1.0), Gaussian(1.0), center=center) for center in (False, True))


def directed_laplacian(X, n_neighbors):
    """D - W with the one-sided relation itself, as if it were symmetric (001/p121); (n, d) -> (n, n)."""
    distance, neighbor = nearest(X, n_neighbors)
    W = directed(np.ones_like(distance), neighbor, len(X)).toarray()
    return np.diag(W.sum(1)) - W
