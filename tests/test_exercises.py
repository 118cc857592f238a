"""check answers at once, never raises, never shows a solution; the worked solutions are all correct."""

import functools
import io
import re
import runpy
import tokenize
from pathlib import Path

import numpy as np
import pytest

import kmlab.course.exercises
from kmlab.centering import Centerer
from kmlab.clustering import cluster_distance2
from kmlab.course.checking import DIGITS
from kmlab.course.exercises import EXERCISES, check, numbers
from kmlab.course.watching import lines_run
from kmlab.kernels import Gaussian, Linear, Precomputed, feature_distance2
from kmlab.manifold import LPP
from kmlab.npt import NPT
from kmlab.pca import PCA
from kmlab.regression import KernelRidge
from kmlab.relevance import relevant_dimension
from kmlab.svm import SVC

ROOT = Path(__file__).parent.parent
SOLUTIONS = sorted((ROOT / "solutions").glob("*.py"))


def verdict(capsys, number, answer=None):
    check(number, answer)
    return capsys.readouterr().out


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_worked_solutions_are_correct_and_complete(path, capsys):
    runpy.run_path(str(path))
    lines = capsys.readouterr().out.splitlines()
    chapter = str(int(path.stem[:2]))
    assert lines == [f"Exercise {number}: correct." for number in numbers(chapter)]


def test_every_chapter_has_its_solutions():
    assert {str(int(path.stem[:2])) for path in SOLUTIONS} == {number.split(".")[0] for number in numbers()}


# ---- every exercise: its solution is right in every form, and nothing close to it

OPEN = {  # more than one answer is right, so that a right one may be changed and stay right
    "2.4": "any lift that separates, a longer one too",
    "11.3": "any data, with its own counts",
}


@functools.cache
def answers():
    """number -> what the worked solution hands over."""
    found, check_of_old = {}, kmlab.course.exercises.check
    kmlab.course.exercises.check = found.__setitem__
    try:
        for path in SOLUTIONS:
            runpy.run_path(str(path))
    finally:
        kmlab.course.exercises.check = check_of_old
    return found


def is_number(part):
    return isinstance(part, int | float | np.number) and not isinstance(part, bool)


def each_number(change, answer):
    """The answer with `change` made of every number in it."""
    if isinstance(answer, tuple | list):
        return type(answer)(each_number(change, part) for part in answer)
    if isinstance(answer, np.ndarray) and answer.ndim == 1:
        return np.array([each_number(change, part) for part in answer])
    return change(answer) if is_number(answer) else answer  # a matrix is data, a word a word


def one_number_changed(change, answer):
    """All answers that differ from this one in a single number."""
    if is_number(answer):
        yield change(answer)
    elif isinstance(answer, tuple | list | np.ndarray):
        for i, part in enumerate(answer):
            for new in one_number_changed(change, part):
                yield [*answer[:i], new, *answer[i + 1 :]]


def digits_of(number, cut=False):
    """As somebody writes it down: three digits, rounded or cut off; whole numbers stay."""
    if number == 0 or number == int(number):
        return number
    places = DIGITS - 1 - int(np.floor(np.log10(abs(number))))
    return float(np.trunc(number * 10.0**places) / 10.0**places if cut else round(float(number), places))


def numbers_only(answer):
    return all(map(numbers_only, answer)) if isinstance(answer, tuple | list) else is_number(answer)


def parts_as_arrays(answer):
    return [np.array(part) if numbers_only(part) else part for part in answer] if isinstance(answer, list) else answer


def as_lists(answer):
    return [as_lists(part) for part in answer] if isinstance(answer, tuple | list | np.ndarray) else answer


FORMS = {
    "a list": as_lists,
    "single precision": lambda answer: each_number(np.float32, answer),
    "three digits": lambda answer: each_number(digits_of, answer),
    "cut off": lambda answer: each_number(lambda number: digits_of(number, cut=True), answer),
    "parts that are arrays": lambda answer: parts_as_arrays(as_lists(answer)),
    "an array": lambda answer: np.array(each_number(float, answer)),
    "an array in single precision": lambda answer: np.array(each_number(float, answer), dtype=np.float32),
}
CHANGES = {
    "2 % more": lambda number: number * 1.02 if number else 0.02,
    "2 % less": lambda number: number * 0.98 if number else -0.02,
    "one more": lambda number: number + 1 if number == int(number) else number * 1.02,
    "one less": lambda number: number - 1 if number == int(number) else number * 0.98,
}
WITH_NUMBERS = [number for number in numbers() if not callable(answers()[number])]
FUNCTIONS = [number for number in numbers() if callable(answers()[number])]


