"""Ranks of cold items without a table, for a hot list that changes with every report.

The same stand-ins as `Bulletin`'s: the hot items below cold_size, in order, give their rank to the cold items above it,
in order. Only a rank that a hot item is in the way of needs a search, and that is rare.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel


@kernel
def stand_in(slot_of: NDArray[np.int16], hot: NDArray[np.int32], rank: int) -> int:
    """The cold item whose rank is that of a hot item in the way."""
    before = 0
    for slot in range(hot.size):
        if hot[slot] < rank:
            before += 1
    item = slot_of.size - hot.size
    while before > 0 or slot_of[item] < hot.size:
        if slot_of[item] >= hot.size:
            before -= 1
        item += 1
    return item


@kernel
def stood_for(slot_of: NDArray[np.int16], hot: NDArray[np.int32], item: int) -> int:
    """The rank of a cold item above cold_size: the hot item that it stands in for."""
    cold_size = slot_of.size - hot.size
    before = 0
    for other in range(cold_size, item):
        if slot_of[other] >= hot.size:
            before += 1
    rank: Any = -1
    for _ in range(before + 1):
        following: Any = cold_size
        for slot in range(hot.size):
            if rank < hot[slot] < following:
                following = np.int64(hot[slot])
        rank = following
    return int(rank)
