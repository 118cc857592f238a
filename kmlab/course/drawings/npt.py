"""Pictures of notebook 07, the nonlinear projection trick."""

from functools import partial

import numpy as np
from matplotlib.ticker import NullFormatter

from ... import datasets
from ...centering import center_gram
from ...gram import largest
from ...kernels import Gaussian, Linear, Polynomial
from ...npt import NPT, Kernelized
from ...one_class import SVDD
from ...pca import PCA
from ...show.style import COLORS, DIVERGING, GRID, INK, MINUS, MUTED, PAPER
from ...show.toolbox import (
    color_map,
    color_scale,
    framed,
    heat,
    minus,
    over_grid,
    points,
    region_map,
    remembered,
    symmetric,
    tidy,
)
from ...show.widgets import figure_of, panels
from ..errata.npt import lasso, ridge, rotation
from ..experiments.npt import squares

TRAIN = np.array([[1.4, 0.3], [0.2, 1.2]])  # two points whose images span the plane P
BOTH, NPT_ONLY = "#cfe3f1", "#f7d9c4"  # light forms of the first two colours


@panels(1, 2, widths=[1, 1.7], projections={1: "3d"})
def projection(axes, x):
    """The figure of 000/s9: φ(x) of a point (1, 2), its shadow on the plane P of the training images, on w, and the
    residual."""
    left, right = axes
    model = NPT(Polynomial(2, 0.0), center=False).fit(TRAIN)
    basis = squares(TRAIN).T @ model.U_ / np.sqrt(model.lam_)  # Π, orthonormal columns: here the images can be seen
    phi, shadow = squares(x)[0], basis @ model.transform(x)[0]
    w = basis @ model.coords_of([1.0, 1.0])
    on_w = w * (w @ shadow) / (w @ w)
    left.plot(*TRAIN.T, "o", color=COLORS[0], ms=12)
    points(left, x, size=169, color=COLORS[1], marker="^", edgecolors=COLORS[1], linewidths=1, zorder=3)
    left.set(title="input space", xlim=(-2.2, 2.2), ylim=(-2.2, 2.2), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    left.set(xticks=range(-2, 3), yticks=range(-2, 3))
    a, b = np.meshgrid([-3.2, 3.2], [-3.2, 3.2])
    right.plot_surface(*(basis @ np.stack([a.ravel(), b.ravel()])).reshape(3, 2, 2), color=COLORS[0], alpha=0.16)
    for end, color, name in _named(phi, shadow, on_w):
        right.plot(*np.stack([0 * end, end]).T, color=color, lw=3, label=name)
    right.plot(*np.stack([phi, shadow]).T, "--", color=INK, lw=2)
    right.plot(*np.stack([shadow, on_w]).T, ":", color=MUTED, lw=2)
    right.plot(*np.outer(w, [-1.0, 1.0]), color=COLORS[2], lw=1)
    right.scatter(*squares(TRAIN).T, color=COLORS[0], s=50)
    right.set(title="feature space", xlim=(-3.4, 3.4), ylim=(-3.4, 3.4), zlim=(-3.4, 3.4))
    for axis in right.xaxis, right.yaxis, right.zaxis:
        axis.set_major_formatter(NullFormatter())
    right.view_init(18, 60)
    right.set_box_aspect(None, zoom=1.3)
    right.legend(loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=3, fontsize=16)  # under the box, wherever x is
    whole, inside, outside = np.linalg.norm(phi), np.linalg.norm(shadow), model.residual(x)[0]
    return f"φ(x) is {whole:.2f} long, its shadow on the plane {inside:.2f}, and {outside:.2f} is left over."


@panels(1, 2)
def residual_map(axes, X, width=0.7, raw=False):
    """How far φ(x) is from what the training points can express, over the plane and along a line."""
    left, right = axes
    if len(X) < 2:
        raise ValueError("The centred images of fewer than two points span nothing: click another one into the plane.")
    model = NPT(Gaussian(width)).fit(X)
    side, residual = np.linspace(-3, 3, 60), partial(_raw_residual, model) if raw else model.residual
    res = over_grid(residual, side, side)
    color_scale(left, color_map(left, side, side, res, vmin=0, vmax=1.1), "residual")
    points(left, X, size=49, color=PAPER, edgecolors=INK, linewidths=1)
    left.axhline(0, color=PAPER, lw=1.5, ls="--")
    left.set(title="residual over the plane", **framed(side, side))
    line = np.column_stack([np.linspace(0, 6, 120), np.zeros(120)])
    limit = np.sqrt(1 + Gaussian(width)(X).mean() - _mean_part(model))
    right.plot(line[:, 0], residual(line), color=COLORS[0])
    if not raw:
        right.axhline(limit, color=MUTED, ls="--")
    right.set(title="on the way out", xlabel="$x_1$ along the dashed line", ylabel="residual")
    right.set_ylim(0, max(1.3, 1.1 * limit))
    off = residual(X).max()
    if raw:
        return f"With k(x, x) left uncentred even training points have a residual, up to {off:.2f}; it should be 0."
    return f"Width {width:.2g}: zero at the training points, {limit:.2f} far from all of them."


@panels(1, 2)
def rank_and_tolerance(axes, X, width=3.0, tol=1e-10):
    """The spectrum of Kc with the cut, and what the coordinates give back."""
    left, right = axes
    Kc = center_gram(Gaussian(width)(X))
    lam = np.linalg.eigvalsh(Kc)[::-1]
    kept, U = largest(Kc, tol=tol)
    left.semilogy(np.arange(1, len(lam) + 1), np.abs(lam), "o", color=MUTED, ms=5, label="dropped")
    left.semilogy(np.arange(1, len(kept) + 1), kept, "o", color=COLORS[0], ms=7, label="kept")
    negative = np.flatnonzero(lam < 0)
    left.semilogy(negative + 1, -lam[negative], "x", color=MINUS, ms=9, mew=2, label="negative")
    left.axhline(tol * lam[0], color=INK, lw=1.5)
    left.set(title="eigenvalues of Kc", xlabel="number", ylim=(1e-18, 1e6), yticks=10.0 ** np.arange(-18, 1, 6))
    left.legend(loc="upper center", ncols=3, columnspacing=1, handletextpad=0.2, borderaxespad=0)
    lost = np.abs((U * kept) @ U.T - Kc).max()
    heat(right, (U * kept) @ U.T - Kc, cmap=DIVERGING, vmin=-max(lost, 1e-16), vmax=max(lost, 1e-16))
    right.set(title="Z Zᵀ − Kc", xticks=[], yticks=[])
    size = f"{tidy(tol)}: {len(kept)} of {len(lam)} eigenvalues kept"
    return f"Tolerance {size}, Z Zᵀ misses Kc by about {minus(f'1e{np.log10(lost):.0f}')}."


METHODS = ["PCA", "ridge", "k-means", "lasso"]


@panels(1, 2)
def rotation_freedom(axes, X, method="ridge", turn=1):
    """The same method on Z and on the rotated Z V: the answers, one against the other."""
    left, right = axes
    Z = NPT(Gaussian(1.0)).fit_transform(X)
    turned = Z @ rotation(Z.shape[1], turn)
    left.plot(*Z[:, :2].T, "o", color=MUTED, ms=6, label="Z")
    left.plot(*turned[:, :2].T, "^", color=COLORS[0], ms=7, label="Z V")
    left.set(title="first two coordinates", xlim=(-1, 1), ylim=(-1, 1), xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    left.set_aspect("equal")
    left.legend(loc="upper left")
    one, other = _answer(method, Z, X), _answer(method, turned, X)
    right.plot([-1.2, 1.2], [-1.2, 1.2], color=GRID, lw=2)
    right.plot(one, other, "o", color=COLORS[1], ms=7)
    right.set(title=f"{method}: answers", xlabel="from Z", ylabel="from Z V", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2))
    right.locator_params(nbins=5)
    off = np.abs(one - other).max()
    if turn == 0:
        return "Rotation number 0 turns nothing, so there is nothing to notice: choose another."
    size = "only by rounding errors" if off < 1e-6 else f"by up to {off:.2f}"
    return f"Rotation number {turn}: the answers of {method} from Z and from Z V differ {size}."


@panels(1, 1, size=(9.6, 3.6))
def equality(axes, gaps):
    """Largest difference between two ways to the same answer, for each method: on training points and on new ones."""
    ax, rows = axes[0], np.arange(len(gaps))[::-1]
    old, new = np.log10(np.maximum(np.array(list(gaps.values())), 1e-16)).T
    ax.hlines(rows, old, new, color=GRID, lw=3, zorder=0)
    ax.plot(old, rows, "o", color=COLORS[0], ms=12, label="training points")
    ax.plot(new, rows, "^", color=COLORS[1], ms=12, label="new points")
    ax.axvline(-10, color=INK, lw=1.5)
    ax.set(title="largest difference of the answers", xlim=(-17, 5), ylim=(-0.6, len(gaps) - 0.4))
    ax.set(xticks=range(-16, 1, 4), yticks=rows)
    ax.set_xticklabels([f"1e{p}" for p in range(-16, 1, 4)])
    ax.set_yticklabels(list(gaps))
    ax.legend(loc="center right")
    part = [name for name, (_, off) in gaps.items() if off > 1e-10]
    return (
        f"Left of the line, at 1e-10, there is only rounding: all agree on training points, and on new ones all "
        f"but {' and '.join(part)}."
    )


OUT = 6.0  # from the middle of the picture to its edge


@panels(1, 2)
def walk_away(axes, X, new, width=1.0, residual=False):
    """A new point (1, 2) leaves the data: SVDD by its kernel and on coordinates, in the plane and on the straight way
    there."""
    left, right = axes
    name, side = "(z, t)" if residual else "z", np.linspace(-OUT, OUT, 70)
    (by_kernel, by_npt), inside = _spheres(X, width, residual, side)
    distance = float(np.linalg.norm(new))
    ahead = np.asarray(new[0]) / distance if distance else np.array([1.0, 0.0])
    region_map(left, side, side, inside, [PAPER, NPT_ONLY, BOTH])
    left.plot(*X.T, "o", color=MUTED, ms=5)
    left.plot(*np.outer(ahead, [0, OUT / np.abs(ahead).max()]), color=MUTED, lw=1.5, ls=":")
    points(left, new, size=169, color=INK, marker="^", edgecolors=INK, linewidths=1, zorder=3, clip_on=False)
    left.set(title=f"inside: kernel blue, only {name} orange", **framed(side, side))
    far = max(OUT, distance)  # in a corner it is more
    way = np.linspace(0, far, 90)
    line = np.outer(way, ahead)
    for model, color, label, style in (by_kernel, COLORS[0], "kernel", "-"), (by_npt, COLORS[1], f"from {name}", "--"):
        right.plot(way, model.decision_function(line), color=color, ls=style, lw=3, label=label)
    kernel_score, npt_score = (float(model.decision_function(new)[0]) for model in (by_kernel, by_npt))
    right.plot([distance, distance], [kernel_score, npt_score], color=INK, lw=1.5)
    right.plot([distance, distance], [kernel_score, npt_score], "^", color=INK, ms=11)
    right.axhline(0, color=MUTED, lw=1)
    right.set(title="score on the way out", xlabel="distance walked", xlim=(-0.2, far + 0.2), ylim=(-1.3, 1.5))
    right.set_yticks([-1, 0, 1])
    right.legend(loc="upper center", ncols=2)
    t2 = by_npt.npt_.residual(new)[0] ** 2
    scores = f"scores {_signed(kernel_score)}, the sphere on {name} {_signed(npt_score)}"
    return f"Walked {distance:.3g}: the kernel sphere {scores}; here t² = {t2:.2f}."


@panels(1, 3, widths=[1, 0.2, 1.1])
def algorithm_frame(axes, X, x, steps, t):
    """The matrix of one stage, and the points in the first two coordinates once there are some."""
    left, gap, right = axes
    gap.set_axis_off()  # room for numbers that only later frames have
    stage = steps[t]
    A = stage.value
    heat(left, A, **symmetric(A))
    left.set(title=f"{stage.name}   {A.shape[0]} × {A.shape[1]}", xticks=[], yticks=[], aspect="auto")
    later = {s.name: s.value for s in steps[: t + 1]}
    if "Z" in later:
        right.plot(*later["Z"][:, :2].T, "o", color=COLORS[0], ms=9)
        if "z" in later:
            right.plot(*later["z"][0, :2], "^", color=COLORS[1], ms=14)
        right.set(title="first two coordinates", xlim=(-1, 1), ylim=(-1, 1), xlabel="$z_1$", ylabel="$z_2$")
        right.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1], aspect="equal")
    else:
        right.plot(*X.T, "o", color=MUTED, ms=9)
        right.plot(*x[0], "^", color=COLORS[1], ms=14)
        right.set(title="the points, and a new one", xlim=(-3, 3), ylim=(-3, 3), xlabel="$x_1$", ylabel="$x_2$")
        right.set_aspect("equal")
    return f"{stage.name}: {stage.sentence}"


