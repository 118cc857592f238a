"""Homework 2 of 001/p127: data of your own."""

import numpy as np

from ...graph import components, graph_modes, knn_graph
from ..checking import LARGEST, Wrong, floats, matrix, near, whole
from . import part
from .homework_1 import ZERO, eigenvalues, modes_are_right, spectrum_is_right


@part("2a", points=3)
def _data(X):
    own_data(X)
    return True


def own_data(X):
    """The data as an array; 50 to 2000 points that differ."""
    try:
        X = floats(X)
    except (TypeError, ValueError):
        raise Wrong(
            "The data should be an array of numbers, a row for each point. Words have to become numbers first, or go."
        ) from None
    if X.ndim != 2:
        raise Wrong(
            f"The data should have rows (points) and columns (features); yours is an array of {X.ndim} "
            f"{'axis' if X.ndim == 1 else 'axes'}."
        )
    if not 50 <= len(X) <= 2000:
        raise Wrong(f"There are {len(X)} points; take between 50 and 2000.")
    if not 2 <= X.shape[1] <= 1000:
        raise Wrong(f"There are {X.shape[1]} columns; take from 2 to 1000.")
    if not np.isfinite(X).all():
        raise Wrong(
            f"{np.sum(~np.isfinite(X).all(1))} rows hold values that are missing or infinite: fill or drop them."
        )
    different = len(np.unique(X, axis=0))
    if different < len(X) / 2:
        raise Wrong(f"Of {len(X)} points only {different} differ: duplicates have no order among neighbours.")
    spread = np.ptp(X)
    if not 1e-6 <= spread <= LARGEST or np.abs(X).max() > LARGEST:
        raise Wrong(
            f"The entries go from {X.min():.3g} to {X.max():.3g}: choose units in which they differ by more than a "
            "millionth and by less than a million millions, or distances drown in rounding."
        )
    if X.shape[1] == 3 and np.abs(X[:, 0] ** 2 + (np.abs(X[:, 2]) - 1) ** 2 - 1).max() < 0.1:
        raise Wrong("This is the S-curve again. Anything else will do: measurements, images, a file of yours.")
    return X


@part("2b", points=5)
def _own_embedding(X, k, mu, Y):
    X, k = own_data(X), whole(k, "k")
    if not 1 <= k < len(X):
        raise Wrong(f"k = {k}: take a number of neighbours between 1 and {len(X) - 1}.")
    W = knn_graph(X, k)
    parts, part = components(W)
    if parts > 1:
        sizes = ", ".join(map(str, np.sort(np.bincount(part))[::-1][:4]))
        raise Wrong(
            f"With k = {k} the graph falls into {parts} parts (of {sizes}{', ...' * (parts > 4)} points): take "
            "more neighbours, or embed the largest part and say so."
        )
    Y = matrix(Y, (len(X), None), "Y")
    m = Y.shape[1]
    if not 2 <= m <= 10:
        raise Wrong(f"Y has {m} columns; take from 2 to 10 coordinates.")
    mu, W = eigenvalues(mu, m), W.toarray()
    modes_are_right(W, mu, Y)
    energy = np.trace(Y.T @ (np.diag(W.sum(1)) - W) @ Y)
    if not abs(energy - mu[1 : m + 1].sum()) <= ZERO:
        raise Wrong(
            f"The energy tr(YᵀLY) = {energy:.4g} should be the sum of the eigenvalues, {mu[1 : m + 1].sum():.4g}."
        )
    spectrum_is_right(W, mu, m)
    return True


@part("2c", points=4)
def _sweep(X, sweep):
    X = own_data(X)
    try:
        table = floats(sweep)
    except (TypeError, ValueError):
        table = np.zeros(0)
    if table.ndim != 2 or table.shape[1] != 3 or len(table) > 20 or not np.isfinite(table).all():
        raise Wrong(
            "sweep should be a table with three columns, k, the number of parts and the smallest eigenvalue above "
            "zero, and with five to twenty rows of finite numbers."
        )
    ks = table[:, 0]
    if len(np.unique(ks)) < 5 or ks.min() < 1 or ks.max() >= len(X) or (ks != np.round(ks)).any():
        raise Wrong(
            f"Try at least five different k, whole numbers from 1 to {len(X) - 1}; the table has {len(np.unique(ks))}."
        )
    for k, parts, smallest in table:
        W = knn_graph(X, int(k))
        true, _ = components(W)
        if parts != true:
            raise Wrong(f"With k = {k:.0f} the graph has {true} part{'s' * (true > 1)}, your table says {parts:g}.")
        mu = graph_modes(W, true + 1)[0][-1]
        short = [round(mu, decimals) for decimals in (3, 4, 5)]  # a table may have three decimals
        if not near(smallest, mu) and not (smallest > 0 and np.abs(smallest - short).min() <= 1e-6):
            raise Wrong(
                f"With k = {k:.0f} the smallest eigenvalue above zero is {mu:.4g}, your table says {smallest:.4g}."
            )
    return True
