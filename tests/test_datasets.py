"""Data sets: shapes, geometry, seeds, and digits that are really the digits."""

import socket

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_s_curve, make_swiss_roll
from tolerances import EXACT, close

from kmlab import datasets
from kmlab.graph import knn_graph
from kmlab.pca import PCA

GENERATORS = {
    "rings": (180, 2),
    "two_moons": (200, 2),
    "three_clusters": (90, 2),
    "s_curve": (1000, 3),
    "swiss_roll": (1000, 3),
    "half_circle": (200, 2),
    "square": (200, 2),
    "xor": (4, 2),
    "dependence_shapes": (200, 1),
    "sinc": (100, 1),
    "split_class": (150, 2),
    "three_clouds": (120, 2),
    "two_clouds": (40, 2),
    "parallel_classes": (200, 2),
    "clusters_on_a_circle": (200, 2),
    "two_sides": (40, 2),
    "around_a_wave": (80, 2),
    "straight": (12,),
}
SIZE = {  # the argument that says how many, where it is not n
    "rings": "n_per_ring",
    "three_clusters": "n_per_cluster",
    "xor": "n_per_corner",
    "three_clouds": "n_per_cloud",
    "parallel_classes": "n_per_class",
    "clusters_on_a_circle": "n_per_cluster",
}
NOISE = {  # the argument that says how far things are spread, where it is not noise
    "three_clusters": "spread",
    "three_clouds": "spread",
    "clusters_on_a_circle": "spread",
    "two_clouds": "distance",
    "parallel_classes": "gap",
    "two_sides": "gap",
}
pytestmark = pytest.mark.filterwarnings("error")


def make(name, **params):
    return getattr(datasets, name)(**params)


# definition


@pytest.mark.parametrize("name", GENERATORS)
def test_data_has_its_shape_and_a_target_for_each_point(name):
    X, y = make(name)
    assert X.shape == GENERATORS[name] and len(y) == len(X) and np.isfinite(X).all()


@pytest.mark.parametrize("name", GENERATORS)
def test_a_seed_repeats_the_data_and_another_does_not(name):
    params = {"noise": 0.1} if name in ("rings", "xor") else {}
    X, y = make(name, **params, seed=3)
    again, same = make(name, **params, seed=3)
    assert np.array_equal(X, again) and np.array_equal(y, same)
    other = make(name, **params, seed=4)
    assert not (np.array_equal(X, other[0]) and np.array_equal(y, other[1]))


def test_rings_have_their_radii_and_equal_angles():
    X, y = datasets.rings((1.0, 2.5), n_per_ring=8)
    close(np.linalg.norm(X, axis=1), np.repeat([1.0, 2.5], 8), EXACT)
    close(np.arctan2(X[:8, 1], X[:8, 0]) % (2 * np.pi), np.arange(8) * np.pi / 4, EXACT)
    assert y.tolist() == [0] * 8 + [1] * 8
    noisy = datasets.rings((1.0, 2.5), 400, noise=0.2)[0] - datasets.rings((1.0, 2.5), 400)[0]
    assert noisy.std() == pytest.approx(0.2, rel=0.05)


def test_moons_are_two_half_circles_that_reach_into_each_other():
    X, y = datasets.two_moons(51, noise=0.0)
    up, down = X[y == 1], X[y == -1]
    assert len(up) == 26 and len(down) == 25
    close(np.linalg.norm(up, axis=1), np.ones(26), EXACT)
    close(np.linalg.norm(down - [1, 0.5], axis=1), np.ones(25), EXACT)
    assert up[:, 1].min() > -EXACT and down[:, 1].max() < 0.5 + EXACT


def test_three_clusters_stand_where_the_specification_puts_them():
    X, y = datasets.three_clusters(3000)
    centers = [X[y == c].mean(0) for c in range(3)]
    close(centers, [[-0.5, -0.2], [0.0, 0.6], [0.5, 0.0]], 0.01)
    assert np.std(X - np.repeat(centers, 3000, axis=0)) == pytest.approx(0.1, rel=0.05)


