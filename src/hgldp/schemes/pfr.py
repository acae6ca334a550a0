"""PFR: every report serves tracking and discovery at the same time (docs/frontier.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar, Self

from hgldp.errors import InvalidField
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.model.bulletins import AnyBulletin, FrontierBulletin
from hgldp.model.domain import check_size
from hgldp.model.forgery import FRONTIER_REACH
from hgldp.model.randomness import Words
from hgldp.model.rules import FrontierRules, Rules
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.model.weights import SCALE, Epsilon, as_epsilon
from hgldp.schemes.base import RETAINED, Row, of_kind

KIND = "a frontier of a listed domain"
LEAST_CELLS, USUAL_LEAVES = 8, 64
TYPICAL_SHARE, SMALL_MODULUS = Fraction(1, 200), 1100


def leaves_for(k: int) -> int:
    """How many leaves a task with this k has, if its cells allow that many."""
    return max(k, USUAL_LEAVES)


@dataclass(frozen=True)
class PFR:
    """The client finds its item's one symbol on the frontier, a leaf or a search cell, and randomises that symbol.

    Privacy: exactly W/S ≤ e^ε per report: one symbol, the whole ε, once; bulletins depend on earlier reports only.
    Report bytes: 1 or 2.
    Memory: a fixed number of bytes for the last epochs' tallies, whatever the domain and the stream.
    Error: that of an oracle with unlimited memory, plus what the search cells' collisions add.

    >>> scheme = PFR(domain_size=1000, cells=64, epsilon=1.0)
    >>> scheme.most_leaves, scheme.mechanism.modulus, scheme.report_bytes
    (32, 85, 1)
    """

    name: ClassVar[str] = "pfr"
    rules: ClassVar[type[Rules]] = FrontierRules
    family: ClassVar[str] = "hgldp.tracker.frontier:FrontierFamily"
    starts_cold: ClassVar[bool] = False
    has_windows: ClassVar[bool] = True
    spells_out: ClassVar[bool] = False
    useful_epochs: ClassVar[int] = RETAINED - 1
    reads_domain: ClassVar[bool] = True
    beside: ClassVar[int] = 0
    """How many items there may be that are not in the domain."""
    domain_size: int
    cells: int
    epsilon: Epsilon
    leaves: int | None = None
    scale: int = field(default=SCALE, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_size(self.domain_size)
        as_epsilon(self.epsilon)
        if check_size(self.cells, "cells") < LEAST_CELLS:
            raise InvalidField("cells", f"must be at least {LEAST_CELLS} for a search", self.cells)
        _ = self.mechanism

    @classmethod
    def of(cls, task: Task) -> Self:
        """The scheme of a task over a listed domain."""
        return cls(task.domain_size, task.rules.cells, task.budget.per_report, leaves_for(task.k))

    @cached_property
    def mechanism(self) -> CyclicResponse:
        """That of a bulletin that uses all cells."""
        return self.mechanism_over(self.cells)

    def mechanism_over(self, cells: int) -> CyclicResponse:
        """Cyclic difference-set response, at its best for an item with half a percent of the stream."""
        return _mechanism(check_whole("cells", cells, LEAST_CELLS, self.cells), self.epsilon, self.scale)

    @property
    def most_leaves(self) -> int:
        """So many items at most are tracked: `leaves`, or 64 if that is None, but no more than half of the cells."""
        return min(self.cells // 2, self.leaves or USUAL_LEAVES)

    @property
    def report_bytes(self) -> int:
        """Bytes of one report that answers a bulletin with all cells; none takes more."""
        return self.mechanism.report_bytes

    def symbol_limit(self, bulletin: AnyBulletin) -> int:
        """The first symbol that no client may send."""
        return self._answering(bulletin).modulus

    def leverage(self, bulletin: AnyBulletin) -> float:
        """That of the mechanism over the bulletin's cells."""
        return self._answering(bulletin).leverage

    def worth_of_forgery(self, bulletin: AnyBulletin) -> float:
        """Twice the leverage: a burst of forged reports may spread to the epochs around it."""
        return FRONTIER_REACH * self.leverage(bulletin)

    def _answering(self, bulletin: AnyBulletin) -> CyclicResponse:
        return self.mechanism_over(of_kind(bulletin, FrontierBulletin, KIND).cells)

    def channel(self, bulletin: FrontierBulletin) -> list[Row]:
        """Pr[report | item] for every item."""
        return self.rows(range(self.domain_size), bulletin)

    def rows(self, codes: Sequence[int], bulletin: AnyBulletin) -> list[Row]:
        """Pr[report | item]: the mechanism's row of the item's symbol."""
        shown = self.checked(bulletin)
        rows = self.mechanism_over(shown.cells).channel()
        return [rows[shown.symbol(item)] for item in codes]

    def randomize(self, item: int, bulletin: AnyBulletin, words: Words) -> int:
        """One residue for one event: the client's whole part."""
        if type(item) is not int or not 0 <= item < self.domain_size:
            raise InvalidField("item", f"must be an int in 0 … {self.domain_size - 1}", "one that is not (withheld)")
        shown = self.checked(bulletin)
        return self.mechanism_over(shown.cells).randomize(shown.symbol(item), words)

    def check_bulletin(self, bulletin: AnyBulletin) -> None:
        """A bulletin may have fewer cells than the task, not more; each number of cells has its own mechanism."""
        self.checked(bulletin)

    def checked(self, bulletin: AnyBulletin) -> FrontierBulletin:
        """The bulletin, if it is a frontier of the scheme's domain with as many cells or fewer."""
        shown = of_kind(bulletin, FrontierBulletin, KIND)
        if not LEAST_CELLS <= shown.cells <= self.cells or shown.domain_size != self.domain_size:
            rule, found = f"must have {LEAST_CELLS} … {self.cells} cells over {self.domain_size} items", shown.cells
            raise InvalidField("bulletin", rule, f"{found} over {shown.domain_size}")
        return shown


@lru_cache(maxsize=256)
def _mechanism(cells: int, epsilon: Epsilon, scale: int) -> CyclicResponse:
    return CyclicResponse(cells, epsilon, share=TYPICAL_SHARE, most_modulus=SMALL_MODULUS, scale=scale)
