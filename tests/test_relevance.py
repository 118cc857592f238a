"""Relevant dimension estimation: planted dimensions are found, labels are cleaned, noise is measured."""

import numpy as np
import pytest
from tolerances import EXACT, IDENTITY, close

from kmlab.kernels import Gaussian
from kmlab.relevance import relevant_dimension

pytestmark = pytest.mark.filterwarnings("error")


def planted(q, seed, n=80, noise=0.1):
    rng = np.random.default_rng(seed)
    K = Gaussian(1.0)(rng.uniform(-3, 3, (n, 1)))
    U = np.linalg.eigh(K)[1][:, ::-1]
    return K, U[:, :q], U[:, :q] @ rng.choice([-3.0, 3.0], q) + noise * rng.standard_normal(n)


# definition


def test_curve_contributions_and_labels_are_those_of_the_definition():
    K, _, y = planted(4, 0, n=21)
    found = relevant_dimension(K, y)
    U = np.linalg.eigh(K)[1][:, ::-1]
    s = U.T @ y
    ell = [q / 21 * np.log(np.mean(s[:q] ** 2)) + (21 - q) / 21 * np.log(np.mean(s[q:] ** 2)) for q in range(1, 11)]
    close(found.curve, ell)
    assert found.dimension == 1 + int(np.argmin(ell))
    close(np.abs(found.contributions), np.abs(s))
    close(found.denoised, U[:, : found.dimension] @ U[:, : found.dimension].T @ y)
    close(found.noise, np.mean((y - found.denoised) ** 2), EXACT)


def test_the_gram_matrix_is_taken_as_it_is_not_centred():
    K, _, y = planted(4, 1)
    H = np.eye(80) - 1 / 80
    assert np.abs(relevant_dimension(H @ K @ H, y).contributions - relevant_dimension(K, y).contributions).max() > 0.1


# theorem


@pytest.mark.parametrize("q", [2, 6])
def test_a_planted_dimension_is_recovered_in_every_draw(q):  # N-rde, E12.4
    assert [relevant_dimension(*planted(q, seed, noise=0.01)[::2]).dimension for seed in range(30)] == [q] * 30


def test_denoising_is_a_projection_and_loses_nothing_else():  # N-rde2
    K, U, y = planted(6, 3)
    found = relevant_dimension(K, y)
    close(U @ U.T @ found.denoised, found.denoised)
    close((found.contributions**2).sum(), (y**2).sum())
    close(found.noise, (found.contributions[6:] ** 2).sum() / 80)


def test_noise_level_is_that_of_the_noise():
    x = np.linspace(-4, 4, 300)
    for noise in 0.1, 0.5:
        y = np.sinc(x) + noise * np.random.default_rng(1).standard_normal(300)
        found = relevant_dimension(Gaussian(1.0)(x[:, None]), y)
        assert 0.85 * noise < np.sqrt(found.noise) < 1.1 * noise
        assert np.mean((found.denoised - np.sinc(x)) ** 2) < np.mean((y - np.sinc(x)) ** 2) / 5


def test_labels_without_noise_are_returned_as_they_are():
    K, _, y = planted(3, 0, noise=0.0)
    found = relevant_dimension(K, y)
    close(found.denoised, y)
    assert found.dimension == 3 and found.noise < IDENTITY and np.isfinite(found.curve).all()


def test_a_small_rest_behind_large_contributions_is_not_lost_to_rounding():
    found = relevant_dimension(np.diag(np.arange(8.0, 0, -1)), [1e9, 1e9, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    close(found.curve[1], 2 / 8 * np.log(1e18))
    assert found.dimension == 2
    nothing = relevant_dimension(np.diag([4.0, 3.0, 2.0, 1.0]), [1.0, 0.0, 0.0, 0.0])  # the rest is zero
    assert nothing.dimension == 1 and nothing.noise == 0 and np.isfinite(nothing.curve).all()


def test_only_half_of_the_dimensions_are_tried():
    assert len(relevant_dimension(np.diag([5.0, 4.0, 3.0, 2.0, 1.0]), [1.0, 0.0, 0.0, 0.0, 9.0]).curve) == 2


def test_of_equal_minima_the_first_is_taken():
    found = relevant_dimension(np.diag([4.0, 3.0, 2.0, 1.0]), np.ones(4))
    close(found.curve, np.zeros(2), EXACT)
    assert found.dimension == 1


# refusal


def test_bad_input_gets_one_sentence():
    with pytest.raises(ValueError, match="at least 4 samples, got 3"):
        relevant_dimension(np.eye(3), np.ones(3))
    with pytest.raises(ValueError, match="y has 5 entries for 4 samples"):
        relevant_dimension(np.eye(4), np.ones(5))
    with pytest.raises(ValueError, match="symmetric"):
        relevant_dimension(np.triu(np.ones((4, 4))), np.ones(4))


def test_labels_that_the_leading_components_do_not_know_have_a_curve_too():
    assert np.isfinite(relevant_dimension(np.diag([4.0, 3.0, 2.0, 1.0]), [0.0, 0.0, 0.0, 1.0]).curve).all()
