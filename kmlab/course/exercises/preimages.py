"""Exercises of notebook 12, pre-images and denoising."""

import numpy as np

from ...kernels import Gaussian
from ...pca import PCA, KernelPCA
from ...preimage import image_distance2, input_distance2, preimage, projection_coefficients, squared_norm
from ...relevance import relevant_dimension
from ..checking import Slip, Wrong, as_array, close, same_function, value_of
from . import exercise


def _unseen(n, d, seed):
    return np.random.default_rng(seed).standard_normal((n, d))


@exercise(
    "12.1",
    "Multiply f by itself: which values of k appear? And how long is every image of a Gaussian kernel?",
    "Half of two images, multiplied by itself: four terms, a quarter each, and two of them are k(0, 2).",
)
def _(answer):
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Wrong("Hand over both parts: the squared length, and True or False.")
    length2, exists = answer
    kpca = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [2.0]])  # the midpoint is the mean image: score 0
    truth = squared_norm(kpca, [[0.0]])
    slips = {
        "The two images are not orthogonal: where is k(0, 2)?": 0.5,
        "In k(0, 2) the distance comes squared.": (1 + np.exp(-2)) / 2,
        "This is the length; asked is its square.": np.sqrt(truth),
        "Each image is one long, and their midpoint?": 1.0,
    }
    if not close(length2, truth, slips):
        raise Wrong("The squared length is not right yet.")
    if not isinstance(exists, bool | np.bool_):
        raise Wrong("The length is right; the second part is True or False.")
    if bool(exists) != bool(image_distance2(kpca, [[0.0]], preimage(kpca, [[0.0]], "gradient"))[0] < 1e-9):
        raise Slip("The length is right. Can a vector of this length be the image of a point?")
    return True


@exercise(
    "12.2",
    "Which k(x, z) belongs to that distance of the images, and which distance of the points to that k?",
    "The squared distance of two images is 2 − 2k. Solve for k, then take the logarithm; there is a 2 below the line.",
)
def _(answer):
    truth = input_distance2(Gaussian(np.sqrt(2)), 1.0)
    slips = {
        "What stands below the line in this kernel?": truth / 2,
        "This is the distance; asked is its square.": np.sqrt(truth),
        "So large is k. Which points have it?": 0.5,
        "Distances of images and of points are not the same.": 1.0,
        "A squared distance is not negative: the kernel has a minus too.": -truth,
    }
    return close(answer, truth, slips)


@exercise(
    "12.3",
    "(PI.1) has the weights, H and the mean included; then (PI.3), until z stands still.",
    "A round of (PI.3) is a mean of the training points under weights γ_i k(z, x_i). A hundred rounds are soon done.",
)
def _(answer):
    for seed in (1, 2, 3):
        X, start = _unseen(30, 2, seed), 0.5 * _unseen(1, 2, seed + 10)
        kpca = KernelPCA(Gaussian(1.5), 3).fit(X)
        scores = kpca.transform(start)
        z = as_array(value_of(answer, X, kpca.alphas_, scores[0], 1.5, start[0]), (2,))
        gamma = projection_coefficients(kpca, scores)[0]

        def slope_at(z, gamma, kernel, X=X):
            weight = gamma * kernel(z[None], X)[0]
            return np.abs(4 / 1.5**2 * (weight.sum() * z - weight @ X)).max()

        slope = slope_at(z, gamma, kpca.kernel)
        if not slope < 1e-4:
            if slope_at(z, gamma, Gaussian(1.5 * np.sqrt(2))) < 1e-4:
                raise Slip("What stands below the line in your kernel? Here it is c², not 2σ².")
            if slope_at(z, gamma - 1 / len(X), kpca.kernel) < 1e-4:
                raise Slip("Is the mean in it?")
            if np.array_equal(z, start[0]):
                raise Slip("This is where you started.")
            raise Wrong(f"On unseen data the gradient at your point is {slope:.2g}, less than 1e-4 is needed.")
        before, after = (image_distance2(kpca, scores, [point])[0] for point in (start[0], z))
        if after > before:  # far away from all data the landscape is flat, too
            raise Wrong(f"Flat at your point, but |φ(z) - f|² is {after:.2g} there and {before:.2g} at the start.")
    return True


@exercise(
    "12.4",
    "np.linalg.eigh sorts upwards: turn U around first; q, and your answer, count from 1.",
    "For every q: the mean of s² up to q and the mean behind it, their logarithms, weighted by how many there are.",
)
def _(answer):
    def cases():
        for seed in range(4):
            rng = np.random.default_rng(seed)
            K = Gaussian(1.0)(rng.uniform(-3, 3, (80, 1)))
            U = np.linalg.eigh(K)[1][:, ::-1]
            yield K, U[:, :6] @ rng.choice([-3.0, 3.0], 6) + 0.1 * rng.standard_normal(80)  # six are planted

    def truth(K, y):
        return relevant_dimension(K, y).dimension

    slips = {
        "An index counts from 0, and q from 1.": lambda K, y: truth(K, y) - 1,
        "One too many: the first place has number 1 already.": lambda K, y: truth(K, y) + 1,
        "All dimensions? Only q up to n/2 are compared.": lambda K, y: len(y) // 2,
    }
    return same_function(answer, truth, cases(), slips, instead=[relevant_dimension])


@exercise(
    "12.5",
    "With k(x, z) = xᵀz the vector Σ γ_i φ(x_i) is a point of input space itself.",
    "transform gives the scores, projection_coefficients makes the γ of them, a row a point. What is summed then?",
)
def _(answer):
    def cases():
        for seed, k in ((1, 1), (2, 2), (3, 3)):
            yield _unseen(12, 4, seed) + 2, _unseen(5, 4, seed + 5), k

    def truth(X, Xt, k):
        pca = PCA(k).fit(X)
        return pca.inverse_transform(pca.transform(Xt))

    slips = {
        "Around the origin instead of around the mean: (PI.1) has the mean in it.": lambda X, Xt, k: (
            truth(X, Xt, k) - X.mean(0)
        ),
        "These are the points themselves. With k components something is lost.": lambda X, Xt, k: Xt,
        "One component too many.": lambda X, Xt, k: truth(X, Xt, k + 1),
    }
    return same_function(answer, truth, cases(), slips, instead=[PCA])
