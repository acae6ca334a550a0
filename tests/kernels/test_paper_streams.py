"""Ranks without a table are those of the bulletin."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.kernels.paper_streams import stand_in, stood_for
from hgldp.model.bulletins import Bulletin


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(2, 40))
def test_a_rank_in_the_way_and_its_stand_in_are_those_of_the_bulletin(data: st.DataObject, domain_size: int) -> None:
    cells = data.draw(st.integers(1, domain_size - 1))
    hot = data.draw(st.permutations(range(domain_size)))[:cells]
    bulletin = Bulletin(bytes(32), 0, domain_size, tuple(hot))
    slot_of = np.full(domain_size, cells, np.int16)
    slot_of[hot] = np.arange(cells)
    items = np.array(hot, np.int32)
    for rank in range(bulletin.cold_size):
        if slot_of[rank] < cells:
            assert stand_in(slot_of, items, rank) == bulletin.cold_item(rank)
    for item in range(bulletin.cold_size, domain_size):
        if slot_of[item] == cells:
            assert stood_for(slot_of, items, item) == bulletin.cold_rank(item)
