"""Two ways of doing the same, timed in turn in one process, so that a busy machine slows both.

A case is cheap to name and starts when its turn comes: it then makes its data and gives a Race (functions to time and
a judge of their results) or, where a number comes from elsewhere, a Measured.
"""

import gc
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import BUSY

CLOCK = time.perf_counter if BUSY else time.process_time  # of processor time other programs take less
FAR_BEHIND = 3.0  # a peer's way that takes so many times the time of its fastest in the first round is not asked again
LEAST = 0.02  # seconds that a sample is repeated for


class Goal(NamedTuple):
    """Peer's time over ours: in the geometric mean, and in every case."""

    mean: float = 1.0
    least: float = 1.0


class Work(NamedTuple):
    """What nobody can leave out: so many multiplications and additions, exponentials, bytes of new memory."""

    flops: float = 0.0
    exps: float = 0.0
    bytes: float = 0.0


class Case(NamedTuple):
    task: str
    size: str
    goal: Goal
    start: Callable  # () -> Race or Measured


class Race(NamedTuple):
    ours: Callable
    peers: dict  # name -> their way; the fastest with a right result counts
    agree: Callable  # (our result, theirs) -> (in words, whether they agree)
    work: Work = Work()
    rounds: int = 5


class Measured(NamedTuple):
    ours: float
    theirs: float
    peer: str
    words: str
    agrees: bool = True
    unit: str = "s"


class Row(NamedTuple):
    task: str
    size: str
    peer: str
    theirs: float
    ours: float
    goal: Goal
    words: str
    agrees: bool
    limit: str = ""  # how many times the limit of this machine we take, and which limit that is
    unit: str = "s"

    @property
    def ratio(self):
        return self.theirs / self.ours


class Machine(NamedTuple):
    """What this machine does in a second with one thread, measured in the same run."""

    flops: float
    exps: float
    bytes: float

    @classmethod
    def measure(cls):
        A, x, out = np.ones((1000, 1000)), np.linspace(-3, 0, 4096), np.empty(4096)
        return cls(
            2e9 / seconds(lambda: A @ A),
            len(x) / seconds(lambda: np.exp(x, out=out)),
            2e8 / seconds(lambda: new_pages(2e8)),
        )

    def limit(self, work, taken):
        """In words: our time over the time that the largest part of the work alone needs."""
        parts = {"BLAS": work.flops / self.flops, "exp": work.exps / self.exps, "memory": work.bytes / self.bytes}
        name = max(parts, key=parts.get)
        return f"{taken / parts[name]:.1f} x {name}" if parts[name] else ""

    def __str__(self):
        rates = self.flops / 1e9, self.exps / 1e6, self.bytes / 1e9
        return "{:.0f} GFLOP/s by BLAS, {:.0f} million exp/s, {:.1f} GB/s of new memory".format(*rates)


def new_pages(size):
    np.empty(int(size) // 8)[:: 4096 // 8] = 0  # a page is given when it is first written to


def seconds(way, rounds=5, clock=CLOCK):
    return float(np.median([sample(way, clock)[0] for _ in range(rounds)]))


def sample(way, clock=CLOCK):
    """Seconds of one call, a short one repeated until LEAST seconds are full, and its last result."""
    calls, start = 0, clock()
    while calls == 0 or clock() - start < LEAST:
        result = way()
        calls += 1
    return (clock() - start) / calls, result


def race(job, rounds):
    """The median seconds of ours, and of the fastest peer with a right result: (ours, theirs, its name, words, agrees).

    The first lap warms up, and its times count only where it is the only one.
    """
    gc.collect()
    ours, result = sample(job.ours)
    first = {name: sample(way) for name, way in job.peers.items()}
    judged = {name: job.agree(result, theirs) for name, (_, theirs) in first.items()}
    right = [name for name in first if judged[name][1]] or list(first)
    best = min(first[name][0] for name in right)
    ways = {name: job.peers[name] for name in right if first[name][0] <= FAR_BEHIND * best}
    taken = {name: [first[name][0]] for name in ways} | {"": [ours]}
    del first, result
    for _ in range(rounds if rounds > 1 else 0):
        for name, way in ({"": job.ours} | ways).items():
            taken[name].append(sample(way)[0])
    middle = {name: float(np.median(times[1:] or times)) for name, times in taken.items()}
    fastest = min(ways, key=middle.get)
    return middle[""], middle[fastest], fastest, *judged[fastest]


def run(case, machine, rounds=None):
    """The case as a row of the table."""
    job = case.start()
    if isinstance(job, Measured):
        return Row(
            case.task, case.size, job.peer, job.theirs, job.ours, case.goal, job.words, job.agrees, unit=job.unit
        )
    ours, theirs, peer, words, agrees = race(job, rounds or job.rounds)
    return Row(case.task, case.size, peer, theirs, ours, case.goal, words, agrees, machine.limit(job.work, ours))


def geometric_mean(ratios):
    return float(np.exp(np.mean(np.log(ratios))))
