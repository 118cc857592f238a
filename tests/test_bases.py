"""Estimators keep scikit-learn's contract: parameters, copies, pipelines, and its own conformance suite."""

import contextlib
import copy
import dataclasses
import inspect
import pickle
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.svm
from models import CLASSES, MODELS
from sklearn import config_context
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import check_estimator
from tolerances import EXACT, close

from kmlab import _bases
from kmlab._bases import Estimator, LittleDifference, NotConverged, NotPositive
from kmlab.cca import KernelCCA, KernelICA
from kmlab.centering import Centerer
from kmlab.clustering import KernelKMeans, KernelVQ
from kmlab.curves import Autoencoder, PrincipalCurve
from kmlab.datasets import rings, three_clusters
from kmlab.kernels import Gaussian, Linear, NegativePower, Polynomial, Precomputed, Tanh, median_width
from kmlab.manifold import LPP, KernelLPP, LaplacianEigenmap
from kmlab.neighbors import KernelKNN, ParzenClassifier
from kmlab.npt import NPT, Kernelized
from kmlab.one_class import SVDD, OneClassSVM
from kmlab.pca import PCA, KernelPCA
from kmlab.regression import RVM, KernelLogistic, KernelPLS, KernelRidge
from kmlab.scale import Nystroem, PrimalSVC, RandomFourier
from kmlab.svm import SVC, SVR

# What of check_estimator does not apply, and why. Nothing else may fail or be skipped.
NOT_APPLICABLE = {
    "check_array_api_input": "kmlab computes with numpy arrays only",
    "check_supervised_y_2d": "a column of targets is refused with a sentence, not flattened with a warning",
}


# the suite of scikit-learn


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_scikit_learns_own_checks_pass(model):
    results = check_estimator(model, on_fail=None, on_skip=None)
    open_ends = {r["check_name"]: r["exception"] for r in results if r["status"] != "passed"}
    assert len(results) > 40 and set(open_ends) <= set(NOT_APPLICABLE), open_ends


