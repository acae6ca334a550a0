"""The server's half, step by step: reports in, bulletins and estimates out."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hgldp.errors import UnknownBulletin
from hgldp.model.bulletin import Bulletin
from hgldp.model.estimate import Estimate
from hgldp.model.report import Report
from hgldp.model.tally import Tally
from hgldp.model.task import Task
from hgldp.schemes.registry import build
from hgldp.stores.hot_index import HotIndex
from hgldp.stores.hot_list import HotList

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RETAINED = 4


class Tracker:
    """Counts reports against the bulletins they answer, and renews the bulletin when an epoch is full.

    A late report is read in the regime of its own bulletin, for the cells that have been there since; a report for a
    bulletin older than the last few is refused. Deterministic given the seed and the reports.

    >>> from hgldp.client import Randomizer
    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import Vocabulary
    >>> from hgldp.model.randomness import SeededWords
    >>> task = Task("dsr", Budget(2.0), Vocabulary(tuple("abcdefgh")), k=2, cells=3, epoch=100)
    >>> tracker, client = Tracker(task, seed=1), Randomizer(task, max_epsilon=2.0, words=SeededWords(5))
    >>> for event in "aabacabad" * 200:
    ...     tracker.insert(client.report(event, tracker.bulletin))
    >>> [(item, round(estimate.count)) for item, estimate in tracker.top()]
    [('a', 1003), ('b', 397)]
    """

    def __init__(self, task: Task, seed: int, warmup: Iterable[object] = ()) -> None:
        self.task, self.scheme = task, build(task)
        items, always = [task.domain.index(item) for item in warmup], self.scheme.always_nominating
        self.store = HotList.of(task, always_nominating=always, seed=seed, warmup=items)
        self._bulletins: OrderedDict[str, tuple[Bulletin, HotIndex]] = OrderedDict()
        self._publish()

    def _publish(self) -> None:
        store = self.store
        bulletin = Bulletin(self.task.id, store.epoch, self.task.domain.size, store.items, store.nominating)
        self._bulletins[bulletin.version] = bulletin, HotIndex(bulletin.hot)
        while len(self._bulletins) > RETAINED:
            self._bulletins.popitem(last=False)

    @property
    def bulletin(self) -> Bulletin:
        """What clients answer now."""
        return next(reversed(self._bulletins.values()))[0]

    def __repr__(self) -> str:
        return f"Tracker({self.task.scheme}, epoch {self.store.epoch}, {self.store.reports} reports)"

    def insert(self, report: Report) -> None:
        """Count one report; seals the epoch when it is the last one."""
        self.insert_many(report.bulletin, [report.symbol])

    def insert_many(self, version: str, symbols: "Sequence[int] | NDArray[np.int64]") -> None:
        """Count many symbols that answer one bulletin. Nothing is counted if any of them is illegal."""
        if version not in self._bulletins:
            raise UnknownBulletin(version)
        (bulletin, index), scheme = self._bulletins[version], self.scheme
        below = scheme.symbol_limit(bulletin)
        read = index.read(symbols, first_name=scheme.first_name, hot_is_hit=scheme.hot_names_hit, below=below)
        position = 0
        while position < len(read) and bulletin is self.bulletin:
            end = position + self.store.epoch_room
            self.store.insert(read[position:end])
            position = end
            if self.store.epoch_is_full:
                self.seal()
        if position < len(read):
            self._insert_late(bulletin, Tally.of(version, self.task.cells, read[position:].tolist()))

    def _insert_late(self, bulletin: Bulletin, tally: Tally) -> None:
        since = [later.hot for later, _ in self._bulletins.values() if later.epoch >= bulletin.epoch]
        stayed = [len({hot[slot] for hot in since}) == 1 for slot in range(self.task.cells)]
        self.store.insert_late(tally, self.scheme.reading(bulletin).coefficients, stayed)

    def seal(self) -> Bulletin:
        """End the epoch now and publish the next bulletin."""
        self.store.seal(self.scheme.reading(self.bulletin).coefficients)
        self._publish()
        return self.bulletin

    def respond(self, k: int | None = None) -> tuple[Estimate, ...]:
        """The top k now, the open epoch included."""
        now = self.store.absorbed(self.scheme.reading(self.bulletin).coefficients)
        return self.scheme.respond(now, self.task.k if k is None else k)

    def top(self, k: int | None = None) -> list[tuple[object, Estimate]]:
        """The same, with the items of the domain."""
        return [(self.task.domain.item(estimate.item), estimate) for estimate in self.respond(k)]
