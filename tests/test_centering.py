"""Centring in feature space, for training points, new points and their lengths."""

import numpy as np
import pytest
from tolerances import EXACT, close

from kmlab.centering import Centerer, center_gram
from kmlab.features import poly2_map
from kmlab.kernels import Gaussian, Linear, Polynomial

POLY = Polynomial(2, 1.0)


@pytest.fixture
def images(X, Xt):
    """Explicit images, centred by hand with the mean of the training images."""
    mean = poly2_map(X).mean(0)
    return poly2_map(X) - mean, poly2_map(Xt) - mean


# definition


def test_centred_gram_is_the_gram_of_centred_images(X, images):
    close(center_gram(POLY(X)), images[0] @ images[0].T, EXACT)


def test_centred_cross_matrix_is_that_of_images_shifted_by_the_training_mean(X, Xt, images):
    close(Centerer().fit(POLY(X)).transform(POLY(Xt, X)), images[1] @ images[0].T, EXACT)


def test_centred_self_kernel_is_the_squared_length_of_the_shifted_image(X, Xt, images):
    centered = Centerer().fit(POLY(X)).transform_diag(POLY.diag(Xt), POLY(Xt, X))
    close(centered, (images[1] ** 2).sum(1), EXACT)


# theorem


def test_the_three_lecture_formulas_agree(X):  # B13
    K, n = Gaussian()(X), len(X)
    E = np.ones((n, n)) / n
    of_000 = (np.eye(n) - E) @ K @ (np.eye(n) - E)
    ones = np.ones((n, n))
    of_002 = K - ones @ K / n - K @ ones / n + ones @ K @ ones / n**2
    of_004 = K - E @ K - K @ E + E @ K @ E
    for formula in of_000, of_002, of_004:
        close(center_gram(K), formula, EXACT)


def test_rows_of_a_centred_gram_sum_to_zero_and_centring_again_changes_nothing(X):
    Kc = center_gram(Gaussian()(X))
    close(Kc.sum(0), np.zeros(len(X)), EXACT)
    close(center_gram(Kc), Kc, EXACT)


def test_new_points_are_centred_as_in_lecture_000(X, Xt):  # M16: (I - E)[κ(x) - K1/n]
    K, Kt, n = Gaussian()(X), Gaussian()(Xt, X), len(X)
    H = np.eye(n) - 1 / n
    close(Centerer().fit(K).transform(Kt), [H @ (kappa - K @ np.ones(n) / n) for kappa in Kt], EXACT)


def test_training_points_taken_as_new_give_the_centred_gram(X):
    K = Gaussian()(X)
    Kc = center_gram(K)
    close(Centerer().fit_transform(K), Kc, EXACT)
    close(Centerer().fit(K).transform_diag(np.diag(K), K), np.diag(Kc), EXACT)


def test_only_the_centred_gram_is_blind_to_translation(X):  # B-trans, page 002/s4
    shift = np.array([3.0, -2.0])
    assert np.abs(Linear()(X + shift) - Linear()(X)).max() > 1
    close(center_gram(Linear()(X + shift)), center_gram(Linear()(X)), EXACT)


def test_one_point_is_its_own_mean():
    assert np.array_equal(center_gram([[3.0]]), [[0.0]])


# oracle


def test_scikit_learn_centres_alike(X, Xt):
    from sklearn.preprocessing import KernelCenterer

    K, Kt = Gaussian()(X), Gaussian()(Xt, X)
    close(Centerer().fit(K).transform(Kt), KernelCenterer().fit(K).transform(Kt), EXACT)


# refusal


def test_a_cross_matrix_to_other_training_points_is_refused(X, Xt):
    fitted = Centerer().fit(Gaussian()(X))
    with pytest.raises(ValueError, match="5 features, but Centerer is expecting 14"):
        fitted.transform(Gaussian()(Xt, X[:5]))
    with pytest.raises(ValueError, match="4 entries for 6 samples"):
        fitted.transform_diag(np.ones(4), Gaussian()(Xt, X))


@pytest.mark.parametrize("K, sentence", [(np.ones((2, 3)), "square"), ([[1.0, 2.0], [0.0, 1.0]], "symmetric")])
def test_what_is_no_gram_matrix_is_refused(K, sentence):
    for centre in center_gram, Centerer().fit:
        with pytest.raises(ValueError, match=sentence):
            centre(K)
