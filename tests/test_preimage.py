"""Pre-images: what scores stand for, five ways to a point, and denoising on points that were not trained on."""

import itertools

import numpy as np
import pytest
import scipy.optimize
from scipy.optimize import approx_fprime, minimize_scalar
from sklearn.decomposition import KernelPCA as SklearnKernelPCA
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import Ridge
from tolerances import EXACT, IDENTITY, ITERATIVE, close

from kmlab.course.experiments.preimages import MIKA, mika_ratios, without_mean
from kmlab.datasets import digits, half_circle
from kmlab.engine.fixed_points import nearest_to_all
from kmlab.features import poly2_map
from kmlab.kernels import Exponential, Gaussian, Kernel, Linear, Polynomial, Precomputed, Tanh, median_width
from kmlab.pca import PCA, KernelPCA
from kmlab.preimage import (
    METHODS,
    denoise,
    feature_distances2,
    fixed_point_steps,
    image_distance2,
    input_distance2,
    kernel_ridge_map,
    next_point,
    preimage,
    projection_coefficients,
    squared_norm,
)
from kmlab.regression import KernelRidge

pytestmark = pytest.mark.filterwarnings("error")

KERNELS = [Gaussian(1.3), Polynomial(3, 0.5), Linear()]
COMPOSED = [Gaussian(1.3) + 0.5 * Linear(), Gaussian(1.3) * Polynomial(2, 0.5), 2.0 * Gaussian(1.3), Linear() ** 2]


def fitted(kernel=KERNELS[0], k=2, n=20, seed=0):
    return KernelPCA(kernel, k).fit(np.random.default_rng(seed).standard_normal((n, 3)) + 0.7)


# definition


def test_coefficients_rebuild_the_projection_in_feature_space(X, Xt):  # N-mika-g, with a map that can be written down
    kpca = KernelPCA(Polynomial(2), 2).fit(X)
    Phi, mean = poly2_map(X), poly2_map(X).mean(0)
    V = (Phi - mean).T @ kpca.alphas_
    projected = mean + (poly2_map(Xt) - mean) @ V @ V.T
    gamma = projection_coefficients(kpca, kpca.transform(Xt))
    close(gamma @ Phi, projected)
    close(gamma.sum(1), np.ones(6))


def test_coefficients_sum_to_one_where_the_axes_are_long_sums(X, Xt):
    kpca = KernelPCA(Gaussian(6.0)).fit(X)  # λ down to 1e-11
    Z = kpca.transform(Xt)
    assert np.abs(kpca.alphas_).max() > 1e4 and np.abs(kpca.alphas_.sum(0)).max() < 1e-10
    close(projection_coefficients(kpca, Z).sum(1), np.ones(6))
    gamma = projection_coefficients(kpca, Z)
    close(squared_norm(kpca, Z), ((gamma @ kpca.kernel(X)) * gamma).sum(1), ITERATIVE)


@pytest.mark.parametrize("kernel", KERNELS)
def test_distance_to_an_image_is_the_quadratic_form_of_all_coefficients(kernel):
    kpca = fitted(kernel)
    Z, P = np.random.default_rng(1).standard_normal((4, 2)), np.random.default_rng(2).standard_normal((4, 3))
    gamma, K = projection_coefficients(kpca, Z), kernel(kpca.X_)
    for i in range(4):
        c = np.append(gamma[i], -1.0)  # Σ γ_i φ(x_i) - φ(p)
        close(image_distance2(kpca, Z, P)[i], c @ kernel(np.vstack([kpca.X_, P[i]])) @ c)
    close(squared_norm(kpca, Z), np.einsum("ij,jk,ik->i", gamma, K, gamma))
    own = [[image_distance2(kpca, z[None], x[None])[0] for x in kpca.X_] for z in Z]
    close(feature_distances2(kpca, Z), own)


def test_a_training_point_is_at_no_distance_from_its_own_image():
    kpca = fitted(k=None)
    close(image_distance2(kpca, kpca.transform(kpca.X_), kpca.X_), np.zeros(20))


