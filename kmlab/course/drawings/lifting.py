"""Pictures of notebook 02, when a line is not enough."""

from functools import lru_cache

import numpy as np

from ... import datasets
from ...datasets import mixed, two_sides
from ...lifting import (
    MLP,
    AdaBoostStumps,
    bayes_map,
    cover_count,
    is_separable,
    log_ratio,
    random_map,
    separating_plane,
    stump,
)
from ...perceptron import Perceptron, perceptron_cost
from ...show.style import COLORS, DIVERGING, GRID, INK, MUTED
from ...show.toolbox import (
    PLANE,
    color_scale,
    decision_map,
    framed,
    grid_around,
    minus,
    over_grid,
    plane_line,
    remembered,
    scatter_classes,
    score_map,
)
from ...show.widgets import figure_of, panels
from ..experiments.lifting import thirty_walks, updates_allowed

MAPS = ["cosine", "tanh", "linear"]
ROOM = 0.15  # around the points
LIFTED = ([-0.5, 0.0], [0.5, 0.0]), (3.0, 1.0)  # means and variances of two round classes, -1 first


@panels(1, 2)
def enough_or_not(axes, X, y, corners, corner):
    """The same walk on data that a line separates, and on data that none does."""
    said = []
    for ax, data, label in zip(axes, (X, corners), (y, corner), strict=True):
        model = _after_100_passes(data, label)
        xs, ys = grid_around(data, room=ROOM)
        plane_line(ax, model.w_, model.b_, xs)
        scatter_classes(ax, data, label)
        ax.set(title="the walk ends" if model.converged_ else "no end in 100 passes", **framed(xs, ys))
        end = ", and every point is on its side" if model.converged_ else " in 100 passes, and no end"
        said.append(f"{_count(model.mistakes_, 'update')}{end}.")
    return f"Left: {said[0]} Right: {said[1]}"


@remembered()
def _after_100_passes(X, y):
    return Perceptron(max_passes=100).fit(X, y)


@panels(1, 2)
def walk(axes, X, y, update=4, eta=1.0):
    """The line after so many updates, and how many points are wrong after each of them."""
    left, right = axes
    steps = list(Perceptron(eta, max_passes=50).steps(X, y))
    t = min(update, len(steps))
    w, b = (steps[t - 1].w, steps[t - 1].b) if t else (np.zeros(2), 0.0)
    xs, ys = grid_around(X, room=ROOM)
    wrong = [len(X)] + [int((y * (X @ s.w + s.b) <= 0).sum()) for s in steps]
    if t:
        plane_line(left, w, b, xs)
        left.plot(*X[steps[t - 1].i], "o", ms=19, mfc="none", mec=INK, mew=2.5)
    scatter_classes(left, X, y, size=50)
    size = np.linalg.norm(w)
    left.set(title=f"after {_count(t, 'update')}, |w| = {size:.3g}")
    left.set(**framed(xs, ys))
    right.plot(wrong, color=GRID, zorder=0)
    right.plot(range(t + 1), wrong[: t + 1], "o-", color=INK)
    right.set(title="points not on their side", xlabel="update", ylim=(-1, len(X) + 2), xlim=(-0.5, len(steps) + 0.5))
    right.set_xticks([tick for tick in right.get_xticks() if 0 <= tick < 0.96 * len(steps)])  # none is cut at the edge
    end = "" if t < len(steps) else " The walk is over." if steps[-1].round < 50 else " Cut off after 50 passes."
    return f"η = {eta:.2g}, update {t} of {len(steps)}: |w| = {size:.3g}, {wrong[t]} points are not right.{end}"


