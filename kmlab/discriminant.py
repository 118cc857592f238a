"""Fisher discriminants: directions that push classes apart and hold each together; global, local, in feature space."""

import numpy as np
from scipy.linalg import eigh, eigvalsh

from . import _checks as check
from ._bases import Transformer
from .engine.distances import exact_sqdist
from .engine.eigen import RANK_TOL, TINY, plus_diagonal, rounding, settle_signs
from .engine.tiles import sums_over
from .gram import largest
from .kernels import Gaussian, feature_distance2


def fda_weights(y):
    """Wᵇ_ij = 1/n - 1/n_ℓ, Wʷ_ij = 1/n_ℓ if y_i = y_j = ℓ;  Wᵇ_ij = 1/n, Wʷ_ij = 0 if not       (FDA.1)

    labels (n,) -> Wᵇ (n, n), Wʷ (n, n).  Page 001/p128.
    """
    return weights_of(two_or_more(y, np.size(y), fda_weights)[1])


def lfda_weights(X, y, n_neighbors=7):
    """(FDA.1) with every entry inside a class multiplied by A_ij = exp(-|x_i - x_j|² / (s_i s_j))    (LFDA.1)

    s_i is the distance of x_i to its n_neighbors-th neighbour inside the class, or to the last one if there are fewer.
    (n, d), labels (n,) -> Wᵇ (n, n), Wʷ (n, n).
    """
    X = check.matrix(X, min_samples=2)
    codes = two_or_more(y, len(X), lfda_weights)[1]
    return weights_of(codes, nearness(exact_sqdist(X), codes, n_neighbors))


def scatter(F, W):
    """Fᵀ L F = ½ Σ_ij W_ij (f_i - f_j)(f_i - f_j)ᵀ with L = diag(W1) - W                     (FDA.2)

    F = X gives a scatter matrix of the primal, F = K its partner in the dual; (n, p), (n, n) -> (p, p).  Page 001/p128.
    """
    F, W = check.matrix(F, "F"), check.matrix(W, "W")
    if W.shape != (len(F), len(F)):
        raise ValueError(f"W has shape {W.shape} for {len(F)} rows of F: give one row and one column for each.")
    F = F - F.mean(0)  # L1 = 0, so the origin is free: the mean loses the fewest digits
    return F.T @ (W.sum(1)[:, None] * F - W @ F)


class _ToldClasses(Transformer):
    """What all discriminants share: fit(X, y) with the labels of two or more classes, codes from 0 in fit_to."""

    def accept(self, X, y=None):
        X = check.matrix(X, min_samples=self.min_samples)
        self.classes_, codes = two_or_more(y, len(X), self)
        return X, codes

    def most_directions(self, Z):
        """How many there can be, and why."""
        return len(self.classes_) - 1, f"{len(self.classes_)} classes give"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class FDA(_ToldClasses):
    """Directions b in which classes lie far apart, measured by their width:  S_b b = λ S_w b, largest λ first   (FDA.3)

    S_b = Σ_ℓ n_ℓ (μ_ℓ - μ)(μ_ℓ - μ)ᵀ,  S_w = Σ_ℓ Σ_i (x_i - μ_ℓ)(x_i - μ_ℓ)ᵀ; c classes give at most c - 1 directions.
    components_ (k, d) with bᵀS_w b = 1, lam_ (k,); the scores of the training points have mean zero.
    Pages 001/p117, p128, 003/s31, 000/s6.

    R. A. Fisher, The use of multiple measurements in taxonomic problems, Annals of Eugenics 7, 1936.
    """

    n_components: check.optional(check.count) = None

    def fit_to(self, X, codes):
        self.mean_ = X.mean(0)
        Z, P = whitened(X)  # Z = Xc P: a direction does not care for units
        S_b, S_w = self.scatters(X, Z, codes)
        refuse_no_width(S_w)
        self.lam_, B = largest_quotients(S_b, S_w, self.n_components, *self.most_directions(Z))  # (FDA.3)
        self.components_ = settle_signs(P @ B).T

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T

    def scatters(self, X, Z, codes):
        return class_scatters(Z, codes)


class LFDA(FDA):
    """FDA that holds together only the neighbours in a class, so that a class may live in several places.

    (FDA.3) with the scatter matrices (FDA.2) of the weights (LFDA.1); as many directions as there are features.

    M. Sugiyama, Dimensionality reduction of multimodal labeled data by local Fisher discriminant analysis, JMLR, 2007.
    """

    n_neighbors: check.count = 7

    def scatters(self, X, Z, codes):
        W_b, W_w = weights_of(codes, nearness(exact_sqdist(X), codes, self.n_neighbors))
        return scatter(Z, W_b), scatter(Z, W_w)

    def most_directions(self, Z):
        return Z.shape[1], f"points that differ in {Z.shape[1]} directions give"


