"""Texts as they arrive, numbered."""

from array import array

import numpy as np
from numpy.typing import NDArray


class Distinct:
    """Every text once, and the stream as places among them.

    >>> texts = Distinct()
    >>> for text in ("tea", "coffee", "tea"):
    ...     texts.add(text)
    >>> items, labels = texts.numbered()
    >>> items.tolist(), labels
    ([1, 0, 1], ['coffee', 'tea'])
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._items = array("i")

    def __contains__(self, text: str) -> bool:
        return text in self._numbers

    def add(self, text: str) -> None:
        """One more event."""
        self._items.append(self._numbers.setdefault(text, len(self._numbers)))

    def numbered(self) -> tuple[NDArray[np.int32], list[str]]:
        """The events as indices into the sorted distinct texts, and those texts."""
        labels = sorted(self._numbers)
        order = np.empty(len(labels), dtype=np.int32)
        order[[self._numbers[label] for label in labels]] = np.arange(len(labels), dtype=np.int32)
        return order[np.frombuffer(self._items, np.int32)] if self._items else np.empty(0, np.int32), labels
