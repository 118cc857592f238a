"""PCA-L1 by coordinates and by the Gram matrix alone, its exact optimum, and the two error forms beside it."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog, minimize_scalar
from tolerances import EXACT, IDENTITY, ITERATIVE, ROOT, close, orthonormal_columns, same_up_to_sign

from kmlab._warnings import LittleDifference
from kmlab.centering import center_gram
from kmlab.course.errata.pca_l1 import (
    absolute_loss,
    absolute_loss_from_gram,
    as_printed,
    r1_from_gram,
    r1_rounds,
    stops,
)
from kmlab.datasets import HILLS, LINE_AND_OUTLIER, WITH_MEAN, rings, two_moons
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed
from kmlab.npt import NPT, Kernelized
from kmlab.pca_l1 import L1PCA, PCAL1, R1PCA, Coordinates, InnerProducts, KernelPCAL1, climb, pca_l1_exact

pytestmark = pytest.mark.filterwarnings("error")

KERNELS = [Gaussian(1.0), Gaussian(0.3), Polynomial(2), Linear()]


def points(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) * np.linspace(2, 1, d) + 3


def unit(angle):
    return np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])


def dispersion(X, w):
    return sum(abs(float(np.dot(w, x - X.mean(0)))) for x in X)


def turn(d, seed=3):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]


# definition


@pytest.mark.parametrize("seed", range(5))
def test_a_component_maximises_the_sum_of_absolute_projections(seed):
    X = points(9, 2, seed)
    model = PCAL1().fit(X)
    close(model.dispersion_[0], max(dispersion(X, unit(a)) for a in np.arange(0, 180, 0.05)), 1e-5)
    close(model.dispersion_[0], dispersion(X, model.components_[0]))


def test_scores_are_projections_of_what_is_left_of_the_training_mean():
    X, Xt = points(20, 3), points(7, 3, 1)
    model = PCAL1(2).fit(X)
    close(model.transform(Xt), np.array([[w @ (x - X.mean(0)) for w in model.components_] for x in Xt]), EXACT)
    close(np.abs(model.fit_transform(X)).sum(0), model.dispersion_)


def test_one_round_flips_the_points_and_adds_them_up():
    X = HILLS
    rounds = list(climb(Coordinates(X), unit(80)))
    for (w, signs, reached), (following, _, _) in itertools.pairwise(rounds):
        assert signs.tolist() == [-1 if w @ x < 0 else 1 for x in X]
        total = sum(p * x for p, x in zip(signs, X, strict=True))
        close(following, total / np.sqrt(total @ total), EXACT)
        close(reached, dispersion(X, w), EXACT)


# theorem


@pytest.mark.parametrize("n, d", [(6, 2), (10, 3), (12, 20)])
def test_the_best_direction_is_the_longest_signed_sum(n, d):  # A27
    X = points(n, d)
    w, best = pca_l1_exact(X)
    close(best, max(np.linalg.norm(np.array(p) @ (X - X.mean(0))) for p in itertools.product([-1, 1], repeat=n)))
    close(dispersion(X, w), best)
    assert w[np.abs(w).argmax()] > 0
    assert PCAL1(restarts=n).fit(X).dispersion_[0] <= best * (1 + EXACT)


@pytest.mark.parametrize("lonely", range(4))
def test_no_sign_vector_is_left_out_of_the_exact_search(lonely):
    X = np.ones((4, 1))
    X[lonely] = -3.0  # only the one sign vector that turns this point over, and its negative, reach the sum of 6
    close(pca_l1_exact(X)[1], 6.0)


def test_the_square_has_a_dispersion_of_two_roots_of_two():  # E8.1
    close(pca_l1_exact([[1, 0], [0, 1], [-1, 0], [0, -1]])[1], 2 * np.sqrt(2))


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("data", ["cloud", "rings", "moons"])
def test_the_gram_matrix_alone_takes_the_steps_of_npt(kernel, data):  # K9, E-K9
    X = {"cloud": points(40, 2), "rings": rings((1, 2), 20)[0], "moons": two_moons(40)[0]}[data]
    Xt = points(9, 2, 5) - 3
    gram, npt = (KernelPCAL1(kernel, 2, route=route) for route in ("gram", "npt"))
    a, b = list(gram.steps(X)), list(npt.steps(X))
    assert [(*step[:2], step.signs.tolist()) for step in a] == [(*step[:2], step.signs.tolist()) for step in b]
    close([s.dispersion for s in a], [s.dispersion for s in b], 1e-8)
    close(gram.fit(X).transform(Xt), npt.fit(X).transform(Xt), 1e-8)


def test_kernel_scores_are_those_of_the_explicit_images():
    X, Xt = points(25, 2), points(8, 2, 4)
    explicit = PCAL1(3).fit(poly2_map(X))
    for route in "gram", "npt":
        model = KernelPCAL1(Polynomial(2), 3, route=route).fit(X)
        close(model.dispersion_, explicit.dispersion_)
        same_up_to_sign(model.transform(Xt), explicit.transform(poly2_map(Xt)))


def test_with_the_linear_kernel_it_is_pca_l1():
    X = points(30, 3)
    same_up_to_sign(KernelPCAL1(Linear(), 2).fit_transform(X), PCAL1(2).fit_transform(X))
    same_up_to_sign(KernelPCAL1(Precomputed(), 2).fit_transform(X @ X.T), PCAL1(2).fit_transform(X))


@pytest.mark.parametrize("route", ["gram", "npt"])
def test_kernel_axes_are_orthonormal(route):
    X = points(25, 2)
    model = KernelPCAL1(Gaussian(1.0), 4, route=route).fit(X)
    close(model.alphas_.T @ center_gram(Gaussian(1.0)(X)) @ model.alphas_, np.eye(4))
    close(np.abs(model.transform(X)).sum(0), model.dispersion_, 1e-8)


def test_signs_are_settled_by_the_largest_entry_and_the_largest_score():
    for seed in range(6):
        X = -points(25, 3, seed)
        for model in PCAL1(3), R1PCA(2):
            axes = model.fit(X).components_
            assert (axes[np.arange(len(axes)), np.abs(axes).argmax(1)] > 0).all()
        for route in "gram", "npt":
            scores = KernelPCAL1(Gaussian(2.0), 3, route=route).fit_transform(X)
            assert (scores[np.abs(scores).argmax(0), np.arange(3)] > 0).all()


def test_a_first_axis_weighs_every_image_by_plus_or_minus_the_same():
    alpha = KernelPCAL1(Gaussian(1.0)).fit(points(25, 2)).alphas_[:, 0]
    close(np.abs(alpha), np.full(25, np.abs(alpha[0])))


def test_greedy_axes_are_orthonormal_and_exhaust_the_data():
    X = points(15, 4)
    model = PCAL1(4).fit(X)
    orthonormal_columns(model.components_.T)
    close(model.transform(X) @ model.components_, X - X.mean(0))


def test_rotating_the_data_rotates_the_axes():  # page 000/s28
    X, R = points(30, 3), turn(3)
    for model in PCAL1(2), R1PCA(2):
        same_up_to_sign(model.fit(X @ R).components_.T, R.T @ model.fit(X).components_.T, ITERATIVE)


def test_l1_error_depends_on_the_axes_of_the_data():  # A29
    X, R = points(30, 3), turn(3)
    plain, turned = L1PCA().fit(X), L1PCA().fit(X @ R)
    assert abs(float(plain.components_[0] @ R @ turned.components_[0])) < 0.99
    assert abs(plain.error_ - turned.error_) > 0.01 * plain.error_


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Polynomial(2)], ids=repr)
def test_r1_from_the_gram_matrix_is_r1_on_npt(kernel):  # K17
    X = points(30, 2)
    by_gram = list(r1_from_gram(center_gram(kernel(X)), 2))
    by_npt = r1_rounds(NPT(kernel).fit_transform(X), 2)
    for a, b in zip(by_gram, by_npt, strict=False):
        same_up_to_sign(a, b)
    same_up_to_sign(by_gram[-1], Kernelized(R1PCA(2), kernel).fit(X).transform(X), 1e-3)


def test_absolute_loss_with_a_ridge_needs_only_the_gram_matrix():  # K18
    X = points(30, 2) - 3
    Phi, K, y = poly2_map(X), Polynomial(2)(X), np.sin(2 * X[:, 0])
    w, alpha = absolute_loss(Phi, y, 1.0), absolute_loss_from_gram(K, y, 1.0)
    close(Phi @ w, K @ alpha, 1e-9)
    box = np.clip(alpha, -1, 1)  # weak duality: no w does better than this
    bound = y @ box - 0.5 * box @ K @ box
    close(np.abs(y - Phi @ w).sum() + 0.5 * w @ w, bound, 1e-3)


# every step


@pytest.mark.parametrize("seed", range(6))
def test_dispersion_never_falls_and_every_climb_ends_on_a_fixed_point(seed):
    X = points(25, 3, seed)
    Xc = X - X.mean(0)
    climbs = {}
    for step in PCAL1(restarts=8, seed=seed).steps(X):
        close(np.linalg.norm(step.w), 1.0, EXACT)
        climbs.setdefault(step.start, []).append(step)
    assert len(climbs) == 9
    for steps in climbs.values():
        assert (np.diff([step.dispersion for step in steps]) >= -1e-9).all()
        end = steps[-1]
        total = np.where(Xc @ end.w < 0, -1, 1) @ Xc
        close(end.w, total / np.linalg.norm(total))
        assert all(step.dispersion <= end.dispersion * (1 + EXACT) for step in steps)


def test_the_first_start_is_the_longest_row_and_the_others_are_rows():
    X = points(12, 2)
    Xc = X - X.mean(0)
    rows = Xc / np.linalg.norm(Xc, axis=1)[:, None]
    firsts = {}
    for step in PCAL1(restarts=12).steps(X):
        firsts.setdefault(step.start, step.w)
    close(firsts[0], rows[np.linalg.norm(Xc, axis=1).argmax()])
    used = [int(np.argmax(rows @ w)) for w in firsts.values()]
    close(rows[used], np.array(list(firsts.values())))
    assert sorted(used[1:]) == list(range(12))


def test_the_seed_decides_the_restarts_and_nothing_else_is_random():
    X = points(20, 2)
    starts = [[step.w.tolist() for step in PCAL1(restarts=5, seed=seed).steps(X)] for seed in (1, 1, 2)]
    assert starts[0] == starts[1] != starts[2]


def test_a_fitted_model_does_not_change_with_the_array_it_was_fitted_on():
    X, Xt = points(20, 2), points(5, 2, 1)
    model = KernelPCAL1(Gaussian(1.0)).fit(X)
    before = model.transform(Xt)
    X *= 0
    close(model.transform(Xt), before, EXACT)


def test_a_step_once_handed_out_is_not_changed():
    X = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])
    generator = climb(Coordinates(X), unit(0))
    kept = [(w, w.copy(), signs, signs.copy()) for w, signs, _ in generator]
    assert all((w == v).all() and (p == q).all() for w, v, p, q in kept)


@pytest.mark.parametrize("model", [R1PCA(1), R1PCA(2), L1PCA(1), L1PCA(2)], ids=repr)
def test_errors_never_grow(model):  # A28, A29
    X = points(40, 3)
    X[:4] += 15
    rounds = list(model.steps(X))
    assert len(rounds) > 5 and (np.diff([error for _, error in rounds]) <= 1e-9 * rounds[0][1]).all()
    for W, _ in rounds:
        orthonormal_columns(W)


# corner cases of E-K7 and E-K8


def test_a_point_at_the_mean_does_not_stop_it_from_stopping():
    assert not stops(WITH_MEAN) and sum(step.pushed for step in as_printed(WITH_MEAN)) == 500  # K7
    assert len(list(PCAL1(restarts=0).steps(WITH_MEAN))) == 2
    assert stops(WITH_MEAN[[0, 1, 3, 4]])


def test_a_zero_row_is_always_counted_as_plus():
    for step in PCAL1(2, restarts=4).steps(WITH_MEAN):
        assert step.signs[2] == 1
    for step in KernelPCAL1(Linear(), 2, route="npt").steps(WITH_MEAN):
        assert step.signs[2] == 1


def test_a_point_at_right_angles_is_turned_over_and_the_climb_goes_on():
    X = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])  # from (1, 0) no sign changes, and yet it is no maximum
    rounds = list(climb(Coordinates(X), unit(0)))
    close(rounds[-1][2], pca_l1_exact(X)[1])
    assert rounds[0][2] == 4 and (np.diff([reached for *_, reached in rounds]) >= 0).all()
    by_gram = list(climb(InnerProducts(X @ X.T), np.array([0.5, 0, 0, 0])))
    assert [p.tolist() for _, p, _ in by_gram] == [p.tolist() for _, p, _ in rounds]


def test_deflation_leaves_zero_rows_that_do_no_harm():
    X = np.array([[3.0, 0, 0], [-3, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 1], [0, 0, -1]])
    model = PCAL1(3).fit(X)
    orthonormal_columns(model.components_.T)
    close(np.abs(model.transform(X)).sum(0), model.dispersion_)
    close(KernelPCAL1(Linear(), 3).fit(X).dispersion_, model.dispersion_)


@pytest.mark.parametrize("angle", range(0, 180, 6))
def test_every_start_ends_on_one_of_five_hills(angle):  # K8, E-K8
    *_, (w, _, reached) = climb(Coordinates(HILLS), unit(angle))
    hills = np.array([17.89, 23.41, 26.31, 26.83, 30.53])
    assert np.abs(hills - reached).min() < 0.005
    around = minimize_scalar(
        lambda t: -dispersion(HILLS, unit(t)),
        method="bounded",
        bounds=(np.rad2deg(np.arctan2(w[1], w[0])) + np.array([-2, 2])),
    )
    assert -around.fun <= reached * (1 + ITERATIVE)


def test_restarts_find_the_highest_hill():
    best = pca_l1_exact(HILLS)[1]
    assert PCAL1(restarts=0).fit(HILLS).dispersion_[0] < 0.95 * best
    close(PCAL1(restarts=6).fit(HILLS).dispersion_[0], best)


def test_size_and_place_of_the_data_do_not_matter():
    X = points(30, 2)
    for model in PCAL1(2), R1PCA(), L1PCA():
        axes = model.fit(X).components_
        for scale, shift in ((1e-6, 0), (1e6, 0), (1, 1e4)):
            close(model.fit(X * scale + shift).components_, axes, ITERATIVE)


# the known picture


def test_the_published_toy():  # Kwak 2008
    model = PCAL1().fit(LINE_AND_OUTLIER)
    close(model.components_, [[0.8, 0.6]], EXACT)
    close(model.dispersion_, [50.0], EXACT)
    close(pca_l1_exact(LINE_AND_OUTLIER)[1], 50.0, EXACT)


def test_by_absolute_values_an_outlier_pulls_less():  # E8.5
    l2 = np.linalg.eigh(LINE_AND_OUTLIER.T @ LINE_AND_OUTLIER)[1][:, -1]
    axes = [l2, *(model.fit(LINE_AND_OUTLIER).components_[0] for model in (PCAL1(), R1PCA()))]
    off = [abs(np.rad2deg(np.arctan2(w[1], w[0])) % 180 - 45) for w in axes]
    close(off, [13.28, 8.13, 5.19], 1e-2)


# oracle


@pytest.mark.parametrize("seed", range(4))
def test_r1_finds_the_best_line_through_the_mean(seed):
    X = points(20, 2, seed)
    X = X - X.mean(0)
    best = min(np.linalg.norm(X - np.outer(X @ w, w), axis=1).sum() for x in X for w in [x / np.linalg.norm(x)])
    close(R1PCA().fit(X).error_, best, 1e-3)  # as a function of the angle the sum bends down between the points


@pytest.mark.parametrize("seed", range(3))
def test_no_scores_fit_better_than_those_of_the_l1_error(seed):
    X = points(12, 3, seed)
    X = X - X.mean(0)
    model = L1PCA(1).fit(X)
    w = model.components_[0]
    best = 0.0
    for x in X:  # min_v |x - w v|₁ as a linear program in (v, e)
        A = np.block([[w[:, None], -np.eye(3)], [-w[:, None], -np.eye(3)]])
        best += linprog([0, 1, 1, 1], A, np.concatenate([x, -x]), bounds=[(None, None), *[(0, None)] * 3]).fun
    close(model.error_, best, 1e-3)


def test_all_components_leave_no_error():
    X = points(20, 3)
    assert R1PCA(3).fit(X).error_ < 1e-3 * np.abs(X).sum() and L1PCA(3).fit(X).error_ < 1e-3 * np.abs(X).sum()
    close(R1PCA(3).fit(X).components_ @ R1PCA(3).fit(X).components_.T, np.eye(3), IDENTITY)


# refusal


@pytest.mark.parametrize("n", [2, 3, 6, 7, 49])  # for some, the mean is off by a rounding
@pytest.mark.parametrize("model", [
    PCAL1(), KernelPCAL1(), KernelPCAL1(Linear()), KernelPCAL1(Linear(), route="npt"), R1PCA(), L1PCA(),
], ids=repr)  # fmt: skip
def test_points_that_do_not_differ_are_refused(model, n):
    with pytest.raises(ValueError, match="ask for fewer|span nothing"):
        model.fit(np.full((n, 3), [0.1, 1 / 3, 1e6 / 7]))


@pytest.mark.parametrize("route", ["gram", "npt"])
def test_a_gram_matrix_of_rounding_errors_is_refused(route):
    X = 1e8 + 1e-6 * points(10, 2)  # in the squares nothing is left of the differences
    with pytest.warns(LittleDifference), pytest.raises(ValueError, match="ask for fewer|span nothing"):
        KernelPCAL1(Linear(), route=route).fit(X)


@pytest.mark.parametrize("model", [PCAL1(2), KernelPCAL1(Linear(), 2)], ids=repr)
def test_every_round_is_counted(model):
    X = points(10, 2)
    assert model.fit(X).n_iter_ == len(list(model.steps(X)))


@pytest.mark.parametrize("model", [PCAL1(3), KernelPCAL1(Linear(), 3), KernelPCAL1(Linear(), 3, route="npt")], ids=repr)
def test_more_components_than_there_are_is_refused(model):
    with pytest.raises(ValueError, match="Only 2 components have any dispersion: ask for fewer"):
        model.fit(points(10, 2))
    with pytest.raises(ValueError, match="only 2 directions of variance"):
        R1PCA(3).fit(points(10, 2))


def test_a_kernel_that_is_no_kernel_is_refused():
    negative, circling = np.array([[1.0, 2], [2, 1]]), np.array([[8.0, -1, 0], [-1, 8, 9], [0, 9, 8]])
    with pytest.raises(ValueError, match="not positive semi-definite on this data: choose another kernel"):
        InnerProducts(negative).direction(np.array([1, -1]))
    points = InnerProducts(circling)
    with pytest.raises(ValueError, match="not positive semi-definite"):
        list(climb(points, points.direction(np.array([1, 0, 0]))))


def test_a_start_at_right_angles_to_everything_is_refused():  # K7b
    with pytest.raises(ValueError, match="add up to nothing: start elsewhere"):
        list(climb(Coordinates(np.array([[1.0, 1], [-1, -1]])), np.array([1, -1]) / np.sqrt(2)))


def test_bad_parameters_are_refused_in_one_sentence():
    X = points(8, 2)
    for model, words in (
        (PCAL1(0), "n_components must be a whole number of at least 1"), (PCAL1(seed=-1), "seed must be a whole"),
        (PCAL1(restarts=-1), "restarts must be"), (KernelPCAL1(route="svd"), "route must be one of 'npt', 'gram'"),
        (R1PCA(0), "n_components must be"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            model.fit(X)
    with pytest.raises(ValueError, match="n is at most 16, got 17: use PCAL1"):
        pca_l1_exact(points(17, 2))
    with pytest.raises(ValueError, match="add up to nothing"):
        pca_l1_exact(np.full((7, 3), [0.1, 1 / 3, 1e6 / 7]))
    close(len(pca_l1_exact(points(16, 2))[0]), 2, ROOT)
