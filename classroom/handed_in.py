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

MOODLE = re.compile(r"(?P<name>.+?)(?:_(?P<id>\d+))?_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.S)
CANVAS = re.compile(
    r"(?:(?P<name>.+?)_(?:LATE_)?(?P<id>\d+)|(?:LATE_)?(?P<nobody>anon_[^_]+))"
    r"_(?:\d+_(?P<file>.+)|(?:text|link)\.html)",
    re.S,
)
OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
MOST, LARGEST = 100_000, 50_000_000  # files of a download, bytes of one
COLUMNS = {
    "name": ("name", "student", "full name", "student name"),
    "id": ("id", "id number", "student id", "sis user id", "number"),
    "email": ("email", "e-mail", "email address", "e-mail address", "sis login id", "login"),
}
GIVEN = "first name", "firstname", "given name", "vorname", "prénom", "nombre", "nome", "voornaam"
FAMILY = "last name", "lastname", "surname", "family name", "nachname", "nom", "apellido(s)", "cognome", "achternaam"
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
NOBODY = "Points Possible", "Student, Test"  # in the name's column of Canvas's gradebook
HOMEWORK = "notebooks", "homework"
NOTEBOOKS = re.compile(r"\.(ipynb(\.txt|\.json)?|zip)$", re.I)


class Student(NamedTuple):
    name: str
    id: str
    email: str
    paths: list
    number: str = ""  # what the LMS knows the student by: the participant of Moodle's assignment, Canvas's ID
    listed: bool = True  # in the list of the class, if there is one

    @property
    def shown(self):
        """The name without bytes that are no letters, and without what a terminal or a page would obey."""
        return OBEYED.sub(lambda mark: mark[0].encode("unicode_escape").decode(), self.name)


def students(folder, listed=()):
    """name -> Student, and the names of files that belong to nobody. Several files of one student are one student."""
    if not folder.is_dir():
        sys.exit(f"{folder} is no folder: give one that holds a folder for each student, or a download of them all.")
    found, left, numbers = {}, [], collections.defaultdict(set)
    for path in sorted(folder.resolve().iterdir()):
        if ASIDE.match(path.name):
            continue
        is_folder = path.is_dir() and not path.is_symlink()
        mark = MOODLE.fullmatch(path.name) or (not is_folder and CANVAS.fullmatch(path.name))
        if mark:
            name, number = mark["name"] or mark["nobody"], mark["id"] or ""
        elif is_folder or path.is_symlink() or NOTEBOOKS.search(path.name):
            name, number = path.name if is_folder else NOTEBOOKS.sub("", path.name), ""
        else:
            left.append(path.name)
            continue
        numbers[name].add(number)
        found.setdefault((name, number), []).append(on_the_hub(path) or path)
    of = {(name, number): f"{name} ({number})" if number and len(numbers[name]) > 1 else name for name, number in found}
    pairs, found, names, known = found, {}, shared_names(listed), set()
    for pair, paths in pairs.items():
        found.setdefault(of[pair], Student(of[pair], "", "", [], pair[1])).paths.extend(paths)
    for person in listed:
        alone = all(names[name] == 1 for name in names_of(person))  # two may have one name; then it says nothing
        first, *more = [key for key, s in found.items() if is_same(s, person, by_name=alone)] or [None]
        if first is None:
            first = person["name"]
            first += f" ({person['id'] or person['email']})" * (first in found)
            found[first] = Student(first, person["id"], person["email"], [])
        one = found.pop(first)
        for key in more:  # ada.zip and Ada Lovelace.ipynb
            one.paths.extend(found.pop(key).paths)
        plain = first.removesuffix(f" ({one.number})")  # one person, whose number differs from homework to homework
        first = plain if alone and plain not in found else first
        number = person.get("number") or one.number
        found[first] = Student(first, person["id"], person["email"], one.paths, number)
        known.add(first)
    if listed:
        found = {key: student._replace(listed=key in known) for key, student in found.items()}
    if not found:
        sys.exit(f"{folder} is empty: a folder for each student was expected, with the notebooks in it.")
    return dict(sorted(found.items())), left


def whose(names):
    """The students after whom Moodle or Canvas has named these files."""
    marks = (MOODLE.fullmatch(name) or CANVAS.fullmatch(name) for name in names)
    return {mark["name"] for mark in marks if mark}


def own_names(file):
    """What the student called a file that Moodle or Canvas has named after the student.

    Canvas numbers what is handed in again (points-1.csv); whether the student did so nobody can tell, so it has both.
    """
    moodle, canvas = MOODLE.fullmatch(file), CANVAS.fullmatch(file)
    name = moodle and moodle["file"] or canvas and canvas["file"] or file
    first = re.sub(r"-\d+(?=\.\w+$)", "", name) if canvas and not moodle else name
    return [first] if NOTEBOOKS.search(name) else list(dict.fromkeys([name, first]))


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


def shared_names(people):
    """name -> how many have it."""
    return collections.Counter(name for person in people for name in names_of(person))


def is_same(student, person, by_name=True):
    """By number, by e-mail address or what stands before its @, or by name.

    A number that stands in the name of a file is the LMS's; it is the university's only by accident.
    """
    named = re.sub(r"[\W_]", "", one_form(student.name.removesuffix(f" ({student.number})"))) in names_of(person)
    return (
        bool(person["id"])
        and (person["id"] in (student.id, student.name) or named and person["id"] == student.number)
        or student.name in [f"{person['name']} {one}" for one in (person["id"], person["email"]) if one]
        or bool(person.get("number"))
        and person["number"] == student.number
        or bool(person["email"])
        and student.name.casefold() in (person["email"].casefold(), person["email"].casefold().partition("@")[0])
        or by_name
        and named
    )


def person(row):
    """name, id and e-mail address from a line of a table, however its columns are called, and the LMS's own number."""
    row = {str(key).strip().casefold(): value.strip() for key, value in row.items() if isinstance(value, str)}
    found = {key: next((row[name] for name in names if row.get(name)), "") for key, names in COLUMNS.items()}
    if not found["email"]:  # whatever the column is called, in whatever language
        found["email"] = next(filter(ADDRESS.fullmatch, row.values()), "")
    number = re.search(r"\d*$", row.get("identifier", ""))[0]  # `Participant 4711`: Moodle's grading worksheet
    if {"section", "sis login id", "sis user id"} & set(row):  # Canvas's gradebook
        number, found["id"] = row.get("id", ""), row.get("sis user id", "")
    first, last = (next(filter(None, map(row.get, names)), "") for names in (GIVEN, FAMILY))
    both = " ".join(filter(None, [first, last]))
    return found | {"name": found["name"] or both or found["id"] or found["email"], "number": number}


def read_table(file):
    """The lines of a table with a heading, as dicts; a spreadsheet may write semicolons, tabs, or a mark in front."""
    content = file.read_bytes()
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252")  # as Excel writes it
    heading = next((line for line in text.splitlines() if line.strip(" ,;\t")), "")
    between = max(",;\t", key=heading.count)
    lines = (line for line in io.StringIO(text, newline="") if line.strip(" ,;\t\r\n"))
    return list(csv.DictReader(lines, delimiter=between))


def listed(file):
    """The class from a table with a heading: name, id, email, in any order and however the LMS calls them."""
    if file is None:
        return []
    try:
        rows = read_table(file)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        sys.exit(f"{file} cannot be read as a table ({error}): a CSV file with the heading name,id,email was expected.")
    people = [found for found in map(person, rows) if found["name"] not in ("", *NOBODY)]
    if not people:
        sys.exit(f"{file} names nobody: a CSV file with the heading name,id,email was expected.")
    return [found for i, found in enumerate(people) if found not in people[:i]]


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
