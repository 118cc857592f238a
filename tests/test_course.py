"""course.py: the virtual environment, the student's copies, the commands, and the sentence for each failure.

Nothing here needs a network or kmlab: a checkout of its own gets a .venv whose pip, pytest and kmlab are stand-ins that
note how they were called. JupyterLab is the real one.
"""

import ast
import errno
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
import tomllib
import urllib.error
import urllib.request
import venv
from collections import namedtuple
from pathlib import Path

import pytest

from kmlab import __version__

PROJECT = Path(__file__).resolve().parent.parent
posix_only = pytest.mark.skipif(os.name == "nt", reason="uses a shell, signals or symbolic links")

PIP = """
import os, pathlib, sys, time
with open("pip-calls.txt", "a") as file:
    print(*sys.argv[1:], file=file)
trouble = pathlib.Path("pip-trouble.txt")
if trouble.exists():
    sys.exit(trouble.read_text(encoding="utf-8"))
if "pip-sleeps" in os.listdir():
    pathlib.Path("pip-sleeps/part").write_text(str(os.getpid()))
    os.replace("pip-sleeps/part", "pip-sleeps/pid")
    time.sleep(60)
"""
ECHO = """
import json, os, sys
keep = "JUPYTER_CONFIG_PATH OPENBLAS_NUM_THREADS PIP_USER PYTHONPATH PYTHONDONTWRITEBYTECODE VIRTUAL_ENV PATH".split()
environment = {name: os.environ.get(name) for name in keep}
print("CALLED", json.dumps([NAME, sys.argv[1:], os.getcwd(), environment]))
sys.exit(3)
"""


class Checkout:
    """A folder with course.py and two notebooks, and course.py loaded from there."""

    def __init__(self, folder):
        self.folder, self.originals, self.copies = folder, folder / "notebooks", folder / "my-notebooks"
        (folder / "tests").mkdir(parents=True)
        shutil.copy(PROJECT / "course.py", folder)
        self.write("requirements.txt", "numpy >=2, <3\n-e .\n")
        self.write("pyproject.toml", "[project]\n")
        self.write("notebooks/00_start_here.ipynb", "start")
        self.write("notebooks/homework/one.ipynb", "homework")
        spec = importlib.util.spec_from_file_location("course_of_test", folder / "course.py")
        self.course = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.course)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    @property
    def state(self):
        return json.loads(self.read(".venv/course.json"))

    @property
    def pip_calls(self):
        path = self.folder / "pip-calls.txt"
        return path.read_text().splitlines() if path.exists() else []

    def make_venv(self, *modules):
        """A .venv with stand-ins instead of packages."""
        venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(self.folder / ".venv")
        packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(self.folder / ".venv")}))
        for name in ("pip", *modules):
            for parent in range(1, name.count(".") + 2):
                package = packages.joinpath(*name.split(".")[:parent])
                package.mkdir(parents=True, exist_ok=True)
                (package / "__init__.py").touch()
            source = PIP if name == "pip" else ECHO.replace("NAME", repr(name))
            (package / "__main__.py").write_text(source)
        return packages

    def run(self, *args, cwd=None, **environment):
        command = [sys.executable, str(self.folder / "course.py"), *args]
        return subprocess.run(
            command,
            cwd=cwd or self.folder,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )

    def called(self, *args, **how):
        """Which module course.py handed over to, with what arguments, where, and in what environment."""
        done = self.run(*args, **how)
        assert done.returncode == 3, done.stderr
        return json.loads(re.search(r"^CALLED (.*)", done.stdout, re.MULTILINE)[1])


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path / "Kurs Übung α")


@pytest.fixture
def builds(checkout, monkeypatch):
    """Counts how often .venv is made; made of stand-ins, because the real pip takes seconds to come."""
    made = []

    class Builder:
        def __init__(self, **options):
            assert options["with_pip"]

        def create(self, folder):
            made.append(folder)
            checkout.make_venv()

    real = venv.EnvBuilder
    stand_ins = checkout.make_venv

    def with_the_real_builder(*modules):
        with monkeypatch.context() as context:
            context.setattr(venv, "EnvBuilder", real)
            return stand_ins(*modules)

    monkeypatch.setattr(checkout, "make_venv", with_the_real_builder)
    monkeypatch.setattr(venv, "EnvBuilder", Builder)
    return made


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def until(condition, seconds=30):
    for _ in range(10 * seconds):
        if condition():
            return
        time.sleep(0.1)
    raise TimeoutError(f"waited {seconds} seconds in vain")


# ---- what is installed


def test_the_first_set_up_installs_and_the_second_does_nothing(checkout, builds):
    checkout.course.set_up()
    checkout.course.set_up()
    assert len(builds) == 1
    assert checkout.pip_calls == ["install -r requirements.txt"]


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_changed_requirements_are_noticed_and_keep_the_environment(checkout, builds, name):
    checkout.course.set_up()
    checkout.write(name, checkout.read(name) + "# changed\n")
    checkout.course.set_up()
    checkout.course.set_up()
    assert (len(builds), len(checkout.pip_calls)) == (1, 2)


