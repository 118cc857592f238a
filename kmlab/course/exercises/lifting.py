"""Exercises of notebook 02, when a line is not enough."""

import numpy as np

from ... import datasets
from ...lifting import cover_count, is_separable, log_ratio
from ...perceptron import Perceptron, perceptron_cost
from ..checking import Slip, Wrong, agree, as_array, close, exactly, value_of
from . import exercise


@exercise(
    "2.1",
    "(LIFT.2) counts planes through the origin; how many dimensions is an offset b worth?",
    "Give every point a last coordinate 1. In how many dimensions is the line now a plane through the origin?",
)
def _(answer):
    return exactly(
        answer,
        cover_count(5, 3),
        {
            "So many are separated by lines through the origin. Yours may lie anywhere.": cover_count(5, 2),
            "A labelling and its opposite are two labellings.": cover_count(5, 3) // 2,
            "Not all of them: think of four corners labelled like a chess board.": 2**5,
            "One dimension too many: the points lie in the plane.": cover_count(5, 4),
        },
    )


@exercise(
    "2.2",
    "For which k does (LIFT.2) give all 2¹⁰ labellings? Adding b is worth one dimension.",
    "The sum of (LIFT.2) has binomials of n − 1 over 0, 1, 2, ...: how many of them are there before they are 0?",
)
def _(answer):
    through_zero = next(k for k in range(1, 20) if cover_count(10, k) == 2**10)
    slips = {
        "An offset helps. Can a plane that may move need more dimensions?": (through_zero - 1, through_zero),
        "An offset helps, so that it takes fewer dimensions, not more.": (through_zero, through_zero + 1),
        "One off: count the terms of (LIFT.2) again, the first has number 0.": (through_zero - 1, through_zero - 2),
        "There half of all labellings are separable; asked is for all.": (through_zero // 2, through_zero // 2 - 1),
        "An offset is worth something.": (through_zero, through_zero),
    }
    return exactly(answer, [through_zero, through_zero - 1], slips)


@exercise(
    "2.3",
    "Both densities have the same width: which part of their logarithms cancels? And do not forget P(+1).",
    "The squares of x cancel, and something linear in x is left. The priors add the logarithm of their quotient.",
)
def _(answer):
    truth, without = (log_ratio([[0.5]], ([-1.0], [1.0]), ([[1.0]], [[1.0]]), prior=p)[0] for p in (2 / 3, 1 / 2))
    slips = {
        "The densities are right. Where is P(+1)?": without,
        "Which of the two classes is the more frequent one?": 2 * without - truth,
        "P(+1) is there, and what of P(−1)?": without + np.log(2 / 3),
        "This is a quotient, and L is its logarithm.": np.exp(truth),
        "The variances are 1: what stands before (x − 1)² in the exponent?": 2 * without + np.log(2),
    }
    return close(answer, truth, slips)


@exercise(
    "2.4",
    "Which number, made of x₁ and x₂, has one sign on one diagonal and the other sign on the other?",
    "On one diagonal the two coordinates have the same sign, on the other different ones. What tells these two apart?",
)
def _(answer):
    for n, noise in ((1, 0.0), (10, 0.2)):
        X, y = datasets.xor(n, noise)
        Z = value_of(answer, X)
        Z = as_array(Z, (len(X), _columns(Z)))
        if not np.allclose(np.asarray(value_of(answer, X[:1]), dtype=float), Z[:1], rtol=1e-4, atol=1e-6):
            raise Wrong("The image of a point must not depend on the other points.")
        if agree(Z, X if Z.shape == X.shape else np.nan):
            raise Slip("These are the points as they were, and no line separates them.")
        if agree(Z, X**2 if Z.shape == X.shape else np.nan):
            raise Slip("A square forgets the sign of its coordinate. Is that what you want?")
        if not is_separable(Z, y):
            raise Wrong("In your space, no plane separates the classes yet.")
        if not Perceptron(max_passes=10000).fit(Z, y).converged_:
            raise Wrong("A plane exists, but the perceptron does not find it in 10,000 passes: widen the margin.")
    return True


def _columns(Z):
    try:
        return np.shape(Z)[1] if np.ndim(Z) == 2 else "k"
    except ValueError:  # rows of different lengths
        return "k"


@exercise(
    "2.5",
    "What does a single term of (P.5) become if f(x) is the same everywhere, namely 0?",
    "A term is −y f(x) for points on the wrong side. How far on the wrong side is a point with f(x) = 0?",
)
def _(answer):
    X, y = datasets.xor(5, 0.2)
    slips = {
        "A margin of 1 is asked for by support vector machines; does (P.5) ask for one?": 1,
        "Costs are added over the points, but how much does each of them cost?": len(y),
    }
    return close(answer, perceptron_cost(np.zeros(2), 0.0, X, y), slips)
