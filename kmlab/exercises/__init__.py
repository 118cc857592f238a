"""check("1.2", answer): an exercise answers at once, never raises and never shows the solution."""

import copy
from importlib import import_module

import numpy as np

MODULES = {
    "1": "gram_matrix", "2": "lifting", "3": "perceptron", "4": "distances", "5": "pca", "6": "kernel_pca",
    "7": "npt", "8": "pca_l1", "9": "svm", "10": "dual", "11": "spheres_and_tubes", "12": "preimages",
    "13": "locality", "14": "fisher_and_independence", "15": "scaling_up",
}
_registry = {}


class Wrong(Exception):
    """Raised by a judge; its text is the hint that the reader sees."""


def exercise(number, hint):
    """Decorator: the function judges an answer: True if it is right, else False, or it raises Wrong with a hint."""

    def add(judge):
        _registry[number] = (judge, hint)
        return judge

    return add


def check(number, answer=None):
    """Say whether the answer to an exercise is right; without one, that it waits."""
    print(f"Exercise {number}: {_verdict(str(number), answer)}")


def numbers(chapter=None):
    """All exercises of a chapter (or of the course), in order."""
    for name, module in MODULES.items():
        if chapter in (None, name):
            import_module(f"kmlab.exercises.{module}")
    found = [number for number in _registry if chapter in (None, number.split(".")[0])]
    return sorted(found, key=lambda number: [int(part) for part in number.split(".")])


def as_numbers(answer, count):
    """The answer as `count` finite numbers, or a hint that says what was expected."""
    try:
        values = np.asarray(answer, dtype=float).ravel()
    except (TypeError, ValueError):  # parts that differ in kind, or are no numbers
        values = np.array([_number(part) for part in (answer if isinstance(answer, tuple | list) else (answer,))])
    if len(values) != count:
        raise Wrong(f"{count} number{'s' if count > 1 else ''} expected, got {len(values)}.")
    if not np.isfinite(values).all():
        raise Wrong("The answer must be finite.")
    return values


def _number(part):
    if part is ...:
        raise Wrong("Some of the dots are still there: replace each of them by a number.")
    try:
        return np.asarray(part, dtype=float).item()  # of an array with one entry too
    except (TypeError, ValueError):
        raise Wrong(f"A number was expected, got {type(part).__name__}.") from None


def close(answer, truth, rel=1e-3):
    """Do these numbers agree with the truth to a relative 1e-3?"""
    truth = np.atleast_1d(np.asarray(truth, dtype=float))
    return bool(np.allclose(as_numbers(answer, truth.size), truth.ravel(), rtol=rel, atol=1e-9))


def same_function(answer, truth, cases, atol=1e-9):
    """Does the function agree with the truth on every case (a tuple of arguments)? A hint says how it does not."""
    if not callable(answer):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    for case in cases:
        got, want = answer(*copy.deepcopy(case)), np.asarray(truth(*case), dtype=float)
        if got is None:
            raise NotAttempted
        got = np.asarray(got, dtype=float)
        if got.shape != want.shape:
            raise Wrong(f"On unseen data your function returns shape {got.shape}, {want.shape} is needed.")
        off = np.abs(got - want).max()
        if not off <= atol * max(1.0, np.abs(want).max()):
            raise Wrong(f"On unseen data your function is off by {off:.2g}.")
    return True


class NotAttempted(Exception):
    """Raised when an answer turns out to be an untouched stub."""


def _verdict(number, answer):
    known = numbers(number.split(".")[0]) or numbers()
    if number not in known:
        return f"there is no such exercise; there are {', '.join(known)}."
    judge, hint = _registry[number]
    try:
        if _is_stub(answer):
            raise NotAttempted
        return "correct." if judge(answer) else f"keep going. {hint}"
    except NotAttempted:
        return "not attempted yet."
    except Wrong as wrong:
        return f"keep going. {wrong} {hint}"
    except (Exception, SystemExit) as error:  # the reader's own code may raise anything
        return f"keep going. Your answer stopped with {type(error).__name__}: {str(error).rstrip('.')}. {hint}"


def _is_stub(answer):
    if isinstance(answer, tuple | list) and len(answer):
        return all(_is_stub(part) for part in answer)
    return answer is None or answer is ...
