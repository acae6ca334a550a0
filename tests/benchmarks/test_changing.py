"""Streams that change do change, and one that is told not to does not."""

import numpy as np
from benchmarks.changing import LENGTH, SIZE, SLOW, SUDDEN, draw, slow_drift

from hgldp.experiments.measuring.streams import Library


def turnover(items: np.ndarray) -> float:
    """How much of the first tenth's mass has moved elsewhere in the last one."""
    tenth = items.size // 10
    first, last = (np.bincount(part, minlength=SIZE) / tenth for part in (items[:tenth], items[-tenth:]))
    return float(np.abs(first - last).sum() / 2)


def test_a_stream_that_changes_has_another_end_than_beginning() -> None:
    """Two tenths of one steady stream differ by .08 or so, by luck alone."""
    for stream in (SLOW, SUDDEN):
        drawn = draw(stream, 1, Library())
        assert (drawn.items.size, drawn.domain_size) == (LENGTH, SIZE)
        assert turnover(drawn.items) > 0.2
    assert turnover(slow_drift(np.random.default_rng(1), wander=0.0)) < 0.15
