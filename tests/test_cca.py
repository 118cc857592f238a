"""Canonical correlations, linear and with kernels, and sources unmixed by making correlations vanish."""

import numpy as np
import pytest
from scipy.linalg import eigh, subspace_angles
from scipy.optimize import minimize
from sklearn.cross_decomposition import CCA as SklearnCCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from tolerances import EXACT, ITERATIVE, ROOT, close, same_up_to_sign

from kmlab.cca import CCA, KernelCCA, KernelICA, amari_error, leading_pairs
from kmlab.centering import center_gram
from kmlab.course.experiments.fisher_and_independence import amari_errors
from kmlab.datasets import dependence_shapes, rings
from kmlab.features import poly2_map
from kmlab.ica import information, least_angle, rotated
from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed
from kmlab.npt import NPT

pytestmark = pytest.mark.filterwarnings("error", "ignore::kmlab._bases.NotConverged")

POLY = Polynomial(2, 1.0)
MIX = np.array([[1.0, 0.6], [0.4, 1.0]])


def views(n=60, seed=0):
    """Two views that share two of their directions."""
    rng = np.random.default_rng(seed)
    shared = rng.standard_normal((n, 2))
    X = np.column_stack([shared, rng.standard_normal((n, 2))]) @ rng.standard_normal((4, 4)) + 3
    Y = np.column_stack([shared + 0.5 * rng.standard_normal((n, 2)), rng.standard_normal(n)]) - 1
    return X, Y


def mixed(n=120, seed=0):
    """Two sub-Gaussian sources, mixed."""
    rng = np.random.default_rng(seed)
    S = np.column_stack([rng.uniform(-1, 1, n), rng.choice([-1.0, 1.0], n) + 0.3 * rng.standard_normal(n)])
    return S @ MIX.T, S


# definition: CCA


def test_correlations_are_those_of_the_scores_and_nothing_correlates_across_pairs():
    X, Y = views()
    cca = CCA().fit(X, Y)
    A, B = cca.transform(X, Y)
    close(A.T @ A / 60, np.eye(3))
    close(B.T @ B / 60, np.eye(3))
    close(A.T @ B / 60, np.diag(cca.correlations_))
    close(A.mean(0), np.zeros(3))
    assert (np.diff(cca.correlations_) < 0).all() and (A[np.abs(A).argmax(0), range(3)] > 0).all()


def test_cca_solves_its_generalised_eigenproblem():
    X, Y = views()
    C = np.cov(np.hstack([X, Y]).T, bias=True)
    Sx, Sy, Sxy = C[:4, :4], C[4:, 4:], C[:4, 4:]
    squared = eigh(Sxy @ np.linalg.solve(Sy, Sxy.T), Sx, eigvals_only=True)[::-1]
    close(CCA().fit(X, Y).correlations_ ** 2, squared[:3])


def test_correlations_are_cosines_of_the_angles_between_the_column_spaces():
    X, Y = views()
    angles = subspace_angles(X - X.mean(0), Y - Y.mean(0))
    close(CCA().fit(X, Y).correlations_, np.sort(np.cos(angles))[::-1])


def test_correlations_do_not_see_units_or_axes():
    X, Y = views()
    rng = np.random.default_rng(5)
    close(
        CCA().fit(X @ rng.standard_normal((4, 4)) - 7, Y * [1, 1e3, 1e-3]).correlations_, CCA().fit(X, Y).correlations_
    )


def test_repeated_features_are_no_trouble():
    X, Y = views()
    cca = CCA().fit(np.hstack([X, X[:, :2]]), Y)
    close(cca.correlations_, CCA().fit(X, Y).correlations_)
    close(np.abs(cca.transform(np.hstack([X, X[:, :2]]))), np.abs(CCA().fit(X, Y).transform(X)))


def test_scikit_learn_finds_the_same_scores():  # oracle
    X, Y = views(200)
    theirs = SklearnCCA(2, max_iter=5000, tol=1e-12).fit(X, Y)
    ours = CCA(2).fit(X, Y)
    for a, b in zip(ours.transform(X, Y), theirs.transform(X, Y), strict=True):
        same_up_to_sign(a / np.linalg.norm(a, axis=0), b / np.linalg.norm(b, axis=0), 1e-4)  # theirs iterates


