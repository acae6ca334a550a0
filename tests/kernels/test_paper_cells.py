"""The weakest cell is the first of the least, in its bucket and of all."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.kernels.paper_cells import buckets_of, settle, weakest_of_all
from tests.naive.paper import PaperTwin


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 4), st.integers(1, 6), st.data())
def test_the_weakest_is_the_first_of_the_least_and_the_others_are_no_less(
    buckets: int, width: int, data: st.DataObject
) -> None:
    size = buckets * width
    raw = np.array(data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)), np.float64)
    weakest, others = np.zeros(buckets, np.int64), np.zeros(buckets)
    for bucket in range(buckets):
        settle(raw, weakest, others, bucket)
        mine = raw[bucket * width : (bucket + 1) * width]
        assert weakest[bucket] == bucket * width + int(np.argmin(mine))
        assert others[bucket] == min([*np.delete(mine, np.argmin(mine)), np.inf])
    assert weakest_of_all(raw, weakest) == int(np.argmin(raw))


def test_the_bucket_of_an_item_is_the_same_in_python_and_every_bucket_gets_its_share() -> None:
    twin = PaperTwin("bgr", "paper", 3000, 1.0, 3, buckets=3)
    homes = buckets_of(np.arange(3000), 3)
    assert homes.tolist() == [twin.bucket(item) for item in range(3000)]
    assert np.bincount(homes).min() > 900
