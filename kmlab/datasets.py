"""Data of the lectures: generated from a seed or shipped with the package, never downloaded."""

import itertools
from importlib.resources import files

import numpy as np

from . import _checks as check

# Kwak (2008): eleven points, all on the line y = x + 1 but for (10, 0)
LINE_AND_OUTLIER = np.column_stack([[-6, -5, -4, -3, -2, 10, 0, 1, 2, 3, 4], range(-5, 6)]).astype(float)
# six points whose dispersion, as a function of the angle, has five hills
HILLS = np.array([[2, 6], [4, -7], [-1, 4], [7, 3], [-5, -2], [-7, -4]], dtype=float)
# five points, one of them the mean of all
WITH_MEAN = np.array([[-2, -1], [-1, 1], [0, 0], [1, -1], [2, 1]], dtype=float)
# two numbers and their classes: R = 4 and margin 1, so that the perceptron's bound is 64
PAIR, PAIR_Y = np.array([[2.0], [4.0]]), np.array([-1, 1])
# scatter matrices for which it matters on which side S_W stands: 6.430 is possible, S_W⁻¹ there finds 0.368
S_B, S_W = np.array([[2.3, 0.7], [0.7, 1.6]]), np.array([[0.4, -0.3], [-0.3, 4.2]])


def rings(radii=(1.0, 2.0, 3.0), n_per_ring=60, noise=0.0, seed=0):
    """Concentric rings with equally spaced angles, as in 002/s23; X (n, 2), y = number of the ring."""
    radii = check.vector(radii, "radii")
    if radii.min() < 0:
        raise ValueError(f"radii must not be negative, got {radii.min():g}: leave out the sign.")
    m = check.count(n_per_ring, "n_per_ring")
    angle = 2 * np.pi * np.arange(m) / m
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.concatenate([r * circle for r in radii])
    return _noisy(X, noise, seed), np.repeat(np.arange(len(radii)), m)


