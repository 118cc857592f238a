"""Principal components beyond the L2 norm: dispersion and error measured by absolute values."""

from typing import NamedTuple

import numpy as np

from . import _checks as check
from ._bases import Transformer
from .centering import Centerer, centered
from .engine.eigen import rounding, settle_signs
from .gram import largest
from .kernels import Gaussian, Precomputed
from .npt import NPT

TIE = 1e-9  # two maxima closer than this are one: rounding must not choose between them
MAX_ROUNDS = 1000  # a few dozen are many
NOT_PSD = "The kernel is not positive semi-definite on this data: choose another kernel."
SMOOTH = 1e-8  # |r| is replaced by √(r² + SMOOTH), for points of size one


class L1Step(NamedTuple):
    """One round of PCA-L1: direction (from a Gram matrix: its coefficients), polarity of every point, dispersion."""

    component: int
    start: int
    w: np.ndarray
    signs: np.ndarray
    dispersion: float


class _Axes(Transformer):
    """Orthonormal axes through the mean: components_ (k, d), mean_ (d,)."""

    def _remember(self, X, W):
        self.components_, self.mean_, self.n_features_in_ = settle_signs(W).T, X.mean(0), X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T


class PCAL1(_Axes):
    """max_w Σ_i |wᵀx_i| with |w| = 1, on centred rows                                       (L1.1)

    p_i = -1 if wᵀx_i < 0, else +1       (L1.2)      flip the points to one side
    w  ∝ Σ_i p_i x_i                     (L1.3)      and add them up, until no sign changes
    X ← X - (Xw) wᵀ                      (L1.4)      then look for the next component in what is left

    A climb ends on a local maximum, so there are several: from the row of largest norm, then from `restarts` other
    rows; the best is kept. components_ (k, d), dispersion_ (k,).
    N. Kwak, Principal component analysis based on L1-norm maximization, IEEE TPAMI 30(9), 2008.  Pages 000/s28-36.
    """

    def __init__(self, n_components=1, restarts=10, seed=0):
        self.n_components = n_components
        self.restarts = restarts
        self.seed = seed

    def steps(self, X):
        """Every round of every start of every component."""
        X = check.matrix(X, min_samples=2)
        return all_climbs(Rows(X - X.mean(0), floor=rounding(X)), self.n_components, self.restarts, self.seed)

    def fit(self, X, y=None):
        best = _best(self.steps(X))
        self.dispersion_ = np.array([step.dispersion for step in best])
        return self._remember(check.matrix(X), np.column_stack([step.w for step in best]))


class KernelPCAL1(Transformer):
    """PCA-L1 of the images in feature space: max_w Σ_i |wᵀφ(x_i)| with |w| = 1              (L1.5)

    route="npt"   PCA-L1 on the coordinates Z of NPT, as 000/s37 does
    route="gram"  by the kernel trick, from the Gram matrix alone (E-K9):
                  p ← sign(Kc p)                            (L1.6)
                  score(x) = kc(x)ᵀp / √(pᵀKc p)            (L1.7)
                  Kc ← Kc - (Kc p)(Kc p)ᵀ / (pᵀKc p)        (L1.8)
    Both take the same steps. alphas_ (n, k): w = Σ α_i φ(x_i), dispersion_ (k,).
    C. Kim, D. Klabjan, A simple and fast algorithm for L1-norm kernel PCA, IEEE TPAMI 42(8), 2020.
    """

    def __init__(self, kernel=Gaussian(), n_components=1, route="gram", restarts=10, seed=0):
        self.kernel = kernel
        self.n_components = n_components
        self.route = route
        self.restarts = restarts
        self.seed = seed

    def steps(self, X):
        """Every round of every start of every component."""
        K = check.kernel(self.kernel)(check.matrix(X, min_samples=2))
        return all_climbs(self._points(K), self.n_components, self.restarts, self.seed)

    def _points(self, K):
        if check.one_of(self.route, ("npt", "gram"), "route") == "npt":
            return Rows(NPT(Precomputed()).fit_transform(K))
        return Gram(centered(K), floor=np.sqrt(rounding(K)))

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=2)
        K = check.kernel(self.kernel)(X)
        best = _best(all_climbs(points := self._points(K), self.n_components, self.restarts, self.seed))
        scores = centered(K) @ (alphas := points.coefficients(best))
        self.alphas_ = alphas * np.sign((scores * settle_signs(scores)).sum(0))
        self.dispersion_ = np.array([step.dispersion for step in best])
        self.centerer_, self.X_, self.n_features_in_ = Centerer().remember(K.mean(0)), X.copy(), X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return self.centerer_.center_cross(self.kernel(self._check_new(X), self.X_)) @ self.alphas_  # (L1.7)


