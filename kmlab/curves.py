"""Two other ways to bend a line through data: a principal curve and an autoencoder."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Transformer
from .engine.distances import sqdist
from .gram import largest


class CurveStep(NamedTuple):
    """One round: the points of the curve in order, the arc length of every sample, and how far the samples are."""

    knots: np.ndarray  # (n, d)
    arc: np.ndarray  # (n,)
    distance2: float


class PrincipalCurve(Transformer):
    """A curve that runs through the middle of the data: f(λ) = E[x | λ_f(x) = λ]                       (PC.1)

    Repeated from the first principal axis on: project every point on the curve, which gives its arc length λ; smooth
    each coordinate against λ by local straight lines over the share `span` of the points, weighted by (1 - u³)³  (PC.2)
    A span far above 1 weights all points alike: one straight line.

    knots_ (n, d) in order, arc_ (n,) their arc lengths, distance2_ the mean squared distance of the data.
    T. Hastie, W. Stuetzle, Principal curves, JASA 84, 1989.  Page 004/s27.
    """

    def __init__(self, span=0.3, max_rounds=50):
        self.span = span
        self.max_rounds = max_rounds

    def steps(self, X):
        """The first axis, then every round, until the mean squared distance has settled."""
        X = check.matrix(X, min_samples=2)
        span = check.positive(self.span, "span")
        axis = largest(np.cov(X.T, bias=True).reshape(X.shape[1], -1), 1)[1]
        if axis.shape[1] == 0:
            raise ValueError("The points of X do not differ, so no curve runs through them: vary the data.")
        knots, old = X.mean(0) + np.sort((X - X.mean(0)) @ axis, axis=0) @ axis.T, np.inf
        for _ in range(1 + check.count(self.max_rounds, "max_rounds")):
            arc, nearest = project_on_polygon(X, knots)
            distance2 = float(((X - nearest) ** 2).sum(1).mean())
            yield CurveStep(knots, arc, distance2)
            if abs(old - distance2) <= 1e-4 * distance2:
                return
            order = np.argsort(arc, kind="stable")
            knots, old = _smooth(arc[order], X[order], span), distance2  # (PC.1)

    def fit(self, X, y=None):
        for step in self.steps(X):
            self.knots_, self.distance2_ = step.knots, step.distance2
        self.arc_ = _arc_lengths(self.knots_)
        self.n_features_in_ = self.knots_.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, 1), arc lengths
        return project_on_polygon(self._check_new(X), self.knots_)[0][:, None]

    def inverse_transform(self, Z):  # (m, 1) -> (m, d), points on the curve
        self._check_fitted()
        Z = check.matrix(Z, "Z")
        if Z.shape[1] != 1:
            raise ValueError(f"Z has {Z.shape[1]} columns, but a place on a curve is one number, its arc length.")
        return np.column_stack([np.interp(Z[:, 0], self.arc_, column) for column in self.knots_.T])

    def reconstruct(self, X):
        """The nearest point of the curve; (m, d) -> (m, d)."""
        return project_on_polygon(self._check_new(X), self.knots_)[1]


class Autoencoder(Transformer):
    """A network d - h - k - h - d that learns to repeat its input through a bottleneck of k numbers     (AE.1)

    Hidden layers are tanh (or straight, with linear=True, which is PCA), bottleneck and output are straight; squared
    error, minimised by L-BFGS with the gradient from back propagation (AE.2) from `restarts` random starts.

    error_ the mean squared error, best of all starts.  M. Kramer, AIChE Journal 37, 1991.  Page 004/s27.
    """

    def __init__(self, n_components=1, hidden=8, linear=False, restarts=3, max_rounds=300, seed=0):
        self.n_components = n_components
        self.hidden = hidden
        self.linear = linear
        self.restarts = restarts
        self.max_rounds = max_rounds
        self.seed = seed

    def fit(self, X, y=None):
        from scipy.optimize import minimize  # here, because it takes longer to load than the rest

        X = check.matrix(X, min_samples=2)
        d, h, k = X.shape[1], check.count(self.hidden, "hidden"), check.count(self.n_components, "n_components")
        self.shapes_ = [(d, h), (h, k), (k, h), (h, d)]
        self.mean_, self.scale_ = X.mean(0), np.sqrt(X.var(0).mean()) or 1.0
        S, rng = (X - self.mean_) / self.scale_, check.seeded(self.seed)
        options = {"maxiter": check.count(self.max_rounds, "max_rounds"), "maxcor": 20}
        best = None
        for _ in range(check.count(self.restarts, "restarts")):
            start = np.concatenate([rng.normal(0, 1 / np.sqrt(a), (a + 1) * b) for a, b in self.shapes_])
            found = minimize(self.error_and_gradient, start, (S,), "L-BFGS-B", jac=True, options=options, tol=1e-10)
            best = found if best is None or found.fun < best.fun else best
        self.weights_, self.error_ = best.x, best.fun * self.scale_**2
        self.n_features_in_ = d
        return self

    def transform(self, X):  # (m, d) -> (m, k), the bottleneck
        return self._layers(self.weights_, self._scaled(X))[2]

    def inverse_transform(self, Z):  # (m, k) -> (m, d)
        self._check_fitted()
        Z = check.matrix(Z, "Z")
        if Z.shape[1] != self.shapes_[1][1]:
            raise ValueError(f"Z has {Z.shape[1]} columns for {self.shapes_[1][1]} numbers in the bottleneck.")
        (C, c), (D, e) = self._unpack(self.weights_)[2:]
        return self.mean_ + self.scale_ * (self._bend(Z @ C + c) @ D + e)

    def reconstruct(self, X):
        """What comes out for X; (m, d) -> (m, d)."""
        return self.inverse_transform(self.transform(X))

    def error_and_gradient(self, weights, X):
        """Mean squared error of the network on X and its gradient in all weights, layer by layer backwards   (AE.2)"""
        layers = self._layers(weights, X)
        error = layers[-1] - X
        slope, parts = 2 * error / len(X), []
        for i, (W, _) in reversed(list(enumerate(self._unpack(weights)))):
            if i in (0, 2) and not self.linear:
                slope = slope * (1 - layers[i + 1] ** 2)
            parts = [(layers[i].T @ slope).ravel(), slope.sum(0), *parts]
            slope = slope @ W.T
        return (error**2).sum() / len(X), np.concatenate(parts)

    def _layers(self, weights, X):
        layers = [X]
        for i, (W, b) in enumerate(self._unpack(weights)):
            out = layers[-1] @ W + b
            layers.append(self._bend(out) if i in (0, 2) else out)  # (AE.1)
        return layers

    def _bend(self, A):
        return A if self.linear else np.tanh(A)

    def _unpack(self, weights):
        parts = np.split(weights, np.cumsum([size for a, b in self.shapes_ for size in (a * b, b)])[:-1])
        return [(W.reshape(shape), b) for shape, W, b in zip(self.shapes_, parts[::2], parts[1::2], strict=True)]

    def _scaled(self, X):
        return (self._check_new(X) - self.mean_) / self.scale_


def project_on_polygon(X, knots):
    """Arc length and place of the point of the polygon that is nearest to each row of X; (m, d) -> (m,), (m, d)."""
    A, D = knots[:-1], np.diff(knots, axis=0)
    size = (D**2).sum(1)
    along = X @ D.T - (A * D).sum(1)  # ⟨x - a, d⟩ for every point and segment
    t = np.clip(along / np.where(size > 0, size, 1), 0, 1)  # between the ends of the segment
    i = (sqdist(X, A) + t * (t * size - 2 * along)).argmin(1)
    t = t[np.arange(len(X)), i]
    return _arc_lengths(knots)[i] + t * np.sqrt(size[i]), A[i] + t[:, None] * D[i]


def _arc_lengths(knots):
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(knots, axis=0), axis=1))])


def _smooth(arc, X, span):
    """A weighted straight line around each arc length, evaluated there; arc (n,) ascending, X (n, d) -> (n, d)."""
    away = np.abs(arc[:, None] - arc)
    wanted = min(max(int(np.ceil(span * len(arc))), 3), len(arc))
    reach = np.partition(away, wanted - 1, axis=1)[:, wanted - 1] * max(span, 1.0)
    # beyond an end of the curve many points share one arc length: then only they count
    reach = np.maximum(reach, 1e-9 * arc[-1] or 1.0)
    weight = (1 - np.minimum(away / reach[:, None], 1) ** 3) ** 3  # (PC.2)
    weight /= weight.sum(1, keepdims=True)
    center, mean = weight @ arc, weight @ X
    spread = (weight * (arc - center[:, None]) ** 2).sum(1)
    slope = (weight * (arc - center[:, None])) @ X / np.where(spread > (1e-9 * arc[-1]) ** 2, spread, np.inf)[:, None]
    return mean + slope * (arc - center)[:, None]
