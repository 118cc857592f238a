"""Grade what one student handed in: python -m classroom.judge TASK RESULT, two files in JSON; grade.py calls it.

This process never runs a line of the student's. It puts the handed-in notebook together anew: locked cells and tests
as they stand in the source, whatever has been done to them; the student's answers, and whatever else was added, in
their places. The student's cells then run in the sandbox, and the tests run here, where a name of the student's stands
for a value that came out of the sandbox, or for a function that asks the sandbox. nbgrader would run both in one
kernel: there a submission can overwrite np.allclose, read the hidden tests, or end the kernel and with it the grading.
"""

import ast
import base64
import builtins
import json
import re
import shutil
import sys
import tempfile
import time
import unicodedata
from pathlib import Path

import nbformat

import course
from kmlab.course import homework
from kmlab.course.checking import NotAttempted, Wrong
from kmlab.course.watching import NOTHING

from .sandbox import LARGEST, Ended, Student

BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
RESTARTS = 4
IN_ALL = 24  # times the limit for one cell, in seconds of the clock


def main(task, result):
    task = json.loads(Path(task).read_text(encoding="utf-8"))
    course.write(Path(result), Grading(**task).all())


class Grading:
    """One student's folder (or single notebook) against all assignments."""

    def __init__(self, handed_in, releases, sources, tests, seconds, memory, trust, uid):
        self.handed_in, self.seconds, self.memory, self.trust, self.uid = Path(handed_in), seconds, memory, trust, uid
        self.releases = {name: nbformat.read(path, 4) for name, path in releases.items()}
        self.sources = {name: nbformat.read(path, 4) for name, path in sources.items()}
        self.tests = tests  # part -> the instructor's own hidden tests
        self.notes = []

    def all(self):
        found = {}
        for path in sorted(notebooks(self.handed_in)):
            name, notebook = self.which(path)
            if name is None:
                continue
            one, other = path, found.get(name, (None,))[0]
            if other and (other.stem == name or path.stem != name):  # the one with the right name counts
                one, other = other, path
            if other:
                self.notes.append(f"{show(other.name)} is a second notebook for {name}; {show(one.name)} was graded")
            if one is path:
                found[name] = path, notebook
        results = {name: self.one(name, *what) for name, what in found.items()}
        return {"notes": self.notes, "homework": results}

    def which(self, path):
        """The assignment that a file belongs to, whatever its name, and its cells; (None, None) if it is none."""
        guess = next((name for name in self.releases if name in path.stem), None)
        try:
            if path.stat().st_size > LARGEST:
                raise ValueError(f"it has more than {LARGEST / 1e6:.0f} MB")
            submitted = [
                cell
                for cell in nbformat.read(path, 4).cells
                if cell.cell_type in ("code", "markdown") and isinstance(cell.source, str)
            ]
            scores = {name: len(Merged(release, submitted).slots) for name, release in self.releases.items()}
        except (Exception, RecursionError) as error:
            why = show(str(error) or type(error).__name__)
            self.notes.append(f"{show(path.name)} cannot be read as a notebook ({why})")
            return guess, None
        best = max(scores, key=lambda name: (scores[name], name == guess))
        if scores[best] == 0:
            if guess is None:
                self.notes.append(f"{show(path.name)} has nothing in common with any homework and was not graded")
            return guess, submitted
        return best, submitted

    def one(self, name, path, submitted):
        """-> the notebook with what the student's cells printed and what the tests say, and the notes."""
        merged = Merged(self.releases[name], submitted or [])
        notes = merged.notes
        if path.stem != name:
            notes.append(f"the file was called {show(path.name)}; it was recognised by its cells")
        if submitted is None:
            notes[:] = ["the file cannot be read as a notebook, so nothing in it counts"]
        with tempfile.TemporaryDirectory() as folder:
            beside = Path(folder) / "files"
            copy_files(path.parent if self.handed_in.is_dir() else None, beside, notes)
            runner = Runner(
                merged.cells,
                beside,
                self.sources[name].metadata.get("kmlab", {}).get("locked", []),
                notes,
                self.seconds,
                self.memory,
                self.trust,
                self.uid,
            )
            try:
                runner.start()
                self.test(name, merged.cells, runner)
            finally:
                runner.close()
        notebook = nbformat.v4.new_notebook(cells=merged.cells, metadata=self.releases[name].metadata)
        if notes:
            text = "\n".join(f"- {note}." for note in notes)
            notebook.cells.insert(0, nbformat.v4.new_markdown_cell("**What happened when this was graded**\n\n" + text))
        return {"notebook": notebook, "notes": notes}

    def test(self, name, cells, runner):
        """Run every test of the source here; the outcome becomes the output of its cell."""
        clean = {}
        for cell in self.sources[name].cells:
            if cell.cell_type == "code" and cell.id.endswith("-setup"):
                exec(cell.source, clean)
        clean["check"] = homework.judge
        tests = {cell.id: cell.source for cell in self.sources[name].cells if is_test(cell)}
        for cell in filter(is_test, cells):
            part = cell.id.removeprefix("check-")
            code = tests[cell.id]
            if part in self.tests:
                code = visible(code) + "\n" + self.tests[part]
            sentence = outcome(code, dict(clean), runner, cell.id)
            if sentence is not None and not runner.ended:  # a name may have got its value further down
                sentence = outcome(code, dict(clean), runner) and sentence
            points = f"{cell.metadata.nbgrader.points:g}"
            if sentence is None:
                cell.outputs = [said(f"{part}: right, {points} points.\n")]
            else:
                cell.outputs = [
                    nbformat.v4.new_output(
                        "error", ename="", evalue=sentence, traceback=[f"{part}, 0 of {points} points: {sentence}"]
                    )
                ]


