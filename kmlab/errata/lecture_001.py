"""Slips of lecture 001 (Sugiyama)."""

import numpy as np

from ..datasets import dependence_shapes
from ..dependence import coco, witnesses
from ..kernels import Gaussian, Linear, NegativePower
from ..pca import KernelPCA
from ..preimage import image_distance2, preimage
from . import register


@register(
    "E-S1", "p112", 1, "R",
    printed="the squared norm of an image is √k(x, x)",
    corrected="the norm is √k(x, x), its square is k(x, x); with a Gaussian both are 1 and the slip stays hidden",
    quantity="squared length of x = (2, 0), linear kernel; it is 4",
)  # fmt: skip
def _root_of_the_norm():
    k = Linear().diag([[2.0, 0.0]])[0]
    return np.sqrt(k), k


@register(
    "E-S2", "p109", 1, "U",
    printed="a feature map exists if the matrix K is symmetric and positive semi-definite",
    corrected="it exists if K is so for every finite sample: 1 − d²/2 passes on {0, 1} and fails on {0, 3}",
    quantity="smallest eigenvalue on {0, 1}, then on {0, 3}",
)  # fmt: skip
def _one_sample_is_not_enough():
    return tuple(float(np.linalg.eigvalsh(1 + NegativePower()([[0.0], [far]]) / 2)[0]) for far in (1.0, 3.0))


@register(
    "E-S9", "p125-126", 3, "R",
    printed="dependence is the largest covariance of f(x) and g(y) over all functions of the space",
    corrected="over functions of norm at most 1 (COCO), or divided by penalised standard deviations (KCC): without a "
    "bound, functions ten times as large have a hundred times the covariance and there is no maximum",
    quantity="covariance of the best f and g of norm 10 in units of COCO, then the same divided by their norms",
)  # fmt: skip
def _no_bound_no_maximum():
    X, Y = dependence_shapes("circle", 100)
    f, g, covariance = witnesses(X, Y, radius=10.0)
    norms = [np.sqrt(w.alpha @ w.kernel(w.X) @ w.alpha) for w in (f, g)]
    return covariance / coco(X, Y), covariance / (norms[0] * norms[1]) / coco(X, Y)


@register(
    "E-S11", "p125", 3, "R",
    printed="the covariance of f(x) and g(y) is the mean of f(x) g(y), as x and y have mean zero",
    corrected="f(x) and g(y) do not have mean zero though x and y do: subtract f̄ ḡ, that is, centre both Gram matrices",
    quantity="its largest value on 400 independent pairs, Gaussians of width 1; it should tend to 0",
)  # fmt: skip
def _means_left_in():
    X, Y = np.random.default_rng(0).standard_normal((2, 400, 1))
    return tuple(coco(X, Y, Gaussian(1.0), Gaussian(1.0), center=center) for center in (False, True))


@register(
    "E-S20", "p115", 1, "U",
    printed="a pre-image can be found when the feature map has an inverse, else in principle not",
    corrected="existence and uniqueness fail separately: the Gaussian's map is one-to-one and most vectors have no "
    "pre-image; that of (xᵀz)² is not, and φ(x) has two, x and −x",
    quantity="squared distance of the midpoint of φ(0) and φ(2), Gaussian of width 1, to the nearest image",
)  # fmt: skip
def _midpoint_without_preimage():
    kpca, midpoint = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [2.0]]), [[0.0]]  # score 0 is the mean of the images
    return 0, float(image_distance2(kpca, midpoint, preimage(kpca, midpoint, "gradient"))[0])
