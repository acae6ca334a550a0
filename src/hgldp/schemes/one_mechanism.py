"""What schemes among strings have in common: one mechanism for every bulletin, and one symbol for each string."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import Words
from hgldp.model.rules import FrontierRules, Rules
from hgldp.schemes.base import Row


class OneMechanism(ABC):
    """The client finds the one symbol that its string has in the bulletin, and randomises it."""

    rules: ClassVar[type[Rules]] = FrontierRules
    starts_cold: ClassVar[bool] = False
    has_windows: ClassVar[bool] = False
    spells_out: ClassVar[bool] = True
    useful_epochs: ClassVar[int] = 1

    @property
    @abstractmethod
    def mechanism(self) -> CyclicResponse:
        """The same for every bulletin."""

    @abstractmethod
    def symbol(self, code: bytes | None, bulletin: AnyBulletin) -> int:
        """The symbol of a string's code; a bulletin that would be answered with another mechanism is refused."""

    @abstractmethod
    def check_bulletin(self, bulletin: AnyBulletin) -> None:
        """Refuse such a bulletin."""

    @property
    def report_bytes(self) -> int:
        """Bytes of one report."""
        return self.mechanism.report_bytes

    def rows(self, codes: Sequence[bytes | None], bulletin: AnyBulletin) -> list[Row]:
        """Pr[report | string] for some strings: the mechanism's row of each one's symbol."""
        self.check_bulletin(bulletin)
        rows = self.mechanism.channel()
        return [rows[self.symbol(code, bulletin)] for code in codes]

    def randomize(self, code: bytes | None, bulletin: AnyBulletin, words: Words) -> int:
        """One residue for one event: the client's whole part."""
        return self.mechanism.randomize(self.symbol(code, bulletin), words)

    def symbol_limit(self, bulletin: AnyBulletin) -> int:
        """The first symbol that no client may send, whatever the bulletin."""
        del bulletin
        return self.mechanism.modulus

    def leverage(self, bulletin: AnyBulletin) -> float:
        """That of the mechanism, whatever the bulletin."""
        del bulletin
        return self.mechanism.leverage
