"""How every store is written: a mark, a header, a body, and a checksum of all of it; little-endian.

A store says what its header and its body hold. That the bytes are whole and begin and end as they should is checked
here, once for all of them.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hgldp.errors import MalformedState

_CHECKSUM = struct.Struct("<I")


@dataclass(frozen=True)
class StateFrame:
    """The form of one store's bytes. `fields` is the header after the mark, as a format of the module `struct`.

    >>> frame = StateFrame("basket", mark=b"bsk1", fields="HI")
    >>> state = frame.write(3, 70_000, body=[bytes([1, 2, 3])])
    >>> len(state), frame.fixed_bytes
    (17, 14)
    >>> header, body = frame.read(state)
    >>> header, body.array("<u1", 3).tolist()
    ((3, 70000), [1, 2, 3])
    >>> frame.read(state[:-1] + b"?")
    Traceback (most recent call last):
    hgldp.errors.MalformedState: basket must end with the checksum of its bytes
    """

    store: str
    mark: bytes
    fields: str
    checked: bool = True

    @cached_property
    def header(self) -> struct.Struct:
        """Mark and fields."""
        return struct.Struct(f"<{len(self.mark)}s{self.fields}")

    @property
    def fixed_bytes(self) -> int:
        """What a state takes besides its body."""
        return self.header.size + (_CHECKSUM.size if self.checked else 0)

    def write(self, *fields: Any, body: Iterable[bytes]) -> bytes:
        """A whole state."""
        state = b"".join((self.header.pack(self.mark, *fields), *body))
        return state + _CHECKSUM.pack(crc32(state)) if self.checked else state

    def read(self, data: bytes | bytearray | memoryview) -> tuple[tuple[Any, ...], "StateBody"]:
        """The header's fields and the body, if mark and checksum are right. The body is not copied."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise MalformedState(f"{self.store} must be bytes, got {type(data).__name__}")
        whole = memoryview(data)
        if len(whole) < self.fixed_bytes or whole[: len(self.mark)] != self.mark:
            raise MalformedState(f"{self.store} must begin with the mark {self.mark!r} and a whole header")
        end = len(whole) - self.fixed_bytes + self.header.size
        if self.checked and whole[end:] != _CHECKSUM.pack(crc32(whole[:end])):
            raise MalformedState(f"{self.store} must end with the checksum of its bytes")
        _, *fields = self.header.unpack_from(whole)
        return tuple(fields), StateBody(self.store, whole[self.header.size : end])


class StateBody:
    """Reads a body from its beginning to its end; a body that is too short or too long is refused."""

    def __init__(self, store: str, data: memoryview) -> None:
        self._store = store
        self._data = data
        self._place = 0

    def _take(self, size: int) -> memoryview:
        taken = self._data[self._place : self._place + size]
        if len(taken) != size:
            raise self._wrong_length()
        self._place += size
        return taken

    def _wrong_length(self) -> MalformedState:
        return MalformedState(
            f"{self._store} must be as long as its header says, got a body of {len(self._data)} bytes"
        )

    def array(self, kind: DTypeLike, length: int) -> NDArray[Any]:
        """The next numbers of a kind such as "<i4"; read-only, since they are still the state's own bytes."""
        numbers = np.dtype(kind)
        return np.frombuffer(self._take(length * numbers.itemsize), numbers, length)

    def record(self, form: struct.Struct) -> tuple[Any, ...]:
        """The next fields of a form."""
        return form.unpack(self._take(form.size))

    def raw(self, length: int) -> bytes:
        """The next bytes as they are."""
        return bytes(self._take(length))

    def finish(self) -> None:
        """Refuse a body that has bytes left over."""
        if self._place != len(self._data):
            raise self._wrong_length()
