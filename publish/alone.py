"""What a notebook needs when it stands alone, in Colab or in somebody's mail: python -m publish.alone.

Writes, in place, a first cell into every notebook that says how to get kmlab where it is missing, and a row of badges
into the README. Both come from [tool.kmlab] in pyproject.toml, since where the course is put is its owner's choice.
"""

import html
import json
import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
HIDDEN = "remove-cell"  # the tag by which Jupyter Book and Quarto leave a cell out, too
FIRST = "get-kmlab"  # its id
SLIDE_MARKS = "headline", "whole"  # what an author may say of a cell's slide in its metadata, see plan.js
# Colab shows the title and folds the rest; an exception stops Run All before a ModuleNotFoundError can follow
SOURCE = """# @title Where the package kmlab is missing, this cell says how to get it
import importlib.util

if importlib.util.find_spec("kmlab") is None:
    raise type("KmlabIsMissing", (ImportError,), {{"_render_traceback_": lambda error: [str(error)]}})(
        "This notebook needs the package kmlab, which is not here: run "
        {line!r}
        " in a new cell, then this one again."
    )"""
BADGES = {"lite": "Run it in the browser", "colab": "Open it in Colab", "pages": "Read it on the web"}


def settings(project=ROOT / "pyproject.toml"):
    """Where the course is put: install, pages, lite, colab; an address ends in a slash, or is empty."""
    found = tomllib.loads(project.read_text(encoding="utf-8"))["tool"]["kmlab"]
    addresses = {name: found[name] and found[name].rstrip("/") + "/" for name in BADGES}
    return {"install": found["install"], **addresses}


# ---- the first cell


def first_cell(install):
    """Out of sight wherever it can be: folded in JupyterLab, a form in Colab, no slide, not on the site."""
    about = {"cellView": "form", "jupyter": {"source_hidden": True}, "slideshow": {"slide_type": "skip"}}
    source = SOURCE.format(line=f'%pip install "{install}"').splitlines(keepends=True)
    cell = {"cell_type": "code", "execution_count": None, "id": FIRST, "metadata": about | {"tags": [HIDDEN]}}
    return cell | {"outputs": [], "source": source}


def shown(cells):
    """The cells that are meant for a reader."""
    return [cell for cell in cells if HIDDEN not in cell.get("metadata", {}).get("tags", [])]


def with_first_cell(notebook, install):
    """The notebook with one such cell, before all other code."""
    cells = [cell for cell in notebook["cells"] if cell.get("id") != FIRST]
    code = [i for i, cell in enumerate(cells) if cell["cell_type"] == "code"]
    if code:
        cells.insert(code[0], first_cell(install))
    return notebook | {"cells": cells}


def number(cells):
    """Count the cells that have been run, as if those that nobody sees had not."""
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    for cell in code:
        cell["execution_count"] = None
    for place, cell in enumerate(shown(code), 1):
        for numbered in (cell, *(output for output in cell["outputs"] if "execution_count" in output)):
            numbered["execution_count"] = place


def notebooks():
    """All that are handed out, and the homework's sources, which the students' version is made of."""
    found = [path for folder in ("notebooks", "classroom/assignments") for path in (ROOT / folder).rglob("*.ipynb")]
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def written(path, install):
    """The file's text with its first cell."""
    made = with_first_cell(json.loads(path.read_text(encoding="utf-8")), install)
    return json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


# ---- badges


def addresses(chosen, notebook=None):
    """{badge: address}: of the course, or of a notebook of it; only what has been chosen."""
    course = ROOT / "notebooks"
    path = quote(notebook.relative_to(course).as_posix()) if notebook and course in notebook.parents else ""
    found = {
        "lite": chosen["lite"] + (f"lab/index.html?path={path}" if path else ""),
        "colab": chosen["colab"] + (path or "00_start_here.ipynb"),
        "pages": chosen["pages"],
    }
    return {name: address for name, address in found.items() if chosen[name]}


def badge_row(chosen, notebook=None):
    """For a page of the site, which needs none that leads to the site; plain links, since it loads nothing."""
    links = [
        f'<a href="{html.escape(address)}">{BADGES[name]}</a>'
        for name, address in addresses(chosen, notebook).items()
        if name != "pages"
    ]
    return f'<p class="badges">{"".join(links)}</p>' if links else ""


def readme_with_badges(text, chosen):
    """The README with its row below the title; an address within a site leads nowhere from there."""
    found = {name: to for name, to in addresses(chosen).items() if to.startswith("http")}
    row = " ".join(f"[![{BADGES[name]}](docs/badges/{name}.svg)]({to})" for name, to in found.items())
    text = re.sub(r"^\[!\[.*\]\(docs/badges/.*\n\n", "", text, flags=re.M)
    return re.sub(r"^(# .+\n\n)", lambda title: title[1] + (row + "\n\n" if row else ""), text, count=1)


def badge(text):
    """As a picture of the house: nothing is fetched from elsewhere."""
    width = 7 * len(text) + 24
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="24" role="img" aria-label="{text}">'
        f'<rect width="{width}" height="24" rx="4" fill="#00588a"/><text x="{width / 2}" y="16.5" fill="#fff" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" text-anchor="middle" '
        f'textLength="{width - 24}">{text}</text></svg>\n'
    )


def main():
    chosen = settings()
    paths = notebooks()
    changed = 0
    for path in paths:
        text = written(path, chosen["install"])
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            changed += 1
    readme = ROOT / "README.md"
    readme.write_text(readme_with_badges(readme.read_text(encoding="utf-8"), chosen), encoding="utf-8")
    for name in addresses(chosen):
        (ROOT / "docs/badges").mkdir(exist_ok=True)
        (ROOT / f"docs/badges/{name}.svg").write_text(badge(BADGES[name]), encoding="utf-8")
    badges = ", ".join(addresses(chosen)) or "no address is set"
    print(f"{changed} of {len(paths)} notebooks changed; badges: {badges}.")


if __name__ == "__main__":
    sys.exit(main())
