"""Libraries that keep a list of what is frequent."""

from importlib import import_module
from typing import Any

from benchmarks.field.contest import Answer
from benchmarks.field.entrants.base import Feed, Items, Sketch, Traced


def texts(items: Items) -> list[str]:
    """For libraries that count strings."""
    return [str(item) for item in items.tolist()]


class DataSketches(Sketch):
    """Apache DataSketches, frequent items; no batch call."""

    def open(self) -> None:
        self.library: Any = import_module("datasketches")
        entries = self.budget // 16 * 4 // 3
        self.sketch = self.library.frequent_items_sketch(entries.bit_length() - 1)

    def one(self) -> Feed:
        feed: Feed = self.sketch.update
        return feed

    def top(self, k: int) -> Answer:
        found = self.sketch.get_frequent_items(self.library.frequent_items_error_type.NO_FALSE_NEGATIVES)
        return [(int(item), float(estimate)) for item, estimate, _, _ in found[:k]]

    def state_bytes(self) -> int:
        return len(self.sketch.serialize(self.library.PyLongsSerDe()))


class River(Traced):
    """river's HeavyHitters: lossy counting, here without forgetting; some 200 bytes an entry; no batch call."""

    def open(self) -> None:
        error = 32 / self.budget
        self.sketch = import_module("river.sketch").HeavyHitters(support=error / 2, epsilon=error, fading_factor=1.0)

    def one(self) -> Feed:
        feed: Feed = self.sketch.update
        return feed

    def top(self, k: int) -> Answer:
        return [(int(item), float(count)) for item, count in self.sketch.most_common(k)]


class PyProbables(Sketch):
    """pyprobables' HeavyHitters: a count-min sketch of five rows with a list beside it; no batch call."""

    def open(self) -> None:
        self.sketch = import_module("probables").HeavyHitters(
            num_hitters=self.contest.k, width=self.budget // 20 - 1, depth=5
        )

    def prepare(self, items: Items) -> list[str]:
        return texts(items)

    def one(self) -> Feed:
        feed: Feed = self.sketch.add
        return feed

    def top(self, k: int) -> Answer:
        ranked = sorted(self.sketch.heavy_hitters.items(), key=lambda pair: -pair[1])
        return [(int(item), float(count)) for item, count in ranked[:k]]

    def state_bytes(self) -> int:
        return len(bytes(self.sketch))


class HeavyKeeper(Sketch):
    """heavykeeper, in Rust; bytes by the formula of its README."""

    measured = "declared"
    depth, cell, digits = 4, 16, 5

    def open(self) -> None:
        self.list_bytes = self.contest.k * (self.digits + self.cell)
        self.width = (self.budget - self.list_bytes) // (self.depth * self.cell)
        self.sketch = import_module("heavykeeper").HeavyKeeper(self.contest.k, self.width, self.depth, 0.9)

    def prepare(self, items: Items) -> list[str]:
        return texts(items)

    def one(self) -> Feed:
        feed: Feed = self.sketch.add
        return feed

    def many(self) -> Feed:
        feed: Feed = self.sketch.add_bulk
        return feed

    def top(self, k: int) -> Answer:
        return [(int(item), float(count)) for item, count in self.sketch.list()[:k]]

    def state_bytes(self) -> int:
        return self.width * self.depth * self.cell + self.list_bytes


class SketchNu(Sketch):
    """sketchnu's HeavyHitters: Topkapi in Numba, over byte strings."""

    measured = "array"
    digits = 5

    def open(self) -> None:
        width = self.budget // (4 * (self.digits + 5))
        self.sketch = import_module("sketchnu").HeavyHitters(width=width, depth=4, max_key_len=self.digits)

    def prepare(self, items: Items) -> list[bytes]:
        return [text.encode() for text in texts(items)]

    def one(self) -> Feed:
        feed: Feed = self.sketch.add
        return feed

    def many(self) -> Feed:
        feed: Feed = self.sketch.update
        return feed

    def top(self, k: int) -> Answer:
        return [(int(item), float(count)) for item, count in self.sketch.query(k, threshold=0)]

    def state_bytes(self) -> int:
        return int(self.sketch.lhh.nbytes + self.sketch.lhh_count.nbytes + self.sketch.key_lens.nbytes)
