"""Luck: the law of a domain's shares is recovered, and a share that is due to luck is drawn back."""

import numpy as np
import pytest

from hgldp.stores.frontier.reading import candidates, luck
from hgldp.stores.frontier.reading.candidates import Crowd
from hgldp.stores.frontier.reading.luck import Judged, LawOfShares

CANDIDATES, REPORTS = 128, 100_000


class Domain:
    """Shares that fall as a power of the rank, each measured with the same noise; the best are looked at alone."""

    def __init__(self, size: int, exponent: float, deviation: float, seed: int) -> None:
        shares = np.arange(1.0, size + 1) ** -exponent
        self.shares = shares / shares.sum()
        self.size, self.deviation = size, deviation
        self.seen = self.shares + np.random.default_rng(seed).normal(0, deviation, size)
        self.order = np.argsort(-self.seen)
        self.named = self.order[:CANDIDATES]
        middles = (candidates.LOWEST + candidates.STEP * (np.arange(candidates.STEPS) + 0.5)) * deviation
        others = candidates._histogram(self.seen[self.order[CANDIDATES:]] / deviation)
        self.crowd = Crowd(middles, others.astype(np.float64), deviation)

    @property
    def terms(self) -> tuple[np.ndarray, np.ndarray, Crowd, int, int]:
        return self.seen[self.named], np.full(CANDIDATES, self.deviation), self.crowd, self.size, REPORTS

    def judged(self) -> Judged:
        shares, deviations, *rest = self.terms
        return Judged(shares, deviations, deviations, *rest)


@pytest.mark.parametrize("exponent", [0.8, 1.0, 1.2])
def test_the_law_recovers_a_tail(exponent: float) -> None:
    """A density of shares that falls as share^(−1 − 1/exponent), between the tenth and the hundredth item."""
    slopes = []
    for seed in range(5):
        domain = Domain(10_000, exponent, 0.0002, seed)
        law = LawOfShares.fit(*domain.terms).as_law(1.0)
        at = np.log(domain.shares[[99, 9]])
        low, high = np.interp(at, law.log_shares, law.log_density)
        slopes.append((high - low) / (at[1] - at[0]))
    assert np.mean(slopes) == pytest.approx(-1 - 1 / exponent, abs=0.4)


def test_in_a_flat_domain_all_are_alike_and_nobody_is_drawn_out() -> None:
    domain = Domain(1_000, 0.0, 0.002, 1)
    law, judged = LawOfShares.fit(*domain.terms), domain.judged()
    assert law.alike > 0
    assert domain.seen.max() > 0.006
    assert judged.mean.max() < 0.004
    assert (judged.low <= 0.001).all()
    assert (judged.high >= 0.001).all()
    assert LawOfShares.fit(*Domain(1_000, 1.1, 0.002, 1).terms).alike == 0


def test_a_share_on_firm_ground_stays_and_one_by_luck_is_drawn_back() -> None:
    domain = Domain(1_000, 1.1, 0.001, 2)
    judged = domain.judged()
    first, last = 0, CANDIDATES - 1
    assert abs(judged.mean[first] - domain.seen[domain.named[first]]) < 0.1 * 0.001
    assert judged.mean[last] < 0.7 * domain.seen[domain.named[last]]
    assert (judged.low >= 0).all()
    assert (judged.low < judged.mean).all()
    assert (judged.mean < judged.high).all()


def test_as_many_are_above_a_bound_as_there_are() -> None:
    """Within a third, or two items; over ten domains."""
    for bound in (0.002, 0.01, 0.05):
        found, truth = 0.0, 0
        for seed in range(10):
            domain, bounds = Domain(1_000, 1.1, 0.001, seed), np.array([bound])
            judged = domain.judged()
            found += float((judged.named_above(bounds, np.zeros(CANDIDATES)) + judged.others_above(bounds))[0]) / 10
            truth = int(np.count_nonzero(domain.shares > bound))
        assert abs(found - truth) < max(2, truth / 3)


def test_without_a_crowd_the_candidates_are_the_law() -> None:
    shares, nobody = np.array([0.5, 0.3, 0.2]), Crowd(np.zeros(1), np.zeros(1), 1.0)
    judged = luck.Judged(shares, np.full(3, 0.01), np.full(3, 0.01), nobody, 3, 1_000)
    assert judged.mean == pytest.approx(shares, abs=0.01)
