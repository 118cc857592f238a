"""Answers that resemble each other, or kmlab's own source: a share and a place to look, no verdict.

Code is compared as what it does rather than as it is written: names, constants, comments, layout and the order of lines
make no difference, and what was handed out counts for nobody.
"""

import ast
import functools
import html
import itertools
import re
import zlib
from pathlib import Path

import course

from .feedback import STYLE

LENGTH = 5  # words of a piece
FEWEST, ALONE = 20, 30  # pieces of its own that code must have to be compared: all of a homework; one answer of it
SHOWN = 20_000  # letters of an answer, on the page
SHARE, SOURCE_SHARE = (0.8, 0.9), (0.6, 0.9)  # from which on a pair, or a page of kmlab, is named: of all, of one
FUNCTION, WITHIN = 40, 0.9  # pieces of a function of kmlab's, and the share that is found among much else
MAKERS = {"exec", "eval", "compile", "run_cell", "marshal", "FunctionType", "CodeType"}
BLOB = re.compile(r"\S{400}")


class Plain(ast.NodeTransformer):
    """Names and constants without their own words; what a module calls its functions stays."""

    def visit_Name(self, node):
        return ast.copy_location(ast.Name("n", node.ctx), node)

    def visit_arg(self, node):
        return ast.arg("n")

    def visit_Constant(self, node):
        return ast.Constant(0)

    def visit_JoinedStr(self, node):
        return ast.Constant(0)

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.name, node.returns, node.decorator_list = "f", None, []
        return node

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else ast.Pass()

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant):  # a docstring
            return ast.Pass()
        return self.generic_visit(node)


def fingerprint(source):
    """The pieces of some code, as numbers: runs of words within a line, in no order. Code in a text is code, too."""
    found = set()
    try:
        tree = ast.parse(source)
        for text in texts(tree):
            if "\n" in text and is_code(text):
                found.update(fingerprint(text))
        lines = ast.unparse(ast.fix_missing_locations(Plain().visit(tree))).splitlines()
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # %magic, a slip: what stands beside it is code
        parts = re.split(r"\n(?=[^\s)\]}#])", source)
        if len(parts) > 1:
            return sorted({piece for part in parts for piece in fingerprint(part)})
        lines = re.sub(r"#.*", "", source).splitlines()
    for line in lines:
        words = re.findall(r"\w+|[^\w\s]", line)
        if words in (["pass"], ["return"]) or line.lstrip().startswith(("def ", "import ", "from ")):
            continue
        for i in range(max(1, len(words) - LENGTH + 1)):
            found.add(zlib.crc32(" ".join(words[i : i + LENGTH]).encode("utf-8", "replace")))
    return sorted(found)


def texts(tree):
    """Every text in it, that of bytes as well."""
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    values = [text.decode("latin-1") if isinstance(text, bytes) else text for text in values]
    return [text for text in values if isinstance(text, str)]


def is_code(text):
    try:
        return bool(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def makes_code(source):
    """Whether it may compute with what is not written in it: then nobody can compare it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    nodes = list(ast.walk(tree))
    words = {node.id for node in nodes if isinstance(node, ast.Name)}
    words |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    words |= {name.name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for name in node.names}
    return bool(words & MAKERS or any(map(BLOB.search, texts(tree))))


@functools.cache
def sources():
    """module -> the pieces of it all, and of each of its longer functions, of all that the course computes with."""
    found = {}
    for path in sorted((course.ROOT / "kmlab").rglob("*.py")):
        name = ".".join(path.relative_to(course.ROOT).with_suffix("").parts)
        if not name.startswith(("kmlab.show", "kmlab.course.drawings")):
            text = path.read_text("utf-8")
            functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
            pieces = [set(fingerprint(ast.unparse(node))) for node in functions]
            found[name] = set(fingerprint(text)), [one for one in pieces if len(one) >= FUNCTION]
    return found


def alike(prints, handed_out):
    """Pairs (share, homework, answer or "" for all, student, other or module), the most alike first.

    prints: homework -> student -> answer -> pieces; handed_out: homework -> pieces of the student's version.
    """
    pairs = []
    for homework, written in prints.items():
        given = set(handed_out.get(homework, ()))
        own = {student: without(given, parts) for student, parts in sorted(written.items())}
        for student, parts in own.items():
            if parts:
                if named := [one for name, page in sources().items() for one in found_on(page, name, parts)]:
                    share, where, name = max(named, key=lambda one: (one[1] == "", *one))
                    pairs.append((share, homework, where, student, name))
        for (one, mine), (other, theirs) in itertools.combinations(own.items(), 2):
            for where in mine.keys() & theirs.keys():
                a, b = mine[where], theirs[where]
                share = len(a & b) / min(len(a), len(b))
                if share >= SHARE[where != ""]:
                    pairs.append((share, homework, where, one, other))
    whole = {(homework, one, other) for _, homework, where, one, other in pairs if not where}
    pairs = [pair for pair in pairs if not pair[2] or (pair[1], *pair[3:]) not in whole]
    return sorted(pairs, key=lambda pair: (-pair[0], pair[1:]))


def found_on(page, name, parts):
    """(share, answer, name) of what is on a page of kmlab, or holds a function from it beside much else."""
    pieces, functions = page
    for where, mine in parts.items():
        share = len(mine & pieces) / len(mine)
        if share >= SOURCE_SHARE[where != ""]:
            yield share, where, name
        for function in functions if where else ():
            share = len(mine & function) / len(function)
            if share >= WITHIN:
                yield share, where, name


def without(given, parts):
    """answer -> its own pieces, and all of them under "", where there are enough to be compared."""
    own = {where: set(pieces) - given for where, pieces in parts.items()}
    found = {where: pieces for where, pieces in own.items() if len(pieces) >= ALONE}
    whole = set().union(*own.values())
    return found | ({"": whole} if len(whole) >= FEWEST else {})


def page(pairs, answers):
    """Every pair side by side. answers: (homework, student) -> answer -> code; of a module its file."""
    parts = []
    for share, homework, where, one, other in pairs[:200]:
        codes = {who: code_of(answers.get((homework, who)), where) or file(who)[:SHOWN] for who in (one, other)}
        sides = "".join(
            f"<td><h3>{html.escape(who)}</h3><pre>{html.escape(code)}</pre></td>" for who, code in codes.items()
        )
        title = f"{share:.0%} · {named(homework, where)}: {one} and {other}"
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


def named(homework, where):
    return f"{homework} {where.removeprefix('answer-')}".strip()


def code_of(written, where):
    written = written or {}
    return (written.get(where) or "\n\n".join(written.values()))[:SHOWN]


def file(module):
    path = course.ROOT / Path(*module.split(".")).with_suffix(".py")
    return path.read_text("utf-8") if module.startswith("kmlab") and path.is_file() else ""
