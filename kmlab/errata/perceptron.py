"""The dual perceptron as lecture 003 prints it, with every step that can go wrong as a switch."""

import numpy as np

from .. import datasets
from ..perceptron import TIE, DualUpdate

PAIR, PAIR_Y = np.array([[2.0], [4.0]]), np.array([-1, 1])  # two numbers, R = 4 and margin 1: the bound is 64


def literal_updates(kernel, X, y, radius="feature", eta=1.0, eta_on="both", max_passes=1000):
    """Updates of the kernel perceptron by a recipe that may be wrong; y = ±1, and both classes are not required.

    radius "input" takes R = max |x_i| (003/s14, s17, s25) where the images are needed; eta_on "b" leaves α_i += 1 but
    puts η on b (003/s16, s17, s25), "both" puts it on both, which changes nothing.
    """
    K, step = kernel(X), eta if eta_on == "both" else 1
    R2 = (X**2).sum(1).max() if radius == "input" else K.diagonal().max()
    alpha, b = np.zeros(len(X)), 0.0
    for round in range(1, max_passes + 1):
        wrong = False
        for i in range(len(X)):
            if y[i] * (K[i] @ (alpha * y) + b) <= TIE * eta * R2:
                alpha[i] += step
                b, wrong = b + eta * y[i] * R2, True
                yield DualUpdate(i, round, alpha.copy(), b)
        if not wrong:
            return


def gradient_updates(X, y, last=1.0, max_passes=1000):
    """The points that true gradient steps on the cost of 003/s5 update, in order; b belongs to the input `last`."""
    A = np.column_stack([X, np.full(len(X), last)])
    w, order = np.zeros(A.shape[1]), []
    for _ in range(max_passes):
        before = len(order)
        for i in range(len(A)):
            if y[i] * (A[i] @ w) <= 0:
                w = w + y[i] * A[i]
                order.append(i)
        if len(order) == before:
            break
    return order


def two_sides(n=40, gap=0.25, shift=(0.0, 0.0), seed=0):
    """Points on both sides of a line, pushed apart by gap; X (n, 2), y in {-1, +1}."""
    X, normal = np.random.default_rng(seed).standard_normal((n, 2)), np.array([1.0, 0.6])
    y = np.where(X @ normal > 0, 1, -1)
    return X + gap * y[:, None] * normal + shift, y


def mixed(X, y, seed=0):
    """The same points in an order drawn at random: a walk that meets one class after the other is a slow one."""
    order = np.random.default_rng(seed).permutation(len(X))
    return X[order], y[order]


def mixed_rings():
    """Two rings in a mixed order, y in {-1, +1}."""
    X, y = mixed(*datasets.rings((1, 2), 30, noise=0.1))
    return X, 2 * y - 1
