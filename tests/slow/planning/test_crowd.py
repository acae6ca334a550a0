"""Many reports drawn at once have the law of the channel; a wrong way to draw them is refused."""

from collections.abc import Callable

import numpy as np
import pytest

from hgldp.checks.chi_square import tail
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.planning.crowd import Population, add_crowd

HOLDERS = np.array([40_000, 0, 9_000, 700, 25_000, 300, 60_000, 5_000])
LEAST = 1e-6


def expected(mechanism: CyclicResponse) -> np.ndarray:
    """How often each residue comes on average, from the exact table of the channel."""
    rows = mechanism.channel()
    return np.array(
        [
            sum(float(row.get(residue, 0)) * count for row, count in zip(rows, HOLDERS, strict=True))
            for residue in range(mechanism.modulus)
        ]
    )


def chance(mechanism: CyclicResponse, histogram: np.ndarray) -> float:
    """Of a χ² at least this large."""
    means = expected(mechanism)
    return tail(float(((histogram - means) ** 2 / means).sum()), mechanism.modulus - 1)


def drawn(mechanism: CyclicResponse, one_by_one: int, seed: int = 1) -> np.ndarray:
    histogram = np.zeros(mechanism.modulus, np.int64)
    add_crowd(histogram, mechanism, HOLDERS, np.random.default_rng(seed), one_by_one)
    return histogram


@pytest.mark.parametrize("one_by_one", [0, 1 << 20], ids=["counts", "clients"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 5.0])
def test_an_epoch_drawn_at_once_has_the_law_of_the_channel(epsilon: float, one_by_one: int) -> None:
    """False alarm: at most 10^−6 for each of the six (a fixed seed; residues vary a little less than Poisson's)."""
    mechanism = CyclicResponse(HOLDERS.size, epsilon)
    histogram = drawn(mechanism, one_by_one)
    assert histogram.sum() == HOLDERS.sum()
    assert chance(mechanism, histogram) > LEAST


def test_counts_vary_as_those_of_clients_do() -> None:
    """Over 300 epochs, both ways: the mean ratio of 15 variances is 1 ± 5 · √(2 · 2 / (300 · 15)), so .15."""
    mechanism = CyclicResponse(HOLDERS.size, 1.0)
    both = [np.var([drawn(mechanism, each, seed) for seed in range(300)], axis=0) for each in (0, 1 << 20)]
    assert abs(np.mean(both[0] / both[1]) - 1) < 0.15


def turned_the_wrong_way(mechanism: CyclicResponse) -> np.ndarray:
    return drawn(mechanism, 0)[::-1]


def without_what_all_send_alike(mechanism: CyclicResponse) -> np.ndarray:
    histogram = np.zeros(mechanism.modulus, np.int64)
    members = np.array(mechanism.members)
    turned = np.random.default_rng(1).multinomial(HOLDERS, np.full(members.size, 1 / members.size))
    np.add.at(histogram, (np.arange(HOLDERS.size)[:, None] - members) % mechanism.modulus, turned)
    return histogram


@pytest.mark.parametrize("planted", [turned_the_wrong_way, without_what_all_send_alike])
def test_a_wrong_way_to_draw_is_refused(planted: Callable[[CyclicResponse], np.ndarray]) -> None:
    mechanism = CyclicResponse(HOLDERS.size, 2.0)
    assert chance(mechanism, planted(mechanism)) < LEAST


@pytest.mark.parametrize("events", [10, 100_000])
def test_a_population_draws_as_many_events_as_asked_and_nobody_without_a_share(events: int) -> None:
    shares = np.array([0.5, 0.0, 0.3, 0.2, *[0.0] * 60])
    ranks, counts = Population(shares, np.random.default_rng(1)).draw(events)
    assert counts.sum() == events
    assert set(ranks.tolist()) <= {0, 2, 3}


def test_few_events_are_drawn_one_by_one_with_the_same_shares() -> None:
    """30,000 draws of 10 events: each share within 6 standard deviations, false alarm below 10^−7."""
    shares = np.array([0.6, 0.3, 0.1, *[0.0] * 61])
    population, total = Population(shares, np.random.default_rng(3)), np.zeros(64)
    for _ in range(30_000):
        ranks, counts = population.draw(10)
        total[ranks] += counts
    found, deviation = total / 300_000, np.sqrt(shares * (1 - shares) / 300_000)
    assert (np.abs(found - shares) <= 6 * deviation + 1e-12).all()
