"""Slips of lecture 000 (Kwak, the nonlinear projection trick)."""

import numpy as np

from .._linalg import pivoted_cholesky
from ..centering import center_gram
from ..features import poly2_map
from ..kernels import Gaussian, Polynomial
from ..npt import NPT
from ..pca_l1 import PCAL1, KernelPCAL1, Rows, climb, pca_l1_exact
from . import _show, by_eye, register
from .npt import lasso, ridge, rotation
from .pca_l1 import (
    HILLS,
    WITH_MEAN,
    absolute_loss,
    absolute_loss_from_gram,
    as_printed,
    r1_from_gram,
    r1_rounds,
)


def _points(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 2))


@register(
    "E-K1", "s10", 1, "R",
    "K is the outer product of Φ(X) with itself",
    "K holds the inner products of the images, one for each pair of points; the outer product belongs to features",
    "size for 14 points and 6 features",
)  # fmt: skip
def _():
    Phi, K = poly2_map(_points(14)), Polynomial(2)(_points(14))
    outer, inner = Phi.T @ Phi, Phi @ Phi.T
    assert np.allclose(inner, K)
    return " × ".join(map(str, outer.shape)), " × ".join(map(str, inner.shape))


@register(
    "E-K2", "s14", 2, "U",
    "the squared residual is k(x, x) - yᵀy, with no word on centring k(x, x)",
    "k(x, x) must be centred too: κ(x, x) - 2 mean κ(x, x_i) + mean 𝒦",
    "squared residual of a point whose image lies in the span; it is 0",
)  # fmt: skip
def _():
    model, x = NPT(Polynomial(2)).fit(_points(20)), np.array([[1.5, -1.0]])
    y = model.transform(x)[0]
    return float(Polynomial(2).diag(x)[0] - y @ y), float(model.residual(x)[0] ** 2)


@register(
    "E-K3", "s12", 1, "R",
    "the Cholesky factor of K is unique, and a unitary V takes it to Y",
    "a centred K is singular: its n × n factor is not unique, and V (n × r) has orthonormal columns but not rows",
    "defect of VVᵀ = I, then of VᵀV = I",
)  # fmt: skip
def _():
    X = _points(12)
    model, K = NPT(Polynomial(2)).fit(X), center_gram(Polynomial(2)(X))
    L = pivoted_cholesky(K)[0]
    C = np.column_stack([L, np.zeros((12, 12 - L.shape[1]))])
    V = C.T @ model.fit_transform(X) / model.lam_
    return float(np.linalg.norm(V @ V.T - np.eye(12), 2)), float(np.linalg.norm(V.T @ V - np.eye(model.rank_), 2))


@register(
    "E-K4", "s8 and s16", 1, "N",
    "the projection on w is the number ⟨w, φ(x)⟩, later a vector along w of another length",
    "the signed length is ⟨w, φ(x)⟩ / ‖w‖, and the vector is that times w / ‖w‖",
    "signed length, with w as long as 5",
)  # fmt: skip
def _():
    X = _points(14)
    Phi = poly2_map(X) - poly2_map(X).mean(0)
    w = Phi.T @ np.linspace(-1, 1, 14)
    w *= 5 / np.linalg.norm(w)
    return float(w @ Phi[0]), float(w @ Phi[0] / np.linalg.norm(w))


@register(
    "E-K5", "s28", 2, "R",
    "the constraint is WWᵀ = I",
    "WᵀW = I: the m columns of W (d × m) are orthonormal; WWᵀ has rank m and cannot be the identity",
    "defect of WWᵀ = I, then of WᵀW = I, for two axes in five dimensions",
)  # fmt: skip
def _():
    W = PCAL1(2).fit(np.random.default_rng(0).standard_normal((30, 5))).components_.T
    return float(np.linalg.norm(W @ W.T - np.eye(5))), float(np.linalg.norm(W.T @ W - np.eye(2)))


@register(
    "E-K6", "s28", 1, "U",
    "the dispersion Σ‖Wᵀx‖₁ is invariant to rotations",
    "turn the data and W turns with it; but turn W inside its own plane and the dispersion changes",
    "change of the dispersion: W turned by 30° in its plane, data turned",
)  # fmt: skip
def _():
    X = np.random.default_rng(0).standard_normal((40, 3)) * [3, 2, 1]
    turn, Q = rotation(3, 1), np.array([[np.sqrt(3), -1], [1, np.sqrt(3)]]) / 2
    first, turned = PCAL1(2).fit(X), PCAL1(2).fit(X @ turn)
    inside = np.abs(first.transform(X) @ Q).sum() - np.abs(first.transform(X)).sum()
    return float(inside), float(np.abs(turned.dispersion_ - first.dispersion_).max())


@register(
    "E-K7", "s32", 2, "R",
    "step 4b: as long as some wᵀx is zero, push w and go on",
    "a point at the mean has wᵀx = 0 for every w: leave zero rows out, and start where the flipped sum is not zero",
    "rounds on five points with their mean among them, stopped at 1000",
)  # fmt: skip
def _():
    return sum(1 for _ in as_printed(WITH_MEAN)), sum(1 for _ in PCAL1(restarts=0).steps(WITH_MEAN))


@register(
    "E-K8", "s29-32", 2, "U",
    "the algorithm converges to the solution of (5)",
    "it converges to a local maximum: start it several times and keep the best",
    "dispersion of six points: worst end of a climb, maximum over all sign vectors",
)  # fmt: skip
def _():
    rows = Rows(HILLS - HILLS.mean(0))
    starts = np.deg2rad(np.arange(0, 180, 5))
    ends = [list(climb(rows, w))[-1][2] for w in np.column_stack([np.cos(starts), np.sin(starts)])]
    return min(ends), pca_l1_exact(HILLS)[1]


