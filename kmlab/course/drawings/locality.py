"""Pictures of notebook 13: neighbourhood graphs, eigenmaps and kernel LPP."""

from functools import lru_cache

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection

from ... import datasets
from ...datasets import thirty_in_the_plane, thirty_points, three_clouds
from ...graph import components, degrees, graph_modes, knn_graph, laplacian, nearest, smallest
from ...kernels import Gaussian, Linear
from ...manifold import LPP, KernelLPP, LaplacianEigenmap
from ...measures import rank_correlation
from ...neighbors import KernelKNN
from ...npt import NPT
from ...pca import PCA
from ...show.style import COLORS, DIVERGING, GRID, INK, MUTED, PAPER, SECOND, SEQUENTIAL
from ...show.toolbox import PLANE, framed, grid_around, name_tag, named_kernel, points, symmetric, tidy
from ...show.widgets import figure_of, panels
from ..errata.lecture_001 import directed_laplacian
from ..experiments.locality import LENGTH, direction_energy, membrane_spectrum
from ..plane import angle_of, unit
from ..samples import lying_h, six_digits

KERNELS = ["Gaussian", "exponential", "linear"]
REGULARIZERS = {"ε added to KDK": "slide", "range of K": "range"}
COLLAPSING = {"linear": Linear(), "wide Gaussian": Gaussian(10.0), "narrow Gaussian": Gaussian(0.5)}
ROW_OF_ISLANDS = (-15.5, -5.2), (15.5, 5.2)  # where points may lie
METHODS = ["eigenmap", "LPP", "kernel LPP", "PCA"]


@panels(1, 3, size=(9.6, 3.7), widths=[1.15, 1, 1], projections={0: "3d"})
def flattened(axes, X, t):
    """What PCA makes of a bent sheet, and what an eigenmap makes of it."""
    space, flat, unfolded = axes
    _sheet(space, X, t[:, 0])
    space.set(title="a sheet in space")
    shadow, Y = PCA(2).fit_transform(X), _steady(LaplacianEigenmap(2, 10).fit(X).embedding_, t)
    for ax, Z, name in (flat, shadow, "PCA"), (unfolded, Y, "eigenmap"):
        ax.scatter(*Z.T, c=t[:, 0], cmap=SEQUENTIAL, s=14)
        ax.set(title=name, xticks=[], yticks=[])
    lost, kept = _stacked(shadow, t), _stacked(Y, t)
    return (
        f"Colour is the place on the arc. PCA lays {lost:.0%} of the points on strangers (false neighbours), the "
        f"eigenmap {kept:.0%}."
    )


@panels(1, 3, size=(9.6, 3.7), widths=[1.15, 1, 1], projections={0: "3d"})
def unfold(axes, width=5.0, n_neighbors=10, noise=0.0, n=600):
    """After the figure of 001/p121: an S-curve in space and unfolded, coloured by arc and by width."""
    space, by_arc, by_width = axes
    X, t = datasets.s_curve(n, width, noise)
    n_parts, _, Y = _modes(knn_graph(X, n_neighbors), 2)
    Y = _steady(Y, t)
    _sheet(space, X, t[:, 0])
    space.set(title=f"{width:g} wide, 9.4 long")
    for ax, j, name, cmap in (by_arc, 0, "colour: arc", SEQUENTIAL), (by_width, 1, "colour: width", SECOND):
        ax.scatter(*Y.T, c=t[:, j], cmap=cmap, s=14)
        ax.set(title=name, xlabel="coordinate 1", xticks=[], yticks=[])
    by_arc.set(ylabel="coordinate 2")
    if n_parts > 1:
        return f"The graph of {n_neighbors} neighbours falls into {n_parts} components with coordinates of their own."
    first, second = rank_correlation(Y[:, 0], t[:, 0]), rank_correlation(Y[:, 1], t[:, 1])
    return f"Rank correlation of coordinate 1 with the arc {first:.2f}, of coordinate 2 with the width {second:.2f}."


