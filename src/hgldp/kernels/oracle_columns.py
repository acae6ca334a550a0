"""Whole streams through GRR, Hadamard response and cyclic response: one report is one counter.

All weights are uint64; S is given by its power of two, `shift`. Each kernel draws exactly as the Python client does.
"""

from typing import Any

import numpy as np

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import draw, first_kept

_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def add_grr(stream: Any, truth: Any, shift: Any, scores: Any, state: Any) -> None:
    """Add the reports of a stream to the scores."""
    bound = truth + (np.uint64(scores.size - 1) << shift)
    kept = first_kept(bound)
    counter = state[0]
    for value in stream:
        own = np.uint64(value)
        drawn, counter = draw(counter, bound, kept)
        other = (drawn - truth) >> shift
        if other >= own:
            other += _1
        scores[own if drawn < truth else other] += 1
    state[0] = counter


@inlined
def odd(word: Any) -> Any:
    """The parity of the number of set bits of a word below 2^32."""
    word ^= word >> np.uint64(16)
    word ^= word >> np.uint64(8)
    word ^= word >> np.uint64(4)
    return (np.uint64(0x6996) >> (word & np.uint64(15))) & _1


@kernel
def add_hadamard(
    stream: Any, block_bits: Any, width_bits: Any, truth: Any, shift: Any, columns: Any, state: Any
) -> None:
    """Add the reports of a stream to the histogram of columns, 2^block_bits blocks of 2^width_bits."""
    blocks = _1 << block_bits
    half_width = _1 << (width_bits - _1)
    bound = truth + ((blocks + blocks - _1) << shift)
    kept = first_kept(bound)
    counter = state[0]
    for value in stream:
        own = np.uint64(value)
        block, row = own & (blocks - _1), _1 + (own >> block_bits)
        drawn, counter = draw(counter, bound, kept)
        inside, counter = draw(counter, half_width, _0)
        true = drawn < truth
        other = _0 if true else (drawn - truth) >> shift
        lowest = row & (~row + _1)
        column = inside + inside - (inside & (lowest - _1))
        column |= lowest * (odd(row & column) ^ (_0 if true else _1))
        block_drawn = (other - _1) >> _1
        if other > _0:
            block = block_drawn + (_1 if block_drawn >= block else _0)
            column = ((other - _1) & _1) * half_width + inside
        columns[(block << width_bits) + column] += 1
    state[0] = counter


@kernel
def add_cyclic(stream: Any, truth: Any, shift: Any, order: Any, members: Any, residues: Any, state: Any) -> None:
    """Add the reports of a stream to the histogram of residues; `order` holds the members of the set, then the rest."""
    modulus, inside = np.int64(order.size), members * truth
    bound = inside + ((np.uint64(order.size) - members) << shift)
    kept = first_kept(bound)
    counter = state[0]
    for value in stream:
        drawn, counter = draw(counter, bound, kept)
        place = drawn // truth if drawn < inside else members + ((drawn - inside) >> shift)
        report = np.int64(value) - np.int64(order[place])
        residues[report + modulus if report < 0 else report] += 1
    state[0] = counter


@kernel
def walsh_hadamard(columns: Any, width: Any) -> None:
    """Turn the histogram of each block of `width` columns into the sums of all its Hadamard rows, in place."""
    for start in range(0, columns.size, width):
        half = 1
        while half < width:
            for first in range(start, start + width, 2 * half):
                for place in range(first, first + half):
                    left, right = columns[place], columns[place + half]
                    columns[place], columns[place + half] = left + right, left - right
            half *= 2
