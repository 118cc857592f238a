"""The long part of every docstring: what a page of kmlab says in formulas, here in words, with an example that runs.

The texts stand in one file for each file of kmlab, `svm.md` for `svm.py`, so that the page beside the slide stays
short: a heading `## name`, a line in words, lists of Parameters and Attributes, Returns, an example. What is the same
everywhere (`seed`, `n_features_in_`) is in `shared.md`. `describe` puts both parts together where a docstring is looked
for. For the web, formulas that no notebook displays stand there as TeX.
"""

import os
import re
import sys
from dataclasses import MISSING
from functools import cache
from inspect import cleandoc, signature
from textwrap import wrap
from types import FunctionType
from typing import NamedTuple

LISTS = "Parameters", "Attributes", "Methods"
LINES = "Returns", "Notebook", "Pages"
PAGES = re.compile(r"00[0-4]/[sp]\d+(?:-[sp]?\d+)?(?:, [sp]\d+(?:-\d+)?)*")


class Entry(NamedTuple):
    """What is written about one class or function."""

    words: str = ""
    parameters: dict = {}  # {name: (kind, words)}; None for words that stand in shared.md or with a base class
    attributes: dict = {}
    methods: dict = {}  # of shared.md, for the reference on the web
    formulas: dict = {}  # {tag: TeX} of what no notebook displays, likewise
    returns: str = ""
    example: str = ""
    notebook: str = ""
    pages: str = ""


def describe(module):
    """Give the classes and functions of a part of kmlab that has just been loaded their whole docstrings.

    A class gets its own when somebody looks at it; a function has no such moment, so it gets it now.
    """
    if sys.flags.optimize > 1:  # python -OO asks for no docstrings
        return
    own = [thing for thing in vars(module).values() if getattr(thing, "__module__", None) == module.__name__]
    for thing in own:
        if isinstance(thing, type):
            if "__dataclass_fields__" in vars(thing) and "__init__" in vars(thing):
                thing.__init__.__annotations__ = {}  # checks, and no types: help shows the bare names
            if isinstance(short := vars(thing).get("__doc__"), str):
                thing.__doc__ = _WhenAsked(short)
        elif isinstance(thing, FunctionType) and "\nReferences\n" not in (thing.__doc__ or ""):
            if entry := of(thing):
                thing.__doc__ = whole(thing, entry, thing.__doc__ or "")


class _WhenAsked:
    """The docstring of a class, composed when it is looked at; `short` is the one of its page."""

    def __init__(self, short):
        self.short = short

    def __get__(self, instance, owner):
        # a subclass without a docstring of its own has None in its place, so that owner is the class itself
        return whole(owner, entry, self.short) if (entry := of(owner)) else self.short


def of(thing):
    """The Entry of a class or function, or None."""
    return entries(thing.__module__.rpartition(".")[2]).get(thing.__name__)


@cache
def entries(stem):
    """{name: Entry} of one file."""
    parts = re.split(r"(?m)^## ", text(stem))
    found = re.search(r"(?m)^Notebook: (\S+)$", parts[0])
    notebook = found[1] if found else ""
    return {part.partition("\n")[0].strip(): _parsed(part.partition("\n")[2], notebook) for part in parts[1:]}


@cache
def title(stem):
    """The heading of one file."""
    return text(stem).partition("\n")[0].removeprefix("# ")


@cache
def helpers(stem):
    """Names of a file that are steps of its page and no more: their own line there is all that is said of them."""
    found = re.search(r"(?ms)^Steps of the page: (.*?)\n\n", text(stem) + "\n\n")
    return re.findall(r"\w+", found[1]) if found else []


def text(stem):
    """What the file says; "" where there is none."""
    path = os.path.join(os.path.dirname(__file__), stem + ".md")
    try:
        return __spec__.loader.get_data(path).decode().replace("\r\n", "\n")
    except OSError:
        return ""


