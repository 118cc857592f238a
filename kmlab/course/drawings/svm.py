"""Pictures of notebook 09, support vector machines."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from ...datasets import around_a_wave, two_clouds, two_sides
from ...kernels import Gaussian, Linear, Precomputed
from ...perceptron import Perceptron
from ...show.style import COLORS, DIVERGING, GRID, INK, MUTED
from ...show.toolbox import (
    color_map,
    color_scale,
    framed,
    grid_around,
    level_lines,
    minus,
    named_kernel,
    plane_line,
    points,
    remembered,
    scatter_classes,
    short,
    tidy,
)
from ...show.widgets import figure_of, log_slider, panels
from ...svm import SVC, enclosing_ball, kkt_report, margin_distribution, srm_bound, vc_bound
from ..errata.svm import by_box, doubled, plane
from ..experiments.svm import SAMPLES, TOL, replay, trained

PRICES = np.array(log_slider(0.01, 1000).stops)  # the values of C that a slider offers
ROOM = 0.08  # around the points
PASSES = 30  # of a perceptron; where the street is narrow it would take thousands
KERNELS = ["Gaussian", "linear"]
PRIMAL, DUAL = COLORS[3], COLORS[5]
KINDS = ["α = 0", "0 < α < C", "α = C"]
KIND_COLORS, KIND_MARKERS = [MUTED, COLORS[4], INK], ["o", "D", "s"]


def _widest_street(X, y):
    try:
        return SVC(Linear(), np.inf, tol=TOL).fit(X, y)
    except ValueError as error:  # there is no street; nor is there a C to choose
        raise ValueError(str(error).replace("choose a finite C", "drag them apart")) from error


@panels(1, 2)
def which_line(axes, X, y, orders=12):
    """Planes without a mistake, found by perceptrons that met the points in different orders; and the widest street."""
    left, right = axes
    xs, ys = grid_around(X, 80, ROOM)
    model, widths = _widest_street(X, y), []
    for seed in range(orders):
        order = np.random.default_rng(seed).permutation(len(X))
        line = Perceptron(max_passes=PASSES).fit(X[order], y[order])
        if line.converged_:
            plane_line(left, line.w_, line.b_, xs, color=MUTED, lw=1.3)
            widths.append(margin_distribution(line, X, y).min())
    w, b = plane(model, X, y)
    for level in (-1, 0, 1):
        plane_line(right, w, b - level, xs, color=INK, lw=2.5 if level == 0 else 1.5, ls="-" if level == 0 else "--")
    right.plot(*X[model.support_].T, "o", ms=17, mfc="none", mec=INK, mew=2)
    for ax, title in (left, f"{len(widths)} lines without a mistake"), (right, "the widest street"):
        scatter_classes(ax, X, y)
        ax.set(title=title, **framed(xs, ys))
    rests = f"{1 / model.w_norm_:.2f}; it rests on {len(model.support_)} points."
    if not widths:
        return f"In {PASSES} passes no perceptron found a line. The middle of the widest street keeps away by {rests}"
    return (
        f"The best of {len(widths)} perceptrons keeps {max(widths):.2f} away from every point, the middle of the "
        f"widest street {rests}"
    )


@panels(1, 2)
def toy_example(axes, X, y, C=10.0, width=1.0):
    """After the figure of 004/s6: a line with slack, and a Gaussian."""
    said = []
    for ax, name in zip(axes, ("linear", "Gaussian"), strict=True):
        model = SVC(named_kernel(name, width), C, tol=TOL).fit(X, y)
        _field(ax, X, y, model)
        wrong = int((model.predict(X) != y).sum())
        ax.set_title(f"{name}: {wrong} wrong")
        said.append(f"{name} {wrong} wrong and {len(model.support_)} support vectors")
    return f"C = {short(C)}: {said[0]}, {said[1]}."


@panels(1, 2)
def alpha_against_margin(axes, X, y, C=1.0, kernel="Gaussian", slack=1):
    """Every point of the left picture at its margin y f(x) and its α, coloured by its KKT condition."""
    left, right = axes
    model = SVC(named_kernel(kernel, 1.0), C, slack, tol=TOL).fit(X, y)
    yf, box = y * model.decision_function(X), C if slack == 1 else np.inf
    kind = kkt_report(model.alpha_, yf, box).kind
    _levels(left, X, model)
    top = C if slack == 1 else model.alpha_.max()
    for k in range(3):
        rows, look = np.flatnonzero(kind == k), {"size": 55, "color": KIND_COLORS[k], "marker": KIND_MARKERS[k]}
        points(left, X, rows, **look)
        if k < 2 or slack == 1:
            label = f"{KINDS[k] if slack == 1 or k == 0 else 'α > 0'}: {len(rows)}"
            points(right, np.column_stack([yf, model.alpha_ / top]), rows, label=label, **look)
    left.set_title("the points by their α")
    right.axvline(1, color=INK, lw=1.2, zorder=0)
    right.set(title="α against the margin", xlabel="y f(x)", ylabel="α / C" if slack == 1 else "α / largest α")
    low, high = min(-1.2, yf.min() - 0.2), max(2.5, yf.max() + 0.2)
    right.set(ylim=(-0.08, 1.5), xlim=(low, high), yticks=[0, 0.5, 1])
    ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(low, high)
    right.set_xticks(ticks[(ticks > low) & (ticks < high - 0.04 * (high - low))])  # at the end one would be cut off
    right.legend(loc="upper right", handletextpad=0.1)
    counts = np.bincount(kind, minlength=3)
    if slack == 2:
        return (
            f"C = {short(C)}, squared slack: {counts[1]} points with α > 0, the largest α is {model.alpha_.max():.3g}."
        )
    return (
        f"C = {short(C)}: {counts[1]} support vectors on the margin, {counts[2]} inside it or beyond, with α = C; "
        f"{counts[0]} points do not count."
    )


@panels(1, 2)
def margin_histogram(axes, X, y, new, new_y, C=1.0, width=1.0, fresh=True):
    """004/s3: how far the points are from the plane, on their side (positive) or on the other."""
    left, right = axes
    model = SVC(Gaussian(width), C, tol=TOL).fit(X, y)
    _field(left, X, y, model)
    left.set_title("f = −1, 0, 1")
    d = margin_distribution(model, X, y)
    half = 1 / model.w_norm_
    reach = 1.05 * max(np.abs(d).max(), half)
    bins = np.linspace(-reach, reach, 32)
    right.hist(d, bins, weights=np.full(len(d), 100 / len(d)), color=MUTED, alpha=0.75, label="the data")
    if fresh:
        far = margin_distribution(model, new, new_y)
        look = {"histtype": "step", "color": COLORS[3], "lw": 2.5, "label": "new points"}
        right.hist(np.clip(far, -reach, reach), bins, weights=np.full(len(far), 100 / len(far)), **look)
    right.axvline(0, color=INK, lw=1.5)
    right.axvspan(-half, half, color=GRID, zorder=0)
    right.set(title="% of the points at each distance", xlabel="signed distance y f(x) / |w|")
    right.set(xlim=(-reach, reach), ylim=(0, 1.25 * right.dataLim.y1))
    ticks = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(-reach, reach)
    right.set_xticks(ticks[np.abs(ticks) < 0.92 * reach])  # a label at the end would be cut off
    right.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10], integer=True))
    right.legend(loc="upper left")
    inside, wrong = (kkt_report(model.alpha_, d / half, C).kind == 2).sum(), (d < 0).sum()
    lie, are = "lies" if inside == 1 else "lie", "is" if wrong == 1 else "are"
    tail = f"; {np.mean(far < 0):.1%} of new points are wrong" if fresh else ""
    return (
        f"C = {short(C)}: half the street is {half:.2g}, {inside} of {len(d)} points {lie} inside the street or "
        f"beyond, {wrong} {are} wrong{tail}."
    )


@panels(1, 2)
def gap_closes(axes, kernel, X, y, C, steps, t):
    """The function after each step of the solver, and the two values that close in on the optimum."""
    left, right = axes
    alpha, b, primal, dual = steps[t]
    xs, ys = grid_around(X, 60, ROOM)
    F = kernel.on_grid(xs, ys, X, (alpha * y)[:, None])[..., 0] + b
    _contours(left, xs, ys, F)
    scatter_classes(left, X, y)
    left.plot(*X[alpha > 0].T, "o", ms=14, mfc="none", mec=INK, mew=1.8)[0].of = None
    left.set(title=f"f after step {t}", **framed(xs, ys))
    P, D = np.array([s[2] for s in steps]), np.array([s[3] for s in steps])
    best, now = np.minimum.accumulate(P), np.arange(len(steps)) <= t
    right.fill_between(np.arange(len(steps))[now], D[now], best[now], color=GRID)
    right.plot(best, color=PRIMAL, alpha=0.25)
    right.plot(D, color=DUAL, alpha=0.25)
    right.plot(best[now], color=PRIMAL, label="primal, best so far")
    right.plot(D[now], color=DUAL, label="dual")
    right.plot([t, t], [D[t], best[t]], "o", color=INK, ms=6)
    right.set(title="two values, one optimum", xlabel="step", xlim=(-0.5, len(steps)), ylim=(-0.03 * P[0], 1.08 * P[0]))
    right.legend(loc="upper right")
    return f"Step {t}: the optimum lies between {tidy(D[t])} and {tidy(best[t])}."


@panels(1, 2)
def price_of_slack(axes, X, y, kernel="Gaussian", width=1.0):
    """What the optimum is made of as C grows: half of |w|², the slack, and the dual value on top of both."""
    left, right = axes
    Cs, K = np.geomspace(0.01, 1000, 21), named_kernel(kernel, width)(X)
    street, slack, dual = [], [], []
    for C in Cs:
        model = SVC(Precomputed(), C, tol=TOL).fit(K, y)
        street.append(0.5 * model.w_norm_**2)
        slack.append(np.maximum(1 - y * model.decision_function(K), 0).sum())
        dual.append(model.alpha_.sum() - street[-1])
    street, slack, dual = np.array(street), np.array(slack), np.array(dual)
    primal = street + Cs * slack
    left.loglog(Cs, primal, color=PRIMAL, lw=6, alpha=0.6, label="primal")
    left.loglog(Cs, dual, color=DUAL, ls="--", label="dual")
    left.set(title="the optimum", xlabel="C")
    left.legend(loc="upper left")
    share = 100 * street / primal
    right.fill_between(Cs, share, 100, color=COLORS[4], alpha=0.45, lw=0, label="C Σ ξ")
    right.fill_between(Cs, share, color=COLORS[2], alpha=0.7, lw=0, label="½ |w|²")
    right.set(title="its two parts, %", xlabel="C", xscale="log", xlim=Cs[[0, -1]], ylim=(0, 100))
    right.legend(loc="upper left", framealpha=0.9, frameon=True)
    return (
        f"{kernel}: from C = 0.01 to 1000 the street takes {share[0]:.0f} to {share[-1]:.0f} % of the optimum; "
        f"primal and dual value differ by at most {max(0.001, np.max(1 - dual / primal)):.1%}."
    )


@panels(1, 2)
def one_half(axes, X, y, C=2.0):
    """|w|² + C Σξ, the primal of 004/s4 without a ½, at the planes that duals with other boxes give: least at C/2."""
    left, right = axes
    xs, ys = grid_around(X, 80, ROOM)
    scatter_classes(left, X, y)
    for box, color, ls in (C, COLORS[3], "-"), (C / 2, COLORS[2], "--"):
        w, b = plane(SVC(Linear(), box, tol=TOL).fit(X, y), X, y)
        for level in (-1, 0, 1):
            plane_line(left, w, b - level, xs, color=color, lw=2.8 if level == 0 else 1.4, ls=ls)
    left.set(title="two streets", **framed(xs, ys))
    boxes = C * np.geomspace(0.1, 4, 25)
    values = np.array([by_box(X, y, box, C) for box in boxes])
    at = {box: by_box(X, y, box, C) for box in (C, C / 2)}
    right.semilogx(boxes / C, values / at[C / 2], color=INK)
    right.plot(1, at[C] / at[C / 2], "o", color=COLORS[3], ms=14, label="box C")
    right.plot(0.5, 1, "s", color=COLORS[2], ms=13, label="box C/2")
    high = max(1.06, 1.15 * values.max() / at[C / 2] - 0.15)
    right.set(title="|w|² + C Σξ, smallest = 1", xlabel="box of the dual / C", ylim=(1 - 0.08 * (high - 1), high))
    right.set(xticks=[0.1, 0.25, 0.5, 1, 2, 4], xticklabels=["0.1", "¼", "½", "1", "2", "4"])
    right.minorticks_off()
    right.legend(loc="upper center")
    return (
        f"C = {short(C)}: the box C gives {at[C]:.2f}, the box C/2 {at[C / 2]:.2f}: "
        f"the first is {max(0.0, at[C] / at[C / 2] - 1):.1%} above the minimum of |w|² + C Σξ."
    )


@panels(1, 2)
def twins(axes, X, y, tilt=1.0, C=5.0):
    """Every point is there twice: α moves from one twin to the other, and nothing else moves."""
    left, right = axes
    (one, two), model = doubled(X, y, Gaussian(1.0), C, tilt)
    _field(left, X, y, model)
    left.set_title("f, made of both twins")
    order = np.flatnonzero(model.alpha_)
    right.bar(np.arange(len(order)) - 0.2, one[order] / C, 0.4, color=COLORS[4], label="first twin")
    right.bar(np.arange(len(order)) + 0.2, two[order] / C, 0.4, color=COLORS[5], label="second twin")
    right.axhline(1, color=INK, lw=1.2, ls="--")
    right.set(title="α / C of the support vectors", xlabel="support vector", ylim=(0, 1.4), xticks=[])
    right.set_yticks([0, 0.5, 1])
    right.legend(loc="upper right", ncols=2, handlelength=1, columnspacing=1)
    value = (one + two).sum() - 0.5 * model.w_norm_**2
    apart = np.abs(one - two).max()
    return minus(f"Tilt {tilt:.3g}: α of twins differ by up to {apart:.2f}; the dual value is {value:.3f}.")


@panels(1, 2)
def srm_curve(axes, n=1000, h=9, delta=0.05):
    """The bound of 004/s2, how far above the training error: over the capacity, and over the number of points."""
    left, right = axes
    n, h = round(n), round(h)
    if h > n:
        raise ValueError(f"The bound is for a capacity below the number of points, {n}: lower h or add points.")
    hs, ns = np.geomspace(1, min(n, 1e5), 100), np.geomspace(max(50, h), 1e6, 100)
    bound = srm_bound(0.0, h, n, delta)
    left.semilogx(hs, [srm_bound(0.0, k, n, delta) for k in hs], color=INK)
    left.set(title=f"{n:,} points", xlabel="capacity h", ylabel="bound on the risk − training error")
    right.semilogx(ns, [srm_bound(0.0, h, k, delta) for k in ns], color=INK)
    right.set(title=f"capacity {h:,}", xlabel="number of points", xlim=(50, 1e6))
    for ax, place in (left, h), (right, n):
        ax.axhspan(1, 1.6, color=GRID, zorder=0)
        ax.text(0.5, 0.92, "says nothing", transform=ax.transAxes, color=MUTED, ha="center")
        ax.plot(place, min(bound, 1.55), "*", color=COLORS[1], ms=22, mec=INK, clip_on=False, zorder=4)
        ax.set_ylim(0, 1.6)
    says = "which says nothing: no risk is larger than 1" if bound >= 1 else f"with probability {1 - delta:.6g}"
    return f"h = {h:,}, {n:,} points: at most {bound:.3f} above the training error, {says}."


@panels(1, 2)
def capacity(axes, X, y, new, new_y, C=10.0, width=1.0):
    """⌊R²|w|²⌋ + 1 of trained machines, and their errors: by C for one sample, and for 60 samples at the same C."""
    left, right = axes
    Cs, (train, test, h) = PRICES, _by_c(width, X, y, new, new_y)
    left.loglog(Cs, h, color=INK, lw=2.5)
    left.axhline(len(X), color=MUTED, ls="--", lw=1.5)
    left.text(0.011, 1.15 * len(X), f"{len(X)} points", color=MUTED)
    right.semilogx(Cs, 100 * train, color=MUTED, ls="--", label="the data")
    right.semilogx(Cs, 100 * test, color=COLORS[3], label="new points")
    number, error = _trained(width, C, len(X), new, new_y)
    beside = C * np.geomspace(0.6, 1.6, SAMPLES)
    for ax, values in (left, number), (right, 100 * error):
        ax.plot(beside, values, ".", color=COLORS[4], ms=7, label=f"{SAMPLES} samples, C = {short(C)}")
        ax.set(xlabel="C", xlim=(0.008, 1300))
    left.set(title="trained ⌊R²|w|²⌋ + 1", ylim=(0.8, max(3 * len(X), 1.5 * h.max(), 1.5 * number.max())))
    right.set(title="wrong, %", ylim=(0, 75))
    right.legend(loc="upper right")
    best, here = int(test.argmin()), int(np.abs(Cs - C).argmin())
    right.plot(Cs[best], 100 * test[best], "*", color=COLORS[3], ms=20, mec=INK)
    return (
        f"C = {short(C)}, width {width:.2g}: our sample has the number {h[here]} and {test[here]:.1%} of new points "
        f"wrong; {SAMPLES} others go from {number.min()} to {number.max()}, with {error.min():.0%} to "
        f"{error.max():.0%} wrong. The star is the best C for our sample."
    )


_trained = remembered()(trained)


@remembered()
def _by_c(width, X, y, new, new_y):
    """Shares of the data and of new points that are wrong, and ⌊R²|w|²⌋ + 1, for every price."""
    kernel, rows = Gaussian(width), []
    R = np.sqrt(enclosing_ball(X, kernel)[0])
    K, Kn = kernel(X), kernel(new, X)
    for C in PRICES:
        model = SVC(kernel, C, tol=TOL).fit(X, y)
        f, fn = (G @ model.coef_ + model.b_ for G in (K, Kn))
        rows.append((np.mean(f * y <= 0), np.mean(fn * new_y <= 0), vc_bound(R, model.w_norm_)))
    return [np.array(column) for column in zip(*rows, strict=True)]


def _field(ax, X, y, model):
    """f of a machine with its street, the points, and circles around the support vectors."""
    _levels(ax, X, model)
    scatter_classes(ax, X, y)
    ax.plot(*X[model.support_].T, "o", ms=13, mfc="none", mec=INK, mew=1.5)[0].of = None  # no rows of their own


def _levels(ax, X, model):
    xs, ys = grid_around(X, 80, ROOM)
    _contours(ax, xs, ys, model.on_grid(xs, ys))
    ax.set(**framed(xs, ys))


def _contours(ax, xs, ys, F):
    """f as colour between −4 and 4, the boundary thick, the street dashed."""
    shown = [level for level in (-1, 0, 1) if F.min() < level < F.max()]
    for level in shown:
        level_lines(ax, xs, ys, F, [level], widths=1.5 if level else 2.8, linestyles="dashed" if level else "solid")
    names = ["thick: f = 0"] * (0 in shown) + ["dashed: ±1"] * any(shown)
    color_scale(ax, color_map(ax, xs, ys, F, cmap=DIVERGING, vmin=-4, vmax=4), ", ".join(names))


def figures():
    X, y = around_a_wave()
    new, new_y = around_a_wave(2000, seed=1)
    steps = list(replay(Gaussian(1.0), X, y, 10.0))
    return {
        "which_line": lambda: figure_of(which_line, *two_sides()),
        "toy": lambda: figure_of(toy_example, X, y),
        "alpha_against_margin": lambda: figure_of(alpha_against_margin, X, y),
        "margins": lambda: figure_of(margin_histogram, X, y, new, new_y),
        "gap_closes": lambda: figure_of(gap_closes, Gaussian(1.0), X, y, 10.0, steps=steps, t=len(steps) - 1),
        "one_half": lambda: figure_of(one_half, *two_clouds()),
        "twins": lambda: figure_of(twins, *around_a_wave(30)),
        "srm": lambda: figure_of(srm_curve),
        "capacity": lambda: figure_of(capacity, X, y, new, new_y),
    }