# definition: kernel CCA


def test_linear_kernel_cca_without_ridge_is_cca():  # N-kcca
    X, Y = views()
    linear, kernel = CCA().fit(X, Y), KernelCCA(Linear(), Linear(), kappa=0).fit(X, Y)
    close(kernel.correlations_, linear.correlations_, EXACT)
    for a, b in zip(kernel.transform(X, Y), linear.transform(X, Y), strict=True):
        same_up_to_sign(a, b)
    close(KernelCCA(Linear(), Linear(), kappa=1e-10).fit(X, Y).correlations_, linear.correlations_)


def test_kernel_cca_is_ridge_cca_of_the_features():
    X, Y = views()
    F, G = (poly2_map(Z) - poly2_map(Z).mean(0) for Z in (X, Y))
    ours = KernelCCA(POLY, POLY, kappa=2.0).fit(X, Y)
    whiten = [np.linalg.inv(np.linalg.cholesky(M.T @ M + 2.0 * np.eye(M.shape[1]))) for M in (F, G)]
    s = np.linalg.svd(whiten[0] @ F.T @ G @ whiten[1].T, compute_uv=False)
    close(ours.correlations_, s[: len(ours.correlations_)])


def test_coefficients_meet_the_constraint_and_give_the_correlation():
    X, Y = views()
    kx, ky, kappa = Gaussian(3.0), Gaussian(1.5), 0.5
    cca = KernelCCA(kx, ky, kappa, n_components=3).fit(X, Y)
    Kx, Ky, a, b = center_gram(kx(X)), center_gram(ky(Y)), cca.alphas_x_, cca.alphas_y_
    close(a.T @ (Kx @ Kx + kappa * Kx) @ a / 60, np.eye(3))
    close(b.T @ (Ky @ Ky + kappa * Ky) @ b / 60, np.eye(3))
    close(a.T @ Kx @ Ky @ b / 60, np.diag(cca.correlations_))
    A, B = cca.transform(X, Y)
    close(A, Kx @ a)
    close(B, Ky @ b)
    assert (A[np.abs(A).argmax(0), range(3)] > 0).all()


def test_coefficients_of_bach_and_jordan_meet_theirs():
    X, Y = views()
    cca = KernelCCA(Gaussian(3.0), Gaussian(1.5), 0.5, 2, form="bach_jordan").fit(X, Y)
    Kx, Ky, a, b = center_gram(Gaussian(3.0)(X)), center_gram(Gaussian(1.5)(Y)), cca.alphas_x_, cca.alphas_y_
    root = (Kx + 0.25 * np.eye(60)) @ a
    close(root.T @ root / 60, np.eye(2))
    close(a.T @ Kx @ Ky @ b / 60, np.diag(cca.correlations_))
    M = np.linalg.solve(Kx + 0.25 * np.eye(60), Kx) @ Ky @ np.linalg.inv(Ky + 0.25 * np.eye(60))
    close(cca.correlations_, np.linalg.svd(M, compute_uv=False)[:2])


def test_the_two_forms_agree_to_first_order_in_the_ridge():
    X, Y = views()
    off = []
    for kappa in 1e-3, 1e-4:
        first, second = (
            KernelCCA(Linear(), Linear(), kappa, form=f).fit(X, Y).correlations_[0] for f in ("norm", "bach_jordan")
        )
        off.append(abs(first - second))
    assert off[1] < off[0] / 50


