"""Every figure of the course as an SVG file: python -m kmlab.show.figures [FOLDER] (default: figures/).

A module of kmlab.show.plots offers its figures in a function figures(), as pairs (name, Figure). The same code gives
the same bytes on every run.
"""

import importlib
import pkgutil
import sys
from pathlib import Path

import matplotlib

from . import plots


def all_figures():
    """(name, function that makes the figure) for every picture; the name begins with its module's."""
    for info in pkgutil.iter_modules(plots.__path__):
        module = importlib.import_module(f"{plots.__name__}.{info.name}")
        for name, make in module.figures().items():
            yield f"{info.name}_{name}", make


def write(folder="figures"):
    """Write all figures, with a line of progress for each."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    figures = list(all_figures())
    for i, (name, make) in enumerate(figures, 1):
        bar = "█" * (30 * i // len(figures))
        print(f"\r{bar:<30} {i}/{len(figures)} {name:<40}", end="", flush=True)
        # a fixed salt for the ids inside the file and no date: no difference without a change
        with matplotlib.rc_context({"svg.hashsalt": "kmlab"}):
            make().savefig(folder / f"{name}.svg", metadata={"Date": None})
    for stale in {f.stem for f in folder.glob("*.svg")} - {name for name, _ in figures}:
        (folder / f"{stale}.svg").unlink()
    print(f"\n{len(figures)} figures in {folder}/")


if __name__ == "__main__":
    write(*sys.argv[1:2])
