"""The registry: what a page states fails in the documented way, what holds holds, one test an entry of class A or B.

The tests compute with numpy and scipy wherever they can, not with the functions that the registry measures with.
"""

import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.optimize import linprog, minimize

from kmlab.course.errata import all_errata, erratum
from kmlab.course.errata.dual import pairs_by_rule, segment, solve_pair, svc_dual
from kmlab.course.errata.kernel_pca import literal_scores
from kmlab.course.errata.npt import lasso, ridge, rotation
from kmlab.course.errata.pca_l1 import as_printed
from kmlab.course.errata.perceptron import literal_updates
from kmlab.course.errata.spheres_and_tubes import multipliers, sphere, tube
from kmlab.course.errata.svm import doubled
from kmlab.datasets import (
    HILLS,
    WITH_MEAN,
    around_a_wave,
    clusters_on_a_circle,
    dependence_shapes,
    half_circle,
    mixed,
    mixed_rings,
    sinc,
    thirty_points,
    three_clouds,
    two_clouds,
    two_moons,
    two_sides,
)
from kmlab.dependence import witnesses
from kmlab.dual import smo
from kmlab.graph import knn_graph
from kmlab.kernels import Gaussian, Linear, median_width
from kmlab.measures import squared_distances, strip
from kmlab.npt import NPT, Kernelized
from kmlab.one_class import SVDD
from kmlab.pca import KernelPCA
from kmlab.perceptron import KernelPerceptron, Perceptron
from kmlab.svm import SVC, SVR, srm_bound

NUMBERS = {  # id: its numbers as text; none for a slip of the pen
    "E-K1": [], "E-K3": ["1", "< 1e-9"], "E-K4": [], "E-K5": [], "E-K7": ["1000", "2"], "E-K8": ["17.9", "30.5"],
    "E-K9": ["0 of 3640", "< 1e-9"], "E-K10": ["0.221", "< 1e-9"], "E-K20": [], "E-K21": ["1", "−24"],
    "E-K22": ["20", "200"],
    "E-S2": ["0.5", "−2.5"], "E-S3": ["0.141", "0.229"], "E-S4": ["< 1e-9", "0.146"], "E-S6": ["3"],
    "E-S9": ["100", "1"], "E-S11": ["0.446", "0.0254"],
    "E-B2": ["−0.368", "0.632"], "E-B3": ["−81.6", "0.5"], "E-B4": ["180"], "E-B6": [], "E-B8": ["19", "5"],
    "E-B10": ["< 1e-9", "0.294"], "E-B12": ["0.164", "< 1e-9"], "E-B15": ["8"], "E-B16": [], "E-B17": [],
    "E-B18": ["0.231"],
    "E-V1": ["0.000399", "1"], "E-V2": ["5 of 15", "15 of 15"], "E-V3": ["0 of 20", "20 of 20"], "E-V4": ["755", "9"],
    "E-V5": [], "E-V6": ["8079", "15"], "E-V8": ["0.0262", "0.417"], "E-V9": ["10", "1"], "E-V10": [], "E-V11": [],
    "E-V12": ["11", "3"], "E-V13": ["3.9", "1"], "E-V14": ["0.575", "< 1e-9"], "E-V15": ["2.11", "< 1e-9"],
    "E-V19": [], "E-V20": [],
    "E-M1": [], "E-M2": ["8.7", "7.6"], "E-M3": ["25", "25"], "E-M4": ["0.989", "< 1e-9"], "E-M5": ["8", "33"],
    "E-M6": [], "E-M7": ["0", "1"], "E-M8": ["2", "1"], "E-M11": ["0.02"], "E-M13": ["0.447", "0.42"], "E-M15": [],
    "E-M17": [], "E-M18": ["38", "106"],
}  # fmt: skip


def test_the_registry_is_complete_and_in_order():
    entries = all_errata()
    assert list(entries) == list(NUMBERS)
    count = Counter((entry.lecture, entry.class_) for entry in entries.values())
    assert count == {
        ("000", "A"): 2, ("000", "B"): 5, ("000", "C"): 4, ("001", "A"): 2, ("001", "B"): 4,
        ("002", "A"): 1, ("002", "B"): 7, ("002", "C"): 3, ("003", "A"): 4, ("003", "B"): 7, ("003", "C"): 5,
        ("004", "A"): 1, ("004", "B"): 8, ("004", "C"): 4,
    }  # fmt: skip


