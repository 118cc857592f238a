"""kmlab side by side with its peers; `python3 course.py bench` runs it all, `... bench svm --quick` a part."""

import os
import sys

BUSY = "--busy" in sys.argv  # as many threads as BLAS takes by itself, beside a program that keeps every core busy
for name in () if BUSY else ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before numpy: both sides get one thread
