"""kmlab side by side with its peers; `python3 course.py bench` runs it all, `... bench svm --quick` a part."""

import os

for name in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS":  # before numpy: both sides get one thread
    os.environ.setdefault(name, "1")
