from fractions import Fraction
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.kernels import heavy_guardian
from hgldp.kernels.decay import decay_thresholds
from hgldp.kernels.heavy_guardian import BUCKET, CELL
from hgldp.stores.heavy_guardian import HeavyGuardian
from tests.naive.heavy_guardian import NaiveHeavyGuardian, refusals, threshold

SHAPES = [
    {"buckets": 1, "heavy_cells": 1},
    {"buckets": 1, "heavy_cells": 20},
    {"buckets": 1, "heavy_cells": 5, "light_cells": 3},
    {"buckets": 3, "heavy_cells": 2, "light_cells": 1, "decay_base": 2.0},
    {"buckets": 48, "heavy_cells": 8, "decay_base": 1.5},
]


def state(sketch: HeavyGuardian) -> tuple[Any, ...]:
    """The sketch's memory in the form of its twin's."""
    cells, lost, light, words = sketch._content()
    rows = [
        [
            (int(cell["key"]), int(cell["arrivals"] - cell["decays"]), int(cell["arrivals"]), int(cell["before"]))
            for cell in bucket
            if cell["arrivals"]
        ]
        for bucket in cells.reshape(sketch.shape.buckets, sketch.shape.heavy_cells)
    ]
    return rows, lost.tolist(), light.reshape(sketch.shape.buckets, sketch.shape.light_cells).tolist(), words


def skewed(generator: np.random.Generator, size: int, domain: int) -> np.ndarray:
    return (domain ** generator.random(size)).astype(np.int64)


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("domain", [8, 60, 5000])
def test_the_kernel_equals_its_twin_however_the_stream_is_split(shape: Any, inverted: bool, domain: int) -> None:
    generator = np.random.default_rng(domain)
    for drawn in (skewed(generator, 3000, domain), generator.integers(0, domain, 2000)):
        sketch = HeavyGuardian(**shape, seed=domain, inverted_decay=inverted)
        twin = NaiveHeavyGuardian(**shape, seed=domain, inverted_decay=inverted)
        for batch in np.split(drawn, np.sort(generator.integers(0, drawn.size, 5))):
            sketch.update(batch)
            twin.update(batch)
            assert state(sketch) == twin.state()


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_weighted_kernel_equals_its_twin(shape: Any, inverted: bool) -> None:
    generator = np.random.default_rng(7)
    sketch = HeavyGuardian(**shape, seed=3, inverted_decay=inverted)
    twin = NaiveHeavyGuardian(**shape, seed=3, inverted_decay=inverted)
    for largest in (2, 30, 3000, 100):
        items, weights = skewed(generator, 400, 500), skewed(generator, 400, largest) - 1
        sketch.update(items, weights)
        twin.update(items, weights.tolist())
        assert state(sketch) == twin.state()


@settings(deadline=None, max_examples=100)
@given(
    shape=st.sampled_from(SHAPES[:4]),
    inverted=st.booleans(),
    batches=st.lists(
        st.tuples(st.booleans(), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2**40)), max_size=30)),
        max_size=6,
    ),
)
def test_weighted_and_unweighted_batches_mix(shape: Any, inverted: bool, batches: Any) -> None:
    sketch = HeavyGuardian(**shape, seed=5, inverted_decay=inverted)
    twin = NaiveHeavyGuardian(**shape, seed=5, inverted_decay=inverted)
    for weighted, batch in batches:
        items, weights = [item for item, _ in batch], [weight % 5 for _, weight in batch]
        sketch.update(items, weights if weighted else None)
        twin.update(items, weights if weighted else None)
    assert state(sketch) == twin.state()


@pytest.mark.parametrize("inverted", [False, True])
def test_a_weight_of_one_is_one_arrival(inverted: bool) -> None:
    items = skewed(np.random.default_rng(11), 4000, 3000)
    single = HeavyGuardian(buckets=4, heavy_cells=3, light_cells=5, seed=9, inverted_decay=inverted)
    weighted = HeavyGuardian(buckets=4, heavy_cells=3, light_cells=5, seed=9, inverted_decay=inverted)
    single.update(items)
    weighted.update(items, np.ones_like(items))
    assert single.serialize() == weighted.serialize()


