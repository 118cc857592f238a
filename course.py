#!/usr/bin/env python3
"""The one door of the course: `python3 course.py` opens the lab, `python3 course.py --help` lists the rest.

Standard library only, and no syntax newer than Python 3.6, so that an old Python can still say what it lacks.
"""
import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "course.json"                # what .venv was made from
ORIGINALS = ROOT / "notebooks"
COPIES = ROOT / "my-notebooks"
HANDED_OUT = COPIES / ".handed-out.json"    # name -> digest of the original that the student's copy was made from
LAB_CONFIG = VENV / "etc/kmlab"

UNFINISHED = {"unfinished": True}
ONE_THREAD = {name: os.environ.get(name, "1") for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
LAB_SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"},
    # widget callbacks wait for the running cell, so that only one thread at a time draws
    "@jupyterlab/apputils-extension:kernels-settings": {"commsOverSubshells": "disabled"},
}

TOO_OLD = "The course needs Python {}.{} or newer and this is Python {}.{}: install a newer one (python.org has it) " \
          "and start again with it."
NO_VENV = "This Python cannot make virtual environments: on Debian or Ubuntu run `sudo apt install python3-venv`, " \
          "elsewhere install Python from python.org, and start again."
NO_NETWORK = "The package index could not be reached: check the internet connection (and the proxy, if there is one) " \
             "and start again."
DISK_FULL = "The disk is full: free about 1 GB where the course and the temporary files are and start again."
NO_ACCESS = "{} cannot be written: close programs that use it, or move the course to a folder of your own, " \
            "and start again."
NETWORK_TROUBLE = r"connection (broken|interrupted)|HTTPS?Connection|urllib3|could not fetch url|incomplete-download"


def say(text):
    print(text, flush=True)


# The virtual environment

def set_up(*extras):
    """Make .venv hold what requirements.txt and the extras ask for; do nothing when it already does."""
    source, state = fingerprint(), read_json(STAMP)
    if state == UNFINISHED or not venv_works():
        make_venv()
        state = {}
    if state.get("source") == source:
        if set(extras) <= set(state["extras"]):
            return
        extras = set(extras) | set(state["extras"])
    write(STAMP, UNFINISHED)
    failure = pip_install(sorted(extras))
    if failure:
        if failure == NO_NETWORK:
            write(STAMP, state)             # pip downloads everything before it changes anything
        sys.exit(failure)
    write(STAMP, {"source": source, "extras": sorted(extras)})


