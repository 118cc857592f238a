"""Every erratum is measured: the printed form fails in the documented way, the corrected one holds."""

from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize

from kmlab.datasets import sinc, two_moons
from kmlab.dual import smo
from kmlab.errata import all_errata, erratum
from kmlab.errata.dual import pairs_by_rule, segment, solve_pair, svc_dual
from kmlab.errata.pca import clusters_on_a_circle, strip
from kmlab.errata.spheres_and_tubes import multipliers, sphere, squared_distances, tube
from kmlab.errata.svm import doubled, toy, two_clouds
from kmlab.kernels import Gaussian
from kmlab.one_class import SVDD
from kmlab.svm import SVC, SVR

# id: (as printed, what holds), as text with three digits
NUMBERS = {
    "E-K1": ("6 × 6", "14 × 14"),
    "E-K2": ("0.264", "< 1e-9"),
    "E-K3": ("1", "< 1e-9"),
    "E-K4": ("−2.8", "−0.561"),
    "E-K5": ("1.73", "< 1e-9"),
    "E-K6": ("6.93", "< 1e-9"),
    "E-K7": ("1000", "2"),
    "E-K8": ("17.9", "30.5"),
    "E-K9": ("no such algorithm", "0 of 3640, < 1e-9"),
    "E-K10": ("0.221", "< 1e-9"),
    "E-K11": ("yes", "no"),
    "E-K12": ("0.908", "< 1e-9"),
    "E-K15": ("6", "5"),
    "E-K17": ("needs NPT", "< 1e-9"),
    "E-K18": ("no kernel version", "< 1e-9"),
    "E-K19": ("", ""),
    "E-K20": ("", ""),
    "E-S1": ("2", "4"),
    "E-S2": ("0.5", "−2.5"),
    "E-S3": ("0.141", "0.229"),
    "E-S4": ("< 1e-9", "0.146"),
    "E-S5": ("< 1e-9", "0.21"),
    "E-S6": ("1", "3"),
    "E-S7": ("5", "0"),
    "E-S8": ("0.0151", "0.945"),
    "E-S9": ("100", "1"),
    "E-S11": ("0.446", "0.0254"),
    "E-S13": ("2", "4"),
    "E-S15": ("0.618", "0.229"),
    "E-S16": ("30", "27"),
    "E-S19": ("0.222", "< 1e-9"),
    "E-S20": ("0", "0.489"),
    "E-S21": ("0.0262", "0.417"),
    "E-B1": ("8.09", "4.04"),
    "E-B2": ("−0.368", "0.632"),
    "E-B3": ("−81.6", "0.5"),
    "E-B4": ("1", "180"),
    "E-B5": ("0.53", "1"),
    "E-B6": ("20", "1"),
    "E-B7": ("1", "< 1e-9"),
    "E-B8": ("20", "19 (Gaussian), 5 (quadratic), 2 (linear)"),
    "E-B10": ("not defined", "0.294, 0.226, 0.145"),
    "E-B11": ("no such product", "< 1e-9"),
    "E-B12": ("0.164", "< 1e-9"),
    "E-B13": ("0.164", "< 1e-9"),
    "E-B15": ("2", "8"),
    "E-B16": ("", ""),
    "E-B17": ("", ""),
    "E-V1": ("0.000399", "1"),
    "E-V2": ("5 of 15", "15 of 15"),
    "E-V3": ("0 of 20", "20 of 20"),
    "E-V4": ("755", "9"),
    "E-V5": ("6 and 2", "6 and 6"),
    "E-V6": ("no end", "15"),
    "E-V7": ("400", "2"),
    "E-V8": ("0.0262", "0.417"),
    "E-V9": ("× 10", "× 1"),
    "E-V10": ("0.368", "6.43"),
    "E-V11": ("12", "1"),
    "E-V12": ("12", "3"),
    "E-V13": ("3.9", "1"),
    "E-V14": ("0.575", "< 1e-9"),
    "E-V15": ("2.11", "< 1e-9"),
    "E-V16": ("9", "6"),
    "E-V17": ("no statement", "< 1e-9"),
    "E-V18": ("∞", "8"),
    "E-V19": ("", ""),
    "E-V20": ("", ""),
    "E-M1": ("20", "19.6"),
    "E-M2": ("8.7", "7.6"),
    "E-M3": ("2, 20, 200", "2, 2, 2"),
    "E-M4": ("0.989", "< 1e-9"),
    "E-M5": ("8", "33"),
    "E-M6": ("no such product", "< 1e-9"),
    "E-M7": ("∞", "1"),
    "E-M8": ("2", "1"),
    "E-M11": ("no such α", "< 1e-9"),
    "E-M12": ("7.58", "2.37"),
    "E-M13": ("1.11", "0.489"),
    "E-M14": ("1.73", "0.19"),
    "E-M15": ("24", "1"),
    "E-M16": ("0.857", "< 1e-9"),
    "E-M17": ("", ""),
}


