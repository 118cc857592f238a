"""The homework as a student meets it: kind stubs, hints that name the mistake, and no solution within reach."""

import functools
import importlib.util
import json
import re
import struct
import sys
import typing
import zipfile
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from kmlab import datasets
from kmlab.course import homework
from kmlab.course.homework import homework_1, homework_3
from kmlab.datasets import s_curve
from kmlab.discriminant import fda_weights, scatter
from kmlab.graph import components, graph_modes, knn_graph
from kmlab.manifold import LaplacianEigenmap

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))  # course.py and classroom/ stand beside the package
from classroom import bundle, inmate, judge  # noqa: E402

SOURCES = sorted((PROJECT / "classroom/assignments").glob("*.ipynb"))
RELEASED = PROJECT / "notebooks/homework"
PARTS = homework.PARTS.names()
needs_nbgrader = pytest.mark.skipif(not importlib.util.find_spec("nbgrader"), reason="nbgrader is missing")


def said(capsys, part, *answers):
    homework.check(part, *answers)
    return " ".join(capsys.readouterr().out.split())  # it is broken into lines


@functools.cache
def solutions():
    """The names that the solutions of all sources define."""
    scope = {}
    for path in SOURCES:
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "code" and not cell.id.startswith("check-"):
                exec(cell.source, scope)
                if cell.id == "answer-2b":
                    scope["own"] = scope["X"], scope["k"], scope["mu"], scope["Y"]
                if cell.id == "answer-1d":
                    scope["s"] = scope["width"], scope["k"], scope["mu"], scope["Y"]
    return scope


@pytest.fixture(scope="module")
def right():
    """part -> the source's own answers."""
    found = solutions()
    names = {
        "1a": ["neighbour_graph"],
        "1b": ["laplacian"],
        "1c": ["eigenmap"],
        "1e": ["ratio"],
        "3a": ["weights"],
        "3b": ["dual_matrices", "to_dual"],
        "3c": ["no_width"],
        "3d": ["rank"],
        "3e": ["local_weights"],
    }
    answers = {part: [found[name] for name in wanted] for part, wanted in names.items()}
    own = found["own"]
    functions = found["neighbour_graph"], found["eigenmap"]
    return answers | {"1d": [*found["s"], *functions], "2a": own[:1], "2b": own, "2c": [own[0], found["sweep"]]}


# ---- the checks


@pytest.mark.parametrize("part", PARTS)
def test_a_right_answer_earns_its_points(part, right, capsys):
    points = homework.part_points(part)
    assert said(capsys, part, *right[part]) == f"{part}: right, {points} point{'s' * (points > 1)}."


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("stub", [None, ..., lambda *arguments: None])
def test_a_stub_is_not_attempted(part, stub, right, capsys):
    text = said(capsys, part, *[stub] * len(right[part]))
    assert text == f"{part}: not attempted yet." or (callable(stub) and "keep going" in text)


NASTY = [
    "text",
    "",
    [],
    {},
    {1: 2},
    1e308,
    -1,
    float("nan"),
    1j,
    [[1], [1, 2]],
    object,
    np.array([]),
    np.zeros((3, 3, 3)),
    np.array(["a"]),
    np.full((100, 3), np.nan),
    lambda *a: "text",
    lambda *a: [[1], [1, 2]],
    lambda *a: 1 / 0,
    lambda *a: sys.exit(),
    lambda *a: (1, 2),
    lambda *a: (np.zeros(3), np.zeros((3, 3))),
    range(5),
    print,
]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.filterwarnings("ignore")
def test_nothing_that_is_handed_over_raises(part, right, capsys):
    for nasty in NASTY:
        for place in range(len(right[part])):
            answers = list(right[part])
            answers[place] = nasty
            text = said(capsys, part, *answers)
            # the sheet's width and neighbours may be any number, as long as the numbers come out
            assert re.match(rf"{part}: (keep going\. \S|not attempted)", text) or nasty is print, (nasty, text)


def nearest(X, k, first=1):
    order = np.argsort(cdist(X, X), axis=1, kind="stable")
    W = np.zeros((len(X), len(X)))
    np.put_along_axis(W, order[:, first : first + k], 1.0, axis=1)
    return W


def both(X, k):
    W = nearest(X, k)
    return np.minimum(W, W.T)


def either(X, k, **how):
    W = nearest(X, k, **how)
    return np.maximum(W, W.T)


def without_d(W, m):
    mu, Phi = np.linalg.eigh(np.diag(W.sum(1)) - W)
    return mu, Phi[:, 1 : m + 1]


def normalised(W, m):
    root = np.sqrt(W.sum(1))
    mu, Phi = np.linalg.eigh(np.eye(len(W)) - W / np.outer(root, root))
    return mu, Phi[:, 1 : m + 1]


def modes(W, columns, scale=1.0, order=slice(None)):
    mu, Phi = eigh(np.diag(W.sum(1)) - W, np.diag(W.sum(1)))
    return mu[order], scale * Phi[:, columns]


def scaled_weights(factor):
    return lambda y: tuple(factor * W for W in fda_weights(y))


def lopsided():
    W = nearest(datasets.s_curve(80, 5.0, seed=3)[0], 5)
    return int((W != W.T).sum()) // 2


@functools.cache
def sheet_modes(width, k):
    return graph_modes(knn_graph(datasets.s_curve(1000, width, seed=0)[0], k), 6)


def eigenmap_of(width, k, columns=slice(1, 3)):
    mu, Phi = sheet_modes(width, k)
    return width, k, mu, Phi[:, columns], either, lambda W, m: modes(W, slice(1, m + 1))


