"""How honest the published intervals are: when cells are evicted, when shares change, warm and cold."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track as shown
from rich.table import Table

from benchmarks.changing import SLOW, SUDDEN, draw
from hgldp.experiments.measuring.streams import Library
from hgldp.model.estimate import Estimate
from hgldp.simulation.run import Plan, run

K = 20
NORMAL = "normal:n=100000,d=1000,sigma=5"
SCHEMES = ("bgr", "dsr", "bdr", "cnr")
ZIPFS = tuple(f"zipf:n=100000,d={size},s={steepness}" for size in (1000, 20_000) for steepness in (1.2, 1.05))
TRACKED = (NORMAL, *ZIPFS, SLOW, SUDDEN)
EPSILONS = (0.5, 1.0, 2.0, 4.0, 6.0)
FIRST = 10
ALL_TRACKED = f"normal:n=100000,d={K},sigma=5"
SEARCHED = (ALL_TRACKED, NORMAL, "zipf:n=1000000,d=10000,s=1.1", "retail", "kosarak-first100k")
STARTS = {0.01: "1 % warm-up", 0.0: "no warm-up"}
HEADINGS = (
    "start",
    "ε",
    "mean error since admission (s.e.)",
    "95 % since admission",
    "mean error whole (s.e.)",
    "95 % whole",
    "first 10 all held",
)


@dataclass(frozen=True)
class Coverage:
    """Errors in their own standard errors, and whether the 95 % intervals held the truth, line by line."""

    since: tuple[float, ...]
    since_held: tuple[bool, ...]
    whole: tuple[float, ...]
    whole_held: tuple[bool, ...]
    first_held: tuple[bool, ...]

    @property
    def row(self) -> tuple[str, ...]:
        """Means and shares."""
        errors = (f"{np.mean(some):+.2f}" for some in (self.since, self.whole))
        held = (f"{np.mean(some):.1%}" for some in (self.since_held, self.whole_held))
        since, whole = zip(errors, held, strict=True)
        return (*since, *whole, f"{np.mean(self.first_held):.0%}")


def since_admission(line: Estimate, stream: NDArray[np.int32]) -> tuple[float, bool]:
    """The error of the count since admission in its own standard errors, and whether its interval holds the truth."""
    truth = int(np.count_nonzero(stream[stream.size - line.since :] == line.item)) if line.since else 0
    low, high = line.tracked_interval
    return (line.tracked_count - truth) / max(line.tracked_error, 1e-9), low <= truth <= high


def whole_stream(line: Estimate, stream: NDArray[np.int32]) -> tuple[float, bool]:
    """The same of the count over the whole stream."""
    truth = int(np.count_nonzero(stream == line.item))
    low, high = line.interval
    return (line.count - truth) / max(line.standard_error, 1e-9), low <= truth <= high


def published(
    plan: Plan, stream: str, warmup: float, repeats: int, library: Library
) -> Iterator[list[tuple[float, ...]]]:
    """Answer by answer its lines; one that was never tracked says nothing about tracking and is left out there."""
    for seed in range(repeats):
        drawn = draw(stream, seed, library)
        outcome = run(plan, drawn.items, drawn.domain_size, int(drawn.items.size * warmup), seed)
        yield [
            (line.since, *since_admission(line, drawn.items), *whole_stream(line, drawn.items))
            for line in outcome.estimates
        ]


def cover(plan: Plan, stream: str, warmup: float, repeats: int, library: Library) -> Coverage:
    """Over so many streams."""
    answers = list(published(plan, stream, warmup, repeats, library))
    lines = [line for answer in answers for line in answer]
    tracked = [line for line in lines if line[0]]
    return Coverage(
        since=tuple(line[1] for line in tracked),
        since_held=tuple(bool(line[2]) for line in tracked),
        whole=tuple(line[3] for line in lines),
        whole_held=tuple(bool(line[4]) for line in lines),
        first_held=tuple(all(line[4] for line in answer[:FIRST]) for answer in answers),
    )


def main() -> None:
    """One row a scheme or stream, start and ε."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--data", type=Path, help="a folder with retail.dat.gz and kosarak-first100k.dat.gz")
    parser.add_argument("--schemes", nargs="+", default=(*SCHEMES, "pfr"), metavar="NAME")
    parser.add_argument("--streams", nargs="+", default=TRACKED, metavar="STREAM", help="for the hot lists")
    arguments = parser.parse_args()
    library, repeats = Library(arguments.data), arguments.repeats
    for stream in arguments.streams:
        hot_lists = _table("scheme", f"{stream}, k = {K}, 40 cells, {repeats} streams: the top {K} as published")
        cases = [(s, w, e) for s in arguments.schemes for w in STARTS for e in EPSILONS if s in SCHEMES]
        for scheme, warmup, epsilon in shown(cases, stream, transient=True):
            found = cover(Plan(scheme, epsilon, K), stream, warmup, repeats, library)
            hot_lists.add_row(scheme, STARTS[warmup], f"{epsilon:g}", *found.row)
        Console(width=130).print(hot_lists)
    if "pfr" not in arguments.schemes:
        return
    frontier = _table("stream", f"pfr, k = {K}, 256 cells, {repeats} runs: the top {K} as published")
    there = [name for name in SEARCHED if ":" in name or library.path(name)]
    if len(there) < len(SEARCHED):
        print(f"{', '.join(name for name in SEARCHED if name not in there)}: not found, left out; use --data")
    searches = [(name, w, e) for name in there for w in STARTS for e in (1.0, 2.0, 4.0)]
    for stream, warmup, epsilon in shown(searches, "pfr", transient=True):
        found = cover(Plan("pfr", epsilon, K), stream, warmup, repeats, library)
        frontier.add_row(stream, STARTS[warmup], f"{epsilon:g}", *found.row)
    Console(width=130).print(frontier)


def _table(first: str, title: str) -> Table:
    table = Table(title=title)
    for heading in (first, *HEADINGS):
        table.add_column(heading, justify="left" if heading in (first, "start") else "right")
    return table


if __name__ == "__main__":
    main()
