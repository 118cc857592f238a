"""Grade what one student handed in; workers.py gives each student a process of their own, which calls main.

This process never runs a line of the student's. It puts the handed-in notebook together anew (merging.py): locked cells
and tests as they stand in the source, the student's answers, and whatever else was added, in their places. The
student's cells then run in the sandbox, and the tests run here, where a name of the student's stands for a value that
came out of the sandbox, or for a function that asks the sandbox. nbgrader would run both in one kernel: there a
submission can overwrite np.allclose, read the hidden tests, or end the kernel and with it the grading.
"""

import ast
import builtins
import contextlib
import datetime
import importlib
import re
import signal
import tempfile
import time
from pathlib import Path

import nbformat

from kmlab.course import homework
from kmlab.course.checking import NotAttempted, Wrong
from kmlab.course.watching import NOTHING

from . import feedback, personal
from .handed_in import HOMEWORK, own_names, whose
from .merging import Merged, first_line, is_answer, is_test, place
from .reading import CODE, DEPTH, FILES, Unreadable, cells_of, clean_text, collect, is_notebook, show
from .sandbox import Ended, Student
from .similar import SHOWN, fingerprint, makes_code

BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
RESTARTS = 4
IN_ALL = 3  # times the limit for one cell: what all cells and calls of a homework may take together
READING, SHOWING, COMPARING = 20, 20, 10  # seconds of computing here, for all that a student handed in
JUDGING, IN_ALL_JUDGING = 60, 120  # for a part, and for all of a homework
HOUR = 3600  # that a file's own time may lie before the disk's
FEW = 30  # remarks that anybody reads
MODULES = {"numpy", "scipy", "math", "random", "itertools", "functools", "fractions", "statistics", "collections"}


def main(task):
    return Grading(**task).all()


class Patience:
    """Seconds that this process computes for one purpose, however many pieces the work comes in."""

    def __init__(self, seconds):
        self.left = seconds

    @contextlib.contextmanager
    def at_most(self, seconds):
        began = time.process_time()
        try:
            with computing(min(seconds, self.left)):
                yield
        finally:
            self.left -= time.process_time() - began


class TooLong(BaseException):
    """What a student's answer makes this process compute has a limit, too."""


