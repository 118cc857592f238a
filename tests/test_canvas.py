"""A picture on the reused canvas is the picture on a new one, whatever was drawn before; only faster."""

import io
import struct
import warnings

import matplotlib.axis
import numpy as np
import pytest
from PIL import Image
from threadpoolctl import threadpool_info

from kmlab.show import canvas, figure_of, panels, style, toolbox
from kmlab.show.canvas import Canvas

RNG = np.random.default_rng(0)
POINTS, CLASSES = RNG.normal(size=(40, 2)), RNG.integers(0, 3, 40)
GRID = np.linspace(-2, 2, 20)
# what drawings do to axes, each in a way that depends on t
HABITS = {
    "nothing": lambda ax, t: None,
    "plain": lambda ax, t: (ax.plot([0, 2e7], [0, 2e7]), ax.set(title="title", xlabel="x", ylabel="y")),
    "line across": lambda ax, t: (ax.axhline(t), ax.plot([0, 1], [0, t])),
    "named bars": lambda ax, t: (ax.bar([1, 2], [1, t], label=f"bars {t}"), ax.legend(loc="upper left")),
    "data only": lambda ax, t: (ax.plot(POINTS[:, 0] * t, POINTS[:, 1]), ax.set(xlim=(-9, 9), ylim=(-3, 3))),
    "own limits": lambda ax, t: ax.plot(POINTS[:, 0] * t, POINTS[:, 1] * t**2),
    "log": lambda ax, t: (ax.plot([1, 10, 100], [1, 2, 1 + t]), ax.set_yscale("log")),
    "symlog": lambda ax, t: (ax.plot([-10, 10 * t]), ax.set_yscale("symlog", linthresh=t)),
    "grid": lambda ax, t: (ax.plot([0, t], [0, 1]), ax.grid(True, color="r" if t < 2 else "b")),
    "no ticks": lambda ax, t: (
        toolbox.scatter_classes(ax, POINTS, CLASSES),
        ax.set(xticks=[], yticks=[], title=str(t)),
    ),
    "named ticks": lambda ax, t: (ax.plot([0, 1, 2]), ax.set_xticks([0, 1, 2], ["a", "b", "c" * t])),
    "categories": lambda ax, t: ax.bar(["p", "q", "r"], [1, 2, t]),
    "legend": lambda ax, t: (ax.plot([0, t], label=f"line {t}"), ax.legend(loc="upper left")),
    "red title": lambda ax, t: ax.set_title("bad", color="r" if t < 2 else "b", fontsize=8 + t),
    "left title": lambda ax, t: ax.set_title("left", loc="left"),
    "labels": lambda ax, t: (ax.set_xlabel("x"), ax.set_ylabel("y", fontsize=9 + t)),
    "coloured label": lambda ax, t: ax.set_xlabel("x", color="r" if t < 2 else "b"),
    "label moved": lambda ax, t: (ax.set_xlabel("moved"), ax.xaxis.set_label_coords(0.9, -0.1 * t)),
    "equal": lambda ax, t: (ax.plot([0, t], [0, 1]), ax.set_aspect("equal")),
    "off": lambda ax, t: (ax.plot([0, t], [0, 1]), ax.axis("off")),
    "twin": lambda ax, t: (ax.plot([0, t]), ax.twinx().plot([t, 1, 3], color="r")),
    "inset": lambda ax, t: (ax.plot([0, t]), ax.inset_axes([0.5, 0.5, 0.4, 0.4]).plot([t, 1])),
    "heat": lambda ax, t: toolbox.heat(ax, np.outer(GRID, GRID) * t),
    "map": lambda ax, t: toolbox.score_map(ax, GRID, GRID, np.outer(GRID, GRID) + t),
    "error bars": lambda ax, t: ax.errorbar([0, 1], [1, t], yerr=0.2),
    "above all": lambda ax, t: (ax.plot([0, t]), ax.figure.suptitle(f"all {t}")),
    "turned ticks": lambda ax, t: (ax.plot([0, t]), [label.set_rotation(30 * t) for label in ax.get_xticklabels()]),
    "tick settings": lambda ax, t: (ax.plot([-1, t], [-1, 1]), ax.tick_params(labelsize=6 + 2 * t, direction="in")),
    "ticks on top": lambda ax, t: (ax.plot([0, t]), ax.xaxis.tick_top()),
    "small ticks": lambda ax, t: (ax.plot([0, t]), ax.minorticks_on()),
    "powers": lambda ax, t: (ax.plot([0, 1e6 * t]), ax.ticklabel_format(style="sci", scilimits=(0, 0))),
    "formatter": lambda ax, t: (ax.plot([0, 1]), ax.yaxis.set_major_formatter(lambda v, _: f"{v * t:.1f}!")),
    "axes through zero": lambda ax, t: (ax.plot([-1, t]), ax.spines[["left", "bottom"]].set_position("zero")),
    "frame": lambda ax, t: (ax.plot([-1, t]), ax.spines[:].set_visible(t < 2), ax.spines["left"].set_color("r")),
    "coloured ground": lambda ax, t: (ax.plot([0, 3]), ax.set_facecolor("#eeeeff" if t < 2 else "#ffeeee")),
    "no frame": lambda ax, t: (ax.plot([0, t]), ax.set_facecolor("#eeeeff"), ax.set_frame_on(False)),
    "below the grid": lambda ax, t: (ax.plot([-1, t]), ax.axvspan(0, 1, zorder=-2), ax.grid(True)),
    "upside down": lambda ax, t: (ax.plot([0, t]), ax.invert_yaxis()),
    "margins": lambda ax, t: (ax.margins(0.3 * t), ax.plot([0, 1])),
}


