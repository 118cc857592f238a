"""Exercises of notebook 03, the kernel perceptron."""

import numpy as np

from ...datasets import PAIR, PAIR_Y, mixed_rings
from ...kernels import Gaussian, Linear, Precomputed
from ...perceptron import KernelPerceptron, Perceptron, novikoff_bound
from ...svm import SVC
from ..checking import Slip, Wrong, as_array, as_numbers, close, exactly, near, notice, parts_of, value_of
from ..errata.perceptron import literal_updates
from . import exercise

FLOATS_WITHOUT_TIES = 752  # what a bare loop counts where exact arithmetic meets f = 0 and counts 755


@exercise(
    "3.1",
    "Let the loop of 'By hand' run, then with η where 003/s17 has it. (P.6) needs R and the best margin.",
    "With a small η the offset creeps, ηR² at a time. The plane of the best margin stands halfway between the points.",
)
def _(answer):
    right, printed, bound = as_numbers(answer, 3)
    literal = len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=0.001, eta_on="b")))
    mistakes = Perceptron().fit(PAIR, PAIR_Y).mistakes_
    if exactly(right, mistakes) and exactly(printed, mistakes):
        raise Slip("With η on both α and b it changes nothing. As printed, where does η stand?")
    if not exactly(right, mistakes):
        raise Wrong("The number for η = 1 is not right yet.")
    if not (exactly(printed, literal) or exactly(printed, FLOATS_WITHOUT_TIES)):
        raise Wrong("The number for η = 0.001 is not right yet.")
    notice(bound, {
        "Both counts are right. In (P.6), what stands before R?": novikoff_bound(4, 1) / 4,
        "Both counts are right, and (P.6) has a square.": np.sqrt(novikoff_bound(4, 1)),
        "Both counts are right. The margin is half of the gap between the points.": novikoff_bound(4, 2),
    })  # fmt: skip
    if not close(bound, novikoff_bound(4, 1)):
        raise Wrong("Both counts are right, the bound of (P.6) is not.")
    return True


def _pass(K, y, alpha, b, at_once=False, tie=True, R2=None):
    """One pass of (P.4), or with a mistake."""
    alpha, old = alpha.copy(), (alpha.copy(), b)
    for i in range(len(y)):
        seen, offset = old if at_once else (alpha, b)
        f = y[i] * (K[i] @ (seen * y) + offset)
        if f < 0 or (tie and f == 0):
            alpha[i] += 1
            b += y[i] * (K.diagonal().max() if R2 is None else R2)
    return alpha, b


PASSES = {
    "Every visit should see what the visits before it have changed.": {"at_once": True},
    "A point with f = 0 is on neither side. Does it stay as it is?": {"tie": False},
    "How far does b move in (P.4)?": {"R2": 1.0},
    "alpha is right, and b should move as well.": {"R2": 0.0},
}


@exercise(
    "3.2",
    "Visit i = 0, 1, ... and use the alpha and b of this very moment; R² is the largest K_ii.",
    "At a mistake two things change, α_i and b, and already the next visit uses both of them.",
)
def _(answer):
    rng = np.random.default_rng(35)  # b does not end at 0
    for kernel in Linear(), Gaussian(1.5):
        X = rng.standard_normal((16, 2)) + 1
        K, y = kernel(X), np.where(X[:, 0] > 1.1, 1, -1)
        alpha, b = np.zeros(16), 0.0
        for passes in 1, 2, 3:
            model = KernelPerceptron(Precomputed(), max_passes=passes).fit(K, y)
            new_alpha, new_b = parts_of(value_of(answer, K, y, alpha, b), ("alpha", "b"))
            new_alpha = as_array(new_alpha, (16,), "alpha has")
            for nudge, how in PASSES.items():
                slip = _pass(K, y, alpha, b, **how)
                known = not np.array_equal(slip[0], model.alpha_) or slip[1] != model.b_
                if known and np.allclose(new_alpha, slip[0]) and near(new_b, slip[1]):
                    raise Slip(nudge)
            if not np.allclose(new_alpha, model.alpha_, atol=1e-4):
                raise Wrong(f"After pass {passes} on unseen data alpha is not right.")
            if not close(new_b, model.b_):
                raise Wrong(f"After pass {passes} on unseen data alpha is right, but b is not.")
            alpha, b = model.alpha_.astype(float), model.b_
    return True


@exercise(
    "3.3",
    "k is a squared length, ρ and R are lengths, and (P.6) knows only their ratio.",
    "If all squared lengths grow by 100, by how much do lengths grow? And does y f(x) change its sign anywhere?",
)
def _(answer):
    X, y = mixed_rings()
    kernels = 100 * Gaussian(1.0), Gaussian(1.0)
    margin = [1 / SVC(k, C=np.inf, tol=1e-6).fit(X, y).w_norm_ for k in kernels]
    radius = [np.sqrt(k.diag(X).max()) for k in kernels]
    updates = [KernelPerceptron(k).fit(X, y).mistakes_ for k in kernels]
    truth = [pair[0] / pair[1] for pair in (margin, radius, updates)]
    slips = {
        "k is no length: it is the square of one.": (100, 100, 1),
        "Does a larger k change the sign of f anywhere, and with it the number of updates?": (*truth[:2], 10),
        "The bound (P.6) has R/ρ in it. What becomes of this quotient?": (*truth[:2], 100),
        "Margin and radius are measured in the same space: can one of them grow alone?": (1, truth[1], 1),
    }
    return close(answer, truth, slips)


@exercise(
    "3.4",
    "R² is the largest k(x, x). What is the distance of a point to itself?",
    "Put z = x into the kernel: neither the width nor the place of the points is left.",
)
def _(answer):
    points = 20 + np.random.default_rng(34).standard_normal((5, 2))
    slips = {
        "So far away are the points. R is the length of their images.": np.linalg.norm([20, 20]),
        "This is the width of the kernel.": 0.7,
        "k(x, z) is 0 for points far apart. Which pair is meant by R?": 0.0,
    }
    return close(answer, np.sqrt(Gaussian(0.7).diag(points).max()), slips)


@exercise(
    "3.5",
    "η comes twice, in the bracket and below the line; R and ρ come squared.",
    "Three numbers: the square of the bracket, one over η, and the square of R/ρ.",
)
def _(answer):
    slips = {
        "This is the bound for η = 1.": novikoff_bound(4, 1),
        "R/ρ is squared.": 1.1**2 / 0.1 * 4,
        "The bracket is squared.": 1.1 / 0.1 * 16,
        "Below the line η is not squared.": (1.1 / 0.1) ** 2 * 16,
        "There is an η below the line.": 1.1**2 * 16,
    }
    return close(answer, novikoff_bound(4, 1, eta=0.1), slips)
