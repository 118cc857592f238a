"""Every class and function of kmlab says what it is, what goes in, what comes out, and shows it in lines that run."""

import ast
import doctest
import inspect
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from models import ALSO, CLASSES, INSTEAD, modules

import kmlab
from kmlab import reference
from kmlab.algebra import Kernel
from kmlab.manifold import LaplacianEigenmap
from kmlab.svm import SVC
from publish import coverage
from publish import reference as on_the_web

ROOT = Path(kmlab.__file__).parent.parent
NOT_OURS = {"server"}  # no algorithm
STEMS = sorted(set(modules()) - NOT_OURS)
TAG = re.compile(r"\([A-Z][A-Z0-9]*\.\d+\)")  # of a formula


def defined(stem):
    """{name: thing} of what a file offers: classes and functions of its own without an underscore."""
    module = modules()[stem]
    own = {name: thing for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__}
    return {name: own[name] for name in own if not name.startswith("_") and callable(own[name])}


def described(stem):
    return {name: thing for name, thing in defined(stem).items() if name in reference.entries(stem)}


DESCRIBED = [(stem, name) for stem in STEMS for name in described(stem)]
each = pytest.mark.parametrize("stem", STEMS)


def of_all(stem, complaint):
    """The names of a file for which complaint(thing, entry) has something to say, with what it says."""
    said = {name: complaint(thing, reference.of(thing)) for name, thing in described(stem).items()}
    return {name: words for name, words in said.items() if words}


# ---- nothing is missing


def nothing_to_do(lines):
    """Fail with these lines alone, each a thing to do: what, and in which file."""
    if lines:
        pytest.fail("\n".join(lines), pytrace=False)


def test_everything_a_file_offers_is_described_or_a_step_of_its_page():
    missing, gone = [], []
    for stem in STEMS:
        known = {*reference.entries(stem), *reference.helpers(stem)}
        missing += [
            f"{name}: not described; add '## {name}' to kmlab/reference/{stem}.md" for name in {*defined(stem)} - known
        ]
        gone += [
            f"{name}: not in kmlab/{stem}.py; remove it from kmlab/reference/{stem}.md"
            for name in known - {*defined(stem)}
        ]
    nothing_to_do(sorted(missing + gone))


def test_every_parameter_is_described_and_no_other():
    missing, gone = [], []
    for stem, name in DESCRIBED:
        thing, where = described(stem)[name], f"under '## {name}' in kmlab/reference/{stem}.md"
        listed = reference.parameters(thing)
        missing += [f"{name}: parameter {p} is not described; add it {where}" for p, _, _, words in listed if not words]
        others = set(reference.of(thing).parameters) - {parameter for parameter, *_ in listed}
        gone += [f"{name}: there is no parameter {p}; remove it {where}" for p in sorted(others)]
    nothing_to_do(missing + gone)


@each
def test_a_step_of_the_page_is_a_function_with_a_line_of_its_own(stem):
    steps = [defined(stem)[name] for name in reference.helpers(stem)]
    assert all(inspect.isfunction(step) for step in steps), "a class is described whole"


@each
def test_the_first_line_is_in_words_and_the_formula_follows(stem):
    def complaint(thing, entry):
        first = thing.__doc__.strip().splitlines()[0]
        first = first if entry.words else first.partition(";")[0]  # a page that speaks in words, then of shapes
        if TAG.search(first) or re.search(r"[=Σ≤²√]|\w\(", first) or len(first) > 120:
            return f"not in words, or long: {first!r}"
        with_formula = thing in CLASSES or isinstance(thing, type) and issubclass(thing, Kernel) and not thing.pairwise
        if with_formula and not first.startswith("The base of") and not TAG.search(thing.__doc__):
            return "no formula with a tag"

    assert not of_all(stem, complaint)


@each
def test_every_function_says_what_it_returns_and_every_tuple_what_its_fields_are(stem):
    def complaint(thing, entry):
        if inspect.isfunction(thing):
            return not entry.returns and "no Returns"
        return [name for name, _, _, words in reference.attributes(thing) if not words]

    assert not of_all(stem, complaint)