def fingerprint():
    """Changes when .venv has to: with the requirements, the Python, and the place (`-e .` stores it)."""
    parts = [(ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml")]
    return digest(b"\n".join([*parts, repr(sys.version_info[:2]).encode(), os.fsencode(ROOT)]))


def venv_works():
    """Asked of .venv's Python itself: its base may be gone, or be another version than the one running now."""
    try:
        asked = [str(PYTHON), "-c", "import sys, pip; print(*sys.version_info[:2])"]
        answer = subprocess.run(asked, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return answer.stdout.split() == [b"%d" % part for part in sys.version_info[:2]]


def make_venv():
    try:
        import ensurepip  # noqa: F401  Debian ships venv without it
        import venv
    except ImportError:
        sys.exit(NO_VENV)
    say("Making a virtual environment in {} (some seconds).".format(VENV))
    if VENV.exists():
        shutil.rmtree(str(VENV))
    write(STAMP, UNFINISHED)
    try:
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt", prompt="kmlab").create(str(VENV))
    except subprocess.CalledProcessError as error:
        sys.exit(reason((error.output or b"").decode(errors="replace")))
    write(STAMP, {})


def pip_install(extras):
    """The sentence to stop with, or None; pip's progress is on stdout, its troubles on stderr are kept for `reason`."""
    say("Installing the course's packages: about 600 MB, one to five minutes the first time.")
    command = [str(PYTHON), "-m", "pip", "install", "-r", "requirements.txt"]
    command += ["-e", ".[{}]".format(",".join(extras))] if extras else []
    lines = []
    with subprocess.Popen(command, cwd=str(ROOT), env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace") as pip:
        try:
            for line in pip.stderr:
                lines.append(line)
                if "Retrying (" in line:
                    say("  The package index does not answer, trying again ...")
        except KeyboardInterrupt:
            pip.terminate()
            raise
    return reason("".join(lines)) if pip.returncode else None


def reason(output):
    """One sentence for what made an installation fail; where there is none, the installer's own last words."""
    if disk_is_full(output):
        return DISK_FULL
    last = output.strip().splitlines()[-30:]
    if re.search(NETWORK_TROUBLE, "\n".join(last), re.IGNORECASE):
        return NO_NETWORK
    return "\n".join(last + ["The packages could not be installed: what pip said is above; mend it and start again."])


def disk_is_full(output):
    if any("[Errno {}]".format(code) in output for code in (errno.ENOSPC, errno.EDQUOT)) or "[WinError 112]" in output:
        return True
    try:    # pip reports a full temporary folder as a broken connection
        return min(shutil.disk_usage(str(place)).free for place in (ROOT, tempfile.gettempdir())) < 100e6
    except OSError:                         # no temporary folder takes a single byte
        return True


# The student's copies

def hand_out():
    """Bring my-notebooks/ up to date with notebooks/ and never touch an edited copy.

    Returns the names of edited copies whose original has changed since it was handed out.
    """
    handed, newer = read_json(HANDED_OUT), []
    for original in sorted(ORIGINALS.rglob("*")):
        path = original.relative_to(ORIGINALS)
        if not original.is_file() or any(part.startswith((".", "__")) for part in path.parts):
            continue
        name, copy, content = path.as_posix(), COPIES / path, original.read_bytes()
        found = digest(copy.read_bytes()) if copy.exists() else None
        if found in (None, digest(content), handed.get(name)):
            if found != digest(content):
                write(copy, content)
            handed[name] = digest(content)
        elif handed.get(name) != digest(content):
            newer.append(name)
            handed.setdefault(name, digest(content))    # origin unknown: mention it once, not at every start
    write(HANDED_OUT, handed)
    return newer


# Small tools

def digest(content):
    return hashlib.sha256(content).hexdigest()


def read_json(path):
    """A dict, empty when the file is missing or is not what `write` wrote."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(path, content):
    """All or nothing: an interruption leaves the old file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name("." + path.name + ".part")
    part.write_bytes(content if isinstance(content, bytes) else json.dumps(content, indent=1).encode())
    os.replace(str(part), str(path))


@contextlib.contextmanager
def alone():
    """Two starts at once must not rebuild .venv under each other; the lock ends with the process."""
    with open(str(ROOT / ".venv.lock"), "w") as file:
        waiting = False
        while taken(file):
            if not waiting:
                say("Another course.py is at work in this folder: waiting until it has finished.")
            waiting = True
            time.sleep(0.5)
        yield


def taken(file):
    try:
        if os.name == "nt":
            import msvcrt
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:                # other errors: a file system without locks, go on
        return error.errno in (errno.EAGAIN, errno.EACCES)
    return False


def environment(**more):
    """This environment with .venv activated and without what would lead its Python or its pip elsewhere."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    variables.update(VIRTUAL_ENV=str(VENV), PATH=os.pathsep.join([str(PYTHON.parent), os.environ.get("PATH", "")]),
                     PIP_USER="0", PIP_NO_INPUT="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    return dict(variables, **more)


def run(*command, **variables):
    """Hand over to .venv's Python for good; on Unix it takes this process's place, so signals reach it directly."""
    command = [str(PYTHON), "-m", *map(str, command)]
    os.chdir(str(ROOT))
    if os.name != "nt":
        os.execve(command[0], command, environment(**variables))
    process = subprocess.Popen(command, env=environment(**variables))
    while True:
        with contextlib.suppress(KeyboardInterrupt):    # the same Ctrl-C ends the process, which is worth waiting for
            return process.wait()


def is_path(text):
    return not text.startswith("-") and os.path.exists(text.split("::")[0])


# The commands

def lab(args):
    with alone():
        set_up()
        newer = hand_out()
        write(VENV / "share/jupyter/lab/settings/overrides.d/kmlab.json", LAB_SETTINGS)
        write(LAB_CONFIG / "jupyter_server_config.json", server_config())
    if newer:
        say("Edited by you and left as they are, though their originals have changed: {}. To get a new original, "
            "rename or delete your copy and start again.".format(", ".join(newer)))
    say("JupyterLab opens in the browser, on your copies in {}; Ctrl-C here, twice, ends it.".format(COPIES))
    paths = [str(LAB_CONFIG), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return run("jupyterlab", *args, JUPYTER_CONFIG_PATH=os.pathsep.join(filter(None, paths)))


def server_config():
    """In a file, because an argument of the user overrides a file and collides with another argument."""
    first = COPIES.name + "/00_start_here.ipynb"
    return {
        "ServerApp": {"ip": "127.0.0.1", "root_dir": str(ROOT), "allow_root": True},    # root: a container's only user
        "FileContentsManager": {"preferred_dir": str(COPIES)},
        "LabApp": {"default_url": "/lab/tree/" + first if (ROOT / first).exists() else "/lab"},
    }


def test(args):
    with alone():
        set_up("test")
    options = ["--nbval", "--nbval-current-env"]
    if (ROOT / "tests/nbval.cfg").exists():
        options += ["--nbval-sanitize-with", ROOT / "tests/nbval.cfg"]
    # -k and -m take words that may also be a folder's name
    paths = [arg for before, arg in zip([""] + args, args) if is_path(arg) and before not in ("-k", "-m")]
    args = [os.path.abspath(arg) if arg in paths else arg for arg in args]
    if not paths:
        args += ["tests", *sorted(str(path) for path in ORIGINALS.glob("*.ipynb"))]
    return run("pytest", *options, *args, **ONE_THREAD)


def module(name):
    def command(args):
        with alone():
            set_up()
        return run(name, *(os.path.abspath(arg) if is_path(arg) else arg for arg in args), **ONE_THREAD)
    return command


COMMANDS = {
    "": (lab, "open JupyterLab on your copies of the notebooks; further arguments go to JupyterLab"),
    "test": (test, "run every test, the notebooks included; further arguments go to pytest"),
    "figures": (module("kmlab.show.figures"), "write every figure of the course into figures/"),
    "execute": (module("kmlab.show.notebook"), "run the notebooks again and store their output (for authors)"),
}


def usage():
    lines = ["python3 course.py {:<9} {}".format(name, purpose) for name, (_, purpose) in COMMANDS.items()]
    return "\n".join(lines) + """

The first start makes .venv and installs what the course needs; later ones only look whether it is up to date.
Your copies are in my-notebooks/. An update brings new notebooks and refreshes the copies that you have not changed;
what you have changed (running a cell counts) stays. For a fresh copy, rename or delete yours and start again."""


def main(args):
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(TOO_OLD.format(*(OLDEST_PYTHON + sys.version_info[:2])))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")    # a path may hold letters that the terminal does not
    if args and args[0] in ("-h", "--help"):
        return say(usage())
    name = args.pop(0) if args and not args[0].startswith("-") else ""
    if name not in COMMANDS:
        sys.exit("There is no command {!r}: `python3 course.py --help` lists them.".format(name))
    try:
        return COMMANDS[name][0](args)
    except KeyboardInterrupt:
        sys.exit("\nStopped: the next start picks up from here.")
    except PermissionError as error:
        sys.exit(NO_ACCESS.format(error.filename or ROOT))
    except OSError as error:
        sys.exit(DISK_FULL if disk_is_full(str(error)) else "{}: mend this and start again.".format(error))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
