"""The homework of 001/p127-128: check("1a", answer) says at once what is right, or what to look at next.

A judge looks at one part of a homework. It is given what the student made (functions, arrays, numbers), raises Wrong
with a hint, or returns. The same judges answer in the student's notebook and when the homework is graded.
"""

import textwrap

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array

from .. import datasets
from ..discriminant import fda_weights, scatter
from ..graph import components, graph_modes, knn_graph
from ..kernels import Gaussian
from .errata.locality import rank_correlation
from .exercises import NotAttempted, Wrong, _is_stub, as_numbers, exactly, near

ARC = 3 * np.pi  # length of the S
UNFOLDED = {"first": 0.98, "second": 0.85}  # what "unfolded" means: rank correlations of the two coordinates
SINGLE = 1e-4  # share of the largest entry that may be off: single precision will do
ZERO = 1e-5  # an eigenvalue below it is a zero, in single precision too

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
    except (Exception, SystemExit) as error:  # the reader's own code may raise anything
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
    print(
        f"Homework {homework}: {done} of the {sum(_judges[part][0] for part in parts)} points that can be checked "
        "here. Written answers are read by a person."
    )


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


def whole(number, name):
    """A count that was handed over, or a hint."""
    number = float(as_numbers(number, 1)[0])
    if number != round(number):
        raise Wrong(f"{name} = {number:g}: take a whole number.")
    return int(number)


def _mismatch(got, want, tol=SINGLE):
    return np.abs(got - want).max() > tol * max(1.0, np.abs(want).max())


# ---- homework 1: the eigenmap, and the S unfolded


@_part("1a", 4)
def _graph(neighbour_graph):
    graph_is_right(neighbour_graph, datasets.s_curve(80, 5.0, seed=3)[0], 5)
    graph_is_right(neighbour_graph, np.random.default_rng(13).standard_normal((30, 4)), 1)


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


@_part("1b", 2)
def _laplacian(laplacian):
    W = knn_graph(datasets.s_curve(40, 5.0, seed=4)[0], 6).toarray()
    laplacian_is_right(laplacian, W)
    laplacian_is_right(laplacian, W * _weights_between(40, 14))  # weights need not be 0 and 1


def _weights_between(n, seed):
    """Symmetric weights between 0 and 2."""
    W = np.random.default_rng(seed).random((n, n))
    return W + W.T


def laplacian_is_right(laplacian, W):
    n = len(W)
    L, D = matrix(value_of(laplacian, W), (n, n), "L"), np.diag(W.sum(1))
    if not _mismatch(L, W - D):
        raise Wrong("The sign is the other way round: gᵀLg is an energy and never negative.")
    if not _mismatch(L, D):
        raise Wrong("This is D. A function that is the same everywhere has energy 0, but gᵀDg is not.")
    if _mismatch(D, counted := np.diag((W != 0).sum(1))) and not _mismatch(L, counted - W):
        raise Wrong("The diagonal counts the neighbours. These edges have weights, and heavier ones cost more.")
    off = np.abs(L.sum(1)).max()
    if off > SINGLE * np.abs(D).max():
        raise Wrong(
            f"L times a constant vector must be 0, since a constant differs nowhere; a row of yours sums to "
            f"{off:.3g}. What stands on the diagonal?"
        )
    if _mismatch(L, D - W):
        raise Wrong(f"gᵀLg should be ½ Σ W_ij (g_i - g_j)²; yours is off by {np.abs(L - D + W).max():.3g} somewhere.")


@_part("1c", 5)
def _eigenmap(eigenmap):
    eigenmap_is_right(eigenmap, knn_graph(datasets.s_curve(90, 5.0, seed=5)[0], 8).toarray(), 2)
    eigenmap_is_right(eigenmap, _weights_between(20, 15), 3)


def eigenmap_is_right(eigenmap, W, m):
    """mu (n,) ascending, Y (n, m) without the constant, D-orthonormal."""
    n, degree = len(W), W.sum(1)
    mu, Y = pair(value_of(eigenmap, W, m), "mu, Y")
    mu, Y = matrix(mu, (n,), "mu"), matrix(Y, (n, m), "Y")
    modes_are_right(W, mu, Y)
    truth = np.linalg.eigvalsh(np.eye(n) - W / np.sqrt(np.outer(degree, degree)))
    if np.abs(mu - truth).max() > ZERO:
        raise Wrong(f"An eigenvalue is off by {np.abs(mu - truth).max():.2g}.")


