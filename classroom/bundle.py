"""The course for students, in one file: `python3 course.py bundle [FILE]`, without solutions and hidden tests.

What goes in is listed, so that a new file of the instructor's stays out until somebody lists it. --try unpacks the file
in an empty folder and starts it with the README's two commands, from nothing, as a student does.
"""

import argparse
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import course

TAKEN = [
    ".binder",
    ".ci",
    ".devcontainer",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "LICENSE-texts",
    "README.md",
    "benchmarks",
    "course.py",
    "docs",
    "figures",
    "kmlab",
    "notebooks",
    "publish",
    "pyproject.toml",
    "requirements.txt",
    "tests",
]
INSTRUCTORS = re.compile(r"\bclassroom\b|\"(solutions|docs)\"|\bkmlab\.course\.(exercises|homework) import")
SECRETS = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS)")


def main(args=None):
    parser = argparse.ArgumentParser(
        prog="python3 course.py bundle", description=__doc__.splitlines()[0], allow_abbrev=False
    )
    parser.add_argument("file", nargs="?", type=Path, default=course.ROOT / "kmlab-course.zip")
    parser.add_argument("--try", dest="attempt", action="store_true", help="unpack and start it from nothing (minutes)")
    options = parser.parse_args(args)
    names = write(options.file)
    course.say(
        f"{options.file}: {len(names)} files, {options.file.stat().st_size / 1e6:.1f} MB, no solutions and no "
        "hidden tests. Unpacked, it starts with `python3 course.py`."
    )
    return attempt(options.file) if options.attempt else 0


def write(file):
    """The zip, the same bytes every time; -> the names in it."""
    found = contents()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in sorted(found.items()):
            entry = zipfile.ZipInfo(f"kmlab-course/{name}", (2026, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if content.startswith(b"#!") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            bundle.writestr(entry, content)
    return sorted(found)


def contents():
    """name -> bytes of all that a student gets."""
    found = {}
    for top in TAKEN:
        place = course.ROOT / top
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            name = path.relative_to(course.ROOT).as_posix()
            if (
                name == "docs/teaching.md"
                or not path.is_file()
                or re.search(r"(^|/)(__pycache__|\.ipynb_checkpoints|\.[^/]*\.part)(/|$)", name)
            ):
                continue
            content = path.read_bytes()
            if top == "tests" and INSTRUCTORS.search(content.decode("utf-8", "replace")):
                continue  # it tests, or holds, what students do not get, or lists all tests
            found[name] = content
    found["README.md"] = students_readme(found["README.md"].decode()).encode()
    for name, content in found.items():
        secret = SECRETS.search(content.decode("utf-8", "replace"))
        if secret:
            sys.exit(f"{name} holds a line {secret[0]!r}, and the bundle is for students: move it into classroom/.")
    return found


def students_readme(text):
    """Without the instructor's section, and without the way to the solutions."""
    text = re.sub(r"^## In the classroom\n.*?(?=^## )", "", text, flags=re.M | re.S)
    return re.sub(r" Worked solutions to the exercises are in \[solutions/\]\(solutions\)\.", "", text)


def attempt(file):
    """Start the bundle as a student does; -> 0 if the lab answers and the homework runs."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(file) as bundle:
            bundle.extractall(folder)
        root = Path(folder) / "kmlab-course"
        return try_commands(root, [sys.executable, str(root / "course.py")])


def try_commands(root, command, patience=900):
    """`course.py` until the lab answers with the homework in it, then `course.py test` on the homework."""
    variables = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lab = subprocess.Popen(
        [*command, "--no-browser", f"--port={port}"],
        cwd=root,
        env=variables,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    address, until = None, time.monotonic() + patience
    try:
        for line in lab.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+/\S*token=\S+", line)
            if found or time.monotonic() > until:
                address = found and found[0]
                break
        if not address:
            course.say("The lab of the bundle did not start.")
            return 1
        base, token = re.fullmatch(r"(http://[^/]+)/.*token=(\w+)", address).groups()
        page = f"{base}/api/contents/my-notebooks/homework/homework_1.ipynb?token={token}"
        while True:  # the address is printed a moment before it answers
            try:
                with urllib.request.urlopen(page, timeout=60) as answer:
                    course.say(f"The lab answers and has the homework: {answer.status}.")
                break
            except urllib.error.URLError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)
    finally:
        lab.terminate()
        lab.stdout.close()
        lab.wait()
    homework = sorted(str(path) for path in (root / "notebooks/homework").glob("*.ipynb"))
    return subprocess.call([*command, "test", "-q", *homework], cwd=root, env=variables)


if __name__ == "__main__":
    sys.exit(main())
