"""The generated pages are current and complete: the errata, every picture, every page of the lectures."""

import importlib
import json
import operator
import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from kmlab.course.errata import CLASSES, all_errata
from publish import beside, coverage
from publish.figures import LECTURE_FIGURES
from publish.pages import SECOND_READING, minutes, pages

ROOT = Path(__file__).parent.parent
NAMES = ["errata.md", "gallery.md", "coverage.md", "beside.md"]
made = cache(pages)  # not here: every worker would make them only to list its tests
users = cache(coverage.users)


def test_these_pages_are_made_and_no_others():
    assert list(made()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_stored_page_is_the_one_that_is_made(name):
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == made()[name], "run python3 course.py site"


@pytest.mark.parametrize("name", NAMES)
def test_links_of_a_page_lead_somewhere(name):
    anchors = {(s.notebook, s.anchor) for s in coverage.sections()}
    own = set(re.findall(r'<a id="([^"]+)">', made()[name]))
    for target in re.findall(r"\]\(([^ )]+(?:\([^)]*\)[^ )]*)*)\)", made()[name]):
        path, _, anchor = target.partition("#")
        assert (ROOT / "docs" / path).exists(), target
        assert not anchor or (Path(path).stem, unquote(anchor)) in anchors or anchor in own, target


@pytest.mark.parametrize("listing", beside.LISTINGS, ids=lambda listing: listing.title)
def test_slide_and_source_stand_side_by_side_on_one_screen(listing):
    code = beside.code_of(listing)
    lines = [line for line in code.splitlines() if line.strip() and not line.startswith("#")]
    assert len(lines) <= beside.SCREEN and '"""' not in code
    for _, tag, *_ in listing.formulas:
        assert beside.lines_of(code, tag), f"no line of {listing.title} ends in ({tag})"
        assert f"({tag}) | `{beside.lines_of(code, tag)[0]}`" in made()["beside.md"]


def test_beside_has_the_eleven_core_listings_and_only_displayed_formulas():
    assert len(beside.LISTINGS) == 11
    shown = beside.displayed_formulas()
    for listing in beside.LISTINGS:
        for page, tag, *own in listing.formulas:
            assert re.match(r"(beyond )?00\d/[sp]\d", page) and (bool(own) != (tag in shown)), (tag, own)


def test_every_entry_is_listed_in_the_part_of_its_class_with_its_numbers():
    parts = re.split(r"^## (\w): .+$", made()["errata.md"], flags=re.M)
    assert parts[1::2] == list(CLASSES)
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        rows = {row.split("**")[1]: row for row in part.splitlines() if row.startswith('| <a id="')}
        assert list(rows) == [id for id, entry in all_errata().items() if entry.class_ == name]
        for id, row in rows.items():
            entry = all_errata()[id]
            assert f"| {entry.says} | {entry.holds} |" in row and row.count(" | ") == (2 if name == "C" else 3)
            assert all(f"**{value}**" in row for value in entry.values())


def test_every_entry_leads_to_the_notebook_that_shows_it():
    assert len(re.findall(r"^\| <a id=.+\[notebook \d\d\]", made()["errata.md"], re.M)) == len(all_errata())


def test_the_errata_say_what_their_classes_mean_and_how_the_lectures_were_read():
    opening = made()["errata.md"].partition("## A")[0]
    count = Counter(entry.class_ for entry in all_errata().values())
    assert f"{count['A']} statements that do not hold" in opening and f"{count['B']} that need a condition" in opening
    assert f"{count['C']} slips of the pen" in opening and "Lectures 000 and 001 were read from scans" in opening
    assert all(f"**{name}, {means}**" in opening for name, means in CLASSES.items())


def test_every_picture_of_the_lectures_is_shown_under_its_page():
    shown = re.findall(r"^### (\S+) · (.+)$", made()["gallery.md"], re.M)
    assert shown == [(page, title) for page, (title, _) in LECTURE_FIGURES.items()]
    pictures = re.findall(r"\]\(\.\./figures/(\w+)\.svg\)", made()["gallery.md"])
    assert pictures == [name for _, names in LECTURE_FIGURES.values() for name in names]


def test_a_picture_leads_to_the_section_that_draws_it():
    found = re.findall(r"^(Live|Drawn|More) in \[notebook (\d\d), (.+)\]\(", made()["gallery.md"], re.M)
    assert len(found) == len(LECTURE_FIGURES)
    code = {(s.notebook[:2], s.title): s.code for s in coverage.sections()}
    for word, *place in found:
        assert {
            "Live": "explore(" in code[*place] or "step_through(" in code[*place],
            "Drawn": "picture(" in code[*place],
            "More": True,
        }[word], place
    assert "Live in [notebook 01, Play: two points, three numbers]" in made()["gallery.md"]  # 001/p112


def test_every_page_of_the_lectures_has_a_section_a_function_and_a_test():
    rows = list(coverage.table())
    assert len(rows) == 36 + 18 + 27 + 36 + 26
    assert set(coverage.tested()) == {row[:2] for row in rows}
    for lecture, page, sections, parts, tests in rows:
        assert sections, f"no notebook cites {lecture}/{page}"
        assert parts and tests, f"coverage.TESTED says nothing of {lecture}/{page}"


@pytest.mark.parametrize("page", sorted(coverage.tested()), ids="/".join)
def test_what_is_said_of_a_page_is_there_and_its_tests_use_its_functions(page):
    parts, tests = coverage.tested()[page]
    for part in parts:
        module, name = part.split(".", 1)
        assert callable(operator.attrgetter(name)(importlib.import_module(f"kmlab.{module}")))
    for test in tests:
        assert test in users(), f"there is no {test[1]} in {test[0]}"
        assert users()[test] & {tuple(part.split(".")[:2]) for part in parts}, f"{test[1]} uses none of {parts}"


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
    count = Counter(entry.class_ for entry in all_errata().values())
    said = (
        f"{count['A']} statements that do not hold as printed, {count['B']} that need a condition, "
        f"{count['C']} slips of the pen"
    )
    assert said in " ".join(readme.split())
    assert f"{len(coverage.tested())} pages of the lectures" in readme


@pytest.mark.parametrize(
    "text, found",
    [
        ("see 000/s3-4, s9 and 002/s28", {("000", "s3"), ("000", "s4"), ("000", "s9"), ("002", "s28")}),
        ("Pages 001/p117, p128, 003/s31.", {("001", "p117"), ("001", "p128"), ("003", "s31")}),
        ("000/s14 and s16", {("000", "s14"), ("000", "s16")}),
        ("the page on RKHS of 001", {("001", "RKHS")}),
        ("no 3/s4, no 001/4", set()),
    ],
)
def test_citations_are_read(text, found):
    assert coverage.cited(text) == found


def test_a_section_that_loses_its_citation_is_noticed(monkeypatch):
    found = [s._replace(text=s.text.replace("001/p116", "")) for s in coverage.sections()]
    monkeypatch.setattr(coverage, "sections", lambda: found)
    row = next(row for row in coverage.table() if row[:2] == ("001", "p116"))
    assert not row[2]


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb"))[1:], ids=lambda path: path.stem)
def test_the_minutes_of_a_notebook_are_measured(path):
    whole, first = minutes(path)
    title = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    said = re.search(r"\| (\d+) minutes(?:, (\d+) without what is marked for a second reading)? \|", title)
    assert (int(said[1]), int(said[2] or said[1])) == (whole, first) and first <= 90
    start = (ROOT / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
    assert re.search(rf"\({path.name}\).+ {whole} \|", start), "the map in notebook 00"


def test_minutes_count_words_questions_views_and_exercises(tmp_path):
    def measured(*sources):
        kinds = ["code" if "(" in text else "markdown" for text in sources]
        cells = [{"cell_type": k, "source": [s], "outputs": []} for k, s in zip(kinds, sources, strict=True)]
        (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells}))
        return minutes(tmp_path / "n.ipynb")

    words = "## A\n" + "word " * 1499  # with the A, ten minutes
    assert measured("# T", words) == (10, 10)
    assert measured("# T", words, "\n".join(f"{i}. why" for i in range(1, 6))) == (15, 15)
    assert measured("# T", words, *['check("1.1", ...)'] * 2, "explore(f)") == (20, 20)  # 10 + 8 + 1.5
    assert measured("# T", words, f"## B\n\n{SECOND_READING}\n" + words, "### C\n" + words, "## D") == (30, 10)
