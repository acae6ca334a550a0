"""One stream, what pfr tells of its distribution, and the truth beside it."""

from dataclasses import dataclass

import numpy as np

from benchmarks.distribution.streams import Population
from hgldp.model.distribution import Distribution, percent
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.distribution import tell
from hgldp.stores.frontier import Frontier

CELLS, MEMORY, SLACK = 1_024, 16_384, 1e-9


@dataclass(frozen=True)
class Piece:
    """A population, a budget, a length and a seed."""

    population: Population
    epsilon: float
    n: int
    seed: int


@dataclass(frozen=True)
class Told:
    """A decade, or what is below all of them, in one run: what was told, and what is true."""

    name: str
    items: float
    interval: tuple[float, float]
    share: float
    share_interval: tuple[float, float]
    true_items: int
    true_share: float

    @property
    def held(self) -> bool:
        """Whether the interval holds the true number of items."""
        return self.interval[0] <= self.true_items <= self.interval[1]

    @property
    def share_held(self) -> bool:
        """Whether the interval holds what they truly hold together."""
        low, high = self.share_interval
        return low - SLACK <= self.true_share <= high + SLACK


def run_piece(piece: Piece) -> list[Told]:
    """From nothing, with the default settings."""
    items, size = piece.population.stream(piece.n, piece.seed)
    scheme = PFR(size, CELLS, piece.epsilon)
    store = Frontier(scheme, memory=MEMORY, seed=piece.seed)
    follow(scheme, store, items, piece.seed)
    truth = np.bincount(items, minlength=size) / items.size
    return beside_truth(tell(store.domain_shares(), store.reports, size), truth)


def beside_truth(found: Distribution, truth: np.ndarray) -> list[Told]:
    """Each decade that is told, and the rest."""
    rows = []
    for decade in found.decades:
        there = (truth >= decade.low) & (truth < (decade.high if decade.high < 1 else 2.0))
        told = decade.items, decade.interval, decade.share, decade.share_interval
        rows.append(Told(decade.name, *told, int(there.sum()), float(truth[there].sum())))
    there = truth < found.below
    rest = *found.rest_items, found.rest, found.rest_interval
    rows.append(Told(f"below {percent(found.below)}", *rest, int(there.sum()), float(truth[there].sum())))
    return rows
