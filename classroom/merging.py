"""The notebook that is graded: the homework as it was handed out, with the student's answers in their places."""

import json
import re

import nbformat


def place(cell):
    """What a cell of a homework is known by: nbgrader's grade_id, whatever its id; the id where there is no label."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id")


class Merged:
    """The cells of the release with the student's answers in them, and between them what the student added.

    submitted: reading.Cell. Locked cells and tests stand as they were handed out, whatever has been done to them.
    """

    def __init__(self, release, submitted):
        known = {place(cell): cell for cell in release.cells}
        ids = {cell.get("id"): place(cell) for cell in release.cells}
        first_lines = {first_line(cell.source): place(cell) for cell in release.cells if is_answer(cell)}
        whole = {cell.source: place(cell) for cell in release.cells if not is_answer(cell)}
        self.slots, self.notes, added, last, twice = {}, [], {}, None, []
        for cell in submitted:
            guesses = cell.label, ids.get(cell.id), whole.get(cell.source), first_lines.get(first_line(cell.source))
            where = next((guess for guess in guesses if guess in known), None)
            if where is not None and known[where].cell_type != cell.kind:
                where = None
            if where in self.slots:
                twice.append(where)
                where = where if not is_answer(known[where]) else None
            elif where is not None:
                self.slots[where], last = cell, where
                continue
            if where is None:  # or an answer that is there twice: the later one counts, as in the lab
                added.setdefault(last, []).append(cell)
        self.cells = [self.extra(cell, i, "start") for i, cell in enumerate(added.get(None, []))]
        for cell in release.cells:
            cell, answer = nbformat.from_dict(json.loads(json.dumps(cell))), self.slots.get(place(cell))
            cell.pop("attachments", None)
            if cell.cell_type == "code":
                cell.outputs = []
            if is_answer(cell) and answer is not None:
                cell.source = answer.source
                if cell.cell_type == "code":
                    cell.outputs = shown(answer)
            more = enumerate(added.get(place(cell), []))
            self.cells += [cell, *(self.extra(one, i, place(cell)) for i, one in more)]
        self.remark(known, twice)

    def extra(self, cell, i, after):
        name = re.sub(r"[^a-zA-Z0-9-]", "-", f"added-{i}-{after}")[:64]
        if cell.kind == "markdown":
            return nbformat.v4.new_markdown_cell(cell.source, id=name)
        return nbformat.v4.new_code_cell(cell.source, id=name, outputs=shown(cell))

    def remark(self, known, twice):
        if not self.slots:
            self.notes.append("no cell of this homework was found in the file")
            return
        places = [where for where, cell in known.items() if cell.metadata.get("nbgrader")]
        tests = [where for where in places if not is_answer(known[where])]
        changed = [p for p in tests if p in self.slots and self.slots[p].source.strip() != known[p].source.strip()]
        for what, which in (
            ("cells that were missing were put back", [p for p in places if p not in self.slots]),
            ("cells that had been changed count as they were handed out", changed),
            ("cells were there twice", sorted(set(twice))),
        ):
            if which:
                self.notes.append(f"{what}: {', '.join(which)}")
        if not any(cell.label for cell in self.slots.values()):
            self.notes.append("the cells had lost their labels and were recognised by their first lines")


def shown(cell):
    return [nbformat.v4.new_output("display_data", {"image/png": png}) for png in cell.pictures]


def is_answer(cell):
    return cell.metadata.get("nbgrader", {}).get("solution", False)


def is_test(cell):
    label = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and label.get("grade", False) and not label.get("solution", False)


def first_line(text):
    return (text.strip().splitlines() or [""])[0].strip()
