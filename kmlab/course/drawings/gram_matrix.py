"""Pictures of notebook 01: from data to the Gram matrix, and the geometry that it holds."""

import numpy as np
from matplotlib.patches import Circle, Rectangle
from matplotlib.transforms import ScaledTranslation

from ... import datasets
from ...centering import Centerer, center_gram
from ...kernels import Gaussian, Linear, NegativePower, Polynomial, Tanh, feature_angle, feature_distance2, is_psd
from ...npt import NPT
from ...pca import KernelPCA
from ...show import style
from ...show.toolbox import (
    color_map,
    color_scale,
    framed,
    minus,
    named_kernel,
    over_grid,
    points,
    scatter_classes,
    score_map,
    tidy,
)
from ...show.widgets import figure_of, panels
from ..experiments.gram_matrix import expansion, lifted, sphere_images

GOOD, BAD, THIRD = style.COLORS[:3]
GRAY = "#a8a8a8"
ARROW = {"arrowstyle": "-|>", "lw": 3, "shrinkA": 0, "shrinkB": 0}

STROKES = (slice(0, 5), slice(5, 11))  # of the letter K


# ---- the question ---------------------------------------------------------------------------------------------------


@panels(1, 2, size=(9.6, 4.6), widths=[1, 1.35], projections={1: "3d"})
def lift(axes, X, y, mix=1.0):
    """Two rings, and the same rings with their squared radius as a third coordinate."""
    flat, space = axes
    if len(np.unique(y)) < 2:
        raise ValueError("There is nothing to separate: click points of both rings into the left picture.")
    up = lifted(X) * [1, 1, mix]
    inner, outer = up[y == 0, 2].max(), up[y == 1, 2].min()
    gap, level = outer - inner, (inner + outer) / 2
    scatter_classes(flat, X, y)
    scatter_classes(space, np.minimum(up, [9, 9, 5]), y, depthshade=False)  # higher is drawn at the top
    if gap > 0:
        radius = np.sqrt(level / mix)
        flat.add_patch(Circle((0, 0), radius, fill=False, color=THIRD, lw=3))
        side = np.linspace(-2.6, 2.6, 2)
        space.plot_surface(*np.meshgrid(side, side), np.full((2, 2), level), color=THIRD, alpha=0.25)
    flat.set(aspect="equal", xlim=(-2.7, 2.7), ylim=(-2.7, 2.7), xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    flat.set(xlabel="$x_1$", ylabel="$x_2$", title="input space")
    space.set(xlim=(-2.6, 2.6), ylim=(-2.6, 2.6), zlim=(0, 5), xticks=[-2, 0, 2], yticks=[-2, 0, 2], zticks=[0, 2, 4])
    space.set(xlabel="$x_1$", ylabel="$x_2$", title="the same points, lifted")
    space.set_box_aspect((1, 1, 0.8))
    space.view_init(elev=16, azim=-60)
    space.M = space.get_proj()  # the layout is found before the first draw, which would set it
    if mix == 0:
        return "Flat: no straight line has one ring on each side."
    if gap <= 0:
        return "The lowest image of the outer ring is not above the highest of the inner: no level plane separates."
    return f"A horizontal plane separates the rings with a gap of {gap:.2f}; seen from the input space it is a circle."


# ---- data -> K -> algorithm -----------------------------------------------------------------------------------------


@panels(1, 4, size=(11.6, 4.0), widths=[1, 1.12, 0.1, 1.05])
def modular(axes, samples, data, kernel, algorithm):
    """The data, its Gram matrix, and what an algorithm makes of the Gram matrix."""
    plane, matrix, gap, answer = axes
    _leave_empty(gap)
    X, y = samples[data]
    K = kernel(X)
    xs, ys = (np.linspace(low - 0.5, high + 0.5, 60) for low, high in zip(X.min(0), X.max(0), strict=True))
    F, said = ALGORITHMS[algorithm](kernel, X, xs, ys)
    scatter_classes(plane, X, y, size=26)
    _matrix(matrix, K)
    if F.min() < 0:
        score_map(answer, xs, ys, F, note="")
    else:
        color_scale(answer, color_map(answer, xs, ys, F, cmap=style.SEQUENTIAL))
        answer.contour(xs, ys, F, 8, colors=style.PAPER, linewidths=0.8, alpha=0.6)
    scatter_classes(answer, X, y, size=20)
    for ax, title in ((plane, "1  data"), (matrix, "2  Gram matrix K"), (answer, f"3  {algorithm}")):
        _bare(ax, title)
    for ax in (plane, answer):
        ax.set(**framed(xs, ys))
    return f"Between data and answer stands only K, {len(X)} × {len(X)} numbers: {said}"


def _main_direction(kernel, X, xs, ys):
    model = KernelPCA(kernel, 1).fit(X)
    share = 100 * model.explained_variance_ratio_[0]
    said = f"their main direction holds {share:.0f} % of the variance of the images; thick line: score 0."
    return model.on_grid(xs, ys)[..., 0], said


def _distance_to_mean(kernel, X, xs, ys):
    K = kernel(X)
    centerer = Centerer().fit(K)
    D2 = over_grid(lambda Z: centerer.transform_diag(kernel.diag(Z), kernel(Z, X)), xs, ys)
    spread = np.sqrt(centerer.transform_diag(np.diag(K), K).mean())
    said = f"the images lie {spread:.2f} from their mean (root mean square); colour is this distance at every place."
    return np.sqrt(np.maximum(D2, 0)), said


ALGORITHMS = {"distance to the mean": _distance_to_mean, "main direction": _main_direction}


# ---- from points to K and back --------------------------------------------------------------------------------------


@panels(1, 5, size=(9.6, 4.4), widths=[0.04, 1, 0.14, 1, 0.04])
def reconstruct(axes, steps, t=0):
    """Left what is known, right what is made of it."""
    border, left, gap, right, rim = axes
    _leave_empty(border, gap, rim)
    step = steps[t]
    for ax, name, role in zip((left, right), (step.known, step.made), step.roles, strict=True):
        STAGES[name](ax, step.values[name])
        ax.set_title(f"{role}: {name}")
    return step.says


def _draw_points(ax, X):
    for stroke in STROKES:
        ax.plot(*X[stroke].T, color=GRAY, lw=5, alpha=0.5, solid_capstyle="round", zorder=1)
    ax.scatter(*X.T, c=np.arange(len(X)), cmap=style.SEQUENTIAL, s=90, edgecolors=style.INK, zorder=2)
    middle, half = (X.max(0) + X.min(0)) / 2, 2.6
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half), aspect="equal")
    ax.locator_params(nbins=4)


