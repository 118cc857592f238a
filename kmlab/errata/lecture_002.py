"""Lecture 002, Belanche."""

import numpy as np

from ..centering import center_gram
from ..kernels import Gaussian, Polynomial
from ..pca import KernelPCA
from . import register
from .kernel_pca import literal_scores


def _points(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 2))


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
