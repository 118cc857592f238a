"""Pictures of notebook 08, PCA-L1 and its kernel version."""

import numpy as np

from ... import datasets
from ...datasets import HILLS, LINE_AND_OUTLIER, WITH_MEAN
from ...kernels import Gaussian, Polynomial
from ...measures import share_between
from ...pca import PCA, KernelPCA
from ...pca_l1 import L1PCA, PCAL1, R1PCA, Coordinates, KernelPCAL1, climb
from ...show.style import COLORS, DIVERGING, GRID, INK, MINUS, MUTED, PAPER, PLUS
from ...show.toolbox import framed, inner_ticks, minus, over_grid, points, scatter_classes, score_map, segments
from ...show.widgets import figure_of, panels
from ..errata.pca_l1 import as_printed
from ..experiments.pca_l1 import frames
from ..plane import angle_of, apart, unit
from ..samples import around_a_line

METHODS = {"L2": PCA(1), "PCA-L1": PCAL1(), "R1": R1PCA(), "L1 error": L1PCA()}
LINES = ["-", "-", "--", ":"]
KERNELS = {"(xᵀz + 1)²": Polynomial(2), "Gaussian, width 2": Gaussian(2.0)}
DOTS = {"size": 49, "color": INK, "edgecolors": INK, "linewidths": 1, "zorder": 2}
ANGLES = np.arange(0, 180.25, 0.25)


@panels(1, 2)
def pulled(axes, X, outlier):
    """One point against ten: the axis of squares, and the axis of absolute values."""
    others = np.delete(np.arange(len(X)), outlier)
    truth = angle_of(PCA(1).fit(X[others]).components_[0])
    off = []
    for ax, name in zip(axes, ("L2", "PCA-L1"), strict=True):
        w = METHODS[name].fit(X).components_[0]
        off.append(apart(angle_of(w), truth))
        _line(ax, unit(truth), 14, through=X[others].mean(0), color=GRID, lw=9)
        _line(ax, w, 14, through=X.mean(0), color=COLORS[0 if name == "L2" else 1])
        points(ax, X, others, **DOTS)
        points(ax, X, [outlier], size=121, color=COLORS[3], marker="D", edgecolors=COLORS[3], linewidths=1, zorder=2)
        ax.set(title=f"{name}: {off[-1]:.1f}° off", xlim=(-11.5, 11.5), ylim=(-8, 8), aspect="equal")
    return f"The round points alone give the grey band; the pink one turns L2 by {off[0]:.1f}°, L1 by {off[1]:.1f}°."


@panels(1, 2)
def two_views(axes, X):
    """Dispersion and error of every direction: opposite sums of squares, unequal sums of absolute values."""
    X, angles = X - X.mean(0), np.arange(0, 180.01, 0.01)
    along, across = X @ unit(angles).T, X @ unit(angles + 90).T
    best = []
    for ax, power, title in zip(axes, (2, 1), ("sums of squares", "sums of absolute values"), strict=True):
        sums = [(np.abs(s) ** power).sum(0) for s in (along, across)]
        peaks = [angles[sums[0].argmax()], angles[sums[1].argmin()]]
        for s, at, color, line, name in zip(sums, peaks, COLORS, "-:", ("dispersion", "error"), strict=False):
            ax.plot(angles, s, line, color=color, lw=3, label=name)
            ax.plot(at, s[angles == at], "o", color=color, ms=11)
        ax.set(title=title, xlabel="angle of the axis (degrees)", xticks=range(0, 181, 45))
        ax.set(ylim=(0, 1.3 * sums[0].max()))
        ax.legend(loc="upper center", ncols=2)
        best.append(peaks)
    (square, _), (large, small) = best
    return (
        f"With squares the largest dispersion and the smallest error are one axis, at {square:.1f}°; with absolute "
        f"values they part: {large:.1f}° and {small:.1f}°."
    )


