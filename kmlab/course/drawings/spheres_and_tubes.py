"""Pictures of notebook 11, spheres, tubes and probabilistic relatives."""

from functools import lru_cache

import numpy as np
from matplotlib.ticker import MaxNLocator

from ... import datasets
from ...datasets import straight
from ...kernels import Gaussian, Linear
from ...measures import squared_distances
from ...one_class import SVDD, OneClassSVM
from ...pca import KernelPCA
from ...regression import RVM, KernelLogistic, KernelPLS, KernelRidge
from ...show.style import COLORS, DIVERGING, GRID, INK, MUTED, PAPER, SEQUENTIAL
from ...show.toolbox import (
    alone,
    color_map,
    color_scale,
    framed,
    grid_around,
    level_lines,
    minus,
    points,
    remembered,
    scatter_classes,
    short,
    tidy,
)
from ...show.widgets import figure_of, panels
from ...svm import SVR, squared_loss, tube_loss
from ..errata.spheres_and_tubes import best_offset, sphere, tube_objective
from ..experiments.spheres_and_tubes import history
from ..samples import wave_across

ROOM = 0.25  # around the points
INSIDE = "#cfe3f1"
OUTSIDE = 1e-6  # a score below minus this is outside, and not a rounding error on the border
LAMS = np.geomspace(1e-4, 1e3, 71)
ERRORS = 0.01, 0.1, 0.2, 0.5, 1, 2
WINDOW = (-10.5, -1.2), (10.5, 1.9)  # where points (x, t) of a curve may lie


@panels(1, 2)
def round_or_fitting(axes, X, nu=0.1, width=0.5):
    """The smallest sphere around most of the data: in the plane, and in the feature space of a Gaussian."""
    xs, ys = grid_around(X, 80, ROOM)
    area = []
    for ax, kernel, title in (axes[0], Linear(), "a circle"), (axes[1], Gaussian(width), "a sphere in feature space"):
        model = SVDD(kernel, 1 / (nu * max(len(X), 1))).fit(X)
        F = model.on_grid(xs, ys)
        _region(ax, xs, ys, F)
        points(ax, X, zorder=3)
        ax.set(title=title, aspect="equal")
        area.append(np.mean(F >= 0) * np.ptp(xs) * np.ptp(ys))
    return (
        f"Both leave at most {nu:.0%} of the points outside. The circle needs an area of {area[0]:.1f}, most of it "
        f"empty; the sphere, seen in the plane, {area[1]:.1f}."
    )


@panels(1, 2, widths=[1.25, 1])
def on_a_line(axes, shift=0.0, half=True):
    """Three points on a line, and the origin moves: the centre that (14) finds, with the one half and without."""
    left, right = axes
    x = np.array([0.0, 1.0, 2.0]) + shift
    K = np.outer(x, x)
    for row, (printed, color, name) in enumerate([(False, COLORS[0], "without ½"), (True, COLORS[1], "with ½")]):
        alpha = sphere(K, half=printed)
        center, strong = alpha @ x, printed == half
        radius = np.sqrt(max(squared_distances(K, alpha)[alpha > 1e-6].mean(), 0))
        look = {"color": color, "alpha": 1.0 if strong else 0.3}
        left.plot([center - radius, center + radius], [row, row], lw=10, solid_capstyle="butt", **look)
        left.plot(center, row, "D", ms=13, mec=INK, **look)
        left.text(-6.8, row - 0.06, name, color=color)
        if strong:
            said, here = f"the centre is at {tidy(round(center, 6))} and R = {tidy(round(radius, 6))}", center
    left.plot(x, [-0.75] * 3, "o", color=INK, ms=11)
    left.text(-6.8, -0.81, "the points")
    left.axvline(0, color=MUTED, ls="--", lw=1.5)
    left.text(0.06, 1.62, "origin", color=MUTED)
    left.set(title="centre and radius", xlabel="x", xlim=(-7, 5.4), ylim=(-1.2, 1.9), yticks=[])
    left.set_xticks(range(-3, 6))
    shifts = np.linspace(-3, 3, 25)
    for printed, color in (False, COLORS[0]), (True, COLORS[1]):
        right.plot(
            shifts, [_center(s, printed) - s - 1 for s in shifts], color=color, alpha=1.0 if printed == half else 0.3
        )
    right.plot(shift, here - shift - 1, "D", ms=13, color=COLORS[1] if half else COLORS[0], mec=INK)
    right.set(title="centre minus the middle", xlabel="shift of the points", ylim=(-1.2, 1.2), yticks=[-1, 0, 1])
    return (
        f"Points at {minus(', '.join(f'{p:.3g}' for p in x))}, {'with the printed ½' if half else 'without ½'}: "
        f"{minus(said)}; the middle is at {minus(f'{x[1]:.3g}')}."
    )


