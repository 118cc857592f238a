"""The nonlinear projection trick against explicit feature maps, and what it does to linear methods."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import KMeans
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from tolerances import EXACT, ITERATIVE, close, orthonormal_columns

from kmlab.centering import center_gram
from kmlab.datasets import rings, two_moons
from kmlab.discriminant import FDA, LFDA
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian, Linear, NegativePower, Polynomial, Precomputed
from kmlab.manifold import LPP
from kmlab.measures import apart
from kmlab.npt import NPT, Kernelized, embed_cpsd
from kmlab.one_class import SVDD, OneClassSVM
from kmlab.pca import PCA, KernelPCA
from kmlab.pca_l1 import PCAL1, R1PCA, KernelPCAL1
from kmlab.perceptron import Perceptron
from kmlab.regression import KernelLogistic, KernelPLS
from kmlab.scale import pivoted_cholesky
from kmlab.svm import SVC as OurSVC
from kmlab.svm import SVR

pytestmark = pytest.mark.filterwarnings("error:::kmlab", "error::RuntimeWarning")

POLY = Polynomial(2, 1.0)
T = np.random.default_rng(7).standard_normal(14)  # a target for each training point


@pytest.fixture
def images(X, Xt):
    mean = poly2_map(X).mean(0)
    return poly2_map(X) - mean, poly2_map(Xt) - mean


# definition


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("kernel", [Gaussian(), POLY, Linear()], ids=repr)
def test_npt_reproduces_the_gram_matrix(kernel, center, X):  # K-basis
    npt = NPT(kernel, center)
    Z = npt.fit_transform(X)
    K = kernel(X)
    close(Z @ Z.T, center_gram(K) if center else K)
    close(Z.T @ Z, np.diag(npt.lam_))
    orthonormal_columns(npt.U_)
    assert Z.shape == (14, npt.rank_) and (np.diff(npt.lam_) <= 0).all()


def test_npt_is_an_orthonormal_basis_of_the_span_of_the_images(X, Xt, images):  # K-Pi, K-coord
    npt = NPT(POLY).fit(X)
    basis = images[0].T @ npt.U_ / np.sqrt(npt.lam_)
    assert basis.shape == (6, 5)
    orthonormal_columns(basis)
    close(npt.transform(Xt), images[1] @ basis)


def test_coordinates_of_a_new_point_are_its_best_approximation(X, Xt):  # page 000/s11
    mean = poly2_map(X[:4]).mean(0)
    few, new = poly2_map(X[:4]) - mean, poly2_map(Xt) - mean  # four points do not span the space: something is missed
    npt = NPT(POLY).fit(X[:4])
    basis = few.T @ npt.U_ / np.sqrt(npt.lam_)
    close(npt.transform(Xt), np.linalg.lstsq(basis, new.T)[0].T)
    close(npt.residual(Xt), np.linalg.norm(new - npt.transform(Xt) @ basis.T, axis=1))
    assert npt.residual(Xt).min() > 0.1


@pytest.mark.parametrize("center", [True, False])
def test_training_points_taken_as_new_get_their_own_coordinates_and_no_residual(center, X):
    npt = NPT(Gaussian(), center)
    close(npt.fit_transform(X), npt.transform(X))
    close(npt.residual(X) ** 2, np.zeros(14))


# theorem


def test_coordinates_have_zero_mean_and_at_most_n_minus_1_dimensions():  # K-mean, E7.1
    X = np.random.default_rng(0).standard_normal((20, 2))
    npt = NPT(Gaussian())
    close(npt.fit_transform(X).sum(0), np.zeros(19))
    assert npt.rank_ == 19 and NPT(Gaussian(), center=False).fit(X).rank_ == 20


def test_small_eigenvalues_count_as_zero_and_nothing_becomes_nan():  # K11, page 000/s19
    X = np.linspace(0, 1, 40)[:, None]
    npt = NPT(Gaussian(1.0)).fit(X)
    assert np.linalg.eigvalsh(center_gram(Gaussian(1.0)(X)))[0] < 0
    assert npt.rank_ < 12 and npt.lam_[-1] > 1e-10 * npt.lam_[0]
    assert NPT(Gaussian(1.0), tol=1e-4).fit(X).rank_ < npt.rank_


def test_any_factor_of_the_gram_is_a_rotation_of_the_coordinates(X):  # A16
    Z = NPT(POLY).fit_transform(X)
    L = pivoted_cholesky(Precomputed(), center_gram(POLY(X)), len(X)).L
    V = np.linalg.lstsq(Z, L)[0]
    orthonormal_columns(V)
    close(Z @ V, L)


def test_padded_to_a_square_factor_the_rotation_is_only_semi_orthogonal(X):  # K3b: |VVᵀ - I| = 1
    Z = NPT(POLY).fit_transform(X)
    V = NPT(POLY).fit(X).U_  # Y = Λ^½ Uᵀ (r x n) takes the symmetric root of Kc (n x n) by V = U
    root = Z @ V.T
    close(root @ root.T, center_gram(POLY(X)))
    orthonormal_columns(V)
    close(np.linalg.norm(V @ V.T - np.eye(14), 2), 1.0)


def test_residual_vanishes_where_the_images_span_the_space(X, Xt):  # K2, E7.2
    for kernel in POLY, Linear():
        npt = NPT(kernel).fit(X)
        close(npt.residual(Xt) ** 2, np.zeros(6))
        wrong = kernel.diag(Xt) - (npt.transform(Xt) ** 2).sum(1)  # page 000/s14 with the raw k(x, x)
        assert np.abs(wrong).max() > 0.1


def test_residual_of_a_gaussian_grows_to_its_limit_when_a_point_leaves(X):  # A18
    npt = NPT(Gaussian()).fit(X)
    far = X.mean(0) + np.linspace(3, 12, 40)[:, None]
    residual = npt.residual(far)
    assert (np.diff(residual) >= 0).all() and residual[0] < residual[-1]
    K = Gaussian()(X)
    y = (K.mean() - K.mean(0)) @ npt.U_ / np.sqrt(npt.lam_)  # coordinates when k(x, x_i) = 0
    close(residual[-1] ** 2, 1 + K.mean() - y @ y)


def test_a_vector_of_the_span_has_coordinates_and_a_projection(X, Xt, images):  # K-w, K-phiw, K4
    npt = NPT(POLY).fit(X)
    beta, w = npt.coords_of(T), images[0].T @ T
    close(beta @ beta, w @ w)
    close(beta @ beta, T @ center_gram(POLY(X)) @ T)
    onto = npt.transform(Xt) @ beta / (beta @ beta)
    close(np.outer(onto, beta), npt.transform(Xt) @ np.outer(beta, beta) / (beta @ beta))
    close(onto * np.linalg.norm(beta), images[1] @ w / np.linalg.norm(w))


def test_a_cpsd_kernel_has_coordinates_after_centring():  # 002/s6: its squared distances are -2k
    X = np.random.default_rng(5).standard_normal((10, 3))
    Z = NPT(NegativePower(2.0)).fit_transform(X)
    close(((Z[:, None] - Z) ** 2).sum(2), 2 * ((X[:, None] - X) ** 2).sum(2))


def test_points_are_found_again_from_their_distances():  # (NPT.6)
    X = np.random.default_rng(5).standard_normal((10, 3))
    D = ((X[:, None] - X) ** 2).sum(2)
    Z = embed_cpsd(-D)
    close(((Z[:, None] - Z) ** 2).sum(2), D)


def test_precomputed_gives_the_same_coordinates(X, Xt):
    K, Kt = Gaussian()(X), Gaussian()(Xt, X)
    direct, by_gram = NPT(Gaussian()).fit(X), NPT(Precomputed()).fit(K)
    close(by_gram.transform(Kt), direct.transform(Xt))
    with pytest.raises(ValueError, match="not in a cross matrix"):
        by_gram.residual(Kt)


def test_the_model_does_not_change_with_the_array_it_was_fitted_on(X, Xt):
    mine = X.copy()
    npt = NPT().fit(mine)
    before = npt.transform(Xt)
    mine[:] = 0
    assert np.array_equal(npt.transform(Xt), before)


# theorem: which methods have a kernel version


def kernel_ridge(K, Kt, t, lam):
    return Kt @ np.linalg.solve(K + lam * np.eye(len(K)), t)


def test_ridge_on_coordinates_is_kernel_ridge(X, Xt):  # K10
    k = Gaussian(0.6)
    ours = Kernelized(Ridge(alpha=0.1, fit_intercept=False), k, center=False).fit(X, T)
    close(ours.predict(Xt), kernel_ridge(k(X), k(Xt, X), T, 0.1))


def test_ridge_without_intercept_depends_on_the_centring_and_with_it_does_not(X, Xt):  # K12
    def predict(center, fit_intercept):
        return Kernelized(Ridge(alpha=0.1, fit_intercept=fit_intercept), Gaussian(), center).fit(X, T).predict(Xt)

    assert np.abs(predict(True, False) - predict(False, False)).max() > 0.05
    close(predict(True, True), predict(False, True))


def test_a_lasso_depends_on_the_factor_and_ridge_does_not(X):  # K10, E7.5
    Z = NPT().fit_transform(X)
    V = np.linalg.qr(np.random.default_rng(0).standard_normal((Z.shape[1],) * 2))[0]
    ridge, lasso = Ridge(0.1), Lasso(0.02, max_iter=100_000)
    close(ridge.fit(Z @ V, T).predict(Z @ V), ridge.fit(Z, T).predict(Z))
    assert np.abs(lasso.fit(Z @ V, T).predict(Z @ V) - lasso.fit(Z, T).predict(Z)).max() > 0.05


def test_a_linear_svm_on_coordinates_is_the_kernel_svm(Xt):  # K13, pages 000/s24-25
    X, y = two_moons(40, noise=0.15)
    k = Gaussian()
    svm = SVC(kernel="precomputed", C=5.0, tol=1e-10).fit(k(X), y).decision_function(k(Xt, X))
    for center in True, False:
        ours = Kernelized(SVC(kernel="linear", C=5.0, tol=1e-10), k, center).fit(X, y)
        close(ours.decision_function(Xt), svm, ITERATIVE)


# theorem: which of them answer new points from y alone, and which need the residual t (NPT.7)

TWO = np.array([[-1.0, 0.0], [1.0, 0.0]])
AROUND = np.random.default_rng(3).uniform(-6, 6, (200, 2))  # new points, most of them far from the data
SPHERE = {"C": 1 / 6, "tol": 1e-9}
NARROW = Gaussian(0.4)  # no eigenvalue is small enough to be dropped


class MissedByAxes(BaseEstimator):
    """Squared distance to the first two principal axes: the reconstruction error as a measure of novelty."""

    def fit(self, Z, y=None):
        self.pca_ = PCA(2).fit(Z)
        return self

    def score_samples(self, Z):
        return ((Z - self.pca_.mean_) ** 2).sum(1) - (self.pca_.transform(Z) ** 2).sum(1)


class ToMean(BaseEstimator):
    """Squared distance to the mean of each class."""

    def fit(self, Z, y):
        self.means_ = np.stack([Z[y == label].mean(0) for label in np.unique(y)])
        return self

    def transform(self, Z):
        return ((Z[:, None] - self.means_) ** 2).sum(2)

    def predict(self, Z):
        return self.transform(Z).argmin(1)


def in_feature_space(kernel, X, y, new):
    """|φ(x) - mean of a class|² for each class, from kernel values alone."""
    columns = [kernel.diag(new) - 2 * kernel(new, X[y == c]).mean(1) + kernel(X[y == c]).mean() for c in np.unique(y)]
    return np.column_stack(columns)


def with_and_without(method, kernel, X, y=None, answer="decision_function", new=AROUND):
    return [getattr(Kernelized(method, kernel, residual=r).fit(X, y), answer)(new) for r in (True, False)]


@pytest.mark.parametrize("center", [True, False])
def test_the_rows_with_residual_have_the_inner_products_of_the_images(center, X, Xt):
    npt = NPT(Gaussian(), center)
    Z = npt.fit_transform(X, residual=True)
    mean = np.append(np.full(14, 1 / 14), 0.0) if center else np.zeros(15)  # of the training points only
    H = np.eye(15) - np.outer(np.ones(15), mean)
    for x in Xt[:, None]:  # one new point at a time
        rows = np.vstack([Z, npt.transform(x, residual=True)])
        close(rows @ rows.T, H @ Gaussian()(np.vstack([X, x])) @ H.T)
        assert rows.shape == (15, npt.rank_ + 1)


def test_a_sphere_on_coordinates_accepts_a_point_that_the_kernel_sphere_rejects():  # E-K21, page 000/s20
    new = np.array([[0.0, 5.0]])
    kernel_score = SVDD(Linear(), 1.0, tol=1e-9).fit(TWO).decision_function(new)
    with_t, without = with_and_without(SVDD(Linear(), 1.0, tol=1e-9), Linear(), TWO, new=new)
    npt = NPT(Linear()).fit(TWO)
    close(kernel_score, [-24])
    close(with_t, [-24])
    close(without, [1])
    close(npt.residual(new) ** 2, [25])
    close(npt.transform(new, residual=True), [[0.0, 5.0]])


def test_far_from_two_points_the_coordinates_call_a_point_normal_and_the_gaussian_sphere_does_not():
    X, new = np.array([[-1.0], [1.0]]), np.array([[0.0], [100.0]])
    kernel_score = SVDD(Gaussian(1.0), 1.0, tol=1e-9).fit(X).decision_function(new)
    with_t, without = with_and_without(SVDD(Linear(), 1.0, tol=1e-9), Gaussian(1.0), X, new=new)
    close(kernel_score, [-0.283, -1.018], 1e-3)
    close(with_t, kernel_score)
    close(without, [0.491, 0.491], 1e-3)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Gaussian(3.0), Polynomial(3)], ids=repr)
@pytest.mark.parametrize("center", [True, False])
def test_with_the_residual_svdd_on_coordinates_is_kernel_svdd_on_new_points(kernel, center):
    X = np.random.default_rng(0).standard_normal((60, 2))
    ours = SVDD(kernel, **SPHERE).fit(X)
    for residual in True, False:
        model = Kernelized(SVDD(Linear(), **SPHERE), kernel, center, residual=residual).fit(X)
        off = model.decision_function(AROUND) - ours.decision_function(AROUND)
        close(off, np.zeros(200) if residual else model.npt_.residual(AROUND) ** 2, ITERATIVE)
        close(model.decision_function(X), ours.decision_function(X), ITERATIVE)  # training points: t = 0
        if kernel == Gaussian(1.0):
            assert (model.predict(AROUND) > 0).mean() == pytest.approx(0.07 if residual else 0.97, abs=0.03)


def test_distances_to_means_need_the_residual_and_the_nearest_mean_does_not():
    X, y = two_moons(60, noise=0.15)
    exact = in_feature_space(NARROW, X, y, AROUND)
    with_t, without = with_and_without(ToMean(), NARROW, X, y, "transform")
    close(with_t, exact)
    missing = NPT(NARROW).fit(X).residual(AROUND) ** 2
    close(without + missing[:, None], exact)
    assert missing.max() > 1
    for nearest in with_and_without(ToMean(), NARROW, X, y, "predict"):
        assert np.array_equal(nearest, exact.argmin(1))


def test_the_reconstruction_error_needs_the_residual():
    X = two_moons(60, noise=0.15)[0]
    exact = KernelPCA(NARROW, 2).fit(X).reconstruction_error(AROUND)
    with_t, without = with_and_without(MissedByAxes(), NARROW, X, answer="score_samples")
    close(with_t, exact)
    close(without + NPT(NARROW).fit(X).residual(AROUND) ** 2, exact)
    assert (exact - without).max() > 1


LABELS, VALUES = two_moons(60, noise=0.15)[1], np.sin(2 * two_moons(60, noise=0.15)[0][:, 0])


@pytest.mark.parametrize(
    "method, answer, target",
    [
        (PCA(2), "transform", None),
        (PCAL1(2), "transform", None),
        (R1PCA(2), "transform", None),
        (FDA(), "transform", LABELS),
        (LFDA(1), "transform", LABELS),
        (LPP(2), "transform", None),
        (Ridge(0.1), "predict", VALUES),
        (KernelPLS(Linear(), 2), "predict", VALUES),
        (SVR(Linear(), 5.0, tol=1e-9), "predict", VALUES),
        (LogisticRegression(), "decision_function", LABELS),
        (KernelLogistic(Linear(), 0.1), "decision_function", LABELS),
        (Perceptron(), "decision_function", LABELS),
        (OurSVC(Linear(), 5.0, tol=1e-9), "decision_function", LABELS),
        (OneClassSVM(Linear(), 0.2, tol=1e-9), "decision_function", None),
        (ToMean(), "predict", LABELS),
        (KNeighborsClassifier(5), "predict", LABELS),
        (KMeans(3, n_init=3, random_state=0), "predict", None),
    ],
    ids=lambda p: type(p).__name__ if hasattr(p, "fit") else None,
)
def test_what_sees_a_new_point_through_the_span_answers_alike_without_the_residual(method, answer, target):
    X = two_moons(60, noise=0.15)[0]
    assert NPT(Gaussian()).fit(X).residual(AROUND).max() > 1  # there is something to be missed
    with_t, without = with_and_without(method, Gaussian(), X, target, answer)
    close(with_t, without, ITERATIVE)


def test_kernel_methods_of_that_kind_agree_with_their_coordinates_on_new_points():
    X, y = two_moons(60, noise=0.15)
    k = NARROW
    pairs = [
        (OneClassSVM(k, 0.2, tol=1e-9), OneClassSVM(Linear(), 0.2, tol=1e-9), "decision_function", False),
        (OurSVC(k, 5.0, tol=1e-9), OurSVC(Linear(), 5.0, tol=1e-9), "decision_function", True),
        (KernelPCAL1(k, 2), PCAL1(2), "transform", True),
        (KernelPCA(k, 2), PCA(2), "transform", True),
    ]
    for by_kernel, linear, answer, center in pairs:
        ours = getattr(Kernelized(linear, k, center).fit(X, y), answer)(AROUND)
        close(np.abs(ours), np.abs(getattr(by_kernel.fit(X, y), answer)(AROUND)), ITERATIVE)
    centred = Kernelized(OneClassSVM(Linear(), 0.2, tol=1e-9), k, center=True).fit(X).decision_function(AROUND)
    plane = pairs[0][0].decision_function(AROUND)
    assert np.abs(centred - plane).max() > 0.05  # a plane looks at the origin: both sides centre, or neither


def test_two_new_points_together_get_a_distance_that_their_images_do_not_have():  # the limit of one t for each
    npt = NPT(Linear()).fit(TWO)
    up, down = npt.transform([[0.0, 5.0], [0.0, -5.0]], residual=True)
    close(np.linalg.norm(up - down), 0)  # their images are 10 apart
    together = NPT(Linear()).fit_transform(np.vstack([TWO, [[0.0, 5.0], [0.0, -5.0]]]))
    close(np.linalg.norm(together[2] - together[3]), 10)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("kernel", [*map(Gaussian, (1.0, 30.0, 0.05)), POLY, Polynomial(5), Linear()], ids=repr)
def test_training_points_have_no_residual_at_all(kernel, center):  # not 1e-8, the root of a rounding error
    X = np.random.default_rng(5).standard_normal((40, 2)) + 3
    npt = NPT(kernel, center)
    Z = npt.fit_transform(X, residual=True)
    assert (Z[:, -1] == 0).all() and (npt.residual(X) == 0).all() and (npt.residual(X[:3] + 0.0) == 0).all()
    close(npt.transform(X, residual=True), Z)
    assert NPT(Gaussian(), center).fit(X).residual(X[:1] + [0.0, 9.0])[0] > 0.9


def test_what_counts_as_no_residual_follows_the_size_of_the_kernel():
    X = np.random.default_rng(5).standard_normal((40, 2))
    for size in 1e-6, 1.0, 1e6:
        npt = NPT(size * Linear()).fit(X)
        assert (npt.residual(1e3 * X) == 0).all() and npt.blur_ < 1e-10 * size * 40
        line = NPT(size * Linear()).fit(X * [1, 0])
        close(line.residual([[0.0, 1e-3]]) / np.sqrt(size), [1e-3], ITERATIVE)


def test_two_routes_are_compared_answer_by_answer_and_components_up_to_sign(X, Xt):
    one, other = Kernelized(Ridge(0.1)).fit(X, T), Kernelized(Ridge(0.1)).fit(X, -T)
    twice = [2 * np.abs(one.predict(P)).max() for P in (X, Xt)]
    close(apart(one, other, "predict", X, Xt), twice)
    components = Kernelized(PCA(2)).fit(X)
    flipped = copy.deepcopy(components)
    flipped.method_.components_ = -flipped.method_.components_
    close(apart(components, flipped, "transform", X, Xt), [0, 0])


# the wrapper


def test_residual_is_a_parameter_like_the_others(X, Xt):
    model = Kernelized(SVDD(Linear(), 1.0), Gaussian(), residual=True)
    assert model.get_params(deep=False)["residual"] is True and clone(model).residual is True
    assert "residual=True" in repr(model) and Kernelized(PCA()).residual is False
    fitted = model.fit(X)
    again = pickle.loads(pickle.dumps(fitted))
    close(again.decision_function(Xt), fitted.decision_function(Xt), EXACT)
    before = fitted.decision_function(Xt)
    close(fitted.set_params(residual=False).decision_function(Xt), before, EXACT)  # it counts at the next fit
    assert np.abs(fitted.fit(X).decision_function(Xt) - before).max() > 0.01
    scores = Kernelized(PCA(2), residual=True).fit_transform(X)
    close(scores, Kernelized(PCA(2)).fit_transform(X))
    for wrong in "yes", 1, None:
        with pytest.raises(ValueError, match="residual must be one of True, False"):
            Kernelized(PCA(2), residual=wrong).fit(X)
        with pytest.raises(ValueError, match="residual must be one of True, False"):
            NPT().fit(X).transform(Xt, residual=wrong)


def test_kernelized_does_what_its_method_does_and_nothing_else(X):
    y = (X[:, 0] > 1).astype(int)
    classifier = Kernelized(LogisticRegression(C=100)).fit(X, y)
    assert classifier.score(X, y) == (classifier.predict(X) == y).mean() > 0.8
    assert classifier.predict_proba(X).shape == (14, 2) and classifier.classes_.tolist() == [0, 1]
    assert not hasattr(classifier, "transform") and not hasattr(classifier, "fit_transform")
    assert not hasattr(Kernelized(Ridge()), "predict_proba") and not hasattr(Kernelized(Ridge()), "classes_")
    assert not hasattr(Kernelized(PCA()), "score") and not hasattr(classifier, "coef_")
    scores = Kernelized(PCA(2)).fit_transform(X)
    close(scores, Kernelized(PCA(2)).fit(X).transform(X), EXACT)


def test_kernelized_never_changes_its_method(X):
    ridge = Ridge()
    Kernelized(ridge).fit(X, T)
    assert not hasattr(ridge, "coef_")


@pytest.mark.parametrize("double", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_kernelized_survives_copying_and_pickling(double, X, Xt):
    new, fitted = double(Kernelized(Ridge(2.0))), double(Kernelized(Ridge(2.0)).fit(X, T))
    assert new.get_params()["method__alpha"] == 2.0 and not hasattr(new, "method_")
    close(fitted.predict(Xt), Kernelized(Ridge(2.0)).fit(X, T).predict(Xt), EXACT)


def test_kernelized_k_means_finds_rings():
    X, y = rings(radii=(0.2, 2.0), n_per_ring=30)
    found = Kernelized(KMeans(2, n_init=5, random_state=0), Gaussian(0.8)).fit(X).predict(X)
    assert (found == y).mean() in (0.0, 1.0)


# refusal


@pytest.mark.parametrize(
    "params, sentence, kind",
    [
        ({"kernel": "rbf"}, "kernel must be a kernel such as", TypeError),
        ({"kernel": Gaussian}, "kernel must be a kernel such as", TypeError),
        ({"center": "yes"}, "center must be one of True, False", ValueError),
        ({"tol": 0}, "tol must be a number between 0 and 1", ValueError),
        ({"tol": 1.0}, "tol must be a number between 0 and 1", ValueError),
    ],
)
def test_npt_refuses_parameters(params, sentence, kind, X):
    with pytest.raises(kind, match=sentence):
        NPT(**params).fit(X)


def test_npt_refuses_data_without_extent(X):
    only_rounding = np.add.outer(T, T)  # a Gram matrix of equal points, up to where the origin is
    cases = (np.full((5, 2), 0.1), Gaussian()), (X, Gaussian(1e9)), (-np.eye(4), Precomputed())
    for data, kernel in (*cases, (only_rounding, Precomputed())):
        with pytest.raises(ValueError, match="span nothing"):
            NPT(kernel).fit(data)
    with pytest.raises(ValueError, match="3 entries for 14 samples"):
        NPT().fit(X).coords_of([1.0, 2.0, 3.0])


def test_kernelized_refuses_what_is_no_method(X):
    with pytest.raises(TypeError, match="method must be an estimator with fit"):
        Kernelized("ridge").fit(X)
    with pytest.raises(ValueError, match="5 features, but Kernelized is expecting 2"):
        Kernelized(Ridge()).fit(X, T).predict(np.ones((3, 5)))
