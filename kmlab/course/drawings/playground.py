"""The picture of notebook 16: points of the plane, a kernel and an algorithm of your choice."""

import numpy as np
from matplotlib.colors import to_hex, to_rgb
from matplotlib.ticker import MaxNLocator

from ...datasets import mixed
from ...graph import components as parts_of
from ...graph import knn_graph
from ...pca import KernelPCA
from ...show.style import COLORS, GRID, INK, MUTED
from ...show.toolbox import (
    decision_map,
    framed,
    grid_around,
    minus,
    over_grid,
    region_map,
    scatter_classes,
    score_map,
    segments,
    short,
    steady,
)
from ...show.widgets import figure_of, panels
from ..playground import Settings, drawable, fitted, kernel_of, like_classes, points, staircase

SIDE = 70  # of the grid
LEAST_WIDTH, MOST_WIDTH = 1.0, 1.12  # of the plane that is shown, over its height
BLANK = "\u2007"  # as wide as a digit
TINT = 0.3  # how much of its colour a region has
HALO = {"marker": "o", "alpha": 0.35, "linewidths": 0}


@panels(1, 2, size=(11.6, 5.0))
def play(
    axes, X, y, algorithm="SVC", kernel="Gaussian", combine="alone", second="linear", width=0.7, degree=2, coef0=1.0,
    second_width=2.0, second_degree=2, C=10.0, nu=0.1, epsilon=0.2, lam=0.1, component=1, components=4,
    way="fixed point", neighbours=8, clusters=2, passes=20, seed=0,
):  # fmt: skip
    """Left the points on what the algorithm makes of their plane, right the same points as the algorithm sees them."""
    left, right = axes
    chosen = Settings(
        algorithm, kernel, combine, second, width, degree, coef0, second_width, second_degree, C, nu, epsilon, lam,
        component, components, way, neighbours, clusters, passes, seed,
    )  # fmt: skip
    found, grid = fitted(X, y, chosen), _grid(X)
    said = PICTURES[algorithm](left, right, np.asarray(X), np.asarray(y), grid, found, chosen)
    scatter_classes(left, X, y)
    left.set(**framed(*grid) | {"anchor": "NW"})
    _keep_room(right)
    return said


@panels(1, 2, size=play.layout.size)
def only_points(axes, X, y, why="", **settings):
    """What is seen before the first picture that can be made: the points, and why there is no more."""
    left, right = axes
    scatter_classes(left, X, y)
    left.set(**framed(*_grid(X)) | {"anchor": "NW"})
    right.set_axis_off()
    return why


def _grid(X):
    """A grid around the points, nearly as high as wide: beside it is then room for a scale, whatever the points are."""
    xs, ys = grid_around(X, SIDE)
    wide, high = np.ptp(xs), np.ptp(ys)
    return _longer(xs, LEAST_WIDTH * high), _longer(ys, wide / MOST_WIDTH)


def _longer(grid, length):
    middle, half = (grid[0] + grid[-1]) / 2, max(np.ptp(grid), length) / 2
    return np.linspace(middle - half, middle + half, len(grid))


def _keep_room(ax):
    """A tick on each axis: a canvas keeps the places of the first picture, and later ones may have numbers there."""
    for limits, ticks, put in (
        (ax.get_xlim(), ax.get_xticks(), ax.set_xticks),
        (ax.get_ylim(), ax.get_yticks(), ax.set_yticks),
    ):
        if not any(limits[0] <= tick <= limits[1] for tick in ticks):
            put([sum(limits) / 2], [BLANK])


# ---- components and coordinates --------------------------------------------------------------------------------------


def _kernel_pca(left, right, X, y, grid, found, s):
    _component(left, right, X, y, grid, found, s)
    share = found.model.explained_variance_ratio_[s.component - 1]
    return f"Component {s.component} of kernel PCA holds {share:.1%} of the variance of the images."


def _kernel_pca_l1(left, right, X, y, grid, found, s):
    _component(left, right, X, y, grid, found, s)
    far = found.model.dispersion_[s.component - 1] / len(X)
    return f"Along component {s.component} of KPCA-L1 the images are {short(far)} away from their mean, on average."