FRAMES = (
    "check_dataframe_column_names_consistency",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_global_output_transform_pandas",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_get_feature_names_out_error",
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_scikit_learns_checks_of_frames_pass(model):
    for name in FRAMES if hasattr(model, "transform") else FRAMES[:1]:
        getattr(estimator_checks, name)(type(model).__name__, clone(model))


def test_no_estimator_is_forgotten():
    assert {PCA, KernelPCA, NPT, SVC, SVR, KernelKMeans} <= set(CLASSES) and len(CLASSES) > 35
    assert all(any(isinstance(model, cls) for model in MODELS) for cls in CLASSES)


# parameters


def test_parameters_of_a_kernel_are_parameters_of_its_model():
    model = KernelPCA(Gaussian(2.0), 3)
    assert model.get_params(deep=False) == {"kernel": Gaussian(2.0), "n_components": 3, "tol": 1e-10}
    assert model.get_params()["kernel__width"] == 2.0
    assert model.set_params(kernel__width=0.5, n_components=1) is model
    assert model.kernel == Gaussian(0.5) and model.n_components == 1


def test_parameters_reach_into_composed_kernels_and_wrapped_methods():
    model = Kernelized(Ridge(1.0), 2 * Gaussian(1.0) + Polynomial(2))
    model.set_params(kernel__left__kernel__width=0.3, kernel__right__degree=4, method__alpha=7.0)
    assert model.kernel == 2 * Gaussian(0.3) + Polynomial(4) and model.method.alpha == 7.0
    assert {"kernel__left__factor", "kernel__left__kernel__width", "method__alpha"} <= set(model.get_params())


def test_a_new_kernel_is_set_before_its_parameters_whatever_the_order():
    model = KernelPCA(Gaussian()).set_params(kernel__degree=3, kernel=Polynomial(2))
    assert model.kernel == Polynomial(3)


def test_setting_a_parameter_never_reaches_another_model():
    shared = Gaussian(1.0)
    one, other = KernelPCA(shared), KernelPCA(shared)
    one.set_params(kernel__width=9.0)
    assert other.kernel == shared == Gaussian(1.0)


def test_repr_can_be_read_back():
    assert repr(KernelPCA(Polynomial(3), 2)) == (
        "KernelPCA(kernel=Polynomial(degree=3, coef0=1.0), n_components=2, tol=1e-10)"
    )
    assert repr(Centerer()) == "Centerer()"


@pytest.mark.parametrize("double", [clone, copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_models_can_be_cloned_copied_and_pickled(model, double):
    again = double(model)
    assert type(again) is type(model) and repr(again) == repr(model)


def test_a_fitted_model_answers_the_same_after_pickling(X, Xt):
    for model in PCA(2), KernelPCA(n_components=2), NPT():
        model.fit(X)
        close(pickle.loads(pickle.dumps(model)).transform(Xt), model.transform(Xt), EXACT)


# inside scikit-learn


def test_a_grid_search_finds_the_width_that_separates_rings():
    X, y = rings((1.0, 2.0, 3.0), 25, noise=0.1)
    pipeline = make_pipeline(StandardScaler(), KernelPCA(n_components=2), LogisticRegression(C=100))
    grid = {"kernelpca__kernel__width": [1e-3, 0.3, 1.0, 300.0], "kernelpca__n_components": [1, 2, 6]}
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    search = GridSearchCV(pipeline, grid, cv=folds, error_score="raise").fit(X, y)
    assert search.best_params_["kernelpca__kernel__width"] in (0.3, 1.0) and search.best_score_ > 0.95
    linear = clone(pipeline).set_params(kernelpca__kernel=Linear()).fit(X, y)
    assert linear.score(X, y) < 0.6 < 0.95 < search.score(X, y)


def test_a_grid_search_slices_a_precomputed_gram_both_ways():
    X, y = rings((1.0, 3.0), 20, noise=0.1)
    pipeline = make_pipeline(KernelPCA(Precomputed()), LogisticRegression())
    search = GridSearchCV(pipeline, {"kernelpca__n_components": [1, 4]}, error_score="raise").fit(Gaussian(1.0)(X), y)
    assert search.best_score_ > 0.95


def test_a_kernelized_classifier_is_a_classifier_and_its_folds_are_stratified():
    X, y = three_clusters(25)  # sorted by class: a plain third would be one class
    model = Kernelized(LogisticRegression(C=100))
    assert is_classifier(model) and not is_classifier(Kernelized(Ridge()))
    grid = {"kernel__width": [1e-3, 0.5], "method__C": [1, 100]}
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_params_["kernel__width"] == 0.5 and search.best_score_ > 0.9
    scored = GridSearchCV(model, {"kernel__width": [0.5]}, cv=3, scoring="roc_auc_ovr", error_score="raise").fit(X, y)
    assert scored.best_score_ > 0.9


def test_a_support_vector_machine_is_a_classifier_and_is_searched_like_one():
    X, y = three_clusters(25)
    assert is_classifier(SVC()) and is_regressor(SVR()) and not is_classifier(OneClassSVM())
    grid = {"kernel__width": [1e-3, 0.5], "C": [1, 100]}
    search = GridSearchCV(SVC(), grid, cv=3, error_score="raise").fit(X, np.array(["a", "b", "c"])[y])
    assert search.best_params_["kernel__width"] == 0.5 and search.best_score_ > 0.9


def test_a_method_without_tags_can_be_kernelized(X):
    class Mean:
        def fit(self, Z, y=None):
            self.mean = Z.mean(0)
            return self

        def transform(self, Z):
            return Z - self.mean

    model = Kernelized(Mean())
    assert model.__sklearn_tags__().transformer_tags is not None and model.fit_transform(X).shape[0] == 14


# frames and metadata


def test_columns_in_another_order_are_refused_and_others_are_not():
    X, y = rings((1.0, 3.0), 20, noise=0.1)
    frame = pd.DataFrame(X, columns=["east", "north"])
    model = SVC().fit(frame, y)
    assert list(model.feature_names_in_) == ["east", "north"] and model.score(frame, y) == model.score(X, y)
    with pytest.raises(ValueError, match="same order as they were in fit"):
        model.score(frame[["north", "east"]], y)
    assert not hasattr(SVC().fit(X, y), "feature_names_in_")
    assert not hasattr(model.fit(X, y), "feature_names_in_")  # nothing of an earlier fit survives


def test_a_transformer_gives_the_frame_that_is_asked_for(X):
    frame = pd.DataFrame(X, index=np.arange(len(X)) + 100)
    model = KernelPCA(n_components=2).set_output(transform="pandas").fit(X)
    Z = model.transform(frame)
    assert list(Z.columns) == ["kernelpca0", "kernelpca1"] and Z.index[0] == 100
    close(Z.to_numpy(), KernelPCA(n_components=2).fit(X).transform(X), EXACT)
    assert isinstance(model.set_output(transform="default").transform(frame), np.ndarray)
    assert isinstance(clone(model.set_output(transform="pandas")).fit_transform(X), pd.DataFrame)
    with pytest.raises(ValueError, match="transform must be one of 'default', 'pandas', 'polars'"):
        model.set_output(transform="numpy")


def test_a_frame_between_two_methods_changes_no_number(X, Xt):
    plain = [Kernelized(PCA(2)).fit(X).transform(Xt), KernelLPP(Precomputed(), 1, 4).fit(X @ X.T).embedding_]
    with config_context(transform_output="pandas"):
        framed = [Kernelized(PCA(2)).fit(X).transform(Xt), KernelLPP(Precomputed(), 1, 4).fit(X @ X.T).embedding_]
    assert list(framed[0].columns) == ["kernelized0", "kernelized1"]
    for one, other in zip(plain, framed, strict=True):
        close(np.asarray(other), one, EXACT)


def test_weights_reach_the_score_through_a_search():
    X, y = rings((1.0, 1.6), 20, noise=0.2)
    w = np.random.default_rng(0).random(len(y))
    with config_context(enable_metadata_routing=True):
        model = SVC(C=0.1).set_score_request(sample_weight=True)
        search = GridSearchCV(model, {"C": [0.1]}, cv=StratifiedKFold(2)).fit(X, y, sample_weight=w)
        with pytest.raises(TypeError, match=r"SVC.score takes \['sample_weight'\], and not \['weight'\]"):
            SVC().set_score_request(weight=True)
    one, two = StratifiedKFold(2).split(X, y)
    by_hand = [SVC(C=0.1).fit(X[a], y[a]).score(X[b], y[b], sample_weight=w[b]) for a, b in (one, two)]
    plain = [SVC(C=0.1).fit(X[a], y[a]).score(X[b], y[b]) for a, b in (one, two)]
    assert search.best_score_ == pytest.approx(np.mean(by_hand)) != pytest.approx(np.mean(plain))


def test_a_model_has_a_table_in_a_notebook_that_says_what_was_found(X):
    new, fitted = KernelPCA()._repr_html_(), KernelPCA(Gaussian(2.0), 1).fit(X)._repr_html_()
    assert "not fitted" in new and "lam_" not in new
    assert "Gaussian(width=2.0)" in fitted and "alphas_" in fitted and "array of shape (14, 1)" in fitted
    assert "<b>SVC</b>" in SVC()._repr_html_() and "KernelPCA" in make_pipeline(KernelPCA())._repr_html_()


# score


@pytest.mark.parametrize("model", [SVC(), KernelLogistic(), PrimalSVC(), KernelKNN(), ParzenClassifier()], ids=repr)
def test_the_score_of_a_classifier_is_right_or_refused(model):
    X, y = rings((1.0, 3.0), 20, noise=0.1)
    y, w = np.array(["in", "out"])[y], np.random.default_rng(0).random(len(y))
    right = accuracy_score(y, model.fit(X, y).predict(X))
    assert model.score(X, y) == model.score(X, list(y)) == model.score(X, pd.Series(y)) == right
    assert model.score(X, y, sample_weight=w) == pytest.approx(
        accuracy_score(y, model.predict(X), sample_weight=w), rel=1e-12
    )
    for bad, said in (
        (y[:, None], "use y.ravel"),
        (pd.DataFrame(y), "use y.ravel"),
        (y[:5], "5 labels for 40 samples"),
        (np.arange(40), "classes of fit"),
        (None, "target y is None"),
        (np.ma.masked_equal(np.arange(40), 3), "masked in 1 entries"),
    ):
        with pytest.raises(ValueError, match=said):
            model.score(X, bad)
    for weights, said in ((w[:5], "5 entries for 40"), (-w, "negative"), (0 * w, "zero for every sample")):
        with pytest.raises(ValueError, match=said):
            model.score(X, y, sample_weight=weights)


@pytest.mark.parametrize("model", [SVR(), KernelRidge(), RVM(), KernelPLS()], ids=repr)
def test_the_score_of_a_regressor_is_right_or_refused(model, X):
    rng = np.random.default_rng(0)
    t, w = X[:, 0] + 0.1 * rng.standard_normal(len(X)), rng.random(len(X))
    f = model.fit(X, t).predict(X)
    assert model.score(X, t) == pytest.approx(r2_score(t, f), rel=1e-12)
    assert model.score(X, t, sample_weight=w) == pytest.approx(r2_score(t, f, sample_weight=w), rel=1e-12)
    for y in t[:, None], t[:3], None, pd.DataFrame(t):
        with pytest.raises(ValueError):
            model.score(X, y)
    with pytest.raises(ValueError, match="one sample has none"):
        model.score(X[:1], t[:1])
    assert model.score(X, np.ones(len(X))) == 0.0


# what is told, and not refused


def iterative():
    """Every estimator with a budget, with one that is too small, on data that needs more."""
    for cls in CLASSES:
        budget = [name for name in inspect.signature(cls).parameters if name.startswith("max_")]
        if budget:
            yield pytest.param(cls(**{name: 1 for name in budget}), budget[0], id=cls.__name__)


@pytest.mark.parametrize("model, budget", list(iterative()))
def test_a_search_that_has_not_arrived_says_so_and_what_to_do(model, budget):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4)) ** 3
    y = X[:, 0] * X[:, 1] if model._estimator_type == "regressor" else (X[:, 0] * X[:, 1] > 0).astype(int)
    if isinstance(model, PrimalSVC):
        y = (X[:, 0] > 0).astype(int)  # a plane: without one all rows are within the margin, and one step is enough
    with pytest.warns(NotConverged, match=rf"{type(model).__name__} stopped after \d+ .*: .*{budget}") as told:
        model.fit(X, y)
    assert model.n_iter_ == 1 or budget == "max_passes" and model.n_iter_ > 1
    assert model.converged_ is False and {w.filename for w in told} == {__file__}


def test_a_tolerance_below_rounding_comes_to_an_end():
    X = np.random.default_rng(0).uniform(-1, 1, (40, 2))
    model = KernelICA(tol=1e-300, n_angles=4).fit(X)
    assert model.converged_ and np.isfinite(model.components_).all()


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if cls.needs], ids=lambda cls: cls.__name__)
@pytest.mark.filterwarnings("ignore::kmlab._bases.NotConverged")
def test_a_kernel_that_is_none_is_named_by_whoever_needs_it(cls):
    X = np.random.default_rng(0).standard_normal((30, 3))
    y = X[:, 0] if cls._estimator_type == "regressor" or cls is KernelCCA else (X[:, 0] > 0).astype(int)
    names = [name for name in inspect.signature(cls).parameters if name.startswith("kernel")]
    with pytest.warns(NotPositive, match=rf"Tanh\(.* is not .*positive semi-definite .* what {cls.__name__} finds"):
        with contextlib.suppress(ValueError):  # a ridge may refuse it too
            model = cls(**{name: Tanh(2.0, 1.0) for name in names}).fit(X, y)
            assert getattr(model, "dual_gap_", 0.0) < 1e-2 or not model.converged_
    for kernel in Polynomial(3) * Gaussian(2.0) + Linear() / 2, Precomputed():
        data = X @ X.T if kernel.pairwise else X
        with warnings.catch_warnings():
            warnings.simplefilter("error", NotPositive)
            with contextlib.suppress(ValueError):
                cls(**{name: kernel if name != "kernel_y" else Linear() for name in names}).fit(data, y)


