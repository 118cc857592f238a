"""Exercises of notebook 14, Fisher directions and independence."""

import numpy as np

from ... import datasets
from ...cca import KernelCCA
from ...dependence import coco
from ...discriminant import FDA, fda_weights, lfda_weights, scatter
from ...kernels import Exponential, Gaussian, Polynomial
from ..checking import Slip, Wrong, as_numbers, close, exactly, notice, same_function
from . import exercise


@exercise(
    "14.1",
    "Sum one row: n_ℓ entries belong to the point's own class, n − n_ℓ to the others.",
    "Wʷ has 1/n_ℓ inside a class and nothing outside; Wᵇ has 1/n everywhere, less the entry of Wʷ.",
)
def _(answer):
    between, within = as_numbers(answer, 2)
    W_b, W_w = fda_weights(np.repeat([0, 1, 2], [3, 5, 9]))
    if close(within, W_b.sum(1)[0]) and close(between, W_w.sum(1)[0]):
        raise Slip("Between and within have changed places.")
    notice(between, {
        "1/n stands everywhere in a row of Wᵇ. What else stands there, inside the class?": W_w.sum(1)[0],
    })  # fmt: skip
    if not close(between, W_b.sum(1)[0]):
        raise Wrong("The first number, the diagonal of Dᵇ, is not right yet.")
    if not close(within, W_w.sum(1)[0]):
        raise Wrong("The first number is right; now the diagonal of Dʷ.")
    return True


@exercise(
    "14.2",
    "How many class means are there, and what does it cost to measure them from the common mean?",
    "S_b is made of as many vectors μ_ℓ − μ as there are classes. Are they independent?",
)
def _(answer):
    X, y = datasets.digits()
    slips = {
        "Ten means, but the common mean is made of them.": 10,
        "So many pixels; how many directions has S_b?": 64,
        "So many images; how many directions has S_b?": 500,
        "One direction tells two classes apart; here are ten.": 1,
    }
    found = len(FDA().fit(X[:500] @ np.random.default_rng(0).standard_normal((64, 20)), y[:500]).lam_)
    return exactly(answer, found, slips)


@exercise(
    "14.3",
    "Which matrix L belongs to weights W in (FDA.2)? The rest is a difference of two vectors.",
    "L is the diagonal matrix of the row sums of W, minus W; one for W_b and one for W_w.",
)
def _(answer):
    def truth(K, W_b, W_w, alpha, lam):
        return scatter(K, W_b) @ alpha - lam * (scatter(K, W_w) @ alpha)

    def cases():
        rng = np.random.default_rng(143)
        for kernel, local in ((Gaussian(1.0), False), (Polynomial(2), True)):
            X, y = rng.standard_normal((12, 2)), np.repeat([0, 1, 2], 4)
            weights = lfda_weights(X, y) if local else fda_weights(y)
            yield kernel(X), *weights, rng.standard_normal(12), 0.7

    slips = {
        "Between the two K stands L, not W.": lambda K, W_b, W_w, a, lam: K @ (W_b - lam * W_w) @ K @ a,
        "L has the other sign.": lambda *case: -truth(*case),
        "Where is λ?": lambda K, W_b, W_w, a, lam: truth(K, W_b, W_w, a, 1.0),
        "A difference is asked for, not a sum.": lambda K, W_b, W_w, a, lam: truth(K, W_b, W_w, a, -lam),
        "K stands on both sides of L.": lambda K, W_b, W_w, a, lam: np.linalg.solve(K, truth(K, W_b, W_w, a, lam)),
    }
    return same_function(answer, truth, cases(), slips)


@exercise(
    "14.4",
    "Centre the 2 × 2 Gram matrix, the same for both sides. Which eigenvalue is left? Then (DEP.2).",
    "The centred matrix is a number times [[1, −1], [−1, 1]]. The product of both has the square of its eigenvalue.",
)
def _(answer):
    pair = [[0.0], [2.0]]
    truth = coco(pair, pair, Gaussian(1.0), Gaussian(1.0))
    slips = {
        "By what does (DEP.2) divide?": 2 * truth,
        "Divided by n once too often.": truth / 2,
        "In k the distance comes squared.": (1 - np.exp(-2)) / 2,
        "Is the Gram matrix centred?": (1 + np.exp(-4)) / 2,
        "(DEP.2) has a root in it.": (2 * truth) ** 2 / 2,
    }
    return close(answer, truth, slips)


@exercise(
    "14.5",
    "With a Gram matrix of full rank, which values can f take at the sample's points, and which can g?",
    "Choose any centred vector. Is there an f with these values at the x, and a g with the same values at the y?",
)
def _(answer):
    X, Y = datasets.dependence_shapes("independent", 30)
    model = KernelCCA(Exponential(1.0), Exponential(1.0), kappa=0.0, n_components=1).fit(X, Y)
    slips = {
        "The variables are independent, but f and g are chosen after the sample was seen.": 0.0,
        "A correlation does not become so large.": 2.0,
        "The largest one: f and g may be turned round.": -1.0,
    }
    return close(answer, model.correlations_[0], slips)


@exercise(
    "14.6",
    "Switch the centring in the view of the two conditions and follow the blue line to 400 points.",
    "Let f and g be constants. Is the mean of f g zero then? And is it with the product of their means subtracted?",
)
def _(answer):
    word = answer.strip().lower().replace("centered", "centred") if isinstance(answer, str) else None
    if word not in ("centred", "uncentred"):
        raise Wrong('A word was expected, "centred" or "uncentred".')
    small, large = (
        [coco(*datasets.dependence_shapes("independent", n), center=center) for center in (True, False)]
        for n in (25, 400)
    )
    vanishing = "centred" if large[0] / small[0] < large[1] / small[1] else "uncentred"
    if word != vanishing:
        raise Slip("Put two constants in: what do they give without the subtraction, whatever the data?")
    return True
