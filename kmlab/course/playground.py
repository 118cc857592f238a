"""The playground: points of the plane x a kernel x an algorithm. What is fitted, its lines of code, its state as text.

The picture is drawings.playground.play; settings are Settings, points are X (n, 2) and labels y (n,).
"""

import dataclasses
import math
import re
import warnings
from typing import NamedTuple

import numpy as np

from .. import _checks as check
from .. import clustering, datasets, manifold, neighbors, one_class, pca, pca_l1, perceptron, regression, svm
from ..dual import DualSum
from ..graph import components, knn_graph
from ..kernels import Product, Sum
from ..preimage import denoise
from ..show.controls import choice, log_slider, slider
from ..show.toolbox import named_kernel
from . import samples

KERNELS = "Gaussian", "exponential", "polynomial", "linear"
COMBINE = "alone", "+", "×"
WAYS = {"fixed point": "fixed_point", "distances": "distance", "linear ridge": "ridge", "kernel ridge": "kernel_ridge"}
ALGORITHMS = {  # name: notebook that takes it apart
    "kernel PCA": 6,
    "KPCA-L1": 8,
    "SVC": 9,
    "kernel perceptron": 3,
    "Parzen": 4,
    "SVDD": 11,
    "one-class SVM": 11,
    "kernel ridge": 11,
    "SVR": 11,
    "kernel k-means": 4,
    "spectral clustering": 4,
    "denoising": 12,
    "eigenmap": 13,
    "LPP": 13,
    "kernel LPP": 13,
}
ON_A_GRAPH = "spectral clustering", "eigenmap", "LPP", "kernel LPP"
WITH_KERNEL = [name for name in ALGORITHMS if name not in ON_A_GRAPH[:3]]
REGRESSION = "kernel ridge", "SVR"
TELL_APART = "SVC", "kernel perceptron"  # without a second class there is nothing to learn
USED_BY = {  # a setting: the algorithms that have it
    "C": ["SVC", "SVR"],
    "nu": ["SVDD", "one-class SVM"],
    "epsilon": ["SVR"],
    "lam": ["kernel ridge"],
    "component": ["kernel PCA", "KPCA-L1"],
    "components": ["denoising"],
    "way": ["denoising"],
    "neighbours": list(ON_A_GRAPH),
    "clusters": ["kernel k-means", "spectral clustering"],
    "passes": ["kernel perceptron"],
    "seed": ["kernel perceptron", "kernel k-means"],
}
LETTERS = {"nu": "ν", "epsilon": "ε", "lam": "λ"}  # how settings are written
MOST_POINTS, MOST_CLASSES = 500, 7
PATIENCE = 10_000  # steps of a solver: half a second, and far more than it needs where it comes to an end
LARGEST = 1e30  # pixels are made in single precision


class Settings(NamedTuple):
    """All that can be chosen besides the points; what an algorithm or a kernel does not have, it does not look at."""

    algorithm: str = "SVC"
    kernel: str = "Gaussian"
    combine: str = "alone"
    second: str = "linear"
    width: float = 0.7
    degree: int = 2
    coef0: float = 1.0
    second_width: float = 2.0
    second_degree: int = 2
    C: float = 10.0
    nu: float = 0.1
    epsilon: float = 0.2
    lam: float = 0.1
    component: int = 1
    components: int = 4
    way: str = "fixed point"
    neighbours: int = 8
    clusters: int = 2
    passes: int = 20
    seed: int = 0


# ---- points ----------------------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """A data set by its name in datasets or samples, and what of its result is taken."""

    name: str
    options: dict = {}
    gives: str = "X, y"  # or "X, _", "X", or "columns": two vectors, to be put side by side
    scale: tuple = ()

    @property
    def place(self):
        return datasets if hasattr(datasets, self.name) else samples

    @property
    def code(self):
        """The line that makes it."""
        call = f"{self.place.__name__.split('.')[-1]}.{self.name}"
        if callable(getattr(self.place, self.name)):
            call += f"({', '.join(f'{name}={plain(value)}' for name, value in self.options.items())})"
        if self.gives == "columns":
            call = f"np.column_stack({call})" + (f" * {self.scale}" if self.scale else "")
        return f"{self.gives if self.gives != 'columns' else 'X'} = {call}"

    def make(self):
        made = getattr(self.place, self.name)
        made = made(**self.options) if callable(made) else made
        if self.gives == "columns":
            return unlabelled(np.column_stack(made) * (self.scale or 1))
        return made if self.gives == "X, y" else unlabelled(made if self.gives == "X" else made[0])


