"""The playground: algorithm x kernel x data set is a picture or one sentence; its code and its text say the same."""

import inspect
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from tolerances import ITERATIVE, close

from kmlab import pca, pca_l1
from kmlab.course import playground
from kmlab.course.drawings.playground import PICTURES, play
from kmlab.course.live import Playground
from kmlab.course.playground import (
    ALGORITHMS,
    COMBINE,
    DATA,
    KERNELS,
    USED_BY,
    WITH_KERNEL,
    Settings,
    code,
    controls,
    fitted,
    kernel_of,
    own_points,
    points,
    restore,
    rounded,
    state,
)
from kmlab.kernels import Exponential, Gaussian, Linear, Polynomial
from kmlab.show import explore
from kmlab.show.canvas import Canvas

ROOT = Path(__file__).parent.parent
EVERY_KERNEL = [
    *[{"kernel": kernel} for kernel in KERNELS],
    *[
        {"kernel": kernel, "combine": sign, "second": second}  # the order of two makes no difference
        for sign in COMBINE[1:]
        for kernel, second in itertools.combinations_with_replacement(KERNELS, 2)
    ],
]
PAIR = "two clouds"  # two classes of twenty points
PLACES = [[0, 0], [1, 0.2], [3, 3], [3.5, 2], [-2, 2], [-2, 3], [-1.5, 2.5], [5, -1], [4, -2]]
MORE = own_points(PLACES, list("aabbcccdd"))


