"""scikit-learn's contract without scikit-learn: __init__ only stores, fit returns self, fitted names end in _."""

import dataclasses
import sys

import numpy as np

from . import _checks as check
from . import _contract as contract
from ._positive import name_what_is_wrong
from ._warnings import LittleDifference, NotConverged, NotPositive, warn_not_converged  # noqa: F401
from ._widths import settled
from .engine.threads import threads_for


class Estimator:
    """Base of every estimator. Its fields are its parameters, each annotated with the check that it must pass.

    A subclass says in `fit_to` what is computed from checked data with checked parameters, and in `accept` what data it
    takes. fit is all or nothing: refused or interrupted, it leaves what was there before.
    """

    _estimator_type = None  # "classifier", "regressor" or "clusterer" where that is what it is
    min_samples = 2
    _without_images = False
    needs = None  # "images", or "distances" between them, of a kernel: without them its numbers mean nothing

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls._parameters = dataclasses.fields(dataclasses.dataclass(eq=False, repr=False)(cls))  # __init__ only stores
        contract.answer_as_fitted(cls)
        contract.take_requests(cls)

    def fit(self, X, y=None):
        new, data = self._prepared(X, y)
        with threads_for(data[0]):
            new.fit_to(*data)
        return self._become(new)

    def accept(self, X, y=None):
        """The arguments of fit_to, checked."""
        return (check.matrix(X, min_samples=self.min_samples),)

    def fit_to(self, X):
        raise NotImplementedError

    def _prepared(self, X, y=None):
        """An estimator that has seen nothing, with checked parameters, and what accept makes of the data."""
        new = object.__new__(type(self))
        data, names = new.accept(X, y), contract.names_of(X)
        new.n_features_in_ = data[0].shape[1]
        if names is not None:
            new.feature_names_in_ = names
        vars(new).update(vars(self._settled()))
        new._follow(*data)
        new._look_for_images(*data)
        return new, data

    def _follow(self, X, *more):
        """Kernels whose width follows the data get it; kernel_ is what was used, width_ what was found."""
        for name in self._kernels():
            given = getattr(self, name)
            setattr(self, name, kernel := settled(given, more[0] if name == "kernel_y" else X))
            setattr(self, f"{name}_", kernel)
            if kernel is not given and hasattr(kernel, "width"):
                setattr(self, name.replace("kernel", "width") + "_", kernel.width)

    def _look_for_images(self, X, *more):
        """A kernel is named that tells nothing apart, or is not positive semi-definite where the method needs it."""
        for name in self._kernels():
            kernel, view = getattr(self, name), more[0] if name == "kernel_y" else X
            if name_what_is_wrong(kernel, view, type(self).__name__, self.needs):
                self._without_images = True

    def _kernels(self):
        return [field.name for field in self._parameters if field.name.startswith("kernel")]

    def _settled(self):
        new = object.__new__(type(self))
        vars(new).update({f.name: f.type(getattr(self, f.name), f.name) for f in self._parameters})
        return new

    def _become(self, new):
        """Take over what `new` has found, in one step: nothing of an earlier fit survives, parameters stay as given."""
        names = self.get_params(deep=False)
        found = {name: value for name, value in vars(new).items() if name not in names}
        found["_at_fit"] = {name: value for name, value in vars(new).items() if name in names}
        kept = {name: value for name, value in vars(self).items() if name not in vars(self).get("_found", ())}
        self.__dict__ = kept | found | {"_found": tuple(found)}
        return self

    def get_params(self, deep=True):
        params = {field.name: getattr(self, field.name) for field in self._parameters}
        return _with_inner(params) if deep else params

    def set_params(self, **params):
        """Set parameters; `kernel__width=2.0` replaces the kernel by one of that width."""
        for name, value in sorted(params.items()):  # `kernel` before `kernel__width`, whatever the order given
            if name not in (known := self.get_params()):
                raise ValueError(f"Invalid parameter {name!r} for {type(self).__name__}; there are {sorted(known)}.")
            outer, _, inner = name.partition("__")
            setattr(self, outer, _with_param(getattr(self, outer), inner, value) if inner else value)
        return self

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params(deep=False).items())})"

    def _repr_html_(self):
        return contract.as_html(self)

    def get_metadata_routing(self):
        """What scikit-learn may hand on to fit, predict, score and the others; only it asks."""
        return contract.routing(self)

    def _check_fitted(self):
        if not any(name.endswith("_") for name in vars(self)):
            theirs = sys.modules.get("sklearn")  # its users catch its own class
            error = theirs.exceptions.NotFittedError if theirs else NotFittedError
            raise error(f"This {type(self).__name__} is not fitted yet: call fit first.")

    def _check_new(self, X):
        """X at prediction time: fitted, clean and as wide as in fit."""
        self._check_fitted()
        X = contract.same_names(X, self)
        return check.same_features(check.matrix(X), self.n_features_in_, self)

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags, TransformerTags  # it asks

        kind = self._estimator_type
        pairwise = getattr(getattr(self, "kernel", None), "pairwise", False)
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=kind in ("classifier", "regressor")),
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            transformer_tags=TransformerTags() if hasattr(self, "transform") else None,
            input_tags=InputTags(pairwise=pairwise),
        )


