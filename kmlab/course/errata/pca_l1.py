"""Literal variants of 000/s26-38: PCA-L1 to the letter, and other L1 methods from a Gram matrix alone."""

from itertools import islice
from typing import NamedTuple

import numpy as np

from ... import _checks as check
from ...gram import largest
from ...robust_pca import R1PCA, SMOOTH


class PrintedStep(NamedTuple):
    """One round of 000/s29-32: the direction, its dispersion, and whether step 4b pushed it."""

    w: np.ndarray
    dispersion: float
    pushed: bool


def as_printed(X, w=None, cap=1000, seed=0):
    """PCA-L1 to the letter of 000/s29-32, with a cap on its rounds: with a point at the mean it needs one (E-K7)."""
    X = check.matrix(X, min_samples=2)
    X, rng = X - X.mean(0), np.random.default_rng(seed)
    w = X[np.linalg.norm(X, axis=1).argmax()] if w is None else w
    w = w / np.linalg.norm(w)  # step 1
    for _ in range(check.count(cap, "cap")):
        p = np.where(X @ w < 0, -1, 1)  # step 2
        old, w = w, p @ X / np.linalg.norm(p @ X)  # step 3
        rests = np.allclose(w, old, rtol=0, atol=1e-12)
        pushed = rests and bool((np.abs(X @ w) <= 1e-12).any())
        yield PrintedStep(w, float(np.abs(X @ w).sum()), pushed)
        if pushed:  # step 4b
            w = w + 1e-6 * rng.standard_normal(len(w))
            w = w / np.linalg.norm(w)
        elif rests:  # step 4c
            return


def stops(X, cap=1000):
    """Does the algorithm of 000/s29-32 stop on this data before the cap?"""
    return sum(1 for _ in as_printed(X, cap=cap)) < cap


def r1_from_gram(K, n_components=1, rounds=30):
    """R1-PCA in feature space from a centred Gram matrix; yields the scores (n, k) after every round.

    With weights D the axes are Φᵀα for the leading eigenvectors u of √D K √D, α = √D u / √λ; r_i² = K_ii - |score_i|².
    """
    weight = 1 / np.sqrt(np.diag(K) / _median(K) + 1)
    for t in range(rounds):
        root = np.sqrt(weight)
        lam, U = largest(root[:, None] * K * root, n_components)
        scores = K @ (root[:, None] * U / np.sqrt(lam))
        yield scores
        rest = np.maximum(np.diag(K) - (scores**2).sum(1), 0) / _median(K)
        weight = 1 / np.sqrt(rest + max(0.5**t, SMOOTH))


def r1_rounds(Z, n_components=1, rounds=30):
    """The same rounds on coordinates: the scores of R1PCA after every round."""
    return [Z @ W for W, _ in islice(R1PCA(n_components).steps(Z), rounds)]


def absolute_loss(Phi, y, ridge, rounds=60):
    """min_w Σ |y_i - wᵀφ_i| + ridge |w|²/2 by reweighting, from the features: -> w."""
    weight = np.ones(len(y))
    for t in range(rounds):
        w = np.linalg.solve(Phi.T @ (weight[:, None] * Phi) + ridge * np.eye(Phi.shape[1]), Phi.T @ (weight * y))
        weight = 1 / np.sqrt((y - Phi @ w) ** 2 + max(0.5**t, SMOOTH))
    return w


def absolute_loss_from_gram(K, y, ridge, rounds=60):
    """The same problem with w = Σ α_i φ_i, from the Gram matrix alone: -> α."""
    weight = np.ones(len(y))
    for t in range(rounds):
        alpha = np.linalg.solve(K + ridge * np.diag(1 / weight), y)
        weight = 1 / np.sqrt((y - K @ alpha) ** 2 + max(0.5**t, SMOOTH))
    return alpha


def _median(K):
    return np.median(np.sqrt(np.diag(K))) ** 2
