"""Live pictures: explore(draw, **controls) and step_through(steps, draw) turn a drawing function into a view.

A drawing function is pure: it gets empty axes, data and values, draws, and returns one sentence, the caption.

    @panels(1, 2)
    def rings(axes, X, y, width=0.5):
        ...
        return "What is to be seen."

    explore(rings, X, y, width=log_slider(0.05, 10, label="kernel width"))

A view is displayed when it is the last expression of a cell, or by display(view). The saved notebook keeps a picture.
"""

import html
import threading
from pathlib import Path

import ipywidgets
import numpy as np

from .canvas import Canvas, figure_of, panels
from .controls import build_controls, choice, frames, log_slider, slider, toggle
from .stills import NOTE, bundle, figure, filmstrip

__all__ = ["Canvas", "choice", "explore", "figure_of", "log_slider", "panels", "slider", "step_through", "toggle"]

CSS = Path(__file__).with_name("labextensions") / "kmlab/static/views.css"
# run by the page when a picture is there, for what ipywidgets cannot be told: names of handles and typed numbers, a
# menu's own keys, the caption aloud and its room, and whether the page is too narrow for panels side by side
ON_LOAD = """ onload="
const view = this.closest('.kmlab-view'), caption = this.parentNode.querySelector('figcaption');
for (const box of view.querySelectorAll('.widget-slider')) {
  const label = box.querySelector('.widget-label').textContent, handle = box.querySelector('[role=slider]');
  const typed = box.parentNode.querySelector('input[type=text]');
  handle.ariaLabel = label;
  handle.ariaValueText = typed.value;
  typed.ariaLabel = label + ', typed';
}
for (const menu of view.querySelectorAll('select')) menu.dataset.lmSuppressShortcuts = true;
const room = Math.max(caption.offsetHeight, view.kmlabRoom?.[this.width] ?? 0);
view.kmlabRoom = {[this.width]: room};
view.style.setProperty('--kmlab-room', room + 'px');
if (view.kmlabSaid === undefined)
  view.append(Object.assign(document.createElement('div'), {className: 'kmlab-spoken', ariaLive: 'polite'}));
else if (view.kmlabSaid !== this.alt) view.querySelector('.kmlab-spoken').textContent = this.alt;
view.kmlabSaid = this.alt;
view.kmlabFit ??= (() => {
  const fit = () => {
    const narrow = view.querySelector('.kmlab-narrow input');
    if (view.clientWidth && narrow && narrow.checked !== view.clientWidth < 600) narrow.click();
  };
  new ResizeObserver(fit).observe(view);
  return fit;
})();
view.kmlabFit();
" """.rstrip()
FRAMES_IN_PRINT = 5
ON_THE_WAY = 0.15, 0.5, 0.85  # slowly away, slowly there
# to read a caption aloud to oneself: so many seconds, and more for each word
SECONDS_PER_FRAME, SECONDS_PER_WORD, SECONDS_TO_THE_END = 0.7, 0.12, 60.0


