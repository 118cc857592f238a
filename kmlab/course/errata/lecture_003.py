"""Lecture 003, Vasconcelos."""

import numpy as np

from ...centering import center_gram
from ...datasets import PAIR, PAIR_Y, mixed, mixed_rings, two_sides
from ...gram import largest
from ...kernels import Gaussian, Linear
from ...pca import PCA, KernelPCA, rayleigh
from ...perceptron import KernelPerceptron, Perceptron, novikoff_bound, perceptron_cost
from ...svm import SVC, margin_distribution
from . import slip, statement
from .kernel_pca import literal_scores
from .perceptron import gradient_updates, literal_updates


def _points(n, d=2, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) + 1.0


@statement(
    "E-V1", "s7", "B",
    "the bound (2R/γ)² holds whenever some plane has margin γ",
    "both classes must be present: a single class has planes of any margin, but its first point is always an update",
    "one class only, a plane 100 away: the bound is {}, the updates are {}",
)  # fmt: skip
def _():
    x = np.linspace(0.1, 1, 20)[:, None]  # w* = 1, b* = 100
    return novikoff_bound(1, float((x + 100).min())), len(list(literal_updates(Linear(), x, np.ones(20))))


@statement(
    "E-V2", "s6", "B",
    "the algorithm is stochastic gradient descent on the cost of s5",
    "it is once b is measured in units of R, that is, for the inputs (x, R): its step for b has an extra R²",
    "updates, from the first on, that are gradient steps: {} on the inputs (x, 1), {} on (x, R)",
)  # fmt: skip
def _():
    X, y = two_sides(shift=(2.0, 1.0))
    ours = [step.i for step in Perceptron().steps(X, y)]
    R = np.linalg.norm(X, axis=1).max()

    def agree(theirs):
        same = [a == b for a, b in zip(ours, theirs, strict=False)]
        return f"{same.index(False) if False in same else len(same)} of {len(ours)}"

    return agree(gradient_updates(X, y, 1.0)), agree(gradient_updates(X, y, R))


@statement(
    "E-V3", "s5", "B",
    "learning is to minimise J(w, b)",
    "the minimum, 0, is also reached at w = 0 and b = 0, which decides nothing; what s6 looks for is a plane without "
    "errors",
    "points on their right side where J = 0: {} at the origin, {} at the end of the algorithm",
)  # fmt: skip
def _():
    X, y = two_sides(20)
    model = Perceptron().fit(X, y)

    def right(w, b):
        assert perceptron_cost(w, b, X, y) == 0
        return f"{(y * (X @ w + b) > 0).sum()} of {len(X)}"

    return right(np.zeros(2), 0.0), right(model.w_, model.b_)


@statement(
    "E-V4", "s16, s17 and s25", "A",
    "in dot-product form, on a mistake α_i grows by 1 and b by η y_i R²",
    "η belongs on both updates or on neither; on b alone it changes the walk, which still ends, but not within the "
    "bound of s7",
    "updates for the points 2 and 4, η = 0.001, where the bound is 64: {} with η on b alone, {} with η on both",
)  # fmt: skip
def _():
    return tuple(len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=0.001, eta_on=on))) for on in ("b", "both"))


slip(
    "E-V5", "s14",
    "in the range space the test uses Φ(x_i), and the update of w adds x_i",
    "the update adds Φ(x_i) too",
)  # fmt: skip


@statement(
    "E-V6", "s14, s17 and s25", "A",
    "in the range space, too, R is the largest ‖x_i‖",
    "R is that of the images, the largest √k(x_i, x_i), as the theorem on s26 has it; with the inputs' R the walk "
    "still ends, but not within the bound",
    "updates until the end, two rings around (20, 20), where the bound is 107: {} with the inputs' R, {} with the "
    "images'",
)  # fmt: skip
def _():
    X, y = mixed_rings()
    walk = literal_updates(Gaussian(2.0), X + 20, y, radius="input", max_passes=10_000)
    return sum(1 for _ in walk), KernelPerceptron(Gaussian(2.0)).fit(X + 20, y).mistakes_


@statement(
    "E-V8", "s28", "A",
    "the learning algorithm still maximises γ in the range space",
    "the perceptron, the learner of this lecture, stops at the first plane without errors, which depends on the order "
    "of the points; the SVM maximises γ",
    "margin on the same 40 points: {} of the perceptron's plane for one order, {} of the widest",
)  # fmt: skip
def _():
    X, y = two_sides()
    models = Perceptron().fit(*mixed(X, y, seed=7)), SVC(Linear(), C=np.inf, tol=1e-6).fit(X, y)
    return tuple(float(margin_distribution(model, X, y).min()) for model in models)


