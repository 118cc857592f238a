"""Principal components beyond the L2 norm: dispersion and error measured by absolute values."""

from typing import NamedTuple

import numpy as np

from ._checks import as_matrix, count, one_of, seeded
from ._estimator import Transformer
from ._linalg import settle_signs, top_eigh
from .centering import Centerer, centered
from .kernels import Gaussian, Precomputed, as_kernel
from .npt import NPT

TINY = 1e-12  # a length below this share of its natural size counts as zero
TINY_GRAM = 1e-7  # a Gram matrix holds squares of lengths, so rounding hides more
TIE = 1e-9  # two maxima closer than this are one: rounding must not choose between them
MAX_ROUNDS = 1000  # of one climb; a few dozen are many
NOT_PSD = 'The kernel is not positive semi-definite on this data: choose another, or route="npt", which mends it.'
SMOOTH = 1e-8  # |r| is replaced by √(r² + SMOOTH), for points of size one


class L1Step(NamedTuple):
    """One round of PCA-L1: direction (from a Gram matrix: its coefficients), polarity of every point, dispersion."""

    component: int
    start: int
    w: np.ndarray
    signs: np.ndarray
    dispersion: float


class PCAL1(Transformer):
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
        X = as_matrix(X, min_samples=2)
        return all_climbs(Rows(X - X.mean(0)), self.n_components, self.restarts, self.seed)

    def fit(self, X, y=None):
        X = as_matrix(X, min_samples=2)
        best = _best(self.steps(X))
        self.components_ = settle_signs(np.array([step.w for step in best]).T).T
        self.dispersion_ = np.array([step.dispersion for step in best])
        self.mean_, self.n_features_in_ = X.mean(0), X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T


