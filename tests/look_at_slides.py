"""Looks at every slide of every deck: python tests/look_at_slides.py [--live] [--quick] [NOTEBOOK ...]

At three sizes of the screen and in both themes it looks for slides that overflow, are more than half empty, have small
type or letters that can hardly be told from their ground, and numbers that differ from screen to screen; --live does
it in a real JupyterLab, with every slider at both ends. Pictures of all slides go into look-at-slides/.
"""

import io
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import browser
from PIL import Image

WIDTH, HEIGHT = 1280, 720
SCREENS = (1280, 720), (1920, 1080), (1024, 768)
TYPE = 24  # pixels on a screen of 1280 x 720
# What a picture shows at the size it has in the notebook: tick labels of 13 points at 100 pixels an inch. The tenth row
# sits about six heights of the screen away; letters that cover 7 minutes of arc there can be read.
PICTURE_TYPE = 13 * 100 / 72
PICTURE_LEAST = 6 * HEIGHT * math.tan(math.radians(7 / 60)) / 0.73
SAYS_NOTHING = {"Why", "Play", "The question", "The idea", "The source", "Step by step", "Where it breaks"}
CUT_OFF = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

PROBLEMS = """([least, pictureType, pictureLeast]) => {
  const deck = kmlabDeck.current, {stage, title, root, u} = deck, found = [];
  const say = (what, text = '') => found.push(
    `slide ${deck.at + 1}.${deck.state + 1} (${title.textContent.slice(0, 40)}): ${what}: ${text.trim().slice(0, 60)}`);
  const inside = stage.getBoundingClientRect();
  const isSeen = node => node.checkVisibility({visibilityProperty: true}) && !node.closest('.kd-off');
  const beyond = box => box.left < -1 || box.right > innerWidth + 1
    || box.top < inside.top - 2 || box.bottom > inside.bottom + 2;
  const color = text => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const bright = c => c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * bright(r / 255) + 0.7152 * bright(g / 255) + 0.0722 * bright(b / 255);
  const ground = node => {
    for (; node; node = node.parentElement) {
      const [r, g, b, a = 1] = color(getComputedStyle(node).backgroundColor);
      if (a > 0.5) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const contrast = node => {
    const [a, b] = [light(color(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  let top = Infinity, bottom = -Infinity, left = Infinity, right = -Infinity, words = 0;
  const takes = box => {
    [top, left] = [Math.min(top, box.top), Math.min(left, box.left)];
    [bottom, right] = [Math.max(bottom, box.bottom), Math.max(right, box.right)];
  };
  const unseen = '.kd-cells, .cells, mjx-assistive-mml, mjx-speech, option, style, script, [role=tooltip], '
    + '.kmlab-spoken, .kd-tools, .kd-message, annotation';
  const things = 'table, pre, .kd-claims, .kmlab-controls, .kmlab-palette, .kd-caption, figcaption';
  const pictures = [], walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const {currentNode: text, currentNode: {parentElement: parent}} = walk;
    if (!text.data.trim() || parent.closest(unseen) || !isSeen(parent)) continue;
    const boxes = [...text.data.matchAll(/\\S+/g)].flatMap(({0: word, index}) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return [...range.getClientRects()].filter(box => box.width > 0.5 && box.height > 0.5);
    });
    if (!boxes.length) continue;
    const isFormula = parent.closest('mjx-container, math');
    if (stage.contains(parent) && !isFormula) {
      boxes.forEach(takes);
      if (boxes.some(beyond)) say('leaves the slide', text.data);
      if (!parent.closest(things)) words += text.data.split(/\\s+/).filter(word => /\\w/.test(word)).length;
    }
    const size = parseFloat(getComputedStyle(parent).fontSize) * parent.currentCSSZoom / u;
    if (size < least - 0.3 && !isFormula) say(`type of ${size.toFixed(1)} pixels`, text.data);
    const rests = parent.closest(':disabled, .widget-label, [aria-disabled=true]');
    if (!rests && contrast(parent) < 3) say(`contrast of ${contrast(parent).toFixed(1)}`, text.data);
  }
  for (const picture of stage.querySelectorAll('img, canvas')) {
    const box = picture.getBoundingClientRect();
    if (!isSeen(picture) || picture.closest('.kd-strip') || box.width < 2) continue;
    takes(box);
    pictures.push(box);
    if (beyond(box)) say('picture leaves the slide', picture.alt ?? picture.ariaLabel ?? '');
    let natural = +picture.getAttribute('width') || picture.naturalWidth;
    try { natural = picture.kmlab.size()[0]; } catch { /* it stands still */ }
    const size = pictureType * box.width / u / natural;
    if (size < pictureLeast) say(`picture with type of ${size.toFixed(1)} pixels`);
  }
  for (const formula of stage.querySelectorAll('mjx-container > mjx-math, :not(mjx-assistive-mml) > math')) {
    if (!isSeen(formula)) continue;
    const box = formula.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(formula).fontSize) * formula.currentCSSZoom / u;
    takes(box);
    if (beyond(box)) say('formula leaves the slide', formula.textContent);
    if (size < least - 0.3) say(`formula of ${size.toFixed(1)} pixels`, formula.textContent);
  }
  for (const number of stage.querySelectorAll('.equation > .tag')) {
    const end = number.previousElementSibling.getBoundingClientRect().right;
    if (isSeen(number) && end > number.getBoundingClientRect().left + 1) say('formula runs into its number');
  }
  if (/\\$[^$]+\\$/.test(title.textContent)) say('formula not set');
  if (title.scrollHeight > 1.04 * title.clientHeight || title.scrollWidth > title.clientWidth + 2) say('long headline');
  if (!title.textContent.trim()) say('no headline');
  const text = deck.side && isSeen(deck.side) ? deck.side.getBoundingClientRect() : null;
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  if (text && pictures.some(box => meet(box, text))) say('words over a picture');
  if (bottom === -Infinity) say('is empty');
  else if (bottom - top < 0.5 * inside.height || right - left < 0.5 * inside.width) {
    say(`fills ${Math.round(100 * (bottom - top) / inside.height)} % of the height`);
  }
  if (words > 60 && !deck.slide.items.some(item => item.whole)) say(`${words} words`);
  return found;
}"""


