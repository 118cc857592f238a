"""Support vector machines: the widest margin, with slack, in feature space; and the same idea for regression."""

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from . import _checks as check
from ._positive import name_if_not_positive
from ._sums import Regressor
from .dual import Dual, DualSum, PairStep, smo, solved, spread, working_sets
from .engine.eigen import rounding
from .kernels import Gaussian, Precomputed
from .voting import OneAgainstOne, class_weights, held_out_sigmoid, weight_of_each

NO_MARGIN = 1e-4  # a hard margin below this share of the data's size counts as none


class SVC(OneAgainstOne, DualSum):
    """min ½|w|² + C Σ ξ_i^slack  with  y_i (wᵀφ(x_i) + b) ≥ 1 - ξ_i, ξ_i ≥ 0                     (SVM.1)

    slack=1   max Σα - ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j),  Σ y_i α_i = 0,  0 ≤ α_i ≤ C           (SVM.2)
    slack=2   the same without the bound C and with k + 1/(2C) on the diagonal                    (SVM.3)
    C=inf     a hard margin: no slack at all
    class_weight: C times the weight of its class for every point; "balanced" makes all classes weigh the same
    f(x) = Σ y_i α_i k(x, x_i) + b,   b = mean of y_i - (K(αy))_i over the points on the margin   (SVM.4)

    Labels may be anything. Two classes: alpha_ (n,), b_, support_, w_norm_ = |w|, dual_gap_, and f(x) > 0 means
    classes_[1]. More: one machine for each pair in pairs_, and their votes. probability=True learns predict_proba too.
    C. Cortes, V. Vapnik, Support-vector networks, Machine Learning 20, 1995.  Pages 000/s23-25, 004/s4-9.
    """

    kernel: check.kernel = Gaussian("median")
    C: check.positive_or_infinite = 1.0
    slack: check.choice(1, 2) = 1
    tol: check.positive = 1e-3
    max_steps: check.count = 100_000
    progress: check.flag = False
    class_weight: class_weights = None
    probability: check.flag = False
    seed: check.seed = 0

    def fit_to(self, X, code):
        self.class_weight_ = weight_of_each(self.class_weight, self.classes_, code)
        super().fit_to(X, code)
        self._keep_support(X, getattr(self, "b_", None), code)

    def fit_two(self, X, y):
        p = self.problem(X, y)
        self._solve(X, p, self.tol, refuse_overlap if np.isinf(self.C) else None)
        self.alpha_ = y * p.b
        self.b_ = p.offset
        f = p.F + y - p.K.ridge * p.b + self.b_  # (SVM.4)
        self.w_norm_ = float(np.sqrt(max(0.0, p.b @ (f - self.b_))))
        self.dual_gap_ = _primal_less_dual(self.alpha_, y * f, self.w_norm_, self.bounds(y), self.slack)
        if self.probability:
            other = type(self)(**self.get_params(deep=False) | {"probability": False} | self.for_pair(-1, 1))
            self.sigmoid_ = held_out_sigmoid(other, X, y, check.seeded(self.seed))

    def problem(self, X, y):
        """The dual in b_i = y_i α_i, labels ±1."""
        ridge = 1 / (2 * self.bounds(y)) if self.slack == 2 else 0.0  # (SVM.3)
        box = self.bounds(y) if self.slack == 1 else np.inf
        return Dual(self._gram(X, ridge), -y, np.where(y > 0, 0, -box), np.where(y > 0, box, 0))  # (SVM.2)

    def bounds(self, y):
        """C for every point, with the weight of its class; one number where they all have the same."""
        return self.C if self.class_weight is None else self.C * self.class_weight_[(y > 0).astype(int)]

    def for_pair(self, i, j):
        weights = self.class_weight_[[i, j]] if i >= 0 else self.class_weight_
        return {} if self.class_weight is None else {"class_weight": dict(zip((i, j), weights.tolist(), strict=True))}

    def steps(self, X, y, newton=True, size=2):
        """Every step of the solver for two classes: pairs, as fit takes them; size > 2 solves sets of so many points.

        Pairs are given in α as on 004/s14-15: lo, hi, unclipped and clipped are values of α_j.
        """
        new, X, y = self._two_classes(X, y)
        new.class_weight_ = weight_of_each(new.class_weight, new.classes_, (y > 0).astype(int))
        p, size = new.problem(X, y), check.count(size, "size", at_least=2)
        pairs = smo(p, new.tol, new.max_steps, newton) if size == 2 else working_sets(p, size, new.tol, new.max_steps)
        return (in_alpha(step, y) for step in pairs)

    def f(self, X):
        """Σ y_i α_i k(x, x_i) + b; (m, d) -> (m,)."""
        return self._sum(X) + self.b_

    def on_grid(self, xs, ys):
        """f on a grid of 2-d points, two classes; -> (len(ys), len(xs))."""
        return self._on_grid(xs, ys) + self.b_

    @property
    def predict_proba(self):
        """The probability of each class by Platt's method; (m, d) -> (m, k).  Another class than predict's may lead."""
        if not self.probability:
            raise AttributeError("predict_proba needs SVC(probability=True) before fit: it costs five more fits.")

        def predict_proba(X):  # by this name scikit-learn knows what it is
            return self._probabilities(X)

        return predict_proba

    def upper(self, X):
        """The probability of classes_[1], for two classes; (m, d) -> (m,)."""
        A, B = self.sigmoid_
        return expit(-(A * self.f(X) + B))


