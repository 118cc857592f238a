"""kmlab: the algorithms of five lectures on kernel methods, one topic a file.

from kmlab import kernels, pca
scores = pca.KernelPCA(kernels.Gaussian(0.5), n_components=2).fit_transform(X)
"""

import importlib


def __getattr__(name):  # kmlab.pca works after a bare `import kmlab`, and costs nothing until then
    if not name.startswith("_"):
        try:
            return importlib.import_module(f"kmlab.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"kmlab.{name}":
                raise
    raise AttributeError(f"kmlab has no part called {name!r}.")
