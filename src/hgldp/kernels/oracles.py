"""Whole streams through the one-shot mechanisms. Each kernel draws exactly as the Python client does.

GRR, Hadamard response and cyclic response add to one counter a report. In OLH and RAPPOR every report is asked about
every value: a value's residue is (a·v + b) mod P, so the next value's is one addition and one conditional subtraction
away. In unary encoding and subset selection a report is a mask over all values. All weights are uint64; S is given by
its power of two, `shift`.
"""

from typing import Any

import numpy as np

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import draw, draw_below, first_kept, high_product

LANES = 256
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


@kernel
def add_olh(
    stream: Any, buckets: Any, prime: Any, truth: Any, shift: Any, residues: Any, scores: Any, state: Any
) -> None:
    """Add the reports of a stream to the int32 scores.

    `residues` is work space, uint32. The scores are padded to a multiple of its length: that many values stride side
    by side, in vector registers. Residues are counted from the bucket's first one, so that one comparison decides.
    """
    lanes = residues.size
    prime32 = np.uint32(prime)
    slopes = prime - _1
    bound = truth + ((buckets - _1) << shift)
    kept_slope, kept_offset, kept = first_kept(slopes), first_kept(prime), first_kept(bound)
    counter = state[0]
    for value in stream:
        slope, counter = draw(counter, slopes, kept_slope)
        slope += _1
        offset, counter = draw(counter, prime, kept_offset)
        drawn, counter = draw(counter, bound, kept)
        bucket = (slope * np.uint64(value) + offset) % prime * buckets // prime
        if drawn >= truth:
            other = (drawn - truth) >> shift
            bucket = other + _1 if other >= bucket else other
        first = (bucket * prime + buckets - _1) // buckets
        end = ((bucket + _1) * prime + buckets - _1) // buckets
        held = np.uint32(end - first)
        residue = (offset + prime - first) % prime
        for lane in range(lanes):
            residues[lane] = residue
            residue += slope
            if residue >= prime:
                residue -= prime
        stride = np.uint32(slope * np.uint64(lanes) % prime)
        for start in range(0, scores.size, lanes):
            part = scores[start : start + lanes]
            for lane in range(lanes):
                here = residues[lane]
                if here < held:
                    part[lane] += np.int32(1)
                here = np.uint32(here + stride)
                residues[lane] = min(here, np.uint32(here - prime32))
    state[0] = counter


@kernel
def add_rappor(
    stream: Any, bits: Any, hashes: Any, prime: Any, cells: Any, truth: Any, scale: Any, scores: Any, state: Any
) -> None:
    """Add the reports of a stream to the scores.

    `cells` is ⌈2^64·bits/P⌉ for P > bits: ⌊y·bits/P⌋ is the upper half of y·cells, exactly, for all y < P < 2^32.
    """
    slopes = prime - _1
    bound = truth + scale
    kept_slope, kept_offset, kept = first_kept(slopes), first_kept(prime), first_kept(bound)
    slope, offset = np.empty(hashes, np.uint64), np.empty(hashes, np.uint64)
    mask = np.empty(bits, np.int64)
    counter = state[0]
    for value in stream:
        mask[:] = 0
        for function in range(hashes):
            drawn, counter = draw(counter, slopes, kept_slope)
            slope[function] = drawn + _1
            offset[function], counter = draw(counter, prime, kept_offset)
            mask[high_product((slope[function] * np.uint64(value) + offset[function]) % prime, cells)] = 1
        for bit in range(mask.size):
            drawn, counter = draw(counter, bound, kept)
            mask[bit] ^= drawn < scale
        for function in range(hashes):
            residue, stride = offset[function], slope[function]
            for item in range(scores.size):
                scores[item] += mask[high_product(residue, cells)]
                residue += stride
                if residue >= prime:
                    residue -= prime
    state[0] = counter


@kernel
def add_unary(stream: Any, own_set: Any, own_bound: Any, set_weight: Any, bound: Any, scores: Any, state: Any) -> None:
    """Add the reports of a stream to the scores: one draw a bit."""
    kept_own, kept = first_kept(own_bound), first_kept(bound)
    counter = state[0]
    for value in stream:
        for bit in range(value):
            drawn, counter = draw(counter, bound, kept)
            scores[bit] += drawn < set_weight
        drawn, counter = draw(counter, own_bound, kept_own)
        scores[value] += drawn < own_set
        for bit in range(value + 1, scores.size):
            drawn, counter = draw(counter, bound, kept)
            scores[bit] += drawn < set_weight
    state[0] = counter


@kernel
def add_subset(stream: Any, chosen: Any, include: Any, exclude: Any, taken: Any, scores: Any, state: Any) -> None:
    """Add the reports of a stream to the scores; `taken` is work space, the number of the last report to hold each."""
    bound = include + exclude
    kept = first_kept(bound)
    others = np.uint64(scores.size - 1)
    counter = state[0]
    taken[:] = -1
    for report, value in enumerate(stream):
        drawn, counter = draw(counter, bound, kept)
        included = drawn < include
        own = np.uint64(value)
        first = others - chosen
        if included:
            scores[own] += 1
            first += _1
        for last in range(first, others):
            other, counter = draw_below(counter, np.uint64(last) + _1)
            if taken[other] == report:
                other = np.uint64(last)
            taken[other] = report
            scores[other + _1 if other >= own else other] += 1
    state[0] = counter