@pytest.mark.parametrize("id", all_errata())
def test_an_entry_measures_one_or_two_numbers_unless_it_is_a_slip_of_the_pen(id):
    entry = erratum(id)
    assert entry.values() == NUMBERS[id]
    assert entry.quantity.count("{}") == len(NUMBERS[id])
    assert len(NUMBERS[id]) in ((0,) if entry.class_ == "C" else (1, 2))


@pytest.mark.parametrize("id", all_errata())
def test_an_entry_is_shown_with_its_page_its_class_and_both_statements(id):
    entry = erratum(id)
    for text in (repr(entry), entry._repr_markdown_()):
        for part in (id, entry.lecture, entry.pages, f" {entry.class_}, ", entry.says, entry.holds, *entry.values()):
            assert part in text
    rows = entry._repr_markdown_().splitlines()
    assert len(rows) == (4 if entry.class_ == "C" else 5)
    assert all(row.count("|") == 3 for row in rows), "a pipe inside a statement breaks the table"


@pytest.mark.parametrize("id", [id for id, entry in all_errata().items() if entry.class_ != "C"])
def test_every_statement_has_a_test_of_its_own(id):
    name = f"test_{id.lower().replace('-', '_')}_"
    assert any(found.startswith(name) for found in globals()), name


def test_no_entry_speaks_of_its_author():
    verdict = re.compile(r"\b(wrong|mistake[ns]?|error of|forgets?|fails to|should not exist|misspelt|sloppy)\b", re.I)
    for entry in all_errata().values():
        assert not verdict.search(entry.says.replace("on a mistake", "")), entry.id


def test_an_unknown_id_names_the_known_ones():
    with pytest.raises(ValueError, match="no erratum 'E-X1'; there are E-K"):
        erratum("E-X1")


def cloud(n, d=2, seed=0, shift=0.0):
    return np.random.default_rng(seed).standard_normal((n, d)) + shift


def gaussian(X, Z=None, width=1.0):
    """The definition, by a double loop."""
    return np.array([[np.exp(-np.sum((x - z) ** 2) / width**2) for z in (X if Z is None else Z)] for x in X])


