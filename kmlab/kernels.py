"""Kernels: functions k(x, z) that are inner products ⟨φ(x), φ(z)⟩ of images nobody has to compute.

A kernel is a small frozen object: k(X) is the Gram matrix, k(X, Z) the cross matrix, k.diag(X) the squared norms.
Kernels compose: k1 + k2, k1 * k2, 2.0 * k, k ** 3 (algebra.py).
"""

from dataclasses import dataclass

import numpy as np

from . import _checks as check
from ._widths import median_distance
from .algebra import Kernel, Normalized, Power, Product, Scaled, Sum, lengths, normalized, settle  # noqa: F401
from .centering import centered
from .engine.distances import exact_sqdist, exp_of_sqdist, exp_of_sqdist_rows, exp_on_grid, squares
from .engine.eigen import rounding
from .precomputed import Precomputed  # noqa: F401


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = xᵀz                                                                         (K.1)"""

    positive = True

    def gram(self, X, Z=None):
        return X @ (X if Z is None else Z).T

    def diagonal(self, X):
        return squares(X)

    def gradient(self, z, X):
        return X

    def gap(self, z, X, gamma):
        middle = gamma @ X
        return z @ z - 2 * middle @ z, 2 * (z - middle)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, z) = (xᵀz + coef0)^degree                                                        (K.2)

    coef0 = 0 gives the monomials of exactly that degree (003/s20), coef0 > 0 those up to it (002/s24, 003/s22).
    """

    degree: int = 2
    coef0: float = 1.0
    positive = True

    def __post_init__(self):
        # a negative coef0 costs positive semi-definiteness
        settle(self, degree=check.count(self.degree, "degree"), coef0=check.non_negative(self.coef0, "coef0"))

    def gram(self, X, Z=None):
        return (X @ (X if Z is None else Z).T + self.coef0) ** self.degree  # (K.2)

    def diagonal(self, X):
        return (squares(X) + self.coef0) ** self.degree

    def gradient(self, z, X):
        return (self.degree * (X @ z + self.coef0) ** (self.degree - 1))[:, None] * X

    def gap(self, z, X, gamma):
        p, own, inner = self.degree, z @ z + self.coef0, X @ z + self.coef0
        steep, w = own ** (p - 1), gamma * inner ** (p - 1)
        return own * steep - 2 * w @ inner, 2 * p * (steep * z - w @ X)


class OfDistance(Kernel):
    """A kernel that depends on |x - z| alone; a subclass says how in `at_distance2`."""

    def gram(self, X, Z=None):
        return self.at_distance2(exact_sqdist(X, Z))

    def diagonal(self, X):
        return self.at_distance2(np.zeros(len(X)))


@dataclass(frozen=True)
class Gaussian(OfDistance):
    """k(x, z) = exp(-|x - z|² / width²)                                                     (K.3)

    width is the c of lecture 001; gamma = 1 / width² is the usual name of its inverse square.  Page 001/p113.
    "median" follows the data of a fit: the median distance between its points.
    """

    width: float = 1.0
    bounded = positive = True
    way_back = "fixed_point"

    def __post_init__(self):
        settle(self, width=check.width(self.width, "width"))

    @classmethod
    def from_gamma(cls, gamma):
        """The kernel exp(-gamma |x - z|²)."""
        return cls(1 / np.sqrt(check.positive(gamma, "gamma")))

    @property
    def gamma(self):
        return 1 / check.length(self.width, "width") ** 2

    def at_distance2(self, D):  # |x - z|² -> k(x, z)
        return np.exp(-D / self.width**2)  # (K.3)

    def gram(self, X, Z=None):
        return exp_of_sqdist(X, Z, self.width)  # exp(-|x - z|²/width²) for all pairs: (K.3)

    def gradient(self, z, X):
        return -2 / self.width**2 * self.gram(X, z[None]) * (z - X)

    def gap(self, z, X, gamma):  # the values serve twice, and no (n, d) gradients are made
        w = gamma * self.gram(z[None], X)[0]
        total = w.sum()
        return 1 - 2 * total, 4 / self.width**2 * (total * z - w @ X)

    def pull(self, Z, X):
        return self.gram(Z, X)  # the slope of exp is exp

    def distance2_at(self, value):
        return -(self.width**2) * np.log(value)

    def frequencies(self, d, m, rng):  # normal with variance 2/width²
        return np.sqrt(2) / self.width * rng.standard_normal((m, d))

    def grid_sums(self, xs, ys, X, coef):
        return exp_on_grid(xs, ys, X, coef, self.width)

    def row_maker(self, X):
        return exp_of_sqdist_rows(X, self.width)


