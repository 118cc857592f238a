"""Centring in feature space: the mean of the images becomes the origin, without ever seeing an image."""

from . import _checks as check
from ._bases import Transformer


def center_gram(K):
    """Kc = H K H with H = I - 11ᵀ/n                                                        (C.1)

    (n, n) -> (n, n).  Pages 000/s17-18, 002/s21, 004/s25.
    """
    return centered(check.gram(K))


def centered(K):
    mean = K.mean(0)
    return K - mean - (mean - mean.mean())[:, None]  # (C.1)


def seen_from(Kt, share, mean):
    """The same with m = Σ_j share_j φ_j as origin, where mean holds ⟨m, φ_i⟩; (C.2) where all shares are 1/n."""
    return Kt - (Kt @ share)[:, None] - mean + mean @ share


class Centerer(Transformer):
    """Remembers the means of the training Gram matrix and centres new points with them.

    Ktc = Kt - Kt 11ᵀ/n - 11ᵀ K/n + 11ᵀ K 11ᵀ/n²                                           (C.2)
    kc(x, x) = k(x, x) - 2 mean_i k(x, x_i) + mean_ij K_ij                                  (C.3)

    Pages 000/s18, 000/s20, 004/s25.
    """

    def accept(self, K, y=None):
        return (check.gram(K),)

    def fit_to(self, K):
        self.remember(K.mean(0))

    def transform(self, Kt):  # (m, n) -> (m, n)
        return self.center_cross(self._check_new(Kt))

    def transform_diag(self, kdiag, Kt):  # (m,), (m, n) -> (m,)
        Kt = self._check_new(Kt)
        return self.center_diag(check.vector(kdiag, "kdiag", len(Kt)), Kt)

    # the rest is for values that a kernel has just made: nothing to check

    def center_cross(self, Kt):
        return Kt - Kt.mean(1)[:, None] - self.column_means_ + self.mean_  # (C.2)

    def center_diag(self, kdiag, Kt):
        return kdiag - 2 * Kt.mean(1) + self.mean_  # (C.3)

    def remember(self, column_means):
        self.column_means_ = column_means
        self.mean_ = column_means.mean()
        self.n_features_in_ = len(column_means)
        return self

    def offset(self, alphas):
        """What is left of (C.2) where Σα = 0, a constant for each column: Ktc α = Kt α - offset; (n, k) -> (k,)."""
        return (self.column_means_ - self.mean_) @ alphas

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags
