"""Five lecture guides, page by page in a lecture's own order, made of cells of the notebooks: python -m publish.guides.

The tables in publish/lectures/ have the pages: a heading, a sentence of our own, the cells to show by their ids, the
exercises. All else is worked out here. What a cell needs (imports, data, models) comes along, folded, before it, found
by following names through the program; a name that stands for other things in other notebooks is made anew where it
would be the wrong one. So a cell gives in a guide what it gives at home, and its stored output comes along. Entries of
the errata stand at the page they are about, formulas where a cell first speaks of them.
"""

import ast
import builtins
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kmlab.course.errata import all_errata

from . import coverage, pages
from .alone import SLIDE_MARKS, settings, shown, with_first_cell

ROOT = Path(__file__).resolve().parent.parent
TABLES = Path(__file__).with_name("lectures")
FOLDER = ROOT / "notebooks/lectures"
CELL_IDS = re.compile(r"(?:(?:\d\d-\w+|E-[A-Z]\d+)(?: |$))+")
TAG = re.compile(r"\(([A-Z]\w*\.\d+)\)")
FORMULA = re.compile(r"\$\$[^$]+?\\tag\{([^}]+)\}\s*\$\$")
GIVEN = {*dir(builtins), "display"}  # what a notebook has without asking


# ---- what a piece of a program reads and makes


class Names(ast.NodeVisitor):
    """Names that a statement reads from outside, makes or changes, and reads only when a function of it is called."""

    def __init__(self, statement):
        self.reads, self.makes, self.late, self.imports, self.inner = set(), set(), set(), {}, []
        self.visit(statement)

    def visit_Name(self, node):
        if any(node.id in names for names in self.inner):
            return
        if isinstance(node.ctx, ast.Store):
            self.makes.add(node.id)
        elif node.id not in self.makes:
            self.reads.add(node.id)

    def visit_Assign(self, node):  # the right side is computed first
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)
            self.changes(target)

    def visit_AugAssign(self, node):
        self.visit(node.value)
        self.reads |= {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)} - self.makes
        self.changes(node.target)

    def visit_For(self, node):
        self.visit(node.iter)
        self.visit(node.target)
        for statement in node.body + node.orelse:
            self.visit(statement)

    def visit_ExceptHandler(self, node):
        self.makes |= {node.name} - {None}
        self.generic_visit(node)

    def visit_Expr(self, node):  # model.fit(X), on a line of its own, changes the model
        self.visit(node.value)
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            self.changes(node.value.func)

    def changes(self, target):
        for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            while isinstance(part, ast.Attribute | ast.Subscript | ast.Starred):
                part = part.value
            if isinstance(part, ast.Name) and not any(part.id in names for names in self.inner):
                self.makes.add(part.id)

    def visit_Import(self, node):
        for alias in node.names:
            self.imports[alias.asname or alias.name] = ("", alias.name)

    def visit_ImportFrom(self, node):
        for alias in node.names:
            self.imports[alias.asname or alias.name] = (node.module, alias.name)

    def visit_comprehension_of(self, node):
        first, *others = node.generators
        self.visit(first.iter)
        self.inner.append({name.id for part in node.generators for name in ast.walk(part.target) if _is_name(name)})
        for part in [*first.ifs, *others]:
            self.visit(part)
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                self.visit(getattr(node, part))
        self.inner.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_of

    def visit_Lambda(self, node):
        self.function(node, [node.body])

    def visit_FunctionDef(self, node):
        for decorator in node.decorator_list:
            self.visit(decorator)
        self.makes.add(node.name)
        self.function(node, node.body)

    def function(self, node, body):
        for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(default)
        own = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        own |= {name.id for part in body for name in ast.walk(part) if _is_name(name) and _is_stored(name)}
        before, self.reads = self.reads, set()
        self.inner.append(own)
        for part in body:
            self.visit(part)
        self.inner.pop()
        self.late |= self.reads
        self.reads |= before


def _is_name(node):
    return isinstance(node, ast.Name)


def _is_stored(name):
    return isinstance(name.ctx, ast.Store)


# ---- the notebooks


