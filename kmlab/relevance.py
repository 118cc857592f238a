"""Relevant dimension estimation: how many kernel components the labels need, and how noisy the labels are."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from .engine.eigen import settle_signs
from .engine.threads import threads_as_needed


class Relevance(NamedTuple):
    """What the eigenvectors of a Gram matrix say about labels."""

    dimension: int  # number of leading components that carry the labels
    curve: np.ndarray  # ℓ(q) for q = 1 ... ⌊n/2⌋, smallest at the dimension
    contributions: np.ndarray  # s_i = u_iᵀy, (n,)
    denoised: np.ndarray  # the part of y inside the relevant components, (n,)
    noise: float  # mean squared rest


@threads_as_needed
def relevant_dimension(K, y):
    """The q at which the contributions s = Uᵀy fall into two groups, signal before and noise behind     (RDE.1)

    ℓ(q) = (q/n) ln σ₁² + ((n-q)/n) ln σ₂², σ₁² the mean of s_i² up to q and σ₂² behind, q ≤ n/2         (RDE.2)
    denoised labels U_q U_qᵀ y, noise level |y - U_q U_qᵀ y|²/n                                          (RDE.3)

    U are the eigenvectors of the Gram matrix as it is, not centred, largest eigenvalue first.
    M. Braun, J. Buhmann, K.-R. Müller, On relevant dimensions in kernel feature spaces, JMLR 9, 2008.  Page 004/s1.
    """
    K = check.gram(K)
    n = len(K)
    if n < 4:
        raise ValueError(f"Two groups of contributions need at least 4 samples, got {n}: add data.")
    y = check.vector(y, length=n)
    U = settle_signs(np.linalg.eigh(K)[1][:, ::-1])
    s = U.T @ y  # (RDE.1)
    q = np.arange(1, n // 2 + 1)
    energy = np.cumsum(s**2)
    rest = np.cumsum(s[::-1] ** 2)[::-1]  # summed from the small end: subtracting from the whole would lose it
    tiny = np.finfo(float).tiny  # labels without any noise leave nothing behind q
    curve = (q * np.log(energy[q - 1] / q + tiny) + (n - q) * np.log(rest[q] / (n - q) + tiny)) / n  # (RDE.2)
    best = int(curve.argmin()) + 1
    denoised = U[:, :best] @ s[:best]  # (RDE.3)
    return Relevance(best, curve, s, denoised, float(((y - denoised) ** 2).mean()))
