"""What notebooks 11 to 14 promise a reader who moves points: the answers under their views."""

import re

import numpy as np
import pytest

from kmlab import datasets
from kmlab.course.drawings import fisher_and_independence, locality, preimages, spheres_and_tubes
from kmlab.course.samples import flat_s
from kmlab.show.widgets import editable, explore, log_slider, slider


def number(said, caption):
    return float(re.search(said + r" ([+−]?[\d.]+\d)", caption)[1].replace("−", "-"))


def curve_of(view):
    """f as it is drawn on the left: the thick line."""
    (line,) = [line for line in view.canvas.axes[0].lines if line.get_linewidth() == 2.8]
    return line.get_ydata()


def test_a_tube_follows_a_point_no_further_once_it_is_outside():
    wave = np.column_stack(datasets.sinc(60))
    view = explore(spheres_and_tubes.tube, editable(wave, frame=spheres_and_tubes.WINDOW))
    before, x = curve_of(view), wave[34, 0]
    curves = {}
    for height in (0.3, 0.5, 0.8, 1.9):
        view.drag(34, x, height)
        curves[height] = curve_of(view)
    assert np.allclose(curves[0.3], before) and np.allclose(curves[0.5], before)  # inside
    assert np.abs(curves[0.8] - before).max() > 0.1 and np.allclose(curves[0.8], curves[1.9], atol=5e-3)


def test_a_ridge_follows_a_point_for_ever():
    noisier = np.column_stack(datasets.sinc(60, noise=0.2))
    points = editable(noisier, frame=spheres_and_tubes.WINDOW)
    view = explore(spheres_and_tubes.leave_one_out, points, lam=log_slider(1e-4, 1e3, value=0.32))
    x, followed = noisier[34, 0], []
    for height in (0.8, 1.2, 1.9):
        view.drag(34, x, height)
        followed.append(np.interp(x, np.linspace(-10.5, 10.5, 300), curve_of(view)))
    shares = np.diff(followed) / np.diff([0.8, 1.2, 1.9])  # a ridge is linear in its targets
    assert np.isclose(*shares) and shares[0] > 0.2


@pytest.mark.parametrize("nu, enough", [(0.1, 2), (0.3, 5)])
def test_so_many_points_make_a_corner_normal(nu, enough):
    moons, _ = datasets.two_moons(100, noise=0.12)
    view = explore(spheres_and_tubes.one_class, editable(moons), nu=slider(0.02, 0.9, 0.01, value=nu))
    corner = np.array([[2.25, 1.37], [2.2, 1.4], [2.3, 1.4], [2.25, 1.33], [2.2, 1.33]])
    inside = []
    for i, place in enumerate(corner):
        view.drag(31 + i, *place)
        crosses = [dots for dots in view.canvas.axes[0].collections if getattr(dots, "of", 0) is None][1]
        inside.append(not all((np.abs(crosses.get_offsets() - p).max(1) < 1e-9).any() for p in corner[: i + 1]))
    assert inside == [i + 1 >= enough for i in range(5)]


def test_the_pre_image_changes_sides_below_the_middle_of_the_arc():
    arc = datasets.half_circle(150, noise=0.1, seed=0)[0]
    view = explore(preimages.landscape, arc, editable([[0.2, 0.1]], frame=((-1.6, -0.6), (1.6, 1.5)), fixed=True))
    places = []
    for x in (0.2, 0.0, -0.05, -0.2):
        view.drag(0, x, 0.1)
        places.append(view.canvas.axes[0].collections[-1].get_offsets()[0, 0])
    assert places[0] > places[1] > 0.2 and -0.2 > places[2] > places[3]


@pytest.mark.parametrize("turns, energies", [(1.0, (1.0, 1.1)), (0.6, (3.5, 4.2))])
def test_a_closed_curve_becomes_a_circle_and_an_open_one_a_bow(turns, energies):
    angle = np.linspace(0, 2 * np.pi * turns, 80, endpoint=False)
    view = explore(locality.own_curve, editable(flat_s(), frame=((-2.6, -2.6), (2.6, 2.6)), pen=True))
    assert number("order of drawing", view.caption) > 0.99
    view.hand.clear()
    for x, y in zip(2 * np.cos(angle), 1.2 * np.sin(angle), strict=True):
        view.hand.add(x, y)
    view.do("move", i=0, x=2.0, y=0.0)
    low, high = energies
    assert low <= float(re.search(r"has ([\d.]+) times", view.caption)[1]) <= high
    first, second = (np.asarray(view.canvas.axes[1].collections[0].get_offsets()).T[j] for j in (0, 1))
    assert (np.hypot(first, second).std() < 0.1) == (turns == 1)


def test_one_point_in_the_water_joins_two_islands_and_six_make_one():
    clouds = editable(datasets.three_clouds(40, gap=6.0)[0], frame=locality.ROW_OF_ISLANDS)
    view = explore(locality.islands, clouds)
    assert view.caption.startswith("3 components")
    view.add(2.2, 0.0)
    assert view.caption.startswith("2 components")
    view.do("reset")
    for k in range(6):
        view.add(13 + 0.2 * k, -4 + 0.1 * (k % 2))
        assert view.caption.startswith("4" if k == 5 else "3")


def test_one_outlier_moves_a_correlation_and_not_the_test():
    heap = np.random.default_rng(0).uniform(-0.4, 0.4, (25, 2))
    view = explore(fisher_and_independence.pairs_in_hand, editable(heap, frame=fisher_and_independence.PAIRS))
    for x, y, found in (1.7, 1.7, False), (1.6, 1.7, True):
        view.add(x, y)
        assert number("r =", view.canvas.axes[0].get_title()) > 0.6
        assert (number("p =", view.caption) < 0.05) == found


def test_one_point_turns_fishers_axis_where_the_means_are_close():
    X, y = datasets.split_class()
    view = explore(fisher_and_independence.one_axis, editable(X, y, frame=fisher_and_independence.PLACE))

    def angle():
        (x0, x1), (y0, y1) = view.canvas.axes[0].lines[0].get_data()
        return np.degrees(np.arctan2(y1 - y0, x1 - x0)) % 180

    before = angle()
    view.drag(int(np.flatnonzero(y == 1)[0]), -3.9, -4.9)
    assert abs(angle() - before) > 30
