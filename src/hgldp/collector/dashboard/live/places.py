"""Who may hold a stream: everyone while there is room, and a fair share for each address when there is none."""

from typing import Protocol

from hgldp.collector.problems import Problem, Refused

MOST, RESERVED, RETRY_SECONDS = 256, 64, 30


class Holder(Protocol):
    """A stream that can be told to end."""

    def end(self) -> None:
        """Make room."""


class StreamPlaces:
    """Strangers share all but a reserve for people with a token.

    When the strangers' places are taken, a newcomer whose address holds fewer than another gets the oldest place of
    that other. So one address may hold all places, but only until somebody else wants one. The table has no more rows
    than there are places.
    """

    def __init__(self, most: int = MOST, reserved: int = RESERVED) -> None:
        self._most, self._open = most, most - reserved
        self._known: set[Holder] = set()
        self._strangers: dict[str, list[Holder]] = {}

    def __len__(self) -> int:
        return len(self._known) + self._held

    @property
    def _held(self) -> int:
        return sum(map(len, self._strangers.values()))

    def enter(self, holder: Holder, address: str, *, known: bool) -> None:
        """Take a place, or raise Refused."""
        if known:
            if len(self) >= self._most:
                self._make_room(0)
            self._known.add(holder)
            return
        if self._held >= self._open or len(self) >= self._most:
            self._make_room(len(self._strangers.get(address, ())) + 1)
        self._strangers.setdefault(address, []).append(holder)

    def leave(self, holder: Holder, address: str) -> None:
        """Give the place back; it may have been taken away already."""
        self._known.discard(holder)
        held = self._strangers.get(address, [])
        if holder in held:
            held.remove(holder)
        if not held:
            self._strangers.pop(address, None)

    def _make_room(self, fewest: int) -> None:
        """End the oldest stream of the address that holds the most, if that is more than `fewest`."""
        fullest = max(self._strangers, key=lambda each: len(self._strangers[each]), default=None)
        if fullest is None or len(self._strangers[fullest]) <= fewest:
            raise Refused(Problem.TOO_MANY_STREAMS, f"at most {self._most} may be open", retry_after=RETRY_SECONDS)
        oldest = self._strangers[fullest][0]
        self.leave(oldest, fullest)
        oldest.end()
