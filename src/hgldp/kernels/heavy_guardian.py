"""HeavyGuardian over whole batches (Yang et al., KDD 2018): hits in a branch-free sweep, then the misses one by one.

A guard is arrivals − decays. The weakest cell of a bucket is the first with the least guard; a free cell has guard 0.
Every held item except the weakest of its bucket is in `index`, one open-addressing table over all buckets, so that the
churn at the weakest cell never touches it. Hits on indexed cells commute with misses, until a weakest cell changes:
then the sweep's later hits are taken back, the bucket is settled, and the sweep starts again from there.

A weight is many arrivals of one item in a row; one word at a time decides how many of them come to nothing.
"""

from typing import Any

import numpy as np

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import GOLDEN, high_product, mix

CELL = np.dtype([("key", "<u8"), ("arrivals", "<u8"), ("decays", "<u8"), ("before", "<u8")])
BUCKET = np.dtype([("weakest", "<u8"), ("limit", "<u8"), ("lost", "<u8")])
LIGHT_FULL = np.uint64(0xFFFF)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_LONGEST_SWEEP, _SHORTEST_SWEEP = np.uint64(256), np.uint64(16)
_NO_LIMIT = np.uint64(1 << 63)
_WORD_BITS = 64


@inlined
def home(item: Any, hashing: Any, size: Any) -> Any:
    """Where an item belongs among `size` places: multiply-shift hashing (Dietzfelbinger et al. 1997)."""
    return high_product(item * hashing[0] + hashing[1], size)


@kernel
def homes(items: Any, hashing: Any, size: Any) -> Any:
    """The same for many items."""
    found = np.empty(items.size, np.uint64)
    for number in range(items.size):
        found[number] = home(items[number], hashing, size)
    return found


@inlined
def after(place: Any, size: Any) -> Any:
    """The next place of the index, around its end."""
    return place + _ONE if place + _ONE < size else _ZERO


@inlined
def _steps(start: Any, end: Any, size: Any) -> Any:
    """How many places lie between, around the end."""
    return end - start if end >= start else end + size - start


@kernel
def _enlist(slot: Any, cells: Any, index: Any, hashing: Any) -> None:
    """Put a cell into the index."""
    size, nobody = np.uint64(index.size), np.uint64(cells.size - 1)
    place = home(cells[slot].key, hashing, size)
    while np.uint64(index[place]) != nobody:
        place = after(place, size)
    index[place] = slot


@kernel
def _strike(slot: Any, cells: Any, index: Any, hashing: Any) -> None:
    """Take a cell out of the index and close the gap."""
    size, nobody = np.uint64(index.size), np.uint64(cells.size - 1)
    place = home(cells[slot].key, hashing, size)
    while np.uint64(index[place]) != slot:
        place = after(place, size)
    gap = place
    while True:
        place = after(place, size)
        moved = np.uint64(index[place])
        if moved == nobody:
            break
        if _steps(home(cells[moved].key, hashing, size), place, size) >= _steps(gap, place, size):
            index[gap] = moved
            gap = place
    index[gap] = nobody


