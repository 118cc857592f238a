"""What a notebook needs besides live pictures: source code shown from the file, still ones, a look at the machine."""

import importlib.metadata
import inspect
import re
import textwrap
from pathlib import Path

import ipywidgets
from IPython import get_ipython
from IPython.display import Markdown, display

from .stills import bundle, live
from .widgets import Canvas

REMEDIES = {  # in the course's own folder, and elsewhere
    True: "close JupyterLab, delete .venv and run `python3 course.py` in the course folder",
    False: 'run %pip install "kmlab[lab]" and restart the kernel',
}


def source(*things):
    """Show functions, methods or classes as they stand in kmlab."""
    code = "\n\n".join(textwrap.dedent(inspect.getsource(thing)).rstrip() for thing in things)
    module = inspect.getmodule(things[0]).__name__.replace(".", "/")
    return Markdown(f"`{module}.py`\n```python\n{code}\n```")


class picture:
    """A picture that stands still: draw(axes, *data, **values); the last line of a cell shows it."""

    def __init__(self, draw, *data, **values):
        self.canvas = Canvas(draw)
        self.png, self.caption = self.canvas.paint(*data, **values)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return bundle(self.canvas, self.png, self.caption)


def progress(steps, label="working"):
    """The steps again, one by one, with a bar below the cell; it goes when they are done and leaves nothing behind."""
    steps = list(steps)
    bar = ipywidgets.IntProgress(max=len(steps), description=label, style={"description_width": "initial"})
    if get_ipython() is not None:
        display(live(bar), raw=True)  # without text, which would be stored
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
            problems.append(f"{package} is missing: {REMEDIES[_in_the_course_folder()]}.")
            continue
        if _release(found) < _release(lowest):
            problems.append(f"{package} {found} is older than {lowest}: {REMEDIES[_in_the_course_folder()]}.")
    for problem in problems:
        print("✘", problem)
    if not problems:
        print("✔ Every package the course needs is there, in a version it works with.")


def _in_the_course_folder():
    return Path(__file__).parents[2].joinpath("course.py").exists()


def _requirements():
    """What the installed kmlab asks for with its extra [lab]: pairs of a package and its lowest version.

    But for JupyterLab: whoever reads the answer has something that shows notebooks, here, in Colab or in a browser.
    """
    asked = [line for line in importlib.metadata.requires("kmlab") if re.search(r"extra == .lab.|^[^;]*$", line)]
    found = [re.match(r"([\w-]+).*>=([\d.]+)", line).groups() for line in asked]
    return [(package, lowest) for package, lowest in found if package != "jupyterlab"]


def _release(version):
    return [int("".join(filter(str.isdigit, part)) or 0) for part in version.split(".")[:2]]
