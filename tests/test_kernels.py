"""Kernels against their formulas, the theorems of the slides, and the geometry they define."""

from math import comb

import numpy as np
import pytest
from scipy.stats import kendalltau
from sklearn.metrics import pairwise
from tolerances import EXACT, IDENTITY, ROOT, close

from kmlab.centering import center_gram
from kmlab.features import hom2_map, poly2_map, stack_maps, tensor_maps
from kmlab.gram import Gram
from kmlab.kernels import (
    Exponential,
    Gaussian,
    KendallTau,
    Kernel,
    Linear,
    NegativePower,
    Normalized,
    Polynomial,
    Power,
    Precomputed,
    Product,
    Scaled,
    Sum,
    Tanh,
    feature_angle,
    feature_distance2,
    is_cpsd,
    is_psd,
    median_width,
    normalized,
)
from kmlab.npt import NPT

pytestmark = pytest.mark.filterwarnings("error")


def concordant_minus_discordant(x, z):
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    return sum(np.sign((x[i] - x[j]) * (z[i] - z[j])) for i, j in pairs) / len(pairs)


FORMULAS = {
    Linear(): lambda x, z: x @ z,
    Polynomial(3, 0.5): lambda x, z: (x @ z + 0.5) ** 3,
    Gaussian(0.7): lambda x, z: np.exp(-((x - z) @ (x - z)) / 0.7**2),
    Exponential(0.7): lambda x, z: np.exp(-np.linalg.norm(x - z) / 0.7),
    NegativePower(1.5): lambda x, z: -(np.linalg.norm(x - z) ** 1.5),
    Tanh(0.5, -0.2): lambda x, z: np.tanh(0.5 * x @ z - 0.2),
    KendallTau(): concordant_minus_discordant,
    Gaussian(2.0) + Linear(): lambda x, z: np.exp(-((x - z) @ (x - z)) / 4) + x @ z,
    Gaussian(2.0) * Linear(): lambda x, z: np.exp(-((x - z) @ (x - z)) / 4) * (x @ z),
    2.5 * Linear(): lambda x, z: 2.5 * (x @ z),
    Linear() ** 3: lambda x, z: (x @ z) ** 3,
    normalized(Polynomial(2, 1.0)): lambda x, z: (x @ z + 1) ** 2 / ((x @ x + 1) * (z @ z + 1)),
}
PSD = [Linear(), Polynomial(3, 0.5), Polynomial(2, 0.0), Gaussian(0.7), Exponential(0.7), KendallTau()]


