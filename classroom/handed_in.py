"""Who handed in what: folders and files of a class, as they come from a person, from Moodle or from Canvas."""

import collections
import csv
import io
import os
import re
import shutil
import sys
import unicodedata
import zipfile
from typing import NamedTuple

from .reading import ASIDE, time_of

MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<file>.*))?", re.S)
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)", re.S)
OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
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
        """The name without bytes that are no letters, and without what a terminal or a page would obey."""
        return OBEYED.sub(lambda mark: mark[0].encode("unicode_escape").decode(), self.name)


def students(folder, listed=()):
    """name -> Student, and the names of files that belong to nobody. Several files of one student are one student."""
    if not folder.is_dir():
        sys.exit(f"{folder} is no folder: give one that holds a folder for each student, or a download of them all.")
    found, left = {}, []
    for path in sorted(folder.resolve().iterdir()):
        if ASIDE.match(path.name):
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
        found.setdefault(key, Student(key, number, "", [])).paths.append(on_the_hub(path) or path)
    names = collections.Counter(name for person in listed for name in names_of(person))
    for person in listed:
        alone = all(names[name] == 1 for name in names_of(person))  # two may have one name; then it says nothing
        first, *more = [key for key, s in found.items() if is_same(s, person, by_name=alone)] or [None]
        if first is None:
            key = person["name"]
            key += f" ({person['id'] or person['email']})" * (key in found)
            found[key] = Student(key, person["id"], person["email"], [])
            continue
        found[first] = found[first]._replace(id=person["id"] or found[first].id, email=person["email"])
        for key in more:  # ada.zip and Ada Lovelace.ipynb
            found[first].paths.extend(found.pop(key).paths)
    if not found:
        sys.exit(f"{folder} is empty: a folder for each student was expected, with the notebooks in it.")
    return dict(sorted(found.items())), left


def own_name(file):
    """What the student called a file that Moodle or Canvas has named after the student."""
    mark = MOODLE.fullmatch(file) or CANVAS.fullmatch(file)
    return mark and mark["file"] or file


def on_the_hub(home):
    """Where the homework lies in a folder of my-class/homes, or None if it is no such folder; no link leads there."""
    place = home.absolute()
    for part in HOMEWORK:
        place = place / part
        if place.is_symlink() or not place.is_dir():
            return None
    return place


def one_form(name):
    """Letters with accents are written in two ways, and macOS writes them in the other one."""
    return unicodedata.normalize("NFKC", name).casefold()


def names_of(person):
    """As letters alone, also with the surname first, as Canvas writes it."""
    words = re.findall(r"[^\W_]+", one_form(person["name"]))
    return {"".join(words), "".join(words[-1:] + words[:-1])} - {""}


def is_same(student, person, by_name=True):
    """By number, by e-mail address or what stands before its @, or by name."""
    return (
        bool(person["id"])
        and person["id"] in (student.id, student.name)
        or bool(person["email"])
        and student.name.casefold() in (person["email"].casefold(), person["email"].casefold().partition("@")[0])
        or by_name
        and re.sub(r"[\W_]", "", one_form(student.name)) in names_of(person)
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
    except Exception as error:
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
            except Exception:  # every method of packing has errors of its own
                behind.append(entry.filename)
    only = [path for path in folder.iterdir() if not path.name.startswith((".", "__"))]
    whole = len(only) == 1 and only[0].is_dir() and not MOODLE.fullmatch(only[0].name)
    return only[0] if whole else folder, behind
