"""Those on top are there partly by luck: intervals of picked strings hold, and would not without a correction."""

import numpy as np
import pytest
from numpy.typing import NDArray

from hgldp.stores.strings.luck import LawOfStrings

Reals = NDArray[np.float64]
RUNS, EMPTY, SHOWN, SEALED = 150, 120, 20, 39


def picked(seed: int) -> tuple[Reals, Reals, Reals]:
    """Zipf's law and empty leaves, measured; whoever exceeds 1.5 deviations is hot: truth, measured, deviations."""
    generator = np.random.default_rng(seed)
    truth = np.concatenate([0.1 / np.arange(1, 200), np.zeros(EMPTY)])
    deviations = generator.choice([0.001, 0.002, 0.004], truth.size)
    shares = truth + generator.normal(0.0, deviations)
    hot = np.flatnonzero(shares > 1.5 * deviations)
    return truth[hot], shares[hot], deviations[hot]


def coverage(*, corrected: bool) -> tuple[float, float]:
    """Of the best 20 of many runs: how many 95 % intervals hold, and the mean error in deviations."""
    held, errors = [], []
    for seed in range(RUNS):
        truth, shares, deviations = picked(seed)
        means, lows, highs = shares, shares - 1.96 * deviations, shares + 1.96 * deviations
        if corrected:
            found = LawOfStrings.fit(shares, deviations, SEALED).judge(shares, deviations)
            means, lows, highs = (np.array([getattr(each, name) for each in found]) for name in ("mean", "low", "high"))
        weak = np.argsort(-means)[SHOWN : 2 * SHOWN]
        held += ((lows <= truth) & (truth <= highs))[weak].tolist()
        errors += ((means - truth) / deviations)[weak].tolist()
    return float(np.mean(held)), float(np.mean(errors))


def test_the_weaker_half_of_what_was_picked_is_covered() -> None:
    """3,000 intervals, 97.6 % of which hold: fewer than 96 or more than 99 % is an accident of one in a million.

    Empty leaves are here as often as the law expects them.
    """
    share, error = coverage(corrected=True)
    assert 0.96 <= share <= 0.99
    assert abs(error) < 0.35


def test_without_the_correction_luck_would_be_noticed() -> None:
    share, error = coverage(corrected=False)
    assert share < 0.93
    assert error > 0.35


def test_firm_ground_is_not_moved_and_weak_ground_is() -> None:
    law = LawOfStrings.fit(np.array([0.1, 0.05, 0.03, 0.004]), np.full(4, 0.002), SEALED)
    firm, _, _, weak = law.judge(np.array([0.1, 0.05, 0.03, 0.004]), np.full(4, 0.002))
    assert firm.mean == pytest.approx(0.1, abs=0.0002)
    assert (weak.mean < 0.002, weak.low) == (True, 0.0)
    assert firm.low < 0.1 < firm.high


def test_where_few_strings_have_everything_noise_may_have_come_never() -> None:
    """150 times 120 leaves that nobody sent: with chance 2e-4 each, one has an interval above 0, about 4 in all.

    More than 30 are an accident of less than one in a million. Once the intervals of nearly all 1,200 hot ones were.
    """
    truth, above = np.array([0.27, 0.22, 0.18, 0.14, 0.09, 0.09, *[0.0] * EMPTY]), 0
    for seed in range(RUNS):
        shares = truth + np.random.default_rng(seed).normal(0.0, 0.003, truth.size)
        hot = np.flatnonzero(shares > 1.5 * 0.003)
        deviations = np.full(hot.size, 0.003)
        found = LawOfStrings.fit(shares[hot], deviations, SEALED).judge(shares[hot], deviations)
        above += sum(each.low > 0 for each, place in zip(found, hot, strict=True) if not truth[place])
        assert all(each.low > 0 for each, place in zip(found, hot, strict=True) if truth[place])
    assert above <= 30


def test_the_law_of_the_largest_is_found_and_few_strings_say_little() -> None:
    shares = 0.1 / np.arange(1, 41)
    steep = LawOfStrings.fit(0.1 * np.arange(1, 41) ** -0.5, np.full(40, 1e-4), SEALED)
    zipf = LawOfStrings.fit(shares, np.full(40, 1e-4), SEALED)
    assert (zipf.tail, steep.tail) == pytest.approx((1.0, 2.0), abs=0.15)
    assert zipf.above(0.01) == pytest.approx(10, rel=0.3)
    assert zipf.above(1e-9) <= 1e9
    nobody = LawOfStrings.fit(np.array([0.001]), np.array([0.001]), SEALED)
    assert (nobody.tail, nobody.count, nobody.at) == (1.0, 1.0, 0.005)


def test_all_alike_or_all_noise_gives_numbers_too() -> None:
    for shares in (np.full(40, 0.001), np.full(40, -0.5), np.full(1, 1.5)):
        for deviation in (1e-9, 1e-3, 10.0):
            law = LawOfStrings.fit(shares, np.full(shares.size, deviation), 0)
            found = law.judge(shares, np.full(shares.size, deviation))
            assert np.isfinite(np.array(found)).all()
            assert law.above(1e-300) > 0
