"""Pictures of notebook 14, Fisher directions and independence."""

from functools import lru_cache

import numpy as np

from ... import datasets
from ...cca import KernelCCA, KernelICA
from ...dependence import coco, gamma_approximation, independence_steps, independence_test, witnesses
from ...discriminant import FDA, LFDA, KernelFDA, KernelLFDA
from ...graph import nearest
from ...kernels import Gaussian, Linear, Polynomial
from ...neighbors import ParzenClassifier
from ...show.style import COLORS, DIVERGING, INK, MARKERS, MUTED, PAPER, SEQUENTIAL
from ...show.toolbox import (
    PLANE,
    alone,
    framed,
    minus,
    named_kernel,
    over_grid,
    points,
    remembered,
    scatter_classes,
    score_map,
    short,
    symmetric,
    tidy,
)
from ...show.widgets import figure_of, panels
from ..experiments.fisher_and_independence import dual_walk, hsic_share
from ..plane import unit
from ..samples import chebyshev_pair, mixed_sources

METHODS = ["FDA", "LFDA", "kernel FDA", "kernel LFDA"]
SHAPES = ["circle", "parabola", "sine", "linear", "independent"]
PLACE = (-4, -5), (4, 6)  # where points of two classes may lie
PAIRS = (-1.8, -1.8), (1.8, 1.8)  # and pairs (x, y)
SOURCES = ["uniform", "two humps", "one Gaussian", "two Gaussians"]


# Fisher


@panels(1, 2)
def one_axis(axes, X, y):
    """Fisher's direction for a class in two places."""
    left, right = axes
    model = _fitted(FDA(1), X, y)
    scatter_classes(left, X, y)
    b = model.components_[0] / np.linalg.norm(model.components_[0])
    left.plot(*(X.mean(0)[:, None] + np.outer(b, [-5, 5])), color=INK)
    left.set(title="two classes and Fisher's axis", **_limits(PLACE), **PLANE)
    scores = model.transform(X)[:, 0]
    _two_histograms(right, scores, y)
    right.set(title="scores on that axis")
    return f"Fisher's axis: the nearest neighbour on it is of the same class for {_agree(scores, y):.0%} of the points."


@panels(1, 2)
def directions(axes, X, y, method="LFDA", n_neighbors=7, width=2.0):
    """The first score of a Fisher method over the plane, and its histogram."""
    left, right = axes
    model = {
        "FDA": lambda: FDA(1),
        "LFDA": lambda: LFDA(1, n_neighbors),
        "kernel FDA": lambda: KernelFDA(Gaussian(width), n_components=1),
        "kernel LFDA": lambda: KernelLFDA(Gaussian(width), n_components=1, n_neighbors=n_neighbors),
    }[method]()
    scores = _fitted(model, X, y).transform(X)[:, 0]
    sign = np.sign(np.cov(scores, X[:, 0] + y)[0, 1])  # no picture flips while a slider moves
    xs, ys = (np.linspace(*ends, 60) for ends in zip(*PLACE, strict=True))
    if hasattr(model, "on_grid"):
        F = model.on_grid(xs, ys)[..., 0]
    else:
        F = over_grid(model.transform, xs, ys)
    score_map(left, xs, ys, sign * F)
    scatter_classes(left, X, y)
    left.set(title=f"{method}: first score", **framed(xs, ys))
    _two_histograms(right, sign * scores, y)
    right.set(title="scores of the points")
    why = alone(Gaussian(width)(X)) if method.startswith("kernel") else ""
    share = _agree(scores, y)
    return f"{method}: the nearest neighbour by score is of the same class for {share:.0%} of the points.{why}"


