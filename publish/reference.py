"""Recipes and reference as pages of the site: every class and function with formulas, parameters and an example.

What is said comes from kmlab/reference/ and the docstrings of the code, formulas from the notebooks, by their tags. A
formula that no notebook displays stands in kmlab/reference/ as TeX.
"""

import html
import inspect
import re
import textwrap
from functools import cache
from importlib import import_module
from types import FunctionType
from urllib.parse import quote

from kmlab import reference
from kmlab._bases import Estimator

from . import coverage, guides
from .beside import displayed_formulas

GROUPS = {  # page: title, files of kmlab
    "reference_kernels": (
        "kernels and Gram matrices",
        "kernels algebra precomputed features gram centering spectrum npt",
    ),
    "reference_components": (
        "components and embeddings",
        "pca pca_l1 robust_pca preimage relevance graph manifold curves",
    ),
    "reference_classes": (
        "classes, novelties and clusters",
        "svm one_class primal dual platt voting perceptron neighbors discriminant clustering lifting",
    ),
    "reference_regression": (
        "regression, dependence, many rows",
        "regression sparse_bayes dependence cca ica scale",
    ),
    "reference_data": ("data and measures", "datasets measures"),
}
RECIPES = coverage.ROOT / "docs" / "recipes.md"
TAG = re.compile(r"\(([A-Z][A-Z0-9]*\.\d+)\)")
STEPS = {"accept", "fit_to", "fit_two", "each_step"}  # what an estimator says of itself, and fit calls
WIDTH = 76  # of a line of code that a page shows without scrolling


def pages():
    """{file name: Markdown} of the recipes, the overview, and each group of files."""
    made = {"recipes.md": RECIPES.read_text(encoding="utf-8"), "reference.md": overview()}
    return made | {f"{name}.md": group(title, files.split()) for name, (title, files) in GROUPS.items()}


def overview():
    text = [
        "# Reference",
        "<p>Every class and function of kmlab on a line of its own; its name leads to its formulas, its parameters, "
        "what it finds, and an example that runs. In Python, <code>help(SVC)</code> says the same, in a notebook "
        "<code>SVC?</code>. Estimators follow scikit-learn: parameters are given when they are made, "
        "<code>fit</code> finds what ends in an underscore, rows are samples. Whoever comes with a task finds it among "
        '<a href="recipes.html">the recipes</a>.</p>',
    ]
    for page, (title, files) in GROUPS.items():
        text.append(f"## {title[0].upper()}{title[1:]}")
        for stem in files.split():
            rows = [
                f'<dt><a href="{page}.html#{name}"><code>{name}</code></a></dt><dd>{in_html(first_line(thing))}</dd>'
                for name, thing in things(stem).items()
            ]
            text += [f"### {reference.title(stem)}", f'<dl class="lines">{"".join(rows)}</dl>']
    return "\n\n".join(text) + "\n"


def group(title, stems):
    listed = ", ".join(f"<code>kmlab.{stem}</code>" for stem in stems)
    text = [f"# Reference: {title}", f"<p>What {listed} offer.</p>"]
    for stem in stems:
        names = " · ".join(f'<a href="#{name}"><code>{name}</code></a>' for name in things(stem))
        text += [f"## {reference.title(stem)}", f"<p>{names}</p>"]
        for name, thing in things(stem).items():
            text += entry(stem, name, thing)
    return "\n\n".join(text) + "\n"


def things(stem):
    """{name: class or function} of what a file of kmlab describes, in the order of its text."""
    module = import_module(f"kmlab.{stem}")
    return {name: getattr(module, name) for name in reference.entries(stem)}


def entry(stem, name, thing):
    """All that is known of a class or function, as pieces of Markdown."""
    said, short = reference.of(thing), own_docstring(thing)
    formulas = [f"$${tex} \\tag{{{tag}}}$$" for tag, tex in formulas_of(thing).items()]
    words = said.words or first_line(thing)
    text = [f"### {name}", f"<p>{in_html(words)}</p>", *formulas, *map(as_paragraph, prose(short))]
    text.append(f"```python\n{call_of(stem, name, thing)}\n```")
    for heading, items in (
        ("Parameters", reference.parameters(thing)),
        ("Attributes", reference.attributes(thing)),
        ("Methods", methods(thing)),
    ):
        if items:
            rows = "".join(row(*item) for item in items)
            text.append(f'<h4>{heading}</h4><dl class="names">{rows}</dl>')
    if said.returns:
        text.append(f"<h4>Returns</h4><p>{in_html(said.returns)}</p>")
    text += [f"```pycon\n{said.example}\n```", where(said, short)]
    if TAG.search(short):
        text.append(
            f'<details class="fold"><summary>The docstring beside the code</summary>{preformatted(short)}</details>'
        )
    return text


def row(name, kind, default, words):
    about = ", ".join(filter(None, [kind, default and f"default {default}"]))
    return f"<dt><code>{html.escape(name)}</code> {in_html(about)}</dt><dd>{in_html(reference.sentence(words))}</dd>"


