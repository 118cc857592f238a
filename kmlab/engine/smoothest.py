"""The fast form of scipy.linalg.eigh(L, D) where only the smallest μ > 0 of a large sparse graph are wanted."""

import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array

from .eigen import lanczos

SHIFT = 1e-8  # D^-½ L D^-½ has an exact zero; this much more on its diagonal and it has an inverse
ACCURACY = 1e-10  # of an eigenvector, where it is found step by step
ROOM = 2**24  # numbers that a basis of products may hold, and more only where it would be too short
FAR = 1000  # vertices within four steps beyond which a sparse factor fills up


def smoothest(L, degree, part, k):
    """The k smallest μ > 0 of L φ = μ D φ, ascending, and their φ with φᵀDφ = 1; part (n,) numbers the connected parts.

    With φ = D^-½ v it is N v = μ v, N = D^-½ L D^-½. The vectors v to leave out are D^½ times a constant on each part;
    to project on the others costs nothing, so only k vectors are ever sought.
    """
    n, root, L = len(degree), np.sqrt(degree), L.tocsr()
    N = csr_array((L.data / (root[L.indices] * np.repeat(root, np.diff(L.indptr))), L.indices, L.indptr), L.shape)
    constant = root / np.sqrt(np.bincount(part, degree))[part]
    C = csr_array((constant, part, np.arange(n + 1)))  # (n, parts), orthonormal columns
    found = None
    if n > 100 + 12 * k:
        found = by_products(N, C, k) if reach(N) > FAR else by_inverse(N, C, k)
    mu, V = found or by_all(N, C, k)
    return np.clip(mu, 0, 2), V / root[:, None]


def by_inverse(N, C, k):
    """A sheet has tiny μ and a cheap sparse factor of N: the largest 1/μ stand out after a dozen solves."""
    from scipy.sparse.linalg import splu

    n = N.shape[0]
    # symmetric and positive definite: no pivoting, and an ordering for the pattern of N itself
    M = csc_array((N.data, N.indices, N.indptr), N.shape) + SHIFT * eye_array(n, format="csc")
    factor = splu(M, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def inverse(Y):
        Y = factor.solve(Y)
        return Y - C @ (C.T @ Y)

    start = inverse(np.random.default_rng(0).standard_normal((n, k)))
    most = min(n - k, max(ROOM // n, 100 + 60 * k))
    found = lanczos(inverse, n, k, width=k, most=most, accuracy=ACCURACY, start=start, each=True)
    return found and (1 / found[0][: -k - 1 : -1] - SHIFT, found[1][:, ::-1])


def by_products(N, C, k):
    """In many dimensions the factor fills up, but the μ are wide apart: products with N are enough."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    n = N.shape[0]
    deflated = LinearOperator((n, n), matvec=lambda x: x - N @ x - 2 * (C @ (C.T @ x)), dtype=float)
    start = np.random.default_rng(0).standard_normal(n)
    lam, V = eigsh(deflated, k, which="LA", v0=start, ncv=40 + 2 * k, tol=ACCURACY)
    return 1 - lam[::-1], V[:, ::-1]


def by_all(N, C, k):
    """All of them, by LAPACK: asked for some of many equals, it loses a few."""
    from scipy.linalg import eigh

    mu, V = eigh((N + 3 * (C @ C.T)).toarray())  # no μ is above 2, so the zeros are now at the other end
    return mu[:k], V[:, :k]


def reach(N, steps=4, samples=5):
    """How many vertices lie within four steps of one: hundreds on a sheet, thousands in a cloud of many dimensions."""
    n, joined = N.shape[0], abs(N)
    ball = np.zeros((n, samples), dtype=bool)
    ball[np.linspace(0, n - 1, samples).astype(int), np.arange(samples)] = True
    for _ in range(steps):
        ball |= (joined @ ball) > 0
    return int(np.median(ball.sum(0)))
