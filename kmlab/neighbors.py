"""Neighbours in feature space: votes of the nearest, and densities and classes as sums of bumps."""

import numpy as np

from . import _checks as check
from ._bases import Classifier
from .engine.distances import few_smallest
from .engine.tiles import in_strips, sums_over
from .gram import Gram
from .kernels import Gaussian


class KernelKNN(Classifier):
    """The vote of the n_neighbors training points nearest to x in feature space:

    |φ(x) - φ(x_i)|² = k(x, x) + k(x_i, x_i) - 2 k(x, x_i)                                   (NN.1)

    Equally distant points: the lower index first. Equal votes: the class with the smaller sum of squared distances,
    then the smaller label. A conditionally positive semi-definite kernel will do.  Page 002/s7.
    """

    kernel: check.kernel = Gaussian("median")
    n_neighbors: check.count = 5
    needs = "distances"
    min_samples = 1

    def fit_to(self, X, code):
        if (k := self.n_neighbors) > len(X):
            raise ValueError(f"n_neighbors = {k} is more than there are points, n_samples = {len(X)}: ask for fewer.")
        self.X_, self.code_ = X.copy(), code
        self.diag_ = np.array(Gram(self.kernel, X, wanted=0).diag)  # k(x_i, x_i), and no other value is needed here

    def nearest(self, X):
        """Indices of the nearest training points, nearest first; (m, d) -> (m, n_neighbors)."""
        return in_strips(lambda B: self._nearest(B)[0], self._check_new(X), 2 * len(self.X_))

    def predict(self, X):
        code = in_strips(self._vote, self._check_new(X), 2 * len(self.X_))
        return self.classes_[code]

    def _vote(self, X):
        index, D = self._nearest(X)
        member = self.code_[index][:, :, None] == np.arange(len(self.classes_))  # (m, n_neighbors, classes)
        votes = member.sum(1)
        total = np.where(votes == votes.max(1, keepdims=True), (member * D[:, :, None]).sum(1), np.inf)
        return total.argmin(1)

    def _nearest(self, X):
        D = self.diag_ - 2 * self.kernel(X, self.X_)  # (NN.1) without k(x, x), which no comparison of votes feels
        index = few_smallest(D, self.n_neighbors)
        return index, np.take_along_axis(D, index, 1)


class ParzenClassifier(Classifier):
    """The class whose bumps are higher at x, on average, after an offset:

    f_c(x) = mean_{i∈c} k(x, x_i) - ½ mean_{i,j∈c} k(x_i, x_j)                               (NN.2)

    The largest f_c belongs to the nearest class mean in feature space, |φ(x) - m_c|² = k(x, x) - 2 f_c(x). With two
    classes the decision is f_1 - f_0, which is above zero for classes_[1].  Page 002/s29.
    """

    kernel: check.kernel = Gaussian("median")
    min_samples = 1

    def fit_to(self, X, code):
        K = Gram(self.kernel, X)
        member = (code[:, None] == np.arange(len(self.classes_))).astype(float)
        self.weights_ = member / member.sum(0)  # (n, classes): a column averages over its class
        self.offset_ = -0.5 * (self.weights_ * (K @ self.weights_)).sum(0)
        self.X_ = X.copy()

    def decision_function(self, X):
        """f_1 - f_0 for two classes, (m,); all f_c for more, (m, classes)."""
        return self._decision_from(sums_over(self.kernel, self._check_new(X), self.X_, self.weights_))

    def predict(self, X):
        f = self.decision_function(X)
        return self.classes_[f.argmax(1) if f.ndim == 2 else (f > 0).astype(int)]

    def on_grid(self, xs, ys):
        """decision_function on a grid of 2-d points; -> (len(ys), len(xs)) or (len(ys), len(xs), classes)."""
        self._check_fitted()
        return self._decision_from(self.kernel.on_grid(xs, ys, self.X_, self.weights_))

    def _decision_from(self, means):
        f = means + self.offset_  # (NN.2)
        return f[..., 1] - f[..., 0] if f.shape[-1] == 2 else f


def parzen_density(X, Xt, width):
    """p(x) = 1/n Σ_i (2π s²)^(-d/2) exp(-|x - x_i|² / 2s²), s = width                       (NN.3)

    A bump of standard deviation s on every point of X (n, d), read at Xt (m, d) -> (m,).  Page 002/s29.
    E. Parzen, On estimation of a probability density function and mode, Annals of Mathematical Statistics 33, 1962.
    """
    X, Xt, s = check.matrix(X), check.matrix(Xt, "Xt"), check.length(width, "width")
    if X.shape[1] != Xt.shape[1]:
        raise ValueError(f"X has {X.shape[1]} features and Xt has {Xt.shape[1]}: they must have the same number.")
    with np.errstate(over="ignore"):  # what overflows is refused right after
        heights = sums_over(Gaussian(np.sqrt(2) * s), Xt, X, np.full(len(X), 1 / len(X)))
        height = np.float64(2 * np.pi * s**2) ** (-X.shape[1] / 2)
        return check.no_overflow(height * heights, "The densities")
