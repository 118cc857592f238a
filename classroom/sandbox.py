"""A closed room for a student's code: bubblewrap without network, with nothing in it but Python, kmlab and its work.

What the room shows is listed here, rather than what it hides: the system's programs and libraries, .venv, kmlab, and
the files that were handed in. Nothing on disk can be written; the student's folder is a small one in memory.
"""

import contextlib
import os
import platform
import re
import select
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import psutil

import course

from . import inmate

NO_SANDBOX = (
    "bubblewrap does not work here, and without it a submission can read your files, the hidden tests among "
    "them, and change them: on Debian or Ubuntu run `sudo apt install bubblewrap`, elsewhere grade on a "
    "Linux machine, or add --trust if you know everybody who handed in."
)
HOME = "/home/student"
LARGEST = 30e6  # bytes of a notebook that is let in, and of all that lies beside it
SYSTEM = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/fonts",
    "/etc/ssl/certs",
]
DISK = 2**28  # bytes that may be written
WAITING = 6  # times the limit on computing


class Ended(Exception):
    """The student's process is gone, or had to go; the text says why."""


def room(submission, locked):
    """What bubblewrap is told."""
    import matplotlib  # for one folder's name; the command that starts the grading does without

    inside = [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
    ]
    if os.getuid() == 0:  # to become nobody, which inmate.limit does first of all
        inside += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        inside += ["--unshare-user"]
    small = ["--size", DISK, "--perms", "1777"] if has_size() else ["--perms", "1777"]
    for place in ("/tmp", HOME):  # before the rest: the course itself may live there
        inside += [*small, "--tmpfs", place]
    for place in SYSTEM:
        inside += ["--ro-bind-try", place, place]
    for place in dict.fromkeys([sys.base_prefix, sys.prefix, course.ROOT / "kmlab"]):
        if not Path(place).is_relative_to("/usr"):
            for parent in list(Path(place).parents)[-2::-1]:  # open to nobody, though /root itself may not be
                inside += ["--perms", "0755", "--dir", parent]
            inside += ["--ro-bind", place, place]
    for name in ["kmlab.course.homework", *locked]:
        place = course.ROOT / name.replace(".", "/")
        if place.is_dir():  # a package
            inside += ["--tmpfs", place, "--remount-ro", place]
        elif place.with_suffix(".py").exists():
            inside += ["--ro-bind", os.devnull, place.with_suffix(".py")]
    inside += [
        "--ro-bind",
        inmate.__file__,
        "/inmate.py",
        "--ro-bind",
        submission,
        "/submission",
        "--ro-bind-try",
        matplotlib.get_cachedir(),
        "/fonts",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *small,
        "--tmpfs",
        "/dev/shm",
        "--remount-ro",
        "/",
        "--chdir",
        HOME,
    ]
    return [str(part) for part in inside]


def start(told, command, **how):
    """Start bubblewrap; it is told through a pipe, because its command line can be read inside the room."""
    reading, writing = os.pipe()
    try:
        os.write(writing, "\0".join(told).encode() + b"\0")
        os.close(writing)
        return subprocess.Popen(["bwrap", "--args", str(reading), *command], pass_fds=[reading], **how)
    finally:
        os.close(reading)


def has_size():
    return "--size" in subprocess.run(["bwrap", "--help"], capture_output=True, text=True).stdout


def works(folder):
    """Whether bubblewrap is there and this system lets it make such a room."""
    if shutil.which("bwrap") is None:
        return False
    return start(room(folder, []), ["true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait() == 0


class Student:
    """A process in the room that runs cells and answers questions; ask() gives an answer or raises Ended."""

    def __init__(self, submission, locked, trust=False, memory=2**31, until=float("inf"), uid=100_000):
        command = [sys.executable, "-I", "/inmate.py" if not trust else inmate.__file__, ",".join(locked), memory]
        variables = {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "HOME": HOME,
            "TMPDIR": "/tmp",
            "IPYTHONDIR": "/tmp/ipython",
            "MPLCONFIGDIR": "/tmp/matplotlib",
            "MPLBACKEND": "Agg",
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
        } | course.ONE_THREAD
        if trust:
            variables = os.environ | course.ONE_THREAD | {"MPLBACKEND": "Agg"}
        elif os.getuid() == 0 or kernel() >= (5, 14):  # from there on every room counts its own processes
            variables["KMLAB_UID"] = str(uid)
        command = [str(part) for part in command]
        how = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
            "env": variables,
            "start_new_session": True,
        }
        if trust:
            self.process = subprocess.Popen(command, cwd=submission, **how)
        else:
            self.process = start(room(submission, locked), command, **how)
        self.memory, self.until = memory, until

    def ask(self, command, *arguments, patience):
        """The answer to run, get or call, if it comes within so many seconds of computing.

        Not of waiting, or a grade would depend on what else the machine does; who sleeps meets a limit, too.
        """
        until = self._computed() + patience, min(time.monotonic() + WAITING * patience, self.until)
        try:
            self.process.stdin.write(inmate.encode([command, list(arguments)]))
            self.process.stdin.flush()
            sizes = struct.unpack("<QQ", self._read(16, until))
            if sum(sizes) > inmate.LONGEST:
                raise Ended("it answered with more than a quarter of a gigabyte")
            return inmate.decode(self._read(sizes[0], until), self._read(sizes[1], until))
        except (OSError, ValueError, KeyError, TypeError, RecursionError, MemoryError):
            raise Ended("the Python process was ended from inside") from None

    def _read(self, count, until):
        parts, pipe = [], self.process.stdout
        while count:
            ready, _, _ = select.select([pipe], [], [], 0.2)
            if ready:
                part = os.read(pipe.fileno(), min(count, 2**20))
                if not part:
                    raise Ended("the Python process was ended from inside (os._exit, or a crash)")
                parts.append(part)
                count -= len(part)
            elif self._computed() > until[0] or time.monotonic() > until[1]:
                raise Ended("it ran longer than the time limit")
            elif self._size() > self.memory:
                raise Ended(f"it took more than {self.memory / 2**30:.1f} GB of memory")
        return b"".join(parts)

    def _computed(self):
        """Seconds that all processes in the room have computed."""
        return self._sum(lambda process: sum(process.cpu_times()[:2]))

    def _size(self):
        """Bytes of all processes in the room, what they share counted once."""
        return self._sum(lambda process: getattr(process.memory_full_info(), "pss", 0))

    def _sum(self, measure):
        total = 0
        with contextlib.suppress(psutil.Error):
            room = psutil.Process(self.process.pid)
            for process in [room, *room.children(recursive=True)]:
                with contextlib.suppress(psutil.Error):
                    total += measure(process)
        return total

    def close(self):
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, 9)  # bubblewrap goes, and all that it started with it
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        self.process.wait()


def kernel():
    return tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])
