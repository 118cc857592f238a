"""Many classes by machines that tell two apart."""

from itertools import combinations

import numpy as np

from . import _checks as check
from ._bases import Classifier
from .platt import coupled, sigmoid

FOLDS = 5  # in which a machine is asked about points that it has not seen


class OneAgainstOne(Classifier):
    """A classifier of two classes made one of many: a machine for every pair of classes, and their votes.

    A subclass says in fit_two(X, y) what it learns from labels ±1, and in f(X) what it answers: > 0 means classes_[1].
    With more classes pairs_ holds (i, j, the machine of classes i and j, its rows of X).
    S. Knerr, L. Personnaz, G. Dreyfus, Single-layer learning revisited, 1990.
    """

    def accept(self, X, y=None):
        X, code = super().accept(X, y)
        if len(self.classes_) < 2:
            raise ValueError(f"y holds one class only, {self.classes_[0]}: a margin needs two, add points of another.")
        return X, code

    def fit_to(self, X, code):
        if len(self.classes_) == 2:
            return self.fit_two(X, 2.0 * code - 1)
        if self.kernel.pairwise:
            self.kernel(X)  # refuses what is no Gram matrix before it is taken apart
        self.pairs_ = [self._pair(X, code, i, j) for i, j in combinations(range(len(self.classes_)), 2)]
        self.converged_ = all(machine.converged_ for _, _, machine, _ in self.pairs_)
        self.n_iter_ = sum(machine.n_iter_ for _, _, machine, _ in self.pairs_)

    def _pair(self, X, code, i, j):
        rows = np.flatnonzero((code == i) | (code == j))
        machine = type(self)(**self.get_params(deep=False) | self.for_pair(i, j))
        return i, j, machine.fit(self.kernel.training_part(X, rows), code[rows]), rows

    def for_pair(self, i, j):
        """Parameters in which the machine of two classes differs."""
        return {}

    def _two_classes(self, X, y):
        """What shows its steps: an estimator that has seen nothing, X, and labels ±1."""
        new, (X, code) = self._prepared(X, y)
        if len(new.classes_) != 2:
            raise ValueError(f"Steps are shown for two classes, got {len(new.classes_)}: choose two of them.")
        return new, X, 2.0 * code - 1

    def decision_function(self, X):
        """f(x) for two classes, (m,); votes of the pairs, refined by their values, for more: (m, k)."""
        self._check_fitted()
        return self.f(X) if len(self.classes_) == 2 else self._votes(self._check_new(X))

    def _votes(self, X):
        votes, values = np.zeros((2, len(X), len(self.classes_)))
        for i, j, machine, rows in self.pairs_:
            f = machine.decision_function(self.kernel.new_part(X, rows))
            votes[np.arange(len(X)), np.where(f > 0, j, i)] += 1
            values[:, i] -= f
            values[:, j] += f
        return votes + values / (3 * (np.abs(values) + 1))  # less than half a vote: it only settles ties

    def predict(self, X):
        f = self.decision_function(X)
        return self.classes_[f.argmax(1) if f.ndim == 2 else (f > 0).astype(int)]

    def _probabilities(self, X):
        """Of every class, (m, k): from upper(X), the probability of classes_[1] that a machine of two sees; (m,)."""
        X, k = self._check_new(X), len(self.classes_)
        if k == 2:
            p = self.upper(X)
            return np.column_stack([1 - p, p])
        R = np.zeros((len(X), k, k))
        for i, j, machine, rows in self.pairs_:
            R[:, j, i] = machine.upper(self.kernel.new_part(X, rows))
            R[:, i, j] = 1 - R[:, j, i]
        return coupled(R)

    def _on_grid(self, xs, ys):
        """The kernel sum on a grid of 2-d points, two classes; -> (len(ys), len(xs))."""
        self._check_fitted()
        if len(self.classes_) > 2:
            raise ValueError("A grid shows one boundary: use pairs_[i][2].on_grid for each pair of classes.")
        return self._sum_on_grid(xs, ys)


def held_out_sigmoid(machine, X, y, rng):
    """The sigmoid of a machine's answers for points that it has not seen, each in one of five folds; y (n,) of ±1."""
    fold, f = np.empty(len(y), int), np.empty(len(y))
    for label in (-1, 1):
        rows = rng.permutation(np.flatnonzero(y == label))
        fold[rows] = np.arange(len(rows)) % FOLDS
    for each in range(fold.max() + 1):
        seen, new = np.flatnonzero(fold != each), np.flatnonzero(fold == each)
        if len(np.unique(y[seen])) < 2:  # the only point of a class is among the others
            f[new] = y[seen][0] if len(seen) else 0.0
            continue
        part, cross = (machine.kernel.training_part(X, seen), machine.kernel.new_part(X[new], seen))
        f[new] = machine.fit(part, y[seen]).decision_function(cross)
    return sigmoid(f, y)


def class_weights(value, name):
    """None, "balanced", or {label: weight}."""
    if isinstance(value, dict):
        return {label: check.positive(weight, f"The weight of class {label}") for label, weight in value.items()}
    if value is not None and not (isinstance(value, str) and value == "balanced"):
        raise ValueError(f"{name} must be None, 'balanced' or {{label: weight}}, got {value!r}.")
    return value


def weight_of_each(given, classes, code):
    """A weight for each class, (k,): n / (k n_c) if balanced, and 1 where nothing is said."""
    if given is None:
        return np.ones(len(classes))
    if isinstance(given, str):
        return len(code) / (len(classes) * np.bincount(code))
    if unknown := [label for label in given if label not in classes]:
        names = ", ".join(map(str, classes))
        raise ValueError(f"class_weight names {unknown[0]}, which is no class of y: the classes are {names}.")
    return np.array([given.get(label, 1.0) for label in classes.tolist()])