def test_distances_are_enough_where_only_they_count(X):
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotPositive)
        for cls in KernelPCA, KernelKMeans, KernelKNN, SVC, NPT:
            cls(NegativePower(1.0)).fit(X, np.arange(14) % 2)
    with pytest.warns(NotPositive, match="NPT"):
        NPT(NegativePower(1.0), center=False).fit(X)


@pytest.mark.parametrize(
    "model", [SVC(Linear()), KernelKNN(Linear()), ParzenClassifier(Linear()), NPT(Polynomial(2))], ids=repr
)
def test_points_that_rounding_makes_one_are_told_of(model):
    X = np.random.default_rng(0).standard_normal((40, 3))
    y = (X[:, 0] > 0).astype(int)
    with pytest.warns(LittleDifference, match=r"^To .* less than a millionth of their length.*subtract the means"):
        model.fit(X + 1e7, y)
    with warnings.catch_warnings(action="error", category=LittleDifference):
        for kernel, data in (model.kernel, X + 1e5), (Gaussian("median"), X + 1e7), (Linear(), np.ones((4, 2))):
            with contextlib.suppress(ValueError):  # points that are one are refused
                clone(model).set_params(kernel=kernel).fit(data, y[: len(data)])


def test_a_matrix_of_another_width_is_refused_with_what_is_wanted(X):
    y = np.arange(len(X)) % 2
    with pytest.raises(ValueError, match="expecting 14 features as input: give a column for each training point"):
        SVC(Precomputed()).fit(X @ X.T, y).predict((X @ X.T)[:, :5])
    with pytest.raises(ValueError, match="as input: give the columns of fit"):
        SVC().fit(X, y).predict(X[:, :1])


