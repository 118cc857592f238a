"""Principal curves and autoencoders: both are PCA when they may not bend, and follow a half circle when they may."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from tolerances import EXACT, ITERATIVE, close

from kmlab.curves import Autoencoder, PrincipalCurve, _smooth, project_on_polygon
from kmlab.datasets import half_circle, square
from kmlab.pca import PCA

pytestmark = pytest.mark.filterwarnings("error", "ignore::kmlab._bases.NotConverged")

ARC, NEW = (half_circle(120, 0.1, seed)[0] for seed in (0, 1))


def off_the_arc(A):
    return np.abs(np.linalg.norm(A, axis=1) - 1).mean()


# definition


def test_projection_on_a_polygon_is_the_nearest_of_many_points_on_it():
    knots = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 2.0]])  # one knot twice
    arc, place = project_on_polygon(NEW, knots)
    t = np.linspace(0, 3, 3001)
    dense = np.column_stack([np.interp(t, [0, 1, 3], [0, 1, 1]), np.interp(t, [0, 1, 3], [0, 0, 2])])
    nearest = ((NEW[:, None] - dense) ** 2).sum(2).argmin(1)
    close(place, dense[nearest], 1e-3)
    close(arc, t[nearest], 1e-3)
    close(project_on_polygon(np.array([[-1.0, -1.0], [1.5, 1.0]]), knots)[1], [[0, 0], [1, 1]], EXACT)


def test_points_that_share_one_place_on_the_curve_are_averaged():
    arc, X = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0]), np.arange(16.0).reshape(8, 2)
    close(_smooth(arc, X, 0.3)[0], X[:4].mean(0))


def test_gradient_of_the_network_is_its_derivative():  # N-ae-grad
    for linear in False, True:
        net = Autoencoder(2, 3, linear=linear, max_steps=1).fit(ARC)
        w = np.random.default_rng(1).standard_normal(net.weights_.size)
        slope = approx_fprime(w, lambda w, net=net: net.error_and_gradient(w, ARC)[0], 1e-7)
        close(net.error_and_gradient(w, ARC)[1], slope, 1e-5)


def test_error_of_the_network_is_that_of_what_comes_out():
    net = Autoencoder(restarts=1, max_steps=20).fit(ARC)
    close(net.error_, ((net.reconstruct(ARC) - ARC) ** 2).sum(1).mean())


# theorem


def rest_of_pca(X):
    return X.var(0).sum() - PCA(1).fit(X).explained_variance_[0]


def test_a_curve_smoothed_by_one_straight_line_is_the_first_axis():  # N-pcurve
    curve, pca = PrincipalCurve(1e6, 500).fit(ARC), PCA(1).fit(ARC)
    close(curve.distance2_, rest_of_pca(ARC), ITERATIVE)
    inside = np.abs(pca.transform(ARC)[:, 0]) < 0.9 * np.abs(pca.transform(ARC)).max()
    close(curve.reconstruct(ARC)[inside], pca.inverse_transform(pca.transform(ARC))[inside], 1e-3)


def test_an_autoencoder_without_tanh_reaches_the_residual_of_pca():  # N-ae
    X = np.random.default_rng(0).standard_normal((40, 4)) * [3, 2, 1, 0.5]
    close(Autoencoder(1, 3, linear=True, restarts=2, max_steps=2000).fit(X).error_, rest_of_pca(X), 1e-5)
    deeper = Autoencoder(2, 3, linear=True, restarts=2, max_steps=2000).fit(X).error_
    close(deeper, PCA().fit(X).explained_variance_[2:].sum(), 1e-5)


def test_units_do_not_matter_to_an_autoencoder():
    near, far = (Autoencoder(restarts=1, max_steps=30).fit(X) for X in (ARC, 1000 * ARC + 5000))
    close(far.error_ / near.error_, 1e6, 1e-3)
    close((far.reconstruct(1000 * NEW + 5000) - 5000) / 1000, near.reconstruct(NEW), 1e-3)


# every step


def test_rounds_start_at_the_first_axis_and_end_when_the_distance_has_settled():
    arc = half_circle(200, 0.1)[0]
    rounds = list(PrincipalCurve().steps(arc))
    close(rounds[0].distance2, rest_of_pca(arc))
    assert max(step.distance2 for step in rounds) == rounds[0].distance2  # A35a: never further than PC1
    before, last = rounds[-2].distance2, rounds[-1].distance2
    assert abs(before - last) <= 1e-4 * last and 3 < len(rounds) < 51
    for step in rounds:
        place, nearest = project_on_polygon(arc, step.knots)
        close(step.distance2, ((arc - nearest) ** 2).sum(1).mean())
        close(step.arc, place)


def test_knots_are_in_order_of_their_arc_length():
    curve = PrincipalCurve().fit(ARC)
    assert (np.diff(curve.arc_) >= 0).all() and curve.arc_[0] == 0
    close(curve.inverse_transform(curve.arc_[:, None]), curve.knots_, EXACT)
    close(curve.inverse_transform(curve.transform(NEW)), curve.reconstruct(NEW))


def test_more_restarts_are_never_worse():
    errors = [Autoencoder(hidden=4, restarts=r, max_steps=60).fit(square(60)[0]).error_ for r in (1, 2, 4)]
    assert errors[0] >= errors[1] >= errors[2]


# the known picture


@pytest.mark.parametrize("model", [PrincipalCurve(0.3), Autoencoder(hidden=4)], ids=lambda m: type(m).__name__)
def test_new_points_of_a_half_circle_come_closer_to_it(model):
    assert off_the_arc(model.fit(ARC).reconstruct(NEW)) < 0.6 * off_the_arc(NEW)


def test_the_curve_follows_the_half_circle_from_end_to_end():
    curve = PrincipalCurve(0.3).fit(ARC)
    assert abs(curve.arc_[-1] - np.pi) < 0.2
    angle = np.unwrap(np.arctan2(*curve.knots_[:, ::-1].T))
    assert abs(np.corrcoef(angle, curve.arc_)[0, 1]) > 0.99


def test_the_same_seed_gives_the_same_network_and_another_seed_another():
    weights = [Autoencoder(restarts=1, max_steps=5, seed=seed).fit(ARC).weights_ for seed in (0, 0, 1)]
    assert np.array_equal(weights[0], weights[1]) and not np.array_equal(weights[0], weights[2])


# refusal


@pytest.mark.parametrize(
    "model, sentence",
    [
        (PrincipalCurve(0), "span must be a positive number, got 0"),
        (PrincipalCurve(max_steps=0), "max_steps must be a whole number of at least 1"),
        (Autoencoder(0), "n_components must be a whole number of at least 1"),
        (Autoencoder(hidden=0), "hidden must be a whole number of at least 1"),
        (Autoencoder(restarts=0), "restarts must be a whole number of at least 1"),
        (Autoencoder(seed=-1), "seed must be a whole number of at least 0"),
    ],
)
def test_models_refuse_parameters(model, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(ARC)


def test_bad_input_gets_one_sentence():
    with pytest.raises(ValueError, match="do not differ"):
        PrincipalCurve().fit(np.ones((5, 2)))
    with pytest.raises(ValueError, match="Z has 2 columns for 1 numbers in the bottleneck"):
        Autoencoder(restarts=1, max_steps=2).fit(ARC).inverse_transform(np.ones((3, 2)))
    with pytest.raises(ValueError, match="Z has 2 columns, but a place on a curve is one number"):
        PrincipalCurve().fit(ARC).inverse_transform(np.ones((3, 2)))


@pytest.mark.parametrize("span", [0.01, 0.4, 1.0, 1.5])
def test_the_smoother_fits_a_weighted_line_around_every_place(span):
    rng = np.random.default_rng(3)
    arc, X = np.sort(rng.random(200)), rng.standard_normal((200, 2))
    smooth = _smooth(arc, X, span)
    for here, found in zip(arc, smooth, strict=True):
        away = np.abs(arc - here)
        reach = np.sort(away)[min(max(int(np.ceil(span * 200)), 3), 200) - 1] * max(span, 1)
        weight = np.clip(1 - (away / reach) ** 3, 0, None) ** 3
        line = np.polyfit(arc, X, 1, w=np.sqrt(weight)) if (weight > 0).sum() > 1 else [np.zeros(2), X[away == 0][0]]
        np.testing.assert_allclose(found, line[0] * here + line[1], rtol=1e-9, atol=1e-9)
