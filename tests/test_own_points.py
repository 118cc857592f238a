"""Points in the reader's hand in notebooks 1 to 5: what their questions promise comes true."""

import numpy as np
import pytest

from kmlab import datasets
from kmlab.course.drawings import distances, gram_matrix, lifting, pca, perceptron
from kmlab.course.experiments.distances import rounds_from
from kmlab.course.plane import unit
from kmlab.course.samples import tilted_cloud
from kmlab.kernels import Gaussian, Linear, Polynomial
from kmlab.perceptron import KernelPerceptron, Perceptron
from kmlab.show import editable, explore, log_slider, slider, step_through


def complaint(view):
    return view._alert.value


# ---- 1


def test_a_point_of_the_outer_ring_inside_the_inner_one_leaves_no_level_plane():
    X, y = datasets.rings((1.0, 2.0), 40, noise=0.08)
    view = explore(gram_matrix.lift, editable(X, y), mix=slider(0.0, 1.0))
    assert "a gap of" in view.caption
    view.drag(60, 1.19, 0.0)
    assert "a gap of" in view.caption
    view.drag(60, 1.17, 0.0)
    assert "no level plane" in view.caption
    view.do("clear")
    view.add(0, 0, 1)
    assert "nothing to separate" in complaint(view)


def test_images_at_right_angles_and_an_image_without_direction():
    view = explore(gram_matrix.pair, editable([[2.0, 0.0], [-2.0, 0.2]], fixed=True), Polynomial(2), 1, 2)
    view.drag(1, -0.5, 0.2)
    assert "angle 90°" in view.caption
    view = explore(gram_matrix.pair, editable([[2.0, 0.0], [-2.0, 0.2]], fixed=True), Linear(), 1, 2)
    view.drag(1, 0, 0)
    assert "away from the origin" in complaint(view)


def test_two_kernels_of_opposite_weight_cancel_where_they_meet():
    view = explore(gram_matrix.rkhs, editable([[0.0, 1.0], [0.5, 1.0]], frame=((-4, -2), (4, 2))), Gaussian(1.0))
    assert "‖f‖ = 1.89" in view.caption
    view.drag(1, 0.5, -1)
    assert "‖f‖ = 0.67" in view.caption
    view.drag(1, 0, -1)
    assert "f = 0" in view.caption
    view.do("clear")
    assert "no triangle" in complaint(view)


# ---- 2 and 3


def test_one_point_takes_the_end_from_the_walk():
    X, y = datasets.two_sides()
    view = explore(lifting.enough_or_not, editable(X, y), *datasets.xor(15, noise=0.3))
    assert view.caption.startswith("Left: 4 updates, and every point is on its side.")
    view.drag(0, *X[y < 0].mean(0))
    assert "in 100 passes, and no end. Right" in view.caption


def test_the_wedge_of_lines_without_mistakes_closes():
    x, y = np.array([3.5, 1.0, 2.0, 4.0, 1.5, 3.0]), np.array([1, -1, -1, 1, -1, 1])
    line = editable(np.column_stack([x, 0 * x]), y, frame=((0.3, 0), (4.3, 0)), fixed=True)
    view = step_through(lambda X, y: Perceptron(max_passes=30).steps(X[:, :1], y), lifting.cost_surface, line)
    updates = []
    for place in (2.0, 2.6, 2.99):
        view.drag(2, place, 5.0)  # it stays on its line
        updates.append(view.last + 1)
    assert updates == [9, 20, 67] and not line.X[:, 1].any()
    view.drag(2, 3.1, 0)
    view.set(t=view.last)
    assert not view.caption.endswith(" 0 of 6 points not on their side.")


def test_stumps_that_are_no_better_than_a_coin():
    view = explore(lifting.boosting, editable(*datasets.two_moons(20)), rounds=slider(1, 50))
    view.do("clear")
    view.add(0, 0, 0)
    view.add(0, 0, 1)
    assert "better than a coin" in complaint(view)


def test_walking_on_without_points_repeats_the_sentence():
    X, y = datasets.two_sides(10, shift=(2, 1))
    primal, dual = Perceptron(max_passes=30), KernelPerceptron(Linear(), max_passes=30)
    view = step_through(
        lambda X, y: zip(primal.steps(X, y), dual.steps(X, y), strict=True),
        perceptron.in_step,
        editable(X, y),
        follow=True,
    )
    view.do("clear")
    view.step(1)
    assert "add data" in complaint(view)
    view.do("reset")
    assert not complaint(view) and "the same line" in view.caption


