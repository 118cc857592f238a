"""Lecture 003, Vasconcelos."""

import numpy as np

from .._linalg import top_eigh
from ..centering import center_gram
from ..kernels import Gaussian, Polynomial
from ..pca import PCA, KernelPCA
from . import register
from .kernel_pca import literal_scores
from .pca import S_B, S_W, best_direction, quotient


def _points(n, d=2, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) + 1.0


@register(
    "E-V10", "s34", 2, "R",
    "the quotient is largest where S_B w = λ S_W⁻¹ w",
    "where S_B w = λ S_W w, with S_W positive definite; both agree when S_W = I, so PCA hides the slip",
    "quotient at the direction found",
)  # fmt: skip
def _():
    return tuple(float(quotient(best_direction(S_B, S_W, printed), S_B, S_W)) for printed in (True, False))


@register(
    "E-V11", "s34-35", 1, "R",
    "Σ is X_cX_cᵀ/n, and two lines later X_cX_cᵀ",
    "the same axes, but the eigenvalues differ by the factor n; only with 1/n are they variances",
    "first eigenvalue divided by the variance of the first scores, n = 12",
)  # fmt: skip
def _():
    X = _points(12, 3)
    model = PCA(1).fit(X)
    variance = model.transform(X).var()
    return float(model.lam_[0] / variance), float(model.explained_variance_[0] / variance)


@register(
    "E-V12", "s33-34", 2, "R",
    "the dual goes through the inverse of the n × n matrix X_cᵀX_c",
    "centred points sum to zero, so it never has one; the pseudo-inverse does it, or no inverse at all",
    "rank of that 12 × 12 matrix for points in three dimensions",
)  # fmt: skip
def _():
    Xc = _points(12, 3) - _points(12, 3).mean(0)
    return 12, int(np.linalg.matrix_rank(Xc @ Xc.T))


@register(
    "E-V13", "s35 and s37", 2, "R",
    "the axes of dual PCA are X_cα with eigenvectors α of length 1",
    "divide by √λ, or the axis is as long as √λ",
    "length of the first axis",
)  # fmt: skip
def _():
    X = _points(12, 3)
    dual = PCA(1, route="dual").fit(X)
    Xc = X - X.mean(0)
    u = Xc @ dual.components_[0] / np.sqrt(dual.lam_[0])
    return float(np.linalg.norm(Xc.T @ u)), float(np.linalg.norm(dual.components_[0]))


@register(
    "E-V14", "s36-37", 3, "R",
    "centre the inputs, then apply the kernel",
    "centre in feature space, Kc = HKH; a Gaussian does not even notice that inputs moved",
    "squared length of the mean image that remains",
)  # fmt: skip
def _():
    X = _points(30)
    return float(Gaussian(2.0)(X - X.mean(0)).mean()), float(center_gram(Gaussian(2.0)(X)).mean())


@register(
    "E-V15", "s38", 2, "R",
    "a new x goes into the kernel as it is, against inputs that were centred",
    "new points get the same shift, and the same centring in feature space",
    "training points used as new ones, scores off by",
)  # fmt: skip
def _():
    X = _points(30)
    Xc, kernel = X - X.mean(0), Gaussian(2.0)
    trained = literal_scores(kernel, X, X, centering="input", unit_axes=False)
    printed = kernel(X, Xc) @ top_eigh(kernel(Xc), 1)[1]
    model = KernelPCA(kernel, 1).fit(X)
    return float(np.abs(printed - trained).max()), float(np.abs(model.transform(X) - model.fit_transform(X)).max())


@register(
    "E-V16", "s21-22", 1, "M",
    "(xᵀz)² works in d² dimensions and belongs to the family (1 + xᵀz)^k",
    "x_i x_j and x_j x_i coincide, so d(d+1)/2 dimensions are used; without the 1 it is a family of its own",
    "dimensions in use for d = 3",
)  # fmt: skip
def _():
    return 9, int(np.linalg.matrix_rank(Polynomial(2, 0.0)(_points(40, 3))))
