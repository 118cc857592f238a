"""The fast form of many small steps of linear algebra: on one BLAS thread, because a thread that waits costs more.

A step of a solver takes microseconds. Shared by two threads, it takes as long as the slower of them, and beside a busy
process that is a thousand times as long.
"""

import threading
from contextlib import contextmanager, nullcontext
from functools import cache, wraps

ROWS, ENTRIES = 3000, 3 * 10**6  # up to here a matrix is small: what a second thread wins is less than it may cost
_lock, _inside, _before = threading.Lock(), 0, []


@contextmanager
def one_thread():
    """Inside, BLAS computes on one thread; whoever comes out last gives back as many as there were.

    The number of threads belongs to the whole process, so those who enter at the same time share one setting.
    """
    global _inside
    with _lock:
        _inside += 1
        if _inside == 1:
            _before[:] = [(library, library.num_threads) for library in _libraries()]
            _set((library, 1) for library, _ in _before)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _set(_before)


def threads_for(X):
    """one_thread for a small X, as many as there are for a large one."""
    n, *d = getattr(X, "shape", None) or (len(X),)
    return one_thread() if n <= ROWS and n * (d[0] if d else 1) <= ENTRIES else nullcontext()


def threads_as_needed(function):
    """Decorator: function(X, ...) on threads_for(X)."""

    @wraps(function)
    def on_threads(X, *args, **options):
        with threads_for(X) if hasattr(X, "__len__") else nullcontext():
            return function(X, *args, **options)

    return on_threads


def _set(numbers):
    for library, number in numbers:
        if library.num_threads != number:
            library.set_num_threads(number)
            # threadpoolctl 3.8 would listen to this thread alone from now on, and another may be the last to come out
            getattr(library, "clear_controlling_thread", bool)()


@cache
def _libraries():
    """The BLAS libraries of this process; numpy and scipy bring one each."""
    from threadpoolctl import ThreadpoolController  # here, because whoever solves nothing has no use for it

    return ThreadpoolController().select(user_api="blas").lib_controllers
