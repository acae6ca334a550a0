"""Many clients' draws at once: the twins of the schemes' `randomize`, one symbol an event.

Arrays are read where they are, not handed to an inlined function: that would cost a reference count each, every report.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.board import Board
from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import below

_32 = np.uint64(32)
_SCALE = np.uint64(1 << 32)
Items = NDArray[np.int32]
Symbols = NDArray[np.int64]
Words = NDArray[np.uint64]


@inlined
def grr(words: Words, truth: Any, total: Any, value: Any) -> Any:
    """GRR with S = 2^32: the value itself below W, otherwise one of the others."""
    draw = below(words, total)
    if draw < truth:
        return value
    other = np.int64((draw - truth) >> _32)
    return other if other < value else other + 1


@kernel
def draw_full(words: Words, weights: Words, items: Items, out: Symbols) -> None:
    """GRR over the domain, weights (truth, total)."""
    for t in range(items.size):
        out[t] = grr(words, weights[0], weights[1], np.int64(items[t]))


@kernel
def draw_reduced(words: Words, truth: Any, total: Any, board: Board, items: Items, out: Symbols) -> None:
    """GRR over the slots and ⊥."""
    slot_of = board.slot_of
    for t in range(items.size):
        out[t] = grr(words, truth, total, np.int64(slot_of[items[t]]))


@kernel
def draw_lookout(words: Words, weights: Words, board: Board, items: Items, out: Symbols) -> None:
    """DSR while nominating, weights (truth, reduced total, full total, coin heads, coin sides)."""
    slot_of, first_name = board.slot_of, board.hot.size + 1
    for t in range(items.size):
        if below(words, weights[4]) < weights[3]:
            out[t] = first_name + grr(words, weights[0], weights[2], np.int64(items[t]))
        else:
            out[t] = grr(words, weights[0], weights[1], np.int64(slot_of[items[t]]))


@kernel
def draw_two_rate(words: Words, weights: Words, board: Board, items: Items, out: Symbols) -> None:
    """TwoRateJudge, weights (total, own, noise over 2^32, keep)."""
    slot_of, stand_in, cells = board.slot_of, board.stand_in, np.int64(board.hot.size)
    total, own, step, keep = weights[0], weights[1], np.uint32(weights[2]), weights[3]
    cold_size = np.uint64(slot_of.size - cells)
    for t in range(items.size):
        item = np.int64(items[t])
        slot = np.int64(slot_of[item])
        draw = below(words, total)
        symbol = np.int64(-1)
        if slot < cells:
            if draw < own:
                symbol = slot
            else:
                other = np.int64(np.uint32((draw - own) >> _32) // step)
                if other < cells - 1:
                    symbol = other if other < slot else other + 1
        else:
            other = np.int64(np.uint32(draw >> _32) // step)
            if other < cells:
                symbol = other
            elif below(words, _SCALE) < keep:
                symbol = cells + 1 + item
        if symbol < 0:
            rank = np.int64(below(words, cold_size))
            in_the_way = np.int64(slot_of[rank])
            symbol = cells + 1 + (np.int64(stand_in[in_the_way]) if in_the_way < cells else rank)
        out[t] = symbol


@kernel
def draw_split(words: Words, weights: Words, naming: Any, board: Board, items: Items, out: Symbols) -> None:
    """SplitJudge, weights (judge truth, judge total, value truth, value total hot, value total cold)."""
    slot_of, stand_in, hot, cells = board.slot_of, board.stand_in, board.hot, np.int64(board.hot.size)
    cold_size = slot_of.size - cells
    for t in range(items.size):
        item = np.int64(items[t])
        slot = np.int64(slot_of[item])
        honest = below(words, weights[1]) < weights[0]
        if honest == (slot < cells):
            if slot < cells:
                out[t] = grr(words, weights[2], weights[3], slot)
            else:
                out[t] = np.int64(below(words, np.uint64(cells)))
        elif naming == 0:
            out[t] = cells
        else:
            if slot < cells:
                rank: Any = np.int64(below(words, np.uint64(cold_size)))
            else:
                rank = item
                if item >= cold_size:
                    for other in range(cells):
                        if stand_in[other] == item:
                            rank = np.int64(hot[other])
                rank = grr(words, weights[2], weights[4], rank)
            in_the_way = np.int64(slot_of[rank])
            out[t] = cells + 1 + (np.int64(stand_in[in_the_way]) if in_the_way < cells else rank)
