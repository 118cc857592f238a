"""Lecture 004, Müller."""

import numpy as np

from ..datasets import sinc
from ..dual import Dual, smo
from ..features import poly2_map
from ..kernels import Gaussian, Linear, Polynomial
from ..one_class import SVDD
from ..pca import KernelPCA
from ..svm import SVC, enclosing_ball, kkt_report, srm_bound
from . import by_eye, register
from .spheres_and_tubes import sphere, tube
from .svm import by_box, doubled, objective, plane, toy, two_clouds


def _points(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 2))


@register(
    "E-M1", "s4 and s5", 3, "R",
    "the primal ‖w‖² + C Σξ has the dual with the box 0 ≤ α ≤ C",
    "½‖w‖² + C Σξ has it; the primal without the ½ is twice ½‖w‖² + (C/2) Σξ, and its box is C/2",
    "the printed primal, C = 2, at the plane of the dual with box C, and with box C/2",
)  # fmt: skip
def _():
    X, y = two_clouds()
    return by_box(X, y, 2.0, C=2.0), by_box(X, y, 1.0, C=2.0)


@register(
    "E-M2", "s4-5", 2, "U",
    "for any power p of the slack, the dual has the box 0 ≤ α ≤ C",
    "the box belongs to p = 1; for p = 2 there is none, and 1/(2C) is added to the diagonal of K",
    "½‖w‖² + C Σξ², C = 0.7, at the plane of the dual with the box, and with the diagonal",
)  # fmt: skip
def _():
    X, y = two_clouds()
    squared = plane(SVC(Linear(), 0.7, slack=2, tol=1e-9).fit(X, y), X, y)
    return by_box(X, y, 0.7, C=0.7, weight=0.5, slack=2), objective(*squared, X, y, C=0.7, slack=2)


@register(
    "E-M3", "s4", 2, "R",
    "the Lagrangian has terms for w, b and α only",
    "with slack it also has C Σξ - Σαξ - Σμξ; setting its derivative by ξ to zero, C - α - μ = 0, gives the box",
    "dual value for α up to 1, 10, 100, two equal points of opposite class: no box, and C = 1",
)  # fmt: skip
def _():
    def value(most):
        model = SVC(Linear(), most).fit(np.ones((2, 1)), [-1, 1])
        return model.alpha_.sum() - 0.5 * model.w_norm_**2

    return tuple(", ".join(f"{value(min(most, C)):g}" for most in (1, 10, 100)) for C in (np.inf, 1))


@register(
    "E-M4", "s4", 1, "R",
    "the quadratic program has a unique α",
    "w is unique; α need not be, nor b: equal points share their α in any way that fits into the box",
    "two optimal solutions, every point twice: largest difference of α, and of f",
)  # fmt: skip
def _():
    X, y = toy(30)
    kernel = Gaussian(1.0)
    (one, two), _ = doubled(X, y, kernel, 1.0, tilt=1.0)
    first, second = np.r_[one, two], np.r_[two, one]
    K = kernel(np.vstack([X, X])) * np.r_[y, y]
    return float(np.abs(first - second).max()), float(np.abs(K @ first - K @ second).max())


@register(
    "E-M5", "s5", 2, "R",
    "support vectors are the points with y f(x) = 1, on or in the margin",
    "on the margin y f = 1; in it or beyond, y f < 1 and α = C, and these are support vectors too",
    "support vectors of the toy example, C = 1: with y f(x) = 1, and all",
)  # fmt: skip
def _():
    X, y = toy()
    model = SVC(Gaussian(1.0), 1.0, tol=1e-8).fit(X, y)
    yf = y * model.decision_function(X)
    return int((np.abs(yf[model.support_] - 1) < 1e-6).sum()), int((kkt_report(model.alpha_, yf, 1.0).kind > 0).sum())


@register(
    "E-M6", "s12", 1, "N",
    "the right-hand side of (6) is minus the product of two columns, y_N and α_N",
    "it is -y_Nᵀα_N, one number: what is left of the sum constraint for the working set",
    "yᵀα for five points, two of them in the working set",
)  # fmt: skip
def _():
    y, alpha = np.array([[1.0], [-1], [1], [-1], [1]]), np.array([[0.0], [0], [0.5], [1.2], [0.4]])
    try:
        printed = -y[2:] @ alpha[2:]
    except ValueError:
        printed = "no such product"
    right = (-y[2:].T @ alpha[2:]).item()
    alpha[:2, 0] = [right + 0.3, 0.3]  # any pair with y_Bᵀα_B equal to it
    return printed, (y.T @ alpha).item()


@register(
    "E-M7", "s14-15", 2, "U",
    "α₂ changes by y₂(E₁ - E₂)/η, whatever η is; how b follows and which pair is taken is left open",
    "curvature max(-η, 1e-12), then clip; b drops out of E₁ - E₂ and comes last; take the pair of largest gain",
    "α₂ of two equal points with opposite labels after one step from 0, C = 1",
)  # fmt: skip
def _():
    K, y = np.ones((2, 2)), np.array([1.0, -1.0])
    eta = 2 * K[0, 1] - K[0, 0] - K[1, 1]
    with np.errstate(divide="ignore"):
        printed = -y[1] * np.divide(-y[0] + y[1], eta)
    p = Dual(K, -y, np.minimum(0, y), np.maximum(0, y))
    for _ in smo(p):
        pass
    return "∞" if np.isinf(printed) else printed, float(abs(p.b[1]))