@panels(1, 2, widths=[1.45, 1])
def frame(axes, X, steps, t):
    """The points and w, and the dispersion so far."""
    left, right = axes
    now, mean = steps[t], X.mean(0)
    (low, bottom), (high, top) = _frame(X)
    sides = {1: (PLUS, "o"), -1: (MINUS, "^")} if now.kind != "start" else dict.fromkeys((1, -1), (INK, "o"))
    for sign, (color, marker) in sides.items():
        rows = np.flatnonzero(now.signs == sign)
        look = {"size": 81, "marker": marker, "edgecolors": color, "linewidths": 1, "zorder": 2}
        if now.kind == "flip" and sign < 0:
            there = 2 * mean - X[rows]
            left.plot(*segments(X[rows], there), color=GRID, lw=1.5, zorder=0)
            points(left, X, rows, **look | {"size": 49, "color": PAPER, "linewidths": 1.5})
            left.plot(*there.T, "^", color=MINUS, ms=9)
        else:
            points(left, X, rows, **look, color=color)
    if now.kind in ("polarity", "rest"):
        _line(left, unit(angle_of(now.w) + 90), 40, through=mean, color=MUTED, lw=1.5, ls="--", zorder=0)
    _arrow(left, 0.31 * (high - low) * now.w, INK, start=mean)
    left.set(xlim=(low, high), ylim=(bottom, top), aspect="equal", xticks=[], yticks=[])
    turns = int((now.signs < 0).sum())
    titles = {"start": "pick any w", "polarity": "which side?", "flip": "flip and add up", "rest": "as before: stop"}
    left.set(title=titles[now.kind])
    heights = [step.dispersion for step in steps[: t + 1] if step.kind in ("start", "flip")]
    bars = right.bar(range(len(heights)), heights, color=MUTED)
    bars[-1].set_color(INK)
    right.bar_label(bars, [f"{h:.1f}" for h in heights], padding=3)
    count = sum(step.kind in ("start", "flip") for step in steps)
    right.set(title="dispersion", xlabel="round", xlim=(-0.6, count - 0.4), ylim=(0, 1.15 * steps[-1].dispersion))
    right.set_xticks(range(count))
    lie, those = ("lies", "That one is") if turns == 1 else ("lie", f"Those {turns} are")
    return {
        "start": f"w may point anywhere; here, at {angle_of(now.w):.0f}°, the dispersion is {now.dispersion:.1f}.",
        "polarity": f"{turns} of {len(X)} points {lie} behind the dashed line, where wᵀx < 0: their polarity is −1.",
        "flip": f"{those} turned over, and the sum of all gives the new w, at {angle_of(now.w):.1f}°.",
        "rest": f"The sides are the same as before, so w = ({now.w[0]:.2f}, {now.w[1]:.2f}) stays, at "
        f"a dispersion of {now.dispersion:.1f}.",
    }[now.kind]


@panels(1, 2, widths=[1, 1.5])
def hills(axes, X, start=117):
    """Dispersion against the angle, and the way up from a start."""
    left, right = axes
    _spread(X)
    mean, centred = X.mean(0), X - X.mean(0)
    s = np.abs(centred @ unit(ANGLES).T)
    rounds = list(climb(Coordinates(centred), unit(start)))
    path = np.array([[angle_of(w), reached] for w, _, reached in rounds])
    squares, best = np.sqrt(len(X) * (s**2).sum(0)), s.sum(0)
    right.plot(ANGLES, squares, color=MUTED, ls="--", label="L2")
    right.plot(ANGLES, best, color=COLORS[0], lw=3, label="L1")
    right.plot(*path.T, "o", color=COLORS[1], ms=6)[0].of = None  # rounds, not points
    for a, b in zip(path, path[1:], strict=False):
        over = 180 * np.round((a[0] - b[0]) / 180)  # 179° and 0° are neighbours: out at one end, in at the other
        for turn in {0, over}:
            arrow = right.annotate(
                "",
                b + [over - turn, 0],
                a - [turn, 0],
                annotation_clip=False,
                arrowprops={"arrowstyle": "->", "color": COLORS[1], "lw": 2},
            )
            arrow.arrow_patch.set_clip_box(right.bbox)
    right.plot(*path[-1], "*", color=COLORS[1], ms=20)
    right.set(title="dispersion of each direction", xlabel="angle of w (degrees)", xlim=(0, 180))
    right.set_ylim(min(14, 0.8 * best.min()), max(34, 1.04 * squares.max()))  # wherever a reader puts the points
    right.set_xticks(range(0, 181, 30))
    right.legend(loc="lower right", ncols=2)
    points(left, X, **DOTS)
    for i, (w, _, _) in enumerate(rounds):
        _arrow(left, 7 * w, COLORS[1] if i else MUTED, lw=4 if i == len(rounds) - 1 else 2, start=mean)
    left.set(title="the points and each w", xlim=(-9, 9), ylim=(-9, 9), aspect="equal", xticks=[], yticks=[])
    verdict = "the highest hill" if path[-1, 1] > 0.999 * best.max() else f"but the highest hill has {best.max():.1f}"
    return (
        f"From {start:g}° the climb ends at {path[-1, 0]:.0f}°, after {len(rounds) - 1} "
        f"{'change' if len(rounds) == 2 else 'changes'} of w, with a dispersion of {path[-1, 1]:.1f}: {verdict}."
    )


