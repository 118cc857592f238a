"""Homework 1 of 001/p127: the eigenmap, and the S unfolded."""

import numpy as np
from scipy.sparse import csr_array

from ... import datasets
from ...graph import components, graph_modes, knn_graph
from ...measures import rank_correlation
from .. import homework
from ..checking import SINGLE, Wrong, agree, as_numbers, matrix, value_of, whole
from . import digest, pair, part

ARC = 3 * np.pi  # length of the S
UNFOLDED = {"first": 0.98, "second": 0.85}  # what "unfolded" means: rank correlations of the two coordinates
ZERO = 1e-5  # an eigenvalue below it is a zero, in single precision too


@part("1a", points=4)
def _graph(neighbour_graph):
    graph_is_right(neighbour_graph, datasets.s_curve(80, 5.0, seed=3)[0], 5)
    graph_is_right(neighbour_graph, np.random.default_rng(13).standard_normal((30, 4)), 1)
    graph_is_right(neighbour_graph, np.random.default_rng(16).standard_normal((130, 8)) * np.arange(1, 9), 13)
    return True


def graph_is_right(neighbour_graph, X, k):
    """The "or" graph of k neighbours with weights 1, zero on the diagonal."""
    n = len(X)
    W = matrix(value_of(neighbour_graph, X, k), (n, n), "W")
    odd = W[(W != 0) & (W != 1)]
    if len(odd):
        raise Wrong(
            f"The weights should be 0 and 1; yours hold {odd[0]:.3g}. Who is a neighbour is all that counts, "
            "not how far away."
        )
    if np.diag(W).any():
        raise Wrong(
            f"{_points(np.diag(W).sum())} their own neighbour: the diagonal of W must be 0. The nearest point "
            "to a point is the point itself, so skip the first."
        )
    either = knn_graph(X, k).toarray()
    lopsided = int((W != W.T).sum()) // 2
    if lopsided:
        raise Wrong(
            f"Your graph is not symmetric: {lopsided} pairs differ, where i has j among its {k} nearest but j "
            "has other friends. Keep an edge that at least one side wants."
        )
    if np.array_equal(W, knn_graph(X, k, "and").toarray()):
        raise Wrong("You keep an edge only if both sides want it. Here one side is enough.")
    for other in (k - 1, k + 1):
        if 0 < other < n and np.array_equal(W, knn_graph(X, other).toarray()):
            raise Wrong(f"You take {other} neighbours instead of {k}: the point itself does not count as one.")
    wrong = int((W != either).sum()) // 2
    if wrong:
        raise Wrong(
            f"{wrong} of {int(either.sum()) // 2} edges differ from the graph of the {k} nearest: are the "
            "distances right, and sorted from near to far?"
        )


def _points(count):
    return f"{count:.0f} points are" if count > 1 else "One point is"


@part("1b", points=2)
def _laplacian(laplacian):
    W = knn_graph(datasets.s_curve(40, 5.0, seed=4)[0], 6).toarray()
    laplacian_is_right(laplacian, W)
    laplacian_is_right(laplacian, W * _weights_between(40, 14))  # weights need not be 0 and 1
    laplacian_is_right(laplacian, _weights_between(40, 17))  # nor need they be 0 on the diagonal
    return True


def _weights_between(n, seed):
    """Symmetric weights between 0 and 2."""
    W = np.random.default_rng(seed).random((n, n))
    return W + W.T


def laplacian_is_right(laplacian, W):
    n = len(W)
    L, rows, own = matrix(value_of(laplacian, W), (n, n), "L"), W.sum(1), np.diag(W)
    energy = energies(W)
    if agree(L, -energy, at_least=1.0):
        raise Wrong("The sign is the other way round: gᵀLg is an energy and never negative.")
    if agree(L, np.diag(rows), at_least=1.0):
        raise Wrong("This is D. A function that is the same everywhere has energy 0, but gᵀDg is not.")
    off_diagonal = agree(L - np.diag(np.diag(L)), energy - np.diag(np.diag(energy)), at_least=1.0)
    if off_diagonal and not agree(rows, np.round(rows)) and agree(np.diag(L), (W != 0).sum(1) - own, at_least=1.0):
        raise Wrong("The diagonal counts the neighbours. These edges have weights, and heavier ones cost more.")
    if off_diagonal and own.any() and agree(L.sum(1), own, at_least=1.0):
        raise Wrong("Here W has entries on its diagonal. A point does not differ from itself: what do they cost?")
    off = np.abs(L.sum(1)).max()
    if not off <= SINGLE * rows.max():
        raise Wrong(
            f"L times a constant vector must be 0, since a constant differs nowhere; a row of yours sums to "
            f"{off:.3g}. What stands on the diagonal?"
        )
    if not agree(L, energy, at_least=1.0):
        raise Wrong(f"gᵀLg should be ½ Σ W_ij (g_i - g_j)²; yours is off by {np.abs(L - energy).max():.3g} somewhere.")


