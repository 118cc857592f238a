"""Exercises of notebook 06, kernel PCA."""

import numpy as np

from ... import datasets
from ...centering import Centerer
from ...kernels import Gaussian, Polynomial
from ...pca import KernelPCA, ring_spectrum
from ..checking import Slip, Wrong, as_numbers, close, exactly, near, same_function
from . import exercise


def _cross_cases():
    rng = np.random.default_rng(63)
    for kernel, m in ((Gaussian(1.5), 4), (Polynomial(3), 7)):
        X, Xt = rng.standard_normal((9, 3)), rng.standard_normal((m, 3)) + 1
        yield kernel(Xt, X), kernel(X)


@exercise(
    "6.1",
    "(PCA.4) needs three means over the radii 1, 2, 3, and says which values come twice. Then sort.",
    "Over R² = 1, 4, 9: the mean of R², the mean of R⁴, the variance of R². (PCA.4) has a number before each of them.",
)
def _(answer):
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Wrong("Hand over both parts: the five values and the number of the component.")
    values, radial = answer
    truth, variance = ring_spectrum((1, 2, 3)), np.var([1, 4, 9])
    times = as_numbers(values, 5) / truth
    if times.min() > 1.5 and near(times, times.mean() * np.ones(5)):
        raise Slip("These are λ. How many points have taken part in them?")
    slips = {
        "The right values; the largest comes first.": truth[::-1],
        "What stands before the variance in (PCA.4)?": np.sort([variance, *truth[[0, 1, 3, 4]]])[::-1],
        "With three rings, is the variance a sum of squares over 3, or over 2?": np.sort([
            np.var([1, 4, 9], ddof=1) / 2, *truth[[0, 1, 3, 4]]
        ])[::-1],
    }  # fmt: skip
    if not close(values, truth, slips):
        raise Wrong("The five values are not right yet.")
    number = 1 + int(np.argmin(np.abs(truth - variance / 2)))
    if exactly(radial, number - 1):
        raise Slip("The values are right. Components are counted from 1.")
    if not exactly(radial, number):
        raise Wrong("The values are right; now find the one that contains Var(R²) and count from 1.")
    return True


@exercise(
    "6.2",
    "Which monomials has a polynomial of degree 3 in two variables? What does centring do to one of them?",
    "Write them down by degree: one of degree 0, two of degree 1, and go on.",
)
def _(answer):
    points = np.random.default_rng(62).standard_normal((60, 2))
    truth = len(KernelPCA(Polynomial(3)).fit(points).lam_)
    slips = {
        "So many features are there before centring.": truth + 1,
        "Are the mixed monomials in it, those of both variables?": 6,
        "Only those of degree 3? The 1 in the kernel brings in lower degrees.": 4,
        "A degree is not a number of features.": 3,
    }
    return exactly(answer, truth, slips)


@exercise(
    "6.3",
    "Three means: of each row of Kt, of each column of K, and of all of K.",
    "New points are centred with the mean of the training images: what knows nothing of the new points comes from K.",
)
def _(answer):
    def truth(Kt, K):
        return Centerer().fit(K).transform(Kt)

    def means(columns, grand):
        return lambda Kt, K: Kt - Kt.mean(1, keepdims=True) - columns(Kt, K) + grand(Kt, K)

    slips = {
        "The column means: of which matrix?": means(lambda Kt, K: Kt.mean(0), lambda Kt, K: K.mean()),
        "New points bring no mean of their own: these are centred among themselves.": means(
            lambda Kt, K: Kt.mean(0), lambda Kt, K: Kt.mean()
        ),
        "The last mean: of which matrix?": means(lambda Kt, K: K.mean(0), lambda Kt, K: Kt.mean()),
        "One mean of the three is missing, that of all entries.": means(lambda Kt, K: K.mean(0), lambda Kt, K: 0),
        "Which sign has the last of the three means?": means(lambda Kt, K: K.mean(0), lambda Kt, K: -K.mean()),
    }
    own = [Centerer.transform, Centerer.center_cross]
    return same_function(answer, truth, _cross_cases(), slips, instead=own)


@exercise(
    "6.4",
    "Write both scores of one point, subtract, and remember that the weights of an axis sum to zero.",
    "Of the three means of (C.2) two are the same for every training point, and meet a sum that is zero.",
)
def _(answer):
    def cases():
        for seed, kernel in ((1, Gaussian(1.0)), (2, Polynomial(2))):
            X = np.random.default_rng(seed).standard_normal((15, 2))
            yield kernel(X), KernelPCA(kernel, 3).fit(X).alphas_

    def truth(K, alphas):
        return (K @ alphas - Centerer().fit(K).transform(K) @ alphas)[0]

    slips = {
        "Raw minus right: is the sign right?": lambda K, alphas: -truth(K, alphas),
        "A sum stands where a mean should stand.": lambda K, alphas: len(K) * truth(K, alphas),
        "Only what is the same for every point is the shift; these are scores.": lambda K, alphas: (K @ alphas)[0],
    }
    return same_function(answer, truth, cases(), slips)


@exercise(
    "6.5",
    "explained_variance_ratio_ holds the share of every component. How many shares make nine tenths?",
    "Add the shares from the first on; at which place, counted from 1, is the sum at least 0.9 for the first time?",
)
def _(answer):
    share = KernelPCA(Gaussian(0.3)).fit(datasets.three_clusters()[0]).explained_variance_ratio_
    place = int(np.argmax(share.cumsum() >= 0.9))
    slips = {
        "An index counts from 0; asked is how many.": place,
        "One less is enough already.": place + 2,
        "So many have a share of at least 0.9 each? The shares are added.": int((share >= 0.9).sum()),
        "So many components are there in all.": len(share),
    }
    return exactly(answer, 1 + place, slips)