class Statement(NamedTuple):
    """A statement of a notebook. A version says who gave a name its value: an import, or a statement, by its place."""

    place: int  # in its notebook; an import comes before all others
    source: str
    needs: dict  # name: version
    makes: dict  # name: version
    late: set = frozenset()  # names that are looked up again whenever a function of it is called


class Notebook:
    """The cells of a notebook by their ids, the section and the statements of each, and who makes which version."""

    def __init__(self, path):
        self.name, self.number, self.path = path.stem, path.stem[:2], path
        self.cells, self.sections, self.statements, self.made_by = {}, {}, {}, {}
        known, section, place = {}, "", 0  # name: version
        stored = json.loads(path.read_text(encoding="utf-8"))
        self.metadata = stored["metadata"]
        for cell in shown(stored["cells"]):
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                section = (re.findall(r"^## (.+)", source, re.M) or [section])[-1]
            self.cells[cell["id"]], self.sections[cell["id"]] = cell, section
            self.statements[cell["id"]] = []
            for node, text in statements(source) if cell["cell_type"] == "code" else ():
                place += 1
                names = Names(node)
                if strange := names.reads - known.keys() - GIVEN:
                    raise ValueError(f"cell {cell['id']} reads {', '.join(sorted(strange))}, which nobody made")
                imported = {name: (name, *origin) for name, origin in names.imports.items()}
                made = {name: (self.name, place) for name in names.makes} | imported
                needs = {name: known[name] for name in names.reads & known.keys()}
                found = Statement(place, text, needs, made, names.late)
                self.statements[cell["id"]].append(found)
                self.made_by |= {version: found for version in made.values()}
                self.made_by |= {v: Statement(0, "", {}, {name: v}) for name, v in imported.items()}
                known |= made
        self.known = known  # at its end, where the exercises stand

    def first_cell(self, section):
        return next(id for id, title in self.sections.items() if title == section)


def statements(source):
    """(syntax tree, whole lines) of each statement; none of what is no Python, such as a command for the shell."""
    try:
        nodes = ast.parse(source).body
    except SyntaxError:
        return
    lines = source.splitlines()
    for node in nodes:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        yield node, "\n".join(lines[first - 1 : node.end_lineno])


@cache
def notebooks():
    """{number: notebook} of all chapters."""
    return {path.stem[:2]: Notebook(path) for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))}


def home(id):
    """The notebook of a cell."""
    found = notebooks().get(id[:2])
    if found is None or id not in found.cells:
        raise ValueError(f"there is no cell {id}")
    return found


def section_of(id):
    """The heading under which a cell stands in its notebook."""
    return home(id).sections[id]


# ---- the tables


class Section(NamedTuple):
    """An entry of a table: pages of the lecture in a row, told in one sentence."""

    pages: list
    heading: str  # "" for a title or an outline, which is one line
    sentence: str
    cells: list  # ids, and entries of the errata that stand elsewhere than at their last page
    exercises: list


def table(lecture):
    """(title, what it is about, sections) of a lecture, as publish/lectures/ has them."""
    top, *parts = re.split(r"^(?=## |\*\*)", (TABLES / f"lecture_{lecture}.md").read_text(encoding="utf-8"), flags=re.M)
    title, about = top.strip().split("\n", 1)
    sections = [_entry(part.strip()) for part in parts]
    found, wanted = [page for section in sections for page in section.pages], coverage.PAGES[lecture]
    if found != wanted:
        missing = ", ".join(page for page in wanted if page not in found)
        raise ValueError(
            f"lecture {lecture}: " + (f"nothing is said of {missing}" if missing else "pages out of order")
        )
    return title.removeprefix("# "), about.strip(), sections


def _entry(text):
    if text.startswith("**"):
        listed, sentence = re.fullmatch(r"\*\*(.+?)\*\* · (.+)", text, re.S).groups()
        return Section(page_list(listed), "", " ".join(sentence.split()), [], [])
    head, *lines = text.removeprefix("## ").splitlines()
    listed, heading = head.split(" · ", 1)
    cells = [id for line in lines if CELL_IDS.fullmatch(line) for id in line.split()]
    exercises = [number for line in lines if line.startswith("exercises ") for number in line.split()[1:]]
    said = [line for line in lines if not CELL_IDS.fullmatch(line) and not line.startswith("exercises ")]
    return Section(page_list(listed), heading, " ".join(said), cells, exercises)


