"""PCA, its dual, the Rayleigh quotient, and kernel PCA as four lectures have it."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.decomposition import PCA as SklearnPCA
from sklearn.decomposition import KernelPCA as SklearnKernelPCA
from tolerances import EXACT, IDENTITY, ITERATIVE, close, orthonormal_columns, same_subspace, same_up_to_sign

import kmlab.pca as pca_module
from kmlab.centering import Centerer, center_gram
from kmlab.course.drawings.kernel_pca import centring
from kmlab.course.errata.kernel_pca import LECTURES, literal_scores
from kmlab.datasets import rings, three_clusters
from kmlab.features import poly2_map
from kmlab.gram import largest
from kmlab.kernels import Gaussian, Linear, NegativePower, Polynomial, Precomputed
from kmlab.npt import NPT, Kernelized
from kmlab.pca import PCA, KernelPCA, rayleigh, ring_spectrum
from kmlab.show.canvas import figure_of

pytestmark = pytest.mark.filterwarnings("error", "ignore::kmlab._bases.NotPositive")

POLY = Polynomial(2, 1.0)


def points(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) * np.linspace(3, 1, d) + 2


def spd(d, seed):
    A = np.random.default_rng(seed).standard_normal((d, d + 2))
    return A @ A.T


# definition: linear PCA


@pytest.mark.parametrize("route", ["auto", "primal", "dual"])
@pytest.mark.parametrize("n, d", [(30, 4), (6, 9)])
def test_pca_solves_the_eigenproblem_of_the_covariance(route, n, d):
    X = points(n, d)
    pca = PCA(route=route).fit(X)
    C = np.cov(X.T, bias=True)
    close(C @ pca.components_.T, pca.components_.T * pca.explained_variance_)
    orthonormal_columns(pca.components_.T)
    close(pca.lam_, n * pca.explained_variance_)
    assert (np.diff(pca.lam_) < 0).all() and len(pca.lam_) == min(d, n - 1)  # V12, E5.1


@pytest.mark.parametrize("n, d, rank", [(12, 3, 3), (12, 20, 11)])  # E5.1
def test_number_of_components_is_the_rank_of_the_centred_data(n, d, rank):
    assert len(PCA().fit(points(n, d)).lam_) == rank


def test_scores_are_uncorrelated_with_the_promised_variances():
    X = points(30, 4)
    pca = PCA(3)
    Z = pca.fit_transform(X)
    close(np.cov(Z.T, bias=True), np.diag(pca.explained_variance_))
    close(Z.mean(0), np.zeros(3), EXACT)
    close(pca.explained_variance_ratio_, pca.explained_variance_ / X.var(0).sum())
    close(PCA().fit(X).explained_variance_ratio_.sum(), 1.0)


def test_what_is_rebuilt_misses_exactly_the_tail_of_the_spectrum():
    X = points(30, 4)
    pca = PCA(2).fit(X)
    missed = ((pca.inverse_transform(pca.transform(X)) - X) ** 2).sum(1).mean()
    close(missed, PCA().fit(X).explained_variance_[2:].sum())
    full = PCA().fit(X)
    close(full.inverse_transform(full.transform(X)), X)


# theorem


@pytest.mark.parametrize("n, d", [(12, 5), (8, 20), (20, 20)])
def test_dual_and_primal_pca_agree_in_sign_too(n, d):  # V13
    X = points(n, d)
    primal, dual = PCA(4, route="primal").fit(X), PCA(4, route="dual").fit(X)
    close(dual.lam_, primal.lam_)
    close(dual.components_, primal.components_, 1e-9)
    big = np.abs(primal.components_).argmax(1)
    assert (primal.components_[np.arange(4), big] > 0).all()


def test_auto_takes_the_smaller_problem(monkeypatch):
    sizes = []
    monkeypatch.setattr(pca_module, "largest", lambda K, *args, **kw: sizes.append(len(K)) or largest(K, *args, **kw))
    for n, d in (12, 5), (8, 20):
        PCA().fit(points(n, d))
    assert sizes == [5, 8]


def test_axes_built_with_unit_eigenvectors_are_too_long_by_the_root_of_lambda():  # E-V13, exercise 5.2
    X = points(12, 3)
    Xc = X - X.mean(0)
    lam, U = np.linalg.eigh(Xc @ Xc.T)
    close(np.linalg.norm(Xc.T @ U[:, -3:], axis=0), np.sqrt(lam[-3:]))
    assert np.sqrt(lam[-1]) > 5


def test_first_axis_maximises_the_variance_over_all_directions():
    X = points(30, 3)
    W = np.random.default_rng(1).standard_normal((3, 500))
    variances = (X @ (W / np.linalg.norm(W, axis=0))).var(0)
    top = PCA(1).fit(X)
    assert variances.max() <= top.explained_variance_[0] <= 1.1 * variances.max()


def test_equal_variances_leave_the_directions_open():  # B4
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])  # C = I/2
    close(PCA().fit(X).explained_variance_, [0.5, 0.5], EXACT)
    for t in np.linspace(0, 3, 7):
        close((X @ [np.cos(t), np.sin(t)]).var(), 0.5, EXACT)


def test_rayleigh_quotient_is_largest_at_the_first_generalised_eigenvector():  # V10
    S_b, S_w = spd(4, 0), spd(4, 1)

    def quotient(w):
        return w @ S_b @ w / (w @ S_w @ w)

    lam, W = rayleigh(S_b, S_w)
    close(S_b @ W, S_w @ W * lam)
    close(W.T @ S_w @ W, np.eye(4))
    assert (np.diff(lam) < 0).all()
    close([quotient(w) for w in W.T], lam)
    best = max(-minimize(lambda w: -quotient(w), start, tol=1e-12).fun for start in np.eye(4))
    close(best, lam[0], ITERATIVE)
    other = np.linalg.eig(S_w @ S_b)  # S_b w = λ S_w⁻¹ w, E-V10
    assert quotient(other.eigenvectors[:, other.eigenvalues.argmax()]) < 0.9 * lam[0]


def test_rayleigh_reaches_four_where_the_inverse_on_the_other_side_reaches_two():  # E5.3
    S_b, S_w = np.diag([4.0, 4.0]), np.diag([1.0, 2.0])
    lam, W = rayleigh(S_b, S_w)
    close(lam, [4, 2], EXACT)
    close(W, [[1, 0], [0, 0.5**0.5]], EXACT)
    w = np.eye(2)[np.argmax(np.diag(S_w @ S_b))]
    assert w @ S_b @ w / (w @ S_w @ w) == 2


def test_pca_is_the_rayleigh_quotient_against_the_identity():
    X = points(20, 3)
    lam, W = rayleigh(np.cov(X.T, bias=True), np.eye(3))
    pca = PCA().fit(X)
    close(lam, pca.explained_variance_)
    close(W, pca.components_.T)


# definition: kernel PCA


def test_kernel_pca_is_pca_of_the_explicit_images(X, Xt):
    kpca, explicit = KernelPCA(POLY, 4).fit(X), PCA(4).fit(poly2_map(X))
    close(kpca.lam_, explicit.lam_)
    close(kpca.explained_variance_ratio_, explicit.explained_variance_ratio_)
    same_up_to_sign(kpca.transform(Xt), explicit.transform(poly2_map(Xt)))
    axes = (poly2_map(X) - poly2_map(X).mean(0)).T @ kpca.alphas_
    orthonormal_columns(axes)
    same_up_to_sign(axes, explicit.components_.T)


def test_alphas_solve_the_eigenproblem_and_sum_to_zero(X):
    kpca = KernelPCA(Gaussian(), 5).fit(X)
    Kc = center_gram(Gaussian()(X))
    close(Kc @ kpca.alphas_, kpca.alphas_ * kpca.lam_)
    close((kpca.alphas_**2).sum(0) * kpca.lam_, np.ones(5))  # 004/s23: Nλ_C α·α = 1
    close(kpca.alphas_.sum(0), np.zeros(5))
    big = np.abs(kpca.alphas_).argmax(0)
    assert (kpca.alphas_[big, np.arange(5)] > 0).all() and (np.diff(kpca.lam_) < 0).all()


def test_linear_kernel_pca_is_pca(Xt):  # B9
    X = points(14, 2)
    same_up_to_sign(KernelPCA(Linear()).fit(X).transform(Xt), PCA().fit(X).transform(Xt))


def test_kernel_trick_and_projection_trick_give_the_same_scores(X, Xt):  # K14, page 000/s22
    kpca = KernelPCA(Gaussian(), 6).fit(X)
    same_up_to_sign(Kernelized(PCA(6), Gaussian()).fit(X).transform(Xt), kpca.transform(Xt))
    npt = NPT(Gaussian())
    close(npt.fit_transform(X)[:, :6], kpca.fit_transform(X))
    close(npt.transform(Xt)[:, :6], kpca.transform(Xt))


def test_four_lectures_agree_where_the_images_are_centred(X, Xt):  # X1, X1b, E-V14
    def top(K):
        lam, U = np.linalg.eigh(K)
        return lam[-1], U[:, -1]

    def scores_003(K, Kt):
        lam, u = top(K)
        return Kt @ u / np.sqrt(lam)  # 003/s37 leaves the length of u open: a scale

    k, n = Gaussian(1.0), len(X)
    K, Kt, E, Et = k(X), k(Xt, X), np.ones((n, n)) / n, np.ones((len(Xt), n)) / n
    Kc, Ktc = K - E @ K - K @ E + E @ K @ E, Kt - Et @ K - Kt @ E + Et @ K @ E
    lam, u = top(Kc)
    of_000 = NPT(k).fit(X).transform(Xt)[:, 0]
    of_002 = Ktc @ (u / np.sqrt(lam))
    of_004 = Ktc @ (u / np.sqrt(n * (lam / n) * (u @ u)))
    ours = KernelPCA(k, 1).fit(X).transform(Xt)
    for scores in of_000, of_002, of_004:
        same_up_to_sign(scores[:, None], ours)
    shift = X.mean(0)
    inputs_centred = scores_003(k(X - shift), k(Xt - shift, X - shift))
    assert min(np.abs(inputs_centred - ours[:, 0]).max(), np.abs(inputs_centred + ours[:, 0]).max()) > 0.5
    same_up_to_sign(scores_003(Kc, Ktc)[:, None], ours)


def test_the_recipes_of_the_lectures_differ_from_kernel_pca_by_nothing_a_constant_or_the_centring(X):
    right = KernelPCA(Gaussian(), 1).fit_transform(X)
    off = {name: literal_scores(Gaussian(), X, X, **recipe) - right for name, recipe in LECTURES.items()}
    close(off["000"], 0 * right)
    close(off["004"], 0 * right)
    close(off["002"] - off["002"][0], 0 * right)  # read with the raw kernel; E-B12
    assert np.abs(off["002"]).min() > 0.01
    of_003 = right + off["003"]
    assert abs(np.corrcoef(of_003.T, right.T)[0, 1]) < 0.99  # no mere scale: another component
    longer = literal_scores(Gaussian(), X, X, unit_axes=False)
    close(longer / right, np.full(right.shape, np.sqrt(KernelPCA(Gaussian(), 1).fit(X).lam_[0])))


def test_without_centring_the_first_axis_points_at_the_mean_image():
    X, ring = rings((0.2, 1, 2), 40, noise=0.08)
    for shift in 0.0, 2.0:
        Phi = poly2_map(X + [shift, 0.0])
        mean, axis = Phi.mean(0), np.linalg.svd(Phi)[2][0]
        length, cosine = np.linalg.norm(mean), abs(axis @ mean) / np.linalg.norm(mean)
        assert cosine > 0.95
        said = figure_of(centring, X, ring, kernel="(xᵀz + 1)²", shift=shift).caption
        assert f"length {length:.2f}." in said and f"a cosine of {cosine:.2f};" in said
    gaussian = [figure_of(centring, X, ring, shift=shift).caption for shift in (0.0, 3.0)]
    assert gaussian[0] == gaussian[1] and "99% lies between the rings" in gaussian[0]


def test_new_points_with_a_raw_kernel_are_off_by_a_constant_for_each_component(X, Xt):  # B12, E6.4
    kpca = KernelPCA(Gaussian(), 3).fit(X)
    raw = Gaussian()(Xt, X) @ kpca.alphas_
    off = raw - kpca.transform(Xt)
    close(off, np.tile(off[0], (6, 1)))
    close(off[0], Gaussian()(X).mean(0) @ kpca.alphas_)
    assert np.abs(off).max() > 0.01


def test_variances_of_the_scores_rank_the_components(X):  # B10
    kpca = KernelPCA(Gaussian())
    Z = kpca.fit_transform(X)
    close(Z, kpca.transform(X))
    close(Z.var(0), kpca.explained_variance_)
    close(kpca.explained_variance_, kpca.lam_ / len(X))
    close(kpca.explained_variance_ratio_.sum(), 1.0)
    close(KernelPCA(Gaussian(), 2).fit(X).explained_variance_ratio_, Z.var(0)[:2] / Z.var(0).sum())


def test_reconstruction_error_is_the_tail_of_the_spectrum(X, Xt):  # A24
    full, few = KernelPCA(Gaussian()).fit(X), KernelPCA(Gaussian(), 3).fit(X)
    close(few.reconstruction_error(X).mean(), full.explained_variance_[3:].sum())
    images, axes = poly2_map(Xt) - poly2_map(X).mean(0), (poly2_map(X) - poly2_map(X).mean(0)).T
    poly = KernelPCA(POLY, 2).fit(X)
    P = axes @ poly.alphas_
    close(poly.reconstruction_error(Xt), ((images - images @ P @ P.T) ** 2).sum(1))
    nothing = KernelPCA(POLY).fit(X).reconstruction_error(Xt)
    close(nothing, np.zeros(6))
    assert nothing.min() >= 0


def test_scores_on_a_grid_are_the_scores_of_its_points(X):
    xs, ys = np.linspace(-2, 2, 5), np.linspace(-1, 1, 3)
    grid = np.array([[x, y] for y in ys for x in xs])
    for kernel in Gaussian(0.8), POLY:
        kpca = KernelPCA(kernel, 3).fit(X)
        close(kpca.on_grid(xs, ys), kpca.transform(grid).reshape(3, 5, 3))


def test_number_of_components_is_bounded_by_points_and_features():  # B8: 19, 5, 2 for N = 20
    X = points(20, 2)
    for kernel, components in ((Gaussian(), 19), (POLY, 5), (Linear(), 2)):
        assert len(KernelPCA(kernel).fit(X).lam_) == components


def test_minus_squared_distance_has_twice_the_spectrum_of_pca():  # B-mds
    X = points(15, 3)
    kpca, pca = KernelPCA(NegativePower(2.0)).fit(X), PCA().fit(X)
    close(kpca.lam_, 2 * pca.lam_)
    same_up_to_sign(kpca.transform(X), np.sqrt(2) * pca.transform(X))


def test_precomputed_kernel_pca_is_the_same_model(X, Xt):
    kpca = KernelPCA(Gaussian(), 3).fit(X)
    by_gram = KernelPCA(Precomputed(), 3).fit(Gaussian()(X))
    close(by_gram.transform(Gaussian()(Xt, X)), kpca.transform(Xt))
    close(by_gram.fit_transform(Gaussian()(X)), kpca.fit_transform(X))


def test_the_model_does_not_change_with_the_array_it_was_fitted_on(X, Xt):
    mine = X.copy()
    kpca = KernelPCA().fit(mine)
    before = kpca.transform(Xt)
    mine[:] = 0
    assert np.array_equal(kpca.transform(Xt), before)


@pytest.mark.parametrize("scale", [1e149, 1e100, 1e-100, 1e-140])
@pytest.mark.parametrize(
    "model",
    [
        lambda scale: PCA(route="primal"),
        lambda scale: PCA(route="dual"),
        lambda scale: KernelPCA(Linear()),
        lambda scale: KernelPCA(Gaussian(scale)),
    ],
    ids=["primal", "dual", "linear", "gaussian"],
)
def test_the_scale_of_the_data_does_not_matter(model, scale, X, Xt):
    one, scaled = model(1.0).fit(X), model(scale).fit(scale * X)
    close(scaled.explained_variance_ratio_, one.explained_variance_ratio_)
    Zt, expected = scaled.transform(scale * Xt), one.transform(Xt)
    close(Zt / np.abs(Zt).max(), expected / np.abs(expected).max())


# the known picture


@pytest.mark.parametrize("radii, m", [((1.0, 2.0, 3.0), 20), ((0.3, 1.1), 5), ((1.0, 1.0, 5.0, 0.0), 7)])
def test_rings_have_the_closed_form_spectrum(radii, m):  # B14-a, B14-b
    X, _ = rings(radii, m)
    lam = KernelPCA(POLY).fit(X).explained_variance_
    R2 = np.square(radii)
    expected = np.sort([R2.var() / 2, *[np.mean(R2**2) / 4] * 2, *[R2.mean()] * 2])[::-1]
    np.testing.assert_allclose(lam, expected, rtol=IDENTITY)
    np.testing.assert_allclose(ring_spectrum(radii), expected, rtol=EXACT)


def test_rings_one_two_three_have_the_numbers_of_the_exercise():  # E6.1
    expected = [49 / 6, 49 / 6, 49 / 9, 14 / 3, 14 / 3]
    close(ring_spectrum((1, 2, 3)), expected, EXACT)
    X, y = rings((1, 2, 3), 20)
    kpca = KernelPCA(POLY)
    Z = kpca.fit_transform(X)
    close(kpca.explained_variance_, expected)
    radial = [max(Z[y == r, j].std() for r in range(3)) < IDENTITY for j in range(5)]
    assert radial == [False, False, True, False, False]


@pytest.mark.parametrize("radii, first", [((1, 2, 3), False), ((0.5, 1, 5), True), ((0.1, 0.2), False)])
def test_first_component_tells_rings_apart_if_and_only_if_their_squares_vary_enough(radii, first):
    R2 = np.square(radii, dtype=float)
    assert bool(R2.var() / 2 > max(np.mean(R2**2) / 4, R2.mean())) == first
    X, y = rings(radii, 12)
    z = KernelPCA(POLY, 1).fit_transform(X)[:, 0]
    assert bool(max(z[y == r].std() for r in range(len(radii))) < IDENTITY) == first


def test_double_eigenvalues_of_rings_come_with_the_right_plane():
    X, _ = rings((1, 2, 3), 20)
    Z = KernelPCA(POLY).fit_transform(X)
    same_subspace(Z[:, 3:], X)  # E[R²] twice: the two coordinates themselves


def test_eight_components_separate_three_clusters_first_and_split_them_later():  # M18, page 004/s26
    X, y = three_clusters()
    Z = KernelPCA(Gaussian.from_gamma(10), 8).fit_transform(X)
    between = [np.var([Z[y == c, j].mean() for c in range(3)]) / Z[:, j].var() for j in range(8)]
    assert min(between[:2]) > 0.8 and max(between[2:]) < 0.1


# oracle


def test_scikit_learn_finds_the_same_components(Xt):
    X = points(25, 2)
    ours, theirs = PCA(2).fit(X), SklearnPCA(2).fit(X)
    same_up_to_sign(ours.transform(Xt), theirs.transform(Xt))
    close(ours.explained_variance_ratio_, theirs.explained_variance_ratio_)
    ours, theirs = KernelPCA(Gaussian.from_gamma(0.3), 4).fit(X), SklearnKernelPCA(4, kernel="rbf", gamma=0.3).fit(X)
    close(ours.lam_, theirs.eigenvalues_)
    same_up_to_sign(ours.transform(Xt), theirs.transform(Xt))


def test_centerer_inside_is_the_public_one(X, Xt):
    kpca = KernelPCA(Gaussian(), 2).fit(X)
    Ktc = Centerer().fit(Gaussian()(X)).transform(Gaussian()(Xt, X))
    close(kpca.transform(Xt), Ktc @ kpca.alphas_, EXACT)


# refusal


@pytest.mark.parametrize(
    "model, sentence",
    [
        (PCA(3), "n_components = 3, but this data has only 2 components with any variance"),
        (PCA(0), "n_components must be a whole number of at least 1, got 0"),
        (PCA(1.5), "n_components must be a whole number"),
        (PCA(True), "n_components must be a whole number"),
        (PCA("2"), "n_components must be a whole number"),
        (PCA(route="svd"), "route must be one of 'auto', 'primal', 'dual'"),
        (KernelPCA(POLY, 6), "n_components = 6, but this data has only 5 components"),
        (KernelPCA(Gaussian(), 100), "n_components = 100, but this data has only 13 components"),
        (KernelPCA(tol=2.0), "tol must be a number between 0 and 1"),
        (KernelPCA(Gaussian(1e9)), "choose another width"),
    ],
)
def test_models_refuse_parameters(model, sentence, X):
    with pytest.raises(ValueError, match=sentence):
        model.fit(X)


@pytest.mark.parametrize("kernel", ["rbf", None, Gaussian, lambda X, Z: X @ Z.T])
def test_only_a_kernel_is_a_kernel(kernel, X):
    with pytest.raises(TypeError, match="kernel must be a kernel such as Gaussian"):
        KernelPCA(kernel).fit(X)


def test_models_refuse_data_that_does_not_fit(X):
    for model in PCA(), PCA(route="dual"), KernelPCA():
        with pytest.raises(ValueError, match="do not differ"):
            model.fit(np.full((6, 3), 0.1))
    a = np.arange(6) / 7
    with pytest.raises(ValueError, match="do not differ"):  # equal points, up to where the origin is
        KernelPCA(Precomputed()).fit(np.add.outer(a, a))
    with pytest.raises(ValueError, match="Z has 5 columns for 2 components"):
        PCA().fit(X).inverse_transform(np.ones((3, 5)))
    with pytest.raises(ValueError, match="positive semi-definite"):
        KernelPCA(Precomputed()).fit(np.diag([1.0, -2.0, 0.0]))
    with pytest.raises(ValueError, match="2 features"):
        KernelPCA(n_components=1).fit(np.eye(3)).on_grid([0.0], [0.0])


@pytest.mark.parametrize("S_w", [np.zeros((2, 2)), np.outer([0.1, 0.7], [0.1, 0.7]), [[1.0, 2.0], [2.0, 1.0]]])
def test_rayleigh_refuses_a_denominator_that_can_vanish(S_w):
    with pytest.raises(ValueError, match="S_w must be positive definite"):
        rayleigh(np.eye(2), S_w)
    with pytest.raises(ValueError, match="they must agree"):
        rayleigh(np.eye(3), S_w)


@pytest.mark.parametrize("radii", [[], [np.nan], [1e100], "123", [[1.0]]])
def test_ring_spectrum_refuses_what_is_no_radius(radii):
    with pytest.raises(ValueError, match="radii"):
        ring_spectrum(radii)
