"""Exercises of notebook 04, distances without coordinates."""

import numpy as np

from ...clustering import KernelVQ, cluster_distance2
from ...kernels import Gaussian, KendallTau, Linear, NegativePower, Polynomial, feature_distance2, is_cpsd
from ...neighbors import KernelKNN
from ...npt import embed_cpsd
from ..checking import Wrong, as_numbers, close, exactly, notice, same_function
from . import exercise

POWERS = (0.5, 1.0, 2.0, 3.0)


def _plane(n, seed):
    return np.random.default_rng(seed).standard_normal((n, 2))


@exercise(
    "4.1",
    "Try each power on a few dozen random points: may the centred Gram matrix have a negative eigenvalue?",
    "Whatever passes for one power passes for every smaller one too, so that there is one border to be found.",
)
def _(answer):
    if not isinstance(answer, list | tuple | set | np.ndarray):
        raise Wrong("A list of numbers was expected.")
    values = np.sort(as_numbers(list(answer), len(answer)))
    right = [power for power in POWERS if is_cpsd(NegativePower(power)(_plane(40, 41)))]
    if not set(values) <= set(POWERS):
        raise Wrong("Choose among 0.5, 1, 2 and 3.")
    notice(values, {
        "Right as far as it goes; look at the border once more, where a linear kernel is hidden.": right[:-1],
        "One of them goes too far: what has its centred Gram matrix for a smallest eigenvalue?": POWERS,
        "This one is right, and smaller powers?": right[-1:],
    })  # fmt: skip
    return len(values) == len(right) and close(values, right)


@exercise(
    "4.2",
    "What does (K.13) make of k(x, x) = 0? The theorem has −k(x, z) for the squared distance.",
    "Two of the three terms of (K.13) are zero here. What is left, and how often is −k(x, z) in it?",
)
def _(answer):
    K, Z = NegativePower(2)(_plane(2, 42)), embed_cpsd(NegativePower(2)(_plane(2, 42)))
    truth = feature_distance2(K)[0, 1] / ((Z[0] - Z[1]) ** 2).sum()
    slips = {
        "Divided the other way round.": 1 / truth,
        "Both are distances, but not the same one: how often has (K.13) the term k(x, z)?": 1.0,
        "Both are squared distances, so neither is negative: −k is positive here.": -truth,
    }
    return close(answer, truth, slips)


@exercise(
    "4.3",
    "Does 2 − 2k grow with |x − z|? KernelKNN.nearest holds the order in each row, for any kernel.",
    "If one number always rises with another, what happens to the order when one is replaced by the other?",
)
def _(answer):
    X, Xt = _plane(50, 0), _plane(30, 1)
    order = [KernelKNN(kernel, 50).fit(X, np.zeros(50, int)).nearest(Xt) for kernel in (Gaussian(2.0), Linear())]
    slips = {
        "For all of them? Did you compare distances instead of their order, or sort k upwards?": len(Xt),
        "Asked is for points, not for places in their lists.": order[0].size,
    }
    return exactly(answer, (order[0] != order[1]).any(1).sum(), slips)


@exercise(
    "4.4",
    "Three pairs of things: how many are in the same order in both rankings, and how many are not?",
    "Those that agree minus those that do not, as a share of all pairs.",
)
def _(answer):
    slips = {
        "So many pairs agree. What about those that do not?": 2 / 3,
        "More pairs agree than not: which sign has k then?": -1 / 3,
        "A share of all pairs is wanted.": 1.0,
        "So many do not agree.": -1.0,
    }
    return close(answer, KendallTau()([[1, 2, 3]], [[1, 3, 2]])[0, 0], slips)


@exercise(
    "4.5",
    "Three terms: the diagonal of K, row means over a cluster, and the mean of its block; see (CL.1).",
    "A cluster's centre is a mean of images: multiply φ(x) minus this mean by itself. Which terms appear?",
)
def _(answer):
    def cases():
        for seed, kernel, k in ((1, Gaussian(1.0), 3), (2, Polynomial(2), 2), (3, NegativePower(1.0), 4)):
            yield kernel(_plane(12, seed)), np.random.default_rng(seed).permutation(np.arange(12) % k)

    def changed(diagonal=1.0, row=1.0, block=1.0):
        def slip(K, labels):
            Z = (labels[:, None] == np.unique(labels)).astype(float)
            Z /= Z.sum(0)
            return diagonal * np.diag(K)[:, None] - 2 * row * K @ Z + block * np.diag(Z.T @ K @ Z)

        return slip

    slips = {
        "The first term is missing: how long is φ(x) itself?": changed(diagonal=0.0),
        "The middle term comes twice.": changed(row=0.5),
        "Which sign has the middle term?": changed(row=-1.0),
        "The last term is missing: how long is the centre?": changed(block=0.0),
        "These are distances; asked are their squares.": lambda *case: np.sqrt(np.abs(cluster_distance2(*case))),
    }
    return same_function(answer, cluster_distance2, cases(), slips, instead=[cluster_distance2])


@exercise(
    "4.6",
    "How far apart can two images on the unit sphere be if their inner product is positive?",
    "Take any sample as the first entry. Which sample is further than R from it, and asks for another entry?",
)
def _(answer):
    slips = {
        "With a tiny R every sample is an entry. How large is this R?": 30,
        "So many would be needed if two images could lie opposite each other.": 2,
        "Without an entry nobody is within R of one.": 0,
    }
    return exactly(answer, len(KernelVQ(Gaussian(0.1), np.sqrt(2)).fit(_plane(30, 46)).codebook_), slips)
