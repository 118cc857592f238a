"""Pictures of notebook 04, distances without coordinates."""

from functools import lru_cache

import numpy as np

from ... import datasets
from ...centering import centered
from ...clustering import KernelKMeans, KernelVQ, SpectralClustering, cluster_distance2
from ...gram import largest
from ...kernels import Gaussian, KendallTau, Linear, NegativePower
from ...neighbors import KernelKNN, ParzenClassifier, parzen_density
from ...pca import PCA, KernelPCA
from ...show.style import COLORS, DIVERGING, GRID, INK, MARKERS, MINUS, MUTED, PAPER
from ...show.toolbox import (
    alone,
    framed,
    grid_around,
    heat,
    inner_ticks,
    minus,
    named_kernel,
    over_grid,
    points,
    region_map,
    remembered,
    scatter_classes,
    score_map,
    segments,
    steady,
)
from ...show.widgets import figure_of, panels
from ..samples import house

KERNELS = ["Gaussian", "exponential", "cubic", "linear"]
ASKED = "?"  # class of a point that does not vote
RANKINGS = {"".join(map(str, row)): i for i, row in enumerate(datasets.permutations(4))}


@panels(1, 2)
def plain_fails(axes, X, width=1.0):
    """Two means in the plane, and two means in feature space."""
    found = []
    for ax, kernel in zip(axes, (Linear(), Gaussian(width)), strict=True):
        model = KernelKMeans(kernel, 2).fit(X)
        names = _outwards(X, model.labels_)
        _regions(ax, X, lambda xs, ys, model=model, names=names: names[model.on_grid(xs, ys)])
        scatter_classes(ax, X, names[model.labels_])
        found.append(_sizes(names[model.labels_]))
    axes[0].set_title("means in the plane")
    axes[1].set_title("means in feature space")
    return f"In the plane k-means finds {found[0]} points, a straight cut; in feature space {found[1]}."


@panels(1, 2, widths=[1.15, 1])
def quadratic_form(axes, X, power=2.0):
    """cᵀKc for random c, free and with Σc = 0, and the smallest value there is, against the power."""
    left, right = axes
    K = NegativePower(power)(X)
    free, null = _unit_vectors(len(X))
    values = [np.einsum("ij,ij->i", c @ K, c) for c in (free, null)]
    reach = max(np.abs(v).max() for v in values)
    for v, color, name in zip(values, (MUTED, COLORS[0]), ("any c", "Σc = 0"), strict=True):
        left.stairs(*np.histogram(v, np.linspace(-reach, reach, 61)), fill=True, color=color, alpha=0.75, label=name)
    left.axvline(0, color=INK, lw=1.5)
    left.set(title="cᵀKc for 2,000 random c of length 1", yticks=[], xlim=(-reach, reach))
    left.set_xticks([tick for tick in left.get_xticks() if abs(tick) < 0.9 * reach])  # none is cut at the edge
    left.legend(loc="upper left")
    betas, curve = _lowest_values(X)
    now = _lowest_value(K)
    right.plot(betas, curve, color=INK)
    right.axvline(2, color=GRID, zorder=0)
    ok = now > -1e-9
    right.plot([power], [now], "o", ms=13, color=COLORS[0])
    right.set(title="the worst c with Σc = 0", xlabel="β", ylabel="smallest / largest", ylim=(-0.21, 0.03))
    bad, seen = ((v < 0).sum() for v in values)
    worst = "0" if ok else f"−{-now:.3f}"
    return (
        f"β = {power:g}: below zero are {bad} of the 2,000 random c without a condition and {seen} with Σc = 0; the "
        f"worst c with Σc = 0 reaches {worst} of the largest value."
    )


