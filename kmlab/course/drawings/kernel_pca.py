"""Pictures of notebook 06, kernel PCA."""

from functools import partial

import numpy as np

from ... import datasets
from ...centering import centered
from ...gram import largest
from ...kernels import Gaussian, Linear, Polynomial
from ...measures import share_between
from ...pca import PCA, KernelPCA, ring_spectrum
from ...show.style import COLORS, GRID, INK, MUTED, SEQUENTIAL
from ...show.toolbox import (
    alone,
    color_scale,
    framed,
    grid_around,
    heat,
    minus,
    named_kernel,
    over_grid,
    scatter_classes,
    score_map,
    steady,
    symmetric,
)
from ...show.widgets import figure_of, panels
from ..errata.kernel_pca import LECTURES, literal_scores

KERNELS = ["Gaussian", "exponential", "polynomial", "linear"]


@panels(1, 2)
def linear_fails(axes, X, y):
    """What linear PCA sees in rings."""
    left, right = axes
    model = PCA(1).fit(X)
    scatter_classes(left, X, y)
    left.plot(*np.outer(model.components_[0], [-2.6, 2.6]), color=INK)
    left.set(title="three rings and their first axis", aspect="equal", xticks=[], yticks=[])
    for ring in np.unique(y):
        right.hist(model.transform(X[y == ring])[:, 0], bins=24, range=(-2.4, 2.4), alpha=0.65, color=COLORS[ring])
    right.set(title="scores on that axis", xlabel="component 1", ylabel="points")
    share = share_between(model.transform(X)[:, 0], y)
    return f"Linear PCA: {share:.0%} of the variance of component 1 lies between the rings, they cover each other."


@panels(1, 2)
def rings_apart(axes, X, y, width=1.2):
    """The first component over the plane, and the rings in the plane of components 1 and 2."""
    left, right = axes
    _several(X, 3)
    model = KernelPCA(Gaussian(width), 2)
    sign, scores = _settled(model, X)
    xs, ys = grid_around(X, 100)
    score_map(left, xs, ys, sign[0] * model.on_grid(xs, ys)[..., 0])
    scatter_classes(left, X, y)
    left.set(title="component 1 over the plane", **framed(xs, ys))
    scatter_classes(right, scores / scores.std(0), y)
    right.set(title="the same points by kernel PCA", xlim=(-3.4, 3.4), ylim=(-3.4, 3.4))
    right.set(xlabel="component 1 (standard deviations)", ylabel="component 2")
    share = share_between(scores[:, 0], y)
    return f"Kernel width {width:.2g}: {share:.0%} of the variance of component 1 lies between the rings." + alone(
        Gaussian(width)(X)
    )


CENTRED = {"Gaussian": Gaussian, "(xᵀz + 1)²": lambda _: Polynomial(2), "linear": lambda _: Linear()}  # of a width


@panels(2, 2, size=(9.6, 5.2), heights=[1.6, 1])
def centring(axes, X, y, kernel="Gaussian", width=1.2, shift=0.0):
    """K beside Kc, the means of their rows, and the first eigenvector of each; X moves to the right by shift."""
    k, X = CENTRED[kernel](width), X + [shift, 0.0]
    K, Kc = k(X), centered(k(X))
    for ax, A, name in (axes[0], K, "K"), (axes[1], Kc, "Kc"):
        color_scale(ax, ax.imshow(A, interpolation="nearest", **symmetric(A)))
        ax.set(title=name, xticks=[], yticks=[])
    (lam, u), (_, v) = largest(K, 1), largest(Kc, 1)
    means, first = axes[2:]
    for A, w, color, name in (K, u, COLORS[1], "K"), (Kc, v, COLORS[0], "Kc"):
        means.plot(A.mean(0) / np.abs(K).max(), color=color, label=name)
        first.plot(w[:, 0] * np.where(w[0, 0] < 0, -1, 1), color=color, label=name)
    means.set(title="mean of each row / largest entry of K", xlabel="point", ylim=(-0.3, 1.4), yticks=[0, 0.5, 1])
    first.set(title="first eigenvector", xlabel="point", ylim=(-0.2, 0.3), yticks=[-0.2, 0, 0.2])
    for ax in means, first:
        ax.legend(loc="upper right", ncols=2)
    length2 = max(K.mean(), 0.0)
    along = np.sqrt(lam[0] / length2) * abs(u.mean()) if length2 > 1e-12 else 0.0
    return (
        f"The mean image has length {np.sqrt(length2):.2f}. The first axis of K lies along it with a cosine of "
        f"{along:.2f}; of the variance on that of Kc {share_between(v[:, 0], y):.0%} lies between the rings."
    )


