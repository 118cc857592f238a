"""One class alone: the sphere without the printed one half, the plane, and the meaning of ν."""

import numpy as np
import pytest
import sklearn.svm
from tolerances import EXACT, IDENTITY, ITERATIVE, close

from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed
from kmlab.one_class import SVDD, OneClassSVM


@pytest.fixture(scope="module")
def cloud():
    X = np.random.default_rng(5).standard_normal((80, 2)) * [1.0, 0.5] + [3.0, -2.0]
    X.setflags(write=False)
    return X


# definition


def test_three_points_on_a_line_by_hand():
    # {0, 1, 2}: centre 1, R² = 1; the printed one half would put the centre at 2                       (M8)
    X = np.array([[0.0], [1.0], [2.0]])
    ball = SVDD(Linear(), tol=1e-9).fit(X)
    close([ball.alpha_ @ X[:, 0], ball.radius2_, ball.value_], [1, 1, 1], EXACT)
    close(ball.decision_function([[1.0], [2.0], [4.0]]), [1, 0, -8], EXACT)
    assert list(ball.predict([[1.0], [4.0]])) == [1, -1]
    K = Linear()(X)
    grid = [np.array([a, b, 1 - a - b]) for a in np.linspace(0, 1, 51) for b in np.linspace(0, 1 - a, 51)]
    printed = max(grid, key=lambda a: a @ K.diagonal() - 0.5 * a @ K @ a)
    close(printed @ X[:, 0], 2, EXACT)


@pytest.mark.parametrize("C", [0.03, 0.2, 1.0, 50.0])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0), Polynomial(2)], ids=repr)
def test_radius_and_slack_give_the_dual_value(cloud, kernel, C):
    ball = SVDD(kernel, C, tol=1e-10).fit(cloud)
    K, a = kernel(cloud), ball.alpha_
    distance2 = K.diagonal() - 2 * K @ a + a @ K @ a
    slack = np.maximum(distance2 - ball.radius2_, 0)
    size = distance2.max()
    close((ball.radius2_ + C * slack.sum()) / size, ball.value_ / size, 1e-6)  # M9, primal = dual
    close(ball.decision_function(cloud) / size, (ball.radius2_ - distance2) / size, 1e-9)
    close([a.sum(), ball.value_ / size], [1, (a @ K.diagonal() - a @ K @ a) / size], IDENTITY)
    assert a.min() >= 0 and a.max() <= C + EXACT
    free = (a > 0) & (a < min(C, 1) * (1 - 1e-9))
    close(distance2[free] / size, np.full(free.sum(), ball.radius2_ / size), 1e-7)


@pytest.mark.parametrize("nu", [0.02, 0.1, 0.5, 1.0])
def test_the_share_outside_is_at_most_nu_and_that_of_support_vectors_at_least(cloud, nu):
    plane = OneClassSVM(Gaussian(1.0), nu, tol=1e-8).fit(cloud)
    n = len(cloud)
    outside = (plane.decision_function(cloud) < -1e-9).sum()
    assert outside <= nu * n + 1e-9 and nu * n <= len(plane.support_) + 1e-9
    close(plane.alpha_.sum(), 1, EXACT)
    assert plane.alpha_.max() <= 1 / (nu * n) + EXACT


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Gaussian(0.2), Linear(), Polynomial(2)], ids=repr)
def test_a_prediction_keeps_the_promise_of_nu_at_any_tolerance(cloud, kernel):
    n = len(cloud)
    for nu in 0.02, 0.1, 0.3, 0.7:
        for model in OneClassSVM(kernel, nu), SVDD(kernel, 1 / (nu * n)):  # points on the border are not outside
            outside = (model.fit(cloud).predict(cloud) < 0).sum()
            assert outside <= nu * n + 1e-9 and nu * n <= len(model.support_) + 1e-9
    for scale in 1e-6, 1.0, 1e6:
        assert (SVDD(kernel).fit(scale * cloud).predict(scale * cloud) > 0).all()  # C = 1 lets nothing out


def test_a_border_is_no_wider_than_its_tolerance(cloud):
    for model in OneClassSVM(Gaussian(1.0), 0.5), SVDD(Gaussian(1.0), 1 / 40), SVDD(Linear(), 1 / 40):
        score = model.fit(cloud).decision_function(cloud)
        assert (model.predict(cloud) < 0).sum() > 0.4 * len(cloud)
        assert score[(model.predict(cloud) > 0)].min() > -2e-3 * np.abs(score).max()


# theorem


@pytest.mark.parametrize("nu", [0.1, 0.4])
def test_sphere_and_plane_are_the_same_if_all_images_are_equally_long(cloud, nu):
    kernel, C = Gaussian(1.0), 1 / (nu * len(cloud))
    ball, plane = SVDD(kernel, C, tol=1e-10).fit(cloud), OneClassSVM(kernel, nu, tol=1e-10).fit(cloud)
    close(ball.decision_function(cloud), 2 * plane.decision_function(cloud), 1e-7)  # M10
    far = SVDD(Linear(), C, tol=1e-9).fit(cloud), OneClassSVM(Linear(), nu, tol=1e-9).fit(cloud)
    assert (far[0].predict(cloud) != far[1].predict(cloud)).any()  # M10b


