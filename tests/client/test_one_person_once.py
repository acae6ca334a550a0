"""One person never spends ε twice for a period, whatever crashes, full disks, wrong clocks and restarts happen.

Every event has a number of its own. The test writes down every draw, and in which period of the device each event was
handed over. After each step: no period was drawn twice, a draw is about an event of its own period, nothing was drawn
that the ledger on the disk does not know, and no more was drawn than periods have passed. Planted bugs show that the
machine would notice.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from hgldp.client.pace import Pace
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.ledger import Ledger
from hgldp.client.spending.page import LedgerDamaged, Page
from hgldp.client.spending.periods import Periods
from hgldp.client.worker import Worker
from hgldp.errors import FolderInUse
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.period import PERIOD_SECONDS, period_at
from hgldp.model.reserved import Reserved
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from hgldp.system.folder_lock import FolderLock
from tests.client.crash_disk import CrashDisk
from tests.client.device import MANY, Device, WrongClock, tell_and_search

WEEK = PERIOD_SECONDS["week"]
TASK = Task("dsr", Budget(1.0, "period", period="week"), RangeDomain(100_000), k=2, cells=3, other=True, nothing=True)
NOTHING = TASK.encode(Reserved.NOTHING)


class Person(Device):
    task = TASK
    pace = Pace(gather=0, renew=900, keep=2 * WEEK, most_uploads=4, most_listed=3)
    ceilings = Ceilings(1.0, 100)

    def __init__(self) -> None:
        self.periods_of = dict[object, int | None]()
        super().__init__()

    def paid_for(self, code: object, page: Page) -> object:
        if code != NOTHING:
            assert self.periods_of[code] in (page.period, None), "an event of another period"
        return page.period

    @property
    def now(self) -> int | None:
        """The period of this moment, as the device counts; unknown before the first look."""
        page = self.worker.ledger.page
        return None if page.start < 0 else period_at(self.worker.ledger.time.now(), "week", page.start)

    @rule(events=st.integers(1, 4), lost=st.floats(0, 1), fuse=st.none() | st.integers(0, 12))
    def report(self, events: int, lost: float, fuse: int | None) -> None:
        """Events, and a round that looks at them."""
        self.happen(events)
        self.disk.fuse, self.disk.power_fails = fuse, True
        self._surviving(self.worker.round, lost)

    @rule(events=st.integers(1, 4))
    def happen(self, events: int) -> None:
        """Events belong to the period in which they come, however late a round looks at them."""
        for _ in range(events):
            self.events += 1
            self.worker.take(self.events)
            self.periods_of[self.events] = self.now

    @rule(seconds=st.sampled_from([60, DAY_SECONDS, 3 * DAY_SECONDS, WEEK, 3 * WEEK]))
    def time_passes(self, seconds: int) -> None:
        self.clock.passed += seconds
        self.clock.date += seconds

    @rule()
    def the_bulletin_is_lost_and_fetched_again(self) -> None:
        (self.folder / "bulletin").unlink(missing_ok=True)
        (self.folder / "task").unlink(missing_ok=True)
        self._open()

    @rule()
    def another_process_tries(self) -> None:
        with pytest.raises(FolderInUse):
            FolderLock(self.folder)

    @rule(lost=st.floats(0, 1), fuse=st.none() | st.integers(0, 20))
    def opt_out_and_in(self, lost: float, fuse: int | None) -> None:
        self.disk.fuse, self.disk.power_fails = fuse, True
        self._surviving(self.worker.opt_out, lost)
        if self.worker.ledger.page.opted_out:
            assert not len(self.worker.queue)
            assert not (self.folder / "drawn").exists()
        self._surviving(self.worker.opt_in, lost)

    @invariant()
    def no_more_periods_were_drawn_than_have_ended(self) -> None:
        assert self.drawn.total() <= 1 + self.clock.passed // WEEK


def test_one_person_never_spends_twice_for_a_period() -> None:
    run_state_machine_as_test(Person, settings=MANY)


def story(person_class: type[Person]) -> tuple[int, int]:
    """Four weeks without faults, of which the third is empty; how many draws, and how many uploads were counted."""
    person = person_class()
    try:
        person.round(lost=0.0, fuse=None, power_fails=False)
        for events in (3, 1, 0, 2):
            if events:
                person.report(events, 0.0, None)
                person.happen(9 * events)  # and nobody looks at these before the week is over
            person.time_passes(WEEK)
            person.round(lost=0.0, fuse=None, power_fails=False)
        return person.drawn.total(), len(person.wire.counted)
    finally:
        person.teardown()


def test_without_faults_each_period_arrives_exactly_once() -> None:
    """Otherwise a client that never sends would pass. The third week is reported as nothing."""
    assert story(Person) == (4, 4)


class ForgetsThePeriod(Periods):
    def report(self, randomizer, caps, bulletin) -> int | None:
        over = self.drawn.over
        symbol = super().report(randomizer, caps, bulletin)
        self.drawn.over = over
        object.__setattr__(self.ledger.page, "period", -1)
        return symbol


class DrawsFirst(Periods):
    def report(self, randomizer, caps, bulletin) -> int | None:
        over = self.drawn.over
        if over is None:
            return None
        symbol = self.draw(randomizer, over, bulletin)
        self.ledger.reserve_period(over.period, caps)
        self.drawn.reported()
        self.drawn.save()
        return symbol


class NeverTurns(Periods):
    """Lets the events of a new period take part in the draw of the last one."""

    def look(self, period, now) -> None:
        held = self.drawn.open
        super().look(period, now)
        if held is not None and self.drawn.open is not held:
            self.drawn.open = type(held)(self.drawn.open.period, held.seen, held.code)


class LooksAtTheClockLate(Periods):
    """Takes an event for one of the period in which a round looks at it, as an earlier version did."""

    def take(self, period, events) -> None:
        now = self.ledger.time.now()
        self.look(period, now)
        super().take(period, [(now, code) for _, code in events])


@pytest.mark.parametrize("planted", [ForgetsThePeriod, DrawsFirst, NeverTurns, LooksAtTheClockLate])
def test_a_planted_bug_would_be_noticed(planted: type[Periods]) -> None:
    class Planted(Worker):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            known = self.periods
            self.periods = planted(known.ledger, known.drawn, known.inbox, known.words)

    machine = type("Planted", (Person,), {"worker_class": Planted})

    with pytest.raises((AssertionError, LedgerDamaged)):
        tell_and_search(story, machine)


def test_a_date_set_forward_between_two_runs_grants_one_period_and_no_more(tmp_path: Path) -> None:
    clock, caps = WrongClock(), Ceilings(1.0, 100).caps(TASK)
    granted = 0
    for jump in (0, 1000 * WEEK, -2000 * WEEK, 1500 * WEEK, -400 * WEEK):
        clock.date += jump
        lock = FolderLock(tmp_path)
        ledger = Ledger(CrashDisk(), tmp_path / "ledger", "t", clock, lock)
        if ledger.page.start < 0:
            ledger.draw_start(0)
        for _ in range(3):
            granted += ledger.reserve_period(period_at(ledger.time.now(), "week", 0), caps)
        lock.release()
    assert granted == 2


def test_an_empty_period_is_reported_after_a_restart_as_one_with_events_is() -> None:
    """The first period, and the first after opting out and in: nobody looked at them before the restart."""
    for opted_out in (False, True):
        uploads = []
        for events in (0, 2):
            person = Person()
            try:
                person.round(lost=0.0, fuse=None, power_fails=False)
                if opted_out:
                    person.opt_out_and_in(0.0, None)
                    person.round(lost=0.0, fuse=None, power_fails=False)
                if events:
                    person.report(events, 0.0, None)
                person.time_passes(WEEK)
                person._open()
                for _ in range(3):
                    person.round(lost=0.0, fuse=None, power_fails=False)
                uploads.append(len(person.wire.counted))
            finally:
                person.teardown()
        assert uploads == [1, 1]


def test_a_wrong_date_in_one_run_silences_nobody_afterwards() -> None:
    for events in (0, 1):
        person = Person()
        try:
            person.round(lost=0.0, fuse=None, power_fails=False)
            person.wire_lapses("request lost")
            person.clock.date += 400 * WEEK
            person._open()
            if events:
                person.report(events, 0.0, None)
            person.round(lost=0.0, fuse=None, power_fails=False)
            person.clock.date -= 400 * WEEK
            person.worker.ledger.page = replace(person.worker.ledger.page, second=0)
            person.worker.ledger.settle()
            person.wire_lapses("none")
            person._open()
            for _ in range(5):
                person.time_passes(WEEK)
                person.round(lost=0.0, fuse=None, power_fails=False)
            assert person.drawn.total() >= 4, events
        finally:
            person.teardown()


def test_a_clock_near_1970_is_a_clock_like_any_other() -> None:
    person = Person()
    try:
        person.clock.date = 100.0
        person._open()
        person.round(lost=0.0, fuse=None, power_fails=False)
        start = person.worker.ledger.page.start
        person._open()
        person.round(lost=0.0, fuse=None, power_fails=False)
        assert person.worker.ledger.page.start == start >= 0
    finally:
        person.teardown()


def test_opting_out_leaves_nothing_of_a_drawn_event_even_after_a_crash() -> None:
    person = Person()
    try:
        person.round(lost=0.0, fuse=None, power_fails=False)
        (person.folder / "drawn.new").write_text("half of a write")
        person.worker.opt_out()
        assert not list(person.folder.glob("drawn*"))
    finally:
        person.teardown()


def test_a_daily_limit_of_one_does_not_cost_every_second_period() -> None:
    daily = Task("dsr", Budget(1.0, "period"), RangeDomain(100), k=2, cells=3, other=True, daily_reports=1)
    assert Ceilings(1.0, 1).caps(daily).per_day == 2
    assert Ceilings(1.0, 0).caps(daily).per_day == 0
