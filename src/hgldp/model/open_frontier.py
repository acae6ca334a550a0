"""The bulletin of a search among strings: cells that are prefixes, each with a range for the next byte."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from hgldp.errors import InvalidField
from hgldp.model.strings import END, MOST_BYTES
from hgldp.model.whole import check_whole


class Cell(NamedTuple):
    """The strings whose code starts with `prefix` and goes on with a byte in low … high."""

    prefix: bytes
    low: int
    high: int

    @property
    def is_leaf(self) -> bool:
        """One whole string: nothing but the end mark may follow."""
        return self.low == self.high == END

    def holds(self, code: bytes) -> bool:
        """Whether a code lies in the cell."""
        place = len(self.prefix)
        return code.startswith(self.prefix) and place < len(code) and self.low <= code[place] <= self.high


ROOT = Cell(b"", 0, 255)


@dataclass(frozen=True)
class OpenBulletin:
    """Up to `symbols` − 1 cells; a client's symbol is its longest match, the last symbol is "everything else".

    >>> bulletin = OpenBulletin(bytes(32), 0, 8, (Cell(b"", 97, 122), Cell(b"te", 97, 97), Cell(b"tea", 0, 0)))
    >>> [bulletin.symbol(code) for code in (b"tea\\0", b"teak\\0", b"ten\\0", b"7up\\0", None)]
    [2, 1, 0, 7, 7]
    """

    task: bytes
    epoch: int
    symbols: int
    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        check_whole("epoch", self.epoch, 0, (1 << 63) - 1)
        check_whole("symbols", self.symbols, 2, 1 << 15)
        if len(self.cells) >= self.symbols:
            raise InvalidField("cells", f"must be fewer than the {self.symbols} symbols", len(self.cells))
        if len(set(self.cells)) != len(self.cells):
            raise InvalidField("cells", "must be distinct", len(self.cells))
        if not all(len(cell.prefix) <= MOST_BYTES and 0 <= cell.low <= cell.high <= 255 for cell in self.cells):
            raise InvalidField(
                "cells", f"must have prefixes of at most {MOST_BYTES} bytes and ranges of bytes", "others"
            )

    @cached_property
    def _by_prefix(self) -> dict[bytes, list[tuple[int, Cell]]]:
        found: dict[bytes, list[tuple[int, Cell]]] = {}
        for symbol, cell in sorted(enumerate(self.cells), key=lambda each: each[1].high - each[1].low):
            found.setdefault(cell.prefix, []).append((symbol, cell))
        return found

    def symbol(self, code: bytes | None) -> int:
        """The cell with the longest prefix that holds the code, the narrowest of them; else the last symbol."""
        if code is None:
            return self.symbols - 1
        for length in range(len(code) - 1, -1, -1):
            for symbol, cell in self._by_prefix.get(code[:length], ()):
                if cell.holds(code):
                    return symbol
        return self.symbols - 1

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the version is the hash of: each cell by what it shares with the one before."""
        parts, last = [b"hgldp open 1", self.task, self.epoch.to_bytes(8, "big"), self.symbols.to_bytes(2, "big")], b""
        for cell in self.cells:
            shared = next((i for i, (a, b) in enumerate(zip(last, cell.prefix, strict=False)) if a != b), None)
            shared = min(len(last), len(cell.prefix)) if shared is None else shared
            rest = cell.prefix[shared:]
            parts.append(bytes([shared, len(rest)]) + rest + bytes([cell.low, cell.high]))
            last = cell.prefix
        return b"".join(parts)

    @cached_property
    def version(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return sha256(self.canonical).hexdigest()
