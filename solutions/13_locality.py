"""Worked solutions to the exercises of notebook 13, for instructors."""

import numpy as np
from scipy.linalg import eigh

from kmlab.course.exercises import check

# 13.1  ½ Σ W_ij (g_i - g_j)² = 0 exactly if g is constant along every edge, hence on every component: three constants.
check("13.1", 3)

# 13.2  The ends have degree 1, the middle 2. (1, 1, 1): L g = 0. (1, 0, -1): L g = (1, 0, -1) = 1 D g.
#       (1, -1, 1): L g = (2, -4, 2) = 2 D g.
check("13.2", (0, 1, 2))

# 13.3  (2π/(3π))² = (π/width)² gives width = 3π/2: half the length of the arc.
check("13.3", 3 * np.pi / 2)


# 13.4  The mean weighted by degrees becomes the origin, which takes the constant away: nothing has to be left out.
def projection(X, W, k):
    d = W.sum(1)
    X = X - d @ X / d.sum()
    L = np.diag(d) - W
    return eigh(X.T @ L @ X, X.T @ (d[:, None] * X))[1][:, :k]


check("13.4", projection)

# 13.5  (xᵀz + 1)² has six features on the plane, so K has rank 6, and 50 - 6 = 44 vectors α have Kα = 0. Whoever counts
#       eigenvalues finds 45 zeros: the features hold the constant, whose energy is an honest zero.
check("13.5", 44)


# 13.6  W cos(2πkj/n) = 2 cos(2πk/n) cos(2πkj/n), and every degree is 2.
def cycle_spectrum(n):
    return np.sort(1 - np.cos(2 * np.pi * np.arange(n) / n))


check("13.6", cycle_spectrum)
