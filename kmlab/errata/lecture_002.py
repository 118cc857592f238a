"""Lecture 002, Belanche."""

import numpy as np

from ..centering import center_gram
from ..kernels import Gaussian, NegativePower, Polynomial, feature_distance2
from ..pca import PCA, KernelPCA
from . import by_eye, register
from .kernel_pca import literal_scores
from .pca import clusters_on_a_circle, cut_accuracy, parallel_classes, strip


def _points(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 2))


@register(
    "E-B1", "s6-7", 2, "R",
    "for k PSD the squared distance is k(x, x) + k(z, z) - 2k(x, z), for k CPSD it is -k(x, z)",
    "for one kernel the first is twice the second; the distance of the theorem is ½(k(x, x) + k(z, z)) - k(x, z)",
    "squared distance of two points under -‖x - z‖²: by s7, by the theorem of s6",
)  # fmt: skip
def _():
    K = NegativePower(2)(_points(20, seed=2))
    return tuple(float(feature_distance2(G)[0, 1]) for G in (K, center_gram(K) / 2))


@register(
    "E-B2", "s7", 2, "U",
    "for every CPSD kernel √(-k) is a Euclidean distance",
    "only if k(x, x) = 0; a Gaussian is CPSD too, and there the distance is that of ½(k(x, x) + k(z, z)) - k(x, z)",
    "squared distance of 0 and 1 under a Gaussian of width 1",
)  # fmt: skip
def _():
    K = Gaussian()([[0.0], [1.0]])
    return float(-K[0, 1]), float(feature_distance2(center_gram(K) / 2)[0, 1])


@register(
    "E-B3", "s6", 2, "M",
    "a kernel need only be CPSD, so more algorithms can be kernelized",
    "more kernels, and only for algorithms that do not feel k(x, z) + a(x) + a(z): those of distances, kernel PCA, the "
    "SVM; others must centre K first",
    "smallest eigenvalue of what kernel ridge regression inverts, K + ½I: raw, centred",
)  # fmt: skip
def _():
    K = NegativePower(2)(_points(20, seed=2))
    return tuple(float(np.linalg.eigvalsh(G + 0.5 * np.eye(20))[0]) for G in (K, center_gram(K)))


@register(
    "E-B4", "s11", 1, "U",
    "one direction has the largest variance, and the eigenvalues strictly fall",
    "one up to its sign, and only if λ₁ > λ₂; eigenvalues may be equal, and then whole planes of directions are best",
    "directions, out of 180, with the largest variance when C = I/2",
)  # fmt: skip
def _():
    X, angle = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), np.radians(np.arange(180))
    variance = (X @ np.array([np.cos(angle), np.sin(angle)])).var(0)
    return 1, int((variance > PCA(1).fit(X).explained_variance_[0] - 1e-12).sum())


@register(
    "E-B5", "s10", 1, "M",
    "where no original axis separates the classes, the rotated ones do",
    "PCA never sees a class: the direction that separates may come last, with the least variance",
    "points on the right side of a cut, on component 1 and on component 2",
)  # fmt: skip
def _():
    X, y = parallel_classes()
    return tuple(cut_accuracy(score, y) for score in PCA(2).fit_transform(X).T)


@register(
    "E-B6", "s19 and s27", 2, "N",
    "λ is an eigenvalue of K/N while deriving, but of K in the summary; α = v/√λ does not say which",
    "α = v/√λ with λ an eigenvalue of K makes every axis as long as 1",
    "squared length of the first axis, N = 20",
)  # fmt: skip
def _():
    model = KernelPCA(Gaussian(), 1).fit(X := _points(20))
    Kc = center_gram(Gaussian()(X))
    v = model.alphas_[:, 0] * np.sqrt(model.lam_[0])
    return tuple(float(v @ Kc @ v / lam) for lam in (model.lam_[0] / 20, model.lam_[0]))