def page_list(listed):
    """ "s7-8" -> ["s7", "s8"]; the page on RKHS has no number."""
    if listed == "RKHS":
        return [listed]
    letter, first, last = re.fullmatch(r"([sp])(\d+)(?:-(\d+))?", listed).groups()
    return [f"{letter}{i}" for i in range(int(first), int(last or first) + 1)]


def name_of(listed):
    """Of pages in a row, as a heading has it."""
    first, last = listed[0], listed[-1]
    return "page on RKHS" if first == "RKHS" else first if first == last else f"{first}-{last[1:]}"


# ---- a guide


class Guide:
    """The cells of a guide so far, and the version that every name has behind the last of them."""

    def __init__(self, lecture, imported=()):
        self.lecture, self.cells, self.formulas, self.imported = lecture, [], set(), set()
        self.now = {version[0]: version for version in imported}
        self.waiting = []  # (view, name, version): what a function in a view looks up when the view is used

    def text(self, id, source, slide):
        self.formulas |= {tag for tag in FORMULA.findall(source)}
        self.cells.append({"cell_type": "markdown", "id": id, "metadata": _slide(slide), "source": _lines(source)})

    def code(self, id, source, outputs, run, made_by, slide, folded=False):
        """A cell that runs these statements, and before it, folded, what they need."""
        before = needed(run, self.now, made_by)
        self.imported |= {v for s in [*before, *run] for v in s.needs.values() if len(v) == 3}
        if before:
            imports = [version for s in before for version in s.makes.values() if len(version) == 3]
            rest = [s.source for s in before if s.source]
            own = "\n\n".join(filter(None, [import_lines(imports), "\n".join(rest)]))
            self.code(f"{id}-needs", own, [], before, made_by, "skip", folded=True)
        self.follow(id, source, run)
        hidden = {"jupyter": {"source_hidden": True}} if folded else {}
        cell = {"cell_type": "code", "execution_count": None, "id": id, "metadata": hidden | _slide(slide)}
        self.cells.append(cell | {"outputs": outputs, "source": _lines(source)})

    def follow(self, id, source, run):
        """Takes note of what the statements make; refuses what would change a view above under its user's hands."""
        for statement in run:
            for view, name, version in self.waiting:
                if statement.makes.get(name, version) != version:
                    raise ValueError(f"lecture {self.lecture}: {id} makes another {name} than the view {view} looks up")
            self.now |= statement.makes
        if re.search(r"^(explore|step_through)\(", source, re.M):
            self.waiting += [(id, name, s.needs[name]) for s in run for name in s.late if name in s.needs]

    def show(self, id, slide):
        """A cell of a notebook, as it is there; a heading and entries of the errata, which have their own place, go."""
        notebook = home(id)
        cell = notebook.cells[id]
        if cell["cell_type"] == "markdown":
            self.text(id, prose(cell), slide)
        else:
            run = [s for s in notebook.statements[id] if not shows_errata(s.source)]
            source = without_errata("".join(cell["source"]))
            outputs = [output for output in cell["outputs"] if not _plain(output).startswith("E-")]
            self.code(id, source, outputs, run, notebook.made_by, slide)
        marks = cell["metadata"]["slideshow"]
        self.cells[-1]["metadata"]["slideshow"] |= {key: marks[key] for key in SLIDE_MARKS if key in marks}

    def entries(self, ids):
        """Entries of the errata, side by side."""
        calls = ", ".join(f'erratum("{id}")' for id in ids)
        version = ("erratum", "kmlab.course.errata", "erratum")
        run = [Statement(1, "", {"erratum": version}, {})]
        source = calls if len(ids) == 1 else f"display({calls})"
        outputs = [_as(stored_errata()[id], "execute_result" if len(ids) == 1 else "display_data") for id in ids]
        made_by = {version: Statement(0, "", {}, {"erratum": version})}
        self.code("-".join(ids), source, outputs, run, made_by, "fragment")

    def exercise(self, number):
        notebook, text, id = exercise(number)
        text = "\n\n".join([text, *formulas_for([text], self.formulas)])
        self.text(f"exercise-{number}".replace(".", "-"), text, "fragment")
        made = [
            (node, s)
            for (node, _), s in zip(
                statements("".join(notebook.cells[id]["source"])), notebook.statements[id], strict=True
            )
        ]
        (call,) = [(node, s) for node, s in made if f'check("{number}"' in s.source and isinstance(node, ast.Expr)]
        run, wanted = [call[1]], set(call[1].needs.values())
        for _, s in reversed(made[: made.index(call)]):
            if wanted & set(s.makes.values()):
                run.insert(0, s)
                wanted |= set(s.needs.values())
        given = Statement(0, "", mentioned(text, run, notebook.known), {})
        source = "\n".join(s.source for s in run)
        if any(s.source.startswith("def ") for s in run):
            source = source.replace("\ncheck(", "\n\n\ncheck(")
        outputs = [o for o in notebook.cells[id]["outputs"] if _plain(o).startswith(f"Exercise {number}:")]
        self.code(f"check-{number}".replace(".", "-"), source, outputs, [given, *run], notebook.made_by, "skip")