def _component(left, right, X, y, grid, found, s):
    sign, scores = steady(found.answer)
    shown = s.component - 1
    F = found.model.on_grid(*grid) if s.algorithm == "kernel PCA" else _transformed(found.model, grid)
    score_map(left, *grid, drawable(sign[shown] * F[..., shown]))
    left.set_title(f"component {s.component} over the plane")
    other = max(shown, 1)
    _coordinates(right, scores[:, [0, other]] if scores.shape[1] > 1 else scores, y, "component", other + 1)


def _locality(left, right, X, y, grid, found, s):
    model, (sign, Y) = found.model, steady(found.answer)
    if s.algorithm != "eigenmap":
        score_map(left, *grid, drawable(sign[0] * _transformed(model, grid)[..., 0]))
    else:
        _beside(left, f"lines: the {s.neighbours} nearest")
    _edges_of(left, X, model.graph_)
    left.set_title("coordinate 1 over the plane" if s.algorithm != "eigenmap" else "who is next to whom")
    _coordinates(right, Y, y, "coordinate", 2)
    parts = parts_of(model.graph_)[0]
    if parts > 1:
        return f"The graph of {s.neighbours} neighbours falls into {parts} parts, which know nothing of each other."
    more = f", coordinate 2 {short(model.mu_[1])}" if len(model.mu_) > 1 else ""
    return f"Along the lines of the graph coordinate 1 has the energy {short(model.mu_[0])}{more}; the most is 2."


def _transformed(model, grid):
    """Scores over the plane; -> (len(ys), len(xs), k)."""
    P = np.stack(np.meshgrid(*grid), -1)
    return model.transform(P.reshape(-1, 2)).reshape(*P.shape[:2], -1)


def _coordinates(ax, Z, y, name, second):
    """Points at two of their coordinates; where there is only one, on a line."""
    flat = Z.shape[1] < 2
    Z = np.column_stack([Z, np.zeros(len(Z))]) if flat else Z
    ax.axhline(0, color=GRID, lw=1.2, zorder=0)
    ax.axvline(0, color=GRID, lw=1.2, zorder=0)
    scatter_classes(ax, Z, y)
    ax.set(title="the same points in two coordinates", xlabel=f"{name} 1")
    ax.set(ylabel="there is no second one" if flat else f"{name} {second}", xlim=_room(Z[:, 0]), ylim=_room(Z[:, 1]))
    ax.set(xticks=[0], yticks=[0])


# ---- two classes and one ---------------------------------------------------------------------------------------------


def _svc(left, right, X, y, grid, found, s):
    model = found.model
    margin, alpha = staircase(model, X, y)
    if len(model.classes_) == 2:
        F = drawable(model.on_grid(*grid))
        decision_map(left, *grid, F)
        street = [level for level in (-1, 1) if F.min() < level < F.max()]
        if street:
            left.contour(*grid, F, street, colors=INK, linewidths=1.4, linestyles="dashed")
    else:
        _regions(left, grid, lambda P: np.searchsorted(model.classes_, model.predict(P)), "colour: most votes")
    _ring(left, X[alpha > 0])
    left.set_title("the boundary, and what holds it")
    _stairs(right, margin, alpha, y, "margin y f(x)", "α / C", 1)
    wrong, support = int((margin <= 0).sum()), int((alpha > 0).sum())
    return (
        f"With C = {short(s.C)}, {wrong} of {len(X)} points {_are(wrong)} on the wrong side, and {support} "
        f"{'is a support vector' if support == 1 else 'are support vectors'} (rings)."
    )