@panels(1, 2, widths=[1.45, 1])
def dragged(axes, X, outlier):
    """Four directions of the same points and one outlier (1, 2)."""
    left, right = axes
    truth = angle_of(PCA(1).fit(X).components_[0])
    everything, (x, y) = np.vstack([X, outlier]), outlier[0]
    left.plot(*X.T, "o", color=INK, ms=6)
    points(left, outlier, size=169, color=COLORS[4], marker="D", edgecolors=INK, linewidths=1, zorder=2)
    off = []
    for i, (model, line) in enumerate(zip(METHODS.values(), LINES, strict=True)):
        model.fit(everything)
        off.append(apart(angle_of(model.components_[0]), truth))
        _line(left, model.components_[0], 25, through=everything.mean(0), color=COLORS[i], ls=line, lw=3)
    left.set(title="data and first axes", xlim=(-13.5, 13.5), ylim=(-11.5, 11.5), aspect="equal", xticks=[], yticks=[])
    bars = right.barh(range(4), off, color=COLORS[:4])
    right.bar_label(bars, [f"{angle:.1f}°" for angle in off], padding=4)
    right.set(title="turned by the outlier", xlim=(0, 110), xticks=[0, 45, 90], yticks=range(4))
    right.set_yticklabels(METHODS)
    right.invert_yaxis()
    turned = ", ".join(f"{name} by {angle:.1f}°" for name, angle in zip(METHODS, off, strict=True))
    place = minus(f"({round(x, 1) + 0.0:g}, {round(y, 1) + 0.0:g})")
    return f"An outlier at {place} turns {turned}."


@panels(1, 2, widths=[1, 1.5])
def never_stops(axes, X, mean_point=True, cap=40):
    """The algorithm of 000/s29-32 with and without a point at the mean, round by round."""
    left, right = axes
    _spread(X)
    at_mean = np.linalg.norm(X - X.mean(0), axis=1) <= 1e-9
    used = X if mean_point else X[~at_mean]
    steps = list(as_printed(used, cap=cap))
    ours = sum(1 for _ in PCAL1(restarts=0).steps(used))
    points(left, X, np.flatnonzero(~at_mean), **DOTS | {"size": 121})
    if mean_point:
        points(left, X, np.flatnonzero(at_mean), **DOTS | {"size": 225, "color": COLORS[1], "edgecolors": COLORS[1]})
    _arrow(left, 2 * steps[-1].w, COLORS[0], start=used.mean(0))
    left.set(title="the data and w", xlim=(-2.6, 2.6), ylim=(-2.2, 2.2), aspect="equal", xticks=[], yticks=[])
    rounds = np.arange(1, len(steps) + 1)
    pushed = np.array([step.pushed for step in steps])
    heights = np.array([step.dispersion for step in steps])
    for which, marker, color, label in ((~pushed, "o", COLORS[0], "steps 2-3"), (pushed, "X", COLORS[1], "pushed")):
        right.plot(rounds[which], heights[which], marker, color=color, label=label)[0].of = None  # rounds, not points
    right.set(title="dispersion, round by round", xlabel="round", xlim=(0, 1.06 * cap), ylim=(0, 10))
    inner_ticks(right)
    right.legend(loc="lower right", ncols=2)
    if len(steps) == cap:
        return f"In {cap} rounds w was pushed {pushed.sum()} times, and it is not at rest."
    rounds = f"{len(steps)} round{'s' * (len(steps) > 1)}"
    return f"Without a point at the mean the algorithm stops after {rounds}, kmlab's after {ours}."


