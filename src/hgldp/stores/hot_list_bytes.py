"""The hot list as bytes: a header, then every array in fixed-width little-endian fields."""

import struct

import numpy as np

from hgldp.errors import InvalidField, MalformedState
from hgldp.kernels.hot_list import COUNTERS, IN_EPOCH, Cells, Rule
from hgldp.kernels.light import Light, empty_light, settle

_MAGIC = b"hgL1"
_HEADER = struct.Struct("<4sHHIIdd?7x")


def _layout(cells: int, light: int) -> list[tuple[str, type[np.generic], str, int]]:
    return [
        ("item", np.int32, "<i4", cells),
        ("prior", np.int32, "<i4", cells),
        ("score", np.float64, "<f8", cells),
        ("noise", np.float64, "<f8", cells),
        ("spread", np.float64, "<f8", cells),
        ("seen", np.int64, "<i8", cells),
        ("light_item", np.int32, "<i4", light),
        ("light_votes", np.int32, "<u2", light),
        ("counter", np.int64, "<i8", COUNTERS),
        ("words", np.uint64, "<u8", 1),
    ]


def pack(cells: Cells, light: Light, rule: Rule) -> bytes:
    """Only between epochs: an open tally is not part of the state."""
    if cells.counter[IN_EPOCH]:
        raise InvalidField("state", "must be sealed before it is serialised", f"{cells.counter[IN_EPOCH]} open reports")
    size, light_size = cells.item.size, light.item.size
    fields = (rule.k, rule.first_epoch, rule.growth, rule.decay_base, rule.always_nominating)
    named = cells._asdict() | {"light_item": light.item, "light_votes": light.votes}
    arrays = (named[name].astype(kind).tobytes() for name, _, kind, _ in _layout(size, light_size))
    return _HEADER.pack(_MAGIC, size, light_size, *fields) + b"".join(arrays)


def unpack(data: bytes) -> tuple[Cells, Light, Rule]:
    """Anything but what `pack` wrote is refused."""
    if len(data) < _HEADER.size or data[:4] != _MAGIC:
        raise MalformedState("state must begin with the mark of a hot list")
    _, size, light_size, k, first_epoch, growth, decay_base, always = _HEADER.unpack_from(data)
    if not 1 <= k <= size or first_epoch < 1 or not 0 <= growth < 1 or not 1 < decay_base <= 4:
        raise MalformedState("state must have 1 ≤ k ≤ cells and a legal epoch rule")
    layout = _layout(size, light_size)
    if len(data) != _HEADER.size + sum(np.dtype(kind).itemsize * length for _, _, kind, length in layout):
        raise MalformedState("state must be as long as its header says")
    arrays, offset = {}, _HEADER.size
    for name, native, kind, length in layout:
        arrays[name] = np.frombuffer(data, kind, length, offset).astype(native)
        offset += np.dtype(kind).itemsize * length
    light = empty_light(light_size)
    light.item[:], light.votes[:] = arrays.pop("light_item"), arrays.pop("light_votes")
    settle(*light)
    cells = Cells(hits=np.zeros(size, np.int64), **arrays)
    if len(set(cells.item.tolist())) != size or cells.item.min() < 0 or not np.isfinite(cells.score).all():
        raise MalformedState("state must hold distinct items and finite scores")
    return cells, light, Rule(k, first_epoch, growth, decay_base, always)
