"""Exercises of notebook 14, Fisher directions and independence."""

import numpy as np

from ... import datasets
from ...cca import KernelCCA
from ...dependence import coco
from ...discriminant import FDA, fda_weights, lfda_weights, scatter
from ...kernels import Exponential, Gaussian, Polynomial
from ..checking import Wrong, as_numbers, close, exactly, same_function
from . import exercise


@exercise("14.1", "Sum one row: n_ℓ entries belong to the point's own class, n − n_ℓ to the others.")
def _(answer):
    between, within = as_numbers(answer, 2)
    W_b, W_w = fda_weights(np.repeat([0, 1, 2], [3, 5, 9]))
    if not close(between, W_b.sum(1)[0]):
        raise Wrong("The first number, the diagonal of Dᵇ, is not right yet.")
    if not close(within, W_w.sum(1)[0]):
        raise Wrong("The first number is right; now the diagonal of Dʷ.")
    return True


@exercise("14.2", "How many class means are there, and what does it cost to measure them from the common mean?")
def _(answer):
    X, y = datasets.digits()
    return exactly(answer, len(FDA().fit(X[:500] @ np.random.default_rng(0).standard_normal((64, 20)), y[:500]).lam_))


@exercise("14.3", "Which matrix L belongs to weights W in (FDA.2)? The rest is a difference of two vectors.")
def _(answer):
    def truth(K, W_b, W_w, alpha, lam):
        return scatter(K, W_b) @ alpha - lam * (scatter(K, W_w) @ alpha)

    def cases():
        rng = np.random.default_rng(143)
        for kernel, local in ((Gaussian(1.0), False), (Polynomial(2), True)):
            X, y = rng.standard_normal((12, 2)), np.repeat([0, 1, 2], 4)
            weights = lfda_weights(X, y) if local else fda_weights(y)
            yield kernel(X), *weights, rng.standard_normal(12), 0.7

    return same_function(answer, truth, cases())


@exercise("14.4", "Centre the 2 × 2 Gram matrix, the same for both sides. Which eigenvalue is left? Then (DEP.2).")
def _(answer):
    pair = [[0.0], [2.0]]
    return close(answer, coco(pair, pair, Gaussian(1.0), Gaussian(1.0)))


@exercise("14.5", "With a Gram matrix of full rank, which values can f take at the sample's points, and which can g?")
def _(answer):
    X, Y = datasets.dependence_shapes("independent", 30)
    model = KernelCCA(Exponential(1.0), Exponential(1.0), kappa=0.0, n_components=1).fit(X, Y)
    return close(answer, model.correlations_[0])


@exercise("14.6", "Switch the centring in the view of the two conditions and follow the blue line to 400 points.")
def _(answer):
    word = answer.strip().lower().replace("centered", "centred") if isinstance(answer, str) else None
    if word not in ("centred", "uncentred"):
        raise Wrong('A word was expected, "centred" or "uncentred".')
    small, large = (
        [coco(*datasets.dependence_shapes("independent", n), center=center) for center in (True, False)]
        for n in (25, 400)
    )
    vanishing = "centred" if large[0] / small[0] < large[1] / small[1] else "uncentred"
    return word == vanishing
