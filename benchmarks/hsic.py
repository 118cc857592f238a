"""The HSIC test with 1,000 shuffles side by side with hyppo's permutation path, one worker.

    .venv/bin/pip install "hyppo >=0.5.2, <1"      # into an environment of its own if you like; it brings numba
    .venv/bin/python benchmarks/hsic.py [--quick]

hyppo gives x and y one common width, the median distance in x times √2, and kmlab is given the same two kernels. Both
shuffle the same data 1,000 times. hyppo's statistic is the unbiased one, which leaves out i = j, so the p-values of the
two are close and not equal. numba compiles on hyppo's first call, which is timed apart. `features` = 10 is the case in
which the Gram matrices have full rank and no short factor exists. One thread, processor time, in turn; see
_side_by_side.py.
"""
import os

for name in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS":
    os.environ.setdefault(name, "1")

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from hyppo.independence import Hsic  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from _side_by_side import geometric_mean, race  # noqa: E402

from kmlab.dependence import independence_test  # noqa: E402
from kmlab.kernels import Gaussian, median_width  # noqa: E402

SHUFFLES = 1000


def pair(n, features, seed=0):
    """A weak dependence, so that p is neither 0 nor 1."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, features))
    Y = rng.standard_normal((n, features))
    Y[:, 0] += 1.5 * X[:, 0] ** 2 / np.sqrt(n)
    return X, Y


def ours(X, Y):
    k = Gaussian(np.sqrt(2) * median_width(X))
    return independence_test(X, Y, k, k, permutations=SHUFFLES)


def theirs(X, Y):
    return Hsic().test(X, Y, reps=SHUFFLES, workers=1, auto=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="without n = 2,000 and with few repeats")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    X, Y = pair(25, 1)
    start = time.process_time()
    theirs(X, Y)
    first, start = time.process_time() - start, time.process_time()
    theirs(X, Y)
    print(f"hyppo compiles for about {first - (time.process_time() - start):.1f} s on its first call\n")
    print(f"{'n':>6}{'features':>10}{'kmlab ms':>10}{'hyppo ms':>10}{'ratio':>8}{'p':>8}{'theirs':>8}")
    ratios = []
    for n in (100, 500) if options.quick else (100, 500, 2000):
        for features in 1, 10:
            X, Y = pair(n, features)
            rounds = 1 if n > 500 else 2 if options.quick else 5
            (a, test), (b, other) = race(lambda: ours(X, Y), lambda: theirs(X, Y), rounds)  # noqa: B023
            ratios.append(b / a)
            print(f"{n:6d}{features:10d}{1e3 * a:10.1f}{1e3 * b:10.1f}{b / a:8.1f}"
                  f"{test.pvalue:8.3f}{other.pvalue:8.3f}", flush=True)
    print(f"geometric mean {geometric_mean(ratios):.1f}, from {min(ratios):.1f} to {max(ratios):.1f}")


if __name__ == "__main__":
    main()