# defaults


def test_the_default_width_follows_the_data_and_one_is_one(X):
    for cls in CLASSES:
        kernel = next((f.default for f in dataclasses.fields(cls) if f.name in ("kernel", "kernel_x")), None)
        assert kernel in (None, Gaussian("median")) or cls is KernelICA and kernel == Gaussian(1.0), cls
    one, other = (KernelPCA(n_components=1).fit(A) for A in (X, 100 * X))
    assert one.width_ == median_width(X) and one.kernel_ == Gaussian(one.width_) and one.kernel == Gaussian("median")
    close(one.transform(X), other.transform(100 * X))
    assert Gaussian().width == 1.0 and not hasattr(KernelPCA(Gaussian(1.0)).fit(X), "width_")


@pytest.mark.parametrize("load, goal", [(load_breast_cancer, 0.96), (load_digits, 0.93)])
def test_defaults_are_as_good_as_scikit_learns_on_standardised_data(load, goal):
    Z, y = load(return_X_y=True)
    Z = StandardScaler().fit_transform(Z)[::2]
    train, test = slice(0, None, 2), slice(1, None, 2)
    ours = SVC().fit(Z[train], y[::2][train]).score(Z[test], y[::2][test])
    theirs = sklearn.svm.SVC().fit(Z[train], y[::2][train]).score(Z[test], y[::2][test])
    assert ours > goal - 0.03 and ours > theirs - 0.02


