import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from hgldp.errors import InvalidField
from hgldp.stores.heavy_guardian import Count, HeavyGuardian
from hgldp.stores.heavy_guardian import sketch as heavy_guardian
from hgldp.stores.heavy_guardian.content import Content, merged
from hgldp.stores.heavy_guardian.shape import Shape

FALSE_ALARM = 1e-6


def sketch(**changes: Any) -> HeavyGuardian:
    return HeavyGuardian(**{"buckets": 1, "heavy_cells": 3, "seed": 1} | changes)


def decays(guard: int, trials: int, weight: int = 1, **changes: Any) -> int:
    """In how many trials a stranger of this weight takes something from a cell with this guard."""
    worn = 0
    for seed in range(trials):
        alone = sketch(heavy_cells=1, seed=seed, **changes)
        alone.update([5], [guard])
        alone.update([6], None if weight == 1 else [weight])
        worn += alone.guard(5) < guard
    return worn


def fits(successes: int, trials: int, probability: float) -> bool:
    return bool(binomtest(successes, trials, probability).pvalue > FALSE_ALARM)


@pytest.mark.parametrize("guard", [1, 5, 20])
def test_a_guard_decays_with_probability_base_to_the_minus_guard_and_inverted_decay_is_refused(guard: int) -> None:
    """False alarm 1e-6 for each guard; seeds are fixed."""
    assert fits(decays(guard, 1500), 1500, 1.08**-guard)
    assert not fits(decays(guard, 1500, inverted_decay=True), 1500, 1.08**-guard)
    assert fits(decays(guard, 1500, inverted_decay=True), 1500, 1 - 1.08**-guard)


def test_a_weight_decays_like_so_many_arrivals() -> None:
    """False alarm 1e-6; seeds are fixed."""
    assert fits(decays(30, 1500, weight=7), 1500, 1 - (1 - 1.08**-30) ** 7)


def within_bounds(truth: Counter[int], estimate: Callable[[int], Count], items: range) -> bool:
    return all(estimate(item).low <= truth[item] <= estimate(item).high for item in items)


SHAPES = st.fixed_dictionaries(
    {
        "buckets": st.integers(1, 3),
        "heavy_cells": st.integers(1, 4),
        "light_cells": st.integers(0, 2),
        "decay_base": st.sampled_from([1.08, 1.5, 4.0]),
        "inverted_decay": st.booleans(),
        "seed": st.integers(0, 2**64 - 1),
    }
)
BATCHES = st.lists(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 9)), max_size=40), max_size=5)


def stream_into(target: HeavyGuardian, batches: list[list[tuple[int, int]]]) -> Counter[int]:
    truth: Counter[int] = Counter()
    for turn, batch in enumerate(batches):
        items = [item for item, _ in batch]
        weights = [weight for _, weight in batch] if turn % 2 else [1] * len(batch)
        target.update(items, weights if turn % 2 else None)
        for item, weight in zip(items, weights, strict=True):
            truth[item] += weight
    return truth


@settings(deadline=None, max_examples=200)
@given(shape=SHAPES, batches=BATCHES)
def test_the_true_count_certainly_lies_within_the_bounds(shape: Any, batches: Any) -> None:
    target = HeavyGuardian(**shape)
    truth = stream_into(target, batches)
    assert within_bounds(truth, target.estimate, range(16))
    assert target.total == truth.total()


@settings(deadline=None, max_examples=200)
@given(shape=SHAPES, left=BATCHES, right=BATCHES, after=BATCHES)
def test_bounds_stay_true_after_merging_and_beyond(shape: Any, left: Any, right: Any, after: Any) -> None:
    one, other, mirror = HeavyGuardian(**shape), HeavyGuardian(**shape), HeavyGuardian(**shape)
    truth = stream_into(one, left)
    truth += stream_into(other, right)
    stream_into(mirror, right)
    mirror.merge(HeavyGuardian.deserialize(one.serialize()))
    assert one.merge(other) is one
    assert one.serialize() == mirror.serialize()
    assert within_bounds(truth, one.estimate, range(16))
    truth += stream_into(one, after)
    assert within_bounds(truth, one.estimate, range(16))
    assert one.total == truth.total()