@panels(1, 2)
def cost_surface(axes, X, y, steps, t):
    """Numbers on a line, the first column of X, so that (w, b) is a plane: the cost over it, and the walk."""
    left, right = axes
    x = np.array(X[:, 0])
    R = np.abs(x).max()
    path = np.array([(0.0, 0.0), *((float(s.w[0]), s.b / R) for s in steps)])
    w, b = steps[t].w[0], steps[t].b
    grid = np.linspace(-5.4, 5.4, 400)
    left.axhline(0, color=MUTED, lw=1)
    left.plot(grid, w * grid + b, color=INK)
    scatter_classes(left, X, y, size=110, zorder=3)
    left.plot(x[steps[t].i], 0, "o", ms=20, mfc="none", mec=INK, mew=2.5, zorder=4)
    left.set(title="f(x) = wx + b", xlabel="x", xlim=(0, 4.6), ylim=(-25, 25))
    low, high = np.minimum(path.min(0) - 1, [-8, -12]), np.maximum(path.max(0) + 1, [16, 8])
    ws, bs = np.linspace(low, high, 60).T
    J = np.maximum(-y * (ws[:, None] * x + bs[:, None, None] * R), 0).sum(2)  # (P.5)
    shades = right.contourf(ws, bs, np.sqrt(J), levels=12, cmap="Greys", alpha=0.75)
    color_scale(right, shades, "cost", ("0", f"{J.max():.0f}"))
    for free, first, last in (ws[-1], x[y > 0].min(), x[y < 0].max()), (ws[0], x[y < 0].min(), x[y > 0].max()):
        if first > last:  # a sign of w for which some b separates
            free = np.array([0, free])
            right.fill_between(free, -first * free / R, -last * free / R, color=COLORS[2], alpha=0.8)
    right.plot(*path[: t + 2].T, "o-", color=COLORS[3], ms=6, lw=1.8)
    right.plot(*path[t + 1], "*", color=COLORS[3], ms=20, mec=INK)
    right.set(title="cost over (w, b/R)", xlabel="w", ylabel="b / R", xlim=ws[[0, -1]], ylim=bs[[0, -1]])
    wrong = int((y * (x * w + b) <= 0).sum())
    where = minus(f"w = {w:.3g}, b = {b:.3g}, cost {perceptron_cost([w], b, x[:, None], y):.3g}")
    return f"Update {t + 1}: {where}, {wrong} of {len(x)} points not on their side."


@panels(1, 2)
def against_bound(axes, gap=0.1, away=1.0):
    """Updates made against updates allowed, for thirty data sets and for the one on the left."""
    left, right = axes
    X, y = two_sides(40, gap, (away, 0.6 * away))
    model = Perceptron().fit(X, y)
    bound = updates_allowed(X, y)
    xs, ys = grid_around(X, room=ROOM)
    plane_line(left, model.w_, model.b_, xs)
    left.plot(0, 0, "+", color=INK, ms=18, mew=3)
    scatter_classes(left, X, y)
    left.set(title="the data; + is the origin", xlim=(-4, 8), ylim=(-4, 6), **PLANE)
    bounds, updates = thirty_walks()
    right.loglog([1, 1e6], [1, 1e6], color=INK, ls="--", lw=1.5)
    right.plot(bounds, updates, "o", color=MUTED, ms=6)
    right.plot(bound, model.mistakes_, "*", color=COLORS[3], ms=22, mec=INK)
    right.text(300, 420, "updates = bound", rotation=38, ha="center", va="bottom", rotation_mode="anchor")
    right.set(title="updates", xlabel="bound (2R/ρ)²", xlim=(10, 1e6), ylim=(1, 1e4))
    return f"Gap {gap:.2g}, {away:.2g} away from the origin: {model.mistakes_} updates, the bound allows {bound:.0f}."


@panels(1, 2, widths=[1, 1.2], projections={1: "3d"})
def bayes(axes, ratio=3.0, prior=0.5):
    """Two Gaussian classes, the log ratio over the plane, and the same as a surface cut at 0."""
    left, right = axes
    means, covs = ([-1.0, 0.0], [1.0, 0.0]), (np.eye(2), ratio * np.eye(2))
    xs, ys = np.linspace(-5, 5, 61), np.linspace(-4.65, 4.65, 61)  # as the panel: a circle looks like one
    L = np.clip(over_grid(lambda P: log_ratio(P, means, covs, prior), xs, ys), -8, 8)
    score_map(left, xs, ys, L, lines=False, note="thick line: 0" if L.min() < 0 < L.max() else "")
    rng = np.random.default_rng(0)
    counts = [round(120 * share) for share in (1 - prior, prior)]
    clouds = [
        mean + rng.standard_normal((n, 2)) @ np.sqrt(cov) for n, mean, cov in zip(counts, means, covs, strict=True)
    ]
    scatter_classes(left, np.vstack(clouds), np.repeat([-1, 1], counts), size=49)
    left.set(title="green: Bayes says +1 (▲)", **framed(xs, ys))
    look = {"cmap": DIVERGING, "vmin": -8, "vmax": 8, "rstride": 1, "cstride": 1, "lw": 0.3, "edgecolor": MUTED}
    right.plot_surface(*np.meshgrid(xs[::4], ys[::4]), L[::4, ::4], **look)
    right.plot_surface(*np.meshgrid(xs[::60], ys[::60]), np.zeros((2, 2)), color=INK, alpha=0.25)
    if L.min() < 0 < L.max():
        left.contour(xs, ys, L, [0], colors=INK, linewidths=3)
        right.contour(xs, ys, L, [0], colors=INK, linewidths=4, zorder=9)
    right.view_init(28, -65)
    right.set_box_aspect((1, 0.93, 0.75), zoom=1.1)
    right.set(zlim=(-8, 8), xticks=[], yticks=[], zticks=[-5, 0, 5])
    right.set_title("log ratio, cut at 0", y=1.03)
    bend = np.abs(np.diff(log_ratio([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]], means, covs, prior), 2)).max()
    if L.min() > 0 or L.max() < 0:
        return f"Variance ratio {ratio:.2g}, prior {prior:.2g}: one class wins everywhere in this picture."
    kind = "a straight line" if bend < 1e-9 else "a circle"
    return f"Variance ratio {ratio:.2g}, prior {prior:.2g}: the best boundary is {kind}."