@contextlib.contextmanager
def computing(seconds):
    """Raises TooLong after so many seconds of computing in this process."""
    if not hasattr(signal, "setitimer"):  # Windows, where nobody is graded
        yield
        return

    def ring(*_):
        raise TooLong

    if seconds <= 0:
        raise TooLong
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Grading:
    """One student's files against all assignments."""

    def __init__(self, files, releases, sources, tests, seconds, memory, trust, uid, rooms, seed=None, owners=None):
        self.paths, self.seconds, self.memory, self.trust, self.uid = files, seconds, memory, trust, uid
        self.releases = {name: nbformat.read(path, 4) for name, path in releases.items()}
        self.sources = {name: nbformat.read(path, 4) for name, path in sources.items()}
        self.tests, self.rooms = tests, rooms  # part -> the instructor's own hidden tests; homework -> its kmlab
        self.seed, self.owners = seed, owners or {}  # of the student's own data; seed -> whose it is
        self.notes, self.private = [], []  # the latter for the instructor alone
        self.reading, self.showing, self.comparing = Patience(READING), Patience(SHOWING), Patience(COMPARING)

    def all(self):
        named = [self.as_named(file) for file in collect(self.paths, self.notes)]
        files, found = [names[0] for names in named] + [name for names in named for name in names[1:]], {}
        places = (f"{file.folder}/{file.name}".removeprefix(one).split("/") for file in files for one in self.paths)
        if len(whose({name for place in places for name in place[:2]})) > 1:
            self.notes.append("this seems to hold the submissions of a class: give such a download by itself")
        for file in filter(is_notebook, files):
            name, notebook = self.which(file)
            if name is None:
                continue
            one, other = file, found.get(name, (None,))[0]
            if other and (stem(other) == name or stem(file) != name):  # the one with the right name counts
                one, other = other, file
            if other:
                self.notes.append(f"{show(other.name)} is a second notebook for {name}; {show(one.name)} was graded")
            if one is file:
                found[name] = file, notebook
        if not found and not any("cannot be" in note or "in common" in note for note in self.notes):
            names = ", ".join(show(file.name) for file in files[:3]) + ", ..." * (len(files) > 3)
            nothing = "nothing was handed in" if not self.notes else "there is nothing else"
            self.notes.append(f"no notebook was handed in, only {names}" if files else nothing)
        results = {}
        for name, (file, notebook) in found.items():
            try:
                results[name] = self.one(name, file, notebook, files)
            except (Exception, TooLong) as error:
                self.notes.append(f"{name} could not be graded ({show(failure(error))}): look at it by hand")
        return {"notes": few(self.notes), "private": few(self.private), "homework": results}

    def as_named(self, file):
        """A file by itself has the student's name for it, without what the LMS wrote around it."""
        alone = f"{file.folder}/{file.name}" in self.paths
        return [file._replace(name=name) for name in own_names(file.name)] if alone else [file]

    def which(self, file):
        """The assignment that a file belongs to, whatever its name, and its cells; (None, None) if it is none."""
        guess = next((name for name in self.releases if name in stem(file)), None)
        try:
            with self.reading.at_most(READING):
                cells = cells_of(file.content, self.notes)
                scores = {name: len(Merged(release, cells).slots) for name, release in self.releases.items()}
        except Unreadable as error:
            self.notes.append(f"{show(file.name)} cannot be read as a notebook ({show(error)})")
            return guess, None
        except (Exception, TooLong) as error:
            self.notes.append(f"{show(file.name)} cannot be read as a notebook ({show(failure(error))})")
            return guess, None
        best = max(scores, key=lambda name: (scores[name], name == guess))
        if scores[best] == 0:
            if guess is None:
                self.notes.append(f"{show(file.name)} has nothing in common with any homework and was not graded")
            return guess, cells
        return best, cells

    def one(self, name, file, submitted, files):
        """-> the points, the notebook with what the cells printed and what the tests say, its page, and the notes."""
        self.give_data(name, submitted or [])
        merged = Merged(self.releases[name], submitted or [])
        notes = merged.notes
        if stem(file) != name:
            notes.append(f"the file was called {show(file.name)}; it was recognised by its cells")
        if "/".join(HOMEWORK) in file.folder and file.disk - file.time > HOUR:  # on the hub
            own, disk = (clock(when) for when in (file.time, file.disk))
            self.private.append(f"{name} was changed at {own}, as its file says, and at {disk}, as the disk does")
        if submitted is None:
            notes[:] = ["the file cannot be read as a notebook, so nothing in it counts"]
        with tempfile.TemporaryDirectory() as folder:
            beside = Path(folder) / "files"
            lay_out(beside, file.folder, [other for other in files if not is_notebook(other)])
            Path(folder).chmod(0o755)
            runner = Runner(
                merged.cells,
                {
                    "submission": beside,
                    "locked": self.sources[name].metadata.get("kmlab", {}).get("locked", []),
                    "kmlab": self.rooms.get(name),
                    "trust": self.trust,
                    "memory": self.memory,
                    "uid": self.uid,
                },
                notes,
                self.seconds,
            )
            try:
                runner.start()
                scores = self.test(name, merged.cells, runner)
            finally:
                runner.close()
        known = {place(cell): cell for cell in self.releases[name].cells}
        for cell in merged.cells:  # what was written is read by a person, unless nothing was
            label = cell.metadata.get("nbgrader", {})
            if label.get("grade") and label.get("solution"):
                untouched = cell.source.strip() == known[place(cell)].source.strip()
                scores[place(cell)] = 0.0 if untouched else None
        notebook = nbformat.v4.new_notebook(cells=merged.cells, metadata=self.releases[name].metadata)
        page = [self.fragment(cell) for cell in merged.cells]
        code = self.written(merged.cells, file.folder, files)
        prints = {where: self.printed(source) for where, source in code.items()}
        found = {"scores": scores, "notebook": notebook, "page": page, "notes": few(notes), "prints": prints}
        return found | {"answers": {where: code[where][:SHOWN] for where in code}, "handed in": file.time}

    def written(self, cells, folder, files):
        """What is the student's own in code: answers, added cells, modules beside the notebook."""
        code = {place(cell): cell.source for cell in cells if is_answer(cell) and cell.cell_type == "code"}
        added = [cell.source for cell in cells if cell.cell_type == "code" and str(cell.get("id")).startswith("added-")]
        code |= {"added cells": "\n\n".join(added)[: 5 * CODE]} if added else {}
        for where, file in beside(folder, files):
            if where.endswith(".py") and len(code) < FILES:
                code[where] = clean_text(file.content.decode("utf-8", "replace"), CODE)
        for where, source in code.items():
            with contextlib.suppress(Exception, TooLong), self.comparing.at_most(5):
                if makes_code(source):
                    part = where.removeprefix("answer-")
                    self.private.append(f"code is made while it runs in {part}, which cannot be compared: look at it")
        return code

    def give_data(self, name, submitted):
        """Judge with the student's own data, and say so if the submission carries another's."""
        carried = personal.carried(submitted)
        whose = self.owners.get(str(carried), "somebody who is not in seeds.csv")
        what = f"carries the data of {whose}" if carried is not None else "carries no data of its own"
        if self.seed is not None and submitted and carried != self.seed:
            self.private.append(f"{name} {what}: it is not the copy that was handed out to this student")
        elif self.seed is None and carried is not None:
            self.private.append(f"{name} {what}, and no seed is known for this student: it was judged with these data")
        seed = carried if self.seed is None else self.seed
        if seed is not None:
            self.releases[name] = personal.varied(self.releases[name], seed)
            homework.personal(**personal.data_of(seed))

    def fragment(self, cell):
        try:
            with self.showing.at_most(2):
                return feedback.fragment(cell)
        except (Exception, TooLong):
            return feedback.fragment(cell, plain=True)

    def printed(self, source):
        with contextlib.suppress(Exception, TooLong), self.comparing.at_most(5):
            return fingerprint(source)
        return []

    def test(self, name, cells, runner):
        """Run every test of the source here, the outcome becomes the output of its cell; -> points of each."""
        clean, scores, patience = given(self.sources[name]), {}, Patience(IN_ALL_JUDGING)
        clean["check"] = homework.judge
        tests = {place(cell): cell.source for cell in self.sources[name].cells if is_test(cell)}
        for cell in filter(is_test, cells):
            where, points = place(cell), cell.metadata.nbgrader.points
            part, code = part_of(where), tests[where]
            if part in self.tests:
                code = visible(code) + "\n" + self.tests[part]
            sentence = outcome(code, dict(clean), runner, where, patience)
            if sentence is not None and not runner.ended:  # a name may have got its value further down
                sentence = outcome(code, dict(clean), runner, patience=patience) and sentence
            scores[where] = float(points) if sentence is None else 0.0
            if sentence is None:
                cell.outputs = [said(f"{part}: right, {feedback.in_points(points)}.\n")]
            else:
                cell.outputs = [said(f"{part}, 0 of {feedback.in_points(points)}: {sentence}\n")]
        return scores


