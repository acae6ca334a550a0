"""A bulletin inside the simulation: every client's look-up, held once for all of them, beside the server's index."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import kernel
from hgldp.kernels.index import Index, blank_index, fill


class Board(NamedTuple):
    """The slot of each item (`cells` if cold), the hot list, and a stand-in for each hot item among the cold ranks."""

    slot_of: NDArray[np.int16]
    hot: NDArray[np.int32]
    stand_in: NDArray[np.int32]
    lookup: Index


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
    fill(board.lookup, item)


def blank_board(cells: int, domain_size: int) -> Board:
    """A board with nothing on it."""
    slot_of, hot = np.full(domain_size, cells, np.int16), np.zeros(cells, np.int32)
    return Board(slot_of, hot, np.full(cells, -1, np.int32), blank_index(cells))
