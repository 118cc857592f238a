"""Worked solutions to the exercises of notebook 02, for instructors."""

import numpy as np

from kmlab.course.exercises import check

# 2.1  2 (C(4,0) + C(4,1) + C(4,2)) = 2 (1 + 4 + 6) = 22 of 32
check("2.1", 22)

# 2.2  The sum in (LIFT.2) is complete, 2^(n-1), as soon as k = n; with b one dimension less is enough.
check("2.2", (10, 9))

# 2.3  log ratio = ((x + 1)² - (x - 1)²) / 2 + log 2 = 2x + log 2, at x = 1/2.
check("2.3", 1 + np.log(2))


# 2.4  The product of the coordinates is +1 on one diagonal and -1 on the other.
def lift(X):
    return np.column_stack([X, X[:, 0] * X[:, 1]])


check("2.4", lift)

# 2.5  Every term of the sum is 0.
check("2.5", 0)
