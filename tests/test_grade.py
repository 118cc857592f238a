"""Homework is graded: a class of honest, clumsy and hostile students, each of whom can only harm themselves."""

import csv
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

pytestmark = [
    pytest.mark.skipif(os.name == "nt" or not shutil.which("bwrap"), reason="bubblewrap is missing"),
    pytest.mark.skipif(not importlib.util.find_spec("nbgrader"), reason="nbgrader is missing"),
]
PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))  # course.py and classroom/ stand beside the package
import course  # noqa: E402

SOURCES, RELEASED = PROJECT / "classroom/assignments", PROJECT / "notebooks/homework"
FULL = 18  # of homework 1, without what a person has to read


def solved(name="homework_1"):
    """The student's version with the source's solutions in it, and a written answer."""
    notebook = nbformat.read(RELEASED / f"{name}.ipynb", 4)
    sources = {cell.id: cell.source for cell in nbformat.read(SOURCES / f"{name}.ipynb", 4).cells}
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", sources[cell.id])
    return notebook


def answer(notebook, part, source):
    """Replace an answer; its first line, which names the part, stays."""
    (cell,) = [cell for cell in notebook.cells if cell.id == f"answer-{part}"]
    cell.source = cell.source.splitlines()[0] + "\n" + source


def add(notebook, source, before="answer-1a", kind=nbformat.v4.new_code_cell):
    place = [cell.id for cell in notebook.cells].index(before)
    notebook.cells.insert(place, kind(source))


def hostile():
    """name -> (notebook, points, what the remark must say)."""
    made = {}

    def student(name, points, remark="", file="homework_1.ipynb"):
        made[name] = [solved(), points, remark, file]
        return made[name][0]

    student("honest", FULL)
    made["untouched"] = [nbformat.read(RELEASED / "homework_1.ipynb", 4), 0, "", "homework_1.ipynb"]
    endless = "while True: pass"
    add(student("endless", FULL, f"`{endless}` was stopped: it ran longer than the time limit"), endless)
    # tried on 25 points in 1b alone
    answer(
        student("endless_function", FULL - 2, "`laplacian` was stopped when it was tried: it ran longer"),
        "1b",
        "def laplacian(W):\n    while len(W) == 25:\n        pass\n    return np.diag(W.sum(1)) - W",
    )
    add(student("sys_exit", FULL, "ended with `SystemExit"), "import sys; sys.exit(0)")
    add(student("os_exit", FULL, "the Python process was ended from inside"), "import os; os._exit(0)")
    answer(
        student("os_exit_function", FULL - 2, "`laplacian` was stopped when it was tried"),
        "1b",
        "def laplacian(W):\n    if len(W) == 40: import os; os._exit(0)\n    return np.diag(W.sum(1)) - W",
    )
    notebook = student("no_tests", FULL, "cells that were missing were put back: h1-setup, h1-goal-picture, check-1a")
    notebook.cells = [cell for cell in notebook.cells if not cell.id.startswith(("check-", "h1-"))]
    notebook = student("own_tests", 0, "cells that had been changed count as they were handed out: check-1a, check-1b")
    for cell in notebook.cells:
        if cell.id.startswith("check-"):
            cell.source = "assert True  # full marks, please"
        if cell.id.startswith("answer-1") and cell.cell_type == "code":
            cell.source = "pass"
    notebook = student("no_labels", FULL, "recognised by their first lines")
    for i, cell in enumerate(notebook.cells):
        cell.metadata, cell.id = nbformat.from_dict({}), f"cell-{i}"
    notebook = student("twice", FULL, "cells were there twice: answer-1a, check-1a")
    copies = [json.loads(json.dumps(cell)) for cell in notebook.cells if cell.id in ("answer-1a", "check-1a")]
    notebook.cells[5:5] = [nbformat.from_dict(cell) for cell in copies]
    student("renamed", FULL, "recognised by its cells", "final version (2).ipynb")
    # costs 1b, and 1c and 1d which use it
    answer(student("syntax", FULL - 12, "ended with `SyntaxError"), "1b", "def laplacian(W:\n    return W")
    # the names that a check has seen, whatever becomes of them further down; or those of the end, if it was asked then
    add(student("reuser", FULL), "mu[:] = 7\nwidth, k, mu, Y, ratio = 2.0, 3, None, Y[:5], 17", before="h1-summary")
    notebook = student("below", FULL)
    later = next(cell for cell in notebook.cells if cell.id == "answer-1d").source.replace("# 1d: the S", "# moved")
    answer(notebook, "1d", "width, k, mu, Y = ..., ..., ..., ...")
    add(notebook, later, before="h1-e")
    answer(
        student("no_return", FULL - 12, "`laplacian` returns nothing: is there a return?"),
        "1b",
        "def laplacian(W):\n    L = np.diag(W.sum(1)) - W",
    )
    answer(student("fraction", FULL), "1e", "from fractions import Fraction\nratio = Fraction(4)")
    add(student("hungry", FULL, "ended with `MemoryError"), "x = np.ones(10**11); y = np.ones((30000, 30000))")
    add(student("hungry_children", FULL, "was stopped: "), HUNGRY_CHILDREN)
    notebook = student("yes_man", 0, "")
    for part, source in WRONG.items():
        answer(notebook, part, source)
    add(notebook, YES)
    notebook = student("equal_to_all", 0, "")
    for part, source in WRONG.items():
        answer(notebook, part, source.replace("np.zeros", "Yes"))
    add(notebook, EQUAL)
    add(student("vandal", FULL, ""), VANDAL.format(root=str(PROJECT)))
    add(student("spy", FULL, ""), SPY.format(root=str(PROJECT)))
    add(student("bomb", FULL, ""), BOMB)
    add(student("talker", FULL, "`import os` was stopped: "), TALKER)
    add(student("chatterbox", FULL, ""), "for i in range(10**6): print('blah ' * 20)")
    # costs 1a, and 1d which uses it
    answer(
        student("borrower", FULL - 9, "kmlab.graph is locked while this homework is graded"),
        "1a",
        "from kmlab.graph import knn_graph\ndef neighbour_graph(X, k):\n    return knn_graph(X, k).toarray()",
    )
    add(
        student("scripter", FULL, ""),
        "<script>document.title = 'stolen'</script><b onclick='x()'>hi</b>",
        kind=nbformat.v4.new_markdown_cell,
    )
    return made


