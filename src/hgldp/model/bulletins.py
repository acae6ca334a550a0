"""What clients must know to randomise in this epoch: public, versioned by its own hash."""

import struct
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from hgldp.errors import InvalidField
from hgldp.model.domain import END, MOST_BYTES, check_size
from hgldp.model.randomness import GOLDEN, WORD_BITS, WORD_MASK, mix
from hgldp.model.validate import LARGEST_63, check_whole


@dataclass(frozen=True)
class AnyBulletin(ABC):
    """What every bulletin has; the same bytes have the same version."""

    task: bytes
    epoch: int

    @property
    @abstractmethod
    def canonical(self) -> bytes:
        """The bytes that the version is the hash of."""

    @property
    @abstractmethod
    def cell_count(self) -> int:
        """How many cells of the task's the bulletin uses."""

    @cached_property
    def version(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return sha256(self.canonical).hexdigest()


@dataclass(frozen=True)
class Bulletin(AnyBulletin):
    """The hot list of one epoch, slot by slot, and whether cold reports should name their item.

    >>> bulletin = Bulletin(task=bytes(32), epoch=0, domain_size=10, hot=(7, 2, 9), nominating=False)
    >>> bulletin.slot(2), bulletin.slot(3), bulletin.version[:8]
    (1, None, '07d4154c')
    """

    domain_size: int
    hot: tuple[int, ...]
    nominating: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.task, bytes) or len(self.task) != 32:
            raise InvalidField("task", "must be the 32 bytes of a task id", type(self.task).__name__)
        check_whole("epoch", self.epoch, 0, LARGEST_63)
        check_size(self.domain_size)
        if not isinstance(self.nominating, bool):
            raise InvalidField("nominating", "must be True or False", type(self.nominating).__name__)
        if not 1 <= len(self.hot) < min(self.domain_size, 1 << 16):
            raise InvalidField("hot", "must hold 1 … 65,535 items and leave at least 1 cold", len(self.hot))
        for item in self.hot:
            if type(item) is not int or not 0 <= item < self.domain_size:
                raise InvalidField("hot", f"must hold whole numbers below {self.domain_size}", repr(item))
        if len(self._slots) != len(self.hot):
            raise InvalidField("hot", "must hold distinct items", f"{len(self.hot) - len(self._slots)} repeated")

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the version is the hash of."""
        head = struct.pack(">QIBH", self.epoch, self.domain_size, self.nominating, len(self.hot))
        return b"hgldp bulletin 1" + self.task + head + struct.pack(f">{len(self.hot)}I", *self.hot)

    @property
    def cell_count(self) -> int:
        """One for each hot item."""
        return len(self.hot)

    @cached_property
    def _slots(self) -> dict[int, int]:
        return {item: slot for slot, item in enumerate(self.hot)}

    @cached_property
    def _stand_ins(self) -> dict[int, int]:
        low_hot = sorted(item for item in self.hot if item < self.cold_size)
        high_cold = (item for item in range(self.cold_size, self.domain_size) if item not in self._slots)
        return dict(zip(low_hot, high_cold, strict=True))

    @cached_property
    def _stood_for(self) -> dict[int, int]:
        return {cold: hot for hot, cold in self._stand_ins.items()}

    @property
    def cold_size(self) -> int:
        """How many items are cold."""
        return self.domain_size - len(self.hot)

    def slot(self, item: int) -> int | None:
        """Where a hot item stands; None for a cold one."""
        return self._slots.get(item)

    def cold_item(self, rank: int) -> int:
        """The cold item of a rank in 0 … cold_size − 1: itself, or the stand-in of a hot item that is in the way."""
        return self._stand_ins.get(rank, rank)

    def cold_rank(self, item: int) -> int:
        """The rank of a cold item: the inverse of `cold_item`."""
        return self._stood_for.get(item, item)


@dataclass(frozen=True)
class FrontierBulletin(AnyBulletin):
    """Every item is one symbol of `cells`: its leaf if it is tracked, else the search cell that the key hashes it to.

    >>> bulletin = FrontierBulletin(bytes(32), epoch=3, domain_size=100, cells=8, key=7, leaves=(40, 2))
    >>> [bulletin.symbol(item) for item in (40, 2, 3, 4, 5)]
    [0, 1, 5, 4, 3]
    """

    domain_size: int
    cells: int
    key: int
    leaves: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.task) != 32:
            raise InvalidField("task", "must be the 32 bytes of a task id", f"{len(self.task)} bytes")
        if not 0 <= self.epoch < 1 << 63:
            raise InvalidField("epoch", "must lie in 0 … 2^63 − 1", self.epoch)
        if not 0 <= self.key <= WORD_MASK:
            raise InvalidField("key", "must be a 64-bit word", self.key)
        check_size(self.domain_size)
        check_size(self.cells, "cells")
        if len(self.leaves) >= self.cells:
            raise InvalidField("leaves", "must leave at least one search cell", len(self.leaves))
        if not all(0 <= item < self.domain_size for item in self.leaves):
            raise InvalidField("leaves", f"must be items below {self.domain_size}", "one outside")
        if len(self._slots) != len(self.leaves):
            raise InvalidField("leaves", "must be distinct", f"{len(self.leaves) - len(self._slots)} repeated")

    @cached_property
    def _slots(self) -> dict[int, int]:
        return {item: slot for slot, item in enumerate(self.leaves)}

    @property
    def search_cells(self) -> int:
        """How many cells share the items that are not tracked."""
        return self.cells - len(self.leaves)

    def symbol(self, item: int) -> int:
        """The one cell of an item."""
        leaf = self._slots.get(item)
        return len(self.leaves) + search_cell(self.key, item, self.search_cells) if leaf is None else leaf

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the version is the hash of."""
        head = struct.pack(">QIHQH", self.epoch, self.domain_size, self.cells, self.key, len(self.leaves))
        return b"hgldp frontier 1" + self.task + head + struct.pack(f">{len(self.leaves)}I", *self.leaves)

    @property
    def cell_count(self) -> int:
        """Fewer than the task has where little is left to find."""
        return self.cells


