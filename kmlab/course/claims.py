"""claim(...): a sentence of a lecture, measured. It prints the same text on every machine."""

import numpy as np


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
    """Two digits; of what is small, and may be a rounding error, a bound with room: a power of a thousand."""
    if not size < 1e-4:
        return f"{size:.2g}"
    bound = next(bound for bound in (1e-12, 1e-9, 1e-6, 1e-3) if 10 * size < bound)
    return f"at most {min(bound, within) if size <= within else bound:g}"
