"""How a run begins: with the stream's own first items, with donated ones, or cold."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.experiments.experiment import count_items
from hgldp.experiments.streams import Drawn

DONATION = 0x57A27


@dataclass(frozen=True)
class Started:
    """A stream whose first `raw` items are given raw, and its exact counts."""

    items: NDArray[np.int32]
    domain_size: int
    truth: NDArray[np.int64]
    raw: int

    @property
    def sample(self) -> NDArray[np.int64]:
        """The counts of the raw items."""
        return count_items(self.items[: self.raw], self.domain_size)


def start(drawn: Drawn, warmup: str, seed: int) -> Started:
    """`0`, a percentage of the stream itself, or a donation put before it: `uniform 50`, `skewed 50`, `true 500`.

    A true donation is drawn from the stream's own distribution, a skewed one with chances in proportion to the square
    root of the counts. Donated items are part of the stream that is scored.
    """
    items, size = drawn.items, drawn.domain_size
    if warmup.endswith("%"):
        share = float(warmup.removesuffix("%")) / 100
        return Started(items, size, drawn.truth, min(round(share * items.size), items.size - 1))
    if warmup == "0":
        return Started(items, size, drawn.truth, 0)
    kind, number = warmup.split()
    weights = {"uniform": np.ones(size), "skewed": np.sqrt(drawn.truth), "true": drawn.truth}[kind]
    words = np.random.default_rng([DONATION, seed])
    donated = words.choice(size, int(number), p=weights / weights.sum()).astype(np.int32)
    truth = drawn.truth + count_items(donated, size)
    return Started(np.concatenate((donated, items)), size, truth, donated.size)
