import pytest

from hgldp.mechanisms.olh import OLH


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("size", [2, 7, 60, 500])
def test_the_default_number_of_buckets_is_within_a_percent_of_the_best_of_all(size: int, epsilon: float) -> None:
    best = min(OLH(size, epsilon, buckets).variance for buckets in range(2, min(size, 120) + 1))
    assert OLH(size, epsilon).variance <= 1.01 * best


def test_a_report_over_many_values_is_five_to_seven_bytes() -> None:
    assert [OLH(size, 1.0).report_bytes for size in (200, 41_270, 5_267_656)] == [3, 5, 7]
