import pytest

from hgldp.mechanisms.hadamard import HadamardResponse, column_of_sign


@pytest.mark.parametrize("width", [2, 4, 8, 16])
def test_the_numbered_columns_of_a_sign_are_all_columns_of_that_sign(width: int) -> None:
    for row in range(1, width):
        for negative in (False, True):
            named = {column_of_sign(row, number, negative=negative) for number in range(width // 2)}
            assert named == {column for column in range(width) if (row & column).bit_count() % 2 == negative}


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0, 8.0])
def test_the_default_number_of_blocks_is_the_best_power_of_two(epsilon: float) -> None:
    chosen = HadamardResponse(100, epsilon)
    others = [HadamardResponse(100, epsilon, blocks=1 << bits).variance for bits in range(7)]
    assert chosen.variance == min(others)
