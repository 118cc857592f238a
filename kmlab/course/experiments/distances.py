"""Notebook 04: k-means from starts in the reader's hand."""

from ...clustering import KernelKMeans


def rounds_from(kernel, X, starts):
    """The steps of kernel k-means if every image first joins the nearest of those of the starts (k, 2)."""
    if not len(starts):
        raise ValueError("There is no start: click at least one cross into the picture.")
    D = kernel.diag(starts) - 2 * kernel(X, starts)  # (CL.1) without k(x, x)
    return KernelKMeans(kernel, len(starts)).steps(X, D.argmin(1))