class View:
    """A picture with its controls."""

    def __init__(self, draw, data, controls, **fixed):
        self.data, self.fixed = data, fixed
        self.controls = build_controls(draw, data, fixed.keys(), controls)
        self.canvas = Canvas(draw)
        self._narrow = ipywidgets.Checkbox(layout={"display": "none"}).add_class("kmlab-narrow")  # set by the page
        self._quiet, self._state = False, threading.Condition()
        self._asked, self._drawing = 0, False
        self._picture, self._alert = ipywidgets.HTML(), ipywidgets.HTML()
        self._paint()
        self._complain("")
        for control in self.controls.values():
            control.widget.observe(self._moved, "value")
        self._narrow.observe(self._resized, "value")
        style = ipywidgets.HTML(f"<style>{CSS.read_text()}</style>", layout={"display": "none"})
        controls = self._control_box().add_class("kmlab-controls")
        self.widget = ipywidgets.VBox([style, self._narrow, controls, self._picture, self._alert])
        self.widget.add_class("kmlab-view")

    def _control_box(self):
        return _row(self.controls.values())

    @property
    def values(self):
        return {name: control.value for name, control in self.controls.items()}

    def set(self, **values):
        """Moves controls as a reader would, and draws once."""
        self._check(values)
        self._quiet = True
        try:
            for name, value in values.items():
                self.controls[name].value = value
        finally:
            self._quiet = False
        self._refresh()

    def render(self, **values):
        """PNG of the picture at these values, without a browser; the other values are as they stand."""
        self._check(values)
        png, self.caption = self.canvas.paint(*self.data, **self.fixed, **(self.values | values))
        return png

    def _check(self, values):
        for name, value in values.items():
            if name not in self.controls:
                others = f", only {', '.join(self.controls)}." if self.controls else "; it has no controls."
                raise ValueError(f"There is no control {name!r} here{others}")
            self.controls[name].check(value)

    def _moved(self, _):
        if not self._quiet:
            self._refresh()

    def _resized(self, change):
        """On a narrow page panels stand below each other, so that their words stay readable."""
        self.canvas = Canvas(self.canvas.draw, stacked=change["new"])
        self._refresh()

    def _refresh(self):
        """Draws until the picture shows the latest values: one thread draws, others only leave their wish."""
        with self._state:
            self._asked += 1
            if self._drawing:
                return
            self._drawing = True
        while True:
            asked = self._asked
            try:
                self._draw()
            except BaseException:  # an interrupted cell must not stop the view for good
                self._drawing = False
                raise
            with self._state:
                if asked == self._asked:
                    self._drawing = False
                    self._state.notify_all()
                    return

    def _draw(self):
        try:
            self._paint()
            self._complain("")
        except Exception as error:  # whatever a drawing raises is shown to the reader, not lost in a log
            why = " ".join(str(error).split()) or type(error).__name__
            self._complain(f"Not drawn, the picture is the last good one: {why}")

    def _paint(self):
        values = self.values  # those of the picture, whatever the controls say when it is done
        for control in self.controls.values():
            control.enable(control.matters(values))
        self.png, self.caption = self.canvas.paint(*self.data, **self.fixed, **values)
        self.shown = self._words(self.caption, **values)
        self._picture.value = figure(self.png, self.shown, self.canvas.size, ON_LOAD)

    def _words(self, caption, **_):
        return caption

    def _complain(self, sentence):
        self._alert.value = f'<div role="alert">{html.escape(sentence)}</div>' if sentence else ""

    def _repr_mimebundle_(self, include=None, exclude=None):
        """The live view, and for readers without a kernel the picture and its caption."""
        data, metadata = bundle(self.canvas, self.png, self.shown, NOTE + self._below())
        return self.widget._repr_mimebundle_() | data, metadata

    def _below(self):
        return ""