@panels(1, 2, widths=[1.1, 1])
def membrane(axes, width=3.5, n=600, mode=2):
    """Energies of the modes beside those of a vibrating membrane, and one mode on the flat sheet."""
    left, right = axes
    X, t = datasets.s_curve(n, width)
    mu, Phi = graph_modes(knn_graph(X, 10), 9)
    energy, kinds = membrane_spectrum(width, 8)
    scale = energy[0] / mu[1]
    colors = [COLORS[{"arc": 0, "across": 1, "both": 3}[kind]] for kind in kinds]
    left.bar(range(9), scale * mu, color=[MUTED, *colors])
    left.plot(range(9), [0, *energy], "_", color=INK, ms=26, mew=3)
    left.plot(mode, -0.09 * energy[-1], "^", color=INK, ms=10, clip_on=False)
    left.set(title="bars measured, ticks predicted", xlabel="mode", ylabel="energy", xticks=range(9), xlim=(-0.7, 8.7))
    left.set(ylim=(-0.15 * energy[-1], 1.25 * energy[-1]))
    for kind, color in (("arc", 0), ("across", 1), ("both", 3)):
        left.plot([], [], "s", color=COLORS[color], ms=11, label=kind)
    left.legend(loc="upper left", ncols=1)
    v = Phi[:, mode] * (1 if Phi[t[:, 0].argmax(), mode] >= 0 else -1)
    right.scatter(*t.T, c=v, **symmetric(v), s=18, edgecolors=MUTED, linewidths=0.3)
    right.set(title=f"mode {mode} on the flat sheet", xlabel="arc", ylabel="width", ylim=(-0.3, 8.3), xlim=(-5, 5))
    right.set_aspect("equal")
    off = np.abs(scale * mu[1:] / energy - 1).max()
    return (
        f"{width:g} wide, {n} points: bars and ticks are up to {off:.0%} apart; on the right the mode of the triangle."
    )


@panels(1, 2, widths=[1, 1.1])
def neighbours(axes, X, n_neighbors=5, symmetrize="directed"):
    """Who counts whom among his neighbours, and whether L still annihilates constants from both sides."""
    left, right = axes
    n = len(X)
    either, both = (knn_graph(X, n_neighbors, how).toarray() > 0 for how in ("or", "and"))
    if symmetrize == "directed":
        L = directed_laplacian(X, n_neighbors)
    else:
        L = laplacian(knn_graph(X, n_neighbors, symmetrize)).toarray()
    edges = both if symmetrize == "and" else either
    _edges(left, X, edges & both, MUTED)
    _edges(left, X, edges & ~both, COLORS[1])
    if symmetrize == "directed":
        i, j = np.nonzero((L < 0) & ~both & ~np.eye(n, dtype=bool))
        middle, way = (X[i] + 2 * X[j]) / 3, X[j] - X[i]
        left.quiver(
            *middle.T,
            *(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)).T,
            color=COLORS[1],
            scale=38,
            width=0.012,
            headwidth=4.5,
            headlength=5,
            headaxislength=5,
            pivot="mid",
        )
    points(left, X, size=81, color=INK, linewidths=1, zorder=2)
    left.set(title=f"{n_neighbors} neighbour{'s' * (n_neighbors > 1)}, {symmetrize}")
    left.set(xticks=[], yticks=[], aspect="equal")
    if getattr(X, "hand", None) is not None:
        left.set(**framed(*grid_around(X, 2)))
    right.bar(range(n), L.sum(0), color=COLORS[1])
    right.axhline(0, color=INK, lw=1)
    right.set(title="column sums of L", xlabel="point", ylabel="must be 0", ylim=(-14, 14))
    one_sided = int(either.sum() - both.sum()) // 2
    return (
        f"{either.sum() // 2} pairs if one side is enough, {both.sum() // 2} if both must agree: {one_sided} are "
        f"one-sided. Largest column sum: {np.abs(L.sum(0)).max():g}."
    )


@panels(2, 1, size=(9.6, 5.2), heights=[1.5, 1])
def islands(axes, X, n_neighbors=5, mode=1):
    """Clouds with water between them: their graph, one mode as colour, and the smallest eigenvalues."""
    left, right = axes
    W = knn_graph(X, n_neighbors)
    n_parts, _ = components(W)
    mu, Phi = graph_modes(W, 7)
    v = Phi[:, mode]
    _edges(left, X, W.toarray() > 0, MUTED)
    points(left, X, size=42, color=_shades(v, **symmetric(v)), edgecolors=INK, linewidths=0.7, zorder=3)
    (x0, y0), (x1, y1) = ROW_OF_ISLANDS
    left.set(title=f"mode {mode} as colour", xlim=(x0, x1), ylim=(y0, y1), **PLANE)
    right.bar(range(7), mu, color=[COLORS[1] if j < n_parts else COLORS[0] for j in range(7)])
    right.plot(np.flatnonzero(mu == 0), np.zeros(int((mu == 0).sum())), "o", color=COLORS[1], ms=12, clip_on=False)
    high = max(0.12, 1.05 * mu[-1])
    if getattr(X, "hand", None) is not None:  # in steps: an axis that changes is slow to draw
        high = 0.1 * np.ceil(10 * high)
        right.locator_params(axis="y", nbins=2)
    right.set(title="smallest eigenvalues", xlabel="mode", ylabel="μ", xticks=range(7), ylim=(-0.06 * high, high))
    parts = f"{n_parts} component{'s' * (n_parts > 1)}, {n_parts} exact zero{'s' * (n_parts > 1)}"
    low, high = (tidy(round(float(value), 6)) for value in (v.min(), v.max()))
    return f"{parts}; values of mode {mode} from {low} to {high}, green above 0 and purple below."