def problems(page, steps=True):
    """Of every slide of the deck on the page, in all its states."""
    found = []
    for number in range(slides(page)):
        go(page, number)
        states = page.evaluate("kmlabDeck.current.slide.states.length") if steps else 1
        for state in range(states):
            if state:
                go(page, number, state)
            found += look(page)
    return found


def look(page):
    return page.evaluate(PROBLEMS, [TYPE, PICTURE_TYPE, PICTURE_LEAST])


def go(page, number, state=0):
    page.evaluate("([number, state]) => kmlabDeck.current.go(number, state)", [number, state])


def slides(page):
    return page.evaluate("kmlabDeck.current.slides.length")


def wait_for_deck(page):
    page.wait_for_function("window.kmlabDeck?.current?.title.textContent && kmlabDeck.current.panel")


def resize(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("u => Math.abs(kmlabDeck.current.u - u) < 1e-6", arg=min(width / WIDTH, height / HEIGHT))


def theme(page, is_dark):
    page.evaluate("isDark => kmlabDeck.current.theme(isDark)", is_dark)


@contextmanager
def live(notebooks, home):
    """`course.py slides` on a copy of the first notebook; -> the address of each, as it would open in the browser."""
    folder = home / "notebooks"
    folder.mkdir(parents=True)
    for notebook in notebooks:
        shutil.copy(notebook, folder)
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    environment = os.environ | {name: str(home / place) for name, place in places.items()}
    port, log = browser.free_port(), home / "log"
    command = [
        sys.executable,
        browser.PROJECT / "course.py",
        "slides",
        folder / notebooks[0].name,
        "--no-browser",
        f"--port={port}",
        "--ServerApp.port_retries=0",
    ]
    with log.open("w") as file:
        server = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    try:
        browser.wait_for(f"http://127.0.0.1:{port}/api", server, log)
        first = re.search(rf"http://127\.0\.0\.1:{port}/lab/workspaces/slides-[^/]*/tree/\S+", log.read_text())[0]
        yield [first.replace(notebooks[0].stem, notebook.stem) for notebook in notebooks]
    finally:
        server.terminate()  # it ends its kernels itself
        server.wait(timeout=60)


def wait_until_alive(page):
    """Until every cell has run and every view that a slide shows is drawn."""
    page.wait_for_function(
        """() => { const {current: deck} = kmlabDeck; return deck.status.textContent === '' && deck.slides.every(
          ({figure}) => !figure?.isView || figure.cell.isAwake); }""",
        timeout=600_000,
    )


SLIDERS = ".kd-host:not(.kd-off) .kd-this .noUi-target:not([disabled])"
MOVE = """([end, selector]) => { for (const slider of document.querySelectorAll(selector)) {
  const handle = slider.querySelector('.noUi-handle'); handle.focus();
  handle.dispatchEvent(new KeyboardEvent('keydown', {key: end, bubbles: true})); handle.blur(); } }"""


def at_both_ends(page):
    """What is wrong with the slides of living views when their sliders stand at either end."""
    found = []
    for number in range(slides(page)):
        go(page, number)
        if not page.evaluate("selector => document.querySelectorAll(selector).length", SLIDERS):
            continue
        for end in ("Home", "End"):
            page.evaluate(MOVE, [end, SLIDERS])
            page.wait_for_timeout(700)
            found += [f"{end}: {problem}" for problem in look(page)]
    return found


def contact_sheet(page, across=4):
    """All slides in one picture."""
    shots = []
    for number in range(slides(page)):
        go(page, number)
        shots.append(Image.open(io.BytesIO(page.screenshot())))
        shots[-1] = shots[-1].resize((640, 640 * shots[-1].height // shots[-1].width))
    high = shots[0].height + 10
    sheet = Image.new("RGB", (across * 650, -(-len(shots) // across) * high), "#888888")
    for i, shot in enumerate(shots):
        sheet.paste(shot, (i % across * 650 + 5, i // across * high + 5))
    return sheet


def check(page, name, folder, is_quick=False):
    """All screens and both themes; -> what is wrong."""
    found, counts = [], set()
    for width, height in SCREENS[:1] if is_quick else SCREENS:
        resize(page, width, height)
        counts.add(slides(page))
        for is_dark in (False,) if is_quick else (False, True):
            theme(page, is_dark)
            where = f"{width}x{height}{' dark' if is_dark else ''}"
            found += [f"{where} {problem}" for problem in problems(page)]
            if is_quick or (width, is_dark) in ((1280, False), (1024, True)):
                contact_sheet(page).save(folder / f"{name}-{where.replace(' ', '-')}.png")
    theme(page, False)
    resize(page, WIDTH, HEIGHT)
    found += headlines(page)
    return found + ([f"numbers differ from screen to screen: {sorted(counts)}"] if len(counts) > 1 else [])


def headlines(page):
    """Those that say nothing, those that only ask (but for a lecture's own pages), and those that come twice."""
    names = page.evaluate("kmlabDeck.current.slides.map(slide => slide.name)")
    asks = [name.endswith("?") and not re.match(r"[sp]\d", name) for name in names]
    return [f"headline: {name!r}" for i, name in enumerate(names) if asks[i] or name in {*names[:i], *SAYS_NOTHING, ""}]


def main(args):
    from publish import slides as handout

    is_live, is_quick = "--live" in args, "--quick" in args
    paths = [Path(name) for name in args if not name.startswith("--")] or handout.COURSE
    folder, bad, counts = Path("look-at-slides"), 0, {}
    handout.write(paths, folder / "pages")
    with browser.chromium_page(WIDTH, HEIGHT, CUT_OFF) as page:
        for path in paths:
            page.goto((folder / "pages" / path.with_suffix(".html").name).absolute().as_uri())
            wait_for_deck(page)
            bad += report(path.stem, page, check(page, path.stem, folder, is_quick))
            counts[path] = slides(page)
    for path in paths if is_live else []:
        with tempfile.TemporaryDirectory() as home, live([path], Path(home)) as (address,):
            with browser.chromium_page(WIDTH, HEIGHT, CUT_OFF) as page:
                page.goto(address)
                wait_for_deck(page)
                wait_until_alive(page)
                found = check(page, path.stem + "-live", folder, is_quick) + at_both_ends(page)
                if slides(page) != counts[path]:
                    found.append(f"{slides(page)} slides live and {counts[path]} handed out")
                bad += report(path.stem + ", live", page, found)
    print(f"Pictures of all slides are in {folder}/.")
    return 1 if bad else 0


def report(name, page, found):
    print(f"{name}: {slides(page)} slides, {len(found)} problems", *found, sep="\n  ", flush=True)
    return len(found)


if __name__ == "__main__":
    sys.path.insert(0, str(browser.PROJECT))
    sys.exit(main(sys.argv[1:]))
