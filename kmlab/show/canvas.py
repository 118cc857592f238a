"""The canvas of a live picture: one figure that is drawn again and again, without pyplot, beside running cells.

What costs is text: axes with ticks and labels take most of a redraw and rarely change. So the axes are kept and
emptied, not made anew, and their ticks, labels and grids are painted once, below the data, and reused as long as
nothing about them changes. The result is the same picture, pixel by pixel, as a full draw.
"""
import struct
import threading
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from threadpoolctl import ThreadpoolController

from .style import house_style

LOCK = threading.RLock()                      # one drawing at a time: matplotlib's caches are shared by all figures
DPI = 120                                     # 1.2 pixels for each of the 100 to an inch at which pictures are shown
BELOW_ALL = -1                                # the axes' place in the order of drawing: under the data, also under images
PLAIN = (str, int, float, tuple, type(None))
PASSING = {"_stale", "_autotitlepos", "_projection_init", "isDefault_label", "_text", "_x", "_y", "_renderer"}  # not settings


@dataclass(frozen=True)
class Layout:
    """rows x cols panels on size inches."""
    rows: int = 1
    cols: int = 1
    size: tuple = (9.6, 4.4)
    widths: list = None
    heights: list = None
    projections: dict = field(default_factory=dict)

    def build(self):
        figure = Figure(figsize=self.size, dpi=DPI, layout="constrained")
        FigureCanvasAgg(figure)
        cells = figure.add_gridspec(self.rows, self.cols, width_ratios=self.widths, height_ratios=self.heights)
        return figure, [figure.add_subplot(cell, projection=self.projections.get(i)) for i, cell in enumerate(cells)]


def panels(rows, cols, size=(9.6, 4.4), widths=None, heights=None, projections=None):
    """Decorator: the drawing function draws on rows x cols axes, given as a flat list, on size inches."""
    def mark(draw):
        draw.layout = Layout(rows, cols, size, widths, heights, projections or {})
        return draw
    return mark


def figure_of(draw, *data, **values):
    """The picture as a matplotlib Figure, with its sentence as .caption."""
    canvas = Canvas(draw)
    with canvas.ready():
        canvas.figure.caption = canvas.fill(*data, **values)
    return canvas.figure


class Canvas:
    """The figure of one drawing function."""

    def __init__(self, draw):
        self.draw = draw
        self.blas = ThreadpoolController()
        with LOCK, house_style():
            self.figure, self.axes = getattr(draw, "layout", Layout()).build()
            self.figure.draw_without_rendering()          # matplotlib settles some defaults in the first draw
            self.panels = [Panel(ax) for ax in self.axes]
        self.laid_out = False
        self.backdrop = None, None            # what it shows, its pixels

    @contextmanager
    def ready(self):
        # one BLAS thread: two take many times longer on small matrices as soon as another process is busy
        with LOCK, house_style(), self.blas.limit(limits=1, user_api="blas"):
            yield

    def paint(self, *data, **values):
        """PNG and caption of one picture."""
        with self.ready():
            caption = self.fill(*data, **values)
            self.render()
            return png(self.figure.canvas.buffer_rgba()), caption

    def fill(self, *data, **values):
        """Empties the axes, lets the drawing function draw on them, and gives its caption."""
        self.empty()
        caption = self.draw(list(self.axes), *data, **values)
        if not isinstance(caption, str):
            raise TypeError(f"{self.draw.__name__} must return its caption, one sentence, but returned {caption!r}.")
        if not self.laid_out:
            self.figure.draw_without_rendering()
            self.figure.set_layout_engine("none")         # found once, for the first picture: later ones must not jump
            self.laid_out = True
        return caption

    def empty(self):
        for artist in self.figure.get_children():
            if artist is not self.figure.patch and artist not in self.axes:
                artist.remove()
        # a removed title would be used again, and never drawn
        self.figure._suptitle = self.figure._supxlabel = self.figure._supylabel = None
        for panel in self.panels:
            panel.empty()

    def render(self):
        """The same pixels as figure.canvas.draw()."""
        renderer = self.figure.canvas.get_renderer()
        liftable = [panel for panel in self.panels if panel.can_be_lifted()]
        shows = [panel.backdrop() for panel in liftable]
        if shows != self.backdrop[0]:
            renderer.clear()
            self.figure.patch.draw(renderer)
            for panel in liftable:
                panel.draw_backdrop(renderer)
            self.backdrop = shows, renderer.copy_from_bbox(self.figure.bbox)
        renderer.restore_region(self.backdrop[1])
        with ExitStack() as stack:
            for panel in liftable:
                stack.enter_context(panel.lifted())
            for artist in sorted(self.figure.get_children()[1:], key=lambda artist: artist.get_zorder()):
                artist.draw(renderer)


