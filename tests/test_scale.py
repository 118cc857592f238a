"""Landmarks, pivots, random waves and tiles against dense algebra, scikit-learn, SciPy and the rates of theory."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.linalg.lapack import dpstrf
from scipy.optimize import minimize
from sklearn.kernel_approximation import Nystroem as TheirNystroem
from sklearn.kernel_approximation import RBFSampler
from sklearn.svm import LinearSVC
from tolerances import EXACT, IDENTITY, ITERATIVE, ROOT, close

import kmlab
from kmlab import scale
from kmlab.datasets import rings, two_moons
from kmlab.engine import blocks, tiles
from kmlab.engine.cholesky import times_triangle
from kmlab.engine.waves import cos_and_sin
from kmlab.features import frequencies
from kmlab.kernels import Exponential, Gaussian, Linear, Polynomial, Precomputed, Tanh
from kmlab.npt import NPT
from kmlab.pca import PCA, KernelPCA
from kmlab.primal import margin_sums
from kmlab.regression import KernelRidge
from kmlab.scale import (
    Nystroem,
    PrimalPCA,
    PrimalRidge,
    PrimalSVC,
    RandomFourier,
    factor_steps,
    gram_times,
    pivoted_cholesky,
    ridge_steps,
)
from kmlab.svm import SVC

KERNELS = [Gaussian(1.5), Exponential(2.0), Polynomial(2, 1.0), Gaussian(2.0) + 0.5 * Linear()]


def points(n=60, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


# definition


@pytest.mark.parametrize("pick", ["uniform", "largest", "weighted"])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_nystroem_is_the_product_of_three_matrices(kernel, pick):
    X, Xt = points(), points(11, seed=1)
    model = Nystroem(kernel, 9, seed=3, pick=pick).fit(X)
    P = X[model.landmark_indices_]
    close(model.landmarks_, P, EXACT)
    inverse = np.linalg.pinv(kernel(P), rcond=1e-12)
    for A, B in (X, X), (Xt, X), (Xt, Xt):
        close(model.transform(A) @ model.transform(B).T, kernel(A, P) @ inverse @ kernel(P, B), 1e-9)  # (SCALE.1)


@pytest.mark.parametrize("kernel", [Gaussian(1.5), Exponential(1.5)], ids=repr)
def test_random_waves_are_a_cosine_and_a_sine_for_each_frequency(kernel):
    X = 40 * points()  # many times around the circle
    model = RandomFourier(kernel, 10).fit(X)
    angle = np.array([[w @ x for w in model.frequencies_] for x in X])
    close(model.transform(X), np.hstack([np.cos(angle), np.sin(angle)]) * np.sqrt(2 / 10), IDENTITY)  # (SCALE.2)


def test_a_wave_at_its_turning_point_is_as_exact_as_any_other():
    model = RandomFourier(Gaussian(1.0), 2).fit([[0.0]])
    model.frequencies_ = np.array([[1.0]])
    X = (np.pi * np.arange(-3, 4)[:, None] + [-1e-9, 0.0, 1e-9]).reshape(-1, 1)
    close(model.transform(X), np.hstack([np.cos(X), np.sin(X)]), EXACT)


def test_one_tangent_gives_the_cosine_and_the_sine():  # the plain form and the fast one
    for far, tolerance in (0.5, EXACT), (100.0, IDENTITY):
        angle, Z = np.random.default_rng(0).uniform(-far, far, (40, 7)), np.empty((40, 14))
        plain = 0.3 * np.hstack([np.cos(angle), np.sin(angle)])
        cos_and_sin(angle, 0.3, out=Z)
        close(Z, plain, tolerance)


def test_a_triangular_product_is_the_product():
    K, T = points(9, 5), np.tril(points(5, 5, seed=1))
    close(times_triangle(K, T), K @ T.T, EXACT)


def test_sums_by_strips_are_those_of_all_rows(monkeypatch):
    Z, y = points(50), np.sign(points(50, 1, seed=1)[:, 0])
    V, origin = points(1, 4, seed=2), np.array([0.5, -1.0, 2.0])
    classes, rows = np.array([-1.0, 1.0]), blocks.Rows(Z, y)
    monkeypatch.setattr(blocks, "TILE", 8 * 3 * 7)  # seven rows at a time
    slack, H, g, inside, n = rows.total(margin_sums, V, origin, classes)
    A = np.column_stack([Z - origin, np.ones(50)])
    off = 1 - y * (A @ V[0])
    A, active = A[off > 0], off > 0
    close(H[0], A.T @ A, EXACT)
    close(g[0], A.T @ y[active], EXACT)
    close(slack, [(off[active] ** 2).sum()], EXACT)
    assert (inside, n) == (active.sum(), 50) and rows.passes == 1


@pytest.mark.parametrize("memory", [1, 32 * 7**2, 2**25])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_a_product_by_tiles_is_the_product(kernel, memory):
    X, Z, V = points(23), points(17, seed=1), points(23, 2, seed=2)
    close(gram_times(kernel, X, V, memory=memory), kernel(X) @ V, EXACT)  # (SCALE.5)
    close(gram_times(kernel, Z, V, X, memory=memory), kernel(Z, X) @ V, EXACT)
    close(gram_times(kernel, X, V[:, 0], memory=memory), kernel(X) @ V[:, 0], EXACT)


def test_strips_are_as_high_as_asked_for_and_at_least_a_row():
    assert list(tiles.strips(7, 3, begin=1)) == [slice(1, 4), slice(4, 7)]
    assert list(tiles.strips(2, 0)) == [slice(0, 1), slice(1, 2)]


@pytest.mark.parametrize("rank", [0, 5, 40])
def test_conjugate_gradients_solve_the_ridge_problem(rank):
    X = points()
    y = np.sin(X[:, 0])
    last = list(ridge_steps(Gaussian(1.5), X, y, 0.1, rank, tol=1e-9))[-1]
    close(last.alpha, np.linalg.solve(Gaussian(1.5)(X) + 0.1 * np.eye(60), y), ITERATIVE)
    close(last.alpha, KernelRidge(Gaussian(1.5), 0.1).fit(X, y).coef_, ITERATIVE)


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_the_primal_machine_minimises_what_it_says(C):
    X, y = two_moons(80, noise=0.2)
    model = PrimalSVC(C).fit(X, y)

    def cost(v):
        return 0.5 * v[:2] @ v[:2] + C * sum(max(0, 1 - t * (v[:2] @ x + v[2])) ** 2 for x, t in zip(X, y, strict=True))

    best = minimize(cost, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    close(np.append(model.w_, model.b_), best.x, 1e-4)
    close(model.objective_, cost(np.append(model.w_, model.b_)), EXACT)  # (SCALE.7)
    assert model.objective_ <= best.fun * (1 + 1e-9)


# theorem


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_with_all_points_as_landmarks_nothing_is_lost(kernel):
    X = points(40)
    Z = Nystroem(kernel, 40).fit_transform(X)
    close(Z @ Z.T, kernel(X), ROOT)


def test_a_kernel_of_rank_ten_needs_ten_landmarks():
    X = points(500)
    model = Nystroem(Polynomial(2, 1.0), 30).fit(X)  # (3 + 2 choose 2) features
    assert model.n_features_out_ == len(model.landmarks_) == 10
    close(model.transform(X) @ model.transform(X).T, Polynomial(2, 1.0)(X), ROOT)


def test_landmarks_are_the_nonlinear_projection_trick_up_to_a_rotation():
    X, Xt = points(), points(20, seed=1)
    model = Nystroem(Gaussian(1.5), 12).fit(X)
    Z, other = model.transform(Xt), NPT(Gaussian(1.5), center=False).fit(model.landmarks_).transform(Xt)
    close(Z @ Z.T, other @ other.T)


def test_pivots_as_landmarks_give_the_factor_itself():
    X = points()
    close(Nystroem(Gaussian(1.5), 12, pick="largest").fit_transform(X), pivoted_cholesky(Gaussian(1.5), X, 12).L)


def test_kernel_pca_is_pca_on_the_features_when_the_landmarks_suffice():
    X = rings((1.0, 2.0, 3.0), 30, noise=0.05)[0]
    scores = PCA(3).fit_transform(Nystroem(Polynomial(2, 1.0), 20).fit_transform(X))
    exact = KernelPCA(Polynomial(2, 1.0), 3).fit_transform(X)
    close(np.abs(scores), np.abs(exact), ROOT)


@pytest.mark.parametrize("pick", ["largest", "weighted"])
@pytest.mark.parametrize("rank", [1, 7, 25])
def test_the_trace_that_is_missing_bounds_every_error(rank, pick):
    X = points(80)
    K = Gaussian(1.5)(X)
    L, pivots, missing = pivoted_cholesky(Gaussian(1.5), X, rank, pick)
    off = K - L @ L.T
    lam = np.linalg.eigvalsh(off)
    assert len(pivots) == rank and lam[0] > -1e-10
    close(missing, np.trace(off))  # (SCALE.4)
    assert max(np.abs(off).max(), lam[-1]) <= missing
    assert missing >= np.sort(np.linalg.eigvalsh(K))[: 80 - rank].sum() - 1e-9  # Eckart and Young: no rank does better
    close(off[pivots], np.zeros((rank, 80)))  # the rows that were asked for are exact


def test_the_waves_of_a_kernel_have_its_spectrum():
    """Bochner: the mean of cos ωt is k(t); a million waves settle it to three digits."""
    for kernel in Gaussian(1.5), Exponential(1.5):
        omega = frequencies(kernel, 2, 10**6, np.random.default_rng(0))
        for t in ([0.5, 0.0], [0.0, 1.0], [1.5, 2.0]):
            close(np.cos(omega @ t).mean(), kernel([t], [[0.0, 0.0]])[0, 0], 3e-3)  # (F.5)


# every step


@pytest.mark.parametrize("pick", ["largest", "weighted"])
def test_every_pivot_takes_from_the_rest_and_is_never_taken_again(pick):
    X = points(50)
    K, taken, before = Gaussian(1.0)(X), [], np.ones(50)
    for i, L, rest in factor_steps(Gaussian(1.0), X, 50, pick):
        assert i not in taken and before[i] > 0 and (rest <= before + 1e-15).all()
        assert pick == "weighted" or before[i] == before.max()
        taken, before = [*taken, i], rest
        close(rest, np.diag(K - L.T @ L), IDENTITY)
    assert len(taken) == 50


def test_weighted_pivots_are_drawn_in_proportion_to_what_is_missing():
    K = np.diag([1.0, 2.0, 5.0, 0.0])
    first = [pivoted_cholesky(Precomputed(), K, 1, "weighted", seed).pivots[0] for seed in range(2000)]
    close(np.bincount(first, minlength=4) / 2000, [1 / 8, 2 / 8, 5 / 8, 0], 0.03)


def test_a_preconditioner_saves_steps_and_ends_at_the_same_place():
    X = points(400)
    y = np.sin(2 * X[:, 0])
    plain, helped = (list(ridge_steps(Gaussian(2.0), X, y, 1e-3, rank)) for rank in (0, 100))
    assert len(helped) * 4 < len(plain)
    for steps in plain, helped:
        alpha, residual = steps[-1]
        r = y - (Gaussian(2.0)(X) @ alpha + 1e-3 * alpha)
        assert residual <= 1e-6
        close(residual, np.linalg.norm(r) / np.linalg.norm(y), 1e-8)


def test_the_preconditioner_is_the_inverse_it_stands_for():
    X, r = points(), points(60, 1, seed=4)[:, 0]
    L = pivoted_cholesky(Gaussian(1.5), X, 12).L
    expected = np.linalg.solve(L @ L.T + 0.3 * np.eye(60), r)
    close(scale._preconditioner(Gaussian(1.5), X, 0.3, 12)(r), expected)  # (SCALE.6)
    assert len(list(ridge_steps(Gaussian(1.5), X, r, 0.3, 60))) <= 2  # all pivots: nothing is left to do


def test_conjugate_gradients_never_move_away_from_the_solution():
    X = points(100)
    y, A = np.sin(X[:, 0]), Gaussian(2.0)(X) + 0.01 * np.eye(100)
    right = np.linalg.solve(A, y)
    energy = [(s.alpha - right) @ A @ (s.alpha - right) for s in ridge_steps(Gaussian(2.0), X, y, 0.01, 10)]
    assert (np.diff(energy) <= 1e-9 * energy[0]).all() and len(energy) > 3


def test_every_newton_step_lowers_the_objective():
    X, y = two_moons(300, noise=0.3)
    Z = Nystroem(Gaussian(0.5), 60).fit_transform(X)
    steps = list(PrimalSVC(100.0).steps(Z, y))
    values = [100.0 * 300, *(s.objective for s in steps)]  # w = 0: every point has slack one
    assert (np.diff(values) <= 0).all() and 3 <= len(steps) < 30
    assert steps[-1].inside == np.mean(y * (Z @ steps[-1].w + steps[-1].b) < 1)


def test_newton_ends_where_rounding_decides():
    for seed in 4, 6:
        X, y = two_moons(10_000, noise=0.3, seed=seed)
        assert PrimalSVC(100.0).fit(RandomFourier(Gaussian(0.5), 40, seed).fit_transform(X), y).n_iter_ < 30


# rates


def test_the_error_of_random_waves_falls_with_the_root_of_their_number():
    """Var = (1 - k²)² / m for a Gaussian and m/2 waves (Sutherland and Schneider)."""
    X = points(40)
    K = Gaussian(2.0)(X)
    for m in 16, 256:
        off = [RandomFourier(Gaussian(2.0), m, seed).fit_transform(X) for seed in range(400)]
        measured = np.mean([(Z @ Z.T - K) ** 2 for Z in off])
        close(measured / np.mean((1 - K**2) ** 2 / m), 1.0, 0.15)


def test_pivots_reach_the_error_of_the_best_rank_within_a_small_factor():
    X = two_moons(300, noise=0.1)[0]
    lam = np.sort(np.linalg.eigvalsh(Gaussian(1.0)(X)))[::-1]
    for rank in 10, 20, 40:
        best = lam[rank:].sum()
        for pick in "largest", "weighted":
            assert pivoted_cholesky(Gaussian(1.0), X, rank, pick).missing < 20 * best


# memory


def test_a_product_by_tiles_never_holds_the_matrix(peak):
    X, v = points(3000), np.ones(3000)
    for kernel in Gaussian(1.0), Exponential(1.0):
        for memory in 2**18, 2**20, 2**22:
            used = peak(lambda kernel=kernel, memory=memory: gram_times(kernel, X, v, memory=memory))
            assert used < memory + 8 * 20 * 3000
    assert peak(lambda: Gaussian(1.0)(X) @ v) > 8 * 3000**2


@pytest.mark.parametrize(
    "model",
    [Nystroem(Gaussian(1.0), 20), RandomFourier(Gaussian(1.0), 20), Nystroem(Gaussian(1.0), 20, pick="largest")],
    ids=repr,
)
def test_features_need_little_more_memory_than_they_take(model, peak):
    X = points(20_000)
    assert peak(lambda: model.fit_transform(X)) < 3 * 8 * 20_000 * 20 + 6 * blocks.TILE


@pytest.mark.parametrize("rank", [7, 60])
def test_pivots_touch_as_many_rows_as_they_need_and_no_more(rank):
    asked = []

    class Counting(Exponential):
        def gram(self, X, Z=None):
            asked.append(len(X))
            return super().gram(X, Z)

    class CountingRows(Gaussian):
        def row_maker(self, X):
            rows = super().row_maker(X)
            return lambda index: (asked.append(1), rows(index))[1]

    for kernel in Counting(1.0), CountingRows(1.0):
        assert pivoted_cholesky(kernel, points(100), rank).L.shape == (100, rank)
        assert asked == [1] * rank
        asked.clear()


def test_pivots_need_little_more_memory_than_their_factor(peak):
    X = points(2000)
    for kernel in Gaussian(1.0), Exponential(1.0):
        assert peak(lambda kernel=kernel: pivoted_cholesky(kernel, X, 300)) < 2.2 * 8 * 300 * 2000


# oracle


def test_nystroem_is_that_of_scikit_learn_on_the_same_landmarks():
    X, Xt = points(), points(20, seed=1)
    theirs = TheirNystroem(kernel="rbf", gamma=0.25, n_components=12, random_state=0).fit(X)
    ours = Nystroem(Gaussian.from_gamma(0.25), 12).fit(theirs.components_)
    close(ours.transform(Xt) @ ours.transform(X).T, theirs.transform(Xt) @ theirs.transform(X).T)


def test_cosines_and_sines_err_less_than_the_phases_of_scikit_learn():
    X = points(200)
    K = Gaussian.from_gamma(0.25)(X)

    def error(model):
        Z = model.fit_transform(X)
        return ((Z @ Z.T - K) ** 2).mean()

    ours = np.mean([error(RandomFourier(Gaussian.from_gamma(0.25), 200, seed)) for seed in range(10)])
    theirs = np.mean([error(RBFSampler(gamma=0.25, n_components=200, random_state=seed)) for seed in range(10)])
    assert ours < theirs


def test_pivots_are_those_of_lapack():
    X = points()
    L, pivots, _ = pivoted_cholesky(Gaussian(1.5), X, 8)
    factor, order, _, _ = dpstrf(Gaussian(1.5)(X), lower=1)
    assert pivots.tolist() == (order[:8] - 1).tolist()
    close(L[order - 1][:, :8], np.tril(factor)[:, :8])


def test_the_primal_machine_agrees_with_the_dual_one_and_with_liblinear():
    X, y = two_moons(120, noise=0.2)
    Z = Nystroem(Gaussian(1.0), 20).fit_transform(X)
    ours = PrimalSVC(10.0).fit(Z, y).decision_function(Z)
    close(ours, SVC(Linear(), C=10.0, slack=2, tol=1e-9).fit(Z, y).decision_function(Z), ITERATIVE)
    theirs = LinearSVC(C=10.0, loss="squared_hinge", dual=False, tol=1e-10, max_iter=100_000, intercept_scaling=1e3)
    close(ours, theirs.fit(Z, y).decision_function(Z), 1e-3)  # theirs shrinks the offset too, here by a thousandth


# Dask


def test_kmlab_itself_never_loads_dask():
    code = (
        f"import sys; sys.path.insert(0, {kmlab.__path__[0]!r} + '/..'); import numpy as np; import kmlab.scale as s;"
        "s.Nystroem(n_landmarks=3).fit_transform(np.eye(5)); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "kmlab.scale" in loaded and "dask" not in loaded


@pytest.fixture
def lazily():
    """An array in three blocks of rows and two of columns."""
    da = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'")
    return da.from_array(points(), chunks=((20, 25, 15), (2, 1)))


MODELS = [Nystroem(Gaussian(1.5), 12), RandomFourier(Gaussian(1.5), 12)]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_dask_array_gives_the_same_features_and_stays_lazy(model, lazily):
    import dask

    Z = model.fit(lazily).transform(lazily)
    assert type(Z) is type(lazily) and Z.shape == (60, 12) and Z.chunks[0] == (20, 25, 15) and Z.dtype == float
    assert type(model.fit_transform(lazily)) is type(lazily)
    exact = model.fit(points()).transform(points())
    close(Z.compute(), exact, EXACT)
    G = Z.T @ Z
    assert dask.is_dask_collection(G)
    close(G.compute(), exact.T @ exact, EXACT)


def test_landmarks_of_a_dask_array_compute_their_own_blocks_and_transform_none(lazily):
    seen = []

    def look(B):
        seen.append(len(B))
        return B

    X = lazily.map_blocks(look, meta=np.empty((0, 0)))
    RandomFourier(Gaussian(1.5), 12).fit(X).transform(X)
    assert seen == []
    first = X[:20]
    model = Nystroem(Gaussian(1.5), 12).fit(first)
    assert sum(seen) <= 2 * 20
    seen.clear()
    Z = model.transform(X)
    assert seen == [] and len(Z.compute()) == 60 and sum(seen) == 2 * 60


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_two_workers_share_the_blocks(model, cluster, lazily):
    from distributed import wait

    X = lazily.rechunk((10, 3))
    Z = model.fit(X).transform(X).persist()
    wait(Z)
    holders = [worker for worker, held in cluster.has_what().items() if held]
    assert len(holders) == 2
    close(Z.compute(), model.fit(points()).transform(points()), EXACT)


def test_blocks_of_unknown_or_no_length_are_transformed_too(lazily):
    model = RandomFourier(Gaussian(1.5), 12).fit(lazily)
    kept = lazily[lazily[:, 0] > 1.0]  # nobody knows how many
    X = points()
    close(model.transform(kept).compute(), model.transform(X[X[:, 0] > 1.0]), EXACT)
    assert model.transform(lazily[lazily[:, 0] > 99.0]).compute().shape == (0, 12)


# refusal


def test_a_dask_array_that_cannot_be_picked_from_is_refused(lazily):
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        Nystroem().fit(lazily[lazily[:, 0] > 0])
    with pytest.raises(ValueError, match="use 'uniform', or fit on a sample of its rows"):
        Nystroem(pick="largest").fit(lazily)
    model = Nystroem(n_landmarks=5).fit(lazily)
    with pytest.raises(ValueError, match="2 features, but Nystroem is expecting 3"):
        model.transform(lazily[:, :2])


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (
            lambda X: RandomFourier(n_features=7).fit(X),
            "must be even, a cosine and a sine for each wave, got 7: take 8",
        ),
        (
            lambda X: RandomFourier(Polynomial(2)).fit(X),
            "Gaussian and Exponential kernels, got Polynomial.*use Nystroem",
        ),
        (lambda X: Nystroem(pick="best").fit(X), "pick must be one of 'uniform', 'largest', 'weighted', got 'best'"),
        (lambda X: Nystroem(Precomputed()).fit(X @ X.T), "there already.*use NPT"),
        (lambda X: Nystroem(n_landmarks=0).fit(X), "n_landmarks must be a whole number of at least 1"),
        (lambda X: pivoted_cholesky(Gaussian(), X, 3, "uniform"), "pick must be one of 'largest', 'weighted'"),
        (lambda X: pivoted_cholesky(Linear(), 0 * X, 3), "nothing to factorise"),
        (lambda X: pivoted_cholesky(Tanh(1.0, -1.0), X, 60), "positive semi-definite kernel|nothing to factorise"),
        (lambda X: gram_times(Gaussian(), X, np.ones(5)), "V has 5 entries for 60 samples"),
        (lambda X: gram_times(Gaussian(), X, np.ones((5, 2))), "V has 5 rows for 60 points"),
        (lambda X: gram_times(Precomputed(), X @ X.T, np.ones(60)), "there already, and this is about not having it"),
        (lambda X: next(ridge_steps(Gaussian(), X, X[:, 0], 0.0)), "lam must be a positive number"),
        (lambda X: PrimalSVC(-1.0).fit(X, np.sign(X[:, 0])), "C must be a positive number"),
        (lambda X: PrimalSVC().fit(X, np.zeros(60)), "y holds one class only, 0.0: two are needed"),
        (lambda X: PrimalRidge(-1.0).fit(X, X[:, 0]), "lam must be a positive number"),
        (lambda X: PrimalPCA(5).fit(X), "vary in 3 directions only: ask for no more"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(work, sentence):
    with pytest.raises(ValueError, match=sentence):
        work(points())


def test_a_bar_appears_after_two_seconds_and_only_if_asked_for(monkeypatch, capsys):
    clock = iter(range(1000))
    monkeypatch.setattr(tiles.time, "monotonic", lambda: next(clock))
    assert [s.stop for s in tiles.strips(10, 4, "work")] == [4, 8, 10]
    said = capsys.readouterr().err
    assert "work" in said and said.rstrip().endswith("100%") and " 40%" not in said
    list(tiles.strips(10, 4))
    assert capsys.readouterr().err == ""


def test_a_factor_does_not_care_for_units(X):
    whole, tiny = (pivoted_cholesky(Linear(), unit * X, 5) for unit in (1.0, 1e-8))
    assert tiny.pivots.tolist() == whole.pivots.tolist() and tiny.L.shape == (14, 2)
    close(tiny.L / 1e-8, whole.L)


def test_a_point_of_no_length_does_not_make_a_factor_longer(X):
    assert pivoted_cholesky(Linear(), np.vstack([X, 0 * X[:1]]), 5).L.shape == (15, 2)
