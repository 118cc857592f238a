"""Slips of lecture 001 (Sugiyama)."""

import numpy as np

from ..datasets import dependence_shapes, s_curve
from ..dependence import coco, witnesses
from ..discriminant import fda_weights, lfda_weights, scatter
from ..graph import graph_modes, knn_graph
from ..kernels import Gaussian, Linear, NegativePower
from ..manifold import LPP, KernelLPP, LaplacianEigenmap
from ..pca import KernelPCA
from ..perceptron import Perceptron
from ..preimage import image_distance2, preimage
from ..svm import SVC, margin_distribution
from . import register
from .fisher import three_uneven_classes
from .locality import directed_laplacian, rank_correlation, thirty_in_the_plane, thirty_points, three_clouds
from .perceptron import mixed, two_sides


@register(
    "E-S1", "p112", 1, "R",
    printed="the squared norm of an image is √k(x, x)",
    corrected="the norm is √k(x, x), its square is k(x, x); with a Gaussian both are 1 and the slip stays hidden",
    quantity="squared length of x = (2, 0), linear kernel; it is 4",
)  # fmt: skip
def _root_of_the_norm():
    k = Linear().diag([[2.0, 0.0]])[0]
    return np.sqrt(k), k


@register(
    "E-S2", "p109", 1, "U",
    printed="a feature map exists if the matrix K is symmetric and positive semi-definite",
    corrected="it exists if K is so for every finite sample: 1 − d²/2 passes on {0, 1} and fails on {0, 3}",
    quantity="smallest eigenvalue on {0, 1}, then on {0, 3}",
)  # fmt: skip
def _one_sample_is_not_enough():
    return tuple(float(np.linalg.eigvalsh(1 + NegativePower()([[0.0], [far]]) / 2)[0]) for far in (1.0, 3.0))


@register(
    "E-S3", "p119", 2, "U",
    printed="the embedding of the training points follows from L and D alone",
    corrected="only if K is nonsingular, and then it is the same for every kernel; a singular K leaves fewer functions "
    "to choose from, and the best of them is worse",
    quantity="smallest μ > 0 of kernel LPP with the linear kernel, thirty points in three dimensions",
)  # fmt: skip
def _singular_kernels_have_less_to_choose():
    X = thirty_points()
    return LaplacianEigenmap(1, 5).fit(X).mu_[0], KernelLPP(Linear(), 1, 5).fit(X).mu_[0]


@register(
    "E-S4", "p118", 3, "R",
    printed="if KDK is singular, replace it by KDK + εI and take the smallest solutions",
    corrected="the smallest solutions are then the null space of K, which embeds every point at 0: solve in the range "
    "of K, or put ε on the left side and take the largest",
    quantity="largest coordinate of any point, thirty points, linear kernel, ε = 0.001",
)  # fmt: skip
def _the_regulariser_collapses():
    return tuple(
        float(np.abs(KernelLPP(Linear(), 2, 5, regularizer=kind).fit(thirty_points()).embedding_).max())
        for kind in ("slide", "range")
    )


@register(
    "E-S5", "p118-119", 2, "U",
    printed="keep the last m solutions",
    corrected="the last is the constant one, μ = 0, and says nothing: leave it out, as p120 does",
    quantity="spread of the first coordinate, largest minus smallest, thirty points, Gaussian of width 1",
)  # fmt: skip
def _the_constant_coordinate():
    for way in {"regularizer": "slide", "eps": 1e-12}, {"regularizer": "range"}:
        yield float(np.ptp(KernelLPP(Gaussian(1.0), 1, 5, **way).fit(thirty_points()).embedding_))


@register(
    "E-S6", "p120", 2, "U",
    printed="the solution to be removed is the constant vector, one of them",
    corrected="one for each connected component of the graph: with c components there are c zeros",
    quantity="zero eigenvalues of three separate clouds",
)  # fmt: skip
def _one_zero_for_each_component():
    return 1, int((graph_modes(knn_graph(three_clouds()[0], 5), 9)[0] < 1e-9).sum())


@register(
    "E-S7", "p121", 2, "U",
    printed="W is given by the nearest neighbours",
    corrected="being a neighbour is not mutual, so W must be made symmetric (either wants it, or both do), without the "
    "point itself and with a rule for ties",
    quantity="largest column sum of L, which must be 0; thirty points of the plane, five neighbours",
)  # fmt: skip
def _neighbours_are_not_mutual():
    X = thirty_in_the_plane()
    W = knn_graph(X, 5).toarray()
    return int(np.abs(directed_laplacian(X, 5).sum(0)).max()), int(np.abs((np.diag(W.sum(1)) - W).sum(0)).max())


@register(
    "E-S8", "p121, p127", 2, "U",
    printed="the eigenmap unfolds the S-curve into its two coordinates",
    corrected="if the sheet is wider than half its length, 3π/2 ≈ 4.71; else the second coordinate is a fold of the "
    "first",
    quantity="rank correlation of coordinate 2 with the place across the sheet; width 2, then 5",
)  # fmt: skip
def _narrow_sheets_are_not_unfolded():
    for width in 2.0, 5.0:
        X, t = s_curve(1000, width)
        yield rank_correlation(LaplacianEigenmap(2, 10).fit(X).embedding_[:, 1], t[:, 1])


