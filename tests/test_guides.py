"""The lecture guides: every page in its order, cells as they are in the notebooks, each with what it has there.

A guide's live views are cells of the notebooks, byte for byte, and swept there; here it is made sure that they are the
same, that a guide runs by itself from top to bottom, prints what is stored, and hands its views what they get at home.
"""

import contextlib
import io
import json
import re
import types
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
import test_notebooks as anatomy

import kmlab.show
import kmlab.show.notebook
from kmlab.course.errata import all_errata
from publish import coverage, guides
from publish.pages import minutes

ROOT = Path(__file__).parent.parent
GUIDES = sorted((ROOT / "notebooks/lectures").glob("*.ipynb"))
FOUND_AT_HOME = re.compile(r"\d\d-\w+")  # ids of cells that come from a notebook
LECTURES = list(coverage.PAGES)
make = cache(guides.make)


@pytest.fixture(params=LECTURES)
def lecture(request):
    return request.param


def cells(lecture, kind=None):
    return [cell for cell in make(lecture)["cells"] if kind in (None, cell["cell_type"])]


def text(cell):
    return "".join(cell["source"])


def parts(lecture):
    """(pages, cells) of every entry of a guide, exercises left out."""
    found = []
    for cell in cells(lecture):
        if cell["id"] == "exercises":
            break
        if cell["id"].startswith("page-"):
            name = re.match(r"(?:## |\*\*)(?:page on )?(.+?)(?: · |\*\*)", text(cell))[1]
            found.append((guides.page_list(name), []))
        if found:
            found[-1][1].append(cell)
    return found


def test_the_stored_guide_is_the_one_that_is_made(lecture):
    stored = (ROOT / f"notebooks/lectures/lecture_{lecture}.ipynb").read_text(encoding="utf-8")
    assert stored == guides.text_of(make(lecture)), "run .venv/bin/python -m publish.guides"


def test_a_heading_that_becomes_first_words_leaves_a_table_and_a_list_whole():
    for text in ("| a | b |\n|---|---|\n| 1 | 2 |", "- one\n- two", "1. one", "$$x$$"):
        assert guides.prose({"source": [f"### Which? (004/s2)\n\n{text}"]}) == f"**Which?**\n\n{text}"
    assert guides.prose({"source": ["### Which one\n\nThis *one*."]}) == "**Which one.** This *one*."


def test_there_is_a_guide_for_every_lecture_and_no_other():
    assert [path.stem for path in GUIDES] == [f"lecture_{lecture}" for lecture in LECTURES]


def test_every_page_is_told_once_in_the_order_of_the_lecture(lecture):
    assert [page for pages, _ in parts(lecture) for page in pages] == coverage.PAGES[lecture]


def test_titles_are_one_line_and_every_other_page_has_a_heading(lecture):
    for pages, (first, *_) in parts(lecture):
        is_title = set(pages) <= {*coverage.TITLES[lecture], *(["s1"] if lecture == "004" else [])}
        assert text(first).startswith("**" if is_title else "## "), pages
        assert not is_title or text(first).count("\n") == 0


@pytest.mark.parametrize(
    "change, complaint",
    [
        (lambda table: re.sub(r"## s11 .+?(?=## )", "", table, flags=re.S), "lecture 000: nothing is said of s11"),
        (lambda table: re.sub(r"(## s10 .+?)(## s11 .+?)(?=## )", r"\2\1", table, flags=re.S), "pages out of order"),
        (lambda table: table.replace("07-14b\n", "07-14z\n"), "there is no cell 07-14z"),
        (lambda table: table.replace("exercises 7.3", "exercises 7.9"), "there is no exercise 7.9"),
        (lambda table: table.replace("E-K21", "E-K99"), "E-K99"),
    ],
)
def test_a_page_that_is_missing_or_out_of_order_and_a_cell_that_is_gone_are_refused(
    change, complaint, tmp_path, monkeypatch
):
    table = (guides.TABLES / "lecture_000.md").read_text(encoding="utf-8")
    assert change(table) != table
    (tmp_path / "lecture_000.md").write_text(change(table), encoding="utf-8")
    monkeypatch.setattr(guides, "TABLES", tmp_path)
    with pytest.raises((ValueError, KeyError), match=complaint):
        guides.make("000")


def test_cells_are_those_of_the_notebooks(lecture):
    for cell in cells(lecture):
        if FOUND_AT_HOME.fullmatch(cell["id"]):
            home = guides.home(cell["id"]).cells[cell["id"]]
            lines = [line for line in home["source"] if not guides.shows_errata(line)]
            if cell["cell_type"] == "code":
                assert text(cell) == "".join(lines).strip("\n"), cell["id"]
            else:
                words = re.sub(r"\W+", " ", re.sub(r"^(#|\*For a second).*", "", "".join(lines), flags=re.M))
                assert words.strip() in re.sub(r"\W+", " ", text(cell)), cell["id"]


