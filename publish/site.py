"""The course as web pages, for readers without Python: python -m publish.site [FOLDER] (default: site/).

Every notebook with its stored pictures, and the pages of docs/. No script, no address outside: formulas are MathML,
made here, and their font comes along. The folder can be opened from disk or put on any server.

With --live the pictures move and the exercises answer, in the reader's own browser, as soon as it is asked for (see
publish/live/); the folder is then put on a web server. Opened from disk, the pages are as they are without --live.
"""

import argparse
import ast
import base64
import html
import importlib.util
import io
import json
import re
import shutil
import sys
import unicodedata
from fnmatch import fnmatch
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree

import mistune
from fontTools import subset, ttLib
from latex2mathml.converter import convert
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from . import alone, guides, live, pages, pyodide, reference

ROOT = Path(__file__).resolve().parent.parent
STYLESHEETS = [Path(__file__).with_name(name) for name in ("site.css", "print.css")]
MATHML = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", MATHML)
NOT_FOR_READERS = "not attempted yet"
INLINE = re.compile(r'([(\[]?)<math [^>]*display="inline".*?</math>([)\].,;:?!]*)')  # and what must not leave it


class Page(NamedTuple):
    name: str  # of the file, without .html
    title: str  # HTML
    label: str  # the same for lists of contents
    body: str
    parts: list  # (anchor, HTML) of its second-level headings
    lead: str = ""  # first paragraph
    facts: dict = {}  # row of the table under the title: lecture pages, source, time
    live: dict = {}  # what its script has to know


# ---- Markdown, formulas, code


class Renderer(mistune.HTMLRenderer):
    """Markdown of notebooks and docs; links to notebooks and docs lead to their pages here."""

    def __init__(self, known):
        super().__init__(escape=False)
        self.known, self.parts = known, []

    def heading(self, text, level, **attrs):
        anchor = anchor_of(text)
        text = re.sub(r"\w+-\w\d", r'<span class="whole">\g<0></span>', text)  # PCA-L1
        if level == 2:
            self.parts.append((anchor, text))
        return f'<h{level} id="{html.escape(anchor)}">{text}</h{level}>\n'

    def link(self, text, url, title=None):
        path, _, anchor = url.partition("#")
        name = Path(path).stem
        if anchor.startswith("cell-id="):  # JupyterLab's word for a place in a notebook
            anchor = quote(anchor_of(guides.section_of(anchor.removeprefix("cell-id="))))
        if not path or (name in self.known and path.endswith((".ipynb", ".md"))):
            return f'<a href="{name + ".html" if path else ""}{"#" + anchor if anchor else ""}">{text}</a>'
        return text  # source files are not part of the site

    def image(self, text, url, title=None):
        return f'<figure><img src="{asset(url)}" alt="{html.escape(text)}" loading="lazy"></figure>'

    def paragraph(self, text):
        return text if text.startswith("<figure>") else super().paragraph(text)

    def table(self, text):
        return f'<div class="wide" tabindex="0"><table>{re.sub(r"<th[^>]*></th>", "<td></td>", text)}</table></div>\n'

    def block_code(self, code, info=None):
        return code_block(code, info or "text")

    def inline_math(self, text):
        return formula(text)

    def block_math(self, text):
        tag = re.search(r"\\tag\{([^}]+)\}", text)
        number = f'<span class="tag">({tag[1]})</span>' if tag else ""
        body = formula(re.sub(r"\\tag\{[^}]+\}", "", text), "block")
        return f'<div class="equation"><div class="wide" tabindex="0">{body}</div>{number}</div>\n'


def markdown(text, renderer):
    plugins = ["table", "math", "mistune.plugins.math.math_in_list"]
    rendered = mistune.create_markdown(renderer=renderer, plugins=plugins)(text)
    return INLINE.sub(lambda m: f'<span class="whole">{m[0]}</span>' if m[1] or m[2] else m[0], rendered)


