"""Pictures of single lecture pages: together with those of the notebooks' own modules, all 36."""

from functools import partial

import numpy as np

from ... import datasets
from ...datasets import around_a_wave, mixed_rings, two_sides
from ...discriminant import FDA, KernelFDA
from ...kernels import Gaussian, Linear, Polynomial
from ...lifting import log_ratio
from ...neighbors import KernelKNN
from ...npt import NPT
from ...pca import KernelPCA
from ...perceptron import KernelPerceptron, Perceptron, perceptron_cost
from ...show.style import COLORS, GRID, INK, MUTED
from ...show.toolbox import color_scale, framed, grid_around, minus, over_grid, scatter_classes, score_map, segments
from ...show.widgets import figure_of, panels
from ...svm import SVC
from ..experiments.npt import squares
from ..plane import unit


@panels(1, 2)
def linear_and_kernel(axes, X, y, kernel):
    """000/s21, 004/s21: lines of equal score on the first component, by linear and by kernel PCA."""
    xs, ys = grid_around(X)
    said = []
    for ax, k, name in zip(axes, (Linear(), kernel), ("linear PCA", "kernel PCA"), strict=True):
        model = KernelPCA(k, 1)
        scores = model.fit_transform(X)[:, 0]
        score_map(ax, xs, ys, np.sign(scores @ X[:, 0]) * model.on_grid(xs, ys)[..., 0])
        scatter_classes(ax, X, y, **({} if y.any() else {"color": INK}))
        ax.set(title=f"{name}, component 1", **framed(xs, ys))
        said.append(f"{model.explained_variance_ratio_[0]:.0%}")
    return (
        f"Lines of equal score, the thick one 0: parallel for linear PCA, bent along the data for kernel PCA; the "
        f"component holds {said[0]} of the variance in the plane and {said[1]} of that in feature space."
    )


@panels(1, 2, size=(9.6, 4.6), widths=[1, 1.35], projections={1: "3d"})
def complex_to_simple(axes, X, y):
    """000/s23: the widest margin between two rings in the space of (x₁², √2 x₁x₂, x₂²), and what it is in the plane."""
    flat, space = axes
    model = SVC(Polynomial(2, 0.0), np.inf, tol=1e-8).fit(X, y)
    xs, ys = grid_around(X)
    F = model.on_grid(xs, ys)
    flat.contour(xs, ys, F, [-1, 0, 1], colors=INK, linewidths=[1.5, 3, 1.5], linestyles=["--", "-", "--"])
    scatter_classes(flat, X, y)
    flat.set(title="input space: a curve", aspect="equal", xticks=[], yticks=[])
    _in_space(space, X, y, (y * model.alpha_) @ squares(X), model.b_)
    space.set_title("feature space: a plane")
    return (
        f"The curve that separates the rings is a plane in the space of squares and products; "
        f"{len(model.support_)} of {len(X)} points carry it."
    )


@panels(1, 2)
def setting(axes, n=120):
    """003/s4: an unknown rule f, a sample of it, and a classifier h that has seen the sample alone."""
    X, y = around_a_wave(n, noise=0.0)
    xs = np.linspace(-1, 1, 201)
    truth = over_grid(lambda P: np.where(P[:, 1] > 0.7 * np.sin(4 * P[:, 0]), 1, -1), xs, xs)
    guess = over_grid(KernelKNN(Gaussian(1.0), 3).fit(X, y).predict, xs, xs)
    for ax, rule, title in zip(axes, (truth, guess), ("y = f(x), and a sample", "h(x), from the sample"), strict=True):
        ax.contourf(xs, xs, rule, [-2, 0, 2], colors=[COLORS[0], COLORS[1]], alpha=0.18)
        scatter_classes(ax, X, y)
        ax.set(title=title, aspect="equal", xticks=[], yticks=[])
    axes[1].contour(xs, xs, truth, [0], colors=INK, linewidths=1.5, linestyles="--")
    agree = np.mean(truth == guess)
    return f"The goal is h = f everywhere; here the nearest three of {n} points vote, and h is right on {agree:.0%}."


