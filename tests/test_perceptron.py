"""The perceptron: one walk in two notations, its bound, and what the printed versions do instead."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize
from tolerances import EXACT, ITERATIVE, close

from kmlab import datasets
from kmlab.course.drawings import perceptron as plots
from kmlab.course.errata.perceptron import Taught, climb, dual_value, literal_updates
from kmlab.datasets import mixed, mixed_rings
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed, Tanh, is_psd
from kmlab.npt import NPT
from kmlab.perceptron import KernelPerceptron, Perceptron, novikoff_bound, perceptron_cost
from kmlab.show.canvas import figure_of
from kmlab.svm import SVC, margin_distribution

PAIR, PAIR_Y = np.array([[2.0], [4.0]]), np.array([-1, 1])


def clouds(seed, n=30, d=2, gap=0.3):
    """Points on both sides of a random plane, none closer than gap."""
    rng = np.random.default_rng(seed)
    w, b = rng.standard_normal(d), 0.3 * rng.standard_normal()
    w /= np.linalg.norm(w)
    X = rng.uniform(-2, 2, (40 * n, d))
    X = X[np.abs(X @ w + b) >= gap][:n]
    return X, np.where(X @ w + b > 0, 1, -1)


def exact_walk(x, y, eta, eta_on_alpha):
    """The dual walk on numbers x, in exact arithmetic: the points updated, in order."""
    alpha, b, R2, order = [Fraction(0)] * len(x), Fraction(0), max(v * v for v in x), []
    while True:
        before = len(order)
        for i in range(len(x)):
            if y[i] * (sum(a * s * v for a, s, v in zip(alpha, y, x, strict=True)) * x[i] + b) <= 0:
                alpha[i] += eta if eta_on_alpha else 1
                b += eta * y[i] * R2
                order.append(i)
        if len(order) == before:
            return order


def order(updates):
    return [step.i for step in updates]


# definition


@pytest.mark.parametrize("eta", ["1", "0.1", "0.01", "0.001"])
def test_every_form_walks_as_exact_arithmetic_does(eta):
    want = exact_walk([2, 4], [-1, 1], Fraction(eta), True)
    assert len(want) == 9
    assert order(Perceptron(float(eta)).steps(PAIR, PAIR_Y)) == want
    assert order(KernelPerceptron(Linear()).steps(PAIR, PAIR_Y)) == want
    assert order(literal_updates(Linear(), PAIR, PAIR_Y, eta=float(eta))) == want


def test_the_first_updates_by_hand():
    first, second, third = list(Perceptron().steps(PAIR, PAIR_Y))[:3]
    assert (first.i, first.round, first.w[0], first.b) == (0, 1, -2, -16)  # x = 2 pulls down, R² = 16
    assert (second.i, second.round, second.w[0], second.b) == (1, 1, 2, 0)  # x = 4 pulls up
    assert (third.i, third.round, third.w[0], third.b) == (0, 2, 0, -16)


def test_cost_is_the_sum_over_the_wrong_side():
    X, y = clouds(0)
    w, b = np.array([0.4, -1.0]), 0.2
    want = sum(-s * (x @ w + b) for x, s in zip(X, y, strict=True) if s * (x @ w + b) <= 0)
    assert want > 0.1 and perceptron_cost(w, b, X, y) == pytest.approx(want)
    assert perceptron_cost(np.zeros(2), 0.0, X, y) == 0


# theorem


def best_margin(K, y):
    """ρ of the widest margin: half the distance between the convex hulls of the two classes."""
    n, plus = len(y), y > 0
    start = np.where(plus, 1 / plus.sum(), 1 / (~plus).sum())
    Q = np.outer(y, y) * K
    hulls = [{"type": "eq", "fun": lambda a, s=s: a[s].sum() - 1} for s in (plus, ~plus)]
    fit = minimize(
        lambda a: a @ Q @ a,
        start,
        jac=lambda a: 2 * Q @ a,
        bounds=[(0, 1)] * n,
        constraints=hulls,
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    return np.sqrt(fit.fun) / 2


def test_updates_stay_below_the_bound_on_thirty_data_sets():
    worst = 0
    for seed in range(30):
        X, y = clouds(seed, gap=0.1)
        margin = best_margin(X @ X.T, y)
        if seed < 3:
            close(1 / SVC(Linear(), C=np.inf, tol=1e-6).fit(X, y).w_norm_, margin, ITERATIVE)
        model = Perceptron().fit(X, y)
        assert model.converged_ and (y * model.decision_function(X) > 0).all()
        worst = max(worst, model.mistakes_ / novikoff_bound(np.linalg.norm(X, axis=1).max(), margin))
    assert 0.02 < worst < 1


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0)])
def test_the_kernel_perceptron_walks_as_the_perceptron_on_npt_coordinates(kernel):
    X, y = clouds(3, gap=0.2)
    Z = NPT(kernel, center=False).fit_transform(X)
    primal, dual = list(Perceptron().steps(Z, y)), list(KernelPerceptron(kernel).steps(X, y))
    assert order(primal) == order(dual) and len(dual) >= 2
    close([step.b for step in primal], [step.b for step in dual])


def test_primal_and_dual_hold_the_same_plane_after_every_update():
    X, y = clouds(11, gap=0.05)
    primal, dual = list(Perceptron().steps(X, y)), list(KernelPerceptron(Linear()).steps(X, y))
    assert order(primal) == order(dual) and len(dual) > 10
    for p, d in zip(primal, dual, strict=True):
        close(p.w, (d.alpha * y) @ X, EXACT)
        assert p.b == pytest.approx(d.b, abs=1e-12) and p.round == d.round


@pytest.mark.parametrize("eta", [0.001, 0.3, 7.0])
def test_the_learning_rate_only_stretches(eta):
    X, y = clouds(11, gap=0.05)
    one, other = Perceptron().fit(X, y), Perceptron(eta).fit(X, y)
    assert order(Perceptron().steps(X, y)) == order(Perceptron(eta).steps(X, y))
    close(other.w_, eta * one.w_)
    assert other.b_ == pytest.approx(eta * one.b_)
    assert order(literal_updates(Linear(), X, y, eta=eta)) == order(Perceptron().steps(X, y))


def test_a_hundred_times_the_kernel_changes_no_update():
    X, y = datasets.rings((1, 2), 30, noise=0.1)
    k = Gaussian(1.0)
    assert order(KernelPerceptron(100 * k).steps(X, y)) == order(KernelPerceptron(k).steps(X, y))


def test_centring_changes_the_walk():
    X, y = clouds(11, gap=0.05)
    assert Perceptron().fit(X, y).mistakes_ != Perceptron().fit(X - X.mean(0), y).mistakes_


def test_xor_never_ends_but_in_the_quadratic_space_it_does():
    X, y = datasets.xor()
    plain = Perceptron(max_passes=50).fit(X, y)
    assert not plain.converged_ and plain.passes_ == 50 and plain.mistakes_ >= 50
    for lifted in Perceptron().fit(poly2_map(X), y), KernelPerceptron(Polynomial(2)).fit(X, y):
        assert lifted.converged_ and lifted.score(poly2_map(X) if lifted.n_features_in_ == 6 else X, y) == 1


def test_a_bound_grows_when_eta_is_on_one_side_only():
    assert novikoff_bound(4, 1) == 64
    assert novikoff_bound(4, 1, eta=0.1) == pytest.approx(193.6)
    for eta in 0.1, 0.01, 0.001:
        updates = len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=eta, eta_on="b")))
        assert updates <= novikoff_bound(4, 1, eta)


# every step


def test_every_update_is_of_a_point_on_the_wrong_side():
    X, y = datasets.rings((1, 2), 20, noise=0.2)
    k, sign, alpha, b = Gaussian(0.8), 2 * y - 1, np.zeros(40), 0.0
    K = k(X)
    for step in KernelPerceptron(k).steps(X, y):
        assert sign[step.i] * (K[step.i] @ (alpha * sign) + b) <= 1e-9
        assert np.flatnonzero(step.alpha != alpha).tolist() == [step.i] and step.alpha[step.i] == alpha[step.i] + 1
        assert step.b - b == sign[step.i]  # R = 1
        alpha, b = step.alpha, step.b


def test_fit_ends_where_the_steps_end():
    X, y = clouds(11, gap=0.05)
    for model in Perceptron(0.5), KernelPerceptron(Gaussian(1.0)):
        steps = list(model.steps(X, y))
        model.fit(X, y)
        assert model.mistakes_ == len(steps) and model.passes_ == steps[-1].round + 1 and model.converged_
        assert model.b_ == steps[-1].b
    assert model.alpha_.sum() == model.mistakes_


def test_a_pass_that_was_cut_off_is_not_called_converged():
    X, y = clouds(11, gap=0.05)
    needed = Perceptron().fit(X, y).passes_
    short = Perceptron(max_passes=needed - 1).fit(X, y)
    assert short.mistakes_ == Perceptron().fit(X, y).mistakes_ and not short.converged_
    assert Perceptron(max_passes=needed).fit(X, y).converged_


# known picture: the numbers of the printed versions


def test_eta_on_b_alone_needs_hundreds_of_updates_for_two_points():
    for eta, want in (1, 9), (0.1, 11), (0.01, 80), (0.001, 755):
        assert len(exact_walk([2, 4], [-1, 1], Fraction(str(eta)), False)) == want
        assert len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=eta, eta_on="b"))) == want


def test_the_radius_of_the_inputs_breaks_the_bound_far_from_the_origin():
    X, y = shuffled_rings()
    k, sign = Gaussian(2.0), 2 * y - 1
    bound = novikoff_bound(1, 1 / SVC(k, C=np.inf, tol=1e-6).fit(X, y).w_norm_)
    printed = list(literal_updates(k, X + 20, sign, radius="input"))
    assert (len(printed), printed[-1].round) == (8079, 630) and 107 < bound < 108
    assert (sign * (k(X) @ (printed[-1].alpha * sign) + printed[-1].b) > 0).all(), "it ends, and without a mistake"
    assert order(literal_updates(k, X + 20, sign)) == order(KernelPerceptron(k).steps(X, y))
    assert KernelPerceptron(k).fit(X + 20, y).mistakes_ == 15


def test_the_radius_of_the_inputs_is_a_learning_rate_on_b_alone_and_has_its_bound():
    X, y = mixed_rings()
    k, eta = Gaussian(2.0), ((X + 20) ** 2).sum(1).max()
    printed = order(literal_updates(k, X + 20, y, radius="input"))
    assert printed == order(literal_updates(k, X + 20, y, eta=eta, eta_on="b"))
    own = novikoff_bound(1, 1 / SVC(k, C=np.inf, tol=1e-6).fit(X, y).w_norm_, eta)
    assert len(printed) < own and own == pytest.approx(24_969, abs=1)
    caption = figure_of(plots.printed_radius, X, y, shift=20.0).caption
    assert "15 updates" in caption and "8,079, until a whole pass, number 631, finds no mistake" in caption


# a kernel that is learned (003/s28), and a function that is none (003/s29)


def quotient(kernel, X, y):
    """ρ/R on the sample."""
    return best_margin(kernel(X), y) / np.sqrt(kernel(X).diagonal().max())


def test_a_learned_kernel_is_a_kernel_and_becomes_the_labels():
    X, y = clouds(2, n=14)
    new, k = np.random.default_rng(0).uniform(-2, 2, (9, 2)), Gaussian(0.5)
    for t in 0.0, 0.3, 1.0:
        learned = Taught(k, X, y, t)
        close(learned(X), (1 - t) * k(X) + t * np.outer(y, y))
        together = learned(np.vstack([X, new]))
        assert is_psd(together)
        close(learned(new, X), together[14:, :14])
        g = k(new, X) @ np.linalg.solve(k(X), y)
        close(learned(new), (1 - t) * k(new) + t * np.outer(g, g))


def test_the_labels_as_a_kernel_have_the_largest_quotient_there_is_even_for_coins():
    X, y = mixed(*datasets.two_moons(40, noise=0.1), seed=1)
    coins = np.random.default_rng(2).permutation(y)
    for labels in y, coins:
        learned = Taught(Gaussian(0.3), X, labels, 1.0)
        assert quotient(learned, X, labels) == pytest.approx(1, abs=1e-6)
        assert KernelPerceptron(learned).fit(X, labels).mistakes_ <= novikoff_bound(1, 1)
    true, tossed = (max(quotient(Gaussian(c), X, labels) for c in (0.05, 0.1, 0.2, 0.3, 0.4)) for labels in (y, coins))
    assert true > 0.24 > 0.17 > tossed, "one width can tell them apart"


def test_the_picture_of_a_learned_kernel_has_the_numbers_of_the_notebook():
    X, y = mixed(*datasets.two_moons(80, noise=0.1), seed=1)
    said = {
        (name, t): figure_of(plots.learned_kernel, X, y, learned=t, labels=name).caption
        for name in ("moons", "coins")
        for t in (0.0, 1.0)
    }
    assert "ρ/R = 0.245, 0% mistakes on the 80 points, 0% on" in said["moons", 0.0]
    assert "ρ/R = 1.000, 0% mistakes on the 80 points, 0% on" in said["moons", 1.0]
    assert "ρ/R = 0.005, 0% mistakes on the 80 points" in said["coins", 0.0]
    assert "ρ/R = 1.000, 0% mistakes on the 80 points, 49% on" in said["coins", 1.0]


def test_a_climb_on_the_dual_never_goes_down_or_leaves_the_box():
    X, y = clouds(5, n=8)
    for k in Gaussian(1.0), Tanh(1.0, -1.0):
        K, a = k(X), np.random.default_rng(1).uniform(0, 1, 8)
        want = a.sum() - sum(a[i] * a[j] * y[i] * y[j] * K[i, j] for i in range(8) for j in range(8)) / 2
        assert dual_value(K, y, a) == pytest.approx(want)
        path = climb(K, y, a, C=1.0)
        assert (path >= 0).all() and (path <= 1).all()
        assert (np.diff([dual_value(K, y, p) for p in path]) >= -1e-12).all()


def test_two_points_have_one_top_under_a_kernel_and_two_under_tanh():
    x, y = np.array([[1.0], [-1.0]]), np.array([1, -1])
    starts = (0.5, 0.2), (0.2, 0.5)
    for k, ends in (Tanh(1.0, 0.5), [[0.7311, 0.7311]] * 2), (Tanh(1.0, -0.5), [[2.1640, 0], [0, 2.1640]]):
        K = k(x)
        close([climb(K, y, start, C=3.0)[-1] for start in starts], ends, 1e-3)
        assert is_psd(K) == (ends[0] == ends[1])
    middle = dual_value(K, y, np.full(2, 2.1640 / 2))
    assert middle < 0.6 < 1.08 < dual_value(K, y, np.array(ends[0])), "between the tops lies a valley"
    one, ridge, two = (figure_of(plots.dual_landscape, offset=b).caption for b in (0.5, 0.0, -0.5))
    assert one.count("(0.73, 0.73), where the dual value is 0.73") == 2
    assert "(2.16, 0.00)" in two and "(0.00, 2.16)" in two and two.count("value is 1.08") == 2
    assert "smallest eigenvalue 0:" in ridge and len(set(re.findall(r"value is ([\d.]+\d)", ridge))) == 1


def test_climbs_from_anywhere_end_at_one_height_only_with_a_kernel():
    X = 1.5 * np.random.default_rng(0).standard_normal((40, 2))
    y, starts = np.where(X.prod(1) > 0, 1, -1), np.random.default_rng(0).uniform(0, 1, (20, 40))
    heights = {
        k: [dual_value(k(X), y, climb(k(X), y, a, C=1.0, steps=2000)[-1]) for a in starts]
        for k in (Gaussian(1.0), Tanh(1.0, -1.0))
    }
    assert np.ptp(heights[Gaussian(1.0)]) < 1e-6 and np.ptp(heights[Tanh(1.0, -1.0)]) > 15


def shuffled_rings():
    X, y = datasets.rings((1, 2), 30, noise=0.1)
    mixed = np.random.default_rng(0).permutation(60)
    return X[mixed], y[mixed]


# oracle


def test_the_margin_is_some_margin_and_never_the_widest():
    for seed in range(5):
        X, y = clouds(seed, gap=0.1)
        model, best = Perceptron().fit(X, y), SVC(Linear(), C=np.inf, tol=1e-6).fit(X, y)
        assert 0 < margin_distribution(model, X, y).min() < margin_distribution(best, X, y).min()


def test_lengths_and_values_agree_with_the_explicit_plane():
    X, y = clouds(11, gap=0.05)
    primal, dual = Perceptron().fit(X, y), KernelPerceptron(Linear()).fit(X, y)
    close(primal.w_norm_, dual.w_norm_)
    close(primal.decision_function(X), dual.decision_function(X))
    xs, ys = np.linspace(-1, 1, 4), np.linspace(0, 1, 3)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    close(dual.on_grid(xs, ys).ravel(), primal.decision_function(grid))


def test_labels_may_be_any_two_things():
    X, y = clouds(11, gap=0.05)
    names = np.where(y > 0, "yes", "no")
    for model in Perceptron(), KernelPerceptron(Gaussian(1.0)):
        assert (model.fit(X, names).predict(X) == names).all() and list(model.classes_) == ["no", "yes"]
        assert (model.fit(X, y > 0).predict(X) == (y > 0)).all() and model.score(X, y > 0) == 1


def test_a_precomputed_gram_gives_the_same_answers():
    X, y = clouds(11, gap=0.05)
    k = Gaussian(1.0)
    model, same = KernelPerceptron(Precomputed()).fit(k(X), y), KernelPerceptron(k).fit(X, y)
    close(model.decision_function(k(X[:5], X)), same.decision_function(X[:5]))


# refusal


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron(Linear())], ids=repr)
def test_one_class_or_three_are_refused(model):
    with pytest.raises(ValueError, match="one class only, 1: two are needed"):
        model.fit(np.eye(3), [1, 1, 1])
    with pytest.raises(ValueError, match="Only binary classification is supported, y holds 3 classes"):
        list(model.steps(np.eye(3), [0, 1, 2]))


def test_bad_parameters_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="eta must be a positive number, got 0"):
        Perceptron(0).fit(PAIR, PAIR_Y)
    with pytest.raises(ValueError, match="max_passes must be a whole number of at least 1"):
        KernelPerceptron(max_passes=0).fit(PAIR, PAIR_Y)
    with pytest.raises(TypeError, match="kernel must be a kernel such as"):
        KernelPerceptron("rbf").fit(PAIR, PAIR_Y)
    with pytest.raises(ValueError, match="margin must be a positive number"):
        novikoff_bound(1.0, 0.0)
    with pytest.raises(ValueError, match="negative everywhere, but it is a squared length"):
        KernelPerceptron(Tanh(1.0, -99.0)).fit(PAIR, PAIR_Y)


def test_looking_at_the_steps_does_not_fit():
    for model in Perceptron(), KernelPerceptron(Linear()):
        list(model.steps(PAIR, PAIR_Y))
        with pytest.raises(ValueError, match="not fitted yet"):
            model.predict(PAIR)


def test_duplicates_with_two_labels_end_by_the_budget():
    model = KernelPerceptron(Gaussian(1.0), max_passes=7).fit([[0.0], [0.0], [1.0]], [0, 1, 1])
    assert not model.converged_ and model.passes_ == 7
