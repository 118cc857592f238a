"""Data that several test files look at. It is read-only: whoever writes into it fails. And Ctrl-C."""

import signal

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


@pytest.fixture(scope="session", autouse=True)
def ctrl_c():
    """A shell's background job ignores Ctrl-C, and so would all that a test starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
