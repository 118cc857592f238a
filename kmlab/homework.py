"""The homework of 001/p127-128: check("1a", answer) says at once what is right, or what to look at next.

A judge looks at one part of a homework. It is given what the student made (functions, arrays, numbers), raises Wrong
with a hint, or returns. The same judges answer in the student's notebook and when the homework is graded.
"""

import textwrap

import numpy as np
from scipy.linalg import eigh

from . import datasets
from .discriminant import fda_weights, scatter
from .errata.locality import rank_correlation
from .exercises import NotAttempted, Wrong, _is_stub, as_numbers
from .graph import components, graph_modes, knn_graph
from .kernels import Gaussian

ARC = 3 * np.pi                                 # length of the S
UNFOLDED = {"width": 5.0, "arc": 0.98, "across": 0.85}      # what "unfolded" means: a sheet, and two rank correlations
ZERO = 1e-9                                     # an eigenvalue below it is a zero

_judges, _right = {}, {}


def check(part, *answers):
    """Say what is right or what to do next; never raises."""
    points = part_points(part)
    try:
        judge(part, *answers)
        verdict, right = f"right, {_of(points)}.", True
    except NotAttempted:
        verdict, right = "not attempted yet.", False
    except Wrong as wrong:
        verdict, right = f"keep going. {wrong}", False
    except (Exception, SystemExit) as error:    # the reader's own code may raise anything
        verdict, right = f"keep going. Your code stopped with {type(error).__name__}: {error}.", False
    _right[part] = right
    print(textwrap.fill(f"{part}: {verdict}", 96))


def judge(part, *answers):
    """Raise Wrong with a hint, NotAttempted for a stub, or return."""
    part_points(part)
    if any(_is_stub(answer) for answer in answers):
        raise NotAttempted
    _judges[part][1](*answers)


def summary(homework):
    """How far the checks in this notebook have come."""
    parts = [part for part in _judges if part.startswith(str(homework))]
    done = sum(_judges[part][0] for part in parts if _right.get(part))
    print(f"Homework {homework}: {done} of the {sum(_judges[part][0] for part in parts)} points that can be checked "
          "here. Written answers are read by a person.")


def part_points(part):
    if part not in _judges:
        raise ValueError(f"There is no part {part!r}: there are {', '.join(_judges)}.")
    return _judges[part][0]


def _part(name, points):
    def add(function):
        _judges[name] = points, function
        return function
    return add


def _of(points):
    return f"{points} point{'s' * (points != 1)}"


# ---- what comes back from the student's code

def value_of(function, *arguments):
    """What the student's function makes of copies of these arguments; a stub, which makes nothing, is NotAttempted."""
    if not callable(function):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    value = function(*(np.array(a) if isinstance(a, np.ndarray) else a for a in arguments))
    if value is None or value is ...:
        raise NotAttempted
    return value


def matrix(value, shape, name):
    """The value as a finite array of this shape, or a hint."""
    if hasattr(value, "toarray"):
        value = value.toarray()
    try:
        value = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong(f"{name} should be an array of numbers, got {type(value).__name__}.") from None
    if value.shape != shape:
        raise Wrong(f"{name} has shape {value.shape}, {shape} is needed.")
    if not np.isfinite(value).all():
        raise Wrong(f"{name} holds {np.sum(~np.isfinite(value))} values that are not finite.")
    return value


def pair(value, names):
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise Wrong(f"Two things should come back, {names}; end with `return {names}`.")
    if any(_is_stub(part) for part in value):
        raise NotAttempted
    return value


def _mismatch(got, want, tol=1e-8):
    return np.abs(got - want).max() > tol * max(1.0, np.abs(want).max())


# ---- homework 1: the eigenmap, and the S unfolded

@_part("1a", 4)
def _graph(neighbour_graph):
    graph_is_right(neighbour_graph, datasets.s_curve(80, 5.0, seed=3)[0], 5)


