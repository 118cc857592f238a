"""Worked solutions to the exercises of notebook 03, for instructors."""

import numpy as np

from kmlab.course.errata.perceptron import literal_updates
from kmlab.course.exercises import check
from kmlab.datasets import PAIR, PAIR_Y
from kmlab.kernels import Linear

# 3.1  Nine by hand; R = 4, and the plane at 3 has margin 1, so (2 · 4 / 1)² = 64. With η on b alone, b has to creep to
#      about -4 in steps of 0.016. A bare loop in floats counts 752 instead of 755: rounding breaks ties at f = 0.
counts = [len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=eta, eta_on="b"))) for eta in (1.0, 0.001)]
check("3.1", (*counts, 64))


# 3.2  The order of visits matters, so this is a loop: every visit sees the updates of those before it.
def one_pass(K, y, alpha, b):
    for i in range(len(y)):
        if y[i] * (K[i] @ (alpha * y) + b) <= 0:
            alpha[i] += 1
            b += y[i] * np.diag(K).max()
    return alpha, b


check("3.2", one_pass)

# 3.3  Lengths grow by √100; the sign of f does not care.
check("3.3", (10, 10, 1))

# 3.4  k(x, x) = exp(0) = 1, wherever x is.
check("3.4", 1)

# 3.5  1.21 / 0.1 · 16
check("3.5", 193.6)
