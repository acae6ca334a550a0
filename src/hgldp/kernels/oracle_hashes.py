"""Whole streams through OLH and RAPPOR: every report is asked about every value.

A value's residue is (a·v + b) mod P, so the next value's is one addition and one conditional subtraction away. All
weights are uint64; S is given by its power of two, `shift`. Each kernel draws exactly as the Python client does.
"""

from typing import Any

import numpy as np

from hgldp.kernels.compile import kernel
from hgldp.kernels.words import draw, first_kept, high_product

LANES = 256
_1 = np.uint64(1)


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
