"""The one engine behind exercises and homework: what came back from a reader's code, whether it is right, a sentence.

What is right: of a number the first three digits, rounded or cut off; of a count every digit; of a function that it
agrees to 1e-4 on data it has not seen, in single precision as well. A verdict never raises and never shows the answer.

A mistake that many make has a name: `slips` say of each what it computes and with which words to nudge. The first time
the nudge is all that is said; whoever is still wrong hears the hint as well, and what more there is to say.
"""

import copy
import html
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from typing import NamedTuple

import numpy as np

from .watching import Watch, is_empty

DIGITS = 3  # of a number, unless a question asks for more
LARGEST = 1e12  # of an entry: nothing that is asked for is as large, and beyond it squares and sums are soon no numbers
SINGLE = 1e-4  # share of the largest entry that may be off: single precision and some cancellation


class Wrong(Exception):
    """Raised by a judge; its text is the hint that the reader sees."""


class Slip(Wrong):
    """Raised by a judge that knows the mistake; its text is a nudge, which is enough for the first time."""


class NotAttempted(Exception):
    """Raised when an answer turns out to be an untouched stub."""


# ---- questions and their judges


class Judge(NamedTuple):
    """Looks at the answers to one question."""

    look: Callable  # answers -> True if they are right, else False, or it raises Wrong with a hint
    hint: str  # said to everybody who has to keep going, but for a slip
    points: int
    more: str = ""  # said to who is wrong again

    def __call__(self, *answers):
        """Raise Wrong with a hint, NotAttempted for a stub, or return."""
        if any(is_stub(answer) for answer in answers):
            raise NotAttempted
        if not self.look(*answers):
            raise Wrong

    def verdict(self, *answers, right="correct.", whose="Your answer", again=False):
        """The sentence for the reader: not attempted yet, keep going with a hint, or right; more if wrong again."""
        hints = [self.hint, self.more] if again else [self.hint]
        try:
            self(*answers)
            return right
        except NotAttempted:
            return "not attempted yet."
        except Wrong as wrong:
            why = str(wrong)
            if isinstance(wrong, Slip) and not again:
                hints = []
        except (Exception, SystemExit) as error:  # the reader's own code may raise anything
            why = f"{whose} stopped with {type(error).__name__}: {str(error).rstrip('.')}."
        return " ".join(filter(None, ["keep going.", why, *hints]))


class Questions(dict):
    """name -> Judge. Names begin with a chapter's number; its module is imported when one of them is asked for."""

    def __init__(self, package, modules):
        super().__init__()
        self.package, self.modules = package, modules  # chapter -> module

    def add(self, name, hint="", more="", points=0):
        """Decorator: the function looks at the answers to this question."""

        def register(look):
            self[name] = Judge(look, hint, points, more)
            return look

        return register

    def names(self, chapter=None):
        """All questions of a chapter, or of all chapters, in order."""
        for number, module in self.modules.items():
            if chapter in (None, number):
                import_module(f"{self.package}.{module}")
        pieces = {name: re.findall(r"\d+|[a-z]", name) for name in self}
        found = [name for name in self if chapter in (None, pieces[name][0])]
        return sorted(found, key=lambda name: [int(piece) if piece.isdigit() else piece for piece in pieces[name]])


# ---- the card

MARKS = {  # how a verdict begins -> its mark and its colour, which JupyterLab's theme may choose
    "correct": ("✔", "var(--jp-success-color1, #4caf50)"),
    "right": ("✔", "var(--jp-success-color1, #4caf50)"),
    "keep going": ("✘", "var(--jp-warn-color1, #ff7043)"),
    "": ("○", "#9e9e9e"),
}


def say(name, said, lay_out=str):
    """Print a verdict, laid out as text; in a notebook the same sentence is on a card, with a mark and a colour."""
    sentence = f"{name}: {said}"
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "kernel"):
        print(lay_out(sentence))
        return
    from IPython.display import display

    display({"text/plain": lay_out(sentence), "text/html": card(sentence, said)}, raw=True)


