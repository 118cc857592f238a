"""Does y depend on x? Covariances over all functions of two feature spaces, and a test by shuffling.

Everything here is a norm of one small matrix, C = ZxᵀZy / n, the cross-covariance of the coordinates (NPT) of both
samples.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import gammaincc, gammaln, xlogy

from . import _checks as check
from ._positive import name_if_not_positive
from ._widths import ready
from .centering import centered
from .engine.eigen import settling_signs
from .engine.shuffles import batches, by_factors, by_grams
from .engine.threads import threads_as_needed
from .engine.tiles import sums_over
from .gram import Gram
from .kernels import Gaussian, Kernel, median_width
from .spectrum import all_alike, eigenpairs, factor, shrunk, trace_of_product

STATISTICS = ("hsic", "coco", "kcc")
TIE = 1e-10  # a shuffle that gives the same value counts as reaching it, whatever the rounding


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
        return sums_over(self.kernel, check.matrix(X), self.X, self.alpha) - self.offset


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


@threads_as_needed
def hsic(X, Y, kernel_x=None, kernel_y=None, center=True):
    """HSIC = tr(Kxc Kyc) / n² = |C|² with all singular values of C                          (DEP.1)

    (n, d), (n, e) -> number. Kernels that are not given are Gaussians of the median width. center=False leaves the
    means in, and then independent samples have dependence too.
    A. Gretton, O. Bousquet, A. Smola, B. Schölkopf, Measuring statistical dependence with Hilbert-Schmidt norms, 2005.
    """
    Kx, Ky = (Gram(kernel, view) for view, kernel in _two_views(X, Y, kernel_x, kernel_y))
    if check.flag(center, "center"):
        Kx, Ky = Kx.centered(), Ky.centered()
    return trace_of_product(Kx, Ky) / len(Kx) ** 2  # (DEP.1)


def coco(X, Y, kernel_x=None, kernel_y=None, center=True, radius=1.0):
    """COCO = max (1/n) Σ f(x_i) g(y_i) - f̄ ḡ over |f| ≤ 1, |g| ≤ 1 = |C|₂                   (DEP.2)

    (n, d), (n, e) -> number, the largest singular value of C. radius allows |f|, |g| ≤ radius: the value grows with its
    square, hence without any bound there is no maximum. center=False leaves f̄ ḡ away, as 001/p125 writes it.
    A. Gretton et al., Kernel constrained covariance for dependence measurement, AISTATS 2005.  Pages 001/p125-126.
    """
    return witnesses(X, Y, kernel_x, kernel_y, center, radius).covariance


@threads_as_needed
def witnesses(X, Y, kernel_x=None, kernel_y=None, center=True, radius=1.0):
    """f = Σ α_i k(·, x_i) and g = Σ β_i k(·, y_i) of largest covariance, |f| = |g| = radius  (DEP.3)

    α = Ux Λx^-½ p and β = Uy Λy^-½ q with the first singular vectors p, q of C. -> (f, g, covariance)
    """
    (X, kx), (Y, ky) = _two_views(X, Y, kernel_x, kernel_y)
    center, radius = check.flag(center, "center"), check.length(radius, "radius")
    (lam, U), (mu, V) = eigenpairs(X, kx, center), eigenpairs(Y, ky, center, "Y")
    C = (U * np.sqrt(lam)).T @ (V * np.sqrt(mu)) / len(X)
    P, s, Qt = np.linalg.svd(C, full_matrices=False)
    p, q = P[:, 0] * radius, Qt[0] * radius
    sign = settling_signs((U @ (np.sqrt(lam) * p))[:, None])[0]  # of the values of f
    f = witness(X, kx, sign * U @ (p / np.sqrt(lam)), center)  # (DEP.3)
    g = witness(Y, ky, sign * V @ (q / np.sqrt(mu)), center)
    return Witnesses(f, g, float(s[0]) * radius**2)  # (DEP.2)


@threads_as_needed
def kcc(X, Y, kernel_x=None, kernel_y=None, kappa=None, form="norm"):
    """max corr(f(x), g(y)) with var f + (κ/n)|f|² in place of var f                         (DEP.4)

    (n, d), (n, e) -> number in [0, 1], the first correlation of KernelCCA. κ = 0 allows any function: with a full rank
    it finds a correlation of 1 between independent samples. Without κ, 2 % of tr(Kc) for each view.
    F. Bach, M. Jordan, Kernel independent component analysis, JMLR 3, 2002.
    """
    (X, kx), (Y, ky) = _two_views(X, Y, kernel_x, kernel_y)
    A, B = shrunk(*eigenpairs(X, kx), kappa, form), shrunk(*eigenpairs(Y, ky, name="Y"), kappa, form)
    return float(np.linalg.norm(A.T @ B, 2))  # (DEP.4)


def permutation_test(measure, X, Y, permutations=1000, seed=0):
    """p = (1 + #{shuffled ≥ statistic}) / (1 + B) for any measure(X, Y) of dependence           (DEP.5)

    Shuffling y breaks every dependence and keeps both samples. The data itself counts as one of the B + 1 orders, so
    under independence p ≤ a happens with probability at most a, and p is never 0.
    -> (statistic, pvalue, null (B,))
    """
    X, Y = check.pair(X, Y)
    times, rng = check.count(permutations, "permutations"), check.seeded(seed)
    null = [measure(X, Y[rng.permutation(len(Y))]) for _ in range(times)]
    return counted(measure(X, Y), np.array(null))


@threads_as_needed
def independence_test(X, Y, kernel_x=None, kernel_y=None, statistic="hsic", permutations=1000, seed=0, kappa=None):
    """permutation_test of hsic, coco or kcc: the same numbers, many shuffles at once                (DEP.5)

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
    (X, kx), (Y, ky) = _two_views(X, Y, kernel_x, kernel_y)
    check.one_of(statistic, STATISTICS, "statistic")
    permutations, rng = check.count(permutations, "permutations"), check.seeded(seed)
    batch = permutations if batch is None else check.count(batch, "batch")
    orders = batches(rng, len(X), permutations, batch)
    return counted_so_far(values_of_orders(X, kx, Y, ky, statistic, kappa), orders, len(X))


def counted_so_far(values, orders, n):
    """The p-value after each batch of orders; values: (m, n) -> (m,)."""
    statistic, null = float(values(np.arange(n)[None])[0]), np.empty(0)
    for P in orders:
        null = np.append(null, values(P))
        yield counted(statistic, null)


def counted(statistic, null):
    """The share of all orders, the given one among them, that reach the statistic."""
    p = (1 + _reaches(null, statistic).sum()) / (1 + len(null))  # (DEP.5)
    return IndependenceTest(float(statistic), float(p), null)


def _reaches(null, statistic):
    """null >= statistic, whatever the rounding."""
    return null >= statistic - TIE * max(abs(statistic), np.abs(null).max())


def values_of_orders(X, kx, Y, ky, statistic, kappa=None):
    """A function of orders P (m, n) that gives the statistic of X and Y[p] for each of them; -> (m,)."""
    n = len(X)
    if statistic == "hsic":
        A, B = factor(X, kx), factor(Y, ky, "Y")
        if A is None or B is None or A.shape[1] * B.shape[1] > 16 * n:  # then the Gram matrices are shorter
            return by_grams(centered(kx(X)) / n, centered(ky(Y)) / n)
        return by_factors(A / np.sqrt(n), B / np.sqrt(n), "all")
    (lam, U), (mu, V) = eigenpairs(X, kx), eigenpairs(Y, ky, name="Y")
    if statistic == "coco":
        return by_factors(U * np.sqrt(lam / n), V * np.sqrt(mu / n), "largest")
    return by_factors(shrunk(lam, U, kappa), shrunk(mu, V, kappa), "largest")


@threads_as_needed
def gamma_approximation(X, Y, kernel_x=None, kernel_y=None):
    """HSIC ~ Gamma(m²/v, v/m) under independence, without a single shuffle                  (DEP.6)

    m = tr(Kxc) tr(Kyc) / (n (n-1)²)
    v = 2 (n-4)(n-5) / (n² (n-1)² (n-2)(n-3)) Σ_{i≠j} (Kxc_ij Kyc_ij)²
    -> (statistic, pvalue, shape, scale). Good for large n; for the tail of a small sample, shuffle.
    A. Gretton et al., A kernel statistical test of independence, NIPS 2007.
    """
    (X, kx), (Y, ky) = _two_views(X, Y, kernel_x, kernel_y, min_samples=6)
    n, Kx, Ky = len(X), centered(check.moderate(kx(X))), centered(check.moderate(ky(Y)))
    product = Kx * Ky
    value = product.sum() / n**2
    m = np.trace(Kx) * np.trace(Ky) / (n * (n - 1) ** 2)
    v = 2 * (n - 4) * (n - 5) / (n**2 * (n - 1) ** 2 * (n - 2) * (n - 3))
    v *= (product**2).sum() - (product.diagonal() ** 2).sum()
    if not (m > 0 and v > 0):
        raise ValueError("These kernels leave HSIC no spread: use positive definite ones, on data of about size one.")
    shape = m**2 / v  # (DEP.6)
    scale = v / m
    return GammaNull(float(value), float(gammaincc(shape, value / scale)), float(shape), float(scale))


def witness(X, kernel, alpha, center):
    """Σ α_i k(·, x_i), less its mean over the sample if that is asked for."""
    # Σα = 0, so centring leaves only a constant
    offset = float(sums_over(kernel, X, X, alpha).mean()) if center else 0.0
    return Witness(kernel, X.copy(), alpha, offset)


def _two_views(X, Y, kernel_x, kernel_y, min_samples=2):
    X, Y = check.pair(X, Y, min_samples)
    return (X, _or_median(kernel_x, X, "X")), (Y, _or_median(kernel_y, Y, "Y"))


def _or_median(kernel, X, name):
    """kernel again, or where there is none the Gaussian whose width is the median distance in X."""
    if kernel is not None:
        kernel = ready(check.kernel(kernel, f"kernel_{name.lower()}"), X)
        name_if_not_positive(kernel, X, "a measure of dependence", distances=True)
        return kernel
    if (X == X[0]).all():
        raise ValueError(all_alike(name))
    return Gaussian(median_width(X))