@pytest.mark.parametrize("kernel", KERNELS + COMPOSED, ids=repr)
def test_the_gap_is_the_distance_without_its_constant_and_its_gradient_is_the_derivative(kernel):
    kpca = fitted(kernel)
    gamma = projection_coefficients(kpca, [[0.4, -0.3]])[0]
    z = np.array([0.3, -0.8, 0.5])
    value, slope = kernel.gap(z, kpca.X_, gamma)
    close(value + squared_norm(kpca, [[0.4, -0.3]]), image_distance2(kpca, [[0.4, -0.3]], z[None]))
    close(slope, approx_fprime(z, lambda z: kernel.gap(z, kpca.X_, gamma)[0], 1e-6), 1e-4)
    plain = Kernel.gap(kernel, z, kpca.X_, gamma)  # without the short cuts of some kernels
    close(value, plain[0])
    close(slope, plain[1])


def test_the_learned_map_is_ridge_regression_on_centred_scores():
    kpca = fitted()
    scores, Z = kpca.transform(kpca.X_), np.random.default_rng(1).standard_normal((5, 2))
    close(preimage(kpca, Z, "ridge", lam=0.3), Ridge(0.3).fit(scores, kpca.X_).predict(Z))
    mean = kpca.X_.mean(0)  # A34: the dual form, with the kernel ZZᵀ
    dual = Z @ scores.T @ np.linalg.solve(scores @ scores.T + 0.3 * np.eye(20), kpca.X_ - mean)
    close(preimage(kpca, Z, "ridge", lam=0.3), mean + dual)


def test_the_kernel_ridge_map_is_kernel_ridge_on_scores_and_centred_points():  # Bakır et al., by two other programs
    kpca = fitted(k=3)
    X, scores, Z = kpca.X_, kpca.transform(kpca.X_), np.random.default_rng(1).standard_normal((5, 3))
    width = np.median([np.linalg.norm(a - b) for i, a in enumerate(scores) for b in scores[:i]])
    theirs = SklearnKernelRidge(alpha=0.3, kernel="rbf", gamma=1 / width**2).fit(scores, X - X.mean(0))
    found = preimage(kpca, Z, "kernel_ridge", lam=0.3)
    close(found, X.mean(0) + theirs.predict(Z))
    ridge = KernelRidge(Gaussian(median_width(scores)), 0.3)
    close(found, np.column_stack([ridge.fit(scores, x - x.mean()).predict(Z) + x.mean() for x in X.T]))
    close(preimage(kpca, Z, "kernel_ridge"), kernel_ridge_map(kpca, Z, 0.1), EXACT)


def test_with_a_linear_kernel_on_scores_the_kernel_ridge_map_is_the_ridge_map():
    kpca, Z = fitted(), np.random.default_rng(1).standard_normal((5, 2))
    close(kernel_ridge_map(kpca, Z, 0.3, Linear()), preimage(kpca, Z, "ridge", lam=0.3))


# theorem


def test_linear_kernel_gives_the_pca_reconstruction(X, Xt):  # N-preimg-lin, E12.5
    kpca, pca = KernelPCA(Linear(), 1).fit(X), PCA(1).fit(X)
    rebuilt = pca.inverse_transform(pca.transform(Xt))
    close(projection_coefficients(kpca, kpca.transform(Xt)) @ X, rebuilt)
    close(denoise(kpca, Xt, "gradient"), rebuilt, ITERATIVE)
    close(denoise(kpca, Xt, "ridge", lam=1e-9), rebuilt, ITERATIVE)


def test_a_midpoint_of_two_images_has_no_preimage():  # S20, E12.1
    kpca = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [2.0]])
    close(squared_norm(kpca, [[0.0]]), [0.509158], 1e-6)
    best = minimize_scalar(lambda z: 1.509158 - np.exp(-(z**2)) - np.exp(-((z - 2) ** 2)), (-0.5, 0, 0.5)).fun
    for method in "fixed_point", "gradient":
        found = image_distance2(kpca, [[0.0]], preimage(kpca, [[0.0]], method))[0]
        close(found, best, ITERATIVE)
    assert round(found, 3) == 0.489


def test_an_even_kernel_sends_a_point_and_its_mirror_image_to_one_place(X, Xt):  # S20b
    kpca = KernelPCA(Polynomial(2, 0.0), 2).fit(X)
    Z = kpca.transform(Xt)
    close(image_distance2(kpca, Z, Xt), image_distance2(kpca, Z, -Xt), EXACT)
    assert image_distance2(KernelPCA(Polynomial(2, 1.0), 2).fit(X), Z, -Xt).max() > 1