@panels(1, 2)
def one_class(axes, X, nu=0.1, width=0.8):
    """Where the score is positive, and the two shares between which ν lies."""
    left, right = axes
    n, model = len(X), OneClassSVM(Gaussian(width), nu, tol=1e-7).fit(X)
    xs, ys = grid_around(X, 80, ROOM)
    F = model.on_grid(xs, ys)
    _region(left, xs, ys, F)
    level_lines(left, xs, ys, F, np.linspace(F.min(), F.max(), 9)[1:-1], MUTED, 0.7)
    score, support = model.decision_function(X), np.isin(np.arange(n), model.support_)
    out = score < -OUTSIDE
    kind = np.where(out, 1, np.where(support, 2, 0))
    points(left, X, size=np.where(kind, 9, 60), color=np.take(COLORS, kind))  # all can be held; two kinds get a mark
    for mine, marker, color in (support & ~out, "D", COLORS[2]), (out, "X", COLORS[1]):
        left.scatter(*X[mine].T, s=60, marker=marker, color=color, edgecolors=PAPER, linewidths=0.6).of = None
    left.set_title(f"ν = {nu:g}, width {width:.2g}")
    if getattr(X, "hand", None) is None:
        nus, outside, vectors = _shares(X, width, 0.05)
    else:  # as many fits as can follow it, and the one on the left
        curves = np.column_stack([_shares(X, width, 0.15), [nu, out.mean(), support.mean()]])
        nus, outside, vectors = curves[:, np.argsort(curves[0])]
    right.fill_between(nus, outside, vectors, color=GRID)
    right.plot(nus, vectors, color=COLORS[2], label="support vectors")
    right.plot([0, 0.9], [0, 0.9], color=INK, lw=1.5, ls="--", label="ν")
    right.plot(nus, outside, color=COLORS[1], label="outside")
    right.plot([nu, nu], [out.mean(), support.mean()], "o", color=INK, ms=9, clip_on=False)
    right.set(title="share of the points", xlabel="ν", xlim=(0, 0.92), ylim=(0, 1.45))
    right.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    right.legend(loc="upper left")
    return (
        f"ν = {nu:g}, ν n = {nu * n:.3g}: {out.sum()} of {n} points are outside, {support.sum()} are support vectors."
        + alone(Gaussian(width)(X))
    )


@panels(1, 2, widths=[1.5, 1])
def tube(axes, P, epsilon=0.2, C=10.0, width=2.0):
    """A tube around f through points (x, t), the rows of P, and what every point costs."""
    left, right = axes
    X, t = _inputs_and_targets(P)
    model = SVR(Gaussian(width), C, epsilon).fit(X, t)
    xs = np.linspace(-10.5, 10.5, 200)
    f, support, rest = model.predict(xs[:, None]), model.support_, model.predict(X) - t
    left.fill_between(xs, f - epsilon, f + epsilon, color=INSIDE)
    left.plot(xs, np.sinc(xs / np.pi), color=MUTED, ls="--", lw=1.5)
    left.plot(xs, f, color=COLORS[0], lw=2.8)
    _held(left, P)
    left.plot(X[support, 0], t[support], "o", ms=13, mfc="none", mec=COLORS[1], mew=2)
    left.set(title="f and its tube", xlabel="x", **_limits(WINDOW), xticks=[-10, -5, 0, 5, 10])
    r = np.linspace(-1.3, 1.3, 200)
    right.plot(r, squared_loss(r), color=MUTED, ls="--", lw=1.8, label="squared")
    right.plot(r, tube_loss(r, epsilon), color=COLORS[0], lw=2.8, label="ε-insensitive")
    paid, free = np.column_stack([rest, tube_loss(rest, epsilon)]), np.setdiff1d(np.arange(len(t)), support)
    _held(right, paid, free)
    points(right, paid, support, size=121, color="none", edgecolors=COLORS[1], linewidths=2, zorder=2)
    right.set(title="what a miss costs", xlabel="f(x) − t", xlim=(-1.3, 1.3), ylim=(-0.05, 1.3))
    right.legend(loc="upper center")
    error = np.sqrt(np.mean((f - np.sinc(xs / np.pi)) ** 2))
    heard = f"{len(support)} of {len(t)} points touch or leave the tube, the rest has no say"
    heard = heard if len(free) else f"all {len(t)} points touch or leave the tube"
    return f"ε = {epsilon:g}, C = {short(C)}: {heard}; f is {error:.2f} off the true curve on average."


