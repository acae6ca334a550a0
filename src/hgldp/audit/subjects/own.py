"""Our own randomiser in this process: what `Randomizer` draws, in the order of the events, in one upload."""

from dataclasses import dataclass, field

from hgldp.audit.pairs import Events
from hgldp.audit.subjects.base import Sent
from hgldp.audit.views import Views, views_of
from hgldp.client.randomizer import Randomizer
from hgldp.errors import OutsideDomain
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import OSWords, Words
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import ID_BYTES, Upload


@dataclass
class OwnClient:
    """A fresh device for each draw. An item that the domain refuses makes no report."""

    task: Task
    bulletin: AnyBulletin
    words: Words = field(default_factory=OSWords)
    block: int = 4_096

    def __post_init__(self) -> None:
        self._limit = scheme_of(self.task).symbol_limit(self.bulletin)
        self._version = bytes.fromhex(self.bulletin.version)
        self._device = Randomizer(self.task, max_epsilon=self.task.budget.epsilon, words=self.words)

    def draw(self, events: Events, count: int) -> Views:
        """One upload a device, with one report for each of its events, or one answer in all if the task wants that."""
        return views_of([self._uploads(events) for _ in range(count)], self._limit, self._version)

    def steer(self, events: Events, words: Words) -> Sent:
        """The symbols that follow from words that the audit chose."""
        self._device.words = words
        try:
            symbols = self._symbols(events)
        finally:
            self._device.words = self.words
        return (tuple(symbols),) if symbols else ()

    def _symbols(self, events: Events) -> list[int]:
        self._device.sent = 0
        self._device.answers.clear()
        symbols = list[int]()
        for item in events:
            try:
                symbols.append(self._device.report(item, self.bulletin).symbol)
            except OutsideDomain:
                continue
            if self.task.one_answer:
                break
        return symbols

    def _uploads(self, events: Events) -> list[bytes]:
        symbols = self._symbols(events)
        if not symbols:
            return []
        return [Upload.of(self._random_bytes(ID_BYTES), self._version, symbols, self._limit).encode()]

    def _random_bytes(self, size: int) -> bytes:
        return b"".join(self.words.word().to_bytes(8, "big") for _ in range(size // 8))
