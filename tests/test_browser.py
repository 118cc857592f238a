"""Live pictures in a real JupyterLab and Chromium: keyboard, names, errors, themes, and the notebook opened again."""

import html
import io
import json
import re
import shutil
from pathlib import Path

import pytest
from nbconvert import HTMLExporter
from PIL import Image

browser = pytest.importorskip("browser", reason="playwright is not installed: python3 course.py test installs it")
pytestmark = pytest.mark.skipif(not browser.find_chromium(), reason="no Chromium found: apt install chromium")
NOTEBOOK = browser.PROJECT / "notebooks" / "06_kernel_pca.ipynb"
needs_notebook = pytest.mark.skipif(not NOTEBOOK.exists(), reason="notebook 06 is not there")

SMALL = """
import time
from kmlab.show import explore, log_slider, panels, step_through, toggle
from kmlab.show.notebook import picture

@panels(1, 1, size=(6, 2))
def line(axes, slope=1.25, kind="solid", broken=False, bold=False):
    axes[0].plot([0, 1], [0, slope], linestyle=kind, linewidth=5 if bold and kind == "dashed" else 2)
    axes[0].set_ylim(-10, 10)
    if broken:
        raise ValueError("The line is broken; mend it.")
    time.sleep(0.1)
    return f"A line of slope {slope:.3g}."

@panels(1, 1, size=(6, 2))
def walk(axes, steps, t):
    axes[0].plot(steps[: t + 1])
    time.sleep(0.2)
    return f"The walk is at {steps[t]}."

@panels(1, 2)
def pair(axes, slope=1.0):
    for ax in axes:
        ax.plot([0, slope])
    return "Two panels."
"""
LINE = """explore(line, slope=log_slider(0.1, 10, label="kernel width"), kind=["solid", "dashed"], broken=False,
        bold=toggle(False).only(kind="dashed"))"""