@each
def test_the_notebook_is_there_and_the_pages_are_those_of_a_lecture(stem):
    known = {(lecture, page) for lecture, pages in coverage.LECTURES.items() for page in pages}

    def complaint(thing, entry):
        where = thing.__doc__.rpartition("References\n----------\n")[2]
        if not (ROOT / "notebooks" / f"{entry.notebook}.ipynb").exists():
            return f"no notebook {entry.notebook!r}"
        cited = coverage.cited(where)
        return not (cited and cited <= known or "beyond the lectures" in where) and where

    assert not of_all(stem, complaint)


# ---- what fit leaves is what is described

SIX = np.array(
    [[0.0, 0.0], [0.1, 0.9], [0.2, 2.1], [3.0, 0.1], [3.1, 1.1], [2.9, 2.0], [6.0, 0.2], [6.2, 1.0], [6.1, 2.2]]
)
OTHERWISE = [
    LaplacianEigenmap(1, 3, weights="heat"),
    SVC(probability=True),
]  # with attributes that the default does not have


def left_by_fit(cls):
    """Names of everything that some fit of this class leaves: two classes and three, each way to set it up."""
    found = {name for name in dir(cls) if re.fullmatch(r"[A-Za-z]\w*_", name)}
    for model in [*(INSTEAD.get(cls) or [cls()]), *(model for model in ALSO + OTHERWISE if type(model) is cls)]:
        for y in (np.repeat([0, 1], [5, 4]), np.repeat([0, 1, 2], 3)):
            square = getattr(getattr(model, "kernel", None), "pairwise", False) or cls.__name__ == "Centerer"
            try:
                with warnings.catch_warnings(action="ignore"):
                    model.fit(SIX @ SIX.T if square else SIX, y)
            except ValueError:  # two classes only
                continue
            found |= {name for name in vars(model) if re.fullmatch(r"[A-Za-z]\w*_", name)}
    return found


def test_every_attribute_that_fit_leaves_is_described_and_no_other():
    missing, gone = [], []
    for cls in CLASSES:
        where = f"under '## {cls.__name__}' in kmlab/reference/{cls.__module__.partition('.')[2]}.md"
        listed, found = {name for name, *_ in reference.attributes(cls)}, left_by_fit(cls)
        assert "n_features_in_" in found, f"{cls.__name__}: no fit came to an end"
        missing += [f"{cls.__name__}: attribute {a} is not described; add it {where}" for a in sorted(found - listed)]
        others = listed - found - {"feature_names_in_"}
        gone += [f"{cls.__name__}: no fit leaves an attribute {a}; remove it {where}" for a in sorted(others)]
    nothing_to_do(missing + gone)


# ---- examples


@pytest.mark.parametrize("stem", STEMS)
def test_examples_run_and_print_what_they_show(stem):
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner(verbose=False)
    report = []
    for name, thing in described(stem).items():
        [test] = finder.find(thing, f"{stem}.{name}", globs={})
        assert test.examples and any(example.want for example in test.examples), f"{name} has no example"
        with warnings.catch_warnings(action="error"):
            runner.run(test, out=report.append)
    assert not runner.summarize(verbose=False).failed, "".join(report)


def test_an_example_brings_all_it_needs():
    for stem, name in DESCRIBED:
        example = reference.entries(stem)[name].example
        assert f"from kmlab.{stem} import" in example and re.search(rf"\b{name}\b", example), (stem, name)


# ---- where it is looked for


def test_help_and_the_tools_see_all_of_it_and_source_the_page_alone():
    from kmlab.show.notebook import source

    for thing in (SVC, kmlab.svm.tube_loss, kmlab.svm.KKT, kmlab.kernels.Gaussian):
        assert "Parameters\n" in inspect.getdoc(thing) or thing is kmlab.svm.KKT
        assert "Examples\n--------\n>>> " in thing.__doc__ and isinstance(thing.__doc__, str)
        shown = source(thing).data
        assert "Examples" not in shown and "(SVM." in shown or "(K." in shown or "class KKT" in shown
    assert SVC().__doc__ == SVC.__doc__
    assert str(inspect.signature(SVC)).startswith("(kernel=Gaussian(width='median'), C=1.0, slack=1")


