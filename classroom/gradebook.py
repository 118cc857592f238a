"""What nbgrader does for a class: the student's version of every homework, and the book in which marks are kept.

It takes seconds to load, so release.py and grade.py import it only once it is known what is asked for. Points go
straight into the book: nbgrader's own Autograde would run submissions, and without a sandbox.
"""

import re
import sys
import warnings
from pathlib import Path

import nbformat
import nbgrader
import nbgrader.api
from nbgrader.api import Comment, Grade, Gradebook, MissingEntry
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)
from traitlets.config import Config

import course

from . import release
from .merging import is_answer, place

STUBS = {"code_stub": {"python": "pass  # your lines here"}, "text_stub": "\n*Your words here.*"}
STEPS = (LockCells, ClearSolutions, ClearOutput, CheckCellMetadata, ComputeChecksums, ClearHiddenTests, ClearMarkScheme)
NO_AUTOGRADE = (
    "Submissions run in a sandbox or not at all: grade them with `python3 course.py grade FOLDER`, and come back here "
    "to mark what was written."
)


def settings(folder, **more):
    """nbgrader's, for a course in folder."""
    config = Config()
    config.CourseDirectory.update(root=str(folder), course_id="kmlab", **more)
    config.ClearSolutions.update(STUBS)
    config.HTMLExporter.filters = {"markdown2html": "classroom.feedback.markdown"}
    # whatever would start a kernel on a submission finds none: the button Autograde, and `nbgrader autograde` here
    config.Execute.update(kernel_name="none", kernel_manager_class="classroom.gradebook.NoKernel")
    return config


class NoKernel:
    """In the place of nbgrader's kernels."""

    def __init__(self, *_, **__):
        raise RuntimeError(NO_AUTOGRADE)


def generate(folder, names=None):
    """folder/release/NAME/NAME.ipynb, the student's version of every source."""
    made = {}
    for name in names or release.names():
        content = (release.SOURCES / f"{name}.ipynb").read_bytes()
        made[name] = target = folder / "release" / name / f"{name}.ipynb"
        stamp, mark = target.with_name("made-from"), course.digest(content + nbgrader.__version__.encode())
        if target.exists() and stamp.exists() and stamp.read_text() == mark:
            continue
        try:
            made_of_it = students_version(content, name)
        except Exception as error:  # a mark without its partner, a label that nbgrader does not take
            sys.exit(f"classroom/assignments/{name}.ipynb has no student's version ({error}).")
        course.write(target, nbformat.writes(made_of_it).encode())
        course.write(stamp, mark.encode())
    return made


def students_version(content, name):
    """Without solutions and hidden tests."""
    notebook, config = nbformat.reads(content.decode(), 4), settings(course.ROOT)
    resources = {"nbgrader": {"notebook": name, "assignment": name, "student": "."}, "unique_key": name}
    for step in (*STEPS, ComputeChecksums, CheckCellMetadata):
        notebook, resources = step(config=config).preprocess(notebook, resources)
    return notebook


def head_of_migrations():
    """The newest form of nbgrader's database; nbgrader starts another Python to ask for it."""
    texts = [path.read_text("utf-8") for path in (Path(nbgrader.__file__).parent / "alembic/versions").glob("*.py")]
    forms, before = (
        set(re.findall(rf"^{key} = '(\w+)'", "\n".join(texts), re.M)) for key in ("revision", "down_revision")
    )
    (head,) = forms - before
    return head


nbgrader.api.get_alembic_version = head_of_migrations
warnings.filterwarnings("ignore", module="nbgrader")  # SQLAlchemy's, about nbgrader's own queries


class Book:
    """The marks of a class, in a file that nbgrader's formgrader opens."""

    def __init__(self, out, homework=None):
        """homework: name -> the student's version; a part that is new is added, and what was marked stays."""
        self.out, self.book = out, Gradebook(f"sqlite:///{out / 'gradebook.db'}", "kmlab")
        for name, notebook in (homework or {}).items():
            self._enter(name, notebook)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.book.close()

    def _enter(self, name, notebook):
        book = self.book
        book.update_or_create_assignment(name)
        try:
            entered = book.find_notebook(name, name)
        except MissingEntry:
            entered = book.add_notebook(name, name, kernelspec="{}")
        known = {cell.name for cell in entered.solution_cells}
        for cell in notebook.cells:
            label = cell.metadata.get("nbgrader", {})
            if label.get("grade"):
                worth = {"max_score": float(label["points"]), "cell_type": cell.cell_type}
                book.update_or_create_grade_cell(place(cell), name, name, **worth)
            if is_answer(cell) and place(cell) not in known:
                book.update_or_create_solution_cell(place(cell), name, name)

    def record(self, student, result):
        """Keep the points of a student; marks that were given by hand stay."""
        book = self.book
        book.update_or_create_student(student)
        for name, what in result["homework"].items():
            (notebook,) = book.update_or_create_submission(name, student).notebooks
            grades, comments = ({row.name: row for row in rows} for rows in (notebook.grades, notebook.comments))
            entered = book.find_notebook(name, name)
            for cell in entered.grade_cells:  # parts that came after the submission
                if cell.name not in grades:
                    grades[cell.name] = Grade(cell_id=cell.id, notebook=notebook)
                    book.db.add(grades[cell.name])
            for cell in entered.solution_cells:
                if cell.name not in comments:
                    comments[cell.name] = Comment(cell_id=cell.id, notebook=notebook)
                    book.db.add(comments[cell.name])
            for where, points in what["scores"].items():
                grade = grades[where]
                changed, grade.auto_score = grade.auto_score != points, points
                if grade.manual_score is None:
                    grade.needs_manual_grade = points is None
                elif changed:
                    grade.needs_manual_grade = True
        book.db.commit()

    def marks(self, student, name, parts):
        """place -> (points or None if nobody has read it, most, comment), in this order; None without a submission."""
        try:
            (notebook,) = self.book.find_submission(name, student).notebooks
        except MissingEntry:
            return None
        grades = {row.name: row for row in notebook.grades}
        comments = {row.name: row.manual_comment for row in notebook.comments}
        found = {}
        for where, worth in parts.items():
            grade = grades.get(where)
            unread = grade is None or (grade.needs_manual_grade and grade.manual_score is None)
            points = None if unread else grade.score + (grade.extra_credit or 0)
            found[where] = points, worth, comments.get(where)
        return found
