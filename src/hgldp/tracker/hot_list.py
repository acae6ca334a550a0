"""The server of BGR, DSR, BDR and CNR: reports in order of arrival, into a hot list."""

from collections.abc import Sequence

from hgldp.errors import InvalidField
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import Domain
from hgldp.model.reports import Tally
from hgldp.model.task import Task
from hgldp.schemes.registry import build
from hgldp.stores.hot_list import HotIndex, HotList
from hgldp.tracker.family import Answer, Symbols


class HotListSide:
    """A late report is read in the regime of its own bulletin, for the cells that have been there since."""

    def __init__(self, task: Task, store: HotList) -> None:
        self.task, self.scheme, self.store = task, build(task), store
        self._publish()

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[int]) -> "HotListSide":
        """An empty store, or one that starts from a warm-up."""
        always = build(task).always_nominating
        return cls(task, HotList.of(task, always_nominating=always, seed=seed, warmup=warmup))

    @classmethod
    def restore(cls, task: Task, state: bytes) -> "HotListSide":
        """What `serialize` wrote."""
        return cls(task, HotList.deserialize(state))

    def _publish(self) -> None:
        store = self.store
        self.bulletin = Bulletin(self.task.id, store.epoch, self.task.domain_size, store.items, store.nominating)

    @property
    def reports(self) -> int:
        """How many reports have been counted."""
        return self.store.reports

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes."""
        return self.store.epoch_room

    def check(self, bulletin: Bulletin, symbols: Sequence[int] | Symbols) -> Symbols:
        """Slots, ⊥ and names of cold items."""
        scheme, below = self.scheme, self.scheme.symbol_limit(bulletin)
        index = HotIndex(bulletin.hot)
        return index.read(symbols, first_name=scheme.first_name, hot_is_hit=scheme.hot_names_hit, below=below)

    def insert(self, _: Bulletin, checked: Symbols) -> None:
        """Count in order of arrival."""
        self.store.insert(checked)

    def insert_late(self, bulletin: Bulletin, later: Sequence[Bulletin], checked: Symbols) -> None:
        """Count at once, for the slots that hold the same item in every bulletin since."""
        tally = Tally.of(bulletin.version, self.task.cells, checked.tolist())
        stayed = [len({each.hot[slot] for each in later}) == 1 for slot in range(self.task.cells)]
        self.store.insert_late(tally, self.scheme.reading(bulletin).coefficients, stayed)

    def seal(self) -> None:
        """End the epoch."""
        self.store.seal(self.scheme.reading(self.bulletin).coefficients)
        self._publish()

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k of all time: a hot list keeps no past to choose a window from."""
        if window is not None:
            raise InvalidField("window", "must be asked of pfr; a hot list keeps one count an item", window)
        now = self.store.absorbed(self.scheme.reading(self.bulletin).coefficients)
        domain: Domain = self.task.domain  # type: ignore[assignment]
        return [(domain.item(line.item), line) for line in self.scheme.respond(now, k)]

    def serialize(self) -> bytes:
        """The state after a seal."""
        return self.store.serialize()