def test_more_cells_than_a_short_index_can_name_still_equal_the_twin() -> None:
    shape: Any = {"buckets": 9000, "heavy_cells": 8, "seed": 2}
    sketch, twin = HeavyGuardian(**shape), NaiveHeavyGuardian(**shape)
    items = np.random.default_rng(3).integers(0, 2**60, 100_000) % 70_000
    sketch.update(items)
    twin.update(items)
    assert state(sketch) == twin.state()


def test_the_comparison_with_the_twin_refuses_another_decay() -> None:
    items = skewed(np.random.default_rng(1), 2000, 1000)
    planted = HeavyGuardian(buckets=1, heavy_cells=5, seed=1, inverted_decay=True)
    twin = NaiveHeavyGuardian(buckets=1, heavy_cells=5, seed=1)
    planted.update(items)
    twin.update(items)
    assert state(planted) != twin.state()


@pytest.mark.parametrize("base", [1.001, 1.08, 1.5, 2.0, 3.0, 1e300])
def test_the_thresholds_are_the_exact_powers_rounded_down(base: float) -> None:
    table = decay_thresholds(base)
    assert table[-1] == 0
    assert table[-2] > 0
    for guard in {1, 2, 5, 20, 64, table.size - 2, table.size - 1} & set(range(1, min(table.size, 2000))):
        assert int(table[guard]) == threshold(base, guard)


@numba.njit
def kernel_refusals(word: Any, survive: Any, arrivals: Any) -> Any:
    return heavy_guardian.refusals(word, survive, arrivals)


WORD = st.integers(0, 2**64 - 1)


@settings(deadline=None, max_examples=300)
@given(
    word=WORD,
    survive=WORD | st.integers(2**64 - 2**60, 2**64 - 1),
    arrivals=st.integers(1, 300) | st.integers(1, 2**62),
)
def test_one_word_decides_a_run_of_arrivals_as_the_twin_says(word: int, survive: int, arrivals: int) -> None:
    refused = int(kernel_refusals(np.uint64(word), np.uint64(survive), np.uint64(arrivals)))
    assert refused == refusals(word, survive, arrivals)
    if arrivals <= 300:
        alone = Fraction(survive, 2**64)
        assert refused == 0 or word < alone**refused * 2**64
        assert refused >= arrivals or word >= alone ** (refused + 1) * 2**64 - (refused + 1)


@pytest.mark.parametrize("weighted", [False, True])
def test_filling_many_cells_of_one_bucket_equals_the_twin(weighted: bool) -> None:
    shape: Any = {"buckets": 1, "heavy_cells": 300, "light_cells": 2, "seed": 4}
    sketch, twin = HeavyGuardian(**shape), NaiveHeavyGuardian(**shape)
    items = np.random.default_rng(6).integers(0, 500, 3000)
    weights = np.ones_like(items) if weighted else None
    for batch in np.split(np.arange(items.size), [1, 200, 350, 1000]):
        sketch.update(items[batch], None if weights is None else weights[batch])
        twin.update(items[batch], None if weights is None else weights[batch].tolist())
        assert state(sketch) == twin.state()


class Watched(np.recarray):  # type: ignore[type-arg]
    """Cells that count how often one of them is looked at."""

    looks = 0

    def __getitem__(self, place: Any) -> Any:
        self.looks += 1
        return super().__getitem__(place)


def looks_while_filling(size: int, settle: Any) -> int:
    """How often the kernel's own Python looks at a cell, when each admission settles the bucket."""
    cells, buckets = Watched(size + 1, CELL), np.recarray(1, BUCKET)
    cells.fill(0)
    buckets.fill(0)
    for _ in range(size):
        cells[buckets[0].weakest].arrivals = 1
        settle(np.uint64(0), cells, buckets, None, None)
    return cells.looks


def test_filling_is_linear_in_the_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """One bucket took a hundred times as long as many small ones, when each admission looked at all its cells."""

    def unaware(bucket: Any, cells: Any, buckets: Any, *index: Any) -> None:
        buckets[bucket].limit = 1
        settle(bucket, cells, buckets, *index)

    settle = heavy_guardian.settle.py_func
    for name in ("_enlist", "_strike"):
        monkeypatch.setattr(heavy_guardian, name, lambda *_: None)
    assert looks_while_filling(200, settle) < 10 * 200
    assert looks_while_filling(200, unaware) > 200**2, "it would be noticed"
