"""Events that wait for a bulletin, in memory alone: a raw item never touches the disk."""

from collections import Counter, deque
from threading import Lock

from hgldp.client.refusals import Outcome


class Inbox:
    """Bounded, and safe to fill from any thread. Its repr shows no item."""

    def __init__(self, most: int) -> None:
        self._most, self._items, self._lock = most, deque[object](), Lock()
        self._in_hand = 0
        self._dropped: Counter[Outcome] = Counter()

    def __len__(self) -> int:
        """Events that are not on the disk yet, those being randomised included."""
        return len(self._items) + self._in_hand

    @property
    def untouched(self) -> int:
        """Events that the ledger does not know of yet."""
        return len(self._items)

    def put(self, item: object) -> bool:
        """Whether there was room."""
        with self._lock:
            room = len(self) < self._most
            if room:
                self._items.append(item)
            return room

    def take(self, most: int) -> list[object]:
        """The oldest events, gone from here at once: whatever fails later, they are never randomised again."""
        with self._lock:
            taken = [self._items.popleft() for _ in range(min(most, len(self._items)))]
            self._in_hand = len(taken)
            return taken

    def done(self) -> None:
        """What was taken is queued or lost."""
        self._in_hand = 0

    def clear(self, reason: Outcome) -> None:
        """Forget everything that waits."""
        with self._lock:
            lost = len(self._items)
            self._items.clear()
        self.drop(reason, lost)

    def drop(self, reason: Outcome, events: int = 1) -> Outcome:
        """Count events that will never be counted by the server."""
        if events:
            with self._lock:
                self._dropped[reason] += events
        return reason

    @property
    def dropped(self) -> dict[str, int]:
        """How many events were dropped, by reason."""
        with self._lock:
            return {reason.value: events for reason, events in self._dropped.items()}
