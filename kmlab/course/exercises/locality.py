"""Exercises of notebook 13, locality."""

import numpy as np

from ...datasets import three_clouds
from ...graph import graph_modes, knn_graph
from ...kernels import Polynomial
from ...manifold import LPP
from ...npt import NPT
from ..checking import SINGLE, Slip, Wrong, as_array, close, exactly, same_function, value_of
from . import exercise


@exercise(
    "13.1",
    "A function may be constant on each component without costing anything: count the free constants.",
    "Write down a function with energy 0 that is not the same everywhere. How many numbers may you choose in it?",
)
def _(answer):
    mu, _ = graph_modes(knn_graph(three_clouds()[0], 5), 9)
    slips = {
        "One constant for all? No edge ties the components together.": 1,
        "The constant on all points counts too.": 2,
        "Is the constant on all points one more, or is it made of the others?": 4,
    }
    return exactly(answer, (mu < 1e-9).sum(), slips)


@exercise(
    "13.2",
    "What are D and L here? Try vectors that look the same from both ends, and one that changes sign.",
    "The degrees are 1, 2, 1. Multiply L by (1, 0, −1) and by (1, −1, 1), and compare with D times the same.",
)
def _(answer):
    answer = list(answer) if isinstance(answer, set) else answer
    slips = {
        "These belong to L alone. What stands on the right of (LE.1)?": (0, 1, 3),
        "These belong to W. What is L?": (-np.sqrt(2), 0, np.sqrt(2)),
        "These belong to D⁻¹W. What is L?": (-1, 0, 1),
    }
    return close(np.sort(np.ravel(answer)), graph_modes(np.eye(3, k=1) + np.eye(3, k=-1), 3)[0], slips)


@exercise(
    "13.3",
    "Which wave should come second, and which one competes with it? At the border both cost the same.",
    "j half-waves along a side of length a cost (jπ/a)². One across should be cheaper than the second along.",
)
def _(answer):
    slips = {
        "A square does, but less is enough: with whom does the wave across compete?": 3 * np.pi,
        "This would be enough to beat three half-waves along; the second has only two.": np.pi,
        "A quarter? How many half-waves has the second along?": 3 * np.pi / 4,
        "Costs are squares of j/a, and both sides have a square.": 3 * np.pi / np.sqrt(2),
    }
    return close(answer, 3 * np.pi / 2, slips)


@exercise(
    "13.4",
    "First (LPP.3), then (LPP.1), which is symmetric on both sides: scipy's eigh takes two matrices.",
    "The origin is the mean of the points weighted with their degrees; then XᵀLX against XᵀDX, smallest μ first.",
)
def _(answer):
    for seed, d, k in (1, 4, 2), (2, 6, 3):
        X = np.random.default_rng(seed).standard_normal((60, d)) * np.linspace(1, 3, d) + 2
        model = LPP(k, 6, center="D").fit(X)
        W, mean = model.graph_.toarray(), model.mean_
        B = as_array(value_of(answer, X, W, k, instead=[LPP]), (d, k))
        G = B.T @ (X - mean).T @ (W.sum(1)[:, None] * (X - mean)) @ B
        if np.abs(np.diag(G) - 1).max() > 1e-3:
            raise Wrong(f"Your first coordinate has gᵀDg = {G[0, 0]:.3g} around the weighted mean, 1 is needed.")
        off = np.abs(B * np.sign((B * model.components_.T).sum(0)) - model.components_.T).max()
        if off > 10 * SINGLE * np.abs(B).max():
            last = LPP(d, 6, center="D").fit(X).components_[: -k - 1 : -1].T
            if np.abs(np.abs(B) - np.abs(last)).max() < 10 * SINGLE * np.abs(B).max():
                raise Slip("These are the roughest directions: which μ come first?")
            raise Wrong("The lengths are right, the directions are not: where is the origin, and which μ come first?")
    return True


@exercise(
    "13.5",
    "Spurious are the solutions with Kα = 0. How many features has this kernel on the plane?",
    "The rank of K is the number of monomials up to degree 2. What is left of the fifty dimensions is sent to zero.",
)
def _(answer):
    X = np.random.default_rng(135).standard_normal((50, 2))
    spurious = 50 - NPT(Polynomial(2), center=False).fit(X).rank_
    slips = {
        "So many eigenvalues are zero, and one of them is honest: this kernel can express the constant.": spurious + 1,
        "So many features has the kernel. How many α does K send to zero?": 50 - spurious,
        "Monomials of degree 2 alone? The 1 in the kernel brings in more.": 47,
        "The plane has two dimensions, the kernel has more.": 48,
    }
    return exactly(answer, spurious, slips)


@exercise(
    "13.6",
    "Waves that close around the cycle are the eigenvectors. What does W make of cos(2πkj/n)?",
    "cos(a + b) + cos(a − b) = 2 cos a cos b. Every degree is 2. And the waves k and n − k cost the same.",
)
def _(answer):
    def truth(n):
        return graph_modes(np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0), n)[0]

    slips = {
        "These belong to L alone; D stands on the right of (LE.1).": lambda n: 2 * truth(n),
        "The right numbers; the smallest comes first.": lambda n: truth(n)[::-1],
        "The right numbers; they should be sorted.": lambda n: 1 - np.cos(2 * np.pi * np.arange(n) / n),
        "These belong to W. What is L?": lambda n: np.sort(1 - truth(n)),
        "Around a cycle whole waves fit, not half ones.": lambda n: 1 - np.cos(np.pi * np.arange(n) / n),
    }
    return same_function(answer, truth, [(5,), (8,), (13,)], slips)
