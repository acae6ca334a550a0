"""What clients must know to randomise in this epoch: public, versioned by its own hash."""

import struct
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from hgldp.errors import InvalidField
from hgldp.model.domain import check_size
from hgldp.model.whole import check_whole


@dataclass(frozen=True)
class Bulletin:
    """The hot list of one epoch, slot by slot, and whether cold reports should name their item.

    >>> bulletin = Bulletin(task=bytes(32), epoch=0, domain_size=10, hot=(7, 2, 9), nominating=False)
    >>> bulletin.slot(2), bulletin.slot(3), bulletin.version[:8]
    (1, None, '07d4154c')
    """

    task: bytes
    epoch: int
    domain_size: int
    hot: tuple[int, ...]
    nominating: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.task, bytes) or len(self.task) != 32:
            raise InvalidField("task", "must be the 32 bytes of a task id", type(self.task).__name__)
        check_whole("epoch", self.epoch, 0, (1 << 63) - 1)
        check_size(self.domain_size)
        if not isinstance(self.nominating, bool):
            raise InvalidField("nominating", "must be True or False", type(self.nominating).__name__)
        if not 1 <= len(self.hot) < min(self.domain_size, 1 << 16):
            raise InvalidField("hot", "must hold 1 … 65,535 items and leave at least 1 cold", len(self.hot))
        if not all(type(item) is int and 0 <= item < self.domain_size for item in self.hot):
            raise InvalidField("hot", f"must hold whole numbers below {self.domain_size}", "another")
        if len(self._slots) != len(self.hot):
            raise InvalidField("hot", "must hold distinct items", f"{len(self.hot) - len(self._slots)} repeated")

    @cached_property
    def canonical(self) -> bytes:
        """The bytes that the version is the hash of."""
        head = struct.pack(">QIBH", self.epoch, self.domain_size, self.nominating, len(self.hot))
        return b"hgldp bulletin 1" + self.task + head + struct.pack(f">{len(self.hot)}I", *self.hot)

    @cached_property
    def version(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return sha256(self.canonical).hexdigest()

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
