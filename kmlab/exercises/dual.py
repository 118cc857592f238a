"""Exercises of notebook 10, solving the dual."""

import copy

import numpy as np

from ..errata.dual import segment, solve_pair, svc_dual
from ..kernels import Gaussian, Linear, Precomputed
from ..svm import SVC, duality_gap
from . import NotAttempted, Wrong, close, exercise

CASES = (0.5, 1.5, False), (1.5, 0.5, False), (0.5, 1.0, True), (1.5, 1.0, True)  # α₁, α₂, same label; C = 2


@exercise("10.1", "At 0 both errors are minus the label, and the curvature is 2 + 2 - 2; then look at the box.")
def _(answer):
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1, -1])
    return close(answer, [next(SVC(Precomputed(), C=C).steps(K, y)).b for C in (10.0, 0.4)])


@exercise("10.2", "E = K(αy) - y without b; α_j by (9) with curvature K_ii + K_jj - 2 K_ij, clip to [L, H], then (13).")
def _(answer):
    if not callable(answer):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    rng = np.random.default_rng(102)
    for case in range(40):
        kernel, C = (Gaussian(1.5), Linear())[case % 2], (0.5, 5.0)[case // 2 % 2]
        X, y = rng.standard_normal((8, 2)), np.where(np.arange(8) < 4, 1, -1)
        p = svc_dual(kernel, X, y, C)
        for _ in range(case % 9):
            solve_pair(p, rng.choice(8, 2, replace=False))
        i, j = (int(v) for v in rng.choice(8, 2, replace=False))
        alpha, old = y * p.b + 0.0, p.objective
        got = answer(*copy.deepcopy((kernel(X), y, alpha, C, i, j)))
        if got is None:
            raise NotAttempted
        got = np.asarray(got, dtype=float)
        if got.shape != (8,):
            raise Wrong(f"On unseen data your function returns shape {got.shape}, (8,) is needed: all of alpha.")
        solve_pair(p, (i, j))
        _judge_step(got, alpha, y, C, (i, j), -old, kernel(X))
        if not np.abs(got - y * p.b).max() < 1e-6:
            raise Wrong("On unseen data the step is allowed, but another one gains more.")
    return True


def _judge_step(got, alpha, y, C, pair, before, K):
    """Says which promise of a step is broken."""
    if not np.isfinite(got).all():
        raise Wrong("On unseen data some α is not finite.")
    if np.abs(np.delete(got - alpha, pair)).max() > 1e-12:
        raise Wrong("On unseen data an α outside the pair has changed.")
    if got.min() < -1e-9 or got.max() > C + 1e-9:
        raise Wrong("On unseen data an α leaves the box.")
    if abs(y @ got) > 1e-9:
        raise Wrong("On unseen data Σ yα is no longer 0.")
    if got.sum() - 0.5 * (y * got) @ K @ (y * got) < before - 1e-9:
        raise Wrong("On unseen data the objective falls.")


@exercise("10.3", "Σ yα = 0 over all points: the working set has to cancel what the rest adds up to.")
def _(answer):
    y, alpha = np.array([1, -1, 1]), np.array([0.5, 0.2, 0.4])
    return close(answer, -(y @ alpha))


@exercise("10.4", "At α = 0 the dual is 0 and f = b = 0, so every point has slack 1.")
def _(answer):
    return close(answer, duality_gap(np.zeros(50), np.zeros(50), 0.0, 2.0))


@exercise("10.5", "Opposite labels: α₂ - α₁ stays. Same label: α₁ + α₂ stays. Both must remain between 0 and C.")
def _(answer):
    return close(answer, [segment(*case, 2.0) for case in CASES])
