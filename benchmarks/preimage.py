"""Pre-images of 100 digits from 1,000 training digits beside scikit-learn's inverse_transform.

Both sides get the same digits, the same Gaussian kernel (width: the median distance) and 100 components. "first use" is
fit and call: the Gram matrix, its eigenvectors, and for scikit-learn the linear system behind its inverse, which it
solves in fit; ours learns nothing for the way back until it is asked. "call" is from scores to points. The errors are
mean squared differences per pixel from the clean digit, on digits that were not trained on: of noisy ones (σ = 0.25),
which is denoising, and of clean ones, which is reconstruction. "At best" is the best of six alphas, scikit-learn's
ridge, for either error, chosen with the test digits in hand, which favours it.
"""

from functools import cache

import numpy as np
from sklearn.decomposition import KernelPCA as Theirs

from kmlab.datasets import digits
from kmlab.kernels import Gaussian, median_width
from kmlab.pca import KernelPCA
from kmlab.preimage import preimage

from .side_by_side import Case, Goal, Race

COMPONENTS, NOISE, DRAWS = 100, 0.25, 5
ALPHAS = 1.0, 0.3, 0.1, 0.03, 0.01, 0.001
METHODS = {"fixed_point": 0.5, "distance": 1.0, "ridge": 1.0}  # and the goal of a call; least squares is a judge


def cases(quick):
    for method, least in METHODS.items():
        for use in "call", "first use":
            yield Case(
                f"pre-images {method}, {use}",
                "100 digits",
                Goal() if use == "first use" else Goal(least, least),
                lambda m=method, u=use: race(m, u, draws=1 if quick else DRAWS),
            )


def race(method, use, draws):
    train, clean, noisy = split(0)
    width = median_width(train)
    model, other = ours(train, width), theirs(train, width)
    scores, their_scores = model.transform(noisy), other.transform(noisy)

    def agree(*_):
        mine, default, best = errors(method, draws), *their_errors(draws)
        words = "noisy {:.4f}, theirs {:.4f} (at best {:.4f}), clean {:.4f}, theirs {:.4f} (at best {:.4f})"
        return words.format(*np.transpose([mine, default, best]).ravel()), bool(mine[0] < default[0])

    if use == "call":
        return Race(
            lambda: preimage(model, scores, method),
            {"inverse_transform": lambda: other.inverse_transform(their_scores)},
            agree,
            rounds=9,
        )
    return Race(
        lambda: preimage(fitted := ours(train, width), fitted.transform(noisy), method),
        {"inverse_transform": lambda: (fitted := theirs(train, width)).inverse_transform(fitted.transform(noisy))},
        agree,
        rounds=5,
    )


def split(draw):
    """1,000 digits to train with, 100 others, and these with noise."""
    X, rng = digits()[0], np.random.default_rng(draw)
    order = rng.permutation(len(X))
    clean = X[order[1000:1100]]
    return X[order[:1000]], clean, clean + NOISE * rng.standard_normal(clean.shape)


def ours(X, width):
    return KernelPCA(Gaussian(width), COMPONENTS).fit(X)


def theirs(X, width, alpha=1.0):
    return Theirs(COMPONENTS, kernel="rbf", gamma=1 / width**2, alpha=alpha, fit_inverse_transform=True).fit(X)


@cache
def errors(method, draws):
    """Mean over the draws of the error on noisy and on clean digits, (2,)."""
    return np.mean([mistakes(ours, lambda model, Z: preimage(model, Z, method), draw) for draw in range(draws)], axis=0)


@cache
def their_errors(draws):
    """The same for scikit-learn: with its default alpha, and with the best one for either."""
    each = [
        [mistakes(lambda X, w, a=a: theirs(X, w, a), Theirs.inverse_transform, draw) for draw in range(draws)]
        for a in ALPHAS
    ]
    each = np.mean(each, axis=1)
    return each[0], each.min(0)


def mistakes(fit, back, draw):
    train, clean, noisy = split(draw)
    model = fit(train, median_width(train))
    return [((back(model, model.transform(X)) - clean) ** 2).mean() for X in (noisy, clean)]