@panels(1, 2)
def decision_rule(axes, X, y, angle=75.0, b=0.5):
    """003/s5: a line with its normal vector, the points on the wrong side, and the cost of every line."""
    left, right = axes
    w = unit(angle)
    wrong = y * (X @ w + b) <= 0
    along = np.array([-w[1], w[0]])
    foot = -b * w
    left.plot(*(foot[:, None] + np.outer(along, [-5, 5])), color=INK, lw=2.5)
    left.annotate("", foot + 1.3 * w, foot, arrowprops={"arrowstyle": "-|>", "lw": 2.5, "color": INK})
    left.text(*(foot + 1.55 * w), "w", ha="center", va="center", weight="bold")
    left.plot(*segments(X[wrong], X[wrong] - np.outer(X[wrong] @ w + b, w)), color=MUTED, lw=1.2)
    scatter_classes(left, X, y)
    left.plot(*X[wrong].T, "o", ms=15, mfc="none", mec=INK, mew=1.8)
    xs, ys = grid_around(X)
    left.set(title="g(x) = wᵀx + b", xlim=xs[[0, -1]], ylim=ys[[0, -1]], aspect="equal", xticks=[], yticks=[])
    angles, offsets = np.linspace(-180, 180, 73), np.linspace(-2.5, 2.5, 51)
    J = np.array([[perceptron_cost(unit(a), o, X, y) for a in angles] for o in offsets])
    shades = right.contourf(angles, offsets, np.sqrt(J), levels=12, cmap="Greys", alpha=0.75)
    color_scale(right, shades, "cost", ("0", f"{J.max():.0f}"))
    free = np.argwhere(J == 0)
    right.plot(angles[free[:, 1]], offsets[free[:, 0]], "s", color=COLORS[2], ms=5)
    right.plot(angle, b, "*", color=COLORS[3], ms=22, mec=INK)
    right.set(title="cost of each line", xlabel="direction of w in degrees", ylabel="b", xticks=[-180, -90, 0, 90, 180])
    cost = perceptron_cost(w, b, X, y)
    return (
        f"{wrong.sum()} points are on the wrong side of this line; their distances to it add up to a cost of "
        f"{cost:.1f} (star). Green: lines that cost nothing."
    )


@panels(1, 3, size=(11.4, 4.2))
def when_a_line_is_best(axes, n=60):
    """003/s8: classes that a line separates, Gaussians of one shape, and Gaussians of two."""
    rng = np.random.default_rng(3)
    tilted, means = np.array([[1.2, 0.6], [0.6, 0.8]]), np.array([[-1.2, 0.0], [1.2, 0.0]])
    far = 2.2 * means
    cases = [
        ("separable", far, (0.5 * tilted, 0.5 * tilted)),
        ("equal covariances", means, (tilted, tilted)),
        ("unequal covariances", 0.3 * means, (0.25 * np.eye(2), 2.5 * tilted)),
    ]
    xs, ys = np.linspace(-4.5, 4.5, 91), np.linspace(-4, 4, 91)
    said = []
    for ax, (title, centers, covs) in zip(axes, cases, strict=True):
        X = np.concatenate(
            [c + rng.standard_normal((n, 2)) @ np.linalg.cholesky(S).T for c, S in zip(centers, covs, strict=True)]
        )
        y = np.repeat([-1, 1], n)
        best = over_grid(partial(log_ratio, means=centers, covs=covs), xs, ys)
        ax.contour(xs, ys, best, [0], colors=INK, linewidths=3)
        line = SVC(Linear(), 10.0).fit(X, y)
        ax.contour(xs, ys, line.on_grid(xs, ys), [0], colors=COLORS[2], linewidths=2, linestyles="--")
        scatter_classes(ax, X, y)
        ax.set(title=title, **framed(xs, ys))
        wrong = [np.mean((score > 0) != (y > 0)) for score in (log_ratio(X, centers, covs), line.decision_function(X))]
        said.append(f"{wrong[0]:.0%} and {wrong[1]:.0%}")
    return "Solid: the best rule; dashed: a line learned from the points. Wrong are " + "; ".join(said) + "."


@panels(1, 2)
def bend_or_lift(axes, n=24):
    """003/s9: two ways to tell an inner class from an outer one: a rule with two thresholds, or one more coordinate."""
    left, right = axes
    x = np.linspace(-2, 2, n)
    y = np.where(np.abs(x) > 1.0, 1, -1)
    lifted = np.column_stack([x, x**2])
    model = SVC(Linear(), np.inf, tol=1e-8).fit(lifted, y)
    w = (y * model.alpha_) @ lifted
    roots = np.sort(np.roots([w[1], w[0], model.b_]).real)
    scatter_classes(left, np.column_stack([x, np.zeros(n)]), y, size=70)
    for r in roots:
        left.axvline(r, color=INK, lw=2.5)
    left.axhline(0, color=GRID, zorder=0)
    left.set(title="on the line: two cuts", xlabel="x", xlim=(-2.4, 2.4), ylim=(-1, 1), yticks=[])
    scatter_classes(right, lifted, y, size=70)
    ends = np.array([-2.4, 2.4])
    right.plot(ends, -(w[0] * ends + model.b_) / w[1], color=INK, lw=2.5)
    right.set(title="lifted to (x, x²): one cut", xlabel="x", ylabel="x²", xlim=(-2.4, 2.4), ylim=(-0.4, 4.4))
    return (
        f"No single cut on the line is enough. With x² as a second coordinate one straight cut is; seen from the "
        f"line it is the pair {_signed(roots[0])} and {_signed(roots[1])}."
    )