@panels(1, 2, widths=[1.35, 1])
def tube_primal(axes, P, epsilon=0.3, C=1.0):
    """The primal of 004/s19 for a line through points (x, t): its slacks, and its value for every slope with the dual
    value below."""
    left, right = axes
    X, t = _inputs_and_targets(P)
    model = SVR(Linear(), C, epsilon, tol=1e-8).fit(X, t)
    x, beta = X[:, 0], model.coef_
    w, b = beta @ x, model.b_
    hand = getattr(P, "hand", None)
    low, high = (P.min(0) - [0.4, 1.6], P.max(0) + [0.4, 1.6]) if hand is None else hand.frame
    ends = np.array([low[0], high[0]])
    left.fill_between(ends, w * ends + b - epsilon, w * ends + b + epsilon, color=INSIDE)
    left.plot(ends, w * ends + b, color=COLORS[0], lw=2.8)
    off = t - w * x - b
    for side, color, name in (-1, COLORS[1], "ξ"), (1, COLORS[2], "ξ*"):
        mine = side * off > epsilon + 1e-6
        left.vlines(x[mine], w * x[mine] + b + side * epsilon, t[mine], color=color, lw=4, label=name)
    _held(left, P, size=49)
    left.plot(x[model.support_], t[model.support_], "o", ms=14, mfc="none", mec=INK, mew=1.8)
    left.set(title="slack below and above the tube", xlabel="x", **_limits((low, high)))
    left.legend(loc="upper left", ncols=2, handlelength=1)
    slopes = np.linspace(min(-0.5, np.floor(w)), max(1.7, np.ceil(w)), 111)
    value = np.array([tube_objective(s, best_offset(s, x, t, epsilon), x, t, C, epsilon) for s in slopes])
    primal = tube_objective(w, b, x, t, C, epsilon)
    dual = t @ beta - 0.5 * w * w - epsilon * np.abs(beta).sum()
    right.plot(slopes, value, color=COLORS[3], label="(SVM.5), best b")
    right.axhline(dual, color=COLORS[0], ls="--", label="largest (SVM.6)")
    right.plot(w, primal, "*", ms=20, color=COLORS[0], mec=INK)
    height = max(value.max() - dual, 1e-3)
    right.set(title="primal and dual value", xlabel="slope w")
    right.set_ylim(_calm(P, dual - 0.15 * height, dual + 1.45 * height))
    right.legend(loc="upper center")
    return (
        f"ε = {epsilon:g}, C = {short(C)}: ½w² = {0.5 * w * w:.3f} and C Σ(ξ + ξ*) = "
        f"{primal - 0.5 * w * w:.3f}, together {primal:.3f}; the dual value is {dual:.3f}."
    )


