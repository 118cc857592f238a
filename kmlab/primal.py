"""Ridge, margins and principal components in the primal: for many rows with few features, such as those of Nystroem.

Everything is a sum over rows, so the rows may be anywhere: in an array, in a file, or spread over a Dask cluster. What
comes together in one place is of the size of the features.
"""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Classifier, Stepwise, Transformer, warn_not_converged
from ._in_rows import InRows, feature_map
from ._sums import r_squared
from .engine.blocks import Rows
from .engine.eigen import RANK_TOL
from .engine.lazy import in_blocks
from .gram import largest

SHORTEST = 1e-10  # a step that is halved so often leads nowhere
ARRIVED = 1e-10  # a step that is shorter than this share of v is rounding


class PrimalRidge(InRows):
    """min Σ (t_i - wᵀz_i - b)² + λ|w|²:   w = (ZᵀZ + λI)⁻¹ Zᵀt: KernelRidge by landmarks, if z are theirs  (SCALE.9)

    intercept=True   the same with z and t less their means: b costs nothing; otherwise b = 0
    w_ (r,), b_, features_ the fitted map.
    """

    _estimator_type = "regressor"

    lam: check.positive = 1.0
    intercept: check.flag = False
    features: feature_map = None
    progress: check.flag = False

    def accept(self, X, y=None):
        if rows := Rows.of(X, check.given(y, self)):
            return (rows,)
        X = check.matrix(X, min_samples=self.min_samples)
        return (Rows(X, check.moderate(check.vector(y, "y", len(X)), "The entries of y")),)

    def fit_to(self, rows):
        rows, r = (rows := self._rows(rows)), rows.width
        _, mean, S = moments(rows, self.intercept, self._name)
        S.flat[: r * (r + 2) : r + 2] += self.lam
        self.w_ = solved(S[:r, :r], S[:r, r], "lam is lost beside the squares of this data: scale it, or raise lam.")
        self.b_ = float(mean[r] - mean[:r] @ self.w_)  # (SCALE.9)

    def predict(self, X):
        return self._answers(X, lambda Z: Z @ self.w_ + self.b_)

    def score(self, X, y, sample_weight=None):
        """R², the share of the variance of y that is explained."""
        if not in_blocks(X, sample_weight):
            f = self.predict(X)
            return r_squared(f, check.targets(check.given(y, self), len(f), 1), check.weights(sample_weight, len(f)))
        rest, whole = self.accept(X, y)[0].errors(self.predict)
        return float(1 - rest / whole) if whole > 0 else float(rest == 0)


class PrimalPCA(InRows, Transformer):
    """C v = (λ/n) v with C = ZcᵀZc / n, from sums over rows: kernel PCA by landmarks, if z are theirs     (SCALE.10)

    components_ (k, r), mean_ (r,), lam_ (k,), explained_variance_ (k,) and its share of the whole, features_ the map.
    """

    n_components: check.optional(check.count) = None
    features: feature_map = None
    progress: check.flag = False

    def fit_to(self, rows):
        n, self.mean_, S = moments(self._rows(rows), True, self._name)
        self.lam_, V = largest(S, self.n_components, floor=RANK_TOL * np.trace(S))  # (SCALE.10)
        if len(self.lam_) < (self.n_components or 1):
            raise ValueError(f"The features of X vary in {len(self.lam_)} directions only: ask for no more components.")
        self.components_, self.explained_variance_ = V.T, self.lam_ / n
        self.explained_variance_ratio_ = self.lam_ / np.trace(S)

    def transform(self, X):  # (m, d) -> (m, k)
        return self._answers(X, lambda Z: (Z - self.mean_) @ self.components_.T, len(self.lam_))


class NewtonStep(NamedTuple):
    """w and b after a step, the objective, and which share of the rows lies within the margin."""

    w: np.ndarray
    b: float
    objective: float
    inside: float


