"""A closed room for a student's code: bubblewrap without network, with nothing in it but Python, kmlab and its work.

What the room shows is listed here, rather than what it hides: the system's programs and libraries, .venv, a copy of
kmlab without what is locked, and the files that were handed in. Nothing on disk can be written; the student's folder
is a small one in memory. The room has a memory, processes and a disk of its own size (memory.py), no capability, and a
filter between it and the kernel (seccomp.py).
"""

import contextlib
import functools
import os
import platform
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import course

from . import bounds, inmate, seccomp
from .memory import Group, Guard, processes

NO_SANDBOX = (
    "bubblewrap does not work here, and without it a submission can read your files, the hidden tests among "
    "them, and change them: on Debian or Ubuntu run `sudo apt install bubblewrap`, elsewhere grade on a "
    "Linux machine, or add --trust if you know everybody who handed in."
)
HOME = "/home/kmlab-student"  # a name that no user of the machine has: the course may live in a home
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
DISK = 2**27  # bytes that may be written in each of the places below
WRITABLE = ("/tmp", HOME, "/dev/shm")
WAITING = 6  # times the limit on computing, if the machine is busy with other things
STARTING = 60  # seconds until Python is there
POLL = 0.1
SAID = 2**17  # bytes of what a cell prints, at most
KINDS = {"value", "function", "module", "missing", "strange", "error"}  # of an answer to get and call


class Ended(Exception):
    """The student's process is gone, or had to go; the text says why."""


def room(submission, locked, kmlab):
    """A room to be graded in; kmlab: the copy that is shown, without what is locked."""
    import matplotlib  # for one folder's name; the command that starts the grading does without

    shown = {course.ROOT / "kmlab": kmlab, "/inmate.py": inmate.__file__, "/bounds.py": bounds.__file__}
    shown |= {"/submission": submission, "/fonts": matplotlib.get_cachedir()}
    return closed(shown, hidden=elsewhere(locked))


def closed(shown, home=None, hidden=()):
    """What bubblewrap is told. shown: place inside -> place outside, read-only, beside the system and Python.

    home: a folder outside that is the student's own to write in; without one it is in memory.
    """
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
    if os.getuid() == 0:  # to become nobody with no way back, which bounds.limit does first of all
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            inside += ["--cap-add", capability]
    else:
        inside += ["--unshare-user", *(["--disable-userns"] if "--disable-userns" in abilities() else [])]
    small = ["--size", DISK, "--perms", "1777"] if "--size" in abilities() else ["--perms", "1777"]
    inside += [*small, "--tmpfs", "/tmp"]  # before the rest: the course itself may live there, or in a home
    inside += ["--perms", "0755", "--dir", os.path.dirname(HOME)]
    inside += [*small, "--tmpfs", HOME] if home is None else ["--bind", home, HOME]
    for place in SYSTEM:
        inside += ["--ro-bind-try", place, place]
    for place, outside in ({sys.base_prefix: sys.base_prefix, sys.prefix: sys.prefix} | shown).items():
        if not Path(place).is_relative_to("/usr"):
            for parent in list(Path(place).parents)[-2::-1]:  # open to nobody, though /root itself may not be
                inside += ["--perms", "0755", "--dir", parent]
            inside += ["--ro-bind" if Path(outside).exists() else "--ro-bind-try", outside, place]
    for place in hidden:
        inside += ["--tmpfs", place, "--remount-ro", place] if place.is_dir() else ["--ro-bind", os.devnull, place]
    inside += ["--proc", "/proc", "--dev", "/dev", *small, "--tmpfs", "/dev/shm"]
    inside += ["--remount-ro", "/dev", "--remount-ro", "/"]
    inside += ["--chdir", HOME if home is None else "/"]  # a folder of another user is entered as that user, later
    return [str(part) for part in inside]


