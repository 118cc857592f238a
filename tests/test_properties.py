"""A right result or one sentence, whatever comes in: data of every shape, type and size, through every door of kmlab.

Never a NaN, never a hang, never an error from inside a library; what comes in is not changed; the same numbers give the
same bytes, in whatever form they come. HYPOTHESIS_PROFILE=search looks longer, and elsewhere each time.
"""

import contextlib
import copy
import inspect
import itertools
import os
import signal
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from models import CLASSES, public
from test_checks import is_a_sentence

import kmlab
from kmlab import (
    cca,
    centering,
    clustering,
    dependence,
    discriminant,
    features,
    graph,
    kernels,
    lifting,
    neighbors,
    npt,
    pca,
    pca_l1,
    perceptron,
    platt,
    preimage,
    relevance,
    scale,
    svm,
)
from kmlab.curves import Autoencoder
from kmlab.npt import Kernelized
from kmlab.pca import PCA, KernelPCA

quiet = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("fixed", derandomize=True, max_examples=20, phases=[Phase.generate], **quiet)
settings.register_profile("search", max_examples=400, print_blob=True, **quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


# ---- data


@dataclass(frozen=True)
class Data:
    """Points X (n, d), new points of the same kind, labels, targets, a second view, and a kernel."""

    X: np.ndarray
    Xt: np.ndarray
    y: np.ndarray
    t: np.ndarray
    kernel: kernels.Kernel


KINDS = ("cloud", "duplicates", "constant", "collinear", "grid", "outlier", "constant column", "two places")
EXPONENTS = (-150, -75, -20, -3, 0, 0, 0, 0, 3, 20, 75, 149)  # of the data's size
LABELS = (np.array([0, 1]), np.array([-1.0, 1.0]), np.array(["no", "yes"]), np.array([3, 5, 9]), np.array(["only"]))


@st.composite
def data(draw, most=9):
    n, d = draw(st.sampled_from([1, 2, 3, 5, most])), draw(st.sampled_from([0, 1, 2, 2, 3, 12]))
    kind, exponent = draw(st.sampled_from(KINDS)), draw(st.sampled_from(EXPONENTS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, offset = 10.0**exponent, draw(st.sampled_from([0.0, 0.0, 1.0, 1e6]))
    X = size * (points(kind, n + 3, d, rng) + offset)
    classes = draw(st.sampled_from(LABELS))
    y = classes[rng.permutation(np.arange(n) % len(classes))]
    t = draw(st.sampled_from([0.0, 1e-140, 1.0, 1e140])) * rng.standard_normal(n)
    kernel = draw(
        st.sampled_from(
            [
                kernels.Gaussian(),
                kernels.Gaussian(size),
                kernels.Linear(),
                kernels.Polynomial(3),
                kernels.Exponential(),
                kernels.NegativePower(1.0),
                kernels.Tanh(),
                kernels.Gaussian(1e-150),
                kernels.Gaussian(1e150),
                kernels.Gaussian() + kernels.Linear(),
                kernels.normalized(kernels.Polynomial()),
            ]
        )
    )
    order = rng.permutation(n + 3)
    return Data(X[order[:n]], X[order[n:]], y, t, kernel)


def points(kind, n, d, rng):
    X = rng.standard_normal((n, d))
    if kind == "duplicates":
        X = X[rng.integers(0, max(1, n // 3), n)]
    elif kind == "constant":
        X = np.full((n, d), 0.1)
    elif kind == "collinear":
        X = np.outer(np.arange(n), np.ones(d)) / 3
    elif kind == "grid":
        X = rng.integers(-2, 3, (n, d)).astype(float)
    elif kind == "outlier" and d:
        X[rng.integers(n)] *= 1e9
    elif kind == "constant column" and d:
        X[:, 0] = 0.1
    elif kind == "two places":
        X = np.where(np.arange(n)[:, None] % 2, 1.0, -1.0) * np.ones(d)
    return X


def forms(A):
    """The same numbers in other clothes."""
    wide = np.zeros((2 * A.shape[0], 3 * A.shape[1]))
    wide[::2, ::3] = A
    frozen = A.copy()
    frozen.setflags(write=False)
    return {
        "lists": A.tolist() if A.shape[1] else A,
        "Fortran order": np.asfortranarray(A),
        "read-only": frozen,
        "a view": wide[::2, ::3],
        "reversed": A[::-1].copy()[::-1],
        "a data frame": pd.DataFrame(A),
        "objects": A.astype(object),
        "long double": A.astype(np.longdouble),
    }


# ---- what a door answers


class Endless(Exception):
    pass


@contextlib.contextmanager
def an_end(seconds=60):
    """Stop what would go on for ever; a minute is a thousand times what any of this takes."""

    def stop(*_):
        raise Endless(f"no end after {seconds} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def answer(door, *args):
    """(list of results, None) or (None, sentence). Warnings are allowed where kmlab gives them in its own words."""
    with warnings.catch_warnings(), an_end():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=UserWarning, message=r"[A-Z].*: .*\.$")
        try:
            return list(flat(door(*args))), None
        except (ValueError, TypeError) as error:
            place = error.__traceback__
            while place.tb_next:
                place = place.tb_next
            folder = Path(place.tb_frame.f_code.co_filename).parent
            ours = Path(kmlab.__file__).parent in (folder, folder.parent)  # kmlab itself, or its engine
            if not ours or isinstance(error, np.linalg.LinAlgError):
                raise
            assert is_a_sentence(str(error)), error
            return None, str(error)


def flat(result):
    """Every number in a result, as arrays."""
    if hasattr(result, "toarray"):
        yield result.toarray()
    elif isinstance(result, np.ndarray | float | int | np.generic | bool):
        yield np.asarray(result)
    elif isinstance(result, tuple | list):
        for part in result:
            yield from flat(part)
    elif result is not None:
        raise AssertionError(f"what is {result!r}?")


def numbers_in(results):
    return [A for A in results if A.dtype.kind in "fc"]


def check(door, given_data, infinite=False):
    """The promise itself, for a door that takes X and a Data."""
    X = given_data.X
    before = copy.deepcopy(given_data)
    results, sentence = answer(door, X, given_data)
    for field in "X", "Xt", "y", "t":
        assert np.array_equal(getattr(given_data, field), getattr(before, field)), f"{field} was changed"
    if results is not None:
        for A in numbers_in(results):
            assert not np.isnan(A).any() if infinite else np.isfinite(A).all(), A
    again, sentence_again = answer(door, X.copy(), given_data)
    assert_same_bytes(results, again)
    assert sentence == sentence_again


def assert_same_bytes(one, other):
    assert (one is None) == (other is None)
    if one is not None:
        assert [A.tobytes() for A in one] == [A.tobytes() for A in other]


# ---- every estimator

CHEAP = {
    Autoencoder: {"restarts": 1, "max_steps": 20},
    lifting.MLP: {"restarts": 1},
    cca.KernelICA: {"n_angles": 4, "tol": 1e-2, "max_passes": 2},
    clustering.KernelKMeans: {"restarts": 2},
}
METHODS = (
    "transform",
    "predict",
    "decision_function",
    "predict_proba",
    "reconstruct",
    "nearest",
    "residual",
    "reconstruction_error",
    "activations",
)


def use(cls):
    """fit, then whatever the model can do with known and with new points; its fitted numbers must be numbers."""

    def door(X, given_data):
        model = Kernelized(PCA()) if cls is Kernelized else cls(**CHEAP.get(cls, {}))
        names = model.get_params(deep=False)
        model.set_params(**{name: given_data.kernel for name in names if name.startswith("kernel")})
        if hasattr(model, "max_steps"):
            model.max_steps = min(model.max_steps, 500)
        if hasattr(model, "n_neighbors"):
            model.n_neighbors = min(model.n_neighbors, max(1, len(given_data.X) - 1))
        real = model._estimator_type == "regressor" or issubclass(cls, cca._TwoViews)
        target = given_data.t if real else given_data.y
        if cls is centering.Centerer:
            X = given_data.kernel(X)
        model.fit(X, target)
        results = []
        for name in METHODS:
            if callable(getattr(model, name, None)):  # Kernelized has a parameter named residual
                results.append(getattr(model, name)(X))
                if cls is not centering.Centerer:
                    results.append(getattr(model, name)(given_data.Xt))
        if hasattr(model, "on_grid") and given_data.X.shape[1] == 2 and len(getattr(model, "classes_", "ab")) == 2:
            results.append(model.on_grid(given_data.X[:2, 0], given_data.X[:2, 1]))
        if hasattr(model, "inverse_transform") and hasattr(model, "transform"):
            results.append(model.inverse_transform(model.transform(X)))
        for name, value in sorted(vars(model).items()):
            if name.endswith("_") and isinstance(value, np.ndarray | float) and np.asarray(value).dtype.kind == "f":
                assert not np.isnan(value).any(), name
        return [A for A in results if A.dtype.kind in "fiub"]

    return door


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@given(data())
def test_every_estimator_gives_numbers_or_a_sentence(cls, given_data):
    check(use(cls), given_data)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@settings(max_examples=3)
@given(data())
def test_an_estimator_does_not_care_for_the_form_of_its_data(cls, given_data):
    same_in_every_form(use(cls), given_data)


def same_in_every_form(door, given_data):
    results, sentence = answer(door, given_data.X, given_data)
    for form, X in forms(given_data.X).items():
        again, sentence_again = answer(door, X, given_data)
        assert sentence == sentence_again, form
        assert_same_bytes(results, again)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_single_precision_and_whole_numbers_are_exact_numbers(cls):
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (9, 2)).astype(float)
    one = Data(X, X[:3], np.arange(9) % 2, rng.standard_normal(9), kernels.Gaussian(2.0))
    results, sentence = answer(use(cls), X, one)
    for kind in np.float32, np.float16, np.int64, np.int8:
        again, sentence_again = answer(use(cls), X.astype(kind), one)
        assert sentence == sentence_again
        assert_same_bytes(results, again)


# ---- whatever a parameter is, whatever has been fitted before

STRANGE = (None, -1, 0, 1, 2, 7, 0.5, 1e-16, 1e-300, 1e300, 10**30, np.nan, np.inf, True, "a", "median", [], {}, object)


def small(cls, kernel=None):
    """A model, data that it can be fitted to, and what it is asked: X, y, and names of methods."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((24, 3))
    model = Kernelized(PCA(2)) if cls is Kernelized else cls(**CHEAP.get(cls, {}))
    if hasattr(model, "n_neighbors"):
        model.n_neighbors = 6
    real = model._estimator_type == "regressor" or issubclass(cls, cca._TwoViews)
    y = X[:, 0] + 0.1 * rng.standard_normal(24) if real else (X[:, 0] > 0).astype(int)
    return (
        model,
        (X @ X.T if cls is centering.Centerer else X),
        y,
        [m for m in METHODS if callable(getattr(cls, m, None))],
    )


def answers(model, X, methods):
    return [np.asarray(getattr(model, name)(X)) for name in methods]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@settings(max_examples=12)
@given(st.data())
def test_any_value_of_a_parameter_is_taken_or_refused_and_a_refusal_changes_nothing(cls, chosen):
    model, X, y, methods = small(cls)
    with warnings.catch_warnings(action="ignore"):
        before = answers(model.fit(X, y), X, methods)
    if not (names := sorted(model.get_params(deep=False))):
        return
    name = chosen.draw(st.sampled_from(names))
    value = chosen.draw(st.sampled_from(STRANGE))
    model.set_params(**{name: value})

    def refit(X, _):
        model.fit(X, y)
        return answers(model, X, methods)

    with warnings.catch_warnings(action="ignore"):
        assert_same_bytes(before, answers(model, X, methods))  # a parameter changed after fit changes no answer
    results, sentence = answer(refit, X, None)
    if sentence is None:
        assert all(np.isfinite(A).all() for A in numbers_in(results)), (name, value)
    else:
        with warnings.catch_warnings(action="ignore"):
            assert_same_bytes(before, answers(model, X, methods))


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_refused_or_interrupted_fit_leaves_the_old_model_whole_and_a_refit_forgets_it(cls, monkeypatch):
    model, X, y, methods = small(cls)
    before = answers(model.fit(X, y), X, methods)
    bad = X.copy()
    bad[3, 1] = np.nan
    with pytest.raises(ValueError):
        model.fit(bad, y)
    new = copy.deepcopy(model).fit(X[::-1][:, ::-1], y[::-1]) if cls is centering.Centerer else None
    inside = cls.fit_to

    def interrupted(self, *data):
        inside(self, *data)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(cls, "fit_to", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.fit(X * 2 + 1 if new is None else 2 * X, y)
    assert_same_bytes(before, answers(model, X, methods))
    names = {name for name in vars(model) if name.endswith("_")}
    model.fit(X, y)
    assert {name for name in vars(model) if name.endswith("_")} == names
    assert_same_bytes(before, answers(model, X, methods))


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_masks_are_refused_and_frames_keep_their_order(cls):
    model, X, y, methods = small(cls)
    hidden = np.ma.masked_array(X, np.zeros(X.shape, bool))
    before = answers(model.fit(X, y), X, methods)
    assert_same_bytes(before, answers(model.fit(hidden, y), hidden, methods))
    hidden[2, 1] = np.ma.masked
    for use in [model.fit] + [getattr(model, name) for name in methods]:
        with pytest.raises(ValueError, match="masked in 1 entries"):
            use(hidden, y) if use == model.fit else use(hidden)
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])])
    assert_same_bytes(before, answers(model.fit(frame, y), frame, methods))
    for name in methods:
        with pytest.raises(ValueError, match="same order as they were in fit"):
            getattr(model, name)(frame[frame.columns[::-1]])
    if model._estimator_type in ("classifier", "regressor") or issubclass(cls, discriminant._ToldClasses):
        for wrong in (y[:5], y[:5, None], y[None]):
            with pytest.raises(ValueError, match="24|shape"):
                model.fit(X, wrong)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_methods_have_their_own_names_and_take_their_data_by_name(cls):
    model, X, y, methods = small(cls)
    if cls is svm.SVC:
        model, methods = svm.SVC(probability=True), [*methods, "predict_proba"]
    first = next(iter(inspect.signature(model.fit).parameters))
    before = answers(model.fit(**{first: X}, **({"Y": y} if issubclass(cls, cca._TwoViews) else {"y": y})), X, methods)
    for name, right in zip(methods, before, strict=True):
        method = getattr(model, name)
        assert method.__name__ == name  # by which scikit-learn knows what it answers
        argument = "X" if cls is Kernelized else next(iter(inspect.signature(method).parameters))
        assert np.array_equal(method(**{argument: X}), right)


TOLD = [cls for cls in CLASSES if cls._estimator_type == "classifier" or issubclass(cls, discriminant._ToldClasses)]


@pytest.mark.parametrize("cls", TOLD, ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_label_that_is_missing_or_of_another_kind_is_refused(cls):
    model, X, y, _ = small(cls)
    text, when = np.where(y, "a", "b"), np.where(y, np.datetime64("2026-01-01"), np.datetime64("2026-01-02"))
    first = np.arange(len(y)) == 0
    gaps = [np.where(first, gap, text.astype(object)) for gap in (None, np.nan, pd.NA)]
    gaps += [
        np.where(first, np.nan, y),
        np.where(first, np.datetime64("NaT"), when),
        pd.Series(gaps[2], dtype="string"),
    ]
    for bad in gaps:
        with pytest.raises(ValueError, match="^y contains NaN"):
            model.fit(X, bad)
    with pytest.raises(ValueError, match="^Unknown label type: y holds entries of type complex"):
        model.fit(X, y + 0j)
    kinds = y, text, text.astype("S"), when
    for known in [*kinds, text.astype(object), y.astype(object)] if hasattr(model, "score") else ():
        model.fit(X, known)
        same = [model.score(X, other) for other in (known, list(known), pd.Series(known))]
        assert same[0] == same[1] == same[2]
        for other in kinds:
            if not isinstance(other.item(0), type(known.item(0))):
                with pytest.raises(ValueError, match="y holds labels such as .*, but the classes of fit are such as"):
                    model.score(X, other)


# ---- every function


def _kpca(X, d):
    return KernelPCA(d.kernel, n_components=1).fit(X)


def _scores(X, d):
    model = _kpca(X, d)
    return model, model.transform(d.Xt)


def _labels(d):
    return np.unique(d.y, return_inverse=True)[1]


def _signs(d):
    return np.where(_labels(d) > 0, 1, -1)


def _by_scores(function, **options):
    return lambda X, d: function(*_scores(X, d), **options)


def _two(function, **options):
    return lambda X, d: function(X, d.t, d.kernel, kernels.Linear(), **options)


GAUSSIANS = ([np.zeros(2), np.ones(2)], [np.eye(2), np.diag([1.0, 4.0])])

# Each public function that takes data, as a door for points X and the rest of a Data.
FUNCTIONS = {
    "amari_error": lambda X, d: cca.amari_error(X, X),
    "center_gram": lambda X, d: centering.center_gram(d.kernel(X)),
    "cluster_distance2": lambda X, d: clustering.cluster_distance2(d.kernel(X), _labels(d)),
    "coco": _two(dependence.coco),
    "gamma_approximation": _two(dependence.gamma_approximation),
    "hsic": _two(dependence.hsic),
    "independence_steps": lambda X, d: list(dependence.independence_steps(X, d.t, permutations=9, batch=4)),
    "independence_test": lambda X, d: [
        _two(dependence.independence_test, permutations=9, statistic=s)(X, d) for s in dependence.STATISTICS
    ],
    "kcc": _two(dependence.kcc),
    "witnesses": lambda X, d: [w(d.Xt) for w in _two(dependence.witnesses)(X, d)[:1]],
    "fda_weights": lambda X, d: discriminant.fda_weights(d.y),
    "lfda_weights": lambda X, d: discriminant.lfda_weights(X, d.y),
    "scatter": lambda X, d: discriminant.scatter(X, np.ones((len(d.X), len(d.X)))),
    "hom2_map": lambda X, d: features.hom2_map(X),
    "poly2_map": lambda X, d: features.poly2_map(X),
    "stack_maps": lambda X, d: features.stack_maps(features.poly2_map, features.hom2_map)(X),
    "tensor_maps": lambda X, d: features.tensor_maps(features.poly2_map, features.hom2_map)(X),
    "knn_graph": lambda X, d: [graph.knn_graph(X, 1), graph.knn_graph(X, 2, "mean", "heat")],
    "permutation_test": lambda X, d: [
        dependence.permutation_test(measure, X, d.t, permutations=3) for measure in (dependence.hsic, dependence.coco)
    ],
    "laplacian": lambda X, d: graph.laplacian(d.kernel(X)),
    "graph_modes": lambda X, d: graph.graph_modes(graph.knn_graph(X, 1), 2),
    "as_weights": lambda X, d: graph.as_weights(d.kernel(X)),
    "components": lambda X, d: graph.components(graph.knn_graph(X, 1)),
    "feature_angle": lambda X, d: kernels.feature_angle(d.kernel(X)),
    "feature_distance2": lambda X, d: kernels.feature_distance2(d.kernel(X)),
    "is_cpsd": lambda X, d: kernels.is_cpsd(d.kernel(X)),
    "is_psd": lambda X, d: kernels.is_psd(d.kernel(X)),
    "median_width": lambda X, d: kernels.median_width(X),
    "normalized": lambda X, d: kernels.normalized(d.kernel)(X),
    "bayes_map": lambda X, d: lifting.bayes_map(X, *GAUSSIANS),
    "log_ratio": lambda X, d: lifting.log_ratio(X, *GAUSSIANS),
    "is_separable": lambda X, d: lifting.is_separable(X, _signs(d)),
    "separating_plane": lambda X, d: lifting.separating_plane(X, _signs(d)),
    "random_map": lambda X, d: [lifting.random_map(X, 3, kind) for kind in ("cosine", "tanh", "linear")],
    "parzen_density": lambda X, d: neighbors.parzen_density(X, d.Xt, 1.0),
    "embed_cpsd": lambda X, d: npt.embed_cpsd(kernels.NegativePower(1.5)(X)),
    "rayleigh": lambda X, d: pca.rayleigh(d.kernel(X), np.eye(len(d.X))),
    "ring_spectrum": lambda X, d: pca.ring_spectrum(d.t),
    "pca_l1_exact": lambda X, d: pca_l1.pca_l1_exact(X),
    "perceptron_cost": lambda X, d: perceptron.perceptron_cost(np.ones(d.X.shape[1]), 0.5, X, _signs(d)),
    "denoise": lambda X, d: preimage.denoise(_kpca(X, d), d.Xt, "ridge"),
    "preimage": lambda X, d: [
        preimage.preimage(KernelPCA(n_components=1).fit(X), [[0.5]], method) for method in preimage.METHODS
    ],
    "fixed_point": _by_scores(preimage.fixed_point),
    "from_distances": _by_scores(preimage.from_distances),
    "ridge_map": _by_scores(preimage.ridge_map),
    "kernel_ridge_map": _by_scores(preimage.kernel_ridge_map),
    "least_squares": _by_scores(preimage.least_squares),
    "fixed_point_steps": lambda X, d: [
        list(step) for step in itertools.islice(preimage.fixed_point_steps(*_scores(X, d)), 20)
    ],
    "feature_distances2": _by_scores(preimage.feature_distances2),
    "image_distance2": lambda X, d: preimage.image_distance2(*_scores(X, d), d.Xt),
    "input_distance2": lambda X, d: preimage.input_distance2(kernels.Gaussian(), np.abs(d.t)),
    "projection_coefficients": _by_scores(preimage.projection_coefficients),
    "squared_norm": _by_scores(preimage.squared_norm),
    "factor_steps": lambda X, d: [step[2] for step in scale.factor_steps(d.kernel, X, 3)],
    "pivoted_cholesky": lambda X, d: scale.pivoted_cholesky(d.kernel, X, 3),
    "gram_times": lambda X, d: scale.gram_times(d.kernel, X, d.t),
    "ridge_steps": lambda X, d: [
        step for rank in (0, 2) for step in scale.ridge_steps(d.kernel, X, d.t, rank=rank, max_steps=5)
    ],
    "sigmoid": lambda X, d: platt.sigmoid(d.t, _signs(d)),
    "relevant_dimension": lambda X, d: relevance.relevant_dimension(d.kernel(X), d.t),
    "enclosing_ball": lambda X, d: svm.enclosing_ball(X, d.kernel),
    "kkt_report": lambda X, d: svm.kkt_report(np.abs(d.t), d.t, 1.0),
    "margin_distribution": lambda X, d: svm.margin_distribution(
        svm.SVC(d.kernel, max_steps=500).fit(X, _signs(d)), d.Xt, np.ones(3)
    ),
}
WITHOUT_DATA = {  # public functions that are no doors for data, and why
    "datasets": "all of its functions take numbers and a seed",
    "claims": "prints",
    "server.wait_for_the_proxy": "changes how a server ends a connection",
    "homework": "looks at answers of students, and says what is wrong with them",
    "algebra.lengths": "of squared lengths that a kernel has made",
    "algebra.settle": "takes a kernel's own numbers",
    "cca.leading_pairs": "for bases that a CCA has made",
    "cca.orthonormal": "for points that a CCA has checked",
    "centering.centered": "for a Gram matrix that a kernel has just made",
    "centering.seen_from": "for a Gram matrix that a kernel has just made",
    "clustering.as_labels": "for labels of points that an estimator has checked",
    "clustering.distance2_to_means": "for a Gram matrix and labels that an estimator has checked",
    "clustering.inertia": "of distances",
    "clustering.no_more_pieces": "for a graph that knn_graph has built",
    "clustering.no_more_than": "takes two counts",
    "clustering.one_moved": "of distances",
    "curves.project_on_polygon": "for points and knots that a curve has checked",
    "dependence.counted": "of values of shuffles",
    "dependence.counted_so_far": "of values of shuffles",
    "dependence.values_of_orders": "for views that independence_steps has checked",
    "dependence.witness": "for a view that witnesses has checked",
    "discriminant.class_scatters": "for points and codes that a discriminant has checked",
    "discriminant.finite": "for points and codes that a discriminant has checked",
    "discriminant.largest_quotients": "for scatter matrices",
    "discriminant.nearness": "for distances and codes that a discriminant has checked",
    "discriminant.refuse_no_width": "for a scatter matrix",
    "discriminant.ridge_for": "for a scatter matrix",
    "discriminant.two_or_more": "labels are looked at with their points",
    "discriminant.weights_of": "for codes that a discriminant has checked",
    "discriminant.whitened": "for points that a discriminant has checked",
    "dual": "its functions go on with a Dual, whose owner has checked the data",
    "features.frequencies": "takes a kernel and two counts",
    "gram.largest": "for a matrix that a kernel has just made",
    "graph.directed": "builds a matrix from what nearest has found",
    "graph.heat": "of distances that nearest has found",
    "graph.heat_width": "of distances that nearest has found",
    "graph.nearest": "for points that knn_graph has checked",
    "graph.degrees": "for a graph that as_weights has checked",
    "graph.no_lonely_vertex": "of degrees",
    "graph.parts": "for a graph that as_weights has checked",
    "graph.smallest": "for a Laplacian and its degrees",
    "graph.symmetric": "for a graph that knn_graph has built",
    "measures": "of results that whoever made them has checked",
    "platt.coupled": "of probabilities that machines have made",
    "voting.class_weights": "takes weights",
    "voting.held_out_sigmoid": "for points and labels that a machine has checked",
    "voting.weight_of_each": "for codes that a machine has checked",
    "npt.linear_method": "takes a method",
    "npt.spanned": "of eigenvalues",
    "one_class.common_length2": "of squared lengths that a kernel has made",
    "one_class.feasible": "takes two numbers",
    "one_class.on_simplex": "for a Gram matrix that a kernel has made",
    "one_class.share_of_data": "takes a number",
    "pca.enough": "of eigenvalues",
    "pca.variance_in": "for a centred Gram matrix",
    "regression.logistic_objective": "for labels that an estimator has checked",
    "regression.newton_direction": "for a Gram matrix that a kernel has made",
    "regression.positive_all": "takes numbers",
    "regression.refuse_indefinite": "takes a number",
    "regression.root": "for a Gram matrix that a kernel has made",
    "sparse_bayes": "its functions go on with what RVM has checked",
    "svm.in_alpha": "takes a step of the solver",
    "svm.refuse_overlap": "takes a Dual",
    "ica.by_kurtosis": "for whitened mixtures",
    "ica.information": "of values that KernelICA has made",
    "ica.least_angle": "takes a function",
    "ica.rotated": "for a rotation",
    "ica.turned": "for two rows of whitened mixtures",
    "ica.whitened": "for points that KernelICA has checked",
    "lifting.cover_count": "takes two counts",
    "lifting.mlp_loss": "for the optimiser",
    "lifting.stump": "for points that AdaBoostStumps has checked",
    "manifold": "its functions go on with data and graphs that an estimator has checked",
    "pca_l1.all_climbs": "for points that an estimator has checked",
    "pca_l1.climb": "for points that an estimator has checked",
    "pca_l1.highest": "of climbs",
    "pca_l1.over_a_kink": "for points that an estimator has checked",
    "perceptron.novikoff_bound": "takes numbers",
    "primal": "its functions go on with rows that an estimator has checked",
    "preimage.next_point": "for a point that a search has checked",
    "scale.conjugate_gradients": "for a problem that ridge_steps has checked",
    "spectrum": "its functions go on with a view that somebody has checked",
    "svm.duality_gap": "of what a fit has found",
    "svm.squared_loss": "of residuals, for drawing",
    "svm.srm_bound": "takes numbers",
    "svm.tube_loss": "of residuals, for drawing",
    "svm.vc_bound": "takes numbers",
}


def test_no_function_is_forgotten():
    found = {f"{file}.{function.__name__}" for file, function in public(inspect.isfunction)}
    doors = {name for name in found if name.split(".")[1] in FUNCTIONS}
    others = {name for name in found if name in WITHOUT_DATA or name.split(".")[0] in WITHOUT_DATA}
    assert found - doors - others == set() and doors & others == set()
    assert len(doors) == len(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(data())
def test_every_function_gives_numbers_or_a_sentence(name, given_data):
    check(FUNCTIONS[name], given_data)


SMALL = np.random.default_rng(0).standard_normal((12, 2))
SIGNS = np.where(SMALL[:, 0] > 0, 1, -1)
PARAMETERS = {  # of functions, and what they mean to take
    "radius": lambda v: dependence.coco(SMALL, SIGNS, radius=v),
    "center": lambda v: dependence.hsic(SMALL, SIGNS, center=v),
    "kappa": lambda v: dependence.kcc(SMALL, SIGNS, kappa=v),
    "X of hsic": lambda v: dependence.hsic(np.array(1.0) if v is None else v, SIGNS),
    "means": lambda v: lifting.bayes_map(SMALL, v, GAUSSIANS[1]),
    "covs": lambda v: lifting.log_ratio(SMALL, GAUSSIANS[0], v),
    "log": lambda v: lifting.bayes_map(SMALL, *GAUSSIANS, log=v),
    "affine": lambda v: lifting.is_separable(SMALL, SIGNS, affine=v),
    "width": lambda v: lifting.random_map(SMALL, 3, width=v),
    "W": lambda v: graph.components(v),
    "K": lambda v: relevance.relevant_dimension(K=v, y=SMALL[:, 0]),
    "kpca": lambda v: preimage.denoise(v, SMALL),
    "method": lambda v: preimage.preimage(_kpca_of(SMALL), [[0.5]], v),
    "n_neighbors": lambda v: preimage.preimage(_kpca_of(SMALL), [[0.5]], "distance", n_neighbors=v),
    "lam": lambda v: preimage.preimage(_kpca_of(SMALL), [[0.5]], "ridge", lam=v),
    "progress": lambda v: scale.gram_times(kernels.Gaussian(), SMALL, SMALL, progress=v),
    "eta": lambda v: perceptron.novikoff_bound(1.0, 0.1, v),
    "margin": lambda v: perceptron.novikoff_bound(1.0, v),
    "w_norm": lambda v: svm.duality_gap([1.0], [0.5], v, 1.0),
    "C": lambda v: svm.duality_gap([1.0], [0.5], 1.0, v),
    "h": lambda v: svm.srm_bound(0.1, v, 1000),
    "n": lambda v: svm.srm_bound(0.1, 2, v),
}


def _kpca_of(X):
    return KernelPCA(kernels.Gaussian(), n_components=1).fit(X)


@pytest.mark.parametrize("name", PARAMETERS)
def test_any_value_of_a_functions_parameter_is_taken_or_refused(name):
    for value in (*STRANGE, np.array([1.0, 2.0]), 1e-310, -np.inf):
        results, sentence = answer(PARAMETERS[name], value)
        bounded = name not in ("w_norm", "C")  # without a margin the gap has no bound
        assert sentence or not bounded or all(np.isfinite(A).all() for A in numbers_in(results)), value


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=3)
@given(data())
def test_a_function_does_not_care_for_the_form_of_its_data(name, given_data):
    same_in_every_form(FUNCTIONS[name], given_data)
