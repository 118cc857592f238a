"""Live pictures: explore(draw, **controls) and step_through(steps, draw) turn a drawing function into a view.

A drawing function is pure: it gets empty axes, data and values, draws, and returns one sentence, the caption.

    @panels(1, 2)
    def rings(axes, X, y, width=0.5):
        ...
        return "What is to be seen."

    explore(rings, X, y, width=log_slider(0.05, 10, label="kernel width"))

A view is displayed when it is the last expression of a cell, or by display(view). The saved notebook keeps a picture.
"""

import base64
import html
import io
import re
import threading

import ipywidgets
from PIL import Image

from .canvas import Canvas, figure_of, panels
from .controls import build_controls, choice, frames, log_slider, slider, toggle

__all__ = ["Canvas", "choice", "explore", "figure_of", "log_slider", "panels", "slider", "step_through", "toggle"]

# one card for every picture, light in the dark theme too; nothing below or above it moves when the text changes
CSS = """<style>
.kmlab-view { --jp-widgets-font-size: 16px; --jp-widgets-inline-height: 32px; --jp-widgets-inline-label-width: auto;
  font-size: 16px; }
.kmlab-view .widget-html-content { font-size: 16px; line-height: 1.4; }
.kmlab-view .kmlab-picture { margin: 0; max-width: 100%; }
.kmlab-view .kmlab-picture img { display: block; box-sizing: border-box; max-width: 100%; height: auto; padding: 6px;
  background: white; border: 1px solid var(--jp-border-color1, #bdbdbd); border-radius: 6px; }
.kmlab-view figcaption { min-height: 2.8em; padding: 6px 8px 0; color: var(--jp-content-font-color1, inherit); }
.kmlab-view [role=alert] { min-height: 1.4em; padding: 0 8px; color: var(--jp-error-color1, #b00020); }
</style>"""
# run by the page when a picture is there, for what ipywidgets cannot be told: a slider's handle has no name and, on a
# log slider, a place in a list for its value; and JupyterLab would take arrow keys and letters away from a menu
ON_LOAD = """
const view = this.closest('.kmlab-view');
for (const box of view.querySelectorAll('.widget-slider')) {
  const [label, readout] = ['.widget-label', '.widget-readout'].map(part => box.querySelector(part));
  const handle = box.querySelector('[role=slider]');
  handle.ariaLabel = label.textContent;
  handle.ariaValueText = readout.textContent;
  if (readout.isContentEditable) {
    readout.role = 'textbox';
    readout.ariaLabel = label.textContent + ', typed';
  }
}
for (const menu of view.querySelectorAll('select')) menu.dataset.lmSuppressShortcuts = true;
"""
PIXELS_PER_INCH = 100
SECONDS_PER_FRAME, SECONDS_TO_THE_END = 0.7, 20.0


class View:
    """A picture with its controls."""

    def __init__(self, draw, data, controls, **fixed):
        self.data, self.fixed = data, fixed
        self.controls = build_controls(draw, data, fixed.keys(), controls)
        self.canvas = Canvas(draw)
        self._quiet, self._state = False, threading.Condition()
        self._asked, self._drawing = 0, False
        self._picture, self._alert = ipywidgets.HTML(), ipywidgets.HTML()
        self._paint()
        self._complain("")
        for control in self.controls.values():
            control.widget.observe(self._moved, "value")
        self.widget = ipywidgets.VBox(
            [ipywidgets.HTML(CSS, layout={"display": "none"}), self._control_box(), self._picture, self._alert]
        )
        self.widget.add_class("kmlab-view")

    def _control_box(self):
        return _row(control.widget for control in self.controls.values())

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
            kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
            self._complain(f"Not drawn, the picture is the last good one ({kind}): {' '.join(str(error).split())}")

    def _paint(self):
        values = self.values  # those of the picture, whatever the controls say when it is done
        self.png, self.caption = self.canvas.paint(*self.data, **self.fixed, **values)
        self.shown = self._words(self.caption, **values)
        width, height = self._size()
        words = html.escape(self.shown)
        self._picture.value = (
            f'<figure class="kmlab-picture"><img alt="{words}" width="{width}" height="{height}" decoding="sync"'
            f' onload="{ON_LOAD}" src="data:image/png;base64,{base64.b64encode(self.png).decode()}">'
            f"<figcaption>{words}</figcaption></figure>"
        )

    def _size(self):
        return [round(inches * PIXELS_PER_INCH) for inches in self.canvas.figure.get_size_inches()]

    def _words(self, caption, **_):
        return caption

    def _complain(self, sentence):
        self._alert.value = f'<div role="alert">{html.escape(sentence)}</div>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        """The live view, and for readers without a kernel the picture and its caption."""
        smaller = io.BytesIO()
        Image.open(io.BytesIO(self.png)).convert("RGB").save(smaller, "PNG", compress_level=9)
        width, height = self._size()
        return (
            self.widget._repr_mimebundle_()
            | {
                "text/plain": self.shown,
                "image/png": base64.b64encode(smaller.getvalue()).decode(),
            },
            {"image/png": {"width": width, "height": height, "alt": self.shown}},
        )


class StepView(View):
    """A picture for each step, with buttons to walk and to play."""

    def __init__(self, steps, draw, data, controls):
        self._player = None
        super().__init__(draw, data, {"t": frames(len(steps))} | controls, steps=steps)

    @property
    def last(self):
        return self.controls["t"].hi

    def _control_box(self):
        back, self._play_button, forward = _button("Back"), _button("Play"), _button("Forward")
        back.on_click(lambda _: self.step(-1))
        self._play_button.on_click(lambda _: self.play())
        forward.on_click(lambda _: self.step(1))
        frames, *others = (control.widget for control in self.controls.values())
        return ipywidgets.VBox([_row([back, self._play_button, forward, frames]), _row(others)])

    def _words(self, caption, t, **_):
        return f"Frame {t + 1} of {self.last + 1}: {caption}"

    def step(self, by):
        """One frame forward (by = 1) or back (by = -1)."""
        self.pause()
        self.set(t=min(max(self.controls["t"].value + by, 0), self.last))

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

    def _run(self, stopped):
        pace = min(SECONDS_PER_FRAME, SECONDS_TO_THE_END / (self.last + 1))
        while self.controls["t"].value < self.last and not stopped.wait(pace):
            self.set(t=self.controls["t"].value + 1)
            with self._state:  # a slow drawing is waited for, never skipped
                self._state.wait_for(lambda: not self._drawing)
        if not stopped.is_set():
            self.pause()


def _row(widgets):
    return ipywidgets.HBox(list(widgets), layout={"flex_flow": "row wrap", "grid_gap": "4px 20px"})


def _button(text):  # no icon: its glyph would become part of the spoken name
    return ipywidgets.Button(description=text, tooltip="", layout={"width": "6em"})


def explore(draw, *data, **controls):
    """A live picture: draw(axes, *data, **values) is drawn again whenever a control moves."""
    return View(draw, data, controls)


def step_through(steps, draw, *data, **controls):
    """A live picture of an algorithm's steps: draw(axes, *data, steps=all of them, t=number, **values)."""
    steps = list(steps)
    if not steps:
        raise ValueError("step_through needs at least one step, got none; look at what the generator yields.")
    return StepView(steps, draw, data, controls)
