"""Whatever holds whole numbers is taken; whatever does not is refused, says why, and changes nothing."""

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow
import pytest

from hgldp.errors import InvalidField
from hgldp.stores.heavy_guardian import HeavyGuardian
from hgldp.stores.integers import _CHUNK, batches, check_below, most_frequent, whole_numbers


def sketch(**changes: Any) -> HeavyGuardian:
    return HeavyGuardian(**{"buckets": 1, "heavy_cells": 3, "seed": 1} | changes)


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.uint32, np.int64, np.uint64, ">i8", list, "strided"])
def test_every_kind_of_integers_gives_the_same_sketch(kind: Any) -> None:
    items = np.random.default_rng(5).integers(0, 200, 70_000)
    expected, target = sketch(heavy_cells=8), sketch(heavy_cells=8)
    expected.update(items)
    if kind == "strided":
        given_items: Any = np.repeat(items, 2)[::2]
    else:
        given_items = items.tolist() if kind is list else items.astype(kind)
    target.update(given_items)
    assert target.serialize() == expected.serialize()


class Column:
    """What pandas and Arrow columns have in common."""

    def __init__(self, values: list[int], kind: Any) -> None:
        self.values, self.kind = values, kind

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.values, dtype or self.kind)


class Table:
    """A column that has no `__array__`, as those of some other libraries."""

    def __init__(self, values: list[int]) -> None:
        self.values = values

    def to_numpy(self) -> np.ndarray:
        return np.array(self.values)