def test_input_distances_are_read_back_from_feature_distances():  # E12.2
    close(input_distance2(Gaussian(np.sqrt(2)), 1.0), 1.386294, ITERATIVE)
    x, z = np.array([[0.3, -1.0]]), np.array([[1.1, 0.4]])
    kernel = Gaussian(1.7)
    close(input_distance2(kernel, 2 - 2 * kernel(x, z)[0, 0]), ((x - z) ** 2).sum())
    assert np.isfinite(input_distance2(kernel, 2.5))


@pytest.mark.parametrize("neighbors", [1, 3, 4, 7, 19])
def test_distances_to_neighbours_give_back_a_point_from_its_own_image(neighbors):  # N-kwok
    kpca = fitted(Gaussian(2.0), None)
    close(preimage(kpca, kpca.transform(kpca.X_), "distance", n_neighbors=neighbors), kpca.X_, ITERATIVE)


def test_the_learned_map_repeats_its_training_points_and_nothing_else():  # N-bakir, and why it means nothing
    X, T = half_circle(30, 0.1)[0], half_circle(30, 0.1, seed=1)[0]
    kpca = KernelPCA(Gaussian(0.5)).fit(X)
    for method in "ridge", "kernel_ridge":
        close(denoise(kpca, X, method, lam=1e-9), X, 1e-5)
        assert ((denoise(kpca, T, method, lam=1e-9) - T) ** 2).mean() > 1e-5


def test_from_few_scores_the_kernel_ridge_map_bends_and_the_linear_one_does_not():
    X, T = half_circle(150, 0.1)[0], half_circle(150, 0.1, seed=1)[0]
    for width, components, ratio in ((1.0, 2, 2.0), (0.6, 4, 1.7), (0.4, 4, 2.0)):
        kpca = KernelPCA(Gaussian(width), components).fit(X)
        off = [np.abs(np.linalg.norm(denoise(kpca, T, m), axis=1) - 1).mean() for m in ("ridge", "kernel_ridge")]
        assert off[0] > ratio * off[1]
    line = kpca.transform(X[:1]) + np.linspace(0, 1, 5)[:, None] * kpca.transform(X[-1:])  # five scores in a row
    bend = [np.abs(np.diff(preimage(kpca, line, m), 2, axis=0)).max() for m in ("ridge", "kernel_ridge")]
    assert bend[0] < EXACT and bend[1] > 0.01


def test_forgetting_the_mean_costs_more_the_further_the_data_is_away():
    X, T = half_circle(60, 0.1)[0], half_circle(20, 0.1, seed=1)[0]
    for shift, lost in ((0.0, 0.2), (100.0, 2.0)):
        kpca = KernelPCA(Gaussian(1.0), 6).fit(X + shift)
        Z = kpca.transform(T + shift)
        for kept in preimage(kpca, Z, "ridge"), kernel_ridge_map(kpca, Z, 1.0, kpca.kernel):  # ours, and its twin
            assert np.abs(kept - T - shift).max() < 0.3
        assert bool(np.abs(without_mean(kpca, Z) - T - shift).mean() > lost) == (shift > 0)


# every step


def walk(kpca, start):
    Z = kpca.transform(start)
    return Z, list(fixed_point_steps(kpca, Z, start))


def test_each_round_is_the_weighted_mean_of_the_page():
    kpca, start = fitted(), np.array([[0.2, 0.1, 1.0], [-1.0, 0.5, 0.3]])
    Z, rounds = walk(kpca, start)
    gamma = projection_coefficients(kpca, Z)
    assert len(rounds) > 3
    for now, then in zip(rounds, rounds[1:], strict=False):
        close(now.distance2, image_distance2(kpca, Z, now.points))
        for i in range(2):
            w = [gamma[i, j] * np.exp(-((now.points[i] - x) ** 2).sum() / 1.3**2) for j, x in enumerate(kpca.X_)]
            close(then.points[i], np.array(w) @ kpca.X_ / np.sum(w), 1e-6)


def test_all_points_at_once_take_the_steps_of_each_point_alone():
    kpca, start = fitted(k=3), np.random.default_rng(4).standard_normal((5, 3))
    Z = kpca.transform(start)
    gamma, alone = projection_coefficients(kpca, Z), start
    for now in itertools.islice(fixed_point_steps(kpca, Z, start), 12):
        close(now.points, alone, ITERATIVE)
        alone = np.array([next_point(z, g, kpca.X_, kpca.kernel) for z, g in zip(alone, gamma, strict=True)])


