"""Streams and frontiers that several tests need."""

import numpy as np

from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier


def zipf(n: int, size: int, exponent: float, seed: int) -> np.ndarray:
    """Item 0 is the most frequent; exponent 0 is flat."""
    chances = np.arange(1.0, size + 1) ** -exponent
    return np.random.default_rng(seed).choice(size, n, p=chances / chances.sum()).astype(np.int32)


def followed(scheme: PFR, stream: np.ndarray, seed: int, *, memory: int = 8_192, half_life: int = 0) -> Frontier:
    """A frontier that has counted a whole stream."""
    store = Frontier(scheme, memory=memory, seed=seed, half_life=half_life)
    follow(scheme, store, stream, seed)
    return store
