"""Slides: a living notebook in JupyterLab with the network cut off, and the pages that are handed out.

python tests/look_at_slides.py asks the same of every deck, on three screens and in both themes, and shows all slides.
"""

import base64
import json
import os
import re
import signal
import time
from pathlib import Path

import nbformat
import pytest

slides = pytest.importorskip("publish.slides")
look = pytest.importorskip("look_at_slides", reason="playwright is not installed: python3 course.py test installs it")
browser = look.browser
pytestmark = pytest.mark.skipif(not browser.find_chromium(), reason="no Chromium found: apt install chromium")
NOTEBOOKS = browser.PROJECT / "notebooks"
FIRST, LECTURE, KPCA = (
    NOTEBOOKS / name for name in ("00_start_here.ipynb", "lectures/lecture_004.ipynb", "06_kernel_pca.ipynb")
)
DECKS = [FIRST, KPCA, LECTURE]
DECK = "kmlabDeck.current"


@pytest.fixture(scope="module")
def handout(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handout") / "Folien Übung"
    slides.write(DECKS, folder)
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


@pytest.fixture
def opened(handout, page):
    def opened(notebook):
        page.set_viewport_size({"width": look.WIDTH, "height": look.HEIGHT})
        page.goto((handout / notebook.with_suffix(".html").name).as_uri())
        look.wait_for_deck(page)
        return page

    return opened


def at(page):
    return page.evaluate(DECK + ".at")


def find(page, what):
    """Shows the first slide of which this is true."""
    number = page.evaluate(f"{DECK}.slides.findIndex(slide => {what})")
    assert number >= 0, f"of no slide is it true that {what}"
    look.go(page, number)
    return number


# ---- to hand out


@pytest.mark.parametrize("notebook", DECKS, ids=lambda path: path.stem)
def test_every_slide_is_full_fits_its_screen_and_can_be_read(notebook, opened):
    page = opened(notebook)
    assert look.problems(page) == []
    assert page.outside == [] and page.errors == []
    assert page.locator("merror").count() == 0


def test_on_other_screens_and_in_the_dark_they_are_the_same_slides(opened):
    page = opened(KPCA)
    names = page.evaluate(f"{DECK}.slides.map(slide => slide.name)")
    look.go(page, 20)
    for (width, height), is_dark in zip(look.SCREENS[1:], (False, True), strict=True):
        look.resize(page, width, height)
        look.theme(page, is_dark)
        assert at(page) == 20, "resizing stays on the slide"
        assert page.evaluate(f"{DECK}.slides.map(slide => slide.name)") == names
        assert look.problems(page, steps=False) == []
        look.go(page, 20)
    look.theme(page, False)
    look.resize(page, look.WIDTH, look.HEIGHT)


@pytest.mark.parametrize(
    "style, complaint",
    [
        (".kd-text { font-size: 20px !important; }", "type of 20.0 pixels"),
        (".kd-dark .kd-table td { color: #333 !important; }", "contrast of"),
        (".kd-root .kd-figure .jp-RenderedImage > img { width: 500px !important; }", "picture with type"),
        (".kd-side { scale: 0.2; }", "of the height"),
        (".kd-side { translate: 0 500px; }", "leaves the slide"),
    ],
)
def test_what_looks_at_slides_sees_what_is_wrong(style, complaint, opened):
    page = opened(FIRST)
    look.theme(page, True)
    page.add_style_tag(content=style)
    assert any(complaint in problem for problem in look.problems(page, steps=False))


def test_every_slide_has_a_headline_of_its_own_that_says_something(opened):
    for notebook in DECKS:
        assert look.headlines(opened(notebook)) == []


def test_pages_of_a_lecture_come_in_its_order(opened):
    sections = opened(LECTURE).evaluate(f"{DECK}.slides.map(slide => slide.section.text)")
    pages = [int(found[1]) for found in (re.match(r"s(\d+)\S* · ", section) for section in sections) if found]
    assert pages == sorted(pages) and pages[0] == 2 and pages[-1] == 28


@pytest.mark.parametrize("notebook", DECKS, ids=lambda path: path.stem)
def test_what_is_not_on_a_slide_is_in_its_notes(notebook, opened):
    page = opened(notebook)
    said = page.evaluate(
        f"""() => {{ const deck = {DECK}, all = [];
      for (const slide of deck.slides) {{
        const parts = slide.states.flat().map(part => deck.partOf(part).textContent);
        all.push(slide.name, slide.section?.text, ...parts, ...slide.notes.map(node => node.textContent));
      }}
      return all.join(' '); }}"""
    )
    known = set(re.findall(r"\w+", said.lower()))
    for cell in nbformat.read(notebook, 4).cells:
        if cell.cell_type == "markdown" and cell.metadata.slideshow.slide_type != "skip":
            prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|<[^>]*>|\]\([^)]*\)", " ", cell.source, flags=re.S)
            assert set(re.findall(r"[^\W\d_]{4,}", prose.lower())) <= known, cell.id