def test_every_exercise_has_a_solution_that_is_recorded():
    assert list(answers()) == numbers() and set(OPEN) < set(numbers())


@pytest.mark.parametrize("number", WITH_NUMBERS)
@pytest.mark.parametrize("form", FORMS)
def test_a_right_answer_is_right_in_every_form(number, form, capsys):
    try:
        answer = FORMS[form](answers()[number])
    except ValueError:
        pytest.skip("parts that differ in kind make no array")
    if isinstance(answer, np.ndarray) and not numbers_only(as_lists(answers()[number])):
        pytest.skip("a word or a truth value is no array")
    assert verdict(capsys, number, answer) == f"Exercise {number}: correct.\n", answer


@pytest.mark.parametrize("number", WITH_NUMBERS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_right_answer_with_one_number_changed_is_not_right(number, change, capsys):
    answer = answers()[number]
    whole, data = (answer, ()) if number not in OPEN else (answer[-2:], answer[:-2])  # the data may be any
    wrong = [[*data, *new] if data else new for new in one_number_changed(CHANGES[change], whole)]
    for new in wrong:
        assert verdict(capsys, number, new).startswith(f"Exercise {number}: keep going. "), new
    assert wrong or isinstance(answer, str | bool)


def test_the_other_word_and_the_other_truth_value_are_not_right(capsys):
    for number, answer in answers().items():
        if isinstance(answer, bool):
            assert "keep going" in verdict(capsys, number, not answer)
        if isinstance(answer, str):
            assert "keep going" in verdict(capsys, number, f"un{answer}")


def in_single_precision(value):
    if isinstance(value, tuple | list):
        return type(value)(in_single_precision(part) for part in value)
    if isinstance(value, np.ndarray | np.floating | float) and np.asarray(value).dtype == float:
        return np.asarray(value, dtype=np.float32)[()]
    return value


def single(function):
    return lambda *case: in_single_precision(function(*in_single_precision(case)))


def scaled(function, factor, which=None):
    """The function with its result, or one part of it, a little too large."""

    def wrong(*case):
        result = function(*case)
        if isinstance(result, tuple):
            return tuple(part * factor if which in (None, i) else part for i, part in enumerate(result))
        return np.asarray(result) * factor

    return wrong


@pytest.mark.parametrize("number", FUNCTIONS)
def test_a_function_in_single_precision_is_right(number, capsys):
    assert verdict(capsys, number, single(answers()[number])) == f"Exercise {number}: correct.\n"


@pytest.mark.parametrize("number", FUNCTIONS)
@pytest.mark.parametrize("which", [None, 0, 1, 2])
def test_a_function_that_is_off_by_two_percent_is_not_right(number, which, capsys):
    if number in OPEN:
        pytest.skip(OPEN[number])
    parts, solution = [], answers()[number]

    def remembers(*case):
        result = solution(*case)
        parts.append(len(result) if isinstance(result, tuple) else 0)
        return result

    check(number, remembers)
    if (which or 0) > parts[0] - 1 and which is not None:
        pytest.skip("it returns fewer things")
    capsys.readouterr()
    for factor in (1.02, 0.98):
        assert "keep going" in verdict(capsys, number, scaled(solution, factor, which))


@pytest.mark.parametrize("number", FUNCTIONS)
def test_one_thing_too_many_is_told_in_a_sentence(number, capsys):
    solution = answers()[number]
    text = verdict(capsys, number, lambda *case: (solution(*case), 7, "and more", {}))
    assert re.search(r"returns a tuple of 4, (an array of shape|a number)|Return (two|three) things", text)
    assert "stopped with" not in text


# ---- hints


def code_of(path):
    """number -> the code between its comment and its check in a file of solutions, without blanks and comments."""
    text, found = path.read_text("utf-8"), {}
    for part in re.split(r"(?m)^# (?=\d+\.\d)", text)[1:]:
        number, code = re.match(r"[\d.]+", part).group(), part.split("\n", 1)[1]
        tokens = tokenize.generate_tokens(io.StringIO(code).readline)
        found[number] = "".join(token.string for token in tokens if token.type != tokenize.COMMENT).replace(" ", "")
    return {number: re.sub(r"\s", "", code) for number, code in found.items()}


def in_common(one, other, size):
    return [one[i : i + size] for i in range(len(one) - size + 1) if one[i : i + size] in other]


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_a_hint_is_not_the_solution(path):
    for number, code in code_of(path).items():
        hint, answer = EXERCISES[number].hint, answers()[number]
        assert not [piece for piece in in_common(re.sub(r"\s", "", hint), code, 12) if "(" in piece], (number, hint)
        told = {float(told) for told in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", hint)}
        given = [] if callable(answer) or number in OPEN else list(np.ravel(answer[0] if number == "6.1" else answer))
        secret = {round(float(value), 6) for value in given if is_number(value)} - {0.0, 1.0, 2.0}
        assert not told & secret, (number, hint)


# ---- what dodges the question, and what only looks like it


def by_loop(K):
    D = np.zeros_like(K)
    for i in range(len(K)):
        for j in range(len(K)):
            D[i, j] = K[i, i] + K[j, j] - 2 * K[i, j]
    return D


def with_helper(K):
    def diagonals():
        return np.diag(K)[:, None], np.diag(K)

    total = -2 * K
    for one in diagonals():  # twice, for any number of points
        total = total + one
    print(K)  # numpy has loops of its own
    return total


@pytest.mark.parametrize("answer", [
    by_loop,
    lambda K: np.array([K[i, i] + np.diag(K) - 2 * K[i] for i in range(len(K))]),
    lambda K: [[K[i, i] + K[j, j] - 2 * K[i, j] for j in range(len(K))] for i in range(len(K))],
    lambda K: np.vectorize(lambda i, j: K[i, i] + K[j, j] - 2 * K[i, j])(*np.indices(K.shape)),
])  # fmt: skip
def test_a_loop_is_noticed_where_none_is_wanted(answer, capsys):
    assert "right, but there is a loop in it" in verdict(capsys, "1.6", answer)


@pytest.mark.parametrize("answer", [
    with_helper,
    lambda K: np.einsum("ii->i", K)[:, None] + np.einsum("ii->i", K) - 2 * K,
    lambda K: np.add.outer(np.diag(K), np.diag(K)) - 2 * K,
    lambda K: np.array([[1, 1, -2]]) @ np.array([np.diag(K)[:, None] + 0 * K, np.diag(K) + 0 * K, K]).reshape(3, -1),
    functools.partial(lambda unused, K: np.diag(K)[:, None] + np.diag(K) - 2 * K, None),
])  # fmt: skip
def test_no_loop_is_seen_where_there_is_none(answer, capsys):
    def shaped(K):
        return np.reshape(answer(K), K.shape)

    assert verdict(capsys, "1.6", shaped).endswith("correct.\n")
    assert lines_run(shaped, np.eye(40)) == lines_run(shaped, np.eye(4))


def kernel_machine(X, y, width, C):
    return SVC(Gaussian(width), C, tol=1e-10).fit(X, y).decision_function(X)


BORROWED = [
    ("1.6", feature_distance2, "feature_distance2"),
    ("4.5", cluster_distance2, "cluster_distance2"),
    ("5.4", lambda X, k: PCA(k).fit(X).components_, "PCA.fit"),
    ("6.3", lambda Kt, K: Centerer().fit(K).transform(Kt), "Centerer.transform"),
    ("7.3", lambda K, Kt: (NPT(Precomputed()).fit_transform(K), NPT(Precomputed()).fit(K).transform(Kt)), "NPT.fit"),
    ("11.5", lambda K, t, lam: KernelRidge(Precomputed()).loo_path(K, t, [lam])[0], "KernelRidge.loo_path"),
    ("12.4", lambda K, y: relevant_dimension(K, y).dimension, "relevant_dimension"),
    ("12.5", lambda X, Xt, k: PCA(k).fit(X).inverse_transform(PCA(k).fit(X).transform(Xt)), "PCA.fit"),
    ("13.4", lambda X, W, k: LPP(k, 6, center="D").fit(X).components_.T, "LPP.fit"),
]


@pytest.mark.parametrize(("number", "answer", "name"), BORROWED, ids=[number for number, _, _ in BORROWED])
def test_to_call_what_should_be_written_is_no_answer(number, answer, name, capsys):
    assert f"Your function calls {name}, which does what you are asked to write." in verdict(capsys, number, answer)


def test_a_kernel_machine_is_not_a_linear_machine_on_coordinates(capsys):
    assert "Return three things: Z, w and b." in verdict(capsys, "9.5", kernel_machine)

    def one_coordinate(X, y, width, C):
        return kernel_machine(X, y, width, C)[:, None], np.ones(1), 0.0

    assert "these are no coordinates" in verdict(capsys, "9.5", one_coordinate)

    def not_centred(X, y, width, C):
        Z = NPT(Gaussian(width), center=False).fit_transform(X)
        model = SVC(Linear(), C, tol=1e-6).fit(Z, y)
        return Z, (y * model.alpha_) @ Z, model.b_

    assert verdict(capsys, "9.5", not_centred) == "Exercise 9.5: correct.\n"


def test_lpp_with_another_origin_or_from_the_other_end_is_not_right(capsys):
    def lpp(X, W, k, origin=True, end=slice(None)):
        from scipy.linalg import eigh

        d = W.sum(1)
        X = X - d @ X / d.sum() if origin else X - X.mean(0)
        return eigh(X.T @ (np.diag(d) - W) @ X, X.T @ (d[:, None] * X))[1][:, end][:, :k]

    assert verdict(capsys, "13.4", lpp) == "Exercise 13.4: correct.\n"
    assert "keep going" in verdict(capsys, "13.4", lambda X, W, k: lpp(X, W, k, origin=False))
    assert "which μ come first" in verdict(capsys, "13.4", lambda X, W, k: lpp(X, W, k, end=slice(None, None, -1)))
    assert "returns a tuple of 2" in verdict(capsys, "13.4", lambda X, W, k: (np.zeros(k), lpp(X, W, k)))


def test_a_count_of_zeros_is_told_which_of_them_is_honest(capsys):
    assert "one of them is honest" in verdict(capsys, "13.5", 45)
    X = np.random.default_rng(135).standard_normal((50, 2))
    from kmlab.graph import knn_graph
    from kmlab.kernels import Polynomial

    K, W = Polynomial(2)(X), knn_graph(X, 10).toarray()
    D = np.diag(W.sum(1))
    from scipy.linalg import eigvalsh

    mu = eigvalsh(K @ (D - W) @ K, K @ D @ K + 1e-3 * np.eye(50))
    assert (mu < 1e-6).sum() == 45  # as a reader would count


# ---- numbers


def test_a_rank_is_a_whole_number(capsys):
    assert "A count is a whole number, which 35.02 is not." in verdict(capsys, "1.5", (35.02, 15))


def test_a_truth_value_is_no_number(capsys):
    for number in ("2.5", "3.4", "4.6", "14.5"):
        assert "A number was expected, got True or False." in verdict(capsys, number, True)
    assert "Numbers were expected" in verdict(capsys, "3.3", (10, 10, True))


# ---- stubs, and whatever else may be handed over


@pytest.mark.parametrize("number", numbers())
@pytest.mark.parametrize("stub", [None, ..., (..., ...), lambda *arguments: None])
def test_a_stub_is_not_attempted(number, stub, capsys):
    text = verdict(capsys, number, stub)
    if callable(stub):  # only exercises that ask for a function can call it
        assert "not attempted" in text or "keep going" in text
    else:
        assert text == f"Exercise {number}: not attempted yet.\n"


class Nasty:
    """Raises whatever is asked of it."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __array__(self, *_, **__):
        raise RuntimeError("no array")

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    __hash__ = None


def leave(*arguments):
    raise SystemExit


NASTY = [
    Nasty(), "text", "", [], (), {}, {1: 2}, 1e308, -1, True, float("nan"), float("inf"), 1j, [[1], [1, 2]], object,
    np.array([]), np.zeros((3, 3, 3)), np.array(["a"]), lambda: 1, lambda *a: "text", lambda *a: [[1], [1, 2]],
    lambda *a: 1 / 0, leave, print, (1, Nasty()), [None, 3], range(5),
]  # fmt: skip


@pytest.mark.parametrize("number", numbers())
@pytest.mark.filterwarnings("ignore")
def test_a_wrong_answer_gets_a_hint_and_nothing_raises(number, capsys):
    for answer in NASTY:
        text = verdict(capsys, number, answer)
        assert re.search(rf"^Exercise {re.escape(number)}: (keep going\. \S|not attempted yet\.)", text, re.M), answer


def test_a_function_may_not_spoil_the_data_it_is_tested_on(capsys):
    def spoils_then_answers(Kt, K):
        right = Kt - Kt.mean(1, keepdims=True) - K.mean(0) + K.mean()
        Kt[:], K[:] = 0, 0
        return right

    assert verdict(capsys, "6.3", spoils_then_answers) == "Exercise 6.3: correct.\n"


def test_parts_of_an_answer_may_differ_in_kind_but_not_be_missing(capsys):
    assert verdict(capsys, "11.1", (np.array([1.0]), 1, 2)) == "Exercise 11.1: correct.\n"
    assert "Some of the dots are still there" in verdict(capsys, "11.1", (1, ..., 2))
    assert "A number was expected, got str" in verdict(capsys, "11.1", (1, "one", 2))


def test_an_error_in_an_answer_ends_with_one_full_stop(capsys):
    def fails(*_):
        raise ValueError("No.")

    assert "stopped with ValueError: No. " in verdict(capsys, "6.3", fails)


def test_an_unknown_exercise_names_the_known_ones(capsys):
    assert "there is no such exercise; there are 6.1, 6.2" in verdict(capsys, "6.99")
    assert "there is no such exercise" in verdict(capsys, "seven")
