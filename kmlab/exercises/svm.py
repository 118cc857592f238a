"""Exercises of notebook 09, support vector machines."""

import numpy as np

from ..errata.svm import toy
from ..kernels import Gaussian, Linear
from ..svm import SVC, kkt_report, srm_bound, vc_bound
from . import Wrong, as_numbers, close, exercise, same_function


@exercise("9.1", "Σ y α = 0 makes both α equal; write W as a function of that one number and find its top.")
def _(answer):
    model = SVC(Linear(), 10.0, tol=1e-9).fit([[-1.0], [1.0]], [-1, 1])
    return close(answer, [*model.alpha_, model.alpha_.sum() - 0.5 * model.w_norm_**2])


@exercise("9.2", "Take the factor 2 out of the printed primal: what is left in front of Σξ?")
def _(answer):
    return close(answer, 5 / 2)


@exercise("9.3", "kkt_report(...).kind holds 0, 1 or 2 for every point; np.bincount counts them.")
def _(answer):
    X, y = toy()
    model = SVC(Gaussian(1.0), 10.0, tol=1e-8).fit(X, y)
    counts = np.bincount(kkt_report(model.alpha_, y * model.decision_function(X), 10.0).kind, minlength=3)
    answer = as_numbers(answer, 3)
    if close(np.sort(answer), np.sort(counts)) and not close(answer, counts):
        raise Wrong("The right numbers in the wrong order.")
    return close(answer, counts, rel=1e-9)


@exercise("9.4", "(SVM.10) without dim: round R² ‖w‖² down and add one. Then (SVM.11), with the natural logarithm.")
def _(answer):
    h = vc_bound(2.0, np.sqrt(2.1))
    return close(answer, [h, srm_bound(0.0, h, 1000, 0.05)])


@exercise("9.5", "NPT(Gaussian(width)).fit_transform(X) gives coordinates; fit SVC(Linear(), C, tol=1e-10) to them.")
def _(answer):
    def truth(X, y, width, C):
        return SVC(Gaussian(width), C, tol=1e-10).fit(X, y).decision_function(X)

    cases = [(*toy(40, seed=seed), width, C) for seed, width, C in ((3, 0.8, 5.0), (4, 0.5, 2.0))]
    return same_function(answer, truth, cases, atol=1e-6)
