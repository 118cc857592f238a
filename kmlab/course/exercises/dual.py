"""Exercises of notebook 10, solving the dual."""

import numpy as np

from ...kernels import Gaussian, Linear, Precomputed
from ...svm import SVC, duality_gap
from ..checking import Wrong, as_array, close, value_of
from ..errata.dual import segment, solve_pair, svc_dual
from . import exercise

CASES = (0.5, 1.5, False), (1.5, 0.5, False), (0.5, 1.0, True), (1.5, 1.0, True)  # α₁, α₂, same label; C = 2


@exercise(
    "10.1",
    "What are the two errors at α = 0, and what is |φ₁ − φ₂|²? The box comes last.",
    "(10) divides a difference of two errors by |φ₁ − φ₂|² = K₁₁ + K₂₂ − 2K₁₂; then nothing may leave the box.",
)
def _(answer):
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1, -1])
    large, small = (next(SVC(Precomputed(), C=C).steps(K, y)).b for C in (10.0, 0.4))
    slips = {
        "In the small box both are right. In the large one, was anything divided by |φ₁ − φ₂|²?": [2 * large, small],
        "Half as far as it should go in the large box: what is |φ₁ − φ₂|²?": [large / 2, small],
        "The step is right for the large box. How far may it go in the small one?": [large, large],
        "An α is a force and never negative; its sign is in y.": [large * y, small * y],
    }
    return close(answer, [large, small], slips)


@exercise(
    "10.2",
    "(9) to (13) of 004/s14-15 in order. Only the difference of two errors counts, so b is not needed.",
    "Move α_j alone, clip it to [L, H], and only then let α_i follow, by what α_j has really moved.",
)
def _(answer):
    rng = np.random.default_rng(102)
    for case in range(40):
        kernel, C = (Gaussian(1.5), Linear())[case % 2], (0.5, 5.0)[case // 2 % 2]
        X, y = rng.standard_normal((8, 2)), np.where(np.arange(8) < 4, 1, -1)
        p = svc_dual(kernel, X, y, C)
        for _ in range(case % 9):
            solve_pair(p, rng.choice(8, 2, replace=False))
        i, j = (int(v) for v in rng.choice(8, 2, replace=False))
        alpha, old = y * p.b + 0.0, p.objective
        got = as_array(value_of(answer, kernel(X), y, alpha, C, i, j), (8,))
        solve_pair(p, (i, j))
        _judge_step(got, alpha, y, C, (i, j), -old, kernel(X))
        if not np.abs(got - y * p.b).max() < 1e-3 * C:
            raise Wrong("On unseen data the step is allowed, but another one gains more.")
    return True


def _judge_step(got, alpha, y, C, pair, before, K):
    """Says which promise of a step is broken."""
    if not np.isfinite(got).all():
        raise Wrong("On unseen data some α is not finite.")
    small = 1e-5 * C  # single precision
    if np.abs(np.delete(got - alpha, pair)).max() > small:
        raise Wrong("On unseen data an α outside the pair has changed.")
    if got.min() < -small or got.max() > C + small:
        raise Wrong("On unseen data an α leaves the box.")
    if abs(y @ got) > small:
        raise Wrong("On unseen data Σ yα is no longer 0.")
    if got.sum() - 0.5 * (y * got) @ K @ (y * got) < before - 1e-4 * max(1.0, abs(before)):
        raise Wrong("On unseen data the objective falls.")


@exercise(
    "10.3",
    "Σ yα = 0 over all points: the working set has to cancel what the rest adds up to.",
    "Add yα over the three points that stay, one of them with a minus. The pair must bring this sum to 0.",
)
def _(answer):
    y, alpha = np.array([1, -1, 1]), np.array([0.5, 0.2, 0.4])
    slips = {
        "So much the rest adds up to. What must the pair add up to?": y @ alpha,
        "Labels have signs.": -alpha.sum(),
        "Labels have signs, and the pair has to cancel the rest.": alpha.sum(),
    }
    return close(answer, -(y @ alpha), slips)


@exercise(
    "10.4",
    "The gap is primal minus dual. What is f at α = 0, and how much slack does each point need then?",
    "The dual is 0. In the primal w is 0 and every point misses the margin by the same slack, for which C is paid.",
)
def _(answer):
    slips = {
        "So much slack is needed in all. What does it cost?": 50.0,
        "The dual is 0 at α = 0, and the primal?": 0.0,
        "So much a single point costs.": 2.0,
        "By how much does f = 0 miss a margin of 1?": 200.0,
    }
    return close(answer, duality_gap(np.zeros(50), np.zeros(50), 0.0, 2.0), slips)


@exercise(
    "10.5",
    "Opposite labels: α₂ - α₁ stays. Same label: α₁ + α₂ stays. Both must remain between 0 and C.",
    "Draw the square from 0 to C and the line on which the pair moves: where does α₂ stand when the line leaves it?",
)
def _(answer):
    slips = {
        "Same and opposite labels have changed places.": [segment(a1, a2, not same, 2.0) for a1, a2, same in CASES],
        "These are the bounds of α₁; asked are those of α₂.": [segment(a2, a1, same, 2.0) for a1, a2, same in CASES],
        "α₂ may not go so far: α₁ has to stay in the box as well.": [(0.0, 2.0)] * 4,
    }
    return close(answer, [segment(*case, 2.0) for case in CASES], slips)
