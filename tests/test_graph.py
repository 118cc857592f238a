"""Neighbourhood graphs against brute force, and their Laplacian."""

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.csgraph import laplacian as scipy_laplacian
from sklearn.neighbors import kneighbors_graph
from tolerances import EXACT, close

from kmlab.graph import heat_width, knn_graph, laplacian, nearest

pytestmark = pytest.mark.filterwarnings("error")


def brute_force(X, k):
    """Neighbours by a stable sort of all distances, itself left out."""
    D = ((X[:, None] - X) ** 2).sum(2).astype(float)
    np.fill_diagonal(D, np.inf)
    W = np.zeros_like(D)
    np.put_along_axis(W, D.argsort(axis=1, kind="stable")[:, :k], 1.0, axis=1)
    return W


# definition


def test_knn_graph_is_a_stable_sort_whatever_the_ties():
    rng = np.random.default_rng(0)
    for _ in range(300):  # small integers: ties and duplicates everywhere
        n, d = rng.integers(2, 25), rng.integers(1, 4)
        X, k = rng.integers(0, 4, (n, d)), int(rng.integers(1, n))
        W = brute_force(X, k)
        assert np.array_equal(knn_graph(X, k).toarray(), np.maximum(W, W.T))
        assert np.array_equal(knn_graph(X, k, symmetrize="and").toarray(), np.minimum(W, W.T))
        assert np.array_equal(knn_graph(X, k, symmetrize="mean").toarray(), (W + W.T) / 2)


def test_ties_up_to_rounding_are_ties():
    step = 0.1 * np.arange(12)  # 0.3 - 0.2 is not quite 0.1
    W = knn_graph(step[:, None], 1, symmetrize="or").toarray()
    expected = brute_force(np.arange(12)[:, None], 1)
    assert np.array_equal(W, np.maximum(expected, expected.T))
    assert np.array_equal(knn_graph(np.full((6, 2), 0.1), 2).toarray()[5], [1, 1, 0, 0, 0, 0])


def test_nearest_comes_first_and_its_distance_is_right():
    rng = np.random.default_rng(1)
    for X in rng.standard_normal((30, 2)), rng.integers(0, 3, (30, 2)).astype(float):
        D = np.linalg.norm(X[:, None] - X, axis=2)
        others = np.sort(D + np.diag(np.full(30, np.inf)), axis=1)
        for k in 1, 7, 16, 29:
            distance, index = nearest(X, k)
            close(distance, np.take_along_axis(D, index, 1), EXACT)
            close(distance, others[:, :k], EXACT)
            assert all(len({*row, i}) == k + 1 for i, row in enumerate(index))


def test_heat_weights_fall_with_the_distance(X):
    D = np.linalg.norm(X[:, None] - X, axis=2)
    edges = knn_graph(X, 4).toarray()
    close(knn_graph(X, 4, weights="heat", width=0.7).toarray(), edges * np.exp(-((D / 0.7) ** 2)), EXACT)
    mean = nearest(X, 4)[0].mean()
    close(knn_graph(X, 4, weights="heat").toarray(), edges * np.exp(-((D / mean) ** 2)), EXACT)


def test_a_heat_width_that_is_not_given_is_the_mean_distance_and_never_zero():
    assert heat_width(np.array([[1.0, 2.0], [3.0, 6.0]])) == 3 and heat_width(np.zeros((4, 2))) == 1


# theorem


@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_both_ways_to_symmetrise_are_symmetric_without_loops(weights):  # S7
    X = np.random.default_rng(2).standard_normal((30, 2))
    k = 5
    either, both = (knn_graph(X, k, how, weights).toarray() for how in ("or", "and"))
    for W in either, both:
        assert np.array_equal(W, W.T) and not np.diag(W).any()
    assert ((either > 0).sum(1) >= k).all() and ((both > 0).sum(1) <= k).all()
    assert (both > 0).sum() < 30 * k < (either > 0).sum(), "the relation itself is not symmetric"
    assert (both > 0).sum() + (either > 0).sum() == 2 * 30 * k


