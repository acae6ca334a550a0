"""The headers of the pages of a Parquet column: how large each page is once it is unpacked, and how it is coded.

The footer of a file may say anything about that: Arrow does not compare, and goes by these headers. They are in
Thrift's compact protocol, of which this reads what a header may contain.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa

DATA, DICTIONARY, DATA_V2 = 0, 2, 3
LONGEST_HEADER, DEEPEST = 1 << 16, 4
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 12
PARTS = {DATA: (5, 2), DICTIONARY: (7, 2), DATA_V2: (8, 4)}  # the fields: of each kind of page, and of its encoding

DAMAGED = "no header of a page, or one that Arrow might read in another way"


@dataclass(frozen=True)
class Page:
    """What a header says. `values` counts every element of a list, and empty cells too."""

    is_dictionary: bool
    size: int
    values: int
    encoding: int


def pages_of(file: BinaryIO, column: Any) -> Iterator[Page]:
    """The pages of a column chunk that Arrow would read, in their order."""
    at, seen = column.data_page_offset, 0
    if column.has_dictionary_page and 0 < column.dictionary_page_offset < at:
        at = column.dictionary_page_offset
    end = at + column.total_compressed_size
    while at < end and seen < column.num_values:
        file.seek(at)
        header = _Header(file.read(LONGEST_HEADER))
        fields = header.fields()
        kind, size, packed = (_whole(fields, number) for number in (1, 2, 3))
        if kind in PARTS:
            part, encoding = PARTS[kind]
            found = fields.get(part)
            if not isinstance(found, dict):
                raise pa.ArrowInvalid(DAMAGED)
            page = Page(kind == DICTIONARY, size, _whole(found, 1), _whole(found, encoding))
            seen += 0 if page.is_dictionary else page.values
            yield page
        at += header.at + packed


def _whole(fields: dict[int, Any], number: int) -> int:
    value = fields.get(number)
    if not isinstance(value, int) or value < 0:
        raise pa.ArrowInvalid(DAMAGED)
    return value


class _Header:
    """A reader that refuses a field that comes twice: Thrift would mix the two."""

    def __init__(self, data: bytes) -> None:
        self._data, self.at = data, 0

    def fields(self, depth: int = DEEPEST) -> dict[int, Any]:
        """The 32-bit numbers and the structures of a structure, by field."""
        found: dict[int, Any] = {}
        seen, number = set(), 0
        while (head := self._byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._signed()
            if number in seen or not depth:
                raise pa.ArrowInvalid(DAMAGED)
            seen.add(number)
            value = self._value(head & 15, depth)
            if value is not None:
                found[number] = value
        return found

    def _value(self, kind: int, depth: int) -> int | dict[int, Any] | None:
        if kind == I32:
            return self._signed()
        if kind == STRUCT:
            return self.fields(depth - 1)
        if kind in (I16, I64):
            self._number()
        elif kind in (BYTE, DOUBLE):
            self._skip(1 if kind == BYTE else 8)
        elif kind == BINARY:
            self._skip(self._number())
        elif kind not in (TRUE, FALSE):
            raise pa.ArrowInvalid(DAMAGED)
        return None

    def _signed(self) -> int:
        number = self._number()
        if number >> 32:
            raise pa.ArrowInvalid(DAMAGED)
        return (number >> 1) ^ -(number & 1)

    def _number(self) -> int:
        number = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise pa.ArrowInvalid(DAMAGED)

    def _byte(self) -> int:
        self._skip(1)
        return self._data[self.at - 1]

    def _skip(self, count: int) -> None:
        self.at += count
        if self.at > len(self._data):
            raise pa.ArrowInvalid(DAMAGED)
