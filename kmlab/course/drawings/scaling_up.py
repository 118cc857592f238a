"""Pictures of notebook 15: landmarks, pivots, random waves, tiles, and what they cost."""

from functools import lru_cache
from itertools import combinations

import numpy as np

from ... import datasets
from ...kernels import Gaussian
from ...pca import PCA
from ...scale import Nystroem, PrimalSVC, RandomFourier, factor_steps, gram_times, ridge_steps
from ...show.style import COLORS, GRID, INK, MUTED, PAPER, SEQUENTIAL
from ...show.toolbox import PLANE, color_scale, framed, name_tag, over_grid, remembered, short
from ...show.widgets import figure_of, panels
from ..experiments.scaling_up import slope
from ..samples import many_digits

PICKS = {"any": "uniform", "largest rest": "largest", "drawn by rest": "weighted"}


@panels(1, 1, size=(9.6, 4.6))
def wall(axes, n=60_000, landmarks=300):
    """Bytes against n for what the methods of the course keep."""
    (ax,) = axes
    ns = np.geomspace(60, 6e6, 50)
    kept = {
        "K, n × n": 8 * ns**2,
        f"landmarks, n × {landmarks}": 8 * landmarks * ns,
        "10 neighbours, sparse": 12 * 13 * ns,
        "X itself, 64 features": 8 * 64 * ns,
    }
    for (name, size), color in zip(kept.items(), COLORS, strict=False):
        ax.loglog(ns, size, color=color, label=name)
    for size, name in (16e9, "memory of a laptop, 16 GB"), (1e12, "a large server, 1 TB"):
        ax.axhline(size, color=INK, ls="--", lw=1.5)
        ax.text(70, 1.3 * size, name, size=13)
    ax.axvline(n, color=MUTED, lw=1.5)
    for size, color in (8 * n**2, COLORS[0]), (8 * landmarks * n, COLORS[1]):
        ax.plot(n, size, "o", ms=11, color=color, mec=INK, clip_on=False)
    ax.set(title="bytes", xlabel="number of points n", xlim=(60, 6e6), ylim=(1e4, 1e15))
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    whole, few = _bytes(8 * n**2), _bytes(8 * landmarks * n)
    return f"{n:,.0f} points: K takes {whole}, coordinates by {landmarks} landmarks {few}."


@panels(1, 2, widths=[1.15, 1])
def pivot_frame(axes, X, steps, t):
    """What is still missing of every point, the pivots so far, and the trace of what is missing."""
    left, right = axes
    _, _, rest = steps[t]
    pivots = [step.index for step in steps[: t + 1]]
    dots = left.scatter(*X.T, c=np.maximum(rest, 0), cmap=SEQUENTIAL, vmin=0, vmax=1, s=30)
    color_scale(left, dots, "still missing")
    left.scatter(*X[pivots].T, s=110, facecolors="none", edgecolors=INK, linewidths=1.8)
    for number, i in enumerate(pivots[:9], 1):
        left.annotate(str(number), X[i], xytext=(7, 6), textcoords="offset points", size=13, weight="bold")
    left.set(title="pivots, and what is missing", xlim=(-1.5, 2.5), ylim=(-1.0, 1.6), **PLANE)
    missing = [np.maximum(step.rest, 0).sum() for step in steps]
    best = _tail(X, 1.0)
    right.semilogy(range(1, t + 2), missing[: t + 1], "o-", color=COLORS[0], label="pivots")
    right.semilogy(range(1, len(steps) + 1), best[1 : len(steps) + 1], color=MUTED, ls="--", label="best of this rank")
    right.set(title="tr(K − LLᵀ)", xlabel="rank", xlim=(0, len(steps) + 1), ylim=(0.5 * best[len(steps)], len(X)))
    right.legend(loc="upper right")
    share, least = missing[t] / len(X), best[t + 1] / len(X)
    return (
        f"Pivot {t + 1} is point {pivots[-1]}; {100 * share:.2g}% of the trace is missing, and the best matrix of "
        f"rank {t + 1} misses {100 * least:.2g}%."
    )