def test_a_page_leads_to_a_section_that_cites_it_and_shows_cells_of_its_notebooks(lecture):
    cited = {page: sections for of, page, sections, *_ in coverage.table() if of == lecture}
    for pages, (head, *shown) in parts(lecture):
        ways = {tuple(way) for way in re.findall(r"\[notebook (\d\d), (.+?)\]\(\.\./", text(head))}
        for page in pages:
            there = {(section.notebook[:2], section.title) for section in cited.get(page, ())}
            assert not there or ways & there, page
        allowed = {section.notebook[:2] for page in pages for section in cited.get(page, ())}
        used = {cell["id"][:2] for cell in shown if FOUND_AT_HOME.fullmatch(cell["id"])}
        assert used <= allowed, (pages, used - allowed)


def test_links_lead_to_a_notebook_and_to_a_cell_of_it(lecture):
    for cell in cells(lecture, "markdown"):
        for path, place in re.findall(r"\]\(([^)#]+)(?:#([^)]+))?\)", text(cell)):
            target = ROOT / "notebooks/lectures" / path
            assert target.exists(), path
            if place:
                id = unquote(place).removeprefix("cell-id=")
                assert id in guides.home(id).cells and guides.home(id).name == target.stem


def test_every_entry_of_the_errata_stands_at_one_of_its_pages(lecture):
    shown = {
        id: pages
        for pages, group in parts(lecture)
        for cell in group[1:]
        for id in re.findall(r'erratum\("(E-\w+)"\)', text(cell))
    }
    entries = {entry.id: entry for entry in all_errata().values() if entry.lecture == lecture}
    assert shown.keys() == entries.keys()
    for id, pages in shown.items():
        assert {page for _, page in coverage.cited(f"{lecture}/{entries[id].pages}")} & set(pages), id


def test_every_formula_that_is_spoken_of_is_shown(lecture):
    shown = set()
    for cell in cells(lecture, "markdown"):
        shown |= set(guides.FORMULA.findall(text(cell)))
        spoken = set(guides.TAG.findall(text(cell))) & guides.formulas().keys()
        if not cell["id"].startswith("page-"):
            assert spoken <= shown, (cell["id"], spoken - shown)


def test_exercises_stand_at_the_end_by_page(lecture):
    order = [page for page in coverage.PAGES[lecture]]
    ids = [cell["id"] for cell in cells(lecture)]
    last = ids[ids.index("exercises") + 1 :]
    asked = [id.removeprefix("exercises-") for id in last if id.startswith("exercises-")]
    assert asked == sorted(asked, key=order.index) and len(asked) >= 5
    assert all(re.match(r"exercises?-|check-", id) for id in last)


def test_the_minutes_are_measured(lecture):
    said = re.search(r"\| (\d+) minutes, (\d+) without the exercises \|", text(cells(lecture)[0]))
    assert int(said[1]) == minutes(ROOT / f"notebooks/lectures/lecture_{lecture}.ipynb")[0] > int(said[2])


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "holds",
    [
        anatomy.test_every_cell_has_a_slide_type,
        anatomy.test_stored_outputs_are_complete_and_clean,
        anatomy.test_a_live_view_leaves_a_picture,
        anatomy.test_no_text_names_a_shade_that_a_dark_page_turns_round,
        anatomy.test_headings_go_down_one_level_at_a_time,
        anatomy.test_prose_has_one_spelling,
    ],
    ids=lambda holds: holds.__name__.removeprefix("test_"),
)
def test_a_guide_is_built_as_the_notebooks_are(path, holds):
    holds(path)


# ---- a guide runs by itself


def _whole(thing):
    """Steps that are handed out one by one, as a list."""
    return list(thing) if isinstance(thing, types.GeneratorType | zip) else thing


def run(found, until=None):
    """{id: (what is printed, what views and pictures are given)} of code cells, without drawing any."""
    seen, scope = {}, {"display": lambda *things: None}
    with pytest.MonkeyPatch.context() as patch:
        given = []
        for module, name in (
            (kmlab.show, "explore"),
            (kmlab.show, "step_through"),
            (kmlab.show.notebook, "picture"),
        ):
            patch.setattr(module, name, lambda *a, **k: given.append(([_whole(thing) for thing in a], k)))
        for cell in found:
            if cell["cell_type"] == "code" and not re.search(
                r"^(check|source)\(|(time_ways|beside_libsvm)\(\)", text(cell), re.M
            ):
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    exec(text(cell), scope)
                seen[cell["id"]] = said.getvalue(), given[:]
                given.clear()
            if cell["id"] == until:
                break
    return seen


@cache
def at_home(number):
    """The notebook's own run, up to the last of its cells that a guide shows."""
    shown = [cell["id"] for lecture in LECTURES for cell in cells(lecture)]
    notebook = guides.notebooks()[number]
    last = [id for id in notebook.cells if id in shown][-1]
    return run(notebook.cells.values(), until=last)


