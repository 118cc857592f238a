"""Principal components: linear, dual, and in feature space."""

import numpy as np
from scipy.linalg import eigh, eigvalsh

from . import _checks as check
from ._bases import Transformer
from .engine.eigen import RANK_TOL, rounding, settle_signs
from .engine.tiles import in_strips, sums_over
from .gram import Gram, largest
from .kernels import Gaussian


class PCA(Transformer):
    """Directions v of largest variance: C v = (λ/n) v with C = XcᵀXc / n                    (PCA.1)

    route="dual" solves XcXcᵀ u = λ u instead and maps back, v = Xcᵀu / √λ                   (PCA.2)
    "auto" takes the smaller of the two problems. λ is on the Gram scale, λ/n is a variance.

    components_ (k, d), lam_ (k,), explained_variance_ (k,).  Pages 002/s8-11, s26, 003/s32-35.
    """

    n_components: check.optional(check.count) = None
    route: check.choice("auto", "primal", "dual") = "auto"

    def fit_to(self, X):
        self.mean_ = X.mean(0)
        Xc = X - self.mean_
        n, d = X.shape
        floor = rounding(X) ** 2
        if self.route == "primal" or (self.route == "auto" and d <= n):
            lam, V = largest(Xc.T @ Xc, self.n_components, floor=floor)  # (PCA.1)
        else:
            lam, U = largest(Xc @ Xc.T, self.n_components, floor=floor)
            V = settle_signs(Xc.T @ (U / np.sqrt(lam)))  # (PCA.2)
        enough(lam, self.n_components)
        self.lam_, self.components_ = lam, V.T
        self.explained_variance_ = lam / n
        self.explained_variance_ratio_ = lam / (Xc**2).sum()

    def transform(self, X):  # (m, d) -> (m, k)
        return (self._check_new(X) - self.mean_) @ self.components_.T

    def inverse_transform(self, Z):  # (m, k) -> (m, d)
        self._check_fitted()
        Z = check.matrix(Z, "Z")
        if Z.shape[1] != len(self.lam_):
            raise ValueError(f"Z has {Z.shape[1]} columns for {len(self.lam_)} components: give one for each.")
        return Z @ self.components_ + self.mean_


class KernelPCA(Transformer):
    """Principal components of the images in feature space, from the Gram matrix alone.

    Kc u = λ u               (KPCA.1)      lam_ (k,), descending, λ > tol λ₁ only
    α = u / √λ               (KPCA.2)      alphas_ (n, k): axes Σ α_i φ(x_i) of length one
    score = Σ α_i kc(x, x_i) (KPCA.3)      transform (m, k)
    variance = λ / n         (KPCA.4)      explained_variance_, its share of the whole in explained_variance_ratio_

    B. Schölkopf, A. Smola, K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, 1998.
    Pages 000/s21-22, 002/s12-25, s27, 003/s36-39, 004/s21-26.
    """

    kernel: check.kernel = Gaussian("median")
    n_components: check.optional(check.count) = None
    tol: check.share = RANK_TOL
    needs = "distances"

    def fit_to(self, X):
        Kc = Gram(self.kernel, X).centered()  # (C.1)
        lam, U = largest(Kc, self.n_components, self.tol)  # (KPCA.1)
        enough(lam, self.n_components)
        self.lam_ = lam
        self.alphas_ = U / np.sqrt(lam)  # (KPCA.2)
        self.explained_variance_ = lam / len(X)  # (KPCA.4)
        self.explained_variance_ratio_ = lam / variance_in(Kc)
        self.centerer_, self.X_ = Kc.centerer, X.copy()

    def fit_transform(self, X, y=None):  # (n, d) -> (n, k)
        self.fit(X)
        return self.alphas_ * self.lam_  # Kc α = λ α

    def transform(self, X):  # (m, d) -> (m, k)
        sums = sums_over(self.kernel, self._check_new(X), self.X_, self.alphas_)
        return sums - self.centerer_.offset(self.alphas_)  # (KPCA.3)

    def inverse_transform(self, Z, method=None, **options):
        """Points whose images come closest to these scores, as `preimage` finds them; (m, k) -> (m, d)."""
        from .preimage import preimage

        return preimage(self, Z, method or self.kernel.way_back, **options)

    def reconstruction_error(self, X):
        """|φ(x) - its projection on the axes|², what the kept components miss; (m, d) -> (m,)   (KPCA.5)"""
        return in_strips(self._missed, self._check_new(X), 2 * len(self.X_))

    def _missed(self, X):
        Kt = self.kernel(X, self.X_)
        whole = self.centerer_.center_diag(self.kernel.diag(X), Kt)
        return np.maximum(whole - ((self.centerer_.center_cross(Kt) @ self.alphas_) ** 2).sum(1), 0)

    def on_grid(self, xs, ys):
        """Scores on a grid of 2-d points; -> (len(ys), len(xs), k)."""
        self._check_fitted()
        return self.kernel.on_grid(xs, ys, self.X_, self.alphas_) - self.centerer_.offset(self.alphas_)


def rayleigh(S_b, S_w):
    """max wᵀS_b w / wᵀS_w w:  S_b w = λ S_w w, largest λ first                              (PCA.3)

    (d, d), (d, d) -> lam (d,), W (d, d) with WᵀS_wW = I.  Pages 003/s31-34.
    """
    S_b, S_w = check.gram(S_b, "S_b"), check.gram(S_w, "S_w")
    if S_b.shape != S_w.shape:
        raise ValueError(f"S_b has shape {S_b.shape} and S_w {S_w.shape}: they must agree.")
    if eigvalsh(S_w)[0] <= rounding(S_w):
        raise ValueError("S_w must be positive definite, or the quotient is unbounded: add a small ridge.")
    lam, W = eigh(S_b, S_w)
    return lam[::-1], settle_signs(W[:, ::-1])


def ring_spectrum(radii):
    """λ/n of the kernel (xᵀz + 1)² on equally filled rings of these radii, descending      (PCA.4)

    Var(R²)/2 for the component that tells the rings apart, E[R⁴]/4 twice, E[R²] twice.  Pages 002/s23-24.
    """
    R2 = check.vector(check.vector(radii, "radii") ** 2, "radii²")
    return np.sort([R2.var() / 2, *[(R2**2).mean() / 4] * 2, *[R2.mean()] * 2])[::-1]


def variance_in(Kc):
    """The trace of Kc, n times the variance of the images; refused where there is none."""
    if (whole := Kc.trace) <= 0:
        raise ValueError("The variance in feature space is not positive: use a positive semi-definite kernel.")
    return whole


def enough(lam, wanted):
    """Refuses data with fewer directions of variance than are asked for."""
    if len(lam) == 0:
        raise ValueError(
            "The points of X (or their images under the kernel) do not differ beyond rounding, so there is no "
            "direction of variance: vary or rescale the data, or choose another width."
        )
    if wanted is not None and wanted > len(lam):
        raise ValueError(
            f"n_components = {wanted}, but this data has only {len(lam)} components with any variance: ask for fewer."
        )