@panels(1, 2, widths=[1, 1.25])
def landmarks(axes, pick="uniform", m=20, width=1.0, outliers=0):
    """Which points are taken, and the error against the rank for all three ways to pick."""
    left, right = axes
    X = _moons(int(outliers))
    chosen = Nystroem(Gaussian(width), m, pick=pick).fit(X)
    left.scatter(*X.T, s=14, color=GRID)
    left.scatter(*chosen.landmarks_.T, s=60, color=_color(pick), edgecolors=PAPER)
    left.set(title=f"{len(chosen.landmarks_)} landmarks of {len(X)} points", **PLANE)
    best, curves = _errors(int(outliers), round(width, 6))
    right.semilogy(range(1, len(best)), best[1:], color=MUTED, ls="--", label="best of this rank")
    for name, how in PICKS.items():
        right.semilogy(*curves[how], color=_color(how), lw=3.2 if how == pick else 1.6, label=name)
    right.vlines(m, 1e-8, 1, color=INK, lw=1)
    right.set(title="share of the trace that is missing", xlabel="rank", xlim=(0, 100), ylim=(1e-8, 300))
    right.set_yticks(10.0 ** np.arange(-8, 1, 2))  # above 1 is room for the legend
    right.legend(loc="upper center", ncols=2)
    Z = chosen.transform(X)
    off = max(1 - (Z**2).sum() / len(X), 0)
    return (
        f"{_taken(m, chosen)}, {_name(pick)}: {short(off)} of the trace is missing; the best matrix of rank {m} misses "
        f"{short(best[m])}."
    )


