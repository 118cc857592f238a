"""What drawings are made of, each thing once: grids, maps, points, lines, matrices, named kernels, short numbers."""

from functools import lru_cache, wraps

import numpy as np
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

from ..kernels import Exponential, Gaussian, Linear, Polynomial
from .style import COLORS, DIVERGING, INK, MARKERS, MUTED, PAPER, SEQUENTIAL

# ---- what is drawn ---------------------------------------------------------------------------------------------------


def grid_around(X, n=90, room=0.12):
    """xs (n,) and ys (n,) over the points X (m, 2), with a margin of `room` times their longer side."""
    low, high = X.min(0), X.max(0)
    pad = room * (high - low).max()
    return np.linspace(low[0] - pad, high[0] + pad, n), np.linspace(low[1] - pad, high[1] + pad, n)


def over_grid(f, xs, ys):
    """f at every point of the grid xs (nx,), ys (ny,), where f takes points (m, 2); -> (ny, nx)."""
    return np.reshape(f(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)), (len(ys), len(xs)))


def framed(xs, ys):
    """Options of ax.set: just the grid, and no ticks."""
    return {"xlim": (xs[0], xs[-1]), "ylim": (ys[0], ys[-1]), "xticks": [], "yticks": []}


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
    for i, label in enumerate(np.unique(y)):
        look = {
            "color": COLORS[i % len(COLORS)],
            "marker": MARKERS[i % len(MARKERS)],
            "label": str(label),
            "s": size[y == label] if np.ndim(size) else size,
            "edgecolors": PAPER,
            "linewidths": 0.6,
        }
        ax.scatter(*X[y == label].T, **(look | options))


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
    """Colours for A about 0, which is white: options of imshow, heat and scatter."""
    top = np.abs(A).max() or 1.0
    return {"cmap": DIVERGING, "vmin": -top, "vmax": top}


def color_map(ax, xs, ys, F, interpolation="bilinear", **look):
    """F (ny, nx) as colours, from the first line of the grid to the last."""
    ends = xs[0], xs[-1], ys[0], ys[-1]
    ax.imshow(F, extent=ends, origin="lower", aspect="auto", interpolation=interpolation, **look)


def score_map(ax, xs, ys, F, lines=True):
    """Colours for F (ny, nx) on the grid xs (nx,), ys (ny,): white is 0; with lines of equal value, 0 the strongest."""
    look = symmetric(F)
    # a value between every two, in single precision: looks like interpolation="bilinear" and takes half its time
    ax.imshow(
        _finer(_finer(F).T).T,
        extent=_borders(xs) + _borders(ys),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        interpolation_stage="data",
        **look,
    )
    top = look["vmax"]
    levels = [level for level in np.linspace(-top, top, 11) if lines and F.min() < level < F.max()]
    if levels:
        widths = [1.0 if abs(level) > 1e-9 * top else 2.0 for level in levels]
        ax.contour(xs, ys, F, levels, colors=MUTED, linewidths=widths, linestyles="solid", zorder=0.5)


def decision_map(ax, xs, ys, F):
    """Colours for a decision F (ny, nx), and where it is 0."""
    score_map(ax, xs, ys, F, lines=False)
    ax.contour(xs, ys, F, [0], colors=INK, linewidths=2.5)


def heat(ax, K, vmin=None, vmax=None, cmap=SEQUENTIAL, label=None):
    """Image of the matrix K with a slim colour bar beside it."""
    image = ax.imshow(K, cmap=cmap, vmin=vmin, vmax=vmax, interpolation="nearest")
    low, high = image.get_clim()
    # matplotlib's own bar is a second set of axes, and slower than all the rest of the picture
    bar = AxesImage(ax, cmap=cmap, extent=(1.03, 1.08, 0, 1), origin="lower", clip_on=False)
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


def _finer(F):  # (n, m) -> (2n - 1, m)
    G = np.repeat(F, 2, axis=0)[:-1].astype(np.float32)
    G[1::2] = (F[1:] + F[:-1]) / 2
    return G


def _borders(grid):  # first and last line of the grid -> borders of the finer image
    quarter = (grid[-1] - grid[0]) / (len(grid) - 1) / 4
    return grid[0] - quarter, grid[-1] + quarter


# ---- words and numbers -----------------------------------------------------------------------------------------------


def short(value):
    """Two digits and no power of ten: 0.016, 63, 1000."""
    return f"{float(f'{value:.2g}'):g}"


def minus(text):
    """Hyphens of formatted numbers as minus signs."""
    return text.replace("-", "−")
