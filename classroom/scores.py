"""The table of a class: scores.csv, the same for Moodle and Canvas, deadlines and what being late costs."""

import csv
import datetime
import io
import math
import re
import sys

from . import release, similar

DAY = 24 * 3600
FORMULA = re.compile("[\\s\ufeff]*[=+@\uff1d\uff0b\uff20\uff0d-]|[\t\r\n]")  # wide letters count
LAST = 253402300799  # the end of the year 9999; a file may say that it is younger


def deadlines(given):
    """homework -> seconds since 1970, from HOMEWORK=TIME."""
    found = {}
    for text in given:
        name, _, when = text.partition("=")
        name = name if name in release.names() else f"homework_{name}"
        if name not in release.names():
            sys.exit(f"--due {text}: there is no {name}; there are {', '.join(release.names())}.")
        try:
            found[name] = datetime.datetime.fromisoformat(when.strip()).timestamp()
        except ValueError:
            sys.exit(f"--due {text}: a time was expected, as in {name}=2026-11-20T23:59.")
    return found


def row(student, marks, times, notes, options):
    """One student's line. marks: homework -> place -> (points, most, comment); times: homework -> seconds since 1970"""
    line = {"student": student.shown, "id": student.id or student.number, "email": student.email, "own id": student.id}
    line |= {"number": student.number, "total": 0.0, "maximum": 0.0}
    line |= {"to read": 0.0, "late": "", "deduction": 0.0, "alike": "", "handed in": ""}
    spare, late = options.late_days, []
    for name in release.names():
        line["maximum"] += sum(release.points(name).values())
        line[name] = None
        if name not in marks:
            continue
        for where, (points, worth, _) in marks[name].items():
            line[where.removeprefix("check-")] = points
            line["to read"] += worth if points is None else 0
        line[name] = sum(points or 0 for points, _, _ in marks[name].values())
        begun = any(points is None or points for points, _, _ in marks[name].values())
        days = max(0, math.ceil((times[name] - options.due[name]) / DAY)) if name in options.due and begun else 0
        free = min(spare, days)
        spare -= free
        lost = round(line[name] * min(1, (days - free) * options.penalty / 100), 2)
        line[name] -= lost
        line["total"] += line[name]
        line["deduction"] += lost
        if days:
            late.append(f"{name} {days} day{'s' * (days > 1)}, {free} of them free, {lost:g} points off")
    line["late"] = "; ".join(late)
    if times:
        latest = min(max(0, *times.values()), LAST)
        latest = datetime.datetime.fromtimestamp(latest, datetime.UTC)
        line["handed in"] = latest.isoformat(sep=" ", timespec="seconds")
    stranger = [] if student.listed else ["nobody in the list of students is called so"]
    return line | {"remarks": "; ".join(stranger + (notes or ([] if marks else ["nothing was handed in"])))}


def add_pairs(rows, pairs):
    """Into each line what its answers resemble, a page of kmlab and the most alike first."""
    lines = {line["student"]: line for line in rows}
    for share, homework, where, one, other in sorted(pairs, key=lambda pair: pair[4] in lines):
        for who, what in ((one, other), (other, one)):
            if who in lines and lines[who]["alike"].count(";") < 3:
                said = f"{similar.named(homework, where)} {share:.0%} {what}"
                lines[who]["alike"] += "; " * bool(lines[who]["alike"]) + said


def as_csv(rows):
    parts = [cell.removeprefix("check-") for name in release.names() for cell in release.points(name)]
    columns = ["student", "id", "email", *parts, *release.names(), "total", "maximum", "to read", "handed in", "late"]
    return table([*columns, "deduction", "alike", "remarks"], rows)


def table(columns, rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows({key: plain(value) for key, value in line.items()} for line in rows)
    return text.getvalue().encode("utf-8", "replace")


def plain(value):
    """A student's words are never a formula in a spreadsheet."""
    return "'" + value if isinstance(value, str) and FORMULA.match(value) else value


def for_lms(lms, rows):
    """file -> table, as the LMS imports it, with a column for each homework; and the names of those it cannot know."""
    names = [name for name in release.names() if any(line[name] is not None for line in rows)]
    begun = [line for line in rows if any(line[name] is not None for name in names)]
    points = [{name: line[name] for name in names} for line in begun]
    if lms == "canvas":
        columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names]
        most = {"Student": "    Points Possible"} | {name: sum(release.points(name).values()) for name in names}
        lines = [
            {"Student": line["student"], "ID": line["number"], "SIS User ID": line["own id"]}
            | {"SIS Login ID": line["email"]}
            | marks
            for line, marks in zip(begun, points, strict=True)
        ]
        unknown = [line["student"] for line in begun if not (line["number"] or line["own id"] or line["email"])]
        return {"canvas.csv": table(columns, [most, *lines])}, unknown
    key = "email" if any(line["email"] for line in begun) else "own id"  # who is not known stops Moodle's import
    lines = [
        {"Full name": line["student"], "ID number": line["own id"], "Email address": line["email"]} | marks
        for line, marks in zip(begun, points, strict=True)
        if line[key]
    ]
    found = {"moodle.csv": table(["Full name", "ID number", "Email address", *names], lines)} if lines else {}
    for name in names[: len(names) == 1]:  # an assignment's own worksheet knows its participants by a number
        lines = [
            {"Identifier": f"Participant {line['number']}", "Full name": line["student"], "Grade": line[name]}
            for line in begun
            if line["number"] and line[name] is not None
        ]
        if lines:
            columns = ["Identifier", "Full name", "Grade", "Last modified (grade)"]
            found[f"moodle_{name}.csv"] = table(columns, lines)
    return found, [line["student"] for line in begun if not (line[key] or line["number"])]


def as_text(rows):
    """The table for the terminal."""
    most = {name: sum(release.points(name).values()) for name in release.names()}
    head = ["student", *(f"{name} /{points:g}" for name, points in most.items()), "total", "to read", "remarks"]
    body = [
        [
            line["student"][:40],
            *("-" if line[name] is None else f"{line[name]:g}" for name in most),
            f"{line['total']:g}",
            f"{line['to read']:g}",
            line["remarks"][:60] + "..." * (len(line["remarks"]) > 60),
        ]
        for line in rows
    ]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in (head, *body)
    )
