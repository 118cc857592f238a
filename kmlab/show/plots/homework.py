"""Pictures of the homework: a reader's own coordinates."""

import numpy as np

from ...errata.locality import rank_correlation
from ..style import SEQUENTIAL
from ..widgets import panels


@panels(1, 2, size=(9.6, 4.2))
def coordinates(axes, Y, colors, names):
    """Two coordinates (n, 2), coloured by the first and, if there are several, by the last column of colors (n, c)."""
    columns = [colors[:, 0], colors[:, -1]][: colors.shape[1]]
    for ax, color, name in zip(axes, columns, names, strict=False):
        ax.scatter(*Y.T, c=color, cmap=SEQUENTIAL, s=14)
        ax.set(title=f"colour: {name}", xlabel="coordinate 1", xticks=[], yticks=[])
    axes[0].set(ylabel="coordinate 2")
    if len(columns) == 1:
        axes[1].set_axis_off()
    told = [  # values with ties, such as classes, have no ranks
        f"coordinate {j + 1} with the {names[j]} {rank_correlation(Y[:, j], color):.2f}"
        for j, color in enumerate(columns)
        if len(np.unique(color)) == len(color)
    ]
    return f"Rank correlation of {', of '.join(told)}." if told else f"Your points, coloured by the {names[0]}."


def figures():
    return {}  # a picture of the reader's answers, of which the course has none