def _kernel_perceptron(left, right, X, y, grid, found, s):
    model = found.model
    decision_map(left, *grid, drawable(model.on_grid(*grid)))
    classes = np.unique(y)
    upper = y == (classes[1] if len(classes) == 2 else classes[0])
    margin = np.where(upper, 1, -1) * found.answer
    missed = np.zeros(len(X))
    missed[mixed(np.arange(len(X)), y, s.seed)[0]] = model.alpha_  # back in the order of the rows
    _ring(left, X[missed > 0])
    left.set_title("the boundary, and what was missed")
    away = margin / (model.w_norm_ or 1.0)
    _stairs(right, away, missed / missed.max(), y, "distance y f(x) / |w|", "times missed / most")
    wrong = int((margin <= 0).sum())
    against = f"class {classes[0]} against the rest: " if len(classes) > 2 else ""
    if model.converged_:
        done = f"{against}after {_many(model.mistakes_, 'update')} a whole pass went by without a mistake."
    else:
        done = (
            f"{against}after {_many(s.passes, 'pass', 'passes')} and {model.mistakes_} updates {wrong} of {len(X)} "
            f"points {_are(wrong)} on the wrong side."
        )
    return done[0].upper() + done[1:]


def _one_class(left, right, X, y, grid, found, s):
    model, score = found.model, found.answer
    decision_map(left, *grid, drawable(model.on_grid(*grid)))
    _ring(left, X[model.alpha_ > 0])
    left.set_title("the border, and what holds it")
    most = min(1.0, 1 / (s.nu * len(X)))
    _stairs(right, score, model.alpha_ / most, y, "score, 0 on the border", "α / largest α allowed")
    outside = int((model.predict(X) < 0).sum())
    what = "sphere" if s.algorithm == "SVDD" else "plane"
    return f"With ν = {short(s.nu)} the {what} leaves {outside} of {len(X)} points outside, {outside / len(X):.1%}."


def _parzen(left, right, X, y, grid, found, s):
    model, k = found.model, len(found.model.classes_)
    if k == 1:
        score_map(left, *grid, drawable(model.on_grid(*grid)[..., 0] - model.offset_[0]))
        height = found.answer[:, 0] - model.offset_[0]  # there is no other class to be set off against
        _coordinates(right, np.column_stack([np.arange(len(X)), height]), y, "", "")
        right.set(title="the height at every point", xlabel="number of the point", ylabel="height", xticks=[])
        left.set_title("the mean of all bumps")
        return f"One class: its bumps add up to heights from {short(height.min())} to {short(height.max())}."
    if k == 2:
        decision_map(left, *grid, drawable(model.on_grid(*grid)))
    else:
        _regions(left, grid, lambda P: np.searchsorted(model.classes_, model.predict(P)), "colour: highest")
    left.set_title("whose bumps are higher?")
    means, codes = model.kernel(X) @ model.weights_ + model.offset_, np.searchsorted(model.classes_, y)
    own = means[np.arange(len(X)), codes]
    others = np.where(np.arange(k) == codes[:, None], -np.inf, means).max(1)
    low, high = _room(np.concatenate([own, others]))
    right.plot([low, high], [low, high], color=INK, lw=1.5, zorder=0)
    scatter_classes(right, np.column_stack([others, own]), y)
    right.set(title="above the line: in the right class", xlabel="best of the other classes", ylabel="own class")
    right.set(xlim=(low, high), ylim=(low, high), xticks=[], yticks=[])
    wrong = int((own < others).sum())
    return f"{wrong} of {len(X)} points {_are(wrong)} nearer to the mean image of another class than to their own."


def _stairs(ax, x, height, y, xlabel, ylabel, step=0):
    """Every point at its score and at the weight it has, from 0 to 1."""
    ax.axvline(step, color=INK, lw=1.2, zorder=0)
    scatter_classes(ax, np.column_stack([x, height]), y)
    ax.set(title="how much every point counts", xlabel=xlabel, xlim=_room(np.append(x, step)), ylim=(-0.1, 1.1))
    ax.set(ylabel=ylabel, yticks=[0, 0.5, 1], yticklabels=["0", "½", "1"])
    _few_ticks(ax)


# ---- clusters --------------------------------------------------------------------------------------------------------