def graph_is_right(neighbour_graph, X, k):
    """The "or" graph of k neighbours with weights 1, zero on the diagonal."""
    n = len(X)
    W = matrix(value_of(neighbour_graph, X, k), (n, n), "W")
    odd = W[(W != 0) & (W != 1)]
    if len(odd):
        raise Wrong(f"The weights should be 0 and 1; yours hold {odd[0]:.3g}. Who is a neighbour is all that counts, "
                    "not how far away.")
    if np.diag(W).any():
        raise Wrong(f"{_points(np.diag(W).sum())} their own neighbour: the diagonal of W must be 0. The nearest point "
                    "to a point is the point itself, so skip the first.")
    either = knn_graph(X, k).toarray()
    lopsided = int((W != W.T).sum()) // 2
    if lopsided:
        raise Wrong(f"Your graph is not symmetric: {lopsided} pairs differ, where i has j among its {k} nearest but j "
                    "has other friends. Keep an edge that at least one side wants: np.maximum(W, W.T).")
    if np.array_equal(W, knn_graph(X, k, "and").toarray()):
        raise Wrong("You keep an edge only if both sides want it. Here one side is enough.")
    for other in (k - 1, k + 1):
        if 0 < other < n and np.array_equal(W, knn_graph(X, other).toarray()):
            raise Wrong(f"You take {other} neighbours instead of {k}: the point itself does not count as one.")
    wrong = int((W != either).sum()) // 2
    if wrong:
        raise Wrong(f"{wrong} of {int(either.sum()) // 2} edges differ from the graph of the {k} nearest: are the "
                    "distances right, and sorted from near to far?")


def _points(count):
    return f"{count:.0f} points are" if count > 1 else "One point is"


@_part("1b", 2)
def _laplacian(laplacian):
    laplacian_is_right(laplacian, knn_graph(datasets.s_curve(40, 5.0, seed=4)[0], 6).toarray())


def laplacian_is_right(laplacian, W):
    n = len(W)
    L, D = matrix(value_of(laplacian, W), (n, n), "L"), np.diag(W.sum(1))
    if not _mismatch(L, W - D):
        raise Wrong("The sign is the other way round: L = D - W, so that gᵀLg is never negative.")
    if not _mismatch(L, D):
        raise Wrong("This is D. The Laplacian is D - W.")
    off = np.abs(L.sum(1)).max()
    if off > 1e-9 * max(1.0, np.abs(W).max()):
        raise Wrong(f"L times a constant vector must be 0, since a constant differs nowhere; a row of yours sums to "
                    f"{off:.3g}. What stands on the diagonal?")
    if _mismatch(L, D - W):
        raise Wrong(f"gᵀLg should be ½ Σ W_ij (g_i - g_j)²; yours is off by {np.abs(L - D + W).max():.3g} somewhere.")


@_part("1c", 5)
def _eigenmap(eigenmap):
    eigenmap_is_right(eigenmap, knn_graph(datasets.s_curve(90, 5.0, seed=5)[0], 8).toarray(), 2)


def eigenmap_is_right(eigenmap, W, m):
    """mu (n,) ascending, Y (n, m) without the constant, D-orthonormal."""
    n, degree = len(W), W.sum(1)
    mu, Y = pair(value_of(eigenmap, W, m), "mu, Y")
    mu, Y = matrix(mu, (n,), "mu"), matrix(Y, (n, m), "Y")
    modes_are_right(W, mu, Y)
    truth = np.linalg.eigvalsh(np.eye(n) - W / np.sqrt(np.outer(degree, degree)))
    if np.abs(mu - truth).max() > 1e-7:
        raise Wrong(f"An eigenvalue is off by {np.abs(mu - truth).max():.2g}.")


def modes_are_right(W, mu, Y):
    """L Y = D Y diag(mu[1:]), YᵀDY = I, for a connected graph; mu may end early, at Y's last column or later."""
    D, m = np.diag(W.sum(1)), Y.shape[1]
    L = D - W
    if (np.diff(mu) < -1e-9).any():
        raise Wrong("The eigenvalues should come in ascending order, the smallest first.")
    if mu[-1] > 2 + 1e-7:
        raise Wrong(f"The largest eigenvalue is {mu[-1]:.3g}, but Lφ = μDφ has none above 2: D is missing on the "
                    "right.")
    zeros = int((np.abs(mu) < ZERO).sum())
    if zeros == 0:
        raise Wrong("No eigenvalue is zero, though L times a constant is. mu should hold all of them, the zero first.")
    constant = np.ptp(Y, axis=0) < 1e-9 * np.abs(Y).max()
    if constant.any():
        raise Wrong(f"Column {int(constant.argmax())} of Y is constant and tells no two points apart: it belongs to "
                    "the eigenvalue 0, leave it out.")
    off = np.abs(Y.T @ D @ Y - np.eye(m)).max()
    if off > 1e-7:
        if np.abs(Y.T @ Y - np.eye(m)).max() < 1e-7:
            raise Wrong("YᵀY is the identity, but YᵀDY should be: lengths and angles are measured with D. "
                        "scipy.linalg.eigh(L, D) does that.")
        raise Wrong(f"YᵀDY should be the identity and is off by {off:.2g}.")
    energy = np.diag(Y.T @ L @ Y)
    if np.abs(L @ Y - D @ Y * energy).max() > 1e-7:
        raise Wrong("The columns of Y are D-orthonormal, but LY = DY diag(μ) does not hold for them.")
    if np.abs(energy - mu[1:m + 1]).max() > 1e-7:
        raise Wrong(f"The coordinates have the energies {_list(energy)}, but the smallest eigenvalues after the zero "
                    f"are {_list(mu[1:m + 1])}: take the smoothest, in the order of their eigenvalues.")


