"""Handing events to a client: no event is dropped for want of room, and an absent collector ends it."""

import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from hgldp.cli.commands.report.sending import BATCH, PACE, ROOM, TRIALS, Stopped, finish, paced, send
from hgldp.client import Outcome, Status, reason_of


@dataclass
class FakeReporter:
    """Takes what there is room for; each flush delivers some."""

    delivers: int = 5000
    outcome: Outcome = Outcome.TAKEN
    state: str = "ready"
    reason: str = "because"
    turns_down: bool = False
    waiting: int = 0
    queued: int = 0
    delivered: int = 0
    overfull: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def report(self, _: object) -> Outcome:
        self.waiting += 1
        self.overfull += self.waiting > PACE.most_waiting
        return self.outcome

    def status(self) -> Status:
        return Status(self.state, self.reason, self.waiting, self.queued, self.delivered, dict(self.dropped))

    def flush(self, wait: float) -> bool:
        time.sleep(min(wait, 0.001))
        done = min(self.waiting, self.delivers)
        self.waiting, self.queued = self.waiting - done, 0
        if self.turns_down:
            self.dropped[Outcome.TURNED_DOWN.value] = self.dropped.get(Outcome.TURNED_DOWN.value, 0) + done
        else:
            self.delivered += done
        return not self.waiting


def run(reporter: Any, events: int, wait: float = 0.05) -> int:
    read = send(reporter, iter(range(events)), wait, lambda _: None)
    finish(reporter, read, wait, lambda _: None)
    return read


def test_many_events_never_overfill_the_client() -> None:
    reporter = FakeReporter()
    assert run(reporter, 3 * PACE.most_waiting) == 3 * PACE.most_waiting == reporter.delivered
    assert reporter.overfull == 0


def test_a_collector_that_takes_nothing_ends_it_after_the_wait() -> None:
    for events in (10, 2 * PACE.most_waiting):
        with pytest.raises(Stopped, match=r"no longer takes anything \(because\)"):
            run(FakeReporter(delivers=0), events)


def test_a_refusal_before_and_after_the_events_were_taken() -> None:
    with pytest.raises(Stopped, match="stopped after 1 report: the limit of reports in 24 hours is reached"):
        run(FakeReporter(outcome=Outcome.DAILY_CAP), 3)
    with pytest.raises(Stopped, match="stopped after 1 report: because"):
        run(FakeReporter(outcome=Outcome.REFUSED), 3)
    with pytest.raises(Stopped, match="sends nothing: because"):
        run(FakeReporter(state="refused", delivers=0), 3)
    with pytest.raises(Stopped, match="sent 3 reports and then stopped; it dropped 2 events"):
        run(FakeReporter(dropped={Outcome.DAILY_CAP.value: 2}), 3)


def test_events_that_are_not_drawn_do_not_stop_the_others() -> None:
    assert run(FakeReporter(dropped={Outcome.NOT_DRAWN.value: 2}), 3) == 3


@pytest.mark.parametrize("status", [400, 404, 409, 413, 415])
def test_an_answer_that_will_stay_the_same_ends_it_at_once(status: int) -> None:
    reporter, events = FakeReporter(reason=reason_of(status), turns_down=True), iter(range(100_000))
    with pytest.raises(Stopped, match=f"after 0 reports: the server answered {status}: "):
        send(reporter, events, 60.0, lambda _: None)
    assert next(events) <= 1


def test_no_event_is_drawn_in_vain_before_a_first_one_is_taken() -> None:
    events = iter(range(1_000_000))
    with pytest.raises(
        Stopped, match=rf"the collector took no report: the server answered 410: .*; {TRIALS} reports spent for nothing"
    ):
        send(FakeReporter(reason=reason_of(410), turns_down=True), events, 60.0, lambda _: None)  # type: ignore[arg-type]
    assert next(events) == TRIALS


def test_one_report_that_came_too_late_does_not_end_it() -> None:
    reporter = FakeReporter(reason=reason_of(410), turns_down=True)
    flush = reporter.flush

    def once(wait: float) -> bool:
        done = flush(wait)
        reporter.turns_down = False
        return done

    reporter.flush = once  # type: ignore[method-assign]
    assert run(reporter, 3 * PACE.most_waiting) == reporter.delivered + 1


def test_what_an_earlier_run_left_is_no_reason_to_stop() -> None:
    reporter = FakeReporter(reason=reason_of(410), queued=3)
    reporter.dropped[Outcome.TURNED_DOWN.value] = 5 * BATCH
    assert run(reporter, 2 * ROOM) == 2 * ROOM


def test_nothing_sent_is_said_with_its_reasons() -> None:
    reporter = FakeReporter(reason="", delivers=0)
    reporter.report = lambda _: Outcome.FULL  # type: ignore[method-assign]
    reporter.dropped[Outcome.FULL.value] = 3
    with pytest.raises(Stopped, match=r"^no report was delivered: too much is waiting already$"):
        run(reporter, 3)
    assert run(FakeReporter(reason="", delivers=0), 0) == 0


def test_the_pace_is_kept() -> None:
    started = time.monotonic()
    assert list(paced(iter(range(129)), 1000.0)) == list(range(129))
    assert time.monotonic() - started >= 0.128
