"""Two ways of doing the same, timed in turn in one process, so that a busy machine slows both."""
import gc
import time

import numpy as np


def race(ours, theirs, rounds=5, least=0.02, clock=time.process_time):
    """Median seconds of both and their last results; each sample repeats a short call until `least` seconds are full.

    The clock counts processor time, so that other programs disturb less; both sides must use one thread.
    -> (seconds, result) of ours, (seconds, result) of theirs
    """
    ways, taken, result = (ours, theirs), ([], []), [None, None]
    if rounds > 1:  # a first call warms up and is not counted
        ours(), theirs()
    gc.collect()
    for _ in range(rounds):
        for side, way in enumerate(ways):
            calls, start = 0, clock()
            while calls == 0 or clock() - start < least:
                result[side] = way()
                calls += 1
            taken[side].append((clock() - start) / calls)
    return tuple((float(np.median(t)), r) for t, r in zip(taken, result, strict=True))


def geometric_mean(ratios):
    return float(np.exp(np.mean(np.log(ratios))))
