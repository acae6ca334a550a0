"""PFR's choices put to the test: tracked against search cells, the growth of epochs, caution, and what came before."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import exp, log
from pathlib import Path
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from hgldp.experiments.measuring.streams import Drawn, Library
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import derive_seed
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import SERVER
from hgldp.simulation.metrics import score
from hgldp.stores.frontier import evidence as frontier_evidence
from hgldp.stores.frontier.store import COVERED, Frontier

K, CELLS, MEMORY = 20, 256, 16_384
EPSILONS = (1.0, 2.0, 4.0)
WIDTH = 220
STREAMS = ("normal:n=100000,d=1000,sigma=5", "retail", "kosarak-first100k")
Count = Callable[[Estimate, int], Estimate]


@dataclass(frozen=True)
class Shared(PFR):
    """PFR with another part of its cells for tracked items."""

    part: Fraction = field(default=Fraction(1, 3), kw_only=True)

    @property
    def most_leaves(self) -> int:
        """So many are tracked."""
        return int(self.cells * self.part)


@dataclass(frozen=True)
class Choice:
    """One way to do it; `covered` is by how much reports grow over all retained epochs, `count` what is published."""

    question: str
    title: str
    part: Fraction = Fraction(1, 3)
    covered: float = COVERED
    caution: float = frontier_evidence.CAUTION
    count: Count = lambda line, _: line


def nothing_before(line: Estimate, _: int) -> Estimate:
    """Only what was counted while the item was tracked."""
    return replace(line, count=line.tracked_count)


def tracked_rate(line: Estimate, reports: int) -> Estimate:
    """As if the item had always been as frequent as while it was tracked."""
    return replace(line, count=line.tracked_count / line.since * reports) if line.since else replace(line, count=0.0)


TRACKED, GROWTH = "cells for tracked items", "reports now ÷ reports before the oldest epoch kept"
CAUTION, BEFORE = "standard deviations off the mean, for the ranking", "count from before an item was tracked"
CHOICES = (
    *(Choice(TRACKED, part, Fraction(part)) for part in ("1/4", "1/3", "1/2")),
    *(Choice(GROWTH, f"{covered:g}", covered=covered) for covered in (16.0, 64.0, 256.0)),
    *(Choice(CAUTION, f"{caution:g}", caution=caution) for caution in (0.0, 1.25, 2.0)),
    Choice(BEFORE, "its rate in all epochs as a leaf"),
    Choice(BEFORE, "nothing", count=nothing_before),
    Choice(BEFORE, "its rate since it was tracked without a break", count=tracked_rate),
)


def outcome(choice: Choice, drawn: Drawn, epsilon: float, seed: int) -> tuple[float, float]:
    """NDCG and AAE."""
    scheme = Shared(drawn.domain_size, CELLS, epsilon, part=choice.part)
    store = Frontier(scheme, memory=MEMORY, seed=derive_seed(seed, SERVER))
    store.growth = exp(log(choice.covered) / store.capacity) - 1
    with patch.object(frontier_evidence, "CAUTION", choice.caution):
        follow(scheme, store, drawn.items, seed)
        answer = [choice.count(line, store.reports) for line in store.estimates(K)]
    found = score(tuple(answer), drawn.truth, K)
    return found.ndcg, found.aae


def cells_of(choice: Choice, streams: list[str], repeats: int, library: Library) -> Iterator[str]:
    """NDCG with its standard error, and AAE, for each stream and ε."""
    for stream in streams:
        for epsilon in EPSILONS:
            runs = [outcome(choice, library.draw(stream, seed), epsilon, seed) for seed in range(1, repeats + 1)]
            ndcg, aae = np.mean(runs, axis=0)
            spread = np.std([run[0] for run in runs], ddof=1) / repeats**0.5
            yield f"{ndcg:.3f}±{spread:.3f} / {aae:,.0f}"


def main() -> None:
    """One table a question, one row a choice; all choices see the same streams."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with retail.dat.gz and kosarak-first100k.dat.gz")
    parser.add_argument("--repeats", type=int, default=10)
    arguments = parser.parse_args()
    library = Library(arguments.data)
    streams = [name for name in STREAMS if ":" in name or library.path(name)]
    heads = [f"{stream.partition(':')[0]} ε = {epsilon:g}" for stream in streams for epsilon in EPSILONS]
    for question in dict.fromkeys(choice.question for choice in CHOICES):
        table = Table(title=f"{question}; {CELLS} cells, {MEMORY:,} bytes, no warm-up, k = {K}: NDCG ± s.e. / AAE")
        table.add_column("choice")
        for head in heads:
            table.add_column(head, justify="right")
        for choice in shown([one for one in CHOICES if one.question == question], question, transient=True):
            table.add_row(choice.title, *cells_of(choice, streams, arguments.repeats, library))
        Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