@panels(1, 2)
def score_contours(axes, X, y, kernel="Gaussian", width=0.3, degree=2, component=1):
    """Level lines of one component, and where it stands among the others."""
    left, right = axes
    k = named_kernel(kernel, width, degree)
    _several(X, 2)
    model = KernelPCA(k)
    sign, _ = _settled(model, X)
    xs, ys = grid_around(X, 100)
    share = model.explained_variance_ratio_[:8]
    if component > len(model.lam_):
        raise ValueError(f"This kernel gives {len(model.lam_)} components; move the slider back to see one of them.")
    axis = sign[component - 1] * model.alphas_[:, [component - 1]]  # the others are not drawn
    score_map(left, xs, ys, k.on_grid(xs, ys, X, axis)[..., 0] - model.centerer_.offset(axis))
    scatter_classes(left, X, y)
    left.set(title=f"component {component}", **framed(xs, ys))
    bars = right.bar(np.arange(1, len(share) + 1), 100 * share, color=GRID)
    bars[component - 1].set_color(INK)
    right.set(title="variance of each component", xlabel="component", ylabel="% of the whole", xlim=(0.4, 8.6))
    right.set(ylim=(0, 100), xticks=range(1, 9))
    return (
        f"Component {component} of the {kernel} kernel holds {share[component - 1]:.1%} of the variance; colour is "
        f"its score at every place." + alone(k(X))
    )


@panels(2, 4, size=(9.6, 4.6))
def eight_components(axes, X, y, width=np.sqrt(0.1)):
    """Eight components with the kernel of 004/s26: first the clusters come apart, then each of them is divided."""
    model = KernelPCA(Gaussian(width), 8)
    sign, scores = steady(model.fit_transform(X))
    xs, ys = grid_around(X, 60)
    maps = sign * model.on_grid(xs, ys)
    for j, ax in enumerate(axes):
        score_map(ax, xs, ys, maps[..., j], scale=False)
        ax.plot(*X.T, ".", color=INK, markersize=3)
        ax.set(title=f"{j + 1}:  {model.explained_variance_ratio_[j]:.1%}", **framed(xs, ys))
    whole = model.explained_variance_ratio_.sum()
    return (
        f"Eight components at kernel width {width:.2g}, together {whole:.0%} of the variance: lines of equal score, "
        f"the thick one 0, each map in colours of its own range." + alone(Gaussian(width)(X))
    )


@panels(1, 2)
def straight_and_curved(axes, X, width=1.2):
    """Equal scores: curves in input space, straight lines in the plane of the first two components."""
    left, right = axes
    model = KernelPCA(Gaussian(width), 2)
    scores = model.fit_transform(X)
    xs, ys = grid_around(X, 100)
    levels = np.linspace(scores[:, 0].min(), scores[:, 0].max(), 9)
    left.contour(xs, ys, model.on_grid(xs, ys)[..., 0], levels=levels, cmap=SEQUENTIAL, linewidths=3)
    left.plot(*X.T, "o", color=INK, markersize=4)
    left.set(title="input space: curved", **framed(xs, ys))
    right.vlines(levels, -0.75, 0.75, colors=left.collections[0].get_edgecolor(), linewidths=3)
    right.plot(*scores.T, "o", color=INK, markersize=4)
    right.set(title="feature space: straight", xlabel="component 1", ylabel="component 2", ylim=(-0.75, 0.75))
    return "Each curve on the left is the straight line of its colour on the right: points of equal first score."


