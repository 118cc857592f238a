"""Fisher discriminants: directions that push classes apart and hold each together; global, local, in feature space."""

import numpy as np
from scipy.linalg import eigh, eigvalsh

from . import _checks as check
from ._bases import Transformer
from .engine.distances import exact_sqdist
from .engine.eigen import RANK_TOL, rounding, settle_signs
from .gram import largest
from .kernels import Gaussian, feature_distance2


def fda_weights(y):
    """Wᵇ_ij = 1/n - 1/n_ℓ, Wʷ_ij = 1/n_ℓ if y_i = y_j = ℓ;  Wᵇ_ij = 1/n, Wʷ_ij = 0 if not       (FDA.1)

    labels (n,) -> Wᵇ (n, n), Wʷ (n, n).  Page 001/p128.
    """
    return _weights(_two_or_more(y, np.size(y), fda_weights)[1])


def lfda_weights(X, y, n_neighbors=7):
    """(FDA.1) with every entry inside a class multiplied by A_ij = exp(-|x_i - x_j|² / (s_i s_j))    (LFDA.1)

    s_i is the distance of x_i to its n_neighbors-th neighbour inside the class, or to the last one if there are fewer.
    (n, d), labels (n,) -> Wᵇ (n, n), Wʷ (n, n).
    """
    X = check.matrix(X, min_samples=2)
    codes = _two_or_more(y, len(X), lfda_weights)[1]
    return _weights(codes, _nearness(exact_sqdist(X), codes, n_neighbors))


def scatter(F, W):
    """Fᵀ L F = ½ Σ_ij W_ij (f_i - f_j)(f_i - f_j)ᵀ with L = diag(W1) - W                     (FDA.2)

    F = X gives a scatter matrix of the primal, F = K its partner in the dual; (n, p), (n, n) -> (p, p).  Page 001/p128.
    """
    F, W = check.matrix(F, "F"), check.matrix(W, "W")
    if W.shape != (len(F), len(F)):
        raise ValueError(f"W has shape {W.shape} for {len(F)} rows of F: give one row and one column for each.")
    F = F - F.mean(0)  # L1 = 0, so the origin is free: the mean loses the fewest digits
    return F.T @ (W.sum(1)[:, None] * F - W @ F)


class FDA(Transformer):
    """Directions b in which classes lie far apart, measured by their width:  S_b b = λ S_w b, largest λ first   (FDA.3)

    S_b = Σ_ℓ n_ℓ (μ_ℓ - μ)(μ_ℓ - μ)ᵀ,  S_w = Σ_ℓ Σ_i (x_i - μ_ℓ)(x_i - μ_ℓ)ᵀ; c classes give at most c - 1 directions.
    components_ (k, d) with bᵀS_w b = 1, lam_ (k,); the scores of the training points have mean zero.
    Pages 001/p117, p128, 003/s31, 000/s6.

    R. A. Fisher, The use of multiple measurements in taxonomic problems, Annals of Eugenics 7, 1936.
    """

    def __init__(self, n_components=None):
        self.n_components = n_components

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=2)
        classes, codes = _two_or_more(y, len(X), self)
        mean = X.mean(0)
        F, scale = _standardised(X, mean)
        total, V = largest(F.T @ F, floor=rounding(F) ** 2)  # a direction in which no point differs is left out
        if len(total) == 0:
            raise ValueError("The points of X do not differ beyond rounding: there is nothing to discriminate by.")
        P = V / np.sqrt(total)
        S_b, S_w = self._scatters(X, F @ P, codes)
        if eigvalsh(S_w)[0] <= RANK_TOL:
            raise ValueError(
                "S_w is singular: there is a direction in which no class has any width, and the quotient has no "
                "maximum. Give more points or fewer features, or use KernelFDA(Linear()), which regularises."
            )
        lam, B = _largest(S_b, S_w, self.n_components, *self._most(len(classes), len(S_b)))  # (FDA.3)
        self.lam_, self.components_ = lam, settle_signs(P @ B / scale[:, None]).T
        self.mean_, self.classes_, self.n_features_in_ = mean, classes, X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T

    def _scatters(self, X, F, codes):
        return _class_scatters(F, codes)

    def _most(self, n_classes, size):
        return n_classes - 1, f"{n_classes} classes give"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class LFDA(FDA):
    """FDA that holds together only the neighbours in a class, so that a class may live in several places.

    (FDA.3) with the scatter matrices (FDA.2) of the weights (LFDA.1); as many directions as there are features.

    M. Sugiyama, Dimensionality reduction of multimodal labeled data by local Fisher discriminant analysis, JMLR, 2007.
    """

    def __init__(self, n_components=None, n_neighbors=7):
        self.n_components = n_components
        self.n_neighbors = n_neighbors

    def _scatters(self, X, F, codes):
        W_b, W_w = _weights(codes, _nearness(exact_sqdist(X), codes, self.n_neighbors))
        return scatter(F, W_b), scatter(F, W_w)

    def _most(self, n_classes, size):
        return size, f"points that differ in {size} directions give"