def test_no_functions_correlate_better():  # N-kcca2: direct maximisation over the coefficients
    X, Y = views(30)
    Zx, Zy, kappa = NPT(Linear()).fit_transform(X), NPT(POLY).fit_transform(Y), 1.5

    def minus(v):
        a, b = v[: Zx.shape[1]], v[Zx.shape[1] :]
        return -(a @ Zx.T @ Zy @ b) / np.sqrt(
            a @ (Zx.T @ Zx + kappa * np.eye(len(a))) @ a * (b @ (Zy.T @ Zy + kappa * np.eye(len(b))) @ b)
        )

    starts = np.random.default_rng(0).standard_normal((4, Zx.shape[1] + Zy.shape[1]))
    best = -min(minimize(minus, v, options={"gtol": 1e-9}).fun for v in starts)
    assert KernelCCA(Linear(), POLY, kappa).fit(X, Y).correlations_[0] == pytest.approx(best, rel=ITERATIVE)


# theorem


@pytest.mark.parametrize("form", ["norm", "bach_jordan"])
def test_correlations_fall_as_the_ridge_grows(form):  # N-kcca3
    X, Y = views()
    k = Gaussian(2.0)
    first = [KernelCCA(k, k, kappa, form=form).fit(X, Y).correlations_[0] for kappa in (1e-4, 0.1, 1, 50)]
    assert (np.diff(first) < 0).all()


def test_without_a_ridge_any_two_views_correlate_perfectly():  # S13
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((40, 2)), rng.standard_normal((40, 2))
    cca = KernelCCA(Gaussian(0.3), Gaussian(0.3), kappa=0).fit(X, Y)
    assert cca.correlations_.min() > 1 - 1e-9
    assert KernelCCA(Gaussian(0.3), Gaussian(0.3), kappa=20).fit(X, Y).correlations_[0] < 0.6
    Xt, Yt = rng.standard_normal((200, 2)), rng.standard_normal((200, 2))  # and nothing of it is left on new points
    assert abs(np.corrcoef(*(s[:, 0] for s in cca.transform(Xt, Yt)))[0, 1]) < 0.3


def test_new_points_of_the_two_views_correlate_where_a_straight_line_finds_nothing():
    X, Y = dependence_shapes("parabola", 200, noise=0.05)
    Xt, Yt = dependence_shapes("parabola", 200, noise=0.05, seed=1)
    a, b = KernelCCA(n_components=1).fit(X, Y).transform(Xt, Yt)
    assert np.corrcoef(a[:, 0], b[:, 0])[0, 1] > 0.9
    assert CCA().fit(X, Y).correlations_[0] < 0.2


def test_the_default_ridge_does_not_see_units():
    X, Y = views()
    close(
        KernelCCA(Linear(), Linear()).fit(1000 * X, Y / 7).correlations_,
        KernelCCA(Linear(), Linear()).fit(X, Y).correlations_,
    )


def test_gram_matrices_stand_for_their_views():
    X, Y = views()
    kx, ky = Gaussian(3.0), Gaussian(2.0)
    plain = KernelCCA(kx, ky, n_components=2).fit(X[:50], Y[:50])
    given = KernelCCA(Precomputed(), Precomputed(), n_components=2).fit(kx(X[:50]), ky(Y[:50]))
    for a, b in zip(given.transform(kx(X, X[:50]), ky(Y, Y[:50])), plain.transform(X, Y), strict=True):
        close(a, b, ROOT)


def test_kernel_cca_with_labels_is_a_step_of_a_pipeline():
    X, y = rings((1.0, 3.0), 30, noise=0.1)
    model = make_pipeline(KernelCCA(n_components=1), LogisticRegression()).fit(X, y)
    assert model.score(X, y) == 1


def test_a_correlation_is_never_beyond_one():
    A, B = np.array([[1.0], [0.0]]), np.array([[1.0 + 1e-12], [0.0]])  # as rounding might have it
    assert leading_pairs(A, B, 1)[1] == 1


# kernel ICA


@pytest.mark.parametrize("form", ["norm", "bach_jordan"])
def test_two_sources_are_unmixed(form):  # N-kica
    errors = [amari_error(KernelICA(form=form).fit(mixed(seed=s)[0]).components_, MIX) for s in range(4)]
    assert max(errors) < 0.12 and np.mean(errors) < 0.08