def search_cell(key: int, item: int, cells: int) -> int:
    """A public hash of an item into 0 … cells − 1; it balances the search, and no privacy hangs on it."""
    return (mix((key + GOLDEN * (item + 1)) & WORD_MASK) * cells) >> WORD_BITS


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
class OpenBulletin(AnyBulletin):
    """Up to `symbols` − 1 cells; a client's symbol is its longest match, the last symbol is "everything else".

    >>> bulletin = OpenBulletin(bytes(32), 0, 8, (Cell(b"", 97, 122), Cell(b"te", 97, 97), Cell(b"tea", 0, 0)))
    >>> [bulletin.symbol(code) for code in (b"tea\\0", b"teak\\0", b"ten\\0", b"7up\\0", None)]
    [2, 1, 0, 7, 7]
    """

    symbols: int
    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        check_whole("epoch", self.epoch, 0, LARGEST_63)
        check_whole("symbols", self.symbols, 2, 1 << 15)
        if len(self.cells) >= self.symbols:
            raise InvalidField("cells", f"must be fewer than the {self.symbols} symbols", len(self.cells))
        if len(set(self.cells)) != len(self.cells):
            raise InvalidField("cells", "must be distinct", len(self.cells))
        for cell in self.cells:
            if len(cell.prefix) > MOST_BYTES or not 0 <= cell.low <= cell.high <= 255:
                rule = f"must have prefixes of at most {MOST_BYTES} bytes and ranges of bytes"
                raise InvalidField("cells", rule, f"{len(cell.prefix)} bytes and {cell.low} … {cell.high}")

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

    @property
    def cell_count(self) -> int:
        """One for each symbol, used or not."""
        return self.symbols


@dataclass(frozen=True)
class HintedBulletin(AnyBulletin):
    """A frontier of the strings on a list, by their numbers, and one of all others; a symbol is in one of them.

    The symbols of the list come first.

    >>> listed = FrontierBulletin(bytes(32), 4, domain_size=3, cells=8, key=7, leaves=(2,))
    >>> spelled = OpenBulletin(bytes(32), 4, 8, (Cell(b"", 97, 122),))
    >>> bulletin = HintedBulletin(bytes(32), 4, listed, spelled)
    >>> bulletin.symbol(2, b"mate\\0"), bulletin.symbol(None, b"milk\\0"), bulletin.symbol(None, None)
    (0, 8, 15)
    """

    listed: FrontierBulletin
    spelled: OpenBulletin

    def __post_init__(self) -> None:
        if len(self.task) != 32:
            raise InvalidField("task", "must be the 32 bytes of a task id", f"{len(self.task)} bytes")
        for part in (self.listed, self.spelled):
            if part.task != bytes(32) or part.epoch != self.epoch:
                raise InvalidField("parts", f"must be of epoch {self.epoch} and of no task of their own", part.epoch)

    def symbol(self, number: int | None, code: bytes | None) -> int:
        """The one symbol of a string: by its number on the list, or if it has none by its code."""
        return self.listed.cells + self.spelled.symbol(code) if number is None else self.listed.symbol(number)

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the version is the hash of: the listed part with its length before it, then the other one."""
        listed, spelled = (part.canonical for part in (self.listed, self.spelled))
        head = b"hgldp hints 1" + self.task + self.epoch.to_bytes(8, "big") + len(listed).to_bytes(4, "big")
        return head + listed + spelled

    @property
    def cell_count(self) -> int:
        """Those of both parts."""
        return self.listed.cell_count + self.spelled.cell_count