def test_a_subclass_without_a_docstring_is_told_of_by_its_base():
    class Mine(kmlab.kernels.Gaussian):
        pass

    assert Mine.__doc__ is None and inspect.getdoc(Mine) == inspect.getdoc(kmlab.kernels.Gaussian)


def test_docstrings_of_a_class_are_read_when_they_are_asked_for_and_pickles_do_not_know_them():
    assert "Examples" not in str(pickle.dumps(SVC())) and vars(SVC)["__doc__"].short.startswith("min ½|w|²")


CHECK = """
import sys
import kmlab
assert not any(name.startswith("kmlab.") for name in sys.modules), "import kmlab loads nothing"
import kmlab.svm
model = kmlab.svm.SVC().fit([[0.0], [1.0]], [0, 1])
print("Parameters" in kmlab.svm.SVC.__doc__, kmlab.svm.tube_loss.__doc__ is None, model.predict([[0.9]])[0])
"""


@pytest.mark.parametrize("flags, said", [(["-OO"], "False True 1"), ([], "True False 1")])
def test_without_docstrings_everything_works_and_none_comes_back(flags, said):
    done = subprocess.run([sys.executable, *flags, "-c", CHECK], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said


def test_where_the_texts_are_missing_the_page_s_own_docstring_stays(monkeypatch):
    monkeypatch.setattr(reference, "text", lambda stem: "")
    reference.entries.cache_clear()
    try:
        assert SVC.__doc__.startswith("min ½|w|²")
    finally:
        reference.entries.cache_clear()


def test_the_docstring_of_the_page_names_nothing_twice_by_hand():
    """The page may not say Parameters by itself: then there would be two lists, and one would grow old."""
    for stem in STEMS:
        tree = ast.parse((ROOT / "kmlab" / f"{stem}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                assert "Parameters\n" not in (ast.get_docstring(node) or ""), (stem, node.name)


# ---- on the web


def test_every_file_is_on_a_page_of_the_reference_and_every_name_leads_to_its_place():
    listed = [stem for _, stems in on_the_web.GROUPS.values() for stem in stems.split()]
    assert sorted(listed) == STEMS, "say in publish/reference.py on which page a file of kmlab stands"
    pages = on_the_web.pages()
    for page, anchor in re.findall(r'href="(reference_\w+)\.html#(\w+)"', pages["reference.md"]):
        assert f"\n### {anchor}\n" in pages[f"{page}.md"]
    assert pages["reference.md"].count("<dt>") == len(DESCRIBED)


def test_formulas_of_classes_are_known_as_tex_and_each_stands_in_one_place():
    lines = []
    for stem, name in DESCRIBED:
        thing, where = described(stem)[name], f"'## {name}' in kmlab/reference/{stem}.md"
        if thing in CLASSES or isinstance(thing, type) and issubclass(thing, Kernel):
            tags = re.findall(r"(?m) {2,}\(([A-Z0-9]+\.\d+)\)", on_the_web.own_docstring(thing))
            unknown = [tag for tag in tags if tag not in on_the_web.formulas_of(thing)]
            lines += [f"{name}: no notebook displays ({tag}); add it as TeX under {where}" for tag in unknown]
        twice = set(reference.of(thing).formulas) & set(on_the_web.displayed())
        lines += [f"{name}: ({tag}) stands in a notebook; remove it under {where}" for tag in twice]
    nothing_to_do(lines)


RECIPES = re.findall(r"^## (.+?)\n.*?```python\n(.*?)```", on_the_web.RECIPES.read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize("code", [code for _, code in RECIPES], ids=[title for title, _ in RECIPES])
def test_a_recipe_runs_and_prints_what_it_says(code, capsys):
    code = code.replace("1_000_000", "5_000")
    assert len(code.splitlines()) <= 20
    with warnings.catch_warnings(action="error"):
        exec(compile(code, "recipe", "exec"), {"__name__": "recipe"})
    said = re.findall(r"^print\(.+\)  # (.+)$", code, re.M)
    assert said and capsys.readouterr().out.splitlines() == said


def test_there_are_ten_recipes():
    assert len(RECIPES) == 10