@panels(1, 2, widths=[1, 1.15])
def reconstruct(axes, X, power=2.0):
    """Points from their distances alone, and the eigenvalues that say how many dimensions they need."""
    left, right = axes
    G = centered(NegativePower(power)(X)) / 2
    lam, U = largest(G, 2)
    Z = _laid_over(U * np.sqrt(lam), X)
    closed = [*range(len(X)), 0]
    left.plot(*(X[closed] - X.mean(0)).T, color=GRID, lw=6, label="the house")
    left.plot(*Z[closed].T, "o-", color=COLORS[0], ms=6, lw=1.5, label="from −k alone")
    left.set(title="the two widest directions", aspect="equal", xticks=[], yticks=[], xlim=(-2, 2), ylim=(-1.6, 2.2))
    left.legend(loc="upper center", ncols=2, columnspacing=1, handlelength=1.2)
    values = np.linalg.eigvalsh(G)[::-1] / lam[0]
    negative = values < -1e-9
    right.bar(np.arange(1, len(X) + 1), values, color=np.where(negative, MINUS, MUTED))
    right.axhline(0, color=INK, lw=1)
    right.set(title="eigenvalues of ½HKH, largest = 1", xlabel="number", ylim=(-0.32, 1.05))
    if negative.any():
        return f"β = {power:g}: {(values > 1e-9).sum()} eigenvalues are positive, {negative.sum()} negative (purple)."
    return f"β = {power:g}: {(values > 1e-9).sum()} eigenvalues are positive, the others are 0."


@panels(1, 2, widths=[1.1, 1])
def knn_regions(axes, X, y, kernel="Gaussian", neighbors=5, width=1.0):
    """Regions of the vote, and distances from one point, in the plane and in feature space: the last one of class "?",
    or a place between two moons."""
    left, right = axes
    k, hand = named_kernel(kernel, width), getattr(X, "hand", None)
    known, asked = np.flatnonzero(y != ASKED), np.flatnonzero(y == ASKED)
    if hand and not len(asked):
        raise ValueError("There is no star to look from: choose the class ? and click one into the picture.")
    probe = np.array(X[asked[-1:]] if len(asked) else [[0.5, 0.25]])
    model = KernelKNN(k, neighbors).fit(X[known], y[known])
    classes = model.classes_ if hand is None else hand.classes
    votes = lambda P: np.searchsorted(classes, model.predict(P))  # noqa: E731
    _regions(left, X, lambda *grid: over_grid(votes, *grid), n=50)
    near = known[model.nearest(probe)[0]]
    left.plot(*segments(np.repeat(probe, len(near), 0), np.array(X[near])), color=INK, lw=1.2)
    d = np.linalg.norm(X - probe, axis=1)
    D = np.sqrt(np.maximum(k.diag(probe) + k.diag(X) - 2 * k(probe, X)[0], 0))
    away = np.column_stack([d, D])
    for i, label in enumerate(classes):
        if label == ASKED:
            points(left, X, asked, 324, INK, "*", linewidths=1.0, zorder=3).moves *= i + 1
        else:
            look = {"size": 30, "color": COLORS[i], "marker": MARKERS[i]}
            points(left, X, np.flatnonzero(y == label), **look).moves *= i + 1
            points(right, away, np.flatnonzero(y == label), **look)
    if not len(asked):
        left.plot(*probe.T, "*", ms=18, color=INK, mec=PAPER)
    left.set(title=f"the vote of {neighbors}")
    points(right, away, near, 144, "none", edgecolors=INK, linewidths=1.0)
    d, D = d[known], D[known]
    right.set(title="distances from the star", xlabel="in the plane", ylabel="in feature space")
    right.set(xlim=(0, 1.05 * d.max() or 1.0), ylim=(0, 1.08 * D.max() or 1.0))
    inner_ticks(right)
    right.yaxis.get_major_locator().set_params(nbins=5, steps=[1, 2, 5, 10])  # short numbers, clear of the left picture
    order = np.argsort(d, kind="stable")
    same = int(np.argmax(np.append(np.argsort(D, kind="stable") != order, True)))
    name = f"{kernel} kernel" + (f", width {width:.2g}" if kernel in KERNELS[:2] else "")
    many = "1 point" if same == 1 else f"{same} points"
    if same == len(known):
        return f"{name}: seen from the star, both distances put all {many} in the same order."
    return f"{name}: seen from the star, the two distances agree on the order of the first {many} only."