def _draw_eigenvalues(ax, lam):
    number = np.arange(1, len(lam) + 1)
    ax.bar(number, lam, color=GOOD)
    ax.plot(number[lam == 0], lam[lam == 0], "o", color=GRAY, clip_on=False)
    ax.set(xticks=[1, 2, len(lam)], box_aspect=1)
    ax.locator_params(axis="y", nbins=4)


STAGES = {
    "points": _draw_points,
    "coordinates": _draw_points,
    "K": lambda ax, K: _matrix(ax, K, numbers=True),
    "distances": lambda ax, D: _matrix(ax, D, numbers=True),
    "eigenvalues": _draw_eigenvalues,
}


# ---- norm, distance, angle ------------------------------------------------------------------------------------------


@panels(1, 3, size=(11.4, 4.0), widths=[1, 1.12, 1.15])
def pair(axes, X, kernel, i=1, j=4):
    """Two points, their entries of K, and their two images drawn true to length and angle."""
    plane, matrix, images = axes
    a, b = i - 1, j - 1
    K = kernel(X)
    length = np.sqrt(np.diag(K))
    if min(length[[a, b]]) < 1e-9:
        raise ValueError("An image of length 0 has no direction, so no angle: drag the point away from the origin.")
    distance, angle = np.sqrt(feature_distance2(K)[a, b]), feature_angle(K[np.ix_([a, b], [a, b])])[0, 1]
    points(plane, X, np.delete(np.arange(len(X)), [a, b]), 60, GRAY, **_solid(GRAY))
    above = plane.transData + ScaledTranslation(0, 11 / 72, plane.figure.dpi_scale_trans)
    for n, x in enumerate(X, 1):
        plane.text(*x, str(n), transform=above, ha="center", fontsize=13, color=style.MUTED)
    _matrix(matrix, K, numbers=True)
    for r, c, color in ((a, b, style.INK), (b, a, style.INK), (a, a, GOOD), (b, b, BAD)):
        for shade, width in ((style.PAPER, 6.5), (color, 3.5)):  # a white rim, or it is lost on dark cells
            matrix.add_patch(Rectangle((c - 0.5, r - 0.5), 1, 1, fill=False, color=shade, lw=width))
    fi, fj = (length[a], 0.0), (length[b] * np.cos(angle), length[b] * np.sin(angle))
    images.plot(*zip(fi, fj, strict=True), ls="--", color=style.INK, lw=1.8)
    for tip, row, color, marker in ((fi, a, GOOD, "o"), (fj, b, BAD, "^")):
        points(plane, X, [row], 130, color, marker, zorder=3, **_solid(color))
        images.annotate("", tip, (0, 0), arrowprops=ARROW | {"color": color})
    reach = 0.25 * length.max()
    turn = np.linspace(0, angle, 40)
    images.plot(reach * np.cos(turn), reach * np.sin(turn), color=style.MUTED)
    images.plot(0, 0, "o", color=style.INK)
    top = 1.1 * length.max()
    images.set(xlim=(-top, top), ylim=(-0.2 * top, 1.8 * top), aspect="equal")
    _bare(images, "their images")
    far, turned = tidy(distance), tidy(np.degrees(angle), 1)
    text = f"lengths {tidy(length[a])}, {tidy(length[b])}\ndistance {far}\nangle {turned}°"
    images.text(0.03, 0.98, text, transform=images.transAxes, va="top", fontsize=15)
    plane.axhline(0, color=style.GRID, zorder=0)
    plane.axvline(0, color=style.GRID, zorder=0)
    plane.set(aspect="equal", xlim=(-2.6, 2.6), ylim=(-2.6, 2.6), title=f"points {i} and {j}")
    plane.set(xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    matrix.set_title("K")
    entries = [f"K{_sub(r)}{_sub(c)} = {tidy(K[r - 1, c - 1])}" for r, c in ((i, i), (j, j), (i, j))]
    return f"{', '.join(entries)} give distance {far} and angle {turned}°."


# ---- Gaussian images on the sphere ----------------------------------------------------------------------------------


@panels(1, 2, size=(9.6, 4.8), widths=[1, 1.25], projections={1: "3d"})
def octant(axes, X, width=1.0):
    """Three points, and their images under a Gaussian kernel on the unit sphere."""
    plane, sphere = axes
    K = Gaussian(width)(X)
    angle, distance = np.degrees(feature_angle(K)), np.sqrt(feature_distance2(Linear()(X)))
    images = sphere_images(K)
    low, high = (X.min(0), X.max(0)) if getattr(X, "hand", None) is None else X.hand.frame
    away = (high[0] - low[0] + 1.5) / 6  # from a side to its label
    _octant_grid(sphere)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        plane.plot(*X[[a, b]].T, color=GRAY, zorder=1)
        middle, outward = X[[a, b]].mean(0), X[[a, b]].mean(0) - X.mean(0)
        label = f"{distance[a, b]:.2f} → {angle[a, b]:.1f}°"
        beside = middle + away * outward / max(np.linalg.norm(outward), 1e-9)
        plane.text(*beside, label, ha="center", va="center", fontsize=14)
        sphere.plot(*_arc(images[a], images[b]).T, color=style.INK, lw=2)
    for row, color, marker in zip(range(3), style.COLORS, style.MARKERS, strict=False):
        points(plane, X, [row], 170, color, marker, zorder=3, **_solid(color))
        sphere.plot(*np.array([np.zeros(3), images[row]]).T, color=color, lw=3)
        points(sphere, images, [row], 130, color, marker, depthshade=False, **_solid(color))
    plane.set(aspect="equal", xlim=(low[0] - 0.75, high[0] + 0.75), ylim=(low[1] - 0.75, high[1] + 0.75))
    _bare(plane, "points: distance → angle of images")
    sphere.set(xlim=(0, 1), ylim=(0, 1), zlim=(0, 1))
    sphere.set_title("images, all of length 1", y=0.0)
    sphere.set_box_aspect((1, 1, 1))
    sphere.view_init(elev=33, azim=45)
    sphere.set_axis_off()
    between = angle[np.triu_indices(3, 1)]
    low, high = f"{tidy(between.min(), 1)}°", f"{tidy(between.max(), 1)}°"
    apart = low if low == high else f"{low} to {high}"
    return f"With c = {width:.3g} the images are {apart} apart; more than 90° cannot be."


# ---- choosing a kernel ----------------------------------------------------------------------------------------------


@panels(1, 5, size=(11.6, 4.0), widths=[1, 1.12, 0.1, 1.12, 0.04])
def gallery(axes, X, y, kernel="Gaussian", width=0.5, degree=2, coef0=1.0):
    """Data, Gram matrix and matrix of angles for a kernel."""
    plane, matrix, gap, angles, border = axes
    _leave_empty(gap, border)
    k = named_kernel(kernel, width, degree, coef0)
    K = k(X)
    if len(np.unique(y)) < 2:
        raise ValueError("All points are of one cloud: there is no angle between clouds; give some another class.")
    if np.diag(K).min() < 1e-18:
        raise ValueError("An image of length 0 has no direction, so no angle: drag the point away from the origin.")
    theta = np.degrees(feature_angle(K))
    scatter_classes(plane, X, y, size=46)
    plane.axhline(0, color=style.GRID, zorder=0)
    plane.axvline(0, color=style.GRID, zorder=0)
    _matrix(matrix, K)
    _heat(angles, theta, 0, 90 if theta.max() <= 90 else 180, style.SEQUENTIAL + "_r")
    plane.set(aspect="equal", xlim=(-0.95, 0.95), ylim=(-0.75, 1.15), xticks=[-0.5, 0, 0.5], yticks=[-0.5, 0, 0.5, 1])
    plane.set_title("data")
    matrix.set_title("K")
    angles.set_title("angles in degrees")
    same = y[:, None] == y
    within, across = theta[same & ~np.eye(len(y), dtype=bool)].mean(), theta[~same].mean()
    name = kernel[0].upper() + kernel[1:]
    return f"{name} kernel: mean angle {within:.1f}° between images of one cloud, {across:.1f}° between clouds."


# ---- closure --------------------------------------------------------------------------------------------------------

COMBINED = {
    "k₁ − a k₂": lambda k1, k2, a, X: k1(X) - a * k2(X),  # kmlab refuses k1 - k2, and rightly so
    "k₁ + a k₂": lambda k1, k2, a, X: (k1 + a * k2)(X),
    "a k₁ k₂": lambda k1, k2, a, X: (a * k1 * k2)(X),
    "a k₁": lambda k1, k2, a, X: (a * k1)(X),
}


@panels(1, 5, size=(11.8, 3.8), widths=[1, 1, 1.1, 0.16, 1.6])
def closure(axes, X, k1, k2, op="k₁ − a k₂", a=1.5):
    """Two Gram matrices, their combination and its eigenvalues."""
    first, second, combined, gap, spectrum = axes
    _leave_empty(gap)
    K = COMBINED[op](k1, k2, a, X)
    _matrix(first, k1(X), bar=False)
    _matrix(second, k2(X), bar=False)
    _matrix(combined, K)
    lam = np.linalg.eigvalsh(K)[::-1]
    _spectrum(spectrum, lam)
    for ax, title in ((first, "k₁"), (second, "k₂"), (combined, op), (spectrum, "eigenvalues")):
        ax.set_title(title)
    if is_psd(K):
        return f"{op} with a = {a:.3g}: no eigenvalue below zero, so K is still a matrix of inner products."
    lowest = _short(lam[-1], 3)
    return f"{op} with a = {a:.3g}: smallest eigenvalue {lowest}; no vectors have these inner products."


# ---- the price of features ------------------------------------------------------------------------------------------


@panels(1, 2, size=(9.6, 4.4))
def price(axes, dims, seconds, X):
    """Left the cost of features against the kernel, right how many features a Gram matrix really holds."""
    cost, cliff = axes
    for times, label, look in zip(seconds, ("with d² features", "with the kernel"), ("o-", "^-"), strict=True):
        cost.loglog(dims, 1e3 * times, look, label=label)
    cost.set(xlabel="input dimension d", ylabel="milliseconds, this machine", title="one Gram matrix, two ways")
    cost.legend(loc="upper left")
    names = {"$(x^Tz)^2$": Polynomial(2, 0.0), "$(x^Tz+1)^2$": Polynomial(2), "$(x^Tz+1)^3$": Polynomial(3)}
    ranks = []
    for (name, kernel), color, marker in zip(names.items(), style.COLORS, style.MARKERS, strict=False):
        lam = np.linalg.eigvalsh(kernel(X))[::-1]
        share = np.maximum(np.abs(lam) / lam[0], 1e-18)
        cliff.semilogy(np.arange(1, len(lam) + 1), share, color=color, marker=marker, ms=5, lw=1, label=name)
        ranks.append(NPT(kernel, center=False).fit(X).rank_)
    cliff.axhline(1e-10, color=style.MUTED, ls="--", lw=1.2)
    cliff.set(xlabel="number", ylabel="share of the largest", title=f"eigenvalues of K, d = {X.shape[1]}")
    cliff.set(xticks=ranks, ylim=(1e-18, 5), yticks=[1, 1e-5, 1e-10, 1e-15])
    cliff.legend(loc="upper right")
    return "Right, the eigenvalues of three Gram matrices fall off a cliff after {}, {} and {}.".format(*ranks)


# ---- functions made of a kernel -------------------------------------------------------------------------------------


@panels(1, 1, size=(9.6, 4.4))
def rkhs(axes, weighted, kernel):
    """f = Σ α_i k(·, x_i), its parts, and the band it cannot leave; weighted (n, 2) holds each x_i and its α_i."""
    (ax,) = axes
    if not len(weighted):
        raise ValueError("There is no triangle, and a sum of no kernels is 0 everywhere: click one into the picture.")
    centers, alpha = np.array(weighted[:, :1]), np.array(weighted[:, 1])
    x = np.linspace(-4, 4, 321)[:, None]
    f, norm = expansion(centers, alpha, kernel, x)
    band = norm * np.sqrt(kernel.diag(x))
    for part in (kernel(x, centers) * alpha).T:
        ax.plot(x, part, color=style.COLORS[5], lw=1.4)
    ax.fill_between(x[:, 0], -band, band, color=style.COLORS[4], alpha=0.13, lw=0)
    ax.plot(x, band, x, -band, color=style.COLORS[4], ls="--", lw=1.8)
    ax.plot(x, f, color=GOOD, lw=3.4)
    ax.vlines(centers[:, 0], 0, alpha, color=BAD, lw=2)
    points(ax, weighted, None, 121, BAD, "^", zorder=2.5, **_solid(BAD))
    ax.axhline(0, color=style.MUTED, lw=1)
    ax.text(-3.9, min(norm, 5.3) + 0.08, "‖f‖ √k(x, x)", fontsize=14, va="bottom")
    ax.set(xlim=(-4, 4), ylim=(-5.4, 6.1), yticks=[-4, -2, 0, 2, 4], xlabel="x")
    ax.set_title("f thick, its parts thin, the weights α as triangles")
    top = np.abs(f).max()
    if norm < 1e-12:
        return "The weights are zero or cancel: f = 0, the origin of the space of functions."
    return f"‖f‖ = {norm:.2f}, and |f(x)| climbs to {top:.2f}: {100 * top / norm:.0f} % of what its norm allows."


# ---- translation ----------------------------------------------------------------------------------------------------


@panels(1, 4, size=(11.6, 4.0), widths=[1, 1.12, 0.1, 1.12])
def translation(axes, X, y, shift=1.0, center=False):
    """Moved data, its linear and its Gaussian Gram matrix."""
    plane, linear, gap, gaussian = axes
    _leave_empty(gap)
    kernels = Linear(), Gaussian(0.5)
    after = [(center_gram if center else np.array)(k(X + shift)) for k in kernels]
    scatter_classes(plane, X + shift, y, size=26)
    plane.plot(0, 0, "+", color=style.INK, ms=16, mew=2.5)
    plane.set(aspect="equal", xlim=(-3, 3), ylim=(-3, 3), xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    plane.set_title("data and origin")
    for ax, K, top, name in ((linear, after[0], np.abs(after[0]).max(), "linear"), (gaussian, after[1], 1, "Gaussian")):
        _heat(ax, K, -top, top, style.DIVERGING)
        ax.set_title(f"{name}, centred" if center else name)
    lowest, highest = zip(*((K.min(), K.max()) for K in after), strict=True)
    return minus(
        f"Moved by ({shift:.3g}, {shift:.3g}): entries of the linear K from {lowest[0]:.2f} to {highest[0]:.2f}, of "
        f"the Gaussian K from {lowest[1]:.2f} to {highest[1]:.2f}."
    )


# ---- where it breaks ------------------------------------------------------------------------------------------------

SIMILARITIES = {
    "exp(−d²/2)": Gaussian(np.sqrt(2)),
    "1 − d²/2": lambda X: 1 + NegativePower()(X) / 2,
    "tanh(xz)": Tanh(),
    "tanh(xz − 1)": Tanh(1.0, -1.0),
}


@panels(1, 4, size=(11.4, 4.0), widths=[1.1, 1, 0.28, 1.1])
def impostors(axes, similarity="1 − d²/2", points=3, spacing=0.8):
    """A similarity on points of a line: its matrix, its eigenvalues, and the combination of least squared length."""
    weights, matrix, gap, spectrum = axes
    _leave_empty(gap)
    X = spacing * np.arange(points)[:, None]
    K = SIMILARITIES[similarity](X)
    lam, U = np.linalg.eigh(K)
    c = U[:, 0] * np.sign(U[np.abs(U[:, 0]).argmax(), 0])
    color = style.INK if is_psd(K) else style.MINUS
    weights.vlines(X[:, 0], 0, c, color=color, lw=3)
    weights.plot(X[:, 0], c, "o" if is_psd(K) else "D", color=color, ms=10)
    weights.axhline(0, color=style.MUTED, lw=1)
    weights.set(xlabel="x", ylim=(-1.1, 1.1), yticks=[-1, 0, 1], title="weights c")
    weights.margins(x=0.1)
    weights.locator_params(axis="x", nbins=4)
    _matrix(matrix, K)
    matrix.set_title(f"k = {similarity}")
    _spectrum(spectrum, lam[::-1])
    spectrum.set_title("eigenvalues")
    if is_psd(K):
        return f"On these {points} points {similarity} passes: the smallest eigenvalue is {_short(lam[0], 3)}."
    return minus(f"{similarity} is no kernel: Σ cᵢ φ(xᵢ) would have the squared length {_short(lam[0], 3)}.")


# ---- shared ---------------------------------------------------------------------------------------------------------


def _matrix(ax, K, bar=True, numbers=False):
    """A Gram matrix: 0 is the lower end of the scale where no entry is negative, and its middle where some are."""
    top = np.abs(K).max() or 1.0
    low, cmap = (-top, style.DIVERGING) if K.min() < 0 else (0, style.SEQUENTIAL)
    _heat(ax, K, low, top, cmap, bar)
    if numbers:
        ends = [0, len(K) - 1]
        ax.set(xticks=ends, yticks=ends, xticklabels=[1, len(K)], yticklabels=[1, len(K)])


def _heat(ax, K, low, top, cmap, bar=True):
    """A matrix and its scale, slim without a bar: images and words, because axes of its own would double a redraw."""
    n = len(K)
    image = ax.imshow(K, cmap=cmap, vmin=low, vmax=top, interpolation="nearest")
    if not bar:
        color_scale(ax, image)
    else:
        left, right = 1.03 * n - 0.5, 1.08 * n - 0.5
        shades = np.linspace(top, low, 128)[:, None]
        ax.imshow(shades, cmap=cmap, vmin=low, vmax=top, extent=(left, right, n - 0.5, -0.5), clip_on=False)
        for value, y, va in ((top, -0.5, "top"), ((low + top) / 2, n / 2 - 0.5, "center"), (low, n - 0.5, "bottom")):
            ax.text(right + 0.02 * n, y, _short(value), va=va, fontsize=13)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), aspect="equal", xticks=[], yticks=[])


