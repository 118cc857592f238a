"""The fast form of z ← Σ_i γ_i k(z, x_i) x_i / Σ_i γ_i k(z, x_i), one point after the other: all of them at once."""

import numpy as np

VANISHED = 1e-12  # a sum of weights below this points nowhere
ARRIVED = 1 - 1e-14  # k(z, z') of a point and the next one when it moves no more


def fixed_point_rounds(kernel, X, gamma, start, restart, most):
    """Rounds for many points z, one for each row of gamma; yields (points (m, d), Σ_i γ_i k(z, x_i) (m,)) of each.

    Where that sum vanishes or is negative, the next point would lie anywhere: there the search begins again, at its row
    of `restart`. Only points that have not arrived are computed any more.
    """
    points, totals, active = start.copy(), np.empty(len(gamma)), np.arange(len(gamma))
    for _ in range(most):
        weight = gamma[active] * kernel.pull(points[active], X)
        total = totals[active] = weight.sum(1)
        yield points.copy(), totals
        lost = total <= VANISHED
        moved = weight @ X / np.where(lost, 1, total)[:, None]
        moved[lost] = restart[active[lost]]
        arrived = ~lost & (((moved - points[active]) ** 2).sum(1) <= kernel.distance2_at(ARRIVED))
        points[active] = moved
        active = active[~arrived]
        if len(active) == 0:
            return


def nearest_to_all(N, right, size):
    """The least-squares solution s of N s = right for many small systems at once; (m, k, d), (m, k) -> (m, d).

    The rows of each N sum to zero, and size (m,) is the mean of their squares. The smaller of two equal systems is
    solved: Nᵀ(NNᵀ)⁻¹ = (NᵀN)⁻¹Nᵀ.
    """
    k, d = N.shape[1:]
    right, scale = right[..., None], np.maximum(size, np.finfo(float).tiny)[:, None, None]
    Nt = N.transpose(0, 2, 1)
    if k > d:
        return np.linalg.solve(Nt @ N + 1e-10 * scale * np.eye(d), Nt @ right)[..., 0]
    # NNᵀ sends equal weights to zero, and so does Nᵀ: adding a constant changes nothing but lets it be solved
    return (Nt @ np.linalg.solve(N @ Nt + scale * (1 + 1e-10 * np.eye(k)), right))[..., 0]
