"""Data of one's own: `python3 course.py homework --personal students.csv`.

Every student gets a copy whose points, and whose questions with a number for an answer, come from a seed of their own:
the numbers differ, what has to be understood does not. seeds.csv remembers who has which, and `grade` reads it.
"""

import collections
import csv
import hashlib
import io
import json
import re
import secrets
import sys

import course

from . import handed_in

COPIES = course.ROOT / "my-homework"
SEEDS = COPIES / "seeds.csv"
SHEETS = [seed for seed in range(200) if seed != 72]  # on all of them, 5 wide and with 10 neighbours, the S unfolds
CARRIED = re.compile(r"^personal\((\d+)", re.M)


def data_of(seed):
    """What a copy with this seed asks for, with the answers as digests; the arguments of homework.personal."""
    from kmlab.course.homework import digest

    waves, points, classes = 2 + seed % 3, 24 + seed // 3 % 17, 2 + seed // 51 % 4
    found = {"seed": seed, "sheet": SHEETS[seed % len(SHEETS)], "waves": waves, "points": points, "classes": classes}
    return found | {"ratio": digest("ratio", waves**2), "rank": digest("rank", points - classes)}


def varied(notebook, seed):
    """A student's version (nbformat) with the data of this seed; the same notebook comes back."""
    data = data_of(seed)
    for cell in notebook.cells:
        source = cell.source
        if (cell.metadata.get("nbgrader", {}).get("grade_id") or "").endswith("-setup"):
            given = ", ".join(f"{name}={value!r}" for name, value in data.items() if name != "seed")
            source += f"\nfrom kmlab.course.homework import personal\n\npersonal({seed}, {given})  # your own data"
        source = source.replace("s_curve(1000, width, seed=0)", f"s_curve(1000, width, seed={data['sheet']})")
        source = source.replace("These are the points of 1d", "These are points like those of 1d")
        source = source.replace("`mu[2] / mu[1]`", f"`mu[{data['waves']}] / mu[1]`")
        source = source.replace("30 points in 3 classes", f"{data['points']} points in {data['classes']} classes")
        cell.source = source
    return notebook


def carried(cells):
    """The seed in a submission's cells, or None."""
    found = [CARRIED.search(cell.source) for cell in cells]
    return next((int(mark[1][:12]) for mark in found if mark), None)


def seeds(file=None):
    """(name, id and e-mail address; seed) of everybody in seeds.csv."""
    if file is None and not SEEDS.exists():
        return []
    try:
        return [(handed_in.person(row), int(row["seed"])) for row in handed_in.read_table(file or SEEDS)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"{file or SEEDS} cannot be read ({error}): `course.py homework --personal` writes it.")


def seed_for(person, secret):
    return int(
        hashlib.sha256(f"{secret} {person['id'] or person['email'] or person['name']}".encode()).hexdigest()[:8], 16
    )


def write_copies(students, made):
    """my-homework/STUDENT/homework_N.ipynb for everybody in the table. made: name -> the student's version, run"""
    import nbformat

    from .grade import slug

    people = handed_in.listed(students)
    names = collections.Counter(slug(person["name"]).casefold() for person in people)
    secret = course.read_json(COPIES / "secret.json").get("secret") or secrets.token_hex(16)
    course.write(
        COPIES / "secret.json", json.dumps({"secret": secret}).encode()
    )  # who comes later changes nobody's seed
    text = io.StringIO()
    writer = csv.DictWriter(text, ["name", "id", "email", "seed"])
    writer.writeheader()
    for i, person in enumerate(people, 1):
        seed, folder = seed_for(person, secret), person["name"]
        if names[slug(folder).casefold()] > 1:  # two of one name
            folder += f" {person['id'] or person['email'] or i}"
        for name, path in made.items():
            copy = varied(nbformat.read(path, 4), seed)
            course.write(COPIES / slug(folder) / f"{name}.ipynb", nbformat.writes(copy).encode())
        writer.writerow({key: person[key] for key in ("name", "id", "email")} | {"seed": seed})
        if i % 20 == 0 or i == len(people):
            course.say(f"[{i}/{len(people)}] {person['name']}")
    course.write(SEEDS, text.getvalue().encode())
    course.say(
        f"{COPIES} has a folder for each student, to be handed out, and seeds.csv, which stays with you: `grade` reads "
        "it and names a submission that carries another's data."
    )