@register(
    "E-K9", "s6, s26 and s37", 3, "R",
    "PCA-L1 has no kernel version, because its norm is not a sum of squares",
    "p ← sign(Kp), score = k(x)ᵀp / √(pᵀKp), K ← K - Kp(Kp)ᵀ / pᵀKp: no coordinates anywhere",
    "two components from K alone against NPT: signs that ever differ, scores off by",
)  # fmt: skip
def _():
    by_gram, by_npt = (KernelPCAL1(Gaussian(), 2, route=route) for route in ("gram", "npt"))
    X, Xt = _points(40), _points(20, seed=1)
    signs = [np.array([step.signs for step in model.steps(X)]) for model in (by_gram, by_npt)]
    off = np.abs(by_gram.fit(X).transform(Xt) - by_npt.fit(X).transform(Xt)).max()
    return "no such algorithm", f"{int((signs[0] != signs[1]).sum())} of {signs[0].size}, {_show(float(off))}"


@register(
    "E-K10", "s20 and s38", 2, "M",
    "the trick serves any method that works in input space",
    "only methods blind to a rotation of the coordinates, because Y itself is determined up to one",
    "predictions on two equally good sets of coordinates differ by: lasso, ridge",
)  # fmt: skip
def _():
    X = _points(30)
    t, Z = np.sin(2 * X[:, 0]), NPT(Gaussian(1.5)).fit_transform(X)
    turned = Z @ rotation(Z.shape[1], 1)
    return tuple(float(np.abs(Z @ fit(Z, t) - turned @ fit(turned, t)).max()) for fit in (lasso, ridge))


@register(
    "E-K11", "s19", 2, "U",
    "keep the nonzero eigenvalues",
    "in floating point all are nonzero and some negative: keep those above a relative tolerance, say 1e-10",
    "are there coordinates that are not numbers?",
)  # fmt: skip
def _():
    lam, U = np.linalg.eigh(center_gram(Gaussian(20.0)(_points(40))))
    with np.errstate(invalid="ignore"):
        literal = U[:, lam != 0] * np.sqrt(lam[lam != 0])
    kept = NPT(Gaussian(20.0)).fit_transform(_points(40))
    return tuple("yes" if np.isnan(Z).any() else "no" for Z in (literal, kept))


@register(
    "E-K12", "s20", 2, "U",
    "M(Y) = KM(X) for every method M",
    "both sides must centre, or neither: ridge without an intercept notices, PCA, SVM and k-means do not",
    "ridge by NPT against ridge by a kernel matrix: uncentred, centred",
)  # fmt: skip
def _():
    X = _points(30)
    t, Z = 1 + np.sin(2 * X[:, 0]), NPT(Gaussian(1.5)).fit_transform(X)
    K = Gaussian(1.5)(X)
    by_npt = Z @ ridge(Z, t)
    return tuple(
        float(np.abs(by_npt - G @ np.linalg.solve(G + 0.1 * np.eye(30), t)).max()) for G in (K, center_gram(K))
    )


@register(
    "E-K15", "s14", 1, "U",
    "with a new point the images need r + 1 dimensions",
    "at most r + 1; the old r are enough when the new image already lies in their span",
    "dimensions after adding a point to 20, quadratic kernel",
)  # fmt: skip
def _():
    X = _points(21)
    return NPT(Polynomial(2)).fit(X[:20]).rank_ + 1, NPT(Polynomial(2)).fit(X).rank_


@register(
    "E-K17", "s26 and s38", 2, "M",
    "NPT makes methods possible that K alone does not",
    "a method that does not see rotations is a function of K: NPT makes it convenient, not possible",
    "scores of R1-PCA, all rounds, from K alone against NPT: off by",
)  # fmt: skip
def _():
    X = _points(30)
    pairs = zip(r1_from_gram(center_gram(Gaussian()(X)), 2), r1_rounds(NPT().fit_transform(X), 2), strict=False)
    return "needs NPT", max(float(np.abs(np.abs(a) - np.abs(b)).max()) for a, b in pairs)


@register(
    "E-K18", "s6 and s26", 2, "R",
    "with another norm than L2 in the problem, the kernel trick is lost",
    "the norm of the loss does not matter, that of w does: with ‖w‖₂ the solution is w = Σ αᵢ φ(xᵢ) for every loss",
    "regression with absolute errors, from K alone against six features: off by",
)  # fmt: skip
def _():
    X = _points(30)
    y, Phi, K = np.sin(2 * X[:, 0]) + X[:, 1] ** 2, poly2_map(X), Polynomial(2)(X)
    off = K @ absolute_loss_from_gram(K, y, 1.0) - Phi @ absolute_loss(Phi, y, 1.0)
    return "no kernel version", float(np.abs(off).max())


by_eye(
    "E-K19", "s1", 1, "N",
    printed="the first name of the author of the tutorial it builds on is misspelt",
    corrected="Nello Cristianini",
)  # fmt: skip

by_eye(
    "E-K20", "s5 and s8", 1, "N",
    printed="the Gram matrix is written with ⟨xᵢ, xⱼ⟩, and a point x is said to lie on the subspace P",
    corrected="its entries are ⟨φ(xᵢ), φ(xⱼ)⟩, and it is the image φ(x) that can lie on P",
)  # fmt: skip
