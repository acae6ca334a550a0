"""The open frontier as bytes: a header, every cell by what it shares with the one before, and a checksum."""

import struct
from collections.abc import Mapping
from typing import NamedTuple
from zlib import crc32

from hgldp.errors import MalformedState
from hgldp.model.bulletins import Cell
from hgldp.stores.strings.measured import Measured

_MAGIC = b"hgO1"
_HEADER, _CHECKSUM = struct.Struct("<4sBHHHQQQQHH"), struct.Struct("<I")
_CELL, _STEADY, _FADING = struct.Struct("<BBBBB"), struct.Struct("<ddQ"), struct.Struct("<dddQ")
Cells = dict[Cell, Measured]


class OpenState(NamedTuple):
    """The numbers of an open frontier that stand alone."""

    most_bytes: int
    symbols: int
    modulus: int
    k: int
    first_epoch: int
    half_life: int
    reports: int
    sealed: int


def most_state_bytes(symbols: int, most_bytes: int) -> int:
    """No open frontier takes more, whatever its strings.

    >>> most_state_bytes(symbols=512, most_bytes=64)
    51662
    """
    return _HEADER.size + _CHECKSUM.size + (symbols - 1) * (_CELL.size + most_bytes + _FADING.size)


def pack(state: OpenState, hot: Mapping[Cell, Measured], tips: Mapping[Cell, Measured]) -> bytes:
    """A cell that nothing is known of yet takes five bytes and what its prefix adds."""
    parts, last = [_HEADER.pack(_MAGIC, *state, len(hot), len(tips))], b""
    for cell, found in (*hot.items(), *tips.items()):
        shared = _shared(last, cell.prefix)
        last = cell.prefix
        parts.append(_CELL.pack(shared, len(last) - shared, cell.low, cell.high, found.since > 0) + last[shared:])
        if found.since and state.half_life:
            parts.append(_FADING.pack(found.total, found.noise, found.weight, found.since))
        elif found.since:
            parts.append(_STEADY.pack(found.total, found.noise, found.since))
    body = b"".join(parts)
    return body + _CHECKSUM.pack(crc32(body))


def unpack(data: bytes) -> tuple[OpenState, Cells, Cells]:
    """Hot cells and tips. Bytes of another form are refused here; numbers that make no sense, by the store."""
    body = data[: -_CHECKSUM.size]
    if len(data) < _HEADER.size + _CHECKSUM.size or data[:4] != _MAGIC:
        raise MalformedState("state must begin with the mark of an open frontier")
    if _CHECKSUM.unpack(data[-_CHECKSUM.size :]) != (crc32(body),):
        raise MalformedState("state must have the checksum of its bytes")
    _, *numbers, hot, tips = _HEADER.unpack_from(body)
    state, offset, last = OpenState(*numbers), _HEADER.size, b""
    cells: list[tuple[Cell, Measured]] = []
    try:
        for _ in range(hot + tips):
            cell, found, offset = _read_cell(body, offset, last, fading=state.half_life > 0)
            cells.append((cell, found))
            last = cell.prefix
    except struct.error:
        raise MalformedState("open frontier must hold all its cells") from None
    if offset != len(body):
        raise MalformedState("open frontier must be as long as its header says")
    if len({cell for cell, _ in cells}) != len(cells):
        raise MalformedState("open frontier must have distinct cells")
    return state, dict(cells[:hot]), dict(cells[hot:])


def _read_cell(body: bytes, offset: int, last: bytes, *, fading: bool) -> tuple[Cell, Measured, int]:
    shared, more, low, high, measured = _CELL.unpack_from(body, offset)
    offset += _CELL.size + more
    prefix, found = last[:shared] + body[offset - more : offset], Measured()
    if measured and fading:
        found = Measured(*_FADING.unpack_from(body, offset))
    elif measured:
        total, noise, since = _STEADY.unpack_from(body, offset)
        found = Measured(total, noise, float(since), since)
    if shared != _shared(last, prefix) or len(prefix) != shared + more or measured != (found.since > 0):
        raise MalformedState("open frontier must have cells that are written in the one way there is")
    return Cell(prefix, low, high), found, offset + measured * (_FADING.size if fading else _STEADY.size)


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes two prefixes have in common."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)
