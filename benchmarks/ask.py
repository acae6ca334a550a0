"""Items that were asked for, whether on top or not: is pfr right about them on average, and are its intervals?"""

import argparse
from dataclasses import dataclass
from itertools import product

import numpy as np
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from hgldp.experiments.measuring.streams import Drawn, Library
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier

CELLS, MEMORY, ITEMS = 1_024, 16_384, 1_000
STREAMS = ("zipf:n=100000,d=1000,s=1.2", "zipf:n=100000,d=20000,s=1.05", "normal:n=100000,d=1000,sigma=5")
EPSILONS = (0.5, 1.0, 2.0, 4.0, 6.0)
HEADINGS = ("stream", "ε", "mean error ± its s.e.", "largest |error|", "95 % intervals that hold", "the worst run")


@dataclass(frozen=True)
class AskedRun:
    """One stream: the error of each random item, and whether its 95 % interval held the truth."""

    errors: tuple[float, ...]
    held: tuple[bool, ...]


@dataclass(frozen=True)
class AskedRuns:
    """Several streams. The errors of one run go together, so the runs tell how far their mean may be off."""

    runs: tuple[AskedRun, ...]

    @property
    def mean_error(self) -> tuple[float, float]:
        """With its standard error."""
        means = np.array([np.mean(each.errors) for each in self.runs])
        return float(means.mean()), float(means.std(ddof=1) / np.sqrt(means.size))

    @property
    def coverage(self) -> float:
        """Over all items of all runs."""
        return float(np.mean([held for each in self.runs for held in each.held]))

    @property
    def row(self) -> tuple[str, ...]:
        """For the table."""
        mean, error = self.mean_error
        largest = max(abs(each) for run in self.runs for each in run.errors)
        worst = min(float(np.mean(each.held)) for each in self.runs)
        return f"{mean:+.2f} ± {error:.2f}", f"{largest:,.0f}", f"{self.coverage:.1%}", f"{worst:.1%}"


def counted(stream: str, epsilon: float, seed: int, library: Library) -> tuple[Drawn, Frontier]:
    """A stream, and what counted it from nothing."""
    drawn = library.draw(stream, seed)
    scheme = PFR(drawn.domain_size, CELLS, epsilon)
    store = Frontier(scheme, memory=MEMORY, seed=seed)
    follow(scheme, store, drawn.items, seed)
    return drawn, store


def ask_one(stream: str, epsilon: float, seed: int, library: Library, items: int = ITEMS) -> AskedRun:
    """Random items of the domain, asked for after a run from nothing."""
    drawn, store = counted(stream, epsilon, seed, library)
    asked = np.random.default_rng([seed, items]).permutation(drawn.domain_size)[:items]
    truth = np.bincount(drawn.items, minlength=drawn.domain_size)[asked].tolist()
    lines = store.ask(asked)
    return AskedRun(
        errors=tuple(line.count - true for line, true in zip(lines, truth, strict=True)),
        held=tuple(line.interval[0] <= true <= line.interval[1] for line, true in zip(lines, truth, strict=True)),
    )


def ask_many(stream: str, epsilon: float, repeats: int, library: Library, items: int = ITEMS) -> AskedRuns:
    """Over so many streams."""
    return AskedRuns(tuple(ask_one(stream, epsilon, seed, library, items) for seed in range(repeats)))


def main() -> None:
    """One row a stream and ε."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    repeats, library = parser.parse_args().repeats, Library()
    table = Table(
        title=f"pfr, {CELLS} cells, {MEMORY:,} bytes, no warm-up; {ITEMS:,} random items, {repeats} streams each"
    )
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "stream" else "right")
    for stream, epsilon in shown(list(product(STREAMS, EPSILONS)), "asking", transient=True):
        table.add_row(stream, f"{epsilon:g}", *ask_many(stream, epsilon, repeats, library).row)
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
