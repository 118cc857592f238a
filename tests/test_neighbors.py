"""Neighbours in feature space: the distance theorem, kernel kNN and Parzen windows."""

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.spatial.distance import cdist
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, NearestCentroid
from tolerances import EXACT, IDENTITY, close, same_up_to_sign

from kmlab.centering import center_gram
from kmlab.datasets import rings, three_clusters
from kmlab.features import poly2_map
from kmlab.kernels import (
    Exponential,
    Gaussian,
    Linear,
    NegativePower,
    Polynomial,
    Precomputed,
    feature_distance2,
    is_cpsd,
    is_psd,
)
from kmlab.neighbors import KernelKNN, ParzenClassifier, parzen_density
from kmlab.npt import NPT, embed_cpsd
from kmlab.pca import PCA, KernelPCA
from kmlab.svm import SVC


def points(n, d, seed):
    X = np.random.default_rng(seed).standard_normal((n, d))
    X.setflags(write=False)
    return X


@pytest.fixture(scope="module")
def ring_data():
    X, y = rings((1.0, 2.0, 3.0), 20, noise=0.2, seed=3)
    X.setflags(write=False)
    return X, y, points(40, 2, 9) * 2


# definition


def vote(D, y, k):
    """kNN in a double loop over squared distances D (m, n)."""
    answers = []
    for row in D:
        near = sorted(range(len(row)), key=lambda i, row=row: (row[i], i))[:k]
        tally = {c: (-sum(y[i] == c for i in near), sum(row[i] for i in near if y[i] == c), c) for c in set(y)}
        answers.append(min(tally, key=tally.get))
    return np.array(answers)


@pytest.mark.parametrize("k", [1, 2, 4, 7, 60])
@pytest.mark.parametrize("kernel", [Gaussian(2.0), Polynomial(2), NegativePower(1.5)], ids=repr)
def test_knn_is_the_vote_of_the_nearest_images_in_a_double_loop(ring_data, kernel, k):
    X, y, Xt = ring_data
    Kt, a, b = kernel(Xt, X), kernel.diag(Xt), kernel.diag(X)
    D = np.array([[a[i] + b[j] - 2 * Kt[i, j] for j in range(60)] for i in range(40)])
    model = KernelKNN(kernel, k).fit(X, y)
    assert np.array_equal(model.predict(Xt), vote(D, y, k))
    assert np.array_equal(model.nearest(Xt), np.argsort(D, 1, kind="stable")[:, :k])


def test_distances_are_those_of_explicit_images(ring_data):
    X, y, Xt = ring_data
    D = cdist(poly2_map(Xt), poly2_map(X))
    assert np.array_equal(KernelKNN(Polynomial(2), 5).fit(X, y).nearest(Xt), np.argsort(D, 1)[:, :5])


def test_equal_votes_go_to_the_nearer_class_and_then_to_the_smaller_label():
    X = np.array([[-1.0], [1.5], [-3.0], [3.0]])
    model = KernelKNN(Linear(), 2).fit(X, ["b", "a", "b", "a"])
    assert list(model.predict([[0.0], [0.5]])) == ["b", "a"]  # 1 < 1.5; 1 < 1.5 from the other side
    assert KernelKNN(Linear(), 2).fit(X[2:], [7, 3]).predict([[0.0]]) == [3]
    assert KernelKNN(Linear(), 1).fit(X[2:], [7, 3]).predict([[0.0]]) == [7], "equally near: the lower index"


def test_many_equally_distant_points_come_in_the_order_of_the_sample():
    X = np.tile([[2.0], [1.0], [2.0]], (100, 1))
    near = KernelKNN(Linear(), 150).fit(X, np.zeros(300, int)).nearest([[0.0]])[0]
    assert np.array_equal(near, [*range(1, 300, 3), *np.flatnonzero(X[:, 0] == 2)[:50]])


def test_the_parzen_decision_is_its_formula_in_a_double_loop(ring_data):
    X, y, Xt = ring_data
    two, k = y < 2, Gaussian(0.8)
    X, y = X[two], np.where(y[two] == 0, -1, 1)

    def mean(A, B):
        return np.mean([[np.exp(-np.sum((a - b) ** 2) / 0.64) for b in B] for a in A])

    up, down = X[y == 1], X[y == -1]
    b = 0.5 * (mean(down, down) - mean(up, up))
    model = ParzenClassifier(k).fit(X, y)
    close(model.decision_function(Xt), [mean([x], up) - mean([x], down) + b for x in Xt], EXACT)
    assert np.array_equal(model.predict(Xt), np.where(model.decision_function(Xt) > 0, 1, -1))


def test_the_density_is_a_bump_on_every_point():
    X, s = points(7, 3, 1), 0.6
    bumps = [np.exp(-np.sum((x - 0.3) ** 2) / (2 * s**2)) / (2 * np.pi * s**2) ** 1.5 for x in X]
    close(parzen_density(X, [[0.3, 0.3, 0.3]], s), [np.mean(bumps)], EXACT)


