"""HeavyGuardian as a top-k sketch with no privacy: bounded memory, certain bounds, one pass."""

from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels.decay import decay_thresholds
from hgldp.kernels.heavy_guardian import BUCKET, CELL, homes, rebuild, update_units, update_weighted
from hgldp.model.randomness import WORD_MASK, mix
from hgldp.model.validate import check_whole
from hgldp.stores.heavy_guardian.content import FREE, MOST_WEIGHT, Content, merged, pack, unpack
from hgldp.stores.heavy_guardian.shape import MOST_CELLS, Shape
from hgldp.stores.integers import Integers, batches, chunks, is_lazy, whole_numbers, words

TOP_BUCKETS, TOP_CELLS = 2, 8
SHOWN = 10


class Count(NamedTuple):
    """An item, its raw count, and the bounds between which its true count certainly lies."""

    item: int
    count: int  # type: ignore[assignment]  # a tuple's own method of this name is of no use here
    low: int
    high: int


class HeavyGuardian:
    """HeavyGuardian (Yang et al., KDD 2018, section 3): hot items guarded by exponential decay. No privacy.

    If the item of an arrival is held, its cell gains 1. If not, it takes a free cell of its bucket. If there is none,
    the weakest guard of the bucket loses 1 with probability b^−guard, exact to 2^-64; at 0 the newcomer replaces it.
    The light part, if there is one, counts what is not admitted. The guard decides who stays; beside it each cell keeps
    the undecayed count of arrivals since admission. `inverted_decay` decays with 1 − b^−guard instead, as the authors'
    code does. `for_top` chooses the sizes for you.

    Memory: per heavy cell 32 bytes and an index of 32 to 64, per bucket 24, per light cell 2; never more. All sketches
    of one base share the decay table.
    Error: `low` ≤ true count ≤ `high`, with certainty: `high` adds all that the bucket had lost before the admission.

    >>> sketch = HeavyGuardian(buckets=1, heavy_cells=2, seed=1)
    >>> sketch.update([7, 7, 7, 8, 7, 9])
    >>> sketch.most_common(1)
    [Count(item=7, count=4, low=4, high=4)]
    >>> HeavyGuardian.deserialize(sketch.serialize()).guard(7)
    4
    """

    __slots__ = ("_buckets", "_cells", "_hashing", "_index", "_light", "_parts", "_words", "shape", "total")

    def __init__(
        self,
        *,
        buckets: int,
        heavy_cells: int,
        light_cells: int = 0,
        decay_base: float = 1.08,
        seed: int,
        inverted_decay: bool = False,
    ) -> None:
        self._open(Shape(buckets, heavy_cells, light_cells, decay_base, seed, inverted_decay))

    @classmethod
    def for_top(cls, k: int, *, seed: int) -> "HeavyGuardian":
        """A sketch for the k most frequent items of a skewed stream, with 16 cells for each of them.

        It takes about 1.1 kB times k, and from k = 4,096 on 1.6 kB times k.

        >>> sketch = HeavyGuardian.for_top(3, seed=1)
        >>> sketch.update(number % 10 if number % 2 else 7 for number in range(1000))
        >>> sketch
        HeavyGuardian of 1,000 arrivals, 5 of 48 cells in use
        item  count  low  high
           7    600  600   600
           1    100  100   100
           3    100  100   100
           5    100  100   100
           9    100  100   100
        """
        check_whole("k", k, 1, MOST_CELLS // (TOP_BUCKETS * TOP_CELLS))
        return cls(buckets=TOP_BUCKETS * k, heavy_cells=TOP_CELLS, seed=seed)

    def _open(self, shape: Shape, content: Content | None = None) -> None:
        self.shape = shape
        self._hashing, state = shape.start()
        self._cells = np.zeros(shape.cells + 1, CELL)
        self._cells["key"] = FREE
        self._buckets = np.zeros(shape.buckets, BUCKET)
        self._light = np.zeros(shape.buckets * shape.light_cells, np.uint16)
        if content is not None:
            self._cells[:-1], self._buckets["lost"], self._light[:] = content.cells, content.lost, content.light
            state = content.words
        self._words = np.array([state], np.uint64)
        self._index = np.empty(shape.index_size, np.uint16 if shape.cells <= np.iinfo(np.uint16).max else np.uint32)
        rebuild(self._cells, self._buckets, self._index, self._hashing)
        rules = (decay_thresholds(float(shape.decay_base)), shape.inverted_decay, self._words)
        self._parts = (self._cells, self._buckets, self._light, self._index, self._hashing, *rules)
        self.total = int(self._cells["arrivals"].sum() + self._buckets["lost"].sum())

    def update(self, items: Integers, weights: Integers | None = None) -> None:
        """Count every item in order, once or as often as its weight says; after an error nothing has changed.

        Takes any iterable of whole numbers in 0 … 2^64 − 2: lists, generators, NumPy arrays, pandas and Arrow columns.
        Reads a generator piece by piece, so it may be longer than memory.

        A weight of w means w arrivals in a row. The result has the same distribution as repeating the item, but uses
        other words, since one word decides a whole run of arrivals up to the next decay. A weight of 1 is one arrival.
        """
        if is_lazy(items) or is_lazy(weights):
            self._update_piecewise(items, weights)
            return
        arrived = whole_numbers("items", items)
        self._update_arrays(arrived, None if weights is None else whole_numbers("weights", weights))

    def _update_arrays(self, arrived: NDArray[np.integer[Any]], weights: NDArray[np.integer[Any]] | None) -> None:
        if weights is None:
            self.total = self._grown(arrived.size)
            for chunk in chunks(arrived):
                update_units(chunk, *self._parts)
            return
        counts = words(weights)
        if counts.size != arrived.size:
            raise InvalidField("weights", f"must have one entry per item, {arrived.size} in all", counts.size)
        low_half = np.uint64(0xFFFFFFFF)
        self.total = self._grown((int((counts >> np.uint64(32)).sum()) << 32) + int((counts & low_half).sum()))
        update_weighted(words(arrived), counts, *self._parts)

    def _update_piecewise(self, items: Integers, weights: Integers | None) -> None:
        before = self._content().frozen()
        none = np.zeros(0, np.uint64)
        try:
            if weights is None:
                for piece in batches("items", items):
                    self._update_arrays(piece, None)
                return
            for piece, counts in zip_longest(batches("items", items), batches("weights", weights), fillvalue=none):
                self._update_arrays(piece, counts)
        except BaseException:
            self._open(self.shape, before)
            raise

    def _grown(self, weight: int) -> int:
        if self.total + weight > MOST_WEIGHT:
            raise InvalidField("total weight", "must stay below 2^63", self.total + weight)
        return self.total + weight

    def estimate(self, item: int) -> Count:
        """The count since admission with its bounds; for an item not held, what the light part says."""
        slot, bucket = self._find(item)
        if slot is not None:
            return _count(self._cells[slot])
        return Count(int(item), self._light_count(int(item), bucket), 0, int(self._buckets["lost"][bucket]))

    def guard(self, item: int) -> int:
        """The decayed count that decides which items stay; 0 for an item not held."""
        slot, _ = self._find(item)
        return 0 if slot is None else int(self._cells[slot]["arrivals"] - self._cells[slot]["decays"])

    def most_common(self, k: int) -> list[Count]:
        """The k held items with the largest counts, largest first, equal ones by number; all if fewer are held."""
        check_whole("k", k, 1, FREE)
        held = self._cells[self._cells["arrivals"] > 0]
        order = np.lexsort((held["key"], ~held["arrivals"]))[:k]
        return [_count(cell) for cell in held[order]]

    def merge(self, other: "HeavyGuardian") -> "HeavyGuardian":
        """Take in what another sketch of the same shape and seed has seen, and return this one.

        Guards and counts of common items add up; each bucket keeps the largest guards.
        """
        if not isinstance(other, HeavyGuardian) or other.shape != self.shape:
            got = other.shape if isinstance(other, HeavyGuardian) else type(other).__name__
            raise InvalidField("other", f"must be a HeavyGuardian of {self.shape}", got)
        self._grown(other.total)
        self._open(self.shape, merged(self.shape, self._content(), other._content()))
        return self

    def serialize(self) -> bytes:
        """The whole state, in a number of bytes that depends on the shape alone."""
        return pack(self.shape, self._content())

    @classmethod
    def deserialize(cls, data: bytes) -> "HeavyGuardian":
        """The sketch that `serialize` wrote; it goes on exactly like the original. Other bytes raise MalformedState."""
        sketch = cls.__new__(cls)
        sketch._open(*unpack(data))
        return sketch

    def __len__(self) -> int:
        return int(np.count_nonzero(self._cells["arrivals"]))

    def __repr__(self) -> str:
        """The most common items as a table."""
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([self._summary(), *table])

    def _repr_html_(self) -> str:
        """The same for notebooks."""
        head, *rows = self._rows()
        cells = ["".join(f"<td>{text}</td>" for text in row) for row in rows]
        table = "".join(f"<tr>{row}</tr>" for row in ("".join(f"<th>{name}</th>" for name in head), *cells))
        return f"<table><caption>{self._summary()}</caption>{table}</table>"

    def _summary(self) -> str:
        shown = f", the first {SHOWN}" if len(self) > SHOWN else ""
        cells = f"{len(self):,} of {self.shape.cells:,} cells in use{shown}"
        return f"HeavyGuardian of {self.total:,} arrivals, {cells}"

    def _rows(self) -> list[tuple[str, ...]]:
        lines = [
            (str(item), f"{count:,}", f"{low:,}", f"{high:,}") for item, count, low, high in self.most_common(SHOWN)
        ]
        return [Count._fields, *lines]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, which never grow."""
        return sum(part.nbytes for part in (self._cells, self._buckets, self._light, self._index, self._words))

    def _content(self) -> Content:
        return Content(self._cells[:-1], self._buckets["lost"], self._light, int(self._words[0]))

    def _find(self, item: int) -> tuple[int | None, int]:
        key = words(whole_numbers("item", [item]))
        bucket = int(homes(key, self._hashing, np.uint64(self.shape.buckets))[0])
        first = bucket * self.shape.heavy_cells
        found = np.flatnonzero(self._cells["key"][first : first + self.shape.heavy_cells] == key[0])
        return (first + int(found[0]) if found.size else None), bucket

    def _light_count(self, item: int, bucket: int) -> int:
        width = self.shape.light_cells
        factor, shift = map(int, self._hashing)
        place = (mix((item * factor + shift) & WORD_MASK) * width) >> 64
        return int(self._light[bucket * width + place]) if width else 0


def _count(cell: np.void) -> Count:
    arrivals = int(cell["arrivals"])
    return Count(int(cell["key"]), arrivals, arrivals, arrivals + int(cell["before"]))