def test_s_curve_is_its_formula():
    X, t = datasets.s_curve(500, width=5.0)
    arc, across = t.T
    close(X, np.column_stack([np.sin(arc), across, np.sign(arc) * (np.cos(arc) - 1)]), EXACT)
    assert -1.5 * np.pi <= arc.min() < -4.5 and 4.5 < arc.max() <= 1.5 * np.pi
    assert 0 <= across.min() < 0.1 and 4.9 < across.max() <= 5


def test_swiss_roll_is_its_formula():
    X, t = datasets.swiss_roll(500, width=10.0)
    angle, across = t.T
    close(X, np.column_stack([angle * np.cos(angle), across, angle * np.sin(angle)]), EXACT)
    assert 1.5 * np.pi <= angle.min() and 14 < angle.max() <= 4.5 * np.pi and 9.9 < across.max() <= 10


def test_half_circle_and_square_lie_on_their_outline():
    X, angle = datasets.half_circle(noise=0.0)
    close(X, np.column_stack([np.cos(angle), np.sin(angle)]), EXACT)
    assert X[:, 1].min() >= 0
    X, t = datasets.square(400, noise=0.0)
    close(np.abs(X).max(1), np.ones(400), EXACT)
    walk = X[t.argsort()]  # along the outline, no jump
    assert np.linalg.norm(np.diff(walk, axis=0, append=walk[:1]), axis=1).max() < 0.2
    assert set(t.astype(int)) == {0, 1, 2, 3}


def test_noise_is_independent_of_the_position_on_the_outline():
    clean, angle = datasets.half_circle(4000, noise=0.0)
    noise = datasets.half_circle(4000, noise=0.1)[0] - clean
    assert noise.std() == pytest.approx(0.1, rel=0.05)
    assert np.abs(np.corrcoef(angle, noise.T)[0, 1:]).max() < 0.05
    assert not np.allclose(angle, np.pi * np.random.default_rng(0).random(4000)), "that stream makes the noise"


def test_the_split_class_stands_on_both_sides_of_the_other():
    X, y = datasets.split_class(9, gap=3.0, noise=0.0)
    close(X[:3], [[-3.0, 0.0], [0.0, 0.9], [3.0, 0.0]], EXACT)
    assert y.tolist() == [0, 1, 0] * 3
    spread = datasets.split_class(3000, noise=0.5)[0] - datasets.split_class(3000, noise=0.0)[0]
    assert spread.std(0) == pytest.approx([0.5, 2.25], rel=0.05)


def test_three_clouds_stand_in_a_row_and_two_reach_into_each_other():
    X, y = datasets.three_clouds(5, gap=4.0, spread=0.0)
    close(X, np.column_stack([4.0 * (y - 1), np.zeros(15)]), EXACT)
    assert y.tolist() == [0] * 5 + [1] * 5 + [2] * 5
    X, y = datasets.two_clouds(4001, distance=3.0)
    assert (y == -1).sum() == 2001 and (y == 1).sum() == 2000
    close([X[y == side].mean(0) for side in (-1, 1)], [[-3.0, -0.3], [3.0, 0.3]], 0.1)
    close(np.cov((X - np.outer(y, [3.0, 0.3])).T), np.eye(2), 0.1)


def test_parallel_classes_lie_at_45_degrees_and_their_gap_apart():
    X, y = datasets.parallel_classes(3.0, n_per_class=5000)
    along, across = (X @ [[1, -1], [1, 1]]).T / np.sqrt(2)
    assert along.std() == pytest.approx(2.0, rel=0.05)
    for label in (0, 1):
        assert across[y == label].mean() == pytest.approx(3.0 * (label - 0.5), abs=0.01)
        assert across[y == label].std() == pytest.approx(0.12, rel=0.05)


def test_clusters_stand_at_equal_angles_and_the_first_where_it_is_put():
    X, y = datasets.clusters_on_a_circle(4, first_radius=0.25, n_per_cluster=1, spread=0.0)
    close(X, [[0.0, 0.25], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]], EXACT)
    assert y.tolist() == [0, 1, 2, 3]
    assert datasets.clusters_on_a_circle(3, n_per_cluster=2000)[0].var() == pytest.approx(0.5 + 0.04**2, rel=0.01)


