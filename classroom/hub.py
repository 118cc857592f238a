"""JupyterHub for a class on one machine: `python3 course.py hub students.txt`.

students.txt holds a name a line. Everybody gets a password (my-class/passwords.csv) and a folder of their own with
copies of the notebooks (my-class/homes/NAME), and sees neither the other folders nor the instructor's.
"""

import argparse
import csv
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import course

CLASS = course.ROOT / "my-class"
PASSWORDS = CLASS / "passwords.csv"
PROXY = course.VENV / "hub/node_modules/.bin/configurable-http-proxy"
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")  # also a folder and a part of an address
NO_NODE = "The hub's proxy runs on Node.js: install it (nodejs.org, or `apt install nodejs npm`) and start again."
NO_SANDBOX = (
    "bubblewrap does not work here, and without it every student could read and change everybody's files: "
    "on Debian or Ubuntu run `sudo apt install bubblewrap`, or add --trust if that is what you want."
)


def main(args=None):
    parser = argparse.ArgumentParser(
        prog="python3 course.py hub", description=__doc__.splitlines()[0], allow_abbrev=False
    )
    parser.add_argument("students", nargs="?", help="a file with a student's name a line; needed the first time")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--here", action="store_true", help="answer this machine only, not the network")
    parser.add_argument("--trust", action="store_true", help="start without a sandbox around every student")
    parser.add_argument("--rehearse", type=int, metavar="N", help="let N simulated students run notebook 06 at once")
    options = parser.parse_args(args)
    if not options.trust and not can_shelter():
        sys.exit(NO_SANDBOX)
    get_proxy()
    if options.rehearse:
        from . import rehearsal

        return rehearsal.run(options.rehearse, options.trust)
    if options.students:
        try:
            enrol(Path(options.students).read_text(encoding="utf-8").split("\n"))
        except (OSError, UnicodeDecodeError) as error:
            sys.exit(f"{options.students} cannot be read ({error}): it should be a text file with a name a line.")
    names = passwords()
    if not names:
        sys.exit("There are no students yet: write their names into a file, a name a line, and give it to the command.")
    address = "127.0.0.1" if options.here else ""
    print(
        f"{len(names)} students, their passwords are in {PASSWORDS}. The class is at "
        f"http://{address or socket.gethostname()}:{options.port}; Ctrl-C ends it.",
        flush=True,
    )
    return start(CLASS, address, options.port, options.trust)


def start(folder, address, port, trust, api_token="", **how):
    """A hub that keeps its state in folder; how: as for subprocess."""
    (folder / "hub").mkdir(parents=True, exist_ok=True)
    environment = course.environment(
        KMLAB_CLASS=str(folder),
        KMLAB_HUB=f"{address}:{port}",
        KMLAB_TRUST="1" if trust else "",
        KMLAB_REHEARSAL=api_token,
        PYTHONPATH=str(course.ROOT),
    )
    command = [course.PYTHON, "-m", "jupyterhub", "-f", course.ROOT / "classroom/jupyterhub_config.py"]
    run = subprocess.Popen if how else subprocess.call
    return run([str(part) for part in command], cwd=folder / "hub", env=environment, **how)


def get_proxy():
    if PROXY.exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(NO_NODE)
    print("Getting the hub's proxy, configurable-http-proxy (some seconds).", flush=True)
    package = "configurable-http-proxy@5"
    if subprocess.call([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", PROXY.parents[2], package]):
        sys.exit("npm could not install configurable-http-proxy: check the internet connection and start again.")


def enrol(lines, file=None):
    """Give every new name a password; names that are there keep theirs."""
    file = file or PASSWORDS
    known = passwords(file)
    for number, line in enumerate(lines, 1):
        name = line.strip().lower()
        if name and not NAME.fullmatch(name):
            sys.exit(f"Line {number} holds {line.strip()!r}: a name has up to 32 letters, digits, dots and hyphens.")
        if name and name not in known:
            known[name] = secrets.token_urlsafe(6)
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(known.items())


def passwords(file=None):
    """name -> password."""
    file = file or PASSWORDS
    if not file.exists():
        return {}
    with file.open(newline="", encoding="utf-8") as rows:
        return dict(csv.reader(rows))


def can_shelter():
    """Whether bubblewrap is there and this system lets it work."""
    return (
        shutil.which("bwrap") is not None
        and os.spawnlp(os.P_WAIT, "bwrap", "bwrap", "--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true")
        == 0
    )


def shelter(command, own, hidden=()):
    """The command, in bubblewrap: `own` is its only writable folder, what lies in `hidden` looks empty to it."""
    home, needed = Path.home(), (course.ROOT, Path(sys.base_prefix))
    inside = ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", home]
    for folder in needed:  # a hidden home may hold the course and its Python
        if folder.is_relative_to(home) or folder.is_relative_to("/tmp"):
            inside += ["--ro-bind", folder, folder]
    for folder in hidden:
        inside += ["--tmpfs", folder]
    inside += ["--bind", own, own, "--chdir", own, "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
    return [str(part) for part in [*inside, "--new-session", *command]]


if __name__ == "__main__":
    sys.exit(main())
