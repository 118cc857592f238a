"""The border: whatever comes in is used rightly or refused in one sentence, by every door of the foundation."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import Ridge
from tolerances import EXACT, ROOT, close

import kmlab
from kmlab import _checks, features, graph, kernels, npt, pca
from kmlab._bases import LittleDifference
from kmlab.centering import Centerer, center_gram

POINTS = np.random.default_rng(0).standard_normal((12, 3))
GRAM = kernels.Gaussian()(POINTS)
KERNELS = [
    kernels.Linear(),
    kernels.Polynomial(3),
    kernels.Gaussian(),
    kernels.Exponential(),
    kernels.NegativePower(),
    kernels.Tanh(),
    kernels.KendallTau(),
    2 * kernels.Gaussian() + kernels.Linear() * kernels.Tanh(),
    kernels.Linear() ** 2,
    kernels.normalized(kernels.Polynomial()),
]

# Every public function and method that takes points, with the data as its one argument.
POINT_DOORS = {
    **{repr(k): k for k in KERNELS},
    **{f"{k!r} cross": (lambda X, k=k: k(X, POINTS)) for k in KERNELS},
    **{f"{k!r} second": (lambda X, k=k: k(POINTS, np.asarray(X) if X is None else X)) for k in KERNELS},
    **{f"{k!r} diag": k.diag for k in KERNELS},
    "poly2_map": features.poly2_map,
    "hom2_map": features.hom2_map,
    "stack_maps": features.stack_maps(features.poly2_map, features.hom2_map),
    "tensor_maps": features.tensor_maps(features.poly2_map, features.hom2_map),
    "median_width": kernels.median_width,
    "knn_graph": lambda X: graph.knn_graph(X, 2).toarray(),
    "knn_graph heat": lambda X: graph.knn_graph(X, 2, weights="heat").toarray(),
    "PCA": lambda X: pca.PCA().fit_transform(X),
    "PCA dual": lambda X: pca.PCA(route="dual").fit_transform(X),
    "PCA transform": lambda X: pca.PCA().fit(POINTS).transform(X),
    "PCA inverse": lambda X: pca.PCA().fit(POINTS).inverse_transform(X),
    "KernelPCA": lambda X: pca.KernelPCA().fit_transform(X),
    "KernelPCA few": lambda X: pca.KernelPCA(n_components=2).fit_transform(X),
    "KernelPCA linear": lambda X: pca.KernelPCA(kernels.Linear()).fit_transform(X),
    "KernelPCA transform": lambda X: pca.KernelPCA().fit(POINTS).transform(X),
    "KernelPCA error": lambda X: pca.KernelPCA().fit(POINTS).reconstruction_error(X),
    "NPT": lambda X: npt.NPT().fit_transform(X),
    "NPT uncentred": lambda X: npt.NPT(kernels.Polynomial(), center=False).fit_transform(X),
    "NPT transform": lambda X: npt.NPT().fit(POINTS).transform(X),
    "NPT residual": lambda X: npt.NPT().fit(POINTS).residual(X),
    "Kernelized": lambda X: npt.Kernelized(pca.PCA()).fit(X).transform(X),
    "Kernelized predict": lambda X: npt.Kernelized(Ridge()).fit(POINTS, POINTS[:, 0]).predict(X),
    "on_grid": lambda X: kernels.Gaussian().on_grid([0.0], [0.0], X, np.ones((12, 1))),
}
# The same for those that take a Gram matrix, and for those that take a vector.
GRAM_DOORS = {
    "center_gram": center_gram,
    "Centerer": lambda K: Centerer().fit_transform(K),
    "Centerer transform": lambda K: Centerer().fit(GRAM).transform(K),
    "is_psd": kernels.is_psd,
    "is_cpsd": kernels.is_cpsd,
    "feature_distance2": kernels.feature_distance2,
    "feature_angle": kernels.feature_angle,
    "Precomputed": kernels.Precomputed(),
    "KernelPCA": lambda K: pca.KernelPCA(kernels.Precomputed()).fit_transform(K),
    "KernelPCA transform": lambda K: pca.KernelPCA(kernels.Precomputed()).fit(GRAM).transform(K),
    "NPT": lambda K: npt.NPT(kernels.Precomputed()).fit_transform(K),
    "rayleigh": lambda S: pca.rayleigh(S, np.eye(12))[0],
    "rayleigh below": lambda S: pca.rayleigh(np.eye(12), S)[0],
    "laplacian": lambda W: graph.laplacian(W).toarray(),
}
VECTOR_DOORS = {
    "coords_of": lambda v: npt.NPT().fit(POINTS).coords_of(v),
    "transform_diag": lambda v: Centerer().fit(GRAM).transform_diag(v, GRAM),
    "ring_spectrum": pca.ring_spectrum,
    "on_grid": lambda v: kernels.Gaussian().on_grid(v, [0.0], POINTS[:, :2], np.ones((12, 1))),
}


def spoilt(A, value):
    A = np.array(A, dtype=object if isinstance(value, str) else type(value))
    A.flat[5] = value
    return A


def bad(A):
    """What nobody can compute with, made from a good array."""
    return {
        "NaN": spoilt(A, np.nan),
        "inf": spoilt(A, np.inf),
        "minus inf": spoilt(A, -np.inf),
        "text": spoilt(A, "five"),
        "strings": A.astype(str),
        "complex": A + 0j,
        "dates": np.zeros(A.shape, "datetime64[s]"),
        "None": None,
        "an object": object(),
        "a number": 3.0,
        "three dimensions": A.reshape(1, *A.shape) if A.ndim == 2 else A.reshape(1, 1, -1),
        "ragged": [[1.0, 2.0], [3.0]],
        "no samples": A[:0],
        "a set": {1.0, 2.0},
        "beyond squares": A * 1e200,
        "huge integers": [[10**400, 1], [1, 1]],
    }


def answer(door, data):
    """What a door makes of data: (result, None) or (None, sentence); a warning is an error, and so is any other one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", LittleDifference)  # odd points may be far from zero
        try:
            return door(data), None
        except (ValueError, TypeError) as error:
            place = error.__traceback__
            while place.tb_next:
                place = place.tb_next
            raised_in = Path(place.tb_frame.f_code.co_filename).parent
            assert raised_in == Path(kmlab.__file__).parent, f"raised in {raised_in}: {error}"
            assert not isinstance(error, np.linalg.LinAlgError)
            return None, str(error)


