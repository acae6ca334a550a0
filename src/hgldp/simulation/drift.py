"""Five ways in which the popularity of items changes along a stream, as rates that are constant in each of 200 steps.

A kind is a law: what is drawn once at the start, and from that the rate of every item at a time from 0 to 1. The rates
need not add up to 1. Nothing is kept but a few numbers per item, so a stream may be of any length.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEPS = 200
MAX_DRIFT_SIZE = 1 << 22  # 64 bytes an item while a step is drawn
MOVE = 0.5
CYCLES, DEPTH = 3, 2.0
BURSTS, BURST_LENGTH, BURST_SHARE = 60, 0.03, 0.03
OVERTURN = 0.5
TAIL, EARLIEST = 1.0, -0.5
MOST_S = 10  # the rarest item of the largest domain still has a rate above zero
UNBORN, SHORTEST_LIFE = 1e-9, 1e-12

Reals = NDArray[np.float64]
Items = NDArray[np.int32]
Rates = Callable[[float], Reals]
Law = Callable[[int, float, np.random.Generator], Rates]


@dataclass(frozen=True)
class Drift:
    """A law, its one parameter, and what a description that leaves something out means."""

    law: Law
    parameter: str
    shape: float
    least: float
    most: float
    n: int = 500_000
    d: int = 20_000


def zipf_weights(d: int, s: float) -> Reals:
    """The weight of each rank, r^−s."""
    weights = np.arange(1, d + 1, dtype=np.float64)
    return np.power(weights, -s, out=weights)


def turnover(d: int, s: float, rng: np.random.Generator) -> Rates:
    """Each item moves from its rank to another within half of the stream, beginning at a time of its own.

    Some have begun before the stream does, and some are still moving when it ends.
    """
    ranks = np.log(zipf_weights(d, s))
    before = ranks[np.argsort(rng.permutation(d))]
    after = ranks[rng.permutation(d)]
    start = rng.random(d) * (1 - MOVE / 2) - MOVE / 4

    def rates(time: float) -> Reals:
        moved = np.clip((time - start) / MOVE, 0, 1)
        return np.exp(before * (1 - moved) + after * moved)

    return rates


def seasons(d: int, s: float, rng: np.random.Generator) -> Rates:
    """Each item's rate swings between e^−2 and e^2 times its weight, three times, with a phase of its own."""
    weights = np.log(zipf_weights(d, s))[rng.permutation(d)]
    phase = rng.random(d) * 2 * np.pi
    return lambda time: np.exp(weights + DEPTH * np.sin(2 * np.pi * CYCLES * time + phase))


def bursts(d: int, s: float, rng: np.random.Generator) -> Rates:
    """A steady background, and sixty times an item that has 3 % more for 3 % of the stream."""
    background = zipf_weights(d, s)[rng.permutation(d)]
    background /= background.sum()
    items, begin = rng.integers(d, size=BURSTS), rng.random(BURSTS)

    def rates(time: float) -> Reals:
        now = background.copy()
        np.add.at(now, items[(begin <= time) & (time < begin + BURST_LENGTH)], BURST_SHARE)
        return now

    return rates


def sudden(d: int, s: float, rng: np.random.Generator) -> Rates:
    """The whole ranking is replaced halfway."""
    weights = zipf_weights(d, s)
    before, after = weights[rng.permutation(d)], weights[rng.permutation(d)]
    return lambda time: before if time < OVERTURN else after


def births(d: int, life: float, rng: np.random.Generator) -> Rates:
    """Items are born at any time with heavy-tailed weights and fade, each at its own pace; `life` is the mean one.

    A third of them are older than the stream. Lives are exponential, so that some are very short.
    """
    weight = (1 - rng.random(d)) ** (-1 / TAIL)
    born = rng.random(d) * (1 - EARLIEST) + EARLIEST
    lives = np.maximum(rng.exponential(life, d), SHORTEST_LIFE)
    return lambda time: weight * np.exp(-np.maximum(time - born, 0) / lives) * (time >= born) + UNBORN


DRIFTS = {
    "turnover": Drift(turnover, "s", 1.1, 0, MOST_S),
    "seasons": Drift(seasons, "s", 1.1, 0, MOST_S),
    "bursts": Drift(bursts, "s", 1.05, 0, MOST_S),
    "sudden": Drift(sudden, "s", 1.1, 0, MOST_S),
    "births": Drift(births, "life", 0.25, 0.001, 1000),
}


def fill_drifting(stream: Items, rates: Rates, rng: np.random.Generator, block: int) -> None:
    """Draw every item of the stream, step by step, never more than a block at once."""
    for time, part in steps_of(stream):
        table = np.cumsum(rates(time))
        table /= table[-1]
        for start in range(0, part.size, block):
            some = part[start : start + block]
            some[:] = np.minimum(table.searchsorted(rng.random(some.size), side="right"), table.size - 1)


def steps_of(stream: Items) -> Iterator[tuple[float, Items]]:
    """The time at which each step begins, and its part of the stream; a step without an item is left out."""
    edges = np.linspace(0, stream.size, STEPS + 1).astype(int).tolist()
    for step in range(STEPS):
        if edges[step] < edges[step + 1]:
            yield step / STEPS, stream[edges[step] : edges[step + 1]]
