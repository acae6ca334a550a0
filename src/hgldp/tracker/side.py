"""What the tracker needs of a family of schemes: hot lists, the frontier of a listed domain or of strings."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hgldp.model.any_bulletin import AnyBulletin
from hgldp.model.estimate import Estimate

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