@panels(1, 3, size=(9.6, 4.2))
def dual_frame(axes, steps, t, factor=1.0):
    """Both sides of one line, λ times a factor that should be 1, and their difference as a power of ten."""
    stage = steps[t]
    first, second = stage.value
    sides = first, factor * second
    rows, columns = first.shape
    off = np.abs(sides[0] - sides[1]) / np.abs(first).max()
    gap = np.log10(np.maximum(off, 1e-17))
    for ax, M, title in zip(axes, (*sides, gap), ("left side", "right side", "log₁₀ |difference|"), strict=True):
        look = {"cmap": SEQUENTIAL, "vmin": -17, "vmax": 0} if M is gap else symmetric(first)
        ax.imshow(M, aspect="auto", interpolation="nearest", **look)
        ax.set(title=title, xticks=range(columns), yticks=[])
        ax.set_xticklabels([f"$λ_{j + 1}$" for j in range(columns)])
    axes[0].set_ylabel(f"{rows} rows")
    for j, worst in enumerate(gap.max(0)):
        axes[2].text(
            j,
            (rows - 1) / 2,
            minus(f"{worst:.0f}"),
            ha="center",
            va="center",
            size=20,
            color=PAPER if worst < -8 else INK,
        )
    size = "less than 1e-12" if off.max() < 1e-12 else f"up to {off.max():.1%}"
    return f"{stage.name}: {stage.sentence} With {factor:g} λ the two sides differ by {size} of their size."


@panels(1, 2)
def ridge(axes, X, y, Xt, yt, eps=1e-8, width=0.3):
    """What ε does: to the eigenvalues, and to old and new points in the plane of both discriminants."""
    left, right = axes
    grid = np.logspace(-8, 0, 17)
    lam = np.array([KernelFDA(Gaussian(width), e).fit(X, y).lam_ for e in grid])
    left.loglog(grid, lam, color=MUTED)
    left.loglog(grid, lam[0, 0] * grid[0] / grid, ":", color=INK, lw=1.5)
    left.text(3e-8, lam[0, 0] * 3, "1/ε", size=14)
    model = KernelFDA(Gaussian(width), eps).fit(X, y)
    left.loglog([eps, eps], model.lam_, "o", color=INK, ms=10)
    left.set(title="the two eigenvalues", xlabel="ε", ylim=(1e-2, 1e11), yticks=10.0 ** np.arange(-2, 11, 3))
    old, new = model.transform(X), model.transform(Xt)
    new, old = new / old.std(0), old / old.std(0)  # both axes alike, or the second would be too thin to see
    R = _turned(old, y)
    for c in np.unique(y):
        hollow = {"color": "none", "edgecolors": COLORS[c], "linewidths": 1.4}
        points(right, new @ R, np.flatnonzero(yt == c), 44, marker=MARKERS[c], **hollow)
        filled = {"color": COLORS[c], "edgecolors": INK, "linewidths": 1, "zorder": 3}
        points(right, old @ R, np.flatnonzero(y == c), 64, marker=MARKERS[c], **filled)
    right.set(title="old points filled, new points hollow", xlim=(-2.9, 2.9), ylim=(-2.6, 3.2), aspect="equal")
    right.set(xticks=[], yticks=[])
    means = ParzenClassifier(Linear()).fit(old, y)  # the class whose mean is nearest
    hits = [means.score(Z, labels) for Z, labels in ((old, y), (new, yt))]
    largest = f"{float(f'{model.lam_[0]:.2g}'):,.15g}"
    return (
        f"ε = {tidy(eps)}: largest eigenvalue {largest}; nearest to the mean of their own class are "
        f"{hits[0]:.0%} of the old and {hits[1]:.0%} of the new points."
    )


# dependence


@panels(1, 5, size=(9.6, 2.9))
def gallery(axes, n=120, noise=0.1, seed=7):
    """Five shapes with their correlation, and what a test with kernels says."""
    found = []
    for ax, shape in zip(axes, SHAPES, strict=True):
        X, Y = datasets.dependence_shapes(shape, n, noise, seed)
        p = independence_test(X, Y, permutations=499).pvalue
        ax.plot(X, Y, "o", color=COLORS[0], ms=3.5)
        r = minus(f"{_correlation(X, Y):+.2f}")
        ax.set(title=shape, xlabel=f"r = {r}\np = {p:.3f}", xlim=(-1.5, 1.5), ylim=(-1.5, 1.5))
        ax.set(aspect="equal", xticks=[], yticks=[])
        found += [shape] if p < 0.05 else []
    return f"The correlation r is near 0 for the circle and the parabola; p < 0.05 for {', '.join(found)}."


