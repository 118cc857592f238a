"""Worked solutions to the exercises of notebook 11, for instructors."""

import numpy as np

from kmlab.course.exercises import check
from kmlab.datasets import two_moons
from kmlab.kernels import Gaussian
from kmlab.one_class import OneClassSVM

# 11.1  The ends 0 and 2 hold the sphere: centre 1, R² = 1. With the ½, W = Σ α x² - ½ (Σ α x)². At α = (0, 0, 1) it is
# 4 - 2 = 2, and moving any weight to 0 or to 1 lowers it: the slope is x² - 2x, which is 0 at 0 and at 2, -1 at 1.
check("11.1", (1, 1, 2))

# 11.2  50 C ≥ 1.
check("11.2", 0.02)

# 11.3
X, _ = two_moons(60, noise=0.3)
model = OneClassSVM(Gaussian(1.0), 0.2, tol=1e-8).fit(X)
check("11.3", (X, 0.2, (model.decision_function(X) < -1e-6).sum(), len(model.support_)))

# 11.4  The constant in the middle of 4 and -0.5 misses both by 2.25. With a tube that wide w = 0 costs nothing at all.
check("11.4", 2.25)


# 11.5  The point that is left out may be put back with the value that the others predict: it changes nothing. So the
# fit to that target is the fit without it, and f_i = (Ht)_i + H_ii (f_i - t_i) can be solved for t_i - f_i.
def leave_one_out(K, t, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(t)))
    return (t - H @ t) / (1 - np.diag(H))


check("11.5", leave_one_out)


# 11.6  The gradient of (LOGIT.1) is K (λα - y σ(-yf)).
def violation(K, y, alpha, lam):
    return alpha - y / (1 + np.exp(y * (K @ alpha))) / lam


check("11.6", violation)
