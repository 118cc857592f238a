"""Data that one notebook uses; what several use, or what a lecture shows, is in kmlab.datasets."""

import numpy as np

from .. import datasets
from ..pca import PCA
from .plane import unit

# the letter K, for a reconstruction that anybody can judge: points in the order of its two strokes, 5 and 6 of them
LETTER = np.array([
    [0, 0], [0, 1], [0, 2], [0, 3], [0, 4],
    [2.4, 4], [1.6, 3.2], [0.8, 2.4], [1.2, 1.6], [1.8, 0.8], [2.4, 0],
], dtype=float)  # fmt: skip


def house():
    """The outline of a house with a chimney, 27 points in the order in which they are joined."""
    corners = np.array([[0, 0], [4, 0], [4, 3], [3.4, 3.6], [3.4, 4.8], [2.8, 4.8], [2.8, 4.2], [2, 5], [0, 3], [0, 0]])
    parts = [
        np.linspace(a, b, max(2, round(2 * np.linalg.norm(b - a) / 1.6)), endpoint=False)
        for a, b in zip(corners[:-1], corners[1:], strict=True)
    ]
    return np.concatenate(parts) / 2


def tilted_cloud(ratio=4.0, tilt=35.0, n=60, seed=0):
    """n points of the plane with covariance eigenvalues in exactly this ratio and total variance 2, tilted."""
    white = PCA(2)
    Z = white.fit_transform(np.random.default_rng(seed).standard_normal((n, 2))) / np.sqrt(white.explained_variance_)
    return Z * np.sqrt(2 * np.array([ratio, 1]) / (1 + ratio)) @ np.array([unit(tilt), unit(tilt + 90)])


def flat_cloud(n=120, seed=3):
    """A tilted pancake in space; (n, 3)."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    return rng.standard_normal((n, 3)) * [2.0, 1.3, 0.2] @ turn


def around_a_line(n=20, angle=30, seed=0):
    """Points along a direction, for an outlier to spoil; (n, 2)."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.linspace(-4, 4, n), 0.5 * rng.standard_normal(n)])
    return X @ np.array([unit(angle), unit(angle + 90)])


def wave_across(n=150, noise=0.1, seed=0):
    """A long thin cloud whose target waves across the thin side; X (n, 2), t (n,)."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2)) * [2.0, 0.6]
    return X, np.sin(3 * X[:, 1]) + noise * rng.standard_normal(n)


def noisy_sinc(n=100, noise=0.2, seed=0):
    """x on a line, sin(πx)/(πx) with noise, and without it; three times (n,)."""
    x = np.linspace(-4, 4, n)
    truth = np.sinc(x)
    return x, truth + noise * np.random.default_rng(seed).standard_normal(n), truth


def eleven_gaussians(sigma=0.8, seed=0):
    """Data of the table of 1999: training points, test points, and the centre each test point came from.

    S. Mika, B. Schölkopf, A. Smola, K.-R. Müller, M. Scholz, G. Rätsch, Kernel PCA and de-noising in feature spaces,
    NIPS 11, 1999.
    """
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-1, 1, (11, 10))
    X = np.repeat(centers, 100, axis=0) + sigma * rng.standard_normal((1100, 10))
    true = np.repeat(centers, 33, axis=0)
    return X, true + sigma * rng.standard_normal(true.shape), true


def lying_h(thickness=0.05, n=60, seed=0):
    """Two long streaks of n points, 2 apart, and a bridge of 12 between them; (2n + 12, 2)."""
    along, across = np.linspace(-3, 3, n), np.linspace(-1, 1, 14)[1:-1]
    streak = np.ones(n)
    H = np.column_stack([np.concatenate([along, along, 0 * across]), np.concatenate([streak, -streak, across])])
    return H + thickness * np.random.default_rng(seed).standard_normal(H.shape)


def flat_s(n=80, noise=0.04, seed=2):
    """An S in the plane, its points in the order of the arc; (n, 2)."""
    X, t = datasets.s_curve(n, 1.0, seed=seed)
    X = X[np.argsort(t[:, 0])][:, [0, 2]]
    return X + noise * np.random.default_rng(seed).standard_normal(X.shape)


def chebyshev_pair(m, n=120):
    """x = cos θ and y = cos mθ = T_m(x) for n angles evenly spaced over the half circle; X (n, 1), Y (n, 1).

    Then moments of x and y, up to degree n at least, are those of a θ drawn at random: nothing is left to chance.
    """
    theta = np.pi * (np.arange(n) + 0.5) / n
    return np.cos(theta)[:, None], np.cos(m * theta)[:, None]


def mixed_sources(sources="uniform", n=400, seed=1):
    """Two independent sources of variance one, and their mixture; -> X (n, 2), A (2, 2)."""
    rng = np.random.default_rng(seed)
    uniform = rng.uniform(-np.sqrt(3), np.sqrt(3), (n, 2))
    gauss = rng.standard_normal((n, 2))
    S = {
        "uniform": uniform,
        "two humps": np.where(uniform > 0, 0.95, -0.95) + 0.3 * gauss,
        "one Gaussian": np.column_stack([uniform[:, 0], gauss[:, 1]]),
        "two Gaussians": gauss,
    }[sources]
    A = np.array([[1.0, 0.6], [-0.3, 1.0]])
    return S @ A.T, A


# ---- digits ----------------------------------------------------------------------------------------------------------


def zeros_and_ones(per_digit=10):
    """The first images of a 0 and of a 1; X (20, 64), y."""
    X, y = datasets.digits()
    rows = np.concatenate([np.flatnonzero(y == digit)[:per_digit] for digit in (0, 1)])
    return X[rows], y[rows]


def six_digits(n=400):
    """The first images of 0 to 5; X (n, 64), y."""
    X, y = datasets.digits()
    return X[y < 6][:n], y[y < 6][:n]


def many_digits(n=60_000, noise=0.15, seed=0):
    """n noisy copies of the first 1,397 digits; X (n, 64), y. The other 400 images are left for a test."""
    X, y = datasets.digits()
    rng = np.random.default_rng(seed)
    copy = rng.integers(1397, size=n)
    return X[copy] + noise * rng.standard_normal((n, 64)), y[copy]


def new_digits(noise=0.15, seed=1):
    """The 400 digits that many_digits leaves out, with noise; X (400, 64), y."""
    X, y = datasets.digits()
    return X[1397:] + noise * np.random.default_rng(seed).standard_normal((400, 64)), y[1397:]
