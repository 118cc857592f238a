"""Clusters in feature space: kernel k-means, spectral clustering and codebooks."""

import itertools

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from tolerances import EXACT, IDENTITY, close

from kmlab import gram
from kmlab._bases import NotConverged
from kmlab.centering import center_gram
from kmlab.clustering import KernelKMeans, KernelVQ, SpectralClustering, cluster_distance2, one_moved
from kmlab.datasets import permutations, rings, three_clusters, two_moons
from kmlab.engine.lloyd import Starts, far_apart, lowest, members
from kmlab.gram import Gram, OfFactor
from kmlab.graph import knn_graph, laplacian
from kmlab.kernels import Gaussian, KendallTau, Linear, NegativePower, Polynomial, Precomputed, feature_distance2
from kmlab.npt import NPT


def points(n, d, seed):
    X = np.random.default_rng(seed).standard_normal((n, d))
    X.setflags(write=False)
    return X


def same_partition(a, b):
    return adjusted_rand_score(a, b) == 1


KERNELS = [Linear(), Gaussian(1.0), Polynomial(2), NegativePower(1.0)]


# definition


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_distance_to_a_mean_is_its_formula_in_a_double_loop(kernel):
    X, labels = points(9, 2, 0), np.array([0, 1, 2, 0, 1, 1, 2, 0, 1])
    K = kernel(X)
    D = np.empty((9, 3))
    for i in range(9):
        for c in range(3):
            inside = np.flatnonzero(labels == c)
            between = np.mean([K[i, j] for j in inside])
            within = np.mean([K[j, m] for j in inside for m in inside])
            D[i, c] = K[i, i] - 2 * between + within
    close(cluster_distance2(K, labels), D, EXACT)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0), Polynomial(2)], ids=repr)
def test_distance_to_a_mean_is_that_of_coordinates(kernel):
    X, labels = points(12, 2, 0), np.arange(12) % 3
    Z = NPT(kernel, center=False, tol=1e-14).fit_transform(X)
    means = np.array([Z[labels == c].mean(0) for c in range(3)])
    close(cluster_distance2(kernel(X), labels), cdist(Z, means, "sqeuclidean"), 1e-8)


def test_the_fit_is_at_rest_and_reports_what_it_found():
    X = points(80, 2, 1)
    for kernel in KERNELS:
        model = KernelKMeans(kernel, 4).fit(X)
        D = cluster_distance2(kernel(X), model.labels_)
        assert model.converged_ and np.array_equal(D.argmin(1), model.labels_)
        close(model.inertia_, D.min(1).sum(), IDENTITY)
        assert np.array_equal(model.predict(X), model.labels_)
        assert np.array_equal(model.fit_predict(X), model.labels_)


def test_given_clusters_can_be_predicted_without_a_search():
    X, labels = points(30, 2, 2), np.arange(30) % 3
    model = KernelKMeans(Gaussian(1.0), 7).fit_labels(X, labels)
    assert np.array_equal(model.labels_, labels)
    assert np.array_equal(model.predict(X), cluster_distance2(Gaussian(1.0)(X), labels).argmin(1))
    with pytest.raises(ValueError, match="leave out a number"):
        model.fit_labels(X, 2 * labels)


def test_given_clusters_that_are_refused_leave_the_means_as_they_were():
    X = points(30, 2, 2)
    model = KernelKMeans(Gaussian(1.0), 3).fit(X)
    before = dict(vars(model))
    for refused in (lambda: model.fit_labels(X, [0] * 29), lambda: model.set_params(seed=-1).fit_labels(X, [0] * 30)):
        with pytest.raises(ValueError):
            refused()
    assert vars(model) | {"seed": 0} == before
    assert not hasattr(model.set_params(seed=0).fit_labels(X, [0] * 30), "inertia_"), "nothing of the old fit is left"


def test_a_codebook_covers_every_sample_and_is_chosen_greedily():
    X, k = points(30, 2, 7), Gaussian.from_gamma(0.5)
    D = feature_distance2(k(X))
    for radius in 0.3, 0.7, 1.0:
        model = KernelVQ(k, radius).fit(X)
        assert (D[:, model.codebook_].min(1) <= radius**2 + EXACT).all()
        left, chosen = set(range(30)), []
        while left:
            cover = [sum(D[i, j] <= radius**2 for j in left) for i in range(30)]
            chosen.append(cover.index(max(cover)))
            left -= {j for j in left if D[chosen[-1], j] <= radius**2}
        assert list(model.codebook_) == chosen
        assert np.array_equal(model.labels_, D[:, chosen].argmin(1)) and np.array_equal(model.predict(X), model.labels_)


