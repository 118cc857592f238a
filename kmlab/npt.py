"""The nonlinear projection trick: plain coordinates for the images in feature space."""

import copy

import numpy as np

from . import _checks as check
from ._bases import Estimator, Transformer
from ._contract import Output
from .centering import centered
from .engine.eigen import RANK_TOL, rounding
from .engine.tiles import in_strips
from .gram import Gram, largest
from .kernels import Gaussian, is_cpsd


class NPT(Transformer):
    """Coordinates Z of the (centred) images in feature space: Z Zᵀ = Kc.

    lecture 000 (columns are samples)      here (rows are samples)
    Kc = U Λ Uᵀ              (NPT.1)       lam_ (r,), U_ (n, r), λ > tol λ₁ only
    Y  = Λ^½ Uᵀ              (NPT.2)       Z  = U_ √lam_              (n, r)
    y  = Λ^-½ Uᵀ k(x)        (NPT.3)       Zt = Ktc U_ / √lam_        (m, r)
    t² = k(x, x) - |y|²      (NPT.4)       t = residual(Xt)           (m,)

    y is the coordinate of the projection φ_P(x); t is the length of φ(x) - φ_P(x), coordinate r + 1 of φ(x) itself.
    The k of the lecture is the centred one. A t² as small as rounding and dropped eigenvalues leave of the training
    points, blur_, counts as 0.

    N. Kwak, Nonlinear projection trick in kernel methods, IEEE TNNLS 24(12), 2013.  Pages 000/s7-20.
    """

    kernel: check.kernel = Gaussian("median")
    center: check.flag = True
    tol: check.share = RANK_TOL
    needs = property(lambda self: "distances" if self.center else "images")

    def fit_to(self, X):
        K = Gram(self.kernel, X)
        Kc = K.centered() if self.center else K  # (C.1)
        self.lam_, self.U_ = largest(Kc, tol=self.tol)  # (NPT.1)
        self.rank_ = spanned(self.lam_)
        self.X_, self.centerer_ = X.copy(), K.centered().centerer
        self.blur_ = 4 * np.abs(self._missed_by(X, K.diag)).max()  # it should be 0

    def fit_transform(self, X, y=None, residual=False):  # (n, d) -> Z (n, r), or (Z, 0) (n, r + 1)
        self.fit(X)
        Z = self.U_ * np.sqrt(self.lam_)  # (NPT.2)
        return np.column_stack([Z, np.zeros(len(Z))]) if _wanted(residual) else Z

    def transform(self, X, residual=False):  # (m, d) -> Zt (m, r), or (Zt, t) (m, r + 1)
        Zt = in_strips(lambda B: self._project(self.kernel(B, self.X_)), self._check_new(X), 2 * len(self.X_))
        return np.column_stack([Zt, self.residual(X)]) if _wanted(residual) else Zt

    def residual(self, X):
        """t, the distance of φ(x) from the span of the training images; (m, d) -> (m,)."""
        X = self._check_new(X)
        kdiag = self.kernel.diag(X)
        return np.sqrt(_zero_below(self.blur_ + _rounding_of(kdiag), self._missed_by(X, kdiag)))

    def coords_of(self, alpha):
        """β = Zᵀα, the coordinates of w = Σ α_i φ(x_i); (n,) -> (r,)                       (NPT.5)  Page 000/s15."""
        self._check_fitted()
        return check.vector(alpha, "alpha", len(self.U_)) @ self.U_ * np.sqrt(self.lam_)

    def _project(self, Kt):
        Ktc = self.centerer_.center_cross(Kt) if self.center else Kt
        return Ktc @ (self.U_ / np.sqrt(self.lam_))  # (NPT.3)

    def _missed(self, Kt, kdiag):
        length2 = self.centerer_.center_diag(kdiag, Kt) if self.center else kdiag
        return length2 - (self._project(Kt) ** 2).sum(1)  # (NPT.4)

    def _missed_by(self, X, kdiag):
        def of(rows):
            return self._missed(self.kernel(rows[:, :-1], self.X_), rows[:, -1])

        return in_strips(of, np.column_stack([X, kdiag]), 2 * len(self.X_))


def spanned(lam):
    """The number of dimensions that the images span, refused where it is none."""
    if len(lam) == 0:
        raise ValueError(
            "The images of X span nothing: the points are all the same to this kernel, or it is not positive "
            "semi-definite on them. Check the data and the kernel's width."
        )
    return len(lam)


def _wanted(residual):
    return check.one_of(residual, (True, False), "residual")


def _rounding_of(kdiag):
    """How far a difference of sums as large as k(x, x) can be off; its root would be a million times as large."""
    return 16 * np.finfo(float).eps * np.abs(kdiag)


def _zero_below(limit, values):
    """values, and 0 where they are not larger than limit."""
    return np.where(values > limit, values, 0.0)


