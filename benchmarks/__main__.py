"""Run the benchmark: python3 course.py bench [parts] [--quick]."""

import argparse
import importlib
import os
import platform
import subprocess
import sys
import warnings
from contextlib import contextmanager, nullcontext
from pathlib import Path

from .report import HEAD, Progress, line, picture, summary
from .side_by_side import Goal, Machine, Measured, run

PARTS = "gram", "kernel_pca", "svm", "eigenmaps", "hsic", "preimage", "kmeans", "ridge", "scale", "imports"
LATEST = Path(__file__).resolve().parent / "latest"  # not in git: the numbers of one machine on one day


def options(args):
    parser = argparse.ArgumentParser("python3 course.py bench", description="kmlab side by side with its peers")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"what to run, of {', '.join(PARTS)}; all if left out")
    parser.add_argument("--quick", action="store_true", help="smaller sizes and fewer repeats, within two minutes")
    parser.add_argument(
        "--against",
        metavar="FOLDER",
        help="another checkout of the course, raced in place of the peers in this process",
    )
    parser.add_argument(
        "--busy", action="store_true", help="with BLAS's own number of threads, beside a program on every core"
    )
    parser.add_argument("--only", default="", help="only cases whose task or size contains this")
    chosen = parser.parse_args(args)
    if unknown := set(chosen.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: choose from {', '.join(PARTS)}.")
    if chosen.against and not (Path(chosen.against) / "benchmarks").is_dir():
        parser.error(f"{chosen.against} is no checkout of the course: there is no folder benchmarks/ in it.")
    return chosen


def collect(parts, quick):
    """All cases; a part whose peer is not installed says so and is left out."""
    for part in parts:
        try:
            yield from importlib.import_module(f"benchmarks.{part}").cases(quick)
        except ModuleNotFoundError as error:
            print(f"{part} is left out, because {error.name} is not installed: run it by `python3 course.py bench`.")


def against(folder, cases, parts, quick):
    """The cases that another checkout has too, its way of doing them as the only peer."""
    ours = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in ("kmlab", "benchmarks")}
    sys.path.insert(0, str(Path(folder).resolve()))
    try:
        before = {(case.task, case.size): case.start for case in collect(parts, quick)}
    finally:
        sys.path.pop(0)
        for name in [name for name in sys.modules if name.split(".")[0] in ("kmlab", "benchmarks")]:
            del sys.modules[name]
        sys.modules.update(ours)  # what was imported there goes on with its own modules

    def start(case):
        job, peer = case.start(), before[case.task, case.size]()
        if isinstance(job, Measured):
            return job._replace(theirs=peer.ours, peer="before", words="")
        return job._replace(peers={"before": peer.ours}, agree=lambda *_: ("", True))

    goal = Goal(mean=0.95, least=0.0)
    known = [case for case in cases if (case.task, case.size) in before]
    return [case._replace(goal=goal, start=lambda case=case: start(case)) for case in known]


@contextmanager
def company():
    """A program beside that keeps every core busy, while this one is at work."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def main(args):
    chosen = options(args)
    with company() if chosen.busy else nullcontext():
        return measure(chosen)


def measure(chosen):
    warnings.simplefilter("ignore")  # peers warn of what their versions do
    parts = chosen.parts or PARTS
    cases = [case for case in collect(parts, chosen.quick) if chosen.only in f"{case.task}, {case.size}"]
    cases = against(chosen.against, cases, parts, chosen.quick) if chosen.against else cases
    machine, progress, rows = Machine.measure(), Progress(max(len(cases), 1)), []
    threads = "its own threads, beside other work" if chosen.busy else "one thread"
    print(f"{platform.machine()}, Python {platform.python_version()}, {threads}: {machine}\n\n{HEAD}", flush=True)
    for case in cases:
        progress.at(case)
        rows.append(run(case, machine))
        progress.finished()
        print(line(rows[-1]), flush=True)
    if not rows:
        return f"There is no case that contains {chosen.only!r}."
    print("", *summary(rows), sep="\n")
    LATEST.mkdir(exist_ok=True)
    (LATEST / "table.txt").write_text("\n".join([str(machine), HEAD, *map(line, rows), "", *summary(rows)]) + "\n")
    picture(rows, machine, LATEST / "ratios.svg")
    print(f"\nTable and picture: {LATEST}")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
