"""Slips of the lectures, each with a measurement that tells the printed statement from the one that holds.

    from kmlab.errata import erratum
    erratum("E-V14")
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

LECTURES = {"K": "000", "S": "001", "B": "002", "V": "003", "M": "004"}
KINDS = {"R": "wrong", "U": "incomplete", "M": "misleading", "N": "notation"}
_registry = {}


@dataclass(frozen=True)
class Erratum:
    """One slip: where it stands, what is printed and what holds (in our words), and both of them measured."""

    id: str
    pages: str
    stars: int  # 3 changes results, 2 can change results, 1 is cosmetic
    kind: str  # a key of KINDS
    printed: str
    corrected: str
    quantity: str = ""  # what the two numbers are
    measure: Callable | None = None  # () -> (as printed, corrected); None where only the eye can check

    @property
    def lecture(self):
        return LECTURES[self.id[2]]

    def values(self):
        """The two numbers as text: three digits, and rounding errors as a bound."""
        return [_show(v) for v in self.measure()] if self.measure else ["", ""]

    def _rows(self):
        return zip(("as printed", "what holds"), (self.printed, self.corrected), self.values(), strict=True)

    def _head(self):
        return f"{'★' * self.stars} · lecture {self.lecture}, {self.pages} · {KINDS[self.kind]}"

    def __repr__(self):
        rows = [f"  {when}: {what}" + (f"   [{value}]" if value else "") for when, what, value in self._rows()]
        return "\n".join([f"{self.id} {self._head()}", *rows, *([f"  [{self.quantity}]"] if self.quantity else [])])

    def _repr_markdown_(self):
        columns = ["", "statement", self.quantity][: 3 if self.measure else 2]
        table = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
        rows = [f"| {when} | {what} |" + (f" **{value}** |" if value else "") for when, what, value in self._rows()]
        return "\n".join([f"**{self.id}** {self._head()}", "", *table, *rows])


def register(id, pages, stars, kind, printed, corrected, quantity=""):
    """Decorator: the function measures (as printed, corrected) for the erratum described by the arguments."""

    def add(measure):
        _registry[id] = Erratum(id, pages, stars, kind, printed, corrected, quantity, measure)
        return measure

    return add


def by_eye(id, pages, stars, kind, printed, corrected):
    """A slip of the pen, with nothing to measure."""
    _registry[id] = Erratum(id, pages, stars, kind, printed, corrected)


def erratum(id):
    """The erratum with this id, for instance "E-V14": the last line of a cell shows it with its two numbers."""
    entries = all_errata()
    if id not in entries:
        raise ValueError(f"There is no erratum {id!r}; there are {', '.join(entries)}.")
    return entries[id]


def all_errata():
    """Every erratum by id, lecture by lecture."""
    for lecture in LECTURES.values():
        import_module(f"kmlab.errata.lecture_{lecture}")
    order = list(LECTURES)
    return dict(sorted(_registry.items(), key=lambda e: (order.index(e[0][2]), int(e[0][3:]))))


def _show(value):
    if isinstance(value, str | int):
        return str(value)
    return "< 1e-9" if abs(value) < 1e-9 else f"{'−' if value < 0 else ''}{abs(value):.3g}"
