"""How far a restart has to read: after so much has been written, every task that changed writes down where it is."""

from collections.abc import Iterable

from hgldp.collector.log.entry import Entry
from hgldp.wire.upload import ID_BYTES

MOST_ENTRIES, ENTRY_BYTES, ENTRY_UPLOADS = 1 << 15, 2_000, 8
AT_ONCE = 32


class Checkpoints:
    """An entry counts once, and again for every 2 kB and every eight uploads in it: about what it costs to read.

    So a restart reads at most some 30,000 small entries, 64 MB of reports or 260,000 single uploads.
    """

    def __init__(self) -> None:
        self._cost = 0.0
        self._changed: set[int] = set()
        self._due: set[int] = set()

    def note(self, entries: Iterable[Entry]) -> None:
        """Entries were written."""
        for entry in entries:
            size, uploads = len(entry.symbols), len(entry.ids) // ID_BYTES
            self._cost += 1 + size / ENTRY_BYTES + uploads / ENTRY_UPLOADS
            self._changed.add(entry.task)
        if self._cost > MOST_ENTRIES:
            self._due |= self._changed
            self._changed, self._cost = set(), 0.0

    def take(self) -> list[int]:
        """Some of the tasks that are due: a few with each commit, so that no commit takes long."""
        found = sorted(self._due)[:AT_ONCE]
        self._due.difference_update(found)
        return found

    def put_back(self, task: int) -> None:
        """It could not be written down now."""
        self._due.add(task)

    def forget(self, task: int) -> None:
        """It was deleted."""
        self._due.discard(task)
        self._changed.discard(task)