@panels(1, 2, widths=[1.25, 1])
def one_direction(axes, X, theta=30.0, n_neighbors=10):
    """Points with their graph and one direction, and the quotient that LPP makes small for every direction."""
    left, right = axes
    model, angles = LPP(1, n_neighbors, center="D").fit(X), np.arange(181)
    quotient = direction_energy(X, n_neighbors, angles)
    here = direction_energy(X, n_neighbors, [theta])[0]
    best, widest = (angle_of(axis) for axis in (model.components_[0], PCA(1).fit(X).components_[0]))
    _edges(left, X, model.graph_.toarray() > 0, GRID)
    left.plot(*X.T, "o", color=INK, mec=PAPER, ms=6)
    for angle, look in ((theta, {"color": COLORS[1], "lw": 3}), (best, {"color": COLORS[0], "lw": 2, "ls": "--"})):
        left.plot(*(model.mean_[:, None] + np.outer(unit(angle), [-1.9, 1.9])), **look)
    left.set(title="the graph and a direction b", xticks=[], yticks=[], aspect="equal", xlim=(-3.6, 3.6), ylim=(-2, 2))
    right.plot(angles, quotient, color=MUTED)
    right.plot(theta, here, "o", color=COLORS[1], ms=12, clip_on=False)
    right.plot(best, model.mu_[0], "v", color=COLORS[0], ms=12, clip_on=False, label="LPP")
    right.plot(widest, np.interp(widest, angles, quotient), "s", color=COLORS[2], ms=10, clip_on=False, label="PCA")
    right.set(title="energy of bᵀx", xlabel="direction in degrees", xlim=(0, 180), xticks=range(0, 181, 45))
    right.set_ylim(0, 1.5 * quotient.max())
    right.legend(loc="upper right", ncols=2)
    return (
        f"{theta:.0f}°: energy {here:.4f}. LPP takes the least, {model.mu_[0]:.4f} at {best:.0f}°; the axis of PCA "
        f"is at {widest:.0f}°."
    )


@panels(1, 2, widths=[1, 1.1])
def any_kernel(axes, kernel="Gaussian", width=0.5, drop_trivial=True):
    """Kernel LPP of the training points against the eigenmap, and the functions behind it between the points."""
    left, right = axes
    X, t = _small_sheet()
    k = named_kernel(kernel, width)
    plain, model = _steady(LaplacianEigenmap(2, 10).fit(X).embedding_, t), KernelLPP(k, 2, 10).fit(X)
    line = _line()
    Y, new = model.embedding_, model.transform(line)
    if not drop_trivial:  # it is the smallest solution, so it comes first
        constant = 1 / np.sqrt(model.graph_.sum())
        Y, new = (np.column_stack([np.full(len(A), constant), A[:, 0]]) for A in (Y, new))
    sign = np.where((plain * Y if drop_trivial else Y * Y).sum(0) < 0, -1, 1)
    left.scatter(*plain.T, s=70, facecolors="none", edgecolors=MUTED)
    left.scatter(*(sign * Y).T, c=t[:, 0], cmap=SEQUENTIAL, s=16)
    left.set(title="training points", xlabel="coordinate 1", ylabel="coordinate 2")
    left.set(xlim=(-0.045, 0.045), ylim=(-0.05, 0.05))
    left.locator_params(nbins=4)
    place = np.linspace(-LENGTH / 2, LENGTH / 2, len(line))
    for j in range(2):
        right.plot(place, (sign * new)[:, j], color=COLORS[j], label=f"coordinate {j + 1}")
    right.set(title="a walk along the S", xlabel="arc", ylim=(-0.05, 0.05))
    right.locator_params(nbins=5)
    right.legend(loc="upper left")
    rank = NPT(k, center=False).fit(X).rank_
    off = np.abs(sign * Y - plain).max() if drop_trivial else np.nan
    if not drop_trivial:
        return f"K has rank {rank} of {len(X)}; coordinate 1 goes from {Y[:, 0].min():.3f} to {Y[:, 0].max():.3f}."
    where = "on the eigenmap (circles)" if off < 1e-6 else f"up to {off:.2g} from the eigenmap (circles)"
    return f"K has rank {rank} of {len(X)}: the training points lie {where}."


