"""Exercises of notebook 09, support vector machines."""

import numpy as np

from ...datasets import around_a_wave
from ...kernels import Gaussian, Linear, feature_distance2
from ...svm import SVC, kkt_report, srm_bound, vc_bound
from ..checking import Wrong, as_array, as_numbers, close, exactly, parts_of, value_of
from . import exercise


@exercise("9.1", "Σ y α = 0 makes both α equal; write W as a function of that one number and find its top.")
def _(answer):
    model = SVC(Linear(), 10.0, tol=1e-9).fit([[-1.0], [1.0]], [-1, 1])
    return close(answer, [*model.alpha_, model.alpha_.sum() - 0.5 * model.w_norm_**2])


@exercise("9.2", "(SVM.1) has ½ before ‖w‖². An objective keeps its minimum when all of it is multiplied by a number.")
def _(answer):
    return close(answer, 5 / 2)


@exercise("9.3", "kkt_report tells the three kinds of points apart; what is left is to count.")
def _(answer):
    X, y = around_a_wave()
    model = SVC(Gaussian(1.0), 10.0, tol=1e-8).fit(X, y)
    counts = np.bincount(kkt_report(model.alpha_, y * model.decision_function(X), 10.0).kind, minlength=3)
    if exactly(np.sort(as_numbers(answer, 3)), np.sort(counts)) and not exactly(answer, counts):
        raise Wrong("The right numbers in the wrong order.")
    return exactly(answer, counts)


@exercise("9.4", "Which of the two numbers in (SVM.10) is the smaller one here? (SVM.11) has the natural logarithm.")
def _(answer):
    h = vc_bound(2.0, np.sqrt(2.1))
    dimension, bound = as_numbers(answer, 2)
    if not exactly(dimension, h):
        raise Wrong("The bound on h is not right yet.")
    return close(bound, srm_bound(0.0, h, 1000, 0.05))


@exercise("9.5", "Notebook 7 makes coordinates out of a kernel. Once they are there, which sum over the points is w?")
def _(answer):
    for seed, width, C in (3, 0.8, 5.0), (4, 0.5, 2.0):
        X, y = around_a_wave(40, seed=seed)
        Z, w, b = parts_of(value_of(answer, X, y, width, C), ("Z", "w", "b"))
        if np.ndim(Z) != 2 or len(Z) != 40:
            raise Wrong(f"Z should have a row of coordinates for each of the 40 points, not shape {np.shape(Z)}.")
        Z, (b,) = np.asarray(Z, dtype=float), as_numbers(b, 1)
        apart = feature_distance2(Gaussian(width)(X))
        if not np.abs(feature_distance2(Z @ Z.T) - apart).max() <= 1e-3 * apart.max():  # centred or not
            raise Wrong("The rows of Z are not as far apart as the images are: these are no coordinates of theirs.")
        f = Z @ as_array(w, (Z.shape[1],), "w has") + b
        want = SVC(Gaussian(width), C, tol=1e-8).fit(X, y).decision_function(X)
        off = np.abs(f - want).max()
        if not off <= 1e-3 * np.abs(want).max():
            raise Wrong(f"Z holds coordinates, but Zw + b differs from f by {off:.2g} on unseen data.")
    return True
