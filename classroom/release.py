"""The student's version of the homework: `python3 course.py homework`.

classroom/assignments/ holds the sources, with solutions and hidden tests; nbgrader makes the student's version of them,
which goes to notebooks/homework/ and is run once, so that the pictures are there when a student opens it.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import course

SOURCES = course.ROOT / "classroom/assignments"
RELEASED = course.ORIGINALS / "homework"
HIDDEN = re.compile(r"### (BEGIN|END) HIDDEN TESTS")


def names():
    return sorted(path.stem for path in SOURCES.glob("*.ipynb"))


def main(args):
    what = __doc__.split(":")[0]
    parser = argparse.ArgumentParser("python3 course.py homework", description=what, allow_abbrev=False)
    parser.add_argument(
        "--personal", type=Path, metavar="STUDENTS", help="a copy with data of its own for everybody in this CSV file"
    )
    options = parser.parse_args(args)
    look_for_mistakes()
    if options.personal:
        from . import personal

        if missing := [name for name in names() if not (RELEASED / f"{name}.ipynb").exists()]:
            sys.exit(f"{missing[0]} has no student's version yet: run `python3 course.py homework` first.")
        return personal.write_copies(options.personal, {name: RELEASED / f"{name}.ipynb" for name in names()})
    from publish.execute import execute  # these two take seconds, which nobody waits who asks for help

    from . import gradebook

    RELEASED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = gradebook.generate(Path(folder))
        for i, (name, path) in enumerate(made.items(), 1):
            print(f"[{i}/{len(made)}] {RELEASED.relative_to(course.ROOT) / name}.ipynb", flush=True)
            expect_errors(path, True)
            execute(path)
            expect_errors(path, False)
            shutil.copyfile(path, RELEASED / path.name)
    for stale in {path.stem for path in RELEASED.glob("*.ipynb")} - set(made):
        (RELEASED / f"{stale}.ipynb").unlink()


def expect_errors(path, expected):
    """An ordinary assert fails on a stub, as it should: the notebook runs on, and what it said is not stored."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        label, tags = cell["metadata"].get("nbgrader", {}), cell["metadata"].setdefault("tags", [])
        if expected and label.get("grade") and cell["cell_type"] == "code":
            tags.append("raises-exception")
        elif not expected and "raises-exception" in tags:
            tags.remove("raises-exception")
            cell["outputs"] = [output for output in cell["outputs"] if output["output_type"] != "error"]
        if not tags:
            del cell["metadata"]["tags"]
    course.write(path, json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n")


def cells(name):
    try:
        return json.loads((SOURCES / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    except (ValueError, KeyError, TypeError) as error:
        sys.exit(f"classroom/assignments/{name}.ipynb cannot be read as a notebook ({error}).")


def points(name):
    """part or cell -> points, of every graded cell of a source, in order."""
    labels = [cell["metadata"].get("nbgrader", {}) for cell in cells(name)]
    return {label["grade_id"]: label["points"] for label in labels if label.get("grade")}


def locked(path):
    """The modules that a source locks while it is graded."""
    return json.loads(Path(path).read_text(encoding="utf-8"))["metadata"].get("kmlab", {}).get("locked", [])


def look_for_mistakes():
    """Stop with a sentence if a source holds something that would be passed over in silence."""
    seen = {}
    for name in names():
        for cell in cells(name):
            source, label = "".join(cell["source"]), cell["metadata"].get("nbgrader") or {}
            first = (source.strip().splitlines() or [""])[0][:60]
            where = f"classroom/assignments/{name}.ipynb, the cell that begins with {first!r}"
            is_test = label.get("grade") and not label.get("solution") and cell["cell_type"] == "code"
            if HIDDEN.search(source) and not is_test:
                sys.exit(
                    f"{where}: its hidden tests belong to no part and would never run. In JupyterLab's right sidebar "
                    "(Create Assignment) make it an autograder test, and give it an ID and points."
                )
            if is_test:
                if source.count("### BEGIN HIDDEN TESTS") != source.count("### END HIDDEN TESTS"):
                    sys.exit(f"{where}: each `### BEGIN HIDDEN TESTS` needs an `### END HIDDEN TESTS`.")
                try:
                    compile(source, first, "exec")
                except SyntaxError as error:
                    sys.exit(f"{where}: its test cannot be read ({error.msg}, line {error.lineno}).")
            if label.get("task"):
                sys.exit(f"{where} is a task for nbgrader, which is not read here: make it a manually graded answer.")
            if label.get("grade") and not (isinstance(label.get("points"), int | float) and label["points"] > 0):
                sys.exit(f"{where} is graded, but has no points.")
            grade_id = label.get("grade_id")
            if grade_id and seen.setdefault(grade_id, where) is not where:
                sys.exit(
                    f"{where} has the ID {grade_id!r}, and so has {seen[grade_id]}: a part needs an ID of its own."
                )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
