"""The clients of a task, all of them: uploads with the reports of the next events of a seeded stream."""

from collections.abc import Sequence
from hashlib import sha256

from hgldp.client import Randomizer
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import Upload
from tests.recorded.world import skewed


class Crowd:
    """Draws with seeded words and numbers its uploads by a hash, so that the same calls give the same bytes."""

    def __init__(self, task: Task, items: Sequence[object], events: int, seed: int) -> None:
        self.task, self._seed = task, seed
        self._events = iter(skewed(items, events, seed))
        self._client = Randomizer(task, max_epsilon=10.0, words=SeededWords(seed))
        self._scheme = scheme_of(task)
        self._uploads = 0

    def upload(self, bulletin: AnyBulletin, reports: int) -> bytes:
        """The next events, of one person, as answers to one bulletin."""
        self._uploads += 1
        upload_id = sha256(f"{self._seed} {self._uploads}".encode()).digest()[:16]
        symbols = self.symbols(bulletin, reports)
        limit = self._scheme.symbol_limit(bulletin)  # type: ignore[arg-type]
        return Upload.of(upload_id, bytes.fromhex(bulletin.version), symbols, limit).encode()

    def symbols(self, bulletin: AnyBulletin, reports: int) -> list[int]:
        """The next events as reports."""
        self._client.sent = 0
        return [self._client.report(next(self._events), bulletin).symbol for _ in range(reports)]
