"""Pictures of notebook 03, the kernel perceptron."""

from functools import lru_cache

import numpy as np

from ... import datasets
from ...datasets import PAIR, PAIR_Y, mixed, mixed_rings, two_sides
from ...kernels import Gaussian, Linear, Tanh
from ...perceptron import KernelPerceptron, Perceptron, novikoff_bound
from ...show.style import COLORS, DIVERGING, GRID, INK, MINUS, MUTED, PLUS
from ...show.toolbox import (
    alone,
    color_scale,
    decision_map,
    framed,
    grid_around,
    heat,
    minus,
    named_kernel,
    plane_line,
    remembered,
    scatter_classes,
    score_map,
)
from ...show.widgets import figure_of, log_slider, panels
from ...svm import SVC, margin_distribution
from ..errata.perceptron import Taught, climb, dual_value, literal_updates

KERNELS = ["Gaussian", "polynomial", "linear"]
ROOM = 0.15  # around the points


@panels(1, 2)
def line_fails(axes, X, y, passes=100):
    """The perceptron of 003/s6 on data that no line separates."""
    left, right = axes
    steps = list(Perceptron(max_passes=passes).steps(X, y))
    xs, ys = grid_around(X, room=ROOM)
    plane_line(left, steps[-1].w, steps[-1].b, xs)
    scatter_classes(left, X, y)
    left.set(title=f"the line after {passes} passes", **framed(xs, ys))
    per_pass = _per_pass(steps, passes)
    right.stairs(per_pass, np.arange(passes + 1) + 0.5, fill=True, color=MUTED)
    right.set(title="updates in each pass", xlabel="pass", xlim=(0, passes), ylim=(0, 1.15 * per_pass.max()))
    return f"In every one of {passes} passes the line meets points on its wrong side: {len(steps)} updates, and no end."


@panels(1, 2)
def boundary(axes, X, y, kernel="Gaussian", width=1.0, degree=3, passes=200):
    """Where the kernel perceptron ends up, and how long it took."""
    left, right = axes
    k = named_kernel(kernel, width, degree)
    steps = list(KernelPerceptron(k, max_passes=passes).steps(X, y))
    end = steps[-1]
    coef, walked = (end.alpha * _signs(y))[:, None], min(end.round + 1, passes)
    _field(left, X, y, lambda xs, ys: k.on_grid(xs, ys, X, coef)[..., 0] + end.b, end.alpha)
    left.set_title("f, and the points it is made of")
    per_pass = _per_pass(steps, walked)
    right.stairs(per_pass, np.arange(len(per_pass) + 1) + 0.5, fill=True, color=MUTED)
    right.set(title="updates in each pass", xlabel="pass", ylim=(0, 1.15 * per_pass.max()))
    right.set_xlim(0.3, 1.04 * max(10, len(per_pass)) + 0.7)
    for axis in right.xaxis, right.yaxis:
        axis.get_major_locator().set_params(integer=True)
    more = {"Gaussian": f", width {width:.2g}", "polynomial": f", degree {degree}", "linear": " kernel"}[kernel]
    name = kernel.capitalize() + more
    used = f"{len(steps)} updates of {np.count_nonzero(end.alpha)} points"
    why = alone(k(X)) if kernel == "Gaussian" else ""
    if end.round < passes:
        return f"{name}: after {used} a whole pass, number {walked}, finds no mistake.{why}"
    return f"{name}: {used}, and after {passes} passes there are still mistakes.{why}"


