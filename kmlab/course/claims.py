"""claim(...): a sentence of a lecture, measured. It prints the same text on every machine."""

import numpy as np

FAR = 25  # machines differ in rounding errors by less than what lies between this and the 10 that is said


def claim(text, residual, within=1e-10):
    """Print whether a statement holds: True, or no entry of `residual` larger than `within` in magnitude.

    What was measured stands beside what is allowed, as coarse as it takes to be the same on every machine.
    """
    residual = np.asarray(residual)
    if residual.dtype == bool:
        print(f"{'✔' if residual.all() else '✘'} {text}")
        return
    size = float(np.abs(residual).max(initial=0.0))
    mark = "✔" if size <= within else "✘"
    print(f"{mark} {text}   (off by {_coarse(size, within)}, allowed {within:g})")


def _coarse(size, within):
    """Two digits; of what is small, and may be a rounding error, whether it is far below what is allowed."""
    if not size < min(1e-4, within):
        return f"{size:.2g}"
    return f"at most {within / 10 if size < within / FAR else within:g}"
