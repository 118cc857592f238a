"""Exercises of notebook 12, pre-images and denoising."""

import numpy as np

from ...kernels import Gaussian
from ...pca import PCA, KernelPCA
from ...preimage import image_distance2, input_distance2, preimage, projection_coefficients, squared_norm
from ...relevance import relevant_dimension
from ..checking import Wrong, as_array, close, same_function, value_of
from . import exercise


def _unseen(n, d, seed):
    return np.random.default_rng(seed).standard_normal((n, d))


@exercise("12.1", "Multiply f by itself: which values of k appear? And how long is every image of a Gaussian kernel?")
def _(answer):
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Wrong("Hand over both parts: the squared length, and True or False.")
    length2, exists = answer
    kpca = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [2.0]])  # the midpoint is the mean image: score 0
    if not close(length2, squared_norm(kpca, [[0.0]])):
        raise Wrong("The squared length is not right yet.")
    if not isinstance(exists, bool | np.bool_):
        raise Wrong("The length is right; the second part is True or False.")
    return bool(exists) == bool(image_distance2(kpca, [[0.0]], preimage(kpca, [[0.0]], "gradient"))[0] < 1e-9)


@exercise("12.2", "Which k(x, z) belongs to that distance of the images, and which distance of the points to that k?")
def _(answer):
    return close(answer, input_distance2(Gaussian(np.sqrt(2)), 1.0))


@exercise("12.3", "(PI.1) has the weights, H and the mean included; then (PI.3), until z stands still.")
def _(answer):
    for seed in (1, 2, 3):
        X, start = _unseen(30, 2, seed), 0.5 * _unseen(1, 2, seed + 10)
        kpca = KernelPCA(Gaussian(1.5), 3).fit(X)
        scores = kpca.transform(start)
        z = as_array(value_of(answer, X, kpca.alphas_, scores[0], 1.5, start[0]), (2,))
        weight = projection_coefficients(kpca, scores)[0] * kpca.kernel(z[None], X)[0]
        slope = np.abs(4 / 1.5**2 * (weight.sum() * z - weight @ X)).max()
        if not slope < 1e-4:
            raise Wrong(f"On unseen data the gradient at your point is {slope:.2g}, less than 1e-4 is needed.")
        before, after = (image_distance2(kpca, scores, [point])[0] for point in (start[0], z))
        if after > before:  # far away from all data the landscape is flat, too
            raise Wrong(f"Flat at your point, but |φ(z) - f|² is {after:.2g} there and {before:.2g} at the start.")
    return True


@exercise("12.4", "np.linalg.eigh sorts upwards: turn U around first; q, and your answer, count from 1.")
def _(answer):
    def cases():
        for seed in range(4):
            rng = np.random.default_rng(seed)
            K = Gaussian(1.0)(rng.uniform(-3, 3, (80, 1)))
            U = np.linalg.eigh(K)[1][:, ::-1]
            yield K, U[:, :6] @ rng.choice([-3.0, 3.0], 6) + 0.1 * rng.standard_normal(80)  # six are planted

    return same_function(answer, lambda K, y: relevant_dimension(K, y).dimension, cases(), instead=[relevant_dimension])


@exercise("12.5", "With k(x, z) = xᵀz the vector Σ γ_i φ(x_i) is a point of input space itself.")
def _(answer):
    def cases():
        for seed, k in ((1, 1), (2, 2), (3, 3)):
            yield _unseen(12, 4, seed) + 2, _unseen(5, 4, seed + 5), k

    def truth(X, Xt, k):
        pca = PCA(k).fit(X)
        return pca.inverse_transform(pca.transform(Xt))

    return same_function(answer, truth, cases(), instead=[PCA])
