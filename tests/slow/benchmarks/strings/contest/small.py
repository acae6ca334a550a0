"""A small stream with a clear head, and what the checks of all methods ask: is the head found, and are counts right?"""

from collections.abc import Callable
from functools import cache

import numpy as np

from benchmarks.strings.contest.answers import Found, f1
from benchmarks.strings.contest.populations import Items, Strings, top
from benchmarks.strings.made_up import words

N, K, EPSILON, SIZE, SEED = 600_000, 8, 4.0, 400, 1
Find = Callable[[Strings, Items, int, int], Found]


@cache
def small() -> tuple[Strings, Items]:
    """Half of the stream are eight words of equal shares, the rest is 392 others."""
    weights = np.concatenate([np.full(K, 0.5 / K), np.full(SIZE - K, 0.5 / (SIZE - K))])
    strings = Strings(tuple(words(SIZE, np.random.default_rng(SEED))), weights, N)
    return strings, strings.stream(SEED)


def quality(find: Find, deviation: Callable[[float], float]) -> tuple[float, float]:
    """F1 of the head, and the largest error of the count of a string in it, in its standard deviations."""
    strings, stream = small()
    true = np.bincount(stream, minlength=SIZE)
    head = top(true, K)
    found = find(strings, stream, K, SEED)
    errors = [
        abs(count - true[place]) / deviation(float(true[place]))
        for place, count in zip(found.places, found.counts, strict=True)
        if place in head
    ]
    return f1(found.places, head), max(errors, default=0.0)
