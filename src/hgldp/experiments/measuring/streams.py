"""The streams of the measurements, by name, and how a run on one begins: warm or cold."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.simulation.generators import is_generator, parse_generator
from hgldp.simulation.truth import whole_counts
from hgldp.sources.datasets import find_dataset
from hgldp.sources.find import Source, find_source, read_stream

ITEMS_PER_BYTE, ITEMS_PER_GZIPPED_BYTE = 0.2, 0.6
DONATION = 0x57A27
REHEARSAL = 64


@dataclass(frozen=True)
class Drawn:
    """One stream of one seed, with its exact counts made once for all who need them."""

    items: NDArray[np.int32]
    domain_size: int

    @cached_property
    def truth(self) -> NDArray[np.int64]:
        """How often each item occurs."""
        return whole_counts(self.items, self.domain_size)


@dataclass(frozen=True)
class Library:
    """A folder with data sets; generators need none."""

    folder: Path | None = None

    def path(self, name: str) -> Path | None:
        """The file of a data set, or None if the folder has none."""
        return None if self.folder is None else find_dataset(name, self.folder)

    def draw(self, stream: str, seed: int) -> Drawn:
        """The stream of one seed; a file is read once, and is the same for every seed."""
        if is_generator(stream):
            source: Source = find_source(stream)
            drawn = source.stream(seed)
            return Drawn(drawn.items, drawn.domain_size)
        path = self.path(stream)
        if path is None:
            raise InvalidField("stream", "must be a generator, or a data set in the folder of --data", stream)
        return _read(path)

    def about_items(self, stream: str) -> int:
        """About how many items, without reading them."""
        if is_generator(stream):
            return parse_generator(stream).n
        path = self.path(stream)
        if path is None:
            return 0
        return round(path.stat().st_size * (ITEMS_PER_GZIPPED_BYTE if path.suffix == ".gz" else ITEMS_PER_BYTE))


@lru_cache(maxsize=2)
def _read(path: Path) -> Drawn:
    stream = read_stream(str(path))
    return Drawn(stream.items, stream.domain_size)


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
        return whole_counts(self.items[: self.raw], self.domain_size)


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
    truth = drawn.truth + whole_counts(donated, size)
    return Started(np.concatenate((donated, items)), size, truth, donated.size)
