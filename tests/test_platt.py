"""Probabilities from margins: the sigmoid of largest likelihood, and one answer for contradicting pairs."""

import numpy as np
import pytest
import sklearn.svm
from scipy.optimize import minimize
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import log_loss
from sklearn.preprocessing import StandardScaler
from tolerances import close

from kmlab.kernels import Gaussian, Precomputed
from kmlab.platt import coupled, sigmoid
from kmlab.svm import SVC

# definition


@pytest.mark.parametrize("size", [1.0, 1e-6, 1e6])
def test_the_sigmoid_has_the_largest_likelihood_of_softened_targets(size):  # (PLATT.1)
    rng = np.random.default_rng(0)
    y = np.repeat([-1.0, 1.0], [30, 20])
    f = y + 1.5 * rng.standard_normal(50)
    t = np.where(y > 0, 21 / 22, 1 / 32)

    def loss(v):
        p = 1 / (1 + np.exp(v[0] * f + v[1]))
        return -(t * np.log(p) + (1 - t) * np.log(1 - p)).sum()

    best = minimize(loss, [0.0, 0.0], tol=1e-12).x
    A, B = sigmoid(size * f, y)
    close([A * size, B], best, 1e-5)


def test_pairs_that_agree_give_their_own_probabilities_and_others_the_nearest():  # (PLATT.2)
    rng = np.random.default_rng(1)
    P = rng.dirichlet(np.ones(4), 20)
    R = P[:, :, None] / (P[:, :, None] + P[:, None])
    close(coupled(R), P, 1e-9)
    r = rng.uniform(0.1, 0.9, (1, 4, 4))
    r = np.triu(r[0], 1) + np.tril(1 - r[0].T, -1)
    p = coupled(r[None])[0]

    def cost(p):
        return ((r.T * p[:, None] - r * p) ** 2).sum()

    assert abs(p.sum() - 1) < 1e-12 and p.min() >= 0
    assert all(cost(p) <= cost(q) + 1e-12 for q in rng.dirichlet(np.ones(4), 500))


# oracle


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
@pytest.mark.filterwarnings("ignore:The `probability`:FutureWarning")
def test_probabilities_are_those_of_libsvm_up_to_its_folds(load):
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    gamma = 1 / (2 * X.shape[1])
    ours = SVC(Gaussian.from_gamma(gamma), probability=True).fit(X[::2], y[::2])
    theirs = sklearn.svm.SVC(gamma=gamma, probability=True, random_state=0).fit(X[::2], y[::2])
    p, q = ours.predict_proba(X[1::2]), theirs.predict_proba(X[1::2])
    assert np.abs(p - q).mean() < 0.02 and log_loss(y[1::2], p) < log_loss(y[1::2], q) + 0.02
    K = Gaussian.from_gamma(gamma)(X)
    given = SVC(Precomputed(), probability=True).fit(K[::2, ::2], y[::2])
    close(given.predict_proba(K[1::2, ::2]), p, 1e-6)


@pytest.mark.parametrize("weight", [None, "balanced", {0: 1, 1: 5, 2: 0.5}])
@pytest.mark.parametrize("classes", [2, 3])
def test_class_weights_and_support_vectors_are_those_of_libsvm(weight, classes):
    rng = np.random.default_rng(3)
    y = rng.choice(classes, 90, p=[0.6, 0.4] if classes == 2 else [0.5, 0.3, 0.2])
    X = rng.standard_normal((90, 2)) + y[:, None]
    weight = {label: weight[label] for label in range(classes)} if isinstance(weight, dict) else weight
    ours = SVC(Gaussian(1.5), tol=1e-7, class_weight=weight).fit(X, y)
    theirs = sklearn.svm.SVC(gamma=1 / 1.5**2, tol=1e-7, class_weight=weight).fit(X, y)
    order = np.argsort(theirs.support_)
    assert np.array_equal(ours.support_, theirs.support_[order]) and np.array_equal(ours.n_support_, theirs.n_support_)
    close(ours.support_vectors_, X[ours.support_])
    close(ours.dual_coef_, theirs.dual_coef_[:, order], 1e-4)
    close(ours.intercept_, theirs.intercept_, 1e-5)
    close(ours.class_weight_, theirs.class_weight_)
    close(ours.decision_function(X), theirs.decision_function(X), 1e-5)
    if classes == 2:
        assert abs(ours.dual_gap_) < 1e-4


def test_a_weight_is_how_often_a_point_counts_with_either_slack():
    rng = np.random.default_rng(3)
    y = rng.choice(2, 40)
    X = rng.standard_normal((40, 2)) + y[:, None]
    twice = np.concatenate([np.arange(40), np.flatnonzero(y == 1)])
    for slack in 1, 2:
        weighed = SVC(Gaussian(1.5), 1.0, slack, tol=1e-8, class_weight={1: 2.0}).fit(X, y)
        repeated = SVC(Gaussian(1.5), 1.0, slack, tol=1e-8).fit(X[twice], y[twice])
        close(weighed.decision_function(X), repeated.decision_function(X), 1e-5)
        assert abs(weighed.dual_gap_) < 1e-5


# where it breaks


def test_what_cannot_be_is_refused():
    X, y = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    assert not hasattr(SVC().fit(X, y), "predict_proba")
    with pytest.raises(AttributeError, match="probability=True"):
        SVC().fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match="names 7, which is no class of y: the classes are 0, 1"):
        SVC(class_weight={7: 1.0}).fit(X, y)
    with pytest.raises(ValueError, match="'balanced' or"):
        SVC(class_weight="even").fit(X, y)
    with pytest.raises(ValueError, match="samples, classes, classes"):
        coupled(np.ones((2, 3)))
    one = SVC(probability=True).fit(X, [0, 0, 0, 0, 0, 0, 0, 1])  # a class of one point is never held out and seen
    assert np.isfinite(one.predict_proba(X)).all()