def without(locked, folder):
    """A copy of kmlab in the folder that has no form of a locked module: no source, no compiled file of it, no list."""
    hidden = ["kmlab.course.homework", *locked]

    def leave_out(place, names):
        place = Path(place)
        compiled = place.name == "__pycache__"
        package = ".".join((place.parent if compiled else place).relative_to(course.ROOT).parts)

        def goes_in(name):
            stem, _, kind = name.partition(".")
            if compiled:
                known = (place.parent / f"{stem}.py").exists()
            else:
                known = not kind.endswith(("pyc", "zip", "egg", "whl", "egg-info"))
            return known and f"{package}.{stem}" not in hidden

        return [name for name in names if not goes_in(name)]

    return shutil.copytree(course.ROOT / "kmlab", Path(folder) / "kmlab", ignore=leave_out)


def elsewhere(locked):
    """Where locked modules that are not ours lie: their folders and files, and what is compiled of them."""
    found = []
    for name in locked:
        for top in {Path(place) for place in sys.path if place and not course.ROOT.is_relative_to(place)}:
            place = top / name.replace(".", "/")
            if name.startswith("kmlab") or not place.parent.is_dir():
                continue
            found += [place] if place.is_dir() else []
            compiled = place.parent / "__pycache__"
            files = [*place.parent.glob(f"{place.name}.*"), *compiled.glob(f"{place.name}.*")]
            found += [path for path in files if path.suffix in (".py", ".pyc", ".so", ".zip", ".egg")]
    return found


def start(told, command, filtered=True, keep=(), families=seccomp.FAMILIES, **how):
    """Start bubblewrap; it is told through a pipe, because its command line can be read inside the room.

    keep: descriptors that the command finds open; families: of sockets, which may be made there.
    """
    program = seccomp.program(families=families) if filtered else None
    with contextlib.ExitStack() as stack:
        pipes = [os.pipe(), *([os.pipe()] if program else [])]
        for reading, _ in pipes:
            stack.callback(os.close, reading)
        contents = ["\0".join(told).encode() + b"\0", program]
        if program:
            contents[0] = b"--seccomp\0%d\0" % pipes[1][0] + contents[0]
        for (_, writing), content in zip(pipes, contents, strict=False):
            os.write(writing, content)  # less than a pipe holds
            os.close(writing)
        readers = [reading for reading, _ in pipes]
        return subprocess.Popen(["bwrap", "--args", str(readers[0]), *command], pass_fds=[*readers, *keep], **how)


@functools.cache
def abilities():
    return subprocess.run(["bwrap", "--help"], capture_output=True, text=True).stdout


def works():
    """Whether bubblewrap is there and this system lets it make such a room."""
    if shutil.which("bwrap") is None:
        return False
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory() as empty:
        return start(room(empty, [], empty), ["true"], **quiet).wait() == 0


def missing():
    """A sentence for each protection that this system does not have."""
    said = []
    if seccomp.program() is None:
        said.append(f"no filter between submissions and the kernel on {platform.machine()}")
    if "--size" not in abilities():
        said.append(
            "this bubblewrap (before 0.5) gives folders in memory no size: only the whole room's memory has one"
        )
    if not Group.possible():
        said.append("no cgroup may be made here: the memory of a submission is looked at ten times a second instead")
    if os.getuid() != 0 and kernel() < (5, 14):
        said.append("on Linux before 5.14 the number of a submission's processes has no limit of its own")
    return said


