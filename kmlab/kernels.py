"""Kernels: functions k(x, z) that are inner products ⟨φ(x), φ(z)⟩ of images nobody has to compute.

A kernel is a small frozen object: k(X) is the Gram matrix, k(X, Z) the cross matrix, k.diag(X) the squared norms.
Kernels compose: k1 + k2, k1 * k2, 2.0 * k, k ** 3.
"""

import numbers
from dataclasses import dataclass

import numpy as np

from ._checks import (
    as_gram,
    as_matrix,
    as_square,
    as_vector,
    count,
    is_symmetric,
    length,
    no_overflow,
    non_negative,
    number,
    positive,
)
from ._linalg import exact_sqdist, map_sqdist, rounding, squares
from .centering import centered

FAR = 300.0  # widths around the middle of the data within which a Gaussian's values have ten right digits by products


class Kernel:
    """Base of all kernels: checks the data once and composes; a kernel itself only says its formula in `gram`.

    Pages 003/s18-23.
    """

    bounded = False  # True where no data can make the values overflow, so that nobody has to look
    __array_ufunc__ = None  # a numpy number times a kernel is the kernel's business

    def __call__(self, X, Z=None):  # (n, d), (m, d) -> (n, m)
        Z = None if Z is X else Z  # k(X, X) is the Gram matrix too, symmetric to the last bit
        X = as_matrix(X)
        if Z is not None:
            Z = as_matrix(Z, "Z")
            if X.shape[1] != Z.shape[1]:
                raise ValueError(f"X has {X.shape[1]} features and Z has {Z.shape[1]}: they must have the same number.")
        with np.errstate(all="ignore"):  # what overflows is refused right after
            K = self.gram(X, Z)
        return K if self.bounded else no_overflow(K)

    def diag(self, X):
        """k(x_i, x_i) for every row; (n, d) -> (n,)."""
        X = as_matrix(X)
        with np.errstate(all="ignore"):
            return no_overflow(self.diagonal(X))

    def gram(self, X, Z=None):
        """The formula, on checked arrays; Z = None means Z = X and lets the kernel use the symmetry."""
        raise NotImplementedError

    def diagonal(self, X):
        return np.array([self.gram(x[None])[0, 0] for x in X])

    def on_grid(self, xs, ys, X, coef):
        """f(x, y) = Σ_i coef_i k((x, y), x_i) on a grid; X (n, 2), coef (n, m) -> (len(ys), len(xs), m)."""
        xs, ys, X, coef = as_vector(xs, "xs"), as_vector(ys, "ys"), as_matrix(X), as_matrix(coef, "coef")
        if X.shape[1] != 2 or len(coef) != len(X):
            raise ValueError(
                f"A grid needs points with 2 features and one row of coef for each, got {X.shape} and {coef.shape}."
            )
        with np.errstate(all="ignore"):
            return no_overflow(self.grid_sums(xs, ys, X, coef))

    def grid_sums(self, xs, ys, X, coef):
        grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
        return (self.gram(grid, X) @ coef).reshape(len(ys), len(xs), -1)

    def __add__(self, other):
        return Sum(self, as_kernel(other, "What is added to a kernel"))

    def __mul__(self, other):
        return Scaled(other, self) if isinstance(other, numbers.Real) else Product(self, as_kernel(other, "A factor"))

    __rmul__ = __mul__

    def __pow__(self, exponent):
        return Power(self, exponent)

    def __sub__(self, other):
        raise TypeError(
            "A difference of kernels need not be a kernel: its Gram matrix can have negative eigenvalues. "
            "Subtract the Gram matrices if you want to see it."
        )


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = xᵀz                                                                         (K.1)"""

    def gram(self, X, Z=None):
        return X @ (X if Z is None else Z).T

    def diagonal(self, X):
        return squares(X)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, z) = (xᵀz + coef0)^degree                                                        (K.2)

    coef0 = 0 gives the monomials of exactly that degree (003/s20), coef0 > 0 those up to it (002/s24, 003/s22).
    """

    degree: int = 2
    coef0: float = 1.0

    def __post_init__(self):
        # a negative coef0 costs positive semi-definiteness
        _store(self, degree=count(self.degree, "degree"), coef0=non_negative(self.coef0, "coef0"))

    def gram(self, X, Z=None):
        return (X @ (X if Z is None else Z).T + self.coef0) ** self.degree

    def diagonal(self, X):
        return (squares(X) + self.coef0) ** self.degree


class _OfDistance(Kernel):
    """A kernel that depends on |x - z| alone; a subclass says how in `of_sqdist`, which may write into D."""

    def gram(self, X, Z=None):
        return self.of_sqdist(exact_sqdist(X, Z))

    def diagonal(self, X):
        return self.of_sqdist(np.zeros(len(X)))


