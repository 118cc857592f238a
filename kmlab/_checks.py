"""Checks at the border: what comes in is turned into clean float arrays, or refused in one sentence."""

import numbers

import numpy as np

LARGEST = 1e150  # the square of a larger entry does not fit into a float
MODERATE = 1e75  # the fourth power of a larger entry does not fit into a float


def matrix(X, name="X", min_samples=1):
    """X as a finite float64 array of shape (n, d), rows are samples."""
    X = _as_float(X, name)
    if X.ndim != 2:
        raise ValueError(
            f"{name} must have two dimensions (samples, features), got shape {X.shape}. Reshape your data: "
            f"{name}.reshape(-1, 1) for a single feature, {name}.reshape(1, -1) for a single sample."
        )
    n, d = X.shape
    if d < 1:
        raise ValueError(f"{name} has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if n < min_samples:
        raise ValueError(f"{name} has n_samples = {n}, while a minimum of {min_samples} is required: add data.")
    return _all_finite(X, name)


def pair(X, Y, min_samples=2):
    """X (n, d) and Y (n, e), two views of the same n samples; Y (n,) counts as one feature."""
    X = matrix(X, min_samples=min_samples)  # X first: its faults are told before those of Y
    Y = matrix(column(Y), "Y", min_samples=min_samples)
    if len(X) != len(Y):
        raise ValueError(f"X has {len(X)} rows and Y has {len(Y)}: both must describe the same samples, one row each.")
    return X, Y


def column(Y):
    """A vector (n,) as a matrix (n, 1); anything else as it is."""
    try:
        A = np.asarray(Y)
    except ValueError:  # rows that differ in length: whoever checks the matrix will say so
        return Y
    return A[:, None] if A.ndim == 1 else Y


def vector(y, name="y", length=None):
    """y as a finite float64 array of shape (n,)."""
    y = _as_float(y, name)
    if y.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {y.shape}: use {name}.ravel() if that is meant.")
    if len(y) == 0:
        raise ValueError(f"{name} is empty: give at least one entry.")
    if length is not None and len(y) != length:
        raise ValueError(f"{name} has {len(y)} entries for {length} samples: there must be one for each.")
    return _all_finite(y, name)


def given(y, owner):
    """y again, if there is one."""
    if y is None:
        raise ValueError(f"{type(owner).__name__} requires y to be passed, but the target y is None: give it.")
    return y


def labels(y, length, owner):
    """y as classes (k,), sorted, and codes (n,): y_i = classes[codes_i]. Labels may be numbers or text."""
    y = np.asarray(given(y, owner))
    if y.ndim != 1 or len(y) != length:
        raise ValueError(f"y must hold one label for each of {length} samples, got shape {y.shape}: use y.ravel().")
    if y.dtype.kind == "f":
        y = vector(y)
        if (y != np.round(y)).any():
            raise ValueError("Unknown label type: y holds fractions, but classes are expected: give whole numbers.")
    try:
        return np.unique(y, return_inverse=True)
    except TypeError:
        raise ValueError("y mixes labels that cannot be compared: give all of them as numbers or as text.") from None


def gram(K, name="K"):
    """K as a finite, symmetric float64 matrix of shape (n, n)."""
    K = square(K, name)
    if not is_symmetric(K):
        raise ValueError(f"{name} must be symmetric, but it differs from its transpose: symmetrise it first.")
    return K


def square(K, name="K"):
    """K as a finite float64 matrix of shape (n, n)."""
    K = matrix(K, name)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"{name} must be a square Gram matrix, got shape {K.shape}: give one row for each column.")
    return K


def is_symmetric(K):
    """Does K agree with its transpose, up to rounding?"""
    return bool(np.abs(K - K.T).max() <= 1e-8 * np.abs(K).max())


def same_features(X, n_features, owner):
    """X again, if it has the number of columns that was seen in fit."""
    if X.shape[1] != n_features:
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(owner).__name__} is expecting {n_features} features as input."
        )
    return X


def no_overflow(values, what="The kernel's values"):
    """values again, if they and their sum fit into floats."""
    with np.errstate(all="ignore"):
        if not np.isfinite(values.sum()):
            raise ValueError(f"{what} overflow on this data: scale the data to a size of about one first.")
    return values


def moderate(values, what="The kernel's values"):
    """values again, if they are of a size that leaves room for products and their squares."""
    size = float(np.abs(values).max(initial=0.0))
    if size and not 1 / MODERATE <= size <= MODERATE:
        raise ValueError(
            f"{what} reach {size:.0e}, where a size between {1 / MODERATE:g} and {MODERATE:g} is expected: "
            "scale the data to a size of about one first."
        )
    return values


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


def share(value, name):
    """value as a float between zero and one."""
    return _real(value, name, "a number between 0 and 1", lambda x: 0 < x < 1)


def count(value, name, at_least=1):
    """value as an int of at least `at_least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not at_least <= value < 2**63:
        raise ValueError(f"{name} must be a whole number of at least {at_least}, got {value!r}.")
    return int(value)


def seeded(seed):
    """numpy's random generator, started by a whole number so that a run can be repeated."""
    return np.random.default_rng(count(seed, "seed", at_least=0))


def kernel(value, name="kernel"):
    """value again, if it is a kernel: what has a formula `gram`, and is not the class of such a thing."""
    if isinstance(value, type) or not hasattr(value, "gram"):
        raise TypeError(f"{name} must be a kernel such as Gaussian(1.0), got {value!r}.")
    return value


def one_of(value, choices, name):
    """value again, if it is among the choices."""
    if not isinstance(value, type(choices[0])) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}.")
    return value


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


def anything(value, name):
    """Whatever it is: whoever uses it will look."""
    return value


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


def _as_float(A, name):
    if hasattr(A, "toarray"):
        raise TypeError(f"{name} is a sparse matrix, but dense data is required: use {name}.toarray().")
    try:
        A = np.asarray(A)
    except ValueError:
        raise ValueError(f"{name} must be a rectangle of numbers, but its rows differ in length.") from None
    if A.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must be real, take {name}.real if that is meant.")
    if A.dtype.kind not in "fiubO":
        raise ValueError(f"{name} must hold numbers, got entries of type {A.dtype}: turn text or dates into numbers.")
    try:
        return A.astype(np.float64, order="C", copy=False)  # rows side by side: sums round alike whatever came in
    except (TypeError, ValueError, OverflowError) as error:  # an object array may hold anything
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers only: {error}.") from None


def _all_finite(A, name):
    low, high = A.min(), A.max()  # a NaN anywhere makes both NaN
    if not (np.isfinite(low) and np.isfinite(high)):
        what = "NaN" if np.isnan(low) else "inf"
        raise ValueError(f"{name} contains {what}: remove or fill entries that are NaN or inf first.")
    if max(-low, high) > LARGEST:
        raise ValueError(f"{name} has entries beyond {LARGEST:g}, whose squares overflow: rescale the data.")
    return A