def test_a_codebook_knows_lengths_and_its_radius_is_not_missed_by_rounding():
    X, Xt = points(30, 2, 7), points(20, 2, 8)
    model = KernelVQ(Polynomial(2), 2.0).fit(X)
    images = NPT(Polynomial(2), center=False, tol=1e-14).fit(X)
    D = cdist(images.transform(Xt), images.transform(X[model.codebook_]))
    assert np.array_equal(model.predict(Xt), D.argmin(1))
    assert list(KernelVQ(Linear(), 0.1).fit([[0.1], [0.2], [0.3]]).codebook_) == [1]


# theorem


@pytest.mark.parametrize("seed", range(4))
def test_kernel_k_means_is_k_means_on_coordinates_from_the_same_start(seed):  # N-kkmeans
    X, kernel = points(60, 2, seed), Gaussian(1.5)
    start = np.random.default_rng(seed).integers(0, 3, 60)
    Z = NPT(kernel, tol=1e-14).fit_transform(X)
    means = np.array([Z[start == c].mean(0) for c in range(3)])
    theirs = KMeans(3, init=means, n_init=1, algorithm="lloyd", tol=0, max_iter=300).fit(Z)
    steps = list(KernelKMeans(kernel, 3).steps(X, start))
    assert np.array_equal(steps[-1].labels, theirs.labels_)
    close(steps[-1].inertia, theirs.inertia_, 1e-8)


def test_centring_the_gram_changes_no_round():  # N-kkmeans
    X, start = points(50, 2, 3), np.arange(50) % 4
    K = Polynomial(2)(X)
    for shifted in center_gram(K), K + np.add.outer(X[:, 0], X[:, 0]):
        pair = [list(KernelKMeans(Precomputed(), 4).steps(G, start)) for G in (K, shifted)]
        assert len(pair[0]) == len(pair[1]) > 2
        for one, other in zip(*pair, strict=True):
            assert np.array_equal(one.labels, other.labels)
            close(one.inertia, other.inertia)


def test_the_codebook_shrinks_from_all_samples_to_one():  # N-kvq, E4.6
    X, k = points(30, 2, 7), Gaussian.from_gamma(0.5)
    sizes = [len(KernelVQ(k, radius).fit(X).codebook_) for radius in (0, 0.3, 0.6, 0.9, 1.2, 1.5)]
    assert sizes == [30, 20, 12, 5, 4, 1]
    assert len(KernelVQ(Gaussian(1e-3), np.sqrt(2)).fit(X).codebook_) == 1, "no two images are farther than √2"
    assert len(KernelVQ(k, 0).fit(np.vstack([X, X[:5]])).codebook_) == 30, "equal samples need one entry"


def test_clusters_need_no_coordinates_only_a_kernel():
    X = permutations(4)
    assert X.shape == (24, 4) and list(X[0]) == [1, 2, 3, 4] and len({tuple(row) for row in X}) == 24
    labels = KernelKMeans(KendallTau(), 2).fit(X).labels_
    reverse = [int(np.flatnonzero((X == 5 - row).all(1))[0]) for row in X]
    assert (labels[reverse] != labels).all(), "a ranking and its reverse are as far apart as can be"


# every step


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_inertia_never_grows_and_every_round_is_the_next_of_lloyd(kernel, seed):  # N-kkmeans
    X = points(70, 2, seed)
    steps, K = list(KernelKMeans(kernel, 5, seed=seed).steps(X)), kernel(X)
    assert steps[0].moved == 0 and len(steps) > 1
    for before, after in zip(steps, steps[1:], strict=False):
        assert after.inertia <= before.inertia + EXACT * abs(before.inertia)
        D = cluster_distance2(K, before.labels)
        assert np.array_equal(after.labels, D.argmin(1))
        assert after.moved == (after.labels != before.labels).sum() > 0
    for step in steps:
        close(step.inertia, cluster_distance2(K, step.labels)[np.arange(70), step.labels].sum(), IDENTITY)
    assert np.array_equal(cluster_distance2(K, steps[-1].labels).argmin(1), steps[-1].labels)


