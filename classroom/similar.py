"""Answers that resemble each other, or kmlab's own source: a share and a place to look, no verdict.

Code is compared as what it does rather than as it is written: names, constants, comments, layout and the order of lines
make no difference, and what was handed out counts for nobody.
"""

import ast
import html
import itertools
import re
import zlib
from pathlib import Path

import course

from .feedback import STYLE

LENGTH = 5  # words of a piece
FEWEST = 20  # pieces of its own that code must have to be compared
SHOWN = 20_000  # letters of an answer, on the page
SHARE, SOURCE_SHARE = 0.8, 0.6  # from which on a pair, or a page of kmlab, is named


class Plain(ast.NodeTransformer):
    """Names and constants without their own words; what a module calls its functions stays."""

    def visit_Name(self, node):
        return ast.copy_location(ast.Name("n", node.ctx), node)

    def visit_arg(self, node):
        return ast.arg("n")

    def visit_Constant(self, node):
        return ast.Constant(0)

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.name, node.returns, node.decorator_list = "f", None, []
        return node

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant):  # a docstring
            return ast.Pass()
        return self.generic_visit(node)


def fingerprint(source):
    """The pieces of some code, as numbers: runs of words within a line, in no order."""
    try:
        lines = ast.unparse(ast.fix_missing_locations(Plain().visit(ast.parse(source)))).splitlines()
    except (SyntaxError, ValueError):
        lines = re.sub(r"#.*", "", source).splitlines()
    found = set()
    for line in lines:
        words = re.findall(r"\w+|[^\w\s]", line)
        if words in (["pass"], ["return"]) or line.lstrip().startswith(("def ", "import ", "from ")):
            continue
        for i in range(max(1, len(words) - LENGTH + 1)):
            found.add(zlib.crc32(" ".join(words[i : i + LENGTH]).encode("utf-8", "replace")))
    return sorted(found)


def sources():
    """module -> the pieces of its functions, of all that the course computes with."""
    found = {}
    for path in sorted((course.ROOT / "kmlab").rglob("*.py")):
        name = ".".join(path.relative_to(course.ROOT).with_suffix("").parts)
        if not name.startswith(("kmlab.show", "kmlab.course.drawings")):
            found[name] = set(fingerprint(path.read_text("utf-8")))
    return found


def alike(prints, handed_out):
    """Pairs (share, homework, student, other or module), the most alike first.

    prints: homework -> student -> pieces; handed_out: homework -> pieces of the student's version.
    """
    pairs, pages = [], None
    for homework, written in prints.items():
        given = set(handed_out.get(homework, ()))
        own = {student: set(pieces) - given for student, pieces in written.items()}
        for student, pieces in own.items():
            if len(pieces) >= FEWEST:
                pages = pages or sources()
                share, name = max((len(pieces & page) / len(pieces), name) for name, page in pages.items())
                if share >= SOURCE_SHARE:
                    pairs.append((share, homework, student, name))
        long = sorted((student, pieces) for student, pieces in own.items() if len(pieces) >= FEWEST)
        for (one, a), (other, b) in itertools.combinations(long, 2):
            share = len(a & b) / min(len(a), len(b))
            if share >= SHARE:
                pairs.append((share, homework, one, other))
    return sorted(pairs, key=lambda pair: (-pair[0], pair[1:]))


def page(pairs, answers):
    """Every pair side by side. answers: (homework, student) -> code; of a module its file."""
    parts = []
    for share, homework, one, other in pairs[:200]:
        codes = {who: (answers.get((homework, who)) or file(who))[:SHOWN] for who in (one, other)}
        sides = "".join(
            f"<td><h3>{html.escape(who)}</h3><pre>{html.escape(code)}</pre></td>" for who, code in codes.items()
        )
        title = f"{share:.0%} · {homework}: {one} and {other}"
        parts.append(f"<details><summary>{html.escape(title)}</summary><table><tr>{sides}</tr></table></details>")
    said = (
        "<p>The share is that of the shorter one's lines which the other has too; names, constants, comments and order "
        "are left aside, and so is what was handed out. It is a place to look, not a verdict: short answers to one "
        "question resemble each other.</p>"
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Answers that resemble each other</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE} body {{ max-width: none; }} td {{ vertical-align: top; width: 50%; }} "
        "@media (max-width: 45rem) { td { display: block; width: auto; } }</style>"
        f"<h1>Answers that resemble each other</h1>{said}{''.join(parts) or '<p>None.</p>'}</html>\n"
    )


def file(module):
    path = course.ROOT / Path(*module.split(".")).with_suffix(".py")
    return path.read_text("utf-8") if module.startswith("kmlab") and path.is_file() else ""
