"""The notebooks: anatomy, stored outputs, links, and every control of every live view at both ends and between.

That the stored text equals a new run's is checked by nbval, which course.py test runs over the same files.
"""

import ast
import base64
import html
import importlib
import io
import json
import re
import tomllib
import warnings
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
from PIL import Image

import kmlab.show
import kmlab.show.notebook
from kmlab.course import live
from kmlab.course.drawings import start_here
from kmlab.show import layers
from kmlab.show.widgets import View, choice, figure_of, slider
from publish.alone import shown
from publish.execute import slim

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHAPTERS = [path for path in NOTEBOOKS if path.stem not in ("00_start_here", "16_playground")]
HOMEWORK = sorted((ROOT / "notebooks/homework").glob("*.ipynb"))
NOT_PROSE = re.compile(  # code, formulas, addresses; titles of works stand in italics, words of others in quotes
    r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|https?://\S+|<[^>]*>|\w+\.py\b|"
    r'(?<!\*)\*(?![*\s])[^*]+\*|"[^"\n]+"',
    re.S,
)
AMERICAN = re.compile(
    r"\b(?:center(?:s|ed|ing)?|colors?|colored|neighbors?|neighboring|behaviors?|gray|labeled|labeling|"
    r"modeled|modeling|traveled|canceled|analyz\w+|favor\w*|honor\w*|fulfill|math|(?!(?:re|over)?siz|priz|seiz)"
    r"\w+iz(?:e[ds]?|ers?|ing|ations?))\b",
    re.I,
)
SLIDE_TYPES = {"slide", "subslide", "fragment", "skip", "notes"}


def cells(path, kind=None):
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if kind in (None, cell["cell_type"])]


def text(cell):
    return "".join(cell["source"])


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return request.param


def code_of_views(path):
    """The cells that make live views, and those that make what these use; all others are left to nbval."""
    needed, wanted = [], set()
    for code in reversed([text(cell) for cell in cells(path, "code")]):
        nodes = list(ast.walk(ast.parse(code)))
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        if used & {"explore", "step_through", "Playground"} or wanted & set().union(*map(made_by, nodes)):
            needed.append(code)
            wanted |= used
    return needed[::-1]


def made_by(node):
    """Names that a part of a program gives a value, or may change: `X[0] = 1`, `model.fit(X)` on a line of its own."""
    if isinstance(node, ast.alias):
        return {node.asname or node.name.split(".")[0]}
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node = node.value.func
        if isinstance(node, ast.Name):
            return set()
    elif not isinstance(getattr(node, "ctx", None), ast.Store):
        return set()
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


@pytest.fixture(scope="module")
def views_of(request):
    """Runs what a notebook's live views need of it in this process once and gives the views, not yet drawn."""
    made = {}

    def run(path):
        if path not in made:
            with pytest.MonkeyPatch.context() as patch:
                views = []
                patch.setattr(View, "_show", lambda *_: None)  # nbval draws them as they begin, and so does the sweep
                for module, name in ((kmlab.show, "explore"), (kmlab.show, "step_through"), (live, "Playground")):
                    build = getattr(module, name)
                    patch.setattr(module, name, lambda *a, build=build, **k: views.append(build(*a, **k)))
                scope = {"display": lambda *things: None}
                for code in code_of_views(path):
                    exec(code, scope)
            made[path] = views
        return made[path]

    return run


def test_every_cell_has_a_slide_type(notebook):
    for cell in cells(notebook):
        assert cell["metadata"]["slideshow"]["slide_type"] in SLIDE_TYPES


def test_stored_outputs_are_complete_and_clean(notebook):
    metadata = json.loads(notebook.read_text(encoding="utf-8"))["metadata"]
    assert "widgets" not in metadata
    for number, cell in enumerate(shown(cells(notebook, "code")), 1):
        assert cell["execution_count"] == number, "run course.py execute"
        for output in cell["outputs"]:
            assert output["output_type"] != "error" and output.get("name") != "stderr"
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})
            assert "✘" not in "".join(output.get("text", "")), "a claim fails"


def test_a_live_view_leaves_a_picture(notebook):
    for cell in cells(notebook, "code"):
        if re.search(r"^(explore|step_through|picture)\(", text(cell), re.M):
            assert any("image/png" in output.get("data", {}) for output in cell["outputs"])


def test_no_text_names_a_shade_that_a_dark_page_turns_round(notebook):
    """Hues stay what they are; what is white on paper is black at night."""
    texts = [text(cell) for cell in cells(notebook, "markdown")]
    for cell in cells(notebook, "code"):
        texts += ["".join(o["data"]["text/plain"]) for o in cell["outputs"] if "image/png" in o.get("data", {})]
    for said in texts:
        assert not re.search(r"\b(white|black|pale|bright|dark)\b", said), said


