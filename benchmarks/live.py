"""Slider to picture: milliseconds from a key press to the changed frame in a real Chromium, side by side with interact.

    .venv/bin/python benchmarks/live.py [presses]

Both ways stand in one notebook, draw the same picture with the same function (kernel PCA of 300 points, contours on a
100 x 100 grid, computed anew at every press) and are pressed in turn, so that a busy machine slows both. The clock
starts when the page gets the key and stops when the frame with the new picture is painted. The kernel
has one BLAS thread for both ways, which favours interact where other programs run. Then explore with 1,200 points. The
lines below are the processor time of the mathematics alone. Last a point is dragged, 60 events a second, in the plane
of an SVM of 100 points that is fitted anew for each picture: pictures a second, milliseconds from release to rest, and
beside them the round trip of an empty question in the same page; and an S-curve of 600 points is turned, as often as
the screen is drawn.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy, and for the kernel too

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from browser import chromium_page, command, find_chromium, jupyterlab, open_notebook, write_notebook  # noqa: E402

PICTURE = """
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import FloatLogSlider, interact
from kmlab import datasets
from kmlab.course.drawings import locality
from kmlab.kernels import Gaussian
from kmlab.pca import KernelPCA
from kmlab.svm import SVC
from kmlab.show import editable, explore, log_slider, panels, style, toolbox

X, y = datasets.rings(n_per_ring=100, noise=0.15, seed=0)
grid = np.linspace(-4, 4, 100)

@panels(1, 2)
def rings(axes, X, y, width=1.2):
    left, right = axes
    toolbox.scatter_classes(left, X, y)
    left.set(title="three rings", xlabel="x", ylabel="y", xlim=(-4, 4), ylim=(-4, 4))
    scores = KernelPCA(Gaussian(width), 2).fit(X).on_grid(grid, grid)
    toolbox.score_map(right, grid, grid, scores[..., 0])
    right.set(title=f"first component, width {width:.3g}", xlabel="x", ylabel="y")
    return f"The first component at kernel width {width:.3g}."

@panels(1, 1, size=(6, 5))
def machine(axes, X, y):
    xs, ys = toolbox.grid_around(X)
    model = SVC(Gaussian(0.7), C=10.0).fit(X, y)
    toolbox.score_map(axes[0], xs, ys, model.on_grid(xs, ys))
    toolbox.scatter_classes(axes[0], X, y)
    axes[0].set(title="a machine", **toolbox.framed(xs, ys))
    return f"{len(model.support_)} support vectors."

many = datasets.rings(n_per_ring=400, noise=0.15, seed=0)
"""
OURS = """explore(rings, X, y, width=log_slider(0.2, 5, value=1.0, label="kernel width"))"""
MANY = """explore(rings, *many, width=log_slider(0.2, 5, value=1.0, label="kernel width"))"""
DRAGGED = """explore(machine, editable(*datasets.two_moons(100, noise=0.2)))"""
TURNED = """explore(locality.unfold)"""
THEIRS = """
@interact(width=FloatLogSlider(1.0, min=np.log10(0.2), max=np.log10(5), step=np.log10(25) / 60))
def show(width):
    with style.house_style():
        fig, axes = plt.subplots(1, 2, figsize=(9.6, 4.4), dpi=100)
        rings(axes, X, y, width)
        plt.show()