def asset(url):
    """figures/x.svg from wherever it is cited."""
    return "figures/" + Path(url).name


def anchor_of(heading):
    """As JupyterLab names it, so that one link serves both."""
    return re.sub(r"[`*$\\]", "", html.unescape(re.sub(r"<[^>]+>", "", heading))).replace(" ", "-")


@cache
def formula(tex, display="inline"):
    """LaTeX to MathML, with what the converter leaves undone."""
    tex = tex.strip()
    plain = re.sub(r"\\[bB]igg?[lr]?(?=\s*\\[lr][vV]ert)", "", tex).replace(r"\arg", r"\operatorname{arg}")
    plain = re.sub(r"\\[bB]igg?l?\s*(\(|\[|\\\{)", r"\\left\1", plain)
    plain = re.sub(r"\\[bB]igg?r?\s*(\)|\]|\\\})", r"\\right\1", plain)
    root = ElementTree.fromstring(convert(plain, display=display))
    for element in root.iter():
        _mend(element, display)
    for row in [element for element in root.iter() if _kind(element) in ("math", "mrow", "mstyle", "msqrt", "mtd")]:
        _set_apart(row)
    root.set("alttext", tex)
    return ElementTree.tostring(root, encoding="unicode")


def _mend(element, display):
    """An element of a formula that the converter gives another part or look than TeX does."""
    kind, text, style = _kind(element), element.text or "", element.get("mathvariant")
    if text in ("‖", "∥", "|", "∣", "/"):  # else each bar grows by itself
        room = "0.2em" if text == "∣" else "0"
        element.attrib.update(stretchy="false", lspace=room, rspace=room)
    elif kind == "mo" and (text in ("∞", "…", "⋯", "⊤") or _is_word(element)):  # letters, as far as spaces go
        element.tag, element.attrib = f"{{{MATHML}}}mi", {"mathvariant": "normal"}
    elif kind == "mo" and text.isalpha():  # an operator of one letter
        element.attrib.update(lspace="0.17em", rspace="0")
    elif kind == "mi" and text == "~":
        element.tag, element.text = f"{{{MATHML}}}mo", "∼"
    elif kind == "mover" and element[1].text in ("¯", "^", "~", "˜"):  # an accent, not a small index
        element.set("accent", "true")
        element[1].set("stretchy", "false")
    elif style in ("bold", "double-struck"):  # browsers know the letters only
        style = {"bold": "BOLD", "double-struck": "DOUBLE-STRUCK"}[style]
        sort = "DIGIT" if text.isdigit() else "CAPITAL" if text.isupper() else "SMALL"
        element.text = unicodedata.lookup(f"MATHEMATICAL {style} {sort} {unicodedata.name(text).split()[-1]}")
        del element.attrib["mathvariant"]
    elif kind == "mtd" and element.get("columnalign"):
        element.set("style", f"text-align: {element.attrib.pop('columnalign')}")
    elif kind == "msup" and element[1].text == "′":  # it is raised already
        element.tag = f"{{{MATHML}}}mrow"
    elif display == "block" and kind == "msub" and element[0].text in ("max", "min"):
        element.tag = f"{{{MATHML}}}munder"


def _set_apart(row):
    """The spaces that TeX leaves around words (2 ln 2, but ln(2)), and none after a sign (−1, but 2 − 1)."""
    before, bars = None, 0  # the last core that is no space; bars seen, of which every second closes
    for child in list(row):
        core = _core(child)
        text, last = core.text or "", "" if before is None else before.text or ""
        opens = before is None or (_kind(before) == "mo" and last not in ")]}⟩⌋!" and (last not in "‖|" or bars % 2))
        follows = before is not None and _is_word(before)
        plain = _kind(core) not in ("mo", "mspace") and not (len(core) and core[0].text in ("(", "[", "{"))
        if _kind(child) != "mspace" and (_is_word(core) and not opens or follows and (plain or text in ("‖", "|"))):
            row.insert(list(row).index(child), ElementTree.Element(f"{{{MATHML}}}mspace", width="0.17em"))
        if (text in ("+", "−", "±", "·") and opens) or (text == "·" and child is row[-1]):
            core.attrib.update(form="prefix", lspace="0", rspace="0")
        if _kind(child) != "mspace":
            before, bars = core, bars + (text in ("‖", "|"))
        elif child.get("width") in ("1em", "2em"):
            before = None


