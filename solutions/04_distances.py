"""Worked solutions to the exercises of notebook 04, for instructors."""

import numpy as np

from kmlab.course.exercises import check
from kmlab.kernels import Gaussian, Linear, NegativePower, is_cpsd
from kmlab.neighbors import KernelKNN

# 4.1  The border is 2: below it the power of a distance is a squared distance in some other space, above it never.
X = np.random.default_rng(0).standard_normal((40, 2))
check("4.1", [beta for beta in (0.5, 1, 2, 3) if is_cpsd(NegativePower(beta)(X))])

# 4.2  With k(x, x) = 0 (K.13), which is meant for PSD kernels, gives -2k(x, z); the theorem has -k(x, z).
check("4.2", 2)

# 4.3  d² = 2 - 2 exp(-|x - z|²/c²) grows with |x - z|, so the order is the Euclidean one, for every point.
X, Xt = np.random.default_rng(0).standard_normal((50, 2)), np.random.default_rng(1).standard_normal((30, 2))
order = [KernelKNN(kernel, 50).fit(X, np.zeros(50, int)).nearest(Xt) for kernel in (Gaussian(2.0), Linear())]
check("4.3", (order[0] != order[1]).any(1).sum())

# 4.4  1 before 2 and 1 before 3 in both; 2 and 3 have changed places: (2 - 1) / 3.
check("4.4", 1 / 3)


# 4.5  A column of Z averages over a cluster, so K Z holds the means over j, the diagonal of ZᵀKZ the block means.
def distance2(K, labels):
    Z = (labels[:, None] == np.arange(labels.max() + 1)).astype(float)
    Z /= Z.sum(0)
    return K.diagonal()[:, None] - 2 * K @ Z + (Z.T @ K @ Z).diagonal()


check("4.5", distance2)

# 4.6  d² = 2 - 2k < 2 for a Gaussian: any single sample has all others within √2.
check("4.6", 1)
