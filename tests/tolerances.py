"""Tolerances by name, and comparisons that know what eigenvectors leave open. One place for all tests."""

import numpy as np

EXACT = 1e-12  # the same sum in another order
IDENTITY = 1e-10  # an algebraic identity that passes through an eigenproblem or a solve
ROOT = 1e-7  # the square root of a number that should be zero
ITERATIVE = 1e-6  # an optimiser stopped here


def close(actual, expected, within=IDENTITY):
    """Equal up to `within`, relative to the size of what is expected once that is larger than one."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert actual.shape == expected.shape, f"shape {actual.shape} instead of {expected.shape}"
    off = np.abs(actual - expected).max(initial=0.0)
    bound = within * max(1.0, np.abs(expected).max(initial=0.0))
    assert off <= bound, f"off by {off:.3g}, allowed {bound:.3g}"


def same_up_to_sign(actual, expected, within=IDENTITY):
    """Equal columns, each up to its sign: eigenvectors of simple eigenvalues."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, f"shape {actual.shape} instead of {expected.shape}"
    close(actual * np.where((actual * expected).sum(0) < 0, -1, 1), expected, within)


def same_subspace(A, B, within=IDENTITY):
    """The columns of A and of B span the same space: eigenvectors of repeated eigenvalues."""
    close(projector(A), projector(B), within)


def projector(A):
    Q = np.linalg.qr(A)[0]
    return Q @ Q.T


def orthonormal_columns(A, within=IDENTITY):
    close(A.T @ A, np.eye(A.shape[1]), within)
