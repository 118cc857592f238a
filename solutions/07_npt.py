"""Worked solutions to the exercises of notebook 07, for instructors."""

import numpy as np

from kmlab.course.exercises import check

# 7.1  A Gaussian Gram matrix of 20 different points is positive definite; H takes away the direction of ones.
check("7.1", 19)

# 7.2  The linear images are the points themselves; a sample in general position spans the whole space.
check("7.2", 0)


# 7.3
def coordinates(K, Kt):
    n = len(K)
    H = np.eye(n) - 1 / n
    lam, U = np.linalg.eigh(H @ K @ H)
    keep = lam > 1e-10 * lam[-1]
    lam, U = lam[keep], U[:, keep]
    Ktc = Kt - Kt.mean(1, keepdims=True) - K.mean(0) + K.mean()
    return U * np.sqrt(lam), Ktc @ U / np.sqrt(lam)


check("7.3", coordinates)


# 7.4  H is symmetric, so it may as well centre alpha: w does not change when a constant is taken from the weights.
def squared_length(K, alpha):
    centred = alpha - alpha.mean()
    return centred @ K @ centred


check("7.4", squared_length)

# 7.5  The penalty Σ|b_j| is no function of the length of b, so it depends on the axes.
check("7.5", False)