def modes_are_right(W, mu, Y):
    """L Y = D Y diag(mu[1:]), YᵀDY = I, for a connected graph; mu may end early, at Y's last column or later."""
    D, m = np.diag(W.sum(1)), Y.shape[1]
    L = D - W
    if (np.diff(mu) < -ZERO).any():
        raise Wrong("The eigenvalues should come in ascending order, the smallest first.")
    if mu[-1] > 2 + ZERO:
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
    if off > SINGLE:
        if np.abs(Y.T @ Y - np.eye(m)).max() < SINGLE:
            raise Wrong(
                "YᵀY is the identity, but YᵀDY should be: lengths and angles are measured with D, and scipy's "
                "eigh can be told so."
            )
        raise Wrong(f"YᵀDY should be the identity and is off by {off:.2g}.")
    energy = np.diag(Y.T @ L @ Y)
    if np.abs(L @ Y - D @ Y * energy).max() > SINGLE * np.abs(D @ Y).max():
        raise Wrong("The columns of Y are D-orthonormal, but LY = DY diag(μ) does not hold for them.")
    if np.abs(energy - mu[1 : m + 1]).max() > ZERO:
        raise Wrong(
            f"The coordinates have the energies {_list(energy)}, but the smallest eigenvalues after the zero "
            f"are {_list(mu[1 : m + 1])}: take the smoothest, in the order of their eigenvalues."
        )


def _list(values):
    return ", ".join(f"{value:.3g}" for value in values)


@_part("1d", 5)
def _unfold(width, k, mu, Y):
    width, k = float(as_numbers(width, 1)[0]), whole(k, "k")
    if not 0.1 <= width <= 50:
        raise Wrong(f"width = {width:g}: take a sheet between 0.1 and 50 wide.")
    if not 1 <= k < 1000:
        raise Wrong(f"k = {k}: take a number of neighbours between 1 and 999.")
    X, t = datasets.s_curve(1000, width, seed=0)
    mu, Y = np.asarray(mu, dtype=float).ravel(), matrix(Y, (1000, 2), "Y")
    unfolds(knn_graph(X, k).toarray(), t, mu, Y, width)


def unfolds(W, t, mu, Y, width):
    """One part, D-orthonormal, and coordinates in the order of the arc and of the width, the longer side first."""
    parts, _ = components(csr_array(W))
    if parts > 1:
        raise Wrong(
            f"{parts} eigenvalues are zero: the graph falls into {parts} parts, and nothing says how they lie "
            "to each other. Take more neighbours."
        )
    modes_are_right(W, mu, Y)
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


@_part("1e", 2)
def _narrow(ratio):
    wave = np.pi / ARC
    if abs(as_numbers(ratio, 1)[0] - (2 * wave) ** 2 / wave**2) > 0.05:
        raise Wrong(
            "Which two modes are the cheapest if every wave across is dear? How many half-waves has each, "
            "and what do they cost? Compare with mu[2] / mu[1] on a sheet of width 2, which comes close."
        )


# ---- homework 2: data of your own


@_part("2a", 3)
def _data(X):
    own_data(X)


def own_data(X):
    """The data as an array; 50 to 2000 points that differ."""
    try:
        X = np.asarray(X, dtype=float)
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
    if X.shape[1] == 3 and np.abs(X[:, 0] ** 2 + (np.abs(X[:, 2]) - 1) ** 2 - 1).max() < 0.1:
        raise Wrong("This is the S-curve again. Anything else will do: measurements, images, a file of yours.")
    return X


@_part("2b", 5)
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
    try:
        Y, mu = np.asarray(Y, dtype=float), np.asarray(mu, dtype=float).ravel()
        m = Y.shape[1]
    except (TypeError, ValueError, IndexError):
        raise Wrong("Y should be an array with a row for each point and a column for each coordinate.") from None
    Y = matrix(Y, (len(X), m), "Y")
    if not 2 <= m <= 10:
        raise Wrong(f"Y has {m} columns; take from 2 to 10 coordinates.")
    if len(mu) < m + 1:
        raise Wrong(
            f"mu holds {len(mu)} eigenvalues; {m + 1} are needed, the zero and one for each coordinate. "
            "LaplacianEigenmap leaves the zero out of mu_; put it back."
        )
    W = W.toarray()
    modes_are_right(W, mu, Y)
    energy = np.trace(Y.T @ (np.diag(W.sum(1)) - W) @ Y)
    if abs(energy - mu[1 : m + 1].sum()) > ZERO:
        raise Wrong(
            f"The energy tr(YᵀLY) = {energy:.4g} should be the sum of the eigenvalues, {mu[1 : m + 1].sum():.4g}."
        )
    true = graph_modes(W, m + 1)[0]
    if np.abs(mu[: m + 1] - true).max() > ZERO:
        raise Wrong(f"The smallest eigenvalues of this graph are {_list(true)}; yours are {_list(mu[: m + 1])}.")


