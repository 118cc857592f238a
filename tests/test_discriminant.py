"""Fisher discriminants: weights, scatter matrices, the dual, its regulariser, and the local versions."""

import numpy as np
import pytest
from scipy.linalg import eigh, null_space
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from tolerances import EXACT, IDENTITY, ITERATIVE, close, same_subspace, same_up_to_sign

from kmlab.datasets import split_class, xor
from kmlab.discriminant import FDA, LFDA, KernelFDA, KernelLFDA, fda_weights, largest_quotients, lfda_weights, scatter
from kmlab.features import poly2_map
from kmlab.graph import laplacian
from kmlab.kernels import Exponential, Gaussian, Linear, Polynomial, Precomputed
from kmlab.npt import NPT

LABELS = np.repeat([2, 0, 1], [8, 12, 10])  # three classes of different sizes, not in order
KERNELS = [Gaussian(1.5), Polynomial(2), Exponential(2.0)]


@pytest.fixture(scope="module")
def Z():
    Z = np.random.default_rng(14).standard_normal((30, 4)) + 1.5 * np.eye(4)[LABELS] + [5.0, -2.0, 0.0, 1.0]
    Z.setflags(write=False)
    return Z


def scatter_by_hand(X, y):
    """S_b and S_w, one point and one class at a time."""
    d = X.shape[1]
    S_b, S_w = np.zeros((d, d)), np.zeros((d, d))
    for label in set(y.tolist()):
        members = [x for x, its in zip(X, y, strict=True) if its == label]
        mean = sum(members) / len(members)
        S_b += len(members) * np.outer(mean - X.mean(0), mean - X.mean(0))
        for x in members:
            S_w += np.outer(x - mean, x - mean)
    return S_b, S_w


def weights_by_hand(X, y, k=None):
    """The weights of 001/p128, one pair at a time; with k, inside a class times the nearness."""
    n = len(y)
    W_b, W_w = np.zeros((n, n)), np.zeros((n, n))

    def scale(i):
        inside = sorted(np.linalg.norm(X[i] - X[j]) for j in range(n) if y[j] == y[i] and j != i)
        return inside[min(k, len(inside)) - 1]

    for i in range(n):
        for j in range(n):
            if y[i] == y[j]:
                m = sum(y == y[i])
                A = 1.0 if k is None else np.exp(-(np.linalg.norm(X[i] - X[j]) ** 2) / (scale(i) * scale(j)))
                W_b[i, j], W_w[i, j] = A * (1 / n - 1 / m), A / m
            else:
                W_b[i, j] = 1 / n
    return W_b, W_w


# definition


def test_weights_are_those_of_the_page(Z):  # A43, (FDA.1)
    for W, by_hand in zip(fda_weights(LABELS), weights_by_hand(Z, LABELS), strict=True):
        close(W, by_hand, EXACT)


@pytest.mark.parametrize("k", [1, 3, 7, 50])
def test_local_weights_are_the_weights_times_nearness(Z, k):  # A45, (LFDA.1)
    for W, by_hand in zip(lfda_weights(Z, LABELS, k), weights_by_hand(Z, LABELS, k), strict=True):
        close(W, by_hand, EXACT)
        close(W, W.T, EXACT)


def test_weighted_scatter_is_a_sum_over_pairs_and_a_laplacian(Z):  # (FDA.2)
    W = np.random.default_rng(2).standard_normal((30, 30))
    W = W + W.T
    pairs = sum(W[i, j] * np.outer(Z[i] - Z[j], Z[i] - Z[j]) / 2 for i in range(30) for j in range(30))
    close(scatter(Z, W), pairs)
    close(scatter(Z, W), Z.T @ laplacian(W) @ Z)


def test_a_far_origin_costs_no_digits(Z):
    W = fda_weights(LABELS)[1]
    close(scatter(Z + 1e8, W), scatter((Z + 1e8) - 1e8, W))


def test_directions_solve_the_eigenproblem_of_the_scatter_matrices(Z):  # (FDA.3)
    S_b, S_w = scatter_by_hand(Z, LABELS)
    model = FDA().fit(Z, LABELS)
    B = model.components_.T
    close(S_b @ B, S_w @ B * model.lam_)
    close(B.T @ S_w @ B, np.eye(2))
    close(model.lam_, eigh(S_b, S_w, eigvals_only=True)[:1:-1])
    assert model.lam_[0] > model.lam_[1] > 0 and model.classes_.tolist() == [0, 1, 2]