@remembered()
def _spheres(X, width, residual, side):
    """SVDD by its kernel and on coordinates, and over a grid: 2 inside the first, 1 inside the second only, or 0."""
    by_kernel = SVDD(Gaussian(width), 10 / len(X), tol=1e-8).fit(X)
    by_npt = Kernelized(SVDD(Linear(), 10 / len(X), tol=1e-8), Gaussian(width), residual=residual).fit(X)
    kernel_in, npt_in = (over_grid(model.decision_function, side, side) > 0 for model in (by_kernel, by_npt))
    return (by_kernel, by_npt), np.where(kernel_in, 2, np.where(npt_in, 1, 0))


def _signed(score):
    return f"{'−' if score < -0.005 else '+'}{abs(score):.2f}"


def _named(phi, shadow, on_w):
    return (
        (phi, COLORS[1], "$\\varphi(x)$"),
        (shadow, COLORS[0], "$\\varphi_P(x)$"),
        (on_w, COLORS[2], "$\\varphi_w(x)$"),
    )


def _raw_residual(model, X):
    """(NPT.4) if one forgets to centre k(x, x)."""
    return np.sqrt(np.maximum(model.kernel.diag(X) - (model.transform(X) ** 2).sum(1), 0))


def _mean_part(model):
    """|z|² of a point so far away that all its kernel values vanish: the projection of minus the mean image."""
    far = model.X_.max() + 100 * model.kernel.width
    return (model.transform(np.full((1, model.n_features_in_), far)) ** 2).sum()


def _answer(method, Z, X):
    """One number a point, scaled to about [-1, 1]: what the method says from these coordinates."""
    t = np.sin(2 * X[:, 0])
    if method == "PCA":
        scores = PCA(1).fit_transform(Z)[:, 0]
        return scores * np.sign(scores[np.abs(scores).argmax()]) / np.abs(scores).max()
    if method == "k-means":
        from scipy.cluster.vq import kmeans2

        return 2.0 * kmeans2(Z, Z[[0, 1]], minit="matrix")[1] - 1
    return Z @ (ridge(Z, t) if method == "ridge" else lasso(Z, t, lam=0.4))


def figures():
    X = np.random.default_rng(0).standard_normal((12, 2))
    more = np.random.default_rng(0).standard_normal((30, 2))
    return {
        "projection": lambda: figure_of(projection, np.array([[-0.6, 1.5]])),
        "residual_map": lambda: figure_of(residual_map, X),
        "walk_away": lambda: figure_of(walk_away, more, np.array([[3.0, 0.0]])),
        "rank": lambda: figure_of(rank_and_tolerance, datasets.half_circle(40)[0]),
        "lasso": lambda: figure_of(rotation_freedom, more, method="lasso"),
    }
