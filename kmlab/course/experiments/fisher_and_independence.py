"""Notebook 14: the homework's derivation line by line, HSIC as a share, and the errors of kernel ICA."""

import numpy as np

from ...cca import KernelICA, amari_error
from ...dependence import hsic
from ...discriminant import FDA, fda_weights, scatter
from ..samples import mixed_sources
from . import Stage


def dual_walk(X, y):
    """From S_b b = λ S_w b to its dual with the linear kernel, one line at a time.

    The value of a stage are both sides, as matrices with a column for each eigenvalue.
    """
    X = X - X.mean(0)
    W_b, W_w = fda_weights(y)
    model = FDA().fit(X, y)
    B, lam, K = model.components_.T, model.lam_, X @ X.T
    A = np.linalg.pinv(X).T @ B
    primal = scatter(X, W_b) @ B, scatter(X, W_w) @ B * lam
    yield Stage("S_b B = S_w B Λ", primal, "the primal: as many rows as features.")
    L_b, L_w = np.diag(W_b.sum(1)) - W_b, np.diag(W_w.sum(1)) - W_w
    weighted = X.T @ L_b @ X @ B, X.T @ L_w @ X @ B * lam
    yield Stage("XᵀLᵇX B = XᵀLʷX B Λ", weighted, "the same matrices, written with the weights of the page.")
    mixed = X.T @ L_b @ K @ A, X.T @ L_w @ K @ A * lam
    yield Stage("XᵀLᵇK A = XᵀLʷK A Λ", mixed, "put B = XᵀA: inner products appear.")
    dual = K @ L_b @ K @ A, K @ L_w @ K @ A * lam
    yield Stage("K Lᵇ K A = K Lʷ K A Λ", dual, "multiply by X: the dual, as many rows as points, and nothing but K.")


def hsic_share(X, Y, kernel):
    """HSIC(x, y) / √(HSIC(x, x) HSIC(y, y)), the alignment of the two centred Gram matrices: from 0 to 1."""
    return hsic(X, Y, kernel, kernel) / np.sqrt(hsic(X, X, kernel, kernel) * hsic(Y, Y, kernel, kernel))


def amari_errors(sources, draws=20):
    """The error of kernel ICA on that many draws of the sources, mixed; (draws,)."""
    data = (mixed_sources(sources, seed=seed) for seed in range(draws))
    return np.array([amari_error(KernelICA().fit(X).components_, A) for X, A in data])
