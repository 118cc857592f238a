"""What it costs a class of students to start: processor time and memory of a new Python that imports the package."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from .side_by_side import Case, Goal, Measured

STATUS = "/proc/self/status"
GOAL = Goal(mean=2, least=2)
PAIRS = [
    ("import kmlab", "import sklearn"),
    ("from kmlab.pca import KernelPCA", "from sklearn.decomposition import KernelPCA"),
]


def cases(quick):
    for ours, theirs in PAIRS:
        for what in ["time", *["memory"] * Path(STATUS).exists()]:  # Linux tells the peak there
            yield Case(
                f"start, {what}", ours, GOAL, lambda o=ours, t=theirs, w=what: compare(o, t, w, 3 if quick else 9)
            )


def compare(ours, theirs, what, rounds):
    numbers = np.array(
        [[cost(ours, what), cost(theirs, what)] for _ in range(rounds + 1)][1:]
    )  # the first reads the disk
    a, b = np.median(numbers, axis=0)
    return Measured(a, b, theirs.split()[1], "bare Python is part of both", unit="s" if what == "time" else "MB")


def cost(statement, what):
    """Seconds of processor time, or megabytes at the peak, that a new Python needs up to the end of the statement."""
    answer = f"open({STATUS!r}).read()" if what == "memory" else "__import__('time').process_time()"
    said = subprocess.run(
        [sys.executable, "-c", f"{statement}; print({answer})"], capture_output=True, text=True, check=True
    ).stdout
    return float(said) if what == "time" else int(said.split("VmHWM:")[1].split()[0]) / 1024