"""
# waits in the page for the key, then for the frame that shows a new picture in the cell: of interact an <img>, ours is
# drawn on a canvas, which says so
STOPWATCH = """async cell => {
  const area = document.querySelectorAll('.jp-CodeCell')[cell];
  const [handle, img, canvas] = ['[role=slider]', 'img', 'canvas'].map(part => area.querySelector(part));
  handle.focus();
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  await new Promise(resolve => setTimeout(resolve, 120));  // moving the focus costs the page 20 ms, not counted
  const pressed = new Promise(resolve =>
    handle.addEventListener('keydown', () => resolve(performance.now()), {capture: true, once: true}));
  const changed = new Promise(resolve => {
    if (canvas) return canvas.addEventListener('kmlab-frame', resolve, {once: true});
    const old = img.src, observer = new MutationObserver(() => {
      const img = area.querySelector('img');
      if (img && img.src !== old) { observer.disconnect(); resolve(img.decode()); }
    });
    observer.observe(area, {subtree: true, childList: true, attributes: true, attributeFilter: ['src']});
  });
  window.taken = (async () => {
    const start = await pressed;
    await changed;
    await new Promise(requestAnimationFrame);
    await new Promise(resolve => setTimeout(resolve));       // now the frame that was due is painted
    return performance.now() - start;
  })();
}"""
# moves point 0 to and fro for some seconds, as a mouse does, and lets go
DRAG = """async seconds => {
  const canvas = [...document.querySelectorAll('canvas:not([aria-hidden])')].at(-2), [x, y] = canvas.kmlab.where(0);
  let frames = 0, last = 0;
  const seen = () => { frames++; last = performance.now(); };
  canvas.addEventListener('kmlab-frame', seen);
  const fire = (kind, dx) => canvas.dispatchEvent(new PointerEvent(kind, {clientX: x + dx, clientY: y + dx / 2,
    pointerId: 1, isPrimary: true, bubbles: true, pointerType: 'mouse'}));
  canvas.setPointerCapture = () => {};
  fire('pointerdown', 0);
  const start = performance.now();
  for (let i = 1; performance.now() - start < 1000 * seconds; i++) {
    fire('pointermove', 60 * Math.sin(i / 20));
    await new Promise(resolve => setTimeout(resolve, Math.max(0, start + 1000 * i / 60 - performance.now())));
  }
  const rate = frames / (performance.now() - start) * 1000, released = performance.now();
  fire('pointerup', 0);
  for (;;) {
    const {asked, waiting, reply} = canvas.kmlab.state();
    if (!waiting.length && reply === asked) break;
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  await new Promise(requestAnimationFrame);
  return [rate, Math.max(performance.now(), last) - released];
}"""
# turns the panel in space to and fro for some seconds, once for each frame of the screen
TURN = """async seconds => {
  const canvas = [...document.querySelectorAll('canvas:not([aria-hidden])')].at(-1);
  canvas.scrollIntoView();
  const [x, y, w, h] = canvas.kmlab.box(0);
  const fire = (kind, dx) => canvas.dispatchEvent(new PointerEvent(kind, {clientX: x + w / 2 + dx,
    clientY: y + h / 2 + dx / 4, pointerId: 1, isPrimary: true, bubbles: true, pointerType: 'mouse'}));
  canvas.setPointerCapture = () => {};
  fire('pointerdown', 0);
  const start = performance.now();
  let frames = 0;
  for (; performance.now() - start < 1000 * seconds; frames++) {
    await new Promise(requestAnimationFrame);
    fire('pointermove', 80 * Math.sin(frames / 25));
  }
  const rate = frames / (performance.now() - start) * 1000;
  fire('pointerup', 0);
  return rate;
}"""
# a question that the kernel answers with next to nothing, and the next frame, again and again
ROUND_TRIP = """async times => {
  const {kernel} = jupyterapp.shell.currentWidget.sessionContext.session, taken = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await kernel.requestKernelInfo();
    await new Promise(requestAnimationFrame);
    await new Promise(resolve => setTimeout(resolve));
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[times >> 1];
}"""
KERNEL_IS_IDLE = "jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestKernelInfo().then(() => null)"
WAYS = {"interact, inline figure": 2, "explore": 1, "explore, 1,200 points": 3}  # their cells
WARM_UP = 5


def measure(presses):
    times = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "home").mkdir()
        (folder / "notebooks").mkdir()
        write_notebook(folder / "notebooks" / "live.ipynb", PICTURE, OURS, THEIRS, MANY, DRAGGED, TURNED)
        with jupyterlab(folder / "notebooks", folder / "home") as address, chromium_page(1400, 2600) as page:
            open_notebook(page, address, "live.ipynb")
            command(page, "notebook:run-all-cells")
            for cell in (*WAYS.values(), 5):
                page.locator(".jp-CodeCell").nth(cell).locator("img, canvas").first.wait_for()
            for press in range(WARM_UP + presses):
                key = "ArrowRight" if press // 12 % 2 == 0 else "ArrowLeft"
                for way, cell in WAYS.items():
                    page.evaluate(STOPWATCH, cell)
                    page.keyboard.press(key)
                    taken = page.evaluate("window.taken")
                    page.evaluate(KERNEL_IS_IDLE)
                    if press >= WARM_UP:
                        times[way].append(taken)
            drags = [page.evaluate(DRAG, 2) for _ in range(4)][1:]
            trip = page.evaluate(ROUND_TRIP, 40)
            turns = [page.evaluate(TURN, 2) for _ in range(4)][1:]
    return times, (*np.median(drags, axis=0), trip), np.median(turns)


def compute_alone(n_per_ring=100, repeats=60):
    """Milliseconds behind each picture."""
    from kmlab import datasets
    from kmlab.kernels import Gaussian
    from kmlab.pca import KernelPCA

    X, _ = datasets.rings(n_per_ring=n_per_ring, noise=0.15, seed=0)
    grid, taken = np.linspace(-4, 4, 100), []
    for width in np.geomspace(0.2, 5, repeats):
        start = time.process_time()
        KernelPCA(Gaussian(width), 2).fit(X).on_grid(grid, grid)
        taken.append(1000 * (time.process_time() - start))
    return taken


def main():
    if not find_chromium():
        sys.exit("No Chromium found; install it (Debian: apt install chromium) and try again.")
    times, (rate, rest, trip), turns = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    theirs = np.median(times["interact, inline figure"])
    for n in 100, 400:
        times[f"compute, {3 * n} points"] = compute_alone(n)
    print(f"{'way':26}{'median ms':>10}{'p95 ms':>9}{'of interact':>13}")
    for way, taken in times.items():
        print(f"{way:26}{np.median(taken):10.1f}{np.percentile(taken, 95):9.1f}{np.median(taken) / theirs:12.1%}")
    print(f"a dragged point: {rate:.0f} pictures a second, {rest:.0f} ms from release to rest")
    print(f"an empty round trip in the same page: {trip:.0f} ms")
    print(f"a picture in space: {turns:.0f} frames a second")


if __name__ == "__main__":
    main()