def needed(run, now, made_by):
    """Statements to run before these, in their order, so that each of them finds every name as it is at home."""
    before = []
    while True:
        state, missing = dict(now), []
        for statement in [*before, *run]:
            missing += [v for name, v in statement.needs.items() if state.get(name) != v]
            state |= statement.makes
        more = [s for s in {v: made_by[v] for v in missing}.values() if s not in before and s not in run]
        if not missing:
            return before
        if not more:
            raise ValueError(f"{missing} cannot be made")
        before = sorted([*before, *{id(s): s for s in more}.values()], key=lambda s: s.place)


def import_lines(versions):
    """As the house sorts them: modules of Python, of others, our own."""
    groups = [{}, {}, {}]
    for alias, module, name in set(versions):
        root = (module or name).split(".")[0]
        line = name if alias == name else f"{name} as {alias}"
        groups[2 if root == "kmlab" else root not in sys.stdlib_module_names].setdefault(module, []).append(line)
    return "\n\n".join("\n".join(_import_group(group)) for group in groups if group)


def _import_group(group):
    for name in sorted(group.get("", [])):
        yield f"import {name}"
    for module in sorted(filter(None, group)):
        alone = sorted(name for name in group[module] if " as " in name)  # one a line
        names = sorted(set(group[module]) - set(alone), key=lambda n: (not n.isupper(), not n[0].isupper(), n))
        together = [f"from {module} import {', '.join(names)}"] if names else []
        if together and len(together[0]) > 120:
            together = [f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"]
        yield from sorted([*together, *(f"from {module} import {name}" for name in alone)])


def prose(cell):
    """Text of a cell for another place: a section's heading goes, a smaller one becomes the first words of its text.

    Links start one folder further down.
    """
    text = re.sub(rf"^(## |{re.escape(pages.SECOND_READING)}).*\n*", "", "".join(cell["source"]), flags=re.M)
    text = re.sub(r"^### (.+?)( \(00\d/[^)]+\))?\n+(\||[-*] |1\. |\$\$)?", _first_words, text)
    return re.sub(r"\]\((?=[\w/]+\.ipynb)", "](../", text).strip()


def _first_words(heading):
    """Its words in bold, before the text; before a table, a list or a formula in a line of their own."""
    words, _, other = heading.groups()
    return f"**{words}{'' if words[-1] in '?!' else '.'}**" + (f"\n\n{other}" if other else " ")


def shows_errata(source):
    return bool(re.match(r"(display\()?erratum\(", source))


def without_errata(source):
    kept = source.splitlines()
    for node, text in reversed(list(statements(source))):
        if shows_errata(text):
            del kept[node.lineno - 1 : node.end_lineno]
    return "\n".join(kept).strip("\n")


@cache
def stored_errata():
    """{id: output} of every entry of the errata that a notebook shows."""
    found = {}
    for notebook in notebooks().values():
        for output in (o for cell in notebook.cells.values() for o in cell.get("outputs", ())):
            if entry := re.match(r"E-[A-Z]\d+", _plain(output)):
                found[entry[0]] = output
    return found


@cache
def exercise(number):
    """(notebook, its text, id of the cell that checks it)"""
    notebook = notebooks()[number.split(".")[0].zfill(2)]
    text = id = None
    for cell in notebook.cells.values():
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and f'check("{number}"' in source:
            id = cell["id"]
        elif cell["cell_type"] == "markdown" and f"**{number}** " in source:
            (text,) = re.findall(rf"\*\*{re.escape(number)}\*\* .+?(?=\n\n\*\*\d+\.\d|\Z)", prose(cell), re.S)
    if not (text and id):
        raise ValueError(f"there is no exercise {number}")
    return notebook, text, id


def mentioned(text, run, known):
    """{name: version} of what an exercise speaks of; of a function to be written, only what can be imported."""
    is_function = any(s.source.startswith("def ") for s in run)
    found = {}
    for code in re.findall(r"`([^`]+)`", text):
        for node, _ in statements(code):
            found |= {name: known[name] for name in Names(node).reads & known.keys()}
    made = {name for s in run for name in s.makes}
    return {name: v for name, v in found.items() if name not in made and (len(v) == 3 or not is_function)}


def formulas_for(sources, shown):
    """Displayed equations that these texts speak of and that nobody has shown yet."""
    asked = dict.fromkeys(tag for source in sources for tag in TAG.findall(source))
    return [formulas()[tag] for tag in asked if tag in formulas() and tag not in shown]


@cache
def formulas():
    """{tag: displayed equation} of all notebooks."""
    cells = [cell for notebook in notebooks().values() for cell in notebook.cells.values()]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    return {found[1]: found[0] for text in texts for found in FORMULA.finditer(text)}


def more(section, lecture):
    """The way to the notebooks: the sections of the cells, and for a page that none of them cites, those that do.

    A link names the section's first cell: JupyterLab finds it in a notebook that it has yet to open, unlike a heading.
    """
    ways = dict.fromkeys((home(id), home(id).sections[id]) for id in section.cells if not id.startswith("E-"))
    for page in section.pages:
        citing = [(notebooks()[s.notebook[:2]], s.title) for s in cited_in().get((lecture, page), ())]
        if not ways.keys() & set(citing):
            ways |= dict.fromkeys(citing)
    links = [f"[notebook {n.number}, {title}](../{n.name}.ipynb#cell-id={n.first_cell(title)})" for n, title in ways]
    return f"*More in {' · '.join(links)}.*" if links else ""


@cache
def cited_in():
    """{(lecture, page): sections of the notebooks}, as docs/coverage.md has them."""
    return {(lecture, page): sections for lecture, page, sections, *_ in coverage.table()}


def make(lecture):
    """The guide of a lecture as a notebook."""
    title, about, sections = table(lecture)
    aliases = {}
    for version in filled(Guide(lecture), sections).imported:
        aliases.setdefault(version[0], []).append(version)
    alone = [versions[0] for versions in aliases.values() if len(versions) == 1]
    start = Guide(lecture)
    start.text(f"lecture_{lecture}", "", "slide")
    start.code("imports", import_lines(alone), [], [], {}, "skip", folded=True)
    guide = Guide(lecture, alone)
    guide.cells = start.cells
    filled(guide, sections)
    for number, cell in enumerate((cell for cell in guide.cells if cell["cell_type"] == "code"), 1):
        cell["execution_count"] = number
        cell["outputs"] = [o | ({"execution_count": number} if "execution_count" in o else {}) for o in cell["outputs"]]
    for _ in range(2):  # the title takes time to read, too
        guide.cells[0]["source"] = _lines(opening(lecture, title, about, sections, guide.cells))
    metadata = notebooks()["01"].metadata
    made = {"cells": guide.cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return with_first_cell(made, settings()["install"])


def opening(lecture, title, about, sections, cells):
    ends = [cell["id"] for cell in cells].index("exercises")
    whole, without = (pages.minutes_of(part)[0] for part in (cells, cells[:ends]))
    used = dict.fromkeys(home(id) for section in sections for id in section.cells if not id.startswith("E-"))
    ways = " · ".join(f"[{notebook.number}](../{notebook.name}.ipynb)" for notebook in used)
    count = sum(len(section.pages) for section in sections)
    return f"""# {title}

{about}

| lecture | cells from notebooks | time |
|---|---|---|
| {lecture}, {count} pages | {ways} | {whole} minutes, {without} without the exercises |

Page by page, in the order of the lecture. Each page has a sentence on what it does, then what computes and shows it:
cells of the notebooks, which say more. A folded cell makes what the next one needs, so run them from the top."""


def filled(guide, sections):
    """The guide with all of its sections, then the exercises."""
    due = {entry.id: entry for entry in all_errata().values() if entry.lecture == guide.lecture}
    placed = {id for section in sections for id in section.cells if id in due}
    for section in sections:
        name = name_of(section.pages)
        if not section.heading:
            line = f"**{name}** · {section.sentence} {more(section, guide.lecture)}".strip()
            guide.text(f"page-{section.pages[0]}", line, "skip")
            continue
        last = [id for id in due if id not in placed and last_page(due[id]) in section.pages]
        groups = _grouped([*section.cells, *last])
        shown = ["".join(home(id).cells[id]["source"]) for id in groups if isinstance(id, str)]
        own = {tag for source in shown for tag in FORMULA.findall(source)}
        asked = formulas_for(shown, guide.formulas | own)
        parts = [f"## {name} · {section.heading}", section.sentence, *asked, more(section, guide.lecture)]
        guide.text(f"page-{section.pages[0]}", "\n\n".join(filter(None, parts)), "slide")
        for number, item in enumerate(groups):
            if isinstance(item, str):
                slide = home(item).cells[item]["metadata"]["slideshow"]["slide_type"]
                begins = slide in ("slide", "subslide")
                guide.show(item, slide if not begins else "subslide" if number else "fragment")
            else:
                guide.entries(item)
    asking = [section for section in sections if section.exercises]
    if asking:
        guide.text("exercises", EXERCISES, "slide")
    for section in asking:
        name = name_of(section.pages)
        guide.text(f"exercises-{section.pages[0]}", f"### {name}", "subslide")
        for number in section.exercises:
            guide.exercise(number)
    return guide


EXERCISES = """## Exercises

By page. Replace the dots and run the cell: an answer is checked at once, and as often as you like. Of a number three
digits are enough, of a count all of them are needed."""


def last_page(entry):
    pages = re.findall(r"([sp])(\d+)(?:-(\d+))?", entry.pages)
    letter, first, last = pages[-1]
    return letter + (last or first)


def _grouped(ids):
    """Entries of the errata that follow each other become one list."""
    groups = []
    for id in ids:
        if not id.startswith("E-"):
            groups.append(id)
        elif groups and isinstance(groups[-1], list):
            groups[-1].append(id)
        else:
            groups.append([id])
    return groups


def _slide(slide):
    return {"slideshow": {"slide_type": slide}}


def _lines(source):
    return source.splitlines(keepends=True)


def _plain(output):
    return "".join(output.get("data", {}).get("text/plain", ""))


def _as(output, kind):
    """A stored output as the last value of a cell, or as something displayed."""
    kept = {key: value for key, value in output.items() if key != "execution_count"} | {"output_type": kind}
    return kept | ({"execution_count": None} if kind == "execute_result" else {})


def text_of(guide):
    """A guide as its file has it."""
    return json.dumps(guide, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main():
    FOLDER.mkdir(exist_ok=True)
    for lecture in coverage.LECTURES:
        (FOLDER / f"lecture_{lecture}.ipynb").write_text(text_of(make(lecture)), encoding="utf-8")


if __name__ == "__main__":
    main()
