"""The course as plain web pages, for readers without Python: python -m kmlab.show.site [FOLDER] (default: site/).

Every notebook with its stored pictures, and the pages of docs/. No script, no address outside: formulas are MathML,
made here, and their font comes along. The folder can be opened from disk or put on any server.
"""

import ast
import base64
import html
import importlib.util
import io
import json
import re
import shutil
import sys
from fnmatch import fnmatch
from functools import cache
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

from . import pages

ROOT = Path(__file__).parents[2]
STYLESHEET = Path(__file__).with_name("site.css")
MATHML = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", MATHML)
NOT_FOR_READERS = "not attempted yet"


class Page(NamedTuple):
    name: str                     # of the file, without .html
    title: str                    # HTML
    label: str                    # the same for lists of contents
    body: str
    parts: list                   # (anchor, HTML) of its second-level headings
    lead: str = ""                # first paragraph
    facts: dict = {}              # row of the table under the title: lecture pages, source, time


# ---- Markdown, formulas, code

class Renderer(mistune.HTMLRenderer):
    """Markdown of notebooks and docs; links to notebooks and docs lead to their pages here."""

    def __init__(self, known):
        super().__init__(escape=False)
        self.known, self.parts = known, []

    def heading(self, text, level, **attrs):
        anchor = anchor_of(text)
        if level == 2:
            self.parts.append((anchor, text))
        return f'<h{level} id="{html.escape(anchor)}">{text}</h{level}>\n'

    def link(self, text, url, title=None):
        path, _, anchor = url.partition("#")
        name = Path(path).stem
        if not path or (name in self.known and path.endswith((".ipynb", ".md"))):
            return f'<a href="{name + ".html" if path else ""}{"#" + anchor if anchor else ""}">{text}</a>'
        return text               # source files are not part of the site

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
    return mistune.create_markdown(renderer=renderer, plugins=plugins)(text)


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
    for parent in list(root.iter()):
        for i, child in reversed(list(enumerate(parent))):
            tag, text = child.tag.split("}")[-1], child.text or ""
            before_bracket = i + 1 < len(parent) and (parent[i + 1].text or "") in ("(", "[")
            if tag == "mo" and text in ("‖", "∥", "|", "∣", "/"):
                child.attrib.update(stretchy="false", lspace="0", rspace="0")       # else each bar grows by itself
            elif tag == "mo" and text.isalpha() and len(text) > 1:                  # \operatorname{diag}
                child.attrib.update(lspace="0.17em" if i else "0", rspace="0" if before_bracket else "0.17em")
            elif tag == "mi" and text.isalpha() and len(text) > 1 and i + 1 < len(parent) and not before_bracket:
                parent.insert(i + 1, ElementTree.Element(f"{{{MATHML}}}mspace", width="0.17em"))      # ln 2
            elif display == "block" and tag == "msub" and child[0].text in ("max", "min"):
                child.tag = f"{{{MATHML}}}munder"
    root.set("alttext", tex)
    return ElementTree.tostring(root, encoding="unicode")


def code_block(code, language="python"):
    lexer = get_lexer_by_name(language if language != "text" else "text")
    return highlight(code, lexer, HtmlFormatter(cssclass="code")).replace("<pre>", '<pre tabindex="0">', 1)


# ---- notebooks

