"""What a reader's function does while it runs: which code it calls, and how many lines of its own it runs through."""

import copy
import dis
import sys

NOTHING = {"RESUME", "NOP", "MAKE_CELL", "COPY_FREE_VARS", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}


def is_empty(function):
    """Is the function a stub, with a body of `...`, `pass` or a docstring, that does nothing but return a constant?"""
    code = getattr(function, "__code__", None)
    return code is not None and {step.opname for step in dis.get_instructions(code)} <= NOTHING


def lines_run(function, *case):
    """How many lines of the reader's own the function runs through on this case, those of a loop as often as it turns.

    A function without a loop runs through as many on a large matrix as on a small one. What is counted has been run,
    nothing is guessed from the text; lines in other files are not counted, so a loop may go unseen there.
    """
    with Watch(function) as watch:
        function(*copy.deepcopy(case))
    return watch.lines


class Watch:
    """While the reader's function runs: the code that is called, and the lines run in the file the function is from."""

    def __init__(self, function):
        self.file = getattr(getattr(function, "__code__", None), "co_filename", None)
        self.called, self.fitted, self.lines = set(), set(), 0

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_):
        sys.settrace(self.before)

    def name_of(self, borrowed):
        """The name of a function, or of a model's fit, if it was called; else nothing."""
        if isinstance(borrowed, type):
            return f"{borrowed.__name__}.fit" if borrowed in self.fitted else ""
        return borrowed.__qualname__ if any(code is borrowed.__code__ for code in self.called) else ""

    def _call(self, frame, event, argument):
        self.called.add(frame.f_code)
        if frame.f_code.co_name == "fit":  # every model inherits the same one: whose is it?
            self.fitted.update(type(frame.f_locals.get("self")).__mro__)
        if frame.f_code.co_filename == self.file:
            self.lines += 1
            return self._line
        return None

    def _line(self, frame, event, argument):
        self.lines += event == "line"
        return self._line
