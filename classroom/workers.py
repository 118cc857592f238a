"""A process for each student, forked from one that has loaded everything and has never seen a student's byte.

Nothing that a submission does to the process which reads and judges it reaches another one: it has a memory, a time and
an end of its own. Forked, it starts in milliseconds instead of the second that numpy, SciPy and kmlab take to load.

`python -m classroom.workers` is the process that forks. A line of JSON on its standard input asks for a student, one
on its standard output says that the student is done.
"""

import contextlib
import ctypes
import itertools
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import course

MEMORY = 4 * 2**30  # bytes of a process that reads and judges; the sandbox has its own limit
LONGEST = 200e6  # bytes of a result
GONE = "the process that starts the others is gone"


class Failed(Exception):
    """A process ended without a result; the text says why."""


class Workers:
    """Starts the process that forks, and asks it; from several threads at once."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "classroom.workers"],
            cwd=course.ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=course.environment(PYTHONPATH=str(course.ROOT), **course.ONE_THREAD),
        )
        self.lock, self.numbers, self.waiting, self.gone = threading.Lock(), itertools.count(), {}, False
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            with contextlib.suppress(ValueError, KeyError):
                said = json.loads(line)
                done, told = self.waiting.pop(said["number"])
                told.append(said["why"])
                done.set()
        with self.lock:  # its end is heard before its ear is closed: nobody asks it any more
            self.gone, left = True, list(self.waiting.values())
        for done, told in left:
            told.append(GONE)
            done.set()

    def judge(self, task, seconds, slow=None, is_slow=None):
        """What judge.main makes of the task within so many seconds, or Failed; is_slow is called after some."""
        with tempfile.TemporaryDirectory() as folder:
            question, result = Path(folder) / "task.json", Path(folder) / "result.json"
            question.write_text(json.dumps(task), encoding="utf-8")
            done, told = threading.Event(), []
            with self.lock:
                if self.gone:
                    raise Failed(GONE)
                number = next(self.numbers)
                self.waiting[number] = done, told
                line = {"number": number, "task": str(question), "result": str(result), "seconds": seconds}
                try:
                    self.process.stdin.write(json.dumps(line).encode() + b"\n")
                    self.process.stdin.flush()
                except OSError:
                    raise Failed(GONE) from None
            if slow and not done.wait(slow):
                is_slow()
            done.wait()
            if told[0] is None and result.stat().st_size < LONGEST:
                found = course.read_json(result)
                if found:
                    return found
        raise Failed(told[0] or "it came to no result")

    def close(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


# ---- the process that forks


def serve():
    from . import judge  # all that takes long to load, once

    running, inbox = {}, b""
    while True:
        ready = select.select([0], [], [], 0.02 if running else 5)[0]
        if ready:
            part = os.read(0, 2**16)
            if not part:
                for pid in running:
                    os.kill(pid, signal.SIGKILL)
                return
            *lines, inbox = (inbox + part).split(b"\n")
            for line in lines:
                wanted = json.loads(line)
                mother, pid = os.getpid(), os.fork()
                if pid == 0:
                    work(judge, wanted, mother)
                running[pid] = wanted, time.monotonic() + wanted["seconds"]
        for pid, (wanted, until) in list(running.items()):
            gone, status = os.waitpid(pid, os.WNOHANG)
            late = time.monotonic() > until
            if not gone and late:
                os.kill(pid, signal.SIGKILL)  # its sandbox dies with it
                os.waitpid(pid, 0)
            if gone or late:
                del running[pid]
                why = "it did not come to an end" if not gone else reason(wanted, status)
                print(json.dumps({"number": wanted["number"], "why": why}), flush=True)


def reason(wanted, status):
    """None if all went well."""
    if status == 0:
        return None
    if os.WIFSIGNALED(status):
        return f"its process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    said = Path(wanted["result"] + ".error")
    return said.read_text("utf-8", "replace")[-300:] if said.exists() else "no reason given"


def work(judge, wanted, mother):
    """The forked process: one student, and the end."""
    code = 1
    try:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: when the grading is ended, so is this
        if os.getppid() != mother:  # it was ended just before
            return
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.setrecursionlimit(1000)
        result = judge.main(json.loads(Path(wanted["task"]).read_text("utf-8")))
        course.write(Path(wanted["result"]), json.dumps(result).encode())
        code = 0
    except BaseException as error:
        with contextlib.suppress(BaseException):
            sentence = f"{type(error).__name__}: {error}".encode("utf-8", "replace")
            Path(wanted["result"] + ".error").write_bytes(sentence)
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve()
