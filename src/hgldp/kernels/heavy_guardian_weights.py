"""HeavyGuardian with weights: many arrivals of one item in a row, decided by one word at a time."""

from typing import Any

import numpy as np

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.heavy_guardian import admit, after, home, lose, settle
from hgldp.kernels.words import GOLDEN, high_product, mix

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_WORD_BITS = 64


@inlined
def refusals(word: Any, survive: Any, arrivals: Any) -> Any:
    """How many of so many arrivals come before the first that decays, by inversion of one word.

    One arrival fails to decay with probability survive/2^64, n of them with its n-th power; products are rounded down,
    so that power is too small by at most n·2^-64. A result of `arrivals` or more means that none decays.
    """
    ladder = np.empty(_WORD_BITS, np.uint64)
    ladder[0] = survive
    rungs = 1
    while arrivals >> np.uint64(rungs):
        ladder[rungs] = high_product(ladder[rungs - 1], ladder[rungs - 1])
        rungs += 1
    refused, power = np.uint64(0), np.uint64(0)
    for rung in range(rungs - 1, -1, -1):
        longer = high_product(power, ladder[rung]) if refused else ladder[rung]
        if word < longer:
            power = longer
            refused += _ONE << np.uint64(rung)
    return refused


@kernel
def update_weighted(
    items: Any,
    weights: Any,
    cells: Any,
    buckets: Any,
    light: Any,
    index: Any,
    hashing: Any,
    thresholds: Any,
    inverted: Any,
    words: Any,
) -> None:
    """Every item arrives as often as its weight says, in a row; a decision takes one word, however many it covers."""
    size, nobody, beyond = np.uint64(index.size), np.uint64(cells.size - 1), np.uint64(thresholds.size - 1)
    for number in range(items.size):
        item, left = items[number], weights[number]
        bucket = home(item, hashing, np.uint64(buckets.size))
        place = home(item, hashing, size)
        slot = np.uint64(index[place])
        while slot != nobody and cells[slot].key != item:
            place = after(place, size)
            slot = np.uint64(index[place])
        if cells[buckets[bucket].weakest].key == item:
            slot = buckets[bucket].weakest
        if slot != nobody:
            cells[slot].arrivals += left
            continue
        while left:
            weak = buckets[bucket].weakest
            guard = cells[weak].arrivals - cells[weak].decays
            if guard > buckets[bucket].limit:
                settle(bucket, cells, buckets, index, hashing)
                continue
            refused, decayed = _ZERO, _ZERO
            if guard:
                words[0] += GOLDEN
                word, threshold = mix(words[0]), thresholds[min(guard, beyond)]
                decayed = _ONE
                if threshold:
                    refused = refusals(word if inverted else ~word, threshold if inverted else -threshold, left)
                elif inverted:
                    decayed = min(left, guard - beyond + _ONE)
                else:
                    refused = left
                if refused >= left:
                    lose(item, left, bucket, buckets, light, hashing)
                    break
                cells[weak].decays += decayed
                if decayed < guard:
                    lose(item, refused + decayed, bucket, buckets, light, hashing)
                    left -= refused + decayed
                    continue
                refused += decayed - _ONE
                lose(item, refused, bucket, buckets, light, hashing)
            admit(item, left - refused, weak, bucket, cells, buckets)
            break