class Student:
    """A process in the room that runs cells and answers questions; ask() gives an answer or raises Ended."""

    def __init__(self, submission, locked, kmlab, trust=False, memory=2**31, uid=100_000):
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
        command = [str(part) for part in [*command, course.ROOT]]
        self.group = None if trust else Group.make(memory)
        how = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
            "env": variables,
            "start_new_session": True,
            "bufsize": 0,
        }
        if self.group:
            how["preexec_fn"] = self.group.join
        if trust:
            self.process = subprocess.Popen(command, cwd=submission, **how)
        else:
            self.process = start(room(submission, locked, kmlab), command, families=seccomp.FAMILIES[:1], **how)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.guard = None if self.group or trust else Guard(self.process.pid, memory, WRITABLE)
        self.memory, self.end, self.idle, self.looked = memory, float("inf"), 0.0, time.monotonic()
        self.start = self.known = 0.0

    def begin(self, budget):
        """Wait until Python is there; from now on all answers together may take so many seconds."""
        self.ask("ready", patience=STARTING)
        self.start = self.spent()
        self.end = self.start + budget

    def ask(self, command, *arguments, patience):
        """The answer to run, keep, get or call, if it comes within so many seconds of computing or sleeping.

        Not of waiting for the machine, or a grade would depend on what else it does.
        """
        self.looked = time.monotonic()
        until = min(self.spent() + patience, self.end), self.looked + WAITING * patience
        try:
            self._write(inmate.encode([command, list(arguments)]), until)
            tree, body = struct.unpack("<QQ", self._read(16, until))
            most = (inmate.LONGEST_TREE, inmate.LONGEST) if command in ("get", "call") else (SAID, 0)
            if tree > most[0] or body > most[1]:
                raise Ended("it answered with more than can be an answer")
            return fitting(command, inmate.decode(self._read(tree, until), self._read(body, until)))
        except (OSError, ValueError, MemoryError):
            raise Ended(
                self._why() or "the Python process was ended from inside, or says what no cell can say"
            ) from None

    def _write(self, content, until):
        content = memoryview(content)
        while content:
            if select.select([], [self.process.stdin], [], POLL)[1]:
                content = content[os.write(self.process.stdin.fileno(), content[: 2**16]) :]
            else:
                self._look(until)

    def _read(self, count, until):
        parts, pipe = [], self.process.stdout
        while count:
            if select.select([pipe], [], [], POLL)[0]:
                part = os.read(pipe.fileno(), min(count, 2**20))
                if not part:
                    raise Ended(self._why() or "the Python process was ended from inside (os._exit, or a crash)")
                parts.append(part)
                count -= len(part)
                if time.monotonic() - self.looked < POLL:
                    continue
            self._look(until)
        return b"".join(parts)

    def _look(self, until):
        """Whether it has had its time, or all its memory."""
        now, room = time.monotonic(), processes(self.process.pid)
        if not any(process.state in "RD" for process in room):
            self.idle += now - self.looked
        self.looked = now
        if why := self._why():
            raise Ended(why)
        if self.spent(room) > until[0] or now > until[1]:
            raise Ended("it ran longer than the time limit")

    def _why(self):
        if (self.group and self.group.is_full()) or (self.guard and self.guard.is_full):
            return f"it took more than {self.memory / 2**30:.1f} GB of memory"

    def spent(self, room=None):
        """Seconds that all processes in the room have computed, and those in which nobody there wanted to."""
        room = processes(self.process.pid) if room is None else room
        self.known = max(self.known, sum(process.computed for process in room))  # who is gone says nothing any more
        return self.known + self.idle

    def close(self):
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, 9)  # bubblewrap goes, and all that it started with it
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        self.process.wait()
        if self.guard:
            self.guard.stop()
        if self.group:
            self.group.remove()


def fitting(command, answer):
    """The answer, if it has the form that this command's answers have; ValueError otherwise."""
    if command in ("ready", "keep"):
        return None
    if not isinstance(answer, list) or len(answer) != 2:
        raise ValueError("no pair")
    first, second = answer
    if command == "run":
        right = isinstance(first, str) and isinstance(second, str | None)
    elif first == "function":
        right = isinstance(second, list) and len(second) < 1000 and all(isinstance(part, str) for part in second)
    else:
        right = isinstance(first, str) and first in KINDS
        right = right and (first in ("value", "missing") or isinstance(second, str))
    if not right:
        raise ValueError("no answer to this")
    return answer


def kernel():
    return tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])