def is_a_sentence(text):
    return 20 < len(text) < 260 and text[0].isupper() | text[0].islower() and text.endswith(".")


def assert_refused(door, inputs):
    for what, data in inputs.items():
        result, sentence = answer(door, data)
        assert sentence is not None, f"{what} gave {result}"
        assert is_a_sentence(sentence), f"{what}: {sentence!r}"


def every(table):
    return pytest.mark.parametrize("door", table.values(), ids=table)


# refusal


@every(POINT_DOORS)
def test_points_that_make_no_sense_are_refused_in_one_sentence(door):
    assert_refused(door, bad(POINTS))


@every(GRAM_DOORS)
def test_matrices_that_make_no_sense_are_refused_in_one_sentence(door):
    assert_refused(door, bad(GRAM))


@every(VECTOR_DOORS)
def test_vectors_that_make_no_sense_are_refused_in_one_sentence(door):
    assert_refused(door, bad(np.arange(1.0, 13.0)))


@every(POINT_DOORS)
def test_points_in_the_wrong_form_are_refused_with_a_way_out(door):
    for data, hint in (POINTS[0], "reshape"), (POINTS[:, :0], "minimum of 1"), (csr_array(POINTS), "toarray"):
        sentence = answer(door, data)[1]
        assert is_a_sentence(sentence) and hint in sentence


# what is odd but has an answer

