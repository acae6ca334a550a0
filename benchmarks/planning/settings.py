"""Thirty launches, drawn by lot once and for all: nothing is tuned to them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

LISTED, OPEN, LOT = 20, 10, 20261119
SIZES, WANTED, BUDGETS = (100, 1_000, 5_000, 20_000, 100_000), (5, 10, 20, 50), (0.5, 1.0, 2.0, 4.0)
REPORTS, SKEWS = (30_000, 100_000, 300_000, 1_000_000), (0.7, 0.9, 1.1, 1.3)
OPEN_SIZES, OPEN_WANTED, OPEN_BUDGETS = (2_000, 10_000, 20_000), (10, 20), (1.0, 2.0, 4.0)
OPEN_REPORTS, OPEN_SKEWS, LOOKS = (100_000, 300_000, 600_000), (0.9, 1.1, 1.3), ("text", "urls")


@dataclass(frozen=True)
class Setting:
    """One launch: so many different items or strings, their skew, k, ε and how many reports there are in the end."""

    number: int
    look: str
    size: int
    skew: float
    k: int
    epsilon: float
    reports: int

    @property
    def is_open(self) -> bool:
        """Whether nobody lists the strings."""
        return self.look != "listed"

    @property
    def metric(self) -> str:
        """What is compared."""
        return "f1" if self.is_open else "precision"


def settings() -> list[Setting]:
    """Twenty with a list, ten without.

    >>> len(settings()), settings() == settings(), len(set(settings()))
    (30, True, 30)
    """
    lot = np.random.default_rng(LOT)
    listed = (SIZES, SKEWS, WANTED, BUDGETS, REPORTS)
    strings = (OPEN_SIZES, OPEN_SKEWS, OPEN_WANTED, OPEN_BUDGETS, OPEN_REPORTS)
    numbers = range(1, LISTED + OPEN + 1)
    return [
        Setting(number, "listed", *_lot(lot, listed)) if number <= LISTED else _open(number, *_lot(lot, strings))
        for number in numbers
    ]


def _open(number: int, *drawn: Any) -> Setting:
    return Setting(number, LOOKS[number % 2], *drawn)


def _lot(lot: np.random.Generator, choices: tuple[tuple[Any, ...], ...]) -> list[Any]:
    return [each[int(lot.integers(len(each)))] for each in choices]