def _kernel_k_means(left, right, X, y, grid, found, s):
    model, new = found.model, like_classes(found.answer, y)
    _regions(left, grid, lambda P: new[model.predict(P)], "colour: nearest mean")
    left.set_title(f"{s.clusters} clusters, one for each mean")
    Z = _two_scores(X, s)
    _halo(right, Z, new[found.answer])
    _coordinates(right, Z, y, "component", 2)
    right.set_title("clusters (halos) among the images")
    return (
        f"After {_many(model.n_iter_, 'round')} from start {s.seed} the images are {short(model.inertia_ / len(X))} "
        f"away from their means, squared and on average{_agreement(new[found.answer], y)}."
    )


def _spectral(left, right, X, y, grid, found, s):
    model, new = found.model, like_classes(found.answer, y)
    _edges_of(left, X, knn_graph(X, s.neighbours))
    _halo(left, X, new[found.answer])
    _beside(left, f"lines: the {s.neighbours} nearest")
    left.set_title(f"{s.clusters} clusters (halos) of the graph")
    Z = model.embedding_[:, -2:]
    _halo(right, Z, new[found.answer])
    _coordinates(right, Z, y, "function", s.clusters)
    right.set(xlabel=f"function {s.clusters - 1}", title="the smoothest functions, rows of length 1")
    return (
        f"Function {s.clusters} of the graph has the energy {short(model.eigenvalues_[-1])}: the smaller, the cheaper "
        f"the cut into {s.clusters} clusters{_agreement(new[found.answer], y)}."
    )


def _two_scores(X, s):
    try:
        return KernelPCA(kernel_of(s), 2).fit_transform(X)
    except ValueError:  # on a line there is no second one
        return KernelPCA(kernel_of(s), 1).fit_transform(X)


def _agreement(labels, y):
    codes = np.unique(y, return_inverse=True)[1]
    return f"; {np.mean(labels == codes):.0%} of the points are where most of their class is" if codes.any() else ""


# ---- one column against the other ------------------------------------------------------------------------------------


def _kernel_ridge(left, right, X, y, grid, found, s):
    _curve_of(left, grid, found.model)
    _beside(left, "line: f(x)")
    miss, alone = X[:, 1] - found.answer, found.model.loo_residuals_
    low, high = _room(np.append(np.concatenate([miss, alone]), 0))
    right.plot([low, high], [low, high], color=INK, lw=1.2, zorder=0)
    scatter_classes(right, np.column_stack([miss, alone]), y)
    right.set(title="every miss, with and without the point", xlabel="height − f(x)", ylabel="when it is left out")
    right.set(xlim=(low, high), ylim=(low, high), yticks=[0])
    _few_ticks(right)
    rms, loo = (np.sqrt(np.mean(A**2)) for A in (miss, alone))
    return f"With λ = {short(s.lam)} the curve misses by {short(rms)}, and points that it has not seen by {short(loo)}."


def _svr(left, right, X, y, grid, found, s):
    model = found.model
    _curve_of(left, grid, model, s.epsilon)
    _beside(left, "line: f(x), dashed: ±ε")
    _ring(left, X[model.support_])
    miss = X[:, 1] - found.answer
    for side in (-s.epsilon, s.epsilon):
        right.axvline(side, color=INK, lw=1.2, ls="--", zorder=0)
    scatter_classes(right, np.column_stack([miss, model.coef_ / s.C]), y)
    edge = 1.08 * max(np.abs(miss).max(), 1.2 * s.epsilon, 1e-12)
    right.set(title="how hard every point pulls, down or up", xlabel="height − f(x)", ylabel="β / C")
    right.set(xlim=(-edge, edge), ylim=(-1.15, 1.15), yticks=[-1, 0, 1], yticklabels=["−1", "0", "1"])
    _few_ticks(right)
    inside = int((np.abs(miss) <= s.epsilon + 1e-2 * edge).sum())
    support = len(model.support_)
    carry = "support vector carries" if support == 1 else "support vectors carry"
    return (
        f"The tube of ±{short(s.epsilon)} holds {inside} of {len(X)} points, and {support} {carry} the curve (rings)."
    )