class PrimalSVC(Stepwise, InRows, Classifier):
    """min ½|w|² + C Σ (1 - y_i (wᵀz_i + b))₊²: SVC(Linear(), C, slack=2) for many rows and few features    (SCALE.7)

    Newton's method: on the rows A within the margin it is a ridge problem in as many unknowns as there are features,
    (½I + C Z_AᵀZ_A) w = C Z_Aᵀ(y_A - b), and b free. When A repeats, the optimum is reached               (SCALE.8)

    More than two classes: each against the rest, and the largest wᵀz + b wins; all of them from the same passes.
    w_ (r,), b_, objective_, n_iter_, converged_, features_ the fitted map; with k classes w_ (k, r), b_ (k,).
    O. Chapelle, Training a support vector machine in the primal, Neural Computation 19, 2007.
    """

    C: check.positive = 1.0
    max_steps: check.count = 100
    features: feature_map = None
    progress: check.flag = False

    def accept(self, X, y=None):
        if rows := Rows.of(X, check.given(y, self)):
            self.classes_ = rows.classes()
        else:
            X, code = Classifier.accept(self, X, y)
            rows = Rows(X, self.classes_[code])
        if len(self.classes_) < 2:
            raise ValueError(f"y holds one class only, {self.classes_[0]}: two are needed, add another.")
        return (rows,)

    def fit_to(self, rows):
        self.converged_ = False
        for count, step in enumerate(self.each_step(rows), 1):
            self.n_iter_, end = count, step
        self.w_, self.b_, self.objective_, _ = end
        if not self.converged_:
            warn_not_converged(self, "raise max_steps, scale the features or lower C")

    def each_step(self, rows):
        """The steps of Newton's method; the objective falls in each. Of many rows a few say where it begins."""
        rows, k = self._rows(rows), len(self.classes_)
        self._origin = rows.near_middle(of_targets=False)  # for b: far from zero it would be lost beside the squares
        V = np.zeros((k if k > 2 else 1, rows.width + 1))  # a row (w, b) for every machine
        if (few := rows.some()) and len(np.unique(few.y)) == k:
            *_, (V, _, _) = self._newton(few, V, self.C * rows.n / few.n)
        for machines, value, inside in self._newton(rows, V, self.C, self._name):
            w, b = machines[:, :-1], machines[:, -1]
            step = NewtonStep(w, b - w @ self._origin, value, inside)
            yield step if k > 2 else NewtonStep(*(part[0] for part in step))

    def _newton(self, rows, V, C, name=""):
        value, H, g, *_ = margin_cost(rows, V, C, self, name)
        for _ in range(self.max_steps):
            D = ridge_on_active(H, g, C) - V  # (SCALE.8)
            size = np.ones((len(V), 1))
            while True:  # the full step can jump over the minimum when many rows change sides
                new, H, g, inside, n = margin_cost(rows, V + size * D, C, self, name)
                uphill = (new > value * (1 + 1e-12)) & (size[:, 0] > SHORTEST)
                if not uphill.any():
                    break
                size[uphill] /= 2
            V, value = V + size * D, np.minimum(new, value)
            yield V, value, inside / n
            self.converged_ = bool((np.abs(ridge_on_active(H, g, C) - V).max(1) <= ARRIVED * np.abs(V).max(1)).all())
            if self.converged_ or size.max() <= SHORTEST:
                return

    def decision_function(self, X):
        """wᵀz + b, > 0 for classes_[1]; (m,), and (m, k) for k > 2 classes."""
        self._check_fitted()
        return self._answers(X, self._f, len(self.w_) if np.ndim(self.b_) else None)

    def _f(self, Z):
        return Z @ self.w_.T + self.b_

    def predict(self, X):
        self._check_fitted()

        def answer(Z):
            f = self._f(Z)
            return self.classes_[f.argmax(1) if f.ndim == 2 else (f > 0).astype(int)]

        return self._answers(X, answer, dtype=self.classes_.dtype)

    def score(self, X, y, sample_weight=None):
        """The share of right answers."""
        if not in_blocks(X, sample_weight):
            return Classifier.score(self, X, y, sample_weight)
        self._check_fitted()
        return Rows.of(X, check.given(y, self)).share_right(self.predict)


# sums over rows, each in one pass


def moments(rows, center, name):
    """n, the mean of (z, y), and Σ (z, y)(z, y)ᵀ, with `center` less the mean."""
    origin = rows.near_middle() if center else 0.0  # about the mean: what is left of it later cancels little
    n, s, S = rows.total(moments_of, origin, name=name)
    return (n, origin + s / n, S - np.outer(s, s) / n) if center else (n, np.zeros_like(s), S)


def moments_of(Z, y, origin):
    A = (Z if y is None else np.column_stack([Z, check.vector(y)])) - origin
    return len(A), A.sum(0), A.T @ A


def margin_cost(rows, V, C, model, name):
    """Of every machine (w, b) in V: ½|w|² + C Σ (1 - y_i f_i)₊²; AᵀA, Aᵀy of the rows A = (z, 1) within its margin."""
    slack, *sums = rows.total(margin_sums, V, model._origin, model.classes_, name=name)
    return 0.5 * (V[:, :-1] ** 2).sum(1) + C * slack, *sums  # (SCALE.7)


def margin_sums(Z, y, V, origin, classes):
    A = np.column_stack([Z - origin, np.ones(len(Z))])
    right = classes[1:] if len(classes) == 2 else classes
    Y = np.where(np.asarray(y)[:, None] == right, 1.0, -1.0)
    slack = np.maximum(1 - Y * (A @ V.T), 0)
    active = [(A[inside], sign[inside]) for inside, sign in zip((slack > 0).T, Y.T, strict=True)]
    H, g = (np.stack(parts) for parts in zip(*((B.T @ B, s @ B) for B, s in active), strict=True))
    return (slack**2).sum(0), H, g, (slack > 0).sum(0), len(Z)


def ridge_on_active(H, g, C):
    """v = (w, b) with (½I + C Z_AᵀZ_A) w = C Z_Aᵀ(y_A - b), b free, of every machine."""
    H, r = H.copy(), H.shape[1] - 1
    H[:, range(r), range(r)] += 0.5 / C  # on w, not on b
    lost = "The length of w is lost beside the squares of this data: scale it, or lower C."
    return solved(H, g[..., None], lost)[..., 0]


def solved(H, g, lost):
    try:
        return np.linalg.solve(H, g)
    except np.linalg.LinAlgError:
        raise ValueError(lost) from None
