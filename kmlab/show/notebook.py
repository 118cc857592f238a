"""What a notebook needs besides pictures: source code shown from the file, a look at the machine, and re-execution.

python -m kmlab.show.notebook [NOTEBOOK ...] runs notebooks in place and stores their outputs without widget state.
"""

import base64
import importlib.metadata
import inspect
import io
import re
import sys
import textwrap
from pathlib import Path

import ipywidgets
from IPython import get_ipython
from IPython.display import Markdown, display
from PIL import Image

from .widgets import Canvas

LIVE = "application/vnd.jupyter.widget-view+json"  # how a widget travels; a stored notebook has none


def source(*things):
    """Show functions, methods or classes as they stand in kmlab."""
    code = "\n\n".join(textwrap.dedent(inspect.getsource(thing)).rstrip() for thing in things)
    module = inspect.getmodule(things[0]).__name__.replace(".", "/")
    return Markdown(f"`{module}.py`\n```python\n{code}\n```")


class picture:
    """A picture that stands still: draw(axes, *data, **values); the last line of a cell shows it."""

    def __init__(self, draw, *data, **values):
        self.png, self.caption = Canvas(draw).paint(*data, **values)
        self.width = round(100 * draw.layout.size[0])

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.caption}
        return data, {"image/png": {"alt": self.caption, "width": self.width}}


def progress(steps, label="working"):
    """The steps again, one by one, with a bar below the cell; it goes when they are done and leaves nothing behind."""
    steps = list(steps)
    bar = ipywidgets.IntProgress(max=len(steps), description=label, style={"description_width": "initial"})
    if get_ipython() is not None:
        display({LIVE: bar._repr_mimebundle_()[LIVE]}, raw=True)  # without text, which would be stored
    try:
        for step in steps:
            yield step
            bar.value += 1
    finally:
        bar.close()


def check_environment():
    """Say for each thing the course needs whether it is there, and how to mend it if not."""
    problems = []
    for package, lowest in _requirements():
        try:
            found = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            problems.append(f"{package} is missing: close JupyterLab and run `python3 course.py` in the course folder.")
            continue
        if _release(found) < _release(lowest):
            problems.append(f"{package} {found} is older than {lowest}: delete .venv and start `python3 course.py`.")
    for problem in problems:
        print("✘", problem)
    if not problems:
        print("✔ Every package the course needs is there, in a version it works with.")


def _requirements():
    """What the installed kmlab asks for with its extra [lab]: pairs of a package and its lowest version."""
    asked = [line for line in importlib.metadata.requires("kmlab") if re.search(r"extra == .lab.|^[^;]*$", line)]
    return [re.match(r"([\w-]+).*>=([\d.]+)", line).groups() for line in asked]


def execute(path):
    """Run a notebook in place; outputs stay, widget state, timings and machine details go."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=600, resources=where, coalesce_streams=True).execute()
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
                data["image/png"] = _slim(data["image/png"])
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if output.get("data", True)]  # nothing of a bar is left
    nbformat.write(notebook, path)


def _slim(png):
    """A stored picture with 256 colours: a third of the size, and nobody sees the difference."""
    slim = io.BytesIO()
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=0).save(slim, "PNG", optimize=True)
    return base64.b64encode(slim.getvalue()).decode()


def _release(version):
    return [int("".join(filter(str.isdigit, part)) or 0) for part in version.split(".")[:2]]


def main(names):
    paths = [Path(name) for name in names] or sorted(Path("notebooks").glob("*.ipynb"))
    for i, path in enumerate(paths, 1):
        print(f"[{i}/{len(paths)}] {path}", flush=True)
        execute(path)


if __name__ == "__main__":
    main(sys.argv[1:])
