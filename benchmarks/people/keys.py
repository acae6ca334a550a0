"""`python -m benchmarks.people.keys`: what it costs the server when hash keys stay for a day, a week or a month.

The steady stream is that of `hgldp demo longitudinal`: 2,000 reports a day for a year, Zipf 1.1 over 1,000 items,
ε = 2. In the drifting one all items change their ranks, evenly within every 30 days.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from math import isnan, nan
from statistics import mean

import numpy as np
from rich.console import Console

from benchmarks.cold.rows import standard_error
from benchmarks.coverage.truth import judge, whole_counts
from benchmarks.people.streams import EPSILON, STREAMS, Items, Setting
from benchmarks.people.tables import in_markdown, shown
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.model.estimate import Estimate
from hgldp.model.frontier_size import LISTED_CELLS, default_memory
from hgldp.model.period import DAY_SECONDS, PERIOD_SECONDS
from hgldp.model.randomness import derive_seed
from hgldp.schemes.pfr import PFR, leaves_for
from hgldp.simulation.frontier import follow
from hgldp.simulation.metrics import precision
from hgldp.simulation.people.year import CROWD, ITEMS, MONTH, K
from hgldp.simulation.truth import faded_counts
from hgldp.stores.frontier import Frontier

SEEDS = 10
LOOKS = (30, 60, 90, 360)
LEAST_SHARE = 0.5
"""How full an epoch must be before the clock may end it, as in a collector."""
STAYS = {"epoch": 0} | {name: seconds // DAY_SECONDS for name, seconds in PERIOD_SECONDS.items()}


@dataclass(frozen=True)
class Piece:
    """One stream and life of keys with one seed."""

    stream: str
    keys: str
    seed: int
    setting: Setting = field(default_factory=Setting)


@dataclass(frozen=True)
class Look:
    """How much of a top 20 is right, how many intervals hold, and how many of those that are not marked *maybe*.

    The last is no number if all lines are marked.
    """

    precision: float
    held: float
    certain: float

    @classmethod
    def at(cls, top: tuple[Estimate, ...], heard: Items, half_life: int) -> "Look":
        """By all reports until then, which fade if there is a half-life."""
        counts = faded_counts(heard, ITEMS, half_life) if half_life else whole_counts(heard, ITEMS)
        judged = [judge(line, counts) for line in top]
        certain = [line.held for line in judged if not line.may_be_noise]
        return cls(precision(top, counts, K), mean(line.held for line in judged), mean(certain) if certain else nan)


WHAT: dict[str, Callable[[Look], float]] = {
    f"Precision of the top {K}": lambda look: look.precision,
    f"95 % intervals of the top {K} that hold": lambda look: look.held,
    "Those of the lines that are not marked *maybe*": lambda look: look.certain,
}


def looks_at(piece: Piece) -> list[Look]:
    """The answer after some days, reports of the open epoch included."""
    stays, seed, crowd = STAYS[piece.keys], derive_seed(piece.seed, 0), piece.setting.crowd
    scheme, half_life = PFR(ITEMS, LISTED_CELLS, piece.setting.epsilon, leaves_for(K)), piece.setting.half_life * crowd
    store = Frontier(scheme, memory=default_memory(LISTED_CELLS), seed=seed, half_life=half_life)
    stream = STREAMS[piece.stream](piece.setting, LOOKS[-1], np.random.default_rng(seed))
    looks, since, step = [], 0, 1 if stays else LOOKS[0]
    for day in range(step, LOOKS[-1] + 1, step):
        heard = stream[(day - step) * crowd : day * crowd]
        follow(scheme, store, heard, derive_seed(seed, day), seals=not stays)
        if stays and day - since >= stays and store.in_epoch >= LEAST_SHARE * store.epoch_length:
            store.seal()
            since = day
        if day in LOOKS:
            looks.append(Look.at(store.absorbed().estimates(K), stream[: day * crowd], half_life))
    return looks


def shown_mean(values: list[float]) -> str:
    """Over the seeds that have a value.

    >>> shown_mean([0.5, 0.7, nan]), shown_mean([nan])
    ('0.60 ± 0.10', '–')
    """
    some = [value for value in values if not isnan(value)]
    return f"{mean(some):.2f} ± {standard_error(some):.2f}" if some else "–"


def tables(found: dict[Piece, list[Look]]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One for each thing that was measured."""
    made = []
    for what, value in WHAT.items():
        lines = []
        for stream, keys in product(STREAMS, STAYS):
            runs = [found[piece] for piece in found if (piece.stream, piece.keys) == (stream, keys)]
            lines.append(
                [stream, keys, *(shown_mean([value(look) for look in day]) for day in zip(*runs, strict=True))]
            )
        title = f"{what}, by how long keys stay, {len(runs)} seeds: mean ± standard error"
        made.append((title, ["stream", "keys", *(f"day {day}" for day in LOOKS)], lines))
    return made


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people.keys", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"streams ({SEEDS})")
    parser.add_argument("--epsilon", type=float, default=EPSILON, help=f"of an event ({EPSILON:g})")
    parser.add_argument("--crowd", type=int, default=CROWD, help=f"reports a day ({CROWD:,})")
    parser.add_argument("--turnover", type=int, default=MONTH, help=f"days in which all ranks change ({MONTH})")
    parser.add_argument("--half-life", type=int, default=0, help="in days (none)")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--markdown", action="store_true", help="print the tables as docs/people.md has them")
    chosen = parser.parse_args()
    setting = Setting(chosen.epsilon, chosen.crowd, chosen.turnover, chosen.half_life)
    work = [Piece(*which, setting) for which in product(STREAMS, STAYS, range(1, chosen.seeds + 1))]
    made = tables(dict(spread(looks_at, work, chosen.processes, "keys")))
    if chosen.markdown:
        print("\n\n".join(in_markdown(*table) for table in made))
    else:
        for table in made:
            Console(width=100).print(shown(*table))


if __name__ == "__main__":
    main()
