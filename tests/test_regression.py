"""Regression in feature space: ridge and its leave-one-out, logistic, partial least squares."""

import numpy as np
import pytest
import sklearn.kernel_ridge
from sklearn.cross_decomposition import PLSRegression
from sklearn.linear_model import LogisticRegression, Ridge
from tolerances import EXACT, ITERATIVE, close, orthonormal_columns, same_up_to_sign

from kmlab._bases import NotConverged
from kmlab.datasets import sinc, two_moons
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed, Tanh
from kmlab.npt import NPT
from kmlab.regression import RVM, KernelLogistic, KernelPLS, KernelRidge
from kmlab.svm import SVR

pytestmark = pytest.mark.filterwarnings("error", "ignore::kmlab._bases.NotPositive")


@pytest.fixture(scope="module")
def wave():
    X, t = sinc(40, noise=0.1)
    t = t + 2.0  # far from zero, so that a forgotten intercept shows
    X.setflags(write=False), t.setflags(write=False)
    return X, t


@pytest.fixture(scope="module")
def moons():
    return two_moons(60, noise=0.25)


NEW = np.linspace(-12, 12, 25)[:, None]


# ridge: definition


def test_ridge_in_feature_space_is_ridge_on_the_images(X, Xt):
    t, Phi = X[:, 0] ** 2 - X[:, 1], poly2_map(X)
    w = np.linalg.solve(Phi.T @ Phi + 0.3 * np.eye(6), Phi.T @ t)
    close(KernelRidge(Polynomial(2), 0.3).fit(X, t).predict(Xt), poly2_map(Xt) @ w)


@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("intercept", [False, True])
def test_ridge_is_a_linear_ridge_on_the_coordinates_of_npt(wave, intercept, lam):  # N-krr
    X, t = wave
    npt = NPT(Gaussian(2.0), center=intercept, tol=1e-15)
    theirs = Ridge(lam, fit_intercept=intercept).fit(npt.fit_transform(X), t)
    ours = KernelRidge(Gaussian(2.0), lam, intercept).fit(X, t)
    close(ours.predict(NEW), theirs.predict(npt.transform(NEW)), 1e-7)
    close(ours.score(X, t), theirs.score(npt.transform(X), t), 1e-8)


# ridge: theorem


def one_by_one(X, t, kernel, lam, intercept):
    """Leave one out, the long way, by another library on other coordinates."""
    missed = []
    for i in range(len(X)):
        rest = np.delete(np.arange(len(X)), i)
        npt = NPT(kernel, center=False, tol=1e-14)
        model = Ridge(lam, fit_intercept=intercept).fit(npt.fit_transform(X[rest]), t[rest])
        missed.append(t[i] - model.predict(npt.transform(X[[i]]))[0])
    return np.array(missed)


@pytest.mark.parametrize("intercept", [False, True])
def test_leaving_one_out_needs_no_second_fit(wave, intercept):  # N-krr-loo
    X, t = wave
    lams = [0.03, 0.5, 20.0]
    path = KernelRidge(Gaussian(2.0), intercept=intercept).loo_path(X, t, lams)
    for lam, residuals in zip(lams, path, strict=True):
        truth = one_by_one(X, t, Gaussian(2.0), lam, intercept)
        model = KernelRidge(Gaussian(2.0), lam, intercept).fit(X, t)
        close(model.loo_residuals_, truth, 1e-8)
        close(residuals, truth, 1e-8)


@pytest.mark.parametrize("intercept", [False, True])
def test_several_targets_at_once_are_each_what_it_is_alone(wave, intercept):
    X, t = wave
    T = np.column_stack([t, t**2 + 1, X[:, 0]])
    both = KernelRidge(Gaussian(2.0), 0.1, intercept).fit(X, T)
    alone = [KernelRidge(Gaussian(2.0), 0.1, intercept).fit(X, t) for t in T.T]
    assert both.b_.shape == (3,)
    for found in "coef_", "b_", "loo_residuals_":
        close(getattr(both, found), np.stack([getattr(model, found) for model in alone], -1))
    close(both.predict(NEW), np.column_stack([model.predict(NEW) for model in alone]))
    close(both.score(X, T), np.mean([model.score(X, t) for model, t in zip(alone, T.T, strict=True)]))


