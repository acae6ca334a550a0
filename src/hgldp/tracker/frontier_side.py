"""The server of PFR in a listed domain: reports added up, in any order."""

from collections.abc import Sequence
from dataclasses import replace

from hgldp.model.domain import Domain
from hgldp.model.frontier import FrontierBulletin
from hgldp.model.task import Task
from hgldp.model.whole import check_whole
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of
from hgldp.stores.arrivals import check_below
from hgldp.stores.frontier import Frontier
from hgldp.tracker.side import Answer, Symbols


class FrontierSide:
    """A late report waits for the next seal, and then counts in the epoch whose bulletin it answered."""

    def __init__(self, task: Task, store: Frontier) -> None:
        self.task, self.store = task, store
        self._publish()

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[int]) -> "FrontierSide":
        """An empty store, or one whose first observation is a warm-up."""
        terms = {"memory": task.memory, "epoch": task.epoch, "half_life": task.half_life}
        return cls(task, Frontier(_scheme(task), seed=seed, warmup=warmup, **terms))

    @classmethod
    def restore(cls, task: Task, state: bytes) -> "FrontierSide":
        """What `serialize` wrote."""
        return cls(task, Frontier.deserialize(state, _scheme(task)))

    def _publish(self) -> None:
        self.bulletin: FrontierBulletin = replace(self.store.bulletin, task=self.task.id)

    @property
    def reports(self) -> int:
        """How many reports have been counted."""
        return self.store.reports + self.store.in_epoch + self.store.late_reports

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes."""
        return max(0, self.store.epoch_length - self.store.in_epoch)

    def check(self, _: FrontierBulletin, symbols: Sequence[int] | Symbols) -> Symbols:
        """Residues."""
        return check_below(symbols, self.store.histogram.size)

    def insert(self, _: FrontierBulletin, checked: Symbols) -> None:
        """Add up."""
        self.store.insert(checked)

    def insert_late(self, bulletin: FrontierBulletin, _: Sequence[FrontierBulletin], checked: Symbols) -> None:
        """Add up under the key of the bulletin."""
        self.store.insert_late(bulletin.key, checked)

    def seal(self) -> None:
        """End the epoch."""
        self.store.seal()
        self._publish()

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k of all retained epochs, or of the last `window` reports."""
        check_whole("k", k, 1, _scheme(self.task).most_leaves)
        if window is not None:
            check_whole("window", window, 1)
        domain: Domain = self.task.domain  # type: ignore[assignment]
        return [(domain.item(line.item), line) for line in self.store.absorbed().estimates(k, window)]

    def serialize(self) -> bytes:
        """The state after a seal."""
        return self.store.serialize()


def _scheme(task: Task) -> PFR:
    found = scheme_of(task)
    assert isinstance(found, PFR)  # noqa: S101
    return found