@panels(1, 2)
def growing(axes, kernel, X, y, steps, t):
    """The function after each update: a hill or a hollow more, and the floor a little higher or lower."""
    left, right = axes
    step, sign = steps[t], _signs(y)
    coef = (step.alpha * sign)[:, None]
    _field(left, X, y, lambda xs, ys: kernel.on_grid(xs, ys, X, coef)[..., 0] + step.b, step.alpha)
    left.plot(*X[step.i], "o", ms=19, mfc="none", mec=INK, mew=2.5)
    left.set_title(f"f after update {t + 1}")
    K = kernel(X)
    wrong = [int((sign * (K @ (s.alpha * sign) + s.b) <= 0).sum()) for s in steps]
    right.plot(range(1, len(steps) + 1), wrong, color=GRID, zorder=0)
    right.plot(range(1, t + 2), wrong[: t + 1], "o-", color=INK)
    right.set(title="points on the wrong side", xlabel="update", xlim=(0, len(steps) + 1), ylim=(-1, max(wrong) + 3))
    right.set_xticks([tick for tick in right.get_xticks() if tick < 0.96 * (len(steps) + 1)])  # none is cut at the edge
    side = "a hill" if sign[step.i] > 0 else "a hollow"
    left_over = f"{wrong[t]} of {len(X)} points are wrong" if wrong[t] else "no point is wrong"
    return f"Update {t + 1}, pass {step.round}: the circled point gets {side}, b is {_signed(step.b)}, and {left_over}."


@panels(1, 2)
def in_step(axes, X, y, steps, t):
    """The same update twice: the primal moves the line, the dual counts up one number."""
    left, right = axes
    primal, dual = steps[t]
    sign = _signs(y)
    xs, ys = grid_around(X, room=ROOM)
    plane_line(left, primal.w, primal.b, xs)
    scatter_classes(left, X, y, size=60)
    left.plot(*X[primal.i], "o", ms=19, mfc="none", mec=INK, mew=2.5)
    w = ", ".join(minus(f"{v:.2f}") for v in primal.w)
    left.set(title=f"primal: w = ({w})", **framed(xs, ys))
    places = np.arange(1, len(X) + 1)
    right.bar(places, dual.alpha, color=[COLORS[int(s > 0)] for s in sign])
    most = max(s[1].alpha.max() for s in steps)
    right.plot(dual.i + 1, dual.alpha[dual.i] + 0.07 * (most + 1), "v", color=INK, ms=11)
    right.set(title="dual: α", xlabel="point", ylim=(0, 1.2 * most + 0.2), xlim=(0.3, len(X) + 0.7), xticks=places[::3])
    right.yaxis.get_major_locator().set_params(integer=True)
    off = np.abs((dual.alpha * sign) @ X - primal.w).max()
    same = "the same line" if off < 1e-9 and primal.i == dual.i else "another line"
    corners = np.array([xs[[0, 0, -1, -1]], ys[[0, -1, 0, -1]]]).T @ primal.w + primal.b
    outside = "" if corners.min() < 0 < corners.max() else ", outside this picture"
    where = f"Update {t + 1}, pass {primal.round}, point {primal.i + 1}"
    return f"{where}: Σ α y x gives {same}{outside}, and b is {_signed(round(dual.b, 1))} as well."


@panels(1, 2)
def printed_eta(axes, eta=0.01):
    """η on b alone, on the points 2 and 4: the path of (w, b), and how many updates it takes."""
    left, right = axes
    counts, reach = {}, 1.0
    for eta_on, name, color in ("b", "η on b only", COLORS[1]), ("both", "η on both, divided by η", COLORS[0]):
        steps = list(literal_updates(Linear(), PAIR, PAIR_Y, eta=eta, eta_on=eta_on))
        w = np.array([0, *(float((s.alpha * PAIR_Y) @ PAIR[:, 0]) for s in steps)])
        b = np.array([0, *(s.b for s in steps)])
        unit = eta if eta_on == "both" else 1
        left.plot(w / unit, b / unit, color=color, lw=1.5, marker="o", ms=3.5, label=name)
        left.plot(w[-1] / unit, b[-1] / unit, "*", color=color, ms=19, mec=INK, zorder=4)
        counts[eta_on], reach = len(steps), max(reach, np.abs(w / unit).max())
    low, high = left.dataLim.intervaly
    ws = np.array([0, 1.2 * reach])
    left.fill_between(ws, -4 * ws, -2 * ws, color=GRID, zorder=0)
    left.set(title="the path of (w, b)", xlabel="w", ylabel="b", xlim=(-3, 1.2 * reach))
    left.set_ylim(low - 0.3 * (high - low), high + 0.7 * (high - low))
    left.yaxis.set_label_coords(-0.2, 0.5)  # room for numbers of three digits
    left.legend(loc="upper right")
    etas, printed = _eta_curve()
    right.loglog(etas, printed, color=COLORS[1], label="η on b only")
    right.loglog(etas, np.full(len(etas), counts["both"]), color=COLORS[0], label="η on both")
    right.axhline(novikoff_bound(4, 1), color=INK, ls="--", lw=1.5, label="bound, 64")
    right.plot(eta, counts["b"], "*", color=COLORS[1], ms=19, mec=INK)
    right.set(title="updates", xlabel="η", ylim=(3, 3000))
    right.legend(loc="upper right")
    return (
        f"η = {eta:.2g}: with η on both sides {counts['both']} updates, with η on b only {counts['b']}; "
        "the theorem promises at most 64."
    )


