"""A start does not wait for what takes long: tops over very many items are shown as published, and renewed later."""

from pathlib import Path

import pytest

from hgldp.collector.log.shown_top import ShownTop
from hgldp.collector.log.task_state import TaskState
from tests.collector.fakes import SEARCH, FakeClock, create, now, open_by_hand, upload


def test_a_slow_top_is_not_computed_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    (view,) = create(collector, SEARCH)
    for reports in (9, 5):
        collector.offer(now(collector, view), upload(now(collector, view), reports))
        collector.step()
    published = collector.history(view.id)[-1]
    collector.close()
    computed: list[int] = []
    honest = ShownTop.refresh
    monkeypatch.setattr(TaskState, "is_slow", True)
    monkeypatch.setattr(ShownTop, "refresh", lambda self: (computed.append(1), honest(self))[1])
    again = open_by_hand(tmp_path, clock)
    shown = now(again, view)
    assert computed == []
    assert (shown.top, shown.top_epoch, shown.top_reports) == (published.top, 1, 9)
    clock.advance(1)
    again.step()
    assert computed == [1]
    assert now(again, view).top_reports == 14
    again.close()
