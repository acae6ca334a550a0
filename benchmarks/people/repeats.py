"""`python -m benchmarks.people.repeats`: how many intervals hold where clients repeat their answers (`same_answers`).

12,000 reports about 8 items at ε = 2. Each client has one item and reports it once, twice, … or 60 times, spread evenly
over the stream.
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from itertools import product

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.processes import MOST_PROCESSES, spread
from hgldp import Randomizer, SeededWords, Task, Tracker

ITEMS, SHARES = "abcdefgh", (0.4, 0.25, 0.12, 0.08, 0.06, 0.04, 0.03, 0.02)
SCHEMES, REPEATS, REPORTS, EPSILON, K, SEEDS = ("pfr", "dsr"), (1, 2, 5, 20, 60), 12_000, 2.0, 4, 12


@dataclass(frozen=True)
class Piece:
    """One stream of one scheme."""

    scheme: str
    repeats: int
    seed: int
    reports: int = REPORTS


def that_hold(piece: Piece) -> tuple[int, int]:
    """How many intervals of the top hold, and of how many."""
    task = Task(piece.scheme, epsilon=EPSILON, domain=list(ITEMS), k=K, other=True, same_answers=True)
    tracker, words, truth = Tracker(task, seed=piece.seed), SeededWords(piece.seed * 7919 + 1), Counter[object]()
    drawn = np.random.default_rng(piece.seed).choice(len(ITEMS), size=piece.reports // piece.repeats, p=SHARES)
    for _, (device, number) in product(range(piece.repeats), enumerate(drawn.tolist())):
        secret = (piece.seed * 10**6 + device).to_bytes(32, "big")
        client = Randomizer(task, max_epsilon=EPSILON, words=words, secret=secret)
        tracker.insert(client.report(ITEMS[number], tracker.bulletin))
        truth[ITEMS[number]] += 1
    held = [line.interval[0] <= truth[item] <= line.interval[1] for item, line in tracker.top()]
    return sum(held), len(held)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people.repeats", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"streams ({SEEDS})")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    chosen = parser.parse_args()
    work = [Piece(*each) for each in product(SCHEMES, REPEATS, range(1, chosen.seeds + 1))]
    found = dict(spread(that_hold, work, chosen.processes, "repeats"))
    table = Table(title="95 % intervals that hold, by how often each client reports its item")
    for heading in ("scheme", *map(str, REPEATS)):
        table.add_column(heading, justify="left" if heading == "scheme" else "right")
    for scheme in SCHEMES:
        shares = []
        for repeats in REPEATS:
            runs = [found[each] for each in work if (each.scheme, each.repeats) == (scheme, repeats)]
            shares.append(f"{sum(held for held, _ in runs)} of {sum(lines for _, lines in runs)}")
        table.add_row(scheme, *shares)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
