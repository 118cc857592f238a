"""Exercises of notebook 11, spheres, tubes and probabilistic relatives."""

import numpy as np
from scipy.special import expit

from ...datasets import sinc, two_moons
from ...kernels import Gaussian, Linear, Precomputed
from ...one_class import SVDD, OneClassSVM
from ...regression import KernelRidge
from ..checking import NotAttempted, Wrong, as_numbers, close, exactly, same_function
from ..errata.spheres_and_tubes import sphere
from . import exercise

TARGETS = np.array([1.0, 4.0, 2.5, -0.5, 3.0])


@exercise("11.1", "Which points hold the sphere? With the ½ of 004/s17: a weight a on 2, the rest on 0: the top?")
def _(answer):
    x = np.array([0.0, 1.0, 2.0])
    ball = SVDD(Linear(), tol=1e-9).fit(x[:, None])
    return close(answer, [ball.alpha_ @ x, ball.radius2_, sphere(np.outer(x, x), half=True) @ x])


@exercise("11.2", "Fifty weights of at most C must be able to sum to 1.")
def _(answer):
    return close(answer, 1 / 50)


@exercise("11.3", "decision_function has the scores, support_ the numbers of the support vectors.")
def _(answer):
    if not isinstance(answer, tuple | list) or len(answer) != 4:
        raise Wrong("Four things are expected: X, nu, the number outside, the number of support vectors.")
    X, nu, *counts = answer
    if any(part is ... or part is None for part in (X, nu)):
        raise NotAttempted
    outside, support = as_numbers(counts, 2)
    nu = as_numbers(nu, 1)[0]
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or len(X) < 20 or np.ptp(X) == 0:
        raise Wrong("Bring at least 20 points, as rows, that are not all the same.")
    model = OneClassSVM(Gaussian(1.0), nu, tol=1e-8).fit(X)
    if not outside <= nu * len(X) + 1e-4 or not nu * len(X) <= support + 1e-4:  # nu may be in single precision
        raise Wrong(f"ν n = {nu * len(X):g} must lie between the two counts.")
    return exactly(counts, [(model.decision_function(X) < -1e-6).sum(), len(model.support_)])


@exercise("11.4", "f may be a constant. Which one is as close as possible to the largest and to the smallest target?")
def _(answer):
    return close(answer, np.ptp(TARGETS) / 2)


@exercise("11.5", "(RIDGE.3) needs α and the diagonal of G. Both come from one inverse: of which matrix?")
def _(answer):
    def truth(K, t, lam):
        return KernelRidge(Precomputed()).loo_path(K, t, [lam])[0]

    cases = []
    for n, lam in (15, 0.1), (25, 2.0):
        X, t = sinc(n, seed=n)
        cases.append((Gaussian(2.0)(X), t, lam))
    return same_function(answer, truth, cases, instead=[KernelRidge.loo_path])


@exercise("11.6", "f are the values at the training points, made of K and α; and σ(a) = 1/(1 + exp(−a)).")
def _(answer):
    def truth(K, y, alpha, lam):
        return alpha - y * expit(-y * (K @ alpha)) / lam

    cases = []
    for seed, lam in (1, 0.5), (2, 3.0):
        X, y = two_moons(20, noise=0.2, seed=seed)
        cases.append((Gaussian(1.0)(X), y, np.random.default_rng(seed).standard_normal(20), lam))
    return same_function(answer, truth, cases)
