"""What the methods for many rows share: data seen as Rows, by the features of a map that is fitted with them."""

import numpy as np

from . import _checks as check
from ._bases import Estimator
from .engine.blocks import Rows, by_blocks
from .engine.lazy import is_lazy
from .engine.tiles import in_strips


def feature_map(value, name):
    """None, or a map such as Nystroem(Gaussian(2.0), 300): what has fit and transform."""
    if value is not None and (isinstance(value, type) or not hasattr(value, "transform")):
        raise TypeError(f"{name} must be None or a map such as Nystroem(Gaussian(1.0), 300), got {value!r}.")
    return value


class InRows(Estimator):
    """An estimator that sees its data as Rows. `features` makes of every row its features, some rows at a time."""

    def accept(self, X, y=None):
        return (Rows.of(X) or Rows(*super().accept(X, y)),)

    def _answers(self, X, answer, width=None, dtype=float):
        """answer(Z) for the features of every row, some rows at a time; of a Dask array when it is computed."""
        self._check_fitted()
        if is_lazy(X):
            whole = check.same_features(X, self.n_features_in_, self)
            return by_blocks(lambda B: self._answers(B, answer, width, dtype), whole, width, dtype)
        X = check.same_features(X, self.n_features_in_, self) if isinstance(X, np.memmap) else self._check_new(X)
        return in_strips(lambda B: answer(self._features_of(check.matrix(B))), X, 2 * self._n_features)

    def _features_of(self, X):
        return X if self.features_ is None else self.features_.transform(X)

    def _rows(self, rows):
        """The rows by their features; the map is fitted here."""
        rows, self.features_ = rows.through(self.features)
        self._n_features, self._name = rows.width, type(self).__name__ if self.progress else ""
        return rows
