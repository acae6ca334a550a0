"""The one shape of a scheme: randomize on the client, insert and respond on the server, one file for both halves.

Symbols: 0 … cells − 1 name a hot slot, `cells` is COLD (⊥), and cells + 1 + item names a cold item.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol

from hgldp.errors import InvalidField
from hgldp.mechanisms.base import bytes_for
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import check_size
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import Words
from hgldp.model.validate import check_whole
from hgldp.model.weights import SCALE, Epsilon, as_epsilon
from hgldp.schemes.reading import Reading

Row = dict[int, Fraction]
MAX_CELLS = 1 << 14


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
class Scheme(ABC):
    """Fields that every scheme has, and the parts that all of them share."""

    name: ClassVar[str]
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

    @abstractmethod
    def channel(self, bulletin: Bulletin) -> list[Row]:
        """Pr[symbol | item] as exact fractions, one row an item. For small domains only."""

    @abstractmethod
    def randomize(self, item: int, bulletin: Bulletin, words: Words) -> int:
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

    def report_bytes(self, bulletin: Bulletin) -> int:
        """Bytes of one symbol on the wire."""
        return bytes_for(self.symbol_limit(bulletin))

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

    def symbol_limit(self, bulletin: Bulletin) -> int:
        """The first symbol that no client may send in answer to a bulletin."""
        return self.first_name + self.domain_size if self.names_cold(bulletin) else self.cells + 1

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

    def checked_slot(self, item: int, bulletin: Bulletin) -> int | None:
        """Where a private item stands, if item and bulletin fit the scheme; the item is never repeated in an error."""
        if type(item) is not int or not 0 <= item < self.domain_size:
            raise InvalidField("item", f"must be an int in 0 … {self.domain_size - 1}", "another (withheld)")
        self.check_bulletin(bulletin)
        return bulletin.slot(item)

    def check_bulletin(self, bulletin: Bulletin) -> None:
        """A hot list of another length would be answered with another ε."""
        if not isinstance(bulletin, Bulletin):
            raise InvalidField("bulletin", "must be a hot list", type(bulletin).__name__)
        if (len(bulletin.hot), bulletin.domain_size) != (self.cells, self.domain_size):
            found = f"{len(bulletin.hot)} of {bulletin.domain_size}"
            raise InvalidField("bulletin", f"must list {self.cells} of {self.domain_size} items", found)
