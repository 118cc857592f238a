"""Pictures of the homework: a reader's own coordinates, and the way to them."""

import numpy as np

from ...measures import rank_correlation
from ...show.style import SECOND, SEQUENTIAL
from ...show.widgets import panels


@panels(1, 2, size=(9.6, 4.2), projections={0: "3d"})
def unrolled(axes, sheet, steps, t):
    """A frame between an S and a reader's coordinates, and the same points on their flat sheet, coloured by arc."""
    space, flat = axes
    share = t / (len(steps) - 1)
    low, high = np.min([step.min(0) for step in steps], 0), np.max([step.max(0) for step in steps], 0)
    space.scatter(*steps[t].T, c=sheet[:, 0], cmap=SEQUENTIAL, s=10, depthshade=False)
    space.view_init(12 + 78 * share, -65 - 25 * share)  # seen from the side at first, from above in the end
    space.set_proj_type("ortho")
    space.set_axis_off()
    space.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    space.set_box_aspect(high - low, zoom=1.2)
    space.set(title="your S" if t == 0 else "your sheet" if share == 1 else "unrolling")
    flat.scatter(*sheet.T, c=sheet[:, 0], cmap=SEQUENTIAL, s=10)
    flat.set(title="the goal, the same points flat", xlabel="arc", ylabel="width", aspect="equal", xticks=[], yticks=[])
    follows = [rank_correlation(steps[-1][:, j], sheet[:, j]) for j in (0, 1)]
    return (
        f"Unrolled to {share:.0%}. Your coordinates have a rank correlation of {follows[0]:.2f} with the arc and of "
        f"{follows[1]:.2f} with the width."
    )


@panels(1, 2, size=(9.6, 4.2))
def coordinates(axes, Y, colors, names):
    """Two coordinates (n, 2), coloured by the first and, if there are several, by the last column of colors (n, c)."""
    columns = [colors[:, 0], colors[:, -1]][: colors.shape[1]]
    for ax, color, name, cmap in zip(axes, columns, names, (SEQUENTIAL, SECOND), strict=False):
        ax.scatter(*Y.T, c=color, cmap=cmap, s=14)
        ax.set(title=f"colour: {name}", xlabel="coordinate 1", xticks=[], yticks=[])
    axes[0].set(ylabel="coordinate 2")
    if len(columns) == 1:
        axes[1].set_axis_off()
    ranked = [j for j, color in enumerate(columns) if len(np.unique(color)) == len(color)]  # classes have no ranks
    follows = [[rank_correlation(y, columns[j]) for j in ranked] for y in Y.T]
    if len(ranked) == 2 and follows[0][0] + follows[1][1] < follows[0][1] + follows[1][0]:
        ranked, follows = ranked[::-1], [row[::-1] for row in follows]  # the second colour belongs to coordinate 1
    told = [f"coordinate {i + 1} with the {names[j]} {follows[i][i]:.2f}" for i, j in enumerate(ranked)]
    return f"Rank correlation of {', of '.join(told)}." if told else f"Your points, coloured by the {names[0]}."


def figures():
    return {}  # a picture of the reader's answers, of which the course has none