def climb(points, w):
    """Rounds (w, signs, dispersion) of 000/s29-32 from w up to a local maximum; points are Rows or a Gram."""
    old = None
    for _ in range(MAX_ROUNDS):
        s = points.project(w)
        signs = np.where(s < -points.tiny * points.norms, -1, 1)  # (L1.2)
        yield w, signs, float(np.abs(s).sum())
        if np.array_equal(signs, old):
            kinks = np.flatnonzero((np.abs(s) <= points.tiny * points.norms) & (points.norms > 0))
            if len(kinks) == 0:
                return
            # a point x at right angles to w: turned over, it makes |Σ p_i x_i|² grow by 4|x|²
            signs = np.where(np.arange(len(s)) == kinks[0], -signs, signs)
        w, old = points.direction(signs), signs
    raise ValueError(NOT_PSD)


class Rows:
    """Points by their coordinates; a direction is a vector w (d,)."""

    tiny = 1e-12  # a length below this share of its natural size counts as zero

    def __init__(self, X, floor=0.0):
        norms = np.linalg.norm(X, axis=1)
        self.floor = max(floor, self.tiny * norms.sum())
        alive = norms > self.floor  # a zero row, up to rounding, is on neither side: made exactly zero, it stays at +1
        self.X, self.norms = X * alive[:, None], norms * alive

    def direction(self, p):  # (n,) -> w of length one
        w = p @ self.X  # (L1.3)
        if (length := np.linalg.norm(w)) <= self.floor:
            raise ValueError("The flipped points add up to nothing: start elsewhere, or bring other points.")
        return w / length

    def project(self, w):
        return self.X @ w

    def without(self, w):
        return Rows(self.X - np.outer(self.X @ w, w), self.floor)  # (L1.4)

    def coefficients(self, best):
        """α with w = Σ α_i x_i, where the columns of X are orthogonal, as those of NPT are."""
        return self.X / (self.X**2).sum(0) @ np.column_stack([step.w for step in best])


class Gram:
    """Points by their inner products; a direction Σ α_i φ(x_i) is its coefficients α (n,)."""

    tiny = 1e-7  # squares of lengths are all we have, so rounding hides more

    def __init__(self, K, floor=0.0):
        norms = np.sqrt(np.maximum(np.diag(K), 0))
        self.floor = max(floor, self.tiny * norms.sum())
        alive = norms > self.floor
        self.K, self.norms = K * np.outer(alive, alive), norms * alive

    def direction(self, p):  # (n,) -> α, so that w has length one
        if (square := p @ self.K @ p) <= 0:
            raise ValueError(NOT_PSD)
        return p / np.sqrt(square)

    def project(self, alpha):
        return self.K @ alpha  # (L1.6)

    def without(self, alpha):
        return Gram(self.K - np.outer(s := self.K @ alpha, s), self.floor)  # (L1.8)

    def coefficients(self, best):
        """α with w = Σ α_i φ(x_i): the signed sum of all images, less what the earlier axes have taken."""
        alphas = np.zeros((len(self.K), 0))
        for step in best:
            taken = alphas @ (alphas.T @ self.project(step.signs))
            alphas = np.column_stack([alphas, self.direction(step.signs - taken)])
        return alphas


def all_climbs(points, n_components, restarts, seed):
    """Every round of every start of every component, as L1Steps."""
    rng = check.seeded(seed)
    for component in range(check.count(n_components, "n_components")):
        if (longest := points.norms.max()) == 0:
            raise ValueError(f"Only {component} components have any dispersion: ask for fewer, or bring other points.")
        first, others = np.argmax(points.norms >= (1 - TIE) * longest), rng.permutation(np.flatnonzero(points.norms))
        ends = []
        for start, row in enumerate([first, *others[: check.count(restarts, "restarts", at_least=0)]]):
            # wᵀΣ p_i x_i = Σ |wᵀx_i| is positive when w is a row, and grows: the sum of (L1.3) can never vanish
            for now in climb(points, points.direction(np.eye(len(points.norms))[row])):
                yield (step := L1Step(component, start, *now))
            ends.append(step)
        points = points.without(_first_largest(ends).w)