def _list(values):
    return ", ".join(f"{value:.3g}" for value in values)


@_part("1d", 5)
def _unfold(width, k, mu, Y):
    width, k = float(as_numbers(width, 1)[0]), int(as_numbers(k, 1)[0])
    if not 0.1 <= width <= 50:
        raise Wrong(f"width = {width:g}: take a sheet between 0.1 and 50 wide.")
    if not 1 <= k < 1000:
        raise Wrong(f"k = {k}: take a number of neighbours between 1 and 999.")
    X, t = datasets.s_curve(1000, width, seed=0)
    mu, Y = np.asarray(mu, dtype=float).ravel(), matrix(Y, (1000, 2), "Y")
    unfolds(knn_graph(X, k).toarray(), t, mu, Y, width)


def unfolds(W, t, mu, Y, width):
    """One zero eigenvalue, D-orthonormal, and coordinates in the order of the arc and of the width."""
    zeros = int((np.abs(mu) < ZERO).sum())
    if zeros > 1:
        raise Wrong(f"{zeros} eigenvalues are zero: the graph falls into {zeros} parts, and nothing says how they lie "
                    "to each other. Take more neighbours.")
    modes_are_right(W, mu, Y)
    arc, across = rank_correlation(Y[:, 0], t[:, 0]), rank_correlation(Y[:, 1], t[:, 1])
    numbers = f"rank correlation with the arc {arc:.3f}, with the width {across:.3f}"
    if width < ARC / 2 and across < UNFOLDED["across"]:
        raise Wrong(
            f"On a sheet {width:g} wide the second coordinate repeats the first ({numbers}): a parabola in coordinate "
            f"1 explains {_parabola(Y):.0%} of coordinate 2. Waves along the arc, {ARC:.2f} long, cost (π/{ARC:.2f})² "
            f"= {(np.pi / ARC) ** 2:.2f} and, with two half-waves, {(2 * np.pi / ARC) ** 2:.2f}; one across costs "
            f"(π/{width:g})² = {(np.pi / width) ** 2:.2f}. The cheapest come first, so the width has to wait. How wide "
            "must the sheet be?")
    if arc < UNFOLDED["arc"] or across < UNFOLDED["across"]:
        raise Wrong(f"Not unfolded: {numbers}; needed are {UNFOLDED['arc']} and {UNFOLDED['across']}. Too many "
                    "neighbours tie layers together, too few follow every accident of the sample.")
    if width != UNFOLDED["width"]:
        raise Wrong(f"It unfolds ({numbers}), but the goal is stated for a sheet of width 5, and yours is {width:g} "
                    "wide.")


def _parabola(Y):
    """Share of the second coordinate that is a parabola in the first."""
    residual = Y[:, 1] - np.polyval(np.polyfit(Y[:, 0], Y[:, 1], 2), Y[:, 0])
    return 1 - residual.var() / Y[:, 1].var()


@_part("1e", 2)
def _narrow(ratio):
    wave = np.pi / ARC
    if abs(as_numbers(ratio, 1)[0] - (2 * wave) ** 2 / wave**2) > 0.05:
        raise Wrong("The first mode has one half-wave along the arc, the second two. An energy is a squared slope: "
                    "what does twice the slope cost? Compare with mu[2] / mu[1] on a sheet of width 2, which comes "
                    "close.")


# ---- homework 2: data of your own

@_part("2a", 3)
def _data(X):
    own_data(X)


