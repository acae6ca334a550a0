"""The base of the schemes with a hot list: randomize on the client, insert and respond on the server.

Symbols: 0 … cells − 1 name a hot slot, `cells` is COLD (⊥), and cells + 1 + item names a cold item.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, Self

from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.domain import check_size
from hgldp.model.estimate import Estimate
from hgldp.model.forgery import REACH
from hgldp.model.randomness import Words
from hgldp.model.rules import HotListRules, Rules
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.model.weights import SCALE, Epsilon, as_epsilon
from hgldp.schemes.base import RETAINED, Row, of_kind
from hgldp.schemes.reading import Reading

MAX_CELLS = 1 << 14
KIND = "a hot list"


class Store(Protocol):
    """What a scheme needs of the server's memory."""

    def hit(self, slot: int) -> None:
        """Count a report on a hot slot."""

    def miss(self) -> None:
        """Count a report that names nothing."""

    def nominate(self, item: int) -> None:
        """Count a report that names a cold item."""

    def estimates(self, k: int) -> tuple[Estimate, ...]:
        """The best k, ranked."""


@dataclass(frozen=True)
class HotListScheme(ABC):
    """Fields that all of them have, and the parts that they share. Extend it to make a scheme of your own."""

    name: ClassVar[str]
    rules: ClassVar[type[Rules]] = HotListRules
    family: ClassVar[str] = "hgldp.tracker.hot_list:HotListFamily"
    starts_cold: ClassVar[bool] = True
    has_windows: ClassVar[bool] = False
    spells_out: ClassVar[bool] = False
    useful_epochs: ClassVar[int] = RETAINED - 1
    reads_domain: ClassVar[bool] = False
    domain_size: int
    cells: int
    epsilon: Epsilon
    scale: int = field(default=SCALE, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_size(self.domain_size)
        as_epsilon(self.epsilon)
        check_whole("cells", self.cells, 1, MAX_CELLS)
        if self.cells >= self.domain_size:
            raise InvalidField("cells", f"must be fewer than the {self.domain_size} items of the domain", self.cells)

    @classmethod
    def of(cls, task: Task) -> Self:
        """The scheme of a task, with the budget of one report."""
        return cls(task.domain_size, task.rules.cells, task.budget.per_report)

    @abstractmethod
    def channel(self, bulletin: Bulletin) -> list[Row]:
        """Pr[symbol | item] as exact fractions, one row an item. For small domains only."""

    @abstractmethod
    def randomize(self, item: int, bulletin: AnyBulletin, words: Words) -> int:
        """One symbol for one event: the client's whole part."""

    @abstractmethod
    def reading(self, bulletin: Bulletin) -> Reading:
        """How the server reads the symbols that answer a bulletin."""

    @property
    def cold(self) -> int:
        """⊥, the symbol that says "not in the hot list" and no more."""
        return self.cells

    @property
    def always_nominating(self) -> bool:
        """Whether cold reports name their item in every epoch."""
        return False

    def named(self, item: int) -> int:
        """The symbol that names a cold item."""
        return self.first_name + item

    @property
    def first_name(self) -> int:
        """The first symbol that names an item: the name of item 0."""
        return self.cells + 1

    @property
    def hot_names_hit(self) -> bool:
        """Whether a symbol that names a hot item is a hit on its slot; otherwise it tells nothing new."""
        return False

    def names_cold(self, bulletin: Bulletin) -> bool:
        """Whether a report on the cold side names an item."""
        return self.always_nominating or bulletin.nominating

    def symbol_limit(self, bulletin: AnyBulletin) -> int:
        """The first symbol that no client may send in answer to a bulletin."""
        return self.symbols(naming=self.names_cold(of_kind(bulletin, Bulletin, KIND)))

    def symbols(self, *, naming: bool) -> int:
        """How many symbols there are: the slots and ⊥, and a name for every item where cold reports name theirs."""
        return self.first_name + self.domain_size if naming else self.cells + 1

    def rows(self, codes: Sequence[int], bulletin: AnyBulletin) -> list[Row]:
        """Pr[symbol | item] for some items."""
        rows = self.channel(of_kind(bulletin, Bulletin, KIND))
        return [rows[code] for code in codes]

    def leverage(self, bulletin: AnyBulletin) -> float:
        """What one forged report adds to an item's estimate, in the worse of the two regimes."""
        shown = of_kind(bulletin, Bulletin, KIND)
        return max(self.reading(replace(shown, nominating=each)).leverage for each in (False, True))

    def worth_of_forgery(self, bulletin: AnyBulletin) -> float:
        """A count is extrapolated to at most `REACH` times what was measured, and forged reports with it."""
        return REACH * self.leverage(bulletin)

    def insert(self, store: Store, symbol: int, bulletin: Bulletin) -> None:
        """Count one symbol that answers a bulletin."""
        if not 0 <= symbol < self.symbol_limit(bulletin):
            raise InvalidField("symbol", f"must lie in 0 … {self.symbol_limit(bulletin) - 1}", symbol)
        item = symbol - self.first_name
        slot = symbol if item < 0 else bulletin.slot(item)
        if slot is None:
            store.nominate(item)
        elif slot == self.cold or (item >= 0 and not self.hot_names_hit):
            store.miss()
        else:
            store.hit(slot)

    def respond(self, store: Store, k: int) -> tuple[Estimate, ...]:
        """The top k, ranked, each with its standard error."""
        check_whole("k", k, 1, self.cells)
        return store.estimates(k)

    def checked_slot(self, item: int, bulletin: AnyBulletin) -> tuple[int | None, Bulletin]:
        """Where a private item stands in a bulletin that fits; the item is never repeated in an error."""
        if type(item) is not int or not 0 <= item < self.domain_size:
            raise InvalidField("item", f"must be an int in 0 … {self.domain_size - 1}", "one that is not (withheld)")
        shown = self.checked(bulletin)
        return shown.slot(item), shown

    def check_bulletin(self, bulletin: AnyBulletin) -> None:
        """A hot list of another length would be answered with another ε."""
        self.checked(bulletin)

    def checked(self, bulletin: AnyBulletin) -> Bulletin:
        """The bulletin, if it is a hot list of the scheme's domain and cells."""
        shown = of_kind(bulletin, Bulletin, KIND)
        if (len(shown.hot), shown.domain_size) != (self.cells, self.domain_size):
            found = f"{len(shown.hot)} of {shown.domain_size}"
            raise InvalidField("bulletin", f"must list {self.cells} of {self.domain_size} items", found)
        return shown
