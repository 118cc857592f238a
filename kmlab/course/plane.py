"""Directions of the plane by their angle in degrees."""

import numpy as np


def unit(degrees):
    """Unit vectors at these angles; (...,) -> (..., 2)."""
    angle = np.radians(degrees)
    return np.stack([np.cos(angle), np.sin(angle)], -1)


def angle_of(w):
    """Angle of an axis, from 0 to 180."""
    return float(np.degrees(np.arctan2(w[1], w[0])) % 180)


def apart(a, b):
    """Angle between two axes, from 0 to 90."""
    return float(min((a - b) % 180, (b - a) % 180))
