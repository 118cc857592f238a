"""Slides: a living notebook in JupyterLab with the network cut off, and the pages that are handed out.

python tests/look_at_slides.py asks the same of every notebook, live, and shows all of its slides.
"""

import json
import re
from pathlib import Path

import nbformat
import pytest

slides = pytest.importorskip("publish.slides")
look = pytest.importorskip("look_at_slides", reason="playwright is not installed: python3 course.py test installs it")
browser = look.browser
pytestmark = pytest.mark.skipif(not browser.find_chromium(), reason="no Chromium found: apt install chromium")
NOTEBOOKS = sorted((browser.PROJECT / "notebooks").glob("*.ipynb"))
DECK = "kmlabDeck.current"


@pytest.fixture(scope="module")
def handout(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handout") / "Folien Übung"
    slides.write(NOTEBOOKS, folder)
    return folder


@pytest.fixture(scope="module")
def page():
    """A page without a network; what it asks for outside of this machine is kept in page.outside."""
    with browser.chromium_page(look.WIDTH, look.HEIGHT, look.CUT_OFF) as page:
        page.outside, page.errors = [], []
        inside = re.compile(r"(file|data|blob|about):|(http|ws)://127\.0\.0\.1[:/]")
        page.context.on("request", lambda request: inside.match(request.url) or page.outside.append(request.url))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        yield page


def at(page):
    return page.evaluate(DECK + ".at")


def go_to(page, selector):
    """Shows the first slide on which there is such a thing."""
    found = page.evaluate(
        f"""selector => {{
      const deck = {DECK};
      const number = deck.screens.findIndex(s => s.parts.some(part => part.block.node.querySelector(selector)));
      deck.go(number, Infinity);
      return number;
    }}""",
        selector,
    )
    assert found >= 0, f"no slide has {selector}"


# ---- to hand out


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_handed_out_set_fits_its_screen_and_can_be_read_from_the_tenth_row(notebook, handout, page):
    page.goto((handout / notebook.with_suffix(".html").name).as_uri())
    look.wait_for_deck(page)
    assert look.problems(page) == []
    assert page.outside == [] and page.errors == []
    assert page.locator("merror").count() == 0


@pytest.mark.parametrize("notebook", [NOTEBOOKS[0], NOTEBOOKS[-1]], ids=lambda path: path.stem)
def test_nothing_of_a_notebook_is_lost_and_all_is_in_order(notebook, handout, page):
    page.goto((handout / notebook.with_suffix(".html").name).as_uri())
    look.wait_for_deck(page)
    seen = ""
    for number in range(look.slides(page)):
        page.evaluate(f"number => {DECK}.go(number, Infinity)", number)
        seen += page.evaluate(f"{DECK}.title.innerText + ' ' + {DECK}.page.innerText") + "\n"
    notes = page.evaluate(f"{DECK}.blocks.flatMap(block => block.notes).map(node => node.textContent).join(' ')")
    known = set(re.findall(r"\w+", (seen + notes).lower()))
    for cell in nbformat.read(notebook, 4).cells:
        if cell.cell_type == "markdown" and cell.metadata.slideshow.slide_type != "skip":
            prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|<[^>]*>|\]\([^)]*\)", " ", cell.source, flags=re.S)
            assert set(re.findall(r"[^\W\d_]{4,}", prose.lower())) <= known
    order = page.evaluate(f"{DECK}.screens.flatMap(s => s.parts).map(part => {DECK}.blocks.indexOf(part.block))")
    assert order == sorted(order) and set(order) == set(range(len(set(order))))


def test_the_handout_holds_all_it_needs_and_names_no_address_outside(handout):
    for file in handout.iterdir():
        if file.suffix != ".woff":
            text = re.sub(r'base64,[^"]*|xmlns="[^"]*"', "", file.read_text(encoding="utf-8"))
            assert not re.search(r"https?:|//[\w-]+\.\w", text), file
            for target in re.findall(r'(?:src|href)="([^"#:]+)"', text):
                assert (handout / target).is_file(), f"{file.name} leads to {target}"
    assert {path.with_suffix(".html").name for path in NOTEBOOKS} | {"index.html"} == {
        file.name for file in handout.glob("*.html")
    }


def test_a_printed_handout_has_a_page_for_each_slide(handout, page):
    page.goto((handout / "06_kernel_pca.html").as_uri())
    look.wait_for_deck(page)
    before = look.slides(page)
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type /Page\b", pdf)) == look.slides(page) == before
    assert len(pdf) > 300_000  # the pictures are on it
    assert page.evaluate("document.querySelector('.kd-paper')") is None


