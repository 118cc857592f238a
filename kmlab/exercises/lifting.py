"""Exercises of notebook 02, when a line is not enough."""

import numpy as np

from .. import datasets
from ..lifting import cover_count, is_separable, log_ratio
from ..perceptron import Perceptron, perceptron_cost
from . import NotAttempted, Wrong, as_numbers, close, exercise


@exercise("2.1", "With b, points of the plane have k = 3: put n = 5 into (LIFT.2).")
def _(answer):
    return close(answer, cover_count(5, 3), rel=1e-9)


@exercise("2.2", "For which k does (LIFT.2) give all 2¹⁰ labellings? Adding b is worth one dimension.")
def _(answer):
    through_zero = next(k for k in range(1, 20) if cover_count(10, k) == 2**10)
    return close(answer, [through_zero, through_zero - 1], rel=1e-9)


@exercise("2.3", "The squares of x cancel. What is left is linear in x, plus the logarithm of 2/3 over 1/3.")
def _(answer):
    return close(answer, log_ratio([[0.5]], ([-1.0], [1.0]), ([[1.0]], [[1.0]]), prior=2 / 3))


@exercise("2.4", "Which number, made of x₁ and x₂, has one sign on one diagonal and the other sign on the other?")
def _(answer):
    if not callable(answer):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    for n, noise in ((1, 0.0), (10, 0.2)):
        X, y = datasets.xor(n, noise)
        Z = answer(X.copy())
        if Z is None:
            raise NotAttempted
        Z = np.asarray(Z, dtype=float)
        if Z.ndim != 2 or len(Z) != len(X):
            raise Wrong(f"One row for each point is expected, shape ({len(X)}, k), got {Z.shape}.")
        if not np.allclose(np.asarray(answer(X[:1].copy()), dtype=float), Z[:1]):
            raise Wrong("The image of a point must not depend on the other points.")
        if not is_separable(Z, y):
            raise Wrong("In your space, no plane separates the classes yet.")
        if not Perceptron(max_passes=10000).fit(Z, y).converged_:
            raise Wrong("A plane exists, but the perceptron does not find it in 10,000 passes: widen the margin.")
    return True


@exercise("2.5", "Nobody is on the wrong side by any amount if f is zero everywhere.")
def _(answer):
    if isinstance(answer, bool):
        raise Wrong("A number was expected, got True or False.")
    X, y = datasets.xor(5, 0.2)
    return float(as_numbers(answer, 1)[0]) == perceptron_cost(np.zeros(2), 0.0, X, y)
