"""Points that several parts of the benchmark share."""

import numpy as np


def curved_sheet(n, d, seed=0):
    """Two overlapping classes, 1 and 0, on a curved sheet of ten dimensions in d, with noise; -> X (n, d), y (n,)."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, 10))
    X = np.tanh(Z @ rng.standard_normal((10, 60)) / 2) @ rng.standard_normal((60, d)) / np.sqrt(60)
    label = np.sin(1.5 * Z[:, 0]) + Z[:, 1] * Z[:, 2] + 0.3 * rng.standard_normal(n) > 0
    return X + 0.3 * rng.standard_normal(X.shape), label.astype(int)


def angle_between(A, B):
    """Sine of the largest angle between the spaces of two sets of columns, (n, k)."""
    P, Q = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    return float(np.linalg.norm(P - Q @ (Q.T @ P), 2))