def test_headings_go_down_one_level_at_a_time(notebook):
    headings = [line for cell in cells(notebook, "markdown") for line in re.findall(r"^#+ ", text(cell), re.M)]
    levels = [len(heading) - 1 for heading in headings]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_links_lead_to_notebooks_that_are_there(notebook):
    for cell in cells(notebook, "markdown"):
        for target in re.findall(r"\]\(([^)#]+)\)", text(cell)):
            assert (notebook.parent / target).exists(), target


def test_the_tag_of_an_equation_stands_in_the_source(notebook):
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "kmlab").glob("*.py"))
    for cell in cells(notebook, "markdown"):
        for tag in re.findall(r"\\tag\{([^}]+)\}", text(cell)):
            assert f"({tag})" in source, tag


def test_definitions_stand_only_by_hand_and_in_exercises(notebook):
    section = ""
    for cell in cells(notebook):
        heading = re.findall(r"^## (.+)", text(cell), re.M) if cell["cell_type"] == "markdown" else []
        section = heading[-1] if heading else section
        if cell["cell_type"] == "code" and re.search(r"^(def|class) ", text(cell), re.M):
            assert section in ("By hand", "Exercises", "A picture of your own"), text(cell)


def test_a_cell_with_claims_has_at_most_eight_lines(notebook):
    for cell in cells(notebook, "code"):
        assert "claim(" not in text(cell) or len(cell["source"]) <= 8, text(cell)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_notebook_shows_how_one_of_its_pictures_is_drawn(path):
    code = "\n".join(text(cell) for cell in cells(path, "code")).replace("\n ", " ")
    plots = importlib.import_module("kmlab.course.drawings." + re.search(r"drawings import (\w+) as plots", code)[1])
    shown = re.findall(r"^source\(plots\.(\w+)\)", code, re.M)
    assert shown
    for name in shown:
        assert re.search(rf"(explore|step_through|picture)\(.*plots\.{name}\b", code), f"{name} is not drawn here"
        listing = kmlab.show.notebook.source(getattr(plots, name)).data.splitlines()
        assert listing[2].startswith("@panels(") and listing[3].startswith(f"def {name}(axes")
        assert len(listing) <= 25, f"{name} is too long to be read"


def test_the_first_notebook_ends_with_a_picture_of_your_own():
    *_, prose, code, questions, end = cells(NOTEBOOKS[0])
    assert text(prose).startswith("## A picture of your own\n") and text(questions).startswith("1. ")
    assert text(end).startswith("## Where to go")
    lines = [line for line in text(code).splitlines() if line]
    assert len(lines) <= 8 and any(line.startswith("@panels(") for line in lines) and lines[-1].startswith("explore(")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_chapter_has_one_cell_with_your_own_data(path):
    found = cells(path)
    (at,) = [i for i, cell in enumerate(found) if text(cell).startswith("### With your own data\n")]
    prose, code = found[at : at + 2]
    assert prose["cell_type"] == "markdown" and code["cell_type"] == "code"
    assert len(code["source"]) <= 8 and "np.loadtxt(" in text(code), "a stand-in, and how to take a file instead"
    assert any(text(cell).startswith("## Exercises") for cell in found[at:]), "before the exercises"


def american(prose):
    return AMERICAN.findall(NOT_PROSE.sub(" ", prose))