@pytest.mark.parametrize("sizes", [[2, 9, 5], [1, 2, 2], [2, 2], [1, 1, 4], [6, 7]], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_the_point_that_moves_gains_most_of_all(sizes, seed):
    X, labels = points(sum(sizes), 2, seed), np.repeat(np.arange(len(sizes)), sizes)

    def inertia(labels):
        return sum(((X[labels == c] - X[labels == c].mean(0)) ** 2).sum() for c in np.unique(labels))

    ways = {}
    for i, c in itertools.product(range(len(X)), range(len(sizes))):
        if sizes[labels[i]] > 1:  # whoever is alone stays
            other = labels.copy()
            other[i] = c
            ways[inertia(other)] = other
    moved = one_moved(cluster_distance2(X @ X.T, labels), labels)
    assert np.array_equal(moved, ways[min(ways)]) and len(ways) > 2


def test_an_empty_cluster_gets_the_farthest_point_and_inertia_still_falls():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [50.0]])
    steps = list(KernelKMeans(Linear(), 3).steps(X, [0, 0, 0, 0, 0, 0]))
    assert len(np.unique(steps[0].labels)) == 3
    assert steps[0].labels[5] != 0, "50 is farthest from the mean"
    assert steps[-1].labels[3] == steps[-1].labels[4] != steps[-1].labels[5]
    # means 0 and 8 draw all points, the third runs empty on the way: a middle cluster between two crowds
    X = np.concatenate([np.full(20, 0.0), np.full(20, 10.0), [4.9, 5.1]])[:, None] + 0.01 * points(42, 1, 0)
    start = np.repeat([0, 1, 2], [20, 20, 2])
    start[[0, 20]] = 2
    steps = list(KernelKMeans(Linear(), 3).steps(X, start))
    assert all(len(np.unique(step.labels)) == 3 for step in steps)
    assert np.all(np.diff([step.inertia for step in steps]) <= EXACT)


def test_a_cluster_that_loses_all_its_points_is_filled_within_the_run():
    X = np.array([[-2.0], [2.0], [-1.9], [1.9], [-1.0], [1.0]])
    start = np.array([0, 0, 1, 2, 1, 2])  # cluster 0 has its mean at 0, and both its points are nearer to the others
    assert len(np.unique(cluster_distance2(Linear()(X), start).argmin(1))) == 2
    steps = list(KernelKMeans(Linear(), 3).steps(X, start))
    assert all(len(np.unique(step.labels)) == 3 for step in steps)
    assert np.all(np.diff([step.inertia for step in steps]) <= EXACT) and len(steps) > 1
    far = cluster_distance2(Linear()(X), start)[np.arange(6), [1, 2, 1, 2, 1, 2]].argmax()
    assert steps[1].labels[far] == 0


def test_a_point_is_a_member_once():
    assert members(np.array([1, 0, 1]), 3).tolist() == [[0, 1, 0], [1, 0, 0], [0, 1, 0]]


def test_equal_distances_go_to_the_lower_cluster():
    X = np.array([[0.0], [2.0], [1.0]])
    for start in [0, 1, 0], [0, 1, 1]:
        steps = list(KernelKMeans(Linear(), 2, max_steps=1).steps(X, start))
        D = cluster_distance2(Linear()(X), np.array(start))
        assert steps[-1].labels.tolist() == [0, 1, int(D[2, 1] < D[2, 0] - 1e-9)]
    assert list(lowest(np.array([[1 + 1e-15, 1.0], [1 + 1e-9, 1.0]]))) == [0, 1], "equal up to rounding is equal"
    K = Linear()(np.array([[0.0], [4.0], [2.0], [2.0]]))
    model = KernelKMeans(Precomputed(), 2, restarts=1).fit(K)
    model.weights_, model.within_ = np.array([[1.0, 0], [0, 1], [0, 0], [0, 0]]), np.array([0.0, 16.0])
    assert list(model.predict(K)) == [0, 1, 0, 0]


def test_the_first_start_is_the_one_that_is_shown_and_more_starts_are_no_worse():
    X = points(60, 2, 8)
    for seed in range(5):
        shown = list(KernelKMeans(Gaussian(1.0), 6, seed=seed).steps(X))[-1]
        single = KernelKMeans(Gaussian(1.0), 6, seed=seed, restarts=1).fit(X)
        plain = list(Starts(Gram(Gaussian(1.0), X), 6, shown.labels[:, None]).rounds(100))
        assert len(plain) == 1, "the shown rounds come to rest"
        assert single.inertia_ <= shown.inertia + EXACT  # fit goes on from there
        many = KernelKMeans(Gaussian(1.0), 6, seed=seed, restarts=20).fit(X)
        assert many.inertia_ <= single.inertia_ + EXACT


def inertia_of(X, labels):
    return sum(((X[labels == c] - X[labels == c].mean(0)) ** 2).sum() for c in np.unique(labels))