HINTS = [
    ("1a", lambda: [nearest], f"Your graph is not symmetric: {lopsided()} pairs differ, where i has j among its 5"),
    ("1a", lambda: [both], "You keep an edge only if both sides want it"),
    ("1a", lambda: [lambda X, k: either(X, k + 1, first=0)], "80 points are their own neighbour"),
    ("1a", lambda: [lambda X, k: either(X, k - 1)], "You take 4 neighbours instead of 5"),
    ("1a", lambda: [lambda X, k: either(X, k) * cdist(X, X)], "The weights should be 0 and 1"),
    ("1a", lambda: [lambda X, k: either(-X[:, :2], k)], "edges differ from the graph of the 5 nearest"),
    ("1a", lambda: [lambda X, k: either(X, k)[:, :k]], "W has shape (80, 5), (80, 80) is needed"),
    ("1a", lambda: ["neighbour_graph"], "A function was expected"),
    ("1b", lambda: [lambda W: W - np.diag(W.sum(1))], "The sign is the other way round"),
    ("1b", lambda: [lambda W: np.diag(W.sum(1))], "This is D."),
    ("1b", lambda: [lambda W: np.eye(len(W)) - W], "a row of yours sums to"),
    ("1b", lambda: [lambda W: np.diag((W != 0).sum(1)) - W], "The diagonal counts the neighbours"),
    ("1b", lambda: [lambda W: np.where(np.eye(len(W)) > 0, np.diag(W.sum(1)), -W)], "W has entries on its diagonal"),
    ("1b", lambda: [no_return], "Your function returns nothing: is there a return?"),
    ("1c", lambda: [lambda W, m: modes((W != 0).astype(float), slice(1, m + 1))], "keep going"),
    ("1b", lambda: [lambda W: 2 * (np.diag(W.sum(1)) - W)], "should be ½ Σ W_ij"),
    ("1c", lambda: [without_d], "has none above 2: D is missing on the right"),
    ("1c", lambda: [normalised], "YᵀY is the identity, but YᵀDY should be"),
    ("1c", lambda: [lambda W, m: modes(W, slice(0, m))], "Column 0 of Y is constant"),
    ("1c", lambda: [lambda W, m: modes(W, slice(-m, None))], "take the smoothest"),
    ("1c", lambda: [lambda W, m: modes(W, slice(1, m + 1), order=slice(None, None, -1))], "ascending order"),
    ("1c", lambda: [lambda W, m: modes(W, slice(1, m + 1), order=slice(1, None))], "mu has shape (159,), (160,) is"),
    ("1c", lambda: [lambda W, m: modes(W, slice(1, m + 1), 3.0)], "YᵀDY should be the identity and is off by 8"),
    ("1c", lambda: [lambda W, m: modes(W, slice(1, m + 1))[1]], "Two things should come back, mu, Y"),
    ("1d", lambda: eigenmap_of(2.0, 10), "On a sheet 2 wide the second coordinate repeats the first"),
    ("1d", lambda: eigenmap_of(2.0, 10), "one across (π/2)² = 2.5. The cheapest come first"),
    ("1d", lambda: eigenmap_of(25.0, 10), "How wide must the sheet be, and how wide may it be?"),
    ("1d", lambda: eigenmap_of(9.0, 15), "waves along and across cost the same and mix"),
    ("1d", lambda: eigenmap_of(5.0, 200), "Not unfolded: rank correlation of coordinate 1 with the"),
    ("1d", lambda: (5.0, 10.5, *eigenmap_of(5.0, 10)[2:]), "k = 10.5: take a whole number"),
    ("1d", lambda: eigenmap_of(5.0, 2), "eigenvalues are zero: the graph falls into"),
    ("1d", lambda: eigenmap_of(5.0, 10, [2, 1]), "take the smoothest, in the order of their eigenvalues"),
    ("1d", lambda: [*eigenmap_of(5.0, 10)[:4], nearest, eigenmap_of(5.0, 10)[5]], "functions of 1a and 1c"),
    ("1e", lambda: [2], "Which modes are the cheapest if every wave across is dear?"),
    ("2a", lambda: [datasets.s_curve(100)[0]], "This is the S-curve again"),
    ("2a", lambda: [np.arange(100.0)], "rows (points) and columns (features); yours is an array of 1 axis."),
    ("2a", lambda: [np.ones((100, 3))], "Of 100 points only 1 differ"),
    ("2a", lambda: [np.full((60, 2), np.nan)], "60 rows hold values that are missing"),
    ("2a", lambda: [np.zeros((5, 2))], "There are 5 points; take between 50 and 2000"),
    ("2a", lambda: [[["a", "b"]] * 60], "Words have to become numbers first"),
]


@pytest.mark.parametrize("part, answers, hint", HINTS, ids=[f"{part}: {hint[:40]}" for part, _, hint in HINTS])
def test_a_wrong_answer_is_told_what_is_wrong(part, answers, hint, capsys):
    text = said(capsys, part, *answers())
    assert text.startswith(f"{part}: keep going. ") and hint in text


def test_own_data_in_pieces_or_with_a_wrong_table_is_noticed(capsys):
    X = np.random.default_rng(0).standard_normal((120, 3)) + np.repeat([[0.0], [50.0]], 60, axis=0)
    mu, Y = graph_modes(knn_graph(X, 5), 3)
    assert "the graph falls into 2 parts (of 60, 60 points)" in said(capsys, "2b", X, 5, mu, Y[:, 1:])
    X[60:] -= 50
    model = LaplacianEigenmap(2, 8).fit(X)
    assert "right" in said(capsys, "2b", X, 8, np.append(0, model.mu_), model.embedding_)
    assert "mu holds 2 eigenvalues; 3 are needed" in said(capsys, "2b", X, 8, model.mu_, model.embedding_)
    assert "keep going" in said(capsys, "2b", X, 9, np.append(0, model.mu_), model.embedding_)
    table = []
    for k in (2, 4, 8, 16, 32):
        parts, _ = components(knn_graph(X, k))
        table.append([k, parts, graph_modes(knn_graph(X, k), parts + 1)[0][-1]])
    assert "right" in said(capsys, "2c", X, table)
    assert "right" in said(capsys, "2c", X, np.round(table, 3))
    assert "at least five different k" in said(capsys, "2c", X, table[:4])
    table[2][2] *= 1.1
    assert "With k = 8 the smallest eigenvalue above zero is" in said(capsys, "2c", X, table)
    table[1][1] += 1
    assert "With k = 4 the graph has" in said(capsys, "2c", X, table)


def test_a_small_eigenvalue_of_the_table_has_its_digits_too(capsys):
    X, table = datasets.swiss_roll(200, seed=2)[0], []
    for k in (6, 7, 8, 10, 12):
        table.append([k, components(knn_graph(X, k))[0], graph_modes(knn_graph(X, k), 2)[0][-1]])
    assert max(row[2] for row in table) < 0.02 and {row[1] for row in table} == {1}
    for decimals in (3, 4, 5, 9):
        assert "right" in said(capsys, "2c", X, np.round(table, decimals))
    for factor in (1.02, 0.98):
        wrong = table * np.array([1, 1, factor])
        assert "With k = 6 the smallest eigenvalue above zero is" in said(capsys, "2c", X, wrong)
    X = np.arange(0, 120)[:, None] ** [1.0, 1.01]  # so long a line that three decimals leave nothing
    table = [[k, 1, graph_modes(knn_graph(X, k), 2)[0][-1]] for k in (1, 2, 3, 4, 5)]
    assert table[0][2] < 5e-4 and "right" in said(capsys, "2c", X, table)
    table[0][2] = 0.0
    assert "With k = 1 the smallest eigenvalue above zero is" in said(capsys, "2c", X, table)