KINDS: dict[str, Callable[[list[int]], Any]] = {
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "iterator": iter,
    "map": lambda items: map(int, items),
    "range-like deque": deque,
    "array": lambda items: array("Q", items),
    "keys": lambda items: dict.fromkeys(items).keys(),
    "pandas": lambda items: Column(items, np.int64),
    "pandas with gaps": lambda items: Column(items, object),
    "to_numpy": Table,
    "Arrow": lambda items: pyarrow.array(items, pyarrow.uint64()),
    "Arrow in chunks": lambda items: pyarrow.chunked_array([items[:10], items[10:]], pyarrow.uint32()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_iterable_gives_the_same_sketch(kind: str) -> None:
    items = np.random.default_rng(5).permutation(3 * _CHUNK // 2).tolist()
    expected, target = sketch(heavy_cells=8), sketch(heavy_cells=8)
    expected.update(np.array(items))
    target.update(KINDS[kind](items))
    assert target.serialize() == expected.serialize()
    assert target.total == len(items)


@pytest.mark.parametrize("size", [0, 1, _CHUNK, _CHUNK + 1])
@pytest.mark.parametrize("lazy", ["items", "weights", "both"])
def test_generators_of_items_and_weights_go_together(size: int, lazy: str) -> None:
    items, weights = np.arange(size) % 50, np.arange(size) % 3
    expected, target = sketch(heavy_cells=8), sketch(heavy_cells=8)
    expected.update(items, weights)
    given_items: Any = items if lazy == "weights" else iter(items.tolist())
    target.update(given_items, weights if lazy == "items" else iter(weights.tolist()))
    assert target.serialize() == expected.serialize()


def test_a_counter_is_given_as_items_and_weights() -> None:
    target, counted = sketch(), Counter([7, 7, 8])
    target.update(counted.keys(), counted.values())
    assert [target.estimate(item).count for item in (7, 8)] == [2, 1]
    with pytest.raises(
        InvalidField, match=r"give the keys of a Counter as items and its values as weights, got .*Counter"
    ):
        target.update(counted)


def test_a_list_of_words_above_and_below_2_to_the_63_is_taken_exactly() -> None:
    """NumPy alone would make floats of it."""
    assert whole_numbers("items", [2**63 + 1, 1, 2**64 - 2]).tolist() == [2**63 + 1, 1, 2**64 - 2]


def broken(after: int, last: Any) -> Iterator[Any]:
    yield from range(after)
    if isinstance(last, BaseException):
        raise last
    yield last


@pytest.mark.parametrize("after", [0, 5, 2 * _CHUNK + 7])
@pytest.mark.parametrize("last", ["tea", -1, 2**64 - 1, 1.5, None, OSError("disk"), KeyboardInterrupt()])
def test_a_generator_that_ends_badly_changes_nothing(after: int, last: Any) -> None:
    target, twin = sketch(light_cells=2), sketch(light_cells=2)
    for each in (target, twin):
        each.update([1, 2, 3, 4] * 5)
    with pytest.raises(type(last) if isinstance(last, BaseException) else InvalidField):
        target.update(broken(after, last))
    assert (target.serialize(), target.total) == (twin.serialize(), 20)
    for each in (target, twin):
        each.update(range(500))
    assert target.serialize() == twin.serialize()


@pytest.mark.parametrize(("items", "weights"), [(3, 2), (2, 3), (_CHUNK, _CHUNK + 1), (_CHUNK + 2, _CHUNK)])
def test_generators_of_different_lengths_change_nothing(items: int, weights: int) -> None:
    target = sketch()
    before = target.serialize()
    with pytest.raises(InvalidField, match="weights must have one entry per item"):
        target.update(iter(range(items)), iter(range(weights)))
    assert target.serialize() == before


def test_a_generator_is_held_one_piece_at_a_time() -> None:
    asked = 0

    def endless() -> Iterator[int]:
        nonlocal asked
        while True:
            asked += 1
            yield asked

    first = next(batches("items", endless()))
    assert first.size == asked == _CHUNK


TEXTS: list[Any] = [
    ["tea"],
    "tea",
    b"tea",
    iter(["tea"]),
    iter([b"tea"]),
    ["tea", None],
    np.array(["tea"]),
    pyarrow.array(["tea"]),
    Column(["tea"], object),
]  # type: ignore[list-item]


@pytest.mark.parametrize("texts", TEXTS, ids=lambda texts: type(texts).__name__)
def test_texts_are_refused_with_what_to_do_and_without_the_text(texts: Any) -> None:
    with pytest.raises(InvalidField, match=r"number your texts first, for example with Vocabulary\(words\)") as refused:
        sketch().update(texts)
    assert "tea" not in str(refused.value)


def test_symbols_of_any_iterable_are_checked() -> None:
    assert check_below((symbol for symbol in (0, 4)), 5).tolist() == [0, 4]
    with pytest.raises(InvalidField, match="symbols must lie in 0 … 4, got 5"):
        check_below(iter([0, 5]), 5)
    with pytest.raises(InvalidField, match="symbols must lie in 0 … 4, got -3"):
        check_below(np.array([0, -3]), 5)
    with pytest.raises(InvalidField, match="symbols must be whole numbers"):
        check_below("a", 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("outside", [[3, 10], [2**63], np.array([2**64 - 2], np.uint64), [-1], [1.5]])
def test_a_warm_up_outside_the_domain_is_refused(outside: Any) -> None:
    with pytest.raises(InvalidField, match="warmup must"):
        most_frequent("warmup", outside, kept=2, below=10)


def test_the_largest_items_are_kept_apart() -> None:
    target = sketch()
    target.update(np.array([2**64 - 2, 2**63, 2**64 - 2], np.uint64))
    assert [target.estimate(item).count for item in (2**64 - 2, 2**63, 0)] == [2, 1, 0]


@pytest.mark.parametrize(
    ("items", "weights", "field"),
    [
        (["tea"], None, "items"),
        ("tea", None, "items"),
        (b"tea", None, "items"),
        ([1.5], None, "items"),
        ([1, 1.5], None, "items"),
        (np.array([1.5]), None, "items"),
        ([None, 1], None, "items"),
        ([2**63, -1], None, "items"),
        (pyarrow.array([1, None]), None, "items"),
        (Column([True], np.bool_), None, "items"),
        ({7: 2}, None, "items"),
        (object(), None, "items"),
        ([True], None, "items"),
        (7, None, "items"),
        ([[1, 2], [3, 4]], None, "items"),
        ([[1, 2], [3]], None, "items"),
        ([3, -1], None, "items"),
        ([2**64 - 1], None, "items"),
        ([2**70], None, "items"),
        (np.array([5, -1], np.int32), None, "items"),
        ([1, 2], [1], "weights"),
        ([1, 2], [1, -1], "weights"),
        ([1, 2], [1, 0.5], "weights"),
        ([1, 2], [2**62, 2**62], "total weight"),
    ],
)
def test_bad_input_is_refused_and_nothing_changes(items: Any, weights: Any, field: str) -> None:
    target = sketch()
    target.update([1, 2, 3, 4])
    before = target.serialize()
    with pytest.raises(InvalidField) as refused:
        target.update(items, weights)
    assert refused.value.field == field
    assert "tea" not in str(refused.value)
    assert (target.serialize(), target.total) == (before, 4)


@pytest.mark.parametrize(
    "nothing", [[], (), np.zeros(0, np.int32), pyarrow.array([], pyarrow.int64()), set(), Column([], np.float64)]
)
def test_no_items_are_no_change(nothing: Any) -> None:
    target = sketch()
    target.update(nothing)
    target.update(nothing, nothing)
    assert (len(target), target.total) == (0, 0)