def points(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


# definition


@pytest.mark.parametrize("kernel", FORMULAS, ids=repr)
def test_kernel_is_its_formula_in_a_double_loop(kernel):
    X, Z, formula = points(7, 3), points(5, 3, seed=1), FORMULAS[kernel]
    close(kernel(X, Z), [[formula(x, z) for z in Z] for x in X], EXACT)
    close(kernel(X), [[formula(x, z) for z in X] for x in X], EXACT)
    close(kernel.diag(X), [formula(x, x) for x in X], EXACT)


@pytest.mark.parametrize("kernel", FORMULAS, ids=repr)
def test_gram_is_exactly_symmetric(kernel):
    X = points(9, 3)
    K = kernel(X)
    assert np.array_equal(K, K.T) and np.array_equal(kernel(X, X), K)


def test_widths_of_the_lectures_convert_to_gamma(X):  # X2: 001 c, 003 σ, 004 0.1, textbook s
    close(Gaussian(2.0).gamma, 1 / 4, EXACT)
    d2 = np.array([[((x - z) ** 2).sum() for z in X] for x in X])
    sigma, s = 0.4, 0.3
    close(Gaussian.from_gamma(1 / sigma)(X), np.exp(-d2 / sigma), EXACT)
    close(Gaussian(np.sqrt(0.1))(X), np.exp(-d2 / 0.1), EXACT)
    close(Gaussian(np.sqrt(2) * s)(X), np.exp(-d2 / (2 * s**2)), EXACT)


def test_norm_distance_and_angle_have_the_numbers_of_the_exercises():
    close(Linear().diag([[3.0, 4.0]]), [25.0], EXACT)  # E1.1
    K = Gaussian(2.0)([[0.0, 0.0], [2.0, 0.0]])  # E1.2
    close(K[0, 1], 0.367879, 1e-6)
    close(feature_distance2(K)[0, 1], 1.264241, 1e-6)
    close(np.degrees(feature_angle(K)[0, 1]), 68.4151, 1e-6)
    close(KendallTau()([[1, 2, 3]], [[1, 3, 2]]), [[1 / 3]], EXACT)  # E4.4


def test_distance_and_angle_are_those_of_explicit_images(X):
    K, images = Polynomial(2, 1.0)(X), poly2_map(X)
    lengths = np.linalg.norm(images, axis=1)
    close(feature_distance2(K), ((images[:, None] - images) ** 2).sum(2), EXACT)
    close(np.cos(feature_angle(K)), images @ images.T / np.outer(lengths, lengths), EXACT)
    assert not np.diag(feature_distance2(K)).any()


def test_rounding_never_gives_a_negative_distance_or_an_undefined_angle():
    K = Linear()(np.repeat([[0.1, 0.7]], 5, axis=0) * [[1], [1 + 1e-15], [1], [3], [-2]])
    close(feature_angle(K)[0, [3, 4]], [0, np.pi], ROOT)
    above = np.nextafter(1, 2)
    assert not feature_distance2([[1.0, above], [above, 1.0]]).any()


def test_median_width_is_the_median_over_pairs_of_different_points():
    X = [[0.0], [0.0], [0.0], [1.0], [4.0]]  # distances 1, 1, 1, 4, 4, 4, 3 between points that differ
    assert median_width(X) == 3.0
    few = points(4, 3, seed=4)
    assert median_width(np.repeat(few, 10, axis=0)) == pytest.approx(median_width(few))
    many = points(2500, 2)
    assert median_width(many) == pytest.approx(np.sqrt(4 * np.log(2)), rel=0.05)  # |x - z|² is 2χ² with 2 degrees


KNOWN_GRADIENTS = [k for k in FORMULAS if type(k).gradient is not Kernel.gradient]


def slopes(of_z, z, h=1e-6):
    """∂/∂z of the values of_z(z), by central differences; (d,) -> (..., d)."""
    return np.stack([(of_z(z + h * e) - of_z(z - h * e)) / (2 * h) for e in np.eye(len(z))], -1)


@pytest.mark.parametrize("kernel", KNOWN_GRADIENTS, ids=repr)
def test_gradients_are_the_slopes_of_the_values(kernel, X):
    z = np.array([0.4, -0.7])
    close(kernel.gradient(z, X), slopes(lambda z: kernel(z[None], X)[0], z), 1e-6)
    close(kernel.diagonal_gradient(z), slopes(lambda z: kernel.diag(z[None])[0], z), 1e-6)
    gamma = np.linspace(-1, 2, len(X))
    value, slope = kernel.gap(z, X, gamma)
    close(value, kernel.diag(z[None])[0] - 2 * gamma @ kernel(X, z[None])[:, 0])
    close(slope, kernel.diagonal_gradient(z) - 2 * gamma @ kernel.gradient(z, X))


def test_every_kernel_knows_its_gradient_or_says_so():
    assert {type(k) for k in KNOWN_GRADIENTS} == {Linear, Polynomial, Gaussian, Sum, Product, Scaled, Power}
    for kernel in set(FORMULAS) - set(KNOWN_GRADIENTS):
        with pytest.raises(ValueError, match="is not known here: use method='ridge'"):
            kernel.gradient(np.zeros(2), np.ones((3, 2)))


def test_a_distance_is_read_back_from_a_value_and_a_pull_is_minus_the_slope_in_it():
    kernel, x, z = Gaussian(0.7), np.array([[0.3, -1.0]]), np.array([[1.1, 0.4]])
    d2 = ((x - z) ** 2).sum()
    close(kernel.distance2_at(kernel(x, z)[0, 0]), d2)
    steep = (kernel.at_distance2(d2 - 1e-6) - kernel.at_distance2(d2 + 1e-6)) / 2e-6
    close(kernel.pull(x, z)[0, 0] / kernel.width**2, steep, 1e-6)


# theorem: kernels and feature maps


def test_gaussian_images_lie_on_the_unit_sphere_within_one_quadrant(X):  # page 001/p113
    K = Gaussian(0.7)(X)
    assert (np.diag(K) == 1).all() and K.min() > 0 and K.max() <= 1 and is_psd(K)
    close(feature_distance2(K), 2 - 2 * K, EXACT)
    close(np.cos(feature_angle(K)), K, EXACT)
    assert feature_angle(K).max() <= np.pi / 2


@pytest.mark.parametrize("kernel", [Gaussian(), Exponential(), NegativePower(1.0)], ids=repr)
def test_kernels_of_a_distance_are_blind_to_translation(kernel, X, Xt):  # V14
    close(kernel(Xt + 5, X + 5), kernel(Xt, X), EXACT)


@pytest.mark.parametrize("kernel", [Gaussian(), Exponential(), NegativePower(0.5)], ids=repr)
def test_a_point_met_again_has_distance_exactly_zero_even_under_a_root(kernel, X):
    close(np.diag(kernel(X + 100, X + 100 + 0.0)), kernel.diag(X), EXACT)


@pytest.mark.parametrize("away", [1e2, 1e4, 1e8])
def test_neighbours_stay_neighbours_however_far_others_are(away):
    places = away * np.random.default_rng(0).standard_normal((20, 3))
    X = np.concatenate([places, places + np.random.default_rng(1).uniform(-1, 1, places.shape)])
    K, loop = Gaussian()(X), np.exp(-((X[:, None] - X) ** 2).sum(-1))
    close(K, loop, IDENTITY)
    close(Gaussian()(X, X.copy()), loop, IDENTITY)
    close(Gaussian(2**-10)(2**-10 * X), loop, IDENTITY)  # in other units, without rounding
    close(np.array([Gram(Gaussian(), X)[i] for i in range(len(X))]), loop, IDENTITY)


@pytest.mark.parametrize(
    "degree, coef0, rank",
    [
        (2, 0.0, 6),
        (2, 1.0, 10),
        (3, 1.0, 20),  # V16b
        (4, 1.0, 35),
        (4, 0.0, 15),  # E1.5
    ],
)
def test_rank_of_a_polynomial_gram_counts_its_monomials(degree, coef0, rank):
    d = 3
    assert rank == (comb(d + degree, degree) if coef0 else comb(d + degree - 1, degree))
    assert np.linalg.matrix_rank(Polynomial(degree, coef0)(points(60, d)), tol=1e-7) == rank


@pytest.mark.parametrize("d, degree, rank", [(2, 2, 5), (2, 1, 2), (2, 3, 9), (3, 2, 9)])  # B8, E6.2
def test_centring_takes_the_constant_monomial_away(d, degree, rank):
    assert rank == comb(d + degree, degree) - 1
    assert NPT(Polynomial(degree, 1.0)).fit(points(20, d)).rank_ == rank


def test_homogeneous_square_is_the_inner_product_of_outer_products(X):  # V16, page 003/s21
    close(Polynomial(2, 0.0)(X), [[(np.outer(x, x) * np.outer(z, z)).sum() for z in X] for x in X], EXACT)


def test_sums_and_products_of_kernels_are_those_of_stacked_and_tensored_maps(X):  # S-tensor
    one, two = Polynomial(2, 0.0), Polynomial(2, 1.0)
    stacked, tensored = stack_maps(hom2_map, poly2_map)(X), tensor_maps(hom2_map, poly2_map)(X)
    close((one + two)(X), stacked @ stacked.T, EXACT)
    close((one * two)(X), tensored @ tensored.T, EXACT)
    assert (one + two, one * two, 2.0 * one) == (Sum(one, two), Product(one, two), Scaled(2.0, one))


@pytest.mark.parametrize("kernel", PSD, ids=repr)
def test_what_is_called_a_kernel_is_positive_semi_definite_and_stays_so(kernel):  # S-closure
    X = points(25, 3)
    assert is_psd(kernel(X))
    for made in (kernel + Gaussian(), kernel * Gaussian(), 0.3 * kernel, 0 * kernel, kernel**2):
        assert is_psd(made(X)), made


def test_a_difference_of_kernels_is_not_closed():  # S2b
    X = points(25, 3)
    assert np.linalg.eigvalsh(Gaussian(1.0)(X) - Gaussian(0.3)(X))[0] < -0.1
    assert not is_psd(Gaussian(1.0)(X) - Gaussian(0.3)(X))


def test_tanh_is_not_positive_semi_definite():  # V19
    X = points(40, 2)
    assert np.linalg.eigvalsh(Tanh(1.0, -1.0)(X))[0] < -5
    assert not is_psd(Tanh(1.0, -1.0)(X))


def test_normalized_kernel_is_the_cosine_and_leaves_a_gaussian_alone(X, Xt):  # N-norm
    images, new = poly2_map(X), poly2_map(Xt)
    images /= np.linalg.norm(images, axis=1)[:, None]
    new /= np.linalg.norm(new, axis=1)[:, None]
    k = normalized(Polynomial(2, 1.0))
    close(k(Xt, X), new @ images.T, EXACT)
    assert (k.diag(X) == 1).all()
    close(normalized(Gaussian())(X), Gaussian()(X), EXACT)


def test_kendall_kernel_on_all_rankings_of_four_has_rank_six():  # N-kendall
    from itertools import permutations

    rankings = np.array(list(permutations(range(4))))
    K = KendallTau()(rankings)
    assert is_psd(K) and np.linalg.matrix_rank(K) == comb(4, 2) and (KendallTau().diag(rankings) == 1).all()


# theorem: the function space, CPSD kernels and distances


def test_reproducing_property_bounds_a_function_by_its_norm(X, Xt):  # N-repro
    k, alpha = Gaussian(0.8), np.random.default_rng(4).standard_normal(len(X))
    f, norm = k(Xt, X) @ alpha, np.sqrt(alpha @ k(X) @ alpha)
    assert (np.abs(f) <= norm * np.sqrt(k.diag(Xt))).all()
    npt = NPT(k, center=False, tol=1e-14).fit(X)
    close(np.linalg.norm(npt.coords_of(alpha)), norm)
    close(npt.transform(Xt) @ npt.coords_of(alpha), f)


@pytest.mark.parametrize("power, holds", [(0.5, True), (1.0, True), (2.0, True), (3.0, False)])  # E4.1
def test_negative_power_of_a_distance_is_cpsd_up_to_two(power, holds):
    K = NegativePower(power)(points(25, 3))
    assert is_cpsd(K) is holds and is_psd(K) is False


def test_a_cpsd_kernel_is_a_distance_in_disguise(X):  # B-dist
    K = NegativePower(1.0)(X)
    G = center_gram(K) / 2
    assert is_psd(G, tol=1e-9)
    close(feature_distance2(G), -K, EXACT)
    shifted = K + np.add.outer(np.arange(14.0), np.arange(14.0))  # the same distances, another diagonal
    half = shifted.diagonal() / 2
    close(feature_distance2(center_gram(shifted) / 2), half[:, None] + half - shifted, EXACT)


def test_psd_and_cpsd_know_the_boundary_cases():
    assert is_psd(np.eye(3)) and is_psd(np.zeros((2, 2))) and not is_psd(-np.eye(3))
    assert not is_psd([[2.0, 0.0], [1.0, 2.0]]) and not is_cpsd([[2.0, 0.0], [1.0, 2.0]]), "not symmetric"
    assert is_psd(1e9 * np.diag([1.0, -1e-12])) and not is_psd(1e-9 * np.diag([1.0, -1e-9]))
    assert is_psd(np.diag([1.0, -1e-12])) and not is_psd(np.diag([1.0, -1e-9]))
    assert is_psd(np.diag([1.0, -1e-9]), tol=1e-8) and is_cpsd(np.diag([1.0, 1.0, -0.5]), tol=0.5)
    a = np.random.default_rng(0).standard_normal(20)
    assert is_cpsd(np.add.outer(a, a)), "centring leaves only rounding error, which has no sign"
    assert is_psd([[1.0, 1 - 2**2 / 2], [1 - 2**2 / 2, 1.0]])  # E1.4: 1 - d²/2 on two points, up to d = 2
    assert not is_psd([[1.0, 1 - 2.001**2 / 2], [1 - 2.001**2 / 2, 1.0]])


# the kernel object


def test_values_on_a_grid_are_the_plain_sum(X):
    xs, ys = np.linspace(-1, 1, 4), np.linspace(0, 2, 3)
    coef = np.random.default_rng(0).standard_normal((len(X), 2))
    for kernel in Gaussian(0.6), Polynomial(2, 1.0):
        expected = [[kernel([[x, y]], X)[0] @ coef for x in xs] for y in ys]
        close(kernel.on_grid(xs, ys, X, coef), expected, EXACT)


def test_kernels_are_values_that_can_be_compared_and_hashed():
    assert Gaussian(2) == Gaussian(2.0) and hash(Gaussian(2)) == hash(Gaussian(2.0)) and Gaussian(2) != Exponential(2)
    assert repr(2 * Gaussian(1)) == "Scaled(factor=2.0, kernel=Gaussian(width=1.0))"
    assert isinstance(normalized(Linear()), Normalized)
    with pytest.raises(AttributeError):
        Gaussian(2.0).width = 3.0


def test_numpy_numbers_are_taken_at_their_value(X):
    for width in np.int8(20), np.float32(20), 20:  # 20² does not fit into eight bits
        assert np.array_equal(Gaussian(width)(X), Gaussian(20.0)(X))
    assert np.array_equal((np.float64(2) * Linear())(X), (Linear() * 2)(X))


def test_extreme_scales_change_nothing(X):
    for scale in 1e149, 1e-149:
        for kernel in Gaussian, Exponential:
            close(kernel(scale)(scale * X), kernel(1.0)(X), IDENTITY)
    assert np.array_equal(Gaussian(1e-150)(1e149 * X), np.eye(len(X)))
    assert np.array_equal(Gaussian(1e150)(X), np.ones((len(X), len(X))))


def test_precomputed_hands_matrices_through(X, Xt):
    K, Kt = Gaussian()(X), Gaussian()(Xt, X)
    assert Precomputed()(K) is K and Precomputed()(Kt, K) is Kt


# oracle


def test_scikit_learn_and_scipy_compute_the_same_kernels():
    X, Z = points(8, 4), points(6, 4, seed=1)
    close(Gaussian.from_gamma(0.3)(X, Z), pairwise.rbf_kernel(X, Z, gamma=0.3), EXACT)
    close(Polynomial(3, 0.5)(X, Z), pairwise.polynomial_kernel(X, Z, degree=3, gamma=1, coef0=0.5), EXACT)
    close(Tanh(0.5, -0.2)(X, Z), pairwise.sigmoid_kernel(X, Z, gamma=0.5, coef0=-0.2), EXACT)
    close(KendallTau()(X, Z), [[kendalltau(x, z).statistic for z in Z] for x in X], EXACT)


def test_normalized_kendall_with_ties_is_scipys_tau_b():
    X = np.array([[1, 2, 2, 4], [3, 1, 1, 1], [4, 3, 2, 1], [1, 1, 2, 2]])
    close(normalized(KendallTau())(X), [[kendalltau(x, z).statistic for z in X] for x in X], EXACT)


# refusal

WIDTHS = [0, -1.0, np.nan, np.inf, "1", True, None, 1j, [1.0], 10**400, 1e-200, 1e200]


@pytest.mark.parametrize("make", [Gaussian, Exponential, Gaussian.from_gamma], ids=["Gaussian", "Exponential", "gamma"])
@pytest.mark.parametrize("width", WIDTHS, ids=repr)
def test_a_width_that_is_no_length_is_refused(make, width):
    if make == Gaussian.from_gamma and width in (1e-200, 1e200):
        return  # its root is a fine width
    with pytest.raises(ValueError, match="(width|gamma) must be"):
        make(width)


@pytest.mark.parametrize(
    "make, name",
    [
        (lambda: Polynomial(1.5), "degree must be a whole number"),
        (lambda: Polynomial(0), "degree must be a whole number"),
        (lambda: Polynomial(True), "degree must be a whole number"),
        (lambda: Polynomial("2"), "degree must be a whole number"),
        (lambda: Polynomial(2, -1.0), "coef0 must be a number of at least 0"),
        (lambda: Polynomial(2, np.nan), "coef0 must be a number of at least 0"),
        (lambda: NegativePower(0), "power must be a positive number"),
        (lambda: Tanh(np.inf), "scale must be a finite number"),
        (lambda: Tanh(1.0, "0"), "offset must be a finite number"),
        (lambda: -1 * Linear(), "negative multiple"),
        (lambda: np.nan * Linear(), "factor of a kernel must be a finite number"),
        (lambda: True * Linear(), "factor of a kernel must be a finite number"),
        (lambda: Linear() ** 0.5, "exponent of a kernel must be a whole number"),
        (lambda: Linear() ** 0, "exponent of a kernel must be a whole number"),
    ],
)
def test_a_parameter_out_of_range_is_refused(make, name):
    with pytest.raises(ValueError, match=name):
        make()


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: Linear() - Linear(), "difference of kernels need not be a kernel"),
        (lambda: Linear() + 1, "must be a kernel such as Gaussian"),
        (lambda: "x" * Linear(), "must be a kernel such as Gaussian"),
        (lambda: normalized("rbf"), "must be a kernel such as Gaussian"),
    ],
)
def test_what_is_no_kernel_does_not_compose(make, sentence):
    with pytest.raises(TypeError, match=sentence):
        make()


