"""The suite is shared out among the cores: what belongs together stays together; --quick says what it leaves out."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import sharing

TESTS = Path(__file__).resolve().parent
NOTED = """
import os, pathlib, pytest
@pytest.mark.parametrize("number", range(6))
def test_one(number):
    with open(pathlib.Path(__file__).with_suffix(".txt"), "a") as file:
        print(os.environ.get("PYTEST_XDIST_WORKER"), number, file=file)
"""


def run(folder, *args):
    """A suite of its own, in a folder; -> the last lines of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "sharing", "-p", "no:cacheprovider", *args]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        command, cwd=folder, env=variables | {"PYTHONPATH": str(TESTS)}, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip().splitlines()


def noted(folder, file):
    """Pairs of a worker and a number, in the order in which the tests ran."""
    return [line.split() for line in (folder / file).with_suffix(".txt").read_text().splitlines()]


@pytest.fixture
def slow_and_quick(tmp_path):
    (tmp_path / "test_quick.py").write_text(NOTED)
    (tmp_path / list(sharing.SLOW)[-1]).write_text(NOTED)
    return tmp_path


@pytest.mark.parametrize("workers", [0, 2])
def test_quick_leaves_out_what_it_says_before_the_sum(slow_and_quick, workers):
    *_, said, last = run(slow_and_quick, "--quick", f"-n{workers}")
    assert last.startswith("6 passed") and not (slow_and_quick / list(sharing.SLOW)[-1]).with_suffix(".txt").exists()
    assert said.startswith("Left out by --quick: ") and said.endswith("; `python3 course.py test` runs them too.")
    assert all(what in said for what in [*sharing.SLOW.values(), sharing.NOTEBOOKS])


def test_the_whole_suite_begins_with_what_takes_long_and_leaves_nothing_out(slow_and_quick):
    *lines, last = run(slow_and_quick, "-v")
    assert "12 passed" in last and not any("Left out" in line for line in lines)
    first = next(line for line in lines if "PASSED" in line)
    assert first.startswith(list(sharing.SLOW)[-1])


def test_a_file_stays_on_one_worker_and_in_order(tmp_path):
    for name in ("test_a.py", "test_b.py"):
        (tmp_path / name).write_text(NOTED)
    assert run(tmp_path, "-n2")[-1].startswith("12 passed")
    workers = [{worker for worker, _ in noted(tmp_path, name)} for name in ("test_a.py", "test_b.py")]
    assert [len(found) for found in workers] == [1, 1] and workers[0] != workers[1]
    assert [number for _, number in noted(tmp_path, "test_a.py")] == list("012345")


def test_the_cells_of_a_notebook_share_a_kernel(tmp_path):
    for name in "ab":
        cells = ["x = 1", *["x += 1"] * 4, "assert x == 5"]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        nbformat.write(notebook, tmp_path / f"{name}.ipynb")
    assert run(tmp_path, "-n2", "--nbval-lax", "--nbval-current-env")[-1].startswith("12 passed")


def test_tests_go_in_pieces_where_they_share_nothing():
    apart = [f"tests/test_estimator.py::test_it[{model}]" for model in "ab"]
    assert sharing.unit(apart[0]) != sharing.unit(apart[1])
    swept, stored = (f"tests/test_notebooks.py::test_{name}[06_kernel_pca]" for name in ("swept", "stored"))
    assert sharing.unit(swept) == sharing.unit(stored) != sharing.unit(swept.replace("06", "07"))


def test_the_slow_files_are_there():
    slow = {*sharing.SLOW, *sharing.PIECES}
    if (TESTS.parent / "classroom").is_dir():  # students get neither it nor its tests
        assert slow <= {path.name for path in TESTS.glob("test_*.py")}