def test_an_extra_is_added_once_and_stays(checkout, builds):
    for extras in [(), ("test",), (), ("test",), ("bench",)]:
        checkout.course.set_up(*extras)
    assert checkout.pip_calls == [
        "install -r requirements.txt",
        "install -r requirements.txt -e .[test]",
        "install -r requirements.txt -e .[bench,test]",
    ]
    assert len(builds) == 1


def test_a_moved_checkout_is_installed_again(checkout, builds, tmp_path):
    checkout.course.set_up()
    before = checkout.course.fingerprint()
    checkout.course.ROOT = shutil.copytree(checkout.folder, tmp_path / "elsewhere")
    assert checkout.course.fingerprint() != before


def test_another_python_is_noticed(checkout, builds, monkeypatch):
    checkout.course.set_up()
    before = checkout.course.fingerprint()
    monkeypatch.setattr(checkout.course.sys, "version_info", (3, 99, 0))
    assert checkout.course.fingerprint() != before
    assert not checkout.course.venv_works()


def test_an_interrupted_installation_is_begun_anew(checkout, builds, monkeypatch):
    with monkeypatch.context() as context:

        def interrupt(text):
            if text.startswith("Installing"):
                raise KeyboardInterrupt

        context.setattr(checkout.course, "say", interrupt)
        with pytest.raises(KeyboardInterrupt):
            checkout.course.set_up()
    checkout.write(".venv/half-a-package.py", "")
    checkout.course.set_up()
    assert len(builds) == 2
    assert not (checkout.folder / ".venv/half-a-package.py").exists()


@posix_only
def test_ctrl_c_ends_pip_too_and_shows_no_traceback(checkout):
    checkout.make_venv()
    checkout.write("pip-sleeps/README", "")
    command = [sys.executable, str(checkout.folder / "course.py"), "test"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8") as course:
        until(lambda: (checkout.folder / "pip-sleeps/pid").exists())
        course.send_signal(signal.SIGINT)
        assert course.communicate()[1].strip() == "Stopped: start again whenever you like."
    assert course.returncode == 1
    assert checkout.state == checkout.course.UNFINISHED
    until(lambda: not alive(int(checkout.read("pip-sleeps/pid"))))


@posix_only
def test_ctrl_c_is_tried_in_the_background_too():
    """As after `nohup python3 course.py test &`, where a shell has Ctrl-C ignored."""
    background = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "ctrl_c_ends_pip", __file__]
    done = subprocess.run([sys.executable, "-c", background, *pytest_], capture_output=True, encoding="utf-8")
    assert "1 passed" in done.stdout, done.stdout


def test_an_environment_interrupted_while_it_was_made_is_made_again(checkout, builds, monkeypatch):
    def interrupt(self, folder):
        checkout.make_venv()
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(venv.EnvBuilder, "create", interrupt)
        with pytest.raises(KeyboardInterrupt):
            checkout.course.set_up()
    checkout.course.set_up()
    assert len(builds) == 1 and "source" in checkout.state


def test_an_environment_without_pip_is_made_again(checkout, builds):
    shutil.rmtree(checkout.make_venv() / "pip")
    checkout.course.set_up()
    assert len(builds) == 1


@posix_only
def test_an_environment_whose_python_is_gone_is_made_again(checkout, builds):
    checkout.course.set_up()
    checkout.course.PYTHON.unlink()
    checkout.course.PYTHON.symlink_to("/nowhere/python3")
    checkout.course.set_up()
    assert (len(builds), len(checkout.pip_calls)) == (2, 2)


def test_an_environment_made_by_hand_is_used_and_kept(checkout, builds):
    checkout.make_venv("treasure")
    checkout.course.set_up()
    assert builds == [] and len(checkout.pip_calls) == 1


def test_a_damaged_stamp_means_install_again(checkout, builds):
    checkout.course.set_up()
    for damage in ("{", "[]", "\0"):
        checkout.write(".venv/course.json", damage)
        checkout.course.set_up()
    assert (len(builds), len(checkout.pip_calls)) == (1, 4)


# ---- what can fail

PIP_SAID = {
    "no route": (
        "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection "
        "broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object>: Failed to establish a "
        "new connection: [Errno -2] Name or service not known')': /simple/numpy/\nERROR: No matching distribution",
        "NO_NETWORK",
    ),
    "no retries": (
        "ERROR: Could not find a version that satisfies the requirement numpy (from versions: none)\n"
        "ERROR: No matching distribution found for numpy",
        "NO_NETWORK",
    ),
    "broken off": (
        "  WARNING: Connection interrupted while downloading.\nerror: incomplete-download\n\n"
        "× Download failed after 6 attempts because not enough bytes were received",
        "NO_NETWORK",
    ),
    "slow": (
        "pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='example.org', port=443): "
        "Read timed out.",
        "NO_NETWORK",
    ),
    "disk": ("ERROR: Could not install packages due to an OSError: [Errno 28] Kein Speicherplatz mehr", "DISK_FULL"),
    "quota": (f"ERROR: Could not install packages due to an OSError: [Errno {errno.EDQUOT}] Quota", "DISK_FULL"),
    "windows disk": ("OSError: [WinError 112] There is not enough space on the disk", "DISK_FULL"),
}


