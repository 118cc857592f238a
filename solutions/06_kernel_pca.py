"""Worked solutions to the exercises of notebook 06, for instructors."""

import numpy as np

from kmlab import datasets
from kmlab.course.exercises import check
from kmlab.kernels import Gaussian
from kmlab.pca import KernelPCA

# 6.1  R² = 1, 4, 9: E[R²] = 14/3, E[R⁴] = 98/3, Var(R²) = 98/3 - 196/9 = 98/9.
#      Half the variance, 49/9, stands behind both copies of E[R⁴]/4 = 49/6, so the radial component is number 3.
check("6.1", ([49 / 6, 49 / 6, 49 / 9, 14 / 3, 14 / 3], 3))

# 6.2  Monomials of degree at most 3 in two variables: 5 choose 3 = 10. Centring removes the constant.
check("6.2", 9)


# 6.3  Row means belong to the new points, column means and the grand mean to the training data.
def center_cross(Kt, K):
    return Kt - Kt.mean(1, keepdims=True) - K.mean(0) + K.mean()


check("6.3", center_cross)


# 6.4  raw - right = Σ_i α_i (mean_j k(x, x_j) + mean_j K_ij - mean K); Σ α_i = 0 leaves the column means.
def shift(K, alphas):
    return K.mean(0) @ alphas


check("6.4", shift)

# 6.5
share = KernelPCA(Gaussian(0.3)).fit(datasets.three_clusters()[0]).explained_variance_ratio_
check("6.5", int(np.argmax(share.cumsum() >= 0.9)) + 1)