def test_with_equally_long_images_the_one_half_changes_the_value_only(cloud):
    kernel = Gaussian(1.0)
    K, a = kernel(cloud), SVDD(kernel, 0.05, tol=1e-10).fit(cloud).alpha_
    rng = np.random.default_rng(0)
    printed = 1 - 0.5 * a @ K @ a
    for _ in range(50):  # the same α is best for the printed objective too
        i, j = rng.choice(np.flatnonzero(a), 2, replace=False)
        step = 0.1 * min(a[i], 0.05 - a[j])
        other = a + step * (np.eye(len(a))[j] - np.eye(len(a))[i])
        assert 1 - 0.5 * other @ K @ other <= printed + EXACT
    assert printed > SVDD(kernel, 0.05).fit(cloud).radius2_ + 0.1


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear()], ids=repr)
def test_every_c_from_one_on_is_the_same_ball(cloud, kernel):
    for C in 3.0, 1e6, 1e300:
        close(SVDD(kernel, C).fit(cloud).alpha_, SVDD(kernel, 1.0).fit(cloud).alpha_, EXACT)


def test_a_ball_does_not_mind_where_the_origin_is(cloud):
    here, there = SVDD(Linear(), 0.1, tol=1e-9).fit(cloud), SVDD(Linear(), 0.1, tol=1e-9).fit(cloud + 1000)
    close([there.radius2_, there.alpha_ @ cloud[:, 0]], [here.radius2_, here.alpha_ @ cloud[:, 0]], 1e-5)


# oracle


@pytest.mark.parametrize("nu", [0.055, 0.31, 0.93])  # ν n is no whole number, so a free point fixes ρ
@pytest.mark.parametrize("kernel", [Gaussian(0.7), Polynomial(2)], ids=repr)
def test_scikit_learn_finds_the_same_plane(cloud, kernel, nu):
    K = kernel(cloud)
    theirs = sklearn.svm.OneClassSVM(nu=nu, kernel="precomputed", tol=1e-8).fit(K)
    ours = OneClassSVM(kernel, nu, tol=1e-9).fit(cloud)
    size = np.abs(theirs.decision_function(K)).max()
    close(ours.decision_function(cloud) * nu * len(cloud) / size, theirs.decision_function(K) / size, 1e-4)
    b = np.zeros(len(cloud))
    b[theirs.support_] = theirs.dual_coef_[0] / (nu * len(cloud))
    assert ours.alpha_ @ K @ ours.alpha_ <= b @ K @ b * (1 + 1e-6)
    close(
        OneClassSVM(Precomputed(), nu, tol=1e-9).fit(K).decision_function(K) / size,
        ours.decision_function(cloud) / size,
        ITERATIVE,
    )


def test_a_grid_shows_the_scores(cloud):
    xs, ys = np.linspace(0, 5, 6), np.linspace(-4, 0, 4)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    for model in OneClassSVM(Gaussian(0.7), 0.2), SVDD(Gaussian(0.7), 0.1), SVDD(Polynomial(2), 0.1):
        close(model.fit(cloud).on_grid(xs, ys).ravel(), model.decision_function(grid), 1e-9)


# where it breaks


def test_a_c_without_feasible_weights_is_refused_with_the_smallest_that_has(cloud):
    with pytest.raises(ValueError, match=r"C = 0.01 is too small: 50 weights .* smallest feasible value is 1/n = 0.02"):
        SVDD(Gaussian(), 0.01).fit(cloud[:50])
    edge = SVDD(Gaussian(), 0.02).fit(cloud[:50])
    close(edge.alpha_, np.full(50, 0.02), EXACT)
    assert np.isfinite(edge.radius2_)


@pytest.mark.parametrize(
    "model, match",
    [
        (SVDD(C=-1.0), "C must be a positive"),
        (OneClassSVM(nu=0), "nu must be a positive"),
        (OneClassSVM(nu=1.5), "at most 1"),
    ],
)
def test_parameters_out_of_range_are_refused(cloud, model, match):
    with pytest.raises(ValueError, match=match):
        model.fit(cloud)


def test_equal_points_make_a_ball_of_no_size():
    for X in np.ones((5, 2)), np.ones((1, 2)):
        for kernel in Linear(), Gaussian():
            ball = SVDD(kernel).fit(X)
            close(ball.radius2_, 0, EXACT)
            assert ball.converged_ and OneClassSVM(kernel).fit(X).converged_


def test_unscaled_data_ends(cloud):
    for scale in 1e-6, 1e6:
        ball, small = SVDD(Linear(), 0.1, tol=1e-8).fit(scale * cloud), SVDD(Linear(), 0.1, tol=1e-8).fit(cloud)
        assert ball.converged_
        close(ball.radius2_ / scale**2, small.radius2_, 1e-6)
        assert OneClassSVM(Linear(), 0.2).fit(scale * cloud).converged_


def test_a_cross_matrix_has_lengths_for_a_sphere_only_if_all_are_the_same(cloud):
    kernel, new = Gaussian(), cloud[:7] + 0.3
    ball, known = SVDD(Precomputed(), 0.1, tol=1e-9).fit(kernel(cloud)), SVDD(kernel, 0.1, tol=1e-9).fit(cloud)
    close(ball.radius2_, known.radius2_, ITERATIVE)
    close(ball.decision_function(kernel(new, cloud)), known.decision_function(new), ITERATIVE)
    assert np.array_equal(ball.predict(kernel(new, cloud)), known.predict(new))
    twice = SVDD(Precomputed(), 0.1, tol=1e-9).fit(2 * kernel(cloud))  # k(x, x) = 2
    close(twice.decision_function(2 * kernel(new, cloud)), 2 * known.decision_function(new), ITERATIVE)
    K = Polynomial(2)(cloud)
    with pytest.raises(ValueError, match="not in a cross matrix, and over the training points it varies: use a kernel"):
        SVDD(Precomputed(), 0.1).fit(K).decision_function(K[:3])