@panels(1, 2, widths=[1.1, 1])
def kmeans_frame(axes, kernel, X, starts=None, steps=(), t=0):
    """One round of kernel k-means: the regions of the means, and the inertia so far; crosses where it started."""
    left, right = axes
    step, k = steps[t], int(steps[t].labels.max()) + 1
    model = KernelKMeans(kernel, k).fit_labels(X, step.labels)
    _regions(left, X, model.on_grid)
    scatter_classes(left, X, step.labels)
    if t:
        moved = np.flatnonzero(step.labels != steps[t - 1].labels)
        points(left, X, moved, 196, "none", edgecolors=INK, linewidths=1.8)
    if starts is not None:
        points(left, starts, None, 289, INK, "X", linewidths=1.5, zorder=3)
    left.set(title=f"round {t}" if t else "the start")
    inertia = [s.inertia for s in steps]
    right.plot(range(len(steps)), inertia, "-", color=GRID, zorder=0)
    right.plot(range(t + 1), inertia[: t + 1], "o-", color=INK)
    right.set(title="inertia", xlabel="round", xlim=(-0.5, len(steps) - 0.5))
    room = 0.08 * np.ptp(inertia) or 1.0
    right.set_ylim(min(inertia) - room, max(inertia) + room)
    sizes = " and ".join(map(str, np.bincount(step.labels)))
    if t == 0:
        drawn = f"{k} drawn points" if starts is None else f"{k} crosses" if k > 1 else "1 cross"
        return f"The start: each point goes to the nearest of {drawn}, {sizes}; inertia {step.inertia:.1f}."
    end = " Nothing moves after this round." if t == len(steps) - 1 else ""
    return f"Round {t}: {step.moved} points (circled) change sides, {sizes}; inertia {step.inertia:.1f}.{end}"


@panels(1, 2)
def kmeans_play(axes, X, y, clusters=2, width=0.5, start=0):
    """Clusters over the plane, and the same in the plane of the first two kernel components."""
    left, right = axes
    kernel = Gaussian(width)
    model = KernelKMeans(kernel, clusters, seed=start, restarts=1).fit(X)
    names = _outwards(X, model.labels_)
    labels = names[model.labels_]
    _regions(left, X, lambda xs, ys: names[model.on_grid(xs, ys)])
    scatter_classes(left, X, labels)
    left.set(title="the plane")
    _, scores = steady(KernelPCA(kernel, 2).fit_transform(X))
    scatter_classes(right, scores, labels)
    means = np.array([scores[labels == c].mean(0) for c in range(clusters)])
    points(right, means, None, 289, INK, "X", linewidths=1.5, zorder=2).of = None
    right.set(title="feature space, and its means", xlabel="component 1", ylabel="component 2")
    right.margins(0.16, 0.1)  # for the last number below it
    right.locator_params(nbins=5)
    given = getattr(X, "hand", None) is None or np.array_equal(X, X.hand.first[0])
    known = given and clusters == len(np.unique(y))
    truth = cluster_distance2(kernel(X), y)[np.arange(len(X)), y].sum() if known else None
    text = f"Width {width:.2g}, start {start}: clusters of {_sizes(labels)} points, inertia {model.inertia_:.1f}"
    why = alone(kernel(X))
    if truth is None:
        return f"{text}.{why}"
    if abs(truth - model.inertia_) < 1e-6:
        return f"{text}: the disc and the ring.{why}"
    return f"{text}; the disc and the ring would have {truth:.1f}.{why}"


@panels(1, 3, size=(9.6, 3.6))
def three_rings(axes, X, y, neighbors=6):
    """Three rings: kernel k-means, the smooth functions of a graph, and the clusters they give."""
    left, middle, right = axes
    scatter_classes(left, X, _best_kmeans(X), size=22)
    left.set(title="kernel k-means", aspect="equal", xticks=[], yticks=[])
    model = SpectralClustering(3, neighbors).fit(X)
    labels = _outwards(X, model.labels_)[model.labels_]
    _, rows = steady(PCA(2).fit_transform(model.embedding_))
    scatter_classes(middle, rows, labels, size=60)
    middle.set(title="rows of eigenvectors", xticks=[], yticks=[])
    middle.margins(0.12)
    middle.set_box_aspect(1)
    scatter_classes(right, X, labels, size=22)
    right.set(title="spectral clustering", aspect="equal", xticks=[], yticks=[])
    wrong = int((labels != y).sum())
    values = ", ".join(f"{abs(v):.3f}" for v in model.eigenvalues_)
    verdict = "every point is in its ring" if wrong == 0 else f"clusters of {_sizes(labels)} points, not the rings"
    return f"{neighbors} neighbours: eigenvalues {values}; {verdict}."


