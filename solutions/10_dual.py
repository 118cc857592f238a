"""Worked solutions to the exercises of notebook 10, for instructors."""

import numpy as np

from kmlab.course.exercises import check

# 10.1  E₁ = -1, E₂ = +1, curvature 2: α₂ = 0 + (1 + 1)/2 = 1, and α₁ follows. With C = 0.4 the segment ends at 0.4.
check("10.1", ((1, 1), (0.4, 0.4)))


# 10.2  (9)-(13) in order. Where both images are the same, the curvature is 0 and the tiny number sends α_j to L or H.
def smo_step(K, y, alpha, C, i, j):
    E = K @ (alpha * y) - y
    curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
    if y[i] == y[j]:
        L, H = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    new = alpha.copy()
    new[j] = np.clip(alpha[j] + y[j] * (E[i] - E[j]) / curvature, L, H)
    new[i] += y[i] * y[j] * (alpha[j] - new[j])
    return new


check("10.2", smo_step)

# 10.3  0.5 - 0.2 + 0.4 = 0.7 is what the rest adds up to.
check("10.3", -0.7)

# 10.4  Primal: no weight vector, and slack 1 at each of 50 points, times C = 2. Dual: 0.
check("10.4", 100)

# 10.5  L and H of 004/s15 for the four cases.
check("10.5", [(1, 2), (0, 1), (0, 1.5), (0.5, 2)])
