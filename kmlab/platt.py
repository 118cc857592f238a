"""Probabilities for machines that know a margin only: a sigmoid for each pair of classes, one answer for all pairs."""

import numpy as np
from scipy.special import expit

from . import _checks as check

STEPS = 100  # of Newton's method: ten are many
SURE = 1e-7  # no pair of classes is surer than this


def sigmoid(f, y):
    """A, B with P(y = 1 | f) = 1 / (1 + exp(A f + B)), of largest likelihood; f (n,), y (n,) of ±1     (PLATT.1)

    The targets are (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2), not 1 and 0: what was seen n times need not come always. f must be
    that of points that the machine has not seen, or it is surer than it may be.
    J. Platt, Probabilistic outputs for support vector machines, 1999; H.-T. Lin, C.-J. Lin, R. Weng, A note on Platt's
    probabilistic outputs for support vector machines, Machine Learning 68, 2007.
    """
    y = check.signs(y, len(np.atleast_1d(y)))
    f = check.moderate(check.vector(f, "f", len(y)))
    above, below = (y > 0).sum(), (y < 0).sum()
    t = np.where(y > 0, (above + 1) / (above + 2), 1 / (below + 2))  # (PLATT.1)
    unit = np.abs(f).max() or 1.0  # A in units of 1/f: then no product is too large
    P, v = np.column_stack([f / unit, np.ones(len(f))]), np.array([0.0, np.log((below + 1) / (above + 1))])

    def loss(v):
        return float((t * (P @ v) + np.logaddexp(0, -(P @ v))).sum())

    value = loss(v)
    for _ in range(STEPS):
        p = expit(-(P @ v))
        g, H = P.T @ (t - p), (P * (p * (1 - p))[:, None]).T @ P + 1e-12 * np.eye(2)
        d, size = np.linalg.solve(H, g), 1.0
        while loss(v - size * d) > value - 1e-4 * size * (g @ d) and size > 1e-10:
            size /= 2
        if np.abs(g).max() < 1e-10 * len(f) or size <= 1e-10:
            break
        v = v - size * d
        value = loss(v)
    return float(v[0] / unit), float(v[1])


def coupled(R):
    """p (m, k) of k classes from R (m, k, k), r_ij = P(i | i or j):  min Σ_ij (r_ji p_i - r_ij p_j)², Σp = 1  (PLATT.2)

    A linear system in p. The pairs contradict each other in general; p is as near to all of them as can be.
    T.-F. Wu, C.-J. Lin, R. Weng, Probability estimates for multi-class classification by pairwise coupling, JMLR 2004.
    """
    R = np.clip(np.asarray(R, dtype=float), SURE, 1 - SURE)
    if R.ndim != 3 or R.shape[1] != R.shape[2]:
        raise ValueError(f"R must have shape (samples, classes, classes), got {R.shape}: one matrix for each sample.")
    m, k = R.shape[:2]
    R = R * (1 - np.eye(k))
    Q = -R * R.transpose(0, 2, 1)
    Q[:, range(k), range(k)] = (R**2).sum(1)  # (PLATT.2)
    system, right = np.zeros((m, k + 1, k + 1)), np.zeros((m, k + 1, 1))
    system[:, :k, :k], system[:, :k, k], system[:, k, :k], right[:, k] = Q, 1, 1, 1
    p = np.maximum(np.linalg.solve(system, right)[:, :k, 0], 0)
    return p / p.sum(1, keepdims=True)
