"""Homework 3 of 001/p128: Fisher in the dual."""

import numpy as np
from scipy.linalg import eigh

from ...discriminant import fda_weights, scatter
from ...kernels import Gaussian
from .. import homework
from ..checking import LARGEST, SINGLE, Wrong, agree, as_numbers, matrix, value_of
from . import digest, pair, part


@part("3a", points=3)
def _weights(weights):
    rng = np.random.default_rng(31)
    weights_are_right(weights, rng.standard_normal((17, 3)), np.repeat([0, 1, 2], [3, 5, 9]))
    weights_are_right(weights, rng.standard_normal((14, 3)), rng.permutation(np.repeat([3, 4, 9], [1, 6, 7])))
    weights_are_right(weights, rng.standard_normal((11, 2)), rng.permutation(np.repeat([1, 7], [4, 7])))
    weights_are_right(weights, rng.standard_normal((25, 6)), rng.permutation(np.repeat([2, 5, 6, 8], [1, 5, 8, 11])))
    return True


def weights_are_right(weights, X, y):
    """XᵀLX with these weights is S_b and S_w."""
    n = len(X)
    W_b, W_w = (
        matrix(W, (n, n), name) for W, name in zip(pair(value_of(weights, y), "W_b, W_w"), ("W_b", "W_w"), strict=True)
    )
    S_b, S_w = class_scatters(X, y)
    got_b, got_w = scatter(X, W_b), scatter(X, W_w)
    if agree(got_b, S_w, at_least=1.0) and agree(got_w, S_b, at_least=1.0):
        raise Wrong("Between and within have changed places.")
    for got, want, name in (got_b, S_b, "ᵇ"), (got_w, S_w, "ʷ"):
        for factor, word in (2, "twice"), (0.5, "half"), (n, f"{n} times"), (1 / n, f"one {n}th of"):
            if agree(got, factor * want, at_least=1.0):
                raise Wrong(f"XᵀL{name}X is {word} the scatter matrix: a factor in W{name}.")
        off = np.abs(got - want).max()
        if not agree(got, want, at_least=1.0):
            raise Wrong(
                f"XᵀL{name}X differs from S_{'b' if name == 'ᵇ' else 'w'} by {off:.2g} on random data. "
                "Remember that classes have different sizes."
            )
    between, within = fda_weights(y)
    for got, want, name in (W_b, between, "ᵇ"), (W_w, within, "ʷ"):
        inner = ~np.eye(n, dtype=bool)  # the diagonal drops out of L
        if not np.abs((got - want)[inner]).max() <= SINGLE * np.abs(want).max():
            raise Wrong(f"XᵀL{name}X is right here, but W{name} is not the one of the lecture: is it symmetric?")


def class_scatters(X, y):
    """S_b and S_w as they are defined, by a loop over classes."""
    S_b, S_w = np.zeros((2, X.shape[1], X.shape[1]))
    for label in np.unique(y):
        members = X[y == label]
        shift = members.mean(0) - X.mean(0)
        S_b += len(members) * np.outer(shift, shift)
        S_w += (members - members.mean(0)).T @ (members - members.mean(0))
    return S_b, S_w


@part("3b", points=4)
def _dual(dual_matrices, to_dual):
    rng = np.random.default_rng(32)
    y = np.repeat([0, 1, 2], [6, 7, 9])
    dual_is_right(dual_matrices, to_dual, rng.standard_normal((22, 4)) + y[:, None], y)
    y = rng.permutation(np.repeat([1, 3, 4, 6], [6, 7, 8, 9]))
    dual_is_right(dual_matrices, to_dual, rng.standard_normal((30, 6)) + y[:, None] * [2, 0, 1, 0, 1, 0], y)
    return True


def dual_is_right(dual_matrices, to_dual, X, y):
    """K Lᵇ K α = λ K Lʷ K α for the α of every primal solution b, and the eigenvalues are the same."""
    n, W_b, W_w = len(X), *fda_weights(y)
    K = X @ X.T
    A, B = (
        matrix(M, (n, n), name)
        for M, name in zip(pair(value_of(dual_matrices, K, W_b, W_w), "A, B"), "AB", strict=True)
    )
    for got, W, name in (A, W_b, "A"), (B, W_w, "B"):
        if agree(got, K @ W @ K, at_least=1.0):
            raise Wrong(f"{name} is KWK; between the two K stands L = diag(W1) - W.")
        if not agree(got, scatter(K, W), at_least=1.0):
            raise Wrong(
                f"{name} is off by {np.abs(got - scatter(K, W)).max():.2g}: put b = Xᵀα into XᵀLX b, multiply "
                "by X from the left, and look for products that are K."
            )
    lam, directions = eigh(*class_scatters(X, y))
    for value, b in zip(lam[::-1][: len(np.unique(y)) - 1], directions.T[::-1], strict=False):
        alpha = matrix(value_of(to_dual, X, b), (n,), "alpha")
        off = np.abs(X.T @ alpha - b).max()
        if not off <= 10 * SINGLE * np.abs(b).max():
            raise Wrong(
                f"Xᵀα should be b and is off by {off:.2g}: these are d equations for n unknowns, of which any "
                "solution will do."
            )
        residual = np.abs(A @ alpha - value * B @ alpha).max() / np.abs(A @ alpha).max()
        if not residual <= 10 * SINGLE:
            raise Wrong(f"KLᵇKα = λKLʷKα holds only to {residual:.2g} for the λ = {value:.3g} of the primal.")


