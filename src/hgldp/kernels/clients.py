"""Many clients at once: the board on which all of them read the bulletin, and their draws, one symbol an event.

The draws are the twins of the schemes' `randomize`.

Arrays are read where they are, not handed to an inlined function: that would cost a reference count each, every report.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.index import Index, blank_index, fill
from hgldp.kernels.words import draw, draw_below, first_kept

_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_SCALE = np.uint64(1 << 32)
Items = NDArray[np.int32]
Symbols = NDArray[np.int64]
Words = NDArray[np.uint64]


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


@inlined
def other_than(drawn: Any, truth: Any, own: Any) -> Any:
    """GRR with S = 2^32: the value itself below W, otherwise one of the others."""
    other = (drawn - truth) >> _32
    if other >= own:
        other += _1
    return own if drawn < truth else other


@kernel
def draw_full(words: Words, weights: Words, items: Items, out: Symbols) -> None:
    """GRR over the domain, weights (truth, total)."""
    truth, total, counter = weights[0], weights[1], words[0]
    kept = first_kept(total)
    for t in range(items.size):
        drawn, counter = draw(counter, total, kept)
        out[t] = other_than(drawn, truth, np.uint64(items[t]))
    words[0] = counter


@kernel
def add_reduced(words: Words, truth: Any, total: Any, board: Board, items: Items, counts: Symbols) -> None:
    """GRR over the slots and ⊥, each symbol counted at once: a quiet epoch needs to know no more."""
    slot_of, counter, kept = board.slot_of, words[0], first_kept(total)
    for t in range(items.size):
        drawn, counter = draw(counter, total, kept)
        counts[other_than(drawn, truth, np.uint64(slot_of[items[t]]))] += 1
    words[0] = counter


@kernel
def draw_lookout(words: Words, weights: Words, board: Board, items: Items, out: Symbols) -> None:
    """DSR while nominating, weights (truth, reduced total, full total, coin heads, coin sides)."""
    slot_of, first_name, counter = board.slot_of, np.uint64(board.hot.size + 1), words[0]
    truth, reduced, full, heads, sides = weights[0], weights[1], weights[2], weights[3], weights[4]
    for t in range(items.size):
        coin, counter = draw_below(counter, sides)
        if coin < heads:
            drawn, counter = draw_below(counter, full)
            out[t] = first_name + other_than(drawn, truth, np.uint64(items[t]))
        else:
            drawn, counter = draw_below(counter, reduced)
            out[t] = other_than(drawn, truth, np.uint64(slot_of[items[t]]))
    words[0] = counter


@kernel
def draw_two_rate(words: Words, weights: Words, board: Board, items: Items, out: Symbols) -> None:
    """TwoRateJudge, weights (total, own, noise over 2^32, keep)."""
    slot_of, stand_in, cells = board.slot_of, board.stand_in, np.int64(board.hot.size)
    total, own, step, keep = weights[0], weights[1], np.uint32(weights[2]), weights[3]
    cold_size, counter, kept = np.uint64(slot_of.size - cells), words[0], first_kept(weights[0])
    for t in range(items.size):
        item = np.int64(items[t])
        slot = np.int64(slot_of[item])
        drawn, counter = draw(counter, total, kept)
        symbol = np.int64(-1)
        if slot < cells:
            if drawn < own:
                symbol = slot
            else:
                other = np.int64(np.uint32((drawn - own) >> _32) // step)
                if other < cells - 1:
                    symbol = other if other < slot else other + 1
        else:
            other = np.int64(np.uint32(drawn >> _32) // step)
            if other < cells:
                symbol = other
            else:
                drawn, counter = draw(counter, _SCALE, _0)
                if drawn < keep:
                    symbol = cells + 1 + item
        if symbol < 0:
            drawn, counter = draw_below(counter, cold_size)
            rank = np.int64(drawn)
            in_the_way = np.int64(slot_of[rank])
            symbol = cells + 1 + (np.int64(stand_in[in_the_way]) if in_the_way < cells else rank)
        out[t] = symbol
    words[0] = counter


@kernel
def draw_split(words: Words, weights: Words, naming: Any, board: Board, items: Items, out: Symbols) -> None:
    """SplitJudge, weights (judge truth, judge total, value truth, value total hot, value total cold)."""
    slot_of, stand_in, hot, cells = board.slot_of, board.stand_in, board.hot, np.int64(board.hot.size)
    cold_size, counter = slot_of.size - cells, words[0]
    for t in range(items.size):
        item = np.int64(items[t])
        slot = np.int64(slot_of[item])
        is_hot = slot < cells
        flag, counter = draw_below(counter, weights[1])
        if (flag < weights[0]) == is_hot:
            drawn, counter = draw_below(counter, weights[3] if is_hot else np.uint64(cells))
            out[t] = other_than(drawn, weights[2], np.uint64(slot)) if is_hot else drawn
        elif naming == 0:
            out[t] = cells
        else:
            rank = item
            if item >= cold_size and not is_hot:
                for other in range(cells):
                    if stand_in[other] == item:
                        rank = np.int64(hot[other])
            drawn, counter = draw_below(counter, np.uint64(cold_size) if is_hot else weights[4])
            rank = np.int64(drawn if is_hot else other_than(drawn, weights[2], np.uint64(rank)))
            in_the_way = np.int64(slot_of[rank])
            out[t] = cells + 1 + (np.int64(stand_in[in_the_way]) if in_the_way < cells else rank)
    words[0] = counter
