"""Pictures of notebook 05, PCA, the Rayleigh quotient and its dual."""

from functools import partial

import numpy as np

from ... import datasets
from ...datasets import S_B, clusters_on_a_circle, parallel_classes
from ...measures import cut_accuracy, quotient, strip
from ...pca import PCA
from ...show.style import COLORS, GRID, INK, MARKERS, MUTED, PAPER, SEQUENTIAL
from ...show.toolbox import color_map, color_scale, framed, heat, points, scatter_classes, segments, symmetric, tidy
from ...show.widgets import figure_of, panels
from ..errata.lecture_003 import best_direction
from ..experiments import seconds
from ..experiments.pca import dual_recipe
from ..plane import unit
from ..samples import flat_cloud, tilted_cloud, zeros_and_ones

DEGREES = np.linspace(0, 360, 361)
FORMULAS = {"S_W": False, "S_W⁻¹": True}


# ---- one number for each point --------------------------------------------------------------------------------------


@panels(1, 2)
def keep_one(axes, X):
    """One number for each point: the first coordinate, or the first component."""
    model = PCA(1).fit(X)
    lost = []
    for ax, w, name in zip(axes, ([1.0, 0.0], model.components_[0]), ("x", "component 1"), strict=True):
        lost.append(1 - _shadows(ax, X, np.array(w)) / X.var(0).sum())
        ax.set(title=f"keep {name}: {lost[-1]:.0%} lost")
    return f"Keeping x alone loses {lost[0]:.0%} of the variance, keeping the first component {lost[1]:.0%}."


@panels(1, 2)
def direction(axes, theta=100, ratio=4.0):
    """Shadows on an axis that turns, and the variance they have in every direction."""
    left, right = axes
    X, w = tilted_cloud(ratio), unit(theta)
    kept = _shadows(left, X, w)
    left.set(title=f"kept {tidy(kept)} + lost {tidy(2 - kept)} = 2")
    C = np.cov(X.T, bias=True)
    W = unit(DEGREES)
    peanut = W * quotient(W, C, np.eye(2))[:, None]
    right.fill(*peanut.T, color=COLORS[0], alpha=0.15)
    right.plot(*peanut.T, color=COLORS[0])
    model = PCA(2).fit(X)
    if ratio > 1:
        for v, look in zip(model.components_, ("-", ":"), strict=True):
            right.plot(*np.outer(v, [-2, 2]), look, color=MUTED, lw=1.5, zorder=0)
    right.plot(*np.outer(kept * w, [-1, 1]), color=COLORS[1], marker="o", lw=3)
    right.set(title="variance in every direction", xlim=(-2.1, 2.1), ylim=(-2.1, 2.1), aspect="equal")
    right.set(xticks=[], yticks=[])
    return f"Direction {theta}°: the shadows keep a variance of {tidy(kept)} and lose {tidy(2 - kept)}."


def _shadows(ax, X, w, reach=2.8):
    """Points, the axis along w, and the way from each point to its shadow there; -> the variance of the shadows."""
    middle = X.mean(0)
    scores = (X - middle) @ w
    shadows = middle + np.outer(scores, w)
    ax.plot(*(middle + np.outer([-2 * reach, 2 * reach], w)).T, color=INK, lw=1.5, zorder=1)
    ax.plot(*segments(np.array(X), shadows), color=MUTED, lw=1, alpha=0.6, zorder=0)
    points(ax, X, None, 36, COLORS[0], zorder=2)
    points(ax, shadows, None, 20, COLORS[1], linewidths=0.4, zorder=2)
    low, high = (middle - reach, middle + reach) if getattr(X, "hand", None) is None else X.hand.frame
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xticks=[], yticks=[])
    return float(scores.var())