@pytest.mark.parametrize(
    "path", [*NOTEBOOKS, *HOMEWORK, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name
)
def test_prose_has_one_spelling(path):
    is_notebook = path.suffix == ".ipynb"
    texts = [text(cell) for cell in cells(path, "markdown")] if is_notebook else [path.read_text(encoding="utf-8")]
    assert not [word for prose in texts for word in american(prose)], "British in prose; code names as they are"


def test_other_spellings_are_seen_in_prose_and_left_alone_elsewhere():
    said = "Normalize the colors of labeled neighbors; a kernelized, analyzed model: gray centers, visualizations."
    assert len(american(said)) == 9
    assert not american('`color`, $center$, *Multivariate Modeling*, [neighbors.py](centering.py), "as he modeled it"')
    assert not american("The size of a prize, resized; seize, centre, colour, neighbour, labelled, program, licensed.")


def test_a_view_gets_all_that_it_is_made_of_and_no_more(tmp_path):
    code = [
        "import numpy as np",
        "from kmlab.show import explore",
        "X = np.zeros(3)",
        "X[0] = 1",
        "y = 2",
        "print(X, y)",
    ]
    code += [
        "def draw(axes, X, m): return str(m)",
        "m = Model()",
        "m.fit(X)",
        "claim(m)",
        "explore(draw, X, m)",
        "X = 3",
    ]
    made = [{"cell_type": "code", "source": [line]} for line in code]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": made}))
    assert code_of_views(tmp_path / "a.ipynb") == [
        line for line in code if line[:2] not in ("y ", "pr", "cl") and line != "X = 3"
    ]


def test_every_control_is_swept(notebook, views_of):
    for view in views_of(notebook):
        if isinstance(view, live.Playground):
            continue  # all its combinations are swept by its own tests
        if view.canvas.layout.projections:
            picture(view)  # panels in space find their place while the first picture is drawn
        first = draw(view)
        for name, control in view.controls.items():
            changes = False
            for value in untried(control):
                changes = draw(view, **{name: value}) != first or changes
            if not changes and isinstance(control, slider):  # of starts at random several may be alike
                steps = np.arange(control.lo, control.hi, control.step)[1:8]
                changes = any(picture(view, **{name: value}) != first for value in steps)
            changes = changes or changes_elsewhere(view, name)
            assert changes, f"{name} of {view.canvas.draw.__name__} changes nothing"


def untried(control):
    """The values to sweep without that which it begins with; if this lies between the ends, they are all."""
    values, begins = control.values_to_sweep(), control.value
    if isinstance(control, slider) and control.lo < begins < control.hi:
        values = [control.lo, control.hi]
    return [value for value in values if value != begins]


def draw(view, **values):
    """The picture at these values, with nothing cut off."""
    view._check(values)
    drawn = picture(view, **values)
    with view.canvas.ready():
        where = f"{view.canvas.draw.__name__}, {values}"
        assert beyond_the_edge(view.canvas.figure) <= 2, f"{where}: something is cut off"
    return drawn


def picture(view, **values):
    """What the page is sent for the picture at these values: it takes a third of the time that painting it takes."""
    with view.canvas.ready():
        assert view.canvas.fill(*view.arguments, **view.fixed, **(view.values | values))
        below, frame = view.canvas.backdrop_shows(), layers.Frame(view.canvas)
        return below, frame.scene, frame.numbers, sorted(frame.pieces)


HANDS = ["none", "one", "two", "one class", "equal", "on a line", "far", "many"]
NUMPY_SPEAKS = re.compile(
    r"broadcast|zero-size|out of bounds|index \d|singular|ndarray|dtype|NaN|\bnan\b|infs|argm(ax|in)"
)


def left_by_a_hand(hand, kind):
    """Points and labels as a reader might leave them; None where these points can only be moved."""
    rng, n, (low, high) = np.random.default_rng(0), len(hand.first[0]), hand.frame
    size = {"none": 0, "one": 1, "two": 2, "many": hand.most}.get(kind, n)
    if hand.fixed and size != n:
        return None
    rows = np.arange(size) % max(n, 1)
    share = {
        "equal": np.full((size, 2), 0.5),
        "on a line": np.tile(np.linspace(0.1, 0.9, size)[:, None], 2),
        "far": rng.integers(0, 2, (size, 2)),
        "many": rng.random((size, 2)),
    }
    X = low + (high - low) * share[kind] if kind in share else hand.first[0][rows]
    if hand.y is None:
        return X, None
    return X, np.full(size, hand.classes[0]) if kind == "one class" else hand.first[1][rows]


def test_whatever_a_hand_does_there_is_a_picture_or_a_sentence(notebook, views_of):
    for view in views_of(notebook):
        for kind in HANDS if view.hand else []:
            left, where = left_by_a_hand(view.hand, kind), f"{view.canvas.draw.__name__}, {kind}"
            if left is None:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)  # such as a division by zero
                view.do("place", X=left[0], y=left[1])
            said = html.unescape(re.sub("<.*?>", "", view._alert.value)).split(": ", 1)[-1]
            assert said.endswith(".") if said else view.caption, f"{where}: {said}"
            assert not NUMPY_SPEAKS.search(said), f"{where}: {said}"
            if not said:
                assert beyond_the_edge(view.canvas.figure) <= 2, f"{where}: something is cut off"
            if said or kind == "far":  # these are placed in every view
                view.do("reset")
                assert not view._alert.value, f"{where}, and back: {view._alert.value}"


def test_the_first_picture_turns_and_never_collapses():
    def shown(data, move):
        right = figure_of(start_here.unroll, data=data, move=move).axes[1]
        return np.vstack([dots.get_offsets() for dots in right.collections])

    for data in start_here.DATA:
        for move in (0.25, 0.5, 0.75, 1.0):
            assert shown(data, move).std(0).min() > 0.95 * shown(data, 0).std(0).min(), (data, move)