@dataclass(frozen=True)
class Gaussian(_OfDistance):
    """k(x, z) = exp(-|x - z|² / width²)                                                     (K.3)

    width is the c of lecture 001; gamma = 1 / width² is the usual name of its inverse square.  Page 001/p113.
    """

    width: float = 1.0
    bounded = True

    def __post_init__(self):
        _store(self, width=length(self.width, "width"))

    @classmethod
    def from_gamma(cls, gamma):
        """The kernel exp(-gamma |x - z|²)."""
        return cls(1 / np.sqrt(positive(gamma, "gamma")))

    @property
    def gamma(self):
        return 1 / self.width**2

    def gram(self, X, Z=None):
        with np.errstate(over="ignore"):  # what is infinitely many widths away is zero
            return map_sqdist(self.of_sqdist, X, Z, FAR * self.width)  # no square root follows: the fast one will do

    def of_sqdist(self, D):
        D *= -self.gamma
        return np.exp(D, out=D)

    def grid_sums(self, xs, ys, X, coef):
        # exp(-(a² + b²)) = exp(-a²) exp(-b²): two thin matrices and one product instead of one kernel value a pixel
        ex = np.exp(-(((xs[:, None] - X[:, 0]) / self.width) ** 2))
        ey = np.exp(-(((ys[:, None] - X[:, 1]) / self.width) ** 2))
        return np.stack([(ey * c) @ ex.T for c in coef.T], -1)


@dataclass(frozen=True)
class Exponential(_OfDistance):
    """k(x, z) = exp(-|x - z| / width)                                                       (K.4)"""

    width: float = 1.0

    def __post_init__(self):
        _store(self, width=length(self.width, "width"))

    def of_sqdist(self, D):
        return np.exp(-np.sqrt(D) / self.width)


@dataclass(frozen=True)
class NegativePower(_OfDistance):
    """k(x, z) = -|x - z|^power: conditionally positive semi-definite for 0 < power ≤ 2      (K.5)  Page 002/s5."""

    power: float = 2.0

    def __post_init__(self):
        _store(self, power=positive(self.power, "power"))

    def of_sqdist(self, D):
        return 0.0 - D ** (self.power / 2)  # a bare minus would print -0.0 for equal points


@dataclass(frozen=True)
class Tanh(Kernel):
    """k(x, z) = tanh(scale xᵀz + offset): not positive semi-definite in general             (K.6)  Page 003/s29."""

    scale: float = 1.0
    offset: float = 0.0

    def __post_init__(self):
        _store(self, scale=number(self.scale, "scale"), offset=number(self.offset, "offset"))

    def gram(self, X, Z=None):
        return np.tanh(self.scale * (X @ (X if Z is None else Z).T) + self.offset)


@dataclass(frozen=True)
class KendallTau(Kernel):
    """k(σ, π) = (concordant - discordant pairs) / (m choose 2); a row ranks m things          (K.7)  Page 002/s29."""

    def gram(self, X, Z=None):
        P = _order_signs(X)
        return P @ (P if Z is None else _order_signs(Z)).T / P.shape[1]


@dataclass(frozen=True)
class Precomputed(Kernel):
    """X is a Gram matrix already: fit on K (n, n), use on Kt (m, n)."""

    def __call__(self, X, Z=None):
        if Z is None:
            return as_gram(X, "X")
        X = as_matrix(X)
        if X.shape[1] != len(Z):
            raise ValueError(f"X has {X.shape[1]} columns, but a cross matrix to {len(Z)} training points is expected.")
        return X

    def gram(self, X, Z=None):
        raise ValueError("A Gram matrix is no part of another kernel: combine the matrices, then use Precomputed().")

    def diagonal(self, X):
        return self.gram(X)

    def diag(self, X):
        raise ValueError("k(x, x) of new points is not in a cross matrix: use a kernel instead of Precomputed().")


@dataclass(frozen=True)
class Sum(Kernel):
    """k = k₁ + k₂                                                                           (K.8)  Page 001/p110."""

    left: Kernel
    right: Kernel

    def gram(self, X, Z=None):
        return self.left.gram(X, Z) + self.right.gram(X, Z)

    def diagonal(self, X):
        return self.left.diagonal(X) + self.right.diagonal(X)


@dataclass(frozen=True)
class Product(Kernel):
    """k = k₁ k₂                                                                             (K.9)  Page 001/p110."""

    left: Kernel
    right: Kernel

    def gram(self, X, Z=None):
        return self.left.gram(X, Z) * self.right.gram(X, Z)

    def diagonal(self, X):
        return self.left.diagonal(X) * self.right.diagonal(X)


