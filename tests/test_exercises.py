"""check answers at once, never raises, never shows a solution; the worked solutions are all correct."""

import functools
import io
import re
import runpy
import tokenize
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import eigh

import kmlab.course.exercises
from kmlab.centering import Centerer, center_gram
from kmlab.clustering import cluster_distance2
from kmlab.course.checking import DIGITS
from kmlab.course.exercises import EXERCISES, check, numbers
from kmlab.course.watching import lines_run
from kmlab.datasets import LINE_AND_OUTLIER, two_moons
from kmlab.kernels import Gaussian, Linear, Precomputed, feature_distance2
from kmlab.manifold import LPP
from kmlab.npt import NPT
from kmlab.pca import PCA
from kmlab.pca_l1 import PCAL1, R1PCA
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
        hint, answer = f"{EXERCISES[number].hint} {EXERCISES[number].more}", answers()[number]
        assert not [piece for piece in in_common(re.sub(r"\s", "", hint), code, 12) if "(" in piece], (number, hint)
        told = {float(told) for told in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", hint)}
        given = [] if callable(answer) or number in OPEN else list(np.ravel(answer[0] if number == "6.1" else answer))
        secret = {round(float(value), 6) for value in given if is_number(value)} - {0.0, 1.0, 2.0}
        assert not told & secret, (number, hint)


# ---- mistakes that many make, and the words with which each is met the first time

MOONS = two_moons(60, noise=0.3)[0]


def moons_with(outside, support):
    """The data and ν of the worked solution of 11.3, with other counts."""
    return MOONS, 0.2, outside, support


def no_return(*case):
    case = case[0]


SLIPS = {  # exercise -> wrong answers, each with what is said
    "1.1": [((25, 5), "The norm comes first"), ((7, 49), "add the coordinates?"), ((25, 625), "is not the norm yet")],
    "1.2": [
        ((0.368, 1.124, 68.4), "The second number is the squared distance."),
        ((0.607, 0.787, 52.7), "There is no 2 before c²."),
        ((0.368, 1.264, 1.194), "in degrees"),
        ((0.368, 1.26, 68), "Nearly: more digits, 3 of them."),
    ],
    "1.3": [
        (lambda F1, F2: np.hstack([F1, F2]), "Side by side, inner products are added."),
        (lambda F1, F2: (F1[:, :, None] + F2[:, None]).reshape(len(F1), -1), "Every feature is a sum"),
        (no_return, "Your function returns nothing: is there a return?"),
    ],
    "1.4": [(4, "Is this d, or d²?"), (np.sqrt(2), "but no eigenvalue does"), (1.9, "there is a larger one")],
    "1.5": [((15, 35), "in the other order"), ((81, 81), "xy and yx are the same"), ((34, 15), "one monomial more")],
    "1.6": [
        (lambda K: np.diag(K) - 2 * K, "One of the two diagonals is there"),
        (lambda K: np.sqrt(feature_distance2(K) + 0 * K), "Your function calls feature_distance2"),
        (lambda K: np.diag(K)[:, None] + np.diag(K) + 2 * K, "What sign has K_ij?"),
    ],
    "2.1": [(10, "lines through the origin"), (32, "chess board"), (11, "A labelling and its opposite")],
    "2.2": [((10, 11), "An offset helps"), ((9, 8), "One off"), ((5, 4), "half of all labellings")],
    "2.3": [(1.0, "Where is P(+1)?"), (1 - np.log(2), "the more frequent one"), (5.44, "L is its logarithm")],
    "2.4": [(lambda X: X, "the points as they were"), (lambda X: X**2, "A square forgets"), (no_return, "a return?")],
    "2.5": [(1, "A margin of 1"), (20, "how much does each of them cost?")],
    "3.1": [
        ((9, 755, 16), "what stands before R?"),
        ((9, 755, 8), "(P.6) has a square"),
        ((9, 9, 64), "where does η stand?"),
        ((8, 755, 64), "for η = 1 is not right"),
    ],
    "3.2": [
        (lambda K, y, alpha, b: all_at_once(K, y, alpha, b), "Every visit should see"),
        (lambda K, y, alpha, b: (alpha, b), "A point with f = 0"),
        (no_return, "is there a return?"),
    ],
    "3.3": [((100, 100, 1), "the square of one"), ((10, 10, 10), "the sign of f"), ((1, 10, 1), "the same space")],
    "3.4": [(28.3, "R is the length of their images"), (0.7, "the width of the kernel")],
    "3.5": [(64, "the bound for η = 1"), (48.4, "R/ρ is squared"), (176, "The bracket is squared"), (190, "Nearly")],
    "4.1": [([0.5, 1], "look at the border"), ([0.5, 1, 2, 3], "One of them goes too far"), ([2], "smaller powers?")],
    "4.2": [(0.5, "the other way round"), (1, "how often has (K.13)"), (-2, "neither is negative")],
    "4.3": [(30, "distances instead of their order"), (1500, "for points, not for places")],
    "4.4": [
        (2 / 3, "What about those that do not?"),
        (-1 / 3, "which sign has k"),
        (1, "A share of all pairs"),
        (0.33, "Nearly: more digits"),
    ],
    "4.5": [
        (lambda K, labels: squared(K, labels) - np.diag(K)[:, None], "The first term is missing"),
        (lambda K, labels: squared(K, labels) + K @ means(labels), "The middle term comes twice"),
        (no_return, "is there a return?"),
    ],
    "4.6": [(30, "With a tiny R"), (2, "opposite each other")],
    "5.1": [((3, 12), "something in common"), ((3, 20), "no larger rank than 12"), ((12, 12), "its rank is that of")],
    "5.2": [(9, "the square of it"), (1, "Xcᵀu is another vector")],
    "5.3": [((4, 8), "asked is the quotient at its w"), ((4, 4), "another direction"), ((2, 4), "than the largest")],
    "5.4": [
        (lambda X, k: svd_axes(X - X.mean(0))[::-1][:k], "axes of the smallest variances"),
        (lambda X, k: svd_axes(X)[:k], "Is the mean of the points the origin?"),
        (lambda X, k: 2 * svd_axes(X - X.mean(0))[:k], "2 long, an axis has length 1"),
    ],
    "6.1": [
        (([49 * 10, 49 * 10, 980 / 3, 280, 280], 3), "How many points have taken part"),
        (([49 / 6, 49 / 6, 49 / 9, 14 / 3, 14 / 3], 2), "counted from 1"),
        (([98 / 9, 49 / 6, 49 / 6, 14 / 3, 14 / 3], 1), "What stands before the variance"),
        (([8.2, 8.2, 5.4, 4.7, 4.7], 3), "Nearly: more digits"),
    ],
    "6.2": [(10, "before centring"), (6, "the mixed monomials"), (4, "lower degrees")],
    "6.3": [
        (lambda Kt, K: Kt - Kt.mean(1, keepdims=True) - Kt.mean(0) + K.mean(), "The column means: of which matrix?"),
        (lambda Kt, K: Kt - Kt.mean(1, keepdims=True) - K.mean(0) - K.mean(), "Which sign has the last"),
        (lambda Kt, K: Kt - Kt.mean(1, keepdims=True) - Kt.mean(0) + Kt.mean(), "centred among themselves"),
    ],
    "6.4": [
        (lambda K, alphas: -K.mean(0) @ alphas, "Raw minus right"),
        (lambda K, alphas: K.sum(0) @ alphas, "A sum stands where a mean should stand"),
    ],
    "6.5": [
        (lambda: answers()["6.5"] - 1, "An index counts from 0"),
        (lambda: answers()["6.5"] + 1, "One less is enough already"),
    ],
    "7.1": [(20, "before centring"), (2, "more dimensions than the plane")],
    "7.2": [(1, "nothing in common with the sample"), (2, "the number of dimensions")],
    "7.3": [
        (lambda K, Kt: factors(K, Kt, center=False), "Z Zᵀ is K as it came in"),
        (lambda K, Kt: factors(K, Kt, power=0), "all have length 1"),
        (lambda K, Kt: factors(K, Kt, means=Kt), "the new points have other inner products"),
    ],
    "7.4": [
        (lambda K, alpha: alpha @ K @ alpha, "Are they centred?"),
        (lambda K, alpha: np.sqrt((alpha - alpha.mean()) @ K @ (alpha - alpha.mean())), "asked is its square"),
    ],
    "7.5": [(True, "What does a lasso pay for?"), ("no", "True or False was expected")],
    "8.1": [(2, "better directions"), (4, "not the sum of the lengths"), (2.8, "Nearly")],
    "8.2": [(4096, "are the same axis"), (66, "pairs of points"), (24, "Choices multiply")],
    "8.3": [
        (lambda Kc, p: (np.where(Kc @ p < 0, -1, 1), Kc @ p), "Is w one long?"),
        (lambda Kc, p: (p, Kc @ p / np.sqrt(p @ Kc @ p)), "The signs are the old ones"),
        (lambda Kc, p: np.where(Kc @ p < 0, -1, 1), "Return two things"),
    ],
    "8.4": [([[0, 0], [1, 0], [2, 1]], "the points will be centred"), ([[1, 0], [0, 1], [3, 4]], "algorithm stops")],
    "8.5": [
        (lambda: np.deg2rad(answers()["8.5"]), "These are radians"),
        (lambda: answers()["8.5"][::-1], "in the wrong order"),
        (lambda: [angle_of(model) for model in (PCA(1), PCAL1(), R1PCA())], "the angles of the axes"),
    ],
    "9.1": [((0.25, 0.25, 0.25), "Is there a ½"), ((0.5, 0.5, 1), "W has a second term"), ((1, 1, 1), "How far apart")],
    "9.2": [(5, "multiplied by the same number"), (10, "in the wrong direction")],
    "9.3": [
        (lambda: answers()["9.3"][::-1], "in the wrong order"),
        (lambda: answers()["9.3"] + [0, 0, answers()["9.3"][1]], "each point is counted once"),
        ((1, 2, 3), "Do your three numbers add up?"),
    ],
    "9.4": [((8, 0.24), "Is anything added"), ((8.4, 0.24), "a whole number"), ((9, 0.062), "(SVM.11) has a root")],
    "9.5": [
        (lambda X, y, width, C: (*linear_machine(X, y, width, C)[:2], 0.0), "b is not"),
        (lambda X, y, width, C: linear_machine(X, y, width, C)[1:], "Return three things"),
    ],
    "10.1": [
        (((2, 2), (0.4, 0.4)), "was anything divided"),
        (((1, 1), (1, 1)), "in the small one?"),
        (((1, -1), (0.4, -0.4)), "never negative"),
    ],
    "10.2": [
        (lambda K, y, alpha, C, i, j: pair_step(K, y, alpha, C, i, j, clip=False), "an α leaves the box"),
        (lambda K, y, alpha, C, i, j: pair_step(K, y, alpha, C, i, j, follow=False), "Σ yα is no longer 0"),
    ],
    "10.3": [(0.7, "What must the pair add up to?"), (-1.1, "Labels have signs.")],
    "10.4": [(50, "What does it cost?"), (0, "and the primal?"), (2, "a single point")],
    "10.5": [
        ([(0, 2), (0, 2), (0.5, 2), (0, 1.5)], "have changed places"),
        ([(0, 2)] * 4, "α₁ has to stay in the box as well"),
    ],
    "11.1": [((1, 1, 1), "the top is somewhere else"), ((1, 4, 2), "Not from one to the other")],
    "11.2": [(50, "The other way round"), (1, "Can it be smaller?"), (1 / 49, "All fifty count")],
    "11.3": [
        (lambda: moons_with(*answers()["11.3"][:1:-1]), "First the number outside"),
        (lambda: moons_with(answers()["11.3"][3], answers()["11.3"][3]), "is not outside"),
        ((MOONS[:5], 0.2, 1, 2), "at least 20 points"),
    ],
    "11.4": [(4.5, "So thick is the whole tube"), (2.5, "The mean is not"), (4, "need not be 0"), (2.2, "keep going")],
    "11.5": [
        (lambda K, t, lam: t - K @ np.linalg.solve(K + lam * np.eye(len(t)), t), "has seen every point"),
        (lambda K, t, lam: np.linalg.solve(K + lam * np.eye(len(t)), t), "This is α."),
        (lambda K, t, lam: loo(K, t, lam * len(t)), "λ stands as it is"),
    ],
    "11.6": [
        (lambda K, y, alpha, lam: alpha - y / (1 + np.exp(-y * (K @ alpha))) / lam, "The sign inside σ"),
        (lambda K, y, alpha, lam: alpha - y / (1 + np.exp(y * (K @ alpha))), "λ is missing"),
    ],
    "12.1": [((0.5, False), "not orthogonal"), ((0.509, True), "of this length"), ((0.713, False), "its square")],
    "12.2": [(np.log(2), "below the line"), (1.18, "asked is its square"), (0.5, "So large is k")],
    "12.3": [
        (lambda *case: shrink(*case, factor=2), "Here it is c², not 2σ²."),
        (lambda *case: shrink(*case, mean=False), "Is the mean in it?"),
        (lambda X, alphas, scores, width, start: start, "where you started"),
    ],
    "12.4": [
        (lambda K, y: answers()["12.4"](K, y) - 1, "An index counts from 0"),
        (lambda K, y: len(y) // 2, "Only q up to n/2"),
    ],
    "12.5": [
        (lambda X, Xt, k: answers()["12.5"](X, Xt, k) - X.mean(0), "around the mean"),
        (lambda X, Xt, k: Xt, "These are the points themselves"),
    ],
    "13.1": [(1, "No edge ties"), (4, "made of the others"), (2, "counts too")],
    "13.2": [((0, 1, 3), "L alone"), ((-1, 0, 1), "D⁻¹W")],
    "13.3": [(9.42, "A square does"), (np.pi, "has only two"), (4.7, "Nearly")],
    "13.4": [
        (lambda X, W, k: lpp(X, W, k, end=slice(None, None, -1)), "the roughest directions"),
        (lambda X, W, k: lpp(X, W, k, origin=False), "where is the origin"),
    ],
    "13.5": [(45, "one of them is honest"), (6, "So many features"), (47, "brings in more")],
    "13.6": [
        (lambda n: np.sort(2 - 2 * np.cos(2 * np.pi * np.arange(n) / n)), "D stands on the right"),
        (lambda n: 1 - np.cos(2 * np.pi * np.arange(n) / n), "they should be sorted"),
    ],
    "14.1": [((1, 1), "What else stands there"), ((1, 0), "have changed places"), ((0, 3), "now the diagonal of Dʷ")],
    "14.2": [(10, "the common mean is made of them"), (64, "So many pixels")],
    "14.3": [
        (lambda K, W_b, W_w, a, lam: K @ (W_b - lam * W_w) @ K @ a, "stands L, not W"),
        (lambda K, W_b, W_w, a, lam: answers()["14.3"](K, W_b, W_w, a, 1), "Where is λ?"),
    ],
    "14.4": [(0.982, "By what does (DEP.2) divide?"), (0.432, "the distance comes squared")],
    "14.5": [(0, "chosen after the sample was seen"), (2, "does not become so large")],
    "14.6": [("uncentred", "Put two constants in"), ("both", "A word was expected")],
    "15.1": [(80, "double precision"), (37.3, "A GB is 10⁹ bytes here"), (4e10, "These are bytes")],
    "15.2": [(9, "One is missing"), (6, "So many of degree 2"), (1_000_000, "far lower")],
    "15.3": [((1, 2), "has lost something too"), ((0, 1), "The pivot is not right"), ((2, 1), "counted from 0")],
    "15.4": [
        (lambda K_nm, K_mm: K_nm @ K_mm @ K_nm.T, "In the middle stands an inverse"),
        (lambda K_nm, K_mm: K_nm @ K_nm.T, "What stands in the middle?"),
    ],
    "15.5": [(100, "Asked is the standard deviation"), (5000, "the variance of a single term")],
    "15.6": [
        (lambda k, X, v, m: np.hstack([k(X[i : i + m], X) @ v for i in range(0, len(X) - m + 1, m)]), "left over?"),
        (lambda k, X, v, m: k(X, X) @ v, "rows at once"),
    ],
}  # fmt: skip


def angle_of(model):
    x, y = model.fit(LINE_AND_OUTLIER).components_[0]
    return np.rad2deg(np.arctan2(y, x)) % 180


def all_at_once(K, y, alpha, b):
    wrong = y * (K @ (alpha * y) + b) <= 0
    return alpha + wrong, b + (y * wrong).sum() * K.diagonal().max()


def means(labels):
    Z = (labels[:, None] == np.unique(labels)).astype(float)
    return Z / Z.sum(0)


def squared(K, labels):
    Z = means(labels)
    return np.diag(K)[:, None] - 2 * K @ Z + np.diag(Z.T @ K @ Z)


def svd_axes(X):
    return np.linalg.svd(X, full_matrices=False)[2][: np.linalg.matrix_rank(X)]


def factors(K, Kt, center=True, power=0.5, means=None):
    means = K if means is None else means
    Kc, Ktc = center_gram(K), Kt - Kt.mean(1, keepdims=True) - means.mean(0) + means.mean()
    lam, U = np.linalg.eigh(Kc if center else K)
    lam, U = lam[lam > 1e-10], U[:, lam > 1e-10]
    return U * lam**power, (Ktc if center else Kt) @ U / np.sqrt(lam)


def linear_machine(X, y, width, C):
    Z = NPT(Gaussian(width)).fit_transform(X)
    model = SVC(Linear(), C, tol=1e-6).fit(Z, y)
    return Z, (y * model.alpha_) @ Z, model.b_


def pair_step(K, y, alpha, C, i, j, clip=True, follow=True):
    new = answers()["10.2"](K, y, alpha, C if clip else 1e9, i, j)
    return new if follow else np.where(np.arange(len(y)) == i, alpha, new)


def loo(K, t, lam):
    return answers()["11.5"](K, t, lam)


def shrink(X, alphas, scores, width, start, factor=1, mean=True):
    gamma, z = alphas @ scores, start
    gamma = gamma - gamma.mean() + mean / len(X)
    for _ in range(2000):
        weight = gamma * np.exp(-((X - z) ** 2).sum(1) / factor / width**2)
        z = weight @ X / weight.sum()
    return z


def lpp(X, W, k, origin=True, end=slice(None)):
    d = W.sum(1)
    X = X - d @ X / d.sum() if origin else X - X.mean(0)
    return eigh(X.T @ (np.diag(d) - W) @ X, X.T @ (d[:, None] * X))[1][:, end][:, :k]


def test_every_exercise_knows_two_mistakes():
    assert list(SLIPS) == numbers() and all(len(known) >= 2 for known in SLIPS.values())


@pytest.mark.parametrize("number", numbers())
@pytest.mark.filterwarnings("ignore")
def test_a_mistake_that_many_make_gets_a_nudge_then_more_and_never_the_answer(number, capsys):
    judge, right = EXERCISES[number], answers()[number]
    for wrong, nudge in SLIPS[number]:
        if callable(wrong) and not callable(right):
            wrong = wrong()  # made of the right answer
        kmlab.course.exercises._wrong.clear()  # as after a restart
        first, second, third = (verdict(capsys, number, wrong).strip() for _ in range(3))
        assert first.startswith(f"Exercise {number}: keep going. ") and nudge in first, (nudge, first)
        assert second == third != first and second.startswith(first.removesuffix(judge.hint).strip())
        assert judge.hint in second and second.endswith(judge.more) and judge.more
        told = {float(told) for told in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", second)}
        given = [] if callable(right) or number in OPEN else list(np.ravel(right[0] if number == "6.1" else right))
        secret = {round(float(value), 6) for value in given if is_number(value)} - {0.0, 1.0, 2.0}
        assert not told & secret, second


def test_a_lift_may_be_a_list_of_rows_and_only_of_rows(capsys):
    assert verdict(capsys, "2.4", lambda X: [[a * b] for a, b in X]) == "Exercise 2.4: correct.\n"
    for lift in (lambda X: X[:, 0] * X[:, 1], lambda X: [range(i) for i in range(len(X))], lambda X: (X, X)):
        assert "an array of shape (4, k) is needed." in verdict(capsys, "2.4", lift)


def test_another_wrong_answer_is_wrong_again_and_a_right_one_is_right(capsys):
    kmlab.course.exercises._wrong.clear()
    hints = EXERCISES["6.2"].hint, EXERCISES["6.2"].more
    assert verdict(capsys, "6.2", ...) == "Exercise 6.2: not attempted yet.\n"  # which is no try
    assert verdict(capsys, "6.2", 10) == "Exercise 6.2: keep going. So many features are there before centring.\n"
    assert "mixed monomials" in (said := verdict(capsys, "6.2", 6)) and all(hint in said for hint in hints)
    assert verdict(capsys, "6.2", 9) == "Exercise 6.2: correct.\n"


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
