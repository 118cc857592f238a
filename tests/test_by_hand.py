"""What the notebooks 6 to 10 say of points that a reader moves: the answers below the pictures, tried."""

import re

import numpy as np

from kmlab.course.drawings import dual, kernel_pca, npt, pca_l1, svm
from kmlab.course.experiments.pca_l1 import frames
from kmlab.course.samples import around_a_line
from kmlab.datasets import (
    HILLS,
    LINE_AND_OUTLIER,
    WITH_MEAN,
    around_a_wave,
    rings,
    three_clusters,
    two_moons,
    two_sides,
)
from kmlab.kernels import Gaussian
from kmlab.show import editable, explore, log_slider, slider, step_through, toggle
from kmlab.svm import SVC


def marks(view, panel, rows=None):
    """Places of the points that a panel shows, by their rows, in the units of its axes."""
    found = {}
    for dots in view.canvas.axes[panel].collections:
        if hasattr(dots, "rows"):
            found |= dict(zip(np.asarray(dots.rows).tolist(), np.asarray(dots.get_offsets()), strict=True))
    return np.array([found[row] for row in (sorted(found) if rows is None else rows)])


def test_06_a_point_walks_from_ring_to_ring_and_stops_beyond_the_last():
    X, y = rings((0.2, 1, 2), 40, noise=0.08)
    view = explore(kernel_pca.rings_apart, editable(X, y), width=log_slider(0.05, 10))
    scores = []
    for x in (0.0, 0.6, 1.5, 2.0, 2.7):
        view.drag(0, x, 0.0)
        scores.append(marks(view, 1, [0])[0, 0])
    assert np.all(np.diff(scores[:4]) < -0.3) and abs(scores[4] - scores[3]) < 0.1
    view.drag(0, 2.8, 2.8)
    assert scores[3] < marks(view, 1, [0])[0, 0] < -0.8


def test_06_component_1_does_not_look_for_half_circles():
    t = np.linspace(0, np.pi, 30)
    arc = np.column_stack([2 * np.cos(t) - 0.5, 2 * np.sin(t) - 1])
    X, y = np.vstack([arc, -arc]), np.repeat([0, 1], 30)
    view = explore(kernel_pca.rings_apart, editable(X, y), width=log_slider(0.05, 10))
    for width in (0.2, 0.5, 1.2, 3.0, 10.0):
        view.set(width=width)
        assert int(re.search(r"(\d+)%", view.caption)[1]) < 15


def test_06_a_fourth_cloud_takes_a_third_component():
    view = explore(kernel_pca.score_contours, editable(*three_clusters()), component=slider(1, 8))
    view.set(component=3)
    before = float(re.search(r"([\d.]+)%", view.caption)[1])
    for place in [0.6, 0.75] + 0.08 * np.random.default_rng(0).standard_normal((12, 2)):
        view.add(*place)
    third = float(re.search(r"([\d.]+)%", view.caption)[1])
    view.set(component=4)
    assert third > 1.9 * before and third > 2 * float(re.search(r"([\d.]+)%", view.caption)[1])


def test_07_only_multiples_of_training_points_leave_nothing_over():
    view = explore(npt.projection, editable([[-0.6, 1.5]], frame=((-1.6, -1.6), (1.6, 1.6)), fixed=True))
    for x in npt.TRAIN:
        for place in (x, -x, 0.5 * x):
            view.drag(0, *place)
            assert "0.00 is left over" in view.caption
    view.drag(0, 0.2, -1.2)
    assert "0.00 is left over" not in view.caption


def test_07_a_new_training_point_pulls_the_residual_down():
    X = np.random.default_rng(0).standard_normal((12, 2))
    view = explore(npt.residual_map, editable(X, frame=((-3, -3), (3, 3))), width=log_slider(0.2, 5))
    view.add(2, 0)
    way, residual = view.canvas.axes[1].lines[0].get_data()
    limit = view.canvas.axes[1].lines[1].get_ydata()[0]
    assert residual[np.abs(way - 2).argmin()] < 0.05 and residual[np.abs(way - 3.4).argmin()] > 0.98 * limit


def test_07_z_alone_calls_far_places_normal_in_every_direction():
    X = np.random.default_rng(0).standard_normal((30, 2))
    triangle = editable([[3.0, 0.0]], frame=((-6, -6), (6, 6)), fixed=True)
    view = explore(npt.walk_away, X, triangle, width=log_slider(0.3, 5), residual=toggle())
    assert "scores −0.31, the sphere on z +0.81" in view.caption
    for angle in np.arange(0, 360, 30):
        view.drag(0, *5 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]))
        assert "scores −0.3" in view.caption and "on z +0.8" in view.caption


def test_08_four_axes_and_an_outlier_in_the_hand():
    view = explore(pca_l1.dragged, around_a_line(), editable([[8.0, -9.0]], frame=((-12, -10), (12, 10)), fixed=True))

    def turned(x, y):
        view.drag(0, x, y)
        return [float(angle) for angle in re.findall(r"by ([\d.]+)°", view.caption)]

    assert max(turned(12, 7)) < 2
    assert turned(-4, 7)[:2] == [2.1, 14.5] and turned(12, -10)[:3] == [53.5, 18.3, 9.4]