STOPS = {"the end": 5000, "pass 100": 100, "pass 10": 10}


@panels(1, 2)
def printed_radius(axes, X, y, shift=20.0, radius="input", stop=5000, width=2.0):
    """The same rings, moved away from the origin: R of the inputs against R of the images, both to the end."""
    left, right = axes
    kernel, sign, moved = Gaussian(width), _signs(y), X + shift
    runs = {r: list(literal_updates(kernel, moved, sign, r, max_passes=5000)) for r in ("feature", "input")}
    so_far = [step for step in runs[radius] if step.round <= stop]
    last = so_far[-1]
    coef = (last.alpha * sign)[:, None]
    _field(left, moved, y, lambda xs, ys: kernel.on_grid(xs, ys, moved, coef)[..., 0] + last.b, last.alpha)
    left.set_title(f"{len(so_far):,} update{'s' * (len(so_far) > 1)}, b = {_signed(round(last.b, 1))}")
    bound = novikoff_bound(1, _margin(kernel, X, y))
    for name, label in ("input", "R of the inputs"), ("feature", "R of the images"):
        rounds, color = [step.round for step in runs[name]], COLORS[3 + (name == "input")]
        right.loglog(rounds, range(1, len(rounds) + 1), color=color, lw=4 if name == radius else 2, label=label)
        right.plot(rounds[-1], len(rounds), "o", color=color, ms=10)
    right.plot(last.round, len(so_far), "*", color=COLORS[3 + (radius == "input")], ms=22, mec=INK, zorder=4)
    right.axhline(bound, color=INK, ls="--", lw=1.5)
    right.text(2000, 1.15 * bound, f"bound {bound:.0f}", ha="right", va="bottom")
    right.set(title="updates so far", xlabel="pass", xlim=(0.8, 2500), ylim=(1, 1e6), yticks=[1, 10, 100, 1e3, 1e4])
    right.legend(loc="upper left")
    far, near = runs["input"], runs["feature"]
    return (
        f"Inputs moved by {shift:.3g}: {len(near)} updates with the images' R; with the inputs' R "
        f"{len(far):,}, until a whole pass, number {far[-1].round + 1:,}, finds no mistake."
    )


@panels(1, 2, widths=[1.25, 1])
def bound_by_width(axes, X, y, width=1.0, scale=1.0):
    """What the width does to the bound and the updates, and what a factor before the kernel does not."""
    left, right = axes
    widths, bounds, updates = _width_curve(X, y)
    left.loglog(widths, bounds, color=INK, ls="--", label="bound (2R/ρ)²")
    left.loglog(widths, updates, color=COLORS[0], label="updates")
    kernel = scale * Gaussian(width)
    rho, R, made = _margin(kernel, X, y), np.sqrt(scale), KernelPerceptron(kernel).fit(X, y).mistakes_
    left.plot([width] * 2, [made, novikoff_bound(R, rho)], "*", color=COLORS[1], ms=19, mec=INK)
    left.set(title="updates and their bound", xlabel="kernel width")
    left.legend(loc="upper left")
    names, values = ["ρ", "R", "R/ρ"], [rho, R, R / rho]
    right.barh(names, values, color=[COLORS[1], COLORS[0], MUTED])
    for place, value in enumerate(values):
        right.text(value * 1.15, place, f"{value:.3g}", va="center")
    right.set(title="margin, radius, ratio", xscale="log", xlim=(0.002, 300))
    return (
        f"Width {width:.2g}, kernel times {scale:.3g}: margin {rho:.3g}, radius {R:.3g}, "
        f"bound {novikoff_bound(R, rho):.0f}, {made} updates."
    )