def test_answers_are_for_the_speaker(handout, page):
    page.goto((handout / "06_kernel_pca.html").as_uri())
    look.wait_for_deck(page)
    assert page.locator("details:visible").count() == 0
    number = page.evaluate(f"{DECK}.screens.findIndex(s => s.parts.some(part => part.block.notes.length))")
    page.evaluate(f"number => {DECK}.go(number)", number)
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    assert "What you should have seen" in popup.value.locator("body").inner_text()
    popup.value.close()


def test_a_path_that_is_no_notebook_is_refused():
    with pytest.raises(SystemExit, match="nowhere.ipynb is no notebook"):
        slides.main(["nowhere.ipynb"])


@pytest.mark.parametrize("name", ["00_start_here", "07_npt"])  # a long table, a long listing
def test_what_arrives_late_does_not_turn_the_page(name, handout, page):
    page.goto((handout / f"{name}.html").as_uri())
    look.wait_for_deck(page)
    assert page.evaluate(f"{DECK}.screens.filter(s => s.parts.some(part => part.isCut || part.rows)).length") >= 2
    for number in range(look.slides(page)):
        page.evaluate(f"number => {{ {DECK}.go(number); {DECK}.layout(); }}", number)
        assert at(page) == number


def test_a_long_listing_is_cut_between_lines_whatever_its_frame(handout, page):
    page.goto((handout / "04_distances.html").as_uri())
    look.wait_for_deck(page)
    page.add_style_tag(content=".kd-page .code { padding: 7px 0; }")
    page.evaluate(DECK + ".layout()")
    assert page.evaluate(f"{DECK}.screens.filter(s => s.parts.some(part => part.isCut)).length") >= 2
    assert look.problems(page) == []
    page.add_style_tag(content=".kd-page .kd-long { box-sizing: content-box !important; }")
    assert any("cut in two" in problem for problem in look.problems(page))


# ---- on a screen of another size