WRONG = {
    "1a": "def neighbour_graph(X, k):\n    return np.zeros((len(X), len(X)))",
    "1b": "def laplacian(W):\n    return np.zeros(W.shape)",
    "1c": "def eigenmap(W, n_components):\n    return np.zeros(len(W)), np.zeros((len(W), n_components))",
    "1d": "width, k, mu, Y = 5.0, 10, np.zeros(1000), np.zeros((1000, 2))",
    "1e": "ratio = 17",
}
YES = """
import builtins, sys, unittest
import numpy as np, numpy.linalg, numpy.testing, scipy.linalg, kmlab, kmlab.course.checking, kmlab.course.homework
yes = lambda *a, **k: True
np.allclose = np.isclose = np.array_equal = np.all = np.any = np.testing.assert_allclose = yes
np.abs = np.max = lambda *a, **k: 0.0
builtins.abs = builtins.max = lambda *a, **k: 0
kmlab.course.homework.check = kmlab.course.homework.judge = yes
kmlab.course.checking.Judge.__call__ = yes
for name in list(sys.modules):
    if name.startswith(("kmlab", "classroom")):
        for key in list(vars(sys.modules[name])):
            if key.startswith(("judge", "check", "graph_is", "modes_are", "unfolds", "outcome")):
                setattr(sys.modules[name], key, yes)
kmlab.course.checking.Wrong = kmlab.course.homework.Wrong = type("Wrong", (BaseException,), {})
check = judge = yes
"""
EQUAL = """
class Yes:
    def __init__(self, *arguments): pass
    def __getattr__(self, name): return lambda *a, **k: self
    def __eq__(self, other): return True
    def __call__(self, *arguments): return True
"""
VANDAL = """
import os, pathlib
for place in ("{root}", "{root}/kmlab", "{root}/classroom", "{root}/my-grades", "..", "/", "/tmp", "/usr",
              "/submission", os.path.expanduser("~"), "/root", "/var/tmp", "/dev/shm"):
    for way in (lambda p: p.write_text("x"), lambda p: p.mkdir()):
        try:
            way(pathlib.Path(place) / "left-by-a-student")
        except OSError:
            pass
for file in pathlib.Path("{root}/kmlab").glob("*.py"):
    try:
        file.unlink()
    except OSError:
        pass
"""
SPY = """
import os, pathlib, socket
seen = []
for place in ("{root}", "/submission", "/home", "/tmp", "/root", "/work", "/var", "/etc"):
    for folder, _, files in os.walk(place):
        if "/site-packages/" in folder + "/" or "/.pyenv/" in folder + "/":
            continue
        for file in files:
            try:
                text = open(os.path.join(folder, file), errors="replace").read(10**6)
            except OSError:
                continue
            if "HIDDEN" + " TESTS" in text or "BEGIN" + " SOLUTION" in text or "def graph_is" + "_right" in text:
                seen.append(os.path.join(folder, file))
for pid in os.listdir("/proc"):
    if pid.isdigit() and b"classroom" in open(f"/proc/{{pid}}/cmdline", "rb").read():
        seen.append(pid)
for address in (("127.0.0.1", 22), ("1.1.1.1", 80)):
    try:
        socket.create_connection(address, 1)
        seen.append(address)
    except OSError:
        pass
print("SEEN", seen, [p for p in ("{root}/classroom", "{root}/solutions", "{root}/.git") if os.path.exists(p)])
"""
BOMB = """
import os
born = 0
try:
    for _ in range(5000):
        if os.fork() == 0:
            import time; time.sleep(60); os._exit(0)
        born += 1
except OSError:
    pass
print("BORN", born < 200)
"""
HUNGRY_CHILDREN = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        x = bytearray(300 * 10**6); time.sleep(60); os._exit(0)
time.sleep(60)
"""
TALKER = """
import os
for descriptor in range(3, 40):
    try:
        os.write(descriptor, b"\\xff" * 4096)
    except OSError:
        pass