def methods(thing):
    """(call, "", "", words) of what a class can be asked to do; of a result, which is a tuple, nothing."""
    if not isinstance(thing, type) or hasattr(thing, "_fields"):
        return []
    common = {name: said[1] for name, said in reference.entries("shared")["shared"].methods.items()}
    calls, words = {}, dict(common)
    bases = thing.__mro__ if issubclass(thing, Estimator) else [thing]  # what all kernels have is told of their base
    for cls in reversed([cls for cls in bases if cls.__module__.startswith("kmlab.")]):
        for name, value in vars(cls).items():
            code = getattr(value, "__func__", value)  # of a class method
            if isinstance(code, FunctionType) and (not name.startswith("_") or name == "__call__"):
                calls[name] = ("" if name == "__call__" else name) + arguments(code)
                if code.__doc__:
                    words[name] = inspect.cleandoc(code.__doc__).partition("\n\n")[0]
    return [(calls[name], "", "", words[name]) for name in [*words] if name in calls and name not in STEPS]


def arguments(method):
    """(X, y=None) as it is written."""
    _, *found = inspect.signature(method).parameters.values()
    return "(" + ", ".join(str(p.replace(annotation=p.empty)) for p in found) + ")"


def call_of(stem, name, thing):
    """from kmlab.svm import SVC, and how it is called, on lines that fit."""
    given = [f"{p}={default}" if default else p for p, _, default, _ in reference.parameters(thing)]
    head = f"from kmlab.{stem} import {name}"
    if hasattr(thing, "_fields"):
        return head
    lines = textwrap.wrap(", ".join(p.replace(" ", "\0") for p in given), WIDTH - len(name), break_long_words=False)
    inside = ("\n" + " " * (len(name) + 1)).join(lines).replace("\0", " ")
    return f"{head}\n\n{name}({inside})"


# ---- formulas and words


def formulas_of(thing):
    """{tag: TeX} of the formulas that the docstring beside the code has, as far as they are known as TeX."""
    known = displayed() | reference.of(thing).formulas
    return {tag: known[tag] for tag in dict.fromkeys(TAG.findall(own_docstring(thing))) if tag in known}


displayed = cache(displayed_formulas)


def own_docstring(thing):
    """The one that stands beside the code."""
    if isinstance(thing, type):
        doc = vars(thing).get("__doc__")
        return inspect.cleandoc(getattr(doc, "short", doc) or "")
    return (
        inspect.cleandoc(thing.__doc__.split("\nParameters\n---")[0].split("\nReturns\n---")[0])
        .removeprefix(reference.of(thing).words)
        .strip()
    )


def first_line(thing):
    """In words."""
    return inspect.getdoc(thing).partition("\n")[0].partition("  Page")[0]


def prose(short):
    """The paragraphs of a docstring that have neither formulas nor columns."""
    first, *rest = re.split(r"\n{2,}", short)
    rest = [re.sub(r"\s+Pages? 00\d/[^.]*\.", "", part) for part in rest]  # they stand at the end
    return [part for part in rest if part and not TAG.search(part) and not re.search(r"\S {3,}\S", part)]


def as_paragraph(text):
    return f"<p>{in_html(' '.join(text.split()))}</p>"


def in_html(words):
    """Words of a docstring, with `code`."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words, quote=False))


def preformatted(text):
    """On one line of Markdown, so that it stays one piece of HTML."""
    return f'<pre tabindex="0">{html.escape(text, quote=False)}</pre>'.replace("\n", "&#10;")


def where(said, short):
    """The notebook and the pages of the lectures, each a link."""
    notebook = f"Notebook [{said.notebook[:2]}](../notebooks/{said.notebook}.ipynb)"
    pages = reference.where(said, short).partition("; ")[2].removesuffix(".")
    listed = re.sub(r"(00\d/)?([sp]\d+(?:-[sp]?\d+)?)", Linked(), pages)
    return f"{notebook}; {listed}."


class Linked:
    """A citation such as 004/s5-7 as a link to the place in the guide of its lecture; "s9" is of the lecture before."""

    lecture = ""

    def __call__(self, found):
        self.lecture = (found[1] or self.lecture)[:3]
        target = places(self.lecture).get(re.match(r"[sp]\d+", found[2])[0])
        return f"[{found[0]}]({target})" if target else found[0]


@cache
def places(lecture):
    """{page: address in the guide of its lecture}"""
    path, found = f"../notebooks/lectures/lecture_{lecture}.ipynb", {}
    for section in guides.table(lecture)[2]:
        anchor = f"{guides.name_of(section.pages)} · {section.heading}".replace(" ", "-") if section.heading else ""
        found |= dict.fromkeys(section.pages, f"{path}#{quote(anchor)}" if anchor else path)
    return found if lecture in coverage.PAGES else {}
