"""The one Gram object: whole, by rows or by tiles it is the same matrix."""

import numpy as np
import pytest
from tolerances import close

from kmlab import gram
from kmlab.centering import center_gram
from kmlab.datasets import two_moons
from kmlab.gram import Gram, largest
from kmlab.kernels import Exponential, Gaussian, Linear, NegativePower, Polynomial, Precomputed

KERNELS = [Gaussian(0.7), Linear(), Polynomial(3), Exponential(0.5), Gaussian(1.0) + 0.1 * Polynomial(2)]


# definition


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("ridge", [0.0, 0.5])
@pytest.mark.parametrize("kept", ["whole", "by tiles"])
def test_products_diagonal_and_means_are_those_of_the_matrix(kernel, ridge, kept, monkeypatch):
    X, _ = two_moons(50, seed=3)
    V = np.random.default_rng(0).standard_normal((50, 3))
    K = kernel(X) + ridge * np.eye(50)
    if kept == "by tiles":
        monkeypatch.setattr(gram, "MEMORY", 8 * 50 * 4)
        monkeypatch.setattr("kmlab.engine.tiles.tiled_product.__defaults__", (None, 32 * 7**2, ""))
    G = Gram(kernel, X, ridge)
    assert len(G) == 50 and G.fits == (kept == "whole")
    for A, B in ((G @ V, K @ V), (G @ V[:, 0], K @ V[:, 0]), (G.diag, K.diagonal()), (G.column_means, K.mean(0))):
        close(A, B, 1e-11)
    Kc, C = G.centered(), center_gram(K)
    close(Kc @ V, C @ V, 1e-11)
    close(Kc.trace, np.trace(C), 1e-11)
    close(np.asarray(Kc), C, 1e-11)
    close(np.asarray(G), K, 1e-11)


def test_a_matrix_that_is_there_is_such_a_gram(X):
    K = Gaussian(0.7)(X)
    G = Gram(Precomputed(), K)
    assert G.dense is K and G.fits
    close(G[3], K[3])
    assert Gram(Precomputed(), K, ridge=1.0).dense is not K


def test_seen_from_a_point_distances_stay_and_that_point_is_the_origin(X):
    K = Gaussian(0.7)(X)
    S = Gram(Gaussian(0.7), X).seen_from(2)
    A = np.array([S[j] for j in range(len(X))])
    close(A.diagonal(), S.diag)
    close(A[2], np.zeros(len(X)))
    close(A.diagonal()[:, None] + A.diagonal() - 2 * A, np.diag(K)[:, None] + np.diag(K) - 2 * K)


# theorem


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("kept", ["whole", "by tiles"])
@pytest.mark.parametrize("n", [60, 300])
def test_the_largest_eigenpairs_do_not_depend_on_how_the_matrix_is_kept(n, kept, center, monkeypatch):
    X, _ = two_moons(n, seed=3)
    K = Gaussian(0.7)(X)
    A = center_gram(K) if center else K
    if kept == "by tiles" and n > 200:
        monkeypatch.setattr(gram, "MEMORY", 8 * n * 4)
    G = Gram(Gaussian(0.7), X)
    lam, U = largest(G.centered() if center else G, 4)
    close(lam, np.linalg.eigvalsh(A)[:-5:-1], 1e-10)
    close(A @ U, U * lam, 1e-10)
    if center:
        close(U.sum(0), np.zeros(4), 1e-14)


def test_a_kernel_without_a_diagonal_has_its_rank_by_share():
    X = np.random.default_rng(0).standard_normal((30, 2))
    assert len(largest(Gram(NegativePower(2.0), X).centered())[0]) == 2


# rows


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Linear(), Polynomial(3)], ids=repr)
@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_rows_are_those_of_the_gram_matrix(kernel, ridge):
    X, _ = two_moons(50, seed=3)
    rows, K = Gram(kernel, X + 5, ridge), kernel(X + 5) + ridge * np.eye(50)
    close(np.array([rows[i] for i in range(3)]), K[:3], 1e-11)
    close(np.array(list(rows.rows([7, 1, 49]))), K[[7, 1, 49]], 1e-11)
    close(rows.diag, K.diagonal(), 1e-11)


def test_rows_come_when_asked_for_where_that_is_cheaper_and_all_at_once_where_it_is_not(monkeypatch):
    X, kernel = np.random.default_rng(0).standard_normal((80, 3)), Gaussian(1.2)
    rows = Gram(kernel, X)
    assert not rows._known and len(rows[3]) == 80 and list(rows._known) == [3]
    monkeypatch.setattr("kmlab.engine.distances.IN_REACH", 0)  # as if X had millions of entries
    many = Gram(kernel, X, wanted=11)
    assert len(many[3]) == len(many._known) == 80
    who_knows, K = Gram(kernel, X), kernel(X)
    for i in range(12):  # an eighth of the rows, before all of them
        close(who_knows[i], K[i], 1e-11)
        assert len(who_knows._known) == (i + 1 if i < 10 else 80)
    close(np.array(list(who_knows.rows([7, 1, 79]))), K[[7, 1, 79]], 1e-11)
    at_once = Gram(kernel, X)
    close(np.array(list(at_once.rows(list(range(20))))), K[:20], 1e-11)  # made together, they cost little
    assert len(at_once._known) == 20 and len(at_once[30]) == len(at_once._known) == 80
    few = Gram(kernel, X, wanted=10)
    close(few[3], kernel(X)[3], 1e-11)
    assert list(few._known) == [3]


def test_rounding_lets_no_entry_of_a_gaussian_exceed_one():
    X = 1e7 * np.random.default_rng(0).standard_normal((60, 3))
    rows = Gram(Gaussian(1.0), np.vstack([X, X]))
    assert max(row.max() for row in rows.rows(list(range(120)))) == 1


def test_a_small_cache_changes_nothing(monkeypatch):
    X, _ = two_moons(60)
    for kernel in Gaussian(0.7), Polynomial(2):
        K = kernel(X)
        monkeypatch.setattr("kmlab.gram.MEMORY", 8 * 60 * 4)  # four rows
        rows = Gram(kernel, X)
        for index in [3], [1, 2, 4, 5, 6, 7], [0, 3]:
            close(np.array(list(rows.rows(index))), K[index], 1e-11)
            assert len(rows._known) <= 4
        monkeypatch.undo()
