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
from collections.abc import Callable
from typing import NamedTuple

import course

LARGEST = 30e6  # bytes of all that one student hands in, zips unpacked
FILES, DEPTH = 500, 8  # how many files, and how deep in folders
CELLS, WORDS, CODE = 500, 20_000, 100_000  # of a notebook; letters of a text, of a code cell
PICTURES = 10, 2e6, 10e6  # of a cell; bytes of one, of all in a notebook
IS_NOTEBOOK = re.compile(r"\.ipynb(\.(txt|json))?$", re.I)
ASIDE = re.compile(r"\.|__(MACOSX|pycache__)$")  # .ipynb_checkpoints, .DS_Store
TOO_MANY = f"more than {FILES} files or {LARGEST / 1e6:.0f} MB were handed in; the rest was not looked at"
LOOKING = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)  # of a folder on the way


class Unreadable(Exception):
    """The text says why."""


class File(NamedTuple):
    folder: str  # where it lay; what is in the same one lies beside it
    name: str
    content: bytes
    time: float  # when it was last changed, in seconds since 1970
    disk: float = 0.0  # and when by the disk's clock, which nobody can set


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
        for there in walk(path, notes):
            try:
                take(found, room, notes, there)
            except OSError as error:
                notes.append(f"{show(there.name)} cannot be read ({error.strerror})")
    return found


def take(found, room, notes, there):
    if sum(is_notebook(file) == is_notebook(there) for file in found) >= FILES or room[0] <= 0:
        note(notes, TOO_MANY)
        return
    content = there.read(int(room[0]) + 1) if there.size <= room[0] else None
    if content is None or len(content) > room[0]:
        notes.append(f"{show(there.name)} is too large; {LARGEST / 1e6:.0f} MB are allowed in all")
        return
    room[0] -= len(content)
    name = there.name.lower()
    if name.endswith(".zip") or (content[:4] == b"PK\3\4" and not name.endswith((".npz", ".xlsx"))):
        unpack(found, room, notes, there, content)
    else:
        found.append(File(there.folder, there.name, content, there.time, there.disk))


class There(NamedTuple):
    """A plain file, not read yet."""

    folder: str
    name: str
    size: int
    time: float
    disk: float
    read: Callable  # so many bytes


def walk(path, notes):
    """Every plain file at this place, which has no link in it, or below.

    Students may be at work there: every folder is opened from the one above it, so that a link that takes a folder's
    place in between leads nowhere, too.
    """
    path = os.path.abspath(path)
    here = os.open("/", LOOKING)
    try:
        for part in filter(None, os.path.dirname(path).split("/")):
            inner = os.open(part, LOOKING | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
        yield from below(here, os.path.dirname(path), os.path.basename(path), notes, [10 * FILES])
    except OSError as error:
        notes.append(f"{show(os.path.basename(path))} cannot be read ({error.strerror})")
    finally:
        os.close(here)


def below(here, folder, name, notes, left, depth=0):
    """here: a descriptor of the folder in which this name stands; left: how many more names are looked at."""
    kind = os.stat(name, dir_fd=here, follow_symlinks=False)
    if stat.S_ISREG(kind.st_mode):
        times = kind.st_mtime, kind.st_ctime
        yield There(folder, name, kind.st_size, *times, lambda most: read_file(name, most, here))
    elif stat.S_ISLNK(kind.st_mode):
        notes.append(f"{show(name)} is a link, and links are not followed")
    elif not stat.S_ISDIR(kind.st_mode):
        notes.append(f"{show(name)} is neither a file nor a folder")
    elif depth > DEPTH:
        note(notes, f"folders are more than {DEPTH} deep; what is further down was not looked at")
    else:
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
        try:
            with os.scandir(inner) as entries:
                first = sorted(itertools.islice(entries, 10 * FILES), key=lambda one: (is_folder(one), one.name))
            for one in (entry.name for entry in first):  # a notebook comes before the pictures in a folder beside it
                if ASIDE.match(one):
                    continue
                left[0] -= 1
                if left[0] < 0:
                    note(notes, TOO_MANY)
                    return
                try:
                    yield from below(inner, f"{folder}/{name}", one, notes, left, depth + 1)
                except OSError as error:
                    notes.append(f"{show(one)} cannot be read ({error.strerror})")
        finally:
            os.close(inner)


def is_folder(entry):
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def read_file(name, most, here=None):
    """Its first bytes; a pipe or a device that took its place is not waited for."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        return file.read(most)


def unpack(found, room, notes, there, content):
    """The files of a zip; zips in it stay packed. They were handed in with it, whatever times are written inside."""
    folder, name = f"{there.folder}/{there.name}", there.name
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = sorted(packed.infolist(), key=lambda one: (not IS_NOTEBOOK.search(one.filename), one.filename))
            for entry in entries[: 10 * FILES]:
                parts = entry.filename.split("/")
                if entry.is_dir() or any(map(ASIDE.match, parts)) or not parts[-1]:
                    continue
                if len(found) >= FILES:
                    note(notes, TOO_MANY)
                    break
                if entry.file_size > room[0]:
                    notes.append(f"{show(parts[-1])} in {show(name)} is too large")
                    continue
                with packed.open(entry) as file:
                    data = file.read(int(room[0]) + 1)  # whatever the zip says about sizes
                if len(data) > room[0]:
                    notes.append(f"{show(parts[-1])} in {show(name)} is too large")
                    continue
                room[0] -= len(data)
                found.append(File("/".join([folder, *parts[:-1]]), parts[-1], data, there.time, there.disk))
        notes.append(f"{show(name)} is a zip, and was unpacked")
    except Exception as error:  # every method of packing has errors of its own
        notes.append(f"{show(name)} cannot be unpacked ({show(error)})")


def time_of(entry):
    """A zip knows the hour, but not the time zone: that of this machine."""
    try:
        return time.mktime((*entry.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0


def is_notebook(file):
    return IS_NOTEBOOK.search(file.name) is not None


# ---- notebooks


def cells_of(content, notes=None):
    """The cells of a notebook of any version; notes get what had to be mended."""
    notes = [] if notes is None else notes
    try:
        tree = json.loads(content.decode(json.detect_encoding(content)))  # an editor may write UTF-16
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