def test_a_quotient_that_only_rounding_tells_from_zero_gives_no_direction():
    lam, B = largest_quotients(np.diag([1e-13, 2.0, -1.0]), np.eye(3), None, 3, "these give")
    assert lam.tolist() == [2.0] and np.abs(B).tolist() == [[0], [1], [0]]


def test_scores_are_projections_with_mean_zero(Z):
    for model in FDA(), LFDA(2):
        scores = model.fit_transform(Z, LABELS)
        close(scores, (Z - Z.mean(0)) @ model.components_.T, EXACT)
        close(scores.mean(0), np.zeros(2))


# theorem


def test_laplacians_of_the_weights_give_the_scatter_matrices(Z):  # S14
    W_b, W_w = fda_weights(LABELS)
    S_b, S_w = scatter_by_hand(Z, LABELS)
    close(scatter(Z, W_b), S_b)
    close(scatter(Z, W_w), S_w)
    close(W_b.sum(1), np.zeros(30), EXACT)  # D^b = 0
    close(W_w.sum(1), np.ones(30), EXACT)  # D^w = I


def test_primal_and_dual_share_solutions_and_nonzero_eigenvalues(Z):  # S15, the homework of 001/p128
    W_b, W_w = fda_weights(LABELS)
    for images in Z, poly2_map(Z[:, :2])[:, 1:]:  # without the constant feature, which no scatter sees
        K = images @ images.T
        model = FDA().fit(images, LABELS)
        alpha = np.linalg.pinv(images).T @ model.components_.T  # b = Fα
        close(images.T @ alpha, model.components_.T)
        left, right = scatter(K, W_b) @ alpha, scatter(K, W_w) @ alpha * model.lam_
        assert np.abs(left - right).max() < 1e-8 * np.abs(left).max()
        Q = np.linalg.svd(K)[0][:, : images.shape[1]]  # in the range of K the dual is a definite problem
        dual = eigh(Q.T @ scatter(K, W_b) @ Q, Q.T @ scatter(K, W_w) @ Q, eigvals_only=True)[::-1]
        close(dual[:2], model.lam_, ITERATIVE)
        assert np.abs(dual[2:]).max() < ITERATIVE


def test_at_most_one_direction_less_than_classes(Z):
    for c in 2, 3, 5:
        y = np.arange(30) % c
        assert len(FDA().fit(Z, y).lam_) == min(c - 1, 4)
        assert len(KernelFDA().fit(Z, y).lam_) == c - 1


def test_without_a_ridge_the_dual_has_directions_of_no_width(Z):  # S16
    K = Gaussian(1.5)(Z)
    KLwK, KLbK = (scatter(K, W) for W in fda_weights(LABELS)[::-1])
    lam = np.linalg.eigvalsh(KLwK)
    assert (lam > 1e-10 * lam[-1]).sum() == 27  # n - c
    alpha = np.linalg.solve(K, (LABELS == 2).astype(float))  # a function that is 1 on a class and 0 elsewhere
    close(alpha @ KLbK @ alpha, 8 - 64 / 30)  # 5.87
    assert abs(alpha @ KLwK @ alpha) < 1e-12
    tops = np.array([KernelFDA(Gaussian(1.5), eps).fit(Z, LABELS).lam_[0] for eps in (1e-5, 1e-7)])
    close(tops[1] / tops[0], 100, 0.05)  # like 1/ε


def test_the_kernel_version_solves_the_regularised_problem(Z):  # A44, (FDA.4)
    for kernel in KERNELS:
        K = kernel(Z)
        model = KernelFDA(kernel, eps=0.01).fit(Z, LABELS)
        W_b, W_w = weights_by_hand(Z, LABELS)
        KLbK, N = K @ laplacian(W_b) @ K, K @ laplacian(W_w) @ K + 0.01 * np.eye(30)
        left = KLbK @ model.alphas_
        assert np.abs(left - N @ model.alphas_ * model.lam_).max() < 1e-8 * np.abs(left).max()
        close(model.alphas_.T @ N @ model.alphas_, np.eye(2), ITERATIVE)
        close(model.lam_, eigh(KLbK, N, eigvals_only=True)[:-3:-1], ITERATIVE)


