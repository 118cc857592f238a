"""What only notebooks use: their data, what they measure, and computations taken apart, step by step."""

import sys

import numpy as np
import pytest

from kmlab import datasets
from kmlab.course import samples
from kmlab.course.experiments import (
    Stage,
    dual,
    fisher_and_independence,
    kernel_pca,
    lifting,
    locality,
    npt,
    pca,
    pca_l1,
    preimages,
    scaling_up,
    seconds,
    spheres_and_tubes,
    svm,
)
from kmlab.course.plane import angle_of, apart, unit
from kmlab.kernels import Gaussian
from kmlab.pca import PCA, KernelPCA
from kmlab.svm import SVC

RINGS, RING = datasets.rings((0.2, 1, 2), 20, noise=0.08)


# ---- directions ------------------------------------------------------------------------------------------------------


def test_angles_and_directions_belong_together():
    assert np.allclose(unit([0, 90]), np.eye(2)) and unit(np.zeros((3, 4))).shape == (3, 4, 2)
    assert [round(angle_of(unit(a)), 9) for a in (30, 210, -10)] == [30, 30, 170]  # an axis has two ends
    assert apart(170, 10) == apart(10, 170) == 20 and apart(0, 90) == 90


# ---- data ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "shapes"),
    [
        (lambda: [samples.house()], [(27, 2)]),
        (lambda: [samples.flat_cloud()], [(120, 3)]),
        (lambda: [samples.lying_h()], [(132, 2)]),
        (lambda: [samples.flat_s()], [(80, 2)]),
        (lambda: samples.wave_across(), [(150, 2), (150,)]),
        (lambda: samples.noisy_sinc(50), [(50,)] * 3),
        (lambda: samples.eleven_gaussians(), [(1100, 10), (363, 10), (363, 10)]),
        (lambda: samples.zeros_and_ones(), [(20, 64), (20,)]),
        (lambda: samples.six_digits(), [(400, 64), (400,)]),
        (lambda: samples.many_digits(50), [(50, 64), (50,)]),
        (lambda: samples.new_digits(), [(400, 64), (400,)]),
    ],
)
def test_data_has_its_shape_and_is_the_same_every_time(made, shapes):
    parts, again = made(), made()
    assert [part.shape for part in parts] == shapes and all(map(np.array_equal, parts, again))


def test_a_tilted_cloud_has_exactly_its_variances_and_its_axis():
    model = PCA(2).fit(samples.tilted_cloud(3.0, tilt=20))
    assert model.explained_variance_ == pytest.approx([1.5, 0.5]) and angle_of(model.components_[0]) == pytest.approx(
        20
    )


def test_points_around_a_line_follow_it():
    assert apart(angle_of(PCA(1).fit(samples.around_a_line(angle=70)).components_[0]), 70) < 5


def test_an_s_is_sorted_along_its_arc():
    X = samples.flat_s(noise=0.0)
    assert np.linalg.norm(np.diff(X, axis=0), axis=1).max() < 0.5


def test_sources_have_variance_one_and_are_mixed_by_A():
    for name in "uniform", "two humps", "one Gaussian", "two Gaussians":
        X, A = samples.mixed_sources(name, 20_000)
        S = np.linalg.solve(A, X.T)
        assert np.cov(S) == pytest.approx(np.eye(2), abs=0.03)


def test_digits_of_the_test_are_not_among_those_that_are_copied():
    images, _ = datasets.digits()
    copies, _ = samples.many_digits(200, noise=0.0)
    new, _ = samples.new_digits(noise=0.0)
    assert all((images[:1397] == x).all(1).any() for x in copies[:20]) and np.array_equal(new, images[1397:])
    assert set(samples.zeros_and_ones()[1]) == {0, 1} and set(samples.six_digits()[1]) == set(range(6))


# ---- step by step ----------------------------------------------------------------------------------------------------


def test_the_stages_of_kernel_pca_end_with_its_scores():
    stages = {stage.name: stage.value for stage in kernel_pca.recipe(Gaussian(1.2), RINGS)}
    assert list(stages) == ["X", "K", "Kc", "u", "α", "scores"]
    assert np.allclose(stages["Kc"].sum(1), 0) and np.allclose(stages["u"].T @ stages["u"], np.eye(3))
    assert np.allclose(stages["Kc"] @ stages["α"], stages["scores"])


def test_the_stages_of_npt_give_the_gram_matrix_back():
    X = np.random.default_rng(0).standard_normal((12, 2))
    stages = {stage.name: stage.value for stage in npt.algorithm(X, X[:1], Gaussian(1.5))}
    assert np.allclose(stages["Z Zᵀ"], stages["Kc"]) and np.allclose(stages["z"], stages["Z"][:1])
    assert np.allclose(npt.squares(X) @ npt.squares(X).T, (X @ X.T) ** 2)


def test_dual_pca_ends_with_the_axis_of_the_primal():
    X, _ = samples.zeros_and_ones()
    *_, long, axis = pca.dual_recipe(X)
    assert "the same as" in axis.sentence and np.linalg.norm(axis.value) == pytest.approx(1)
    assert np.allclose(long.value / np.linalg.norm(long.value), axis.value)
    assert np.allclose(axis.beside[1], (X - X.mean(0)) @ axis.value)