class Panel:
    """One of the axes: emptied before every picture, with a backdrop of ticks, labels and grid below its data."""

    def __init__(self, ax):
        self.ax = ax
        self.flat = type(ax) is Axes          # others, such as 3-D axes, are cleared and drawn the slow way
        self.settle()
        self.blank = look(ax)

    def settle(self):
        if self.flat:
            for axis in (self.ax.xaxis, self.ax.yaxis):
                axis.set_zorder(BELOW_ALL)
        self.own = self.ax.get_children()

    def empty(self):
        if self.flat:
            self.sweep()
        if not self.flat or look(self.ax) != self.blank:
            self.ax.clear()
            self.settle()

    def sweep(self):
        """ax.clear() at a tenth of its time: undoes what is done in most pictures; look() finds the rest."""
        ax = self.ax
        for artist in ax.get_children():
            if artist not in self.own:
                artist.remove()
        ax.containers.clear()
        for text in (*(artist for artist in self.own if isinstance(artist, Text)), ax.xaxis.label, ax.yaxis.label):
            text.set_text("")
        for axis, set_scale in ((ax.xaxis, ax.set_xscale), (ax.yaxis, ax.set_yscale)):
            if not (axis.isDefault_majloc and axis.isDefault_majfmt and axis.isDefault_minloc):
                set_scale("linear")           # also sets the usual ticks
        ax.set_axis_on()
        ax.set_aspect("auto")
        ax.set_prop_cycle(None)
        ax._tight = None                      # set by an image, and would hold for all that follows
        ax.relim()
        ax.set_xlim(0, 1, auto=True)
        ax.set_ylim(0, 1, auto=True)

    def can_be_lifted(self):
        ax = self.ax
        return self.flat and ax.get_visible() and all(
            artist.get_zorder() == BELOW_ALL if artist in (ax.xaxis, ax.yaxis) else artist.get_zorder() > BELOW_ALL
            for artist in ax.get_children())

    def backdrop(self):
        """All that the backdrop's pixels depend on."""
        self.ax.apply_aspect()
        return look(self.ax), self.ax.bbox.bounds, self.ax.get_xlim(), self.ax.get_ylim(), *(
            (axis.label.get_text(), *(ticks(axis) if self.ax.axison else ())) for axis in (self.ax.xaxis, self.ax.yaxis))

    def draw_backdrop(self, renderer):
        if self.ax.axison:
            for artist in (self.ax.patch, self.ax.xaxis, self.ax.yaxis):
                artist.draw(renderer)

    @contextmanager
    def lifted(self):
        """The axes without their backdrop."""
        hidden = [artist for artist in (self.ax.patch, self.ax.xaxis, self.ax.yaxis) if artist.get_visible()]
        for artist in hidden:
            artist.set_visible(False)
        try:
            yield
        finally:
            for artist in hidden:
                artist.set_visible(True)


def look(ax):
    """Settings of empty axes that show: compared, never read, so that nothing a drawing does is overlooked."""
    parts = [ax, ax.patch, *ax.spines.values(), *(child for child in ax.get_children() if isinstance(child, Text))]
    for axis in (ax.xaxis, ax.yaxis):
        parts += [axis, axis.label, axis.offsetText, axis.get_transform()]
    return [plain(part) for part in parts], [tick_look(axis) for axis in (ax.xaxis, ax.yaxis)]


def plain(thing):
    return {name: value for name, value in vars(thing).items() if isinstance(value, PLAIN) and name not in PASSING}


def tick_look(axis):
    labels = []
    for tick in axis.majorTicks:
        if (label := plain(tick.label1) | {"font": hash(tick.label1.get_fontproperties())}) not in labels:
            labels.append(label)
    return axis.get_tick_params("major"), axis.get_tick_params("minor"), labels


def ticks(axis):
    for group, locations in ((axis.major, axis.get_majorticklocs()), (axis.minor, axis.get_minorticklocs())):
        yield tuple(locations), tuple(group.formatter.format_ticks(locations)), group.formatter.get_offset()


def png(pixels):
    """PNG of an Agg buffer (h, w, 4), three times faster than Pillow's: no filters, the lightest compression."""
    rows = np.asarray(pixels)
    height, width, _ = rows.shape
    rows = np.pad(rows.reshape(height, 4 * width), ((0, 0), (1, 0)))          # each row begins with its filter, 0: none
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)            # 8 bits, RGBA
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks)
