"""The student's version of the homework: `python3 course.py homework`.

classroom/assignments/ holds the sources, with solutions and hidden tests; nbgrader makes the student's version of them,
which goes to notebooks/homework/ and is run once, so that the pictures are there when a student opens it.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

import course

SOURCES = course.ROOT / "classroom/assignments"
RELEASED = course.ORIGINALS / "homework"


def names():
    return sorted(path.stem for path in SOURCES.glob("*.ipynb"))


def main(args):
    what = __doc__.split(":")[0]
    argparse.ArgumentParser("python3 course.py homework", description=what, allow_abbrev=False).parse_args(args)
    from publish.execute import execute  # these two take seconds, which nobody waits who asks for help

    from . import gradebook

    RELEASED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = gradebook.generate(Path(folder), database=False)
        for i, (name, path) in enumerate(made.items(), 1):
            print(f"[{i}/{len(made)}] {RELEASED.relative_to(course.ROOT) / name}.ipynb", flush=True)
            execute(path)
            shutil.copyfile(path, RELEASED / path.name)
    for stale in {path.stem for path in RELEASED.glob("*.ipynb")} - set(made):
        (RELEASED / f"{stale}.ipynb").unlink()


def points(name):
    """part or cell -> points, of every graded cell of a source, in order."""
    cells = json.loads((SOURCES / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    labels = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    return {label["grade_id"]: label["points"] for label in labels if label.get("grade")}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