@panels(1, 2, widths=[1, 1.1])
def collapse(axes, kernel="linear", regularizer="slide", eps=1e-3):
    """Kernel LPP with ε added to KDK and in the range of K, and the size of both over ε."""
    left, right = axes
    X = thirty_points()
    k = COLLAPSING[kernel]
    model = KernelLPP(k, 2, 5, regularizer=regularizer, eps=eps).fit(X)
    fixed = KernelLPP(k, 2, 5).fit(X).embedding_
    left.scatter(*fixed.T, s=90, facecolors="none", edgecolors=MUTED)
    left.scatter(*model.embedding_.T, c=X[:, 0], cmap=SEQUENTIAL, s=36)
    left.set(title="thirty points", xlabel="coordinate 1", ylabel="coordinate 2", xlim=(-0.2, 0.2), ylim=(-0.2, 0.2))
    left.locator_params(nbins=5)
    grid, sizes = _collapse_curve(kernel)
    right.plot(grid, sizes, color=COLORS[1], label="ε added to KDK")
    right.axhline(np.abs(fixed).max(), color=COLORS[0], label="range of K")
    size = max(np.abs(model.embedding_).max(), 1e-16)
    right.plot(eps, size, "o", color=INK, ms=12)
    right.set(title="largest coordinate", xlabel="ε", xscale="log", yscale="log", ylim=(1e-16, 10))
    right.legend(loc="center right")
    rank = NPT(k, center=False).fit(X).rank_
    verdict = "every point is at 0, up to rounding" if size < 1e-9 else f"no coordinate is larger than {size:.2g}"
    kind = "singular" if rank < 30 else "nonsingular"
    return f"Up to rounding K has rank {rank} of 30 and is {kind}; here {verdict}."


@panels(1, 2, widths=[1, 1.1], projections={0: "3d"})
def roll(axes, n_neighbors=10, noise=0.0, coordinate=2):
    """A Swiss roll: shortcuts between its layers, and two coordinates of its eigenmap."""
    left, right = axes
    X, t = datasets.swiss_roll(700, 20.0, noise)
    W = knn_graph(X, n_neighbors)
    i, j = W.nonzero()
    short = (np.abs(t[i, 0] - t[j, 0]) > np.pi) & (i < j)
    n_parts, _, Y = _modes(W, coordinate)
    Y = _steady(Y[:, [0, -1]], t)
    left.scatter(*X.T, c=t[:, 0], cmap=SEQUENTIAL, s=12, depthshade=False)
    for a, b in zip(i[short][:150], j[short][:150], strict=True):
        left.plot(*X[[a, b]].T, color=COLORS[1], lw=1.5)
    left.view_init(14, -76)
    left.set_box_aspect((22, 20, 24), zoom=1.15)
    left.set(title=f"{short.sum()} shortcuts", xticks=[], yticks=[], zticks=[])
    right.scatter(*Y.T, c=t[:, 0], cmap=SEQUENTIAL, s=18)
    right.set(title="unrolled?", xlabel="coordinate 1", ylabel=f"coordinate {coordinate}", xticks=[], yticks=[])
    if n_parts > 1:
        return f"The graph of {n_neighbors} neighbours falls into {n_parts} components."
    first = rank_correlation(Y[:, 0], t[:, 0])
    across = rank_correlation(Y[:, 1], t[:, 1])
    return f"Rank correlation of coordinate 1 with the spiral {first:.2f}, of {coordinate} with the width {across:.2f}."


