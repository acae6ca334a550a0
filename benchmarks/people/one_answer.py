"""`python -m benchmarks.people.one_answer`: how many intervals hold where each bulletin is answered once.

12,000 events about 8 items at ε = 2, against ten bulletins. Each client has one item, once, 5, 20 or 60 times, spread
evenly over the stream. Its answer to a bulletin is sent once, and counts a person; or, to show why it is sent once
only, again with each event.
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
SCHEMES, REPEATS, EVENTS, BULLETINS, EPSILON, K, SEEDS = ("pfr", "dsr"), (1, 5, 20, 60), 12_000, 10, 2.0, 4, 40
ONCE, AGAIN = "sent once", "sent with each event"


@dataclass(frozen=True)
class Piece:
    """One stream of one scheme."""

    scheme: str
    sent: str
    repeats: int
    seed: int
    events: int = EVENTS


def that_hold(piece: Piece) -> tuple[int, int]:
    """How many intervals of the top hold, and of how many."""
    task = Task(
        piece.scheme, epsilon=EPSILON, domain=list(ITEMS), k=K, other=True, one_answer=True, epoch_seconds=86_400
    )
    tracker, words, truth = Tracker(task, seed=piece.seed), SeededWords(piece.seed * 7919 + 1), Counter[object]()
    people = piece.events // piece.repeats
    numbers = np.random.default_rng(piece.seed).choice(len(ITEMS), size=people, p=SHARES)
    clients = [Randomizer(task, max_epsilon=EPSILON, words=words) for _ in range(people)]
    for event in range(piece.events):
        client, item = clients[event % people], ITEMS[numbers[event % people]]
        before, report = client.sent, client.report(item, tracker.bulletin)
        if piece.sent == AGAIN or client.sent > before:
            tracker.insert(report)
            truth[item] += 1
        if (event + 1) % (piece.events // BULLETINS) == 0:
            tracker.seal()
    held = [line.interval[0] <= truth[item] <= line.interval[1] for item, line in tracker.top()]
    return sum(held), len(held)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people.one_answer", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"streams ({SEEDS})")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    chosen = parser.parse_args()
    rows = list(product(SCHEMES, (ONCE, AGAIN)))
    work = [Piece(*row, *each) for row in rows for each in product(REPEATS, range(1, chosen.seeds + 1))]
    found = dict(spread(that_hold, work, chosen.processes, "one answer"))
    table = Table(title="95 % intervals that hold, by how often each client has its item")
    for heading in ("scheme", "answer", *map(str, REPEATS)):
        table.add_column(heading, justify="left" if heading in ("scheme", "answer") else "right")
    for row in rows:
        shares = []
        for repeats in REPEATS:
            runs = [found[each] for each in work if (each.scheme, each.sent, each.repeats) == (*row, repeats)]
            held, lines = (sum(each) for each in zip(*runs, strict=True))
            shares.append(f"{held / lines:.0%} of {lines}")
        table.add_row(*row, *shares)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