@panels(1, 3, size=(9.6, 3.7))
def witness_view(axes, shape="circle", noise=0.1, n=200, width=0.5):
    """The pair of functions with the largest covariance, and the data seen through them."""
    left, middle, right = axes
    X, Y = datasets.dependence_shapes(shape, n, noise)
    f, g, value = witnesses(X, Y, Gaussian(width), Gaussian(width))
    u, v = f(X), g(Y)
    left.scatter(X, Y, c=u * v, cmap=DIVERGING, s=26, vmin=-0.4, vmax=0.4, edgecolors=MUTED, linewidths=0.4)
    left.set(title="green: f(x) g(y) > 0", xlabel="x", ylabel="y", xlim=(-1.6, 1.6), ylim=(-1.6, 1.6))
    left.set(aspect="equal", anchor="N", xticks=(-1, 0, 1), yticks=(-1, 0, 1))
    grid = np.linspace(-1.6, 1.6, 120)
    middle.axhline(0, color=MUTED, lw=1)
    middle.plot(grid, f(grid[:, None]), color=COLORS[0], label="f(x)")
    middle.plot(grid, g(grid[:, None]), color=COLORS[1], ls="--", label="g(y)")
    middle.set(title="the witnesses", xlabel="x or y", ylim=(-1.1, 1.5))
    middle.legend(loc="upper center", ncols=2)
    right.plot(u, v, "o", color=INK, ms=4)
    right.set(title="seen through them", xlabel="f(x)", ylabel="g(y)", xlim=(-1, 1), ylim=(-1, 1))
    right.set(xticks=(-1, 0, 1), yticks=(-1, 0, 1))
    return minus(
        f"{shape}: correlation of x and y {_correlation(X, Y):.2f}, of f(x) and g(y) {_correlation(u, v):.2f}; "
        f"COCO = {value:.3f}."
    )


@panels(1, 2)
def conditions(axes, centering=False, norm_constraint=False, width=0.5):
    """The largest covariance of 001/p125 for growing samples, and for functions of growing length."""
    left, right = axes
    sizes, k = (25, 50, 100, 200, 400), Gaussian(width)
    last = {}
    for i, shape in enumerate(("independent", "circle")):
        values = [_mean_coco(shape, n, width, centering) for n in sizes]
        left.plot(sizes, values, MARKERS[i] + "-", color=COLORS[i], label=shape)
        last[shape] = values[-1]
    left.set(title="largest covariance, |f|, |g| ≤ 1", xlabel="points", xscale="log", ylim=(0, 1.15))
    left.set_xticks(sizes, map(str, sizes), minor=False)
    left.set_xticks([], minor=True)
    left.set_yticks(np.linspace(0, 1, 6))  # above 1 is room for the legend
    left.legend(loc="upper center", ncols=2)
    lengths = np.linspace(0.2, 10, 50)
    data = datasets.dependence_shapes("independent", 100)
    reached = coco(*data, k, k, center=centering) * (np.minimum(lengths, 1) if norm_constraint else lengths) ** 2
    right.plot(lengths, reached, color=COLORS[0])
    right.axvspan(0, 1, color=MUTED, alpha=0.18, lw=0)
    right.set(title="independent, 100 points", xlabel="length we try for f and g", xlim=(0, 10), ylim=(0, 8))
    right.text(0.5, 6, "|f|, |g| ≤ 1", size=13, rotation=90, ha="center", va="center")
    return (
        f"400 points: largest covariance {last['independent']:.2f} for independent points, {last['circle']:.2f} for "
        f"the circle. On the right {np.interp(1, lengths, reached):.2g} at length 1 and {reached[-1]:.2g} at length 10."
    )