@pytest.fixture(scope="module")
def canvas():
    """One canvas for all, as in a view: it keeps the places that the first picture asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kmlab.course.drawings.playground.SIDE", 20)  # as many pictures as there are need not be fine
        canvas = Canvas(play)
        canvas.paint(*points("letter K"), algorithm="denoising", components=3)  # one with little beside it
        yield canvas


def look(canvas, X, y, measure=True, **settings):
    """The caption of a picture in which all is in place, or the sentence that stands for it."""
    try:
        with canvas.ready():
            said = canvas.fill(X, y, **settings)
            boxes = [ax.get_tightbbox() for ax in canvas.axes] if measure else []
    except ValueError as error:
        said = str(error)
        assert "\n" not in said and len(said) < 250, said
    else:
        width, height = canvas.figure.bbox.width, canvas.figure.bbox.height
        for box in boxes:
            assert box.x0 > -2 and box.y0 > -2 and box.x1 < width + 2 and box.y1 < height + 2, (settings, box)
        assert not boxes or boxes[0].x1 < boxes[1].x0 + 1, f"{settings}: the panels touch"
        drawn = [dots.get_offsets() for dots in canvas.axes[0].collections if len(dots.get_offsets()) > 0]
        assert sum(map(len, drawn)) >= len(X) and np.isfinite(np.concatenate(drawn)).all()
    assert re.fullmatch(r"[A-Z0-9][^\n]*[.]", said) and not re.search(r"[.] [A-Z]", said), f"no sentence: {said}"
    assert not re.search(r"\b(nan|inf)\b", said), said
    return said


def compute(canvas, X, y, measure=False, **settings):
    """The same without a picture: the sentence, or none."""
    try:
        fitted(X, y, Settings(**settings))
    except ValueError as error:
        return str(error)
    return ""


def refused(X, y, **settings):
    with pytest.raises(ValueError) as error:
        fitted(np.reshape(X, (-1, 2)).astype(float), np.array(y), Settings(**settings))
    return str(error.value)


# ---- every combination -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_kernel_is_a_picture_or_a_sentence(canvas, algorithm):
    said = set()
    settings = {"algorithm": algorithm, "way": "linear ridge", "components": 2}
    drawn = list(ALGORITHMS).index(algorithm) % 2  # half of them, the others of the next algorithm
    for i, kernel in enumerate(EVERY_KERNEL if algorithm in WITH_KERNEL else EVERY_KERNEL[:1]):
        see = look if i < len(KERNELS) or i % 2 == drawn else compute
        said.add(see(canvas, *points(PAIR), measure=i % 4 == drawn, **settings, **kernel))
    assert len(said) > 2 or algorithm not in WITH_KERNEL


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_kernel_takes_many_classes(algorithm):
    for kernel in EVERY_KERNEL if algorithm in WITH_KERNEL else EVERY_KERNEL[:1]:
        s = Settings(algorithm, way="kernel ridge", components=2, neighbours=4, clusters=4, **kernel)
        try:
            assert len(fitted(*MORE, s).answer) == len(MORE[0])
        except ValueError as error:
            assert "no plane gets away from the origin" in str(error) and np.ptp(kernel_of(s).diag(MORE[0])) > 0


@pytest.mark.parametrize("data", DATA)
def test_every_algorithm_takes_every_data_set(canvas, data):
    X, y = points(data)
    settings, pictures = {"components": 3, "way": "kernel ridge", "neighbours": 4 if len(X) < 12 else 9}, 0
    for i, algorithm in enumerate(ALGORITHMS):
        see = look if i % 2 == len(data) % 2 else compute
        said = see(canvas, X, y, measure=i % 4 == len(data) % 4, algorithm=algorithm, **settings)
        pictures += not re.search(r": (give some|raise) ", said)
    assert pictures >= 12


def test_every_control_is_swept_at_every_algorithm_that_has_it(canvas):
    X, y = points(PAIR)
    for name, control in controls().items():
        wanted = {need: values[-1] for need, values in control.needs.items() if need != "algorithm"}
        for algorithm in control.needs.get("algorithm", ["SVC"])[-1:] if name != "algorithm" else []:
            said = [
                look(canvas, X, y, **{"algorithm": algorithm} | wanted | {name: value})
                for value in control.values_to_sweep()
            ]
            assert len(said) > 1


def test_a_view_of_it_shows_what_is_drawn():
    view = explore(play, *points(PAIR), **controls(Settings("kernel PCA", width=1.0)))
    assert view.values["algorithm"] == "kernel PCA" and "Component 1" in view.caption
    view.set(algorithm="LPP")
    assert view.controls["width"].widget.disabled and not view.controls["neighbours"].widget.disabled
    view.set(algorithm="SVC", combine="+", second="polynomial")
    off = {name for name, control in view.controls.items() if control.widget.disabled}
    assert off == {"degree", "coef0", "second_width", *USED_BY} - {"C"}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_control_is_at_work_where_it_changes_something_and_only_there(algorithm):
    X, y = points("thirty points")[0], np.arange(30) % 2
    for kernel in [{"kernel": "Gaussian"}, {"kernel": "polynomial", "combine": "×", "second": "exponential"}]:
        base = Settings(algorithm, way="linear ridge", components=2, **kernel)
        for name, control in controls().items():
            if name in ("algorithm", "kernel", "combine", "second", "way"):
                continue
            found = []
            for value in [*control.values_to_sweep(), *(range(2, 9) if name == "seed" else ())]:
                try:
                    model, answer = fitted(X, y, base._replace(**{name: value}))
                    found.append((answer.tolist(), getattr(model, "inertia_", 0)))
                except ValueError:
                    found.append(None)
            same = all(other == found[0] for other in found)
            assert control.matters(base._asdict()) != same, name


# ---- few, equal, collinear, far and many points ----------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_points_that_say_too_little_are_refused_with_what_to_do(algorithm):
    assert refused([], [], algorithm=algorithm) == "There are no points yet: add some, or choose a data set."
    assert refused([1, 2], [0], algorithm=algorithm).endswith("add another one.")
    assert refused([[1, 2]] * 9, [0, 1] * 4 + [0], algorithm=algorithm).endswith("move one of them.")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_two_points_collinear_points_twins_and_far_points(canvas, algorithm):
    along = np.linspace(-2, 2, 12)
    some, labels = points(PAIR)
    unlike = {
        "two": ([[0, 0], [1, 1]], [0, 1]),
        "three": ([[0, 0], [1, 1], [2, 0]], [0, 1, 1]),
        "a line": (np.column_stack([along, 0.5 * along]), along > 0),
        "upright": (np.column_stack([0 * along, along]), along > 0),
        "level": (np.column_stack([along, 0 * along]), along > 0),
        "twins": (np.repeat(some[::4], 2, axis=0), np.tile([0, 1], len(some[::4]))),
        "far": (np.vstack([some, [[1e6, -1e6]]]), np.append(labels, 1)),
        "all far": (1e7 + some, labels),
        "large": (1e5 * some, labels),
        "tiny": (1e-5 * some, labels),
    }
    for name, (X, y) in unlike.items():
        few = {"algorithm": algorithm, "neighbours": min(8, len(X) - 1), "components": 1, "way": "linear ridge"}
        X, y = np.array(X, float), np.array(y)
        assert look(canvas, X, y, **few), name
        if algorithm in WITH_KERNEL and np.abs(X).max() > 100:
            assert look(canvas, X, y, measure=False, kernel="polynomial", degree=6, combine="×", **few), name


def test_one_class_is_enough_for_all_that_tell_none_apart():
    X, y = points("half circle")
    for algorithm in ALGORITHMS:
        s = Settings(algorithm)
        if algorithm in ("SVC", "kernel perceptron"):
            said = refused(X, y, algorithm=algorithm)
            assert said == f"Here is one class, and {algorithm} tells two apart: give some points another class."
        else:
            assert np.isfinite(fitted(X, y, s).answer).all()


def test_more_than_two_classes_are_the_first_against_the_rest_and_this_is_said(canvas):
    X, y = points("rings")
    said = look(canvas, X, y, algorithm="kernel perceptron")
    assert said.startswith("Class 0 against the rest: ")
    assert ((fitted(X, y, Settings("kernel perceptron")).answer > 0) == (y == 0)).all()
    assert set(fitted(X, y, Settings("SVC")).model.predict(X)) == {0, 1, 2}  # this one takes as many as there are


def test_what_graphs_and_clusters_cannot_do_is_said_in_the_names_of_the_controls():
    X, y = points("five points")
    for algorithm in USED_BY["neighbours"]:
        assert refused(X, y, algorithm=algorithm, neighbours=5).endswith("lower neighbours from 5, or add points.")
    assert "cannot fill 6 clusters" in refused(X, y, algorithm="kernel k-means", clusters=6)
    X, y = points("three clusters")
    assert "raise neighbours or clusters" in refused(X, y, algorithm="spectral clustering", neighbours=2)
    assert "for a Gaussian alone" in refused(X, y, algorithm="denoising", kernel="linear")


def test_three_hundred_points_and_seven_classes(canvas):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 2)), np.arange(300) % 7
    for algorithm in ALGORITHMS:
        assert look(canvas, X, y, algorithm=algorithm, clusters=7)


# ---- what is shown ---------------------------------------------------------------------------------------------------


def test_the_drawing_begins_where_the_settings_begin():
    defaults = {name: p.default for name, p in inspect.signature(play).parameters.items() if name not in "axes X y"}
    assert defaults == Settings()._asdict()
    assert list(defaults) == list(Settings._fields) and set(controls()) == set(Settings._fields)
    assert list(PICTURES) == list(ALGORITHMS)


def test_kernels_are_made_of_their_settings():
    assert kernel_of(Settings(width=0.5)) == Gaussian(0.5)
    assert kernel_of(Settings(kernel="polynomial", degree=3, coef0=0.0)) == Polynomial(3, 0.0)
    both = Settings(kernel="exponential", combine="+", second="polynomial", width=2.0, second_degree=4)
    assert kernel_of(both) == Exponential(2.0) + Polynomial(4)
    assert kernel_of(both._replace(combine="×", second="linear")) == Exponential(2.0) * Linear()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_points_are_drawn_as_they_are_and_in_the_same_order_on_both_sides(canvas, monkeypatch, algorithm):
    drawn = []
    monkeypatch.setattr(
        "kmlab.course.drawings.playground.scatter_classes", lambda ax, X, y, **_: drawn.append((ax, X, y))
    )
    X, y = points(PAIR)
    with canvas.ready():
        canvas.fill(X, y, algorithm=algorithm)
    (right, Z, z), (left, P, p) = drawn
    assert (left, right) == tuple(canvas.axes) and P is X and p is y
    assert Z.shape == X.shape and np.array_equal(z, y)


def test_the_staircase_of_an_svm_keeps_its_conditions():
    for X, y in (points(PAIR), points("rings")):
        model = fitted(X, y, Settings("SVC", C=1.0)).model
        margin, alpha = playground.staircase(model, X, y)
        assert (margin[alpha == 0] > 0.99).all() and (margin[alpha == 1] < 1.01).all()
        close(margin[(alpha > 0) & (alpha < 1)], np.ones(((alpha > 0) & (alpha < 1)).sum()), 0.01)
        if len(model.classes_) == 2:
            close(margin, y * model.decision_function(X))
            close(alpha, model.alpha_)
        else:  # of several machines the least sure one
            f = {(i, j): machine.decision_function(X) for i, j, machine, _ in model.pairs_}
            sure = [[-f[i, j] if y[n] == i else f[i, j] for i, j in f if y[n] in (i, j)] for n in range(len(X))]
            close(margin, [min(values[n] for values in own) for n, own in enumerate(sure)])


def test_the_misses_of_the_perceptron_are_those_of_the_points_they_stand_at(canvas, monkeypatch):
    drawn = []
    monkeypatch.setattr("kmlab.course.drawings.playground.scatter_classes", lambda ax, Z, y, **_: drawn.append(Z))
    X, y = points("moons")
    with canvas.ready():
        canvas.fill(X, y, algorithm="kernel perceptron")
    model, f = fitted(X, y, Settings("kernel perceptron"))
    missed = np.round(drawn[0][:, 1] * model.alpha_.max())
    close(kernel_of(Settings())(X) @ (missed * y) + model.b_, f)  # (P.3) with the points in the order of the rows


def test_clusters_have_the_colours_of_their_classes():
    y = np.array([3, 3, 3, 5, 5, 5, 9, 9])
    labels = np.array([2, 2, 0, 0, 0, 0, 1, 1])
    assert playground.like_classes(labels, y)[labels].tolist() == [0, 0, 1, 1, 1, 1, 2, 2]
    assert sorted(playground.like_classes(np.array([0, 1, 2, 3]), np.zeros(4))) == [0, 1, 2, 3]


# ---- the lines that make it ------------------------------------------------------------------------------------------


def run(text, s):
    lines = text.splitlines()
    assert 3 <= len(lines) <= 6 and all(line.strip() for line in lines), text
    scope = {}
    exec(text, scope)
    return scope[lines[-1].split(" = ")[0]]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_code_computes_what_the_picture_shows(algorithm):
    kernels = EVERY_KERNEL[::5] if algorithm in WITH_KERNEL else EVERY_KERNEL[:1]
    for kernel, data in itertools.product(kernels, ["rings", PAIR, "sinc", "house", "half circle"]):
        X, y = points(data)
        s = Settings(algorithm, components=2, way="kernel ridge", **kernel)
        try:
            shown = fitted(X, y, s).answer
        except ValueError:
            continue
        close(run(code(X, y, s, data), s), shown, ITERATIVE)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_code_holds_points_of_ones_own(algorithm):
    X, y = points(PAIR)
    X, y = rounded(X[::2]), y[::2]
    s = Settings(algorithm, components=2, neighbours=4)
    close(run(code(X, y, s), s), fitted(X, y, s).answer, ITERATIVE)
    close(run(code(X, np.arange(20) % 3, s), s), fitted(X, np.arange(20) % 3, s).answer, ITERATIVE)


def test_the_code_reads_like_the_course():
    X, y = points("moons")
    assert code(X, y, Settings(), "moons").splitlines() == [
        "from kmlab import datasets, kernels, svm",
        "X, y = datasets.two_moons(n=120, noise=0.15)",
        "model = svm.SVC(kernels.Gaussian(0.7), C=10).fit(X, y)",
        "f = model.decision_function(X)",
    ]
    s = Settings("SVDD", "linear", "×", "polynomial", nu=0.25)
    sphere = "one_class.SVDD(kernels.Linear() * kernels.Polynomial(2, 1), C=1 / (0.25 * len(X)))"
    assert sphere in code(X, y, s, "moons")
    assert code(*points("house"), Settings("LPP"), "house").splitlines() == [
        "from kmlab import manifold",
        "from kmlab.course import samples",
        "X = samples.house()",
        "model = manifold.LPP(n_neighbors=8, center='D').fit(X)",
        "places = model.embedding_",
    ]


# ---- a state as a line of text ---------------------------------------------------------------------------------------


def test_a_state_is_one_readable_line():
    assert state(Settings()) == "SVC · moons · Gaussian 0.7 · C 10"
    s = Settings("denoising", "exponential", "+", "polynomial", width=0.5, second_degree=3, way="linear ridge")
    assert state(s, "square") == "denoising · square · exponential 0.5 + polynomial 3 · components 4 · way linear ridge"
    assert state(Settings("LPP", neighbours=5), "house") == "LPP · house · neighbours 5"
    assert state(Settings("SVR", "polynomial", degree=4, coef0=0.0), X=[[0, 1], [2.333, -1]], y=[1, 2]) == (
        "SVR · points 1: 0,1 2: 2.33,-1 · polynomial 4 0 · C 10 · ε 0.2"
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_state_comes_back_from_its_text(algorithm):
    s = Settings(algorithm, C=0.5, nu=0.33, epsilon=0.0, lam=1e-3, component=3, components=7, way="distances")
    s = s._replace(neighbours=5, clusters=4, passes=3, seed=2)
    for kernel in EVERY_KERNEL:
        s = s._replace(**{"combine": "alone", "degree": 3, "coef0": 0.5, "width": 1.5, "second_width": 0.1} | kernel)
        back, data, own = restore(state(s, "lying H"))
        assert (data, own) == ("lying H", None)
        matters = {name for name, control in controls().items() if control.matters(s._asdict())}
        assert {name: getattr(back, name) for name in matters} == {name: getattr(s, name) for name in matters}


@pytest.mark.parametrize("scale", [1.0, 100.0, 1e-3])
def test_edited_points_come_back_in_their_order(scale):
    X, y = scale * MORE[0] + 0.001, np.array([3, 3, -1, -1, 3, 0, 0, -1, -1])
    back, data, (P, p) = restore(state(Settings(), X=X, y=y))
    assert back == Settings() and data is None and np.array_equal(p, y)
    close(P, X, 0.005 * min(scale, 1))
    assert len(restore(state(Settings(), X=np.zeros((0, 2)), y=[]))[2][0]) == 0
    assert restore(state(Settings(), X=MORE[0], y=MORE[1]))[2][1].tolist() == [0, 0, 1, 1, 2, 2, 2, 3, 3]  # words
    assert restore(state(Settings(), X=MORE[0], y=MORE[1] == "a"))[2][1].tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 0]


def test_a_text_may_be_typed_by_hand():
    s, data, own = restore(" svc | Rings; gaussian 0.3*LINEAR · c 100 ")
    assert (s.algorithm, data, own) == ("SVC", "rings", None)
    assert (s.kernel, s.width, s.combine, s.second, s.C) == ("Gaussian", 0.3, "×", "linear", 100)
    assert restore("one-class svm · nu 0.2")[0].nu == restore("ν 0.2")[0].nu == 0.2
    assert restore("") == (Settings(), "moons", None)
    assert restore("kernel ridge · lambda 1")[0] == Settings("kernel ridge", lam=1)


@pytest.mark.parametrize(
    "text, bad",
    [
        ("SVC · moon", "'moon' is no part of the playground"),
        ("SVC · C much", "'much' is no number for C"),
        ("SVC · C", "'' is no number for C"),
        ("SVC · C 1e9", "C is a number from 0.01 to 1000, got 1000000000.0"),
        ("SVC · clusters 2.5", "clusters is a whole number from 2 to 7, got 2.5"),
        ("SVC · ν nan", "nu is a number"),
        ("Gaussian wide", "'wide' is no number for width"),
        ("Gaussian 1 2", "'Gaussian 1 2' is no kernel"),
        ("Gaussian 1 + banana", "'banana' is no kernel"),
        ("polynomial 0", "degree is a whole number from 1 to 6, got 0"),
        ("denoising · way home", "way is one of fixed point"),
        ("points 1: 2", "'2' is no point"),
        ("points one: 2,3", "'one:' is no point"),
        ("points 0: inf,3", "mine contains inf"),
        (None, "'None' is no part"),
        ("x" * 5000, "…' is no part"),
        ("Gaussian 0.7\n+ banana", "'banana' is no kernel"),
    ],
)
def test_nonsense_is_named_in_one_sentence(text, bad):
    with pytest.raises(ValueError, match=re.escape(bad)) as error:
        restore(text)
    assert "\n" not in str(error.value)


# ---- points of one's own ---------------------------------------------------------------------------------------------


def test_an_array_of_ones_own_is_taken_as_it_is():
    X, y = own_points([[1, 2], [3, 4]])
    assert X.tolist() == [[1, 2], [3, 4]] and y.tolist() == [0, 0]
    assert own_points([[1, 2], [3, 4]], ["a", "b"])[1].tolist() == ["a", "b"]


@pytest.mark.parametrize(
    "mine, labels, said",
    [
        (np.ones((4, 3)), None, "your points have 3 columns: choose two"),
        (np.ones((1200, 2)), None, "take some of them, as in mine[::3]"),
        (np.ones((4, 2)), [1, 2], "give one label for each"),
        (np.ones((9, 2)), range(9), "9 classes and 7 colours"),
        ([[1, np.nan]], None, "mine contains NaN"),
        ([1, 2], None, "two dimensions"),
        ([[1, 2], [3, 4]], [None, 1], "None, which is no class"),
    ],
)
def test_other_arrays_are_refused_with_a_remedy(mine, labels, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        own_points(mine, labels)


# ---- the live page ---------------------------------------------------------------------------------------------------


def test_points_of_ones_own_that_are_too_few_are_seen_with_what_is_missing():
    for view in (Playground(mine=PLACES), Playground("SVC · points 1: 1,2"), Playground("SVC · points")):
        assert "one class" in view.caption or "One point" in view.caption or "no points" in view.caption
        assert view.png and not view._code.value
    for x, y, label in ((0, 0, 0), (0.5, 0.5, 0), (0.2, 0.9, 1)):  # an empty plane is drawn on
        view.add(x, y, label)
    assert "support vectors" in view.caption and "svm.SVC" in view._code.value
    view = Playground()
    view.open("SVC · half circle")  # other points, not under the picture of the moons
    assert "one class" in view.caption and not view._alert.value
    view.do("clear")
    assert "no points" in view.caption
    with pytest.raises(ValueError, match="Labels belong to points"):
        Playground(labels=[1, 2])


def test_a_control_that_a_sentence_asks_for_is_seen():
    view = Playground("SVC · moons · polynomial 2")
    view.set(algorithm="denoising")
    assert "a ridge as the way" in view._alert.value and view.controls["way"].box.layout.display is None
    view.set(way="kernel ridge")
    assert not view._alert.value and "keep" in view.caption


def test_the_picture_of_ones_own_points_is_that_of_its_lines_and_of_its_text():
    far = np.array(PLACES) / 3 + [123456, 0]
    for view, algorithm in (Playground(), "SVC"), (Playground("SVDD", mine=far), "SVDD"):
        view.drag(0, *(view.hand.X[0] + [0.123456, 99]))  # beyond the frame, too
        shown = np.asarray(view.hand.X), view.hand.y
        close(run(view.code, view.settings), fitted(*shown, view.settings).answer, ITERATIVE)
        again = Playground(view.state)
        assert np.array_equal(again.hand.X, view.hand.X) and again.code == view.code and algorithm in again.code
        view.do("reset")
        assert view.hand.is_as_at_first


def test_a_text_is_typed_into_the_page():
    view = Playground()
    view._line.value = "kernel PCA\n · points 0: 0,1 1: 2,3 0: 1,1 2,2 · Gaussian 0.7"
    assert len(view.hand.X) == 4 and view._menu.value == "drawn by hand" and "Component 1" in view.caption
    view._line.value = "kernel PCA · moo"  # cut off
    assert "moo&#x27; is no part" in view._alert.value and view._line.value == view.state and len(view.hand.X) == 4
    view._menu.value = "rings"
    assert view._line.value == "kernel PCA · rings · Gaussian 0.7 · component 1"


def test_a_data_set_is_found_by_its_name():
    for name in DATA:
        X, y = points(name)
        assert X.shape == (len(y), 2) and len(X) <= 200 and len(np.unique(y)) <= 7
    with pytest.raises(ValueError, match="no data set 'spam' here: choose one of moons"):
        points("spam")


# ---- what notebook 16 says -------------------------------------------------------------------------------------------


def opened(text, **changed):
    s, data, _ = restore(text)
    X, y = points(data)
    return X, y, fitted(X, y, s._replace(**changed))


def test_every_line_of_the_notebook_opens(canvas):
    notebook = json.loads((ROOT / "notebooks/16_playground.ipynb").read_text(encoding="utf-8"))
    prose = "".join("".join(cell["source"]) for cell in notebook["cells"])
    lines = re.findall(r"`([^`\n]+ · [^`\n]+)`", prose)
    assert len(lines) == 5
    for line in lines:
        s, data, _ = restore(line)
        assert state(s, data) == line and look(canvas, *points(data), **s._asdict())


def test_the_third_component_of_the_rings_is_their_radius():
    X, _, five = opened("kernel PCA · rings · polynomial 2 · component 5")
    shares = np.corrcoef((X**2).sum(1), five.answer.T)[0, 1:] ** 2
    assert shares.argmax() == 2 and round(shares[2], 2) == 0.98
    with pytest.raises(ValueError, match="only 5 components"):
        opened("kernel PCA · rings · polynomial 2 · component 6")
    X, _, wide = opened("kernel PCA · rings · Gaussian 2 · component 5")
    assert (np.corrcoef((X**2).sum(1), wide.answer.T)[0, 1:] ** 2).argmax() == 2


def test_no_order_of_the_perceptron_comes_up_to_the_margin_of_the_svc():
    nearest = []
    for seed in range(10):
        _, y, (model, f) = opened("kernel perceptron · two sides · linear · passes 20", seed=seed)
        nearest.append((y * f).min() / model.w_norm_)
    assert (round(min(nearest), 2), round(max(nearest), 2)) == (0.03, 0.35)
    model = opened("SVC · two sides · linear · C 1000")[2].model
    assert round(1 / model.w_norm_, 2) == 0.42 and len(model.support_) == 3


def test_an_outlier_turns_squares_more_than_absolute_values():
    X, y = points("line and outlier")
    for place, expected in ((10, (32, 37)), (20, (14, 29))):
        X = np.where(np.arange(11)[:, None] == 5, [place, 0], X)
        axes = [pca.PCA(1).fit(X).components_[0], pca_l1.PCAL1(1).fit(X).components_[0]]
        assert tuple(round(np.degrees(np.arctan2(w[1], w[0]))) for w in axes) == expected


def test_means_do_not_find_two_rings_and_three_neighbours_do():
    def share(text, **changed):
        _, y, (_, labels) = opened(text, **changed)
        return np.mean(playground.like_classes(labels, y)[labels] == (y > 0))

    widths = controls()["width"].stops
    best = max(share("kernel k-means · two rings", width=w, seed=seed) for w in widths for seed in range(10))
    assert round(best, 2) == 0.87
    assert share("spectral clustering · two rings · neighbours 3") == 1
    assert share("spectral clustering · two rings · neighbours 4") < 0.6


def test_a_sphere_and_a_plane_are_the_same_while_all_images_are_equally_long():
    def outside(text):
        X, _, (model, _) = opened(text)
        return np.flatnonzero(model.predict(X) < 0).tolist()

    assert len(outside("SVDD · half circle · Gaussian 0.5")) == 5
    assert outside("SVDD · half circle · Gaussian 0.5") == outside("one-class SVM · half circle · Gaussian 0.5")
    assert len(outside("SVDD · half circle · Gaussian 0.5 + linear")) == 10
    assert len(outside("one-class SVM · half circle · Gaussian 0.5 + linear")) == 8
