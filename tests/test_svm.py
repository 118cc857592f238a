"""Support vector machines: margins, duality, the KKT conditions, and what happens to bad data."""

import re
import signal
import subprocess
import sys
import time
import warnings
from itertools import product

import numpy as np
import pytest
import sklearn.svm
from scipy.optimize import LinearConstraint, minimize
from tolerances import EXACT, IDENTITY, ITERATIVE, close

from kmlab._bases import NotConverged, NotPositive
from kmlab.centering import center_gram
from kmlab.course.drawings import spheres_and_tubes
from kmlab.course.drawings import svm as plots
from kmlab.course.errata.spheres_and_tubes import best_offset, tube_objective
from kmlab.course.experiments.svm import trained
from kmlab.datasets import around_a_wave, rings, straight, two_moons
from kmlab.dual import BlockStep, PairStep
from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed, Tanh
from kmlab.npt import NPT
from kmlab.show.widgets import figure_of
from kmlab.svm import (
    SVC,
    SVR,
    duality_gap,
    enclosing_ball,
    kkt_report,
    margin_distribution,
    squared_loss,
    srm_bound,
    tube_loss,
    vc_bound,
)


@pytest.fixture(scope="module")
def moons():
    X, y = two_moons(120, noise=0.3, seed=4)
    X.setflags(write=False)
    return X, y


@pytest.fixture(scope="module")
def wave():
    X = np.linspace(-3, 3, 60)[:, None]
    return X, np.sin(X[:, 0]) + 0.2 * np.random.default_rng(0).standard_normal(60)


# definition


def test_two_points_by_hand():
    # x = ±1: w = 1, b = 0, α = (½, ½), and the dual value Σα - ½|w|² = ½                              (E9.1)
    model = SVC(Linear(), C=10, tol=1e-9).fit([[-1.0], [1.0]], [-1, 1])
    close(model.alpha_, [0.5, 0.5], EXACT)
    close([model.b_, model.w_norm_, model.alpha_.sum() - 0.5 * model.w_norm_**2], [0, 1, 0.5], EXACT)
    assert list(model.support_) == [0, 1] and abs(model.dual_gap_) < EXACT


@pytest.mark.parametrize("slack", [1, 2])
def test_the_primal_and_the_dual_value_meet(moons, slack):
    X, y = moons
    C, kernel = 0.7, Polynomial(2)
    model = SVC(kernel, C, slack, tol=1e-9).fit(X, y)
    f = model.decision_function(X)
    K, a = kernel(X), y * model.alpha_
    primal = 0.5 * a @ K @ a + C * (np.maximum(1 - y * f, 0) ** slack).sum()
    dual = model.alpha_.sum() - 0.5 * a @ K @ a - (model.alpha_ @ model.alpha_ / (4 * C) if slack == 2 else 0)
    close(model.dual_gap_, primal - dual, IDENTITY)
    assert abs(primal - dual) < 1e-6 * primal
    close(model.w_norm_**2, a @ K @ a, IDENTITY)
    assert (slack == 2) == bool(model.alpha_.max() > C + EXACT)  # squared slack has no box
    for change in np.eye(3)[:2] * 1e-3:  # no nearby plane in feature space is better
        w, b = a + change[0] * np.cos(np.arange(len(a))), model.b_ + change[1]
        g = K @ w + b
        assert 0.5 * w @ K @ w + C * (np.maximum(1 - y * g, 0) ** slack).sum() > primal


def test_a_hard_margin_touches_the_nearest_points_and_no_more():
    X, y = rings((1.0, 3.0), 30, noise=0.1)
    model = SVC(Gaussian(1.0), np.inf, tol=1e-9).fit(X, y)
    yf = (2 * y - 1) * model.decision_function(X)
    close(yf[model.support_], np.ones(len(model.support_)), 1e-7)
    assert yf.min() > 1 - 1e-7 and abs(model.dual_gap_) < 1e-6
    close(margin_distribution(model, X, y).min(), 1 / model.w_norm_, 1e-7)


