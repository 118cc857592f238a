"""Notebook 10: what four ways to one optimum take here and now, and LIBSVM beside them."""

from collections import deque

import numpy as np

from ... import datasets
from ...kernels import Gaussian
from ...one_class import OneClassSVM
from ...svm import SVC, SVR
from . import seconds

WAYS = {"pairs": {"newton": False}, "sets of 10": {"size": 10}, "sets of 40": {"size": 40}, "pairs and Newton": {}}
PATIENCE = 0.06  # seconds for one number


def time_ways(C=100.0, sizes=(40, 80, 160, 320)):
    """Seconds of each way to the optimum on so many points of two moons; -> sizes, name -> list."""
    machine, taken = SVC(Gaussian(1.0), C=C), {name: [] for name in WAYS}
    for n in sizes:
        X, y = datasets.two_moons(n, noise=0.2)
        for name, options in WAYS.items():
            taken[name].append(seconds(lambda: deque(machine.steps(X, y, **options), 0), patience=PATIENCE))  # noqa: B023
    return sizes, taken


def beside_libsvm(sizes=(300, 2000)):
    """The same problems, tolerance and machine, in turn with scikit-learn's LIBSVM; None where that is not installed.

    -> rows of (problem, n, (steps of LIBSVM, of kmlab), seconds [[fit of LIBSVM, of kmlab], [map of 100 x 100, ...]])
    """
    try:
        from sklearn import svm as theirs
    except ImportError:
        return None
    problems = {
        "two classes, C = 10": (theirs.SVC(C=10.0, gamma=1.0), SVC(Gaussian(1.0), C=10.0)),
        "one class, ν = 0.1": (theirs.OneClassSVM(nu=0.1, gamma=1.0), OneClassSVM(Gaussian(1.0), 0.1)),
        "a tube, C = 10": (theirs.SVR(C=10.0, gamma=1.0), SVR(Gaussian(1.0), C=10.0)),
    }
    rows = []
    for n in sizes:
        X, y = datasets.two_moons(n, noise=0.2)
        for name, (other, ours) in problems.items():
            t = np.sin(2 * X[:, 0]) + X[:, 1] if isinstance(ours, SVR) else y
            taken = _side_by_side(other, ours, X, t)
            rows.append((name, n, (int(np.sum(other.n_iter_)), ours.n_iter_), taken))
    return rows


def _side_by_side(other, ours, X, t):
    xs, ys = np.linspace(-2, 3, 100), np.linspace(-1.5, 2, 100)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    there = other.predict if isinstance(ours, SVR) else other.decision_function
    ways = (lambda: other.fit(X, t)), (lambda: ours.fit(X, t)), lambda: there(grid), lambda: ours.on_grid(xs, ys)
    return np.reshape([seconds(way, patience=PATIENCE) for way in ways], (2, 2))
