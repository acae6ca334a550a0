"""The bulletin of a frontier search in a closed domain: tracked leaves, and a fresh hash key for all the rest."""

import struct
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from hgldp.errors import InvalidField
from hgldp.model.domain import check_size
from hgldp.model.randomness import GOLDEN, WORD_BITS, WORD_MASK, mix


@dataclass(frozen=True)
class FrontierBulletin:
    """Every item is one symbol of `cells`: its leaf if it is tracked, else the search cell that the key hashes it to.

    >>> bulletin = FrontierBulletin(bytes(32), epoch=3, domain_size=100, cells=8, key=7, leaves=(40, 2))
    >>> [bulletin.symbol(item) for item in (40, 2, 3, 4, 5)]
    [0, 1, 5, 4, 3]
    """

    task: bytes
    epoch: int
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

    @cached_property
    def version(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return sha256(self.canonical).hexdigest()


def search_cell(key: int, item: int, cells: int) -> int:
    """A public hash of an item into 0 … cells − 1; it balances the search, and no privacy hangs on it."""
    return (mix((key + GOLDEN * (item + 1)) & WORD_MASK) * cells) >> WORD_BITS
