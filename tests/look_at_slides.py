"""Looks at every slide of notebooks in a real JupyterLab, live: python tests/look_at_slides.py [NOTEBOOK ...]

Prints what overflows or is too small, and writes one picture of all slides of each notebook into look-at-slides/.
"""

import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import browser
from PIL import Image

WIDTH, HEIGHT = 1280, 720
# The tenth row sits about six heights of the screen away. Capital letters (0.73 of the type size) that cover 10 minutes
# of arc there, twice what a good eye just tells apart, need type of this many pixels:
SMALLEST = 6 * HEIGHT * math.tan(math.radians(10 / 60)) / 0.73
# What a picture shows at the size it has in the notebook: tick labels of 13 points at 100 pixels an inch.
PICTURE_TYPE = 13 * 100 / 72
CUT_OFF = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

PROBLEMS = """([smallest, pictureType]) => {
  const deck = kmlabDeck.current, {page, title, footer, u} = deck, found = [];
  const say = (what, text) => found.push(
    `slide ${deck.at + 1} (${title.textContent}): ${what}: ${text.trim().slice(0, 60)}`);
  const inside = page.getBoundingClientRect(), floor = footer.getBoundingClientRect().top;
  if (page.scrollHeight > page.clientHeight + 1) say(`${page.scrollHeight - page.clientHeight} pixels too tall`, '');
  if (page.scrollWidth > page.clientWidth + 1) say(`${page.scrollWidth - page.clientWidth} pixels too wide`, '');
  if (title.scrollWidth > title.clientWidth) say('heading too long', title.textContent);
  const beyond = box =>
    box.left < -1 || box.right > innerWidth + 1 || box.top < inside.top - 1 || box.bottom > floor + 1;
  let things = 0;
  const words = document.createTreeWalker(deck.root, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const {currentNode: text, currentNode: {parentElement: parent}} = words;
    const unseen = 'mjx-assistive-mml, mjx-speech, option, style, [role=tooltip], .kmlab-spoken';
    if (!text.data.trim() || parent.closest(unseen)) continue;
    if (!parent.checkVisibility({visibilityProperty: true})) continue;
    const boxes = [...text.data.matchAll(/\\S+/g)].flatMap(({0: word, index}) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return [...range.getClientRects()].filter(box => box.width > 0.5 && box.height > 0.5);
    });
    if (!boxes.length) continue;
    const isContent = page.contains(parent), isElsewhere = parent.closest('.kd-long, math') !== null;
    if (isContent) things++;
    if (isContent && !isElsewhere && boxes.some(beyond)) say('leaves the slide', text.data);
    const size = parseFloat(getComputedStyle(parent).fontSize) * parent.currentCSSZoom / u;
    if (size < smallest && !parent.closest('mjx-container, math')) say(`type of ${size.toFixed(1)} pixels`, text.data);
  }
  for (const image of page.querySelectorAll('img, canvas')) {
    if (!image.checkVisibility({visibilityProperty: true})) continue;
    things++;
    const box = image.getBoundingClientRect();
    if (beyond(box)) say('picture leaves the slide', image.alt ?? image.ariaLabel);
    const natural = image.kmlab?.size()[0] ?? (+image.getAttribute('width') || image.naturalWidth);
    const size = pictureType * box.width / u / natural;
    if (size < smallest) say(`picture with type of ${size.toFixed(1)} pixels`, image.alt ?? image.ariaLabel);
  }
  for (const formula of page.querySelectorAll('mjx-container > mjx-math, :not(mjx-assistive-mml) > math')) {
    const box = formula.getBoundingClientRect();
    if (formula.checkVisibility({visibilityProperty: true}) && !formula.closest('.kd-long') && beyond(box)) {
      say('formula leaves the slide', formula.parentElement.textContent);
    }
    const size = parseFloat(getComputedStyle(formula).fontSize) * formula.currentCSSZoom / u;
    if (size < smallest) say(`formula of ${size.toFixed(1)} pixels`, formula.parentElement.textContent);
  }
  for (const number of page.querySelectorAll('.equation > .tag')) {
    if (number.previousElementSibling.getBoundingClientRect().right > number.getBoundingClientRect().left + 1) {
      say('formula runs into its number', number.textContent);
    }
  }
  for (const long of page.querySelectorAll('.kd-long')) {
    const {top, bottom} = long.getBoundingClientRect(), text = document.createRange();
    text.selectNodeContents(long);
    const shown = long.checkVisibility({visibilityProperty: true}) ? [...text.getClientRects()] : [];
    const isCut = box => [top, bottom].some(edge => Math.min(edge - box.top, box.bottom - edge) > box.height / 4);
    if (shown.some(box => box.height < (bottom - top) / 2 && isCut(box))) say('a line is cut in two', long.textContent);
  }
  const last = deck.screens[deck.at].parts.at(-1), after = deck.screens[deck.at + 1]?.parts[0];
  if (last.block.glued && after && ['item', 'table', 'text'].includes(after.block.kind)) {
    say('parted from what follows', last.block.node.textContent);
  }
  if (!things) say('is empty', '');
  return found;
}"""


