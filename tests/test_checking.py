"""The engine of exercises and homework: what comes back, whether it is right, and the sentence about it."""

import html
import re
import sys

import numpy as np
import pytest
from scipy.sparse import eye_array

from kmlab.course.checking import (
    Judge,
    NotAttempted,
    Questions,
    Slip,
    Wrong,
    agree,
    as_array,
    card,
    close,
    exactly,
    is_stub,
    matrix,
    parts_of,
    same_function,
    say,
    value_of,
    whole,
)
from kmlab.course.watching import is_empty, lines_run
from kmlab.kernels import feature_distance2

# ---- the verdict


def verdict(look, *answers, hint="", **words):
    return Judge(look, hint, 0).verdict(*answers, **words)


def raises(error):
    def look(*answers):
        raise error

    return look


def test_a_verdict_is_one_sentence_and_ends_in_the_hint():
    assert verdict(lambda a: True, 1) == "correct."
    assert verdict(lambda a, b: True, 1, 2, right="right, 2 points.") == "right, 2 points."
    assert verdict(lambda a: False, 1) == "keep going."
    assert verdict(lambda a: False, 1, hint="Look again.") == "keep going. Look again."
    assert verdict(raises(Wrong("Too large.")), 1, hint="Look again.") == "keep going. Too large. Look again."
    assert verdict(raises(NotAttempted), 1, hint="Look again.") == "not attempted yet."


def test_a_slip_gets_a_nudge_and_whoever_is_wrong_again_more():
    judge = Judge(raises(Slip("Sign?")), "Look again.", 0, "Draw it.")
    assert judge.verdict(1) == "keep going. Sign?"
    assert judge.verdict(1, again=True) == "keep going. Sign? Look again. Draw it."
    other = Judge(raises(Wrong("Too large.")), "Look again.", 0, "Draw it.")
    assert other.verdict(1) == "keep going. Too large. Look again."
    assert other.verdict(1, again=True) == "keep going. Too large. Look again. Draw it."
    assert Judge(lambda a: True, "Look again.", 0, "Draw it.").verdict(1, again=True) == "correct."


def test_a_slip_is_known_by_what_it_computes():
    slips = {"Half?": 2.0, "Sign?": -1.0}
    assert close(1.0, 1.0, slips) and not close(3.0, 1.0, slips)
    assert exactly(1, 1, slips) and not exactly(3, 1, slips)
    for answer, nudge in (2, "Half?"), (-1.0, "Sign?"):
        for ask in close, exactly:
            with pytest.raises(Slip, match=nudge):
                ask(answer, 1.0, slips)
    cases, slips = [(np.ones(3),), (np.arange(5.0),)], {"Sign?": lambda v: -v, "Half?": lambda v: v / 2}
    assert same_function(lambda v: v, lambda v: v, cases, slips)
    with pytest.raises(Slip, match="Half?"):
        same_function(lambda v: v / 2, lambda v: v, cases, slips)
    with pytest.raises(Wrong, match="off by"):
        same_function(lambda v: v / 3, lambda v: v, cases, slips)


# ---- the card


def test_in_a_script_the_sentence_is_printed(capsys):
    say("Exercise 1.1", "correct.")
    assert capsys.readouterr().out == "Exercise 1.1: correct.\n"


def test_in_a_notebook_the_same_sentence_is_on_a_card(monkeypatch, capsys):
    import IPython

    shown = []
    monkeypatch.setattr(IPython, "get_ipython", lambda: type("Shell", (), {"kernel": None}))
    monkeypatch.setattr(IPython.display, "display", lambda bundle, raw: shown.append(bundle))
    say("1a", "right, 4 points.", lay_out=str.upper)
    (bundle,) = shown
    assert bundle["text/plain"] == "1A: RIGHT, 4 POINTS." and capsys.readouterr().out == ""
    assert bundle["text/html"] == card("1a: right, 4 points.", "right, 4 points.")


@pytest.mark.parametrize("said, mark, colour", [
    ("correct.", "✔", "--jp-success-color1"),
    ("right, 4 points.", "✔", "--jp-success-color1"),
    ("keep going. W < 0 & so on.", "✘", "--jp-warn-color1"),
    ("not attempted yet.", "○", "#9e9e9e"),
    ("there is no such exercise; there are 6.1.", "○", "#9e9e9e"),
])  # fmt: skip
def test_a_card_has_a_mark_a_colour_and_words(said, mark, colour):
    shown = card(f"Exercise 6.1: {said}", said)
    assert 'role="status"' in shown and f">{mark}</span>" in shown and colour in shown
    assert [other for other in "✔✘○" if other in shown] == [mark]
    assert html.unescape(re.sub("<.*?>", "", shown)) == f"{mark}Exercise 6.1: {said}"


