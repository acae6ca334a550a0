"""Somebody who reads every report of one person and guesses which item it is always about.

The observer knows the scheme, the bulletins and when the person reports, and before the first report thinks all items
equally likely. A pfr report has the chance W/Z if the item's symbol lies in the report's translate of the
difference set, and S/Z if not, and Z is the same for all items. So the item with the most hits is the most likely one:
sums of exact log-likelihoods are whole numbers of ln(W/S), and no guess can be better. Where several share the most
hits, the guess is right as often as one over their number, which is what is counted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import exp

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.frontier import find_cells
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import FrontierBulletin
from hgldp.schemes.pfr import PFR

Whole = NDArray[np.int64]


def most_right(epsilon: float, items: int) -> float:
    """No observer is right more often than this about one of so many equally likely items after ε in all.

    Every item explains the reports at least e^−ε times as well as the guess does, so the guess has at most e^ε parts
    of e^ε + items − 1 of the posterior.

    >>> [round(most_right(2 * months, 1000), 4) for months in (0, 1, 3, 6)]
    [0.001, 0.0073, 0.2877, 0.9939]
    """
    return 1 / (1 + (items - 1) * exp(-epsilon))


def randomize_all(mechanism: CyclicResponse, values: Whole, draws: Whole) -> Whole:
    """What `CyclicResponse.randomize` makes of many values, each with its own uniform draw below the total."""
    members, others = np.array(mechanism.members), np.array(mechanism.others)
    inside = draws < members.size * mechanism.truth
    inner = np.where(inside, draws // mechanism.truth, 0)
    outer = np.where(inside, 0, (draws - members.size * mechanism.truth) // mechanism.scale)
    return np.asarray((values - np.where(inside, members[inner], others[outer])) % mechanism.modulus)


@lru_cache(maxsize=8)
def hits(mechanism: CyclicResponse) -> NDArray[np.uint8]:
    """For each report (row) and symbol (column) whether the report speaks for the symbol."""
    inside = np.zeros(mechanism.modulus, np.uint8)
    inside[list(mechanism.members)] = 1
    turned = np.lib.stride_tricks.sliding_window_view(np.tile(inside, 2), mechanism.size)
    return np.ascontiguousarray(turned[mechanism.modulus - np.arange(mechanism.modulus)])


def symbols_of(bulletin: FrontierBulletin) -> Whole:
    """The symbol of every item, as `FrontierBulletin.symbol` has it."""
    found, leaves = np.empty(bulletin.domain_size, np.int64), np.array(bulletin.leaves, np.int64)
    every = np.arange(bulletin.domain_size)
    find_cells(np.uint64(bulletin.key), np.uint64(bulletin.search_cells), every, found)
    found += leaves.size
    found[leaves] = np.arange(leaves.size)
    return found


@dataclass(frozen=True)
class Schedule:
    """When a person who has one event a day draws a fresh report, against which bulletin, and with which ε.

    `bulletins[i]` is answered on the day `days[i]`; all reports spend the same, as under one task.
    """

    scheme: PFR
    days: tuple[int, ...]
    bulletins: tuple[FrontierBulletin, ...]

    def __post_init__(self) -> None:
        if len(self.days) != len(self.bulletins):
            raise InvalidField("bulletins", f"must be one for each of {len(self.days)} days", len(self.bulletins))
        if list(self.days) != sorted(set(self.days)):
            raise InvalidField("days", "must ascend", "others")

    def reports_by(self, day: int) -> int:
        """How many reports the observer has after so many days."""
        return sum(each < day for each in self.days)

    def spent_by(self, day: int) -> float:
        """ε in all after so many days."""
        return float(self.reports_by(day) * self.scheme.epsilon)


def guess(
    schedule: Schedule, favourites: Whole, rng: np.random.Generator, advance: Callable[[int], None] | None = None
) -> NDArray[np.float64]:
    """How often the best guess of each person's favourite is right after each report: a row a person."""
    items, people = schedule.scheme.domain_size, np.arange(favourites.size)
    scores = np.zeros((favourites.size, items), np.uint16)
    right = np.empty((favourites.size, len(schedule.days)))
    for report, bulletin in enumerate(schedule.bulletins):
        mechanism = schedule.scheme.mechanism_over(schedule.scheme.checked(bulletin).cells)
        symbols, draws = symbols_of(bulletin), rng.integers(mechanism.total, size=favourites.size)
        sent = randomize_all(mechanism, symbols[favourites], draws)
        scores += hits(mechanism)[sent].take(symbols, axis=1)
        leading = scores == scores.max(axis=1, keepdims=True)
        right[:, report] = leading[people, favourites] / leading.sum(axis=1)
        if advance is not None:
            advance(1)
    return right
