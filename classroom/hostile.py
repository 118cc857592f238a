"""A class of honest, clumsy and hostile students, to try the grading on: `python3 course.py grade --rehearse 100`.

Each entry of HOSTILE is a submission that has stopped a grader somewhere, or cheated one. The tests grade them, too.
"""

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import nbformat

import course

from . import release

FULL = 18  # points of homework 1, without what a person has to read
SHORT = 13  # without 1d, which takes longest
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
class Yes:
    def __init__(self, *arguments): pass
    def __getattr__(self, name): return lambda *a, **k: self
    def __eq__(self, other): return True
    def __call__(self, *arguments): return True
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
TALKER = """
import os
for descriptor in range(3, 40):
    try:
        os.write(descriptor, b"\\xff" * 4096)
    except OSError:
        pass
"""
FORGER = """
import json, os, struct, stat
pipes = [fd for fd in range(3, 40) if os.path.exists(f"/proc/self/fd/{{fd}}") and stat.S_ISFIFO(os.fstat(fd).st_mode)]
def say(tree, body=b""):
    for fd in pipes:
        try:
            os.write(fd, struct.pack("<QQ", len(tree), len(body)) + tree + body)
        except OSError:
            pass
for reply in (b'1e400', b'5', b'"text"', b'{{"array": "3", "type": "<f8"}}', b'[[[[1]]]]', b'{{"list": [1e400, 5]}}'):
    say(reply)
"""
STOPPER = """
import os, signal, threading, time
def stop():
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGSTOP)
threading.Thread(target=stop).start()
"""
HUNGRY_CHILDREN = """
import os, time
for _ in range(20):
    if os.fork() == 0:
        x = bytearray(300 * 10**6); time.sleep(60); os._exit(0)
time.sleep(60)
"""
WAITER = """
import ctypes, os, time
if ctypes.CDLL(None).vfork() == 0:  # who waits for such a child looks as if it waited for a disk
    time.sleep(1000)
    os._exit(0)
"""
MARKDOWN = "*a **b " * 20_000 + "[" * 60_000 + "![" * 30_000


def solved(name="homework_1"):
    """The student's version with the source's solutions in it, and a written answer."""
    notebook = nbformat.read(release.RELEASED / f"{name}.ipynb", 4)
    sources = {cell.id: cell.source for cell in nbformat.read(release.SOURCES / f"{name}.ipynb", 4).cells}
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", sources[cell.id])
    return notebook


def answer(notebook, part, source):
    """Replace an answer; its first line, which names the part, stays."""
    (cell,) = [cell for cell in notebook.cells if cell.id == f"answer-{part}"]
    cell.source = cell.source.splitlines()[0] + "\n" + source
    return notebook


def add(notebook, source, before="answer-1a", kind=nbformat.v4.new_code_cell):
    place = [cell.id for cell in notebook.cells].index(before)
    notebook.cells.insert(place, kind(source))
    return notebook


def short():
    return answer(solved(), "1d", "width, k, mu, Y = ..., ..., ..., ...")


def in_folder(change, file="homework_1.ipynb", start=short):
    """A submission that is a folder with one changed notebook."""

    def write(folder):
        folder.mkdir()
        notebook = start()
        (folder / file).write_text(json.dumps(change(notebook) or notebook), encoding="utf-8")

    return write


def wrong(notebook):
    for part, source in WRONG.items():
        answer(notebook, part, source)
    return add(notebook, YES)


def clumsy(notebook):
    for source in ("x = np.ones(10**11)", "import sys; sys.exit(0)", "while True: pass", "import os; os._exit(0)"):
        add(notebook, source)


def mistaken(notebook):
    answer(notebook, "1b", "def laplacian(W):\n    L = np.diag(W.sum(1)) - W")
    borrowed = "def neighbour_graph(X, k):\n    return knn_graph(X, k).toarray()"
    answer(notebook, "1a", f"from kmlab.graph import knn_graph\n{borrowed}")


def reuser(notebook):
    add(notebook, "mu[:] = 7\nwidth, k, mu, Y, ratio = 2.0, 3, None, Y[:5], 17", before="h1-summary")


def below(notebook):
    later = next(cell for cell in notebook.cells if cell.id == "answer-1d").source.replace("# 1d: the S", "# moved")
    answer(notebook, "1d", "width, k, mu, Y = ..., ..., ..., ...")
    add(notebook, later, before="h1-e")


def half_a_letter(notebook):
    add(notebook, "x = '\ud800'  # \udfff")
    add(notebook, "# \ud800", kind=nbformat.v4.new_markdown_cell)


def deep(folder):
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def zipped(folder):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("my work/homework_1.ipynb", nbformat.writes(short()))
        packed.writestr("__MACOSX/._homework_1.ipynb", b"\0\1")
    folder.mkdir()
    (folder / "all of it.zip").write_bytes(file.getvalue())


def old_format(folder):
    notebook = short()
    cells = [
        {"cell_type": cell.cell_type, "metadata": cell.metadata, "outputs": []}
        | {"input" if cell.cell_type == "code" else "source": cell.source.splitlines(keepends=True)}
        for cell in notebook.cells
    ]
    folder.mkdir()
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    (folder / "homework_1.ipynb").write_text(json.dumps(old))


def odd_names(folder):
    folder.mkdir()
    (folder / os.fsdecode(b"homework_1 \xff\xfe.ipynb")).write_text(nbformat.writes(short()))
    (folder / "=cmd & calc.ipynb").write_text('{"cells": [')
    os.mkfifo(folder / "data.csv")
    os.mkfifo(folder / "pipe.ipynb")
    (folder / "passwords.ipynb").symlink_to("/etc/passwd")