def test_a_seed_is_a_number_none_or_a_generator(X):
    for cls in CLASSES:
        if "seed" in (parameters := inspect.signature(cls).parameters):
            small = {"max_steps": 5} if "max_steps" in parameters else {}
            for seed in None, np.random.default_rng(3), 7:
                with warnings.catch_warnings(action="ignore"):
                    cls(seed=seed, **small | ({"n_neighbors": 5} if "n_neighbors" in parameters else {})).fit(
                        X, np.arange(14) % 2
                    )
            with pytest.raises(ValueError, match="seed must be a whole number of at least 0, None or a numpy Gen"):
                cls(seed=-1, **small).fit(X, np.arange(14) % 2)


def test_probabilities_of_several_classes_sum_to_one_and_the_largest_is_the_answer():
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    many = KernelLogistic(lam=0.1).fit(X, np.array(["a", "b", "c"])[y])
    p = many.predict_proba(X)
    close(p.sum(1), np.ones(150))
    assert many.score(X, np.array(["a", "b", "c"])[y]) > 0.75 and (many.predict(X) == many.classes_[p.argmax(1)]).all()


def test_one_class_has_scores_and_answers_for_its_own_points(X):
    for model in OneClassSVM(nu=0.3), SVDD(C=0.2):
        assert np.array_equal(model.fit_predict(X), model.predict(X))
        close(model.score_samples(X) - model.offset_, model.decision_function(X))
    close(SVDD(C=0.2).fit(X).offset_, -SVDD(C=0.2).fit(X).radius2_)