@panels(1, 2, size=(9.6, 4.6), widths=[1, 1.35], projections={1: "3d"})
def two_perceptrons(axes, X, y):
    """003/s24: the kernel perceptron in X, and the perceptron in Z = Φ(X), which makes the same updates."""
    flat, space = axes
    kernel, Z = KernelPerceptron(Polynomial(2, 0.0)), squares(X)
    model, plain = kernel.fit(X, y), Perceptron().fit(Z, y)
    same = [s.i for s in kernel.steps(X, y)] == [s.i for s in Perceptron().steps(Z, y)]
    xs, ys = grid_around(X)
    flat.contour(xs, ys, model.on_grid(xs, ys), [0], colors=INK, linewidths=3)
    scatter_classes(flat, X, y)
    again = model.alpha_ > 0
    flat.plot(*X[again].T, "o", ms=15, mfc="none", mec=INK, mew=1.8)
    flat.set(title="kernel perceptron in X", aspect="equal", xticks=[], yticks=[])
    _in_space(space, X, y, plain.w_, plain.b_)
    space.set_title("perceptron in Φ(X)")
    order = "the same points in the same order" if same else "not the same points"
    return f"Left {model.mistakes_} updates, right {plain.mistakes_}: {order}. Circles: points that were ever updated."


@panels(1, 3, size=(11.4, 4.2))
def nutshell(axes, X, y, C=10.0, width=1.0):
    """For 004/s8: points, their images seen along the normal w of the margin (street), and the rule in the plane."""
    data, images, rule = axes
    model, Z = SVC(Gaussian(width), C, tol=1e-8).fit(X, y), NPT(Gaussian(width)).fit_transform(X)
    w = (y * model.alpha_) @ Z
    rest = Z - np.outer(Z @ w, w) / (w @ w)
    other = KernelPCA(Linear(), 1).fit_transform(rest)[:, 0]
    f = model.decision_function(X)
    scatter_classes(data, X, y)
    data.set(title="1  the points")
    for level in (-1, 0, 1):
        images.axvline(level, color=INK, lw=3 if level == 0 else 1.5, ls="-" if level == 0 else "--", zorder=0)
    scatter_classes(images, np.column_stack([f, other]), y)
    images.set(title="2  their images, a margin", xlabel="along w", ylabel="across")
    images.set(xticks=[-1, 0, 1])
    xs, ys = grid_around(X)
    F = model.on_grid(xs, ys)
    score_map(rule, xs, ys, F, lines=False, note="thick: 0, dashed: ±1")
    rule.contour(xs, ys, F, [-1, 0, 1], colors=INK, linewidths=[1.5, 3, 1.5], linestyles=["--", "-", "--"])
    rule.plot(*X[model.support_].T, "o", ms=13, mfc="none", mec=INK, mew=1.8)
    scatter_classes(rule, X, y)
    rule.set(title="3  the rule in the plane")
    for ax in (data, rule):
        ax.set(**framed(xs, ys))
    images.set(yticks=[])
    return (
        f"Points that no line separates have images that a plane separates, but for {int((y * f < 0).sum())} of "
        f"{len(X)}; {len(model.support_)} support vectors are all that is kept."
    )


@panels(2, 1, size=(9.6, 5.2), heights=[1, 1.3])
def digestion(axes, width=2.5, C=10.0, new=204):
    """For 004/s9: how a machine digests a new digit: compared with its support vectors, weighted, added up."""
    row, sums = axes
    X, label = datasets.digits()
    pair = np.isin(label, (3, 8))
    X, y = X[pair], np.where(label[pair] == 8, 1, -1)
    model = SVC(Gaussian(width), C, tol=1e-8).fit(X[:200], y[:200])
    support = model.support_
    parts = (y[:200] * model.alpha_)[support] * Gaussian(width)(X[new : new + 1], X[support])[0]
    order = np.argsort(-np.abs(parts))
    images = [X[new], *X[support[order[:6]]]]
    words = ["new", *(_signed(v) for v in parts[order[:6]])]
    for place, (image, word) in enumerate(zip(images, words, strict=True)):
        left = 10 * place + (4 if place else 0)
        row.imshow(image.reshape(8, 8), cmap="Greys", vmin=0, vmax=1, extent=(left, left + 8, 0, 8))
        row.text(left + 4, 8.6, word, ha="center", color=INK)
    row.text(11, 4, "≈", size=26, ha="center", va="center")
    row.set(xlim=(-1, 74), ylim=(-0.5, 11))
    row.set_axis_off()
    total = np.cumsum(parts[order]) + model.b_
    sums.plot(np.arange(1, len(order) + 1), total, color=INK)
    sums.axhline(0, color=MUTED, lw=1.2)
    sums.plot(len(order), total[-1], "*", ms=20, color=COLORS[1], mec=INK)
    for word, side, va in (("↑ an 8", 0.08, "bottom"), ("↓ a 3", -0.08, "top")):
        sums.text(len(order) + 1.6, side, word, ha="right", va=va, color=MUTED)
    sums.set(xlabel="support vectors added, the weightiest first", ylabel="sum + b", xlim=(0, len(order) + 2))
    taken, word = (1, "an 8") if total[-1] > 0 else (-1, "a 3")
    right = "right" if taken == y[new] else "wrong"
    return (
        f"A new digit is compared with {len(order)} support vectors; the six weightiest are shown with "
        f"α y k(x, xᵢ). The sum is {_signed(total[-1])}, it is taken for {word}, and that is {right}."
    )


