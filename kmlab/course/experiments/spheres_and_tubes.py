"""Notebook 11: an RVM on its way."""

import numpy as np

from ...regression import RVM


def history(kernel, X, t, updates="mackay", frames=30):
    """The steps of an RVM at about equal distances on a logarithmic clock, each with its number and the evidence."""
    steps = list(RVM(kernel, updates).steps(X, t))
    evidence = np.array([step.evidence for step in steps])
    chosen = np.unique(np.geomspace(1, len(steps), frames).round().astype(int)) - 1
    return [(int(i), steps[i], evidence) for i in chosen]