def test_the_checks_of_fisher_name_the_slip(right, capsys):
    weights, matrices, to_dual = *right["3a"], *right["3b"]
    local = right["3e"][0]
    for part, answers, hint in [
        ("3a", [lambda y: weights(y)[::-1]], "Between and within have changed places"),
        ("3a", [scaled_weights(2)], "XᵀLᵇX is twice the scatter matrix"),
        ("3a", [lambda y: ((y[:, None] != y) / len(y), weights(y)[1])], "differs from S_b"),
        ("3a", [lambda y: (weights(y)[0], np.triu(2 * weights(y)[1]))], "XᵀLʷX differs from S_w"),
        ("3b", [lambda K, W_b, W_w: (K @ W_b @ K, K @ W_w @ K), to_dual], "A is KWK; between the two K stands L"),
        ("3b", [lambda K, W_b, W_w: [M @ K for M in matrices(K, W_b, W_w)], to_dual], "A is off by"),
        ("3b", [matrices, lambda X, b: X @ b], "Xᵀα should be b and is off by"),
        ("3c", [lambda K, y: np.linalg.solve(K, np.ones(len(y)))], "the denominator is 0, but so is the numerator"),
        ("3c", [lambda K, y: (y == y[0]).astype(float)], "Kα must not vary inside a class"),
        ("3c", [lambda K, y: np.zeros(len(y))], "no direction at all"),
        ("3d", [30], "How many independent vectors Kα are constant"),
        ("3e", [lambda y, A: local(y, A + 1)], "With A_ij = 1 everywhere, Wᵇ should be that of 3a"),
        ("3e", [lambda y, A: (A * weights(y)[0], A * weights(y)[1])], "pairs of different classes keep their weight"),
        ("3e", [lambda y, A: (weights(y)[0], A * weights(y)[1])], "inside a class"),
    ]:
        text = said(capsys, part, *answers)
        assert text.startswith(f"{part}: keep going. ") and hint in text, (hint, text)
    assert "right" in said(capsys, "3e", lambda y, A: [W * (1 - np.eye(len(y))) for W in local(y, A)])  # as in 3a


def test_the_scatter_matrices_of_the_checks_are_those_of_the_lecture():
    rng = np.random.default_rng(7)
    X, y = rng.standard_normal((15, 3)), np.repeat([0, 1, 2], [4, 5, 6])
    S_b, S_w = homework_3.class_scatters(X, y)
    total = (X - X.mean(0)).T @ (X - X.mean(0))
    assert np.allclose(S_b + S_w, total) and np.linalg.matrix_rank(S_b) == 2
    assert np.allclose(S_w, sum(((y == c).sum() - 1) * np.cov(X[y == c].T) for c in range(3)))
    assert all(np.allclose(scatter(X, W), S) for W, S in zip(fda_weights(y), (S_b, S_w), strict=True))


def test_unfolded_is_what_the_five_seeds_of_the_course_reach():
    for seed in range(5):
        X, t = datasets.s_curve(1000, 5.0, seed=seed)
        model = LaplacianEigenmap(2, 10).fit(X)
        homework_1.unfolds(model.graph_.toarray(), t, np.append(0, model.mu_), model.embedding_, 5.0)


@pytest.mark.parametrize("width", [4.6, 4.7, 5.0, 6.0, 7.5, 10.0, 12.0, 15.0])
def test_every_width_on_which_the_s_unfolds_is_right(width, capsys):
    assert said(capsys, "1d", *eigenmap_of(width, 10)) == "1d: right, 5 points."


@pytest.mark.parametrize("width", [0.5, 2.0, 4.0, 9.0, 18.0, 25.0])
def test_a_width_on_which_it_does_not_unfold_is_not(width, capsys):
    assert "1d: keep going. " in said(capsys, "1d", *eigenmap_of(width, 10))


class Liar(np.ndarray):
    """An array that says yes to every comparison, whatever it holds."""

    def __array_ufunc__(self, *arguments, **options):
        return np.True_

    def __array_function__(self, *arguments, **options):
        return np.True_


def mapped(value, change):
    """The same with change(array) in the place of every array and number in it."""
    if isinstance(value, tuple | list):
        return type(value)(mapped(part, change) for part in value)
    return change(np.array(value, dtype=float))


