"""The quadratic program behind every margin method: optimal, feasible and never worse from step to step."""

import numpy as np
import pytest
from scipy.optimize import minimize
from tolerances import EXACT, IDENTITY, ITERATIVE, close

from kmlab.course.drawings import dual as plots
from kmlab.datasets import two_moons
from kmlab.dual import BlockStep, Dual, PairStep, smo, working_sets
from kmlab.engine import active_set
from kmlab.engine.active_set import newton_step
from kmlab.gram import Gram
from kmlab.kernels import Gaussian, Linear, Polynomial, Precomputed, Tanh
from kmlab.show.widgets import figure_of


def problem(kind="svc", n=40, C=2.0, seed=0, kernel=None):
    """K, q, lo, hi, start, eps of one problem of each kind."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    y = np.where(X[:, 0] + 0.7 * rng.standard_normal(n) > 0, 1.0, -1.0)
    K, one = (kernel or Gaussian(1.2))(X), np.ones(n)
    t = np.sin(2 * X[:, 0]) + 0.2 * rng.standard_normal(n)
    return {
        "svc": (K, -y, np.minimum(0, C * y), np.maximum(0, C * y), None, 0.0),
        "squared": (K + np.eye(n) / (2 * C), -y, np.where(y > 0, 0, -np.inf), np.where(y > 0, np.inf, 0), None, 0.0),
        "one_class": (K, 0 * one, 0 * one, one, np.clip(0.3 * n - np.arange(n), 0, 1), 0.0),
        "sphere": (K, -K.diagonal() / 2, 0 * one, 0.1 * one, np.r_[0.1 * np.ones(10), np.zeros(n - 10)], 0.0),
        "svr": (K, -t, -C * one, C * one, None, 0.15),
    }[kind]


KINDS = "svc", "squared", "one_class", "sphere", "svr"


def value(args, b):
    K, q, *_, eps = args
    return 0.5 * b @ K @ b + q @ b + eps * np.abs(b).sum()


def solved(args, tol=1e-9, **options):
    p = Dual(*args)
    for _ in smo(p, tol, trace=False, **options):
        pass
    return p


def reference(args):
    """SLSQP on the same problem; with ε the two multipliers of a point are two variables."""
    K, q, lo, hi, start, eps = args
    n = len(q)
    fixed = 0.0 if start is None else start.sum()
    J = np.hstack([np.eye(n), -np.eye(n)]) if eps else np.eye(n)
    lows, highs = (np.zeros(2 * n), np.r_[hi, -lo]) if eps else (lo, hi)
    bounds = [(a if np.isfinite(a) else None, z if np.isfinite(z) else None) for a, z in zip(lows, highs, strict=True)]
    first = np.zeros(J.shape[1]) if start is None else start
    found = minimize(
        lambda v: 0.5 * (J @ v) @ K @ (J @ v) + q @ J @ v + eps * v.sum() * (eps > 0),
        first,
        jac=lambda v: J.T @ (K @ (J @ v) + q) + eps,
        bounds=bounds,
        method="SLSQP",
        constraints={"type": "eq", "fun": lambda v: (J @ v).sum() - fixed, "jac": lambda v: J.sum(0)},
        options={"maxiter": 500, "ftol": 1e-14},
    )
    return J @ found.x


# definition


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_is_that_of_a_general_solver(kind):
    args = problem(kind)
    p, b = solved(args), reference(args)
    assert p.converged and value(args, p.b) <= value(args, b) + 1e-7
    close(args[0] @ p.b, args[0] @ b, 1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_objective_and_slopes_are_what_they_say(kind):
    args = problem(kind)
    K, q, lo, hi, _, eps = args
    p = solved(args, tol=1e-4)
    close(p.F, K @ p.b + q, IDENTITY)
    close(p.objective, value(args, p.b), IDENTITY)
    h = 1e-6
    for i in range(0, len(q), 5):
        e = np.eye(len(q))[i]
        if p.b[i] < hi[i]:
            close(p.up[i], (value(args, p.b + h * e) - value(args, p.b)) / h, 1e-4)
        if p.b[i] > lo[i]:
            close(p.low[i], (value(args, p.b) - value(args, p.b - h * e)) / h, 1e-4)


@pytest.mark.parametrize("kind", ["svc", "svr"])
def test_after_a_newton_step_what_is_still_free_is_at_rest(kind):
    K, q, lo, hi, _, eps = problem(kind, n=30)
    b = np.where(q < 0, 1.0, -1.0)
    b[b > 0] *= (b < 0).sum() / (b > 0).sum()
    b *= 0.5 / np.abs(b).max()
    p = Dual(K, q, lo, hi, b, eps)
    old = p.objective
    assert len(newton_step(p)) == 30 and 2 <= len(p.free) < 30  # some met a bound on the way
    slopes = p.F[p.free] + eps * np.sign(p.b[p.free])
    close(slopes, np.full(len(slopes), slopes.mean()), ITERATIVE)
    assert p.objective < old and (p.b >= lo).all() and (p.b <= hi).all() and abs(p.b.sum()) < EXACT
    assert not eps or (p.b * b >= 0).all()


@pytest.mark.parametrize("kernel", [Gaussian(1.2), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("newton", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_fit_takes_the_very_steps_that_a_trace_shows(kind, newton, kernel):
    for most in 7, 300:  # a budget ends both alike
        shown, fitted = Dual(*(args := problem(kind, kernel=kernel))), Dual(*args)
        for p, trace in ((shown, True), (fitted, False)):
            for _ in smo(p, 1e-4, most, newton, trace):
                pass
        assert shown.n_steps == fitted.n_steps <= most and shown.converged == fitted.converged
        for name in "b", "F", "up", "low":
            np.testing.assert_array_equal(getattr(shown, name), getattr(fitted, name))
        close(shown.objective, fitted.objective, IDENTITY)
    assert fitted.n_steps > 7


def test_the_first_exercise_by_hand():
    # two points, one step: b = (1, -1) from the unclipped optimum, 0.4 where the box is smaller     (E10.1)
    for C, expected in (10.0, 1.0), (0.4, 0.4):
        K = np.array([[2.0, 1.0], [1.0, 2.0]])
        p = Dual(K, np.array([-1.0, 1.0]), np.array([0.0, -C]), np.array([C, 0.0]))
        (step,) = smo(p)
        close(p.b, [expected, -expected], EXACT)
        close([step.E1, step.E2, step.curvature, step.unclipped], [-1.0, 1.0, 2.0, -1.0], EXACT)


@pytest.mark.parametrize("kernel", [Gaussian(1.2), Polynomial(2)], ids=repr)  # images of one length, and of many
@pytest.mark.parametrize("kind", KINDS)
def test_every_step_is_that_of_the_slide_in_bare_numpy(kind, kernel):
    args = problem(kind, n=30, kernel=kernel)
    K, q, lo, hi, start, eps = args
    b = np.zeros(30) if start is None else start
    p = Dual(*args)
    for step in smo(p, 1e-3, max_steps=200, newton=False):
        F, i, j = K @ b + q, step.i, step.j
        up = np.where(b < hi, F + np.where(b >= 0, eps, -eps), np.inf)
        low = np.where(b > lo, F + np.where(b > 0, eps, -eps), -np.inf)
        distance2 = np.maximum(K.diagonal() + K[i, i] - 2 * K[i], 1e-12)
        gain = np.maximum(low - up[i], 0) ** 2 / distance2
        close([step.gap, step.E1, step.E2], [low.max() - up.min(), up.min(), low[j]], IDENTITY)
        close(gain[j] / gain.max(), 1, 1e-6)  # of equal gains any will do
        top = 0.0 if eps and b[i] < 0 else hi[i]  # |b| has a kink at zero
        bottom = 0.0 if eps and b[j] > 0 else lo[j]
        length = min((low[j] - up[i]) / distance2[j], top - b[i], b[j] - bottom)
        e = np.eye(30)
        close(step.b, b + length * (e[i] - e[j]), IDENTITY)
        b = step.b
    assert p.n_steps > 5


@pytest.mark.parametrize("eps", [0.0, 0.15])
def test_a_pair_of_ones_own_choice_is_moved_as_well(eps):
    args = problem("svr" if eps else "svc")
    p = Dual(*args)
    for i, j in (3, 7), (7, 3), (12, 3), (5, 20):
        if (step := p.clipped(i, j)) > 0:
            before = value(args, p.b)
            p.move(i, j, step)
            assert value(args, p.b) < before
            close(p.F, args[0] @ p.b + args[1], IDENTITY)
            close([p.objective, p.gap], [value(args, p.b), p.low.max() - p.up.min()], IDENTITY)
    assert p.n_steps >= 2 and p.steepest() == p.up.argmin()


# theorem


@pytest.mark.parametrize("seed", range(12))
def test_at_the_unclipped_value_the_derivative_along_the_pair_is_zero(seed):
    args = problem("svc", seed=seed)
    K, q = args[0], args[1]
    before = np.zeros(len(q))
    for step in smo(Dual(*args), 1e-6, newton=False):
        b = before.copy()
        b[step.i] += b[step.j] - step.unclipped
        b[step.j] = step.unclipped
        g = K @ b + q
        close(g[step.i] - g[step.j], 0, IDENTITY)
        before = step.b


@pytest.mark.parametrize("kind", KINDS)
def test_newton_steps_and_working_sets_reach_the_optimum_of_plain_smo(kind):
    args = problem(kind)
    best = solved(args, newton=False).objective
    close(solved(args).objective, best, 1e-8)
    for size in 4, 10:
        p = Dual(*args)
        for _ in working_sets(p, size, 1e-7):
            pass
        assert p.converged
        close(p.objective, best, 1e-8)


@pytest.mark.parametrize("C", [1.0, 10.0, 100.0])
def test_rounding_does_not_choose_the_pairs(C):
    # after a step both slopes are the same: whoever is next must not depend on the last digit of a processor
    X, y = two_moons(40, noise=0.2)
    K, paths = Gaussian(1.0)(X), set()
    for seed in range(4):
        noise = np.random.default_rng(seed).standard_normal(K.shape)
        p = Dual(K * (1 + 1e-16 * (noise + noise.T)), -y, np.minimum(0, C * y), np.maximum(0, C * y))
        paths.add(tuple((step.i, step.j) for step in smo(p, newton=False)))
    assert len(paths) == 1


@pytest.mark.parametrize("size", [4, 10])
def test_nor_does_it_choose_the_working_sets(size):
    X, y = two_moons(100, noise=0.2)
    counts = set()
    for nudge in 0, 1e-15, -1e-15, 1e-14:
        p = Dual(Gaussian(1 + nudge)(X), -y, np.minimum(0, 100 * y), np.maximum(0, 100 * y))
        counts.add(len(list(working_sets(p, size))))
    assert len(counts) == 1


def test_newton_steps_save_pairs():
    args = problem("svc", n=120, C=100.0)
    assert solved(args, 1e-6).n_steps < 0.5 * solved(args, 1e-6, newton=False).n_steps


def test_without_bounds_in_the_way_one_newton_step_solves_the_free_system():
    K, q, *_ = problem("squared")
    n = len(q)
    b = np.where(q < 0, 1.0, -1.0) * 1e3
    b -= b.mean()
    p = Dual(K, q, np.full(n, -np.inf), np.full(n, np.inf), b)
    newton_step(p)
    close(p.F - p.F.mean(), np.zeros(n), 1e-6)
    close(p.b.sum(), 0, 1e-8)


def test_where_all_is_at_rest_no_newton_step_is_taken():
    assert len(newton_step(Dual(np.eye(3), np.zeros(3), -np.ones(3), np.ones(3)))) == 0


def test_a_newton_step_that_is_too_long_is_cut_to_the_best_length(monkeypatch):
    K, q, *_ = problem("squared")
    n, exact = len(q), active_set.inverse
    lo, hi, start = np.full(n, -np.inf), np.full(n, np.inf), np.r_[1.0, -1.0, np.zeros(n - 2)]
    p, rough = Dual(K, q, lo, hi, start), Dual(K, q, lo, hi, start)
    newton_step(p)
    monkeypatch.setattr(active_set, "inverse", lambda M: 3 * exact(M))  # as rounding might have it
    newton_step(rough)
    close(rough.b, p.b, 1e-7)


def test_a_newton_step_keeps_the_sum_where_rounding_would_lose_it():
    X = 30 * np.random.default_rng(0).standard_normal((40, 2))  # 40 free variables, a kernel of rank 2
    K, b = Linear()(X), np.full(40, 0.5)
    p = Dual(K, -K.diagonal() / 2, 0 * b, 2 * b, b)
    assert len(newton_step(p)) == 40
    close(p.b.sum(), b.sum(), EXACT)
    assert (p.b >= 0).all() and (p.b <= 1).all()


@pytest.mark.parametrize("start, top", [(0.2, 0.93), (0.05, 0.23)])
def test_a_bound_that_is_reached_is_reached_exactly(start, top):
    assert start + (top - start) != top  # by a rounding error
    up = Dual(np.eye(2), [-10.0, 10.0], [0.0, -9.0], [top, 9.0], [start, -start])
    down = Dual(np.eye(2), [-10.0, 10.0], [-9.0, -top], [9.0, 9.0], [start, -start])
    next(smo(up, newton=False)), next(smo(down, newton=False))
    assert up.b[0] == top and down.b[1] == -top


def test_a_free_variable_at_zero_has_a_slope_too():
    assert Dual(np.eye(2), [0.3, 0.5], [-1.0, -1.0], [1.0, 1.0]).offset == -0.4


@pytest.mark.parametrize("kind", KINDS)
def test_where_it_is_solved_every_free_variable_has_the_slope_of_the_offset(kind):
    K, q, lo, hi, _, eps = args = problem(kind)
    p = solved(args)
    free = (p.b > lo) & (p.b < hi) & ((p.b != 0) | (not eps))
    assert 1 < free.sum() < len(q)
    close((K @ p.b + q + eps * np.sign(p.b))[free], np.full(free.sum(), -p.offset), 1e-8)


def test_the_offset_is_the_middle_of_its_interval_when_nothing_is_free():
    # both at C = 0.1: f(±1) = ±0.2 + b, so -0.8 ≤ b ≤ 0.8
    K, q = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([-1.0, 1.0])
    p = solved((K, q, np.array([0, -0.1]), np.array([0.1, 0]), None, 0))
    assert len(p.free) == 0
    close([p.offset, p.up.min(), p.low.max()], [0.0, 0.8, -0.8], EXACT)
    p = solved((K, q + 0.5, np.array([0, -0.1]), np.array([0.1, 0]), None, 0))  # the same, half a unit lower
    close([p.offset, p.up.min(), p.low.max()], [-0.5, 1.3, -0.3], EXACT)


# every step


@pytest.mark.parametrize("newton", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_every_step_is_feasible_and_never_worse(kind, newton):
    args = problem(kind, n=60)
    K, q, lo, hi, start, eps = args
    old, total = value(args, np.zeros(60) if start is None else start), 0.0 if start is None else start.sum()
    kinds = set()
    for step in smo(Dual(*args), 1e-6, newton=newton):
        kinds.add(type(step))
        assert (step.b >= lo).all() and (step.b <= hi).all() and abs(step.b.sum() - total) < 1e-10
        new = value(args, step.b)
        assert new <= old + 1e-12 * max(1, abs(old))
        close(step.objective, new, IDENTITY)
        if isinstance(step, PairStep):
            assert step.lo - EXACT <= step.clipped <= step.hi and step.E1 <= step.E2 and step.gap >= step.E2 - step.E1
            close(step.clipped, np.clip(step.unclipped, step.lo, step.hi), 1e-9)
        old = new
    assert kinds == ({PairStep, BlockStep} if newton else {PairStep})


@pytest.mark.parametrize("size", [4, 10, 60])
def test_every_working_set_is_solved_exactly_and_the_rest_stays(size):
    args = problem("svc", n=60)
    K, q, lo, hi = args[:4]
    before, old = np.zeros(60), 0.0
    for step in working_sets(Dual(*args), size, 1e-6):
        rest = np.setdiff1d(np.arange(60), step.block)
        assert len(step.block) <= size and np.array_equal(step.b[rest], before[rest])
        close(step.b[step.block].sum(), -step.b[rest].sum(), EXACT)  # the right-hand side of (6)
        F = (K @ step.b + q)[step.block]
        b, a, z = step.b[step.block], lo[step.block], hi[step.block]
        assert F[b > a].max(initial=-np.inf) - F[b < z].min(initial=np.inf) < 1e-6
        assert step.objective <= old + EXACT
        before, old = step.b, step.objective


def test_a_gram_matrix_given_by_hand_is_never_changed():
    K = problem()[0]
    K.setflags(write=False)
    Gram(Precomputed(), K, 0.5)[0]
    solved((K, *problem()[1:]))


# where it breaks


def test_duplicates_and_equal_kernels_end():
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0, 1.0])
    for K in np.ones((6, 6)), np.zeros((6, 6)), np.kron(np.eye(3), np.ones((2, 2))):
        p = solved((K, -y, np.minimum(0, 3 * y), np.maximum(0, 3 * y), None, 0.0))
        assert p.converged and abs(p.b.sum()) < 1e-12
    close(p.objective, reference_value(K, y, 3.0), 1e-7)


@pytest.mark.parametrize(
    "k12, said, end",
    [
        (1.0, "the curvature −η is 0; the step ends at α₂ = 1.", 1.0),
        (0.99, "(9) asks for α₂ = 70, the step ends at α₂ = 1.", 1.0),
        (0.0, "(9) asks for α₂ = 0.7, the step ends at α₂ = 0.7.", 0.7),
    ],
)
def test_where_two_images_meet_the_step_ends_at_the_better_end_of_the_segment(k12, said, end):
    assert said in figure_of(plots.flat, k12=k12).caption  # E-M7
    K, y = np.array([[1, k12], [k12, 1]]), np.array([1.0, -1.0])
    p = Dual(K, plots.REST - y, np.minimum(0, y), np.maximum(0, y))
    next(smo(p, 1e-9, newton=False))
    close(np.abs(p.b), [end, end], 1e-9)


def reference_value(K, y, C):
    args = (K, -y, np.minimum(0, C * y), np.maximum(0, C * y), None, 0.0)
    return value(args, reference(args))


def test_a_kernel_that_is_not_positive_still_ends_and_never_gets_worse():
    args = problem("svc", kernel=Tanh(2.0, -1.0))
    old = 0.0
    for step in smo(Dual(*args), 1e-3, max_steps=5000):
        assert step.objective <= old + 1e-9
        close(value(args, step.b), step.objective, 1e-9)
        old = step.objective


def test_the_step_budget_ends_it():
    p = solved(problem("svc"), max_steps=3)
    assert p.n_steps == 3 and not p.converged
    p = Dual(*problem("svc"))
    assert len(list(working_sets(p, 4, 1e-9, max_steps=2))) == 2 and not p.converged


def test_the_scale_of_the_tolerance_is_kept():
    for tol in 1e-1, 1e-3, ITERATIVE:
        assert solved(problem("svr"), tol).gap < tol
