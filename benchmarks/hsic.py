"""The HSIC test with 1,000 shuffles beside hyppo's permutation path, one worker.

hyppo gives x and y one common width, the median distance in x times √2, and kmlab is given the same two kernels. Both
shuffle the same data 1,000 times. hyppo's statistic is the unbiased one, which leaves out i = j, so the p-values of the
two are close and not equal. numba compiles on hyppo's first call, which is not counted. With ten features the Gram
matrices have full rank and no short factor exists.
"""

if not __package__:  # run as a file: the same as `python3 course.py bench hsic`
    import runpy
    import sys
    from pathlib import Path

    sys.path[0], sys.argv[1:1] = str(Path(__file__).resolve().parent.parent), ["hsic"]
    runpy.run_module("benchmarks", run_name="__main__")
    sys.exit()

import numpy as np
from hyppo.independence import Hsic

from kmlab.dependence import independence_test
from kmlab.kernels import Gaussian, NegativePower, median_width

from .side_by_side import Case, Goal, Race

SHUFFLES = 1000


def cases(quick):
    for n in (100,) if quick else (100, 500, 2000):
        for features in 1, 10:
            yield Case(
                "HSIC permutation test",
                f"n = {n}, d = {features}",
                Goal(mean=10, least=10),
                lambda n=n, d=features: shuffle(n, d, rounds=1 if n > 500 else 3),
            )

    for n in (100,) if quick else (100, 500, 2000):
        yield Case(
            "distance covariance permutation test", f"n = {n}", Goal(mean=2, least=1), lambda n=n: by_distances(n, 1)
        )


def by_distances(n, rounds):
    """HSIC of the kernel -|x - z| is the squared distance covariance, dcor's statistic up to a factor n."""
    import dcor  # here, because it compiles for a minute

    (X, Y), k = pair(n, 2), NegativePower(1.0)

    def theirs():
        rng = np.random.RandomState(0)
        return dcor.independence.distance_covariance_test(X, Y, num_resamples=SHUFFLES, random_state=rng)

    def agree(test, other):
        off = abs(n * test.statistic / other.statistic - 1)
        words = f"p = {test.pvalue:.3f} and {other.pvalue:.3f}, statistics the same to {off:.0e}"
        return words, bool(off < 1e-9) and abs(test.pvalue - other.pvalue) < 0.1

    return Race(lambda: independence_test(X, Y, k, k, permutations=SHUFFLES), {"dcor": theirs}, agree, rounds=rounds)


def shuffle(n, features, rounds):
    X, Y = pair(n, features)
    theirs(*pair(25, 1))  # compiles

    def ours():
        k = Gaussian(np.sqrt(2) * median_width(X))
        return independence_test(X, Y, k, k, permutations=SHUFFLES)

    def agree(test, other):
        return f"p = {test.pvalue:.3f} and {other.pvalue:.3f}", abs(test.pvalue - other.pvalue) < 0.1

    return Race(ours, {"hyppo": lambda: theirs(X, Y)}, agree, rounds=rounds)


def theirs(X, Y):
    return Hsic().test(X, Y, reps=SHUFFLES, workers=1, auto=False)


def pair(n, features, seed=0):
    """A weak dependence, so that p is neither 0 nor 1."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, features))
    Y = rng.standard_normal((n, features))
    Y[:, 0] += 1.5 * X[:, 0] ** 2 / np.sqrt(n)
    return X, Y
