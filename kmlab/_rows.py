"""Rows of a Gram matrix: all at once where BLAS makes them cheap, else each when it is first asked for."""

import numpy as np

from ._linalg import sqdist_factors, squares
from .kernels import FAR, Gaussian, Precomputed, as_kernel

CACHE = 2**30  # bytes of kernel rows that are kept
IN_REACH = 10**6  # entries of X that stay in the processor's cache; beyond, a single row costs as much as many
FEW = 1 / 8  # share of the rows up to which they are cheaper one by one even so
ZERO = np.array(0.0)  # numpy takes it faster than 0


class Rows:
    """K[i] = row i of k(X) + ridge I, and K.diag; kernel=None means that X is such a matrix already.

    wanted: about how many rows will be asked for, if that is known.
    """

    def __init__(self, X, kernel=None, ridge=0.0, wanted=np.inf):
        n, d = X.shape
        self.ridge, self.known, self._most, K = ridge, {}, max(2, CACHE // (8 * n)), None
        if kernel is None or isinstance(as_kernel(kernel), Precomputed):
            K = X if kernel is None else kernel(X)
            K = K.copy() if ridge else K
        elif (
            isinstance(kernel, Gaussian)
            and (n * d <= IN_REACH or wanted <= FEW * n)
            and (a := squares(A := X - X.mean(0))).max() <= (FAR * kernel.width) ** 2
        ):
            left, right = sqdist_factors(A, A, a, a)
            left *= -kernel.gamma
            self._make, self.diag = (lambda index: _exp(left[index].dot(right))), np.ones(n)
        elif 8 * n * n > CACHE:
            self._make, self.diag = (lambda index: kernel(np.atleast_2d(X[index]), X)), kernel.diag(X)
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
        if row is None:
            if len(self.known) >= self._most:
                self.known = {}
            row = self.known[i] = self._make(i).ravel()
            if self.ridge:
                row[i] += self.ridge
        return row

    def block(self, index):
        """A list of rows, of which the unknown ones are computed together."""
        new = [i for i in index if i not in self.known]
        if 1 < len(new) <= self._most - len(self.known):
            for chunk in (new[c : c + 256] for c in range(0, len(new), 256)):
                R = self._make(chunk)
                if self.ridge:
                    R[range(len(chunk)), chunk] += self.ridge
                self.known.update(zip(chunk, R, strict=True))
            new = ()
        return (self[i] for i in index) if new else map(self.known.__getitem__, index)


def _exp(R):
    np.minimum(R, ZERO, out=R)
    return np.exp(R, out=R)