@panels(1, 2)
def null_frame(axes, X, Y, steps, t):
    """The data, and the histogram of shuffled values so far."""
    left, right = axes
    now, most = steps[t], steps[-1]
    left.plot(X, Y, "o", color=COLORS[0], ms=5)
    r = minus(f"{_correlation(X, Y):.2f}")
    left.set(title=f"the data, r = {r}", xlabel="x", ylabel="y", aspect="equal", xlim=(-2, 2), ylim=(-2, 2))
    left.locator_params(nbins=5)
    edges = np.linspace(0, max(2.2 * now.statistic, 1.05 * most.null.max()), 45)
    right.stairs(np.histogram(now.null, edges)[0], edges, fill=True, color=MUTED, label="y shuffled")
    curve = gamma_approximation(X, Y).density(edges)
    right.plot(edges, curve * len(now.null) * (edges[1] - edges[0]), color=COLORS[2], label="gamma curve")
    right.axvline(now.statistic, color=COLORS[1], lw=3, label="the data")
    right.set(title=f"HSIC after {len(now.null)} shuffles", xlabel="HSIC", ylabel="shuffles")
    right.locator_params(axis="x", nbins=4)
    right.legend(loc="upper right")
    reached = round(now.pvalue * (1 + len(now.null))) - 1
    return f"{len(now.null)} shuffles, {reached} reach the data: p = {now.pvalue:.3g}."


@panels(1, 2)
def hsic_view(axes, shape="independent", turn=30.0, n=150, width=0.5):
    """A sample, turned by an angle, and its HSIC beside the values that shuffling y gives."""
    P = np.hstack(_turn(*datasets.dependence_shapes(shape, int(n)), turn))
    return f"{shape}, turned by {turn:.0f}°: {_beside_shuffles(axes, P, width)}"


@panels(1, 2)
def pairs_in_hand(axes, P, width=0.5):
    """The same for pairs (x, y), the rows of P, that the reader moves."""
    if len(P) < 4:
        raise ValueError(f"There are {len(P)} pairs, too few to be shuffled: click at least 4 into the picture.")
    return _beside_shuffles(axes, P, width)


def _beside_shuffles(axes, P, width):
    left, right = axes
    X, Y = np.asarray(P)[:, :1], np.asarray(P)[:, 1:]
    found = independence_test(X, Y, Gaussian(width), Gaussian(width), permutations=300)
    points(left, P, size=16, edgecolors=COLORS[0], linewidths=1, zorder=2)
    r = minus(f"{_correlation(X, Y):+.2f}")
    left.set(title=f"the sample, r = {r}", xlabel="x", ylabel="y", aspect="equal", **_limits(PAIRS))
    most = 1.8 * max(found.statistic, found.null.max()) or 1.0
    held = getattr(P, "hand", None) is not None  # limits go in steps then: an axis that changes is slow to draw
    if held:
        most = 2 ** (np.ceil(2 * np.log2(most)) / 2)
    edges = np.linspace(0, most, 70)
    counts = np.histogram(found.null, edges)[0]
    if held:
        right.set_ylim(0, 20 * np.ceil(counts.max() / 20))
    right.stairs(counts, edges, fill=True, color=MUTED, label="y shuffled")
    right.axvline(found.statistic, color=COLORS[1], lw=3, label="the sample")
    right.set(title="the sample beside 300 shuffles", xlabel="HSIC", ylabel="shuffles", yticks=[], xlim=(0, edges[-1]))
    tick = float(f"{0.3 * edges[-1]:.1g}")  # two round numbers, none at the edge, where its label would stick out
    right.set_xticks([0, tick, 2 * tick], [f"{value:g}" for value in (0, tick, 2 * tick)])
    right.legend(loc="upper right")
    reached = int((found.null >= found.statistic).sum())
    return f"HSIC = {short(found.statistic)}, {reached} of 300 shuffles reach it, p = {found.pvalue:.3f}."