def test_points_that_have_arrived_are_left_alone_and_the_others_go_on():
    kpca = KernelPCA(Gaussian(1.0), 2).fit(half_circle(40, 0.1)[0])
    start = np.array([[0.2, 0.1], [0.0, 0.0]])
    Z = kpca.transform(start)
    start[0] = preimage(kpca, Z[:1], start=start[:1])[0]  # this one is there already
    walked, asked = [], kpca.kernel_

    class Counting(Gaussian):
        def pull(self, Z, X):
            walked.append(len(Z))
            return super().pull(Z, X)

    kpca.kernel_ = Counting(asked.width)
    rounds = list(fixed_point_steps(kpca, Z, start))
    assert walked[0] == 2 and walked[-1] == 1 and len(walked) == len(rounds)
    close(rounds[-1].points[0], start[0], 1e-6)


@pytest.mark.parametrize("k, d", [(7, 3), (3, 3), (3, 8)])
def test_many_small_systems_at_once_are_least_squares_one_by_one(k, d):
    rng = np.random.default_rng(0)
    N, right = rng.standard_normal((5, k, d)), rng.standard_normal((5, k))
    N, right = N - N.mean(1, keepdims=True), right - right.mean(1, keepdims=True)
    alone = [np.linalg.lstsq(A, b, rcond=1e-9)[0] for A, b in zip(N, right, strict=True)]
    close(nearest_to_all(N, right + 3.0, (N**2).sum(2).mean(1)), alone, 1e-6)  # a constant has no effect


def test_where_the_fixed_point_stops_the_gradient_vanishes():  # N-mika
    X = half_circle(60, 0.1)[0]
    kpca = KernelPCA(Gaussian(1.0), 2).fit(X)
    start = np.array([[0.2, 0.1]])
    Z, rounds = walk(kpca, start)
    fall = np.array([step.distance2[0] for step in rounds])
    assert len(rounds) < 50  # it stops there, and does not run to the end
    assert (np.diff(fall) < EXACT).all() and fall[-1] < fall[0] / 2
    gamma = projection_coefficients(kpca, Z)[0]
    assert np.abs(kpca.kernel.gap(rounds[-1].points[0], X, gamma)[1]).max() < ITERATIVE


def test_the_best_round_is_returned_never_worse_than_the_start():
    rng = np.random.default_rng(0)
    kpca = KernelPCA(Gaussian(1.2), 3).fit(3 * rng.random((6, 1)))
    Z, start = 3 * rng.standard_normal((100, 3)), 4 * rng.random((100, 1)) - 0.5  # scores of no point: many γ < 0
    rounds = np.array([step.distance2 for step in fixed_point_steps(kpca, Z, start)])
    assert (rounds[-1] - rounds.min(0)).max() > 0.1  # some walks lead uphill, or in circles
    close(image_distance2(kpca, Z, preimage(kpca, Z, start=start)), rounds.min(0))


def test_a_start_from_which_nothing_is_seen_starts_again_at_the_nearest_image():
    kpca = KernelPCA(Gaussian(0.5), 2).fit(half_circle(40, 0.05)[0])
    Z = kpca.transform(kpca.X_[:3])
    first, second, *_ = fixed_point_steps(kpca, Z, np.full((3, 2), 50.0))  # all weights vanish there
    close(first.distance2, 1 + squared_norm(kpca, Z), EXACT)
    close(second.points, kpca.X_[feature_distances2(kpca, Z).argmin(1)], EXACT)
    found = preimage(kpca, Z, start=np.full((3, 2), 50.0))
    close(image_distance2(kpca, Z, found), image_distance2(kpca, Z, preimage(kpca, Z)), ITERATIVE)


def test_denoising_looks_for_the_preimage_from_the_noisy_point():
    kpca = KernelPCA(Gaussian(0.3), 2).fit(half_circle(40, 0.1)[0])
    noisy = np.random.default_rng(0).uniform(-1, 1, (30, 2))
    Z = kpca.transform(noisy)
    from_there = preimage(kpca, Z, start=noisy)
    assert np.abs(from_there - preimage(kpca, Z)).max() > 0.1  # many valleys: the start decides
    close(denoise(kpca, noisy), from_there, EXACT)


