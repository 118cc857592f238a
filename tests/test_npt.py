"""The nonlinear projection trick against explicit feature maps, and what it does to linear methods."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.svm import SVC
from tolerances import EXACT, ITERATIVE, close, orthonormal_columns

from kmlab._linalg import pivoted_cholesky
from kmlab.centering import center_gram
from kmlab.datasets import rings, two_moons
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian, Linear, NegativePower, Polynomial, Precomputed
from kmlab.npt import NPT, Kernelized
from kmlab.pca import PCA

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
    L = pivoted_cholesky(center_gram(POLY(X)))[0]
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


# the wrapper

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

@pytest.mark.parametrize("params, sentence, kind", [
    ({"kernel": "rbf"}, "kernel must be a kernel such as", TypeError),
    ({"kernel": Gaussian}, "kernel must be a kernel such as", TypeError),
    ({"center": "yes"}, "center must be one of True, False", ValueError),
    ({"tol": 0}, "tol must be a number between 0 and 1", ValueError),
    ({"tol": 1.0}, "tol must be a number between 0 and 1", ValueError),
])
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