def test_a_merge_adds_up_common_items_and_keeps_the_largest_guards() -> None:
    one, other = sketch(heavy_cells=2), sketch(heavy_cells=2)
    one.update([1, 2], [6, 5])
    other.update([2, 3], [4, 3])
    one.merge(other)
    assert one.most_common(9) == [Count(2, 9, 9, 9), Count(1, 6, 6, 6)]
    assert one.estimate(3) == Count(3, 0, 0, 3)
    assert (one.guard(2), one.total) == (9, 18)


def pushed_out_and_back() -> tuple[HeavyGuardian, Counter[int]]:
    target = sketch(heavy_cells=1, decay_base=1.001)
    return target, stream_into(target, [[(1, 1)] * 3 + [(2, 1)] * 9 + [(1, 1)] * 20])


def test_the_bounds_check_refuses_a_sketch_that_forgets_what_came_before_admission() -> None:
    target, truth = pushed_out_and_back()
    assert within_bounds(truth, target.estimate, range(16))
    assert not within_bounds(
        truth, lambda item: target.estimate(item)._replace(high=target.estimate(item).low), range(16)
    )


def test_the_bounds_check_refuses_a_merge_that_forgets_what_the_other_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(shape: Shape, left: Content, right: Content) -> Content:
        content = merged(shape, left, right)
        content.cells["before"] = 0
        return content

    def both() -> tuple[HeavyGuardian, Counter[int]]:
        one, other = sketch(heavy_cells=1), sketch(heavy_cells=1)
        truth = stream_into(one, [[(1, 1)] * 50])
        truth += stream_into(other, [[(2, 1)] * 40 + [(1, 1)] * 5])
        return one.merge(other), truth

    right, truth = both()
    assert within_bounds(truth, right.estimate, range(16))
    monkeypatch.setattr(heavy_guardian, "merged", forgetful)
    wrong, truth = both()
    assert not within_bounds(truth, wrong.estimate, range(16))


def test_counts_are_undecayed_while_guards_decay() -> None:
    target = sketch(heavy_cells=1, decay_base=1.001)
    target.update([4] * 40 + [5] * 10)
    assert target.estimate(4) == Count(4, 40, 40, 40)
    assert 30 <= target.guard(4) < 40
    assert target.guard(5) == 0
    assert target.estimate(5) == Count(5, 0, 0, 10)


@pytest.mark.parametrize("guard", [1, 2, 1000])
def test_beyond_the_table_nothing_decays_and_inverted_everything(guard: int) -> None:
    firm, frail = (sketch(heavy_cells=1, decay_base=1e300, inverted_decay=inverted) for inverted in (False, True))
    for target in (firm, frail):
        target.update([4], [guard])
        target.update([5] * guard)
    assert (firm.guard(4), firm.guard(5), frail.guard(4), frail.guard(5)) == (guard, 0, 0, 1)


def test_the_light_part_counts_what_was_not_admitted_and_saturates() -> None:
    target = sketch(heavy_cells=1, light_cells=1, decay_base=1e9)
    target.update([4, 4, 4, 5, 5])
    assert target.estimate(5) == Count(5, 2, 0, 2)
    target.update([5], [10**6])
    assert target.estimate(5).count == 65_535
    assert target.merge(HeavyGuardian.deserialize(target.serialize())).estimate(5).count == 65_535


def test_most_common_is_sorted_by_count_and_then_by_item() -> None:
    target = sketch(heavy_cells=5)
    target.update([9, 3, 3, 8, 8, 1])
    assert [(line.item, line.count) for line in target.most_common(3)] == [(3, 2), (8, 2), (1, 1)]
    assert len(target.most_common(100)) == len(target) == 4