def centred(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


# ---- lecture 000 ----------------------------------------------------------------------------------------------------


def test_e_k3_a_singular_k_has_several_triangular_factors_and_a_definite_one_has_one():
    x = np.array([0.0, 1.0, -1.0])
    one, two = np.zeros((3, 3)), np.zeros((3, 3))
    one[0], two[1] = x, x
    assert np.array_equal(np.triu(one), one) and np.array_equal(np.triu(two), two)
    assert np.array_equal(one.T @ one, np.outer(x, x)) and np.array_equal(two.T @ two, np.outer(x, x))
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(centred(gaussian(cloud(6))) - 1e-12 * np.eye(6))
    X = cloud(8)
    Kc, Z = centred(gaussian(X)), NPT(Gaussian()).fit_transform(X)
    factor = np.linalg.qr(Z.T)[1]  # upper triangular (trapezoidal), as Y is r × n
    assert factor.T @ factor == pytest.approx(Kc, abs=1e-12)
    V = factor @ np.linalg.pinv(Z.T)
    assert V.T @ V == pytest.approx(np.eye(Z.shape[1]), abs=1e-9)  # up to a rotation


def test_e_k7_step_4b_never_ends_with_a_point_at_the_mean_and_ends_without_it():
    assert sum(1 for _ in as_printed(WITH_MEAN, cap=300)) == 300
    assert sum(1 for _ in as_printed(WITH_MEAN[[0, 1, 3, 4]], cap=300)) < 300


def test_e_k8_the_climb_ends_at_local_maxima_below_the_best_sign_vector():
    X = HILLS - HILLS.mean(0)
    best = max(np.linalg.norm(np.array(signs) @ X) for signs in product((-1, 1), repeat=6))
    assert erratum("E-K8").measure()[1] == pytest.approx(best)
    assert erratum("E-K8").measure()[0] < 0.6 * best


def test_e_k9_the_signs_of_kp_are_the_signs_along_w():
    X = cloud(40)
    K, Z = centred(gaussian(X)), NPT(Gaussian()).fit_transform(X)
    p = q = np.where(Z[:, 0] >= 0, 1, -1)
    for _ in range(30):
        p, q = np.where(K @ p >= 0, 1, -1), np.where(Z @ (q @ Z) >= 0, 1, -1)
        assert np.array_equal(p, q)
    assert K @ p / np.sqrt(p @ K @ p) == pytest.approx(Z @ (q @ Z) / np.linalg.norm(q @ Z), abs=1e-9)


def test_e_k10_a_lasso_notices_a_rotation_and_ridge_does_not():
    Z = NPT(Gaussian(1.5)).fit_transform(cloud(30))
    t, Q = np.sin(2 * cloud(30)[:, 0]), rotation(Z.shape[1], 1)
    assert Q @ Q.T == pytest.approx(np.eye(len(Q)), abs=1e-12)
    assert np.abs(Z @ lasso(Z, t) - Z @ Q @ lasso(Z @ Q, t)).max() > 0.1
    assert Z @ ridge(Z, t) == pytest.approx(Z @ Q @ ridge(Z @ Q, t), abs=1e-9)


def test_e_k21_svdd_on_coordinates_loses_the_squared_residual_of_a_new_point():
    X, new = cloud(25), cloud(10, seed=1) * 3
    ball = SVDD(Linear(), 0.2, tol=1e-9)
    by_kernel = SVDD(Gaussian(1.5), 0.2, tol=1e-9).fit(X).decision_function(new)
    by_coordinates = Kernelized(ball, Gaussian(1.5)).fit(X).decision_function(new)
    K, Kt = gaussian(X, width=1.5), gaussian(new, X, width=1.5)
    Kc = centred(K)
    kt = Kt - Kt.mean(1)[:, None] - K.mean(0) + K.mean()
    missing = 1 - 2 * Kt.mean(1) + K.mean() - np.einsum("ij,jk,ik->i", kt, np.linalg.pinv(Kc), kt)
    assert by_coordinates - by_kernel == pytest.approx(missing, abs=1e-6) and missing.max() > 0.1


def test_e_k22_without_separation_the_hard_margin_dual_grows_without_end():
    H = np.outer([1, -1], [1, -1]) * 1.0  # two equal points, opposite classes
    for a in 1.0, 10.0, 100.0:
        alpha = np.array([a, a])
        assert alpha @ [1, -1] == 0 and alpha.sum() - 0.5 * alpha @ H @ alpha == 2 * a
    assert list(erratum("E-K22").measure()) == pytest.approx([20, 200])


# ---- lecture 001 ----------------------------------------------------------------------------------------------------


def test_e_s2_a_function_may_be_positive_on_one_sample_and_not_on_another():
    for far, least in (1.0, 0.5), (3.0, -2.5):
        assert np.linalg.eigvalsh([[1, 1 - far**2 / 2], [1 - far**2 / 2, 1]])[0] == pytest.approx(least)


def test_e_s3_a_nonsingular_k_gives_the_eigenmap_and_a_singular_one_does_not():
    X = thirty_points()
    W = knn_graph(X, 5).toarray()
    D = np.diag(W.sum(1))
    L = D - W
    plain = eigh(L, D, eigvals_only=True)
    K = gaussian(X, width=0.7)
    assert eigh(K @ L @ K, K @ D @ K, eigvals_only=True) == pytest.approx(plain, abs=1e-6)
    linear = eigh(X.T @ L @ X, X.T @ D @ X, eigvals_only=True)  # K = XXᵀ leaves the linear functions
    assert erratum("E-S3").measure() == pytest.approx((plain[1], linear[0])) and linear[0] > 1.5 * plain[1]


def test_e_s4_with_a_singular_k_the_smallest_solutions_are_the_null_space():
    X = thirty_points()
    W = knn_graph(X, 5).toarray()
    D = np.diag(W.sum(1))
    K = X @ X.T  # rank 3 of 30
    mu, alpha = eigh(K @ (D - W) @ K, K @ D @ K + 1e-3 * np.eye(30))
    assert (np.abs(mu) < 1e-9).sum() == 27
    assert np.abs(K @ alpha[:, :27]).max() < 1e-4  # every point is embedded at 0
    assert erratum("E-S4").measure()[1] > 0.1


def test_e_s6_three_components_have_three_zeros():
    W = knn_graph(three_clouds()[0], 5).toarray()
    mu = eigh(np.diag(W.sum(1)) - W, np.diag(W.sum(1)), eigvals_only=True)
    assert (mu < 1e-9).sum() == 3 and mu[3] > 1e-3


def test_e_s9_covariance_grows_with_the_squared_length_of_the_functions():
    X, Y = dependence_shapes("circle", 100)
    widths = median_width(X), median_width(Y)
    K, L = (centred(gaussian(A, width=width)) for A, width in zip((X, Y), widths, strict=True))
    largest = np.sqrt(np.linalg.eigvals(K @ L).real.max()) / 100  # over the unit balls
    for radius in 1.0, 10.0:
        f, g, covariance = witnesses(X, Y, radius=radius)
        assert covariance == pytest.approx(radius**2 * largest, rel=1e-6)
        assert np.cov(f(X), g(Y), bias=True)[0, 1] == pytest.approx(covariance, rel=1e-6)


def test_e_s11_means_left_in_look_like_dependence():
    X, Y = np.random.default_rng(0).standard_normal((2, 400, 1))
    K, L = gaussian(X), gaussian(Y)
    for of, value in zip((lambda K: K, centred), erratum("E-S11").measure(), strict=True):
        # the largest mean of f(x) g(y) over the unit balls is the largest singular value of K^½ L^½ / n
        lam = np.linalg.eigvals(of(K) @ of(L)).real.max()
        assert value == pytest.approx(np.sqrt(lam) / 400, rel=1e-6)


# ---- lecture 002 ----------------------------------------------------------------------------------------------------


def test_e_b2_minus_k_is_no_squared_distance_unless_the_diagonal_is_zero():
    K = gaussian(np.array([[0.0], [1.0]]))
    assert -K[0, 1] < 0  # no square
    half = 0.5 * (K[0, 0] + K[1, 1]) - K[0, 1]
    assert erratum("E-B2").measure() == pytest.approx((-np.exp(-1), half))
    X = cloud(12)
    D = np.array([[np.sum((a - b) ** 2) for b in X] for a in X])  # -k with a zero diagonal
    assert np.linalg.eigvalsh(centred(-D))[0] > -1e-9


def test_e_b3_ridge_regression_would_invert_an_indefinite_matrix():
    X = cloud(20, seed=2)
    K = -np.array([[np.sum((a - b) ** 2) for b in X] for a in X])
    least = [np.linalg.eigvalsh(G + 0.5 * np.eye(20))[0] for G in (K, centred(K))]
    assert erratum("E-B3").measure() == pytest.approx(least) and least[0] < 0 < least[1]


def test_e_b4_with_equal_eigenvalues_every_direction_has_the_largest_variance():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    assert np.cov(X.T, bias=True) == pytest.approx(np.eye(2) / 2)
    X[:2] *= 1.01  # distinct eigenvalues: one direction, up to sign
    angle = np.radians(np.arange(180))
    variance = (X @ np.array([np.cos(angle), np.sin(angle)])).var(0)
    assert (variance > variance.max() - 1e-12).sum() == 1


def test_e_b8_centring_and_the_dimension_of_feature_space_bound_the_number_of_components():
    X = cloud(20)
    for value, K in zip(erratum("E-B8").measure(), (gaussian(X), (X @ X.T + 1) ** 2), strict=True):
        assert value == np.linalg.matrix_rank(centred(K)) < np.linalg.matrix_rank(K)


def test_e_b10_the_eigenvalues_rank_the_components():
    X = cloud(20)
    lam, U = np.linalg.eigh(centred(gaussian(X)))
    scores = centred(gaussian(X)) @ U[:, ::-1] / np.sqrt(np.maximum(lam[::-1], 1e-300))
    assert scores[:, :10].var(0) == pytest.approx(lam[::-1][:10] / 20, rel=1e-9)
    assert erratum("E-B10").measure()[1] == pytest.approx(lam[-1] / lam.sum())


def test_e_b12_the_raw_kernel_shifts_a_component_by_one_constant():
    X = cloud(20)
    raw = literal_scores(Gaussian(), X, X, raw_k=True) - KernelPCA(Gaussian(), 1).fit_transform(X)
    assert np.ptp(raw) < 1e-12 and abs(raw[0, 0]) > 0.1


def test_e_b15_a_line_cuts_off_every_cluster_of_a_circle_and_none_in_the_middle():
    X, y = clusters_on_a_circle(8)
    for label in range(8):
        width, w, middle = strip(X, y == label)
        assert width > 0 and ((X @ w > middle) == (y == label)).all()
    X, y = clusters_on_a_circle(8, first_radius=0.0)
    sign = np.where(y == 0, 1.0, -1.0)  # no line at all, says linear programming
    assert (
        linprog(
            np.zeros(3),
            A_ub=-sign[:, None] * np.column_stack([X, np.ones(len(X))]),
            b_ub=-np.ones(len(X)),
            bounds=[(None, None)] * 3,
        ).status
        == 2
    )


def test_e_b18_no_image_is_near_the_middle_of_the_axis():
    X = half_circle(40)[0]
    grid = np.stack(np.meshgrid(*[np.linspace(-2, 2, 81)] * 2), -1).reshape(-1, 2)
    mean = gaussian(X).mean()  # the middle of the axis is the mean image
    distance2 = 1 - 2 * gaussian(grid, X).mean(1) + mean
    assert erratum("E-B18").measure()[0] == pytest.approx(distance2.min(), abs=1e-3) and distance2.min() > 0.2


# ---- lecture 003 ----------------------------------------------------------------------------------------------------


def test_e_v1_a_single_class_breaks_the_bound_and_two_classes_keep_it():
    bound, updates = erratum("E-V1").measure()
    assert bound < 1 <= updates
    X, y = two_sides()
    model, widest = Perceptron().fit(X, y), SVC(Linear(), C=np.inf, tol=1e-9).fit(X, y)
    assert model.mistakes_ <= 4 * (X**2).sum(1).max() * widest.w_norm_**2


def test_e_v2_the_step_of_b_is_the_gradients_for_the_input_r():
    X, y = two_sides(shift=(2.0, 1.0))
    R = np.linalg.norm(X, axis=1).max()
    w, b = np.zeros(2), 0.0  # the page's walk: b grows by y R²; in units of R its weight grows by y R, the gradient's
    v = np.zeros(3)
    for step in Perceptron().steps(X, y):
        w, b = w + y[step.i] * X[step.i], b + y[step.i] * R**2
        v = v + y[step.i] * np.r_[X[step.i], R]
        assert np.r_[w, b / R] == pytest.approx(v)
    assert erratum("E-V2").measure() == ("5 of 15", "15 of 15")


def test_e_v3_the_cost_is_already_smallest_where_nothing_is_decided():
    X, y = two_sides(20)
    for w, b in [(np.zeros(2), 0.0)]:
        f = y * (X @ w + b)
        assert -f[f <= 0].sum() == 0 and not (f > 0).any()
    model = Perceptron().fit(X, y)
    assert (y * (X @ model.w_ + model.b_) > 0).all()


def test_e_v4_eta_on_b_alone_breaks_the_bound():
    from fractions import Fraction as F

    def updates(eta, on_alpha, x=(2, 4), y=(-1, 1)):
        alpha, b, count, wrong = [F(0), F(0)], F(0), 0, True
        while wrong:
            wrong = False
            for i in 0, 1:
                if y[i] * (sum(alpha[j] * y[j] * x[j] * x[i] for j in (0, 1)) + b) <= 0:
                    alpha[i], b = alpha[i] + (eta if on_alpha else 1), b + eta * y[i] * 16
                    count, wrong = count + 1, True
        return count

    bound = (2 * 4 / 1) ** 2
    assert (updates(F(1, 1000), False), updates(F(1, 1000), True)) == erratum("E-V4").measure()
    assert updates(F(1, 1000), True) == updates(F(1), True) <= bound < updates(F(1, 1000), False)


def test_e_v6_the_inputs_radius_breaks_the_bound_and_the_images_keeps_it():
    X, y = mixed_rings()
    X = X + 20
    gamma = 1 / SVC(Gaussian(2.0), C=np.inf, tol=1e-9).fit(X, y).w_norm_
    bound = (2 / gamma) ** 2
    assert int(bound) == 107
    by_inputs, by_images = erratum("E-V6").measure()
    assert by_images <= bound < by_inputs
    walk = list(literal_updates(Gaussian(2.0), X, y, radius="input", max_passes=10_000))
    f = gaussian(X, width=2.0) @ (walk[-1].alpha * y) + walk[-1].b
    assert len(walk) == by_inputs and (y * f > 0).all()  # it ends, without errors
    assert KernelPerceptron(Gaussian(2.0)).fit(X, y).mistakes_ == by_images


def test_e_v8_another_order_of_the_points_is_another_plane_never_wider_than_the_widest():
    X, y = two_sides()
    margins = []
    for seed in range(20):
        model = Perceptron().fit(*mixed(X, y, seed=seed))
        margins.append((y * (X @ model.w_ + model.b_)).min() / np.linalg.norm(model.w_))
    widest = erratum("E-V8").measure()[1]
    assert np.ptp(margins) > 0.05 and 0 < min(margins) and max(margins) < widest
    best = minimize(
        lambda v: 0.5 * v[:2] @ v[:2],
        [1, 1, 0.0],
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda v: y * (X @ v[:2] + v[2]) - 1},
    )
    assert 1 / np.linalg.norm(best.x[:2]) == pytest.approx(widest, rel=1e-5)


