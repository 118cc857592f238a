"""A class on one machine: passwords, folders, and a small rehearsal with everything real."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))  # course.py and classroom/ stand beside the package
from classroom import hub  # noqa: E402

needs_sandbox = pytest.mark.skipif(not shutil.which("bwrap") or not hub.can_shelter(), reason="bubblewrap is missing")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "passwords.csv"


def test_every_name_gets_a_password_of_its_own_and_keeps_it(file):
    hub.enrol(["Ada", "", "  grace "], file)
    first = hub.passwords(file)
    assert list(first) == ["ada", "grace"] and len(set(first.values())) == 2 and min(map(len, first.values())) >= 8
    hub.enrol(["grace", "emmy"], file)
    assert hub.passwords(file) == first | {"emmy": hub.passwords(file)["emmy"]}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such bits")
def test_nobody_else_on_the_machine_may_read_the_passwords(file):
    hub.enrol(["ada"], file)
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["../ada", "a b", ".hidden", "x" * 33, "a/b", "ada;"])
def test_a_name_that_is_no_folder_is_refused_with_its_line(name, file):
    with pytest.raises(SystemExit, match="Line 2 holds"):
        hub.enrol(["grace", name], file)
    assert not file.exists()


@needs_sandbox
def test_a_sandbox_shows_one_folder_and_lets_write_into_that_alone(tmp_path, monkeypatch):
    own, other, instructor = tmp_path / "homes/own", tmp_path / "homes/other", tmp_path / "instructor"
    monkeypatch.setenv("HOME", str(instructor))
    for folder in (own, other, instructor):
        folder.mkdir(parents=True)
        (folder / "file").write_text(folder.name)
    script = (
        "cat file; ls ..; echo new > new; echo x > ../other/x 2>/dev/null; echo x > /usr/x 2>/dev/null;"
        " ls -A ~ 2>/dev/null; true"
    )
    inside = subprocess.run(hub.shelter(["sh", "-c", script], own, [own.parent]), capture_output=True, text=True)
    assert inside.stdout == "ownown\n" and inside.returncode == 0, inside.stderr
    assert (own / "new").exists() and not (other / "x").exists() and not Path("/usr/x").exists()


@needs_sandbox
@pytest.mark.skipif(
    not importlib.util.find_spec("jupyterhub") or not (hub.PROXY.exists() or shutil.which("npm")),
    reason="JupyterHub or npm is missing",
)
def test_two_students_run_a_notebook_and_see_nothing_of_each_other(tmp_path, monkeypatch, capsys):
    import course
    from classroom import rehearsal

    hub.get_proxy()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import kmlab\nprint(kmlab.__name__)")])
    nbformat.write(notebook, tmp_path / "one.ipynb")
    monkeypatch.setattr(course, "ORIGINALS", tmp_path)
    assert rehearsal.run(2, trust=False, notebook="one.ipynb") == 0
    said = capsys.readouterr().out
    assert "2 students ran one.ipynb at once: 2 without an error." in said and "Nobody saw a file" in said


def test_hosts_find_files_that_lead_to_the_requirements():
    (line,) = (PROJECT / ".binder/requirements.txt").read_text().split("\n", 1)[:1]
    assert (PROJECT / ".binder" / line.removeprefix("-r ")).resolve() == PROJECT / "requirements.txt"
    python = (PROJECT / ".binder/runtime.txt").read_text().strip().removeprefix("python-")
    container = json.loads((PROJECT / ".devcontainer/devcontainer.json").read_text())
    assert tuple(map(int, python.split("."))) >= (3, 11) and container["image"] == f"python:{python}"
    assert container["postAttachCommand"] == "python3 course.py"
