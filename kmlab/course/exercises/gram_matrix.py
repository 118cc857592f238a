"""Exercises of notebook 1. Truths are computed with kmlab, functions tried on data the notebook never shows."""

import numpy as np

from ...features import hom2_map, poly2_map, tensor_maps
from ...kernels import Gaussian, Linear, NegativePower, Polynomial, feature_angle, feature_distance2
from ...npt import NPT
from ..checking import Slip, Wrong, agree, as_array, as_numbers, close, exactly, notice, same_function, value_of
from ..watching import lines_run
from . import exercise


def _unseen(n, d, seed):
    return np.random.default_rng(seed).standard_normal((n, d))


@exercise(
    "1.1",
    "A norm is the root of a diagonal entry of K, and k(x, x) = xᵀx here.",
    "Squares of coordinates are added; what comes out is one of the two numbers, and the other is its root.",
)
def _norm(answer):
    squared = Linear().diag([[3.0, 4.0]])[0]
    slips = {
        "The norm comes first, its square second.": (squared, np.sqrt(squared)),
        "Did you add the coordinates? It is their squares that are added.": (3 + 4, (3 + 4) ** 2),
        "k(x, x) is not the norm yet: of which of your two numbers is it the square?": (squared, squared**2),
    }
    return close(answer, [np.sqrt(squared), squared], slips)


@exercise(
    "1.2",
    "First k from (K.3); then (K.13) and (K.14) with k(x, x) = 1; the angle in degrees.",
    "How large is |x − z|²/c² here? With images of length 1, k is the cosine of their angle.",
)
def _gaussian_pair(answer):
    K = Gaussian(2.0)([[0.0], [2.0]])
    k, distance2, angle = truth = _all_three(K)
    slips = {
        "The second number is the squared distance.": (k, np.sqrt(distance2), angle),
        "The angle is wanted in degrees.": (k, distance2, np.radians(angle)),
        "What stands below the line in (K.3)? There is no 2 before c².": _all_three(
            Gaussian(np.sqrt(8))([[0.0], [2.0]])
        ),
        "In (K.3) the distance and the width both come squared.": _all_three(Gaussian(np.sqrt(2))([[0.0], [2.0]])),
    }
    return close(answer, truth, slips)


def _all_three(K):
    return K[0, 1], feature_distance2(K)[0, 1], np.degrees(feature_angle(K)[0, 1])


@exercise(
    "1.3",
    "Row i of the answer holds every product of an entry of F₁[i] with an entry of F₂[i].",
    "For one point these products are a table, a rows and b columns. Laid out in one row it is a row of the answer.",
)
def _tensor(answer):
    for n, a, b in (1, 1, 1), (4, 2, 3), (5, 6, 4):
        F1, F2 = _unseen(n, a, n), _unseen(n, b, n + 1)
        F = value_of(answer, F1, F2, instead=[tensor_maps])
        if getattr(F, "shape", None) == (n, a + b) and agree(F @ F.T, F1 @ F1.T + F2 @ F2.T):
            raise Slip("Side by side, inner products are added. Here they should be multiplied.")
        F = as_array(F, (n, a * b), f"for shapes {F1.shape} and {F2.shape} your map returns")
        both = tensor_maps(lambda _, F1=F1: F1, lambda _, F2=F2: F2)(F1)
        got, want = F @ F.T, both @ both.T  # the order of the features is free
        if not agree(got, want):
            off, sums = np.abs(got - want).max(), np.add(F1[:, :, None], F2[:, None]).reshape(n, -1)
            if agree(got, sums @ sums.T):
                raise Slip("Every feature is a sum of two entries. Which features have products for inner products?")
            raise Wrong(f"On unseen data the inner products of your features are off by {off:.2g}.")
    return True


@exercise(
    "1.4",
    "With 1 on the diagonal and s beside it, the eigenvalues of K are 1 + s and 1 - s.",
    "How small may s become before 1 + s is negative? Then s = 1 - d²/2 says which d that is.",
)
def _largest_distance(answer):
    (d,) = as_numbers(answer, 1)
    if d <= 0:
        raise Wrong("A distance was expected, above zero.")
    notice(d, {
        "Is this d, or d²?": 4.0,
        "Here the value beside the diagonal becomes 0, but no eigenvalue does.": np.sqrt(2),
    })  # fmt: skip

    def lowest(distance):
        return np.linalg.eigvalsh(1 + NegativePower()([[0.0], [distance]]) / 2)[0]

    if lowest(0.995 * d) < 0:  # three digits are enough
        raise Wrong("At this distance one eigenvalue is negative already.")
    if lowest(1.005 * d) > 0:
        raise Wrong("At this distance both eigenvalues are at least zero, but there is a larger one.")
    return True


@exercise(
    "1.5",
    "The rank counts the different monomials: up to degree 4 with the 1, of exactly degree 4 without it.",
    "A monomial is three exponents that sum to 4; with the 1 there is a fourth, for what is missing to degree 4.",
)
def _ranks(answer):
    X = _unseen(60, 3, 5)
    truth = [NPT(Polynomial(4, coef0), center=False).fit(X).rank_ for coef0 in (1.0, 0.0)]
    slips = {
        "Both numbers are right, in the other order.": truth[::-1],
        "3⁴ is the number of words of four letters: as monomials xy and yx are the same.": (3**4, 3**4),
        "Words of four letters were counted: as monomials xy and yx are the same.": (4**4, 3**4),
        "With the 1 one monomial more is there, which needs no variable at all.": (truth[0] - 1, truth[1]),
        "Without the 1, monomials of lower degree are gone.": (truth[0], truth[0]),
    }
    return exactly(answer, truth, slips)


@exercise(
    "1.6",
    "(K.13) needs the diagonal of K twice: once down the rows, once along the columns.",
    "Entry (i, j) is made of K_ii, K_jj and K_ij. A diagonal that stands upright is added to every column by numpy.",
)
def _distances(answer):
    for F in (poly2_map(_unseen(6, 3, 8)), hom2_map(_unseen(5, 2, 9))):
        truth = ((F[:, None] - F) ** 2).sum(2)  # from the coordinates of the images, not from K
        slips = {
            "One of the two diagonals is missing.": lambda K: np.diag(K)[:, None] - 2 * K,
            "One of the two diagonals is there, the other is missing.": lambda K: np.diag(K) - 2 * K,
            "These are the distances; asked are their squares.": lambda K: np.sqrt(feature_distance2(K)),
            "K_ij is in it only once.": lambda K: feature_distance2(K) + K,
            "What sign has K_ij? Images that are alike are close.": lambda K: feature_distance2(K) + 4 * K,
        }
        same_function(answer, lambda K, truth=truth: truth, [(Linear()(F),)], slips, instead=[feature_distance2])
    more = lines_run(answer, Linear()(_unseen(30, 3, 10))) - lines_run(answer, Linear()(_unseen(6, 3, 10)))
    if more >= 30 - 6:
        raise Wrong(
            f"The distances are right, but there is a loop in it: for 30 points {more} more of your lines were "
            "run than for 6. numpy can do it with as many lines for any number of points."
        )
    return True
