"""Threads and memory: solvers keep to one thread, new points come in strips, nobody keeps n x n without need."""

import pickle
import threading

import numpy as np
import pytest
from models import MODELS
from threadpoolctl import threadpool_info, threadpool_limits
from tolerances import IDENTITY, close, same_up_to_sign

from kmlab import dual
from kmlab.cca import KernelCCA
from kmlab.centering import Centerer
from kmlab.datasets import two_moons
from kmlab.dependence import hsic
from kmlab.engine import threads, tiles
from kmlab.engine.cholesky import short_factor
from kmlab.engine.threads import one_thread, threads_for
from kmlab.gram import Gram
from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed
from kmlab.manifold import KernelLPP
from kmlab.npt import NPT, Kernelized
from kmlab.pca import PCA, KernelPCA
from kmlab.preimage import preimage
from kmlab.regression import RVM, KernelRidge
from kmlab.svm import SVC, SVR

ASKED = "predict", "transform", "decision_function", "predict_proba", "score_samples", "residual", "nearest"


def blas_threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


# threads


@pytest.fixture
def two_threads():
    """As many as a program finds that has set nothing."""
    with threadpool_limits(2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("this BLAS has one thread only")
        yield


def test_a_solver_takes_its_steps_on_one_thread_and_gives_the_others_back(two_threads, monkeypatch):
    seen, step = set(), dual.newton_step

    def watched(p):
        seen.update(blas_threads())
        return step(p)

    monkeypatch.setattr(dual, "newton_step", watched)
    monkeypatch.setattr(threads, "ROWS", 0)  # a large problem: there the steps alone keep to one
    X, y = two_moons(80, noise=0.2)
    for model in SVC(), SVR():
        model.fit(X, y)
        assert seen == {1} and blas_threads() == {2}
        seen.clear()


def test_a_small_problem_is_solved_on_one_thread_and_a_large_one_on_all(two_threads):
    for n, d, expected in (100, 2, {1}), (100, threads.ENTRIES, {2}), (threads.ROWS + 1, 2, {2}):
        with threads_for(np.broadcast_to(0.0, (n, d))):
            assert blas_threads() == expected
    assert blas_threads() == {2}


def test_whoever_leaves_last_gives_the_threads_back(two_threads):
    inside, leave = threading.Event(), threading.Event()

    def other():
        with one_thread():
            inside.set()
            leave.wait(10)

    beside = threading.Thread(target=other)
    with pytest.raises(KeyError), one_thread():
        beside.start()
        inside.wait(10)
        raise KeyError
    assert blas_threads() == {1}  # the other is still at work
    leave.set()
    beside.join()
    assert blas_threads() == {2}


# new points


def answers(model):
    return [name for name in ASKED if callable(getattr(model, name, None))]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "model",
    [m for m in MODELS if "Precomputed" not in repr(m) and not isinstance(m, Centerer)],
    ids=lambda m: repr(m)[:60],
)
def test_new_points_take_memory_for_some_of_them_and_for_the_answer(model, monkeypatch, peak):
    X, y = two_moons(120, noise=0.2)
    model.fit(X, X if type(model).__name__.endswith("CCA") else (y > 0).astype(int))
    new, small = np.tile(X, (30, 1)), 2**16
    monkeypatch.setattr(tiles, "AT_ONCE", small)
    for name in answers(model):
        ask = getattr(model, name)
        answer = ask(new)
        assert peak(lambda ask=ask: ask(new)) < 16 * small + 3.5 * answer.nbytes + 3 * new.nbytes, name
        assert 8 * len(X) * len(new) > 3 * 16 * small  # all at once would not pass


@pytest.mark.parametrize("way", ["fixed_point", "distance"])
def test_preimages_and_doubts_and_grids_come_in_strips_and_stay_the_same(way, monkeypatch):
    X, y = two_moons(150, noise=0.1)
    model, doubting = KernelPCA(Gaussian(1.0), 4).fit(X), RVM(Gaussian(1.0)).fit(X, y)
    Z, new, grid = model.transform(X), X[::2], np.linspace(-2, 2, 31)
    laplace = SVC(Polynomial(2)).fit(X, y)

    def all_of_them():
        return preimage(model, Z, way), preimage(model, Z, way, start=X), doubting.predict(new, return_std=True)[1]

    at_once = [*all_of_them(), laplace.on_grid(grid, grid)]
    monkeypatch.setattr(tiles, "AT_ONCE", 2**13)
    for some, whole in zip([*all_of_them(), laplace.on_grid(grid, grid)], at_once, strict=True):
        close(some, whole, IDENTITY)


# what a model keeps


def test_a_stored_ridge_holds_its_points_and_no_matrix():
    X, y = two_moons(200, noise=0.2)
    for kernel, data in (Gaussian(1.0), X), (Precomputed(), Gaussian(1.0)(X)):
        model = KernelRidge(kernel, 0.1, intercept=True).fit(data, y)
        stored = pickle.dumps(model)
        assert len(stored) < 8 * 200 * 12
        again = pickle.loads(stored)
        assert np.array_equal(again.predict(data), model.predict(data))
        assert np.array_equal(again.loo_residuals_, model.loo_residuals_)
        assert len(pickle.dumps(again)) < 1.1 * len(stored)


# K of low rank


def line(n, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (n, 1))
    return x, np.sin(2 * x) + 0.3 * rng.standard_normal((n, 1))


@pytest.mark.parametrize(
    "work",
    [
        lambda X, Y: hsic(X, Y, Gaussian(1.0), Gaussian(1.0)),
        lambda X, Y: hsic(X, Y, Gaussian(1.0), Gaussian(1.0), center=False),
        lambda X, Y: NPT(Gaussian(1.0)).fit(X).transform(X),
        lambda X, Y: NPT(Gaussian(1.0), center=False).fit_transform(X),
        lambda X, Y: Kernelized(PCA(1), Gaussian(1.0)).fit(X).transform(X),
        lambda X, Y: KernelLPP(Gaussian(1.0), 2).fit(X).transform(X),
        lambda X, Y: KernelCCA(Gaussian(1.0), Gaussian(1.0)).fit(X, Y).x_scores(X),
    ],
    ids=["hsic", "hsic uncentred", "NPT", "NPT uncentred", "Kernelized", "KernelLPP", "KernelCCA"],
)
@pytest.mark.filterwarnings("ignore")
def test_where_few_columns_are_enough_the_matrix_is_never_there(work, peak):
    n = 3000
    X, Y = line(n)
    assert peak(lambda: work(X, Y)) < 8 * n**2 / 2


def test_few_columns_give_what_the_whole_matrix_gives(monkeypatch):
    X, Y = line(700)
    k = Gaussian(0.7)
    new = np.linspace(-2, 2, 40)[:, None]

    def results():
        yield np.array([hsic(X, Y, k, k), hsic(X, Y, k, k, center=False)])
        for center in True, False:
            npt = NPT(k, center=center, tol=1e-8).fit(X)
            yield npt.lam_
            yield npt.transform(new)
            yield npt.residual(new)
        lpp = KernelLPP(k, 3, n_neighbors=30).fit(X)
        yield lpp.mu_
        yield lpp.transform(new)

    few = list(results())
    for module in "kmlab.gram", "kmlab.spectrum":
        monkeypatch.setattr(f"{module}.LARGE", 10**9)
    for one, other in zip(few, results(), strict=True):
        (same_up_to_sign if one.ndim == 2 else close)(one, other, 1e-5)


def test_a_factor_is_refused_where_it_is_not_short():
    X = np.random.default_rng(0).standard_normal((600, 10))
    assert short_factor(Gram(Gaussian(1.0), X))[0] is None and short_factor(Gram(Linear(), X))[0].shape == (600, 10)
