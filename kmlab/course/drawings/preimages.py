"""Pictures of notebook 12: pre-images, denoising and the relevant dimension."""

from functools import lru_cache

import numpy as np
from matplotlib.ticker import MaxNLocator

from ... import datasets
from ...curves import Autoencoder, PrincipalCurve, project_on_polygon
from ...kernels import Gaussian, Polynomial
from ...pca import PCA, KernelPCA
from ...preimage import (
    denoise,
    fixed_point_steps,
    image_distance2,
    kernel_ridge_map,
    preimage,
    projection_coefficients,
    squared_norm,
)
from ...relevance import relevant_dimension
from ...show.style import COLORS, INK, MUTED, PAPER, SEQUENTIAL
from ...show.toolbox import PLANE, color_map, color_scale, framed, level_lines, points, segments
from ...show.widgets import figure_of, panels
from ..experiments.preimages import MIKA, mika_ratios, without_mean
from ..samples import noisy_sinc

SHAPES = ["half circle", "square"]
AROUND_THE_ARC = (-1.5, -0.7), (1.5, 1.5)  # where new points may lie
WAYS = {"fixed_point": "fixed point", "distance": "distances", "ridge": "linear ridge", "kernel_ridge": "kernel ridge"}


@panels(1, 2, size=(9.6, 3.9))
def straight_or_curved(axes, X, T, width=0.6):
    """Where new noisy points go: onto one straight axis, or to the pre-images of four bent ones."""
    pca, kpca = PCA(1).fit(X), KernelPCA(Gaussian(width), 4).fit(X)
    sent = {
        "PCA, one component": pca.inverse_transform(pca.transform(T)),
        "kernel PCA, four components": denoise(kpca, T),
    }
    for ax, (name, A) in zip(axes, sent.items(), strict=True):
        _moves(ax, T, A, "half circle")
        ax.set(title=name)
    before, flat, bent = (_rms(A, "half circle") for A in (T, *sent.values()))
    return f"New points (grey) are {before:.2f} off the arc; PCA sends them {flat:.2f} off, kernel PCA {bent:.2f}."


@panels(1, 2)
def along_the_axis(axes, X, shares, width=0.9):
    """After the figure of 001/p114: a straight axis in feature space, and its pre-images in input space; and of a point
    (1, 2) whose scores are given as shares of the largest ones."""
    left, right = axes
    kpca = KernelPCA(Gaussian(width), 2)
    scores = kpca.fit_transform(X)
    sign = np.where((scores * X).sum(0) < 0, -1, 1)  # to the right in one picture is to the right in the other
    most = np.abs(scores).max(0)
    if not most.min() > 0:
        raise ValueError("There are no two components here: spread the points over the plane.")
    line, here = np.linspace(-1, 1, 61)[:, None] * [most[0], 0], sign * most * np.asarray(shares)
    place = preimage(kpca, here)
    held = getattr(shares, "hand", None) is not None
    unit = most if held else 1.0  # what can be moved is drawn in shares
    right.plot(*(sign * scores / unit).T, "o", color=MUTED, ms=4)
    right.plot(*(line / unit).T, color=COLORS[0])
    look = {"size": 196, "color": COLORS[1], "edgecolors": PAPER, "linewidths": 1, "zorder": 3}
    points(right, shares if held else sign * here, **look)
    right.set(title="feature space: a straight axis", xlabel="component 1", ylabel="component 2")
    if held:
        right.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    left.plot(*X.T, "o", color=MUTED, ms=4)
    left.plot(*preimage(kpca, line).T, ".", color=COLORS[0], ms=6)
    points(left, place, **look)
    left.set(title="input space: its pre-images", **PLANE)
    missing = image_distance2(kpca, here, place)[0]
    return f"The image of the orange point is nearest to these scores, and still {missing:.2f} away, squared."


