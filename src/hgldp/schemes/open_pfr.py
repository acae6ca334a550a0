"""PFR for strings that nobody listed: the frontier is a set of prefixes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from hgldp.errors import InvalidField
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import OpenBulletin
from hgldp.model.randomness import Words
from hgldp.model.validate import check_whole
from hgldp.model.weights import SCALE, Epsilon, as_epsilon

TYPICAL_SHARE = Fraction(1, 20)


@dataclass(frozen=True)
class OpenPFR:
    """The client finds the longest cell that its string lies in, and randomises that one symbol.

    Privacy: exactly W/S ≤ e^ε per report: one symbol, the whole ε, once; bulletins depend on earlier reports only.
    Report bytes: 1 or 2.
    Memory: `symbols` cells, each a prefix and three or four numbers, whatever the strings and the stream.
    Error: finds what holds a large enough share at every step of its spelling (docs/frontier.md).

    >>> OpenPFR(symbols=256, epsilon=4.0).report_bytes
    2
    """

    name: ClassVar[str] = "pfr-open"
    symbols: int
    epsilon: Epsilon
    scale: int = field(default=SCALE, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        as_epsilon(self.epsilon)
        check_whole("symbols", self.symbols, 64, 4096)
        _ = self.mechanism

    @cached_property
    def mechanism(self) -> CyclicResponse:
        """Cyclic difference-set response over the symbols, at its best for a cell with a twentieth of the stream."""
        return CyclicResponse(self.symbols, self.epsilon, share=TYPICAL_SHARE, scale=self.scale)

    @property
    def report_bytes(self) -> int:
        """Bytes of one report."""
        return self.mechanism.report_bytes

    def channel(self, codes: Sequence[bytes | None], bulletin: OpenBulletin) -> list[dict[int, Fraction]]:
        """Pr[report | string] for some strings: the mechanism's row of each one's symbol."""
        rows = self.mechanism.channel()
        return [rows[bulletin.symbol(code)] for code in codes]

    def randomize(self, code: bytes | None, bulletin: OpenBulletin, words: Words) -> int:
        """One residue for one event: the client's whole part."""
        self.check_bulletin(bulletin)
        return self.mechanism.randomize(bulletin.symbol(code), words)

    def check_bulletin(self, bulletin: OpenBulletin) -> None:
        """A frontier of another size would be answered with another mechanism."""
        if not isinstance(bulletin, OpenBulletin):
            raise InvalidField("bulletin", "must be a frontier of strings", type(bulletin).__name__)
        if bulletin.symbols != self.symbols:
            raise InvalidField("bulletin", f"must have {self.symbols} symbols", bulletin.symbols)

    def symbol_limit(self, _: OpenBulletin) -> int:
        """The first symbol that no client may send, whatever the bulletin."""
        return self.mechanism.modulus
