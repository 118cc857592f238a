"""Worked solutions to the exercises of notebook 15, for instructors."""

import numpy as np

from kmlab.course.exercises import check

# 15.1  100,000² numbers of 4 bytes: 4e10 bytes.
check("15.1", 40)

# 15.2  (xᵀz + 1)² on points (x, y, z) has the ten features 1, x, y, z, x², y², z², xy, xz, yz (with factors), so K has
#       rank 10.
check("15.2", 10)

# 15.3  The diagonal is (2, 4): the second point is the pivot. L = (2, 4)/√4 = (1, 2), LLᵀ = [[1, 2], [2, 4]], and of
#       K only 2 - 1 = 1 is missing, at the first point.
check("15.3", (1, 1.0))


# 15.4  K_nm K_mm⁻¹ K_mn, without an inverse.
def nystroem(K_nm, K_mm):
    return K_nm @ np.linalg.solve(K_mm, K_nm.T)


check("15.4", nystroem)

# 15.5  k = 0 for points far apart: the standard deviation is 1/√m, and 1/√m = 0.01 gives m = 10,000.
check("15.5", 10_000)


# 15.6  A strip of rows at a time; no more than rows × n numbers are ever there.
def product(kernel, X, v, rows):
    return np.concatenate([kernel(X[i : i + rows], X) @ v for i in range(0, len(X), rows)])


check("15.6", product)
