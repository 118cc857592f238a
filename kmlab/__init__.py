"""kmlab: the algorithms of five lectures on kernel methods, one topic a file.

from kmlab import kernels, pca
scores = pca.KernelPCA(kernels.Gaussian(0.5), n_components=2).fit_transform(X)
"""

import importlib
import sys

__version__ = "0.1.0"


def __getattr__(name):  # kmlab.pca works after a bare `import kmlab`, and costs nothing until then
    if not name.startswith("_"):
        try:
            return importlib.import_module(f"kmlab.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"kmlab.{name}":
                raise
    raise AttributeError(f"kmlab has no part called {name!r}.")


class _Package(type(sys)):
    def __setattr__(self, name, value):  # Python does it whenever a part has been loaded
        super().__setattr__(name, value)
        if getattr(value, "__name__", "") == f"kmlab.{name}" != "kmlab.reference":
            importlib.import_module("kmlab.reference").describe(value)


sys.modules[__name__].__class__ = _Package  # parts get the whole of their docstrings, see kmlab/reference/
