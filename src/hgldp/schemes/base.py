"""The one shape of a scheme: randomize on the client, insert and respond on the server, one file for both halves.

Symbols: 0 … cells − 1 name a hot slot, `cells` is COLD (⊥), and cells + 1 + item names a cold item.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol

from hgldp.errors import InvalidField
from hgldp.mechanisms.base import bytes_for
from hgldp.model.bulletin import Bulletin
from hgldp.model.domain import check_size
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import Words
from hgldp.model.weights import SCALE, Epsilon, as_epsilon

Row = dict[int, Fraction]
MAX_CELLS = 1 << 14


@dataclass(frozen=True)
class Reading:
    """How the reports of one regime are read: the exact chance that a report lands on a given slot or on any slot.

    With C hits, H reports on the hot side and n reports in all, the count of the slot's item is
    (C − per_hot·H − per_report·n)/gain: exactly unbiased and linear, with no prior of the hot share.
    """

    own: Fraction
    other: Fraction
    cold: Fraction
    hot_if_hot: Fraction
    hot_if_cold: Fraction
    hot_share: Fraction | None = None

    @property
    def gain(self) -> Fraction:
        """What one true event adds to the hits, above another hot event."""
        return self.own - self.other

    @property
    def per_hot(self) -> Fraction:
        """Noise to subtract for each report on the hot side; 0 where hot and cold events make the same noise."""
        if self.hot_share is not None or self.other == self.cold:
            return Fraction(0)
        return (self.other - self.cold) / (self.hot_if_hot - self.hot_if_cold)

    @property
    def per_report(self) -> Fraction:
        """Noise to subtract for each report."""
        if self.hot_share is not None:
            return self.hot_share * self.other + (1 - self.hot_share) * self.cold
        return self.cold - self.hot_if_cold * self.per_hot

    def spread(self, hit: Fraction, hot: Fraction) -> Fraction:
        """The variance that one event adds to the estimate, for an event that hits and lands hot with these chances."""
        first = hit - self.per_hot * hot
        second = hit * (1 - 2 * self.per_hot) + self.per_hot**2 * hot
        return (second - first**2) / self.gain**2

    @property
    def coefficients(self) -> tuple[float, ...]:
        """What the kernels need: per_hot, per_report, gain, hot_if_hot, hot_if_cold, and three spreads."""
        spreads = (
            self.spread(self.own, self.hot_if_hot),
            self.spread(self.other, self.hot_if_hot),
            self.spread(self.cold, self.hot_if_cold),
        )
        line = (self.per_hot, self.per_report, self.gain, self.hot_if_hot, self.hot_if_cold, *spreads)
        return tuple(float(number) for number in line)

    @property
    def variance(self) -> float:
        """The variance that one event of an item outside the hot list adds to the estimate of a hot one."""
        return float(self.spread(self.cold, self.hot_if_cold))

    @property
    def leverage(self) -> float:
        """What one forged report is worth, in honest reports."""
        return float((1 - self.per_hot - self.per_report) / self.gain)


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
        if isinstance(self.cells, bool) or not isinstance(self.cells, int) or not 1 <= self.cells <= MAX_CELLS:
            raise InvalidField("cells", f"must be a whole number in 1 … {MAX_CELLS}", self.cells)
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

    @abstractmethod
    def symbols(self, bulletin: Bulletin) -> int:
        """How many different symbols a client may send."""

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
        return bytes_for(self.symbols(bulletin))

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
        if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= self.cells:
            raise InvalidField("k", f"must be a whole number in 1 … cells = {self.cells}", k)
        return store.estimates(k)

    def slot(self, item: int, bulletin: Bulletin) -> int | None:
        """Where a private item stands, if item and bulletin fit the scheme; the item is never repeated in an error."""
        if not 0 <= item < self.domain_size:
            raise InvalidField("item", f"must lie in 0 … {self.domain_size - 1}", "one outside (withheld)")
        self.check_bulletin(bulletin)
        return bulletin.slot(item)

    def check_bulletin(self, bulletin: Bulletin) -> None:
        """A hot list of another length would be answered with another ε."""
        if (len(bulletin.hot), bulletin.domain_size) != (self.cells, self.domain_size):
            found = f"{len(bulletin.hot)} of {bulletin.domain_size}"
            raise InvalidField("bulletin", f"must list {self.cells} of {self.domain_size} items", found)
