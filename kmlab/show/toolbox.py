"""What drawings are made of, each thing once: grids, maps, points, lines, matrices, named kernels, short numbers."""

from functools import lru_cache, wraps

import contourpy
import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import ListedColormap
from matplotlib.image import AxesImage
from matplotlib.markers import MarkerStyle
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import IdentityTransform

from ..kernels import Exponential, Gaussian, Linear, Polynomial
from .style import COLORS, DIVERGING, INK, MARKERS, MUTED, PAPER, SEQUENTIAL

PLANE = {"aspect": "equal", "anchor": "N", "xticks": [], "yticks": []}  # options of ax.set where points lie: no ticks

BAR = {"origin": "lower", "interpolation": "nearest", "clip_on": False}  # of a scale beside a map

# ---- what is drawn ---------------------------------------------------------------------------------------------------


def grid_around(X, n=90, room=0.12):
    """xs (n,) and ys (n,) over the points X (m, 2), with a margin of `room` times their longer side; over the frame of
    points that a reader may move, which must not move with them."""
    hand = getattr(X, "hand", None)
    if hand is not None:
        return (np.linspace(low, high, n) for low, high in hand.frame.T)
    low, high = X.min(0), X.max(0)
    pad = room * (high - low).max()
    return np.linspace(low[0] - pad, high[0] + pad, n), np.linspace(low[1] - pad, high[1] + pad, n)


def over_grid(f, xs, ys):
    """f at every point of the grid xs (nx,), ys (ny,), where f takes points (m, 2); -> (ny, nx)."""
    return np.reshape(f(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)), (len(ys), len(xs)))


def framed(xs, ys):
    """Options of ax.set: just the grid, both axes in the same units, and no ticks."""
    return {"xlim": (xs[0], xs[-1]), "ylim": (ys[0], ys[-1])} | PLANE


def named_kernel(name, width=1.0, degree=2, coef0=1.0):
    """The kernel of a menu entry; width serves the first two, degree and coef0 the third."""
    return {
        "Gaussian": lambda: Gaussian(width),
        "exponential": lambda: Exponential(width),
        "polynomial": lambda: Polynomial(degree, coef0),
        "cubic": lambda: Polynomial(3),
        "linear": Linear,
    }[name]()


def steady(scores):
    """Signs that keep point 0 on the positive side, so that no picture flips while a slider moves; -> signs, scores."""
    sign = np.where(scores[0] < 0, -1, 1)
    return sign, sign * scores


def remembered(most=64):
    """Decorator: the last results of a slow curve are kept; arrays among its arguments count by their content."""

    def mark(compute):
        @lru_cache(most)
        def recall(*frozen):
            return compute(*(part.array if isinstance(part, _Frozen) else part for part in frozen))

        @wraps(compute)
        def call(*data):
            return recall(*(_Frozen(part) if isinstance(part, np.ndarray) else part for part in data))

        return call

    return mark


class _Frozen:
    """An array as a key."""

    def __init__(self, array):
        self.array = array.copy()
        self.key = array.shape, array.dtype.str, array.tobytes()

    def __hash__(self):
        return hash(self.key)

    def __eq__(self, other):
        return isinstance(other, _Frozen) and self.key == other.key


# ---- points and lines ------------------------------------------------------------------------------------------------


def scatter_classes(ax, X, y, size=36, **options):
    """Points X (n, 2), or (n, 3) on 3-D axes, each class of y (n,) in its own colour and marker; size one for all or
    one for each."""
    y = np.asarray(y)
    for i, label in enumerate(_classes(X, y)):
        rows = np.flatnonzero(y == label)
        look = {"color": COLORS[i % len(COLORS)], "marker": MARKERS[i % len(MARKERS)], "label": str(label)}
        dots = points(ax, X, rows, **({"size": size[rows] if np.ndim(size) else size} | look | options))
        dots.moves *= i + 1  # the number of the class, from 1


def points(ax, X, rows=None, size=36, color=COLORS[0], marker="o", **options):
    """Points X (n, 2), or (n, 3) on 3-D axes, or some of its rows: those of one row are linked from panel to panel, and
    those of editable points can be moved."""
    kept = np.asarray(X) if rows is None else np.asarray(X)[rows]
    look = {"edgecolors": PAPER, "linewidths": 0.6} | options
    if kept.shape[1] == 3:
        dots = ax.scatter(*kept.T, s=size, color=color, marker=marker, **look)
    else:
        shape = MarkerStyle(marker)
        path = shape.get_path().transformed(shape.get_transform())
        dots = PathCollection(
            (path,), np.ravel(size), offsets=kept, offset_transform=ax.transData, facecolors=color, **look
        )
        dots.set_transform(IdentityTransform())
        ax.add_collection(dots, autolim=False)  # which would measure every mark
        ax.update_datalim(kept)
        ax._request_autoscale_view()  # once, when all is drawn
    dots.rows, dots.of = np.arange(len(kept)) if rows is None else rows, len(X)
    dots.moves = int(getattr(X, "hand", None) is not None)
    return dots


