"""`make scale`: what is measured counts every upload, and what is needed follows from it."""

from collections.abc import Sequence
from itertools import count

import pytest
from benchmarks.scale import sealing
from benchmarks.scale.__main__ import needed
from benchmarks.scale.measuring import Cost
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
    pace=Pace(sealing=20, following=10),
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
        "kept for a week, TB": "120.96",
        "sealers, half busy": "120.00",
        "so databases, at least": "120",
        "and collectors on each, at least": "8",
    }
    assert needed(COST, 864 * 10**6)["and collectors on each, at least"] == "2"


def test_the_log_or_the_processor_of_a_database_may_end_first() -> None:
    assert needed(COST, 864 * 10**6)["so databases, at least"] == "1"
    for wrong, more in ({"wal": 10_000.0}, "150"), ({"database": 1_600.0}, "300"):
        assert needed(Cost(**{**vars(COST), **wrong}), 864 * 10**9)["so databases, at least"] == more


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "ROUNDS", 2)
    monkeypatch.setattr(sealing, "COMMITS", 3)


@pytest.mark.usefixtures("short")
def test_a_sealer_and_a_follower_count_all_of_it(postgres_url: str) -> None:
    found = pace(4, postgres_url)
    assert found.sealing > 0
    assert found.following > 0


@pytest.mark.usefixtures("short")
def test_uploads_that_nobody_counts_are_noticed(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put, calls = Inbox.put, count(1)

    def forgetful(self: Inbox, arrivals: Sequence[Arrivals]) -> None:
        put(self, arrivals if next(calls) != 4 else [])

    monkeypatch.setattr(Inbox, "put", forgetful)
    with pytest.raises(SystemExit, match="Not all 2,304 reports were counted"):
        pace(4, postgres_url)
