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
            _before[:] = [(put, get()) for get, put in _libraries()]
            for put, number in _before:
                if number != 1:
                    put(1)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                for put, number in _before:
                    if number != 1:
                        put(number)


def threads_for(X):
    """one_thread for a small X, as many as there are for a large one."""
    n, *d = getattr(X, "shape", ()) or (len(X) if isinstance(X, list | tuple) else 0,)
    return one_thread() if n <= ROWS and n * (d[0] if d else 1) <= ENTRIES else nullcontext()


def threads_as_needed(function):
    """Decorator: function(X, ...) on threads_for(X), the first argument."""
    first = function.__code__.co_varnames[0]

    @wraps(function)
    def on_threads(*args, **options):
        with threads_for(args[0] if args else options.get(first)):
            return function(*args, **options)

    return on_threads


@cache
def _libraries():
    """How to ask and to tell the BLAS libraries of this process; numpy and scipy bring one each."""
    from threadpoolctl import ThreadpoolController  # here, because whoever solves nothing has no use for it

    found = ThreadpoolController().select(user_api="blas").lib_controllers
    # threadpoolctl 3.8 listens to one thread at a time alone, and here another may be the last to come out
    return [(one.get_num_threads, getattr(one, "_real_set_num_threads", one.set_num_threads)) for one in found]
