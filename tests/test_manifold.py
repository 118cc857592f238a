"""Eigenmaps, LPP and kernel LPP against dense solvers, double loops and scikit-learn; the homework's bars."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array
from scipy.stats import spearmanr
from sklearn.manifold import SpectralEmbedding
from tolerances import EXACT, IDENTITY, ROOT, close, same_subspace, same_up_to_sign

from kmlab.course.experiments.locality import direction_energy
from kmlab.course.samples import lying_h
from kmlab.datasets import digits, s_curve, swiss_roll
from kmlab.engine.smoothest import by_all, by_inverse, by_products, reach
from kmlab.graph import components, degrees, graph_modes, knn_graph, laplacian, nearest, smallest
from kmlab.kernels import Exponential, Gaussian, Linear, Polynomial, Precomputed
from kmlab.manifold import LPP, KernelLPP, LaplacianEigenmap
from kmlab.pca import PCA

pytestmark = pytest.mark.filterwarnings("error")


def thirty(seed=33):
    """Thirty points in three dimensions: a linear kernel has rank 3, so 27 directions are too many."""
    return np.random.default_rng(seed).standard_normal((30, 3))


def dense_modes(W):
    W = W.toarray()
    D = np.diag(W.sum(1))
    return eigh(D - W, D)


def path(n):
    return np.eye(n, k=1) + np.eye(n, k=-1)


def cycle(n):
    W = path(n)
    W[0, -1] = W[-1, 0] = 1
    return W


def clouds(sizes=(60, 50, 40), apart=30.0, seed=0):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.standard_normal((m, 2)) + apart * i for i, m in enumerate(sizes)])


def untied_digits():
    """Grey values are whole numbers, so distances are tied; a little noise, and there is one answer."""
    return digits()[0][:400] + 1e-6 * np.random.default_rng(0).standard_normal((400, 64))


def ranks(a, b):
    return abs(spearmanr(a, b).statistic)


# definition


@pytest.mark.parametrize("symmetrize", ["or", "and", "mean"])
@pytest.mark.parametrize("weights", ["binary", "heat"])
@pytest.mark.parametrize("n", [60, 400])  # dense, and sparse
def test_the_eigenmap_solves_the_generalised_eigenproblem(symmetrize, weights, n):  # A40
    X = s_curve(n)[0]
    model = LaplacianEigenmap(3, 10, symmetrize, weights).fit(X)
    W = knn_graph(X, 10, symmetrize, weights)
    mu, Phi = dense_modes(W)
    close(model.mu_, mu[1:4])
    same_up_to_sign(model.embedding_, Phi[:, 1:4], 1e-8)
    close(model.embedding_.T @ (W.sum(1)[:, None] * model.embedding_), np.eye(3))
    assert (model.graph_ != W).nnz == 0
    largest = np.abs(model.embedding_).argmax(0)
    assert (model.embedding_[largest, range(3)] > 0).all()


def test_path_and_cycle_have_their_known_spectra():  # E13.2, E13.6
    close(graph_modes(path(3), 3)[0], [0, 1, 2], EXACT)
    for n in 5, 8, 301:
        k = 5
        close(graph_modes(path(n), k)[0], np.sort(1 - np.cos(np.pi * np.arange(n) / (n - 1)))[:k], EXACT)
        close(graph_modes(cycle(n), k)[0], np.sort(1 - np.cos(2 * np.pi * np.arange(n) / n))[:k], EXACT)


def test_no_copy_of_a_repeated_eigenvalue_is_missed():
    for n in 9, 400:
        mu, Phi = LaplacianEigenmap(2).fit_graph(cycle(n)).mu_, LaplacianEigenmap(2).fit_graph(cycle(n)).embedding_
        close(mu, [1 - np.cos(2 * np.pi / n)] * 2, EXACT)
        angle = 2 * np.pi * np.arange(n) / n
        same_subspace(Phi, np.column_stack([np.cos(angle), np.sin(angle)]), 1e-8)
    for n in 60, 300:
        close(graph_modes(np.ones((n, n)) - np.eye(n), 6)[0][1:], np.full(5, n / (n - 1)))
    star = np.zeros((300, 300))
    star[0, 1:] = star[1:, 0] = 1
    close(graph_modes(star, 5)[0], [0, 1, 1, 1, 1])


def test_new_points_are_means_of_their_neighbours_stretched():  # (LE.2), double loop
    X, Xt = s_curve(200)[0], s_curve(20, seed=5)[0]
    for weights in "binary", "heat":
        model = LaplacianEigenmap(2, 6, weights=weights).fit(X)
        width = nearest(X, 6)[0].mean()
        for x, z in zip(Xt, model.transform(Xt), strict=True):
            d = np.linalg.norm(X - x, axis=1)
            near = np.argsort(d)[:6]
            w = np.exp(-((d[near] / width) ** 2)) if weights == "heat" else np.ones(6)
            total = sum(w[j] * model.embedding_[near[j]] for j in range(6))
            close(z, total / w.sum() / (1 - model.mu_), IDENTITY)


def test_a_new_point_far_from_all_still_has_neighbours_with_some_weight():
    X = s_curve(80)[0]
    model = LaplacianEigenmap(2, 5, weights="heat", width=0.5).fit(X)
    x = np.array([60.0, 2.0, 1.0])  # exp(-(60/0.5)²) is zero in every computer
    d2 = ((X - x) ** 2).sum(1)
    near = np.argsort(d2)[:5]
    w = np.exp((d2[near[0]] - d2[near]) / 0.5**2)
    close(model.transform([x])[0], w @ model.embedding_[near] / w.sum() / (1 - model.mu_), ROOT)


def test_lpp_solves_its_printed_problem():  # A42
    X = thirty()
    for center in None, "D":
        model = LPP(2, 5, center=center).fit(X)
        W = knn_graph(X, 5).toarray()
        D = np.diag(W.sum(1))
        Xc = X - (W.sum(1) @ X / W.sum() if center else 0)
        mu, B = eigh(Xc.T @ (D - W) @ Xc, Xc.T @ D @ Xc)
        close(model.mu_, mu[:2])
        same_up_to_sign(model.components_.T, B[:, :2])
        close(model.embedding_, Xc @ model.components_.T)
        close(model.embedding_.T @ D @ model.embedding_, np.eye(2))
        close(model.transform(X[:7]), model.embedding_[:7])
        assert (model.embedding_[np.abs(model.embedding_).argmax(0), range(2)] > 0).all()


def test_lpp_takes_the_direction_of_least_energy():  # the curve of notebook 13, by a double loop
    X = lying_h()
    model = LPP(2, 10, center="D").fit(X)
    W, b = model.graph_.toarray(), model.components_[0]
    angle = np.degrees(np.arctan2(b[1], b[0]))

    def quotient(degrees):
        g = (X - model.mean_) @ [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]
        energy = sum(W[i, j] * (g[i] - g[j]) ** 2 for i in range(len(X)) for j in range(i))
        return energy / sum(W[i].sum() * g[i] ** 2 for i in range(len(X)))

    close(direction_energy(X, 10, [20.0, angle]), [quotient(20.0), model.mu_[0]])
    curve = direction_energy(X, 10, angle + np.arange(180))
    assert curve.argmin() == 0 and curve.max() < model.mu_[1] + IDENTITY


def test_lpp_follows_the_edges_and_with_many_neighbours_the_spread():
    X = lying_h()
    along = PCA(1).fit(X).components_[0]
    assert abs(along[0]) > 0.99
    for neighbors, across in ((10, True), (40, False)):
        b = LPP(1, neighbors, center="D").fit(X).components_[0]
        assert (abs(b[1]) > 0.99 * np.linalg.norm(b)) == across and (abs(b[0]) > 0.99 * np.linalg.norm(b)) != across


def test_kernel_lpp_solves_its_printed_problem_where_that_has_an_answer():  # A41
    X, k = thirty(), Gaussian(1.0)
    model = KernelLPP(k, 2, 5).fit(X)
    K, W = k(X), knn_graph(X, 5).toarray()
    D = np.diag(W.sum(1))
    close(K @ (D - W) @ K @ model.alphas_, K @ D @ K @ model.alphas_ * model.mu_)
    close(model.alphas_.T @ K @ D @ K @ model.alphas_, np.eye(2))
    close(model.embedding_, K @ model.alphas_)
    close(model.mu_, eigh(K @ (D - W) @ K, K @ D @ K, eigvals_only=True)[1:3], 1e-8)


# theorem


def test_the_eigenmap_minimises_the_energy_and_its_value_is_the_trace():  # S8
    X = s_curve(150)[0]
    model = LaplacianEigenmap(2).fit(X)
    W, Y = model.graph_.toarray(), model.embedding_
    energy = sum(W[i, j] * ((Y[i] - Y[j]) ** 2).sum() for i in range(150) for j in range(150)) / 2
    close(energy, model.mu_.sum())
    rng, d = np.random.default_rng(0), W.sum(1)
    for _ in range(20):  # any other admissible Y costs more
        other = rng.standard_normal((150, 2))
        other -= d @ other / d.sum()
        other = other @ np.linalg.inv(np.linalg.cholesky(other.T @ (d[:, None] * other))).T
        assert np.trace(other.T @ laplacian(W) @ other) > energy


def test_eigenvalues_lie_between_zero_and_two():
    for W in path(40), knn_graph(thirty(), 4).toarray(), cycle(10):  # paths and even cycles reach 2
        mu, Phi = graph_modes(W, len(W))
        assert mu.min() == 0 and mu.max() <= 2
        close(Phi.T @ (W.sum(1)[:, None] * Phi), np.eye(len(W)))
    close(graph_modes(cycle(10), 10)[0][-1], 2)


@pytest.mark.parametrize("sizes", [(12, 10, 8), (60, 50, 40), (150, 140, 90)])
def test_every_component_has_one_zero_and_the_vectors_are_constant_on_it(sizes):  # S6, E13.1
    X, part = clouds(sizes), np.repeat(range(3), sizes)
    W = knn_graph(X, 7)
    mu, Phi = graph_modes(W, 5)
    assert np.array_equal(mu[:3], np.zeros(3)) and mu[3] > 1e-4
    for p in range(3):
        assert np.ptp(Phi[part == p, :3], axis=0).max() == 0
    reference, _ = dense_modes(W)
    close(mu, reference[:5])
    close(Phi.T @ (W.sum(1)[:, None] * Phi), np.eye(5))
    assert np.array_equal(graph_modes(W, 2)[0], [0, 0])


def test_training_points_get_their_coordinates_back():
    X = s_curve(300)[0]
    for model in LaplacianEigenmap(2), LaplacianEigenmap(2, weights="heat"), LaplacianEigenmap(2, symmetrize="and"):
        Y = model.fit_transform(X)
        close(model.transform(X[::-1]), Y[::-1], EXACT)
        W, d = model.graph_, model.graph_.sum(1)  # because (LE.2) is (LE.1) on the graph's own rows
        close((W @ Y) / d[:, None] / (1 - model.mu_), Y, 1e-9)


@pytest.mark.parametrize("center", [None, "D"])
def test_so_they_do_where_few_columns_of_the_gram_matrix_are_enough(center):  # (KLPP.2), rank 10 of 600
    X = s_curve(600)[0]
    model = KernelLPP(Polynomial(2, 1.0), 2, center=center).fit(X)
    assert np.abs(model.embedding_).max() > 1e-3
    close(model.transform(X[::-1]), model.embedding_[::-1], 1e-7)


def test_new_points_land_where_they_lie_on_the_sheet():
    X, _ = s_curve(1000)
    Xt, t = s_curve(300, seed=7)
    Z = LaplacianEigenmap().fit(X).transform(Xt)
    assert ranks(Z[:, 0], t[:, 0]) > 0.99 and ranks(Z[:, 1], t[:, 1]) > 0.85


def test_with_a_full_rank_kernel_kernel_lpp_is_the_eigenmap_whatever_the_kernel():  # S3a, S3c
    X = thirty()
    plain = LaplacianEigenmap(3, 5).fit(X)
    for kernel in Gaussian(1.0), Gaussian(0.4), Exponential(1.0), Gaussian(1.0) + Linear():
        model = KernelLPP(kernel, 3, 5).fit(X)
        close(model.mu_, plain.mu_)
        close(model.embedding_, plain.embedding_, 1e-9)
        close(model.transform(X), model.embedding_, 1e-9)


def test_with_a_singular_kernel_it_is_not():  # S3b
    X = thirty()
    first = LaplacianEigenmap(1, 5).fit(X).mu_[0]
    for kernel in Linear(), Polynomial(2, 0.0):
        assert KernelLPP(kernel, 1, 5).fit(X).mu_[0] > first + 0.03, "among fewer functions the best is worse"


def test_with_a_linear_kernel_it_is_lpp():  # S4-fix
    X, Xt = thirty(), thirty(4)
    for center in None, "D":
        linear, kernel = LPP(2, 5, center=center).fit(X), KernelLPP(Linear(), 2, 5, center=center).fit(X)
        close(kernel.mu_, linear.mu_)
        close(kernel.embedding_, linear.embedding_)
        close(kernel.transform(Xt), linear.transform(Xt))


@pytest.mark.parametrize("eps", [1e-3, 1e-6])
def test_the_slides_regulariser_returns_the_null_space_of_the_kernel(eps):  # S4, E13.5
    X = thirty()
    K, W = Linear()(X), knn_graph(X, 5)
    model = KernelLPP(Linear(), 27, 5, regularizer="slide", eps=eps).fit(X)
    assert np.abs(model.mu_).max() < 1e-6 and np.abs(model.embedding_).max() < ROOT
    close(model.alphas_.T @ (K @ (W.sum(1)[:, None] * K) + eps * np.eye(30)) @ model.alphas_, np.eye(27), 1e-6)
    beyond = KernelLPP(Linear(), 28, 5, regularizer="slide", eps=eps).fit(X)
    assert beyond.mu_[27] > 0.1 and np.abs(beyond.embedding_[:, 27]).max() > 0.05, "n - rank K = 27 zeros, no more"
    close(beyond.mu_[27], LPP(1, 5).fit(X).mu_[0], 1e-3)


def test_the_slides_regulariser_shrinks_the_embedding_of_a_wide_gaussian():  # S4
    X, k = thirty(), Gaussian(10.0)
    K = k(X)
    D = np.diag(knn_graph(X, 5).sum(1).ravel())
    slide = KernelLPP(k, 2, 5, regularizer="slide").fit(X)
    fixed = KernelLPP(k, 2, 5).fit(X)
    lengths = [np.diag(m.alphas_.T @ K @ D @ K @ m.alphas_) for m in (slide, fixed)]
    assert lengths[0].max() < 0.01
    assert (slide.alphas_[np.abs(slide.alphas_).argmax(0), [0, 1]] > 0).all()
    close(lengths[1], np.ones(2), 1e-5)


def test_epsilon_on_the_other_side_and_the_other_end_is_harmless():  # S4-left
    X = thirty()
    K, W = Linear()(X), knn_graph(X, 5)
    D, L = np.diag(W.sum(1).ravel()), laplacian(W).toarray()
    nu, alphas = eigh(K @ D @ K, K @ L @ K + 1e-9 * np.eye(30))
    linear = LPP(2, 5).fit(X)
    close(1 / nu[::-1][:2], linear.mu_, 1e-7)
    Y = K @ alphas[:, ::-1][:, :2]
    same_up_to_sign(Y / np.sqrt((Y * (D @ Y)).sum(0)), linear.embedding_, 1e-6)


def test_the_constant_vector_is_a_solution_and_is_left_out():  # S5, S3
    X = thirty()
    K, W = Gaussian(1.0)(X), knn_graph(X, 5)
    mu, alphas = eigh(K @ (laplacian(W) @ K), K @ (W.sum(1)[:, None] * K))
    first = K @ alphas[:, 0]
    assert abs(mu[0]) < IDENTITY and first.std() < IDENTITY * abs(first.mean())
    assert KernelLPP(Gaussian(1.0), 2, 5).fit(X).mu_[0] > 0.05
    assert KernelLPP(Gaussian(1.0), 2, 5, regularizer="slide", eps=1e-10).fit(X).mu_[0] < 1e-8, "kept here"


def test_lpp_moves_with_the_origin_and_the_weighted_mean_mends_it():  # S19
    X = thirty()
    here, there = LPP(2, 5).fit(X).mu_, LPP(2, 5).fit(X + 3).mu_
    assert np.abs(here - there).max() > 0.05
    close(LPP(2, 5, center="D").fit(X).mu_, LPP(2, 5, center="D").fit(X + 3).mu_)
    for model in LPP(2, 5, center="D"), KernelLPP(Gaussian(3.0), 2, 5, center="D"):
        model.fit(X)
        close(model.graph_.sum(1) @ model.embedding_, np.zeros(2), 1e-9)  # orthogonal to the trivial solution


def test_centring_a_full_rank_kernel_changes_nothing():
    X = thirty()
    centred, plain = (KernelLPP(Gaussian(0.7), 2, 5, center=c).fit(X) for c in ("D", None))
    close(centred.mu_, plain.mu_)
    close(centred.embedding_, plain.embedding_, 1e-9)
    close(centred.transform(X), centred.embedding_, 1e-9)


def test_a_given_gram_matrix_finds_its_neighbours_in_feature_space():
    X, Xt, k = thirty(), thirty(4), Gaussian(1.0)  # of a Gaussian they are those of the data
    for center in None, "D":
        for kind in "range", "slide":
            data = KernelLPP(k, 2, 5, center=center, regularizer=kind).fit(X)
            gram = KernelLPP(Precomputed(), 2, 5, center=center, regularizer=kind).fit(k(X))
            close(gram.embedding_, data.embedding_, 1e-9)
            close(gram.transform(k(Xt, X)), data.transform(Xt), 1e-8)


def test_constant_columns_do_not_disturb_lpp():
    X, y = digits()
    X = X[:200]
    assert (X.std(0) == 0).any()
    model = LPP(2).fit(X)
    close(model.embedding_.T @ (model.graph_.sum(1)[:, None] * model.embedding_), np.eye(2), 1e-8)
    close(model.transform(X), model.embedding_, 1e-8)


# the known picture


@pytest.mark.parametrize("seed", range(5))
def test_the_homework_unfolds_the_s_curve(seed):  # HW
    X, t = s_curve(1000, width=5.0, seed=seed)
    Y = LaplacianEigenmap(2, 10).fit_transform(X)
    assert ranks(Y[:, 0], t[:, 0]) >= 0.98 and ranks(Y[:, 1], t[:, 1]) >= 0.85
    Y = LaplacianEigenmap(2, 10).fit_transform(X[:500])
    assert ranks(Y[:, 0], t[:500, 0]) >= 0.98 and ranks(Y[:, 1], t[:500, 1]) >= 0.85


@pytest.mark.parametrize("width", [2.0, 3.0])
def test_on_a_narrow_sheet_the_second_coordinate_repeats_the_first(width):  # S8-w2, HW
    for seed in range(5):
        X, t = s_curve(1000, width=width, seed=seed)
        Y = LaplacianEigenmap(2, 10).fit_transform(X)
        assert ranks(Y[:, 0], t[:, 0]) > 0.98 and ranks(Y[:, 1], t[:, 1]) < 0.25
        assert ranks(Y[:, 1], np.abs(t[:, 0])) > 0.9, "a fold: it tells the middle of the arc from its ends"


def test_the_spectrum_of_a_sheet_is_that_of_a_membrane():  # E13.3
    X, _ = s_curve(4000, width=2.0)
    mu = LaplacianEigenmap(4, 10).fit(X).mu_
    arc = (np.arange(1, 5) * np.pi / (3 * np.pi)) ** 2
    assert (np.pi / 2) ** 2 > arc[3] and np.abs(mu / mu[0] / (arc / arc[0]) - 1).max() < 0.12


# oracle


@pytest.mark.parametrize("data", [s_curve(800)[0], swiss_roll(500)[0], untied_digits()], ids=["S", "roll", "digits"])
def test_scikit_learn_finds_the_same_embedding(data):
    # it counts a point among its own neighbours, and gives a one-sided edge half the weight
    theirs = SpectralEmbedding(3, affinity="nearest_neighbors", n_neighbors=13, eigen_solver="arpack").fit(data)
    ours = LaplacianEigenmap(3, 12, symmetrize="mean").fit(data).embedding_
    scaled = theirs.embedding_ * np.linalg.norm(ours, axis=0) / np.linalg.norm(theirs.embedding_, axis=0)
    same_up_to_sign(ours, scaled, 1e-8)


def test_in_many_dimensions_products_find_what_the_factor_finds():
    W = knn_graph(np.random.default_rng(0).random((1500, 8)), 12)
    L, d = laplacian(W), degrees(W)
    assert reach(L) > 1000 > reach(laplacian(knn_graph(s_curve(1500)[0], 12)))
    N = csr_array(L / np.sqrt(d) / np.sqrt(d)[:, None])
    C = csr_array((np.sqrt(d / d.sum()))[:, None])
    (mu, V), (nu, U) = by_products(N, C, 2), by_inverse(N, C, 2)  # both must agree, whichever is taken
    close(mu, nu)
    same_subspace(V, U, 1e-8)
    close(N @ V, V * mu, 1e-9)
    close(smallest(L, d, 2)[0], mu, EXACT)


def test_a_graph_may_be_an_array_too():
    W = knn_graph(clouds((6, 5)), 2)
    for found, wanted in zip(components(W.toarray()), components(W), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("k", [1, 3, 7])
@pytest.mark.parametrize("X", [s_curve(700)[0], np.random.default_rng(0).random((700, 5)), clouds((300, 250, 150))])
def test_the_smallest_of_a_large_graph_are_those_of_the_plain_solver(X, k):  # engine/smoothest.py and eigh(L, D)
    W = knn_graph(X, 8)
    L, d, zeros = laplacian(W), degrees(W), components(W)[0]
    mu, Phi = eigh(L.toarray(), np.diag(d))
    found, Y = smallest(L, d, k)
    close(found, mu[zeros : zeros + k], EXACT)
    same_up_to_sign(Y, Phi[:, zeros : zeros + k], 1e-8)
    close(np.stack(by_all(*normalised(L, d, W), k)[0]), found, EXACT)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_graphs_with_few_different_eigenvalues_exhaust_their_products_and_still_give_orthonormal_modes(k):
    cliques = np.kron(np.eye(3), np.ones((120, 120)) - np.eye(120))
    cliques[[0, 120, 120, 240], [120, 0, 240, 120]] = 1
    stars = np.zeros((400, 400))
    stars[0, 1:201] = stars[200, 201:] = 1
    for W in cliques, stars + stars.T:
        d = degrees(W)
        mu, Phi = smallest(laplacian(W), d, k)
        close(Phi.T @ (d[:, None] * Phi), np.eye(k), EXACT)
        close(laplacian(W) @ Phi, d[:, None] * Phi * mu, 1e-7)
        close(mu, eigh(np.diag(d) - W, np.diag(d), eigvals_only=True)[1 : k + 1])


def normalised(L, d, W):
    """D^-½ L D^-½, and its vectors of eigenvalue zero."""
    root, part = np.sqrt(d), components(W)[1]
    C = np.where(part[:, None] == np.arange(part.max() + 1), root[:, None], 0)
    return csr_array(L / root / root[:, None]), csr_array(C / np.linalg.norm(C, axis=0))


def test_a_graph_can_be_given_in_any_form():
    W = knn_graph(s_curve(150)[0], 8)
    models = [LaplacianEigenmap(2).fit_graph(form) for form in (W, W.toarray(), W.tocoo(), W.toarray().tolist())]
    for model in models[1:]:
        close(model.embedding_, models[0].embedding_, EXACT)
    before = W.copy()
    LaplacianEigenmap(2).fit_graph(W)
    assert (W != before).nnz == 0


# refusal


def test_a_disconnected_graph_is_said_in_one_sentence():  # E-S6
    sentence = r"falls into 3 components that no edge joins \(sizes 60, 50, 40\).*take more neighbours, or embed each"
    for model in LaplacianEigenmap(2, 7), LPP(2, 7), KernelLPP(Gaussian(1.0), 2, 7), LPP(1, 7, center="D"):
        with pytest.warns(UserWarning, match=sentence):
            model.fit(clouds())
        assert model.mu_[0] > 1e-9, "every zero is dropped"
    many = clouds((6,) * 8)
    with pytest.warns(UserWarning, match=r"8 components.*sizes 6, 6, 6, 6, 6, \.\.\.\)"):
        LaplacianEigenmap(1, 3).fit(many)


def test_the_warning_points_at_the_line_that_asked():
    W = knn_graph(clouds(), 7)
    with pytest.warns(UserWarning, match="falls into 3 components") as told:
        LaplacianEigenmap(2, 7).fit(clouds())
        LaplacianEigenmap(2).fit_graph(W)
        LPP(2, 7).fit(clouds())
        KernelLPP(Gaussian(1.0), 2, 7).fit(clouds())
    assert [warning.filename for warning in told] == 4 * [__file__]


def test_a_graph_that_is_refused_leaves_the_eigenmap_as_it_was():
    X = s_curve(60)[0]
    model = LaplacianEigenmap(2, 5).fit(X)
    before, Z = dict(vars(model)), model.transform(X[:3])
    for bad in np.zeros((5, 5)), cycle(3)[:, :2], path(2):
        with pytest.raises(ValueError):
            model.fit_graph(bad)
    assert vars(model) == before and np.array_equal(model.transform(X[:3]), Z)
    assert model.fit_graph(cycle(9)).X_ is None and model.n_features_in_ == 9 and model.n_components == 2


def test_an_edge_of_weight_zero_joins_nothing():
    W = csr_array((np.array([1.0, 1, 0, 0, 1, 1]), ([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2])), shape=(4, 4))
    mu, Phi = graph_modes(W, 2)
    assert np.array_equal(mu, [0, 0]) and np.array_equal(Phi != 0, np.kron(np.eye(2), np.ones((2, 1))))
    assert components(W)[0] == 2 and W.nnz == 6, "what is given is not changed"


def test_an_isolated_vertex_is_refused_by_its_number():
    W = np.zeros((5, 5))
    W[0, 1] = W[1, 0] = 1
    with pytest.raises(ValueError, match=r"Vertex 2 \(and 2 more\) has no neighbour.*take more neighbours"):
        LaplacianEigenmap(1).fit_graph(W)
    with pytest.raises(ValueError, match=r"Vertex 4 has no neighbour"):
        graph_modes(np.pad(cycle(4), (0, 1)), 2)
    far = np.array([[0.0], [0.1], [0.2], [9.0]])  # nobody wants the last point
    with pytest.raises(ValueError, match="Vertex 3 has no neighbour"):
        LaplacianEigenmap(1, 2, symmetrize="and").fit(far)


@pytest.mark.parametrize(
    "use, sentence",
    [
        (lambda X: LaplacianEigenmap(30, 5).fit(X), "n_components = 30, but this graph has only 29"),
        (lambda X: LaplacianEigenmap(0, 5).fit(X), "n_components must be a whole number"),
        (lambda X: LaplacianEigenmap(2, 30).fit(X), "n_neighbors = 30 must be smaller"),
        (lambda X: LaplacianEigenmap(2, 5, "xor").fit(X), "symmetrize must be one of 'or', 'and', 'mean'"),
        (lambda X: LaplacianEigenmap(2).fit_graph(X), "symmetric matrix of weights"),
        (lambda X: LaplacianEigenmap(2).fit_graph(-np.ones((4, 4))), "negative weight, -1"),
        (lambda X: LaplacianEigenmap(2).fit_graph(cycle(9)).transform(X), "fitted to a graph"),
        (lambda X: LaplacianEigenmap(1, 1).fit([[0.0], [1.0], [1.9]]).transform([[5.0]]), "An eigenvalue is 1"),
        (lambda X: graph_modes(cycle(5), 6), "n_modes = 6, but a graph of 5 vertices"),
        (lambda X: LPP(4, 5).fit(X), "n_components = 4, but the data spans only 3"),
        (lambda X: LPP(1, 5, center="mean").fit(X), "center must be one of 'D'"),
        (lambda X: LPP(1, 5).fit(np.ones((9, 2))), "the data spans only 0"),
        (lambda X: KernelLPP(Linear(), 4, 5).fit(X), "n_components = 4, but the data spans only 3"),
        (lambda X: KernelLPP(regularizer="ridge").fit(X), "regularizer must be one of 'range', 'slide'"),
        (lambda X: KernelLPP(regularizer="slide", eps=0).fit(X), "eps must be a positive number"),
        (lambda X: KernelLPP(Linear(), regularizer="slide", eps=1e-300).fit(X), "lost in the rounding of KDK"),
    ],
)
def test_bad_input_gets_one_sentence(use, sentence):
    with pytest.raises(ValueError, match=sentence):
        use(thirty())


def test_a_kernel_that_is_none_is_refused():
    with pytest.raises(TypeError, match="kernel must be a kernel"):
        KernelLPP("rbf").fit(thirty())
