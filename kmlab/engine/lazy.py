"""Data of another kind than an array. Dask is known without loading it: whoever has such data has loaded it."""

import sys

import numpy as np


def is_lazy(X):
    """Is X a Dask array?"""
    return "dask.array" in sys.modules and isinstance(X, sys.modules["dask.array"].Array)


def other_kind(X, name):
    """Why X is no array: sparse, or of Dask, which numpy would collect here without a word; "" if it is one."""
    if hasattr(X, "toarray"):
        return f"{name} is a sparse matrix, but dense data is required: use {name}.toarray()."
    if type(X).__module__.partition(".")[0] not in ("dask", "dask_expr"):
        return ""
    what = "Dask array" if is_lazy(X) else f"{type(X).__name__} of Dask"
    how = "" if is_lazy(X) else f", as an array: {name}.to_dask_array(lengths=True)"
    return (
        f"{name} is a {what}, and this needs all of it in one place: PrimalRidge, PrimalSVC and PrimalPCA of "
        f"kmlab.scale take it block by block{how}; or collect it by {name}.compute() if there is room."
    )


def in_blocks(X, sample_weight):
    """Is X scored block by block, because it is never here as a whole? Then every row counts alike."""
    if is_lazy(X) and sample_weight is not None:
        raise ValueError("sample_weight is for data in memory: over the blocks of a Dask array every row counts alike.")
    return is_lazy(X) or isinstance(X, np.memmap) and sample_weight is None