def test_the_shortcut_is_the_residual_over_one_minus_the_leverage(wave):
    X, t = wave
    K = Gaussian(2.0)(X)
    H = K @ np.linalg.inv(K + 0.1 * np.eye(len(t)))
    close(KernelRidge(Gaussian(2.0), 0.1).fit(X, t).loo_residuals_, (t - H @ t) / (1 - H.diagonal()), 1e-9)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("lam", [1e-5, 1e5])
def test_path_and_fit_agree_at_extreme_penalties(wave, lam, intercept):
    X, t = wave
    model = KernelRidge(Gaussian(2.0), lam, intercept).fit(X, t)
    close(model.loo_path(X, t, [lam])[0], model.loo_residuals_, ITERATIVE)


def test_with_an_intercept_a_shift_of_the_target_is_a_shift_of_the_answer(wave):
    X, t = wave
    one, other = (KernelRidge(Gaussian(2.0), 0.1, True).fit(X, t + shift).predict(NEW) for shift in (0, 100))
    close(other, one + 100)
    close(KernelRidge(Gaussian(2.0), 1e9, True).fit(X, t).predict(NEW), np.full(25, t.mean()), ITERATIVE)


# ridge: oracle


def test_scikit_learn_finds_the_same_ridge(wave):
    X, t = wave
    theirs = sklearn.kernel_ridge.KernelRidge(alpha=0.2, kernel="rbf", gamma=0.25).fit(X, t)
    ours = KernelRidge(Gaussian(2.0), 0.2).fit(X, t)
    close(ours.predict(NEW), theirs.predict(NEW))
    close(ours.coef_, theirs.dual_coef_)
    given = KernelRidge(Precomputed(), 0.2).fit(Gaussian(2.0)(X), t)
    close(given.predict(Gaussian(2.0)(NEW, X)), theirs.predict(NEW))


# logistic: theorem


