import pytest

from benchmarks.field import bars


def test_every_bar_is_measured_on_what_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small stream: the numbers mean little, but all of them come from running the code."""
    monkeypatch.setattr(bars, "REPORTS", 20_000)
    monkeypatch.setattr(bars, "DOMAIN", 500)
    monkeypatch.setattr(bars, "STREAM", "zipf:n=20000,d=500,s=1.1")
    monkeypatch.setattr(bars, "ROUNDS", 1)
    found = bars.measure_bars()
    assert [bar.unit for bar in found] == ["× bincount", "× bincount", "× bincount", "ms", "ms", "bytes"]
    assert [bar.most for bar in found] == [2, 10, 15, 10, 50, 2]
    assert all(bar.value > 0 for bar in found)
    assert found[1].value < found[2].value
    assert found[5].value in {1, 2}


def test_all_reports_of_the_tally_are_counted() -> None:
    tracker = bars.tracker_with(5_001)
    tracker.insert_many(tracker.bulletin.version, bars.residues(5_000))
    assert tracker.reports == 5_000
    assert tracker.bulletin.epoch == 0