class StepView(View):
    """A picture for each step, with buttons to walk and to play."""

    def __init__(self, steps, draw, data, controls, follow=False):
        self._player, self.follow = None, follow
        super().__init__(draw, data, {"t": frames(len(steps))} | controls, steps=steps)

    @property
    def last(self):
        return self.controls["t"].hi

    def _control_box(self):
        back, self._play_button, forward = _button("Back"), _button("Play"), _button("Forward")
        back.on_click(lambda _: self.step(-1))
        self._play_button.on_click(lambda _: self.play())
        forward.on_click(lambda _: self.step(1))
        frames, *others = self.controls.values()
        buttons = ipywidgets.HBox([back, self._play_button, forward, frames.box], layout={"flex_flow": "row wrap"})
        return ipywidgets.VBox([buttons, _row(others)])

    def _words(self, caption, t, **_):
        return f"Frame {t + 1} of {self.last + 1}: {caption}"

    def _below(self):
        """Some of the frames, from the first to the last, for print and export."""
        times = np.unique(np.linspace(0, self.last, FRAMES_IN_PRINT).round().astype(int)).tolist()
        return filmstrip(self._frame(t) for t in times) if self.last else ""

    def _frame(self, t):
        png, caption = self.canvas.paint(*self.data, **self.fixed, **(self.values | {"t": t}))
        return png, self._words(caption, t), self.canvas.size

    def step(self, by):
        """One frame forward (by = 1) or back (by = -1)."""
        self.pause()
        self._go(min(max(self.controls["t"].value + by, 0), self.last))

    def _go(self, t):
        if self.follow and t != self.controls["t"].value:
            for share in ON_THE_WAY:
                self._picture.value = figure(self.between(t, share), self.shown, self.canvas.size, ON_LOAD)
        self.set(t=t)

    def between(self, t, share):
        """PNG on the way from the frame on screen to frame t, whose numbers are not quite there."""
        steps = list(self.fixed["steps"])
        steps[t] = blend(steps[self.controls["t"].value], steps[t], share)
        return self.canvas.paint(*self.data, **(self.values | {"steps": steps, "t": t}))[0]

    def play(self):
        """Plays to the end, from the start if the end is on screen; pauses when it is playing."""
        if self._player:
            return self.pause()
        if self.controls["t"].value == self.last:
            self.set(t=0)
        self._player = threading.Event()
        self._play_button.description = "Pause"
        self._thread = threading.Thread(target=self._run, args=(self._player,), daemon=True)
        self._thread.start()

    def pause(self):
        if self._player:
            self._player.set()
            self._player = None
            self._play_button.description = "Play"

    @property
    def pace(self):
        """Seconds that the frame on screen is shown: as long as its caption takes to read."""
        words = len(self.caption.split())
        return min(SECONDS_PER_FRAME + SECONDS_PER_WORD * words, SECONDS_TO_THE_END / (self.last + 1))

    def _run(self, stopped):
        while self.controls["t"].value < self.last and not stopped.wait(self.pace):
            self._go(self.controls["t"].value + 1)
            with self._state:  # a slow drawing is waited for, never skipped
                self._state.wait_for(lambda: not self._drawing)
        if not stopped.is_set():
            self.pause()


def blend(before, after, share):
    """A step on the way from one to the next: numbers that are not whole lie between, all else is there already."""
    if isinstance(after, tuple | list) and len(before) == len(after):
        parts = [blend(a, b, share) for a, b in zip(before, after, strict=True)]
        return type(after)(*parts) if hasattr(after, "_fields") else type(after)(parts)
    if np.asarray(after).dtype.kind == "f" and np.shape(before) == np.shape(after):
        return before + share * (after - before)
    return after


def _row(controls):
    """Controls side by side as far as there is room, sliders in line with those above them."""
    controls = list(controls)
    sliders = [control for control in controls if isinstance(control, slider)]
    widest = max((len(control.label) for control in sliders), default=0)
    for control in sliders:
        control.widget.style.description_width = f"{0.55 * widest + 0.5:.1f}em"
    return ipywidgets.HBox(
        [control.box for control in controls], layout={"flex_flow": "row wrap", "grid_gap": "4px 20px"}
    )


def _button(text):  # no icon: its glyph would become part of the spoken name
    return ipywidgets.Button(description=text, tooltip="", layout={"width": "6em"})


def explore(draw, *data, **controls):
    """A live picture: draw(axes, *data, **values) is drawn again whenever a control moves."""
    return View(draw, data, controls)


def step_through(steps, draw, *data, follow=False, **controls):
    """A live picture of an algorithm's steps: draw(axes, *data, steps=all of them, t=number, **values).

    follow: what moves from a frame to the next is seen on its way.
    """
    steps = list(steps)
    if not steps:
        raise ValueError("step_through needs at least one step, got none; look at what the generator yields.")
    return StepView(steps, draw, data, controls, follow)
