"""What is told, and not refused: a fit that ended early, a kernel that is none on this data, memory that runs short."""

import sys
import warnings
from contextlib import contextmanager

BETWEEN = ("functools", "contextlib")  # a property that is computed once, a decorator


class NotConverged(UserWarning):
    """A fit ended by its step budget and not at the optimum."""


class NotPositive(UserWarning):
    """A kernel is not positive semi-definite on the data, so that there are no images in a feature space."""


class LittleDifference(UserWarning):
    """To a kernel the points differ by so little of their length that rounding hides most of it."""


class LittleRoom(UserWarning):
    """A matrix that is about to be made takes most of the memory that is free."""


@contextmanager
def needs_the_lab():
    """Around the imports of what the algorithms do without: a sentence where they alone were installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name.startswith(__package__):
            raise
        raise ModuleNotFoundError(
            f"Pictures and notebooks need {error.name}, and the algorithms alone were installed: run "
            '`pip install "kmlab[lab]"` and start again.',
            name=error.name,
        ) from None


def warn_not_converged(model, remedy, how_far="before its end", unit="steps"):
    """Say, on the line that called fit, that it ended by its step budget, and what to do."""
    warn(f"{type(model).__name__} stopped after {model.n_iter_} {unit}, {how_far}: {remedy}.", NotConverged)


def warn(said, kind):
    """A warning on the line outside this house that has led to it; a picture of the course says it in its caption."""
    inside = list(frames_inside())
    rooms = tuple(f"{__package__}.{room}" for room in ("course", "show"))
    if not any(frame.f_globals.get("__name__", "").startswith(rooms) for frame in inside):
        warnings.warn(said, kind, stacklevel=len(inside) + 1)


def frames_inside():
    """The calls inside this house that have led to whoever asks, the latest first; what leads back into it included."""
    frame, house, waiting = sys._getframe(1), __name__.partition(".")[0], []
    while frame and (name := frame.f_globals.get("__name__", "").partition(".")[0]) in (house, *BETWEEN):
        waiting.append(frame)
        if name == house:
            yield from waiting
            waiting = []
        frame = frame.f_back
