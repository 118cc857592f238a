"""What runs in the browser's own Python, behind a live page: the page's cells, as far as something needs them.

kmlab is the same as in a notebook. Widgets of ipywidgets and anywidget, and what IPython displays, are here small
stand-ins that tell the page what has changed. Pictures, controls and exercises are named by the id of their cell.
"""

import ast
import contextlib
import gzip
import importlib.machinery
import io
import json
import linecache
import logging
import symtable
import sys
import traceback
import types
import warnings
from pathlib import Path

MOST_PRINTED = 20_000  # characters of one run: a loop that prints must not fill the page
PLACE = Path(__file__).parent
LIVE = "application/vnd.jupyter.widget-view+json"


def post(message, buffers):
    """To the page; worker.js puts a function of its own here, and another that fetches an archive."""


fetch_rest = None


# ---- widgets

known = {}  # id -> widget that the page shows
changes = {}  # id -> {trait: value}, not yet told
by_the_page = {}  # (id, trait) -> value that the page has set itself, and need not be told


def flush():
    """Tells the page what has changed."""
    if changes:
        told = dict(changes)
        changes.clear()
        tell({"changes": told})


def tell(message):
    """Bytes travel beside the text."""
    buffers = []

    def plain(thing):
        if isinstance(thing, bytes):
            buffers.append(thing)
            return {"buffer": len(buffers) - 1}
        return thing.item()  # a number of numpy

    post(json.dumps(message, default=plain), buffers)


class Settings:
    """Layout or style of a widget: CSS, roughly."""

    def __init__(self, owner, name, given):
        vars(self).update(given, _owner=owner, _name=name)

    def __setattr__(self, name, value):
        vars(self)[name] = value
        self._owner.tell(self._name)

    def state(self):
        return {name: value for name, value in vars(self).items() if name[0] != "_"}


class Widget:
    places = ("value",)  # of the first arguments
    told = ("value", "disabled", "description")  # what the page shows
    value, description, disabled, options, children, id = None, "", False, (), (), None
    model_id = ""  # Jupyter's name of it, which no page asks for

    def __init__(self, *first, layout=None, style=None, **given):
        given = dict(zip(self.places, first, strict=False)) | given
        vars(self).update(watchers=[], clicks=[], ears=[], classes=[])
        self.layout, self.style = Settings(self, "layout", layout or {}), Settings(self, "style", style or {})
        for name in sorted(given, key="value".__eq__):  # a value last, when its range stands
            setattr(self, name, given[name])

    def __setattr__(self, name, value):
        value, before = self.fit(name, value), getattr(self, name, None)
        super().__setattr__(name, value)
        if before is value or (name not in ("layout", "style") and before == value):
            return
        if name in self.told:
            self.tell(name)
        for watch, watched in list(self.watchers):
            if watched == name:
                watch({"name": name, "old": before, "new": value, "owner": self})

    def fit(self, name, value):
        return value

    def tell(self, name):
        if self.id is not None:
            state = self.state(name)
            if by_the_page.pop((self.id, name), changes) != state:
                changes.setdefault(self.id, {})[name] = state

    def state(self, name):
        """What the page is told of a trait."""
        value = getattr(self, name)
        if name == "children":
            return [tree(child, f"{self.id}.{len(known)}.{i}") for i, child in enumerate(value)]
        return value.state() if isinstance(value, Settings) else value

    def observe(self, watch, names="value"):
        self.watchers.append((watch, names))

    def on_click(self, act):
        self.clicks.append(act)

    def on_msg(self, hear):
        self.ears.append(hear)

    def add_class(self, name):
        self.classes.append(name)
        return self

    def set_trait(self, name, value):
        setattr(self, name, value)

    @contextlib.contextmanager
    def hold_sync(self):
        yield
        flush()

    def hold_trait_notifications(self):
        return contextlib.nullcontext()

    def close(self):
        pass

    def take(self, name, value):
        """What the reader has done in the page."""
        if name == "click":
            for act in self.clicks:
                act(self)
        elif name == "said":
            for hear in self.ears:
                hear(self, value, [])
        else:
            by_the_page[self.id, name] = value
            setattr(self, name, value)
            if by_the_page.pop((self.id, name), None) is not None and self.state(name) != value:
                self.tell(name)  # it did not fit

    def _repr_mimebundle_(self, **_):
        return {LIVE: {}}


class Box(Widget):
    places, told = ("children",), ("children",)


class Slider(Widget):
    told = ("value", "disabled", "description", "min", "max", "step")
    value, min, max, step = 0, 0, 100, 1

    def fit(self, name, value):
        return min(max(value, self.min), self.max) if name == "value" else value

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name in ("min", "max"):
            self.value = self.value


