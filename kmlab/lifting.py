"""Ways to lift data to where a line is enough: the Bayes map, random maps, a hidden layer, a committee of stumps."""

from math import comb
from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Stepwise, TwoClasses, warn_not_converged
from .features import frequencies
from .kernels import Gaussian

MOST_DECAY = 1e6  # a hundred thousand times what makes every weight vanish
PERFECT = 1e-12  # a smaller error counts as this one: a perfect stump would have an infinite say


def log_ratio(X, means, covs, prior=0.5):
    """log p(x | +1) P(+1) / (p(x | -1) P(-1)) for Gaussian classes; (n, d) -> (n,)                      (LIFT.1)

    means and covs are pairs, class -1 first; prior = P(+1). Bayes decides for +1 where it is positive.  Page 003/s10.
    """
    X, prior = check.matrix(X), check.share(prior, "prior")
    for pair, name in (means, "means"), (covs, "covs"):
        if np.ndim(pair) == 0 or len(pair) != 2:
            raise ValueError(f"{name} must be a pair, that of class -1 and that of class +1, got {pair!r}.")
    negative, positive_ = (_log_gaussian(X, m, C) for m, C in zip(means, covs, strict=True))
    return positive_ - negative + np.log(prior / (1 - prior))


def bayes_map(X, means, covs, prior=0.5, log=True):
    """Φ(x) = (x, log ratio): the plane w = (0, ..., 0, 1), b = 0 is the best decision there is; (n, d) -> (n, d + 1)

    log=False takes the ratio itself, as 003/s10 does, and then b = -1.
    """
    L = log_ratio(X, means, covs, prior)
    return np.column_stack([check.matrix(X), L if check.flag(log, "log") else np.exp(L)])


def cover_count(n, k):
    """2 Σ_{i<k} (n-1 choose i): labellings of n points in k dimensions that a plane through 0 separates   (LIFT.2)

    For points in general position. With b, k is the dimension plus one.
    T. Cover, Geometrical and statistical properties of systems of linear inequalities, 1965.  Page 003/s13.
    """
    n, k = check.count(n, "n"), check.count(k, "k")
    return 2 * sum(comb(n - 1, i) for i in range(k))


def separating_plane(X, y, affine=True):
    """(w, b) with y_i (wᵀx_i + b) > 0 for all i, or None if no plane does that; b = 0 unless affine

    Either such a plane exists, or 0 is a mixture of the a_i = y_i (x_i, 1): Σ u_i a_i = 0, u ≥ 0, Σ u_i = 1.  (LIFT.3)
    The mixture nearest to 0 decides, and if it is not 0, it is the plane: w = Σ u_i a_i.  P. Gordan, 1873.
    """
    from scipy.optimize import nnls

    X, affine = check.matrix(X), check.flag(affine, "affine")
    y = check.signs(y, len(X))
    size = np.abs(X).max() or 1.0
    A = y[:, None] * np.column_stack([X / size, np.full(len(X), float(affine))])
    u, _ = nnls(np.vstack([A.T, np.ones(len(A))]), np.append(np.zeros(A.shape[1]), 1.0))  # (LIFT.3)
    w = u @ A
    return (w[:-1] / size, float(w[-1])) if (A @ w).min() > 1e-10 else None


def is_separable(X, y, affine=True):
    """Is there a plane (through 0 unless affine) with y = +1 on one side and y = -1 on the other?  Page 003/s9."""
    return separating_plane(X, y, affine) is not None


def random_map(X, k, kind="cosine", width=1.0, seed=0):
    """k random features, ω ~ N(0, 2/width² I), c uniform on [0, 2π]; (n, d) -> (n, k)                     (LIFT.4)

    cosine   √(2/k) cos(ωᵀx + c), whose inner products tend to the Gaussian kernel of this width
    tanh     tanh(ωᵀx + c - π)
    linear   ωᵀx, which adds no dimension at all.  Page 003/s13.
    """
    X, rng, k = check.matrix(X), check.seeded(seed), check.count(k, "k")
    check.one_of(kind, ("cosine", "tanh", "linear"), "kind")
    omega = frequencies(Gaussian(width), X.shape[1], k, rng).T  # more k keep the first ones
    phase = 2 * np.pi * rng.spawn(1)[0].random(k)
    if kind == "linear":
        return X @ omega
    return np.sqrt(2 / k) * np.cos(X @ omega + phase) if kind == "cosine" else np.tanh(X @ omega + phase - np.pi)


class MLP(TwoClasses):
    """f(x) = vᵀ tanh(Wx + c) + b: a hidden layer that is learned, then a line                              (LIFT.5)

    min mean log(1 + exp(-y f(x))) + ½ decay |weights|², by L-BFGS with the analytic gradient               (LIFT.6)
    activations gives the hidden units, (n, d) -> (n, hidden). loss_ of the best start.  Page 003/s11.
    """

    hidden: check.count = 4
    decay: check.non_negative = 1e-3
    restarts: check.count = 3
    max_steps: check.count = 15_000
    seed: check.seed = 0
    min_samples = 1

    def fit_to(self, X, y):
        from scipy.optimize import minimize

        if self.decay > MOST_DECAY:
            raise ValueError(f"decay must be at most {MOST_DECAY:g}, got {self.decay:g}: beyond, no weight is left.")
        d, rng, how = X.shape[1], check.seeded(self.seed), {"maxiter": self.max_steps, "maxfun": 10 * self.max_steps}
        center, spread = X.mean(0), np.where(X.std(0) > 0, X.std(0), 1.0)
        data, ends = ((X - center) / spread, y, self.hidden, self.decay), []
        for _ in range(self.restarts):
            start = rng.standard_normal(self.hidden * (d + 2) + 1)
            ends.append(minimize(mlp_loss, start, data, jac=True, method="L-BFGS-B", options=how))
        best = min(ends, key=lambda end: end.fun)
        W, c, self.v_, self.b_ = _unpack(best.x, d, self.hidden)
        self.W_ = W / spread  # in units of the data as it came
        self.c_ = c - self.W_ @ center
        self.loss_ = float(best.fun)
        self.n_iter_, self.converged_ = best.nit, bool(best.success)
        if not self.converged_:
            warn_not_converged(self, "raise max_steps or decay")

    def activations(self, X):
        return np.tanh(self._check_new(X) @ self.W_.T + self.c_)

    def decision_function(self, X):
        return self.activations(X) @ self.v_ + self.b_  # (LIFT.5)