def test_the_default_ridge_is_a_thousandth_of_the_mean_scatter(Z):
    model = KernelFDA(Gaussian()).fit(Z, LABELS)
    close(model.eps_, 1e-3 * np.trace(scatter(Gaussian()(Z), fda_weights(LABELS)[1])) / 30, EXACT)
    close(model.lam_, KernelFDA(Gaussian(), eps=model.eps_).fit(Z, LABELS).lam_, EXACT)


def test_two_classes_have_the_matrices_of_mika(Z):  # N-kfda
    y, K = np.arange(30) < 12, Gaussian()(Z)
    M1, M2 = K[:, y].mean(1), K[:, ~y].mean(1)
    N = sum(K[:, c] @ (np.eye(c.sum()) - 1 / c.sum()) @ K[:, c].T for c in (y, ~y))
    W_b, W_w = fda_weights(y)
    close(scatter(K, W_w), N)
    close(scatter(K, W_b), 12 * 18 / 30 * np.outer(M1 - M2, M1 - M2))


def test_two_classes_have_a_closed_form(Z):  # N-kfda2
    y, K = np.arange(30) < 12, Gaussian()(Z)
    model = KernelFDA(Gaussian(), eps=0.1).fit(Z, y)
    N = scatter(K, fda_weights(y)[1]) + 0.1 * np.eye(30)
    expected = np.linalg.solve(N, K[:, y].mean(1) - K[:, ~y].mean(1))
    cosine = model.alphas_[:, 0] @ expected / np.linalg.norm(model.alphas_) / np.linalg.norm(expected)
    close(abs(cosine), 1.0)


def test_a_small_ridge_does_no_harm_because_the_largest_are_kept(Z):  # S17
    model = KernelFDA(Linear(), eps=1e-9).fit(Z, LABELS)
    flat = FDA().fit(Z, LABELS)
    close(model.lam_, flat.lam_, ITERATIVE)
    same_up_to_sign(model.transform(Z), flat.transform(Z), ITERATIVE)


def test_with_nearness_one_local_is_global(Z):  # S18b
    one_place_each = np.repeat(Z[:3], [8, 12, 10], axis=0)
    for local, plain in zip(lfda_weights(one_place_each, LABELS), fda_weights(LABELS), strict=True):
        assert np.array_equal(local, plain)


def test_points_at_equal_distances_have_nearness_one_over_e():
    y = np.repeat([0, 1], [4, 5])
    _, local = lfda_weights(7 * np.eye(9), y, 2)
    apart = ~np.eye(9, dtype=bool)
    close(local[apart], fda_weights(y)[1][apart] / np.e, EXACT)


def test_among_duplicates_only_a_duplicate_is_near():
    X, y = np.array([[0.0], [0.0], [0.0], [5.0], [9.0], [9.5]]), [0, 0, 0, 0, 1, 1]
    _, W = lfda_weights(X, y, 2)
    close(W[0], [0.25, 0.25, 0.25, 0, 0, 0], EXACT)  # s_0 = 0: a point at distance 5 is infinitely far
    close(W[4, 5], np.exp(-1) / 2, EXACT)


def test_local_has_more_directions_than_classes(Z):  # S18: rank 4 > c - 1 = 2
    W_b, _ = lfda_weights(Z, LABELS)
    assert np.linalg.matrix_rank(scatter(Z, W_b)) == 4 == len(LFDA().fit(Z, LABELS).lam_)
    assert np.linalg.matrix_rank(scatter(Z, fda_weights(LABELS)[0])) == 2
    assert len(KernelLFDA(eps=0.1).fit(Z, LABELS).lam_) == 29


def test_the_local_kernel_version_is_local_in_feature_space(Z):  # A45
    kernel, images = Polynomial(2), poly2_map(Z)
    model = KernelLFDA(kernel, eps=0.5, n_components=3, n_neighbors=4).fit(Z, LABELS)
    W_b, W_w = weights_by_hand(images, LABELS, 4)
    K = kernel(Z)
    lam = eigh(K @ laplacian(W_b) @ K, K @ laplacian(W_w) @ K + 0.5 * np.eye(30), eigvals_only=True)
    close(model.lam_, lam[:-4:-1], ITERATIVE)