class Selection(Widget):
    """The page knows the options by their names, and which of them it is."""

    places, told = ("options",), ("index", "labels", "disabled", "description")

    def __setattr__(self, name, value):
        if name == "options":
            value = [each if isinstance(each, tuple) else (str(each), each) for each in value]
            super().__setattr__(name, value)
            self.labels = [name for name, _ in value]
            if self.value not in [each for _, each in value]:
                self.value = value[0][1]
        elif name == "index":
            self.value = self.options[value][1]
        else:
            super().__setattr__(name, value)
        if name in ("value", "options"):
            self.tell("index")

    @property
    def index(self):
        return [value for _, value in self.options].index(self.value)


class AnyWidget(Widget):
    """The picture: what it has as class attributes are its traits."""

    def __init__(self):
        super().__init__()
        for name, value in vars(type(self)).items():
            if isinstance(value, Trait):
                vars(self)[name] = value.default

    @property
    def told(self):
        return [name for name, value in vars(type(self)).items() if isinstance(value, Trait)]


class Trait:
    def __init__(self, default):
        self.default = default

    def tag(self, **_):
        return self


def tree(widget, id):
    """A widget with all that is in it, for the page; from now on the page is told of its changes."""
    widget.id, known[id] = id, widget
    shown = {"id": id, "kind": type(widget).__name__, "classes": widget.classes}
    if isinstance(widget, AnyWidget):
        return shown | {"kind": "Picture"}
    for name in (*widget.told, "layout", "style"):
        if name != "children" and (state := widget.state(name)) not in (None, "", {}) and state is not False:
            shown[name] = state
    children = [tree(child, f"{id}.{i}") for i, child in enumerate(widget.children)]
    return shown | ({"children": children} if children else {})


KINDS = {
    Box: ("HBox", "VBox"),
    Slider: ("IntSlider", "FloatSlider", "IntProgress"),
    Selection: ("Dropdown", "SelectionSlider", "ToggleButtons"),
    Widget: ("HTML", "Button", "Text", "Checkbox"),
}


def install():
    """Instead of the real packages, which know of a kernel and a server."""
    widgets = {name: type(name, (base,), {}) for base, names in KINDS.items() for name in names}
    empty = {"Dict": {}, "List": [], "Bytes": b"", "Unicode": "", "Float": 0.0, "Int": 0}
    traits = {name: lambda default=default: Trait(default) for name, default in empty.items()}
    traits |= {name: lambda default, _=None: Trait(default) for name in ("Float", "Int")}
    shown = {"display": display, "Markdown": Markdown, "HTML": HTML}
    events = types.SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None)  # pyplot wants to be called
    shell = types.SimpleNamespace(kernel=None, events=events)
    python = {"version_info": (9, 12), "get_ipython": lambda: shell}  # matplotlib asks for the version
    modules = {
        "ipywidgets": widgets,
        "anywidget": {"AnyWidget": AnyWidget},
        "traitlets": traits,
        "IPython": python | {"display": display},
        "IPython.display": shown,
    }
    for name, content in modules.items():
        module = types.ModuleType(name)
        vars(module).update(content)
        sys.modules[name] = module
    sys.modules["IPython"].display = sys.modules["IPython.display"]


def start():
    """In the browser: buffers for the page are its own, packages that were left out come when they are asked for."""
    global post
    from pyodide.ffi import to_js

    to_page = post

    def post(message, buffers):
        to_page(message, to_js(buffers))

    install()
    sys.meta_path.append(Rest())
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # formulas name fonts that they can do without


class Rest:
    """Modules that no notebook uses: the first of them that is asked for brings all."""

    def __init__(self):
        self.modules = set(json.loads((PLACE / "rest.json").read_bytes()))

    def find_spec(self, name, path=None, target=None):
        if name not in self.modules:
            return None
        try:
            content = gzip.decompress(fetch_rest().to_bytes())
        except Exception as error:
            why = f"{name} comes with a second archive, which could not be fetched: mend the connection, and run again."
            raise ImportError(why, name=name) from error
        start = 4 + int.from_bytes(content[:4], "little")
        for file, size in json.loads(content[4:start]):
            (PLACE / file).parent.mkdir(parents=True, exist_ok=True)
            (PLACE / file).write_bytes(content[start : start + size])
            start += size
        self.modules = set()
        importlib.invalidate_caches()
        return importlib.machinery.PathFinder.find_spec(name, path, target)


# ---- what is displayed

show = None  # takes a dict {kind of content: content} while an exercise runs


class Markdown:
    kind = "text/markdown"

    def __init__(self, data):
        self.data = data


class HTML(Markdown):
    kind = "text/html"


