"""Lifting: the Bayes map, Cover's count, random maps, a hidden layer and boosted stumps."""

import re
from itertools import product

import numpy as np
import pytest
from scipy.optimize import check_grad, linprog
from scipy.stats import multivariate_normal, norm
from sklearn.ensemble import AdaBoostClassifier
from tolerances import EXACT, close

from kmlab import datasets
from kmlab.course.drawings import lifting as plots
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian
from kmlab.lifting import (
    MLP,
    AdaBoostStumps,
    _log_gaussian,
    _unpack,
    bayes_map,
    cover_count,
    is_separable,
    log_ratio,
    mlp_loss,
    random_map,
    separating_plane,
    stump,
)
from kmlab.perceptron import Perceptron
from kmlab.show.canvas import figure_of

MEANS = [-1.0, 0.3], [1.0, 0.5]
COVS = np.array([[2.0, 0.6], [0.6, 1.0]]), np.array([[0.5, -0.1], [-0.1, 0.8]])


def lp_separable(X, y, affine=True):
    """The textbook test: is there (w, b) with y (Xw + b) ≥ 1?"""
    A = np.column_stack([X, np.ones(len(X))]) if affine else X
    bounds = [(None, None)] * A.shape[1]
    return linprog(np.zeros(A.shape[1]), A_ub=-y[:, None] * A, b_ub=-np.ones(len(X)), bounds=bounds).status == 0


# definition


def test_the_density_of_a_class_is_that_of_scipy(X):
    mean, cov = [0.3, -1.0], [[2.0, 0.6], [0.6, 0.5]]
    close(_log_gaussian(X, mean, cov), multivariate_normal(mean, cov).logpdf(X), EXACT)


def test_log_ratio_is_the_ratio_of_densities_and_priors(X):
    negative, positive = (multivariate_normal(m, C).pdf(X) for m, C in zip(MEANS, COVS, strict=True))
    close(log_ratio(X, MEANS, COVS, prior=0.3), np.log(0.3 * positive / (0.7 * negative)))
    assert log_ratio([[0.5]], ([-1.0], [1.0]), ([[1.0]], [[1.0]]), 2 / 3)[0] == pytest.approx(1 + np.log(2))


def test_cover_count_by_hand():
    assert cover_count(5, 3) == 22 and cover_count(4, 3) == 14  # of 16: all but the two exclusive ors
    assert cover_count(1, 1) == 2 and cover_count(6, 3) == 32
    for n in range(1, 9):  # Cover's recursion: a new point splits the planes that can pass through it
        for k in range(2, 9):
            assert cover_count(n + 1, k) == cover_count(n, k) + cover_count(n, k - 1)
        assert cover_count(n, n) == cover_count(n, n + 3) == 2**n


def test_stumps_answer_by_one_threshold():
    X = np.array([[0.0, 5.0], [1.0, 4.0], [2.0, 6.0]])
    t = next(AdaBoostStumps().steps(X, ["a", "b", "b"]))
    assert (t.feature, t.threshold, t.side) == (0, 0.5, 1) and t.error == pytest.approx(0, abs=1e-11)
    assert stump(X, t).tolist() == [-1, 1, 1]
    assert stump(np.array([[0.5, 0.0]]), t) == -1, "the threshold itself belongs to what lies below"


# theorem


def test_the_last_coordinate_of_the_bayes_map_decides():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 2))
    Z = bayes_map(X, MEANS, COVS, 0.3)
    close(Z[:, :2], X, EXACT)
    close(Z[:, 2], log_ratio(X, MEANS, COVS, 0.3), EXACT)
    negative, positive = (multivariate_normal(m, C).pdf(X) for m, C in zip(MEANS, COVS, strict=True))
    ratio = bayes_map(X, MEANS, COVS, 0.3, log=False)  # as on 003/s10: w = (0, 0, 1), b = -1
    close(ratio, np.column_stack([X, 0.3 * positive / (0.7 * negative)]))
    assert ((ratio @ [0, 0, 1] - 1 > 0) == (Z @ [0, 0, 1] > 0)).all()


