"""Notebook 09: how the duality gap closes, and what a trained margin says about capacity."""

import numpy as np

from ...datasets import around_a_wave
from ...kernels import Gaussian
from ...svm import SVC, duality_gap, enclosing_ball, vc_bound

TOL = 1e-8  # every machine of this notebook is solved so exactly: a count is the same in all pictures
SAMPLES = 60


def replay(kernel, X, y, C):
    """The solver's steps as (α, the best b for it, primal value, dual value), from α = 0 on."""
    K = kernel(X)
    for a in [np.zeros(len(X)), *(step.b for step in SVC(kernel, C, tol=1e-4).steps(X, y))]:
        f = K @ (a * y)
        norm = float(np.sqrt(max(0.0, (a * y) @ f)))
        offsets = y - f  # the hinge loss is piecewise linear in b and bends only here
        loss = np.maximum(1 - y * (f + offsets[:, None]), 0).sum(1)
        b = float(offsets[loss.argmin()])
        dual = float(a.sum() - 0.5 * norm**2)
        yield a, b, dual + duality_gap(a, y * (f + b), norm, C), dual


def trained(width, C, n, new, new_y):
    """⌊R²|w|²⌋ + 1 and the share of new points that are wrong, for each of 60 samples of n points, seeds 0 to 59."""
    kernel, rows = Gaussian(width), []
    for seed in range(SAMPLES):
        X, y = around_a_wave(n, seed=seed)
        model = SVC(kernel, C, tol=TOL).fit(X, y)
        R = np.sqrt(enclosing_ball(X, kernel)[0])
        rows.append((vc_bound(R, model.w_norm_), np.mean(model.decision_function(new) * new_y <= 0)))
    return [np.array(column) for column in zip(*rows, strict=True)]
