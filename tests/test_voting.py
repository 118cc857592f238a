"""Many classes by machines that tell two apart: their votes, ties, and what is kept of them."""

import warnings

import numpy as np
import pytest
import sklearn.svm
from sklearn.datasets import load_iris
from tolerances import EXACT, close

from kmlab._bases import NotConverged
from kmlab.datasets import three_clusters, two_moons
from kmlab.kernels import Gaussian, Precomputed
from kmlab.svm import SVC
from kmlab.voting import OneAgainstOne

# definition


def test_every_pair_of_classes_has_the_machine_that_it_would_have_alone():
    X, y = three_clusters(20, seed=3)
    model = SVC(Gaussian(0.8), 2.0).fit(X, y)
    assert [(i, j) for i, j, _, _ in model.pairs_] == [(0, 1), (0, 2), (1, 2)]
    for i, j, machine, rows in model.pairs_:
        assert np.array_equal(rows, np.flatnonzero((y == i) | (y == j)))
        alone = SVC(Gaussian(0.8), 2.0).fit(X[rows], y[rows])
        close(machine.decision_function(X), alone.decision_function(X), EXACT)
    assert model.n_iter_ == sum(m.n_iter_ for _, _, m, _ in model.pairs_) and model.converged_


def test_votes_by_hand_and_their_values_only_settle_ties():
    class Fixed(OneAgainstOne):
        def f(self, X):
            return X[:, self.column]

    model = Fixed()
    model.classes_, model.n_features_in_, model.kernel = np.array(["a", "b", "c"]), 3, Gaussian()
    model.pairs_ = []
    for column, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        machine = Fixed()
        machine.classes_, machine.column = np.array([i, j]), column
        model.pairs_.append((i, j, machine, None))
    F = [[-1.0, -2.0, 3.0], [1.0, -5.0, 9.0], [1.0, -1.0, 1.0]]  # f of 0 against 1, 0 against 2, 1 against 2
    votes = model.decision_function(F)
    # a: won 2; then a circle, each won once, and the values decide: a 5 - 1, b 1 - 9, c 9 - 5
    close(votes[0], [2 + 3 / 12, -4 / 15, 1 + 1 / 6], EXACT)
    close(votes[1], [1 + 4 / 15, 1 - 8 / 27, 1 + 4 / 15], EXACT)
    assert list(model.predict(F)) == ["a", "a", "a"]
    assert (np.abs(votes - np.round(votes)) < 1 / 3).all()


# oracle


def test_three_classes_vote_as_in_scikit_learn():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model, theirs = SVC(Gaussian.from_gamma(0.5), 1.0).fit(X, names), sklearn.svm.SVC(gamma=0.5).fit(X, names)
    assert (model.predict(X) == theirs.predict(X)).all() and model.score(X, names) > 0.97
    close(model.decision_function(X), theirs.decision_function(X), 1e-2)
    K = Gaussian.from_gamma(0.5)(X)
    assert (SVC(Precomputed()).fit(K, names).predict(K[::7]) == model.predict(X[::7])).all()


# where it breaks


@pytest.fixture(scope="module")
def moons():
    return two_moons(120, noise=0.3, seed=4)


def test_one_class_alone_is_refused(moons):
    with pytest.raises(ValueError, match="one class only, 3: a margin needs two"):
        SVC().fit(moons[0], np.full(120, 3))


def test_steps_and_grids_are_for_two_classes():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="two classes, got 3"):
        next(SVC().steps(X, y))
    with pytest.raises(ValueError, match="one boundary"):
        SVC().fit(X, y).on_grid([0.0], [0.0])


def test_a_matrix_that_is_no_gram_matrix_is_refused_before_it_is_taken_apart():
    y = np.repeat([0, 1, 2], 4)
    with pytest.raises(ValueError, match="square"):
        SVC(Precomputed()).fit(np.ones((12, 3)), y)
    with pytest.raises(ValueError, match="symmetric"):
        SVC(Precomputed()).fit(np.triu(np.ones((12, 12))), y)


def test_a_machine_that_ran_out_of_steps_is_told_where_fit_was_called():
    X, y = three_clusters(20, seed=3)
    with pytest.warns(NotConverged, match="SVC stopped after 1 steps") as told:
        model = SVC(Gaussian(0.3), 10.0, max_steps=1).fit(X, y)
    assert {warning.filename for warning in told} == {__file__} and not model.converged_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVC(Gaussian(0.3), 10.0).fit(X, y)
