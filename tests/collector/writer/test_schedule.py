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


def after_two(clock: FakeClock, workshop: ByHand, state: TaskState) -> LiveTops:
    """The first tops of a task may have compiled their code, so nobody waits for long after them."""
    tops = LiveTops(clock, SECONDS, workshop, Timings().top)
    tops.are_stale([1])
    for _ in range(2):
        tops.renew({1: state})
        workshop.jobs.pop().run()
        assert tops.renew({1: state}) == [1]
        tops.are_stale([1])
        assert tops.wait() == SECONDS
        clock.advance(SECONDS)
    return tops


def test_a_top_that_came_too_late_is_not_computed_again_at_once(state: TaskState) -> None:
    clock, workshop = FakeClock(), ByHand()
    tops = after_two(clock, workshop, state)
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
    tops = after_two(clock, workshop, state)
    tops.renew({1: state})
    workshop.jobs[0].run()
    assert tops.renew({}) == []
    assert tops.renew({1: state}) == [1]
    tops.are_stale([1])
    assert tops.wait() == SHARE * TOOK


@pytest.mark.parametrize("took", [(0.0002, 35.0, 33.0, 0.01), (35.0, 33.0, 0.01, 0.01), (0.01, 0.01, 0.01, 35.0, 0.01)])
def test_tops_that_waited_for_compiled_code_do_not_delay_the_next_one(
    monkeypatch: pytest.MonkeyPatch, took: tuple[float, ...]
) -> None:
    """Before: only the first was excused. It is that of an empty task, and the next two compile: 12 minutes of rest."""
    clock, state, durations = FakeClock(), start(HOT), iter(took)
    monkeypatch.setattr(type(state.top), "refresh", lambda _: clock.advance(next(durations)))
    tops = LiveTops(clock, SECONDS, Workshop(), Timings().top)
    for _ in took:
        tops.are_stale([1])
        assert tops.renew({1: state}) == [1]
        tops.are_stale([1])
        assert tops.wait() == pytest.approx(SECONDS)
        clock.advance(SECONDS)


def test_whoever_takes_long_three_times_rests_as_long_as_the_shortest_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, state, rests = FakeClock(), start(HOT), []
    durations = iter((35.0, 3 * TOOK, TOOK, 2 * TOOK))
    monkeypatch.setattr(type(state.top), "refresh", lambda _: clock.advance(next(durations)))
    tops = LiveTops(clock, SECONDS, Workshop(), Timings().top)
    for _ in range(4):
        tops.are_stale([1])
        tops.renew({1: state})
        tops.are_stale([1])
        rests.append(tops.wait())
        clock.advance(SHARE * TOOK)
    assert rests == [SECONDS, SECONDS, SHARE * TOOK, SHARE * TOOK]
