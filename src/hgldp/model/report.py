"""What one client says about one event; nothing else ever leaves the client."""

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
