"""The playground, live: points, kernel and algorithm under the hand, the lines that make the picture below it."""

import functools
import html

import numpy as np

from ..show import editable
from ..show.widgets import Canvas, View, ipywidgets  # by way of show, which says what to install where it is missing
from .drawings.playground import only_points, play
from .playground import (
    DATA,
    MOST_CLASSES,
    MOST_POINTS,
    Settings,
    code,
    controls,
    own_points,
    points,
    restore,
    rounded,
    state,
)

MINE, DRAWN = "my own", "drawn by hand"  # names in the menu
SHEET = (-1, -1), (1, 1)  # where points are drawn when there are none to begin with


class Playground(View):
    """Playground("SVC · moons · Gaussian 0.7 · C 10"): any points x any kernel x any algorithm.

    The text is what the line under the picture says; open() takes another. mine (n, 2) are points of your own, labels
    (n,) their classes.
    """

    def __init__(self, text="", mine=None, labels=None):
        settings, data, drawn = restore(text)
        self.samples = {name: lambda name=name: points(name) for name in DATA}
        if mine is not None:
            data, drawn, own = MINE, None, own_points(mine, labels)
            self.samples = {MINE: lambda: own} | self.samples
        elif labels is not None:
            raise ValueError("Labels belong to points of your own: give these too, Playground(mine=..., labels=...).")
        self.sample, self._has_picture = DRAWN if drawn else data, False  # of these points
        hand = editable(*self._to_begin_with(*(drawn or self.samples[data]())), most=MOST_POINTS)
        self._code, self._line = ipywidgets.HTML(), ipywidgets.Text(continuous_update=False, layout={"width": "100%"})
        self._menu = ipywidgets.Dropdown(options=self._names(), value=self.sample, description="points")
        self._menu.style.description_width = "initial"
        super().__init__(play, [hand], controls(settings))
        self._line.description, self._line.style.description_width = "open this", "initial"
        self._line.observe(self._typed, "value")
        self._menu.observe(lambda change: self._take(change["new"]), "value")
        line = ipywidgets.HBox([self._menu, self._line], layout={"flex_flow": "row wrap"}).add_class("kmlab-controls")
        line.children[1].layout.flex = "1 1 320px"
        self.widget.children = [line, *self.widget.children, self._code]

    def open(self, text):
        """Settings and points of a line of text."""
        settings, data, drawn = restore(text)
        self._set_points(DRAWN if drawn else data, *(drawn or points(data)))
        for name, value in settings._asdict().items():
            if hasattr(self.controls[name], "allow"):
                self.controls[name].allow(value)
        self.set(**settings._asdict())

    def _typed(self, change):
        if change["new"] == self.state:
            return
        try:
            self.open(change["new"])
        except ValueError as error:
            self._complain(str(error))
            self._line.value = self.state

    def _take(self, name):
        if name != self.sample:
            self._set_points(name, *self.samples[name]())
            self._refresh()

    def _set_points(self, name, X, y):
        self.sample, self._has_picture = name, False
        self.hand.start(*self._to_begin_with(X, y))
        self._hand_box.children = self._palette()
        self._menu.options = self._names()
        self._menu.value = name

    def _to_begin_with(self, X, y):
        """Points, labels, classes and, where it cannot be seen from them, the frame of points that can be edited."""
        X = X if self.sample in DATA else rounded(X)
        return X, y, _room_for_another(y), None if len(X) else SHEET

    def _carry_out(self, wish, where):
        super()._carry_out(wish, where)
        if not self.hand.is_as_at_first:  # the picture shows just the points that the lines below it hold
            self.hand._take(rounded(self.hand.X), self.hand.y)

    def _names(self):
        return [*self.samples, *[DRAWN] * (self.sample == DRAWN)]

    @property
    def settings(self):
        return Settings(**self.values)

    @property
    def state(self):
        """The line of text that brings this picture back."""
        named = self.sample in DATA and self.hand.is_as_at_first
        return state(self.settings, self.sample) if named else state(self.settings, None, *self.hand.arguments)

    @property
    def code(self):
        """The lines of kmlab that make this picture."""
        named = self.sample in DATA and self.hand.is_as_at_first
        return code(np.asarray(self.hand.X), self.hand.y, self.settings, self.sample if named else None)

    def _paint(self):
        for control in self.controls.values():  # of twenty controls only those are seen that do anything here
            control.box.layout.display = None if control.matters(self.values) else "none"
        try:
            if self.canvas.draw is not play:
                self._draw_with(play)
            super()._paint()
            self._code.value = f'<pre class="kmlab-code">{html.escape(self.code)}</pre>'
            self._has_picture = True
        except ValueError as error:
            if self._has_picture:
                raise
            because = functools.partial(only_points, why=str(error))
            self._draw_with(functools.update_wrapper(because, only_points))
            super()._paint()
            self._code.value = ""
        self._line.value = self.state

    def _draw_with(self, draw):
        self.canvas = Canvas(draw, self.canvas.stacked, self.canvas.dpi)

    def _below(self):
        return self._code.value


def _room_for_another(y):
    """The classes there are, and one more as long as there are colours for it."""
    classes = np.unique(y) if len(y) else np.zeros(1, int)
    if len(classes) >= MOST_CLASSES or classes.dtype.kind not in "iuf":
        return classes
    return np.append(classes, classes.max() + 1)
