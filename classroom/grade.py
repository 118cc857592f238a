"""Grade a folder of submissions: `python3 course.py grade FOLDER`.

FOLDER holds a folder for each student, with the notebooks and whatever belongs to them, or a notebook a student. Each
student is judged in a process of their own (judge.py); nbgrader keeps the grades and writes the feedback. my-grades/
gets scores.csv, feedback/STUDENT/HOMEWORK/HOMEWORK.html, and gradebook.db, in which nbgrader's formgrader marks what
was written in words (--by-hand). A student whose files have not changed keeps the grade of an earlier run.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import course

from . import release, sandbox
from .sandbox import LARGEST

GRADES = course.ROOT / "my-grades"
GRADER = [
    Path(__file__).with_name(name) for name in ("grade.py", "gradebook.py", "judge.py", "sandbox.py", "inmate.py")
]
CHECKS = [course.ROOT / "kmlab/course/checking.py", *sorted((course.ROOT / "kmlab/course/homework").glob("*.py"))]


def main(args=None):
    parser = argparse.ArgumentParser(
        prog="python3 course.py grade", description=__doc__.splitlines()[0], allow_abbrev=False
    )
    parser.add_argument("folder", type=Path, nargs="?", help="a folder with a folder for each student")
    parser.add_argument("--out", type=Path, default=GRADES, help="where grades and feedback go (my-grades)")
    parser.add_argument("--tests", type=Path, help="your own hidden tests: 1a.py there takes the place of ours for 1a")
    parser.add_argument("--seconds", type=float, default=20, help="of computing for one cell or one call (20)")
    parser.add_argument("--memory", type=float, default=2, help="gigabytes for a submission (2)")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="how many at once")
    parser.add_argument("--again", action="store_true", help="grade everybody anew")
    parser.add_argument("--by-hand", action="store_true", help="open nbgrader's formgrader, to mark what was written")
    parser.add_argument("--trust", action="store_true", help="go on without a sandbox")
    options = parser.parse_args(args)
    if options.by_hand:
        return by_hand(options.out)
    if options.folder is None:
        parser.error("which folder? Give one that holds a folder for each student.")
    if os.name == "nt":
        sys.exit("Grading needs Linux, or macOS with --trust: on Windows use the Windows Subsystem for Linux.")
    students = find_students(options.folder)
    tests = own_tests(options.tests)
    with tempfile.TemporaryDirectory() as empty:
        if not options.trust and not sandbox.works(empty):
            sys.exit(sandbox.NO_SANDBOX)
    options.out.mkdir(parents=True, exist_ok=True)
    grade(students, options.out.resolve(), tests, options)
    return 0


def find_students(folder):
    """name -> folder or notebook."""
    if not folder.is_dir():
        sys.exit(f"{folder} is no folder: give one that holds a folder for each student.")
    found = {
        path.name if path.is_dir() else path.stem: path.resolve()
        for path in sorted(folder.iterdir())
        if not path.name.startswith(".") and not path.is_symlink() and (path.is_dir() or path.suffix == ".ipynb")
    }
    if not found:
        sys.exit(f"{folder} is empty: a folder for each student was expected, with the notebooks in it.")
    return found


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


def grade(students, out, tests, options):
    from . import gradebook  # not above: whoever asks for help, or gives a wrong folder, need not wait for nbgrader

    say = course.say
    say(f"{len(students)} students, {options.jobs} at once. Grades go to {out}.")
    try:
        releases = {name: str(path) for name, path in gradebook.generate(out).items()}
    except gradebook.NbGraderException:
        sys.exit(
            f"A homework has gained or lost cells since grading began, and the gradebook in {out} cannot follow: "
            "grade into another folder (--out), and keep the old one with the marks that you gave."
        )
    task = {
        "releases": releases,
        "sources": {name: str(release.SOURCES / f"{name}.ipynb") for name in releases},
        "tests": tests,
        "seconds": options.seconds,
        "memory": int(options.memory * 2**30),
        "trust": options.trust,
    }
    rules = fingerprint(task)
    keys = {name: course.digest((rules + content(path)).encode()) for name, path in students.items()}
    done = out / "done"
    waiting = [
        name
        for name in students
        if options.again or course.read_json(done / f"{slug(name)}.json").get("key") != keys[name]
    ]
    if len(waiting) < len(students):
        say(f"{len(students) - len(waiting)} of them keep the grades of an earlier run: nothing has changed.")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {
            pool.submit(judged, task | {"handed_in": str(students[name]), "uid": 100_000 + i}): name
            for i, name in enumerate(waiting)
        }
        for i, future in enumerate(concurrent.futures.as_completed(running), 1):
            name = running[future]
            result, failed = future.result()
            gradebook.record(out, slug(name), result)
            notes = [note for part in (result, *result["homework"].values()) for note in part["notes"]]
            # last of all, so that a run that was killed before this line grades this student again
            course.write(done / f"{slug(name)}.json", {"key": None if failed else keys[name], "notes": notes})
            say(f"[{i}/{len(waiting)}] {name}" + (f": {notes[0]}" + " ..." * (len(notes) > 1) if notes else ""))
    rows = gradebook.table(out, {name: slug(name) for name in students})
    for row in rows:
        notes = course.read_json(done / f"{slug(row['student'])}.json").get("notes", [])
        row["remarks"] = "; ".join(notes)
    course.write(out / "scores.csv", as_csv(rows))
    say("\n" + as_text(rows))
    unread = sum(row["to read"] for row in rows)
    say(
        f"\n{out / 'scores.csv'} has every part, {out / 'feedback'} a page for every homework."
        + (f" {unread:g} points wait for you to read a proof or an analysis." if unread else "")
    )


def fingerprint(task):
    """Of all that decides about a grade besides what was handed in."""
    rules = {key: value for key, value in task.items() if key not in ("releases", "sources")}
    files = [*map(Path, task["sources"].values()), *GRADER, *CHECKS]
    return json.dumps(rules, sort_keys=True) + "".join(course.digest(file.read_bytes()) for file in files)


def content(path):
    """Of all that one student handed in; links are not followed."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file() and not p.is_symlink())
    parts = []
    for file in files:
        size = file.stat().st_size  # what is too large to be read is known by its size
        known = course.digest(file.read_bytes()) if size < LARGEST else size
        parts.append(f"{file.relative_to(path.parent)} {known}\n")
    return "".join(parts)


