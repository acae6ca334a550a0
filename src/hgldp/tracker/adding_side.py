"""What both servers of PFR share: reports are added up, in any order, and the epoch's end publishes anew."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from hgldp.model.frontier import FrontierBulletin
from hgldp.model.open_frontier import OpenBulletin
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.stores.arrivals import check_below
from hgldp.stores.frontier import Frontier
from hgldp.stores.open_frontier import OpenFrontier
from hgldp.tracker.side import Answer, Symbols

Store = TypeVar("Store", Frontier, OpenFrontier)
Published = TypeVar("Published", FrontierBulletin, OpenBulletin)


class AddingSide(ABC, Generic[Store, Published]):
    """A store with its task around it."""

    bulletin: Published

    def __init__(self, task: Task, store: Store) -> None:
        self.task, self.scheme = task, scheme_of(task)
        self.store: Store = store
        self._publish()

    def _publish(self) -> None:
        self.bulletin = replace(self.store.bulletin, task=self.task.id)  # type: ignore[assignment]

    @property
    def reports(self) -> int:
        """How many reports have been counted."""
        return self.store.reports + self.store.in_epoch + self.store.late_reports

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes."""
        return max(0, self.store.epoch_length - self.store.in_epoch)

    def check(self, bulletin: Published, symbols: Sequence[int] | Symbols) -> Symbols:
        """Residues that the bulletin allows."""
        return check_below(symbols, self.scheme.symbol_limit(bulletin))  # type: ignore[arg-type]

    def insert(self, _: Published, checked: Symbols) -> None:
        """Add up."""
        self.store.insert(checked)

    @abstractmethod
    def insert_late(self, bulletin: Published, _: Sequence[Published], checked: Symbols) -> None:
        """Add up by bulletin; the next seal counts them."""

    def seal(self) -> None:
        """End the epoch."""
        self.store.seal()
        self._publish()

    @abstractmethod
    def answer(self, k: int, window: int | None) -> Answer:
        """The top k now."""

    def serialize(self) -> bytes:
        """The state after a seal."""
        return self.store.serialize()