@panels(1, 2, size=(9.6, 4.6), widths=[1, 1.3], projections={1: "3d"})
def bayes_lift(axes, prior=0.5, lift=1.0, n=240):
    """003/s10: the ratio as one more coordinate, and the plane w = (0, 0, 1), b = -1 between the classes."""
    left, right = axes
    means, covs = LIFTED[0], [v * np.eye(2) for v in LIFTED[1]]
    rng = np.random.default_rng(4)
    y = np.where(rng.random(n) < prior, 1, -1)
    X = np.take(means, y > 0, 0) + rng.standard_normal((n, 2)) * np.sqrt(np.take(LIFTED[1], y > 0))[:, None]
    X, y = (part[np.abs(X).max(1) < 4] for part in (X, y))
    Z = bayes_map(X, means, covs, prior, log=False)
    xs = np.linspace(-4, 4, 61)
    ratio = over_grid(lambda P: bayes_map(P, means, covs, prior, log=False)[:, 2], xs, xs)
    top = 4.0  # higher is drawn at the top
    scatter_classes(left, X, y, size=30)
    scatter_classes(
        right, Z * [1, 1, 0] + np.outer(np.minimum(lift * Z[:, 2], top), [0, 0, 1]), y, size=16, depthshade=False
    )
    surface = np.minimum(lift * ratio, top)
    right.plot_wireframe(*np.meshgrid(xs, xs), surface, rstride=6, cstride=6, color=MUTED, lw=0.5)
    corners = np.array([[-4.0, 4.0], [-4.0, 4.0]])
    right.plot_surface(corners, corners.T, np.full((2, 2), lift), color=COLORS[2], alpha=0.3)
    if ratio.max() > 1:
        left.contour(xs, xs, ratio, [1], colors=COLORS[2], linewidths=3)
        right.contour(xs, xs, ratio, [1], colors=COLORS[2], linewidths=3, offset=lift)
    left.set(
        title="where the ratio is 1" if ratio.max() > 1 else "the ratio is nowhere 1",
        xlim=(-4, 4),
        ylim=(-4, 4),
        aspect="equal",
        xticks=[],
        yticks=[],
    )
    right.view_init(14, -65)
    right.set_box_aspect((1, 1, 0.75), zoom=1.1)
    right.set(xlim=(-4, 4), ylim=(-4, 4), zlim=(0, top), xticks=[], yticks=[], zticks=[0, 1, 2, 3, 4])
    right.set_title("(x, ratio), and the plane at 1" if lift == 1 else "on the way up", y=1.0)
    right.M = right.get_proj()  # the layout is found before the first draw, which would set it
    plane, line = _shares_right(prior)
    return (
        f"P(+1) = {prior:.2g}: w = (0, 0, 1), b = −1 is right on {plane:.1%} of all points to come, "
        f"the best line in the plane on {line:.1%}."
    )


