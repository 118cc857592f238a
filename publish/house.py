"""The map of the house: every room with what is in it, read from the checkout; imports go down only."""

import textwrap
from pathlib import Path

from matplotlib.patches import FancyBboxPatch

from kmlab.show.style import COLORS, INK, MUTED
from kmlab.show.widgets import figure_of, panels

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {  # from the roof to the cellar: what a room is for, and its folder
    "publish, classroom": ("web pages, slides, figures · grading, hub", ["publish"]),  # students have no classroom/
    "kmlab/course": ("what only the notebooks use", ["kmlab/course"]),
    "kmlab/show": ("live pictures: sliders, canvas, style", ["kmlab/show"]),
    "kmlab": ("the algorithms, one topic a file: the page beside the slide", ["kmlab"]),
    "kmlab/engine": ("what makes them fast", ["kmlab/engine"]),
}


def contents(folder):
    """Names of the files and folders of code in a room, without those that are rooms themselves."""
    rooms = {ROOT / name for _, folders in ROOMS.values() for name in folders}
    files = [path.stem for path in (ROOT / folder).glob("*.py") if not path.stem.startswith("_")]
    inner = [path.parent for path in (ROOT / folder).glob("*/__init__.py")]
    return sorted(files + [path.name for path in inner if path not in rooms])


@panels(1, 1, size=(9.6, 6.4))
def rooms(axes):
    """Each room a box, as high as it has lines."""
    (ax,) = axes
    lines = {
        room: textwrap.wrap(", ".join(name for folder in folders for name in contents(folder)), 96)
        for room, (_, folders) in ROOMS.items()
    }
    top = 0.0
    for color, (room, (role, _)) in zip(COLORS, ROOMS.items(), strict=False):
        height = 1.55 + 0.85 * len(lines[room])
        round_box = "round,pad=0,rounding_size=0.8"
        ax.add_patch(FancyBboxPatch((0, top - height), 100, height, round_box, facecolor=color + "29", edgecolor=color))
        ax.text(1.5, top - 0.75, room, color=INK, weight="bold", va="center")
        ax.text(30, top - 0.75, role, color=INK, va="center")
        for i, line in enumerate(lines[room]):
            ax.text(1.5, top - 1.65 - 0.85 * i, line, color=MUTED, va="center", fontsize="small")
        top -= height + 0.4
    ax.annotate("", (-2.5, top + 1), (-2.5, -0.3), arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 2})
    ax.text(-4.2, (top + 1) / 2, "imports go down only", rotation=90, ha="center", va="center", color=INK)
    ax.set(xlim=(-6, 101), ylim=(top, 0.3))
    ax.axis("off")
    return "The rooms of the house, from what readers meet to what makes it fast; a room imports only from those below."


def figures():
    return {"rooms": lambda: figure_of(rooms)}
