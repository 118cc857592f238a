"""What a reader can do to a picture: points in the hand, and the widget that shows it in the page."""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
from matplotlib.markers import MarkerStyle

from .._checks import as_labels, count, labels, matrix
from .layers import outline
from .style import COLORS, MARKERS, PAPER

try:
    import anywidget
    import traitlets
except ImportError:  # without it pictures stand still
    anywidget = None

STATIC = Path(__file__).with_name("labextensions") / "kmlab/static"
ROOM = 0.2  # of the longer side, around the first points


class Movable(np.ndarray):
    """Points (n, 2) that a reader may move; whatever is made of them is an array like any other."""

    hand = None  # the editable they belong to


class editable:
    """Points that the reader may move, add and remove. As data of explore() it stands for X, or for X and y.

    classes: those a new point can have, if not all of them are in y; frame: ((x, y), (x, y)), lowest and highest
    places, which stay; most: as many points as the picture can take; fixed: they can be moved only; pen: a drag over
    empty ground draws a row of points.
    """

    def __init__(self, X, y=None, classes=None, frame=None, most=200, fixed=False, pen=False):
        self.views = {}  # of these points: what draws them -> the last one
        self.start(X, y, classes, frame)
        self.most, self.fixed, self.pen = max(count(most, "most", 0), len(self.X)), fixed, pen

    def start(self, X, y=None, classes=None, frame=None):
        """Other points, to which reset() comes back."""
        X = matrix(X, min_samples=0)
        if X.shape[1] != 2:
            raise ValueError(f"Editable points are an array (n, 2), got shape {X.shape}; give two columns.")
        self.frame = _frame_around(X) if frame is None else _checked_frame(frame)
        self.classes, y = (None, None) if y is None else _checked_classes(y, classes, len(X))
        self.first = X.copy(), y
        self.reset()

    @property
    def is_as_at_first(self):
        return np.array_equal(self.X, self.first[0]) and np.array_equal(self.y, self.first[1])

    @property
    def arguments(self):
        """What the drawing function gets."""
        return (self.X,) if self.y is None else (self.X, self.y)

    def reset(self):
        self._take(*self.first)

    def place(self, X, y=None):
        """All points anew; reset() still comes back to the first."""
        self._take(np.clip(np.reshape(X, (-1, 2)), *self.frame), None if y is None else np.array(y))

    def clear(self):
        self._allow()
        self._take(self.X[:0], None if self.y is None else self.y[:0])

    def move(self, i, x, y):
        X = np.array(self.X)
        X[self._row(i)] = np.clip((x, y), *self.frame)
        self._take(X, self.y)

    def add(self, x, y, label=0):
        """A point of the class with this number."""
        self._allow()
        if len(self.X) >= self.most:
            raise ValueError(f"There are {self.most} points already, as many as this picture takes; remove some.")
        labels = None if self.y is None else np.append(self.y, [self._class(label)])
        self._take(np.vstack([self.X, np.clip((x, y), *self.frame)]), labels)

    def remove(self, i):
        self._allow()
        self._take(np.delete(self.X, self._row(i), 0), None if self.y is None else np.delete(self.y, i))

    def relabel(self, i, label):
        if self.y is None:
            raise ValueError("These points have no classes; give y to editable().")
        y = self.y.copy()
        y[self._row(i)] = self._class(label)
        self._take(self.X, y)

    def state(self):
        """For the page."""
        labels = np.zeros(len(self.X), int) if self.y is None else np.searchsorted(self.classes, self.y)
        return {
            "X": self.X.tolist(),
            "labels": labels.tolist(),
            "names": None if self.y is None else [str(label) for label in self.classes],
            "frame": self.frame.tolist(),
            "most": self.most,
            "fixed": self.fixed,
            "pen": self.pen,
        }

    def _allow(self):
        if self.fixed:
            raise ValueError("These points can be moved only; to add or remove some, leave out fixed=True.")

    def _row(self, i):
        if not 0 <= i < len(self.X):
            raise ValueError(f"There is no point {i} here, only {len(self.X)}; count from 0.")
        return int(i)

    def _class(self, label):
        if not 0 <= label < len(self.classes):
            raise ValueError(f"There is no class {label} here, only {len(self.classes)}; count from 0.")
        return self.classes[label]

    def _take(self, X, y):
        self.X, self.y = np.array(X, float).reshape(-1, 2).view(Movable), y  # new ones: whoever kept the old keeps them
        self.X.hand = self
        for array in (self.X, self.y)[: 1 if y is None else 2]:
            array.flags.writeable = False  # a drawing that changed them would move the reader's points


@lru_cache
def looks(pixels_per_point, size=6):
    """How points of each class are drawn, for the page, when the first of a class is added; size in points."""
    marks = [MarkerStyle(marker) for marker in MARKERS]
    shapes = [outline(mark.get_path(), mark.get_transform()) for mark in marks]
    each = {"size": size * pixels_per_point, "edge": PAPER, "width": 0.6 * pixels_per_point}
    return [{"shape": shape, "face": color} | each for shape, color in zip(shapes, COLORS, strict=True)]


def _checked_classes(y, classes, n):
    """All classes, sorted, and the labels y (n,), each of them one of these."""
    y = as_labels(y, n).copy()
    classes, _ = labels(y if classes is None else classes, len(y if classes is None else classes), editable)
    if strange := [label for label in y.tolist() if label not in classes.tolist()]:
        names = ", ".join(map(str, classes))
        raise ValueError(f"y holds {strange[0]}, which is none of the classes {names}; name all classes of y.")
    return classes, y


def _checked_frame(frame):
    try:
        low, high = matrix(frame)
    except (TypeError, ValueError):
        low = high = ()
    if len(low) != 2 or (low > high).any():
        raise ValueError(f"A frame is ((x, y), (x, y)), lowest and highest places, got {frame!r}; give these.")
    return np.array([low, high])


def _frame_around(X):
    if not len(X):
        raise ValueError("Where points may lie cannot be seen from none; give a frame, ((x, y), (x, y)).")
    low, high = X.min(0), X.max(0)
    room = ROOM * ((high - low).max() or 1.0)
    return np.array([low - room, high + room])


def as_text(content, _):
    """For the page; ipywidgets would look into every number of it for buffers."""
    return json.dumps(content, default=lambda number: number.item())


if anywidget:

    class Picture(anywidget.AnyWidget):
        """The picture in the page: numbers, pieces and backdrop of a Frame, and what the reader has in hand."""

        _esm = STATIC / "touch.js"
        _css = STATIC / "views.css"
        scene, hand = (traitlets.Dict().tag(sync=True, to_json=as_text) for _ in range(2))
        numbers, backdrop = traitlets.Bytes().tag(sync=True), traitlets.Bytes().tag(sync=True)
        pieces, glyphs = (traitlets.Dict().tag(sync=True) for _ in range(2))
        looks = traitlets.List().tag(sync=True)
        caption = traitlets.Unicode().tag(sync=True)
        pace = traitlets.Float(0.0).tag(sync=True)  # seconds until the page asks for the next frame; 0: it does not
        label = traitlets.Int(0).tag(sync=True)  # class of a new point