WALK = """step_through([0, 1, 4, 9], walk)"""
PAIR = """explore(pair, slope=(0, 2))"""
STILL = """picture(pair)"""
SLOW = """time.sleep(3)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def page():
    with browser.chromium_page() as page:
        yield page


@pytest.fixture(scope="module")
def address(folder):
    """Of a JupyterLab in the dark theme, for all: it and its pages are what takes longest here."""
    (folder / "home").mkdir()
    (folder / "notebooks").mkdir()
    with browser.jupyterlab(folder / "notebooks", folder / "home", theme="JupyterLab Dark") as address:
        yield address


@pytest.fixture(scope="module")
def small(page, folder, address):
    """The small notebook, run."""
    browser.write_notebook(folder / "notebooks/small.ipynb", SMALL, LINE, WALK, PAIR, STILL, SLOW)
    browser.open_notebook(page, address, "small.ipynb")
    browser.command(page, "notebook:run-all-cells")
    return [page.locator(".kmlab-view").nth(i) for i in range(3)]


def wait_until(view, condition, *values):
    """Waits in the page until condition(view, ...) holds."""
    view.page.wait_for_function(
        f"([view, ...values]) => ({condition})(view, ...values)", arg=[view.element_handle(), *values]
    )


def picture(view):
    """What is drawn."""
    return view.locator("canvas").evaluate("canvas => canvas.kmlab.picture()")


def words(view):
    return view.locator("figcaption").inner_text()


def press(view, slider, key):
    """Presses a key on the slider and waits for another picture."""
    before = picture(view)
    slider.press(key)
    wait_until(view, "(view, before) => view.querySelector('canvas').kmlab.picture() !== before", before)


def settled(view):
    """The picture after all events: the kernel has answered everything and the page shows it."""
    before = None
    while before != picture(view):
        before = picture(view)
        view.page.evaluate(
            "async () => { const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;"
            " await kernel.requestKernelInfo(); await new Promise(done => setTimeout(done, 500)); }"
        )
    return before


def ends_with_the_last_value(view, slider, presses):
    for _ in range(presses):
        slider.press("ArrowRight", no_wait_after=True)
    last = settled(view)
    press(view, slider, "ArrowLeft")
    press(view, slider, "ArrowRight")  # the same value again, alone: the same picture, to the last bit
    return picture(view) == last


# ---- the small notebook ---------------------------------------------------------------------------------------------


def test_every_control_has_a_name_and_every_picture_a_text(small):
    line, walk, _ = small
    for role, name in (("slider", "kernel width"), ("combobox", "kind"), ("checkbox", "broken")):
        line.get_by_role(role, name=name, exact=True).wait_for()
    for role, name in (("button", "Back"), ("button", "Play"), ("button", "Forward"), ("slider", "frame")):
        walk.get_by_role(role, name=name, exact=True).wait_for()
    line.get_by_role("img", name="A line of slope 1.25.", exact=True).wait_for()
    walk.get_by_role("img", name="Frame 1 of 4: The walk is at 0.", exact=True).wait_for()
    assert line.get_by_role("slider").get_attribute("aria-valuetext") == "1.25"  # not its place in the list


def test_the_keyboard_moves_every_control(small):
    line, walk, _ = small
    slider = line.get_by_role("slider")
    press(line, slider, "ArrowRight")
    assert words(line) == "A line of slope 1.3."
    wait_until(line, "view => view.querySelector('[role=slider]').ariaValueText === '1.3'")
    press(line, slider, "End")
    assert words(line) == "A line of slope 10."
    press(line, line.get_by_role("combobox"), "ArrowDown")
    press(line, line.get_by_role("combobox"), "ArrowUp")
    press(walk, walk.get_by_role("slider"), "ArrowRight")
    assert words(walk).startswith("Frame 2 of 4")


def test_forty_quick_presses_end_with_the_last_value(small):
    line, *_ = small
    slider = line.get_by_role("slider")
    slider.press("Home")
    settled(line)
    assert ends_with_the_last_value(line, slider, 40)
    assert words(line) == "A line of slope 3.5."  # stop 40 of 50


def test_an_error_is_shown_below_and_moves_nothing(small):
    line, *_ = small
    box = line.get_by_role("checkbox", name="broken")
    good, place, height = picture(line), line.locator("canvas").bounding_box(), line.bounding_box()["height"]
    box.press("Space")
    wait_until(line, "view => view.querySelector('[role=alert]')")
    assert "The line is broken; mend it." in line.get_by_role("alert").text_content()
    assert picture(line) == good and line.locator("canvas").bounding_box() == place
    assert line.bounding_box()["height"] == height
    box.press("Space")
    wait_until(line, "view => !view.querySelector('[role=alert]')")
    assert line.bounding_box()["height"] == height


def test_play_shows_every_frame_in_order_and_stops(small):
    _, walk, _ = small
    walk.get_by_role("slider").press("Home")
    settled(walk)
    walk.evaluate("""view => {
        window.frames_seen = [];
        new MutationObserver(() => frames_seen.push(view.querySelector('figcaption').textContent.slice(0, 12)))
          .observe(view, {subtree: true, childList: true, characterData: true}); }""")
    walk.get_by_role("button", name="Play").press("Enter")
    wait_until(walk, "view => view.querySelector('figcaption').textContent.startsWith('Frame 4')")
    walk.get_by_role("button", name="Play", exact=True).wait_for()  # it said Pause meanwhile
    seen = list(dict.fromkeys(walk.evaluate("frames_seen")))
    assert [frame for frame in seen if frame > "Frame 1 of 4"] == ["Frame 2 of 4", "Frame 3 of 4", "Frame 4 of 4"]


def test_no_frame_is_blank_while_the_picture_changes(small):
    line, *_ = small
    slider = line.get_by_role("slider")
    slider.press("Home")
    settled(line)
    line.evaluate("""view => {
        const old = view.getBoundingClientRect();
        window.blank = window.moved = window.painted = 0;
        const look = () => {
          const canvas = view.querySelector('canvas'), now = view.getBoundingClientRect();
          painted += 1; blank += !(canvas?.getContext('2d').getImageData(0, 0, 1, 1).data[0] > 200);
          moved += now.height !== old.height;
          if (painted < 1e4) requestAnimationFrame(look); };
        requestAnimationFrame(look); }""")
    for _ in range(5):
        press(line, slider, "ArrowRight")
    assert line.evaluate("[painted > 5, blank, moved]") == [True, 0, 0]
    line.evaluate("painted = 1e4")


def test_in_the_dark_theme_the_picture_is_dark_and_the_words_are_light(small):
    line, *_ = small
    words = line.evaluate("view => getComputedStyle(view.querySelector('figcaption')).color")
    assert min(int(part) for part in re.findall(r"\d+", words)[:3]) > 150
    shot = Image.open(io.BytesIO(line.locator("canvas").screenshot())).convert("RGB")
    assert max(shot.getpixel((12, 12))) < 60  # the card
    red, green, blue = max(shot.get_flattened_data(), key=lambda pixel: pixel[2] - pixel[0])
    assert blue > 150 > red  # the line is blue still, and light enough to be seen


def typed(view, name, text):
    box = view.get_by_role("textbox", name=f"{name}, typed")
    box.fill(text)
    box.press("Enter")
    settled(view)
    return box.input_value(), words(view)


def test_a_typed_number_is_taken_and_anything_else_goes_back(small):
    line, *_ = small
    assert typed(line, "kernel width", "0.7") == ("0.7", "A line of slope 0.7.")
    assert typed(line, "kernel width", "0.338") == ("0.35", "A line of slope 0.35.")  # the stop that is nearest
    assert typed(line, "kernel width", "20") == ("10", "A line of slope 10.")
    for nonsense in ("abc", "", "1e", "nan"):
        assert typed(line, "kernel width", nonsense) == ("10", "A line of slope 10.")


def test_captions_are_announced(small):
    line, *_ = small
    press(line, line.get_by_role("slider"), "Home")
    wait_until(line, "view => view.querySelector('.kmlab-spoken')?.textContent === 'A line of slope 0.1.'")
    assert line.locator(".kmlab-spoken").get_attribute("aria-live") == "polite"


def test_a_control_that_does_nothing_is_disabled(small):
    line, *_ = small
    bold = line.get_by_role("checkbox", name="bold")
    assert bold.is_disabled()
    press(line, line.get_by_role("combobox"), "ArrowDown")
    wait_until(line, "view => !view.querySelectorAll('input[type=checkbox]')[1].disabled")
    press(line, line.get_by_role("combobox"), "ArrowUp")


def test_below_500_pixels_panels_stack_and_their_words_stay_readable(small):
    _, _, pair = small
    size = pair.page.viewport_size
    browser.command(pair.page, "application:toggle-left-area")
    wide = pair.locator("canvas").bounding_box()
    pair.page.set_viewport_size({"width": 560, "height": 720})
    wait_until(pair, "view => view.querySelector('canvas').height > view.querySelector('canvas').width")
    box = pair.locator("canvas").bounding_box()
    assert box["height"] > 1.5 * box["width"] and box["width"] <= 500
    assert 13 * 100 / 72 * (box["width"] - 12) / 480 >= 11  # the labels of ticks, 13 points
    pair.page.set_viewport_size(size)
    wait_until(pair, "view => view.querySelector('canvas').height < view.querySelector('canvas').width")
    assert pair.locator("canvas").bounding_box()["height"] == wide["height"]
    browser.command(pair.page, "application:toggle-left-area")


def test_a_view_says_that_it_waits_for_running_cells(small):
    line, *_ = small
    page = line.page
    page.evaluate("void jupyterapp.shell.currentWidget.content.widgets.at(-1).node.scrollIntoView()")
    page.evaluate("""() => { const notebook = jupyterapp.shell.currentWidget.content;
        notebook.activeCellIndex = notebook.widgets.length - 1; }""")
    page.evaluate("void jupyterapp.commands.execute('notebook:run-cell')")
    page.wait_for_function("jupyterapp.shell.currentWidget.content.widgets.at(-1).model.executionState === 'running'")
    line.get_by_role("slider").press("ArrowRight", no_wait_after=True)
    line.get_by_text("waiting for running cells").wait_for(timeout=1500)  # the cell takes three seconds
    wait_until(line, "view => !view.querySelector('.kmlab-waiting')")
    settled(line)


def test_a_narrow_window_shrinks_the_picture_in_proportion(small):
    line, *_ = small
    size = line.page.viewport_size
    line.page.set_viewport_size({"width": 620, "height": 720})
    wait_until(line, "view => view.querySelector('canvas').width < 700")
    shown, drawn = line.evaluate("""view => { const canvas = view.querySelector('canvas');
                                             return [(canvas.clientWidth - 12) / (canvas.clientHeight - 12),
                                                     canvas.width / canvas.height]; }""")
    assert shown == pytest.approx(drawn, rel=0.02)
    assert line.evaluate("view => view.scrollWidth <= view.clientWidth")
    line.page.set_viewport_size(size)


# ---- notebook 06 ----------------------------------------------------------------------------------------------------


def failures(page):
    return page.locator("[data-mime-type='application/vnd.jupyter.error'], [data-mime-type$='.stderr']").count()


@needs_notebook
def test_notebook_06_runs_lives_and_keeps_its_pictures_whatever_happens(page, folder, address):
    copy = Path(shutil.copy(NOTEBOOK, folder / "notebooks"))
    browser.open_notebook(page, address + "&reset", NOTEBOOK.name)  # or the small one would be open beside it
    page.locator(".kmlab-unseen").wait_for(state="attached")  # the cell that says how to get kmlab
    browser.command(page, "notebook:run-all-cells")
    assert failures(page) == 0 and page.locator(".kmlab-unseen:visible").count() == 0
    assert page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex") == 0  # where the reader was
    assert page.locator(".jp-WindowedPanel-outer").first.evaluate("page => page.scrollTop") == 0
    view = page.locator(".kmlab-view").first
    slider = view.get_by_role("slider", name="kernel width")
    press(view, slider, "ArrowRight")
    assert ends_with_the_last_value(view, slider, 50)
    assert view.locator("[role=alert]").count() == 0
    views = page.locator(".kmlab-view").count()
    assert views >= 8
    said = words(view)
    browser.command(page, "docmanager:save")
    assert page.locator(".kmlab-view").count() == views  # alive still
    press(view, slider, "ArrowLeft")
    press(view, slider, "ArrowRight")
    browser.command(page, "docmanager:save")
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    page.wait_for_function("count => document.querySelectorAll('.kmlab-dead').length === count", arg=views)
    assert page.locator(".kmlab-dead .kmlab-note:visible").count() == views
    assert page.locator(".kmlab-dead .kmlab-controls:visible").count() == 0
    assert words(view) == said
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    saved = json.loads(copy.read_text())
    assert "widgets" not in saved["metadata"]
    outputs = [output.get("data", {}) for cell in saved["cells"] for output in cell.get("outputs", [])]
    assert not any("application/vnd.jupyter.widget-view+json" in data for data in outputs)
    assert said in ["".join(data.get("text/plain", "")) for data in outputs]  # the last picture, not the first
    for opened in (address, address.replace("/lab/tree/", "/notebooks/")):  # JupyterLab, Notebook 7
        page.goto(opened.format(NOTEBOOK.name))
        shown = page.locator(f"figure.kmlab-picture img[alt={json.dumps(said)}]")
        shown.wait_for()
        assert shown.evaluate("img => img.decode().then(() => img.naturalWidth > 500)")
        assert page.get_by_text("Error displaying widget").count() == 0
        assert page.locator(".kmlab-note:visible").count() == views
        assert page.locator("figure.kmlab-picture:visible figcaption").first.is_visible()
    exported = HTMLExporter().from_filename(copy)[0]
    assert "No description has been provided" not in exported and html.escape(said) in exported