@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
def test_every_weight_is_the_probability_of_a_mistake(moons, lam):  # N-klr
    X, y = moons
    model = KernelLogistic(Gaussian(1.0), lam, tol=1e-12).fit(X, y)
    f = Gaussian(1.0)(X) @ model.alpha_
    close(model.alpha_, y / (1 + np.exp(y * f)) / lam, 1e-8)
    assert model.converged_ and (np.sign(model.alpha_) == y).all()
    close(model.predict_proba(X)[np.arange(60), (1 - y) // 2], lam * np.abs(model.alpha_), 1e-8)


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_logistic_is_a_linear_logistic_on_the_coordinates_of_npt(moons, lam):  # N-klr-npt
    X, y = moons
    npt = NPT(Gaussian(1.0), center=False)
    theirs = LogisticRegression(C=1 / lam, fit_intercept=False, tol=1e-10, max_iter=10_000).fit(npt.fit_transform(X), y)
    ours = KernelLogistic(Gaussian(1.0), lam).fit(X, y)
    close(ours.decision_function(X + 0.1), theirs.decision_function(npt.transform(X + 0.1)), 1e-4)
    close(ours.predict_proba(X), theirs.predict_proba(npt.transform(X)), 1e-5)
    assert np.array_equal(ours.predict(X), theirs.predict(npt.transform(X)))


# logistic: every step


@pytest.mark.parametrize("lam", [1e-6, 0.1])
def test_newton_never_goes_up_and_nothing_is_lower_than_its_end(moons, lam):
    X, y = moons
    K = Gaussian(1.0)(X)

    def objective(alpha):
        f = K @ alpha
        return np.log1p(np.exp(-y * f)).sum() + 0.5 * lam * alpha @ K @ alpha

    steps = list(KernelLogistic(Gaussian(1.0), lam).steps(X, y))
    values = [step.objective for step in steps]
    close(values, [objective(step.alpha) for step in steps], 1e-9)
    assert (np.diff(values) <= 1e-11 * values[0]).all() and steps[0].objective == pytest.approx(60 * np.log(2))
    rng = np.random.default_rng(0)
    for size in 1e-4, 1e-2, 1.0:
        assert objective(steps[-1].alpha + size * rng.standard_normal(60)) > values[-1]


def test_the_first_step_is_newtons(moons):
    X, y = moons
    first = list(KernelLogistic(Gaussian(1.0), 0.5).steps(X, y))[1]  # from f = 0: σ = ½, W = ¼
    close(first.alpha, np.linalg.solve(Gaussian(1.0)(X) / 4 + 0.5 * np.eye(60), y / 2))


def test_labels_may_be_anything_and_probabilities_follow_their_order(moons):
    X, y = moons
    names = np.where(y > 0, "up", "down")
    model = KernelLogistic(Gaussian(1.0), 0.1).fit(X, names)
    assert list(model.classes_) == ["down", "up"] and model.score(X, names) > 0.9
    close(model.predict_proba(X).sum(1), np.ones(60), EXACT)
    assert ((model.predict_proba(X)[:, 1] > 0.5) == (model.predict(X) == "up")).all()
    K = Gaussian(1.0)(X)
    close(KernelLogistic(Precomputed(), 0.1).fit(K, names).decision_function(K), model.decision_function(X))


# partial least squares


@pytest.mark.parametrize("k", [1, 2, 5])
def test_kernel_pls_is_pls_on_the_coordinates_of_npt(wave, k):  # N-kpls
    X, t = wave
    npt = NPT(Gaussian(1.0), tol=1e-15)
    theirs = PLSRegression(k, scale=False).fit(npt.fit_transform(X), t)
    ours = KernelPLS(Gaussian(1.0), k).fit(X, t)
    close(ours.predict(NEW), theirs.predict(npt.transform(NEW)).ravel(), 1e-8)
    scores = theirs.transform(npt.transform(X))
    same_up_to_sign(ours.scores_, scores / np.linalg.norm(scores, axis=0), 1e-8)
    new = theirs.transform(npt.transform(NEW)) / np.linalg.norm(scores, axis=0)
    close(np.abs(ours.transform(NEW)), np.abs(new), 1e-8)


def test_scores_are_uncorrelated_and_new_points_are_treated_like_old_ones(wave):
    X, t = wave
    model = KernelPLS(Gaussian(2.0), 6)
    scores = model.fit_transform(X, t)
    orthonormal_columns(scores)
    close(scores.sum(0), np.zeros(6))
    close(model.transform(X), scores, 1e-9)
    close(model.predict(X), t.mean() + scores @ scores.T @ (t - t.mean()), 1e-9)
    given = KernelPLS(Precomputed(), 6).fit(Gaussian(2.0)(X), t)
    close(given.transform(Gaussian(2.0)(NEW, X)), model.transform(NEW), 1e-9)


def test_the_first_direction_has_the_largest_covariance_with_the_target(wave):
    X, t = wave
    Z = NPT(Gaussian(2.0)).fit_transform(X)
    s = KernelPLS(Gaussian(2.0), 1).fit(X, t).scores_[:, 0]
    w = np.linalg.lstsq(Z, s, rcond=None)[0]
    ours = (Z @ w / np.linalg.norm(w)) @ t
    rng = np.random.default_rng(0)
    others = rng.standard_normal((500, Z.shape[1]))
    assert ours >= np.abs((Z @ (others / np.linalg.norm(others, axis=1)[:, None]).T).T @ t).max()
    close(ours, np.linalg.norm(Z.T @ t), 1e-7)


def test_components_explain_the_target_better_and_better(wave):
    scores = [KernelPLS(Gaussian(2.0), k).fit(*wave).score(*wave) for k in range(1, 8)]
    assert (np.diff(scores) > 0).all()


# refusal


@pytest.mark.parametrize(
    "model, match",
    [
        (KernelRidge(lam=0.0), "lam must be a positive number, got 0.0"),
        (KernelLogistic(lam=-1), "lam must be a positi"),
        (KernelRidge(intercept="yes"), "intercept must be one of False, True, got 'yes'"),
        (KernelRidge(Tanh(-1.0, -1.0), 1e-3), "not positive definite for lam = 0.001: raise lam"),
        (KernelPLS(n_components=0), "n_components must be a whole number"),
        (KernelPLS(Linear(), 2), "n_components = 2, but after 1 the kernel has no more to say about y: ask for fewer"),
        (KernelRidge(kernel="rbf"), "kernel must be a kernel such as"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_one_sentence(wave, model, match):
    X, t = wave
    y = np.where(t > 2, 1, -1) if isinstance(model, KernelLogistic) else t
    with pytest.raises((ValueError, TypeError), match=match):
        model.fit(X, y)


@pytest.mark.parametrize("model", [KernelRidge, KernelLogistic, RVM, KernelPLS])
def test_a_gram_matrix_that_is_handed_over_stays_as_it_was(wave, model):
    X, t = wave
    K = Gaussian(2.0)(X)
    before = K.copy()
    model(Precomputed()).fit(K, np.sign(t - 2) if model is KernelLogistic else t)
    assert np.array_equal(K, before)


def test_a_path_needs_positive_penalties_and_a_proper_kernel(wave):
    with pytest.raises(ValueError, match="lams must be positive numbers, got -1: leave it out"):
        KernelRidge().loo_path(*wave, [1.0, -1.0])
    with pytest.raises(ValueError, match="not positive definite for lam = 0.001"):
        KernelRidge(Tanh(-1.0, -1.0)).loo_path(*wave, [1e-3, 1.0])


def test_a_constant_target_has_no_components(wave):
    X, _ = wave
    with pytest.raises(ValueError, match="after 0 the kernel has no more to say about y"):
        KernelPLS().fit(X, np.ones(40))
    close(KernelRidge(Gaussian(), 1.0, True).fit(X, np.ones(40)).predict(NEW), np.ones(25))


def test_a_target_that_is_explained_leaves_nothing_for_another_component():
    X = np.linalg.qr(np.random.default_rng(0).standard_normal((12, 3)) - 1)[0]
    X = np.linalg.qr(X - X.mean(0))[0]  # a round cloud: the first direction is the target's own
    t = X @ [1.0, -2.0, 0.5]
    close(KernelPLS(Linear(), 1).fit(X, t).predict(X), t)
    with pytest.raises(ValueError, match="n_components = 2, but after 1 the kernel has no more to say"):
        KernelPLS(Linear(), 2).fit(X, t)


def test_a_budget_that_runs_out_is_told_and_the_model_still_answers(moons, wave):
    X, y = moons
    model = KernelLogistic(Gaussian(1.0), 1e-6, max_steps=2)
    with pytest.warns(NotConverged, match="KernelLogistic stopped after 2 steps, before its end: raise lam") as told:
        model.fit(X, y)
    with pytest.warns(NotConverged, match="SVR stopped after 1 steps, .* from the optimum") as told_too:
        SVR(Gaussian(2.0), max_steps=1).fit(*wave)
    assert {warning.filename for warning in [*told, *told_too]} == {__file__}  # where fit was called
    assert not model.converged_ and model.n_iter_ == 2 and np.isfinite(model.decision_function(X)).all()


def test_newton_ends_on_a_kernel_that_is_none(moons):
    X, y = moons
    model = KernelLogistic(Tanh(3.0, -1.0), 1e-3)
    with pytest.warns(NotConverged, match="use a positive semi-definite kernel"):
        model.fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