def one_entry(entry):
    def change(array):
        array = array.astype(np.result_type(array, type(entry)))
        array.flat[array.size // 2] = entry
        return array

    return change


NO_ANSWER = {  # what never scores, whatever was right before
    **{f"all {entry}": lambda a, entry=entry: np.full(a.shape, entry) for entry in (1e308, -1e200, 1e-200, 5e-324)},
    **{f"all {entry}": lambda a, entry=entry: np.full(a.shape, entry) for entry in (np.nan, np.inf, 1j, 0.5, 1e15)},
    **{f"one {entry}": one_entry(entry) for entry in (np.nan, -np.inf, 1e308, 1e200, 1e15)},
    "noise x 1e200": lambda a: 1e200 * np.random.default_rng(0).standard_normal(a.shape),
    "noise x 1e-200": lambda a: 1e-200 * np.random.default_rng(0).standard_normal(a.shape),
    "x 1e200": lambda a: (a + 0.01) * 1e200,
    "x 1e-200": lambda a: a * 1e-200,
    "plus i": lambda a: a + 1j,
    "plus i, of objects": lambda a: (a + 1j).astype(object),
    "words": lambda a: np.full(a.shape, "nan"),
    "objects": lambda a: np.full(a.shape, object()),
    "dates": lambda a: np.zeros(a.shape, "M8[s]"),
    "durations": lambda a: np.zeros(a.shape, "m8[s]"),
    "masked": lambda a: np.ma.array(a, mask=np.arange(a.size).reshape(a.shape) == 0),
    "all masked": lambda a: np.ma.masked_all(a.shape),
    "a liar": lambda a: np.full(a.shape, 0.25).view(Liar),
    "an axis more": lambda a: np.stack([a, a]),
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.filterwarnings("ignore")
def test_a_right_answer_that_is_disturbed_never_scores(part, right):
    """In the notebook and, as what leaves the sandbox, when it is graded."""
    for name, change in NO_ANSWER.items():
        for place, answer in enumerate(right[part]):
            if callable(answer):
                if part == "1d" and not name.startswith("one"):
                    continue  # they are 1a's and 1c's, which have had all of them

                def disturbed(*case, answer=answer, change=change):
                    return mapped(answer(*case), change)
            else:
                disturbed = mapped(answer, change)
            answers = [*right[part][:place], disturbed, *right[part][place + 1 :]]
            assert not passes(part, dict(zip(names_of(part), answers, strict=True))), (name, place)
            through = [
                (lambda *case, a=a: sent(a(*case))) if callable(a) else sent(a) if i == place else a
                for i, a in enumerate(answers)
            ]
            assert not passes(part, dict(zip(names_of(part), through, strict=True))), (name, place, "graded")


def test_only_an_eigenmap_of_the_sheet_is_one(right, capsys):
    """The arc read off the points is in the right order, and no eigenvector."""
    width, k, mu, Y, *functions = right["1d"]
    X, t = datasets.s_curve(1000, width, seed=0)
    for copied in (t, np.cos(np.pi * (t - t.min(0)) / np.ptp(t, axis=0))):
        D = knn_graph(X, k).toarray().sum(1)
        copied = copied - (D @ copied) / D.sum()
        copied = copied / np.sqrt(D @ copied**2)
        copied[:, 1] -= copied[:, 0] * (copied[:, 0] * D @ copied[:, 1])
        for scale in (1, 1e200):
            assert "keep going" in said(capsys, "1d", width, k, mu, copied * scale, *functions)


def in_single_precision(value):
    if isinstance(value, tuple | list):
        return type(value)(in_single_precision(part) for part in value)
    if isinstance(value, np.ndarray) and value.dtype == float:
        return value.astype(np.float32)
    return value


def single(answer):
    """A function that computes in single precision, or an array that did."""
    if callable(answer):
        return lambda *case: in_single_precision(answer(*in_single_precision(case)))
    return in_single_precision(answer)


def no_return(W):
    W = np.diag(W.sum(1)) - W


def larger(answer, factor=1.02):
    def scale(value):
        return type(value)(map(scale, value)) if isinstance(value, tuple | list) else np.asarray(value) * factor

    return (lambda *case: scale(answer(*case))) if callable(answer) else scale(answer)


@pytest.mark.parametrize("part", PARTS)
def test_single_precision_is_right_and_two_percent_more_is_not(part, right, capsys):
    """2a's data and 3c's direction may have any length."""
    assert said(capsys, part, *map(single, right[part])).startswith(f"{part}: right")
    for place, answer in enumerate(right[part]):
        changed = [*right[part][:place], larger(answer), *right[part][place + 1 :]]
        if part not in ("2a", "3c") and (part, place) not in {("1d", 0), ("2b", 0), ("2c", 0)}:  # a sheet, data
            assert said(capsys, part, *changed).startswith(f"{part}: keep going"), place


# ---- what passes the check passes when it is graded


class InTheClass:
    """judge.Runner without a sandbox: the student's values, and what goes into and out of functions, as messages."""

    def __init__(self, answers):
        self.answers = answers

    def bring(self, name, scope, check=None):
        value = self.answers.get(name)
        if name not in self.answers:
            return
        if callable(value):
            scope[name] = lambda *case: sent(value(*sent(list(case))))
        else:
            scope[name] = sent(value)


def sent(value):
    """What arrives on the other side; a thing that cannot be sent arrives without its content."""
    try:
        message = inmate.encode(value)
    except Exception:
        return type(type(value).__name__, (), {})()
    size = struct.unpack("<QQ", message[:16])[0]
    return inmate.decode(message[16 : 16 + size], message[16 + size :])


@functools.cache
def source_cell(place):
    (cell,) = [cell for path in SOURCES for cell in nbformat.read(path, 4).cells if cell.id == place]
    return cell.source


def names_of(part):
    return re.match(rf'check\("{part}", (.*)\)', source_cell(f"check-{part}")).group(1).split(", ")


def passes(part, answers):
    """Here, with the names of the solution but for these answers."""
    try:
        homework.judge(part, *(answers[name] for name in names_of(part)))
    except (Exception, SystemExit):
        return False
    return True


def grade(part, answers):
    """None if the part gets its points, else why not."""
    scope = {}
    exec(source_cell(f"h{part[0]}-setup"), scope)
    return judge.outcome(source_cell(f"check-{part}"), scope | {"check": homework.judge}, InTheClass(answers))


@functools.cache
def right_names(part):
    scope = dict(solutions())
    if part == "1d":
        scope |= dict(zip(("width", "k", "mu", "Y"), scope["s"], strict=True))
    if part[0] == "2":
        scope |= dict(zip(("X", "k", "mu", "Y"), scope["own"], strict=True))
    return scope


def eigenmap_with(columns=lambda m: slice(1, m + 1), mu=lambda mu: mu, Y=lambda Y: Y, weights=lambda W: W):
    def eigenmap(W, m):
        values, Phi = eigh(np.diag(weights(W).sum(1)) - weights(W), np.diag(weights(W).sum(1)))
        return mu(values), Y(Phi[:, columns(m)])

    return eigenmap


def above(threshold):
    def eigenmap(W, m):
        mu, Phi = eigh(np.diag(W.sum(1)) - W, np.diag(W.sum(1)))
        return mu, Phi[:, mu > threshold][:, :m]

    return eigenmap


def within(y, sizes=None):
    same = y[:, None] == y
    return same / (same.sum(1) if sizes is None else sizes)


def both_weights(y, W_w=None, total=None):
    W_w = within(y) if W_w is None else W_w
    return (1 / len(y) if total is None else total) - W_w, W_w


def counts_from_zero(y):
    """Takes classes for 0, 1, 2, ..., sorted."""
    return both_weights(y, within(np.sort(y)))


def local(y, A, factor=lambda A: A, W=None):
    same, (W_b, W_w) = y[:, None] == y, both_weights(y) if W is None else W
    return np.where(same, factor(A) * W_b, W_b), factor(A) * W_w


def indicator(choose):
    return lambda K, y: np.linalg.solve(K, np.asarray(choose(y), dtype=float))


def laplacians(K, *weights, L=lambda W: np.diag(W.sum(1)) - W):
    return tuple(K @ L(W) @ K for W in weights)


def table(smallest=lambda mu, parts: mu[parts], ks=(1, 2, 4, 8, 16, 32), parts_of=lambda parts: parts):
    X, rows = right_names("2c")["X"], []
    for k in ks:
        W = knn_graph(X, k)
        parts, _ = components(W)
        rows.append((k, parts_of(parts), smallest(graph_modes(W, parts + 1)[0], parts)))
    return rows


class changed(typing.NamedTuple):
    """An answer of the solution, changed; made when it is asked for, because the solutions take seconds."""

    name: str
    change: typing.Callable
    part: str

    def answers(self):
        return {self.name: self.change(right_names(self.part)[self.name])}


SOLVED = {  # part -> what students hand over: mostly wrong, and every other form of what is right
    "1a": [
        nearest,
        both,
        lambda X, k: either(X, k + 1, first=0),
        lambda X, k: either(X, k - 1),
        lambda X, k: either(X, k + 1),
        lambda X, k: either(X, 5),
        lambda X, k: either(X[:, :3], k),
        lambda X, k: either(X[:, :4], k),
        lambda X, k: either(X / X.std(0), k),
        lambda X, k: either(-X, k) * cdist(X, X),
        lambda X, k: either(X, k) * np.exp(-cdist(X, X)),
        lambda X, k: either(X, k) + either(X, k).T,
        lambda X, k: np.triu(either(X, k)),
        lambda X, k: cdist(X, X) <= np.sort(cdist(X, X), axis=1)[:, k : k + 1],
        lambda X, k: cdist(X, X, "cityblock") <= np.sort(cdist(X, X, "cityblock"), axis=1)[:, [k]],
        lambda X, k: (cdist(X, X, "cityblock") <= np.sort(cdist(X, X, "cityblock"), axis=1)[:, [k]]) - np.eye(len(X)),
        lambda X, k: either(np.vstack([X, X[:1] + 9]), k)[:-1, :-1],
        lambda X, k: either(X, k)[:80, :80],
        lambda X, k: csr_array(either(X, k)),
        lambda X, k: either(X, k).astype(bool),
        lambda X, k: either(X, k).astype(np.float32),
        lambda X, k: either(X, k).astype(object),
        lambda X, k: either(X, k).tolist(),
        lambda X, k: either(X.astype(np.float32), k).T,
    ],
    "1b": [
        lambda W: np.diag((W > 0).sum(1)) - W,
        lambda W: np.diag((W != 0).sum(1)) - (W != 0),
        lambda W: np.where(np.eye(len(W)) > 0, np.diag(W.sum(1)), -W),
        lambda W: np.diag(np.where(np.eye(len(W)) > 0, 0, W).sum(1)) - W,
        lambda W: W - np.diag(W.sum(1)),
        lambda W: np.diag(W.sum(1)),
        lambda W: np.diag(W.sum(1)) + W,
        lambda W: np.eye(len(W)) - W,
        lambda W: np.eye(len(W)) - W / np.sqrt(np.outer(W.sum(1), W.sum(1))),
        lambda W: np.eye(len(W)) - W / W.sum(1)[:, None],
        lambda W: 2 * (np.diag(W.sum(1)) - W),
        lambda W: (np.diag(W.sum(1)) - W) / len(W),
        lambda W: 6 * np.eye(len(W)) - W,
        lambda W: (np.diag(W.sum(1)) - W).astype(int),
        lambda W: np.triu(np.diag(W.sum(1)) - W),
        lambda W: np.diag(W.max(1)) - W,
        lambda W: np.diag(W.sum()) - W,
        lambda W: (np.diag(W.sum(0)) - W).astype(np.float32),
        lambda W: (np.diag(W.sum(0)) - W).astype(object),
        lambda W: csr_array(np.diag(W.sum(1)) - W),
        lambda W: np.add(W, -np.diag(W.sum(1)), out=W).__imul__(-1),
    ],
    "1c": [
        without_d,
        normalised,
        eigenmap_with(lambda m: slice(0, m)),
        eigenmap_with(lambda m: slice(-m, None)),
        eigenmap_with(lambda m: slice(1, m)),
        eigenmap_with(lambda m: slice(1, m + 2)),
        eigenmap_with(lambda m: slice(1, 3)),
        eigenmap_with(lambda m: slice(1, 4)),
        eigenmap_with(mu=lambda mu: mu[1:]),
        eigenmap_with(mu=lambda mu: mu[::-1]),
        eigenmap_with(mu=lambda mu: mu[:, None]),
        eigenmap_with(Y=np.squeeze),
        eigenmap_with(Y=np.transpose),
        eigenmap_with(Y=np.abs),
        eigenmap_with(Y=lambda Y: Y / np.linalg.norm(Y, axis=0)),
        eigenmap_with(weights=lambda W: (W != 0).astype(float)),
        eigenmap_with(weights=lambda W: W - np.diag(np.diag(W))),
        lambda W, m: eigenmap_with()(W, m)[::-1],
        lambda W, m: eigenmap_with()(W[:90, :90], m),
        lambda W, m: (eigenmap_with()(W, m)[0], eigenmap_with()(W, 4)[1][:, :m]),
        above(1e-1),
        above(1e-2),
        above(2e-3),
        above(1e-9),
        lambda W, m: [np.asarray(part, dtype=np.float32) for part in eigenmap_with()(W, m)],
        lambda W, m: [np.asarray(part, dtype=object) for part in eigenmap_with()(W, m)],
        lambda W, m: [part.tolist() for part in eigenmap_with()(W, m)],
        eigenmap_with(Y=np.asfortranarray),
    ],
    "1d": [
        {"neighbour_graph": nearest},
        {"neighbour_graph": both},
        {"neighbour_graph": lambda X, k: None},
        {"neighbour_graph": lambda X, k: either(X, 10)},
        {"neighbour_graph": lambda X, k: csr_array(either(X, k))},
        {"neighbour_graph": lambda X, k: either(X, k)[:1000, :1000].astype(bool)},
        {"eigenmap": lambda W, m: None},
        {"eigenmap": without_d},
        {"eigenmap": normalised},
        {"eigenmap": eigenmap_with(lambda m: slice(0, m))},
        {"eigenmap": eigenmap_with(lambda m: slice(2, m + 2))},
        {"eigenmap": above(1e-2)},
        {"eigenmap": eigenmap_with(mu=lambda mu: mu[:3])},
        {"width": "5"},
        {"width": Fraction(5)},
        {"width": 2.0},
        {"k": 10.0},
        {"k": 11},
        changed("mu", lambda mu: mu[1:], "1d"),
        changed("mu", lambda mu: mu[:3].tolist(), "1d"),
        changed("Y", lambda Y: Y[:, ::-1], "1d"),
        changed("Y", lambda Y: Y.T, "1d"),
        changed("Y", lambda Y: -2 * Y, "1d"),
        changed("Y", lambda Y: -Y.astype(np.float32), "1d"),
        changed("Y", lambda Y: Y.astype(object), "1d"),
        changed("Y", lambda Y: Y.astype(str), "1d"),
    ],
    "1e": [2, 0.25, 16, 1, -4, 4.0, 4.04, 3.9, "4", "four", Fraction(4), Fraction(1, 4), (1, 4), [4], np.array([[4]]),
           np.float32(4), np.array(4, dtype=object), True, 4j, {"ratio": 4}, np.nan],
    "2a": [
        *(changed("X", change, "2a") for change in (
            lambda X: X.tolist(), lambda X: X.astype(np.float32), lambda X: X.astype(int), lambda X: X.astype(object),
            lambda X: X.astype(str), lambda X: X.astype(str).tolist(), lambda X: np.ma.masked_less(X, 1),
            lambda X: csr_array(X), lambda X: X[:49], lambda X: X[:, :1], lambda X: X[:, 0], lambda X: X.T,
            lambda X: X * np.nan, lambda X: np.where(X > 0, X, None), lambda X: X > 3, lambda X: X[np.arange(300) // 3],
            lambda X: dict(enumerate(X)), lambda X: (row for row in X), lambda X: [tuple(row) for row in X],
        )),
    ],
    "2b": [
        *({"k": k} for k in (10.0, "10", Fraction(10), 11, 10.5, 1)),
        *(changed("mu", change, "2b") for change in (
            lambda mu: mu[1:], lambda mu: mu[::-1], lambda mu: np.sqrt(mu), lambda mu: mu.tolist(),
            lambda mu: mu.astype(object), lambda mu: np.append(mu, 0.5), lambda mu: mu[:, None], lambda mu: 2 * mu,
        )),
        *(changed("Y", change, "2b") for change in (
            lambda Y: Y[:, ::-1], lambda Y: Y[:, :1], lambda Y: 3 * Y, lambda Y: -Y, lambda Y: Y.T,
            lambda Y: Y.tolist(), lambda Y: Y.astype(np.float32), lambda Y: Y.astype(object), lambda Y: np.abs(Y),
            lambda Y: csr_array(Y),
        )),
    ],
    "2c": [
        {"sweep": lambda: table()},
        {"sweep": lambda: np.array(table(), dtype=object)},
        {"sweep": lambda: [[str(value) for value in row] for row in table()]},
        {"sweep": lambda: np.array(table()).astype(str)},
        {"sweep": lambda: np.round(table(), 3)},
        {"sweep": lambda: np.round(table(), 2)},
        {"sweep": lambda: table(ks=(8, 16, 32, 64))},
        {"sweep": lambda: table(ks=(8, 8, 8, 8, 8))},
        {"sweep": lambda: table(smallest=lambda mu, parts: mu[0])},
        {"sweep": lambda: table(smallest=lambda mu, parts: mu[1])},
        {"sweep": lambda: table(parts_of=lambda parts: parts - 1)},
        {"sweep": lambda: [row[:2] for row in table()]},
        {"sweep": lambda: np.transpose(table())},
        {"sweep": lambda: [("k", "parts", "mu"), *table()]},
        {"sweep": lambda: {row[0]: row[1:] for row in table()}},
        {"sweep": lambda: [[Fraction(value) for value in row] for row in table()]},
    ],
    "3a": [
        counts_from_zero,
        lambda y: both_weights(y)[::-1],
        lambda y: [2 * W for W in both_weights(y)],
        lambda y: [-W for W in both_weights(y)],
        lambda y: [W / len(y) for W in both_weights(y)],
        lambda y: both_weights(y, within(y, 1)),
        lambda y: both_weights(y, within(y, np.maximum((y[:, None] == y).sum(1) - 1, 1))),
        lambda y: both_weights(y, within(y, len(y) / len(np.unique(y)))),
        lambda y: both_weights(y, total=1.0),
        lambda y: both_weights(y, sum(np.outer(y == c, y == c) / max((y == c).sum(), 1) for c in range(3))),
        lambda y: both_weights(y, sum(np.outer(y == c, y == c) / max((y == c).sum(), 1) for c in range(10))),
        lambda y: both_weights(y, sum(np.outer(y == c, y == c) / (y == c).sum() for c in np.unique(y)[:3])),
        lambda y: both_weights(y, within((y == y[0]).astype(int))),
        lambda y: (np.full((len(y), len(y)), 1 / len(y)), within(y)),
        lambda y: (np.where(y[:, None] == y, 0, 1 / len(y)), within(y)),
        lambda y: [np.triu(2 * W) for W in both_weights(y)],
        lambda y: both_weights(y[:20]),
        lambda y: [W - np.diag(np.diag(W)) for W in both_weights(y)],
        lambda y: [W.astype(np.float32) for W in both_weights(y)],
        lambda y: [W.astype(object) for W in both_weights(y)],
        lambda y: [csr_array(W) for W in both_weights(y)],
        lambda y: np.array(both_weights(y)),
        lambda y: both_weights(y)[1],
    ],
    "3b": [
        {"dual_matrices": lambda K, W_b, W_w: laplacians(K, W_b, W_w, L=lambda W: W)},
        {"dual_matrices": lambda K, W_b, W_w: laplacians(K, W_b, W_w, L=lambda W: np.eye(len(W)) - W)},
        {"dual_matrices": lambda K, W_b, W_w: (-K @ W_b @ K, K @ (np.eye(len(K)) - W_w) @ K)},
        {"dual_matrices": lambda K, W_b, W_w: laplacians(K, W_w, W_b)},
        {"dual_matrices": lambda K, W_b, W_w: laplacians(K, W_b, W_w, L=lambda W: W - np.diag(W.sum(1)))},
        {"dual_matrices": lambda K, W_b, W_w: [M @ K for M in laplacians(K, W_b, W_w)]},
        {"dual_matrices": lambda K, W_b, W_w: [np.diag(W.sum(1)) - W for W in (W_b, W_w)]},
        {"dual_matrices": lambda K, W_b, W_w: [M + 1e-3 * np.eye(len(K)) for M in laplacians(K, W_b, W_w)]},
        {"dual_matrices": lambda K, W_b, W_w: [M.astype(np.float32) for M in laplacians(K, W_b, W_w)]},
        {"dual_matrices": lambda K, W_b, W_w: [csr_array(M) for M in laplacians(K, W_b, W_w)]},
        {"dual_matrices": lambda K, W_b, W_w: laplacians(K[:22, :22], W_b[:22, :22], W_w[:22, :22])},
        {"to_dual": lambda X, b: X @ b},
        {"to_dual": lambda X, b: X @ b / (b @ b)},
        {"to_dual": lambda X, b: b},
        {"to_dual": lambda X, b: np.linalg.solve(X @ X.T, X @ b)},
        {"to_dual": lambda X, b: np.linalg.pinv(X @ X.T) @ X @ b},
        {"to_dual": lambda X, b: X @ np.linalg.solve(X.T @ X, b)},
        {"to_dual": lambda X, b: np.linalg.solve(X @ X.T + 1e-9 * np.eye(len(X)), X @ b)},
        {"to_dual": lambda X, b: np.linalg.solve(X @ X.T + 1e-3 * np.eye(len(X)), X @ b)},
        {"to_dual": lambda X, b: np.linalg.solve(X @ X.T + 3e-2 * np.eye(len(X)), X @ b)},
        {"to_dual": lambda X, b: np.linalg.solve(X[:4].T, b)},
        {"to_dual": lambda X, b: np.append(np.linalg.solve(X[: X.shape[1]].T, b), np.zeros(len(X) - X.shape[1]))},
        {"to_dual": lambda X, b: np.linalg.lstsq(X.T, b / np.linalg.norm(b), rcond=None)[0]},
        {"to_dual": lambda X, b: np.linalg.lstsq(X.T - X.T.mean(1, keepdims=True), b, rcond=None)[0]},
        {"to_dual": lambda X, b: np.linalg.lstsq(X.T, b, rcond=None)[0][:, None]},
        {"to_dual": lambda X, b: np.linalg.lstsq(X.T, b, rcond=None)},
        {"to_dual": lambda X, b: np.linalg.lstsq(X.T, b, rcond=None)[0].astype(object)},
    ],
    "3c": [
        indicator(lambda y: y == 0),
        indicator(lambda y: y == 1),
        indicator(lambda y: y == 2),
        indicator(lambda y: y % 2),
        indicator(lambda y: (-1.0) ** y),
        indicator(lambda y: y // 2 % 2),
        indicator(lambda y: y),
        indicator(lambda y: y - y.mean()),
        indicator(lambda y: y > y.mean()),
        indicator(lambda y: y == y.max()),
        indicator(lambda y: y == np.unique(y)[1]),
        indicator(lambda y: y == np.unique(y)[2]),
        indicator(lambda y: np.sort(y) == y.min()),
        indicator(lambda y: np.arange(len(y)) == 0),
        indicator(lambda y: np.ones(len(y))),
        indicator(lambda y: np.zeros(len(y))),
        indicator(lambda y: y + 1e-3 * np.arange(len(y))),
        indicator(lambda y: 1e-6 * (y == y[0])),
        lambda K, y: y == y[0],
        lambda K, y: K @ (y == y[0]),
        lambda K, y: np.linalg.lstsq(K, y == y[0], rcond=None)[0],
        lambda K, y: np.linalg.pinv(K) @ (y == y[0]),
        lambda K, y: np.linalg.solve(K + 1e-12 * np.eye(len(K)), y == y[0]),
        lambda K, y: np.linalg.solve(K + 1e-6 * np.eye(len(K)), y == y[0]),
        lambda K, y: np.linalg.solve(K + 1e-4 * np.eye(len(K)), y == y[0]),
        lambda K, y: np.linalg.solve(K + 1e-2 * np.eye(len(K)), y == y[0]),
        lambda K, y: np.linalg.solve(K, y == y[0])[:, None],
        lambda K, y: np.linalg.solve(K, y == y[0]).astype(object),
    ],
    "3d": [27, 27.0, "27", Fraction(27), np.int8(27), [27], 28, 26, 29, 30, 3, 2, 27.5, (27, 3), True, "n - c"],
    "3e": [
        lambda y, A: [A * W for W in both_weights(y)],
        lambda y, A: (both_weights(y)[0], A * both_weights(y)[1]),
        lambda y, A: both_weights(y),
        lambda y, A: local(y, A)[::-1],
        lambda y, A: [-W for W in local(y, A)],
        lambda y, A: local(y, A, np.square),
        lambda y, A: local(y, A, np.sqrt),
        lambda y, A: local(y, A, lambda A: A / A.max()),
        lambda y, A: local(y, A, lambda A: A > 0.5),
        lambda y, A: local(y, A, lambda A: A / A.mean(1, keepdims=True)),
        lambda y, A: local((y == y[0]).astype(int), A),
        lambda y, A: local(y[:14], A[:14, :14]),
        lambda y, A: local(y, A, W=counts_from_zero(y)),
        lambda y, A: local(y, A, W=both_weights(y, within(y, (A * (y[:, None] == y)).sum(1)))),
        lambda y, A: (1 / len(y) - A * within(y), A * within(y)),
        lambda y, A: (A / len(y) - A * within(y), A * within(y)),
        lambda y, A: [W - np.diag(np.diag(W)) for W in local(y, A)],
        lambda y, A: [np.triu(W) + np.tril(W, -1) for W in local(y, A)],
        lambda y, A: [W.astype(np.float32) for W in local(y, A)],
        lambda y, A: [W.astype(object) for W in local(y, A)],
        lambda y, A: [csr_array(W) for W in local(y, A)],
        lambda y, A: np.array(local(y, A)),
    ],
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.filterwarnings("ignore")
def test_what_passes_the_check_passes_when_it_is_graded(part):
    refused = 0
    assert len(SOLVED[part]) >= 12 and grade(part, right_names(part)) is None
    for i, answer in enumerate(SOLVED[part]):
        answer = answer.answers() if isinstance(answer, changed) else answer
        answers = answer if isinstance(answer, dict) and part != "1e" else {names_of(part)[0]: answer}
        answers = {name: value() if name == "sweep" else value for name, value in answers.items()}
        answers = right_names(part) | answers
        if passes(part, answers):
            assert grade(part, answers) is None, f"answer {i} to {part} passes its check and is refused when graded"
        else:
            refused += 1
    assert refused >= 5


@pytest.mark.parametrize("part", PARTS)
def test_what_is_right_here_is_right_when_graded_in_single_precision_too(part):
    names = names_of(part)
    assert grade(part, right_names(part) | {name: single(right_names(part)[name]) for name in names}) is None


def test_no_hint_of_1d_answers_1e(capsys):
    for width, k in (0.5, 10), (2.0, 10), (4.0, 10), (25.0, 10), (5.0, 200):
        text = said(capsys, "1d", *eigenmap_of(width, k))
        values = [float(value) for value in re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", text)]
        ratios = [a / b for a in values for b in values if b]
        assert "two half-waves" not in text and not any(abs(ratio - 4) < 0.1 for ratio in ratios), text


def test_no_hint_shows_a_line_of_the_solution():
    files = [PROJECT / "kmlab/course/checking.py", *(PROJECT / "kmlab/course/homework").glob("*.py")]
    code = "".join(file.read_text("utf-8") for file in files)
    hints = re.findall(r"raise Wrong\((.*?)\)(?: from None)?\n", code, re.S)
    assert len(hints) > 40
    told = re.sub(r'\s|"', "", "".join(hints))
    for line, is_code in secrets():
        line = re.sub(r"\s|^return", "", line)
        pieces = [line[i : i + 12] for i in range(len(line) - 11)] if is_code else []
        assert not [piece for piece in pieces if piece in told and re.search(r"[(.]\w|[-+]", piece)], line
    assert "D-W" not in told.replace("L-D+W", "")


def test_the_picture_names_the_side_that_a_coordinate_follows():
    t = datasets.s_curve(300, 12.0, seed=0)[1]
    assert homework.show(t[:, ::-1], t, ("arc", "width")).caption == (
        "Rank correlation of coordinate 1 with the width 1.00, of coordinate 2 with the arc 1.00."
    )


@pytest.mark.parametrize("width, goal", [(5.0, True), (12.0, True), (2.0, False)])
def test_the_s_unrolls_into_the_students_own_sheet(width, goal):
    sheet = datasets.s_curve(1000, width, seed=0)[1]
    _, _, _, Y, _, _ = eigenmap_of(width, 10)
    frames = list(homework.unrolling(sheet, -Y))
    assert np.allclose(frames[0], datasets.s_curve(1000, width, seed=0)[0])  # the S of the task, point by point
    assert np.abs(frames[-1][:, 2]).max() < 1e-4  # flat
    order = slice(None) if np.abs(np.corrcoef(frames[-1][:, 0], Y[:, 0])[0, 1]) > 0.99 else slice(None, None, -1)
    for mine, y, side in zip(frames[-1].T[:2], Y[:, order].T, sheet.T, strict=True):
        assert np.isclose(np.abs(np.corrcoef(mine, y)[0, 1]), 1, atol=1e-6)  # the student's own coordinates
        assert np.isclose(mine.std(), side.std(), atol=1e-4) and np.corrcoef(mine, side)[0, 1] > (0.8 if goal else -1)
    view = homework.unroll(width, Y)
    assert view.shown.startswith("Frame 13 of 13: Unrolled to 100%.") and b"PNG" in view.render(t=0)[:8]


def test_the_goal_is_drawn_with_the_points_of_the_task(monkeypatch):
    from kmlab.course.drawings import locality

    drawn = []
    monkeypatch.setattr(locality.datasets, "s_curve", lambda *how: drawn.append(how) or s_curve(*how))
    homework.goal(1)
    (how,) = drawn
    assert np.array_equal(s_curve(*how)[0], s_curve(1000, 5.0, seed=0)[0])


def test_a_function_may_not_spoil_the_data_it_is_tried_on(right, capsys):
    def spoils(W):
        L = np.diag(W.sum(1)) - W
        W[:] = 0
        return L

    assert "right" in said(capsys, "1b", spoils)


def test_the_summary_counts_what_is_right(right, capsys):
    for part in ("1a", "1b"):
        said(capsys, part, *right[part])
    said(capsys, "1c", ...)
    homework._right.pop("1d", None), homework._right.pop("1e", None)
    homework.summary(1)
    assert capsys.readouterr().out.startswith("Homework 1: 6 of the 18 points that can be checked here.")


def test_pictures_wait_until_there_is_something_to_show(capsys):
    assert homework.unroll(..., ...) is None and "unrolls here when width and Y" in capsys.readouterr().out
    flat = np.zeros((1000, 2))
    for width, Y in ("wide", flat), (-1, flat), (5, flat[:5]), (5, "Y"), (5, [[1]]), (5, flat * np.nan):
        assert homework.unroll(width, Y) is None and capsys.readouterr().out.count("\n") == 1
    assert homework.show(..., ...) is None and "appears here when Y is there" in capsys.readouterr().out
    assert homework.show(np.zeros((5, 1)), np.zeros(5)) is None and "Y has shape (5, 1)" in capsys.readouterr().out
    Y = np.random.default_rng(0).standard_normal((50, 3))
    assert homework.show(Y, Y[:, :2]).caption.startswith("Rank correlation of coordinate 1 with the first 1.00")
    assert homework.show(Y, Y[:, 0]).caption == "Rank correlation of coordinate 1 with the first 1.00."
    assert homework.show(Y, np.repeat([0, 1], 25)).caption == "Your points, coloured by the first."
    assert "the arc 1.00" in homework.goal(1).caption and "K Lᵇ K A = K Lʷ K A Λ" in homework.goal(3).caption


# ---- the student's version


def released():
    return [nbformat.read(RELEASED / path.name, 4) for path in SOURCES]


@needs_nbgrader
def test_the_students_version_is_what_the_sources_give(tmp_path):
    from classroom import gradebook

    made = gradebook.generate(tmp_path)
    assert [path.name for path in made.values()] == [path.name for path in sorted(RELEASED.glob("*.ipynb"))]
    for path in made.values():
        new, stored = (nbformat.read(p, 4).cells for p in (path, RELEASED / path.name))
        assert [(c.id, c.source, c.metadata) for c in new] == [(c.id, c.source, c.metadata) for c in stored], (
            "run python3 course.py homework"
        )


def test_an_untouched_notebook_runs_without_an_error_and_shows_the_goal():
    for notebook in released():
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        assert all(output.output_type != "error" and output.get("name") != "stderr" for output in outputs)
        assert "NotImplementedError" not in json.dumps(notebook)
        assert any("image/png" in output.get("data", {}) for output in outputs)
    assert all(
        "not attempted yet" in cell.outputs[0].data["text/plain"]
        for notebook in released()
        for cell in notebook.cells
        if cell.id.startswith("check-")
    )


def test_points_add_up_to_twenty_and_agree_everywhere():
    for notebook in released():
        labels = [(cell.id, cell.metadata.nbgrader) for cell in notebook.cells if "nbgrader" in cell.metadata]
        points = {name: label.points for name, label in labels if label.grade}
        assert sum(points.values()) == 20
        for name, worth in points.items():
            if name.startswith("check-"):
                part = name.removeprefix("check-")
                assert homework.part_points(part) == worth
        table = [
            [int(n) for n in re.findall(r"\| (\d+)(?= )", row)]
            for row in notebook.cells[0].source.splitlines()
            if re.match(r"\| \d\w \|", row)
        ]
        assert sum(map(sum, table)) == 20
        text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        headings = re.findall(r"^## .*\((\d+)(?: \+ (\d+))? points?\)", text, re.M)
        assert sum(int(number) for heading in headings for number in heading if number) == 20


def secrets():
    """(line, is code) of every solution and every hidden test, but for those that anybody might write."""
    found, common = [], re.compile(r"from |import |.{,20}$|X, t = s_curve\(1000, width, seed=0\)$")  # the last is given
    for path in SOURCES:
        for cell in nbformat.read(path, 4).cells:
            for kind in ("SOLUTION", "HIDDEN TESTS"):
                for region in re.findall(rf"### BEGIN {kind}\n(.*?)### END {kind}", cell.source, re.S):
                    found += [
                        (line.strip(), cell.cell_type == "code")
                        for line in region.splitlines()
                        if not common.match(line.strip())
                    ]
    return found


def test_solutions_and_hidden_tests_never_reach_the_student():
    lines = secrets()
    assert len(lines) > 50
    for notebook in released():
        text = "\n".join(cell.source for cell in notebook.cells) + json.dumps(notebook)
        assert not re.search("(BEGIN|END) (SOLUTION|HIDDEN)", text)
        for line, _ in lines:
            assert line not in text


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    """The students' file, and the names in it."""
    file = tmp_path_factory.mktemp("bundle") / "course.zip"
    return file, bundle.write(file)


def test_nor_do_they_reach_the_bundle(bundled):
    file, names = bundled
    assert not [name for name in names if name.startswith(("solutions", "classroom", "my-", ".git/", ".venv"))]
    assert {
        "course.py",
        "README.md",
        "kmlab/course/homework/homework_1.py",
        "notebooks/homework/homework_3.ipynb",
        "tests/test_graph.py",
        "notebooks/00_start_here.ipynb",
    } <= set(names)
    worked = [
        line.strip()
        for path in (PROJECT / "solutions").glob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("check(")
    ]
    assert len(worked) > 50
    with zipfile.ZipFile(file) as zipped:
        texts = {name: zipped.read(name).decode("utf-8", "replace") for name in zipped.namelist()}
    lines = secrets()
    for name, text in texts.items():
        assert not bundle.SECRETS.search(text), name
        for line, is_code in lines:
            # kmlab has the methods themselves, which is no secret; of the homework it has neither tests nor proofs
            if not is_code or "/kmlab/" not in name:
                assert line not in text, name
        if "/notebooks/" not in name:
            assert not [line for line in worked if line in text and "..." not in line], name
    readme = texts["kmlab-course/README.md"]
    assert "solutions" not in readme and "course.py grade" not in readme and "## As a library" in readme


def test_a_bundle_refuses_a_secret_and_is_the_same_every_time(bundled, tmp_path, monkeypatch):
    bundle.write(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == bundled[0].read_bytes()
    monkeypatch.setattr(bundle, "TAKEN", [*bundle.TAKEN, "classroom"])
    with pytest.raises(SystemExit, match=r"classroom/.* holds a line 'BEGIN .* the bundle is for students"):
        bundle.contents()


def test_the_bundle_starts_with_the_same_two_commands(bundled, tmp_path, capfd):
    """All but the download: .venv is made of the packages that are here."""
    import venv

    with zipfile.ZipFile(bundled[0]) as zipped:
        zipped.extractall(tmp_path)
    root = tmp_path / "kmlab-course"
    spec = importlib.util.spec_from_file_location("course_of_bundle", root / "course.py")
    its = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(its)
    assert "grade" not in its.COMMANDS and set(its.COMMANDS) >= {"", "test", "figures"}
    venv.EnvBuilder(symlinks=True).create(its.VENV)
    (packages,) = its.VENV.glob("[Ll]ib/**/site-packages")
    (packages / "here.pth").write_text(f"{root}\n{Path(pytest.__file__).parent.parent}\n")
    its.write(its.STAMP, {"source": its.fingerprint(), "extras": ["test"]})
    assert bundle.try_commands(root, [sys.executable, str(root / "course.py")], patience=120) == 0
    text = capfd.readouterr().out
    assert "The lab answers and has the homework: 200." in text and re.search(r"\d+ passed", text)