def card(sentence, said):
    """The sentence behind a mark: dark on a patch of colour, which can be read in a light and in a dark theme."""
    mark, colour = next(MARKS[start] for start in MARKS if said.startswith(start))
    return (
        f'<div role="status" style="border-left: 4px solid {colour}; margin: 4px 0; padding: 4px 12px; '
        "max-width: 60em; line-height: 1.5; font-family: var(--jp-content-font-family, sans-serif); "
        'color: var(--jp-content-font-color1, inherit);">'
        f'<span aria-hidden="true" style="background: {colour}; color: #111; border-radius: 4px; padding: 0 6px; '
        f'margin-right: 8px; font-weight: bold;">{mark}</span>{html.escape(sentence)}</div>'
    )


# ---- what comes back from the reader's code


def is_stub(answer):
    """Is there nothing yet, in no part of the answer?"""
    if isinstance(answer, tuple | list) and len(answer):
        return all(is_stub(part) for part in answer)
    return answer is None or answer is ...


def value_of(function, *case, instead=()):
    """What the reader's function makes of copies of these arguments; a stub makes nothing.

    instead: functions and models of kmlab that are the very thing the reader is asked to write. To call one of them,
    or to fit one, is no answer.
    """
    if not callable(function):
        raise Wrong("A function was expected: hand over its name, without calling it.")
    watch = Watch(function)
    with watch if instead else nullcontext():
        value = function(*copy.deepcopy(case))
    for name in filter(None, map(watch.name_of, instead)):
        raise Wrong(f"Your function calls {name}, which does what you are asked to write.")
    if value is None and not is_empty(function):
        raise Slip("Your function returns nothing: is there a return?")
    if value is None or value is ...:
        raise NotAttempted
    return value


def floats(value):
    """The value, which may be sparse, as an ordinary array of floats; TypeError or ValueError if it is none.

    What is masked is missing, and becomes nan. Complex numbers are refused: numpy would drop half of them.
    """
    if hasattr(value, "toarray"):
        value = value.toarray()
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(float), np.nan)
    array = np.asarray(value)
    if array.dtype.kind == "O" and any(isinstance(part, complex | np.complexfloating) for part in array.flat):
        raise TypeError("complex numbers")
    if array.dtype.kind not in "biufOUS":
        raise TypeError("complex numbers" if array.dtype.kind == "c" else str(array.dtype))
    with np.errstate(all="ignore"):
        return np.asarray(array.astype(float))


def as_numbers(answer, count):
    """The answer as `count` finite numbers, or a hint that says what was expected."""
    if _holds_truth_values(answer):
        raise Wrong(f"{'Numbers were' if count > 1 else 'A number was'} expected, got True or False.")
    try:
        values = floats(answer).ravel()
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
        return floats(part).item()  # of an array with one entry too
    except (TypeError, ValueError):
        raise Wrong(f"A number was expected, got {type(part).__name__}.") from None


def _holds_truth_values(answer):
    if isinstance(answer, tuple | list):
        return any(_holds_truth_values(part) for part in answer)
    return isinstance(answer, bool | np.bool_) or (isinstance(answer, np.ndarray) and answer.dtype == bool)


def whole(number, name):
    """A whole number that was handed over, or a hint."""
    (number,) = as_numbers(number, 1)
    if number != round(number):
        raise Wrong(f"{name} = {number:g}: take a whole number.")
    return int(number)


def as_array(value, shape, what="your function returns"):
    """What came back, as an array of this shape, or a hint; "a tuple of 2" says that there was one thing too many."""
    kind = f"a {type(value).__name__}"
    try:
        array = floats(value)
        kind = f"shape {array.shape}"
    except (TypeError, ValueError):
        array = None
    if isinstance(value, tuple):
        kind = f"a tuple of {len(value)}"
    if array is None or array.shape != shape:
        needed = f"an array of shape {shape}".replace("'", "") if shape else "a number"
        raise Wrong(f"On unseen data {what} {kind}, {needed} is needed.")
    return array