@panels(1, 2, widths=[1, 1.3])
def unseen(axes, m=3, width=0.5):
    """y = T_m(x), and its HSIC with four kernels, as a share of what y = x has."""
    left, right = axes
    X, Y = chebyshev_pair(int(m))
    left.plot(X, Y, "o", color=COLORS[0], ms=4)
    left.set(title=f"y = $T_{int(m)}$(x)", xlabel="x", ylabel="y", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
    kernels = {"linear": Linear(), "quadratic": Polynomial(2), "cubic": Polynomial(3), "Gaussian": Gaussian(width)}
    shares = {name: hsic_share(X, Y, k) for name, k in kernels.items()}
    seen = [share > 1e-14 for share in shares.values()]  # what is smaller is rounding
    right.barh(
        range(4),
        [share if sees else 0 for share, sees in zip(shares.values(), seen, strict=True)],
        left=1e-12,
        color=COLORS[2],
    )
    for i, share in enumerate(shares.values()):
        right.text(2e-12, i, f"{share:.2g}" if seen[i] else "0", size=15, va="center", color=PAPER if seen[i] else INK)
    right.set(title="HSIC, as a share of that of y = x", xscale="log", xlim=(1e-12, 3), xticks=[1e-9, 1e-6, 1e-3, 1])
    right.set_yticks(range(4), list(shares))
    right.invert_yaxis()
    blind = ", ".join(name for name, sees in zip(shares, seen, strict=True) if not sees)
    return f"y is a function of x. HSIC is 0 with these kernels: {blind or 'none of them'}."


@panels(1, 2)
def kcca_view(axes, shape="circle", kernel="exponential", width=1.0, kappa=1e-6):
    """Canonical functions at one κ, and their correlation for all κ: of the data, and of the data shuffled."""
    left, right = axes
    X, Y = datasets.dependence_shapes(shape, 60)
    k = named_kernel(kernel, width)
    grid, found = np.logspace(-8, 3, 18), []
    for i, (name, other) in enumerate((("data", Y), ("y shuffled", np.random.default_rng(1).permutation(Y)))):
        model = KernelCCA(k, k, kappa, 1).fit(X, other)
        u, v = model.transform(X, other)
        dots = left.plot(u / u.std(), v / v.std(), MARKERS[i], color=COLORS[i], ms=5, alpha=0.8, label=name)
        dots[0].of = None  # pairs of the data are none of the shuffled data
        right.semilogx(grid, _first_correlations(X, other, k, grid), color=COLORS[i], ls=("-", "--")[i], label=name)
        right.plot(kappa, model.correlations_[0], MARKERS[i], color=COLORS[i], ms=11, clip_on=False)
        found.append(model.correlations_[0])
    left.set(title="both functions, standardised", xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), aspect="equal")
    left.set(xlabel="f(x)", ylabel="g(y)")
    left.legend(loc="upper left")
    right.set(title="kernel correlation", xlabel="κ", ylim=(0, 1.05), xticks=10.0 ** np.arange(-8, 4, 2))
    right.legend(loc="lower left")
    return f"{shape}, κ = {tidy(kappa)}: correlation {found[0]:.3f}, and {found[1]:.3f} after shuffling y."


@panels(1, 2)
def unmix(axes, theta=70.0, sources="uniform"):
    """The contrast of kernel ICA against the angle, and the whitened mixtures turned by it."""
    left, right = axes
    model, angles, curve = _mixture(sources)
    here = model.contrast(np.radians(theta))
    left.plot(np.degrees(angles), curve, color=MUTED)
    left.plot(theta, here, "o", color=COLORS[1], ms=11, clip_on=False)
    left.set(title="contrast J(θ)", xlabel="θ in degrees", xlim=(0, 180), xticks=range(0, 181, 45))
    left.set_ylim(0, max(0.2, 1.1 * curve.max()))
    c, s = unit(theta)
    turned = model.white_ @ np.array([[c, -s], [s, c]])
    right.plot(*turned.T, "o", color=COLORS[0], ms=4)
    right.set(title="what would be the sources", xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), aspect="equal")
    right.set(xlabel="source 1", ylabel="source 2")
    best = np.degrees(model.angle_)
    return (
        f"{sources}, θ = {theta:.0f}°: J = {here:.3f}. The least is {curve.min():.3f}, near {best:.0f}° and again "
        f"90° further; the largest is {curve.max():.3f}."
    )


