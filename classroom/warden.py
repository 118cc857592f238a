"""Looks after all rooms of a hub at once: their memory, where no cgroup does that, and what they write on the disk.

One pass over /proc for a whole class; a room is looked at closely only when its processes have grown.
"""

import contextlib
import os
import signal
import stat
import threading
import time
from pathlib import Path

from .memory import PAGE, size

MOMENT = 0.25  # seconds between two looks at the memory
FILES = 100_000  # that a student may have
OFTEN, SELDOM = 1, 60  # seconds between two looks at the disk as a whole, and at every folder


class Warden:
    def __init__(self, memory, disk, places, say):
        self.memory, self.disk, self.places, self.say = memory, disk, places, say
        self.rooms, self.lock = {}, threading.Lock()  # pid of bubblewrap -> name, home, whether a cgroup counts
        self.known = {}  # pid of bubblewrap -> what its processes had mapped, and what it was found to take
        self.free, self.walked = None, 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def enter(self, pid, name, home, counted):
        with self.lock:
            self.rooms[pid] = name, home, counted

    def leave(self, pid):
        with self.lock:
            self.rooms.pop(pid, None)
            self.known.pop(pid, None)

    def _watch(self):
        looked = 0.0
        while True:
            time.sleep(MOMENT)
            with self.lock:
                rooms = dict(self.rooms)
            try:
                uncounted = [pid for pid, (_, _, counted) in rooms.items() if not counted]
                if uncounted:
                    self.look_at_memory(uncounted, rooms)
                if rooms and time.monotonic() - looked > OFTEN:
                    looked = time.monotonic()
                    self.look_at_disk(rooms)
            except Exception as error:  # a process that went away while it was looked at, most likely
                self.say(f"The warden stumbled over {type(error).__name__}: {error}")

    # ---- memory

    def look_at_memory(self, pids, rooms):
        table, children = processes()
        for pid in pids:
            inside = below(pid, children)
            mapped, resident = sum(table[p].mapped for p in inside), sum(table[p].resident for p in inside)
            before, found = self.known.get(pid, (None, 0))
            if mapped != before or resident > self.memory / 2:
                found = size(pid, self.places, self.memory)
                self.known[pid] = mapped, found
            if found > self.memory:
                self.end_one(pid, inside, table, rooms[pid][0])

    def end_one(self, pid, inside, table, name):
        """The largest goes: a kernel, most often, and the notebook says so. The server itself only if it is the one."""
        largest = max(inside, key=lambda p: table[p].resident, default=pid)
        first = [p for p in inside if table[p].parent == pid]  # bubblewrap's second half
        if largest in first or table[largest].parent in first or largest == pid:
            self.end(pid, name, f"more than {self.memory / 2**30:.1f} GB of memory")
            return
        self.say(f"{name}: process {largest} ended, the room took more than {self.memory / 2**30:.1f} GB of memory.")
        with contextlib.suppress(OSError):
            os.kill(largest, signal.SIGKILL)
        self.known.pop(pid, None)

    def end(self, pid, name, why):
        self.say(f"{name}: the server was stopped, {why}.")
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)

    # ---- disk

    def look_at_disk(self, rooms):
        """Every folder once a minute; at once when the disk has lost more than a tenth of what a student may have."""
        homes = next(iter(rooms.values()))[1].parent
        disk = os.statvfs(homes)
        free, now = (disk.f_bavail * disk.f_frsize, disk.f_favail), time.monotonic()
        shrunk = self.free and (self.free[0] - free[0] > self.disk / 10 or self.free[1] - free[1] > FILES / 10)
        if self.free and not shrunk and now - self.walked < SELDOM:
            return
        self.free, self.walked = free, now
        for pid, (name, home, _) in rooms.items():
            taken, files = used(home)
            taken += forgotten(pid)
            if taken > self.disk or files > FILES:
                self.end(pid, name, f"the folder holds {taken / 2**30:.2f} GB in {files} files")
        if disk.f_bavail < 0.02 * disk.f_blocks and shrunk:  # kept where nobody finds it: who wrote most has to go
            written = {pid: written_by(pid) for pid in rooms}
            worst = max(written, key=written.get)
            if written[worst] > self.disk:
                self.end(worst, rooms[worst][0], "the disk is almost full and this room wrote most")


def used(home):
    """Bytes and files of a folder; links are not followed, what is deep is walked as well."""
    taken = files = 0
    waiting = [os.fspath(home)]
    while waiting and files <= 2 * FILES:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                files += 1
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    taken += status.st_blocks * 512
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append(entry.path)
    return taken, files


def forgotten(pid):
    """Bytes of files that were deleted while a process of the room still has them open."""
    found = {}
    for member in members(pid):
        with contextlib.suppress(OSError):
            for link in os.scandir(f"/proc/{member}/fd"):
                with contextlib.suppress(OSError):
                    status = os.stat(link.path)
                    if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                        found[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(found.values())


def written_by(pid):
    total = 0
    for member in members(pid):
        with contextlib.suppress(OSError, ValueError):
            lines = Path(f"/proc/{member}/io").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("write_bytes:"))
    return total


class Found:
    __slots__ = "parent", "mapped", "resident"

    def __init__(self, fields):
        self.parent, self.mapped, self.resident = int(fields[1]), int(fields[20]), int(fields[21]) * PAGE


def processes():
    """pid -> Found, and pid -> those that it started, of the whole machine."""
    table, children = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                table[int(name)] = found = Found(file.read().rpartition(b")")[2].split())
                children.setdefault(found.parent, []).append(int(name))
    return table, children


def below(root, children):
    """The processes that one started, and those that they started; itself not, which is outside."""
    found, waiting = [], [root]
    while waiting:
        more = children.get(waiting.pop(), [])
        found += more
        waiting += more
    return found


def members(root):
    return below(root, processes()[1])
