"""The five drifting streams, one item at a time: rates of 200 steps, and a walk along them for every item drawn."""

from collections.abc import Callable
from math import exp, log, pi, sin

import numpy as np

Rate = Callable[[int, float], float]


def naive_turnover(d: int, s: float, rng: np.random.Generator) -> Rate:
    first = [int(rank) for rank in rng.permutation(d)]
    second = [int(rank) for rank in rng.permutation(d)]
    start = [0.75 * each - 0.125 for each in rng.random(d)]

    def rate(item: int, time: float) -> float:
        moved = min(max((time - start[item]) / 0.5, 0.0), 1.0)
        early, late = first.index(item) + 1, second[item] + 1
        return exp(-s * ((1 - moved) * log(early) + moved * log(late)))

    return rate


def naive_seasons(d: int, s: float, rng: np.random.Generator) -> Rate:
    ranks, phase = rng.permutation(d) + 1, rng.random(d)
    return lambda item, time: ranks[item] ** -s * exp(2 * sin(2 * pi * (3 * time + phase[item])))


def naive_bursts(d: int, s: float, rng: np.random.Generator) -> Rate:
    ranks = rng.permutation(d) + 1
    items, begin = rng.integers(d, size=60), rng.random(60)
    total = sum(rank**-s for rank in ranks)

    def rate(item: int, time: float) -> float:
        on = sum(1 for each, start in zip(items, begin, strict=True) if each == item and start <= time < start + 0.03)
        return float(ranks[item] ** -s / total + 0.03 * on)

    return rate


def naive_sudden(d: int, s: float, rng: np.random.Generator) -> Rate:
    before, after = rng.permutation(d) + 1, rng.permutation(d) + 1
    return lambda item, time: float((before if time < 0.5 else after)[item] ** -s)


def naive_births(d: int, life: float, rng: np.random.Generator) -> Rate:
    weight, born, lives = 1 / (1 - rng.random(d)), 1.5 * rng.random(d) - 0.5, rng.exponential(life, d)
    return lambda item, time: (
        1e-9 + (weight[item] * exp(-(time - born[item]) / lives[item]) if time >= born[item] else 0.0)
    )


LAWS = {
    "turnover": naive_turnover,
    "seasons": naive_seasons,
    "bursts": naive_bursts,
    "sudden": naive_sudden,
    "births": naive_births,
}


def naive_stream(kind: str, n: int, d: int, shape: float, rng: np.random.Generator) -> list[int]:
    """Event by event; event number i belongs to the last step that begins at or before it."""
    rate = LAWS[kind](d, shape, rng)
    stream = []
    for place in range(n):
        step = max(step for step in range(200) if step * n // 200 <= place)
        rates = [rate(item, step / 200) for item in range(d)]
        left, item = float(rng.random()) * sum(rates), 0
        while item < d - 1 and left >= rates[item]:
            left, item = left - rates[item], item + 1
        stream.append(item)
    return stream
