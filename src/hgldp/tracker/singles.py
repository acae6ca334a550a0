"""Single reports that answer the bulletin in force, until they are counted together: an array of one is slow."""

MOST = 1 << 12


class Singles:
    """Symbols in order of arrival, at most `room` of them: as many as the epoch still takes, and never above `MOST`.

    Each is checked when it comes. What is not plainly legal is not taken, so that the tracker can say what is wrong.

    >>> singles = Singles("v1", limit=3, room=2)
    >>> singles.take("v1", 2), singles.take("v1", 3), singles.take("v2", 1), singles.take("v1", 0)
    (True, False, False, True)
    >>> singles.symbols, singles.full
    ([2, 0], True)
    """

    __slots__ = ("limit", "room", "symbols", "version")

    def __init__(self, version: str = "", limit: int = 0, room: int = 1) -> None:
        self.version = version
        self.limit = limit
        self.room = min(room, MOST)
        self.symbols: list[int] = []

    def take(self, version: str, symbol: int) -> bool:
        """Whether the symbol waits now."""
        if type(symbol) is not int or not 0 <= symbol < self.limit or version != self.version:
            return False
        self.symbols.append(symbol)
        return True

    @property
    def full(self) -> bool:
        """Whether it is time to count."""
        return len(self.symbols) >= self.room


CLOSED = Singles()