def energies(W):
    """½ Σ W_ij (f_i - f_j)(g_i - g_j) for all f and g that are 1 at one point and 0 elsewhere."""
    differences = (np.eye(len(W))[:, :, None] - np.eye(len(W))[:, None, :]).reshape(len(W), -1)
    return (differences * W.ravel()) @ differences.T / 2


@part("1c", points=5)
def _eigenmap(eigenmap):
    eigenmap_is_right(eigenmap, knn_graph(datasets.s_curve(160, 5.0, seed=5)[0], 8).toarray(), 4)
    eigenmap_is_right(eigenmap, _weights_between(20, 15), 3)
    eigenmap_is_right(eigenmap, np.eye(60, k=1) + np.eye(60, k=-1), 1)  # its smallest eigenvalue above 0 is 0.0014
    return True


def eigenmap_is_right(eigenmap, W, m):
    """mu (n,) ascending, Y (n, m) without the constant, D-orthonormal."""
    n, degree = len(W), W.sum(1)
    mu, Y = pair(value_of(eigenmap, W, m), "mu, Y")
    mu, Y = matrix(mu, (n,), "mu"), matrix(Y, (n, m), "Y")
    modes_are_right(W, mu, Y)
    truth = np.linalg.eigvalsh(np.eye(n) - W / np.sqrt(np.outer(degree, degree)))
    if not np.abs(mu - truth).max() <= ZERO:
        raise Wrong(f"An eigenvalue is off by {np.abs(mu - truth).max():.2g}.")


def modes_are_right(W, mu, Y):
    """L Y = D Y diag(mu[1:]), YᵀDY = I, for a connected graph; mu may end early, at Y's last column or later."""
    D, m = np.diag(W.sum(1)), Y.shape[1]
    L = D - W
    if not (np.diff(mu) >= -ZERO).all():
        raise Wrong("The eigenvalues should come in ascending order, the smallest first.")
    if not mu[-1] <= 2 + ZERO:
        raise Wrong(
            f"The largest eigenvalue is {mu[-1]:.3g}, but Lφ = μDφ has none above 2: D is missing on the right."
        )
    if not abs(mu[0]) < ZERO:
        raise Wrong("No eigenvalue is zero, though L times a constant is. mu should hold all of them, the zero first.")
    constant = np.ptp(Y, axis=0) < SINGLE * np.abs(Y).max()
    if constant.any():
        raise Wrong(
            f"Column {int(constant.argmax())} of Y is constant and tells no two points apart: it belongs to "
            "the eigenvalue 0, leave it out."
        )
    off = np.abs(Y.T @ D @ Y - np.eye(m)).max()
    if not off <= SINGLE:
        if np.abs(Y.T @ Y - np.eye(m)).max() < SINGLE:
            raise Wrong(
                "YᵀY is the identity, but YᵀDY should be: lengths and angles are measured with D, and scipy's "
                "eigh can be told so."
            )
        raise Wrong(f"YᵀDY should be the identity and is off by {off:.2g}.")
    energy = np.diag(Y.T @ L @ Y)
    if not np.abs(L @ Y - D @ Y * energy).max() <= SINGLE * np.abs(D @ Y).max():
        raise Wrong("The columns of Y are D-orthonormal, but LY = DY diag(μ) does not hold for them.")
    if not (len(mu) > m and np.abs(energy - mu[1 : m + 1]).max() <= ZERO):
        raise Wrong(
            f"The coordinates have the energies {in_words(energy)}, but the smallest eigenvalues after the zero "
            f"are {in_words(mu[1 : m + 1])}: take the smoothest, in the order of their eigenvalues."
        )


def eigenvalues(mu, m):
    """The eigenvalues that were handed over, those of m coordinates and the zero among them."""
    mu = matrix(mu, (None,), "mu") if np.ndim(mu) < 2 else matrix(mu, (None, 1), "mu").ravel()
    if len(mu) < m + 1:
        raise Wrong(
            f"mu holds {len(mu)} eigenvalues; {m + 1} are needed, the zero and one for each coordinate. "
            "LaplacianEigenmap leaves the zero out of mu_; put it back."
        )
    return mu


