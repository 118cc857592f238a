"""Exercises of notebook 13, locality."""

import numpy as np

from ...datasets import three_clouds
from ...graph import graph_modes, knn_graph
from ...kernels import Polynomial
from ...manifold import LPP
from ...npt import NPT
from ..checking import SINGLE, Wrong, as_array, close, exactly, same_function, value_of
from . import exercise


@exercise("13.1", "A function may be constant on each component without costing anything: count the free constants.")
def _(answer):
    mu, _ = graph_modes(knn_graph(three_clouds()[0], 5), 9)
    return exactly(answer, (mu < 1e-9).sum())


@exercise("13.2", "What are D and L here? Try vectors that look the same from both ends, and one that changes sign.")
def _(answer):
    answer = list(answer) if isinstance(answer, set) else answer
    return close(np.sort(np.ravel(answer)), graph_modes(np.eye(3, k=1) + np.eye(3, k=-1), 3)[0])


@exercise("13.3", "Which wave should come second, and which one competes with it? At the border both cost the same.")
def _(answer):
    return close(answer, 3 * np.pi / 2)


@exercise("13.4", "First (LPP.3), then (LPP.1), which is symmetric on both sides: scipy's eigh takes two matrices.")
def _(answer):
    for seed, d, k in (1, 4, 2), (2, 6, 3):
        X = np.random.default_rng(seed).standard_normal((60, d)) * np.linspace(1, 3, d) + 2
        model = LPP(k, 6, center="D").fit(X)
        W, mean = model.graph_.toarray(), model.mean_
        B = as_array(value_of(answer, X, W, k, instead=[LPP]), (d, k))
        G = B.T @ (X - mean).T @ (W.sum(1)[:, None] * (X - mean)) @ B
        if np.abs(np.diag(G) - 1).max() > 1e-3:
            raise Wrong(f"Your first coordinate has gᵀDg = {G[0, 0]:.3g} around the weighted mean, 1 is needed.")
        off = np.abs(B * np.sign((B * model.components_.T).sum(0)) - model.components_.T).max()
        if off > 10 * SINGLE * np.abs(B).max():
            raise Wrong("The lengths are right, the directions are not: where is the origin, and which μ come first?")
    return True


@exercise("13.5", "Spurious are the solutions with Kα = 0. How many features has this kernel on the plane?")
def _(answer):
    X = np.random.default_rng(135).standard_normal((50, 2))
    spurious = 50 - NPT(Polynomial(2), center=False).fit(X).rank_
    if exactly(answer, spurious + 1):
        raise Wrong("So many eigenvalues are zero, and one of them is honest: this kernel can express the constant.")
    return exactly(answer, spurious)


@exercise("13.6", "Waves that close around the cycle are the eigenvectors. What does W make of cos(2πkj/n)?")
def _(answer):
    def truth(n):
        return graph_modes(np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0), n)[0]

    return same_function(answer, truth, [(5,), (8,), (13,)])