@kernel
def settle(bucket: Any, cells: Any, buckets: Any, index: Any, hashing: Any) -> None:
    """Find the weakest cell and the largest guard up to which it stays the weakest, since other guards only grow.

    A limit of 0 says that the weakest cell was the first free one: the next lies behind it, so that filling is linear.
    """
    width = np.uint64((cells.size - 1) // buckets.size)
    first, end = bucket * width, bucket * width + width
    formerly = buckets[bucket].weakest
    if buckets[bucket].limit == _ZERO:
        free = formerly
        while free < end and cells[free].arrivals:
            free += _ONE
        if free < end:
            buckets[bucket].weakest = free
            if formerly != free:
                _enlist(formerly, cells, index, hashing)
            return
    weakest, least = first, cells[first].arrivals - cells[first].decays
    for slot in range(first + _ONE, end):
        if cells[slot].arrivals - cells[slot].decays < least:
            weakest, least = slot, cells[slot].arrivals - cells[slot].decays
    limit = _NO_LIMIT
    for slot in range(first, weakest):
        limit = min(limit, cells[slot].arrivals - cells[slot].decays - _ONE)
    for slot in range(weakest + _ONE, end):
        limit = min(limit, cells[slot].arrivals - cells[slot].decays)
    buckets[bucket].weakest, buckets[bucket].limit = weakest, limit
    if formerly != weakest:
        if cells[formerly].arrivals:
            _enlist(formerly, cells, index, hashing)
        if cells[weakest].arrivals:
            _strike(weakest, cells, index, hashing)


@kernel
def rebuild(cells: Any, buckets: Any, index: Any, hashing: Any) -> None:
    """Rebuild the index and the weakest cells from the cells."""
    width = np.uint64((cells.size - 1) // buckets.size)
    index[:] = cells.size - 1
    for bucket in range(np.uint64(buckets.size)):
        buckets[bucket].weakest, buckets[bucket].limit = bucket * width, _ZERO
        for slot in range(bucket * width + _ONE, bucket * width + width):
            if cells[slot].arrivals:
                _enlist(slot, cells, index, hashing)
        settle(bucket, cells, buckets, index, hashing)


@inlined
def admit(item: Any, count: Any, slot: Any, bucket: Any, cells: Any, buckets: Any) -> None:
    """The newcomer takes the cell; the bucket loses what the evicted item had, none of which was the newcomer's."""
    cells[slot].before = buckets[bucket].lost
    buckets[bucket].lost += cells[slot].arrivals
    cells[slot].key, cells[slot].arrivals, cells[slot].decays = item, count, _ZERO


@inlined
def lose(item: Any, count: Any, bucket: Any, buckets: Any, light: Any, hashing: Any) -> None:
    """Arrivals that no cell holds: counted by the bucket, and by one saturating counter of its light part."""
    buckets[bucket].lost += count
    if light.size:
        width = np.uint64(light.size // buckets.size)
        place = bucket * width + high_product(mix(item * hashing[0] + hashing[1]), width)
        light[place] = min(np.uint64(light[place]) + min(count, LIGHT_FULL), LIGHT_FULL)


@kernel
def update_units(
    items: Any,
    cells: Any,
    buckets: Any,
    light: Any,
    index: Any,
    hashing: Any,
    thresholds: Any,
    inverted: Any,
    words: Any,
) -> None:
    """Every item arrives once, in order."""
    size, nobody, beyond = np.uint64(index.size), np.uint64(cells.size - 1), np.uint64(thresholds.size - 1)
    shift = _ZERO
    while np.uint64(buckets.size) << shift < size:
        shift += _ONE
    places, missed = np.empty(_LONGEST_SWEEP, np.uint32), np.empty(_LONGEST_SWEEP, np.uint32)
    word, start, sweep = words[0], _ZERO, _LONGEST_SWEEP
    while start < np.uint64(items.size):
        swept = min(sweep, np.uint64(items.size) - start)
        misses = _ZERO
        for offset in range(swept):
            item = items[start + offset]
            place = home(item, hashing, size)
            slot = np.uint64(index[place])
            hit = np.uint64(cells[slot].key == item)
            cells[slot].arrivals += hit
            places[offset], missed[misses] = place, offset
            misses += hit ^ _ONE
        sweep = min(sweep + sweep, _LONGEST_SWEEP)
        for miss in range(misses):
            reached = np.uint64(missed[miss])
            item, place = items[start + reached], np.uint64(places[reached])
            bucket = place >> shift
            weak = buckets[bucket].weakest
            if cells[weak].key == item:
                cells[weak].arrivals += _ONE
                continue
            slot = np.uint64(index[place])
            if slot != nobody:
                while slot != nobody and cells[slot].key != item:
                    place = after(place, size)
                    slot = np.uint64(index[place])
                if slot != nobody:
                    cells[slot].arrivals += _ONE
                    continue
            guard = cells[weak].arrivals - cells[weak].decays
            if guard > buckets[bucket].limit:
                for later in range(reached, swept):
                    slot = np.uint64(index[places[later]])
                    cells[slot].arrivals -= np.uint64(cells[slot].key == items[start + later])
                settle(bucket, cells, buckets, index, hashing)
                swept, sweep = reached, max(sweep >> _ONE, _SHORTEST_SWEEP)
                break
            if guard > _ONE:
                word += GOLDEN
                cells[weak].decays += np.uint64((mix(word) < thresholds[min(guard, beyond)]) != inverted)
                lose(item, _ONE, bucket, buckets, light, hashing)
                continue
            if guard:
                word += GOLDEN
                if (mix(word) < thresholds[1]) == inverted:
                    lose(item, _ONE, bucket, buckets, light, hashing)
                    continue
            admit(item, _ONE, weak, bucket, cells, buckets)
        start += swept
    words[0] = word


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
