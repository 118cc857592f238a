"""Two views of the same samples: the eigenpairs of both Gram matrices, and how a ridge shrinks them."""

import numpy as np

from . import _checks as check
from .centering import centered
from .engine.cholesky import pivot_steps, to_the_end
from .engine.eigen import RANK_TOL, rounding, settle_signs
from .gram import Gram, largest
from .kernels import Gaussian, median_width

STOP = 1e-12  # a factor is complete when it misses less of k(x, x) than this share
FORMS = ("norm", "bach_jordan")
SHARE = 0.02  # the ridge, as a share of the variance in feature space, when none is given


def as_pair(X, Y, min_samples=2):
    """X (n, d) and Y (n, e), two views of the same n samples; Y (n,) counts as one feature."""
    X = check.matrix(X, min_samples=min_samples)
    Y = check.matrix(column(Y), "Y", min_samples=min_samples)
    if len(X) != len(Y):
        raise ValueError(f"X has {len(X)} rows and Y has {len(Y)}: both must describe the same samples, one row each.")
    return X, Y


def column(Y):
    """A vector (n,) as a matrix (n, 1); anything else as it is."""
    try:
        A = np.asarray(Y)
    except ValueError:  # rows that differ in length: whoever checks the matrix will say so
        return Y
    return A[:, None] if A.ndim == 1 else Y


def or_median(kernel, X, name):
    """kernel again, or where there is none the Gaussian whose width is the median distance in X."""
    if kernel is not None:
        return check.kernel(kernel, f"kernel_{name.lower()}")
    if (X == X[0]).all():
        raise ValueError(_alike(name))
    return Gaussian(median_width(X))


def eigenpairs(X, kernel, center=True, name="X"):
    """Kc = U Λ Uᵀ as in NPT; (n, d) -> lam (r,), U (n, r)."""
    L, floor = short_factor(X, kernel, center, name)
    if L is None:
        K = kernel(X)
        lam, U = largest(centered(K) if center else K, floor=rounding(K))
    else:
        U, s, _ = np.linalg.svd(L, full_matrices=False)
        keep = s**2 > max(RANK_TOL * (s**2).max(initial=0), floor)
        lam, U = s[keep] ** 2, settle_signs(U[:, keep])
    if len(lam) == 0:
        raise ValueError(_alike(name))
    return lam, U


def short_factor(X, kernel, center=True, name="X"):
    """L (n, r) with L Lᵀ = Kc and r ≤ 4√n, by pivoted Cholesky, and the size of what rounding alone makes of nothing.

    A smooth kernel on few features needs few columns of its Gram matrix; None in place of L if this one needs more, or
    is not positive semi-definite. Centring is done twice: seen from point 0 first, so that nothing large has to cancel
    when the mean is subtracted from the factor.
    """
    K, n = Gram(kernel, X), len(X)
    size = float(np.abs([check.moderate(K.diag), check.moderate(K[0])]).max())
    K = K.seen_from(0) if center else K
    diag = K.diag
    floor = n * np.finfo(float).eps * size
    most, stop = min(n, int(4 * np.sqrt(n))), max(STOP * diag.max(), floor)
    L, pivots, rest = to_the_end(pivot_steps(K, most, stop), diag)
    if rest.max() > stop or rest.min() < -max(RANK_TOL * diag.max(), floor):
        return None, floor
    if len(pivots) == 0:
        raise ValueError(_alike(name))
    return (L - L.mean(0) if center else L), floor


def shrink(lam, kappa=None, form="norm"):
    """c (r,) with α = U c p: the functions Σ α_i k(·, x_i) whose penalised sum of squares is |p|²

    "norm"         αᵀ(K² + κK)α = |p|²      c = 1/√(λ(λ + κ))
    "bach_jordan"  |(K + κ/2) α|² = |p|²    c = 1/(λ + κ/2)
    """
    kappa = SHARE * lam.sum() if kappa is None else check.non_negative(kappa, "kappa")
    if check.one_of(form, FORMS, "form") == "norm":
        return 1 / (np.sqrt(lam) * np.sqrt(lam + kappa))
    return 1 / (lam + kappa / 2)


def _alike(name):
    return (
        f"The rows of {name} are all the same, or too close for this kernel to tell apart: nothing can depend on what "
        "does not vary. Vary or rescale the data, or choose another width."
    )
