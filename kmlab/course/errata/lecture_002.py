"""Lecture 002, Belanche."""

import numpy as np

from ...centering import center_gram
from ...datasets import clusters_on_a_circle, half_circle
from ...kernels import Gaussian, NegativePower, Polynomial, feature_distance2
from ...measures import strip
from ...pca import PCA, KernelPCA
from ...preimage import image_distance2, preimage
from . import slip, statement
from .kernel_pca import literal_scores


def _points(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 2))


@statement(
    "E-B2", "s7", "B",
    "for k CPSD, √(−k) is a Euclidean distance",
    "if k(x, x) = 0, as the theorem on s6 asks; a Gaussian is CPSD too, and its distance in the theorem's sense is "
    "½(k(x, x) + k(z, z)) − k(x, z)",
    "Gaussian of width 1, points 0 and 1: −k is {}, the squared distance is {}",
)  # fmt: skip
def _():
    K = Gaussian()([[0.0], [1.0]])
    return float(-K[0, 1]), float(feature_distance2(center_gram(K) / 2)[0, 1])


@statement(
    "E-B3", "s6", "B",
    "it suffices for a kernel to be CPSD, and the larger class lets more algorithms be kernelised",
    "it suffices for methods of distances and for those whose weights sum to zero, such as kernel PCA and the SVM; "
    "others must centre K first. What grows is the choice of kernels",
    "smallest eigenvalue of K + ½I, which kernel ridge regression inverts, for −‖x − z‖²: {} as it is, {} centred",
)  # fmt: skip
def _():
    K = NegativePower(2)(_points(20, seed=2))
    return tuple(float(np.linalg.eigvalsh(G + 0.5 * np.eye(20))[0]) for G in (K, center_gram(K)))


@statement(
    "E-B4", "s11", "B",
    "the direction of largest variance is unique, and the eigenvalues strictly decrease",
    "this is the case of distinct eigenvalues, up to sign; where some are equal, whole planes of directions are best",
    "directions, one a degree, with the largest variance when C = I/2: {} of 180",
)  # fmt: skip
def _():
    X, angle = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), np.radians(np.arange(180))
    variance = (X @ np.array([np.cos(angle), np.sin(angle)])).var(0)
    return (int((variance > PCA(1).fit(X).explained_variance_[0] - 1e-12).sum()),)


slip(
    "E-B6", "s19 and s27",
    "λ is an eigenvalue of K/N in the derivation and of K in the summary, and each page says so; s19 adds that K/N has "
    "the eigenvalues of K scaled by N",
    "on s19 read: divided by N. α = v/√λ on s27 is right",
)  # fmt: skip


@statement(
    "E-B8", "s20", "B",
    "K is N × N, so there are N nonlinear components",
    "N is the most one can get: N − 1 after the centring of s21, and never more than feature space has dimensions",
    "components of 20 points in the plane: {} with a Gaussian, {} with (xᵀz + 1)²",
)  # fmt: skip
def _():
    return tuple(len(KernelPCA(kernel).fit(_points(20)).lam_) for kernel in (Gaussian(), Polynomial(2)))


@statement(
    "E-B10", "s25", "A",
    "unlike PCA, kernel PCA has no ranking of its components, as they cannot be computed",
    "they cannot be written down, but they can be ranked: λ/N, with λ of the centred K, is the variance of a score in "
    "feature space, and λ divided by the trace is its share",
    "variance of three scores against λ/N: off by {}; share of the first: {}",
)  # fmt: skip
def _():
    model = KernelPCA(Gaussian(), 3).fit(X := _points(20))
    off = np.abs(model.transform(X).var(0) - model.lam_ / 20).max()
    return float(off), float(model.lam_[0] / np.trace(center_gram(Gaussian()(X))))


@statement(
    "E-B12", "s27", "B",
    "K is overwritten by its centred version, then the scores are written with k(x_n, x_k)",
    "take the entries of the centred K, as s19 names them; with the raw kernel every score of a component is shifted "
    "by one constant",
    "first scores off by {} with the raw kernel, by {} with the entries of the centred K",
)  # fmt: skip
def _():
    X = _points(20)
    right = KernelPCA(Gaussian(), 1).fit_transform(X)
    return tuple(float(np.abs(literal_scores(Gaussian(), X, X, raw_k=raw) - right).max()) for raw in (True, False))


@statement(
    "E-B15", "s12", "B",
    "with more than d clusters there are not enough components to separate them",
    "this depends on where the clusters lie, not on how many they are",
    "clusters on a circle in the plane, each cut off from all others by a straight line: {} of 8",
)  # fmt: skip
def _():
    X, y = clusters_on_a_circle(8)
    return (sum(strip(X, y == label)[0] > 0 for label in range(8)),)


slip(
    "E-B16", "s29",
    "the relevance vector machine has the short name SVM",
    "RVM",
)  # fmt: skip

slip(
    "E-B17", "s10",
    "the data lie near a hyperplane of R^ℓ",
    "near an ℓ-dimensional subspace of R^d",
)  # fmt: skip


@statement(
    "E-B18", "s13", "B",
    "components found in feature space map back onto the manifolds wanted in input space",
    "a picture of the idea: a point on a straight axis of feature space has in general no pre-image; what is curved "
    "in input space are the lines of equal score",
    "squared distance of the middle of the first axis from the nearest image, forty points of a half circle: {}",
)  # fmt: skip
def _():
    kpca, middle = KernelPCA(Gaussian(1.0), 1).fit(half_circle(40)[0]), [[0.0]]
    return (float(image_distance2(kpca, middle, preimage(kpca, middle, "gradient"))[0]),)
