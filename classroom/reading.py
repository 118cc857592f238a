"""What was handed in, read: files from folders and zips, and the cells of a notebook, whatever has become of it.

Everything here is total: a student's bytes give cells, or Unreadable with a sentence, within bounds that are named
below. It runs in the student's own process (workers.py), so what it does not foresee ends that process alone.
"""

import base64
import io
import itertools
import json
import os
import re
import stat
import time
import unicodedata
import zipfile
import zlib
from typing import NamedTuple

import course

LARGEST = 30e6  # bytes of all that one student hands in, zips unpacked
FILES, DEPTH = 500, 8  # how many files, and how deep in folders
CELLS, WORDS, CODE = 500, 20_000, 100_000  # of a notebook; letters of a text, of a code cell
PICTURES = 10, 2e6, 10e6  # of a cell; bytes of one, of all in a notebook


class Unreadable(Exception):
    """The text says why."""


class File(NamedTuple):
    folder: str  # where it lay; what is in the same one lies beside it
    name: str
    content: bytes
    time: float  # when it was last changed, in seconds since 1970


class Cell(NamedTuple):
    kind: str  # code, markdown
    source: str
    label: str | None  # nbgrader's grade_id
    id: str | None
    pictures: tuple  # PNG in base64


# ---- files


def collect(paths, notes):
    """All files that a student handed in, in folders, zips or alone; what is left out is noted."""
    found, room = [], [LARGEST]
    for path in paths:
        try:
            for folder, name, read, changed in walk(os.fspath(path), notes):
                take(found, room, notes, folder, name, read, changed)
        except OSError as error:
            notes.append(f"{show(os.path.basename(path))} cannot be read ({error.strerror})")
    return found


def take(found, room, notes, folder, name, read, changed):
    if len(found) >= FILES or room[0] <= 0:
        sentence = f"more than {FILES} files or {LARGEST / 1e6:.0f} MB were handed in; the rest was not looked at"
        notes += [sentence] if sentence not in notes else []
        return
    content = read(int(room[0]) + 1)
    if len(content) > room[0]:
        notes.append(f"{show(name)} is too large; {LARGEST / 1e6:.0f} MB are allowed in all")
        return
    room[0] -= len(content)
    if name.lower().endswith(".zip") or (content[:4] == b"PK\3\4" and not name.lower().endswith((".npz", ".xlsx"))):
        unpack(found, room, notes, f"{folder}/{name}", content)
    else:
        found.append(File(folder, name, content, changed))


def walk(path, notes, depth=0):
    """(folder, name, function that reads so many bytes, time) of every plain file; links are not followed."""
    kind = os.lstat(path)
    if stat.S_ISREG(kind.st_mode):
        yield os.path.dirname(path), os.path.basename(path), lambda most: read_file(path, most), kind.st_mtime
        return
    if stat.S_ISLNK(kind.st_mode):
        notes.append(f"{show(os.path.basename(path))} is a link, and links are not followed")
        return
    if depth > DEPTH:
        notes.append(f"folders are more than {DEPTH} deep; what is further down was not looked at")
        return
    with os.scandir(path) as entries:  # OSError where a name is too long for this system
        entries = list(itertools.islice(entries, 10 * FILES))
    for entry in sorted(entries, key=lambda entry: entry.name):
        if entry.name.startswith((".", "__")):  # .ipynb_checkpoints, .DS_Store, __MACOSX, __pycache__
            continue
        if entry.is_symlink():
            notes.append(f"{show(entry.name)} is a link, and links are not followed")
        elif entry.is_file(follow_symlinks=False):
            changed = entry.stat(follow_symlinks=False).st_mtime
            yield path, entry.name, lambda most, path=entry.path: read_file(path, most), changed
        elif entry.is_dir(follow_symlinks=False):
            yield from walk(entry.path, notes, depth + 1)