class KernelFDA(_ToldClasses):
    """FDA of the images, from the Gram matrix alone:  K Lᵇ K α = λ (K Lʷ K + εI) α, largest λ first   (FDA.4)

    ε > 0 is needed: K Lʷ K has at least c directions of no width. eps=None takes 1e-3 tr(K Lʷ K)/n.
    alphas_ (n, k) with αᵀ(K Lʷ K + εI)α = 1, lam_ (k,), eps_; score(x) = Σ_i α_i k(x_i, x) - its mean     (FDA.5)
    Pages 001/p128, 002/s29.

    S. Mika, G. Rätsch, J. Weston, B. Schölkopf, K.-R. Müller, Fisher discriminant analysis with kernels, NNSP 1999.
    """

    kernel: check.kernel = Gaussian("median")
    eps: check.optional(check.positive) = None
    n_components: check.optional(check.count) = None
    needs = "images"

    def fit_to(self, X, codes):
        K = self.kernel(X)
        KLbK, KLwK = finite(self.scatters, K, codes)  # (FDA.2)
        self.eps_ = ridge_for(KLwK, self.eps)
        within = plus_diagonal(KLwK, self.eps_)  # K Lʷ K + εI
        self.lam_, alphas = largest_quotients(KLbK, within, self.n_components, *self.most_directions(K))  # (FDA.4)
        self.alphas_ = settle_signs(alphas)
        self.mean_, self.X_ = (K @ self.alphas_).mean(0), X.copy()

    def transform(self, X):  # (m, d) -> (m, k)
        return sums_over(self.kernel, self._check_new(X), self.X_, self.alphas_) - self.mean_  # (FDA.5)

    def on_grid(self, xs, ys):
        """Scores on a grid of 2-d points; -> (len(ys), len(xs), k)."""
        self._check_fitted()
        return self.kernel.on_grid(xs, ys, self.X_, self.alphas_) - self.mean_

    def scatters(self, K, codes):
        return class_scatters(K, codes)


class KernelLFDA(KernelFDA):
    """LFDA of the images: (FDA.4) with the weights (LFDA.1), nearness measured by distances in feature space."""

    n_neighbors: check.count = 7

    def scatters(self, K, codes):
        W_b, W_w = weights_of(codes, nearness(feature_distance2(K), codes, self.n_neighbors))
        return scatter(K, W_b), scatter(K, W_w)

    def most_directions(self, K):
        return len(K) - 1, f"{len(K)} points give"


def weights_of(codes, A=1.0):
    """(FDA.1), or (LFDA.1) with a nearness A (n, n)."""
    same = codes[:, None] == codes
    within = np.where(same, A / np.bincount(codes)[codes], 0.0)
    return np.where(same, A, 1.0) / len(codes) - within, within


def nearness(D2, codes, n_neighbors):
    """A_ij = exp(-D2_ij / (s_i s_j)), each point with its own scale s_i; (n, n) -> (n, n)."""
    k = check.count(n_neighbors, "n_neighbors")
    s = np.empty(len(D2))
    for label in range(codes.max() + 1):
        members = np.flatnonzero(codes == label)
        inside = np.sort(np.sqrt(D2[np.ix_(members, members)]), axis=1)  # column 0 is the point itself
        s[members] = inside[:, min(k, len(members) - 1)]
    with np.errstate(divide="ignore", invalid="ignore"):  # among duplicates only a duplicate is near
        return np.exp(-np.where(D2 > 0, D2 / np.outer(s, s), 0.0))


def class_scatters(F, codes):
    """S_b and S_w from the means of the classes; (n, p) -> (p, p), (p, p)."""
    means = np.stack([F[codes == label].mean(0) for label in range(codes.max() + 1)])[codes]
    between, within = means - F.mean(0), F - means
    between[np.abs(between) <= rounding(F)] = 0  # means that agree up to rounding agree
    return between.T @ between, within.T @ within


def finite(scatters, K, codes):
    """scatters(K, codes), refused where they overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        return [check.no_overflow(S, "The scatter matrices") for S in scatters(K, codes)]


def ridge_for(KLwK, eps):
    """eps, or without one a thousandth of the mean scatter, if it is above rounding."""
    eps = 1e-3 * np.trace(KLwK) / len(KLwK) if eps is None else eps
    if eps <= rounding(KLwK):
        raise ValueError(
            f"eps = {eps:.3g} is not above the rounding errors of the within-class scatter, {rounding(KLwK):.3g}: "
            "raise eps, and make sure that some class has points that differ."
        )
    return float(eps)


def largest_quotients(S_b, S_w, asked, most, owner):
    """The largest eigenpairs of S_b b = λ S_w b that are not zero, bᵀS_w b = 1; there are at most `most`."""
    n, wanted = len(S_b), most if asked is None else asked
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


def whitened(X):
    """Z = Xc P (n, r) with ZᵀZ = I and P (d, r): no units, and no direction in which the points do not differ."""
    Xc = X - X.mean(0)
    blur = len(X) * np.finfo(float).eps * np.abs(X).max(0)
    Xc[:, np.ptp(X, axis=0) <= np.maximum(blur, TINY)] = 0  # constant, up to rounding
    unit = np.abs(Xc).max(0)
    unit[unit == 0] = 1.0
    F = Xc / unit
    lam, V = largest(F.T @ F, floor=rounding(F) ** 2)
    if len(lam) == 0:
        raise ValueError("The points of X do not differ beyond rounding: there is nothing to discriminate by.")
    P = V / np.sqrt(lam)
    return F @ P, P / unit[:, None]


def refuse_no_width(S_w):
    """Refuses a within-class scatter, in whitened coordinates, that is singular."""
    if eigvalsh(S_w)[0] <= RANK_TOL:
        raise ValueError(
            "S_w is singular: there is a direction in which no class has any width, and the quotient has no "
            "maximum. Give more points or fewer features, or use KernelFDA(Linear()), which regularises."
        )


def two_or_more(y, n, owner):
    """y as classes and codes, refused where there is one class only."""
    classes, codes = check.labels(y, n, owner)
    if len(classes) < 2:
        raise ValueError(f"y holds one class only, {classes[0]}: two are needed, add points of another class.")
    return classes, codes
