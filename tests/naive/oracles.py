"""The slow obvious twin of every oracle kernel: randomise each item, ask each report about each value."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hgldp.mechanisms.base import Mechanism
from hgldp.model.randomness import Words


def scores(mechanism: Mechanism[Any], stream: npt.NDArray[np.int64], words: Words) -> list[int]:
    reports = [mechanism.randomize(int(item), words) for item in stream]
    return [sum(mechanism.support(report, value) for report in reports) for value in range(mechanism.size)]


def hadamard_rows(columns: list[int], width: int) -> list[int]:
    """Each block of columns times the Hadamard matrix, entry (−1)^(number of bits of row & column)."""
    return [
        sum((-1) ** (row & column).bit_count() * columns[start + column] for column in range(width))
        for start in range(0, len(columns), width)
        for row in range(width)
    ]
