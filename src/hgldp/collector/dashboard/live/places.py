"""Who may hold a stream: everyone while there is room, and otherwise a fair share for each address and token."""

from collections.abc import Mapping
from typing import Protocol

from hgldp.collector.problems import Problem, Refused

MOST, RESERVED, RETRY_SECONDS = 256, 64, 30
Whose = tuple[bool, str]


class Holder(Protocol):
    """A stream that can be told to end."""

    def end(self) -> None:
        """Make room."""


class StreamPlaces:
    """Strangers share all but a reserve for people with a token.

    When the places are taken, a newcomer who holds fewer than another gets the oldest place of that other: of the
    address that holds the most, or of the token. So one address or one token may hold all places, but only until
    somebody else wants one. Between equals, who has a token comes before strangers. The table has no more rows than
    there are places.
    """

    def __init__(self, most: int = MOST, reserved: int = RESERVED) -> None:
        self._most, self._open = most, most - reserved
        self._held: dict[Whose, list[Holder]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._held.values()))

    @property
    def _strangers(self) -> dict[Whose, list[Holder]]:
        return {whose: held for whose, held in self._held.items() if not whose[0]}

    def enter(self, holder: Holder, name: str, *, known: bool) -> None:
        """Take a place, or raise Refused. The name is that of an address, or if it is known, of a token."""
        mine = len(self._held.get((known, name), ()))
        if not known and sum(map(len, self._strangers.values())) >= self._open:
            self._make_room(self._strangers, mine, known=known)
        elif len(self) >= self._most:
            self._make_room(self._held, mine, known=known)
        self._held.setdefault((known, name), []).append(holder)

    def leave(self, holder: Holder, name: str, *, known: bool) -> None:
        """Give the place back; it may have been taken away already."""
        held = self._held.get((known, name), [])
        if holder in held:
            held.remove(holder)
        if not held:
            self._held.pop((known, name), None)

    def _make_room(self, held: Mapping[Whose, list[Holder]], mine: int, *, known: bool) -> None:
        """End the oldest stream of whoever holds the most, if that is still as many as the newcomer's afterwards."""

        def weight(whose: Whose) -> int:
            return len(held[whose]) + (known and not whose[0])

        fullest = max(held, key=weight, default=None)
        if fullest is None or weight(fullest) <= mine + 1:
            raise Refused(Problem.TOO_MANY_STREAMS, f"at most {self._most} may be open", retry_after=RETRY_SECONDS)
        oldest = held[fullest][0]
        self.leave(oldest, fullest[1], known=fullest[0])
        oldest.end()