@panels(1, 4, size=(9.6, 3.3))
def kernelized(axes, X, y):
    """For 004/s20: linear methods and the same with a kernel: PCA, then Fisher's discriminant."""
    xs, ys = np.linspace(-4, 4, 60), np.linspace(-5, 6, 60)
    methods = [
        ("PCA", KernelPCA(Linear(), 1)),
        ("kernel PCA", KernelPCA(Gaussian(2.0), 1)),
        ("FDA", FDA(1)),
        ("kernel FDA", KernelFDA(Gaussian(2.0), n_components=1)),
    ]
    said = []
    for ax, (name, model) in zip(axes, methods, strict=True):
        score = model.fit(X, y).transform(X)[:, 0]
        sign = np.sign(np.cov(score, y)[0, 1])
        score_map(ax, xs, ys, sign * over_grid(model.transform, xs, ys), note="")
        scatter_classes(ax, X, y, size=20)
        ax.set(title=name, **framed(xs, ys))
        said.append(f"{name} {_best_cut(score, y):.0%}")
    return "Points that one cut of the score puts on the right side: " + ", ".join(said) + ". Thick line: score 0."


def _signed(value):
    return minus(f"{value:+.2f}")


def _best_cut(score, y):
    """Largest share of points on the right side of a threshold."""
    up = y[np.argsort(score)] == y.max()
    right = np.concatenate([[up.sum()], up.sum() + np.cumsum(np.where(up, -1, 1))]) / len(y)
    return max(right.max(), 1 - right.min())


def _in_space(ax, X, y, w, b):
    """The images under squares and the plane wᵀz + b = 0."""
    Z = squares(X)
    scatter_classes(ax, Z, y, depthshade=False)
    u, v = np.meshgrid([0, -b / w[0]], [Z[:, 1].min(), Z[:, 1].max()])  # the part between z₁ = 0 and z₃ = 0
    ax.plot_surface(u, v, -(w[0] * u + w[1] * v + b) / w[2], color=COLORS[2], alpha=0.3)
    ax.set(
        xlabel="$x_1^2$",
        ylabel=r"$\sqrt{2}\,x_1x_2$",
        zlabel="$x_2^2$",
        xlim=(0, Z[:, 0].max()),
        zlim=(0, Z[:, 2].max()),
        xticks=[],
        yticks=[],
        zticks=[],
    )
    ax.xaxis.labelpad = ax.yaxis.labelpad = ax.zaxis.labelpad = -8
    ax.view_init(elev=9, azim=-80)
    ax.set_box_aspect((1, 1, 0.8))
    ax.M = ax.get_proj()  # the layout is found before the first draw, which would set it


def figures():
    arc = datasets.half_circle(90, 0.1)[0]
    return {
        "linear_and_kernel": lambda: figure_of(linear_and_kernel, arc, np.zeros(90, int), Gaussian(0.9)),
        "linear_and_kernel_clusters": lambda: figure_of(linear_and_kernel, *datasets.three_clusters(), Gaussian(0.5)),
        "complex_to_simple": lambda: figure_of(complex_to_simple, *mixed_rings()),
        "setting": lambda: figure_of(setting),
        "decision_rule": lambda: figure_of(decision_rule, *two_sides()),
        "when_a_line_is_best": lambda: figure_of(when_a_line_is_best),
        "bend_or_lift": lambda: figure_of(bend_or_lift),
        "two_perceptrons": lambda: figure_of(two_perceptrons, *mixed_rings()),
        "nutshell": lambda: figure_of(nutshell, *around_a_wave()),
        "digestion": lambda: figure_of(digestion),
        "kernelized": lambda: figure_of(kernelized, *datasets.split_class()),
    }
