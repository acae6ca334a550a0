"""A search watched from epoch to epoch: what was published, what was measured, and what followed from it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.model.bulletins import Cell, FrontierBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.randomness import derive_seed
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import SERVER
from hgldp.simulation.strings import spell
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.evidence import Evidence
from hgldp.stores.strings import OpenFrontier

Items = NDArray[np.int32]


@dataclass(frozen=True)
class ListedMoment:
    """The end of an epoch in a listed domain; `evidence` is of every item, `answer` the best k."""

    bulletin: FrontierBulletin
    measured: SealedEpoch
    evidence: Evidence
    answer: tuple[int, ...]


def watch_listed(scheme: PFR, stream: Items, *, memory: int, k: int, seed: int) -> list[ListedMoment]:
    """One moment for each epoch, the last one as long as the stream allows."""
    store = Frontier(scheme, memory=memory, seed=derive_seed(seed, SERVER))
    everybody, moments, position = np.arange(scheme.domain_size), [], 0
    while position < stream.size:
        bulletin, end = store.bulletin, position + store.epoch_length
        follow(scheme, store, stream[position:end], derive_seed(seed, position))
        answer = tuple(line.item for line in store.estimates(k))
        moments.append(ListedMoment(bulletin, store.epochs[-1], store.evidence(everybody), answer))
        position = end
    return moments


@dataclass(frozen=True)
class Held:
    """One cell at the end of an epoch: its share so far, the standard deviation of that, and whether it is hot."""

    cell: Cell
    share: float
    deviation: float
    hot: bool


@dataclass(frozen=True)
class OpenMoment:
    """The end of an epoch among strings, before cells are cut, held or dropped."""

    reports: int
    cells: tuple[Held, ...]


class Watched(OpenFrontier):
    """An open frontier that remembers what it measured in each epoch."""

    def __init__(self, scheme: OpenPFR, k: int, domain: StringDomain) -> None:
        super().__init__(scheme.mechanism, symbols=scheme.symbols, k=k, domain=domain)
        self.moments: list[OpenMoment] = []

    def _absorb(self) -> None:
        super()._absorb()
        cells = [(cell, found, True) for cell, found in self.hot.items()]
        cells += [(cell, found, False) for cell, found in self.tips.items()]
        held = tuple(Held(cell, found.share, found.deviation, hot) for cell, found, hot in cells)
        self.moments.append(OpenMoment(self.reports, held))


def watch_strings(
    scheme: OpenPFR, strings: list[str], stream: Items, *, k: int, domain: StringDomain, seed: int
) -> tuple[list[OpenMoment], list[str]]:
    """One moment for each epoch, and the answer at the end."""
    store = Watched(scheme, k, domain)
    spell(scheme, store, [domain.code(text) for text in strings], stream, seed)
    return store.moments, [text for text, _ in store.estimates(k)]