def own_data(X):
    """The data as an array; 50 to 2000 points that differ."""
    try:
        X = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("The data should be an array of numbers, a row for each point. Words have to become numbers first, "
                    "or go.") from None
    if X.ndim != 2:
        raise Wrong(f"The data should have rows (points) and columns (features); yours is an array of {X.ndim} "
                    f"{'axis' if X.ndim == 1 else 'axes'}.")
    if not 50 <= len(X) <= 2000:
        raise Wrong(f"There are {len(X)} points; take between 50 and 2000.")
    if not 2 <= X.shape[1] <= 1000:
        raise Wrong(f"There are {X.shape[1]} columns; take from 2 to 1000.")
    if not np.isfinite(X).all():
        raise Wrong(f"{np.sum(~np.isfinite(X).all(1))} rows hold values that are missing or infinite: fill or drop "
                    "them.")
    different = len(np.unique(X, axis=0))
    if different < len(X) / 2:
        raise Wrong(f"Of {len(X)} points only {different} differ: duplicates have no order among neighbours.")
    if X.shape[1] == 3 and np.abs(X[:, 0] ** 2 + (np.abs(X[:, 2]) - 1) ** 2 - 1).max() < 0.1:
        raise Wrong("This is the S-curve again. Anything else will do: measurements, images, a file of yours.")
    return X


@_part("2b", 5)
def _own_embedding(X, k, mu, Y):
    X, k = own_data(X), int(as_numbers(k, 1)[0])
    if not 1 <= k < len(X):
        raise Wrong(f"k = {k}: take a number of neighbours between 1 and {len(X) - 1}.")
    W = knn_graph(X, k)
    parts, part = components(W)
    if parts > 1:
        sizes = ", ".join(map(str, np.sort(np.bincount(part))[::-1][:4]))
        raise Wrong(f"With k = {k} the graph falls into {parts} parts (of {sizes}{', ...' * (parts > 4)} points): take "
                    "more neighbours, or embed the largest part and say so.")
    try:
        Y, mu = np.asarray(Y, dtype=float), np.asarray(mu, dtype=float).ravel()
        m = Y.shape[1]
    except (TypeError, ValueError, IndexError):
        raise Wrong("Y should be an array with a row for each point and a column for each coordinate.") from None
    Y = matrix(Y, (len(X), m), "Y")
    if not 2 <= m <= 10:
        raise Wrong(f"Y has {m} columns; take from 2 to 10 coordinates.")
    if len(mu) < m + 1:
        raise Wrong(f"mu holds {len(mu)} eigenvalues; {m + 1} are needed, the zero and one for each coordinate. "
                    "LaplacianEigenmap leaves the zero out: np.append(0, model.mu_).")
    W = W.toarray()
    modes_are_right(W, mu, Y)
    energy = np.trace(Y.T @ (np.diag(W.sum(1)) - W) @ Y)
    if abs(energy - mu[1:m + 1].sum()) > 1e-7:
        raise Wrong(f"The energy tr(YᵀLY) = {energy:.4g} should be the sum of the eigenvalues, "
                    f"{mu[1:m + 1].sum():.4g}.")
    true = graph_modes(W, m + 1)[0]
    if np.abs(mu[:m + 1] - true).max() > 1e-7:
        raise Wrong(f"The smallest eigenvalues of this graph are {_list(true)}; yours are {_list(mu[:m + 1])}.")


@_part("2c", 4)
def _sweep(X, sweep):
    X = own_data(X)
    try:
        table = np.asarray(sweep, dtype=float)
    except (TypeError, ValueError):
        table = np.zeros(0)
    if table.ndim != 2 or table.shape[1] != 3:
        raise Wrong("sweep should be a table with three columns: k, the number of parts, the smallest eigenvalue above "
                    "zero.")
    ks = table[:, 0].astype(int)
    if len(np.unique(ks)) < 5 or ks.min() < 1 or ks.max() >= len(X):
        raise Wrong(f"Try at least five different k between 1 and {len(X) - 1}; the table has {len(np.unique(ks))}.")
    for k, parts, smallest in table[:20]:
        W = knn_graph(X, int(k))
        true, _ = components(W)
        if parts != true:
            raise Wrong(f"With k = {k:.0f} the graph has {true} part{'s' * (true > 1)}, your table says {parts:g}.")
        mu = graph_modes(W, true + 1)[0][-1]
        if abs(smallest - mu) > max(1e-3 * mu, 5e-4):  # a table may have three decimals
            raise Wrong(f"With k = {k:.0f} the smallest eigenvalue above zero is {mu:.4g}, your table says "
                        f"{smallest:.4g}.")


