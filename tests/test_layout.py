"""One layout for all code, and no careless line: what ruff says, with the settings in pyproject.toml."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
REMEDY = "`python -m ruff {}` with the Python of .venv mends what it can: run it in the course folder, then look again."
LOOKS = {"check": ("check", "--fix"), "format": ("format",)}


def ruff(folder, *args):
    command = [sys.executable, "-m", "ruff", *args, "--no-cache", "."]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")


def complaint(folder, look):
    """What ruff says of a folder, with the remedy; None if there is nothing to say."""
    done = ruff(folder, look, *(["--diff"] if look == "format" else ["--output-format=concise"]))
    return done.returncode and f"{done.stdout}\n{done.stderr}\n{REMEDY.format(' '.join([*LOOKS[look], '.']))}"


@pytest.mark.parametrize("look", LOOKS)
def test_ruff_has_nothing_to_say_about_the_course(look):
    said = complaint(PROJECT, look)
    if said:
        pytest.fail(said, pytrace=False)


@pytest.mark.parametrize("look, line", [("check", "import os\n"), ("format", "x = 1    # one\n")])
def test_a_careless_line_is_shown_with_its_remedy(tmp_path, look, line):
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    (tmp_path / "new.py").write_text(line)
    said = complaint(tmp_path, look)
    assert "new.py" in said and f"`python -m ruff {look}" in said
    assert ruff(tmp_path, *LOOKS[look]).returncode == 0 and not complaint(tmp_path, look)


@pytest.mark.parametrize("look", LOOKS)
def test_a_student_s_own_copies_are_no_business_of_ruffs(tmp_path, look):
    for name in ("pyproject.toml", ".gitignore"):
        shutil.copy(PROJECT / name, tmp_path)
    (tmp_path / "my-notebooks").mkdir()
    (tmp_path / "my-notebooks/mine.py").write_text("import os,sys\n")
    assert not complaint(tmp_path, look)
