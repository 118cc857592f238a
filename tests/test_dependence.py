"""HSIC, COCO and KCC against their definitions, and a test of independence that keeps its promise."""

import inspect
from itertools import permutations as all_orders

import numpy as np
import pytest
from scipy import stats
from scipy.linalg import sqrtm
from scipy.optimize import minimize
from tolerances import EXACT, ITERATIVE, ROOT, close, orthonormal_columns, same_up_to_sign

from kmlab import dependence
from kmlab.centering import center_gram
from kmlab.course.experiments.fisher_and_independence import hsic_share
from kmlab.course.samples import chebyshev_pair
from kmlab.datasets import dependence_shapes
from kmlab.dependence import (
    STATISTICS,
    coco,
    counted,
    gamma_approximation,
    hsic,
    independence_steps,
    independence_test,
    kcc,
    permutation_test,
    witnesses,
)
from kmlab.engine import shuffles
from kmlab.engine.cholesky import short_factor
from kmlab.features import poly2_map
from kmlab.gram import Gram
from kmlab.kernels import Exponential, Gaussian, Linear, NegativePower, Polynomial, Precomputed, Tanh, median_width
from kmlab.npt import NPT
from kmlab.spectrum import eigenpairs

pytestmark = pytest.mark.filterwarnings(
    "error",
    "ignore::kmlab._bases.NotPositive",
    "ignore:To Tanh:kmlab._bases.LittleDifference",  # far from zero it is nearly 1
)

KX, KY = Gaussian(0.8), Polynomial(2, 1.0)


