"""Lecture 003, Vasconcelos."""

import numpy as np

from .. import datasets
from .._linalg import top_eigh
from ..centering import center_gram
from ..features import poly2_map
from ..kernels import Gaussian, Linear, Polynomial
from ..lifting import is_separable, log_ratio, random_map
from ..pca import PCA, KernelPCA
from ..perceptron import KernelPerceptron, Perceptron, novikoff_bound, perceptron_cost
from ..svm import SVC, margin_distribution
from . import by_eye, register
from .kernel_pca import literal_scores
from .pca import S_B, S_W, best_direction, quotient
from .perceptron import PAIR, PAIR_Y, gradient_updates, literal_updates, mixed, mixed_rings, two_sides


def _points(n, d=2, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) + 1.0


@register(
    "E-V1", "s7", 1, "U",
    "the bound (2R/γ)² holds for any data",
    "both classes must be there: a single class has planes of any margin, but the first point is always an update",
    "one class only: the bound for a plane 100 away, and the updates made",
)  # fmt: skip
def _():
    x = np.linspace(0.1, 1, 20)[:, None]  # w* = 1, b* = 100
    return novikoff_bound(1, float((x + 100).min())), len(list(literal_updates(Linear(), x, np.ones(20))))


@register(
    "E-V2", "s6", 1, "M",
    "the algorithm is stochastic gradient descent on the cost",
    "its step for b is R² times longer than the gradient's: it is descent for the inputs (x, R) in place of (x, 1)",
    "updates that agree with gradient steps on (x, 1), and on (x, R)",
)  # fmt: skip
def _():
    X, y = two_sides(shift=(2.0, 1.0))
    ours = [step.i for step in Perceptron().steps(X, y)]
    R = np.linalg.norm(X, axis=1).max()

    def agree(theirs):
        same = [a == b for a, b in zip(ours, theirs, strict=False)]
        return f"{same.index(False) if False in same else len(same)} of {len(ours)}"

    return agree(gradient_updates(X, y, 1.0)), agree(gradient_updates(X, y, R))


@register(
    "E-V3", "s5", 1, "U",
    "minimise J(w, b)",
    "the minimum, 0, is already reached by w = 0 and b = 0, which decides nothing; wanted is J = 0 with no point at 0",
    "points on their right side where J = 0: at the origin, and at the end of the walk",
)  # fmt: skip
def _():
    X, y = two_sides(20)
    model = Perceptron().fit(X, y)

    def right(w, b):
        assert perceptron_cost(w, b, X, y) == 0
        return f"{(y * (X @ w + b) > 0).sum()} of {len(X)}"

    return right(np.zeros(2), 0.0), right(model.w_, model.b_)


@register(
    "E-V4", "s16, s17 and s25", 3, "R",
    "in dot-product form α_i grows by 1 and b by η y_i R²",
    "η belongs on both sides (or on neither): α_i += η, b += η y_i R²; then it changes nothing, as in the primal",
    "updates for the points 2 and 4 with η = 0.001, where the bound is 64",
)  # fmt: skip
def _():
    return tuple(len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=0.001, eta_on=on))) for on in ("b", "both"))


@register(
    "E-V5", "s14", 2, "R",
    "in the range space, w grows by η y_i x_i",
    "by η y_i Φ(x_i): w lives where the images live",
    "entries of w and of what is added to it, quadratic map of the plane",
)  # fmt: skip
def _():
    X, y = datasets.xor()
    Z = poly2_map(X)
    w = Perceptron().fit(Z, y).w_
    return f"{len(w)} and {X.shape[1]}", f"{len(w)} and {Z.shape[1]}"


@register(
    "E-V6", "s14, s17 and s25", 3, "R",
    "in the kernel version too, R is the largest ‖x_i‖",
    "the largest ‖Φ(x_i)‖ = √k(x_i, x_i), as the theorem on s26 has it; 1 for every Gaussian",
    "updates in 100 passes, two rings around (20, 20), where the bound is 107",
)  # fmt: skip
def _():
    X, y = mixed_rings()
    steps = list(literal_updates(Gaussian(2.0), X + 20, y, radius="input", max_passes=100))
    return "no end" if steps[-1].round == 100 else len(steps), KernelPerceptron(Gaussian(2.0)).fit(X + 20, y).mistakes_


@register(
    "E-V7", "s7 and s26", 1, "U",
    "the theorem counts iterations",
    "it counts updates; presentations and passes are not bounded by it",
    "200 points on a line, bound 12.5: presentations, and updates",
)  # fmt: skip
def _():
    x = np.linspace(1, np.sqrt(3.125), 100)
    model = Perceptron().fit(*mixed(np.concatenate([x, -x])[:, None], np.repeat([1, -1], 100)))
    return 200 * model.passes_, model.mistakes_


@register(
    "E-V8", "s28", 2, "R",
    "the perceptron maximises the margin γ",
    "it finds some plane without mistakes, and which one depends on the order of the points; the SVM finds the widest",
    "margin of the plane found, and of the widest",
)  # fmt: skip
def _():
    X, y = two_sides()
    models = Perceptron().fit(*mixed(X, y, seed=7)), SVC(Linear(), C=np.inf, tol=1e-6).fit(X, y)
    return tuple(float(margin_distribution(model, X, y).min()) for model in models)


@register(
    "E-V9", "s27", 2, "R",
    "a good kernel has a large margin γ in feature space",
    "a large γ/R: a factor before the kernel stretches both, and nothing happens",
    "100 k in place of k: what it does to the margin, and to the updates",
)  # fmt: skip
def _():
    X, y = mixed_rings()
    kernels = 100 * Gaussian(1.0), Gaussian(1.0)
    margin = [1 / SVC(k, C=np.inf, tol=1e-6).fit(X, y).w_norm_ for k in kernels]
    updates = [KernelPerceptron(k).fit(X, y).mistakes_ for k in kernels]
    return f"× {margin[0] / margin[1]:.3g}", f"× {updates[0] / updates[1]:.3g}"


