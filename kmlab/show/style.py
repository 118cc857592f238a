"""How a picture of the course looks: one palette, large type, and the three drawings that every topic needs."""
from contextlib import contextmanager

import matplotlib
import numpy as np

INK = "#1b1b1b"                 # text, axes, everything that must be read
MUTED = "#6b6b6b"               # helping lines and remarks
GRID = "#d9d9d9"
PAPER = "#ffffff"
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]    # Okabe and Ito, 2008
MARKERS = ["o", "^", "s", "D", "v", "P", "X"]                                             # one for each colour
SEQUENTIAL = "viridis"
DIVERGING = "RdBu_r"            # 0 is white: red above, blue below

STYLE = {
    "figure.facecolor": PAPER, "axes.facecolor": PAPER, "figure.dpi": 120,
    "font.size": 14, "axes.titlesize": 15, "axes.labelsize": 14, "xtick.labelsize": 13, "ytick.labelsize": 13,
    "legend.fontsize": 13, "figure.titlesize": 16,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": MUTED, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "grid.color": GRID, "legend.frameon": False,
    "lines.linewidth": 2.2, "lines.markersize": 7, "axes.prop_cycle": matplotlib.cycler(color=COLORS),
    "image.cmap": SEQUENTIAL, "axes.axisbelow": True, "axes.titley": 1.0,
}


@contextmanager
def house_style():
    """The course's settings for a while. Only these keys are set and put back: another thread may change others."""
    before = {key: matplotlib.rcParams[key] for key in STYLE}
    matplotlib.rcParams.update(STYLE)
    try:
        yield
    finally:
        matplotlib.rcParams.update(before)


def scatter_classes(ax, X, y, size=36, **kwargs):
    """Points of X (n, 2), each class of y in its own colour and marker."""
    for i, label in enumerate(np.unique(y)):
        look = {"c": COLORS[i % len(COLORS)], "marker": MARKERS[i % len(MARKERS)]}
        ax.scatter(*X[y == label].T, s=size, edgecolors=PAPER, linewidths=0.6, label=str(label), **(look | kwargs))


def score_map(ax, xs, ys, F, lines=True):
    """Image of F (ny, nx), the values on the grid xs (nx,), ys (ny,), with 0 in the middle of the colours."""
    top = np.abs(F).max() or 1.0
    ax.imshow(F, extent=_edges(xs) + _edges(ys), origin="lower", aspect="auto", cmap=DIVERGING, vmin=-top, vmax=top,
              interpolation="bilinear")
    if lines and F.min() < F.max():
        ax.contour(xs, ys, F, levels=9, colors=INK, linewidths=0.8, alpha=0.6)


def heat(ax, K, vmin=None, vmax=None, cmap=SEQUENTIAL, label=None):
    """Image of the matrix K with a slim colour bar beside it, which takes no room from the other panels."""
    image = ax.imshow(K, cmap=cmap, vmin=vmin, vmax=vmax, interpolation="nearest")
    bar = ax.inset_axes([1.03, 0, 0.05, 1])
    ax.figure.colorbar(image, cax=bar, label=label)
    return image


def _edges(grid):                             # centres of pixels -> (left, right) border of the image
    half = (grid[-1] - grid[0]) / (len(grid) - 1) / 2
    return (grid[0] - half, grid[-1] + half)