@panels(1, 2, widths=[1.25, 1])
def landscape(axes, X, start, width=1.0, components=2):
    """How far every point's image is from the vector that belongs to one noisy point, start (1, 2), and the way down
    from there."""
    kpca = KernelPCA(Gaussian(width), components).fit(X)
    _valley(axes, kpca, X, start, list(fixed_point_steps(kpca, kpca.transform(start), np.array(start))))
    first, last = (image_distance2(kpca, kpca.transform(start), p)[0] for p in (start, denoise(kpca, start)))
    return f"Squared distance in feature space: {first:.3f} at the start (ring), {last:.3f} at the pre-image (dot)."


@panels(1, 2, widths=[1.25, 1])
def fixed_point_frame(axes, kpca, X, start, steps, t):
    """The landscape with the path so far."""
    _valley(axes, kpca, X, start, steps[: t + 1], rounds=len(steps))
    return f"After {t} round{'s' * (t != 1)} the image is {steps[t].distance2[0]:.4f} away, squared."


@panels(1, 2)
def existence(axes, gap=2.0, coef0=0.0):
    """Left: a vector with no pre-image. Right: a vector with two."""
    left, right = axes
    z = np.linspace(-2, 5, 421)
    kpca = KernelPCA(Gaussian(1.0), 1).fit([[0.0], [gap]])
    midpoint = np.zeros((1, 1))
    far = image_distance2(kpca, np.zeros((len(z), 1)), z[:, None])
    left.plot(z, far, color=COLORS[0])
    lowest = z[_minima(far)]
    left.plot(lowest, far[_minima(far)], "o", color=COLORS[1], ms=11)[0].of = None  # no rows of each other
    left.axhline(0, color=INK, lw=1)
    left.set(title="midpoint of φ(0) and φ(gap)", xlabel="z", ylabel="|φ(z) − f|²", ylim=(-0.1, 2.1))
    left.plot([0, gap], [0, 0], "^", color=MUTED, ms=9)[0].of = None
    kernel, z = Polynomial(2, coef0), np.linspace(-2, 2, 401)
    away = kernel.diag(z[:, None]) - 2 * kernel(z[:, None], [[1.0]])[:, 0] + kernel.diag([[1.0]])
    right.plot(z, away, color=COLORS[0])
    right.plot(z[_minima(away)], away[_minima(away)], "o", color=COLORS[1], ms=11)[0].of = None
    right.axhline(0, color=INK, lw=1)
    right.set(title=f"f = φ(1) for (xz + {coef0:g})²", xlabel="z", ylabel="|φ(z) − f|²", ylim=(-0.4, 6))
    right.set_xticks(range(-2, 3))
    best = image_distance2(kpca, midpoint, preimage(kpca, midpoint, "gradient"))[0]
    exact = int((away[_minima(away)] < 1e-9).sum())
    some = {1: "One point comes", 2: "Two points come"}[len(lowest)]
    return f"{some} closest to the midpoint, {best:.3f} away, squared; φ(1) has {exact} pre-image{'s' * (exact > 1)}."


@panels(1, 4, size=(9.6, 2.4))
def same_scores(axes, X, T, width=0.6, components=4, neighbors=6, lam=0.1):
    """The same scores, four ideas of a pre-image."""
    kpca = KernelPCA(Gaussian(width), components).fit(X)
    Z, off = kpca.transform(T), {}
    for ax, (method, name) in zip(axes, WAYS.items(), strict=True):
        found = preimage(kpca, Z, method, T if method == "fixed_point" else None, n_neighbors=neighbors, lam=lam)
        _moves(ax, T, found, "half circle")
        off[name] = _rms(found, "half circle")
        ax.set(title=f"{name}: {off[name]:.3f}")
    return f"Above each panel: distance of {len(T)} new points from the arc. The least: {min(off, key=off.get)}."