class KernelFDA(FDA):
    """FDA of the images, from the Gram matrix alone:  K Lᵇ K α = λ (K Lʷ K + εI) α, largest λ first   (FDA.4)

    ε > 0 is needed: K Lʷ K has at least c directions of no width. eps=None takes 1e-3 tr(K Lʷ K)/n.
    alphas_ (n, k) with αᵀ(K Lʷ K + εI)α = 1, lam_ (k,), eps_; score(x) = Σ_i α_i k(x_i, x) - its mean     (FDA.5)
    Pages 001/p128, 002/s29.

    S. Mika, G. Rätsch, J. Weston, B. Schölkopf, K.-R. Müller, Fisher discriminant analysis with kernels, NNSP 1999.
    """

    def __init__(self, kernel=Gaussian(), eps=None, n_components=None):
        self.kernel = kernel
        self.eps = eps
        self.n_components = n_components

    def fit(self, X, y=None):
        X = check.matrix(X, min_samples=2)
        eps = None if self.eps is None else check.positive(self.eps, "eps")
        classes, codes = _two_or_more(y, len(X), self)
        K = check.kernel(self.kernel)(X)
        with np.errstate(over="ignore", invalid="ignore"):
            KLbK, KLwK = (check.no_overflow(S, "The scatter matrices") for S in self._scatters(K, K, codes))
        eps = 1e-3 * np.trace(KLwK) / len(K) if eps is None else eps
        if eps <= rounding(KLwK):
            raise ValueError(
                f"eps = {eps:.3g} is not above the rounding errors of the within-class scatter, {rounding(KLwK):.3g}: "
                "raise eps, and make sure that some class has points that differ."
            )
        most = self._most(len(classes), len(K))
        lam, alphas = _largest(KLbK, KLwK + eps * np.eye(len(K)), self.n_components, *most)  # (FDA.4)
        self.lam_, self.alphas_, self.eps_ = lam, settle_signs(alphas), float(eps)
        self.mean_ = (K @ self.alphas_).mean(0)
        self.X_, self.classes_, self.n_features_in_ = X.copy(), classes, X.shape[1]
        return self

    def transform(self, X):  # (m, d) -> (m, k)
        return self.kernel(self._check_new(X), self.X_) @ self.alphas_ - self.mean_  # (FDA.5)

    def on_grid(self, xs, ys):
        """Scores on a grid of 2-d points; -> (len(ys), len(xs), k)."""
        self._check_fitted()
        return self.kernel.on_grid(xs, ys, self.X_, self.alphas_) - self.mean_


class KernelLFDA(KernelFDA):
    """LFDA of the images: (FDA.4) with the weights (LFDA.1), nearness measured by distances in feature space."""

    def __init__(self, kernel=Gaussian(), eps=None, n_components=None, n_neighbors=7):
        self.kernel = kernel
        self.eps = eps
        self.n_components = n_components
        self.n_neighbors = n_neighbors

    def _scatters(self, K, F, codes):
        W_b, W_w = _weights(codes, _nearness(feature_distance2(K), codes, self.n_neighbors))
        return scatter(F, W_b), scatter(F, W_w)

    def _most(self, n_classes, size):
        return size - 1, f"{size} points give"


def _weights(codes, A=1.0):
    """(FDA.1), or (LFDA.1) with a nearness A (n, n)."""
    same = codes[:, None] == codes
    within = np.where(same, A / np.bincount(codes)[codes], 0.0)
    return np.where(same, A, 1.0) / len(codes) - within, within


def _nearness(D2, codes, n_neighbors):
    """A_ij = exp(-D2_ij / (s_i s_j)), each point with its own scale s_i; (n, n) -> (n, n)."""
    k = check.count(n_neighbors, "n_neighbors")
    s = np.empty(len(D2))
    for label in range(codes.max() + 1):
        members = np.flatnonzero(codes == label)
        inside = np.sort(np.sqrt(D2[np.ix_(members, members)]), axis=1)  # column 0 is the point itself
        s[members] = inside[:, min(k, len(members) - 1)]
    with np.errstate(divide="ignore", invalid="ignore"):  # among duplicates only a duplicate is near
        return np.exp(-np.where(D2 > 0, D2 / np.outer(s, s), 0.0))


def _class_scatters(F, codes):
    """S_b and S_w from the means of the classes; (n, p) -> (p, p), (p, p)."""
    means = np.stack([F[codes == label].mean(0) for label in range(codes.max() + 1)])[codes]
    between, within = means - F.mean(0), F - means
    between[np.abs(between) <= rounding(F)] = 0  # means that agree up to rounding agree
    return between.T @ between, within.T @ within


def _largest(S_b, S_w, asked, most, owner):
    """The largest eigenpairs of S_b b = λ S_w b that are not zero, bᵀS_w b = 1; there are at most `most`."""
    n = len(S_b)
    wanted = most if asked is None else check.count(asked, "n_components")
    if wanted > most:
        raise ValueError(f"n_components = {wanted}, but {owner} at most {most}: ask for fewer.")
    lam, B = eigh(S_b, S_w, subset_by_index=(n - min(wanted, n), n - 1))
    lam, B = lam[::-1], B[:, ::-1]
    keep = lam > max(RANK_TOL * lam[0], 0.0)
    if not keep.any() or (asked is not None and keep.sum() < asked):
        raise ValueError(
            f"The classes lie apart in {keep.sum()} directions, {wanted} are asked for: ask for fewer if you can, "
            "and check that the class means differ."
        )
    return lam[keep], B[:, keep]


def _standardised(X, mean):
    """Centred columns of size one, because a Fisher direction does not care for units, and their sizes."""
    Xc = X - mean
    Xc[:, np.ptp(X, axis=0) <= len(X) * np.finfo(float).eps * np.abs(X).max(0)] = 0  # constant, up to rounding
    size = np.abs(Xc).max(0)
    size[size == 0] = 1.0
    return Xc / size, size


def _two_or_more(y, n, owner):
    classes, codes = check.labels(y, n, owner)
    if len(classes) < 2:
        raise ValueError(f"y holds one class only, {classes[0]}: two are needed, add points of another class.")
    return classes, codes