@panels(1, 2, widths=[1.25, 1], projections={0: "3d"})
def pancake(axes, X):
    """Flat data in space: two axes lie in it, the third sticks out and may go."""
    left, right = axes
    model = PCA(3).fit(X)
    side = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * 2 * np.sqrt(model.explained_variance_[:2])
    plane = side @ model.components_[:2] + model.mean_
    left.plot_trisurf(*plane[:4].T, triangles=[[0, 1, 2], [0, 2, 3]], color=COLORS[0], alpha=0.15, shade=False)
    left.plot(*X.T, "o", color=COLORS[0], ms=3.5)
    for v, spread, color in zip(model.components_, np.sqrt(model.explained_variance_), COLORS[1:], strict=False):
        left.plot(*np.column_stack([model.mean_, model.mean_ + 2 * spread * v]), color=color, lw=4)
    left.set(title="a cloud in space and its axes", xlim=(-4, 4), ylim=(-4, 4), zlim=(-4, 4))
    left.set_box_aspect((1, 1, 1), zoom=1.3)
    left.set_axis_off()
    left.view_init(elev=15, azim=20)
    share = model.explained_variance_ratio_
    right.bar([1, 2, 3], 100 * share, color=COLORS[1:4])
    right.set(title="share of the variance", xlabel="component", ylabel="%", xticks=[1, 2, 3], ylim=(0, 100))
    return f"Two of three components hold {share[:2].sum():.1%} of the variance: the cloud is a plane and some noise."


# ---- the dual -------------------------------------------------------------------------------------------------------


@panels(1, 3, widths=[1, 0.1, 1.1])
def dual_frame(axes, y, steps, t):
    """What a line of dual PCA makes, and its numbers."""
    left, gap, right = axes
    gap.set_axis_off()
    stage = steps[t]
    A = stage.value
    if A.ndim == 1:
        A = A.reshape(8, 8)
    elif A.shape[0] != A.shape[1]:
        A = _mosaic(A)
    heat(left, A, **symmetric(A))
    left.set(title=stage.name, xticks=[], yticks=[])
    title, numbers = stage.beside
    number = np.arange(1, len(numbers) + 1)
    if len(number) == len(y):
        for i, label in enumerate(np.unique(y)):
            right.bar(number[y == label], numbers[y == label], color=COLORS[i], label=f"digit {label}")
        right.legend(loc="upper right", ncols=2)
    else:
        right.bar(number, numbers, color=MUTED)
    right.axhline(0, color=MUTED, lw=1)
    right.set(title=title, xlabel="image" if len(number) == len(y) else "number", xlim=(0, len(y) + 1))
    right.margins(y=0.25)
    right.locator_params(nbins=6)
    return f"{stage.name}. {stage.sentence}"


def _mosaic(images, columns=5):
    """Rows of 64 numbers as 8 x 8 pictures side by side, with a thin gap between them."""
    tiles = np.pad(images.reshape(-1, columns, 8, 8), ((0, 0), (0, 0), (0, 1), (0, 1)))
    return tiles.transpose(0, 2, 1, 3).reshape(-1, 9 * columns)[:-1, :-1]


@panels(1, 1, size=(9.6, 4.6))
def run_time(axes, n=60):
    """Seconds for the first two axes of n points, by both routes, as the dimension grows."""
    ax = axes[0]
    dims = np.array([8, 16, 32, 64, 128, 256, 512, 900])
    rng = np.random.default_rng(0)
    samples = [rng.standard_normal((n, d)) for d in dims]
    looks = zip(("primal", "dual"), ("d × d", "n × n"), (3, 1), (2.2, 0.45), COLORS, MARKERS, strict=False)
    for route, size, power, beside, color, marker in looks:
        ms = 1e3 * np.array([seconds(partial(PCA(2, route).fit, X), 1, 0.01) for X in samples])
        ax.loglog(dims, ms, color=color, marker=marker, label=f"{route}: {size}")
        guide = beside * ms[-1] * (dims[-3:] / dims[-1]) ** power
        ax.loglog(dims[-3:], guide, "--", color=MUTED, lw=1.5)
        ax.text(1.08 * dims[-1], guide[-1], "∝ d³" if power == 3 else "∝ d", color=MUTED, va="center")
    ax.axvline(n, color=GRID, zorder=0)
    ax.text(n * 1.04, 0.03, "d = n", color=MUTED, transform=ax.get_xaxis_transform())
    ax.set(xlabel="dimension d", ylabel="milliseconds, this machine", xlim=(6.5, 1400), ylim=(0.03, 1000))
    ax.set(title=f"PCA of {n} points, timed just now")
    ax.legend(loc="upper left", frameon=True, framealpha=1, edgecolor=PAPER)
    return (
        f"{n} points in 8 to 900 dimensions: milliseconds with the d × d matrix (primal) and the {n} × {n} one (dual)."
    )


# ---- the Rayleigh quotient ------------------------------------------------------------------------------------------