@statement(
    "E-V9", "s27", "B",
    "the bound suggests a kernel with a large margin γ",
    "what counts in (2R/γ)² is γ/R; for kernels with equal R, such as Gaussians, that is γ",
    "100 k in place of k: the margin × {}, the updates × {}",
)  # fmt: skip
def _():
    X, y = mixed_rings()
    kernels = 100 * Gaussian(1.0), Gaussian(1.0)
    margin = [1 / SVC(k, C=np.inf, tol=1e-6).fit(X, y).w_norm_ for k in kernels]
    updates = [KernelPerceptron(k).fit(X, y).mistakes_ for k in kernels]
    return float(margin[0] / margin[1]), float(updates[0] / updates[1])


slip(
    "E-V10", "s34",
    "the equation has S_W⁻¹ on its right side, where s31 and s33 have S_W⁻¹S_B",
    "S_B w = λ S_W w; with S_W = I, as on that page, it makes no difference",
)  # fmt: skip


def best_direction(S_b, S_w, printed=False):
    """The direction of the largest quotient; printed=True puts S_w⁻¹ in its place, the glyphs of 003/s34."""
    w = rayleigh(S_b, np.linalg.inv(S_w) if printed else S_w)[1][:, 0]
    return w / np.linalg.norm(w)


slip(
    "E-V11", "s34-35",
    "Σ is written with 1/n and, further down, without",
    "the axes are the same; with 1/n the eigenvalues are variances",
)  # fmt: skip


@statement(
    "E-V12", "s33-34", "B",
    "α is an eigenvector of (X_cᵀX_c)⁻¹ times a matrix, which reduces to X_cᵀX_c",
    "the result is right; the inverse does not exist for centred data, whose columns sum to zero, and the "
    "pseudo-inverse takes its place",
    "rank of that matrix for 12 points: {} in twenty dimensions, {} in three",
)  # fmt: skip
def _():
    for d in 20, 3:
        X = _points(12, d)
        yield int(np.linalg.matrix_rank((X - X.mean(0)) @ (X - X.mean(0)).T))


@statement(
    "E-V13", "s35 and s37", "B",
    "the components are X_cα_i with eigenvectors α_i, whose length is left open",
    "the direction is right; for axes of length 1 divide a unit α by √λ, as 000, 002 and 004 do",
    "length of the first axis, 12 points: {} with a unit α, {} after dividing",
)  # fmt: skip
def _():
    X = _points(12, 3)
    dual = PCA(1, route="dual").fit(X)
    Xc = X - X.mean(0)
    u = Xc @ dual.components_[0] / np.sqrt(dual.lam_[0])
    return float(np.linalg.norm(Xc.T @ u)), float(np.linalg.norm(dual.components_[0]))


@statement(
    "E-V14", "s36-37", "A",
    "centre the inputs, then replace their dot products by the kernel",
    "centring the inputs does not centre their images: centre K, as on 000/s18, 002/s21 and 004/s25. A Gaussian does "
    "not even notice that inputs moved",
    "squared length of the mean image of 30 points: {} after centring the inputs, {} after centring K",
)  # fmt: skip
def _():
    X = _points(30)
    return float(Gaussian(2.0)(X - X.mean(0)).mean()), float(center_gram(Gaussian(2.0)(X)).mean())


@statement(
    "E-V15", "s38", "B",
    "a new x enters the kernel beside centred inputs, without a sign that it is shifted too",
    "a new point needs the same centring as the training points: the same shift here, and with E-V14 the same centring "
    "of images",
    "training points taken as new ones, scores off by {} without the shift, by {} with the centring of (C.2)",
)  # fmt: skip
def _():
    X = _points(30)
    Xc, kernel = X - X.mean(0), Gaussian(2.0)
    trained = literal_scores(kernel, X, X, centering="input", unit_axes=False)
    unshifted = kernel(X, Xc) @ largest(kernel(Xc), 1)[1]
    model = KernelPCA(kernel, 1).fit(X)
    return float(np.abs(unshifted - trained).max()), float(np.abs(model.transform(X) - model.fit_transform(X)).max())


slip(
    "E-V19", "s4 and s23",
    "x ∈ 𝒳 ∈ R² on s4, and Gram entries K(x_i, z_j) on s23",
    "𝒳 ⊂ R², and K(x_i, x_j)",
)  # fmt: skip

slip(
    "E-V20", "s14",
    "k counts the updates and is the dimension of the range space",
    "two letters (and a third for the degree of a polynomial on s22)",
)  # fmt: skip