def test_a_skewed_stream_gives_its_true_top() -> None:
    generator = np.random.default_rng(2)
    items = (20_000 ** generator.random(200_000)).astype(np.int64)
    truth = Counter(items.tolist())
    target = sketch(buckets=48, heavy_cells=8)
    target.update(items)
    found = {line.item for line in target.most_common(20)}
    assert len(found & {item for item, _ in truth.most_common(20)}) >= 19


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("buckets", 0),
        ("buckets", 1.0),
        ("heavy_cells", 0),
        ("heavy_cells", True),
        ("heavy_cells", 2**24 + 1),
        ("light_cells", -1),
        ("decay_base", 1.0),
        ("decay_base", float("nan")),
        ("decay_base", float("inf")),
        ("decay_base", "1.08"),
        ("seed", -1),
        ("seed", 2**64),
        ("seed", None),
        ("inverted_decay", 1),
    ],
)
def test_a_shape_outside_the_rules_cannot_be_built(field: str, value: Any) -> None:
    with pytest.raises(InvalidField) as refused:
        sketch(**{field: value})
    assert refused.value.field == field


def test_k_must_be_at_least_one_and_an_item_a_whole_number() -> None:
    with pytest.raises(InvalidField, match="k must"):
        sketch().most_common(0)
    with pytest.raises(InvalidField, match="item must be at least 0"):
        sketch().estimate(-1)


@pytest.mark.parametrize("change", [{"seed": 2}, {"heavy_cells": 4}, {"inverted_decay": True}, {"decay_base": 1.1}])
def test_only_sketches_of_one_shape_and_seed_merge(change: Any) -> None:
    with pytest.raises(InvalidField, match="other must be"):
        sketch().merge(sketch(**change))


def deep_size(target: HeavyGuardian) -> int:
    """Bytes of the sketch with everything it refers to, headers included."""
    parts = [getattr(target, name) for name in HeavyGuardian.__slots__]
    parts += [*target._hashing, *(getattr(target.shape, name) for name in Shape.__slots__)]
    return sys.getsizeof(target) + sum(sys.getsizeof(part) for part in parts)


@pytest.mark.parametrize("domain", [1000, 5_000_000])
def test_memory_depends_on_neither_the_stream_nor_the_domain(domain: int) -> None:
    generator = np.random.default_rng(1)
    target = sketch(heavy_cells=20)
    sizes = set()
    for reports in (20_000, 200_000):
        target.update(generator.integers(0, domain, reports))
        sizes.add((len(target.serialize()), target.nbytes, deep_size(target)))
    assert len(sizes) == 1
    serialised, arrays, resident = sizes.pop()
    assert serialised == 20 * 32 + 56 <= 1024
    assert arrays < resident <= 4096


@pytest.mark.parametrize("k", [1, 10, 100])
def test_a_sketch_for_the_top_finds_it(k: int) -> None:
    generator = np.random.default_rng(k)
    items = (20_000 ** generator.random(200_000)).astype(np.int64)
    truth = Counter(items.tolist())
    target = HeavyGuardian.for_top(k, seed=1)
    target.update(items)
    found = {line.item for line in target.most_common(k)}
    assert len(found & {item for item, _ in truth.most_common(k)}) >= 0.95 * k
    assert target.nbytes <= 1640 * k + 100


@pytest.mark.parametrize("k", [0, -1, 1.0, True, "10", 2**20 + 1])
def test_a_top_of_no_size_is_refused(k: Any) -> None:
    with pytest.raises(InvalidField, match="k must"):
        HeavyGuardian.for_top(k, seed=1)


def test_a_sketch_shows_its_most_common_items_with_their_bounds() -> None:
    target = sketch(heavy_cells=12)
    assert repr(target) == "HeavyGuardian of 0 arrivals, 0 of 12 cells in use\nitem  count  low  high"
    target.update(range(11))
    target.update([1234567], [4321])
    lines = repr(target).splitlines()
    assert lines[:3] == [
        "HeavyGuardian of 4,332 arrivals, 12 of 12 cells in use, the first 10",
        "   item  count    low   high",
        "1234567  4,321  4,321  4,321",
    ]
    assert len(lines) == 2 + 10


def test_a_notebook_shows_the_same_table() -> None:
    target = sketch()
    target.update([7, 7, 1000, 1000, 1000])
    shown = target._repr_html_()
    assert "<caption>HeavyGuardian of 5 arrivals, 2 of 3 cells in use</caption>" in shown
    assert "<tr><th>item</th><th>count</th><th>low</th><th>high</th></tr>" in shown
    assert "<tr><td>1000</td><td>3</td><td>3</td><td>3</td></tr><tr><td>7</td>" in shown