# ---- homework 3: Fisher in the dual

@_part("3a", 3)
def _weights(weights):
    rng = np.random.default_rng(31)
    weights_are_right(weights, rng.standard_normal((17, 3)), np.repeat([0, 1, 2], [3, 5, 9]))


def weights_are_right(weights, X, y):
    """XᵀLX with these weights is S_b and S_w."""
    n = len(X)
    W_b, W_w = (matrix(W, (n, n), name) for W, name in zip(pair(value_of(weights, y), "W_b, W_w"), ("W_b", "W_w"),
                                                         strict=True))
    S_b, S_w = class_scatters(X, y)
    got_b, got_w = scatter(X, W_b), scatter(X, W_w)
    if not _mismatch(got_b, S_w, 1e-10) and not _mismatch(got_w, S_b, 1e-10):
        raise Wrong("Between and within have changed places.")
    for got, want, name in (got_b, S_b, "ᵇ"), (got_w, S_w, "ʷ"):
        for factor, word in (2, "twice"), (0.5, "half"), (n, f"{n} times"), (1 / n, f"one {n}th of"):
            if not _mismatch(got, factor * want, 1e-10):
                raise Wrong(f"XᵀL{name}X is {word} the scatter matrix: a factor in W{name}.")
        off = np.abs(got - want).max()
        if off > 1e-10 * max(1.0, np.abs(want).max()):
            raise Wrong(f"XᵀL{name}X differs from S_{'b' if name == 'ᵇ' else 'w'} by {off:.2g} on random data. "
                        "Remember that classes have different sizes.")
    between, within = fda_weights(y)
    for got, want, name in (W_b, between, "ᵇ"), (W_w, within, "ʷ"):
        inner = ~np.eye(n, dtype=bool)          # the diagonal drops out of L
        if np.abs((got - want)[inner]).max() > 1e-10:
            raise Wrong(f"XᵀL{name}X is right here, but W{name} is not the one of the lecture: is it symmetric?")


def class_scatters(X, y):
    """S_b and S_w as they are defined, by a loop over classes."""
    S_b, S_w = np.zeros((2, X.shape[1], X.shape[1]))
    for label in np.unique(y):
        members = X[y == label]
        shift = members.mean(0) - X.mean(0)
        S_b += len(members) * np.outer(shift, shift)
        S_w += (members - members.mean(0)).T @ (members - members.mean(0))
    return S_b, S_w


@_part("3b", 4)
def _dual(dual_matrices, to_dual):
    rng = np.random.default_rng(32)
    y = np.repeat([0, 1, 2], [6, 7, 9])
    dual_is_right(dual_matrices, to_dual, rng.standard_normal((22, 4)) + y[:, None], y)


def dual_is_right(dual_matrices, to_dual, X, y):
    """K Lᵇ K α = λ K Lʷ K α for the α of every primal solution b, and the eigenvalues are the same."""
    n, W_b, W_w = len(X), *fda_weights(y)
    K = X @ X.T
    A, B = (matrix(M, (n, n), name) for M, name in zip(pair(value_of(dual_matrices, K, W_b, W_w), "A, B"), "AB",
                                                       strict=True))
    for got, W, name in (A, W_b, "A"), (B, W_w, "B"):
        if not _mismatch(got, K @ W @ K):
            raise Wrong(f"{name} is KWK; between the two K stands L = diag(W1) - W.")
        if _mismatch(got, scatter(K, W)):
            raise Wrong(f"{name} is off by {np.abs(got - scatter(K, W)).max():.2g}: b = Xᵀα turns XᵀLX b into XᵀLXXᵀα, "
                        "and a further X from the left makes it K L K α.")
    lam, directions = eigh(*class_scatters(X, y))
    for value, b in zip(lam[::-1][:len(np.unique(y)) - 1], directions.T[::-1], strict=False):
        alpha = matrix(value_of(to_dual, X, b), (n,), "alpha")
        off = np.abs(X.T @ alpha - b).max()
        if off > 1e-8 * np.abs(b).max():
            raise Wrong(f"Xᵀα should be b and is off by {off:.2g}: solve it, np.linalg.lstsq(X.T, b) or pinv will do.")
        residual = np.abs(A @ alpha - value * B @ alpha).max() / np.abs(A @ alpha).max()
        if residual > 1e-8:
            raise Wrong(f"KLᵇKα = λKLʷKα holds only to {residual:.2g} for the λ = {value:.3g} of the primal.")


