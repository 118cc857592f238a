"""The canvas of a live picture: one figure that is drawn again and again, without pyplot, beside running cells.

What costs is text: axes with ticks and labels take most of a redraw and rarely change. So the axes are kept and
emptied, not made anew, and their ticks, labels and grids are painted once, below the data, and reused as long as
nothing about them changes. The result is the same picture, pixel by pixel, as a full draw.
"""

import threading
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import AutoLocator, NullFormatter, NullLocator, ScalarFormatter
from threadpoolctl import ThreadpoolController

from .layers import Frame
from .pixels import png
from .style import house_style

LOCK = threading.RLock()  # one drawing at a time: matplotlib's caches are shared by all figures
DPI = 120  # pictures are shown at 100 pixels an inch; more is sharper, and slower
NARROW = 4.8  # inches: of a picture on a narrow page
BELOW_ALL = -1  # place of ticks and grid in the order of drawing: under all data
AT_THE_EDGE = "outward", 0.0  # where the lines around the axes are, unless moved
PLAIN = (str, int, float, tuple, type(None))
# found anew when drawn
PASSING = {"_stale", "_autotitlepos", "isDefault_label", "_text", "_x", "_y", "_renderer", "_in_layout"}


@dataclass(frozen=True)
class Layout:
    """rows x cols panels on size inches."""

    rows: int = 1
    cols: int = 1
    size: tuple = (9.6, 4.4)
    widths: list = None
    heights: list = None
    projections: dict = field(default_factory=dict)

    def stacked(self):
        """The same panels below each other, as wide as a narrow page."""
        if self.size[0] <= NARROW:
            return self
        widths, heights = (list(parts or [1] * n) for parts, n in ((self.widths, self.cols), (self.heights, self.rows)))
        across, down = self.size[0] / sum(widths), self.size[1] / sum(heights)
        shapes = [(down * height) / (across * width) for height in heights for width in widths]
        tall = [NARROW * min(max(shape, 0.7), 1.2) for shape in shapes]
        return Layout(self.rows * self.cols, 1, (NARROW, sum(tall)), None, tall, self.projections)

    def add_axes(self, figure):
        cells = figure.add_gridspec(self.rows, self.cols, width_ratios=self.widths, height_ratios=self.heights)
        return [figure.add_subplot(cell, projection=self.projections.get(i)) for i, cell in enumerate(cells)]


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

    latest = None  # only the canvas painted last keeps pixels: megabytes

    def __init__(self, draw, stacked=False, dpi=DPI):
        self.draw, self.layout, self.dpi = draw, getattr(draw, "layout", Layout()), dpi
        self.stacked = stacked
        if stacked:
            self.layout = self.layout.stacked()
        self.size = self.layout.size
        self.blas = ThreadpoolController()
        self.places = None  # of the axes, found with the first picture: later ones must not jump
        self.backdrop = None, None  # what it depends on, its pixels
        self.ground = None, None  # the same as PNG, for the page
        self.glyphs = {}  # outlines of the letters that the page has
        self.texts, self._scratch = {}, None  # pieces that were drawn for the page, and what they are drawn on
        self.cameras = {}  # panel -> the drawing's own camera, the reader's
        with self.ready():
            self.figure = Figure(figsize=self.layout.size, dpi=dpi, layout="constrained")
            FigureCanvasAgg(self.figure)
            self.new_axes()

    def new_axes(self):
        self.figure.clear()
        self.axes = self.layout.add_axes(self.figure)
        self.panels = [Panel(ax) for ax in self.axes]
        if self.places:
            self.place_axes()

    def place_axes(self):
        for ax, place in zip(self.axes, self.places, strict=True):
            ax._subplotspec = None  # or a twin would stand where the grid is, not where its axes are
            ax.set_position(place)

    @contextmanager
    def ready(self):
        # one BLAS thread: two take many times longer on small matrices as soon as another process is busy
        with LOCK, house_style(), self.blas.limit(limits=1, user_api="blas"):
            yield

    def paint(self, *data, **values):
        """PNG and caption of one picture."""
        with self.ready():
            self.keep_pixels()
            caption = self.fill(*data, **values)
            self.render()
            return png(self.figure.canvas.buffer_rgba()), caption

    def compose(self, *data, **values):
        """The same picture for the page to draw, as a Frame above the PNG of its backdrop; -> frame, PNG, caption."""
        with self.ready():
            self.keep_pixels()
            caption = self.fill(*data, **values)
            shows = self.backdrop_shows()
            if shows != self.ground[0]:
                self.draw_backdrop(shows)
                self.ground = shows, png(self.figure.canvas.buffer_rgba())
            return Frame(self), self.ground[1], caption

    def keep_pixels(self):
        if Canvas.latest not in (None, self):
            Canvas.latest.forget_pixels()
        Canvas.latest = self

    def scratch(self, kind):
        """A renderer for pieces of the picture."""
        self._scratch = self._scratch or kind(*self.figure.canvas.get_width_height(), self.dpi)
        return self._scratch

    def turn(self, panel, elev, azim):
        """The reader's camera for a panel in space, until the drawing moves its own."""
        own, _ = self.cameras.get(panel, (None, None))
        self.cameras[panel] = own, (elev, azim)

    def cuts(self):
        """Where the picture can be cut between its columns of panels: fractions of its width, from the left."""
        with self.ready():
            boxes, columns = [ax.get_tightbbox() for ax in self.axes], self.layout.cols
        edges = []
        for column in range(1, columns):
            left = max(box.x1 for i, box in enumerate(boxes) if box is not None and i % columns < column)
            right = min(box.x0 for i, box in enumerate(boxes) if box is not None and i % columns >= column)
            if left > right:  # something goes across
                return []
            edges.append(round((left + right) / 2 / self.figure.bbox.width, 3))
        return edges

    def forget_pixels(self):
        self.backdrop, self._scratch = (None, None), None
        FigureCanvasAgg(self.figure)

    def fill(self, *data, **values):
        """Empties the axes, lets the drawing function draw on them, and gives its caption."""
        self.empty()
        caption = self.draw(list(self.axes), *data, **values)
        if not isinstance(caption, str):
            raise TypeError(f"{self.draw.__name__} must return its caption, one sentence, but returned {caption!r}.")
        if any(ax not in self.figure.axes for ax in self.axes):
            raise ValueError(f"{self.draw.__name__} removed its axes; ax.axis('off') hides what is not wanted.")
        if self.stacked:
            self.fit_titles()
        for i, panel in enumerate(self.panels):
            if not panel.flat:
                self.take_camera(i, panel.ax)
        if not self.places:
            if self.stacked:  # room for what a wide picture has beside its panels
                self.figure.get_layout_engine().set(rect=(0.035, 0, 0.935, 1))
            self.figure.draw_without_rendering()
            self.figure.set_layout_engine("none")
            self.places = [ax.get_position(original=True) for ax in self.axes]
            self.place_axes()
        return caption

    def take_camera(self, i, ax):
        own = ax.elev, ax.azim
        before, turned = self.cameras.get(i, (own, None))
        if turned and before in (None, own):
            ax.view_init(*turned)
        else:
            turned = None
        self.cameras[i] = own, turned

    def fit_titles(self):
        """No title wider than the narrow page."""
        for ax in self.axes:
            share = ax.title.get_window_extent().width / (0.9 * self.figure.bbox.width)
            ax.title.set_fontsize(ax.title.get_fontsize() / max(share, 1))
            if legend := ax.get_legend():
                self.fit_legend(legend)

    def fit_legend(self, legend):
        """Smaller words where they would be cut off."""
        for _ in range(10):
            if legend.get_window_extent().width <= 0.9 * self.figure.bbox.width:
                return
            for words in legend.get_texts():
                words.set_fontsize(words.get_fontsize() - 0.5)

    def empty(self):
        foreign = set(self.figure.get_children()) ^ {self.figure.patch, *self.axes}  # added by the drawing, or removed
        if foreign or not all(panel.is_whole() for panel in self.panels):
            self.new_axes()
        for panel in self.panels:
            panel.empty()

    def render(self):
        """The same pixels as figure.canvas.draw()."""
        renderer, liftable = self.draw_backdrop(self.backdrop_shows()), self.liftable
        with ExitStack() as stack:
            for panel in liftable:
                stack.enter_context(panel.lifted())
            for artist in sorted(self.figure.get_children()[1:], key=lambda artist: artist.get_zorder()):
                artist.draw(renderer)

    @property
    def liftable(self):
        return [panel for panel in self.panels if panel.can_be_lifted()]

    def backdrop_shows(self):
        return [panel.backdrop() for panel in self.liftable]

    def draw_backdrop(self, shows):
        renderer = self.figure.canvas.get_renderer()
        if shows != self.backdrop[0]:
            renderer.clear()
            self.figure.patch.draw(renderer)
            for panel in self.liftable:
                panel.draw_backdrop(renderer)
            self.backdrop = shows, renderer.copy_from_bbox(self.figure.bbox)
        renderer.restore_region(self.backdrop[1])
        return renderer


