"""Relevance vectors: the posterior is a Gaussian's, EM never loses evidence, and few points stay."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from tolerances import EXACT, ITERATIVE, close

from kmlab import regression
from kmlab._bases import NotConverged
from kmlab.datasets import sinc
from kmlab.kernels import Gaussian, Precomputed
from kmlab.sparse_bayes import MATTERS, RVM, STARTS

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def wave():
    X, t = sinc(40, noise=0.1)
    t = t + 2.0  # far from zero, so that a forgotten constant shows
    X.setflags(write=False), t.setflags(write=False)
    return X, t


NEW = np.linspace(-12, 12, 25)[:, None]


# definition


def prior_covariance(step, Phi):
    P = Phi[:, step.kept]
    return P @ np.diag(1 / step.a) @ P.T


@pytest.mark.parametrize("updates", ["mackay", "em"])
def test_posterior_and_evidence_are_those_of_a_gaussian(wave, updates):  # N-rvm2
    X, t = wave
    Phi = np.column_stack([np.ones(40), Gaussian(2.0)(X)])
    for step in list(RVM(Gaussian(2.0), updates, max_steps=30).steps(X, t))[::7]:
        P, C = Phi[:, step.kept], prior_covariance(step, Phi)
        noisy = C + np.eye(40) / step.beta
        close(P @ step.mu, C @ np.linalg.solve(noisy, t), 1e-8)  # weight space = function space
        close(P @ step.Sigma @ P.T, C - C @ np.linalg.solve(noisy, C), 1e-8)
        close(step.evidence, multivariate_normal(np.zeros(40), noisy).logpdf(t), 1e-8)


def highest(model, X, t):
    """The end of the climb that fit keeps."""
    return max((list(model.each_step(X, t, start))[-1] for start in STARTS), key=lambda step: step.evidence)


def test_fit_keeps_the_climb_that_ends_higher():
    better = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.uniform(-5, 5, (40, 1 + seed % 3))
        t = np.sinc(np.linalg.norm(X, axis=1) / np.pi) + 0.05 * rng.standard_normal(40)
        model = RVM(Gaussian("median")).fit(X, t)
        first, second = (list(RVM(model.kernel_).each_step(X, t, start))[-1].evidence for start in STARTS)
        assert model.evidence_[-1] >= max(first, second) - MATTERS
        better += second > first + MATTERS
    assert better  # or there would be no need for a second


def test_error_bars_are_those_of_the_gaussian_process(wave):
    X, t = wave
    model = RVM(Gaussian(2.0)).fit(X, t)
    step = highest(model, X, t)
    Phi, new = (np.column_stack([np.ones(len(Z)), Gaussian(2.0)(Z, X)]) for Z in (X, NEW))
    noisy = prior_covariance(step, Phi) + np.eye(40) / step.beta
    cross = new[:, step.kept] @ np.diag(1 / step.a) @ Phi[:, step.kept].T
    own = new[:, step.kept] @ np.diag(1 / step.a) @ new[:, step.kept].T
    f, std = model.predict(NEW, return_std=True)
    close(f, cross @ np.linalg.solve(noisy, t), 1e-8)
    close(std**2, (own - cross @ np.linalg.solve(noisy, cross.T)).diagonal() + 1 / step.beta, 1e-8)
    close(model.predict(NEW), f, EXACT)
    K = Gaussian(2.0)(X)
    close(RVM(Precomputed()).fit(K, t).predict(Gaussian(2.0)(NEW, X), return_std=True), (f, std), 1e-8)


# every step


def test_em_never_loses_evidence(wave):  # N-rvm
    model = RVM(Gaussian(2.0), "em", max_steps=300)
    with pytest.warns(NotConverged, match="stopped after 300 steps, before its end: raise max_steps"):
        model.fit(*wave)
    assert (np.diff(model.evidence_) > -1e-9).all() and len(model.evidence_) == 300 and not model.converged_


def test_mackay_arrives_where_em_is_going(wave):
    X, t = wave
    fast, slow = RVM(Gaussian(1.0)).fit(X, t), list(RVM(Gaussian(1.0), "em", max_steps=1500).steps(X, t))
    assert fast.n_iter_ < len(slow) / 2
    assert abs(fast.evidence_[-1] - slow[-1].evidence) < 0.5
    Phi = np.column_stack([np.ones(40), Gaussian(1.0)(X)])
    f = Phi[:, slow[-1].kept] @ slow[-1].mu
    close(fast.predict(X), f, 0.05)


def test_the_end_is_a_summit_of_the_evidence(wave):
    X, t = wave
    step = list(RVM(Gaussian(3.0), tol=1e-12, max_steps=5000).steps(X, t))[-1]
    Phi = np.column_stack([np.ones(40), Gaussian(3.0)(X)])

    def evidence(a, beta):
        C = prior_covariance(step._replace(a=a), Phi) + np.eye(40) / beta
        return multivariate_normal(np.zeros(40), C).logpdf(t)

    for i in range(len(step.a)):
        up, down = (evidence(step.a * np.where(np.arange(len(step.a)) == i, s, 1), step.beta) for s in (1.01, 0.99))
        assert abs(up - down) < 1e-4
    assert abs(evidence(step.a, 1.01 * step.beta) - evidence(step.a, 0.99 * step.beta)) < 1e-4


# the known picture


def test_few_points_are_relevant_and_the_noise_is_found():  # N-rvm3
    X, t = sinc(100, noise=0.1)
    model = RVM(Gaussian(3.0)).fit(X, t)
    assert model.converged_ and len(model.relevance_) <= 10
    assert np.abs(model.predict(X) - np.sinc(X[:, 0] / np.pi)).max() < 0.12
    assert 0.08 < 1 / np.sqrt(model.beta_) < 0.12
    assert np.array_equal(np.flatnonzero(model.coef_), model.relevance_)
    f, std = model.predict(X, return_std=True)
    assert 0.9 < np.mean(np.abs(t - f) < 2 * std) <= 1


def test_the_unit_of_the_target_does_not_matter(wave):
    X, t = wave
    one = RVM(Gaussian(2.0)).fit(X, t)
    for unit in 1e-5, 1e6:
        other = RVM(Gaussian(2.0)).fit(X, unit * t)
        assert np.array_equal(other.relevance_, one.relevance_)
        close(other.predict(NEW) / unit, one.predict(NEW), ITERATIVE)
    stretched = RVM(5.0 * Gaussian(2.0)).fit(X, t)
    close(stretched.predict(NEW), one.predict(NEW), 1e-3)


def test_a_target_without_noise_and_one_without_signal_end(wave):
    X, t = wave
    for target in np.zeros(40), np.full(40, 3.0), Gaussian(2.0)(X)[:, 7]:
        f, std = RVM(Gaussian(2.0)).fit(X, target).predict(X, return_std=True)
        close(f, target, 1e-3)
        assert np.isfinite(std).all() and (std > 0).all()
    twice = RVM(Gaussian(2.0)).fit(np.vstack([X, X]), np.r_[t, t])
    assert twice.converged_ and len(np.unique(twice.relevance_ % 40)) <= 12


# refusal


@pytest.mark.parametrize(
    "model, match",
    [
        (RVM(updates="newton"), "updates must be one of 'mackay', 'em', got 'newton'"),
        (RVM(max_steps=0), "max_steps must be a whole number"),
        (RVM(tol=0), "tol must be a positive"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_one_sentence(wave, model, match):
    with pytest.raises(ValueError, match=match):
        model.fit(*wave)


def test_a_budget_that_runs_out_is_told_where_fit_was_called_and_the_model_still_answers(wave):
    for most in 1, 3:
        model = RVM(Gaussian(2.0), max_steps=most)
        with pytest.warns(NotConverged, match=f"RVM stopped after {most} steps") as told:
            model.fit(*wave)
        assert {warning.filename for warning in told} == {__file__}
        assert not model.converged_ and np.isfinite(model.predict(NEW)).all()


def test_it_is_found_among_the_regressions():
    assert regression.RVM is RVM
