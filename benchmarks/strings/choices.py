"""Strings that nobody listed: each constant of the search, put to the test on the same streams."""

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from benchmarks.strings.made_up import SYMBOLS, K, Shares, kinds_of_strings, recall
from hgldp.schemes import open_pfr
from hgldp.stores.strings import search, store

WIDTH = 180
MODULES = {"search": search, "store": store, "open_pfr": open_pfr}
SETTINGS = (
    ("words", 1.0, 1_000_000),
    ("words", 2.0, 500_000),
    ("words", 4.0, 500_000),
    ("URLs", 2.0, 4_000_000),
    ("URLs", 4.0, 500_000),
    ("URLs", 4.0, 2_000_000),
)


@dataclass(frozen=True)
class Choice:
    """The search with some constants changed, each named by its module."""

    title: str
    changed: dict[str, object] = field(default_factory=dict)

    def found(self, strings: list[str], shares: Shares, n: int, epsilon: float, seed: int) -> int:
        """How many of the true top 20 come back verbatim."""
        with ExitStack() as stack:
            for name, value in self.changed.items():
                module, constant = name.split(".")
                stack.enter_context(patch.object(MODULES[module], constant, value))
            return recall(strings, shares, n, epsilon, seed)


CHOICES = (
    Choice("ours"),
    Choice("scores up to 200 apart", {"search.APART": log(200)}),
    Choice("scores up to 20 apart", {"search.APART": log(20)}),
    Choice("explores 10 %", {"search.EXPLORING": 0.1}),
    Choice("seeks what 4 s.d. show", {"search.DETECTABLE": 4.0}),
    Choice("one size", {"search.SIZES": (1.0,), "search.CHANCES": (1.0,)}),
    Choice("epochs grow by 3 %", {"store.GROWTH": 0.03}),
    Choice("first epochs five times as long", {"open_pfr.FIRST_EPOCH": 50_000}),
)


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
        ours, *others = [[choice.found(*kinds[kind], n, epsilon, seed) for seed in seeds] for choice in CHOICES]
        table.add_row(f"{kind}, ε = {epsilon:g}, {n:,}", written(ours), *(written(runs, ours) for runs in others))
    Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
