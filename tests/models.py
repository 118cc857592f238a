"""Every estimator of kmlab: found, not listed, so that none can be forgotten."""

import importlib
import inspect
import pkgutil

from sklearn.linear_model import LogisticRegression, Ridge

import kmlab
from kmlab._bases import Estimator
from kmlab.cca import CCA, KernelICA
from kmlab.clustering import KernelKMeans, KernelVQ, SpectralClustering
from kmlab.curves import Autoencoder
from kmlab.discriminant import KernelFDA
from kmlab.kernels import Linear, Polynomial, Precomputed
from kmlab.manifold import LPP, KernelLPP, LaplacianEigenmap
from kmlab.neighbors import KernelKNN, ParzenClassifier
from kmlab.npt import NPT, Kernelized
from kmlab.one_class import OneClassSVM
from kmlab.pca import PCA, KernelPCA
from kmlab.pca_l1 import KernelPCAL1
from kmlab.perceptron import KernelPerceptron, Perceptron
from kmlab.regression import RVM, KernelPLS, KernelRidge
from kmlab.scale import Nystroem, RandomFourier
from kmlab.svm import SVC
from kmlab.voting import OneAgainstOne


class LinearCCA(CCA):
    """scikit-learn's suite takes the name CCA for its own class, whose fit_transform gives both views."""


def modules():
    """The public files of kmlab that hold algorithms."""
    names = [m.name for m in pkgutil.iter_modules(kmlab.__path__) if not m.ispkg and not m.name.startswith("_")]
    return {name: importlib.import_module(f"kmlab.{name}") for name in names}


def public(kind):
    """(file, object) for every public class or function that is defined in one of them."""
    return [
        (name, thing)
        for name, module in modules().items()
        for _, thing in inspect.getmembers(module, kind)
        if thing.__module__ == module.__name__ and not thing.__name__.startswith("_")
    ]


def says_how_to_fit(cls):
    """Is it an estimator, and not only what several of them share?"""
    if cls is OneAgainstOne:  # it needs somebody's fit_two
        return False
    return issubclass(cls, Estimator) and (cls.fit_to is not Estimator.fit_to or cls.fit is not Estimator.fit)


CLASSES = [cls for _, cls in public(inspect.isclass) if says_how_to_fit(cls)]

# Every class is tested as it comes, but for those whose defaults do not suit the small data of a test.
INSTEAD = {
    Kernelized: [Kernelized(Ridge()), Kernelized(LogisticRegression()), Kernelized(PCA())],
    CCA: [LinearCCA()],
    Autoencoder: [Autoencoder(restarts=1, max_steps=20)],
    KernelICA: [KernelICA(Polynomial(2), n_angles=4, tol=1.0, max_passes=1)],
    Perceptron: [Perceptron(max_passes=20)],  # no plane separates this data, and a thousand passes say the same
    KernelPerceptron: [KernelPerceptron(max_passes=20)],
    SpectralClustering: [SpectralClustering(n_neighbors=5)],
    LaplacianEigenmap: [LaplacianEigenmap(1, 4)],
    LPP: [LPP(1, 4), LPP(1, 4, center="D")],
    KernelLPP: [KernelLPP(n_neighbors=4), KernelLPP(Precomputed(), 1, 4)],
    Nystroem: [Nystroem(n_landmarks=8), Nystroem(n_landmarks=8, pick="largest")],
    RandomFourier: [RandomFourier(n_features=8)],
}
ALSO = [
    PCA(route="dual"),
    KernelPCA(Polynomial(2, 1.0)),
    KernelPCA(Precomputed()),
    NPT(center=False),
    NPT(Precomputed()),
    KernelPCAL1(route="npt"),
    KernelPCAL1(Precomputed()),
    KernelPerceptron(Precomputed(), max_passes=20),
    KernelFDA(Precomputed()),
    SVC(Linear(), slack=2),
    SVC(Precomputed()),
    OneClassSVM(Precomputed()),
    KernelRidge(intercept=True),
    RVM(updates="em", max_steps=50),
    RVM(Precomputed()),
    KernelPLS(Precomputed()),
    KernelKNN(Precomputed(), 3),
    ParzenClassifier(Precomputed()),
    KernelKMeans(Precomputed()),
    KernelVQ(Precomputed()),
]
MODELS = [model for cls in CLASSES for model in INSTEAD.get(cls) or [cls()]] + ALSO
