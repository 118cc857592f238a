#!/usr/bin/env python3
"""The one door of the course: `python3 course.py` opens the lab, `python3 course.py --help` lists the rest.

Standard library only, and no syntax newer than Python 3.6, so that an old Python can still say that it is too old.
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
STAMP = VENV / "course.json"  # what .venv was made from
ORIGINALS = ROOT / "notebooks"
COPIES = ROOT / "my-notebooks"
FIRST = COPIES / "00_start_here.ipynb"
PROMPT = {"kernel_websocket_connection_class": "kmlab.server.PromptConnection"}  # a drag does not wait for answers
# would run submissions unguarded, and delay the first slide by two seconds
NBGRADER = ("formgrader", "validate_assignment", "assignment_list", "course_list")
LAB_EXTENSIONS = ROOT / "kmlab/show/labextensions"  # pictures that stay, a notebook as slides
HANDED_OUT = ".handed-out.json"  # among the copies: name -> digest of the original a copy was made from

UNFINISHED = {"unfinished": True}
HOW_LONG = {
    False: "The whole suite: about 7 to 16 minutes on two cores; `python3 course.py test --quick` takes 1 to 2.5.",
    True: "The quick part of the suite: 1 to 2.5 minutes on two cores; the last lines say what it leaves out.",
}
ONE_THREAD = {name: os.environ.get(name, "1") for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
LAB_CONFIG = VENV / "etc/kmlab"
LAB_SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"},
    # widget callbacks wait for the running cell, so that two threads never draw at once
    "@jupyterlab/apputils-extension:kernels-settings": {"commsOverSubshells": "disabled"},
}

NO_VENV = (
    "This Python cannot make virtual environments: on Debian or Ubuntu run `sudo apt install python3-venv`, "
    "elsewhere install Python from python.org, and start again."
)
NO_NETWORK = (
    "The package index could not be reached: check the internet connection (and the proxy, if there is one) "
    "and start again."
)
DISK_FULL = "The disk is full: free about 1 GB for the course and for temporary files, and start again."
NETWORK_TROUBLE = r"connection (broken|interrupted)|HTTPS?Connection|urllib3|could not fetch url|versions: none"


def say(text):
    print(text, flush=True)


# ---- the virtual environment


def set_up(*extras):
    """Make .venv hold what requirements.txt and the extras ask for; do nothing when it already does."""
    source, state = fingerprint(), read_json(STAMP)
    if state == UNFINISHED or not venv_works():
        make_venv()
        state = {}
    if state.get("source") == source:
        if set(extras) <= set(state["extras"]):
            return
        if asks_help(sys.argv):  # a question installs nothing
            say("Its options are listed once its packages are installed: without --help it does that.")
            sys.exit()
        extras = {*extras, *state["extras"]}
    write(STAMP, UNFINISHED)
    failure = pip_install(sorted(extras))
    if failure == NO_NETWORK:
        write(STAMP, state)  # pip downloads everything before it changes anything
    if failure:
        sys.exit(failure)
    write(STAMP, {"source": source, "extras": sorted(extras)})


def fingerprint():
    """Changes when .venv has to: with the requirements, the Python, and the place (`-e .` stores it)."""
    files = [(ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml")]
    return digest(b"\n".join([*files, repr(sys.version_info[:2]).encode(), os.fsencode(ROOT)]))


def venv_works():
    """Asked of .venv's Python itself: its base may be gone, or be of another version than the one running now."""
    question = [PYTHON, "-c", "import sys, pip; print(sys.version_info[:2])"]
    try:
        answer = subprocess.run(question, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return answer.stdout.decode().strip() == str(sys.version_info[:2])


def make_venv():
    try:
        import ensurepip  # noqa: F401  Debian has venv without it
        import venv
    except ImportError:
        sys.exit(NO_VENV)
    say(f"Making a virtual environment in {VENV} (some seconds).")
    if VENV.exists():
        shutil.rmtree(VENV)
    write(STAMP, UNFINISHED)
    try:
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt", prompt="kmlab").create(VENV)
    except subprocess.CalledProcessError as error:
        sys.exit(reason((error.output or b"").decode(errors="replace")))


def pip_install(extras):
    """None, or the sentence to stop with. pip shows its progress on stdout; what it says on stderr is for `reason`."""
    say("Installing the course's packages: about 600 MB, one to five minutes the first time.")
    command = [PYTHON, "-m", "pip", "install", "-r", "requirements.txt"]
    command += ["-e", ".[" + ",".join(extras) + "]"] if extras else []
    lines = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as pip:
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
    """Why an installation failed, in one sentence; where that is unknown, after the installer's own last lines."""
    last = "\n".join(output.strip().splitlines()[-30:])
    if disk_is_full(output):
        return DISK_FULL
    if re.search(NETWORK_TROUBLE, last, re.IGNORECASE):
        return NO_NETWORK
    return last + "\nThe packages could not be installed: mend what pip reports above and start again."


def disk_is_full(output):
    if any(f"[Errno {code}]" in output for code in (errno.ENOSPC, errno.EDQUOT)) or "[WinError 112]" in output:
        return True
    try:  # looked up as well, because pip takes a full temporary folder for a broken connection
        return min(shutil.disk_usage(place).free for place in (ROOT, tempfile.gettempdir())) < 100e6
    except OSError:  # no temporary folder takes a single byte
        return True


# ---- the student's copies


def hand_out(copies=COPIES):
    """Bring the copies up to date with notebooks/ and never touch an edited one.

    Returns the names of the edited copies whose original has changed since it was handed out.
    """
    register = copies / HANDED_OUT
    handed, newer = read_json(register), []
    for original in sorted(ORIGINALS.rglob("*")):
        path = original.relative_to(ORIGINALS)
        if not original.is_file() or any(part.startswith((".", "__")) for part in path.parts):
            continue
        name, copy, content = path.as_posix(), copies / path, original.read_bytes()
        now, found = digest(content), digest(copy.read_bytes()) if copy.exists() else None
        if found in (None, now, handed.get(name)):
            if found != now:
                write(copy, content)
            handed[name] = now
        elif handed.get(name) != now:
            newer.append(name)
            handed.setdefault(name, now)  # where it came from is lost: mention it once, not at every start
    write(register, handed)
    return newer


# ---- small tools


def digest(content):
    return hashlib.sha256(content).hexdigest()


def read_json(path):
    """A dict; empty when the file is missing or damaged."""
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
    os.replace(part, path)


@contextlib.contextmanager
def alone():
    """Two starts at once must not rebuild .venv under each other; the lock ends with the process."""
    with open(ROOT / ".venv.lock", "w") as file:
        busy = taken(file)
        if busy:
            say("Another course.py is at work in this folder: waiting until it has finished.")
        while busy:
            time.sleep(0.5)
            busy = taken(file)
        yield


def taken(file):
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:  # any other error: a file system without locks, go on
        return error.errno in (errno.EAGAIN, errno.EACCES)
    return False


def environment(**more):
    """This environment with .venv activated, without what would lead its Python or its pip elsewhere."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    variables.update(
        VIRTUAL_ENV=str(VENV),
        PATH=os.pathsep.join([str(PYTHON.parent), os.environ.get("PATH", "")]),
        PIP_USER="0",
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        **more,
    )
    return variables


def run(*command, **variables):
    """End as .venv's Python; on Unix it takes this process's place, so that signals reach it directly."""
    command = [str(PYTHON), "-m", *command]
    os.chdir(ROOT)
    if os.name != "nt":
        os.execve(PYTHON, command, environment(**variables))
    process = subprocess.Popen(command, env=environment(**variables))
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # it gets the same Ctrl-C and ends in its own way
            return process.wait()


def is_path(text):
    return not text.startswith("-") and os.path.exists(text.split("::")[0])


# ---- the commands


def lab(args, slides=None):
    with alone():
        set_up()
        newer = hand_out()
        config = server_config(find_notebook(slides) if slides else FIRST, slides)
        write(LAB_CONFIG / "labconfig/default_setting_overrides.json", LAB_SETTINGS)
        off = without_nbgrader("@jupyter/nbgrader:{}")
        write(LAB_CONFIG / "labconfig/page_config.json", {"disabledExtensions": off})
        write(LAB_CONFIG / "jupyter_server_config.json", config)
    if newer:
        say(
            "These copies hold your work and stay as they are, though there is a newer original: "
            + ", ".join(newer)
            + "; to get it, rename or delete your copy and start again."
        )
    say(f"Starting JupyterLab on your copies in {COPIES}; Ctrl-C here, twice, ends it.")
    paths = [str(LAB_CONFIG), os.environ.get("JUPYTER_CONFIG_PATH")]
    return run("jupyterlab", *args, JUPYTER_CONFIG_PATH=os.pathsep.join(filter(None, paths)))


def server_config(notebook, slides=None):
    """A file, because the user's arguments override a file, while two arguments for one setting are an error."""
    root = ROOT if ROOT in notebook.parents else notebook.parent
    # a workspace of its own, or JupyterLab opens the notebooks that were presented before as well
    workspace = "/workspaces/slides-" + re.sub(r"[^A-Za-z0-9_-]", "-", notebook.stem) if slides else ""
    opens = workspace + "/tree/" + notebook.relative_to(root).as_posix() if notebook.exists() else ""
    off = {name: False for name in without_nbgrader("nbgrader.server_extensions.{}")}
    server = {"ip": "127.0.0.1", "root_dir": str(root), "allow_root": True}  # root: as in a container
    return {
        "ServerApp": dict(server, jpserver_extensions=off, **PROMPT),
        "FileContentsManager": {"preferred_dir": str(COPIES if root == ROOT else root)},
        "LabApp": {"default_url": "/lab" + opens, "extra_labextensions_path": [str(LAB_EXTENSIONS)]},
        "JupyterNotebookApp": {"extra_labextensions_path": [str(LAB_EXTENSIONS)]},  # Notebook 7, one click from there
    }


def without_nbgrader(name):
    """What a teacher has of nbgrader in the lab is the sidebar; formgrader is opened by `grade --by-hand`."""
    if not (VENV / "etc/jupyter/jupyter_server_config.d/nbgrader.json").exists():
        return {}
    return {name.format(part.replace("_", "-") if "@" in name else part): True for part in NBGRADER}


def slides(args):
    joined = re.sub(r"(^|\0)lecture\0(\d+)(?=\0|$)", r"\1lecture_\2", "\0".join(args)).split("\0") if args else []
    names = [arg for arg in joined if not arg.startswith("-")]
    options = [arg for arg in joined if arg not in names]
    if "--static" in options:
        found = [str(find_notebook(name, ORIGINALS)) for name in names]
        return module("publish.slides", "site")([arg for arg in options if arg != "--static"] + found)
    return lab(options + names[1:], slides=(names or ["00"])[0])


def lite(args):
    if "--check" in args:
        return module("tests.check_lite", "test")([arg for arg in args if arg != "--check"])
    return module("publish.lite", "lite")(args)


def find_notebook(name, folder=COPIES):
    """By path, or by number, by the beginning of its name or as a lecture in folder; an original means its copy."""
    path = Path(name).resolve()
    if path.is_file():
        return folder / path.relative_to(ORIGINALS) if ORIGINALS in path.parents else path
    lecture = re.fullmatch(r"lecture_?(\d*)", name)
    if lecture:
        found, known = folder / f"lectures/lecture_{lecture[1].zfill(3)}.ipynb", sorted(folder.glob("lectures/*.ipynb"))
        if not lecture[1] or found not in known:
            numbers = ", ".join(guide.stem.removeprefix("lecture_") for guide in known)
            sys.exit(
                f"There is no lecture {lecture[1]!r}, only {numbers}: give one of them, as in "
                "`python3 course.py slides lecture 004`."
            )
        return found
    start = name.zfill(2) + "_" if name.isdigit() else name
    found = [notebook for notebook in sorted(folder.glob("*.ipynb")) if notebook.name.startswith(start)]
    if len(found) != 1:
        sys.exit(f"{name!r} is no notebook: give its number or its path, as in `python3 course.py slides 06`.")
    return found[0]


def test(args):
    with alone():
        set_up("test")
    options = ["-p", "tests.sharing", "--nbval", "--nbval-current-env"]
    sanitizer = ROOT / "tests/nbval.cfg"
    options += ["--nbval-sanitize-with", str(sanitizer)] if sanitizer.exists() else []
    # -k, -m and -n take words that may also be a folder's name
    paths = [arg for before, arg in zip(["", *args], args) if is_path(arg) and before not in ("-k", "-m", "-n")]
    args = [os.path.abspath(arg) if arg in paths else arg for arg in args]
    if not paths:
        quick = "--quick" in args
        # a worker a core, and one for when another waits for a browser or a sandbox; a later -n overrides it
        options += ["-n", str((os.cpu_count() or 1) + (not quick))]
        args += ["tests", *([] if quick else sorted(map(str, ORIGINALS.glob("*.ipynb"))))]
        if not any(arg.startswith(("-k", "-m", "--lf", "--last-failed", "--co")) for arg in args):
            say(HOW_LONG[quick])
    # tests are compiled once for all workers, whatever the shell says
    return run("pytest", *options, *args, PYTHONDONTWRITEBYTECODE="", **ONE_THREAD)


def module(name, *extras):
    def command(args):
        with alone():
            set_up(*extras)
        return run(name, *(os.path.abspath(arg) if is_path(arg) else arg for arg in args), **ONE_THREAD)

    return command


COMMANDS = {
    "": (lab, "open JupyterLab on your copies of the notebooks; further arguments go to JupyterLab"),
    "test": (test, "run every test, the notebooks included; --quick: the fast ones; further arguments go to pytest"),
    "slides": (
        slides,
        "show a notebook (06, or its path) or a lecture (lecture 004) as slides; --static: write slides to hand out",
    ),
    "figures": (module("publish.figures"), "write every figure of the course into figures/"),
    "execute": (
        module("publish.execute"),
        "for authors: run the notebooks (all, or those given) and store their output",
    ),
    "mutate": (module("tests.mutate", "test"), "for authors: break every equation in turn and see that a test notices"),
    "bench": (
        module("benchmarks", "bench"),
        "for the curious: time every algorithm beside its peers; --quick takes two minutes",
    ),
    "site": (
        module("publish.site", "site"),
        "write the course as web pages into site/, for readers without Python; --live: pages that answer",
    ),
    "lite": (lite, "write JupyterLab with the course in it into lite/, for browsers without Python; --serve shows it"),
    "handouts": (
        module("publish.handouts", "site"),
        "print the notebooks (all, or those given) as PDF, and all as an EPUB, into handouts/; needs Chromium",
    ),
    "hub": (module("classroom.hub", "hub"), "for instructors: serve a class on this machine, its names in a file"),
    "homework": (
        module("classroom.release", "grade"),
        "for instructors: make the students' homework from its sources in classroom/assignments/",
    ),
    "grade": (
        module("classroom.grade", "grade"),
        "for instructors: grade a folder of submissions; grades and feedback go to my-grades/",
    ),
    "bundle": (module("classroom.bundle"), "for instructors: the course for students in one file, without solutions"),
}
if not (ROOT / "classroom").is_dir():  # a student's copy, made by `bundle`
    COMMANDS = {name: command for name, command in COMMANDS.items() if not command[1].startswith("for instructors")}


def usage():
    return (
        "\n".join(f"python3 course.py {name:<9} {purpose}" for name, (_, purpose) in COMMANDS.items())
        + """

The first start makes .venv and installs what the course needs; later ones only look whether it is up to date.
Your copies are in my-notebooks/. An update brings new notebooks and refreshes the copies that you have not changed;
what you have changed (running a cell counts) stays. For a fresh copy, rename or delete yours and start again."""
    )


def asks_help(args):
    return bool({"-h", "--help"} & set(args))


def explain(name, args):
    """What a command is for; its options it knows itself, as far as it can be asked without an installation."""
    if not name:
        return say(usage())
    say("python3 course.py " + name + ": " + COMMANDS[name][1])
    if read_json(STAMP).get("source") != fingerprint():
        return say("Its options are listed once the course is installed: `python3 course.py` does that.")
    return COMMANDS[name][0](args)


def main(args):
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(
            "The course needs Python {}.{} or newer and this is Python {}.{}: install a newer one (python.org has "
            "it) and start again with it.".format(*OLDEST_PYTHON, *sys.version_info)
        )
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a path may hold letters that the terminal does not have
    is_question = asks_help(args)
    name = args.pop(0) if args and not args[0].startswith("-") else ""
    if name not in COMMANDS:
        sys.exit(f"There is no command {name!r}: `python3 course.py --help` lists them.")
    try:
        if is_question:
            return explain(name, args)
        return COMMANDS[name][0](args)
    except KeyboardInterrupt:
        sys.exit("\nStopped: start again whenever you like.")
    except BrokenPipeError:  # `... | head` has read enough; nor may Python's own last flush complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except PermissionError as error:
        sys.exit(
            f"{error.filename or ROOT} cannot be written: close programs that use it, or move the course to a "
            "folder of your own, and start again."
        )
    except OSError as error:
        sys.exit(DISK_FULL if disk_is_full(str(error)) else f"{error}: mend this and start again.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
