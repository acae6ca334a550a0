"""What a method answers, and how good that is."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """The strings of an answer by their places in the list, None for one that nobody sent, with estimated counts."""

    places: tuple[int | None, ...]
    counts: tuple[float, ...]
    state_bytes: int


def f1(places: Sequence[int | None], truth: Sequence[int]) -> float:
    """Twice the strings that are in both, over the strings of both.

    >>> f1([3, None, 5], [5, 3, 1]), f1([], [1])
    (0.6666666666666666, 0.0)
    """
    return 2 * len(set(places) & set(truth)) / (len(places) + len(truth))