@part("3c", points=3)
def _no_width(no_width):
    rng = np.random.default_rng(33)
    y = rng.permutation(np.repeat([2, 3, 5], [5, 7, 9]))
    no_width_is_right(no_width, Gaussian(0.8)(rng.standard_normal((21, 2))), y)
    for labels in (7, 9), (4, 6):
        y = rng.permutation(np.repeat(labels, [12, 15]))
        no_width_is_right(no_width, Gaussian(0.8)(rng.standard_normal((27, 3))), y)
    return True


def no_width_is_right(no_width, K, y):
    """αᵀKLʷKα = 0 while αᵀKLᵇKα > 0."""
    alpha = matrix(value_of(no_width, K, y), (len(K),), "alpha")
    f = K @ alpha
    if not np.abs(f).max() > 1 / LARGEST:
        raise Wrong("Kα is zero: that is no direction at all.")
    f = f / np.abs(f).max()  # a direction may have any length
    W_b, W_w = fda_weights(y)
    size = np.sum((f - f.mean()) ** 2)
    if not size >= SINGLE**2 * np.sum(f**2):
        raise Wrong(
            "Kα is the same for every point: the denominator is 0, but so is the numerator. Let it be constant "
            "on each class, and different between them."
        )
    within, between = (scatter(f[:, None], W)[0, 0] / size for W in (W_w, W_b))
    if not within <= 1e-6:  # of a sum of squares
        raise Wrong(
            f"αᵀKLʷKα is {within:.2g} of the whole scatter and should be 0: Kα must not vary inside a class. "
            "Which values do you want Kα to have? K has an inverse."
        )
    if not between >= 0.5:
        raise Wrong("The numerator should be positive.")


@part("3d", points=1)
def _rank(rank):
    (value,) = as_numbers(rank, 1)
    if value != round(value):
        raise Wrong(f"A count is a whole number, which {value:g} is not.")
    if digest("rank", value) != homework.mine.rank:
        raise Wrong(
            "Kα may take any value at any point, K being invertible. How many independent vectors Kα are "
            "constant on each of the classes? These are what KLʷK sends to zero."
        )
    return True


@part("3e", points=3)
def _local(local_weights):
    rng = np.random.default_rng(35)
    for labels, sizes in ([2, 6], [5, 8]), ([3, 4, 7], [5, 7, 9]), ([1, 4, 5, 9], [1, 2, 4, 6]):
        y = rng.permutation(np.repeat(labels, sizes))
        nearness = np.exp(-np.square(rng.standard_normal((len(y), len(y)))))
        local_is_right(local_weights, y, (nearness + nearness.T) / 2)
    return True


def local_is_right(local_weights, y, A):
    n = len(y)
    same = y[:, None] == y
    for nearness, plain in (np.ones((n, n)), True), (A, False):
        got = [
            matrix(W, (n, n), name)
            for W, name in zip(pair(value_of(local_weights, y, nearness), "W_b, W_w"), ("W_b", "W_w"), strict=True)
        ]
        for W, want, name in zip(got, fda_weights(y), "ᵇʷ", strict=True):
            want = want if plain else np.where(same, nearness * want, want)
            difference = np.abs(W - want)
            np.fill_diagonal(difference, 0)  # which no scatter matrix sees, as in 3a
            off = difference.max()
            right = off <= SINGLE * np.abs(want).max()
            if not right and plain:
                raise Wrong(f"With A_ij = 1 everywhere, W{name} should be that of 3a; it is off by {off:.2g}.")
            if not right:
                across = difference[~same].max() > SINGLE * np.abs(want).max()
                why = (
                    ": pairs of different classes keep their weight, whatever A says."
                    if across
                    else " inside a class: there the whole entry of 3a is multiplied by A_ij."
                )
                raise Wrong(f"W{name} is off by {off:.2g}{why}")