@panels(1, 4, size=(9.6, 3.3))
def four_denoisers(axes, shape="half circle", noise=0.15, width=0.6, components=4):
    """New noisy points and where kernel PCA and the two methods named on 004/s27 send them, beside PCA."""
    X, T = _noisy(shape, noise)
    pca, kpca = PCA(1).fit(X), KernelPCA(Gaussian(width), components).fit(X)
    sent = {
        "PCA": pca.inverse_transform(pca.transform(T)),
        "kernel PCA": denoise(kpca, T),
        "principal curve": _curve(shape, noise, 0.3).reconstruct(T),
        "autoencoder": _network(shape, noise, 8).reconstruct(T),
    }
    for ax, (name, A) in zip(axes, sent.items(), strict=True):
        _moves(ax, T, A, shape)
        ax.set(title=name, xlabel=f"off by {_rms(A, shape):.3f}")
    before, after = _rms(T, shape), _rms(sent["kernel PCA"], shape)
    return f"New points on the {shape}: off by {before:.3f} as they come, by {after:.3f} after kernel PCA."


@panels(1, 2)
def rivals(axes, shape="square", span=0.3, hidden=8):
    """The two methods that 004/s27 names, and the lines that they found in the training points."""
    left, right = axes
    X, T = _noisy(shape, 0.1)
    curve, network = _curve(shape, 0.1, span), _network(shape, 0.1, hidden)
    codes = network.transform(X)[:, 0]
    trace = network.inverse_transform(np.linspace(codes.min(), codes.max(), 400)[:, None])
    for ax, line, A in ((left, curve.knots_, curve.reconstruct(T)), (right, trace, network.reconstruct(T))):
        ax.plot(*X.T, ".", color=MUTED, ms=6)
        ax.plot(*line.T, color=COLORS[0], lw=3)
        ax.set(xlabel=f"new points off by {_rms(A, shape):.3f}")
        _frame(ax, shape)
    left.set(title=f"principal curve, span {span:g}")
    right.set(title=f"autoencoder, {hidden} hidden unit{'s' * (hidden > 1)}")
    return f"A curve has two ends; the {shape} has {'none' if shape == 'square' else 'two'}."


@panels(1, 1, size=(9.6, 4.6))
def digit_rows(axes, train, images, width=3.0, components=60, noise=0.3):
    """Clean, noisy and denoised digits, row by row; the noise is the same whatever the sliders say."""
    ax = axes[0]
    noisy = images + noise * np.random.default_rng(0).standard_normal(images.shape)
    pca = PCA().fit(train)  # has fewer components than there are pixels, because some pixels are always white
    V = pca.components_[:components]
    rows = {
        "clean": images,
        "noisy": noisy,
        "PCA": pca.mean_ + (noisy - pca.mean_) @ V.T @ V,
        "kernel PCA": denoise(KernelPCA(Gaussian(width), components).fit(train), noisy),
    }
    tiles = [np.pad(row.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1))).transpose(1, 0, 2) for row in rows.values()]
    ax.imshow(np.vstack([tile.reshape(10, -1) for tile in tiles]), cmap="gray_r", vmin=0, vmax=1, aspect="auto")
    ax.set(xticks=[], yticks=[4.5, 14.5, 24.5, 34.5], yticklabels=rows)
    error = {name: ((row - images) ** 2).mean() for name, row in rows.items()}
    return (
        f"Mean squared error per pixel: noisy {error['noisy']:.4f}, PCA {error['PCA']:.4f}, "
        f"kernel PCA {error['kernel PCA']:.4f}."
    )


@panels(1, 1, size=(9.6, 4.2))
def mika_table(axes, ratios):
    """The row σ = 0.8 of 1999, and two rows of one draw of ours."""
    ax, q, (ours, uncentred) = axes[0], np.arange(1, 10), ratios
    ax.fill_between(q, np.array(MIKA) - 0.25, np.array(MIKA) + 0.25, color=COLORS[5], alpha=0.25, lw=0)
    ax.plot(q, MIKA, "o-", color=COLORS[0], label="Mika et al. 1999, ± 0.25")
    ax.plot(q, ours, "s-", color=COLORS[1], label="our draw")
    ax.plot(q, uncentred, "D:", color=COLORS[2], label="our draw, PCA around the origin")
    ax.axhline(1, color=MUTED, lw=1)
    ax.set(xlabel="components", ylabel="error of PCA / error of kernel PCA", xticks=q, ylim=(0.8, 2.8))
    ax.legend(loc="upper left")
    off = np.abs(ours - MIKA)
    return f"Largest difference of our draw from the published row: {off.max():.2f}, at {off.argmax() + 1} components."