def test_many_points_at_once_are_the_same_as_one_by_one():
    kpca, start = fitted(k=4), np.random.default_rng(5).standard_normal((6, 3))
    for method in "fixed_point", "distance", "ridge", "kernel_ridge":
        one_by_one = np.vstack([denoise(kpca, x[None], method) for x in start])
        close(denoise(kpca, start, method), one_by_one, ITERATIVE)


# the known picture


def test_the_row_of_1999_is_reproduced_within_a_quarter():
    ours = mika_ratios(sigma=0.8)[0]
    close(ours, MIKA, 0.25 / max(MIKA))
    assert np.abs(ours - MIKA).max() < 0.25 and (np.diff(ours) > 0).all()


def test_new_points_of_a_half_circle_come_closer_to_it():
    X, T = half_circle(150, 0.1)[0], half_circle(150, 0.1, seed=1)[0]
    kpca, pca = KernelPCA(Gaussian(1.0), 4).fit(X), PCA(1).fit(X)

    def off(A):
        return np.abs(np.linalg.norm(A, axis=1) - 1).mean()

    for method, share in (("fixed_point", 0.4), ("distance", 0.4), ("ridge", 0.6)):
        assert off(denoise(kpca, T, method)) < share * off(T)
    assert off(pca.inverse_transform(pca.transform(T))) > 2 * off(T)


def test_new_digits_are_cleaner_after_kernel_pca_than_after_the_best_pca():
    X = digits()[0]
    train, clean = X[:300], X[300:340]
    noisy = clean + 0.3 * np.random.default_rng(0).standard_normal(clean.shape)
    best = min(
        ((m.inverse_transform(m.transform(noisy)) - clean) ** 2).mean()
        for m in (PCA(k).fit(train) for k in (5, 10, 15, 20, 30))
    )
    kpca = KernelPCA(Gaussian(3.0), 60).fit(train)
    for method in "fixed_point", "distance":
        assert ((denoise(kpca, noisy, method) - clean) ** 2).mean() < 0.85 * best


# oracle


def test_least_squares_agrees_with_the_fixed_point_where_both_apply():
    kpca = fitted(k=3)
    start = np.random.default_rng(8).standard_normal((5, 3))
    Z = kpca.transform(start)
    both = [image_distance2(kpca, Z, preimage(kpca, Z, method, start=start)) for method in ("gradient", "fixed_point")]
    assert (both[0] <= both[1] + ITERATIVE).all()
    close(both[0], both[1], 0.05)


def test_least_squares_starts_at_the_given_point_the_two_nearest_and_two_others(monkeypatch):
    minimize, starts = scipy.optimize.minimize, []

    def recorded(function, start, *others, **options):
        starts.append(start)
        return minimize(function, start, *others, **options)

    monkeypatch.setattr(scipy.optimize, "minimize", recorded)
    kpca, own = fitted(), np.array([[9.0, 9.0, 9.0]])
    Z = kpca.transform(own)
    preimage(kpca, Z, "gradient", start=own)
    near = np.argsort(feature_distances2(kpca, Z)[0])
    close(starts[:3], [own[0], *kpca.X_[near[:2]]], EXACT)
    assert len(starts) == 5 and all((kpca.X_ == start).all(1).any() for start in starts[3:])
    starts.clear()
    preimage(kpca, Z, "gradient")
    assert len(starts) == 4


def test_least_squares_takes_the_best_of_its_starts():
    kpca = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [0.3], [3.0]])  # score 0, the mean image: two valleys
    grid = np.linspace(-1, 4, 2001)[:, None]
    best = grid[image_distance2(kpca, np.zeros((2001, 1)), grid).argmin()]
    found = preimage(kpca, np.zeros((10, 1)), "gradient", start=np.full((10, 1), 2.9))
    close(found, np.tile(best, (10, 1)), 5e-3)


def test_least_squares_finds_the_point_behind_an_image():
    for kernel in Gaussian(1.5), Polynomial(3):
        kpca = KernelPCA(kernel).fit(np.random.default_rng(0).standard_normal((12, 2)))
        close(preimage(kpca, kpca.transform(kpca.X_[:4]), "gradient"), kpca.X_[:4], 1e-3)


