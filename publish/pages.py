"""Pages made from the course itself, in docs/: the errata, every picture of the lectures, where each page went.

python -m publish.pages writes them. They are Markdown, so that a web view of the repository shows them as they are;
the static site takes them over.
"""

import ast
import json
import re
from pathlib import Path
from urllib.parse import quote

from kmlab.course import errata

from . import coverage, figures
from .alone import shown
from .beside import beside_page

ROOT = Path(__file__).resolve().parent.parent
SECOND_READING = "*For a second reading.*"
AUTHORS = {"000": "Kwak", "001": "Sugiyama", "002": "Belanche", "003": "Vasconcelos", "004": "Müller"}


def pages():
    """{file name: Markdown} of every page."""
    made = {"errata.md": errata_page(), "gallery.md": gallery_page(), "coverage.md": coverage_page()}
    return made | {"beside.md": beside_page()}


def errata_page():
    entries = list(errata.all_errata().values())
    shown = {}
    for section in coverage.sections():
        for id in re.findall(r"E-[A-Z]\d+", section.code):
            shown.setdefault(id, section)
    count = {name: sum(entry.class_ == name for entry in entries) for name in errata.CLASSES}
    text = [
        "# Errata of the lectures",
        f"Working through five lectures line by line, the course met {count['A']} statements that do not hold as "
        f"printed, {count['B']} that need a condition, and {count['C']} slips of the pen. What a page says is told "
        'in our words; the notebook beside an entry shows it at work, and `erratum("E-V14")` from '
        "`kmlab.course.errata` measures it again.",
        "- **A, does not hold as printed**: whoever follows the page gets another result than it promises. One or two "
        "numbers measure what the page and its correction say.\n"
        "- **B, needs a condition**: true in the reading that a lecturer has in mind, or under a condition that the "
        "page leaves unsaid. Conditions to keep in mind, not errors; the numbers show what happens without them.\n"
        "- **C, slip of the pen**: a letter, an index, a factor, a name; the results of the page stand.",
        "A page is cited as lecture/page: 003/s18 is the 18th page of lecture 003 in the copy that we read, 001/p112 "
        "the page of lecture 001 with 112 printed on it. Lectures 000 and 001 were read from scans, 001 without two of "
        "its pages between p121 and p125; where a sign cannot be told from a flaw of the scan, there is no entry.",
    ]
    for name, means in errata.CLASSES.items():
        text.append(f"## {name}: {means}")
        for lecture, author in AUTHORS.items():
            here = [entry for entry in entries if (entry.class_, entry.lecture) == (name, lecture)]
            columns = ["where", "what the page says", "what holds", *(["measured"] if name != "C" else [])]
            if here:
                rows = [columns, ["---"] * len(columns), *(_erratum_row(entry, shown.get(entry.id)) for entry in here)]
                text += [
                    f"### {author}, lecture {lecture} ({name})",
                    "\n".join("| " + " | ".join(row) + " |" for row in rows),
                ]
    return _join(text)


def _erratum_row(entry, section):
    where = [f'<a id="{entry.id.lower()}"></a>**{entry.id}**', entry.pages]
    if section:
        where.append(f"[notebook {section.notebook[:2]}]({_link(section)})")
    row = ["<br>".join(where), entry.says, entry.holds]
    return [*row, entry.measured("**")] if entry.measure else row


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
            if name.startswith((topic, "lectures")) and draw in make.__code__.co_names:
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
        "every page has all three and whether each name is there. Titles and outlines are left "
        "out, but for the method that the title of lecture 004 names.",
    ]
    rows = list(coverage.table())
    for lecture, author in AUTHORS.items():
        text += [
            f"## Lecture {lecture} ({author})",
            f"Page by page, in the order of the lecture: [its guide](../notebooks/lectures/lecture_{lecture}.ipynb).",
            "\n".join(
                [
                    "| page | notebook section | kmlab | tests |",
                    "|---|---|---|---|",
                    *(_coverage_row(*row[1:]) for row in rows if row[0] == lecture),
                ]
            ),
        ]
    return _join(text)


def _coverage_row(page, sections, parts, tests):
    where = [f"[{s.notebook[:2]} {s.title}]({_link(s)})" for s in sections]
    what = [f"[{module}](../kmlab/{module}.py).{name}" for module, name in (part.split(".", 1) for part in parts)]
    named = [f"[{file}](../tests/{file}): {test.removeprefix('test_').replace('_', ' ')}" for file, test in tests]
    return f"| {page} | {'<br>'.join(where)} | {'<br>'.join(what)} | {'<br>'.join(named)} |"


def minutes(path):
    """(all of a notebook, without what is marked for a second reading), at a student's pace, in steps of five.

    150 words a minute, 15 lines of code; half a minute a displayed equation, one and a half a live view, one a question
    under it, four an exercise. A heading followed by SECOND_READING marks its section.
    """
    return minutes_of(json.loads(path.read_text(encoding="utf-8"))["cells"])


def minutes_of(cells):
    total = first = 0.0
    level, marked = 0, 7  # of the heading above, and of the marked one that it stands under
    for number, cell in enumerate(shown(cells)):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and (heading := re.match(r"(#+) ", text)):
            level = len(heading[1])
            marked = level if SECOND_READING in text else marked if level > marked else 7
        spent = _minutes_of(cell, text, title=number == 0)
        total += spent
        first += spent if level < marked else 0
    return 5 * round(total / 5), 5 * round(first / 5)


def _minutes_of(cell, text, title):
    if cell["cell_type"] == "code":
        shown = "".join("".join(output.get("data", {}).get("text/markdown", "")) for output in cell["outputs"])
        prose, lines = re.sub(r"```.+?```", "", shown, flags=re.S), text.count("\n") + 1
        lines += sum(listing.count("\n") for listing in re.findall(r"```.+?```", shown, re.S))
        views, exercises = (
            len(re.findall(rf"\b(?:{names})\(", text)) for names in ("explore|step_through|Playground", "check")
        )
        return _words(prose) / 150 + lines / 15 + 1.5 * views + 4 * exercises
    asked = re.sub(r"<details>.+?</details>", "", text, flags=re.S)
    questions = 0 if title else len(re.findall(r"^\d\. ", asked, re.M))
    return _words(re.sub(r"\$\$[^$]+\$\$|\$[^$\n]+\$", "x", text)) / 150 + text.count("$$") / 4 + questions


def _words(text):
    return len(re.findall(r"\w+", text))


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
