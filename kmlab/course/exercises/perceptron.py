"""Exercises of notebook 03, the kernel perceptron."""

import numpy as np

from ...datasets import PAIR, PAIR_Y, mixed_rings
from ...kernels import Gaussian, Linear, Precomputed
from ...perceptron import KernelPerceptron, Perceptron, novikoff_bound
from ...svm import SVC
from ..checking import Wrong, as_array, as_numbers, close, exactly, parts_of, value_of
from ..errata.perceptron import literal_updates
from . import exercise

FLOATS_WITHOUT_TIES = 752  # what a bare loop counts where exact arithmetic meets f = 0 and counts 755


@exercise("3.1", "Let the loop of 'By hand' run, then with η where 003/s17 has it. (P.6) needs R and the best margin.")
def _(answer):
    right, printed, bound = as_numbers(answer, 3)
    literal = len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=0.001, eta_on="b")))
    if not exactly(right, Perceptron().fit(PAIR, PAIR_Y).mistakes_):
        raise Wrong("The number for η = 1 is not right yet.")
    if not (exactly(printed, literal) or exactly(printed, FLOATS_WITHOUT_TIES)):
        raise Wrong("The number for η = 0.001 is not right yet.")
    if not close(bound, novikoff_bound(4, 1)):
        raise Wrong("Both counts are right, the bound of (P.6) is not.")
    return True


@exercise("3.2", "Visit i = 0, 1, ... and use the alpha and b of this very moment; R² is the largest K_ii.")
def _(answer):
    rng = np.random.default_rng(35)  # b does not end at 0
    for kernel in Linear(), Gaussian(1.5):
        X = rng.standard_normal((16, 2)) + 1
        K, y = kernel(X), np.where(X[:, 0] > 1.1, 1, -1)
        alpha, b = np.zeros(16), 0.0
        for passes in 1, 2, 3:
            model = KernelPerceptron(Precomputed(), max_passes=passes).fit(K, y)
            new_alpha, new_b = parts_of(value_of(answer, K, y, alpha, b), ("alpha", "b"))
            if not np.allclose(as_array(new_alpha, (16,), "alpha has"), model.alpha_, atol=1e-4):
                raise Wrong(f"After pass {passes} on unseen data alpha is not right.")
            if not close(new_b, model.b_):
                raise Wrong(f"After pass {passes} on unseen data alpha is right, but b is not.")
            alpha, b = model.alpha_.astype(float), model.b_
    return True


@exercise("3.3", "k is a squared length, ρ and R are lengths, and (P.6) knows only their ratio.")
def _(answer):
    X, y = mixed_rings()
    kernels = 100 * Gaussian(1.0), Gaussian(1.0)
    margin = [1 / SVC(k, C=np.inf, tol=1e-6).fit(X, y).w_norm_ for k in kernels]
    radius = [np.sqrt(k.diag(X).max()) for k in kernels]
    updates = [KernelPerceptron(k).fit(X, y).mistakes_ for k in kernels]
    return close(answer, [pair[0] / pair[1] for pair in (margin, radius, updates)])


@exercise("3.4", "R² is the largest k(x, x). What is the distance of a point to itself?")
def _(answer):
    points = 20 + np.random.default_rng(34).standard_normal((5, 2))
    return close(answer, np.sqrt(Gaussian(0.7).diag(points).max()))


@exercise("3.5", "η comes twice, in the bracket and below the line; R and ρ come squared.")
def _(answer):
    return close(answer, novikoff_bound(4, 1, eta=0.1))