def test_a_climb_in_frames_never_goes_down():
    frames = list(pca_l1.frames(RINGS, 110))
    assert [frames[0].kind, frames[-1].kind] == ["start", "rest"]
    heights = [frame.dispersion for frame in frames if frame.kind in ("start", "flip")]
    assert (np.diff(heights) > 0).all() and frames[-1].dispersion == heights[-1]
    for before, frame in zip(frames, frames[1:], strict=False):
        if frame.kind == "flip":
            pulled = frame.signs @ (RINGS - RINGS.mean(0))
            assert np.allclose(frame.w, pulled / np.linalg.norm(pulled)) and before.kind == "polarity"


def test_both_sides_of_every_line_of_the_derivation_agree():
    for stage in fisher_and_independence.dual_walk(*datasets.three_clusters(20, 0.3)):
        left, right = stage.value
        assert np.abs(left - right).max() < 1e-12 * np.abs(left).max(), stage.name


def test_the_duality_gap_closes_from_both_sides():
    X, y = datasets.two_moons(40, noise=0.3)
    _, _, primal, dual_value = map(np.array, zip(*svm.replay(Gaussian(1.0), X, y, 10.0), strict=True))
    assert (primal >= dual_value - 1e-9).all() and (np.diff(dual_value) >= -1e-9).all()
    model = SVC(Gaussian(1.0), 10.0, tol=1e-8).fit(X, y)
    optimum = model.alpha_.sum() - 0.5 * model.w_norm_**2
    assert (dual_value <= optimum + 1e-6).all() and primal.min() == pytest.approx(optimum, rel=1e-3)


def test_an_rvm_is_shown_from_its_first_step_to_its_last():
    X, t = datasets.sinc(40)
    shown = spheres_and_tubes.history(Gaussian(2.0), X, t, frames=8)
    numbers = [number for number, _, _ in shown]
    assert numbers[0] == 0 and numbers[-1] == len(shown[0][2]) - 1 and len(numbers) <= 8
    assert all(evidence[number] == step.evidence for number, step, evidence in shown)


def test_the_stages_of_an_eigenmap_end_with_its_modes():
    stages = {stage.name: stage for stage in locality.stages(samples.flat_s())}
    assert isinstance(stages["L"], Stage) and np.allclose(stages["L"].value.sum(1), 0)
    assert np.ptp(stages["mode 0"].value) < 1e-9
    assert np.array_equal(stages["embedding"].value[:, 0], stages["mode 1"].value)


def test_a_membrane_runs_across_first_when_it_is_wide_enough():
    energy, kinds = locality.membrane_spectrum(5.0, 4, length=3 * np.pi)
    assert energy[:2] == pytest.approx([1 / 9, np.pi**2 / 25]) and kinds[:2] == ["arc", "across"]
    assert locality.membrane_spectrum(4.0, 2)[1] == ["arc", "arc"]  # half the length is 4.71


# ---- measured --------------------------------------------------------------------------------------------------------


def test_the_shortest_of_some_calls_is_taken():
    ticks = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0, 30.0, 34.0])
    assert seconds(lambda: None, least=3, clock=lambda: next(ticks)) == 1.0
    ticks = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0])
    assert seconds(lambda: None, least=1, patience=4.0, clock=lambda: next(ticks)) == 1.0  # 3 and 1, then enough


def test_no_walk_is_longer_than_its_bound():
    bounds, updates = lifting.thirty_walks()
    assert len(bounds) == 30 and (updates <= bounds).all() and updates.min() >= 1


def test_four_ways_to_the_optimum_are_timed():
    sizes, taken = dual.time_ways(sizes=(20, 40))
    assert sizes == (20, 40) and list(taken) == list(dual.WAYS)
    assert all(len(row) == 2 and min(row) > 0 for row in taken.values())


def test_libsvm_is_asked_the_same(monkeypatch):
    rows = dual.beside_libsvm(sizes=(40,))
    assert [row[1] for row in rows] == [40] * 3 and all(
        min(steps) > 0 and taken.shape == (2, 2) for *_, steps, taken in rows
    )
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert dual.beside_libsvm() is None


def test_costs_are_measured_by_way_and_their_slope_is_a_power(monkeypatch):
    monkeypatch.setattr(scaling_up, "WAYS", {"square": (200, lambda X: X @ X.T), "copy": (400, lambda X: X.copy())})
    measured = scaling_up.table([scaling_up.measure(n) for n in (100, 200, 400)])
    assert [len(measured["square"]), len(measured["copy"])] == [2, 3]
    assert scaling_up.slope(measured["copy"]) == pytest.approx(1, abs=0.2)
    assert scaling_up.slope([(n, 5 * n**3, 7 * n**2) for n in (1, 2, 4, 8)], 1) == pytest.approx(3)


def test_fewer_components_are_those_of_a_smaller_model():
    X = RINGS
    few, small = preimages._first_components(KernelPCA(Gaussian(1.0), 4).fit(X), 2), KernelPCA(Gaussian(1.0), 2).fit(X)
    assert np.allclose(few.transform(X), small.transform(X)) and few.n_components == 2