def spectrum_is_right(W, mu, m):
    """The m + 1 smallest eigenvalues are those of this graph, and not only those of the columns of Y."""
    true = graph_modes(W, m + 1)[0]
    if not np.abs(mu[: m + 1] - true).max() <= ZERO:
        raise Wrong(f"The smallest eigenvalues of this graph are {in_words(true)}; yours are {in_words(mu[: m + 1])}.")


def in_words(values):
    return ", ".join(f"{value:.3g}" for value in values)


@part("1d", points=5)
def _unfold(width, k, mu, Y, neighbour_graph, eigenmap):
    width, k = float(as_numbers(width, 1)[0]), whole(k, "k")
    if not 0.1 <= width <= 50:
        raise Wrong(f"width = {width:g}: take a sheet between 0.1 and 50 wide.")
    if not 1 <= k < 1000:
        raise Wrong(f"k = {k}: take a number of neighbours between 1 and 999.")
    X, t = datasets.s_curve(1000, width, seed=homework.mine.sheet)
    mu, Y = eigenvalues(mu, 2), matrix(Y, (1000, 2), "Y")
    unfolds(knn_graph(X, k).toarray(), t, mu, Y, width)
    try:
        functions_unfold(neighbour_graph, eigenmap, seed=1)
    except Wrong as wrong:
        raise Wrong(f"Your Y unfolds this S; your functions of 1a and 1c do not unfold another one. {wrong}") from None
    return True


def functions_unfold(neighbour_graph, eigenmap, seed):
    """The two functions, one after the other, unfold a sheet 5 wide."""
    X, t = datasets.s_curve(500, 5.0, seed=seed)
    W = matrix(value_of(neighbour_graph, X, 10), (500, 500), "W")
    mu, Y = pair(value_of(eigenmap, W, 2), "mu, Y")
    unfolds(knn_graph(X, 10).toarray(), t, matrix(mu, (500,), "mu"), matrix(Y, (500, 2), "Y"), 5.0)


def unfolds(W, t, mu, Y, width):
    """One part, D-orthonormal, and coordinates in the order of the arc and of the width, the longer side first."""
    parts, _ = components(csr_array(W))
    if parts > 1:
        raise Wrong(
            f"{parts} eigenvalues are zero: the graph falls into {parts} parts, and nothing says how they lie "
            "to each other. Take more neighbours."
        )
    modes_are_right(W, mu, Y)
    spectrum_is_right(csr_array(W), mu, 2)
    follows = np.array([[rank_correlation(y, side) for side in t.T] for y in Y.T])
    sides = [0, 1] if follows[0, 0] + follows[1, 1] >= follows[0, 1] + follows[1, 0] else [1, 0]
    first, second = follows[[0, 1], sides]
    names = [("arc", "width")[side] for side in sides]
    numbers = (
        f"rank correlation of coordinate 1 with the {names[0]} {first:.3f}, of coordinate 2 with the {names[1]} "
        f"{second:.3f}"
    )
    if first >= UNFOLDED["first"] and second >= UNFOLDED["second"]:
        return
    if min(width, ARC) < max(width, ARC) / 2 and second < UNFOLDED["second"]:
        raise Wrong(
            f"On a sheet {width:g} wide the second coordinate repeats the first ({numbers}): a parabola in coordinate "
            f"1 explains {_parabola(Y):.0%} of coordinate 2. One half-wave along the arc, {ARC:.2f} long, costs "
            f"(π/{ARC:.2f})² = {(np.pi / ARC) ** 2:.2g}, one across (π/{width:g})² = {(np.pi / width) ** 2:.2g}. The "
            "cheapest come first, and several waves along the longer side are cheaper than one along the shorter. "
            f"How wide must the sheet be{', and how wide may it be' * (width > ARC)}?"
        )
    raise Wrong(
        f"Not unfolded: {numbers}; needed are {UNFOLDED['first']} and {UNFOLDED['second']}. Too many "
        "neighbours tie layers together, too few follow every accident of the sample; and on a sheet about as "
        "wide as its arc is long, waves along and across cost the same and mix."
    )


def _parabola(Y):
    """Share of the second coordinate that is a parabola in the first."""
    residual = Y[:, 1] - np.polyval(np.polyfit(Y[:, 0], Y[:, 1], 2), Y[:, 0])
    return 1 - residual.var() / Y[:, 1].var()


@part("1e", points=2)
def _narrow(ratio):
    (value,), waves = as_numbers(ratio, 1), homework.mine.waves
    if digest("ratio", np.round(value, 1)) != homework.mine.ratio:
        raise Wrong(
            "Which modes are the cheapest if every wave across is dear? How many half-waves has each, and what do "
            f"they cost? Compare with mu[{waves}] / mu[1] on a sheet of width 2, which comes close."
        )
    return True