@panels(1, 2)
def not_the_widest(axes, X, y, order=7):
    """The same data in another order gives another line; only one line is the widest."""
    left, right = axes
    best = SVC(Linear(), C=np.inf, tol=1e-6).fit(X, y)
    models = [Perceptron().fit(*mixed(X, y, seed)) for seed in range(60)]
    margins = [margin_distribution(model, X, y).min() for model in models]
    chosen = models[order]
    xs, ys = grid_around(X, room=ROOM)
    plane_line(left, best.coef_ @ X, best.b_, xs, color=COLORS[2], label="widest margin")
    plane_line(left, chosen.w_, chosen.b_, xs, label="perceptron")
    scatter_classes(left, X, y)
    left.set(title="two lines without a mistake", **framed(xs, ys))
    handles, labels = left.get_legend_handles_labels()
    left.legend(handles[:2], labels[:2], loc="lower left", frameon=True)
    widest = margin_distribution(best, X, y).min()
    right.hist(margins, bins=np.linspace(0, 1.1 * widest, 23), color=MUTED)
    right.axvline(widest, color=COLORS[2], lw=4)
    right.axvline(margins[order], color=INK, lw=3)
    right.set(title="margins of 60 orders", xlabel="margin ρ", ylabel="orders")
    return (
        f"Order {order}: margin {margins[order]:.3f} after {chosen.mistakes_} updates; the widest is {widest:.3f}, "
        f"the best of 60 orders gets {max(margins):.3f}."
    )


@panels(1, 2)
def tanh_spectrum(axes, X, scale=1.0, offset=-1.0):
    """A function that looks like a kernel and is none: some squared lengths come out negative."""
    left, right = axes
    K = Tanh(scale, offset)(X)
    lam = np.linalg.eigvalsh(K)[::-1]
    heat(left, K, vmin=-1, vmax=1, cmap=DIVERGING)
    left.set(title="tanh(a xᵀz + b)", xticks=[], yticks=[])
    negative = lam < -1e-9 * lam[0]
    for part, color in (~negative, PLUS), (negative, MINUS):
        right.vlines(1 + np.flatnonzero(part), 0, lam[part], color=color, lw=6)
    right.axhline(0, color=INK, lw=1)
    right.set(title="its eigenvalues", xlabel="number")
    kind = f"{negative.sum()} of {len(lam)} eigenvalues are negative" if negative.any() else "no eigenvalue is negative"
    b = round(offset, 1) + 0.0  # the middle of a slider may be 1e-16
    return minus(f"a = {scale:.2g}, b = {b:g}: {kind}, the smallest is {lam[-1]:.2f}.")