@panels(1, 2, size=(9.6, 3.1))
def lost_mean(axes, X, T, shift=100.0):
    """One kernel ridge from scores to points, with and without the mean, on data far to the right of the origin."""
    away = [shift, 0.0]
    kpca = KernelPCA(Gaussian(1.0), 6).fit(X + away)
    Z = kpca.transform(T + away)
    found = {"put back": kernel_ridge_map(kpca, Z, 1.0, kpca.kernel) - away, "left out": without_mean(kpca, Z) - away}
    off = {name: np.sqrt(((A - T) ** 2).sum(1).mean()) for name, A in found.items()}
    for ax, (name, A) in zip(axes, found.items(), strict=True):
        _moves(ax, T, A, "half circle")
        ax.plot(-shift, 0, "P", color=COLORS[1], ms=13)
        ax.set(title=f"mean {name}: {off[name]:.2f} off", xlim=(-2.6, 1.6))
    where = "outside the picture" if shift > 2.6 else "the orange cross"
    return (
        f"The origin is {shift:g} to the left, {where}. New points (grey) come back (blue) {off['put back']:.2f} off "
        f"with the mean, {off['left out']:.2f} off without it."
    )


@panels(1, 3, size=(9.6, 3.9))
def relevance(axes, n=100, width=1.0, noise=0.2):
    """Labels of a noisy sinc in the eigenvectors of the Gram matrix."""
    left, middle, right = axes
    x, y, truth = noisy_sinc(n, noise)
    found = relevant_dimension(Gaussian(width)(x[:, None]), y)
    size, q = np.abs(found.contributions), found.dimension
    left.vlines(range(1, n + 1), 0, size, color=np.where(np.arange(n) < q, COLORS[1], MUTED), lw=1.6)
    left.set(title="|s|: labels in components", xlabel="component i", xlim=(0, min(n, 60)), ylim=(0, None))
    middle.plot(range(1, n // 2 + 1), found.curve, color=COLORS[0])
    middle.plot(q, found.curve[q - 1], "o", color=COLORS[1], ms=11)
    middle.set(title=f"ℓ(q), lowest at {q}", xlabel="q", yticks=[])
    right.plot(x, y, ".", color=MUTED, ms=5)
    right.plot(x, truth, color=INK, lw=1.2, ls="--")
    right.plot(x, found.denoised, color=COLORS[1])
    right.set(title="denoised labels", xlabel="x", ylim=(-0.6 - 2 * noise, 1.3 + 2 * noise))
    for ax in left, right:  # labels of one width, wherever the sliders are
        ax.yaxis.get_major_locator().set_params(nbins=5, steps=[1, 2, 5, 10])
        ax.yaxis.set_major_formatter("{x:.1f}")
    carry = "component carries" if q == 1 else "components carry"
    return f"{q} {carry} the labels; noise level found {np.sqrt(found.noise):.3f}, planted {noise:g}."


def _valley(axes, kpca, X, start, path, rounds=None):
    left, right = axes
    xs, ys = np.linspace(-1.7, 1.7, 90), np.linspace(-0.7, 1.6, 70)
    Z = kpca.transform(start)
    gamma = projection_coefficients(kpca, Z)
    far = 1 - 2 * kpca.kernel.on_grid(xs, ys, kpca.X_, gamma.T)[..., 0] + squared_norm(kpca, Z)
    color_scale(left, color_map(left, xs, ys, far, cmap=SEQUENTIAL), "squared distance")
    levels = MaxNLocator(15, min_n_ticks=1).tick_values(far.min(), far.max())
    level_lines(left, xs, ys, far, levels, PAPER, 0.8, alpha=0.7)
    left.plot(*X.T, ".", color=PAPER, ms=4, alpha=0.8)
    track = np.array([step.points[0] for step in path])
    left.plot(*track.T, "-", color=COLORS[1], lw=3)
    points(left, start, size=169, color="none", edgecolors=COLORS[1], linewidths=3, zorder=2)
    points(left, track[-1:], size=144, color=COLORS[1], edgecolors=PAPER, linewidths=1, zorder=2)
    left.set(title="|φ(z) − f|² over the plane", **framed(xs, ys))
    right.plot([step.distance2[0] for step in path], "o-", color=COLORS[1])
    right.xaxis.get_major_locator().set_params(integer=True)
    right.set(title="round by round", xlabel="round", ylabel="|φ(z) − f|²", ylim=(0, 1.4))
    if rounds:
        right.set(xlim=(-0.5, rounds), ylim=(0, 0.2 * np.ceil(5.2 * path[0].distance2[0])))
    elif getattr(start, "hand", None) is not None:  # in steps: an axis that changes is slow to draw
        right.set_xlim(-1, 25 * np.ceil(len(path) / 25))


def _moves(ax, T, A, shape):
    """Points T, where they go, the way, and the clean shape; the frame is the same for every method."""
    ax.plot(*_outline(shape).T, color=INK, lw=1.2, ls="--", zorder=0)
    ax.plot(*segments(T, A), color=MUTED, lw=0.6, alpha=0.7)
    points(ax, T, size=16, color=MUTED, marker=".", edgecolors=MUTED, linewidths=1, zorder=2)
    points(ax, A, size=16, edgecolors=COLORS[0], linewidths=1, zorder=2)
    _frame(ax, shape)


def _frame(ax, shape):
    ax.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.5, 1.5), ylim=(-1.5 if shape == "square" else -0.7, 1.5))


