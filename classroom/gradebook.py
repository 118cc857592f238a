"""What nbgrader does for a class: the student's version of every homework, the grades, the pages of feedback.

It takes seconds to load, so release.py and grade.py import it only once it is known what is asked for.
"""

import contextlib
import io
import os
import shutil
import sys
from pathlib import Path

import bleach
from nbconvert.filters import markdown2html
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveAutoGrades, SaveCells
from traitlets import List
from traitlets.config import Config

import course

from . import release

__all__ = ["NbGraderException", "generate", "record", "safe_markdown", "settings", "table"]

HARMLESS = set(
    "a b blockquote br code dd del dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre s span strong sub sup table "
    "tbody td th thead tr u ul".split()
)
STUBS = {"code_stub": {"python": "pass  # your lines here"}, "text_stub": "\n*Your words here.*"}
# nbgrader calls alembic, which is beside the Python that runs this
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def settings(folder, **more):
    """nbgrader's, for a course in folder."""
    config = Config()
    config.CourseDirectory.update(root=str(folder), course_id="kmlab", **more)
    config.ClearSolutions.update(STUBS)
    config.HTMLExporter.filters = {"markdown2html": "classroom.gradebook.safe_markdown"}
    return config


def safe_markdown(text):
    """Markdown as HTML without anything that runs: a submission's scripts have no business in a reader's browser."""
    return bleach.clean(markdown2html(text), tags=HARMLESS, attributes={"a": ["href", "class"], "*": ["id"]})


def generate(folder, database=True):
    """Let nbgrader make folder/release/NAME/NAME.ipynb from every source."""
    for name in release.names():
        source = folder / "source" / name / f"{name}.ipynb"
        source.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(release.SOURCES / source.name, source)
        config = settings(folder, assignment_id=name)
        make = GenerateAssignment(
            coursedir=CourseDirectory(config=config), config=config, no_database=not database, force=True
        )
        if not database:
            make.preprocessors.remove(SaveCells)
        make.log.setLevel("CRITICAL")  # whoever calls says what has failed
        make.start()
    return {name: folder / "release" / name / f"{name}.ipynb" for name in release.names()}


class Recorder(Autograde):
    """nbgrader's Autograde for notebooks that carry their outcome already: it reads the points off and keeps them."""

    sanitize_preprocessors = List([SaveAutoGrades])

    def convert_single_notebook(self, notebook_filename):
        self._init_preprocessors()
        BaseConverter.convert_single_notebook(self, notebook_filename)


def record(out, student, result):
    """Keep the grades of a student, and write the feedback."""
    for name, what in result["homework"].items():
        course.write(out / "submitted" / student / name / f"{name}.ipynb", what["notebook"])
        config = settings(out, assignment_id=name, student_id=student)
        for convert in (Recorder, GenerateFeedback):
            step = convert(coursedir=CourseDirectory(config=config), config=config, force=True)
            step.log.setLevel("ERROR")
            with contextlib.redirect_stderr(io.StringIO()):
                step.start()


def table(out, students):
    """A row for each student: the score of every part, and sums. students: name -> name in the gradebook"""
    rows = []
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}", "kmlab") as book:
        for student, recorded in students.items():
            row, total, unread = {"student": student}, 0.0, 0.0
            for name in release.names():
                try:
                    (notebook,) = book.find_submission(name, recorded).notebooks
                except MissingEntry:
                    row[name] = None
                    continue
                for grade in notebook.grades:
                    row[grade.name.removeprefix("check-")] = grade.score
                    unread += grade.max_score if grade.needs_manual_grade and grade.manual_score is None else 0
                row[name] = notebook.score
                total += notebook.score
            rows.append(row | {"total": total, "to read": unread})
    return rows
