"""Worked solutions to the exercises of notebook 09, for instructors."""

import numpy as np

from kmlab.course.exercises import check
from kmlab.datasets import around_a_wave
from kmlab.kernels import Gaussian, Linear
from kmlab.npt import NPT
from kmlab.svm import SVC, kkt_report, srm_bound, vc_bound

# 9.1  Σ y α = 0: both α are a. w = a (1) - a (-1) = 2a, so W = 2a - ½ (2a)² = 2a - 2a², with its top ½ at a = ½.
check("9.1", (0.5, 0.5, 0.5))

# 9.2  |w|² + 5 Σξ = 2 (½|w|² + 2.5 Σξ).
check("9.2", 2.5)

# 9.3
X, y = around_a_wave()
model = SVC(Gaussian(1.0), C=10, tol=1e-8).fit(X, y)
check("9.3", np.bincount(kkt_report(model.alpha_, y * model.decision_function(X), 10).kind))

# 9.4  R² Λ² = 8.4, so h ≤ 9, and 9 (ln(2000/9) + 1) - ln(0.0125) = 62.0: √0.0620 = 0.249.
check("9.4", (vc_bound(2.0, np.sqrt(2.1)), srm_bound(0.0, 9, 1000, 0.05)))


# 9.5  The images have coordinates Z with Z Zᵀ = Kc. Centring does not matter: Σ y α = 0 cancels every constant of K.
def by_coordinates(X, y, width, C):
    Z = NPT(Gaussian(width)).fit_transform(X)
    model = SVC(Linear(), C, tol=1e-6).fit(Z, y)
    return Z, (y * model.alpha_) @ Z, model.b_


check("9.5", by_coordinates)
