"""One picture a contest: speed, accuracy and memory of everybody, one line each, so that no label hides another."""

from pathlib import Path
from typing import Any

import matplotlib as mpl

from benchmarks.field.contest import Contest
from benchmarks.field.rows import Row

mpl.use("Agg")
from matplotlib import pyplot as plt

OURS, PEERS = "#0072B2", "#D55E00"


def draw(contest: Contest, rows: list[Row], path: Path) -> None:
    """Panels that share their lines, fastest on top; ours are filled dots, others open ones."""
    known = sorted((row for row in rows if row.showing is not None and row.quality), key=lambda row: row.rate or 0)
    fields: list[tuple[str, list[Any], bool]] = [
        ("million a second of CPU time", [(row.rate or 0) / 1e6 or None for row in known], True),
        (f"NDCG of the top {contest.k}", [row.quality[-1].ndcg for row in known], False),
        ("bytes of state", [row.quality[-1].state_bytes for row in known], True),
    ]
    figure, axes = plt.subplots(1, len(fields), sharey=True, figsize=(11, 1.2 + 0.27 * len(known)))
    for axis, (label, values, logarithmic) in zip(axes, fields, strict=True):
        _panel(axis, known, values)
        axis.set_xlabel(label)
        axis.grid(axis="both", color="0.9")
        axis.set_axisbelow(True)
        if logarithmic:
            axis.set_xscale("log")
        else:
            axis.set_xlim(-0.03, 1.03)
    axes[0].set_yticks(range(len(known)), [_name(row, contest) for row in known])
    ours, peers = (axes[1].scatter([], [], **_look(mine)) for mine in (True, False))
    figure.legend([ours, peers], ["ours", "other libraries"], loc="upper right", ncols=2, frameon=False)
    figure.suptitle(_title(contest), x=0.01, ha="left", fontsize=10)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def _panel(axis: Any, rows: list[Row], values: list[Any]) -> None:
    for mine in (True, False):
        places = [place for place, row in enumerate(rows) if row.ours == mine and values[place] is not None]
        axis.scatter([values[place] for place in places], places, **_look(mine))


def _look(mine: bool) -> dict[str, Any]:
    return {"s": 36, "facecolors": OURS if mine else "white", "edgecolors": OURS if mine else PEERS, "linewidths": 1.5}


def _name(row: Row, contest: Contest) -> str:
    assert row.showing is not None  # noqa: S101
    number = f" (n = {row.showing.n:,})" if contest.kind == "private" else ""
    return f"{row.library or 'Python'} {row.title}{number}"


def _title(contest: Contest) -> str:
    if contest.kind == "sketch":
        return f"{contest.stream}, at most {max(contest.budgets):,} bytes where that can be set"
    return f"{contest.stream}, ε = {contest.epsilon:g}"