def test_with_the_linear_kernel_local_kernel_is_local(Z):
    model, flat = KernelLFDA(Linear(), 1e-9, 4).fit(Z, LABELS), LFDA().fit(Z, LABELS)
    close(model.lam_, flat.lam_, ITERATIVE)
    same_up_to_sign(model.transform(Z + 1), flat.transform(Z + 1), ITERATIVE)


def test_with_the_linear_kernel_kernel_fisher_is_fisher(Z):
    model, flat = KernelFDA(Linear(), 1e-9, 2).fit(Z, LABELS), FDA(2).fit(Z, LABELS)
    close(model.lam_, flat.lam_, ITERATIVE)
    same_up_to_sign(model.transform(Z + 1), flat.transform(Z + 1), ITERATIVE)


def test_local_directions_solve_their_eigenproblem(Z):
    W_b, W_w = weights_by_hand(Z, LABELS, 7)
    S_b, S_w = Z.T @ laplacian(W_b) @ Z, Z.T @ laplacian(W_w) @ Z
    model = LFDA().fit(Z, LABELS)
    close(S_b @ model.components_.T, S_w @ model.components_.T * model.lam_)
    close(model.components_ @ S_w @ model.components_.T, np.eye(4))


def test_projected_coordinates_are_another_road_to_the_dual(Z):
    npt = NPT(Gaussian(1.5))
    F = npt.fit_transform(Z)
    W_b, W_w = fda_weights(LABELS)
    K = Gaussian(1.5)(Z)
    close(F @ scatter(F, W_w) @ F.T, (H := np.eye(30) - 1 / 30) @ scatter(K, W_w) @ H)
    close(F @ scatter(F, W_b) @ F.T, H @ scatter(K, W_b) @ H)


# new points, labels, units


def test_new_points_get_the_formula_and_old_ones_their_scores(Z):  # (FDA.5)
    Zt = np.random.default_rng(9).standard_normal((5, 4))
    for model in KernelFDA(Gaussian()), KernelLFDA(Gaussian(), n_components=3), KernelFDA(Polynomial(3)):
        scores = model.fit(Z, LABELS).transform(Z)
        close(scores.mean(0), np.zeros(scores.shape[1]))
        offset = (model.kernel(Z) @ model.alphas_).mean(0)
        close(
            model.transform(Zt),
            [
                [
                    sum(a * model.kernel(z[None], [t])[0, 0] for a, z in zip(column, Z, strict=True))
                    for column in model.alphas_.T
                ]
                - offset
                for t in Zt
            ],
        )


def test_scores_on_a_grid_are_the_scores_of_its_points(X):
    xs, ys = np.linspace(-2, 2, 5), np.linspace(-1, 1, 3)
    grid = np.array([[x, y] for y in ys for x in xs])
    model = KernelFDA().fit(X, np.arange(14) % 3)
    close(model.on_grid(xs, ys), model.transform(grid).reshape(3, 5, 2))


@pytest.mark.parametrize("model", [FDA(), LFDA(), KernelFDA(), KernelLFDA()], ids=repr)
def test_labels_may_be_anything_that_can_be_told_apart(model, Z):
    expected = model.fit_transform(Z, LABELS)
    names = np.array(["ant", "bee", "cow"])[LABELS]
    close(model.fit_transform(Z, names), expected, EXACT)
    assert model.classes_.tolist() == ["ant", "bee", "cow"]
    close(model.fit_transform(Z, LABELS * 10 - 3), expected, EXACT)


@pytest.mark.parametrize("model", [FDA(), KernelFDA()], ids=repr)
def test_the_largest_entry_of_a_direction_is_positive(model, Z):
    for flip in 1, -1:
        V = getattr(model.fit(flip * Z, LABELS), "alphas_", None)
        V = model.components_.T if V is None else V
        assert (V[np.abs(V).argmax(0), range(2)] > 0).all()


