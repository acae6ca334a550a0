from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.mechanisms.pairwise import PairwiseHash, prime_from


def test_the_prime_is_the_smallest_that_is_not_below() -> None:
    assert [prime_from(least) for least in (1, 2, 4, 8, 90, 41_270, 2**31 - 1)] == [2, 2, 5, 11, 97, 41281, 2**31 - 1]


@settings(deadline=None, max_examples=40)
@given(values=st.integers(2, 9), cells=st.integers(1, 11))
def test_any_two_values_collide_exactly_as_often_as_claimed(values: int, cells: int) -> None:
    family = PairwiseHash(values, cells)
    keys = list(family.every_key())
    for first in range(values):
        for second in range(first):
            together = sum(family.cell(key, first) == family.cell(key, second) for key in keys)
            assert Fraction(together, len(keys)) == family.collision


@settings(deadline=None, max_examples=40)
@given(values=st.integers(2, 50), cells=st.integers(1, 60))
def test_cells_are_the_intervals_between_rounded_up_multiples(values: int, cells: int) -> None:
    family = PairwiseHash(values, cells)
    ends = [-(-cell * family.prime // cells) for cell in range(cells + 1)]
    for residue in range(family.prime):
        cell = family.cell((1, 0), residue)
        assert ends[cell] <= residue < ends[cell + 1]
    sizes = sorted(end - start for start, end in pairwise(ends))
    assert sizes == [size for size, how_many in family.sizes for _ in range(how_many)]


def test_no_cells_at_all_are_refused() -> None:
    with pytest.raises(InvalidField, match="cells"):
        PairwiseHash(5, 0)