@lru_cache(maxsize=8)
def _mixture(sources):
    """A fitted model and its contrast curve: they do not depend on the angle that is tried."""
    model = KernelICA().fit(mixed_sources(sources)[0])
    angles = np.radians(np.arange(181))  # those of the slider
    quarter = model.contrast(angles[:90])
    return model, angles, np.concatenate([quarter, quarter, quarter[:1]])


@lru_cache(maxsize=256)
def _mean_coco(shape, n, width, centering):
    """COCO, averaged over a few samples so that the lines are calm."""
    seeds = range(max(1, 400 // n // 2))
    data = (datasets.dependence_shapes(shape, n, seed=seed) for seed in seeds)
    return float(np.mean([coco(X, Y, Gaussian(width), Gaussian(width), center=centering) for X, Y in data]))


@remembered()
def _first_correlations(X, Y, kernel, kappas):
    return [KernelCCA(kernel, kernel, kappa, 1).fit(X, Y).correlations_[0] for kappa in kappas]


def _agree(scores, y):
    """Share of points whose nearest neighbour on the axis is of their class."""
    _, neighbor = nearest(scores[:, None], 1)
    return float(np.mean(y[neighbor[:, 0]] == y))


def _fitted(model, X, y):
    """Where there is nothing to divide by, what a reader with points in the hand can do about it."""
    try:
        return model.fit(X, y)
    except ValueError as error:
        if "no class has any width" not in str(error):
            raise
        raise ValueError(
            "There is a direction in which no class has any width: add points that give it some."
        ) from None


def _turned(scores, y):
    """A rotation, or a mirror, that puts class 0 up and class 1 to its right, whatever signs the axes came with."""
    a, b = (scores[y == c].mean(0) for c in (0, 1))
    up = a / np.linalg.norm(a)
    side = np.array([up[1], -up[0]])
    return np.column_stack([side * np.sign(side @ b), up])


def _two_histograms(ax, scores, y):
    edges = np.linspace(scores.min(), scores.max(), 28)
    for c in np.unique(y):
        ax.stairs(np.histogram(scores[y == c], edges)[0], edges, fill=True, alpha=0.65, color=COLORS[c])
    ax.set(xlabel="score", ylabel="points", yticks=[], xticks=[])


def _limits(place):
    (x0, y0), (x1, y1) = place
    return {"xlim": (x0, x1), "ylim": (y0, y1)}


def _turn(X, Y, degrees):
    c, s = unit(degrees)
    return c * X - s * Y, s * X + c * Y


def _correlation(X, Y):
    return float(np.corrcoef(np.ravel(X), np.ravel(Y))[0, 1])


def figures():
    X, y = datasets.split_class()
    clusters = datasets.three_clusters(20, 0.3)
    circle = datasets.dependence_shapes("circle", 60, noise=0.35)
    return {
        "one_axis": lambda: figure_of(one_axis, X, y),
        "local": lambda: figure_of(directions, X, y),
        "kernel": lambda: figure_of(directions, X, y, method="kernel FDA"),
        "dual": lambda: figure_of(dual_frame, steps=list(dual_walk(*clusters)), t=3),
        "ridge": lambda: figure_of(ridge, *clusters, *datasets.three_clusters(40, 0.3, seed=1)),
        "gallery": lambda: figure_of(gallery),
        "witnesses": lambda: figure_of(witness_view),
        "conditions": lambda: figure_of(conditions, centering=True, norm_constraint=True),
        "null": lambda: figure_of(null_frame, *circle, steps=list(independence_steps(*circle)), t=0),
        "hsic": lambda: figure_of(hsic_view),
        "unseen": lambda: figure_of(unseen),
        "kernel_correlation": lambda: figure_of(kcca_view, kappa=1.0),
        "unmixed": lambda: figure_of(unmix, theta=28.0),
    }