@pytest.mark.parametrize("model", [FDA(), KernelFDA()], ids=repr)
def test_the_order_of_the_points_does_not_matter(model, Z):
    order = np.random.default_rng(3).permutation(30)
    expected = model.fit_transform(Z, LABELS)[order]
    same_up_to_sign(model.fit_transform(Z[order], LABELS[order]), expected, ITERATIVE)


@pytest.mark.parametrize("scale", [1e-120, 1e-6, 1e6, 1e120])
def test_units_of_a_feature_do_not_matter_to_fda(Z, scale):
    units = np.array([1.0, scale, 1.0, 1.0])
    close(FDA().fit(Z * units, LABELS).lam_, FDA().fit(Z, LABELS).lam_)
    same_up_to_sign(FDA().fit_transform(Z * units, LABELS), FDA().fit_transform(Z, LABELS))
    close(LFDA().fit(scale * Z, LABELS).lam_, LFDA().fit(Z, LABELS).lam_)


def test_a_feature_that_never_changes_gets_no_weight(Z):
    constant = np.column_stack([Z, np.full(30, 0.1)])
    twice = np.column_stack([Z, Z[:, 0]])
    for model, padded in ((FDA(), constant), (LFDA(), constant), (FDA(), twice)):
        close(model.fit(padded, LABELS).lam_, model.fit(Z, LABELS).lam_)
        same_up_to_sign(model.fit_transform(padded, LABELS), model.fit_transform(Z, LABELS))


def test_precomputed_is_the_same_model(Z):
    for name, options in ((KernelFDA, {}), (KernelLFDA, {"n_components": 2})):
        model = name(Gaussian(), **options).fit(Z, LABELS)
        by_gram = name(Precomputed(), **options).fit(Gaussian()(Z), LABELS)
        close(by_gram.transform(Gaussian()(Z + 1, Z)), model.transform(Z + 1))


# the known picture


def test_local_fisher_sees_a_class_in_two_places_and_fisher_does_not():
    X, y = split_class()
    for model, apart in ((FDA(1), False), (LFDA(1), True), (KernelFDA(Gaussian(2.0)), True)):
        s = model.fit(*split_class(seed=1)).transform(X)[:, 0]
        order = np.argsort(s)
        changes = (np.diff(y[order]) != 0).sum()  # along the axis the three clouds need two changes of colour
        assert (changes <= 6) == apart, (model, changes)


def test_kernel_fisher_solves_the_exclusive_or():
    X, y = xor(20, noise=0.25)
    flat, curved = FDA().fit(X, y).lam_[0], KernelFDA(Gaussian(1.0)).fit(X, y)
    assert flat < 0.1
    scores = curved.transform(xor(20, noise=0.25, seed=1)[0])[:, 0]
    assert abs(np.mean(np.sign(scores) == y) - 0.5) > 0.45


# oracle


@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_scikit_learn_finds_the_same_subspace(Z, solver):
    theirs = LinearDiscriminantAnalysis(solver=solver).fit(Z, LABELS)
    ours = FDA().fit(Z, LABELS)
    same_subspace(ours.components_.T, theirs.scalings_[:, :2])
    new = Z[:1] + 1  # differences, because one of their solvers leaves the mean in
    ratio = (theirs.transform(new) - theirs.transform(Z)) / (ours.transform(new) - ours.transform(Z))
    close(np.abs(ratio), np.full((30, 2), np.abs(ratio).mean(0)), ITERATIVE)
    close(ours.lam_ / ours.lam_.sum(), theirs.explained_variance_ratio_)


def test_the_null_space_of_the_class_means_costs_nothing(Z):
    K = Gaussian()(Z)
    means = np.stack([K[LABELS == c].mean(0) for c in range(3)])
    free = null_space(means - K.mean(0))
    assert np.abs(scatter(K, fda_weights(LABELS)[0]) @ free).max() < IDENTITY


# refusal