@register(
    "E-S9", "p125-126", 3, "R",
    printed="dependence is the largest covariance of f(x) and g(y) over all functions of the space",
    corrected="over functions of norm at most 1 (COCO), or divided by penalised standard deviations (KCC): without a "
    "bound, functions ten times as large have a hundred times the covariance and there is no maximum",
    quantity="covariance of the best f and g of norm 10 in units of COCO, then the same divided by their norms",
)  # fmt: skip
def _no_bound_no_maximum():
    X, Y = dependence_shapes("circle", 100)
    f, g, covariance = witnesses(X, Y, radius=10.0)
    norms = [np.sqrt(w.alpha @ w.kernel(w.X) @ w.alpha) for w in (f, g)]
    return covariance / coco(X, Y), covariance / (norms[0] * norms[1]) / coco(X, Y)


@register(
    "E-S11", "p125", 3, "R",
    printed="the covariance of f(x) and g(y) is the mean of f(x) g(y), as x and y have mean zero",
    corrected="f(x) and g(y) do not have mean zero though x and y do: subtract f̄ ḡ, that is, centre both Gram matrices",
    quantity="its largest value on 400 independent pairs, Gaussians of width 1; it should tend to 0",
)  # fmt: skip
def _means_left_in():
    X, Y = np.random.default_rng(0).standard_normal((2, 400, 1))
    return tuple(coco(X, Y, Gaussian(1.0), Gaussian(1.0), center=center) for center in (False, True))


@register(
    "E-S13", "p128", 1, "U",
    printed="the weights listed are those of (local) Fisher discriminant analysis",
    corrected="they are those of plain FDA; the local one multiplies the entries inside a class by a nearness A_ij "
    "and then has more directions than c − 1",
    quantity="rank of XᵀLᵇX, 3 classes in 4 dimensions, with the weights as listed and with those of LFDA",
)  # fmt: skip
def _the_weights_of_the_local_version():
    X, y = three_uneven_classes()
    return tuple(int(np.linalg.matrix_rank(scatter(X, W))) for W in (fda_weights(y)[0], lfda_weights(X, y)[0]))


@register(
    "E-S15", "p118, p128", 1, "U",
    printed="the order of solutions is given for LPP alone; FDA has the same form of equation",
    corrected="LPP minimises and takes the smallest, FDA maximises and takes the largest",
    quantity="energy μ of the first LPP coordinate, from FDA's end and from its own",
)  # fmt: skip
def _the_two_ends_of_the_spectrum():
    mu = LPP(3, 5).fit(thirty_points()).mu_
    return mu[-1], mu[0]


@register(
    "E-S16", "p128", 2, "R",
    printed="the dual eigenproblem may need a regulariser",
    corrected="it always needs one when K has full rank: K Lʷ K vanishes for K⁻¹ times the indicator of any class, "
    "K Lᵇ K does not, and the quotient has no maximum",
    quantity="rank of K Lʷ K for 30 points in 3 classes: needed for a maximum, and found",
)  # fmt: skip
def _always_regularise():
    X, y = three_uneven_classes()
    lam = np.linalg.eigvalsh(scatter(Gaussian(1.5)(X), fda_weights(y)[1]))
    return len(X), int((lam > 1e-10 * lam[-1]).sum())


@register(
    "E-S19", "p118", 1, "U",
    printed="the images are taken as they are, centring is not mentioned",
    corrected="LPP moves with the origin; put it at the mean weighted by degrees, which also removes the constant",
    quantity="change of the smallest μ when all points move by (3, 3, 3)",
)  # fmt: skip
def _lpp_moves_with_the_origin():
    for center in None, "D":
        here, there = (LPP(1, 5, center=center).fit(thirty_points() + shift).mu_[0] for shift in (0, 3))
        yield abs(here - there)


@register(
    "E-S20", "p115", 1, "U",
    printed="a pre-image can be found when the feature map has an inverse, else in principle not",
    corrected="existence and uniqueness fail separately: the Gaussian's map is one-to-one and most vectors have no "
    "pre-image; that of (xᵀz)² is not, and φ(x) has two, x and −x",
    quantity="squared distance of the midpoint of φ(0) and φ(2), Gaussian of width 1, to the nearest image",
)  # fmt: skip
def _midpoint_without_preimage():
    kpca, midpoint = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [2.0]]), [[0.0]]  # score 0 is the mean of the images
    return 0, float(image_distance2(kpca, midpoint, preimage(kpca, midpoint, "gradient"))[0])


@register(
    "E-S21", "p117", 1, "N",
    printed="perceptron and support vector machine share one entry of the list of methods",
    corrected="they are two algorithms with two answers: the first plane without mistakes, and the widest one",
    quantity="margin of the plane on the same 40 points: perceptron, support vector machine",
)  # fmt: skip
def _perceptron_is_no_support_vector_machine():
    X, y = two_sides()
    models = Perceptron().fit(*mixed(X, y, seed=7)), SVC(Linear(), C=np.inf, tol=1e-6).fit(X, y)
    return tuple(float(margin_distribution(model, X, y).min()) for model in models)