def test_e_v9_a_factor_before_the_kernel_stretches_margin_and_radius_alike():
    margin, updates = erratum("E-V9").measure()
    assert margin == pytest.approx(np.sqrt(100)) and updates == 1


def test_e_v12_the_dot_products_of_centred_points_have_no_inverse_and_the_result_is_right():
    for d, rank in zip((20, 3), erratum("E-V12").measure(), strict=True):
        X = cloud(12, d, shift=1.0)
        X = X - X.mean(0)
        G = X @ X.T
        assert rank == min(d, 11) and np.abs(G @ np.ones(12)).max() < 1e-12
        assert np.linalg.pinv(G) @ X @ X.T @ X @ X.T == pytest.approx(G, abs=1e-9)


def test_e_v13_a_unit_eigenvector_gives_an_axis_as_long_as_the_root_of_lambda():
    X = cloud(12, 3, shift=1.0)
    X = X - X.mean(0)
    lam, U = np.linalg.eigh(X @ X.T)
    axis = X.T @ U[:, -1]
    assert erratum("E-V13").measure() == pytest.approx((np.linalg.norm(axis), 1))
    assert np.linalg.norm(axis) == pytest.approx(np.sqrt(lam[-1]))
    assert abs(axis @ np.linalg.svd(X)[2][0]) == pytest.approx(np.linalg.norm(axis))  # the direction is right


