"""The streams whose distributions are known: made ones, and real ones where their files are there."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.strings.contest.populations import FILES, NAMES, WORDS, with_counts
from hgldp.simulation.generators import parse_generator

ZIPF, FLAT_HEAD, CHANGING = "Zipf 1.1", "flat head", "turnover"
MADE = (ZIPF, FLAT_HEAD)
INSTEAD = {NAMES: "Zipf 1.05", WORDS: "Zipf 1"}
ITEMS, MANY, HEADS, HEAD = 5_000, 20_000, 40, 0.6
Items = NDArray[np.int32]


@dataclass(frozen=True)
class Population:
    """What a stream is drawn from; `file` if it is a real one."""

    title: str
    file: Path | None = None

    def stream(self, n: int, seed: int) -> tuple[Items, int]:
        """So many items in a drawn order, and how many are possible."""
        generator = np.random.default_rng(seed)
        if self.title == CHANGING:
            drifting = parse_generator(f"turnover:n={n},d={ITEMS},s=1.1")
            return drifting.draw(generator), ITEMS
        weights = self.weights()
        counts = generator.multinomial(n, weights / weights.sum())
        return generator.permutation(np.repeat(np.arange(weights.size, dtype=np.int32), counts)), weights.size

    def weights(self) -> NDArray[np.float64]:
        """How frequent each item is."""
        if self.file is not None:
            return np.array([count for _, count in with_counts(self.file)], np.float64)
        if self.title == FLAT_HEAD:
            tail = np.arange(1, ITEMS - HEADS + 1) ** -0.5
            return np.concatenate([np.full(HEADS, HEAD / HEADS), (1 - HEAD) * tail / tail.sum()])
        size, exponent = (ITEMS if self.title == ZIPF else MANY), float(self.title.removeprefix("Zipf "))
        return np.asarray(np.arange(1, size + 1, dtype=np.float64) ** -exponent)


def populations(data: Path | None) -> list[Population]:
    """Four steady ones, made ones in the place of files that are missing; and one that changes."""
    files = [data / name if data is not None else Path(name) for name in FILES]
    real = [
        Population(FILES[name], path) if path.is_file() else Population(INSTEAD[name])
        for name, path in zip(FILES, files, strict=True)
    ]
    return [*map(Population, MADE), *real, Population(CHANGING)]
