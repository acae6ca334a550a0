"""Who may hold a stream: everyone while there is room, and otherwise a fair share for each address and token."""

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

    def check(self, name: str, *, known: bool) -> Whose | None:
        """Who would have to give up a place; None if one is free. Raises Refused if there is none for this newcomer."""
        mine, held = len(self._held.get((known, name), ())), self._strangers
        if known or sum(map(len, held.values())) < self._open:
            if len(self) < self._most:
                return None
            held = self._held

        def weight(whose: Whose) -> int:
            return len(held[whose]) + (known and not whose[0])

        fullest = max(held, key=weight, default=None)
        if fullest is None or weight(fullest) <= mine + 1:
            raise Refused(Problem.TOO_MANY_STREAMS, f"at most {self._most} may be open", retry_after=RETRY_SECONDS)
        return fullest

    def enter(self, holder: Holder, name: str, *, known: bool) -> None:
        """Take a place, or raise Refused. The name is that of an address, or if it is known, of a token.

        The oldest stream of whoever holds the most ends, if that is still as many as the newcomer's afterwards.
        """
        fullest = self.check(name, known=known)
        if fullest is not None:
            oldest = self._held[fullest][0]
            self.leave(oldest, fullest[1], known=fullest[0])
            oldest.end()
        self._held.setdefault((known, name), []).append(holder)

    def leave(self, holder: Holder, name: str, *, known: bool) -> None:
        """Give the place back; it may have been taken away already."""
        held = self._held.get((known, name), [])
        if holder in held:
            held.remove(holder)
        if not held:
            self._held.pop((known, name), None)
