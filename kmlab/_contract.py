"""What users of scikit-learn and of notebooks expect around an estimator, without a line of it on a student's page.

Answers with the parameters of the fit, names of features, data frames, routed metadata, and a table in a notebook.
"""

import copy
import functools
import html
import importlib
import inspect
import sys

import numpy as np

from . import _checks as check

BEFORE_FIT = ("fit", "steps", "each_step", "accept", "get_", "set_", "loo_path", "problem")  # these ask what is set now
ROUTED = ("fit", "predict", "predict_proba", "decision_function", "score", "transform", "inverse_transform")
WIDTHS = (  # where a fitted transformer shows how many columns it makes
    ("n_features_out_", lambda n: n),
    ("components_", len),
    ("alphas_", lambda A: A.shape[1]),
    ("embedding_", lambda Y: Y.shape[1]),
    ("U_", lambda U: U.shape[1]),
    ("x_weights_", lambda W: W.shape[1]),
    ("alphas_x_", lambda A: A.shape[1]),
    ("rotation_", lambda R: R.shape[1]),
    ("column_means_", len),
    ("shapes_", lambda shapes: shapes[1][1]),
    ("knots_", lambda knots: 1),
)


# ---- answers with the parameters of the fit


def answer_as_fitted(cls):
    """Every public method of a class that answers does so with the parameters of the fit, whatever they are by now."""
    for name, thing in list(vars(cls).items()):
        if name.startswith(("_", *BEFORE_FIT)):
            continue
        if inspect.isfunction(thing):
            setattr(cls, name, _as_fitted(thing))
        elif isinstance(thing, property):
            setattr(cls, name, property(_as_fitted(thing.fget), doc=thing.__doc__))


def _as_fitted(method):
    @functools.wraps(method)
    def answer(self, *args, **options):
        return method(as_fitted(self), *args, **options)

    return answer


def as_fitted(model):
    """The model with the parameters that it had in fit; itself, where it was not fitted or is such a view already."""
    own = vars(model)
    if own.get("_at_fit") is None:
        return model
    view = object.__new__(type(model))
    view.__dict__ = {**own, **own["_at_fit"], "_at_fit": None}
    return view


# ---- names of features


def names_of(X):
    """The names of a frame's columns, (d,) objects; None where they have none. Some text, some not is refused."""
    columns = getattr(X, "columns", None)
    if columns is None:
        return None
    text = [isinstance(name, str) for name in columns]
    if not any(text):
        return None
    if not all(text):
        raise TypeError("Feature names are only supported if all are text: rename the columns, or use X.to_numpy().")
    return np.asarray(columns, dtype=object)


def same_names(X, model):
    """X again, unless it is a frame whose columns are not those of fit, in their order."""
    seen, now = getattr(model, "feature_names_in_", None), names_of(X)
    if seen is None or now is None or np.array_equal(seen, now):
        return X
    new, missing = sorted(set(now) - set(seen)), sorted(set(seen) - set(now))
    said = "The feature names should match those that were passed during fit.\n"
    if new:
        said += "Feature names unseen at fit time:\n" + _listed(new)
    if missing:
        said += "Feature names seen at fit time, yet now missing:\n" + _listed(missing)
    if not new and not missing:
        said += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(said)


def _listed(names, most=5):
    return "".join(f"- {name}\n" for name in names[:most]) + ("- ...\n" if len(names) > most else "")


# ---- frames


class Output:
    """A transformer's names for what it makes, and the container that it comes in."""

    def get_feature_names_out(self, input_features=None):
        """Names for the columns that transform makes: the name of the class and a number; (k,)."""
        self._check_fitted()
        if input_features is not None and len(input_features) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), "
                f"got {len(input_features)}."
            )
        seen = getattr(self, "feature_names_in_", None)
        if input_features is not None and seen is not None and not np.array_equal(seen, input_features):
            raise ValueError("input_features is not equal to feature_names_in_: leave it out, or give those of fit.")
        k = self._columns_out()
        return np.asarray([f"{type(self).__name__.lower()}{i}" for i in range(k)], dtype=object)

    def _columns_out(self):
        return next(int(count(getattr(self, name))) for name, count in WIDTHS if hasattr(self, name))

    def set_output(self, *, transform=None):
        """What transform gives: "default" an array, "pandas" or "polars" a frame; None leaves it as it is."""
        if transform is not None:
            check.one_of(transform, ("default", "pandas", "polars"), "transform")
            self._sklearn_output_config = {"transform": transform}
        return self

    def _contained(self, result, X):
        """result in the container that set_output, or scikit-learn's own configuration, asks for."""
        theirs = getattr(sys.modules.get("sklearn"), "get_config", dict)().get("transform_output", "default")
        kind = vars(self).get("_sklearn_output_config", {}).get("transform", theirs)
        if kind == "default":
            return result
        if isinstance(result, tuple):  # the first of two views, as scikit-learn does
            return self._contained(result[0], X), *result[1:]
        return _frame(result, kind, self, X) if isinstance(result, np.ndarray) else result