class SVR(Regressor, DualSum):
    """min ½|w|² + C Σ (ξ_i + ξ_i*)  with  f(x_i) - t_i ≤ ε + ξ_i,  t_i - f(x_i) ≤ ε + ξ_i*,  ξ_i, ξ_i* ≥ 0   (SVM.5)

    A tube of half-width ε around f(x) = wᵀφ(x) + b costs nothing: ξ_i + ξ_i* = (|t_i - f(x_i)| - ε)₊. Its dual is
    max tᵀβ - ½ βᵀKβ - ε Σ|β_i|,  Σβ = 0,  -C ≤ β_i ≤ C;   f(x) = Σ β_i k(x, x_i) + b              (SVM.6)

    β = α* - α, where α belongs to the first condition and α* to the second: β > 0 above the tube, β < 0 below it, 0
    inside. coef_ (n,) = β, b_, support_, dual_gap_ = primal minus dual value.
    V. Vapnik, The Nature of Statistical Learning Theory, 1995.  Pages 004/s18-19.
    """

    kernel: check.kernel = Gaussian("median")
    C: check.positive = 1.0
    epsilon: check.non_negative = 0.1
    tol: check.positive = 1e-3
    max_steps: check.count = 100_000
    progress: check.flag = False

    def fit_to(self, X, t):
        middle = (t.max() + t.min()) / 2  # Σβ = 0: a shift of t only shifts b, and small numbers round less
        box = np.full(len(t), self.C)
        p = Dual(self._gram(X), middle - t, -box, box, eps=self.epsilon)  # (SVM.6)
        self._solve(X, p, self.tol)
        self.b_ = p.offset + middle
        self._keep_support(X, self.b_)
        Kb = p.F + t - middle
        loss = tube_loss(Kb + self.b_ - t, self.epsilon).sum()
        self.dual_gap_ = float(0.5 * p.b @ Kb + self.C * loss + p.value())


def squared_loss(residual):
    """(f(x) - t)²: every error counts, large ones most                                      (SVM.13)  Page 004/s18."""
    return np.square(residual)


def tube_loss(residual, epsilon):
    """max(|f(x) - t| - ε, 0): errors up to ε are free, larger ones cost what is beyond      (SVM.14)  Page 004/s18."""
    return np.maximum(np.abs(residual) - check.non_negative(epsilon, "epsilon"), 0)


class KKT(NamedTuple):
    """kind of every point: 0 (α = 0), 1 (free), 2 (α = C); and by how much it violates its condition."""

    kind: np.ndarray
    violation: np.ndarray


def kkt_report(alpha, yf, C=np.inf):
    """α = 0 ⇒ yf ≥ 1;  0 < α < C ⇒ yf = 1;  α = C ⇒ yf ≤ 1                                        (SVM.7)"""
    alpha, yf = check.vector(alpha, "alpha"), check.vector(yf, "yf", len(alpha))
    C = check.positive_or_infinite(C, "C")
    kind = np.where(alpha <= 0, 0, np.where(alpha < C * (1 - 1e-9), 1, 2))
    return KKT(kind, np.choose(kind, [np.maximum(1 - yf, 0), np.abs(yf - 1), np.maximum(yf - 1, 0)]))


def duality_gap(alpha, yf, w_norm, C, slack=1):
    """½|w|² + C Σ (1 - yf)₊^slack - (Σα - ½|w|²), never negative; slack 2: + Σα² / (4C)       (SVM.8)  Page 004/s5."""
    alpha, w_norm = check.vector(alpha, "alpha"), check.length_or_zero(w_norm, "w_norm")
    C = check.vector(C, "C", len(alpha)) if np.ndim(C) else check.positive_or_infinite(C, "C")
    yf, slack = check.vector(yf, "yf", len(alpha), "entries of alpha"), check.one_of(slack, (1, 2), "slack")
    return _primal_less_dual(alpha, yf, w_norm, C, slack)