@panels(1, 2, size=(5, 2.4))
def habits(axes, left="labels", right="own limits", t=1):
    HABITS[left](axes[0], t)
    HABITS[right](axes[1], 1)  # stays, so that only the other's change can tell that the ticks changed
    return "Two habits."


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)))


def difference(image, wanted):
    """Share of pixels that are not as wanted."""
    return (np.abs(pixels(image).astype(int) - wanted).max(axis=2) > 2).mean()


def fully_drawn(new, places, **values):
    """The picture on new axes, drawn by matplotlib alone, on a canvas that is used for nothing else."""
    with new.ready():
        new.places = places
        new.figure.set_layout_engine("none")
        new.new_axes()
        new.draw(new.axes, **values)
        new.figure.canvas.draw()
        return np.array(new.figure.canvas.buffer_rgba())


def test_every_frame_is_the_full_draw_whatever_came_before():
    reused, new = Canvas(habits), Canvas(habits)
    reused.paint()
    order, wrong = RNG.permutation(list(HABITS)).tolist(), []
    for left, right in zip(order, np.roll(order, 7).tolist(), strict=True):
        wanted = {t: fully_drawn(new, reused.places, left=left, right=right, t=t) for t in (1, 2)}
        for t in (1, 2, 1):
            image, _ = reused.paint(left=left, right=right, t=t)
            # the layout is that of other habits: wide labels may reach into the neighbour, where the order differs
            if difference(image, wanted[t]) > 0.002:
                wrong.append((left, right, t))
    assert not wrong


def test_no_habit_leaves_a_trace_in_the_next_picture():
    @panels(1, 2, size=(5, 2.4))
    def pair(axes, left, right):
        HABITS[left](axes[0], 2)
        HABITS[right](axes[1], 2)
        return "Two habits."

    reused, following = Canvas(pair), {"left": "plain", "right": "line across"}
    wanted = pixels(reused.paint(**following)[0])
    traces = []
    for habit in HABITS:
        reused.paint(left=habit, right=habit)
        if difference(reused.paint(**following)[0], wanted):
            traces.append(habit)
    assert not traces


def test_ticks_and_labels_are_drawn_once_while_only_data_changes(monkeypatch):
    drawn = []
    draw = matplotlib.axis.Axis.draw
    monkeypatch.setattr(
        matplotlib.axis.Axis,
        "draw",
        lambda self, renderer: (drawn.append(self) if self.get_visible() else None, draw(self, renderer)),
    )
    reused = Canvas(habits)
    for t in range(1, 9):
        if t == 4:
            drawn.clear()
        reused.paint(left="data only", right="data only", t=t)
    assert not drawn
    reused.paint(left="data only", right="own limits", t=8)
    assert drawn