def _curve_of(ax, grid, model, half=0.0):
    """f along x, and a tube of this half-width."""
    xs = np.linspace(grid[0][0], grid[0][-1], 400)
    f = drawable(model.predict(xs[:, None]))
    if half:
        ax.fill_between(xs, f - half, f + half, color=GRID, lw=0, zorder=0)
        for side in (-half, half):
            ax.plot(xs, f + side, color=MUTED, lw=1.2, ls="--", zorder=0.5)
    ax.plot(xs, f, color=INK, lw=2.5, zorder=0.6)
    ax.set_title("height as a function of x")


# ---- the way back to the plane ---------------------------------------------------------------------------------------


def _denoising(left, right, X, y, grid, found, s):
    new = found.answer
    left.plot(*segments(X, new), color=MUTED, lw=1.0, zorder=0.5)
    left.plot(*new.T, ".", color=INK, ms=5, zorder=0.6)
    _beside(left, "dots: where they go")
    left.set_title("points, and their way")
    scatter_classes(right, new, y)
    right.set(title=f"what {_many(s.components, 'component')} of kernel PCA {_keep(s.components)}", **framed(*grid))
    right.set(anchor="NW", xlabel="the points after their way", ylabel=s.way)
    kept, moved = found.model.explained_variance_ratio_.sum(), np.linalg.norm(new - X, axis=1).mean()
    return (
        f"{_many(s.components, 'component')} of kernel PCA {_keep(s.components)} {kept:.0%} of the variance, and the "
        f"points move by {short(moved)} on average."
    )


# ---- what they share -------------------------------------------------------------------------------------------------


def _regions(ax, grid, number, note):
    """The plane by the number that each of its points gets, in tints of the colours of the classes."""
    tints = [to_hex(1 - TINT * (1 - np.array(to_rgb(color)))) for color in COLORS]
    region_map(ax, *grid, over_grid(number, *grid).astype(int), tints)
    _beside(ax, note)


def _beside(ax, note):
    """A note where a map has its scale, so that every picture has the same room."""
    ax.text(1.06, 0.5, note, rotation=90, va="center", size=13, transform=ax.transAxes)


def _halo(ax, Z, numbers):
    """Discs in the colours of clusters, behind the points."""
    Z = np.column_stack([Z, np.zeros(len(Z))]) if Z.shape[1] < 2 else np.array(Z)
    ax.scatter(*Z.T, c=[COLORS[i] for i in numbers], s=190, zorder=0.8, **HALO)


def _ring(ax, P):
    ax.plot(*P.T, "o", ms=12, mfc="none", mec=INK, mew=1.3)


def _edges_of(ax, X, W):
    i, j = W.nonzero()
    ax.plot(*segments(X[i[i < j]], X[j[i < j]]), color=MUTED, lw=0.8, alpha=0.6, zorder=0.7)


def _room(values):
    low, high = float(np.min(values)), float(np.max(values))
    pad = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
    return low - pad, high + pad


def _few_ticks(ax):
    """Round numbers along x, and none at the ends, where a label would stick out."""
    low, high = ax.get_xlim()
    ticks = MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high)
    ticks = ticks[(ticks > low + 0.06 * (high - low)) & (ticks < high - 0.06 * (high - low))]
    ax.set_xticks(ticks, [short(tick) for tick in ticks])


def _many(n, one, more=None):
    return minus(f"{n} {one if n == 1 else more or one + 's'}")


def _are(n):
    return "is" if n == 1 else "are"


def _keep(n):
    return "keeps" if n == 1 else "keep"


PICTURES = {
    "kernel PCA": _kernel_pca,
    "KPCA-L1": _kernel_pca_l1,
    "SVC": _svc,
    "kernel perceptron": _kernel_perceptron,
    "Parzen": _parzen,
    "SVDD": _one_class,
    "one-class SVM": _one_class,
    "kernel ridge": _kernel_ridge,
    "SVR": _svr,
    "kernel k-means": _kernel_k_means,
    "spectral clustering": _spectral,
    "denoising": _denoising,
    "eigenmap": _locality,
    "LPP": _locality,
    "kernel LPP": _locality,
}


def figures():
    return {"play": lambda: figure_of(play, *points("moons"))}