@_part("3c", 3)
def _no_width(no_width):
    rng = np.random.default_rng(33)
    no_width_is_right(no_width, Gaussian(0.8)(rng.standard_normal((21, 2))), np.repeat([0, 1, 2], [5, 7, 9]))


def no_width_is_right(no_width, K, y):
    """αᵀKLʷKα = 0 while αᵀKLᵇKα > 0."""
    alpha = matrix(value_of(no_width, K, y), (len(K),), "alpha")
    f = K @ alpha
    if not np.abs(f).max() > 0:
        raise Wrong("Kα is zero: that is no direction at all.")
    W_b, W_w = fda_weights(y)
    size = np.sum((f - f.mean()) ** 2)
    if size < 1e-10 * np.sum(f**2):
        raise Wrong("Kα is the same for every point: the denominator is 0, but so is the numerator. Let it be constant "
                    "on each class, and different between them.")
    within, between = (scatter(f[:, None], W)[0, 0] / size for W in (W_w, W_b))
    if within > 1e-8:
        raise Wrong(f"αᵀKLʷKα is {within:.2g} of the whole scatter and should be 0: Kα must not vary inside a class. "
                    "Which values do you want Kα to have? K has an inverse.")
    if between < 0.5:
        raise Wrong("The numerator should be positive.")


@_part("3d", 1)
def _rank(rank):
    y = np.repeat([0, 1, 2], 10)
    K = Gaussian(0.3)(np.random.default_rng(34).standard_normal((30, 2)))
    if as_numbers(rank, 1)[0] != np.linalg.matrix_rank(scatter(K, fda_weights(y)[1]), tol=1e-9):
        raise Wrong("Kα may take any value at any point, K being invertible. How many independent vectors Kα are "
                    "constant on each of the three classes? These are what KLʷK sends to zero, out of 30.")


@_part("3e", 3)
def _local(local_weights):
    rng = np.random.default_rng(35)
    y = np.repeat([0, 1], [5, 8])
    near = np.exp(-np.square(rng.standard_normal((13, 13))))
    local_is_right(local_weights, y, (near + near.T) / 2)


def local_is_right(local_weights, y, A):
    n = len(y)
    same = y[:, None] == y
    for nearness, plain in (np.ones((n, n)), True), (A, False):
        got = [matrix(W, (n, n), name) for W, name in zip(pair(value_of(local_weights, y, nearness), "W_b, W_w"),
                                                         ("W_b", "W_w"), strict=True)]
        for W, want, name in zip(got, fda_weights(y), "ᵇʷ", strict=True):
            want = want if plain else np.where(same, nearness * want, want)
            difference = np.abs(W - want)
            np.fill_diagonal(difference, 0)  # which no scatter matrix sees, as in 3a
            off = difference.max()
            if off > 1e-10 and plain:
                raise Wrong(f"With A_ij = 1 everywhere, W{name} should be that of 3a; it is off by {off:.2g}.")
            if off > 1e-10:
                across = difference[~same].max() > 1e-10
                why = (": pairs of different classes keep their weight, whatever A says." if across else
                       " inside a class: there the whole entry of 3a is multiplied by A_ij.")
                raise Wrong(f"W{name} is off by {off:.2g}{why}")


# ---- pictures

def goal(homework):
    """What success looks like: the S of 001/p121 in space and unfolded, or both sides of the dual of 001/p128."""
    from .show.notebook import picture
    from .show.plots import fisher_and_independence, locality
    if homework < 3:
        return picture(locality.unfold)
    X, y = datasets.three_clusters()
    return picture(fisher_and_independence.dual_frame, list(fisher_and_independence.dual_walk(X, y)), 3)


def show(Y, colors, names=("first", "second")):
    """Your first two coordinates, drawn once for each of the two columns of colors (n, 2)."""
    from .show.notebook import picture
    from .show.plots import homework
    if _is_stub(Y) or _is_stub(colors):
        print("Your picture appears here when Y is there.")
        return None
    Y, colors = np.asarray(Y, dtype=float), np.asarray(colors, dtype=float)
    if Y.ndim != 2 or Y.shape[1] < 2 or len(Y) != len(colors):
        print(f"Two coordinates and a colour for each point are needed; Y has shape {Y.shape}, colors {colors.shape}.")
        return None
    return picture(homework.coordinates, Y[:, :2], colors.reshape(len(Y), -1), names)
