"""What an entrant has to offer: the library's own calls, and as little as possible around them."""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.field.contest import Answer, Contest

Items = NDArray[np.int64]
Feed = Callable[[Any], object]


class Sketch(ABC):
    """A top-k of a stream that may be seen, in a number of bytes."""

    measured: ClassVar[str] = "serialised"

    def __init__(self, budget: int, contest: Contest) -> None:
        self.budget, self.contest = budget, contest
        self.open()

    @abstractmethod
    def open(self) -> None:
        """Make the library's object, as large as `self.budget` allows."""

    def prepare(self, items: Items) -> Any:
        """The stream as the library wants it; not timed."""
        return items.tolist()

    def one(self) -> Feed | None:
        """The call that takes one item of what was prepared."""
        return None

    def many(self) -> Feed | None:
        """The call that takes all that was prepared at once."""
        return None

    @abstractmethod
    def top(self, k: int) -> Answer:
        """The ranked answer."""

    def state_bytes(self) -> int | None:
        """Bytes of the state, if they can be told."""
        return None


class Traced(Sketch):
    """A sketch of Python objects that cannot be serialised: the contest traces what it allocates."""

    measured = "traced"


class Asked(Sketch):
    """A sketch of counts alone, without a list of what is frequent: it is asked for every possible item."""

    @abstractmethod
    def count(self, item: int) -> float:
        """The estimated count of one item."""

    def top(self, k: int) -> Answer:
        """The best k of the whole domain."""
        counts = np.array([self.count(item) for item in range(self.contest.domain_size)], np.float64)
        return best(counts, k)


class Private(ABC):
    """Clients and server of an LDP library, one report at a time."""

    measured: ClassVar[str] = "pickled"
    upload_bytes: float

    def __init__(self, contest: Contest) -> None:
        self.contest, self.d, self.epsilon = contest, contest.domain_size, contest.epsilon
        self.open()

    @abstractmethod
    def open(self) -> None:
        """Make client and server; set `upload_bytes`, of a report packed as tightly as its values allow."""

    @abstractmethod
    def privatise(self, item: int) -> Any:
        """The client: one report for one item."""

    @abstractmethod
    def aggregate(self, reports: list[Any]) -> None:
        """The server: take in some reports."""

    @abstractmethod
    def top(self, k: int) -> Answer:
        """The ranked answer over all that was taken in."""

    @abstractmethod
    def state(self) -> Any:
        """All that the server keeps from one report to the next."""

    def state_bytes(self) -> int:
        """Its bytes."""
        return len(pickle.dumps(self.state(), protocol=pickle.HIGHEST_PROTOCOL))


def best(counts: NDArray[np.float64], k: int) -> Answer:
    """The k largest of one count an item, the smaller item first among equals.

    >>> best(np.array([1.0, 7.0, 7.0]), 2)
    [(1, 7.0), (2, 7.0)]
    """
    order = np.argsort(-counts, kind="stable")[:k]
    return [(int(item), float(counts[item])) for item in order]


def whole_bytes(values: int) -> int:
    """How many bytes tell so many values apart.

    >>> whole_bytes(256), whole_bytes(257)
    (1, 2)
    """
    return max(1, ((values - 1).bit_length() + 7) // 8)