def test_at_its_end_no_point_gains_by_a_change_of_sides():  # (CL.6), by trying all
    X = points(25, 2, 8)
    for seed in range(4):
        model = KernelKMeans(Linear(), 4, seed=seed, restarts=1).fit(X)
        close(model.inertia_, inertia_of(X, model.labels_))
        for i in range(25):
            for c in range(4):
                other = model.labels_.copy()
                other[i] = c
                if len(np.unique(other)) == 4:
                    assert inertia_of(X, other) >= model.inertia_ - 1e-9


@pytest.mark.parametrize("n_clusters", [2, 3])
def test_the_optimum_is_found_as_often_as_by_scikit_learn(n_clusters):
    ours = theirs = 0
    for seed in range(12):
        X = points(7, 2, 100 + seed)
        every = (np.array(labels) for labels in itertools.product(range(n_clusters), repeat=7))
        least = min(inertia_of(X, labels) for labels in every if len(np.unique(labels)) == n_clusters)
        for start in range(4):
            found = KernelKMeans(Linear(), n_clusters, seed=start, restarts=1).fit(X).inertia_
            known = KMeans(n_clusters, n_init=1, random_state=start).fit(X).inertia_
            ours, theirs = ours + (found <= least + 1e-9), theirs + (known <= least + 1e-9)
    assert ours >= theirs


def test_all_starts_together_are_what_each_is_alone():
    X, k = points(60, 2, 8), Gaussian(1.0)
    K = Gram(k, X)
    starts, first = (far_apart(K, 5, np.random.default_rng(3), r) for r in (6, 1))
    assert np.array_equal(first[:, 0], starts[:, 0]), "a start does not depend on how many there are"
    batch = Starts(K, 5, starts)
    for _ in batch.rounds(100):
        pass
    for r in range(6):
        alone = list(KernelKMeans(k, 5).steps(X, starts[:, r]))
        assert np.array_equal(alone[-1].labels, batch.labels[:, r]) and batch.n_rounds[r] == len(alone) - 1
        close(alone[-1].inertia, batch.inertia[r], EXACT)


def test_what_k_means_asks_of_a_gram_matrix_is_the_same_in_every_form(monkeypatch):
    Y, rows = points(30, 3, 1), [4, 7, 29]
    Z = points(3, 2, 2)
    K = Y @ Y.T
    close(OfFactor(Y).diag, K.diagonal())
    monkeypatch.setattr(gram, "MEMORY", 0)  # tile by tile
    for form in OfFactor(Y), Gram(Linear(), Y), Gram(Precomputed(), K):
        close(form.sums(rows, Z), K[rows].T @ Z)
        close(form.sums(slice(None), Y), K @ Y)
    close(Gram(Linear(), Y, ridge=2.0).sums(rows, Z), (K + 2 * np.eye(30))[rows].T @ Z)


def test_starts_are_drawn_far_apart_by_squared_distance():
    # three tight clouds: the chance that a second or third start point repeats a cloud is below 1e-4
    X = np.repeat([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]], 30, 0) + 0.1 * points(90, 2, 2)
    labels = far_apart(Gram(Linear(), X), 3, np.random.default_rng(0), 200)
    assert all(same_partition(np.repeat([0, 1, 2], 30), start) for start in labels.T)


def test_a_budget_that_is_too_small_is_said():
    X = points(200, 2, 5)
    with pytest.warns(NotConverged, match="KernelKMeans stopped after 1 steps, before its end: raise max_steps"):
        model = KernelKMeans(Gaussian(), 8, restarts=1, max_steps=1).fit(X)
    assert not model.converged_ and model.n_iter_ == 1
    assert KernelKMeans(Gaussian(), 8, restarts=1).fit(X).converged_


# the known picture


def test_rings_come_apart_in_feature_space_and_not_in_the_plane():
    X, y = rings((0.3, 2.0), 60, noise=0.1)
    assert same_partition(KernelKMeans(Gaussian(1.0), 2).fit(X).labels_, y)
    assert adjusted_rand_score(KernelKMeans(Linear(), 2).fit(X).labels_, y) < 0.3
    grid = KernelKMeans(Gaussian(1.0), 2).fit(X).on_grid([0.0, 2.0], [0.0])
    assert grid.shape == (1, 2) and grid[0, 0] != grid[0, 1]


@pytest.mark.parametrize(
    "data, k, neighbors",
    [
        (two_moons(200, noise=0.05), 2, 8),
        (rings((1.0, 2.0, 3.0), 80, noise=0.05), 3, 6),
        (three_clusters(40), 3, 10),
    ],
    ids=["moons", "rings", "clouds"],
)
def test_spectral_clustering_finds_the_pieces(data, k, neighbors):  # N-spectral
    X, y = data
    model = SpectralClustering(k, neighbors).fit(X)
    assert adjusted_rand_score(model.labels_, y) > (0.9 if k == 3 and neighbors == 10 else 0.999)


