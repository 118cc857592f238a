"""Many classes by machines that tell two apart."""

from itertools import combinations

import numpy as np

from ._bases import Classifier


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
        machine = type(self)(**self.get_params(deep=False))
        return i, j, machine.fit(self.kernel.training_part(X, rows), code[rows]), rows

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
