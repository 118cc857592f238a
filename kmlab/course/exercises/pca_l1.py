"""Exercises of notebook 08, PCA-L1 and its kernel version."""

import numpy as np

from ...centering import center_gram
from ...datasets import LINE_AND_OUTLIER
from ...kernels import Gaussian, Polynomial
from ...pca import PCA
from ...pca_l1 import PCAL1, R1PCA, pca_l1_exact
from ..checking import Wrong, as_numbers, close, exactly, near, parts_of, same_function, value_of
from ..errata.pca_l1 import stops
from . import exercise

SQUARE = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])


@exercise("8.1", "By (L1.9) it is the longest sum ±x₁ ± x₂ ± x₃ ± x₄; opposite points help each other when flipped.")
def _(answer):
    return close(answer, pca_l1_exact(SQUARE)[1])


@exercise("8.2", "How many vectors of twelve signs are there, and which of them describe the same axis?")
def _(answer):
    return exactly(answer, 2 ** (12 - 1))


@exercise("8.3", "(L1.6) and (L1.7), for all points at once; as in (L1.2) a zero counts as +1.")
def _(answer):
    def truth(Kc, p):
        s = Kc @ p / np.sqrt(p @ Kc @ p)
        return np.where(s < 0, -1, 1), s

    def part(which):
        def one(Kc, p):
            return parts_of(value_of(answer, Kc, p), ("the new signs", "the scores"))[which]

        return one

    cases = list(_gram_cases())
    for which, name in enumerate(("signs", "scores")):
        try:
            same_function(part(which), lambda Kc, p, which=which: truth(Kc, p)[which], cases)
        except Wrong as wrong:
            raise Wrong(f"The {name} are not right: {wrong}" if "unseen" in str(wrong) else str(wrong)) from None
    return True


@exercise("8.4", "Step 4b is done whenever some wᵀx is zero, after centring. Which x makes it zero for every w?")
def _(answer):
    try:
        X = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("A list of points was expected, each a pair of numbers.") from None
    if X.ndim != 2 or not 3 <= len(X) <= 50 or not 1 <= X.shape[1] <= 10 or not np.isfinite(X).all():
        raise Wrong(f"Between 3 and 50 points are expected, one a row, got shape {X.shape}.")
    if np.ptp(X, axis=0).max() == 0:
        raise Wrong("All your points are the same, so there is nothing to find.")
    if stops(X):
        raise Wrong("On your points the algorithm stops.")
    return True


@exercise("8.5", "Which angle has the line through the ten points? np.arctan2 gives that of an axis, in radians.")
def _(answer):
    def off(model):
        w = model.fit(LINE_AND_OUTLIER).components_[0]
        return abs(np.rad2deg(np.arctan2(w[1], w[0])) % 180 - 45)

    given, truth = np.abs(as_numbers(answer, 3)), [off(model) for model in (PCA(1), PCAL1(), R1PCA())]
    if not near(given, truth) and near(np.sort(given), np.sort(truth)):
        raise Wrong("The right angles, in the wrong order.")
    if near(np.rad2deg(given), truth):
        raise Wrong("These are radians.")
    return close(given, truth)


def _gram_cases():
    rng = np.random.default_rng(83)
    for kernel, n in ((Gaussian(1.0), 12), (Polynomial(2), 9)):
        Kc = center_gram(kernel(rng.standard_normal((n, 2))))
        yield Kc, rng.choice([-1, 1], n)