@panels(1, 2)
def clouds_before_after(axes, X, y):
    """The example of 002/s23-24 with the kernel (xᵀz + 1)²."""
    left, right = axes
    scores = KernelPCA(Polynomial(2), 2).fit_transform(X)
    scatter_classes(left, X, y)
    left.set(title="three concentric clouds", aspect="equal", xlabel="x", ylabel="y")
    scatter_classes(right, scores, y)
    right.set(title="the same points by kernel PCA", xlabel="component 1", ylabel="component 2")
    return (
        f"With (xᵀz + 1)² {share_between(scores[:, 0], y):.0%} of the variance of component 1 lies between the clouds."
    )


@panels(1, 2, widths=[1, 1.35])
def ring_eigenvalues(axes, inner=1.0, middle=2.0, outer=3.0):
    """Rings of three radii and the spectrum of (xᵀz + 1)²: measured bars, predicted ticks."""
    left, right = axes
    radii = (inner, middle, outer)
    X, y = datasets.rings(radii, 40)
    model = KernelPCA(Polynomial(2))
    scores = model.fit_transform(X)
    measured = np.pad(model.explained_variance_, (0, 5 - len(model.lam_)))  # equal radii: only four are left
    scatter_classes(left, X, y)
    left.set(title="the data", xlim=(-6.5, 6.5), ylim=(-6.5, 6.5), aspect="equal", xticks=[], yticks=[])
    radial = int(np.argmax([share_between(s, y) for s in scores.T])) if len(model.lam_) == 5 else 4
    top = measured[0]
    right.bar(range(1, 6), measured / top, color=MUTED, label="measured")
    right.bar(radial + 1, measured[radial] / top, color=COLORS[3], label="radial")
    right.plot(range(1, 6), ring_spectrum(radii) / top, "_", color=INK, ms=34, mew=3, label="predicted")
    right.set(title="eigenvalues, largest = 1", xlabel="component", ylim=(0, 1.35), xticks=range(1, 6))
    right.legend(loc="upper right", ncols=3)
    if len(model.lam_) < 5:
        return f"Radii {inner:g}, {middle:g}, {outer:g}: measured and predicted eigenvalues; the last one is 0."
    return f"Radii {inner:g}, {middle:g}, {outer:g}: the radial component (pink) is number {radial + 1} of five."


@panels(1, 4, size=(9.6, 2.3))
def four_lectures(axes, X, y, width=0.6):
    """Component 1 by the recipe of each lecture; 002 in the reading with the raw kernel."""
    xs, ys = grid_around(X, 50)
    right, off = literal_scores(Gaussian(width), X, X), {}
    for ax, (lecture, recipe) in zip(axes, LECTURES.items(), strict=True):
        F = over_grid(partial(literal_scores, Gaussian(width), X, **recipe), xs, ys)
        score_map(ax, xs, ys, F, note="")
        scatter_classes(ax, X, y, size=14)
        ax.set(title="002, raw k" if recipe.get("raw_k") else lecture, **framed(xs, ys))
        off[lecture] = np.abs(literal_scores(Gaussian(width), X, X, **recipe) - right).max()
    return (
        f"Component 1 at kernel width {width:.2g}, thick line 0. Off from 000 by up to: 004 {off['004']:.2f}, 002 "
        f"with the raw k {off['002']:.2f}, 003, which centres the inputs, {off['003']:.2f}."
    )


