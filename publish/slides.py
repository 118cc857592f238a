"""Slides to hand out: every notebook as a page that needs no Python, no server and no network.

python -m publish.slides [NOTEBOOK ...] writes the folder slides/. A page shows the stored pictures with the same
deck.js that shows a living notebook in JupyterLab; text, formulas and their font are made as for the site.
"""

import argparse
import base64
import html
import json
import mimetypes
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote

from pygments.formatters import HtmlFormatter

from .alone import SLIDE_MARKS, shown
from .site import Renderer, code_block, is_view, joined, markdown, math_font

DECK = Path(__file__).resolve().parent.parent / "kmlab/show/labextensions/kmlab/static"
FOLDER = Path("slides")
COURSE = sorted(Path("notebooks").glob("*.ipynb")) + sorted(Path("notebooks").glob("lectures/*.ipynb"))
FRAME = re.compile(r'<img alt="([^"]*)" width="(\d+)" height="(\d+)"[^>]*src="data:image/png;base64,([^"]*)"')
OTHERS = "text/html", "text/latex", "image/svg+xml", "image/jpeg", "image/gif"  # as JupyterLab prefers them
LIVE = "application/vnd.jupyter.widget-view+json"
SOURCE = re.compile(r'(<img\b[^>]*?\bsrc=)(["\'])(.*?)\2')
BARE = re.compile(r"^(\\begin\{((?:align|equation|gather|eqnarray)\*?)\}.*?\\end\{\2\})", re.M | re.S)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<link rel="stylesheet" href="deck.css">
<link rel="stylesheet" href="code.css">
<script src="plan.js"></script>
<script src="deck.js"></script>
<script src="podium.js"></script>
<script>
const openDeck = () => {{
  const nodes = [...document.querySelectorAll('main .jp-Cell')];
  const cells = nodes.map(node => ({{node, ...JSON.parse(node.dataset.cell)}}));
  kmlabDeck.open({{root: document.querySelector('main'), cells: () => cells}});
  kmlabDeck.current.theme(matchMedia('(prefers-color-scheme: dark)').matches);
}};
addEventListener('load', () => document.fonts.ready.then(openDeck));
</script>
</head>
<body><main><div class="cells">
{cells}
</div></main></body>
</html>
"""
INDEX = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Slides</title>
<style>
body {{ font: 22px/1.7 system-ui, sans-serif; margin: 3em auto; max-width: 40em; }}
a {{ color: #0072B2; }}
</style>
</head>
<body><h1>Slides</h1>
{links}
<p>In a set of slides, press ? for the keys. Print a set from the browser to get a PDF.</p></body>
</html>
"""


def write(paths, folder=FOLDER):
    """Pages for these notebooks, an index, and all they need, in folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("plan.js", "deck.js", "podium.js", "deck.css"):
        shutil.copy(DECK / name, folder)
    colours = ("default", ".code"), ("github-dark", ".kd-dark .code")
    styles = (HtmlFormatter(style=style, cssclass="code").get_style_defs(where) for style, where in colours)
    (folder / "code.css").write_text("\n".join(styles), encoding="utf-8")
    links, formulas = [], ""
    for i, path in enumerate(paths, 1):
        print(f"[{i}/{len(paths)}] {path}", flush=True)
        title, page = _page(path, [path.stem for path in paths])
        name = path.with_suffix(".html").name
        (folder / name).write_text(page, encoding="utf-8")
        links.append(f'<div><a href="{name}">{html.escape(title)}</a></div>')
        formulas += "".join(re.findall(r"<math.*?</math>", page, re.S))
    (folder / "math.woff").write_bytes(math_font(formulas))
    (folder / "index.html").write_text(INDEX.format(links="\n".join(links)), encoding="utf-8")


def _page(path, known):
    """-> title, HTML"""
    cells, renderer = shown(json.loads(path.read_text(encoding="utf-8"))["cells"]), Prose(known, path.parent)
    title = re.search(r"^# (.*)", "\n".join("".join(cell["source"]) for cell in cells), re.M)
    title = title[1] if title else path.stem
    inside = "\n".join(_cell(cell, renderer) for cell in cells)
    return title, PAGE.format(title=html.escape(title), cells=inside)


class Prose(Renderer):
    """Text of anybody's notebook; its pictures go into the page."""

    def __init__(self, known, folder):
        super().__init__(known)
        self.folder, self.attached = folder, {}

    def image(self, text, url, title=None):
        return f'<img src="{html.escape(url)}" alt="{html.escape(text)}">'

    def paragraph(self, text):
        return f"<p>{text}</p>\n"

    def inline_math(self, text):
        return _or_as_written(super().inline_math, text)

    def block_math(self, text):
        return _or_as_written(super().block_math, re.sub(r"(begin|end)\{(align|gather)ed\}", r"\1{\2*}", text))

    def embedded(self, image):
        start, quote, url = image.groups()
        name = unquote(html.unescape(url))
        file, kind = self.folder / name, mimetypes.guess_type(name)[0]
        if name.startswith("attachment:"):
            kind, data = next(iter(self.attached.get(name.removeprefix("attachment:"), {}).items()), (None, ""))
            url = f"data:{kind};base64,{''.join(data)}" if kind else url
        elif kind and not re.match(r"[a-z]+:", name) and file.is_file():
            url = f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"
        return f"{start}{quote}{url}{quote}"


