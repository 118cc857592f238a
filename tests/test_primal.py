"""Ridge, margins and components from sums over rows: in an array, in a file, and over the blocks of a Dask array."""

import os
import tracemalloc
import types
import warnings

import numpy as np
import pytest
from models import MODELS
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from tolerances import EXACT, ROOT, close, same_up_to_sign

from kmlab._bases import NotConverged
from kmlab.datasets import rings, two_moons
from kmlab.dependence import hsic
from kmlab.engine import blocks, tiles
from kmlab.kernels import Gaussian, Polynomial
from kmlab.pca import PCA, KernelPCA
from kmlab.primal import ridge_on_active
from kmlab.regression import KernelRidge
from kmlab.scale import FeatureMap, Nystroem, PrimalPCA, PrimalRidge, PrimalSVC, RandomFourier
from kmlab.svm import SVC

SAME = 1e-8  # wherever the rows are
LANDMARKS = Nystroem(Gaussian(0.7), 25)
BLOCKS = 10  # of the data on a cluster: more than what one worker adds up before it travels on
WAYS = {
    "ridge": PrimalRidge(0.1, features=LANDMARKS),
    "ridge with intercept": PrimalRidge(0.1, True, RandomFourier(Gaussian(0.7), 30)),
    "two classes": PrimalSVC(10.0, features=LANDMARKS),
    "three classes": PrimalSVC(10.0, features=LANDMARKS),
    "no map": PrimalSVC(1.0),
    "components": PrimalPCA(3, LANDMARKS),
}


