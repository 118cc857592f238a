"""JupyterLab in the browser's own Python, with the whole course in it and nothing but this machine within reach."""

import csv
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest

check_lite = pytest.importorskip("check_lite", reason="`python3 course.py test` installs playwright and jupyterlite")
import browser  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from publish import lite, pyodide  # noqa: E402

PROJECT = browser.PROJECT
ANSWERS = PROJECT / "classroom/assignments/homework_1.ipynb"
FULL = 18  # of homework 1, without what a person has to read
OPEN = """async path => {   // with the Python that is already running: another takes half a minute to start
  const kernel = {id: jupyterapp.shell.currentWidget.sessionContext.session.kernel.id};
  const panel = await jupyterapp.commands.execute('docmanager:open', {path, factory: 'Notebook', kernel});
  await panel.context.ready;
  await panel.sessionContext.ready; }"""
RUN = """async ids => {
  const notebook = jupyterapp.shell.currentWidget.content;
  for (const id of ids) {
    notebook.activeCellIndex = notebook.widgets.findIndex(cell => cell.model.id === id);
    await jupyterapp.commands.execute('notebook:run-cell');
  } }"""
needs_chromium = pytest.mark.skipif(not browser.find_chromium(), reason="no Chromium found: apt install chromium")
needs_a_sandbox = pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is missing")


# ---- where the files come from