def _or_as_written(show, tex):
    try:
        return show(tex)
    except Exception:  # the converter knows less than MathJax, and says so in many ways
        return f"<code>{html.escape(tex.strip())}</code>"


def _cell(cell, renderer):
    slideshow, source = cell["metadata"].get("slideshow", {}), "".join(cell["source"])
    about = {"type": slideshow.get("slide_type", "-")} | {
        key: slideshow[key] for key in SLIDE_MARKS if key in slideshow
    }
    inside = ""
    if cell["cell_type"] == "markdown":
        renderer.attached = cell.get("attachments", {})
        inside = _prose(source, renderer, "jp-MarkdownOutput")
    elif cell["cell_type"] == "code":
        about["source"] = source
        outputs = "".join(_output(output, renderer, is_view(cell)) for output in joined(cell["outputs"]))
        inside = f'<div class="jp-Cell-inputWrapper">{code_block(source)}</div>{outputs}'
    return f'<div class="jp-Cell" data-cell="{html.escape(json.dumps(about))}">{inside}</div>'


def _prose(text, renderer, name=""):
    rendered = SOURCE.sub(renderer.embedded, markdown(BARE.sub(r"$$\1$$", text), renderer))
    return f'<div class="jp-RenderedHTMLCommon jp-RenderedMarkdown {name}">{rendered}</div>'


def _output(output, renderer, is_live):
    """The richest form that needs no kernel, with the class names that JupyterLab gives it."""
    said = f"{output['ename']}: {output['evalue']}" if "ename" in output else output.get("text", "")
    data, about = output.get("data", {"text/plain": said}), ""
    other = next((kind for kind in OTHERS if kind in data), None)
    if "image/png" in data:
        shown = output["metadata"].get("image/png", {})
        inside = _image(
            "".join(data["image/png"]).strip(), shown.get("width", ""), shown.get("height", ""), shown.get("alt", "")
        )
        inside += _frames("".join(data.get("text/html", "")))
        about = ' data-kind="figure"' + (" data-view" if is_live else "")
    elif LIVE in data:
        inside = '<div class="jupyter-widgets">In the notebook there is a control here; it needs Python.</div>'
        about = ' data-kind="figure"'
    elif "text/markdown" in data and other != "text/html":
        inside = _prose("".join(data["text/markdown"]), renderer)
    elif other:
        inside = _other(other, "".join(data[other]), renderer)
        about = ' data-kind="figure"'
    else:
        inside = f'<div class="jp-RenderedText"><pre>{html.escape("".join(data.get("text/plain", "")))}</pre></div>'
    return f'<div class="jp-OutputArea-child"{about}>{inside}</div>'


def _other(kind, data, renderer):
    if kind == "text/latex":
        return f'<div class="jp-RenderedLatex">{_prose(data, renderer)}</div>'
    if kind == "text/html":
        return f'<div class="jp-RenderedHTMLCommon jp-RenderedHTML">{data}</div>'
    if kind == "image/svg+xml":
        data = base64.b64encode(data.encode()).decode()
    return f'<div class="jp-RenderedImage"><img alt="" src="data:{kind};base64,{data.strip()}"></div>'


def _image(png, width, height, words):
    words = html.escape(words)
    caption = f'<p class="kd-caption">{words}</p>' if words else ""
    image = f'<img width="{width}" height="{height}" alt="{words}" src="data:image/png;base64,{png}">'
    return f'<div class="jp-RenderedImage">{image}{caption}</div>'


def _frames(stored):
    """The frames of something that is stepped through in a living notebook."""
    found = FRAME.findall(stored.partition("kmlab-strip")[2])
    if not found:
        return ""
    frames = (_image(png, *size, html.unescape(words)) for words, *size, png in found)
    return f'<div class="kd-frames">{"".join(frames)}</div>'


def main(args):
    parser = argparse.ArgumentParser(
        "python3 course.py slides --static", description=__doc__.split("\n")[0], allow_abbrev=False
    )
    parser.add_argument("notebook", nargs="*", type=Path, help="all of the course if none is given")
    paths = parser.parse_args(args).notebook or COURSE
    for path in paths:
        if not path.is_file():
            sys.exit(f"{path} is no notebook: give the path of one, or nothing for all of the course.")
    write(paths)
    print(f"Open {FOLDER / 'index.html'} in a browser; the folder can be copied anywhere.")


if __name__ == "__main__":
    main(sys.argv[1:])
