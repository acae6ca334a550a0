"""A bulletin from its canonical bytes. Its version is their hash, so nothing but the canonical bytes is accepted."""

import struct
from hashlib import sha256

from hgldp.errors import InvalidField, MalformedBytes
from hgldp.model.bulletins import AnyBulletin, Bulletin, Cell, FrontierBulletin, HintedBulletin, OpenBulletin

MOST_BYTES = 1 << 20
HOT, FRONTIER, OPEN = b"hgldp bulletin 1", b"hgldp frontier 1", b"hgldp open 1"
HINTS = b"hgldp hints 1"
MARKS = (HOT, FRONTIER, OPEN, HINTS)
TASK_BYTES = 32


def read_bulletin(data: bytes, version: str | None = None) -> AnyBulletin:
    """The bulletin of these bytes; with a version, only if they hash to it.

    >>> read_bulletin(Bulletin(bytes(32), 0, 10, (7, 2)).canonical).hot
    (7, 2)
    """
    if len(data) > MOST_BYTES:
        raise MalformedBytes(f"bulletin must be at most {MOST_BYTES} bytes")
    if version is not None and sha256(data).hexdigest() != version:
        raise MalformedBytes("bulletin must hash to its version")
    for mark, read in zip(MARKS, (_read_hot, _read_frontier, _read_open, _read_hints), strict=True):
        if data.startswith(mark):
            try:
                found = read(data[len(mark) : len(mark) + TASK_BYTES], data[len(mark) + TASK_BYTES :])
            except (struct.error, IndexError):
                raise MalformedBytes("bulletin must be whole") from None
            except InvalidField as wrong:
                raise MalformedBytes(f"bulletin must be legal: {wrong}") from None
            if found.canonical != data:
                raise MalformedBytes("bulletin must be in its canonical form")
            return found
    raise MalformedBytes("bulletin must start with the mark of a kind of version 1")


def task_of(data: bytes) -> bytes:
    """The id of the task in a bulletin's canonical bytes, which are not checked.

    >>> task_of(Bulletin(bytes(range(32)), 0, 10, (7, 2)).canonical) == bytes(range(32))
    True
    """
    start = next((len(mark) for mark in MARKS if data.startswith(mark)), 0)
    return data[start : start + TASK_BYTES]


def _read_hot(task: bytes, rest: bytes) -> Bulletin:
    epoch, size, nominating, cells = struct.unpack_from(">QIBH", rest)
    return Bulletin(task, epoch, size, struct.unpack_from(f">{cells}I", rest, 15), bool(nominating))


def _read_frontier(task: bytes, rest: bytes) -> FrontierBulletin:
    epoch, size, cells, key, leaves = struct.unpack_from(">QIHQH", rest)
    return FrontierBulletin(task, epoch, size, cells, key, struct.unpack_from(f">{leaves}I", rest, 24))


def _read_open(task: bytes, rest: bytes) -> OpenBulletin:
    epoch, symbols = struct.unpack_from(">QH", rest)
    cells, last, at = [], b"", 10
    while at < len(rest):
        shared, length = rest[at], rest[at + 1]
        prefix = last[:shared] + rest[at + 2 : at + 2 + length]
        low, high = rest[at + 2 + length], rest[at + 3 + length]
        cells.append(Cell(prefix, low, high))
        last, at = prefix, at + 4 + length
    return OpenBulletin(task, epoch, symbols, tuple(cells))


def _read_hints(task: bytes, rest: bytes) -> HintedBulletin:
    """Both parts are whole bulletins, each with its mark, of a task that is all zeros."""
    epoch, length = struct.unpack_from(">QI", rest)
    parts = rest[12 : 12 + length], rest[12 + length :]
    for part, mark in zip(parts, (FRONTIER, OPEN), strict=True):
        if not part.startswith(mark):
            raise MalformedBytes(f"bulletin must have a part that starts with {mark.decode()}")
    listed, spelled = (part[len(mark) + TASK_BYTES :] for part, mark in zip(parts, (FRONTIER, OPEN), strict=True))
    return HintedBulletin(task, epoch, _read_frontier(bytes(32), listed), _read_open(bytes(32), spelled))