@pytest.fixture
def one_file(monkeypatch, tmp_path):
    """A distribution of one file, which stands beside an empty cache; -> the file."""
    file = tmp_path / "distribution/pyodide.mjs"
    file.parent.mkdir()
    file.write_bytes(b"as pinned")
    monkeypatch.setenv("KMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(pyodide.PINNED, "distribution", file.parent.as_uri() + "/")
    monkeypatch.setattr(pyodide, "CORE", {file.name: hashlib.sha256(b"as pinned").hexdigest()})
    return file


def test_a_file_is_fetched_once_and_again_when_it_is_damaged(one_file):
    kept = pyodide.files([])[one_file.name]
    assert kept.read_bytes() == b"as pinned" and "cache" in kept.parts
    one_file.rename(one_file.with_suffix(".away"))
    assert pyodide.files([]) == {one_file.name: kept}
    one_file.with_suffix(".away").rename(one_file)
    kept.write_bytes(b"damaged")
    assert pyodide.files([])[one_file.name].read_bytes() == b"as pinned"


def test_other_bytes_than_the_pinned_ones_are_not_kept(one_file):
    with pytest.raises(ValueError, match=r"^pyodide\.mjs was fetched and is not the file that .* names \(.*mirror\.$"):
        pyodide.cache().mkdir(parents=True)
        pyodide.keep(one_file.name, b"others")
    assert not list(pyodide.cache().iterdir())


def test_where_nobody_answers_one_sentence_says_so(one_file, monkeypatch):
    one_file.unlink()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(ConnectionError, match=r"^The browser's Python could not be fetched: .*pip: .*start again\.$"):
        pyodide.files([])


def test_every_package_is_pinned_with_all_that_it_needs():
    for name, entry in pyodide.PACKAGES.items():
        assert re.fullmatch("[0-9a-f]{64}", entry["sha256"]) and entry["from"] in ("pyodide", "pypi"), name
        assert set(entry["depends"]) <= set(pyodide.PACKAGES), name
    assert {"numpy", "contourpy", "six"} < set(pyodide.closed(["matplotlib"])) < set(pyodide.PACKAGES)


# ---- the lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The folder, written anew."""
    folder = tmp_path_factory.mktemp("lite") / "lite"
    try:
        lite.build(folder)
    except ConnectionError as error:
        pytest.skip(str(error))
    return folder


@pytest.fixture(scope="module")
def address(lab):
    with check_lite.served(lab) as address:
        yield address


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    """Opens the student's browser, which keeps what it was given; -> its page. Whatever it asks for is in .asked."""
    folder, opened = tmp_path_factory.mktemp("profile"), []
    with sync_playwright() as playwright:

        def start():
            while opened:
                opened.pop().close()
            context = playwright.chromium.launch_persistent_context(
                folder,
                executable_path=browser.find_chromium(),
                args=[*browser.QUIET, "--headless=new", *check_lite.CUT_OFF],
                viewport={"width": 1280, "height": 900},
            )
            opened.append(context)
            context.on("request", lambda request: start.asked.append(request.url))
            context.pages[0].set_default_timeout(1000 * browser.PATIENCE)
            return context.pages[0]

        start.asked = []
        yield start
        while opened:
            opened.pop().close()


def test_what_is_in_it_is_the_course_and_nothing_points_outside(lab):
    names = {path.relative_to(lab / "files").as_posix() for path in (lab / "files").rglob("*.ipynb")}
    assert names == {path.relative_to(PROJECT / "notebooks").as_posix() for path in check_lite.all_notebooks()}
    for name in names:
        cells = json.loads((lab / "files" / name).read_text(encoding="utf-8"))["cells"]
        assert all(isinstance(cell["source"], str) for cell in cells), name  # no server is there to join lines
    packages = json.loads((lab / "static/pyodide/pyodide-lock.json").read_text())["packages"]
    for name, entry in packages.items():
        content = (lab / "static/pyodide" / entry["file_name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"] and set(entry["depends"]) <= set(packages), name
    assert set(lite.AT_START) <= set(packages)
    settings = json.loads((lab / "jupyter-lite.json").read_text())["jupyter-config-data"]
    python = settings["litePluginSettings"][f"{lite.KERNEL}:kernel"]
    assert python["disablePyPIFallback"] and python["pyodideUrl"].startswith("./")


def test_the_licences_of_all_that_is_in_it_are_there(lab):
    text = (lab / "licences.txt").read_text(encoding="utf-8")
    for name, licence in ("Pyodide", "MPL-2.0"), ("numpy", "BSD-3-Clause"), ("pillow", "MIT-CMU"), ("kmlab", "BSD"):
        assert re.search(rf"^{name} [\d.]+: .*{licence}", text, re.M)
    for words in ("Redistribution and use in source and binary forms", "Bitstream Vera", "Qhull"):
        assert words in text
    for path in (lab / "static/pyodide").glob("*.whl"):
        for library in re.findall(r"\.libs/lib(\w+)\.so$", "\n".join(zipfile.ZipFile(path).namelist()), re.M):
            assert re.search(rf"^{library} \(in ", text, re.M | re.IGNORECASE), library
    assert list(lab.glob("extensions/**/third-party-licenses.json"))


def test_equal_wheels_have_equal_names_and_others_others(tmp_path, monkeypatch):
    first, again = (lite.pack(tmp_path / name) for name in ("a", "b") if not (tmp_path / name).mkdir())
    assert first.name == again.name and first.read_bytes() == again.read_bytes()
    monkeypatch.setattr(lite, "project", lambda known=lite.project(): known | {"dependencies": ["numpy"]})
    assert lite.pack(tmp_path).name != first.name  # a browser that keeps the one asks for the other


def test_what_was_written_stays_until_the_next_is_whole(lab, monkeypatch):
    monkeypatch.setattr(lite, "jupyter_lite", lambda *_: sys.exit("no"))
    with pytest.raises(SystemExit):
        lite.build(lab)
    assert (lab / "index.html").exists() and (lab / "licences.txt").exists()


@pytest.fixture(scope="module")
def answers():
    """id -> source of the cells that a student writes."""
    return {
        cell.id: re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", cell.source)
        for cell in nbformat.read(ANSWERS, 4).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }


@pytest.fixture(scope="module")
def homework(address, profile, answers, tmp_path_factory):
    """Homework 1 done in the browser, and downloaded; -> the page, the file."""
    page = profile()
    browser.open_notebook(page, address, "homework/homework_1.ipynb")
    page.evaluate(
        """answers => { for (const {model} of jupyterapp.shell.currentWidget.content.widgets)
          if (model.id in answers) model.sharedModel.setSource(answers[model.id]); }""",
        answers,
    )
    browser.command(page, "notebook:run-all-cells")
    page.get_by_text("stored in this browser").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download this notebook").click()
    file = tmp_path_factory.mktemp("handed-in") / "ada/homework_1.ipynb"
    download.value.save_as(file)
    return page, file


@needs_chromium
def test_homework_is_checked_in_the_browser(homework):
    _, file = homework
    done = nbformat.read(file, 4)
    assert done.metadata.kernelspec.name == "python"  # and not python3, as it was handed out
    said = {cell.id: "".join(text for _, text in check_lite.texts(cell)) for cell in done.cells}
    for part in "abcde":
        assert f"1{part}: right, " in said[f"check-1{part}"], said


@needs_chromium
def test_a_slider_changes_the_picture_and_play_plays(homework, profile):
    page, _ = homework
    page.evaluate(OPEN, "06_kernel_pca.ipynb")
    page.evaluate(RUN, ["06-01", "06-03", "06-05", "06-17"])
    rings, recipe = (page.locator(f'.jp-Cell:has-text("{text}") .kmlab-view') for text in ("few, of_ring", "recipe("))
    rings.scroll_into_view_if_needed()
    canvas = rings.locator("canvas")
    before = canvas.evaluate("canvas => canvas.kmlab.picture()")
    rings.get_by_role("slider", name="kernel width").press("ArrowRight")
    changed = "([canvas, before]) => canvas.kmlab.picture() !== before"
    page.wait_for_function(changed, arg=[canvas.element_handle(), before])
    recipe.scroll_into_view_if_needed()
    recipe.get_by_role("button", name="Play").click()
    recipe.locator("figcaption", has_text=re.compile("^Frame 3 of")).wait_for()
    assert not [url for url in profile.asked if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))]


@needs_chromium
def test_work_stays_when_the_browser_is_closed(homework, address, profile, answers):
    page = profile()  # closed, and opened again
    page.goto(address.format("homework/homework_1.ipynb"))
    found = page.wait_for_function(
        """path => { const main = [...window.jupyterapp?.shell.widgets('main') ?? []];   // 06 is opened again, too
          const {context} = main.find(panel => panel.context?.path === path) ?? {};
          return context?.isReady && context.model.toJSON().cells.map(cell => cell.source); }""",
        arg="homework/homework_1.ipynb",
    )
    assert answers["answer-1b"] in found.json_value()


@needs_chromium
@needs_a_sandbox
def test_what_was_done_in_the_browser_is_graded(homework, tmp_path):
    _, file = homework
    command = [sys.executable, "-m", "classroom.grade", str(file.parent.parent), "--out", str(tmp_path)]
    environment = lite.course.environment(**lite.course.ONE_THREAD)
    graded = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert graded.returncode == 0, graded.stdout + graded.stderr
    with (tmp_path / "scores.csv").open(newline="", encoding="utf-8") as rows:
        (row,) = csv.DictReader(rows)
    assert float(row["homework_1"]) == FULL, row
