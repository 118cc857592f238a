"""Support vector machines beside scikit-learn (LIBSVM) and its rewriting by Intel: the same problem and tolerance.

Every method is fitted, and on flat data also asked for its decision function on a 100 x 100 grid, which is what a live
picture needs. The agreement says how far kmlab's dual objective is below scikit-learn's, relative (a negative number:
above), the violation of the KKT conditions of both, computed anew from the full Gram matrix, and the steps of both.
"""

if not __package__:  # run as a file: the same as `python3 course.py bench svm`
    import runpy
    import sys
    from pathlib import Path

    sys.path[0], sys.argv[1:1] = str(Path(__file__).resolve().parent.parent), ["svm"]
    runpy.run_module("benchmarks", run_name="__main__")
    sys.exit()

from functools import lru_cache

import numpy as np
from sklearn import svm as libsvm

try:
    from sklearnex import svm as intel  # for x86 alone
except ImportError:
    intel = None

from kmlab import datasets
from kmlab.kernels import Gaussian
from kmlab.one_class import OneClassSVM
from kmlab.svm import SVC, SVR

from .data import curved_sheet
from .side_by_side import Case, Goal, Race

TOL, EPSILON = 1e-3, 0.1
XS, YS = np.linspace(-2, 3, 100), np.linspace(-1.5, 2, 100)
GRID = np.stack(np.meshgrid(XS, YS), -1).reshape(-1, 2)
# the number is C, for OneClassSVM nu
METHODS = [(SVC, 1), (SVC, 10), (SVC, 1000), (OneClassSVM, 0.05), (OneClassSVM, 0.5), (SVR, 1), (SVR, 10), (SVR, 100)]
FIT, PICTURE = Goal(mean=2.0, least=0.8), Goal(mean=5.0, least=2.0)


def cases(quick):
    sets = [(name, n) for n in ((300, 2000) if quick else (300, 2000, 5000)) for name in ("moons", "rings")]
    for data in [*sets, ("digits", 1797)] + ([] if quick else [("784 features", 5000)]):
        for method, value in METHODS:
            size = f"{data[0]} {data[1]}, {method.__name__} {value:g}"
            yield Case(
                "support vector machines", size, FIT, lambda data=data, m=method, v=value: fit(data, m, v, quick)
            )
            if data in sets:
                yield Case(
                    "the same and a 100 x 100 grid",
                    size,
                    PICTURE,
                    lambda data=data, m=method, v=value: fit_and_grid(data, m, v, quick),
                )
    for n in (300, 2000) if quick else (300, 2000, 5000, 20000):
        for method, value in METHODS:
            if intel is not None and method is not OneClassSVM:
                yield Case(
                    "support vector machines beside Intel's",
                    f"moons {n}, {method.__name__} {value:g}",
                    Goal(mean=2.0, least=1.0),
                    lambda n=n, m=method, v=value: fit(("moons", n), m, v, quick, intel, "scikit-learn-intelex"),
                )


@lru_cache(1)
def make(name, n):
    """X, labels -1 and 1, gamma."""
    if name == "moons":
        X, y = datasets.two_moons(n, noise=0.2)
        return X, y, 2.0
    if name == "rings":
        X, y = datasets.rings((0.5, 1.0), n // 2, noise=0.1)
        return X, 2 * y - 1, 2.0
    X, y = datasets.digits() if name == "digits" else curved_sheet(n, 784)
    return X, np.where(y % 2, 1, -1), 1 / (X.shape[1] * X.var())


@lru_cache(1)
def gram(data):
    X, _, gamma = make(*data)
    return Gaussian.from_gamma(gamma)(X)


def problem(data, method, value, theirs=libsvm):
    """Ours, theirs, the target, the dual problem (q, lo, hi, eps), and the factor of kmlab's b on their scale."""
    X, y, gamma = make(*data)
    n, k, kw = len(X), Gaussian.from_gamma(gamma), {"gamma": gamma, "tol": TOL}
    zero = np.zeros(n)
    if method is SVC:
        dual = -y, np.minimum(0, value * y), np.maximum(0, value * y), 0
        return SVC(k, value, tol=TOL), theirs.SVC(C=value, **kw), y, dual, 1
    if method is OneClassSVM:
        return (
            OneClassSVM(k, value, tol=TOL),
            theirs.OneClassSVM(nu=value, **kw),
            None,
            (zero, zero, zero + 1, 0),
            value * n,
        )
    t = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.1 * np.random.default_rng(0).standard_normal(n)
    dual = -t, zero - value, zero + value, EPSILON
    return SVR(k, value, EPSILON, tol=TOL), theirs.SVR(C=value, epsilon=EPSILON, **kw), t, dual, 1


def fit(data, method, value, quick, peer=libsvm, name="scikit-learn"):
    X = make(*data)[0]
    ours, their, t, dual, scale = problem(data, method, value, peer)

    def agree(model, other):
        coef = np.zeros(len(X))
        coef[other.support_] = np.asarray(other.dual_coef_)[0]
        (low, off), (low2, off2) = quality(gram(data), scale * model.coef_, *dual), quality(gram(data), coef, *dual)
        lower, steps = (low2 - low) / abs(low), int(np.sum(other.n_iter_))
        words = f"lower by {lower:.0e}, violation {off:.0e} and {off2:.0e}, steps {model.n_iter_} and {steps}"
        return words, bool(lower > -1e-5)

    return Race(lambda: ours.fit(X, t), {name: lambda: their.fit(X, t)}, agree, rounds=rounds(X, quick))


def fit_and_grid(data, method, value, quick):
    X = make(*data)[0]
    ours, their, t, _, scale = problem(data, method, value)
    on_grid = their.predict if method is SVR else their.decision_function

    def agree(F, G):
        off = np.abs(scale * F.ravel() - G).max() / np.abs(G).max()
        return f"largest difference {off:.0e} of the largest value", bool(off < 0.1)

    return Race(
        lambda: ours.fit(X, t).on_grid(XS, YS),
        {"scikit-learn": lambda: their.fit(X, t) and on_grid(GRID)},
        agree,
        rounds=rounds(X, quick),
    )


def quality(K, b, q, lo, hi, eps):
    """Objective of the dual and the worst violation of its KKT conditions."""
    F = K @ b + q
    up = np.where(b < hi, F + np.where(b >= 0, eps, -eps), np.inf)
    low = np.where(b > lo, F + np.where(b > 0, eps, -eps), -np.inf)
    return 0.5 * b @ (F + q) + eps * np.abs(b).sum(), low.max() - up.min()


def rounds(X, quick):
    return 3 if quick or len(X) > 2000 and X.shape[1] < 99 else 9 if len(X) <= 300 else 5 if len(X) <= 2000 else 1