@dataclass(frozen=True)
class Exponential(OfDistance):
    """k(x, z) = exp(-|x - z| / width)                                                       (K.4)"""

    width: float = 1.0
    positive = True

    def __post_init__(self):
        settle(self, width=check.width(self.width, "width"))

    def at_distance2(self, D):
        return np.exp(-np.sqrt(D) / self.width)  # (K.4)

    def frequencies(self, d, m, rng):  # Cauchy: a normal vector divided by the size of one more normal number
        return rng.standard_normal((m, d)) / (self.width * np.abs(rng.standard_normal((m, 1))))


@dataclass(frozen=True)
class NegativePower(OfDistance):
    """k(x, z) = -|x - z|^power: conditionally positive semi-definite for 0 < power ≤ 2      (K.5)  Page 002/s5."""

    power: float = 2.0

    def __post_init__(self):
        settle(self, power=check.positive(self.power, "power"))

    def at_distance2(self, D):
        return 0.0 - D ** (self.power / 2)  # (K.5); a bare minus would print -0.0 for equal points


@dataclass(frozen=True)
class Tanh(Kernel):
    """k(x, z) = tanh(scale xᵀz + offset): not positive semi-definite in general             (K.6)  Page 003/s29."""

    scale: float = 1.0
    offset: float = 0.0

    def __post_init__(self):
        settle(self, scale=check.number(self.scale, "scale"), offset=check.number(self.offset, "offset"))

    def gram(self, X, Z=None):
        return np.tanh(self.scale * (X @ (X if Z is None else Z).T) + self.offset)


@dataclass(frozen=True)
class KendallTau(Kernel):
    """k(σ, π) = (concordant - discordant pairs) / (m choose 2); a row ranks m things          (K.7)  Page 002/s29."""

    positive = True

    def gram(self, X, Z=None):
        P = _order_signs(X)
        return P @ (P if Z is None else _order_signs(Z)).T / P.shape[1]


def is_psd(K, tol=1e-10):
    """Is K = Kᵀ positive semi-definite: λ_min ≥ -tol λ_max?  Page 001/p109."""
    K = check.square(K)
    return check.is_symmetric(K) and _is_psd(K, check.positive(tol, "tol"))


def is_cpsd(K, tol=1e-10):
    """Is cᵀKc ≥ 0 for every c with Σc = 0, that is, H K H positive semi-definite?  Page 002/s5."""
    K = check.square(K)
    return check.is_symmetric(K) and _is_psd(centered(K), check.positive(tol, "tol"), floor=rounding(K))


def feature_distance2(K):
    """|φ_i - φ_j|² = K_ii + K_jj - 2 K_ij                                   (K.13)  Page 001/p112."""
    K = check.gram(K)
    diag = np.diag(K)
    return np.maximum(diag[:, None] + diag - 2 * K, 0)


def feature_angle(K):
    """cos θ_ij = K_ij / √(K_ii K_jj); θ in radians                          (K.14)  Page 001/p112."""
    K = check.gram(K)
    length = lengths(np.diag(K))
    return np.arccos(np.clip(K / (length[:, None] * length), -1, 1))


def median_width(X):
    """The median distance between two different points: a first guess for the width of a Gaussian."""
    width = median_distance(check.matrix(X, min_samples=2))
    if not width:
        raise ValueError("All points of X are the same, so there is no typical distance: choose a width by hand.")
    return width


def _is_psd(K, tol, floor=0.0):
    lam = np.linalg.eigvalsh(K)
    return bool(lam[0] >= -max(tol * max(lam[-1], -lam[0]), floor))


def _order_signs(X):
    if X.shape[1] < 2:
        raise ValueError("A ranking needs at least two things to compare, got rows of length 1.")
    i, j = np.triu_indices(X.shape[1], 1)
    return np.sign(X[:, i] - X[:, j])