class Panel:
    """One of the axes: emptied before every picture, with a backdrop of ticks, labels and grid below its data."""

    def __init__(self, ax):
        self.ax = ax
        self.flat = type(ax) is Axes  # others, such as 3-D axes, are cleared and drawn the slow way
        if self.flat:
            ax.xaxis.tick_bottom()  # where they are already; now the axis remembers it
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_zorder(BELOW_ALL)
            self.own = ax.get_children()
            self.usual = [(part, plain(part)) for part in parts(ax)]
            self.usual_texts = [(text, text.get_fontproperties().copy(), text.get_transform()) for text in texts(ax)]
            self.usual_ticks = [(axis, tick_look(axis)) for axis in (ax.xaxis, ax.yaxis)]

    def is_whole(self):
        """Has the drawing left the axes what they had, and not cleared them?"""
        return not self.flat or self.ax.title in self.own

    def empty(self):
        """ax.clear() at a tenth of its time, and complete: that one leaves colours, frames and tick settings."""
        ax = self.ax
        if not self.flat:
            return ax.clear()
        for artist in reversed(ax.get_children()):  # a colour bar before its image, which it still wants to see
            if artist not in self.own:
                artist.remove()
        ax.containers.clear()
        for spine in ax.spines.values():
            if spine.get_position() != AT_THE_EDGE:
                spine.set_position(AT_THE_EDGE)
        for axis in (ax.xaxis, ax.yaxis):
            if axis.get_scale() == "linear":
                axis.set_major_locator(AutoLocator())
                axis.set_major_formatter(ScalarFormatter())
                axis.set_minor_locator(NullLocator())
                axis.set_minor_formatter(NullFormatter())
                axis.isDefault_majloc = axis.isDefault_majfmt = axis.isDefault_minloc = axis.isDefault_minfmt = True
            else:
                ax.set(**{axis.axis_name + "scale": "linear"})  # with new locators and formatters
        for part, settings in self.usual:
            vars(part).update(settings)
        for text, font, transform in self.usual_texts:
            text.set_text("")
            text.set_fontproperties(font)
            text.set_transform(transform)
        for axis, look in self.usual_ticks:
            if tick_look(axis) != look:
                axis.set_tick_params("major", reset=True, **look[0])
                axis.set_tick_params("minor", reset=True, **look[1])
        ax.set_prop_cycle(None)
        ax.relim()
        ax.set_xlim(0, 1, auto=True)
        ax.set_ylim(0, 1, auto=True)

    def can_be_lifted(self):
        ax = self.ax
        return (
            self.flat
            and ax.get_visible()
            and all(
                artist.get_zorder() == BELOW_ALL if artist in (ax.xaxis, ax.yaxis) else artist.get_zorder() > BELOW_ALL
                for artist in ax.get_children()
            )
        )

    def backdrop(self):
        """All that the pixels of the backdrop depend on."""
        ax = self.ax
        ax.apply_aspect()
        return (
            ax.bbox.bounds,
            ax.get_xlim(),
            ax.get_ylim(),
            [plain(part) for part in parts(ax)],
            [axis_look(axis) for axis in (ax.xaxis, ax.yaxis) if ax.axison],
        )

    def draw_backdrop(self, renderer):
        if self.ax.axison:
            ground = [self.ax.patch] if self.ax.get_frame_on() else []
            for artist in (*ground, self.ax.xaxis, self.ax.yaxis):
                artist.draw(renderer)

    def shown_artists(self):
        """What is drawn above the backdrop, in order."""
        ax = self.ax
        hidden = [ax.patch, ax.xaxis, ax.yaxis, *(() if ax.axison and ax.get_frame_on() else ax.spines.values())]
        artists = [artist for artist in ax.get_children() if artist not in hidden]
        return sorted(artists, key=lambda artist: artist.get_zorder())

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


