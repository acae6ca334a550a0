"""A table that is read along with the log."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Row = TypeVar("Row")


class InOrder(Generic[Row]):
    """The rows of a table by epoch: only the next one is in memory."""

    def __init__(self, rows: Iterator[Row], epoch_of: Callable[[Row], int]) -> None:
        self._rows, self._epoch_of = rows, epoch_of
        self._next: Row | None = None

    @property
    def next(self) -> Row | None:
        """The oldest that was not taken."""
        if self._next is None:
            self._next = next(self._rows, None)
        return self._next

    def take(self, epoch: int) -> Row | None:
        """The next one, if it is of this epoch."""
        found = self.next
        if found is None or self._epoch_of(found) != epoch:
            return None
        self._next = None
        return found
