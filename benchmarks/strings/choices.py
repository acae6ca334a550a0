"""Strings that nobody listed: what a child knows at birth of the prefix it was cut from, put to the test."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from benchmarks.strings.births import Birth, all_or_none, capped, family, model_part, nothing
from benchmarks.strings.made_up import SYMBOLS, K, Shares, kinds_of_strings, recall
from hgldp.model.bulletins import Cell
from hgldp.stores.strings import store as open_frontier
from hgldp.stores.strings.model import mass
from hgldp.stores.strings.search import SPLIT_LEAST, Cells, Measured, renew

WIDTH = 180
SETTINGS = (
    ("words", 1.0, 1_000_000),
    ("words", 2.0, 250_000),
    ("words", 2.0, 500_000),
    ("words", 2.0, 1_000_000),
    ("words", 4.0, 100_000),
    ("words", 4.0, 1_000_000),
    ("URLs", 2.0, 4_000_000),
    ("URLs", 4.0, 250_000),
    ("URLs", 4.0, 500_000),
    ("URLs", 4.0, 2_000_000),
)


@dataclass(frozen=True)
class Choice:
    """One way to begin a child."""

    title: str
    birth: Birth = nothing

    def renew(self, hot: Mapping[Cell, Measured], tips: Cells, k: int, room: int, most_bytes: int) -> Cells:
        """The next cells under search, where those that lie in a cell just cut know of it."""
        following = renew(hot, tips, k, room, most_bytes)
        cut = {
            cell: found
            for cell, found in tips.items()
            if cell not in following and not cell.is_leaf and found.share > SPLIT_LEAST * found.deviation
        }
        children: dict[Cell, list[Cell]] = {}
        for cell in (cell for cell, found in following.items() if not found.since):
            above = [parent for parent in cut if lies_in(cell, parent)]
            if above:
                parent = max(above, key=lambda each: (len(each.prefix), each.low - each.high))
                children.setdefault(parent, []).append(cell)
        for parent, cells in children.items():
            born = self.birth(cut[parent], [part_of(cell, parent) for cell in cells])
            following.update(zip(cells, born, strict=True))
        return following


def lies_in(cell: Cell, parent: Cell) -> bool:
    """Whether all strings of a cell are its parent's."""
    if cell.prefix == parent.prefix:
        return parent.low <= cell.low and cell.high <= parent.high
    return parent.holds(cell.prefix)


def part_of(cell: Cell, parent: Cell) -> float:
    """What the public model says a child has of its parent."""
    between = prod(mass(byte, byte) / mass(0, 255) for byte in cell.prefix[len(parent.prefix) :])
    return between * mass(cell.low, cell.high) / mass(parent.low, parent.high)


CHOICES = (
    Choice("nothing"),
    Choice("the model's part, variance + 1 · part²", partial(model_part, doubt=1.0)),
    Choice("the model's part, one child has all", all_or_none),
    Choice("at most the parent + 2 s.d.", partial(capped, deviations=2.0)),
    Choice("children add up to the parent", family),
)


def found(choice: Choice, strings: list[str], shares: Shares, n: int, epsilon: float, seed: int) -> int:
    """How many of the true top 20 come back verbatim."""
    with patch.object(open_frontier, "renew", choice.renew):
        return recall(strings, shares, n, epsilon, seed)


def written(runs: list[int], ours: list[int] | None = None) -> str:
    """The mean with its standard error, or with the mean difference to ours, stream by stream, and that one's."""
    apart = np.subtract(runs, ours or 0)
    spread = np.std(apart, ddof=1) / len(runs) ** 0.5
    return f"{np.mean(runs):.2f}{f', {apart.mean():+.2f}' if ours else ''} ± {spread:.2f}"


def main() -> None:
    """One row a setting, one column a choice; all choices see the same streams."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stream", type=Path, help="whose counts the words take, such as BIBLE.dat.gz; else Zipf")
    parser.add_argument("--repeats", type=int, default=12)
    arguments = parser.parse_args()
    kinds, seeds = kinds_of_strings(arguments.stream), range(arguments.repeats)
    title = f"of the true top {K}, verbatim; {SYMBOLS} symbols, {len(seeds)} seeds: mean, and more than ours ± s.e."
    table = Table("", *(choice.title for choice in CHOICES), title=title)
    for kind, epsilon, n in shown(SETTINGS, transient=True):
        ours, *others = [[found(choice, *kinds[kind], n, epsilon, seed) for seed in seeds] for choice in CHOICES]
        table.add_row(f"{kind}, ε = {epsilon:g}, {n:,}", written(ours), *(written(runs, ours) for runs in others))
    Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