def _frame(Z, kind, model, X):
    names = model.get_feature_names_out()
    names = [*names, *(f"{type(model).__name__.lower()}{i}" for i in range(len(names), Z.shape[1]))]
    try:
        library = importlib.import_module(kind)
    except ImportError:
        raise ValueError(f"set_output(transform={kind!r}) needs {kind}, which is not installed: install it.") from None
    if kind == "polars":
        return library.DataFrame(Z, schema=names, orient="row")
    return library.DataFrame(Z, columns=names, index=X.index if isinstance(X, library.DataFrame) else None)


def give_frames(cls):
    """transform and fit_transform of a class, in the container that is asked for."""
    for name in "transform", "fit_transform":
        if name in vars(cls):
            setattr(cls, name, _in_container(vars(cls)[name]))


def _in_container(method):
    first = method.__code__.co_varnames[1]

    @functools.wraps(method)
    def transform(self, *args, **options):
        return self._contained(method(self, *args, **options), args[0] if args else options.get(first))

    return transform


# ---- metadata


def take_requests(cls):
    """set_fit_request, set_score_request and the like, for methods that take more than data."""
    for name in ROUTED:
        if metadata_of(cls, name) and not hasattr(cls, f"set_{name}_request"):
            setattr(cls, f"set_{name}_request", _request(name))


def metadata_of(cls, method):
    """What a method takes besides data."""
    function = inspect.unwrap(getattr(cls, method, len))
    if not inspect.isfunction(function):
        return []
    code = function.__code__
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return [name for name in names if name not in ("X", "y", "Y", "Z", "Kt")]


def _request(method):
    def set_request(self, **wanted):
        known = metadata_of(type(self), method)
        if unknown := sorted(set(wanted) - set(known)):
            raise TypeError(f"{type(self).__name__}.{method} takes {known}, and not {unknown}: ask for the former.")
        requests = self.get_metadata_routing()
        for name, alias in wanted.items():
            getattr(requests, method).add_request(param=name, alias=alias)
        self._metadata_request = requests
        return self

    set_request.__name__ = f"set_{method}_request"
    set_request.__doc__ = f"Say whether scikit-learn's pipelines and searches hand metadata on to {method}."
    return set_request


def routing(model):
    """A MetadataRequest of scikit-learn, which alone asks for it."""
    from sklearn.utils.metadata_routing import MetadataRequest

    if (asked := vars(model).get("_metadata_request")) is not None:
        return copy.deepcopy(asked)
    requests = MetadataRequest(owner=type(model).__name__)
    for method in ROUTED:
        for name in metadata_of(type(model), method):
            getattr(requests, method).add_request(param=name, alias=None)
    return requests


# ---- a notebook


def as_html(model):
    """A line that unfolds: what the parameters are, and what was found."""
    rows = "".join(
        f"<tr><td style='text-align:left'><code>{html.escape(name)}</code></td>"
        f"<td style='text-align:left'><code>{html.escape(_short(value))}</code></td></tr>"
        for name, value in [*model.get_params(deep=False).items(), *_found(model)]
    )
    state = "fitted" if vars(model).get("_found") else "not fitted"
    name = html.escape(type(model).__name__)
    return f"<details><summary><b>{name}</b>, {state}</summary><table>{rows}</table></details>"


def _found(model):
    return [(name, value) for name, value in sorted(vars(model).items()) if name.endswith("_")]


def _short(value, most=70):
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    said = repr(value)
    return said if len(said) <= most else said[: most - 3] + "..."
