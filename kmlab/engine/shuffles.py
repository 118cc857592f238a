"""The fast form of [statistic(X, Y[rng.permutation(n)]) for _ in range(B)]: many orders at once, from short factors.

Every statistic is a norm of AᵀB for factors A, B of the two Gram matrices. A shuffle of y permutes the rows of B, so a
thousand shuffles are a few matrix products.
"""

import numpy as np

BLOCK = 2_000_000  # numbers that a batch of shuffles may hold
STRIP = 128  # rows of a shuffled Gram matrix that stay in the processor's cache


def batches(rng, n, permutations, batch):
    """Orders of n samples, a batch (m, n) at a time; the orders do not depend on the size of a batch."""
    batch = min(batch, max(1, BLOCK // n))
    for done in range(0, permutations, batch):
        m = min(batch, permutations - done)
        yield rng.permuted(np.tile(np.arange(n), (m, 1)), axis=1)


def by_factors(A, B, norm):
    """A function of orders P (m, n) that gives the norm of Aᵀ B[p] for each of them; -> (m,)."""
    most = max(1, BLOCK // (sum(A.shape) * B.shape[1]))
    return lambda P: np.concatenate([norms(A, B, P[i : i + most], norm) for i in range(0, len(P), most)])


def norms(A, B, P, norm):
    """The squared Frobenius norm ("all") or the spectral norm ("largest") of Aᵀ B[p] for each row of P."""
    m, n = P.shape
    C = (A.T @ B[P.T].reshape(n, -1)).reshape(A.shape[1], m, -1).transpose(1, 0, 2)  # every C of the batch at once
    if norm == "all":
        return np.einsum("mij,mij->m", C, C)
    C = C if C.shape[1] <= C.shape[2] else C.transpose(0, 2, 1)
    return np.sqrt(np.linalg.eigvalsh(C @ C.transpose(0, 2, 1))[:, -1])


def by_grams(Kx, Ky):
    """The same where no factor is short: Σ_ij Kx_ij Ky_p(i)p(j), a strip of rows at a time, only up to the diagonal."""
    folded = 2 * np.tril(Kx, -1) + np.diag(Kx.diagonal())  # both are symmetric, so half of the pairs will do
    strips = [(slice(i, i + STRIP), folded[i : i + STRIP, : i + STRIP].copy()) for i in range(0, len(Kx), STRIP)]

    def value(p):
        return sum(np.vdot(k, Ky[p[rows]].take(p[: rows.stop], axis=1, mode="clip")) for rows, k in strips)

    return lambda P: np.array([value(p) for p in P])