def test_slides_grow_with_the_screen(handout, page):
    page.goto((handout / "06_kernel_pca.html").as_uri())
    look.wait_for_deck(page)
    before = look.slides(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(f"{DECK}.u === 1.5")
    assert look.problems(page) == [] and abs(look.slides(page) - before) <= 1
    page.set_viewport_size({"width": look.WIDTH, "height": look.HEIGHT})


# ---- live, in one run of `course.py slides`


def my_notebook():
    """As a teacher writes it, in JupyterLab: nothing of the course in it."""
    draw = "@interact(a=(0, 5))\ndef show(a=2):\n    plt.plot([0, a])\n    plt.show()\n    print('a is', a)"
    source = f"import matplotlib.pyplot as plt\nfrom ipywidgets import interact\n\n{draw}"
    cells = [nbformat.v4.new_markdown_cell("# My own\n\nA sentence."), nbformat.v4.new_markdown_cell("## A slider")]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return nbformat.v4.new_notebook(cells=[*cells, nbformat.v4.new_code_cell(source)], metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def live(page, tmp_path_factory):
    """Notebook 00 as slides, its views alive."""
    notebook, own = NOTEBOOKS[0], tmp_path_factory.mktemp("own") / "my_notebook.ipynb"
    nbformat.write(my_notebook(), own)
    with look.live([notebook, own], tmp_path_factory.mktemp("live")) as (address, page.own):
        page.goto(address)
        look.wait_for_deck(page)
        look.wait_until_alive(page, notebook)
        page.first_screen = page.locator(".kd-title").inner_text()
        yield page
    assert page.outside == []


def test_the_command_opens_the_first_slide(live):
    title = nbformat.read(NOTEBOOKS[0], 4).cells[0].source.splitlines()[0].removeprefix("# ")
    assert live.first_screen == title
    box = live.locator(".kd-root").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, look.WIDTH, look.HEIGHT)
    assert live.evaluate("document.elementFromPoint(640, 5).closest('.kd-root') !== null"), "JupyterLab covers it"


def test_living_slides_fit_their_screen_too(live):
    assert look.problems(live) == [] and live.errors == []


def test_keys_walk_through_the_slides_step_by_step(live):
    live.keyboard.press("Home")
    assert at(live) == 0 and live.locator(".kd-number").inner_text() == f"1 / {look.slides(live)}"
    seen, presses = [], 0
    while at(live) < look.slides(live) - 1:
        seen.append(at(live))
        live.keyboard.press(["ArrowRight", "PageDown", " "][presses % 3])
        presses += 1
        assert presses < 200
    assert sorted(set(seen)) == list(range(look.slides(live) - 1))
    live.keyboard.press("ArrowLeft")
    while at(live):
        live.keyboard.press("PageUp")
    live.keyboard.press("End")
    assert at(live) == look.slides(live) - 1


def test_a_slider_moves_and_its_picture_changes(live):
    go_to(live, ".kmlab-view [role=slider]")
    handle = live.locator(".kmlab-view [role=slider]:visible").first
    picture = live.locator(".kmlab-view .kmlab-picture canvas:visible").first
    before, box, slide = picture.evaluate("c => c.kmlab.picture()"), picture.bounding_box(), at(live)
    handle.focus()
    live.keyboard.press("ArrowRight")
    live.wait_for_function(
        "before => [...document.querySelectorAll('.kmlab-picture canvas')].every(c => c.kmlab.picture() !== before)",
        arg=before,
    )
    assert at(live) == slide, "an arrow key on a slider moves the slider alone"
    live.wait_for_function(  # it may be drawn for another width first, while the page is still being laid out
        """([x, width]) => [...document.querySelectorAll('.kmlab-view .kmlab-picture canvas')].some(c => {
          const box = c.getBoundingClientRect(); return box.x === x && box.width === width; })""",
        arg=[box["x"], box["width"]],
    )
    live.keyboard.press("PageDown")
    assert at(live) == slide + 1 or live.evaluate(DECK + ".step") > 0, "a presenter's remote works all the same"


def test_code_folds_away_and_comes_back(live):
    go_to(live, ".kmlab-view")
    assert live.locator(".cm-content:visible").count() == 0
    live.evaluate("document.activeElement.blur()")
    live.keyboard.press("c")
    go_to(live, ".cm-content")
    assert live.locator(".cm-content:visible").count() >= 1
    assert look.problems(live) == []
    live.keyboard.press("c")
    assert live.evaluate(f"{DECK}.blocks.filter(block => block.isCode && block.cell.folded).length") == 0


def test_the_speaker_has_notes_in_another_window(live):
    number = live.evaluate(f"{DECK}.screens.findIndex(s => s.parts.some(part => part.block.cell.folded))")
    live.evaluate(f"number => {DECK}.go(number)", number)
    with live.expect_popup() as popup:
        live.keyboard.press("s")
    notes = popup.value
    assert notes.locator("h1").inner_text().startswith(f"{number + 1} / {look.slides(live)}")
    assert notes.locator("pre").count() >= 1, "the code that is folded away"
    assert re.search(r"\d:\d\d", notes.locator(".kd-time").inner_text())
    live.keyboard.press("Home")
    assert notes.locator("h1").inner_text().startswith("1 / ")
    notes.close()


def test_letters_touch_no_cell_and_escape_leads_back_to_the_notebook(live):
    before = live.locator(".jp-Notebook .jp-Cell").count()
    for key in "ddxabmy":  # b makes the screen black
        live.keyboard.press(key)
    assert live.locator(".kd-black").count() == 1
    live.keyboard.press("b")
    assert live.locator(".kd-black").count() == 0
    live.keyboard.press("o")
    assert live.locator(".kd-list button").count() == look.slides(live)
    live.keyboard.press("Escape")
    live.keyboard.press("Escape")
    assert live.locator(".kd-root, .kd-off, .kd-title").count() == 0
    assert live.locator(".jp-NotebookPanel-toolbar:visible").count() == 1
    assert live.locator(".jp-Notebook .jp-Cell").count() == before


def test_one_click_in_jupyterlab_shows_the_slides(live):
    if live.evaluate(DECK + " !== null"):
        live.keyboard.press("Escape")
    live.locator(".jp-NotebookPanel-toolbar").get_by_text("Slides", exact=True).click()
    look.wait_for_deck(live)
    assert live.locator(".kd-title").inner_text() and live.locator(".kmlab-view [role=slider]").count() > 0


def test_interact_in_a_notebook_of_ones_own_works_on_its_slide(live):
    """The last of these: it leaves notebook 00."""
    live.goto(live.own)
    look.wait_for_deck(live)
    live.wait_for_function("document.querySelector('.widget-interact img')", timeout=120_000)
    look.settle(live)
    live.keyboard.press("End")
    live.locator(".noUi-handle:visible").focus()
    live.keyboard.press("ArrowRight")
    live.locator("text=a is 3").wait_for()
    look.settle(live)
    assert at(live) == look.slides(live) - 1 == 1 and live.locator(".widget-interact img:visible").count() == 1
    assert look.problems(live) == []


def test_the_extension_is_what_jupyterlab_loads():
    folder = slides.DECK.parent
    package = json.loads((folder / "package.json").read_text())
    assert (folder / package["jupyterlab"]["_build"]["load"]).is_file()
    assert package["name"] == Path(folder).name
