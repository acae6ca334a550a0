"""What clients say: a report of one event, how many bytes it takes, and reports of one bulletin added up."""

from collections.abc import Iterable
from dataclasses import dataclass

from hgldp.errors import InvalidField


@dataclass(frozen=True, slots=True)
class Report:
    """A symbol, and the version of the bulletin it answers, so that a late report is read in its own regime."""

    bulletin: str
    symbol: int

    def __post_init__(self) -> None:
        if self.symbol < 0:
            raise InvalidField("symbol", "must be at least 0", self.symbol)


def symbol_bytes(symbol_limit: int) -> int:
    """How many bytes every symbol below a limit takes, the small ones too: a length must not tell.

    >>> symbol_bytes(256), symbol_bytes(257), symbol_bytes(70_000)
    (1, 2, 3)
    """
    return max(1, ((symbol_limit - 1).bit_length() + 7) // 8)


@dataclass(frozen=True)
class Tally:
    """Hits a slot, how many reports there were, and the cold items they named, in order of arrival.

    >>> Tally.of("v1", cells=2, symbols=[0, 0, 2, 5]) + Tally.of("v1", cells=2, symbols=[1])
    Tally(bulletin='v1', hits=(2, 1), reports=5, names=(2,))
    """

    bulletin: str
    hits: tuple[int, ...]
    reports: int
    names: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if min(self.hits, default=0) < 0 or sum(self.hits) + len(self.names) > self.reports:
            raise InvalidField("hits", "must be counts that add up to at most the reports", self.reports)

    @classmethod
    def of(cls, bulletin: str, cells: int, symbols: Iterable[int]) -> "Tally":
        """Slots below `cells`, ⊥ at `cells`, names above."""
        hits, names, reports = [0] * cells, [], 0
        for symbol in symbols:
            reports += 1
            if 0 <= symbol < cells:
                hits[symbol] += 1
            elif symbol > cells:
                names.append(symbol - cells - 1)
        return cls(bulletin, tuple(hits), reports, tuple(names))

    @property
    def on_hot_side(self) -> int:
        """How many reports hit any slot."""
        return sum(self.hits)

    def __add__(self, other: "Tally") -> "Tally":
        if (self.bulletin, len(self.hits)) != (other.bulletin, len(other.hits)):
            raise InvalidField("bulletin", "must be the same for tallies that are added", other.bulletin)
        hits = tuple(mine + theirs for mine, theirs in zip(self.hits, other.hits, strict=True))
        return Tally(self.bulletin, hits, self.reports + other.reports, self.names + other.names)