def texts(ax):
    titles = [child for child in ax.get_children() if isinstance(child, Text) and child not in ax.texts]
    return [*titles, ax.xaxis.label, ax.yaxis.label, ax.xaxis.offsetText, ax.yaxis.offsetText]


def parts(ax):
    return [ax, ax.patch, *ax.spines.values(), ax.xaxis, ax.yaxis, *texts(ax)]


def plain(thing):
    """Settings of a part of the axes: all its attributes that are numbers or words, so that none is forgotten."""
    return {name: value for name, value in vars(thing).items() if isinstance(value, PLAIN) and name not in PASSING}


def tick_look(axis):
    looks = []
    for tick in axis.majorTicks:
        if (look := plain(tick.label1) | {"font": hash(tick.label1.get_fontproperties())}) not in looks:
            looks.append(look)
    return axis.get_tick_params("major"), axis.get_tick_params("minor"), looks


def axis_look(axis):
    label, major, minor = axis.label, axis.get_majorticklocs(), axis.get_minorticklocs()
    return (
        label.get_text(),
        label.get_position(),
        hash(label.get_fontproperties()),
        *tick_look(axis),
        tuple(major),
        axis.major.formatter.format_ticks(major),
        axis.major.formatter.get_offset(),
        tuple(minor),
        axis.minor.formatter.format_ticks(minor),
    )
