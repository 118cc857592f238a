"""Does y depend on x? Covariances over all functions of two feature spaces, and a test by shuffling.

Everything here is a norm of one small matrix, C = ZxᵀZy / n, the cross-covariance of the coordinates (NPT) of both
samples. A shuffle of y permutes the rows of Zy, so a thousand shuffles are a few matrix products.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import gammaincc, gammaln, xlogy

from . import _checks as check
from ._views import as_pair, eigenpairs, or_median, short_factor, shrink
from .centering import centered
from .kernels import Kernel

STATISTICS = ("hsic", "coco", "kcc")
TIE = 1e-10  # a shuffle that gives the same value counts as reaching it, whatever the rounding
BLOCK = 2_000_000  # numbers that a batch of shuffles may hold
STRIP = 128  # rows of a shuffled Gram matrix that stay in the processor's cache


class IndependenceTest(NamedTuple):
    """A statistic, the share of shuffles that reach it, and its values under shuffling."""

    statistic: float
    pvalue: float
    null: np.ndarray


class Witnesses(NamedTuple):
    """The pair of functions of largest covariance, and that covariance."""

    f: "Witness"
    g: "Witness"
    covariance: float


@dataclass(frozen=True)
class Witness:
    """f(x) = Σ_i α_i k(x, x_i) - its mean over the sample: call it on new points, (m, d) -> (m,)."""

    kernel: Kernel
    X: np.ndarray
    alpha: np.ndarray
    offset: float

    def __call__(self, X):
        return self.kernel(X, self.X) @ self.alpha - self.offset


class GammaNull(NamedTuple):
    """The gamma distribution that HSIC nearly follows when x and y are independent."""

    statistic: float
    pvalue: float
    shape: float
    scale: float

    def density(self, t):
        """Its height at t, to be drawn over a histogram of shuffles."""
        t = np.asarray(t, dtype=float) / self.scale
        return np.exp(xlogy(self.shape - 1, t) - t - gammaln(self.shape)) / self.scale


def hsic(X, Y, kernel_x=None, kernel_y=None, center=True):
    """HSIC = tr(Kxc Kyc) / n² = |C|² with all singular values of C                          (DEP.1)

    (n, d), (n, e) -> number. Kernels that are not given are Gaussians of the median width. center=False leaves the
    means in, and then independent samples have dependence too.
    A. Gretton, O. Bousquet, A. Smola, B. Schölkopf, Measuring statistical dependence with Hilbert-Schmidt norms, 2005.
    """
    (X, kx), (Y, ky) = _views(X, Y, kernel_x, kernel_y)
    Kx, Ky = check.moderate(kx(X)), check.moderate(ky(Y))
    if _centered(center):
        Kx, Ky = centered(Kx), centered(Ky)
    return float(np.vdot(Kx, Ky)) / len(X) ** 2  # (DEP.1)


def coco(X, Y, kernel_x=None, kernel_y=None, center=True, radius=1.0):
    """COCO = max (1/n) Σ f(x_i) g(y_i) - f̄ ḡ over |f| ≤ 1, |g| ≤ 1 = |C|₂                   (DEP.2)

    (n, d), (n, e) -> number, the largest singular value of C. radius allows |f|, |g| ≤ radius: the value grows with its
    square, hence without any bound there is no maximum. center=False leaves f̄ ḡ away, as 001/p125 writes it.
    A. Gretton et al., Kernel constrained covariance for dependence measurement, AISTATS 2005.  Pages 001/p125-126.
    """
    return witnesses(X, Y, kernel_x, kernel_y, center, radius).covariance


def witnesses(X, Y, kernel_x=None, kernel_y=None, center=True, radius=1.0):
    """f = Σ α_i k(·, x_i) and g = Σ β_i k(·, y_i) of largest covariance, |f| = |g| = radius  (DEP.3)

    α = Ux Λx^-½ p and β = Uy Λy^-½ q with the first singular vectors p, q of C. -> (f, g, covariance)
    """
    (X, kx), (Y, ky) = _views(X, Y, kernel_x, kernel_y)
    center, radius = _centered(center), check.positive(radius, "radius")
    (lam, U), (mu, V) = eigenpairs(X, kx, center), eigenpairs(Y, ky, center, "Y")
    C = (U * np.sqrt(lam)).T @ (V * np.sqrt(mu)) / len(X)
    P, s, Qt = np.linalg.svd(C, full_matrices=False)
    p, q = P[:, 0] * radius, Qt[0] * radius
    f_values = U @ (np.sqrt(lam) * p)
    sign = 1.0 if f_values[np.abs(f_values).argmax()] >= 0 else -1.0
    f = _witness(X, kx, sign * U @ (p / np.sqrt(lam)), center)  # (DEP.3)
    g = _witness(Y, ky, sign * V @ (q / np.sqrt(mu)), center)
    return Witnesses(f, g, float(s[0]) * radius**2)  # (DEP.2)


def kcc(X, Y, kernel_x=None, kernel_y=None, kappa=None, form="norm"):
    """max corr(f(x), g(y)) with var f + (κ/n)|f|² in place of var f                         (DEP.4)

    (n, d), (n, e) -> number in [0, 1], the first correlation of KernelCCA. κ = 0 allows any function: with a full rank
    it finds a correlation of 1 between independent samples. Without κ, 2 % of tr(Kc) for each view.
    F. Bach, M. Jordan, Kernel independent component analysis, JMLR 3, 2002.
    """
    (X, kx), (Y, ky) = _views(X, Y, kernel_x, kernel_y)
    A, B = (_shrunk(*eigenpairs(x, k, name=v), kappa, form) for x, k, v in ((X, kx, "X"), (Y, ky, "Y")))
    return float(np.linalg.norm(A.T @ B, 2))  # (DEP.4)


def independence_test(X, Y, kernel_x=None, kernel_y=None, statistic="hsic", permutations=1000, seed=0, kappa=None):
    """p = (1 + #{shuffled ≥ statistic}) / (1 + B)                                           (DEP.5)

    Shuffling y breaks every dependence and keeps both samples. The data itself counts as one of the B + 1 orders, so
    under independence p ≤ a happens with probability at most a, and p is never 0.
    -> (statistic, pvalue, null (B,))
    """
    *_, result = independence_steps(X, Y, kernel_x, kernel_y, statistic, permutations, seed, kappa)
    return result


def independence_steps(
    X, Y, kernel_x=None, kernel_y=None, statistic="hsic", permutations=1000, seed=0, kappa=None, batch=None
):
    """The same test while it runs: an IndependenceTest of the shuffles so far after each batch of them.

    The shuffles do not depend on the size of a batch; without one, a batch is as large as memory allows.
    """
    (X, kx), (Y, ky) = _views(X, Y, kernel_x, kernel_y)
    check.one_of(statistic, STATISTICS, "statistic")
    permutations, rng = check.count(permutations, "permutations"), check.seeded(seed)
    batch = permutations if batch is None else check.count(batch, "batch")
    return _shuffle(_shuffled(X, kx, Y, ky, statistic, kappa), rng, len(X), permutations, batch)


def gamma_approximation(X, Y, kernel_x=None, kernel_y=None):
    """HSIC ~ Gamma(m²/v, v/m) under independence, without a single shuffle                  (DEP.6)

    m = tr(Kxc) tr(Kyc) / (n (n-1)²)
    v = 2 (n-4)(n-5) / (n² (n-1)² (n-2)(n-3)) Σ_{i≠j} (Kxc_ij Kyc_ij)²
    -> (statistic, pvalue, shape, scale). Good for large n; for the tail of a small sample, shuffle.
    A. Gretton et al., A kernel statistical test of independence, NIPS 2007.
    """
    (X, kx), (Y, ky) = _views(X, Y, kernel_x, kernel_y, min_samples=6)
    n, Kx, Ky = len(X), centered(check.moderate(kx(X))), centered(check.moderate(ky(Y)))
    product = Kx * Ky
    value = product.sum() / n**2
    m = np.trace(Kx) * np.trace(Ky) / (n * (n - 1) ** 2)
    v = 2 * (n - 4) * (n - 5) / (n**2 * (n - 1) ** 2 * (n - 2) * (n - 3))
    v *= (product**2).sum() - (product.diagonal() ** 2).sum()
    if not (m > 0 and v > 0):
        raise ValueError("These kernels leave HSIC no spread: use positive definite ones, on data of about size one.")
    shape, scale = m**2 / v, v / m  # (DEP.6)
    return GammaNull(float(value), float(gammaincc(shape, value / scale)), float(shape), float(scale))


def _views(X, Y, kernel_x, kernel_y, min_samples=2):
    X, Y = as_pair(X, Y, min_samples)
    return (X, or_median(kernel_x, X, "X")), (Y, or_median(kernel_y, Y, "Y"))


def _centered(center):
    return check.one_of(center, (True, False), "center")


def _witness(X, kernel, alpha, center):
    offset = float((kernel(X) @ alpha).mean()) if center else 0.0  # Σα = 0, so centring leaves only a constant
    return Witness(kernel, X.copy(), alpha, offset)


def _shrunk(lam, U, kappa, form="norm"):
    return U * (lam * shrink(lam, kappa, form))


def _shuffled(X, kx, Y, ky, statistic, kappa):
    """A function of shuffles P (m, n) that gives the statistic of X and Y[p] for each of them; -> (m,)."""
    views = ((X, kx, True, "X"), (Y, ky, True, "Y"))
    if statistic == "hsic":
        A, B = (short_factor(*view)[0] for view in views)
        if A is None or B is None or A.shape[1] * B.shape[1] > 16 * len(X):  # then the Gram matrices are shorter
            return _through_grams(centered(kx(X)) / len(X), centered(ky(Y)) / len(X))
        A, B = A / np.sqrt(len(X)), B / np.sqrt(len(X))
    elif statistic == "coco":
        A, B = (U * np.sqrt(lam / len(X)) for lam, U in (eigenpairs(*view) for view in views))
    else:
        A, B = (_shrunk(*eigenpairs(*view), kappa) for view in views)
    most = max(1, BLOCK // (sum(A.shape) * B.shape[1]))
    return lambda P: np.concatenate([_norms(A, B, P[i : i + most], statistic) for i in range(0, len(P), most)])


def _through_grams(Kx, Ky):
    """Σ_ij Kx_ij Ky_p(i)p(j) for each shuffle, a strip of rows at a time and only up to the diagonal."""
    folded = 2 * np.tril(Kx, -1) + np.diag(Kx.diagonal())  # both are symmetric, so half of the pairs will do
    strips = [(slice(i, i + STRIP), folded[i : i + STRIP, : i + STRIP].copy()) for i in range(0, len(Kx), STRIP)]

    def value(p):
        return sum(np.vdot(k, Ky[p[rows]].take(p[: rows.stop], axis=1, mode="clip")) for rows, k in strips)

    return lambda P: np.array([value(p) for p in P])


def _norms(A, B, P, statistic):
    m, n = P.shape
    C = (A.T @ B[P.T].reshape(n, -1)).reshape(A.shape[1], m, -1).transpose(1, 0, 2)  # every C of the batch at once
    if statistic == "hsic":
        return np.einsum("mij,mij->m", C, C)
    C = C if C.shape[1] <= C.shape[2] else C.transpose(0, 2, 1)
    return np.sqrt(np.linalg.eigvalsh(C @ C.transpose(0, 2, 1))[:, -1])


def _shuffle(values, rng, n, permutations, batch):
    order = np.arange(n)
    statistic, null = float(values(order[None])[0]), np.empty(0)
    batch = min(batch, max(1, BLOCK // n))
    while len(null) < permutations:
        m = min(batch, permutations - len(null))
        null = np.append(null, values(rng.permuted(np.tile(order, (m, 1)), axis=1)))
        reached = int((null >= statistic - TIE * max(statistic, null.max())).sum())
        yield IndependenceTest(statistic, (1 + reached) / (1 + len(null)), null)  # (DEP.5)