class KernelPCAL1(Transformer):
    """PCA-L1 of the images in feature space: max_w Σ_i |wᵀφ(x_i)| with |w| = 1              (L1.5)

    route="npt"   PCA-L1 on the coordinates Z of NPT, as 000/s37 does
    route="gram"  from the Gram matrix alone, which 000/s37 holds to be impossible:
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
        return self._steps(as_kernel(self.kernel)(as_matrix(X, min_samples=2)))

    def _steps(self, K):
        if one_of(self.route, ("npt", "gram"), "route") == "npt":
            points = Rows(NPT(Precomputed()).fit_transform(K), TINY_GRAM)
        else:
            points = Gram(centered(K))
        return all_climbs(points, self.n_components, self.restarts, self.seed)

    def fit(self, X, y=None):
        X = as_matrix(X, min_samples=2)
        K = as_kernel(self.kernel)(X)
        best = _best(self._steps(K))
        Kc, alphas = centered(K), np.zeros((len(X), 0))
        for step in best:  # w ∝ Σ p_i φ(x_i), less what the earlier components have taken
            alpha = step.signs - alphas @ (alphas.T @ (Kc @ step.signs))
            alphas = np.column_stack([alphas, alpha / np.sqrt(alpha @ Kc @ alpha)])
        self.alphas_ = settle_signs(alphas)
        self.dispersion_ = np.array([step.dispersion for step in best])
        self.centerer_ = Centerer().remember(K)
        self.X_, self.n_features_in_ = X.copy(), X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        Kt = self.kernel(self._check_new(X), self.X_)
        return self.centerer_.center_cross(Kt) @ self.alphas_  # (L1.7)


# The algorithm, once. It asks three things of the points, and inner products can answer them as well as coordinates.


def climb(points, w):
    """Rounds (w, signs, dispersion) of 000/s29-32 from the direction w up to a local maximum."""
    old = None
    for _ in range(MAX_ROUNDS):
        s = points.project(w)
        signs = np.where(s < -points.tiny * points.norms, -1, 1)  # (L1.2)
        yield w, signs, float(np.abs(s).sum())
        if np.array_equal(signs, old):
            kinks = np.flatnonzero((np.abs(s) <= points.tiny * points.norms) & (points.norms > 0))
            if len(kinks) == 0:
                return
            signs[kinks[0]] *= -1  # a point x at right angles to w: turned over, it makes |Σ p_i x_i|² grow by 4|x|²
        w, old = points.direction(signs), signs
    raise ValueError(NOT_PSD)


class Rows:
    """Points by their coordinates; a direction is a vector w (d,)."""

    def __init__(self, X, tiny=TINY, floor=None):
        norms = np.linalg.norm(X, axis=1)
        self.tiny, self.floor = tiny, tiny * norms.sum() if floor is None else floor
        alive = norms > self.floor  # a zero row, up to rounding, is on neither side: made exactly zero, it stays at +1
        self.X, self.norms = X * alive[:, None], norms * alive

    def direction(self, p):  # (n,) -> w of length one
        w = p @ self.X
        return w / np.linalg.norm(w)  # (L1.3)

    def project(self, w):
        return self.X @ w

    def without(self, w):
        return Rows(self.X - np.outer(self.X @ w, w), self.tiny, self.floor)  # (L1.4)


class Gram:
    """Points by their inner products; a direction Σ α_i φ(x_i) is its coefficients α (n,)."""

    def __init__(self, K, tiny=TINY_GRAM, floor=None):
        norms = np.sqrt(np.maximum(np.diag(K), 0))
        self.tiny, self.floor = tiny, tiny * norms.sum() if floor is None else floor
        alive = norms > self.floor
        self.K, self.norms = K * np.outer(alive, alive), norms * alive

    def direction(self, p):  # (n,) -> α, so that w has length one
        if (square := p @ self.K @ p) <= 0:
            raise ValueError(NOT_PSD)
        return p / np.sqrt(square)

    def project(self, alpha):
        return self.K @ alpha  # (L1.6)

    def without(self, alpha):
        s = self.K @ alpha
        return Gram(self.K - np.outer(s, s), self.tiny, self.floor)  # (L1.8)


def all_climbs(points, n_components, restarts, seed):
    """Every round of every start of every component, as L1Steps."""
    rng = seeded(seed)
    for component in range(count(n_components, "n_components")):
        ends = []
        for start, row in enumerate(_start_rows(points.norms, component, restarts, rng)):
            # wᵀΣ p_i x_i = Σ |wᵀx_i| is positive when w is a row, and grows: the sum of (L1.3) can never vanish
            for now in climb(points, points.direction(np.eye(len(points.norms))[row])):
                yield (step := L1Step(component, start, *now))
            ends.append(step)
        points = points.without(_first_largest(ends).w)


def _start_rows(norms, component, restarts, rng):
    """The row of largest norm, then random rows; none of them zero."""
    if norms.max() == 0:
        raise ValueError(f"Only {component} components have any dispersion: ask for fewer, or bring points that differ.")
    longest = int(np.argmax(norms >= (1 - TIE) * norms.max()))
    return [longest, *rng.permutation(np.flatnonzero(norms))[: count(restarts, "restarts", at_least=0)]]


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
    X = as_matrix(X, min_samples=2)
    if len(X) > 16:
        raise ValueError(f"The exact search tries 2^(n-1) sign vectors, so n may be at most 16, got {len(X)}: use PCAL1.")
    X = X - X.mean(0)
    codes = np.arange(2 ** (len(X) - 1))
    signs = 1 - 2 * ((codes[:, None] >> np.arange(len(X))) & 1)  # the last sign is +1: -p gives the same direction
    sums = signs @ X
    lengths = np.linalg.norm(sums, axis=1)
    if lengths.max() == 0:
        raise ValueError("All points are the same, so no direction has any dispersion: bring points that differ.")
    w = sums[np.argmax(lengths >= (1 - TIE) * lengths.max())]
    return settle_signs((w / np.linalg.norm(w))[:, None])[:, 0], float(lengths.max())


# The other view of 000/s27: not the dispersion made large, but the error made small.


class R1PCA(Transformer):
    """min_W Σ_i |x_i - WWᵀx_i| with WᵀW = I: the distances, not their squares               (L1.10)

    Repeated: weight_i = 1/√(r_i² + ε), then W = leading eigenvectors of Σ weight_i x_i x_iᵀ. components_ (k, d), error_.
    C. Ding et al., R1-PCA: rotational invariant L1-norm principal component analysis, ICML 2006.  Page 000/s27.
    """

    def __init__(self, n_components=1, max_rounds=200):
        self.n_components = n_components
        self.max_rounds = max_rounds

    def steps(self, X):
        """(W, objective) of every round; the objective Σ √(r_i² + ε) never grows."""
        X, unit = _unit_size(X)
        weight, old = np.ones(len(X)), np.inf
        for _ in range(count(self.max_rounds, "max_rounds")):
            W = _leading(X.T @ (weight[:, None] * X), count(self.n_components, "n_components"))
            error = np.sqrt(((X - X @ W @ W.T) ** 2).sum(1) + SMOOTH)  # (L1.10)
            yield W, unit * error.sum()
            if error.sum() >= (1 - TINY) * old:
                return
            weight, old = 1 / error, error.sum()

    def fit(self, X, y=None):
        for W, error in self.steps(X):
            self.components_, self.error_ = settle_signs(W).T, error
        X = as_matrix(X)
        self.mean_, self.n_features_in_ = X.mean(0), X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T


class L1PCA(R1PCA):
    """min_{W,V} Σ_i |x_i - W v_i|₁: absolute errors, entry by entry, so it depends on the axes   (L1.11)

    Repeated: weights 1/√(e_ij² + ε), then V and W in turn by weighted least squares.  Page 000/s27.
    """

    def steps(self, X):
        """(W, objective) of every round; the objective Σ √(e_ij² + ε) never grows."""
        X, unit = _unit_size(X)
        W = _leading(X.T @ X, count(self.n_components, "n_components"))
        V, old = X @ W, np.inf
        for _ in range(count(self.max_rounds, "max_rounds")):
            E = np.sqrt((X - V @ W.T) ** 2 + SMOOTH)  # (L1.11)
            yield np.linalg.qr(W)[0], unit * E.sum()
            if E.sum() >= (1 - TIE) * old:
                return
            old = E.sum()
            V = _weighted(W, X, 1 / E)
            E = np.sqrt((X - V @ W.T) ** 2 + SMOOTH)
            W = _weighted(V, X.T, 1 / E.T)


def _unit_size(X):
    """X centred and divided by its median norm, which no outlier moves; -> X, that norm."""
    X = as_matrix(X, min_samples=2)
    X = X - X.mean(0)
    norms = np.linalg.norm(X, axis=1)
    unit = np.median(norms[norms > 0]) if norms.any() else 1.0
    return X / unit, unit


def _leading(S, k):
    lam, V = top_eigh(S, k)
    if len(lam) < k:
        raise ValueError(f"n_components = {k}, but this data has only {len(lam)} directions of variance: ask for fewer.")
    return V


def _weighted(A, B, weight):
    """Row by row, the least-squares coefficients of B on the columns of A with these weights; -> (len(B), k)."""
    normal = np.einsum("ij,jk,jl->ikl", weight, A, A)
    return np.linalg.solve(normal, np.einsum("ij,ij,jk->ik", weight, B, A)[..., None])[..., 0]
