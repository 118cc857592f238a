"""Order, sign, rank and exact zeros; and for every module of the engine a test that holds it beside the plain form."""

import pkgutil
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg.lapack import dpstrf
from tolerances import EXACT, IDENTITY, close, orthonormal_columns, same_up_to_sign

from kmlab.engine.cholesky import pivot_steps, to_the_end
from kmlab.engine.distances import exact_sqdist, exp_of_sqdist_rows, exp_on_grid, few_smallest, map_sqdist, sqdist
from kmlab.engine.eigen import by_products, rounding, settle_signs, symmetric_times
from kmlab.gram import Gram, largest
from kmlab.kernels import Gaussian, Precomputed

pytestmark = pytest.mark.filterwarnings("error")
TESTS = Path(__file__).parent
BESIDE_THE_PLAIN_FORM = {  # module: (its plain form, on a page or in numpy and scipy; the test that compares the two)
    "active_set": (
        "kmlab.dual.smo",
        "test_dual.py::test_newton_steps_and_working_sets_reach_the_optimum_of_plain_smo",
    ),
    "blocks": (
        "kmlab.primal.moments_of",
        "test_primal.py::test_the_same_three_lines_give_the_same_wherever_the_rows_are",
    ),
    "cholesky": (
        "scipy.linalg.lapack.dpstrf",
        "test_engine.py::test_pivoted_cholesky_takes_the_pivots_of_lapack",
    ),
    "distances": (
        "kmlab.kernels.Gaussian.at_distance2",
        "test_engine.py::test_all_pairs_and_rows_of_a_gaussian_are_the_formula_of_the_page",
    ),
    "eigen": (
        "numpy.linalg.eigvalsh",
        "test_engine.py::test_lanczos_finds_what_lapack_finds",
    ),
    "fixed_points": (
        "kmlab.preimage.next_point",
        "test_preimage.py::test_all_points_at_once_take_the_steps_of_each_point_alone",
    ),
    "lloyd": (
        "kmlab.clustering.KernelKMeans.each_step",
        "test_clustering.py::test_all_starts_together_are_what_each_is_alone",
    ),
    "shuffles": (
        "kmlab.dependence.permutation_test",
        "test_dependence.py::test_many_shuffles_at_once_are_the_plain_shuffles_one_by_one",
    ),
    "slopes": (
        "kmlab.dual.Dual.clipped",
        "test_dual.py::test_every_step_is_that_of_the_slide_in_bare_numpy",
    ),
    "smoothest": (
        "scipy.linalg.eigh",
        "test_manifold.py::test_the_smallest_of_a_large_graph_are_those_of_the_plain_solver",
    ),
    "threads": (
        "kmlab.dual.solved",
        "test_room.py::test_a_solver_takes_its_steps_on_one_thread_and_gives_the_others_back",
    ),
    "tiles": (
        "numpy.matmul",
        "test_gram.py::test_products_diagonal_and_means_are_those_of_the_matrix",
    ),
    "waves": (
        "numpy.cos",
        "test_scale.py::test_one_tangent_gives_the_cosine_and_the_sine",
    ),
}
ASK_FIRST = {"lazy", "room"}  # where the data is and whether it fits: nothing is computed there


def test_every_module_says_what_it_is_the_fast_form_of_and_a_test_compares_the_two():
    folder = TESTS.parent / "kmlab/engine"
    modules = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py") if path.stem != "__init__"}
    assert set(modules) - ASK_FIRST == set(BESIDE_THE_PLAIN_FORM), "name the test that compares it with the plain form"
    for name, (plain, test) in BESIDE_THE_PLAIN_FORM.items():
        assert modules[name].startswith('"""The fast form of '), name
        assert callable(pkgutil.resolve_name(plain))
        file, _, function = test.partition("::")
        assert f"\ndef {function}(" in (TESTS / file).read_text(encoding="utf-8"), test


# definition


@pytest.mark.parametrize("distance", [sqdist, exact_sqdist])
def test_sqdist_is_the_double_loop(distance, X, Xt):
    close(distance(X, Xt), [[((x - z) ** 2).sum() for z in Xt] for x in X], EXACT)
    close(distance(X), [[((x - z) ** 2).sum() for z in X] for x in X], EXACT)


def test_sqdist_of_a_set_with_itself_is_symmetric_with_a_zero_diagonal(X):
    D = sqdist(X)
    assert np.array_equal(D, D.T) and not np.diag(D).any()


def test_sqdist_is_never_negative_and_does_not_suffer_from_a_far_origin(X, Xt):
    far = 1e6
    D = sqdist(X + far, Xt + far)
    assert D.min() >= 0
    close(D, sqdist(X, Xt), 1e-8)  # the inputs themselves are rounded to 1e-10
    assert sqdist(X, np.repeat(X, 3, axis=0)).min() >= 0


