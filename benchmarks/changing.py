"""Streams whose shares change on the way: slowly and all the time, or at once in the middle."""

import numpy as np
from numpy.typing import NDArray

from hgldp.experiments.measuring.over_time import replace_top
from hgldp.experiments.measuring.streams import Drawn, Library

SLOW, SUDDEN = "slow drift", "sudden change"
SIZE, LENGTH, STEEPNESS = 1000, 100_000, 1.2
STEPS, WANDER, REPLACED = 100, 0.5, 20


def draw(stream: str, seed: int, library: Library) -> Drawn:
    """A stream of the library, or one of the two that change."""
    if stream == SLOW:
        return Drawn(slow_drift(np.random.default_rng([seed, 12])), SIZE)
    if stream == SUDDEN:
        steady = library.draw(f"zipf:n={LENGTH},d={SIZE},s={STEEPNESS}", seed)
        return Drawn(replace_top(steady.items, REPLACED), SIZE)
    return library.draw(stream, seed)


def slow_drift(rng: np.random.Generator, wander: float = WANDER) -> NDArray[np.int32]:
    """zipf, but the logarithm of each item's rank goes a random walk, by so much over the whole stream."""
    ranks, parts = np.log(rng.permutation(SIZE) + 1.0), []
    for length in np.diff(np.linspace(0, LENGTH, STEPS + 1).astype(int)).tolist():
        sums = np.cumsum(np.exp(-STEEPNESS * ranks))
        parts.append(np.minimum(np.searchsorted(sums / sums[-1], rng.random(length), side="right"), SIZE - 1))
        ranks = ranks + wander / np.sqrt(STEPS) * rng.standard_normal(SIZE)
    return np.concatenate(parts).astype(np.int32)
