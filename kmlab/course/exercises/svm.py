"""Exercises of notebook 09, support vector machines."""

import numpy as np

from ...datasets import around_a_wave
from ...kernels import Gaussian, Linear, feature_distance2
from ...svm import SVC, kkt_report, srm_bound, vc_bound
from ..checking import Slip, Wrong, agree, as_array, as_numbers, close, exactly, notice, parts_of, value_of
from . import exercise


@exercise(
    "9.1",
    "Σ y α = 0 makes both α equal; write W as a function of that one number and find its top.",
    "With both forces a, w is a times the way from one point to the other; the dual is 2a minus half of w².",
)
def _(answer):
    model = SVC(Linear(), 10.0, tol=1e-9).fit([[-1.0], [1.0]], [-1, 1])
    truth = [*model.alpha_, model.alpha_.sum() - 0.5 * model.w_norm_**2]
    slips = {
        "Is there a ½ in your dual?": (0.25, 0.25, 0.25),
        "The forces are right, but W has a second term.": (*truth[:2], sum(truth[:2])),
        "How far apart are the points? w has both of them in it.": (1.0, 1.0, 1.0),
        "A force is never negative: its direction comes from y.": (-truth[0], *truth[1:]),
    }
    return close(answer, truth, slips)


@exercise(
    "9.2",
    "(SVM.1) has ½ before ‖w‖². An objective keeps its minimum when all of it is multiplied by a number.",
    "Multiply the printed objective by the number that makes its first term that of the library. What is the second?",
)
def _(answer):
    slips = {
        "Is ‖w‖² there and here multiplied by the same number?": 5.0,
        "The right factor, in the wrong direction.": 10.0,
        "Prices are not squared.": 25.0,
    }
    return close(answer, 5 / 2, slips)


@exercise(
    "9.3",
    "kkt_report tells the three kinds of points apart; what is left is to count.",
    "Its kind is 0, 1 or 2 for every point, in the order of the question; np.bincount counts.",
)
def _(answer):
    X, y = around_a_wave()
    model = SVC(Gaussian(1.0), 10.0, tol=1e-8).fit(X, y)
    counts = np.bincount(kkt_report(model.alpha_, y * model.decision_function(X), 10.0).kind, minlength=3)
    if exactly(np.sort(as_numbers(answer, 3)), np.sort(counts)) and not exactly(answer, counts):
        raise Slip("The right numbers in the wrong order.")
    zero, free, bounded = counts
    slips = {
        "Free are those between 0 and C, without those at C.": (zero, free + bounded, bounded),
        "Support vectors are free or bounded, and each point is counted once.": (zero, free, free + bounded),
    }
    if not exactly(answer, counts, slips) and sum(as_numbers(answer, 3)) != len(y):
        raise Slip(f"Every point is of one kind, and there are {len(y)} points. Do your three numbers add up?")
    return exactly(answer, counts)


@exercise(
    "9.4",
    "Which of the two numbers in (SVM.10) is the smaller one here? (SVM.11) has the natural logarithm.",
    "The smaller one is R²Λ², rounded down; something is added to it. In (SVM.11) the root comes last.",
)
def _(answer):
    h = vc_bound(2.0, np.sqrt(2.1))
    dimension, bound = as_numbers(answer, 2)
    product, added = 2.0**2 * 2.1, srm_bound(0.0, h, 1000, 0.05)
    notice(dimension, {
        "A capacity is a whole number: what do the brackets in (SVM.10) mean?": product,
        "Is anything added in (SVM.10)?": h - 1,
        "R is squared too in (SVM.10).": int(2 * 2.1) + 1,
    })  # fmt: skip
    if not exactly(dimension, h):
        raise Wrong("The bound on h is not right yet.")
    slips = {
        "h is right. (SVM.11) has a root.": added**2,
        "h is right. Which logarithm is ln?": np.sqrt((h * (np.log10(2000 / h) + 1) - np.log10(0.05 / 4)) / 1000),
        "h is right. What is subtracted in (SVM.11) is negative itself.": np.sqrt(
            2 * h * (np.log(2000 / h) + 1) / 1000 - added**2
        ),
    }
    return close(bound, added, slips)


@exercise(
    "9.5",
    "Notebook 7 makes coordinates out of a kernel. Once they are there, which sum over the points is w?",
    "Train a linear machine on Z. Its w is a sum over the points, with the forces and the labels in it.",
)
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
            if agree(f - f.mean(), want - want.mean(), 1e-3):
                raise Slip("Z and w are right, b is not.")
            raise Wrong(f"Z holds coordinates, but Zw + b differs from f by {off:.2g} on unseen data.")
    return True