@register(
    "E-V10", "s34", 2, "R",
    "the quotient is largest where S_B w = λ S_W⁻¹ w",
    "where S_B w = λ S_W w, with S_W positive definite; both agree when S_W = I, so PCA hides the slip",
    "quotient at the direction found",
)  # fmt: skip
def _():
    return tuple(float(quotient(best_direction(S_B, S_W, printed), S_B, S_W)) for printed in (True, False))


@register(
    "E-V11", "s34-35", 1, "R",
    "Σ is X_cX_cᵀ/n, and two lines later X_cX_cᵀ",
    "the same axes, but the eigenvalues differ by the factor n; only with 1/n are they variances",
    "first eigenvalue divided by the variance of the first scores, n = 12",
)  # fmt: skip
def _():
    X = _points(12, 3)
    model = PCA(1).fit(X)
    variance = model.transform(X).var()
    return float(model.lam_[0] / variance), float(model.explained_variance_[0] / variance)


@register(
    "E-V12", "s33-34", 2, "R",
    "the dual goes through the inverse of the n × n matrix X_cᵀX_c",
    "centred points sum to zero, so it never has one; the pseudo-inverse does it, or no inverse at all",
    "rank of that 12 × 12 matrix for points in three dimensions",
)  # fmt: skip
def _():
    Xc = _points(12, 3) - _points(12, 3).mean(0)
    return 12, int(np.linalg.matrix_rank(Xc @ Xc.T))


@register(
    "E-V13", "s35 and s37", 2, "R",
    "the axes of dual PCA are X_cα with eigenvectors α of length 1",
    "divide by √λ, or the axis is as long as √λ",
    "length of the first axis",
)  # fmt: skip
def _():
    X = _points(12, 3)
    dual = PCA(1, route="dual").fit(X)
    Xc = X - X.mean(0)
    u = Xc @ dual.components_[0] / np.sqrt(dual.lam_[0])
    return float(np.linalg.norm(Xc.T @ u)), float(np.linalg.norm(dual.components_[0]))


@register(
    "E-V14", "s36-37", 3, "R",
    "centre the inputs, then apply the kernel",
    "centre in feature space, Kc = HKH; a Gaussian does not even notice that inputs moved",
    "squared length of the mean image that remains",
)  # fmt: skip
def _():
    X = _points(30)
    return float(Gaussian(2.0)(X - X.mean(0)).mean()), float(center_gram(Gaussian(2.0)(X)).mean())


@register(
    "E-V15", "s38", 2, "R",
    "a new x goes into the kernel as it is, against inputs that were centred",
    "new points get the same shift, and the same centring in feature space",
    "training points used as new ones, scores off by",
)  # fmt: skip
def _():
    X = _points(30)
    Xc, kernel = X - X.mean(0), Gaussian(2.0)
    trained = literal_scores(kernel, X, X, centering="input", unit_axes=False)
    printed = kernel(X, Xc) @ top_eigh(kernel(Xc), 1)[1]
    model = KernelPCA(kernel, 1).fit(X)
    return float(np.abs(printed - trained).max()), float(np.abs(model.transform(X) - model.fit_transform(X)).max())


@register(
    "E-V16", "s21-22", 1, "M",
    "(xᵀz)² works in d² dimensions and belongs to the family (1 + xᵀz)^k",
    "x_i x_j and x_j x_i coincide, so d(d+1)/2 dimensions are used; without the 1 it is a family of its own",
    "dimensions in use for d = 3",
)  # fmt: skip
def _():
    return 9, int(np.linalg.matrix_rank(Polynomial(2, 0.0)(_points(40, 3))))


@register(
    "E-V17", "s8", 1, "U",
    "a line is the best rule for two Gaussian classes of equal probability and equal covariance",
    "equal covariance is enough: unequal probabilities only move the line",
    "how much the best boundary bends at priors 0.9 and 0.1",
)  # fmt: skip
def _():
    along = np.linspace(-2, 2, 9)[:, None] * [1.0, -0.5] + [0.3, 0.2]  # points on a line, equally spaced
    cov = np.array([[2.0, 0.6], [0.6, 1.0]])
    ratio = log_ratio(along, ([-1.0, 0.0], [1.0, 0.5]), (cov, cov), prior=0.9)
    return "no statement", float(np.abs(np.diff(ratio, 2)).max())


@register(
    "E-V18", "s13", 1, "M",
    "random maps separate the data as their dimension k goes to infinity",
    "k = n is enough for every labelling of n points (n − 1 with b), if the map is not linear; linear maps never help",
    "smallest k that separates all 256 labellings of 8 points",
)  # fmt: skip
def _():
    X = _points(8)
    labels = 1 - 2 * (np.arange(128)[:, None] >> np.arange(8) & 1)  # the other half are the negatives of these

    def all_separable(k):
        Z = random_map(X, k, "tanh")
        return all(is_separable(Z, y, affine=False) for y in labels)

    return "∞", next(k for k in range(1, 20) if all_separable(k))


by_eye(
    "E-V19", "s4 and s23", 1, "N",
    "x ∈ X ∈ R², and the entries of the Gram matrix are K(x_i, z_j)",
    "X ⊂ R², and K(x_i, x_j): both points come from the training set",
)  # fmt: skip

by_eye(
    "E-V20", "throughout", 1, "N",
    "k counts the updates, is the dimension of the range space and the degree of a polynomial",
    "three letters: t for updates, k for the dimension, p for the degree",
)  # fmt: skip
