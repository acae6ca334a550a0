"""PFR among strings of which a public list names some: those are found as in a listed domain, others by prefixes."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import ClassVar, Self

from hgldp.errors import InvalidField
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import AnyBulletin, HintedBulletin
from hgldp.model.forgery import FRONTIER_REACH, STRING_REACH
from hgldp.model.frontier_size import MOST_FRONTIER_CELLS, hint_cells, spelling_cells
from hgldp.model.hints import Hints
from hgldp.model.task import WITH_HINTS, Task
from hgldp.model.validate import check_whole
from hgldp.model.weights import SCALE, Epsilon, as_epsilon
from hgldp.schemes.base import of_kind
from hgldp.schemes.one_mechanism import OneMechanism
from hgldp.schemes.pfr import PFR, TYPICAL_SHARE, leaves_for

KIND, LEAST_SYMBOLS = "a frontier of a list and of strings", 24


@dataclass(frozen=True)
class ListedPart(PFR):
    """The frontier over the list's numbers: its symbols come first among `symbols`, which share one mechanism.

    The server reads it by the chances of that mechanism, which depend on the number of all symbols, not on its own.
    """

    beside: ClassVar[int] = 1 << 20
    symbols: int = field(default=0, kw_only=True)

    def mechanism_over(self, cells: int) -> CyclicResponse:
        """The one of all symbols; fewer cells leave some of them unused."""
        check_whole("cells", cells, 1, self.cells)
        return _mechanism(self.symbols, self.epsilon, self.scale)


@lru_cache(maxsize=64)
def _mechanism(symbols: int, epsilon: Epsilon, scale: int) -> CyclicResponse:
    return CyclicResponse(symbols, epsilon, share=TYPICAL_SHARE, scale=scale)


@dataclass(frozen=True)
class HintedPFR(OneMechanism):
    """The client looks its string up in the list, finds its one symbol in the part that holds it, and randomises that.

    Privacy: exactly W/S ≤ e^ε per report: one symbol out of both parts, the whole ε, once; the list is public.
    Report bytes: 1 or 2.
    Memory: that of both parts, whatever the strings and the stream.
    Error: for strings on the list that of PFR over a list, for all others that of PFR among strings.

    >>> hints = Hints.of(["tea", "mate"])
    >>> scheme = HintedPFR(hints, symbols=256, epsilon=4.0)
    >>> scheme.listed.cells, scheme.spelled_symbols, scheme.report_bytes
    (85, 171, 2)
    """

    name: ClassVar[str] = WITH_HINTS
    family: ClassVar[str] = "hgldp.tracker.strings:HintedFamily"
    reads_domain: ClassVar[bool] = True
    hints: Hints
    symbols: int
    epsilon: Epsilon
    leaves: int | None = None
    scale: int = field(default=SCALE, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        as_epsilon(self.epsilon)
        check_whole("symbols", self.symbols, LEAST_SYMBOLS, MOST_FRONTIER_CELLS)
        _ = self.mechanism

    @classmethod
    def of(cls, task: Task) -> Self:
        """The scheme of a task over strings that names a list."""
        if task.hints is None:
            raise InvalidField("hints", "must be named by the task", "none")
        return cls(task.hints, task.rules.cells, task.budget.per_report, leaves_for(task.k))

    @cached_property
    def listed(self) -> ListedPart:
        """The part that holds the strings on the list."""
        size, cells = self.hints.size, hint_cells(self.symbols)
        return ListedPart(size, cells, self.epsilon, self.leaves, scale=self.scale, symbols=self.symbols)

    @property
    def spelled_symbols(self) -> int:
        """How many symbols the other part has."""
        return spelling_cells(self.symbols)

    @cached_property
    def mechanism(self) -> CyclicResponse:
        """One cyclic difference-set response over the symbols of both parts."""
        return self.listed.mechanism

    def symbol(self, code: bytes | None, bulletin: AnyBulletin) -> int:
        """In the list's part if the string is on the list, else in the other."""
        return self.checked(bulletin).symbol(self.hints.index(code), code)

    def check_bulletin(self, bulletin: AnyBulletin) -> None:
        """Parts of other sizes would be answered with another mechanism."""
        self.checked(bulletin)

    def checked(self, bulletin: AnyBulletin) -> HintedBulletin:
        """The bulletin, if its parts have the list and the symbols of this scheme, however few cells the first uses."""
        shown = of_kind(bulletin, HintedBulletin, KIND)
        self.listed.checked(shown.listed)
        if shown.listed.cells != self.listed.cells or shown.spelled.symbols != self.spelled_symbols:
            rule = f"must have {self.listed.cells} and {self.spelled_symbols} symbols"
            raise InvalidField("bulletin", rule, f"{shown.listed.cells} and {shown.spelled.symbols}")
        return shown

    def worth_of_forgery(self, bulletin: AnyBulletin) -> float:
        """That of the part in which it is worth more."""
        return max(FRONTIER_REACH, STRING_REACH) * self.leverage(bulletin)