def test_scores_of_kernel_pca_lead_back_to_points(X):
    for kernel in Gaussian("median"), Linear():
        model = KernelPCA(kernel).fit(X)
        assert np.abs(model.inverse_transform(model.transform(X)) - X).mean() < 0.1 * X.std()


# refusal


@pytest.mark.parametrize("model", [PCA(2), PCA(2, route="dual"), KernelPCA(n_components=2), NPT(), Kernelized(PCA(2))])
def test_a_fit_that_is_refused_leaves_the_model_as_it_was(model, X, Xt):
    new, before = clone(model), model.fit(X).transform(Xt)
    for each in new, model:
        with pytest.raises(ValueError):
            each.fit(np.ones((5, 2)))
    assert np.array_equal(model.transform(Xt), before)
    with pytest.raises(NotFittedError):
        new.transform(Xt)


def test_an_unknown_parameter_is_refused_with_those_that_exist():
    for name in "gamma", "kernel__gamma", "kernel__width__x":
        with pytest.raises(ValueError, match=f"Invalid parameter '{name}' for KernelPCA.*kernel__width"):
            KernelPCA().set_params(**{name: 1.0})
    with pytest.raises(ValueError, match="width must be a positive number"):
        KernelPCA().set_params(kernel__width=-1.0)


@pytest.mark.parametrize(
    "use",
    [
        lambda X: PCA().transform(X),
        lambda X: PCA().inverse_transform(X),
        lambda X: KernelPCA().transform(X),
        lambda X: KernelPCA().reconstruction_error(X),
        lambda X: KernelPCA().on_grid([0.0], [0.0]),
        lambda X: NPT().transform(X),
        lambda X: NPT().residual(X),
        lambda X: NPT().coords_of(X[:, 0]),
        lambda X: Centerer().transform(X),
        lambda X: Centerer().transform_diag(X[:, 0], X),
        lambda X: PrincipalCurve().reconstruct(X),
        lambda X: Autoencoder().inverse_transform(X),
        lambda X: SVC().predict(X),
        lambda X: SVC().on_grid([0.0], [0.0]),
        lambda X: SVR().predict(X),
        lambda X: SVR().on_grid([0.0], [0.0]),
        lambda X: SVDD().predict(X),
        lambda X: OneClassSVM().decision_function(X),
        lambda X: KernelRidge().predict(X),
        lambda X: KernelRidge().on_grid([0.0], [0.0]),
        lambda X: RVM().predict(X),
        lambda X: KernelRidge().loo_residuals_,
        lambda X: KernelLogistic().predict_proba(X),
        lambda X: KernelLogistic().on_grid([0.0], [0.0]),
        lambda X: KernelPLS().transform(X),
        lambda X: KernelKNN().nearest(X),
        lambda X: ParzenClassifier().on_grid([0.0], [0.0]),
        lambda X: KernelKMeans().predict(X),
        lambda X: KernelKMeans().on_grid([0.0], [0.0]),
        lambda X: KernelVQ().predict(X),
        lambda X: Kernelized(Ridge()).predict(X),
        lambda X: Kernelized(Ridge()).score(X, X[:, 0]),
        lambda X: Nystroem().transform(X),
        lambda X: RandomFourier().transform(X),
        lambda X: PrimalSVC().predict(X),
        lambda X: LaplacianEigenmap().transform(X),
        lambda X: LPP().transform(X),
        lambda X: KernelLPP().transform(X),
    ],
)
def test_using_a_model_before_fit_is_refused(use, X, monkeypatch):
    with pytest.raises(NotFittedError, match="not fitted yet: call fit first"):
        use(X)
    monkeypatch.delitem(sys.modules, "sklearn")  # without scikit-learn there is a class of our own
    with pytest.raises(_bases.NotFittedError, match="not fitted yet: call fit first"):
        use(X)


def test_our_estimators_do_not_need_theirs():
    assert not any(issubclass(type(model), BaseEstimator) for model in MODELS)
    assert all(isinstance(model, Estimator) for model in MODELS)
    assert np.array_equal(sorted(NPT().get_params(deep=False)), ["center", "kernel", "tol"])