def test_uniform_sources_are_found_in_most_draws_and_gaussian_ones_in_few():  # as in notebook 14
    uniform, gaussian = (amari_errors(sources) for sources in ("uniform", "two Gaussians"))
    assert np.mean(uniform < 0.1) >= 0.9 and np.mean(gaussian > 0.1) >= 0.8
    assert 0.15 < np.mean(gaussian > 0.5) < 0.6  # an angle drawn by lot: 1 - atan(0.5) / 45° = 41 %
    turn = np.radians(22.5)
    by_lot = amari_error([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], np.eye(2))
    close(by_lot, np.tan(turn))
    assert abs(np.median(gaussian) - by_lot) < 0.2


def test_sources_come_back_up_to_order_scale_and_sign():
    X, S = mixed(300)
    found = KernelICA().fit_transform(X)
    close(found.mean(0), [0, 0])
    close(found.T @ found / 300, np.eye(2))
    C = np.abs(np.corrcoef(found.T, S.T)[:2, 2:])
    assert C.max(0).min() > 0.98 and sorted(C.argmax(0)) == [0, 1]


def test_contrast_has_period_a_quarter_turn_and_its_least_value_at_the_angle():
    ica = KernelICA().fit(mixed()[0])
    angles = np.linspace(0, np.pi / 2, 60)
    values = ica.contrast(angles)
    close(ica.contrast(angles + np.pi / 2), values)
    assert 0 <= ica.angle_ < np.pi / 2
    assert ica.contrast(ica.angle_) <= values.min()
    close(ica.contrast(ica.angle_), ica.contrast_)
    assert np.ptp(values) > 0.1
    nearby = ica.contrast(ica.angle_ + np.array([-1e-3, 1e-3]))
    assert (nearby > ica.contrast_).all()


def test_contrast_is_the_information_of_gaussians_with_the_kernel_correlation():
    X, _ = mixed()
    ica = KernelICA(Gaussian(1.5), kappa=2.0).fit(X)
    white = ica.white_
    close(white.T @ white / 120, np.eye(2))
    c, s = np.cos(0.3), np.sin(0.3)
    one, two = c * white[:, :1] + s * white[:, 1:], c * white[:, 1:] - s * white[:, :1]
    kcc = KernelCCA(Gaussian(1.5), Gaussian(1.5), kappa=2.0).fit(one, two).correlations_[0]
    close(ica.contrast(0.3), -0.5 * np.log(1 - kcc**2))


def test_every_turn_lowers_the_contrast_and_stays_a_rotation():
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, (150, 3)) @ rng.standard_normal((3, 3))
    ica = KernelICA(n_angles=12)
    steps = list(ica.steps(X))
    assert [s.pair for s in steps[:3]] == [(0, 1), (0, 2), (1, 2)] and len(steps) % 3 == 0
    assert (np.diff([s.contrast for s in steps]) <= EXACT).all()
    for step in steps:
        close(step.rotation @ step.rotation.T, np.eye(3))
    assert ica.fit(X).contrast_ == steps[-1].contrast
    pairs = [(0, 1), (0, 2), (1, 2)]
    S = ica.transform(X)
    kcc = [KernelCCA(Gaussian(), Gaussian()).fit(S[:, [i]], S[:, [j]]).correlations_[0] for i, j in pairs]
    close(ica.contrast_, sum(-0.5 * np.log(1 - r**2) for r in kcc))


def test_two_sources_are_the_whitened_mixtures_turned_by_their_angle():  # (CCA.7)
    X, _ = mixed()
    ica = KernelICA(n_angles=4, tol=0.1).fit(X)
    (s, t), c, d = ica.white_.T, np.cos(ica.angle_), np.sin(ica.angle_)
    close(ica.transform(X), np.column_stack([c * s + d * t, c * t - d * s]))


def test_what_two_equal_sources_know_of_each_other_is_much_and_finite():
    one = np.array([[1.0], [0.0]])
    assert 15 < information(one, one) < 20


