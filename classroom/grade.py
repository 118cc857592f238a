"""Grade a folder of submissions: `python3 course.py grade FOLDER`.

FOLDER holds a folder for each student, with the notebooks and whatever belongs to them, or files; or it is the download
of all submissions from Moodle or Canvas, packed or unpacked. Each student is read and judged in a process of their own
(workers.py, judge.py), so that a submission can cost nobody but its author anything. my-grades/ gets scores.csv, a page
of feedback for each student in feedback/, alike.html with answers that resemble each other, and gradebook.db, in which
nbgrader's formgrader marks what was written in words (--by-hand). A student whose files have not changed keeps the
grade of an earlier run.
"""

import argparse
import concurrent.futures
import contextlib
import errno
import json
import os
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

import course

from . import handed_in, personal, reading, release, sandbox, scores

GRADES = course.ROOT / "my-grades"
GRADER = sorted(
    Path(__file__).with_name(f"{name}.py")
    for name in "bounds feedback inmate judge merging personal reading sandbox seccomp similar workers".split()
)
CHECKS = [course.ROOT / "kmlab/course/checking.py", *sorted((course.ROOT / "kmlab/course/homework").glob("*.py"))]
SLOW, SPARE = 15, 6  # seconds after which a student makes room for the next one; how many of those go on beside them
WATCHING = 20  # seconds between two looks at a folder
FORMAT = 1  # of what is kept in done/


def main(args=None):
    parser = argparse.ArgumentParser(
        prog="python3 course.py grade", description=__doc__.splitlines()[0], allow_abbrev=False
    )
    parser.add_argument("folder", type=Path, nargs="?", help="a folder with a folder for each student, or a download")
    parser.add_argument("--out", type=Path, default=GRADES, help="where grades and feedback go (my-grades)")
    parser.add_argument(
        "--students", type=Path, help="the class as CSV: name, id, email; who is missing gets a row, too"
    )
    parser.add_argument("--for", dest="lms", choices=("moodle", "canvas"), help="also write a table to import there")
    parser.add_argument("--due", action="append", default=[], metavar="HOMEWORK=TIME", help="as 2026-11-20T23:59")
    parser.add_argument("--late-days", type=int, default=0, help="that a student has in all, for nothing (0)")
    parser.add_argument("--penalty", type=float, default=10, help="per cent of a homework for each day after them (10)")
    parser.add_argument("--seeds", type=Path, help="who has which data (my-homework/seeds.csv, if there is one)")
    parser.add_argument("--tests", type=Path, help="your own hidden tests: 1a.py there takes the place of ours for 1a")
    parser.add_argument("--seconds", type=float, default=20, help="of computing for one cell or one call (20)")
    parser.add_argument("--memory", type=float, default=2, help="gigabytes for a submission (2)")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="how many at once")
    parser.add_argument("--again", action="store_true", help="grade everybody anew")
    parser.add_argument("--watch", action="store_true", help="go on, and grade what arrives")
    parser.add_argument("--by-hand", action="store_true", help="open nbgrader's formgrader, to mark what was written")
    parser.add_argument("--trust", action="store_true", help="go on without a sandbox")
    parser.add_argument(
        "--rehearse", type=int, metavar="N", help="try it with a class of N, ten hostile ones among them"
    )
    options = parser.parse_args(args)
    if options.by_hand:
        from . import by_hand

        return by_hand.main(options.out)
    if options.folder is None and options.rehearse is None:
        parser.error("which folder? Give one that holds a folder for each student.")
    if os.name == "nt":
        sys.exit("Grading needs Linux, or macOS with --trust: on Windows use the Windows Subsystem for Linux.")
    if options.rehearse is not None:
        from . import hostile

        return hostile.rehearse(options.rehearse, options)
    options.due = scores.deadlines(options.due)
    listed = handed_in.listed(options.students)
    tests = own_tests(options.tests)
    try:
        grade(options, listed, tests)
    except KeyboardInterrupt:
        sys.exit("Stopped. What was graded is kept: start again whenever you like.")
    except OSError as error:
        sys.exit(
            f"Grading cannot go on ({error}): make room in {options.out}, or give a folder that you may write in with "
            "--out, and start again. What was graded is kept."
        )
    return 0