def test_laplacian_is_the_energy_of_a_function_on_the_graph(X):
    W = knn_graph(X, 3, weights="heat").toarray()
    g = np.random.default_rng(3).standard_normal(len(X))
    energy = sum(W[i, j] * (g[i] - g[j]) ** 2 for i in range(14) for j in range(14)) / 2
    L = laplacian(W).toarray()
    close(g @ L @ g, energy, EXACT)
    close(L.sum(1), np.zeros(14), EXACT)
    assert np.linalg.eigvalsh(L)[0] > -EXACT


def test_laplacian_has_one_zero_eigenvalue_for_each_component():  # S6
    clouds = np.concatenate([np.random.default_rng(i).standard_normal((12, 2)) + 20 * i for i in range(3)])
    W = knn_graph(clouds, 4)
    zeros = (np.linalg.eigvalsh(laplacian(W).toarray()) < 1e-9).sum()
    assert zeros == connected_components(W)[0] >= 3


def test_the_scale_of_the_data_does_not_matter(X):
    for scale in 1e149, 1e-140:
        for weights in "binary", "heat":
            close(knn_graph(scale * X, 4, weights=weights).toarray(), knn_graph(X, 4, weights=weights).toarray(), EXACT)
    assert knn_graph(1e149 * X, 4, weights="heat", width=1e-149).nnz == 0, "beyond the width nothing is left"


def test_duplicates_have_heat_weight_one():
    assert set(knn_graph(np.ones((5, 2)), 2, weights="heat").toarray().ravel()) == {0.0, 1.0}


# oracle


def test_scikit_learn_and_scipy_agree_where_nothing_is_tied(X):
    W = kneighbors_graph(X, 4).toarray()
    assert np.array_equal(knn_graph(X, 4).toarray(), np.maximum(W, W.T))
    W = knn_graph(X, 4, weights="heat")
    close(laplacian(W).toarray(), scipy_laplacian(W.toarray()), EXACT)


def test_laplacian_takes_any_form_of_matrix_and_does_not_change_it(X):
    W = knn_graph(X, 3).toarray()
    for form in W.tolist(), W.astype(int), coo_array(W), csr_array(W.astype(int)):
        close(laplacian(form).toarray(), np.diag(W.sum(1)) - W, EXACT)
    assert not laplacian(csr_array((3, 3))).toarray().any()
    sparse = csr_array(W)
    before = sparse.data.copy(), sparse.indices.copy()
    laplacian(sparse)
    assert np.array_equal(sparse.data, before[0]) and np.array_equal(sparse.indices, before[1])


# refusal


@pytest.mark.parametrize(
    "params, sentence",
    [
        ({"n_neighbors": 14}, "n_neighbors = 14 must be smaller than the number of points, 14"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number"),
        ({"n_neighbors": 2.0}, "n_neighbors must be a whole number"),
        ({"n_neighbors": True}, "n_neighbors must be a whole number"),
        ({"symmetrize": "xor"}, "symmetrize must be one of 'or', 'and'"),
        ({"symmetrize": np.ones(3)}, "symmetrize must be one of"),
        ({"weights": "gauss"}, "weights must be one of 'binary', 'heat'"),
        ({"width": 0}, "width must be a positive number"),
        ({"width": "wide", "weights": "heat"}, "width must be a positive number"),
        ({"width": 1e-200, "weights": "heat"}, "width must be between"),
    ],
)
def test_knn_graph_refuses_parameters(params, sentence, X):
    with pytest.raises(ValueError, match=sentence):
        knn_graph(X, **params)


@pytest.mark.parametrize(
    "W, sentence",
    [
        ([[0.0, 1.0], [0.0, 0.0]], "symmetric matrix of weights"),
        (np.ones((2, 3)), "symmetric matrix of weights"),
        (csr_array(np.triu(np.ones((3, 3)))), "symmetric matrix of weights"),
        (csr_array((0, 0)), "symmetric matrix of weights"),
        (coo_array([0.0, 1.0, 1.0, 0.0]), "symmetric matrix of weights"),
        (csr_array([[0.0, np.nan], [np.nan, 0.0]]), "W contains NaN"),
        (csr_array([[0.0, np.inf], [np.inf, 0.0]]), "W contains inf"),
        (csr_array([[0.0, 1j], [1j, 0.0]]), "Complex data"),
    ],
)
def test_laplacian_refuses_what_is_no_graph(W, sentence):
    with pytest.raises(ValueError, match=sentence):
        laplacian(W)