@panels(1, 2)
def cover_curve(axes, n=8, k=4, kind="cosine", labelling=1):
    """One labelling of n points lifted to k dimensions; and which share of all labellings a plane separates."""
    left, right = axes
    X, y = _points_and_labels(n, labelling)
    Z = random_map(X, k, kind)
    plane = separating_plane(Z, y, affine=False)
    xs = np.linspace(-2.2, 2.2, 90)
    if plane is not None:
        decision_map(left, xs, xs, over_grid(lambda P: random_map(P, k, kind) @ plane[0], xs, xs))
    scatter_classes(left, X, y, size=110)
    left.set(title="separated" if plane is not None else "no plane does it", **framed(xs, xs))
    ks = np.arange(1, 13)
    right.plot(ks, [100 * cover_count(n, int(i)) / 2**n for i in ks], color=INK, label="Cover's formula")
    right.plot(ks, 100 * _measured(n, kind), "o", color=COLORS[3], ms=10, label="64 labellings tried")
    right.vlines(k, -4, 106, color=MUTED, ls=":")
    right.set(title="separable labellings in %", xlabel="dimension k", ylim=(-4, 130), xticks=ks[1::2])
    right.set(yticks=range(0, 101, 20))
    right.legend(loc="upper left", ncols=2, columnspacing=1.0, handlelength=1.2)
    share = cover_count(n, k) / 2**n if kind != "linear" else cover_count(n, min(k, 2)) / 2**n
    colour = "" if plane is None else " Colour: f of the labelling shown."
    return f"{n} points, {kind} features, k = {k}: a plane separates {share:.0%} of all {2**n} labellings.{colour}"


@panels(1, 2)
def random_lift(axes, X, y, kind="cosine", k=8, labels="moons", number=0):
    """A map drawn at random, and a plane behind it; how often such a map separates."""
    left, right = axes
    y = y if labels == "moons" else np.random.default_rng(3).permutation(y)
    plane = separating_plane(random_map(X, k, kind, seed=number), y)
    xs, ys = grid_around(X, room=ROOM)
    if plane is not None:
        F = over_grid(lambda P: random_map(P, k, kind, seed=number) @ plane[0] + plane[1], xs, ys)
        decision_map(left, xs, ys, F)
    scatter_classes(left, X, y)
    left.set(title="separated" if plane is not None else "no plane does it", **framed(xs, ys))
    ks, shares = _lift_curves(X, y)
    for name, color in zip(MAPS, COLORS[3:], strict=False):
        right.plot(ks, 100 * shares[name], "o-", color=color, ms=5, lw=4 if name == kind else 1.8, label=name)
    right.vlines(k, -4, 106, color=MUTED, ls=":")
    right.set(title="maps that separate, in %", xlabel="dimension k", ylim=(-4, 130), yticks=range(0, 101, 20))
    right.legend(loc="upper left", ncols=3, columnspacing=1.0, handlelength=1.2)
    verdict = "separates" if plane is not None else "does not separate"
    what = "the moons" if labels == "moons" else "coin tosses"
    colour = "" if plane is None else " Colour: f, made of these dimensions."
    return f"{kind.capitalize()} map number {number} into {_count(k, 'dimension')} {verdict} {what}.{colour}"


@panels(1, 2)
def hidden_units(axes, X, y, hidden=2):
    """What a hidden layer learns: its units cut the plane, and behind them a line is enough."""
    left, right = axes
    model = MLP(hidden).fit(X, y)
    xs, ys = grid_around(X, 70, ROOM)
    score_map(left, xs, ys, np.tanh(over_grid(model.decision_function, xs, ys)), lines=False, note="tanh f")
    for w, c in zip(model.W_, model.c_, strict=True):
        plane_line(left, w, c, xs)
    scatter_classes(left, X, y)
    left.set(title="each unit is a line", **framed(xs, ys))
    H = model.activations(X)
    strong = np.argsort(-np.abs(model.v_), kind="stable")[:2]
    first = H[:, strong[0]]
    second = H[:, strong[1]] if hidden > 1 else np.random.default_rng(0).uniform(-0.5, 0.5, len(X))
    scatter_classes(right, np.column_stack([first, second]), y)
    if hidden == 2:
        plane_line(right, model.v_[strong], model.b_, np.array([-1.2, 1.2]))
    elif hidden == 1:
        right.axvline(-model.b_ / model.v_[0], color=INK, lw=2.5)
    right.set(title="the points, seen by two units" if hidden > 1 else "the points, seen by one unit")
    right.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), xticks=[-1, 0, 1], yticks=[-1, 0, 1] if hidden > 1 else [])
    right.set_xlabel("the unit with the largest weight" if hidden > 1 else "the unit")
    right.set_ylabel("the next unit" if hidden > 1 else "")
    wrong = round(len(X) * (1 - model.score(X, y)))
    return (
        f"{_count(hidden, 'hidden unit')}, a line each; colour is tanh f: {wrong} of {len(X)} points on the wrong side."
    )


