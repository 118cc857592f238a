"""A notebook on its own: its first cell, what an installation without pictures says, badges, and what is printed."""

import importlib.util
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest

from kmlab.course.drawings import start_here
from kmlab.show import explore, slider, touch
from publish import alone, handouts, site, slides

ROOT = Path(__file__).parent.parent
HOMEWORK = ROOT / "notebooks/homework/homework_1.ipynb"
NOWHERE = {"install": "kmlab[lab]", "pages": "", "lite": "", "colab": ""}
SOMEWHERE = NOWHERE | {
    "pages": "https://a.example/kmlab/",
    "lite": "https://a.example/lite/",
    "colab": "https://colab.example/github/o/n/blob/main/notebooks/",
}


def source():
    return "".join(alone.first_cell(alone.settings()["install"])["source"])


# ---- the first cell


@pytest.mark.parametrize("path", alone.notebooks(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_notebook_begins_with_the_cell_that_says_how_to_get_kmlab(path):
    assert alone.written(path, alone.settings()["install"]) == path.read_text(encoding="utf-8"), (
        "run .venv/bin/python -m publish.alone"
    )
    code = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if alone.HIDDEN in cell.metadata.get("tags", [])] == [code[0].id] == [alone.FIRST]


def run(code, capsys):
    """What IPython shows of a cell, and whether it lets the next one run."""
    from IPython.core.interactiveshell import InteractiveShell

    done = InteractiveShell().run_cell(code)
    return capsys.readouterr().out, done.success


def test_it_is_silent_where_kmlab_is(capsys):
    assert run(source(), capsys) == ("", True)


def test_it_says_one_sentence_and_stops_where_kmlab_is_missing(capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    said, goes_on = run(source(), capsys)
    assert said.strip() == (
        'This notebook needs the package kmlab, which is not here: run %pip install "kmlab[lab]" in a new cell, then '
        "this one again."
    )
    assert not goes_on


def test_what_is_installed_is_a_setting():
    code = "".join(alone.first_cell("kmlab[lab] @ https://a.example/kmlab.whl")["source"])
    assert '%pip install "kmlab[lab] @ https://a.example/kmlab.whl"' in code
    compile(code, "cell", "exec")


def cell(kind="code", id="a", number=None, **more):
    made = {"cell_type": kind, "id": id, "metadata": {}, "source": []} | more
    return made | ({"execution_count": number, "outputs": []} if kind == "code" else {})


def test_it_stands_once_below_the_title_and_before_all_code():
    old = alone.first_cell("an older text")
    made = alone.with_first_cell({"cells": [old, cell("markdown", "t"), cell(id="a", number=1), old]}, "kmlab[lab]")
    assert [c["id"] for c in made["cells"]] == ["t", alone.FIRST, "a"]
    assert "".join(made["cells"][1]["source"]) == alone.SOURCE.format(line='%pip install "kmlab[lab]"')
    assert alone.with_first_cell({"cells": [cell("markdown", "t")]}, "x")["cells"] == [cell("markdown", "t")]


def test_a_run_numbers_the_cells_that_are_seen():
    result = {"output_type": "execute_result", "execution_count": 3}
    cells = [
        alone.first_cell("x") | {"execution_count": 1},
        cell(number=2),
        cell("markdown", "m"),
        cell(id="b", number=3),
    ]
    cells[-1]["outputs"] = [result]
    alone.number(cells)
    assert [c.get("execution_count") for c in cells] == [None, 1, None, 2] and result["execution_count"] == 2


def test_readers_of_pages_and_slides_do_not_see_it(tmp_path):
    for made in (site.notebook_page(HOMEWORK, [], tmp_path).body, slides._page(HOMEWORK, [])[1]):
        assert "find_spec" not in made and "import" in made


# ---- an installation without pictures


def test_the_algorithms_alone_say_what_pictures_need():
    code = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    for loaded in [m for m in sys.modules if m.startswith(("kmlab.show", "kmlab.course", name))]:
        del sys.modules[loaded]
    sys.modules[name] = None
    for part in ("kmlab.show.notebook", "kmlab.course.drawings.svm", "kmlab.course.live"):
        try:
            importlib.import_module(part)
        except ModuleNotFoundError as error:
            print(error, "|", error.name)
    del sys.modules[name]
for name in sys.argv[2:]:
    sys.modules[name] = None
import kmlab.pca, kmlab.svm
sys.modules["jupyter_server"] = None
try:
    import kmlab.server
except ModuleNotFoundError as error:
    print(error)
"""
    names = ["matplotlib", "ipywidgets", "IPython", "threadpoolctl", "PIL"]
    done = subprocess.run([sys.executable, "-c", code, str(ROOT), *names], capture_output=True, text=True, check=True)
    *said, last = done.stdout.splitlines()
    assert last.startswith("Pictures and notebooks need jupyter_server") and len(said) == 3 * len(names)
    for name, sentence in zip([n for n in names for _ in range(3)], said, strict=True):
        assert sentence.startswith(f"Pictures and notebooks need {name}") and 'pip install "kmlab[lab]"' in sentence


def test_a_missing_part_of_kmlab_itself_is_no_matter_of_installation(monkeypatch):
    monkeypatch.setitem(sys.modules, "kmlab.show.widgets", None)
    monkeypatch.delitem(sys.modules, "kmlab.show")
    with pytest.raises(ModuleNotFoundError, match=r"kmlab\.show\.widgets"):
        importlib.import_module("kmlab.show")


def test_a_picture_that_stands_still_for_want_of_a_package_says_so(monkeypatch):
    monkeypatch.setattr(touch, "anywidget", None)
    data, _ = explore(start_here.unroll, move=slider(0.0, 1.0))._repr_mimebundle_()
    assert 'stands still: its controls need anywidget, and pip install "kmlab[lab]" brings it.' in data["text/html"]


# ---- badges


def test_without_an_address_there_is_no_badge_and_a_set_one_is_taken_back():
    text = "# Title\n\nText.\n"
    with_row = alone.readme_with_badges(text, SOMEWHERE)
    assert (
        with_row.count("docs/badges/") == 3 and "(https://colab.example/github/o/n/blob/main/notebooks/00_" in with_row
    )
    assert alone.readme_with_badges(with_row, SOMEWHERE) == with_row
    assert alone.readme_with_badges(with_row, NOWHERE) == text
    assert alone.badge_row(NOWHERE) == alone.badge_row(NOWHERE, HOMEWORK) == ""
    assert "badges/lite" not in alone.readme_with_badges(text, NOWHERE | {"lite": "../lite/"})  # no way from there


def test_the_readme_has_the_badges_of_the_settings():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert alone.readme_with_badges(readme, alone.settings()) == readme, "run .venv/bin/python -m publish.alone"
    for name in re.findall(r"docs/badges/\w+\.svg", readme):
        ElementTree.parse(ROOT / name)


def test_a_page_leads_to_its_own_notebook(tmp_path, monkeypatch):
    monkeypatch.setattr(alone, "settings", lambda: SOMEWHERE)
    body = site.notebook_page(HOMEWORK, [], tmp_path).body
    title, rest = body.split("</h1>", 1)
    assert rest.startswith(
        '<p class="badges"><a href="https://a.example/lite/lab/index.html?path=homework/homework_1.ipynb">'
        'Run it in the browser</a><a href="https://colab.example/github/o/n/blob/main/notebooks/homework/homework_1.ipynb">'
    )
    monkeypatch.setattr(alone, "settings", lambda: NOWHERE)
    assert 'class="badges"' not in site.notebook_page(HOMEWORK, [], tmp_path).body


def test_an_address_may_end_in_a_slash_or_not(tmp_path):
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.kmlab]\ninstall = "k"\npages = "https://a"\nlite = "../lite/"\ncolab = ""\n')
    assert alone.settings(file) == {"install": "k", "pages": "https://a/", "lite": "../lite/", "colab": ""}


# ---- on paper, and as a book


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A site of two notebooks and one overview."""
    folder = tmp_path_factory.mktemp("site")
    taken = [ROOT / "notebooks/00_start_here.ipynb", HOMEWORK]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "all_notebooks", lambda: taken)
        patch.setattr(
            site.pages, "pages", lambda: {"more.md": "# More\n\nOf [00](../notebooks/00_start_here.ipynb).\n"}
        )
        site.build(folder)
    return folder


def test_a_page_is_printed_with_its_pictures_and_numbers(pages, tmp_path):
    chromium = handouts.find_chromium()
    if not chromium:
        pytest.skip("needs Chromium")
    handouts.write_pdf(chromium, pages / "homework_1.html", tmp_path / "h.pdf")
    pdf = (tmp_path / "h.pdf").read_bytes()
    pictures = (pages / "homework_1.html").read_text(encoding="utf-8").count("<img")
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type /Page\b", pdf)) > 2
    assert len(re.findall(rb"/Subtype /Image", pdf)) >= pictures > 0


def test_on_paper_all_is_open_and_the_title_stands_on_every_sheet():
    page = (
        '<head><title>A "b" · kmlab</title><link href="print.css" media="print"></head><details class="fold"><summary>'
        'Code</summary></details><img loading="lazy"><script>\n1</script>'
    )
    made = handouts.for_print(page)
    assert '@top-left { content: "A \\"b\\" · kmlab";' in made and "<details open" in made
    assert "lazy" not in made and "script" not in made and "media" not in made


def test_the_book_is_whole(pages, tmp_path):
    handouts.Book(pages, ["00_start_here", "homework_1", "more"]).write(tmp_path / "b.epub")
    with zipfile.ZipFile(tmp_path / "b.epub") as book:
        first = book.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        files = {name: book.read(name) for name in book.namelist()}
    package = ElementTree.fromstring(files["book/content.opf"])
    opf = "{http://www.idpf.org/2007/opf}"
    listed = {item.get("href"): item for item in package.iter(f"{opf}item")}
    inside = {name.removeprefix("book/") for name in files if name.startswith("book/")} - {"content.opf"}
    assert set(listed) == inside
    order = [item.get("idref") for item in package.iter(f"{opf}itemref")]
    assert [listed[name].get("id") for name in ("nav.xhtml", "index.xhtml", "00_start_here.xhtml")] == order[:3]
    anchors = {}
    for name in (name for name in inside if name.endswith(".xhtml")):
        tree = ElementTree.fromstring(files[f"book/{name}"])  # or it is no XHTML
        anchors[name] = {element.get("id") for element in tree.iter()}
        has_formulas = tree.find(".//{http://www.w3.org/1998/Math/MathML}math") is not None
        assert ("mathml" in listed[name].get("properties", "")) == has_formulas
    for name in anchors:
        for kind, target in re.findall(r'(href|src)="([^"#:]*(?:#[^"]*)?)"', files[f"book/{name}"].decode()):
            path, _, anchor = target.partition("#")
            assert not path or path in inside, (name, target)
            assert kind == "src" or not anchor or handouts.unquote(anchor) in anchors[path or name], (name, target)
    assert b"<summary" not in files["book/00_start_here.xhtml"]
    assert not re.search(rb":(is|has)\(|[ :][\d.]+rem/", files["book/site.css"])  # what epubcheck does not know
    assert not [name for name in anchors if any("?" in (id or "") for id in anchors[name])]


def test_without_a_browser_the_book_is_written_and_a_sentence_says_why_no_pdf_is(tmp_path, monkeypatch, pages):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(handouts, "find_chromium", lambda: None)
    monkeypatch.setattr(site, "build", lambda folder: shutil.copytree(pages, folder))
    monkeypatch.setattr(site, "all_notebooks", lambda: [Path("00_start_here.ipynb"), Path("homework_1.ipynb")])
    with pytest.raises(SystemExit, match="install Chromium or Google Chrome and start again"):
        handouts.main([])
    assert (tmp_path / "handouts/kmlab.epub").stat().st_size > 100_000


def test_notebooks_are_found_by_number_name_and_path():
    known = ["00_start_here", "06_kernel_pca", "lecture_000", "lecture_001", "homework_1"]
    assert list(handouts.names_of(["6", "lecture_000", "notebooks/homework/homework_1.ipynb"], known)) == [
        "06_kernel_pca", "lecture_000", "homework_1",
    ]  # fmt: skip
    with pytest.raises(SystemExit, match="'lecture' is no notebook of the course"):
        list(handouts.names_of(["lecture"], known))


def test_a_drawing_in_the_book_names_an_image_once_and_has_no_dtd_elsewhere():
    svg = b'<image id="imageab"/><image id="imageab"/><path id="a"/><path id="b"\n d="M 0"/><image id="imagecd"/>'
    made = b'<svg><image id="imageab"/><image/><path d="M0 0" id="a"/><path id="b"\n d="M 0"/><image id="imagecd"/>'
    assert handouts.drawing(b'<!DOCTYPE svg PUBLIC "-//W3C"\n "http://dtd">\n<svg>' + svg) == made
    assert handouts.drawing(b'\x89PNG id="imageab" id="imageab"') == b'\x89PNG id="imageab" id="imageab"'
