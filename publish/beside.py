"""docs/beside.md: eleven algorithms beside their slides, the lecture's formula left, our lines right.

A formula is the one that a notebook displays under the same tag; our line is the one of the listing that ends in it.
"""

import inspect
import json
import re
import textwrap
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SCREEN = 30  # lines of a listing that a student sees at once


class Listing(NamedTuple):
    """formulas: (page, tag) or, where no notebook displays it, (page, tag, TeX); code: names as module.name."""

    title: str
    formulas: list
    code: list


LISTINGS = [
    Listing(
        "Kernels",
        [
            ("001/p113", "K.3"),
            ("003/s20-22", "K.2"),
            ("001/p110", "K.8"),
            ("001/p110", "K.9"),
        ],
        [
            "kernels.Gaussian.at_distance2",
            "kernels.Gaussian.gram",
            "kernels.Polynomial.gram",
            "algebra.Sum.gram",
            "algebra.Product.gram",
        ],
    ),
    Listing(
        "Centring",
        [
            ("000/s17-18, 002/s21, 004/s25", "C.1"),
            ("000/s20, 004/s25", "C.2"),
            ("000/s18", "C.3", r"k_c(x, x) = k(x, x) - \tfrac2n \sum_i k(x, x_i) + \tfrac1{n^2} \sum_{ij} K_{ij}"),
        ],
        ["centering.centered", "centering.Centerer.center_cross", "centering.Centerer.center_diag"],
    ),
    Listing(
        "Nonlinear projection trick",
        [
            ("000/s12", "NPT.1", r"K_c = U \Lambda U^\top"),
            ("000/s12", "NPT.2"),
            ("000/s11, s20", "NPT.3"),
            ("000/s14", "NPT.4"),
        ],
        ["npt.NPT.fit_to", "npt.NPT.fit_transform", "npt.NPT._project", "npt.NPT._missed"],
    ),
    Listing(
        "Kernel PCA",
        [("004/s25", "C.1"), ("004/s22-23", "KPCA.1"), ("004/s23", "KPCA.2"), ("004/s24", "KPCA.3")],
        ["pca.KernelPCA.fit_to", "pca.KernelPCA.transform"],
    ),
    Listing(
        "PCA-L1 and its kernel version",
        [
            ("000/s29", "L1.2"),
            ("000/s29", "L1.3"),
            ("000/s32", "L1.4"),
            ("beyond 000/s37", "L1.6"),
            ("beyond 000/s37", "L1.8"),
        ],
        [
            "pca_l1.climb",
            "pca_l1.Coordinates.direction",
            "pca_l1.Coordinates.without",
            "pca_l1.InnerProducts.project",
            "pca_l1.InnerProducts.without",
        ],
    ),
    Listing(
        "Sequential minimal optimisation",
        [
            ("beyond 004/s13", "SMO.1", r"i = \arg\min_i \mathrm{up}_i"),
            ("beyond 004/s13", "SMO.2"),
            ("004/s14", "SMO.3"),
            ("004/s15", "SMO.4", r"L \le b_j \le H, \qquad b_i \leftarrow b_i + b_j^{\text{old}} - b_j"),
        ],
        ["dual.smo", "dual.Dual.partner", "dual.Dual.clipped", "dual.Dual.move"],
    ),
    Listing(
        "One class: the sphere",
        [
            ("004/s17", "OCC.2"),
            ("004/s17", "OCC.3", r"R^2 = \lVert \varphi(x_s) - a \rVert^2, \quad 0 < \alpha_s < C"),
            ("004/s17", "OCC.4"),
        ],
        ["one_class.SVDD.fit_to", "one_class.SVDD.decision_function"],
    ),
    Listing(
        "Locality preserving projection",
        [
            ("beyond 001/p117", "LPP.1"),
            ("beyond 001/p117", "LPP.2", r"U^\top L\, U c = \mu\, U^\top D\, U c, \qquad X b = U c"),
        ],
        ["manifold.LPP.fit_to", "manifold.smallest_within"],
    ),
    Listing(
        "Laplacian eigenmaps",
        [("001/p118", "G.2"), ("001/p119-120", "LE.1")],
        [
            "graph.degrees",
            "graph.laplacian",
            "manifold.LaplacianEigenmap.fit_to",
            "manifold.LaplacianEigenmap.embed",
        ],
    ),
    Listing(
        "Dependence: HSIC and its test by shuffling",
        [("beyond 001/p125-126", "DEP.1"), ("beyond 001/p126", "DEP.5")],
        ["dependence.hsic", "dependence.permutation_test", "dependence.counted"],
    ),
    Listing(
        "Pre-images",
        [("001/p115", "PI.2"), ("beyond 001/p115-116", "PI.3")],
        ["preimage.image_distance2", "preimage.next_point"],
    ),
]


def beside_page():
    shown = displayed_formulas()
    text = [
        "# The slide and the source, side by side",
        "Left the formula of a page, as the notebooks write it; right the line of kmlab that computes it, under the "
        "same tag. The whole listing stands below: what makes it fast is a call into `kmlab/engine/`, whose name says "
        "what it computes, and the input has been checked before. In a notebook, `source(...)` shows the same lines. "
        "*Beyond* a page means that the formula answers a question of that page and does not stand on it.",
    ]
    for listing in LISTINGS:
        code = code_of(listing)
        rows = ["| page | formula | our line |", "|---|---|---|"]
        for page, tag, *own in listing.formulas:
            formula = own[0] if own else shown[tag]
            lines = "<br>".join(f"`{line}`" for line in lines_of(code, tag))
            rows.append(f"| {page} | ${formula}$ ({tag}) | {lines} |")
        files = sorted({name.split(".")[0] for name in listing.code})
        links = ", ".join(f"[kmlab/{file}.py](../kmlab/{file}.py)" for file in files)
        text += [f"## {listing.title}", "\n".join(rows), links, f"```python\n{code}\n```"]
    return "\n\n".join(text) + "\n"


def displayed_formulas():
    """{tag: TeX} of every displayed equation of the notebooks."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                for tex in re.findall(r"\$\$(.+?)\$\$", "".join(cell["source"]), re.S):
                    for tag in re.findall(r"\\tag\{(.+?)\}", tex):
                        found.setdefault(tag, " ".join(re.sub(r"\\tag\{.+?\}", "", tex).split()))
    return found


def code_of(listing):
    """The source of its parts, without docstrings: what they say stands in the table."""
    parts = []
    for name in listing.code:
        module, *path = name.split(".")
        thing = import_module(f"kmlab.{module}")
        for part in path:
            thing = inspect.getattr_static(thing, part)
        owner = f"# {path[0]}\n" if len(path) > 1 else ""  # a method without its class would not say whose it is
        parts.append(owner + _without_docstrings(textwrap.dedent(inspect.getsource(thing))).rstrip())
    return "\n\n".join(parts)


def lines_of(code, tag):
    """The lines that end in a tag, without it."""
    return [line.split("#")[0].strip() for line in code.splitlines() if f"({tag})" in line.partition("#")[2]]


def _without_docstrings(code):
    return re.sub(r'^( *)(?:r?""").*?"""\n\n?', "", code, flags=re.S | re.M)
