"""The fast form of np.cos(angle) and np.sin(angle), both of them: one tangent."""

import numpy as np


def cos_and_sin(angle, size, out):
    """size · (cos, sin) side by side into out; (m, h) -> (m, 2h). The angles are used up: another array costs time.

    With t = tan(angle/2), cos = 2/(1 + t²) - 1 and sin = t · 2/(1 + t²). Measured on strips of 1 MB with their product:
    np.cos and np.sin take 1.2 times as long for angles of about 1, and 1.5 times as long for angles of about 30.
    """
    half, t = angle.shape[1], angle
    t *= 0.5
    np.tan(t, out=t)
    q = 2 * size / (1 + t * t)
    np.subtract(q, size, out=out[:, :half])
    np.multiply(t, q, out=out[:, half:])