@pytest.mark.parametrize("kernel", COMPOSED, ids=repr)
def test_least_squares_takes_kernels_that_are_made_of_others(kernel):
    kpca, start = fitted(kernel, 3), np.random.default_rng(3).standard_normal((2, 3))
    Z = kpca.transform(start)
    reached = image_distance2(kpca, Z, preimage(kpca, Z, "gradient", start=start))
    for i in range(2):
        other = scipy.optimize.minimize(lambda z, i=i: image_distance2(kpca, Z[i : i + 1], z[None])[0], start[i]).fun
        assert reached[i] <= other + ITERATIVE


def test_what_is_called_the_way_of_scikit_learn_is_its_way():
    X, T = digits()[0][:100], digits()[0][100:110]
    theirs = SklearnKernelPCA(20, kernel="rbf", gamma=1 / 9, fit_inverse_transform=True).fit(X)
    kpca = KernelPCA(Gaussian(3.0), 20).fit(X)
    ours = without_mean(kpca, kpca.transform(T))
    close(ours, theirs.inverse_transform(theirs.transform(T)), ITERATIVE)
    assert ((preimage(kpca, kpca.transform(T), "ridge") - T) ** 2).mean() < ((ours - T) ** 2).mean()


# refusal


@pytest.mark.parametrize(
    "kernel, method, sentence",
    [
        (Gaussian(1.0) + Tanh(0.01), "gradient", r"gradient of Tanh\(.*\) is not known here: use method='ridge'"),
        (2.0 * Gaussian(1.0), "distance", "Distances are read off a Gaussian alone, got Scaled"),
        (Linear(), "fixed_point", r"The fixed point needs a Gaussian kernel, got Linear\(\): use method='ridge'"),
        (Polynomial(2), "distance", "Distances are read off a Gaussian alone"),
        (Exponential(1.0), "gradient", r"gradient of Exponential\(width=1.0\) is not known here: use method='ridge'"),
        (Gaussian(1.0), "newton", "must be one of 'fixed_point', 'distance', 'ridge', 'kernel_ridge', 'gradient', got"),
    ],
)
def test_a_method_says_for_which_kernels_it_is(kernel, method, sentence, X):
    kpca = KernelPCA(kernel, 1).fit(X)
    with pytest.raises(ValueError, match=sentence):
        preimage(kpca, [[0.1]], method)


def test_bad_input_gets_one_sentence(X, Xt):
    kpca = KernelPCA(Gaussian(), 2).fit(X)
    with pytest.raises(ValueError, match="Z has 3 columns for 2 components: give one score for each"):
        preimage(kpca, np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"start has shape \(6, 2\), but \(1, 2\) is needed"):
        preimage(kpca, [[0.0, 0.0]], start=Xt)
    with pytest.raises(ValueError, match="not fitted yet"):
        preimage(KernelPCA(), [[0.0]])
    with pytest.raises(TypeError, match="kpca must be a KernelPCA of kmlab.pca, got PCA"):
        preimage(PCA(1).fit(X), [[0.0]])
    with pytest.raises(ValueError, match="A Gram matrix does not know its points"):
        preimage(KernelPCA(Precomputed(), 1).fit(np.eye(3)), [[0.0]])
    for method in "ridge", "kernel_ridge":
        with pytest.raises(ValueError, match="lam must be a positive number, got 0"):
            preimage(kpca, [[0.0, 0.0]], method, lam=0)
    with pytest.raises(ValueError, match="lam = 1e-30 leaves .* without an inverse, up to rounding: enlarge it"):
        preimage(KernelPCA(Gaussian(), 1).fit([[0.0], [0.0], [1.0]]), [[0.0]], "kernel_ridge", lam=1e-30)
    with pytest.raises(TypeError, match="kernel must be a kernel"):
        kernel_ridge_map(kpca, [[0.0, 0.0]], kernel="rbf")
    with pytest.raises(ValueError, match="n_neighbors must be a whole number of at least 1"):
        preimage(kpca, [[0.0, 0.0]], "distance", n_neighbors=0)


def test_inputs_are_not_changed(X, Xt):
    kpca = KernelPCA(Gaussian(), 2).fit(X)
    start, Z = Xt.copy(), kpca.transform(Xt)
    for array in (start, Z, kpca.X_, kpca.alphas_):
        array.setflags(write=False)
    for method in METHODS:
        close(preimage(kpca, Z, method, start=start), preimage(kpca, Z, method, start=start), IDENTITY)
