"""The streams of the measurements, by name: generators, and data sets in a folder."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.experiments.experiment import count_items
from hgldp.simulation.generators import is_generator, parse_generator
from hgldp.sources.datasets import find_dataset
from hgldp.sources.find import Source, find_source, read_stream

ITEMS_PER_BYTE, ITEMS_PER_GZIPPED_BYTE = 0.2, 0.6


@dataclass(frozen=True)
class Drawn:
    """One stream of one seed, with its exact counts made once for all who need them."""

    items: NDArray[np.int32]
    domain_size: int

    @cached_property
    def truth(self) -> NDArray[np.int64]:
        """How often each item occurs."""
        return count_items(self.items, self.domain_size)


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
