import pytest

from hgldp.mechanisms.subset import SubsetSelection


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("size", [2, 7, 60, 500])
def test_the_default_subset_is_the_best_of_all(size: int, epsilon: float) -> None:
    best = min(SubsetSelection(size, epsilon, chosen).variance for chosen in range(1, size))
    assert SubsetSelection(size, epsilon).variance == best
