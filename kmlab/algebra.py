"""What every kernel can do, and how kernels compose: k1 + k2, k1 * k2, 2.0 * k, k ** 3, normalized(k)."""

import numbers
from dataclasses import dataclass

import numpy as np

from . import _checks as check
from ._widths import ready
from .engine import room
from .engine.tiles import in_strips


class Kernel:
    """Base of all kernels: checks the data once and composes; a kernel itself only says its formula in `gram`.

    k(X) is the Gram matrix, k(X, Z) the cross matrix, k.diag(X) the squared norms.  Pages 003/s18-23.
    """

    bounded = False  # True where no data can make the values overflow, so that nobody has to look
    positive = None  # True where it is positive semi-definite whatever the data
    pairwise = False  # True where X is a Gram matrix already
    way_back = "ridge"  # the method of pre-images that suits it
    __array_ufunc__ = None  # a numpy number times a kernel is the kernel's business

    def __call__(self, X, Z=None):  # (n, d), (m, d) -> (n, m)
        Z = None if Z is X else Z  # k(X, X) is the Gram matrix too, symmetric to the last bit
        X = check.matrix(X)
        self = ready(self, X if Z is None else None)
        if Z is not None:
            Z = check.matrix(Z, "Z")
            if X.shape[1] != Z.shape[1]:
                raise ValueError(f"X has {X.shape[1]} features and Z has {Z.shape[1]}: they must have the same number.")
        room.look_for(len(X), None if Z is None else len(Z))
        with np.errstate(all="ignore"):  # what overflows is refused right after
            K = self.gram(X, Z)
        return K if self.bounded else check.no_overflow(K)

    def diag(self, X):
        """k(x_i, x_i) for every row; (n, d) -> (n,)."""
        X = check.matrix(X)
        with np.errstate(all="ignore"):
            return check.no_overflow(self.diagonal(X))

    def on_grid(self, xs, ys, X, coef):
        """f(x, y) = Σ_i coef_i k((x, y), x_i) on a grid; X (n, 2), coef (n, m) -> (len(ys), len(xs), m)."""
        xs, ys, X = check.vector(xs, "xs"), check.vector(ys, "ys"), check.matrix(X)
        coef = check.matrix(coef, "coef")
        if X.shape[1] != 2 or len(coef) != len(X):
            raise ValueError(
                f"A grid needs points with 2 features and one row of coef for each, got {X.shape} and {coef.shape}."
            )
        with np.errstate(all="ignore"):
            return check.no_overflow(ready(self).grid_sums(xs, ys, X, coef))

    # ---- what a kernel knows about itself, on checked arrays; Z = None means Z = X and lets it use the symmetry

    def gram(self, X, Z=None):
        """The formula; (n, d), (m, d) -> (n, m)."""
        raise NotImplementedError

    def diagonal(self, X):
        return np.array([self.gram(x[None])[0, 0] for x in X])

    def grid_sums(self, xs, ys, X, coef):
        grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
        return in_strips(lambda B: self.gram(B, X) @ coef, grid, len(X)).reshape(len(ys), len(xs), -1)

    def row_maker(self, X):
        """A function index -> rows of k(X) where some of them are cheap, or None."""

    def gradient(self, z, X):
        """∂k(z, x_i)/∂z for every row of X; (d,), (n, d) -> (n, d)."""
        raise ValueError(f"The gradient of {self!r} is not known here: use method='ridge', which needs none.")

    def diagonal_gradient(self, z):
        """∂k(z, z)/∂z = 2 ∂k(z, x)/∂z at x = z, by symmetry; (d,) -> (d,)."""
        return 2 * self.gradient(z, z[None])[0]

    def gap(self, z, X, gamma):
        """k(z, z) - 2 Σ_i γ_i k(z, x_i), all of |φ(z) - Σ_i γ_i φ(x_i)|² that z changes, and its gradient (d,)."""
        value = self.diagonal(z[None])[0] - 2 * gamma @ self.gram(z[None], X)[0]
        return value, self.diagonal_gradient(z) - 2 * gamma @ self.gradient(z, X)

    def pull(self, Z, X):
        """With what weight every x pulls at z: -∂k/∂|x - z|², up to a factor; (m, d), (n, d) -> (m, n)."""
        raise ValueError(f"The fixed point needs a Gaussian kernel, got {self!r}: use method='ridge' or 'gradient'.")

    def distance2_at(self, value):
        """|x - z|² where k(x, z) has this value."""
        raise ValueError(f"Distances are read off a Gaussian alone, got {self!r}: use method='ridge' or 'gradient'.")

    def frequencies(self, d, m, rng):
        """ω at random so that E cos ωᵀ(x - z) = k(x, z); -> (m, d), one a row."""
        known = "Random waves are known for Gaussian and Exponential kernels"
        raise ValueError(f"{known}, got {self!r}: use Nystroem, which takes any.")

    # ---- what others keep of the training points

    def points(self, X, index):
        """Some training points, as k(Xt, ·) will want them."""
        return X[index]

    def training_part(self, X, index):
        """The data of a fit on some of the training points."""
        return X[index]

    def new_part(self, Xt, index):
        """New points as that fit wants them."""
        return Xt

    # ---- algebra

    def __add__(self, other):
        return Sum(self, check.kernel(other, "What is added to a kernel"))

    def __mul__(self, other):
        if isinstance(other, numbers.Real):
            return Scaled(other, self)
        return Product(self, check.kernel(other, "A factor"))

    __rmul__ = __mul__

    def __radd__(self, other):  # sum([k1, k2]) begins at 0
        return self if isinstance(other, numbers.Real) and other == 0 else Sum(check.kernel(other, "A summand"), self)

    def __truediv__(self, other):
        return self * (1 / check.positive(other, "What a kernel is divided by"))

    def __pow__(self, exponent):
        return Power(self, exponent)

    def __sub__(self, other):
        said = "A difference of kernels need not be a kernel: its Gram matrix can have negative eigenvalues."
        raise TypeError(f"{said} Subtract the Gram matrices if you want to see it.")