class Stepwise:
    """An estimator whose algorithm is a generator, `each_step`: fit runs it to its end, steps shows it.

    The generator returns whether it came to rest.
    """

    def run_steps(self, steps, remedy, before=0):
        """The last step; n_iter_ and converged_ say how many, less those before, and whether they came to rest."""
        self.n_iter_, self.converged_ = -before, None
        while self.converged_ is None:
            try:
                last, self.n_iter_ = next(steps), self.n_iter_ + 1
            except StopIteration as end:
                self.converged_ = bool(end.value)
        if not self.converged_:
            warn_not_converged(self, remedy)
        return last

    def steps(self, X, y=None):
        """Every step of fit, one by one."""
        new, data = self._prepared(X, y)
        return new.each_step(*data)


class Classifier(Estimator):
    """An estimator that tells classes apart, whatever their labels; fit_to gets them as codes from 0."""

    _estimator_type = "classifier"

    def accept(self, X, y=None):
        X = check.matrix(X, min_samples=self.min_samples)
        self.classes_, code = check.labels(y, len(X), self)
        return X, code

    def score(self, X, y, sample_weight=None):
        """The share of right answers."""
        answers = self.predict(X)
        right = answers == check.known(check.given(y, self), self.classes_, len(answers))
        return float(np.average(right, weights=check.weights(sample_weight, len(answers))))


class TwoClasses(Classifier):
    """A classifier for two classes, -1 and +1 in fit_to: decision_function > 0 means classes_[1]."""

    def accept(self, X, y=None):
        X, code = super().accept(X, y)
        classes = self.classes_
        if len(classes) == 1:
            raise ValueError(f"y holds one class only, {classes[0]}: two are needed, add points of another class.")
        if len(classes) > 2:
            raise ValueError(
                f"Only binary classification is supported, y holds {len(classes)} classes (multiclass): choose two."
            )
        return X, 2.0 * code - 1

    def predict(self, X):
        upper = self.decision_function(X) > 0
        return self.classes_[upper.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class Clusterer(Estimator):
    """An estimator whose fit leaves labels_ (n,), numbers from 0."""

    _estimator_type = "clusterer"

    def fit_predict(self, X, y=None):
        return self.fit(X).labels_


class Transformer(contract.Output, Estimator):
    """An estimator with transform."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        contract.give_frames(cls)

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)


class NotFittedError(ValueError, AttributeError):
    """Raised when an estimator is used before fit."""


def _with_inner(params):
    """params, and as `name__inner` what a parameter is made of: a method of scikit-learn's kind, or a kernel."""
    inner = {name: _params_of(value) for name, value in params.items() if not isinstance(value, type)}
    return params | {f"{name}__{part}": value for name, parts in inner.items() for part, value in parts.items()}


def _params_of(value):
    if hasattr(value, "get_params"):
        return value.get_params()
    fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    return _with_inner({field.name: getattr(value, field.name) for field in fields})


def _with_param(value, name, new):
    """value with one of its parameters, or of what it is made of, replaced."""
    if hasattr(value, "set_params"):
        return value.set_params(**{name: new})
    outer, _, inner = name.partition("__")
    return dataclasses.replace(value, **{outer: _with_param(getattr(value, outer), inner, new) if inner else new})