def _kind(element):
    return element.tag.split("}")[-1]


def _core(element):
    """What an element with indices is about."""
    return _core(element[0]) if re.match("msu|munder|mover", _kind(element)) else element


def _is_word(element):
    return _kind(element) in ("mi", "mo") and (element.text or "").isalpha() and len(element.text) > 1


def code_block(code, language="python"):
    lexer = get_lexer_by_name(language if language != "text" else "text")
    return highlight(code, lexer, HtmlFormatter(cssclass="code")).replace("<pre>", '<pre tabindex="0">', 1)


# ---- notebooks


def cells_of(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def code_cells(path):
    return [cell for cell in cells_of(path) if cell["cell_type"] == "code"]


def is_view(cell):
    """Does it show a picture that moves? Only those say how they come back to life."""
    return any("kmlab-note" in "".join(output.get("data", {}).get("text/html", "")) for output in cell["outputs"])


def is_exercise(cell):
    return NOT_FOR_READERS in json.dumps(cell["outputs"])


def parts_of_homework(cells):
    """Each answer that is code, with what looks at it: {its cell: the cells from there to the next answer}."""
    found, looking = {}, None
    for cell in cells:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            looking = found.setdefault(cell["id"], []) if cell["cell_type"] == "code" else None
        elif cell["cell_type"] == "code" and looking is not None:
            looking.append(cell["id"])
    return found


def notebook_page(path, known, folder, frames=None):
    """A notebook's cells as HTML; its pictures go into the folder. frames: cell -> those of it; for a live page."""
    renderer = Renderer(known)
    body, pictures = [], 0
    title, lead, facts = path.stem, "", {}
    parts = parts_of_homework(cells_of(path))
    for cell in alone.shown(cells_of(path)):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            rendered = markdown(source, renderer)
            if source.startswith("# "):
                title = re.search(r"<h1[^>]*>(.*?)</h1>", rendered)[1]
                lead = re.search(r"<p>(.*?)</p>", rendered, re.S)[1]
                facts = first_row(source)
                rendered = rendered.replace("</h1>", "</h1>" + alone.badge_row(alone.settings(), path), 1)
            body.append(rendered)
            continue
        outputs = []
        for output in joined(cell["outputs"]):
            data = output.get("data", {})
            if "image/png" in data:
                pictures += 1
                name, strip = f"images/{path.stem}-{pictures}.png", (frames or {}).get(cell["id"])
                outputs.append(picture(output, name, folder, controls(source), strip))
            elif "text/markdown" in data:
                outputs.append(f'<div class="shown">{markdown("".join(data["text/markdown"]), renderer)}</div>')
            else:
                text = "".join(output.get("text", "") or data.get("text/plain", ""))
                lines = [line for line in text.splitlines() if NOT_FOR_READERS not in line]
                if any(lines):
                    outputs.append(printed("\n".join(lines)))
        folded = "jupyter" in cell["metadata"] or source.startswith("import") or "".join(outputs).startswith("<figure")
        shown = "".join(outputs)
        if frames is not None and is_view(cell):  # what the cell prints stays where it is
            begin, end = shown.index("<figure>"), shown.rindex("</figure>") + len("</figure>")
            live_view = f'<div class="live-view" data-cell="{cell["id"]}">{shown[begin:end]}</div>'
            shown = shown[:begin] + live_view + shown[end:]
        shown = code_cell(source, folded) + shown
        if frames is not None and cell["id"] in parts:
            then = " ".join(parts[cell["id"]])
            shown = f'<div class="exercise" data-cell="{cell["id"]}" data-then="{then}">{shown}</div>'
        elif frames is not None and is_exercise(cell) and not parts:
            shown = f'<div class="exercise" data-cell="{cell["id"]}">{shown}</div>'
        body.append(shown)
    label = "Start here" if path.stem.startswith("00") else title
    return Page(path.stem, title, label, "".join(body), renderer.parts, lead, facts)


def joined(outputs):
    """The outputs of a cell; what was printed in a row is one of them, in however many pieces it came."""
    result = []
    for output in outputs:
        if result and output["output_type"] == result[-1]["output_type"] == "stream":
            result[-1] = result[-1] | {"text": "".join([*result[-1]["text"], *output["text"]])}
        else:
            result.append(output)
    return result


def first_row(source):
    """{column: cell} of the first table, with one row, of a title cell."""
    table = re.search(r"^\|(.+)\|\n\|[-| ]+\|\n\|(.+)\|", source, re.M)
    if not table:
        return {}
    return dict(zip(*([cell.strip() for cell in row.split("|")] for row in table.groups()), strict=True))


def code_cell(source, folded):
    block = code_block(source)
    return f'<details class="fold"><summary>Code</summary>{block}</details>' if folded else block


def printed(text):
    ticks = html.escape(text.rstrip()).replace("✔", '<span class="tick">✔</span>')
    claims = " claims" if all(line.startswith("✔") for line in text.rstrip().splitlines()) else ""
    return f'<pre class="printed{claims}" tabindex="0">{ticks}</pre>'


def picture(output, name, folder, moved, frames=None):
    """A stored picture; on a narrow screen its columns of panels stand below each other. frames: not the stored."""
    about = output["metadata"]["image/png"]
    alt, (width, height) = html.escape(about["alt"]), write_png(output["data"]["image/png"], folder / name)
    edges = [0, *(round(cut * width) for cut in about.get("cuts", [])), width]
    whole = f'<image href="{name}" width="{width}" height="{height}"/>'
    columns = "".join(
        f'<svg viewBox="{left} 0 {right - left} {height}">{whole}</svg>' for left, right in pairwise(edges)
    )
    stacked = f'<div class="stacked" role="img" aria-label="{alt}">{columns}</div>' if len(edges) > 2 else ""
    live = f'<p class="live">In the lab this picture moves: {moved}.</p>' if moved else ""
    return (
        f'<figure><img src="{name}" alt="{alt}" width="{width}" height="{height}" loading="lazy">{stacked}'
        f'<figcaption aria-hidden="true">{alt}</figcaption>{live}'
        f"{filmstrip(output, name, folder) if frames is None else strip_of(frames, folder)}</figure>"
    )


def filmstrip(output, name, folder):
    """The stored frames of something that can be stepped through."""
    frames = []
    _, _, strip = "".join(output["data"].get("text/html", "")).partition('<div class="kmlab-strip">')
    for i, (alt, png) in enumerate(re.findall(r'<img alt="([^"]*)"[^>]*base64,([^"]+)"', strip), 1):
        file = name.replace(".png", f"-{i}.png")
        write_png(png, folder / file)
        frames.append((file, html.unescape(alt)))
    return strip_of(frames, folder)


def strip_of(frames, folder):
    """Frames (file, words) side by side."""
    figures = []
    for file, words in frames:
        alt, (width, height) = html.escape(words), size_of(folder / file)
        figures.append(
            f'<figure><img src="{file}" alt="{alt}" width="{width}" height="{height}" loading="lazy">'
            f'<figcaption aria-hidden="true">{alt}</figcaption></figure>'
        )
    return f'<div class="strip">{"".join(figures)}</div>' if figures else ""


def write_png(text, path):
    """Returns its width and height."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(base64.b64decode(text))
    return size_of(path)


def size_of(png):
    head = png.read_bytes()[:24]
    return [int.from_bytes(head[i : i + 4], "big") for i in (16, 20)]


def controls(source):
    """What the reader of the notebook can move: the arguments that are sliders, menus or switches."""
    try:
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    except SyntaxError:  # a gap that the student fills
        return ""
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == "step_through":
            return "step by step"
        if isinstance(call.func, ast.Name) and call.func.id == "explore":
            names = [key.arg for key in call.keywords if isinstance(key.value, ast.Call)]
            return ", ".join(f"<code>{name}</code>" for name in names)
    return ""


# ---- the site


def all_notebooks():
    """The chapters, then the homework."""
    found = [path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    return sorted(found, key=lambda path: (len(path.parts), path.name))


def build(folder="site", is_live=False, notebooks=None):
    """Write the site, or the pages of some notebooks; a line of progress for each page."""
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()) and not (folder / STYLESHEETS[0].name).exists():
        raise ValueError(f"{folder} holds something else than this site, which would be lost: name another folder.")
    if is_live:
        live.find_node(), live.files()  # what is missing is said before anything is thrown away
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for stylesheet in STYLESHEETS:  # first, since they say whose folder this is
        shutil.copy(stylesheet, folder)
    notebooks, made = notebooks or all_notebooks(), pages.pages() | reference.pages()
    alive = make_live(notebooks, folder) if is_live else None
    made |= {"licences.md": licences_page(is_live)}
    known = [path.stem for path in notebooks] + [Path(name).stem for name in made]
    result = []
    for path in notebooks:
        frames = alive and alive.get(path.stem, {"frames": {}})["frames"]
        result.append(notebook_page(path, known, folder, frames))
        if alive and path.stem in alive:
            result[-1] = result[-1]._replace(live=alive[path.stem]["page"])
        show_progress(len(result), len(known), path.stem)
    for name, text in made.items():
        renderer = Renderer(known)
        body = markdown(text, renderer)
        title = re.search(r"<h1[^>]*>(.*?)</h1>", body)[1]
        lead = re.search(r"<p>(.*?)</p>", body, re.S)[1]
        result.append(Page(Path(name).stem, title, title, body, renderer.parts, lead))
        show_progress(len(result), len(known), name)
    for i, page in enumerate(result):
        before, after = result[i - 1] if i else None, result[i + 1] if i + 1 < len(result) else None
        (folder / f"{page.name}.html").write_text(whole(page, result, before, after), encoding="utf-8")
    (folder / "index.html").write_text(whole(front_page(result, is_live), result), encoding="utf-8")
    shutil.copytree(ROOT / "figures", folder / "figures")
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.html"))
    (folder / "math.woff").write_bytes(math_font("".join(re.findall(r"<math.*?</math>", text, re.S))))
    print(f"\n{len(result) + 1} pages: open {folder / 'index.html'} in a browser.")
    if is_live:
        print(
            f"They are live on a web server: {folder} goes to any; `python3 -m http.server -d {folder}` tries it here."
        )


def make_live(notebooks, folder):
    """What live pages share goes into the folder; -> {notebook: {"frames", "page": what its script has to know}}"""
    notebooks = [path for path in notebooks if any(is_view(cell) or is_exercise(cell) for cell in code_cells(path))]
    cells = {path: [[cell["id"], "".join(cell["source"])] for cell in code_cells(path)] for path in notebooks}
    views = {path: [cell["id"] for cell in code_cells(path) if is_view(cell)] for path in notebooks}
    shared = live.write(folder, [(cells[path], views[path]) for path in notebooks], show_progress)
    found = live.controls_and_frames(notebooks, folder, sum(map(len, views.values())), show_progress)
    print()
    return {
        path.stem: {
            "frames": found[path.stem]["frames"],
            "page": shared | {"name": path.stem, "cells": cells[path], "views": found[path.stem]["views"]},
        }
        for path in notebooks
    }


def show_progress(done, of, name):
    print(f"\r{'█' * (30 * done // of):<30} {done}/{of} {name:<30}", end="", flush=True)


def front_page(result, is_live):
    """Title, picture, contents."""
    rows = []
    for page in result:
        facts = " · ".join(filter(None, (page.facts.get(key) for key in ("lecture pages", "lecture", "lectures"))))
        minutes = page.facts.get("time", "")
        rows.append(
            (
                page.name,
                f'<li><a href="{page.name}.html">{page.label}</a><p>{page.lead}</p>'
                f'<p class="facts">{" · ".join(filter(None, (facts, minutes)))}</p></li>',
            )
        )
    groups = {
        "I come from a lecture": "lecture_*",
        "I come for a topic": "[0-9]*",
        "Homework": "homework*",
        "I come with data of my own": "re[cf]*",
        "Overviews": "[!0-9hlr]*",
    }
    lists = []
    for group, pattern in groups.items():
        if here := [row for name, row in rows if fnmatch(name, pattern)]:
            lists.append(f'<h2 id="{anchor_of(group)}">{group}</h2><ul class="contents">{"".join(here)}</ul>')
    lab = "get the course and say <code>python3 course.py</code>."
    how = f"""These pages are for reading. In the lab the pictures have sliders, the exercises answer at once, and
everything can be changed: {lab}"""
    if is_live:
        how = f"""On these pages pictures move and exercises answer, in this browser: touch a slider, or press
<em>Make this page live</em>. For notebooks, where everything can be changed, {lab}"""
    body = f"""<h1>Kernel methods, running</h1>
{alone.badge_row(alone.settings())}
<p class="lead">Five university lectures on kernel methods as a course: every algorithm in code that you can hold
beside the slide, what the lectures state measured as it runs, conditions included.</p>
<figure><img src="figures/start_here_unroll.svg" alt="Three rings that no straight line separates, and the same points
in the coordinates of a kernel, where a straight cut is enough"></figure>
<p>{how}</p>
{"".join(lists)}"""
    return Page("index", "Kernel methods, running", "Kernel methods, running", body, [])


def whole(page, result, before=None, after=None):
    """The page with head, contents and the way on."""
    links = []
    for other in result:
        here = ' aria-current="page"' if other.name == page.name else ""
        links.append(f'<li><a href="{other.name}.html"{here}>{other.label}</a>')
        if here and page.parts:
            inner = "".join(f'<li><a href="#{quote(anchor)}">{text}</a></li>' for anchor, text in page.parts)
            links.append(f"<ol>{inner}</ol>")
        links.append("</li>")
    ways = [
        f'<a rel="{rel}" href="{other.name}.html"><span>{word}</span> {other.label}</a>'
        for other, rel, word in ((before, "prev", "Before"), (after, "next", "Next"))
        if other
    ]
    plain = re.sub(r"<[^>]+>", "", page.title)
    style, bar, script = live_parts(page.live) if page.live else ("", "", "")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{plain} · kmlab</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="site.css">{style}
<link rel="stylesheet" href="print.css" media="print">
</head>
<body class="page-{page.name}">
<a class="skip" href="#text">To the text</a>
<header>
<a class="home" href="index.html">kmlab <span>kernel methods, running</span></a>
<details class="menu"><summary>Contents</summary>
<nav aria-label="Contents, short"><ul>{"".join(links)}</ul></nav></details>
</header>
<nav class="side" aria-label="Contents"><ul>{"".join(links)}</ul></nav>
<main id="text">
{bar}{page.body}
<nav class="ways" aria-label="Next and previous page">{"".join(ways)}</nav>
</main>{script}
</body>
</html>
"""


def live_parts(about):
    """Of a page: stylesheets, the bar at its top, and the script with what it has to know; from disk, none runs."""
    front, about = f"live/{about['front']}", json.dumps({key: about[key] for key in about if key != "front"})
    style = "".join(f'\n<link rel="stylesheet" href="{front}/{name}.css">' for name in ("views", "live"))
    bar = '<div class="live-bar" hidden><div tabindex="-1"></div></div><p class="live-spoken" role="status"></p>\n'
    safe = about.replace("<", "\\u003c")
    script = f"""
<p id="how-to-leave" hidden>Tab indents; Escape, then Tab leaves the editor. Shift and Enter run the cell.</p>
<script type="application/json" id="kmlab-page">{safe}</script>
<script src="{front}/start.js"></script>"""
    return style, bar, script


def licences_page(is_live):
    """Whose work the site holds beside the course itself, and who may copy it."""
    python = pyodide.licences(live.AT_ONCE + live.LATER) if is_live else []
    found = [font_licence(), *python]
    rows = [f"| {each.name} | {each.version} | {each.licence} |" for each in found]
    texts = [f"## {each.name}\n\n```text\n{each.text.strip()}\n```" for each in found if each.text.strip()]
    about = "Formulas on these pages are set in a font that comes with them, as far as its signs are used."
    if is_live:
        about += """ On a live page Python runs in your browser; it comes from this site and is made of these parts,
unchanged but compiled and without what the course does not use."""
    table = "| part | version | licence |\n|---|---|---|"
    return "\n".join(["# Licences of what comes with these pages\n", about, "", table, *rows, "", *texts])


def font_licence():
    says = math_source()["name"].getDebugName
    version = says(5).split()[1]
    return pyodide.Licence(says(1), version, "OFL-1.1", f"{says(0)}\n{says(13)}")


def math_source():
    return ttLib.TTFont(Path(importlib.util.find_spec("ziamath").origin).parent / "fonts/STIXTwoMath-Regular.ttf")


def math_font(mathml):
    """STIX Two Math with the characters of these formulas and their larger forms, as a WOFF file."""
    font = math_source()
    characters = {"√", *html.unescape(re.sub(r"<[^>]+>", "", mathml))}  # a root is a tag, not a letter
    italic = {"ℎ", *map(chr, range(0x1D434, 0x1D468)), *map(chr, range(0x1D6E2, 0x1D71C))}  # Latin, Greek
    bold = {*map(chr, range(0x1D400, 0x1D434)), *map(chr, range(0x1D7CE, 0x1D7D8))}
    options = subset.Options(hinting=False, layout_features=["*"], notdef_outline=True)
    subsetter = subset.Subsetter(options)  # a letter alone is shown in italics: other characters
    subsetter.populate(unicodes=[ord(c) for c in characters | italic | bold])
    subsetter.subset(font)
    _narrow_roots(font)
    font.flavor = "woff"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def _narrow_roots(font):
    """Makes tall root signs as narrow as the smallest: browsers keep room for the widest after every root."""
    variants, glyphs, widths = font["MATH"].table.MathVariants, font["glyf"], font["hmtx"]
    root = font.getBestCmap()[ord("√")]
    forms = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    taller = {record.VariantGlyph for record in forms.MathGlyphVariantRecord}
    taller |= {record.glyph for record in forms.GlyphAssembly.PartRecords}
    for name in taller:
        factor = widths[root][0] / widths[name][0]
        glyphs[name].coordinates.scale((factor, 1))
        glyphs[name].coordinates.toInt()
        glyphs[name].recalcBounds(glyphs)
        widths[name] = widths[root][0], glyphs[name].xMin


def main(args):
    parser = argparse.ArgumentParser("python3 course.py site", description=__doc__.split(":")[0], allow_abbrev=False)
    parser.add_argument("folder", nargs="?", default="site", help="where the pages go (site)")
    parser.add_argument(
        "--live", action="store_true", help="pictures and exercises answer, once they are on a web server"
    )
    args = parser.parse_args(args)
    pages.write()
    try:
        build(args.folder, args.live)
    except (ConnectionError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
