"""How much memory a room takes, all processes and all that they share counted, and the limit on it.

Where a cgroup may be made the kernel keeps the limit. Elsewhere a thread looks ten times a second, and ends the room.
"""

import contextlib
import functools
import os
import re
import signal
import threading
import time
from pathlib import Path
from typing import NamedTuple

INODE = 1200  # bytes that the kernel keeps for a file in memory, however small
TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Process(NamedTuple):
    pid: int
    state: str  # R: computes, or would like to; S, T, Z: does not
    computed: float  # seconds, with those of its children that are gone


def processes(pid):
    """A process and all that it started."""
    found, waiting = [], [pid]
    while waiting and len(found) < 1000:
        pid = waiting.pop()
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
            state, computed = fields[0], sum(map(int, fields[11:15])) / TICK
            for thread in os.listdir(f"/proc/{pid}/task"):
                place = f"/proc/{pid}/task/{thread}"
                started = Path(f"{place}/children").read_text().split()
                waiting += map(int, started)
                if thread == str(pid) or state not in "RD":
                    state = Path(f"{place}/stat").read_text("latin-1").rpartition(")")[2].split()[0]
                    state = "S" if state == "D" and started else state  # vfork: it waits for a child, not for a disk
            found.append(Process(pid, state, computed))
    return found


def size(pid, places, limit):
    """Bytes of all processes in the room, those of these places in memory, and of mappings that they share."""
    total, shared, pids = 0, {}, [process.pid for process in processes(pid)]
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
            for line in Path(f"/proc/{pid}/maps").read_text("utf-8", "replace").splitlines():
                if line.endswith(("/dev/zero (deleted)", "/memfd: (deleted)")) or "/SYSV" in line:
                    ends, _, _, device, inode = line.split()[:5]
                    begin, end = (int(part, 16) for part in ends.split("-"))
                    shared[device, inode] = max(shared.get((device, inode), 0), end - begin)
    if total > limit:  # pages that several have were counted as often
        total = 0
        for pid in pids:
            with contextlib.suppress(OSError, ValueError):
                total += 1024 * int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1])
    for place in places:
        for pid in reversed(pids[1:]):  # the first is outside
            with contextlib.suppress(OSError):
                disk = os.statvfs(f"/proc/{pid}/root{place}")
                total += (disk.f_blocks - disk.f_bfree) * disk.f_frsize + (disk.f_files - disk.f_ffree) * INODE
                break
    return total + sum(shared.values())


class Guard:
    """A thread that ends a room which takes too much."""

    def __init__(self, pid, memory, places):
        self.is_full, self.over = False, threading.Event()
        self.thread = threading.Thread(target=self._watch, args=(pid, memory, places), daemon=True)
        self.thread.start()

    def _watch(self, pid, memory, places):
        while not self.over.wait(0.1):
            if size(pid, places, memory) > memory:
                self.is_full = True
                with contextlib.suppress(OSError):
                    os.killpg(pid, signal.SIGKILL)
                return

    def stop(self):
        self.over.set()
        self.thread.join()


class Group:
    """A cgroup of a room's own, of the first or the second version."""

    def __init__(self, place, memory):
        self.place = place
        second = (place / "memory.max").exists()
        limits = {"memory.max": memory, "memory.swap.max": 0} if second else {"memory.limit_in_bytes": memory}
        for name, most in (limits | ({} if second else {"memory.memsw.limit_in_bytes": memory})).items():
            if name in ("memory.max", "memory.limit_in_bytes") or (place / name).exists():
                (place / name).write_text(str(most))
        self.events = place / ("memory.events" if second else "memory.oom_control")

    @classmethod
    def make(cls, memory):
        """A new one, or None where none may be made."""
        for parent in parents():
            place = parent / f"kmlab-{os.getpid()}-{time.monotonic_ns()}"
            try:
                place.mkdir()
                return cls(place, memory)
            except OSError:
                with contextlib.suppress(OSError):
                    place.rmdir()
        return None

    @classmethod
    def possible(cls):
        for parent in parents():  # what a run that was killed has left
            for stale in parent.glob("kmlab-*"):
                with contextlib.suppress(OSError):
                    stale.rmdir()
        group = cls.make(2**30)
        if group:
            group.remove()
        return group is not None

    def join(self):
        """Called in the new process, before it becomes bubblewrap."""
        descriptor = os.open(self.place / "cgroup.procs", os.O_WRONLY)
        os.write(descriptor, b"0")
        os.close(descriptor)

    def is_full(self):
        with contextlib.suppress(OSError):
            return bool(re.search(r"^oom_kill [1-9]", self.events.read_text(), re.M))
        return False

    def remove(self):
        for _ in range(100):
            try:
                self.place.rmdir()
                return
            except OSError:  # the last of its processes are on their way
                time.sleep(0.01)


@functools.cache
def parents():
    """Where a cgroup with a limit on memory may be made."""
    found = []
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, own = line.split(":", 2)
            if "memory" in controllers.split(","):
                found.append(Path(f"/sys/fs/cgroup/memory{own}"))
            elif not controllers:
                own = Path(f"/sys/fs/cgroup{own}")
                for parent in list(own.parents)[: len(own.parts) - 4] or [own]:
                    with contextlib.suppress(OSError):
                        if "memory" in (parent / "cgroup.subtree_control").read_text().split():
                            found.append(parent)
    return [place for place in found if os.access(place, os.W_OK)]