@_part("2c", 4)
def _sweep(X, sweep):
    X = own_data(X)
    try:
        table = np.asarray(sweep, dtype=float)
    except (TypeError, ValueError):
        table = np.zeros(0)
    if table.ndim != 2 or table.shape[1] != 3:
        raise Wrong(
            "sweep should be a table with three columns: k, the number of parts, the smallest eigenvalue above zero."
        )
    ks = table[:, 0].astype(int)
    if len(np.unique(ks)) < 5 or ks.min() < 1 or ks.max() >= len(X):
        raise Wrong(f"Try at least five different k between 1 and {len(X) - 1}; the table has {len(np.unique(ks))}.")
    for k, parts, smallest in table[:20]:
        W = knn_graph(X, int(k))
        true, _ = components(W)
        if parts != true:
            raise Wrong(f"With k = {k:.0f} the graph has {true} part{'s' * (true > 1)}, your table says {parts:g}.")
        mu = graph_modes(W, true + 1)[0][-1]
        short = [round(mu, decimals) for decimals in (3, 4, 5)]  # a table may have three decimals
        if not near(smallest, mu) and np.abs(smallest - short).min() > 1e-6:
            raise Wrong(
                f"With k = {k:.0f} the smallest eigenvalue above zero is {mu:.4g}, your table says {smallest:.4g}."
            )


# ---- homework 3: Fisher in the dual


@_part("3a", 3)
def _weights(weights):
    rng = np.random.default_rng(31)
    weights_are_right(weights, rng.standard_normal((17, 3)), np.repeat([0, 1, 2], [3, 5, 9]))
    weights_are_right(weights, rng.standard_normal((14, 3)), rng.permutation(np.repeat([3, 4, 9], [1, 6, 7])))


def weights_are_right(weights, X, y):
    """XᵀLX with these weights is S_b and S_w."""
    n = len(X)
    W_b, W_w = (
        matrix(W, (n, n), name) for W, name in zip(pair(value_of(weights, y), "W_b, W_w"), ("W_b", "W_w"), strict=True)
    )
    S_b, S_w = class_scatters(X, y)
    got_b, got_w = scatter(X, W_b), scatter(X, W_w)
    if not _mismatch(got_b, S_w) and not _mismatch(got_w, S_b):
        raise Wrong("Between and within have changed places.")
    for got, want, name in (got_b, S_b, "ᵇ"), (got_w, S_w, "ʷ"):
        for factor, word in (2, "twice"), (0.5, "half"), (n, f"{n} times"), (1 / n, f"one {n}th of"):
            if not _mismatch(got, factor * want):
                raise Wrong(f"XᵀL{name}X is {word} the scatter matrix: a factor in W{name}.")
        off = np.abs(got - want).max()
        if _mismatch(got, want):
            raise Wrong(
                f"XᵀL{name}X differs from S_{'b' if name == 'ᵇ' else 'w'} by {off:.2g} on random data. "
                "Remember that classes have different sizes."
            )
    between, within = fda_weights(y)
    for got, want, name in (W_b, between, "ᵇ"), (W_w, within, "ʷ"):
        inner = ~np.eye(n, dtype=bool)  # the diagonal drops out of L
        if np.abs((got - want)[inner]).max() > SINGLE * np.abs(want).max():
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
    A, B = (
        matrix(M, (n, n), name)
        for M, name in zip(pair(value_of(dual_matrices, K, W_b, W_w), "A, B"), "AB", strict=True)
    )
    for got, W, name in (A, W_b, "A"), (B, W_w, "B"):
        if not _mismatch(got, K @ W @ K):
            raise Wrong(f"{name} is KWK; between the two K stands L = diag(W1) - W.")
        if _mismatch(got, scatter(K, W)):
            raise Wrong(
                f"{name} is off by {np.abs(got - scatter(K, W)).max():.2g}: put b = Xᵀα into XᵀLX b, multiply "
                "by X from the left, and look for products that are K."
            )
    lam, directions = eigh(*class_scatters(X, y))
    for value, b in zip(lam[::-1][: len(np.unique(y)) - 1], directions.T[::-1], strict=False):
        alpha = matrix(value_of(to_dual, X, b), (n,), "alpha")
        off = np.abs(X.T @ alpha - b).max()
        if off > 10 * SINGLE * np.abs(b).max():
            raise Wrong(
                f"Xᵀα should be b and is off by {off:.2g}: these are d equations for n unknowns, of which any "
                "solution will do."
            )
        residual = np.abs(A @ alpha - value * B @ alpha).max() / np.abs(A @ alpha).max()
        if residual > 10 * SINGLE:
            raise Wrong(f"KLᵇKα = λKLʷKα holds only to {residual:.2g} for the λ = {value:.3g} of the primal.")


