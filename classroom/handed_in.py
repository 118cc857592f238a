"""Who handed in what: folders and files of a class, as they come from a person, from Moodle or from Canvas."""

import csv
import io
import os
import re
import shutil
import sys
import zipfile
import zlib
from typing import NamedTuple

from .reading import time_of

MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<file>.*))?", re.S)
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)", re.S)
MOST, LARGEST = 100_000, 50_000_000  # files of a download, bytes of one
COLUMNS = {
    "name": ("name", "student", "full name", "student name"),
    "id": ("id", "id number", "student id", "sis user id", "number"),
    "email": ("email", "e-mail", "email address", "e-mail address", "sis login id", "login"),
}
HOMEWORK = "notebooks", "homework"
NOTEBOOKS = re.compile(r"\.(ipynb(\.txt|\.json)?|zip)$", re.I)


class Student(NamedTuple):
    name: str
    id: str
    email: str
    paths: list

    @property
    def shown(self):
        """The name without bytes that are no letters."""
        return self.name.encode("utf-8", "backslashreplace").decode()


def students(folder, listed=()):
    """name -> Student, and the names of files that belong to nobody. Several files of one student are one student."""
    if not folder.is_dir():
        sys.exit(f"{folder} is no folder: give one that holds a folder for each student, or a download of them all.")
    found, left = {}, []
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__")):
            continue
        is_folder = path.is_dir() and not path.is_symlink()
        mark = MOODLE.fullmatch(path.name) or (not is_folder and CANVAS.fullmatch(path.name))
        if mark:
            name, number = mark["name"], mark["id"]
        elif is_folder or path.is_symlink() or NOTEBOOKS.search(path.name):
            name, number = path.name if is_folder else NOTEBOOKS.sub("", path.name), ""
        else:
            left.append(path.name)
            continue
        key = f"{name} ({number})" if any(s.name == name and s.id != number for s in found.values()) else name
        found.setdefault(key, Student(key, number, "", [])).paths.append(on_the_hub(path) or path.absolute())
    for person in listed:
        match = [key for key, s in found.items() if is_same(s, person)]
        for key in match:
            found[key] = found[key]._replace(id=person["id"] or found[key].id, email=person["email"])
        if not match:
            found[person["name"]] = Student(person["name"], person["id"], person["email"], [])
    if not found:
        sys.exit(f"{folder} is empty: a folder for each student was expected, with the notebooks in it.")
    return dict(sorted(found.items())), left


def on_the_hub(home):
    """Where the homework lies in a folder of my-class/homes, or None if it is no such folder; no link leads there."""
    place = home.absolute()
    for part in HOMEWORK:
        place = place / part
        if place.is_symlink() or not place.is_dir():
            return None
    return place


def is_same(student, person):
    """By number, by e-mail address or what stands before its @, or by name, as Canvas writes it too."""
    plain = re.sub(r"[\W_]", "", student.name).casefold()
    words = re.findall(r"\w+", person["name"].casefold())
    names = {"".join(words), "".join(words[-1:] + words[:-1])} - {""}
    return (
        bool(person["id"])
        and person["id"] in (student.id, student.name)
        or bool(person["email"])
        and student.name.casefold() in (person["email"].casefold(), person["email"].casefold().partition("@")[0])
        or plain in names
    )


def person(row):
    """name, id and e-mail address from a line of a table, however its columns are called."""
    row = {str(key).strip().casefold(): value.strip() for key, value in row.items() if isinstance(value, str)}
    found = {key: next((row[name] for name in names if row.get(name)), "") for key, names in COLUMNS.items()}
    both = " ".join(filter(None, [row.get("first name"), row.get("last name") or row.get("surname")]))
    return found | {"name": found["name"] or both or found["id"] or found["email"]}


def listed(file):
    """The class from a table with a heading: name, id, email, in any order and however the LMS calls them."""
    if file is None:
        return []
    try:
        rows = list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        sys.exit(f"{file} cannot be read as a table ({error}): a CSV file with the heading name,id,email was expected.")
    people = [found for found in map(person, rows) if found["name"]]
    if not people:
        sys.exit(f"{file} names nobody: a CSV file with the heading name,id,email was expected.")
    return people


def unpacked(download, folder):
    """The LMS's download of all submissions, unpacked into the folder; -> the folder of students, names left behind.

    Names that lead elsewhere stay inside, and what this system cannot write stays behind.
    """
    behind = []
    try:
        packed = zipfile.ZipFile(download)
    except (zipfile.BadZipFile, OSError) as error:
        sys.exit(f"{download} cannot be unpacked ({error}): unpack it yourself and give the folder.")
    with packed:
        for entry in packed.infolist()[:MOST]:
            parts = [part for part in entry.filename.split("/") if part not in ("", ".", "..")]
            if entry.is_dir() or not parts:
                continue
            target = folder.joinpath(*parts[:10])
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with packed.open(entry) as source, target.open("xb") as file:
                    shutil.copyfileobj(io.BytesIO(source.read(LARGEST)), file)
                os.utime(target, (time_of(entry), time_of(entry)))
            except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, ValueError, EOFError):
                behind.append(entry.filename)
    only = [path for path in folder.iterdir() if not path.name.startswith((".", "__"))]
    whole = len(only) == 1 and only[0].is_dir() and not MOODLE.fullmatch(only[0].name)
    return only[0] if whole else folder, behind