@panels(1, 2)
def boosting(axes, X, y, rounds=10):
    """A committee of stumps: its map, the weight each point has by now, and its mistakes below the bound."""
    left, right = axes
    model = AdaBoostStumps(rounds).fit(X, y)
    if not model.rounds_:
        raise ValueError("No stump is better than a coin on these points: drag them apart.")
    xs, ys = grid_around(X, 80, ROOM)
    score_map(left, xs, ys, over_grid(model.decision_function, xs, ys), lines=False, note="f")
    weights = model.rounds_[-1].weights
    scatter_classes(left, X, y, size=8 + 250 * weights / weights.max())
    left.set(title="sizes: weights of the points", **framed(xs, ys))
    mistakes, bound = _boosting_curves(X, y)
    ts = np.arange(1, len(bound) + 1)
    right.plot(ts, 100 * bound, color=INK, ls="--", label="bound")
    right.plot(ts, 100 * mistakes, color=COLORS[3], label="mistakes")
    right.vlines(rounds, -2, 55, color=MUTED, ls=":")  # not through the legend
    right.set(title="training mistakes in %", xlabel="round", ylim=(-2, 75))
    right.legend(loc="upper right")
    rounds = min(rounds, len(bound))  # one stump that is right about everything ends it
    share, most = mistakes[rounds - 1], bound[rounds - 1]
    return f"{_count(rounds, 'round')}, colour is f: {share:.0%} mistakes, and the bound says at most {most:.1%}."


def _points_and_labels(n, labelling):
    X = np.random.default_rng(5).uniform(-2, 2, (12, 2))[:n]
    return X, np.random.default_rng([n, labelling]).choice([-1, 1], n)


@lru_cache
def _measured(n, kind):
    """Share of 64 random labellings of the points that a plane through 0 separates, for k = 1 ... 12."""
    X = _points_and_labels(n, 0)[0]
    labels = np.random.default_rng(0).choice([-1, 1], (64, n))
    return np.array(
        [np.mean([is_separable(random_map(X, k, kind), y, affine=False) for y in labels]) for k in range(1, 13)]
    )


@remembered()
def _lift_curves(X, y):
    ks = np.arange(1, 31, 2)
    return ks, {
        kind: np.array([np.mean([is_separable(random_map(X, int(k), kind, seed=s), y) for s in range(16)]) for k in ks])
        for kind in MAPS
    }


@remembered()
def _boosting_curves(X, y):
    model = AdaBoostStumps(50).fit(X, y)
    rounds, f, mistakes = model.rounds_, np.zeros(len(X)), []
    for t in rounds:
        f += t.say * stump(X, t)
        mistakes.append(np.mean(y * f <= 0))
    return np.array(mistakes), np.cumprod([2 * np.sqrt(t.error * (1 - t.error)) for t in rounds])


@lru_cache
def _shares_right(prior):
    """Probability of a right answer with the classes of bayes_lift: by the ratio, and by the best line."""
    xs = np.linspace(-9, 9, 181)
    grid = np.stack(np.meshgrid(xs, xs), -1).reshape(-1, 2)
    negative, positive = (
        np.exp(-((grid - mean) ** 2).sum(1) / (2 * v)) / (2 * np.pi * v) * share
        for mean, v, share in zip(*LIFTED, (1 - prior, prior), strict=True)
    )
    ratio = bayes_map(grid, LIFTED[0], [v * np.eye(2) for v in LIFTED[1]], prior, log=False)[:, 2]
    plane = np.where(ratio > 1, positive, negative).sum() * (xs[1] - xs[0]) ** 2
    across = [np.cumsum(p.reshape(181, 181).sum(0)) * (xs[1] - xs[0]) ** 2 for p in (negative, positive)]
    line = max((across[0] + prior - across[1]).max(), (1 - prior - across[0] + across[1]).max())  # x₁ tells most
    return float(plane), float(max(line, prior, 1 - prior))


def _count(number, thing):
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def figures():
    moons = datasets.two_moons(30, noise=0.1)
    return {
        "against_bound": lambda: figure_of(against_bound),
        "bayes": lambda: figure_of(bayes),
        "bayes_lift": lambda: figure_of(bayes_lift),
        "cover": lambda: figure_of(cover_curve),
        "random_lift": lambda: figure_of(random_lift, *moons),
        "hidden_units": lambda: figure_of(hidden_units, *datasets.xor(15, noise=0.3)),
        "boosting": lambda: figure_of(boosting, *mixed(*datasets.two_moons(100, noise=0.15))),
    }
