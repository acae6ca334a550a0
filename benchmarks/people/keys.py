"""`python -m benchmarks.people.keys`: what it costs the server when hash keys stay for a day, a week or a month.

The stream is that of `hgldp demo longitudinal`: 2,000 reports a day for a year, Zipf 1.1 over 1,000 items, ε = 2.
"""

import argparse
from dataclasses import dataclass
from itertools import product
from statistics import mean

import numpy as np
from rich.console import Console

from benchmarks.cold.rows import standard_error
from benchmarks.people.tables import in_markdown, shown
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.model.period import DAY_SECONDS, PERIOD_SECONDS
from hgldp.model.randomness import derive_seed
from hgldp.model.rules import LISTED_CELLS, default_memory
from hgldp.schemes.pfr import PFR, leaves_for
from hgldp.simulation.frontier import follow
from hgldp.simulation.generators import Synthetic
from hgldp.simulation.metrics import precision
from hgldp.simulation.people.year import CROWD, ITEMS, ZIPF, K
from hgldp.stores.frontier import Frontier

EPSILON, SEEDS = 2.0, 10
LOOKS = (30, 60, 90, 360)
LEAST_SHARE = 0.5
"""How full an epoch must be before the clock may end it, as in a collector."""
STAYS = {"epoch": 0} | {name: seconds // DAY_SECONDS for name, seconds in PERIOD_SECONDS.items()}


@dataclass(frozen=True)
class Piece:
    """One life of keys with one seed."""

    keys: str
    seed: int


def found_by(piece: Piece) -> list[float]:
    """The precision of the top 20 after some days, reports of the open epoch included."""
    stays, seed = STAYS[piece.keys], derive_seed(piece.seed, 0)
    scheme = PFR(ITEMS, LISTED_CELLS, EPSILON, leaves_for(K))
    store = Frontier(scheme, memory=default_memory(LISTED_CELLS), seed=seed)
    stream = Synthetic("zipf", CROWD * LOOKS[-1], ITEMS, ZIPF).draw(np.random.default_rng(seed))
    right, since, step = [], 0, 1 if stays else LOOKS[0]
    for day in range(step, LOOKS[-1] + 1, step):
        heard = stream[(day - step) * CROWD : day * CROWD]
        follow(scheme, store, heard, derive_seed(seed, day), seals=not stays)
        if stays and day - since >= stays and store.in_epoch >= LEAST_SHARE * store.epoch_length:
            store.seal()
            since = day
        if day in LOOKS:
            counts = np.bincount(stream[: day * CROWD], minlength=ITEMS)
            right.append(precision(store.absorbed().estimates(K), counts, K))
    return right


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people.keys", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"streams ({SEEDS})")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--markdown", action="store_true", help="print the table as docs/people.md has it")
    chosen = parser.parse_args()
    work = [Piece(keys, seed) for keys, seed in product(STAYS, range(1, chosen.seeds + 1))]
    found = dict(spread(found_by, work, chosen.processes, "keys"))
    lines = []
    for keys in STAYS:
        runs = [found[piece] for piece in work if piece.keys == keys]
        lines.append([keys, *(f"{mean(at):.2f} ± {standard_error(list(at)):.2f}" for at in zip(*runs, strict=True))])
    title = f"Precision of the top {K} by how long keys stay, {chosen.seeds} seeds: mean ± standard error"
    table = title, ["keys", *(f"day {day}" for day in LOOKS)], lines
    if chosen.markdown:
        print(in_markdown(*table))
    else:
        Console(width=100).print(shown(*table))


if __name__ == "__main__":
    main()