def test_a_judge_that_says_nothing_calls_nothing_right():
    assert verdict(lambda a: None, 1, hint="Look again.") == "keep going. Look again."


def test_whatever_an_answer_raises_is_told_with_one_full_stop():
    assert verdict(raises(ValueError("No.")), 1) == "keep going. Your answer stopped with ValueError: No."
    said = verdict(raises(KeyError("mu")), 1, hint="Look again.", whose="Your code")
    assert said == "keep going. Your code stopped with KeyError: 'mu'. Look again."
    assert verdict(raises(SystemExit()), 1) == "keep going. Your answer stopped with SystemExit: ."


@pytest.mark.parametrize("stub", [None, ..., (..., ...), [None, ...], ((...,), None)])
def test_a_stub_is_not_attempted_and_nobody_looks_at_it(stub):
    assert is_stub(stub)
    assert verdict(raises(AssertionError), stub) == verdict(raises(AssertionError), 1, stub) == "not attempted yet."
    with pytest.raises(NotAttempted):
        Judge(lambda a: True, "", 0)(stub)


@pytest.mark.parametrize("answer", [0, False, (), [], "", (1, ...), np.zeros(0), {}])
def test_what_is_empty_or_half_done_is_no_stub(answer):
    assert not is_stub(answer)


def test_a_judge_in_the_classroom_raises():
    judge = Judge(lambda a: a == 1, "", 0)
    assert judge(1) is None
    with pytest.raises(Wrong):
        judge(2)


def test_questions_come_in_order_and_their_modules_when_they_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "quiz_of_this_test"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from kmlab.course.checking import Questions\nQUIZ = Questions(__name__, {'2': 'two', '10': 'ten'})\n"
    )
    (package / "two.py").write_text(
        "from . import QUIZ\nQUIZ.add('2.2')(len)\nQUIZ.add('2.1', 'A hint.', points=3)(abs)\n"
    )
    (package / "ten.py").write_text("from . import QUIZ\nQUIZ.add('10.1')(len)\nQUIZ.add('2b')(len)\n")
    from quiz_of_this_test import QUIZ

    assert not QUIZ and QUIZ.names("7") == []
    assert QUIZ.names("2") == ["2.1", "2.2"] and "quiz_of_this_test.ten" not in sys.modules
    assert QUIZ.names("10") == ["10.1"]
    QUIZ.pop("2b")
    assert QUIZ.names() == ["2.1", "2.2", "10.1"]
    assert QUIZ["2.1"] == Judge(abs, "A hint.", 3)
    parts = Questions("nowhere", {})
    for name in ("2a", "1b", "1a"):
        parts.add(name)(len)
    assert parts.names() == ["1a", "1b", "2a"] and parts.names("1") == ["1a", "1b"]


# ---- what comes back


def test_what_came_back_is_named():
    with pytest.raises(Wrong, match=r"your function returns a tuple of 2, an array of shape \(3,\) is needed."):
        as_array((np.zeros(3), np.zeros((3, 2))), (3,))
    with pytest.raises(Wrong, match=r"returns shape \(2,\), a number is needed"):
        as_array([1, 2], ())
    with pytest.raises(Wrong, match=r"w has a dict, an array"):
        as_array({}, (3,), "w has")


def test_a_matrix_may_be_sparse_and_has_its_name_in_the_hint():
    assert np.array_equal(matrix(eye_array(3), (3, 3), "W"), np.eye(3))
    for value, hint in (
        ("text", "W should be an array of numbers, got str."),
        ([[1], [1, 2]], "W should be an array of numbers, got list."),
        (np.eye(2), r"W has shape \(2, 2\), \(3, 3\) is needed."),
        (np.diag([1, np.nan, np.inf]), "W holds 2 values that are not finite."),
    ):
        with pytest.raises(Wrong, match=f"^{hint}$"):
            matrix(value, (3, 3), "W")


def test_parts_are_named_if_they_are_not_as_many():
    assert parts_of((1, 2), ("mu", "Y")) == (1, 2)
    for value in (7, (1, 2, 3), np.zeros(2)):
        with pytest.raises(Wrong, match="^Return two things: mu and Y.$"):
            parts_of(value, ("mu", "Y"))
    with pytest.raises(Wrong, match="^Return three things: Z, w and b.$"):
        parts_of((1, 2), ("Z", "w", "b"))
    with pytest.raises(Wrong, match="^Both, please.$"):
        parts_of(7, ("mu", "Y"), "Both, please.")
    with pytest.raises(NotAttempted):
        parts_of((1, ...), ("mu", "Y"))


