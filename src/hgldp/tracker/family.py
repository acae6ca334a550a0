"""What the tracker needs of a family of schemes: hot lists, the frontier of a listed domain or of strings."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hgldp.model.bulletins import AnyBulletin, FrontierBulletin, OpenBulletin
from hgldp.model.estimate import Estimate
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.stores.frontier import Frontier
from hgldp.stores.integers import check_below
from hgldp.stores.strings import OpenFrontier

Symbols = NDArray[np.int64]
Answer = list[tuple[object, Estimate]]


class Side(Protocol):
    """A store with the rules of its scheme around it. Symbols are checked before any of them is counted."""

    @property
    def bulletin(self) -> AnyBulletin:
        """What the store publishes now."""

    @property
    def reports(self) -> int:
        """How many reports have been counted, the open epoch's and late ones among them."""

    @property
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes; 0 when it is time to seal."""

    def check(self, bulletin: Any, symbols: Sequence[int] | Symbols) -> Symbols:
        """The symbols as they may answer a bulletin; one illegal symbol and all are refused."""

    def insert(self, bulletin: Any, checked: Symbols) -> None:
        """Count checked symbols that answer the bulletin in force."""

    def insert_late(self, bulletin: Any, later: Sequence[Any], checked: Symbols) -> None:
        """Count checked symbols of an earlier bulletin; `later` are the bulletins from it to the one in force."""

    def seal(self) -> None:
        """End the epoch and renew what is published."""

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k now, the open epoch included."""

    def serialize(self) -> bytes:
        """The state after a seal."""


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