@panels(1, 2, widths=[1, 1.1])
def dual_landscape(axes, offset=-0.5, C=3.0):
    """The dual of two points under tanh(xz + b): one hill, or two with a valley between them."""
    left, right = axes
    x, y = np.array([[1.0], [-1.0]]), np.array([1, -1])
    K = Tanh(1.0, offset)(x)
    grid = np.linspace(0, C, 61)
    D = np.array([[dual_value(K, y, np.array([a, b])) for a in grid] for b in grid])
    color_scale(left, left.contourf(grid, grid, D, levels=18, cmap="Greys", alpha=0.75))
    ends = []
    for start, color in ((0.5, 0.2), COLORS[0]), ((0.2, 0.5), COLORS[1]):
        path = climb(K, y, start, C)
        left.plot(*path.T, color=color, lw=3)
        left.plot(*path[0], "o", color=color, ms=9, mec="white")
        left.plot(*path[-1], "*", color=color, ms=22, mec=INK, clip_on=False, zorder=4)
        ends.append(path[-1])
    left.set(title="dual value", xlabel="α₁", ylabel="α₂", xlim=(0, C), ylim=(0, C), aspect="equal")
    left.set(xticks=range(4), yticks=range(4))
    total, share = ends[0].sum(), np.linspace(0, 1, 101)
    along = np.array([dual_value(K, y, total * np.array([1 - s, s])) for s in share])
    right.plot(share, along, color=INK)
    for end, color in zip(ends, COLORS, strict=False):
        right.plot(end[1] / end.sum(), dual_value(K, y, end), "*", color=color, ms=22, mec=INK, zorder=4, clip_on=False)
    right.set(title=f"along α₁ + α₂ = {total:.2f}", xlabel="share of α₂", ylabel="dual value", xlim=(-0.04, 1.04))
    right.margins(y=0.25)
    right.yaxis.set_label_coords(-0.17, 0.5)  # wherever the numbers end
    low, b = _signed(round(float(np.linalg.eigvalsh(K)[0]), 2) + 0.0), _signed(round(offset, 2))
    tops = [
        f"({a1:.2f}, {a2:.2f}), where the dual value is {dual_value(K, y, np.array([a1, a2])):.2f}" for a1, a2 in ends
    ]
    return f"b = {b}, smallest eigenvalue {low}: the climbs end at α = {tops[0]}, and at {tops[1]}."


LABELS = ["moons", "8 turned", "coins"]


@panels(1, 2)
def learned_kernel(axes, X, y, learned=0.1, labels="coins", width=0.3):
    """A kernel that takes in the labels of its sample: its ρ/R, and what it does between the points."""
    left, right = axes
    taught = _labelled(y)[labels]
    new, truth = datasets.two_moons(300, noise=0.1, seed=9)
    kernel = Taught(Gaussian(width), X, taught, learned)
    model = SVC(kernel, C=np.inf, tol=1e-4).fit(X, taught)
    xs, ys = grid_around(X, 60, ROOM)
    F = model.on_grid(xs, ys)
    score_map(left, xs, ys, np.clip(F, -3, 3), lines=False, note="thick line: f = 0")
    left.contour(xs, ys, F, [0], colors=INK, linewidths=2.5)
    scatter_classes(left, X, taught, size=30)
    left.set(title=f"f for labels: {labels}", **framed(xs, ys))
    shares, curves = _learned_curves(X, y, width)
    for name, color in zip(LABELS, COLORS[3:], strict=False):
        right.plot(shares, curves[name], color=color, lw=4 if name == labels else 1.8, label=name)
    now = _quotient(kernel, model, X)
    right.plot(learned, now, "*", color=COLORS[3 + LABELS.index(labels)], ms=22, mec=INK, zorder=4, clip_on=False)
    right.set(title="ρ/R on the 80 points", xlabel="how much of the kernel is learned", xlim=(0, 1), ylim=(0, 1.05))
    right.legend(loc="lower right")
    seen, fresh = (np.mean(model.predict(A) != b) for A, b in ((X, taught), (new, truth)))
    return (
        f"{labels.capitalize()}, {learned:.0%} learned: ρ/R = {now:.3f}, {seen:.0%} mistakes on the {len(X)} "
        f"points, {fresh:.0%} on 300 new ones."
    )


