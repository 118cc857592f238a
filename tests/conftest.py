"""Data that several test files look at. It is read-only: who writes into it fails. And memory, a cluster, Ctrl-C."""

import signal
import tracemalloc

import numpy as np
import pytest


def cloud(seed, n, d):
    X = np.random.default_rng(seed).standard_normal((n, d))
    X.setflags(write=False)
    return X


@pytest.fixture(scope="session")
def X():
    """Fourteen training points in the plane, away from the origin, so that forgotten centring shows."""
    X = cloud(1, 14, 2) + [1.0, -0.5]
    X.setflags(write=False)
    return X


@pytest.fixture(scope="session")
def Xt():
    """Six new points."""
    return cloud(2, 6, 2)


@pytest.fixture
def peak():
    """A function: how many bytes work() takes at most."""

    def measured(work):
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return measured


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="no dask: pip install -e '.[dask]'")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        distributed.Client(local) as client,
    ):
        yield client


@pytest.fixture(scope="session", autouse=True)
def ctrl_c():
    """A shell's background job ignores Ctrl-C, and so would all that a test starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