def display(*things, raw=False, **_):
    for thing in things:
        if show:
            show(thing if raw else bundle(thing))


def bundle(thing):
    if isinstance(thing, Markdown):
        return {thing.kind: thing.data}
    if hasattr(thing, "_repr_mimebundle_"):
        data = thing._repr_mimebundle_()
        return data[0] if isinstance(data, tuple) else data
    if hasattr(thing, "savefig"):  # a figure of matplotlib
        file = io.BytesIO()
        thing.savefig(file, format="png")
        return {"image/png": file.getvalue()}
    if hasattr(thing, "_repr_html_"):
        return {"text/html": thing._repr_html_()}
    return {"text/plain": repr(thing)}


def use_pyplot():
    """There is no window: figures appear where code shows them, and at its end."""
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    plt.show = show_figures


def show_figures(*_, **__):
    """Those of pyplot, as after a notebook's cell: the next one begins anew."""
    if plt := sys.modules.get("matplotlib.pyplot"):
        for number in plt.get_fignums():
            display(plt.figure(number))
        plt.close("all")


def nobody_to_ask(*_):
    raise RuntimeError("input() asks nobody on this page: write the value into your code.")


class Printer(io.TextIOBase):
    """What code prints, on its way to the page."""

    left = MOST_PRINTED

    def write(self, text):
        if self.left > 0:
            show({"text": text[: self.left] + (" …" if len(text) > self.left else "")})
        self.left -= len(text)
        return len(text)


# ---- cells


class Statement:
    """A line of a notebook at the top level: which names it looks at, and which it makes or may change."""

    def __init__(self, node, cell, imported=frozenset()):
        self.node, self.cell = node, cell
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        self.loads = looked_at(node)
        self.makes = {part.id for part in names if not isinstance(part.ctx, ast.Load)}
        again = [part.target for part in ast.walk(node) if isinstance(part, ast.AugAssign)]  # x += 1 looks at x
        again += [part for part in names if isinstance(part.ctx, ast.Del)]
        self.loads |= {part.id for part in again if isinstance(part, ast.Name)}
        self.makes |= {part.name for part in ast.walk(node) if hasattr(part, "body") and hasattr(part, "name")}
        for alias in [part for part in ast.walk(node) if isinstance(part, ast.alias)]:
            self.makes.add(alias.asname or alias.name.split(".")[0])
        self.changes = {root for part in ast.walk(node) if (root := changed_by(part))} - imported
        self.imports = isinstance(node, ast.Import | ast.ImportFrom)
        plain = ast.Assign, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef
        self.begins = self.makes - self.loads if isinstance(node, plain) else set()  # nothing before them matters
        self.later = any(isinstance(part, ast.FunctionDef | ast.Lambda) for part in ast.walk(node))

    @property
    def touches(self):
        return self.makes | self.changes

    @property
    def names(self):
        return self.touches | self.loads

    def run(self, space):
        exec(compile(ast.Module([self.node], []), f"<{self.cell}>", "exec"), space)


def looked_at(node):
    """The names that it needs from elsewhere: what a function calls its own is not among them."""
    tables = [symtable.symtable(ast.unparse(node), "", "exec")]
    for table in tables:
        tables += table.get_children()
    found = [(symbol, table) for table in tables for symbol in table.get_symbols() if symbol.is_referenced()]
    return {symbol.get_name() for symbol, table in found if table is tables[0] or symbol.is_global()}


def changed_by(part):
    """The name whose object a call of its method, an assignment to its part, or next() may change."""
    if isinstance(part, ast.Call):
        if isinstance(part.func, ast.Name) and part.func.id in ("next", "setattr", "delattr") and part.args:
            part = part.args[0]
        else:
            part = part.func if isinstance(part.func, ast.Attribute) else None
    elif not (isinstance(part, ast.Attribute | ast.Subscript) and not isinstance(part.ctx, ast.Load)):
        return None
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    return part.id if isinstance(part, ast.Name) else None


def parsed(source):
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(source).body
    except SyntaxError:  # a gap that the student fills
        return []


