"""Handing events to a client: no event is dropped for want of room, and an absent collector ends it."""

import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from hgldp.cli.sending import PACE, Stopped, finish, paced, send
from hgldp.client.refusals import Outcome
from hgldp.client.status import Status


@dataclass
class FakeReporter:
    """Takes what there is room for; each flush delivers some."""

    delivers: int = 5000
    outcome: Outcome = Outcome.TAKEN
    state: str = "ready"
    waiting: int = 0
    delivered: int = 0
    overfull: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def report(self, _: object) -> Outcome:
        self.waiting += 1
        self.overfull += self.waiting > PACE.most_waiting
        return self.outcome

    def status(self) -> Status:
        return Status(self.state, "because", self.waiting, 0, self.delivered, self.dropped)

    def flush(self, wait: float) -> bool:
        time.sleep(min(wait, 0.001))
        done = min(self.waiting, self.delivers)
        self.waiting, self.delivered = self.waiting - done, self.delivered + done
        return not self.waiting


def run(reporter: Any, events: int, wait: float = 0.05) -> int:
    read = send(reporter, iter(range(events)), wait, lambda _: None)
    finish(reporter, wait, lambda _: None)
    return read


def test_many_events_never_overfill_the_client() -> None:
    reporter = FakeReporter()
    assert run(reporter, 3 * PACE.most_waiting) == 3 * PACE.most_waiting == reporter.delivered
    assert reporter.overfull == 0


def test_a_collector_that_takes_nothing_ends_it_after_the_wait() -> None:
    started = time.monotonic()
    for events in (10, 2 * PACE.most_waiting):
        with pytest.raises(Stopped, match=r"takes nothing any more \(because\)"):
            run(FakeReporter(delivers=0), events)
    assert time.monotonic() - started < 10


def test_a_refusal_before_and_after_the_events_were_taken() -> None:
    with pytest.raises(Stopped, match="sends no more after 0 events: because"):
        run(FakeReporter(outcome=Outcome.DAILY_CAP), 3)
    with pytest.raises(Stopped, match="sends nothing: because"):
        run(FakeReporter(state="refused", delivers=0), 3)
    with pytest.raises(Stopped, match="sent 3 reports and no more, 2 events are left"):
        run(FakeReporter(dropped={Outcome.DAILY_CAP.value: 2}), 3)


def test_events_outside_the_domain_do_not_stop_the_others() -> None:
    assert run(FakeReporter(dropped={Outcome.OUTSIDE.value: 2}), 3) == 3


def test_the_pace_is_kept() -> None:
    started = time.monotonic()
    assert list(paced(iter(range(129)), 1000.0)) == list(range(129))
    assert 0.128 <= time.monotonic() - started < 5
