"""Lecture 004, Müller."""

import numpy as np

from ...datasets import around_a_wave, two_clouds
from ...dual import Dual, smo
from ...kernels import Gaussian, Linear
from ...one_class import SVDD
from ...svm import SVC, enclosing_ball, kkt_report, srm_bound, vc_bound
from . import slip, statement
from .spheres_and_tubes import sphere
from .svm import by_box, doubled, objective, plane

slip(
    "E-M1", "s4 and s5",
    "the primal has ‖w‖², the Lagrangian ½‖w‖², and the box of the dual is C",
    "with ½ before ‖w‖² throughout the box is C; without it, C/2. Only the unit of C changes",
)  # fmt: skip


@statement(
    "E-M2", "s4-5", "B",
    "the slack has any power p on s4; the dual of s5 has the box 0 ≤ α ≤ C",
    "the dual of s5 is that of p = 1; for p = 2 there is no box, and 1/(2C) is added to the diagonal of K",
    "½‖w‖² + C Σξ² with C = 0.7: {} at the plane of the dual with the box, {} with the diagonal",
)  # fmt: skip
def _():
    X, y = two_clouds()
    squared = plane(SVC(Linear(), 0.7, slack=2, tol=1e-9).fit(X, y), X, y)
    return by_box(X, y, 0.7, C=0.7, weight=0.5, slack=2), objective(*squared, X, y, C=0.7, slack=2)


@statement(
    "E-M3", "s4", "B",
    "below the problem with slack, the Lagrangian has w, b and α only",
    "it is that of the separable case; with slack C Σξ − Σαξ − Σμξ is added, and its derivative, C − α − μ = 0, gives "
    "the box of s5: α = C wherever ξ > 0",
    "toy example, C = 1: {} points have ξ > 0, and {} of them α = C",
)  # fmt: skip
def _():
    X, y = around_a_wave()
    model = SVC(Gaussian(1.0), 1.0, tol=1e-9).fit(X, y)
    slack = 1 - y * model.decision_function(X) > 1e-6
    return int(slack.sum()), int((model.alpha_[slack] == 1.0).sum())


@statement(
    "E-M4", "s4", "B",
    "the quadratic program gives a unique α, without local minima",
    "there are no local minima, and w is unique; α is, if K is positive definite, as for a Gaussian and distinct "
    "points. Equal points share their α in any way that fits into the box",
    "two optimal solutions, every point twice: α differs by {}, f by {}",
)  # fmt: skip
def _():
    X, y = around_a_wave(30)
    kernel = Gaussian(1.0)
    (one, two), _ = doubled(X, y, kernel, 1.0, tilt=1.0)
    first, second = np.r_[one, two], np.r_[two, one]
    K = kernel(np.vstack([X, X])) * np.r_[y, y]
    return float(np.abs(first - second).max()), float(np.abs(K @ first - K @ second).max())


@statement(
    "E-M5", "s5", "B",
    "in words, support vectors lie on or in the margin; in the formula, y f(x) = 1",
    "the formula is that of the separable case; with slack it reads y f(x) ≤ 1, and α = C where y f(x) < 1",
    "support vectors of the toy example, C = 1: {} with y f(x) = 1, {} in all",
)  # fmt: skip
def _():
    X, y = around_a_wave()
    model = SVC(Gaussian(1.0), 1.0, tol=1e-8).fit(X, y)
    yf = y * model.decision_function(X)
    return int((np.abs(yf[model.support_] - 1) < 1e-6).sum()), int((kkt_report(model.alpha_, yf, 1.0).kind > 0).sum())


slip(
    "E-M6", "s12",
    "the right side of (6) lacks a transpose",
    "−y_Nᵀα_N",
)  # fmt: skip


@statement(
    "E-M7", "s14-15", "B",
    "(9): α₂ minus y₂(E₁ − E₂)/η, then clipped to the segment from L to H",
    "(9) needs η < 0; where two images coincide, η = 0 and the better end of the segment is taken",
    "two equal points of opposite class, C = 1, from α = 0: η is {}, and the better end is α₂ = {}",
)  # fmt: skip
def _():
    K, y = np.ones((2, 2)), np.array([1.0, -1.0])
    p = Dual(K, -y, np.minimum(0, y), np.maximum(0, y))
    for _ in smo(p):
        pass
    return int(2 * K[0, 1] - K[0, 0] - K[1, 1]), float(abs(p.b[1]))


@statement(
    "E-M8", "s17", "A",
    "(14) has ½ before the double sum",
    "the ½ should go: with a constant k(x, x), as for a Gaussian, α stays the same and only the value is not R²; with "
    "other kernels the centre moves",
    "centre of the smallest sphere around 0, 1 and 2, linear kernel: {} with the ½, {} without",
)  # fmt: skip
def _():
    x = np.array([0.0, 1.0, 2.0])
    return tuple(float(sphere(np.outer(x, x), half=half) @ x) for half in (True, False))


@statement(
    "E-M11", "s17", "B",
    "0 ≤ α ≤ C with Σα = 1, and (15) uses R²",
    "C must be at least 1/M, or no α is feasible; R² is the squared distance from the centre of any point with "
    "0 < α < C",
    "smallest C, in steps of 0.001, for which 50 points have a sphere: {}",
)  # fmt: skip
def _():
    X = np.random.default_rng(0).standard_normal((50, 2))

    def feasible(C):
        try:
            return bool(SVDD(Gaussian(), C).fit(X))
        except ValueError:
            return False

    return (next(C / 1000 for C in range(1, 51) if feasible(C / 1000)),)


@statement(
    "E-M13", "s2", "B",
    "the risk is at most the training error plus a square root, in which η stands",
    "with probability 1 − η over the data: a smaller η is a safer and a larger bound",
    "bound for 100 points, capacity 3 and no training error: {} with η = 0.05, {} with η = 0.5",
)  # fmt: skip
def _():
    return tuple(float(srm_bound(0.0, 3, 100, eta)) for eta in (0.05, 0.5))


slip(
    "E-M15", "s22",
    "after multiplying by Φ(x_k) an N stands on the left side",
    "λ(Φ(x_k)·V) = (Φ(x_k)·CV); the N comes one line later, and the next page is right",
)  # fmt: skip

slip(
    "E-M17", "s24-25",
    "the number of points is N and M; an entry of K̃ equals a matrix; on s25 the free index is also the summation index",
    "one letter for the number of points, (K̃)_ij for an entry, and a letter of its own in the sum",
)  # fmt: skip


@statement(
    "E-M18", "s2", "B",
    "the bound on the VC dimension contains ‖w‖ and R, and in the risk bound it speaks for a small ‖w‖",
    "it belongs to the class ‖w‖ ≤ Λ on points within R, both fixed before the data are seen; with the trained ‖w‖ the "
    "page gives a reason for wide margins, not a guarantee",
    "⌊R²‖w‖²⌋ + 1 of trained machines, 60 samples of 80 points, C = 10: from {} to {}",
)  # fmt: skip
def _():
    kernel, found = Gaussian(1.0), []
    for seed in range(60):
        X, y = around_a_wave(seed=seed)
        radius = np.sqrt(enclosing_ball(X, kernel)[0])
        found.append(vc_bound(radius, SVC(kernel, 10.0, tol=1e-6).fit(X, y).w_norm_))
    return min(found), max(found)