@pytest.mark.parametrize("far", [0.0, 1e3])
@pytest.mark.parametrize("n, d", [(64, 3), (65, 3), (200, 3), (200, 150)])  # one strip, two, many; one large product
def test_strips_meet_without_a_seam(n, d, far):
    rng = np.random.default_rng(0)
    X, Z = rng.standard_normal((n, d)) + far, rng.standard_normal((n + 7, d)) + far
    X[-1] = X[0]
    seen = []

    def of_sqdist(S):
        seen.append(S.size)
        np.exp(S, out=S)

    close(map_sqdist(lambda S: S, X, Z), exact_sqdist(X, Z), 1e-12 * (1 + far))
    D, E = map_sqdist(lambda S: S, X), map_sqdist(of_sqdist, X)
    close(D, exact_sqdist(X), 1e-12 * (1 + far))
    assert np.array_equal(D, D.T) and np.array_equal(E, E.T) and np.array_equal(E, np.exp(D))
    assert sum(seen) < n * n / 2 + 64 * n  # half of the matrix, and the corners


@pytest.mark.parametrize("far", [0.0, 1e4])
def test_all_pairs_and_rows_of_a_gaussian_are_the_formula_of_the_page(far, X, Xt):
    kernel, X, Xt = Gaussian(1.5), X + far, Xt + far  # of points far from the origin too
    plain = [kernel.at_distance2(np.array([((x - z) ** 2).sum() for z in X])) for x in X]
    close(kernel.gram(X), plain, 1e-10)
    close(exp_of_sqdist_rows(X, 1.5)([3, 0]), [plain[3], plain[0]], 1e-10)
    close(kernel.gram(X, Xt), kernel.at_distance2(np.array([[((x - z) ** 2).sum() for z in Xt] for x in X])), 1e-10)


def test_sums_on_a_grid_are_those_of_every_pixel(X):
    xs, ys, coef = np.linspace(-2, 3, 5), np.linspace(-3, 1, 4), np.arange(28.0).reshape(14, 2)
    pixels = [[sum(c * np.exp(-((x - p) ** 2 + (y - q) ** 2) / 0.7**2) for c, (p, q) in zip(coef, X, strict=True))
               for x in xs] for y in ys]  # fmt: skip
    close(exp_on_grid(xs, ys, X, coef, 0.7), pixels, EXACT)


@pytest.mark.parametrize("k", [1, 3, 11])
def test_the_few_smallest_are_those_of_a_whole_stable_sort(k):
    rng = np.random.default_rng(k)
    for D in rng.standard_normal((30, 11)), rng.integers(0, 4, (30, 11)), np.zeros((2, 11)):
        np.testing.assert_array_equal(few_smallest(D, k), np.argsort(D, axis=1, kind="stable")[:, :k])


def test_exact_sqdist_of_equal_points_is_exactly_zero(X):
    assert not np.diag(exact_sqdist(X, X + 0.0)).any()


def test_signs_settle_on_the_largest_entry_and_on_the_first_of_equals():
    V = np.array([[0.1, 0.5, -0.5], [-0.9, -0.5, 0.5 + 1e-9], [0.2, 0.1, 0.1]])
    assert np.array_equal(settle_signs(V), V * [-1, 1, -1])


def test_signs_do_not_depend_on_the_sign_that_came_in():
    V = np.random.default_rng(0).standard_normal((7, 4))
    assert np.array_equal(settle_signs(V), settle_signs(-V))


# theorem


def test_largest_rebuilds_the_matrix_from_orthonormal_vectors_in_descending_order(X):
    K = X @ X.T
    lam, U = largest(K)
    assert len(lam) == 2 and (np.diff(lam) < 0).all()
    close((U * lam) @ U.T, K)
    orthonormal_columns(U)
    assert (U[np.abs(U).argmax(0), [0, 1]] > 0).all()


def test_largest_gives_the_first_of_all_when_asked_for_a_few():
    A = np.random.default_rng(3).standard_normal((12, 12))
    lam, U = largest(A @ A.T)
    few, V = largest(A @ A.T, 3)
    close(few, lam[:3])
    same_up_to_sign(V, U[:, :3], 1e-9)
    assert len(largest(A @ A.T, 99)[0]) == 12


@pytest.mark.parametrize("n", [20, 57, 100, 150])
@pytest.mark.parametrize("few", [1, 2, 6])
def test_largest_finds_its_share_of_many_equal_eigenvalues(n, few):
    for noise in 0, 1e-17, 1e-16:  # LAPACK returns fewer than asked for on some of these
        E = noise * np.random.default_rng(0).standard_normal((n, n))
        lam, U = largest(np.eye(n) - 1 / n + E + E.T, few)
        close(lam, np.ones(few))
        orthonormal_columns(U)
        close(U.sum(0), np.zeros(few))