@panels(1, 3, widths=[1, 0.04, 1])
def leave_one_out(axes, P, lam=0.001, width=1.0):
    """The ridge through points (x, t), the rows of P, and its error on points that it has seen and has not seen."""
    left, gap, right = axes
    gap.set_axis_off()  # room for longer numbers
    X, t = _inputs_and_targets(P)
    model = KernelRidge(Gaussian(width), lam).fit(X, t)
    xs = np.linspace(-10.5, 10.5, 300)
    left.plot(xs, np.sinc(xs / np.pi), color=MUTED, ls="--", lw=1.5)
    left.plot(xs, model.predict(xs[:, None]), color=COLORS[0], lw=2.8)
    _held(left, P)
    left.set(title="the fit", xlabel="x", xticks=[-10, -5, 0, 5, 10], **_limits(WINDOW))
    missed = KernelRidge(Gaussian(width)).loo_path(X, t, LAMS)
    curve, now = _rms(missed), _rms(model.loo_residuals_)
    L, U = np.linalg.eigh(Gaussian(width)(X))
    seen = _rms((LAMS[:, None] / (L + LAMS[:, None]) * (U.T @ t)) @ U.T)
    low = max(1e-3, min(seen.min(), curve.min()))
    right.loglog(LAMS, curve, color=COLORS[1], label="left out")
    right.loglog(LAMS, seen, color=COLORS[0], ls="--", label="fitted")
    right.plot(lam, max(now, low), "o", color=COLORS[1], ms=12, mec=INK, clip_on=False)
    best = int(curve.argmin())
    right.plot(LAMS[best], max(curve[best], low), "*", color=COLORS[1], ms=22, mec=INK, clip_on=False)
    right.set(title=f"error of the {len(t)} points", xlabel="λ", xlim=(1e-4, 1.6e3), xticks=[1e-4, 1e-2, 1, 1e2])
    right.set_yticks([], minor=True)
    right.set_yticks(ERRORS, [f"{error:g}" for error in ERRORS])
    right.set_ylim(10 ** np.array(_calm(P, np.log10(0.7 * low), np.log10(1.8 * max(1.0, curve.max())))))
    right.legend(loc="upper left", ncols=2, columnspacing=1)
    return (
        f"λ = {short(lam)}, width {width:.2g}: a point that is left out is missed by {now:.3f}; "
        f"the best λ is {short(LAMS[best])}, with {curve[best]:.3f}."
    )


@panels(1, 2)
def logistic(axes, X, y, lam=0.1, width=1.0):
    """Probabilities, and every point at its margin and its α."""
    left, right = axes
    model = KernelLogistic(Gaussian(width), lam).fit(X, y)
    xs, ys = grid_around(X, 80, ROOM)
    P = 1 / (1 + np.exp(-model.on_grid(xs, ys)))
    color_scale(left, color_map(left, xs, ys, P, cmap=DIVERGING, vmin=0, vmax=1), "thick line: P = 0.5")
    lines = [level for level in (0.1, 0.5, 0.9) if P.min() < level < P.max()]
    level_lines(left, xs, ys, P, lines, widths=[2.8 if level == 0.5 else 1.4 for level in lines])
    scatter_classes(left, X, y)
    left.set(title="P = 0.1, 0.5, 0.9", **framed(xs, ys))
    yf, weight = y * model.decision_function(X), lam * np.abs(model.alpha_)
    reach = np.linspace(*_calm(X, min(-2.0, yf.min()), max(4.0, yf.max())), 200)
    right.plot(reach, 1 / (1 + np.exp(reach)), color=MUTED, lw=1.8)
    right.scatter(
        yf,
        weight,
        c=[COLORS[1] if label > 0 else COLORS[0] for label in y],
        s=45,
        edgecolors="white",
        linewidths=0.6,
        zorder=3,
    )
    right.axvline(0, color=INK, lw=1.2)
    right.set(title="λ|α| = probability of the other class", xlabel="y f(x)", ylim=(-0.03, 1.03))
    low, high = right.get_xlim()
    ticks = MaxNLocator(7, steps=[1, 2, 5, 10]).tick_values(low, high)
    right.set_xticks(ticks[(ticks >= low) & (ticks < high - 0.04 * (high - low))])  # at the end one would be cut off
    wrong = int((yf < 0).sum())
    return (
        f"λ = {short(lam)}: {wrong} of {len(y)} points on the wrong side, the surest point has P = "
        f"{1 / (1 + np.exp(-yf.max())):.3f}; the smallest λ|α| is {short(weight.min())}." + alone(Gaussian(width)(X))
    )


