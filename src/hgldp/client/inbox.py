"""Events that wait for a bulletin. They are in memory only: a raw item never touches the disk."""

from collections import Counter, deque
from threading import Lock

from hgldp.client.status import Outcome


class Inbox:
    """Bounded, and any thread may fill it. Its repr shows no item."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._items = deque[object]()
        self._in_hand = 0
        self._dropped: Counter[Outcome] = Counter()
        self._lock = Lock()

    def __len__(self) -> int:
        """Events that are not on the disk yet, including those being randomised."""
        return len(self._items) + self._in_hand

    @property
    def untouched(self) -> int:
        """Events that the ledger does not know of yet."""
        return len(self._items)

    def put(self, item: object) -> bool:
        """Take an event if there is room; whether there was."""
        with self._lock:
            room = len(self) < self._most
            if room:
                self._items.append(item)
            return room

    def take(self, most: int) -> list[object]:
        """The oldest events. They leave the inbox at once: whatever fails later, they are never randomised again."""
        with self._lock:
            taken = [self._items.popleft() for _ in range(min(most, len(self._items)))]
            self._in_hand = len(taken)
            return taken

    def done(self) -> None:
        """Say that what was taken is queued or lost."""
        self._in_hand = 0

    def clear(self, reason: Outcome) -> None:
        """Drop everything that waits."""
        with self._lock:
            lost = len(self._items)
            self._items.clear()
        self.drop(reason, lost)

    def drop(self, reason: Outcome, events: int = 1) -> Outcome:
        """Count events that will never reach the server's count; returns the reason."""
        if events:
            with self._lock:
                self._dropped[reason] += events
        return reason

    @property
    def dropped(self) -> dict[str, int]:
        """How many events were dropped, by reason."""
        with self._lock:
            return {reason.value: events for reason, events in self._dropped.items()}