# oracle


def test_spectral_values_are_those_of_the_laplacian_and_rows_have_length_one():  # N-spectral
    X = two_moons(120, noise=0.1)[0]
    W = knn_graph(X, 6)
    model = SpectralClustering(5, 6).fit(X)
    L, D = laplacian(W).toarray(), np.diag(W.sum(1))
    lam, V = eigh(L, D, subset_by_index=(0, 4))  # the generalised problem of Laplacian eigenmaps
    close(model.eigenvalues_, lam, EXACT)
    close(np.linalg.norm(model.embedding_, axis=1), np.ones(120), EXACT)
    U = np.sqrt(np.diag(D))[:, None] * V
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    close(model.embedding_ @ model.embedding_.T, U @ U.T, 1e-8)
    assert (model.embedding_[:, 0] > 0).all()  # the constant function is a positive one


def test_separate_pieces_are_recovered_exactly():  # N-spectral
    X, y = rings((1.0, 3.0, 6.0), 50)
    model = SpectralClustering(3, 4).fit(X)
    close(model.eigenvalues_, [0, 0, 0], EXACT)
    assert same_partition(model.labels_, y)


@pytest.mark.parametrize("k", [2, 4])
def test_linear_kernel_k_means_is_as_good_as_scikit_learns(k):
    X = np.repeat([[0.0, 0.0], [6.0, 0.0], [0.0, 9.0], [9.0, 9.0]], 30, 0) + points(120, 2, 4)
    theirs = KMeans(k, n_init=30, random_state=0).fit(X)
    ours = KernelKMeans(Linear(), k, restarts=30).fit(X)
    close(ours.inertia_, theirs.inertia_, 1e-6)
    assert same_partition(ours.labels_, theirs.labels_)
    new = points(50, 2, 6)
    assert same_partition(ours.predict(new), theirs.predict(new))


def test_a_gram_matrix_will_do():
    X, Xt, k = points(40, 2, 1), points(9, 2, 2), Gaussian(1.5)
    for model in KernelKMeans(k, 3), KernelVQ(k, 0.6):
        labels, new = model.fit(X).labels_, model.predict(Xt)
        again = model.set_params(kernel=Precomputed()).fit(k(X))
        assert np.array_equal(again.labels_, labels) and np.array_equal(again.predict(k(Xt, X)), new)


def test_the_gram_matrix_of_the_caller_is_not_changed():
    K = Gaussian()(points(20, 2, 1))
    K.setflags(write=False)
    start = np.zeros(20, dtype=int)
    start.setflags(write=False)
    list(KernelKMeans(Precomputed(), 3).steps(K, start))
    KernelVQ(Precomputed(), 0.5).fit(K)
    cluster_distance2(K, start)


# refusal


@pytest.mark.parametrize("call, sentence", [
    (lambda X: KernelKMeans(n_clusters=0).fit(X), "n_clusters must be a whole number of at least 1"),
    (lambda X: KernelKMeans(n_clusters=15).fit(X), "n_clusters = 15 is more than the number of points, n_samples = 14"),
    (lambda X: KernelKMeans(n_clusters=3).fit(np.ones((9, 2))), "fewer different points: ask for fewer clusters"),
    (lambda X: KernelKMeans(seed=-1).fit(X), "seed must be a whole number"),
    (lambda X: KernelKMeans(restarts=0).fit(X), "restarts must be"),
    (lambda X: list(KernelKMeans(n_clusters=3).steps(X, [3] * 14)), "14 whole numbers from 0 to 2"),
    (lambda X: list(KernelKMeans().steps(X, [0.0] * 14)), "whole numbers"),
    (lambda X: cluster_distance2(np.eye(3), [0, 2, 2]), "leave out a number"),
    (lambda X: SpectralClustering(15, 3).fit(X), "n_clusters = 15 is more than the number of points"),
    (lambda X: SpectralClustering(2, 14).fit(X), "n_neighbors = 14 must be smaller"),
    (lambda X: SpectralClustering(2, 2).fit(rings((1, 5, 9), 20)[0]), "falls into 3 pieces, more than n_clusters = 2"),
    (lambda X: KernelVQ(radius=-0.1).fit(X), "radius must be a number of at least 0"),
    (lambda X: permutations(9), "too many rankings"),
])  # fmt: skip
def test_bad_input_gets_one_sentence(X, call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(X)