@panels(1, 2, widths=[1, 1.25])
def rayleigh_landscape(axes, s11=0.4, s22=4.2, s12=-0.3, inverse=False):
    """Left wᵀS_B w as a map and the curve wᵀS_W w = 1 on it; right the quotient in every direction."""
    left, right = axes
    S_W = np.array([[s11, s12], [s12, s22]])
    w = best_direction(S_B, S_W, inverse)
    lengths = quotient(unit(DEGREES), np.eye(2), S_W) ** 0.5
    reach = max(2.4, 1.1 * lengths.max())  # a long curve has room, or its dots would be outside
    grid, zoom = np.linspace(-reach, reach, 61), (reach / 2.4) ** 2
    height = _form(np.stack(np.meshgrid(grid, grid), -1), S_B)
    color_scale(left, color_map(left, grid, grid, height, cmap=SEQUENTIAL, vmin=0, vmax=16 * zoom), "height")
    left.contour(grid, grid, height, levels=zoom * np.array([1, 2, 4, 6, 9, 12, 16]), colors=PAPER, linewidths=0.8)
    left.plot(*(unit(DEGREES) * lengths[:, None]).T, color=PAPER, lw=3)
    here = w / np.sqrt(_form(w, S_W))
    left.plot(*np.outer(here, [-1, 1]), "o", color=COLORS[1], ms=10, mec="white", mew=1.5)
    left.set(title="height wᵀS$_B$w, curve wᵀS$_W$w = 1", **framed(grid, grid))
    degrees = DEGREES[:181]
    values, found = quotient(unit(degrees), S_B, S_W), float(quotient(w, S_B, S_W))
    top = float(quotient(best_direction(S_B, S_W), S_B, S_W))
    right.plot(degrees, values, color=COLORS[0], lw=3)
    right.axhline(top, color=MUTED, ls="--", lw=1.5)
    right.plot(np.degrees(np.arctan2(w[1], w[0])) % 180, found, "o", color=COLORS[1], ms=12, mec="white", mew=1.5)
    right.set(title=f"found {found:.3f}, possible {top:.3f}", xlabel="direction of w, degrees", ylabel="quotient")
    right.set(xlim=(0, 180), ylim=(0, 1.12 * top), xticks=[0, 45, 90, 135, 180])
    right.yaxis.set_label_coords(-0.12, 0.5)  # wherever the numbers end
    formula = "S_B w = λ S_W⁻¹ w" if inverse else "S_B w = λ S_W w"
    verdict = "the maximum" if found > (1 - 1e-9) * top else f"while {top:.3f} is possible"
    return f"{formula} finds a direction with quotient {found:.3f}, {verdict}."


def _form(w, S):
    return np.einsum("...i,ij,...j", w, S, w)


# ---- what PCA does not know -----------------------------------------------------------------------------------------


@panels(1, 3, size=(9.6, 3.9), widths=[1.15, 1, 1])
def class_gap(axes, gap=1.0):
    """Two classes in parallel and the two components: which of them tells the classes apart?"""
    data, *histograms = axes
    X, y = parallel_classes(gap)
    model = PCA(2)
    Z = model.fit_transform(X)
    scatter_classes(data, X, y, size=22)
    for v, look, reach in zip(model.components_, ("-", ":"), (5.5, 3.5), strict=True):
        data.plot(*(np.outer(v, [-reach, reach]) + model.mean_[:, None]), look, color=INK, zorder=0)
    data.set(title=f"classes {gap:g} apart", xlim=(-6.7, 6.7), ylim=(-6.7, 6.7), aspect="equal", xticks=[], yticks=[])
    right = [cut_accuracy(Z[:, j], y) for j in (0, 1)]
    for j, ax in enumerate(histograms):
        reach = 1.05 * np.abs(Z[:, j]).max()
        for label in (0, 1):
            counts, edges = np.histogram(Z[y == label, j], bins=24, range=(-reach, reach))
            ax.stairs(counts, edges, fill=True, alpha=0.65, color=COLORS[label])
        ax.set(title=f"component {j + 1}: {right[j]:.0%} right", yticks=[], xlim=(-reach, reach))
        ax.locator_params(axis="x", nbins=5, steps=[1, 2, 5, 10])
        ax.set_xticks([tick for tick in ax.get_xticks() if abs(tick) < 0.93 * reach])  # none is cut at the edge
        ax.set(xlabel=f"variance {model.explained_variance_[j]:.2f}")
    return f"Classes {gap:g} apart: cuts on components 1 and 2 get {right[0]:.0%} and {right[1]:.0%} of them right."


