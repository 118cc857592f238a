"""The benchmark's machinery and, on tiny sizes, what its parts say about the results; never how long anything took."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import __main__ as bench  # noqa: E402
from benchmarks import report, side_by_side  # noqa: E402
from benchmarks.side_by_side import Case, Goal, Machine, Measured, Race, Row, Work, run  # noqa: E402

MACHINE = Machine(flops=1e9, exps=1e8, bytes=1e9)


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(side_by_side, "LEAST", 0.0)


def part(name):
    """A part of the benchmark; skipped where its peer is not installed (`course.py bench` brings it)."""
    if name in ("hsic", "kmeans"):
        pytest.importorskip({"hsic": "hyppo", "kmeans": "tslearn"}[name], exc_type=ImportError)
    return importlib.import_module(f"benchmarks.{name}")


def tiny():
    """part -> one small race of each kind in it."""
    yield "gram", lambda p: [p.race(70, d, square) for d in (2, 150) for square in (True, False)]
    yield "kernel_pca", lambda p: [p.fit(*p.points(600, 2), 3), p.transform(*p.points(100, 64), 3)]
    yield "svm", lambda p: [p.fit(("moons", 60), m, 0.5, True) for m in (p.SVC, p.OneClassSVM, p.SVR)]
    yield "svm", lambda p: [p.fit_and_grid(("rings", 60), m, 0.5, True) for m in (p.SVC, p.OneClassSVM, p.SVR)]
    yield "eigenmaps", lambda p: [p.embed(300)]
    yield "svm", lambda p: [p.fit(("moons", 60), m, 1, True, p.intel, "Intel's") for m in (p.SVC, p.SVR) if p.intel]
    yield "hsic", lambda p: [p.shuffle(40, 1, rounds=1)]
    yield "kmeans", lambda p: [p.cluster(300)]
    yield "ridge", lambda p: [p.path(60, d) for d in (2, 64)]


@pytest.mark.filterwarnings("ignore")  # peers warn of what their versions do
@pytest.mark.parametrize("name, races", list(tiny()), ids=lambda value: value if isinstance(value, str) else "")
def test_results_agree_with_the_peers(name, races):
    for job in races(part(name)):
        row = run(Case(name, "tiny", Goal(), lambda job=job: job), MACHINE, rounds=1)
        assert row.agrees, row.words


@pytest.mark.parametrize("name", bench.PARTS)
def test_every_part_names_its_cases_without_starting_them(name):
    module = part(name)
    quick, whole = list(module.cases(True)), list(module.cases(False))
    assert 0 < len(quick) <= len(whole) and all(isinstance(case, Case) for case in whole)
    assert {case.task for case in quick} == {case.task for case in whole}
    keys = [(case.task, case.size) for case in whole]
    assert len(set(keys)) == len(keys)


def test_the_fastest_peer_with_a_right_result_counts():
    def slow():
        return sum(range(200_000)) * 0 + 1

    job = Race(lambda: 1, {"fast and wrong": lambda: 2, "slow and right": slow}, lambda a, b: (f"{b}", a == b))
    row = run(Case("t", "s", Goal(), lambda: job), MACHINE)
    assert (row.peer, row.words, row.agrees) == ("slow and right", "1", True)
    wrong = Race(lambda: 1, {"wrong": lambda: 2}, lambda a, b: (f"{b}", a == b))
    row = run(Case("t", "s", Goal(), lambda: wrong), MACHINE)
    assert not row.agrees and "DISAGREES" in report.line(row)


def test_a_ratio_above_one_means_that_kmlab_is_faster():
    row = run(Case("t", "s", Goal(), lambda: Measured(2.0, 6.0, "peer", "same")), MACHINE)
    assert row.ratio == 3.0 and "2.00 s" in report.line(row) and "6.00 s" in report.line(row)


def test_the_limit_is_the_largest_part_of_the_work():
    assert MACHINE.limit(Work(flops=2e9, exps=1e8, bytes=1e9), 6.0) == "3.0 x BLAS"
    assert MACHINE.limit(Work(exps=1e8), 1.5) == "1.5 x exp"
    assert MACHINE.limit(Work(), 1.5) == ""


def test_the_summary_tells_which_goals_are_reached():
    rows = [Row("a", str(r), "p", r, 1.0, Goal(2, 1), "", True) for r in (1.0, 4.0)]
    rows += [Row("b", "1", "p", 0.5, 1.0, Goal(1, 1), "", True), Row("c", "1", "p", 9.0, 1.0, Goal(1, 1), "", False)]
    _, a, b, c = report.summary(rows)
    assert a.endswith("reached") and "NOT" not in a and " 2.00" in a
    assert b.endswith("NOT REACHED") and c.endswith("1 DISAGREE")


def test_the_table_has_a_column_for_every_heading():
    row = Row("task", "size", "peer", 1e-3, 2e-3, Goal(), "words", True, "1.0 x exp")
    line = report.line(row)
    for heading, value in ("task", "task"), ("size", "size"), ("limit", "1.0 x exp"), ("agreement", "words"):
        assert line[report.HEAD.index(heading) :].startswith(value)
    assert line[: report.HEAD.index("ratio") + 5].endswith("0.50")


def test_the_command_writes_table_and_picture(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bench, "LATEST", tmp_path / "latest")
    monkeypatch.setattr(
        bench,
        "collect",
        lambda parts, quick: [
            Case("a task", f"n = {n}", Goal(), lambda: Measured(1.0, 2.0, "peer", "same")) for n in (1, 2)
        ],
    )
    assert bench.main(["--only", "n = 2"]) is None
    said = capsys.readouterr().out
    assert "GFLOP/s" in said and said.count("a task") == 2 and "n = 1" not in said
    assert "a task" in (tmp_path / "latest" / "table.txt").read_text(encoding="utf-8")
    assert bench.main(["--only", "nothing"]).startswith("There is no case")


def test_a_busy_machine_has_a_program_for_every_core_and_blas_its_own_threads(monkeypatch):
    begun = []

    class Program:
        def __init__(self, command):
            begun.append(self)
            self.ended = False

        def kill(self):
            self.ended = True

        def wait(self):
            assert self.ended

    monkeypatch.setattr(bench, "measure", lambda chosen: [program.ended for program in begun])
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", Program)
        assert bench.main([]) == [] and bench.main(["--busy"]) == [False] * os.cpu_count()
    assert all(program.ended for program in begun)
    asked = "import sys; sys.argv[1:] = {}; import benchmarks, os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # as course.py has it
    for args, threads in (["--busy"], "None"), (["--quick"], "1"):
        said = [sys.executable, "-c", asked.format(args)]
        assert subprocess.run(said, capture_output=True, text=True, cwd=ROOT, env=env).stdout.strip() == threads


def test_another_checkout_is_raced_in_place_of_the_peers(tmp_path, monkeypatch, capsys):
    (tmp_path / "benchmarks").mkdir()
    for name in "__init__.py", "side_by_side.py":
        (tmp_path / "benchmarks" / name).write_text((ROOT / "benchmarks" / name).read_text())
    (tmp_path / "benchmarks" / "imports.py").write_text(
        "from .side_by_side import Case, Goal, Race\n"
        "WHOSE = 'theirs'\n"
        "def cases(quick):\n"
        "    yield Case('a task', 'small', Goal(), lambda: Race(lambda: WHOSE, {}, None))\n"
        "    yield Case('a task', 'only there', Goal(), lambda: 1 / 0)\n"
    )
    seen, ours = [], Case("a task", "small", Goal(), lambda: Race(lambda: seen.append("ours"), {"peer": None}, None))
    before = sys.modules["benchmarks.imports"] if "benchmarks.imports" in sys.modules else None
    (case,) = bench.against(tmp_path, [ours], ["imports"], True)
    race = case.start()
    assert list(race.peers) == ["before"] and race.peers["before"]() == "theirs"
    assert sys.modules.get("benchmarks.imports") is before and sys.modules["benchmarks.__main__"] is bench
    race.ours()
    assert seen == ["ours"]
    with pytest.raises(SystemExit):
        bench.options(["--against", str(tmp_path / "nowhere")])


def test_an_unknown_part_is_named():
    done = subprocess.run([sys.executable, "-m", "benchmarks", "grum"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "there is no part grum" in done.stderr


def test_what_it_costs_to_start_is_measured_in_a_new_python():
    imports = part("imports")
    assert 0 < imports.cost("import json", "time") < 60
    if Path(imports.STATUS).exists():
        assert imports.cost("x = bytearray(10**8)", "memory") > imports.cost("pass", "memory") + 80


def test_angles_between_spaces():
    from benchmarks.data import angle_between

    A = np.eye(4)[:, :2]
    assert angle_between(A, A[:, ::-1] * [2, -1]) < 1e-15
    assert abs(angle_between(A, np.eye(4)[:, [0, 2]]) - 1) < 1e-15
