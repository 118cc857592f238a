"""Worked solutions to the exercises of notebook 12, for instructors."""

import numpy as np

from kmlab.course.exercises import check
from kmlab.kernels import Linear
from kmlab.pca import KernelPCA
from kmlab.preimage import projection_coefficients

# 12.1  |f|² = (k(0,0) + 2 k(0,2) + k(2,2)) / 4 = (1 + e⁻⁴) / 2 = 0.509. Images have length one, f has not.
check("12.1", ((1 + np.exp(-4)) / 2, False))

# 12.2  2 - 2k = 1, so k = 1/2 = exp(-d²/2), so d² = 2 ln 2.
check("12.2", 2 * np.log(2))


# 12.3  The 1/n is the mean image; without it the vector is another one.
def fixed_point(X, alphas, scores, width, start):
    gamma = alphas @ scores
    gamma = gamma - gamma.mean() + 1 / len(X)
    z = start
    for _ in range(500):
        weight = gamma * np.exp(-((X - z) ** 2).sum(1) / width**2)
        z = weight @ X / weight.sum()
    return z


check("12.3", fixed_point)


# 12.4  Mean squares before and behind q, weighted by how many there are.
def relevant(K, y):
    n = len(y)
    s2 = (np.linalg.eigh(K)[1][:, ::-1].T @ y) ** 2
    ell = [q / n * np.log(s2[:q].mean()) + (n - q) / n * np.log(s2[q:].mean()) for q in range(1, n // 2 + 1)]
    return int(np.argmin(ell)) + 1


check("12.4", relevant)


# 12.5  The sum of γ_i x_i, with the γ of the linear kernel.
def rebuild(X, Xt, k):
    kpca = KernelPCA(Linear(), k).fit(X)
    return projection_coefficients(kpca, kpca.transform(Xt)) @ X


check("12.5", rebuild)
