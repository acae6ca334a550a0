"""Count-min sketches and a bounded hash table: counts without a list, so every possible item is asked for."""

import pickle
from importlib import import_module
from typing import Any

from benchmarks.field.contest import Answer
from benchmarks.field.entrants.base import Asked, Feed, Items, Sketch
from benchmarks.field.entrants.heavy_hitter_lists import texts

ROWS = 5


class DataSketchesCountMin(Asked):
    """Apache DataSketches, count-min: eight-byte counters."""

    def open(self) -> None:
        self.sketch = import_module("datasketches").count_min_sketch(ROWS, (self.budget - 32) // (8 * ROWS))

    def one(self) -> Feed:
        feed: Feed = self.sketch.update
        return feed

    def count(self, item: int) -> float:
        return float(self.sketch.get_estimate(item))

    def state_bytes(self) -> int:
        return len(self.sketch.serialize())


class Declared(Asked):
    """Counters of four bytes that cannot be had as bytes: width × depth × 4, as declared."""

    measured = "declared"
    sketch: Any

    @property
    def width(self) -> int:
        """Columns that fit into the budget."""
        return self.budget // (4 * ROWS)

    def prepare(self, items: Items) -> list[str]:
        return texts(items)

    def state_bytes(self) -> int:
        return 4 * ROWS * self.width


class CMSketch(Declared):
    """cmsketch, in C++: it ranks candidates itself."""

    def open(self) -> None:
        self.sketch = import_module("cmsketch").CountMinSketchStr(self.width, ROWS)

    def one(self) -> Feed:
        feed: Feed = self.sketch.insert
        return feed

    def count(self, item: int) -> float:
        return float(self.sketch.count(str(item)))

    def top(self, k: int) -> Answer:
        candidates = [str(item) for item in range(self.contest.domain_size)]
        return [(int(item), float(count)) for item, count in self.sketch.top_k(k, candidates)]


class ProbStructs(Declared):
    """probstructs, in C++."""

    def open(self) -> None:
        self.sketch = import_module("probstructs").CountMinSketch(self.width, ROWS)

    def one(self) -> Feed:
        increase = self.sketch.inc
        return lambda item: increase(item, 1)

    def count(self, item: int) -> float:
        return float(self.sketch.get(str(item)))


class Madoka(Asked):
    """madoka, in C++: three rows of packed counters; bytes of its file."""

    def open(self) -> None:
        self.sketch = import_module("madoka").Sketch((self.budget - 80) // 8)

    def prepare(self, items: Items) -> list[str]:
        return texts(items)

    def one(self) -> Feed:
        feed: Feed = self.sketch.inc
        return feed

    def count(self, item: int) -> float:
        return float(self.sketch.get(str(item)))

    def state_bytes(self) -> int:
        return int(self.sketch.file_size)


class Bounter(Sketch):
    """bounter's hash table, pruned when it is full; its pickle has more than 60 kB even when it is empty."""

    def open(self) -> None:
        self.sketch = import_module("bounter").HashTable(buckets=1 << ((self.budget // 24).bit_length() - 1))

    def prepare(self, items: Items) -> list[str]:
        return texts(items)

    def one(self) -> Feed:
        feed: Feed = self.sketch.increment
        return feed

    def many(self) -> Feed:
        feed: Feed = self.sketch.update
        return feed

    def top(self, k: int) -> Answer:
        ranked = sorted(self.sketch.iteritems(), key=lambda pair: -pair[1])
        return [(int(item), float(count)) for item, count in ranked[:k]]

    def state_bytes(self) -> int:
        return len(pickle.dumps(self.sketch))


class CountMinSketch(Asked):
    """countminsketch, in Python."""

    def open(self) -> None:
        self.sketch = import_module("countminsketch").CountMinSketch(self.budget // (8 * ROWS), ROWS)

    def one(self) -> Feed:
        feed: Feed = self.sketch.add
        return feed

    def count(self, item: int) -> float:
        return float(self.sketch[item])


class CythonCountMin(Asked):
    """count-min-sketch, in Cython."""

    def open(self) -> None:
        self.sketch = import_module("count_min_sketch").CountMinSketch(width=self.budget // (8 * ROWS), depth=ROWS)

    def one(self) -> Feed:
        feed: Feed = self.sketch.increment
        return feed

    def count(self, item: int) -> float:
        return float(self.sketch.get(item))


class PDSA(Asked):
    """pdsa's count-min sketch, in Cython."""

    def open(self) -> None:
        module = import_module("pdsa.frequency.count_min_sketch")
        self.sketch = module.CountMinSketch(ROWS, self.budget // (8 * ROWS))

    def one(self) -> Feed:
        feed: Feed = self.sketch.add
        return feed

    def count(self, item: int) -> float:
        return float(self.sketch.frequency(item))