@register(
    "E-M8", "s17", 3, "R",
    "the dual (14) of the sphere has ½ before the double sum",
    "no ½: with it the centre is drawn to long vectors; where k(x, x) is constant α is right, but the value is not R²",
    "centre of the smallest sphere around 0, 1 and 2",
)  # fmt: skip
def _():
    x = np.array([0.0, 1.0, 2.0])
    return tuple(float(sphere(np.outer(x, x), half=half) @ x) for half in (True, False))


@register(
    "E-M11", "s17", 2, "U",
    "any C will do, and (15) has an R that nothing defines",
    "C ≥ 1/n, or no α is feasible; R² is the squared distance from the centre of a point with 0 < α < C",
    "50 points: Σα - 1 for C = 0.01, and for C = 1/50",
)  # fmt: skip
def _():
    try:
        printed = float(SVDD(Gaussian(), 0.01).fit(_points(50)).alpha_.sum() - 1)
    except ValueError:
        printed = "no such α"
    return printed, float(SVDD(Gaussian(), 1 / 50).fit(_points(50)).alpha_.sum() - 1)


@register(
    "E-M12", "s2", 1, "N",
    "R is one letter for two lengths: the largest norm on 003/s7, the radius of the smallest ball here",
    "for the capacity it is the ball, which does not care where the origin is",
    "40 points around (5, 2): largest norm, and radius of the smallest ball",
)  # fmt: skip
def _():
    X = _points(40) + [5, 2]
    return float(np.linalg.norm(X, axis=1).max()), float(np.sqrt(enclosing_ball(X, Linear())[0]))


@register(
    "E-M13", "s2", 1, "U",
    "the risk is below the training error plus the square root",
    "with probability 1 - δ over the data (the η of the page), and it says something only where it is below 1",
    "capacity 50, δ = 0.05: the bound on a risk for 100 points, where it says nothing, and for 1,000",
)  # fmt: skip
def _():
    return float(srm_bound(0.0, 50, 100)), float(srm_bound(0.0, 50, 1000))


@register(
    "E-M14", "s19", 1, "N",
    "the conditions have x_i where Φ(x_i) is meant, and w in terms of the two multipliers is left to guess",
    "w = Σ (α* - α) Φ(x_i), α for the points below the tube, α* for those above",
    "largest error on a noisy sin(x)/x, Gaussian of width 2: with α - α*, and with α* - α",
)  # fmt: skip
def _():
    X, t = sinc(60)
    truth = np.sinc(X[:, 0] / np.pi)
    return tuple(float(np.abs(tube(X, t, Gaussian(2.0), swapped=s) - truth).max()) for s in (True, False))


@register(
    "E-M15", "s22", 2, "R",
    "multiplying λV = CV by Φ(x_k) gives Nλ(Φ(x_k)·V) = (Φ(x_k)·CV)",
    "λ(Φ(x_k)·V) = (Φ(x_k)·CV): the N comes in only when C is written as a sum, in the next step",
    "left side divided by right side, N = 24",
)  # fmt: skip
def _():
    Phi = poly2_map(_points(24))
    Phi -= Phi.mean(0)
    lam, V = np.linalg.eigh(Phi.T @ Phi / 24)
    left, right = lam[-1] * (Phi @ V[:, -1]), Phi @ (Phi.T @ Phi / 24) @ V[:, -1]
    return float(np.median(24 * left / right)), float(np.median(left / right))


@register(
    "E-M16", "s25", 1, "U",
    "centring new points is 'similar'",
    "Ktc = Kt - Kt 11ᵀ/n - 11ᵀK/n + 11ᵀK11ᵀ/n²: the means are those of the training data",
    "scores of three new points off by: with their own means, with the training means",
)  # fmt: skip
def _():
    X, Xt, kernel = _points(24), _points(3, seed=1), Polynomial(2)
    model = KernelPCA(kernel, 2).fit(X)
    Phi = poly2_map(X)
    explicit = (poly2_map(Xt) - Phi.mean(0)) @ (Phi - Phi.mean(0)).T @ model.alphas_
    Kt = kernel(Xt, X)
    own_means = (Kt - Kt.mean(0) - Kt.mean(1)[:, None] + Kt.mean()) @ model.alphas_
    return tuple(float(np.abs(scores - explicit).max()) for scores in (own_means, model.transform(Xt)))


by_eye(
    "E-M17", "s24-25", 1, "N",
    "the number of points is N on one page and M on the next; an entry of K̃ stands for the whole matrix",
    "n points throughout; Kc is the matrix, its entries are (Kc)_ij",
)  # fmt: skip
