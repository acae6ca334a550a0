"""A sealer that is far behind: nothing more is taken until it has caught up, and it is told."""

import pytest

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.shared import intake
from hgldp.collector.views import Receipt
from tests.collector.fakes import SEARCH, FakeClock, create, log_of, now, upload
from tests.collector.shared.conftest import Pair


def test_a_full_inbox_takes_nothing_until_the_sealer_has_emptied_it(
    pair: Pair, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(intake, "MOST_BYTES", 40)
    first, second = pair
    (view,) = create(first, SEARCH)
    second.step()
    outcomes = []
    for _ in range(3):
        clock.advance(1.1)
        offered = second.offer(now(second, view), upload(view, 3))
        second.step()
        outcomes.append(offered.outcome)
    assert outcomes[:2] == [Receipt(3)] * 2, "nobody looks before each: it may become a little longer"
    assert isinstance(outcomes[2], Refused)
    assert (outcomes[2].problem, bool(outcomes[2].retry_after)) == (Problem.STORAGE_FULL, True)
    assert not second.ready
    assert "the sealer is far behind" in caplog.text
    first.step()
    clock.advance(1.1)
    second.step()
    assert second.ready
    again = second.offer(now(second, view), upload(view, 3))
    second.step(), first.step()
    assert again.outcome == Receipt(3)
    assert len(log_of(first, view)) == 3