# theorem: conditionally positive semi-definite kernels


@pytest.mark.parametrize("power, holds", [(0.2, True), (1.0, True), (2.0, True), (2.05, False), (3.0, False)])
def test_a_negative_power_has_distances_up_to_two(power, holds):  # B-cpsd, B2b, B2c, E4.1
    K = NegativePower(power)(points(20, 2, 2))
    lowest = np.linalg.eigvalsh(center_gram(K))[0]
    assert bool(lowest > -1e-9) is holds and is_cpsd(K) is holds
    if holds:
        Z = embed_cpsd(K)
        close(cdist(Z, Z, "sqeuclidean"), -K, IDENTITY)  # B-dist: -k is a squared distance
    else:
        with pytest.raises(ValueError, match="no points have these distances.*at most 2"):
            embed_cpsd(K)


def test_the_two_distance_formulas_differ_by_two():  # B1
    X = points(20, 2, 2)
    K = NegativePower(2)(X)
    theorem = feature_distance2(center_gram(K) / 2)
    close([feature_distance2(K)[0, 1], theorem[0, 1]], [8.0881, 4.0440], 1e-4)
    close(feature_distance2(K), 2 * theorem, EXACT)
    close(theorem, cdist(X, X, "sqeuclidean"), EXACT)


def test_a_diagonal_that_is_not_zero_belongs_into_the_distance():  # B2, E-B2
    X = points(12, 2, 4)
    K = Gaussian()(X)
    assert is_cpsd(K) and (-K < 0).all(), "minus a Gaussian is no squared distance"
    Z = embed_cpsd(K)
    close(cdist(Z, Z, "sqeuclidean"), 1 - K, IDENTITY)
    close(2 * cdist(Z, Z, "sqeuclidean"), feature_distance2(K), IDENTITY)


def test_points_come_back_from_their_distances_up_to_a_rotation():  # B-mds
    X = points(15, 2, 5)
    Z = embed_cpsd(NegativePower(2)(X))
    assert Z.shape == (15, 2)
    same_up_to_sign(Z, PCA(2).fit_transform(X))
    close(KernelPCA(NegativePower(2), 2).fit(X).lam_, 2 * PCA(2).fit(X).lam_, EXACT)
    assert embed_cpsd(NegativePower(1)(X)).shape == (15, 14), "a smaller power bends the points into new dimensions"


def test_a_support_vector_machine_takes_a_cpsd_kernel_as_it_is():  # B3b, E-B3
    X, y = points(20, 2, 2), np.where(points(20, 1, 6)[:, 0] > 0, 1, -1)
    K = NegativePower(2)(X)
    raw, centred = (SVC(Precomputed(), 1.0, tol=1e-10).fit(G, y) for G in (K, center_gram(K)))
    close(raw.decision_function(K), centred.decision_function(center_gram(K)), 1e-8)
    assert not is_psd(K + 0.5 * np.eye(20))
    close(np.linalg.eigvalsh(K + 0.5 * np.eye(20))[0], -81.6, 1e-3)  # B3: ridge regression cannot


# theorem: neighbours


def test_a_gaussian_or_exponential_has_the_euclidean_neighbours_and_a_polynomial_has_not():  # B-knn, E4.3
    X, Xt = points(50, 2, 7), points(30, 2, 8)
    euclid = np.argsort(cdist(Xt, X), 1)
    for kernel in Gaussian(0.9), Exponential(2.0), NegativePower(0.5), 3.0 * Gaussian(1.5):
        assert np.array_equal(KernelKNN(kernel, 50).fit(X, np.zeros(50, int)).nearest(Xt), euclid)
    other = KernelKNN(Polynomial(3), 50).fit(X, np.zeros(50, int)).nearest(Xt)
    assert (other != euclid).any(1).all()


def test_what_is_added_to_a_row_and_its_column_changes_no_neighbour(ring_data):
    X, y, _ = ring_data
    K, a = Gaussian()(X), points(60, 1, 1)[:, 0]
    shifted = K + np.add.outer(a, a)
    close(feature_distance2(shifted), feature_distance2(K), EXACT)
    both = [KernelKNN(Precomputed(), 5).fit(G, y).nearest(G) for G in (K, shifted)]
    assert np.mean(both[0] == both[1]) > 0.99  # rounding may swap two equally near


def test_parzen_is_the_nearest_mean_in_feature_space(ring_data):  # N-parzen
    X, y, Xt = ring_data
    model = ParzenClassifier(Gaussian(0.8)).fit(X, y)
    npt = NPT(Gaussian(0.8), center=False, tol=1e-14).fit(X)
    Z, Zt = npt.transform(X), npt.transform(Xt)
    means = np.array([Z[y == c].mean(0) for c in range(3)])
    D = cdist(Zt, means, "sqeuclidean") - (Zt**2).sum(1)[:, None]
    close(model.decision_function(Xt), -D / 2, 1e-6)
    assert np.array_equal(model.predict(X), NearestCentroid().fit(Z, y).predict(Z))