def _bare(ax, title):
    ax.set(title=title, xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _spectrum(ax, lam):
    """Eigenvalues as bars in the colour of their sign; those below zero with a tip."""
    below = lam < -1e-10 * np.abs(lam).max()
    number = np.arange(1, len(lam) + 1)
    ax.vlines(number, 0, lam, color=np.where(below, style.MINUS, style.PLUS), lw=min(36, 150 / len(lam)))
    ax.plot(number[below], lam[below], "v", color=style.MINUS, ms=10)
    ax.axhline(0, color=style.INK, lw=1)
    ax.margins(y=0.15)
    text = f"smallest: {_short(lam[-1], 3)}" if below.any() else "none below 0"
    ax.text(0.98, 0.97, minus(text), transform=ax.transAxes, ha="right", va="top", fontsize=14)
    ax.set(xlim=(0.4, len(lam) + 0.6), xticks=[1, len(lam)], xlabel="number")
    ax.locator_params(axis="y", nbins=5)


def _octant_grid(ax):
    along = np.append(np.linspace(0, np.pi / 2, 25), np.nan)  # NaN lifts the pen: one artist is faster than seven
    s, v = np.meshgrid(along, np.linspace(0, np.pi / 2, 7))
    parallels = np.sin(v) * np.cos(s), np.sin(v) * np.sin(s), np.cos(v) + 0 * s
    meridians = np.sin(s) * np.cos(v), np.sin(s) * np.sin(v), np.cos(s)
    for lines in (parallels, meridians):
        ax.plot(*(part.ravel() for part in lines), color=style.GRID, lw=1)


def _arc(a, b):
    chord = a + np.linspace(0, 1, 25)[:, None] * (b - a)
    return chord / np.linalg.norm(chord, axis=1, keepdims=True)


def _solid(color):
    """Options of points(): an edge of the same colour."""
    return {"edgecolors": color, "linewidths": 1.0}


def _leave_empty(*axes):
    """Room for labels that grow when a slider moves."""
    for ax in axes:
        ax.set_axis_off()


def _short(value, digits=2):
    """About so many digits, and no powers of ten for large numbers."""
    return minus(f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}".replace("e-0", "e-"))


def _sub(number):
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def figures():
    rings, clouds = datasets.rings((1.0, 2.0), 40, noise=0.08), datasets.three_clusters(12)
    triangle = np.array([[0.0, 0.0], [1.2, 0.0], [0.5, 1.0]])
    eight = np.array([[2, 0], [1.4, 1.2], [0.4, 1.9], [-1.2, 1.5], [-2, 0.2], [-0.9, -0.6], [0.7, -0.8], [1.6, -1.7]])
    return {
        "modular": lambda: figure_of(modular, {"rings": rings}, "rings", Gaussian(0.7), "distance to the mean"),
        "lift": lambda: figure_of(lift, *rings),
        "angle": lambda: figure_of(pair, eight, Gaussian(2.0), j=3),
        "octant": lambda: figure_of(octant, triangle),
        "gallery": lambda: figure_of(gallery, *clouds),
        "closure": lambda: figure_of(closure, clouds[0][::2], Gaussian(0.5), Linear()),
        "translation": lambda: figure_of(translation, *clouds),
        "impostor": lambda: figure_of(impostors),
    }