DATA = {
    "moons": Sample("two_moons", {"n": 120, "noise": 0.15}),
    "rings": Sample("rings", {"n_per_ring": 40, "noise": 0.1}),
    "two rings": Sample("mixed_rings"),
    "three clusters": Sample("three_clusters"),
    "wave": Sample("around_a_wave"),
    "XOR": Sample("xor", {"n_per_corner": 20, "noise": 0.35}),
    "two clouds": Sample("two_clouds"),
    "two sides": Sample("two_sides"),
    "split class": Sample("split_class", {"n": 120}),
    "parallel classes": Sample("parallel_classes", {"n_per_class": 50}),
    "three clouds": Sample("three_clouds", {"gap": 4}),
    "clusters on a circle": Sample("clusters_on_a_circle", {"n_clusters": 6, "n_per_cluster": 20, "spread": 0.1}),
    "half circle": Sample("half_circle", {"n": 120}, "X, _"),
    "square": Sample("square", {"n": 120}, "X, _"),
    "flat S": Sample("flat_s", {}, "X"),
    "lying H": Sample("lying_h", {"n": 40}, "X"),
    "house": Sample("house", {}, "X"),
    "letter K": Sample("LETTER", {}, "X"),
    "tilted cloud": Sample("tilted_cloud", {}, "X"),
    "thirty points": Sample("thirty_in_the_plane", {}, "X"),
    "mixed sources": Sample("mixed_sources", {"n": 200}, "X, _"),
    "line and outlier": Sample("LINE_AND_OUTLIER", {}, "X"),
    "around a line": Sample("around_a_line", {"n": 40}, "X"),
    "hills": Sample("HILLS", {}, "X"),
    "five points": Sample("WITH_MEAN", {}, "X"),
    "sinc": Sample("sinc", {"n": 80}, "columns", (0.25, 2)),
    "straight": Sample("straight", {"n": 30}, "columns"),
    "parabola": Sample("dependence_shapes", {"shape": "parabola", "n": 80}, "columns"),
    "sine": Sample("dependence_shapes", {"shape": "sine", "n": 80}, "columns"),
}


def points(data):
    """X (n, 2) and y (n,) of a data set of the course, by its name in the menu."""
    if data not in DATA:
        raise ValueError(f"There is no data set {data!r} here: choose one of {', '.join(DATA)}.")
    return DATA[data].make()