def test_the_lifted_plane_is_right_as_often_as_bayes_and_more_often_than_any_line():
    low, high = (norm(m, v**0.5) for m, v in ((-0.5, 3.0), (0.5, 1.0)))  # along the axis of the means
    line = max(0.5 * low.cdf(c) + 0.5 * high.sf(c) for c in np.linspace(-4, 4, 2001))
    draws = np.random.default_rng(0).standard_normal((2, 200_000, 2))
    X = np.vstack([draws[0] * 3**0.5 + [-0.5, 0], draws[1] + [0.5, 0]])
    L = log_ratio(X, plots.LIFTED[0], [v * np.eye(2) for v in plots.LIFTED[1]])
    right = (L > 0) == np.repeat([False, True], 200_000)
    caption = figure_of(plots.bayes_lift).caption
    plane, said = (float(share) / 100 for share in re.findall(r"([\d.]+)%", caption))
    assert abs(plane - right.mean()) < 0.003 and said == pytest.approx(line, abs=1e-3) and plane > said + 0.05
    assert "80.0%" in figure_of(plots.bayes_lift, prior=0.2).caption  # everybody below the plane


def test_dot_product_form_does_not_notice_a_rotation_and_stumps_do():
    X, y = datasets.two_moons(100, noise=0.15)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((2, 2)))[0]
    steps = [[s.i for s in Perceptron(max_passes=5).steps(P, y)] for P in (X, X @ turn)]
    assert steps[0] == steps[1] and len(steps[0]) > 10
    assert AdaBoostStumps(5).fit(X, y).score(X, y) != AdaBoostStumps(5).fit(X @ turn, y).score(X @ turn, y)


def test_equal_covariances_give_a_line_whatever_the_priors():
    along = np.linspace(-3, 3, 7)[:, None] * [0.7, -1.0]
    for prior in 0.1, 0.5, 0.9:
        close(np.diff(log_ratio(along, MEANS, (COVS[0], COVS[0]), prior), 2), np.zeros(5))
    assert np.abs(np.diff(log_ratio(along, MEANS, COVS), 2)).min() > 0.1
    shift = log_ratio(along, MEANS, COVS, 0.9) - log_ratio(along, MEANS, COVS, 0.5)
    close(shift, np.full(7, np.log(9)))


@pytest.mark.parametrize(("n", "k"), [(5, 2), (5, 3), (6, 3), (6, 4), (6, 6)])
def test_cover_counts_the_separable_labellings_exactly(n, k):
    X = np.random.default_rng(n + k).standard_normal((n, k))
    labels = [np.array(y) for y in product((-1, 1), repeat=n)]
    assert sum(is_separable(X, y, affine=False) for y in labels) == cover_count(n, k)
    if k > 1:
        assert sum(is_separable(X[:, 1:], y) for y in labels) == cover_count(n, k)  # b is worth one dimension


@pytest.mark.parametrize("kind", ["tanh", "cosine"])
def test_a_random_map_into_n_dimensions_separates_every_labelling(kind):
    X = np.random.default_rng(1).standard_normal((7, 2))
    labels = [np.array(y) for y in product((-1, 1), repeat=7)]
    assert all(is_separable(random_map(X, 7, kind), y, affine=False) for y in labels)
    assert not all(is_separable(random_map(X, 6, kind), y, affine=False) for y in labels)


def test_a_linear_random_map_adds_no_dimension():
    X, y = datasets.xor(2, 0.1)
    assert np.linalg.matrix_rank(random_map(X, 30, "linear")) == 2
    assert np.linalg.matrix_rank(random_map(X, 30, "tanh")) == 8
    assert not any(is_separable(random_map(X, k, "linear"), y) for k in (2, 30, 200))


def test_cosine_features_tend_to_the_gaussian_kernel():
    X = np.random.default_rng(2).standard_normal((20, 2))
    error = {}
    for k in 100, 10_000:
        errors = [np.abs((Z := random_map(X, k, width=1.5, seed=s)) @ Z.T - Gaussian(1.5)(X)).max() for s in range(5)]
        error[k] = np.mean(errors)
    assert error[10_000] < 0.06 and 7 < error[100] / error[10_000] < 14  # as 1/√k
    straight = (random_map(X, 10_000, "linear", width=1.5) ** 2).mean(1)
    assert np.abs(straight / ((X**2).sum(1) * 2 / 1.5**2) - 1).max() < 0.1  # the variance of ωᵀx


