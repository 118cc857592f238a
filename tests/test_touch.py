"""Points in the reader's hand: without a browser, and in a real one."""

import base64
import io
import threading
import time

import numpy as np
import pytest
from PIL import Image

from kmlab import datasets
from kmlab.course.drawings import locality
from kmlab.kernels import Gaussian
from kmlab.show import editable, explore, log_slider, panels, step_through, toolbox, touch
from kmlab.show.canvas import Canvas
from kmlab.svm import SVC

X, Y = datasets.two_moons(20, noise=0.2)


@panels(1, 2)
def machine(axes, X, y, C=1.0):
    left, right = axes
    model = SVC(Gaussian(0.7), C=C).fit(X, y)
    xs, ys = toolbox.grid_around(X, 40)
    F = toolbox.over_grid(model.decision_function, xs, ys)
    toolbox.decision_map(left, xs, ys, F)
    toolbox.scatter_classes(left, X, y)
    left.set(title="points", **toolbox.framed(xs, ys))
    f = model.decision_function(X)
    toolbox.scatter_classes(right, np.column_stack([f, y]), y)
    right.set(title="margins", xlim=(-3, 3), ylim=(-2, 2))
    return f"{len(X)} points, {len(model.support_)} support vectors, f of the first {f[0]:.4f}."


@panels(1, 1)
def star(axes, X, y):
    for i, label in enumerate(X.hand.classes):
        look = {"size": 324, "color": "#1b1b1b", "marker": "*"} if label == "?" else {"color": toolbox.COLORS[i]}
        toolbox.points(axes[0], X, np.flatnonzero(y == label), **look).moves *= i + 1
    return "Who is the nearest of the star?"


@panels(1, 1)
def star_of_one(axes, X):
    toolbox.points(axes[0], X, marker="*")
    return f"{len(X)} points."


def alert(view):
    return view._alert.value


def hand(view):
    return view._picture.hand


# ---- points in the hand ----------------------------------------------------------------------------------------------


def test_an_editable_moves_adds_removes_and_comes_back():
    points = editable([[0, 0], [1, 1], [2, 0]], [-1, 1, 1])
    before = points.X
    points.move(1, 0.5, 0.25)
    points.add(2, 0.1, 0)
    points.relabel(0, 1)
    points.remove(2)
    assert points.X.tolist() == [[0, 0], [0.5, 0.25], [2, 0.1]] and points.y.tolist() == [1, 1, -1]
    assert before.tolist() == [[0, 0], [1, 1], [2, 0]]  # who kept the old points has them still
    points.clear()
    assert points.X.shape == (0, 2) and points.y.shape == (0,) and points.classes.tolist() == [-1, 1]
    points.reset()
    assert points.X.tolist() == before.tolist() and points.y.tolist() == [-1, 1, 1]