def test_08_without_the_point_in_the_corner_there_is_one_hill():
    view = explore(pca_l1.hills, editable(HILLS, frame=((-8.5, -8.5), (8.5, 8.5))), start=slider(0, 179))

    def ends():
        found = set()
        for start in range(0, 180, 5):
            view.set(start=start)
            found.add(re.search(r"dispersion of ([\d.]+)", view.caption)[1])
        return found

    assert HILLS[1].tolist() == [4, -7] and len(ends()) > 3
    view.drag(1, -3, 0)
    assert len(ends()) == 1
    view.remove(1)
    assert len(ends()) == 1


def test_08_a_point_that_leaves_the_mean_lets_the_algorithm_stop():
    view = explore(pca_l1.never_stops, editable(WITH_MEAN, frame=((-2.5, -2.1), (2.5, 2.1))), cap=slider(10, 200, 10))
    for row, place in (2, (0.05, 0.02)), (0, (-1.9, -1.0)):
        view.do("reset")
        assert "it is not at rest" in view.caption
        view.drag(row, *place)
        assert "stops after 2 rounds" in view.caption


def test_08_a_point_that_crosses_the_dashed_line_changes_sides():
    own = editable(LINE_AND_OUTLIER, frame=((-11.5, -8.3), (11.5, 8.3)))
    view = step_through(lambda X: frames(X, 110), pca_l1.frame, own, follow=True)
    view.set(t=1)
    assert view.caption.startswith("6 of 11")
    view.drag(5, -10, 0)
    assert view.caption.startswith("5 of 11")


def test_09_the_street_narrows_under_the_hand_until_there_is_none():
    X, y = two_sides()
    view = explore(svm.which_line, editable(X, y))
    view.drag(0, *X[0] - [0.5, 0.2])
    narrow = float(re.search(r"street (?:keeps away by )?([\d.]+);", view.caption)[1])
    assert narrow < 0.25
    view.drag(0, -2.0, 0.0)
    assert "no hard margin" in view._alert.value


def test_09_one_point_in_foreign_land_is_believed_at_a_high_price():
    view = explore(
        svm.toy_example, editable(*around_a_wave(), frame=((-1.2, -1.2), (1.2, 1.2))), C=log_slider(0.01, 1000)
    )
    view.add(0.0, -0.9, 1)
    assert "Gaussian 6 wrong" in view.caption
    view.set(C=1000.0)
    assert "linear 15 wrong" in view.caption and "Gaussian 0 wrong" in view.caption


def test_09_a_point_climbs_the_step_on_its_kerb():
    X, y = around_a_wave()
    view = explore(svm.alpha_against_margin, editable(X, y, frame=((-1.2, -1.2), (1.2, 1.2)), fixed=True))
    way = []
    for height in (0.3, 0.15, 0.1, 0.08, 0.06, 0.0, -0.5):
        view.drag(33, -0.6, height)
        way.append(marks(view, 1, [33])[0])
    margin, force = np.array(way).T
    assert np.all(margin[:2] > 1) and np.all(force[:2] == 0)  # along the floor
    assert np.allclose(margin[2:5], 1, atol=1e-6) and np.all(np.diff(force[1:5]) > 0)  # up
    assert np.all(margin[5:] < 1) and np.all(force[5:] == 1)  # and off along the top


def test_10_a_start_that_cannot_move_is_in_a_corner():
    view = explore(
        dual.box, editable([[0.2, 0.5]], frame=((0, 0), (1, 1)), fixed=True), C=slider(0.2, 2.0, 0.05), same=toggle()
    )
    for same, corners in (True, [(0, 0), (1, 1)]), (False, [(0, 1), (1, 0)]):
        view.set(same=same)
        for corner in corners:
            view.drag(0, *corner)
            assert "nothing can move" in view.caption
    view.do("reset")
    view.set(C=1.35)
    assert "clipped" in view.caption
    view.set(C=1.4)
    assert "wants α₂ = 1.38, inside" in view.caption


def test_10_smo_on_own_points():
    X, y = two_moons(14, noise=0.2)
    own = editable(X, y, most=40)
    view = step_through(
        lambda kernel, X, y, C: SVC(kernel, C=C, tol=0.05).steps(X, y, newton=False), dual.walk, Gaussian(1.0), own, 2.0
    )
    assert "wanted 23.92" in view.caption
    view.drag(10, *X[0])
    assert "a straight line without a top" in view.caption
    view.do("clear")
    assert "add data" in view._alert.value
    for x, label in (-1.0, 0), (1.0, 1):
        view.add(x, 0.0, label)
    assert view.last == 0
    for x, label in (1.5, 1), (-1.5, 0):
        view.add(x, 0.3, label)
    assert view.last == 8
    pairs = [frozenset((step.i, step.j)) for step in view.fixed["steps"]]
    assert pairs == [frozenset((0, 1)), frozenset((2, 3))] * 4 + [frozenset((0, 1))]