def read_file(path, most):
    """Its first bytes; a pipe or a device that took its place is not waited for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        return file.read(most)


def unpack(found, room, notes, folder, content):
    """The files of a zip; zips in it stay packed."""
    name = os.path.basename(folder)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = packed.infolist()[: 10 * FILES]
            for entry in sorted(entries, key=lambda entry: entry.filename):
                parts = entry.filename.split("/")
                if entry.is_dir() or any(part.startswith((".", "__")) for part in parts) or not parts[-1]:
                    continue
                if len(found) >= FILES or entry.file_size > room[0]:
                    notes.append(f"{show(parts[-1])} in {show(name)} is too large, or one of too many")
                    continue
                with packed.open(entry) as file:
                    data = file.read(int(room[0]) + 1)  # whatever the zip says about sizes
                if len(data) > room[0]:
                    notes.append(f"{show(parts[-1])} in {show(name)} is too large")
                    continue
                room[0] -= len(data)
                found.append(File("/".join([folder, *parts[:-1]]), parts[-1], data, time_of(entry)))
        notes.append(f"{show(name)} is a zip, and was unpacked")
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, ValueError, EOFError) as error:
        notes.append(f"{show(name)} cannot be unpacked ({show(error)})")


def time_of(entry):
    """A zip knows the hour, but not the time zone: that of this machine."""
    try:
        return time.mktime((*entry.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0


def is_notebook(file):
    return re.search(r"\.ipynb(\.(txt|json))?$", file.name, re.I) is not None


# ---- notebooks


def cells_of(content, notes=None):
    """The cells of a notebook of any version; notes get what had to be mended."""
    notes = [] if notes is None else notes
    try:
        tree = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("it is no text in UTF-8") from None
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"it is no JSON: {error}") from None
    if not isinstance(tree, dict):
        raise Unreadable("it is JSON, but no notebook")
    cells = tree.get("cells")
    if "worksheets" in tree and not isinstance(cells, list):
        notes.append("the notebook has an old format (version 3), and was converted")
        sheets = tree["worksheets"] if isinstance(tree["worksheets"], list) else []
        cells = [
            cell
            for sheet in sheets
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    if not isinstance(cells, list):
        raise Unreadable("it has no cells")
    if len(cells) > CELLS:
        notes.append(f"the notebook has {len(cells)} cells; the first {CELLS} count")
    left = [PICTURES[2]]
    return [cell for cell in (cell_of(part, notes, left) for part in cells[:CELLS]) if cell is not None]


def cell_of(part, notes, left):
    if not isinstance(part, dict) or part.get("cell_type") not in ("code", "markdown"):
        return None
    kind, source = part["cell_type"], part.get("source", part.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    if not isinstance(source, str):
        return None
    most = CODE if kind == "code" else WORDS
    if len(source) > most:
        note(notes, f"a cell has {len(source)} letters; the first {most} count")
        source = source[:most]
    plain = source.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    if plain != source:
        note(notes, "a cell holds letters that are none (half a pair, or a zero); they were replaced")
    metadata = part.get("metadata")
    label = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    label = label.get("grade_id") if isinstance(label, dict) else None
    return Cell(kind, plain, text_or_none(label), text_or_none(part.get("id")), pictures(part, left))


def pictures(part, left):
    """The PNGs among the outputs: bytes of a picture cannot do anything."""
    found, outputs = [], part.get("outputs")
    for output in outputs[:100] if isinstance(outputs, list) else []:
        data = output.get("data") if isinstance(output, dict) else None
        png = data.get("image/png") if isinstance(data, dict) else None
        png = "".join(p for p in png if isinstance(p, str)) if isinstance(png, list) else png
        if isinstance(png, str) and len(png) < min(PICTURES[1], left[0]) and is_png(png):
            found.append("".join(png.split()))
            left[0] -= len(png)
    return tuple(found[: PICTURES[0]])


def is_png(text):
    try:
        return base64.b64decode("".join(text.split()), validate=True).startswith(b"\x89PNG")
    except ValueError:
        return False


def text_or_none(value):
    return value if isinstance(value, str) and len(value) < 200 else None


def note(notes, sentence):
    if sentence not in notes:
        notes.append(sentence)


# ---- a student's words in our sentences


def clean_text(text, most=600):
    """Without control characters, which a terminal or a page might obey, and without this machine's folders."""
    text = str(text)[:most].replace(f"{course.ROOT}/", "")
    text = re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c)[0] != "C")


def show(text):
    """A student's words inside a sentence of ours."""
    return "`" + clean_text(text, 120).replace("`", "'").replace("\n", " ") + "`"