def same(a, b):
    """Are two things alike, in all their parts?"""
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, types.FunctionType):
        return a.__code__.co_code == b.__code__.co_code and a.__qualname__ == b.__qualname__
    if hasattr(a, "__dict__") and not isinstance(a, type | types.ModuleType):
        return type(a) is type(b) and same(vars(a), vars(b))
    return a == b


def test_a_guide_runs_from_top_to_bottom_and_every_cell_finds_what_it_has_at_home(lecture):
    seen = run(cells(lecture))
    stored = {cell["id"]: cell["outputs"] for cell in cells(lecture, "code")}
    for id, (said, given) in seen.items():
        assert said == "".join("".join(o["text"]) for o in stored[id] if o["output_type"] == "stream"), id
        if given and "time_" not in text(next(cell for cell in cells(lecture) if cell["id"] == id)):
            assert same(given, at_home(id[:2])[id][1]), id


def test_what_only_brings_things_along_prints_nothing_and_is_folded(lecture):
    for cell in cells(lecture, "code"):
        if cell["id"] == "imports" or cell["id"].endswith("-needs"):
            assert not cell["outputs"] and cell["metadata"]["jupyter"]["source_hidden"]


# ---- names


def notebook(folder, number, *sources):
    found = [{"cell_type": "markdown", "id": f"{number}-0", "metadata": {}, "source": ["## A"]}]
    for i, source in enumerate(sources, 1):
        metadata = {"slideshow": {"slide_type": "fragment"}}
        cell = {"cell_type": "code", "id": f"{number}-{i}", "metadata": metadata, "outputs": [], "source": [source]}
        found.append(cell)
    (folder / f"{number}_a.ipynb").write_text(json.dumps({"cells": found, "metadata": {}}))


@pytest.fixture
def two(tmp_path, monkeypatch):
    """Two small notebooks in which X, plots and a model mean different things."""
    first = ["import numpy as np\nfrom kmlab.course.drawings import pca as plots", "X = np.ones(2)", "X[0] = 5\ny = 7"]
    notebook(tmp_path, "01", *first, "m = dict(a=1)\nm.update(b=2)", "print(X, m, [X for X in 'ab'])", "X = 9\ny = X")
    other = ["import numpy as np\nfrom kmlab.course.drawings import npt as plots", "X = np.zeros(3)", "print(X, plots)"]
    notebook(tmp_path, "02", *other, "explore(lambda a: a + X)", "X = 4\nprint(X)")
    monkeypatch.setattr(guides, "GIVEN", {*guides.GIVEN, "explore"})
    found = {path.stem[:2]: guides.Notebook(path) for path in sorted(tmp_path.glob("*.ipynb"))}
    monkeypatch.setattr(guides, "notebooks", lambda: found)
    return guides.Guide("000")


def sources(guide):
    return [text(cell) for cell in guide.cells]


def test_what_a_cell_needs_comes_along_and_nothing_else(two):
    two.show("01-5", "fragment")
    before, shown = sources(two)
    assert before == "import numpy as np\n\nX = np.ones(2)\nX[0] = 5\nm = dict(a=1)\nm.update(b=2)"
    assert shown.startswith("print(X, m,")


def test_a_name_of_another_notebook_is_made_anew_each_time(two):
    for id in ("01-5", "02-3", "01-5"):
        two.show(id, "fragment")
    assert sources(two)[2] == "from kmlab.course.drawings import npt as plots\n\nX = np.zeros(3)"
    assert sources(two)[4] == "X = np.ones(2)\nX[0] = 5", "m is still there"


def test_a_name_that_a_cell_above_has_made_is_not_made_again(two):
    two.show("02-2", "fragment")
    two.show("02-3", "fragment")
    assert sources(two) == [
        "import numpy as np",
        "X = np.zeros(3)",
        "from kmlab.course.drawings import npt as plots",
        "print(X, plots)",
    ]


def test_a_view_that_would_look_up_something_else_later_is_refused(two):
    two.show("02-4", "fragment")
    with pytest.raises(ValueError, match="02-5 makes another X than the view 02-4 looks up"):
        two.show("02-5", "fragment")


def test_a_name_that_nobody_made_is_reported(tmp_path):
    notebook(tmp_path, "01", "print(nowhere)")
    with pytest.raises(ValueError, match="cell 01-1 reads nowhere, which nobody made"):
        guides.Notebook(tmp_path / "01_a.ipynb")


# ---- doors


def test_notebook_00_and_the_readme_offer_two_doors():
    start = "".join(text(cell) for cell in guides.notebooks()["00"].cells.values())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page, folder in (start, "lectures"), (readme, "notebooks/lectures"):
        assert page.index("**I come from a lecture.**") < page.index("**I come for a topic.**")
        for lecture in LECTURES:
            assert f"({folder}/lecture_{lecture}.ipynb)" in page
    for lecture in LECTURES:
        title = guides.table(lecture)[0].split(" · ")[1]
        assert f"[{title}](notebooks/lectures/lecture_{lecture}.ipynb)" in readme
