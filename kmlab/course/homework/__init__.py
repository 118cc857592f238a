"""The homework of 001/p127-128: check("1a", answer) says at once what is right, or what to look at next.

A judge looks at one part of a homework. It is given what the student made (functions, arrays, numbers), raises Wrong
with a hint, or returns True. The same judges answer in the student's notebook and when the homework is graded.
"""

import functools
import hashlib
import textwrap
from typing import NamedTuple

import numpy as np

from ...measures import rank_correlation
from ..checking import Questions, is_stub, parts_of, say

PARTS = Questions(__name__, {"1": "homework_1", "2": "homework_2", "3": "homework_3"})
part = PARTS.add  # a decorator: part(name, points=4)
_right = {}


class Personal(NamedTuple):
    """What differs from one student's copy to the other's; the answers only as digests, which say yes or no."""

    seed: int = 0
    sheet: int = 0  # the seed of the points of 1d
    waves: int = 2  # 1e asks for mu[waves] / mu[1]
    points: int = 30  # of 3d, and classes
    classes: int = 3
    ratio: str = "d608b39d8fc0"
    rank: str = "99acd6a59cc1"


mine = Personal()


def personal(*data, **more):
    """Called at the top of a copy with data of its own (`course.py homework --personal`)."""
    global mine
    mine = Personal(*data, **more)


def digest(question, number):
    return hashlib.sha256(f"{question}: {float(number):g}".encode()).hexdigest()[:12]


def check(part, *answers):
    """Say what is right or what to do next; never raises."""
    points = part_points(part)
    right = f"right, {points} point{'s' * (points != 1)}."
    said = PARTS[part].verdict(*answers, right=right, whose="Your code")
    _right[part] = said == right
    say(part, said, lay_out=functools.partial(textwrap.fill, width=96))


def judge(part, *answers):
    """Raise Wrong with a hint, NotAttempted for a stub, or return."""
    part_points(part)
    PARTS[part](*answers)


def summary(homework):
    """How far the checks in this notebook have come."""
    points = {part: PARTS[part].points for part in PARTS.names(str(homework))}
    done = sum(worth for part, worth in points.items() if _right.get(part))
    print(
        f"Homework {homework}: {done} of the {sum(points.values())} points that can be checked here. "
        "Written answers are read by a person."
    )


def part_points(part):
    if part not in PARTS.names():
        raise ValueError(f"There is no part {part!r}: there are {', '.join(PARTS.names())}.")
    return PARTS[part].points


def pair(value, names):
    """The two things that a function should return, or a hint that names them: "mu, Y"; one array of both will do."""
    value = list(value) if isinstance(value, np.ndarray) and value.ndim > 1 else value
    return parts_of(value, names.split(", "), f"Two things should come back, {names}; end with `return {names}`.")


# ---- pictures


def goal(homework):
    """What success looks like: an S after 001/p121 in space and unfolded, or both sides of the dual of 001/p128."""
    from ... import datasets
    from ...show.notebook import picture
    from ..drawings import fisher_and_independence, locality
    from ..experiments.fisher_and_independence import dual_walk

    if homework < 3:
        return picture(locality.unfold, n=1000)  # the sheet of 1d, if it is 5 wide
    X, y = datasets.three_clusters()
    return picture(fisher_and_independence.dual_frame, list(dual_walk(X, y)), 3)


def unroll(width, Y):
    """Your S of 1d as it unrolls into your own two coordinates, beside the goal: the same points, flat."""
    from ...datasets import s_curve
    from ...show.widgets import step_through
    from ..drawings import homework

    if is_stub(width) or is_stub(Y):
        print("Your S unrolls here when width and Y are there.")
        return None
    try:
        sheet, Y = s_curve(1000, float(width), seed=mine.sheet)[1], np.asarray(Y, dtype=float)
    except (TypeError, ValueError) as error:
        print(f"Nothing to unroll yet: {error}")
        return None
    if Y.shape != sheet.shape or not np.isfinite(Y).all():
        print(f"Two finite coordinates for each of the 1000 points are needed; Y has shape {Y.shape}.")
        return None
    view = step_through(unrolling(sheet, Y), homework.unrolled, sheet)
    view.set(t=view.last)
    return view


def unrolling(sheet, Y, frames=13):
    """(n, 3) a frame, from the S of this sheet (n, 2) to the coordinates Y (n, 2), which get its lengths and signs."""
    follows = np.array([[rank_correlation(y, side) for side in sheet.T] for y in Y.T])
    Y = Y[:, ::-1] if np.trace(follows) < np.trace(follows[::-1]) else Y
    centred, sides = Y - Y.mean(0), sheet - sheet.mean(0)
    signs = np.where((centred * sides).sum(0) < 0, -1, 1)
    mine = signs * centred * sides.std(0) / np.maximum(centred.std(0), 1e-12) + sheet.mean(0)
    for bent in np.linspace(1, 1e-6, frames):
        arc, across = (bent * sheet + (1 - bent) * mine).T
        yield np.column_stack([np.sin(bent * arc), bent * across, np.sign(arc) * (np.cos(bent * arc) - 1)]) / bent


def show(Y, colors, names=("first", "second")):
    """Your first two coordinates, drawn once for each of the two columns of colors (n, 2)."""
    from ...show.notebook import picture
    from ..drawings import homework

    if is_stub(Y) or is_stub(colors):
        print("Your picture appears here when Y is there.")
        return None
    Y, colors = np.asarray(Y, dtype=float), np.asarray(colors, dtype=float)
    if Y.ndim != 2 or Y.shape[1] < 2 or len(Y) != len(colors):
        print(f"Two coordinates and a colour for each point are needed; Y has shape {Y.shape}, colors {colors.shape}.")
        return None
    return picture(homework.coordinates, Y[:, :2], colors.reshape(len(Y), -1), names)
