"""The server's half of a family of schemes: a store, and the rules by which reports go into it."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from copy import copy, deepcopy
from importlib import import_module
from typing import Any, Generic, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField, MalformedState, OutsideDomain
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.distribution import Distribution
from hgldp.model.domain import Domain
from hgldp.model.estimate import Answer, Asked
from hgldp.model.task import Task
from hgldp.schemes.base import Scheme
from hgldp.schemes.registry import scheme_of
from hgldp.stores.integers import refuse_masked

Symbols = NDArray[np.int64]
NO_DISTRIBUTION = "must be pfr for a distribution of shares: a hot list counts only what is on it"
S = TypeVar("S", bound="Store")


class Store(Protocol):
    """What is kept between two reports."""

    def serialize(self) -> bytes:
        """The state right after a seal."""


class Family(ABC, Generic[S]):
    """A store with its task around it. Symbols are checked before any of them is counted.

    A family of your own fills in the abstract methods, and a scheme names it in its `family`.
    """

    def __init__(self, task: Task, store: S) -> None:
        self.task = task
        self.store = store
        self.bulletin: AnyBulletin = self.published()

    @classmethod
    @abstractmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[object]) -> Self:
        """With an empty store, or one that starts from raw items of the domain."""

    @classmethod
    def restore(cls, task: Task, state: bytes) -> Self:
        """With the store that `serialize` wrote."""
        return cls(task, cls.read_store(task, state))

    @classmethod
    @abstractmethod
    def read_store(cls, task: Task, state: bytes) -> S:
        """The store that `serialize` wrote."""

    @abstractmethod
    def published(self) -> AnyBulletin:
        """The bulletin that follows from the store."""

    def hide_order(self) -> None:
        """From now on, publish bulletins that do not tell how items rank. A hot list's slots do not tell it anyway."""

    def adopt(self, published: AnyBulletin) -> None:
        """Right after a seal or at the start: go on from the bulletin that an earlier version published, if possible.

        A family that cannot do that leaves its own in force. Where both are the same, there is nothing to do.
        """
        del published

    def renew(self, secret: int) -> None:
        """Let what only chance decides follow from this secret, from now on. Not every family has such things."""
        del secret

    @property
    @abstractmethod
    def reports(self) -> int:
        """How many reports have been counted, the open epoch's and late ones among them."""

    @property
    @abstractmethod
    def epoch_room(self) -> int:
        """How many reports the open epoch still takes; 0 when it is time to seal."""

    @property
    def epoch_length(self) -> int:
        """How many reports the epoch that has just begun should have, even if only the clock will end it."""
        return self.epoch_room

    def least_reports(self, length: int, looks: int) -> int:
        """How many reports of the `length` that fill an epoch it needs before a timer ends it, after so many looks."""
        del length, looks
        return 1

    def symbol_limit(self, bulletin: AnyBulletin) -> int:
        """The first whole number that `check` refuses, so that single symbols can wait to be checked together.

        0 if there is no such rule; then each is checked by itself.
        """
        del bulletin
        return 0

    @abstractmethod
    def check(self, bulletin: AnyBulletin, symbols: Sequence[int] | Symbols) -> Symbols:
        """The symbols as they may answer a bulletin; one illegal symbol and all are refused."""

    @abstractmethod
    def insert(self, checked: Symbols) -> None:
        """Count checked symbols that answer the bulletin in force."""

    @abstractmethod
    def insert_late(self, bulletin: AnyBulletin, later: Sequence[AnyBulletin], checked: Symbols) -> None:
        """Count checked symbols of an earlier bulletin; `later` are the bulletins from it to the one in force."""

    def seal(self) -> None:
        """End the epoch and renew what is published."""
        self.end_epoch()
        self.bulletin = self.published()

    @abstractmethod
    def end_epoch(self) -> None:
        """Let the store count what the epoch brought."""

    @abstractmethod
    def answer(self, k: int, window: int | None) -> Answer:
        """The top k now, the open epoch included."""

    def ask(self, items: Sequence[object], window: int | None) -> Asked:
        """What is known about each of these items now, the open epoch included, in the order asked."""
        del window
        rule = f"must be left out for {self.task.scheme}, whose family answers only what is on top"
        raise InvalidField("items", rule, f"{len(items)} of them")

    def distribution(self, window: int | None) -> Distribution:
        """How many items have a share in each decade, the open epoch included."""
        del window
        raise InvalidField("scheme", NO_DISTRIBUTION, self.task.scheme)

    def covered(self, window: int) -> int:
        """How many reports an answer for a window counts: an epoch counts as a whole or not at all."""
        raise InvalidField("window", f"must be left out for {self.task.scheme}, which keeps no past epochs", window)

    @property
    def epoch_sizes(self) -> tuple[int, ...]:
        """How many reports each epoch holds that a window may take in, newest first, the open one included."""
        return ()

    @property
    def least_window(self) -> int:
        """The smallest window of which `covered` counts anything; 0 if there is none."""
        most = self.reports
        if not most or not self.covered(most):
            return 0
        return 1 + bisect_left(range(1, most), 1, key=lambda window: min(1, self.covered(window)))

    def serialize(self) -> bytes:
        """The state after a seal."""
        return self.store.serialize()

    def open_epoch(self, bulletins: Sequence[AnyBulletin]) -> bytes | None:
        """All that was counted since the last seal; None if this family cannot write it down.

        `bulletins` are those that are still accepted.
        """
        del bulletins
        return None

    def reopen(self, data: bytes, bulletins: Sequence[AnyBulletin]) -> None:
        """Go on from the last seal and what `open_epoch` wrote since then."""
        del data, bulletins
        raise MalformedState(f"{self.task.scheme} must write its open epoch down before it can read one")

    def reload(self, state: bytes) -> None:
        """Go on from the very bytes that a restart would read."""
        self.store = self.read_store(self.task, state)

    def copied(self) -> Self:
        """The same state elsewhere, for questions that take their time."""
        twin = copy(self)
        twin.store = deepcopy(self.store)
        return twin


