"""Slips of lecture 000 (Kwak, the nonlinear projection trick)."""

import numpy as np

from .._linalg import pivoted_cholesky
from ..centering import center_gram
from ..features import poly2_map
from ..kernels import Gaussian, Polynomial
from ..npt import NPT
from . import by_eye, register
from .npt import lasso, ridge, rotation


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


by_eye(
    "E-K20", "s5 and s8", 1, "N",
    printed="the Gram matrix is written with ⟨xᵢ, xⱼ⟩, and a point x is said to lie on the subspace P",
    corrected="its entries are ⟨φ(xᵢ), φ(xⱼ)⟩, and it is the image φ(x) that can lie on P",
)  # fmt: skip
