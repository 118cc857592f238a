"""Support vector machines side by side with scikit-learn (LIBSVM): the same problem, tolerance and machine.

    .venv/bin/python benchmarks/svm.py [--quick]

Prints for every case both times (fit, and fit with the decision function on a 100 x 100 grid where the data is flat),
their ratio (above 1: kmlab is faster), the steps of both, and how good both answers are: kmlab's dual objective below
scikit-learn's, relative, and the violation of the KKT conditions of both, computed anew from the full Gram matrix.
One thread, processor time, in turn; see _side_by_side.py.
"""
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from sklearn import svm as theirs  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from _side_by_side import geometric_mean, race  # noqa: E402

from kmlab import datasets  # noqa: E402
from kmlab.kernels import Gaussian  # noqa: E402
from kmlab.one_class import OneClassSVM  # noqa: E402
from kmlab.svm import SVC, SVR  # noqa: E402

TOL, EPSILON = 1e-3, 0.1
XS, YS = np.linspace(-2, 3, 100), np.linspace(-1.5, 2, 100)
GRID = np.stack(np.meshgrid(XS, YS), -1).reshape(-1, 2)


def many_features(n=5000, d=784, seed=0):
    """Two overlapping classes on a curved sheet of ten dimensions in 784, with noise."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, 10))
    X = np.tanh(Z @ rng.standard_normal((10, 60)) / 2) @ rng.standard_normal((60, d)) / np.sqrt(60)
    label = np.sin(1.5 * Z[:, 0]) + Z[:, 1] * Z[:, 2] + 0.3 * rng.standard_normal(n) > 0
    return X + 0.3 * rng.standard_normal(X.shape), np.where(label, 1, -1)


def data_sets(quick):
    for n in (300, 2000) if quick else (300, 2000, 5000):
        yield f"moons {n}", *datasets.two_moons(n, noise=0.2), 2.0
        X, y = datasets.rings((0.5, 1.0), n // 2, noise=0.1)
        yield f"rings {n}", X, 2 * y - 1, 2.0
    X, y = datasets.digits()
    yield "digits", X, np.where(y % 2, 1, -1), 1 / (X.shape[1] * X.var())
    if not quick:
        X, y = many_features()
        yield "784 features", X, y, 1 / (X.shape[1] * X.var())


def cases(X, y, gamma):
    """name, kmlab's model, theirs, target, and the dual problem: q, lo, hi, eps, and kmlab's b on their scale."""
    n, k = len(X), Gaussian.from_gamma(gamma)
    t = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.1 * np.random.default_rng(0).standard_normal(n)
    kw, zero = {"gamma": gamma, "tol": TOL}, np.zeros(n)
    for C in 1, 10, 1000:
        problem = (-y, np.minimum(0, C * y), np.maximum(0, C * y), 0)
        yield f"SVC C={C}", SVC(k, C, tol=TOL), theirs.SVC(C=C, **kw), y, problem, 1
    for nu in 0.05, 0.5:
        problem = (zero, zero, zero + 1, 0)
        yield f"one-class nu={nu}", OneClassSVM(k, nu, tol=TOL), theirs.OneClassSVM(nu=nu, **kw), None, problem, nu * n
    for C in 1, 10, 100:
        problem = (-t, zero - C, zero + C, EPSILON)
        yield f"SVR C={C}", SVR(k, C, EPSILON, tol=TOL), theirs.SVR(C=C, epsilon=EPSILON, **kw), t, problem, 1


def quality(K, b, q, lo, hi, eps):
    """Objective of the dual and the worst violation of its KKT conditions."""
    F = K @ b + q
    up = np.where(b < hi, F + np.where(b >= 0, eps, -eps), np.inf)
    low = np.where(b > lo, F + np.where(b > 0, eps, -eps), -np.inf)
    return 0.5 * b @ (F + q) + eps * np.abs(b).sum(), low.max() - up.min()


def on_their_grid(model):
    return model.predict(GRID) if isinstance(model, theirs.SVR) else model.decision_function(GRID)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sets and few repeats")
    parser.add_argument("--only", default="", help="only data sets whose name contains this")
    options = parser.parse_args()
    print(f"{'data':13}{'method':18}{'kmlab ms':>10}{'sklearn':>9}{'ratio':>7}{'+grid':>7}{'steps':>8}{'theirs':>8}"
          f"{'lower by':>10}{'violation':>11}{'theirs':>9}")
    fits, grids = [], []
    for name, X, y, gamma in data_sets(options.quick):
        if options.only not in name:
            continue
        rounds = 3 if options.quick else 9 if len(X) <= 300 else 5 if len(X) <= 2000 else 3 if X.shape[1] < 99 else 1
        K = Gaussian.from_gamma(gamma)(X)
        for method, ours, their, t, problem, scale in cases(X, y.astype(float), gamma):
            (a, model), (b, other) = race(lambda: ours.fit(X, t), lambda: their.fit(X, t), rounds)  # noqa: B023
            coef = np.zeros(len(X))
            coef[other.support_] = other.dual_coef_[0]
            (value, off), (value2, off2) = quality(K, scale * model.coef_, *problem), quality(K, coef, *problem)
            grid = np.nan
            if X.shape[1] == 2:
                (c, _), (d, _) = race(lambda: ours.fit(X, t).on_grid(XS, YS),  # noqa: B023
                                      lambda: on_their_grid(their.fit(X, t)), rounds)  # noqa: B023
                grids.append(grid := d / c)
            fits.append(b / a)
            lower, steps = (value2 - value) / abs(value), int(np.sum(other.n_iter_))
            print(f"{name:13}{method:18}{1e3 * a:10.2f}{1e3 * b:9.2f}{b / a:7.2f}{grid:7.2f}{model.n_iter_:8d}"
                  f"{steps:8d}{lower:10.0e}{off:11.0e}{off2:9.0e}", flush=True)
    print(f"fit: geometric mean {geometric_mean(fits):.2f}, from {min(fits):.2f} to {max(fits):.2f}, {len(fits)} cases")
    if grids:
        print(f"fit + grid: geometric mean {geometric_mean(grids):.2f}, from {min(grids):.2f} to {max(grids):.2f}")


if __name__ == "__main__":
    main()