@panels(1, 2, widths=[1.1, 1])
def parzen(axes, line, X, y, bandwidth=0.3):
    """A bump on every point: their mean is a density, and two such means are a classifier."""
    left, right = axes
    if len(np.unique(y)) != 2:
        raise ValueError("A difference needs two densities: click points of both classes into the right picture.")
    xs = np.linspace(-4, 4, 301)
    for x in line:
        left.plot(xs, parzen_density(x[None], xs[:, None], bandwidth) / len(line), color=MUTED, lw=1)
    p = parzen_density(line, xs[:, None], bandwidth)
    left.plot(xs, p, color=INK, lw=3)
    left.plot(line[:, 0], np.zeros(len(line)), "|", ms=16, mew=2, color=INK)[0].of = None
    left.set(title="density of 12 points", yticks=[], xlim=(-4, 4), ylim=(0, 1.1 * p.max()))
    model = ParzenClassifier(Gaussian(np.sqrt(2) * bandwidth)).fit(X, y)
    gx, gy = grid_around(X, 70)
    score_map(right, gx, gy, model.on_grid(gx, gy))
    scatter_classes(right, X, y, size=24)
    right.set(title="difference of two densities", **framed(gx, gy))
    peaks = int((np.diff(np.sign(np.diff(p))) < 0).sum())
    hill = "1 hill" if peaks == 1 else f"{peaks} hills"
    return f"Bandwidth {bandwidth:.2g}: the density has {hill}, the classifier is right on {model.score(X, y):.0%}."