@pytest.mark.parametrize("case", PIP_SAID)
def test_a_known_failure_of_pip_is_one_sentence(checkout, builds, case):
    said, sentence = PIP_SAID[case]
    checkout.write("pip-trouble.txt", said)
    with pytest.raises(SystemExit) as stop:
        checkout.course.set_up()
    assert stop.value.code == getattr(checkout.course, sentence)


def test_an_unknown_failure_shows_the_last_lines_of_pip(checkout, builds):
    lines = [f"line {number}" for number in range(100)]
    retried = "WARNING: Retrying (Retry(total=4)) after connection broken by 'ReadTimeoutError'"
    checkout.write("pip-trouble.txt", "\n".join([retried, *lines, "ERROR: a novelty"]))
    with pytest.raises(SystemExit, match="could not be installed: mend what pip reports above and start again") as stop:
        checkout.course.set_up()
    assert "line 99\nERROR: a novelty\nThe packages" in stop.value.code
    assert "line 50" not in stop.value.code and "Retrying" not in stop.value.code


def test_without_a_network_the_old_environment_survives(checkout, builds):
    checkout.course.set_up()
    before = checkout.state
    checkout.write("requirements.txt", "numpy >=3, <4\n")
    checkout.write("pip-trouble.txt", PIP_SAID["no route"][0])
    with pytest.raises(SystemExit):
        checkout.course.set_up()
    assert checkout.state == before
    (checkout.folder / "pip-trouble.txt").unlink()
    checkout.course.set_up()
    assert len(builds) == 1 and checkout.state != before


def test_a_full_disk_leaves_no_half_environment_behind(checkout, builds):
    checkout.write("pip-trouble.txt", PIP_SAID["disk"][0])
    for _ in range(2):
        with pytest.raises(SystemExit):
            checkout.course.set_up()
    assert len(builds) == 2


def test_a_full_temporary_folder_is_found_where_pip_blames_the_network(checkout, monkeypatch):
    def disk_usage(place):
        return namedtuple("usage", "free")(1e12 if place == checkout.folder else 30e6)

    monkeypatch.setattr(checkout.course.shutil, "disk_usage", disk_usage)
    assert checkout.course.reason(PIP_SAID["broken off"][0]) == checkout.course.DISK_FULL


def test_a_temporary_folder_that_takes_no_byte_is_a_full_disk(checkout, monkeypatch):
    def gettempdir():
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(checkout.course.tempfile, "gettempdir", gettempdir)
    assert checkout.course.reason("anything") == checkout.course.DISK_FULL


def test_ensurepip_on_a_full_disk_is_one_sentence(checkout, monkeypatch):
    class Builder:
        def __init__(self, **options):
            pass

        def create(self, folder):
            raise subprocess.CalledProcessError(1, "ensurepip", b"OSError: [Errno 28] No space left on device")

    monkeypatch.setattr(venv, "EnvBuilder", Builder)
    with pytest.raises(SystemExit) as stop:
        checkout.course.set_up()
    assert stop.value.code == checkout.course.DISK_FULL


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_says_what_to_install(checkout, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit, match="sudo apt install python3-venv"):
        checkout.course.main(["test"])
    assert not (checkout.folder / ".venv").exists()


def test_an_old_python_says_so(checkout, monkeypatch):
    monkeypatch.setattr(checkout.course.sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer and this is Python 3\.9: install"):
        checkout.course.main([])


@pytest.mark.parametrize(
    "trouble, sentence",
    [
        (OSError(28, "No space left on device"), "The disk is full: free about 1 GB"),
        (
            PermissionError(13, "Permission denied", "/course/.venv"),
            r"/course/\.venv cannot be written: close .* or move",
        ),
        (OSError(5, "Input/output error"), "Input/output error: mend this and start again"),
        (KeyboardInterrupt(), "Stopped"),
    ],
)
def test_trouble_anywhere_ends_in_a_sentence(checkout, monkeypatch, trouble, sentence):
    def command(args):
        raise trouble

    monkeypatch.setitem(checkout.course.COMMANDS, "test", (command, ""))
    with pytest.raises(SystemExit, match=sentence):
        checkout.course.main(["test"])


def test_the_real_venv_and_the_real_pip_without_a_network(checkout):
    checkout.write("requirements.txt", "no-such-package >=1, <2\n")
    offline = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "1",
        "PIP_FIND_LINKS": "",
        "PIP_EXTRA_INDEX_URL": "",
    }
    done = checkout.run(**offline)
    assert (done.returncode, done.stderr.strip()) == (1, checkout.course.NO_NETWORK)
    assert "trying again" in done.stdout
    assert checkout.state == {}
    checkout.write("requirements.txt", "# nothing\n")
    checkout.course.set_up()
    assert "source" in checkout.state


