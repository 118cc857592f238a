"""Exercises of notebook 06, kernel PCA."""

import numpy as np

from ... import datasets
from ...centering import Centerer
from ...kernels import Gaussian, Polynomial
from ...pca import KernelPCA, ring_spectrum
from ..checking import Wrong, close, exactly, same_function
from . import exercise


def _cross_cases():
    rng = np.random.default_rng(63)
    for kernel, m in ((Gaussian(1.5), 4), (Polynomial(3), 7)):
        X, Xt = rng.standard_normal((9, 3)), rng.standard_normal((m, 3)) + 1
        yield kernel(Xt, X), kernel(X)


@exercise("6.1", "(PCA.4) needs three means over the radii 1, 2, 3, and says which values come twice. Then sort.")
def _(answer):
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Wrong("Hand over both parts: the five values and the number of the component.")
    values, radial = answer
    if not close(values, ring_spectrum((1, 2, 3))):
        raise Wrong("The five values are not right yet.")
    if not exactly(radial, 1 + int(np.argmin(np.abs(ring_spectrum((1, 2, 3)) - np.var([1, 4, 9]) / 2)))):
        raise Wrong("The values are right; now find the one that contains Var(R²) and count from 1.")
    return True


@exercise("6.2", "Which monomials has a polynomial of degree 3 in two variables? What does centring do to one of them?")
def _(answer):
    points = np.random.default_rng(62).standard_normal((60, 2))
    return exactly(answer, len(KernelPCA(Polynomial(3)).fit(points).lam_))


@exercise("6.3", "Three means: of each row of Kt, of each column of K, and of all of K.")
def _(answer):
    def truth(Kt, K):
        return Centerer().fit(K).transform(Kt)

    return same_function(answer, truth, _cross_cases(), instead=[Centerer.transform, Centerer.center_cross])


@exercise("6.4", "Write both scores of one point, subtract, and remember that the weights of an axis sum to zero.")
def _(answer):
    def cases():
        for seed, kernel in ((1, Gaussian(1.0)), (2, Polynomial(2))):
            X = np.random.default_rng(seed).standard_normal((15, 2))
            yield kernel(X), KernelPCA(kernel, 3).fit(X).alphas_

    def truth(K, alphas):
        return (K @ alphas - Centerer().fit(K).transform(K) @ alphas)[0]

    return same_function(answer, truth, cases())


@exercise("6.5", "explained_variance_ratio_ holds the share of every component. How many shares make nine tenths?")
def _(answer):
    share = KernelPCA(Gaussian(0.3)).fit(datasets.three_clusters()[0]).explained_variance_ratio_
    return exactly(answer, 1 + np.argmax(share.cumsum() >= 0.9))
