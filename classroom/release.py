"""The student's version of the homework: `python3 course.py homework`.

classroom/assignments/ holds the sources, with solutions and hidden tests; nbgrader makes the student's version of them,
which goes to notebooks/homework/ and is run once, so that the pictures are there when a student opens it.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

import bleach
import nbformat
from nbconvert.filters import markdown2html
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells
from traitlets.config import Config

import course

SOURCES = course.ROOT / "classroom/assignments"
RELEASED = course.ORIGINALS / "homework"
HARMLESS = set(
    "a b blockquote br code dd del dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre s span strong sub sup table "
    "tbody td th thead tr u ul".split()
)
STUBS = {"code_stub": {"python": "pass  # your lines here"}, "text_stub": "\n*Your words here.*"}
# nbgrader calls alembic, which is beside the Python that runs this
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def names():
    return sorted(path.stem for path in SOURCES.glob("*.ipynb"))


def settings(folder, **more):
    """nbgrader's, for a course in folder."""
    config = Config()
    config.CourseDirectory.update(root=str(folder), course_id="kmlab", **more)
    config.ClearSolutions.update(STUBS)
    config.HTMLExporter.filters = {"markdown2html": "classroom.release.safe_markdown"}
    return config


def safe_markdown(text):
    """Markdown as HTML without anything that runs: a submission's scripts have no business in a reader's browser."""
    return bleach.clean(markdown2html(text), tags=HARMLESS, attributes={"a": ["href", "class"], "*": ["id"]})


def generate(folder, database=True):
    """Let nbgrader make folder/release/NAME/NAME.ipynb from every source."""
    for name in names():
        source = folder / "source" / name / f"{name}.ipynb"
        source.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCES / source.name, source)
        config = settings(folder, assignment_id=name)
        make = GenerateAssignment(
            coursedir=CourseDirectory(config=config), config=config, no_database=not database, force=True
        )
        if not database:
            make.preprocessors.remove(SaveCells)
        make.log.setLevel("CRITICAL")  # whoever calls says what has failed
        make.start()
    return {name: folder / "release" / name / f"{name}.ipynb" for name in names()}


def main(args):
    from publish.execute import execute

    what = __doc__.split(":")[0]
    argparse.ArgumentParser("python3 course.py homework", description=what, allow_abbrev=False).parse_args(args)

    RELEASED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = generate(Path(folder), database=False)
        for i, (name, path) in enumerate(made.items(), 1):
            print(f"[{i}/{len(made)}] {RELEASED.relative_to(course.ROOT) / name}.ipynb", flush=True)
            execute(path)
            shutil.copyfile(path, RELEASED / path.name)
    for stale in {path.stem for path in RELEASED.glob("*.ipynb")} - set(made):
        (RELEASED / f"{stale}.ipynb").unlink()


def points(name):
    """part or cell -> points, of every graded cell of a source, in order."""
    return {
        cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points
        for cell in nbformat.read(SOURCES / f"{name}.ipynb", 4).cells
        if cell.metadata.get("nbgrader", {}).get("grade")
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