def judged(task):
    """-> what judge.py says about a student, and whether it failed itself."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "task.json", Path(folder) / "result.json"
        files[0].write_text(json.dumps(task), encoding="utf-8")
        command = [sys.executable, "-m", "classroom.judge", *map(str, files)]
        process = subprocess.Popen(
            command,
            cwd=course.ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        try:
            _, said = process.communicate(timeout=300 + 100 * task["seconds"])
        except subprocess.TimeoutExpired:
            process.kill()  # its sandbox dies with it
            said = "it did not come to an end"
            process.wait()
        result = course.read_json(files[1])
    if result:
        return result, False
    why = (said.strip().splitlines() or ["no reason given"])[-1]
    return {"notes": [f"the grader itself failed on this one ({why}): look at it by hand"], "homework": {}}, True


def by_hand(out):
    """Open formgrader on the gradebook; marks and comments given there stay when a homework is graded again."""
    if not (out / "gradebook.db").exists():
        sys.exit(f"There are no grades in {out} yet: grade a folder of submissions first.")
    from . import gradebook

    settings = json.dumps(gradebook.settings(out.resolve()))
    course.write(out / "nbgrader_config.json", settings.encode())
    course.say("Opening formgrader; Ctrl-C here, twice, ends it. Then grade again, which writes scores and feedback.")
    command = [sys.executable, "-m", "jupyterlab", "--LabApp.default_url=/formgrader", "--ip=127.0.0.1", "--allow-root"]
    return subprocess.call(
        [*command, f"--ServerApp.root_dir={out.resolve()}"],
        cwd=out,
        env=course.environment(PYTHONPATH=str(course.ROOT)),
    )


def as_csv(rows):
    parts = [cell.removeprefix("check-") for name in release.names() for cell in release.points(name)]
    columns = ["student", *parts, *release.names(), "total", "to read", "remarks"]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def as_text(rows):
    """The table for the terminal."""
    most = {name: sum(release.points(name).values()) for name in release.names()}
    head = ["student", *(f"{name} /{points:g}" for name, points in most.items()), "total", "to read", "remarks"]
    body = [
        [
            row["student"],
            *("-" if row[name] is None else f"{row[name]:g}" for name in most),
            f"{row['total']:g}",
            f"{row['to read']:g}",
            row["remarks"][:60] + "..." * (len(row["remarks"]) > 60),
        ]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in (head, *body)
    )


def slug(name):
    """A name that is a folder, and that nbgrader does not take for a pattern."""
    plain = re.sub(r"[^\w.@ -]", "_", name)
    return plain if plain == name else f"{plain}-{course.digest(name.encode())[:6]}"


if __name__ == "__main__":
    sys.exit(main())
