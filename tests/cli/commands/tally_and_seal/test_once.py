"""Late reports that are like those counted before by chance are counted; the same ones once more are refused."""

import numpy as np
import pytest

from hgldp.cli.commands.seal.given import are_others

SYMBOLS = 1_464  # of a bulletin at ε = 2; 100 reports are far fewer than its symbols


@pytest.mark.parametrize("heavy", [0.0, 20.0], ids=["flat", "with heavy symbols"])
def test_others_are_mistaken_for_the_same_once_in_a_thousand_times(heavy: float) -> None:
    """Of 1,000 pairs at most 12: more have a chance below 1e-6 even if it is once in 500 times.

    Before: 2 % of the flat ones and 6 % of the others, because counts far below 1 vary more than chi-squared says.
    """
    draw = np.random.default_rng(1)
    shares = 1 + heavy * (np.arange(SYMBOLS) < 16)
    pairs = []
    while len(pairs) < 1_000:
        before, later = (draw.multinomial(count, shares / shares.sum()) for count in (100, 10_000))
        if (later >= before).all():
            pairs.append((before, later))
    assert sum(not are_others(*each) for each in pairs) <= 12


@pytest.mark.parametrize(("counted", "more"), [(100, 0), (100, 300), (500, 5), (500, 1_500), (5_000, 15_000)])
def test_the_same_with_three_times_as_many_others_are_noticed(counted: int, more: int) -> None:
    """All of 200: 250,000 such pairs were noticed when this was written."""
    draw, shares = np.random.default_rng(2), np.full(SYMBOLS, 1 / SYMBOLS)
    for _ in range(200):
        before, others = (draw.multinomial(count, shares) for count in (counted, more))
        assert not are_others(before, before + others)