def embed_cpsd(K):
    """Points whose distances a conditionally positive semi-definite K stands for: Z Zᵀ = ½ H K H     (NPT.6)

    |z_i - z_j|² = ½ (K_ii + K_jj) - K_ij, which is -K_ij where the diagonal is zero: classical multidimensional
    scaling, without coordinates to begin with. (n, n) -> Z (n, r), the widest direction first.  Page 002/s6.
    I. Schoenberg, Remarks to Maurice Fréchet's article, Annals of Mathematics 36, 1935.
    """
    K = check.gram(K)
    if not is_cpsd(K):
        raise ValueError(
            "K is not conditionally positive semi-definite, so no points have these distances: ½HKH has a negative "
            "eigenvalue. Lower the power of a NegativePower to at most 2, or choose another kernel."
        )
    lam, U = largest(centered(K) / 2, floor=rounding(K))  # (NPT.6)
    return U * np.sqrt(lam)


def linear_method(value, name):
    """What has fit: an estimator, not its class."""
    if isinstance(value, type) or not hasattr(value, "fit"):
        missing = " without its brackets" if isinstance(value, type) else ""
        raise TypeError(f"{name} must be an estimator with fit, such as PCA(2), got {value!r}{missing}.")
    return value


class Kernelized(Output, Estimator):
    """A linear method M made a kernel method KM: fit it on NPT coordinates.

    KM(x) = M(y, t)  with  y = Λ^-½ Uᵀ k(x),  t = √(k(x, x) - |y|²)                          (NPT.7)

    because (y_i, 0), the training points, and (y, t) have the inner products of φ(x_i) and φ(x). M must not notice a
    rotation of the coordinates (a lasso or a tree does: it answers differently for each factor of K and has no kernel
    version), nor a coordinate that is 0 for all training points. Both sides centre, or neither.

    y alone belongs to the projection φ_P(x). M(y) = KM(x) wherever t = 0, as for training points, and for every new x
    exactly when M sees it only through inner products with the span of the training images:

    y is enough   PCA, PCAL1, R1PCA, FDA, LFDA, LPP, CCA, PLS, ridge, logistic regression, perceptron, SVC, SVR,
                  OneClassSVM; and comparisons, where t² cancels: nearest mean, label of k-means, order of neighbours
    t is needed   for lengths and distances: SVDD, distance to a mean or a neighbour, reconstruction error; a density
                  needs it too, but it also notices a coordinate that is always 0

    residual=True fits M on (y_i, 0) and answers a new x from (y, t). One new point at a time: each has its residual in
    a direction of its own, so (y, t) and (y', t') do not tell how far two new points are from each other.

    `method` has fit, and predict, transform or decision_function; it is copied, never changed.
    Pages 000/s14, s20, 003/s30.
    """

    _THROUGH = ("predict", "transform", "decision_function", "predict_proba", "score_samples", "score")

    method: linear_method
    kernel: check.kernel = Gaussian("median")
    center: check.flag = True
    residual: check.flag = False

    def accept(self, X, y=None):
        return check.matrix(X, min_samples=2), y

    def fit_to(self, X, y):
        self.npt_ = NPT(self.kernel, self.center)
        self.method_ = copy.deepcopy(self.method)
        Z = np.asarray(self.npt_.fit_transform(X, residual=self.residual))
        self.method_.fit(Z, y)  # (NPT.7)
        self.with_residual_ = self.residual

    def __getattr__(self, name):  # what the method can do, and nothing else
        if name == "classes_":  # scikit-learn's scorers ask a classifier for them
            return self.method_.classes_
        if name == "fit_transform" and hasattr(self.method, "transform"):
            return lambda X, y=None: self.fit(X, y).transform(X)
        if name not in self._THROUGH or not hasattr(self.method, name):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}.")

        def through_npt(X, y=None, **options):
            checked, answer = self._check_new(X), getattr(self.method_, name)
            if y is not None:
                return answer(np.asarray(self.npt_.transform(checked, self.with_residual_)), y, **options)
            found = in_strips(
                lambda B: np.asarray(answer(np.asarray(self.npt_.transform(B, self.with_residual_)), **options)),
                checked,
                4 * len(self.npt_.X_),
            )
            return self._contained(found, X) if name == "transform" else found

        through_npt.__name__ = name  # scikit-learn's scorers ask for it
        return through_npt

    def _columns_out(self):
        return np.shape(self.method_.transform(np.zeros((1, self.npt_.rank_ + self.with_residual_))))[1]

    def __sklearn_tags__(self):
        ours = super().__sklearn_tags__()
        if not hasattr(self.method, "__sklearn_tags__"):
            return ours
        tags = self.method.__sklearn_tags__()  # a kernelised classifier is a classifier
        tags.input_tags, tags.array_api_support = ours.input_tags, ours.array_api_support
        return tags
