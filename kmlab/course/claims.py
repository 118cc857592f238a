"""claim(...): a sentence of a lecture, measured. It prints the same text on every machine."""

import numpy as np


def claim(text, residual, within=1e-10):
    """Print whether a statement holds: True, or no entry of `residual` larger than `within` in magnitude.

    A statement that holds is printed with its bound, never with the last digits of a rounding error.
    """
    residual = np.asarray(residual)
    if residual.dtype == bool:
        print(f"{'✔' if residual.all() else '✘'} {text}")
        return
    size = float(np.abs(residual).max(initial=0.0))
    if size <= within:
        print(f"✔ {text}   (off by at most {within:g})")
    else:
        print(f"✘ {text}   (off by {size:.3g}, more than {within:g})")