def given(source):
    """The names that a source's tests may use without asking: imports outside of answers, and its *-setup cell."""
    scope = {}
    for cell in source.cells:
        if cell.cell_type != "code" or is_answer(cell):
            continue
        if (place(cell) or "").endswith("-setup"):
            exec(cell.source, scope)
        else:
            with contextlib.suppress(Exception):  # a test imports for itself what it needs; this is for the others
                tree = ast.parse(cell.source)
                tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
                exec(compile(tree, "imports", "exec"), scope)
    return scope


def outcome(code, scope, runner, check=None, patience=None):
    """None if the test passes, with the names as they were at this check or at the end; else what the student reads."""
    runner.ended = False
    try:
        with (patience or Patience(JUDGING)).at_most(JUDGING):
            tree = ast.parse(code)
            names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
            loaded = {node.id for node in names if isinstance(node.ctx, ast.Load)}
            for name in sorted(loaded - set(scope) - set(dir(builtins))):
                runner.bring(name, scope, check)
            exec(compile(tree, "test", "exec"), scope)
    except NotAttempted:
        return "not attempted."
    except (Wrong, AssertionError) as wrong:
        return clean_text(str(wrong)) or "the answer is not right on other data."
    except NameError as error:
        return f"there is no {show(error.name or '?')} in the notebook."
    except TooLong:
        return "the check took too long on this answer."
    except Exception as error:  # an answer of a shape that no test thought of
        return f"the check could not make sense of the answer ({show(failure(error))})."
    return None


