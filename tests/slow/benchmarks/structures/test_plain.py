"""The plain sketches of the comparison against obvious ones, and within their bytes."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.structures.contest import BYTES, STRUCTURES, cells_within
from benchmarks.structures.plain import blank, misra_gries, plain_top, space_saving
from hgldp.model.rules import Structure
from hgldp.stores.hot_list.state import state_bytes

STREAMS = st.lists(st.integers(0, 12), max_size=200)
CELLS = 4


def obvious_space_saving(stream: list[int]) -> Counter[int]:
    held: dict[int, int] = {}
    for item in stream:
        inherited = held.pop(min(held, key=lambda each: held[each])) if item not in held and len(held) == CELLS else 0
        held[item] = held.get(item, 0) + inherited + 1
    return Counter(held)


def obvious_misra_gries(stream: list[int]) -> Counter[int]:
    held: Counter[int] = Counter()
    for item in stream:
        held[item] += 1
        if len(held) > CELLS:
            held = +Counter({each: count - 1 for each, count in held.items()})
    return held


@settings(deadline=None, max_examples=100)
@given(stream=STREAMS)
def test_they_are_the_structures_of_their_authors(stream: list[int]) -> None:
    """Which of several least items Space-Saving replaces is left open, so its counts are compared without names."""
    items = np.array(stream, np.int32)
    item, count = blank(CELLS)
    misra_gries(items, item, count)
    assert {int(i): int(c) for i, c in zip(item, count, strict=True) if c} == dict(obvious_misra_gries(stream))
    item, count = blank(CELLS)
    space_saving(items, item, count)
    assert sorted(count[count > 0].tolist()) == sorted(obvious_space_saving(stream).values())
    for name, stated in zip(item.tolist(), count.tolist(), strict=True):
        assert not stated or stream.count(name) <= stated <= stream.count(name) + len(stream) / CELLS


@pytest.mark.parametrize("structure", STRUCTURES)
def test_each_finds_what_stands_out_and_heavy_keeper_states_no_more_than_there_is(structure: Structure) -> None:
    drawn = np.random.default_rng(1).integers(0, 500, 4_000)
    stream = np.concatenate([np.repeat(np.arange(3), 900), drawn]).astype(np.int32)
    np.random.default_rng(2).shuffle(stream)
    top = plain_top(structure, stream, 3, BYTES, seed=1)
    assert {line.item for line in top} == {0, 1, 2}
    if structure != "space-saving":
        assert all(line.count <= np.count_nonzero(stream == line.item) for line in top)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_all_lists_keep_at_most_the_same_bytes_and_one_cell_more_would_be_too_many(structure: Structure) -> None:
    cells, kind = cells_within(BYTES, structure), STRUCTURES.index(structure)
    assert state_bytes(cells, 20, kind) <= BYTES < state_bytes(cells + 1, 20, kind)
