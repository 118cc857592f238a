"""Literal variants of 000/s20 and s38: methods to put on coordinates, one that notices their rotation and one not."""

import numpy as np


def ridge(Z, t, lam=0.1):
    """Weights of min |t - Zb|² + lam |b|²: rotate Z and b turns with it."""
    return np.linalg.solve(Z.T @ Z + lam * np.eye(Z.shape[1]), Z.T @ t)


def lasso(Z, t, lam=0.1, rounds=2000):
    """Weights of min ½|t - Zb|² + lam Σ|b_j|, by soft thresholding: the sum of |b_j| depends on the axes."""
    b, step = np.zeros(Z.shape[1]), 1 / np.linalg.norm(Z, 2) ** 2
    for _ in range(rounds):
        b = b + step * Z.T @ (t - Z @ b)
        b = np.sign(b) * np.maximum(np.abs(b) - step * lam, 0)
    return b


def rotation(r, seed):
    """A random orthogonal matrix; seed 0 is the identity."""
    return np.eye(r) if seed == 0 else np.linalg.qr(np.random.default_rng(seed).standard_normal((r, r)))[0]
