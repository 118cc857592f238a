"""Notebook 08: a climb of PCA-L1 in frames."""

from typing import NamedTuple

import numpy as np

from ...pca_l1 import Coordinates, climb
from ..plane import unit


class Frame(NamedTuple):
    """One frame of a climb, after 000/s33-36."""

    kind: str  # start, polarity, flip or rest
    w: np.ndarray
    signs: np.ndarray
    dispersion: float


def frames(X, angle):
    """The rounds of one climb, taken apart: start, then polarity and flip in turn, then rest."""
    if len(X) < 2:
        raise ValueError("A climb takes two points at least: click another one into the picture.")
    rounds = list(climb(Coordinates(X - X.mean(0)), unit(angle)))
    yield Frame("start", *rounds[0])
    for now, following in zip(rounds, rounds[1:], strict=False):
        yield Frame("polarity", *now)
        yield Frame("flip", following[0], now[1], following[2])
    yield Frame("rest", *rounds[-1])
