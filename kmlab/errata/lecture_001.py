"""Slips of lecture 001 (Sugiyama)."""

import numpy as np

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
    "E-S20", "p115", 1, "U",
    printed="a pre-image can be found when the feature map has an inverse, else in principle not",
    corrected="existence and uniqueness fail separately: the Gaussian's map is one-to-one and most vectors have no "
    "pre-image; that of (xᵀz)² is not, and φ(x) has two, x and −x",
    quantity="squared distance of the midpoint of φ(0) and φ(2), Gaussian of width 1, to the nearest image",
)  # fmt: skip
def _midpoint_without_preimage():
    kpca, midpoint = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [2.0]]), [[0.0]]  # score 0 is the mean of the images
    return 0, float(image_distance2(kpca, midpoint, preimage(kpca, midpoint, "gradient"))[0])
