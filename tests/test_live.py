"""Live pages: pictures and exercises answer in a browser of which nothing but this machine can be reached.

Three pages are made, 06, 00 and homework 1, and one Chromium reads them; the tests go on where the one before has left
the page.
"""

import contextlib
import functools
import http.server
import json
import re
import threading
from pathlib import Path
from urllib.parse import urlparse

import browser
import pytest
from axe_playwright_python.sync_playwright import Axe

from publish import live, site
from publish.live import inside

PAGES = "06_kernel_pca", "00_start_here", "homework_1"
PLACE = "/courses/kernels"
[POLICY] = re.findall("^ *(default-src .*)", (site.ROOT / "docs/hosting.md").read_text(encoding="utf-8"), re.M)
MOST_LOADED = 30e6  # bytes for the first live picture
RIGHT = 'answer = 9\ncheck("6.2", answer)'
DEEP = "x = []\nfor _ in range(10**6): x = [x]\nrepr(x)"
KEPT = "workers = []; Worker = class extends Worker { constructor(...all) { super(...all); workers.push(this); } }"


class Handler(http.server.SimpleHTTPRequestHandler):
    """A web host with the site in a folder of its own, the policy of docs/hosting.md, and odd ideas of types."""

    asked, dies_at = [], None
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/plain", ".bin": "text/plain"}

    def translate_path(self, path):
        return super().translate_path(path.removeprefix(PLACE) if path.startswith(PLACE) else "/nowhere")

    def end_headers(self):
        waits = "script-src 'unsafe-eval'" if ".html" in self.path else "script-src"  # as playwright does, in a page
        self.send_header("Content-Security-Policy", POLICY.replace("script-src", waits))
        super().end_headers()

    def do_GET(self):
        self.asked.append(self.path)
        if self.dies_at and self.dies_at in self.path:  # in the middle of a file
            content = Path(self.translate_path(self.path)).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            return self.wfile.write(content[: len(content) // 2])
        super().do_GET()

    def log_message(self, *args):
        pass

    def handle(self):
        with contextlib.suppress(ConnectionError):
            super().handle()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if not browser.find_chromium():
        pytest.skip("needs Chromium or Chrome")
    folder = tmp_path_factory.mktemp("live")
    try:
        site.build(folder, True, [path for path in site.all_notebooks() if path.stem in PAGES])
    except ConnectionError as error:
        pytest.skip(str(error))
    return folder


@pytest.fixture(scope="module")
def page(folder):
    """A page whose address is known; whatever leaves this machine is refused and noted, as is every complaint."""
    handler = functools.partial(Handler, directory=str(folder))
    options = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with browser.chromium_page(1280, 900, *options) as page:
            page.address, page.outside, page.complaints = f"http://127.0.0.1:{server.server_port}{PLACE}/", [], []
            page.context.on("request", lambda request: note(page, request.url))
            page.on("console", lambda message: page.complaints.append(message.text))
            page.on("pageerror", lambda error: page.complaints.append(str(error)))
            page.add_init_script(KEPT)
            yield page
            assert not page.outside and not page.complaints
        server.shutdown()


def note(page, address):
    if urlparse(address).scheme not in ("blob", "data") and urlparse(address).hostname != "127.0.0.1":
        page.outside.append(address)


def view(page, number=0):
    return page.locator(".live-view").nth(number)


def caption(page, number=0):
    return view(page, number).locator("figcaption:visible").first.inner_text()


def wait_for_caption(page, words, number=0):
    page.wait_for_function(
        "([number, words]) => document.querySelectorAll('.live-view')[number].querySelector('.live-canvas figcaption')"
        "?.textContent.includes(words)",
        arg=[number, words],
    )


def exercise(page, cell):
    return page.locator(f'.exercise[data-cell="{cell}"]')


def answer(page, cell, text, *keys):
    """Writes into the editor, runs, and waits; -> what is said."""
    place = exercise(page, cell)
    place.locator("textarea").fill(text)
    if keys:
        place.locator("textarea").press(*keys)
    else:
        place.get_by_role("button", name="Run").click()
    place.locator("button:text('Run'):enabled").wait_for()
    return place.locator(".said").inner_text()


# ---- before the start


def test_a_page_has_its_pictures_and_its_controls_before_python_is_asked_for(page):
    page.goto(f"{page.address}{PAGES[0]}.html")
    width = view(page).get_by_role("slider", name="kernel width", exact=True)
    width.wait_for()
    assert width.get_attribute("aria-valuetext") == "1.2"
    assert view(page).get_by_role("textbox", name="kernel width, typed").input_value() == "1.2"
    assert view(page).locator("figure img").is_visible()
    assert page.get_by_role("button", name="Make this page live").is_visible()
    assert view(page).get_by_role("button", pressed=True).inner_text() == "0"  # class of a new point
    assert not [path for path in Handler.asked if path.endswith(".bin")]


def test_without_a_script_and_from_disk_a_page_shows_its_pictures_and_all_frames(page, folder):
    text = (folder / f"{PAGES[0]}.html").read_text(encoding="utf-8")
    stored = [cell for cell in site.code_cells(site.ROOT / f"notebooks/{PAGES[0]}.ipynb") if site.is_view(cell)]
    frames = [re.match(r"Frame \d+ of (\d+)", "".join(cell["outputs"][-1]["data"]["text/plain"])) for cell in stored]
    [frames] = [int(found[1]) for found in frames if found]
    plain = page.context.browser.new_context(java_script_enabled=False).new_page()
    disk = page.context.browser.new_page()
    disk.on("console", lambda message: page.complaints.append(message.text))
    for other, address in ((plain, f"{page.address}{PAGES[0]}.html"), (disk, (folder / f"{PAGES[0]}.html").as_uri())):
        other.goto(address)
        assert other.locator(".strip img:visible").count() == frames > 5
        assert other.locator(".live-view > figure > img").count() == len(stored) == text.count('class="live-view"')
        assert not other.locator("input, textarea, button").count()
        other.close()


# ---- the first touch


def test_when_the_server_dies_on_the_way_a_sentence_says_so(page, monkeypatch):
    monkeypatch.setattr(Handler, "dies_at", "python-")
    page.get_by_role("button", name="Make this page live").click()
    page.get_by_text("be loaded: the server has stopped answering. Look at the connection, and try again.").wait_for()
    assert page.get_by_role("button", name="Try again").is_visible()
    page.complaints.clear()  # the browser's own, of half a file


def test_the_first_key_on_a_slider_brings_the_page_to_life(page, folder):
    before = caption(page)
    slider = view(page).get_by_role("slider", name="kernel width", exact=True)
    slider.press("ArrowRight")
    page.wait_for_function("/[1-9].* of .* MB/.test(document.querySelector('.live-bar').textContent)")
    wait_for_caption(page, "Kernel width 1.3")
    assert before.startswith("Kernel width 1.2") and slider.evaluate("slider => slider === document.activeElement")
    assert not view(page).locator("figure img").is_visible()
    loaded = {path for path in Handler.asked if "/live/" in path}
    assert sum((folder / path.removeprefix(f"{PLACE}/")).stat().st_size for path in loaded) <= MOST_LOADED
    assert not any("rest-" in path for path in loaded)


def test_of_many_moves_the_last_one_wins_and_not_all_are_drawn(page):
    page.evaluate("""() => {
        window.drawn = 0;
        const view = document.querySelector('.live-view'), slider = view.querySelector('input[type=range]');
        view.addEventListener('kmlab-frame', () => window.drawn++);
        for (let i = 0; i < 30; i++) { slider.value = 10 + i; slider.dispatchEvent(new Event('input')); }
    }""")
    last = view(page).get_by_role("slider", name="kernel width", exact=True).get_attribute("aria-valuetext")
    wait_for_caption(page, f"Kernel width {last}:")
    assert page.evaluate("window.drawn") <= 3


def test_a_point_is_moved_by_the_keys_alone(page):
    view(page).get_by_role("textbox", name="kernel width, typed").fill("1.2")
    page.keyboard.press("Enter")
    wait_for_caption(page, "Kernel width 1.2: 99%")
    for _ in range(8):  # over the palette to the picture
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "CANVAS":
            break
    page.keyboard.press("PageDown")
    state = "canvas => canvas.kmlab.state().hand.X[0]"
    before = view(page).locator("canvas").evaluate(state)
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function(
        "canvas => { const {reply, asked} = canvas.kmlab.state(); return reply === asked; }",
        arg=view(page).locator("canvas").element_handle(),
    )
    assert view(page).locator("canvas").evaluate(state)[0] > before[0]
    view(page).get_by_role("button", name="reset").press("Enter")
    page.wait_for_function(f"x => ({state})(document.querySelector('.live-view canvas'))[0] === x", arg=before[0])


def test_steps_are_walked_through(page):
    number = page.evaluate("""() => [...document.querySelectorAll('.live-view')]
        .findIndex(view => [...view.querySelectorAll('button')].some(button => button.textContent === 'Forward'))""")
    view(page, number).scroll_into_view_if_needed()
    view(page, number).get_by_role("button", name="Forward").click()
    wait_for_caption(page, "Frame 2 of", number)
    assert not view(page, number).locator(".strip").is_visible()


def test_a_live_page_can_be_used_by_all_and_in_the_dark(page):
    page.emulate_media(color_scheme="dark")
    inverted = "getComputedStyle(document.querySelector('.live-canvas canvas')).filter.startsWith('invert')"
    page.wait_for_function(inverted)
    found = Axe().run(page, context=".live-bar, .live-view, .exercise")
    page.emulate_media(color_scheme="light")
    assert not found.violations_count, found.generate_report()


# ---- exercises


def test_an_exercise_says_what_is_wrong_and_what_is_right(page):
    assert "before centring" in answer(page, "06-53", 'answer = 10\ncheck("6.2", answer)')
    said = answer(page, "06-53", 'answer = 9\nprint("nine")\ncheck("6.2", answer)\nrings.shape', "Shift+Enter")
    assert "nine" in said and "Exercise 6.2: correct." in said and "(120, 2)" not in said.split("correct.")[0]


def test_an_exception_names_the_reader_s_own_line(page):
    said = answer(page, "06-53", "def half(x):\n    return x / 0\n\nhalf(9)")
    assert "line 4: half(9)\nline 2: return x / 0\nZeroDivisionError: division by zero" in said
    assert "SyntaxError" in answer(page, "06-53", "answer = = 9")


def test_a_reader_s_own_code_may_draw_look_again_and_say_nothing(page):
    place = exercise(page, "06-53")
    answer(
        page, "06-53", 'import matplotlib.pyplot as plt\nplt.title("$x^2$")\nplt.show()\nplt.plot(rings[:, 0])\n1 / 0'
    )
    assert place.locator(".said img").count() == 2 and "ZeroDivisionError" in place.inner_text()
    explore = "from kmlab.show import explore, slider\nfrom kmlab.course.drawings import start_here\n"
    answer(page, "06-53", explore + "explore(start_here.unroll, move=slider(0.0, 1.0))")
    assert place.locator(".said figure img").is_visible() and not place.locator(".said .wrong").count()
    assert "Run this cell" not in place.inner_text()
    assert answer(page, "06-53", "") == "" and "It ran, and printed nothing." in place.inner_text()
    assert "write the value into your code" in answer(page, "06-53", "input()")


def test_a_loop_without_end_is_stopped_and_the_page_comes_back(page):
    place = exercise(page, "06-53")
    place.locator("textarea").fill('while True:\n    print("again")')
    place.get_by_role("button", name="Run").click()
    place.get_by_text("again").wait_for()
    place.get_by_role("button", name="Stop").click()
    assert "Stopped." in place.inner_text()
    place.locator("textarea").fill(RIGHT)
    place.get_by_role("button", name="Run").click()
    late = "[new ErrorEvent('error', {message: 'late'}), new MessageEvent('message', {data: {ran: '06-53'}})]"
    page.evaluate(f"{late}.forEach(event => workers.at(-2).dispatchEvent(event))")  # from the one that was stopped
    place.locator("button:text('Run'):enabled").wait_for()
    assert "correct" in place.locator(".said").inner_text()


def test_python_is_not_used_again_when_it_has_lost_its_stack(page):
    assert "call stack" in answer(page, "06-53", DEEP)
    assert "Python starts again" in exercise(page, "06-53").inner_text()
    assert page.get_by_role("button", name="Make this page live").is_visible()
    page.complaints.clear()  # Pyodide's own
    assert "correct" in answer(page, "06-53", RIGHT)


def test_the_reader_s_text_stays_and_can_be_taken_back(page):
    page.reload()
    place = exercise(page, "06-53")
    assert place.locator("textarea").input_value() == RIGHT
    place.get_by_role("button", name="Reset").click()
    assert place.locator("textarea").input_value() == 'answer = ...\ncheck("6.2", answer)'


def test_tab_indents_and_after_escape_leaves(page):
    text = exercise(page, "06-53").locator("textarea")
    text.fill("def f():")
    text.press("End")
    text.press("Enter")
    text.press_sequentially("if x:")
    text.press("Enter")
    text.press_sequentially("pass")
    text.press("Shift+Tab")
    assert text.input_value() == "def f():\n    if x:\n    pass"
    text.press("Tab")
    assert text.input_value() == "def f():\n    if x:\n        pass" or text.input_value().endswith("pass    ")
    text.press("Escape")
    text.press("Tab")
    assert not text.evaluate("text => text === document.activeElement")


# ---- another page, a phone


def test_another_page_starts_from_what_the_browser_keeps_and_fits_a_phone(page):
    Handler.asked.clear()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{page.address}{PAGES[1]}.html")
    page.get_by_role("button", name="Make this page live").click()
    view(page).locator("canvas").wait_for()
    page.wait_for_function("document.querySelector('.live-view canvas').kmlab.state().scene.stacked")
    assert not [path for path in Handler.asked if path.endswith(".bin")]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_error_is_a_sentence_under_the_last_good_picture(page):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("""() => {
        const menu = document.querySelector('.live-view select');
        menu.add(new Option('no such data'));
        menu.selectedIndex = menu.options.length - 1;
        menu.dispatchEvent(new Event('change'));
    }""")
    page.locator(".live-view [role=alert]:visible").first.wait_for()
    assert view(page).locator("canvas").is_visible()


# ---- homework

GRAPH = """def neighbour_graph(X, k):
    far = cdist(X, X)
    np.fill_diagonal(far, np.inf)
    W = np.zeros_like(far)
    np.put_along_axis(W, far.argsort(1)[:, :k], 1, 1)
    return np.fmax(W, W.T)"""


def test_a_part_of_the_homework_is_checked_on_its_page_and_the_text_stays(page):
    page.goto(f"{page.address}{PAGES[2]}.html")
    assert page.locator(".exercise").count() == 5  # all parts that are code, and no check of its own
    assert "1a: " in (said := answer(page, "answer-1a", GRAPH.replace("np.fmax", "np.fmin"))) and "right" not in said
    assert "1a: right" in answer(page, "answer-1a", GRAPH, "Shift+Enter")
    page.reload()
    assert exercise(page, "answer-1a").locator("textarea").input_value() == GRAPH


# ---- without a browser


def made(*sources):
    return inside.Notebook([(str(i), source) for i, source in enumerate(sources)])


def test_only_what_a_cell_needs_is_run_and_nothing_is_printed(capsys):
    sources = "import math\nimport wave", "x = 2\ny = 1 / 0", "print(1 / 0)", "z = print('no') or math.sqrt(x)", "z + 1"
    notebook = made(*sources)
    assert notebook.view("4") == 2**0.5 + 1 and "wave" not in notebook.space and not capsys.readouterr().out


def test_a_name_is_what_it_was_at_that_place_whatever_has_run_before():
    notebook = made("x = 1", "[x]", "x = 2", "[x]", "x = x + 1", "[x]")
    assert [notebook.view(cell) for cell in ("5", "1", "3", "1", "5")] == [[3], [1], [2], [1], [3]]


def test_a_line_that_was_left_out_looks_at_what_was_there_then():
    notebook = made("y = 1", "[y]", "z = [y]", "y = 2", "[y]", "z")
    assert [notebook.view(cell) for cell in ("1", "4", "5", "4")] == [[1], [2], [1], [2]]


def test_a_function_s_own_names_are_not_looked_for(monkeypatch):
    said = []
    monkeypatch.setattr(inside, "tell", said.append)
    made("K = y = f = 1 / 0", "...").run("1", "def f(K, n=1):\n    y = [n for n in (K, n)]\n    return y\nf(3)")
    assert said[-1]["said"] == {"text/plain": "[3, 1]"}


def test_what_a_method_changes_or_a_function_looks_at_is_run():
    notebook = made("seen = []\ndef f():\n    return seen + [late]", "seen.append(1)", "late = 2", "f()")
    assert notebook.view("3") == [1, 2]


@pytest.mark.parametrize("line", ["x += 1", "x[0] = 3", "del x", "x = x + 1", "print(f'{x}')"])
def test_an_answer_finds_what_it_looks_at_however_it_does(line, monkeypatch):
    said = []
    monkeypatch.setattr(inside, "tell", said.append)
    made("import numpy as np\nx = print('stands in the page') or np.zeros(2)", "...", "...").run("1", line)
    assert not [message for message in said if "error" in message["said"] or "stands" in str(message)], said


def test_an_answer_is_looked_at_with_all_answers_in_place(monkeypatch):
    said = []
    monkeypatch.setattr(inside, "tell", said.append)
    notebook = made("def check(*x): print(x)", "def f(): pass", "check(f())", "y = ...", "check(y)")
    written = [["1", "def f(): return 3"], ["3", "y = f() + 1"]]
    notebook.run("3", "y = f() + 1", json.dumps(["4"]), json.dumps(written))
    assert "".join(message["said"]["text"] for message in said).strip() == "(4,)"


def test_a_module_of_the_second_archive_that_does_not_come_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(inside, "PLACE", tmp_path)
    (tmp_path / "rest.json").write_text('["seldom"]')

    def no_answer():
        raise OSError("NetworkError")

    monkeypatch.setattr(inside, "fetch_rest", no_answer)
    rest = inside.Rest()
    assert rest.find_spec("other") is None
    for _ in range(2):  # it is asked for again, and again
        with pytest.raises(ImportError, match="^seldom comes with a second archive, .* mend the connection"):
            rest.find_spec("seldom")


def test_matplotlib_knows_of_no_font_that_is_not_in_the_archive():
    fonts = [{"fname": f"fonts/ttf/{name}.ttf"} for name in ("DejaVuSans", "cmr10", "STIXGeneral")]
    kept = json.loads(live.of_our_fonts(json.dumps({"ttflist": fonts, "afmlist": [1], "_version": 1}).encode()))
    assert kept == {"ttflist": fonts[:1], "afmlist": [], "_version": 1}


def test_the_archive_holds_what_was_put_into_it():
    import gzip

    content = gzip.decompress(live.pack({"a/b": b"12", "c": b"3"}))
    length = int.from_bytes(content[:4], "little")
    assert json.loads(content[4 : 4 + length]) == [["a/b", 2], ["c", 1]] and content[4 + length :] == b"123"
