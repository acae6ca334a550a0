"""The law of the answers to one kind of bulletin: whole weights for kinds of items and kinds of symbols."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

Weights = tuple[tuple[int, int], ...]
Row = Mapping[str, Weights]


def weights(*pairs: tuple[int, int]) -> Weights:
    """How many times each weight stands in a row, the largest weight first.

    >>> weights((4, 1), (9, 2), (4, 3), (5, 0))
    ((9, 2), (4, 4))
    """
    found: Counter[int] = Counter()
    for weight, times in pairs:
        found[weight] += times
    return tuple(sorted(((weight, times) for weight, times in found.items() if times), reverse=True))


def sum_of(row: Row) -> int:
    """All weights of a row together."""
    return sum(weight * times for part in row.values() for weight, times in part)


def width_of(row: Row) -> dict[str, int]:
    """How many symbols of each kind a row has a weight for."""
    return {symbol: sum(times for _, times in part) for symbol, part in row.items()}


@dataclass(frozen=True)
class Law:
    """Pr[symbol | item] = weight / total. `items` has a row for each kind of item, whose rows all look the same.

    A row says for each kind of symbol which weights its symbols have, and how many of them have each.

    >>> coin = Law("any", 4, {"side": {"side": weights((3, 1), (1, 1))}})
    >>> coin.ratio("side")
    Fraction(3, 1)
    """

    bulletin: str
    total: int
    items: Mapping[str, Row]

    @property
    def more(self) -> Mapping[str, object]:
        """What else the document says of this law."""
        return {}

    @property
    def symbols(self) -> tuple[str, ...]:
        """The kinds of symbols."""
        return tuple(next(iter(self.items.values())))

    def ratio(self, symbol: str) -> Fraction:
        """The largest weight of a kind of symbol over the smallest. No symbol of the kind is further apart than this.

        All of them are that far apart, since they are treated alike: `hgldp check` compares it with the channel.
        """
        found = [weight for row in self.items.values() for weight, _ in row[symbol]]
        return Fraction(max(found), min(found))

    @property
    def worst(self) -> Fraction:
        """The largest ratio of all symbols: e to the ε that a report really spends."""
        return max(self.ratio(symbol) for symbol in self.symbols)

    def as_document(self) -> dict[str, object]:
        """As a certificate has it."""
        return {"bulletin": self.bulletin, **self.more, "total": self.total, "items": self.items}