@panels(1, 3, size=(9.6, 4.6))
def raster(axes, X, width=1.0, component=1, seed=0):
    """Polarity of every point (across) in every round of seven climbs (down), by both kernel routes."""
    order = np.argsort(np.arctan2(*(X - X.mean(0)).T))
    signs, ends = [], []
    for route in ("gram", "npt"):
        model = KernelPCAL1(Gaussian(width), component, route=route, restarts=6, seed=seed)
        steps = [step for step in model.steps(X) if step.component == component - 1]
        signs.append(np.array([step.signs for step in steps])[:, order])
        ends = [i for i in range(1, len(steps)) if steps[i].start != steps[i - 1].start]
    titles = ("from K alone", "by NPT", "difference")
    for ax, image, title in zip(axes, (*signs, signs[0] - signs[1]), titles, strict=True):
        ax.imshow(image, cmap=DIVERGING, vmin=-1.6, vmax=1.6, aspect="auto", interpolation="nearest")
        ax.hlines(np.array(ends) - 0.5, -0.5, len(X) - 0.5, color=INK, lw=1.5)
        ax.set(title=title, xlabel="point", xticks=[], yticks=[])
    axes[0].set(ylabel="round (a line: new start)")
    differ = int((signs[0] != signs[1]).sum())
    return (
        f"Kernel width {width:.2g}, component {component}, green +1 and purple −1: {differ} of {signs[0].size:,} signs "
        "differ."
    )


@panels(1, 2, size=(9.6, 4.7))
def rings_and_outliers(axes, X, y, kernel="(xᵀz + 1)²", distance=6.0):
    """First component of kernel PCA and of its L1 version, on rings with three outliers."""
    outliers = distance * np.array([0.95, 1.0, 1.05])[:, None] * unit(30)
    data, shares = np.vstack([X, outliers]), []
    xs = ys = np.linspace(-4.2, 4.2, 50)
    models = {"L2": KernelPCA(KERNELS[kernel], 1), "L1": KernelPCAL1(KERNELS[kernel])}
    for ax, (name, model) in zip(axes, models.items(), strict=True):
        scores = model.fit(data).transform(X)[:, 0]
        sign = np.sign(scores[y == y.max()].mean() - scores[y == y.min()].mean())
        score_map(ax, xs, ys, sign * over_grid(model.transform, xs, ys))
        scatter_classes(ax, X, y, size=26)
        ax.plot(*outliers.T, "D", color=INK, ms=9)
        if distance > 4:
            ax.annotate(
                "outliers",
                4.6 * unit(30),
                3 * unit(30),
                ha="right",
                arrowprops={"arrowstyle": "-|>", "lw": 2},
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 2},
            )
        shares.append(share_between(scores, y))
        ax.set(title=f"{name}: {shares[-1]:.0%} between the rings", **framed(xs, ys))
    return (
        f"Three outliers at distance {distance:g}; colour is component 1. Of its variance on the ring points "
        f"{shares[0]:.0%} lies between the rings for L2, {shares[1]:.0%} for L1."
    )


def _spread(X):
    if len(X) < 2 or not np.ptp(X, axis=0).any():
        raise ValueError("A direction takes two points at different places: click one into the picture, or drag one.")


def _frame(X):
    """Corners of a picture of centred points; those of the frame where a reader may move them."""
    hand, reach = getattr(X, "hand", None), 1.15 * np.abs(X).max()
    return (np.array([[-1, -0.72], [1, 0.72]]) * reach if hand is None else hand.frame).tolist()


def _line(ax, w, reach, through=(0.0, 0.0), **look):
    ax.plot(*(np.asarray(through)[:, None] + np.outer(w, [-reach, reach])), **look)


def _arrow(ax, to, color, lw=4, start=(0.0, 0.0)):
    ax.annotate(
        "",
        to + np.asarray(start),
        start,
        arrowprops={"arrowstyle": "-|>", "color": color, "lw": lw, "mutation_scale": 22},
    )


def figures():
    rings, ring = datasets.rings((0.2, 1, 3.2), 40, noise=0.12)
    steps = list(frames(LINE_AND_OUTLIER, 110))
    shown = {"start": 0, "polarity": 1, "flip": 2, "rest": len(steps) - 1}
    return {
        "pulled": lambda: figure_of(pulled, LINE_AND_OUTLIER, 5),
        "two_views": lambda: figure_of(two_views, LINE_AND_OUTLIER),
        **{
            f"frame_{kind}": lambda t=t: figure_of(frame, LINE_AND_OUTLIER, steps=steps, t=t)
            for kind, t in shown.items()
        },
        "hills": lambda: figure_of(hills, HILLS),
        "dragged": lambda: figure_of(dragged, around_a_line(), np.array([[8.0, -9.0]])),
        "never_stops": lambda: figure_of(never_stops, WITH_MEAN),
        "raster": lambda: figure_of(raster, datasets.two_moons(80)[0]),
        "rings_and_outliers": lambda: figure_of(rings_and_outliers, rings, ring),
    }