def _classes(X, y):
    """Of points that a reader may move, those there can be: a colour stays when the last point of another goes."""
    hand = getattr(X, "hand", None)
    return np.unique(y) if hand is None or hand.classes is None else hand.classes


def plane_line(ax, w, b, xs, **look):
    """The line wᵀx + b = 0 across a picture as wide as xs."""
    length = np.linalg.norm(w) or 1
    normal = np.asarray(w) / length
    foot, along = -b / length * normal, 4 * np.ptp(xs) * np.array([-normal[1], normal[0]])
    ax.plot(*np.transpose([foot - along, foot + along]), **({"color": INK, "lw": 2.5} | look))


def segments(A, B):
    """One line from each row of A (n, d) to that of B (n, d), for ax.plot: NaN lifts the pen; -> (d, 3n)."""
    return np.stack([A, B, np.full_like(B, np.nan)], 1).reshape(-1, B.shape[1]).T


def name_tag(ax, place, name):
    """A large name on a pale ground, readable among many points."""
    ground = {"facecolor": PAPER, "alpha": 0.75, "edgecolor": "none", "pad": 1.5}
    ax.text(*place, name, size=24, weight="bold", ha="center", va="center", color=INK, bbox=ground)


# ---- maps and matrices -----------------------------------------------------------------------------------------------


def symmetric(A):
    """Colours for A about 0, which is in their middle: options of imshow, heat and scatter."""
    top = np.abs(A).max() or 1.0
    return {"cmap": DIVERGING, "vmin": -top, "vmax": top}


def color_map(ax, xs, ys, F, **look):
    """F (ny, nx) as colours over the grid xs (nx,), ys (ny,), both in the same units: a circle is round."""
    return _image(Field, ax, xs, ys, np.asarray(F), **look)


def level_lines(ax, xs, ys, F, levels, color=INK, widths=2.5, **look):
    """Lines where F (ny, nx) has these values: ax.contour in a fifth of its time."""
    find = contourpy.contour_generator(xs, ys, F)
    widths = np.broadcast_to(widths, len(levels))
    found = [(line, width) for level, width in zip(levels, widths, strict=True) for line in find.lines(level)]
    lines, widths = zip(*found, strict=True) if found else ((), ())
    ax.add_collection(LineCollection(lines, linewidths=widths, colors=color, **({"zorder": 2} | look)), autolim=False)


def region_map(ax, xs, ys, labels, colors, **look):
    """Labels (ny, nx), whole numbers from 0, each in its colour of the list."""
    shares = [_finer(labels == label) for label in range(labels.max() + 1)]
    limits = {"cmap": ListedColormap(colors), "vmin": -0.5, "vmax": len(colors) - 0.5}
    return _image(AxesImage, ax, xs, ys, np.argmax(shares, axis=0).astype(np.uint8), **limits, **look)


def score_map(ax, xs, ys, F, lines=True, note=None, scale=True):
    """Colours for F (ny, nx) on the grid xs (nx,), ys (ny,), about 0; with lines of equal value, 0 the strongest, and
    a scale that says so, or gives another note."""
    look = symmetric(F)
    image, top = color_map(ax, xs, ys, F, **look), look["vmax"]
    levels = [level for level in np.linspace(-top, top, 11) if lines and F.min() < level < F.max()]
    if levels:
        widths = [1.0 if abs(level) > 1e-9 * top else 2.0 for level in levels]
        level_lines(ax, xs, ys, F, levels, MUTED, widths, zorder=0.5)
    if scale:
        thick = "thick line: 0" if lines and F.min() < 0 < F.max() else ""
        color_scale(ax, image, thick if note is None else note)
    return image


def decision_map(ax, xs, ys, F):
    """Colours for a decision F (ny, nx), and where it is 0."""
    seen = F.min() < 0 < F.max()
    score_map(ax, xs, ys, F, lines=False, note="thick line: f = 0" if seen else "")
    if seen:
        level_lines(ax, xs, ys, F, [0])