# ---- the student's copies


def test_the_first_start_copies_everything_with_subfolders(checkout):
    checkout.write("notebooks/.ipynb_checkpoints/00_start_here-checkpoint.ipynb", "old")
    assert checkout.course.hand_out() == []
    copied = sorted(path for path in checkout.copies.rglob("*") if path.is_file())
    assert [path.name for path in copied] == [".handed-out.json", "00_start_here.ipynb", "one.ipynb"]
    assert checkout.read("my-notebooks/homework/one.ipynb") == "homework"


def test_nothing_is_lost_over_several_updates(checkout):
    names = ("edited", "untouched", "deleted", "renamed", "removed", "kept")
    for name in names:
        checkout.write(f"notebooks/{name}.ipynb", f"{name} v1")
    checkout.course.hand_out()

    checkout.write("my-notebooks/edited.ipynb", "edited v1 with my work")
    checkout.write("my-notebooks/removed.ipynb", "removed v1 with my work")
    checkout.write("my-notebooks/my own.ipynb", "mine")
    checkout.write("my-notebooks/arrives later.ipynb", "mine too")
    (checkout.copies / "deleted.ipynb").unlink()
    assert checkout.course.hand_out() == []  # no original has changed
    assert checkout.read("my-notebooks/edited.ipynb") == "edited v1 with my work"
    assert checkout.read("my-notebooks/deleted.ipynb") == "deleted v1"

    for name in names[:3]:
        checkout.write(f"notebooks/{name}.ipynb", f"{name} v2")
    (checkout.originals / "renamed.ipynb").rename(checkout.originals / "new name.ipynb")
    (checkout.originals / "removed.ipynb").unlink()
    checkout.write("notebooks/arrives later.ipynb", "original")
    assert checkout.course.hand_out() == ["arrives later.ipynb", "edited.ipynb"]
    found = {path.stem: path.read_text() for path in checkout.copies.glob("*.ipynb")}
    del found["00_start_here"]
    assert found == {
        "edited": "edited v1 with my work",
        "untouched": "untouched v2",
        "deleted": "deleted v2",
        "renamed": "renamed v1",
        "new name": "renamed v1",
        "removed": "removed v1 with my work",
        "kept": "kept v1",
        "my own": "mine",
        "arrives later": "mine too",
    }

    checkout.write("notebooks/untouched.ipynb", "untouched v3")
    assert checkout.course.hand_out() == ["edited.ipynb"]
    assert checkout.read("my-notebooks/untouched.ipynb") == "untouched v3"

    (checkout.copies / "edited.ipynb").rename(checkout.copies / "edited by me.ipynb")
    assert checkout.course.hand_out() == []
    assert checkout.read("my-notebooks/edited.ipynb") == "edited v2"
    assert checkout.read("my-notebooks/edited by me.ipynb") == "edited v1 with my work"


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"00_start_here.ipynb": 3}', None])
def test_a_damaged_list_of_copies_costs_no_work(checkout, damage):
    checkout.course.hand_out()
    checkout.write("my-notebooks/00_start_here.ipynb", "my work")
    checkout.write("notebooks/00_start_here.ipynb", "start v2")
    (checkout.copies / ".handed-out.json").unlink()
    if damage is not None:
        checkout.write("my-notebooks/.handed-out.json", damage)
    assert checkout.course.hand_out() == ["00_start_here.ipynb"]
    assert checkout.read("my-notebooks/00_start_here.ipynb") == "my work"
    checkout.write("notebooks/00_start_here.ipynb", "start v3")
    assert checkout.course.hand_out() == ["00_start_here.ipynb"]
    assert checkout.read("my-notebooks/00_start_here.ipynb") == "my work"


def test_a_copy_of_unknown_origin_is_mentioned_once(checkout):
    checkout.write("my-notebooks/00_start_here.ipynb", "my work")
    assert checkout.course.hand_out() == ["00_start_here.ipynb"]
    assert checkout.course.hand_out() == []