@register(
    "E-B7", "s19", 1, "U",
    "λKα = K²α/N is the same as the eigenproblem λα = Kα/N",
    "it has more solutions, an eigenvector plus anything that K sends to zero; their scores are the same",
    "relative defect of such a solution, first in the eigenproblem, then in its scores",
)  # fmt: skip
def _():
    Kc = center_gram(Polynomial(2)(_points(20)))
    lam, U = np.linalg.eigh(Kc)
    alpha = U[:, -1] + U[:, 0]  # U[:, 0] spans a part of the null space: rank 5 of 20
    in_eigenproblem, in_scores = Kc @ alpha - lam[-1] * alpha, Kc @ (alpha - U[:, -1])
    return tuple(float(np.linalg.norm(defect) / lam[-1]) for defect in (in_eigenproblem, in_scores))


@register(
    "E-B8", "s20", 2, "R",
    "N points give N nonlinear components",
    "at most N - 1 after centring, and never more than feature space has dimensions",
    "components of 20 points in the plane",
)  # fmt: skip
def _():
    ranks = [len(KernelPCA(kernel).fit(_points(20)).lam_) for kernel in (Gaussian(), Polynomial(2), Polynomial(1))]
    return 20, f"{ranks[0]} (Gaussian), {ranks[1]} (quadratic), {ranks[2]} (linear)"


@register(
    "E-B10", "s25", 3, "R",
    "kernel PCA cannot rank its components",
    "λ/N is the variance of a score and λ/tr Kc its share of the whole, exactly as in linear PCA",
    "share of the variance in components 1, 2, 3",
)  # fmt: skip
def _():
    share = KernelPCA(Gaussian(), 3).fit(_points(20)).explained_variance_ratio_
    return "not defined", ", ".join(f"{s:.3f}" for s in share)


@register(
    "E-B11", "s26", 1, "N",
    "x̂ = Vx with V = [v₁; …; v_ℓ], and every v a column",
    "V has the axes as rows, or x̂ = Vᵀx with the axes as columns",
    "scores of a point in three dimensions on two axes, off by",
)  # fmt: skip
def _():
    X = np.random.default_rng(0).standard_normal((20, 3))
    model = PCA(2).fit(X)
    V, x = model.components_.T, X[0] - model.mean_  # axes as columns
    try:
        printed = V @ x
    except ValueError:
        printed = "no such product"
    return printed, float(np.abs(V.T @ x - model.transform(X)[0]).max())


@register(
    "E-B12", "s27", 2, "R",
    "centre K for the eigenvectors, then use the raw k for the scores",
    "use the centred k in both places; forgetting it shifts a component by a constant",
    "first scores off by",
)  # fmt: skip
def _():
    X = _points(20)
    right = KernelPCA(Gaussian(), 1).fit_transform(X)
    return tuple(float(np.abs(literal_scores(Gaussian(), X, X, raw_k=raw) - right).max()) for raw in (True, False))


@register(
    "E-B13", "s27", 1, "U",
    "no rule for points that were not in the training data",
    "the same formula with the training means in the centring (C.2)",
    "training points used as new ones, off by: with the raw k, with (C.2)",
)  # fmt: skip
def _():
    X = _points(20)
    model = KernelPCA(Gaussian(), 1).fit(X)
    right = model.fit_transform(X)
    return tuple(float(np.abs(scores - right).max()) for scores in (Gaussian()(X) @ model.alphas_, model.transform(X)))


@register(
    "E-B15", "s12", 1, "M",
    "more than d clusters in d dimensions: there are not enough components to separate them",
    "it depends on where the clusters lie, not on how many they are",
    "clusters in the plane, each cut off from all others by a straight line",
)  # fmt: skip
def _():
    X, y = clusters_on_a_circle(8)
    return 2, sum(strip(X, y == label)[0] > 0 for label in range(8))


by_eye(
    "E-B16", "s29", 1, "N",
    "the relevance vector machine is abbreviated SVM",
    "RVM; the SVM is the entry beside it",
)  # fmt: skip


by_eye(
    "E-B17", "s10-11", 1, "N",
    "the data lies near a hyperplane of R^ℓ; a slash stands for 'such that' beside a slash that divides",
    "near an ℓ-dimensional subspace of R^d; write the condition under the max",
)  # fmt: skip