def data(way, n=240):
    X, ring = rings((1.0, 2.0, 3.0), n // 3, noise=0.2)
    if "ridge" in way:
        return X, np.sin(2 * X[:, 0]) + 5
    return X, np.array(["inner", "middle", "outer"])[ring if way == "three classes" else np.minimum(ring, 1)]


def answer(model, X):
    return model.transform(X) if hasattr(model, "transform") else model.predict(X)


def numbers(model):
    return [getattr(model, name) for name in ("w_", "b_", "components_", "mean_", "lam_") if hasattr(model, name)]


# definition


@pytest.mark.parametrize("intercept", [False, True])
def test_ridge_by_all_landmarks_is_kernel_ridge(intercept):
    X, t = data("ridge", 90)
    all_of_them = Nystroem(Polynomial(3, 1.0), 90)
    model = PrimalRidge(0.3, intercept, all_of_them).fit(X, t)
    exact = KernelRidge(Polynomial(3, 1.0), 0.3, intercept).fit(X, t)
    close(model.predict(X), exact.predict(X), ROOT)
    close(model.score(X, t), exact.score(X, t), ROOT)


def test_ridge_without_a_map_is_that_of_scikit_learn():
    X, t = data("ridge")
    far = X + 1e5
    for intercept in False, True:
        theirs = Ridge(0.5, fit_intercept=intercept).fit(X, t)
        close(PrimalRidge(0.5, intercept).fit(X, t).w_, theirs.coef_)
    close(PrimalRidge(1e-9, True).fit(far, t).predict(far), LinearRegression().fit(X, t).predict(X), 1e-6)


def test_components_by_enough_landmarks_are_those_of_kernel_pca():
    X = data("components")[0]
    model = PrimalPCA(3, Nystroem(Polynomial(2, 1.0), 20)).fit(X)
    exact = KernelPCA(Polynomial(2, 1.0), 3).fit(X)
    same_up_to_sign(model.transform(X), exact.transform(X), ROOT)
    close(model.explained_variance_, exact.explained_variance_, ROOT)
    close(model.explained_variance_ratio_, exact.explained_variance_ratio_, ROOT)
    for other in X + 1e5, 1e-5 * X:  # the origin is far, the unit is large
        same_up_to_sign(PrimalPCA().fit(other).components_.T, PCA().fit(X).components_.T, 1e-6)


def test_more_classes_are_each_against_the_rest():
    X, y = data("three classes")
    model = PrimalSVC(10.0, features=LANDMARKS).fit(X, y)
    f = model.decision_function(X)
    assert f.shape == (240, 3) and model.converged_ and model.classes_.tolist() == ["inner", "middle", "outer"]
    for c, name in enumerate(model.classes_):
        alone = PrimalSVC(10.0, features=LANDMARKS).fit(X, y == name)
        close(f[:, c], alone.decision_function(X), ROOT)
    assert np.array_equal(model.predict(X), model.classes_[f.argmax(1)]) and model.score(X, y) > 0.9


@pytest.mark.parametrize("C", [0.02, 3.0])
def test_a_step_is_ridge_on_the_rows_within_the_margin(C):
    rng = np.random.default_rng(0)
    A, y = np.column_stack([rng.standard_normal((9, 3)), np.ones(9)]), rng.choice([-1.0, 1.0], 9)
    free = np.linalg.solve(0.5 * np.diag([1, 1, 1, 0]) + C * A.T @ A, C * A.T @ y)  # (SCALE.8)
    close(ridge_on_active((A.T @ A)[None], (A.T @ y)[None], C)[0], free, EXACT)


def test_two_classes_are_the_dual_machine_on_the_features():
    X, y = data("two classes")
    Z = LANDMARKS.fit_transform(X)
    exact = SVC(Polynomial(1, 0.0), 10.0, slack=2, tol=1e-9).fit(Z, y).decision_function(Z)
    close(PrimalSVC(10.0, features=LANDMARKS).fit(X, y).decision_function(X), exact, 1e-5)


def test_classes_far_from_zero_are_told_apart_as_near_it():
    X, y = data("three classes")
    for labels in y, y == "inner":
        near = PrimalSVC(10.0).fit(X, labels)
        for far in 2.0**20, 2.0**30:  # adding it rounds X by 1e-10, 1e-7
            close(PrimalSVC(10.0).fit(X + far, labels).decision_function(X + far), near.decision_function(X), 1e-5)


@pytest.mark.parametrize("where", ["array", "file", "Dask"])
def test_many_rows_begin_where_a_few_of_them_end(where, tmp_path, monkeypatch):
    X, y = data("three classes", 6000)
    np.save(tmp_path / "X.npy", X)
    many = np.load(tmp_path / "X.npy", mmap_mode="r") if where == "file" else X
    if where == "Dask":
        many = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'").from_array(X, (1000, 1))
    monkeypatch.setattr(blocks, "MANY", np.inf)
    plain = PrimalSVC(features=LANDMARKS).fit(X, y)
    monkeypatch.setattr(blocks, "MANY", 2)
    model = PrimalSVC(features=LANDMARKS).fit(many, y)
    assert model.converged_ and 3 * model.n_iter_ <= 2 * plain.n_iter_
    close(model.w_, plain.w_, SAME)
    close(model.b_, plain.b_, SAME)
    monkeypatch.setattr(blocks, "ROOM", 800)
    assert 45 < blocks.Rows(many).some().n <= 50 and blocks.Rows(X[:100]).some() is None
    rare = np.where(np.arange(6000) == 77, "inner", "outer")  # not among the few
    model.fit(X, rare)
    monkeypatch.setattr(blocks, "MANY", np.inf)
    close(model.w_, PrimalSVC(features=LANDMARKS).fit(X, rare).w_, SAME)


# wherever the rows are


@pytest.fixture(params=["file", "Dask"])
def elsewhere(request, tmp_path):
    """A function that puts an array into a file, or spreads it over blocks of rows and of columns."""
    if request.param == "Dask":
        da = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'")
        return lambda A: da.from_array(A, chunks=((50, 0, 100, 90), (1, 1)) if A.ndim == 2 else ((100, 140),))

    def stored(A):
        path = tmp_path / f"{A.ndim}.npy"
        np.save(path, A)
        return np.load(path, mmap_mode="r")

    return stored


@pytest.mark.parametrize("way", WAYS)
def test_the_same_three_lines_give_the_same_wherever_the_rows_are(way, elsewhere, monkeypatch):
    X, y = data(way)
    here = WAYS[way].fit(X, y)
    found, answers = numbers(here), answer(here, X)
    monkeypatch.setattr(blocks, "TILE", 8 * 25 * 11)  # eleven rows at a time
    model = clone(WAYS[way]).fit(elsewhere(X), elsewhere(y))
    for one, other in zip(numbers(model), found, strict=True):
        close(one, other, SAME)
    there = np.asarray(answer(model, elsewhere(X)))
    close(there, answers, SAME) if there.dtype.kind == "f" else np.testing.assert_array_equal(there, answers)
    if hasattr(model, "score"):
        close(model.score(elsewhere(X), elsewhere(y)), here.score(X, y), SAME)


def test_y_may_be_an_array_beside_a_dask_array_and_both_may_have_blocks_of_unknown_length():
    da = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'")
    X, t = data("ridge")
    right = PrimalRidge(0.1).fit(X[X[:, 0] > 0], t[X[:, 0] > 0]).w_
    lazy, values = da.from_array(X, chunks=(60, 2)), da.from_array(t, chunks=60)
    close(PrimalRidge(0.1).fit(lazy, t).w_, PrimalRidge(0.1).fit(X, t).w_, SAME)
    kept = lazy[:, 0] > 0
    close(PrimalRidge(0.1).fit(lazy[kept], values[kept]).w_, right, SAME)
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        PrimalRidge().fit(lazy[kept], t[X[:, 0] > 0])
    with pytest.raises(ValueError, match="one entry for each of 240 rows, got shape"):
        PrimalRidge().fit(lazy, t[:-1])


def test_answers_of_a_dask_array_wait_until_they_are_computed():
    da = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'")
    X, y = data("three classes")
    seen = []
    lazy = da.from_array(X, chunks=(60, 2)).map_blocks(lambda B: (seen.append(1), B)[1], meta=np.empty((0, 0)))
    model = PrimalSVC(features=LANDMARKS).fit(X, y)
    waiting = model.predict(lazy), model.decision_function(lazy), PrimalPCA(2, LANDMARKS).fit(X).transform(lazy)
    assert seen == [] and [w.shape for w in waiting] == [(240,), (240, 3), (240, 2)]
    assert waiting[0].dtype == model.classes_.dtype and waiting[0].chunks == ((60,) * 4,)
    assert np.array_equal(waiting[0].compute(), model.predict(X))
    Z = make_pipeline(LANDMARKS, PrimalSVC()).fit(lazy, da.from_array(y, chunks=60)).predict(lazy)
    assert type(Z) is type(lazy)


def test_a_file_of_small_numbers_is_never_here_as_a_whole(tmp_path):
    n, path = 120_000, tmp_path / "X.npy"
    np.save(path, np.random.default_rng(0).standard_normal((n, 20), dtype=np.float32))
    X, y = np.load(path, mmap_mode="r"), np.arange(n) % 2
    for model in PrimalRidge(features=LANDMARKS), PrimalSVC(max_steps=2, features=LANDMARKS), PrimalPCA(2, LANDMARKS):
        tracemalloc.start()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)
            answers = answer(model.fit(X, y), X)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert used < 8 * X.size / 2 + 3 * answers.nbytes


