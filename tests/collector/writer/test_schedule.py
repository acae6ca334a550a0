"""Live tops: one that came too late costs as much time as one that is shown, so the rest after it is the same."""

from collections.abc import Callable

import pytest

from hgldp.collector.log.entry import SEAL, Entry, run_entry
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.timings import Timings
from hgldp.collector.writer.schedule import SHARE, LiveTops
from hgldp.collector.writer.workshop import Job, Workshop
from tests.collector.fakes import HOT, FakeClock, start

SECONDS, TOOK = 0.5, 2.0


class ByHand(Workshop):
    """Its jobs run when the test says so."""

    is_open = True

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[Job] = []

    def begin(self, work: Callable[[], None]) -> Job:
        self.jobs.append(Job(work, lambda: None))
        return self.jobs[-1]


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> TaskState:
    """A top takes two seconds."""
    monkeypatch.setattr(TaskState, "is_slow", True)
    monkeypatch.setattr("hgldp.collector.log.shown_top.thread_time", iter(range(0, 100, int(TOOK))).__next__)
    found = start(HOT)
    version = bytes.fromhex(found.bulletin.version)
    found.count(run_entry(1, 1, 0.0, 1, version, [bytes(16)], [1], [bytes(found.formats[version].width)]))
    return found


def after_the_first(clock: FakeClock, workshop: ByHand, state: TaskState) -> LiveTops:
    """The first top of a task may have compiled its code, so nobody waits for long after it."""
    tops = LiveTops(clock, SECONDS, workshop, Timings().top)
    tops.are_stale([1])
    tops.renew({1: state})
    workshop.jobs.pop().run()
    assert tops.renew({1: state}) == [1]
    tops.are_stale([1])
    assert tops.wait() == SECONDS
    clock.advance(SECONDS)
    return tops


def test_a_top_that_came_too_late_is_not_computed_again_at_once(state: TaskState) -> None:
    clock, workshop = FakeClock(), ByHand()
    tops = after_the_first(clock, workshop, state)
    assert tops.renew({1: state}) == []
    state.count(Entry(2, 2, 0.0, 1, SEAL))
    workshop.jobs[0].run()
    tops.are_stale([1])
    assert tops.renew({1: state}) == []
    assert len(workshop.jobs) == 1
    assert tops.wait() == SHARE * TOOK
    clock.advance(SHARE * TOOK)
    tops.renew({1: state})
    assert len(workshop.jobs) == 2


def test_a_top_that_is_ready_while_an_epoch_ends_is_looked_at_afterwards(state: TaskState) -> None:
    clock, workshop = FakeClock(), ByHand()
    tops = after_the_first(clock, workshop, state)
    tops.renew({1: state})
    workshop.jobs[0].run()
    assert tops.renew({}) == []
    assert tops.renew({1: state}) == [1]
    tops.are_stale([1])
    assert tops.wait() == SHARE * TOOK
