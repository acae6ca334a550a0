"""A HeavyGuardian as bytes: a header, the cells, what each bucket lost, the light part, a checksum; little-endian."""

import struct
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState
from hgldp.kernels.heavy_guardian import CELL, homes
from hgldp.stores.heavy_guardian.shape import Shape

FREE = (1 << 64) - 1
MOST_WEIGHT = (1 << 63) - 1
_MAGIC, _VERSION = b"HGUA", 1
_HEADER = struct.Struct("<4sB?2xIIIdQQ")
_CHECKSUM = struct.Struct("<I")


class Content(NamedTuple):
    """What a HeavyGuardian has learnt: everything else follows from it and the shape."""

    cells: NDArray[np.void]
    lost: NDArray[np.uint64]
    light: NDArray[np.uint16]
    words: int


def pack(shape: Shape, content: Content) -> bytes:
    """The same number of bytes for the same shape, whatever was seen."""
    sizes = (shape.buckets, shape.heavy_cells, shape.light_cells)
    header = _HEADER.pack(
        _MAGIC, _VERSION, shape.inverted_decay, *sizes, float(shape.decay_base), shape.seed, content.words
    )
    arrays = (content.cells.tobytes(), content.lost.astype("<u8").tobytes(), content.light.astype("<u2").tobytes())
    body = header + b"".join(arrays)
    return body + _CHECKSUM.pack(crc32(body))


def unpack(data: bytes) -> tuple[Shape, Content]:
    """Anything but what `pack` can have written is refused."""
    shape, words = _read_header(data)
    light_cells = shape.buckets * shape.light_cells
    cells_end = _HEADER.size + shape.cells * CELL.itemsize
    lost_end = cells_end + shape.buckets * 8
    light_end = lost_end + light_cells * 2
    if len(data) != light_end + _CHECKSUM.size:
        raise MalformedState("state must be as long as its header says")
    if _CHECKSUM.pack(crc32(data[:light_end])) != bytes(data[light_end:]):
        raise MalformedState("state must agree with its checksum")
    cells = np.frombuffer(data, CELL, shape.cells, _HEADER.size)
    lost = np.frombuffer(data, "<u8", shape.buckets, cells_end).astype(np.uint64)
    light = np.frombuffer(data, "<u2", light_cells, lost_end).astype(np.uint16)
    content = Content(cells, lost, light, words)
    _check(shape, content)
    return shape, content


def _read_header(data: bytes) -> tuple[Shape, int]:
    if not isinstance(data, bytes | bytearray | memoryview) or len(data) < _HEADER.size + _CHECKSUM.size:
        raise MalformedState("state must be bytes, at least as many as a header and a checksum")
    magic, version, inverted, buckets, heavy, light, base, seed, words = _HEADER.unpack_from(data)
    if magic != _MAGIC or version != _VERSION:
        raise MalformedState(f"state must begin with the mark of a HeavyGuardian of version {_VERSION}")
    try:
        return Shape(buckets, heavy, light, base, seed, inverted), words
    except InvalidField as broken:
        raise MalformedState(f"state must have a legal shape: {broken}") from broken


def _check(shape: Shape, content: Content) -> None:
    cells = content.cells.reshape(shape.buckets, shape.heavy_cells)
    held = cells["arrivals"] > 0
    if any(cells[field][~held].any() for field in ("decays", "before")) or (cells["key"][~held] != FREE).any():
        raise MalformedState("state must leave free cells empty")
    if (cells["decays"][held] >= cells["arrivals"][held]).any():
        raise MalformedState("state must keep every guard above 0")
    if (cells["before"] > content.lost[:, None]).any():
        raise MalformedState("state must not bound an item by more than its bucket lost")
    if sum(cells["arrivals"].ravel().tolist()) + sum(content.lost.tolist()) > MOST_WEIGHT:
        raise MalformedState("state must have a total weight below 2^63")
    if (content.light.reshape(shape.buckets, shape.light_cells).sum(axis=1, dtype=np.uint64) > content.lost).any():
        raise MalformedState("state must not have a light part heavier than what its bucket lost")
    keys = cells["key"][held]
    if np.unique(keys).size != keys.size or (keys == FREE).any():
        raise MalformedState("state must hold distinct items")
    if (homes(keys, shape.start()[0], np.uint64(shape.buckets)) != np.nonzero(held)[0]).any():
        raise MalformedState("state must hold every item in its own bucket")
