"""check answers at once, never raises, never shows a solution; the worked solutions are all correct."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from kmlab.exercises import check, numbers

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