def color_scale(ax, image, note="", ends=None):
    """A slim scale along the right side of a map: the values at its ends, or other words, and a note between them."""
    low, high = image.get_clim()
    # matplotlib's own bar is a second set of axes, and slower than all the rest of the picture
    bar = AxesImage(ax, cmap=image.cmap, norm=image.norm, extent=(1.02, 1.05, 0, 1), **BAR)
    bar.set_data(np.linspace(low, high, 256)[:, None])
    bar.set(transform=ax.transAxes, alpha=image.get_alpha())
    ax.add_artist(bar)
    low, high = ends or (short(low), short(high))
    room = "\n"  # an empty line keeps what stands beside the scale off
    for place, word, side in (0, low + room, "bottom"), (0.5, note, "center"), (1, high, "top"):
        if word:  # turned, so that a longer one moves nothing
            ax.text(1.06, place, word, rotation=90, va=side, size=13, linespacing=0.6, transform=ax.transAxes)


def heat(ax, K, vmin=None, vmax=None, cmap=SEQUENTIAL, label=None):
    """Image of the matrix K with a slim colour bar beside it."""
    image = ax.imshow(K, cmap=cmap, vmin=vmin, vmax=vmax, interpolation="nearest")
    low, high = image.get_clim()
    # matplotlib's own bar is a second set of axes, and slower than all the rest of the picture
    bar = AxesImage(ax, cmap=cmap, extent=(1.03, 1.08, 0, 1), **BAR)
    bar.set_data(np.linspace(0, 1, 256)[:, None])
    bar.set_transform(ax.transAxes)
    ax.add_artist(bar)
    for value in MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high) if low < high else [low]:
        if low <= value <= high:
            place = (value - low) / (high - low) if low < high else 0.5
            ax.text(1.11, place, minus(f"{value:.3g}"), transform=ax.transAxes, va="center", size=13)
    if label:
        ax.text(1.03, 1.03, label, transform=ax.transAxes, size=13)
    return image


class Field(AxesImage):
    """A map from few values: the finer ones between them are made when it is drawn here; the page makes its own."""

    def set_data(self, coarse):
        self.coarse = coarse
        super().set_data(coarse)

    def draw(self, renderer):
        AxesImage.set_data(self, _finer(self.coarse))
        super().draw(renderer)


def _image(kind, ax, xs, ys, values, vmin=None, vmax=None, **look):
    """The values of a grid, or of a finer one between its lines, as pixels."""
    rows, columns = (4 * n - 3 for n in values.shape) if kind is Field else values.shape
    extent = _borders(xs, columns) + _borders(ys, rows)
    look = {"interpolation": "nearest", "interpolation_stage": "data"} | look
    image = kind(ax, extent=extent, origin="lower", **look)
    image.set_data(values)
    image.set_clip_path(ax.patch)
    image._scale_norm(None, vmin, vmax)
    image.set_extent(extent)
    ax.set_aspect("equal")
    ax.set_anchor("N")  # a flat map stands below its title, level with the panel beside it
    return ax.add_image(image)


def _finer(F):
    """Values between those of F, so many that no cell is seen: like interpolation="bilinear", in half its time."""
    return _between(len(F)) @ F.astype(np.float32) @ _between(F.shape[1]).T


@lru_cache(32)
def _between(n):  # -> (4n - 3, n)
    fine = np.arange(4 * n - 3) / 4
    return np.maximum(1 - np.abs(fine[:, None] - np.arange(n)), 0).astype(np.float32)


def _borders(grid, n):  # of n pixels whose first and last are centred on the ends of the grid
    half = (grid[-1] - grid[0]) / (n - 1) / 2
    return grid[0] - half, grid[-1] + half


# ---- words and numbers -----------------------------------------------------------------------------------------------


def short(value):
    """Two digits and no power of ten unless the value is tiny: 0.016, 63, 1000, 1.6e−6."""
    return minus(f"{float(f'{value:.2g}'):g}".replace("e-0", "e-"))


def tidy(value, digits=2):
    """So many digits behind the point, and none that are idle where the value is exact: 4, 2.5, −0.33, 1e−8."""
    if 0 < abs(value) < 0.5 * 10.0**-digits:
        return minus(f"{value:.{digits}g}".replace("e-0", "e-"))
    text = f"{value:.{digits}f}"
    return minus(f"{float(text) + 0.0:g}" if abs(float(text) - value) < 1e-9 else text)


def alone(K):
    """A sentence for a picture in which little is to be seen because K is nearly the identity; or none."""
    of_distance = np.ptp(np.diag(K)) < 1e-9  # other kernels have no width
    others = np.median(K.sum(1) / K[0, 0] - 1)  # less than 1: to a typical point all others are less than itself
    narrow = of_distance and others < 1
    return " To so narrow a kernel most points are like no other: K is nearly the identity." if narrow else ""


def inner_ticks(ax):
    """Ticks of an x axis from 0 on, none at its very end, where half of the number would be cut off."""
    end = ax.get_xlim()[1]
    ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, end)
    ax.set_xticks(ticks[ticks < 0.95 * end])


def minus(text):
    """Hyphens of formatted numbers as minus signs."""
    return text.replace("-", "−")
