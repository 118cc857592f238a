"""How a picture of the course looks: one palette and large type. What pictures are made of is in toolbox.py.

Nothing is set when this file is imported: house_style() holds while a picture of the course is made.
"""

from contextlib import contextmanager
from functools import lru_cache

import matplotlib
from matplotlib.colors import LinearSegmentedColormap

INK = "#1b1b1b"  # text, and all that must be read
MUTED = "#6b6b6b"  # helping lines and remarks
GRID = "#d9d9d9"
PAPER = "#ffffff"
# M. Okabe and K. Ito, Color universal design, 2008; in this order neighbours stay apart for all kinds of colour vision
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKERS = ["o", "^", "s", "D", "v", "P", "X"]  # one for each colour
SEQUENTIAL, SECOND = "viridis", "plasma"  # for a quantity, and for another one beside it
# for signs, which are no classes: negative plum, 0 nearly the paper, positive leaf green; both ends and the colours of
# classes are apart for all kinds of colour vision
SIGNS = ["#893b83", "#b063a7", "#cb92c4", "#e5c2df", "#f6f6f6", "#c1d8b7", "#90b981", "#60994e", "#3b782b"]
DIVERGING = LinearSegmentedColormap.from_list("plum_to_leaf", SIGNS)
MINUS, PLUS = SIGNS[0], SIGNS[-1]

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
    settings = matplotlib.rcParams
    before = {key: settings[key] for key in STYLE}
    dict.update(settings, _checked())
    try:
        yield
    finally:
        dict.update(settings, before)


@lru_cache(1)
def _checked():
    """STYLE as matplotlib keeps it: looked through once, not before and after every picture."""
    checked = matplotlib.RcParams(STYLE)
    return {key: checked[key] for key in STYLE}
