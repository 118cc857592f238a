"""Literal variants of 003/s5-28: the dual perceptron as printed, a kernel that is learned, a dual with two tops."""

import numpy as np

from ...kernels import Kernel
from ...perceptron import TIE, DualUpdate


def literal_updates(kernel, X, y, radius="feature", eta=1.0, eta_on="both", max_passes=1000):
    """Updates of the kernel perceptron with R and η as asked for; y = ±1, and both classes are not required.

    radius "feature" takes R of the images, as the theorem of 003/s26 does, "input" R = max |x_i| (003/s14, s17, s25);
    eta_on "both" puts η on α and on b, which changes nothing, "b" on b alone (003/s16, s17, s25).
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


class Taught(Kernel):
    """k_t(x, z) = (1 - t) k(x, z) + t g(x) g(z),   g(x) = Σ_i c_i k(x_i, x) with g(x_i) = y_i;   0 ≤ t ≤ 1

    On the sample its Gram matrix is (1 - t) K + t yyᵀ. With t = 1 the labels themselves are the kernel, and no kernel
    has a larger ρ/R there: it is 1, whatever the labels. For 003/s28, where a kernel is learned from the sample.
    """

    def __init__(self, kernel, X, y, share):
        self.kernel, self.X, self.share = kernel, X, share
        self.c = np.linalg.solve(kernel(X), np.asarray(y, dtype=float))

    def gram(self, X, Z=None):
        g = self.learned(X)
        return (1 - self.share) * self.kernel(X, Z) + self.share * np.outer(g, g if Z is None else self.learned(Z))

    def learned(self, X):
        """g at the rows of X; (m, d) -> (m,)."""
        return self.kernel(X, self.X) @ self.c


def dual_value(K, y, alpha):
    """Σ α_i - ½ Σ α_i α_j y_i y_j K_ij, the dual of a machine without b: a hill if K has no negative eigenvalue."""
    v = alpha * y
    return float(alpha.sum() - 0.5 * v @ K @ v)


def climb(K, y, start, C, steps=300):
    """Uphill on dual_value inside the box 0 ≤ α_i ≤ C, by gradient steps; -> (steps + 1, n)."""
    Q, path = np.outer(y, y) * K, [np.asarray(start, dtype=float)]
    rate = 0.5 / np.linalg.norm(Q, 2)
    for _ in range(steps):
        path.append(np.clip(path[-1] + rate * (1 - Q @ path[-1]), 0, C))
    return np.array(path)


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
