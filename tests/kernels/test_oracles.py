import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.kernels.oracles import walsh_hadamard
from tests.naive import oracles


@settings(deadline=None, max_examples=30)
@given(width=st.sampled_from([1, 2, 4, 8, 16]), blocks=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_the_fast_transform_is_the_product_with_the_hadamard_matrix(width: int, blocks: int, seed: int) -> None:
    columns = np.random.default_rng(seed).integers(-1000, 1000, width * blocks)
    expected = oracles.hadamard_rows(columns.tolist(), width)
    walsh_hadamard(columns, width)
    assert columns.tolist() == expected


@pytest.mark.parametrize("width", [2, 64])
def test_the_transform_done_twice_multiplies_by_the_width(width: int) -> None:
    columns = np.arange(3 * width)
    walsh_hadamard(columns, width)
    walsh_hadamard(columns, width)
    assert columns.tolist() == [width * column for column in range(3 * width)]