@panels(1, 2, widths=[1.5, 1])
def relevance(axes, kernel, X, target, steps, t):
    """What an RVM believes after so many steps, and the evidence on the way."""
    left, right = axes
    number, step, evidence = steps[t]
    xs = np.linspace(-10.5, 10.5, 300)
    P = np.column_stack([np.ones(len(xs)), kernel(xs[:, None], X)])[:, step.kept]
    f, std = P @ step.mu, np.sqrt(1 / step.beta + np.einsum("ij,ij->i", P @ step.Sigma, P))
    points = step.kept[step.kept > 0] - 1
    _believed(left, xs, f, std)
    left.plot(X[:, 0], target, "o", color=INK, ms=4.5)
    left.plot(X[points, 0], target[points], "o", ms=14, mfc="none", mec=COLORS[1], mew=2.2)
    left.set(title=f"step {number + 1}: {len(points)} relevant points", xlabel="x", xlim=xs[[0, -1]], ylim=(-0.8, 1.5))
    left.set_xticks([-10, -5, 0, 5, 10])
    count = np.arange(1, len(evidence) + 1)
    right.semilogx(count, evidence, color=COLORS[0])
    right.plot(number + 1, step.evidence, "o", ms=13, color=COLORS[1], mec=INK)
    low, high = evidence.min(), evidence.max()
    right.set(title="evidence ln p(t)", xlabel="step", ylim=(low - 0.08 * (high - low), high + 0.08 * (high - low)))
    return (
        f"Step {number + 1} of {len(evidence)}: {len(points)} of {len(X)} points left, noise "
        f"{1 / np.sqrt(step.beta):.3f}, evidence {step.evidence:.1f}."
    )


@panels(1, 2, widths=[1.5, 1])
def far_away(axes, width=2.0, noise=0.1, gap=6.0):
    """Error bars where there is no data: the basis functions end there, and with them the doubt."""
    left, right = axes
    X, t, model = _fitted(width, noise, gap)
    xs = np.linspace(-20, 20, 321)
    f, std = model.predict(xs[:, None], return_std=True)
    _believed(left, xs, f, std)
    left.plot(X[:, 0], t, "o", color=INK, ms=4.5)
    left.plot(X[model.relevance_, 0], t[model.relevance_], "o", ms=14, mfc="none", mec=COLORS[1], mew=2.2)
    left.plot(xs, np.sinc(xs / np.pi), color=MUTED, ls="--", lw=1.5)
    left.set(title="f ± 2 standard deviations", xlabel="x", xlim=(-20, 20), ylim=(-1.1, 1.6))
    noise_found = 1 / np.sqrt(model.beta_)
    right.axhline(noise_found, color=MUTED, ls="--", lw=1.5, label="noise alone")
    right.plot(xs, std, color=COLORS[0], label="standard deviation")
    low = 0.9 * noise_found
    high = low + 1.6 * (std.max() - low)
    right.plot(X[:, 0], np.full(len(X), low + 0.04 * (high - low)), "|", color=INK, ms=10)
    right.set(title="how unsure it is", xlabel="x", xlim=(-20, 20), ylim=(low, high))
    right.legend(loc="upper right")
    near = np.abs(xs[:, None] - X[:, 0]).min(1) < 0.3
    lost = "" if gap == 0 else f", in the middle of the gap {std[160]:.3f}"
    return (
        f"{len(model.relevance_)} of {len(X)} points are relevant. Largest doubt beside data {std[near].max():.3f}"
        f"{lost}, ten beyond the data {std[0]:.3f}."
    )


@panels(1, 3, size=(10.8, 4.2), widths=[1, 1, 1.15])
def scores(axes, X, t, n_components=2, width=1.0):
    """Two components that care for the target, two that do not, and how well each explains it."""
    first, second, right = axes
    kernel, most = Gaussian(width), 10
    pca = KernelPCA(kernel, most).fit_transform(X)
    pls = KernelPLS(kernel, most).fit(X, t).scores_
    for ax, Z, title in (first, pls, "kernel PLS"), (second, pca, "kernel PCA"):
        ax.scatter(Z[:, 0], Z[:, 1], c=t, cmap=SEQUENTIAL, s=34, edgecolors="white", linewidths=0.4)
        ax.set(title=title, xlabel="component 1", ylabel="component 2", xticks=[], yticks=[])
    ks, tc = np.arange(1, most + 1), t - t.mean()
    curves = [
        np.cumsum((Z / np.linalg.norm(Z, axis=0)).T @ tc * ((Z / np.linalg.norm(Z, axis=0)).T @ tc)) / (tc @ tc)
        for Z in (pls, pca)
    ]
    for curve, color, marker, name in zip(curves, COLORS, "os", ("PLS", "PCA"), strict=False):
        right.plot(ks, curve, marker + "-", color=color, label=name)
        right.plot(n_components, curve[n_components - 1], marker, ms=14, color=color, mec=INK)
    right.set(title="R² of the target", xlabel="components", ylim=(-0.03, 1.03), xticks=[1, 4, 7, 10])
    right.legend(loc="lower right")
    return (
        f"{n_components} component{'s' if n_components > 1 else ''} (colour is the target): PLS explains "
        f"{curves[0][n_components - 1]:.0%} of it, PCA {curves[1][n_components - 1]:.0%}."
    )


