"""Exercises of notebook 08, PCA-L1 and its kernel version."""

import numpy as np

from ...centering import center_gram
from ...datasets import LINE_AND_OUTLIER
from ...kernels import Gaussian, Polynomial
from ...pca import PCA
from ...pca_l1 import PCAL1, R1PCA, pca_l1_exact
from ..checking import Slip, Wrong, as_numbers, close, exactly, near, parts_of, same_function, value_of
from ..errata.pca_l1 import stops
from . import exercise

SQUARE = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])


@exercise(
    "8.1",
    "By (L1.9) it is the longest sum ±x₁ ± x₂ ± x₃ ± x₄; opposite points help each other when flipped.",
    "Turn two of the four round, so that none works against another, add them up, and take the length.",
)
def _(answer):
    slips = {
        "So much along an axis. Are there better directions?": 2.0,
        "The length of a sum is not the sum of the lengths.": 4.0,
        "All four points count.": np.sqrt(2),
        "This is the square of a length.": 8.0,
    }
    return close(answer, pca_l1_exact(SQUARE)[1], slips)


@exercise(
    "8.2",
    "How many vectors of twelve signs are there, and which of them describe the same axis?",
    "The sign of one point may be fixed once and for all. How many choices are left for the others?",
)
def _(answer):
    slips = {
        "A vector of signs and its opposite are the same axis.": 2**12,
        "These are pairs of points; every point has a sign of its own.": 12 * 11 // 2,
        "Choices multiply, they are not added.": 2 * 12,
        "Twice, not four times, is an axis found.": 2**10,
    }
    return exactly(answer, 2 ** (12 - 1), slips)


@exercise(
    "8.3",
    "(L1.6) and (L1.7), for all points at once; as in (L1.2) a zero counts as +1.",
    "Every score is an inner product with Σ p_i φ(x_i), divided by the length of this vector. What is its square?",
)
def _(answer):
    def truth(Kc, p):
        s = Kc @ p / np.sqrt(p @ Kc @ p)
        return np.where(s < 0, -1, 1), s

    def part(which):
        def one(Kc, p):
            return parts_of(value_of(answer, Kc, p), ("the new signs", "the scores"))[which]

        return one

    cases, slips = list(_gram_cases()), [
        {
            "The signs are the old ones.": lambda Kc, p: p,
            "The signs are all turned round.": lambda Kc, p: -truth(Kc, p)[0],
            "Signs come first, scores second.": lambda Kc, p: truth(Kc, p)[1],
        },
        {
            "The signs are right. Is w one long?": lambda Kc, p: Kc @ p,
            "The signs are right. A length is a root.": lambda Kc, p: Kc @ p / (p @ Kc @ p),
            "The signs are right. How long is w? It is made of images.": lambda Kc, p: Kc @ p / np.sqrt(p @ p),
        },
    ]  # fmt: skip
    for which, name in enumerate(("signs", "scores")):
        try:
            same_function(part(which), lambda Kc, p, which=which: truth(Kc, p)[which], cases, slips[which])
        except Slip:
            raise
        except Wrong as wrong:
            raise Wrong(f"The {name} are not right: {wrong}" if "unseen" in str(wrong) else str(wrong)) from None
    return True


@exercise(
    "8.4",
    "Step 4b is done whenever some wᵀx is zero, after centring. Which x makes it zero for every w?",
    "After centring the mean of all points is the origin. Let one of your points lie there.",
)
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
        if (X == 0).all(1).any():
            raise Slip("One of your points is the origin, and the points will be centred: where does it go?")
        raise Wrong("On your points the algorithm stops.")
    return True


@exercise(
    "8.5",
    "Which angle has the line through the ten points? np.arctan2 gives that of an axis, in radians.",
    "Three differences of two angles, in degrees, without signs. An axis has no head: 180° more is the same axis.",
)
def _(answer):
    def angle(model):
        w = model.fit(LINE_AND_OUTLIER).components_[0]
        return np.rad2deg(np.arctan2(w[1], w[0])) % 180

    given, angles = np.abs(as_numbers(answer, 3)), np.array([angle(model) for model in (PCA(1), PCAL1(), R1PCA())])
    truth = np.abs(angles - 45)
    if not near(given, truth) and near(np.sort(given), np.sort(truth)):
        raise Slip("The right angles, in the wrong order.")
    slips = {
        "These are radians.": np.deg2rad(truth),
        "These are the angles of the axes. Which one has the line of the ten?": angles,
    }
    return close(given, truth, slips)


def _gram_cases():
    rng = np.random.default_rng(83)
    for kernel, n in ((Gaussian(1.0), 12), (Polynomial(2), 9)):
        Kc = center_gram(kernel(rng.standard_normal((n, 2))))
        yield Kc, rng.choice([-1, 1], n)
