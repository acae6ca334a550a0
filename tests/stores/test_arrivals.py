from typing import Any

import numpy as np
import pytest

from hgldp.errors import InvalidField
from hgldp.stores.heavy_guardian import HeavyGuardian


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


@pytest.mark.parametrize("nothing", [[], (), np.zeros(0, np.int32)])
def test_no_items_are_no_change(nothing: Any) -> None:
    target = sketch()
    target.update(nothing)
    target.update(nothing, nothing)
    assert (len(target), target.total) == (0, 0)
