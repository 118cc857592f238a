"""Exercises of notebook 04, distances without coordinates."""

import numpy as np

from ...clustering import KernelVQ, cluster_distance2
from ...kernels import Gaussian, KendallTau, Linear, NegativePower, Polynomial, feature_distance2, is_cpsd
from ...neighbors import KernelKNN
from ...npt import embed_cpsd
from ..checking import Wrong, as_numbers, close, exactly, same_function
from . import exercise

POWERS = (0.5, 1.0, 2.0, 3.0)


def _plane(n, seed):
    return np.random.default_rng(seed).standard_normal((n, 2))


@exercise("4.1", "Try each power on a few dozen random points: may the centred Gram matrix have a negative eigenvalue?")
def _(answer):
    if not isinstance(answer, list | tuple | set | np.ndarray):
        raise Wrong("A list of numbers was expected.")
    values = np.sort(as_numbers(list(answer), len(answer)))
    right = [power for power in POWERS if is_cpsd(NegativePower(power)(_plane(40, 41)))]
    if not set(values) <= set(POWERS):
        raise Wrong("Choose among 0.5, 1, 2 and 3.")
    return len(values) == len(right) and close(values, right)


@exercise("4.2", "What does (K.13) make of k(x, x) = 0? The theorem has −k(x, z) for the squared distance.")
def _(answer):
    K, Z = NegativePower(2)(_plane(2, 42)), embed_cpsd(NegativePower(2)(_plane(2, 42)))
    return close(answer, feature_distance2(K)[0, 1] / ((Z[0] - Z[1]) ** 2).sum())


@exercise("4.3", "Does 2 − 2k grow with |x − z|? KernelKNN.nearest holds the order in each row, for any kernel.")
def _(answer):
    X, Xt = _plane(50, 0), _plane(30, 1)
    order = [KernelKNN(kernel, 50).fit(X, np.zeros(50, int)).nearest(Xt) for kernel in (Gaussian(2.0), Linear())]
    return exactly(answer, (order[0] != order[1]).any(1).sum())


@exercise("4.4", "Three pairs of things: how many are in the same order in both rankings, and how many are not?")
def _(answer):
    return close(answer, KendallTau()([[1, 2, 3]], [[1, 3, 2]])[0, 0])


@exercise("4.5", "Three terms: the diagonal of K, row means over a cluster, and the mean of its block; see (CL.1).")
def _(answer):
    def cases():
        for seed, kernel, k in ((1, Gaussian(1.0), 3), (2, Polynomial(2), 2), (3, NegativePower(1.0), 4)):
            yield kernel(_plane(12, seed)), np.random.default_rng(seed).permutation(np.arange(12) % k)

    return same_function(answer, cluster_distance2, cases(), instead=[cluster_distance2])


@exercise("4.6", "How far apart can two images on the unit sphere be if their inner product is positive?")
def _(answer):
    return exactly(answer, len(KernelVQ(Gaussian(0.1), np.sqrt(2)).fit(_plane(30, 46)).codebook_))
