"""The picture of notebook 00: what a kernel does to data, in one movement."""

import numpy as np

from ... import datasets
from ...kernels import Gaussian
from ...pca import KernelPCA
from ...show.style import INK
from ...show.toolbox import PLANE, alone, framed, scatter_classes, score_map, steady
from ...show.widgets import figure_of, panels

DATA = {
    "rings": lambda: datasets.rings((0.2, 1, 2), 90, noise=0.08),
    "moons": lambda: datasets.two_moons(260, noise=0.08),
    "clouds": lambda: datasets.three_clusters(80, spread=0.12),
}
SHAPE = 1.16  # width of a panel over its height


@panels(1, 2)
def unroll(axes, data="rings", width=1.2, move=1.0):
    """Left: the plane, coloured by the first kernel component. Right: the points on their way into feature space.

    They turn from the plane into the coordinates of the kernel as one turns a thing in space to see another side of
    it; a straight way would bring all of them together halfway.
    """
    left, right = axes
    X, y = DATA[data]()
    X = (X - X.mean(0)) / X.std(0).max()
    model = KernelPCA(Gaussian(width), 2)
    sign, scores = _facing(X, *steady(model.fit_transform(X)))
    xs, ys = _around(X)
    field = sign[0] * model.on_grid(xs, ys)[..., 0]
    cut = _cut(scores[:, 0], y)
    score_map(left, xs, ys, field, lines=False)
    left.contour(xs, ys, field, levels=[cut], colors=INK, linewidths=3, linestyles="solid")
    scatter_classes(left, X, y)
    left.set(title="what you have", **framed(xs, ys))
    angle = move * np.pi / 2
    scatter_classes(right, np.cos(angle) * X / X.std(0) + np.sin(angle) * scores / scores.std(0), y)
    if move == 1:
        right.axvline(cut / scores[:, 0].std(), color=INK, linewidth=3, zorder=0)
    right.set(title=_title(move), xlim=(-3 * SHAPE, 3 * SHAPE), ylim=(-3, 3), **PLANE)
    if move == 0:
        return (
            "The same points twice: on the left the plane is coloured by the first kernel component, with a cut; "
            "take move to the right, to 1."
        )
    if move < 1:
        return (
            f"Width {width:.2g}: the points turn from the plane, 0, to where the kernel sees them, 1; here {move:.2g}."
        )
    apart = _apart(scores[:, 0], y, cut)
    return (
        f"Width {width:.2g}: colour is the first kernel component, the thick line a cut through it on both sides; "
        f"{apart:.0%} of the points keep to their side." + alone(Gaussian(width)(X))
    )


def _title(move):
    return "the same points" if move == 0 else "what the kernel sees" if move == 1 else "on their way"


def _around(X, n=100):
    """A grid around the points, as wide and high as a panel: rings stay round."""
    middle, (across, up) = (X.min(0) + X.max(0)) / 2, np.ptp(X, axis=0) / 2 + 0.3
    up = max(up, across / SHAPE)
    return middle[0] + SHAPE * up * np.linspace(-1, 1, n), middle[1] + up * np.linspace(-1, 1, n)


def _facing(X, sign, scores):
    """Signs with which a coordinate of the kernel goes along with that of the plane in its place, if at all."""
    along = np.sum(X * scores, axis=0) / np.sqrt(np.sum(X**2, axis=0) * np.sum(scores**2, axis=0))
    flip = np.where(along < -0.1, -1, 1)
    return flip * sign, flip * scores


def _cut(s, y):
    """The middle of the widest gap between neighbouring class means."""
    means = np.sort([s[y == label].mean() for label in np.unique(y)])
    gap = np.diff(means).argmax()
    return means[gap : gap + 2].mean()


def _apart(s, y, cut):
    """Mean share of a class that lies on one side of the cut."""
    side = s > cut
    return float(np.mean([np.mean(side[y == k] == (side[y == k].mean() > 0.5)) for k in np.unique(y)]))


def figures():
    return {"unroll": lambda: figure_of(unroll)}
