"""What the benchmark shows: a line a case while it runs, a line a task at the end, a picture of all ratios."""

import shutil
import sys

from .side_by_side import geometric_mean

HEAD = f"{'task':34}{'size':24}{'peer':>26}{'peer':>10}{'kmlab':>10}{'ratio':>8}{'goal':>6}  {'limit':<13}agreement"


def line(row):
    theirs, ours = (amount(value, row.unit) for value in (row.theirs, row.ours))
    return (
        f"{row.task:34}{row.size:24}{row.peer:>26}{theirs:>10}{ours:>10}{row.ratio:8.2f}{wanted(row.goal.least)}  "
        f"{row.limit:<13}{row.words}{'' if row.agrees else '  DISAGREES'}"
    )


def wanted(goal):
    return f"{goal:6.1f}" if goal else " " * 6


def amount(value, unit):
    if unit != "s":
        return f"{value:.0f} {unit}"
    return f"{value:.2f} s" if value >= 1 else f"{1e3 * value:.3g} ms"


def by_task(rows):
    tasks = {}
    for row in rows:
        tasks.setdefault(row.task, []).append(row)
    return tasks


def summary(rows):
    """A line a task: its ratios against its goal."""
    yield f"{'task':34}{'cases':>6}{'mean':>8}{'goal':>6}{'least':>8}{'goal':>6}{'most':>9}  verdict"
    for task, own in by_task(rows).items():
        goal, ratios = own[0].goal, [row.ratio for row in own]
        mean, least = geometric_mean(ratios), min(ratios)
        verdict = "" if not goal.mean else "reached" if mean >= goal.mean and least >= goal.least else "NOT REACHED"
        wrong = sum(not row.agrees for row in own)
        yield (
            f"{task:34}{len(own):6d}{mean:8.2f}{wanted(goal.mean)}{least:8.2f}{wanted(goal.least)}{max(ratios):9.2f}"
            f"  {verdict}{f', {wrong} DISAGREE' if wrong else ''}"
        )


def picture(rows, machine, path):
    """Every ratio as a dot, a line a task: right of 1 kmlab is faster; the mark is the goal for each case."""
    from kmlab.show.canvas import figure_of, panels

    tasks = by_task(rows)

    @panels(1, 1, size=(9.6, 1.5 + 0.45 * len(tasks)))
    def ratios(axes):
        from kmlab.show.style import COLORS, MUTED

        (ax,) = axes
        for y, own in enumerate(tasks.values()):
            goal = own[0].goal
            if goal.least:
                ends = [y - 0.35, y + 0.35]
                ax.plot([goal.least] * 2, ends, color=COLORS[1], label="" if y else "goal for every case")
            ax.scatter(
                [row.ratio for row in own], [y] * len(own), color=COLORS[0], alpha=0.5, label="" if y else "a case"
            )
            mean = geometric_mean([row.ratio for row in own])
            ax.plot(mean, y, "D", color="black", label="" if y else "geometric mean")
        ax.axvline(1, color=MUTED, linewidth=1)
        ax.set(
            xscale="log", ylim=(len(tasks) - 0.5, -0.7), xlabel="peer's time over kmlab's (right of 1: kmlab is faster)"
        )
        ax.set_yticks(range(len(tasks)), list(tasks))
        ax.legend(loc="lower right")
        return f"Ratios of {len(rows)} cases on a machine with {machine}."

    figure = figure_of(ratios)
    figure.savefig(path, metadata={"Title": "kmlab and its peers", "Description": figure.caption})


class Progress:
    """A bar on the terminal's last line, with the case that is running; silent where there is no terminal."""

    def __init__(self, total):
        self.total, self.done, self.shown = total, 0, sys.stderr.isatty()

    def at(self, case):
        if self.shown:
            bar = f"[{'#' * (20 * self.done // self.total):20}] {self.done}/{self.total}  {case.task}, {case.size}"
            print(f"\r{bar[: shutil.get_terminal_size().columns - 1]}\033[K", end="", file=sys.stderr, flush=True)

    def finished(self):
        self.done += 1
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