def test_e_v14_centring_the_inputs_leaves_the_mean_image_where_it_was():
    X = cloud(30, shift=1.0)
    K = gaussian(X - X.mean(0), width=2.0)
    assert pytest.approx(gaussian(X, width=2.0)) == K
    assert erratum("E-V14").measure()[0] == pytest.approx(K.mean())
    assert abs(centred(K).mean()) < 1e-12


def test_e_v15_training_points_taken_as_new_ones_get_their_own_scores_only_with_the_shift():
    X = cloud(30, shift=1.0)
    Xc = X - X.mean(0)
    alpha = np.linalg.eigh(gaussian(Xc, width=2.0))[1][:, -1]
    trained, shifted, unshifted = (gaussian(Z, Xc, width=2.0) @ alpha for Z in (Xc, X - X.mean(0), X))
    assert shifted == pytest.approx(trained) and np.abs(unshifted - trained).max() == pytest.approx(
        erratum("E-V15").measure()[0]
    )


# ---- lecture 004 ----------------------------------------------------------------------------------------------------


def test_e_m2_a_general_optimizer_finds_no_better_plane_than_the_dual_with_the_diagonal():
    X, y = two_clouds()

    def primal(v):  # v = (w, b, ξ)
        return 0.5 * v[:2] @ v[:2] + 0.7 * (v[3:] ** 2).sum()

    def room(v):
        return y * (X @ v[:2] + v[2]) - 1 + v[3:]

    best = minimize(
        primal,
        np.r_[1.0, 0, 0, np.full(40, 5.0)],
        bounds=[(None, None)] * 3 + [(0, None)] * 40,
        constraints={"type": "ineq", "fun": room},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    by_box, by_diagonal = erratum("E-M2").measure()
    assert best.success and by_diagonal == pytest.approx(best.fun, rel=1e-6) and by_box > 1.1 * best.fun


def test_e_m3_where_there_is_slack_the_multiplier_is_at_the_edge_of_the_box():
    X, y = two_clouds()  # by a general optimiser: C - α - μ = 0, so α = C wherever ξ > 0
    H = np.outer(y, y) * (X @ X.T)
    best = minimize(
        lambda a: 0.5 * a @ H @ a - a.sum(),
        np.full(40, 0.1),
        jac=lambda a: H @ a - 1,
        method="SLSQP",
        bounds=[(0, 0.5)] * 40,
        constraints={"type": "eq", "fun": lambda a: y @ a},
        options={"maxiter": 500, "ftol": 1e-14},
    )
    w, free = (best.x * y) @ X, (best.x > 1e-4) & (best.x < 0.5 - 1e-4)
    b = np.mean(y[free] - X[free] @ w)
    slack = 1 - y * (X @ w + b)
    assert best.success and (slack > 1e-3).sum() > 5 and best.x[slack > 1e-3] == pytest.approx(0.5, abs=1e-4)
    assert erratum("E-M3").values()[0] == erratum("E-M3").values()[1]


def test_e_m4_twins_share_alpha_in_many_ways_and_a_definite_k_leaves_one():
    X, y = around_a_wave(30)
    pair, single = doubled(X, y, Gaussian(1.0), 1.0, tilt=1.0)
    both = SVC(Gaussian(1.0), 1.0, tol=1e-9).fit(np.vstack([X, X]), np.r_[y, y])
    assert (pair >= 0).all() and (pair <= 1).all() and y @ pair.sum(0) == pytest.approx(0, abs=1e-9)
    values = [alpha.sum() - 0.5 * w**2 for alpha, w in ((pair, single.w_norm_), (both.alpha_, both.w_norm_))]
    assert values[0] == pytest.approx(values[1], rel=1e-9)
    order = np.random.default_rng(0).permutation(30)
    again = SVC(Gaussian(1.0), 1.0, tol=1e-9).fit(X[order], y[order])
    assert again.alpha_ == pytest.approx(SVC(Gaussian(1.0), 1.0, tol=1e-9).fit(X, y).alpha_[order], abs=1e-6)


def test_e_m5_support_vectors_lie_on_the_margin_or_inside_it():
    X, y = around_a_wave()
    model = SVC(Gaussian(1.0), 1.0, tol=1e-9).fit(X, y)
    yf = y * (gaussian(X) @ (model.alpha_ * y) + model.b_)
    support = model.alpha_ > 1e-9
    on = np.abs(yf - 1) < 1e-6
    assert (support.sum(), (support & on).sum()) == (33, 8) == erratum("E-M5").measure()[::-1]
    assert (yf[support] <= 1 + 1e-6).all() and (model.alpha_[support & ~on] == 1).all()


def test_e_m7_between_equal_images_the_dual_is_a_straight_line():
    H = np.array([[1.0, -1.0], [-1.0, 1.0]])  # two equal points, opposite classes: α₁ = α₂ = a is feasible
    value = [2 * a - 0.5 * np.array([a, a]) @ H @ np.array([a, a]) for a in np.linspace(0, 1, 5)]
    assert np.diff(value, 2) == pytest.approx(0, abs=1e-12) and value[-1] == max(value)
    assert erratum("E-M7").measure() == (0, pytest.approx(1))


def test_e_m8_the_half_moves_the_centre_unless_the_images_are_equally_long():
    x = np.array([0.0, 1.0, 2.0])
    for half, centre in zip((0.5, 1.0), erratum("E-M8").measure(), strict=True):
        best = minimize(
            lambda a, h=half: h * (a @ x) ** 2 - a @ x**2,
            np.full(3, 1 / 3),
            bounds=[(0, 1)] * 3,
            constraints={"type": "eq", "fun": lambda a: a.sum() - 1},
            options={"ftol": 1e-14},
        )
        assert best.x @ x == pytest.approx(centre, abs=1e-4)
    K = Gaussian(1.0)(around_a_wave(30)[0])
    printed, right = sphere(K, 0.1, half=True), sphere(K, 0.1)
    assert printed == pytest.approx(right, abs=1e-6)
    values = 1 - 0.5 * printed @ K @ printed, 1 - right @ K @ right
    assert values[1] == pytest.approx(SVDD(Gaussian(1.0), 0.1, tol=1e-9).fit(around_a_wave(30)[0]).value_, abs=1e-6)
    assert values[0] > values[1] + 0.1
    distance2 = squared_distances(K, right)
    on_the_sphere = distance2[(right > 1e-9) & (right < 0.1 - 1e-9)]
    assert np.ptp(on_the_sphere) < 1e-6
    outside = np.maximum(distance2 - on_the_sphere.mean(), 0)
    assert on_the_sphere.mean() + 0.1 * outside.sum() == pytest.approx(values[1], abs=1e-6)


def test_e_m11_below_one_over_the_number_of_points_there_is_no_sphere_and_r_is_that_of_the_free_points():
    X = cloud(50)
    assert erratum("E-M11").measure() == (pytest.approx(1 / 50),)
    with pytest.raises(ValueError, match="C"):
        SVDD(Gaussian(), 0.019).fit(X)
    K, alpha = gaussian(X), SVDD(Gaussian(), 0.1, tol=1e-10).fit(X).alpha_
    distance2 = 1 - 2 * K @ alpha + alpha @ K @ alpha
    free = (alpha > 1e-6) & (alpha < 0.1 - 1e-6)
    assert free.sum() > 1 and np.ptp(distance2[free]) < 1e-6


def test_e_m13_the_formula_of_the_bound_with_its_eta():
    for eta, value in zip((0.05, 0.5), erratum("E-M13").measure(), strict=True):
        assert value == pytest.approx(np.sqrt((3 * (np.log(200 / 3) + 1) - np.log(eta / 4)) / 100))
    assert srm_bound(0.0, 3, 100, 0.01) > srm_bound(0.0, 3, 100, 0.05)


def test_e_m18_the_trained_number_is_another_one_for_every_sample():
    low, high = erratum("E-M18").measure()
    assert (low, high) == (38, 106)
    X, y = around_a_wave(seed=5)  # by numpy: |w|² = αᵀHα, R² by a general optimiser
    model = SVC(Gaussian(1.0), 10.0, tol=1e-9).fit(X, y)
    K = gaussian(X)
    w2 = (model.alpha_ * y) @ K @ (model.alpha_ * y)
    ball = minimize(
        lambda a: a @ K @ a - 1,
        np.full(80, 1 / 80),
        jac=lambda a: 2 * K @ a,
        bounds=[(0, 1)] * 80,
        constraints={"type": "eq", "fun": lambda a: a.sum() - 1},
        method="SLSQP",
    )
    assert low <= int(-ball.fun * w2) + 1 <= high


# ---- readings of a page that the notebooks use ----------------------------------------------------------------------


def test_the_multipliers_of_a_tube_belong_to_the_side_where_the_point_is():
    X, t = sinc(60)
    model = SVR(Gaussian(2.0), 10.0, 0.1, tol=1e-6).fit(X, t)
    below, above = multipliers(model)
    f = model.predict(X)
    assert (t[below > 0] <= f[below > 0] - 0.1 + 1e-5).all() and (t[above > 0] >= f[above > 0] + 0.1 - 1e-5).all()
    assert (below * above == 0).all() and below.sum() == pytest.approx(above.sum())
    assert tube(X, t, Gaussian(2.0)) == pytest.approx(f, abs=1e-9)


@pytest.mark.parametrize("rule", ["random", "cyclic"])
def test_pairs_by_any_rule_reach_the_optimum_and_need_far_more_steps(rule):
    X, y = two_moons(20, noise=0.2)
    p, best = svc_dual(Gaussian(1.0), X, y, 10.0), svc_dual(Gaussian(1.0), X, y, 10.0)
    walked = list(pairs_by_rule(p, rule))
    for _ in smo(best, newton=False, trace=False):
        pass
    assert p.converged and p.objective == pytest.approx(best.objective, rel=1e-4)
    assert p.n_steps == len(walked) > 10 * best.n_steps
    assert abs(p.b.sum()) < 1e-9 and (p.b >= p.lo).all() and (p.b <= p.hi).all()


def test_a_pair_that_is_at_rest_does_not_move():
    X, y = two_moons(10, noise=0.2)
    p = svc_dual(Gaussian(1.0), X, y, 1.0)
    pair = np.array([0, 9])
    assert y[0] != y[9] and solve_pair(p, pair)
    once = p.b.copy()
    assert not solve_pair(p, pair) and np.array_equal(p.b, once)


def test_the_segment_of_the_slide_is_the_solvers():
    X, y = two_moons(40, noise=0.2)
    alpha, kinds = np.zeros(40), set()
    for step in SVC(Gaussian(1.0), C=2.0).steps(X, y, newton=False):
        same = bool(y[step.i] == y[step.j])
        kinds.add(same)
        assert segment(alpha[step.i], alpha[step.j], same, 2.0) == pytest.approx((step.lo, step.hi), abs=1e-12)
        alpha = step.b
    assert kinds == {True, False}