def grade(options, listed, tests):
    """A folder or a download, once; with --watch again whenever something has changed."""
    with tempfile.TemporaryDirectory() as unpacked:
        folder = options.folder
        while options.watch and folder.is_dir() and not handed_in_paths(folder):
            wait(folder)
        if folder.is_file():
            folder, behind = handed_in.unpacked(folder, Path(unpacked))
            for name in behind:
                course.say(f"{reading.show(name)} in {options.folder.name} could not be unpacked, and is left out.")
        students, left = handed_in.students(folder, listed)
        if left:
            course.say(f"Files that belong to nobody are left out: {', '.join(map(reading.show, left[:10]))}.")
        release.look_for_mistakes()
        if not options.trust and not sandbox.works():
            sys.exit(sandbox.NO_SANDBOX)
        options.out.mkdir(parents=True, exist_ok=True)
        with alone(options.out), Class(options.out.resolve(), tests, options) as group:
            group.grade(students)
            while options.watch:
                wait(folder)
                group.grade(handed_in.students(folder, listed)[0])


@contextlib.contextmanager
def alone(out):
    """Two runs that write into one folder would lock each other out of the book; the lock ends with the process."""
    with (out / ".lock").open("w") as file:
        if course.taken(file):
            sys.exit(f"Another run writes its grades to {out}: wait for it, or give another folder with --out.")
        yield


def wait(folder):
    """Until something in the folder has changed, and has then been left alone for a moment."""
    course.say(f"Watching {folder}; Ctrl-C ends it.")
    before = now = look(folder)
    while now == before:
        time.sleep(WATCHING / 10)
        now = look(folder)
    while now != (now := look(folder)):
        time.sleep(WATCHING / 20)


def look(folder):
    found = []
    for path in handed_in_paths(folder):
        found += [there[:4] for there in reading.walk(path, [])]
    return found


def handed_in_paths(folder):
    return [path for path in sorted(folder.iterdir()) if not path.name.startswith(".")]


def own_tests(folder):
    """part -> code, from an instructor's files."""
    parts = {cell.removeprefix("check-") for name in release.names() for cell in release.points(name)}
    found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))} if folder else {}
    if folder and not found:
        sys.exit(f"{folder} holds no tests: a file 1a.py there takes the place of the hidden tests of part 1a.")
    for part, code in found.items():
        if part not in parts:
            known = ", ".join(sorted(p for p in parts if len(p) == 2))
            sys.exit(f"{part}.py: there is no part {part}; there are {known}.")
        try:
            compile(code, f"{part}.py", "exec")
        except SyntaxError as error:
            sys.exit(f"{part}.py cannot be read: {error}.")
    return found


