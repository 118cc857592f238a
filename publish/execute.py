"""The notebooks run in place, their outputs stored without widget state: python -m publish.execute [NOTEBOOK ...]."""

import argparse
import base64
import io
import re
import sys
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from .alone import number

EMBEDDED = re.compile(r'(src="data:image/png;base64,)([^"]+)')
OFTEN = 64  # colours


def execute(path):
    """Run a notebook in place; outputs stay, widget state, timings and machine details go."""
    import nbformat  # not above: whoever asks for help need not wait for these
    from nbclient import NotebookClient

    from kmlab.show.stills import LIVE

    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    quiet = ["--log-level=ERROR"]  # a kernel warns that whoever is on this machine could listen
    NotebookClient(notebook, timeout=600, resources=where, coalesce_streams=True, extra_arguments=quiet).execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            data.pop(LIVE, None)
            if "image/png" in data:
                data["image/png"] = slim(data["image/png"])
            if "text/html" in data:
                data["text/html"] = EMBEDDED.sub(lambda found: found[1] + slim(found[2]), data["text/html"])
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if output.get("data", True)]  # nothing of a bar is left
    number(notebook.cells)
    nbformat.write(notebook, path)


@cache  # the HTML holds the same picture again
def slim(png):
    """A stored picture with 256 colours: a third of the size, and nobody sees the difference.

    The colours that are seen most stay as they are: a choice by distance alone makes the pale walls of a room white.
    """
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    colour = np.asarray(picture) @ [1 << 16, 1 << 8, 1]
    colours, counts = np.unique(colour, return_counts=True)
    often = np.sort(colours[np.argsort(-counts)[:OFTEN]])
    chosen = picture.quantize(256 - OFTEN, Image.Quantize.MAXCOVERAGE, dither=0).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette([int(colour) >> shift & 255 for colour in often for shift in (16, 8, 0)] + chosen)
    stored = picture.quantize(palette=palette, dither=0)
    place = np.minimum(np.searchsorted(often, colour), len(often) - 1)
    exact = np.where(often[place] == colour, place, np.asarray(stored)).astype(np.uint8)  # Pillow takes the next best
    stored.paste(Image.fromarray(exact, "L"))
    file = io.BytesIO()
    stored.save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def main(args):
    parser = argparse.ArgumentParser("python3 course.py execute", description=__doc__.split(":")[0], allow_abbrev=False)
    parser.add_argument("notebook", nargs="*", type=Path, help="all of the course if none is given")
    paths = parser.parse_args(args).notebook or sorted(Path("notebooks").glob("*.ipynb"))
    from . import guides  # not above: whoever asks for help need not wait for it

    for i, path in enumerate(paths, 1):
        print(f"[{i}/{len(paths)}] {path}", flush=True)
        execute(path)
    if any(path.resolve().parent == guides.FOLDER.parent for path in paths):
        guides.main()  # they show what these cells show


if __name__ == "__main__":
    main(sys.argv[1:])
