"""The nonlinear projection trick: plain coordinates for the images in feature space."""

import copy

import numpy as np

from ._checks import as_gram, as_matrix, as_vector, one_of, share
from ._estimator import Estimator, Transformer
from ._linalg import RANK_TOL, rounding, top_eigh
from .centering import Centerer, centered
from .kernels import Gaussian, as_kernel, is_cpsd


class NPT(Transformer):
    """Coordinates Z of the (centred) images in feature space: Z Zᵀ = Kc.

    lecture 000 (columns are samples)      here (rows are samples)
    Kc = U Λ Uᵀ              (NPT.1)       lam_ (r,), U_ (n, r), λ > tol λ₁ only
    Y  = Λ^½ Uᵀ              (NPT.2)       Z  = U_ √lam_              (n, r)
    y  = Λ^-½ Uᵀ k(x)        (NPT.3)       Zt = Ktc U_ / √lam_        (m, r)
    |φ(x) - φ_P(x)|² = kc(x, x) - |y|²     (NPT.4)

    N. Kwak, Nonlinear projection trick in kernel methods, IEEE TNNLS 24(12), 2013.  Pages 000/s7-20.
    """

    def __init__(self, kernel=Gaussian(), center=True, tol=RANK_TOL):
        self.kernel = kernel
        self.center = center
        self.tol = tol

    def fit(self, X, y=None):
        X = as_matrix(X, min_samples=2)
        K = as_kernel(self.kernel)(X)
        Kc = centered(K) if one_of(self.center, (True, False), "center") else K
        lam, U = top_eigh(Kc, tol=share(self.tol, "tol"), floor=rounding(K))  # (NPT.1)
        if len(lam) == 0:
            raise ValueError(
                "The images of X span nothing: the points are all the same to this kernel, or it is not positive "
                "semi-definite on them. Check the data and the kernel's width."
            )
        self.lam_, self.U_, self.rank_ = lam, U, len(lam)
        self.centerer_ = Centerer().remember(K)
        self.X_, self.n_features_in_ = X.copy(), X.shape[1]
        return self

    def fit_transform(self, X, y=None):  # (n, d) -> Z (n, r)
        self.fit(X)
        return self.U_ * np.sqrt(self.lam_)  # (NPT.2)

    def transform(self, X):  # (m, d) -> Zt (m, r)
        return self._project(self.kernel(self._check_new(X), self.X_))

    def residual(self, X):
        """Distance of φ(x) from the span of the training images; (m, d) -> (m,)."""
        X = self._check_new(X)
        Kt, kdiag = self.kernel(X, self.X_), self.kernel.diag(X)
        if self.center:
            kdiag = self.centerer_.center_diag(kdiag, Kt)
        return np.sqrt(np.maximum(kdiag - (self._project(Kt) ** 2).sum(1), 0))  # (NPT.4)

    def coords_of(self, alpha):
        """β = Zᵀα, the coordinates of w = Σ α_i φ(x_i); (n,) -> (r,)                       (NPT.5)  Page 000/s15."""
        self._check_fitted()
        return as_vector(alpha, "alpha", len(self.U_)) @ self.U_ * np.sqrt(self.lam_)

    def _project(self, Kt):
        Ktc = self.centerer_.center_cross(Kt) if self.center else Kt
        return Ktc @ (self.U_ / np.sqrt(self.lam_))  # (NPT.3)


def embed_cpsd(K):
    """Points whose distances a conditionally positive semi-definite K stands for: Z Zᵀ = ½ H K H     (NPT.6)

    |z_i - z_j|² = ½ (K_ii + K_jj) - K_ij, which is -K_ij where the diagonal is zero: classical multidimensional
    scaling, without coordinates to begin with. (n, n) -> Z (n, r), the widest direction first.  Page 002/s6.
    I. Schoenberg, Remarks to Maurice Fréchet's article, Annals of Mathematics 36, 1935.
    """
    K = as_gram(K)
    if not is_cpsd(K):
        raise ValueError(
            "K is not conditionally positive semi-definite, so no points have these distances: ½HKH has a negative "
            "eigenvalue. Lower the power of a NegativePower to at most 2, or choose another kernel."
        )
    lam, U = top_eigh(centered(K) / 2, floor=rounding(K))  # (NPT.6)
    return U * np.sqrt(lam)


class Kernelized(Estimator):
    """Any rotation-invariant linear method made a kernel method: fit it on NPT coordinates.

    `method` has fit, and predict, transform or decision_function; it is copied, never changed. A method whose answer
    depends on the choice of axes (a lasso, a tree) has no kernel version: it answers differently for each factor of K.
    Pages 000/s20, 003/s30.
    """

    _THROUGH = ("predict", "transform", "decision_function", "predict_proba", "score_samples", "score")

    def __init__(self, method, kernel=Gaussian(), center=True):
        self.method = method
        self.kernel = kernel
        self.center = center

    def fit(self, X, y=None):
        if not hasattr(self.method, "fit"):
            raise TypeError(f"method must be an estimator with fit, such as PCA(2), got {self.method!r}.")
        npt, method = NPT(self.kernel, self.center), copy.deepcopy(self.method)
        method.fit(npt.fit_transform(X), y)
        self.npt_, self.method_ = npt, method
        self.n_features_in_ = npt.n_features_in_
        return self

    def __getattr__(self, name):  # what the method can do, and nothing else
        if name == "classes_":  # scikit-learn's scorers ask a classifier for them
            return self.method_.classes_
        if name == "fit_transform" and hasattr(self.method, "transform"):
            return lambda X, y=None: self.fit(X, y).transform(X)
        if name not in self._THROUGH or not hasattr(self.method, name):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}.")

        def through_npt(X, y=None):
            X = self._check_new(X)
            answer, Zt = getattr(self.method_, name), self.npt_.transform(X)
            return answer(Zt) if y is None else answer(Zt, y)

        through_npt.__name__ = name  # scikit-learn's scorers ask for it
        return through_npt

    def __sklearn_tags__(self):
        ours = super().__sklearn_tags__()
        if not hasattr(self.method, "__sklearn_tags__"):
            return ours
        tags = self.method.__sklearn_tags__()  # a kernelized classifier is a classifier
        tags.input_tags, tags.array_api_support = ours.input_tags, ours.array_api_support
        return tags