ODD = {
    "one sample": POINTS[:1],
    "two samples": POINTS[:2],
    "a constant column": np.column_stack([POINTS[:, 0], np.full(12, 0.1), POINTS[:, 2]]),
    "all constant": np.full((12, 3), 0.1),
    "all zero": np.zeros((12, 3)),
    "duplicates": np.repeat(POINTS[:3], 4, axis=0),
    "a far outlier": np.concatenate([POINTS[:-1], [[1e12, 0.0, 0.0]]]),
    "far from the origin": POINTS + 1e9,
    "1e149": 1e149 * POINTS,
    "1e75": 1e75 * POINTS,
    "1e-150": 1e-150 * POINTS,
    "1e-300": 1e-300 * POINTS,
    "mixed scales": POINTS * [1e-150, 1.0, 1e140],
    "whole numbers": np.arange(36).reshape(12, 3) % 5,
    "yes and no": POINTS > 0,
}


@every(POINT_DOORS)
def test_odd_points_give_finite_numbers_or_a_sentence(door):
    for what, data in ODD.items():
        result, sentence = answer(door, data)
        assert is_a_sentence(sentence) if result is None else np.isfinite(result).all(), what


@every({name: door for name, door in POINT_DOORS.items() if name != "on_grid"})
def test_a_constant_column_and_duplicates_are_no_reason_to_refuse(door):
    for what in "a constant column", "duplicates", "whole numbers":
        result, sentence = answer(door, ODD[what])
        assert sentence is None and np.isfinite(result).all(), what


def test_duplicates_lower_the_rank_and_nothing_else():
    Z = npt.NPT().fit_transform(ODD["duplicates"])
    assert Z.shape == (12, 2) and pca.PCA().fit(ODD["a constant column"]).lam_.shape == (2,)
    close(Z[0], Z[3], 1e-7)


# forms of good data


def forms(A):
    wide = np.zeros((2 * A.shape[0], 3 * A.shape[1]))
    wide[::2, ::3] = A
    frozen = A.copy()
    frozen.setflags(write=False)
    return {
        "lists": A.tolist(),
        "tuples": tuple(map(tuple, A)),
        "read-only": frozen,
        "objects": A.astype(object),
        "Fortran order": np.asfortranarray(A),
        "a view": wide[::2, ::3],
        "reversed twice": A[::-1].copy()[::-1],
        "float32": A.astype(np.float32),
        "long double": A.astype(np.longdouble),
        "integers": A.astype(int),
        "small integers": A.astype(np.int8),
    }


WHOLE = np.random.default_rng(1).integers(-3, 4, (12, 3)).astype(float)  # exact in every type


@every(POINT_DOORS)
def test_the_answer_does_not_depend_on_the_form_of_the_data_and_the_data_stays_as_it_was(door):
    expected, refused = answer(door, WHOLE)
    for form, data in forms(WHOLE).items():
        before = np.asarray(data).tobytes()
        result, sentence = answer(door, data)
        assert sentence == refused and np.asarray(data).tobytes() == before, form
        if result is not None:
            close(result, expected, ROOT if form == "Fortran order" else EXACT)


@every(GRAM_DOORS)
def test_a_gram_matrix_is_never_changed(door):
    K = GRAM.copy()
    answer(door, K)
    assert np.array_equal(K, GRAM)


