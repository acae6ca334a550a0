"""Rows of the inbox on their way into the log."""

from collections.abc import Iterable, Mapping, Sequence

from hgldp.collector.log.entry import RUN, Entry, chained
from hgldp.collector.log.postgres.inbox import Run
from hgldp.collector.log.storage import LogEnd
from hgldp.collector.log.task_state import TaskState


class Runs:
    """`reports` is how many new reports each task gets.

    A row whose bulletin the task no longer reads stays in the inbox. That cannot happen as long as every collector
    derives the same bulletins from the same log.
    """

    def __init__(self, rows: Iterable[Run], states: Mapping[int, TaskState]) -> None:
        self._rows: list[Run] = []
        self.unreadable: list[Run] = []
        for row in rows:
            known = row.task in states and row.bulletin in states[row.task].formats
            (self._rows if known else self.unreadable).append(row)

    @property
    def numbers(self) -> list[int]:
        """Of the rows."""
        return [row.number for row in self._rows]

    @property
    def reports(self) -> dict[int, int]:
        """By task."""
        found: dict[int, int] = {}
        for row in self._rows:
            found[row.task] = found.get(row.task, 0) + row.reports
        return found

    def leave_out(self, numbers: set[int]) -> None:
        """These rows are in the log already."""
        self._rows = [row for row in self._rows if row.number not in numbers]

    def entries(
        self, after: LogEnd, chains: Mapping[int, bytes], now: float, endings: Sequence[tuple[int, int]] = ()
    ) -> list[Entry]:
        """The next entries of the log: each row, then the end of each epoch or task, as (task, kind)."""
        return chained(self.unchained(after, now, endings), chains)

    def unchained(self, after: LogEnd, now: float, endings: Sequence[tuple[int, int]] = ()) -> list[Entry]:
        """The same without their hashes: what they lead to can be asked before they are written."""
        batch, position = after.batch + 1, after.position
        found = []
        for row in self._rows:
            position += 1
            place = (position, batch, now, row.task, RUN, row.bulletin, row.reports, b"")
            found.append(Entry(*place, row.ids, row.counts, row.symbols))
        for task, kind in endings:
            position += 1
            found.append(Entry(position, batch, now, task, kind))
        return found
