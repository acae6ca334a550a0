"""Clients and server over a whole stream, fused: one kernel a scheme, identical to the step-by-step objects.

Each kernel runs a piece of the stream in blocks and ends epochs where they end; call it again for the next piece.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.clients import Board, add_reduced, draw_full, draw_lookout, draw_split, draw_two_rate, post
from hgldp.kernels.compile import kernel
from hgldp.kernels.hot_list import EPOCH_LENGTH, IN_EPOCH, NOMINATING, ON_HOT_SIDE, Cells, Rule, absorb, renew
from hgldp.kernels.index import read_names
from hgldp.kernels.light import Light, count_symbols

BLOCK = 4096
Weights = NDArray[np.uint64]
Items = NDArray[np.int32]
Symbols = NDArray[np.int64]


class Server(NamedTuple):
    """What the server holds and goes by; `readings` has a row for the quiet regime and one for the nominating one."""

    cells: Cells
    light: Light
    rule: Rule
    readings: NDArray[np.float64]
    decay: NDArray[np.uint64]


@kernel
def block_end(server: Server, position: Any, stop: int) -> Any:
    """Where the block, the epoch or the stream ends, whichever comes first."""
    counter = server.cells.counter
    return min(stop, position + min(BLOCK, counter[EPOCH_LENGTH] - counter[IN_EPOCH]))


@kernel
def book(server: Server, board: Board, reports: int, on_hot_side: Any) -> None:
    """Book counted reports; at the end of an epoch, seal it and publish the next list."""
    cells, counter = server.cells, server.cells.counter
    counter[ON_HOT_SIDE] += on_hot_side
    counter[IN_EPOCH] += reports
    if counter[IN_EPOCH] >= counter[EPOCH_LENGTH]:
        absorb(cells, server.readings[counter[NOMINATING]])
        if renew(cells, server.light, server.rule) > 0:
            post(board, cells.item)


@kernel
def count_block(server: Server, board: Board, symbols: Symbols) -> None:
    """Count a block of symbols in order of arrival."""
    cells = server.cells
    rule = server.rule
    hot = count_symbols(cells.hits, server.light, cells.words, server.decay, symbols, rule.structure, rule.salt)
    book(server, board, symbols.size, hot)


@kernel
def quiet_block(server: Server, board: Board, words: Weights, truth: Any, total: Any, items: Items) -> None:
    """A block without nominations: only hits are counted, in any order."""
    hits = server.cells.hits
    counts = np.zeros(hits.size + 1, np.int64)
    add_reduced(words, truth, total, board, items, counts)
    hits += counts[:-1]
    book(server, board, items.size, items.size - counts[-1])


@kernel
def run_bgr(server: Server, board: Board, words: Weights, weights: Weights, stream: Items) -> None:
    """BGR over a piece of the stream."""
    symbols, position = np.empty(BLOCK, np.int64), 0
    while position < stream.size:
        end = block_end(server, position, stream.size)
        block = symbols[: end - position]
        draw_full(words, weights, stream[position:end], block)
        read_names(board.lookup, board.hot.size, 0, True, block)  # noqa: FBT003
        count_block(server, board, block)
        position = end


@kernel
def run_dsr(server: Server, board: Board, words: Weights, weights: Weights, stream: Items) -> None:
    """DSR over a piece of the stream."""
    symbols, position = np.empty(BLOCK, np.int64), 0
    while position < stream.size:
        end = block_end(server, position, stream.size)
        block = symbols[: end - position]
        if server.cells.counter[NOMINATING] == 0:
            quiet_block(server, board, words, weights[0], weights[1], stream[position:end])
        else:
            draw_lookout(words, weights, board, stream[position:end], block)
            read_names(board.lookup, board.hot.size, board.hot.size + 1, False, block)  # noqa: FBT003
            count_block(server, board, block)
        position = end


@kernel
def run_tight(server: Server, board: Board, words: Weights, weights: Weights, stream: Items) -> None:
    """BDR and CNR with the tight judge; two more weights, (truth, total), for the quiet regime."""
    symbols, position = np.empty(BLOCK, np.int64), 0
    while position < stream.size:
        end = block_end(server, position, stream.size)
        block = symbols[: end - position]
        if server.cells.counter[NOMINATING] == 0:
            quiet_block(server, board, words, weights[4], weights[5], stream[position:end])
        else:
            draw_two_rate(words, weights, board, stream[position:end], block)
            count_block(server, board, block)
        position = end


@kernel
def run_split(server: Server, board: Board, words: Weights, weights: Weights, stream: Items) -> None:
    """BDR and CNR with the printed split."""
    symbols, position = np.empty(BLOCK, np.int64), 0
    while position < stream.size:
        end = block_end(server, position, stream.size)
        block = symbols[: end - position]
        draw_split(words, weights, server.cells.counter[NOMINATING], board, stream[position:end], block)
        count_block(server, board, block)
        position = end