@pytest.mark.parametrize("width", [0.1, 1.0])
def test_only_equal_points_defeat_a_gaussian(width):
    X, y = datasets.mixed(*datasets.two_moons(80, noise=0.1), seed=1)
    view = explore(perceptron.boundary, editable(X, y), width=log_slider(0.05, 5))
    view.set(width=width)
    view.add(1.0, -0.7, 1)
    assert "finds no mistake" in view.caption
    view.drag(80, *X[y < 0][0])
    assert "still mistakes" in view.caption


# ---- 4


def test_neighbours_of_a_star():
    moons, moon = datasets.two_moons(120, noise=0.2)
    hand = editable(np.vstack([moons, [0.5, 0.25]]), [*moon.astype(str), "?"])
    view = explore(distances.knn_regions, hand, "cubic", neighbors=slider(1, 25))
    assert "the first 4 points only" in view.caption
    view.drag(120, 0, 0)
    assert "all 120 points in the same order" in view.caption
    ax = view.canvas.axes[1]
    for x in np.linspace(-1.4, 2.4, 20):  # no number stands at the very end, where it would be cut off
        view.drag(120, x, 0.3)
        assert ax.get_xticks().max() < 0.96 * ax.get_xlim()[1] and len(ax.get_xticks()) > 2
    view.remove(120)
    assert "no star" in complaint(view)


def test_kmeans_from_crosses():
    X, _ = datasets.rings((0.3, 2.0), 60, noise=0.1)
    crosses = editable([[0.2, 1.9], [0.3, -0.4]], frame=((-2.4, -2.4), (2.4, 2.4)))
    view = step_through(rounds_from, distances.kmeans_frame, Gaussian(1.6), X, crosses)
    view.set(t=view.last)
    assert view.last == 8 and "60 and 60" in view.caption
    view.add(0, 2)
    assert rounds_from(Gaussian(1.6), X, crosses.X).__next__().labels.max() == 2
    view.do("clear")
    assert "no start" in complaint(view)


def test_some_starts_of_kmeans_get_stuck_and_the_inertia_tells():
    X, y = datasets.rings((0.3, 2.0), 60, noise=0.1)
    view, stuck = explore(distances.kmeans_play, editable(X), y, width=log_slider(0.1, 10), start=slider(0, 11)), {}
    for width in (1.0, 0.4):
        captions = [view.set(width=width, start=start) or view.caption for start in range(12)]
        stuck[width] = [start for start, said in enumerate(captions) if "the disc and the ring would have" in said]
    assert stuck == {1.0: [], 0.4: [1, 3, 7]}
    assert "32 and 88 points, inertia 94.1; the disc and the ring would have 92.0" in captions[3]


def test_own_clusters_are_not_called_disc_and_ring():
    X, y = datasets.rings((0.3, 2.0), 60, noise=0.1)
    view = explore(distances.kmeans_play, editable(X), y)
    assert "the disc and the ring" in view.caption
    view.drag(0, 1, 1)
    assert "disc" not in view.caption


# ---- 5


@pytest.mark.parametrize(
    ("distance", "degrees", "turned"), [(9, 110, 43), (9.3, 110, 46), (8.5, 125, 0), (8.7, 125, 90)]
)
def test_an_outlier_turns_the_axis(distance, degrees, turned):
    cross = editable([[0.0, 0.0]], fixed=True, frame=((-12, -4), (7, 15)))
    view = explore(pca.outlier, tilted_cloud(), cross)
    view.drag(0, *(distance * unit(degrees)))
    assert view.caption.endswith(f"turns this axis by {turned}°.")


def test_a_cluster_loses_its_line():
    view = explore(pca.one_line_each, editable(unit(45 * np.arange(8) + 90), frame=((-1.4, -1.4), (1.4, 1.4))))
    assert "8 of 8" in view.caption
    view.drag(0, 0, 0.82)
    assert "7 of 8" in view.caption
    view.do("clear")
    assert "a second cluster" in complaint(view)


def test_half_of_a_circle_is_lost():
    view = explore(pca.straight_axes, editable(unit(18 * np.arange(20))), *datasets.clusters_on_a_circle())
    assert "loses 50%" in view.caption
    view.do("clear")
    for place in np.linspace(-1, 1, 9):
        view.add(place, 0.3 * place)
    assert "loses 0%" in view.caption
