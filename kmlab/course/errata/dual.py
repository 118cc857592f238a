"""Literal variants of 004/s12-15: one step for a given pair, and rules for choosing pairs other than ours."""

import numpy as np

from ...dual import Dual, smo


def solve_pair(p, pair, tol=1e-12):
    """Solve the Dual p for two variables and leave the rest: (5)-(8) of 004/s12 with |B| = 2; says whether b moved."""
    B = np.asarray(pair)
    p.n_steps += 1
    if p.low[B].max() - p.up[B].min() < tol:
        return False
    K, before = np.array([row[B] for row in p.K.rows(B.tolist())]), p.b[B]
    part = Dual(K, p.F[B] - K @ before, p.lo[B], p.hi[B], before)
    for _ in smo(part, tol, newton=False):
        pass
    p.b[B] = part.b
    p.follow(B, part.b - before)
    p.objective = p.value()
    return True


def pairs_by_rule(p, rule, tol=1e-3, max_steps=100_000, seed=0):
    """SMO with pairs chosen by another rule than ours, "random" or "cyclic" through all; yields (pair, moved)."""
    rng, everyone = np.random.default_rng(seed), np.transpose(np.triu_indices(len(p.b), 1))
    while (gap := p.gap) >= tol and p.n_steps < max_steps:
        pair = everyone[rng.integers(len(everyone)) if rule == "random" else p.n_steps % len(everyone)]
        yield pair, solve_pair(p, pair)
    p.converged = gap < tol


def svc_dual(kernel, X, y, C):
    """(DUAL.1) of a support vector machine, labels ±1."""
    return Dual(kernel(X), -np.asarray(y, float), np.minimum(0, C * y), np.maximum(0, C * y))


def segment(a1, a2, same, C):
    """L and H of 004/s15: the values of α₂ for which α₁, moved so that the sum stays, is in the box as well."""
    ends = (a1 + a2 - C, a1 + a2) if same else (a2 - a1, a2 - a1 + C)
    return max(0.0, ends[0]), min(C, ends[1])
