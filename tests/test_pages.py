"""The generated pages are current and complete: every slip, every picture, every page of the lectures."""

import importlib
import json
import operator
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from kmlab.errata import all_errata
from kmlab.show import coverage
from kmlab.show.figures import LECTURE_FIGURES
from kmlab.show.pages import pages

ROOT = Path(__file__).parent.parent
PAGES = pages()
USERS = coverage.users()


@pytest.mark.parametrize("name", PAGES)
def test_the_stored_page_is_the_one_that_is_made(name):
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name], "run python3 course.py site"


@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_lead_somewhere(name):
    anchors = {(s.notebook, s.anchor) for s in coverage.sections()}
    own = set(re.findall(r'<a id="([^"]+)">', PAGES[name]))
    for target in re.findall(r"\]\(([^ )]+(?:\([^)]*\)[^ )]*)*)\)", PAGES[name]):
        path, _, anchor = target.partition("#")
        assert (ROOT / "docs" / path).exists(), target
        assert not anchor or (Path(path).stem, unquote(anchor)) in anchors or anchor in own, target


def test_every_slip_is_listed_with_its_two_numbers():
    rows = {row.split("**")[1]: row for row in PAGES["errata.md"].splitlines() if row.startswith('| <a id="')}
    assert list(rows) == list(all_errata())
    for id, entry in all_errata().items():
        assert entry.printed in rows[id] and entry.corrected in rows[id] and rows[id].count(" | ") == 3
        assert all(f"**{value}**" in rows[id] for value in entry.values() if value)


def test_every_picture_of_the_lectures_is_shown_under_its_page():
    shown = re.findall(r"^### (\S+) · (.+)$", PAGES["gallery.md"], re.M)
    assert shown == [(page, title) for page, (title, _) in LECTURE_FIGURES.items()]
    pictures = re.findall(r"\]\(\.\./figures/(\w+)\.svg\)", PAGES["gallery.md"])
    assert pictures == [name for _, names in LECTURE_FIGURES.values() for name in names]


def test_a_picture_leads_to_the_section_that_draws_it():
    found = re.findall(r"^(Live|Drawn|More) in \[notebook (\d\d), (.+)\]\(", PAGES["gallery.md"], re.M)
    assert len(found) == len(LECTURE_FIGURES)
    code = {(s.notebook[:2], s.title): s.code for s in coverage.sections()}
    for word, *place in found:
        assert {"Live": "explore(" in code[*place] or "step_through(" in code[*place],
                "Drawn": "picture(" in code[*place], "More": True}[word], place
    assert "Live in [notebook 01, Play: two points, three numbers]" in PAGES["gallery.md"]     # 001/p112


def test_every_page_of_the_lectures_has_a_section_a_function_and_a_test():
    rows = list(coverage.table())
    assert len(rows) == 36 + 18 + 27 + 36 + 26
    assert set(coverage.tested()) == {row[:2] for row in rows}
    for lecture, page, sections, parts, tests in rows:
        assert sections, f"no notebook cites {lecture}/{page}"
        assert parts and tests, f"coverage.TESTED says nothing of {lecture}/{page}"


@pytest.mark.parametrize("page", coverage.tested(), ids="/".join)
def test_what_is_said_of_a_page_is_there_and_its_tests_use_its_functions(page):
    parts, tests = coverage.tested()[page]
    for part in parts:
        module, name = part.split(".", 1)
        assert callable(operator.attrgetter(name)(importlib.import_module(f"kmlab.{module}")))
    for test in tests:
        assert test in USERS, f"there is no {test[1]} in {test[0]}"
        assert USERS[test] & {tuple(part.split(".")[:2]) for part in parts}, f"{test[1]} uses none of {parts}"


def listed(text):
    """Pages of a list; the one on RKHS has no number and may stand anywhere in it."""
    return coverage.cited(re.sub(r"(,| and)( the page on)? RKHS", "", text)) | ({"RKHS"} if "RKHS" in text else set())


def test_the_readme_says_what_the_notebooks_and_the_pages_say():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| \[\d\d .+?\]\((notebooks/\d\d\w+\.ipynb)\)", readme, re.M)
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert [path for _, path in rows] == [f"notebooks/{path.name}" for path in notebooks]
    for cited, path in rows[1:]:
        title = "".join(json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"][0]["source"])
        assert listed(cited) == listed(title), path
    for target in re.findall(r"\]\(([^)#]+)\)", readme):
        assert target.startswith("https:") or (ROOT / target).exists(), target
    assert f"the {len(LECTURE_FIGURES)} pictures of the lectures" in readme
    assert f"{len(all_errata())} slips of the lectures" in readme
    assert f"{len(coverage.tested())} pages of the lectures" in readme


@pytest.mark.parametrize("text, found", [
    ("see 000/s3-4, s9 and 002/s28", {("000", "s3"), ("000", "s4"), ("000", "s9"), ("002", "s28")}),
    ("Pages 001/p117, p128, 003/s31.", {("001", "p117"), ("001", "p128"), ("003", "s31")}),
    ("000/s14 and s16", {("000", "s14"), ("000", "s16")}),
    ("the page on RKHS of 001", {("001", "RKHS")}),
    ("no 3/s4, no 001/4", set()),
])
def test_citations_are_read(text, found):
    assert coverage.cited(text) == found


def test_a_section_that_loses_its_citation_is_noticed(monkeypatch):
    found = [s._replace(text=s.text.replace("003/s11", "")) for s in coverage.sections()]
    monkeypatch.setattr(coverage, "sections", lambda: found)
    row = next(row for row in coverage.table() if row[:2] == ("003", "s11"))
    assert not row[2]


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb"))[1:], ids=lambda path: path.stem)
def test_the_minutes_of_a_notebook_are_honest(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    shown = " ".join("".join(output.get("data", {}).get("text/markdown", ""))
                     for cell in cells for output in cell.get("outputs", []))
    reading = len(re.findall(r"\w+", re.sub(r"\$\$[^$]+\$\$|\$[^$\n]+\$", "x", prose) + shown)) / 200
    thinking = prose.count("$$") / 4 + code.count("\n") / 10        # half a minute an equation, ten lines a minute
    playing = 3 * len(re.findall(r"\b(?:explore|step_through)\(", code)) + 4 * len(re.findall(r"\bcheck\(", code))
    said = int(re.search(r"(\d+) minutes", prose)[1])
    assert said == pytest.approx(reading + thinking + playing, rel=0.3)