@pytest.mark.parametrize("width", [0.3, 1.0])
def test_the_density_integrates_to_one(width):  # N-parzen
    X = points(5, 2, 3)
    side = np.linspace(X.min() - 8 * width, X.max() + 8 * width, 201)
    p = parzen_density(X, np.stack(np.meshgrid(side, side), -1).reshape(-1, 2), width).reshape(201, 201)
    close(trapezoid(trapezoid(p, side), side), 1.0, IDENTITY)


# oracle


@pytest.mark.parametrize("k", [1, 3, 5, 9])
def test_scikit_learn_votes_the_same_where_no_vote_is_tied(k):
    X, y = three_clusters(40, spread=0.3)
    Xt = points(200, 2, 3) / 2
    two = y < 2  # an odd number of votes for two classes has no ties
    theirs = KNeighborsClassifier(k).fit(X[two], y[two]).predict(Xt)
    for kernel in Linear(), Gaussian(1.0):
        assert np.array_equal(KernelKNN(kernel, k).fit(X[two], y[two]).predict(Xt), theirs)
    assert np.array_equal(KernelKNN(Linear(), 1).fit(X, y).predict(Xt), KNeighborsClassifier(1).fit(X, y).predict(Xt))


def test_scikit_learns_density_is_the_same(ring_data):
    X, _, Xt = ring_data
    for width in 0.2, 1.5:
        theirs = np.exp(KernelDensity(bandwidth=width).fit(X).score_samples(Xt))
        close(parzen_density(X, Xt, width), theirs, EXACT)


def test_the_linear_parzen_classifier_is_the_nearest_centroid(ring_data):
    X, y = three_clusters(30, spread=0.4)
    Xt = points(100, 2, 5)
    assert np.array_equal(ParzenClassifier(Linear()).fit(X, y).predict(Xt), NearestCentroid().fit(X, y).predict(Xt))


def test_a_grid_shows_the_decisions(ring_data):
    X, y, _ = ring_data
    xs, ys = np.linspace(-3, 3, 5), np.linspace(-2, 2, 4)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    for labels in y, y > 0:
        model = ParzenClassifier(Gaussian(0.8)).fit(X, labels)
        scores = model.decision_function(grid)
        close(model.on_grid(xs, ys).reshape(scores.shape), scores)


def test_a_gram_matrix_will_do(ring_data):
    X, y, Xt = ring_data
    k = Gaussian(0.8)
    for model in KernelKNN(k, 4), ParzenClassifier(k):
        answer = model.fit(X, y).predict(Xt)
        assert model.score(X, y) > 0.5
        again = model.set_params(kernel=Precomputed()).fit(k(X), y)
        assert np.array_equal(again.predict(k(Xt, X)), answer)


# where it breaks


def test_a_narrow_gaussian_forgets_who_is_near():
    X = np.array([[3.0], [2.0], [1.0]])
    assert list(KernelKNN(Gaussian(0.5), 3).fit(X, [0, 1, 2]).nearest([[0.0]])[0]) == [2, 1, 0]
    narrow = KernelKNN(Gaussian(0.01), 3).fit(X, [0, 1, 2]).nearest([[0.0]])[0]
    assert list(narrow) == [0, 1, 2], "k = exp(-10000) is zero for all three, and the lower index wins"


@pytest.mark.parametrize("call, sentence", [
    (lambda X: KernelKNN(n_neighbors=0).fit(X, range(14)), "n_neighbors must be a whole number of at least 1, got 0"),
    (lambda X: KernelKNN(n_neighbors=15).fit(X, range(14)), "n_neighbors = 15 is more than there are points"),
    (lambda X: KernelKNN("rbf").fit(X, range(14)), "kernel must be a kernel such as"),
    (lambda X: KernelKNN().fit(X, range(13)), "13 labels for 14 samples"),
    (lambda X: KernelKNN().fit(X, np.linspace(0, 1, 14)), "Unknown label type"),
    (lambda X: ParzenClassifier().fit(X, None), "requires y to be passed"),
    (lambda X: ParzenClassifier().fit(X, range(14)).predict(X[:, :1]), "X has 1 features, but ParzenClassifier is"),
    (lambda X: parzen_density(X, X, 0.0), "width must be a positive number"),
    (lambda X: parzen_density(X, X[:, :1], 1.0), "X has 2 features and Xt has 1"),
    (lambda X: parzen_density(np.ones((3, 3)), np.ones((1, 3)), 1e-140), "The densities overflow"),
])  # fmt: skip
def test_bad_input_gets_one_sentence(X, call, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        call(X)
