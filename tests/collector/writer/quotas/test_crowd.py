"""Honest addresses among greedy ones: the table of docs/collector.md, and that without shares they get nothing."""

import re
from pathlib import Path

import pytest

from tests.collector.writer.quotas.crowd import Crowd, day, rate

PAGE = Path(__file__).parents[4] / "docs" / "collector.md"
ROWS = {
    int(row[0]): row[1:]
    for row in re.findall(
        r"^\| (\d+) \| ([\d.]+%) \| ([\d.]+%) \| ([\d.]+%) \|$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}


def said(crowd: Crowd) -> str:
    return f"{crowd.share:.1%}"


def test_the_page_has_the_table() -> None:
    assert set(ROWS) == {0, 1, 10, 100}


@pytest.mark.parametrize("attackers", [0, 1, 10, 100])
def test_the_page_says_how_a_rate_and_a_day_are_shared(attackers: int) -> None:
    office = day(attackers, fair=True, first=1 / 3, last=2 / 3)
    found = (said(rate(attackers, fair=True)), said(day(attackers, fair=True)), said(office))
    assert found == ROWS[attackers]


@pytest.mark.parametrize("attackers", [0, 1])
def test_without_shares_one_greedy_address_takes_all(attackers: int) -> None:
    found = said(rate(attackers, fair=False)), said(day(attackers, fair=False))
    assert found == (("0.0%",) * 2 if attackers else ("100.0%",) * 2)
