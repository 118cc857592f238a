"""Notebook 1: the mathematics of its pictures, its errata and its exercises."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from kmlab.course.drawings import gram_matrix as plots
from kmlab.course.exercises import check
from kmlab.course.experiments.gram_matrix import expansion, lifted, reconstruction, sphere_images, time_features
from kmlab.course.samples import LETTER
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian, Linear, Polynomial, feature_angle, feature_distance2
from kmlab.npt import NPT
from kmlab.show import figure_of

SOLUTIONS = Path(__file__).parents[1] / "solutions" / "01_gram_matrix.py"
X = np.random.default_rng(0).standard_normal((12, 2))
TRIANGLE = np.array([[0.0, 0.0], [1.2, 0.0], [0.5, 1.0]])
CENTERS = np.array([[-2.4], [-1.0], [0.2], [1.3], [2.6]])


# ---- pictures -------------------------------------------------------------------------------------------------------


def test_lifted_points_have_the_squared_radius_as_height():
    radius2 = (X**2).sum(1)
    np.testing.assert_allclose(lifted(X), np.column_stack([X, radius2]))


def test_distance_to_the_mean_is_that_of_explicit_features():
    xs, ys = np.linspace(-1, 1, 4), np.linspace(-2, 2, 5)
    F, _ = plots.ALGORITHMS["distance to the mean"](Polynomial(2), X, xs, ys)
    grid = np.array([[x, y] for y in ys for x in xs])
    D = np.linalg.norm(poly2_map(grid) - poly2_map(X).mean(0), axis=1)
    np.testing.assert_allclose(F.ravel(), D, atol=1e-10)


def test_main_direction_of_a_linear_kernel_is_that_of_pca():
    line = np.outer(np.linspace(-1, 1, 7), [3.0, 4.0])
    xs = ys = np.linspace(-1, 1, 3)
    F, said = plots.ALGORITHMS["main direction"](Linear(), line, xs, ys)
    np.testing.assert_allclose(np.abs(F), np.abs(np.add.outer(0.8 * ys, 0.6 * xs)), atol=1e-10)
    assert "100 %" in said


def test_a_letter_comes_back_from_its_gram_matrix_alone():
    steps = list(reconstruction(LETTER))
    Z = steps[-1].values["coordinates"]
    assert Z.shape == (11, 2) and [step.made for step in steps].count("coordinates") == 2
    np.testing.assert_allclose(Z.mean(0), 0, atol=1e-10)  # the caption speaks of a centred K
    want = ((LETTER[:, None] - LETTER) ** 2).sum(2)
    np.testing.assert_allclose(((Z[:, None] - Z) ** 2).sum(2), want, atol=1e-10)
    np.testing.assert_allclose(steps[0].values["distances"] ** 2, want, atol=1e-10)


def test_every_step_is_made_of_what_an_earlier_one_made():
    made = {"points"}
    for step in reconstruction(LETTER):
        assert step.known in made
        made.add(step.made)


@pytest.mark.parametrize("width", [0.05, 0.3, 1.0, 3.0, 10.0])
def test_gaussian_images_lie_on_the_octant(width):
    K = Gaussian(width)(TRIANGLE)
    images = sphere_images(K)
    np.testing.assert_allclose(images @ images.T, K, atol=1e-10)
    assert (images >= 0).all()


def test_a_pair_of_points_shows_the_geometry_of_the_plane():
    caption = figure_of(plots.pair, np.array([[3.0, 0.0], [0.0, 4.0]]), Linear(), i=1, j=2).caption
    assert "distance 5 " in caption and "angle 90°" in caption


def test_combinations_are_what_their_names_say():
    K1, K2 = Gaussian(0.5)(X), Linear()(X)
    want = {"a k₁": 2 * K1, "k₁ + a k₂": K1 + 2 * K2, "a k₁ k₂": 2 * K1 * K2, "k₁ − a k₂": K1 - 2 * K2}
    for op, combine in plots.COMBINED.items():
        np.testing.assert_allclose(combine(Gaussian(0.5), Linear(), 2.0, X), want[op], atol=1e-12)


def test_only_the_difference_of_kernels_goes_negative():
    lowest = {op: np.linalg.eigvalsh(f(Gaussian(0.5), Linear(), 3.0, X))[0] for op, f in plots.COMBINED.items()}
    assert lowest.pop("k₁ − a k₂") < -1
    assert min(lowest.values()) > -1e-10


def test_the_norm_of_an_expansion_bounds_it_and_is_that_of_its_coordinates():
    alpha, k = np.array([1.0, -1.5, 1.0, 0.5, -1.0]), Gaussian(1.0)
    x = np.linspace(-4, 4, 41)[:, None]
    f, norm = expansion(CENTERS, alpha, k, x)
    np.testing.assert_allclose(f, np.exp(-((x - CENTERS.T) ** 2)) @ alpha, atol=1e-12)
    assert norm == pytest.approx(np.linalg.norm(NPT(k, center=False).fit(CENTERS).coords_of(alpha)))
    assert (np.abs(f) <= norm).all()


def test_one_kernel_alone_reaches_its_bound():
    alone, none = (np.column_stack([CENTERS, [0.0, 0.0, weight, 0.0, 0.0]]) for weight in (1.0, 0.0))
    assert "100 %" in figure_of(plots.rkhs, alone, Gaussian(1.0)).caption
    assert "f = 0" in figure_of(plots.rkhs, none, Gaussian(1.0)).caption


def test_the_cliff_stands_where_the_monomials_run_out():
    X3 = np.random.default_rng(0).standard_normal((30, 3))
    dims = [4, 8]
    seconds = time_features(dims, n=5)
    assert seconds.shape == (2, 2) and (seconds > 0).all()
    assert "6, 10 and 20" in figure_of(plots.price, dims, seconds, X3).caption


def test_translation_moves_inner_products_until_they_are_centred():
    y = np.arange(12) % 3

    def entries(shift, center):  # lowest and highest, of the linear and of the Gaussian K
        said = figure_of(plots.translation, X, y, shift=shift, center=center).caption.replace("−", "-")
        return [float(number) for number in re.findall(r"(?:from|to) (-?[\d.]+\d)", said)]

    at_home, moved = entries(0.0, False), entries(1.0, False)
    assert moved[0] != at_home[0] and moved[1] > at_home[1] + 1 and moved[2:] == at_home[2:]
    assert entries(1.0, True) == entries(0.0, True) == entries(-2.0, True)


def test_similarities_are_what_their_names_say():
    x = 0.7 * np.arange(4)[:, None]
    d2, xz = (x - x.T) ** 2, x * x.T
    want = {
        "exp(−d²/2)": np.exp(-d2 / 2), "1 − d²/2": 1 - d2 / 2,
        "tanh(xz)": np.tanh(xz), "tanh(xz − 1)": np.tanh(xz - 1),
    }  # fmt: skip
    for name, similarity in plots.SIMILARITIES.items():
        np.testing.assert_allclose(similarity(x), want[name], atol=1e-12)


@pytest.mark.parametrize("spacing", [0.1, 0.8, 1.0])
def test_impostors_fail_on_three_points_and_the_gaussian_does_not(spacing):
    verdicts = {name: figure_of(plots.impostors, name, 3, spacing).caption for name in plots.SIMILARITIES}
    assert "passes" in verdicts.pop("exp(−d²/2)")
    assert all("is no kernel" in caption for caption in verdicts.values())


# ---- exercises ------------------------------------------------------------------------------------------------------


def verdict(capsys, number, answer=None):
    check(number, answer)
    return capsys.readouterr().out.strip().removeprefix(f"Exercise {number}: ")


def test_worked_solutions_are_correct(capsys):
    runpy.run_path(str(SOLUTIONS))
    assert capsys.readouterr().out.splitlines() == [f"Exercise 1.{i}: correct." for i in range(1, 7)]


def test_stubs_wait(capsys):
    stubs = {"1.1": (..., ...), "1.2": (..., ..., ...), "1.3": lambda F1, F2: None, "1.4": ..., "1.5": (..., ...)}
    for number, stub in (stubs | {"1.6": lambda K: None}).items():
        assert verdict(capsys, number, stub) == "not attempted yet."


K2 = Gaussian(2.0)([[0.0], [2.0]])
ANSWERS = {  # text that would give an answer away
    "1.1": ("5.0", "25"), "1.2": ("0.367", "1.26", "68.4"), "1.3": ("einsum", "[:, :, None]"),
    "1.4": ("d = 2", "2.0"), "1.5": ("35", "15"), "1.6": ("[:, None]", "2 * K"),
}  # fmt: skip
WRONG = [
    ("1.1", (25.0, 5.0), "norm comes first"),
    ("1.1", (5.0, 5.0), "diagonal"),
    ("1.2", (K2[0, 1], np.sqrt(feature_distance2(K2)[0, 1]), np.degrees(feature_angle(K2)[0, 1])), "squared"),
    ("1.2", (K2[0, 1], feature_distance2(K2)[0, 1], feature_angle(K2)[0, 1]), "degrees"),
    ("1.2", (0.5, 1.0, 60.0), "K.3"),
    ("1.3", lambda F1, F2: np.hstack([F1, F2]), "inner products are added"),
    ("1.3", lambda F1, F2: F1[:, :1] * F2, "shape"),
    ("1.3", lambda F1, F2: np.zeros((len(F1), F1.shape[1] * F2.shape[1])), "off by"),
    ("1.4", 1.9, "larger"),
    ("1.4", 2.1, "negative"),
    ("1.4", -2.0, "above zero"),
    ("1.5", (15, 35), "other order"),
    ("1.5", (81, 81), "monomials"),
    ("1.6", lambda K: np.diag(K)[:, None] - 2 * K, "One of the two diagonals is missing"),
    ("1.6", lambda K: np.sqrt(np.maximum(np.diag(K)[:, None] + np.diag(K) - 2 * K, 0)), "asked are their squares"),
    ("1.6", lambda K: np.diag(K)[:, None] * np.diag(K) - K**2, "off by"),
]


@pytest.mark.parametrize(("number", "answer", "hint"), WRONG)
def test_wrong_answers_get_a_hint_and_never_the_answer(capsys, number, answer, hint):
    said = verdict(capsys, number, answer)
    assert said.startswith("keep going.") and hint in said
    assert not any(text in said for text in ANSWERS[number])


def raises(*_):
    raise RuntimeError("mine")


NASTY = [
    "text", 1 + 2j, np.nan, np.inf, [], {}, object(), np.zeros((3, 4)), ["a", None], raises, lambda: 1,
    lambda *a: "text", lambda *a: np.nan, lambda *a: [[1], [2, 3]], lambda *a: a[0].fill(0),
]  # fmt: skip


@pytest.mark.parametrize("number", [f"1.{i}" for i in range(1, 7)])
@pytest.mark.parametrize("answer", NASTY, ids=range(len(NASTY)))
def test_nasty_answers_never_raise(capsys, number, answer):
    assert verdict(capsys, number, answer).startswith(("keep going.", "not attempted yet."))


def test_the_tensor_map_may_order_its_features_freely(capsys):
    assert verdict(capsys, "1.3", lambda F1, F2: np.einsum("na,nb->nba", F1, F2).reshape(len(F1), -1)) == "correct."
