"""Pictures of notebook 07, the nonlinear projection trick."""

from typing import NamedTuple

import numpy as np

from ... import datasets
from ..._linalg import top_eigh
from ...centering import center_gram
from ...errata.npt import lasso, ridge, rotation
from ...features import hom2_map
from ...kernels import Gaussian, Polynomial
from ...npt import NPT
from ...pca import PCA
from ..style import COLORS, DIVERGING, GRID, INK, MUTED, heat
from ..widgets import figure_of, panels

TRAIN = np.array([[1.4, 0.3], [0.2, 1.2]])  # two points whose images span the plane P


@panels(1, 2, widths=[1, 1.7], projections={1: "3d"})
def projection(axes, x1=-0.6, x2=1.5, turn=60):
    """The figure of 000/s9: φ(x), its shadow on the plane P of the training images, on w, and the residual."""
    left, right = axes
    model = NPT(Polynomial(2, 0.0), center=False).fit(TRAIN)
    x = np.array([[x1, x2]])
    basis = _phi(TRAIN).T @ model.U_ / np.sqrt(model.lam_)  # Π, orthonormal columns: here the images can be seen
    phi, shadow = _phi(x)[0], basis @ model.transform(x)[0]
    w = basis @ model.coords_of([1.0, 1.0])
    on_w = w * (w @ shadow) / (w @ w)
    left.plot(*TRAIN.T, "o", color=COLORS[0], ms=12)
    left.plot(x1, x2, "^", color=COLORS[1], ms=13)
    left.set(title="input space", xlim=(-2.2, 2.2), ylim=(-2.2, 2.2), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    left.set(xticks=range(-2, 3), yticks=range(-2, 3))
    a, b = np.meshgrid([-3.2, 3.2], [-3.2, 3.2])
    right.plot_surface(*(basis @ np.stack([a.ravel(), b.ravel()])).reshape(3, 2, 2), color=COLORS[0], alpha=0.16)
    for end, color, name in _named(phi, shadow, on_w):
        right.plot(*np.stack([0 * end, end]).T, color=color, lw=3, label=name)
    right.plot(*np.stack([phi, shadow]).T, "--", color=INK, lw=2)
    right.plot(*np.stack([shadow, on_w]).T, ":", color=MUTED, lw=2)
    right.plot(*np.outer(w, [-1.0, 1.0]), color=COLORS[2], lw=1)
    right.scatter(*_phi(TRAIN).T, color=COLORS[0], s=50)
    right.set(title="feature space", xlim=(-3.4, 3.4), ylim=(-3.4, 3.4), zlim=(-3.4, 3.4))
    right.set(xticklabels=[], yticklabels=[], zticklabels=[])
    right.view_init(18, turn)
    right.set_box_aspect(None, zoom=1.3)
    right.legend(loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=3, fontsize=16)  # under the box, wherever x is
    whole, inside, outside = np.linalg.norm(phi), np.linalg.norm(shadow), model.residual(x)[0]
    return f"φ(x) is {whole:.2f} long, its shadow on the plane {inside:.2f}, and {outside:.2f} is left over."


@panels(1, 2)
def residual_map(axes, X, width=0.7, raw=False):
    """How far φ(x) is from what the training points can express, over the plane and along a line."""
    left, right = axes
    model = NPT(Gaussian(width)).fit(X)
    xs, ys = np.linspace(-3, 3, 60), np.linspace(-3, 3, 60)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    res = (_raw_residual(model, grid) if raw else model.residual(grid)).reshape(60, 60)
    image = left.imshow(res, extent=(-3, 3, -3, 3), origin="lower", vmin=0, vmax=1.1, interpolation="bilinear")
    left.plot(*X.T, "o", color="white", mec=INK, ms=7)
    left.axhline(0, color="white", lw=1.5, ls="--")
    left.set(title="residual over the plane", xticks=[], yticks=[])
    left.figure.colorbar(image, cax=left.inset_axes([1.02, 0, 0.04, 1]))
    line = np.column_stack([np.linspace(0, 6, 120), np.zeros(120)])
    limit = np.sqrt(1 + Gaussian(width)(X).mean() - _mean_part(model))
    right.plot(line[:, 0], _raw_residual(model, line) if raw else model.residual(line), color=COLORS[0])
    if not raw:
        right.axhline(limit, color=MUTED, ls="--")
    right.set(title="on the way out", xlabel="$x_1$ along the dashed line", ylabel="residual", ylim=(0, 1.3))
    off = (_raw_residual(model, X) if raw else model.residual(X)).max()
    if raw:
        return f"With the raw k(x, x) even training points have a residual, up to {off:.2f}; it should be 0."
    return f"Width {width:.2g}: zero at the training points, {limit:.2f} far from all of them."


@panels(1, 2)
def rank_and_tolerance(axes, X, width=3.0, tol=1e-10):
    """The spectrum of Kc with the cut, and what the coordinates give back."""
    left, right = axes
    Kc = center_gram(Gaussian(width)(X))
    lam = np.linalg.eigvalsh(Kc)[::-1]
    kept, U = top_eigh(Kc, tol=tol)
    left.semilogy(np.arange(1, len(lam) + 1), np.abs(lam), "o", color=MUTED, ms=5, label="dropped")
    left.semilogy(np.arange(1, len(kept) + 1), kept, "o", color=COLORS[0], ms=7, label="kept")
    negative = np.flatnonzero(lam < 0)
    left.semilogy(negative + 1, -lam[negative], "x", color=COLORS[1], ms=9, mew=2, label="negative")
    left.axhline(tol * lam[0], color=INK, lw=1.5)
    left.set(title="eigenvalues of Kc", xlabel="number", ylim=(1e-18, 1e6), yticks=10.0 ** np.arange(-18, 1, 6))
    left.legend(loc="upper center", ncols=3, columnspacing=1, handletextpad=0.2, borderaxespad=0)
    lost = np.abs((U * kept) @ U.T - Kc).max()
    heat(right, (U * kept) @ U.T - Kc, cmap=DIVERGING, vmin=-max(lost, 1e-16), vmax=max(lost, 1e-16))
    right.set(title="Z Zᵀ − Kc", xticks=[], yticks=[])
    return f"Tolerance {tol:.0e}: {len(kept)} of {len(lam)} eigenvalues kept, Z Zᵀ misses Kc by 1e{np.log10(lost):.0f}."


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
    left.legend(loc="upper left")
    one, other = _answer(method, Z, X), _answer(method, turned, X)
    right.plot([-1.2, 1.2], [-1.2, 1.2], color=GRID, lw=2)
    right.plot(one, other, "o", color=COLORS[1], ms=7)
    right.set(title=f"{method}: answers", xlabel="from Z", ylabel="from Z V", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2))
    right.locator_params(nbins=5)
    off = np.abs(one - other).max()
    if turn == 0:
        return "Rotation number 0 turns nothing, so there is nothing to notice: choose another."
    if off < 1e-6:
        return f"{method} does not notice the rotation: both sets of coordinates give the same answer."
    return f"{method} answers differently by up to {off:.2f}: it has no kernel version."