def test_a_data_frame_is_a_matrix():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [0, 1, 2, 3, 4], "b": [1.5, 0.5, 2.5, 1.0, 0.0]})
    for door in kernels.Gaussian(), pca.PCA().fit_transform, npt.NPT().fit_transform:
        assert np.array_equal(door(frame), door(frame.to_numpy()))
    with pytest.raises(ValueError, match="X must hold numbers only: could not convert string"):
        pca.PCA().fit(pd.DataFrame({"a": [1.0, 2.0], "b": ["red", "blue"]}))
    with pytest.raises((ValueError, TypeError), match="NaN|numbers only"):
        pca.PCA().fit(pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": [1.0, 2.0, 3.0]}))


# the sentences themselves


@pytest.mark.parametrize(
    "data, kind, sentence",
    [
        ([1.0, 2.0], ValueError, r"two dimensions .*got shape \(2,\).*reshape\(-1, 1\) for a single feature"),
        ([[1.0, np.nan]], ValueError, "X contains NaN: remove or fill"),
        ([[1.0, -np.inf]], ValueError, "X contains inf: remove or fill"),
        ([[1.0], [2.0, 3.0]], ValueError, "rows differ in length"),
        ([["a", "b"]], ValueError, "turn text or dates into numbers"),
        ([[1j]], ValueError, "Complex data not supported: .*take X.real"),
        (csr_array(np.eye(2)), TypeError, r"use X.toarray\(\)"),
        ([[1e151]], ValueError, "beyond 1e\\+150, whose squares overflow: rescale"),
        ([[-1e151]], ValueError, "beyond 1e\\+150, whose squares overflow: rescale"),
        ([[{}]], TypeError, "X must hold numbers only"),
        ([[10**400]], ValueError, "X must hold numbers only"),
        (np.empty((0, 2)), ValueError, "n_samples = 0, while a minimum of 1 is required"),
        (np.empty((2, 0)), ValueError, r"0 feature\(s\)"),
    ],
)
def test_a_matrix_is_refused_with_what_to_do(data, kind, sentence):
    with pytest.raises(kind, match=sentence):
        _checks.matrix(data)


@pytest.mark.parametrize(
    "check, good, wrong",
    [
        (_checks.number, [0, -1.5, np.float32(2), 3], [np.nan, np.inf, "1", True, None, 1j, 10**400, [1.0]]),
        (_checks.positive, [1e-300, 1, np.int8(3)], [0, -1, np.nan, np.inf, "1", True, None, 10**400]),
        (_checks.non_negative, [0, 0.0, 2], [-1e-9, np.nan, np.inf, "0", False, None]),
        (_checks.length, [1e-150, 1, 1e150], [0, -1, 1e-151, 1e151, np.nan, "1", True]),
        (_checks.share, [1e-16, 0.5], [0, 1, -0.1, np.nan, "0.5", True]),
        (_checks.count, [1, np.int64(7)], [0, -1, 1.0, "1", True, None, np.nan, 10**30]),
    ],
)
def test_a_parameter_is_a_number_of_its_kind_or_refused(check, good, wrong):
    for value in good:
        assert check(value, "it") == value and type(check(value, "it")) in (int, float)
    for value in wrong:
        with pytest.raises(ValueError, match="it must be"):
            check(value, "it")


def test_a_choice_is_one_of_its_words():
    assert _checks.one_of(np.str_("or"), ("or", "and"), "it") == "or"
    for value in "xor", None, 1, np.array(["or", "and"]):
        with pytest.raises(ValueError, match="it must be one of 'or', 'and'"):
            _checks.one_of(value, ("or", "and"), "it")
    with pytest.raises(ValueError, match="one of True, False"):
        _checks.one_of(1, (True, False), "it")


def test_a_gram_matrix_may_be_off_by_rounding_only():
    K = GRAM.copy()
    K[0, 1] += 1e-12
    assert _checks.gram(K) is K
    K[0, 1] += 1e-6
    with pytest.raises(ValueError, match="K must be symmetric"):
        _checks.gram(K)
    with pytest.raises(ValueError, match=r"square Gram matrix, got shape \(2, 3\)"):
        _checks.gram(np.ones((2, 3)))


def test_a_vector_has_the_length_of_the_data():
    with pytest.raises(ValueError, match="y has 2 entries for 3 samples"):
        _checks.vector([1.0, 2.0], length=3)
    with pytest.raises(ValueError, match=r"one dimension, got shape \(1, 2\)"):
        _checks.vector([[1.0, 2.0]])


def test_one_seed_is_one_stream():
    assert np.array_equal(_checks.seeded(3).random(4), np.random.default_rng(3).random(4))
