"""Items are counted exactly; what a run begins with; and what was donated is scored too."""

import numpy as np
import pytest

from hgldp.experiments.measuring.streams import Drawn, start
from hgldp.simulation import truth
from hgldp.simulation.truth import whole_counts

ITEMS = np.repeat(np.arange(4, dtype=np.int32), (8100, 900, 900, 100))
DRAWN = Drawn(np.random.default_rng(1).permutation(ITEMS), 10)


def test_a_percentage_is_the_streams_own_start_and_cold_is_nothing() -> None:
    own, cold = start(DRAWN, "1%", 1), start(DRAWN, "0", 1)
    assert (own.raw, cold.raw) == (100, 0)
    assert own.items is DRAWN.items
    assert own.sample.sum() == 100
    assert own.truth is DRAWN.truth


@pytest.mark.parametrize("kind", ["uniform", "skewed", "true"])
def test_a_donation_comes_before_the_stream_and_is_counted(kind: str) -> None:
    started = start(DRAWN, f"{kind} 50", 1)
    assert started.raw == 50
    assert np.array_equal(started.items[50:], DRAWN.items)
    assert np.array_equal(started.truth, np.bincount(started.items, minlength=10))
    assert np.array_equal(started.items, start(DRAWN, f"{kind} 50", 1).items)
    assert not np.array_equal(started.items[:50], start(DRAWN, f"{kind} 50", 2).items[:50])


@pytest.mark.parametrize(
    ("kind", "chances"),
    [
        ("uniform", [0.1] * 10),
        ("true", [0.81, 0.09, 0.09, 0.01, 0, 0, 0, 0, 0, 0]),
        ("skewed", [0.9 / 1.6, 0.3 / 1.6, 0.3 / 1.6, 0.1 / 1.6, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_donations_have_the_distribution_that_their_name_says(kind: str, chances: list[float]) -> None:
    """Fixed seed; each of ten counts within 5.5 standard deviations: false alarm below 10 · 4e-8 < 1e-6."""
    number = 20_000
    counts = start(DRAWN, f"{kind} {number}", 7).sample
    expected = number * np.array(chances)
    spread = np.sqrt(expected * (1 - np.array(chances)))
    assert (np.abs(counts - expected) <= 5.5 * spread).all()


def test_items_are_counted_exactly_whatever_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    items = np.array([3, 1, 3, 0, 3, 1, 4], dtype=np.int32)
    monkeypatch.setattr(truth, "BLOCK", 2)
    assert whole_counts(items, 6).tolist() == [1, 2, 0, 3, 1, 0]