class Runner:
    """The student's cells in the sandbox; a cell that ends the process, or never ends, is left out the next time."""

    def __init__(self, cells, room, notes, seconds):
        self.cells = [cell for cell in cells if cell.cell_type == "code"]
        self.room, self.notes, self.patience, self.left = room, notes, seconds, IN_ALL * seconds
        self.bad, self.student, self.starts, self.ended = set(), None, 0, False

    def start(self):
        """Run all cells, from the beginning."""
        while True:
            self.close()
            if self.starts > RESTARTS or self.left <= 0:
                note = "the notebook was stopped too often, or took too long as a whole"
                self.notes += [note] if note not in self.notes else []
                return
            self.starts += 1
            self.student = Student(**self.room)
            try:
                self.student.begin(self.left)
            except Ended as ended:
                note = f"Python could not be started: {ended}"
                self.notes += [note] if note not in self.notes else []
                continue
            for i, cell in enumerate(self.cells):
                if i in self.bad:
                    continue
                try:
                    if is_test(cell):  # whatever is in there, it does not run here
                        self.student.ask("keep", place(cell), patience=self.patience)
                        continue
                    text, error = self.student.ask("run", cell.source, patience=self.patience)
                except Ended as ended:
                    self.bad.add(i)
                    cell.outputs = [said(f"This cell was stopped: {ended}.")]
                    self.note(cell, f"was stopped: {ended}")
                    break
                cell.outputs = [
                    *(output for output in cell.outputs if output.output_type == "display_data"),
                    *([said(clean_text(text, 5000))] if text else []),
                    *([said(clean_text(error))] if error else []),
                ]
                if error and self.starts == 1:
                    self.note(cell, f"ended with {show(error)}")
            else:
                return

    def note(self, cell, what):
        self.notes.append(f"the cell that begins with {show(first_line(cell.source))} {what}")

    def bring(self, name, scope, check=None):
        """Put the student's value, or a function that asks for one, into the scope."""
        kind, value = self.ask("get", name, check)
        if kind == "function":
            stub = set(value) <= NOTHING
            scope[name] = lambda *arguments: self.call(name, arguments, check, stub)
        elif kind == "value":
            scope[name] = value
        elif kind == "module" and value.partition(".")[0] in MODULES:  # `import numpy as np` in an answer
            with contextlib.suppress(ImportError):
                scope[name] = importlib.import_module(value)
        elif kind in ("strange", "module", "error"):
            kind = re.sub(r"\W", "_", str(value)[:50]) or "_"
            scope[name] = type(kind, (), {})()  # only its name is known; a test that needs it will say so

    def call(self, name, arguments, check, stub):
        kind, value = self.ask("call", name, list(arguments), check)
        if kind == "value" and value is None:
            raise NotAttempted if stub else Wrong(f"your function {show(name)} returns nothing: is there a return?")
        if kind == "error":
            raise Wrong(f"your function {show(name)} stopped with {show(value)}.")
        if kind == "strange":
            raise Wrong(f"your function {show(name)} returns a {show(value)}; an array or a number is needed.")
        return value

    def ask(self, *question):
        if self.student is None:
            raise Wrong("the notebook could not be run to its end.")
        try:
            return self.student.ask(*question, patience=self.patience)
        except Ended as ended:
            self.notes.append(f"{show(question[1])} was stopped when it was tried: {ended}")
            self.ended = True
            self.start()
            raise Wrong(f"{show(question[1])} was stopped when it was tried: {ended}.") from None

    def close(self):
        if self.student:
            self.left -= self.student.spent() - self.student.start
            self.student.close()
        self.student = None


# ---- small tools


def beside(folder, files):
    """(name from there, file) of what lies beside the notebook or below."""
    for file in files:
        place = f"{file.folder}/".removeprefix(f"{folder}/")
        inner = [part for part in place.split("/") if part]
        if not (place.startswith("/") or len(inner) > DEPTH or {".", ".."} & {*inner}):
            yield "/".join([*inner, Path(file.name).name]), file


def lay_out(target, folder, files):
    """These for the notebook to read; a name that is no name here stays behind."""
    target.mkdir(mode=0o755)
    for where, file in beside(folder, files):
        with contextlib.suppress(OSError, ValueError):
            (target / where).parent.mkdir(parents=True, exist_ok=True)
            with (target / where).open("xb") as copy:  # the first of a name
                copy.write(file.content)


def stem(file):
    return re.sub(r"\.ipynb.*$", "", file.name, flags=re.I | re.S)


def clock(seconds):
    return datetime.datetime.fromtimestamp(max(0, seconds)).isoformat(" ", "minutes")


def few(notes):
    return notes if len(notes) <= FEW else [*notes[:FEW], f"and {len(notes) - FEW} more remarks"]


def part_of(where):
    return where.removeprefix("check-")


def failure(error):
    if isinstance(error, TooLong):
        return "it took too long"
    return f"{type(error).__name__}: {error}"[:300] if str(error) else type(error).__name__


def visible(code):
    return re.sub(f"{BEGIN}.*?{END}", "", code, flags=re.S)


def said(text):
    return nbformat.v4.new_output("stream", name="stdout", text=text)