@panels(1, 2)
def recipe_choices(axes, X, y, width=0.6, centering="feature", unit_axes=True, raw_k=False):
    """What each step of the recipe does to component 1: its map, and its scores against those of kernel PCA."""
    left, right = axes
    kernel = Gaussian(width)
    recipe = {"centering": centering, "unit_axes": unit_axes, "raw_k": raw_k}
    xs, ys = grid_around(X, 60)
    score_map(left, xs, ys, over_grid(partial(literal_scores, kernel, X, **recipe), xs, ys))
    scatter_classes(left, X, y)
    left.set(title="component 1, this recipe", **framed(xs, ys))
    truth, scores = KernelPCA(kernel, 1).fit_transform(X)[:, 0], literal_scores(kernel, X, X, **recipe)[:, 0]
    right.axline((0, 0), slope=1, color=MUTED, lw=1.5, zorder=0)
    scatter_classes(right, np.column_stack([truth, scores]), y)
    reach = 1.1 * max(np.abs(truth).max(), np.abs(scores).max())
    right.set(title="the points, by their scores", xlabel="score of kernel PCA", ylabel="score, this recipe")
    right.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    right.yaxis.set_label_coords(-0.2, 0.5)  # wherever the numbers end
    right.locator_params(nbins=5)
    off = np.abs(scores - truth)
    if off.max() < 1e-9:
        return "This is kernel PCA: every score lies on the line."
    low, high = (scores - truth).min(), (scores - truth).max()
    return minus(f"The scores of this recipe minus those of kernel PCA: from {low:+.2f} to {high:+.2f}.")


@panels(1, 3, widths=[1, 0.3, 1.2])
def recipe_frame(axes, X, y, steps, t):
    """The matrix of one stage and, beside it, the picture it gives."""
    left, gap, right = axes
    gap.set_axis_off()  # room for numbers that only later frames have
    stage = steps[t]
    A = stage.value
    square = A.shape[0] == A.shape[1]
    heat(left, A if square else np.repeat(A, -(-len(A) // (2 * A.shape[1])), axis=1), **symmetric(A))
    left.set(title=f"{stage.name}   {A.shape[0]} × {A.shape[1]}", xticks=[], yticks=[])
    if square:
        lam = np.linalg.eigvalsh(A)[::-1][:10] / len(A)
        right.bar(range(1, 11), lam, color=MUTED)
        right.set(title="its ten largest eigenvalues / n", xticks=range(1, 11))
        right.locator_params(axis="y", nbins=5)
    else:
        scatter_classes(right, A[:, :2], y)
        right.set(title="its first two columns, drawn as points")
        right.margins(0.1)
        right.locator_params(nbins=5)
    return f"{stage.name}: {stage.sentence}"


def _several(X, least):
    if len(np.unique(X, axis=0)) < least:
        raise ValueError(f"Kernel PCA needs {least} different points here: click another one into the left panel.")


def _settled(model, X):
    """Signs that keep one place on the positive side, that of point 0 before anybody moved it; -> signs, scores."""
    scores, hand = model.fit_transform(X), getattr(X, "hand", None)
    sign, _ = steady(scores if hand is None else model.transform(hand.first[0][:1]))
    return sign, sign * scores


def figures():
    rings, ring = datasets.rings((0.2, 1, 2), 100, noise=0.08)
    clusters, cluster = datasets.three_clusters()
    return {
        "linear_fails": lambda: figure_of(linear_fails, rings, ring),
        "rings_apart": lambda: figure_of(rings_apart, rings, ring),
        "centring": lambda: figure_of(centring, rings, ring),
        "straight_and_curved": lambda: figure_of(straight_and_curved, datasets.half_circle(120, noise=0.08)[0]),
        "contours": lambda: figure_of(score_contours, clusters, cluster),
        "eight_components": lambda: figure_of(eight_components, clusters, cluster),
        "clouds": lambda: figure_of(clouds_before_after, *datasets.rings((0.5, 2.5, 6), 60, noise=0.25)),
        "ring_eigenvalues": lambda: figure_of(ring_eigenvalues),
        "four_lectures": lambda: figure_of(four_lectures, clusters, cluster),
        "raw_k": lambda: figure_of(recipe_choices, clusters, cluster, raw_k=True),
    }
