"""Luck: the picked top is covered as a group; raw intervals are not."""

import numpy as np
import pytest

from tests.stores.frontier.reading.test_luck import Domain

PICKED = 20


def covered(exponent: float, deviation: float, *, raw: bool = False) -> float:
    """How often the intervals hold the twenty that look best, over a hundred domains of a thousand items."""
    held = []
    for seed in range(100):
        domain = Domain(1_000, exponent, deviation, seed)
        truth, judged = domain.shares[domain.named], domain.judged()
        low, high, by = judged.low, judged.high, judged.mean
        if raw:
            by = domain.seen[domain.named]
            low, high = by - 1.96 * deviation, by + 1.96 * deviation
        picked = np.argsort(-by)[:PICKED]
        held += ((low <= truth) & (truth <= high))[picked].tolist()
    return float(np.mean(held))


@pytest.mark.parametrize("exponent", [0.8, 1.05, 1.2])
@pytest.mark.parametrize("deviation", [0.004, 0.012])
def test_the_picked_top_is_covered_as_a_group_and_raw_intervals_are_not(exponent: float, deviation: float) -> None:
    """2,000 intervals. Planted: what was measured, as if nobody had picked the best of it."""
    assert 0.92 <= covered(exponent, deviation) <= 0.98
    assert covered(exponent, deviation, raw=True) < 0.92
