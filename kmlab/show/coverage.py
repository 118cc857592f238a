"""Where each page of the lectures went: notebook section, function of kmlab, test. Read from the files themselves.

A page is covered by the notebook sections that cite it or show one of its slips; by the functions and classes of kmlab
whose docstring cites it, else by those that carry an equation of such a section, else by those that it calls; and by
the tests that use them.
"""

import ast
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from ..errata import all_errata

ROOT = Path(__file__).parents[2]
# pages that hold something to teach; the others are titles, outlines and a course calendar
LECTURES = {
    "000": [f"s{i}" for i in range(3, 39)],
    "001": [*(f"p{i}" for i in range(109, 122)), "RKHS", *(f"p{i}" for i in range(125, 129))],
    "002": [f"s{i}" for i in range(3, 30)],
    "003": [f"s{i}" for i in range(4, 40)],
    "004": [f"s{i}" for i in range(2, 29) if i not in (10, 16)],
}
PAGES = r"[sp]\d+(?:-[sp]?\d+)?"
CITATION = re.compile(rf"\b(00[0-4])/({PAGES}(?:(?:, and |, | and | to ){PAGES})*)")


class Section(NamedTuple):
    """A second-level section of a notebook: its prose, and its code."""

    notebook: str
    title: str
    text: str
    code: str

    @property
    def anchor(self):  # as JupyterLab and the site name it
        return re.sub(r"[`*$\\]", "", self.title).replace(" ", "-")


class Part(NamedTuple):
    """A public function or class of kmlab."""

    module: str
    name: str
    source: str
    doc: str


def cited(text):
    """Pages that a text cites: "000/s3-4, s9" -> {("000", "s3"), ("000", "s4"), ("000", "s9")}."""
    pages = {("001", "RKHS")} if re.search(r"page on RKHS|RKHS page", text) else set()
    for lecture, listed in CITATION.findall(text):
        for letter, first, last in re.findall(r"([sp])(\d+)(?:-[sp]?(\d+))?", listed):
            pages |= {(lecture, f"{letter}{i}") for i in range(int(first), int(last or first) + 1)}
    return pages


def sections(folder=ROOT / "notebooks"):
    """Every second-level section of the notebooks, without the first one, which only draws the map."""
    for path in sorted(folder.glob("*.ipynb"))[1:]:
        title, text, code = "", [], []
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code":
                code.append(source)
                continue
            for piece in re.split(r"(?m)^(?=## )", source):
                if piece.startswith("## "):
                    if title:
                        yield Section(path.stem, title, "\n".join(text), "\n".join(code))
                    title, text, code = piece[3:].split("\n")[0].strip(), [], []
                text.append(piece if title else "")
        yield Section(path.stem, title, "\n".join(text), "\n".join(code))


def parts(folder=ROOT / "kmlab"):
    """Every public function and class of the algorithms."""
    for path in sorted(folder.glob("[a-z]*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                yield Part(path.stem, node.name, ast.get_source_segment(source, node), ast.get_docstring(node) or "")


def users(folder=ROOT / "tests"):
    """{(module, name): [(test file, test), ...]}: the tests that use a name imported from kmlab.<module>."""
    found = defaultdict(list)
    for path in sorted(folder.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        origin = {alias.asname or alias.name: (node.module.removeprefix("kmlab."), alias.name)
                  for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & set(origin):
                    found[origin[name]].append((path.name, node.name))
    return found


def table():
    """(lecture, page, sections, {part: its tests}) for every page."""
    slips = {entry.id: cited(f"{entry.lecture}/{entry.pages}") for entry in all_errata().values()}
    found, functions, tests = list(sections()), list(parts()), users()
    cites = {s: cited(s.text).union(*(slips[id] for id in re.findall(r"E-[A-Z]\d+", s.code + s.text))) for s in found}
    for lecture, pages in LECTURES.items():
        for page in pages:
            here = [s for s in found if (lecture, page) in cites[s]]
            tags = {f"({tag})" for s in here for tag in re.findall(r"\\tag\{([^}]+)\}", s.text)}
            called = set().union(*(re.findall(r"\w+", s.code) for s in here))
            ours = ([p for p in functions if (lecture, page) in cited(p.doc)]
                    or [p for p in functions if any(tag in p.source for tag in tags)]
                    or [p for p in functions if p.name in called and p.module not in ("claims", "datasets")])
            yield lecture, page, here, {p: tests[p.module, p.name] for p in ours}

