"""Feature maps written out: small enough to look at, and the truth that kernels are tested against."""

import numpy as np

from . import _checks as check
from ._widths import ready


def poly2_map(X):
    """φ(x) = (1, √2 x_i, x_i², √2 x_i x_j for i < j), so that φ(x)ᵀφ(z) = (xᵀz + 1)²      (F.1)

    (n, d) -> (n, (d + 1)(d + 2) / 2).  Pages 000/s4, 002/s24, 003/s22.
    """
    X = check.matrix(X)
    i, j = np.triu_indices(X.shape[1], 1)
    return np.column_stack([np.ones(len(X)), np.sqrt(2) * X, X**2, np.sqrt(2) * X[:, i] * X[:, j]])


def hom2_map(X):
    """φ(x) = vec(x xᵀ), so that φ(x)ᵀφ(z) = (xᵀz)²                                        (F.2)

    (n, d) -> (n, d²).  Pages 003/s20-21.
    """
    X = check.matrix(X)
    return (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)


def stack_maps(*maps):
    """φ = (φ₁, φ₂, ...): the map of a sum of kernels, k = k₁ + k₂ + ...                   (F.3)  Page 001/p111."""
    _check_maps(maps)
    return lambda X: np.hstack([phi(X) for phi in maps])


def tensor_maps(*maps):
    """φ = φ₁ ⊗ φ₂ ⊗ ...: the map of a product of kernels, k = k₁ k₂ ...                   (F.4)  Page 001/p111."""
    _check_maps(maps)

    def tensor(X):
        out = maps[0](X)
        for phi in maps[1:]:
            with np.errstate(over="ignore"):  # what overflows is refused right after
                out = (out[:, :, None] * phi(X)[:, None, :]).reshape(len(out), -1)
        return check.no_overflow(out, "The products of features")

    return tensor


def frequencies(kernel, d, m, rng):
    """ω at random so that E cos ωᵀ(x - z) = k(x, z); -> (m, d), one a row                  (F.5)

    Gaussian      ω normal with variance 2/width²
    Exponential   ω Cauchy of scale 1/width: a normal vector divided by the size of one more normal number
    S. Bochner, Vorlesungen über Fouriersche Integrale, 1932: every kernel of x - z alone has such ω.  Page 003/s13.
    """
    return ready(check.kernel(kernel)).frequencies(d, m, rng)


def _check_maps(maps):
    if not maps or not all(map(callable, maps)):
        raise TypeError(f"Feature maps such as poly2_map must be given, at least one, got {maps!r}.")
