"""The law of the answers to one kind of bulletin: whole weights for kinds of items and kinds of symbols."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from hgldp.errors import InvalidField

Weights = tuple[tuple[int, int], ...]


def weights(*pairs: tuple[int, int]) -> Weights:
    """How many times each weight stands in a row or a column, the largest weight first.

    >>> weights((4, 1), (9, 2), (4, 3), (5, 0))
    ((9, 2), (4, 4))
    """
    found: Counter[int] = Counter()
    for weight, times in pairs:
        found[weight] += times
    return tuple(sorted(((weight, times) for weight, times in found.items() if times), reverse=True))


@dataclass(frozen=True)
class ItemKind:
    """Items whose rows look the same: how many there are, and for each kind of symbol the weights of a row."""

    name: str
    count: int
    row: Mapping[str, Weights]

    @property
    def total(self) -> int:
        """The sum of a row."""
        return sum(weight * times for part in self.row.values() for weight, times in part)


@dataclass(frozen=True)
class Law:
    """Pr[symbol | item] = weight / total. `symbols` says how many symbols of each kind there are.

    All symbols of a kind have the same column: the weights that they have over all items, in some order.

    >>> coin = ItemKind("side", 2, {"side": weights((3, 1), (1, 1))})
    >>> Law("any", 4, {"side": 2}, (coin,)).column("side")
    ((3, 1), (1, 1))
    """

    bulletin: str
    total: int
    symbols: Mapping[str, int]
    items: tuple[ItemKind, ...]

    @property
    def more(self) -> Mapping[str, object]:
        """What else the document says of this law."""
        return {}

    def column(self, symbol: str) -> Weights:
        """Every weight that one symbol of a kind has over all items. Rows and columns count the same pairs."""
        pairs = ((weight, kind.count * times) for kind in self.items for weight, times in kind.row[symbol])
        return weights(*((weight, self._each(times, symbol)) for weight, times in weights(*pairs)))

    def _each(self, times: int, symbol: str) -> int:
        share, rest = divmod(times, self.symbols[symbol])
        if rest:
            raise InvalidField("rows", f"must treat all symbols of the kind {symbol} alike", f"{rest} left over")
        return share

    def as_document(self) -> dict[str, object]:
        """As a certificate has it."""
        columns = [(name, count, _listed(self.column(name))) for name, count in self.symbols.items()]
        rows = [(kind, {at: _listed(part) for at, part in kind.row.items()}) for kind in self.items]
        return {
            "bulletin": self.bulletin,
            **self.more,
            "total": self.total,
            "symbols": [{"kind": name, "count": count, "weights": column} for name, count, column in columns],
            "items": [{"kind": kind.name, "count": kind.count, "weights": row} for kind, row in rows],
        }


def _listed(part: Weights) -> list[list[int]]:
    return [list(pair) for pair in part]