def pair(n=40, seed=0, d=2, e=1):
    """Two views that share something, away from the origin so that forgotten centring shows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) + 1.5
    return X, X[:, :1] ** 2 + rng.standard_normal((n, e)) - 2.0


def independent(n, seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 1)), rng.standard_normal((n, 1))


def centred_grams(X, Y, kx=KX, ky=KY):
    return center_gram(kx(X)), center_gram(ky(Y))


# definition


def test_hsic_is_four_sums_over_pairs():
    X, Y = pair(12)
    n, K, L = 12, KX(X), KY(Y)
    pairs = sum(K[i, j] * L[i, j] for i in range(n) for j in range(n)) / n**2
    apart = sum(K[i, j] * L[q, r] for i in range(n) for j in range(n) for q in range(n) for r in range(n)) / n**4
    mixed = sum(K[i, j] * L[i, q] for i in range(n) for j in range(n) for q in range(n)) / n**3
    close(hsic(X, Y, KX, KY), pairs + apart - 2 * mixed)


def test_hsic_is_the_squared_cross_covariance_of_explicit_features():
    X, Y = pair(20, e=2)
    F, G = poly2_map(X), poly2_map(Y)
    C = (F - F.mean(0)).T @ (G - G.mean(0)) / 20
    close(hsic(X, Y, KY, KY), (C**2).sum())
    close(coco(X, Y, KY, KY), np.linalg.norm(C, 2))
    U = F.T @ G / 20
    close([hsic(X, Y, KY, KY, center=False), coco(X, Y, KY, KY, center=False)], [(U**2).sum(), np.linalg.norm(U, 2)])


def test_hsic_is_the_squared_norm_in_npt_coordinates_and_at_least_coco_squared():  # N-hsic
    for seed in range(5):
        X, Y = pair(30, seed)
        Zx, Zy = NPT(KX).fit_transform(X), NPT(KY).fit_transform(Y)
        close(hsic(X, Y, KX, KY), ((Zx.T @ Zy / 30) ** 2).sum())
        assert hsic(X, Y, KX, KY) >= coco(X, Y, KX, KY) ** 2


def test_coco_is_the_same_by_three_routes_and_a_fourth_is_larger():  # S10
    X, Y = pair(30)
    Kx, Ky = centred_grams(X, Y, Gaussian(0.8), Gaussian(1.3))
    value = coco(X, Y, Gaussian(0.8), Gaussian(1.3))
    close(value, np.sqrt(np.linalg.eigvals(Kx @ Ky).real.max()) / 30)
    root = np.linalg.norm(sqrtm(Kx + 1e-13 * np.eye(30)).real @ sqrtm(Ky + 1e-13 * np.eye(30)).real, 2)
    close(value, root / 30, ROOT)
    close(value, np.linalg.norm(NPT(Gaussian(0.8)).fit_transform(X).T @ NPT(Gaussian(1.3)).fit_transform(Y), 2) / 30)
    assert np.sqrt(np.linalg.norm(Kx @ Ky, 2)) / 30 > 1.02 * value


def best_of(value, size, starts=4):
    """The largest value a general optimiser finds from some starts."""
    rng = np.random.default_rng(0)
    runs = [minimize(lambda v: -value(v), rng.standard_normal(size), options={"gtol": 1e-9}) for _ in range(starts)]
    return max(-run.fun for run in runs)


def test_no_functions_of_norm_one_have_a_larger_covariance_than_coco():  # direct maximisation over f = wᵀφ, g = uᵀφ
    X, Y = pair(30)
    F, G = poly2_map(X), poly2_map(Y)

    def covariance(v):
        w, u = v[: F.shape[1]], v[F.shape[1] :]
        return np.cov(F @ w, G @ u, bias=True)[0, 1] / (np.linalg.norm(w) * np.linalg.norm(u))

    assert coco(X, Y, KY, KY) == pytest.approx(best_of(covariance, F.shape[1] + G.shape[1]), rel=1e-7)


def test_no_functions_have_a_larger_penalised_correlation_than_kcc():  # N-kcca2
    X, Y = pair(30)
    F, G = poly2_map(X), poly2_map(Y)

    def correlation(v, kappa=3.0):
        w, u = v[: F.shape[1]], v[F.shape[1] :]
        (a, c), (_, b) = np.cov(F @ w, G @ u, bias=True)
        return c / np.sqrt((a + kappa / 30 * w @ w) * (b + kappa / 30 * u @ u))

    assert kcc(X, Y, KY, KY, kappa=3.0) == pytest.approx(best_of(correlation, F.shape[1] + G.shape[1]), rel=1e-7)


def test_kcc_of_bach_and_jordan_is_the_norm_of_their_matrix():
    X, Y = pair(25)
    Kx, Ky = centred_grams(X, Y)
    half = 0.35 * np.eye(25)
    M = np.linalg.solve(Kx + half, Kx) @ Ky @ np.linalg.inv(Ky + half)
    close(kcc(X, Y, KX, KY, kappa=0.7, form="bach_jordan"), np.linalg.norm(M, 2))


def test_kernels_not_given_are_gaussians_of_the_median_width_of_their_own_view():
    X, Y = pair()
    kx, ky = Gaussian(median_width(X)), Gaussian(median_width(Y))
    for measure in hsic, coco, kcc:
        close(measure(X, Y), measure(X, Y, kx, ky), EXACT)
    close(independence_test(X, Y, permutations=9).null, independence_test(X, Y, kx, ky, permutations=9).null, EXACT)


def test_the_ridge_not_given_is_two_percent_of_the_variance_of_its_view():
    X, Y = pair()
    Kx, Ky = centred_grams(X, Y)
    a, b = 0.02 * np.trace(Kx), 0.02 * np.trace(Ky)
    (lam, U), (mu, V) = np.linalg.eigh(Kx), np.linalg.eigh(Ky)
    A, B = (Q * np.sqrt(np.maximum(v, 0) / (np.maximum(v, 0) + k)) for v, Q, k in ((lam, U, a), (mu, V, b)))
    close(kcc(X, Y, KX, KY), np.linalg.norm(A.T @ B, 2))


def test_coco_of_two_points_by_hand():  # E14.4: Kc has the entries ± (1 - e⁻⁴)/2, its eigenvalue is 1 - e⁻⁴
    X = [[0.0], [2.0]]
    close(coco(X, X, Gaussian(1.0), Gaussian(1.0)), (1 - np.exp(-4)) / 2, EXACT)
    assert round(coco(X, X, Gaussian(1.0), Gaussian(1.0)), 6) == 0.490842


# witness functions


def test_witnesses_have_norm_one_mean_zero_and_reach_coco():
    X, Y = pair()
    f, g, value = witnesses(X, Y, KX, KY)
    close([f.alpha @ KX(X) @ f.alpha, g.alpha @ KY(Y) @ g.alpha], [1, 1])
    close([f(X).mean(), g(Y).mean()], [0, 0])
    close([value, np.mean(f(X) * g(Y))], [coco(X, Y, KX, KY)] * 2)
    assert f(X)[np.abs(f(X)).argmax()] > 0


def test_the_value_of_a_witness_that_is_farthest_from_zero_is_positive():
    for seed in range(30):
        X, Y = pair(15, seed=seed)
        values = witnesses(X, Y, Gaussian(3.0), KY).f(X)
        assert values.max() == np.abs(values).max()


def test_a_witness_on_new_points_is_its_sum_of_kernels_less_its_mean():
    X, Y = pair(10)
    Xt = pair(4, seed=9)[0]
    f = witnesses(X, Y, KX, KY).f

    def by_hand(x):
        return sum(a * np.exp(-np.sum((x - z) ** 2) / 0.8**2) for a, z in zip(f.alpha, X, strict=True))

    close(f(Xt), [by_hand(x) - np.mean([by_hand(z) for z in X]) for x in Xt])


def test_witnesses_find_the_shape_of_the_dependence():
    X, Y = dependence_shapes("parabola", 300, noise=0.05)
    f, g, _ = witnesses(X, Y)
    assert abs(np.corrcoef(X[:, 0], Y[:, 0])[0, 1]) < 0.15 < 0.9 < np.corrcoef(f(X), g(Y))[0, 1]
    left, middle, right = f([[-0.8], [0.0], [0.8]])
    assert (left - middle) * (right - middle) > 0  # f bends like the parabola
    low, high = g([[-0.9], [0.9]])
    assert np.sign(high - low) == np.sign(left - middle)


def test_without_a_bound_on_the_norms_there_is_no_maximum():  # S9, E-S9
    X, Y = pair()
    f, g, value = witnesses(X, Y, KX, KY, radius=10.0)
    close(value, 100 * coco(X, Y, KX, KY))
    close(np.mean(f(X) * g(Y)), value)
    close(f.alpha @ KX(X) @ f.alpha, 100)


def test_what_is_orthogonal_to_the_sample_changes_nothing():  # S9b: the slide's f = Σ α_i φ(x_i) + f⊥
    X, Y = pair(12)
    F, G = poly2_map(X), poly2_map(Y)
    w, u = np.random.default_rng(0).standard_normal(F.shape[1]), np.random.default_rng(1).standard_normal(G.shape[1])
    F3, G2 = F[:3], G[:2]
    alpha, beta = np.linalg.lstsq(F3 @ F3.T, F3 @ w, rcond=None)[0], np.linalg.lstsq(G2 @ G2.T, G2 @ u, rcond=None)[0]
    close(F3 @ w, KY(X[:3]) @ alpha)
    close((F3[:2] @ w) @ (G2 @ u) / 2, alpha @ KY(X[:3], X[:2]) @ KY(Y[:2]) @ beta / 2)


def test_uncentred_witnesses_are_plain_sums():
    X, Y = pair()
    f, g, value = witnesses(X, Y, KX, KY, center=False)
    close(f(X), KX(X) @ f.alpha)
    close([value, f.alpha @ KX(X) @ f.alpha], [np.mean(f(X) * g(Y)), 1])


# theorem


@pytest.mark.parametrize("m", [1, 2, 3, 4, 6])
def test_a_polynomial_kernel_is_blind_to_a_function_beyond_its_degree_and_a_gaussian_is_not(m):  # 001/p125
    X, Y = chebyshev_pair(m)
    close(Y, np.cos(m * np.arccos(X)), ITERATIVE)  # a function of x
    for degree in 1, 2, 3:
        k = Polynomial(degree)
        seen = m <= degree
        assert (hsic(X, Y, k, k) > 1e-3) == seen and (coco(X, Y, k, k) > 1e-2) == seen
        if not seen:
            close([hsic(X, Y, k, k), coco(X, Y, k, k)], [0, 0], EXACT)
    for width in 0.1, 0.5, 2.0:
        k = Gaussian(width)
        assert hsic(X, Y, k, k) > 1e-9 and coco(X, Y, k, k) > 1e-6
    close(hsic_share(X, Y, k), hsic(X, Y, k, k) / hsic(X, X, k, k))  # y has the distribution of x


def test_a_turned_square_is_uncorrelated_and_dependent():
    p = []
    for seed in range(20):
        x, y = np.random.default_rng(seed).uniform(-1, 1, (2, 150, 1))
        p.append([independence_test((x - s * y), (s * x + y), permutations=99).pvalue for s in (0.0, 1.0)])
    upright, turned = np.transpose(p)
    assert (turned <= 0.05).sum() >= 18 and (upright <= 0.05).sum() <= 4


def test_centred_dependence_of_independent_samples_vanishes_and_uncentred_does_not():  # S11, E-S11
    k, sizes = Gaussian(1.0), (50, 100, 200, 400)
    means = {
        c: [np.mean([coco(*independent(n, 10 * n + s), k, k, center=c) for s in range(6)]) for n in sizes]
        for c in (True, False)
    }
    slope = np.polyfit(np.log(sizes), np.log(means[True]), 1)[0]
    assert -0.65 < slope < -0.35  # n^-½
    assert min(means[False]) > 0.4 and np.ptp(means[False]) < 0.03


def test_without_a_ridge_independent_samples_correlate_perfectly():  # S13, E14.5
    X, Y = independent(30, 0)
    assert kcc(X, Y, Gaussian(0.05), Gaussian(0.05), kappa=0) == pytest.approx(1, abs=1e-9)
    assert kcc(X, Y, Gaussian(0.05), Gaussian(0.05), kappa=30) < 0.5


def test_kcc_falls_as_the_ridge_grows_and_stays_below_one():  # N-kcca3
    X, Y = pair()
    for form in "norm", "bach_jordan":
        values = [kcc(X, Y, KX, KY, kappa, form) for kappa in (0, 1e-3, 0.1, 1, 10, 1000)]
        assert (np.diff(values) < 0).all() and values[0] <= 1 + EXACT and values[-1] > 0


def test_distance_covariance_is_hsic_with_the_distance_kernel():
    X, Y = pair(15)
    a, b = (np.linalg.norm(Z[:, None] - Z, axis=2) for Z in (X, Y))
    A, B = (D - D.mean(0) - D.mean(1)[:, None] + D.mean() for D in (a, b))
    k = NegativePower(1.0)
    close(hsic(X, Y, k, k), (A * B).mean())
    close(independence_test(X, Y, k, k, permutations=1).statistic, (A * B).mean())


def test_measures_are_symmetric_and_do_not_see_a_common_order():
    X, Y = pair()
    order = np.random.default_rng(0).permutation(40)
    for measure in hsic, coco, kcc:
        close(measure(X, Y, KX, KY), measure(Y, X, KY, KX))
        close(measure(X, Y, KX, KY), measure(X[order], Y[order], KX, KY))


def test_a_gram_matrix_stands_for_its_view():
    X, Y = pair()
    for measure in hsic, coco, kcc:
        close(measure(KX(X), Y, Precomputed(), KY), measure(X, Y, KX, KY))
    f = witnesses(KX(X), Y, Precomputed(), KY).f
    close(f(KX(X[:3], X)), witnesses(X, Y, KX, KY).f(X[:3]), ROOT)


# the test of independence


@pytest.mark.parametrize("features", [1, 2])  # a short factor, and one that is not
@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_null_is_the_statistic_of_shuffled_samples(statistic, features):
    X, Y = pair(30, d=features)
    assert (short_factor(Gram(KX, X))[0] is None) == (features == 2)
    result = independence_test(X, Y, KX, KY, statistic, permutations=7, seed=3)
    shuffles = np.random.default_rng(3).permuted(np.tile(np.arange(30), (7, 1)), axis=1)
    measure = {"hsic": hsic, "coco": coco, "kcc": kcc}[statistic]
    close(result.null, [measure(X, Y[p], KX, KY) for p in shuffles])
    close(result.statistic, measure(X, Y, KX, KY))
    reached = sum(measure(X, Y[p], KX, KY) >= result.statistic for p in shuffles)
    assert result.pvalue == (1 + reached) / 8


@pytest.mark.parametrize("features", [1, 2])  # engine/shuffles.py by factors, and by Gram matrices
@pytest.mark.parametrize("measure", [hsic, coco, kcc])
def test_many_shuffles_at_once_are_the_plain_shuffles_one_by_one(measure, features):
    X, Y = pair(30, seed=1, d=features)
    plain = permutation_test(lambda X, Y: measure(X, Y, KX, KY), X, Y, permutations=40, seed=5)
    fast = independence_test(X, Y, KX, KY, measure.__name__, permutations=40, seed=5)
    close(fast.null, plain.null)
    close(fast.statistic, plain.statistic)
    assert fast.pvalue == plain.pvalue


def test_any_measure_can_be_shuffled():
    X, Y = pair()
    found = permutation_test(lambda X, Y: -(np.corrcoef(X[:, 0], Y[:, 0])[0, 1] ** 2), X, Y[:, 0], permutations=99)
    assert found.null.shape == (99,) and found.statistic < 0 < found.pvalue <= 1
    same = permutation_test(lambda X, Y: -1.0, X, Y, permutations=9)  # ties count, whatever their sign
    assert same.pvalue == 1
    with pytest.raises(ValueError, match="permutations must be a whole number of at least 1"):
        permutation_test(hsic, X, Y, permutations=0)


def test_the_test_unpacks_into_three():
    statistic, pvalue, null = independence_test(*pair(), permutations=20)
    assert isinstance(statistic, float) and isinstance(pvalue, float) and null.shape == (20,)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_under_independence_the_p_values_are_uniform(statistic):
    pvalues = []
    for seed in range(200):
        X, Y = independent(25, seed)
        pvalues.append(independence_test(X, Y, statistic=statistic, permutations=99, seed=seed).pvalue)
    ranks = np.round(100 * np.array(pvalues))  # 1 ... 100, each equally likely
    assert stats.kstest((ranks - 0.5) / 100, "uniform").pvalue > 0.05
    assert np.mean(ranks <= 5) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_a_shuffle_reaches_the_statistic_whatever_the_rounding_and_the_unit(unit):
    null = unit * np.array([0.5, 1 - 1e-6, 1 - 1e-13, 1 + 1e-13])
    assert counted(unit, null).pvalue == 3 / 5
    assert counted(1e-13 * unit, unit * np.array([0.0, 1.0])).pvalue == 1, "zero but for the rounding of other values"
    assert counted(0.0, np.zeros(3)).pvalue == 1


def test_over_all_orders_the_p_value_counts_the_data_and_its_ties():
    X = np.array([[0.0], [0.0], [1.0], [1.0]])  # many of the 24 orders give the same value
    k = Gaussian(1.0)
    values = [hsic(X, X[list(p)], k, k) for p in all_orders(range(4))]
    share = np.mean([v >= values[0] - EXACT for v in values])  # 8 of 24
    found = independence_test(X, X, k, k, permutations=4000)
    assert share == pytest.approx(1 / 3) and found.pvalue == pytest.approx(share, abs=0.03)


def test_p_values_are_never_zero():
    X = np.linspace(0, 1, 50)[:, None]
    assert independence_test(X, X, permutations=99).pvalue == 0.01


@pytest.mark.parametrize("shape", ["linear", "parabola", "circle", "sine"])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_dependence_of_every_shape_is_found(shape, statistic):  # S12
    X, Y = dependence_shapes(shape, 150, noise=0.1)
    assert independence_test(X, Y, statistic=statistic, permutations=199).pvalue == 0.005


def test_a_sample_without_dependence_is_let_pass():  # S12
    X, Y = dependence_shapes("independent", 150)
    assert all(independence_test(X, Y, statistic=s, permutations=199).pvalue > 0.05 for s in STATISTICS)


def test_seeds_repeat_and_differ():
    X, Y = pair()
    null = [independence_test(X, Y, permutations=30, seed=s).null for s in (0, 0, 1)]
    assert np.array_equal(null[0], null[1]) and not np.array_equal(null[0], null[2])


@pytest.mark.parametrize("features", [1, 2])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_shuffles_do_not_depend_on_the_batch(statistic, features, monkeypatch):
    X, Y = pair(d=features)
    whole = independence_test(X, Y, KX, KY, statistic, permutations=50)
    steps = list(independence_steps(X, Y, KX, KY, statistic, permutations=50, batch=8))
    assert [len(s.null) for s in steps] == [8, 16, 24, 32, 40, 48, 50]
    for step in steps:
        close(step.null, whole.null[: len(step.null)], EXACT)
        reached = (step.null >= step.statistic).sum()
        assert step.pvalue == (1 + reached) / (1 + len(step.null))
    monkeypatch.setattr(shuffles, "BLOCK", 500)  # a batch of very few
    close(independence_test(X, Y, KX, KY, statistic, permutations=50).null, whole.null, EXACT)


def test_a_batch_holds_no_more_than_its_block(monkeypatch):
    X, Y = pair()
    monkeypatch.setattr(shuffles, "BLOCK", 1000)
    seen, real = [], shuffles.norms

    def watched(A, B, P, norm):
        seen.append(len(P) * (A.size // A.shape[1] + A.shape[1]) * B.shape[1])
        return real(A, B, P, norm)

    monkeypatch.setattr(shuffles, "norms", watched)
    independence_test(X, Y, KX, KY, "coco", permutations=60)
    assert len(seen) > 10 and max(seen) <= 1000


def test_many_features_go_through_the_gram_matrices_with_the_same_null(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 12))  # more than one strip, the last one short
    Y = X[:, :9] + rng.standard_normal((150, 9))
    seen, real = [], dependence.by_grams
    monkeypatch.setattr(dependence, "by_grams", lambda *K: seen.append(1) or real(*K))
    result = independence_test(X, Y, permutations=5)
    shuffles = np.random.default_rng(0).permuted(np.tile(np.arange(150), (5, 1)), axis=1)
    close(result.null, [hsic(X, Y[p]) for p in shuffles])
    close(result.statistic, hsic(X, Y))
    independence_test(X[:, :1], Y[:, :1], permutations=5)
    assert len(seen) == 1  # one feature takes the short way


# the gamma approximation


def test_gamma_approximation_has_the_published_moments():
    X, Y = pair(14)
    n, K, L = 14, KX(X), Gaussian(1.0)(Y)
    Kc, Lc = center_gram(K), center_gram(L)
    apart = [(i, j) for i in range(n) for j in range(n) if i != j]
    mx, my = (sum(M[i, j] for i, j in apart) / (n * (n - 1)) for M in (K, L))
    mean = (1 + mx * my - mx - my) / n  # for k(x, x) = 1
    var = sum((Kc[i, j] * Lc[i, j] / 6) ** 2 for i, j in apart) / (n * (n - 1))
    var *= 72 * (n - 4) * (n - 5) / (n * (n - 1) * (n - 2) * (n - 3))
    found = gamma_approximation(X, Y, KX, Gaussian(1.0))
    close([found.shape * found.scale, found.shape * found.scale**2], [mean, var])
    close(found.statistic, hsic(X, Y, KX, Gaussian(1.0)), EXACT)
    theirs = stats.gamma(found.shape, scale=found.scale)
    close(found.pvalue, theirs.sf(found.statistic), EXACT)
    t = np.linspace(0, 3 * mean, 7)
    close(found.density(t), theirs.pdf(t))


def test_gamma_approximation_lies_on_the_shuffles():
    X, Y = independent(300, 0)
    found, null = gamma_approximation(X, Y), independence_test(X, Y, permutations=2000).null
    theirs = stats.gamma(found.shape, scale=found.scale)
    close(theirs.mean(), null.mean(), 0.05)
    assert theirs.mean() == pytest.approx(null.mean(), rel=0.03) and theirs.std() == pytest.approx(null.std(), rel=0.15)
    assert theirs.ppf(0.95) == pytest.approx(np.quantile(null, 0.95), rel=0.06)


# eigenpairs, the coordinates behind all of it


@pytest.mark.parametrize(
    "kernel", [Gaussian(1.0), Linear(), KY, NegativePower(1.0), Exponential(0.5), Tanh(1.0)], ids=repr
)
@pytest.mark.parametrize("n", [20, 150])
def test_eigenpairs_by_few_columns_are_those_of_the_gram_matrix(kernel, n):
    X = np.random.default_rng(n).standard_normal((n, 1)) + 3
    lam, U = eigenpairs(X, kernel)
    npt = NPT(kernel).fit(X)
    assert abs(len(lam) - npt.rank_) <= 1  # one may lie on the threshold
    close((U * lam) @ U.T, (npt.U_ * npt.lam_) @ npt.U_.T)
    orthonormal_columns(U)
    same_up_to_sign(U[:, :1], npt.U_[:, :1])


def test_few_columns_are_enough_where_the_kernel_is_smooth_and_refused_where_it_is_not():
    X = np.random.default_rng(0).standard_normal((200, 1))
    L, _ = short_factor(Gram(Gaussian(1.0), X))
    assert L.shape[1] < 25
    close(L @ L.T, center_gram(Gaussian(1.0)(X)))
    plain, _ = short_factor(Gram(Gaussian(1.0), X), center=False)
    close(plain @ plain.T, Gaussian(1.0)(X))
    assert short_factor(Gram(Gaussian(0.01), X))[0] is None
    assert short_factor(Gram(Tanh(1.0, -1.0), X))[0] is None  # not positive semi-definite


def test_samples_far_from_the_origin_lose_no_digits():
    X, Y = pair(50)
    for measure in hsic, coco, kcc:
        close(measure(X + 1e5, Y - 1e5, Linear(), Linear()), measure(X, Y, Linear(), Linear()), 1e-4)
        close(measure(X + 100, Y, Linear(), KX), measure(X, Y, Linear(), KX), ITERATIVE)


# refusal


def test_bad_input_gets_one_sentence():
    X, Y = pair()
    with pytest.raises(ValueError, match="X has 40 rows and Y has 39"):
        hsic(X, Y[:-1])
    with pytest.raises(ValueError, match="rows of Y are all the same"):
        independence_test(X, np.ones((40, 1)))
    with pytest.raises(ValueError, match="rows of Y are all the same"):
        coco(X, np.ones((40, 1)), KX, KY)
    with pytest.raises(ValueError, match="statistic must be one of 'hsic', 'coco', 'kcc', got 'corr'"):
        independence_steps(X, Y, statistic="corr")
    with pytest.raises(ValueError, match="permutations must be a whole number of at least 1"):
        independence_test(X, Y, permutations=0)
    with pytest.raises(ValueError, match="batch must be"):
        independence_steps(X, Y, batch=0)
    with pytest.raises(TypeError, match="kernel_y must be a kernel"):
        hsic(X, Y, KX, "rbf")
    with pytest.raises(ValueError, match="kappa must be a number of at least 0"):
        kcc(X, Y, kappa=-1)
    with pytest.raises(ValueError, match="form must be one of"):
        kcc(X, Y, form="bach")
    with pytest.raises(ValueError, match="radius must be a positive number"):
        coco(X, Y, radius=0)
    with pytest.raises(ValueError, match="center must be one of"):
        hsic(X, Y, center="yes")
    with pytest.raises(ValueError, match="Y has n_samples = 5, while a minimum of 6|X has n_samples = 5"):
        gamma_approximation(X[:5], Y[:5])
    with pytest.raises(ValueError, match="rows differ in length"):
        hsic(X, [[1.0], [2.0, 3.0]])
    with pytest.raises(ValueError, match="Y contains NaN"):
        hsic(X, np.full((40, 1), np.nan))


def test_a_vector_counts_as_one_feature_of_y_and_nothing_is_written_into():
    X, Y = pair()
    X.setflags(write=False), Y.setflags(write=False)
    assert hsic(X, Y[:, 0], KX, KY) == hsic(X, Y, KX, KY)
    for call in coco, kcc, witnesses, gamma_approximation, independence_test:
        assert "kernel_x" in inspect.signature(call).parameters
        call(X, Y)
