"""Checks of numbers: a parameter comes out as a clean one, and values have a size, or are refused in one sentence."""

import numbers

import numpy as np

LARGEST = 1e150  # the square of a larger entry does not fit into a float
MODERATE = 1e75  # the fourth power of a larger entry does not fit into a float


def number(value, name):
    """value as a finite float."""
    return _real(value, name, "a finite number", lambda x: abs(x) < np.inf)


def positive(value, name):
    """value as a float above zero."""
    return _real(value, name, "a positive number", lambda x: 0 < x < np.inf)


def positive_or_infinite(value, name):
    """value as a float above zero, infinity included."""
    return _real(value, name, "a positive number", lambda x: x > 0)


def non_negative(value, name):
    """value as a float of at least zero."""
    return _real(value, name, "a number of at least 0", lambda x: 0 <= x < np.inf)


def length(value, name):
    """value as a float above zero whose square is neither zero nor infinite."""
    if not 1 / LARGEST <= (x := positive(value, name)) <= LARGEST:
        raise ValueError(f"{name} must be between {1 / LARGEST:g} and {LARGEST:g}, got {value!r}: rescale the data.")
    return x


def length_or_zero(value, name):
    """A length, or zero."""
    return length(x, name) if (x := non_negative(value, name)) else x


def width(value, name):
    """A length, or "median", which waits for data."""
    return value if isinstance(value, str) and value == "median" else length(value, name)


def share(value, name):
    """value as a float between zero and one."""
    return _real(value, name, "a number between 0 and 1", lambda x: 0 < x < 1)


def count(value, name, at_least=1):
    """value as an int of at least `at_least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not at_least <= value < 2**63:
        raise ValueError(f"{name} must be a whole number of at least {at_least}, got {value!r}.")
    return int(value)


def seed(value, name="seed"):
    """A whole number, with which a run can be repeated; None for chance itself; or a numpy Generator."""
    if value is None or isinstance(value, np.random.Generator):
        return value
    try:
        return count(value, name, at_least=0)
    except ValueError:
        what = "a whole number of at least 0, None or a numpy Generator"
        raise ValueError(f"{name} must be {what}, got {value!r}.") from None


def seeded(value):
    """numpy's random generator, from a seed."""
    return np.random.default_rng(seed(value))


def one_of(value, choices, name):
    """value again, if it is among the choices."""
    if not isinstance(value, type(choices[0])) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}.")
    return value


# how large many of them may be


def no_overflow(values, what="The kernel's values"):
    """values again, if they and their sum fit into floats."""
    with np.errstate(all="ignore"):
        if not np.isfinite(values.sum()):
            raise ValueError(f"{what} overflow on this data: scale the data to a size of about one first.")
    return values


def moderate(values, what="The kernel's values"):
    """values again, if they are of a size that leaves room for products and their squares."""
    size = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
    if size and not 1 / MODERATE <= size <= MODERATE:
        raise ValueError(
            f"{what} reach {size:.0e}, where a size between {1 / MODERATE:g} and {MODERATE:g} is expected: "
            "scale the data to a size of about one first."
        )
    return values


# checks that a parameter of an estimator is annotated with, made to measure


def optional(settle):
    """None, or what `settle` makes of a value."""
    return lambda value, name: None if value is None else settle(value, name)


def choice(*choices):
    """One of these."""
    return lambda value, name: one_of(value, choices, name)


def count_from(at_least):
    """A whole number of at least this."""
    return lambda value, name: count(value, name, at_least)


def flag(value, name):
    """True or False."""
    return one_of(value, (True, False), name)


def _real(value, name, what, fits):
    """value as a float that fits; what is not a number, as a NaN, fits nowhere."""
    try:
        x = float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else np.nan
    except OverflowError:
        x = np.inf
    if not fits(x):
        raise ValueError(f"{name} must be {what}, got {value!r}.")
    return x