def mlp_loss(theta, X, y, hidden, decay):
    """The loss (LIFT.6) and its gradient; theta holds W, c, v and b one after the other."""
    W, c, v, b = _unpack(theta, X.shape[1], hidden)
    H = np.tanh(X @ W.T + c)
    m = y * (H @ v + b)
    loss = np.logaddexp(0, -m).mean() + 0.5 * decay * theta @ theta  # (LIFT.6)
    df = -y * np.exp(-np.logaddexp(0, m)) / len(y)
    dA = df[:, None] * v * (1 - H**2)  # back through tanh
    return loss, np.concatenate([(dA.T @ X).ravel(), dA.sum(0), H.T @ df, [df.sum()]]) + decay * theta


class Round(NamedTuple):
    """One round of boosting: the stump, its weighted error, its say, and the points' weights for the next round."""

    feature: int
    threshold: float
    side: int  # the stump answers `side` above the threshold, -side below
    error: float
    say: float
    weights: np.ndarray  # (n,)


class AdaBoostStumps(Stepwise, TwoClasses):
    """f(x) = Σ_t say_t h_t(x), h_t = ±1 on the two sides of a threshold on one feature                      (LIFT.7)

    say = ½ log((1 - ε)/ε), weights ∝ weights · exp(-say y h): the next stump looks where this one was wrong  (LIFT.8)
    The share of training mistakes is at most Π_t 2√(ε_t(1 - ε_t)) = mean exp(-y f).
    rounds_, a list of Round.  Y. Freund, R. Schapire, A decision-theoretic generalization of on-line learning, 1997.
    Page 003/s12.
    """

    rounds: check.count = 50
    min_samples = 1

    def fit_to(self, X, y):
        self.rounds_ = list(self.each_step(X, y))

    def each_step(self, X, y):
        """The rounds, until a stump is right about everything or no better than a guess."""
        order = np.argsort(X, axis=0, kind="stable")
        weights = np.full(len(X), 1 / len(X))
        for _ in range(self.rounds):
            feature, threshold, side, error = _best_stump(X, y, weights, order)
            if error >= 0.5 - PERFECT:
                return
            error = max(error, PERFECT)
            say = 0.5 * np.log((1 - error) / error)  # (LIFT.8)
            h = np.where(X[:, feature] > threshold, side, -side)
            weights = weights * np.exp(-say * y * h)  # (LIFT.8)
            weights = weights / weights.sum()
            yield Round(feature, threshold, side, error, say, weights)
            if error <= PERFECT:
                return

    def decision_function(self, X):
        X = self._check_new(X)
        return sum((t.say * stump(X, t) for t in self.rounds_), np.zeros(len(X)))  # (LIFT.7)


def stump(X, t):
    """The answers ±1 of one stump."""
    return np.where(X[:, t.feature] > t.threshold, t.side, -t.side)


def _best_stump(X, y, weights, order):
    """Feature, threshold, side and weighted error of the best stump: one sweep over every sorted column."""
    best = (0, -np.inf, 1, np.inf)
    wy = weights * y
    for j, rows in enumerate(order.T):
        x = X[rows, j]
        cuts = np.append(-np.inf, np.where(x[1:] > x[:-1], x[:-1] + (x[1:] - x[:-1]) / 2, np.nan))
        balance = wy.sum() - 2 * np.append(0.0, np.cumsum(wy[rows])[:-1])  # Σ w y h with h = +1 above the cut
        errors = np.where(np.isnan(cuts), np.inf, 0.5 * (weights.sum() - np.abs(balance)))
        i = int(errors.argmin())
        if errors[i] < best[3] - 1e-15:
            best = (j, float(cuts[i]), 1 if balance[i] >= 0 else -1, float(errors[i]))
    return best


def _unpack(theta, d, h):
    W, c, v, b = np.split(theta, [h * d, h * (d + 1), h * (d + 2)])
    return W.reshape(h, d), c, v, b[0]


def _log_gaussian(X, mean, cov):
    mean = check.vector(mean, "mean", X.shape[1])
    cov = check.matrix(cov, "cov")
    try:
        L = np.linalg.cholesky(cov)
    except np.linalg.LinAlgError:
        raise ValueError("A covariance must be square and positive definite: give one such as np.eye(2).") from None
    Z = np.linalg.solve(L, (X - mean).T)
    return -0.5 * (Z**2).sum(0) - np.log(L.diagonal()).sum() - X.shape[1] / 2 * np.log(2 * np.pi)
