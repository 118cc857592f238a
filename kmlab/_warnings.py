"""What is told, and not refused: a fit that ended early, a kernel that is none on this data."""

import sys
import warnings


class NotConverged(UserWarning):
    """A fit ended by its step budget and not at the optimum."""


class NotPositive(UserWarning):
    """A kernel is not positive semi-definite on the data, so that there are no images in a feature space."""


def warn_not_converged(model, remedy, how_far="before its end", unit="steps"):
    """Say, on the line that called fit, that it ended by its step budget, and what to do."""
    warn(f"{type(model).__name__} stopped after {model.n_iter_} {unit}, {how_far}: {remedy}.", NotConverged)


def warn(said, kind):
    """A warning on the line outside this house that has led to it; a picture of the course says it in its caption."""
    frame, level, house = sys._getframe(), 1, __name__.partition(".")[0]
    while frame.f_back and (name := frame.f_globals.get("__name__", "")).partition(".")[0] == house:
        if name.startswith((f"{house}.course", f"{house}.show")):
            return
        frame, level = frame.f_back, level + 1
    warnings.warn(said, kind, stacklevel=level)
