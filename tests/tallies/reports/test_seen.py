"""Every upload counts once: what a table says is what a set says, and the parts are a partition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.tallies.reports import seen
from hgldp.tallies.reports.seen import AT_ONCE, MOST_PASSES, Passes, SeenUploads

HALVES = st.sampled_from([0, 1, 2, 2**64 - 1]) | st.integers(0, 2**64 - 1)
IDS = st.lists(st.tuples(HALVES, HALVES), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(IDS, st.integers(1, 4), st.integers(1, 20), st.binary(min_size=16, max_size=16))
def test_it_marks_what_a_set_marks(ids: list[tuple[int, int]], parts: int, batch: int, key: bytes) -> None:
    rows = np.array(ids, np.uint64)
    marked = np.zeros(len(ids), np.int64)
    for part in range(parts):
        one = SeenUploads(len(ids), part, parts, key)
        for start in range(0, len(ids), batch):
            marked[start : start + batch] += one.first(rows[start : start + batch])
    before: set[tuple[int, int]] = set()
    expected = [int(not (each in before or before.add(each))) for each in ids]
    assert marked.tolist() == expected


def test_a_full_table_wraps_around_and_stays_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "SPARE", 64)
    ids = np.random.default_rng(1).integers(0, 2**63, (5000, 2), np.int64).astype(np.uint64)
    one = SeenUploads(5000)
    assert one.first(ids).all()
    assert not one.first(ids[::-1]).any()


def test_more_uploads_than_were_promised_are_refused_before_the_table_is_full() -> None:
    ids = np.arange(2 * 5000, dtype=np.uint64).reshape(-1, 2)
    one = SeenUploads(10)
    with pytest.raises(InvalidField, match="must not be more than the files said"):
        one.first(ids[:4000])


def test_too_many_uploads_are_refused_and_not_miscounted() -> None:
    assert [len(Passes(each)) for each in (0, 1, AT_ONCE, AT_ONCE + 1)] == [1, 1, 1, 2]
    with pytest.raises(
        InvalidField, match="uploads must be at most 268,435,456 for one tally, so that none counts twice"
    ):
        Passes(AT_ONCE * MOST_PASSES + 1)