def test_two_sides_are_a_gap_apart_and_move_as_one():
    X, y = datasets.two_sides(500, gap=0.5)
    normal = np.array([1.0, 0.6])
    assert (y * (X @ normal)).min() >= 0.5 * normal @ normal and set(y) == {-1, 1}
    moved, same = datasets.two_sides(500, gap=0.5, shift=(2, 1))
    close(moved - X, np.tile([2.0, 1.0], (500, 1)), EXACT)
    assert np.array_equal(same, y)


def test_the_classes_around_a_wave_are_told_apart_by_it_but_for_noise():
    X, y = datasets.around_a_wave(2000, noise=0.0)
    above = X[:, 1] > 0.7 * np.sin(4 * X[:, 0])
    assert np.array_equal(y, np.where(above, 1, -1)) and np.abs(X).max() <= 1
    noisy, label = datasets.around_a_wave(2000)
    assert np.array_equal(noisy, X) and 0.03 < (label != y).mean() < 0.15


def test_mixing_changes_the_order_alone():
    X, y = datasets.rings((1, 2), 30, noise=0.1)
    mixed, label = datasets.mixed_rings()
    order = np.random.default_rng(0).permutation(60)
    assert np.array_equal(mixed, X[order]) and np.array_equal(label, 2 * y[order] - 1) and set(label) == {-1, 1}
    assert not np.array_equal(datasets.mixed(X, y, seed=1)[1], datasets.mixed(X, y)[1])


