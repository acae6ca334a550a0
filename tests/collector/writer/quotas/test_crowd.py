"""Honest addresses among greedy ones: the figures of docs/collector.md, and that they were nothing before."""

import pytest

from tests.collector.writer.quotas.crowd import day, rate


@pytest.mark.parametrize(("attackers", "least"), [(0, 1.0), (1, 1.0), (10, 1.0), (100, 0.9)])
def test_a_rate_is_shared(attackers: int, least: float) -> None:
    assert rate(attackers, fair=True).share >= least


@pytest.mark.parametrize(("attackers", "least"), [(0, 1.0), (1, 1.0), (100, 0.8)])
def test_a_day_is_shared(attackers: int, least: float) -> None:
    assert day(attackers, fair=True).share >= least


def test_office_hours_are_shared_with_one_who_begins_at_midnight() -> None:
    assert day(1, fair=True, first=1 / 3, last=2 / 3).share >= 0.95


def test_one_greedy_address_was_enough_before() -> None:
    assert rate(1, fair=False).share == 0
    assert day(1, fair=False).share == 0
