"""Centring in feature space: the mean of the images becomes the origin, without ever seeing an image."""

from ._checks import as_gram, as_vector
from ._estimator import Transformer


def center_gram(K):
    """Kc = H K H with H = I - 11ᵀ/n                                                        (C.1)

    (n, n) -> (n, n).  Pages 000/s17-18, 002/s21, 004/s25.
    """
    return centered(as_gram(K))


def centered(K):
    """(C.1) for a Gram matrix that a kernel has just made, without checking it again."""
    mean = K.mean(0)
    Kc = K - mean
    Kc -= (mean - mean.mean())[:, None]
    return Kc


class Centerer(Transformer):
    """Remembers the means of the training Gram matrix and centres new points with them.

    Ktc = Kt - Kt 11ᵀ/n - 11ᵀ K/n + 11ᵀ K 11ᵀ/n²                                           (C.2)
    kc(x, x) = k(x, x) - 2 mean_i k(x, x_i) + mean_ij K_ij                                  (C.3)

    Pages 000/s18, 000/s20, 004/s25.
    """

    def fit(self, K, y=None):
        return self.remember(as_gram(K))

    def remember(self, K):
        self.column_means_ = K.mean(0)
        self.mean_ = self.column_means_.mean()
        self.n_features_in_ = len(K)
        return self

    def transform(self, Kt):  # (m, n) -> (m, n)
        return self.center_cross(self._check_new(Kt))

    def transform_diag(self, kdiag, Kt):  # (m,), (m, n) -> (m,)
        Kt = self._check_new(Kt)
        return self.center_diag(as_vector(kdiag, "kdiag", len(Kt)), Kt)

    # remember, center_cross and center_diag are for values that a kernel has just made: nothing to check
    def center_cross(self, Kt):
        return Kt - Kt.mean(1)[:, None] - self.column_means_ + self.mean_  # (C.2)

    def center_diag(self, kdiag, Kt):
        return kdiag - 2 * Kt.mean(1) + self.mean_  # (C.3)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags
