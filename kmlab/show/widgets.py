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
from contextlib import contextmanager

import ipywidgets
import numpy as np

from . import touch
from .canvas import DPI, Canvas, figure_of, panels
from .controls import build_controls, choice, frames, log_slider, slider, toggle
from .stills import NOTE, PIXELS_PER_INCH, READABLE, STILL, bundle, filmstrip, live
from .touch import editable

__all__ = [
    "Canvas", "choice", "editable", "explore", "figure_of", "log_slider", "panels", "slider", "step_through", "toggle",
]  # fmt: skip

DENSE = 200  # dots an inch, for a screen that has as many
EDITS = "move", "add", "remove", "relabel", "place", "reset", "clear"
FRAMES_IN_PRINT = 5
ON_THE_WAY = 0.15, 0.5, 0.85  # slowly away, slowly there
# to read a caption aloud to oneself: so many seconds, and more for each word
SECONDS_PER_FRAME, SECONDS_PER_WORD, SECONDS_TO_THE_END = 0.7, 0.12, 60.0


class View:
    """A picture with its controls."""

    def __init__(self, draw, data, controls, **fixed):
        self.data, self.fixed = data, fixed
        hands = [thing for thing in data if isinstance(thing, editable)]
        if len(hands) > 1:
            raise ValueError(f"A view has one editable() among its data, got {len(hands)}; put all points into one.")
        self.hand = hands[0] if hands else None
        self.controls = build_controls(draw, self.arguments, fixed.keys(), controls)
        self.canvas = Canvas(draw)
        self._quiet, self._state = False, threading.Condition()
        self._asked, self._answered, self._drawing = 0, {}, False  # answered: page -> its last question
        self._ground, self._frames = 0, 0
        self._picture, self._alert = touch.anywidget and touch.Picture(), ipywidgets.HTML()
        self._paint()
        self._complain("")
        for control in self.controls.values():
            control.widget.observe(self._moved, "value")
        if self._picture:
            self._picture.on_msg(self._told)
        self._hand_box = ipywidgets.HBox(self._palette(), layout={"flex_flow": "row wrap"}).add_class("kmlab-palette")
        parts = [self._control_box().add_class("kmlab-controls"), self._hand_box, self._picture, self._alert]
        kept = [part for part in parts if part and (self.hand or part is not self._hand_box)]
        self.widget = ipywidgets.VBox(kept).add_class("kmlab-view")
        if self.hand:
            self.hand.views[draw] = self

    def _control_box(self):
        return _row(self.controls.values())

    def _palette(self):
        """For points in the hand: the class of a new one, and the way back."""
        if not self.hand:
            return []
        parts, names = [], self.hand.state()["names"]
        if names and len(names) > 1 and not self.hand.fixed:
            classes = ipywidgets.ToggleButtons(
                options=[(name, k) for k, name in enumerate(names)],
                description="new point",
                style={"button_width": "auto"},
            )
            classes.observe(lambda change: self._picture and self._picture.set_trait("label", change["new"]), "value")
            if self._picture:
                self._picture.label = classes.value  # other points may have had other classes
            parts.append(classes)
        for name in ["reset"] if self.hand.fixed else ["reset", "clear"]:
            button = _button(name)
            button.on_click(lambda _, name=name: self.do(name))
            parts.append(button)
        return parts

    @property
    def arguments(self):
        """Data of the drawing function."""
        return [part for thing in self.data for part in (thing.arguments if thing is self.hand else (thing,))]

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

    # ---- what a hand can do

    def add(self, x, y, label=0):
        """A new point at (x, y), of the class with this number."""
        self.do("add", x=x, y=y, label=label)

    def drag(self, i, x, y):
        """Point i moves to (x, y)."""
        self.do("move", i=i, x=x, y=y)

    def remove(self, i):
        self.do("remove", i=i)

    def turn(self, panel, elev, azim):
        """A panel in space is seen from elev degrees above and azim degrees around."""
        self.do("turn", panel=panel, elev=elev, azim=azim)

    _on_screen = (), {}  # data and values of the picture; none yet

    def do(self, wish, **where):
        with self._state:
            self._carry_out(wish, where)
        self._refresh()
        self._show_others()

    def _show_others(self):
        """The same points in other views."""
        for view in [*self.hand.views.values()] if self.hand else []:
            data, _ = view._on_screen
            if data and not any(part is self.hand.X for part in data):
                view._refresh()

    def _carry_out(self, wish, where):
        if wish == "turn":
            if self.canvas.layout.projections.get(where["panel"]) != "3d":
                raise ValueError(f"Panel {where['panel']} is flat and cannot be turned; count panels from 0.")
            self.canvas.turn(**where)
        elif not self.hand:
            raise ValueError("The points of this view are not editable; give editable(X, y) as its data.")
        elif wish not in EDITS:
            raise ValueError(f"A hand can {', '.join(EDITS)} and turn, got {wish!r}; choose one of these.")
        else:
            getattr(self.hand, wish)(**where)

    def _told(self, _, content, buffers):
        """By the page: what the reader did since the last picture, in order; how much room there is; a tick."""
        page, number = content.get("page"), content.get("number", 0)
        with self._state:  # JupyterLab may bring two messages on two threads at once, and the later one first
            last = self._answered.get(page, 0)
            for wish in content.get("wishes", []):
                if wish["do"] == "move" and number < last:
                    continue
                try:
                    self._carry_out(wish.pop("do"), wish)
                except ValueError:  # made for points that have gone since; the page is told which there are
                    pass
            if number:
                self._answered = self._answered | {page: max(number, last)}
        if "room" in content:
            self._fit(**content["room"])
        if "tick" not in content:
            self._refresh()
            self._show_others()
        elif content["tick"] == self.values.get("t"):  # another page may have been faster
            self.tick()

    pace = 0.0  # nothing plays

    def tick(self):
        """The next frame, where frames are played."""

    def render(self, **values):
        """PNG of the picture at these values, without a browser; the other values are as they stand."""
        self._check(values)
        png, self.caption = self.canvas.paint(*self.arguments, **self.fixed, **(self.values | values))
        return png

    @property
    def png(self):
        """The picture on screen."""
        data, values = self._on_screen
        return self.canvas.paint(*data, **values)[0]

    def _check(self, values):
        for name, value in values.items():
            if name not in self.controls:
                others = f", only {', '.join(self.controls)}." if self.controls else "; it has no controls."
                raise ValueError(f"There is no control {name!r} here{others}")
            self.controls[name].check(value)

    def _moved(self, _):
        if not self._quiet:
            self._refresh()

    def _fit(self, narrow=False, dense=False):
        """On a narrow page panels stand below each other, so that their words stay readable."""
        cameras = self.canvas.cameras
        self.canvas = Canvas(self.canvas.draw, stacked=narrow, dpi=DENSE if dense else DPI)
        self.canvas.cameras = cameras

    @contextmanager
    def at_once(self):
        """All that happens meanwhile is drawn once, at the end."""
        before, self._drawing = self._asked, True
        try:
            yield
        finally:
            self._drawing = False
        if self._asked != before:
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
                if self._picture:  # which counts the answers
                    self._picture.hand = self._hand_for_the_page(self._answered)
                raise
            with self._state:
                if asked == self._asked:
                    self._drawing = False
                    self._state.notify_all()
                    return

    def _draw(self):
        answered = self._answered
        try:
            self._paint()
            self._complain("")
        except (Exception, SystemExit) as error:  # whatever a drawing raises is shown to the reader, not lost in a log
            why = " ".join(str(error).split()) or type(error).__name__
            self._complain(f"Not drawn, the picture is the last good one: {why}")
            if self._picture:  # which points there are is seen nevertheless
                self._picture.hand = self._hand_for_the_page(answered)

    def _paint(self):
        values, answered = self.values, self._answered  # of this picture, whatever comes meanwhile
        for control in self.controls.values():
            control.enable(control.matters(values))
        self._show(self.arguments, self.fixed | values, answered)

    def _show(self, data, values, answered):
        frame, backdrop, self.caption = self.canvas.compose(*data, **values)
        self.shown, self._on_screen = self._words(self.caption, **values), (data, values)
        scene = self._scene_of(frame, values)
        if not self._picture:
            return
        if backdrop is not self._picture.backdrop:
            self._ground += 1
        with self._picture.hold_sync():  # one message
            self._picture.backdrop, self._picture.pieces, self._picture.numbers = backdrop, frame.pieces, frame.numbers
            self._picture.glyphs = dict(frame.glyphs)
            self._picture.looks = touch.looks(frame.pixels_per_point) if self.hand else []
            self._picture.caption, self._picture.hand = self.shown, self._hand_for_the_page(answered)
            self._frames += 1  # the page notices a scene of other numbers by it
            self._picture.scene = scene | {"ground": self._ground, "number": self._frames}
            self._picture.pace = self.pace

    def _scene_of(self, frame, values):
        canvas, scene = self.canvas, frame.scene
        if self.hand:
            scene["edit"] = sorted({layer["panel"] for layer in frame.layers if layer.get("moves")})
            if not scene["edit"] and len(self.hand.X):
                raise ValueError("The editable points are drawn nowhere: draw X with points() or scatter_classes().")
        about = {"sharp": canvas.dpi / PIXELS_PER_INCH, "readable": READABLE, "stacked": canvas.stacked}
        return scene | about | {"dense": canvas.dpi == DENSE, "frame": values.get("t")}

    def _hand_for_the_page(self, answered):
        return (self.hand.state() if self.hand else {}) | {"reply": answered}

    def _words(self, caption, **_):
        return caption

    def _complain(self, sentence):
        self._alert.value = f'<div role="alert">{html.escape(sentence)}</div>' if sentence else ""

    def _repr_mimebundle_(self, include=None, exclude=None):
        """The live view, and for readers without a kernel the picture and its caption."""
        data, metadata = bundle(self.canvas, self.png, self.shown, (NOTE if self._picture else STILL) + self._below())
        return (live(self.widget) if self._picture else {}) | data, metadata

    def _below(self):
        return ""


