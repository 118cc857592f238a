"""Two other ways to bend a line through data: a principal curve and an autoencoder."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Stepwise, Transformer, warn_not_converged
from .engine.distances import sqdist
from .engine.tiles import in_strips
from .gram import largest

SWAYS = 0.01  # a curve whose last ten distances differ by less than this share sways around its place
SETTLED = 1e-4  # a mean squared distance that changes by less than this share of itself


class CurveStep(NamedTuple):
    """One round: the points of the curve in order, the arc length of every sample, and how far the samples are."""

    knots: np.ndarray  # (n, d)
    arc: np.ndarray  # (n,)
    distance2: float


class PrincipalCurve(Stepwise, Transformer):
    """A curve that runs through the middle of the data: f(λ) = E[x | λ_f(x) = λ]                       (PC.1)

    Repeated from the first principal axis on: project every point on the curve, which gives its arc length λ; smooth
    each coordinate against λ by local straight lines over the share `span` of the points, weighted by (1 - u³)³  (PC.2)
    A span far above 1 weights all points alike: one straight line.

    knots_ (n, d) in order, arc_ (n,) their arc lengths, distance2_ the mean squared distance of the data.
    T. Hastie, W. Stuetzle, Principal curves, JASA 84, 1989.  Page 004/s27.
    """

    span: check.positive = 0.3
    max_steps: check.count = 50

    def fit_to(self, X):
        end = self.run_steps(self.each_step(X), "raise max_steps, or choose a larger span", before=1)
        self.knots_, self.distance2_ = end.knots, end.distance2
        self.arc_ = _arc_lengths(end.knots)

    def each_step(self, X):
        """The first axis, then every round, until the mean squared distance has settled."""
        knots, past = _on_first_axis(X), [np.inf]
        for _ in range(1 + self.max_steps):
            arc, nearest = project_on_polygon(X, knots)
            distance2 = float(((X - nearest) ** 2).sum(1).mean())
            yield CurveStep(knots, arc, distance2)
            if abs(past[-1] - distance2) <= SETTLED * distance2:
                return True
            order = np.argsort(arc, kind="stable")
            knots = _smooth(arc[order], X[order], self.span)  # (PC.1)
            past.append(distance2)
        return np.ptp(past[-10:]) <= SWAYS * past[-1]  # it need not settle: points may change their order for ever

    def transform(self, X):  # (m, d) -> (m, 1), arc lengths
        arc = in_strips(lambda B: project_on_polygon(B, self.knots_)[0], self._check_new(X), 5 * len(self.knots_))
        return arc[:, None]

    def inverse_transform(self, Z):  # (m, 1) -> (m, d), points on the curve
        self._check_fitted()
        Z = check.matrix(Z, "Z")
        if Z.shape[1] != 1:
            raise ValueError(f"Z has {Z.shape[1]} columns, but a place on a curve is one number, its arc length.")
        return np.column_stack([np.interp(Z[:, 0], self.arc_, column) for column in self.knots_.T])

    def reconstruct(self, X):
        """The nearest point of the curve; (m, d) -> (m, d)."""
        return in_strips(lambda B: project_on_polygon(B, self.knots_)[1], self._check_new(X), 5 * len(self.knots_))


class Autoencoder(Transformer):
    """A network d - h - k - h - d that learns to repeat its input through a bottleneck of k numbers     (AE.1)

    Hidden layers are tanh (or straight, with linear=True, which is PCA), bottleneck and output are straight; squared
    error, minimised by L-BFGS with the gradient from back propagation (AE.2) from `restarts` random starts.

    error_ the mean squared error, best of all starts.  M. Kramer, AIChE Journal 37, 1991.  Page 004/s27.
    """

    n_components: check.count = 1
    hidden: check.count = 8
    linear: check.flag = False
    restarts: check.count = 3
    max_steps: check.count = 300
    seed: check.seed = 0

    def fit_to(self, X):
        from scipy.optimize import minimize  # here, because it takes longer to load than the rest

        d, h, k = X.shape[1], self.hidden, self.n_components
        self.shapes_ = [(d, h), (h, k), (k, h), (h, d)]
        self.mean_, self.scale_ = X.mean(0), np.sqrt(X.var(0).mean()) or 1.0
        S, rng = (X - self.mean_) / self.scale_, check.seeded(self.seed)
        how = {"method": "L-BFGS-B", "jac": True, "tol": 1e-10, "options": {"maxiter": self.max_steps, "maxcor": 20}}
        ends = []
        for _ in range(self.restarts):
            start = np.concatenate([rng.normal(0, 1 / np.sqrt(a), (a + 1) * b) for a, b in self.shapes_])
            ends.append(minimize(self.error_and_gradient, start, (S,), **how))
        best = min(ends, key=lambda end: end.fun)
        self.weights_, self.error_ = best.x, best.fun * self.scale_**2
        self.n_iter_, self.converged_ = best.nit, bool(best.success)
        if not self.converged_:
            warn_not_converged(self, "raise max_steps, or ask for fewer hidden units")

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


def _on_first_axis(X):
    """The points moved to the nearest place on their first principal axis, in its order; (n, d) -> (n, d)."""
    axis = largest(np.cov(X.T, bias=True).reshape(X.shape[1], -1), 1)[1]
    if axis.shape[1] == 0:
        raise ValueError("The points of X do not differ, so no curve runs through them: vary the data.")
    return X.mean(0) + np.sort((X - X.mean(0)) @ axis, axis=0) @ axis.T


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