def problems(page):
    """Of every slide of the deck on the page, each shown as the audience sees it at its last step."""
    found = []
    for number in range(slides(page)):
        page.evaluate("number => kmlabDeck.current.go(number, Infinity)", number)
        found += page.evaluate(PROBLEMS, [SMALLEST, PICTURE_TYPE])
    return found


def slides(page):
    return page.evaluate("kmlabDeck.current.screens.length")


def wait_for_deck(page):
    page.wait_for_function("window.kmlabDeck?.current?.screens.length > 1")
    page.wait_for_function("() => [...document.images].every(image => image.complete)")
    settle(page)


def settle(page):
    """Waits until the deck has laid out what came last."""
    page.wait_for_function(
        """() => {
      const deck = kmlabDeck.current;
      const state = JSON.stringify(deck.screens.map(screen => [screen.used, screen.parts.length]));
      if (state !== deck.lastSeen) { deck.lastSeen = state; deck.seenAt = Date.now(); }
      return Date.now() - deck.seenAt > 600;
    }""",
        polling=100,
    )


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


def end_kernels(address):
    server, token = re.match(r"(http://[^/]+).*token=(\w+)", address).groups()

    def ask(path, method="GET"):
        headers = {"Authorization": f"token {token}"}
        return urllib.request.urlopen(urllib.request.Request(f"{server}/api/{path}", headers=headers, method=method))

    for kernel in json.load(ask("kernels")):
        ask("kernels/" + kernel["id"], "DELETE").close()


def wait_until_alive(page, notebook):
    """Until every view of the notebook has its controls."""
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    views = sum(
        1
        for cell in cells
        if cell["cell_type"] == "code"
        and cell["metadata"].get("slideshow", {}).get("slide_type") != "skip"
        and re.search(r"^(explore|step_through)\(", "".join(cell["source"]), re.M)
    )
    page.wait_for_function(
        "n => document.querySelectorAll('.kmlab-view .kmlab-picture canvas').length >= n", arg=views, timeout=600_000
    )
    settle(page)
    return views


def contact_sheet(page, across=4):
    """All slides in one picture."""
    shots = []
    for number in range(slides(page)):
        page.evaluate("number => kmlabDeck.current.go(number, Infinity)", number)
        shots.append(Image.open(io.BytesIO(page.screenshot())).resize((WIDTH // 2, HEIGHT // 2)))
    sheet = Image.new("RGB", (across * 650, -(-len(shots) // across) * 370), "#888888")
    for i, shot in enumerate(shots):
        sheet.paste(shot, (i % across * 650 + 5, i // across * 370 + 5))
    return sheet


def main(names):
    paths = [Path(name) for name in names] or sorted((browser.PROJECT / "notebooks").glob("*.ipynb"))
    folder, bad = Path("look-at-slides"), 0
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, live(paths, Path(home)) as addresses:
        for path, address in zip(paths, addresses, strict=True):
            with browser.chromium_page(WIDTH, HEIGHT, CUT_OFF) as page:
                page.goto(address)
                wait_for_deck(page)
                views = wait_until_alive(page, path)
                found = problems(page)
                contact_sheet(page).save(folder / path.with_suffix(".png").name)
                print(
                    f"{path.stem}: {slides(page)} slides, {views} live views, {len(found)} problems",
                    *found,
                    sep="\n  ",
                    flush=True,
                )
                bad += len(found)
                end_kernels(address)
    print(f"Pictures of all slides are in {folder}/.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
