"""Random items that are asked for: right on average, with intervals that hold."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks import ask as benchmark
from benchmarks.ask import AskedRun, AskedRuns, ask_many
from hgldp.experiments.measuring.streams import Library
from hgldp.model.estimate import Estimate
from hgldp.stores.frontier import Frontier

STREAM, EPSILON, RUNS = "zipf:n=60000,d=4000,s=1.05", 2.0, 16
# To be tightened to 93 … 97 %. Of 16,000 independent items, chance alone takes at most 0.9 % either way.
LEAST, MOST = 0.92, 0.98
# Student's t with 15 degrees of freedom: beyond this with a chance of one in a million, on both sides together.
REACH = 7.91


counted_once = cache(benchmark.counted)


@pytest.fixture(autouse=True)
def _count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is planted here spoils answers alone, so the same streams need not be counted again."""
    monkeypatch.setattr(benchmark, "counted", counted_once)


def measured() -> AskedRuns:
    return ask_many(STREAM, EPSILON, RUNS, Library())


def test_random_items_are_right_on_average_and_their_intervals_hold() -> None:
    """16 streams, 1,000 random items each.

    Each run has one mean error, and the runs are independent. If they are right on average, one seed in a million
    leaves the band of the mean. That of the coverage is wider than a million seeds reach.
    """
    found = measured()
    mean, error = found.mean_error
    assert abs(mean) < REACH * error
    assert LEAST <= found.coverage <= MOST


def _too_high(line: Estimate) -> Estimate:
    return replace(line, count=line.count + 0.1 * line.standard_error)


def _too_narrow(line: Estimate) -> Estimate:
    return replace(line, standard_error=0.8 * line.standard_error)


def _too_wide(line: Estimate) -> Estimate:
    return replace(line, standard_error=1.3 * line.standard_error)


@pytest.mark.parametrize("spoiled", [_too_high, _too_narrow, _too_wide])
def test_a_bias_of_a_tenth_and_wrong_intervals_would_be_noticed(
    spoiled: Callable[[Estimate], Estimate], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted bugs."""
    real = Frontier.ask
    monkeypatch.setattr(Frontier, "ask", lambda store, items: tuple(spoiled(line) for line in real(store, items)))
    with pytest.raises(AssertionError):
        test_random_items_are_right_on_average_and_their_intervals_hold()


def test_a_row_is_told_as_it_is() -> None:
    runs = AskedRuns((AskedRun((1.0, 3.0), (True, False)), AskedRun((-4.0, -2.0), (True, True))))
    assert runs.mean_error == (-0.5, pytest.approx(2.5))
    assert runs.row == ("-0.50 ± 2.50", "4", "75.0%", "50.0%")


def test_no_item_is_asked_twice_and_none_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    real = Frontier.ask
    monkeypatch.setattr(benchmark.Frontier, "ask", lambda store, items: seen.append(items) or real(store, items))
    ask_many("zipf:n=2000,d=50,s=1", 2.0, 1, Library(), items=40)
    assert len(set(seen[0].tolist())) == 40
    assert np.isin(seen[0], np.arange(50)).all()