def test_boosting_stays_below_its_bound():
    X, y = datasets.two_moons(100, noise=0.25)
    for rounds in 1, 5, 20:
        model = AdaBoostStumps(rounds).fit(X, y)
        f = y * model.decision_function(X)
        bound = np.prod([2 * np.sqrt(t.error * (1 - t.error)) for t in model.rounds_])
        assert np.exp(-f).mean() == pytest.approx(bound, rel=1e-9)
        assert np.mean(f <= 0) <= bound


def test_two_hidden_units_solve_xor_and_one_does_not():
    X, y = datasets.xor(10, noise=0.2)
    assert MLP(1).fit(X, y).score(X, y) == 0.75
    model = MLP(2).fit(X, y)
    assert model.score(X, y) == 1 and is_separable(model.activations(X), y) and not is_separable(X, y)
    close(model.decision_function(X), np.tanh(X @ model.W_.T + model.c_) @ model.v_ + model.b_, EXACT)


# every step


def test_the_gradient_of_the_hidden_layer_is_the_gradient():
    rng = np.random.default_rng(3)
    X, y, theta = rng.standard_normal((9, 3)), rng.choice([-1.0, 1.0], 9), rng.standard_normal(4 * 5 + 1)
    value, slope = (lambda p, i=i: mlp_loss(p, X, y, 4, 0.1)[i] for i in (0, 1))
    assert check_grad(value, slope, theta) < 1e-5
    W, c, v, b = _unpack(theta, 3, 4)
    want = np.mean([np.log1p(np.exp(-s * (v @ np.tanh(W @ x + c) + b))) for x, s in zip(X, y, strict=True)])
    assert value(theta) == pytest.approx(want + 0.05 * theta @ theta)


def test_every_round_of_boosting_leaves_its_stump_no_better_than_a_guess():
    X, y = datasets.two_moons(60, noise=0.2)
    weights = np.full(60, 1 / 60)
    for t in AdaBoostStumps(15).steps(X, y):
        h = stump(X, t)
        assert t.error == pytest.approx(weights[h != y].sum()) and 0 < t.error < 0.5
        assert t.weights.sum() == pytest.approx(1) and t.weights[h != y].sum() == pytest.approx(0.5)
        weights = t.weights


def test_the_chosen_stump_is_the_best_of_all():
    X, y = datasets.two_moons(30, noise=0.3)
    first, second = list(AdaBoostStumps(2).steps(X, y))
    for t, weights in (first, np.full(30, 1 / 30)), (second, first.weights):
        errors = [
            weights[np.where(X[:, j] > c, s, -s) != y].sum()
            for j in (0, 1)
            for c in [-np.inf, *X[:, j]]
            for s in (-1, 1)
        ]
        assert t.error == pytest.approx(min(errors))


def test_stumps_never_cut_between_equal_values():
    rng = np.random.default_rng(6)
    X, y = rng.integers(0, 3, (40, 2)).astype(float), rng.choice([-1, 1], 40)
    weights = np.full(40, 1 / 40)
    for t in AdaBoostStumps(6).steps(X, y):
        assert t.error == pytest.approx(weights[stump(X, t) != y].sum())
        weights = t.weights
    same = next(AdaBoostStumps().steps(np.full((3, 1), -5.0), [0, 1, 1]))  # nothing to cut: the majority
    assert (same.threshold, same.side) == (-np.inf, 1) and same.error == pytest.approx(1 / 3)


def test_boosting_ends_when_no_stump_is_better_than_a_guess():
    X, y = datasets.xor()
    model = AdaBoostStumps(5).fit(X, y)
    assert model.rounds_ == [] and set(model.predict(X)) == {-1}


def test_more_starts_never_end_higher_and_units_of_the_data_do_not_matter():
    X, y = datasets.xor(10, noise=0.5)
    losses = [MLP(2, restarts=r).fit(X, y).loss_ for r in (1, 2, 4, 8)]
    assert losses == sorted(losses, reverse=True) and losses[-1] < losses[0]
    moved = X * [100.0, 0.01] + [5000.0, -3.0]
    close(MLP(3).fit(moved, y).decision_function(moved), MLP(3).fit(X, y).decision_function(X), 1e-3)


