"""A world without chance: a clock that is moved by hand, entropy from a hash, streams from a seed, floats in hex."""

import random
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha512
from itertools import count
from typing import TypeVar

from hgldp.model.estimate import Estimate

T = TypeVar("T")
NUMBERS = ("item", "count", "standard_error", "tracked_count", "tracked_error", "since", "warmup")
JUDGED = ("ranks", "may_be_noise")
DRINKS = (
    "coffee", "tea", "water", "mate", "juice", "milk", "cocoa", "soda", "cider", "ale", "stout", "=cola", "chai",
    "café", "日本茶", "sake", "rum", "gin", "mead", "wine",
)  # fmt: skip


class FakeClock:
    """Starts in the year 2027 and stands still until it is moved."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_800_000_000.0, 1000.0

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return self.wall

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return self.steady

    def advance(self, seconds: float) -> None:
        """Let time pass on both."""
        self.wall += seconds
        self.steady += seconds


def steady_entropy(label: str) -> Callable[[int], bytes]:
    """The same bytes in every run: keys, tokens and seeds follow from the label and from how many were drawn before."""
    numbers = count()
    return lambda size: sha512(f"{label} {next(numbers)}".encode()).digest()[:size]


def skewed(items: Sequence[T], n: int, seed: int) -> list[T]:
    """A stream in which the item of rank r comes with a weight of 1/r; in the second half other items lead."""
    draw = random.Random(seed)
    weights = [1 / rank for rank in range(1, len(items) + 1)]
    order = [*items[len(items) // 3 :], *items[: len(items) // 3]]
    return [*draw.choices(items, weights, k=n // 2), *draw.choices(order, weights, k=n - n // 2)]


def plain(value: object) -> str:
    """A value as text that loses no bit."""
    return value.hex() if isinstance(value, float) else repr(value)


def in_lines(answer: Iterable[tuple[object, Estimate]]) -> str:
    """An answer, one line an item: every number, both ends of both intervals, likely ranks, whether it may be noise."""
    lines = []
    for shown, estimate in answer:
        numbers = [getattr(estimate, name) for name in NUMBERS]
        judged = [getattr(estimate, name) for name in JUDGED]
        parts = [shown, *numbers, *estimate.interval, *estimate.tracked_interval, *judged]
        lines.append(" ".join(plain(part) for part in parts))
    return "\n".join(lines)
