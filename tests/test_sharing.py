"""The suite is shared out among the cores: what belongs together stays together; --quick says what it leaves out."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

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
LONGEST, SHORTEST = sharing.FILES[0], "test_a.py"


def run(folder, *args):
    """A suite of its own, in a folder; -> what pytest says, line by line."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "xdist.plugin", "-p", "nbval.plugin", "-p", "sharing", *args]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    variables |= {"PYTHONPATH": str(TESTS), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, encoding="utf-8")
    return (done.stdout + done.stderr).strip().splitlines()


@pytest.fixture
def suite(tmp_path):
    for name in (SHORTEST, LONGEST):
        (tmp_path / name).write_text(NOTED)
    cells = ["x = 1", *["x += 1"] * 4, "assert x == 5"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(notebook, tmp_path / "a.ipynb")
    return tmp_path


def noted(suite, file):
    """Pairs of a worker and a number, in the order in which the tests ran."""
    return [line.split() for line in (suite / file).with_suffix(".txt").read_text().splitlines()]


def test_a_file_and_a_notebook_stay_on_one_worker_and_in_order(suite):
    *lines, last = run(suite, "-n2", "--nbval-lax", "--nbval-current-env")
    assert last.startswith("18 passed") and not any("Left out" in line for line in lines)
    for file in (LONGEST, SHORTEST):
        workers, numbers = zip(*noted(suite, file), strict=True)
        assert len(set(workers)) == 1 and "".join(numbers) == "012345"


def test_quick_leaves_out_what_it_says_before_the_sum(suite):
    *_, said, last = run(suite, "-n2", "--quick", "--nbval-lax", "--nbval-current-env")
    assert last.startswith("6 passed") and len(noted(suite, SHORTEST)) == 6
    assert said.startswith("Left out by --quick: ") and said.endswith("`python3 course.py test` runs them too.")
    assert all(what in said for what in [*sharing.SLOW.values(), sharing.NOTEBOOKS])


def test_quick_does_not_read_a_file_of_which_it_runs_nothing_unless_it_is_given(suite):
    (suite / LONGEST).write_text("1 / 0")
    assert run(suite, "--quick")[-1].startswith("6 passed")
    assert "1 error" in run(suite, "--quick", LONGEST)[-1]


def test_a_worker_that_dies_fails_the_test_that_it_was_at_and_no_other(suite):
    (suite / LONGEST).write_text(NOTED + "    if number == 1:\n        os._exit(1)\n")
    assert run(suite, "-n2", LONGEST, SHORTEST)[-1].startswith("1 failed, 11 passed")
    assert "".join(number for _, number in noted(suite, LONGEST)) == "012345"


def test_a_worker_that_takes_the_place_of_a_dead_one_gets_work_when_it_has_collected():
    config = SimpleNamespace(option=SimpleNamespace(), getvalue=lambda name: ["popen"] * 2)
    first, second, third = [Mock(shutting_down=False, name=name) for name in "abc"]
    shared, tests = sharing.pytest_xdist_make_scheduler(config, None), [f"{file}::{i}" for file in "xy" for i in "01"]
    for worker in first, second:
        shared.add_node(worker)
        shared.add_node_collection(worker, tests)
    shared.schedule()
    shared.add_node(third)
    assert [shared.remove_node(worker) for worker in (first, second)] == ["x::0", "y::0"]
    third.send_runtest_some.assert_not_called()
    shared.add_node_collection(third, tests)
    shared.schedule()
    sent = [call.args[0] for call in third.send_runtest_some.call_args_list]
    assert sent == [[3], [1]]  # both, because a worker begins a test only when it knows the next


def test_an_option_that_does_not_exist_is_refused(suite):
    said = "\n".join(run(suite, "--quik"))
    assert "unrecognized arguments: --quik" in said and not (suite / SHORTEST).with_suffix(".txt").exists()


def test_what_takes_long_goes_first():
    names = [SHORTEST, "notebooks/00_start_here.ipynb", *(f"tests/{name}" for name in reversed(sharing.FILES))]
    assert sorted((f"{name}::x" for name in names), key=sharing.turn) == [f"{name}::x" for name in reversed(names)]


def test_notebooks_are_swept_apart():
    swept, stored = (f"tests/test_notebooks.py::test_{name}[06_kernel_pca]" for name in ("swept", "stored"))
    assert sharing.unit(swept) == sharing.unit(stored) != sharing.unit(swept.replace("06", "07"))
    assert sharing.left_out("tests/test_notebooks.py::test_every_control_is_swept[06_kernel_pca]")
    assert not sharing.left_out(stored)


def test_what_is_called_slow_is_there():
    there = {path.name: path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py")}
    if (TESTS.parent / "classroom").is_dir():  # a student has neither it nor its tests
        for file, _, name in (entry.partition("::") for entry in sharing.SLOW):
            assert f"def {name}(" in there[file] if name else file in there
