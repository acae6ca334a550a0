"""Measured shares of which the truth is known: normal noise that grows with the share, as the mechanism's does."""

import numpy as np

from hgldp.model.distribution import Decade, Distribution
from hgldp.stores.distribution import MeasuredShares, tell

SIZE, NOISE, SLOPE = 3_000, 4e-4, 4e-5


def shares_of(kind: str, generator: np.random.Generator) -> np.ndarray:
    """True shares: a power law of a random exponent, or twenty heads of 2 % and a tail."""
    if kind == "flat head":
        tail = np.arange(1, SIZE - 19) ** -generator.uniform(0.5, 0.9)
        return np.concatenate([np.full(20, 0.02), 0.6 * tail / tail.sum()])
    weights = np.arange(1, SIZE + 1) ** -generator.uniform(0.95, 1.25)
    return np.asarray(weights / weights.sum())


def measure(truth: np.ndarray, generator: np.random.Generator, *, at_the_measured: bool = False) -> MeasuredShares:
    """As the server sees it. `at_the_measured` plants a bug: noise that seems to grow with the luck of an item."""
    noise = generator.normal(size=truth.size) * np.sqrt(NOISE**2 + SLOPE * truth)
    shares = truth + noise - noise.mean()
    told = np.sqrt(NOISE**2 + 20 * SLOPE * shares.clip(min=0.0)) if at_the_measured else np.full(truth.size, NOISE)
    return MeasuredShares(shares, told, np.ones(truth.size), 0.0 if at_the_measured else SLOPE)


def told_of(measured: MeasuredShares) -> Distribution:
    """What is told of it."""
    return tell(measured, 100_000, measured.shares.size)


def true_number(truth: np.ndarray, decade: Decade) -> int:
    """How many items are really there."""
    return int(((truth >= decade.low) & (truth < decade.high)).sum())
