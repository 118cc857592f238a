"""Exercises of notebook 02, when a line is not enough."""

import numpy as np

from ... import datasets
from ...lifting import cover_count, is_separable, log_ratio
from ...perceptron import Perceptron, perceptron_cost
from ..checking import Wrong, as_array, close, exactly, value_of
from . import exercise


@exercise("2.1", "(LIFT.2) counts planes through the origin; how many dimensions is an offset b worth?")
def _(answer):
    return exactly(answer, cover_count(5, 3))


@exercise("2.2", "For which k does (LIFT.2) give all 2¹⁰ labellings? Adding b is worth one dimension.")
def _(answer):
    through_zero = next(k for k in range(1, 20) if cover_count(10, k) == 2**10)
    return exactly(answer, [through_zero, through_zero - 1])


@exercise("2.3", "Both densities have the same width: which part of their logarithms cancels? And do not forget P(+1).")
def _(answer):
    return close(answer, log_ratio([[0.5]], ([-1.0], [1.0]), ([[1.0]], [[1.0]]), prior=2 / 3))


@exercise("2.4", "Which number, made of x₁ and x₂, has one sign on one diagonal and the other sign on the other?")
def _(answer):
    for n, noise in ((1, 0.0), (10, 0.2)):
        X, y = datasets.xor(n, noise)
        Z = value_of(answer, X)
        Z = as_array(Z, (len(X), np.shape(Z)[1]) if isinstance(Z, np.ndarray) and Z.ndim == 2 else (len(X), "k"))
        if not np.allclose(np.asarray(value_of(answer, X[:1]), dtype=float), Z[:1], rtol=1e-4, atol=1e-6):
            raise Wrong("The image of a point must not depend on the other points.")
        if not is_separable(Z, y):
            raise Wrong("In your space, no plane separates the classes yet.")
        if not Perceptron(max_passes=10000).fit(Z, y).converged_:
            raise Wrong("A plane exists, but the perceptron does not find it in 10,000 passes: widen the margin.")
    return True


@exercise("2.5", "What does a single term of (P.5) become if f(x) is the same everywhere, namely 0?")
def _(answer):
    X, y = datasets.xor(5, 0.2)
    return close(answer, perceptron_cost(np.zeros(2), 0.0, X, y))
