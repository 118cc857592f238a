"""Notebook 13: an eigenmap, stage by stage, and energies by formula."""

import numpy as np

from ...graph import graph_modes, knn_graph, laplacian, nearest
from ..plane import unit
from . import Stage

LENGTH = 3 * np.pi  # of the arc of an S


def direction_energy(X, n_neighbors, degrees):
    """bᵀXᵀLXb / bᵀXᵀDXb, the quotient behind (LPP.1), for directions b of the plane; X about its weighted mean."""
    W = knn_graph(X, n_neighbors)
    d = W.sum(1)
    X = X - d @ X / d.sum()
    g = X @ unit(degrees).T  # (n, m)
    return (g * (laplacian(W) @ g)).sum(0) / (d @ g**2)


def stages(X, n_neighbors=4):
    """An eigenmap from the points to its coordinates, one stage at a time."""
    _, neighbor = nearest(X, n_neighbors)
    W = knn_graph(X, n_neighbors)
    mu, Phi = graph_modes(W, 3)
    k = n_neighbors
    yield Stage("points", X, f"{len(X)} points on an S, numbered from end to end; no algorithm is told so.")
    yield Stage("neighbours", neighbor, f"Every point looks for its {k} nearest; here are the choices of three.")
    yield Stage("graph", W.toarray(), f"{W.nnz // 2} edges: one side is enough. From here on the places are forgotten.")
    yield Stage("L", laplacian(W).toarray(), "Degrees on the diagonal, minus one for each edge: all rows sum to zero.")
    yield Stage("mode 0", Phi[:, 0], "The smoothest function is constant, energy 0. Nothing to see: dropped.")
    yield Stage("mode 1", Phi[:, 1], f"The next smoothest, energy {mu[1]:.4f}, runs from the first to the last point.")
    yield Stage("mode 2", Phi[:, 2], f"There and back again: {mu[2] / mu[1]:.1f} times the energy, {mu[2]:.4f}.")
    yield Stage("embedding", Phi[:, 1:], "Modes 1 and 2 as coordinates. One coordinate was enough, two give a bow.")


def membrane_spectrum(width, n_modes, length=LENGTH):
    """(pπ/length)² + (qπ/width)², smallest first without 0, and whether a mode runs along the arc, across, or both."""
    p, q = np.meshgrid(np.arange(30), np.arange(30))
    energy = ((p * np.pi / length) ** 2 + (q * np.pi / width) ** 2).ravel()
    order = np.argsort(energy, kind="stable")[1 : n_modes + 1]
    kinds = ["arc" if q.flat[i] == 0 else "across" if p.flat[i] == 0 else "both" for i in order]
    return energy[order], kinds
