"""HeavyGuardian over whole batches (Yang et al., KDD 2018): hits in a branch-free sweep, then the misses one by one.

A guard is arrivals − decays. The weakest cell of a bucket is the first with the least guard; a free cell has guard 0.
Every held item except the weakest of its bucket is in `index`, one open-addressing table over all buckets, so that the
churn at the weakest cell never touches it. Hits on indexed cells commute with misses, until a weakest cell changes:
then the sweep's later hits are taken back, the bucket is settled, and the sweep starts again from there.
"""

from typing import Any

import numpy as np

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import GOLDEN, high_product, mix

KEY, ARRIVALS, DECAYS, BEFORE = range(4)
WEAKEST, LIMIT, LOST = range(3)
LIGHT_FULL = np.uint64(0xFFFF)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_LONGEST_SWEEP, _SHORTEST_SWEEP = np.uint64(256), np.uint64(16)
_NO_LIMIT = np.uint64(1 << 63)


@inlined
def home(item: Any, hashing: Any, size: Any) -> Any:
    """Where an item belongs among `size` places: multiply-shift hashing (Dietzfelbinger et al. 1997)."""
    return high_product(item * hashing[0] + hashing[1], size)


@inlined
def after(place: Any, size: Any) -> Any:
    """The next place of the index, around its end."""
    return place + _ONE if place + _ONE < size else _ZERO


@inlined
def _steps(start: Any, end: Any, size: Any) -> Any:
    """How many places lie between, around the end."""
    return end - start if end >= start else end + size - start


@kernel
def _enlist(slot: Any, keys: Any, index: Any, hashing: Any) -> None:
    """Put a cell into the index."""
    size, nobody = np.uint64(index.size), np.uint64(keys.size - 1)
    place = home(keys[slot], hashing, size)
    while np.uint64(index[place]) != nobody:
        place = after(place, size)
    index[place] = slot


@kernel
def _strike(slot: Any, keys: Any, index: Any, hashing: Any) -> None:
    """Take a cell out of the index and close the gap."""
    size, nobody = np.uint64(index.size), np.uint64(keys.size - 1)
    place = home(keys[slot], hashing, size)
    while np.uint64(index[place]) != slot:
        place = after(place, size)
    gap = place
    while True:
        place = after(place, size)
        moved = np.uint64(index[place])
        if moved == nobody:
            break
        if _steps(home(keys[moved], hashing, size), place, size) >= _steps(gap, place, size):
            index[gap] = moved
            gap = place
    index[gap] = nobody


@kernel
def settle(bucket: Any, cells: Any, buckets: Any, index: Any, hashing: Any) -> None:
    """Find the weakest cell and the largest guard up to which it stays the weakest, since other guards only grow."""
    keys, arrivals, decays = cells[KEY], cells[ARRIVALS], cells[DECAYS]
    width = np.uint64((keys.size - 1) // buckets.shape[1])
    first, end = bucket * width, bucket * width + width
    weakest, least = first, arrivals[first] - decays[first]
    for slot in range(first + _ONE, end):
        if arrivals[slot] - decays[slot] < least:
            weakest, least = slot, arrivals[slot] - decays[slot]
    limit = _NO_LIMIT
    for slot in range(first, weakest):
        limit = min(limit, arrivals[slot] - decays[slot] - _ONE)
    for slot in range(weakest + _ONE, end):
        limit = min(limit, arrivals[slot] - decays[slot])
    formerly = buckets[WEAKEST, bucket]
    buckets[WEAKEST, bucket], buckets[LIMIT, bucket] = weakest, limit
    if formerly != weakest:
        if arrivals[formerly]:
            _enlist(formerly, keys, index, hashing)
        if arrivals[weakest]:
            _strike(weakest, keys, index, hashing)


@kernel
def rebuild(cells: Any, buckets: Any, index: Any, hashing: Any) -> None:
    """Make the index and the weakest cells anew from the cells."""
    width = np.uint64((cells.shape[1] - 1) // buckets.shape[1])
    index[:] = cells.shape[1] - 1
    for bucket in range(np.uint64(buckets.shape[1])):
        buckets[WEAKEST, bucket] = bucket * width
        for slot in range(bucket * width + _ONE, bucket * width + width):
            if cells[ARRIVALS, slot]:
                _enlist(slot, cells[KEY], index, hashing)
        settle(bucket, cells, buckets, index, hashing)


@inlined
def admit(item: Any, count: Any, slot: Any, bucket: Any, cells: Any, buckets: Any) -> None:
    """The newcomer takes the cell; the bucket loses what the evicted item had, none of which was the newcomer's."""
    cells[BEFORE, slot] = buckets[LOST, bucket]
    buckets[LOST, bucket] += cells[ARRIVALS, slot]
    cells[KEY, slot], cells[ARRIVALS, slot], cells[DECAYS, slot] = item, count, _ZERO


@inlined
def lose(item: Any, count: Any, bucket: Any, buckets: Any, light: Any, hashing: Any) -> None:
    """Arrivals that no cell holds: counted by the bucket, and by one saturating counter of its light part."""
    buckets[LOST, bucket] += count
    if light.size:
        width = np.uint64(light.size // buckets.shape[1])
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
    keys, arrivals, decays = cells[KEY], cells[ARRIVALS], cells[DECAYS]
    weakest, limits = buckets[WEAKEST], buckets[LIMIT]
    size, nobody, beyond = np.uint64(index.size), np.uint64(keys.size - 1), np.uint64(thresholds.size - 1)
    shift = _ZERO
    while np.uint64(buckets.shape[1]) << shift < size:
        shift += _ONE
    homes, missed = np.empty(_LONGEST_SWEEP, np.uint32), np.empty(_LONGEST_SWEEP, np.uint32)
    word, start, sweep = words[0], _ZERO, _LONGEST_SWEEP
    while start < np.uint64(items.size):
        swept = min(sweep, np.uint64(items.size) - start)
        misses = _ZERO
        for offset in range(swept):
            item = items[start + offset]
            place = home(item, hashing, size)
            slot = np.uint64(index[place])
            hit = np.uint64(keys[slot] == item)
            arrivals[slot] += hit
            homes[offset], missed[misses] = place, offset
            misses += hit ^ _ONE
        sweep = min(sweep + sweep, _LONGEST_SWEEP)
        for miss in range(misses):
            offset = np.uint64(missed[miss])
            item, place = items[start + offset], np.uint64(homes[offset])
            bucket = place >> shift
            weak = weakest[bucket]
            if keys[weak] == item:
                arrivals[weak] += _ONE
                continue
            slot = np.uint64(index[place])
            if slot != nobody:
                while slot != nobody and keys[slot] != item:
                    place = after(place, size)
                    slot = np.uint64(index[place])
                if slot != nobody:
                    arrivals[slot] += _ONE
                    continue
            guard = arrivals[weak] - decays[weak]
            if guard > limits[bucket]:
                for later in range(offset, swept):
                    slot = np.uint64(index[homes[later]])
                    arrivals[slot] -= np.uint64(keys[slot] == items[start + later])
                settle(bucket, cells, buckets, index, hashing)
                swept, sweep = offset, max(sweep >> _ONE, _SHORTEST_SWEEP)
                break
            if guard > _ONE:
                word += GOLDEN
                decays[weak] += np.uint64((mix(word) < thresholds[min(guard, beyond)]) != inverted)
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