@pytest.mark.parametrize("C", [0.5, 10.0])
def test_the_tube_is_optimal(wave, C):
    X, t = wave
    eps, kernel = 0.15, Gaussian(1.0)
    model = SVR(kernel, C, eps, tol=1e-9).fit(X, t)
    K, f, b = kernel(X), model.predict(X), model.coef_
    primal = 0.5 * b @ K @ b + C * np.maximum(np.abs(t - f) - eps, 0).sum()
    dual = t @ b - 0.5 * b @ K @ b - eps * np.abs(b).sum()
    close(model.dual_gap_, primal - dual, 1e-9)
    assert abs(primal - dual) < 1e-6
    off = t - f
    assert (b[np.abs(off) < eps - 1e-6] == 0).all()
    free = (b != 0) & (np.abs(b) < C * (1 - 1e-9))
    assert free.any()
    close(off[free], eps * np.sign(b[free]), 1e-6)
    close(b[np.abs(off) > eps + 1e-6], C * np.sign(off[np.abs(off) > eps + 1e-6]), 1e-9)


@pytest.mark.parametrize("C, epsilon", [(1.0, 0.3), (0.5, 0.4), (10.0, 0.2)])
def test_a_general_solver_of_the_primal_finds_the_line_that_the_dual_finds(C, epsilon):
    # (SVM.5) as 004/s19 has it: unknowns w, b, ξ, ξ*; f - t ≤ ε + ξ and t - f ≤ ε + ξ*
    x, t = straight()
    n = len(x)
    one, each, none = np.ones((n, 1)), np.eye(n), np.zeros((n, n))
    rows = np.block([[x[:, None], one, -each, none], [-x[:, None], -one, none, -each]])
    direct = minimize(
        lambda u: u[0] ** 2 / 2 + C * u[2:].sum(),
        np.r_[0, 0, np.full(2 * n, 5.0)],
        method="SLSQP",
        constraints=LinearConstraint(rows, ub=np.r_[t + epsilon, epsilon - t]),
        bounds=[(None, None)] * 2 + [(0, None)] * 2 * n,
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    model = SVR(Linear(), C, epsilon, tol=1e-10).fit(x[:, None], t)
    w, b = model.coef_ @ x, model.b_
    close(direct.x[:2], [w, b], 1e-5)
    close(
        [tube_objective(w, b, x, t, C, epsilon), t @ model.coef_ - w * w / 2 - epsilon * np.abs(model.coef_).sum()],
        [direct.fun, direct.fun],
        1e-6,
    )
    off = t - w * x - b
    close(direct.x[2:], np.maximum(np.r_[-off, off] - epsilon, 0), 1e-5)  # ξ below the tube, ξ* above it
    close(best_offset(w, x, t, epsilon), b, 1e-6)
    said = figure_of(spheres_and_tubes.tube_primal, np.column_stack([x, t]), C=C, epsilon=epsilon).caption
    assert len(set(re.findall(r"(?:together|value is) ([\d.]+\d)", said))) == 1


def test_a_tube_as_wide_as_the_data_needs_no_support_vector(wave):
    X, t = wave
    half = np.ptp(t) / 2  # E11.4
    assert len(SVR(epsilon=half + 1e-9).fit(X, t).support_) == 0 < len(SVR(epsilon=half - 0.01).fit(X, t).support_)
    close(SVR(epsilon=2 * half).fit(X, t).predict(X), np.full(60, (t.max() + t.min()) / 2), EXACT)


# theorem


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_the_kkt_conditions_hold(moons, C):
    X, y = moons
    model = SVC(Gaussian(0.8), C, tol=1e-8).fit(X, y)
    yf = y * model.decision_function(X)
    report = kkt_report(model.alpha_, yf, C)
    assert report.violation.max() < 1e-7 and set(report.kind) == {0, 1, 2}
    assert (yf[report.kind == 2] < 1).all() and (yf[report.kind == 0] > 1).all()  # in the margin yf < 1 (E-M5)
    broken = kkt_report(model.alpha_, yf - 0.5, C)
    close(broken.violation[report.kind == 1], np.full((report.kind == 1).sum(), 0.5), 1e-7)


def test_the_gap_at_zero_is_c_times_n(moons):
    X, y = moons  # E10.4
    close(duality_gap(np.zeros(120), 0.0 * y, 0.0, 3.0), 3.0 * 120, EXACT)
    first = next(SVC(Gaussian(0.8), 3.0).steps(X, y))
    assert (first.E1, first.E2, first.gap) == (-1, 1, 2)


def test_the_gap_is_never_negative_and_closes(moons):
    X, y = moons
    K, gaps = Gaussian(0.8)(X), []
    for step in SVC(Gaussian(0.8), 3.0, tol=1e-6).steps(X, y):
        a = y * step.b
        f = K @ a
        b = np.median((y - f)[step.b > 0])
        gaps.append(duality_gap(step.b, y * (f + b), np.sqrt(a @ f), 3.0))
    assert min(gaps) > -1e-9 and gaps[-1] < 1e-4 < 1 < gaps[0]


def test_without_slack_the_gap_is_that_of_the_plane_scaled_until_it_is_feasible():
    # x = ±1, α = ¼: w = ½ and yf = ½, so 2w is feasible: ½ |2w|² - (½ - ½ |w|²) = ½ - ⅜
    close(duality_gap(np.array([0.25, 0.25]), np.array([0.5, 0.5]), 0.5, np.inf), 0.125, EXACT)
    assert duality_gap(np.array([0.25, 0.25]), np.array([0.5, -0.1]), 0.5, np.inf) == np.inf


def test_centring_the_kernel_changes_nothing(moons):
    X, y = moons
    K = Gaussian(0.8)(X)
    plain, centred = (SVC(Precomputed(), 5.0, tol=1e-10).fit(G, y) for G in (K, center_gram(K)))
    close(plain.decision_function(K), centred.decision_function(center_gram(K)), 1e-8)


def test_kernel_trick_and_coordinates_agree(moons):
    X, y = moons
    trick = SVC(Gaussian(0.8), 5.0, tol=1e-10).fit(X, y)
    Z = NPT(Gaussian(0.8)).fit_transform(X)
    close(SVC(Linear(), 5.0, tol=1e-10).fit(Z, y).decision_function(Z), trick.decision_function(X), ITERATIVE)


def test_the_hard_margins_of_kernel_and_coordinates_are_the_same():
    # (1) and (2) of 000/s24-25 on classes that can be separated, and both refuse where they cannot   (E-K22)
    X, y = rings((1.0, 2.0), 30, noise=0.1)
    new = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    npt = NPT(Gaussian(1.0))
    Z = npt.fit_transform(X)
    first = SVC(Gaussian(1.0), np.inf, tol=1e-10).fit(X, y)
    second = SVC(Linear(), np.inf, tol=1e-10).fit(Z, y)
    close(second.alpha_, first.alpha_, 1e-8)
    close(second.decision_function(npt.transform(new)), first.decision_function(new), 1e-8)
    sign = 2.0 * y - 1
    close(first.alpha_ * (sign * first.decision_function(X) - 1), np.zeros(len(y)), 1e-8)  # the KKT condition of s24
    close(Z.T @ (sign * second.alpha_) @ npt.transform(new).T + second.b_, first.decision_function(new), 1e-8)
    X, y = np.vstack([X, X[:1]]), np.r_[y, 1 - y[0]]
    for data, kernel in (X, Gaussian(1.0)), (npt.fit_transform(X), Linear()):
        with pytest.raises(ValueError, match="no hard margin"):
            SVC(kernel, np.inf, tol=1e-10).fit(data, y)


def test_a_machine_that_learns_from_its_support_vectors_alone_is_the_same(moons):
    X, y = moons
    model = SVC(Gaussian(0.8), 5.0, tol=1e-9).fit(X, y)
    kept = model.support_
    assert 0 < len(kept) < len(X)
    again = SVC(Gaussian(0.8), 5.0, tol=1e-9).fit(X[kept], y[kept])
    close(again.decision_function(X), model.decision_function(X), ITERATIVE)


def test_duplicates_leave_the_plane_but_not_alpha():
    X, y = two_moons(30, noise=0.3)
    once = SVC(Gaussian(0.8), 2.0, tol=1e-10).fit(X, y)
    twice = SVC(Gaussian(0.8), 1.0, tol=1e-10).fit(np.vstack([X, X]), np.r_[y, y])
    close(twice.decision_function(X), once.decision_function(X), 1e-7)
    close(twice.alpha_[:30] + twice.alpha_[30:], once.alpha_, 1e-6)


def test_the_printed_primal_without_one_half_has_half_the_box(moons):
    # |w|² + C Σξ = 2 (½|w|² + C/2 Σξ)                                                            (E-M1, E9.2)
    X, y = moons
    C, model = 2.0, SVC(Linear(), 1.0, tol=1e-9).fit(X, y)
    w = (y * model.alpha_) @ X

    def printed(w, b):
        return w @ w + C * np.maximum(1 - y * (X @ w + b), 0).sum()

    best = printed(w, model.b_)
    assert best < printed(*_plane(SVC(Linear(), C, tol=1e-9).fit(X, y), X, y)) - 1e-3
    rng = np.random.default_rng(0)
    assert all(printed(w + 0.02 * rng.standard_normal(2), model.b_) > best for _ in range(20))


def _plane(model, X, y):
    return (y * model.alpha_) @ X, model.b_


# every step


def test_steps_in_alpha_are_those_of_the_slide(moons):
    X, y = moons
    C, kernel = 2.0, Gaussian(0.8)
    model = SVC(kernel, C).fit(X, y)
    alpha, K = np.zeros(len(y)), kernel(X)
    for step in model.steps(X, y):
        if isinstance(step, PairStep):
            i, j = step.i, step.j
            E1, E2 = (K[i] @ (alpha * y) - y[i], K[j] @ (alpha * y) - y[j])
            close([step.E1, step.E2], [E1, E2], 1e-9)
            eta = 2 * K[i, j] - K[i, i] - K[j, j]
            close(step.unclipped, alpha[j] - y[j] * (E1 - E2) / eta, 1e-8)  # (9)
            same = y[i] == y[j]
            L = max(0, alpha[j] + alpha[i] - C) if same else max(0, alpha[j] - alpha[i])
            H = min(C, alpha[j] + alpha[i]) if same else min(C, C + alpha[j] - alpha[i])
            close([step.lo, step.hi], [L, H], 1e-9)
            close(step.clipped, np.clip(step.unclipped, L, H), 1e-9)
            close(step.b[i], alpha[i] + y[i] * y[j] * (alpha[j] - step.clipped), 1e-9)  # (13)
        alpha = step.b
    close(alpha, model.alpha_, EXACT)  # fit takes the same steps


def test_working_sets_of_any_size_arrive_at_the_same_machine(moons):
    X, y = moons
    model = SVC(Gaussian(0.8), 2.0, tol=1e-7).fit(X, y)
    for size in 2, 6, 20:
        *_, last = model.steps(X, y, size=size)
        close(kernel_values(X, y, last.b), kernel_values(X, y, model.alpha_), 1e-5)
        assert isinstance(last, BlockStep) or size == 2


def kernel_values(X, y, alpha):
    return Gaussian(0.8)(X) @ (y * alpha)


# the known picture


def test_bounds_of_the_lecture():
    assert vc_bound(2.0, np.sqrt(2.1)) == 9 and vc_bound(2.0, 10.0, dim=2) == 3
    assert vc_bound(1e200, 1.0, dim=2) == 3 and vc_bound(1e200, 1.0) == np.inf
    close(srm_bound(0.0, 9, 1000), 0.249028, ITERATIVE)  # E9.4
    close(srm_bound(0.0, 50, 100), 1.112, 1e-3)  # vacuous (E-M13)
    bounds = [srm_bound(0.1, h, 100) for h in range(1, 201)]
    assert (np.diff(bounds) > 0).all()
    with pytest.raises(ValueError, match="h of at most 2n = 200, got 201: beyond, its formula turns down"):
        srm_bound(0.1, 201, 100)


@pytest.mark.parametrize("m", [2, 4, 6])
def test_the_corners_of_a_simplex_attain_the_bound_on_the_capacity(m):
    # m corners within R = 1 can be labelled in every way with |w|² ≤ m - 1, so h = m = ⌊R²Λ²⌋ + 1     (SVM.10)
    corners = np.sqrt(m / (m - 1)) * (np.eye(m) - 1 / m)
    ways = [np.array(way) for way in product((-1, 1), repeat=m) if abs(sum(way)) < m]
    longest = max(SVC(Linear(), np.inf, tol=1e-9).fit(corners, way).w_norm_ for way in ways)
    close([longest**2, enclosing_ball(corners, Linear())[0]], [m - 1, 1], 1e-6)
    assert vc_bound(1.0, np.sqrt(m - 1) + 1e-9) == m


def test_a_capacity_read_off_a_trained_machine_depends_on_the_sample():
    new, new_y = around_a_wave(200, seed=1)  # E-M18: 60 samples of 80 points
    number, error = trained(1.0, 10.0, 80, new, new_y)
    assert (number.min(), number.max()) == (38, 106) and error.max() < 0.2
    X, y = around_a_wave(80, seed=7)
    R, w = np.sqrt(enclosing_ball(X, Gaussian(1.0))[0]), SVC(Gaussian(1.0), 10.0, tol=1e-8).fit(X, y).w_norm_
    assert number[7] == vc_bound(R, w) and R <= 1


def test_all_pictures_count_the_same_machine():
    data, new = around_a_wave(), around_a_wave(2000, seed=1)
    counted = figure_of(plots.alpha_against_margin, *data, C=1.0).caption
    assert "8 support vectors on the margin, 25 inside it or beyond" in counted
    assert "25 of 80 points lie inside the street" in figure_of(plots.margin_histogram, *data, *new, C=1.0).caption
    assert "Gaussian 6 wrong and 33 support vectors" in figure_of(plots.toy_example, *data, C=1.0).caption
    ten, best = (figure_of(plots.capacity, *data, *new, C=C).caption for C in (10.0, 80.0))
    assert "from 38 to 106" in ten and "the number 308 and 8.9% of new points wrong" in best
    assert "8.9% of new points are wrong" in figure_of(plots.margin_histogram, *data, *new, C=80.0).caption


def test_losses_of_the_lecture():
    residual = np.array([-2.0, -0.5, 0.0, 0.5, 0.75])
    assert list(squared_loss(residual)) == [4, 0.25, 0, 0.25, 0.5625]
    assert list(tube_loss(residual, 0.5)) == [1.5, 0, 0, 0, 0.25]
    assert list(tube_loss(residual, 0)) == list(np.abs(residual))
    with pytest.raises(ValueError, match="epsilon must be a number of at least 0, got -1"):
        tube_loss(residual, -1)


def test_the_smallest_ball_is_smaller_than_the_longest_vector():
    X = np.random.default_rng(0).standard_normal((40, 2)) + [5, 2]
    R2, alpha = enclosing_ball(X, Linear())
    center = alpha @ X
    distance2 = ((X - center) ** 2).sum(1)
    close([distance2.max(), alpha.sum()], [R2, 1], 1e-6)
    assert R2 < 0.5 * (X**2).sum(1).max()
    for shift in 0.1 * np.eye(2):  # no other centre does better
        assert ((X - center - shift) ** 2).sum(1).max() > R2 and ((X - center + shift) ** 2).sum(1).max() > R2
    close(enclosing_ball(Linear()(X))[0], R2, 1e-9)


def test_margins_of_training_points_are_distances_to_the_line():
    X, y = two_moons(40, noise=0.1)
    model = SVC(Linear(), 1.0, tol=1e-8).fit(X, y)
    w, b = _plane(model, X, y)
    close(margin_distribution(model, X, y), y * (X @ w + b) / np.linalg.norm(w), 1e-9)


# oracle


@pytest.mark.parametrize("C", [1.0, 10.0, 1000.0])
@pytest.mark.parametrize("kernel", [Gaussian.from_gamma(2.0), Polynomial(3)], ids=repr)
def test_scikit_learn_finds_the_same_classifier(moons, kernel, C):
    X, y = moons
    K = kernel(X)
    model, theirs = SVC(kernel, C, tol=1e-7).fit(X, y), sklearn.svm.SVC(C=C, kernel="precomputed", tol=1e-7).fit(K, y)
    close(model.decision_function(X), theirs.decision_function(K), 2e-3)  # it keeps kernel rows in single precision
    b = np.zeros(len(y))
    b[theirs.support_] = theirs.dual_coef_[0]
    ours = 0.5 * model.coef_ @ K @ model.coef_ - y @ model.coef_
    assert ours <= 0.5 * b @ K @ b - y @ b + 1e-9 * abs(ours)


@pytest.mark.parametrize("C", [1.0, 100.0])
def test_scikit_learn_finds_the_same_tube(moons, C):
    X, _ = moons
    t = np.sin(2 * X[:, 0]) + X[:, 1] + 40
    model = SVR(Gaussian.from_gamma(2.0), C, tol=1e-7).fit(X, t)
    close(model.predict(X) - 40, sklearn.svm.SVR(C=C, gamma=2.0, tol=1e-7).fit(X, t).predict(X) - 40, 1e-4)


def test_a_grid_shows_the_decision_function(moons):
    X, y = moons
    xs, ys = np.linspace(-1, 2, 7), np.linspace(-1, 1, 5)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    for model in SVC(Gaussian(0.8)).fit(X, y), SVC(Polynomial(2)).fit(X, y):
        close(model.on_grid(xs, ys).ravel(), model.decision_function(grid), IDENTITY)
    model = SVR(Gaussian(0.8)).fit(X, X[:, 0])
    close(model.on_grid(xs, ys).ravel(), model.predict(grid), IDENTITY)
    assert (SVR(epsilon=99.0).fit(X, X[:, 0]).on_grid(xs, ys) == SVR(epsilon=99.0).fit(X, X[:, 0]).b_).all()


# where it breaks: a right result or a clear sentence, and always an end


@pytest.mark.parametrize("labels", [(0, 1), (False, True), ("no", "yes"), (-3.0, 7.0)])
def test_any_two_labels_will_do(moons, labels):
    X, y = moons
    named = np.where(y > 0, labels[1], labels[0])
    model, plain = SVC().fit(X, named), SVC().fit(X, y)
    close(model.decision_function(X), plain.decision_function(X), EXACT)
    assert set(model.predict(X)) <= set(labels) and model.score(X, named) == plain.score(X, y)


@pytest.mark.parametrize(
    "y, match",
    [
        (None, "requires y"),
        ([0, 1], "2 labels for 120 samples"),
        (np.linspace(0, 1, 120), "fractions"),
        ([None, 1] * 60, "NaN or None"),
        ([np.nan, 1.0] * 60, "NaN"),
    ],
)
def test_labels_that_make_no_sense_are_refused(moons, y, match):
    with pytest.raises(ValueError, match=match):
        SVC().fit(moons[0], y)


@pytest.mark.parametrize(
    "model, match",
    [
        (SVC(C=0), "C must be a positive"),
        (SVC(C=np.nan), "C must be a positive"),
        (SVC(slack=3), "slack must be one of"),
        (SVC(tol=0.0), "tol must be a positive"),
        (SVC(max_steps=0), "max_steps"),
        (SVR(epsilon=-1), "epsilon must be"),
        (SVR(C=np.inf), "C must be a positive"),
    ],
)
def test_parameters_out_of_range_are_refused(moons, model, match):
    with pytest.raises(ValueError, match=match):
        model.fit(*moons)


def test_overlapping_classes_have_no_hard_margin(moons):
    X, y = moons
    for model in SVC(Linear(), np.inf), SVC(Gaussian(1.0), np.inf):
        data = (X, y) if model.kernel == Linear() else (np.vstack([X, X[:1]]), np.r_[y, -y[0]])
        with pytest.raises(ValueError, match="overlap in feature space, so there is no hard margin: choose a finite C"):
            model.fit(*data)


def test_equal_points_are_classified_by_the_majority():
    X, y = np.ones((9, 2)), np.array([1] * 6 + [0] * 3)
    for kernel in Gaussian(), Linear():
        model = SVC(kernel).fit(X, y)
        assert model.converged_ and (model.predict(X) == 1).all()


@pytest.mark.parametrize(
    "model",
    [
        SVC(Linear(), 1e6),
        SVC(Gaussian(), 1e6),
        SVC(Polynomial(3), 1e6),
        SVC(Tanh(1.0, -1.0), 1e6),
        SVC(Linear(), 1e6, 2),
        SVR(Gaussian(), 1e6),
        SVR(Linear(), 1e6),
    ],
    ids=repr,
)
@pytest.mark.parametrize("scale", [1.0, [1e4, 1e-3], 1e8])
def test_large_c_and_unscaled_data_always_end(moons, model, scale):
    X, y = moons
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.set_params(max_steps=2000).fit(X * np.array(scale), y)
    assert np.isfinite(model.coef_).all() and np.isfinite(model.b_) and time.process_time() - start < 60
    assert model.converged_ == (not caught)
    assert {w.category for w in caught} <= {NotConverged, NotPositive}


def test_a_c_beyond_all_weights_is_a_hard_margin():
    X, y = rings((1.0, 3.0), 30, noise=0.1)
    hard = SVC(Gaussian(1.0), np.inf).fit(X, y).decision_function(X)
    for C in 1e6, 1e14, 1e300:
        close(SVC(Gaussian(1.0), C).fit(X, y).decision_function(X), hard, IDENTITY)


def test_a_fit_that_was_cut_short_says_what_to_do(moons):
    with pytest.warns(NotConverged, match="stopped after 5 steps.*scale the data.*lower C, or raise max_steps"):
        assert not SVC(max_steps=5).fit(*moons).converged_


def test_a_long_fit_shows_its_progress_when_asked(moons, capsys, monkeypatch):
    monkeypatch.setattr("kmlab.dual.time.monotonic", iter(range(10**6)).__next__)
    SVC(Gaussian(0.8), 100.0).fit(*moons)
    assert capsys.readouterr().err == ""
    SVC(Gaussian(0.8), 100.0, progress=True).fit(*moons)
    assert "SVC: 20 steps, violation" in capsys.readouterr().err


def test_control_c_ends_a_fit_that_would_run_for_hours():
    endless = """if True:
        import numpy as np
        from kmlab.kernels import Linear
        from kmlab.svm import SVC
        rng = np.random.default_rng(0)
        X, y = rng.standard_normal((2000, 2)) * [1e4, 1e-3], rng.integers(0, 2, 2000)
        print("fitting", flush=True)
        SVC(Linear(), 1e6, max_steps=10**12).fit(X, y)
        """
    with subprocess.Popen([sys.executable, "-c", endless], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as student:
        assert student.stdout.readline() == b"fitting\n"
        time.sleep(1)
        assert student.poll() is None
        student.send_signal(signal.SIGINT)
        said = student.communicate(timeout=60)[1]
    assert student.returncode != 0 and said.rstrip().endswith(b"KeyboardInterrupt")


def test_without_a_plane_there_are_no_distances():
    model = SVC(Linear()).fit(np.zeros((4, 2)), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="w = 0, so there is no plane"):
        margin_distribution(model, np.zeros((1, 2)), [0])


def test_the_gap_of_a_regression_is_its_cost_above_what_the_dual_promises():
    X, t = np.linspace(-3, 3, 30)[:, None], np.sin(np.linspace(-3, 3, 30)) + 5
    model = SVR(Gaussian(0.7), 2.0, 0.1, tol=0.2).fit(X, t)
    K, beta = Gaussian(0.7)(X), model.coef_
    primal = 0.5 * beta @ K @ beta + 2.0 * np.maximum(np.abs(model.predict(X) - t) - 0.1, 0).sum()
    dual = t @ beta - 0.5 * beta @ K @ beta - 0.1 * np.abs(beta).sum()
    assert primal - dual > 1e-4
    close(model.dual_gap_, primal - dual, 1e-9)


def test_every_kind_of_point_has_its_own_violation():
    report = kkt_report([0, 0, 0.5, 0.5, 1, 1], [0.5, 2, 1.2, 0.9, 0.4, 1.3], C=1.0)
    assert report.kind.tolist() == [0, 0, 1, 1, 2, 2]
    close(report.violation, [0.5, 0, 0.2, 0.1, 0, 0.3], EXACT)


def test_bounds_and_gaps_at_their_edges():
    assert duality_gap(np.ones(2), np.array([0.0, 1.0]), 1.0, np.inf) == np.inf  # a point on the plane: no margin
    assert vc_bound(3.0, 1.0) == 10
    close(enclosing_ball([[0.0], [1.0]], Linear())[0], 0.25, 1e-7)