def outcome(code, scope, runner, check=None):
    """None if the test passes, with the names as they were at this check or at the end; else what the student reads."""
    runner.ended = False
    try:
        tree = ast.parse(code)
        loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        for name in sorted(loaded - set(scope) - set(dir(builtins))):
            runner.bring(name, scope, check)
        exec(compile(tree, "test", "exec"), scope)
    except NotAttempted:
        return "not attempted."
    except (Wrong, AssertionError) as wrong:
        return clean_text(str(wrong)) or "the answer is not right on other data."
    except NameError as error:
        return f"there is no {show(error.name or '?')} in the notebook."
    except Exception as error:  # an answer of a shape that no test thought of
        return f"the check could not make sense of the answer ({show(type(error).__name__ + ': ' + str(error))})."
    return None


class Runner:
    """The student's cells in the sandbox; a cell that ends the process, or never ends, is left out the next time."""

    def __init__(self, cells, folder, locked, notes, seconds, memory, trust, uid):
        self.cells = [cell for cell in cells if cell.cell_type == "code"]
        self.room = {"submission": folder, "locked": locked, "trust": trust, "memory": memory, "uid": uid}
        self.notes, self.patience, self.until = notes, seconds, time.monotonic() + IN_ALL * seconds
        self.bad, self.student, self.starts, self.ended = set(), None, 0, False

    def start(self):
        """Run all cells, from the beginning."""
        while True:
            self.close()
            if self.starts > RESTARTS or time.monotonic() > self.until:
                note = "the notebook was stopped too often, or took too long as a whole"
                self.notes += [note] if note not in self.notes else []
                return
            self.starts += 1
            self.student = Student(until=self.until, **self.room)
            for i, cell in enumerate(self.cells):
                if i in self.bad:
                    continue
                try:
                    if is_test(cell):  # whatever is in there, it does not run here
                        self.student.ask("keep", cell.id, patience=self.patience)
                        continue
                    text, error = self.student.ask("run", cell.source, patience=self.patience)
                except (Ended, ValueError) as ended:
                    self.bad.add(i)
                    cell.outputs = [said(f"This cell was stopped: {ended}.")]
                    self.note(cell, f"was stopped: {ended}")
                    break
                cell.outputs = [
                    *self.pictures(cell),
                    *([said(clean_text(text, 5000))] if text else []),
                    *([said(clean_text(error))] if error else []),
                ]
                if error and self.starts == 1:
                    self.note(cell, f"ended with {show(error)}")
            else:
                return

    def note(self, cell, what):
        self.notes.append(f"the cell that begins with {show(first_line(cell.source))} {what}")

    def pictures(self, cell):
        """Those that were handed in: bytes of a picture cannot do anything."""
        return [
            output
            for output in cell.get("outputs", [])
            if output.get("output_type") == "display_data" and list(output.get("data", {})) == ["image/png"]
        ]

    def bring(self, name, scope, check=None):
        """Put the student's value, or a function that asks for one, into the scope."""
        kind, value = self.ask("get", name, check)
        if kind == "function":
            stub = set(value) <= NOTHING
            scope[name] = lambda *arguments: self.call(name, arguments, check, stub)
        elif kind == "value":
            scope[name] = value
        elif kind == "strange":
            scope[name] = type(str(value)[:50], (), {})()  # only its name is known; a test that needs it will say so

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
            kind, value = self.student.ask(*question, patience=self.patience)
            return kind, value
        except (Ended, ValueError, TypeError) as ended:
            self.notes.append(f"{show(question[1])} was stopped when it was tried: {ended}")
            self.ended = True
            self.start()
            raise Wrong(f"{show(question[1])} was stopped when it was tried: {ended}.") from None

    def close(self):
        if self.student:
            self.student.close()
        self.student = None


