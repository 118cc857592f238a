"""Drawings are made of parts that exist once: grids, maps, points, lines, matrices, named kernels, short numbers."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from kmlab.kernels import Exponential, Gaussian, Linear, Polynomial
from kmlab.show import toolbox

X = np.array([[0.0, 0.0], [4.0, 1.0], [2.0, 2.0]])


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_a_grid_leaves_the_same_room_on_all_sides():
    xs, ys = toolbox.grid_around(X, 7, room=0.25)
    assert len(xs) == len(ys) == 7
    assert (xs[0], xs[-1], ys[0], ys[-1]) == (-1, 5, -1, 3)  # a quarter of 4, the longer side
    assert toolbox.framed(xs, ys) == {"xlim": (-1, 5), "ylim": (-1, 3)} | toolbox.PLANE


def test_a_function_over_the_grid_has_a_row_for_each_y():
    xs, ys = np.linspace(0, 1, 3), np.linspace(0, 1, 5)
    F = toolbox.over_grid(lambda P: 10 * P[:, 0] + P[:, 1], xs, ys)
    assert F.shape == (5, 3) and np.allclose(F, 10 * xs + ys[:, None])
    column = toolbox.over_grid(lambda P: (10 * P[:, 0] + P[:, 1])[:, None], xs, ys)  # as transform gives it
    assert np.array_equal(F, column)


def test_names_of_a_menu_are_kernels():
    named = toolbox.named_kernel
    assert named("Gaussian", 0.5) == Gaussian(0.5) and named("exponential", 0.5) == Exponential(0.5)
    assert named("polynomial", degree=4, coef0=0.0) == Polynomial(4, 0.0) and named("cubic", 9.0) == Polynomial(3)
    assert named("linear") == Linear()


def test_steady_scores_have_point_0_on_the_positive_side():
    sign, scores = toolbox.steady(np.array([[-1.0, 2.0, 0.0], [3.0, 4.0, -5.0]]))
    assert sign.tolist() == [-1, 1, 1] and scores.tolist() == [[1, 2, 0], [-3, 4, -5]]


def test_a_curve_is_computed_once_for_equal_data():
    calls = []

    @toolbox.remembered(2)
    def total(A, factor=1):
        """A sum."""
        calls.append(factor)
        return factor * A.sum()

    A = np.arange(4.0)
    assert [total(A, 2), total(A.copy(), 2)] == [12, 12] and calls == [2]
    A[0] = 10  # the same array, another content
    assert total(A, 2) == 32 and total(np.arange(4.0).reshape(2, 2), 2) == 12 and calls == [2] * 3
    total(np.arange(4.0), 2)  # of three only two are kept
    assert len(calls) == 4 and total.__doc__ == "A sum."


# ---- points and lines ------------------------------------------------------------------------------------------------


def test_each_class_has_its_colour_and_marker():
    ax = Figure().subplots()
    X, y = np.arange(12.0).reshape(6, 2), np.array([0, 1, 2, 0, 1, 2])
    toolbox.scatter_classes(ax, X, y, alpha=0.5)
    assert len({tuple(dots.get_facecolor()[0]) for dots in ax.collections}) == 3
    assert len({len(dots.get_paths()[0].vertices) for dots in ax.collections}) == 3  # round, three and four corners
    assert [dots.get_offsets().tolist() for dots in ax.collections] == [X[y == c].tolist() for c in (0, 1, 2)]


def test_points_may_have_sizes_of_their_own():
    ax = Figure().subplots()
    toolbox.scatter_classes(ax, X, np.array([1, 0, 1]), size=np.array([10, 20, 30]))
    assert [dots.get_sizes().tolist() for dots in ax.collections] == [[20], [10, 30]]


@pytest.mark.parametrize(("w", "b"), [((3.0, 4.0), 5.0), ((0.0, 2.0), -1.0), ((-1.0, 0.0), 0.0)])
def test_a_line_is_where_the_rule_is_zero_and_crosses_the_picture(w, b):
    ax = Figure().subplots()
    toolbox.plane_line(ax, w, b, np.linspace(-2, 2, 5), color="red")
    (line,) = ax.lines
    ends = line.get_xydata()
    assert np.allclose(ends @ w + b, 0) and np.linalg.norm(ends[1] - ends[0]) == pytest.approx(8 * 4)
    assert line.get_color() == "red" and line.get_linewidth() == 2.5


def test_segments_lift_the_pen():
    path = toolbox.segments(X, X + 1)
    assert path.shape == (2, 9) and np.isnan(path[:, 2::3]).all()
    assert np.array_equal(path[:, ::3].T, X) and np.array_equal(path[:, 1::3].T, X + 1)


# ---- maps and matrices -----------------------------------------------------------------------------------------------


def test_symmetric_colours_have_0_in_the_middle():
    look = toolbox.symmetric(np.array([-3.0, 2.0]))
    assert (look["vmin"], look["vmax"]) == (-3, 3) and toolbox.symmetric(np.zeros(2))["vmax"] == 1


def test_a_circle_is_round_on_a_map_and_where_points_lie():
    over, beside = Figure().subplots(1, 2)
    toolbox.color_map(over, np.linspace(-1, 1, 5), np.linspace(0, 9, 4), np.zeros((4, 5)))
    beside.set(**toolbox.framed(np.linspace(-1, 1, 5), np.linspace(0, 9, 4)))
    assert over.get_aspect() == beside.get_aspect() == 1


def test_no_cell_of_a_map_is_seen():
    xs = np.linspace(0, 1, 60)
    ax = Figure(figsize=(6, 6), dpi=120).subplots()
    image = toolbox.color_map(ax, xs, xs, np.add.outer(xs, xs))
    ax.figure.draw_without_rendering()
    values = image.get_array()
    assert values.shape == (237, 237)  # cells of three pixels at most on the largest panels
    assert np.allclose(values, np.add.outer(*[np.linspace(0, 1, 237)] * 2), atol=1e-6)  # and even steps between them


def test_borders_of_regions_run_across_the_cells_of_the_grid():
    xs = np.arange(9.0)
    ax = Figure().subplots()
    image = toolbox.region_map(ax, xs, xs, (np.add.outer(xs, xs) > 8).astype(int), ["white", "black"])
    fine = np.add.outer(np.arange(0, 8.01, 0.25), np.arange(0, 8.01, 0.25))
    labels = image.get_array()
    assert (labels[fine < 8] == 0).all() and (labels[fine > 9] == 1).all()
    steps = np.abs(np.diff(labels.argmax(1)[4:-4]))
    assert steps.max() <= 2  # a straight border goes a fine cell or two at a time, and not four at once


def test_a_scale_stands_beside_its_map_and_says_what_the_thick_line_is():
    figure = Figure()
    ax = figure.subplots()
    xs, ys = np.linspace(-1, 1, 5), np.linspace(0, 3, 4)
    toolbox.score_map(ax, xs, ys, np.add.outer(ys - 1, xs))
    image, bar = ax.images
    assert figure.axes == [ax] and not ax.child_axes and bar.cmap == image.cmap
    assert bar.get_array()[[0, -1], 0].tolist() == [-3, 3] and bar.norm is image.norm
    words = {text.get_text().strip(): text.get_position()[1] for text in ax.texts}
    assert words == {"−3": 0, "thick line: 0": 0.5, "3": 1}
    assert {text.get_rotation() for text in ax.texts} == {90}  # so that a longer number moves nothing


def test_no_line_is_explained_that_is_not_there():
    ax = Figure().subplots()
    toolbox.decision_map(ax, np.arange(5.0), np.arange(4.0), np.ones((4, 5)))
    assert [text.get_text().strip() for text in ax.texts] == ["−1", "1"] and not ax.collections
    other = Figure().subplots()
    toolbox.score_map(
        other, np.arange(5.0), np.arange(4.0), np.add.outer(np.arange(4.0), np.arange(5.0)) - 3, lines=False
    )
    assert [text.get_text().strip() for text in other.texts] == ["−4", "4"]


def test_a_decision_map_shows_where_it_is_zero():
    ax = Figure().subplots()
    xs, ys = np.linspace(-1, 1, 5), np.linspace(0, 3, 4)
    toolbox.decision_map(ax, xs, ys, np.add.outer(ys - 1, xs))
    (lines,) = ax.collections
    x, y = np.vstack(lines.get_segments()).T
    assert len(x) > 4 and np.allclose(y - 1 + x, 0)


def test_a_map_is_symmetric_about_zero_and_its_pixels_are_centred_on_the_grid():
    ax = Figure().subplots()
    xs, ys = np.linspace(-1, 1, 5), np.linspace(0, 3, 4)
    F = np.add.outer(ys - 1, xs)  # from -2 to 3
    toolbox.score_map(ax, xs, ys, F)
    ax.figure.draw_without_rendering()
    image = ax.images[0]
    finer = np.add.outer(np.linspace(0, 3, 13) - 1, np.linspace(-1, 1, 17))
    assert np.allclose(image.get_array(), finer, atol=1e-6) and image.get_clim() == (-3, 3)
    assert image.get_extent() == [-1.0625, 1.0625, -0.125, 3.125] and image.origin == "lower"
    (lines,) = ax.collections
    values = [np.ptp(x + y - 1) + np.abs(x + y - 1).max() for x, y in (line.T for line in lines.get_segments())]
    assert len(values) > 5 and np.argmin(values) == np.argmax(lines.get_linewidths()) and min(values) < 1e-9


@pytest.mark.parametrize("F", [np.zeros((4, 5)), np.full((4, 5), 0.99) + np.eye(4, 5) / 100])
def test_a_flat_map_has_no_lines_and_no_warning(F):
    ax = Figure().subplots()
    toolbox.score_map(ax, np.arange(5.0), np.arange(4.0), F)
    assert not ax.collections


def test_heat_shows_the_matrix_with_labelled_ends_and_adds_no_axes():
    figure = Figure()
    ax = figure.subplots()
    K = np.array([[0.0, 1.0], [2.0, -4.0]])
    image = toolbox.heat(ax, K, label="K")
    assert np.array_equal(image.get_array(), K) and figure.axes == [ax] and not ax.child_axes
    marks = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert marks["−4"] == 0 and marks["2"] == 1 and marks["0"] == pytest.approx(4 / 6) and "K" in marks


def test_heat_of_a_constant_matrix_has_one_label():
    ax = Figure().subplots()
    toolbox.heat(ax, np.ones((3, 3)))
    assert [text.get_text() for text in ax.texts] == ["1"]


# ---- words and numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "said"), [(0.0158, "0.016"), (63.1, "63"), (1000.0, "1000"), (1e-3, "0.001"), (-1.58e-6, "−1.6e−6")]
)
def test_short_numbers_have_two_digits_and_no_power_of_ten_unless_tiny(value, said):
    assert toolbox.short(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(4.0, "4"), (2.5, "2.5"), (-1 / 3, "−0.33"), (0.999, "1.00"), (1e-8, "1e−8"), (0.0, "0"), (-1e-16, "−1e−16")],
)
def test_an_exact_number_has_no_idle_zeros(value, said):
    assert toolbox.tidy(value) == said


def test_a_kernel_that_is_too_narrow_is_said_to_be():
    X = np.arange(20.0)[:, None]
    assert "nearly the identity" in toolbox.alone(Gaussian(0.5)(X))
    assert toolbox.alone(Gaussian(2.0)(X)) == toolbox.alone(Linear()(X - X.mean())) == ""


def test_a_negative_number_has_a_minus_sign():
    assert toolbox.minus(f"{-1.5:.2f}") == "−1.50"


def test_no_number_stands_at_the_end_of_an_axis():
    ax = Figure().add_subplot()
    for end in (0.21, 1.93, 3.02, 42.4, 201.4):
        ax.set_xlim(0, end)
        toolbox.inner_ticks(ax)
        assert len(ax.get_xticks()) > 2 and ax.get_xticks()[0] == 0 and ax.get_xticks()[-1] < 0.95 * end
    assert ax.get_xticks().tolist() == [0, 50, 100, 150]
