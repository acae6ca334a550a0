"""`make scale`: what is measured counts every upload, and what is needed follows from it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from benchmarks.scale import sealing
from benchmarks.scale.__main__ import needed
from benchmarks.scale.measuring import Cost, Share
from benchmarks.scale.sealing import Pace, pace

from hgldp.collector.log.postgres.inbox import Arrivals, Inbox

COST = Cost(
    reports=10,
    rate=5_000,
    p99=1,
    collector=100,
    database=50,
    wal=1_000,
    kept=200,
    known=100,
    following=Share(live=10, alone=10),
    reading=Share(live=0, alone=0),
    pace=Pace(sealing=20, following=10, reading=0),
)


def test_a_day_needs_what_its_uploads_cost() -> None:
    """A million uploads of ten reports a second, three at the peak; each upload is 256 bytes, with headers 1,078.

    Of eight collectors on a database six follow besides the two that were measured: 100 + 6 · 10 µs for an upload, and
    25,000 uploads take four seconds of each second, which are eight collectors that are half busy.
    """
    found = needed(COST, 864 * 10**9)
    assert found == {
        "uploads a second": "3,000,000",
        "cores of collectors": "960.0",
        "cores of databases": "300.0",
        "core-hours in a day": "5,040.0",
        "network, Mbit a second": "25,872",
        "write-ahead log, MB a second": "3,000.0",
        "reports kept for a week, TB": "120.96",
        "databases": "120",
        "share of what one half-busy sealer can do": "1.00",
        "collectors on each": "8",
    }


def with_other(**fields: Any) -> dict[str, str]:
    return needed(replace(COST, **fields), 864 * 10**9)


def test_whatever_ends_first_decides_how_many_databases_there_are() -> None:
    small = needed(COST, 864 * 10**6)
    assert (small["databases"], small["collectors on each"]) == ("1", "2")
    assert with_other(wal=10_000.0)["databases"] == "150"
    assert with_other(database=1_600.0)["databases"] == "300"


def test_a_collector_that_does_nothing_but_follow_is_no_help() -> None:
    """Before: from some load on, two collectors were said to be enough. Here 25 of 50 busy parts may be following."""
    assert with_other(following=Share(live=40, alone=40))["databases"] == "480"
    assert with_other(following=Share(live=30, alone=10))["databases"] == "200"  # a tenth of a core, whatever the load


def test_what_the_database_does_for_a_follower_counts() -> None:
    """Each reads all: of 25,000 uploads eight read for 10 µs, where two were measured."""
    found = with_other(reading=Share(live=10, alone=10))
    assert found["cores of databases"] == f"{120 * (0.025 * 30 + 8 * 0.25) / 0.5:,.1f}"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "ROUNDS", 2)
    monkeypatch.setattr(sealing, "COMMITS", 3)


@pytest.mark.usefixtures("short")
def test_a_sealer_and_a_follower_count_all_of_it(postgres_url: str) -> None:
    found = pace(4, postgres_url)
    assert found.sealing > 0
    assert found.following > 0
    assert found.reading > 0


@pytest.mark.usefixtures("short")
def test_uploads_that_nobody_counts_are_noticed(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put, calls = Inbox.put, count(1)

    def forgetful(self: Inbox, arrivals: Sequence[Arrivals]) -> None:
        put(self, arrivals if next(calls) != 4 else [])

    monkeypatch.setattr(Inbox, "put", forgetful)
    with pytest.raises(SystemExit, match="Not all 2,304 reports were counted"):
        pace(4, postgres_url)
