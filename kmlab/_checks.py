"""Checks at the border: what comes in is turned into clean float arrays, or refused in one sentence."""

import numbers

import numpy as np

from ._numbers import *  # noqa: F403
from ._numbers import LARGEST, number
from .engine.lazy import other_kind


def matrix(X, name="X", min_samples=1):
    """X as a finite float64 array of shape (n, d), rows are samples."""
    X = _as_float(X, name)
    if X.ndim != 2:
        raise ValueError(
            f"{name} must have two dimensions (samples, features), got shape {X.shape}. Reshape your data: "
            f"{name}.reshape(-1, 1) for a single feature, {name}.reshape(1, -1) for a single sample."
        )
    if X.shape[1] < 1:
        raise ValueError(f"{name} has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if len(X) < min_samples:
        raise ValueError(f"{name} has n_samples = {len(X)}, while a minimum of {min_samples} is required: add data.")
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
        A = np.asanyarray(Y)  # a mask stays, for whoever checks the matrix
    except ValueError:  # rows that differ in length: whoever checks the matrix will say so
        return Y
    return A[:, None] if A.ndim == 1 else Y


def vector(y, name="y", length=None, each="samples"):
    """y as a finite float64 array of shape (n,)."""
    y = _as_float(y, name)
    if y.ndim != 1:
        fits = y.size > 0 and length in (None, y.size)
        what_to_do = f"use {name}.ravel() if that is meant" if fits else f"give one entry for each of the {each}"
        raise ValueError(f"{name} must have one dimension, got shape {y.shape}: {what_to_do}.")
    if len(y) == 0:
        raise ValueError(f"{name} is empty: give at least one entry.")
    if length is not None and len(y) != length:
        raise ValueError(f"{name} has {len(y)} entries for {length} {each}: there must be one for each.")
    return _all_finite(y, name)


def signs(y, length):
    """y as a vector of -1 and +1."""
    y = vector(y, "y", length)
    if not np.isin(y, (-1, 1)).all():
        raise ValueError("y must hold -1 and +1 only: turn other labels into these.")
    return y


def targets(y, length, dimensions=1):
    """y as a finite float64 array of shape (n,), or where two dimensions are meant (n, q)."""
    if dimensions == 1:
        return vector(y, length=length)
    y = matrix(y, "y")
    if len(y) != length:
        raise ValueError(f"y has {len(y)} rows for {length} samples: there must be one for each.")
    return y


def is_table(y):
    """Has it rows and columns? What cannot be told here is told by whoever checks it."""
    try:
        return np.asanyarray(y).ndim == 2
    except ValueError:
        return False


def given(y, owner):
    """y again, if there is one."""
    if y is None:
        who = owner.__name__ if callable(owner) else type(owner).__name__
        raise ValueError(f"{who} requires y to be passed, but the target y is None: give it.")
    return y


def labels(y, length, owner):
    """y as classes (k,), sorted, and codes (n,): y_i = classes[codes_i]. Labels may be numbers or text."""
    y = as_labels(given(y, owner), length)
    try:
        return np.unique(y, return_inverse=True)
    except TypeError:
        raise ValueError("y mixes labels that cannot be compared: give all of them as numbers or as text.") from None


def as_labels(y, length):
    """y as an array (n,) of labels, numbers or text."""
    y = whole(y, "y")
    try:
        y = np.asarray(y)
    except ValueError:
        raise ValueError("y must hold one label for each sample, but its rows differ in length.") from None
    if y.ndim == 2 and y.shape == (length, 1):
        raise ValueError(f"y must have one dimension, got shape {y.shape}: use y.ravel().")
    if y.ndim != 1:
        raise ValueError(f"y must hold one label for each of {length} samples, got shape {y.shape}: give a vector.")
    if len(y) != length:
        raise ValueError(f"y has {len(y)} labels for {length} samples: there must be one for each.")
    if y.dtype.kind == "f":
        y = vector(y)
        if (y != np.round(y)).any():
            raise ValueError("Unknown label type: y holds fractions, but classes are expected: give whole numbers.")
    if y.dtype.kind in "cV":
        raise ValueError(f"Unknown label type: y holds entries of type {y.dtype}: give whole numbers, text or dates.")
    if y.dtype.kind in "OmM" and any(map(_is_missing, y)):
        raise ValueError("y contains NaN or None, which is no class: remove these samples, or give them a label.")
    return y


def _is_missing(label):
    """Is it None, or as a NaN, a NaT or the NA of pandas not equal to itself?"""
    try:
        return label is None or not bool(label == label)
    except TypeError:  # that NA is neither
        return True


def known(y, classes, length):
    """The labels y (n,), if they are of the kind of the classes, numbers or text, and only then can be compared."""
    y = as_labels(y, length)
    if None not in (ours := _kind_of(classes), theirs := _kind_of(y)) and ours != theirs:
        raise ValueError(
            f"y holds labels such as {y.item(0)!r}, but the classes of fit are such as {classes.item(0)!r}."
        )
    return y


def _kind_of(labels):
    """Text, bytes, dates or numbers, none of which is ever equal to another; None for anything else."""
    if labels.dtype.kind != "O":
        return {"U": "text", "S": "bytes", "M": "dates", "m": "times"}.get(labels.dtype.kind, "numbers")
    for kind, name in ((str, "text"), (bytes, "bytes"), (numbers.Number, "numbers")):
        if all(isinstance(label, kind) for label in labels):
            return name
    return None


def among(y, classes, length):
    """The places (n,) of the labels y among the classes; a label that is none of them is refused."""
    y = known(y, classes, length)
    place = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    if (strange := classes[place] != y).any():
        names = ", ".join(map(str, classes))
        raise ValueError(f"y holds {y[strange][0]}, which is no class of fit: leave it out, the classes are {names}.")
    return place


def weights(w, length, name="sample_weight"):
    """w as a vector of weights, one for each sample, none negative and not all zero; None means equal ones."""
    if w is None:
        return np.ones(length)
    w = np.full(length, number(w, name)) if np.ndim(w) == 0 else vector(w, name, length)
    if w.min() < 0:
        raise ValueError(f"{name} must not be negative, got {w.min():g}: a weight says how often a sample counts.")
    if not w.any():
        raise ValueError(f"{name} is zero for every sample, so that none counts: give some of them a weight.")
    return w


def whole(A, name):
    """A again, unless it hides some of its entries behind a mask."""
    if isinstance(A, np.ma.MaskedArray):
        if np.ma.is_masked(A):
            raise ValueError(f"{name} is masked in {np.ma.count_masked(A)} entries: fill or remove these first.")
        return A.data
    return A


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
        cross = getattr(getattr(owner, "kernel", None), "pairwise", False)
        said = f"X has {X.shape[1]} features, but {type(owner).__name__} is expecting {n_features} features as input"
        raise ValueError(f"{said}: give {'a column for each training point' if cross else 'the columns of fit'}.")
    return X


def kernel(value, name="kernel"):
    """value again, if it is a kernel: what has a formula `gram`, and is not the class of such a thing."""
    if isinstance(value, type) or not hasattr(value, "gram"):
        raise TypeError(f"{name} must be a kernel such as Gaussian(1.0), got {value!r}.")
    return value


def _as_float(A, name):
    if why := other_kind(A, name):
        raise TypeError(why)
    A = whole(A, name)
    try:
        A = np.asarray(A)
    except ValueError:
        raise ValueError(f"{name} must be a rectangle of numbers, but its rows differ in length.") from None
    if A.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must be real, take {name}.real if that is meant.")
    if A.dtype.kind not in "fiubO":
        kind = A.dtype if A.dtype.names is None else "record"
        raise ValueError(f"{name} must hold numbers, got entries of type {kind}: turn text or dates into numbers.")
    try:
        return A.astype(np.float64, order="C", copy=False)  # rows side by side: sums round alike whatever came in
    except (TypeError, ValueError, OverflowError) as error:  # an object array may hold anything
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers only: {error}.") from None


def _all_finite(A, name):
    low, high = (A.min(), A.max()) if A.size else (0, 0)  # a NaN anywhere makes both NaN
    if not (np.isfinite(low) and np.isfinite(high)):
        what = "NaN" if np.isnan(low) else "inf"
        raise ValueError(f"{name} contains {what}: remove or fill entries that are NaN or inf first.")
    if max(-low, high) > LARGEST:
        raise ValueError(f"{name} has entries beyond {LARGEST:g}, whose squares overflow: rescale the data.")
    return A