# a cluster


def made_by_the_workers(block, marker=""):
    """Rows of their own for every block; if there is a marker, the first worker to take it dies."""
    if marker:
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            os._exit(1)
        except FileExistsError:
            pass
    X = two_moons(500, noise=0.2, seed=int(block[0]))
    return np.column_stack(X)


def test_a_worker_that_dies_changes_nothing_and_only_small_matrices_come_here(cluster, tmp_path, monkeypatch):
    import dask.array as da

    def spread(**options):
        seeds = da.arange(BLOCKS, chunks=1)
        shape = {"chunks": ((500,) * BLOCKS, (3,)), "new_axis": 1, "meta": np.empty((0, 3))}
        A = seeds.map_blocks(made_by_the_workers, **options, **shape)
        return A[:, :2], A[:, 2]

    came, computed = [], blocks._computed
    monkeypatch.setattr(blocks, "_computed", lambda *args: came.append(computed(*args)) or came[-1])
    everything = np.vstack([made_by_the_workers([i]) for i in range(BLOCKS)])
    for model in PrimalSVC(10.0, features=LANDMARKS), PrimalRidge(0.1, features=LANDMARKS), PrimalPCA(2, LANDMARKS):
        marker = tmp_path / type(model).__name__
        here = clone(model).fit(everything[:, :2], everything[:, 2])
        alone = clone(model).fit(*spread())
        disturbed = clone(model).fit(*spread(marker=str(marker))) if type(model) is PrimalSVC else alone
        assert marker.exists() == (type(model) is PrimalSVC)
        for one, other, exact in zip(numbers(disturbed), numbers(alone), numbers(here), strict=True):
            assert np.array_equal(one, other)
            close(one, exact, SAME)
    assert came and max(np.size(part) for parts in came for part in parts) <= (LANDMARKS.n_landmarks + 1) ** 2