@pytest.mark.parametrize("survived", range(4))
def test_an_interrupted_update_is_finished_by_the_next(checkout, monkeypatch, survived):
    """The process dies half-way through writing its n-th file."""
    checkout.write("notebooks/edited.ipynb", "edited v1")
    checkout.course.hand_out()
    checkout.write("my-notebooks/edited.ipynb", "my work")
    for name in ("00_start_here.ipynb", "homework/one.ipynb", "edited.ipynb", "new.ipynb"):
        checkout.write(f"notebooks/{name}", f"{name} v2")
    calls, write_bytes = [], Path.write_bytes

    def write_or_die(path, content):
        calls.append(path)
        if len(calls) <= survived:
            return write_bytes(path, content)
        write_bytes(path, content[: len(content) // 2])
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(Path, "write_bytes", write_or_die)
        with pytest.raises(KeyboardInterrupt):
            checkout.course.hand_out()
    started = {"start", "00_start_here.ipynb v2"}
    assert checkout.read("my-notebooks/00_start_here.ipynb") in started  # the old or the new, never a half
    assert checkout.course.hand_out() == ["edited.ipynb"]
    assert checkout.read("my-notebooks/edited.ipynb") == "my work"
    for name in ("00_start_here.ipynb", "homework/one.ipynb", "new.ipynb"):
        assert checkout.read(f"my-notebooks/{name}") == f"{name} v2"


def test_a_read_only_original_gives_a_copy_that_can_be_edited(checkout):
    (checkout.originals / "00_start_here.ipynb").chmod(0o444)
    checkout.course.hand_out()
    assert (checkout.copies / "00_start_here.ipynb").stat().st_mode & 0o200


# ---- the commands


def ready(checkout, *modules):
    """As after a finished set-up without extras."""
    packages = checkout.make_venv(*modules)
    checkout.course.write(checkout.course.STAMP, {"source": checkout.course.fingerprint(), "extras": []})
    return packages


def test_help_lists_every_command(checkout):
    done = checkout.run("--help")
    assert done.returncode == 0 and not (checkout.folder / ".venv").exists()
    for name, (_, purpose) in checkout.course.COMMANDS.items():
        assert re.search(rf"^python3 course\.py {name} +{re.escape(purpose)}$", done.stdout, re.MULTILINE)
    assert checkout.run("-h").stdout == done.stdout


@posix_only
def test_a_reader_who_has_enough_is_no_error_to_talk_about(checkout):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, str(checkout.folder / "course.py"), "--help"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, encoding="utf-8")
    os.close(writing)
    assert done.stderr == ""


MODULES = (
    "publish.site publish.figures publish.slides publish.handouts publish.execute classroom.release classroom.grade "
)
MODULES += "classroom.hub classroom.bundle benchmarks tests.mutate"


@pytest.mark.parametrize("module", MODULES.split())
def test_every_command_explains_itself_and_refuses_what_it_does_not_know(module, tmp_path):
    def ask(option):
        environment = os.environ | {"PYTHONPATH": str(PROJECT)}
        command = [sys.executable, "-m", module, option]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)

    refused, helped = ask("--no-such-option"), ask("--help")
    assert refused.returncode == 2 and "unrecognized arguments: --no-such-option" in refused.stderr
    assert helped.returncode == 0 and "course.py" in helped.stdout.split()[2]
    assert not list(tmp_path.iterdir())


def test_a_command_explains_itself_before_anything_is_installed(checkout):
    result = checkout.run("site", "--help")
    assert result.returncode == 0 and "web pages" in result.stdout and "once the course is installed" in result.stdout
    assert not (checkout.folder / ".venv").exists()


def test_a_question_about_a_command_installs_none_of_its_packages(checkout, capsys, monkeypatch):
    course = checkout.course
    course.write(course.STAMP, {"source": course.fingerprint(), "extras": []})
    monkeypatch.setattr(course, "venv_works", lambda: True)
    monkeypatch.setattr(course, "pip_install", lambda extras: pytest.fail("it installs"))
    monkeypatch.setattr(course.sys, "argv", ["course.py", "hub", "--help"])
    with pytest.raises(SystemExit) as end:
        course.set_up("hub")
    assert end.value.code is None and "options are listed once its packages" in capsys.readouterr().out


def test_an_unknown_command_is_named(checkout):
    done = checkout.run("tset")
    assert done.returncode == 1
    assert done.stderr.strip() == "There is no command 'tset': `python3 course.py --help` lists them."


NBVAL = ["-p", "tests.sharing", "--nbval", "--nbval-current-env"]
WORKERS = str(os.cpu_count() + 1)


def test_the_tests_run_over_tests_and_notebooks(checkout, tmp_path):
    ready(checkout, "pytest")
    name, args, cwd, environment = checkout.called("test", "-x", cwd=tmp_path, PYTHONPATH="/nowhere", PIP_USER="1")
    assert (name, Path(cwd)) == ("pytest", checkout.folder)
    assert args == [*NBVAL, "-n", WORKERS, "-x", "tests", str(checkout.originals / "00_start_here.ipynb")]
    assert (environment["PYTHONPATH"], environment["PIP_USER"]) == (None, "0")
    assert environment["VIRTUAL_ENV"] == str(checkout.folder / ".venv")
    assert environment["PATH"].startswith(str(checkout.course.PYTHON.parent))
    assert checkout.pip_calls == ["install -r requirements.txt -e .[test]"]


def test_the_quick_ones_run_without_notebooks_and_wait_for_nobody(checkout):
    ready(checkout, "pytest")
    assert checkout.called("test", "--quick")[1] == [*NBVAL, "-n", str(os.cpu_count()), "--quick", "tests"]