class StepView(View):
    """A picture for each step, with buttons to walk and to play."""

    def __init__(self, steps, draw, data, controls, follow=False):
        self.playing, self.follow = False, follow
        self.compute = steps if callable(steps) else None
        arguments = [part for thing in data for part in (thing.arguments if isinstance(thing, editable) else (thing,))]
        steps = _at_least_one(self.compute(*arguments) if self.compute else steps)
        self._made_of = next((thing.X for thing in data if isinstance(thing, editable)), None)
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

    @property
    def _of_old_points(self):
        return self.compute is not None and self.hand is not None and self._made_of is not self.hand.X

    def _paint(self):
        if self._of_old_points:
            self._quiet, points = True, self.hand.X
            try:
                self.fixed["steps"] = _at_least_one(self.compute(*self.arguments))
                self.controls["t"].recount(len(self.fixed["steps"]))
            finally:
                self._quiet = False
            self._made_of = points
        super()._paint()

    def _words(self, caption, t, **_):
        return f"Frame {t + 1} of {self.last + 1}: {caption}"

    def _below(self):
        """Some of the frames, from the first to the last, for print and export."""
        times = np.unique(np.linspace(0, self.last, FRAMES_IN_PRINT).round().astype(int)).tolist()
        return filmstrip(self._frame(t) for t in times) if self.last else ""

    def _frame(self, t):
        png, caption = self.canvas.paint(*self.arguments, **self.fixed, **(self.values | {"t": t}))
        return png, self._words(caption, t), self.canvas.size

    def step(self, by):
        """One frame forward (by = 1) or back (by = -1)."""
        self.pause()
        self._go(min(max(self.controls["t"].value + by, 0), self.last))

    def _go(self, t):
        if self.follow and t != self.controls["t"].value and not self._of_old_points:  # which have no way
            for share in ON_THE_WAY:
                self._show(self.arguments, self.between(t, share), self._answered)
        self.set(t=t)

    def between(self, t, share):
        """Values on the way from the frame on screen to frame t, whose numbers are not quite there."""
        steps = list(self.fixed["steps"])
        steps[t] = blend(steps[self.controls["t"].value], steps[t], share)
        return self.values | {"steps": steps, "t": t}

    def play(self):
        """Plays to the end, from the start if the end is on screen; pauses when it is playing."""
        if self.playing:
            return self.pause()
        self.playing, self._play_button.description = True, "Pause"
        self.set(t=0 if self.controls["t"].value == self.last else self.controls["t"].value)

    def pause(self):
        self.playing, self._play_button.description = False, "Play"
        if self._picture:
            self._picture.pace = 0.0

    @property
    def pace(self):
        """Seconds that the frame on screen is shown: as long as its caption takes to read. The page counts them, and
        asks for the next frame when it has shown this one; so a slow drawing is waited for, never skipped."""
        words = len(self.caption.split())
        seconds = min(SECONDS_PER_FRAME + SECONDS_PER_WORD * words, SECONDS_TO_THE_END / (self.last + 1))
        return seconds if self.playing else 0.0

    def tick(self):
        """The next frame of those that are played."""
        if self.playing:
            self._go(min(self.controls["t"].value + 1, self.last))
            if self.controls["t"].value == self.last:
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
    """A live picture: draw(axes, *data, **values) is drawn again whenever a control moves.

    editable(X, y) among the data stands for X and y, points that the reader may move, add and remove.
    """
    return View(draw, data, controls)


def step_through(steps, draw, *data, follow=False, **controls):
    """A live picture of an algorithm's steps: draw(axes, *data, steps=all of them, t=number, **values).

    steps: a list, or a function that makes them of the data, anew when editable points among it have changed.
    follow: what moves from a frame to the next is seen on its way.
    """
    return StepView(steps, draw, data, controls, follow)


def _at_least_one(steps):
    steps = list(steps)
    if not steps:
        raise ValueError("step_through needs at least one step, got none; look at what the generator yields.")
    return steps