@panels(1, 2)
def memory(axes, X, y, width=0.15, flipped=8):
    """A few labels are wrong: a narrow kernel learns them by heart."""
    left, right = axes
    wrong = np.random.default_rng(2).permutation(len(X))[:flipped]
    taught = y.copy()
    taught[wrong] = -taught[wrong]
    new, truth = datasets.two_moons(300, noise=0.1, seed=9)
    model = KernelPerceptron(Gaussian(width), max_passes=50).fit(X, taught)
    _field(left, X, taught, model.on_grid, np.zeros(len(X)))
    left.plot(*X[wrong].T, "o", ms=16, mfc="none", mec=INK, mew=2)
    left.set_title(f"{flipped} label{'s' * (flipped != 1)} turned (circles)")
    widths = np.union1d(np.geomspace(0.03, 3, 13), width)
    errors = []
    for c in widths:
        one = KernelPerceptron(Gaussian(c), max_passes=50).fit(X, taught)
        errors.append((100 * (1 - one.score(X, taught)), 100 * (1 - one.score(new, truth))))
    seen, fresh = np.transpose(errors)
    right.semilogx(widths, seen, color=MUTED, marker="o", ms=5, label="as taught")
    right.semilogx(widths, fresh, color=COLORS[3], marker="o", ms=5, label="new points")
    right.axvline(width, color=INK, lw=1.5, ls=":")
    right.set(title="mistakes in %", xlabel="kernel width", ylim=(-2, 62))
    right.legend(loc="upper left", frameon=True)
    return (
        f"Width {width:.2g}: {1 - model.score(X, taught):.0%} mistakes on the {len(X)} points as taught, "
        f"{1 - model.score(new, truth):.0%} on 300 new ones." + alone(Gaussian(width)(X))
    )


def _labelled(y):
    """The labels as they are, with eight of them turned, and in a random order."""
    rng = np.random.default_rng(2)
    coins, turned = rng.permutation(y), y.copy()
    turned[rng.permutation(len(y))[:8]] *= -1
    return dict(zip(LABELS, (y, turned, coins), strict=True))


def _quotient(kernel, model, X):
    """ρ/R: the widest margin over the length of the longest image."""
    return 1 / model.w_norm_ / np.sqrt(kernel(X).diagonal().max())


@remembered()
def _learned_curves(X, y, width):
    shares, curves = np.linspace(0, 1, 16) ** 2, {}
    for name, taught in _labelled(y).items():
        kernels = [Taught(Gaussian(width), X, taught, share) for share in shares]
        curves[name] = [_quotient(k, SVC(k, C=np.inf, tol=1e-4).fit(X, taught), X) for k in kernels]
    return shares, curves


@lru_cache
def _eta_curve():
    etas = log_slider(0.001, 10).stops
    return etas, [len(list(literal_updates(Linear(), PAIR, PAIR_Y, eta=e, eta_on="b"))) for e in etas]


@remembered()
def _width_curve(X, y):
    widths = log_slider(0.1, 5).stops  # every place of the slider, or its star would leave the curve
    kernels = [Gaussian(c) for c in widths]
    bounds = [novikoff_bound(1, _margin(k, X, y)) for k in kernels]
    return widths, bounds, [KernelPerceptron(k).fit(X, y).mistakes_ for k in kernels]


def _margin(kernel, X, y):
    return 1 / SVC(kernel, C=np.inf, tol=1e-4).fit(X, y).w_norm_


def _signs(y):
    return np.where(y == y.max(), 1, -1)


def _signed(value):
    return minus(f"{value:+g}") if value else "0"


def _per_pass(steps, passes):
    return np.bincount([step.round for step in steps], minlength=passes + 1)[1:]


def _field(ax, X, y, on_grid, alpha):
    """f over the plane, the data, and larger dots for points with larger α."""
    xs, ys = grid_around(X, room=ROOM)
    decision_map(ax, xs, ys, on_grid(xs, ys))
    scatter_classes(ax, X, y, size=22 + 90 * alpha / max(1, alpha.max()))
    ax.set(**framed(xs, ys))


def figures():
    moons = mixed(*datasets.two_moons(80, noise=0.1), seed=1)
    rings = mixed_rings()
    return {
        "boundary": lambda: figure_of(boundary, *moons),
        "printed_eta": lambda: figure_of(printed_eta),
        "printed_radius": lambda: figure_of(printed_radius, *rings),
        "not_the_widest": lambda: figure_of(not_the_widest, *two_sides()),
        "bound_by_width": lambda: figure_of(bound_by_width, *rings),
        "learned_kernel": lambda: figure_of(learned_kernel, *moons),
        "dual_landscape": lambda: figure_of(dual_landscape),
        "tanh_spectrum": lambda: figure_of(tanh_spectrum, 1.5 * np.random.default_rng(0).standard_normal((40, 2))),
    }