def test_a_whole_number_is_asked_for_by_name():
    assert whole(np.float32(7), "k") == 7 and isinstance(whole([7.0], "k"), int)
    with pytest.raises(Wrong, match="^k = 7.5: take a whole number.$"):
        whole(7.5, "k")


def test_a_function_is_tried_on_copies_and_must_be_one():
    data = np.ones(3)

    def spoils(v):
        v[:] = 0
        return v

    assert not value_of(spoils, data).any() and data.all()
    with pytest.raises(Wrong, match="hand over its name, without calling it"):
        value_of(3, data)
    for nothing in (None, ...):
        with pytest.raises(NotAttempted):
            value_of({None: lambda v: None, ...: lambda v: ...}[nothing], data)


def test_a_function_without_return_is_told_so_and_a_stub_waits():
    def dots(v): ...

    def described(v):
        """Vector -> vector."""

    def passed(v):
        """Vector -> vector."""
        pass  # your lines here

    def forgets(v):
        v = 2 * v

    def only_looks(v):
        v + v

    for stub in dots, described, passed, lambda v: None:
        assert is_empty(stub)
        with pytest.raises(NotAttempted):
            value_of(stub, np.ones(3))
    for function in forgets, only_looks, print:
        assert not is_empty(function)
        with pytest.raises(Slip, match="^Your function returns nothing: is there a return\\?$"):
            value_of(function, np.ones(3))


def test_a_trace_that_was_there_before_is_there_again():
    def mine(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(mine)
    try:
        lines_run(lambda: 1)
        with pytest.raises(ZeroDivisionError):
            value_of(lambda: 1 / 0, instead=[feature_distance2])
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)


def test_lines_are_counted_as_often_as_they_are_run():
    def loop(n):
        for _ in range(n):
            pass

    assert lines_run(loop, 30) - lines_run(loop, 10) == 2 * 20
    assert lines_run(np.arange, 30) == 0  # not the reader's own


# ---- whether it is right


def test_three_digits_are_enough_two_are_asked_for_one_more():
    assert close(0.368, np.exp(-1)) and close(0.367, np.exp(-1)) and not close(0.366, np.exp(-1))
    assert not close(1.01, 1.0) and close(1.009, 1.0) and close(194, 193.6) and not close(192.5, 193.6)
    assert close(1e-6, 0.0) and not close(1e-3, 0.0) and close(1e-4, 0.0, zero=1e-3)
    assert close([8.17, 8.16], [49 / 6, 49 / 6]) and not close([8.17, 8.2], [49 / 6, 49 / 5])
    for answer in (0.37, [0.37]):
        with pytest.raises(Wrong, match="Nearly: more digits, 3 of them."):
            close(answer, np.exp(-1))
    assert not close(0.36, np.exp(-1)) and not close(0.4, np.exp(-1)) and close(0.3679, np.exp(-1), digits=4)
    assert not close(0.368, 0.36739, digits=4)


def test_a_count_has_all_its_digits():
    assert exactly((35, 15.0), (35, 15)) and exactly(np.float32(2048), 2048) and not exactly(34, 35)
    for answer in (35.02, 34.999):
        with pytest.raises(Wrong, match=f"A count is a whole number, which {answer} is not."):
            exactly((answer, 15), (35, 15))


def test_matrices_agree_to_single_precision_of_the_largest_entry():
    want = np.array([1000.0, 0.0])
    assert agree(want + 0.09, want) and not agree(want + 0.11, want) and not agree(want * np.nan, want)
    assert agree(want + 0.9, want, tol=1e-3)
    small = np.array([1e-3])
    assert not agree(small + 1e-5, small) and agree(small + 1e-5, small, at_least=1.0)
    assert not agree(small + 2e-4, small, at_least=1.0)


def test_a_function_is_right_if_it_agrees_on_every_case():
    cases = [(np.ones(3),), (np.arange(5.0),)]
    assert same_function(lambda v: 2 * v, lambda v: v + v, cases)
    with pytest.raises(Wrong, match="^On unseen data your function is off by 0.08.$"):
        same_function(lambda v: 2.02 * v if len(v) == 5 else 2 * v, lambda v: v + v, cases)
    with pytest.raises(Wrong, match="^Your function calls feature_distance2, which does what you are asked to write.$"):
        same_function(feature_distance2, feature_distance2, [(np.eye(3),)], instead=[feature_distance2])