def test_the_tests_keep_blas_to_one_thread_unless_told_otherwise(checkout, monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    ready(checkout, "pytest")
    assert checkout.called("test")[3]["OPENBLAS_NUM_THREADS"] == "1"
    assert checkout.called("test", OPENBLAS_NUM_THREADS="2")[3]["OPENBLAS_NUM_THREADS"] == "2"


def test_the_tests_are_compiled_once_whatever_the_shell_says(checkout):
    ready(checkout, "pytest")
    assert checkout.called("test", PYTHONDONTWRITEBYTECODE="1")[3]["PYTHONDONTWRITEBYTECODE"] == ""


def test_the_tests_take_paths_from_where_the_user_stands(checkout):
    ready(checkout, "pytest")
    checkout.write("tests/test_a.py", "")
    args = checkout.called("test", "test_a.py", "-q", cwd=checkout.folder / "tests")[1]
    assert args == [*NBVAL, str(checkout.folder / "tests/test_a.py"), "-q"]
    args = checkout.called("test", "tests/test_a.py::test_one")[1]
    assert args == [*NBVAL, str(checkout.folder / "tests/test_a.py::test_one")]


def test_a_word_after_k_is_no_path(checkout):
    ready(checkout, "pytest")
    args = checkout.called("test", "-k", "notebooks")[1]
    assert args[:9] == [*NBVAL, "-n", WORKERS, "-k", "notebooks", "tests"]


@pytest.mark.parametrize(
    "args, said",
    [
        ([], "The whole suite: about "),
        (["-x", "-n", "0"], "The whole suite: about "),
        (["--quick"], "The quick part of the suite: "),
        (["-k", "centring"], None),
        (["tests"], None),
    ],
)
def test_a_run_of_everything_says_at_its_start_how_long_it_takes(checkout, args, said):
    ready(checkout, "pytest")
    checkout.course.write(checkout.course.STAMP, checkout.state | {"extras": ["test"]})
    first, *rest = checkout.run("test", *args).stdout.splitlines()
    assert first.startswith(said or "CALLED") and len(rest) == (said is not None)
    assert said is None or re.search(r"minutes.* on two cores", first)


def test_the_sanitizing_file_is_used_where_it_exists(checkout):
    ready(checkout, "pytest")
    checkout.write("tests/nbval.cfg", "")
    args = checkout.called("test")[1]
    assert args[4:6] == ["--nbval-sanitize-with", str(checkout.folder / "tests/nbval.cfg")]


@pytest.mark.parametrize("command, module", [("figures", "publish.figures"), ("execute", "publish.execute")])
def test_figures_and_execute_hand_over_to_publish(checkout, command, module):
    ready(checkout, module)
    name, args, cwd, _ = checkout.called(command, "00_start_here.ipynb", "--option", cwd=checkout.originals)
    assert (name, Path(cwd)) == (module, checkout.folder)
    assert args == [str(checkout.originals / "00_start_here.ipynb"), "--option"]


def test_the_lab_passes_arguments_on_and_names_newer_originals(checkout):
    ready(checkout, "jupyterlab")
    name, args, _, environment = checkout.called("--no-browser", "--port", "9999", JUPYTER_CONFIG_PATH="/elsewhere")
    assert (name, args) == ("jupyterlab", ["--no-browser", "--port", "9999"])
    assert environment["JUPYTER_CONFIG_PATH"] == os.pathsep.join([str(checkout.course.LAB_CONFIG), "/elsewhere"])
    assert checkout.pip_calls == []
    checkout.write("my-notebooks/00_start_here.ipynb", "my work")
    checkout.write("notebooks/00_start_here.ipynb", "start v2")
    assert (
        "These copies hold your work and stay as they are, though there is a newer original: 00_start_here.ipynb; "
        "to get it, rename or delete your copy and start again."
    ) in checkout.run().stdout
    assert checkout.read("my-notebooks/00_start_here.ipynb") == "my work"


@pytest.mark.parametrize(
    "name", ["00", "0", "00_start", "notebooks/00_start_here.ipynb", "my-notebooks/00_start_here.ipynb"]
)
def test_slides_open_the_copy_of_a_notebook_by_number_or_path(checkout, name):
    ready(checkout, "jupyterlab")
    module, args, _, _ = checkout.called("slides", name, "--no-browser")
    assert (module, args) == ("jupyterlab", ["--no-browser"])
    config = json.loads((checkout.course.LAB_CONFIG / "jupyter_server_config.json").read_text())
    lab = config["LabApp"]
    assert lab["default_url"] == "/lab/workspaces/slides-00_start_here/tree/my-notebooks/00_start_here.ipynb"
    assert lab["extra_labextensions_path"] == [str(checkout.course.LAB_EXTENSIONS)]
    assert config["ServerApp"]["kernel_websocket_connection_class"] == "kmlab.server.PromptConnection"


def test_slides_of_a_notebook_elsewhere_are_served_from_there(checkout, tmp_path):
    ready(checkout, "jupyterlab")
    (tmp_path / "else where.1.ipynb").write_text("{}")
    checkout.called("slides", str(tmp_path / "else where.1.ipynb"))
    config = json.loads((checkout.course.LAB_CONFIG / "jupyter_server_config.json").read_text())
    assert config["ServerApp"]["root_dir"] == config["FileContentsManager"]["preferred_dir"] == str(tmp_path)
    assert config["LabApp"]["default_url"] == "/lab/workspaces/slides-else-where-1/tree/else where.1.ipynb"


def test_slides_of_nothing_are_refused_with_a_sentence(checkout):
    ready(checkout, "jupyterlab")
    done = checkout.run("slides", "99")
    assert done.returncode == 1
    assert done.stderr == "'99' is no notebook: give its number or its path, as in `python3 course.py slides 06`.\n"


def test_slides_of_a_lecture_are_those_of_its_guide(checkout):
    ready(checkout, "jupyterlab")
    guide = checkout.folder / "notebooks/lectures/lecture_004.ipynb"
    guide.parent.mkdir(exist_ok=True)
    guide.write_text("{}")
    _, args, _, _ = checkout.called("slides", "lecture", "004", "--no-browser")
    assert args == ["--no-browser"]
    lab = json.loads((checkout.course.LAB_CONFIG / "jupyter_server_config.json").read_text())["LabApp"]
    assert lab["default_url"] == "/lab/workspaces/slides-lecture_004/tree/my-notebooks/lectures/lecture_004.ipynb"
    for name in ("lecture 009", "lecture"):
        done = checkout.run("slides", *name.split())
        assert done.returncode == 1 and done.stderr.startswith("There is no lecture '")
        assert "as in `python3 course.py slides lecture 004`." in done.stderr


def test_slides_to_hand_out_are_made_by_kmlab(checkout):
    ready(checkout, "publish.slides")
    stamp = checkout.state
    checkout.course.write(checkout.course.STAMP, stamp | {"extras": ["site"]})
    module, args, _, _ = checkout.called("slides", "--static", "notebooks/00_start_here.ipynb")
    assert (module, args) == ("publish.slides", [str(checkout.folder / "notebooks/00_start_here.ipynb")])
    assert checkout.called("slides", "--static", "0")[1] == args


@posix_only
def test_a_second_start_waits_for_the_first(checkout):
    ready(checkout, "pytest")
    command = [sys.executable, str(checkout.folder / "course.py"), "test"]
    with checkout.course.alone():
        second = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
        assert second.stdout.readline().startswith("Another course.py is at work in this folder: waiting")
        assert second.poll() is None
    assert "CALLED" in second.communicate(timeout=60)[0]


def get(address):
    """The text that a server of this machine sends; it prints its address a moment before it listens."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        try:
            return opener.open(address, timeout=60).read().decode()
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError:
            time.sleep(0.1)
    raise TimeoutError(f"{address} does not answer")


@posix_only
def test_the_real_lab_is_private_quiet_and_opens_the_first_notebook(checkout, tmp_path, ctrl_c):
    packages = ready(checkout)
    shutil.rmtree(packages / "pip")
    here = Path(__file__).resolve().parent.parent  # where kmlab is
    (packages / "course.pth").write_text(f"{sysconfig.get_path('purelib')}\n{here}\n", encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    (tmp_path / "JUPYTER_CONFIG_DIR").mkdir()
    (tmp_path / "JUPYTER_CONFIG_DIR/jupyter_server_config.py").write_text("c.ServerApp.ip = '0.0.0.0'")
    command = [sys.executable, str(checkout.folder / "course.py"), "--no-browser", "--core-mode", f"--port={port}"]
    lab = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | home,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said, deadline = [], threading.Timer(120, lab.kill)
    deadline.start()
    try:
        for line in lab.stdout:
            said.append(line)
            address = re.search(rf"(http://127\.0\.0\.1:{port})/lab/tree/(.*)\?token=(\w+)", line)
            if address:
                break
        assert address, "".join(said)
        server, notebook, token = address.groups()
        assert notebook == "my-notebooks/00_start_here.ipynb"
        with pytest.raises(urllib.error.HTTPError, match="403"):
            get(server + "/api/contents")
        with pytest.raises(OSError):  # this machine too, yet not the address of the lab
            socket.create_connection(("127.0.0.2", port), timeout=5)
        assert json.loads(get(f"{server}/api/contents/{notebook}?content=0&token={token}"))["path"] == notebook
        assert re.search('"preferredPath": "/?my-notebooks"', get(f"{server}/lab?token={token}"))
        for plugin, setting, value in [
            ("notification", "fetchNews", "false"),
            ("kernels-settings", "commsOverSubshells", "disabled"),
        ]:
            plugin = f"/lab/api/settings/@jupyterlab/apputils-extension:{plugin}"
            schema = json.loads(get(f"{server}{plugin}?token={token}"))["schema"]["properties"][setting]
            assert schema["default"] == value
            assert value in [choice["const"] for choice in schema["oneOf"]]
        lab.send_signal(signal.SIGINT)
        rest = lab.communicate(timeout=60)[0]
        assert lab.returncode == 0 and "Traceback" not in "".join(said) + rest
    finally:
        deadline.cancel()
        lab.kill()
        lab.wait()


# ---- the files around it


def test_course_needs_the_standard_library_and_the_grammar_of_python_3_6_alone():
    tree = ast.parse((PROJECT / "course.py").read_text(encoding="utf-8"), feature_version=(3, 6))
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    imported += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert len(imported) > 10 and set(imported) <= sys.stdlib_module_names


def project():
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_requirements_are_the_package_of_this_checkout_and_its_lab():
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    needed = [line.partition("  #")[0] for line in lines if line[0] != "#"]
    assert needed == ["jsonschema >=4.18, <4.25", "-e .[lab]"]  # the first for a quick start, of no use to a notebook


def test_the_package_needs_little_and_a_notebook_the_lab():
    def names(lines):
        return [line.split()[0] for line in lines]

    assert names(project()["dependencies"]) == ["numpy", "scipy", "threadpoolctl"]
    assert names(project()["optional-dependencies"]["lab"]) == [
        "matplotlib",
        "jupyterlab",
        "ipywidgets",
        "anywidget",
    ]


def test_every_requirement_is_bounded_and_those_of_a_reader_are_explained():
    extras = project()["optional-dependencies"]
    for line in project()["dependencies"] + sum(extras.values(), []):
        line = line.partition("; platform_machine")[0]  # what is there for one kind of processor only
        assert re.fullmatch(r"kmlab\[[a-z,]+\]|[a-z0-9-]+(\[[a-z,]+\])? >=[\d.]+, <[\d.]+", line), line
        assert line.startswith(("ruff", "jupyterlite")) or re.search(r"\]$|<\d+$", line), line
    lines = (PROJECT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    for line in project()["dependencies"] + extras["lab"]:
        assert any(re.fullmatch(rf'    "{re.escape(line)}",  # .+', found) for found in lines), line
    assert any(line.startswith("ruff >=0.") for line in extras["test"])  # its layout changes from minor to minor


def test_the_licences_are_named_where_a_reader_and_an_installer_look():
    assert project()["license"] == "BSD-3-Clause AND CC-BY-4.0" and project()["readme"] == "README.md"
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    begins = {"LICENSE": "BSD 3-Clause License\n", "LICENSE-texts": "Attribution 4.0 International\n"}
    assert project()["license-files"] == list(begins)
    for name, first in begins.items():
        text = (PROJECT / name).read_text(encoding="utf-8")
        assert text.startswith(first) and f"]({name})" in readme
    assert "the kmlab authors" in (PROJECT / "LICENSE").read_text(encoding="utf-8")
    assert "Section 8 -- Interpretation." in text and "BSD 3-Clause licence" in readme and "CC BY 4.0" in readme


def test_the_citation_is_that_of_this_version():
    import yaml

    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert citation["version"] == __version__ and citation["license"] == "BSD-3-Clause"
    assert citation["message"] and citation["title"].startswith("kmlab") and citation["authors"]


def test_changes_are_listed_with_the_coming_version_first():
    headings = re.findall(r"^## (.+)", (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[0] == "Unreleased" or headings[0].startswith(__version__)


def test_hosts_run_the_same_command_as_everybody():
    import yaml

    jobs = yaml.safe_load((PROJECT / ".github/workflows/test.yml").read_text(encoding="utf-8"))["jobs"]
    linux, others = jobs["everything"], jobs["without-a-browser"]
    assert linux["steps"][-1]["run"] == ".ci/run" and linux["strategy"]["matrix"]["python"][0] == "3.11"
    assert others["steps"][-1]["run"] == "python course.py test"
    assert others["strategy"]["matrix"]["os"] == ["macos-latest", "windows-latest"]


@posix_only
@pytest.mark.parametrize("tools", [["chromium", "bwrap"], ["chromium", "apt-get"], ["apt-get"], []])
def test_ci_calls_the_test_command_with_or_without_chromium_and_bubblewrap(tmp_path, tools):
    shutil.copytree(PROJECT / ".ci", tmp_path / ".ci")
    bin = tmp_path / "bin"
    bin.mkdir()
    for name in ("bash", "dirname", "env"):
        (bin / name).symlink_to(shutil.which(name))
    for name in [*tools, "python3"]:
        (bin / name).write_text(f'#!/usr/bin/env bash\necho "{name} $*"\n')
        (bin / name).chmod(0o755)
    done = subprocess.run(
        ["bash", ".ci/run"],
        cwd=tmp_path,
        env={"PATH": str(bin), "CI": "true"},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
    )
    install = "apt-get install -qy --no-install-recommends chromium bubblewrap"
    apt = ["apt-get update -q", install] if "apt-get" in tools else []
    assert done.stdout.splitlines() == [*apt, "python3 course.py test"]
    assert done.returncode == 0
    assert ("tests that need them will be skipped" in done.stderr) == (tools == [])