def own_points(mine, labels=None):
    """X (n, 2) and y (n,) of an array of your own, checked."""
    X = check.matrix(mine, "mine")
    if X.shape[1] != 2:
        raise ValueError(f"The playground is a plane, but your points have {X.shape[1]} columns: choose two of them.")
    if len(X) > MOST_POINTS:
        step = -(-len(X) // MOST_POINTS)
        raise ValueError(f"{len(X)} points are too many to play with: take some of them, as in mine[::{step}].")
    y = np.zeros(len(X), int) if labels is None else np.asarray(labels)
    if y.shape != (len(X),):
        raise ValueError(f"There are {len(X)} points and labels of shape {y.shape}: give one label for each point.")
    classes, codes = check.labels(y, len(X), own_points)
    if len(classes) > MOST_CLASSES:
        raise ValueError(f"There are {len(classes)} classes and {MOST_CLASSES} colours: give fewer labels.")
    return X, classes[codes]


def unlabelled(X):
    return X, np.zeros(len(X), int)


# ---- what is computed ------------------------------------------------------------------------------------------------


class Fitted(NamedTuple):
    """A model, and what its picture shows of every point: decision values, scores, labels or places."""

    model: object
    answer: np.ndarray


def kernel_of(s):
    """The kernel of these settings."""
    first = named_kernel(s.kernel, s.width, s.degree, s.coef0)
    if s.combine == "alone":
        return first
    second = named_kernel(s.second, s.second_width, s.second_degree)
    return first + second if s.combine == "+" else first * second


def fitted(X, y, s):
    """The algorithm of these settings on these points, or one sentence that says what is missing."""
    X, y = np.asarray(X, float), np.asarray(y)
    refuse_too_little(X, y, s)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # what they say is said by the caption, or refused below
            found = Fitted(model := fit(X, y, s), answer_of(model, X, s))
    except np.linalg.LinAlgError:
        raise ValueError("Rounding hides the answer: choose another width or degree, or move the points.") from None
    if not getattr(model, "converged_", True) and isinstance(model, DualSum):
        raise ValueError(f"{s.algorithm} has not come to its end: lower C or the degree, or bring the points closer.")
    if s.algorithm == "one-class SVM" and s.nu * len(X) * model.rho_ <= model.tol * np.abs(model.kernel.diag(X)).max():
        raise ValueError("Under this kernel no plane gets away from the origin: take a Gaussian, or SVDD instead.")
    drawable(found.answer)
    return found


def drawable(values):
    """values again, if none is too large for the colours and lines of a picture."""
    if not np.abs(values).max(initial=0.0) < LARGEST:  # nor is NaN
        raise ValueError("Some values are too large to be drawn: lower the degree, or bring the points closer.")
    return values


def refuse_too_little(X, y, s):
    """One sentence for points that the algorithm can make nothing of."""
    n, classes = len(X), np.unique(y)
    if n == 0:
        raise ValueError("There are no points yet: add some, or choose a data set.")
    if n == 1:
        raise ValueError("One point alone has nothing to be compared with: add another one.")
    if np.ptp(X, axis=0).max() <= 1e-9 * np.abs(X).max():
        raise ValueError("All points are at the same place: move one of them.")
    if s.algorithm in TELL_APART and len(classes) < 2:
        raise ValueError(f"Here is one class, and {s.algorithm} tells two apart: give some points another class.")
    if s.algorithm in ON_A_GRAPH and s.neighbours >= n:
        raise ValueError(f"Each of {n} points has {n - 1} others: lower neighbours from {s.neighbours}, or add points.")
    if s.algorithm in USED_BY["clusters"] and s.clusters > n:
        raise ValueError(f"{n} points cannot fill {s.clusters} clusters: lower clusters, or add points.")
    if s.algorithm == "spectral clustering" and (parts := components(knn_graph(X, s.neighbours))[0]) > s.clusters:
        raise ValueError(
            f"The graph falls into {parts} parts, more than {s.clusters} clusters: raise neighbours or clusters."
        )
    if s.algorithm == "denoising" and s.way in ("fixed point", "distances") and kernel_of(s).way_back == "ridge":
        raise ValueError(f"The way {s.way} is for a Gaussian alone: choose that kernel, or a ridge as the way.")


def fit(X, y, s):
    """The fitted model."""
    n, k = len(X), kernel_of(s)
    match s.algorithm:
        case "kernel PCA":
            return as_many(lambda m: pca.KernelPCA(k, m), max(2, s.component), s.component, X)
        case "KPCA-L1":
            return as_many(lambda m: pca_l1.KernelPCAL1(k, m), max(2, s.component), s.component, X)
        case "SVC":
            return svm.SVC(k, s.C, max_steps=PATIENCE).fit(X, y)
        case "kernel perceptron":
            return perceptron.KernelPerceptron(k, s.passes).fit(*datasets.mixed(X, two_sides(y), s.seed))
        case "Parzen":
            return neighbors.ParzenClassifier(k).fit(X, y)
        case "SVDD":
            return one_class.SVDD(k, 1 / (s.nu * n), max_steps=PATIENCE).fit(X)
        case "one-class SVM":
            return one_class.OneClassSVM(k, s.nu, max_steps=PATIENCE).fit(X)
        case "kernel ridge":
            return regression.KernelRidge(k, s.lam, intercept=True).fit(X[:, :1], X[:, 1])
        case "SVR":
            return svm.SVR(k, s.C, s.epsilon, max_steps=PATIENCE).fit(X[:, :1], X[:, 1])
        case "kernel k-means":
            return clustering.KernelKMeans(k, s.clusters, s.seed, restarts=1).fit(X)
        case "spectral clustering":
            return clustering.SpectralClustering(s.clusters, s.neighbours).fit(X)
        case "denoising":
            return pca.KernelPCA(k, s.components).fit(X)
        case "eigenmap":
            return as_many(lambda m: manifold.LaplacianEigenmap(m, s.neighbours), 2, 1, X)
        case "LPP":
            return as_many(lambda m: manifold.LPP(m, s.neighbours, center="D"), 2, 1, X)
        case "kernel LPP":
            return as_many(lambda m: manifold.KernelLPP(k, m, s.neighbours, center="D"), 2, 1, X)
    raise ValueError(f"There is no algorithm {s.algorithm!r} here: choose one of {', '.join(ALGORITHMS)}.")


def as_many(make, wanted, least, X):
    """The fit with so many components, or with fewer where the points have no more."""
    for m in range(wanted, least, -1):
        try:
            return make(m).fit(X)
        except ValueError:
            pass
    return make(least).fit(X)


def two_sides(y):
    """y where it has two classes, the first class against the rest where it has more."""
    classes = np.unique(y)
    return y if len(classes) == 2 else y == classes[0]


def answer_of(model, X, s):
    """What the picture shows of every point."""
    if s.algorithm == "denoising":
        return denoise(model, X, WAYS[s.way], **({"start": X} if s.way == "fixed point" else {}))
    if s.algorithm in REGRESSION:
        return model.predict(X[:, :1])
    if hasattr(model, "labels_"):
        return model.labels_
    if hasattr(model, "embedding_"):
        return model.embedding_
    return model.decision_function(X) if hasattr(model, "decision_function") else model.transform(X)


def staircase(model, X, y):
    """Margin y f(x) and α / C of every point, of the machine that is least sure of it where there are several."""
    code = np.searchsorted(model.classes_, y)
    margin, alpha = np.full(len(X), np.inf), np.zeros(len(X))
    pairs = model.pairs_ if len(model.classes_) > 2 else [(0, 1, model, np.arange(len(X)))]
    for _, upper, machine, rows in pairs:
        m = np.where(code[rows] == upper, 1, -1) * machine.decision_function(X[rows])
        less = m < margin[rows]
        margin[rows[less]], alpha[rows[less]] = m[less], machine.alpha_[less] / model.C
    return margin, alpha


def like_classes(labels, y):
    """Numbers of clusters changed so that a cluster has the number of the class it shares most points with."""
    k = labels.max() + 1
    shared = np.zeros((k, k))
    codes = np.unique(y, return_inverse=True)[1]
    np.add.at(shared, (labels[codes < k], codes[codes < k]), 1)
    new = np.zeros(k, int)
    for _ in range(k):  # the largest overlap first
        cluster, number = np.unravel_index(shared.argmax(), shared.shape)
        new[cluster], shared[cluster], shared[:, number] = number, -1, -1
    return new


# ---- the lines that make it ------------------------------------------------------------------------------------------


def code(X, y, s, data=None):
    """Three to six lines that compute what the picture shows, for an empty cell; without data, from the points."""
    model, with_numpy = fitted(X, y, s).model, data is None or DATA[data].gives == "columns"
    parts = {type(model).__module__.split(".")[-1]}
    fit_to, answer = "X", _answer_code(s)
    if s.algorithm in REGRESSION:
        fit_to = "X[:, :1], X[:, 1]"
    if s.algorithm in (*TELL_APART, "Parzen"):
        fit_to = "X, y"
    if s.algorithm == "kernel perceptron":
        y_text = "y" if len(np.unique(y)) == 2 else f"y == {plain(np.unique(y)[0].item())}"
        fit_to, parts = f"*datasets.mixed(X, {y_text}, seed={s.seed})", parts | {"datasets"}
    if s.algorithm == "denoising":
        parts |= {"preimage"}
    if s.algorithm in WITH_KERNEL:
        parts |= {"kernels"}
    needs_y = "y" in fit_to
    if data is None:
        made = [f"X = np.array({_literal(rounded(X))})"]
        made += [f"y = np.array({np.asarray(y).tolist()})"] * needs_y
    else:
        sample = DATA[data]
        parts |= {"datasets"} if sample.place is datasets else set()
        made = [sample.code if needs_y or sample.gives != "X, y" else sample.code.replace("X, y", "X, _")]
        made += ["y = [0] * len(X)"] * (needs_y and sample.gives != "X, y")
    return "\n".join(
        [
            *["import numpy as np"] * with_numpy,
            f"from kmlab import {', '.join(sorted(parts))}",
            *["from kmlab.course import samples"] * (data is not None and DATA[data].place is samples),
            *made,
            f"model = {spelled(model, s)}.fit({fit_to})",
            answer,
        ]
    )


def spelled(thing, s=None):
    """A kernel or a model as one would write it: parameters that are not what they are anyway."""
    if isinstance(thing, Sum | Product):
        return f"{spelled(thing.left)} {'+' if isinstance(thing, Sum) else '*'} {spelled(thing.right)}"
    given = {field.name: getattr(thing, field.name) for field in dataclasses.fields(thing)}
    usual = {field.name: field.default for field in dataclasses.fields(thing)}
    texts = []
    for name, value in given.items():
        if name == "kernel":
            texts.append(spelled(value))
        elif s is not None and s.algorithm == "SVDD" and name == "C":
            texts.append(f"C=1 / ({plain(s.nu)} * len(X))")
        elif s is None or (value != usual[name] and name != "max_steps"):  # what has come to its end needs no patience
            texts.append(plain(value) if s is None else f"{name}={plain(value)}")
    module = type(thing).__module__.split(".")[-1]
    return f"{module}.{type(thing).__name__}({', '.join(texts)})"


def plain(value):
    """A number or a word as Python reads it, without an idle zero."""
    return repr(value).removesuffix(".0")


def rounded(X):
    """X to two digits behind the point, and to more where the points lie closer than that."""
    X = np.asarray(X, float)
    spread = np.ptp(X, axis=0).max() if len(X) else 0
    return np.round(X, max(2, 2 - math.floor(math.log10(spread))) if spread > 0 else 2) + 0.0  # no minus zero


def _answer_code(s):
    if s.algorithm == "denoising":
        way = "" if s.way == "fixed point" else f', "{WAYS[s.way]}"'
        return f"denoised = preimage.denoise(model, X{way})"
    if s.algorithm in REGRESSION:
        return "f = model.predict(X[:, :1])"
    if s.algorithm in USED_BY["clusters"]:
        return "labels = model.labels_"
    if s.algorithm in ON_A_GRAPH:
        return "places = model.embedding_"
    if s.algorithm in USED_BY["component"]:
        return "scores = model.transform(X)"
    return "f = model.decision_function(X)"


def _literal(X):
    return "[" + ", ".join(f"[{plain(x)}, {plain(y)}]" for x, y in X.tolist()) + "]"


# ---- a state as a line of text ---------------------------------------------------------------------------------------


def state(s, data="moons", X=None, y=None):
    """All that matters as one line, such as SVC · moons · Gaussian 0.7 · C 10; X and y only where they were edited."""
    parts = [s.algorithm, data if X is None else _points_text(X, y)]
    if s.algorithm in WITH_KERNEL:
        first = _kernel_text(s.kernel, s.width, s.degree, s.coef0)
        second = _kernel_text(s.second, s.second_width, s.second_degree, 1.0)
        parts.append(first if s.combine == "alone" else f"{first} {s.combine} {second}")
    for name, algorithms in USED_BY.items():
        if s.algorithm in algorithms:
            parts.append(f"{LETTERS.get(name, name)} {_number_text(getattr(s, name))}")
    return " · ".join(parts)


def restore(text):
    """Settings, name of the data set and points of a line of text; points are None unless the text brings its own.

    -> Settings, data or None, (X, y) or None. Parts are separated by · or | or ;
    """
    parts = [" ".join(part.split()) for part in re.split(r"[·|;]", str(text)) if part.strip()]
    chosen, data, own = {}, None, None
    for part in parts:
        word, _, rest = part.partition(" ")
        if algorithm := _same(part, ALGORITHMS):
            chosen["algorithm"] = algorithm
        elif found := _same(part, DATA):
            data = found
        elif word == "points":
            own = _read_points(rest)
        elif _same(re.split(r"[\s+×*]", part)[0], KERNELS):
            chosen |= _read_kernels(part)
        elif name := _setting(word):
            chosen[name] = _read_value(name, rest)
        else:
            raise ValueError(
                f"{_beginning(part)!r} is no part of the playground: it knows algorithms ({', '.join(ALGORITHMS)}), "
                "data sets, kernels such as Gaussian 0.7, and settings such as C 10."
            )
    usual = controls()
    for name, value in chosen.items():
        usual[name].name = name
        usual[name].check(value)
    return Settings(**chosen), None if own else data or next(iter(DATA)), own


def _kernel_text(name, width, degree, coef0):
    if name == "polynomial":
        return f"polynomial {degree}" + (f" {coef0:g}" if coef0 != 1 else "")
    return name if name == "linear" else f"{name} {_number_text(width)}"


def _number_text(value):
    return value if isinstance(value, str) else plain(value)


def _points_text(X, y):
    """points 1: 0.5,1 2,-1 -1: 3,3 with a label wherever it changes, so that the order of the points is kept."""
    texts, last, y = [], None, np.asarray(y)
    if y.dtype.kind not in "iu":  # words and the like by their number
        y = np.unique(y, return_inverse=True)[1]
    for (a, b), label in zip(rounded(X).tolist(), y.tolist(), strict=True):
        texts += [f"{label}:"] * (label != last) + [f"{plain(a)},{plain(b)}"]
        last = label
    return " ".join(["points", *texts])


def _read_points(text):
    X, y, label = [], [], 0
    for token in text.split():
        try:
            if token.endswith(":"):
                label = int(token[:-1])
            else:
                a, b = token.split(",")
                X, y = [*X, [float(a), float(b)]], [*y, label]
        except ValueError:
            raise ValueError(
                f"{_beginning(token)!r} is no point: write points 1: 0.5,2 3,-1 with a comma inside each."
            ) from None
    return own_points(X, y) if X else (np.zeros((0, 2)), np.zeros(0, int))


def _read_kernels(part):
    """Settings of Gaussian 0.7, or of Gaussian 0.7 + polynomial 2."""
    found = re.fullmatch(r"(.+?)\s*(?:([+×*])\s*(.+))?", part)
    first, sign, second = found.groups()
    chosen = _read_kernel(first, ("kernel", "width", "degree", "coef0"))
    if sign:
        chosen |= {"combine": sign.replace("*", "×")}
        chosen |= _read_kernel(second, ("second", "second_width", "second_degree", None))
    return chosen


def _read_kernel(text, names):
    name, *numbers = text.split()
    kernel = _same(name, KERNELS)
    takes = {"polynomial": names[2:], "linear": ()}.get(kernel, names[1:2])
    takes = [setting for setting in takes if setting]
    if kernel is None or len(numbers) > len(takes):
        raise ValueError(f"{text!r} is no kernel: write {', '.join(KERNELS[:2])} 0.7, polynomial 3 or linear.")
    values = {s: _read_value(s, number) for s, number in zip(takes, numbers, strict=False)}
    return {names[0]: kernel} | values


def _read_value(name, text):
    if name == "way":
        return _same(text, WAYS) or text
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        raise ValueError(f"{text!r} is no number for {LETTERS.get(name, name)}: write one behind its name.") from None
    whole = isinstance(getattr(Settings(), name), int)
    return int(number) if whole and number.is_integer() else number


def _beginning(text):
    return text if len(text) <= 40 else text[:39] + "…"


def _setting(word):
    """The setting that is called so: by its letter, or by its name."""
    aliases = {letter: name for name, letter in LETTERS.items()} | {"lambda": "lam"}
    return aliases.get(word) or _same(word, USED_BY)


def _same(word, names):
    """The one of these names that is this word, whatever its capitals."""
    return next((name for name in names if name.lower() == word.lower()), None)


# ---- what moves it ---------------------------------------------------------------------------------------------------


def controls(s=None):
    """Controls of play, each at the value of these settings, and at work only where it does anything."""
    s = s or Settings()
    plus = {"algorithm": WITH_KERNEL, "combine": COMBINE[1:]}
    of_width = KERNELS[:2]
    made = {
        "algorithm": choice(ALGORITHMS.keys(), s.algorithm),
        "kernel": choice(KERNELS, s.kernel).only(algorithm=WITH_KERNEL),
        "width": log_slider(0.05, 20, s.width).only(algorithm=WITH_KERNEL, kernel=of_width),
        "degree": slider(1, 6, value=s.degree).only(algorithm=WITH_KERNEL, kernel="polynomial"),
        "coef0": slider(0.0, 3.0, 0.5, s.coef0).only(algorithm=WITH_KERNEL, kernel="polynomial"),
        "combine": choice(COMBINE, s.combine).only(algorithm=WITH_KERNEL),
        "second": choice(KERNELS, s.second, "second kernel").only(**plus),
        "second_width": log_slider(0.05, 20, s.second_width).only(**plus, second=of_width),
        "second_degree": slider(1, 6, value=s.second_degree).only(**plus, second="polynomial"),
        "C": log_slider(0.01, 1000, s.C),
        "nu": slider(0.01, 0.9, 0.01, s.nu, "ν"),
        "epsilon": slider(0.0, 1.0, 0.05, s.epsilon, "ε"),
        "lam": log_slider(1e-4, 100, s.lam, "λ"),
        "component": slider(1, 8, value=s.component),
        "components": slider(1, 20, value=s.components, label="components kept"),
        "way": choice(WAYS.keys(), s.way, "way home"),
        "neighbours": slider(1, 30, value=s.neighbours),
        "clusters": slider(2, MOST_CLASSES, value=s.clusters),
        "passes": slider(1, 50, value=s.passes),
        "seed": slider(0, 9, value=s.seed),
    }
    for name, algorithms in USED_BY.items():
        made[name].only(algorithm=algorithms)
    return made