@pytest.mark.parametrize(
    "model, sentence",
    [
        (FDA(3), "n_components = 3, but 3 classes give at most 2: ask for fewer"),
        (KernelFDA(n_components=3), "n_components = 3, but 3 classes give at most 2"),
        (LFDA(5), "n_components = 5, but points that differ in 4 directions give at most 4"),
        (KernelLFDA(n_components=30), "n_components = 30, but 30 points give at most 29"),
        (FDA(0), "n_components must be a whole number"),
        (LFDA(n_neighbors=0), "n_neighbors must be a whole number of at least 1"),
        (KernelFDA(eps=0), "eps must be a positive number, got 0"),
        (KernelFDA(eps=-1.0), "eps must be a positive number"),
        (KernelFDA(eps=1e-17), "eps = 1e-17 is not above the rounding errors"),
    ],
)
def test_models_refuse_parameters(model, sentence, Z):
    with pytest.raises(ValueError, match=sentence):
        model.fit(Z, LABELS)


@pytest.mark.parametrize("model", [FDA(), LFDA(), KernelFDA(), KernelLFDA()], ids=repr)
def test_models_refuse_labels_that_do_not_fit(model, Z):
    for y, sentence in (
        (None, "requires y to be passed"),
        (np.ones(30), "one class only"),
        (LABELS[:-1], "29 labels for 30 samples"),
        (LABELS + 0.5, "fractions"),
    ):
        with pytest.raises(ValueError, match=sentence):
            model.fit(Z, y)


def test_models_refuse_data_that_does_not_fit(Z):
    with pytest.raises(ValueError, match="S_w is singular"):
        FDA().fit(Z[:5], [0, 0, 0, 1, 1])
    for model in FDA(), LFDA():
        with pytest.raises(ValueError, match="do not differ beyond rounding"):
            model.fit(np.full((6, 2), 0.1), [0, 0, 0, 1, 1, 1])
    with pytest.raises(ValueError, match="some class has points that differ"):
        KernelFDA().fit(Z[:3], [0, 1, 2])
    with pytest.raises(ValueError, match="lie apart in 0 directions"):
        FDA().fit([[0.2], [0.8], [1.4], [1.2], [1.2], [0.0]], [0, 0, 0, 1, 1, 1])  # equal means, up to rounding
    with pytest.raises(ValueError, match="lie apart in 1 directions, 2 are asked for"):
        in_a_row = [[x + 5 * c, y] for c in range(3) for x, y in ((0, 0), (1, 1), (2, 0), (1, -1))]
        FDA(2).fit(in_a_row, np.repeat([0, 1, 2], 4))
    with pytest.raises(ValueError, match="overflow"):
        KernelFDA(Linear()).fit(1e100 * Z, LABELS)
    with pytest.raises(TypeError, match="kernel must be a kernel"):
        KernelFDA("rbf").fit(Z, LABELS)


def test_the_order_of_parameters_is_the_public_one():
    first = ["kernel", "eps", "n_components"]
    for model, names in ((FDA(), ["n_components"]), (LFDA(), ["n_components", "n_neighbors"]), (KernelFDA(), first)):
        assert list(model.get_params(deep=False)) == names
    assert list(KernelLFDA().get_params(deep=False)) == [*first, "n_neighbors"]


@pytest.mark.parametrize("model", [FDA(), LFDA(), KernelFDA(), KernelLFDA()], ids=repr)
def test_a_fit_that_is_refused_leaves_the_directions_as_they_were(model, Z):
    before = model.fit(Z, LABELS).transform(Z)
    for X, y in ((Z, np.ones(30)), (np.full((6, 4), 0.1), [0, 0, 0, 1, 1, 1])):
        with pytest.raises(ValueError):
            model.fit(X, y)
    assert np.array_equal(model.transform(Z), before) and model.classes_.tolist() == [0, 1, 2]


def test_weights_refuse_what_they_cannot_weigh(Z):
    with pytest.raises(ValueError, match="requires y"):
        fda_weights(None)
    with pytest.raises(ValueError, match="one class only"):
        fda_weights([1, 1])
    with pytest.raises(ValueError, match="29 labels for 30 samples"):
        lfda_weights(Z, LABELS[:-1])
    with pytest.raises(ValueError, match=r"W has shape \(3, 3\) for 30 rows of F"):
        scatter(Z, np.eye(3))


def test_the_model_does_not_change_with_the_array_it_was_fitted_on(Z):
    mine = Z.copy()
    model = KernelFDA().fit(mine, LABELS)
    before = model.transform(Z)
    mine[:] = 0
    assert np.array_equal(model.transform(Z), before)