def test_three_dimensions_beside_two():
    @panels(1, 2, size=(5, 2.4), widths=[1, 2], projections={1: "3d"})
    def mixed(axes, t=1):
        flat, space = axes
        flat.plot([0, 1], [0, t])
        space.plot([0, 1], [0, t], [0, 1])
        space.view_init(elev=10 * t, azim=30)
        return "Flat and not."

    reused, new = Canvas(mixed), Canvas(mixed)
    for t in (1, 2, 3, 1):
        image, _ = reused.paint(t=t)
        assert not difference(image, fully_drawn(new, reused.places, t=t))


def test_the_axes_never_move():
    reused = Canvas(habits)
    reused.paint(left="own limits", right="own limits", t=1)
    places = [ax.bbox.bounds for ax in reused.axes]
    reused.paint(left="own limits", right="own limits", t=1000)
    assert [ax.bbox.bounds for ax in reused.axes] == places


def test_two_canvases_in_turn_draw_the_same_and_one_of_them_holds_pixels():
    first, second = Canvas(habits), Canvas(habits)
    alone = [first.paint(t=t)[0] for t in (1, 2, 3)]
    in_turn = [[one.paint(t=t)[0] for one in (first, second)] for t in (1, 2, 3)]
    assert in_turn == [[image, image] for image in alone]
    assert first.backdrop[1] is None and second.backdrop[1] is not None


def test_png_keeps_every_pixel():
    image = RNG.integers(0, 256, (7, 5, 4), dtype=np.uint8)
    assert np.array_equal(pixels(canvas.png(image)), image)
    assert struct.unpack(">II", canvas.png(image)[16:24]) == (5, 7)


def test_drawings_compute_with_one_thread():
    seen = []

    def threads(axes):
        seen.extend(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
        return "Threads."

    Canvas(threads).paint()
    assert seen and set(seen) == {1}


def test_a_picture_that_fails_halfway_leaves_nothing_behind():
    def halfway(axes, fail=False):
        axes[0].plot([0, 1], color="r")
        if fail:
            axes[0].set_title("half")
            axes[0].set_yscale("log")
            raise ZeroDivisionError
        return "Whole."

    reused = Canvas(halfway)
    good, _ = reused.paint()
    with pytest.raises(ZeroDivisionError):
        reused.paint(fail=True)
    assert reused.paint()[0] == good


def test_figure_of_gives_the_figure_with_its_caption_and_keeps_the_style():
    figure = figure_of(habits, left="labels", right="legend", t=2)
    assert figure.caption == "Two habits."
    assert [round(float(inches), 1) for inches in figure.get_size_inches()] == [5.0, 2.4]
    file, places = io.StringIO(), [ax.get_position().bounds for ax in figure.axes]
    with warnings.catch_warnings(action="error"):
        figure.savefig(file, format="svg")
    assert file.getvalue().count("<svg") == 1
    assert [ax.get_position().bounds for ax in figure.axes] == places
    assert {label.get_fontsize() for label in figure.axes[0].get_xticklabels()} == {style.STYLE["xtick.labelsize"]}


def test_a_legend_is_no_wider_than_a_narrow_page():
    @panels(1, 2)
    def draw(axes):
        for name in ("measured", "of one ring", "predicted"):
            axes[1].plot([0, 1], [1, 0], label=name)
        axes[1].legend(loc="upper right", ncols=3)
        return "Three names in a row."

    narrow, wide = Canvas(draw, stacked=True), Canvas(draw)
    for drawn, size in ((narrow, None), (wide, 13)):
        drawn.paint()
        legend = drawn.axes[1].get_legend()
        assert legend.get_window_extent().x0 >= 0
        assert size in (None, legend.get_texts()[0].get_fontsize())  # where there is room all stays as it is


def test_a_caption_is_asked_for():
    with pytest.raises(TypeError, match="nameless must return its caption, one sentence, but returned None"):

        def nameless(axes):
            pass

        Canvas(nameless).paint()