class Class:
    """A folder of grades, open: the book, the processes, and the rooms that all students have in common."""

    def __init__(self, out, tests, options):
        import nbformat

        from . import gradebook  # not above: whoever asks for help, or gives a wrong folder, need not wait for nbgrader
        from .workers import Workers

        self.out, self.options = out, options
        paths = gradebook.generate(out)
        self.releases = {name: nbformat.read(path, 4) for name, path in paths.items()}
        self.task = {
            "releases": {name: str(path) for name, path in paths.items()},
            "sources": {name: str(release.SOURCES / f"{name}.ipynb") for name in paths},
            "tests": tests,
            "seconds": options.seconds,
            "memory": int(options.memory * 2**30),
            "trust": options.trust,
        }
        self.seeds = personal.seeds(options.seeds)
        self.shared = handed_in.shared_names([person for person, _ in self.seeds])
        self.task["owners"] = {str(seed): self.full_name(person) for person, seed in self.seeds}
        self.rules = fingerprint(self.task)
        for sentence in [] if options.trust else sandbox.missing():
            course.say(f"Not to be had on this system: {sentence}.")
        self.stack = contextlib.ExitStack()
        self.task["rooms"] = {} if options.trust else self.stack.enter_context(rooms(self.task["sources"]))
        self.book = self.stack.enter_context(gradebook.Book(out, self.releases))
        self.workers = Workers()
        self.stack.callback(self.workers.close)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()

    def grade(self, students):
        say, options = course.say, self.options
        say(f"{len(students)} student{'s' * (len(students) != 1)}, {options.jobs} at once. Grades go to {self.out}.")
        keys = {name: course.digest((self.rules + content(student)).encode()) for name, student in students.items()}
        waiting = [name for name in students if options.again or self.kept(name).get("key") != keys[name]]
        if len(waiting) < len(students):
            say(f"{len(students) - len(waiting)} of them keep the grades of an earlier run: nothing has changed.")
        self.turn = threading.Semaphore(options.jobs)
        with concurrent.futures.ThreadPoolExecutor(options.jobs + SPARE) as pool, self.stopping(pool):
            running = {pool.submit(self.judged, students[name], i): name for i, name in enumerate(waiting)}
            for i, future in enumerate(concurrent.futures.as_completed(running), 1):
                name = running[future]
                notes = self.record(students[name], keys[name], *future.result())
                shown = students[name].shown
                say(f"[{i}/{len(waiting)}] {shown}" + (f": {notes[0]}" + " ..." * (len(notes) > 1) if notes else ""))
        self.hand_back(students)

    @contextlib.contextmanager
    def stopping(self, pool):
        """Ctrl-C, or a full disk, waits for nobody."""
        try:
            yield
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            self.workers.process.kill()
            raise

    def kept(self, name):
        found = course.read_json(self.out / "done" / f"{slug(name)}.json")
        return found if found.get("format") == FORMAT else {}

    def is_shared(self, person):
        return any(self.shared[name] > 1 for name in handed_in.names_of(person))

    def full_name(self, person):
        return person["name"] + f" ({person['id'] or person['email']})" * self.is_shared(person)

    def seed_of(self, student):
        """Of the student's own data; None if that is known of nobody, or of two of that name."""
        same = (seed for person, seed in self.seeds if handed_in.is_same(student, person, not self.is_shared(person)))
        return next(same, None)

    def judged(self, student, number):
        """-> what judge.py says about a student, and whether it failed itself."""
        from .workers import Failed

        own = self.seed_of(student)
        task = self.task | {
            "seed": own,
            "files": [str(path) for path in student.paths],
            "uid": 100_000 + number % 50_000,
        }
        self.turn.acquire()
        held = [self.turn]
        try:
            most = 120 + 40 * self.options.seconds
            return self.workers.judge(task, most, SLOW, lambda: held.pop().release()), False
        except Failed as failed:
            why = f"this could not be graded ({reading.show(failed)}): look at it by hand"
            return {"notes": [why], "homework": {}}, True
        finally:
            for turn in held:
                turn.release()

    def record(self, student, key, result, failed):
        """Keep what was found out about a student; -> the notes."""
        name, before = slug(student.name), self.kept(student.name)
        notes = [note for part in (result, *result["homework"].values()) for note in part["notes"]]
        notes += result.get("private", [])
        try:
            for homework, what in result["homework"].items():
                content = json.dumps(what.pop("notebook"), indent=1).encode()
                course.write(self.out / "autograded" / name / homework / f"{homework}.ipynb", content)
            self.book.record(name, result)
            homework = before.get("homework", {}) | result["homework"]  # what came in another week stays
        except Exception as error:  # a disk that is full stops the rest; anything else is this student's alone
            if (isinstance(error, OSError) and course.disk_is_full(str(error))) or "disk is full" in str(error):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
            notes, homework, failed = (
                [f"this could not be recorded ({reading.show(error)})"],
                before.get("homework", {}),
                True,
            )
            with contextlib.suppress(Exception):
                self.book.book.db.rollback()
        # last of all, so that a run that was killed before this line grades this student again
        done = {"format": FORMAT, "key": None if failed else key, "notes": notes, "homework": homework}
        course.write(self.out / "done" / f"{name}.json", json.dumps(done).encode())
        return notes

    def hand_back(self, students):
        """scores.csv, feedback, and what resembles what: from all that is kept, whoever was graded now."""
        from . import feedback, similar

        rows, prints, answers = [], {}, {}
        titles = {name: feedback.titles_of(notebook) for name, notebook in self.releases.items()}
        for name, student in students.items():
            kept, marks = self.kept(name), {}
            try:
                for homework in self.releases:
                    found = self.book.marks(slug(name), homework, release.points(homework))
                    if found is not None and homework in kept.get("homework", {}):
                        marks[homework] = found
                sections = [feedback.section(h, kept["homework"][h], marks[h], titles[h]) for h in marks]
                page = feedback.page(student.shown, sections, [] if sections else kept.get("notes", []))
                course.write(self.out / "feedback" / f"{slug(name)}.html", page.encode("utf-8", "replace"))
            except Exception as error:
                kept["notes"] = [*kept.get("notes", []), f"no feedback could be written ({reading.show(error)})"]
            times = {h: kept["homework"][h]["handed in"] for h in marks}
            rows.append(scores.row(student, marks, times, kept.get("notes", []), self.options))
            for h in marks:
                found = kept["homework"][h]
                prints.setdefault(h, {})[student.shown] = found["prints"]
                answers[h, student.shown] = found["answers"]
        given = {h: [p for c in nb.cells if c.cell_type == "code" for p in similar.fingerprint(c.source)]
                 for h, nb in self.releases.items()}  # fmt: skip
        pairs = similar.alike(prints, given)
        scores.add_pairs(rows, pairs)
        course.write(self.out / "scores.csv", scores.as_csv(rows))
        course.write(self.out / "alike.html", similar.page(pairs, answers).encode("utf-8", "replace"))
        course.say("\n" + scores.as_text(rows))
        if self.options.lms:
            tables, unknown = scores.for_lms(self.options.lms, rows)
            for file, table in tables.items():
                course.write(self.out / file, table)
                course.say(f"{self.out / file} can be imported into {self.options.lms.capitalize()}.")
            if unknown:
                names = ", ".join(unknown[:20]) + ", ..." * (len(unknown) > 20)
                course.say(f"{len(unknown)} have neither address nor number there (--students brings them): {names}.")
        unread = sum(row["to read"] for row in rows)
        course.say(
            f"\n{self.out / 'scores.csv'} has every part, {self.out / 'feedback'} a page for every student."
            + (f" {unread:g} points wait for you to read a proof or an analysis." if unread else "")
            + (
                f" {self.out / 'alike.html'} shows {len(pairs)} pairs of answers that resemble each other."
                if pairs
                else ""
            )
        )