def test_points_near_a_line_and_thirty_points():
    x, t = datasets.straight(5, noise=0.0)
    close(x, [-2, -1, 0, 1, 2], EXACT)
    close(t, 0.8 * x + 0.5, EXACT)
    assert np.std(datasets.straight(2000)[1] - datasets.straight(2000, noise=0.0)[1]) == pytest.approx(0.6, rel=0.05)
    assert np.linalg.matrix_rank(datasets.thirty_points() @ datasets.thirty_points().T) == 3
    either, both = (knn_graph(datasets.thirty_in_the_plane(), 5, how).nnz // 2 for how in ("or", "and"))
    assert (either, either - both) == (97, 44)


def test_the_named_points_are_what_their_names_say():
    on_line = datasets.LINE_AND_OUTLIER[:, 1] - datasets.LINE_AND_OUTLIER[:, 0] == 1
    assert on_line.sum() == 10 and datasets.LINE_AND_OUTLIER[~on_line].tolist() == [[10.0, 0.0]]
    angle = np.radians(np.arange(720) / 4)
    height = np.abs((datasets.HILLS - datasets.HILLS.mean(0)) @ [np.cos(angle), np.sin(angle)]).sum(0)
    assert ((height > np.roll(height, 1)) & (height > np.roll(height, -1))).sum() == 5
    assert (datasets.WITH_MEAN == datasets.WITH_MEAN.mean(0)).all(1).sum() == 1
    assert np.abs(datasets.PAIR).max() == 4 and np.ptp(datasets.PAIR) / 2 == 1 and datasets.PAIR_Y.tolist() == [-1, 1]


def test_xor_is_labelled_by_the_product_of_its_coordinates():
    X, y = datasets.xor(3)
    assert np.array_equal(y, -X[:, 0] * X[:, 1]) and len(np.unique(X, axis=0)) == 4 and len(X) == 12


@pytest.mark.parametrize(
    "shape, relation",
    [
        ("linear", lambda x, y: y - x),
        ("parabola", lambda x, y: y - (2 * x**2 - 1)),
        ("circle", lambda x, y: x**2 + y**2 - 1),
        ("sine", lambda x, y: y - np.sin(2 * np.pi * x)),
    ],
)
def test_dependence_shapes_obey_their_equation(shape, relation):
    x, y = datasets.dependence_shapes(shape, noise=0.0)
    close(relation(x, y), np.zeros((200, 1)), EXACT)


def test_sinc_is_its_formula_at_sorted_places():
    X, t = datasets.sinc(50, noise=0.0)
    close(t, np.sin(X[:, 0]) / X[:, 0], EXACT)
    assert (np.diff(X[:, 0]) >= 0).all() and X.min() >= -10 and X.max() <= 10
    assert 0.05 < np.std(datasets.sinc(50, noise=0.1)[1] - t) < 0.15


def test_independent_pairs_share_nothing():
    x, y = datasets.dependence_shapes("independent", n=5000, noise=0.0)
    for f in (lambda u: u), np.square, (lambda u: np.sin(3 * u)):
        for g in (lambda u: u), np.square, (lambda u: np.sin(3 * u)):
            assert abs(np.corrcoef(f(x[:, 0]), g(y[:, 0]))[0, 1]) < 0.05
    noisy = datasets.dependence_shapes("linear", n=5000, noise=0.3)
    assert np.std(noisy[0] - noisy[1]) == pytest.approx(0.3 * 2**0.5, rel=0.05)


# oracle


def test_digits_are_the_uci_digits_and_credited():
    X, y = datasets.digits()
    theirs = load_digits()
    assert X.shape == (1797, 64) and np.array_equal(X * 16, theirs.data) and np.array_equal(y, theirs.target)
    for credit in "Alpaydin", "Kaynak", "UCI", "CC BY 4.0", "10.24432/C50P49":
        assert credit in datasets.digits.__doc__
    assert PCA(2).fit(X).explained_variance_ratio_.sum() == pytest.approx(0.285, abs=0.001)


def test_nothing_touches_the_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a dataset opened a connection")

    monkeypatch.setattr(socket, "socket", refuse)
    for name in [*GENERATORS, "digits"]:
        make(name)


def test_surfaces_are_those_of_scikit_learn_up_to_the_order_of_axes():
    X, t = make_s_curve(50, random_state=0)
    close(X[:, [0, 2]], np.column_stack([np.sin(t), np.sign(t) * (np.cos(t) - 1)]), EXACT)
    X, t = make_swiss_roll(50, random_state=0)
    close(X[:, [0, 2]], np.column_stack([t * np.cos(t), t * np.sin(t)]), EXACT)


# refusal


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("seed", [-1, 1.5, "0", True])
def test_a_seed_is_a_whole_number(name, seed):
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0"):
        make(name, seed=seed)


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_draws_on_and_no_seed_draws_by_chance(name):
    def drawn(seed):
        return np.column_stack(make(name, seed=seed, **{NOISE.get(name, "noise"): 0.1}))

    first, again, rng = drawn(np.random.default_rng(5)), drawn(np.random.default_rng(5)), np.random.default_rng(5)
    close(first, again, EXACT)
    assert (drawn(rng) != drawn(rng)).any() and (drawn(None) != drawn(None)).any()


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("size", [0, -3, 2.5, "9", True, np.nan])
def test_a_size_is_a_whole_number(name, size):
    argument = SIZE.get(name, "n")
    with pytest.raises(ValueError, match=f"{argument} must be a whole number"):
        make(name, **{argument: size})


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("noise", [-0.1, np.nan, np.inf, "0.1", None])
def test_noise_is_a_number_of_at_least_zero(name, noise):
    with pytest.raises(ValueError, match="must be a number of at least 0"):
        make(name, **{NOISE.get(name, "noise"): noise})


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: datasets.rings(()), "radii is empty"),
        (lambda: datasets.rings((1.0, -2.0)), "radii must not be negative"),
        (lambda: datasets.rings(3.0), "radii must have one dimension"),
        (lambda: datasets.rings(("a", "b")), "radii must hold numbers"),
        (lambda: datasets.s_curve(width=0), "width must be a positive number"),
        (lambda: datasets.swiss_roll(width=-1), "width must be a positive number"),
        (lambda: datasets.two_moons(1), "n must be a whole number of at least 2"),
        (lambda: datasets.dependence_shapes("star"), "shape must be one of 'linear', 'parabola'"),
    ],
)
def test_generators_refuse_parameters(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
