"""Literal variants of 004/s12-15: one step for a given pair, and rules for choosing pairs other than ours."""

import numpy as np

from ...dual import Dual


def solve_pair(p, pair, tol=1e-12):
    """Move two variables of the Dual p to their best place and leave the rest: (5)-(8) of 004/s12 with |B| = 2.

    Says whether they moved: often neither may, or wants to.
    """
    i, j = sorted(pair, key=lambda t: p.up[t])
    if p.low[j] - p.up[i] < tol:
        p.n_steps += 1
        return False
    p.move(i, j, p.clipped(i, j))
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