@panels(1, 2, widths=[1.1, 1])
def codebook(axes, X, radius=0.6, width=1.5):
    """Samples that stand for all others, the reach of each, and how many there are at every radius."""
    left, right = axes
    kernel = Gaussian(width)
    model = KernelVQ(kernel, radius).fit(X)
    code = X[model.codebook_]
    left.plot(*segments(X, code[model.labels_]), color=MUTED, lw=1.2)
    if radius**2 < 2:
        reach = width * np.sqrt(-np.log(1 - radius**2 / 2))
        turn = np.linspace(0, 2 * np.pi, 60)
        circles = [np.column_stack([a + reach * np.cos(turn), b + reach * np.sin(turn)]) for a, b in code]
        circles = np.concatenate([np.vstack([c, [np.nan] * 2]) for c in circles])
        left.plot(*circles.T, color=COLORS[0], lw=0.9, alpha=0.6)
    points(left, X, None, 36, MUTED, edgecolors=MUTED, linewidths=1.0, zorder=2)
    points(left, X, model.codebook_, 121, COLORS[1], "D", linewidths=1.0, zorder=2.1)
    low, high = (X.min(0) - 0.6, X.max(0) + 0.6) if getattr(X, "hand", None) is None else X.hand.frame
    left.set(title=f"{len(code)} for {len(X)}", xticks=[], yticks=[], xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    left.set_aspect("equal")
    radii, sizes = _codebook_sizes(X, width)
    right.step(radii, sizes, where="post", color=INK)
    right.plot([radius], [len(code)], "D", ms=12, color=COLORS[1])
    right.axvline(np.sqrt(2), color=GRID, zorder=0)
    right.set(title="size of the codebook", xlabel="radius R in feature space")
    right.set(xlim=(-0.05, 1.55), ylim=(0, len(X) * 1.08))
    right.text(np.sqrt(2) - 0.02, len(X), "√2", ha="right", va="top", color=MUTED)
    if len(code) == 1:
        return f"R = {radius:g}: 1 sample (orange) stands for all {len(X)}; nobody is farther than R from it."
    return (
        f"R = {radius:g}: {len(code)} samples (orange) stand for all {len(X)}; "
        "nobody is farther than R from the nearest of them."
    )


@panels(1, 2, widths=[1, 1.2])
def rankings(axes, first=0, second=7):
    """Two rankings of four things, and where their kernel value stands among all pairs."""
    left, right = axes
    all_of_them = datasets.permutations(4)
    a, b = all_of_them[first], all_of_them[second]
    for thing in range(4):
        left.plot([0, 1], [a[thing], b[thing]], "o-", ms=24, color=COLORS[thing], lw=4)
        for place, rank in enumerate((a[thing], b[thing])):
            left.text(place, rank, "ABCD"[thing], ha="center", va="center", color=PAPER, weight="bold")
    left.set(title="two rankings of A, B, C, D", xlim=(-0.25, 1.25), ylim=(4.5, 0.5), xticks=[0, 1], yticks=range(1, 5))
    left.set(xticklabels=["first", "second"], ylabel="place")
    K = KendallTau()(all_of_them)
    heat(right, K, vmin=-1, vmax=1, cmap=DIVERGING)
    for color, line in (PAPER, 6), (INK, 3):
        right.plot([second], [first], "s", ms=15, mfc="none", mec=color, mew=line, clip_on=False)
    right.set(title="k of all 24 × 24 pairs", xticks=[], yticks=[], xlabel="second", ylabel="first")
    crossings = round((1 - K[first, second]) / 2 * 6)
    value = minus(f"{K[first, second]:.3g}")
    return f"{crossings} of 6 pairs of lines cross: k = ({6 - crossings} − {crossings})/6 = {value}."


def _regions(ax, X, labels_on, n=80):
    """Pale colours for the label of every pixel; labels_on(xs, ys) -> (ny, nx)."""
    xs, ys = grid_around(X, n)
    region_map(ax, xs, ys, labels_on(xs, ys), COLORS[:6], alpha=0.22)
    ax.set(**framed(xs, ys))


def _outwards(X, labels):
    """New numbers for the clusters, from the middle outwards, so that no colour jumps while a slider moves."""
    return np.argsort(np.argsort([np.linalg.norm(X[labels == c], axis=1).mean() for c in range(labels.max() + 1)]))


def _sizes(labels):
    sizes = [str(size) for size in np.bincount(labels)]
    return ", ".join(sizes[:-1]) + " and " + sizes[-1] if len(sizes) > 1 else sizes[0]


def _laid_over(Z, X):
    """Z (n, 2) rotated or mirrored, and brought to the same size, so that it lies on X as well as it can."""
    X = X - X.mean(0)
    U, _, Vt = np.linalg.svd(Z.T @ X)
    return Z @ U @ Vt * np.linalg.norm(X) / np.linalg.norm(Z)


@lru_cache(maxsize=4)
def _unit_vectors(n, count=2000):
    c = np.random.default_rng(0).standard_normal((count, n))
    null = c - c.mean(1, keepdims=True)
    return [v / np.linalg.norm(v, axis=1, keepdims=True) for v in (c, null)]


def _lowest_value(K):
    lam = np.linalg.eigvalsh(centered(K))
    return lam[0] / lam[-1]


@remembered(8)
def _lowest_values(X):
    betas = np.arange(0.2, 3.01, 0.05)
    return betas, [_lowest_value(NegativePower(beta)(X)) for beta in betas]


@remembered(8)
def _codebook_sizes(X, width):
    radii = np.arange(0, 1.501, 0.025)
    return radii, [len(KernelVQ(Gaussian(width), R).fit(X).codebook_) for R in radii]


@remembered(4)
def _best_kmeans(X):
    """Three clusters by kernel k-means with the width that serves two rings best."""
    labels = KernelKMeans(Gaussian(0.7), 3, restarts=30).fit(X).labels_
    return _outwards(X, labels)[labels]


def figures():
    rings, ring = datasets.rings((0.3, 2.0), 60, noise=0.1)
    moons, moon = datasets.two_moons(120, noise=0.2)
    cloud = np.random.default_rng(7).standard_normal((60, 2))
    steps = list(KernelKMeans(Gaussian(1.6), 2).steps(rings))
    return {
        "plain_fails": lambda: figure_of(plain_fails, rings),
        "power_one": lambda: figure_of(reconstruct, house(), power=1.0),
        "power_three": lambda: figure_of(reconstruct, house(), power=3.0),
        "quadratic_form": lambda: figure_of(quadratic_form, cloud[:12], power=2.4),
        "knn_regions": lambda: figure_of(knn_regions, moons, moon, kernel="cubic"),
        "kmeans_start": lambda: figure_of(kmeans_frame, Gaussian(1.6), rings, steps=steps, t=0),
        "kmeans_end": lambda: figure_of(kmeans_frame, Gaussian(1.6), rings, steps=steps, t=len(steps) - 1),
        "kmeans": lambda: figure_of(kmeans_play, rings, ring),
        "three_rings": lambda: figure_of(three_rings, *datasets.rings((1.0, 2.0, 4.0), 60, noise=0.08)),
        "parzen": lambda: figure_of(parzen, cloud[:12, :1], moons, moon),
        "codebook": lambda: figure_of(codebook, cloud),
        "rankings": lambda: figure_of(rankings),
    }
