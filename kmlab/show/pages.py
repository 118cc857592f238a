"""Pages made from the course itself, in docs/: every slip, every picture of the lectures, where each page went.

python -m kmlab.show.pages writes them. They are Markdown, so that a web view of the repository shows them as they are;
the static site takes them over.
"""

import ast
import re
from pathlib import Path
from urllib.parse import quote

from .. import errata
from . import coverage, figures

ROOT = Path(__file__).parents[2]
AUTHORS = {"000": "Kwak", "001": "Sugiyama", "002": "Belanche", "003": "Vasconcelos", "004": "Müller"}
STARS = {3: "changes results", 2: "can change results", 1: "cosmetic"}


def pages():
    """{file name: Markdown} of every page."""
    return {"errata.md": errata_page(), "gallery.md": gallery_page(), "coverage.md": coverage_page()}


def errata_page():
    entries = list(errata.all_errata().values())
    shown = {}
    for section in coverage.sections():
        for id in re.findall(r"E-[A-Z]\d+", section.code):
            shown.setdefault(id, section)
    most = [entry.id for entry in entries if entry.stars == 3]
    text = [
        "# Errata of the lectures",
        f"{len(entries)} statements of the five lectures that are wrong, incomplete, misleading or mistyped, in our "
        "words. For each: what is printed, what holds, and one quantity measured for both, so that nobody has to take "
        "our word. `erratum(\"E-V14\")` from `kmlab.errata` shows one of them and measures it again.",
        "; ".join(f"{'★' * stars} {means}" for stars, means in STARS.items()) + ". If you have five minutes, read "
        "those with three stars: " + ", ".join(f"[{id}](#{id.lower()})" for id in most) + ".",
    ]
    for lecture, author in AUTHORS.items():
        here = [entry for entry in entries if entry.lecture == lecture]
        text += [f"## Lecture {lecture} ({author}): {len(here)}",
                 "\n".join(["| where | as printed | what holds | measured |", "|---|---|---|---|",
                            *(_erratum_row(entry, shown.get(entry.id)) for entry in here)])]
    return _join(text)


def _erratum_row(entry, section):
    name = f'<a id="{entry.id.lower()}"></a>**{entry.id}** {"★" * entry.stars}'
    where = [name, entry.pages, errata.KINDS[entry.kind]]
    if section:
        where.append(f"[notebook {section.notebook[:2]}]({_link(section)})")
    measured = "checked by eye"
    if entry.measure:
        printed, corrected = entry.values()
        colon = "" if entry.quantity.endswith("?") else ":"
        measured = f"{entry.quantity}{colon} **{printed}** as printed, **{corrected}** as it holds"
    return f"| {'<br>'.join(where)} | {entry.printed} | {entry.corrected} | {measured} |"


def gallery_page():
    text = [
        "# Gallery: the pictures of the lectures",
        f"The five lectures have {len(figures.LECTURE_FIGURES)} pictures. Each is drawn anew from kmlab, with data "
        "that you can change; where the transcript has lost a picture, its content is inferred from the page. "
        "`python3 course.py figures` writes all of them, and a hundred more.",
    ]
    drawn, treated = _drawn_sections(), {(row[0], row[1]): row[2] for row in coverage.table()}
    for lecture, author in AUTHORS.items():
        text.append(f"## Lecture {lecture} ({author})")
        for page, (title, names) in figures.LECTURE_FIGURES.items():
            if page.startswith(lecture):
                text.append(f"### {page} · {title}")
                for i, name in enumerate(names, 1):
                    alt = title if len(names) == 1 else f"{title} ({i} of {len(names)})"
                    text += [f"![{alt}](../figures/{name}.svg)", figures.caption(name, ROOT / "figures")]
                word, section = drawn.get(names[-1]) or ("More", treated[min(coverage.cited(page))][0])
                text.append(f"{word} in [notebook {section.notebook[:2]}, {section.title}]({_link(section)}).")
    return _join(text)


def _drawn_sections():
    """{figure: (word, section)}: the notebook section that draws it, Live with sliders or Drawn as it is."""
    drawn = {}
    for section in coverage.sections():
        for word, draw in _pictures(section.code):
            key = section.notebook[3:], draw
            if key not in drawn or (word == "Live" and drawn[key][0] != "Live"):
                drawn[key] = word, section
    found = {}
    for name, make in figures.all_figures():
        for (topic, draw), place in drawn.items():
            if name.startswith(topic) and draw in make.__code__.co_names:
                found[name] = place
    return found


def _pictures(code):
    """(Live or Drawn, drawing function) for every picture that a piece of a notebook makes."""
    for call in (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)):
        made = {"explore": ("Live", 0), "step_through": ("Live", 1), "picture": ("Drawn", 0)}
        if isinstance(call.func, ast.Name) and call.func.id in made:
            word, place = made[call.func.id]
            if isinstance(call.args[place], ast.Attribute):
                yield word, call.args[place].attr


def coverage_page():
    text = [
        "# Where each page went",
        "From a page of a lecture to the notebook section that treats it, the part of kmlab that computes it, and the "
        "tests that would fail if it were wrong. Sections are found by the pages that they cite; a test looks whether "
        "every page has all three and whether each name is there. Titles, outlines and the course calendar are left "
        "out, but for the method that the title of lecture 004 names.",
    ]
    rows = list(coverage.table())
    for lecture, author in AUTHORS.items():
        text += [f"## Lecture {lecture} ({author})",
                 "\n".join(["| page | notebook section | kmlab | tests |", "|---|---|---|---|",
                            *(_coverage_row(*row[1:]) for row in rows if row[0] == lecture)])]
    return _join(text)


def _coverage_row(page, sections, parts, tests):
    where = [f"[{s.notebook[:2]} {s.title}]({_link(s)})" for s in sections]
    what = [f"[{module}](../kmlab/{module}.py).{name}" for module, name in (part.split(".", 1) for part in parts)]
    named = [f"[{file}](../tests/{file}): {test.removeprefix('test_').replace('_', ' ')}" for file, test in tests]
    return f"| {page} | {'<br>'.join(where)} | {'<br>'.join(what)} | {'<br>'.join(named)} |"


def _link(section):
    return f"../notebooks/{section.notebook}.ipynb#{quote(section.anchor)}"


def _join(parts):
    return "\n\n".join(parts) + "\n"


def write(folder=ROOT / "docs"):
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