def family_of(scheme: Scheme) -> type[Family[Any]]:
    """The family that a scheme names."""
    module, _, name = scheme.family.partition(":")
    found: type[Family[Any]] = getattr(import_module(module), name)
    return found


def family_for(task: Task) -> type[Family[Any]]:
    """The family that serves a task."""
    return family_of(scheme_of(task))


def plain(values: Iterable[object], field: str = "items") -> list[object]:
    """Items from any iterable as Python's own: NumPy arrays, pandas columns and Arrow columns hold others.

    >>> plain(np.arange(3)), plain(letter for letter in "ab")
    ([0, 1, 2], ['a', 'b'])
    """
    rule = "must be a list, an array, a column of a table or another iterable"
    if isinstance(values, str | bytes | Mapping) or hasattr(values, "columns"):
        raise InvalidField(field, rule, type(values).__name__)
    refuse_masked(field, values)
    convert = getattr(values, "to_pylist", None) or getattr(values, "tolist", None)
    found = convert() if callable(convert) else values
    if not isinstance(found, Iterable):
        raise InvalidField(field, rule, type(values).__name__)
    return list(found)


def as_array(symbols: Iterable[int] | Symbols) -> Sequence[int] | Symbols:
    """What the stores take unchanged; any other iterable becomes a list."""
    if isinstance(symbols, Sequence | np.ndarray):
        return symbols
    if hasattr(symbols, "__array__"):
        found: Symbols = np.asarray(symbols)
        return found
    return cast(list[int], plain(symbols, "symbols"))


def numbered(domain: Domain, items: Sequence[object]) -> Symbols:
    """The numbers of items that were asked for. If one is outside, all are refused, and the error tells its place."""
    numbers = np.empty(len(items), np.int64)
    for place, item in enumerate(items):
        try:
            numbers[place] = domain.index(item)
        except OutsideDomain as outside:
            raise OutsideDomain(outside.domain, place + 1) from None
    return numbers