# oracle


def test_separability_agrees_with_the_linear_program():
    rng, answers = np.random.default_rng(4), []
    for n, d in ((6, 2), (8, 2), (8, 4), (12, 3)):
        for _ in range(12):
            X, y = rng.standard_normal((n, d)) * rng.choice([1e-3, 1, 1e3]), rng.choice([-1.0, 1.0], n)
            answers.append(is_separable(X, y))
            assert answers[-1] == lp_separable(X, y)
            assert is_separable(X, y, affine=False) == lp_separable(X, y, affine=False)
    assert 5 < sum(answers) < len(answers) - 5


def test_the_plane_it_finds_separates():
    X, y = datasets.xor(5, 0.2)
    assert separating_plane(X, y) is None
    w, b = separating_plane(poly2_map(X), y)
    assert (y * (poly2_map(X) @ w + b) > 0).all() and Perceptron().fit(poly2_map(X), y).converged_
    for size in 1e-6, 1e6:
        X, y = np.random.default_rng(0).standard_normal((20, 2)) * size, np.repeat([-1, 1], 10)
        X[:10, 0], X[10:, 0] = -size - np.abs(X[:10, 0]), 3 * size + np.abs(X[10:, 0])
        w, b = separating_plane(X, y)
        assert (y * (X @ w + b) > 0).all()
    w, b = separating_plane([[1.0, 2.0], [2.0, 1.0]], [1, -1], affine=False)
    assert b == 0 and w @ [1, 2] > 0 > w @ [2, 1]


def test_stumps_are_at_least_as_good_as_those_of_scikit_learn():
    X, y = datasets.two_moons(80, noise=0.2)
    ours, theirs = AdaBoostStumps(20).fit(X, y), AdaBoostClassifier(n_estimators=20).fit(X, y)
    assert ours.rounds_[0].error <= theirs.estimator_errors_[0] + EXACT  # theirs look at impurity, not at mistakes
    assert abs(ours.score(X, y) - theirs.score(X, y)) < 0.08 and theirs.score(X, y) > 0.9


def test_a_map_is_the_same_function_on_all_data():
    X = np.random.default_rng(5).standard_normal((6, 3))
    for kind in "cosine", "tanh", "linear":
        close(random_map(X, 5, kind, 0.7)[:2], random_map(X[:2], 5, kind, 0.7), EXACT)
    close(random_map(X, 5, "tanh")[:, :3], random_map(X, 3, "tanh"), EXACT)  # more dimensions keep the first ones


# refusal


@pytest.mark.parametrize("model", [MLP(2), AdaBoostStumps(3)], ids=repr)
def test_labels_may_be_any_two_things_and_only_two(model):
    X, y = datasets.xor(5, 0.1)
    names = np.where(y > 0, "yes", "no")
    assert set(model.fit(X, names).predict(X)) <= {"no", "yes"} and list(model.classes_) == ["no", "yes"]
    with pytest.raises(ValueError, match="one class only, 7: two are needed"):
        model.fit(X, np.full(20, 7))
    with pytest.raises(ValueError, match="Only binary classification is supported, y holds 4 classes"):
        model.fit(X, np.repeat([0, 1, 2, 3], 5))


def test_bad_input_is_refused_in_a_sentence(X):
    with pytest.raises(ValueError, match="y must hold -1 and .1 only"):
        is_separable(X, np.arange(14))
    with pytest.raises(ValueError, match="kind must be one of 'cosine', 'tanh', 'linear'"):
        random_map(X, 3, "relu")
    with pytest.raises(ValueError, match="prior must be a number between 0 and 1"):
        log_ratio(X, MEANS, COVS, 1.0)
    with pytest.raises(ValueError, match="covariance must be square and positive definite"):
        log_ratio(X, MEANS, (np.eye(2), -np.eye(2)))
    with pytest.raises(ValueError, match="k must be a whole number of at least 1"):
        cover_count(5, 0)
    with pytest.raises(ValueError, match="hidden must be a whole number"):
        MLP(0).fit(X, np.arange(14) % 2)