@dataclass(frozen=True)
class Sum(Kernel):
    """k = k₁ + k₂                                                                           (K.8)  Page 001/p110."""

    left: Kernel
    right: Kernel

    def gram(self, X, Z=None):
        return self.left.gram(X, Z) + self.right.gram(X, Z)  # (K.8)

    def diagonal(self, X):
        return self.left.diagonal(X) + self.right.diagonal(X)

    def gradient(self, z, X):
        return self.left.gradient(z, X) + self.right.gradient(z, X)


@dataclass(frozen=True)
class Product(Kernel):
    """k = k₁ k₂                                                                             (K.9)  Page 001/p110."""

    left: Kernel
    right: Kernel

    def gram(self, X, Z=None):
        return self.left.gram(X, Z) * self.right.gram(X, Z)  # (K.9)

    def diagonal(self, X):
        return self.left.diagonal(X) * self.right.diagonal(X)

    def gradient(self, z, X):
        left, right = self.left.gram(X, z[None]), self.right.gram(X, z[None])
        return self.left.gradient(z, X) * right + left * self.right.gradient(z, X)


@dataclass(frozen=True)
class Scaled(Kernel):
    """k = factor · k₁, factor ≥ 0                                                           (K.10)  Page 001/p110."""

    factor: float
    kernel: Kernel

    def __post_init__(self):
        if (factor := check.number(self.factor, "the factor of a kernel")) < 0:
            raise ValueError(f"A kernel cannot be multiplied by {factor:g}: a negative multiple has no lengths.")
        settle(self, factor=factor)

    def gram(self, X, Z=None):
        return self.factor * self.kernel.gram(X, Z)

    def diagonal(self, X):
        return self.factor * self.kernel.diagonal(X)

    def gradient(self, z, X):
        return self.factor * self.kernel.gradient(z, X)


@dataclass(frozen=True)
class Power(Kernel):
    """k = k₁^exponent, a product of k₁ with itself                                          (K.11)"""

    kernel: Kernel
    exponent: int

    def __post_init__(self):
        # a root of a kernel need not be a kernel
        settle(self, exponent=check.count(self.exponent, "the exponent of a kernel"))

    def gram(self, X, Z=None):
        return self.kernel.gram(X, Z) ** self.exponent

    def diagonal(self, X):
        return self.kernel.diagonal(X) ** self.exponent

    def gradient(self, z, X):
        p = self.exponent
        return p * self.kernel.gram(X, z[None]) ** (p - 1) * self.kernel.gradient(z, X)


@dataclass(frozen=True)
class Normalized(Kernel):
    """k(x, z) / √(k(x, x) k(z, z)), the cosine in feature space                             (K.12)  Page 002/s7."""

    kernel: Kernel

    def gram(self, X, Z=None):
        a = lengths(self.kernel.diagonal(X))
        b = a if Z is None else lengths(self.kernel.diagonal(Z))
        return self.kernel.gram(X, Z) / (a[:, None] * b)

    def diagonal(self, X):
        lengths(self.kernel.diagonal(X))
        return np.ones(len(X))


def normalized(kernel):
    """The kernel that sends every point to the unit sphere of feature space."""
    return Normalized(check.kernel(kernel))


def settle(kernel, **values):
    for name, value in values.items():
        object.__setattr__(kernel, name, value)  # a frozen object settles its own fields once, as plain numbers


def lengths(diag):
    """√k(x, x), refused where it is zero."""
    if (diag <= 0).any():
        i = int((diag <= 0).argmax())
        what = "a vector of no length has no direction and no angle. Leave it out, or use a kernel with k(x, x) > 0"
        raise ValueError(f"Point {i} has k(x, x) = {diag[i]:g}: {what}.")
    return np.sqrt(diag)
