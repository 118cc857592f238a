"""Every figure is written from kmlab, twice the same; the stored ones are current; all 36 of the lectures are there."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections import Counter
from pathlib import Path

import pytest

from kmlab.course import drawings, experiments
from publish.figures import LECTURE_FIGURES, all_figures, caption, write

STORED = Path(__file__).parent.parent / "figures"

# pages with a picture, lecture by lecture; where the transcript has lost it, its content is inferred from the page
PICTURES = {
    "000": "s3 s4 s9 s21 s23 s33-36",
    "001": "p112 p113 p114 p121",
    "002": "s10 s12 s22 s23 s24",
    "003": "s4 s5 s8 s9 s10 s11 s12 s13 s24",
    "004": "s3 s6 s8 s9 s13 s17 s18 s20 s21 s26 s27 s28",
}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    write(folder)
    return folder


def test_figures_are_the_same_bytes_on_every_run(drawn, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("publish.figures.all_figures", lambda: iter(list(all_figures())[::20]))
    write(tmp_path)
    again = list(tmp_path.iterdir())
    for path in again:
        assert path.read_bytes() == (drawn / path.name).read_bytes(), path.name
    assert f"{len(again)}/{len(again)}" in capsys.readouterr().out


def test_a_figure_that_is_no_longer_made_is_removed(tmp_path, monkeypatch):
    (tmp_path / "gone.svg").write_text("old")
    monkeypatch.setattr("publish.figures.all_figures", lambda: iter(list(all_figures())[:1]))
    write(tmp_path)
    assert [path.stem for path in tmp_path.iterdir()] == [next(all_figures())[0]]


def test_the_stored_figures_are_those_that_are_made(drawn):
    assert {path.stem for path in STORED.glob("*.svg")} == {path.stem for path in drawn.iterdir()}
    for path in drawn.iterdir():
        assert same_picture(path.read_text(), (STORED / path.name).read_text()), f"{path.stem}: run course.py figures"


def test_a_stale_picture_is_noticed():
    width_5, width_2 = ((STORED / f"locality_{name}.svg").read_text() for name in ("s_curve", "narrow"))
    assert same_picture(width_5, width_5) and not same_picture(width_5, width_2)
    assert not same_picture(width_5, width_5.replace("#440154", "#0072b2"))  # another colour


def same_picture(a, b):
    """The same to the byte, or but for what rounding on another machine changes: as many texts, like colours, and
    a third of all points within a pixel or so (the path of a solver jumps)."""
    if a == b:
        return True
    texts, colours, points = zip(*map(_content, (a, b)), strict=True)
    common = (points[0] & points[1]).total() / max(p.total() for p in points)
    return len(texts[0]) == len(texts[1]) and _near(*colours) and _near(*reversed(colours)) and common > 0.3


def _near(colours, others):
    """Has each colour one among the others that the eye cannot tell from it? A colour map may step at another place."""

    def channels(colour):
        return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]

    return all(
        any(max(abs(a - b) for a, b in zip(channels(c), channels(o), strict=True)) < 8 for o in others) for c in colours
    )


def _content(svg):
    drawing = re.sub(r'<defs>.*?</defs>|"data:[^"]*"', "", svg[svg.index("</metadata>") :], flags=re.S)
    number = r"(-?\d+(?:\.\d+)?)"
    points = re.findall(rf"(?<![\w#.-]){number} {number}(?![\w.])", drawing)
    points += re.findall(rf'x="{number}" y="{number}"', drawing)
    return (
        re.findall(r"<!-- (.*?) -->", drawing, re.S),
        set(re.findall(r"#[0-9a-f]{6}\b", drawing)),
        Counter((round(float(x)), round(float(y))) for x, y in points),
    )


def test_all_36_figures_of_the_lectures_are_there():
    pages = [f"{lecture}/{page}" for lecture, listed in PICTURES.items() for page in listed.split()]
    assert list(LECTURE_FIGURES) == pages and len(pages) == 36
    names = [name for _, figures in LECTURE_FIGURES.values() for name in figures]
    assert len(set(names)) == len(names), "one picture stands for one page"
    for name in names:
        assert (STORED / f"{name}.svg").exists(), name


def test_every_figure_carries_a_sentence_that_says_what_it_shows(drawn):
    for path in drawn.iterdir():
        assert len(caption(path.stem, drawn).split()) > 5, path.stem


def test_pictures_without_a_notebook_say_what_is_true(drawn):
    assert "the same points in the same order" in caption("lectures_two_perceptrons", drawn)
    assert "and that is right" in caption("lectures_digestion", drawn)
    shares = [int(n) for n in re.findall(r"(\d+)%", caption("lectures_kernelized", drawn))]
    assert shares[3] == 100 and max(shares[:3]) < 75  # only the kernel Fisher score can be cut in two
    best, line = re.findall(r"(\d+)% and (\d+)%", caption("lectures_when_a_line_is_best", drawn))[2]
    assert int(line) > int(best) + 5


def modules_of(package):
    return [
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    ]


@pytest.mark.parametrize("module", modules_of(drawings), ids=lambda module: module.__name__.split(".")[-1])
def test_a_module_of_drawings_offers_nothing_that_does_not_draw(module):
    """Data are in samples, what is measured or taken apart in experiments; figures() lists what is written to files."""
    own = {name: thing for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__}
    idle = [name for name, thing in own.items() if not name.startswith("_") and not hasattr(thing, "layout")]
    assert idle == ["figures"]


def test_an_experiment_draws_nothing():
    for module in modules_of(experiments):
        assert "matplotlib" not in inspect.getsource(module) and "show" not in inspect.getsource(module).split(), module


def test_no_helper_is_written_twice():
    places = {}
    for module in modules_of(drawings) + modules_of(experiments):
        for function in ast.parse(inspect.getsource(module)).body:
            if isinstance(function, ast.FunctionDef) and function.name != "figures":
                body = function.body[ast.get_docstring(function) is not None :]
                places.setdefault(ast.dump(ast.Module(body, [])), []).append(f"{module.__name__}.{function.name}")
    twice = [found for found in places.values() if len(found) > 1]
    assert not twice, f"put it once into kmlab/show/toolbox.py: {twice}"
