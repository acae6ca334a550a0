"""A task's quotas while several collectors share them."""

from dataclasses import replace

import pytest

from hgldp.collector.views import TaskTerms
from hgldp.collector.writer.quotas import Accounts, SharedRate, TaskQuotas
from tests.collector.fakes import SEARCH, FakeClock, start


def test_whoever_tells_how_many_share_changes_nothing_under_who_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread tells it: the next upload finds it."""
    state = start(SEARCH)
    state.row = replace(state.row, terms=TaskTerms("alone", reports_per_second=100, reports_per_day=1_000))
    quotas = TaskQuotas(state.view(), FakeClock(), Accounts(10), 0)
    assert quotas.take(10, "") is None
    resized: list[float] = []
    honest = SharedRate.resize

    def resize(rate: SharedRate, per_second: float) -> None:
        resized.append(per_second)
        honest(rate, per_second)

    monkeypatch.setattr(SharedRate, "resize", resize)
    quotas.share_among(4)
    assert resized == []
    quotas.take(10, "")
    quotas.take(10, "")
    assert resized == [25.0]