@panels(1, 2)
def straight_axes(axes, arc, clusters, cluster):
    """The two questions of 002/s12: data on a curve, and more clusters than axes."""
    left, right = axes
    kept = _shadows(left, arc, PCA(1).fit(arc).components_[0], reach=1.3) / arc.var(0).sum()
    left.set(title=f"a curve: {1 - kept:.0%} lost")
    scatter_classes(right, clusters, cluster)
    for v, style in zip(PCA(2).fit(clusters).components_, ("-", ":"), strict=True):
        right.plot(*np.outer(v, [-1.5, 1.5]), style, color=INK, lw=1.5, zorder=0)
    k = len(np.unique(cluster))
    right.set(title=f"{k} clusters, 2 axes", xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), aspect="equal", xticks=[], yticks=[])
    return f"A straight axis through a curve loses {1 - kept:.0%} of the variance; {k} clusters share two axes."


@panels(1, 2)
def one_line_each(axes, centers):
    """For every cluster the widest empty strip between it and all others; centers (n, 2)."""
    left, right = axes
    if len(centers) < 2:
        raise ValueError("There are no others to be cut off from: click a second cluster into the picture.")
    n = len(centers)
    y = np.repeat(np.arange(n), 25)
    X, widths = np.array(centers)[y] + 0.04 * np.random.default_rng(0).standard_normal((len(y), 2)), []
    names = []
    for c in range(n):
        width, w, middle = strip(X, y == c)
        widths.append(width)
        if width > 0:
            ends = np.outer([-1, 1], [-w[1], w[0]]) * 2.6 + middle * w
            left.plot(*ends.T, color=COLORS[c % 7], lw=1.5, zorder=0)
        outwards = centers[c] / np.linalg.norm(centers[c]) if centers[c].any() else unit(90)
        names.append(X[y == c].mean(0) + 0.28 * outwards)
        left.text(*names[-1], c + 1, ha="center", va="center")
    points(left, np.array(names), None, 220, PAPER, "s", zorder=0.5).of = None  # no line through a name
    scatter_classes(left, X, y, size=22)
    if getattr(centers, "hand", None) is not None:  # rings to take hold of
        points(left, centers, None, 900, "none", edgecolors=MUTED, linewidths=1.0)
    left.set(title="the lines that cut one off", aspect="equal", xticks=[], yticks=[])
    left.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6))
    widths, colors = np.array(widths), [COLORS[c % 7] if widths[c] > 0 else MUTED for c in range(n)]
    right.bar(range(1, n + 1), widths, color=colors)
    right.axhline(0, color=INK, lw=1)
    right.set(title="width of the empty strip", xlabel="cluster", xticks=range(1, n + 1), ylim=(-1, 1.5))
    return f"Cut off from all others by a straight line: {int((widths > 0).sum())} of {n} clusters."


# ---- where it breaks ------------------------------------------------------------------------------------------------


@panels(1, 2)
def shaky_axes(axes, ratio=1.0, n=60, resamples=40):
    """The first axis of many samples from the same cloud."""
    left, right = axes
    X, rng = tilted_cloud(ratio, n=n), np.random.default_rng(0)
    V = np.array([PCA(1).fit(X[rng.integers(0, n, n)]).components_[0] for _ in range(resamples)])
    left.plot(*segments(-3 * V, 3 * V), color=COLORS[1], lw=1, alpha=0.7)
    left.plot(*X.T, "o", color=COLORS[0], ms=5, mec="white", mew=0.5)
    left.set(title=f"{resamples} first axes", xlim=(-3, 3), ylim=(-3, 3), aspect="equal", xticks=[], yticks=[])
    off = (np.degrees(np.arctan2(V[:, 1], V[:, 0])) - 35 + 90) % 180 - 90
    right.hist(off, bins=36, range=(-90, 90), color=COLORS[1])
    right.set(title="how far from 35°", xlabel="degrees", ylabel="axes", xlim=(-90, 90), ylim=(0, 0.8 * resamples))
    right.set(xticks=[-90, -45, 0, 45, 90])
    half = np.median(np.abs(off))
    return f"λ₁/λ₂ = {ratio:g}, {n} points drawn again: half of the first axes are off by more than {half:.0f}°."


