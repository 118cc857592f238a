"""How a picture of the course looks: one palette, large type, and the three drawings that every topic needs.

Nothing is set when this file is imported: house_style() holds while a picture of the course is made.
"""

from contextlib import contextmanager

import matplotlib
import numpy as np
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

INK = "#1b1b1b"  # text, and all that must be read
MUTED = "#6b6b6b"  # helping lines and remarks
GRID = "#d9d9d9"
PAPER = "#ffffff"
# M. Okabe and K. Ito, Color universal design, 2008; in this order neighbours stay apart for all kinds of colour vision
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKERS = ["o", "^", "s", "D", "v", "P", "X"]  # one for each colour
SEQUENTIAL = "viridis"
DIVERGING = "RdBu_r"  # 0 is white, positive red, negative blue: apart for all kinds of colour vision

STYLE = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "mathtext.fontset": "dejavusans",
    "font.size": 14,
    "axes.titlesize": 15,
    "axes.labelsize": 14,
    "xtick.labelsize": 13,
    "ytick.labelsize": 13,
    "legend.fontsize": 13,
    "figure.titlesize": 16,
    "axes.titleweight": "normal",
    "axes.titlelocation": "center",
    "axes.titley": 1.0,  # fixed: else matplotlib measures every tick label to find it
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.edgecolor": MUTED,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.axisbelow": True,
    "lines.linewidth": 2.2,
    "lines.markersize": 7,
    "axes.prop_cycle": matplotlib.cycler(color=COLORS),
    "image.cmap": SEQUENTIAL,
    "axes.formatter.useoffset": False,
}


@contextmanager
def house_style():
    """The course's settings for a while. Only these keys are put back: another thread may be setting others."""
    before = {key: matplotlib.rcParams[key] for key in STYLE}
    matplotlib.rcParams.update(STYLE)
    try:
        yield
    finally:
        matplotlib.rcParams.update(before)


def scatter_classes(ax, X, y, size=36, **options):
    """Points X (n, 2), or (n, 3) on 3-D axes, each class of y (n,) in its own colour and marker."""
    for i, label in enumerate(np.unique(y)):
        look = {
            "color": COLORS[i % len(COLORS)],
            "marker": MARKERS[i % len(MARKERS)],
            "label": str(label),
            "s": size,
            "edgecolors": PAPER,
            "linewidths": 0.6,
        }
        ax.scatter(*X[y == label].T, **(look | options))


def score_map(ax, xs, ys, F, lines=True):
    """Colours for F (ny, nx) on the grid xs (nx,), ys (ny,): white is 0; with lines of equal value, 0 the strongest."""
    top = np.abs(F).max() or 1.0
    # a value between every two, in single precision: looks like interpolation="bilinear" and takes half its time
    ax.imshow(
        _finer(_finer(F).T).T,
        extent=_borders(xs) + _borders(ys),
        origin="lower",
        aspect="auto",
        cmap=DIVERGING,
        vmin=-top,
        vmax=top,
        interpolation="nearest",
        interpolation_stage="data",
    )
    levels = [level for level in np.linspace(-top, top, 11) if lines and F.min() < level < F.max()]
    if levels:
        widths = [1.0 if abs(level) > 1e-9 * top else 2.0 for level in levels]
        ax.contour(xs, ys, F, levels, colors=MUTED, linewidths=widths, linestyles="solid", zorder=0.5)


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
            ax.text(1.11, place, f"{value:.3g}".replace("-", "−"), transform=ax.transAxes, va="center", size=13)
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
