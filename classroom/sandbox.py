"""A command that sees the machine read-only, one folder of its own, and nothing of the people around it (Linux)."""
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def available():
    """Whether bubblewrap is there and this system lets it work."""
    return shutil.which("bwrap") is not None and os.spawnlp(
        os.P_WAIT, "bwrap", "bwrap", "--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true") == 0


def wrap(command, own, hidden=(), network=True):
    """The command, in bubblewrap: `own` is its only writable folder, what lies in `hidden` looks empty to it."""
    home, needed = Path.home(), (ROOT, Path(sys.base_prefix))
    inside = ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", home]
    for folder in needed:                                   # a hidden home may hold the course and its Python
        if folder.is_relative_to(home) or folder.is_relative_to("/tmp"):
            inside += ["--ro-bind", folder, folder]
    for folder in hidden:
        inside += ["--tmpfs", folder]
    inside += ["--bind", own, own, "--chdir", own, "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
    return [str(part) for part in [*inside, "--new-session", *([] if network else ["--unshare-net"]), *command]]