@_part("3c", 3)
def _no_width(no_width):
    rng = np.random.default_rng(33)
    y = rng.permutation(np.repeat([2, 3, 5], [5, 7, 9]))
    no_width_is_right(no_width, Gaussian(0.8)(rng.standard_normal((21, 2))), y)


def no_width_is_right(no_width, K, y):
    """αᵀKLʷKα = 0 while αᵀKLᵇKα > 0."""
    alpha = matrix(value_of(no_width, K, y), (len(K),), "alpha")
    f = K @ alpha
    if not np.abs(f).max() > 0:
        raise Wrong("Kα is zero: that is no direction at all.")
    W_b, W_w = fda_weights(y)
    size = np.sum((f - f.mean()) ** 2)
    if size < SINGLE**2 * np.sum(f**2):
        raise Wrong(
            "Kα is the same for every point: the denominator is 0, but so is the numerator. Let it be constant "
            "on each class, and different between them."
        )
    within, between = (scatter(f[:, None], W)[0, 0] / size for W in (W_w, W_b))
    if within > 1e-6:  # of a sum of squares
        raise Wrong(
            f"αᵀKLʷKα is {within:.2g} of the whole scatter and should be 0: Kα must not vary inside a class. "
            "Which values do you want Kα to have? K has an inverse."
        )
    if between < 0.5:
        raise Wrong("The numerator should be positive.")


@_part("3d", 1)
def _rank(rank):
    y = np.repeat([0, 1, 2], 10)
    K = Gaussian(0.3)(np.random.default_rng(34).standard_normal((30, 2)))
    if not exactly(rank, np.linalg.matrix_rank(scatter(K, fda_weights(y)[1]), tol=1e-9)):
        raise Wrong(
            "Kα may take any value at any point, K being invertible. How many independent vectors Kα are "
            "constant on each of the three classes? These are what KLʷK sends to zero."
        )


@_part("3e", 3)
def _local(local_weights):
    rng = np.random.default_rng(35)
    y = rng.permutation(np.repeat([2, 6], [5, 8]))
    nearness = np.exp(-np.square(rng.standard_normal((13, 13))))
    local_is_right(local_weights, y, (nearness + nearness.T) / 2)


def local_is_right(local_weights, y, A):
    n = len(y)
    same = y[:, None] == y
    for nearness, plain in (np.ones((n, n)), True), (A, False):
        got = [
            matrix(W, (n, n), name)
            for W, name in zip(pair(value_of(local_weights, y, nearness), "W_b, W_w"), ("W_b", "W_w"), strict=True)
        ]
        for W, want, name in zip(got, fda_weights(y), "ᵇʷ", strict=True):
            want = want if plain else np.where(same, nearness * want, want)
            difference = np.abs(W - want)
            np.fill_diagonal(difference, 0)  # which no scatter matrix sees, as in 3a
            off = difference.max()
            if off > SINGLE * np.abs(want).max() and plain:
                raise Wrong(f"With A_ij = 1 everywhere, W{name} should be that of 3a; it is off by {off:.2g}.")
            if off > SINGLE * np.abs(want).max():
                across = difference[~same].max() > SINGLE * np.abs(want).max()
                why = (
                    ": pairs of different classes keep their weight, whatever A says."
                    if across
                    else " inside a class: there the whole entry of 3a is multiplied by A_ij."
                )
                raise Wrong(f"W{name} is off by {off:.2g}{why}")


# ---- pictures


def goal(homework):
    """What success looks like: an S after 001/p121 in space and unfolded, or both sides of the dual of 001/p128."""
    from ..show.notebook import picture
    from .drawings import fisher_and_independence, locality

    if homework < 3:
        return picture(locality.unfold)
    X, y = datasets.three_clusters()
    return picture(fisher_and_independence.dual_frame, list(fisher_and_independence.dual_walk(X, y)), 3)


def show(Y, colors, names=("first", "second")):
    """Your first two coordinates, drawn once for each of the two columns of colors (n, 2)."""
    from ..show.notebook import picture
    from .drawings import homework

    if _is_stub(Y) or _is_stub(colors):
        print("Your picture appears here when Y is there.")
        return None
    Y, colors = np.asarray(Y, dtype=float), np.asarray(colors, dtype=float)
    if Y.ndim != 2 or Y.shape[1] < 2 or len(Y) != len(colors):
        print(f"Two coordinates and a colour for each point are needed; Y has shape {Y.shape}, colors {colors.shape}.")
        return None
    return picture(homework.coordinates, Y[:, :2], colors.reshape(len(Y), -1), names)