@pytest.mark.parametrize("kernel", [Precomputed() + Linear(), 2 * Precomputed(), normalized(Precomputed())], ids=repr)
def test_a_matrix_is_no_part_of_a_kernel(kernel):
    with pytest.raises(ValueError, match="combine the matrices"):
        kernel(np.eye(3))


def test_precomputed_refuses_what_does_not_fit(X):
    K = Gaussian()(X)
    with pytest.raises(ValueError, match="symmetric"):
        Precomputed()(np.triu(K))
    with pytest.raises(ValueError, match="cross matrix to 14 training points"):
        Precomputed()(np.ones((2, 3)), K)
    with pytest.raises(ValueError, match="not in a cross matrix"):
        Precomputed().diag(K)


def test_kernels_refuse_points_that_they_cannot_use(X):
    with pytest.raises(ValueError, match="X has 2 features and Z has 3"):
        Linear()(X, np.ones((4, 3)))
    with pytest.raises(ValueError, match=r"Point 1 has k\(x, x\) = 0"):
        normalized(Linear())([[1.0, 1.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="Point 1 has"):
        normalized(Linear()).diag([[1.0, 1.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="Point 2 has"):
        feature_angle(np.diag([1.0, 1.0, 0.0]))
    with pytest.raises(ValueError, match="at least two things"):
        KendallTau()([[1.0], [2.0]])
    with pytest.raises(ValueError, match="overflow"):
        Polynomial(5)(1e100 * X)
    with pytest.raises(ValueError, match="All points of X are the same"):
        median_width(np.full((7, 3), 0.1))
    with pytest.raises(ValueError, match="2 features"):
        Gaussian().on_grid([0.0], [0.0], np.ones((4, 3)), np.ones((4, 1)))
    with pytest.raises(ValueError, match="one row of coef for each"):
        Gaussian().on_grid([0.0], [0.0], X, np.ones((4, 1)))
    with pytest.raises(NotImplementedError):
        Kernel()(X)