class Notebook:
    """The cells of a page, [id, source] each, of which nothing is run before it is needed, and nothing else."""

    def __init__(self, cells):
        nodes = [(id, node) for id, source in cells for node in parsed(source)]
        loose = [Statement(node, id) for id, node in nodes]
        imported = frozenset(name for statement in loose if statement.imports for name in statement.makes)
        self.statements = [Statement(node, id, imported) for id, node in nodes]
        self.sources = dict(cells)
        self.order = list(self.sources)
        self.views, self.mine = {}, {}  # made by the reader's answers
        self.begin()

    def begin(self):
        self.space, self.ran = {"__name__": "__main__", "display": display, "input": nobody_to_ask}, []

    def place(self, cell):
        """Number of the cell's first statement, and of the one after its last."""
        numbers = [self.order.index(statement.cell) for statement in self.statements]
        here = self.order.index(cell)
        return sum(number < here for number in numbers), sum(number <= here for number in numbers)

    def needed(self, names, before):
        """Numbers of the statements that make these names what they are at that place."""
        always = set()
        while True:
            wanted, found = names | always, []
            for number in range(before - 1, -1, -1):
                statement = self.statements[number]
                if statement.touches & wanted:
                    found.append(number)
                    wanted = wanted - statement.begins | statement.loads | always
            called = {
                name for number in found if self.statements[number].later for name in self.statements[number].loads
            }
            if called <= always:  # what a function looks at may be made after it
                return found[::-1]
            always |= called

    def prepare(self, names, before):
        """Runs what is needed and has not run yet; from the beginning where names have been taken by something else."""
        wanted = self.needed(names, before)
        names = names.union(*(self.statements[number].loads for number in wanted))
        new = [number for number in wanted if number not in self.ran]
        for old in self.ran:
            touched = self.statements[old].touches
            late = old >= before or any(number < old and self.statements[number].names & touched for number in new)
            if late and touched & names:
                self.begin()
                new = wanted
                break
        for number in new:
            self.statements[number].run(self.space)
            self.ran.append(number)

    def view(self, cell):
        """The view that is the last line of this cell."""
        _, end = self.place(cell)
        last = self.statements[end - 1]
        with contextlib.redirect_stdout(io.StringIO()):  # what cells print stands in the page already
            self.prepare(last.loads, end - 1)
            return eval(compile(ast.Expression(last.node.value), f"<{cell}>", "eval"), self.space)

    # ---- for the page

    def make(self, cell):
        """A view comes alive: the page gets its controls, and its picture."""
        self.views[cell] = view = self.view(cell)
        shown = tree(view.widget, cell)
        for id in [id for id in known if id == cell or id.startswith(cell + ".")]:
            if isinstance(known[id], AnyWidget):
                for name in known[id].told:
                    known[id].tell(name)
        tell({"made": cell, "tree": shown})
        flush()

    def answer(self, cell, events):
        """The reader has moved something: [[id, trait, value], ...]; drawn once, however much it is."""
        with self.views[cell].at_once():
            for id, name, value in json.loads(events):
                if id in known:
                    known[id].take(name, value)
        flush()

    def run(self, cell, source, then="[]", answers="[]"):
        """A reader's answer to an exercise, with all that it looks at; what comes of it goes to show().

        Of a homework: the cells that then look at it, and all answers, which stand where the gaps were.
        """
        global show
        if answers := dict(json.loads(answers)):
            whole = Notebook([[id, answers.get(id, source)] for id, source in self.sources.items()])
            return whole.run(cell, source, then)
        name = f"<exercise {cell}>"
        linecache.cache[name] = len(source), None, source.splitlines(True), name

        def say(content):
            tell({"said": content, "cell": cell})

        try:
            parts = [ast.parse(source, name).body, *(parsed(self.sources[id]) for id in json.loads(then))]
            statements = [Statement(node, cell) for body in parts for node in body]
            loads, own = set(), set()
            for statement in statements:
                loads |= statement.loads - own
                own |= statement.begins
            with contextlib.redirect_stdout(io.StringIO()):  # what cells print stands in the page already
                self.prepare(loads | {"check"}, self.place(cell)[0])
            if "pyplot" in source:
                use_pyplot()
            show = say
            with contextlib.redirect_stdout(Printer()), contextlib.redirect_stderr(sys.stdout):
                space = self.mine | self.space
                try:
                    for i, body in enumerate(parts):
                        where = f"<after {cell}>" if i else name
                        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
                        exec(compile(ast.Module(body, []), where, "exec"), space)
                        value = eval(compile(ast.Expression(last.value), where, "eval"), space) if last else None
                        if value is not None:
                            display(value)
                finally:
                    show_figures()
                made = set().union(*(statement.makes for statement in statements))
                self.mine |= {name: space[name] for name in made if name in space}
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            say({"error": explained(error, name)})
        finally:
            show = None


def explained(error, name):
    """The lines of the reader's own code on the way to the error, and what it says."""
    if isinstance(error, SyntaxError) and error.filename == name:
        return "".join(traceback.format_exception_only(error)).replace(f'File "{name}", ', "").strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    lines = [f"line {frame.lineno}: {frame.line}" for frame in frames[:5] + frames[5:][-5:]]
    return "\n".join([*lines, "".join(traceback.format_exception_only(error)).strip()])