def two_moons(n=200, noise=0.1, seed=0):
    """Two half circles that reach into each other; X (n, 2), y in {-1, +1}."""
    n = check.count(n, "n", at_least=2)
    upper = np.pi * np.linspace(0, 1, n - n // 2)
    lower = np.pi * np.linspace(0, 1, n // 2)
    X = np.concatenate(
        [
            np.column_stack([np.cos(upper), np.sin(upper)]),
            np.column_stack([1 - np.cos(lower), 0.5 - np.sin(lower)]),
        ]
    )
    return _noisy(X, noise, seed), np.repeat([1, -1], [len(upper), len(lower)])


def three_clusters(n_per_cluster=30, spread=0.1, seed=0):
    """Three Gaussian clouds, for the eight components of 004/s26; X (n, 2), y = number of the cloud."""
    m = check.count(n_per_cluster, "n_per_cluster")
    centers = np.array([[-0.5, -0.2], [0.0, 0.6], [0.5, 0.0]])
    return _noisy(np.repeat(centers, m, axis=0), spread, seed), np.repeat(np.arange(3), m)


def s_curve(n=1000, width=5.0, noise=0.0, seed=0):
    """A sheet bent into an S, for 001/p121 and its homework; X (n, 3), t (n, 2) = (place on the arc, on the width)."""
    rng = check.seeded(seed)
    arc = 3 * np.pi * (rng.random(check.count(n, "n")) - 0.5)
    across = check.positive(width, "width") * rng.random(n)
    X = np.column_stack([np.sin(arc), across, np.sign(arc) * (np.cos(arc) - 1)])
    return X + check.non_negative(noise, "noise") * rng.standard_normal(X.shape), np.column_stack([arc, across])


def swiss_roll(n=1000, width=10.0, noise=0.0, seed=0):
    """A rolled-up sheet; X (n, 3), t (n, 2) = (angle of the spiral, position on the width)."""
    rng = check.seeded(seed)
    angle = 1.5 * np.pi * (1 + 2 * rng.random(check.count(n, "n")))
    across = check.positive(width, "width") * rng.random(n)
    X = np.column_stack([angle * np.cos(angle), across, angle * np.sin(angle)])
    return X + check.non_negative(noise, "noise") * rng.standard_normal(X.shape), np.column_stack([angle, across])


def half_circle(n=200, noise=0.1, seed=0):
    """A noisy half circle, to be denoised as in 004/s27; X (n, 2), t = the angle of the clean point."""
    angle = np.pi * check.seeded(seed).spawn(1)[0].random(check.count(n, "n"))
    return _noisy(np.column_stack([np.cos(angle), np.sin(angle)]), noise, seed), angle


def square(n=200, noise=0.05, seed=0):
    """The noisy outline of a square, to be denoised as in 004/s27; X (n, 2), t = position on the outline in [0, 4)."""
    t = 4 * check.seeded(seed).spawn(1)[0].random(check.count(n, "n"))
    side, along = t.astype(int), 2 * (t % 1) - 1
    x = np.choose(side, [along, np.ones(n), -along, -np.ones(n)])
    y = np.choose(side, [-np.ones(n), along, np.ones(n), -along])
    return _noisy(np.column_stack([x, y]), noise, seed), t


def xor(n_per_corner=1, noise=0.0, seed=0):
    """Corners of a square with the labels of an exclusive or; X (n, 2), y in {-1, +1}."""
    m = check.count(n_per_corner, "n_per_corner")
    corners = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    return _noisy(np.repeat(corners, m, axis=0), noise, seed), np.repeat([-1, 1, 1, -1], m)


def split_class(n=150, gap=2.0, noise=0.35, seed=0):
    """A class in two places with another one between them, all three clouds tall; X (n, 2), y in {0, 1}."""
    place = np.arange(check.count(n, "n", at_least=3)) % 3 - 1  # left, middle, right
    middle = place == 0
    X = np.column_stack([check.non_negative(gap, "gap") * place, 0.2 * middle])
    return _noisy(X, noise, seed) * [1.0, 4.5], middle.astype(int)


def three_clouds(n_per_cloud=40, gap=12.0, spread=1.0, seed=0):
    """Clouds in a row, `gap` apart; X (n, 2), y = number of the cloud."""
    y = np.repeat(range(3), check.count(n_per_cloud, "n_per_cloud"))
    X = np.column_stack([check.non_negative(gap, "gap") * (y - 1), np.zeros(len(y))])
    return _noisy(X, spread, seed), y


def two_clouds(n=40, distance=1.2, seed=1):
    """Two clouds that reach into each other; X (n, 2), y in {-1, +1}."""
    n = check.count(n, "n", at_least=2)
    y = np.repeat([-1, 1], [n - n // 2, n // 2])
    return _noisy(np.outer(y, [check.non_negative(distance, "distance"), 0.3]), 1.0, seed), y


def parallel_classes(gap=1.0, n_per_class=100, seed=6):
    """Two long clouds side by side at 45 degrees, `gap` apart, each 2 long and 0.12 wide; X (n, 2), y in {0, 1}."""
    y = np.repeat([0, 1], check.count(n_per_class, "n_per_class"))
    along, across = check.seeded(seed).standard_normal((2, len(y))) * [[2.0], [0.12]]
    apart = check.non_negative(gap, "gap") * (y - 0.5)
    return (np.column_stack([along, across + apart]) @ [[1, 1], [-1, 1]]) / np.sqrt(2), y


def clusters_on_a_circle(n_clusters=8, first_radius=1.0, n_per_cluster=25, spread=0.04, seed=0):
    """Clusters at equal angles on the unit circle, the first at a radius of its own; X (n, 2), y = number."""
    m = check.count(n_clusters, "n_clusters")
    y = np.repeat(np.arange(m), check.count(n_per_cluster, "n_per_cluster"))
    angle = 2 * np.pi * y / m + np.pi / 2
    radius = np.where(y == 0, check.non_negative(first_radius, "first_radius"), 1.0)
    return _noisy(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), spread, seed), y


def two_sides(n=40, gap=0.25, shift=(0.0, 0.0), seed=0):
    """Points on both sides of a line, pushed apart by gap, then moved by shift; X (n, 2), y in {-1, +1}."""
    X, normal = check.seeded(seed).standard_normal((check.count(n, "n"), 2)), np.array([1.0, 0.6])
    y = np.where(X @ normal > 0, 1, -1)
    return X + check.non_negative(gap, "gap") * y[:, None] * normal + check.vector(shift, "shift"), y


def around_a_wave(n=80, noise=0.15, seed=0):
    """Points of [-1, 1]², the domain of 004/s6, around a wave, a few on its wrong side; X (n, 2), y in {-1, +1}."""
    rng = check.seeded(seed)
    X = rng.uniform(-1, 1, (check.count(n, "n"), 2))
    e = check.non_negative(noise, "noise") * rng.standard_normal(n)
    return X, np.where(X[:, 1] + e > 0.7 * np.sin(4 * X[:, 0]), 1, -1)


def mixed_rings():
    """Two rings in a mixed order; X (60, 2), y in {-1, +1}."""
    X, y = mixed(*rings((1, 2), 30, noise=0.1))
    return X, 2 * y - 1


def mixed(X, y, seed=0):
    """The same points in an order drawn at random: a walk that meets one class after the other is a slow one."""
    order = check.seeded(seed).permutation(len(X))
    return X[order], y[order]


def dependence_shapes(shape="circle", n=200, noise=0.1, seed=0):
    """Pairs that depend on each other in shapes a correlation may miss (001/p125); X (n, 1), Y (n, 1)."""
    check.one_of(shape, ("linear", "parabola", "circle", "sine", "independent"), "shape")
    rng = check.seeded(seed)
    u = rng.uniform(-1, 1, check.count(n, "n"))
    x, y = {
        "linear": lambda: (u, u),
        "parabola": lambda: (u, 2 * u**2 - 1),
        "circle": lambda: (np.cos(np.pi * u), np.sin(np.pi * u)),
        "sine": lambda: (u, np.sin(2 * np.pi * u)),
        "independent": lambda: (u, rng.uniform(-1, 1, n)),
    }[shape]()
    e = check.non_negative(noise, "noise") * rng.standard_normal((2, n))
    return (x + e[0])[:, None], (y + e[1])[:, None]


def sinc(n=100, noise=0.1, seed=0):
    """sin(x)/x with noise at random places of [-10, 10], sorted; X (n, 1), t (n,)."""
    rng = check.seeded(seed)
    x = np.sort(rng.uniform(-10, 10, check.count(n, "n")))
    return x[:, None], np.sinc(x / np.pi) + check.non_negative(noise, "noise") * rng.standard_normal(n)


def straight(n=12, noise=0.6, seed=3):
    """Points near the line 0.8 x + 0.5; x (n,), t (n,)."""
    x = np.linspace(-2, 2, check.count(n, "n"))
    return x, _noisy(0.8 * x + 0.5, noise, seed)


def thirty_points(seed=33):
    """Thirty points in three dimensions: under the linear kernel K has rank 3, and 27 directions lead nowhere."""
    return check.seeded(seed).standard_normal((30, 3))


def thirty_in_the_plane(seed=5):
    """Thirty points of the plane; with five neighbours each, 44 of 97 pairs are one-sided."""
    return check.seeded(seed).standard_normal((30, 2))


def permutations(m=4):
    """All rankings of m things, in the order of a dictionary, for 002/s29; X (m!, m) with entries 1 to m."""
    if check.count(m, "m") > 8:
        raise ValueError(f"{m} things have too many rankings to write down: choose m up to 8.")
    return np.array(list(itertools.permutations(range(1, m + 1))))


def digits():
    """1,797 handwritten digits of 8 x 8 pixels; X (1797, 64) in [0, 1], y the digit.

    E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits (its test part), UCI Machine Learning Repository,
    1998, doi 10.24432/C50P49, licensed under CC BY 4.0; values divided by 16.
    """
    with files("kmlab").joinpath("data/digits.npz").open("rb") as file, np.load(file) as data:
        return data["images"].reshape(-1, 64) / 16.0, data["labels"].astype(int)


def _noisy(X, noise, seed):
    return X + check.non_negative(noise, "noise") * check.seeded(seed).standard_normal(X.shape)
