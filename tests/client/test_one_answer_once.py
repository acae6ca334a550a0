"""Where a task wants one answer a bulletin, no bulletin is answered twice, whatever happens to device and server.

Every draw is written down with the bulletin that it answers. The machine loses power, disk and wire at any step, sets
the date back, forgets bulletins, opts out and in, and shows a server that goes back to its first bulletins. Planted
bugs show that it would notice.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from hgldp.client.agreement import Agreed
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.page import LedgerDamaged, Page
from hgldp.client.status import Outcome
from hgldp.client.worker import Worker
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from hgldp.tracker import Tracker
from tests.client.device import MANY, Device, tell_and_search

HOUR = 3600
TASK = Task(
    "dsr", epsilon=1.0, domain=RangeDomain(100_000), k=2, cells=3, other=True, one_answer=True, epoch_seconds=HOUR
)


class Person(Device):
    task = TASK
    pace = Pace(gather=0, renew=900, keep=2 * DAY_SECONDS, most_uploads=4, most_listed=3)
    ceilings = Ceilings(1.0, 100)

    def __init__(self) -> None:
        self.answered = Counter[str]()
        super().__init__()

    def _draw(self, draw: Callable[..., object], one: Randomizer, code: object, bulletin: AnyBulletin) -> object:
        self.answered[bulletin.version] += 1
        assert Page.decode((self.folder / "ledger").read_bytes()).has_answered(bulletin.version), "drawn, not kept"
        return super()._draw(draw, one, code, bulletin)

    @rule(events=st.integers(1, 4), lost=st.floats(0, 1), fuse=st.none() | st.integers(0, 12))
    def report(self, events: int, lost: float, fuse: int | None) -> None:
        for _ in range(events):
            self.events += 1
            self.worker.take(self.events)
        self.disk.fuse, self.disk.power_fails = fuse, True
        self._surviving(self.worker.round, lost)

    @rule(seconds=st.sampled_from([60, HOUR, 2 * HOUR, DAY_SECONDS]))
    def time_passes(self, seconds: int) -> None:
        self.clock.passed += seconds
        self.clock.date += seconds

    @rule()
    def the_bulletin_is_lost_and_fetched_again(self) -> None:
        (self.folder / "bulletin").unlink(missing_ok=True)
        self._open()

    @rule()
    def the_server_goes_back_to_its_beginning(self) -> None:
        self.wire.tracker = Tracker(TASK, seed=1)

    @rule(lost=st.floats(0, 1), fuse=st.none() | st.integers(0, 20))
    def opt_out_and_in(self, lost: float, fuse: int | None) -> None:
        self.disk.fuse, self.disk.power_fails = fuse, True
        self._surviving(self.worker.opt_out, lost)
        self._surviving(self.worker.opt_in, lost)

    @invariant()
    def no_bulletin_was_answered_twice(self) -> None:
        assert not self.answered or max(self.answered.values()) == 1


def test_no_bulletin_is_answered_twice() -> None:
    run_state_machine_as_test(Person, settings=MANY)


def story(person_class: type[Person]) -> tuple[int, int]:
    """Three epochs with two looks each, then the first again; how many draws, and how many uploads were counted."""
    person = person_class()
    try:
        person.round(lost=0.0, fuse=None, power_fails=False)
        for _ in range(3):
            person.report(3, 0.0, None)
            person.opt_out_and_in(0.0, None)
            person.round(lost=0.0, fuse=None, power_fails=False)
            person.report(2, 0.0, None)
            person.wire.tracker.seal()
            person.time_passes(HOUR)
            person.round(lost=0.0, fuse=None, power_fails=False)
        person.the_server_goes_back_to_its_beginning()
        person.the_bulletin_is_lost_and_fetched_again()
        person.round(lost=0.0, fuse=None, power_fails=False)
        person.report(1, 0.0, None)
        person.no_bulletin_was_answered_twice()
        return person.drawn.total(), len(person.wire.counted)
    finally:
        person.teardown()


def test_without_faults_each_bulletin_is_answered_exactly_once() -> None:
    """Otherwise a client that never sends would pass."""
    assert story(Person) == (3, 3)


class ForgetsWhenOneOptsOut(Worker):
    def opt_out(self) -> None:
        super().opt_out()
        self.ledger.page = replace(self.ledger.page, answered=())


class RemembersTheLastOnly(Worker):
    def round(self) -> None:
        super().round()
        self.ledger.page = replace(self.ledger.page, answered=self.ledger.page.answered[-1:])


class RemembersInMemoryOnly(Worker):
    """As the randomiser alone does: a restart grants another answer."""

    def _draw(self, events: list[object], bulletin: AnyBulletin, agreed: Agreed, now: float) -> None:
        known = self.__dict__.setdefault("known", set())
        if bulletin.version not in known:
            known.add(bulletin.version)
            super()._draw(events, bulletin, agreed, now)
        self.ledger.page = replace(self.ledger.page, answered=())


@pytest.mark.parametrize("planted", [ForgetsWhenOneOptsOut, RemembersTheLastOnly, RemembersInMemoryOnly])
def test_a_planted_bug_would_be_noticed(planted: type[Worker]) -> None:
    machine = type("Planted", (Person,), {"worker_class": planted})

    with pytest.raises((AssertionError, LedgerDamaged)):
        tell_and_search(story, machine)


def test_what_does_not_answer_is_counted_as_such() -> None:
    """Three events at once, of which one answers by lot, and two more against the same bulletin."""
    person = Person()
    try:
        person.round(lost=0.0, fuse=None, power_fails=False)
        person.report(3, 0.0, None)
        person.report(2, 0.0, None)
        assert person.worker.inbox.dropped == {Outcome.ANSWERED.value: 4}
        assert person.worker.ledger.page.reports == 1
    finally:
        person.teardown()


def test_a_randomiser_by_itself_gives_the_same_report_again_and_spends_nothing() -> None:
    tracker, client = Tracker(TASK, seed=1), Randomizer(TASK, max_epsilon=1.0)
    reports = {client.report(item, tracker.bulletin) for item in range(50)}
    assert len(reports) == client.sent == 1
    tracker.seal()
    client.report(7, tracker.bulletin)
    assert client.sent == 2


class Hurried(Person):
    """Looks for another bulletin at every round, and finds one."""

    pace = replace(Person.pace, renew=0.1)

    def answers(self, looks: int, seconds: float, jump: float, *, restarts: bool = False) -> int:
        """How many bulletins it answers while the server has a new one at each look, and the date jumps in between."""
        for _ in range(looks):
            self.clock.passed += seconds
            self.clock.date += seconds + jump
            if restarts:
                self._open()
            self.wire.tracker.seal()
            self.report(1, 0.0, None)
        self.no_bulletin_was_answered_twice()
        return self.answered.total()


def answers(looks: int, seconds: float, jump: float, *, restarts: bool = False, worker: type[Worker] = Worker) -> int:
    person = type("One", (Hurried,), {"worker_class": worker})()
    try:
        return person.answers(looks, seconds, jump, restarts=restarts)
    finally:
        person.teardown()


@pytest.mark.parametrize("jump", [0, HOUR, -HOUR, 400 * DAY_SECONDS])
def test_a_hasty_server_gets_no_second_answer_within_an_epoch_whatever_the_date(jump: float) -> None:
    """A hundred bulletins in forty seconds."""
    assert answers(100, 0.4, jump) == 1


class ForgetsWhenItAnswered(Worker):
    def round(self) -> None:
        self.ledger.page = replace(self.ledger.page, answered_at=-1)
        super().round()


def test_the_planted_client_that_knows_bulletins_only_answers_each_of_them() -> None:
    assert answers(20, 0.4, 0, worker=ForgetsWhenItAnswered) == 20


@pytest.mark.parametrize(("seconds", "most"), [(HOUR, 20), (HOUR - 1, 10), (HOUR // 2, 10)])
def test_answers_are_an_epoch_apart_and_not_more(seconds: float, most: int) -> None:
    assert answers(20, seconds, 0) == most


def test_neither_a_restart_nor_a_date_that_is_set_back_gives_another_answer() -> None:
    assert answers(30, 0.4, 0, restarts=True) == answers(30, 0.4, -DAY_SECONDS, restarts=True) == 1


def test_a_date_that_is_set_forward_gives_one_answer_for_each_start_and_no_more() -> None:
    """Nothing tells such a start from one after a long sleep. The date has to go on by an epoch each time."""
    assert answers(30, 0.4, HOUR + 1, restarts=True) == 30
    assert answers(30, 0.4, HOUR / 3, restarts=True) == 10


def test_after_a_date_that_was_too_late_an_epoch_passes_while_the_client_runs() -> None:
    person = Hurried()
    try:
        assert person.answers(1, 0, 400 * DAY_SECONDS) == 1
        assert person.answers(1, 0, -400 * DAY_SECONDS, restarts=True) == 1
        assert person.answers(1, HOUR - 60, 0) == 1
        assert person.answers(1, 60, 0) == 2
    finally:
        person.teardown()


def test_a_restart_after_the_device_slept_gives_no_second_answer() -> None:
    """Not every clock goes on while a device sleeps; the date does, and the restart begins with it."""
    person = Hurried()
    try:
        assert person.answers(1, 0, 0) == 1
        assert person.answers(1, HOUR, 8 * HOUR) == 2
        assert person.answers(1, 60, 0, restarts=True) == 2
        assert person.answers(1, HOUR - 60, 0) == 3
    finally:
        person.teardown()


class NeverLooksAtTheLedger(Worker):
    def round(self) -> None:
        self.ledger.settle = lambda: None  # type: ignore[method-assign]
        super().round()


@pytest.mark.parametrize(("worker_class", "answers"), [(Worker, 1), (NeverLooksAtTheLedger, 2)])
def test_an_old_ledger_that_is_put_back_is_put_right_by_the_next_round(
    worker_class: type[Worker], answers: int
) -> None:
    """Then the power fails. The planted client writes its ledger only when it spends."""
    person = type("One", (Person,), {"worker_class": worker_class})()
    try:
        person.round(lost=0.0, fuse=None, power_fails=False)
        old = (person.folder / "ledger").read_bytes()
        person.report(1, 0.0, None)
        (person.folder / "ledger").write_bytes(old)
        person.report(1, 0.0, None)
        person._open()
        person.round(lost=0.0, fuse=None, power_fails=False)
        with suppress(AssertionError):
            person.report(1, 0.0, None)
        assert person.answered.total() == answers
    finally:
        person.teardown()
