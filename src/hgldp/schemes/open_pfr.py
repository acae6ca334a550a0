"""PFR for strings that nobody listed: the frontier is a set of prefixes."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

from hgldp.errors import InvalidField
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import AnyBulletin, OpenBulletin
from hgldp.model.forgery import STRING_REACH
from hgldp.model.frontier_size import MOST_FRONTIER_CELLS
from hgldp.model.rules import Spelling
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.model.weights import SCALE, Epsilon, as_epsilon
from hgldp.schemes.base import of_kind
from hgldp.schemes.one_mechanism import OneMechanism

KIND, LEAST_SYMBOLS = "a frontier of strings", 64
TYPICAL_SHARE = Fraction(1, 20)
FIRST_EPOCH, SHORTEST_FIRST_EPOCH = 10_000, 500
# tests/slow/planning/test_expectation.py compares these with simulated launches.
EPOCHS_TO_SPELL: dict[Spelling, int] = {"text": 4, "identifiers": 10, "urls": 50}


def first_epoch(mechanism: CyclicResponse, asked_for: int | None = None) -> int:
    """How many reports each of the first epochs has: what a task asks for, or enough to decide the first cuts.

    >>> [first_epoch(OpenPFR(symbols=1024, epsilon=epsilon).mechanism) for epsilon in (1.0, 2.0, 4.0)]
    [36847, 7381, 806]
    """
    return asked_for or max(SHORTEST_FIRST_EPOCH, int(FIRST_EPOCH * mechanism.variance))


@dataclass(frozen=True)
class OpenPFR(OneMechanism):
    """The client finds the longest cell that its string lies in, and randomises that one symbol.

    Privacy: exactly W/S ≤ e^ε per report: one symbol, the whole ε, once; bulletins depend on earlier reports only.
    Report bytes: 1 or 2.
    Memory: `symbols` cells, each a prefix and three or four numbers, whatever the strings and the stream.
    Error: finds what holds a large enough share at every step of its spelling (docs/frontier.md).

    >>> OpenPFR(symbols=256, epsilon=4.0).report_bytes
    2
    """

    name: ClassVar[str] = "pfr-open"
    family: ClassVar[str] = "hgldp.tracker.strings:StringFamily"
    reads_domain: ClassVar[bool] = False
    symbols: int
    epsilon: Epsilon
    scale: int = field(default=SCALE, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        as_epsilon(self.epsilon)
        check_whole("symbols", self.symbols, LEAST_SYMBOLS, MOST_FRONTIER_CELLS)
        _ = self.mechanism

    @cached_property
    def mechanism(self) -> CyclicResponse:
        """Cyclic difference-set response over the symbols, at its best for a cell with a twentieth of the stream."""
        return CyclicResponse(self.symbols, self.epsilon, share=TYPICAL_SHARE, scale=self.scale)

    @classmethod
    def of(cls, task: Task) -> Self:
        """The scheme of a task over strings."""
        return cls(task.rules.cells, task.budget.per_report)

    def symbol(self, code: bytes | None, bulletin: AnyBulletin) -> int:
        """That of the longest cell that the string lies in."""
        return self.checked(bulletin).symbol(code)

    def check_bulletin(self, bulletin: AnyBulletin) -> None:
        """A frontier of another size would be answered with another mechanism."""
        self.checked(bulletin)

    def checked(self, bulletin: AnyBulletin) -> OpenBulletin:
        """The bulletin, if it is a frontier of strings with as many symbols."""
        shown = of_kind(bulletin, OpenBulletin, KIND)
        if shown.symbols != self.symbols:
            raise InvalidField("bulletin", f"must have {self.symbols} symbols", shown.symbols)
        return shown

    def worth_of_forgery(self, bulletin: AnyBulletin) -> float:
        """A count is at most `STRING_REACH` times what was measured, however young a string is.

        With a half-life, this is in honest reports of the same moment: older ones count less.
        """
        return STRING_REACH * self.leverage(bulletin)