@panels(1, 2)
def units(axes, X, factor=10.0, standardise=False):
    """The second column in other units: who makes the first axis?"""
    left, right = axes
    Y = X * [1, factor]
    if standardise:
        Y = (Y - Y.mean(0)) / Y.std(0)
    model = PCA(2).fit(Y)
    reach = 1.15 * np.abs(Y).max()
    left.plot(*np.outer(model.components_[0], [-reach, reach]), color=COLORS[1], lw=3, zorder=0)
    left.plot(*Y.T, "o", color=COLORS[0], ms=6, mec="white", mew=0.6)
    left.set(title="what PCA sees", xlabel="column 1", ylabel="column 2", aspect="equal")
    left.set(xlim=(-reach, reach), ylim=(-reach, reach))
    left.locator_params(nbins=4)
    left.yaxis.set_label_coords(-0.24, 0.5)  # room for numbers of three digits
    weight = 100 * model.components_[0] ** 2
    right.bar([1, 2], weight, color=MUTED)
    right.set(title="who makes the first axis", xlabel="column", ylabel="% of the axis", xticks=[1, 2], ylim=(0, 105))
    how = "after division by the standard deviations" if standardise else f"with column 2 times {factor:.3g}"
    return f"The first axis is {weight[0]:.1f}% column 1 and {weight[1]:.1f}% column 2, {how}."


@panels(1, 2, widths=[1.2, 1])
def outlier(axes, X, far):
    """One point, far (1, 2), leaves the cloud, and the axis follows; how far, for all distances in its direction."""
    left, right = axes
    clean = PCA(2).fit(X)
    away = np.array(far[0]) - clean.mean_
    distance = np.linalg.norm(away)
    away = away / distance if distance else clean.components_[0]

    def turned(distances):
        n, Xc = len(X), X - clean.mean_
        scatters = Xc.T @ Xc + np.square(distances)[:, None, None] * np.outer(away, away) * n / (n + 1)
        V = np.linalg.eigh(scatters)[1][..., -1]
        return np.degrees(np.arccos(np.minimum(np.abs(V @ clean.components_[0]), 1)))

    model = PCA(1).fit(np.vstack([X, far]))
    for v, center, color, look in (
        (clean.components_[0], clean.mean_, MUTED, "--"),
        (model.components_[0], model.mean_, COLORS[1], "-"),
    ):
        left.plot(*(np.outer(v, [-25, 25]) + center[:, None]), look, color=color, lw=2.5)
    left.plot(*X.T, "o", color=COLORS[0], ms=5, mec="white", mew=0.5)
    points(left, far, None, 144, COLORS[1], "X", linewidths=1.0, zorder=2)
    left.set(title=f"{len(X)} points and one more", aspect="equal", xticks=[], yticks=[])
    left.set(xlim=(-12, 7), ylim=(-4, 15))
    top = 15 if getattr(far, "hand", None) is None else np.linalg.norm(np.abs(far.hand.frame).max(0))
    distances = np.linspace(0, top, 46)
    right.plot(distances, turned(distances), color=COLORS[0])
    angle = float(turned([distance])[0])
    right.plot(distance, angle, "o", color=COLORS[1], ms=12, mec="white", mew=1.5, clip_on=False)
    right.set(title="the first axis turns by", xlabel="distance of one point", ylabel="degrees", ylim=(-4, 94))
    right.set(yticks=[0, 30, 60, 90], xlim=(0, top + 0.4))
    off = np.degrees(np.arccos(min(abs(away @ clean.components_[0]), 1)))
    where = f"{distance:.1f} away in a direction {off:.0f}° off the first axis"
    return f"One point of {len(X) + 1}, {where}, turns this axis by {angle:.0f}°."


def figures():
    X, y = zeros_and_ones()
    steps = list(dual_recipe(X))
    return {
        "keep_one": lambda: figure_of(keep_one, tilted_cloud(8.0)),
        "rotated_axes": lambda: figure_of(class_gap, gap=6.0),
        "direction": lambda: figure_of(direction),
        "pancake": lambda: figure_of(pancake, flat_cloud()),
        "dual": lambda: figure_of(dual_frame, y, steps=steps, t=2),
        "rayleigh": lambda: figure_of(rayleigh_landscape),
        "class_gap": lambda: figure_of(class_gap),
        "straight_axes": lambda: figure_of(straight_axes, datasets.half_circle(80, 0.06)[0], *clusters_on_a_circle()),
        "one_line_each": lambda: figure_of(one_line_each, unit(45 * np.arange(8) + 90)),
        "shaky_axes": lambda: figure_of(shaky_axes),
        "outlier": lambda: figure_of(outlier, tilted_cloud(), [10 * unit(110)]),
    }
