"""Pictures of the homework: a reader's own coordinates."""

from ...errata.locality import rank_correlation
from ..style import SEQUENTIAL
from ..widgets import panels


@panels(1, 2, size=(9.6, 4.2))
def coordinates(axes, Y, colors, names):
    """Two coordinates (n, 2), coloured by the first and by the last column of colors (n, c)."""
    colors = colors[:, [0, -1]]
    numbers = [rank_correlation(Y[:, j], colors[:, j]) for j in (0, 1)]
    for ax, color, name in zip(axes, colors.T, names, strict=True):
        ax.scatter(*Y.T, c=color, cmap=SEQUENTIAL, s=14)
        ax.set(title=f"colour: {name}", xlabel="coordinate 1", xticks=[], yticks=[])
    axes[0].set(ylabel="coordinate 2")
    return (f"Rank correlation of coordinate 1 with the {names[0]} {numbers[0]:.2f}, of coordinate 2 with the "
            f"{names[1]} {numbers[1]:.2f}.")


def figures():
    return {}  # a picture of the reader's answers, of which the course has none
