"""The page that a student gets back: one file that needs nothing else, formulas included, and runs nothing.

A page is put together of fragments, one for each cell, which were made in the process that read the submission; marks
and comments that were given by hand come in when the page is written.
"""

import functools
import html
import re
from xml.etree import ElementTree

import mistune
from latex2mathml.converter import convert

from .merging import is_answer, is_test, place

MATHML = "http://www.w3.org/1998/Math/MathML"
HARMLESS = {"display", "mathvariant", "stretchy", "columnalign", "displaystyle", "linethickness", "accent", "form"}
LONGEST = 2000  # letters of a formula
ElementTree.register_namespace("", MATHML)

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a;
  background: #fff; overflow-wrap: anywhere; }
pre { background: #f6f6f4; padding: .6rem .8rem; overflow-x: auto; font-size: .85rem; white-space: pre-wrap; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { border: 1px solid #ccc; padding: .25rem .7rem; }
th { overflow-wrap: normal; } td.points { text-align: right; white-space: nowrap; } a { color: #0b57a4; }
img { max-width: 100%; } math[display=block] { margin: .6rem 0; }
.said { border-left: 4px solid #bbb; padding-left: .8rem; margin: .4rem 0 1.2rem; }
.right { border-color: #2e7d32; } .wrong { border-color: #c2410c; } .unread { border-color: #6b7280; }
.comment { background: #eef4ff; padding: .5rem .8rem; margin: .4rem 0; white-space: pre-wrap; }
.task { color: #444; } h2 { margin-top: 2.5rem; border-top: 1px solid #ddd; padding-top: 1rem; }
@media (prefers-color-scheme: dark) {
  :root { color-scheme: dark; } body { background: #16181c; color: #e6e6e6; } a { color: #8ab4f8; }
  pre { background: #22252b; } .task { color: #b5b5b5; }
  td, th { border-color: #444; } .comment { background: #22304a; } h2 { border-color: #333; } }
"""


# ---- Markdown without anything that runs or loads


class Renderer(mistune.HTMLRenderer):
    """A submission's scripts and addresses have no business in a reader's browser."""

    def __init__(self):
        super().__init__(escape=True)

    def image(self, text, url, title=None):
        return f"[{html.escape(text or 'a picture')}]"

    def link(self, text, url, title=None):
        return f'<a rel="noopener noreferrer" href="{html.escape(url)}">{text}</a>' if is_address(url) else text

    def heading(self, text, level, **attrs):  # the page's own headings stand above these
        return f"<h{min(level + 2, 6)}>{text}</h{min(level + 2, 6)}>\n"

    def inline_math(self, text):
        return formula(text, "inline")

    def block_math(self, text):
        return f"<p>{formula(text, 'block')}</p>\n"


def is_address(url):
    return re.match(r"(https?://|mailto:|#)", url.strip(), re.I) is not None


def markdown(text):
    """Markdown as harmless HTML."""
    plugins = ["table", "math", "mistune.plugins.math.math_in_list", "strikethrough"]
    return mistune.create_markdown(renderer=Renderer(), plugins=plugins)(text)


@functools.lru_cache(1000)
def formula(tex, display):
    """LaTeX as MathML, which a browser shows by itself; as it was written if it is no formula."""
    try:
        if len(tex) > LONGEST:
            raise ValueError
        plain = tex.strip().replace("<", r"\lt ").replace(">", r"\gt ")  # the converter lets them through
        root = ElementTree.fromstring(convert(plain, display=display))
        for element in root.iter():
            for name in set(element.attrib) - HARMLESS:
                del element.attrib[name]
        return ElementTree.tostring(root, encoding="unicode")
    except Exception:  # whatever the converter stumbles over
        return f"<code>{html.escape(tex)}</code>"


# ---- fragments, in the student's process


def fragment(cell, plain=False):
    """What a page needs of a cell: {place, kind, html}."""
    label = cell.metadata.get("nbgrader", {})
    kind = "answer" if is_answer(cell) else "test" if is_test(cell) else "task" if label or cell.get("id") else "added"
    kind = "added" if str(cell.get("id", "")).startswith("added-") else kind
    parts = []
    if kind != "test":
        if cell.cell_type == "code":
            parts.append(f"<pre>{html.escape(cell.source)}</pre>")
        else:
            parts.append(f"<pre>{html.escape(cell.source)}</pre>" if plain else markdown(cell.source))
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            parts.append(f"<pre>{html.escape(output.text)}</pre>" if kind != "test" else html.escape(output.text))
        else:
            parts.append(
                f'<img alt="a picture that was handed in" src="data:image/png;base64,{output.data["image/png"]}">'
            )
    return {"place": place(cell), "kind": kind, "code": cell.cell_type == "code", "html": "\n".join(parts)}


# ---- pages


def in_points(number):
    return f"{number:g} point{'s' * (number != 1)}"


def title_of(where, titles):
    """A part's name for people: 1a, or 3b in words; with its heading, where the homework has one."""
    part = re.sub(r"^(check|answer|proof)-", "", where)
    words = "the proof" if where.startswith("proof-") else "in words" if where.endswith("-words") else ""
    part = part.removesuffix("-words")
    return " ".join(filter(None, [part, titles.get(part, ""), f"({words})" if words else ""]))


def titles_of(release):
    """part -> its heading, from `## 1a · The graph (4 points)`."""
    found = re.findall(
        r"^## *(\w+) *· *(.*?) *(?:\([^()]*points?\))?$", "\n".join(c.source for c in release.cells), re.M
    )
    return dict(found)


def section(name, result, marks, titles):
    """One homework: a table of its parts, and what was handed in. marks: place -> (points, most, comment)."""
    rows, total, most = [], 0.0, 0.0
    for where, (points, worth, _) in marks.items():
        most += worth
        total += points or 0
        said = "not read yet" if points is None else f"{points:g}"
        anchor = html.escape(f"{name}-{where}")
        rows.append(
            f'<tr><td><a href="#{anchor}">{html.escape(title_of(where, titles))}</a></td>'
            f'<td class="points">{said}</td><td class="points">{worth:g}</td></tr>'
        )
    notes = "".join(f"<li>{html.escape(note)}.</li>" for note in result["notes"])
    parts = [
        f"<h2>{html.escape(name.replace('_', ' ').capitalize())}: {total:g} of {in_points(most)}</h2>",
        f"<table><tr><th>part</th><th>points</th><th>of</th></tr>{''.join(rows)}</table>",
        f"<p>What happened when this was graded:</p><ul>{notes}</ul>" if notes else "",
    ]
    for cell in result["page"]:
        body, kind = cell["html"], cell["kind"]
        if cell["place"] in marks:
            points, worth, comment = marks[cell["place"]]
            look = "unread" if points is None else "right" if points == worth else "wrong"
            said = "not read yet" if points is None else f"{points:g} of {in_points(worth)}"
            verdict = body if kind == "test" else f"{html.escape(title_of(cell['place'], titles))}: {said}"
            anchor = html.escape(f"{name}-{cell['place']}")
            parts.append("" if kind == "test" else body)
            parts.append(f'<div class="said {look}" id="{anchor}">{verdict}</div>')
            if comment:
                parts.append(f'<div class="comment">{html.escape(comment)}</div>')
        elif kind != "task" or not cell["code"]:
            parts.append(f'<div class="{kind}">{body}</div>')
    return "\n".join(filter(None, parts)), total, most


def page(student, sections, remarks=()):
    """The whole file. sections: (HTML, points, most)"""
    total, most = (sum(part[i] for part in sections) for i in (1, 2))
    notes = "".join(f"<li>{html.escape(note)}.</li>" for note in remarks)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        "style-src 'unsafe-inline'\">"
        f"<title>{html.escape(student)}</title><style>{STYLE}</style></head><body>"
        f"<h1>{html.escape(student)}: {total:g} of {in_points(most)}</h1>"
        + (f"<ul>{notes}</ul>" if notes else "")
        + "\n".join(part[0] for part in sections)
        + "</body></html>\n"
    )
