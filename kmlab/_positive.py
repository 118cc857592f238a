"""Is a kernel one on this data, and does it tell points apart? If not, lengths, angles and margins mean nothing."""

import dataclasses

import numpy as np

from ._warnings import LittleDifference, NotPositive, warn

ENOUGH = 300  # points that show a negative direction, if there is one that matters
NEGATIVE = 1e-6  # an eigenvalue below this share of the largest is no rounding, not even that of single precision
LITTLE = 1e-12  # a share of the squared length, of which rounding leaves three right digits


def name_what_is_wrong(kernel, X, who, needs=None):
    """Says so if to the kernel all points are as one, or if it lacks what is needed; -> is the latter said?"""
    name_if_rounded_away(kernel, X, who)
    return bool(needs) and name_if_not_positive(kernel, X, who, needs == "distances")


def name_if_not_positive(kernel, X, who, distances=False):
    """Says so if the kernel has no images on X, or with `distances` no distances between them; -> is it said?"""
    if positive_on(kernel, X, distances):
        return False
    what = "not conditionally positive semi-definite" if distances else "not positive semi-definite"
    warn(
        f"{kernel!r} is {what} on this data, so that there are no images in a feature space and what {who} finds need "
        "not mean anything: take another kernel, or other parameters.",
        NotPositive,
    )
    return True


def name_if_rounded_away(kernel, X, who):
    """Says so if the images of X differ by so little of their length that rounding hides most of it."""
    if kernel.bounded or kernel.pairwise or not isinstance(X, np.ndarray):
        return
    some = X[:: -(-len(X) // ENOUGH)]
    try:
        diag, first = kernel.diag(some), kernel(some[:1], some)[0]
    except ValueError:  # what overflows is refused by whoever needs it
        return
    if (diag + diag[0] - 2 * first).max() < LITTLE * np.abs(diag).max() and (some != some[0]).any():
        warn(
            f"To {kernel!r} the points of this data differ by less than a millionth of their length, and rounding "
            f"hides most of what {who} needs: subtract the means of the columns first, or take other parameters.",
            LittleDifference,
        )


def positive_on(kernel, X, distances=False):
    """Is cᵀKc ≥ 0 on some hundred points of X for every c, with `distances` for those with Σc = 0?"""
    if proven(kernel):
        return True
    n = len(X)
    rows = np.arange(n) if n <= ENOUGH else np.sort(np.random.default_rng(0).choice(n, ENOUGH, replace=False))
    if kernel.pairwise and X.shape[1] != n:
        return True  # whoever takes the matrix will refuse it
    try:
        K = kernel(kernel.training_part(X, rows))
    except ValueError:  # and what overflows
        return True
    if not (size := np.abs(K).max()):
        return True
    K = K / size
    lam = np.linalg.eigvalsh(K - K.mean(0) - K.mean(1)[:, None] + K.mean() if distances else K)
    return bool(lam[0] >= -NEGATIVE * max(lam[-1], 1e-6 if distances else 0))


def proven(kernel):
    """Is it positive semi-definite whatever the data? Sums, products and multiples of such kernels are."""
    if vars(type(kernel)).get("positive") is not None:
        return kernel.positive
    parts = [getattr(kernel, field.name) for field in dataclasses.fields(kernel)] if made_of_kernels(kernel) else []
    kernels = [part for part in parts if hasattr(part, "gram")]
    return bool(kernels) and all(map(proven, kernels))


def made_of_kernels(kernel):
    """Is it one of the ways to compose kernels?"""
    return type(kernel).__module__ == f"{__package__}.algebra" and dataclasses.is_dataclass(kernel)