def test_an_author_can_keep_a_text_whole_and_say_the_headline(tmp_path, page):
    prose = "One short sentence stands here. " + "This one is longer than what a slide would show of it. " * 6
    cells = [
        nbformat.v4.new_markdown_cell(prose, metadata={"slideshow": {"slide_type": "slide"} | marks})
        for marks in ({}, {"whole": True, "headline": "Said by the author"})
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "own.ipynb")
    slides.write([tmp_path / "own.ipynb"], tmp_path / "slides")
    page.goto((tmp_path / "slides/own.html").as_uri())
    look.wait_for_deck(page)
    shown = "number => { const deck = kmlabDeck.current; return deck.slides[number].states.flat()"
    shown += ".map(part => deck.partOf(part).textContent).join(' ').split(/\\s+/).length; }"
    assert page.evaluate(shown, 0) <= 40 < page.evaluate(shown, 1)
    assert page.evaluate(f"{DECK}.slides[1].name") == "Said by the author"


def test_a_notebook_that_knows_nothing_of_slides_can_be_handed_out(tmp_path, page):
    v4, dot = (
        nbformat.v4,
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
    )
    (tmp_path / "dot.png").write_bytes(base64.b64decode(dot))
    attached = v4.new_markdown_cell(
        "## Attached\n\n![](attachment:dot.png)", attachments={"dot.png": {"image/png": dot}}
    )
    results = [
        v4.new_output("stream", text="\n".join(map(str, range(3000)))),
        v4.new_output("stream", text="y" * 100_000),
        v4.new_output("error", ename="ZeroDivisionError", evalue="by zero", traceback=["..."]),
        v4.new_output("display_data", {"text/html": "<table><tr><td>a frame</td></tr></table>", "text/plain": "plain"}),
        v4.new_output("display_data", {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>", "text/plain": ""}),
        v4.new_output("display_data", {"text/plain": "<Figure>", "image/png": dot}),
    ]
    cells = [
        v4.new_raw_cell("for another program"),
        v4.new_markdown_cell("## From a file\n\n![](dot.png)\n\n<img src='dot.png'>"),
        attached,
        v4.new_markdown_cell("## Aligned\n\n\\begin{align}\na &= b\n\\end{align}\n\nand $\\nonsense{$"),
        *(v4.new_code_cell("print(1)", outputs=[result]) for result in results),
    ]
    for name, made in ("own", cells), ("empty", []):
        nbformat.write(v4.new_notebook(cells=made), tmp_path / f"{name}.ipynb")
    slides.write([tmp_path / "own.ipynb", tmp_path / "empty.ipynb"], tmp_path / "slides")
    page.goto((tmp_path / "slides/empty.html").as_uri())
    look.wait_for_deck(page)
    assert "nothing in this notebook" in page.locator(".kd-side").inner_text()
    page.goto((tmp_path / "slides/own.html").as_uri())
    look.wait_for_deck(page)
    said = page.evaluate(
        f"{DECK}.slides.map(slide => slide.items.map(item => item.node.textContent).join(' ')).join(' ')"
    )
    assert "ZeroDivisionError: by zero" in said and "more lines" in said and "a frame" in said
    assert "for another program" not in said and look.slides(page) < 15
    page.wait_for_function("[...document.querySelectorAll('main img')].every(image => image.complete)")
    assert page.locator("main img:not([src^='data:'])").count() == 0 < page.locator("main mtable").count()


def test_where_nothing_is_alive_nobody_is_asked_to_move_it_and_steps_are_a_strip(opened):
    page = opened(KPCA)
    views = page.evaluate(f"{DECK}.slides.flatMap((slide, i) => slide.figure?.isView ? [i] : [])")
    assert len(views) >= 6
    for number in views:
        look.go(page, number)
        seen = page.locator(".kd-title, .kd-side").all_inner_texts()
        assert not re.search(r"\b(Move|Drag|drag|Press|Go to width)\b", " ".join(seen))
    again = page.evaluate(f"{DECK}.slides.flatMap((slide, i) => slide.items.some(item => item.isAgain) ? [i] : [])")
    for number in again:
        look.go(page, number)
        assert not re.search(r"\b(Move|Drag|Then|click)\b", page.locator(".kd-side").inner_text())
    number = find(page, "slide.frames")
    assert page.locator(".kd-strip img").count() == page.evaluate(f"{DECK}.slide.states.length") > 2
    first = page.locator(".kd-steps .kd-caption").inner_text()
    page.keyboard.press("PageDown")
    assert at(page) == number and page.locator(".kd-steps .kd-caption").inner_text() != first


def test_the_handout_holds_all_it_needs_and_names_no_address_outside(handout):
    for file in handout.iterdir():
        if file.suffix != ".woff":
            text = re.sub(r'base64,[^"]*|xmlns="[^"]*"', "", file.read_text(encoding="utf-8"))
            assert not re.search(r"https?:|//[\w-]+\.\w", text), file
            for target in re.findall(r'(?:src|href)="([^"#:]+)"', text):
                assert (handout / target).is_file(), f"{file.name} leads to {target}"
    assert {path.with_suffix(".html").name for path in DECKS} | {"index.html"} == {
        file.name for file in handout.glob("*.html")
    }


def test_a_printed_handout_has_a_page_for_each_slide(opened):
    page = opened(KPCA)
    pages = page.evaluate(f"{DECK}.slides.reduce((sum, slide) => sum + (slide.frames ? 1 : slide.states.length), 0)")
    look.go(page, 7)
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type /Page\b", pdf)) == pages >= look.slides(page)
    assert len(pdf) > 300_000  # the pictures are on it
    assert page.evaluate("document.querySelector('.kd-paper')") is None and at(page) == 7


def test_one_goes_on_where_one_was(opened):
    page = opened(KPCA)
    look.go(page, 11)
    page.reload()
    look.wait_for_deck(page)
    page.wait_for_function(f"{DECK}.at === 11")
    page.evaluate("sessionStorage.clear()")  # as in another window
    page.reload()
    look.wait_for_deck(page)
    assert at(page) == 0 and "You were at slide 12" in page.locator(".kd-message").inner_text()
    page.keyboard.press("Enter")
    assert at(page) == 11
    page.evaluate("sessionStorage.clear(); localStorage.clear()")


def test_a_path_that_is_no_notebook_is_refused():
    with pytest.raises(SystemExit, match="nowhere.ipynb is no notebook"):
        slides.main(["nowhere.ipynb"])


# ---- live, in one run of `course.py slides`

FOREIGN = "from ipywidgets import interact\n\n\n@interact(x=(0, 9))\ndef show(x=3):\n    print('x is', x)"


@pytest.fixture(scope="module")
def live(page, tmp_path_factory):
    """Notebook 00 as slides, its views alive."""
    home = tmp_path_factory.mktemp("live")
    foreign = browser.write_notebook(home / "foreign.ipynb", FOREIGN)
    found = nbformat.read(foreign, 4)
    found.cells.insert(0, nbformat.v4.new_raw_cell("for another program"))
    nbformat.write(found, foreign)
    with look.live([FIRST, foreign], home) as (address, page.foreign):
        page.file = home / "notebooks" / FIRST.name
        page.before = page.file.read_bytes()
        page.set_viewport_size({"width": look.WIDTH, "height": look.HEIGHT})
        waiting = []  # what JupyterLab asks for before it restores anything
        page.route("**/lab/api/workspaces/**", lambda route: waiting.append(route))
        page.goto(address)
        look.wait_for_deck(page)
        page.is_before_jupyterlab = page.evaluate(f"{DECK}.panelOfLab === undefined")
        page.first_screen, page.early = page.locator(".kd-title").inner_text(), page.locator(".kd-stage img").count()
        for route in waiting:
            route.continue_()
        page.unroute("**/lab/api/workspaces/**")
        look.wait_until_alive(page)
        yield page
    assert page.outside == []


def test_the_command_opens_the_first_slide_with_the_stored_picture_before_jupyterlab_is_there(live):
    assert live.is_before_jupyterlab
    title = nbformat.read(FIRST, 4).cells[0].source.splitlines()[0].removeprefix("# ")
    assert live.first_screen == title and live.early == 1
    box = live.locator(".kd-root").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, look.WIDTH, look.HEIGHT)
    assert live.evaluate("document.elementFromPoint(640, 5).closest('.kd-root') !== null"), "JupyterLab covers it"


def test_living_slides_are_those_that_are_handed_out_and_fit_too(live, handout):
    for is_dark in (False, True):
        look.theme(live, is_dark)
        assert look.problems(live) == []
    look.theme(live, False)
    assert live.errors == []
    cells = f"{DECK}.slides.map(slide => slide.items.map(item => item.kind).join())"
    found = live.evaluate(cells)
    other = live.context.browser.new_page()
    other.goto((handout / FIRST.with_suffix(".html").name).as_uri())
    look.wait_for_deck(other)
    assert other.evaluate(cells) == found
    other.close()


def test_a_headline_is_the_sentence_as_it_stands_now(live):
    """Its formulas are set after the slides were planned."""
    number = find(live, "slide.lead")
    live.evaluate(f"{DECK}.slides[{number}].lead.append(' Set.')")
    look.go(live, number)
    assert live.locator(".kd-title").inner_text().endswith(" Set.")
    live.evaluate(f"{DECK}.slides[{number}].lead.lastChild.remove()")
    look.go(live, number)


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
    live.keyboard.press("1")
    live.keyboard.press("2")
    live.keyboard.press("Enter")
    assert at(live) == 11
    live.keyboard.press("o")
    live.keyboard.press("ArrowDown")
    live.keyboard.press("Enter")
    assert at(live) == 12 and live.locator(".kd-panel:visible").count() == 0


def view(page):
    find(page, "slide.figure?.isView")
    page.locator(".kd-host:not(.kd-off) [role=slider]").first.wait_for()
    return page.locator(".kd-host:not(.kd-off) [role=slider]").first


def drawn(page):
    return page.evaluate("document.querySelector('.kd-host:not(.kd-off) .kmlab-picture canvas').kmlab.picture()")


def moved(page, handle, before):
    handle.focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function(
        "before => document.querySelector('.kd-host:not(.kd-off) .kmlab-picture canvas').kmlab.picture() !== before",
        arg=before,
    )


def place(page):
    return page.evaluate(f"[{DECK}.at, {DECK}.state]")


def test_a_slider_has_keys_of_its_own_and_a_remote_turns_the_slide_all_the_same(live):
    handle, slide = view(live), at(live)
    moved(live, handle, drawn(live))
    assert at(live) == slide, "up and down on a slider move the slider alone"
    live.keyboard.press("Escape")
    assert live.evaluate(f"{DECK} !== null && document.activeElement === document.body"), "Esc leaves the slider"
    for what in ("[role=slider]", ".widget-readout, input", "canvas[tabindex]"):
        for key in ("ArrowRight", "PageDown"):
            view(live)
            live.locator(f".kd-host:not(.kd-off) :is({what})").first.focus()
            live.keyboard.press(key)
            assert place(live) != [slide, 0], (what, key)
            live.keyboard.press(key.replace("Right", "Left").replace("Down", "Up"))
            assert place(live) == [slide, 0], (what, key)
    handle = view(live)
    handle.focus()
    live.keyboard.press("b")
    assert live.locator(".kd-black").count() == 1, "a letter means on a slider what it means elsewhere"
    live.keyboard.press("b")
    handle = view(live)
    box = handle.bounding_box()
    live.mouse.move(box["x"] + 8, box["y"] + 8)
    live.mouse.down()
    live.mouse.move(box["x"] + 60, box["y"] + 8, steps=4)
    live.mouse.up()
    live.wait_for_function("document.activeElement === document.body")  # a drag that has ended


def test_picture_sliders_and_questions_share_a_slide_and_answers_wait_for_a_key(live):
    view(live)
    find(live, "slide.figure?.isView && slide.asks")
    states = live.evaluate(DECK + ".slide.states.length")
    asked = []
    for _ in range(states):
        assert live.locator(".kd-host:not(.kd-off) [role=slider]").count() > 0
        asked += live.locator(".kd-state.kd-now li").all_inner_texts()
        live.keyboard.press("PageDown")
    assert len(asked) >= 3
    live.keyboard.press("PageUp")
    assert live.locator(".kd-answer:visible").count() == 0
    live.keyboard.press("a")
    assert "About 0.3" in live.locator(".kd-answer").inner_text()
    live.keyboard.press("a")
    assert live.locator(".kd-answer:visible").count() == 0


def test_the_speaker_has_notes_clocks_and_the_next_slide_in_another_window(live):
    number = find(live, "slide.figure?.isView")
    with live.expect_popup() as popup:
        live.keyboard.press("s")
    notes = popup.value
    assert notes.locator("h1").inner_text().startswith(f"{number + 1} / {look.slides(live)}")
    assert notes.locator("pre").count() >= 1, "the code that is folded away"
    assert "What you should have seen" in notes.locator(".kd-said").inner_text()
    assert re.fullmatch(r"\d+:\d\d", notes.locator(".kd-spent").inner_text())
    notes.locator(".kd-clocks input").fill("50")
    assert notes.locator(".kd-left").inner_text().startswith("4")
    assert notes.locator(".kd-coming h2").inner_text().startswith(f"next: {number + 2}")
    before = place(live)
    notes.keyboard.press("PageDown")
    assert place(live) != before, "also while the minutes are typed"
    notes.locator("h1").click()
    notes.keyboard.press("Home")
    assert at(live) == 0
    live.keyboard.press("PageDown")
    assert notes.locator("h1").inner_text().startswith(f"{at(live) + 1} / ")
    notes.close()


def test_pointer_pen_code_and_black_screen(live):
    find(live, "slide.figure?.isView")
    for key, name in (("b", "kd-black"), ("l", "kd-pointing"), ("d", "kd-drawing")):
        live.keyboard.press(key)
        assert live.locator(f".{name}").count() == 1
        if key == "d":
            live.mouse.move(300, 300)
            live.mouse.down()
            live.mouse.move(400, 350)
            live.mouse.up()
            ink = "document.querySelector('.kd-pen').getContext('2d').getImageData(0, 0, 1280, 720).data.some(Boolean)"
            assert live.evaluate(ink)
            live.keyboard.press("e")
            assert not live.evaluate(ink)
        live.keyboard.press("Escape")
        assert live.locator(f".{name}").count() == 0
    live.keyboard.press("c")
    assert "explore(" in live.locator(".kd-panel").inner_text()
    live.keyboard.press("Escape")


def test_a_kernel_that_dies_says_so_and_one_key_brings_it_back(live):
    handle = view(live)
    moved(live, handle, drawn(live))
    live.keyboard.press("Escape")
    last = drawn(live)
    process = live.evaluate(
        """async () => { const {kernel} = kmlabDeck.current.panelOfLab.sessionContext.session;
      const future = kernel.requestExecute({code: 'import os; print(os.getpid())', store_history: false});
      let said = ''; future.onIOPub = message => { said += message.content.text ?? ''; };
      await future.done; return +said; }"""
    )
    os.kill(process, signal.SIGKILL)
    live.locator(".kd-message:visible", has_text="Press R").wait_for()
    assert live.locator(".kd-figure img").get_attribute("src") == last, "the last picture stays"
    live.keyboard.press("r")
    live.wait_for_function(f"{DECK}.message.hidden")
    look.wait_until_alive(live)
    moved(live, view(live), drawn(live))
    live.keyboard.press("Escape")
    assert live.locator(".jp-Dialog").count() == 0


def test_letters_touch_no_cell_and_escape_leads_back_to_an_unchanged_notebook(live):
    for key in "ddxamy":
        live.keyboard.press(key)
    for _ in range(5):
        if live.evaluate(DECK + " !== null"):
            live.keyboard.press("Escape")
    assert live.locator(".kd-root, .kd-title, .kd-host").count() == 0
    assert live.locator(".jp-NotebookPanel-toolbar:visible").count() == 1
    time.sleep(1)
    assert live.locator(".jp-mod-dirty").count() == 0
    assert live.file.read_bytes() == live.before


def test_one_click_in_jupyterlab_shows_the_slides(live):
    live.locator(".jp-NotebookPanel-toolbar").get_by_text("Slides", exact=True).click()
    look.wait_for_deck(live)
    assert live.locator(".kd-title").inner_text()


def test_a_cell_with_interact_is_shown_whole(live):
    live.goto(live.foreign)
    look.wait_for_deck(live)
    live.locator(".kd-host:not(.kd-off) [role=slider]").wait_for()
    live.locator(".kd-host:not(.kd-off)", has_text="x is 3").wait_for()
    assert look.slides(live) == 1
    live.locator(".kd-host:not(.kd-off) [role=slider]").focus()
    live.keyboard.press("ArrowUp")
    live.locator(".kd-host:not(.kd-off)", has_text="x is 4").wait_for()


def test_the_extension_is_what_jupyterlab_loads():
    folder = slides.DECK.parent
    package = json.loads((folder / "package.json").read_text())
    assert (folder / package["jupyterlab"]["_build"]["load"]).is_file()
    assert package["name"] == Path(folder).name