def _parsed(part, notebook):
    example = re.search(r"```python\n(.*?)\n```", part, re.S)
    part, found = re.sub(r"```python\n.*?\n```\n?", "", part, flags=re.S), {}
    for block in re.split(r"\n{2,}", part.strip()):
        head, _, rest = block.partition(":")
        if head in LISTS:
            found[head.lower()] = _listed(rest)
        elif head in LINES:
            found[head.lower()] = " ".join(rest.split())
        elif block.startswith("$$"):
            tex = re.findall(r"\$\$(.+?)\\tag\{(.+?)\}\s*\$\$", block, re.S)
            found.setdefault("formulas", {}).update({tag: " ".join(formula.split()) for formula, tag in tex})
        elif block:
            found["words"] = " ".join(block.split())
    return Entry(**{"notebook": notebook} | found, example=example[1] if example else "")


def _listed(lines):
    """- `name` (kind): words, or - `name`, `name` for words that stand elsewhere"""
    found = {}
    for item in re.split(r"(?m)^- ", lines)[1:]:
        head, _, words = item.partition(":")
        names, kind = re.match(r"((?:`\w+`,?\s*)+)(.*)", head, re.S).groups()
        said = (kind.strip(), " ".join(words.split())) if words else None
        found |= dict.fromkeys(re.findall(r"\w+", names), said)
    return found


# ---- one docstring


def whole(thing, entry, short):
    """In words, the docstring of the page, and the sections that numpydoc, Sphinx and people know."""
    short = cleandoc(short)
    sections = {
        "Parameters": "\n".join(_item(*each) for each in parameters(thing)),
        "Attributes": "\n".join(_item(*each) for each in attributes(thing)),
        "Returns": entry.returns,
        "Examples": entry.example,
        "References": where(entry, short),
    }
    found = [f"{name}\n{'-' * len(name)}\n{body}" for name, body in sections.items() if body]
    return "\n\n".join(filter(None, [entry.words, short, *found])) + "\n"


def parameters(thing):
    """(name, kind, default, words) of every argument of a function, or of what makes an object, in their order."""
    return [(name, *_said(thing, name, "parameters", default)) for name, default in _arguments(thing).items()]


def attributes(thing):
    """(name, kind, "", words) of what an object holds: what fit has found, or the fields of a tuple."""
    names = getattr(thing, "_fields", None) or (of(thing) or Entry()).attributes
    return [(name, *_said(thing, name, "attributes")) for name in names]


def where(entry, short):
    """The notebook, and the pages that the entry or else the docstring of the page cites."""
    pages = entry.pages or ", ".join(dict.fromkeys(PAGES.findall(short)))
    word = "" if not pages[:1].isdigit() else "pages " if re.search("[-,]", pages) else "page "
    return f"Notebook {entry.notebook}; {word}{pages}."


def _arguments(thing):
    """{name: default as it is written, or ""}"""
    if hasattr(thing, "_fields"):  # a result, which nobody makes by hand
        return {}
    if "__dataclass_fields__" in vars(thing):
        fields = thing.__dataclass_fields__.values()
        return {field.name: "" if field.default is MISSING else repr(field.default) for field in fields if field.init}
    code = thing.__init__ if isinstance(thing, type) else thing
    if not isinstance(code, FunctionType):
        return {}
    found = signature(code).parameters.values()
    return {p.name: "" if p.default is p.empty else repr(p.default) for p in found if p.name != "self"}


def _said(thing, name, what, default=""):
    """kind, default, words: of the entry itself, of a class it comes from, or for everybody."""
    for base in thing.__mro__ if isinstance(thing, type) else (thing,):
        entry = of(base) if base.__module__.startswith("kmlab.") else None
        if entry and (found := getattr(entry, what).get(name)):
            return found[0], default, found[1]
    kind, words = getattr(entries("shared")["shared"], what).get(name, ("", ""))
    return kind, default, words


def _item(name, kind, default, words):
    about = ", ".join(filter(None, [kind, default and f"default {default}"]))
    lines = wrap(sentence(words), 110, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"{name} : {about}" if about else name, *(f"    {line}" for line in lines)])


def sentence(words):
    """With a capital, unless it begins with a formula."""
    return words[:1].upper() + words[1:] if re.match(r"[a-z]*[ ,.;:]", words) else words
