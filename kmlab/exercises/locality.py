"""Exercises of notebook 13, locality."""

import numpy as np

from .. import datasets
from ..errata.locality import three_clouds
from ..graph import graph_modes, knn_graph
from ..kernels import Polynomial
from ..npt import NPT
from . import NotAttempted, Wrong, close, exercise, same_function


@exercise("13.1", "A function may be constant on each component without costing anything: count the free constants.")
def _(answer):
    mu, _ = graph_modes(knn_graph(three_clouds()[0], 5), 9)
    return close(answer, (mu < 1e-9).sum(), rel=1e-9)


@exercise("13.2", "D = diag(1, 2, 1). Try the vectors (1, 1, 1), (1, 0, -1) and (1, -1, 1).")
def _(answer):
    answer = list(answer) if isinstance(answer, set) else answer
    return close(np.sort(np.ravel(answer)), graph_modes(np.eye(3, k=1) + np.eye(3, k=-1), 3)[0])


@exercise("13.3", "The second mode along the arc has energy (2π/(3π))², the first across (π/width)²: equate them.")
def _(answer):
    return close(answer, 3 * np.pi / 2)


@exercise("13.4", "scipy.linalg.eigh(D - W, D) returns ascending eigenvalues and D-orthonormal columns; drop column 0.")
def _(answer):
    if not callable(answer):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    for seed, k in (1, 2), (2, 3):
        W = knn_graph(datasets.s_curve(90, 5.0, seed=seed)[0], 8).toarray()
        Y = answer(W.copy(), k)
        if Y is None:
            raise NotAttempted
        Y, D = np.asarray(Y, dtype=float), np.diag(W.sum(1))
        if Y.shape != (90, k):
            raise Wrong(f"Your embedding of 90 points has shape {Y.shape}, {(90, k)} is needed.")
        if np.ptp(Y[:, 0]) < 1e-9:
            raise Wrong("Your first coordinate is constant: that is the vector to leave out.")
        if np.abs(Y.T @ D @ Y - np.eye(k)).max() > 1e-8:
            raise Wrong("YᵀDY is not the identity: the lengths or the angles are measured without D.")
        truth = graph_modes(W, k + 1)[1][:, 1:]
        if np.abs(np.abs((Y * (D @ truth)).sum(0)) - 1).max() > 1e-6:
            raise Wrong("The columns are D-orthonormal, but not the smoothest ones in their order.")
    return True


@exercise("13.5", "Every vector of the null space of K gives 0 on the left side; so count n minus the rank of K.")
def _(answer):
    X = np.random.default_rng(135).standard_normal((50, 2))
    return close(answer, 50 - NPT(Polynomial(2), center=False).fit(X).rank_, rel=1e-9)


@exercise("13.6", "Every degree is 2, so μ = 1 - λ(W)/2, and the waves cos(2πkj/n) are eigenvectors of W.")
def _(answer):
    def truth(n):
        return graph_modes(np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0), n)[0]

    return same_function(answer, truth, [(5,), (8,), (13,)])
