"""kmlab side by side with its peers; `python3 course.py bench` runs it all, `... bench svm --quick` a part."""

import os
import sys

BUSY = "--busy" in sys.argv  # as many threads as BLAS takes by itself, beside a program that keeps every core busy
for name in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS":  # before numpy
    if BUSY:
        os.environ.pop(name, None)
    else:
        os.environ.setdefault(name, "1")  # both sides get one thread