def test_all_83_slips_are_registered():
    entries = all_errata()
    assert list(entries) == list(NUMBERS) and len(entries) == 83
    count = {of: Counter(getattr(entry, of) for entry in entries.values()) for of in ("lecture", "stars", "kind")}
    assert count["lecture"] == {"000": 17, "001": 16, "002": 15, "003": 20, "004": 15}
    assert count["stars"] == {3: 10, 2: 34, 1: 39}
    assert count["kind"] == {"R": 32, "U": 29, "M": 8, "N": 14}
    assert [id for id, entry in entries.items() if not entry.measure] == [
        "E-K19", "E-K20", "E-B16", "E-B17", "E-V19", "E-V20", "E-M17"]


@pytest.mark.parametrize("id", [id for id, (_, holds) in NUMBERS.items() if holds == "< 1e-9"])
def test_where_the_corrected_form_is_exact_the_printed_one_is_far_off_or_does_not_exist(id):
    printed, corrected = erratum(id).measure()
    assert abs(corrected) < 1e-9 and (isinstance(printed, str) or abs(printed) > 0.01)


@pytest.mark.parametrize("id", all_errata())
def test_erratum_tells_printed_from_corrected(id):
    entry = erratum(id)
    assert tuple(entry.values()) == NUMBERS[id]
    if entry.measure:
        assert entry.values()[0] != entry.values()[1]


