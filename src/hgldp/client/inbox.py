"""Events that wait for the next tick. They are in memory only."""

from collections import Counter, deque
from collections.abc import Callable
from threading import RLock
from typing import NamedTuple

from hgldp.client.status import Outcome
from hgldp.model.domain import Code


class Encoded(NamedTuple):
    """What is randomised in place of an item, which is then not kept."""

    code: Code


class Event(NamedTuple):
    """An item, and when it came: the period of an event is that of its own moment, however late it is looked at."""

    moment: float
    item: object


class Inbox:
    """Bounded, and any thread may fill it. Its repr shows no item.

    Ctrl-C may come between any two steps of `put` and `drop`, even between taking the lock and the next line. So the
    lock is taken inside `try`, and only a thread that has it can give it back.
    """

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._most, self._now = most, now
        self._events = deque[Event]()
        self._in_hand = 0
        self._dropped: Counter[Outcome] = Counter()
        self._lock = RLock()

    def __len__(self) -> int:
        """Events that are not on the disk yet, including those being randomised."""
        return len(self._events) + self._in_hand

    @property
    def untouched(self) -> int:
        """Events that the ledger does not know of yet."""
        return len(self._events)

    def put(self, item: object, left: int | None) -> bool:
        """Take an event if there is room, and if fewer than `left` wait for the ledger; whether it was taken."""
        try:
            self._lock.acquire()
            waiting = len(self._events)
            room = waiting + self._in_hand < self._most and (left is None or waiting < left)
            if room:
                self._events.append(Event(self._now(), item))
            return room
        finally:
            try:  # noqa: SIM105 - a call of ours could be interrupted before it gives the lock back
                self._lock.release()
            except RuntimeError:  # it was interrupted before it had the lock
                pass

    def moment(self) -> float:
        """This moment: whatever is not in the inbox yet comes later."""
        with self._lock:
            return self._now()

    def take(self, most: int) -> list[Event]:
        """The oldest events. They leave the inbox at once: whatever fails later, they are never randomised again."""
        with self._lock:
            taken = [self._events.popleft() for _ in range(min(most, len(self._events)))]
            self._in_hand = len(taken)
            return taken

    def done(self) -> None:
        """Say that what was taken is queued or lost."""
        self._in_hand = 0

    def clear(self, reason: Outcome) -> None:
        """Drop everything that waits."""
        with self._lock:
            lost = len(self._events)
            self._events.clear()
        self.drop(reason, lost)

    def drop(self, reason: Outcome, events: int = 1) -> Outcome:
        """Count events that will never reach the server's count; returns the reason."""
        try:
            self._lock.acquire()
            if events:
                self._dropped[reason] += events
        finally:
            try:  # noqa: SIM105 - a call of ours could be interrupted before it gives the lock back
                self._lock.release()
            except RuntimeError:  # it was interrupted before it had the lock
                pass
        return reason

    @property
    def dropped(self) -> dict[str, int]:
        """How many events were dropped, by reason."""
        return {reason.value: events for reason, events in dict(self._dropped).items()}
