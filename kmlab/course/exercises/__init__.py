"""check("1.2", answer): an exercise answers at once, never raises and never shows the solution.

What is right: of a number the first three digits, rounded or cut off; of a count every digit; of a function that it
agrees to 1e-4 on data it has not seen, in single precision as well.
"""

import copy
import sys
from contextlib import nullcontext
from importlib import import_module

import numpy as np

MODULES = {
    "1": "gram_matrix",
    "2": "lifting",
    "3": "perceptron",
    "4": "distances",
    "5": "pca",
    "6": "kernel_pca",
    "7": "npt",
    "8": "pca_l1",
    "9": "svm",
    "10": "dual",
    "11": "spheres_and_tubes",
    "12": "preimages",
    "13": "locality",
    "14": "fisher_and_independence",
    "15": "scaling_up",
}
DIGITS = 3  # of a number, unless a question asks for more
SINGLE = 1e-4  # share of the largest entry by which a function may be off: single precision and some cancellation
_registry = {}


class Wrong(Exception):
    """Raised by a judge; its text is the hint that the reader sees."""


class NotAttempted(Exception):
    """Raised when an answer turns out to be an untouched stub."""


def exercise(number, hint):
    """Decorator: the function judges an answer: True if it is right, else False, or it raises Wrong with a hint."""

    def add(judge):
        _registry[number] = (judge, hint)
        return judge

    return add


def check(number, answer=None):
    """Say whether the answer to an exercise is right; without one, that it waits. Three digits of a number will do."""
    print(f"Exercise {number}: {_verdict(str(number), answer)}")


def numbers(chapter=None):
    """All exercises of a chapter (or of the course), in order."""
    for name, module in MODULES.items():
        if chapter in (None, name):
            import_module(f"kmlab.course.exercises.{module}")
    found = [number for number in _registry if chapter in (None, number.split(".")[0])]
    return sorted(found, key=lambda number: [int(part) for part in number.split(".")])


# ---- numbers


def as_numbers(answer, count):
    """The answer as `count` finite numbers, or a hint that says what was expected."""
    if _holds_truth_values(answer):
        raise Wrong(f"{'Numbers were' if count > 1 else 'A number was'} expected, got True or False.")
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


def _holds_truth_values(answer):
    if isinstance(answer, tuple | list):
        return any(_holds_truth_values(part) for part in answer)
    return isinstance(answer, bool | np.bool_) or (isinstance(answer, np.ndarray) and answer.dtype == bool)


def close(answer, truth, digits=DIGITS, zero=1e-5):
    """Do these numbers have the first digits of the truth, rounded or cut off? A hint if one digit is missing."""
    if near(answer, truth, digits, zero):
        return True
    truth = np.atleast_1d(np.asarray(truth, dtype=float)).ravel()
    values, coarse = as_numbers(answer, truth.size), _last_digit(truth, digits - 1, zero)
    off, rounded = np.abs(values - truth), np.abs(values - coarse * np.round(values / coarse)) < 1e-6 * coarse
    if ((off < coarse / 10) | (rounded & (off <= coarse / 2))).all():
        raise Wrong(f"Right as far as it goes, but give {digits} digits.")
    return False


def near(answer, truth, digits=DIGITS, zero=1e-5):
    """Is every number off by less than one in the last digit asked for, that is, by less than 1 % for three digits?

    A truth of zero has no first digit; there the answer may be off by less than `zero`.
    """
    truth = np.atleast_1d(np.asarray(truth, dtype=float)).ravel()
    return bool((np.abs(as_numbers(answer, truth.size) - truth) < _last_digit(truth, digits, zero)).all())


def _last_digit(truth, digits, zero):
    """One in the last of so many significant digits of every number."""
    size = np.abs(truth)
    none = size < 1e-9
    return np.where(none, zero, 10.0 ** (np.floor(np.log10(np.where(none, 1.0, size))) - digits + 1))


def exactly(answer, truth):
    """Are these the counts? Whole numbers, of which every digit matters."""
    truth = np.atleast_1d(np.asarray(truth)).ravel()
    values = as_numbers(answer, truth.size)
    broken = values[np.abs(values - np.round(values)) > 1e-6]
    if len(broken):
        raise Wrong(f"A count is a whole number, which {broken[0]:g} is not.")
    return bool(np.array_equal(np.round(values), truth))


# ---- functions


def value_of(function, *case, instead=()):
    """What the reader's function makes of copies of these arguments; a stub makes nothing.

    instead: functions of kmlab that are the very thing the reader is asked to write. To call one of them is no answer.
    """
    if not callable(function):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    watch = _Watch(function)
    with watch if instead else nullcontext():
        value = function(*copy.deepcopy(case))
    for borrowed in instead:
        if any(code is borrowed.__code__ for code in watch.called):
            raise Wrong(f"Your function calls {borrowed.__qualname__}, which does what you are asked to write.")
    if value is None or value is ...:
        raise NotAttempted
    return value


def lines_run(function, *case):
    """How many lines of the reader's own the function runs through on this case, those of a loop as often as it turns.

    A function without a loop runs through as many on a large matrix as on a small one. What is counted has been run,
    nothing is guessed from the text; lines in other files are not counted, so a loop may go unseen there.
    """
    with _Watch(function) as watch:
        function(*copy.deepcopy(case))
    return watch.lines


class _Watch:
    """While the reader's function runs: the code that is called, and the lines run in the file the function is from."""

    def __init__(self, function):
        self.file = getattr(getattr(function, "__code__", None), "co_filename", None)
        self.called, self.lines = set(), 0

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_):
        sys.settrace(self.before)

    def _call(self, frame, event, argument):
        self.called.add(frame.f_code)
        if frame.f_code.co_filename == self.file:
            self.lines += 1
            return self._line
        return None

    def _line(self, frame, event, argument):
        self.lines += event == "line"
        return self._line


def as_array(value, shape, what="your function returns"):
    """What came back, as an array of this shape, or a hint; "a tuple of 2" says that there was one thing too many."""
    kind = f"a {type(value).__name__}"
    try:
        array = np.asarray(value, dtype=float)
        kind = f"shape {array.shape}"
    except (TypeError, ValueError):
        array = None
    if isinstance(value, tuple):
        kind = f"a tuple of {len(value)}"
    if array is None or array.shape != shape:
        raise Wrong(f"On unseen data {what} {kind}, {f'an array of shape {shape}' if shape else 'a number'} is needed.")
    return array


def parts_of(value, names):
    """The things that a function should return together, or a hint that names them."""
    if not isinstance(value, tuple | list) or len(value) != len(names):
        count = {2: "two", 3: "three"}[len(names)]
        raise Wrong(f"Return {count} things: {', '.join(names[:-1])} and {names[-1]}.")
    if any(_is_stub(part) for part in value):
        raise NotAttempted
    return value


def same_function(answer, truth, cases, tol=SINGLE, instead=()):
    """Does the function agree with the truth on every case (a tuple of arguments)? A hint says how it does not."""
    for case in cases:
        want = np.asarray(truth(*case), dtype=float)
        off = np.abs(as_array(value_of(answer, *case, instead=instead), want.shape) - want).max()
        if not off <= tol * np.abs(want).max():
            raise Wrong(f"On unseen data your function is off by {off:.2g}.")
    return True


# ---- the verdict


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
