"""Exercises of notebook 1. Truths are computed with kmlab, functions tried on data the notebook never shows."""

import numpy as np

from ...features import hom2_map, poly2_map, tensor_maps
from ...kernels import Gaussian, Linear, NegativePower, Polynomial, feature_angle, feature_distance2
from ...npt import NPT
from ..checking import Wrong, agree, as_array, as_numbers, close, exactly, near, same_function, value_of
from ..watching import lines_run
from . import exercise


def _unseen(n, d, seed):
    return np.random.default_rng(seed).standard_normal((n, d))


@exercise("1.1", "A norm is the root of a diagonal entry of K, and k(x, x) = xᵀx here.")
def _norm(answer):
    squared = Linear().diag([[3.0, 4.0]])[0]
    norm, square = as_numbers(answer, 2)
    if near([square, norm], [np.sqrt(squared), squared]):
        raise Wrong("The norm comes first, its square second.")
    return close([norm, square], [np.sqrt(squared), squared])


@exercise("1.2", "First k from (K.3); then (K.13) and (K.14) with k(x, x) = 1; the angle in degrees.")
def _gaussian_pair(answer):
    K = Gaussian(2.0)([[0.0], [2.0]])
    truth = [K[0, 1], feature_distance2(K)[0, 1], np.degrees(feature_angle(K)[0, 1])]
    values = as_numbers(answer, 3)
    if near(values, [truth[0], np.sqrt(truth[1]), truth[2]]):
        raise Wrong("The second number is the squared distance.")
    if near(values, [truth[0], truth[1], np.radians(truth[2])]):
        raise Wrong("The angle is wanted in degrees.")
    return close(values, truth)


@exercise("1.3", "Row i of the answer holds every product of an entry of F₁[i] with an entry of F₂[i].")
def _tensor(answer):
    for n, a, b in (1, 1, 1), (4, 2, 3), (5, 6, 4):
        F1, F2 = _unseen(n, a, n), _unseen(n, b, n + 1)
        F = value_of(answer, F1, F2, instead=[tensor_maps])
        F = as_array(F, (n, a * b), f"for shapes {F1.shape} and {F2.shape} your map returns")
        both = tensor_maps(lambda _, F1=F1: F1, lambda _, F2=F2: F2)(F1)
        got, want = F @ F.T, both @ both.T  # the order of the features is free
        if not agree(got, want):
            off = np.abs(got - want).max()
            raise Wrong(f"On unseen data the inner products of your features are off by {off:.2g}.")
    return True


@exercise("1.4", "With 1 on the diagonal and s beside it, the eigenvalues of K are 1 + s and 1 - s.")
def _largest_distance(answer):
    (d,) = as_numbers(answer, 1)
    if d <= 0:
        raise Wrong("A distance was expected, above zero.")

    def lowest(distance):
        return np.linalg.eigvalsh(1 + NegativePower()([[0.0], [distance]]) / 2)[0]

    if lowest(0.995 * d) < 0:  # three digits are enough
        raise Wrong("At this distance one eigenvalue is negative already.")
    if lowest(1.005 * d) > 0:
        raise Wrong("At this distance both eigenvalues are at least zero, but there is a larger one.")
    return True


@exercise("1.5", "The rank counts the different monomials: up to degree 4 with the 1, of exactly degree 4 without it.")
def _ranks(answer):
    X = _unseen(60, 3, 5)
    truth = [NPT(Polynomial(4, coef0), center=False).fit(X).rank_ for coef0 in (1.0, 0.0)]
    if exactly(answer, truth[::-1]):
        raise Wrong("Both numbers are right, in the other order.")
    return exactly(answer, truth)


@exercise("1.6", "(K.13) needs the diagonal of K twice: once down the rows, once along the columns.")
def _distances(answer):
    for F in (poly2_map(_unseen(6, 3, 8)), hom2_map(_unseen(5, 2, 9))):
        truth = ((F[:, None] - F) ** 2).sum(2)  # from the coordinates of the images, not from K
        same_function(answer, lambda K, truth=truth: truth, [(Linear()(F),)], instead=[feature_distance2])
    more = lines_run(answer, Linear()(_unseen(30, 3, 10))) - lines_run(answer, Linear()(_unseen(6, 3, 10)))
    if more >= 30 - 6:
        raise Wrong(
            f"The distances are right, but there is a loop in it: for 30 points {more} more of your lines were "
            "run than for 6. numpy can do it with as many lines for any number of points."
        )
    return True
