"""The clients' side of a bulletin inside the simulation: every client's look-up, held once for all of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import GOLDEN


class Board(NamedTuple):
    """Slot of each item (cells if cold), the stand-in for each hot item that is in the way of a cold rank, and the server's
    bounded index from an item to its slot."""

    slot_of: NDArray[np.int16]
    hot: NDArray[np.int32]
    stand_in: NDArray[np.int32]
    index_item: NDArray[np.int32]
    index_slot: NDArray[np.int16]


@kernel
def post(board: Board, item: NDArray[np.int32]) -> None:
    """Publish a hot list: what `Bulletin` computes for one client, for all of them."""
    cells, cold_size = item.size, board.slot_of.size - item.size
    for slot in range(cells):
        board.slot_of[board.hot[slot]] = cells
    for slot in range(cells):
        board.slot_of[item[slot]] = slot
        board.hot[slot] = item[slot]
        board.stand_in[slot] = -1
    next_cold = cold_size
    for hot in np.sort(item):
        if hot >= cold_size:
            break
        while board.slot_of[next_cold] < cells:
            next_cold += 1
        board.stand_in[board.slot_of[hot]] = next_cold
        next_cold += 1
    board.index_item[:] = -1
    for slot in range(cells):
        place = hashed(board.index_item, item[slot])
        while board.index_item[place] >= 0:
            place = (place + 1) & (board.index_item.size - 1)
        board.index_item[place] = item[slot]
        board.index_slot[place] = slot


@inlined
def hashed(index_item: NDArray[np.int32], item: int) -> int:
    """Where the search for an item begins in the index."""
    return np.int64((np.uint64(item) * GOLDEN) >> np.uint64(40)) & (index_item.size - 1)


@kernel
def read_names(board: Board, first_name: int, hot_is_hit: bool, symbols: NDArray[np.int64]) -> None:
    """Where a symbol names an item (from `first_name` on) that is hot, make it a hit on its slot, or else ⊥.

    BGR's symbols are items (first_name 0): those that are not hot become names. The server's own index answers, in
    memory that does not grow with the domain.
    """
    index_item, index_slot, mask, cells = board.index_item, board.index_slot, board.index_item.size - 1, board.hot.size
    for t in range(symbols.size):
        item = symbols[t] - first_name
        if item >= 0:
            place = hashed(index_item, item)
            while index_item[place] >= 0 and index_item[place] != item:
                place = (place + 1) & mask
            if index_item[place] >= 0:
                symbols[t] = index_slot[place] if hot_is_hit else cells
            else:
                symbols[t] = cells + 1 + item


def blank_board(cells: int, domain_size: int) -> Board:
    """A board with nothing on it."""
    index_size = 1 << (4 * cells - 1).bit_length()
    return Board(
        slot_of=np.full(domain_size, cells, np.int16),
        hot=np.zeros(cells, np.int32),
        stand_in=np.full(cells, -1, np.int32),
        index_item=np.full(index_size, -1, np.int32),
        index_slot=np.zeros(index_size, np.int16),
    )