def test_a_parameter_that_a_kernel_does_not_have_is_disabled(notebook, views_of):
    for view in views_of(notebook):
        if not isinstance(view.controls.get("kernel"), choice) or isinstance(view, live.Playground):
            continue
        for kernel in view.controls["kernel"].values_to_sweep():
            for name in {"width", "degree", "coef0"} & view.controls.keys():
                least, *_, most = view.controls[name].values_to_sweep()
                moves = picture(view, kernel=kernel, **{name: least}) != picture(view, kernel=kernel, **{name: most})
                assert view.controls[name].matters(view.values | {"kernel": kernel}) == moves, (kernel, name)


def beyond_the_edge(figure):
    """By how many pixels a label, a mark or a legend sticks out of the picture."""
    boxes = [ax.get_tightbbox(figure.canvas.get_renderer()) for ax in figure.axes]
    return max(max(-box.min.min(), (box.max - figure.bbox.max).max()) for box in boxes if box is not None)


def changes_elsewhere(view, name):
    """A control may serve only some of the choices: a degree does nothing to a Gaussian."""
    values = view.controls[name].values_to_sweep()
    for other, control in view.controls.items():
        if isinstance(control, choice) and other != name:
            for option in control.values_to_sweep():
                one, another = (picture(view, **{other: option, name: value}) for value in values[:2])
                if one != another:
                    return True
    return False


def test_a_stored_picture_keeps_the_colours_that_are_seen_most():
    ramp = np.tile(np.linspace(0, 255, 600).astype(np.uint8), (60, 1))  # more colours than a palette has
    pixels = np.dstack([ramp, ramp[:, ::-1], np.roll(ramp, 99, axis=1)])
    pixels[:20], pixels[20:30] = 255, (242, 242, 247)  # paper, and the pale wall of a room
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    stored = Image.open(io.BytesIO(base64.b64decode(slim(base64.b64encode(file.getvalue()).decode()))))
    assert stored.mode == "P"
    found = np.asarray(stored.convert("RGB"))
    assert np.array_equal(found[:30], pixels[:30])
    assert np.abs(found.astype(int) - pixels).max() < 32


def test_the_packages_of_the_lab_are_looked_for():
    asked = dict(kmlab.show.notebook._requirements())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["lab"]
    assert set(asked) == {line.split()[0] for line in wanted} - {"jupyterlab"}
    assert asked["matplotlib"] == "3.10"


def test_this_environment_is_complete(capsys):
    kmlab.show.notebook.check_environment()
    assert capsys.readouterr().out.startswith("✔ Every package")


def test_a_missing_or_old_package_is_named_with_its_remedy(monkeypatch, capsys):
    asked = ["numpy<100,>=99.0", 'no-such-package<2,>=1.0; extra == "lab"', 'another<2,>=1.0; extra == "test"']
    monkeypatch.setattr("importlib.metadata.requires", {"kmlab": asked}.get)
    kmlab.show.notebook.check_environment()
    old, missing = capsys.readouterr().out.splitlines()
    assert re.match(
        r"✘ numpy [\d.]+ is older than 99.0: close JupyterLab, delete .venv and run `python3 course.py`", old
    )
    assert missing.startswith("✘ no-such-package is missing: close JupyterLab")
    monkeypatch.setattr(kmlab.show.notebook, "_in_the_course_folder", lambda: False)
    kmlab.show.notebook.check_environment()
    assert capsys.readouterr().out.count('run %pip install "kmlab[lab]" and restart the kernel.') == 2


def test_source_is_shown_from_the_file():
    from kmlab.centering import center_gram

    listing = kmlab.show.notebook.source(center_gram).data
    assert listing.startswith("`kmlab/centering.py`\n```python\ndef center_gram(K):") and listing.endswith("```")


def test_a_bar_counts_the_steps_and_is_gone_afterwards(monkeypatch):
    seen, closed = [], []
    monkeypatch.setattr(kmlab.show.notebook, "get_ipython", lambda: "a notebook")
    monkeypatch.setattr(kmlab.show.notebook, "display", lambda bundle, raw: seen.append(list(bundle)))
    monkeypatch.setattr(ipywidgets.IntProgress, "close", lambda bar: closed.append((bar.value, bar.max)))
    assert list(kmlab.show.notebook.progress("abc")) == ["a", "b", "c"]
    assert seen == [[kmlab.show.stills.LIVE]] and closed[0] == (3, 3)
    next(steps := kmlab.show.notebook.progress("abc"))
    steps.close()  # an interrupted cell
    assert closed[1] == (0, 3)
