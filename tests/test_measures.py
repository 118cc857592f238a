"""Measures: each against a count by hand, or its definition."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from tolerances import EXACT, close

from kmlab import datasets
from kmlab.kernels import Gaussian
from kmlab.measures import apart, cut_accuracy, quotient, rank_correlation, share_between, squared_distances, strip
from kmlab.npt import NPT
from kmlab.pca import PCA, rayleigh


def test_rank_correlation_is_spearmans_without_its_sign():
    a, b = np.random.default_rng(0).standard_normal((2, 40))
    assert rank_correlation(a, b) == pytest.approx(abs(spearmanr(a, b).statistic), abs=EXACT)
    assert rank_correlation(a, np.exp(a)) == pytest.approx(1) and rank_correlation(a, -(a**3)) == pytest.approx(1)


def test_a_cut_halfway_between_the_means_has_its_share_whichever_class_is_above():
    score, y = np.array([0.0, 1.0, 5.0, 3.0, 7.0, 8.0]), np.array([0, 0, 0, 1, 1, 1])  # means 2 and 6: cut at 4
    assert cut_accuracy(score, y) == pytest.approx(4 / 6) == cut_accuracy(-score, y) == cut_accuracy(score, 1 - y)


def test_the_share_between_classes_goes_from_nothing_to_all():
    y = np.repeat([0, 1], 10)
    assert share_between(2.0 * y, y) == 1 and share_between(np.tile([-1.0, 1.0], 10), y) == 0
    X, y = datasets.rings((0.2, 1, 2), 20, noise=0.08)
    score = X[:, 0] ** 2
    within = sum(((score[y == c] - score[y == c].mean()) ** 2).sum() for c in range(3))
    assert share_between(score, y) == pytest.approx(1 - within / ((score - score.mean()) ** 2).sum())


def test_a_quotient_of_one_direction_and_of_several():
    S_b, S_w = np.diag([4.0, 1.0]), np.diag([2.0, 5.0])
    assert quotient(np.array([3.0, 0.0]), S_b, S_w) == 2
    close(quotient(np.eye(2), S_b, S_w), [2.0, 0.2], EXACT)


def test_the_pair_of_scatter_matrices_has_the_quotients_it_was_chosen_for():
    S_B, S_W = datasets.S_B, datasets.S_W
    (lam, right), (_, other) = rayleigh(S_B, S_W), rayleigh(S_B, np.linalg.inv(S_W))
    assert lam[0] == pytest.approx(quotient(right[:, 0], S_B, S_W)) == pytest.approx(6.430, abs=5e-4)
    assert quotient(other[:, 0], S_B, S_W) == pytest.approx(0.368, abs=5e-4)


def test_squared_distances_are_those_of_coordinates():
    X, alpha = np.random.default_rng(1).standard_normal((9, 2)), np.random.default_rng(2).random(9)
    K = Gaussian(1.5)(X)
    Z = NPT(Gaussian(1.5), center=False).fit_transform(X)
    close(squared_distances(K, alpha), ((Z - alpha @ Z) ** 2).sum(1), 1e-9)


def test_the_widest_strip_between_two_walls():
    X = np.array([[0.0, 0.0], [0.0, 2.0], [3.0, 0.0], [3.0, 2.0]])
    width, w, middle = strip(X, X[:, 0] > 1)
    assert width == pytest.approx(3) and middle == pytest.approx(1.5)
    close(w, [1.0, 0.0], 1e-9)
    assert strip(X, np.array([True, False, False, True]))[0] < 0  # the corners of an exclusive or


def test_models_are_apart_by_their_largest_difference_and_a_sign_is_none():
    X = np.random.default_rng(3).standard_normal((10, 3))
    one, other = PCA(2).fit(X), PCA(2).fit(X)
    other.components_ = -other.components_
    assert max(apart(one, other, "transform", X, X[:4])) < EXACT
    other.components_ = 2 * other.components_
    most = [np.abs(one.transform(place)).max() for place in (X, X[:4])]
    close(apart(one, other, "transform", X, X[:4]), most, 1e-9)

    class Says:
        def __init__(self, value):
            self.predict = lambda X: np.full(len(X), value)

    assert apart(Says(1.0), Says(-1.5), "predict", X) == [2.5]
