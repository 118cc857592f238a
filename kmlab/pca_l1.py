"""Principal components beyond the L2 norm: the dispersion measured by absolute values, not by squares."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Stepwise, Transformer
from .engine.eigen import rounding, settle_signs, settling_signs
from .engine.tiles import in_strips
from .gram import Gram
from .kernels import Gaussian, Precomputed
from .npt import NPT
from .robust_pca import L1PCA, MAX_ROUNDS, R1PCA, TIE, Axes  # noqa: F401

NOTHING_LEFT = "The flipped points add up to nothing: start elsewhere, or bring other points."
NOT_PSD = "The kernel is not positive semi-definite on this data: choose another kernel."


class L1Step(NamedTuple):
    """One round of PCA-L1: direction (from a Gram matrix: its coefficients), polarity of every point, dispersion."""

    component: int
    start: int
    w: np.ndarray
    signs: np.ndarray
    dispersion: float


class PCAL1(Stepwise, Axes):
    """max_w Σ_i |wᵀx_i| with |w| = 1, on centred rows                                       (L1.1)

    p_i = -1 if wᵀx_i < 0, else +1       (L1.2)      flip the points to one side
    w  ∝ Σ_i p_i x_i                     (L1.3)      and add them up, until no sign changes
    X ← X - (Xw) wᵀ                      (L1.4)      then look for the next component in what is left

    A climb ends on a local maximum, so there are several: from the row of largest norm, then from `restarts` other
    rows; the best is kept. components_ (k, d), dispersion_ (k,).
    N. Kwak, Principal component analysis based on L1-norm maximization, IEEE TPAMI 30(9), 2008.  Pages 000/s28-36.
    """

    n_components: check.count = 1
    restarts: check.count_from(0) = 10
    seed: check.seed = 0

    def each_step(self, X):
        """Every round of every start of every component."""
        return all_climbs(Coordinates(X - X.mean(0), floor=rounding(X)), self.n_components, self.restarts, self.seed)

    def fit_to(self, X):
        tops = highest(self.each_step(X), self)
        self.set_axes(X, np.column_stack([step.w for step in tops]))
        self.dispersion_ = np.array([step.dispersion for step in tops])


class KernelPCAL1(Stepwise, Transformer):
    """PCA-L1 of the images in feature space: max_w Σ_i |wᵀφ(x_i)| with |w| = 1              (L1.5)

    route="npt"   PCA-L1 on the coordinates Z of NPT, as 000/s37 does
    route="gram"  by the kernel trick, from the Gram matrix alone (E-K9):
                  p ← sign(Kc p)                            (L1.6)
                  score(x) = kc(x)ᵀp / √(pᵀKc p)            (L1.7)
                  Kc ← Kc - (Kc p)(Kc p)ᵀ / (pᵀKc p)        (L1.8)
    Both take the same steps. alphas_ (n, k): w = Σ α_i φ(x_i), dispersion_ (k,).
    C. Kim, D. Klabjan, A simple and fast algorithm for L1-norm kernel PCA, IEEE TPAMI 42(8), 2020.
    """

    kernel: check.kernel = Gaussian("median")
    n_components: check.count = 1
    route: check.choice("npt", "gram") = "gram"
    restarts: check.count_from(0) = 10
    seed: check.seed = 0
    needs = "distances"

    def each_step(self, X):
        """Every round of every start of every component."""
        Kc = Gram(self.kernel, X).centered()
        return all_climbs(self.images(Kc), self.n_components, self.restarts, self.seed)

    def images(self, Kc):
        if self.route == "npt":
            return Coordinates(np.asarray(NPT(Precomputed()).fit_transform(Kc.K.dense)))  # it may be a frame
        return InnerProducts(Kc.dense, floor=np.sqrt(Kc.rounding))

    def fit_to(self, X):
        Kc = Gram(self.kernel, X).centered()
        images = self.images(Kc)
        tops = highest(all_climbs(images, self.n_components, self.restarts, self.seed), self)
        alphas = images.coefficients(tops)
        self.alphas_ = alphas * settling_signs(Kc @ alphas)
        self.dispersion_ = np.array([step.dispersion for step in tops])
        self.centerer_, self.X_ = Kc.centerer, X.copy()

    def transform(self, X):  # (m, d) -> (m, k)
        return in_strips(self._scores, self._check_new(X), 2 * len(self.X_))

    def _scores(self, X):
        return self.centerer_.center_cross(self.kernel(X, self.X_)) @ self.alphas_  # (L1.7)


def climb(points, w):
    """Rounds (w, signs, dispersion) of 000/s29-32 from w up to a local maximum.

    points are Coordinates or InnerProducts, in whose terms w is.
    """
    old = None
    for _ in range(MAX_ROUNDS):
        s = points.project(w)
        signs = np.where(s < -points.zero, -1, 1)  # (L1.2)
        yield w, signs, float(np.abs(s).sum())
        if np.array_equal(signs, old):
            signs = over_a_kink(points, s, signs)
            if signs is None:
                return
        w = points.direction(signs)  # (L1.3)
        old = signs
    raise ValueError(NOT_PSD)


def over_a_kink(points, s, signs):
    """The signs with a point at right angles to w turned over; None if there is no such point, so that w is a top.

    There |wᵀx| has a kink, and a w that no sign changes need not be a maximum: either sign of x belongs to this w, and
    the other one makes |Σ p_i x_i|² grow by 4|x|², as wᵀx = 0 and w ∝ Σ p_i x_i.
    """
    kinks = np.flatnonzero((np.abs(s) <= points.zero) & (points.norms > 0))
    return np.where(np.arange(len(s)) == kinks[0], -signs, signs) if len(kinks) else None


class _Points:
    """What both forms of points share: lengths, and what of them is rounding."""

    def measure(self, norms, floor):
        """Which points have a length at all; norms is exactly zero for the others.

        A point at the mean, up to rounding, is on neither side of any w: made exactly zero, it stays at +1.
        """
        self.floor = max(floor, self.tiny * norms.sum())
        alive = norms > self.floor
        self.norms = norms * alive
        self.zero = self.tiny * self.norms  # a projection up to this is zero
        return alive


class Coordinates(_Points):
    """Points by their coordinates; a direction is a vector w (d,)."""

    tiny = 1e-12  # a length below this share of its natural size counts as zero

    def __init__(self, X, floor=0.0):
        alive = self.measure(np.linalg.norm(X, axis=1), floor)
        self.X = X * alive[:, None]

    def direction(self, p):  # (n,) -> w of length one
        w = p @ self.X  # (L1.3)
        return w / _above(np.linalg.norm(w), self.floor, NOTHING_LEFT)

    def project(self, w):
        return self.X @ w

    def without(self, w):
        return Coordinates(self.X - np.outer(self.X @ w, w), self.floor)  # (L1.4)

    def coefficients(self, tops):
        """α with w = Σ α_i x_i, where the columns of X are orthogonal, as those of NPT are."""
        return self.X / (self.X**2).sum(0) @ np.column_stack([step.w for step in tops])


class InnerProducts(_Points):
    """Points by their inner products K; a direction Σ α_i φ(x_i) is its coefficients α (n,)."""

    tiny = 1e-7  # squares of lengths are all we have, so rounding hides more

    def __init__(self, K, floor=0.0):
        alive = self.measure(np.sqrt(np.maximum(np.diag(K), 0)), floor)
        self.K = K * np.outer(alive, alive)

    def direction(self, p):  # (n,) -> α, so that w has length one
        return p / np.sqrt(_above(p @ self.K @ p, 0.0, NOT_PSD))

    def project(self, alpha):
        return self.K @ alpha  # (L1.6)

    def without(self, alpha):
        s = self.K @ alpha
        return InnerProducts(self.K - np.outer(s, s), self.floor)  # (L1.8)

    def coefficients(self, tops):
        """α with w = Σ α_i φ(x_i): the signed sum of all images, less what the earlier axes have taken."""
        alphas = np.zeros((len(self.K), 0))
        for step in tops:
            taken = alphas @ (alphas.T @ self.project(step.signs))
            alphas = np.column_stack([alphas, self.direction(step.signs - taken)])
        return alphas


def _above(value, floor, otherwise):
    """value, refused with that sentence where it is not above the floor."""
    if value <= floor:
        raise ValueError(otherwise)
    return value


def all_climbs(points, n_components, restarts, seed):
    """Every round of every start of every component, as L1Steps."""
    rng = check.seeded(seed)
    for component in range(n_components):
        ends = []
        for start, row in enumerate(_starts(points.norms, component, restarts, rng)):
            # wᵀΣ p_i x_i = Σ |wᵀx_i| is positive when w is a row, and grows: the sum of (L1.3) can never vanish
            for now in climb(points, points.direction(np.eye(len(points.norms))[row])):
                yield (step := L1Step(component, start, *now))
            ends.append(step)
        points = points.without(_first_largest(ends).w)


def _starts(norms, component, restarts, rng):
    """The longest row, the first of equals, and some others in a random order."""
    if (longest := norms.max()) == 0:
        raise ValueError(f"Only {component} components have any dispersion: ask for fewer, or bring other points.")
    others = rng.permutation(np.flatnonzero(norms))
    return [np.argmax(norms >= (1 - TIE) * longest), *others[:restarts]]


def highest(steps, model):
    """For every component the end of its best climb; a climb that has no end is refused, so all converge."""
    ends, model.converged_ = {}, True
    for model.n_iter_, step in enumerate(steps, 1):
        ends.setdefault(step.component, {})[step.start] = step
    return [_first_largest(climbs.values()) for climbs in ends.values()]


def _first_largest(ends):
    top = max(end.dispersion for end in ends)
    return next(end for end in ends if end.dispersion >= (1 - TIE) * top)


def pca_l1_exact(X):
    """max_w Σ|wᵀx_i| = max_p |Σ p_i x_i| over all sign vectors; -> w (d,), dispersion      (L1.9)"""
    X = check.matrix(X, min_samples=2)
    if len(X) > 16:
        raise ValueError(f"The exact search tries 2^(n-1) sign vectors, so n is at most 16, got {len(X)}: use PCAL1.")
    points = Coordinates(X - X.mean(0), floor=rounding(X))
    codes = np.arange(2 ** (len(X) - 1))
    signs = 1 - 2 * ((codes[:, None] >> np.arange(len(X))) & 1)  # the last sign is +1: -p gives the same direction
    lengths = np.linalg.norm(signs @ points.X, axis=1)
    w = points.direction(signs[np.argmax(lengths >= (1 - TIE) * lengths.max())])
    return settle_signs(w[:, None])[:, 0], float(lengths.max())