@pytest.mark.parametrize("id", all_errata())
def test_erratum_is_shown_with_its_page_and_both_statements(id):
    entry = erratum(id)
    for text in (repr(entry), entry._repr_markdown_()):
        for part in (id, "★" * entry.stars, entry.lecture, entry.pages, entry.printed, entry.corrected):
            assert part in text
    rows = [line for line in entry._repr_markdown_().splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1, "a pipe inside a statement breaks the table"


def test_the_mean_image_of_e_v14_is_what_a_double_loop_finds():
    X = np.random.default_rng(0).standard_normal((30, 2)) + 1.0
    mean = np.mean([[np.exp(-np.sum((a - b) ** 2) / 4) for b in X] for a in X])
    assert erratum("E-V14").measure()[0] == pytest.approx(mean)


def test_the_lines_of_e_b15_separate_and_a_cluster_in_the_middle_has_none():
    X, y = clusters_on_a_circle(8)
    for label in range(8):
        width, w, middle = strip(X, y == label)
        assert width > 0 and ((X @ w > middle) == (y == label)).all()
    X, y = clusters_on_a_circle(8, first_radius=0.0)
    assert strip(X, y == 0)[0] < 0


@pytest.mark.parametrize("id, weight, slack, C", [("E-M1", 1.0, 1, 2.0), ("E-M2", 0.5, 2, 0.7)])
def test_a_general_optimizer_finds_no_better_plane_than_the_corrected_dual(id, weight, slack, C):
    X, y = two_clouds()

    def primal(v):  # v = (w, b, ξ)
        return weight * v[:2] @ v[:2] + C * (v[3:] ** slack).sum()

    def room(v):
        return y * (X @ v[:2] + v[2]) - 1 + v[3:]

    best = minimize(primal, np.r_[1.0, 0, 0, np.full(40, 5.0)], bounds=[(None, None)] * 3 + [(0, None)] * 40,
                    constraints={"type": "ineq", "fun": room}, method="SLSQP", options={"maxiter": 500, "ftol": 1e-12})
    assert best.success and erratum(id).measure()[1] == pytest.approx(best.fun, rel=1e-6)


def test_the_twins_of_e_m4_stay_in_the_box_and_are_both_optimal():
    X, y = toy(30)
    pair, single = doubled(X, y, Gaussian(1.0), 1.0, tilt=1.0)
    both = SVC(Gaussian(1.0), 1.0, tol=1e-9).fit(np.vstack([X, X]), np.r_[y, y])
    assert (pair >= 0).all() and (pair <= 1).all() and y @ pair.sum(0) == pytest.approx(0, abs=1e-9)
    values = [alpha.sum() - 0.5 * w**2 for alpha, w in ((pair, single.w_norm_), (both.alpha_, both.w_norm_))]
    assert values[0] == pytest.approx(values[1], rel=1e-9)


def test_with_equally_long_images_the_printed_half_of_e_m8_changes_the_value_only():
    K = Gaussian(1.0)(toy(30)[0])
    printed, right = sphere(K, 0.1, half=True), sphere(K, 0.1)
    assert printed == pytest.approx(right, abs=1e-6)
    values = 1 - 0.5 * printed @ K @ printed, 1 - right @ K @ right
    assert values[1] == pytest.approx(SVDD(Gaussian(1.0), 0.1, tol=1e-9).fit(toy(30)[0]).value_, abs=1e-6)
    assert values[0] > values[1] + 0.1
    distance2 = squared_distances(K, right)
    on_the_sphere = distance2[(right > 1e-9) & (right < 0.1 - 1e-9)]
    assert np.ptp(on_the_sphere) < 1e-6
    outside = np.maximum(distance2 - on_the_sphere.mean(), 0)
    assert on_the_sphere.mean() + 0.1 * outside.sum() == pytest.approx(values[1], abs=1e-6)


def test_the_multipliers_of_e_m14_belong_to_the_side_of_the_tube_where_the_point_is():
    X, t = sinc(60)
    model = SVR(Gaussian(2.0), 10.0, 0.1, tol=1e-6).fit(X, t)
    below, above = multipliers(model)
    f = model.predict(X)
    assert (t[below > 0] <= f[below > 0] - 0.1 + 1e-5).all() and (t[above > 0] >= f[above > 0] + 0.1 - 1e-5).all()
    assert (below * above == 0).all() and below.sum() == pytest.approx(above.sum())
    assert tube(X, t, Gaussian(2.0)) == pytest.approx(f, abs=1e-9)


def test_an_unknown_id_names_the_known_ones():
    with pytest.raises(ValueError, match="no erratum 'E-X1'; there are E-K"):
        erratum("E-X1")


@pytest.mark.parametrize("rule", ["random", "cyclic"])
def test_pairs_by_any_rule_reach_the_optimum_and_need_far_more_steps(rule):
    X, y = two_moons(20, noise=0.2)
    p, best = svc_dual(Gaussian(1.0), X, y, 10.0), svc_dual(Gaussian(1.0), X, y, 10.0)
    walked = list(pairs_by_rule(p, rule))
    for _ in smo(best, newton=False, trace=False):
        pass
    assert p.converged and p.objective == pytest.approx(best.objective, rel=1e-4)
    assert p.n_steps == len(walked) > 10 * best.n_steps
    assert abs(p.b.sum()) < 1e-9 and (p.b >= p.lo).all() and (p.b <= p.hi).all()


def test_a_pair_that_is_at_rest_does_not_move():
    X, y = two_moons(10, noise=0.2)
    p = svc_dual(Gaussian(1.0), X, y, 1.0)
    pair = np.array([0, 9])
    assert y[0] != y[9] and solve_pair(p, pair)
    once = p.b.copy()
    assert not solve_pair(p, pair) and np.array_equal(p.b, once)


def test_the_segment_of_the_slide_is_the_solvers():
    X, y = two_moons(40, noise=0.2)
    alpha, kinds = np.zeros(40), set()
    for step in SVC(Gaussian(1.0), C=2.0).steps(X, y, newton=False):
        same = bool(y[step.i] == y[step.j])
        kinds.add(same)
        assert segment(alpha[step.i], alpha[step.j], same, 2.0) == pytest.approx((step.lo, step.hi), abs=1e-12)
        alpha = step.b
    assert kinds == {True, False}
