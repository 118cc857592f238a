"""Live pictures in a real JupyterLab and Chromium: keyboard, names, errors, themes, and the notebook opened again."""

import json
import re
import shutil

import pytest

browser = pytest.importorskip("browser", reason="playwright is not installed: python3 course.py test installs it")
pytestmark = pytest.mark.skipif(not browser.find_chromium(), reason="no Chromium found: apt install chromium")
NOTEBOOK = browser.PROJECT / "notebooks" / "06_kernel_pca.ipynb"
needs_notebook = pytest.mark.skipif(not NOTEBOOK.exists(), reason="notebook 06 is not there")

SMALL = """
import time
from kmlab.show import explore, log_slider, panels, step_through

@panels(1, 1, size=(6, 2))
def line(axes, slope=1.25, kind="solid", broken=False):
    axes[0].plot([0, 1], [0, slope], linestyle=kind)
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
"""
LINE = """explore(line, slope=log_slider(0.1, 10, label="kernel width"), kind=["solid", "dashed"], broken=False)"""
WALK = """step_through([0, 1, 4, 9], walk)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def page():
    with browser.chromium_page() as page:
        yield page


@pytest.fixture(scope="module")
def small(page, folder):
    """The small notebook, run, in the dark theme."""
    home, notebooks = folder / "dark", folder / "small"
    home.mkdir()
    notebooks.mkdir()
    browser.write_notebook(notebooks / "small.ipynb", SMALL, LINE, WALK)
    with browser.jupyterlab(notebooks, home, theme="JupyterLab Dark") as address:
        browser.open_notebook(page, address, "small.ipynb")
        browser.command(page, "notebook:run-all-cells")
        yield page.locator(".kmlab-view").nth(0), page.locator(".kmlab-view").nth(1)


def wait_until(view, condition, *values):
    """Waits in the page until condition(view, ...) holds."""
    view.page.wait_for_function(
        f"([view, ...values]) => ({condition})(view, ...values)", arg=[view.element_handle(), *values]
    )


def picture(view):
    return view.locator("img").get_attribute("src")


def press(view, slider, key):
    """Presses a key on the slider and waits for another picture."""
    before = picture(view)
    slider.press(key)
    wait_until(view, "(view, before) => view.querySelector('img').src !== before", before)


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
    line, walk = small
    for role, name in (("slider", "kernel width"), ("combobox", "kind"), ("checkbox", "broken")):
        line.get_by_role(role, name=name, exact=True).wait_for()
    for role, name in (("button", "Back"), ("button", "Play"), ("button", "Forward"), ("slider", "frame")):
        walk.get_by_role(role, name=name, exact=True).wait_for()
    line.get_by_role("img", name="A line of slope 1.25.", exact=True).wait_for()
    walk.get_by_role("img", name="Frame 1 of 4: The walk is at 0.", exact=True).wait_for()
    assert line.get_by_role("slider").get_attribute("aria-valuetext") == "1.25"  # not its place in the list


def test_the_keyboard_moves_every_control(small):
    line, walk = small
    slider = line.get_by_role("slider")
    press(line, slider, "ArrowRight")
    assert line.get_by_role("img").get_attribute("alt") == "A line of slope 1.3."
    wait_until(line, "view => view.querySelector('[role=slider]').ariaValueText === '1.3'")
    press(line, slider, "End")
    assert line.get_by_role("img").get_attribute("alt") == "A line of slope 10."
    press(line, line.get_by_role("combobox"), "ArrowDown")
    press(line, line.get_by_role("combobox"), "ArrowUp")
    press(walk, walk.get_by_role("slider"), "ArrowRight")
    assert walk.get_by_role("img").get_attribute("alt").startswith("Frame 2 of 4")


def test_forty_quick_presses_end_with_the_last_value(small):
    line, _ = small
    slider = line.get_by_role("slider")
    slider.press("Home")
    settled(line)
    assert ends_with_the_last_value(line, slider, 40)
    assert line.get_by_role("img").get_attribute("alt") == "A line of slope 3.5."  # stop 40 of 50


def test_an_error_is_shown_below_and_moves_nothing(small):
    line, _ = small
    box = line.get_by_role("checkbox")
    good, place, height = picture(line), line.locator("img").bounding_box(), line.bounding_box()["height"]
    box.press("Space")
    wait_until(line, "view => view.querySelector('[role=alert]').textContent !== ''")
    assert "The line is broken; mend it." in line.get_by_role("alert").text_content()
    assert picture(line) == good and line.locator("img").bounding_box() == place
    assert line.bounding_box()["height"] == height
    box.press("Space")
    wait_until(line, "view => view.querySelector('[role=alert]').textContent === ''")
    assert line.bounding_box()["height"] == height


def test_play_shows_every_frame_in_order_and_stops(small):
    _, walk = small
    walk.get_by_role("slider").press("Home")
    settled(walk)
    walk.evaluate("""view => {
        window.frames_seen = [];
        new MutationObserver(() => frames_seen.push(view.querySelector('img').alt.slice(0, 12)))
          .observe(view, {subtree: true, childList: true}); }""")
    walk.get_by_role("button", name="Play").press("Enter")
    wait_until(walk, "view => view.querySelector('img').alt.startsWith('Frame 4')")
    walk.get_by_role("button", name="Play", exact=True).wait_for()  # it said Pause meanwhile
    seen = list(dict.fromkeys(walk.evaluate("frames_seen")))
    assert [frame for frame in seen if frame > "Frame 1 of 4"] == ["Frame 2 of 4", "Frame 3 of 4", "Frame 4 of 4"]


def test_no_frame_is_blank_while_the_picture_changes(small):
    line, _ = small
    slider = line.get_by_role("slider")
    slider.press("Home")
    settled(line)
    line.evaluate("""view => {
        const old = view.getBoundingClientRect();
        window.blank = window.moved = window.painted = 0;
        const look = () => {
          const img = view.querySelector('img'), now = view.getBoundingClientRect();
          painted += 1; blank += !(img && img.complete && img.naturalWidth); moved += now.height !== old.height;
          if (painted < 1e4) requestAnimationFrame(look); };
        requestAnimationFrame(look); }""")
    for _ in range(5):
        press(line, slider, "ArrowRight")
    assert line.evaluate("[painted > 5, blank, moved]") == [True, 0, 0]
    line.evaluate("painted = 1e4")


def test_in_the_dark_theme_the_card_is_light_and_the_words_are_light_on_dark(small):
    line, _ = small
    ground, words = line.evaluate("""view => [getComputedStyle(view.querySelector('img')).backgroundColor,
                                              getComputedStyle(view.querySelector('figcaption')).color]""")
    assert ground == "rgb(255, 255, 255)"
    assert min(int(part) for part in re.findall(r"\d+", words)[:3]) > 150


def test_a_narrow_window_shrinks_the_picture_in_proportion(small):
    line, _ = small
    size = line.page.viewport_size
    line.page.set_viewport_size({"width": 620, "height": 720})
    wait_until(line, "view => view.querySelector('img').clientWidth < 500")
    shape = line.evaluate("""view => { const img = view.querySelector('img');
                                       return (img.clientWidth - 12) / (img.clientHeight - 12); }""")
    assert shape == pytest.approx(3, rel=0.02)
    assert line.evaluate("view => view.scrollWidth <= view.clientWidth")
    line.page.set_viewport_size(size)


# ---- notebook 06 ----------------------------------------------------------------------------------------------------


@needs_notebook
def test_notebook_06_runs_lives_and_is_a_picture_when_opened_again(page, folder):
    notebooks = folder / "course"
    notebooks.mkdir()
    copy = shutil.copy(NOTEBOOK, notebooks)
    for home in ("first", "second"):
        (folder / home).mkdir()
    with browser.jupyterlab(notebooks, folder / "first") as address:
        browser.open_notebook(page, address, NOTEBOOK.name)
        browser.command(page, "notebook:run-all-cells")
        assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
        view = page.locator(".kmlab-view").first
        slider = view.get_by_role("slider", name="kernel width")
        press(view, slider, "ArrowRight")
        assert ends_with_the_last_value(view, slider, 50)
        assert view.get_by_role("alert").text_content() == ""
        views = page.locator(".kmlab-view").count()
        browser.command(page, "docmanager:save")
    saved = json.loads(open(copy).read())
    assert "widgets" not in saved["metadata"]
    with browser.jupyterlab(notebooks, folder / "second") as address:
        browser.open_notebook(page, address, NOTEBOOK.name)
        pictures = page.locator(".jp-OutputArea-output img")
        pictures.nth(views - 1).wait_for()
        assert page.get_by_text("Error displaying widget").count() == 0
        assert pictures.first.evaluate("img => img.decode().then(() => img.naturalWidth > 500)")