@remembered()
def _shares(X, width, step):
    """ν, the share of the points outside, and that of the support vectors."""
    nus, rows = np.r_[0.02, step : 0.9 + step / 2 : step], []
    for nu in nus:
        model = OneClassSVM(Gaussian(width), float(nu), tol=1e-7).fit(X)
        rows.append((np.mean(model.decision_function(X) < -OUTSIDE), len(model.support_) / len(X)))
    return nus, *np.transpose(rows)


@lru_cache(maxsize=32)
def _fitted(width, noise, gap):
    X, t = datasets.sinc(80, noise)
    keep = np.abs(X[:, 0]) >= gap / 2
    X, t = X[keep], t[keep]
    return X, t, RVM(Gaussian(width), tol=1e-4).fit(X, t)


@lru_cache(maxsize=256)
def _center(shift, half):
    x = np.array([0.0, 1.0, 2.0]) + shift
    return sphere(np.outer(x, x), half=half) @ x


def _believed(ax, xs, f, std):
    ax.fill_between(xs, f - 2 * std, f + 2 * std, color=INSIDE)
    ax.plot(xs, f, color=COLORS[0], lw=2.8)


def _region(ax, xs, ys, F):
    """The part of the plane where a score is not negative, with its border."""
    if F.max() > 0:
        ax.contourf(xs, ys, F, [0, F.max()], colors=[INSIDE])
        level_lines(ax, xs, ys, F, [0], widths=2.2)
    ax.set(**framed(xs, ys))


def _inputs_and_targets(P):
    """Of points (x, t), the rows of P: X (n, 1) and t (n,)."""
    return np.asarray(P)[:, :1], np.asarray(P)[:, 1]


def _held(ax, P, rows=None, size=25):
    points(ax, P, rows, size, INK, edgecolors=INK, linewidths=1, zorder=2)


def _limits(window):
    (x0, y0), (x1, y1) = window
    return {"xlim": (x0, x1), "ylim": (y0, y1)}


def _calm(P, low, high):
    """Limits of a panel beside points that a reader moves go in steps: an axis that changes is slow to draw."""
    if getattr(P, "hand", None) is None:
        return low, high
    step = 10.0 ** np.floor(np.log10(high - low)) / 2
    return step * np.floor(low / step), step * np.ceil(high / step)


def _rms(residuals):
    return np.sqrt(np.mean(residuals**2, axis=-1))


def figures():
    moons, moon = datasets.two_moons(100, noise=0.12)
    X, t = datasets.sinc(100)
    steps = history(Gaussian(2.0), X, t)
    return {
        "round_or_fitting": lambda: figure_of(round_or_fitting, moons),
        "on_a_line": lambda: figure_of(on_a_line),
        "one_class": lambda: figure_of(one_class, moons),
        "tube": lambda: figure_of(tube, np.column_stack(datasets.sinc(60))),
        "tube_primal": lambda: figure_of(tube_primal, np.column_stack(straight())),
        "leave_one_out": lambda: figure_of(leave_one_out, np.column_stack(datasets.sinc(60, 0.2))),
        "logistic": lambda: figure_of(logistic, *datasets.two_moons(100, noise=0.3)),
        "relevance": lambda: figure_of(relevance, Gaussian(2.0), X, t, steps=steps, t=len(steps) - 1),
        "far_away": lambda: figure_of(far_away),
        "scores": lambda: figure_of(scores, *wave_across()),
    }
