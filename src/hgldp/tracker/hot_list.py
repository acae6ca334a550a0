"""The server of bgr, dsr, bdr, cnr and their like: reports in order of arrival, into a hot list."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Self

from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin, Bulletin
from hgldp.model.domain import Domain, listed
from hgldp.model.estimate import Answer, Asked
from hgldp.model.reports import Tally
from hgldp.model.task import Task
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.registry import scheme_of
from hgldp.stores.hot_list import HotIndex, HotList
from hgldp.stores.hot_list.ask import ask
from hgldp.tracker.family import Family, Symbols, numbered

NO_WINDOW = "works with pfr only; a hot list keeps one count per item"

LateReading = tuple[Sequence[float], Sequence[bool]]


class HotListFamily(Family[HotList]):
    """A late report is read in the regime of its own bulletin, for the cells that have been there since."""

    def __init__(self, task: Task, store: HotList) -> None:
        self.scheme = hot_list_scheme(task)
        self._domain: Domain = listed(task.domain)
        self._late_readings: dict[str, LateReading] = {}
        self._late_readings_of: AnyBulletin | None = None
        super().__init__(task, store)

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[object]) -> Self:
        """An empty store, or one that starts from a warm-up."""
        always, domain = hot_list_scheme(task).always_nominating, listed(task.domain)
        numbers = [domain.index(item) for item in warmup]
        return cls(task, HotList.of(task, always_nominating=always, seed=seed, warmup=numbers))

    @classmethod
    def read_store(cls, task: Task, state: bytes) -> HotList:
        """The store that `serialize` wrote."""
        del task
        return HotList.deserialize(state)

    def published(self) -> Bulletin:
        """The hot list, and whether cold reports should name their item."""
        store = self.store
        return Bulletin(self.task.id, store.epoch, self._domain.size, store.items, store.nominating)

    @property
    def reports(self) -> int:
        """How many reports have been counted."""
        return self.store.reports

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes."""
        return self.store.epoch_room

    def symbol_limit(self, bulletin: AnyBulletin) -> int:
        """As the scheme says."""
        return self.scheme.symbol_limit(bulletin)

    def check(self, bulletin: AnyBulletin, symbols: Sequence[int] | Symbols) -> Symbols:
        """Slots, ⊥ and names of cold items."""
        scheme, shown = self.scheme, self.scheme.checked(bulletin)
        index, below = _index_of(shown.hot), scheme.symbol_limit(shown)
        return index.read(symbols, first_name=scheme.first_name, hot_is_hit=scheme.hot_names_hit, below=below)

    def insert(self, checked: Symbols) -> None:
        """Count in order of arrival."""
        self.store.insert_checked(checked)

    def insert_late(self, bulletin: AnyBulletin, later: Sequence[AnyBulletin], checked: Symbols) -> None:
        """Count at once, for the slots that hold the same item in every bulletin since."""
        tally = Tally.of(bulletin.version, self.scheme.cells, checked.tolist())
        self.store.insert_late(tally, *self._late_reading(bulletin, later))

    def _late_reading(self, bulletin: AnyBulletin, later: Sequence[AnyBulletin]) -> LateReading:
        """How a bulletin is read, and which of its slots have stayed: worked out once an epoch, not for each."""
        if self._late_readings_of is not self.bulletin:
            self._late_readings, self._late_readings_of = {}, self.bulletin
        if bulletin.version not in self._late_readings:
            shown, since = self.scheme.checked(bulletin), [self.scheme.checked(each).hot for each in later]
            stayed = [len(set(held)) == 1 for held in zip(*since, strict=True)]
            self._late_readings[bulletin.version] = self.scheme.reading(shown).coefficients, stayed
        return self._late_readings[bulletin.version]

    def end_epoch(self) -> None:
        """Count the epoch as its bulletin says."""
        self.store.seal(self._coefficients)

    def open_epoch(self, bulletins: Sequence[AnyBulletin]) -> bytes:
        """The open tally, and what late reports and nominations have changed since the last seal."""
        del bulletins
        return self.store.open_epoch()

    def reopen(self, data: bytes, bulletins: Sequence[AnyBulletin]) -> None:
        """The same cells, as far into their epoch as they were."""
        del bulletins
        self.store.reopen(data)

    @property
    def _coefficients(self) -> tuple[float, ...]:
        return self.scheme.reading(self.scheme.checked(self.bulletin)).coefficients

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k of all time: a hot list keeps no past to choose a window from."""
        if window is not None:
            raise InvalidField("window", NO_WINDOW, window)
        found = self.scheme.respond(self.store.absorbed(self._coefficients), k)
        return Answer((self._domain.item(line.item), line) for line in found)

    def ask(self, items: Sequence[object], window: int | None) -> Asked:
        """An item that has a cell by that cell, another by what the cold side holds."""
        if window is not None:
            raise InvalidField("window", NO_WINDOW, window)
        numbers = numbered(self._domain, items)
        found = ask(self.store.absorbed(self._coefficients), numbers.tolist())
        return Asked((self._domain.item(line.item), line) for line in found)


def hot_list_scheme(task: Task) -> HotListScheme:
    """The scheme of a task that has a hot list."""
    found = scheme_of(task)
    if not isinstance(found, HotListScheme):
        raise InvalidField("scheme", "must extend HotListScheme to be served by a hot list", task.scheme)
    return found


@lru_cache(maxsize=8)
def _index_of(hot: tuple[int, ...]) -> HotIndex:
    """Made once for a bulletin, not for each batch of its reports."""
    return HotIndex(hot)