@panels(1, 1, size=(9.6, 3.4))
def equality(axes, gaps):
    """Largest difference between two ways to the same answer, for each method."""
    ax = axes[0]
    names = list(gaps)[::-1]
    size = np.maximum([gaps[name] for name in names], 1e-17)
    ax.barh(names, np.log10(size) + 17, left=-17, color=[COLORS[0] if s < 1e-10 else COLORS[1] for s in size])
    ax.axvline(-10, color=INK, lw=1.5)
    ax.set(title="largest difference of the answers", xlim=(-17, 1), xticks=range(-16, 1, 4))
    ax.set_xticklabels([f"1e{p}" for p in range(-16, 1, 4)])
    *same, last = (name for name in gaps if gaps[name] < 1e-10)
    agree = f"{', '.join(same)} and {last}"
    return f"Left of the line, at 1e-10, there is only rounding: {agree} agree, the lasso does not."


class Stage(NamedTuple):
    name: str
    matrix: np.ndarray
    sentence: str


def algorithm(X, x, kernel):
    """The two phases of 000/s19-20, one matrix at a time; x (1, d) is a new point."""
    model = NPT(kernel).fit(X)
    K, Kc, Z = kernel(X), center_gram(kernel(X)), model.fit_transform(X)
    yield Stage("K", K, f"uncentred kernel values of {len(X)} points.")
    yield Stage("Kc", Kc, "centred: rows and columns sum to zero.")
    yield Stage("U", model.U_, f"its eigenvectors; rank {model.rank_}, one less than there are points.")
    yield Stage("Z", Z, "each column times √λ: coordinates of the images, the important ones first.")
    yield Stage("Z Zᵀ", Z @ Z.T, "the Gram matrix again, so nothing was lost.")
    left_over = model.residual(x)[0]
    yield Stage("z", model.transform(x), f"a new point has coordinates too, and {left_over:.2f} out of reach.")


@panels(1, 3, widths=[1, 0.2, 1.1])
def algorithm_frame(axes, X, x, steps, t):
    """The matrix of one stage, and the points in the first two coordinates once there are some."""
    left, gap, right = axes
    gap.set_axis_off()  # room for numbers that only later frames have
    stage = steps[t]
    A = stage.matrix
    top = np.abs(A).max()
    heat(left, A, cmap=DIVERGING, vmin=-top, vmax=top)
    left.set(title=f"{stage.name}   {A.shape[0]} × {A.shape[1]}", xticks=[], yticks=[], aspect="auto")
    later = {s.name: s.matrix for s in steps[: t + 1]}
    if "Z" in later:
        right.plot(*later["Z"][:, :2].T, "o", color=COLORS[0], ms=9)
        if "z" in later:
            right.plot(*later["z"][0, :2], "^", color=COLORS[1], ms=14)
        right.set(title="first two coordinates", xlim=(-1, 1), ylim=(-1, 1), xlabel="$z_1$", ylabel="$z_2$")
        right.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    else:
        right.plot(*X.T, "o", color=MUTED, ms=9)
        right.plot(*x[0], "^", color=COLORS[1], ms=14)
        right.set(title="the points, and a new one", xlim=(-3, 3), ylim=(-3, 3), xlabel="$x_1$", ylabel="$x_2$")
    return f"{stage.name}: {stage.sentence}"


def _named(phi, shadow, on_w):
    return (
        (phi, COLORS[1], "$\\varphi(x)$"),
        (shadow, COLORS[0], "$\\varphi_P(x)$"),
        (on_w, COLORS[2], "$\\varphi_w(x)$"),
    )


def _phi(X):
    """(x₁², √2 x₁x₂, x₂²): the four entries of vec(xxᵀ) with the two equal ones put together."""
    full = hom2_map(X)
    return np.column_stack([full[:, 0], np.sqrt(2) * full[:, 1], full[:, 3]])


def _raw_residual(model, X):
    """The formula of 000/s14 with the uncentred k(x, x)."""
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
    return {
        "projection": lambda: figure_of(projection),
        "residual_map": lambda: figure_of(residual_map, X),
        "rank": lambda: figure_of(rank_and_tolerance, datasets.half_circle(40)[0]),
        "lasso": lambda: figure_of(rotation_freedom, np.random.default_rng(0).standard_normal((30, 2)), method="lasso"),
    }
