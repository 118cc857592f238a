"""Statements of the lectures that do not hold as printed, that need a condition, or in which the pen slipped.

from kmlab.course.errata import erratum
erratum("E-V14")
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

LECTURES = {"K": "000", "S": "001", "B": "002", "V": "003", "M": "004"}
CLASSES = {"A": "does not hold as printed", "B": "needs a condition", "C": "slip of the pen"}
_registry = {}


@dataclass(frozen=True)
class Erratum:
    """One statement: where it stands, what the page says and what holds (in our words), and what was measured."""

    id: str
    pages: str
    class_: str  # a key of CLASSES
    says: str
    holds: str
    quantity: str = ""  # a sentence with a {} for each number
    measure: Callable | None = None  # () -> one or two numbers; None for a slip of the pen

    @property
    def lecture(self):
        return LECTURES[self.id[2]]

    def values(self):
        """The numbers as text: three digits, and rounding errors as a bound."""
        return [_show(value) for value in self.measure()] if self.measure else []

    def measured(self, mark=""):
        """The quantity with its numbers, each between two marks."""
        return self.quantity.format(*(f"{mark}{value}{mark}" for value in self.values()))

    def _head(self):
        return f"lecture {self.lecture}, {self.pages} · {self.class_}, {CLASSES[self.class_]}"

    def _lines(self, mark=""):
        lines = {"the page says": self.says, "what holds": self.holds}
        return lines | {"measured": self.measured(mark)} if self.measure else lines

    def __repr__(self):
        return "\n".join(
            [f"{self.id} · {self._head()}", *(f"  {name}: {text}" for name, text in self._lines().items())]
        )

    def _repr_markdown_(self):
        rows = [(self.id, self._head()), ("---", "---"), *self._lines("**").items()]
        return "\n".join(f"| {name} | {text} |" for name, text in rows)


def statement(id, pages, class_, says, holds, quantity):
    """Decorator for class A or B: the function measures the one or two numbers of the quantity."""

    def add(measure):
        _registry[id] = Erratum(id, pages, class_, says, holds, quantity, measure)
        return measure

    return add


def slip(id, pages, says, holds):
    """Class C: nothing to measure."""
    _registry[id] = Erratum(id, pages, "C", says, holds)


def erratum(id):
    """The entry with this id, for instance "E-V14": the last line of a cell shows it and measures it anew."""
    entries = all_errata()
    if id not in entries:
        raise ValueError(f"There is no erratum {id!r}; there are {', '.join(entries)}.")
    return entries[id]


def all_errata():
    """Every entry by id, lecture by lecture."""
    for lecture in LECTURES.values():
        import_module(f"kmlab.course.errata.lecture_{lecture}")
    order = list(LECTURES)
    return dict(sorted(_registry.items(), key=lambda e: (order.index(e[0][2]), int(e[0][3:]))))


def _show(value):
    if isinstance(value, str | int):
        return str(value)
    return "< 1e-9" if abs(value) < 1e-9 else f"{'−' if value < 0 else ''}{abs(value):.3g}"
