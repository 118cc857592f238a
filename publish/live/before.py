"""What a live page shows before Python has started: every view's controls, and all frames of what is stepped through.

python -m publish.live.before FOLDER NOTEBOOK ...: a process of its own: inside.py stands in for ipywidgets. Frames go
into the folder; the rest is printed, a line of JSON a notebook, after a dot for each of its views.
"""

import json
import sys
from pathlib import Path

from . import inside

inside.install()  # before anybody asks for ipywidgets

from kmlab.show.stills import smaller  # noqa: E402
from kmlab.show.widgets import StepView  # noqa: E402

from ..site import code_cells, is_view  # noqa: E402

SCALE = 0.6  # of a frame in a strip


def look(path, folder):
    cells = code_cells(path)
    notebook = inside.Notebook([(cell["id"], "".join(cell["source"])) for cell in cells])
    views, frames = {}, {}
    for cell in filter(is_view, cells):
        view = notebook.view(cell["id"])
        views[cell["id"]] = inside.tree(view.widget, cell["id"])
        if isinstance(view, StepView):
            name = f"images/{path.stem}-{cell['id']}-{{}}.png"
            frames[cell["id"]] = [write(view._frame(t), folder, name.format(t + 1)) for t in range(view.last + 1)]
        print(".", end="", flush=True)
    return {"views": views, "frames": frames}


def write(frame, folder, name):
    png, words, _ = frame
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(smaller(png, SCALE))
    return name, words


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(json.dumps(look(Path(name), Path(sys.argv[1])), default=lambda number: number.item()), flush=True)