def _best(steps):
    """For every component the end of its best climb."""
    ends = {}
    for step in steps:
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
    points = Rows(X - X.mean(0), floor=rounding(X))
    codes = np.arange(2 ** (len(X) - 1))
    signs = 1 - 2 * ((codes[:, None] >> np.arange(len(X))) & 1)  # the last sign is +1: -p gives the same direction
    lengths = np.linalg.norm(signs @ points.X, axis=1)
    w = points.direction(signs[np.argmax(lengths >= (1 - TIE) * lengths.max())])
    return settle_signs(w[:, None])[:, 0], float(lengths.max())


class R1PCA(_Axes):
    """min_W Σ_i |x_i - WWᵀx_i| with WᵀW = I: the error made small, by its length, not its square   (L1.10)

    Repeated: weight_i = 1/√(r_i² + ε), then W = leading eigenvectors of Σ weight_i x_i x_iᵀ; ε goes down to SMOOTH,
    for with a small ε from the start a line through one of the points would stay there. error_ is the sum.
    C. Ding et al., R1-PCA: rotational invariant L1-norm principal component analysis, ICML 2006.  Page 000/s27.
    """

    def __init__(self, n_components=1):
        self.n_components = n_components

    def steps(self, X):
        """(W, objective) of every round; the objective Σ √(r² + ε) never grows."""
        X, unit = _unit_size(X)
        weight = 1 / np.sqrt((X**2).sum(1, keepdims=True) + 1)  # the error of no component: |x_i| itself
        W = _leading(X.T @ (weight * X), check.count(self.n_components, "n_components"))
        V, old = X @ W, np.inf
        for t in range(MAX_ROUNDS):
            error = np.sqrt(self._squares(X - V @ W.T) + max(0.5**t, SMOOTH))
            yield np.linalg.qr(W)[0], unit * error.sum()
            if error.sum() >= (1 - TIE) * old:
                return
            old, (W, V) = error.sum(), self._refit(X, W, 1 / error)

    def _squares(self, R):  # one error for each row
        return (R**2).sum(1, keepdims=True)  # (L1.10)

    def _refit(self, X, W, weight):
        W = _leading(X.T @ (weight * X), W.shape[1])
        return W, X @ W

    def fit(self, X, y=None):
        *_, (W, self.error_) = self.steps(X)
        return self._remember(check.matrix(X), W)


class L1PCA(R1PCA):
    """min_{W,V} Σ_i |x_i - W v_i|₁: absolute errors, entry by entry, so it depends on the axes   (L1.11)

    Repeated: weights 1/√(e_ij² + ε), then V and W in turn by weighted least squares.  Page 000/s27.
    """

    def _squares(self, R):  # one error for each entry
        return R**2  # (L1.11)

    def _refit(self, X, W, weight):
        V = _weighted(W, X, weight)
        return _weighted(V, X.T, weight.T), V


def _unit_size(X):
    """X centred, in units of its median norm, which no outlier moves; -> X, that norm."""
    X = check.matrix(X, min_samples=2)
    norms = np.linalg.norm(X - X.mean(0), axis=1)
    alive = norms > rounding(X)
    unit = np.median(norms[alive]) if alive.any() else 1.0
    return (X - X.mean(0)) * alive[:, None] / unit, unit


def _leading(S, k):
    lam, V = largest(S, k)
    if len(lam) < k:
        raise ValueError(f"n_components = {k}, but the data has only {len(lam)} directions of variance: ask for fewer.")
    return V


def _weighted(A, B, weight):
    """Row by row, the least-squares coefficients of B on the columns of A with these weights; -> (len(B), k)."""
    normal = np.einsum("ij,jk,jl->ikl", weight, A, A)
    return np.linalg.solve(normal, np.einsum("ij,ij,jk->ik", weight, B, A)[..., None])[..., 0]
