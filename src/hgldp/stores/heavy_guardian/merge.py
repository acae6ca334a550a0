"""Two HeavyGuardians into one."""

import numpy as np

from hgldp.kernels.heavy_guardian import CELL, LIGHT_FULL, homes
from hgldp.model.randomness import WORD_MASK
from hgldp.stores.heavy_guardian.content import FREE, Content
from hgldp.stores.heavy_guardian.shape import Shape


def merged(shape: Shape, left: Content, right: Content) -> Content:
    """Common items add up; an item that one side does not hold may have been in all that side's bucket lost.

    Each bucket keeps its largest guards (then the largest counts, then the smallest items) and loses the rest.
    """
    hashing, first_word = shape.start()
    sides = [side.cells[side.cells["arrivals"] > 0] for side in (left, right)]
    both = np.concatenate(sides)
    items, number = np.unique(both["key"], return_inverse=True)
    buckets = homes(items, hashing, np.uint64(shape.buckets)).astype(np.int64)
    pool = np.zeros(items.size, CELL)
    pool["key"] = items
    for field in ("arrivals", "decays", "before"):
        np.add.at(pool[field], number, both[field])
    for held, side in zip(sides, (left, right), strict=True):
        absent = ~np.isin(items, held["key"])
        pool["before"][absent] += side.lost[buckets[absent]]
    order = np.lexsort((items, ~pool["arrivals"], ~(pool["arrivals"] - pool["decays"]), buckets))
    pool, buckets = pool[order], buckets[order]
    rank = np.arange(items.size) - np.searchsorted(buckets, buckets)
    kept = rank < shape.heavy_cells
    cells = np.zeros(shape.cells, CELL)
    cells["key"] = FREE
    cells[buckets[kept] * shape.heavy_cells + rank[kept]] = pool[kept]
    lost = left.lost + right.lost
    np.add.at(lost, buckets[~kept], pool["arrivals"][~kept])
    light = np.minimum(left.light.astype(np.uint64) + right.light, LIGHT_FULL).astype(np.uint16)
    return Content(cells, lost, light, (left.words + right.words - first_word) & WORD_MASK)