def _outline(shape):
    """The clean shape as a polygon."""
    if shape == "square":
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]], dtype=float)
    angle = np.linspace(0, np.pi, 181)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _rms(A, shape):
    """Root of the mean squared distance to the clean shape."""
    return np.sqrt(((A - project_on_polygon(A, _outline(shape))[1]) ** 2).sum(1).mean())


def _noisy(shape, noise):
    """150 training points, and 150 new ones."""
    sample = {"half circle": datasets.half_circle, "square": datasets.square}[shape]
    return tuple(sample(150, noise, seed)[0] for seed in (0, 1))


# the two rivals are slow, and most sliders leave them as they are
@lru_cache(maxsize=64)
def _curve(shape, noise, span):
    return PrincipalCurve(span).fit(_noisy(shape, noise)[0])


@lru_cache(maxsize=64)
def _network(shape, noise, hidden):
    return Autoencoder(hidden=hidden, restarts=1).fit(_noisy(shape, noise)[0])


def _minima(f):
    """Places inside a sampled curve that are lower than both neighbours."""
    return 1 + np.flatnonzero((f[1:-1] <= f[:-2]) & (f[1:-1] < f[2:]))


def figures():
    arc, new = (datasets.half_circle(150, 0.1, seed)[0] for seed in (0, 1))
    images, label = datasets.digits()
    first = [300 + int(np.argmax(label[300:] == digit)) for digit in range(10)]
    return {
        "straight_or_curved": lambda: figure_of(straight_or_curved, arc, new),
        "along_the_axis": lambda: figure_of(along_the_axis, arc, np.array([[-0.4, 0.0]])),
        "landscape": lambda: figure_of(landscape, arc, np.array([[0.2, 0.1]])),
        "existence": lambda: figure_of(existence),
        "same_scores": lambda: figure_of(same_scores, arc, new),
        "half_circle": lambda: figure_of(four_denoisers),
        "square": lambda: figure_of(four_denoisers, shape="square", components=8),
        "rivals": lambda: figure_of(rivals),
        "digits": lambda: figure_of(digit_rows, images[:300], images[first]),
        "mika_table": lambda: figure_of(mika_table, mika_ratios()),
        "lost_mean": lambda: figure_of(lost_mean, arc, new),
        "relevance": lambda: figure_of(relevance),
    }
