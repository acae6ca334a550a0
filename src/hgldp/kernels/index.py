"""The server's own look-up from an item to its slot, in memory that does not grow with the domain."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import GOLDEN

EMPTY = -1


class Index(NamedTuple):
    """Open addressing over at least four places a cell."""

    item: NDArray[np.int32]
    slot: NDArray[np.int16]


@inlined
def hashed(item: Any, places: int) -> Any:
    """Where the search for an item begins."""
    return np.int64((np.uint64(item) * GOLDEN) >> np.uint64(40)) & (places - 1)


@kernel
def fill(index: Index, hot: NDArray[np.int32]) -> None:
    """Index a hot list."""
    index.item[:] = EMPTY
    for slot in range(hot.size):
        place = hashed(hot[slot], index.item.size)
        while index.item[place] != EMPTY:
            place = (place + 1) & (index.item.size - 1)
        index.item[place] = hot[slot]
        index.slot[place] = slot


@kernel
def read_names(index: Index, cells: Any, first_name: Any, hot_is_hit: bool, symbols: NDArray[np.int64]) -> None:
    """Rewrite each symbol from `first_name` on: a hot item becomes a hit or ⊥, a cold one cells + 1 + item."""
    item, slot, places = index.item, index.slot, index.item.size
    for t in range(symbols.size):
        name = symbols[t] - first_name
        if name >= 0:
            place = hashed(name, places)
            while item[place] != EMPTY and item[place] != name:
                place = (place + 1) & (places - 1)
            if item[place] == EMPTY:
                symbols[t] = cells + 1 + name
            else:
                symbols[t] = slot[place] if hot_is_hit else cells


def blank_index(cells: int) -> Index:
    """An index of nothing, large enough for so many cells."""
    places = 1 << (4 * cells - 1).bit_length()
    return Index(np.full(places, EMPTY, np.int32), np.zeros(places, np.int16))