def files_beside(folder):
    """Data in a folder, modules with the names of others (at home those are loaded before), and one that is copied."""
    (folder / "data/mine").mkdir(parents=True)
    (folder / "data/points.csv").write_text("1,2\n3,4\n")
    (folder / "data/mine/__init__.py").write_text("points = 2")
    copied = (course.ROOT / "kmlab/graph.py").read_text("utf-8")
    (folder / "data/borrowed.py").write_text(re.sub(r"\bW\b|\bneighbors\b", "mine", copied), encoding="utf-8")
    for name in ("random", "numpy", "IPython", "traitlets"):
        (folder / f"{name}.py").write_text("raise RuntimeError('not this one')")
    notebook = add(short(), "import random\nfrom data import mine\nX = np.loadtxt('data/points.csv', delimiter=',')")
    (folder / "homework_1.ipynb").write_text(nbformat.writes(notebook))


def without_cells(notebook):
    for cell in notebook.cells:
        cell.source = None
    return notebook


def from_the_browser(notebook):
    """As JupyterLite saves it."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python (Pyodide)", "language": "python", "name": "python"},
        "language_info": {"codemirror_mode": {"name": "python", "version": 3}, "name": "python", "version": "3.13"},
    }


HOSTILE = {  # name -> (writes the submission into a folder, points of homework 1 or None, what the remarks must say)
    "honest": (in_folder(lambda notebook: None, start=solved), FULL, ""),
    "clumsy": (in_folder(clumsy), SHORT, "`while True: pass` was stopped: it ran longer than the time limit"),
    "mistaken": (in_folder(mistaken), 2, "kmlab.graph is locked while this homework is graded"),
    "reuser": (in_folder(reuser, start=solved), FULL, ""),
    "below": (in_folder(below, start=solved), FULL, ""),
    "yes man": (in_folder(wrong), 0, ""),
    "talker": (in_folder(lambda notebook: add(notebook, TALKER)), SHORT, "`import os` was stopped: "),
    "forger": (in_folder(lambda notebook: add(notebook, FORGER.format())), SHORT, "was stopped: "),
    "stopper": (in_folder(lambda notebook: add(notebook, STOPPER)), None, "it ran longer than the time limit"),
    "hungry children": (in_folder(lambda notebook: add(notebook, HUNGRY_CHILDREN)), SHORT, "was stopped: it "),
    "half a letter": (in_folder(half_a_letter), SHORT, "letters that are none"),
    "words": (
        in_folder(lambda notebook: add(notebook, MARKDOWN, kind=nbformat.v4.new_markdown_cell)),
        SHORT,
        "the first 20000 count",
    ),
    "deep": (deep, None, "folders are more than 8 deep"),
    "zipped": (zipped, SHORT, "`all of it.zip` is a zip, and was unpacked"),
    "old format": (old_format, SHORT, "old format (version 3)"),
    "odd names": (odd_names, SHORT, "cannot be read as a notebook"),
    "files beside": (files_beside, SHORT, ""),
    "without cells": (in_folder(without_cells), 0, "no cell of this homework was found in the file"),
    "from the browser": (in_folder(from_the_browser), SHORT, ""),
    "empty": (Path.mkdir, None, "nothing was handed in"),
    os.fsdecode(b"no \xff UTF-8"): (in_folder(lambda notebook: None), SHORT, ""),
}


def write_class(folder, names, honest=0):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        HOSTILE[name][0](folder / name)
    text = nbformat.writes(solved())
    for i in range(honest):
        (folder / f"student {i:03}").mkdir()
        (folder / f"student {i:03}/homework_1.ipynb").write_text(text.replace("distance", f"distance_{i}"))


def rehearse(size, options):
    """Grade an honest class, and one with ten hostile students in it; -> 0 if those cost the others nothing."""
    from . import grade

    hostile = [name for name in HOSTILE if name not in ("honest", "reuser", "below", "zipped", "old format", "empty")]
    hostile = [name for name in hostile if name not in ("mistaken", "from the browser", "files beside")][:10]
    took, rows = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, mean, honest in (("honest", [], size), ("mixed", hostile, max(1, size - len(hostile)))):
            place = Path(folder) / kind
            write_class(place, mean, honest)
            began = time.monotonic()
            with contextlib.redirect_stdout(sys.stderr):
                grade.main([str(place), "--out", f"{folder}/{kind}-grades", "--jobs", str(options.jobs)])
            took[kind] = time.monotonic() - began
            rows[kind] = read_scores(Path(folder) / f"{kind}-grades/scores.csv")
            subprocess.run(["rm", "-rf", place], check=True)  # too deep for shutil
    full = [row for row in rows["mixed"].values() if row["student"].startswith("student ")]
    right = sum(row["homework_1"] == f"{FULL}.0" for row in full)
    ratio = took["mixed"] / took["honest"]
    course.say(
        f"{len(full)} honest students beside {len(hostile)} hostile ones ({', '.join(map(ascii, hostile))}): {right} "
        f"graded as they deserve. {took['mixed']:.0f} s; an honest class of {size} takes {took['honest']:.0f} s "
        f"({ratio:.2f} times as long)."
    )
    return 0 if right == len(full) and ratio < 2 else 1


def read_scores(path):
    with path.open(newline="", encoding="utf-8") as rows:
        return {row["student"]: row for row in csv.DictReader(rows)}
