"""Worked solutions to the exercises of notebook 05, for instructors."""

import numpy as np

from kmlab.course.exercises import check

# 5.1  Xc Xcᵀ has the rank of Xc: at most d, and at most n - 1 because the rows sum to zero. min(3, 11) and min(20, 11).
check("5.1", (3, 11))

# 5.2  |Xcᵀu|² = uᵀ Xc Xcᵀ u = λ uᵀu = 9.
check("5.2", 3)

# 5.3  wᵀS_B w / wᵀS_W w = 4 (w₁² + w₂²) / (w₁² + 2 w₂²) is largest at (1, 0), where it is 4. With the inverse on
#      the other side w is an eigenvector of S_W S_B = diag(4, 8): (0, 1) for the larger eigenvalue, where the
#      quotient is smallest.
check("5.3", (4, 2))


# 5.4  eigh sorts upwards, so the last k columns are turned round.
def dual_pca(X, k):
    Xc = X - X.mean(0)
    lam, U = np.linalg.eigh(Xc @ Xc.T)
    lam, U = lam[::-1][:k], U[:, ::-1][:, :k]
    return (Xc.T @ U / np.sqrt(lam)).T


check("5.4", dual_pca)
