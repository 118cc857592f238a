"""Worked solutions to the exercises of notebook 08, for instructors."""

import numpy as np

from kmlab.course.exercises import check
from kmlab.datasets import LINE_AND_OUTLIER
from kmlab.pca import PCA
from kmlab.pca_l1 import PCAL1, R1PCA

# 8.1  Opposite points fall together when one of them is flipped: 2(1, 0) ± 2(0, 1) is the longest sum, of length 2√2.
check("8.1", 2 * np.sqrt(2))

# 8.2  Twelve signs, and p and -p are the same axis.
check("8.2", 2**11)


# 8.3  The signs need only Kp; the division makes w as long as one.
def gram_step(Kc, p):
    s = Kc @ p / np.sqrt(p @ Kc @ p)
    return np.where(s < 0, -1, 1), s


check("8.3", gram_step)

# 8.4  A point at the mean of all is a zero row after centring: wᵀx = 0 whatever w, so step 4b pushes for ever.
check("8.4", [[-1, 0], [0, 0], [1, 0]])

# 8.5  The other ten points lie on y = x + 1, which is 45°.
axes = [model.fit(LINE_AND_OUTLIER).components_[0] for model in (PCA(1), PCAL1(), R1PCA())]
check("8.5", [abs(np.rad2deg(np.arctan2(w[1], w[0])) % 180 - 45) for w in axes])