def notebook_page(path, known, folder):
    """A notebook's cells as HTML; its pictures go into the folder."""
    renderer = Renderer(known)
    body, pictures = [], 0
    title, lead, facts = path.stem, "", {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            rendered = markdown(source, renderer)
            if source.startswith("# "):
                title = re.search(r"<h1[^>]*>(.*?)</h1>", rendered)[1]
                lead = re.search(r"<p>(.*?)</p>", rendered, re.S)[1]
                facts = first_row(source)
            body.append(rendered)
            continue
        outputs = []
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                pictures += 1
                outputs.append(picture(output, f"images/{path.stem}-{pictures}.png", folder, controls(source)))
            elif "text/markdown" in data:
                outputs.append(f'<div class="shown">{markdown("".join(data["text/markdown"]), renderer)}</div>')
            else:
                text = "".join(output.get("text", "") or data.get("text/plain", ""))
                lines = [line for line in text.splitlines() if NOT_FOR_READERS not in line]
                if any(lines):
                    outputs.append(printed("\n".join(lines)))
        folded = source.startswith("import") or "".join(outputs).startswith("<figure")
        body.append(code_cell(source, folded) + "".join(outputs))
    label = "Start here" if path.stem.startswith("00") else title
    return Page(path.stem, title, label, "".join(body), renderer.parts, lead, facts)


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
    return f'<pre class="printed" tabindex="0">{ticks}</pre>'


def picture(output, name, folder, moved):
    (folder / name).parent.mkdir(exist_ok=True)
    data = base64.b64decode(output["data"]["image/png"])
    (folder / name).write_bytes(data)
    width, height = (int.from_bytes(data[i : i + 4], "big") for i in (16, 20))
    alt = html.escape(output["metadata"]["image/png"]["alt"])
    live = f'<p class="live">In the lab this picture moves: {moved}.</p>' if moved else ""
    return (f'<figure><img src="{name}" alt="{alt}" width="{width}" height="{height}" loading="lazy">'
            f'<figcaption aria-hidden="true">{alt}</figcaption>{live}</figure>')


def controls(source):
    """What the reader of the notebook can move: the arguments that are sliders, menus or switches."""
    try:
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    except SyntaxError:           # a gap that the student fills
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


def build(folder="site"):
    """Write the site; a line of progress for each page."""
    folder = Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    notebooks, made = all_notebooks(), pages.pages()
    known = [path.stem for path in notebooks] + [Path(name).stem for name in made]
    result = []
    for path in notebooks:
        result.append(notebook_page(path, known, folder))
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
    (folder / "index.html").write_text(whole(front_page(result), result), encoding="utf-8")
    shutil.copy(STYLESHEET, folder / "site.css")
    shutil.copytree(ROOT / "figures", folder / "figures")
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.html"))
    (folder / "math.woff").write_bytes(math_font("".join(re.findall(r"<math.*?</math>", text, re.S))))
    print(f"\n{len(result) + 1} pages: open {folder / 'index.html'} in a browser.")


def show_progress(done, of, name):
    print(f"\r{'█' * (30 * done // of):<30} {done}/{of} {name:<30}", end="", flush=True)


def front_page(result):
    """Title, picture, contents."""
    rows = []
    for page in result:
        facts = " · ".join(filter(None, (page.facts.get(key) for key in ("lecture pages", "lecture", "lectures"))))
        minutes = page.facts.get("time", "")
        rows.append((page.name, f'<li><a href="{page.name}.html">{page.label}</a><p>{page.lead}</p>'
                    f'<p class="facts">{" · ".join(filter(None, (facts, minutes)))}</p></li>'))
    groups = {"Chapters": "[0-9]*", "Homework": "homework*", "Overviews": "[!0-9h]*"}
    lists = []
    for group, pattern in groups.items():
        if here := [row for name, row in rows if fnmatch(name, pattern)]:
            lists.append(f'<h2 id="{group.lower()}">{group}</h2><ul class="contents">{"".join(here)}</ul>')
    body = f"""<h1>Kernel methods, running</h1>
<p class="lead">Five university lectures on kernel methods as a course: every algorithm in code that you can hold
beside the slide, every statement measured, every slip shown beside what holds.</p>
<figure><img src="figures/start_here_unroll.svg" alt="Three rings that no straight line separates, and the same points
in the coordinates of a kernel, where a straight cut is enough"></figure>
<p>These pages are for reading. In the lab the pictures have sliders, the exercises answer at once, and everything can
be changed: get the course and say <code>python3 course.py</code>.</p>
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
    ways = [f'<a rel="{rel}" href="{other.name}.html"><span>{word}</span> {other.label}</a>'
            for other, rel, word in ((before, "prev", "Before"), (after, "next", "Next")) if other]
    plain = re.sub(r"<[^>]+>", "", page.title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{plain} · kmlab</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="site.css">
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
{page.body}
<nav class="ways" aria-label="Next and previous page">{"".join(ways)}</nav>
</main>
</body>
</html>
"""


def math_font(mathml):
    """STIX Two Math with the characters of these formulas and their larger forms, as a WOFF file."""
    package = Path(importlib.util.find_spec("ziamath").origin).parent
    font = ttLib.TTFont(package / "fonts/STIXTwoMath-Regular.ttf")
    characters = {"√", *html.unescape(re.sub(r"<[^>]+>", "", mathml))}      # a root is a tag, not a letter
    italic = {"ℎ", *map(chr, range(0x1D434, 0x1D468)), *map(chr, range(0x1D6E2, 0x1D71C))}     # Latin, Greek
    bold = {*map(chr, range(0x1D400, 0x1D434)), *map(chr, range(0x1D7CE, 0x1D7D8))}
    options = subset.Options(hinting=False, layout_features=["*"], notdef_outline=True)
    subsetter = subset.Subsetter(options)                       # a letter alone is shown in italics: other characters
    subsetter.populate(unicodes=[ord(c) for c in characters | italic | bold])
    subsetter.subset(font)
    font.flavor = "woff"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


if __name__ == "__main__":
    pages.write()
    build(*sys.argv[1:2])