def test_progress_is_shown_on_a_cluster_and_without_one(cluster, monkeypatch, capsys):
    import dask
    import dask.array as da

    clock = iter(range(10**6))
    monkeypatch.setattr(tiles, "time", types.SimpleNamespace(monotonic=lambda: next(clock)))
    X, y = data("ridge")
    lazy = da.from_array(X, chunks=(60, 2))
    rows = blocks.Rows.of(lazy, y)
    for scheduler in cluster, "threads":
        monkeypatch.setattr(blocks, "_cluster", lambda s=scheduler: None if s == "threads" else s)
        with dask.config.set({} if scheduler is cluster else {"scheduler": "threads"}):
            rows.total(_slow, name="PrimalRidge")
        said = capsys.readouterr().err
        assert f"PrimalRidge, pass {rows.passes}" in said and said.rstrip().endswith("100%")


def _slow(Z, y):
    import time

    time.sleep(0.1)
    return (len(Z),)


# refusal


@pytest.mark.parametrize("model", MODELS, ids=lambda model: repr(model)[:60])
def test_whoever_needs_all_rows_refuses_a_dask_array_and_says_who_does_not(model):
    da = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'")
    if isinstance(model, FeatureMap | PrimalPCA | PrimalRidge | PrimalSVC):
        return
    X = da.ones((40, 40), chunks=10)
    with pytest.raises(TypeError, match="Dask array.*PrimalRidge, PrimalSVC and PrimalPCA of kmlab.scale"):
        model.fit(X, np.arange(40) % 2)


def test_functions_refuse_it_too_and_a_frame_of_dask():
    da = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'")
    for work in lambda X: hsic(X, X), Gaussian(1.0), SVC().fit(np.eye(4), [0, 1, 0, 1]).predict:
        with pytest.raises(TypeError, match="PrimalRidge, PrimalSVC and PrimalPCA"):
            work(da.ones((4, 4)))

    class Frame:
        pass

    Frame.__module__ = "dask.dataframe.core"
    with pytest.raises(TypeError, match=r"Frame of Dask.*X.to_dask_array\(lengths=True\)"):
        PCA().fit(Frame())


@pytest.mark.parametrize("kind", [PrimalRidge, PrimalSVC, PrimalPCA])
def test_blocks_that_hold_what_is_no_number_are_refused(kind, elsewhere):
    X, y = data("two classes")
    y = np.unique(y, return_inverse=True)[1]
    bad = X.copy()
    bad[-1, 0] = np.nan
    with pytest.raises(ValueError, match="X contains NaN"):
        kind().fit(elsewhere(bad), elsewhere(y))
    with pytest.raises(ValueError, match="X must hold numbers"):
        kind().fit(elsewhere(X.astype(str)), elsewhere(y))
    with pytest.raises(TypeError, match=r"features must be None or a map such as Nystroem"):
        kind(features=Nystroem).fit(X, y)


@pytest.mark.parametrize("model", [PrimalRidge(features=LANDMARKS), PrimalSVC(features=LANDMARKS)], ids=str)
def test_a_weight_of_two_is_a_row_twice_and_no_block_has_weights(model):
    da = pytest.importorskip("dask.array", reason="no dask: pip install -e '.[dask]'")
    X, y = two_moons(60, noise=0.4)
    weights = 1 + np.arange(60) % 2
    model.fit(X, y)
    twice = np.repeat(np.arange(60), weights)
    close(model.score(X, y, weights), model.score(X[twice], y[twice]), ROOT)
    lazy = da.from_array(X, chunks=(20, 2))
    close(model.score(lazy, y), model.score(X, y), ROOT)
    with pytest.raises(ValueError, match="every row counts alike"):
        model.score(lazy, y, weights)