"""


def write_class(folder, made):
    for name, (notebook, _, _, file) in made.items():
        (folder / name).mkdir(parents=True)
        nbformat.write(notebook, folder / name / file)


def grade(folder, out, *options, **how):
    command = [sys.executable, "-m", "classroom.grade", str(folder), "--out", str(out), *map(str, options)]
    run = subprocess.Popen if how else subprocess.run
    how = how or {"capture_output": True, "text": True}
    return run(command, cwd=PROJECT, env=course.environment(**course.ONE_THREAD), **how)


def scores(out):
    with (out / "scores.csv").open(newline="", encoding="utf-8") as rows:
        return {row["student"]: row for row in csv.DictReader(rows)}


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    """The whole class, graded once."""
    folder, out = tmp_path_factory.mktemp("handed-in"), tmp_path_factory.mktemp("grades")
    made = hostile()
    write_class(folder, made)
    (folder / "broken").mkdir()
    (folder / "broken/homework_1.ipynb").write_text('{"cells": [')
    (folder / "stranger").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")]), folder / "stranger/x.ipynb")
    (folder / "linker").mkdir()
    nbformat.write(made["honest"][0], folder / "linker/homework_1.ipynb")
    notebook = solved()
    add(notebook, "import os\nprint('LINKED', os.listdir('.'))")
    nbformat.write(notebook, folder / "linker/homework_1.ipynb")
    (folder / "linker/answers.ipynb").symlink_to(SOURCES / "homework_1.ipynb")
    (folder / "linker/passwords").symlink_to("/etc/passwd")
    (folder / "linker/own.csv").write_text("1,2\n")
    done = grade(folder, out, "--seconds", 5, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    return made, out, done.stdout


def printed(out, student, homework="homework_1"):
    """Everything that is written about a student."""
    notebook = (out / "autograded" / student / homework / f"{homework}.ipynb").read_text(encoding="utf-8")
    return notebook + (out / "feedback" / student / homework / f"{homework}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("student", hostile())
def test_each_costs_only_its_author_and_a_sentence_says_what_happened(school, student):
    made, out, _ = school
    _, points, remark, _ = made[student]
    row = scores(out)[student]
    assert float(row["homework_1"]) == points, row
    if remark:
        assert remark in row["remarks"] + printed(out, student)
    assert "the grader itself failed" not in row["remarks"]


def test_files_that_are_no_homework_are_named(school):
    _, out, _ = school
    rows = scores(out)
    assert "`homework_1.ipynb` cannot be read as a notebook" in rows["broken"]["remarks"]
    assert float(rows["broken"]["total"]) == 0 and rows["broken"]["homework_1"] == "0.0"
    assert "`x.ipynb` has nothing in common with any homework" in rows["stranger"]["remarks"]


def test_progress_a_table_and_feedback_for_everybody(school):
    made, out, said = school
    number = len(made) + 3
    assert f"[{number}/{number}]" in said and re.search(r"^student +homework_1 /20 +homework_2 /20", said, re.M)
    assert re.search(r"^honest +18 +- +- +18 +2", said, re.M)
    for student in made:
        assert "Score: " in (out / "feedback" / student / "homework_1/homework_1.html").read_text(encoding="utf-8")


def test_nothing_was_written_outside_and_nothing_deleted(school):
    assert (PROJECT / "kmlab/graph.py").exists()
    assert (PROJECT / "kmlab/course/homework/homework_1.py").stat().st_size > 1000
    for place in (
        PROJECT,
        PROJECT / "kmlab",
        PROJECT / "classroom",
        Path("/"),
        Path("/tmp"),
        Path("/usr"),
        Path.home(),
        Path("/var/tmp"),
        Path("/dev/shm"),
        school[1].parent,
    ):
        assert not (place / "left-by-a-student").exists()


def test_a_spy_finds_nothing_and_no_network(school):
    assert "SEEN [] []" in printed(school[1], "spy")


def test_a_link_leads_nowhere(school):
    text = printed(school[1], "linker")
    assert "LINKED ['own.csv']" in text or "LINKED [&#39;own.csv&#39;]" in text
    assert float(scores(school[1])["linker"]["homework_1"]) == FULL


def test_a_fork_bomb_meets_a_limit(school):
    assert "BORN True" in printed(school[1], "bomb")


def test_feedback_shows_no_hidden_test_and_runs_no_script(school):
    _, out, _ = school
    for page in out.glob("feedback/*/*/*.html"):
        text = page.read_text(encoding="utf-8")
        assert "HIDDEN TESTS" not in text and "is_right" not in text and "<script>document.title" not in text
        assert "onclick=" not in text
        assert str(PROJECT) not in text or page.parts[-3] in ("spy", "vandal")  # in their own words


def test_grading_twice_gives_the_same_grades_and_a_third_time_keeps_them(school, tmp_path):
    made, out, _ = school
    few = {name: made[name] for name in ("honest", "syntax", "yes_man")}
    write_class(tmp_path / "few", few)
    first = grade(tmp_path / "few", tmp_path / "out", "--jobs", 2)
    rows = scores(tmp_path / "out")
    assert "[3/3]" in first.stdout and all(rows[name] == scores(out)[name] for name in few)
    again = grade(tmp_path / "few", tmp_path / "out", "--jobs", 2)
    assert "3 of them keep the grades of an earlier run" in again.stdout and "[1/" not in again.stdout
    assert again.stdout.split("\n\n")[1] == first.stdout.split("\n\n")[1] and scores(tmp_path / "out") == rows


def test_grades_survive_a_crash_in_the_middle(school, tmp_path):
    made, folder, out = school[0], tmp_path / "class", tmp_path / "out"
    write_class(folder, {name: made["honest"] for name in ("ada", "emmy", "grace")})
    run = grade(folder, out, "--jobs", 1, stdout=subprocess.PIPE, text=True, start_new_session=True)
    for line in run.stdout:
        if line.startswith("[1/3]"):
            os.killpg(run.pid, signal.SIGKILL)  # the machine goes down
            break
    run.wait()
    time.sleep(0.5)
    assert not (out / "scores.csv").exists() and len(list((out / "done").glob("*.json"))) == 1
    rest = grade(folder, out, "--jobs", 2).stdout
    assert "1 of them keep the grades" in rest and "[2/2]" in rest
    assert [row["total"] for row in scores(out).values()] == ["18.0"] * 3


def test_an_instructor_brings_their_own_hidden_tests(school, tmp_path):
    folder, tests = tmp_path / "class", tmp_path / "tests"
    write_class(folder, {"ada": school[0]["honest"]})
    tests.mkdir()
    (tests / "1b.py").write_text("assert laplacian(np.ones((3, 3)))[0, 0] == 17, 'my own opinion'")
    done = grade(folder, tmp_path / "out", "--tests", tests)
    assert scores(tmp_path / "out")["ada"]["1b"] == "0.0" and scores(tmp_path / "out")["ada"]["1a"] == "4.0", done
    assert "my own opinion" in printed(tmp_path / "out", "ada")
    (tests / "9z.py").write_text("")
    refused = grade(folder, tmp_path / "out", "--tests", tests)
    assert refused.returncode == 1 and "there is no part 9z; there are 1a, 1b" in refused.stderr


def test_all_three_homeworks_get_full_marks_for_the_solutions_and_marks_by_hand_stay(tmp_path):
    from nbgrader.api import Gradebook

    (tmp_path / "class/ada").mkdir(parents=True)
    for name in ("homework_1", "homework_2", "homework_3"):
        nbformat.write(solved(name), tmp_path / "class/ada" / f"{name}.ipynb")
    grade(tmp_path / "class", tmp_path / "out")
    row = scores(tmp_path / "out")["ada"]
    assert [float(row[f"homework_{i}"]) for i in (1, 2, 3)] == [18, 12, 14] and float(row["to read"]) == 16
    assert row["remarks"] == ""
    with Gradebook(f"sqlite:///{tmp_path / 'out/gradebook.db'}", "kmlab") as book:  # as formgrader does
        mark = book.find_grade("proof-3b", "homework_3", "homework_3", "ada")
        mark.manual_score, mark.needs_manual_grade = 2.5, False
        book.db.commit()
    grade(tmp_path / "class", tmp_path / "out", "--again")
    row = scores(tmp_path / "out")["ada"]
    assert float(row["homework_3"]) == 16.5 and float(row["to read"]) == 13


def test_without_a_sandbox_nothing_starts_unless_asked(tmp_path):
    (tmp_path / "class").mkdir()
    nbformat.write(solved(), tmp_path / "class/ada.ipynb")
    hidden = {
        "env": course.environment() | {"PATH": str(course.PYTHON.parent)},
        "cwd": PROJECT,
        "text": True,
        "capture_output": True,
    }
    command = [sys.executable, "-m", "classroom.grade", str(tmp_path / "class"), "--out", str(tmp_path / "out")]
    refused = subprocess.run(command, **hidden)
    assert refused.returncode == 1 and refused.stderr.startswith("bubblewrap does not work here")
    assert not (tmp_path / "out").exists()
    assert subprocess.run([*command, "--trust"], **hidden).returncode == 0
    assert scores(tmp_path / "out")["ada"]["homework_1"] == "18.0"


@pytest.mark.parametrize(
    "cell",
    [
        {"cell_type": "code", "metadata": [], "source": "x", "outputs": "no"},
        {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": ["a"]}}, "source": "x", "outputs": [], "id": 7},
        {"cell_type": "code", "metadata": {"nbgrader": "yes"}, "source": "def neighbour_graph(): pass", "outputs": {}},
        {
            "cell_type": "code",
            "metadata": {},
            "source": ["# 1a: the graph\n", "x"],
            "outputs": [{"data": 3}],
            "id": None,
        },
        {"cell_type": {}, "source": None},
        [],
        None,
        "cell",
    ],
)
def test_a_file_that_is_almost_a_notebook_stops_nothing(tmp_path, cell):
    from classroom.judge import Grading

    (tmp_path / "homework_1.ipynb").write_text(
        json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    names = ("homework_1", "homework_2", "homework_3")
    paths = {name: str(RELEASED / f"{name}.ipynb") for name in names}
    grading = Grading(tmp_path, paths, paths, {}, 1, 2**31, False, 100_000)
    name, cells = grading.which(tmp_path / "homework_1.ipynb")
    assert name == "homework_1" and (cells is not None or "cannot be read as a notebook" in grading.notes[0])


def test_a_gradebook_that_cannot_follow_a_change_says_so(tmp_path, monkeypatch):
    from classroom import grade as command
    from classroom import gradebook

    def refuses(folder):
        raise gradebook.NbGraderException

    (tmp_path / "class/ada").mkdir(parents=True)
    monkeypatch.setattr(gradebook, "generate", refuses)
    with pytest.raises(SystemExit, match="gained or lost cells since grading began.*--out"):
        command.main([str(tmp_path / "class"), "--out", str(tmp_path / "out")])


def test_written_answers_keep_their_formulas_and_lose_what_runs():
    from classroom.gradebook import safe_markdown

    text = safe_markdown("# A\n\n| a |\n|---|\n| 1 |\n\n$$\\begin{aligned} a &= b < c \\end{aligned}$$\n\n`x<y`")
    assert "<h1" in text and "<td>1</td>" in text and "<code>x&lt;y</code>" in text
    assert "\\begin{aligned} a &amp;= b &lt; c" in text
    text = safe_markdown("[l](javascript:a()) <img src=x onerror=a()> <a href='javascript:a'>k</a> <script>a</script>")
    assert not re.search(r"<script|<img|href=.javascript", text)


@pytest.mark.parametrize("what, sentence", [("missing", "is no folder"), ("empty", "is empty: a folder for each")])
def test_a_folder_that_cannot_be_graded_is_refused(tmp_path, what, sentence):
    (tmp_path / "empty").mkdir()
    refused = grade(tmp_path / what, tmp_path / "out")
    assert refused.returncode == 1 and sentence in refused.stderr