def _primal_less_dual(alpha, yf, w_norm, C, slack):
    dual = alpha.sum() - 0.5 * w_norm**2
    if np.isinf(C).any():  # the plane is scaled until every point is outside the margin
        return float(0.5 * w_norm**2 / yf.min() ** 2 - dual) if yf.min() > 0 else np.inf
    dual -= (alpha**2 / (4 * C)).sum() if slack == 2 else 0
    return float(0.5 * w_norm**2 + (C * np.maximum(1 - yf, 0) ** slack).sum() - dual)


def margin_distribution(model, X, y):
    """y f(x) / |w|: signed distances to the hyperplane in feature space; (m,)                (SVM.9)  Page 004/s3."""
    if not hasattr(model, "fit"):
        raise TypeError(f"model must be a machine such as SVC() or Perceptron(), got {model!r}.")
    f = model.decision_function(X)
    if f.ndim == 2:
        raise ValueError("A margin belongs to one plane, between two classes: ask pairs_[i][2], the machine of a pair.")
    if not model.w_norm_ > 0:
        raise ValueError("w = 0, so there is no plane to be distant from: the kernel does not tell the classes apart.")
    return np.where(check.among(y, model.classes_, len(f)) == 1, f, -f) / model.w_norm_


def vc_bound(radius, w_norm, dim=np.inf):
    """h ≤ min(⌊R²Λ²⌋ + 1, dim + 1)                                                            (SVM.10)  Page 004/s2.

    h is the capacity (VC dimension) of the planes with |w| ≤ Λ = w_norm that leave no point inside the margin, for
    points within a ball of this radius R. Λ and R belong to this family of planes and are fixed before the data are
    seen; with |w| and R of a trained machine the same number is a reason for wide margins and no guarantee.
    V. Vapnik, The Nature of Statistical Learning Theory, 1995. Bounds for what is read off the data: J. Shawe-Taylor
    et al., Structural risk minimization over data-dependent hierarchies, IEEE Trans. Information Theory 44, 1998.
    """
    dim = np.inf if dim == np.inf else check.count(dim, "dim")
    size = check.non_negative(radius, "radius") * check.non_negative(w_norm, "w_norm")  # RΛ
    return min(int(size**2) + 1, dim + 1) if size < check.LARGEST else dim + 1


def srm_bound(risk, h, n, delta=0.05):
    """risk + √((h (ln(2n/h) + 1) - ln(δ/4)) / n), with probability 1 - δ over the data       (SVM.11)  Page 004/s2.

    It holds for all functions of a family of capacity h at once, if the family was fixed before the data were seen.
    """
    risk = check.number(risk, "risk")
    h, n, delta = check.positive(h, "h"), check.positive(n, "n"), check.share(delta, "delta")
    if h > 2 * n:
        raise ValueError(
            f"The bound holds for a capacity h of at most 2n = {2 * n:g}, got {h:g}: beyond, its formula turns down "
            "and means nothing; add points or lower h."
        )
    return risk + np.sqrt((h * (np.log(2 * n) - np.log(h) + 1) - np.log(delta / 4)) / n)


def enclosing_ball(X, kernel=None, tol=1e-8):
    """max Σ α_i k_ii - αᵀKα with Σα = 1, α ≥ 0: its value is R², its centre Σ α_i φ(x_i)          (SVM.12)

    -> R², α (n,).  kernel=None means that X is a Gram matrix.
    """
    kernel = check.kernel(Precomputed() if kernel is None else kernel)
    K = check.moderate(kernel(X))
    name_if_not_positive(kernel, check.matrix(X), "enclosing_ball", distances=True)
    start = np.zeros(len(K))
    start[0] = 1
    ball = Dual(K, -np.diag(K) / 2, np.zeros(len(K)), np.ones(len(K)), start)
    solved(ball, max(check.positive(tol, "tol") * spread(ball.K), rounding(K)))
    return max(0.0, -2 * ball.objective), ball.b


def refuse_overlap(p):
    """w / Σα joins two points of the classes' convex hulls, between which a hard margin must fit."""
    hull = 0.5 * np.abs(p.b).sum() * NO_MARGIN
    if p.b @ (p.F - p.q) < hull**2 * p.K.diag.max():
        raise ValueError("The classes overlap in feature space, so there is no hard margin: choose a finite C.")


def in_alpha(step, y):
    """A step in b_i = y_i α_i as one in α."""
    if not isinstance(step, PairStep):
        return step._replace(b=y * step.b)
    sign = y[step.j]
    lo, hi = sorted((sign * step.lo, sign * step.hi))
    return step._replace(lo=lo, hi=hi, unclipped=sign * step.unclipped, clipped=sign * step.clipped, b=y * step.b)
