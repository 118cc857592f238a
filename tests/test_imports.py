"""Imports go one way: engine, algorithms, show, course, then what stands beside kmlab. And a class starts light."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import kmlab

ENGINE = set("_checks _numbers _bases _in_rows _sums _contract _positive _warnings _widths engine".split())
FOUNDATION = ENGINE | set(
    "algebra precomputed kernels gram features centering npt graph dual platt voting datasets measures spectrum".split()
)
METHODS = set(
    "perceptron lifting neighbors clustering pca pca_l1 robust_pca svm one_class regression sparse_bayes preimage "
    "curves relevance manifold discriminant dependence cca ica scale primal".split()
)
KNOWS = {  # a method that may import another
    "pca": {"preimage"},
    "pca_l1": {"robust_pca"},
    "scale": {"primal"},
    "regression": {"sparse_bayes"},
    "cca": {"ica"},
}
ALGORITHMS = FOUNDATION | METHODS  # and their engine
ROOMS = {"show", "course", "server", "reference"}

ROOT = Path(kmlab.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
BESIDE = {path.parent.name for path in ROOT.parent.glob("*/__init__.py")} - {"kmlab"} | {"course", "tests"}


def stem(path):
    """The part of kmlab that a file belongs to: kmlab/show/widgets.py is show."""
    return path.relative_to(ROOT).with_suffix("").parts[0]


def name(path):
    """show.widgets of kmlab/show/widgets.py"""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imports(path):
    """(module, at module level) of every import statement in a file, with full names."""
    package = ["kmlab", *path.relative_to(ROOT).parts[:-1]]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lazy = {inner for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.Lambda) for inner in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*package[: len(package) + 1 - node.level], *filter(None, [node.module])])
            base = base if node.level else node.module
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((name, node not in lazy) for name in names)


def of_kmlab(path):
    return {name.split(".")[1] for name, _ in imports(path) if name.startswith("kmlab.")}


def tops(path):
    return {name.split(".")[0] for name, _ in imports(path)}


def of(*rooms):
    return pytest.mark.parametrize("path", [file for file in FILES if stem(file) in set().union(*rooms)], ids=name)


@pytest.mark.parametrize("path", [f for f in FILES if f.parent == ROOT], ids=stem)
def test_an_algorithm_can_be_read_in_one_sitting(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 250


def test_every_file_has_its_room():
    homeless = {stem(path) for path in FILES} - ALGORITHMS - ROOMS - {"__init__"}
    assert not homeless, f"{homeless}: say in this file, and in the design, which room they belong to"


@of(ENGINE)
def test_the_engine_imports_only_the_engine(path):
    assert of_kmlab(path) <= ENGINE


@of(ALGORITHMS)
def test_foundation_and_methods_import_only_foundation(path):
    assert of_kmlab(path) <= FOUNDATION | KNOWS.get(stem(path), set())


@of(ALGORITHMS)
def test_foundation_and_methods_need_only_numpy_and_scipy(path):
    allowed = {"numpy", "scipy", "kmlab"} | sys.stdlib_module_names
    for name, at_once in imports(path):
        top = name.split(".")[0]
        assert top in allowed or (top in ("sklearn", "threadpoolctl", "dask") and not at_once), (
            f"{path.name} imports {name}"
        )
        slow = name.startswith(("scipy.stats", "scipy.spatial"))
        assert not (at_once and slow), f"{name} takes longer to load than kmlab: import it where it is used"


@of({"show"})
def test_show_knows_no_notebook(path):
    assert of_kmlab(path) <= ALGORITHMS | {"show"}


@of(ALGORITHMS, ROOMS)
def test_nothing_of_kmlab_knows_the_checkout(path):
    assert "publish" in BESIDE and not tops(path) & BESIDE


def test_the_package_itself_imports_nothing_but_the_standard_library():
    assert all(name.split(".")[0] in sys.stdlib_module_names for name, _ in imports(ROOT / "__init__.py"))


def test_foundation_has_no_cycles():
    TopologicalSorter({stem(path): of_kmlab(path) - {"engine"} for path in FILES if stem(path) in FOUNDATION}).prepare()


def test_the_reader_of_imports_sees_every_form(tmp_path, monkeypatch):
    (tmp_path / "show").mkdir()
    source = tmp_path / "show" / "x.py"
    lines = "import a.b", "from . import c", "from .. import d", "from ..e import f", "def g():", "    from h import i"
    source.write_text("\n".join(lines))
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    assert set(imports(source)) == {
        ("a.b", True),
        ("kmlab.show.c", True),
        ("kmlab.d", True),
        ("kmlab.e.f", True),
        ("h.i", False),
    }


@pytest.mark.parametrize(
    "statement",
    [
        "import kmlab",
        "import kmlab.pca",
        "import kmlab; kmlab.pca.PCA",
        "import kmlab.graph, kmlab.datasets, kmlab.npt",
    ],
)
def test_a_fresh_start_loads_no_pictures_and_no_scikit_learn(statement):
    heavy = ["matplotlib", "ipywidgets", "IPython", "sklearn", "scipy.stats", "scipy.spatial", "PIL"]
    code = f"import sys; sys.path.insert(0, {str(ROOT.parent)!r}); {statement}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "kmlab" in loaded and not set(heavy) & set(loaded)


def test_an_unknown_part_of_kmlab_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no part called 'quantum'"):
        kmlab.quantum  # noqa: B018