def test_points_stay_in_their_frame():
    points = editable([[0, 0], [10, 5]])
    assert points.frame.tolist() == [[-2, -2], [12, 7]]
    points.move(0, -99, 99)
    points.add(1e9, -1e9)
    assert points.X.tolist() == [[-2, 7], [10, 5], [12, -2]]
    assert editable(np.empty((0, 2)), frame=((0, 0), (1, 2))).frame.tolist() == [[0, 0], [1, 2]]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: editable([1, 2, 3]), r"two dimensions .* got shape \(3,\)"),
        (lambda: editable(np.ones((3, 3))), r"an array \(n, 2\), got shape \(3, 3\)"),
        (lambda: editable([[0, np.nan]]), "X contains NaN"),
        (lambda: editable([[0, 1j]]), "X must be real"),
        (lambda: editable(np.ma.masked_array([[0.0, 1.0]], [[True, False]])), "masked in 1 entries"),
        (lambda: editable([[0, 0]], [1, 2]), "2 labels for 1 samples"),
        (lambda: editable([[0, 0]], 1), "one label for each"),
        (lambda: editable([[0, 0], [1, 1]], [None, "a"]), "None, which is no class"),
        (lambda: editable([[0, 0], [1, 1]], [1, 2], classes=[1, 3]), "y holds 2, which is none of the classes 1, 3"),
        (lambda: editable([[0, 0]], frame=(1, 2)), r"A frame is \(\(x, y\), \(x, y\)\)"),
        (lambda: editable([[0, 0]], frame=((1, 1), (0, 0))), "lowest and highest places"),
        (lambda: editable([[0, 0]], most=2.5), "most must be a whole number"),
        (lambda: editable(np.empty((0, 2))), "give a frame"),
        (lambda: editable([[0, 0]]).move(1, 0, 0), "no point 1 here, only 1"),
        (lambda: editable([[0, 0]]).relabel(0, 1), "no classes"),
        (lambda: editable([[0, 0], [1, 1]], most=2).add(0, 0), "2 points already"),
        (lambda: editable([[0, 0]], fixed=True).add(0, 0), "moved only"),
        (lambda: editable([[0, 0]], fixed=True).clear(), "moved only"),
        (lambda: explore(machine, X, Y).add(0, 0), "not editable; give editable"),
        (lambda: explore(machine, editable(X, Y)).turn(0, 10, 10), "Panel 0 is flat"),
        (lambda: explore(machine, editable(X, Y)).do("frame"), "A hand can move, add"),
        (lambda: explore(machine, editable(X, Y), editable(X)), "one editable"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


def test_what_is_made_of_editable_points_is_an_ordinary_array():
    points = editable(X, Y).X
    assert points.hand.frame.shape == (2, 2)
    for made in (points[:3], points + 1, points.copy(), points.mean(0), points @ np.eye(2)):
        assert made.hand is None


# ---- a view ----------------------------------------------------------------------------------------------------------


def test_the_answer_follows_a_dragged_point():
    view = explore(machine, editable(X, Y), C=log_slider(0.1, 100))
    view.drag(0, 0.3, 0.2)
    moved = X.copy()
    moved[0] = 0.3, 0.2
    f = SVC(Gaussian(0.7), C=1.0).fit(moved, Y).decision_function(moved)[0]
    assert f"f of the first {f:.4f}" in view.caption == view._picture.caption
    assert hand(view)["X"][0] == [0.3, 0.2] and X[0].tolist() != [0.3, 0.2]
    view.add(1, 1, 1)
    view.remove(3)
    assert view.caption.startswith("20 points")
    view.do("reset")
    assert hand(view)["X"] == X.tolist() and not alert(view)


def test_no_points_and_one_class_are_a_sentence_and_the_points_are_seen():
    view = explore(machine, editable(X, Y))
    good, said = view.png, view.caption
    view.do("clear")
    assert "the last good one" in alert(view) and view.png == good and view._picture.caption == said
    assert hand(view)["X"] == [] and hand(view)["names"] == ["-1", "1"]
    view.add(0, 0, 1)
    view.add(1, 0, 1)
    assert alert(view) and hand(view)["labels"] == [1, 1]
    view.add(1, 1, 0)
    assert not alert(view) and view.caption.startswith("3 points")


def test_axes_and_colours_stay_when_points_move():
    view = explore(machine, editable(X, Y))
    frame = view.canvas.axes[0].get_xlim(), view.canvas.axes[0].get_ylim()
    view.drag(0, 99, 99)
    assert (view.canvas.axes[0].get_xlim(), view.canvas.axes[0].get_ylim()) == frame

    @panels(1, 1)
    def dots(axes, X, y):
        toolbox.scatter_classes(axes[0], X, y)
        return "Dots."

    view = explore(dots, editable([[0, 0], [1, 1]], ["a", "b"]))
    view.remove(0)
    (layer,) = [layer for layer in view._picture.scene["layers"] if layer["kind"] == "marks" and layer["xy"][1]]
    assert layer["face"] == "#d55e00ff" and layer["moves"] == 2


def test_what_a_drawing_does_to_its_points_or_axes_does_not_last():
    @panels(1, 2)
    def vandal(axes, X, y):
        toolbox.scatter_classes(axes[0], X, y)
        if X[0, 0] == 1:
            axes[1].clear()
        if X[0, 0] == 2:
            axes[1].remove()
        if X[0, 0] == 3:
            X += 1
        if X[0, 0] == 4:
            raise SystemExit
        axes[0].text(np.nan, 0, "nowhere")  # is no number in the page's scene
        return "As it should be."

    view = explore(vandal, editable([[0, 0], [5, 5]], ["a", "b"]))
    good = view.png
    for x, sentence in (1, ""), (2, "vandal removed its axes"), (3, "read-only"), (4, "SystemExit"):
        view.drag(0, x, 0)
        assert sentence in alert(view) and bool(alert(view)) == bool(sentence)
        view.drag(0, 0, 0)
        assert not alert(view) and view.png == good
        assert "NaN" not in touch.as_text(view._picture.scene, None)


def test_points_that_are_drawn_nowhere_are_refused():
    @panels(1, 1)
    def copy(axes, X):
        toolbox.points(axes[0], X * 1.0)
        return "A copy."

    with pytest.raises(ValueError, match="drawn nowhere"):
        explore(copy, editable(X))


def test_steps_are_made_anew_of_the_points():
    @panels(1, 1)
    def sums(axes, X, steps, t):
        toolbox.points(axes[0], X)
        return f"{steps[t]:g}"

    view = step_through(lambda X: np.cumsum(X[:, 0]), sums, editable([[1, 0], [2, 0], [3, 0]]))
    view.set(t=2)
    assert view.caption == "6" and view.last == 2
    view.add(3, 0)
    view.set(t=3)
    assert view.caption == "9" and view._picture.caption == "Frame 4 of 4: 9"
    view.remove(0)
    assert view.caption == "8" and view.last == 2 and view.controls["t"].widget.max == 3
    view.do("clear")
    assert "at least one step" in alert(view)


def test_views_of_the_same_points_follow_each_other():
    @panels(1, 1)
    def first(axes, X, steps, t):
        toolbox.points(axes[0], X)
        return f"{steps[t]:g}"

    points = editable(X, Y)
    moons, again = explore(machine, points), explore(machine, points)  # a cell that was run twice
    alone = editable([[1, 0], [2, 0]])
    left, right = step_through(lambda X: X[:, 0], first, alone), explore(star_of_one, alone)
    again.add(0, 0, 1)
    assert again.caption.startswith("21 points") and len(hand(again)["X"]) == 21 and len(hand(moons)["X"]) == 20
    right._told(None, {"page": "a", "number": 1, "wishes": [{"do": "move", "i": 0, "x": 1.25, "y": 0}]}, [])
    assert left.caption == "1.25" and hand(left)["X"] == hand(right)["X"] == [[1.25, 0], [2, 0]]
    left.add(2, 0)
    assert right.caption == "3 points." and left.last == 2


def test_wishes_of_the_page_are_done_in_order_and_answered():
    view = explore(machine, editable(X, Y))
    wishes = [
        {"do": "move", "i": 0, "x": 0.5, "y": 0.5}, {"do": "add", "x": 1, "y": 1, "label": 1}, {"do": "remove", "i": 1},
        {"do": "remove", "i": 999}, {"do": "relabel", "i": 0, "label": 1},
    ]  # fmt: skip
    view._told(None, {"wishes": wishes, "page": "one", "number": 7}, [])
    assert hand(view)["reply"] == {"one": 7} and hand(view)["X"][0] == [0.5, 0.5] and hand(view)["X"][-1] == [1, 1]
    assert len(hand(view)["X"]) == 20 and hand(view)["labels"][0] == 1
    view._told(None, {"wishes": [{"do": "clear"}], "page": "other", "number": 1}, [])
    assert hand(view)["reply"] == {"one": 7, "other": 1} and alert(view)  # answered although nothing could be drawn


def test_a_move_that_comes_after_a_later_one_is_forgotten_and_both_are_answered():
    view = explore(machine, editable(X, Y))
    for number, x in ((1, 0.1), (3, 0.3), (2, 0.2)):  # as two threads may bring them
        wishes = [{"do": "move", "i": 0, "x": x, "y": 0.5}, {"do": "relabel", "i": number, "label": 1}]
        view._told(None, {"wishes": wishes, "page": "one", "number": number}, [])
    assert hand(view)["X"][0] == [0.3, 0.5] and hand(view)["reply"] == {"one": 3}
    assert hand(view)["labels"][1:4] == [1, 1, 1]


def test_two_threads_do_not_undo_each_others_moves(monkeypatch):
    view, began = explore(machine, editable(X, Y)), threading.Event()

    def move(points, i, x, y):
        moved = np.array(points.X)
        if not began.is_set():
            began.set()
            time.sleep(0.2)  # the other one would come in between
        moved[i] = x, y
        points._take(moved, points.y)

    monkeypatch.setattr(touch.editable, "move", move)
    wishes = [[{"do": "move", "i": 0, "x": x, "y": 0.5}] for x in (0.1, 0.2)]
    first = threading.Thread(target=view._told, args=(None, {"wishes": wishes[0], "page": "one", "number": 1}, []))
    first.start()
    began.wait()
    view._told(None, {"wishes": wishes[1], "page": "one", "number": 2}, [])
    first.join()
    assert hand(view)["X"][0] == [0.2, 0.5] and hand(view)["reply"] == {"one": 2}


def test_an_interrupted_picture_is_answered_and_the_next_one_drawn():
    @panels(1, 1)
    def draw(axes, X, y):
        toolbox.scatter_classes(axes[0], X, y)
        if len(X) == 21:
            raise KeyboardInterrupt
        return f"{len(X)} points."

    view = explore(draw, editable(X, Y))
    with pytest.raises(KeyboardInterrupt):
        view._told(None, {"page": "a", "number": 1, "wishes": [{"do": "add", "x": 0, "y": 0, "label": 0}]}, [])
    assert hand(view)["reply"] == {"a": 1} and len(hand(view)["X"]) == 21  # or the page would wait for ever
    view.remove(20)
    assert view.caption == "20 points."


def test_a_class_that_other_points_had_is_forgotten_with_them():
    from kmlab.course.live import Playground

    view = Playground("kernel PCA · three clusters")
    view._hand_box.children[0].value = 3
    assert view._picture.label == 3
    view.open("kernel PCA · moons")  # with two classes, and a third that can be added
    assert view._picture.label == 0
    view._told(None, {"page": "a", "number": 1, "wishes": [{"do": "add", "x": 0, "y": 0, "label": 3}]}, [])
    assert hand(view)["reply"] == {"a": 1} and len(hand(view)["X"]) == 120
    with pytest.raises(ValueError, match="There is no class 3 here, only 3"):
        view.hand.relabel(0, 3)


def test_without_anywidget_the_picture_stands_still(monkeypatch):
    monkeypatch.setattr(touch, "anywidget", None)
    view = explore(machine, editable(X, Y))
    view.drag(0, 0.5, 0.5)
    data, _ = view._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html", "image/png"} and data["text/plain"] == view.caption


def test_the_way_to_the_page_does_not_wait(monkeypatch):
    from kmlab import server

    asked = []

    class Handler:
        def set_nodelay(self, yes):
            asked.append(yes)

    monkeypatch.setattr(server.ZMQChannelsWebsocketConnection, "connect", lambda self: "connected")
    connection = server.PromptConnection.__new__(server.PromptConnection)
    connection.__dict__["_trait_values"] = {}
    monkeypatch.setattr(server.PromptConnection, "websocket_handler", Handler(), raising=False)
    assert connection.connect() == "connected" and asked == [True]


# ---- numbers for the page --------------------------------------------------------------------------------------------


def numbers(frame, place, kind=np.float32):
    start, count = place
    return np.frombuffer(frame.numbers, kind, count, start)


def test_numbers_are_where_matplotlib_puts_them():
    canvas = Canvas(machine)
    frame, *_ = canvas.compose(X, Y)
    for ax, panel in zip(canvas.axes, frame.panels, strict=True):
        (left, top, width, height), xlim, ylim = panel["box"], panel["xlim"], panel["ylim"]
        for x, y in ((xlim[0], ylim[0]), (xlim[1], ylim[1]), (np.mean(xlim), np.mean(ylim))):
            place = ax.transData.transform((x, y))
            share = (x - xlim[0]) / np.ptp(xlim), (y - ylim[0]) / np.ptp(ylim)
            assert np.allclose(place, (left + share[0] * width, frame.height - top - height + share[1] * height))
    marks = [layer for layer in frame.layers if layer["kind"] == "marks" and layer["panel"] == 0]
    for layer in marks:
        xy = numbers(frame, layer["xy"]).reshape(-1, 2)
        wanted = canvas.axes[0].transData.transform(X[layer["rows"]])
        assert np.allclose(xy, np.column_stack([wanted[:, 0], frame.height - wanted[:, 1]]), atol=0.01)
    assert sorted(row for layer in marks for row in layer["rows"]) == list(range(20))
    assert {layer["of"] for layer in frame.layers if layer["kind"] == "marks"} == {20}  # so they are linked


def test_marks_that_are_no_rows_say_so_and_are_not_linked():
    @panels(1, 2)
    def draw(axes, X):
        axes[0].plot(*X.T, "o")
        axes[1].plot(*X.T, "o")[0].of = None
        axes[1].scatter(*X.T).of = None
        return "Points, and others that happen to be as many."

    frame, *_ = Canvas(draw).compose(np.arange(6.0).reshape(3, 2))
    assert [layer["of"] for layer in frame.layers if layer["kind"] == "marks"] == [3, None, None]


def test_what_the_page_cannot_draw_is_a_piece_in_its_place():
    @panels(1, 1, size=(4, 2))
    def strange(axes):
        axes[0].plot([0, 1], [0, 1], zorder=1)
        axes[0].fill_between([0, 1], [0, 1], hatch="/", zorder=2)
        axes[0].plot([0, 1], [1, 0], zorder=3)
        axes[0].annotate("a", (0.2, 0.2), (0.5, 0.5), arrowprops={"arrowstyle": "->"})
        return "Strange."

    frame, *_ = Canvas(strange).compose()
    kinds = [layer["kind"] for layer in frame.layers]
    assert kinds[:3] == ["lines", "piece", "lines"] and kinds.count("piece") >= 2
    assert {layer["key"] for layer in frame.layers if layer["kind"] == "piece"} == set(frame.pieces)


def test_only_what_changed_is_drawn_again():
    canvas = Canvas(machine)
    first, ground, _ = canvas.compose(X, Y)
    again, same, _ = canvas.compose(X, Y)
    assert same is ground and again.pieces == first.pieces and again.numbers == first.numbers
    moved = X.copy()
    moved[0] += 0.1
    other, same, _ = canvas.compose(moved, Y)
    assert same is ground and other.numbers != first.numbers


def test_a_camera_stays_until_the_drawing_moves_its_own():
    @panels(1, 1, projections={0: "3d"})
    def space(axes, azim=10):
        axes[0].scatter(*np.eye(3))
        axes[0].view_init(20, azim)
        return "Space."

    view = explore(space, azim=(0, 90))
    view.turn(0, 35, 120)
    ax = view.canvas.axes[0]
    assert (ax.elev, ax.azim) == (35, 120) and view._picture.scene["panels"][0]["space"]["camera"] == [35, 120]
    view.set(azim=10)
    assert ax.azim == 120
    view.set(azim=50)
    assert (ax.elev, ax.azim) == (20, 50)


def test_the_page_sees_space_as_matplotlib_does():
    @panels(1, 1, projections={0: "3d"})
    def space(axes, flat=False):
        axes[0].scatter(*POINTS.T)
        axes[0].set_box_aspect((1, 2, 1.5), zoom=1.2)
        axes[0].set_proj_type("ortho" if flat else "persp")
        axes[0].view_init(25, -70)
        return "Space."

    POINTS = np.random.default_rng(0).normal(size=(9, 3))
    for flat in (False, True):
        canvas = Canvas(space)
        frame, *_ = canvas.compose(flat=flat)
        seen, ax = frame.panels[0]["space"], canvas.axes[0]
        (thing,) = seen["things"]
        x, y, z = numbers(frame, thing["xyz"]).reshape(-1, 3).T
        elev, azim = np.radians(seen["camera"])  # the lines of touch.js
        across = np.cos(azim) * y - np.sin(azim) * x
        towards = np.cos(azim) * x + np.sin(azim) * y
        up, near = np.cos(elev) * z - np.sin(elev) * towards, np.cos(elev) * towards + np.sin(elev) * z
        focal, distance = seen["focal"], seen["distance"]
        size = focal / (distance * focal - near) if focal else 1 / distance
        at = seen["origin"][0] + seen["scale"][0] * size * across, seen["origin"][1] - seen["scale"][1] * size * up
        wanted = np.column_stack([POINTS, np.ones(9)]) @ ax.get_proj().T
        wanted = ax.transData.transform(wanted[:, :2] / wanted[:, 3:])
        assert np.allclose(np.transpose(at), np.column_stack([wanted[:, 0], frame.height - wanted[:, 1]]), atol=0.05)


# ---- in a browser ----------------------------------------------------------------------------------------------------

SETUP = """
import numpy as np
from kmlab import datasets
from kmlab.course.drawings import fisher_and_independence, gram_matrix, kernel_pca, locality
from kmlab.course.drawings import pca, pca_l1, perceptron, spheres_and_tubes
from kmlab.kernels import Gaussian
from kmlab.show import editable, explore, panels, slider, toolbox
from kmlab.svm import SVC

X, y = datasets.two_moons(20, noise=0.2)
rings = datasets.rings((0.2, 1, 2), 30, noise=0.08)
"""
CELLS = {
    "machine": "explore(machine, editable(X, y), C=slider(0.5, 5.0))",
    "rings_apart": "explore(kernel_pca.rings_apart, *rings)",
    "unfold": "explore(locality.unfold)",
    "gallery": "explore(gram_matrix.gallery, *datasets.three_clusters(12))",
    "membrane": "explore(locality.membrane)",
    "class_gap": "explore(pca.class_gap)",
    "star": "explore(star, editable(np.vstack([X, [[0.5, 0.2]]]), np.append(np.where(y > 0, 'b', 'a'), '?')))",
    "arrows": "explore(pca_l1.dragged, np.random.default_rng(0).normal(size=(30, 2)), np.array([[8.0, -9.0]]))",
    "logarithms": "explore(perceptron.printed_eta)",
    "regions": "explore(spheres_and_tubes.one_class, X)",
    "bands": "explore(spheres_and_tubes.far_away)",
    "bars": "explore(fisher_and_independence.unseen)",
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    pytest.importorskip("playwright", reason="playwright is not installed: python3 course.py test installs it")
    import browser

    if not browser.find_chromium():
        pytest.skip("no Chromium found: apt install chromium")
    import inspect

    folder = tmp_path_factory.mktemp("touch")
    for name in ("home", "notebooks"):
        (folder / name).mkdir()
    browser.write_notebook(
        folder / "notebooks/touch.ipynb",
        SETUP,
        "\n".join(map(inspect.getsource, (machine, star))),
        *(f"{cell}" for cell in CELLS.values()),
    )
    with (
        browser.jupyterlab(folder / "notebooks", folder / "home") as address,
        browser.chromium_page(1400, 1000) as page,
    ):
        browser.open_notebook(page, address, "touch.ipynb")
        browser.command(page, "notebook:run-all-cells")
        page.locator(".kmlab-picture canvas").nth(len(CELLS) - 1).wait_for()
        page.wait_for_function(
            "[...document.querySelectorAll('.kmlab-picture canvas')].every(c => c.kmlab.state().scene)"
        )
        page.notebook = folder / "notebooks/touch.ipynb"
        page.address = address
        yield page


def canvas_of(lab, name):
    canvas = lab.locator(".kmlab-picture canvas").nth(list(CELLS).index(name))
    canvas.scroll_into_view_if_needed()
    return canvas


def caption(lab, name):
    return lab.locator(".kmlab-view figcaption").nth(list(CELLS).index(name)).inner_text()


def state(canvas, what="hand"):
    return canvas.evaluate(f"c => c.kmlab.state().{what}")


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")).astype(int)


def at_rest(canvas):
    """Every wish is answered and drawn."""
    canvas.page.wait_for_function(
        "c => { const s = c.kmlab.state(); return !s.waiting.length && s.reply === s.asked; }",
        arg=canvas.element_handle(),
    )


@pytest.mark.parametrize("name", CELLS)
def test_the_page_draws_what_matplotlib_draws(lab, name):
    drawn = canvas_of(lab, name).evaluate("c => c.kmlab.picture()")
    stored = lab.evaluate(
        "i => jupyterapp.shell.currentWidget.context.model.cells.get(i + 2).outputs.get(0).data['image/png']",
        list(CELLS).index(name),
    )
    ours, theirs = pixels(drawn.split(",")[1]), pixels(stored)
    assert ours.shape == theirs.shape
    off = np.abs(ours - theirs).max(2)
    assert off.mean() < 2.5 and (off > 80).mean() < 0.012  # edges of marks and lines are smoothed in other ways


def test_a_dragged_point_moves_at_once_and_the_answer_follows(lab):
    canvas, before = canvas_of(lab, "machine"), caption(lab, "machine")
    x, y = canvas.evaluate("c => c.kmlab.where(0)")
    lab.mouse.move(x, y)
    lab.mouse.down()
    lab.mouse.move(x + 40, y - 25, steps=5)
    held = state(canvas)["X"][0]
    lab.mouse.up()
    assert np.allclose(canvas.evaluate("c => c.kmlab.where(0)"), (x + 40, y - 25), atol=1.5)
    at_rest(canvas)
    assert state(canvas)["X"][0] == held and caption(lab, "machine") != before
    moved = X.copy()
    moved[0] = held
    f = SVC(Gaussian(0.7), C=1.0).fit(moved, Y).decision_function(moved)[0]
    assert f"f of the first {f:.4f}" in caption(lab, "machine")


def test_escape_puts_a_held_point_back_and_delete_holds_no_other(lab):
    canvas = canvas_of(lab, "machine")
    before = state(canvas)["X"]
    x, y = canvas.evaluate("c => c.kmlab.where(4)")
    for key, n in (("Escape", 20), ("Delete", 19)):
        lab.mouse.move(x, y)
        lab.mouse.down()
        lab.mouse.move(x + 50, y - 30, steps=5)
        lab.keyboard.press(key)
        lab.mouse.move(x + 90, y - 60, steps=5)
        lab.mouse.up()
        at_rest(canvas)
        rows = [i for i in range(20) if n == 20 or i != 4]
        assert np.allclose(state(canvas)["X"], np.array(before)[rows]), key  # none was added, moved or left behind
        assert caption(lab, "machine").startswith(f"{n} points")


def test_a_click_adds_a_double_click_and_delete_remove(lab):
    canvas = canvas_of(lab, "machine")
    lab.get_by_role("button", name="reset", exact=True).first.click()
    lab.wait_for_function("c => c.kmlab.state().hand.X.length === 20", arg=canvas.element_handle())
    left, top, width, height = canvas.evaluate("c => c.kmlab.box(0)")
    lab.locator(".kmlab-palette .widget-toggle-button").nth(1).click()
    lab.mouse.click(left + 0.93 * width, top + 0.07 * height)
    at_rest(canvas)
    assert len(state(canvas)["X"]) == 21 and caption(lab, "machine").startswith("21 points")
    lab.wait_for_timeout(600)  # no double click with what follows
    lab.mouse.dblclick(*canvas.evaluate("c => c.kmlab.where(20)"))
    at_rest(canvas)
    assert len(state(canvas)["X"]) == 20
    lab.wait_for_timeout(600)
    lab.mouse.dblclick(left + 0.07 * width, top + 0.93 * height)  # on empty ground: one point, which stays
    at_rest(canvas)
    assert len(state(canvas)["X"]) == 21
    lab.keyboard.press("Delete")
    at_rest(canvas)
    assert len(state(canvas)["X"]) == 20


def test_the_keyboard_can_do_all_of_it(lab):
    canvas = canvas_of(lab, "machine")
    cells = lab.evaluate("jupyterapp.shell.currentWidget.content.widgets.length")
    canvas.focus()
    lab.keyboard.press("Escape")
    for _ in range(3):
        lab.keyboard.press("PageDown")
    active = state(canvas, "active")
    before, spoken = state(canvas)["X"][active], lab.locator(".kmlab-spoken").nth(0)
    assert spoken.inner_text().startswith(f"point {active + 1} of 20, class ")
    lab.keyboard.press("ArrowRight")
    lab.keyboard.press("Shift+ArrowUp")
    at_rest(canvas)
    x, y = state(canvas)["X"][active]
    assert x > before[0] and y > before[1]
    was = state(canvas)["labels"][active]
    lab.keyboard.press("2" if was == 0 else "1")
    lab.keyboard.press("Enter")
    at_rest(canvas)
    assert state(canvas)["labels"][active] != was and len(state(canvas)["X"]) == 21
    lab.keyboard.press("Delete")
    for key in ("a", "b", "d", "d", "x"):  # shortcuts of a notebook that is not edited
        lab.keyboard.press(key)
    at_rest(canvas)
    assert len(state(canvas)["X"]) == 20
    assert lab.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == cells
    lab.mouse.move(5, 5)
    shown = np.asarray(Image.open(io.BytesIO(canvas.screenshot())).convert("RGB")).astype(int)
    middle = [shown[shown.shape[0] // 2, 1], shown[shown.shape[0] // 2, -2], shown[1, shown.shape[1] // 2]]
    assert np.abs(np.array(middle) - (0, 114, 178)).max() < 60  # the focus is seen, on the left, on the right and above


def test_a_kernel_that_answers_the_hand_at_once_is_not_shown_as_busy(lab):
    canvas = canvas_of(lab, "machine")
    at_rest(canvas)
    heard = """(canvas, touched) => {
        const signal = jupyterapp.shell.currentWidget.sessionContext.statusChanged;
        window.heard = [];
        window.listen && signal.disconnect(window.listen);
        signal.connect(window.listen = (_, status) => heard.push(status));
        if (touched) canvas.dispatchEvent(new KeyboardEvent('keydown', {key: 'Shift', bubbles: true}));
        for (const status of ['busy', 'idle', 'busy', 'idle']) signal.emit(status);
        return heard; }"""
    assert canvas.evaluate(heard, True) == []  # or the tool bar would be drawn anew
    lab.wait_for_function("heard.length > 0")
    assert lab.evaluate("heard") == ["idle"]
    canvas.evaluate("() => new Promise(done => setTimeout(done, 600))")
    assert canvas.evaluate(heard, False) == ["busy", "idle"] * 2


def test_what_the_hand_did_is_spoken_before_what_it_did_to_the_picture(lab):
    canvas, spoken = canvas_of(lab, "machine"), lab.locator(".kmlab-spoken").nth(0)
    before = len(state(canvas)["X"])
    canvas.focus()
    lab.keyboard.press("PageDown")
    lab.keyboard.press("Enter")
    at_rest(canvas)
    words = spoken.evaluate("said => said.textContent")
    assert words.startswith(f"point {before + 1} of {before + 1}, class ")
    assert words.endswith(". " + caption(lab, "machine")) and caption(lab, "machine").startswith(f"{before + 1} points")
    lab.get_by_role("button", name="clear", exact=True).first.click()
    lab.wait_for_function("c => !c.kmlab.state().hand.X.length", arg=canvas.element_handle())
    canvas.focus()
    lab.keyboard.press("PageDown")
    assert spoken.evaluate("said => said.textContent") == "There are no points; Enter adds one."
    lab.keyboard.press("Enter")
    lab.keyboard.press("Delete")
    assert spoken.evaluate("said => said.textContent") == "There are no points; Enter adds one."
    at_rest(canvas)
    lab.get_by_role("button", name="reset", exact=True).first.click()
    lab.wait_for_function("c => c.kmlab.state().hand.X.length === 20", arg=canvas.element_handle())


def test_a_class_is_chosen_by_the_mark_that_its_points_have(lab):
    canvas, buttons = canvas_of(lab, "star"), lab.locator(".kmlab-view:has-text('the nearest') .widget-toggle-button")
    lab.wait_for_function("document.querySelectorAll('.kmlab-palette svg').length === 5")
    assert buttons.evaluate_all("all => all.map(button => button.textContent)") == ["?", "a", "b"]
    marks = buttons.locator("path")
    assert [marks.nth(i).get_attribute("fill") for i in range(3)] == ["#1b1b1bff", "#d55e00ff", "#009e73ff"]
    lengths = marks.evaluate_all("all => all.map(mark => mark.getAttribute('d').split(',').length)")
    assert lengths[0] < lengths[1] == lengths[2]  # a star has fewer corners than a disc
    mark = buttons.nth(1).locator("svg").bounding_box()  # a click on the mark is one on its button
    lab.mouse.click(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    lab.wait_for_function("c => c.kmlab.state().label === 1", arg=canvas.element_handle())
    left, top, width, height = canvas.evaluate("c => c.kmlab.box(0)")
    lab.mouse.click(left + 0.05 * width, top + 0.05 * height)
    at_rest(canvas)
    assert state(canvas)["labels"][-1] == 1


def test_a_point_is_found_in_every_panel(lab):
    canvas = canvas_of(lab, "rings_apart")
    before = canvas.evaluate("c => c.toDataURL()")
    lab.mouse.move(*canvas.evaluate("c => c.kmlab.where(70, 0)"))
    assert state(canvas, "found") is not None
    changed = canvas.evaluate("c => c.toDataURL()")
    old, new = (
        np.asarray(Image.open(io.BytesIO(base64.b64decode(png.split(",")[1]))).convert("L")).astype(int)
        for png in (before, changed)
    )
    columns = np.flatnonzero((np.abs(old - new) > 100).any(0))
    assert columns.min() < old.shape[1] / 2 < columns.max()  # a ring in both
    lab.mouse.move(5, 5)


def test_a_sheet_is_turned_in_the_page_and_stays_turned(lab):
    canvas = canvas_of(lab, "unfold")
    left, top, width, height = canvas.evaluate("c => c.kmlab.box(0)")
    lab.evaluate("window.asked = 0")
    own = state(canvas, "scene.panels[0].space.camera")
    lab.mouse.move(left + width / 2, top + height / 2)
    lab.mouse.down()
    lab.mouse.move(left + width / 2 + 60, top + height / 2 + 10, steps=4)
    turned = state(canvas, "turned")["0"]
    assert turned == pytest.approx([own[0] + 5, own[1] - 30]) and state(canvas, "asked") == 0  # without the kernel
    seen = np.array([canvas.evaluate("(c, row) => c.kmlab.where(row, 0)", row) for row in (0, 300, 599)])
    drawn = Canvas(locality.unfold)
    drawn.turn(0, *turned)
    frame, *_ = drawn.compose()
    points, ax, (x, y, wide, _) = datasets.s_curve(600, 5.0, 0.0)[0], drawn.axes[0], frame.panels[0]["box"]
    wanted = np.column_stack([points, np.ones(600)])[[0, 300, 599]] @ ax.get_proj().T
    wanted = ax.transData.transform(wanted[:, :2] / wanted[:, 3:])
    wanted = np.column_stack([wanted[:, 0] - x, frame.height - wanted[:, 1] - y]) * width / wide + (left, top)
    assert np.allclose(seen, wanted, atol=1)  # as matplotlib's camera sees them
    lab.mouse.up()
    lab.wait_for_function("c => !('0' in c.kmlab.state().turned)", arg=canvas.element_handle())
    assert state(canvas, "scene.panels[0].space.camera") == pytest.approx(turned)


def test_a_finger_drags_a_point_and_taps_a_new_one(lab):
    import browser

    context = lab.context.browser.new_context(
        has_touch=True, viewport={"width": 1024, "height": 900}, device_scale_factor=2
    )
    page = context.new_page()
    page.set_default_timeout(1000 * browser.PATIENCE)
    browser.open_notebook(page, lab.address, "touch.ipynb")
    browser.command(page, "notebook:run-all-cells")
    canvas = page.locator(".kmlab-picture canvas").first
    page.wait_for_function(
        "document.querySelector('.kmlab-picture canvas')?.kmlab.state().scene?.dense"
    )  # as sharp as the screen
    canvas.scroll_into_view_if_needed()
    finger = context.new_cdp_session(page)
    x, y = canvas.evaluate("c => c.kmlab.where(0)")
    top = page.locator(".jp-WindowedPanel-outer").first.evaluate("page => page.scrollTop")
    for kind, dx in (
        ("touchStart", 6),
        ("touchMove", 20),
        ("touchMove", 40),
        ("touchEnd", None),
    ):  # beside it, as fingers do
        points = [] if dx is None else [{"x": x + dx, "y": y - dx}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    at_rest(canvas)
    assert np.allclose(canvas.evaluate("c => c.kmlab.where(0)"), (x + 40, y - 40), atol=3)
    assert page.locator(".jp-WindowedPanel-outer").first.evaluate("page => page.scrollTop") == top
    left, upper, width, height = canvas.evaluate("c => c.kmlab.box(0)")
    page.touchscreen.tap(left + 0.95 * width, upper + 0.05 * height)
    at_rest(canvas)
    assert len(state(canvas)["X"]) == 21
    page.wait_for_timeout(600)
    place = canvas.evaluate("c => c.kmlab.where(0)")
    for _ in range(2):  # twice on a point removes it
        page.touchscreen.tap(*place)
    at_rest(canvas)
    assert len(state(canvas)["X"]) == 20
    x, y = canvas.evaluate("c => c.kmlab.where(0)")
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y, "id": 1}]})
    for kind, dx in ("touchStart", 0), ("touchMove", 60):  # a second one, elsewhere
        both = [{"x": x, "y": y, "id": 1}, {"x": x + 150 + dx, "y": y + 9, "id": 2}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": both})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    at_rest(canvas)
    assert np.allclose(canvas.evaluate("c => c.kmlab.where(0)"), (x, y), atol=3) and len(state(canvas)["X"]) == 20
    context.close()


def test_a_saved_notebook_shows_what_the_hand_did(lab):
    import json

    import browser

    said = caption(lab, "machine")
    browser.command(lab, "docmanager:save")
    lab.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    cells = json.loads(lab.notebook.read_text())["cells"]
    assert "".join(cells[2]["outputs"][0]["data"]["text/plain"]) == said
    lab.goto(lab.address.format("touch.ipynb"))
    lab.locator(f'figure.kmlab-picture img[alt="{said}"]').wait_for()