def test_largest_counts_the_rank_by_share_and_by_rounding_error():
    K = np.diag([4.0, 1.0, 1e-9, 1e-12, 0.0, -3.0])
    close(largest(K)[0], [4, 1, 1e-9])  # 1e-12 is below 1e-10 of the largest, and -3 has no root
    close(largest(K, tol=1e-14)[0], [4, 1, 1e-9, 1e-12])
    close(largest(K, floor=1e-6)[0], [4, 1])
    assert len(largest(-np.eye(3))[0]) == 0


def test_rounding_bounds_what_centring_leaves_of_equal_points():
    K = np.full((40, 40), 0.1)
    H = np.eye(40) - 1 / 40
    assert np.abs(np.linalg.eigvalsh(H @ K @ H)).max() <= rounding(K) <= 1e-14
    assert rounding(1e6 * K) == pytest.approx(1e6 * rounding(K))


def pivoted_cholesky(K, tol=1e-10):
    return to_the_end(pivot_steps(Gram(Precomputed(), K), len(K), tol * K.diagonal().max()), K.diagonal())[:2]


def test_pivoted_cholesky_factors_a_singular_matrix_where_the_plain_one_gives_up(X):
    H = np.eye(len(X)) - 1 / len(X)
    K = H @ (X @ X.T + 1) ** 2 @ H
    with pytest.raises(np.linalg.LinAlgError):  # K3b
        np.linalg.cholesky(K)
    L, pivots = pivoted_cholesky(K)
    assert L.shape == (14, 5) and len(set(pivots)) == 5  # rank (2+2 choose 2) - 1
    close(L @ L.T, K)


def test_pivoted_cholesky_stops_at_its_tolerance_and_at_nothing():
    L, pivots = pivoted_cholesky(np.diag([1.0, 4.0, 1e-3]), tol=1e-2)
    assert pivots.tolist() == [1, 0] and np.array_equal(L, [[0, 1], [2, 0], [0, 0]])
    assert pivoted_cholesky(np.zeros((3, 3)))[0].shape == (3, 0)
    pivots = pivoted_cholesky(np.full((4, 4), 0.7), tol=1e-20)[1]
    assert len(set(pivots)) == len(pivots), "even where only rounding errors are left, no row is taken twice"


# oracle


def test_pivoted_cholesky_takes_the_pivots_of_lapack():
    A = np.random.default_rng(5).standard_normal((9, 4))
    L, pivots = pivoted_cholesky(A @ A.T)
    factor, order, rank, _ = dpstrf(A @ A.T, lower=1, tol=1e-10)
    assert rank == 4 and pivots.tolist() == (order[:4] - 1).tolist()
    close(L[order - 1], np.tril(factor)[:, :4], IDENTITY)


# the span of a few products


def matrix_with(spectrum, n=600, seed=0):
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    lam = np.full(n, 0.0)
    lam[: len(spectrum)] = spectrum
    K = (Q * lam) @ Q.T
    return (K + K.T) / 2


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("k", [1, 2, 10, 50])
def test_lanczos_finds_what_lapack_finds(k, center):
    X = np.random.default_rng(0).standard_normal((600, 3)) * [3, 2, 1]
    K = np.exp(-sqdist(X) / 4)
    H = np.eye(600) - 1 / 600
    A = H @ K @ H if center else K
    lam, U = by_products(symmetric_times(K), 600, k, center)
    close(lam, np.linalg.eigvalsh(A)[-k:], EXACT)
    orthonormal_columns(U)
    close(A @ U, U * lam, 1e-12 * lam[-1])
    K = Gram(Precomputed(), K)
    few, V = largest(K.centered() if center else K, k)
    close(few, lam[::-1])
    close(A @ V, V * few, 1e-12 * lam[-1])


def test_lanczos_leaves_equal_eigenvalues_to_lapack():
    for equal in 2, 3, 5:
        K = matrix_with([3.0] * equal + [2.0, 1.0])
        assert by_products(symmetric_times(K), 600, equal + 1) is None
        close(largest(K, equal + 1)[0], [3.0] * equal + [2.0])
    two = matrix_with([3.0, 2.0, 2.0, 1.0])
    assert by_products(symmetric_times(two), 600, 2) is None  # the second is one of two: which plane?


def test_lanczos_sees_a_kernel_of_low_rank_and_asks_lapack_where_nothing_stands_out():
    lam, _ = largest(matrix_with([3.0, 2.0, 1.0]), 10)
    close(lam, [3.0, 2.0, 1.0])
    assert len(largest(np.eye(600), 5)[0]) == 5
    lam, _ = largest(matrix_with([-5.0, 2.0, 1.0]), 2)  # largest, not largest in size
    close(lam, [2.0, 1.0])