@contextlib.contextmanager
def rooms(sources):
    """homework -> a copy of kmlab without what is locked there."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        made = {}
        for name, path in sources.items():
            locked = release.locked(path)
            place = Path(folder) / course.digest(repr(locked).encode())[:12]
            if not place.exists():
                place.mkdir(mode=0o755)
                sandbox.without(locked, place)
            made[name] = str(place / "kmlab")
        yield made


def fingerprint(task):
    """Of all that decides about a grade besides what was handed in."""
    rules = {key: value for key, value in task.items() if key not in ("releases", "sources")}
    files = [*map(Path, task["sources"].values()), *GRADER, *CHECKS]
    return json.dumps(rules, sort_keys=True) + "".join(course.digest(file.read_bytes()) for file in files)


def content(student):
    """Of all that one student handed in, as far as it is looked at; what cannot be read is known by its name."""
    parts, left = [], reading.LARGEST
    for path in student.paths:
        for there in reading.walk(path, parts):
            data = b""
            if there.size <= left:
                with contextlib.suppress(OSError):
                    data = there.read(int(left))
            left -= len(data)
            parts.append(f"{os.path.relpath(there.folder, path.parent)!a} {there.name!a} {there.size} ")
            parts.append(course.digest(data) + "\n")
    return "".join(parts)


def slug(name):
    """A name that is a folder, and that nbgrader does not take for a pattern."""
    plain = re.sub(r"[^\w.@ -]|^\.", "_", name)[:80].encode()[:200].decode(errors="ignore")  # with room for .html.part
    return plain if plain == name else f"{plain}-{course.digest(os.fsencode(name))[:6]}"


if __name__ == "__main__":
    sys.exit(main())
