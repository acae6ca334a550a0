"""`make scale`: what is measured counts every upload, and what is needed follows from it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from benchmarks.scale import sealing
from benchmarks.scale.__main__ import needed
from benchmarks.scale.ids import Ids, measured_ids, page_images
from benchmarks.scale.measuring import Cost, Share
from benchmarks.scale.sealing import Pace, pace
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.log.postgres.inbox import Arrivals, Inbox
from hgldp.collector.log.postgres.migrations import migrate

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
    ids=Ids(index=0, logged=0),
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
        "ids of 2 days, TB": "17.280",
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


def test_ids_among_many_fill_the_log() -> None:
    """Half an hour of 75,000 a second, of 20 bytes in an index of two days' ids: each page is logged a few times."""
    found = with_other(ids=Ids(index=20, logged=0))
    assert found["databases"] == "120"
    logged = 1_000 + page_images(2 * 86_400 * 25_000 / 3, 1_800 * 25_000, 20)
    assert logged > 1_500
    assert found["write-ahead log, MB a second"] == f"{3 * logged:,.1f}"
    assert with_other(wal=7_000.0)["databases"] == "120"
    assert int(with_other(wal=7_000.0, ids=Ids(index=40, logged=0))["databases"]) > 120


def test_what_followers_do_at_any_load_is_not_less_in_a_quiet_hour() -> None:
    """At the peak 390 cores work, 48 of them on what 480 followers do at any load; the others a third in the mean."""
    assert with_other(following=Share(live=30, alone=10))["core-hours in a day"] == f"{24 * (48 + 342 / 3):,.1f}"


def test_the_log_of_ids_among_many_is_as_reckoned(postgres_url: str) -> None:
    """A page need not be full, so that it takes less room in the log; other rows and the table take some more."""
    migrate(Database(postgres_url))
    found = measured_ids(postgres_url, there=20_000, new=1_024)
    reckoned = page_images(20_000, 1_024, found.index)
    assert reckoned > 1_000
    assert 0.6 * reckoned < found.logged < 1.3 * reckoned + 300


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
