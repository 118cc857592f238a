"""Pictures of notebook 10, solving the dual."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from ... import datasets
from ...dual import Dual, PairStep, smo, solved
from ...kernels import Gaussian
from ...show.style import COLORS, DIVERGING, GRID, INK, MUTED
from ...show.toolbox import (
    color_map,
    color_scale,
    decision_map,
    framed,
    grid_around,
    heat,
    points,
    remembered,
    scatter_classes,
    tidy,
)
from ...show.widgets import figure_of, panels
from ...svm import SVC
from ..errata.dual import pairs_by_rule, segment, svc_dual

REST = np.array([0.4, -0.2])  # what all other points together add to f at the two points of the box
RULES = {"largest gain": "gain", "random": "random", "cyclic": "cyclic"}
FLAT = 1e6  # a step that no parabola asks for
METHODS = "pairs", "sets of q", "pairs and Newton"


@panels(1, 2, widths=[1, 1.25])
def too_large(axes, X, y, kernel):
    """H of 004/s11 for a few points, and what it weighs for many."""
    left, right = axes
    sign = np.where(y > 0, 1, -1)
    heat(left, sign[:, None] * sign * kernel(X), vmin=-1, vmax=1, cmap=DIVERGING)
    left.set(title=f"H of {len(X)} points", xticks=[], yticks=[])
    n = np.geomspace(1e2, 1e6, 9)
    right.loglog(n, 8 * n * n / 1e9, color=COLORS[1], label="all of H")
    right.loglog(n, 16 * n / 1e9, color=COLORS[0], label="two rows of it")
    right.axhline(16, color=INK, ls="--", lw=1.5)
    right.text(1.2e2, 24, "a laptop: 16 GB")
    right.plot(6e4, 8 * 6e4**2 / 1e9, "*", color=COLORS[1], ms=19, mec=INK)
    right.set(title="gigabytes", xlabel="number of points n", ylim=(1e-6, 1e5))
    right.legend(loc="lower right")
    return "H of 60,000 points, the size of a well-known set of digits, fills 28.8 GB (star); two rows of it 0.001 GB."


@panels(1, 2, widths=[1, 1.1])
def box(axes, share, C=1.0, same=False, k12=0.4):
    """One step of SMO from a share (1, 2) of C: the segment in the box, and the objective along it."""
    left, right = axes
    y2 = 1 if same else -1
    start = C * np.asarray(share)[0]
    p, W = _pair(start, y2, C, k12)
    low, high = segment(*start, same, C)
    free = y2 * (p.b[1] - (p.F[1] - p.F[0]) / (2 - 2 * k12))  # (SMO.3), also where nothing may move
    steps = list(smo(p, 1e-9, newton=False))
    end = p.b * [1, y2]

    def along(a2):  # (13): the first follows the second
        return start[0] + y2 * (start[1] - a2), a2

    grid = np.linspace(-0.3, 1.5, 60)  # in units of C, so that the box stays where it is
    F = W(*np.meshgrid(C * grid, C * grid))
    color_scale(left, color_map(left, grid, grid, F, cmap="Greys_r", alpha=0.45), "W")
    left.fill([0, 1, 1, 0], [0, 0, 1, 1], fill=False, ec=INK, lw=2)
    left.plot(*np.array(along(np.array([-9, 9]) * C)) / C, color=MUTED, ls=":", lw=1.5)
    left.plot(*np.array(along(np.array([low, high]))) / C, color=COLORS[0], lw=5, solid_capstyle="butt")
    _mark(left, share, np.array(along(free)) / C, end / C)
    left.set(title="the box and its segment", xlabel="α₁", ylabel="α₂", xlim=grid[[0, -1]], ylim=grid[[0, -1]])
    left.set(xticks=[0, 1], yticks=[0, 1], xticklabels=["0", "C"], yticklabels=["0", "C"])

    reach = sorted((min(low, free), max(high, free)))
    a2 = np.linspace(reach[0] - 0.25 * C, reach[1] + 0.25 * C, 120)
    right.axvspan(low, high, color=COLORS[0], alpha=0.13, lw=0)
    right.plot(a2, W(*along(a2)), color=MUTED, ls=":")
    inside = np.linspace(low, high, 60)
    right.plot(inside, W(*along(inside)), color=COLORS[0], lw=5, solid_capstyle="butt")
    _mark(right, np.array([[start[1], W(*start)]]), (free, W(*along(free))), (end[1], W(*end)))
    right.set(title="the objective W along it", xlabel="α₂", xlim=a2[[0, -1]])
    ticks = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(*a2[[0, -1]])
    right.set_xticks(ticks[(ticks >= a2[0]) & (ticks < a2[-1] - 0.06 * np.ptp(a2))])  # at the end one would be cut off
    right.legend(loc="lower center", ncols=3, columnspacing=0.9, handletextpad=0.1)
    bottom, top = right.get_ylim()
    right.set_ylim(bottom - 0.25 * (top - bottom), top)
    labels = "same label" if same else "opposite labels"
    if high - low < 1e-12:
        return f"{labels.capitalize()}: the segment is one corner of the box, and nothing can move."
    if not steps:
        here = "and there it stands" if abs(free - end[1]) < 1e-9 else f"but {tidy(end[1])} is the end of the segment"
        return (
            f"{labels.capitalize()}: L = {tidy(low)}, H = {tidy(high)}; the parabola wants α₂ = {tidy(free)}, {here}, "
            "and nothing moves."
        )
    cut = "inside, so it stays" if abs(free - end[1]) < 1e-9 else f"clipped to {tidy(end[1])}"
    return (
        f"{labels.capitalize()}: L = {tidy(low)}, H = {tidy(high)}; the parabola wants α₂ = {tidy(free)}, {cut}; "
        f"W rises by {tidy(W(*end) - W(*start), 3)}."
    )


@panels(1, 2)
def flat(axes, k12=1.0, C=1.0):
    """Two images move together until they are one: the parabola straightens, and η of (9) goes to zero."""
    left, right = axes
    p, W = _pair(np.zeros(2), -1, C, k12)
    slope = p.gap
    step = next(smo(p, 1e-9, newton=False))
    curvature = 2 - 2 * k12
    a2 = np.linspace(0, 2.5, 100)
    for value in 0.0, 0.5, 0.8, 1.0:
        other = _pair(np.zeros(2), -1, C, value)[1]
        left.plot(a2, other(a2, a2), color=GRID, lw=1.5, zorder=0)
    left.axvspan(0, C, color=COLORS[0], alpha=0.13, lw=0)
    left.plot(a2, W(a2, a2), color=COLORS[0], lw=4)
    left.plot(abs(p.b[1]), W(*np.abs(p.b)), "*", color=COLORS[1], ms=21, mec=INK)
    left.set(title="the objective along the segment", xlabel="α₂", ylabel="W", xlim=(0, 2.5), ylim=(-1, 4))
    ks = np.linspace(0, 0.999, 200)
    right.semilogy(ks, slope / (2 - 2 * ks), color=MUTED, label="wanted by (9)")
    right.semilogy(ks, np.minimum(C, slope / (2 - 2 * ks)), color=COLORS[0], lw=4, label="after clipping")
    right.plot(k12, abs(p.b[1]), "*", color=COLORS[1], ms=21, mec=INK, clip_on=False)
    right.set(title="α₂ after the step", xlabel="k(x₁, x₂)", xlim=(0, 1.02), ylim=(0.1, 1000))
    right.legend(loc="upper left")
    asks = "" if curvature == 0 else f"(9) asks for α₂ = {abs(step.unclipped):.3g}, "
    return f"k(x₁, x₂) = {k12:.3g}: the curvature −η is {curvature:.3g}; {asks}the step ends at α₂ = {abs(p.b[1]):.3g}."


@panels(1, 2, widths=[1.15, 1])
def walk(axes, kernel, X, y, C, steps, t):
    """SMO from its first pair to its last: the function on the left, all α on the right."""
    left, right = axes
    step, before = steps[t], np.abs(steps[t - 1].b) if t else np.zeros(len(X))
    sign = np.where(y > 0, 1.0, -1.0)
    p = svc_dual(kernel, X, sign, C)
    p = Dual(p.K, p.q, p.lo, p.hi, sign * step.b)
    xs, ys = grid_around(X, 80, 0.2)
    F = kernel.on_grid(xs, ys, X, (sign * step.b)[:, None])[..., 0] + p.offset
    decision_map(left, xs, ys, F)
    scatter_classes(left, X, y, size=40 + 160 * step.b / C)
    pair = np.array([step.i, step.j])
    left.plot(*X[pair].T, color=INK, lw=1.5, ls=":", zorder=3)
    left.plot(*X[pair].T, "o", ms=22, mfc="none", mec=INK, mew=2.5)[0].of = None  # no rows of their own
    left.set(title=f"f after step {t + 1}", **framed(xs, ys))
    right.bar(range(len(X)), step.b, color=np.where(sign > 0, COLORS[1], COLORS[0]), width=0.8)
    right.bar(pair, before[pair], width=0.8, fill=False, ec=INK, lw=2)
    right.axhline(C, color=INK, ls="--", lw=1.5)
    right.text(len(X) - 0.4, C, "C", va="bottom", ha="right")
    right.set(title="all α; framed: before", xlabel="point", ylim=(0, 1.18 * C), xlim=(-0.7, len(X) - 0.3))
    right.set_xticks(range(0, len(X), 2 if len(X) < 20 else 5))
    clip = "" if abs(step.unclipped - step.clipped) < 1e-9 else f" (the parabola wanted {tidy(step.unclipped)})"
    if abs(step.unclipped) > FLAT:
        clip = " (two equal points: the parabola is a straight line without a top)"
    return (
        f"Step {t + 1} of {len(steps)}: points {step.i} and {step.j}, violation {tidy(step.gap, 3)}; "
        f"α of point {step.j} goes from {tidy(before[step.j])} to {tidy(abs(step.clipped))}{clip}, "
        f"and W is {-step.objective:.3f}."
    )


@panels(1, 2)
def race(axes, X, y, C=100.0, q=10, width=1.0):
    """How far from the optimum, and how far from KKT, after so many iterations."""
    left, right = axes
    best = _run(X, y, C, width, 2, True, 1e-9)[0][-1]
    counts = []
    for name, size, newton, color in zip(METHODS, (2, q, 2), (False, False, True), COLORS, strict=False):
        W, gap = _run(X, y, C, width, size, newton)
        counts.append(len(W))
        left.loglog(range(1, len(W) + 1), np.maximum(best - W, 1e-9), color=color)
        gap = np.maximum(gap, 2e-5)
        right.loglog(range(1, len(W) + 1), gap, color=color, label=name.replace("q", str(q)))
        right.plot(len(W), gap[-1], "o", ms=9, color=color, mec=INK)[0].of = None  # three ends, not one point
    right.axhline(1e-3, color=INK, ls="--", lw=1.5)
    for ax in axes:
        ax.set(xlabel="iteration", xlim=(0.8, 2500))
    left.set(title="W is below its maximum by", ylim=(1e-8, 5 * best))
    right.set(title="violation of KKT", ylim=(1e-5, 1e4))
    right.legend(loc="upper right")
    return (
        f"C = {C:.4g}: {counts[0]} iterations with pairs, {counts[1]} with sets of {q}, "
        f"{counts[2]} with pairs and Newton steps; all end at W = {best:.4g}."
    )


@panels(1, 2, widths=[1.9, 1])
def raster(axes, X, y, rule="gain", C=10.0, newton=False, shown=100):
    """Which points are moved when. From below: those that end at 0, the free ones, those that end at C."""
    left, right = axes
    sign = np.where(y > 0, 1.0, -1.0)
    kernel = Gaussian(1.0)
    alpha = np.abs(_solved(kernel, X, sign, C).b)
    order = np.argsort(np.argsort(alpha, kind="stable"))
    if rule == "gain":
        steps = list(SVC(kernel, C=C).steps(X, y, newton=newton))
        pairs = [(t, (s.i, s.j), True) for t, s in enumerate(steps, 1) if isinstance(s, PairStep)]
        for t, s in enumerate(steps, 1):
            if t <= shown and not isinstance(s, PairStep):
                left.plot([t] * len(s.block), order[s.block], "|", color=COLORS[2], ms=7, mew=3)
        total, ended = len(steps), True
    else:
        p = svc_dual(kernel, X, sign, C)
        pairs = [(t, pair, moved) for t, (pair, moved) in enumerate(pairs_by_rule(p, rule, max_steps=10_000), 1)]
        total, ended = len(pairs), p.converged
    for moved, color, size in (True, COLORS[0], 8), (False, MUTED, 5):
        dots = np.array([(t, order[i]) for t, pair, m in pairs[:shown] if m == moved for i in pair]).reshape(-1, 2)
        left.plot(*dots.T, ".", color=color, ms=size)[0].of = None  # a point is chosen many times
    zero, bound = int((alpha == 0).sum()), int((alpha >= C).sum())
    for line in zero - 0.5, len(X) - bound - 0.5:
        left.axhline(line, color=INK, lw=1)
        right.axhline(line, color=INK, lw=1)
    left.set(title=f"the first {shown} steps", xlabel="step", ylabel="point, by its final α", xlim=(0, shown + 1))
    left.set(ylim=(-1, len(X)), yticks=[])
    times = np.bincount([order[i] for _, pair, _ in pairs for i in pair], minlength=len(X))
    right.barh(range(len(X)), times, color=MUTED, height=1)
    right.set(title="times chosen", ylim=(-1, len(X)), yticks=[])
    right.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10], integer=True))
    for name, first, last in ("α = 0", 0, zero), ("free", zero, len(X) - bound), ("α = C", len(X) - bound, len(X)):
        if first < last:
            right.text(1.02, (first + last) / 2 / len(X), name, transform=right.transAxes, va="center")
    idle = sum(not moved for *_, moved in pairs)
    name = next(name for name, value in RULES.items() if value == rule)
    end = f"{total} steps to the end" if ended else f"not at the end after {total} steps"
    return f"Rule: {name}. {end}, and {idle} of them move nothing; {zero} points end at 0, {bound} at C."


@panels(1, 1, size=(8.4, 4.2))
def clock(axes, sizes, seconds):
    """Milliseconds on this machine, now."""
    (ax,) = axes
    for (name, taken), color in zip(seconds.items(), COLORS, strict=False):
        ax.loglog(sizes, 1000 * np.array(taken), "o-", color=color, label=name)
    ax.set(title="milliseconds, here and now", xlabel="number of points n", xticks=sizes)
    ax.set_xticklabels([str(n) for n in sizes])
    ax.minorticks_off()
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return "The time of four ways to the same optimum on two moons, C = 100, as measured when this cell ran."


@panels(1, 1, size=(9.6, 3.9))
def against_libsvm(axes, measured):
    """A small benchmark as a table."""
    (ax,) = axes
    ax.set_axis_off()
    if measured is None:
        ax.text(0.5, 0.5, "scikit-learn is not installed", ha="center")
        return "For this comparison install scikit-learn: python -m pip install scikit-learn."
    rows = [["", "n", "LIBSVM", "kmlab", "LIBSVM", "kmlab", "as fast", "with a map"]]
    for name, n, steps, (fit, map_) in measured:
        both = [f"{count:,}" for count in steps] + [f"{1e3 * seconds:.1f}" for seconds in fit]
        rows.append([name, f"{n:,}", *both, *(f"{theirs / ours:.1f} ×" for theirs, ours in (fit, fit + map_))])
    places = [0.0, 0.32, 0.43, 0.53, 0.66, 0.76, 0.87, 1.01]
    for k, row in enumerate(rows):
        for x, entry in zip(places, row, strict=True):
            ax.text(x, 1 - (k + 1) / (len(rows) + 1), entry, ha="right" if x else "left", va="center")
    for x, title in (0.48, "steps"), (0.71, "milliseconds"):
        ax.text(x, 1, title, ha="center", va="center", color=MUTED)
    ax.plot([0, 1.01], [1 - 1.5 / (len(rows) + 1)] * 2, color=MUTED, lw=1.5)
    ax.set(xlim=(0, 1.02), ylim=(0, 1.05))
    return (
        "LIBSVM and kmlab on two moons, as measured when this cell ran: the same problem to the same tolerance. "
        "Last columns: how many times as fast kmlab is, for the fit alone and with a map of 100 by 100 points."
    )


def _pair(start, y2, C, k12):
    """The Dual of two points of which the first is positive, and its W as a function of α₁ and α₂."""
    y = np.array([1.0, y2])
    K, q = np.array([[1, k12], [k12, 1]]), REST - y
    p = Dual(K, q, np.minimum(0, C * y), np.maximum(0, C * y), y * start)

    def W(a1, a2):
        b2 = y2 * a2
        return -(0.5 * (a1**2 + b2**2) + k12 * a1 * b2 + q[0] * a1 + q[1] * b2)

    return p, W


def _mark(ax, start, free, end):
    """Three points, each linked with itself in the other panel."""
    both = np.vstack([free, end])
    points(ax, both, [0], size=169, color="white", edgecolors=INK, linewidths=2, label="top", zorder=4)
    points(ax, start, size=121, color=INK, marker="s", edgecolors=INK, linewidths=1, label="start", zorder=5)
    points(ax, both, [1], size=441, color=COLORS[1], marker="*", edgecolors=INK, linewidths=1, label="end", zorder=6)


@remembered()
def _run(X, y, C, width, size, newton, tol=1e-3):
    """W and the violation after every step; y is ±1."""
    steps = list(SVC(Gaussian(width), C=C, tol=tol).steps(X, y, newton=newton, size=size))
    p = svc_dual(Gaussian(width), X, y, C)
    end = Dual(p.K, p.q, p.lo, p.hi, y * steps[-1].b).gap
    return -np.array([s.objective for s in steps]), np.array([*(s.gap for s in steps[1:]), end])


def _solved(kernel, X, y, C):
    return solved(svc_dual(kernel, X, y, C), 1e-8)


def figures():
    moons = datasets.two_moons(100, noise=0.2)
    small = datasets.two_moons(14, noise=0.2)
    steps = list(SVC(Gaussian(1.0), C=2.0, tol=0.05).steps(*small, newton=False))
    return {
        "box": lambda: figure_of(box, np.array([[0.2, 0.5]])),
        "flat": lambda: figure_of(flat),
        "walk": lambda: figure_of(walk, Gaussian(1.0), *small, 2.0, steps=steps, t=len(steps) - 1),
        "race": lambda: figure_of(race, *moons),
        "raster": lambda: figure_of(raster, *datasets.two_moons(40, noise=0.2)),
    }
