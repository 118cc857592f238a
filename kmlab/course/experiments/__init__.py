"""What the notebooks measure, and computations taken apart for step_through: one module a notebook, no drawing."""

import time
from typing import Any, NamedTuple


class Stage(NamedTuple):
    """One stage of a computation: its name, what it makes, what to say about it, and what to show beside it."""

    name: str
    value: Any
    sentence: str
    beside: Any = None


def seconds(work, least=3, patience=0.0, clock=time.perf_counter):
    """The shortest of `least` calls, or of more as long as patience lasts: other programs only ever add to the time."""
    taken = []
    while len(taken) < least or sum(taken) < patience:
        start = clock()
        work()
        taken.append(clock() - start)
    return min(taken)