@panels(1, 1, size=(9.6, 5.2))
def digit_map(axes, X, y, method="eigenmap", n_neighbors=10, new=True):
    """Six digits in two coordinates; triangles are digits that were not there when the map was made."""
    (ax,) = axes
    train = np.arange(len(X)) % 4 != 0
    model = {
        "eigenmap": lambda: LaplacianEigenmap(2, n_neighbors),
        "LPP": lambda: LPP(2, n_neighbors, center="D"),
        "kernel LPP": lambda: KernelLPP(Gaussian(6.0), 2, n_neighbors, center="D"),
        "PCA": lambda: PCA(2),
    }[method]()
    Y = model.fit(X[train]).transform(X)
    Z = np.column_stack([np.searchsorted(np.sort(Y[train, j]), Y[:, j]) for j in range(2)]) / train.sum()
    for digit in np.unique(y):
        own = y == digit
        look = {"color": COLORS[digit], "linewidths": 0.7}
        points(ax, Z, np.flatnonzero(own & train), 44, **look)
        if new:
            points(ax, Z, np.flatnonzero(own & ~train), 90, marker="^", edgecolors=INK, **look)
        name_tag(ax, np.median(Z[own & train], axis=0), str(digit))
    ax.set(title=f"{method}, {train.sum()} digits and {(~train).sum()} new ones", xticks=[], yticks=[])
    ax.set(xlabel="coordinate 1 (rank)", ylabel="coordinate 2 (rank)", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    scale = Y[train].std(0)
    right = KernelKNN(Linear(), 1).fit(Y[train] / scale, y[train]).score(Y[~train] / scale, y[~train])
    return f"{method}: for {right:.0%} of the new digits the nearest old one on the map is the same digit."


@panels(1, 2, widths=[1, 1.15])
def stage_frame(axes, X, steps, t):
    """The points with what is known so far, and the matrix or the function that belongs to it."""
    left, right = axes
    stage, n = steps[t], len(X)
    W = steps[2].value > 0
    order = np.linspace(0, 1, n)
    known = [s.name for s in steps[: t + 1]]
    if "graph" in known:
        _edges(left, X, W, MUTED)
    if stage.name == "neighbours":
        reach = np.linalg.norm(X[stage.value[:, -1]] - X, axis=1)
        for third in np.array_split(np.arange(n), 3):  # of each third, the one that has to look furthest
            i = third[reach[third].argmax()]
            for j in stage.value[i]:
                left.plot(*X[[i, j]].T, color=COLORS[1], lw=3, zorder=4)
            left.plot(*X[i], "o", color=COLORS[1], mec=PAPER, ms=14, zorder=5)
    mode = stage.value if stage.name.startswith("mode") else None
    if mode is None:
        left.scatter(*X.T, c=order, cmap=SEQUENTIAL, s=50, zorder=3)
    else:
        left.scatter(*X.T, c=mode, **symmetric(mode), s=60, edgecolors=INK, linewidths=0.6, zorder=3)
    left.set(title=f"{t + 1}. {stage.name}", xticks=[], yticks=[], aspect="equal")
    if stage.name in ("graph", "L"):
        top = 1 if stage.name == "graph" else 3
        right.imshow(stage.value, cmap=DIVERGING, vmin=-top, vmax=top, interpolation="nearest")
        right.set(title=f"{'W' if stage.name == 'graph' else 'L'}   {n} × {n}", xticks=[], yticks=[])
    elif stage.name == "embedding":
        right.scatter(*stage.value.T, c=order, cmap=SEQUENTIAL, s=50)
        right.set(title="coordinates", xlabel="coordinate 1", ylabel="coordinate 2", xticks=[], yticks=[])
    else:
        show = X[:, 0] if mode is None else mode
        right.plot(order * LENGTH - LENGTH / 2, show, "o-", color=MUTED if mode is None else COLORS[0], ms=5)
        right.set(title="x along the arc" if mode is None else "its values along the arc", xlabel="arc")
        right.set(ylim=(-1.3, 1.3) if mode is None else (-0.12, 0.12))
    return f"{stage.name}: {stage.sentence}"


@panels(1, 2)
def own_curve(axes, X, n_neighbors=4):
    """A reader's curve, coloured in the order in which it was drawn, with its graph; and two coordinates of its
    eigenmap, of variance 1."""
    left, right = axes
    W = knn_graph(X, n_neighbors)
    n_parts, mu, Y = _modes(W, 2)
    Y = Y * np.sqrt(W.sum()) * np.where(Y[0] > 0, -1, 1)  # the first point stays on the left
    _edges(left, X, W.toarray() > 0, MUTED)
    shades = _shades(np.arange(len(X)), SEQUENTIAL)
    points(left, X, size=50, color=shades, zorder=3)
    left.set(title=f"{len(X)} points, {n_neighbors} neighbours", **framed(*grid_around(X, 2)))
    points(right, Y, size=50, color=shades)
    reach = max(2.0, np.ceil(np.abs(Y).max()))
    right.set(title="coordinates", xlabel="coordinate 1", ylabel="coordinate 2", aspect="equal", xticks=[], yticks=[])
    right.set(xlim=(-1.1 * reach, 1.1 * reach), ylim=(-1.1 * reach, 1.1 * reach))
    if n_parts > 1:
        return (
            f"The graph falls into {n_parts} pieces with coordinates of their own: join them, or take more neighbours."
        )
    along = rank_correlation(Y[:, 0], np.arange(len(X)))
    return (
        f"Rank correlation of coordinate 1 with the order of drawing {along:.2f}; the second coordinate has "
        f"{mu[1] / mu[0]:.1f} times the energy of the first."
    )


def _modes(W, k):
    """Parts of the graph, and its k smoothest functions that are not constant on them."""
    return components(W)[0], *smallest(laplacian(W), degrees(W), k)


def _steady(Y, t):
    """Signs by the sheet itself, so that no picture flips while a slider moves."""
    arc, width = (t - t.mean(0)).T
    fold = np.abs(arc) - np.abs(arc).mean()  # a narrow sheet has the middle of its arc below and both ends above
    guide = width if rank_correlation(Y[:, 1], t[:, 1]) > 0.4 else fold
    return Y * np.where([Y[:, 0] @ arc < 0, Y[:, 1] @ guide < 0], -1, 1)


def _stacked(Z, t):
    """Share of the points whose nearest point in the picture lies elsewhere on the sheet, a unit of length away."""
    _, neighbor = nearest(Z / Z.std(0), 1)
    return (np.linalg.norm(t - t[neighbor[:, 0]], axis=1) > 1).mean()


def _sheet(ax, X, color):
    ax.scatter(*X.T, c=color, cmap=SEQUENTIAL, s=10, depthshade=False)
    ax.view_init(14, -72)
    ax.set(xticks=[], yticks=[], zticks=[], xlim=(-1.5, 1.5), ylim=(0, 8), zlim=(-2.3, 2.3))
    ax.set_box_aspect((3.2, 5, 4.4), zoom=1.2)


def _shades(values, cmap, vmin=None, vmax=None):
    """A colour for each value, as scatter(c=values) would take it."""
    low, high = (values.min(), values.max()) if vmin is None else (vmin, vmax)
    return colormaps.get_cmap(cmap)((values - low) / ((high - low) or 1))


def _edges(ax, X, edges, color):
    X = np.asarray(X)
    i, j = np.nonzero(np.triu(edges))
    ax.add_collection(LineCollection(np.stack([X[i], X[j]], 1), colors=color, linewidths=1.6, zorder=1))


@lru_cache(maxsize=1)
def _small_sheet():
    return datasets.s_curve(200, 5.0, seed=1)


def _line():
    arc = np.linspace(-LENGTH / 2, LENGTH / 2, 150)
    return np.column_stack([np.sin(arc), np.full(150, 2.5), np.sign(arc) * (np.cos(arc) - 1)])


@lru_cache(maxsize=8)
def _collapse_curve(kernel):
    """The largest coordinate with ε added to KDK, over ε."""
    k = COLLAPSING[kernel]
    grid = np.logspace(-6, 1, 22)
    models = [KernelLPP(k, 2, 5, regularizer="slide", eps=eps).fit(thirty_points()) for eps in grid]
    return grid, [max(np.abs(m.embedding_).max(), 1e-16) for m in models]


def figures():
    X, t = datasets.s_curve(600, 5.0)
    digits, digit = six_digits()
    return {
        "flattened": lambda: figure_of(flattened, X, t),
        "s_curve": lambda: figure_of(unfold),
        "narrow": lambda: figure_of(unfold, width=2.0),
        "membrane": lambda: figure_of(membrane),
        "neighbours": lambda: figure_of(neighbours, thirty_in_the_plane()),
        "islands": lambda: figure_of(islands, three_clouds(40, 6.0)[0]),
        "lpp": lambda: figure_of(one_direction, lying_h()),
        "any_kernel": lambda: figure_of(any_kernel),
        "collapse": lambda: figure_of(collapse),
        "roll": lambda: figure_of(roll),
        "digits": lambda: figure_of(digit_map, digits, digit),
    }
