"""BGR: generalised randomised response over the whole domain (the paper's algorithm 1)."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from hgldp.mechanisms.grr import GRR
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.randomness import Words
from hgldp.schemes.base import Row
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.reading import Reading


@dataclass(frozen=True)
class BGR(HotListScheme):
    """The baseline: clients ignore the hot list, the server keeps what it can of it.

    Privacy: exactly W/S ≤ e^ε per report.
    Report bytes: the bytes of one item.
    Memory: cells and light cells, whatever the domain and the stream.
    Error: variance (d − 2 + e^ε)/(e^ε − 1)² per report; grows with the domain.

    >>> BGR(domain_size=1000, cells=20, epsilon=2.0).always_nominating
    True
    """

    name: ClassVar[str] = "bgr"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.full

    @cached_property
    def full(self) -> GRR:
        """GRR over the domain."""
        return GRR(self.domain_size, self.epsilon, scale=self.scale)

    @property
    def always_nominating(self) -> bool:
        """Every report names an item."""
        return True

    def channel(self, bulletin: Bulletin) -> list[Row]:
        """That of GRR, whatever the bulletin says."""
        self.check_bulletin(bulletin)
        return self.full.channel()

    def randomize(self, item: int, bulletin: AnyBulletin, words: Words) -> int:
        """The symbol is an item."""
        self.checked_slot(item, bulletin)
        return self.full.randomize(item, words)

    def reading(self, bulletin: Bulletin) -> Reading:
        """p and q of GRR; every report is on both sides at once."""
        del bulletin
        p, q = self.full.p, self.full.q
        return Reading.even(p, q, self.cells)

    @property
    def first_name(self) -> int:
        """Every symbol is a name."""
        return 0

    @property
    def hot_names_hit(self) -> bool:
        """A name of the hot list is a hit, any other a nominee."""
        return True
