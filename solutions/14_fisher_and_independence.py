"""Worked solutions of notebook 14."""

import numpy as np

from kmlab.course.exercises import check

# 14.1  A row of Wʷ holds n_ℓ entries 1/n_ℓ and zeros: sum 1. A row of Wᵇ holds n_ℓ entries 1/n - 1/n_ℓ and n - n_ℓ
# entries 1/n: n · 1/n - n_ℓ · 1/n_ℓ = 0. So Lᵇ = -Wᵇ and Lʷ = I - Wʷ.
check("14.1", (0, 1))

# 14.2  S_b is a sum of c outer products of μ_ℓ - μ, and these c vectors, weighted by n_ℓ, add up to zero: rank at
# most c - 1. Ten digits in 64 dimensions: 9.
check("14.2", 10 - 1)


# 14.3  The homework's equation with everything on one side.
def residual(K, W_b, W_w, alpha, lam):
    L_b, L_w = np.diag(W_b.sum(1)) - W_b, np.diag(W_w.sum(1)) - W_w
    return K @ L_b @ K @ alpha - lam * K @ L_w @ K @ alpha


check("14.3", residual)

# 14.4  Kxc = Kyc = (1 - k)/2 [[1, -1], [-1, 1]] with k = exp(-2²/1²); its eigenvalue is 1 - k, and the root of the
# eigenvalue of the product is 1 - k as well. Divided by n = 2: (1 - exp(-4))/2 = 0.490842.
check("14.4", (1 - np.exp(-4)) / 2)

# 14.5  Full rank means that f(x_1), ..., f(x_n) may be any centred vector, and so may g(y_1), ..., g(y_n): choose the
# same one for both and the correlation is 1, whatever the data.
check("14.5", 1.0)

# 14.6  Without centring, constant-like functions f ≈ g ≈ c have E[f g] > 0 for any data. Centred, the value falls like
# n^-½ under independence.
check("14.6", "centred")
