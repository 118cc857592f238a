"""Lecture 000, Kwak (the nonlinear projection trick), read from a scan."""

import numpy as np

from ...datasets import HILLS, WITH_MEAN
from ...kernels import Gaussian, Linear
from ...npt import NPT, Kernelized
from ...one_class import SVDD
from ...pca_l1 import PCAL1, Coordinates, KernelPCAL1, climb, pca_l1_exact
from ...svm import SVC
from . import slip, statement
from .npt import lasso, ridge, rotation
from .pca_l1 import as_printed


def _points(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 2))


slip(
    "E-K1", "s10",
    "the proof calls K the outer product of Φ(X) with itself",
    "the formula beside it, ΦᵀΦ, holds the inner products of the images, one for each pair of points; the argument "
    "about the rank is right for it",
)  # fmt: skip


@statement(
    "E-K3", "s12", "B",
    "in passing: the upper triangular Cholesky factor Y′ of K is unique, and a unitary V takes Y to it",
    "uniqueness needs a positive definite K, and a centred K is singular; V (n × r) then has orthonormal columns only. "
    "The conclusion stands: coordinates are determined up to a rotation",
    "points 0, 1, −1, linear kernel: two upper triangular factors differ by {}, their products by {}",
)  # fmt: skip
def _():
    x = np.array([0.0, 1.0, -1.0])
    one, two = (np.outer(np.eye(3)[row], x) for row in (0, 1))  # both upper triangular, as x begins with a zero
    return float(np.abs(one - two).max()), float(np.abs(one.T @ one - two.T @ two).max())


slip(
    "E-K4", "s8 and s16",
    "φ_w(x) is the number ⟨w, φ(x)⟩ on s8 and a vector along w on s16",
    "the number is the coordinate along w if ‖w‖ = 1; the vector is that coordinate times w",
)  # fmt: skip

slip(
    "E-K5", "s28",
    "the constraint is written with W before Wᵀ and set equal to I_m",
    "WᵀW = I_m: the m columns of W are orthonormal, as the index m says",
)  # fmt: skip


@statement(
    "E-K7", "s32", "B",
    "step 4b: at rest, if some wᵀx_i is zero, push w by a small random vector and go on",
    "this needs x_i ≠ 0: a point at the mean has wᵀx_i = 0 for every w. Leave rows that are zero out",
    "rounds on five points, one of them at the mean: {} and no end (we stopped there), {} without that row",
)  # fmt: skip
def _():
    return sum(1 for _ in as_printed(WITH_MEAN)), sum(1 for _ in PCAL1(restarts=0).steps(WITH_MEAN))


@statement(
    "E-K8", "s28-32", "B",
    "the end of the iteration is called w*, as the maximiser is on s37; which maximum it is, the pages leave open",
    "the iteration ends at a local maximum: start it several times and keep the best end",
    "dispersion of six points: {} at the worst end of 36 starts, {} at the maximum over all sign vectors",
)  # fmt: skip
def _():
    rows = Coordinates(HILLS - HILLS.mean(0))
    starts = np.deg2rad(np.arange(0, 180, 5))
    ends = [list(climb(rows, w))[-1][2] for w in np.column_stack([np.cos(starts), np.sin(starts)])]
    return min(ends), pca_l1_exact(HILLS)[1]


@statement(
    "E-K9", "s6, s26 and s37", "A",
    "the kernel trick is not applicable to PCA-L1, because its norm brings no dot products; its kernel version is "
    "obtained by running PCA-L1 on Y",
    "the same iteration runs on K alone: w = Σ p_i φ(x_i), so p ← sign(Kp). What decides is how the size of w is "
    "measured (with ‖w‖₂ the solution lies in the span of the images), not the norm of the loss",
    "two components from K alone against those on Y: signs that ever differ {}, scores off by {}",
)  # fmt: skip
def _():
    by_gram, by_npt = (KernelPCAL1(Gaussian(), 2, route=route) for route in ("gram", "npt"))
    X, Xt = _points(40), _points(20, seed=1)
    signs = [np.array([step.signs for step in model.steps(X)]) for model in (by_gram, by_npt)]
    off = np.abs(by_gram.fit(X).transform(Xt) - by_npt.fit(X).transform(Xt)).max()
    return f"{int((signs[0] != signs[1]).sum())} of {signs[0].size}", float(off)


@statement(
    "E-K10", "s20 and s38", "B",
    "M applied to the coordinates is the kernel version of M, for any problem that can be handled in input space",
    "for methods that do not notice a rotation of the coordinates, which s12 determines up to one; a lasso does "
    "notice. For new points see E-K21 too",
    "predictions on two equally good sets of coordinates differ by {} for a lasso, by {} for ridge regression",
)  # fmt: skip
def _():
    X = _points(30)
    t, Z = np.sin(2 * X[:, 0]), NPT(Gaussian(1.5)).fit_transform(X)
    turned = Z @ rotation(Z.shape[1], 1)
    return tuple(float(np.abs(Z @ fit(Z, t) - turned @ fit(turned, t)).max()) for fit in (lasso, ridge))


slip(
    "E-K20", "s8",
    "a point x is said to lie on the subspace P",
    "it is the image φ(x) that can lie on P",
)  # fmt: skip


@statement(
    "E-K21", "s20", "A",
    "in the test phase y is called the coordinate of φ(x), and M(y) = KM(x)",
    "y is the coordinate of the projection φ_P(x), as s11 has it; the residual √(k(x, x) − yᵀy) of s14 is one "
    "coordinate more. M(y) = KM(x) holds for methods that see a new point only through inner products with the span "
    "of the training images, not for those that use ‖φ(x)‖, such as SVDD",
    "SVDD score of the new point (0, 5), training points (∓1, 0), linear kernel: {} from y, {} from the kernel",
)  # fmt: skip
def _():
    X, new, sphere = [[-1.0, 0.0], [1.0, 0.0]], [[0.0, 5.0]], SVDD(Linear(), 1.0, tol=1e-9)
    return tuple(float(m.fit(X).decision_function(new)[0]) for m in (Kernelized(sphere, Linear()), sphere))


@statement(
    "E-K22", "s23-25", "B",
    "the hard-margin problem and its two duals (1) and (2), which are the same",
    "they are the same, and have a solution if the classes can be separated in feature space; otherwise the dual has "
    "no maximum, and the slack of 004/s4 is needed",
    "dual value on two equal points of opposite class: {} with α up to 10, {} with α up to 100",
)  # fmt: skip
def _():
    for most in 10, 100:
        model = SVC(Linear(), most).fit(np.ones((2, 1)), [-1, 1])
        yield float(model.alpha_.sum() - 0.5 * model.w_norm_**2)
