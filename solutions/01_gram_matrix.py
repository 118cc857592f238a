"""Worked solutions of notebook 1, for instructors: python solutions/01_gram_matrix.py"""

import numpy as np

from kmlab.course.exercises import check

# 1.1  With the linear kernel φ(x) = x, so k(x, x) = 3² + 4² = 25 is the squared norm and its root 5 the norm.
squared = 3**2 + 4**2
check("1.1", (np.sqrt(squared), squared))

# 1.2  |x - z|² / c² = 4 / 4 = 1, so k = exp(-1); images have length 1, so d² = 2 - 2k and cos θ = k.
k = np.exp(-1)
check("1.2", (k, 2 - 2 * k, np.degrees(np.arccos(k))))


# 1.3  ⟨F₁ ⊗ F₂, G₁ ⊗ G₂⟩ = Σ_ab f_a f_b' g_a g_b' = ⟨F₁, G₁⟩⟨F₂, G₂⟩, so all products of two entries are needed.
def tensor(F1, F2):
    return np.einsum("na,nb->nab", F1, F2).reshape(len(F1), -1)


check("1.3", tensor)

# 1.4  Eigenvalues of [[1, s], [s, 1]] are 1 ± s, so |s| ≤ 1; with s = 1 - d²/2 that means d² ≤ 4.
check("1.4", 2.0)

# 1.5  Monomials in 3 variables: (3 + 4 choose 4) = 35 up to degree 4, (3 + 4 - 1 choose 4) = 15 of exactly degree 4.
check("1.5", (35, 15))


# 1.6  |φ_i - φ_j|² = K_ii + K_jj - 2 K_ij
def distance2(K):
    own = np.diag(K)
    return own[:, None] + own - 2 * K


check("1.6", distance2)
