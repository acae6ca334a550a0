"""A year of reports in which every item keeps its share, and one in which all ranks change again and again."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.simulation.generators import Synthetic
from hgldp.simulation.people.year import CROWD, ITEMS, MONTH, ZIPF

EPSILON = 2.0
Items = NDArray[np.int32]


@dataclass(frozen=True)
class Setting:
    """What an event costs, the reports of a day, the days in which all ranks change, and a half-life in days (or 0)."""

    epsilon: float = EPSILON
    crowd: int = CROWD
    turnover: int = MONTH
    half_life: int = 0


def steady(setting: Setting, days: int, rng: np.random.Generator) -> Items:
    """Every item keeps its share."""
    return Synthetic("zipf", setting.crowd * days, ITEMS, ZIPF).draw(rng)


def drifting(setting: Setting, days: int, rng: np.random.Generator) -> Items:
    """One order of the items leads to the next: an event follows the next one with a chance that grows from 0 to 1."""
    ranks = steady(setting, days, rng)
    order, through = np.divmod(np.arange(ranks.size) / (setting.crowd * setting.turnover), 1)
    orders = np.array([rng.permutation(ITEMS) for _ in range(int(order[-1]) + 2)], np.int32)
    items: Items = orders[order.astype(int) + (rng.random(ranks.size) < through), ranks]
    return items


STREAMS: dict[str, Callable[[Setting, int, np.random.Generator], Items]] = {"steady": steady, "drifting": drifting}
