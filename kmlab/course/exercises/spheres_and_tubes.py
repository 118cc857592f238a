"""Exercises of notebook 11, spheres, tubes and probabilistic relatives."""

import numpy as np
from scipy.special import expit

from ...datasets import sinc, two_moons
from ...kernels import Gaussian, Linear, Precomputed
from ...one_class import SVDD, OneClassSVM
from ...regression import KernelRidge
from ..checking import NotAttempted, Wrong, as_numbers, close, exactly, same_function
from ..errata.spheres_and_tubes import sphere
from . import exercise

TARGETS = np.array([1.0, 4.0, 2.5, -0.5, 3.0])


@exercise(
    "11.1",
    "Which points hold the sphere? With the ½ of 004/s17: a weight a on 2, the rest on 0: the top?",
    "The centre is the mean of the points under the weights. With the ½ the objective is Σ α x² − ½ (Σ α x)².",
)
def _(answer):
    x = np.array([0.0, 1.0, 2.0])
    ball = SVDD(Linear(), tol=1e-9).fit(x[:, None])
    center, radius2, printed = truth = ball.alpha_ @ x, ball.radius2_, sphere(np.outer(x, x), half=True) @ x
    slips = {
        "With the ½ the top is somewhere else.": (center, radius2, center),
        "How far is it from the centre to the points that hold the sphere? Not from one to the other.": (
            center,
            4 * radius2,
            printed,
        ),
        "R is a radius; how far apart are the two ends?": (center, 2 * radius2, printed),
        "The first two are right. What does the objective gain when weight goes from 0 to 2?": (center, radius2, 0.0),
    }
    return close(answer, truth, slips)


@exercise(
    "11.2",
    "Fifty weights of at most C must be able to sum to 1.",
    "Let every weight be as large as it may be. What is their sum, and what must it reach?",
)
def _(answer):
    slips = {
        "The other way round: this would let each weight be fifty times too large.": 50.0,
        "With so large a C one point could hold all the weight. Can it be smaller?": 1.0,
        "All fifty count.": 1 / 49,
    }
    return close(answer, 1 / 50, slips)


@exercise(
    "11.3",
    "decision_function has the scores, support_ the numbers of the support vectors.",
    "Outside is a score below −10⁻⁶: zero but for rounding is on the border. Of support_ the length counts.",
)
def _(answer):
    if not isinstance(answer, tuple | list) or len(answer) != 4:
        raise Wrong("Four things are expected: X, nu, the number outside, the number of support vectors.")
    X, nu, *counts = answer
    if any(part is ... or part is None for part in (X, nu)):
        raise NotAttempted
    outside, support = as_numbers(counts, 2)
    nu = as_numbers(nu, 1)[0]
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or len(X) < 20 or np.ptp(X) == 0:
        raise Wrong("Bring at least 20 points, as rows, that are not all the same.")
    model = OneClassSVM(Gaussian(1.0), nu, tol=1e-8).fit(X)
    score, size = model.decision_function(X), len(model.support_)
    truth = [(score < -1e-6).sum(), size]
    slips = {
        "First the number outside, then that of support vectors.": truth[::-1],
        "So many are inside.": [len(X) - truth[0], size],
        "A support vector on the border is not outside.": [size, size],
        "Is a score that is zero but for rounding a point outside?": [(score <= 1e-6).sum(), size],
    }
    if exactly(counts, truth, slips):
        return True
    if not outside <= nu * len(X) + 1e-4 or not nu * len(X) <= support + 1e-4:  # nu may be in single precision
        raise Wrong(f"ν n = {nu * len(X):g} must lie between the two counts.")
    return False


@exercise(
    "11.4",
    "f may be a constant. Which one is as close as possible to the largest and to the smallest target?",
    "Let the tube lie flat. How thick must it be to hold the highest and the lowest target, and what is ε of that?",
)
def _(answer):
    slips = {
        "So thick is the whole tube. What is ε of it?": np.ptp(TARGETS),
        "The mean is not the constant with the smallest worst miss.": np.abs(TARGETS - TARGETS.mean()).max(),
        "The constant need not be 0.": TARGETS.max(),
        "The median is not the constant with the smallest worst miss.": np.abs(TARGETS - np.median(TARGETS)).max(),
    }
    return close(answer, np.ptp(TARGETS) / 2, slips)


@exercise(
    "11.5",
    "(RIDGE.3) needs α and the diagonal of G. Both come from one inverse: of which matrix?",
    "The inverse of K + λI times t is α. Its own diagonal is what each α_i is divided by.",
)
def _(answer):
    def truth(K, t, lam):
        return KernelRidge(Precomputed()).loo_path(K, t, [lam])[0]

    cases = []
    for n, lam in (15, 0.1), (25, 2.0):
        X, t = sinc(n, seed=n)
        cases.append((Gaussian(2.0)(X), t, lam))

    def misses(K, t, lam):
        return t - K @ np.linalg.solve(K + lam * np.eye(len(t)), t)

    slips = {
        "These are the misses of a fit that has seen every point.": misses,
        "The right size, and the sign? A miss is t minus the prediction.": lambda *case: -truth(*case),
        "This is α. By what is it divided in (RIDGE.3)?": lambda K, t, lam: misses(K, t, lam) / lam,
        "In (RIDGE.1) λ stands as it is, without n.": lambda K, t, lam: truth(K, t, lam * len(t)),
        "These are predictions; asked is by how much they miss.": lambda K, t, lam: t - truth(K, t, lam),
    }
    return same_function(answer, truth, cases, slips, instead=[KernelRidge.loo_path])


@exercise(
    "11.6",
    "f are the values at the training points, made of K and α; and σ(a) = 1/(1 + exp(−a)).",
    "First f = Kα, then σ of −y f, number by number; y multiplies it, λ divides it, and α stands before it.",
)
def _(answer):
    def truth(K, y, alpha, lam, sign=-1):
        return alpha - y * expit(sign * y * (K @ alpha)) / lam

    slips = {
        "The sign inside σ: whom should a point that is right by far pull?": lambda *case: truth(*case, sign=1),
        "λ is missing.": lambda K, y, alpha, lam: lam * truth(K, y, alpha, lam) - (lam - 1) * alpha,
        "A y is missing before σ.": lambda K, y, alpha, lam: alpha - expit(-y * (K @ alpha)) / lam,
        "The fixed point itself is the second part. How far is α from it?": lambda K, y, alpha, lam: (
            alpha - truth(K, y, alpha, lam)
        ),
        "Which sign has the difference?": lambda *case: -truth(*case),
    }

    cases = []
    for seed, lam in (1, 0.5), (2, 3.0):
        X, y = two_moons(20, noise=0.2, seed=seed)
        cases.append((Gaussian(1.0)(X), y, np.random.default_rng(seed).standard_normal(20), lam))
    return same_function(answer, truth, cases, slips)
