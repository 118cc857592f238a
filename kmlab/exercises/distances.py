"""Exercises of notebook 04, distances without coordinates."""

import numpy as np

from ..clustering import KernelVQ, cluster_distance2
from ..kernels import Gaussian, KendallTau, Linear, NegativePower, Polynomial, feature_distance2, is_cpsd
from ..neighbors import KernelKNN
from ..npt import embed_cpsd
from . import Wrong, as_numbers, close, exercise, same_function

POWERS = (0.5, 1.0, 2.0, 3.0)


def _plane(n, seed):
    return np.random.default_rng(seed).standard_normal((n, 2))


def _one_number(answer):
    if isinstance(answer, bool):
        raise Wrong("A number was expected, got a truth value.")
    return as_numbers(answer, 1)[0]


@exercise("4.1", "Test each with is_cpsd(NegativePower(beta)(X)) on a few dozen points; list those that pass.")
def _(answer):
    if not isinstance(answer, list | tuple | set | np.ndarray):
        raise Wrong("A list of numbers was expected.")
    values = np.sort(as_numbers(list(answer), len(answer)))
    right = [power for power in POWERS if is_cpsd(NegativePower(power)(_plane(40, 41)))]
    if not set(values) <= set(POWERS):
        raise Wrong("Choose among 0.5, 1, 2 and 3.")
    return len(values) == len(right) and close(values, right)


@exercise("4.2", "Put k(x, x) = 0 into both formulas.")
def _(answer):
    K, Z = NegativePower(2)(_plane(2, 42)), embed_cpsd(NegativePower(2)(_plane(2, 42)))
    return close(_one_number(answer), feature_distance2(K)[0, 1] / ((Z[0] - Z[1]) ** 2).sum())


@exercise("4.3", "KernelKNN(kernel, 50).fit(X, y).nearest(Xt) holds an order in each row; compare two of them.")
def _(answer):
    X, Xt = _plane(50, 0), _plane(30, 1)
    order = [KernelKNN(kernel, 50).fit(X, np.zeros(50, int)).nearest(Xt) for kernel in (Gaussian(2.0), Linear())]
    return close(_one_number(answer), (order[0] != order[1]).any(1).sum(), rel=1e-9)


@exercise("4.4", "Three pairs of things: how many are in the same order in both rankings, and how many are not?")
def _(answer):
    return close(_one_number(answer), KendallTau()([[1, 2, 3]], [[1, 3, 2]])[0, 0])


@exercise("4.5", "Three terms: the diagonal of K, row means over a cluster, and the mean of its block; see (CL.1).")
def _(answer):
    def cases():
        for seed, kernel, k in ((1, Gaussian(1.0), 3), (2, Polynomial(2), 2), (3, NegativePower(1.0), 4)):
            yield kernel(_plane(12, seed)), np.random.default_rng(seed).permutation(np.arange(12) % k)

    return same_function(answer, cluster_distance2, cases())


@exercise("4.6", "How far apart can two images on the unit sphere be if their inner product is positive?")
def _(answer):
    return close(_one_number(answer), len(KernelVQ(Gaussian(0.1), np.sqrt(2)).fit(_plane(30, 46)).codebook_), rel=1e-9)