class Merged:
    """The cells of the release with the student's answers in them, and between them what the student added."""

    def __init__(self, release, submitted):
        known = {cell.id: cell for cell in release.cells}
        first_lines = {first_line(cell.source): cell.id for cell in release.cells if is_answer(cell)}
        whole = {cell.source: cell.id for cell in release.cells if not is_answer(cell)}
        self.slots, self.notes, added, last, twice = {}, [], {}, None, []
        for cell in submitted:
            mark = (cell.metadata.get("nbgrader") or {}).get("grade_id")
            place = next(
                (
                    place
                    for place in (
                        mark,
                        cell.get("id"),
                        whole.get(cell.source),
                        first_lines.get(first_line(cell.source)),
                    )
                    if place in known
                ),
                None,
            )
            if place is not None and known[place].cell_type != cell.cell_type:
                place = None
            if place in self.slots:
                twice.append(place)
                place = place if not is_answer(known[place]) else None
            elif place is not None:
                self.slots[place], last = cell, place
                continue
            if place is None:  # or an answer that is there twice: the later one counts, as in the lab
                added.setdefault(last, []).append(cell)
        self.cells = [plain(cell) for cell in added.get(None, [])]
        for cell in release.cells:
            cell, answer = json_copy(cell), self.slots.get(cell.id)
            if is_answer(cell) and answer is not None:
                cell.source = answer.source
                if cell.cell_type == "code":
                    cell.outputs = plain(answer).outputs
            self.cells += [cell, *(plain(extra) for extra in added.get(cell.id, []))]
        self.remark(known, twice)

    def remark(self, known, twice):
        if not self.slots:
            return
        places = [place for place, cell in known.items() if cell.metadata.get("nbgrader")]
        tests = [p for p in places if not is_answer(known[p])]
        for what, which in (
            ("cells that were missing were put back", [p for p in places if p not in self.slots]),
            (
                "cells that had been changed count as they were handed out",
                [p for p in tests if p in self.slots and self.slots[p].source.strip() != known[p].source.strip()],
            ),
            ("cells were there twice", sorted(set(twice))),
        ):
            if which:
                self.notes.append(f"{what}: {', '.join(which)}")
        marks = [(cell.metadata.get("nbgrader") or {}).get("grade_id") for cell in self.slots.values()]
        if not any(marks):
            self.notes.append("the cells had lost their labels and were recognised by their first lines")


# ---- small tools


def notebooks(folder):
    """Those in a folder, links and hidden ones left out; or the one file itself."""
    if folder.is_file():
        return [folder]
    return [
        path
        for path in folder.rglob("*.ipynb")
        if path.is_file()
        and not path.is_symlink()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def copy_files(folder, target, notes):
    """What lies beside the notebook, for it to read; links stay behind, for nobody hands in a way to a file here."""
    target.mkdir(mode=0o755)
    target.parent.chmod(0o755)
    left = LARGEST
    for path in sorted(folder.iterdir()) if folder else []:
        if path.is_symlink() or not path.is_file() or path.suffix == ".ipynb":
            continue
        left -= path.stat().st_size
        if left < 0:
            notes.append(f"{show(path.name)} is too large to go with the notebook; {LARGEST / 1e6:.0f} MB are allowed")
            return
        shutil.copyfile(path, target / path.name)


def plain(cell):
    """A cell without the labels of anything, and of its outputs the pictures alone."""
    if cell.cell_type == "markdown":
        return nbformat.v4.new_markdown_cell(cell.source)
    outputs = []
    for output in cell.get("outputs", []):
        picture = output.get("data", {}).get("image/png") if isinstance(output.get("data"), dict) else None
        if isinstance(picture, str) and len(picture) < 2e6 and is_base64(picture):
            outputs.append(nbformat.v4.new_output("display_data", {"image/png": picture}))
    return nbformat.v4.new_code_cell(cell.source, outputs=outputs[:10])


def is_base64(text):
    try:
        return base64.b64decode("".join(text.split()), validate=True).startswith(b"\x89PNG")
    except ValueError:
        return False


def json_copy(cell):
    return nbformat.from_dict(json.loads(json.dumps(cell)))


def is_answer(cell):
    return cell.metadata.get("nbgrader", {}).get("solution", False)


def is_test(cell):
    label = cell.metadata.get("nbgrader", {})
    return label.get("grade", False) and not label.get("solution", False)


def visible(code):
    return re.sub(f"{BEGIN}.*?{END}", "", code, flags=re.S)


def first_line(text):
    return (text.strip().splitlines() or [""])[0].strip()


def clean_text(text, most=600):
    """Without control characters, which a terminal or a page might obey, and without this machine's folders."""
    text = str(text)[:most].replace(f"{course.ROOT}/", "")
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c)[0] != "C")


def show(text):
    """A student's words inside a sentence of ours."""
    return "`" + clean_text(text, 120).replace("`", "'").replace("\n", " ") + "`"


def said(text):
    return nbformat.v4.new_output("stream", name="stdout", text=text)


if __name__ == "__main__":
    main(*sys.argv[1:])
