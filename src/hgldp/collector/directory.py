"""Finds a task by its id, its write key or its read token, however many there are."""

from collections.abc import Iterable

from hgldp.collector.tokens import digest
from hgldp.collector.views import TaskView
from hgldp.collector.writer import Intake
from hgldp.system.clock import Clock


class Directory:
    """Filled by one thread; any thread may look up meanwhile. A table is replaced as a whole, never changed."""

    def __init__(self) -> None:
        self.by_id: dict[bytes, Intake] = {}
        self._by_digest: dict[bytes, Intake] = {}
        self._by_old_digest: dict[bytes, Intake] = {}
        self._by_read_digest: dict[bytes, tuple[Intake, ...]] = {}
        self._by_key: dict[str, Intake] = {}
        self._by_list: dict[str, tuple[Intake, ...]] = {}

    def fill(self, intakes: Iterable[Intake]) -> None:
        """With the tasks as they are now."""
        intakes = list(intakes)
        by_read_digest: dict[bytes, tuple[Intake, ...]] = {}
        by_list: dict[str, tuple[Intake, ...]] = {}
        for each in intakes:
            if hints := each.view.task.hints:
                by_list[hints.digest] = (*by_list.get(hints.digest, ()), each)
            same = by_read_digest.get(each.view.read_digest, ())
            by_read_digest[each.view.read_digest] = (*same, each)
        self.by_id = {each.view.id: each for each in intakes}
        self._by_digest = {each.view.write_digest: each for each in intakes}
        self._by_old_digest = {each.view.old_write_digest: each for each in intakes if each.view.old_write_digest}
        self._by_read_digest = by_read_digest
        self._by_list = by_list
        self._by_key = {}  # last: what is found by the tables before cannot outlive them here

    def tasks_that_keep(self, read_digest: bytes) -> list[TaskView]:
        """The tasks whose read token has this hash, or had it a moment ago."""
        return [intake.view for intake in self._by_read_digest.get(read_digest, ())]

    def tasks_with_list(self, digest: str) -> list[TaskView]:
        """The tasks that name the list with this hash."""
        return [intake.view for intake in self._by_list.get(digest, ())]

    def find_key(self, write_key: str, clock: Clock) -> Intake | None:
        """Where the uploads with a write key go. A key is hashed once; then a table knows it."""
        known = self._by_key
        intake = known.get(write_key)
        if intake is None:
            held = digest(write_key)
            intake = self._by_digest.get(held)
            if intake is not None:
                known[write_key] = intake
            elif (old := self._by_old_digest.get(held)) and old.view.takes_key(held, clock.now()):
                return old
        return intake