def matrix(value, shape, name):
    """The value, which may be sparse, as an array of this shape with bounded entries, or a hint that has its name.

    shape: (n, m), where None stands for any number.
    """
    try:
        array = floats(value)
    except (TypeError, ValueError) as error:
        if "complex" in str(error):
            raise Wrong(f"{name} holds complex numbers; if they are real, say so with np.real.") from None
        raise Wrong(f"{name} should be an array of numbers, got {type(value).__name__}.") from None
    if len(array.shape) != len(shape) or any(
        want not in (None, got) for got, want in zip(array.shape, shape, strict=True)
    ):
        raise Wrong(f"{name} has shape {array.shape}, {shape} is needed.")
    if not np.isfinite(array).all():
        raise Wrong(f"{name} holds {np.sum(~np.isfinite(array))} values that are not finite.")
    if array.size and np.abs(array).max() > LARGEST:
        raise Wrong(f"{name} holds {array.flat[np.abs(array).argmax()]:.3g}, which is beyond anything that it can be.")
    return array


def parts_of(value, names, hint=None):
    """The things that a function should return together, or a hint that names them."""
    if not isinstance(value, tuple | list) or len(value) != len(names):
        count = {2: "two", 3: "three"}[len(names)]
        raise Wrong(hint or f"Return {count} things: {', '.join(names[:-1])} and {names[-1]}.")
    if any(is_stub(part) for part in value):
        raise NotAttempted
    return value


# ---- whether it is right


def near(answer, truth, digits=DIGITS, zero=1e-5):
    """Is every number off by less than one in the last digit asked for, that is, by less than 1 % for three digits?

    A truth of zero has no first digit; there the answer may be off by less than `zero`.
    """
    truth = np.atleast_1d(np.asarray(truth, dtype=float)).ravel()
    return bool((np.abs(as_numbers(answer, truth.size) - truth) < _last_digit(truth, digits, zero)).all())


def notice(answer, slips):
    """Say so if these are the numbers of a mistake that is known: nudge -> what the mistake gives."""
    for nudge, wrong in slips.items():
        if np.size(answer) == np.size(wrong) and near(answer, wrong):
            raise Slip(nudge)


def close(answer, truth, slips=None, digits=DIGITS, zero=1e-5):
    """Do these numbers have the first digits of the truth, rounded or cut off? A hint if one digit is missing."""
    if near(answer, truth, digits, zero):
        return True
    notice(answer, slips or {})
    truth = np.atleast_1d(np.asarray(truth, dtype=float)).ravel()
    values, coarse = as_numbers(answer, truth.size), _last_digit(truth, digits - 1, zero)
    off, rounded = np.abs(values - truth), np.abs(values - coarse * np.round(values / coarse)) < 1e-6 * coarse
    if ((off < coarse / 10) | (rounded & (off <= coarse / 2))).all():
        raise Slip(f"Nearly: more digits, {digits} of them.")
    return False


def _last_digit(truth, digits, zero):
    """One in the last of so many significant digits of every number."""
    size = np.abs(truth)
    none = size < 1e-9
    return np.where(none, zero, 10.0 ** (np.floor(np.log10(np.where(none, 1.0, size))) - digits + 1))


def exactly(answer, truth, slips=None):
    """Are these the counts? Whole numbers, of which every digit matters."""
    truth = np.atleast_1d(np.asarray(truth)).ravel()
    values = as_numbers(answer, truth.size)
    broken = values[np.abs(values - np.round(values)) > 1e-6]
    if len(broken):
        raise Wrong(f"A count is a whole number, which {broken[0]:g} is not.")
    if np.array_equal(np.round(values), truth):
        return True
    for nudge, wrong in (slips or {}).items():
        if np.array_equal(np.round(values), np.ravel(wrong)):
            raise Slip(nudge)
    return False


def agree(got, want, tol=SINGLE, at_least=0.0):
    """Is no entry off by more than the share `tol` of the largest entry, or of `at_least` where all are smaller?"""
    return bool(np.abs(got - want).max() <= tol * max(at_least, np.abs(want).max()))


def same_function(answer, truth, cases, slips=None, tol=SINGLE, instead=()):
    """Does the function agree with the truth on every case (a tuple of arguments)? A hint says how it does not.

    slips: nudge -> a function that makes this mistake.
    """
    for case in cases:
        want = np.asarray(truth(*case), dtype=float)
        got = as_array(value_of(answer, *case, instead=instead), want.shape)
        if not agree(got, want, tol):
            for nudge, mistake in (slips or {}).items():
                if agree(got, np.asarray(mistake(*case), dtype=float), tol):
                    raise Slip(nudge)
            raise Wrong(f"On unseen data your function is off by {np.abs(got - want).max():.2g}.")
    return True