@panels(1, 2, widths=[1.2, 1])
def waves(axes, m=50, width=1.0, seed=0):
    """A kernel along a line as a mean of cosines, and how the error falls with their number."""
    left, right = axes
    t = np.linspace(-4, 4, 400)[:, None]
    model = RandomFourier(Gaussian(width), m, int(seed)).fit(t)
    for omega in model.frequencies_[: min(8, m // 2), 0]:
        left.plot(t, np.cos(omega * t), color=GRID, lw=1)
    left.plot(t, model.transform(t) @ model.transform([[0.0]])[0], color=COLORS[1], label=f"mean of {m // 2} waves")
    left.plot(t, Gaussian(width)(t, [[0.0]]), color=INK, ls="--", label="k(t)")
    left.set(title="some waves, their mean, and the kernel", xlabel="t = x − z", ylim=(-1.1, 1.5))
    left.legend(loc="upper left", ncols=2)
    sizes, measured, predicted = _wave_errors(round(width, 6))
    right.loglog(sizes, measured, "o", color=COLORS[1], label="measured")
    right.loglog(sizes, predicted, color=INK, ls="--", label="theory")
    expected = np.exp(np.interp(np.log(m), np.log(sizes), np.log(predicted)))
    right.plot(m, expected, "o", ms=15, mfc="none", mec=INK, mew=2)
    right.set(title="error of the kernel values", xlabel="features m", ylim=(5e-3, 1))
    right.legend(loc="lower left")
    return f"With {m} features, that is {m // 2} waves, a kernel value is off by {expected:.2g} (root mean square)."


@panels(1, 2, widths=[1.1, 1])
def ridge(axes, lam=1e-3, rank=20, n=400):
    """A ridge fit without a stored matrix: the curve, and the residual step by step, with and without help."""
    left, right = axes
    X, y = datasets.sinc(int(n), 0.1)
    kernel, xs = Gaussian(2.0), np.linspace(-10, 10, 300)[:, None]
    pivots, runs = f"{rank} pivot{'s' * (rank > 1)}", {}
    for name, r in ("alone", 0), (pivots, int(rank)):
        runs[name] = list(ridge_steps(kernel, X, y, lam, r, tol=1e-8, max_steps=120))
    left.plot(X, y, ".", color=MUTED, ms=4)
    for (_name_, steps), color in zip(runs.items(), COLORS, strict=False):
        left.plot(xs, gram_times(kernel, xs, steps[min(9, len(steps) - 1)].alpha, X), color=color)
        right.semilogy(range(1, len(steps) + 1), [s.residual for s in steps], color=color, label=_name_)
    left.set(title="the fit after ten steps", xlabel="x", ylim=(-0.7, 1.5), xticks=[-10, -5, 0, 5, 10])
    right.axhline(1e-8, color=INK, ls="--", lw=1.5)
    right.set(title="|y − (K + λI)α| / |y|", xlabel="step, one product with K each", ylim=(1e-9, 10), xlim=(0, 121))
    right.legend(loc="upper right")
    alone, helped = (_about(len(steps)) if steps[-1].residual <= 1e-8 else "over 120" for steps in runs.values())
    return f"λ = {lam:.3g}: down to the dashed line in {alone} steps alone, in {helped} with {pivots}."


@panels(1, 2, widths=[1.25, 1])
def machine(axes, n=6_000, m=30, C=10.0):
    """A kernel SVM on many points: their density, its boundary, and how many of new points it gets right."""
    left, right = axes
    n = int(n)
    X, y = datasets.two_moons(n, noise=0.2)
    new, truth = datasets.two_moons(4_000, noise=0.2, seed=1)
    features = Nystroem(Gaussian(0.7), int(m)).fit(X)
    steps = list(PrimalSVC(C).steps(features.transform(X), y))
    w, b = steps[-1].w, steps[-1].b
    xs, ys = np.linspace(-1.8, 2.8, 90), np.linspace(-1.3, 1.8, 70)
    f = over_grid(lambda P: features.transform(P) @ w + b, xs, ys)
    for label, color in (-1, COLORS[0]), (1, COLORS[1]):
        shown = X[y == label][:: max(1, n // 4000)]
        left.plot(*shown.T, ".", ms=3, color=color, alpha=0.5)
    lines = {"linewidths": [1, 2.5, 1], "linestyles": ["--", "-", "--"]}
    left.contour(xs, ys, f, [-1, 0, 1], colors=INK, **lines)
    left.plot(*features.landmarks_.T, "D", ms=6, color=PAPER, mec=INK)
    left.set(title=f"{n:,} points, {len(features.landmarks_)} landmarks (◇)", **framed(xs, ys))
    right.plot(range(len(steps) + 1), [1.0, *(s.inside for s in steps)], "o-", color=COLORS[2])
    right.set(title="share of points within the margin", xlabel="Newton step", ylim=(0, 1.05))
    right.set_xticks(range(0, len(steps) + 1, max(1, len(steps) // 6)))
    share = np.mean(np.sign(features.transform(new) @ w + b) == truth)
    taken = _taken(m, features)
    return f"{n:,} points, {taken}: {len(steps)} Newton steps, and {share:.1%} of 4,000 new points are right."


@panels(1, 1, size=(9.6, 5.2))
def digit_cloud(axes, scores, y):
    """Tens of thousands of digits in two kernel principal components."""
    (ax,) = axes
    order = np.random.default_rng(0).permutation(len(y))  # or the last digit would hide the others
    tints = np.array([_tint(digit) for digit in range(10)])
    ax.scatter(*scores[order].T, c=tints[y[order]], s=min(6, 9e4 / len(y)), linewidths=0)
    places = np.array([np.median(scores[y == digit], axis=0) for digit in range(10)])
    a, b = min(combinations(range(10), 2), key=lambda pair: np.linalg.norm(places[pair[0]] - places[pair[1]]))
    apart = np.ptp(scores[:, 0]) / 40 * np.sign(places[b] - places[a])[0]
    places[[a, b], 0] += -apart, apart  # or one number would hide the other
    for digit in range(10):
        name_tag(ax, places[digit], str(digit))
    ax.set(title=f"{len(y):,} images", xlabel="component 1", ylabel="component 2", xticks=[], yticks=[])
    return f"Kernel PCA of {len(y):,} noisy digits: most have a place of their own, {a} and {b} share one."


@panels(1, 2, widths=[1, 1])
def decay(axes, width=1.0, d=2):
    """Eigenvalues of K, and what the best rank can do: a wide kernel on few features is easy."""
    left, right = axes
    lam = _spectrum(round(width, 6), int(d))
    tail = np.maximum(1 - np.cumsum(lam) / lam.sum(), 1e-16)
    left.semilogy(range(1, len(lam) + 1), np.maximum(lam, 1e-16), color=COLORS[0])
    left.set(title="eigenvalues of K", xlabel="number", ylim=(1e-8, 600), xlim=(0, 400))
    right.plot(range(1, len(lam) + 1), tail, color=COLORS[1])
    right.axhline(0.01, color=INK, ls="--", lw=1.5)
    right.set(title="missing at best", xlabel="rank", ylim=(0, 1), xlim=(0, 400))
    need = int((tail > 0.01).sum()) + 1
    features = f"{d} feature{'s' * (d > 1)}"
    return f"400 points, {features}, width {width:.2g}: 99 % of the trace needs a rank of at least {need}."


@panels(1, 2, widths=[1, 1], size=(9.6, 5.0))
def costs(axes, measured):
    """Seconds of the processor and bytes against n, measured here and now, with the slopes of the last doublings."""
    left, right = axes
    for (name, rows), color in zip(measured.items(), COLORS, strict=False):
        n, seconds, size = np.array(rows).T
        left.loglog(n, seconds, "o-", color=color, label=f"{name}: $n^{{{slope(rows, 1):.1f}}}$")
        right.loglog(n, size, "o-", color=color, label=f"{name}: $n^{{{abs(slope(rows, 2)):.1f}}}$")
    for ax, title in (left, "seconds of one processor"), (right, "bytes at the peak"):
        ax.set(title=title, xlabel="number of points n", xticks=[1e3, 1e4])
        low, high = ax.get_ylim()
        ax.set_ylim(low, high * (high / low) ** 0.65)  # room for the legend
        ax.legend(loc="upper left", fontsize=12)
    return "Time and memory of five ways against the number of points, with slopes, as measured when this cell ran."


def _about(steps):
    """A number of steps; many of them are a matter of rounding errors, and come in tens."""
    return str(steps) if steps <= 20 else f"about {round(steps, -1)}"


def _bytes(size):
    for unit, name in (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size / 1e3:.3g} kB"


def _taken(asked, features):
    """How many landmarks there are: one that the others already express is left out."""
    count = len(features.landmarks_)
    return f"{count} landmarks" if count == asked else f"{count} landmarks of {asked} picked"


def _name(pick):
    return next(name for name, value in PICKS.items() if value == pick)


def _color(pick):
    return COLORS[list(PICKS.values()).index(pick)]


def _tint(digit):
    """Ten colours: the palette's six, and four lighter ones."""
    from matplotlib.colors import to_rgb

    rgb = np.array(to_rgb(COLORS[digit % 6]))
    return rgb if digit < 6 else 0.5 + 0.5 * rgb


@lru_cache(maxsize=2)
def _moons(outliers):
    X = datasets.two_moons(400, noise=0.1)[0]
    far = np.random.default_rng(3).uniform(-9, 9, (outliers, 2))
    return np.concatenate([X[: 400 - outliers], far]) if outliers else X


@remembered(4)
def _tail(X, width):
    """Σ of all but the r largest eigenvalues of K, for r = 0, 1, ...: no matrix of rank r misses less of the trace."""
    lam = np.linalg.eigvalsh(Gaussian(width)(X))[::-1]
    return np.maximum(lam[::-1].cumsum()[::-1], 1e-13)


@lru_cache(maxsize=8)
def _errors(outliers, width):
    """Shares of the trace that are missing: at best, and by each way to pick, (ranks, mean over five draws)."""
    X = _moons(outliers)
    kernel, best, ranks = Gaussian(width), _tail(X, width) / len(X), np.arange(1, 101)
    curves = {}
    for how in "largest", "weighted":
        seeds = range(5) if how == "weighted" else (0,)
        runs = [[np.maximum(s.rest, 0).sum() for s in factor_steps(kernel, X, 100, how, seed)] for seed in seeds]
        long = min(map(len, runs))
        curves[how] = ranks[:long], np.mean([run[:long] for run in runs], axis=0) / len(X)
    some = np.array([1, 2, 3, 5, 8, 12, 20, 30, 45, 70, 100])
    left = [[1 - (Nystroem(kernel, m, seed).fit_transform(X) ** 2).sum() / len(X) for m in some] for seed in range(5)]
    curves["uniform"] = some, np.maximum(np.mean(left, axis=0), 1e-13)
    return best, curves


@lru_cache(maxsize=8)
def _wave_errors(width):
    X = np.random.default_rng(0).standard_normal((60, 2))
    K, sizes = Gaussian(width)(X), np.array([10, 30, 100, 300, 1000, 3000])
    measured = []
    for m in sizes:
        Z = [RandomFourier(Gaussian(width), int(m), seed).fit_transform(X) for seed in range(10)]
        measured.append(np.sqrt(np.mean([(F @ F.T - K) ** 2 for F in Z])))
    return sizes, np.array(measured), np.sqrt(np.mean((1 - K**2) ** 2) / sizes)


@lru_cache(maxsize=16)
def _spectrum(width, d):
    X = np.random.default_rng(0).standard_normal((400, d))
    return np.maximum(np.linalg.eigvalsh(Gaussian(width)(X))[::-1], 0)


def figures():
    moons = datasets.two_moons(120, noise=0.1)[0]
    pivots = list(factor_steps(Gaussian(1.0), moons, 30))
    return {
        "wall": lambda: figure_of(wall),
        "pivots": lambda: figure_of(pivot_frame, moons, pivots, 7),
        "landmarks": lambda: figure_of(landmarks),
        "outliers": lambda: figure_of(landmarks, pick="largest", outliers=12),
        "waves": lambda: figure_of(waves),
        "ridge": lambda: figure_of(ridge),
        "machine": lambda: figure_of(machine, n=1_500),
        "digits": lambda: figure_of(digit_cloud, *_scored_digits(2_000)),
        "decay": lambda: figure_of(decay),
    }


def _scored_digits(n):
    X, y = many_digits(n)
    return PCA(2).fit_transform(Nystroem(Gaussian(4.0), 200).fit_transform(X)), y