def test_a_pair_that_no_turn_improves_stays():
    R = np.eye(3)[[2, 0, 1]]
    angle = least_angle(lambda angle: float(angle != 0), 8, 1e-3)
    assert angle == 0 and np.array_equal(rotated(R, 0, 2, angle), R)


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_three_sources_are_unmixed_where_a_blind_start_gets_stuck(seed):
    rng = np.random.default_rng(seed)
    S, A = rng.uniform(-1, 1, (300, 3)), rng.standard_normal((3, 3))
    assert amari_error(KernelICA(n_angles=12).fit(S @ A.T).components_, A) < 0.12


def test_new_mixtures_are_unmixed_the_same_way():
    X, _ = mixed()
    ica = KernelICA().fit(X)
    close(ica.transform(X[:5]), (X[:5] - X.mean(0)) @ ica.components_.T)
    close(ica.components_ @ ica.mixing_, np.eye(2))


def test_amari_error_is_zero_for_order_and_scale_and_one_for_a_blend():
    A = np.array([[2.0, 1.0], [1.0, 1.0]])
    assert amari_error(np.array([[0, -3.0], [0.5, 0]]) @ np.linalg.inv(A), A) == pytest.approx(0, abs=EXACT)
    close(amari_error(np.array([[1.0, 1.0], [1.0, -1.0]]), np.eye(2)), 1)
    close(amari_error(np.array([[1.0, 0.5], [0.0, 1.0]]), np.eye(2)), (0.5 + 0.5) / 4)


# refusal


def test_bad_input_gets_one_sentence():
    X, Y = views()
    with pytest.raises(ValueError, match="X has 60 rows and Y has 59"):
        CCA().fit(X, Y[:-1])
    with pytest.raises(ValueError, match="requires y to be passed"):
        CCA().fit(X)
    with pytest.raises(ValueError, match="n_components = 4, but these views have only 3 pairs"):
        CCA(4).fit(X, Y)
    with pytest.raises(ValueError, match="rows of Y are all the same"):
        CCA().fit(X, np.ones((60, 2)))
    with pytest.raises(ValueError, match="rows of Y are all the same"):
        KernelCCA().fit(X, np.ones((60, 2)))
    with pytest.raises(ValueError, match="kappa must be a number of at least 0, got -1"):
        KernelCCA(kappa=-1).fit(X, Y)
    with pytest.raises(TypeError, match="kernel_y must be a kernel"):
        KernelCCA(kernel_y="rbf").fit(X, Y)
    with pytest.raises(ValueError, match="expecting 3 features"):
        CCA().fit(X, Y).transform(X, X)
    with pytest.raises(ValueError, match="fewer independent directions"):
        KernelICA().fit(np.hstack([X, X[:, :1]]))
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="One angle turns two sources, got 3"):
        KernelICA(n_angles=4, max_passes=1).fit(rng.uniform(size=(30, 3))).contrast(0.1)
    with pytest.raises(ValueError, match="n_angles must be a whole number of at least 4"):
        KernelICA(n_angles=3).fit(X[:, :2])


def test_a_fit_that_is_refused_leaves_both_views_as_they_were():
    X, Y = views()
    for model in CCA(2), KernelCCA(n_components=2), KernelICA(n_angles=4, tol=0.1):
        model.fit(X[:, :2], Y)
        before = dict(vars(model))
        with pytest.raises(ValueError):
            model.fit(np.ones((60, 2)), Y)
        assert vars(model) == before


def test_the_order_of_parameters_is_the_public_one():
    assert list(KernelCCA().get_params(deep=False)) == ["kernel_x", "kernel_y", "kappa", "n_components", "form"]
    names = ["kernel", "kappa", "form", "n_angles", "tol", "max_passes"]
    assert list(KernelICA().get_params(deep=False)) == names
    X, Y = views()
    close(CCA(1).fit(X=X, Y=Y).correlations_, CCA(1).fit(X, Y).correlations_)


def test_amari_error_refuses_what_mixes_nothing():
    with pytest.raises(ValueError, match=r"a row and a column for each source, got shapes \(2, 2\) and \(3, 3\)"):
        amari_error(np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match="a source is lost"):
        amari_error(np.diag([1.0, 0.0]), np.eye(2))