@dataclass(frozen=True)
class Scaled(Kernel):
    """k = factor · k₁, factor ≥ 0                                                           (K.10)  Page 001/p110."""

    factor: float
    kernel: Kernel

    def __post_init__(self):
        factor = number(self.factor, "the factor of a kernel")
        if factor < 0:
            raise ValueError(
                f"A kernel cannot be multiplied by {factor:g}: k(x, x) is a squared length in feature space, "
                "and a negative multiple would make it negative."
            )
        _store(self, factor=factor)

    def gram(self, X, Z=None):
        return self.factor * self.kernel.gram(X, Z)

    def diagonal(self, X):
        return self.factor * self.kernel.diagonal(X)


@dataclass(frozen=True)
class Power(Kernel):
    """k = k₁^exponent, a product of k₁ with itself                                          (K.11)"""

    kernel: Kernel
    exponent: int

    def __post_init__(self):
        # a root of a kernel need not be a kernel
        _store(self, exponent=count(self.exponent, "the exponent of a kernel"))

    def gram(self, X, Z=None):
        return self.kernel.gram(X, Z) ** self.exponent

    def diagonal(self, X):
        return self.kernel.diagonal(X) ** self.exponent


@dataclass(frozen=True)
class Normalized(Kernel):
    """k(x, z) / √(k(x, x) k(z, z)), the cosine in feature space                             (K.12)  Page 002/s7."""

    kernel: Kernel

    def gram(self, X, Z=None):
        K = self.kernel.gram(X, Z)
        a = _lengths(self.kernel.diagonal(X))
        b = a if Z is None else _lengths(self.kernel.diagonal(Z))
        return K / (a[:, None] * b)

    def diagonal(self, X):
        _lengths(self.kernel.diagonal(X))
        return np.ones(len(X))


def normalized(kernel):
    """The kernel that sends every point to the unit sphere of feature space."""
    return Normalized(as_kernel(kernel))


def is_psd(K, tol=1e-10):
    """Is K = Kᵀ positive semi-definite: λ_min ≥ -tol λ_max?  Page 001/p109."""
    K = as_square(K)
    return is_symmetric(K) and _is_psd(K, positive(tol, "tol"))


def is_cpsd(K, tol=1e-10):
    """Is cᵀKc ≥ 0 for every c with Σc = 0, that is, H K H positive semi-definite?  Page 002/s5."""
    K = as_square(K)
    return is_symmetric(K) and _is_psd(centered(K), positive(tol, "tol"), floor=rounding(K))


def feature_distance2(K):
    """|φ_i - φ_j|² = K_ii + K_jj - 2 K_ij                                   (K.13)  Page 001/p112."""
    K = as_gram(K)
    diag = np.diag(K)
    return np.maximum(diag[:, None] + diag - 2 * K, 0)


def feature_angle(K):
    """cos θ_ij = K_ij / √(K_ii K_jj); θ in radians                          (K.14)  Page 001/p112."""
    K = as_gram(K)
    length = _lengths(np.diag(K))
    return np.arccos(np.clip(K / (length[:, None] * length), -1, 1))


def median_width(X):
    """The median distance between two different points: a first guess for the width of a Gaussian."""
    X = as_matrix(X, min_samples=2)
    X = X[:: -(-len(X) // 1000)]  # a thousand points settle a median
    distance = np.sqrt(exact_sqdist(X)[np.triu_indices(len(X), 1)])
    if not distance.any():
        raise ValueError("All points of X are the same, so there is no typical distance: choose a width by hand.")
    return float(np.median(distance[distance > 0]))


def _is_psd(K, tol, floor=0.0):
    lam = np.linalg.eigvalsh(K)
    return bool(lam[0] >= -max(tol * max(lam[-1], -lam[0]), floor))


def _store(kernel, **values):
    for name, value in values.items():
        object.__setattr__(kernel, name, value)  # a frozen object settles its own fields once, as plain numbers


def as_kernel(value, name="kernel"):
    """value again, if it is a kernel."""
    if not isinstance(value, Kernel):
        raise TypeError(f"{name} must be a kernel such as Gaussian(1.0), got {value!r}.")
    return value


def _lengths(diag):
    if (diag <= 0).any():
        i = int((diag <= 0).argmax())
        raise ValueError(
            f"Point {i} has k(x, x) = {diag[i]:g}: a vector of no length has no direction "
            "and no angle. Leave it out, or use a kernel with k(x, x) > 0."
        )
    return np.sqrt(diag)


def _order_signs(X):
    if X.shape[1] < 2:
        raise ValueError("A ranking needs at least two things to compare, got rows of length 1.")
    i, j = np.triu_indices(X.shape[1], 1)
    return np.sign(X[:, i] - X[:, j])
