"""What a HeavyGuardian has learnt: as bytes, and that of two sketches merged into one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState
from hgldp.kernels.heavy_guardian import CELL, LIGHT_FULL, homes
from hgldp.model.randomness import WORD_MASK
from hgldp.model.validate import LARGEST_63
from hgldp.stores.heavy_guardian.shape import Shape
from hgldp.stores.state_frame import StateFrame

FREE = (1 << 64) - 1
MOST_WEIGHT = LARGEST_63
FRAME = StateFrame("HeavyGuardian", mark=b"HGUA\x01", fields="?2xIIIdQQ")


class Content(NamedTuple):
    """What a HeavyGuardian has learnt: everything else follows from it and the shape."""

    cells: NDArray[np.void]
    lost: NDArray[np.uint64]
    light: NDArray[np.uint16]
    words: int

    def frozen(self) -> "Content":
        """A copy that later arrivals do not change."""
        return Content(self.cells.copy(), self.lost.copy(), self.light.copy(), self.words)


def pack(shape: Shape, content: Content) -> bytes:
    """The same number of bytes for the same shape, whatever was seen."""
    sizes = (shape.buckets, shape.heavy_cells, shape.light_cells)
    arrays = (content.cells.tobytes(), content.lost.astype("<u8").tobytes(), content.light.astype("<u2").tobytes())
    return FRAME.write(shape.inverted_decay, *sizes, float(shape.decay_base), shape.seed, content.words, body=arrays)


def unpack(data: bytes) -> tuple[Shape, Content]:
    """Refuses anything but what `pack` can have written."""
    (inverted, buckets, heavy, light, base, seed, words), body = FRAME.read(data)
    try:
        shape = Shape(buckets, heavy, light, base, seed, inverted)
    except InvalidField as broken:
        raise MalformedState(f"HeavyGuardian must have a legal shape: {broken}") from broken
    cells = body.array(CELL, shape.cells)
    lost = body.array("<u8", shape.buckets).astype(np.uint64)
    light_part = body.array("<u2", shape.buckets * shape.light_cells).astype(np.uint16)
    body.finish()
    content = Content(cells, lost, light_part, words)
    _check(shape, content)
    return shape, content


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


def _check(shape: Shape, content: Content) -> None:
    cells = content.cells.reshape(shape.buckets, shape.heavy_cells)
    held = cells["arrivals"] > 0
    if any(cells[field][~held].any() for field in ("decays", "before")) or (cells["key"][~held] != FREE).any():
        raise MalformedState("HeavyGuardian must leave free cells empty")
    if (cells["decays"][held] >= cells["arrivals"][held]).any():
        raise MalformedState("HeavyGuardian must keep every guard above 0")
    if (cells["before"] > content.lost[:, None]).any():
        raise MalformedState("HeavyGuardian must not bound an item by more than its bucket lost")
    if sum(cells["arrivals"].ravel().tolist()) + sum(content.lost.tolist()) > MOST_WEIGHT:
        raise MalformedState("HeavyGuardian must have a total weight below 2^63")
    if (content.light.reshape(shape.buckets, shape.light_cells).sum(axis=1, dtype=np.uint64) > content.lost).any():
        raise MalformedState("HeavyGuardian must not have a light part heavier than what its bucket lost")
    keys = cells["key"][held]
    if np.unique(keys).size != keys.size or (keys == FREE).any():
        raise MalformedState("HeavyGuardian must hold distinct items")
    if (homes(keys, shape.start()[0], np.uint64(shape.buckets)) != np.nonzero(held)[0]).any():
        raise MalformedState("HeavyGuardian must hold every item in its own bucket")
