"""Rows of a Gram matrix: all at once where BLAS makes them cheap, else each when it is first asked for."""

import numpy as np

from .kernels import Gaussian, Precomputed, as_kernel

CACHE = 2**30  # bytes of kernel rows that are kept
IN_REACH = 10**6  # entries of X that stay in the processor's cache; beyond, a single row is as dear as a hundred


class Rows:
    """K[i], row i of k(X) + ridge I, and K.diag; kernel=None means that X is such a matrix already."""

    def __init__(self, X, kernel=None, ridge=0.0):
        n, d = X.shape
        self.ridge, self.known, self._most, K = ridge, {}, max(2, CACHE // (8 * n)), None
        if kernel is None or isinstance(as_kernel(kernel), Precomputed):
            K = X.copy() if ridge else X
        elif isinstance(kernel, Gaussian) and n * d <= IN_REACH:
            A = X - X.mean(0)
            self._XT, self._A, self._a = A.T.copy(), 2 * kernel.gamma * A, -kernel.gamma * (A * A).sum(1)
            self._make, self.diag = self._gaussian, np.ones(n)
        elif 8 * n * n > CACHE:
            self._make, self.diag = (lambda index: kernel(X[index], X)), kernel.diag(X)
        else:
            K = kernel(X)
        if K is not None:
            if ridge:
                K.flat[:: n + 1] += ridge
            self.known, self._most, self.diag = dict(enumerate(K)), n, K.diagonal()
        elif ridge:
            self.diag = self.diag + ridge

    def __getitem__(self, i):
        row = self.known.get(i)
        return self.block([i])[0] if row is None else row

    def block(self, index):
        """A list of rows, of which the unknown ones are computed together."""
        new = [i for i in index if i not in self.known]
        if len(self.known) + len(new) > self._most:
            self.known, new = {}, index
        for chunk in (new[c : c + 256] for c in range(0, len(new), 256)):
            R = self._make(chunk)
            if self.ridge:
                R[range(len(chunk)), chunk] += self.ridge
            self.known.update(zip(chunk, R, strict=True))
        return [self.known[i] for i in index]

    def _gaussian(self, index):  # 2γ xᵀz - γ|x|² - γ|z|²: one product of matrices and two sums
        R = self._A[index] @ self._XT
        R += self._a
        R += self._a[index, None]
        np.minimum(R, 0, out=R)
        return np.exp(R, out=R)
