"""Whoever needs a matrix of n x n says so before it is made: how much, whether it fits here, and who needs less."""

import tracemalloc
import warnings

import numpy as np
import pytest

from kmlab import dependence, npt, scale
from kmlab._warnings import LittleRoom
from kmlab.algebra import Kernel
from kmlab.cca import CCA, KernelCCA
from kmlab.clustering import KernelKMeans, KernelVQ
from kmlab.discriminant import FDA, LFDA, KernelFDA, KernelLFDA
from kmlab.engine import room
from kmlab.kernels import Exponential, Gaussian, Linear, Precomputed
from kmlab.manifold import LPP, KernelLPP
from kmlab.pca import PCA, KernelPCA
from kmlab.pca_l1 import PCAL1, KernelPCAL1
from kmlab.regression import RVM, KernelLogistic, KernelPLS, KernelRidge
from kmlab.svm import SVC

N = 500
RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((N, 30)), RNG.standard_normal((N, 20))
t, y = X[:, 0] + X[:, 1] ** 2, (X[:, 0] > 0).astype(int)
K = Gaussian(4.0)  # on so many features no few columns are enough

NEEDY = {
    "NPT": lambda: npt.NPT(K).fit(X),
    "Kernelized": lambda: npt.Kernelized(PCA(2), K).fit(X),
    "KernelPCA": lambda: KernelPCA(K).fit(X),
    "KernelPCAL1": lambda: KernelPCAL1(K, 1).fit(X),
    "KernelRidge": lambda: KernelRidge(K, intercept=True).fit(X, t),
    "KernelPLS": lambda: KernelPLS(K).fit(X, t),
    "RVM": lambda: RVM(K, "em", max_steps=20).fit(X, t),  # of all its steps it keeps one
    "KernelLogistic": lambda: KernelLogistic(K).fit(X, y),
    "KernelVQ": lambda: KernelVQ(K, 1.2).fit(X),
    "LFDA": lambda: LFDA().fit(X, y),
    "KernelFDA": lambda: KernelFDA(K).fit(X, y),
    "KernelLFDA": lambda: KernelLFDA(K).fit(X, y),
    "KernelLPP": lambda: KernelLPP(K).fit(X),
    "KernelCCA": lambda: KernelCCA(K, K).fit(X, Y),
    "hsic": lambda: dependence.hsic(X, Y, K, K),
    "coco": lambda: dependence.coco(X, Y, K, K),
    "witnesses": lambda: dependence.witnesses(X, Y, K, K),
    "kcc": lambda: dependence.kcc(X, Y, K, K),
    "independence_test": lambda: dependence.independence_test(X, Y, K, K, permutations=20),
}
each = pytest.mark.parametrize("name", room.NEEDS)


@pytest.fixture
def free(monkeypatch):
    """free(n): from now on there is room for so many matrices of N x N."""
    monkeypatch.setattr(room, "WORTH", 8 * (N - 1) ** 2)
    return lambda matrices: monkeypatch.setattr(room, "free_memory", lambda: matrices * 8 * N**2)


def peak(work):
    work()  # what is loaded and kept once is not counted
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / (8 * N**2)
    finally:
        tracemalloc.stop()


@each
def test_the_number_of_matrices_is_that_of_a_fit(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert -1.1 < peak(NEEDY[name]) - room.NEEDS[name][0] < 1.2  # so small an n adds something to each


@each
def test_what_does_not_fit_is_refused_before_it_is_made(name, free):
    count, instead = room.NEEDS[name]
    free(count - 0.01)
    said = rf"^{name} needs {count} matrices of {N} x {N}, .* MB, and .* MB are free here: .*; or take fewer points\."

    def refused():
        with pytest.raises(MemoryError, match=said) as error:
            NEEDY[name]()
        assert instead in str(error.value)

    assert peak(refused) < 1  # a few columns were tried


@each
def test_what_takes_most_of_the_memory_is_said_on_the_line_that_asked(name, free):
    free(1.5 * room.NEEDS[name][0])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        NEEDY[name]()
    said = [w for w in said if w.category is LittleRoom]
    assert said and all(w.filename == __file__ and str(w.message).startswith(name) for w in said)


@each
def test_nothing_is_said_where_there_is_room(name, free, recwarn):
    free(2.01 * room.NEEDS[name][0])
    NEEDY[name]()
    assert not [w for w in recwarn if w.category is LittleRoom]


TILE = 2**23  # bytes, 1024 x 1024
M = RNG.standard_normal((1200, 10))  # more than a tile
FRUGAL = {
    "SVC": lambda: SVC(Exponential(4.0)).fit(M, M[:, 0] > 0).alpha_,
    "KernelPCA": lambda: KernelPCA(K, 2).fit(M).lam_,
    "KernelKMeans": lambda: KernelKMeans(K, 2, restarts=1).fit(M).labels_,
}


@pytest.mark.parametrize("name", FRUGAL)
def test_whoever_can_do_without_the_matrix_goes_on_where_little_is_free(name, free, monkeypatch, recwarn):
    whole, made = FRUGAL[name](), []
    free(0.0)
    monkeypatch.setattr(room, "WORTH", TILE)
    gram = Kernel.__call__
    monkeypatch.setattr(Kernel, "__call__", lambda k, *args: made.append(gram(k, *args)) or made[-1])
    assert np.allclose(FRUGAL[name](), whole, atol=1e-6)
    assert made and max(K.nbytes for K in made) <= TILE
    assert not [w for w in recwarn if w.category is LittleRoom]


def test_a_cross_matrix_and_a_kernel_by_itself_say_what_they_take(free):
    free(0.9)
    for kernel in K, Exponential(1.0), K + Linear():
        with pytest.raises(room.NoRoom, match=f"needs a matrix of {N} x {N}, 2 MB"):
            kernel(X)
    with pytest.raises(room.NoRoom, match=f"^Gaussian needs a matrix of {N} x {2 * N}, 4 MB, .*Nystroem"):
        K(X, np.concatenate([X, X]))


def test_a_gram_matrix_that_is_there_counts_once(free):
    G = K(X)
    free(6.1)
    assert KernelRidge(Precomputed(), intercept=True).fit(G, t).coef_.shape == (N,)
    free(2.9)
    with pytest.raises(room.NoRoom, match="^KernelRidge needs 3 matrices"):
        KernelRidge(Precomputed()).fit(G, t)


def test_what_is_named_instead_needs_no_such_matrix(free, monkeypatch):
    free(0.0)
    monkeypatch.setattr(room, "WORTH", TILE)
    t, c, landmarks = M[:, 0], (M[:, 0] > 0).astype(int), scale.Nystroem(K, 40)
    Z = landmarks.fit_transform(M)
    for way in scale.PrimalPCA, scale.PrimalRidge, scale.PrimalSVC:
        way(features=landmarks).fit(M, c)
    PCAL1(1).fit(Z), LPP(2).fit(Z), FDA().fit(Z, c), CCA(1).fit(Z, M), KernelKMeans(K, 2, restarts=1).fit(M)
    for measure in dependence.hsic, dependence.coco, dependence.kcc, dependence.witnesses:
        assert measure(Z, t, Linear(), Linear())
    assert dependence.independence_test(Z, t, Linear(), Linear(), permutations=9).pvalue == 0.1


def test_what_is_free_is_what_the_machine_and_its_container_say(monkeypatch, tmp_path):
    said = {"/proc/meminfo": ["MemTotal: 9 kB", "MemAvailable:    5 kB"]}
    monkeypatch.setattr(room, "_lines", lambda path: said.get(path, []))
    assert room.free_memory() == 5 * 1024
    newer = {"memory.max": ["4000"], "memory.current": ["1500"], "memory.stat": ["anon 7", "inactive_file 100"]}
    said |= {f"/sys/fs/cgroup/{name}": lines for name, lines in newer.items()}
    assert room.free_memory() == 2600
    said["/sys/fs/cgroup/memory.max"] = ["max"]
    assert room.free_memory() == 5 * 1024
    folder = "/sys/fs/cgroup/memory/memory."
    said |= {f"{folder}limit_in_bytes": ["900"], f"{folder}usage_in_bytes": ["1000"]}
    assert room.free_memory() == 0
    monkeypatch.undo()
    assert 1e6 < room.free_memory()
